"""Players on no list of a federation that gives its numbers itself: they are in the tournaments of lists (U22).

And the games of a player that wait for the first list of a pool.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.models import Pool
from ratings.queries.lists import NotPublishedError
from ratings.queries.tournaments import published_tournaments
from reporting.models import Entry, Game, Player, PlayerMerge
from reporting.rules.register.registers import OFFICE, registers_of_systems


@dataclass(frozen=True)
class WaitingGame:
    """A game that no list has counted for a player yet; `until` is the last day of one that can, None without one."""

    game: Game
    opponent: Entry | None
    points: int
    until: date | None


@dataclass(frozen=True)
class UnlistedPlayer:
    """A player on no published list with the tournaments that published lists count, the newest first.

    `waiting` are the games that wait for a later list. `surviving` is the record into which this one is merged.
    """

    player: Player
    tournaments: Sequence[Any]
    waiting: Sequence[WaitingGame]
    surviving: Player | None


def unlisted_player(address: str) -> UnlistedPlayer:
    """The player of an address on no list, of a federation that gives its numbers itself. 4 or 5 queries, and those of
    `RatingSystem.waiting_games` for each pool.

    Raises `NotPublishedError` for another player, an erased one, and one in no tournament of a published list.
    """
    player = Player.objects.select_related("federation").at_address(address)
    if player is None or player.is_erased or not may_be_unlisted(player):
        raise NotPublishedError(f"no published player {address}")
    counted = published_tournaments().filter(entries__player=player, excluded_by=None)
    tournaments = list(counted.order_by("-played_to", "-number"))
    if not tournaments:
        raise NotPublishedError(f"no published player {address}")
    merge = PlayerMerge.objects.filter(duplicate=player, undone_at=None).select_related("surviving").first()
    waiting = () if merge else list(_waiting_games(player, tournaments))
    return UnlistedPlayer(player, tournaments, waiting, merge.surviving if merge else None)


def waiting_elsewhere(player: Player, listed: Container[str]) -> list[WaitingGame]:
    """The waiting games of a player on lists of these pools (codes) in all others, the oldest first.

    No game waits where a federation gives numbers by acceptance. 3 queries for a player of another one, and those of
    `RatingSystem.waiting_games` for each other pool with a game; none for all others.
    """
    if not _own_registers().intersection(player.numbers):
        return []
    counted = published_tournaments().filter(entries__player=player, excluded_by=None)
    return list(_waiting_games(player, [one for one in counted if one.pool_code not in listed]))


def may_be_unlisted(player: Player) -> bool:
    """Whether the player has a page also without a list, with a tournament of a published one. No query."""
    return not {OFFICE.code, *_own_registers()}.isdisjoint(player.numbers)


def _own_registers() -> set[str]:
    """The registers (codes) of federations that give numbers themselves."""
    return {register.code for register in registers_of_systems() if not register.numbers_by_acceptance}


def _waiting_games(player: Player, tournaments: Sequence[Any]) -> Iterator[WaitingGame]:
    """The waiting games of a player in these tournaments, the oldest first."""
    counted: dict[str, dict[int, date]] = {}
    for tournament in tournaments:
        counted.setdefault(tournament.pool_code, {})[tournament.pk] = tournament.in_force
    until: dict[int, date | None] = {}
    for pool in Pool.objects.filter(code__in=counted):
        until |= pool.rating_system.waiting_games(pool, player, counted[pool.code])
    games = Game.objects.filter(pk__in=until).select_related("result_set", "white__player", "black__player")
    for game in games.order_by("result_set__played_from", "result_set__number", "round", "pk"):
        is_white = game.white is not None and game.white.player_id == player.pk
        opponent, points = (game.black, game.white_points) if is_white else (game.white, game.black_points)
        yield WaitingGame(game, opponent, points, until[game.pk])
