"""The security log, for administrators: log-ins and failed attempts with their network address."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from reporting.accounts.selectors import security_events
from reporting.models import SecurityEvent
from reporting.policies import check_can_manage_accounts
from reporting.web.access import OfficeRequest, require_access
from reporting.web.forms import QueryForm, StyledFormMixin
from reporting.web.paging import pager_of
from reporting.web.query_params import PageForm


class SecurityLogForm(StyledFormMixin, QueryForm):
    """Filters of the security log. A field with an error shows it and filters nothing."""

    words = forms.CharField(
        label=gettext_lazy("Name, e-mail or network address"), max_length=100, required=False
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Event"),
        choices=[("", gettext_lazy("All")), *SecurityEvent.Kind.choices],
        required=False,
    )


@require_access(check_can_manage_accounts, "GET", "HEAD")
def security_log(request: OfficeRequest) -> HttpResponse:
    """The events that match, newest first, a page at a time."""
    form = SecurityLogForm(request.GET)
    form.is_valid()
    page = security_events(**form.cleaned_data, number=PageForm(request.GET).number)
    context = {
        "form": form,
        "page": page,
        "pager": pager_of(page, form.typed),
        "is_filtered": bool(form.typed),
    }
    return render(request, "reporting/log/security_log.html", context)
