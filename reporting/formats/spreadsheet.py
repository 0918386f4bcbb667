"""The report as a spreadsheet, XLSX or CSV: the fields of Annex 9 art. 11 in three tables, Info, Players, Results.

``spreadsheet_template.py`` writes the form to fill in. In an XLSX file each table is a sheet of that name; in a
CSV file a line with the name alone stands above each. Tables may stand in any order, columns too: they go by
their headings. A row whose first cell begins with ``#`` is a note and is left out, an empty row as well. A CSV
file is parted by semicolons or by commas; the headings of the players say which, and all of the file agrees.

What is read of a cell: a whole number as its figures, a date that shows day, month and year as that day, a text
as it stands, also where it is a number or a date (DD/MM/YYYY or YYYY-MM-DD). An empty FMJD-ID or place is none.
A formula is never read, not even its last value: it is an error (R22). So are merged cells, for a person sees
their one value in all of them. Hidden sheets, rows and columns are read and told as a warning: the referee
answers for what he has not seen (R21). Sheets and columns that the form does not have are left unread.

Places in findings: ``line`` is the number of the row and ``column`` that of the cell in the row, from 1. Each
sheet has its own rows, so ``field`` is the name of the cell, as ``Players!E7``, or ``E7`` in a CSV file. Only
what is said of a CSV file before its cells are apart counts columns in characters.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypedDict

from reporting.formats.decode import clean_line
from reporting.formats.fields import read_title
from reporting.formats.fmjd import INFO_KEYS, PLAYER_FIELDS, RESULT_FIELDS, FieldsReading
from reporting.formats.values import (
    MOST_GAMES,
    MOST_PLAYERS,
    ReadReport,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)
from reporting.formats.workbook import Sheet, cell_name, column_letters, column_number, read_sheets
from reporting.rules.findings import Finding, FindingList, in_file_order, shown

FORMAT = "spreadsheet"

TABLES = {"info": "Info", "players": "Players", "results": "Results"}
"""The tables of the form as they are called."""

INFO_ROWS = {
    "name": "Name",
    "played_from": "Played from",
    "played_to": "Played to",
    "system": "Type",
    "national_championship": "National championship",
    "women_championship": "Women championship",
    "referee": "Name of referee",
    "place": "Place",
    "country": "Country",
    "winner": "Winner",
    "remarks": "Remarks",
}
"""The rows of the Info table in the order of the form, each with its key."""

PLAYER_COLUMNS = {
    "number": "No.",
    "fmjd_id": "FMJD-ID",
    "last_name": "Last name",
    "first_name": "First name",
    "title": "Title",
    "country": "Country",
    "sex": "Sex",
    "born": "Born",
    "place": "Place",
    "points": "Points",
    "local_id": "Local ID",
}
"""The columns of the players in the order of the form, each with its heading."""

RESULT_COLUMNS = {"round": "Round", "white": "White", "black": "Black", "result": "Result"}
"""The columns of the results in the order of the form, each with its heading."""

SEPARATORS = (";", ",")

LONGEST_CELL = 32_767
"""Characters of a cell; no spreadsheet program has more."""

_KEY, _VALUE = 1, 2
_MOST_ROWS = {
    "info": ("text-outside-section", 1_000),
    "players": ("limit-players", MOST_PLAYERS + 1),
    "results": ("limit-games", MOST_GAMES + 1),
}
_COLUMNS = {"players": PLAYER_COLUMNS, "results": RESULT_COLUMNS}
_NEEDED = {"players": ("number", "last_name", "first_name", "country", "points"), "results": RESULT_FIELDS}
_FEWEST_HEADINGS = 2
_OTHER_HEADINGS = {"surname": "last_name", "federation": "country", "birthday": "born"}
"""Words of art. 4.2.2 for the same columns."""

_DATES = ("played_from", "played_to", "born")
_ANSWERS = {"yes": "Y", "no": "N"}
_ARTICLE = "Annex 9 art. 11; R20"
_OF_A_DATE = (
    "The program has made a date of a result: format the column as text and type it again, 1-1 for a draw."
)

_FORMULA_SIGNS = ("=", "\uff1d")
_SAYS_NOTHING = ' \t;,"'
_LONGEST_TABLE_LINE = 1_000
_MOST_TABLES = 100
_CELLS_SHOWN, _LETTERS_SHOWN = 12, 40

_NOT_IN_A_HEADING = re.compile(r"[\s._:-]+")
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATE_SHOWN = re.compile(r"[0-9]{2}/[0-9]{2}/[0-9]{4}.*")
_FIRST_CELL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})(?::|\Z)")


def _plain(text: str) -> str:
    return _NOT_IN_A_HEADING.sub("", text).casefold()


_HEADINGS: dict[str, Mapping[str, str]] = {
    "players": {_plain(heading): name for name, heading in PLAYER_COLUMNS.items()} | _OTHER_HEADINGS,
    "results": {_plain(heading): name for name, heading in RESULT_COLUMNS.items()},
}


class _Place(TypedDict):
    line: int
    column: int
    field: str


@dataclass
class _Table:
    """A table: its texts by row and column, none of them empty, and the cells that hold a formula.

    ``begins`` is the line of a CSV file that names it, and the row for what is said of the whole.
    """

    name: str
    sheet: str = ""
    begins: int = 1
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    formulas: set[tuple[int, int]] = field(default_factory=set)
    is_cut: bool = False

    def at(self, row: int, column: int) -> _Place:
        """Return the place of a cell for a finding."""
        return _Place(line=row, column=column, field=cell_name(self.sheet, row, column))

    def shown_row(self, row: int) -> str:
        """Return a row as it is listed in ``unread``, with its cell."""
        texts = [text[:_LETTERS_SHOWN] for text in list(self.rows[row].values())[:_CELLS_SHOWN]]
        return f"{cell_name(self.sheet, row, 1)}: {' | '.join(texts)}"


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether a line names the table of the players, or that of the results, and nothing else."""
    return any(_table_named(line) in ("players", "results") for line in lines)


