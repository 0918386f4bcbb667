"""Results entry, for a referee without a tournament program: the tournament and its players.

The report is stored as a file of the format of results entry and checked as one; its rounds are in rounds.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.federations.facet import ReportRules
from reporting.federations.registry import rules_of_report
from reporting.formats.tables.field_parsers import NUMBER_DIGITS
from reporting.formats.tournament_details.sidecar import write_details
from reporting.models import Tournament
from reporting.policies import check_can_upload
from reporting.register.selectors import players_by_number
from reporting.reports.forms import Group, TournamentDetailsForm, as_text
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import announced_details, approved_details
from reporting.reports.services.enter_results import ResultsGrid, grid_file, move_long_texts
from reporting.reports.services.upload import upload_report
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry.draw_numbers import draw_numbers
from reporting.reports.views.results_entry.file import (
    FILENAME,
    INVISIBLE,
    MAX_ROWS,
    MORE_ROWS,
    CellField,
    Row,
    TextField,
    WholeNumberField,
    add_saved_message,
    clean_cell,
    editable_report,
    loss_sentences,
    requested_page,
    rounds_to_enter,
    save_grid,
    sent_row_forms,
    text_problem,
)
from reporting.reports.views.upload import AnnouncementForm
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.details.shared_details import System
from reporting.rules.register.registers import LARGEST_NUMBER, Register, first_register
from reporting.rules.register.sexes import sex_code
from reporting.rules.regulations.berger import MAX_PLAYERS, MIN_PLAYERS
from reporting.rules.report import (
    FIRST_DAY,
    LAST_DAY,
    ReportedInfo,
    ReportedPlayer,
)
from reporting.web.access import LARGE_FORM, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.forms import set_choices
from reporting.web.paging import build_pager
from reporting.web.values import day

INFO = ("name", "place", "country", "played_from", "played_to", "system")
FILE_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (gettext_lazy("Kind of tournament"), ("national_championship", "women_only", "referee")),
)
NEW_REPORT_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (
        gettext_lazy("Kind of tournament"),
        (
            "rating_system",
            "discipline",
            "time_control",
            "session",
            "national_championship",
            "women_only",
            "referee",
        ),
    ),
)
INITIAL_ROWS = 12
SAVE, STAY, LOOK, MORE, DRAW = "save", "stay", "look", "more", "draw"
NUMBER = r"[0-9]{1,4}"
MAX_DIGITS = len(str(LARGEST_NUMBER))
"""Digits of a number of any register; `PlayerRow.use_register` sets those of the tournament's."""
NAME_TYPED = re.compile(r"([^0-9,]+),([^,]*)|([^0-9, ]+)")
"""Last name, first name; or the only name (R28)."""
PLAYER_CELLS = {
    "fmjd_id": gettext_lazy("%(number)s or name"),
    "first_name": gettext_lazy("First name"),
    "last_name": gettext_lazy("Last name"),
    "country": gettext_lazy("Country"),
    "born": gettext_lazy("Date of birth"),
    "sex": gettext_lazy("Sex"),
    "place": gettext_lazy("Place"),
}


class ActionForm(forms.Form):
    """The pressed button: save and go to the results, save and stay, look up names, add rows, or draw numbers."""

    action = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (SAVE, STAY, LOOK, MORE, DRAW)]
    )

    @property
    def action_pressed(self) -> str:
        """Empty for none, or for a button that there is not."""
        self.full_clean()
        return str(self.cleaned_data.get("action", ""))

    @property
    def saves(self) -> bool:
        return self.action_pressed in (SAVE, STAY)


class NewReportForm(TournamentDetailsForm):
    """The details of a new report. An empty field takes the value of the announcement."""

    def __init__(self, data: QueryDict, *, values: Mapping[str, Any], asked: Sequence[Group]) -> None:
        filled = {name: as_text(value) for name, value in values.items()}
        super().__init__(
            filled | {name: text for name, text in data.items() if str(text).strip()}, asked=asked
        )


class BirthField(CellField):
    """A day on which a player can be born; None for an empty cell."""

    def to_python(self, value: str | None) -> date | None:
        text = super().to_python(value)
        born = parse_day(text) if text else None
        if isinstance(born, str) or (born is not None and not FIRST_DAY <= born <= LAST_DAY):
            raise forms.ValidationError(no_day())
        return born


