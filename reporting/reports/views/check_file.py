"""Check a report file: the findings of a file without log-in; nothing is stored (R20 to R22)."""

import tomllib
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from reporting.formats.spreadsheets.template import template_csv, template_xlsx
from reporting.formats.tournament_details.sidecar import write_details
from reporting.policies import check_can_upload
from reporting.reports.forms import Group, TournamentDetailsForm, as_text, form_groups, suggestions
from reporting.reports.reading.check_upload import check_upload
from reporting.reports.reading.validate import Matching
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.services.upload import unusable_findings
from reporting.reports.views.file.source import file_shown
from reporting.reports.views.reports import hold_place
from reporting.reports.views.steps.preview import preview_lines
from reporting.reports.views.steps.time_control import time_control_summary
from reporting.reports.views.upload import FILE_LIMITS
from reporting.rules.details.known_details import known_details
from reporting.rules.findings.finding_list import count_findings
from reporting.web.access import UPLOAD, allow_large_body, is_offered
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES, count_requests

EXAMPLES_FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = {
    "clean": gettext_lazy("A round robin of eight players without errors"),
    "faulty": gettext_lazy("Five faults: a day, a name, a country, a total, a result"),
    "newcomer": gettext_lazy("A new player without date of birth and sex"),
}
ASKED_DETAILS = (
    (
        gettext_lazy("Tournament details (optional)"),
        ("rating_system", "discipline", "time_control", "encoding"),
    ),
)
FINDINGS_GROUP = gettext_lazy("Details that the findings ask for")
NOT_ASKED = frozenset({"corrects"})
"""Details that only a person who is logged in can give."""
HOW_TO_READ = frozenset({"encoding", "points"})
"""Details that findings at lines ask for; the field of other such findings is a column of the file."""
SUBMISSION_CODES = frozenset({"detail-missing", "not-announced", "late-report"})
"""Findings about the submission of a report, not about its file."""

MAX_QUERY_LENGTH = 1500
MAX_CHECKS = 60
SECONDS_TO_RETRY = {HTTPStatus.TOO_MANY_REQUESTS: WINDOW_MINUTES * 60, HTTPStatus.SERVICE_UNAVAILABLE: 60}


class CheckForm(forms.Form):
    """The file to check, or one of the examples."""

    example = forms.ChoiceField(required=False, choices=list(EXAMPLES.items()))
    file = forms.FileField(required=False, allow_empty_file=True)


