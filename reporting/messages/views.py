"""The page of one's own messages, the choice of mails, and in the demonstration a mailbox of all accounts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from reporting.messages.kinds import MessageKind, message_kind, optional_mail_kinds
from reporting.messages.mail_choices import choose_mails, mailed_kinds, read_key, stop_mails
from reporting.messages.one_time_links import message_link
from reporting.messages.read_messages import mark_messages_read
from reporting.messages.selectors import message_page
from reporting.models import Message, User
from reporting.web.access import OfficeRequest, require_access
from reporting.web.attempt import confirm
from reporting.web.forms import set_choices
from reporting.web.query_params import declare_parameters

LARGEST_NUMBER = 2**63 - 1  # that the database can hold


@dataclass(frozen=True)
class ShownMessage:
    """A message as pages show it; `address` is empty if there is no page to link to."""

    message: Message
    kind: MessageKind
    address: str


class OlderMessagesForm(forms.Form):
    """The messages older than the one of this number."""

    before = forms.IntegerField(required=False, min_value=0, max_value=LARGEST_NUMBER)


@require_safe
@cache_control(private=True, no_store=True)
def own_messages(request: OfficeRequest) -> HttpResponse:
    """The reader's own messages, newest first."""
    reader = request.user
    before = requested_before(request)
    page = message_page(reader, before=before)
    context = {
        "shown_messages": tuple(shown_messages(page.messages)),
        "read_to": reader.messages_read_to,
        "older": page.older,
        "demo": settings.DEMO,
    }
    if request.method == "GET" and before is None and page.messages:
        mark_messages_read(reader=reader, newest=page.messages[0].pk)
    return render(request, "reporting/messages/messages.html", context)


@login_not_required
@require_safe
@cache_control(private=True, no_store=True)
@declare_parameters(OlderMessagesForm, lasting=None)
def mailbox(request: HttpRequest) -> HttpResponse:
    """The mail of all accounts, open to all visitors of the demonstration; elsewhere there is no such page."""
    if not (settings.DEMO and settings.EMBEDDED_DATABASE):
        raise Http404("Only the demonstration has a mailbox.")
    page = message_page(before=requested_before(request))
    context = {
        "shown_messages": tuple(shown_messages(page.messages, as_mailed=True)),
        "older": page.older,
        "sender": settings.DEFAULT_FROM_EMAIL,
    }
    return render(request, "reporting/messages/mailbox.html", context)


class MailsForm(forms.Form):
    """The kinds of messages that a person also gets by mail."""

    kinds = forms.MultipleChoiceField(
        label=_("Mails about"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "kinds", ((code, kind.label) for code, kind in optional_mail_kinds().items()))


def anyone(user: User) -> None:
    """No role is needed."""


@require_access(anyone, "GET", "HEAD", "POST")
def own_mails(request: OfficeRequest) -> HttpResponse:
    """Choose which messages one also gets by mail."""
    account = request.user
    form = MailsForm(
        request.POST if request.method == "POST" else None, initial={"kinds": mailed_kinds(account)}
    )
    if form.is_valid():
        choose_mails(account=account, kinds=form.cleaned_data["kinds"])
        confirm(request, gettext("Choice of mails saved."), "mails")
        return redirect(f"{reverse('account-mails')}#mails")
    return render(request, "reporting/accounts/account_mails.html", {"form": form, "email": account.email})


@csrf_exempt  # a mail program posts to this address without a page before it (RFC 8058); the key is the permission
@login_not_required
@require_access(anyone, "GET", "HEAD", "POST")
def stop_mails_of_kind(request: HttpRequest, key: str) -> HttpResponse:
    """Stop the mails of a kind by the link in one of them, without log-in. Only a POST changes something."""
    try:
        kind = stop_mails(key) if request.method == "POST" else read_key(key)[1]
    except Message.DoesNotExist:
        raise Http404(gettext("This link is not valid. Log in to choose your mails.")) from None
    context = {"kind": message_kind(kind), "stopped": request.method == "POST"}
    return render(request, "reporting/accounts/account_stop_mails.html", context)


def requested_before(request: HttpRequest) -> int | None:
    """The number after `?before=`; None for anything else."""
    form = OlderMessagesForm(request.GET)
    return form.cleaned_data["before"] if form.is_valid() else None


def shown_messages(messages: Sequence[Message], *, as_mailed: bool = False) -> Iterator[ShownMessage]:
    """Messages as pages show them; one-time links are only in the mail."""
    for message in messages:
        link = message_link(message)
        address = page_of(message.about) if not link else link if as_mailed else ""
        yield ShownMessage(message, message_kind(message.kind), address)


def page_of(address: str) -> str:
    """A stored address in the language of the page; empty if there is no such page."""
    page, mark, fragment = address.partition("#")
    path = page.partition("?")[0]  # what follows only tells one message from another
    try:
        with translation.override(settings.LANGUAGE_CODE):  # addresses are stored in the office's language
            found = resolve(path)
    except Resolver404:
        return ""
    return f"{reverse(found.view_name, args=found.args, kwargs=found.kwargs)}{mark}{fragment}"
