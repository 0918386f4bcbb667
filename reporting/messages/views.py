"""What people were told: everybody his own messages, and in the demonstration a mailbox of all accounts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reporting.messages.one_time_links import message_link
from reporting.messages.selectors import message_page
from reporting.models import Message, User

KINDS = Message.Kind
TONES = {
    KINDS.REPORT_ACCEPTED: "good",
    KINDS.REPORT_RETURNED: "warn",
    KINDS.REPORT_REJECTED: "bad",
    KINDS.ACCEPTANCE_UNDONE: "warn",
    KINDS.REPORT_LATE: "warn",
    KINDS.REPORT_REMINDER: "warn",
    KINDS.REPORT_CHANGED: "warn",
    KINDS.REPORT_NEXT_LIST: "stamp",
    KINDS.LIST_PUBLISHED: "good",
    KINDS.INVITATION: "stamp",
    KINDS.PASSWORD_RESET: "stamp",
    KINDS.PASSWORD_CHANGED: "warn",
    KINDS.EMAIL_CHANGE: "warn",
    KINDS.EMAIL_CONFIRM: "stamp",
    KINDS.ACCOUNT_CHANGED: "warn",
    KINDS.REQUEST_RECEIVED: "stamp",
    KINDS.REQUEST_QUESTION: "warn",
    KINDS.REQUEST_ANSWERED: "good",
}
LINKS = {
    KINDS.REPORT_REMINDER: "To my reports",
    KINDS.REPORT_CHANGED: "To the changes",
    KINDS.LIST_PUBLISHED: "To the list",
    KINDS.INVITATION: "Set a password",
    KINDS.PASSWORD_RESET: "Set a new password",
    KINDS.PASSWORD_CHANGED: "To the account",
    KINDS.EMAIL_CHANGE: "To the account",
    KINDS.EMAIL_CONFIRM: "Confirm the address",
    KINDS.ACCOUNT_CHANGED: "To the account",
    KINDS.REQUEST_RECEIVED: "To the request",
    KINDS.REQUEST_QUESTION: "To the request",
    KINDS.REQUEST_ANSWERED: "To the request",
}
MAX_NUMBER_DIGITS = 18  # digits of a number that the database can hold


@dataclass(frozen=True)
class ShownMessage:
    """A message as its page shows it; `address` is empty where there is no page of the thing."""

    message: Message
    tone: str
    address: str
    link: str


@require_safe
@cache_control(private=True, no_store=True)
def own_messages(request: HttpRequest) -> HttpResponse:
    """The reader's own messages, newest first."""
    found = message_page(cast(User, request.user), before=requested_before(request))
    context = {
        "shown_messages": tuple(shown_messages(found.messages)),
        "older": found.older,
        "demo": settings.DEMO,
    }
    return render(request, "reporting/messages.html", context)


@login_not_required
@require_safe
@cache_control(private=True, no_store=True)
def mailbox(request: HttpRequest) -> HttpResponse:
    """The mail of all accounts, open to whoever looks at the demonstration; elsewhere there is no such page."""
    if not (settings.DEMO and settings.EMBEDDED_DATABASE):
        raise Http404("Only the demonstration has a mailbox.")
    found = message_page(before=requested_before(request))
    context = {
        "shown_messages": tuple(shown_messages(found.messages, as_mailed=True)),
        "older": found.older,
        "sender": settings.DEFAULT_FROM_EMAIL,
    }
    return render(request, "reporting/mailbox.html", context)


def requested_before(request: HttpRequest) -> int | None:
    """The number after `?before=`; anything else is as good as nothing."""
    typed = request.GET.get("before", "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MAX_NUMBER_DIGITS else None


def shown_messages(messages: Sequence[Message], *, as_mailed: bool = False) -> Iterator[ShownMessage]:
    """Messages as a page shows them; the links that open an act once are only in the mail."""
    for message in messages:
        kind = KINDS(message.kind)
        if once := message_link(message):
            address = once if as_mailed else ""
        else:
            address = message.about if has_page(message.about) else ""
        yield ShownMessage(message, TONES[kind], address, LINKS.get(kind, "To the report"))


def has_page(address: str) -> bool:
    try:
        resolve(address.partition("#")[0])
    except Resolver404:
        return False
    return True
