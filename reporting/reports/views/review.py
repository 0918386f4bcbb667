"""The office's side of a report: the inbox, and each report looked at and decided."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from ratings.office.selectors.counting import ListOfReport, list_of_report, lists_to_revise
from ratings.office.selectors.expected import expected_changes
from ratings.office.selectors.periods import PoolPeriod, counting_periods, uncounted_reports
from ratings.published.selectors.tournaments import PublishedIn, published_in
from reporting.errors import DomainError
from reporting.formats.tournament_details_file import detail_values
from reporting.models import Announcement, Report, Tournament, User
from reporting.policies import (
    OFFICE_ROLES,
    check_can_accept,
    check_can_admit,
    check_can_review,
    check_can_see_inbox,
    require_role,
)
from reporting.reports.forms import GROUPS, PRIVATE_GROUP, TournamentDetailsForm, as_text
from reporting.reports.selectors import inbox as selectors
from reporting.reports.selectors.reports import same_files
from reporting.reports.services.open_report import OpenReport, open_report
from reporting.reports.services.remind import send_report_reminder
from reporting.reports.services.review import (
    ADMISSION_CODES,
    Remark,
    accept_report,
    accepted_duplicates,
    reject_report,
    return_report,
    undo_acceptance,
)
from reporting.reports.views.report_file import file_shown
from reporting.reports.views.report_steps import MAX_CANDIDATES, preview_lines, time_control_summary
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    based_on_in,
    corrected_in,
    corrections,
)
from reporting.rules.findings import Finding, Severity, finding
from reporting.rules.lifecycle import ReportMove
from reporting.rules.tournament_details import PRIVATE_DETAILS
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
from reporting.web.paging import rows_on_page

# --- the inbox

REPORTS_PER_PAGE = 100

STATES = (
    ("", "Not decided yet", selectors.WAITING_FOR_OFFICE | selectors.WAITING_FOR_REFEREE),
    ("office", "The office’s turn", selectors.WAITING_FOR_OFFICE),
    ("referee", "The referee’s turn", selectors.WAITING_FOR_REFEREE),
    ("accepted", "Accepted, in no list yet", selectors.ACCEPTED),
)


@dataclass(frozen=True)
class WaitingLine:
    """A line of the inbox with the list that the report would count in, or the one that it corrects."""

    line: selectors.InboxLine
    counts_in: PoolPeriod
    revises: ListOfReport | None

    @property
    def list(self) -> tuple[date, str]:
        """Day in force and pool of the list that the report counts in or corrects, for sorting."""
        if self.revises:
            return self.revises.in_force, self.revises.pool.code
        return self.counts_in.period.in_force, self.counts_in.pool.code

    @property
    def days_to_freeze(self) -> int:
        """Days until the clock freezes that list; 0 or less while that is still to be done (R11)."""
        return (self.counts_in.period.freezes_on - timezone.localdate()).days


SORTS: dict[str, Callable[[WaitingLine], Any]] = {
    "received": lambda each: (each.line.received, each.line.report.first_submitted_at),
    "name": lambda each: each.line.tournament.name.casefold(),
    "turn": lambda each: each.line.acted_at,
    "ended": lambda each: each.line.tournament.played_to,
    "list": lambda each: each.list,
}
COLUMNS = (
    ("name", "Competition"),
    ("received", "Received"),
    ("turn", "Whose turn, since"),
    ("ended", "Last round"),
    ("list", "Would count in"),
)


@dataclass(frozen=True)
class Column:
    """A heading that sorts."""

    key: str
    words: str
    href: str
    direction: str


@require_access(check_can_see_inbox, "GET", "HEAD")
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits for the office, oldest first, what it returned, and what was announced and has not come."""
    asked = {name: str(request.GET.get(name, ""))[:20] for name in ("state", "federation", "late", "sort")}
    chosen = next((each for each in STATES if each[0] == asked["state"]), STATES[0])
    reports = selectors.submitted_reports(chosen[2])
    if chosen[0] == "accepted":
        reports = uncounted_reports(reports)
    found = selectors.inbox_lines(reports)
    lists = counting_periods(line.tournament for line in found)
    revised = lists_to_revise(line.report for line in found)
    missing = selectors.missing_reports()
    countries = {line.tournament.country for line in found if line.tournament.country}
    countries |= {each.announcement.country for each in missing}
    if asked["federation"]:
        found = [line for line in found if line.tournament.country_id == asked["federation"]]
        missing = [each for each in missing if each.announcement.country_id == asked["federation"]]
    if asked["late"]:
        found = [line for line in found if line.days_late > 0]
        missing = [each for each in missing if each.days_late > 0]
    lines = [WaitingLine(line, lists[line.tournament.pk], revised.get(line.report.pk)) for line in found]
    sort = asked["sort"].removeprefix("-")
    if sort not in SORTS:
        sort, asked["sort"] = "received", ""
    lines.sort(key=SORTS[sort], reverse=asked["sort"].startswith("-"))
    page = Paginator(lines, REPORTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "lines": page.object_list,
        "page": page,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "remind_refusal": refusal_message(require_role, request.user, *OFFICE_ROLES),
        "missing": missing,
        "states": [(value, words) for value, words, _ in STATES],
        "state": chosen[0],
        "countries": sorted(countries, key=lambda country: country.code),
        "federation": asked["federation"],
        "late": bool(asked["late"]),
        "sort": asked["sort"],
        "filtered": bool(chosen[0] or asked["federation"] or asked["late"]),
        "columns": [column(key, words, asked) for key, words in COLUMNS],
    }
    return render(request, "reporting/inbox.html", context)


