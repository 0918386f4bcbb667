"""The file in which results entry stores reports to the KNSB.

It is the text of Annex 9 art. 11 after a line of its own, and has numbers of up to nine digits: those of the federation
have seven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reporting.formats.annex_9.article_11 import PLAYER_COLUMNS
from reporting.formats.annex_9.fmjd import read_fmjd, write_fmjd
from reporting.formats.tables.field_parsers import read_number
from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.report import EntryFormat, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer

FORMAT = "knsb"
FIRST_LINE = "KNSB"
LARGEST_NUMBER = 999_999_999


def _read_knsb_number(field: FieldText, findings: ReaderFindings) -> int | None:
    """The number of a player; None for 0, and for anything else, with a finding."""
    number = read_number(field.text, digits=len(str(LARGEST_NUMBER)))
    if number is None:
        findings.add("fmjd-id-unreadable.games", at=field, limit=LARGEST_NUMBER)
    return number or None


COLUMNS = PLAYER_COLUMNS | {"fmjd_id": _read_knsb_number}


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether it begins with the line of this format."""
    return lines[0].strip() == FIRST_LINE


def read_knsb(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read what `write_knsb` writes. Never raises: every fault is a finding with line and column."""
    return replace(read_fmjd(("", *lines[1:]), encoding=encoding, columns=COLUMNS), format=FORMAT)


def write_knsb(info: ReportedInfo, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> str:
    """Return a report in this format, lines ended by ``\\n``; reading it gives the same values.

    Raises ValueError with the name of the field for a value that the format cannot have.
    """
    return f"{FIRST_LINE}\n{write_fmjd(info, players, games)}"


READER = EntryFormat(
    "the file of results entry", {FORMAT: "KNSB report"}, recognises, read_knsb, write=write_knsb
)
