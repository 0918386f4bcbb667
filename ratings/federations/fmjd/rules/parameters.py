"""The numbers of Annex 9, as dated editions.

A federation that decides otherwise adds an edition here; no number of the regulations is in the code of the
engine. Old editions stay, so that an old period can be calculated again by the rules of its day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ratings.rules.derived_lists import DerivedList, gettext_noop

DevelopmentSteps = tuple[tuple[int, int], ...]
"""Pairs of (least seconds for the first 60 moves, percentage), the longest time control first."""

MonthDay = tuple[int, int]
"""A day of the calendar that comes back every year: (month, day)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """One edition of the rating rules: its source, from when it is in force, and its numbers."""

    id: str
    source: str
    in_force_from: date

    # Art. 3.3.2, R4: the limits of every performance that makes or moves a provisional rating.
    minimum_performance: int = 1900
    maximum_performance: int = 2400
    # Art. 3.3.1 and 3.3.2, R7: with fewer counted games before an event a player is provisional.
    provisional_games: int = 25

    # Art. 3.2.3, R5: the development factor K.
    k_new: int = 25
    k_new_games: int = 30
    k_standard: int = 15
    k_reached: int = 10
    k_reached_rating: int = 2300

    # Art. 1.2.2.2, R6: under this time for the first 60 moves a game is in the pool rapid-blitz.
    pool_threshold_seconds: int = 30 * 60
    # Art. 1.2.2.1, R6: "minimum 2 hours" and so on; the limit itself belongs to the step.
    classical_development: DevelopmentSteps = (
        (120 * 60, 100),
        (90 * 60, 60),
        (60 * 60, 40),
        (30 * 60, 20),
    )
    # Art. 1.2.2.2, R6: 15 minutes is still 100 %; times are whole seconds, so "above 15 minutes" begins
    # one second later.
    rapid_blitz_development: DevelopmentSteps = ((15 * 60 + 1, 50), (0, 100))

    # Art. 6.3 and 6.4, R12: lists A, B and C.
    category_rating: int = 2300
    category_games_below: int = 30
    category_games_from: int = 50
    active_rating: int = 2351
    active_games: int = 30
    recent_years: int = 3
    inactive_years: int = 5
    # Art. 6a, R13: under ``active_rating`` one game in ``recent_years`` makes a player active; from it on
    # ``active_games``.
    official_games: int = 1

    # Not in the regulations: an office's own limits. A rating that differs by so many points from the list before
    # is asked about before the list is approved; the second is for a player who was provisional before.
    jump_points: int = 30
    jump_points_provisional: int = 100

    # Art. 4.4 and 6.2, R10: each closing day with the day its list comes into force.
    closing_days: tuple[tuple[MonthDay, MonthDay], ...] = (
        ((3, 15), (4, 1)),
        ((6, 15), (7, 1)),
        ((9, 15), (10, 1)),
        ((12, 15), (1, 1)),
    )
    # Art. 4.1, R11: reported up to the end of the 7th day after the last round; so the calculation opens
    # on the 8th day after closing.
    freeze_days: int = 8

    # Art. 6, R13.
    federation_ranking_size: int = 10
    derived_lists: tuple[DerivedList, ...] = (
        DerivedList("women", gettext_noop("Women"), sex="W"),
        DerivedList("juniors", gettext_noop("Juniors (up to 19)"), oldest=19),
        DerivedList("cadets", gettext_noop("Cadets (up to 16)"), oldest=16),
        DerivedList("mini-cadets", gettext_noop("Mini cadets (up to 13)"), oldest=13),
        DerivedList("hopes", gettext_noop("Hopes (up to 10)"), oldest=10),
        DerivedList("young-stars", gettext_noop("Young stars (up to 8)"), oldest=8),
        DerivedList("veterans", gettext_noop("Veterans (60 and over)"), youngest=60),
    )


ANNEX_9_2024_04 = Parameters(
    id="annex-9-2024-04",
    source="FMJD, Annex 9: FMJD rating system and its application rules, edition of April 2024",
    in_force_from=date(2024, 4, 1),
)

EDITIONS: tuple[Parameters, ...] = (ANNEX_9_2024_04,)
"""All editions held, the oldest first."""


def edition_in_force(day: date, editions: Sequence[Parameters] = EDITIONS) -> Parameters:
    """The edition in force on a day: the newest that began on or before it.

    A day before every edition held gets the oldest one, as R8 does with lists.
    """
    begun = [edition for edition in editions if edition.in_force_from <= day]
    return max(begun or [min(editions, key=_began)], key=_began)


def _began(edition: Parameters) -> date:
    return edition.in_force_from
