"""The steps of a report after its file: facts, people, preview, handing in."""

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

from ratings.office.selectors.expected import ExpectedChange, expected_changes, pool_of_tournament
from ratings.published.selectors.tournaments import published_in
from reporting.errors import DomainError
from reporting.formats.tournament_details_file import detail_values
from reporting.messages.notifications import format_day
from reporting.models import Player, Tournament, User
from reporting.policies import check_can_read_reports, check_can_see_private_details, check_can_upload
from reporting.regulations import announcement_days
from reporting.reports.forms import GROUPS, PRIVATE_GROUP, TournamentDetailsForm, as_text
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
"""Tournaments to choose the corrected one from; the others are found by a search."""
MAX_SEARCH_LENGTH = 100
PEOPLE_PER_PAGE = 50
"""Players to be settled on one page, each with six fields, findings and look-alikes."""
MAX_CANDIDATES = 8
WARNINGS_PER_PAGE = 50
MAX_COMMENT_LENGTH = 2000
COMMENTS_FORM_BYTES = 400_000
"""Bytes of all words given to warnings, those on other pages included: a thousand answers of a line or two."""


# --- facts


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_details(request: HttpRequest, number: int) -> HttpResponse:
    """What the file does not say of the competition; the time control worked out, with its percentage and pool."""
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
            [each for each in opened.findings if each.step == "details" and each.field not in form.fields],
            "general",
            most=FINDINGS_SHOWN,
            anchor="#loose",
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
    """What was searched for among the tournaments to correct: how many are offered, of how many."""

    words: str
    offered: int
    total: int

    @property
    def is_shown(self) -> bool:
        return bool(self.words) or self.offered < self.total


def offer_tournaments(form: TournamentDetailsForm, request: HttpRequest, opened: OpenReport) -> Search:
    """What the report corrects is chosen: by the lists that count the tournaments; what was typed before stays."""
    user = cast(User, request.user)
    searched = str(request.POST.get("find", "")).replace("\x00", "")[:MAX_SEARCH_LENGTH].strip()
    known: list[Tournament] = []
    total = 0
    if may_change(request, opened):
        near = opened.submission.read.info.played_to or opened.version.played_to
        known, total = selectors.tournaments_to_correct(user, words=searched, near=near, most=MOST_OFFERED)
    counted = published_in([each.code for each in known]) if known else {}
    lists: dict[str, list[tuple[str, str]]] = {}
    for each in known:
        line = counted.get(each.code)
        name = f"List of {format_day(line.in_force)}, {line.pool}" if line else "In no published list yet"
        words = f"{each.name}, {format_day(each.played_from)} to {format_day(each.played_to)} ({each.code})"
        lists.setdefault(name, []).append((each.code, words))
    typed = as_text(form["corrects"].value())
    others = [(typed, typed)] if typed and typed not in {each.code for each in known} else []
    form.fields["corrects"].widget = forms.Select(
        attrs={"class": "field__input"}, choices=[("", "–"), *others, *lists.items()]
    )
    return Search(searched, len(known), total)


@dataclass(frozen=True)
class DetailField:
    """A field of the form with what was found about its fact, and what the file itself says."""

    field: Any
    findings: Sequence[Finding]
    in_file: str


def detail_groups(form: TournamentDetailsForm, opened: OpenReport) -> list[tuple[str, list[DetailField]]]:
    told = opened.submission.read.info.to_json()
    return [
        (
            words,
            [
                DetailField(
                    field,
                    [each for each in opened.findings if each.field == field.name and each.line is None],
                    as_text(told.get(field.name)),
                )
                for field in group
            ],
        )
        for words, group in form.groups()
    ]


@dataclass(frozen=True)
class TimeControlSummary:
    """The time control worked out, the pool it leads to and the percentage that multiplies K (R6)."""

    calculation_text: str
    pool: str
    development: int


def time_control_summary(opened: OpenReport) -> TimeControlSummary | None:
    """None while the facts are wrong or say nothing of it."""
    details = opened.submission.details
    if details is None:
        return None
    pool, development = pool_of_tournament(details)
    try:
        calculation_text = parse_time_control(details.time_control).calculation_text()
    except TimeControlError:
        calculation_text = f"{details.minutes_for_60_moves} minutes for 60 moves"
    return TimeControlSummary(calculation_text, pool.name, development)


