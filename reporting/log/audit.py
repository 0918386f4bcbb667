"""Who acts, and what they did: an entry of the audit log for each action."""

from dataclasses import dataclass, field
from typing import Any

from reporting.models import LogEntry, User


@dataclass(frozen=True)
class Actor:
    """The person who acts: an account, and whether by a command or by a program with the token of this name."""

    user: User
    by_command: bool = field(default=False, kw_only=True)
    program: str = field(default="", kw_only=True)


OFFICER = "officer@office.invalid"
"""The account that acts where no person does: for the worker, and for commands unless they name another one."""


def acting_worker() -> Actor:
    """Who acts in what the worker does by itself. 1 query."""
    return Actor(User.objects.get(email=OFFICER), by_command=True)


def record(
    *,
    by: Actor,
    action: str,
    subject: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    reason: str = "",
) -> LogEntry:
    """Append an action to the audit log, in the transaction of the action: if this fails, the action fails.

    `action` is a registered code (`report.accept`, reporting/log/actions.py), `subject` a kind and a number or address
    as people see it (`report 7`).
    """
    return LogEntry.objects.create(
        actor=by.user,
        action=action,
        subject=subject,
        before=before or {},
        after=(after or {}) | ({"program": by.program} if by.program else {}),
        reason=reason,
        by_command=by.by_command,
    )
