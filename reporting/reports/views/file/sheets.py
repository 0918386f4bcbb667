"""The rows of a workbook that findings name, as the page of a report's file shows them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reporting.formats.spreadsheets.workbook import Sheet, column_number
from reporting.rules.findings.finding_list import Finding, quoted, sheet_anchor, worst_severity

CELLS_SHOWN = 30


@dataclass(frozen=True)
class SheetCell:
    """A cell of a workbook, and whether a finding is about it."""

    text: str
    marked: bool


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet with its findings."""

    number: int
    anchor: str
    cells: Sequence[SheetCell]
    findings: Sequence[Finding]

    @property
    def tone(self) -> str:
        return worst_severity(self.findings)


@dataclass(frozen=True)
class ShownSheet:
    """A sheet of a workbook: its first row, and the rows with findings."""

    name: str
    rows: Sequence[SheetRow]


def sheet_rows(read: Sequence[Sheet], findings: Sequence[Finding]) -> list[tuple[str, SheetRow]]:
    """The rows of a workbook that findings name, each with the name of its sheet; none for other files."""
    by_name: dict[str, dict[int, list[Finding]]] = {}
    for finding in findings:
        if finding.cell and finding.cell["sheet"]:
            rows = by_name.setdefault(finding.cell["sheet"], {})
            rows.setdefault(int(finding.cell["row"]), []).append(finding)
    shown_rows = []
    for sheet in read:
        name = quoted(sheet.name)
        by_row = by_name.get(name, {})
        formulas: dict[int, dict[int, str]] = {}
        for (row, column), formula in sheet.formulas.items() if by_row else ():
            formulas.setdefault(row, {})[column] = formula
        shown_rows += [
            (name, sheet_row(sheet, number, by_row[number], formulas.get(number, {})))
            for number in sorted(by_row)
        ]
    return shown_rows


def by_sheet(read: Sequence[Sheet], rows: Iterable[tuple[str, SheetRow]]) -> list[ShownSheet]:
    """Rows under their sheets; each sheet starts with its first row, which has the headings."""
    by_name: dict[str, list[SheetRow]] = {}
    for name, row in rows:
        by_name.setdefault(name, []).append(row)
    shown_sheets = []
    for sheet in read:
        sheet_rows = by_name.pop(quoted(sheet.name), [])
        if sheet_rows:
            first = min(sheet.rows, default=sheet_rows[0].number)
            headings = [] if sheet_rows[0].number == first else [sheet_row(sheet, first, [], {})]
            shown_sheets.append(ShownSheet(quoted(sheet.name), [*headings, *sheet_rows]))
    return shown_sheets


def sheet_row(
    sheet: Sheet, number: int, findings: Sequence[Finding], formulas: Mapping[int, str]
) -> SheetRow:
    texts = {**sheet.rows.get(number, {}), **formulas}
    marked = {column_number(finding.cell["column"]) for finding in findings if finding.cell}
    last = max([0, *texts, *marked])
    cells = [
        SheetCell(quoted(texts.get(column, "")), column in marked)
        for column in range(1, min(last, CELLS_SHOWN) + 1)
    ]
    return SheetRow(number, sheet_anchor(quoted(sheet.name), number), cells, findings)
