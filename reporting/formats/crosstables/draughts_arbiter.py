"""The crosstable that Draughts Arbiter exports (Annex 9 art. 4.1): reader.

The file begins with ``;Tournament table``, then the name of the tournament, then the names of the columns and
one line a player, with semicolons between the fields. A cell ``68b2`` means: against the player in place 68, with
black, 2 points. A cell names the opponent by place, not by tournament number; the games read have the number.
``67w-`` is a regulatory result; see ``crosstable`` for what the totals decide of it.
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

FORMAT = "draughts-arbiter"

_FIRST_LINE = ";tournamenttable"


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether the file begins as Draughts Arbiter begins a tournament table."""
    beginning = [comparable_text(line).rstrip(";") for line in lines[:LINES_SEARCHED] if line.strip()]
    return any(line == _FIRST_LINE for line in beginning[:1]) or _DIALECT.begins(lines)


def read_draughts_arbiter(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a crosstable exported by Draughts Arbiter from its lines (without line ends).

    Never raises: every fault is a finding with line and column. Columns of tie-breaks, and cells that could
    not be read, are listed in ``unread``. The file does not have dates, system, birth and FMJD-ID.
    """
    return read_semicolon_table(lines, _DIALECT, encoding=encoding)


def _tournament_name(line: str) -> tuple[str, int]:
    name = line.strip().rstrip("; \t")
    return ("", 1) if name.startswith(";") else (name, line.index(name) + 1)


_DIALECT = Dialect(
    format=FORMAT,
    header="Place;S.No.;Title;Name;Fed.;FMJD;R1;…;Total",
    columns={
        "place": "place",
        "s.no.": "number",
        "title": "title",
        "name": "name",
        "fed.": "country",
        "fmjd": "rating",
        "total": "points",
    },
    first_lines=frozenset({_FIRST_LINE}),
    name_of=_tournament_name,
    splits_names=True,
    cells=CellFormat(
        pattern=re.compile(r"(?P<opponent>0|[0-9]{1,4}(?=[wb]))(?P<colour>[wb]?)(?P<result>[012-])"),
        case="draughts-arbiter",
        pause="0w2",
        not_played="0w0",
        win="67w2",
        forfeit="66b-",
    ),
)


READER = ReportFormat(
    "the tournament table of Draughts Arbiter",
    {FORMAT: "Draughts Arbiter"},
    recognises,
    read_draughts_arbiter,
)