@dataclass(frozen=True)
class Cell:
    """A field of a row as the template shows it."""

    name: str
    label: str | Promise
    value: str
    message: str
    is_refused: bool


class SexField(CellField):
    """W, M or nothing, as reports write it."""

    def to_python(self, value: str | None) -> str:
        sex = sex_code(value or "")
        if sex is None:
            raise forms.ValidationError(gettext("Choose M, W or nothing."))
        return sex


class NumberOrNameField(WholeNumberField):
    """A number of the register; `fill_in` has taken a name to the fields of names."""

    def to_python(self, value: str | None) -> int | None:
        if re.search(r"[^\W\d_]", value or ""):
            raise forms.ValidationError(gettext("Enter a number, or a name with a comma: Bosch, Lotte."))
        return super().to_python(value)


class PlayerRow(Row):
    """A row of a player."""

    cell_names = tuple(PLAYER_CELLS)
    register: Register | None = None

    number = WholeNumberField(4)
    fmjd_id = NumberOrNameField(MAX_DIGITS)
    first_name = TextField()
    last_name = TextField()
    country = TextField()
    born = BirthField()
    sex = SexField()
    place = WholeNumberField(NUMBER_DIGITS)

    def use_register(self, register: Register) -> None:
        """Let numbers have the digits and the name of this register."""
        self.register = register
        field = self.fields["fmjd_id"]
        if isinstance(field, WholeNumberField):
            field.digits = register.digits

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data.get("number"):
            self.add_error("fmjd_id", gettext("This row has no number."))
        return self.cleaned_data

    @property
    def player_number(self) -> str:
        """The number of the player in the report, as sent."""
        return self.typed.get(self.add_prefix("number"), "")

    def cells(self) -> list[Cell]:
        """The fields of the player, as the template shows them."""
        shown, blocks = self.messages, self.blocks
        register = self.register or first_register()
        return [
            Cell(
                name,
                PLAYER_CELLS[name] % {"number": gettext(register.number_label)},
                text,
                str(shown.get(name, "")),
                blocks and name in self.errors,
            )
            for name, text in self.entered.items()
        ]

    def player(self, before: ReportedPlayer | None) -> ReportedPlayer:
        """The entered player; other data of the one `before` stays. After `check`."""
        values = self.cleaned_data
        name = f"{values['first_name']} {values['last_name']}".strip()
        same = before is not None and before.number == values["number"]
        return replace(
            before if before is not None and same else ReportedPlayer(values["number"], name),
            name=name,
            fmjd_id=values["fmjd_id"] or None,
            first_name=values["first_name"],
            last_name=values["last_name"],
            federation=values["country"],
            born=values["born"],
            sex=values["sex"],
            place=values["place"] or None,
        )


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_grid(request: OfficeRequest) -> HttpResponse:
    """A new report: the tournament and its players, saved as a draft; then its results."""
    announcements = selectors.open_announcements(request.user)
    choice = AnnouncementForm(
        request.POST if request.method == "POST" else request.GET, announcements=announcements
    )
    chosen = choice["announcement"].value()
    announcement = next((choice for choice in announcements if str(choice.pk) == chosen), None)
    started = {"referee": request.user.name} | announced_details(announcement)
    form, rows, save = players_form(request, started, None, NEW_REPORT_DETAILS)
    problems: dict[str, str | Promise] = {}
    attempt = Attempt()
    if save:
        info, problems = info_of(form, ReportedInfo())
        players = players_of(rows, ())
        if players and not problems and not any(row.blocks for row in rows):
            entry_format = rules_named(form, started).entry_format
            info, details = move_long_texts(info, details_from_form(form, announcement), entry_format)
            with attempt:
                uploaded = upload_report(
                    content=grid_file(entry_format, info, players, ()),
                    filename=FILENAME,
                    sidecar=write_details(details),
                    by=actor(request),
                    announcement=announcement,
                )
                messages.success(request, gettext("Players saved as a draft. Enter the results next."))
                return redirect_to_results(uploaded.report.pk, info, players)
    context = {
        "parent": "reporting/results_entry/results_entry_new.html",
        "announcements": announcements,
        "announcement": announcement,
        "can_edit": True,
        "pages": 1,
        "can_draw": True,
    }
    if ActionForm(request.POST).action_pressed == DRAW:
        context["drawn"] = draw_numbers(rows)
    return players_page(request, context, form, rows, problems, attempt=attempt)


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_players(request: OfficeRequest, number: int) -> HttpResponse:
    """The tournament and the players of a report, whatever its format, a hundred players a page."""
    opened, grid = editable_report(request, number)
    page, pages = requested_page(request, len(grid.players))
    start = (page - 1) * MAX_ROWS
    shown = grid.players[start : start + MAX_ROWS]
    form, rows, save = players_form(request, values_of(grid), (grid, start), FILE_DETAILS)
    problems: dict[str, str | Promise] = {}
    attempt = Attempt()
    if save:
        info, problems = info_of(form, grid.info)
        players = [*grid.players[:start], *players_of(rows, shown), *grid.players[start + len(shown) :]]
        if players and not problems and not any(row.blocks for row in rows):
            info, details = move_long_texts(info, entered_details(form, grid), grid.entry_format)
            with attempt:
                version = save_grid(request, opened, grid, info=info, players=players, details=details)
                add_saved_message(request, gettext("Players"), version)
                if ActionForm(request.POST).action_pressed == STAY:
                    return redirect(request.get_full_path())
                return redirect_to_results(number, info, players)
    elif request.method != "POST":
        problems = {name: cell.finding.message for name, cell in grid.unread_info.items()}
    context = report_context(request, opened, "file") | {
        "parent": "reporting/reports/report_shell.html",
        "rounds_to_enter": rounds_to_enter(grid.read, 1, opened.session),
        "grid": grid,
        "losses": loss_sentences(grid.losses_on_save(shown=range(start, start + MAX_ROWS))),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * MAX_ROWS, lambda page: f"?page={page or 1}"),
    }
    return players_page(request, context, form, rows, problems, attempt=attempt)


