"""The tables we publish and export: CSV, JSON, text and XLSX, the same bytes for the same rows."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from rustpy_xlsxwriter import Format, write_worksheet

from ratings.rules import scaled_numbers
from ratings.rules.declared import Column, Kind
from ratings.rules.scaled_numbers import MINUS, rounded
from reporting.formats.tables.exported_cells import exported_column
from reporting.refusals.domain_error import DomainError
from reporting.rules.points import points_text
from reporting.rules.report import PointsScale

GAME_COLUMNS = ("tournament", "round", "date", "white_id", "black_id", "result", "counted")
TOURNAMENT_COLUMNS = (
    "code", "name", "place", "country", "played_from", "played_to", "time_control", "minutes_for_60_moves",
    "development", "pool", "report_sha256", "ratings_of", "number",
)  # fmt: skip
TOURNAMENT_COLUMNS_IN_PARTS = ("code", "part", *TOURNAMENT_COLUMNS[1:])
"""Of a system that has tournaments in parts: a line a part."""
CHANGE_COLUMNS_OF_GAMES = ("part", "round")
"""Of changes by game, after the code of the tournament."""
CALCULATION_COLUMNS = (
    "list", "in_force", "closing", "system", "edition", "players", "tournaments", "games", "sha256",
    "previous_sha256", "input_sha256",
)  # fmt: skip
CARRIED_COLUMNS = ("rating", "games", "corrections")
"""After the player's number."""
INPUT_LIST_COLUMNS = ("list", "sha256", "use")
DECISION_COLUMNS = ("tournament", "item", "value", "players")

E4 = 10_000
SHEET_ROWS = 1_048_576
"""Of a sheet of Excel, its head included."""
# XLSX carries a creation date; a fixed one keeps the bytes, and so the digest, the same.
CORE = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cp:coreProperties'
    ' xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
    ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    '<dcterms:created xsi:type="dcterms:W3CDTF">2000-01-01T00:00:00Z</dcterms:created></cp:coreProperties>'
)


def game_columns(*, of_sessions: bool, has_substitutes: bool) -> tuple[str, ...]:
    """The columns of `games.csv`: of a list that counts games of a session (R25), of one with substitutes."""
    replaced = ("white_for_id", "black_for_id") if has_substitutes else ()
    return (*GAME_COLUMNS, *replaced, *(("game", "minutes_for_60_moves") if of_sessions else ()))


def merged_columns(number: str) -> tuple[str, ...]:
    """The columns of `merged.csv`, by the header of numbers in the system's register."""
    return ("order", number, f"surviving_{number}", "state", "rating_of", "rating", "games", "list")


def decimals(value: int | None, places: int = 4) -> str:
    """A scaled figure as the regulations print it, with its decimals and a point; empty for None."""
    return "" if value is None else scaled_numbers.decimals(value, places).replace(MINUS, "-")


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """UTF-8, `\\n`, comma, header line, quotes as RFC 4180 asks; None is empty, dates ISO."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*map(exported_column, zip(*rows, strict=True)), strict=True))
    return out.getvalue().encode()


FIDE_COLUMNS = (
    ("ID Number", 15), ("Name", 61), ("Fed", 4), ("Sex", 4), ("Tit", 5), ("WTit", 5), ("OTit", 15), ("FOA", 4),
    ("SRtng", 6), ("SGm", 4), ("SK", 3), ("B-day", 6), ("Flag", 4),
)  # fmt: skip
"""The columns of the rating list of FIDE as text, which pairing programs read, with their widths."""


def fide_text_file(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A rating list in the columns of FIDE's, by their heads; blank without a value, a long one is cut."""
    out = io.BytesIO()
    for row in chain([{name: name for name, _ in FIDE_COLUMNS}], rows):
        line = "".join(f"{row.get(name, ''):<{width}}"[:width] for name, width in FIDE_COLUMNS)
        out.write(f"{line.rstrip()}\n".encode())
    return out.getvalue()


def json_file(document: dict[str, Any]) -> bytes:
    """One JSON document, readable, in the order given; dates ISO."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def file_value(column: Column, value: Any) -> Any:
    """A stored value as files have it: a flag is 1 or 0, a scaled figure has its decimals, half points are `1.5`."""
    match column.kind:
        case Kind.FLAG:
            return None if value is None else int(value)
        case Kind.SCALED:
            places = column.decimals_in_files
            return decimals(None if value is None else rounded(value, column.decimals, places), places)
        case Kind.HALVES:
            return None if value is None else points_text(value, PointsScale.HALVES, in_file=True)
        case _:
            return value


def text_file(title: Sequence[str], columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> bytes:
    """A list to print: title lines, a head, one line a row; each column as wide as its longest cell."""
    printed = []
    for column, values in zip(columns, zip(*rows, strict=True) if rows else [()] * len(columns), strict=True):
        text = "{:+d}".format if column.kind is Kind.DIFFERENCE else str
        cells = [column.text_header or column.header or column.name]
        cells.extend(["" if value is None else text(value) for value in values])
        width = max(map(len, cells))
        aligned = str.rjust if column.kind.is_number else str.ljust
        printed.append([aligned(cell, width) for cell in cells])
    lines = [*title, "", *("  ".join(line).rstrip() for line in zip(*printed, strict=True))]
    return ("\n".join(lines) + "\n").encode()


def xlsx_file(
    sheet: str, columns: Sequence[str], rows: Sequence[dict[str, Any]], scaled: Collection[str] = ()
) -> bytes:
    """One sheet with a frozen, filterable head; text is never taken for a formula or a link.

    The texts of the columns `scaled` are numbers with four decimals. Raises DomainError `too_many_rows` for more rows
    than a sheet holds.
    """
    if len(rows) >= SHEET_ROWS:
        raise DomainError("too_many_rows", rows=len(rows), most=SHEET_ROWS - 1)
    if scaled:
        rows = [row | {name: _number(row[name]) for name in scaled} for row in rows]
    out = io.BytesIO()
    write_worksheet(
        rows or [dict.fromkeys(columns)],
        out,
        sheet,
        freeze_row=1,
        float_format="0.0000",
        column_widths={"name": 34} if "name" in columns else None,
        header_format=Format().set_bold().set_border_bottom("thin"),
        autofilter=True,
    )
    _without_date(out)
    return out.getvalue()


def _number(cell: str | int | None) -> float | str | int | None:
    return float(cell) if isinstance(cell, str) and cell else cell


def _without_date(book: io.BytesIO) -> None:
    """Replace the properties of a workbook, near its end, by those with the fixed date."""
    with ZipFile(book, "a", ZIP_DEFLATED) as archive:
        names = archive.namelist()
        last = archive.infolist()[names.index("docProps/core.xml") :]
        after = [(entry.filename, archive.read(entry)) for entry in last[1:]]
        archive.start_dir = last[0].header_offset
        for entry in last:
            archive.filelist.remove(entry)
            del archive.NameToInfo[entry.filename]
        for name, content in [(last[0].filename, CORE.encode()), *after]:
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
        book.truncate()
