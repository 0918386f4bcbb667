"""The tokens of one's account by which programs send reports: created, listed, revoked."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from reporting.accounts.selectors import own_tokens
from reporting.accounts.services.tokens import create_token, revoke_token
from reporting.accounts.views.step_up import step_up
from reporting.log.security_log import record_security_event
from reporting.models import Scope, SecurityEvent, User
from reporting.policies import check_can_decide_some_item, check_can_upload
from reporting.rules.names.plain_text import plain_text
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import StyledFormMixin
from reporting.web.rate_limit import client_address

LIFETIMES = (
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("A year")),
)
LARGEST_NUMBER = 2**63 - 1  # that the database can hold


class NewTokenForm(StyledFormMixin, forms.Form):
    """What a token is for, what it may do, and how long."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        help_text=gettext_lazy("The program or the computer that will use it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Scopes"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one scope.")},
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Ends after"), choices=LIFETIMES, coerce=int, initial=90)

    def __init__(self, data: Any, user: User) -> None:
        """Only those who decide about tournaments are offered the scope of it."""
        super().__init__(data)
        scopes = self.fields["scopes"]
        scopes.widget.attrs.pop("class")
        if refusal_message(check_can_decide_some_item, user):
            assert isinstance(scopes, forms.MultipleChoiceField)  # noqa: S101 (as declared above)
            scopes.choices = [choice for choice in Scope.choices if choice[0] != Scope.DECIDE]

    def clean_name(self) -> str:
        """In one line: it is the subject of a mail."""
        name = plain_text(str(self.cleaned_data["name"]))
        if not name.isprintable():
            raise forms.ValidationError(gettext("Use letters, numbers and signs only."))
        return name


class TokenForm(forms.Form):
    """The number of a token to revoke."""

    token = forms.IntegerField(min_value=1, max_value=LARGEST_NUMBER)


@require_access(check_can_upload, "GET", "HEAD", "POST")
def tokens(request: OfficeRequest) -> HttpResponse:
    """One's tokens; a POST revokes one of them."""
    form = TokenForm(request.POST) if request.method == "POST" else None
    attempt = Attempt(form)
    if form is not None and attempt.is_valid:
        with attempt:
            revoked = revoke_token(number=form.cleaned_data["token"], by=actor(request))
            confirm(request, gettext("Token “%(name)s” revoked.") % {"name": revoked.name}, "tokens")
            return redirect(f"{reverse('account-tokens')}#tokens")
    context = {"tokens": own_tokens(request.user), "refusal": attempt.refusal}
    return render(request, "reporting/accounts/account_tokens.html", context, status=attempt.status)


@require_access(check_can_upload, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("create an API token"))
def new_token(request: OfficeRequest) -> HttpResponse:
    """Create a token; the answer shows its secret, this once."""
    form = NewTokenForm(request.POST if request.method == "POST" else None, request.user)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            created = create_token(**form.cleaned_data, by=actor(request))
            record_security_event(
                SecurityEvent.Kind.TOKEN_CREATED,
                account=created.token.account,
                address=client_address(request),
            )
            context = {"token": created.token, "secret": created.secret}
            return render(request, "reporting/accounts/account_token_created.html", context)
    context = {"form": form, "refusal": attempt.refusal}
    return render(request, "reporting/accounts/account_token_new.html", context, status=attempt.status)
