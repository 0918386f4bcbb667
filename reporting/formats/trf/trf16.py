"""The Tournament Report File of FIDE, version 2016 (TRF16), the export of chess programs: reader.

The first three characters of a line are its kind: ``001`` is a player with results, ``012`` to ``132`` are the
tournament. Lines 001 and 132 are read by columns, counted in characters from 1:

- 001: number 5-8, sex 10 (m, w or f), title 11-13, name 15-47, rating 49-52, federation 54-56, FIDE number 58-68,
  birth 70-79, points 81-84, place 86-89; from 92 on ten columns a round: opponent's number 4, colour, result.
- 132: the day of round 1 in 92-99, of round 2 in 102-109, and so on.

The other columns are empty; a character there shows that the line is shifted, and it is not used. FIDE numbers are not
FMJD-IDs: they are local IDs, and match a player who has them in the register. Results are letters (``1`` won, ``=``
drawn) and need no scale; ``points`` finds the scale of the points column. Results without a game (forfeits, byes, games
of less than one move) are read by R8 and R20; what a report cannot have, such as half a point without a game, is a
finding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial

from reporting.formats.tables.field_parsers import (
    NUMBER_DIGITS,
    mark_rating_unread,
    read_country,
    read_name,
    read_number,
    read_number_or_none,
    read_program_birth,
    read_sex,
    read_start_number,
    read_title,
)
from reporting.formats.tables.table import FieldParser, FieldText, ReaderFindings, field_text, player_values
from reporting.formats.trf.cells import AFTER_LAST_ROUND, FIRST_ROUND, ROUND_WIDTH, Cells
from reporting.formats.trf.points import PROGRAM_POINTS, PointsColumn
from reporting.formats.trf.records import RECORDS, Records, is_national
from reporting.formats.trf.tournament import ARTICLE, MARKS, TournamentLines
from reporting.rules.findings.finding_list import in_file_order
from reporting.rules.points import parse_points
from reporting.rules.register.registers import LARGEST_NUMBER
from reporting.rules.report import MAX_PLAYERS, PointsScale, ReadReport, ReportedPlayer, ReportFormat

FORMAT, FORMAT_26 = "trf16", "trf26"

_FIELDS = {
    "number": (5, 8),
    "sex": (10, 10),
    "title": (11, 13),
    "name": (15, 47),
    "rating": (49, 52),
    "country": (54, 56),
    "local_id": (58, 68),
    "born": (70, 79),
    "points": (81, 84),
    "place": (86, 89),
}
"""First and last column of each field of a line 001."""

_EMPTY_COLUMNS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
_EMPTY_IN_ROUND = (4, 6, 8, 9)

_NOT_READ = {
    "152": "trf26-152",
    "172": "trf26-172",
    "182": "trf26-182",
    "250": "trf26-250",
    "260": "trf26-260",
    "300": "trf26-300",
    "330": "trf26-330",
    "352": "trf26-352",
    "801": "trf26-801",
    "802": "trf26-801",
    "013": "trf16-013",
    "072": "trf16-072",
    "082": "trf16-082",
    "112": "trf16-112",
    "###": "trf16-comment",
}
"""The lines that a report does not need, and the keys of the reason."""
_OF_TRF26 = frozenset(
    {"142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299", "300"}
)
_OF_TRF26 |= {"310", "320", "330", "352", "362", "801", "802"}
_MARK = re.compile(r"[0-9A-Za-z]{3}|###")

_RATING = re.compile(r"[0-9]{1,4}")


def _read_rating(field: FieldText, findings: ReaderFindings) -> tuple[str, int | None]:
    if not field.text or _RATING.fullmatch(field.text):
        return "", int(field.text or 0) or None
    mark_rating_unread(field, findings, key="rating-unreadable.trf16")
    return "", None


def _read_local_id(field: FieldText, findings: ReaderFindings) -> str:  # noqa: ARG001
    return field.text if field.text.strip("0") else ""


_PLAYER_COLUMNS: Mapping[str, FieldParser] = {
    "name": read_name,
    "born": partial(read_program_birth, article=ARTICLE),
    "country": partial(read_country, of_program=True, article="Annex 9 art. 4.2.2.6; R20"),
    "local_id": _read_local_id,
    "place": partial(
        read_number_or_none, key="place-unreadable.trf16", digits=NUMBER_DIGITS, none=frozenset({""})
    ),
    "title": read_title,
    "sex": partial(read_sex, letters=("w", "m"), case="trf16"),
    "rating": _read_rating,
}
"""How the fields are read; ``points`` reads the points, and without its number a line is not read."""


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether any line is a player or the name of a tournament as in TRF16."""
    return any(line.startswith(("001 ", "012 ")) for line in lines)


