from dataclasses import dataclass, field
from typing import Any

from reporting.models import LogEntry, User


@dataclass(frozen=True)
class Actor:
    """Who acts: an account, and whether through one of the office's commands."""

    user: User
    by_command: bool = field(default=False, kw_only=True)


def record(
    *,
    by: Actor,
    action: str,
    subject: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    reason: str = "",
) -> LogEntry:
    """Append one act to the audit log, inside the act's own transaction: if this fails, the act fails.

    `action` is a verb and its object (`report.accept`), `subject` the thing's address or number as people see it.
    """
    return LogEntry.objects.create(
        actor=by.user,
        action=action,
        subject=subject,
        before=before or {},
        after=after or {},
        reason=reason,
        by_command=by.by_command,
    )
