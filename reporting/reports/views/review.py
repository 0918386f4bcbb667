"""The office's page of a report: it shows the report and takes a decision."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy

from reporting.accounts.views.step_up import confirm_identity, confirmed_for_results
from reporting.models import Report, ReportVersion, ResultSet
from reporting.policies import (
    can_delete_draft,
    check_can_accept,
    check_can_accept_details,
    check_can_admit,
    check_can_review,
    check_can_see_inbox,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.views import decisions_of
from reporting.reports.forms import TournamentDetailsForm, form_groups, private_group, value_label
from reporting.reports.reading.birth_dates import earlier_birth_date_findings
from reporting.reports.reading.clean_reports import admission_findings
from reporting.reports.reading.file_values import different_file_values
from reporting.reports.reading.open_report import OpenReport, open_report
from reporting.reports.reading.players.newcomers import newcomer_questions, said_of_newcomers
from reporting.reports.reading.review_findings import blocking_errors, finding_kinds, reviewed_findings
from reporting.reports.reading.version_changes import version_changes
from reporting.reports.selectors.rating_lists import CountedIn, rating_lists
from reporting.reports.selectors.reports import same_files
from reporting.reports.selectors.substitutes import substitutes_of
from reporting.reports.services.review import (
    Remark,
    accept_report,
    acceptance_digest,
    accepted_duplicates,
    people_to_decide,
    reject_report,
    return_report,
    undo_acceptance,
)
from reporting.reports.views.file.source import file_shown
from reporting.reports.views.people.form import MAX_CANDIDATES
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    based_on_in,
    corrections,
    hold_place_if_large,
    what_it_corrects,
)
from reporting.reports.views.steps.preview import preview_lines
from reporting.reports.views.steps.time_control import time_control_summary
from reporting.rules.details.known_details import details_of, private_details
from reporting.rules.findings.finding_list import Finding, Severity, finding
from reporting.rules.lifecycle import ReportMove
from reporting.rules.register.registers import register_of_new_players
from reporting.web.access import (
    LARGE_FORM,
    OfficeRequest,
    actor,
    allow_large_body,
    refusal_message,
    require_access,
)
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.forms import cleaned, typed_text
from reporting.web.paging import rows_on_page
from reporting.web.panels import panels_at

REMARK_ROW = re.compile(r"line-([1-9][0-9]?)\Z")
PERSON_QUESTION = re.compile(r"person-([0-9]{1,6})\Z")
OWN_PERSON = "new"
"""The choice that a new player is none of those alike."""
EMPTY_REMARK_ROWS = 3
COMMENTS_PER_PAGE = 25
"""Comments of the referee or remarks of the office on one page, up to 2,000 characters each."""


DECISIONS = (
    ReportMove.ACCEPT.value, ReportMove.RETURN.value, ReportMove.REJECT.value, ReportMove.UNDO_ACCEPTANCE.value,
)  # fmt: skip
ACTS_ON_RESULTS = {
    ReportMove.ACCEPT.value: gettext_lazy("accept report %(number)s"),
    ReportMove.UNDO_ACCEPTANCE.value: gettext_lazy("undo the acceptance of report %(number)s"),
}
CORRECTS, DIFFERENT = "corrects:", "different"


@dataclass(frozen=True)
class DecisionInput:
    """The input of the decision form, shown again after a refusal or when a page is turned.

    `action` is the pressed button, empty when a page is turned; `texts` the text of each decision.
    """

    action: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    newcomers_are_others: bool = False
    look_alike: str = ""
    different_because: str = ""
    people: Mapping[int, str] = field(default_factory=dict)
    seen: str = ""
    rows: Sequence[tuple[int, str, str]] = field(
        default_factory=lambda: [(number, "", "") for number in range(1, EMPTY_REMARK_ROWS + 1)]
    )

    @property
    def text(self) -> str:
        """The text of the decision whose button was pressed."""
        return self.texts.get(self.action, "")

    @property
    def started_decisions(self) -> set[str]:
        """Decisions with a pressed button or with input."""
        started = {decision for decision, text in self.texts.items() if text} | {self.action}
        if self.newcomers_are_others or self.look_alike or self.different_because or self.people:
            started.add(ReportMove.ACCEPT)
        if any(line or text for _number, line, text in self.rows):
            started.add(ReportMove.RETURN)
        return started & set(DECISIONS)


class DecisionForm(forms.Form):
    """A decision about a report: the pressed button, a text for each decision, and rows of a line and a remark."""

    action = forms.CharField(required=False)
    newcomers_are_others = forms.BooleanField(required=False)
    look_alike = typed_text()
    because = typed_text()
    seen = typed_text()

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.rows = sorted(int(row[1]) for name in data if (row := REMARK_ROW.match(name)))
        texts = [self.text_of(move) for move in DECISIONS]
        rows = [f"{field}-{number}" for number in self.rows for field in ("line", "remark")]
        self.questions = [name for name in data if PERSON_QUESTION.match(name)]
        self.fields |= {name: typed_text() for name in (*texts, *rows, *self.questions)}

    @staticmethod
    def text_of(move: str) -> str:
        return f"words-{move.replace('_', '-')}"

    @property
    def typed(self) -> DecisionInput:
        """The values as typed."""

        def value(name: str) -> str:
            return str(self[name].value() or "").replace("\r\n", "\n")

        return DecisionInput(
            value("action").replace("-", "_"),
            {move: value(self.text_of(move)) for move in DECISIONS},
            bool(self["newcomers_are_others"].value()),
            value("look_alike"),
            value("because"),
            {int(name.removeprefix("person-")): value(name) for name in self.questions if value(name)},
            value("seen"),
            [(number, value(f"line-{number}"), value(f"remark-{number}")) for number in self.rows]
            or DecisionInput().rows,
        )


@allow_large_body(LARGE_FORM)
@require_access(check_can_see_inbox, "GET", "HEAD", "POST")
def office_report(request: OfficeRequest, number: int) -> HttpResponse:
    """Everything the office needs to decide about a report, and the decisions; a decision is about one version."""
    opened = office_report_or_404(request, number)
    form = DecisionForm(request.POST)
    typed = form.typed if request.method == "POST" else DecisionInput()
    attempt = Attempt()
    if request.method == "POST" and not typed.action:  # a page was turned
        if based_on_in(request) != opened.version.number:
            attempt.refuse(DomainError("version_changed"))
    elif request.method == "POST":
        if typed.action in ACTS_ON_RESULTS:
            confirm_identity(
                request,
                lambda: ACTS_ON_RESULTS[typed.action] % {"number": number},
                is_confirmed=confirmed_for_results,
            )
        with attempt:
            cleaned(form)
            messages.success(request, perform_decision(request, opened, typed))
            return redirect("office-report", number)
        opened = office_report_or_404(request, number)
    context = (
        review_context(request, opened) | decisions(request, opened, typed) | corrections(request, opened)
    )
    context |= {
        "typed": typed,
        "problem": attempt.refusal,
        "invalid_fields": refused_inputs(attempt.refusal, typed) if attempt.refusal else (),
        "can_delete": can_delete_draft(request.user, opened.report),
    }
    if opened.report.result_set:
        context |= decisions_of(request.user, opened.report.result_set, opened.report)
        context["panels"] = panels_at("office-report", opened.report)
    if attempt.refusal and attempt.refusal.code == "version_changed":
        context["looked_at"] = based_on_in(request)
    return render(request, "reporting/review/office_report.html", context, status=attempt.status)


def refused_inputs(refusal: DomainError, typed: DecisionInput) -> list[InvalidField]:
    """The input that a refusal is about; none for one about the report or about several inputs."""
    reasons = {
        ReportMove.ACCEPT.value: ("admit", gettext("Reason for admission")),
        ReportMove.REJECT.value: ("reject", gettext("Reason for rejection")),
        ReportMove.UNDO_ACCEPTANCE.value: ("undo-acceptance", gettext("Reason for undoing the acceptance")),
    }
    inputs = {
        "remarks_missing": ("remarks-general", gettext("General remark")),
        "possible_duplicate": ("because", gettext("Reason why it is a different tournament")),
        "needs_admission": reasons[ReportMove.ACCEPT.value],
    }
    if refusal.code == "reason_missing" and typed.action in reasons:
        return [InvalidField(*reasons[typed.action], refusal.message)]
    rows = {
        "remark_unfit.line": ("line", gettext("Line")),
        "remarks_missing.line": ("remark", gettext("Remark")),
    }
    if refusal.code == "unreadable":
        name, sent = refusal.values["field"], {"because": inputs["possible_duplicate"]}
        sent |= {DecisionForm.text_of(move): place for move, place in reasons.items()}
        sent |= {DecisionForm.text_of(ReportMove.RETURN): inputs["remarks_missing"]}
        sent |= {
            f"{field}-{number}": (f"{field}-{number}", label)
            for field, label in rows.values()
            for number, *_ in typed.rows
        }
        return [InvalidField(*sent[name], refusal.message)] if name in sent else []
    for number, line, text in typed.rows if refusal.key in rows else ():
        if (line.strip() or text.strip()) and line.strip() == refusal.values["line"]:
            address, label = rows[refusal.key]
            return [InvalidField(f"{address}-{number}", label, refusal.message)]
    return [InvalidField(*inputs[refusal.code], refusal.message)] if refusal.code in inputs else []


def office_report_or_404(request: OfficeRequest, number: int) -> OpenReport:
    try:
        return open_report(number, admit=lambda _, newest: hold_place_if_large(request, newest))
    except Report.DoesNotExist:
        raise Http404(gettext("There is no such report.")) from None


def perform_decision(request: OfficeRequest, opened: OpenReport, typed: DecisionInput) -> str:
    """Carry out the decision and return the message about it. Raises what the services raise."""
    common: dict[str, Any] = {
        "report": opened.report,
        "by": actor(request),
        "looked_at": based_on_in(request),
    }
    if typed.action == "accept":
        accept_report(
            **common,
            admitted_reason=typed.text,
            newcomers_are_others=typed.newcomers_are_others,
            correction_of=typed.look_alike.removeprefix(CORRECTS) if typed.look_alike != DIFFERENT else "",
            different_because=typed.different_because if typed.look_alike else "",
            same_person=said_of_newcomers(
                people_to_decide(opened.report, opened.submission, opened.matching) if typed.people else (),
                {number: said if said != OWN_PERSON else "" for number, said in typed.people.items()},
            ),
            seen=typed.seen,
        )
        return gettext("Report accepted. The referee gets a message.")
    if typed.action == "return":
        return_report(**common, remarks=remarks_in(typed, len(opened.lines)))
        return gettext("Report returned. The referee gets a message with the remarks.")
    if typed.action == "reject":
        reject_report(**common, reason=typed.text)
        return gettext("Report rejected. The referee gets a message with the reason.")
    if typed.action == "undo_acceptance":
        undo_acceptance(**common, reason=typed.text)
        return gettext("Acceptance undone. The report waits for a decision.")
    raise DomainError("unknown_action")


def remarks_in(typed: DecisionInput, lines: int) -> list[Remark]:
    """The general remark and the remarks on lines.

    Raises DomainError `remark_unfit` for a line that is not in the file, `remarks_missing` for a line without a text.
    """
    remarks = [Remark(typed.text)] if typed.text.strip() else []
    for _number, typed_line, text in typed.rows:
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


def decisions(request: OfficeRequest, opened: OpenReport, typed: DecisionInput) -> dict[str, Any]:
    """The possible decisions, and the refusals of the others; a started decision stays in any state of the report."""
    user = request.user
    refused = refusal_message(check_can_review, user, opened.report)
    shown = typed.started_decisions | {
        move for move in DECISIONS if not refused and opened.allows(ReportMove(move))
    }
    to_admit = admission_findings(opened.report, opened.matching.findings)
    can_accept = opened.allows(ReportMove.ACCEPT)
    questions = people_to_decide(opened.report, opened.submission, opened.matching) if can_accept else []
    return {
        "refusal_message": refused,
        "shown": shown,
        "pager_form": "decisions" if shown else "",
        "accept_refusal": refusal_message(check_can_accept, user, opened.report)
        or refusal_message(check_can_accept_details, user, opened.submission.details),
        "admission_findings": to_admit,
        "admits_games": opened.submission.rules.details.admits_games
        and not refusal_message(check_can_admit, user),
        "blocking_errors": blocking_errors(opened.matching.findings),
        "admit_refusal": refusal_message(check_can_admit, user) if to_admit else "",
        "possible_duplicates": possible_duplicates(opened) if can_accept else [],
        "people_to_decide": [
            (question, typed.people.get(question.reported.number))
            for question in newcomer_questions(questions)
        ],
        "own_person": OWN_PERSON,
        "seen": acceptance_digest(opened.report, opened.version, opened.matching, questions),
        "corrects_chosen": CORRECTS,
        "different_chosen": DIFFERENT,
    }


def possible_duplicates(opened: OpenReport) -> list[tuple[ResultSet, CountedIn | None]]:
    """The accepted tournaments that the report looks like, with the published list that counts them."""
    tournaments = accepted_duplicates(opened.matching)
    parts = [tournament.part_code for tournament in tournaments.values()]
    lists = rating_lists().published_in(parts) if parts else {}
    return [(tournament, lists.get(tournament.part_code)) for tournament in tournaments.values()]


@dataclass(frozen=True)
class ShownDetail:
    """A tournament detail: the value entered by the referee and the value in the file."""

    label: str
    entered: str
    in_file: str
    private: bool
    name: str


def shown_details(opened: OpenReport) -> list[ShownDetail]:
    """The tournament details with a value, in the order of their form."""
    form = TournamentDetailsForm(values=opened.sidecar.values, asked=(*form_groups(), private_group()))
    in_file = opened.submission.read.info.to_json()
    shown = []
    for _heading, group in form.groups():
        for detail in group:
            entered = value_label(detail, detail.value())
            in_its_file = value_label(detail, in_file.get(detail.name))
            if entered or in_its_file:
                shown.append(
                    ShownDetail(
                        str(detail.label),
                        entered,
                        in_its_file,
                        detail.name in private_details(),
                        detail.name,
                    )
                )
    return shown


def same_file_findings(opened: OpenReport) -> list[tuple[Report, Finding]]:
    """The other reports with the same file, for the office only: a referee cannot see reports of others."""
    others = same_files([(opened.report, opened.version.sha256)]).get(opened.report.pk, ())
    return [
        (
            other,
            finding(
                "same-file",
                report=other.pk,
                # In the language of the page: this finding is never stored.
                state=other.get_state_display(),
                submitter=other.submitted_by.name,
            ),
        )
        for other in others
    ]


def summary_tone(version: ReportVersion) -> str:
    """Style of the bar above the report, by its most severe finding."""
    if version.errors:
        return "summary-bar--bad"
    return "summary-bar--warn" if version.warnings else "summary-bar--good"


def counting_label(counting: Any, report: Report) -> str:
    """The label of the list that counts the report; empty for a report that no list will count."""
    if report.state in (Report.State.REJECTED, Report.State.WITHDRAWN):
        return ""
    return str(counting.counts.label) if report.state == Report.State.ACCEPTED else gettext("Would count in")


def review_context(request: OfficeRequest, opened: OpenReport) -> dict[str, Any]:
    """The report for a decision: file, tournament details, comments, register, and expected rating changes."""
    read, details, matching = opened.submission.read, opened.submission.details, opened.matching
    lists = rating_lists()
    expectation = lists.expected_changes(details, read, matching.players) if details else None
    newcomers = [player for player in read.players if matching.players.get(player.number) is None]
    newcomers_shown = rows_on_page(request, newcomers, "newcomers", anchor="#register")
    reviewed = rows_on_page(
        request, reviewed_findings(opened), "comments", most=COMMENTS_PER_PAGE, anchor="#comments"
    )
    register = [
        # Dates of birth are compared at the submission: these findings are stored (R22a).
        *earlier_birth_date_findings(opened.version),
        *(finding for finding in matching.findings if finding.step == "people"),
    ]
    ratings = {number: change.own for number, change in expectation.players.items()} if expectation else {}
    counting = lists.list_of_report(opened.report)
    shown = shown_details(opened)
    lines, rounds = preview_lines(
        request, read, details, matching.players, expectation.players if expectation else {}
    )
    return file_shown(
        request, (opened.lines, opened.reading.sheets), opened.findings, remarks=opened.newest_remarks
    ) | {
        "opened": opened,
        "report": opened.report,
        "version": opened.version,
        "summary_tone": summary_tone(opened.version),
        "number_label": gettext(opened.submission.register.number_label),
        "new_number_label": gettext(register_of_new_players(opened.submission.register).number_label),
        "counting": counting,
        "counting_label": counting_label(counting, opened.report) if counting else "",
        **what_it_corrects(opened),
        "details": shown,
        "proposed": [
            (detail, details_of(type(details))[detail.name].article)
            for detail in shown
            if details and detail.name in details.proposed_to_rating_officer
        ],
        "substitutes": substitutes_of(read, opened.submission.register),
        "time_control_summary": time_control_summary(opened.submission.details),
        "reviewed": reviewed,
        "finding_kinds": finding_kinds(reviewed),
        "changes": version_changes(opened),
        "file_values": different_file_values(opened, ratings),
        "notes": [finding for finding in opened.findings if finding.severity is Severity.NOTE],
        "register": rows_on_page(request, register, "register", most=FINDINGS_SHOWN, anchor="#register"),
        "newcomers": [
            (player, matching.candidates.get(player.number, ())[:MAX_CANDIDATES])
            for player in newcomers_shown
        ],
        "same_files": same_file_findings(opened),
        "newcomers_shown": newcomers_shown,
        "expectation": expectation,
        "lines": lines,
        "rounds": rounds,
        "points_scale": opened.submission.points_scale,
        "printed_scale": opened.submission.printed_scale,
        "remarks": rows_on_page(
            request, opened.remarks, "remarks", most=COMMENTS_PER_PAGE, anchor="#remarks"
        ),
        "versions_by_others": [
            version
            for version in opened.versions
            if version.number > 1 and version.created_by_id != opened.report.submitted_by_id
        ],
    }
