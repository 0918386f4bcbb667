"""The tables we publish and export: CSV, JSON, text and XLSX, the same bytes for the same rows."""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import xlsxwriter

from ratings.rules.declared import Column, Kind
from reporting.formats.tables.exported_cells import exported_cell
from reporting.rules.points import points_text
from reporting.rules.report import PointsScale

GAME_COLUMNS = ("tournament", "round", "date", "white_id", "black_id", "result", "counted")
GAME_COLUMNS_OF_SESSIONS = (*GAME_COLUMNS, "game", "minutes_for_60_moves")
"""Of a list that counts games of a session (R25)."""
TOURNAMENT_COLUMNS = (
    "code", "name", "place", "country", "played_from", "played_to", "time_control", "minutes_for_60_moves",
    "development", "pool", "report_sha256", "ratings_of", "number",
)  # fmt: skip
CALCULATION_COLUMNS = (
    "list", "in_force", "closing", "system", "edition", "players", "tournaments", "games", "sha256",
    "previous_sha256", "input_sha256",
)  # fmt: skip
CARRIED_COLUMNS = ("rating", "games", "corrections")
"""After the player's number."""
INPUT_LIST_COLUMNS = ("list", "sha256", "use")
DECISION_COLUMNS = ("tournament", "item", "value", "players")

E4 = 10_000
DECIMALS = re.compile(r"-?[0-9]+\.[0-9]{4}\Z")
# XLSX carries a creation date; a fixed one keeps the bytes, and so the digest, the same.
NO_DATE = datetime(2000, 1, 1)


def merged_columns(number: str) -> tuple[str, ...]:
    """The columns of `merged.csv`, by the header of numbers in the system's register."""
    return ("order", number, f"surviving_{number}", "state", "rating_of", "rating", "games", "list")


def decimals(value_e4: int | None) -> str:
    """A figure times 10 000 as the regulations print it, with four decimals and a point; empty for None."""
    if value_e4 is None:
        return ""
    return f"{'-' if value_e4 < 0 else ''}{abs(value_e4) // 10_000}.{abs(value_e4) % 10_000:04d}"


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """UTF-8, `\\n`, comma, header line, quotes as RFC 4180 asks; None is empty, dates ISO."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, date):
        return value.isoformat()
    return exported_cell(value)


def json_file(document: dict[str, Any]) -> bytes:
    """One JSON document, readable, in the order given; dates ISO."""
    return (json.dumps(document, ensure_ascii=False, indent=1, default=date.isoformat) + "\n").encode()


def file_value(column: Column, value: Any) -> Any:
    """A stored value as files have it: a flag is 1 or 0, a scaled figure has four decimals, half points are `1.5`."""
    match column.kind:
        case Kind.FLAG:
            return None if value is None else int(value)
        case Kind.SCALED:
            return decimals(value)
        case Kind.HALVES:
            return None if value is None else points_text(value, PointsScale.HALVES, in_file=True)
        case _:
            return value


def text_file(title: Sequence[str], columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> bytes:
    """A list to print: title lines, a head, one line a row; each column as wide as its longest cell."""
    table = [[column.text_header or column.header or column.name for column in columns]]
    for row in rows:
        table.append([_text(column, value) for column, value in zip(columns, row, strict=True)])
    widths = [max(len(line[place]) for line in table) for place in range(len(columns))]
    lines = [*title, ""]
    for line in table:
        cells = zip(columns, line, widths, strict=True)
        aligned = (
            cell.rjust(width) if column.kind.is_number else cell.ljust(width) for column, cell, width in cells
        )
        lines.append("  ".join(aligned).rstrip())
    return ("\n".join(lines) + "\n").encode()


def _text(column: Column, value: Any) -> str:
    if value is None:
        return ""
    return f"{value:+d}" if column.kind is Kind.DIFFERENCE else str(value)


def xlsx_file(sheet: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """One sheet with a frozen, filterable head; text is never taken for a formula or a link."""
    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": NO_DATE})
        page = book.add_worksheet(sheet)
        four_decimals = book.add_format({"num_format": "0.0000"})
        page.write_row(0, 0, columns, book.add_format({"bold": True, "bottom": 1}))
        last = 0
        for last, row in enumerate(rows, start=1):
            for place, value in enumerate(row):
                if isinstance(value, str) and DECIMALS.match(value):
                    page.write_number(last, place, float(value), four_decimals)
                elif value is not None:
                    page.write(last, place, value.isoformat() if isinstance(value, date) else value)
        page.freeze_panes(1, 0)
        page.autofilter(0, 0, max(last, 1), len(columns) - 1)
        if "name" in columns:
            page.set_column(columns.index("name"), columns.index("name"), 34)
    return out.getvalue()
