"""What is typed in a grid, read row by row, and kept as the next version of its report."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from reporting.errors import DomainError
from reporting.formats.annex_9.fmjd import FORMAT
from reporting.formats.decode import clean_line
from reporting.models import ReportVersion
from reporting.reports.services.edit_report import replace_report_file
from reporting.reports.services.enter_results import ResultsGrid, grid_file, results_grid
from reporting.reports.services.open_report import OpenReport
from reporting.reports.views.reports import based_on_in, may_change, report_or_404
from reporting.rules.findings import FindingList
from reporting.rules.report import MAX_ROUNDS, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer
from reporting.web.access import actor
from reporting.web.paging import ROWS_PER_PAGE

MORE_ROWS = 4
MAX_ROWS = ROWS_PER_PAGE
"""Rows of a page of the grid: with eight fields each they stay below what a form may send."""

MAX_CELL_LENGTH = 80
"""Characters of a cell. What a name may have is for the check of the report."""

PLAYER_CELLS = {
    "fmjd_id": "FMJD-ID",
    "first_name": "First name",
    "last_name": "Last name",
    "country": "Country",
    "born": "Born",
    "sex": "Sex",
    "place": "Place",
}
FILENAME = "typed.txt"


@dataclass
class Row:
    """A line of the grid as it was typed, with what is to be said about its fields; `blocks` if it can't be written."""

    index: int
    number: str
    entered: dict[str, str]
    messages: dict[str, str] = field(default_factory=dict)
    blocks: bool = False

    @property
    def empty(self) -> bool:
        return not any(self.entered.values())

    def refuse(self, name: str, words: str) -> None:
        self.messages[name] = words
        self.blocks = True

    def cells(self) -> list[tuple[str, str, str, str]]:
        """Name, label, value and message of each field of a player."""
        return [
            (name, PLAYER_CELLS[name], value, self.messages.get(name, ""))
            for name, value in self.entered.items()
        ]


def parse_whole_number(row: Row, name: str, text: str, digits: int) -> int | None:
    if not text:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        row.refuse(name, f"A whole number of at most {digits} digits.")
        return None
    return int(text)


def editable_report(request: HttpRequest, number: int) -> tuple[OpenReport, ResultsGrid]:
    """A report that may be changed, and what the grid has of it.

    Raises DomainError `not_readable`, `wrong_state`.
    """
    opened = report_or_404(request, number)
    if not may_change(request, opened):
        raise DomainError("wrong_state.edit")
    return opened, results_grid(opened)


def round_numbers(read: ReadReport, here: int) -> range:
    """The rounds to go to: those with a game, and the next one."""
    return range(1, min(max(read.rounds + 1, here), MAX_ROUNDS) + 1)


def requested_page(request: HttpRequest, rows: int) -> tuple[int, int]:
    """The page of rows asked for, from 1, and how many there are: a hundred rows each, one of them with room."""
    pages = rows // MAX_ROWS + 1
    asked = request.GET.get("page", "")
    page = int(asked) if re.fullmatch(r"[1-9][0-9]{0,3}", asked) else 1
    return min(page, pages), pages


def clean_cell(text: str) -> str | None:
    """A text as a file would give it back; None where a character of it cannot be seen or ends the line."""
    findings = FindingList()
    line = clean_line(1, text, findings).strip()
    return None if tuple(findings) or "\n" in text else line


def save_grid(
    request: HttpRequest,
    opened: OpenReport,
    grid: ResultsGrid,
    *,
    info: ReportedInfo | None = None,
    players: Sequence[ReportedPlayer] | None = None,
    games: Sequence[ReportedGame] | None = None,
    details: Mapping[str, Any] | None = None,
) -> ReportVersion:
    """Save the grid, with what is given in the place of what it had, as the next version.

    Raises DomainError `not_writable`, `version_changed`, `wrong_state`, `forbidden`.
    """
    filename = opened.version.filename
    if opened.version.format != FORMAT:
        filename = f"{filename.rpartition('.')[0] or filename}.txt"
    return replace_report_file(
        report=opened.report,
        based_on=based_on_in(request),
        content=grid_file(
            info or grid.info,
            grid.players if players is None else players,
            grid.games if games is None else games,
        ),
        filename=filename,
        details=grid.details if details is None else details,
        by=actor(request),
    ).version


def add_saved_message(request: HttpRequest, what: str, version: ReportVersion) -> None:
    messages.success(request, f"{what}: saved as version {version.number}.")
