"""Results entry: the rows of its forms, and how they become the next version of a report."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar, cast

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy

from reporting.formats.text.decode import clean_line
from reporting.models import ReportVersion
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.services.edit_report import replace_report_file
from reporting.reports.services.enter_results import Loss, LossKind, ResultsGrid, grid_file, results_grid
from reporting.reports.views.reports import based_on_in, may_change, report_or_404
from reporting.rules.details.sessions import round_name
from reporting.rules.findings.finding_list import FindingList
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import MAX_ROUNDS, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer
from reporting.web.access import OfficeRequest, actor
from reporting.web.attempt import confirm
from reporting.web.paging import ROWS_PER_PAGE
from reporting.web.query_params import PageForm

MORE_ROWS = 4
MAX_ROWS = ROWS_PER_PAGE
"""Rows on a page: with eight fields a row the form stays below the limit of fields."""

MAX_CELL_LENGTH = 80
"""Characters of a cell. The check of the report has the limits of names."""

FILENAME = "results.txt"

NO_COMMA = gettext_lazy("Remove the commas.")
INVISIBLE = gettext_lazy("This text has an invisible character. Delete the text and enter it again.")

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
        "%(number_label)s %(fmjd_id)s of number %(number)s: too long for the file. It stays in the tournament details."
    ),
    LossKind.COLOURS: gettext_lazy("Unknown colours: the player of the upper line is written as White."),
    LossKind.GAME_DAYS: gettext_lazy("The days of the games: the file has no place for them."),
    LossKind.SUBSTITUTES: gettext_lazy(
        "The players whom substitutes replace: the file has no place for them."
    ),
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
    if "number_label" in values:
        values |= {"number_label": gettext(values["number_label"])}
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


class CellField(forms.Field):
    """The text of a cell, in plain spaces."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: str | None) -> Any:
        return plain_text(value or "")


class TextField(CellField):
    """A text as reading the file will give it."""

    def to_python(self, value: str | None) -> str:
        text = super().to_python(value)
        if problem := text_problem(text):
            raise forms.ValidationError(str(problem))
        return clean_cell(text) or ""


class WholeNumberField(CellField):
    """A whole number of so many digits; None for an empty cell."""

    def __init__(self, digits: int) -> None:
        super().__init__()
        self.digits = digits

    def to_python(self, value: str | None) -> int | None:
        text = super().to_python(value)
        if not text:
            return None
        if not re.fullmatch(rf"[0-9]{{1,{self.digits}}}", text):
            message = ngettext(
                "Enter a whole number of at most %(n)s digit.",
                "Enter a whole number of at most %(n)s digits.",
                self.digits,
            )
            raise forms.ValidationError(message % {"n": self.digits})
        return int(text)


class ChosenField(CellField):
    """One of these texts."""

    def __init__(self, choices: Container[str], message: Promise) -> None:
        super().__init__()
        self.choices, self.message = choices, message

    def to_python(self, value: str | None) -> str:
        text: str = super().to_python(value)
        if text not in self.choices:
            raise forms.ValidationError(str(self.message))
        return text


class Row(forms.Form):
    """A row of results entry. Its fields have names with its number: `white-3`.

    The template renders its own inputs from the texts as typed: 800 widgets on a page are slower. Cells are checked
    when the row is saved, or when it is shown as saved. What blocks saving is an error of the field; what does not is a
    note.
    """

    cell_names: ClassVar[Sequence[str]]

    def __init__(self, typed: dict[str, str], index: int, *, is_saved: bool = False) -> None:
        self.typed, self.index, self.is_saved = typed, index, is_saved
        super().__init__(typed, empty_permitted=True, use_required_attribute=False)
        self.notes: dict[str, str | Promise] = {}
        self.is_checked = False

    @classmethod
    def of(cls, index: int, texts: Mapping[str, str], *, is_saved: bool = False) -> Self:
        """A row with these texts of its fields."""
        return cls({f"{name}-{index}": text for name, text in texts.items()}, index, is_saved=is_saved)

    def add_prefix(self, field_name: str) -> str:
        return f"{field_name}-{self.index}"

    def has_changed(self) -> bool:
        """An empty row has no errors and no values."""
        return not self.empty

    def fill_in(self, texts: Mapping[str, str]) -> None:
        """Put these texts into its fields."""
        self.typed.update({self.add_prefix(name): text for name, text in texts.items()})

    def check(self) -> bool:
        """Check the cells, and answer whether the row can be saved."""
        self.is_checked = True
        return self.is_valid()

    @property
    def entered(self) -> dict[str, str]:
        """The cells as typed, without spaces around them."""
        return {name: self.typed.get(self.add_prefix(name), "").strip() for name in self.cell_names}

    @property
    def empty(self) -> bool:
        return not any(self.entered.values())

    @property
    def messages(self) -> dict[str, str | Promise]:
        """The message of each field that has one."""
        errors: Mapping[str, Any] = self.errors if self.is_checked else {}
        return self.notes | {name: str(problems[-1]) for name, problems in errors.items()}

    @property
    def blocks(self) -> bool:
        """Whether the row cannot be saved."""
        return self.is_checked and not self.is_saved and not self.is_valid()


