"""The tables of a spreadsheet as rows of texts: the sheets of a workbook, or the parts of a CSV file.

The findings of cells that look different from their content (formulas, merged cells, hidden cells) and of text that is
not allowed in a cell are added here; ``spreadsheet`` reads what the texts mean.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypedDict

from reporting.formats.annex_9.article_11 import INFO_KEYS
from reporting.formats.spreadsheets.form import HEADINGS, TABLES, comparable_text
from reporting.formats.spreadsheets.workbook import Sheet, cell_name, column_letters, column_number
from reporting.formats.tables.table import SEPARATORS, FieldText, ReaderFindings, find_separator
from reporting.formats.text.decode import clean_line, with_line_feeds
from reporting.rules.findings.finding_list import FindingList
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import MAX_GAMES, MAX_PLAYERS

_LONGEST_CELL = 32_767
"""Characters of a cell; no spreadsheet program allows more."""

MAX_ROWS = {
    "info": ("text-outside-section.rows", 1_001),
    "players": ("limit-players", MAX_PLAYERS + 1),
    "results": ("limit-games", MAX_GAMES + 1),
    "games": ("limit-games", MAX_GAMES + 1),
}
"""The finding for a table that is too long, and its most rows, the headings among them."""
_FORMULA_SIGNS = ("=", "\uff1d")
_IGNORED_CHARACTERS = ' \t;,"'
_LONGEST_TABLE_LINE = 1_000
_MOST_TABLES = 100
_FEWEST_HEADINGS = 3
"""Fewest headings of a table that are no coincidence."""
_CELLS_SHOWN, _LETTERS_SHOWN = 12, 40

_FIRST_CELL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})(?::|\Z)")


class _Place(TypedDict):
    line: int
    column: int
    field: str


@dataclass
class Table:
    """A table: its texts by row and column, none of them empty, and the cells with a formula.

    ``begins`` is the line of a CSV file with its name, and the row of findings about the whole table. ``is_unnamed``:
    no line has its name, but its first row is that of the template.
    """

    name: str
    sheet: str = ""
    begins: int = 1
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    formulas: set[tuple[int, int]] = field(default_factory=set)
    is_paged: bool = False
    is_unnamed: bool = False

    def at(self, row: int, column: int) -> _Place:
        """Return the place of a cell for a finding."""
        return _Place(line=row, column=column, field=cell_name(self.sheet, row, column))

    def piece(self, row: int, column: int) -> FieldText:
        """Return a cell as ``unread`` lists it, with its name."""
        return FieldText("", f"{cell_name(self.sheet, row, column)}: {self.rows[row][column]}", row, column)

    def unread_row(self, row: int) -> str:
        """Return a row as ``unread`` lists it, with its first cell."""
        texts = [text[:_LETTERS_SHOWN] for text in list(self.rows[row].values())[:_CELLS_SHOWN]]
        return f"{cell_name(self.sheet, row, 1)}: {' | '.join(texts)}"


def _table_beginning(line: str, after: str) -> str:
    """Return the table for which a line must be the first row, empty if it can belong to the table before it."""
    if line[:1].isdigit():
        return ""  # most lines by far
    for separator in SEPARATORS:
        cells = [comparable_text(cell.strip(' \t"')) for cell in line[:_LONGEST_TABLE_LINE].split(separator)]
        if not after and cells[0] in INFO_KEYS and len(cells) > 1:
            return "info"
        for name, headings in HEADINGS.items():
            if name != after and sum(cell in headings for cell in cells) >= _FEWEST_HEADINGS:
                return name
    return ""


def named_table(line: str) -> str:
    """Return the table whose name a line has, empty for any other line."""
    name = line.strip(_IGNORED_CHARACTERS).casefold() if len(line) <= _LONGEST_TABLE_LINE else ""
    return name if name in TABLES else ""


@dataclass
class Tables:
    """Reads the tables of a file one after the other; ``findings`` are added to."""

    findings: ReaderFindings

    def of_workbook(self, sheets: Sequence[Sheet]) -> Iterator[Table]:
        for sheet in sheets:
            name = sheet.name.strip().casefold()
            if name in TABLES:
                yield self.table_of(sheet, name)
            else:
                self.mark_sheet_unread(sheet)

    def of_csv(self, lines: tuple[str, ...]) -> Iterator[Table]:
        """Return no tables if the separator of the cells is unclear."""
        parts: list[tuple[Table, list[tuple[int, str]]]] = []
        for number, line in enumerate(lines, start=1):
            name = named_table(line)
            if (
                name
                and parts
                and parts[-1][0].is_unnamed
                and parts[-1][0].name == name
                and len(parts[-1][1]) == 1
            ):
                continue  # the headings are above the name
            if name and parts and parts[-1][0].name == name and not parts[-1][1]:
                self.add_repeated_table_finding(parts[-1][0], number)
                continue
            if name and len(parts) < _MOST_TABLES:
                parts.append((Table(name, begins=number), []))
                continue
            if line.lstrip(' \t"').startswith("#") or not line.strip(_IGNORED_CHARACTERS):
                continue
            unnamed = _table_beginning(line, parts[-1][0].name if parts else "")
            if unnamed and unnamed not in {table.name for table, _ in parts}:
                parts.append((Table(unnamed, begins=number, is_unnamed=True), []))
            if parts:
                parts[-1][1].append((number, line))
            else:
                self.mark_outside_unread(number, line)
        separator = _separator(parts)
        if not separator:
            self.add_no_separator_finding(parts)
            return
        for table, rows in parts:
            for number, line in rows:
                self.add_line(table, number, line, separator)
            yield table

    def table_of(self, sheet: Sheet, name: str) -> Table:
        """Return a sheet as a table with clean texts; report cells that look different from their content."""
        table = Table(name, sheet.name)
        for (row, column), formula in sheet.formulas.items():
            self.refuse_formula(table, row, column, formula)
        for row in sorted(sheet.rows):
            self.add_row(table, row, sheet.rows[row])
        if sheet.hidden:
            self.add_hidden_finding("hidden-part", table, 1, 1, sheet.name)
        for merged in sheet.merged:
            first = _FIRST_CELL.match(merged)
            self.findings.add(
                "cells-merged",
                **(table.at(int(first[2]), column_number(first[1])) if first else table.at(1, 1)),
                found=merged,
            )
        hidden = set(sheet.hidden_rows)
        before = 0
        for row in table.rows:
            if row in hidden and before not in hidden:
                self.add_hidden_finding("hidden-part.row", table, row, 1, str(row))
            before = row
        for column in sorted({column for row in table.rows.values() for column in row})[:_CELLS_SHOWN]:
            if any(first <= column <= last for first, last in sheet.hidden_columns):
                self.add_hidden_finding("hidden-part.column", table, 1, column, column_letters(column))
        return table

    def add_hidden_finding(self, key: str, table: Table, row: int, column: int, part: str) -> None:
        self.findings.add(key, **table.at(row, column), part=part)

    def mark_sheet_unread(self, sheet: Sheet) -> None:
        if not sheet.rows and not sheet.formulas:
            return
        self.findings.add(
            "sheet-unknown.hidden" if sheet.hidden else "sheet-unknown",
            **Table("", sheet.name).at(1, 1),
            sheet=sheet.name,
        )
        self.findings.mark_unread(FieldText("", sheet.name, 1, 1), "unknown-sheet")

    def add_repeated_table_finding(self, table: Table, number: int) -> None:
        self.findings.add("section-repeated.name", **table.at(number, 1), found=TABLES[table.name])

    def mark_outside_unread(self, number: int, line: str) -> None:
        whole = FieldText("", line, number, 1)
        self.findings.add("text-outside-section.table", at=whole)
        self.findings.mark_unread(whole, "outside-the-tables")

    def add_no_separator_finding(self, parts: list[tuple[Table, list[tuple[int, str]]]]) -> None:
        headings = next(((table, rows[0]) for table, rows in parts if rows and table.name != "info"), None)
        if headings:
            self.add_unclear_separator_finding(headings[0], *headings[1])
        for number, line in chain.from_iterable(rows for _, rows in parts):
            self.findings.mark_unread(FieldText("", line, number, 1), "no-separator")

    def add_unclear_separator_finding(self, table: Table, number: int, line: str) -> None:
        self.findings.add("separator-unclear", **table.at(number, 1), found=line)

    def add_line(self, table: Table, number: int, line: str, separator: str) -> None:
        """Add a line of a CSV file to its table as a row."""
        if self.is_full(table, number):
            return
        try:
            texts = next(csv.reader([line], delimiter=separator, strict=True))
        except csv.Error as problem:
            self.findings.add("line-unreadable.csv", **table.at(number, 1), found=line, problem=str(problem))
            self.findings.mark_unread(FieldText("", line, number, 1), "not-csv")
            return
        filled = [text for text in texts if text.strip()]
        if len(filled) == 1 and any(other in filled[0] for other in SEPARATORS if other != separator):
            self.add_unclear_separator_finding(table, number, line)
            self.findings.mark_unread(FieldText("", line, number, 1), "another-separator")
            return
        self.add_row(table, number, dict(enumerate(texts, start=1)))

    def is_full(self, table: Table, row: int) -> bool:
        """Whether the table is at its limit, so that the rest is not read; reported once."""
        key, most = MAX_ROWS[table.name]
        if not self.findings.exceeds(key, most - 1, len(table.rows), **table.at(row, 1)):
            return False
        if not table.is_paged:
            table.is_paged = True
            first = FieldText("", cell_name(table.sheet, row, 1), row, 1)
            self.findings.mark_unread(first, "over-limit")
        return True

    def add_row(self, table: Table, row: int, texts: Mapping[int, str]) -> None:
        """Add a row to its table, without notes and empty cells."""
        if texts.get(min(texts), "").startswith("#") or self.is_full(table, row):
            return
        cleaned = {column: self.clean(table, row, column, texts[column].strip()) for column in sorted(texts)}
        filled = {column: text for column, text in cleaned.items() if text}
        if filled:
            table.rows[row] = filled

    def clean(self, table: Table, row: int, column: int, text: str) -> str:
        """Return the text of a cell composed; empty, and a finding, for a formula or a text that is too long."""
        if text.startswith(_FORMULA_SIGNS):
            self.refuse_formula(table, row, column, text)
            return ""
        if len(text) > _LONGEST_CELL:
            self.findings.add(
                "line-too-long.cell", **table.at(row, column), length=len(text), limit=_LONGEST_CELL
            )
            return ""
        found = FindingList()
        # Only in the Info table can a text have several lines; elsewhere a line end is a space.
        lines = with_line_feeds(text).split("\n") if table.name == "info" else [text]
        cleaned = "\n".join(clean_line(row, plain_text(line), found) for line in lines)
        for finding in found:
            self.findings.extend([replace(finding, **table.at(row, column))])
        return cleaned

    def refuse_formula(self, table: Table, row: int, column: int, formula: str) -> None:
        table.formulas.add((row, column))
        self.findings.add("formula-refused", **table.at(row, column), found=formula)


def _separator(parts: list[tuple[Table, list[tuple[int, str]]]]) -> str:
    """Return the separator by the headings of the players, otherwise of the results; empty if unclear."""
    for wanted in ("players", "results"):
        for table, rows in parts:
            if table.name == wanted and rows:
                headings = HEADINGS[wanted]
                separator = find_separator(rows[0][1], lambda cell: comparable_text(cell) in headings)  # noqa: B023
                if separator:
                    return separator
    return ""
