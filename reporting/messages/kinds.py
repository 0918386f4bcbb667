"""The registry of message kinds. Each app registers its own when it starts.

See `reporting/messages/labels.py` and `ratings/office/labels.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise

Label = str | Promise


@dataclass(frozen=True)
class MessageKind:
    """How messages of one kind are shown and mailed.

    `link` labels the link to what the message is about. Messages are mailed to open accounts, those with
    `mail_when_closed` also to closed ones. People choose which mails they get, of the kinds with `mail_is_optional`.
    """

    label: Label
    tone: str
    link: Label
    mail_when_closed: bool = False
    mail_is_optional: bool = True


_kinds: dict[str, MessageKind] = {}


def register_message_kinds(kinds: Mapping[str, MessageKind]) -> None:
    """Add an app's kinds of messages, each by its code."""
    _kinds.update(kinds)


def message_kinds() -> Mapping[str, MessageKind]:
    """The registered kinds by their codes."""
    return _kinds


def optional_mail_kinds() -> Mapping[str, MessageKind]:
    """The kinds that a person can get without mail, by their codes."""
    return {code: kind for code, kind in _kinds.items() if kind.mail_is_optional}


def message_kind(code: str) -> MessageKind:
    """The kind of a message; one that is not registered is shown by its code."""
    return _kinds.get(code) or MessageKind(code, "", code)
