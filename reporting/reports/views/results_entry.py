"""Results entry, for a referee without a tournament program: the tournament and its players.

The report is stored as a file of Annex 9 art. 11 and checked as one; its rounds are in results_entry_rounds.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from ratings.templatetags.figures import day
from reporting.formats.annex_9.article_11 import SYSTEMS
from reporting.formats.field_parsers import FMJD_ID_DIGITS, NUMBER_DIGITS
from reporting.formats.tournament_details_file import write_details
from reporting.models import Announcement, Player, User
from reporting.policies import check_can_upload
from reporting.reports.forms import TournamentDetailsForm, as_text
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import announced_details
from reporting.reports.services.enter_results import ResultsGrid, grid_file, move_long_texts
from reporting.reports.services.upload import upload_report
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry_file import (
    FILENAME,
    MAX_CELL_LENGTH,
    MAX_ROWS,
    MORE_ROWS,
    PLAYER_CELLS,
    Row,
    add_saved_message,
    clean_cell,
    editable_report,
    loss_sentences,
    parse_whole_number,
    requested_page,
    round_numbers,
    save_grid,
)
from reporting.rules.registers import Register, register_of_discipline
from reporting.rules.report import (
    FIRST_DAY,
    LAST_DAY,
    ReportedInfo,
    ReportedPlayer,
)
from reporting.rules.tournament_details import parse_day
from reporting.web.access import (
    LARGE_FORM,
    actor,
    allow_large_body,
    require_access,
)
from reporting.web.attempt import Attempt
from reporting.web.paging import build_pager

INFO = ("name", "place", "country", "played_from", "played_to", "system")
FILE_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (gettext_lazy("Kind of tournament"), ("national_championship", "women_only", "referee")),
)
NEW_REPORT_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (
        gettext_lazy("Kind of tournament"),
        ("discipline", "time_control", "national_championship", "women_only", "referee"),
    ),
)
INITIAL_ROWS = 8
NO_COMMA = gettext_lazy("Remove commas and line breaks.")

INVISIBLE = gettext_lazy("This text has an invisible character. Delete the text and enter it again.")
ID = rf"[0-9]{{1,{FMJD_ID_DIGITS}}}"

_BREAKS = re.compile(r"[,\r\n]")


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_grid(request: HttpRequest) -> HttpResponse:
    """A new report: the tournament and its players, saved as a draft; then its rounds."""
    announcements = selectors.open_announcements(cast(User, request.user))
    chosen = (request.POST if request.method == "POST" else request.GET).get("announcement", "")
    announcement = next((choice for choice in announcements if str(choice.pk) == chosen), None)
    started = {"referee": cast(User, request.user).name} | announced_details(announcement)
    form, rows, save = players_form(request, started, None, NEW_REPORT_DETAILS)
    problems: dict[str, str | Promise] = {}
    attempt = Attempt()
    if save:
        info, problems = info_of(form, ReportedInfo())
        players = players_of(rows, ())
        if players and not problems and not any(row.blocks for row in rows):
            info, details = move_long_texts(info, details_from_form(form, announcement))
            with attempt:
                uploaded = upload_report(
                    content=grid_file(info, players, ()),
                    filename=FILENAME,
                    sidecar=write_details(details),
                    by=actor(request),
                    announcement=announcement,
                )
                messages.success(request, gettext("Players saved as a draft. Enter the rounds next."))
                return redirect("report-results-entry-round", uploaded.report.pk, 1)
    context = {
        "parent": "reporting/results_entry_new.html",
        "announcements": announcements,
        "announcement": announcement,
        "can_edit": True,
        "pages": 1,
    }
    return players_page(request, context, form, rows, problems, attempt=attempt)


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_players(request: HttpRequest, number: int) -> HttpResponse:
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
            info, details = move_long_texts(info, entered_details(form, grid))
            with attempt:
                version = save_grid(request, opened, grid, info=info, players=players, details=details)
                add_saved_message(request, gettext("Players"), version)
                if "stay" in request.POST:
                    return redirect(request.get_full_path())
                return redirect("report-results-entry-round", number, 1)
    elif request.method != "POST":
        problems = {name: cell.finding.message for name, cell in grid.unread_info.items()}
    context = report_context(request, opened, "file") | {
        "parent": "reporting/report_shell.html",
        "round_numbers": round_numbers(grid.read, 1),
        "grid": grid,
        "losses": loss_sentences(grid.losses_on_save(shown=range(start, start + MAX_ROWS))),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * MAX_ROWS, lambda page: f"?page={page or 1}"),
    }
    return players_page(request, context, form, rows, problems, attempt=attempt)


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
    if entered["national_championship"] == "qualification":
        details["national_championship"] = "qualification"
    return details


def players_form(
    request: HttpRequest,
    values: Mapping[str, Any],
    shown: tuple[ResultsGrid, int] | None,
    asked: Any,
) -> tuple[TournamentDetailsForm, list[Row], bool]:
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
    entered = request.POST.dict()
    if grid is None:
        # Empty fields take the values of the announcement.
        entered = {name: as_text(value) for name, value in values.items()} | {
            name: text for name, text in entered.items() if str(text).strip()
        }
    form = TournamentDetailsForm(entered, values=entered, asked=asked)
    rows = posted_rows(request)
    fill_in(rows, register_of_discipline(str(entered.get("discipline") or values.get("discipline", ""))))
    if "more" in request.POST:
        add_rows(rows, MORE_ROWS, after)
    save = "save" in request.POST or "stay" in request.POST
    return form, rows, form.is_valid() and save


def players_page(
    request: HttpRequest,
    context: dict[str, Any],
    form: TournamentDetailsForm,
    rows: list[Row],
    problems: dict[str, str | Promise],
    *,
    attempt: Attempt,
) -> HttpResponse:
    # Without a choice there is no other file to take the value from.
    women = cast(forms.Select, form.fields["women_only"].widget)
    value = form["women_only"].value() or ""
    choices = [("", "–"), ("true", gettext("yes")), ("false", gettext("no"))]
    women.choices = choices if value in dict(choices) else [*choices, (value, value)]
    saving = "save" in request.POST or "stay" in request.POST
    no_players = saving and all(row.empty for row in rows) and context["pages"] == 1
    has_faults = request.method == "POST" and (
        bool(problems) or no_players or any(row.blocks for row in rows) or bool(form.errors)
    )
    context |= {
        "groups": [
            (label, [(field, problems.get(field.name, "")) for field in fields])
            for label, fields in form.groups()
        ],
        "rows": rows,
        "can_add_rows": len(rows) < MAX_ROWS,
        "has_faults": has_faults,
        "problem": attempt.refusal,
        "no_players": no_players,
    }
    # A new report names its discipline in the form; before that the first register is meant.
    discipline = str(form["discipline"].value() or "") if "discipline" in form.fields else ""
    context.setdefault("number_label", gettext(register_of_discipline(discipline).number_label))
    status = HTTPStatus.BAD_REQUEST if has_faults and not attempt.refusal else attempt.status
    return render(request, "reporting/results_entry_players.html", context, status=status)


def posted_rows(request: HttpRequest) -> list[Row]:
    rows = []
    for index in range(1, MAX_ROWS + 1):
        number = request.POST.get(f"number-{index}")
        if number is None:
            break
        entered = {
            name: " ".join(request.POST.get(f"{name}-{index}", "").split(" ")).strip()
            for name in PLAYER_CELLS
        }
        rows.append(Row(index, number, entered))
    return rows


def stored_rows(grid: ResultsGrid, start: int, most: int = MAX_ROWS) -> list[Row]:
    """The rows of players from a place on, with messages about values that cannot be written or read."""
    rows = []
    for index, player in enumerate(grid.players[start : start + most], 1):
        stored = {
            "fmjd_id": as_text(player.fmjd_id),
            "first_name": player.first_name,
            "last_name": player.last_name,
            "country": player.federation,
            "born": as_text(player.born),
            "sex": player.sex,
            "place": as_text(player.place),
        }
        unread = {name: grid.unread_players.get((start + index - 1, name)) for name in stored}
        stored |= {name: cell.text for name, cell in unread.items() if cell and not stored[name]}
        rows.append(Row(index, str(player.number), stored))
    players_of(rows, ())
    return [replace(row, blocks=False) for row in rows]


def add_rows(rows: list[Row], more: int, after: int) -> None:
    for _ in range(min(more, MAX_ROWS - len(rows))):
        numbers = [int(row.number) for row in rows if row.number.isdecimal()]
        rows.append(Row(len(rows) + 1, str(max([*numbers, after]) + 1), dict.fromkeys(PLAYER_CELLS, "")))


def fill_in(rows: Sequence[Row], register: Register) -> None:
    """Fill in name and country from the register for rows with only a number. 0 or 1 query."""
    numbers = {row.entered["fmjd_id"] for row in rows if re.fullmatch(ID, row.entered["fmjd_id"])}
    if not numbers:
        return
    known = {
        player.number_in(register): player
        for player in Player.objects.with_numbers(register, map(int, numbers))
    }
    for row in rows:
        text = row.entered["fmjd_id"]
        player = known.get(int(text)) if text in numbers else None
        if text in numbers and player is None:
            row.messages["fmjd_id"] = gettext("No player has this %(number)s.") % {
                "number": gettext(register.number_label)
            }
        if player is not None and not (row.entered["first_name"] or row.entered["last_name"]):
            row.entered |= {"first_name": player.first_name, "last_name": player.last_name}
            row.entered["country"] = row.entered["country"] or player.federation_id


def players_of(rows: Iterable[Row], before: Sequence[ReportedPlayer]) -> list[ReportedPlayer]:
    """The entered players; values that cannot be written get a message. Empty rows are ignored.

    `before` are the saved players of the same rows: their other data stays.
    """
    players = []
    for row in rows:
        if row.empty:
            continue
        entered = row.entered
        for name in ("first_name", "last_name", "country"):
            text = clean_cell(entered[name])
            if _BREAKS.search(entered[name]):
                row.refuse(name, NO_COMMA)
            elif text is None:
                row.refuse(name, INVISIBLE)
            elif len(text) > MAX_CELL_LENGTH:
                row.refuse(name, gettext("Enter at most %(most)s characters.") % {"most": MAX_CELL_LENGTH})
            else:
                entered[name] = text
        number = parse_whole_number(row, "number", row.number, 4)
        fmjd_id = parse_whole_number(row, "fmjd_id", entered["fmjd_id"], FMJD_ID_DIGITS)
        place = parse_whole_number(row, "place", entered["place"], NUMBER_DIGITS)
        born = parse_day(entered["born"]) if entered["born"] else None
        if isinstance(born, str) or (born is not None and not FIRST_DAY <= born <= LAST_DAY):
            row.refuse("born", no_day())
            born = None
        if entered["sex"] not in ("", "M", "W"):
            row.refuse("sex", gettext("Choose M, W or nothing."))
        if not number:
            row.refuse("fmjd_id", gettext("This row has no number."))
            continue
        name = f"{entered['first_name']} {entered['last_name']}".strip()
        same = before[row.index - 1] if row.index <= len(before) else None
        player = replace(
            same if same and same.number == number else ReportedPlayer(number, name),
            name=name,
            fmjd_id=fmjd_id or None,
            first_name=entered["first_name"],
            last_name=entered["last_name"],
            federation=entered["country"],
            born=born,
            sex=entered["sex"],
            place=place or None,
        )
        players.append(player)
    return players


def no_day() -> str:
    """The message about a text that is not a day of a tournament or of a birth."""
    return gettext("Enter a date like 2026-11-06, from %(first)s to %(last)s.") % {
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
        if isinstance(value, str) and re.search(r"[\r\n]", value):
            problems[name] = gettext("Remove the line breaks.")
        elif isinstance(value, str) and clean_cell(value) is None:
            problems[name] = INVISIBLE
    days: dict[str, date | None] = {}
    for name in ("played_from", "played_to"):
        played = details[name]
        if played is not None and not (isinstance(played, date) and FIRST_DAY <= played <= LAST_DAY):
            problems[name] = no_day()
            played = None
        days[name] = played
    if details["system"] not in (None, *SYSTEMS.values()):
        problems["system"] = gettext("Choose one of %(choices)s.") % {"choices": ", ".join(SYSTEMS.values())}
    final, women = details["national_championship"], details["women_only"]
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


def details_from_form(form: TournamentDetailsForm, announcement: Announcement | None) -> dict[str, Any]:
    """The details next to the file: board, time control, qualification and the day of the announcement."""
    details = form.details()
    details_file = {"discipline": details["discipline"], "time_control": details["time_control"]}
    if details["national_championship"] == "qualification":
        details_file["national_championship"] = "qualification"
    if announcement is not None:
        details_file["announced"] = announcement.announced_on
    return details_file
