"""The steps of a report after its file: tournament details, people, preview, submission."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext

from ratings.office.selectors.expected import ExpectedChange, expected_changes, pool_of_tournament
from ratings.published.selectors.tournaments import published_in
from ratings.templatetags.figures import day, days
from reporting.errors import DomainError
from reporting.formats.tournament_details_file import detail_values
from reporting.models import Player, Tournament, User
from reporting.policies import check_can_read_reports, check_can_see_private_details, check_can_upload
from reporting.regulations import announcement_days
from reporting.reports.forms import GROUPS, PRIVATE_GROUP, TournamentDetailsForm, as_text, value_label
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.open_report import OpenReport
from reporting.reports.services.submit import submit_report
from reporting.reports.services.validate import Candidate
from reporting.reports.views.announcements import announcement_choices
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    add_remaining_findings_message,
    based_on_in,
    may_change,
    report_context,
    report_or_404,
)
from reporting.rules.findings import Finding, Severity
from reporting.rules.lifecycle import ReportMove
from reporting.rules.report import ANNEX_9_FORMATS, PAUSE, ReadReport, ReportedGame, ReportedPlayer
from reporting.rules.time_control import TimeControlError, parse_time_control
from reporting.rules.tournament_details import TournamentDetails, parse_day
from reporting.web.access import (
    LARGE_FORM,
    actor,
    allow_large_body,
    as_refusal,
    check_text,
    refusal_message,
    refusal_status,
    require_access,
)
from reporting.web.paging import Rows, rounds_on_page, rows_on_page

PERSON_FIELD = re.compile(r"(fmjd_id|last_name|first_name|country|sex|born)-([1-9][0-9]{0,3})\Z")
TAKE_FIELD = re.compile(r"take-([1-9][0-9]{0,3})\Z")
MOST_OFFERED = 50
"""Tournaments offered as the corrected one; a search finds the others."""
MAX_SEARCH_LENGTH = 100
PEOPLE_PER_PAGE = 50
"""Players to identify on one page, with six fields, findings and candidates."""
MAX_CANDIDATES = 8
NEW_PLAYER_CODES = frozenset({"born-missing", "sex-missing", "name-not-split"})
"""Findings about the data of a new player, which the page People asks for."""
WARNINGS_PER_PAGE = 50
MAX_COMMENT_LENGTH = 2000
COMMENTS_FORM_BYTES = 400_000
"""Bytes of all comments on warnings, also on other pages: a thousand comments of a line or two."""


# --- tournament details


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_details(request: HttpRequest, number: int) -> HttpResponse:
    """The tournament details next to the file, and the time control with its pool and percentage."""
    opened = report_or_404(request, number)
    values = detail_values(bytes(opened.version.sidecar))
    if opened.report.corrects is not None:  # also where the office said so when it accepted the report
        values["corrects"] = opened.report.corrects.code
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    form = TournamentDetailsForm(
        request.POST if request.method == "POST" else None,
        values=values,
        asked=(*GROUPS, PRIVATE_GROUP) if private else GROUPS,
    )
    search = offer_tournaments(form, request, opened)
    problem: DomainError | None = None
    # Enter in the field of the search presses the form's first button, which has no name.
    searches = "search" in request.POST or (search.words and "save" not in request.POST)
    if request.method == "POST" and not searches:
        try:
            if form.is_valid():
                saved = edit_tournament_details(
                    report=opened.report,
                    based_on=based_on_in(request),
                    values=form.details(),
                    by=actor(request),
                )
                add_remaining_findings_message(request, saved.version)
                return redirect("report-details", number)
            problem = DomainError("too_long")
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
    context = report_context(request, opened, "details") | {
        "form": form,
        "search": search,
        "groups": detail_groups(form, opened),
        "general_findings": rows_on_page(
            request,
            [
                finding
                for finding in opened.findings
                if finding.step == "details" and finding.field not in form.fields
            ],
            "general",
            most=FINDINGS_SHOWN,
            anchor="#general-findings",
        ),
        "time_control_summary": time_control_summary(opened),
        "announcement": opened.report.announcement,
        "announcements": announcement_choices(opened),
        "notice_days": announcement_days(opened.submission.read.info.played_from or timezone.localdate()),
        "encoding_previews": opened.reading.previews,
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_details.html", context, status=status)


@dataclass(frozen=True)
class Search:
    """A search for the tournament to correct: how many are offered, of how many."""

    words: str
    offered: int
    total: int

    @property
    def is_shown(self) -> bool:
        return bool(self.words) or self.offered < self.total


def offer_tournaments(form: TournamentDetailsForm, request: HttpRequest, opened: OpenReport) -> Search:
    """Make a choice of the tournaments to correct, by the lists that count them; the present value stays."""
    user = cast(User, request.user)
    searched = str(request.POST.get("find", "")).replace("\x00", "")[:MAX_SEARCH_LENGTH].strip()
    known: list[Tournament] = []
    total = 0
    if may_change(request, opened):
        near = opened.submission.read.info.played_to or opened.version.played_to
        known, total = selectors.tournaments_to_correct(user, words=searched, near=near, most=MOST_OFFERED)
    counted = published_in([tournament.code for tournament in known]) if known else {}
    lists: dict[str, list[tuple[str, str]]] = {}
    for tournament in known:
        counting = counted.get(tournament.code)
        heading = gettext("In no published list yet")
        if counting:
            heading = gettext("List of %(day)s, %(pool)s") % {
                "day": day(counting.in_force),
                "pool": counting.pool,
            }
        played = days(tournament.played_from, tournament.played_to)
        label = f"{tournament.name}, {played} ({tournament.code})"
        lists.setdefault(heading, []).append((tournament.code, label))
    value = as_text(form["corrects"].value())
    others = [(value, value)] if value and value not in {tournament.code for tournament in known} else []
    form.fields["corrects"].widget = forms.Select(
        attrs={"class": "field__input"}, choices=[("", "–"), *others, *lists.items()]
    )
    return Search(searched, len(known), total)


@dataclass(frozen=True)
class DetailField:
    """A field of the form with its findings and the value of the file."""

    field: Any
    findings: Sequence[Finding]
    in_file: str


def detail_groups(
    form: TournamentDetailsForm, opened: OpenReport
) -> list[tuple[str | Promise, list[DetailField]]]:
    """The groups of the form with their fields."""
    in_file = opened.submission.read.info.to_json()
    return [
        (
            label,
            [
                DetailField(
                    field,
                    [found for found in opened.findings if found.field == field.name and found.line is None],
                    value_label(field, in_file.get(field.name)),
                )
                for field in group
            ],
        )
        for label, group in form.groups()
    ]


@dataclass(frozen=True)
class TimeControlSummary:
    """How the time control is calculated, its pool, and the percentage that multiplies K (R6)."""

    calculation_text: str
    pool: str
    development: int


def time_control_summary(opened: OpenReport) -> TimeControlSummary | None:
    """None while the details have errors or no time control."""
    details = opened.submission.details
    if details is None:
        return None
    pool, development = pool_of_tournament(details)
    try:
        calculation_text = parse_time_control(details.time_control).calculation_text()
    except TimeControlError:
        calculation_text = gettext("%(minutes)s minutes for 60 moves") % {
            "minutes": details.minutes_for_60_moves
        }
    return TimeControlSummary(calculation_text, pool.name, development)


# --- people


@dataclass(frozen=True)
class Person:
    """A player of the report and the player of the register."""

    reported: ReportedPlayer
    known: Player | None
    findings: Sequence[Finding]
    candidates: Sequence[Candidate]
    entered: dict[str, str]


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: HttpRequest, number: int) -> HttpResponse:
    """The players: an FMJD-ID, or the data of a new player (R20)."""
    opened = report_or_404(request, number)
    values = detail_values(bytes(opened.version.sidecar))
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=people_details(request, values, opened.submission.read.players),
                by=actor(request),
            )
            add_remaining_findings_message(request, saved.version)
            page = request.GET.get("page", "")
            return redirect(reverse("report-people", args=[number], query={"page": page} if page else None))
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
    findings, entered = findings_by_player(opened.findings), posted_people(request)
    # A player with entered values is on the page again when these were not saved.
    opened_numbers = set(entered) if request.method == "POST" else {request.GET.get("number", "")}
    waiting: list[ReportedPlayer] = []
    settled: list[ReportedPlayer] = []
    for player in opened.submission.read.players:
        waits = player.line in findings or str(player.number) in opened_numbers
        (waiting if waits else settled).append(player)
    first = next(
        (place for place, player in enumerate(waiting) if str(player.number) in opened_numbers), None
    )
    waiting_shown = rows_on_page(request, waiting, most=PEOPLE_PER_PAGE, holds=first, anchor="#waiting")
    settled_shown = rows_on_page(request, settled, "known_people", anchor="#settled")
    general = [found for found in opened.findings if found.step == "people" and found.line is None]

    def people(rows: Rows[ReportedPlayer]) -> list[Person]:
        return [
            person(player, opened, values, findings.get(player.line, ()), entered.get(str(player.number), {}))
            for player in rows
        ]

    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(
            request, general, "general", most=FINDINGS_SHOWN, anchor="#unmatched-entries"
        ),
        "unmatched_people": people(waiting_shown),
        "unmatched_page": waiting_shown,
        "known_people": people(settled_shown),
        "known_page": settled_shown,
        "asks_all": opened.version.format not in ANNEX_9_FORMATS,
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_people.html", context, status=status)


def findings_by_player(findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """The findings of the page People by the line of the player: first those about identity, then about data."""
    by_line: dict[int, list[Finding]] = {}
    identity = [finding for finding in findings if finding.step == "people"]
    data = [finding for finding in findings if finding.code in NEW_PLAYER_CODES]
    for finding in [*identity, *data]:
        if finding.line is not None:
            by_line.setdefault(finding.line, []).append(finding)
    return by_line


def posted_people(request: HttpRequest) -> dict[str, dict[str, str]]:
    """The fields of the form as they were entered, by number of the player."""
    entered: dict[str, dict[str, str]] = {}
    for name, text in request.POST.items():
        if field := PERSON_FIELD.match(name):
            entered.setdefault(field[2], {})[field[1]] = str(text)
    return entered


def person(
    reported: ReportedPlayer,
    opened: OpenReport,
    values: dict[str, Any],
    findings: Sequence[Finding],
    entered: dict[str, str],
) -> Person:
    """A player of the page People; what was entered replaces the saved values."""
    number = str(reported.number)
    saved = {name: as_text(value) for name, value in values.get("newcomers", {}).get(number, {}).items()}
    saved["fmjd_id"] = as_text(values.get("players", {}).get(number) or reported.fmjd_id)
    return Person(
        reported,
        opened.matching.players.get(reported.number),
        findings,
        opened.matching.candidates.get(reported.number, ())[:MAX_CANDIDATES],
        saved | entered,
    )


def people_details(
    request: HttpRequest, values: dict[str, Any], reported: Sequence[ReportedPlayer]
) -> dict[str, Any]:
    """The details `players` and `newcomers` with the values entered for the players of the form.

    The entries of other players stay. `remove-unknown` removes those that name no player of the report, and new
    players who have an FMJD-ID in it.
    """
    players = dict(values.get("players", {}))
    newcomers = {number: dict(data) for number, data in values.get("newcomers", {}).items()}
    if "remove-unknown" in request.POST:
        in_file = {str(player.number): player.fmjd_id for player in reported}
        players = {number: fmjd_id for number, fmjd_id in players.items() if number in in_file}
        newcomers = {
            number: data
            for number, data in newcomers.items()
            if number in in_file and number not in players and in_file[number] is None
        }
    entered = {
        number: {name: " ".join(text.split()) for name, text in fields.items()}
        for number, fields in posted_people(request).items()
    }
    for name, text in request.POST.items():
        if button := TAKE_FIELD.match(name):  # the button of a candidate
            entered[button[1]] = {"fmjd_id": str(text)}
    for number, data in entered.items():
        fmjd_id = data.pop("fmjd_id", "")
        players.pop(number, None)
        newcomers.pop(number, None)
        if fmjd_id:
            players[number] = int(fmjd_id) if re.fullmatch(r"[0-9]{1,9}", fmjd_id) else fmjd_id
        elif any(data.values()):
            newcomers[number] = {
                name: parse_day(text) if name == "born" else text for name, text in data.items() if text
            }
    return {"players": players, "newcomers": newcomers}


# --- preview


@dataclass(frozen=True)
class PreviewLine:
    """A player with place and results, points as printed and as summed, and the expected change."""

    player: ReportedPlayer
    place: int | None
    known: Player | None
    cells: Sequence[Sequence["PreviewCell"]]
    summed: int
    expected: ExpectedChange | None

    @property
    def differs(self) -> bool:
        return self.player.points_printed is not None and self.player.points_printed != self.summed


@dataclass(frozen=True)
class PreviewCell:
    """One result of a round: points, number of the opponent, colour."""

    points: int
    against: int
    white: bool
    played: bool


@require_access(check_can_read_reports, "GET", "HEAD")
def report_preview(request: HttpRequest, number: int) -> HttpResponse:
    """The report as the office sees it: crosstable, points and expected rating changes."""
    opened = report_or_404(request, number)
    read, details = opened.submission.read, opened.submission.details
    expectation = (
        expected_changes(details=details, read=read, players=opened.matching.players) if details else None
    )
    expected = expectation.players if expectation else {}
    lines, rounds = preview_lines(request, read, details, opened.matching.players, expected)
    context = report_context(request, opened, "preview") | {
        "lines": lines,
        "rounds": rounds,
        "expectation": expectation,
    }
    return render(request, "reporting/report_preview.html", context)


def preview_lines(
    request: HttpRequest | None,
    read: ReadReport,
    details: TournamentDetails | None,
    players: Any,
    expected: Any,
) -> tuple[Rows[PreviewLine], Rows[int]]:
    """A page of the players by place with their results, and the rounds that its crosstable has room for."""
    summed = read.points_summed

    def place(player: ReportedPlayer) -> int | None:
        return details.place_of(player.place) if details else player.place

    ordered = sorted(
        read.players,
        key=lambda player: (place(player) or len(read.players) + 1, -summed[player.number], player.number),
    )
    shown = rows_on_page(request, ordered, anchor="#standings")
    lines = [
        PreviewLine(
            player,
            place(player),
            players.get(player.number),
            cells(read, player.number),
            summed[player.number],
            expected.get(player.number),
        )
        for player in shown
    ]
    rounds = rounds_on_page(request, range(1, read.rounds + 1), lines)
    return Rows(lines, shown.first, shown.last, shown.total, shown.pager), rounds


def cells(read: ReadReport, number: int) -> list[list[PreviewCell]]:
    """A player's results by rounds."""
    by_round: list[list[PreviewCell]] = [[] for _ in range(read.rounds)]
    for game in read.games_of.get(number, ()):
        by_round[game.round - 1].append(cell(game, number))
    return by_round


