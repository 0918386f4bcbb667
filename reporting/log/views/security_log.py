"""The security log: who logged in or was refused, from where; for administrators."""

from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from reporting.accounts.selectors import security_events
from reporting.accounts.views.accounts import StyledFormMixin
from reporting.models import SecurityEvent
from reporting.policies import check_can_manage_accounts
from reporting.web.access import require_access


class SecurityLogForm(StyledFormMixin, forms.Form):
    """What is asked of the log. A field that can't be read says so and asks for nothing."""

    words = forms.CharField(label="Name, e-mail or network address", max_length=100, required=False)
    kind = forms.ChoiceField(
        label="Event", choices=[("", "All"), *SecurityEvent.Kind.choices], required=False
    )


@require_access(check_can_manage_accounts, "GET", "HEAD")
def security_log(request: HttpRequest) -> HttpResponse:
    """Newest first, a page at a time."""
    form = SecurityLogForm(request.GET)
    form.is_valid()
    typed = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
    context = {
        "form": form,
        "page": security_events(**form.cleaned_data, number=request.GET.get("page", "1")),
        "filtered": bool(typed),
        "query": urlencode(typed, errors="replace"),
    }
    return render(request, "reporting/security_log.html", context)
