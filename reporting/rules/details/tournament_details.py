"""Tournament details: what a report says outside players and games, each declared once.

Here are those of all federations; a federation adds its own in a class derived from `TournamentDetails`, which its
`ReportRules` name. The declaration of a detail has its type, label, help, choices and privacy, and which official
decides it. The form, the sidecar file (``reporting.formats.tournament_details``), the API, the columns of result
sets, decisions and the page ``docs/reference/tournament-details.md`` are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from reporting.rules.details.shared_details import SharedDetails
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.report import (
    PointsScale,
    ReadReport,
)
from reporting.rules.standings.cross_table import Counting

SHARED_BY_ALL = frozenset({
    "rating_system", "name", "place", "country", "played_from", "played_to", "rounds", "system", "referee", "number",
    "corrects", "different_tournament", "admit", "encoding", "players", "newcomers",
})  # fmt: skip
"""The details that reports to every federation have (`TournamentDetails.uses`)."""


@dataclass(frozen=True, kw_only=True)
class TournamentDetails(SharedDetails):
    """What is known of a tournament outside its players and games. None or empty: not given.

    Dates are days of the office's zone; ``minutes_for_60_moves`` are minutes per player. Only ``read_details``
    and ``details_from_values`` check the values.

    ``required`` are those that each report must have, of ``discipline`` and ``time_control``; ``optional`` those that
    it may leave out without a finding, of ``played_to``, ``place``, ``country``, ``referee`` and ``system``.
    With ``admits_games`` a rating officer may admit any report, with a reason, so that games count that are too old.
    ``table`` is the model in which the details of one federation are stored, as `app.Model`; empty where it has none.
    ``fixed_points_scale`` is the scale by which the federation prints points; None where each report says it.
    ``default_tie_breaks`` are those of a tournament that names none, by key; without any, players with equal points
    share a place. None: those of `default_keys`, by the system of play (R52).
    ``uses`` are the details of this class that its reports have besides SHARED_BY_ALL; None: all of them.
    """

    required: ClassVar[frozenset[str]] = frozenset()
    optional: ClassVar[frozenset[str]] = frozenset()
    admits_games: ClassVar[bool] = False
    table: ClassVar[str] = ""
    fixed_points_scale: ClassVar[PointsScale | None] = None
    default_tie_breaks: ClassVar[tuple[str, ...] | None] = ()
    uses: ClassVar[frozenset[str] | None] = None

    @property
    def points_scale(self) -> PointsScale:
        """The scale by which points of the tournament are printed: the one its federation fixes, else its own."""
        return self.fixed_points_scale or self.points or PointsScale.WHOLE

    @property
    def counting(self) -> Counting:
        """What the standings need of the details: the own ways in which the tournament counts (R52, R54)."""
        return Counting(
            default_tie_breaks=self.default_tie_breaks,
            session=self.session,
            round_scores=self.round_scores,
            plus_draws=self.plus_draws,
            decided_ties=self.decided_ties,
        )

    def counting_day(self, received: date, read: ReadReport | None = None) -> date | None:  # noqa: ARG002 (for others)
        """The day that decides in which list a report counts: that of the period which holds it, or the next open one.

        That of the last round, unless the federation names another one: by the day on which the report was
        `received`, by the days of its games (`read`; None while it is only announced), or by details of its own.
        None where the report does not say it.
        """
        return self.played_to

    def reported_until(self, received: date, read: ReadReport | None = None) -> date | None:
        """The last day that a report is about: that by which its list is found, or as the federation says."""
        return self.counting_day(received, read)

    def registered_on(self, received: date) -> date | None:  # noqa: ARG002 (for others)
        """The day on which the results of a report received on a day were registered; None where its regulations know
        no registration of such results.
        """
        return None

    @property
    def proposed_to_rating_officer(self) -> tuple[str, ...]:
        """The details that the report proposes and that are accepted with it, which only a rating officer does."""
        return ()

    @property
    def youth_only(self) -> bool:
        """Whether it is a tournament for a group of youth, by the details of its federation."""
        return False

    @property
    def needs_sex(self) -> bool:
        """Whether its results depend on which players are women (R70c)."""
        return False

    @property
    def oldest(self) -> int | None:
        """The highest age of its players on 31 December of the year of the last round (R73a); None without one."""
        return None

    @classmethod
    def is_official(cls, decided: Mapping[str, str]) -> bool:
        """Whether decided values make it a tournament of the federation, which needs no announcement (R11, R78)."""
        return decided.get("official") == "yes"

    @property
    def seconds_for_60_moves(self) -> int | None:
        """Seconds per player for the first 60 moves (R6), of a session those of the first game.

        None where the details do not say.
        """
        if self.minutes_for_60_moves is not None:
            return int(self.minutes_for_60_moves * 60)
        control = self.time_control or next(iter(self.session), "")
        return parse_time_control(control).seconds_for_60_moves if control else None

    @property
    def seconds_of_games(self) -> tuple[int | None, ...]:
        """The times for 60 moves of the games, the longest first; more than one only with a session (R25).

        None for a tournament without a clock.
        """
        times = {parse_time_control(control).seconds_for_60_moves for control in self.session}
        return tuple(sorted(times, reverse=True)) or (self.seconds_for_60_moves,)

    def place_of(self, printed: int | None) -> int | None:
        """The place of a player as shared (1, 2, 2, 4: R52a), by the place as the report prints it; None for none."""
        groups = (group for group in self.shared_places if printed and group[0] <= printed <= group[1])
        return next(groups, (printed, printed))[0]
