"""Entries of the audit log as people read them: the action, its subject, and what changed field by field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import formats
from django.utils.translation import gettext

from reporting.log.actions import action_label, field_label, reason_label, value_label
from reporting.log.views.log_links import LogLink, log_links
from reporting.messages.notifications import format_minute
from reporting.models import LogEntry, User
from reporting.policies import can_see_all_accounts

# A field is private if its name contains one of these, whichever action wrote it.
PRIVATE_FIELD_PARTS = ("password", "token", "secret", "birth", "born")
PUBLIC_FIELDS = ("birth_year",)
ADDRESS = re.compile(r"\S+@\S+")
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T.*)?")


@dataclass(frozen=True)
class Change:
    """A field of the subject before and after the action, as people read it; empty for no value."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class ShownEntry:
    """An entry of the log with its label, the link to its subject, and its changes."""

    entry: LogEntry
    label: str
    link: LogLink
    changes: Sequence[Change]

    @property
    def reason(self) -> str:
        return reason_label(self.entry.reason)

    @property
    def has_before(self) -> bool:
        return any(change.old for change in self.changes)


def shown_entries(entries: Sequence[LogEntry], reader: User) -> list[ShownEntry]:
    """Entries as this reader may see them, with links to their subjects. A query or two for each kind of subject."""
    links = log_links({entry.subject for entry in entries}, reader)
    addresses = can_see_all_accounts(reader)
    return [
        ShownEntry(
            entry, action_label(entry.action), links[entry.subject], changes_of(entry, addresses=addresses)
        )
        for entry in entries
    ]


def changes_of(entry: LogEntry, *, addresses: bool = True) -> list[Change]:
    """The changes of an entry, field by field; of a private field only that it changed.

    Without `addresses` e-mail addresses are replaced by `hidden_value()`.
    """
    before, after = _mapping(entry.before), _mapping(entry.after)
    names = [*before, *(name for name in after if name not in before)]
    changes = [_change(name, before.get(name), after.get(name)) for name in names]
    return changes if addresses else [_without_addresses(change) for change in changes]


def hidden_value() -> str:
    """What is shown instead of an e-mail address that the reader may not see."""
    return gettext("not shown")


def _mapping(stored: Any) -> Mapping[str, Any]:
    return stored if isinstance(stored, dict) else {"": stored}


def _change(name: str, old: Any, new: Any) -> Change:
    if name not in PUBLIC_FIELDS and any(part in name.casefold() for part in PRIVATE_FIELD_PARTS):
        return Change(field_label(name), "", gettext("changed"))
    return Change(field_label(name), _readable(name, old), _readable(name, new))


def _without_addresses(change: Change) -> Change:
    hidden = hidden_value()
    return replace(change, old=ADDRESS.sub(hidden, change.old), new=ADDRESS.sub(hidden, change.new))


def _readable(name: str, value: Any) -> str:
    """A stored value for people: codes by their labels, instants in the office's zone, lists with commas."""
    if isinstance(value, list):
        return ", ".join(_readable(name, item) for item in value)
    if isinstance(value, dict):
        parts = [_change(key, None, item) for key, item in value.items()]
        return "; ".join(f"{part.name}: {part.new}" for part in parts)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None:
        return ""
    text = str(value)
    label = value_label(name, text)
    return label if label != text else _instant(text)


def _instant(text: str) -> str:
    """An ISO instant as `20 Nov 2026, 14:05 UTC`, an ISO day as `20 Nov 2026`, any other text unchanged."""
    if not ISO_DAY.fullmatch(text):
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if "T" not in text:
        return formats.date_format(moment, "j M Y")
    if moment.tzinfo is None:
        return text
    return format_minute(moment)
