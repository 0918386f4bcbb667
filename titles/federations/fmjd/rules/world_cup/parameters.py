"""The numbers of Annexes 12, 13, 17 and 18, as dated editions; the places of the championships are in ``places.csv``.

Bonus and factors are read as ruling R70 has them: Annex 18 prints neither the bonus of a place nor a factor for nine
stars.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Final

PLACES_FILE: Final = Path(__file__).with_name("places.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesOfItem:
    """An item of the qualification system of a championship: how many places of which kind (Annexes 12 and 17).

    ``limits`` are the most players of one federation in group A and in group B; None for no limit.
    """

    item: int
    kind: str
    places: int
    continent: str
    limits: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """More places than the items of a championship have (Annex 12 Option 24, Annex 17 Option 48).

    ``most_named`` has, for a number of extra places, how many of them the organiser names at most; ``federations``
    whether federations that are not represented come before the reserve list.
    """

    most_named: tuple[tuple[int, int], ...]
    federations: bool


def _read_places(file: Path = PLACES_FILE) -> MappingProxyType[str, tuple[PlacesOfItem, ...]]:
    of_championship: dict[str, tuple[PlacesOfItem, ...]] = {}
    with file.open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            limits = (line["federation_limit_group_a"], line["federation_limit_group_b"])
            group_a, group_b = (int(limit) if limit else None for limit in limits)
            items = of_championship.get(line["championship"], ())
            of_championship[line["championship"]] = (
                *items,
                PlacesOfItem(
                    item=int(line["item"]),
                    kind=line["kind"],
                    places=int(line["places"]),
                    continent=line["continent"],
                    limits=(group_a, group_b),
                ),
            )
    return MappingProxyType(of_championship)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """One edition of the rules of World Cup and qualification: its source, from when it is in force, its numbers."""

    id: str
    source: str
    in_force_from: date

    # Annex 18, Getting World Cup points, R70: the bonus of places 1, 2 ...; the factor of a number of stars.
    bonus: tuple[int, ...] = (100, 70, 50, 40, 35, 30, 26, 24, 22, 20)
    factors: tuple[tuple[int, int], ...] = ((1, 1), (3, 3), (5, 5), (7, 10), (9, 15))
    # Annex 18, Classification, R71.
    best_results: int = 4
    years: int = 2
    # Annex 17 Appendix C remark 1, R72.
    reserve_games: int = 50
    reserve_games_years: int = 3
    # Annex 13 art. 8, R73.
    team_players: int = 3
    # Annexes 12 and 17, Appendices A and B, R74 and R74a: items, places and limits; years with a final before.
    places: MappingProxyType[str, tuple[PlacesOfItem, ...]] = field(default_factory=_read_places)
    group_a_years: int = 2
    women_need_a_womens_championship: bool = True
    # Annex 12 Option 24 (up to 24, at most half), Annex 17 Option 48 (48, at least four for the reserve list), R74d.
    option_24: Option = Option(most_named=((1, 0), (2, 1), (3, 1), (4, 2)), federations=True)
    option_48: Option = Option(most_named=((8, 4),), federations=False)
    # Annex 2 art. 2.1, R72b: months before the championship.
    reserve_list_months: int = 5
    participants_months: int = 6
    regulations_months: int = 3
    # Annexes 12 art. 10 and 17 art. 11, R75: the last of the medallists who can replace a player of the match.
    medallists: int = 3

    @property
    def _options(self) -> dict[str, Option]:
        return {"women-20": self.option_24, "world-40": self.option_48}

    def most_extra(self, championship: str) -> int:
        """The most extra places of a championship."""
        option = self._options.get(championship)
        return option.most_named[-1][0] if option else 0

    def extra_items(self, championship: str, extra: int) -> tuple[PlacesOfItem, ...]:
        """The items of extra places, after those of the championship (R74d); the last one has what the others leave.

        Raises:
            KeyError: The championship does not have so many extra places.

        """
        if not extra:
            return ()
        option = self._options[championship]
        most_named = dict(option.most_named)[extra]
        kinds = [("extra-organiser", most_named), ("extra-federation", extra), ("extra-reserve", extra)]
        if not option.federations:
            del kinds[1]
        first = len(self.places[championship]) + 1
        return tuple(
            PlacesOfItem(item=item, kind=kind, places=places, continent="", limits=(None, None))
            for item, (kind, places) in enumerate(kinds, first)
        )


WORLD_CUP_2024_04 = Parameters(
    id="world-cup-2024-04",
    source="FMJD, Annexes 12, 13, 17 and 18 and Code of behaviour, edition of April 2024",
    in_force_from=date(2024, 4, 1),
)

EDITIONS: tuple[Parameters, ...] = (WORLD_CUP_2024_04,)
"""All editions held, the oldest first."""


def edition_in_force(day: date, editions: Sequence[Parameters] = EDITIONS) -> Parameters:
    """The edition in force on a day: the newest begun by then; on a day before all of them the oldest."""
    begun = [edition for edition in editions if edition.in_force_from <= day]
    return begun[-1] if begun else editions[0]
