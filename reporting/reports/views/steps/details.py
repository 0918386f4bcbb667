"""The step of a report with its tournament details."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from reporting.policies import check_can_read_reports, check_can_see_private_details, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.forms import Group, TournamentDetailsForm, form_groups, private_group, suggestions
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import edit_tournament_details
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
from reporting.reports.views.steps.corrected_tournament import (
    CONTINUE,
    SAVE,
    SEARCH,
    SearchTournamentForm,
    offer_tournaments,
)
from reporting.reports.views.steps.detail_fields import (
    about_details,
    detail_groups,
    detail_questions,
    needed_fields,
)
from reporting.reports.views.steps.time_control import time_control_summary
from reporting.rules.regulations.editions import announcement_days
from reporting.rules.report import Encoding
from reporting.web.access import (
    LARGE_FORM,
    OfficeRequest,
    actor,
    allow_large_body,
    refusal_message,
    require_access,
)
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField, fields_of_findings
from reporting.web.paging import rows_on_page

FINDINGS_PAGES = ("file", "details")
"""The pages with findings that ask for a detail; each has a section of the same name."""


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_details(request: OfficeRequest, number: int) -> HttpResponse:
    """The tournament details next to the file, and the time control with its pool and percentage."""
    opened = report_or_404(request, number)
    values = dict(opened.sidecar.values)
    if opened.report.corrects_id is not None:  # also where the office said so when it accepted the report
        values["corrects"] = opened.report.corrects_id
    form = TournamentDetailsForm(
        request.POST if request.method == "POST" else None,
        values=values,
        asked=groups_of(request, opened),
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
    asked = AskedDetailForm(request.POST)
    name = asked.cleaned_data["detail"] if asked.is_valid() else ""
    known = [name] if any(name in names for _, names in groups_of(request, opened)) else []
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


def groups_of(request: OfficeRequest, opened: OpenReport) -> Sequence[Group]:
    """The groups of details that the person may see."""
    sees_private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    return (*form_groups(), private_group()) if sees_private else form_groups()


def notice_days(opened: OpenReport) -> int | None:
    """Days of notice that the tournament required, by the regulations of its rating system (R11); None for none."""
    rating_system, discipline = opened.submission.regulations
    first_round = opened.submission.read.info.played_from or timezone.localdate()
    return announcement_days(first_round, discipline, rating_system)


def encoding_question(opened: OpenReport) -> Any:
    """The names as they were read, in a file with other letters whose encoding is a guess that no one has confirmed."""
    if opened.sidecar.encoding is not None or opened.version.encoding in ("", Encoding.UTF_8):
        return None
    return next(
        (preview for preview in opened.reading.previews if preview.key == opened.version.encoding), None
    )
