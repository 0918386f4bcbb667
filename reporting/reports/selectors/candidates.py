"""Players of the register who may be those of a report, as choices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reporting.models import Player, PlayerMerge, PlayerQuerySet
from reporting.register.selectors.search import find_players, find_players_of_names
from reporting.reports.selectors.rating_lists import rating_lists

LOOKED_UP = 8
"""Players that a look-up offers."""
LOOKED_UP_FOR_ALL = 3
"""Players that a look-up of all rows offers for each."""


@dataclass(frozen=True)
class Choice:
    """A player of the register as a row offers them."""

    address: str
    player: Player
    rating: int | None
    reasons: Sequence[Any] = ()

    @property
    def label(self) -> str:
        """Number, name, country and rating; without a rating where no list has the player."""
        known = self.player
        label = f"{known.number} {known.printed_name}, {known.federation_id}"
        return f"{label}, {self.rating}" if self.rating else label


def choices_of(players: Sequence[tuple[Player, Sequence[Any]]]) -> list[Choice]:
    """These players, with reasons, as choices: with the rating of the first pool that lists them.

    1 query, and 1 for each rating system; none for no players.
    """
    if not players:
        return []
    lists, ratings = rating_lists().newest_ratings([player.pk for player, _ in players])
    in_order = [rating_list.pk for rating_list in lists]

    def rating(player: Player) -> int | None:
        of_player = ratings.get(player.pk, {})
        return next((of_player[key] for key in in_order if key in of_player), None)

    return [Choice(player.address, player, rating(player), reasons) for player, reasons in players]


def looked_up_choices(words: str) -> list[Choice]:
    """The players whom a typed name or number finds, best first. At most 7 queries."""
    keys = list(find_players(_not_merged(), words))[:LOOKED_UP]
    by_key = Player.objects.in_bulk(keys)
    return choices_of([(by_key[key], ()) for key in keys])


def choices_of_names(names: Sequence[str]) -> list[list[Choice]]:
    """The players found by each name, best first. 5 queries, and 1 for each rating system."""
    found = find_players_of_names(_not_merged(), names, most=LOOKED_UP_FOR_ALL)
    by_key = Player.objects.in_bulk({key for keys in found for key in keys})
    choices = iter(choices_of([(by_key[key], ()) for keys in found for key in keys]))
    return [[next(choices) for _ in keys] for keys in found]


def _not_merged() -> PlayerQuerySet:
    return Player.objects.exclude(pk__in=PlayerMerge.objects.filter(undone_at=None).values("duplicate"))
