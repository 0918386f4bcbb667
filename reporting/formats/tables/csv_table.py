"""Tables as CSV or XLSX, the formats of the register and of an opening list."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from reporting.formats.spreadsheets.workbook import cell_name, read_sheets
from reporting.formats.tables.table import find_separator, read_header
from reporting.formats.text.decode import marked_body, with_line_feeds
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.findings.finding_list import Finding, finding, in_file_order
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.sexes import sex_code

WHOLE_NUMBER = re.compile(r"[0-9]{1,9}\Z")
ARCHIVE_MARK = b"PK\x03\x04"
YEAR = re.compile(r"(18|19|20)[0-9]{2}\Z")
FORBIDDEN_IN_CELL = re.compile(r"[\x00\ud800-\udfff]")
ARTICLE = "docs/how-to/first-quarter.md"


@dataclass(frozen=True)
class TableRow:
    """A line of the table: its number in the file, from 1, and its values in plain spaces by column name."""

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
        day = parse_day(text)
        if isinstance(day, date):
            return day
        self.add("date-unreadable.csv", line=row.line, field=field, found=text)
        return None

    def sex(self, row: TableRow, field: str) -> str:
        """The cell as W or M, empty if it is empty; anything else is a finding and empty."""
        text = row.values.get(field, "")
        sex = sex_code(text)
        if sex is None:
            self.add("value-unknown", line=row.line, field=field, found=text, allowed="M, W")
        return sex or ""

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
    has none of the others. A CSV file is UTF-8, or UTF-16 with a byte order mark; between its cells are commas,
    semicolons or tabs, as in its header line. With `workbooks` XLSX is read as well: the only sheet with content;
    `line` is the number of the row.
    """
    findings = TableFindings([], article)
    known = {*required, *optional, *aliases}
    if workbooks and content.startswith(ARCHIVE_MARK):
        lines = _lines_of_workbook(content, findings)
    else:
        lines = _lines_of_csv(content, findings, lambda heading: plain_text(heading).lower() in known)
    rows: list[TableRow] = []
    _, header = next(lines, (1, []))
    if findings.findings:
        return [], findings
    names = [plain_text(name).lower() for name in header]
    names = [aliases.get(name, name) for name in names]
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
            more = 1 + sum(any(map(str.strip, cells)) for _, cells in lines)
            findings.add("limit-rows", line=line, limit=most_rows, count=more)
            break
        rows.append(TableRow(line, dict(zip(names, map(plain_text, cells), strict=True))))
    return rows, findings


def _lines_of_csv(
    content: bytes, findings: TableFindings, is_heading: Callable[[str], bool]
) -> Iterator[tuple[int, list[str]]]:
    codec, body = marked_body(content)
    try:
        text = with_line_feeds(body.decode(codec or "utf-8"))
    except UnicodeDecodeError as problem:
        before = with_line_feeds(body[: problem.start].decode(codec or "utf-8", errors="replace"))
        findings.add(
            "encoding-unreadable.csv",
            line=before.count("\n") + 1,
            found="byte " + body[problem.start : problem.start + 1].hex().upper(),
        )
        return
    if "\0" in text:
        findings.add("character-forbidden.csv")
        return
    separator = find_separator(text.partition("\n")[0], is_heading) or ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
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
            yield row, list(texts)
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
