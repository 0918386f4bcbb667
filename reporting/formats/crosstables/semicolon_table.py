"""Tables of programs: a line of column names, then a line a player, with semicolons between the fields.

The dialects differ in the names of the columns, in the first lines and in the form of a cell: see ``Dialect``.
``crosstable`` reads what the cells mean together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reporting.formats.crosstables.crosstable import CellFormat, Crosstable
from reporting.formats.field_parsers import (
    FMJD_ID_DIGITS,
    NUMBER_DIGITS,
    read_country,
    read_name,
    read_number,
    read_program_date,
    read_rating,
    read_sex,
    read_start_number,
    read_title,
    read_total,
    text_column,
    unread_line,
)
from reporting.rules.findings import FindingList, in_file_order, quoted
from reporting.rules.report import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    ReadReport,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)

LINES_SEARCHED = 20
"""Lines with text among which the line of column names is looked for to recognise a dialect."""

_NEEDED = ("place", "number", "name", "country", "points", "r1")
_FEWEST_NAMES, _FEWEST_NAMES_ALONE = 2, 3
"""Fewest known names in a line of column names with the right beginning, and in any other one."""
_COMMENT_MARKS = (";", "#")
_NO_ID = frozenset({"", "0", "-", "--"})
_ROUND_COLUMN = re.compile(r"r([0-9]{1,3})")
_SPACE = re.compile(r"\s+")
_LONGEST_HEADING = 30

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
    return _SPACE.sub("", line).casefold()


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
        unread=tuple(sorted(reading.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.table.undecided),
        unread_sections=frozenset() if header_read else frozenset({"players", "results"}),
        unread_players=len(reading.table.unread_places),
    )


@dataclass
class _Row:
    """A line of the table in its fields; ``place`` is None if it is unclear."""

    line: int
    parts: list[str]
    place: int | None = None


@dataclass
class _Reading:
    """One pass over the lines for the places, then one for everything else."""

    lines: tuple[str, ...]
    dialect: Dialect
    findings: FindingList = field(default_factory=FindingList)
    info: ReportedInfo = field(default_factory=ReportedInfo)
    players: list[ReportedPlayer] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    are_rounds_ignored: bool = False
    table: Crosstable = field(init=False)

    def __post_init__(self) -> None:
        self.table = Crosstable(self.dialect.cells, self.findings, self.unread)

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
        over = 0
        for number, line in enumerate(self.lines[begins:], start=begins + 1):
            if not line.strip():
                continue
            # A comment can begin with a semicolon, and so can the line of a player without place.
            if line.lstrip().startswith(_COMMENT_MARKS) and line.count(";") < len(self.header) - 1:
                self.unread.append(unread_line(number, line, "comment"))
                continue
            if not line.lstrip()[0].isdigit() and self.dialect.is_header(line):
                self.unread.append(unread_line(number, line, "repeated-column-names"))
                continue
            if len(rows) < MAX_PLAYERS:
                parts = line.split(";")
                while len(parts) > len(self.header) and not parts[-1].strip():
                    parts.pop()
                rows.append(_Row(number, parts))
                continue
            over += 1
            if over == 1:
                self.findings.add("limit-players", line=number, column=1, limit=MAX_PLAYERS, about=())
            self.table.unread_places.add(MAX_PLAYERS + over)
            self.unread.append(unread_line(number, line, "over-limit"))
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
                self.unread.append(unread_line(number, line, "comment"))
            else:
                self.unread.append(unread_line(number, line, "before-column-names"))
        self.findings.add(
            "header-missing",
            line=first_row or max(len(self.lines), 1),
            column=1,
            begins=f"{';'.join(self.dialect.header.split(';')[:2])};",
            header=self.dialect.header,
        )
        return None

    def read_header(self, number: int, line: str) -> bool:
        begins = 1
        rounds = 0
        for text in line.split(";"):
            written = comparable_text(text)
            round_column = _ROUND_COLUMN.fullmatch(written)
            name = self.dialect.field_of(written)
            if round_column and int(round_column.group(1)) == rounds + 1 and rounds < MAX_ROUNDS:
                rounds += 1
                name = f"r{rounds}"
            elif round_column:
                self.mark_round_unread(number, begins, text, rounds)
            elif name in self.header:
                self.add_unknown_column_finding("column-unknown.repeated", number, begins, text)
                name = ""
            elif not name and "points" not in self.header and written:
                self.add_unknown_column_finding("column-unknown", number, begins, text)
            self.header.append(name or f"?{text.strip()}")
            begins += len(text) + 1
        while self.header[-1] == "?":
            self.header.pop()
        missing = [name for name in _NEEDED if name not in self.header]
        if "number" in missing and "fmjd_id" in self.header:
            missing.remove("number")
        if missing:
            printed = {name: written for written, name in self.dialect.columns.items()} | {"r1": "r1"}
            names = [printed[name].capitalize() for name in missing]
            if "number" in missing:
                names[missing.index("number")] += "/FMJD-id"
            self.findings.add(
                "column-missing",
                line=number,
                column=1,
                field=missing[0],
                found=line.strip(),
                count=len(names),
                columns=", ".join(names),
                header=self.dialect.header,
            )
        return not missing

    def mark_round_unread(self, number: int, begins: int, text: str, rounds: int) -> None:
        """Report once that the rounds from here on are not used."""
        if not self.are_rounds_ignored:
            self.findings.add(
                "limit-rounds" if rounds >= MAX_ROUNDS else "column-unknown.rounds",
                line=number,
                column=begins + text_column(text) - 1,
                found=text.strip(),
                limit=MAX_ROUNDS,
                round=rounds + 1,
            )
        self.are_rounds_ignored = True

    def add_unknown_column_finding(self, key: str, number: int, begins: int, text: str) -> None:
        self.findings.add(
            key,
            line=number,
            column=begins + text_column(text) - 1,
            found=text.strip(),
            headings=self.dialect.header.replace(";", ", "),
        )

    # Rows

    def assign_places(self, rows: list[_Row]) -> None:
        """Give each row its place if it is clear; a gap is one finding, and the rows after it are used.

        A row that is out of order is not used: it is unclear whether the cells that name its place mean it.
        """
        at = self.header.index("place")
        printed = [
            read_number(row.parts[at].strip(), digits=NUMBER_DIGITS) if at < len(row.parts) else None
            for row in rows
        ]
        expected = 1
        seen: set[int] = set()
        for index, (row, place) in enumerate(zip(rows, printed, strict=True)):
            next_place = printed[index + 1] if index + 1 < len(rows) else None
            whole = len(row.parts) == len(self.header)
            if not place:
                if whole:
                    self.add_place_finding("place-unreadable.table", row, at, expected)
                if next_place != expected:
                    self.table.unread_places.add(expected)
                    expected += 1
            elif place == expected:
                row.place = place
                seen.add(place)
                expected += 1
            elif place in seen or place < expected or next_place in (expected, expected + 1):
                if whole:
                    self.add_place_finding("place-out-of-order", row, at, expected)
                self.table.unread_places |= set() if place in seen else {place}
                if next_place != expected:  # otherwise the line is there twice, or is in a wrong place
                    self.table.unread_places.add(expected)
                    expected += 1
            else:
                self.add_place_finding("place-out-of-order.gap", row, at, expected, last=place - 1)
                self.table.unread_places.update(range(expected, place))
                row.place = place
                seen.add(place)
                expected = place + 1

    def add_place_finding(self, key: str, row: _Row, at: int, expected: int, *, last: int = 0) -> None:
        self.findings.add(
            key,
            line=row.line,
            column=self.column_of(row, at),
            field="place",
            found=row.parts[at].strip(),
            place=expected,
            last=last,
            count=last - expected + 1,
        )

    def column_of(self, row: _Row, at: int) -> int:
        begins = 1 + sum(len(part) + 1 for part in row.parts[:at])
        return begins + (text_column(row.parts[at]) - 1 if row.parts[at].strip() else 0)

    def read_row(self, row: _Row) -> None:
        number, line, parts = row.line, self.lines[row.line - 1], row.parts
        if len(parts) != len(self.header):
            self.findings.add(
                "field-count.columns",
                line=number,
                column=text_column(line),
                fields=len(parts),
                columns=len(self.header),
            )
            if row.place is not None:
                self.table.unread_places.add(row.place)
            self.unread.append(unread_line(number, line, "field-count"))
            return
        text: dict[str, str] = {}
        columns: dict[str, int] = {}
        begins = 1
        for name, part in zip(self.header, parts, strict=True):
            text[name] = part.strip()
            columns[name] = begins + (text_column(part) - 1 if text[name] else 0)
            if name.startswith("?") and text[name]:
                key = "column" if name != "?" else "unnamed-column"
                heading = (("heading", name[1:]),)
                self.unread.append(UnreadText(number, columns[name], quoted(text[name]), key, heading))
            begins += len(part) + 1
        player = self.player_in(row, text, columns)
        if player is None or row.place is None:
            if row.place is not None:
                self.table.unread_places.add(row.place)
            self.unread.append(unread_line(number, line, "no-place-or-number"))
            return
        self.players.append(player)
        self.table.by_place[row.place] = player
        if self.are_rounds_ignored:
            self.table.undecided.add(player.number)
            self.table.lost[row.place] += 1
        for name in self.header:
            round_column = _ROUND_COLUMN.fullmatch(name)
            if round_column:
                self.table.read_cell(row.place, int(round_column.group(1)), text[name], number, columns[name])

    def player_in(self, row: _Row, text: dict[str, str], columns: dict[str, int]) -> ReportedPlayer | None:
        """Return the player of the line; None if there is no number for the games."""
        line = row.line
        start_number = row.place
        if "number" in columns:
            start_number = read_start_number(
                text["number"], self.findings, line=line, column=columns["number"]
            )
        points = read_total(text["points"], self.findings, line=line, column=columns["points"])
        first = last = ""
        if self.dialect.splits_names or not text["name"]:
            first, last = read_name(text["name"], self.findings, line=line, column=columns["name"])
        title = read_title(
            text.get("title", ""), self.findings, self.unread, line=line, column=columns.get("title", 1)
        )
        category, rating = read_rating(
            text.get("rating", ""), self.findings, self.unread, line=line, column=columns.get("rating", 1)
        )
        code = read_country(
            text["country"],
            self.findings,
            line=line,
            column=columns["country"],
            field="country",
            article="Annex 9 art. 4.2.2.6; R20",
            of_program=True,
        )
        born, born_year = read_program_date(
            text.get("born", ""), self.findings, line=line, column=columns.get("born", 1), field="born"
        )
        if start_number is None:
            return None
        return ReportedPlayer(
            number=start_number,
            name=text["name"],
            fmjd_id=self.fmjd_id_in(text.get("fmjd_id", ""), line, columns.get("fmjd_id", 1)),
            place=row.place,
            points_printed=points,
            first_name=first,
            last_name=last,
            title=title,
            federation=text["country"],
            federation_code=code,
            born=born,
            born_year=born_year,
            sex=read_sex(
                text.get("sex", ""), self.findings, line=line, column=columns.get("sex", 1), of_program=True
            ),
            rating_printed=rating,
            category_printed=category,
            line=line,
            columns=MappingProxyType(columns),
        )

    def fmjd_id_in(self, text: str, line: int, column: int) -> int | None:
        """Return the FMJD-ID, None for a sign for none; also None, and a finding, for anything else."""
        if text in _NO_ID:
            return None
        fmjd_id = read_number(text, digits=FMJD_ID_DIGITS)
        if fmjd_id is None:
            self.findings.add(
                "fmjd-id-unreadable.export",
                line=line,
                column=column,
                field="fmjd_id",
                found=text,
                article="Annex 9 art. 4.2.2.1; R20",
            )
        return fmjd_id or None


def _is_row(line: str) -> bool:
    """Whether a line can be that of a player: it begins with a number and has many fields."""
    parts = line.split(";")
    return (
        len(parts) > _FEWEST_NAMES_ALONE and read_number(parts[0].strip(), digits=NUMBER_DIGITS) is not None
    )
