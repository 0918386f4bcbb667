"""The file in which results entry stores reports to the ICCF: the text of Annex 9 art. 11 after a line of its own."""

from __future__ import annotations

from collections.abc import Sequence

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.annex_9.own_first_line import read_after_first_line
from reporting.rules.report import EntryFormat, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer

FORMAT = "iccf"
FIRST_LINE = "ICCF"
LARGEST_NUMBER = 999_999_999


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether it begins with the line of this format."""
    return lines[0].strip() == FIRST_LINE


def read_iccf(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read what `write_iccf` writes. Never raises: every fault is a finding with line and column."""
    return read_after_first_line(lines, key=FORMAT, largest_number=LARGEST_NUMBER, encoding=encoding)


def write_iccf(info: ReportedInfo, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> str:
    """Return a report in this format, lines ended by ``\\n``; reading it gives the same values.

    Raises ValueError with the name of the field for a value that the format cannot have.
    """
    return f"{FIRST_LINE}\n{write_fmjd(info, players, games)}"


READER = EntryFormat(
    "the file of results entry", {FORMAT: "ICCF report"}, recognises, read_iccf, write=write_iccf
)