# It changes nothing, so no request can be forged; and visitors get no cookie.
@allow_large_body(UPLOAD)
@csrf_exempt
@login_not_required
@declare_parameters()
def check_file(request: HttpRequest) -> HttpResponse:
    """Read and check a file as an upload does, with the details entered next to it; nothing is stored."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    context, status = posted_check(request) if request.method == "POST" else ({}, HTTPStatus.OK)
    context |= {
        "file_limits": FILE_LIMITS,
        "suggestions": suggestions(),
        "examples": EXAMPLES,
        "most_checks": MAX_CHECKS,
        "minutes": WINDOW_MINUTES,
    }
    context.setdefault("form", TournamentDetailsForm(asked=ASKED_DETAILS))
    response = render(request, "reporting/check_file/check_file.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    if status in SECONDS_TO_RETRY:
        response["Retry-After"] = str(SECONDS_TO_RETRY[status])
    return response


def posted_check(request: HttpRequest) -> tuple[dict[str, Any], HTTPStatus]:
    """The result of a posted file, and the status. A form larger than any report is not read."""
    if count_requests(request, "check-file").number > MAX_CHECKS:
        return {
            "problem": gettext(
                "You have checked %(most)s files in %(minutes)s minutes. Try again in %(minutes)s minutes."
            )
            % {"most": MAX_CHECKS, "minutes": WINDOW_MINUTES}
        }, HTTPStatus.TOO_MANY_REQUESTS
    chosen = CheckForm(request.POST, request.FILES)
    chosen.full_clean()
    if example := chosen.cleaned_data.get("example"):
        details = tomllib.loads((EXAMPLES_FOLDER / "details.toml").read_text())
        form = TournamentDetailsForm(values=details, asked=asked_details(details))
        return checked(request, example_file(example), f"{example}.txt", details, form)
    posted_form = TournamentDetailsForm(request.POST, asked=asked_details(known_details()))
    typed = [name for name in posted_form.fields if posted_form[name].value()]
    form = TournamentDetailsForm(posted_form.data, asked=asked_details(typed))
    file = chosen.cleaned_data.get("file")
    if not file or not form.is_valid():
        no_file = [InvalidField("file-to-check", gettext("Report file"), gettext("Choose a file."))]
        return {"form": form, "invalid_fields": [] if file else no_file}, HTTPStatus.BAD_REQUEST
    return checked(request, file.read(), file.name or "report", form.details(), form)


def asked_details(names: Iterable[str]) -> tuple[Group, ...]:
    """The groups of the form: the details always asked, and those of these names that a referee fills in."""
    always = {name for _, group in ASKED_DETAILS for name in group}
    wanted = set(names) - always - NOT_ASKED
    more = tuple(name for _, group in form_groups() for name in group if name in wanted)
    return (*ASKED_DETAILS, (FINDINGS_GROUP, more)) if more else ASKED_DETAILS


def checked(
    request: HttpRequest, content: bytes, filename: str, details: dict[str, Any], form: TournamentDetailsForm
) -> tuple[dict[str, Any], HTTPStatus]:
    """The findings of a file with the form as it was filled in; the refusal where too many files are being read.

    After a check the form also has the details that the findings name.
    """
    attempt = Attempt()
    with attempt:
        hold_place(request)
        result = check_result(content, filename, details)
        findings = [*result["of_file"], *result["submission_findings"]]
        named = {found.field or "" for found in findings if found.line is None or found.field in HOW_TO_READ}
        named.update(form.fields)
        form = TournamentDetailsForm(values=details, asked=asked_details(named))
        can_be_uploaded = result["can_be_uploaded"] and is_offered(check_can_upload, request.user)
        more = {"form": form, "details": details_in_address(details), "can_be_uploaded": can_be_uploaded}
        return result | more, HTTPStatus.OK
    return {"form": form, "problem": attempt.refusal and attempt.refusal.message}, attempt.status


def details_in_address(details: Mapping[str, Any]) -> str:
    """Entered details as the query of the upload page; empty for more than an address holds."""
    query = urlencode({name: as_text(value) for name, value in details.items() if value is not None})
    return query if len(query) <= MAX_QUERY_LENGTH else ""


def check_result(content: bytes, filename: str, details: dict[str, Any]) -> dict[str, Any]:
    """The findings of a file, its pool, lines, players and crosstable. At most 8 queries."""
    checked = check_upload(
        content, write_details(details), published_players=rating_lists().published_players
    )
    reading, submission, listed, findings = (
        checked.reading, checked.submission, checked.listed, checked.findings,
    )  # fmt: skip
    read = submission.read
    # Nothing is stored from which a second page could be made: the first page of everything, with counts.
    players, rounds = preview_lines(None, read, None, listed, {})
    of_file = [finding for finding in findings if finding.code not in SUBMISSION_CODES]
    return {
        "filename": filename,
        "read": read,
        "can_be_uploaded": not unusable_findings(content, reading),
        "of_file": of_file,
        "counts": count_findings(of_file),
        "submission_findings": [finding for finding in findings if finding.code in SUBMISSION_CODES],
        **file_shown(None, (reading.lines, reading.sheets), of_file),
        "lines": players,
        "players": players.total,
        "rounds": rounds,
        "time_control_summary": time_control_summary(submission.details),
        "points_scale": submission.points_scale,
        "printed_scale": submission.printed_scale,
        "matched_players": match_summary(checked.matching),
        "encoding_previews": reading.previews,
    }


def match_summary(matching: Matching) -> int:
    return sum(known is not None for known in matching.players.values())


def example_file(name: str) -> bytes:
    return (EXAMPLES_FOLDER / f"{name}.txt").read_bytes()


@login_not_required
def example(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001
    """An example of a report file."""
    if name not in EXAMPLES:
        raise Http404(gettext("There is no such example."))
    return download(example_file(name), f"{name}.txt", "text/plain; charset=utf-8")


@login_not_required
def xlsx_template(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The template of a report for a spreadsheet program."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return download(template_xlsx(), "tournament-report.xlsx", kind)


@login_not_required
def csv_template(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The same template as a CSV file."""
    return download(template_csv(), "tournament-report.csv", "text/csv; charset=utf-8")


def download(content: bytes, filename: str, kind: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