@require_access(check_can_see_inbox, "POST")
def remind(request: HttpRequest, number: int) -> HttpResponse:
    """Remind whoever announced a competition of its report, and go back to the inbox."""
    announcement = Announcement.objects.filter(pk=number).first()
    if announcement is None:
        raise Http404("There is no such announcement.")
    reminded = send_report_reminder(announcement=announcement, by=actor(request))
    messages.success(request, f"{reminded.announced_by.name} is reminded of {reminded.name}.")
    return redirect(f"{reverse('office-reports')}#missing")


def column(key: str, words: str, asked: dict[str, str]) -> Column:
    """A heading whose link sorts by it, the other way round where it already does."""
    now = asked["sort"] or "received"
    rising = now != key
    direction = "" if now.removeprefix("-") != key else "descending" if rising else "ascending"
    query = {name: value for name, value in asked.items() if value} | {"sort": key if rising else f"-{key}"}
    return Column(key, words, "?" + urlencode(query), direction)


# --- one report

REMARK_ROW = re.compile(r"line-([1-9][0-9]?)\Z")
EMPTY_REMARK_ROWS = 3
COMMENTS_PER_PAGE = 25
"""Words of the referee or remarks of the office on one page, up to 2,000 letters each."""


DECISIONS = (
    ReportMove.ACCEPT.value, ReportMove.RETURN.value, ReportMove.REJECT.value, ReportMove.UNDO_ACCEPTANCE.value,
)  # fmt: skip
CORRECTS, DIFFERENT = "corrects:", "different"


@dataclass(frozen=True)
class DecisionInput:
    """What was typed into the form of the decisions, to stand there again when one is refused or a page is turned.

    `action` is the button that was pressed, empty where a page is turned; `words` the text of each action.
    """

    action: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    others: bool = False
    look_alike: str = ""
    because: str = ""
    rows: Sequence[tuple[int, str, str]] = field(
        default_factory=lambda: [(number, "", "") for number in range(1, EMPTY_REMARK_ROWS + 1)]
    )

    @property
    def chosen(self) -> str:
        """The text beside the button that was pressed."""
        return self.words.get(self.action, "")

    @property
    def acts(self) -> set[str]:
        """The acts that were begun: a button pressed, or something typed beside it."""
        begun = {act for act, words in self.words.items() if words} | {self.action}
        if self.others or self.look_alike or self.because:
            begun.add(ReportMove.ACCEPT)
        if any(line or text for _, line, text in self.rows):
            begun.add(ReportMove.RETURN)
        return begun & set(DECISIONS)


def decision_input(request: HttpRequest) -> DecisionInput:
    if request.method != "POST":
        return DecisionInput()
    numbers = sorted(int(place[1]) for name in request.POST if (place := REMARK_ROW.match(name)))
    rows = [
        (number, str(request.POST.get(f"line-{number}", "")), str(request.POST.get(f"remark-{number}", "")))
        for number in numbers
    ]
    return DecisionInput(
        str(request.POST.get("action", "")).replace("-", "_"),
        {act: str(request.POST.get(f"words-{act.replace('_', '-')}", "")) for act in DECISIONS},
        bool(request.POST.get("newcomers_are_others")),
        str(request.POST.get("look_alike", "")),
        str(request.POST.get("because", "")),
        rows or DecisionInput().rows,
    )


