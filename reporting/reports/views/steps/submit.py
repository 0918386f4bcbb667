"""The step of a report with its warnings and the submission."""

from contextlib import suppress
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from reporting.policies import check_can_read_reports, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.save_comments import save_comments
from reporting.reports.services.submit import submit_report
from reporting.reports.views.reports import based_on_in, report_context, report_or_404
from reporting.reports.views.warning_comments import (
    CommentsForm,
    TypedComments,
    comments_by_index,
    saved_comments,
    typed_comments,
    warning_kinds,
)
from reporting.rules.findings.finding_list import Severity, count_findings
from reporting.rules.lifecycle import ReportMove
from reporting.web.access import OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.error_summary import InvalidField
from reporting.web.forms import cleaned

COMMENTS_FORM_BYTES = 400_000
"""Bytes of all comments on warnings: a thousand comments of a line or two."""


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
    refusal = attempt.refusal
    is_missing = refusal is not None and refusal.code == "comments_missing"
    errors = [finding for finding in opened.findings if finding.severity is Severity.ERROR]
    kinds = warning_kinds(opened, shown, asks_missing=is_missing)
    invalid_fields = [kind.missing_comment for kind in kinds if kind.is_missing]
    if refusal is not None and refusal.code == "unreadable" and based_on == opened.version.number:
        labels = {name: label for kind in kinds for name, label in kind.labels.items()}
        invalid_fields = [
            InvalidField(name, labels[name], refusal.message) for name in form.errors if name in labels
        ]
    context |= {
        "counts": count_findings(errors),
        "errors": [finding for finding in errors if finding.step != "people"],
        "kinds": kinds,
        "invalid_fields": invalid_fields,
        "notes": [finding for finding in opened.findings if finding.severity is Severity.NOTE],
        "can_submit": opened.allows(ReportMove.SUBMIT),
        "unplaced": shown.gone if shown else (),
        "problem": None if is_missing or invalid_fields else refusal,
    }
    return render(request, "reporting/reports/report_submit.html", context, status=attempt.status)
