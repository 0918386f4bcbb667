"""The numbers of the KNSB's rules of calculation, as dated editions.

A federation that decides otherwise adds an edition here; no number of the regulations is in the code of the engine. Old
editions stay, so that an old list can be calculated again by the rules of its day. Where a number depends on the tempo
there are three: klassiek, rapid, blitz.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from ratings.rules.columns import Integers
from ratings.rules.derived_lists import DerivedList, FederationColumns, gettext_noop

TEMPOS: Final = ("klassiek", "rapid", "blitz")
"""The tempos of the pools, by the place that `KnsbColumns.tempo` has."""

ByTempo = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class KnsbRules:
    """One edition of the rules: its source, from when it is in force, and its numbers."""

    id: str
    source: str
    in_force_from: date

    # R80a: the time for the first 60 moves; klassiek from the first number on, blitz up to the second.
    klassiek_seconds: int = 60 * 60
    blitz_seconds: int = 10 * 60

    # Art. 3, R80: the standard deviation of the expected score, 2000/7.
    deviation: tuple[int, int] = (2000, 7)

    # Art. 4 b: the least klassiek rating that is valid in rapid and blitz.
    least_klassiek_rating: int = 1300
    # Art. 4.1, R80d: up to so many days a klassiek tournament has one calculation date.
    short_tournament_days: int = 30
    # Art. 4.2, R80e, R80f: when FIDE's rating of a foreigner is used.
    foreigner_years: int = 2
    foreigner_klassiek_rating: int = 2300
    foreigner_rapid_blitz_rating: int = 2000

    # Art. 5.1 b and 5.2, R81b: start ratings, and how long games wait.
    start_rating_span: int = 400
    waiting_months: ByTempo = (24, 12, 12)

    # Art. 2, 7, 10.1, R81: a youth player is so old or younger on 31 December.
    youth_age: int = 18

    # Art. 6.1.b, R83: games against rating holders that a performance needs, and up to how many it is filled.
    least_performance_games: int = 3
    performance_games: int = 6
    # Art. 6.2, 6.3, 6.4.
    age_rating_a_year: int = 100
    least_age_rating: int = 500
    largest_age_rating: int = 1200
    least_performance: ByTempo = (0, 400, 1200)
    least_senior_opponent: int = 1200

    # Art. 7 and 7.1: the factor k.
    factor_constant: int = 216
    youth_games: int = 30
    adult_games: int = 75
    youth_factor: int = 40
    adult_factor: int = 25
    strong_factor: int = 10
    falling_factor_rating: int = 2100
    strong_rating: int = 2400
    youth_points_a_step: int = 10
    adult_points_a_step: int = 20
    largest_n_v: int = 100
    fide_games: int = 1000
    # R81: FIDE's K where its list has none.
    fide_factor: int = 20
    halving_n_v: int = 100

    # Art. 2: the least rating, of all and of youth players in rapid.
    least_rating: int = 1200
    least_youth_rapid_rating: int = 400
    # Art. 9.1 and 9.2.
    bonus_rating: int = 1750
    limit_points: int = 20

    # Art. 10, R84: from which year without a game N_v falls at each anniversary, by how much, and to what.
    inactive_years: int = 5
    inactive_games: int = 10
    least_inactive_n_v: int = 9
    # Art. 10.1, R84a.
    lapse_months: int = 36
    # Art. 10, 11.2, R84b: the month in which a season begins, and from which members of a club who left in the season
    # before are no longer published.
    season_month: int = 10
    left_month: int = 11
    # Art. 11.2: numbers of clubs, the first and the last: of clubs, and of the other kinds of membership.
    clubs: tuple[int, int] = (10_000, 199_999)
    other_memberships: tuple[tuple[int, int], ...] = (
        (260_000, 269_999),
        (280_001, 280_002),
        (290_001, 290_001),
    )
    # Art. 11.2, R84c: games within so many months before a first publication.
    publication_games: int = 6
    publication_months: int = 24
    # Art. 13, R84f: how old a game may be.
    report_months: int = 3

    # Not in the regulations: an office's own limits, beyond which a list is asked about before it is approved.
    jump_points: int = 150
    first_rating: int = 2000
    performances_a_report: int = 10
    fide_list_days: int = 45

    # Not in the regulations: days from the closing date to the freeze by the scheduler.
    freeze_days: int = 1
    derived_lists: tuple[DerivedList, ...] = (
        DerivedList("women", gettext_noop("Women"), sex="W"),
        DerivedList("youth-a", gettext_noop("Youth A (up to 18)"), oldest=18),
        DerivedList("youth-b", gettext_noop("Youth B (up to 16)"), oldest=16),
        DerivedList("youth-c", gettext_noop("Youth C (up to 14)"), oldest=14),
        DerivedList("youth-d", gettext_noop("Youth D (up to 12)"), oldest=12),
        DerivedList("youth-e", gettext_noop("Youth E (up to 10)"), oldest=10),
    )

    @property
    def numbers(self) -> dict[str, object]:
        """Every number of the edition by its name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("id", "source", "in_force_from")
        }

    @property
    def rating_goal(self) -> None:
        """The regulations have none."""
        return None

    @property
    def federation_ranking_size(self) -> int:
        """The regulations rank no federations."""
        return 0

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:  # noqa: ARG002
        """The regulations rank no federations: no row."""
        return FederationColumns.joined([])

    def tempo(self, seconds: int | None) -> str:
        """Klassiek, rapid or blitz, by the seconds for the first 60 moves, which reports must have (R80a)."""
        assert seconds is not None  # noqa: S101 (the checks of a report ask for it)
        if seconds >= self.klassiek_seconds:
            return TEMPOS[0]
        return TEMPOS[1] if seconds > self.blitz_seconds else TEMPOS[2]

    def weight_percentage(self, seconds: int | None) -> int:  # noqa: ARG002
        """Every game of a pool counts whole."""
        return 100

    def basis_of(self, lists_in_force: Sequence[date], first_round: date) -> int:  # noqa: ARG002 (the facet has it)
        """The newest list, which gives R_i (art. 8); each game has the ratings of its own day (art. 4.1, R80b)."""
        return len(lists_in_force) - 1


KNSB_2024_10 = KnsbRules(
    id="knsb-2024-10",
    source="KNSB, Rekenregels KNSB rating, edition of 1 October 2024",
    in_force_from=date(2024, 10, 1),
)

EDITIONS: tuple[KnsbRules, ...] = (KNSB_2024_10,)
"""All editions held, the oldest first."""