def redirect_to_results(
    number: int, info: ReportedInfo, players: Sequence[ReportedPlayer]
) -> HttpResponseRedirect:
    """To the crosstable for a round robin that a Berger table can pair, otherwise to the first round."""
    if info.system == "round-robin" and MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        return redirect("report-results-entry-crosstable", number)
    return redirect("report-results-entry-round", number, 1)


def values_of(grid: ResultsGrid) -> dict[str, Any]:
    """The values of the tournament: the details replace those of the file; unreadable ones are as in the file."""
    unread = {name: cell.text for name, cell in grid.unread_info.items()}
    return (
        grid.info.to_json()
        | unread
        | {name: value for name, value in grid.details.items() if value not in (None, "")}
    )


def entered_details(form: TournamentDetailsForm, grid: ResultsGrid) -> dict[str, Any]:
    """The details of the report with the entered values instead of their own, so that both never differ."""
    entered = form.details()
    details = {
        name: entered.get(name, value)
        for name, value in grid.details.items()
        if entered.get(name, value) is not None
    }
    if entered.get("national_championship") == "qualification":
        details["national_championship"] = "qualification"
    return details


def players_form(
    request: OfficeRequest,
    values: Mapping[str, Any],
    shown: tuple[ResultsGrid, int] | None,
    asked: Any,
) -> tuple[TournamentDetailsForm, list[PlayerRow], bool]:
    """The form as opened or entered, with names of the register, and whether to save it.

    `shown` are the results of a report and the place of the first player of this page; None for a new report.
    """
    grid, start = shown or (None, 0)
    after = max((player.number for player in grid.players), default=0) if grid else 0
    if request.method != "POST":
        form = TournamentDetailsForm(values=values, asked=asked)
        rows = stored_rows(grid, start) if grid else []
        add_rows(rows, 0 if rows else INITIAL_ROWS, after)
        return form, rows, False
    form = (
        NewReportForm(request.POST, values=values, asked=asked)
        if grid is None
        else TournamentDetailsForm(request.POST, asked=asked)
    )
    rows, buttons = sent_row_forms(PlayerRow, request.POST), ActionForm(request.POST)
    fill_in(rows, rules_named(form, values).register)
    if buttons.action_pressed == MORE:
        add_rows(rows, MORE_ROWS, after)
    return form, rows, form.is_valid() and buttons.saves


