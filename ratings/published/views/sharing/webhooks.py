"""The webhooks of one's account: registered with a token, tested, deleted, with their last deliveries."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from ratings.publishing.public_changes.webhooks.manage_webhooks import (
    delete_webhook,
    register_webhook,
    send_test,
    works,
)
from ratings.publishing.public_changes.webhooks.selectors import last_deliveries, own_webhooks
from ratings.publishing.public_changes.webhooks.targets import TargetError
from reporting.accounts.selectors import own_tokens
from reporting.models import ApiToken, Scope, User
from reporting.policies import check_can_upload
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import StyledFormMixin


class NewWebhookForm(StyledFormMixin, forms.Form):
    """The address of a program, and the token with which the webhook ends."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        help_text=gettext_lazy("Of your program, with https and a public network address."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )
    token = forms.TypedChoiceField(
        label=gettext_lazy("Token"), help_text=gettext_lazy("The webhook ends with it.")
    )

    def __init__(self, data: Any, user: User) -> None:
        super().__init__(data)
        self.tokens = {token.pk: token for token in tokens_for_webhooks(user)}
        token = self.fields["token"]
        assert isinstance(token, forms.TypedChoiceField)  # noqa: S101 (as declared above)
        token.choices = [(key, token.name) for key, token in self.tokens.items()]
        token.coerce = lambda key: self.tokens[int(key)]


class WebhookForm(forms.Form):
    """What is done with a webhook."""

    action = forms.ChoiceField(choices=[("test", ""), ("delete", "")])


def tokens_for_webhooks(user: User) -> list[ApiToken]:
    """The live tokens of a person with the scope of webhooks, newest first. 1 query."""
    return [token for token in own_tokens(user) if token.is_live and Scope.WEBHOOKS in token.scopes]


@require_access(check_can_upload, "GET", "HEAD")
def webhooks(request: OfficeRequest) -> HttpResponse:
    """One's webhooks. 1 query, and 1 for each webhook."""
    rows = [(webhook, works(webhook)) for webhook in own_webhooks(request.user)]
    context = {"webhooks": rows, "tokens": tokens_for_webhooks(request.user)}
    return render(request, "ratings/webhooks/webhooks.html", context)


@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_webhook(request: OfficeRequest) -> HttpResponse:
    """Register a webhook; the answer shows its secret, this once."""
    form = NewWebhookForm(request.POST if request.method == "POST" else None, request.user)
    attempt = Attempt(form)
    status = attempt.status
    if attempt.is_valid:
        with attempt:
            try:
                created = register_webhook(**form.cleaned_data, by=actor(request))
            except TargetError as error:
                form.add_error("url", error.problem.label)
                attempt.status = HTTPStatus.BAD_REQUEST
            else:
                context = {"webhook": created.webhook, "secret": created.secret}
                return render(request, "ratings/webhooks/webhook_registered.html", context)
        status = attempt.status
    context = {"form": form, "refusal": attempt.refusal}
    return render(request, "ratings/webhooks/webhook_new.html", context, status=status)


@require_access(check_can_upload, "GET", "HEAD", "POST")
def webhook(request: OfficeRequest, number: int) -> HttpResponse:
    """A webhook with its last deliveries; a POST sends a test or deletes it. 3 queries."""
    found = own_webhooks(request.user).filter(pk=number).first()
    if found is None:
        raise Http404
    form = WebhookForm(request.POST) if request.method == "POST" else None
    attempt = Attempt(form)
    if form is not None and attempt.is_valid:
        with attempt:
            if form.cleaned_data["action"] == "delete":
                delete_webhook(number=number, by=actor(request))
                confirm(request, gettext("Webhook deleted: %(url)s") % {"url": found.url}, "webhooks")
                return redirect(f"{reverse('account-webhooks')}#webhooks")
            send_test(number=number, by=actor(request))
            confirm(
                request, gettext("Test waiting to be sent. Reload the page in ten seconds."), "deliveries"
            )
            return redirect(f"{reverse('account-webhook', args=[number])}#deliveries")
    context = {
        "webhook": found,
        "works": works(found),
        "deliveries": last_deliveries(found),
        "refusal": attempt.refusal,
    }
    return render(request, "ratings/webhooks/webhook.html", context, status=attempt.status)
