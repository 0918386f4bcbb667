"""What people were told."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet

from reporting.models import Message, User

MESSAGES_PER_PAGE = 50


@dataclass(frozen=True)
class MessagePage:
    """A page of messages, newest first; `older` is what the next page starts before, None at the end."""

    messages: Sequence[Message]
    older: int | None


def message_page(recipient: User | None = None, *, before: int | None = None) -> MessagePage:
    """What a person was told, or everybody, before one message's number. 1 query."""
    found = Message.objects.select_related("recipient", "correction_request").order_by("-pk")
    if recipient is not None:
        found = found.filter(recipient=recipient)
    if before is not None:
        found = found.filter(pk__lt=before)
    page = list(found[: MESSAGES_PER_PAGE + 1])
    shown = page[:MESSAGES_PER_PAGE]
    return MessagePage(shown, shown[-1].pk if len(page) > len(shown) else None)


def is_mail_configured() -> bool:
    """Whether the office has a server for its mail; without one messages are read on pages alone."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def unsent_messages() -> QuerySet[Message]:
    """What is still to be mailed. Closed accounts get no mail, but for an invitation that waits and of their change."""
    return Message.objects.filter(
        Q(recipient__is_active=True)
        | Q(
            kind=Message.Kind.INVITATION,
            recipient__invitation__accepted_at=None,
            recipient__invitation__withdrawn_at=None,
        )
        | Q(kind=Message.Kind.ACCOUNT_CHANGED)
        | Q(correction_request__erased_at=None, correction_request__isnull=False),
        sent_at__isnull=True,
    )
