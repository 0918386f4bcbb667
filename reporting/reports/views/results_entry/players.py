"""Results entry, for a referee without a tournament program: the tournament and its players.

The report is stored as a file of the format of results entry and checked as one; its rounds are in rounds.py.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext

from reporting.formats.tournament_details.sidecar import write_details
from reporting.policies import check_can_upload
from reporting.reports.forms import TournamentDetailsForm
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import announced_details
from reporting.reports.services.enter_results import ResultsGrid, grid_file, move_long_texts
from reporting.reports.services.upload import upload_report
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry.draw_numbers import draw_numbers
from reporting.reports.views.results_entry.file import (
    FILENAME,
    MAX_ROWS,
    MORE_ROWS,
    add_saved_message,
    editable_report,
    loss_sentences,
    requested_page,
    rounds_to_enter,
    save_grid,
    sent_row_forms,
)
from reporting.reports.views.results_entry.player_rows import (
    INITIAL_ROWS,
    PlayerRow,
    add_rows,
    fill_in,
    players_of,
    stored_rows,
)
from reporting.reports.views.results_entry.tournament_form import (
    FILE_DETAILS,
    NEW_REPORT_DETAILS,
    NewReportForm,
    details_from_form,
    entered_details,
    info_of,
    rules_named,
    values_of,
)
from reporting.reports.views.upload import AnnouncementForm
from reporting.rules.regulations.berger import MAX_PLAYERS, MIN_PLAYERS
from reporting.rules.report import ReportedInfo, ReportedPlayer
from reporting.web.access import LARGE_FORM, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.forms import set_choices
from reporting.web.paging import build_pager

SAVE, STAY, LOOK, MORE, DRAW = "save", "stay", "look", "more", "draw"


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