# --- people


@dataclass(frozen=True)
class Person:
    """A player of the report beside whom the register has for him."""

    reported: ReportedPlayer
    known: Player | None
    findings: Sequence[Finding]
    candidates: Sequence[Candidate]
    entered: dict[str, str]


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: HttpRequest, number: int) -> HttpResponse:
    """Who the players are: an FMJD-ID for each, or what R20 asks of a newcomer."""
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
    told, typed = findings_by_player(opened.findings), posted_people(request)
    # Whoever something was typed for is on the page again when that was not saved.
    asked = set(typed) if request.method == "POST" else {request.GET.get("number", "")}
    waiting: list[ReportedPlayer] = []
    settled: list[ReportedPlayer] = []
    for each in opened.submission.read.players:
        waits = each.line in told or str(each.number) in asked
        (waiting if waits else settled).append(each)
    first = next((place for place, each in enumerate(waiting) if str(each.number) in asked), None)
    waiting_shown = rows_on_page(request, waiting, most=PEOPLE_PER_PAGE, holds=first, anchor="#waiting")
    settled_shown = rows_on_page(request, settled, "known_people", anchor="#settled")
    loose = [each for each in opened.findings if each.step == "people" and each.line is None]

    def people(rows: Rows[ReportedPlayer]) -> list[Person]:
        return [
            person(each, opened, values, told.get(each.line, ()), typed.get(str(each.number), {}))
            for each in rows
        ]

    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(request, loose, "general", most=FINDINGS_SHOWN, anchor="#loose"),
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
    """What is settled on the page People, by the line of the player: first who it is, then what is asked of him."""
    told: dict[int, list[Finding]] = {}
    of_newcomers = [
        each for each in findings if each.code in ("born-missing", "sex-missing", "name-not-split")
    ]
    for finding in [*(each for each in findings if each.step == "people"), *of_newcomers]:
        if finding.line is not None:
            told.setdefault(finding.line, []).append(finding)
    return told


def posted_people(request: HttpRequest) -> dict[str, dict[str, str]]:
    """The fields of the form as they were sent, by number of the player."""
    typed: dict[str, dict[str, str]] = {}
    for name, text in request.POST.items():
        place = PERSON_FIELD.match(name)
        if place:
            typed.setdefault(place[2], {})[place[1]] = str(text)
    return typed


def person(
    reported: ReportedPlayer,
    opened: OpenReport,
    values: dict[str, Any],
    findings: Sequence[Finding],
    sent: dict[str, str],
) -> Person:
    number = str(reported.number)
    told = dict(values.get("newcomers", {}).get(number, {}))
    typed = {name: as_text(value) for name, value in told.items()}
    typed["fmjd_id"] = as_text(values.get("players", {}).get(number) or reported.fmjd_id)
    return Person(
        reported,
        opened.matching.players.get(reported.number),
        findings,
        opened.matching.candidates.get(reported.number, ())[:MAX_CANDIDATES],
        typed | sent,
    )


def people_details(
    request: HttpRequest, values: dict[str, Any], reported: Sequence[ReportedPlayer]
) -> dict[str, Any]:
    """The facts `players` and `newcomers` with what was typed for the players asked.

    The others stay, unless those are to be removed that name no player of the report, or as newcomer one with an
    FMJD-ID in it.
    """
    players = dict(values.get("players", {}))
    newcomers = {number: dict(told) for number, told in values.get("newcomers", {}).items()}
    if "remove-unknown" in request.POST:
        in_file = {str(each.number): each.fmjd_id for each in reported}
        players = {number: fmjd_id for number, fmjd_id in players.items() if number in in_file}
        newcomers = {
            number: told
            for number, told in newcomers.items()
            if number in in_file and number not in players and in_file[number] is None
        }
    typed = {
        number: {name: " ".join(text.split()) for name, text in sent.items()}
        for number, sent in posted_people(request).items()
    }
    for name, text in request.POST.items():
        taken = TAKE_FIELD.match(name)
        if taken:  # a look-alike's own button
            typed[taken[1]] = {"fmjd_id": str(text)}
    for number, told in typed.items():
        fmjd_id = told.pop("fmjd_id", "")
        players.pop(number, None)
        newcomers.pop(number, None)
        if fmjd_id:
            players[number] = int(fmjd_id) if re.fullmatch(r"[0-9]{1,9}", fmjd_id) else fmjd_id
        elif any(told.values()):
            newcomers[number] = {
                name: parse_day(text) if name == "born" else text for name, text in told.items() if text
            }
    return {"players": players, "newcomers": newcomers}


