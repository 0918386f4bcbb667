"""What people were told."""

from collections.abc import Sequence
from dataclasses import dataclass

from reporting.models import Message, User

LETTERS_ON_A_PAGE = 50


@dataclass(frozen=True)
class Letters:
    """A page of messages, newest first; `older` is what the next page starts before, None at the end."""

    messages: Sequence[Message]
    older: int | None


def letters(recipient: User | None = None, *, before: int | None = None) -> Letters:
    """What a person was told, or everybody, before one message's number. 1 query."""
    found = Message.objects.select_related("recipient").order_by("-pk")
    if recipient is not None:
        found = found.filter(recipient=recipient)
    if before is not None:
        found = found.filter(pk__lt=before)
    page = list(found[: LETTERS_ON_A_PAGE + 1])
    shown = page[:LETTERS_ON_A_PAGE]
    return Letters(shown, shown[-1].pk if len(page) > len(shown) else None)
