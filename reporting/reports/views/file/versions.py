"""The versions of a report's file: compared, as uploaded, restored."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from reporting.formats.tournament_details.sidecar import without_private_details
from reporting.models import ReportVersion
from reporting.policies import check_can_read_reports, check_can_see_private_details, check_can_upload
from reporting.reports.forms import VersionForm
from reporting.reports.reading.open_report import file_lines
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import restore_version
from reporting.reports.views.reports import (
    MAX_SHOWN_LENGTH,
    based_on_in,
    confirm_version,
    report_context,
    report_or_404,
)
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.forms import cleaned
from reporting.web.paging import Rows, rows_on_page
from reporting.web.query_params import WholeNumberField


@require_access(check_can_read_reports, "GET", "HEAD")
def report_changes(request: OfficeRequest, number: int, old: int, new: int) -> HttpResponse:
    """Two versions side by side: their file and their tournament details."""
    opened = report_or_404(request, number)
    versions = {version.number: version for version in opened.report.versions.filter(number__in=[old, new])}
    if len(versions) < len({old, new}):
        raise Http404(gettext("The report has no such version."))
    before, after = versions[old], versions[new]
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    details = selectors.difference(*(details_lines(version, private=private) for version in (before, after)))
    context = report_context(request, opened, "report") | {
        "before": before,
        "after": after,
        "file": changes_shown(
            request, selectors.difference(file_lines(before), file_lines(after)), "page", "#changed-file"
        ),
        "details": changes_shown(request, details, "details", "#changed-details"),
        "same_bytes": before.sha256 == after.sha256,
    }
    return render(request, "reporting/reports/report_changes.html", context)


def changes_shown(
    request: OfficeRequest, spans: Iterable[Sequence[selectors.ChangedLine]], name: str, anchor: str
) -> tuple[Rows[Any], list[list[selectors.ChangedLine]]]:
    """A page of changed lines, and its lines by span; of a long line the beginning."""
    lines = [(index, line) for index, span in enumerate(spans) for line in span]
    rows = rows_on_page(
        request, lines, name, weight=lambda row: row[1].length(MAX_SHOWN_LENGTH), anchor=anchor
    )
    return rows, [[line for _, line in span] for _, span in itertools.groupby(rows, key=lambda row: row[0])]


def details_lines(version: ReportVersion, *, private: bool) -> list[str]:
    sidecar = bytes(version.sidecar)
    return (
        (sidecar if private else without_private_details(sidecar))
        .decode("utf-8", errors="replace")
        .splitlines()
    )


@require_access(check_can_read_reports, "GET", "HEAD")
def report_original(request: OfficeRequest, number: int, version: int) -> HttpResponse:
    """A version's file as uploaded. Browsers save it and never run it."""
    opened = report_or_404(request, number)
    try:
        stored = opened.report.versions.get(number=version)
    except ReportVersion.DoesNotExist:
        raise Http404(gettext("The report has no such version.")) from None
    response = HttpResponse(bytes(stored.content), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="report-{number}-version-{version}.bin"'
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["X-Content-Type-Options"] = "nosniff"
    return response


class RestoreForm(VersionForm):
    """The version to restore, and the newest one that the person saw."""

    restored = WholeNumberField(min_value=1, max_value=9999)


@require_access(check_can_upload, "POST")
def report_restore(request: OfficeRequest, number: int) -> HttpResponse:
    """Make an earlier version of a report its newest one again."""
    opened, form = report_or_404(request, number), RestoreForm(request.POST)
    saved = restore_version(
        report=opened.report,
        based_on=based_on_in(request),
        number=cleaned(form)["restored"],
        by=actor(request),
    )
    confirm_version(request, saved.version, "versions")
    return redirect(f"{reverse('report', args=[number])}#versions")
