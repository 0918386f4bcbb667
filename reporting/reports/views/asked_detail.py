"""One tournament detail that a finding asks for, with the value that a person chose or typed (decision 0090)."""

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from reporting.policies import check_can_see_private_details, check_can_upload
from reporting.reports.forms import GROUPS, PRIVATE_GROUP, TournamentDetailsForm
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.views.reports import based_on_in, confirm_version, report_context, report_or_404
from reporting.web.access import actor, refusal_message, require_access
from reporting.web.attempt import Attempt

PAGES = ("file", "details")
"""The pages with findings, which have a section of the same name."""


class AskedDetailForm(forms.Form):
    """The name of the detail, and the page to go back to; the value has the name of the detail."""

    detail = forms.CharField()
    back = forms.ChoiceField(required=False, choices=[(page, page) for page in PAGES])


@require_access(check_can_upload, "POST")
def report_detail(request: HttpRequest, number: int) -> HttpResponse:
    """Give the value of one detail, as a finding with `asked_detail` and `proposed_value` asks for it.

    A page sends `based_on`, `detail` and the value under the name of the detail: of a button, `name` is the detail and
    `value` the proposed value; of a field, it is the field of `TournamentDetailsForm`. `back` names the page that
    follows, file if it is left out. A refusal shows the field again with what was typed. Details that the form of the
    tournament details does not ask for, such as the day of receipt, are not found.
    """
    opened = report_or_404(request, number)
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    groups = (*GROUPS, PRIVATE_GROUP) if private else GROUPS
    asked = AskedDetailForm(request.POST)
    name = asked.cleaned_data["detail"] if asked.is_valid() else ""
    known = [name] if any(name in names for _, names in groups) else []
    form = TournamentDetailsForm(
        request.POST, values={name: opened.sidecar.values.get(name)}, asked=(("", known),)
    )
    if name not in form.fields:
        raise Http404(gettext("This detail is not asked for."))
    back = asked.cleaned_data["back"] or PAGES[0]
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
    return render(request, "reporting/report_detail.html", context, status=attempt.status)
