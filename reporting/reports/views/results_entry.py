"""A report typed in a grid, for a referee without a program: the competition and its players.

It is kept as a file of Annex 9 art. 11 and checked as one; its rounds are in grid_rounds.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from reporting.errors import DomainError
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
    parse_whole_number,
    requested_page,
    round_numbers,
    save_grid,
)
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
    as_refusal,
    refusal_status,
    require_access,
)
from reporting.web.paging import build_pager

INFO = ("name", "place", "country", "played_from", "played_to", "system")
FILE_DETAILS = (
    ("The competition", INFO),
    ("What kind", ("national_championship", "women_only", "referee")),
)
NEW_REPORT_DETAILS = (
    ("The competition", INFO),
    ("What kind", ("discipline", "time_control", "national_championship", "women_only", "referee")),
)
INITIAL_ROWS = 8
NO_COMMA = "No comma and no line break here: the form of Annex 9 art. 11 parts its fields by commas."
NO_DAY = f"A day of the calendar as 2026-11-06, from {FIRST_DAY} to {LAST_DAY}."

HIDDEN = "A character here cannot be seen. Delete the text and type it again."
ID = rf"[0-9]{{1,{FMJD_ID_DIGITS}}}"

_BREAKS = re.compile(r"[,\r\n]")


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_grid(request: HttpRequest) -> HttpResponse:
    """The competition and its players; saved, they are a draft whose rounds are typed next."""
    announcements = selectors.open_announcements(cast(User, request.user))
    asked = (request.POST if request.method == "POST" else request.GET).get("announcement", "")
    announcement = next((each for each in announcements if str(each.pk) == asked), None)
    started = {"referee": cast(User, request.user).name} | announced_details(announcement)
    form, rows, save = players_form(request, started, None, NEW_REPORT_DETAILS)
    told: dict[str, str] = {}
    problem: DomainError | None = None
    if save:
        info, told = info_of(form, ReportedInfo())
        players = players_of(rows, ())
        if players and not told and not any(row.blocks for row in rows):
            info, details = move_long_texts(info, details_from_form(form, announcement))
            try:
                uploaded = upload_report(
                    content=grid_file(info, players, ()),
                    filename=FILENAME,
                    sidecar=write_details(details),
                    by=actor(request),
                    announcement=announcement,
                )
                messages.success(request, "The players are saved as a draft. Now the rounds.")
                return redirect("report-results-entry-round", uploaded.report.pk, 1)
            except (DomainError, OperationalError) as refusal:
                problem = as_refusal(refusal)
    context = {
        "parent": "reporting/results_entry_new.html",
        "announcements": announcements,
        "announcement": announcement,
        "can_edit": True,
        "problem": problem,
        "pages": 1,
    }
    return players_page(request, context, form, rows, told)


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_players(request: HttpRequest, number: int) -> HttpResponse:
    """The tournament and the players of a report, whatever its format, a hundred players a page."""
    opened, grid = editable_report(request, number)
    page, pages = requested_page(request, len(grid.players))
    start = (page - 1) * MAX_ROWS
    shown = grid.players[start : start + MAX_ROWS]
    form, rows, save = players_form(request, values_of(grid), (grid, start), FILE_DETAILS)
    told: dict[str, str] = {}
    problem: DomainError | None = None
    if save:
        info, told = info_of(form, grid.info)
        players = [*grid.players[:start], *players_of(rows, shown), *grid.players[start + len(shown) :]]
        if players and not told and not any(row.blocks for row in rows):
            info, details = move_long_texts(info, entered_details(form, grid))
            try:
                version = save_grid(request, opened, grid, info=info, players=players, details=details)
                add_saved_message(request, "The players", version)
                if "stay" in request.POST:
                    return redirect(request.get_full_path())
                return redirect("report-results-entry-round", number, 1)
            except (DomainError, OperationalError) as refusal:
                problem = as_refusal(refusal)
    elif request.method != "POST":
        told = {name: cell.message for name, cell in grid.unread_info.items()}
    context = report_context(request, opened, "file") | {
        "parent": "reporting/report_shell.html",
        "problem": problem,
        "round_numbers": round_numbers(grid.read, 1),
        "grid": grid,
        "losses_on_save": grid.losses_on_save(shown=range(start, start + MAX_ROWS)),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * MAX_ROWS, lambda page: f"?page={page or 1}"),
    }
    return players_page(request, context, form, rows, told)


def values_of(grid: ResultsGrid) -> dict[str, Any]:
    """What is known of the tournament: the details hold over the file; what could not be read as it stands there."""
    unread = {name: cell.text for name, cell in grid.unread_info.items()}
    return (
        grid.info.to_json()
        | unread
        | {name: value for name, value in grid.details.items() if value not in (None, "")}
    )


def entered_details(form: TournamentDetailsForm, grid: ResultsGrid) -> dict[str, Any]:
    """The details of the grid with what was typed in the place of what they say, so that the two never differ."""
    typed = form.details()
    details = {
        name: typed.get(name, value)
        for name, value in grid.details.items()
        if typed.get(name, value) is not None
    }
    if typed["national_championship"] == "qualification":
        details["national_championship"] = "qualification"
    return details


def players_form(
    request: HttpRequest,
    values: Mapping[str, Any],
    shown: tuple[ResultsGrid, int] | None,
    asked: Any,
) -> tuple[TournamentDetailsForm, list[Row], bool]:
    """The form as it was opened or typed, names filled in from the register, and whether it is to be saved.

    `shown` are the grid of a report and the place of the first player of this page; None for a new report.
    """
    grid, start = shown or (None, 0)
    after = max((player.number for player in grid.players), default=0) if grid else 0
    if request.method != "POST":
        form = TournamentDetailsForm(values=values, asked=asked)
        rows = stored_rows(grid, start) if grid else []
        add_rows(rows, 0 if rows else INITIAL_ROWS, after)
        return form, rows, False
    typed = request.POST.dict()
    if grid is None:
        # What the announcement says is taken over where nothing was typed.
        typed = {name: as_text(value) for name, value in values.items()} | {
            name: text for name, text in typed.items() if str(text).strip()
        }
    form = TournamentDetailsForm(typed, values=typed, asked=asked)
    rows = posted_rows(request)
    fill_in(rows)
    if "more" in request.POST:
        add_rows(rows, MORE_ROWS, after)
    save = "save" in request.POST or "stay" in request.POST
    return form, rows, form.is_valid() and save


def players_page(
    request: HttpRequest,
    context: dict[str, Any],
    form: TournamentDetailsForm,
    rows: list[Row],
    told: dict[str, str],
) -> HttpResponse:
    # There is no other file whose word would be taken where nothing is chosen.
    women = cast(forms.Select, form.fields["women_only"].widget)
    typed = form["women_only"].value() or ""
    known = [("", "–"), ("true", "yes"), ("false", "no")]
    women.choices = known if typed in dict(known) else [*known, (typed, typed)]
    saving = "save" in request.POST or "stay" in request.POST
    nobody = saving and all(row.empty for row in rows) and context["pages"] == 1
    wrong = bool(told) or nobody or any(row.blocks for row in rows) or bool(form.is_bound and form.errors)
    context |= {
        "groups": [
            (words, [(each, told.get(each.name, "")) for each in fields]) for words, fields in form.groups()
        ],
        "rows": rows,
        "can_add_rows": len(rows) < MAX_ROWS,
        "wrong": wrong and request.method == "POST",
        "unknown_ids": nobody,
    }
    problem = context.get("problem")
    status = HTTPStatus.OK
    if problem:
        status = refusal_status(problem)
    elif wrong and request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
    return render(request, "reporting/results_entry_players.html", context, status=status)


def posted_rows(request: HttpRequest) -> list[Row]:
    rows = []
    for index in range(1, MAX_ROWS + 1):
        number = request.POST.get(f"number-{index}")
        if number is None:
            break
        typed = {
            name: " ".join(request.POST.get(f"{name}-{index}", "").split(" ")).strip()
            for name in PLAYER_CELLS
        }
        rows.append(Row(index, number, typed))
    return rows


def stored_rows(grid: ResultsGrid, start: int, most: int = MAX_ROWS) -> list[Row]:
    """The rows of players from a place on; what can't be written or could not be read is marked."""
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


