"""Tables of programs: a line of column names, then a line a player, with semicolons between the fields.

The dialects differ in the names of the columns, in the first lines and in the form of a cell: see ``Dialect``.
``crosstable`` reads what the cells mean together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from reporting.formats.crosstables.crosstable import CellFormat, Crosstable
from reporting.formats.tables.field_parsers import (
    FMJD_ID_DIGITS,
    NUMBER_DIGITS,
    read_country,
    read_name,
    read_number,
    read_number_or_none,
    read_points,
    read_program_birth,
    read_rating,
    read_sex,
    read_start_number,
    read_title,
    read_whole_name,
)
from reporting.formats.tables.table import (
    FieldParser,
    FieldText,
    ReaderFindings,
    player_values,
    read_header,
    split_line,
    text_column,
)
from reporting.rules.findings.finding_list import in_file_order
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import MAX_PLAYERS, MAX_ROUNDS, ReadReport, ReportedInfo, ReportedPlayer

LINES_SEARCHED = 20
"""Lines with text among which the line of column names is looked for to recognise a dialect."""

_NEEDED = ("place", "number", "name", "country", "points", "r1")
_FEWEST_NAMES, _FEWEST_NAMES_ALONE = 2, 3
"""Fewest known names in a line of column names with the right beginning, and in any other one."""
_COMMENT_MARKS = (";", "#")
_NO_ID = frozenset({"", "0", "-", "--"})
_ROUND_COLUMN = re.compile(r"r([0-9]{1,3})")
_LONGEST_HEADING = 30

_PLAYER_COLUMNS: Mapping[str, FieldParser] = {
    "number": read_start_number,
    "points": partial(read_points, case="total"),
    "title": read_title,
    "rating": read_rating,
    "country": partial(read_country, of_program=True, article="Annex 9 art. 4.2.2.6; R20"),
    "born": read_program_birth,
    "fmjd_id": partial(
        read_number_or_none, key="fmjd-id-unreadable.export", digits=FMJD_ID_DIGITS, none=_NO_ID
    ),
    "sex": read_sex,
}

_OPTIONAL_COLUMNS = {
    "fmjd-id": "fmjd_id",
    "fmjdid": "fmjd_id",
    "sex": "sex",
    "gender": "sex",
    "born": "born",
    "birthday": "born",
    "birthdate": "born",
    "dateofbirth": "born",
}
"""Columns that a table of either program may have in addition to its own."""


@dataclass(frozen=True)
class Dialect:
    """What distinguishes the table of one program.

    ``header`` is the line of column names as the program prints it, for people; ``columns`` gives for each
    name, in small letters and without spaces, the field it fills: place, number, title, name, country,
    rating, points. ``first_lines`` are lines, in the same form, that name the program alone.
    ``name_of`` returns the name of the tournament if a line before the header can have it, and its column.
    ``splits_names``: it prints ``Last, First``; otherwise a name is not split.
    """

    format: str
    header: str
    columns: Mapping[str, str]
    first_lines: frozenset[str]
    name_of: Callable[[str], tuple[str, int]]
    splits_names: bool
    cells: CellFormat

    def field_of(self, heading: str) -> str:
        """Return the field of a column by its heading, in small letters and without spaces; empty if not known."""
        return self.columns.get(heading) or _OPTIONAL_COLUMNS.get(heading, "")

    def is_header(self, line: str, *, fewest: int = _FEWEST_NAMES_ALONE) -> bool:
        """Whether a line is that of the column names, also if some of its names are missing."""
        headings = [comparable_text(text) for text in line.split(";") if len(text) <= _LONGEST_HEADING]
        known = {
            self.field_of(heading) or _ROUND_COLUMN.fullmatch(heading) is not None for heading in headings
        }
        return len(known - {"", False}) >= fewest

    def begins(self, lines: tuple[str, ...]) -> bool:
        """Whether the line of column names is among the first lines."""
        place = comparable_text(self.header).partition(";")[0]
        return any(
            comparable_text(line.partition(";")[0]) == place and self.is_header(line, fewest=_FEWEST_NAMES)
            for line in lines[:LINES_SEARCHED]
            if line.strip()
        )


def comparable_text(line: str) -> str:
    """Return a line in small letters and without spaces."""
    return plain_text(line).replace(" ", "").casefold()


def read_semicolon_table(lines: tuple[str, ...], dialect: Dialect, *, encoding: str) -> ReadReport:
    """Read a table from its lines (without line ends).

    Never raises: every fault is a finding with line and column. Columns of tie-breaks, unknown columns, and
    cells that could not be read are listed in ``unread``.
    """
    reading = _Reading(lines, dialect)
    header_read = reading.read()
    games = reading.table.read_games()
    return ReadReport(
        format=dialect.format,
        encoding=encoding,
        info=reading.info,
        players=tuple(reading.players),
        games=games,
        unread=tuple(sorted(reading.findings.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.table.undecided),
        unread_sections=frozenset() if header_read else frozenset({"players", "results"}),
        unread_players=len(reading.table.unread_places),
    )


@dataclass
class _Row:
    """A line of the table in its fields; ``place`` is None if it is unclear."""

    line: int
    fields: list[FieldText]
    place: int | None = None


@dataclass
class _Reading:
    """One pass over the lines for the places, then one for everything else."""

    lines: tuple[str, ...]
    dialect: Dialect
    findings: ReaderFindings = field(default_factory=ReaderFindings)
    info: ReportedInfo = field(default_factory=ReportedInfo)
    players: list[ReportedPlayer] = field(default_factory=list)
    columns: Mapping[str, FieldParser] = field(init=False)
    header: list[str] = field(default_factory=list)
    """The field of each column; a column that is not used has its heading, after a question mark."""
    rounds: dict[str, int] = field(default_factory=dict)
    """The round of each column of results."""
    are_rounds_ignored: bool = False
    table: Crosstable = field(init=False)

    def __post_init__(self) -> None:
        self.table = Crosstable(self.dialect.cells, self.findings)
        name = read_name if self.dialect.splits_names else read_whole_name
        self.columns = {**_PLAYER_COLUMNS, "name": name}

    def read(self) -> bool:
        """Read the table; return False if its columns are unknown, so that nothing of it can be read."""
        begins = self.read_beginning()
        if begins is None:
            return False
        rows = self.rows_from(begins)
        self.assign_places(rows)
        for row in rows:
            self.read_row(row)
        return True

    def rows_from(self, begins: int) -> list[_Row]:
        rows: list[_Row] = []
        count = 0
        for number, line in enumerate(self.lines[begins:], start=begins + 1):
            if not line.strip():
                continue
            # A comment can begin with a semicolon, and so can the line of a player without place.
            if line.lstrip().startswith(_COMMENT_MARKS) and line.count(";") < len(self.header) - 1:
                self.findings.mark_line_unread(number, line, "comment")
                continue
            if not line.lstrip()[0].isdigit() and self.dialect.is_header(line):
                self.findings.mark_line_unread(number, line, "repeated-column-names")
                continue
            count += 1
            if self.findings.exceeds("limit-players", MAX_PLAYERS, count, line=number, column=1):
                self.table.unread_places.add(count)
                self.findings.mark_line_unread(number, line, "over-limit")
                continue
            fields = split_line(line, ";", number, self.header)
            while len(fields) > len(self.header) and not fields[-1].text:
                fields.pop()
            rows.append(_Row(number, fields))
        return rows

    # Beginning

    def read_beginning(self) -> int | None:
        """Read up to the line of column names; return its number, None when the table cannot be read."""
        first_row = 0
        for number, line in enumerate(self.lines, start=1):
            text = comparable_text(line)
            if not text or text.rstrip(";") in self.dialect.first_lines:
                continue
            if self.dialect.is_header(line):
                return number if self.read_header(number, line) else None
            if not first_row and _is_row(line):
                first_row = number
            name, column = ("", 1) if self.info.name or first_row else self.dialect.name_of(line)
            if name:
                self.info = ReportedInfo(name=name, positions=MappingProxyType({"name": (number, column)}))
            elif text.startswith(_COMMENT_MARKS):
                self.findings.mark_line_unread(number, line, "comment")
            else:
                self.findings.mark_line_unread(number, line, "before-column-names")
        self.findings.add(
            "header-missing",
            line=first_row or max(len(self.lines), 1),
            column=1,
            begins=f"{';'.join(self.dialect.header.split(';')[:2])};",
            header=self.dialect.header,
        )
        return None

    def read_header(self, number: int, line: str) -> bool:
        headings = split_line(line, ";", number)
        names: dict[int, str] = {}
        for place, heading in enumerate(headings):
            written = comparable_text(heading.text)
            round_column = _ROUND_COLUMN.fullmatch(written)
            rounds = len(self.rounds)
            if not round_column:
                names[place] = self.dialect.field_of(written)
            elif int(round_column.group(1)) == rounds + 1 and rounds < MAX_ROUNDS:
                names[place] = f"r{rounds + 1}"
                self.rounds[names[place]] = rounds + 1
            else:
                self.ignore_rounds(heading, rounds)
        header = read_header(names, _NEEDED)
        points = header.places.get("points", len(headings))
        unknown = [place for place in header.unknown if place < points and headings[place].text]
        expected = self.dialect.header.replace(";", ", ")
        for place in unknown:
            self.findings.add("column-unknown", at=headings[place], headings=expected)
        for place in header.repeated:
            self.findings.add("column-unknown.repeated", at=headings[place], headings=expected)
        self.header = [f"?{heading.text}" for heading in headings]
        for name, place in header.places.items():
            self.header[place] = name
        while self.header[-1] == "?":
            self.header.pop()
        missing = header.missing
        if "number" in missing and "fmjd_id" in self.header:
            missing.remove("number")
        if missing:
            printed = {name: written for written, name in self.dialect.columns.items()} | {"r1": "r1"}
            columns = [printed[name].capitalize() for name in missing]
            if "number" in missing:
                columns[missing.index("number")] += "/FMJD-id"
            self.findings.add(
                "column-missing",
                line=number,
                column=1,
                field=missing[0],
                found=line.strip(),
                count=len(columns),
                columns=", ".join(columns),
                header=self.dialect.header,
            )
        return not missing

    def ignore_rounds(self, heading: FieldText, rounds: int) -> None:
        """Report once that the rounds from here on are not used."""
        if not self.are_rounds_ignored:
            key = "limit-rounds" if rounds >= MAX_ROUNDS else "column-unknown.rounds"
            self.findings.add(key, at=heading, limit=MAX_ROUNDS, round=rounds + 1)
        self.are_rounds_ignored = True

    # Rows

    def assign_places(self, rows: list[_Row]) -> None:
        """Give each row its place if it is clear; a gap is one finding, and the rows after it are used.

        A row that is out of order is not used: it is unclear whether the cells that name its place mean it.
        """
        at = self.header.index("place")
        printed = [
            read_number(row.fields[at].text, digits=NUMBER_DIGITS) if at < len(row.fields) else None
            for row in rows
        ]
        expected = 1
        seen: set[int] = set()
        for index, (row, place) in enumerate(zip(rows, printed, strict=True)):
            next_place = printed[index + 1] if index + 1 < len(rows) else None
            whole = len(row.fields) == len(self.header)
            if not place:
                if whole:
                    self.add_place_finding("place-unreadable.table", row.fields[at], expected)
                if next_place != expected:
                    self.table.unread_places.add(expected)
                    expected += 1
            elif place == expected:
                row.place = place
                seen.add(place)
                expected += 1
            elif place in seen or place < expected or next_place in (expected, expected + 1):
                if whole:
                    self.add_place_finding("place-out-of-order", row.fields[at], expected)
                self.table.unread_places |= set() if place in seen else {place}
                if next_place != expected:  # otherwise the line is there twice, or is in a wrong place
                    self.table.unread_places.add(expected)
                    expected += 1
            else:
                self.add_place_finding("place-out-of-order.gap", row.fields[at], expected, last=place - 1)
                self.table.unread_places.update(range(expected, place))
                row.place = place
                seen.add(place)
                expected = place + 1

    def add_place_finding(self, key: str, field: FieldText, expected: int, *, last: int = 0) -> None:
        self.findings.add(key, at=field, place=expected, last=last, count=last - expected + 1)

    def read_row(self, row: _Row) -> None:
        number, line = row.line, self.lines[row.line - 1]
        if len(row.fields) != len(self.header):
            self.findings.add(
                "field-count.columns",
                line=number,
                column=text_column(line),
                fields=len(row.fields),
                columns=len(self.header),
            )
            if row.place is not None:
                self.table.unread_places.add(row.place)
            self.findings.mark_line_unread(number, line, "field-count")
            return
        for part in row.fields:
            if part.name.startswith("?") and part.text:
                key = "unnamed-column" if part.name == "?" else "column"
                self.findings.mark_unread(part, key, heading=part.name[1:])
        player = self.player_in(row)
        if player is None or row.place is None:
            if row.place is not None:
                self.table.unread_places.add(row.place)
            self.findings.mark_line_unread(number, line, "no-place-or-number")
            return
        self.players.append(player)
        self.table.by_place[row.place] = player
        if self.are_rounds_ignored:
            self.table.undecided.add(player.number)
            self.table.lost[row.place] += 1
        for part in row.fields:
            if part.name in self.rounds:
                self.table.read_cell(row.place, self.rounds[part.name], part)

    def player_in(self, row: _Row) -> ReportedPlayer | None:
        """Return the player of the line; None if there is no number for the games."""
        fields = {part.name: part for part in row.fields}
        values = {"number": row.place} | player_values(self.columns, fields, self.findings)
        return None if values["number"] is None else ReportedPlayer(**values, place=row.place, line=row.line)


def _is_row(line: str) -> bool:
    """Whether a line can be that of a player: it begins with a number and has many fields."""
    parts = line.split(";")
    return (
        len(parts) > _FEWEST_NAMES_ALONE and read_number(parts[0].strip(), digits=NUMBER_DIGITS) is not None
    )