def cell(game: ReportedGame, number: int) -> PreviewCell:
    white = game.white == number
    points = game.white_points if white else game.black_points
    against = game.black if white else game.white
    return PreviewCell(points, against, white, game.played or against == PAUSE)


# --- submission


@allow_large_body(COMMENTS_FORM_BYTES)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_submit(request: HttpRequest, number: int) -> HttpResponse:
    """Comment on every warning and submit the report to the office."""
    opened = report_or_404(request, number)
    entered, unplaced = posted_comments(request), list[str]()
    problem: DomainError | None = None
    if request.method == "POST" and "page" not in request.POST:
        try:
            if based_on_in(request) != opened.version.number:
                raise DomainError("version_changed")
            check_text(*entered.values())
            submit_report(report=opened.report, comments=entered, by=actor(request))
            messages.success(
                request, gettext("Report submitted. You get a message when the office accepts it.")
            )
            return redirect("report", number)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            opened = report_or_404(request, number)
            entered, unplaced = carried_over_comments(entered, based_on_in(request), opened)
    warnings = [
        (index, finding, entered.get(index, opened.comments[index].text if index in opened.comments else ""))
        for index, finding in enumerate(opened.findings)
        if finding.severity is Severity.WARNING
    ]
    missing = None
    if problem and problem.code == "comments_missing":
        missing = next((place for place, (_, _, text) in enumerate(warnings) if not text.strip()), None)
    can_submit = opened.allows(ReportMove.SUBMIT)
    shown = rows_on_page(
        request, warnings, most=WARNINGS_PER_PAGE, holds=missing, anchor="#warnings", posts=can_submit
    )
    context = report_context(request, opened, "submit") | {
        "errors": [finding for finding in opened.findings if finding.severity is Severity.ERROR],
        "warnings": shown,
        "elsewhere": [*warnings[: max(shown.first - 1, 0)], *warnings[shown.last :]] if can_submit else [],
        "can_submit": can_submit,
        "unplaced": unplaced,
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_submit.html", context, status=status)


def posted_comments(request: HttpRequest) -> dict[int, str]:
    """The comments on warnings by index of the finding."""
    return {
        int(name.removeprefix("comment-")): str(text)
        for name, text in request.POST.items()
        if re.fullmatch(r"comment-[0-9]{1,4}", name)
    }


def carried_over_comments(
    entered: dict[int, str], based_on: int, opened: OpenReport
) -> tuple[dict[int, str], list[str]]:
    """The comments on one version by index in the newest one; and the comments whose finding is gone."""
    if based_on == opened.version.number:
        return entered, []
    seen = opened.report.versions.filter(number=based_on).values_list("findings", flat=True).first() or []
    moved, unplaced = {}, []
    for index, text in entered.items():
        finding = seen[index] if index < len(seen) else None
        if finding in opened.version.findings:
            moved[opened.version.findings.index(finding)] = text
        elif text.strip():
            unplaced.append(text)
    return moved, unplaced
