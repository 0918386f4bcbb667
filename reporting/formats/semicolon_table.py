"""Tables of programs: a line of column names, then a line a player, parted by semicolons.

The dialects differ in the names of the columns, in the first lines and in how a cell is written; ``Dialect``
says how. What the cells mean together is read by ``crosstable``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reporting.formats.crosstable import CellForm, Crosstable
from reporting.formats.fields import (
    NUMBER_DIGITS,
    number_advice,
    read_country,
    read_name,
    read_number,
    read_rating,
    read_start_number,
    read_title,
    read_total,
    text_begins,
    unread_line,
)
from reporting.formats.values import (
    MOST_PLAYERS,
    MOST_ROUNDS,
    ReadReport,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)
from reporting.rules.findings import FindingList, in_file_order, shown

LINES_SEARCHED = 20
"""Lines with text among which the line of column names is looked for to recognise a dialect."""

_NEEDED = ("place", "number", "name", "country", "points")
_COMMENT_MARKS = (";", "#")
_ROUND_COLUMN = re.compile(r"r([0-9]{1,2})")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Dialect:
    """What distinguishes the table of one program.

    ``header`` is the line of column names as the program prints it, for people; ``columns`` gives for each
    name, in small letters and without spaces, the field it fills: place, number, title, name, country,
    rating, points. ``first_lines`` are lines, written likewise, that say nothing but whose table it is.
    ``name_of`` returns the name of the competition if a line before the header can hold it, and its column.
    ``splits_names`` is whether it prints ``Last, First``; otherwise a name is left whole.
    """

    format: str
    header: str
    columns: Mapping[str, str]
    first_lines: frozenset[str]
    name_of: Callable[[str], tuple[str, int]]
    splits_names: bool
    cells: CellForm

    def is_header(self, plain_line: str) -> bool:
        """Whether a line, in small letters and without spaces, begins as the line of column names does."""
        return plain_line.split(";")[:2] == plain(self.header).split(";")[:2]

    def begins(self, lines: tuple[str, ...]) -> bool:
        """Whether the line of column names is among the first lines."""
        beginning = [line for line in lines[:LINES_SEARCHED] if line.strip()]
        return any(self.is_header(plain(line)) for line in beginning)


def plain(line: str) -> str:
    """Return a line in small letters and without spaces."""
    return _SPACE.sub("", line).casefold()


def read_semicolon_table(lines: tuple[str, ...], dialect: Dialect, *, encoding: str) -> ReadReport:
    """Read a table from its lines (without line ends).

    Never raises: every fault is a finding with line and column. Columns of tie-breaks, unknown columns, and
    cells that could not be read are listed in ``unread``.
    """
    reading = _Reading(lines, dialect)
    reading.read()
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
    )


@dataclass
class _Reading:
    """One pass over the lines."""

    lines: tuple[str, ...]
    dialect: Dialect
    findings: FindingList = field(default_factory=FindingList)
    info: ReportedInfo = field(default_factory=ReportedInfo)
    players: list[ReportedPlayer] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    table: Crosstable = field(init=False)

    def __post_init__(self) -> None:
        self.table = Crosstable(self.dialect.cells, self.findings, self.unread)

    def read(self) -> None:
        begins = self.read_beginning()
        if begins is None:
            return
        row = 0
        for number, line in enumerate(self.lines[begins:], start=begins + 1):
            if not line.strip():
                continue
            # A comment may begin with a semicolon, and so may the line of a player whose place is missing.
            if line.lstrip().startswith(_COMMENT_MARKS) and line.count(";") < len(self.header) - 1:
                self.unread.append(unread_line(number, line, "comment"))
                continue
            row += 1
            if row > MOST_PLAYERS:
                if row == MOST_PLAYERS + 1:
                    self.findings.error(
                        "limit-players",
                        "The table is larger than what is read; the lines from here on were not used.",
                        line=number,
                        column=1,
                        found="more lines",
                        expected=f"at most {MOST_PLAYERS:,} players",
                        suggestion="Report the competition in parts.",
                    )
                self.unread.append(unread_line(number, line, "over the limit"))
                continue
            self.read_row(number, line, row)

    # Beginning

    def read_beginning(self) -> int | None:
        """Read up to the line of column names; return its number, None when the table cannot be read."""
        for number, line in enumerate(self.lines, start=1):
            text = plain(line)
            if not text or text in self.dialect.first_lines:
                continue
            if self.dialect.is_header(text):
                return number if self.read_header(number, line) else None
            name, column = ("", 1) if self.info.name else self.dialect.name_of(line)
            if name:
                self.info = ReportedInfo(name=name, positions=MappingProxyType({"name": (number, column)}))
            elif text.startswith(_COMMENT_MARKS):
                self.unread.append(unread_line(number, line, "comment"))
            else:
                self.unread.append(unread_line(number, line, "before the line of column names"))
        self.findings.error(
            "header-missing",
            "The line with the names of the columns is missing.",
            line=max(len(self.lines), 1),
            column=1,
            found=f"no line {';'.join(self.dialect.header.split(';')[:2])};…",
            expected=self.dialect.header,
            suggestion="Export the table again, with the line of column names.",
        )
        return None

    def read_header(self, number: int, line: str) -> bool:
        begins = 1
        rounds = 0
        for text in line.split(";"):
            written = plain(text)
            a_round = _ROUND_COLUMN.fullmatch(written)
            name = self.dialect.columns.get(written, "")
            if a_round and int(a_round.group(1)) == rounds + 1 and rounds < MOST_ROUNDS:
                rounds += 1
                name = f"r{rounds}"
            elif a_round:
                over = int(a_round.group(1)) > MOST_ROUNDS
                self.findings.error(
                    "limit-rounds" if over else "column-unknown",
                    "A report has no more rounds than this."
                    if over
                    else "The rounds are not in their order.",
                    line=number,
                    column=begins + text_begins(text) - 1,
                    found=text.strip(),
                    expected=f"at most {MOST_ROUNDS} rounds" if over else f"R{rounds + 1}",
                    suggestion="Export the table again with the rounds R1, R2, … in order.",
                )
            elif name in self.header:
                self.unknown_column(number, begins, text, "a column that was there before")
                name = ""
            elif not name and "points" not in self.header and written:
                self.unknown_column(number, begins, text, "a column that is not known")
            self.header.append(name or f"?{text.strip()}")
            begins += len(text) + 1
        missing = [name for name in (*_NEEDED, "r1") if name not in self.header]
        printed = {name: written for written, name in self.dialect.columns.items()} | {"r1": "r1"}
        for name in missing:
            self.findings.error(
                "column-missing",
                "A column is missing without which the table cannot be read.",
                line=number,
                column=1,
                field=name,
                found=line.strip(),
                expected=printed[name].capitalize(),
                suggestion="Export the table again with all its columns.",
            )
        return not missing

    def unknown_column(self, number: int, begins: int, text: str, what: str) -> None:
        self.findings.warning(
            "column-unknown",
            f"This is {what}; it was not used.",
            line=number,
            column=begins + text_begins(text) - 1,
            found=text.strip(),
            expected=self.dialect.header.replace(";", ", ") + ", tie-breaks",
            suggestion="Nothing to do if it says nothing that the report needs.",
        )

    # Rows

    def read_row(self, number: int, line: str, row: int) -> None:
        parts = line.split(";")
        if len(parts) == len(self.header) + 1 and not parts[-1].strip():
            parts.pop()
        if len(parts) != len(self.header):
            self.findings.error(
                "field-count",
                "The line has another number of fields than the line of column names.",
                line=number,
                column=text_begins(line),
                found=f"{len(parts)} fields",
                expected=f"{len(self.header)} fields",
                suggestion="Keep every semicolon, also of empty fields; no semicolon inside a name.",
            )
            self.table.places_unread.add(row)
            self.unread.append(unread_line(number, line, "wrong number of fields"))
            return
        text: dict[str, str] = {}
        columns: dict[str, int] = {}
        begins = 1
        for name, part in zip(self.header, parts, strict=True):
            text[name] = part.strip()
            columns[name] = begins + (text_begins(part) - 1 if text[name] else 0)
            if name.startswith("?") and text[name]:
                reason = f"column {name[1:]}" if name != "?" else "column without name"
                self.unread.append(UnreadText(number, columns[name], shown(text[name]), reason))
            begins += len(part) + 1
        place = self.place_in(text["place"], number, columns["place"], row)
        start_number = read_start_number(text["number"], self.findings, line=number, column=columns["number"])
        points = read_total(text["points"], self.findings, line=number, column=columns["points"])
        first = last = ""
        if self.dialect.splits_names or not text["name"]:
            first, last = read_name(text["name"], self.findings, line=number, column=columns["name"])
        title = read_title(
            text.get("title", ""), self.findings, self.unread, line=number, column=columns.get("title", 1)
        )
        category, rating = read_rating(
            text.get("rating", ""), self.findings, self.unread, line=number, column=columns.get("rating", 1)
        )
        code = read_country(
            text["country"],
            self.findings,
            line=number,
            column=columns["country"],
            field="country",
            article="Annex 9 art. 4.2.2.6; R20",
        )
        if place is None or start_number is None:
            self.table.places_unread.add(row if place is None else place)
            self.unread.append(unread_line(number, line, "no place or number"))
            return
        player = ReportedPlayer(
            number=start_number,
            name=text["name"],
            place=place,
            points_printed=points,
            first_name=first,
            last_name=last,
            title=title,
            federation=text["country"],
            federation_code=code,
            rating_printed=rating,
            category_printed=category,
            line=number,
            columns=MappingProxyType(columns),
        )
        self.players.append(player)
        self.table.by_place[place] = player
        for name in self.header:
            a_round = _ROUND_COLUMN.fullmatch(name)
            if a_round:
                self.table.read_cell(place, int(a_round.group(1)), text[name], number, columns[name])

    def place_in(self, text: str, line: int, column: int, row: int) -> int | None:
        place = read_number(text, digits=NUMBER_DIGITS)
        if place is None or place == 0:
            self.findings.error(
                "place-unreadable",
                "The place is not a number that can be read.",
                line=line,
                column=column,
                field="place",
                found=text or "nothing",
                expected=str(row),
                suggestion=number_advice(),
            )
            return None
        if place != row:
            self.findings.error(
                "place-out-of-order",
                "The place is not the line of the table, so it is not clear whom the cells mean.",
                line=line,
                column=column,
                field="place",
                found=text,
                expected=str(row),
                suggestion="Number the lines 1, 2, 3, …; give shared places as Shared places in the details.",
            )
        return None if place in self.table.by_place else place
