"""The report as a spreadsheet, XLSX or CSV: the fields of Annex 9 art. 11 in three tables, Info, Players, Results.

``template`` writes the template to fill in. In an XLSX file each table is a sheet with its name; in a CSV file a line
with the name alone is above each table. Tables and columns can have any order: the headings count. A row whose first
cell begins with ``#`` is a note and is ignored, like an empty row. A CSV file has semicolons, commas or tabs as
separator; the headings of the players decide which, for the whole file.

How a cell is read: a whole number as its digits, a date that shows day, month and year as that day, a text unchanged,
also if it is a number or a date. An empty FMJD-ID or place is none. A formula is never
read, not even its last value: it is an error (R22). Merged cells are an error too, because a person sees their value
in all of them. Hidden sheets, rows and columns are read and give a warning: the referee is responsible for hidden
cells too (R21). Sheets and columns that the template does not have are not read.

Places in findings: ``line`` is the number of the row and ``column`` that of the cell in the row, from 1. Each sheet has
its own rows, so ``field`` is the name of the cell, such as ``Players!E7``, or ``E7`` in a CSV file. Only findings of a
CSV file before its cells are separated count columns in characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from reporting.formats.annex_9.article_11 import INFO_KEYS, PLAYER_COLUMNS, FieldReader
from reporting.formats.spreadsheets import games
from reporting.formats.spreadsheets.form import (
    COLUMNS,
    GAME_DAY_COLUMNS,
    HEADINGS,
    REQUIRED_COLUMNS,
    TABLES,
    comparable_text,
)
from reporting.formats.spreadsheets.tables import Table, Tables, named_table
from reporting.formats.spreadsheets.workbook import cell_name, read_sheets
from reporting.formats.tables.field_parsers import read_title
from reporting.formats.tables.table import FieldText, Header, ReaderFindings, read_header
from reporting.rules.findings.finding_list import Finding, in_file_order
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import RESULT_FIELDS, SPREADSHEET, ReadReport, ReportedInfo, ReportFormat

_KEY, _VALUE = 1, 2
_FEWEST_HEADINGS = 2
_ANSWERS = {"yes": "Y", "no": "N"}

_DATE_SHOWN = re.compile(r"[0-9]{2}/[0-9]{2}/[0-9]{4}.*|(?i:0?1[- ]jan(uary|\.)?)([- ][0-9]{2,4})?")

_FIRST_OF_JANUARY = ("01/01/", "1-", "01-", "1 ", "01 ")


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether a line has the name of the players' or the results' table, and nothing else."""
    return any(named_table(line) in ("players", "results") for line in lines)


def read_workbook(content: bytes) -> ReadReport:
    """Read a report from the bytes of an XLSX file: the template, or a table of games (``games``).

    Never raises: every fault is a finding with row, column and cell, and what was not used is in ``unread``. A workbook
    that is damaged, has macros or unpacks to too much is refused with one finding.
    """
    sheets, refusal = read_sheets(content)
    if refusal is not None:
        return ReadReport(format="", encoding="", findings=(refusal,))
    sheet_of_games = games.sheet_of_games(sheets)
    if sheet_of_games is not None:
        return games.read_workbook(sheets, sheet_of_games)
    reading = _Reading()
    for table in reading.tables.of_workbook(sheets):
        reading.read_table(table)
    return reading.report("utf-8", last_line=1)


