"""The page of one's own messages, and in the demonstration a mailbox of all accounts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reporting.messages.kinds import MessageKind, message_kind
from reporting.messages.one_time_links import message_link
from reporting.messages.selectors import message_page
from reporting.models import Message, User

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
def own_messages(request: HttpRequest) -> HttpResponse:
    """The reader's own messages, newest first."""
    page = message_page(cast(User, request.user), before=requested_before(request))
    context = {
        "shown_messages": tuple(shown_messages(page.messages)),
        "older": page.older,
        "demo": settings.DEMO,
    }
    return render(request, "reporting/messages.html", context)


@login_not_required
@require_safe
@cache_control(private=True, no_store=True)
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
    return render(request, "reporting/mailbox.html", context)


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
    path, mark, fragment = address.partition("#")
    try:
        with translation.override(settings.LANGUAGE_CODE):  # addresses are stored in the office's language
            found = resolve(path)
    except Resolver404:
        return ""
    return f"{reverse(found.view_name, args=found.args, kwargs=found.kwargs)}{mark}{fragment}"
