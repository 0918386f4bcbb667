"""The pages of a report: the list of reports, its steps, its status, its versions, its withdrawal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext

from reporting.log.actions import action_label
from reporting.models import Report, ReportVersion, Tournament
from reporting.models.report import STATE_LABELS
from reporting.policies import (
    can_delete_draft,
    check_can_delete_draft,
    check_can_read_reports,
    check_can_see_report,
    check_can_submit,
    check_can_upload,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.forms import VersionForm
from reporting.reports.reading.open_report import OpenReport, open_report
from reporting.reports.reading.read_file import Sender, place_for_file
from reporting.reports.selectors import reports as selectors
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.services.correct_report import correct_report
from reporting.reports.services.delete_draft import delete_draft
from reporting.reports.services.submit import take_back_report, withdraw_report
from reporting.reports.views.warning_comments import saved_comments, submitted_comments
from reporting.rules.findings.finding_list import Finding, Severity, count_findings
from reporting.rules.lifecycle import ReportMove
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.register.registers import register_of_new_players
from reporting.web.access import (
    OfficeRequest,
    actor,
    refusal_message,
    require_access,
)
from reporting.web.attempt import Attempt, confirm
from reporting.web.error_summary import InvalidField
from reporting.web.forms import cleaned, typed_text
from reporting.web.rate_limit import client_network
from reporting.web.values import finding_counts

FINDINGS_SHOWN = 50
"""Findings about the whole file on one page."""
MAX_SHOWN_LENGTH = 2_000
"""Characters of a line that are shown; the field that edits the line has all of them."""
LARGE_GAMES, LARGE_PLAYERS = 5_000, 1_000
"""A page of a report with more takes a place: it costs several times what a page of a list costs."""
STEPS = (
    ("file", gettext_lazy("File")),
    ("details", gettext_lazy("Details")),
    ("people", gettext_lazy("People")),
    ("preview", gettext_lazy("Preview")),
    ("submit", gettext_lazy("Submission")),
)


@dataclass(frozen=True)
class Step:
    """A step of a report: its page, whether it is done, and what is missing, for people; empty for nothing."""

    name: str
    label: str | Promise
    done: bool
    here: bool
    missing: str

    @property
    def page(self) -> str:
        return f"report-{self.name}"


def steps(opened: OpenReport, here: str) -> list[Step]:
    """The steps of a report. A step is done when it has no error; that of the people also needs players.

    An error on a line that a detail settles keeps the step of the details open too.
    """
    errors = [finding for finding in opened.findings if finding.severity is Severity.ERROR]
    open_steps = {finding.step for finding in errors}
    open_steps |= {"details" for finding in errors if finding.asked_detail}
    if not opened.submission.read.players:
        open_steps.add("people")
    submitted = opened.report.first_submitted_at is not None and not opened.allows(ReportMove.SUBMIT)
    missing = missing_in_steps(opened)
    if not submitted:
        open_steps.add("submit")
        if opened.version.errors or len(opened.comments) < opened.version.warnings:
            open_steps.add("preview")
    else:
        missing.pop("submit", None)
    return [
        Step(name, label, name not in open_steps, name == here, missing.get(name, ""))
        for name, label in STEPS
    ]


def missing_in_steps(opened: OpenReport) -> dict[str, str]:
    """What each step still needs. A kind of warnings needs one comment; comments of the last submission count."""
    errors: dict[str, list[Finding]] = {}
    questions = set()
    for finding in opened.findings:
        if finding.severity is Severity.ERROR:
            errors.setdefault(finding.step, []).append(finding)
            if finding.step == "file" and finding.asked_detail:
                questions.add(finding.asked_detail)
    texts = {step: str(finding_counts(count_findings(found))) for step, found in errors.items()}
    if questions and "details" not in errors:
        texts["details"] = ngettext("%(n)s question", "%(n)s questions", len(questions)) % {
            "n": len(questions)
        }
    if people := count_findings(errors.get("people", ())).people:
        texts["people"] = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    if uncommented := uncommented_kinds(opened):
        texts["submit"] = ngettext("%(n)s comment", "%(n)s comments", uncommented) % {"n": uncommented}
    return texts


def uncommented_kinds(opened: OpenReport) -> int:
    """How many kinds of warnings have a finding without a comment. At most 4 queries, none before a submission.

    Comments that were saved count like those of the last submission.
    """
    if not opened.version.warnings:
        return 0
    has_comments = opened.report.first_submitted_at is not None or opened.report.corrects_id is not None
    saved = saved_comments(opened)
    commented = saved.texts if saved else submitted_comments(opened) if has_comments else {}
    return len(
        {
            finding.code
            for index, finding in enumerate(opened.findings)
            if finding.severity is Severity.WARNING and index not in commented
        }
    )


def next_step(shown: Sequence[Step]) -> Step | None:
    """The first step after this page that is not done; None on the last one. From the status, the first open one."""
    place = next((index for index, step in enumerate(shown) if step.here), -1)
    return next((step for step in shown[place + 1 :] if not step.done), None)


def page_to_continue(opened: OpenReport, here: str) -> str:
    """The name of the page that "Save and continue" leads to: the first other step that needs something.

    Where none does it is the preview; this page where it needs something itself and the others do not.
    """
    shown = steps(opened, here)
    waiting = [step for step in shown if step.missing]
    other = next((step for step in waiting if not step.here), None)
    if other is None:
        return f"report-{here}" if waiting else "report-preview"
    return other.page


def report_or_404(request: OfficeRequest, number: int) -> OpenReport:
    """The report of an address. Raises Http404 where there is none, or where the reader may not see it.

    A page of a large report holds one of the places for files; raises DomainError `busy` where none is free.
    """
    not_found = gettext("There is no such report, or you cannot see it.")

    def admit(report: Report, newest: ReportVersion) -> None:
        try:
            check_can_see_report(request.user, report)
        except DomainError:
            raise Http404(not_found) from None
        hold_place_if_large(request, newest)

    try:
        return open_report(number, admit=admit)
    except Report.DoesNotExist:
        raise Http404(not_found) from None


def hold_place_if_large(request: HttpRequest, version: ReportVersion) -> None:
    """Hold a place for a large report until the answer is made, one at a time for each account."""
    if version.games > LARGE_GAMES or version.players > LARGE_PLAYERS:
        hold_place(request)


def hold_place(request: HttpRequest) -> None:
    """Hold one of the places for files until the answer is made: of the account, else of the visitor's network.

    Raises DomainError `busy`.
    """
    place = (
        place_for_file(request.user.pk)
        if request.user.is_authenticated
        else place_for_file(client_network(request), Sender.VISITOR)
    )
    request.until_answered.enter_context(place)  # type: ignore[attr-defined]


def report_context(request: OfficeRequest, opened: OpenReport, here: str) -> dict[str, Any]:
    """What every page of a report shows around its step."""
    shown, can_edit = steps(opened, here), may_change(request, opened)
    return {
        "opened": opened,
        "report": opened.report,
        "version": opened.version,
        "steps": shown,
        "next_step": next_step(shown) if can_edit else None,
        "can_edit": can_edit,
        "can_take_back": can_move(request, opened, ReportMove.TAKE_BACK),
        "number_label": gettext(register_of_new_players(opened.submission.register).number_label),
    } | what_it_corrects(opened)


def what_it_corrects(opened: OpenReport) -> dict[str, Any]:
    """What a report corrects, and the published list that counts it, None where there is none; nothing for others."""
    code = opened.report.corrects_id
    if code is None:
        return {}
    corrected = selectors.first_results(code, opened.part)
    return {
        "corrected": corrected,
        "corrected_in": rating_lists().published_in([corrected.part_code]).get(corrected.part_code),
    }


def proposed_announcement(opened: OpenReport) -> Tournament | None:
    """The announcement that the report seems to be of, for a person to confirm. 1 query.

    The only one with the same days, or with the same name and no other days. None if several fit equally well, and for
    a report that has an announcement or corrects a tournament.
    """
    if opened.report.announcement_id is not None or opened.report.corrects_id is not None:
        return None
    source = opened.submission.details or opened.submission.read.info
    name, days = normalize_name(source.name), (source.played_from, source.played_to)
    by_name, by_days = set[int](), set[int]()
    choices = {choice.pk: choice for choice in selectors.open_announcements(opened.report.submitted_by)}
    for pk, choice in choices.items():
        if days == (choice.played_from, choice.played_to):
            by_days.add(pk)
        if name and name == normalize_name(choice.name) and (pk in by_days or None in days):
            by_name.add(pk)
    for fitting in (by_name, by_days):
        if len(fitting) == 1:
            return choices[fitting.pop()]
    return None


def may_change(request: OfficeRequest, opened: OpenReport) -> bool:
    return can_move(request, opened, ReportMove.SUBMIT)


def can_move(request: OfficeRequest, opened: OpenReport, move: ReportMove) -> bool:
    """Whether the reader may do this of what a referee does with a report, in its state."""
    return opened.allows(move) and not refusal_message(check_can_submit, request.user, opened.report)


def based_on_in(request: OfficeRequest) -> int:
    """The number of the version that a form was filled in on; 0, which no version has, where the form names none."""
    return VersionForm(request.POST).number


def confirm_version(request: OfficeRequest, version: ReportVersion, section: str = "") -> None:
    """Say in a section of the next page what was saved, and what the version has and still needs."""
    text = gettext("Saved as version {number}. No errors, no warnings.")
    if version.counts:
        text = gettext("Saved as version {number}: {counts}.")
    counts = finding_counts(version.counts, version.report)
    text = format_html(text, number=version.number, counts=counts)
    confirm(request, text, section)


# --- my reports, and a new one


class ReportStateForm(forms.Form):
    """The reports of one state; a state that does not exist limits nothing."""

    state = forms.ChoiceField(choices=list(STATE_LABELS.items()), required=False)


@require_access(check_can_upload, "GET", "HEAD")
def my_reports(request: OfficeRequest) -> HttpResponse:
    """A referee's reports with who acts next, and their announced tournaments without a report."""
    user = request.user
    chosen = ReportStateForm(request.GET)
    state = chosen.cleaned_data["state"] if chosen.is_valid() else ""
    context = {
        "lines": selectors.own_reports(user, state),
        "state": STATE_LABELS[Report.State(state)] if state else "",
        "announcements": selectors.open_announcements(user),
    }
    return render(request, "reporting/reports/reports.html", context)


