"""Names that a place of a championship cannot have: which players are wrong, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from reporting.models import Player, Sex
from titles.federations.fmjd.rules.world_cup.continents import continent_of
from titles.federations.fmjd.rules.world_cup.parameters import PlacesOfItem


class WrongName(StrEnum):
    """Why a player cannot be named for an item."""

    UNKNOWN = "unknown"
    TWICE = "twice"
    OTHER_SEX = "other-sex"
    OTHER_CONTINENT = "other-continent"


def wrong_names(
    item: PlacesOfItem,
    numbers: Sequence[int],
    players: Mapping[int, Player],
    *,
    women: bool,
    named: Collection[int] = (),
) -> Iterator[tuple[int, WrongName]]:
    """The FMJD-IDs that cannot be named for an item, each with the first reason; `named` are named for it already.

    A federation without a continent is not refused (decision 0206).
    """
    seen = set(named)
    for number in numbers:
        player = players.get(number)
        if player is None:
            yield number, WrongName.UNKNOWN
        elif number in seen:
            yield number, WrongName.TWICE
        elif women and player.sex != Sex.WOMAN:
            yield number, WrongName.OTHER_SEX
        elif item.continent and continent_of(player.federation_id) not in ("", item.continent):
            yield number, WrongName.OTHER_CONTINENT
        seen.add(number)