def fill_in(rows: Sequence[Row]) -> None:
    """Name and country from the register where an FMJD-ID stands alone. 1 query, or none."""
    asking = {row.entered["fmjd_id"]: row for row in rows if re.fullmatch(ID, row.entered["fmjd_id"])}
    if not asking:
        return
    known = Player.objects.filter(fmjd_id__in=list(map(int, asking))).in_bulk(field_name="fmjd_id")
    for row in rows:
        text = row.entered["fmjd_id"]
        player = known.get(int(text)) if text in asking else None
        if text in asking and player is None:
            row.messages["fmjd_id"] = "No player has this FMJD-ID."
        if player is not None and not (row.entered["first_name"] or row.entered["last_name"]):
            row.entered |= {"first_name": player.first_name, "last_name": player.last_name}
            row.entered["country"] = row.entered["country"] or player.federation_id


def players_of(rows: Iterable[Row], before: Sequence[ReportedPlayer]) -> list[ReportedPlayer]:
    """The players typed; what can't be written in the form is told at its field. Empty rows are nobody.

    `before` are those of the same rows as they stand: what the grid does not ask of them stays.
    """
    players = []
    for row in rows:
        if row.empty:
            continue
        typed = row.entered
        for name in ("first_name", "last_name", "country"):
            text = clean_cell(typed[name])
            if _BREAKS.search(typed[name]):
                row.refuse(name, NO_COMMA)
            elif text is None:
                row.refuse(name, HIDDEN)
            elif len(text) > MAX_CELL_LENGTH:
                row.refuse(name, f"At most {MAX_CELL_LENGTH} characters.")
            else:
                typed[name] = text
        number = parse_whole_number(row, "number", row.number, 4)
        fmjd_id = parse_whole_number(row, "fmjd_id", typed["fmjd_id"], FMJD_ID_DIGITS)
        place = parse_whole_number(row, "place", typed["place"], NUMBER_DIGITS)
        born = parse_day(typed["born"]) if typed["born"] else None
        if isinstance(born, str) or (born is not None and not FIRST_DAY <= born <= LAST_DAY):
            row.refuse("born", NO_DAY)
            born = None
        if typed["sex"] not in ("", "M", "W"):
            row.refuse("sex", "M or W, or nothing.")
        if not number:
            row.refuse("fmjd_id", "This row has no number.")
            continue
        name = f"{typed['first_name']} {typed['last_name']}".strip()
        same = before[row.index - 1] if row.index <= len(before) else None
        player = replace(
            same if same and same.number == number else ReportedPlayer(number, name),
            name=name,
            fmjd_id=fmjd_id or None,
            first_name=typed["first_name"],
            last_name=typed["last_name"],
            federation=typed["country"],
            born=born,
            sex=typed["sex"],
            place=place or None,
        )
        players.append(player)
    return players