@require_access(check_can_read_reports, "GET", "HEAD")
def report(request: OfficeRequest, number: int) -> HttpResponse:
    """The status of a report, its versions and the remarks on it."""
    return report_page(request, report_or_404(request, number), WithdrawForm(), Attempt())


class WithdrawForm(forms.Form):
    """The reason of a withdrawal. The service checks whether it needs one."""

    reason = typed_text()


def reason_refused(attempt: Attempt) -> dict[str, Any]:
    """The refusal for a page, at the field of the reason where it is about the reason."""
    refusal = attempt.refusal
    if refusal is not None and refusal.code in ("reason_missing", "unreadable"):
        return {"invalid_fields": [InvalidField("reason", gettext("Reason"), refusal.message)]}
    return {"problem": refusal}


def report_page(
    request: OfficeRequest, opened: OpenReport, form: WithdrawForm, attempt: Attempt
) -> HttpResponse:
    """The page of a report, with the reason entered for a withdrawal that was refused."""
    counting = {
        "counting": rating_lists().list_of_report(opened.report),
        **reason_refused(attempt),
        "reason": form["reason"].value() or "",
        "can_withdraw": can_move(request, opened, ReportMove.WITHDRAW),
        "can_delete": can_delete_draft(request.user, opened.report),
        "decisions": [(entry, action_label(entry.action)) for entry in selectors.decisions_on(opened.report)],
    }
    context = report_context(request, opened, "report") | counting | corrections(request, opened)
    return render(request, "reporting/reports/report.html", context, status=attempt.status)