def read_csv(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a report from the lines of a CSV file, as ``read_workbook`` does from a workbook."""
    reading = _Reading()
    for table in reading.tables.of_csv(lines):
        reading.read_table(table)
    return reading.report(encoding, last_line=max(len(lines), 1))


@dataclass
class _Reading:
    """The tables of a report, their values, and the findings."""

    findings: ReaderFindings = field(default_factory=ReaderFindings)
    of_fields: list[Finding] = field(default_factory=list)
    fields: dict[str, FieldReader] = field(default_factory=dict)
    cells: dict[tuple[int, int, str], str] = field(default_factory=dict)
    results_read: bool = False
    unread_sections: set[str] = field(default_factory=set)
    rows_unread: int = 0
    """Rows of players that were not read."""
    tables: Tables = field(init=False)

    def __post_init__(self) -> None:
        self.tables = Tables(self.findings)

    def report(self, encoding: str, *, last_line: int) -> ReadReport:
        for name, called in TABLES.items():
            if name not in self.fields:
                self.findings.add("section-missing.table", line=last_line, column=1, field=name, table=called)
        info, results = self.fields.get("info"), self.fields.get("results")
        players = self.fields.get("players") or FieldReader()
        return ReadReport(
            format=SPREADSHEET,
            encoding=encoding,
            info=info.info() if info else ReportedInfo(),
            players=tuple(replace(player, in_cells=True) for player in players.players),
            games=tuple(results.games) if results else (),
            unread=tuple(sorted(self.findings.unread, key=lambda piece: (piece.line, piece.column))),
            findings=in_file_order((*self.findings, *self.of_fields)),
            undecided=results.players_with_unknown_totals
            if results and self.results_read and "results" not in self.unread_sections
            else frozenset(player.number for player in players.players),
            unread_sections=frozenset(self.unread_sections | (set(TABLES) - set(self.fields))),
            unread_players=players.players_unread + self.rows_unread,
            cells=MappingProxyType(self.cells),
        )

    def read_table(self, table: Table) -> None:
        if table.is_unnamed:
            self.findings.add(
                "section-missing.name",
                **table.at(table.begins, 1),
                found=" | ".join(table.rows.get(table.begins, {}).values()),
                table=TABLES[table.name],
            )
        if table.name in self.fields:
            self.findings.add(
                "section-repeated.table",
                **table.at(table.begins, 1),
                found=table.sheet or TABLES[table.name],
                table=TABLES[table.name],
            )
            self.mark_rows_unread(table, table.rows, "repeated-table")
            return
        fields = self.fields[table.name] = FieldReader()
        if table.name == "info":
            self.read_info(table, fields)
        else:
            self.read_rows(table, fields)
        self.findings.unread += fields.findings.unread
        # A formula has its own finding.
        for finding in fields.findings:
            row, column = finding.line or table.begins, finding.column or 1
            if (row, column) not in table.formulas:
                made_a_date = finding.code == "result-unknown" and _DATE_SHOWN.fullmatch(finding.found)
                case = "date" if made_a_date else finding.case
                self.of_fields.append(
                    replace(
                        finding,
                        case=case,
                        field=cell_name(table.sheet, row, column),
                        # The only result that is typed as 1 January.
                        proposed_value="1-1"
                        if made_a_date and finding.found.startswith(_FIRST_OF_JANUARY)
                        else finding.proposed_value,
                    )
                )

    def mark_rows_unread(self, table: Table, rows: Iterable[int], key: str) -> None:
        for row in rows:
            self.findings.mark_unread(FieldText("", table.unread_row(row), row, 1), key)

    def mark_cell_unread(self, table: Table, row: int, column: int, key: str) -> None:
        self.findings.mark_unread(table.piece(row, column), key)

    def read_info(self, table: Table, fields: FieldReader) -> None:
        for row, texts in table.rows.items():
            key = texts.get(_KEY, "")
            if comparable_text(key) == "key":
                continue
            name = INFO_KEYS.get(comparable_text(key))
            beyond = next((column for column in texts if column > _VALUE), None)
            if beyond or name is None or name in fields.positions:
                self.findings.add(
                    "field-count.info" if beyond else "key-repeated.table" if name else "key-unknown.table",
                    **table.at(row, beyond or _KEY),
                    found=texts.get(beyond or _KEY, ""),
                )
                self.mark_rows_unread(table, (row,), "not-key-and-value")
                continue
            value = texts.get(_VALUE, "")
            fields.positions[name] = (row, _VALUE)
            self.cells[row, _VALUE, name] = cell_name(table.sheet, row, _VALUE)
            if name == "remarks":
                fields.texts[name] = value
            elif value:
                fields.read_info_value(FieldText(name, _as_in_art_11(name, plain_text(value)), row, _VALUE))

    def read_rows(self, table: Table, fields: FieldReader) -> None:
        header = self.read_headings(table)
        rows = list(table.rows)[1:]
        if table.is_paged:
            self.unread_sections.add(table.name)
        for name in header.missing if header.places else ():
            self.findings.add(
                "column-missing.table",
                **table.at(next(iter(table.rows)), 1),
                heading=COLUMNS[table.name][name],
                headings=", ".join(COLUMNS[table.name][name] for name in REQUIRED_COLUMNS[table.name]),
            )
        if not header.places or (header.missing and table.name == "results") or "number" in header.missing:
            self.unread_sections.add(table.name)
            self.mark_rows_unread(table, rows, "column-missing")
            return
        self.results_read = self.results_read or table.name == "results"
        for row in rows:
            texts = table.rows[row]
            if not self.is_within_headings(table, row):
                self.rows_unread += table.name == "players"
                continue
            found = {}
            for name, column in header.places.items():
                self.cells[row, column, name] = cell_name(table.sheet, row, column)
                found[name] = FieldText(name, _as_in_art_11(name, texts.get(column, "")), row, column)
            line = table.unread_row(row)
            if table.name == "results":
                days = {name: found[name] for name in GAME_DAY_COLUMNS if name in found}
                fields.read_result(row, line, [found[name] for name in RESULT_FIELDS], days)
            else:
                self.read_player(table, fields, line, found)

    def read_player(self, table: Table, fields: FieldReader, line: str, found: dict[str, FieldText]) -> None:
        number, last = found["number"], found.get("last_name")
        if last:
            first = found["first_name"].text if "first_name" in found else ""
            found["name"] = last._replace(name="name", text=f"{first} {last.text}".strip())
            self.cells[last.line, last.column, "name"] = cell_name(table.sheet, last.line, last.column)
        fields.read_player(number.line, line, found, PLAYER_COLUMNS | {"title": partial(_read_title, table)})

    def read_headings(self, table: Table) -> Header:
        """Sort the headings of the first row; none if it does not have the headings."""
        row = next(iter(table.rows), None)
        texts = table.rows[row] if row else {}
        header = read_header(
            {column: HEADINGS[table.name].get(comparable_text(text), "") for column, text in texts.items()},
            REQUIRED_COLUMNS[table.name],
        )
        if row is None or len(header.places) + len(header.repeated) < _FEWEST_HEADINGS:
            self.findings.add(
                "header-missing.table",
                **table.at(row or table.begins, 1),
                found=" | ".join(texts.values()),
                table=TABLES[table.name],
                headings=", ".join(COLUMNS[table.name].values()),
            )
            self.mark_rows_unread(table, list(table.rows)[:1], "no-headings")
            return Header({}, [], [], [])
        for column in header.unknown:
            self.add_unknown_column_finding(table, row, column)
        for column in header.repeated:
            self.findings.add("column-repeated", **table.at(row, column), found=texts[column])
            self.mark_cell_unread(table, row, column, "repeated-column")
        return header

    def add_unknown_column_finding(self, table: Table, row: int, column: int) -> None:
        self.findings.add(
            "column-unknown.table",
            **table.at(row, column),
            found=table.rows[row][column],
            headings=", ".join(COLUMNS[table.name].values()),
        )
        self.mark_cell_unread(table, row, column, "unknown-column")

    def is_within_headings(self, table: Table, row: int) -> bool:
        """Whether all cells of the row have a heading; in a CSV file one without a heading shifts all others."""
        first = next(iter(table.rows))
        without_heading = [column for column in table.rows[row] if column not in table.rows[first]]
        if not without_heading:
            return True
        if table.sheet:
            self.add_unknown_column_finding(table, row, without_heading[0])
            return True
        self.findings.add(
            "field-count.headings",
            **table.at(row, without_heading[0]),
            found=table.rows[row][without_heading[0]],
            columns=max(table.rows[first]),
        )
        self.mark_rows_unread(table, (row,), "too-many-cells")
        return False


def _read_title(table: Table, field: FieldText, findings: ReaderFindings) -> str:
    own = ReaderFindings()
    title = read_title(field, own)
    findings.extend(own)
    for piece in own.unread:
        findings.mark_unread(table.piece(field.line, field.column), piece.key)
    return title


def _as_in_art_11(name: str, text: str) -> str:
    """Return the text of a field in the form of art. 11, for the other forms that a spreadsheet can have."""
    if name in ("national_championship", "women_championship"):
        return _ANSWERS.get(text.casefold(), text)
    return text or ("0" if name in ("fmjd_id", "place") else "")


READER = ReportFormat(
    "the template for a spreadsheet, as XLSX or CSV",
    {SPREADSHEET: "spreadsheet template"},
    recognises,
    read_csv,
)