def read_trf16(
    lines: tuple[str, ...], *, points: PointsScale | None = None, encoding: str = "utf-8"
) -> ReadReport:
    """Read a TRF16 report from its lines (without line ends).

    ``points`` is the chosen scale of the points column, None where the file shows it; points are returned in 2-1-0.
    Never raises: every fault is a finding with line and column, and every line or value that was not used is in
    ``unread``. A points column in another scale gives one error and no points.
    """
    return _Reading(lines, points).read(encoding)


@dataclass
class _Reading:
    """One pass over the lines, then one over the cells, then one over the points."""

    lines: tuple[str, ...]
    chosen: PointsScale | None
    findings: ReaderFindings = field(default_factory=ReaderFindings)
    players: list[ReportedPlayer] = field(default_factory=list)
    player_lines: int = 0
    marks: set[str] = field(default_factory=set)
    tournament: TournamentLines = field(init=False)
    cells: Cells = field(init=False)
    records: Records = field(init=False)
    points: PointsColumn = field(init=False)

    def __post_init__(self) -> None:
        self.tournament = TournamentLines(self.findings)
        self.cells = Cells(self.findings, self.tournament.point_system)
        self.points = PointsColumn(self.findings)
        self.records = Records(self.findings)

    def read(self, encoding: str) -> ReadReport:
        for number, line in enumerate(self.lines, start=1):
            if line.strip():
                self.read_line(number, line)
        self.tournament.check_player_count(self.player_lines)
        self.records.is_of_teams = self.cells.is_of_teams = self.tournament.set_system_of_teams(self.marks)
        self.records.read_byes(self.cells)
        scale = self.points_scale()
        self.records.read_points_apart(self.cells, self.points)
        for number, halves in self.cells.extra_halves():
            self.points.extra[number] += halves
        read = ReadReport(
            format=FORMAT_26 if self.is_trf26 else FORMAT,
            encoding=encoding,
            info=self.tournament.info(scale),
            players=tuple(self.players),
            games=self.cells.read_games(),
            undecided=frozenset(self.cells.undecided),
        )
        players = self.players
        if not self.tournament.point_system.is_other:
            players = self.points.settle(
                self.cells.scale,
                self.players,
                summed=read.points_summed,
                unsure=self.cells.undecided | self.cells.repeated,
            )
        self.tournament.check_round_count(read.rounds)
        return replace(
            read,
            players=tuple(self.records.read_national(self.records.read_teams(players))),
            unread=tuple(sorted(self.findings.unread, key=lambda piece: (piece.line, piece.column))),
            findings=in_file_order(self.findings),
        )

    @property
    def is_trf26(self) -> bool:
        """Whether any line is one that TRF16 does not have."""
        return bool(self.marks & _OF_TRF26) or any(map(is_national, self.marks))

    def points_scale(self) -> PointsScale | None:
        """Set the scale of the points column: the chosen one, that of line 162, else the one that all totals fit.

        Return the scale that the file shows, None where it shows none (decision 0090).
        """
        shown = self.tournament.point_system.scale
        if shown is None and self.chosen is None and not self.tournament.point_system.is_other:
            unsure = self.cells.undecided | self.cells.repeated | self.cells.contradicted()
            shown = self.points.fitting(self.players, summed=self.cells.own_sums(), unsure=unsure)
            if shown is PointsScale.HALVES and not self.is_trf26:
                self.points.add_taken_note(self.players, shown)
            if shown is None and self.is_trf26:
                shown = PointsScale.HALVES  # the points of line 162 unless it says otherwise
        self.cells.scale = self.chosen or shown or PointsScale.WHOLE
        return shown

    def read_line(self, number: int, line: str) -> None:
        mark, after = line[:3], line[3:4]
        self.marks.add(mark)
        if mark == "001":
            self.read_player(number, line)
        elif not _MARK.fullmatch(mark) or after.strip():
            self.findings.add("key-unknown.trf16", line=number, column=1, found=line)
            self.findings.mark_line_unread(number, line, "no-trf16-line")
        elif mark in MARKS:
            self.tournament.read_line(number, line, mark)
        elif mark in RECORDS or is_national(mark):
            self.records.add(number, line, mark)
        else:
            if mark in PROGRAM_POINTS and parse_points(line[4:].strip()) not in PROGRAM_POINTS[mark]:
                self.findings.add("points-not-read.program", line=number, column=1, found=line, about=())
            other = "trf16-extension" if mark[:2] in ("XX", "BB") else "trf16-unused"
            self.findings.mark_line_unread(number, line, _NOT_READ.get(mark, other), mark=mark)

    def read_player(self, number: int, line: str) -> None:
        self.player_lines += 1
        if self.findings.exceeds("limit-players", MAX_PLAYERS, self.player_lines, line=number, column=1):
            self.findings.mark_line_unread(number, line, "over-limit")
            return
        row = {
            name: field_text(name, line[first - 1 : last], number, first)
            for name, (first, last) in _FIELDS.items()
        }
        shifted = _column_not_empty(line)
        if shifted:
            start_number = read_number(row["number"].text, digits=NUMBER_DIGITS) or None
            self.findings.add("columns-shifted.trf16", line=number, column=shifted, found=line[shifted - 1])
        else:
            start_number = read_start_number(row["number"], self.findings, case="trf16")
        if shifted or start_number is None:
            if start_number is None or shifted <= _FIELDS["number"][1] + 1:
                self.cells.is_number_missing = True
            else:
                self.cells.unread_numbers.add(start_number)
            self.findings.mark_line_unread(number, line, "player-unreadable")
            return
        values = player_values(_PLAYER_COLUMNS, row, self.findings)
        fide = read_number(values["local_id"], digits=len(str(LARGEST_NUMBER)))
        player = ReportedPlayer(
            number=start_number, line=number, other_numbers={"fide": fide} if fide else {}, **values
        )
        self.points.read(row["points"])
        self.players.append(player)
        self.cells.add_player(player, line)


def _column_not_empty(line: str) -> int:
    """Return the first column that must be empty and is not, 0 for none.

    A tab that takes the place of other columns is named; in a name that has its columns it is a space.
    """
    columns = _empty_columns(min(len(line), AFTER_LAST_ROUND - 1))
    shifted = next((column for column in columns if not line[column - 1].isspace()), 0)
    tab = line.find("\t") + 1
    begins, ends = _FIELDS["name"]
    return tab if tab and (shifted or not begins <= tab <= ends) else shifted


@cache
def _empty_columns(length: int) -> tuple[int, ...]:
    """The columns that must be empty in a line of this length without what follows the last round."""
    rounds = range(FIRST_ROUND, length + 1, ROUND_WIDTH)
    columns = (*_EMPTY_COLUMNS, *(begins + offset for begins in rounds for offset in _EMPTY_IN_ROUND))
    return tuple(column for column in columns if column <= length)


READER = ReportFormat(
    "the Tournament Report File of FIDE (TRF16, TRF26)",
    {FORMAT: "TRF16", FORMAT_26: "TRF26"},
    recognises,
    read_trf16,
    needs_points_scale=True,
)