@allow_large_body(LARGE_FORM)
@require_access(check_can_see_inbox, "GET", "HEAD", "POST")
def office_report(request: HttpRequest, number: int) -> HttpResponse:
    """Everything the office needs to decide about a report, and the decisions; each is about one version of it."""
    opened = office_report_or_404(number)
    typed = decision_input(request)
    problem: DomainError | None = None
    if request.method == "POST" and not typed.action:  # a page was turned
        if based_on_in(request) != opened.version.number:
            problem = DomainError("version_changed")
    elif request.method == "POST":
        try:
            messages.success(request, perform_decision(request, opened, typed))
            return redirect("office-report", number)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            opened = office_report_or_404(number)
    context = (
        review_context(request, opened) | decisions(request, opened, typed) | corrections(request, opened)
    )
    context |= {"typed": typed, "problem": problem}
    if problem and problem.code == "version_changed":
        context["looked_at"] = based_on_in(request)
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/office_report.html", context, status=status)


def office_report_or_404(number: int) -> OpenReport:
    try:
        return open_report(number)
    except Report.DoesNotExist:
        raise Http404("The office has no such report.") from None


def perform_decision(request: HttpRequest, opened: OpenReport, typed: DecisionInput) -> str:
    """Carry out what was decided and say so. Raises what the services raise, and `unreadable`."""
    check_text(typed.chosen, typed.look_alike, typed.because, *(text for _, _, text in typed.rows))
    common: dict[str, Any] = {
        "report": opened.report,
        "by": actor(request),
        "looked_at": based_on_in(request),
    }
    if typed.action == "accept":
        accept_report(
            **common,
            admitted_reason=typed.chosen,
            newcomers_are_others=typed.others,
            correction_of=typed.look_alike.removeprefix(CORRECTS) if typed.look_alike != DIFFERENT else "",
            different_because=typed.because if typed.look_alike else "",
        )
        return "Accepted: the results are written, and the referee is told."
    if typed.action == "return":
        return_report(**common, remarks=remarks_in(typed, len(opened.lines)))
        return "Returned: the referee is told what to mend."
    if typed.action == "reject":
        reject_report(**common, reason=typed.chosen)
        return "Rejected: the referee is told why."
    if typed.action == "undo_acceptance":
        undo_acceptance(**common, reason=typed.chosen)
        return "The acceptance is taken back: the report waits for a decision again."
    raise DomainError("unknown_action")


def remarks_in(typed: DecisionInput, lines: int) -> list[Remark]:
    """The general remark and those at lines. Raises DomainError `remark_invalid` for a line the file does not have."""
    remarks = [Remark(typed.chosen)] if typed.chosen.strip() else []
    for _, typed_line, text in typed.rows:
        line = typed_line.strip()
        if not line and not text.strip():
            continue
        # A spreadsheet has no lines of text to count, but its findings name rows.
        if not re.fullmatch(r"[1-9][0-9]{0,6}", line) or (lines and int(line) > lines):
            raise DomainError("remark_unfit.line", line=line)
        if not text.strip():
            raise DomainError("remarks_missing.line", line=line)
        remarks.append(Remark(text, line=int(line)))
    return remarks


def decisions(request: HttpRequest, opened: OpenReport, typed: DecisionInput) -> dict[str, Any]:
    """What may be decided now, and why not where it may not; what was begun stays, whatever the report has become."""
    user = cast(User, request.user)
    refused = refusal_message(check_can_review, user, opened.report)
    shown = typed.acts | {act for act in DECISIONS if not refused and opened.allows(ReportMove(act))}
    barred = [each for each in opened.matching.findings if each.code in ADMISSION_CODES]
    return {
        "refusal_message": refused,
        "shown": shown,
        "pager_form": "decisions" if shown else "",
        "accept_refusal": refusal_message(check_can_accept, user, opened.report),
        "admission_findings": barred,
        "admit_refusal": refusal_message(check_can_admit, user) if barred else "",
        "possible_duplicates": possible_duplicates(opened) if opened.allows(ReportMove.ACCEPT) else [],
        "corrects_chosen": CORRECTS,
        "different_chosen": DIFFERENT,
    }


