"""Messages to people: a page of them, and those to be mailed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet

from reporting.messages.kinds import message_kinds
from reporting.models import Message, User

MESSAGES_PER_PAGE = 50


@dataclass(frozen=True)
class MessagePage:
    """A page of messages, newest first; the next page has those before `older`, None at the end."""

    messages: Sequence[Message]
    older: int | None


def message_page(recipient: User | None = None, *, before: int | None = None) -> MessagePage:
    """A person's messages, or those of all people, with a number below `before`. 1 query."""
    messages = Message.objects.select_related("recipient", "correction_request").order_by("-pk")
    if recipient is not None:
        messages = messages.filter(recipient=recipient)
    if before is not None:
        messages = messages.filter(pk__lt=before)
    page = list(messages[: MESSAGES_PER_PAGE + 1])
    shown = page[:MESSAGES_PER_PAGE]
    return MessagePage(shown, shown[-1].pk if len(page) > len(shown) else None)


def is_mail_configured() -> bool:
    """Whether a mail server is set up; without one people read messages only on pages."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def unsent_messages() -> QuerySet[Message]:
    """Messages to be mailed. Closed accounts get only pending invitations and kinds with `mail_when_closed`."""
    when_closed = [code for code, kind in message_kinds().items() if kind.mail_when_closed]
    return Message.objects.filter(
        Q(recipient__is_active=True)
        | Q(
            kind=Message.Kind.INVITATION,
            recipient__invitation__accepted_at=None,
            recipient__invitation__withdrawn_at=None,
        )
        | Q(kind__in=when_closed)
        | Q(correction_request__erased_at=None, correction_request__isnull=False),
        sent_at__isnull=True,
    )
