"""The crosstable that toernooibase prints for a report to FMJD (Annex 9 art. 4.1): reader.

The name of the tournament comes first, with or without semicolons around it, then lines that begin with one: an
address, the schedule, ``fill in FMJD-report``. Then the names of the columns, ``Pl;FMJD-id;Title;Name;Cn;…;Pt``, in
older exports ``Pl;Sno;…;Pt``, and one line a player. A cell ``2/8w`` means: 2 points with white against the player in
place 8. A cell names the opponent by place, not by tournament number; the games read have the number if there is
one, otherwise the place. A line that begins with # is a comment.

A name is printed ``First Last`` without a separator, so it is not split. A dash for the result, ``-/8w``, is a
regulatory result; see ``crosstable`` for what the totals decide of it.
"""

from __future__ import annotations

import re

from reporting.formats.crosstables.crosstable import CellFormat
from reporting.formats.crosstables.semicolon_table import (
    LINES_SEARCHED,
    Dialect,
    comparable_text,
    read_semicolon_table,
)
from reporting.rules.report import ReadReport, ReportFormat

FORMAT = "toernooibase"

_ASKS = ";fillinfmjd-report"
_AROUND_NAME = "; \t"
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_TWO_CELLS = re.compile(r";\s*[012-]/[0-9]{1,4}[wb]\s*;\s*[012-]/[0-9]{1,4}[wb]\s*;", re.IGNORECASE)


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether the file begins as toernooibase begins a table, or a line holds cells as it writes them."""
    return (
        _DIALECT.begins(lines)
        or any(comparable_text(line).rstrip(";") == _ASKS for line in lines[:LINES_SEARCHED])
        or any(_TWO_CELLS.search(line) for line in lines)
    )


def read_toernooibase(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a crosstable of toernooibase from its lines (without line ends).

    Never raises: every fault is a finding with line and column. Comments, columns that are not known, and
    cells that could not be read are in ``unread``. The file does not have dates and system, and does not split first
    name and surname.
    """
    return read_semicolon_table(lines, _DIALECT, encoding=encoding)


def _tournament_name(line: str) -> tuple[str, int]:
    """Return the name if the line is no address; it has a semicolon only in a line that begins with one."""
    name = line.strip(_AROUND_NAME)
    no_name = not name or name.startswith("#") or _ADDRESS.match(name)
    if no_name or (";" in name and not line.lstrip().startswith(";")):
        return "", 1
    return name, line.index(name) + 1


_DIALECT = Dialect(
    format=FORMAT,
    header="Pl;FMJD-id;Title;Name;Cn;R1;…;Pt",
    columns={
        "pl": "place",
        "sno": "number",
        "title": "title",
        "name": "name",
        "cn": "country",
        "rating": "rating",
        "fmjd": "rating",
        "pt": "points",
    },
    first_lines=frozenset({_ASKS}),
    name_of=_tournament_name,
    splits_names=False,
    cells=CellFormat(
        pattern=re.compile(r"(?P<result>[012-])/(?P<opponent>0|[0-9]{1,4}(?=[wb]))(?P<colour>[wb]?)"),
        case="toernooibase",
        pause="2/0",
        not_played="0/0",
        win="2/8w",
        forfeit="-/1b",
    ),
)


READER = ReportFormat(
    "the crosstable of toernooibase", {FORMAT: "toernooibase"}, recognises, read_toernooibase
)
