"""The text of Annex 9 art. 11 after a line of its own, for federations whose regulations prescribe no file.

Players have numbers of the federation's register, which may be longer than those of the FMJD.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from reporting.formats.annex_9.article_11 import PLAYER_COLUMNS
from reporting.formats.annex_9.fmjd import read_fmjd
from reporting.formats.tables.field_parsers import read_number
from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.report import ReadReport


def read_after_first_line(
    lines: tuple[str, ...], *, key: str, largest_number: int, encoding: str
) -> ReadReport:
    """Read a report with numbers of as many digits as the largest one has; `key` is that of the format.

    Never raises: every fault is a finding with line and column.
    """
    columns = PLAYER_COLUMNS | {"fmjd_id": partial(_read_register_number, largest_number)}
    return replace(read_fmjd(("", *lines[1:]), encoding=encoding, columns=columns), format=key)


def _read_register_number(largest_number: int, field: FieldText, findings: ReaderFindings) -> int | None:
    """The number of a player; None for 0, and for anything else, with a finding."""
    number = read_number(field.text, digits=len(str(largest_number)))
    if number is None:
        findings.add("fmjd-id-unreadable.games", at=field, limit=largest_number)
    return number or None