def read_workbook(content: bytes) -> ReadReport:
    """Read a report from the bytes of an XLSX file.

    Never raises: every fault is a finding with row, column and cell, and what was not used is listed in
    ``unread``. A workbook that is damaged, has macros or unpacks to too much is refused with one finding.
    """
    sheets, refusal = read_sheets(content)
    if refusal is not None:
        return ReadReport(format="", encoding="", findings=(refusal,))
    reading = _Reading()
    for sheet in sheets:
        name = sheet.name.strip().casefold()
        if name in TABLES:
            reading.read_table(reading.table_of(sheet, name))
        else:
            reading.leave_sheet(sheet)
    return reading.report("utf-8", last_line=1)


def read_csv(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a report from the lines of a CSV file, as ``read_workbook`` does from a workbook."""
    reading = _Reading()
    parts: list[tuple[_Table, list[tuple[int, str]]]] = []
    for number, line in enumerate(lines, start=1):
        name = _table_named(line)
        if name and len(parts) < _MOST_TABLES:
            parts.append((_Table(name, begins=number), []))
        elif line.lstrip(' \t"').startswith("#") or not line.strip(_SAYS_NOTHING):
            continue
        elif parts:
            parts[-1][1].append((number, line))
        else:
            reading.leave_outside(number, line)
    separator = _separator(parts)
    if not separator:
        reading.no_separator(parts)
        return reading.report(encoding, last_line=max(len(lines), 1))
    for table, rows in parts:
        for number, line in rows:
            reading.add_line(table, number, line, separator)
        reading.read_table(table)
    return reading.report(encoding, last_line=max(len(lines), 1))


def _table_named(line: str) -> str:
    name = line.strip(_SAYS_NOTHING).casefold() if len(line) <= _LONGEST_TABLE_LINE else ""
    return name if name in TABLES else ""


def _separator(parts: list[tuple[_Table, list[tuple[int, str]]]]) -> str:
    """Return what parts the cells, by the headings of the players, else of the results; empty if unclear."""
    for wanted in ("players", "results"):
        for table, rows in parts:
            if table.name == wanted and rows:
                for separator in SEPARATORS:
                    headings = [_plain(cell.strip(' \t"')) for cell in rows[0][1].split(separator)]
                    if sum(heading in _HEADINGS[wanted] for heading in headings) > 1:
                        return separator
    return ""


@dataclass
class _Reading:
    """The tables of a report, what was read of them, and what is to be said."""

    findings: FindingList = field(default_factory=FindingList)
    of_fields: list[Finding] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    fields: dict[str, FieldsReading] = field(default_factory=dict)
    players: list[ReportedPlayer] = field(default_factory=list)
    cells: dict[tuple[int, int, str], str] = field(default_factory=dict)
    results_read: bool = False

    def report(self, encoding: str, *, last_line: int) -> ReadReport:
        for name, called in TABLES.items():
            if name not in self.fields:
                self.findings.error(
                    "section-missing",
                    f"The table {called} is missing.",
                    line=last_line,
                    column=1,
                    field=name,
                    found=f"no sheet and no line {called}",
                    expected="the tables Info, Players and Results",
                    suggestion="Take the template and fill in all three tables.",
                )
        info, results = self.fields.get("info"), self.fields.get("results")
        numbers = (player.number for player in self.players)
        return ReadReport(
            format=FORMAT,
            encoding=encoding,
            info=info.info() if info else ReportedInfo(),
            players=tuple(self.players),
            games=tuple(results.games) if results else (),
            unread=tuple(sorted(self.unread, key=lambda piece: (piece.line, piece.column))),
            findings=in_file_order((*self.findings, *self.of_fields)),
            undecided=frozenset(results.undecided if results and self.results_read else numbers),
            cells=MappingProxyType(self.cells),
        )

    # Sheets and lines

    def table_of(self, sheet: Sheet, name: str) -> _Table:
        """Return a sheet as a table, its texts cleaned; add what looks other on the screen than it is."""
        table = _Table(name, sheet.name)
        for (row, column), formula in sheet.formulas.items():
            self.refuse_formula(table, row, column, formula)
        for row in sorted(sheet.rows):
            self.add_row(table, row, sheet.rows[row])
        if sheet.hidden:
            self.add_hidden(table, 1, 1, f"sheet {sheet.name}")
        for merged in sheet.merged:
            first = _FIRST_CELL.match(merged)
            self.findings.error(
                "cells-merged",
                "Cells are merged here, so it is not clear which of them has the value.",
                **(table.at(int(first[2]), column_number(first[1])) if first else table.at(1, 1)),
                found=merged,
                expected="each value in its own cell",
                suggestion="Unmerge the cells and write each value where it belongs.",
            )
        hidden = set(sheet.hidden_rows)
        before = 0
        for row in table.rows:
            if row in hidden and before not in hidden:
                self.add_hidden(table, row, 1, f"row {row}")
            before = row
        for column in sorted({column for row in table.rows.values() for column in row})[:_CELLS_SHOWN]:
            if any(first <= column <= last for first, last in sheet.hidden_columns):
                self.add_hidden(table, 1, column, f"column {column_letters(column)}")
        return table

    def add_hidden(self, table: _Table, row: int, column: int, found: str) -> None:
        self.findings.warning(
            "hidden-part",
            "Something is hidden from here on. It was read as if it could be seen.",
            **table.at(row, column),
            found=f"hidden {found}",
            expected="sheets, rows and columns that can be seen",
            suggestion="Show it (clear the filter), look at it, and save the file again.",
        )

    def leave_sheet(self, sheet: Sheet) -> None:
        if not sheet.rows and not sheet.formulas:
            return
        self.findings.warning(
            "sheet-unknown",
            "The form does not have this sheet, so it was not read.",
            **_Table("", sheet.name).at(1, 1),
            found=f"{'hidden ' if sheet.hidden else ''}sheet {sheet.name}",
            expected="the sheets Info, Players and Results",
            suggestion="Delete the sheet, or give it the name of the form if it belongs to the report.",
        )
        self.unread.append(UnreadText(1, 1, shown(sheet.name), "unknown sheet"))

    def leave_outside(self, number: int, line: str) -> None:
        self.findings.error(
            "text-outside-section",
            "This line stands before the tables and was not read.",
            line=number,
            column=1,
            found=line,
            expected="Info, Players or Results above each table",
            suggestion="Put the name of its table above the line, or delete it.",
        )
        self.unread.append(UnreadText(number, 1, shown(line), "outside the tables"))

    def no_separator(self, parts: list[tuple[_Table, list[tuple[int, str]]]]) -> None:
        headings = next(((table, rows[0]) for table, rows in parts if rows and table.name != "info"), None)
        if headings:
            self.separator_unclear(headings[0], *headings[1])
        for _, rows in parts:
            self.unread += [UnreadText(number, 1, shown(line), "no separator") for number, line in rows]

    def separator_unclear(self, table: _Table, number: int, line: str) -> None:
        self.findings.error(
            "separator-unclear",
            "It is not clear whether semicolons or commas part the cells here.",
            **table.at(number, 1),
            found=line,
            expected="the headings of the form, parted as all other lines of the file",
            suggestion="Save the tables as CSV again, all with one separator.",
        )

    def add_line(self, table: _Table, number: int, line: str, separator: str) -> None:
        """Add a line of a CSV file to its table as a row."""
        if self.is_full(table, number):
            return
        try:
            texts = next(csv.reader([line], delimiter=separator, strict=True))
        except csv.Error as problem:
            self.findings.error(
                "line-unreadable",
                f"The line is not CSV: {problem}.",
                **table.at(number, 1),
                found=line,
                expected="cells parted by one sign, in quotation marks where they hold it (RFC 4180)",
                suggestion="Save the table as CSV again; a text has no line end.",
            )
            self.unread.append(UnreadText(number, 1, shown(line), "not CSV"))
            return
        filled = [text for text in texts if text.strip()]
        other = SEPARATORS[1 - SEPARATORS.index(separator)]
        if len(filled) == 1 and other in filled[0]:
            self.separator_unclear(table, number, line)
            self.unread.append(UnreadText(number, 1, shown(line), "another separator"))
            return
        self.add_row(table, number, dict(enumerate(texts, start=1)))

    def is_full(self, table: _Table, row: int) -> bool:
        """Whether the table has all the rows it may have, so that the rest is left unread; said once."""
        code, most = _MOST_ROWS[table.name]
        if len(table.rows) < most:
            return False
        if not table.is_cut:
            table.is_cut = True
            self.findings.error(
                code,
                "The table is larger than what is read; from here on it was not used.",
                **table.at(row, 1),
                found="more rows",
                expected=f"at most {most:,} rows with the headings",
                suggestion="Report the competition in parts.",
            )
            self.unread.append(UnreadText(row, 1, cell_name(table.sheet, row, 1), f"over {most:,} rows"))
        return True

    def add_row(self, table: _Table, row: int, texts: Mapping[int, str]) -> None:
        """Add a row to its table, without notes and empty cells."""
        if texts.get(min(texts), "").startswith("#") or self.is_full(table, row):
            return
        cleaned = {column: self.clean(table, row, column, texts[column].strip()) for column in sorted(texts)}
        filled = {column: text for column, text in cleaned.items() if text}
        if filled:
            table.rows[row] = filled

    def clean(self, table: _Table, row: int, column: int, text: str) -> str:
        """Return the text of a cell composed; empty, and a finding, for a formula and a text that is too long."""
        if text.startswith(_FORMULA_SIGNS):
            self.refuse_formula(table, row, column, text)
            return ""
        if len(text) > LONGEST_CELL:
            self.findings.error(
                "line-too-long",
                "The text is too long for a cell.",
                **table.at(row, column),
                found=f"{len(text):,} characters",
                expected=f"at most {LONGEST_CELL:,}",
                suggestion="Shorten it.",
            )
            return ""
        if text.isascii() and text.isprintable():
            return text
        found = FindingList()
        # Only in the Info table a text may have several lines; elsewhere they and tabs are forbidden.
        lines = text.replace("\r\n", "\n").split("\n") if table.name == "info" else [text.replace("\n", "\v")]
        cleaned = "\n".join(clean_line(row, line.replace("\t", "\v"), found) for line in lines)
        for finding in found:
            self.findings.error(
                finding.code,
                finding.message,
                **table.at(row, column),
                found=finding.found,
                expected=finding.expected,
                suggestion=finding.suggestion,
            )
        return cleaned

    def refuse_formula(self, table: _Table, row: int, column: int, formula: str) -> None:
        table.formulas.add((row, column))
        self.findings.error(
            "formula-refused",
            "This cell holds a formula. What it gives can change, so it is not read.",
            **table.at(row, column),
            found=formula,
            expected="the value itself",
            suggestion="Copy the cell and paste it in the same place as a value.",
        )

    # Tables

    def read_table(self, table: _Table) -> None:
        if table.name in self.fields:
            self.findings.error(
                "section-repeated",
                f"The table {TABLES[table.name]} was there before; only the first was read.",
                **table.at(table.begins, 1),
                found=table.sheet or TABLES[table.name],
                expected="each table once",
                suggestion="Put the rows together in one table.",
            )
            self.leave_rows(table, table.rows, "repeated table")
            return
        fields = self.fields[table.name] = FieldsReading(())
        if table.name == "info":
            self.read_info(table, fields)
        else:
            self.read_rows(table, fields)
        self.unread += fields.unread
        # A formula has been spoken of, and a column that is not there is said once, not in every row.
        for finding in fields.findings:
            row, column = finding.line or table.begins, finding.column or 0
            if column and (row, column) not in table.formulas:
                made_a_date = finding.code == "result-unknown" and _DATE_SHOWN.fullmatch(finding.found)
                self.of_fields.append(
                    replace(
                        finding,
                        field=cell_name(table.sheet, row, column),
                        suggestion=_OF_A_DATE if made_a_date else finding.suggestion,
                    )
                )

    def leave_rows(self, table: _Table, rows: Iterable[int], reason: str) -> None:
        self.unread += [UnreadText(row, 1, shown(table.shown_row(row)), reason) for row in rows]

    def leave_cell(self, table: _Table, row: int, column: int, reason: str) -> None:
        text = f"{cell_name(table.sheet, row, column)}: {table.rows[row][column]}"
        self.unread.append(UnreadText(row, column, shown(text), reason))

    def read_info(self, table: _Table, fields: FieldsReading) -> None:
        for row, texts in table.rows.items():
            key = texts.get(_KEY, "")
            if _plain(key) == "key":
                continue
            name = INFO_KEYS.get(_plain(key))
            beyond = next((column for column in texts if column > _VALUE), None)
            fault: tuple[str, str, int, str] | None = None
            if beyond:
                fault = ("field-count", "There is more in this row than a key and its value.", beyond, "")
            elif name is None:
                fault = (
                    "key-unknown",
                    "The form does not have this key, so the row was not used.",
                    _KEY,
                    key,
                )
            elif name in fields.positions:
                fault = ("key-repeated", "This key was there before; only the first is used.", _KEY, key)
            if fault or name is None:
                code, message, column, found = fault or ("", "", 0, "")
                say = self.findings.warning if code == "key-unknown" else self.findings.error
                say(
                    code,
                    message,
                    **table.at(row, column),
                    found=found or texts.get(column, "nothing"),
                    expected=", ".join(INFO_ROWS.values()) + ", each once, and the value beside it",
                    suggestion="Correct the row, or write the text into the remarks.",
                )
                self.leave_rows(table, (row,), "not a key and its value")
                continue
            value = texts.get(_VALUE, "")
            fields.positions[name] = (row, _VALUE)
            self.cells[row, _VALUE, name] = cell_name(table.sheet, row, _VALUE)
            if name == "remarks":
                fields.texts[name] = value
            elif value:
                fields.read_info_value(name, _as_in_art_11(name, value), row, _VALUE)

    def read_rows(self, table: _Table, fields: FieldsReading) -> None:
        columns = self.read_headings(table)
        rows = list(table.rows)[1:]
        missing = [name for name in _NEEDED[table.name] if name not in columns]
        for name in missing if columns else ():
            self.findings.error(
                "column-missing",
                f"The column {_COLUMNS[table.name][name]} is missing.",
                **table.at(next(iter(table.rows)), 1),
                found="no such heading",
                expected=", ".join(_COLUMNS[table.name][name] for name in _NEEDED[table.name]),
                suggestion="Add the column with its heading, or take a fresh template.",
                article=_ARTICLE,
            )
        if not columns or (missing and table.name == "results"):
            self.leave_rows(table, rows, "a column is missing")
            return
        self.results_read = self.results_read or table.name == "results"
        for row in rows:
            texts = table.rows[row]
            if not self.is_under_headings(table, row):
                continue
            for name, column in columns.items():
                self.cells[row, column, name] = cell_name(table.sheet, row, column)
            found = {
                name: (_as_in_art_11(name, texts.get(column, "")), column) for name, column in columns.items()
            }
            if table.name == "results":
                fields.read_result(row, table.shown_row(row), [found[name] for name in RESULT_FIELDS])
            else:
                self.read_player(fields, table, row, found)

    def read_player(
        self, fields: FieldsReading, table: _Table, row: int, found: Mapping[str, tuple[str, int]]
    ) -> None:
        count = len(fields.players)
        nothing = {"fmjd_id": ("0", 0), "place": ("0", 0)}
        fields.read_player(
            row,
            table.shown_row(row),
            [found.get(name) or nothing.get(name, ("", 0)) for name in PLAYER_FIELDS],
        )
        if len(fields.players) == count:
            return
        written, column = found.get("title", ("", 0))
        unknown: list[UnreadText] = []
        title = read_title(written, fields.findings, unknown, line=row, column=column)
        for piece in unknown:
            self.leave_cell(table, row, column, piece.reason)
        columns = {name: column for name, (_, column) in found.items()}
        if "last_name" in columns:
            columns["name"] = columns["last_name"]
            self.cells[row, columns["name"], "name"] = cell_name(table.sheet, row, columns["name"])
        self.players.append(
            replace(
                fields.players[-1],
                title=title,
                columns=MappingProxyType(columns),
                in_cells=True,
            )
        )

    def read_headings(self, table: _Table) -> dict[str, int]:
        """Return the column of each field by the first row; none if that is not the headings."""
        row = next(iter(table.rows), None)
        texts = table.rows[row] if row else {}
        known = {column: _HEADINGS[table.name].get(_plain(text)) for column, text in texts.items()}
        if row is None or sum(name is not None for name in known.values()) < _FEWEST_HEADINGS:
            self.findings.error(
                "header-missing",
                f"The table {TABLES[table.name]} does not begin with its headings.",
                **table.at(row or table.begins, 1),
                found=" | ".join(texts.values()) or "nothing",
                expected=", ".join(_COLUMNS[table.name].values()),
                suggestion="Write the headings of the template above the first row.",
                article=_ARTICLE,
            )
            self.leave_rows(table, list(table.rows)[:1], "not the headings")
            return {}
        columns: dict[str, int] = {}
        for column, name in known.items():
            if name is None:
                self.unknown_column(table, row, column)
            elif name in columns:
                self.findings.error(
                    "column-repeated",
                    "This heading was there before; only the first column is read.",
                    **table.at(row, column),
                    found=texts[column],
                    expected="each heading once",
                    suggestion="Delete the column that is wrong.",
                )
                self.leave_cell(table, row, column, "repeated column")
            else:
                columns[name] = column
        return columns

    def unknown_column(self, table: _Table, row: int, column: int) -> None:
        self.findings.warning(
            "column-unknown",
            "The form does not have this column, so it was not read.",
            **table.at(row, column),
            found=table.rows[row][column],
            expected=", ".join(_COLUMNS[table.name].values()),
            suggestion="Nothing to do if it does not belong to the report; else correct its heading.",
        )
        self.leave_cell(table, row, column, "unknown column")

    def is_under_headings(self, table: _Table, row: int) -> bool:
        """Whether no cell of the row stands beside the headings; in a CSV file that shifts all the others."""
        first = next(iter(table.rows))
        beside = [column for column in table.rows[row] if column not in table.rows[first]]
        if not beside:
            return True
        if table.sheet:
            self.unknown_column(table, row, beside[0])
            return True
        self.findings.error(
            "field-count",
            "The line has more cells than there are headings, so they may have moved.",
            **table.at(row, beside[0]),
            found=table.rows[row][beside[0]],
            expected=f"at most {max(table.rows[first])} cells",
            suggestion="Put a text that holds the separator in quotation marks.",
        )
        self.leave_rows(table, (row,), "more cells than headings")
        return False


def _as_in_art_11(name: str, text: str) -> str:
    """Return the text of a field as art. 11 writes it, where a spreadsheet may write it in another way."""
    if name in _DATES:
        iso = _ISO_DATE.fullmatch(text)
        return f"{iso[3]}/{iso[2]}/{iso[1]}" if iso else text
    if name in ("national_championship", "women_championship"):
        return _ANSWERS.get(text.casefold(), text)
    return text or ("0" if name in ("fmjd_id", "place") else "")
