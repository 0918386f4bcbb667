"""The steps of a report: tournament details, preview, submission."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext

from reporting.models import Player, ResultSet
from reporting.policies import check_can_read_reports, check_can_see_private_details, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.forms import (
    TournamentDetailsForm,
    as_text,
    form_groups,
    private_group,
    suggestions,
    value_label,
)
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.selectors import reports as selectors
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.selectors.substitutes import substitutes_of
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.save_comments import save_comments
from reporting.reports.services.submit import submit_report
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    based_on_in,
    confirm_version,
    may_change,
    page_to_continue,
    proposed_announcement,
    report_context,
    report_or_404,
)
from reporting.reports.views.warning_comments import (
    CommentsForm,
    TypedComments,
    comments_by_index,
    saved_comments,
    typed_comments,
    warning_kinds,
)
from reporting.rules.details.time_control import TimeControlError, parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity, count_findings
from reporting.rules.lifecycle import ReportMove
from reporting.rules.points import draw_sign
from reporting.rules.regulations.editions import announcement_days
from reporting.rules.report import PAUSE, Encoding, ReadReport, ReportedGame, ReportedPlayer
from reporting.web.access import (
    LARGE_FORM,
    OfficeRequest,
    actor,
    allow_large_body,
    refusal_message,
    require_access,
)
from reporting.web.attempt import Attempt, confirm
from reporting.web.error_summary import InvalidField, fields_of_findings
from reporting.web.forms import cleaned
from reporting.web.paging import Rows, rounds_on_page, rows_on_page
from reporting.web.values import day, days

MOST_OFFERED = 50
"""Tournaments offered as the corrected one; a search finds the others."""
MAX_SEARCH_LENGTH = 100
SEARCH, SAVE, CONTINUE = "search", "save", "continue"
FINDINGS_PAGES = ("file", "details")
"""The pages with findings that ask for a detail; each has a section of the same name."""
COMMENTS_FORM_BYTES = 400_000
"""Bytes of all comments on warnings: a thousand comments of a line or two."""


# --- tournament details


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_details(request: OfficeRequest, number: int) -> HttpResponse:
    """The tournament details next to the file, and the time control with its pool and percentage."""
    opened = report_or_404(request, number)
    values = dict(opened.sidecar.values)
    if opened.report.corrects_id is not None:  # also where the office said so when it accepted the report
        values["corrects"] = opened.report.corrects_id
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    form = TournamentDetailsForm(
        request.POST if request.method == "POST" else None,
        values=values,
        asked=(*form_groups(), private_group()) if private else form_groups(),
    )
    search_form = SearchTournamentForm(request.POST)
    search = offer_tournaments(form, request, opened, search_form.words)
    attempt, refused = Attempt(), list[InvalidField]()
    # Enter in the field of the search presses the form's first button, which has no name.
    pressed = search_form["action"].value()
    searches = pressed == SEARCH or (search.words and pressed not in {SAVE, CONTINUE})
    if request.method == "POST" and not searches:
        with attempt:
            if not form.is_valid():
                raise DomainError("too_long")
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=form.details(),
                by=actor(request),
            )
            opened = report_or_404(request, number)
            refused = fields_of_findings(form, about_details(opened))
            # Saved, and shown with the summary: the next step does not hide what is wrong here.
            attempt.status = HTTPStatus.CONFLICT if refused else attempt.status
            confirm_version(request, saved.version, "" if pressed == CONTINUE and not refused else "details")
            if pressed == CONTINUE and not refused:
                return redirect(page_to_continue(opened, "details"), number)
            if not refused:
                return redirect(f"{reverse('report-details', args=[number])}#details")
    context = report_context(request, opened, "details") | {
        "form": form,
        "search": search,
        "groups": detail_groups(form, opened),
        "needed": needed_fields(form, opened),
        "questions": detail_questions(form, opened) if may_change(request, opened) else [],
        "proposed": proposed_announcement(opened) if may_change(request, opened) else None,
        "read_as": encoding_question(opened) if may_change(request, opened) else None,
        "suggestions": suggestions(),
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
        "time_control_summary": time_control_summary(opened.submission.details),
        "announcement": opened.report.announcement,
        "announcements": selectors.announcement_choices(opened.report),
        "notice_days": notice_days(opened),
        "encoding_previews": opened.reading.previews,
        "invalid_fields": refused,
        "problem": attempt.refusal,
    }
    return render(request, "reporting/details/report_details.html", context, status=attempt.status)


class AskedDetailForm(forms.Form):
    """The name of the detail, and the page to go back to; the value has the name of the detail."""

    detail = forms.CharField()
    back = forms.ChoiceField(required=False, choices=[(page, page) for page in FINDINGS_PAGES])


@require_access(check_can_upload, "POST")
def report_detail(request: OfficeRequest, number: int) -> HttpResponse:
    """Give the value of one detail, as a finding with `asked_detail` and `proposed_value` asks for it.

    A page sends `based_on`, `detail` and the value under the name of the detail: of a button, `name` is the detail and
    `value` the proposed value; of a field, it is the field of `TournamentDetailsForm`. `back` names the page that
    follows, file if it is left out. A refusal shows the field again with what was typed. Details that the form of the
    tournament details does not ask for, such as the day of receipt, are not found.
    """
    opened = report_or_404(request, number)
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    groups = (*form_groups(), private_group()) if private else form_groups()
    asked = AskedDetailForm(request.POST)
    name = asked.cleaned_data["detail"] if asked.is_valid() else ""
    known = [name] if any(name in names for _, names in groups) else []
    form = TournamentDetailsForm(request.POST, values=opened.sidecar.values, asked=(("", known),))
    if name not in form.fields:
        raise Http404(gettext("This detail is not asked for."))
    back = asked.cleaned_data["back"] or FINDINGS_PAGES[0]
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=form.details(),
                by=actor(request),
            )
            confirm_version(request, saved.version, back)
            return redirect(f"{reverse(f'report-{back}', args=[number])}#{back}")
    context = report_context(request, opened, "details") | {
        "field": form[name],
        "back": back,
        "problem": attempt.refusal,
    }
    return render(request, "reporting/details/report_detail.html", context, status=attempt.status)


def notice_days(opened: OpenReport) -> int | None:
    """Days of notice that the tournament required, by the regulations of its rating system (R11); None for none."""
    rating_system, discipline = opened.submission.regulations
    first_round = opened.submission.read.info.played_from or timezone.localdate()
    return announcement_days(first_round, discipline, rating_system)


@dataclass(frozen=True)
class Search:
    """A search for the tournament to correct: how many are offered, of how many."""

    words: str
    offered: int
    total: int

    @property
    def is_shown(self) -> bool:
        return bool(self.words) or self.offered < self.total


class SearchTournamentForm(forms.Form):
    """The words of a search for the tournament to correct, and the pressed button."""

    action = forms.ChoiceField(required=False, choices=[(SEARCH, SEARCH), (SAVE, SAVE), (CONTINUE, CONTINUE)])
    find = forms.CharField(required=False)

    @property
    def words(self) -> str:
        """The beginning of what was typed, without null characters."""
        return str(self["find"].value() or "").replace("\x00", "")[:MAX_SEARCH_LENGTH].strip()


def offer_tournaments(
    form: TournamentDetailsForm, request: OfficeRequest, opened: OpenReport, searched: str
) -> Search:
    """Make a choice of the tournaments to correct, by the lists that count them; the present value stays."""
    user = request.user
    known: list[ResultSet] = []
    total = 0
    if may_change(request, opened):
        near = opened.submission.read.info.played_to or opened.version.played_to
        known, total = selectors.tournaments_to_correct(user, words=searched, near=near, most=MOST_OFFERED)
    counted = rating_lists().published_in([tournament.part_code for tournament in known]) if known else {}
    lists: dict[str, list[tuple[str, str]]] = {}
    for tournament in known:
        counting = counted.get(tournament.part_code)
        heading = gettext("In no published list yet")
        if counting:
            heading = gettext("List of %(day)s, %(pool)s") % {
                "day": day(counting.in_force),
                "pool": counting.pool,
            }
        played = days(tournament.played_from, tournament.played_to)
        label = ", ".join(filter(None, [tournament.name, tournament.place, played]))
        lists.setdefault(heading, []).append((tournament.code, label))
    value = as_text(form["corrects"].value())
    others = [(value, value)] if value and value not in {tournament.code for tournament in known} else []
    form.fields["corrects"].widget = forms.Select(
        attrs={"class": "field__input"}, choices=[("", "–"), *others, *lists.items()]
    )
    return Search(searched, len(known), total)


@dataclass(frozen=True)
class DetailField:
    """A field of the form with its findings and the value of the file. `is_needed`: it is empty, and required."""

    field: Any
    findings: Sequence[Finding]
    in_file: str
    is_needed: bool = False

    @property
    def is_bad(self) -> bool:
        """Whether what is in the field is wrong."""
        is_wrong = any(found.severity is Severity.ERROR for found in self.findings)
        return is_wrong or bool(self.field.errors)


@dataclass(frozen=True)
class DetailGroup:
    """The fields under a heading. `is_open` for the first group, and where something is to be corrected."""

    label: str | Promise
    details: Sequence[DetailField]
    is_first: bool
    filled: int

    @property
    def is_open(self) -> bool:
        return self.is_first or any(
            detail.findings or detail.is_needed or detail.field.errors for detail in self.details
        )


def detail_groups(form: TournamentDetailsForm, opened: OpenReport) -> list[DetailGroup]:
    """The groups of the form with their fields."""
    in_file = opened.submission.read.info.to_json()
    needed = {field.name for field in needed_fields(form, opened)}
    about = about_details(opened)
    form.mark(about)
    for name in needed:
        form.fields[name].widget.attrs["aria-required"] = "true"
    return [
        DetailGroup(
            label,
            [
                DetailField(
                    field,
                    [found for found in about if found.field == field.name],
                    value_label(field, in_file.get(field.name)),
                    field.name in needed,
                )
                for field in fields
            ],
            is_first=place == 0,
            filled=sum(bool(field.value()) for field in fields),
        )
        for place, (label, fields) in enumerate(form.groups())
        if fields
    ]


def about_details(opened: OpenReport) -> list[Finding]:
    """The findings about what is entered as a detail, and those without a line, but not that one is missing."""
    entered = opened.sidecar.entered
    return [
        found
        for found in opened.findings
        if not found.is_missing_detail
        and (found.line is None or (found.step != "people" and found.field in entered))
    ]


def needed_fields(form: TournamentDetailsForm, opened: OpenReport) -> list[Any]:
    """The fields of the details that a report needs and does not have, in the order of the form."""
    missing = {found.field for found in opened.findings if found.is_missing_detail}
    return [field for _, fields in form.groups() for field in fields if field.name in missing]


@dataclass(frozen=True)
class Question:
    """A finding with a proposed value of a detail: its field, and the value as people read it.

    `other` is the one other choice of the field, as value and label, where it has just one.
    """

    finding: Finding
    field: Any
    value: str

    @property
    def other(self) -> tuple[str, str] | None:
        choices = [
            choice
            for choice in getattr(self.field.field.widget, "choices", ())
            if choice[0] not in ("", self.finding.proposed_value)
        ]
        return choices[0] if len(choices) == 1 else None


def detail_questions(form: TournamentDetailsForm, opened: OpenReport) -> list[Question]:
    """The values that findings propose for details, each once (decision 0089)."""
    proposed = {
        (found.asked_detail, found.proposed_value): found
        for found in reversed(opened.findings)
        if found.proposed_value and found.asked_detail in form.fields
    }
    return [
        Question(found, form[name], value_label(form[name], value))
        for (name, value), found in reversed(proposed.items())
    ]


def encoding_question(opened: OpenReport) -> Any:
    """The names as they were read, in a file with other letters whose encoding is a guess that no one has confirmed."""
    if opened.sidecar.encoding is not None or opened.version.encoding in ("", Encoding.UTF_8):
        return None
    return next(
        (preview for preview in opened.reading.previews if preview.key == opened.version.encoding), None
    )


@dataclass(frozen=True)
class TimeControlSummary:
    """How a time control is calculated, its pool, its rating system, and the percentage that multiplies K (R6).

    `game` is the place of the game in its round, from 1, in a session (R25); 0 in another tournament.
    """

    calculation_text: str
    pool: str
    system: Any
    development: int | None
    game: int = 0


def time_control_summary(details: TournamentDetails | None) -> list[TimeControlSummary]:
    """One summary; of a session one a game of a round. None at all while the details have errors."""
    if details is None or details.seconds_of_games == (None,):
        return []
    weighed = {games.seconds: games for games in rating_lists().weighed_games(details)}
    if details.session:
        controls = [parse_time_control(control) for control in details.session]
        return [
            _summary(control.calculation_text(), games, place)
            for place, control in enumerate(controls, start=1)
            for games in [weighed[control.seconds_for_60_moves]]
        ]
    (games,) = weighed.values()
    try:
        calculation_text = parse_time_control(details.time_control).calculation_text()
    except TimeControlError:
        calculation_text = gettext("%(minutes)s minutes for 60 moves") % {
            "minutes": details.minutes_for_60_moves
        }
    return [_summary(calculation_text, games)]


def _summary(calculation_text: str, games: Any, place: int = 0) -> TimeControlSummary:
    pool = games.pool
    return TimeControlSummary(calculation_text, pool.name, pool.rating_system, games.weight_percentage, place)


# --- preview


@dataclass(frozen=True)
class PreviewLine:
    """A player with place and results, points as printed and as summed, and the expected change."""

    player: ReportedPlayer
    place: int | None
    known: Player | None
    cells: Sequence[Sequence["PreviewCell"]]
    summed: int
    expected: Any

    @property
    def differs(self) -> bool:
        return self.player.points_printed is not None and self.player.points_printed != self.summed


@dataclass(frozen=True)
class PreviewCell:
    """One result of a round: points, number of the opponent, colour; `sign` is + of a plus draw, − of a minus draw."""

    points: int
    against: int
    white: bool
    played: bool
    sign: str


@require_access(check_can_read_reports, "GET", "HEAD")
def report_preview(request: OfficeRequest, number: int) -> HttpResponse:
    """The report as the office sees it: crosstable, points and expected rating changes."""
    opened = report_or_404(request, number)
    read, details = opened.submission.read, opened.submission.details
    expectation = rating_lists().expected_changes(details, read, opened.players) if details else None
    expected = expectation.players if expectation else {}
    lines, rounds = preview_lines(request, read, details, opened.players, expected)
    context = report_context(request, opened, "preview") | {
        "lines": lines,
        "rounds": rounds,
        "points_scale": opened.submission.points_scale,
        "substitutes": substitutes_of(read, opened.submission.register),
        "expectation": expectation,
    }
    return render(request, "reporting/reports/report_preview.html", context)


def preview_lines(
    request: OfficeRequest | None,
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
    # Once for each number, because a file can have a number on thousands of lines.
    plus_draws = frozenset(details.plus_draws if details else ())
    results = {number: cells(read, number, plus_draws) for number in {player.number for player in shown}}
    lines = [
        PreviewLine(
            player,
            place(player),
            players.get(player.number),
            results[player.number],
            summed[player.number],
            expected.get(player.number),
        )
        for player in shown
    ]
    rounds = rounds_on_page(request, range(1, read.rounds + 1), lines)
    return Rows(lines, shown.first, shown.last, shown.total, shown.pager), rounds


def cells(read: ReadReport, number: int, plus_draws: Collection[tuple[int, ...]]) -> list[list[PreviewCell]]:
    """A player's results by rounds."""
    by_round: list[list[PreviewCell]] = [[] for _ in range(read.rounds)]
    for game in read.games_of.get(number, ()):
        by_round[game.round - 1].append(cell(game, number, plus_draws))
    return by_round