@require_access(check_can_upload, "GET", "HEAD", "POST")
def report_delete(request: OfficeRequest, number: int) -> HttpResponse:
    """Delete a draft that was never submitted, after a confirmation; the office with a reason."""
    opened = report_or_404(request, number)
    check_can_delete_draft(request.user, opened.report)
    is_own, form, attempt = opened.report.submitted_by == request.user, WithdrawForm(request.POST), Attempt()
    if request.method == "POST":
        with attempt:
            delete_draft(
                report=opened.report,
                title=opened.title,
                based_on=based_on_in(request),
                **cleaned(form),
                by=actor(request),
            )
            messages.success(request, gettext("Draft deleted."))
            return redirect("reports" if is_own else "office-reports")
    context = {
        "report": opened.report,
        "title": opened.title,
        "versions": len(opened.versions),
        "is_own": is_own,
        "reason": form["reason"].value() or "",
        **reason_refused(attempt),
    }
    return render(request, "reporting/reports/report_delete.html", context, status=attempt.status)


def corrections(request: OfficeRequest, opened: OpenReport) -> dict[str, Any]:
    """Of an accepted report: whether the reader can correct it, and the other reports that do."""
    report, user = opened.report, request.user
    if report.state != Report.State.ACCEPTED or report.result_set is None:
        return {}
    others = [other for other in selectors.corrections_of(report.result_set) if other != report]
    return {
        "can_correct": not refusal_message(check_can_submit, user, report),
        "corrections": [other for other in others if not refusal_message(check_can_see_report, user, other)],
    }


@require_access(check_can_upload, "POST")
def report_correct(request: OfficeRequest, number: int) -> HttpResponse:
    """Start the correction of an accepted report: a draft with its file and its details."""
    opened = report_or_404(request, number)
    draft = correct_report(report=opened.report, by=actor(request))
    messages.success(
        request,
        gettext(
            "This draft corrects the accepted report and starts with its file and details. Make your changes, then"
            " submit it. The accepted report counts until the office accepts this one."
        ),
    )
    return redirect("report-file", draft.pk)


# --- back to a draft, or withdrawn


@require_access(check_can_upload, "POST")
def report_take_back(request: OfficeRequest, number: int) -> HttpResponse:
    """Take a submitted report back to a draft."""
    opened = report_or_404(request, number)
    take_back_report(report=opened.report, **cleaned(WithdrawForm(request.POST)), by=actor(request))
    messages.success(
        request,
        gettext("The report is a draft again. Change it, then submit it again. The office gets a message."),
    )
    return redirect("report", number)


@require_access(check_can_upload, "POST")
def report_withdraw(request: OfficeRequest, number: int) -> HttpResponse:
    """Withdraw a report that is not accepted."""
    opened, form, attempt = report_or_404(request, number), WithdrawForm(request.POST), Attempt()
    with attempt:
        withdraw_report(report=opened.report, **cleaned(form), by=actor(request))
        messages.success(
            request, gettext("Report withdrawn. It stays here, and the office does not review it.")
        )
        return redirect(reverse("report", args=[number]))
    return report_page(request, report_or_404(request, number), form, attempt)