SentRow = TypeVar("SentRow", bound=Row)


def sent_row_forms(row_class: type[SentRow], data: QueryDict) -> list[SentRow]:
    """A form for each row that was sent, from 1 on without a gap."""
    typed = cast(dict[str, str], data.dict())
    first_field = next(iter(row_class.base_fields))
    sent = itertools.takewhile(lambda index: f"{first_field}-{index}" in typed, range(1, MAX_ROWS + 1))
    return [row_class(typed, index) for index in sent]


def text_problem(text: str) -> str | Promise | None:
    """Why a text cannot be written into a cell of the file."""
    cleaned = clean_cell(text)
    if "," in text:
        return NO_COMMA
    if cleaned is None:
        return INVISIBLE
    if len(cleaned) > MAX_CELL_LENGTH:
        return gettext("Enter at most %(most)s characters.") % {"most": MAX_CELL_LENGTH}
    return None


def editable_report(request: OfficeRequest, number: int) -> tuple[OpenReport, ResultsGrid]:
    """A report that can be changed, and its data for results entry.

    Raises DomainError `not_readable`, `wrong_state`.
    """
    opened = report_or_404(request, number)
    if not may_change(request, opened):
        raise DomainError("wrong_state.edit")
    return opened, results_grid(opened)


def rounds_to_enter(read: ReadReport, here: int, session: Sequence[str]) -> list[tuple[int, str]]:
    """The rounds to go to, with their names: those with a game, and the next one; of a session a game each.

    A round robin in which all pairs have met equally often has no next one.
    """
    met = Counter(frozenset((game.white, game.black)) for game in read.games if not game.is_pause)
    pairs = math.comb(len({player.number for player in read.players}), 2)
    is_complete = read.info.system == "round-robin" and len(met) == pairs and len({*met.values()}) == 1
    last = min(max(read.rounds + (not is_complete), here), MAX_ROUNDS)
    return [(number, round_name(number, session)) for number in range(1, last + 1)]


def requested_page(request: OfficeRequest, rows: int) -> tuple[int, int]:
    """The requested page of rows, from 1, and how many there are: 100 rows a page, the last one with room."""
    pages = rows // MAX_ROWS + 1
    return min(PageForm(request.GET).number or 1, pages), pages


def clean_cell(text: str) -> str | None:
    """A text as reading the file gives it; None where it has a control character."""
    findings = FindingList()
    line = clean_line(1, plain_text(text), findings)
    return None if tuple(findings) else line


def save_grid(
    request: OfficeRequest,
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
    if opened.version.format != grid.entry_format.key:
        filename = f"{filename.rpartition('.')[0] or filename}.txt"
    return replace_report_file(
        report=opened.report,
        based_on=based_on_in(request),
        content=grid_file(
            grid.entry_format,
            info or grid.info,
            grid.players if players is None else players,
            grid.games if games is None else games,
        ),
        filename=filename,
        details=grid.details if details is None else details,
        by=actor(request),
    ).version


def add_saved_message(request: OfficeRequest, what: str, version: ReportVersion) -> None:
    """Say what was saved, and as which version."""
    text = gettext("%(what)s saved as version %(number)s.") % {"what": what, "number": version.number}
    confirm(request, text, "results-entry")