def cell(game: ReportedGame, number: int, plus_draws: Collection[tuple[int, ...]]) -> PreviewCell:
    white = game.white == number
    points = game.white_points if white else game.black_points
    against = game.black if white else game.white
    sign = draw_sign(plus_draws, game.round, game.number, number, against)
    return PreviewCell(points, against, white, game.played or against == PAUSE, sign)


# --- submission


@allow_large_body(COMMENTS_FORM_BYTES)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_submit(request: OfficeRequest, number: int) -> HttpResponse:
    """Comment on the warnings and submit the report to the office."""
    opened = report_or_404(request, number)
    form, attempt = CommentsForm(request.POST), Attempt()
    shown: TypedComments | None
    if request.method == "POST":
        based_on, single, of_kinds = based_on_in(request), form.comments, form.of_kinds
        save = partial(
            save_comments,
            report=opened.report, version=based_on, comments=single, of_kinds=of_kinds, by=actor(request),
        )  # fmt: skip
        with attempt:
            if cleaned(form)["action"] == "save":
                save()
                confirm(request, gettext("Comments saved. The report is not submitted yet."), "warnings")
                return redirect(f"{reverse('report-submit', args=[number])}#warnings")
            if based_on != opened.version.number:
                raise DomainError("version_changed")
            comments = comments_by_index(opened.findings, single, of_kinds)
            submit_report(report=opened.report, comments=comments, by=actor(request))
            messages.success(
                request, gettext("Report submitted. You get a message when the office accepts it.")
            )
            return redirect("report", number)
        if form.is_valid():
            with suppress(DomainError):  # the page shows the first refusal, and what was typed
                save()
        opened = report_or_404(request, number)
        shown = typed_comments(opened, based_on, single, of_kinds)
    else:
        shown = saved_comments(opened)
    context = report_context(request, opened, "submit")
    if not context["can_edit"]:
        shown = None  # the office reads what was submitted
    is_missing = attempt.refusal is not None and attempt.refusal.code == "comments_missing"
    errors = [finding for finding in opened.findings if finding.severity is Severity.ERROR]
    kinds = warning_kinds(opened, shown, asks_missing=is_missing)
    context |= {
        "counts": count_findings(errors),
        "errors": [finding for finding in errors if finding.step != "people"],
        "kinds": kinds,
        "invalid_fields": [kind.missing_comment for kind in kinds if kind.is_missing],
        "notes": [finding for finding in opened.findings if finding.severity is Severity.NOTE],
        "can_submit": opened.allows(ReportMove.SUBMIT),
        "unplaced": shown.gone if shown else (),
        "problem": None if is_missing else attempt.refusal,
    }
    return render(request, "reporting/reports/report_submit.html", context, status=attempt.status)
