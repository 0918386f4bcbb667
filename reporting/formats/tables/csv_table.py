"""Tables as CSV or XLSX, the formats of the register and of an opening list."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from reporting.formats.spreadsheets.workbook import cell_name, read_sheets
from reporting.formats.tables.table import read_header
from reporting.rules.findings.finding_list import Finding, finding, in_file_order

WHOLE_NUMBER = re.compile(r"[0-9]{1,9}\Z")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
ARCHIVE_MARK = b"PK\x03\x04"
YEAR = re.compile(r"(18|19|20)[0-9]{2}\Z")
DATE_OF_WORKBOOK = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})\Z")
FORBIDDEN_IN_CELL = re.compile(r"[\x00\ud800-\udfff]")
ARTICLE = "docs/how-to/first-quarter.md"


@dataclass(frozen=True)
class TableRow:
    """A line of the table: its number in the file, from 1, and its stripped values by column name."""

    line: int
    values: Mapping[str, str]


class TableFindings:
    """Collects the findings of a table."""

    def __init__(self, columns: Sequence[str], article: str = ARTICLE) -> None:
        self.columns = list(columns)
        self.article = article
        self.findings: list[Finding] = []

    def add(self, key: str, *, line: int | None = None, field: str | None = None, **given: Any) -> None:
        """Keep a finding of the catalogue; see `finding`."""
        # The column of a CSV cell is the number of its field, from 1: quoted cells have no stable character column.
        column = self.columns.index(field) + 1 if field in self.columns else None
        self.findings.append(
            finding(key, line=line, column=column, field=field, article=self.article, **given)
        )

    def in_order(self) -> tuple[Finding, ...]:
        """The findings by line and field, up to the limit."""
        return in_file_order(self.findings)

    def whole_number(self, row: TableRow, field: str, least: int, most: int) -> int | None:
        """The cell as a number, None if it is empty; anything else is a finding and None."""
        text = row.values.get(field, "")
        if not text:
            return None
        if not WHOLE_NUMBER.match(text) or not least <= int(text) <= most:
            self.add("number-unreadable.csv", line=row.line, field=field, found=text, least=least, most=most)
            return None
        return int(text)

    def day(self, row: TableRow, field: str) -> date | None:
        """The cell as a date, None if it is empty; anything else is a finding and None."""
        text = row.values.get(field, "")
        if not text:
            return None
        try:
            if ISO_DATE.match(text):
                return date.fromisoformat(text)
        except ValueError:
            pass
        self.add("date-unreadable.csv", line=row.line, field=field, found=text)
        return None

    def one_of(self, row: TableRow, field: str, allowed: Sequence[str]) -> str:
        """The cell, upper case, if it is one of the allowed words or empty; anything else is a finding."""
        text = row.values.get(field, "").upper()
        if text and text not in allowed:
            self.add("value-unknown", line=row.line, field=field, found=text, allowed=", ".join(allowed))
            return ""
        return text


def read_table(
    content: bytes,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    aliases: Mapping[str, str],
    most_rows: int = 2_000_000,
    article: str = ARTICLE,
    alone: Sequence[str] = (),
    workbooks: bool = False,
) -> tuple[list[TableRow], TableFindings]:
    """The rows of a table with a header line, and all findings about its format. Never raises.

    `aliases` maps other spellings of a column to its name. Unknown, missing and repeated columns are errors, and so is
    a line with another number of cells than the header. `alone` are required columns that are enough where the header
    has none of the others. A CSV file is UTF-8, with or without byte order mark. With `workbooks` XLSX is read as well:
    the only sheet with content; `line` is the number of the row, and a day is written as in a CSV file.
    """
    findings = TableFindings([], article)
    is_workbook = workbooks and content.startswith(ARCHIVE_MARK)
    lines = (_lines_of_workbook if is_workbook else _lines_of_csv)(content, findings)
    rows: list[TableRow] = []
    _, header = next(lines, (1, []))
    if findings.findings:
        return [], findings
    names = [aliases.get(name.strip().lower(), name.strip().lower()) for name in header]
    findings.columns = names
    if alone and not any(name in names for name in required if name not in alone):
        required, optional = alone, (*(name for name in required if name not in alone), *optional)
    _check_header(names, required, optional, findings)
    if findings.findings:
        return [], findings
    for line, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(names):
            findings.add("field-count.csv", line=line, cells=len(cells), columns=len(names))
            continue
        if len(rows) == most_rows:
            findings.add("limit-rows", line=line, limit=most_rows)
            break
        rows.append(TableRow(line, dict(zip(names, (cell.strip() for cell in cells), strict=True))))
    return rows, findings


def _lines_of_csv(content: bytes, findings: TableFindings) -> Iterator[tuple[int, list[str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        findings.add(
            "encoding-unreadable.csv",
            line=line,
            found="byte " + content[problem.start : problem.start + 1].hex().upper(),
        )
        return
    if "\0" in text:
        findings.add("character-forbidden.csv")
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as problem:
        findings.add("line-unreadable.csv", line=reader.line_num, problem=str(problem))


def _lines_of_workbook(content: bytes, findings: TableFindings) -> Iterator[tuple[int, list[str]]]:
    """The rows with content of the only sheet that has some; a formula or merged cells are findings."""
    sheets, refusal = read_sheets(content)
    if refusal is not None:
        findings.findings.append(refusal)
        return
    filled = [sheet for sheet in sheets if sheet.rows or sheet.formulas]
    if len(filled) > 1:
        findings.add("sheet-unknown.second", line=1, sheets=", ".join(sheet.name for sheet in filled))
        return
    if not filled:
        return
    (sheet,) = filled
    formulas: dict[int, list[int]] = {}
    for row, column in sorted(sheet.formulas):
        formulas.setdefault(row, []).append(column)
    width = max(sheet.rows[min(sheet.rows)]) if sheet.rows else 0
    for row in sorted({*sheet.rows, *formulas}):
        cells = sheet.rows.get(row, {})
        for column in formulas.get(row, ()):
            cell, formula = cell_name("", row, column), sheet.formulas[row, column]
            findings.add("formula-refused", line=row, field=cell, found=formula)
        if any(FORBIDDEN_IN_CELL.search(cell) for cell in cells.values()):
            findings.add("character-forbidden.csv", line=row)
        elif max(cells, default=0) > width:
            cell = cell_name("", row, max(cells))
            findings.add("field-count.sheet", line=row, field=cell, found=cells[max(cells)], columns=width)
        elif row not in formulas:
            texts = (cells.get(column, "") for column in range(1, width + 1))
            yield row, [DATE_OF_WORKBOOK.sub(r"\3-\2-\1", text) for text in texts]
    for merged in sheet.merged:
        findings.add("cells-merged", found=merged)


def _check_header(
    names: Sequence[str], required: Sequence[str], optional: Sequence[str], findings: TableFindings
) -> None:
    known = ", ".join((*required, *optional))
    header = read_header(dict(enumerate(names)), required)
    for name in header.missing:
        findings.add("column-missing.csv", line=1, heading=name, headings=known)
    for name in dict.fromkeys(names):
        if name not in required and name not in optional:
            findings.add("column-unknown.csv", line=1, found=name, headings=known)
    for place in header.repeated:
        findings.add("column-repeated.csv", line=1, found=names[place])
