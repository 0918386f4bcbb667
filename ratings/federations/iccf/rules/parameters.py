"""The numbers of the ICCF's working rules, as dated editions.

A federation that decides otherwise adds an edition here; no number of the rules is in the code of the engine. Old
editions stay, so that an old list can be calculated again by the rules of its day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from ratings.rules.columns import Integers
from ratings.rules.derived_lists import DerivedList, FederationColumns, gettext_noop

LEVELS: Final = (
    ("open-class", 1800),
    ("cup-preliminary", 1800),
    ("international-open-preliminary", 1800),
    ("ladies-wc-semifinal", 1900),
    ("ladies-olympiad", 1900),
    ("higher-class", 2000),
    ("cup-semifinal", 2000),
    ("international-open-semifinal", 2000),
    ("ladies-wc-final", 2100),
    ("money-prize", 2100),
    ("master-class", 2200),
    ("cup-final", 2200),
    ("olympiad", 2200),
    ("zonal-preliminary", 2200),
    ("invitation", 2200),
    ("international-open-final", 2200),
    ("master-norm", 2300),
    ("wc-semifinal", 2400),
    ("zonal-semifinal", 2400),
    ("grandmaster-norm", 2450),
    ("wc-candidates", 2500),
    ("zonal-final", 2500),
    ("friendly", 1800),
    ("national", 0),
    ("other", 0),
)
"""Item 11, R93: the assumed rating by kind of tournament. National tournaments have a mean (R93c), other kinds the
level that was announced."""

KINDS: Final = tuple(kind for kind, _ in LEVELS)
"""The kinds of tournaments, by the place that `EventColumns.kind` has."""


@dataclass(frozen=True, kw_only=True)
class IccfRules:
    """One edition of the rules: its source, from when it is in force, and its numbers."""

    id: str
    source: str
    in_force_from: date

    # Items 5 and 8, R90, R91: no opponent counts as further away.
    largest_difference: int = 350

    # Items 14 to 16, R92: formula 5 with fewer games than these before, and from more than 800/k games in the period.
    fixed_games: int = 30
    period_points: int = 800

    # Item 9, R91: r = 70 − R_0/40 between two ratings, which give 20 below and 10 above.
    rating_factor: int = 70
    rating_divisor: int = 40
    weak_rating: int = 2000
    strong_rating: int = 2400
    # Item 9, R91: g = 1.4 − g_n/200 between two numbers of games, which give 1.25 below and 1 above.
    games_factor_e1: int = 14
    games_divisor: int = 200
    few_games: int = 30
    many_games: int = 80

    # Item 11, R93, R93c: assumed ratings by the places of `KINDS`, and those of national tournaments.
    levels: tuple[int, ...] = tuple(level for _, level in LEVELS)
    largest_national_level: int = 2400
    unrated_national_level: int = 1800

    # Not in the rules: an office's own limits, beyond which a list is asked about before it is approved.
    jump_points: int = 100
    first_rating: int = 2400

    derived_lists: tuple[DerivedList, ...] = (DerivedList("women", gettext_noop("Women"), sex="W"),)

    @property
    def numbers(self) -> dict[str, object]:
        """Every number of the edition by its name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("id", "source", "in_force_from", "derived_lists")
        }

    @property
    def freeze_days(self) -> int:
        """Unused: the calendar has the day of the freeze (item 13)."""
        return 1

    @property
    def rating_goal(self) -> None:
        """The rules have none."""
        return None

    @property
    def federation_ranking_size(self) -> int:
        """The rules rank no federations."""
        return 0

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:  # noqa: ARG002
        """The rules rank no federations: no row."""
        return FederationColumns.joined([])

    def tempo(self, seconds: int | None) -> str:  # noqa: ARG002
        """Correspondence chess has one pool, without a tempo."""
        return ""

    def weight_percentage(self, seconds: int | None) -> int:  # noqa: ARG002
        """Every game counts whole."""
        return 100

    def basis_of(self, lists_in_force: Sequence[date], first_round: date) -> int:
        """The newest list on or before the day, else the earliest (item 8, R91); each game has its own day."""
        return max(sum(day <= first_round for day in lists_in_force) - 1, 0)


ICCF_2009 = IccfRules(
    id="iccf-2009",
    source="ICCF, Ratinglist, The Working Rules, items 1 to 18, from 2009",
    in_force_from=date(2009, 1, 1),
)

EDITIONS: tuple[IccfRules, ...] = (ICCF_2009,)
"""All editions held, the oldest first."""
