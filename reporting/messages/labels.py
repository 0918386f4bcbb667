"""The labels of the messages that this app sends: kind, tone and the name of the link; what a tournament is called."""

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.messages.kinds import MessageKind, register_message_kinds


def register() -> None:
    """Add the kinds of messages of this app to their registry. Called once, at start."""
    from reporting.models import Message  # noqa: PLC0415 (its module is imported before the models)

    kinds = Message.Kind
    report, account, request = _("Open report"), _("Open account"), _("Open request")
    shown = {
        kinds.REPORT_ACCEPTED: ("good", report),
        kinds.REPORT_RETURNED: ("warn", report),
        kinds.REPORT_REJECTED: ("bad", report),
        kinds.ACCEPTANCE_UNDONE: ("warn", report),
        kinds.REPORT_LATE: ("warn", report),
        kinds.REPORT_REMINDER: ("warn", _("Open my reports")),
        kinds.REPORT_DUE_SOON: ("stamp", _("Open my reports")),
        kinds.REPORT_DUE_TODAY: ("warn", _("Open my reports")),
        kinds.REPORT_OVERDUE: ("bad", _("Open my reports")),
        kinds.REPORT_UNANSWERED: ("warn", report),
        kinds.REPORT_SUBMITTED: ("warn", report),
        kinds.REPORT_NOTE: ("stamp", _("Read and answer")),
        kinds.REPORT_LEFT_OFFICE: ("warn", report),
        kinds.DRAFT_DELETED: ("warn", _("Open my reports")),
        kinds.STORAGE_REACHED: ("warn", report),
        kinds.REPORT_CHANGED: ("warn", _("Show changes")),
        kinds.INVITATION: ("stamp", _("Set password")),
        kinds.PASSWORD_RESET: ("stamp", _("Set new password")),
        kinds.PASSWORD_CHANGED: ("warn", account),
        kinds.EMAIL_CHANGE: ("warn", account),
        kinds.EMAIL_CONFIRM: ("stamp", _("Confirm address")),
        kinds.ACCOUNT_CHANGED: ("warn", account),
        kinds.REQUEST_RECEIVED: ("stamp", request),
        kinds.REQUEST_QUESTION: ("warn", request),
        kinds.REQUEST_ANSWERED: ("good", request),
    }
    always_mailed = {
        kinds.INVITATION,
        kinds.PASSWORD_RESET,
        kinds.PASSWORD_CHANGED,
        kinds.EMAIL_CHANGE,
        kinds.EMAIL_CONFIRM,
        kinds.ACCOUNT_CHANGED,
        kinds.REQUEST_RECEIVED,
        kinds.REQUEST_QUESTION,
        kinds.REQUEST_ANSWERED,
    }
    register_message_kinds(
        {
            kind.value: MessageKind(
                kind.label,
                tone,
                link,
                mail_when_closed=kind is kinds.ACCOUNT_CHANGED,
                mail_is_optional=kind not in always_mailed,
            )
            for kind, (tone, link) in shown.items()
        }
    )


def in_part(name: str, part: int | None, *, is_one: bool = False) -> str:
    """The name of a tournament; of a part from 2 on, and of one of several, with its number: `League, part 2`.

    None is no part.
    """
    if not is_one and (part or 1) == 1:
        return name
    return gettext("%(name)s, part %(part)s") % {"name": name, "part": part}


def name_with_part(tournament: Any) -> str:
    """The name of a result set, or of another row about a tournament, `in_part` where it has one.

    Of part 1 too where `mark_parts` has found others.
    """
    return in_part(
        tournament.name, getattr(tournament, "part", 1), is_one=getattr(tournament, "is_in_parts", False)
    )
