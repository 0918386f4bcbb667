"""Results entry: the rows of its forms, and how they become the next version of a report."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy

from reporting.errors import DomainError
from reporting.formats.annex_9.fmjd import FORMAT
from reporting.formats.decode import clean_line
from reporting.models import ReportVersion
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.services.edit_report import replace_report_file
from reporting.reports.services.enter_results import Loss, LossKind, ResultsGrid, grid_file, results_grid
from reporting.reports.views.reports import based_on_in, may_change, report_or_404
from reporting.rules.findings import FindingList
from reporting.rules.report import MAX_ROUNDS, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer
from reporting.web.access import actor
from reporting.web.paging import ROWS_PER_PAGE

MORE_ROWS = 4
MAX_ROWS = ROWS_PER_PAGE
"""Rows on a page: with eight fields a row the form stays below the limit of fields."""

MAX_CELL_LENGTH = 80
"""Characters of a cell. The check of the report has the limits of names."""

PLAYER_CELLS = {
    "fmjd_id": gettext_lazy("FMJD-ID"),
    "first_name": gettext_lazy("First name"),
    "last_name": gettext_lazy("Last name"),
    "country": gettext_lazy("Country"),
    "born": gettext_lazy("Date of birth"),
    "sex": gettext_lazy("Sex"),
    "place": gettext_lazy("Place"),
}
FILENAME = "results.txt"


NUMBERS_LISTED = 8
TEXTS_LISTED = 3
LOSSES: Mapping[LossKind, Promise] = {
    LossKind.TOURNAMENT_VALUE: gettext_lazy("“%(text)s” (%(message)s)"),
    LossKind.PLAYER_VALUE: gettext_lazy("“%(text)s” of number %(number)s (%(message)s)"),
    LossKind.RESULT_LINE: gettext_lazy("Round %(round)s: “%(text)s” (%(message)s)"),
    LossKind.TITLES: gettext_lazy("Titles: number %(numbers)s."),
    LossKind.PRINTED_RATINGS: gettext_lazy("Printed ratings: number %(numbers)s."),
    LossKind.BIRTH_YEARS: gettext_lazy("Years of birth without a day: number %(numbers)s."),
    LossKind.LOCAL_IDS: gettext_lazy("Local IDs: number %(numbers)s."),
    LossKind.LONG_FMJD_ID: gettext_lazy(
        "FMJD-ID %(fmjd_id)s of number %(number)s: too long for the file. It stays in the tournament details."
    ),
    LossKind.COLOURS: gettext_lazy("Unknown colours: the player of the upper line is written as White."),
    LossKind.GAME_DAYS: gettext_lazy("The days of the games: the file has no place for them."),
    LossKind.PRINTED_POINTS: gettext_lazy(
        "Printed points that differ from the results: number %(numbers)s. The sum is written."
    ),
    LossKind.RESULT: gettext_lazy("The result %(result)s of round %(round)s, %(white)s against %(black)s."),
    LossKind.REMARKS: gettext_lazy("The remarks: they contain a tag of the format."),
    LossKind.LINES: ngettext_lazy(
        "Line %(lines)s: %(texts)s (%(reason)s).", "Lines %(lines)s: %(texts)s (%(reason)s).", "count"
    ),
    LossKind.FIELD: gettext_lazy("%(field)s: “%(text)s” (%(message)s)"),
    LossKind.LINE_VALUE: gettext_lazy("Line %(line)s: “%(text)s” (%(message)s)"),
}


def loss_sentences(losses: Iterable[Loss]) -> list[str]:
    """Losses in sentences of the language in use."""
    return [loss_sentence(loss) for loss in losses]


def loss_sentence(loss: Loss) -> str:
    values = dict(loss.values)
    for name in ("numbers", "lines"):
        if name in values:
            values |= {name: shortened(values[name], NUMBERS_LISTED), "count": len(values[name])}
    if "texts" in values:
        quotes = [gettext("“%(text)s”") % {"text": text} for text in values["texts"]]
        values |= {
            "texts": shortened(quotes, TEXTS_LISTED),
        }
    return str(LOSSES[loss.kind] % values)


def shortened(values: Sequence[object], most: int) -> str:
    """The first values of a list, and how many more there are."""
    shown = ", ".join(map(str, values[:most]))
    if len(values) <= most:
        return shown
    return gettext("%(values)s and %(more)s more") % {"values": shown, "more": len(values) - most}


@dataclass(frozen=True)
class Cell:
    """A field of a row: its name, label, value and message."""

    name: str
    label: str | Promise
    value: str
    message: str


@dataclass
class Row:
    """A row of the form as it was entered, with the messages about its fields; `blocks` if it cannot be saved."""

    index: int
    number: str
    entered: dict[str, str]
    messages: dict[str, str | Promise] = field(default_factory=dict)
    blocks: bool = False

    @property
    def empty(self) -> bool:
        return not any(self.entered.values())

    def refuse(self, name: str, message: str | Promise) -> None:
        """Set the message of a field that cannot be saved."""
        self.messages[name] = message
        self.blocks = True

    def cells(self) -> list[Cell]:
        """The fields of a player."""
        return [
            Cell(name, PLAYER_CELLS[name], value, str(self.messages.get(name, "")))
            for name, value in self.entered.items()
        ]


def parse_whole_number(row: Row, name: str, text: str, digits: int) -> int | None:
    if not text:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        message = ngettext(
            "Enter a whole number of at most %(n)s digit.",
            "Enter a whole number of at most %(n)s digits.",
            digits,
        )
        row.refuse(name, message % {"n": digits})
        return None
    return int(text)


def editable_report(request: HttpRequest, number: int) -> tuple[OpenReport, ResultsGrid]:
    """A report that can be changed, and its data for results entry.

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
    """The requested page of rows, from 1, and how many there are: 100 rows a page, the last one with room."""
    pages = rows // MAX_ROWS + 1
    given = request.GET.get("page", "")
    page = int(given) if re.fullmatch(r"[1-9][0-9]{0,3}", given) else 1
    return min(page, pages), pages


def clean_cell(text: str) -> str | None:
    """A text as reading the file gives it; None where it has an invisible character or a line end."""
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
    """Save the results as the next version; the given parts replace those of the report.

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
    """Say what was saved, and as which version."""
    messages.success(
        request, gettext("%(what)s saved as version %(number)s.") % {"what": what, "number": version.number}
    )