# --- preview


@dataclass(frozen=True)
class PreviewLine:
    """A player with place and results, points as printed and as summed, and what he may expect."""

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
    """One result of a round: points, against which number and with which colour."""

    points: int
    against: int
    white: bool
    played: bool


@require_access(check_can_read_reports, "GET", "HEAD")
def report_preview(request: HttpRequest, number: int) -> HttpResponse:
    """The report as the office will see it: crosstable, points, and what it would do to ratings."""
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
    """A page of the players by place with their results, and the rounds of which its crosstable has room."""
    summed = read.points_summed

    def place(player: ReportedPlayer) -> int | None:
        return details.place_of(player.place) if details else player.place

    ordered = sorted(
        read.players,
        key=lambda each: (place(each) or len(read.players) + 1, -summed[each.number], each.number),
    )
    shown = rows_on_page(request, ordered, anchor="#standings")
    lines = [
        PreviewLine(
            each,
            place(each),
            players.get(each.number),
            cells(read, each.number),
            summed[each.number],
            expected.get(each.number),
        )
        for each in shown
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


# --- handing in


@allow_large_body(COMMENTS_FORM_BYTES)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_submit(request: HttpRequest, number: int) -> HttpResponse:
    """Every warning answered, then the report goes to the office."""
    opened = report_or_404(request, number)
    typed, unplaced = posted_comments(request), list[str]()
    problem: DomainError | None = None
    if request.method == "POST" and "page" not in request.POST:
        try:
            if based_on_in(request) != opened.version.number:
                raise DomainError("version_changed")
            check_text(*typed.values())
            submit_report(report=opened.report, comments=typed, by=actor(request))
            messages.success(request, "Handed in. The office has it now; you are told when it is accepted.")
            return redirect("report", number)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            opened = report_or_404(request, number)
            typed, unplaced = carried_over_comments(typed, based_on_in(request), opened)
    warnings = [
        (index, finding, typed.get(index, opened.comments[index].text if index in opened.comments else ""))
        for index, finding in enumerate(opened.findings)
        if finding.severity is Severity.WARNING
    ]
    missing = None
    if problem and problem.code == "comments_missing":
        missing = next((place for place, (_, _, text) in enumerate(warnings) if not text.strip()), None)
    may_answer = opened.allows(ReportMove.SUBMIT)
    shown = rows_on_page(
        request, warnings, most=WARNINGS_PER_PAGE, holds=missing, anchor="#warnings", posts=may_answer
    )
    context = report_context(request, opened, "submit") | {
        "errors": [each for each in opened.findings if each.severity is Severity.ERROR],
        "warnings": shown,
        "elsewhere": [*warnings[: max(shown.first - 1, 0)], *warnings[shown.last :]] if may_answer else [],
        "can_submit": may_answer,
        "unplaced": unplaced,
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_submit.html", context, status=status)


def posted_comments(request: HttpRequest) -> dict[int, str]:
    """The words given to warnings, by index of the finding."""
    return {
        int(name.removeprefix("comment-")): str(text)
        for name, text in request.POST.items()
        if re.fullmatch(r"comment-[0-9]{1,4}", name)
    }


def carried_over_comments(
    typed: dict[int, str], based_on: int, opened: OpenReport
) -> tuple[dict[int, str], list[str]]:
    """What was typed for the findings of one version, by index in the newest's; and what has no finding any more."""
    if based_on == opened.version.number:
        return typed, []
    looked_at = (
        opened.report.versions.filter(number=based_on).values_list("findings", flat=True).first() or []
    )
    moved, unplaced = {}, []
    for index, text in typed.items():
        finding = looked_at[index] if index < len(looked_at) else None
        if finding in opened.version.findings:
            moved[opened.version.findings.index(finding)] = text
        elif text.strip():
            unplaced.append(text)
    return moved, unplaced