def rules_named(form: TournamentDetailsForm, values: Mapping[str, Any]) -> ReportRules:
    """The rules of the tournament's federation, by the form, or by these values where it does not ask."""
    rating_system, discipline = (
        str((form[name].value() if name in form.fields else values.get(name)) or "")
        for name in ("rating_system", "discipline")
    )
    return rules_of_report(rating_system, discipline)


def players_page(
    request: OfficeRequest,
    context: dict[str, Any],
    form: TournamentDetailsForm,
    rows: list[PlayerRow],
    problems: dict[str, str | Promise],
    *,
    attempt: Attempt,
) -> HttpResponse:
    # Without a choice there is no other file to take the value from.
    value = form["women_only"].value() or ""
    choices = [("", "–"), ("true", gettext("Yes")), ("false", gettext("No"))]
    set_choices(form, "women_only", choices if value in dict(choices) else [*choices, (value, value)])
    no_players = ActionForm(request.POST).saves and all(row.empty for row in rows) and context["pages"] == 1
    has_faults = request.method == "POST" and (
        bool(problems) or no_players or any(row.blocks for row in rows) or bool(form.errors)
    )
    context |= {
        "groups": [
            (label, [(field, problems.get(field.name, "")) for field in fields])
            for label, fields in form.groups()
        ],
        "here": "players",
        "form": form,
        "rows": rows,
        "invalid_fields": [
            InvalidField(f"{cell.name}-{row.index}", str(cell.label), cell.message)
            for row in rows
            for cell in row.cells()
            if cell.is_refused
        ],
        "can_add_rows": len(rows) < MAX_ROWS,
        "has_faults": has_faults,
        "problem": attempt.refusal,
        "no_players": no_players,
    }
    # A new report names its discipline in the form; before that the first register is meant.
    context.setdefault("number_label", gettext(rules_named(form, {}).register.number_label))
    status = HTTPStatus.BAD_REQUEST if has_faults and not attempt.refusal else attempt.status
    return render(request, "reporting/results_entry/results_entry_players.html", context, status=status)


def stored_cells(grid: ResultsGrid, place: int) -> dict[str, str]:
    """The cells of a saved player, from 0; an unreadable value as it is in the file."""
    player = grid.players[place]
    stored = {
        "fmjd_id": as_text(player.fmjd_id),
        "first_name": player.first_name,
        "last_name": player.last_name,
        "country": player.federation,
        "born": as_text(player.born),
        "sex": player.sex,
        "place": as_text(player.place),
    }
    unread = {name: grid.unread_players.get((place, name)) for name in stored}
    return stored | {name: cell.text for name, cell in unread.items() if cell and not stored[name]}


def stored_rows(grid: ResultsGrid, start: int) -> list[PlayerRow]:
    """The rows of players from a place on, with messages about values that cannot be written or read."""
    rows = []
    for index, player in enumerate(grid.players[start : start + MAX_ROWS], 1):
        cells = stored_cells(grid, start + index - 1) | {"number": str(player.number)}
        rows.append(PlayerRow.of(index, cells, is_saved=True))
        rows[-1].use_register(grid.register)
        rows[-1].check()
    return rows


def unwritable_players(grid: ResultsGrid) -> list[str]:
    """The numbers of saved players whose name or country cannot be written into a file."""
    stored = ((str(player.number), stored_cells(grid, place)) for place, player in enumerate(grid.players))
    return [
        number
        for number, cells in stored
        if any(text_problem(cells[name].strip()) for name in ("first_name", "last_name", "country"))
    ]


def add_rows(rows: list[PlayerRow], more: int, after: int) -> None:
    for _ in range(min(more, MAX_ROWS - len(rows))):
        numbers = [int(row.player_number) for row in rows if re.fullmatch(NUMBER, row.player_number)]
        rows.append(PlayerRow.of(len(rows) + 1, {"number": str(max([*numbers, after]) + 1)}))