def info_of(form: TournamentDetailsForm, before: ReportedInfo) -> tuple[ReportedInfo, dict[str, str]]:
    """What the file says of the competition, and what is to be said about answers that it can't carry."""
    details = form.details()
    told: dict[str, str] = {}
    for name, value in details.items():
        if isinstance(value, str) and re.search(r"[\r\n]", value):
            told[name] = "No line break here."
        elif isinstance(value, str) and clean_cell(value) is None:
            told[name] = HIDDEN
    days: dict[str, date | None] = {}
    for name in ("played_from", "played_to"):
        day = details[name]
        if day is not None and not (isinstance(day, date) and FIRST_DAY <= day <= LAST_DAY):
            told[name] = NO_DAY
            day = None
        days[name] = day
    if details["system"] not in (None, *SYSTEMS.values()):
        told["system"] = f"One of {', '.join(SYSTEMS.values())}."
    final, women = details["national_championship"], details["women_only"]
    if final not in (None, "final", "qualification", "no"):
        told["national_championship"] = "Choose one of the list."
    if not isinstance(women, bool | None):
        told["women_only"] = "Yes or no."
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
    return info, told


def details_from_form(form: TournamentDetailsForm, announcement: Announcement | None) -> dict[str, Any]:
    """What the file can't say: board, clock, a qualification, and the day of the announcement."""
    details = form.details()
    beside = {"discipline": details["discipline"], "time_control": details["time_control"]}
    if details["national_championship"] == "qualification":
        beside["national_championship"] = "qualification"
    if announcement is not None:
        beside["announced"] = announcement.announced_on
    return beside
