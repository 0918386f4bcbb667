"""The context of the checks: the report, its details and the findings so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from reporting.federations.facet import Edition, ReportRules, edition_in_force
from reporting.rules.details.shared_details import System
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import FindingList
from reporting.rules.points import points_text
from reporting.rules.report import (
    PointsScale,
    ReadReport,
    ReportedGame,
    ReportedPlayer,
    entry_formats,
    is_made_for_reports,
)
from reporting.rules.standings.cross_table import Counting

ROUND, WHITE, BLACK, RESULT = range(4)
"""The fields of a result line."""

NOT_ABOUT_GAMES = frozenset(
    {
        "fmjd_id",
        "local_id",
        "name",
        "first_name",
        "last_name",
        "title",
        "federation",
        "country",
        "born",
        "sex",
    }
    | {"rating", "category"}
    | {"played_from", "played_to", "national_championship", "women_championship", "referee", "rounds"}
    | {"time_control", "winner", "remarks"}
)
"""Fields of a player and of the tournament that no standings read (R27)."""


@dataclass
class CheckContext:
    """A report as read, its details (None while the form is not filled in), the day, and the findings so far.

    ``rules`` are those of its federation. ``given`` are the details entered while one of them cannot be read:
    the values by name, None for that one. ``counting`` says how rounds and ties count.
    """

    read: ReadReport
    details: TournamentDetails | None
    today: date
    rules: ReportRules
    given: Mapping[str, Any] = field(default_factory=dict)
    counting: Counting = field(default_factory=Counting)
    findings: FindingList = field(default_factory=FindingList)
    confused: set[int] = field(default_factory=set)
    """Numbers with a finding about a result; their sums and colours depend on it."""

    def edition_on(self, day: date) -> Edition:
        """The edition of the regulations in force on a day."""
        return edition_in_force(self.rules.editions, day)

    @property
    def is_entry_format(self) -> bool:
        """Whether the report has the fields of results entry and is no export of a program."""
        return self.read.format in entry_formats()

    @property
    def is_report_format(self) -> bool:
        """Whether the report is in a format made for reports, also in table form."""
        return is_made_for_reports(self.read.format)

    @property
    def system(self) -> System | None:
        """The system of play, None if unknown."""
        if self.details is not None and self.details.system is not None:
            return self.details.system
        return System(self.read.info.system) if self.read.info.system else None

    @property
    def played_from(self) -> date | None:
        """The day of the first round."""
        return (
            self.details.played_from if self.details else self.given.get("played_from")
        ) or self.read.info.played_from

    @property
    def played_to(self) -> date | None:
        """The day of the last round."""
        return (
            self.details.played_to if self.details else self.given.get("played_to")
        ) or self.read.info.played_to

    @property
    def reported_until(self) -> date | None:
        """The last day that the report is about: that of the last round, or an earlier one.

        A tournament may be reported before it has ended (`TournamentDetails.reported_until`).
        """
        if self.played_to is None or self.details is None:
            return self.played_to
        return min(
            self.played_to,
            self.details.reported_until(self.details.received or self.today, self.read) or self.played_to,
        )

    def points(self, halves: int) -> int | str:
        """Points as a finding names them: in 2-1-0 the number itself, else a text in the scale of the tournament."""
        scale = self.details.points_scale if self.details else PointsScale.WHOLE
        return halves if scale is PointsScale.WHOLE else points_text(halves, scale)

    @cached_property
    def by_number(self) -> Mapping[int, ReportedPlayer]:
        """The players by tournament number; of a repeated number the first."""
        return {player.number: player for player in reversed(self.read.players)}

    @cached_property
    def repeated_start_numbers(self) -> frozenset[int]:
        """Tournament numbers that several players have."""
        counted = Counter(player.number for player in self.read.players)
        return frozenset(number for number, count in counted.items() if count > 1)

    @cached_property
    def players_with_wrong_points(self) -> frozenset[int]:
        """Numbers whose points are not the sum of their results, of those whose results were all read."""
        unsure = self.read.undecided | self.repeated_start_numbers
        return frozenset(
            player.number
            for player in self.read.players
            if player.points_printed not in (None, self.read.points_summed[player.number])
            and player.number not in unsure
        )

    @cached_property
    def is_finished(self) -> bool:
        """Whether any player has a place; an unfinished tournament has 0 for all."""
        return any(player.place for player in self.read.players)

    @cached_property
    def reported_positions(self) -> frozenset[tuple[int | None, int | None]]:
        """Line and column of all findings of the reader."""
        return frozenset((finding.line, finding.column) for finding in self.read.findings)

    @cached_property
    def reported_cells(self) -> frozenset[str | None]:
        """The cells of all findings of the reader; the sheets of a spreadsheet have the same line numbers."""
        return frozenset(finding.field for finding in self.read.findings)

    def has_reader_finding_at(self, line: int, column: int, name: str) -> bool:
        """Whether the reader has a finding about the field at this place."""
        cell = self.read.cells.get((line, column, name))
        return (line, column) in self.reported_positions if cell is None else cell in self.reported_cells

    def has_reader_finding_for(self, player: ReportedPlayer, name: str) -> bool:
        """Whether the reader has a finding about this field of the player."""
        return self.has_reader_finding_at(player.line, player.column(name), name)

    def fmjd_id(self, player: ReportedPlayer) -> int | str | None:
        """The number of the details, else that of the file; of a new player only that of the details."""
        given = self.details.players.get(player.number) if self.details else None
        of_file = None if player.is_new else player.fmjd_id
        return of_file if given is None else given

    def position(self, name: str) -> tuple[int | None, int | None]:
        """Line and column of a value of the Info section; None for both if the file does not have it."""
        return self.read.info.positions.get(name, (None, None))


def column_of(game: ReportedGame, part: int) -> int:
    """Return the column of a part of a result line, or of the cell of the game in a crosstable."""
    return game.columns[part] if len(game.columns) == RESULT + 1 else game.column
