"""Players to whom their federation has not given a number: on no list, but in the tournaments of lists (U22)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ratings.queries.lists import NotPublishedError
from ratings.queries.tournaments import published_tournaments
from reporting.models import Player, PlayerMerge
from reporting.rules.register.registers import OFFICE


@dataclass(frozen=True)
class UnlistedPlayer:
    """A player on no published list with the tournaments that published lists count, the newest first.

    `surviving` is the record into which this one is merged.
    """

    player: Player
    tournaments: Sequence[Any]
    surviving: Player | None


def unlisted_player(address: str) -> UnlistedPlayer:
    """The player of an address who has, or had, only a number of the office. 2 or 3 queries.

    Raises `NotPublishedError` for another player, an erased one, and one in no tournament of a published list.
    """
    player = Player.objects.select_related("federation").at_address(address)
    if player is None or player.is_erased or OFFICE.code not in player.numbers:
        raise NotPublishedError(f"no published player {address}")
    counted = published_tournaments().filter(entries__player=player, excluded_by=None)
    tournaments = list(counted.order_by("-played_to", "-number"))
    if not tournaments:
        raise NotPublishedError(f"no published player {address}")
    merge = PlayerMerge.objects.filter(duplicate=player, undone_at=None).select_related("surviving").first()
    return UnlistedPlayer(player, tournaments, merge.surviving if merge else None)