def possible_duplicates(opened: OpenReport) -> list[tuple[Tournament, PublishedIn | None]]:
    """The accepted tournaments that the report looks like, with the published list that counts them."""
    found = accepted_duplicates(opened.matching)
    counted = published_in(found) if found else {}
    return [(each, counted.get(code)) for code, each in found.items()]


@dataclass(frozen=True)
class ShownDetail:
    """A fact as the referee gave it beside what the file says of it."""

    words: str
    given: str
    in_file: str
    private: bool


def shown_details(opened: OpenReport) -> list[ShownDetail]:
    """The facts that are told anywhere, in the order of their form."""
    values = detail_values(bytes(opened.version.sidecar))
    form = TournamentDetailsForm(values=values, asked=(*GROUPS, PRIVATE_GROUP))
    in_file = opened.submission.read.info.to_json()
    shown = []
    for _, group in form.groups():
        for each in group:
            given, said = as_text(each.value()), as_text(in_file.get(each.name))
            if given or said:
                choices = dict(getattr(each.field.widget, "choices", ()))
                words = str(choices.get(given, given)) if given else ""
                shown.append(ShownDetail(str(each.label), words, said, each.name in PRIVATE_DETAILS))
    return shown


@dataclass(frozen=True)
class CommentedWarning:
    """A warning with the word the referee gave to it."""

    finding: Finding
    answer: Any


def same_file_findings(opened: OpenReport) -> list[tuple[Report, Finding]]:
    """The other reports with this file, for the office: referees know nothing of each other's reports."""
    return [
        (
            other,
            finding(
                "same-file",
                report=other.pk,
                state=other.get_state_display(),
                submitter=other.submitted_by.name,
            ),
        )
        for other in same_files([(opened.report, opened.version.sha256)]).get(opened.report.pk, ())
    ]


def review_context(request: HttpRequest, opened: OpenReport) -> dict[str, Any]:
    """The report as it is judged: file, facts, answers, register, and what it would do to ratings."""
    read, details, matching = opened.submission.read, opened.submission.details, opened.matching
    expectation = expected_changes(details=details, read=read, players=matching.players) if details else None
    newcomers = [each for each in read.players if matching.players.get(each.number) is None]
    newcomers_shown = rows_on_page(request, newcomers, "newcomers", anchor="#register")
    answered = [
        CommentedWarning(each, opened.comments.get(index))
        for index, each in enumerate(opened.findings)
        if each.severity is Severity.WARNING
    ]
    register = [
        # Dates of birth were compared when the report was submitted: what was found is stored (R22a).
        *(each for each in opened.findings if each.code == "birth-date-differs"),
        *(each for each in matching.findings if each.step == "people"),
    ]
    lines, rounds = preview_lines(
        request, read, details, matching.players, expectation.players if expectation else {}
    )
    return file_shown(
        request, (opened.lines, opened.reading.sheets), opened.findings, remarks=opened.newest_remarks
    ) | {
        "opened": opened,
        "report": opened.report,
        "version": opened.version,
        "counting": list_of_report(opened.report),
        "corrected_in": corrected_in(opened.report),
        "details": shown_details(opened),
        "time_control_summary": time_control_summary(opened),
        "commented_warnings": rows_on_page(
            request, answered, "answers", most=COMMENTS_PER_PAGE, anchor="#answers"
        ),
        "register": rows_on_page(request, register, "register", most=FINDINGS_SHOWN, anchor="#register"),
        "newcomers": [
            (each, matching.candidates.get(each.number, ())[:MAX_CANDIDATES]) for each in newcomers_shown
        ],
        "same_files": same_file_findings(opened),
        "newcomers_shown": newcomers_shown,
        "expectation": expectation,
        "lines": lines,
        "rounds": rounds,
        "remarks": rows_on_page(
            request, opened.remarks, "remarks", most=COMMENTS_PER_PAGE, anchor="#remarks"
        ),
        "by_others": [
            each
            for each in opened.versions
            if each.number > 1 and each.created_by_id != opened.report.submitted_by_id
        ],
    }