def fill_in(rows: Sequence[PlayerRow], register: Register) -> None:
    """Fill in name and country from the register for rows with only a number, or the name typed in its place.

    0 or 1 query.
    """
    for row in rows:
        entered = row.entered
        if (name := NAME_TYPED.fullmatch(entered["fmjd_id"])) and not (
            entered["first_name"] or entered["last_name"]
        ):
            last, first = name[1] or name[3], name[2] or ""
            row.fill_in({"last_name": last.strip(), "first_name": first.strip(), "fmjd_id": ""})
        row.use_register(register)
    number = rf"[0-9]{{1,{register.digits}}}"
    numbers = {text for row in rows if re.fullmatch(number, text := row.entered["fmjd_id"])}
    if not numbers:
        return
    known = players_by_number(register, map(int, numbers))
    for row in rows:
        entered = row.entered
        text = entered["fmjd_id"]
        player = known.get(int(text)) if text in numbers else None
        if text in numbers and player is None:
            row.notes["fmjd_id"] = gettext("No player has this %(number)s.") % {
                "number": gettext(register.number_label)
            }
        if player is not None and not (entered["first_name"] or entered["last_name"]):
            country = entered["country"] or player.federation_id
            row.fill_in({"first_name": player.first_name, "last_name": player.last_name, "country": country})


def players_of(rows: Iterable[PlayerRow], before: Sequence[ReportedPlayer]) -> list[ReportedPlayer]:
    """The entered players; values that cannot be written get a message. Empty rows are ignored.

    `before` are the saved players of the same rows: their other data stays.
    """
    return [
        row.player(before[row.index - 1] if row.index <= len(before) else None)
        for row in rows
        if row.check() and not row.empty
    ]


def no_day() -> str:
    """The message about a text that is not a day of a tournament or of a birth."""
    return gettext("Enter a date like 26/11/2026, from %(first)s to %(last)s.") % {
        "first": day(FIRST_DAY),
        "last": day(LAST_DAY),
    }


def info_of(
    form: TournamentDetailsForm, before: ReportedInfo
) -> tuple[ReportedInfo, dict[str, str | Promise]]:
    """The tournament of the file, and messages about values that it cannot hold."""
    details = form.details()
    problems: dict[str, str | Promise] = {}
    for name, value in details.items():
        if isinstance(value, str) and clean_cell(value) is None:
            problems[name] = INVISIBLE
    days: dict[str, date | None] = {}
    for name in ("played_from", "played_to"):
        played = details[name]
        if played is not None and not (isinstance(played, date) and FIRST_DAY <= played <= LAST_DAY):
            problems[name] = no_day()
            played = None
        days[name] = played
    if details["system"] not in (None, *System):
        problems["system"] = gettext("Choose one of %(choices)s.") % {"choices": ", ".join(System)}
    final, women = details.get("national_championship"), details.get("women_only")
    if final not in (None, "final", "qualification", "no"):
        problems["national_championship"] = gettext("Choose a value of the list.")
    if not isinstance(women, bool | None):
        problems["women_only"] = gettext("Choose yes or no.")
    info = replace(
        before,
        name=clean_cell(details["name"] or "") or "",
        place=clean_cell(details["place"] or "") or "",
        country=clean_cell(details["country"] or "") or "",
        system=details["system"] or "",
        referee=clean_cell(details["referee"] or "") or "",
        played_from=days["played_from"],
        played_to=days["played_to"],
        national_championship=None if final is None else final == "final",
        women_championship=women,
    )
    return info, problems


def details_from_form(form: TournamentDetailsForm, announcement: Tournament | None) -> dict[str, Any]:
    """The details next to the file: board, time controls, qualification and the day of the announcement.

    A value of the form stays where another one was approved, as that of an uploaded file: a finding says so.
    """
    details = form.details()
    of_the_system = ("rating_system", "discipline", "time_control", "session")
    details_file = dict(approved_details(announcement)) if announcement is not None else {}
    details_file |= {name: details[name] for name in of_the_system if details.get(name)}
    if details.get("national_championship") == "qualification":
        details_file["national_championship"] = "qualification"
    if announcement is not None:
        announced = announced_details(announcement)
        details_file |= {name: announced[name] for name in ("announced", "official") if announced.get(name)}
    return details_file
