"""Whoever announced a competition is reminded of its report (Annex 9 art. 4.1, R11)."""

from django.db import transaction
from django.utils import timezone

from reporting.errors import DomainError
from reporting.log.audit import Actor, record
from reporting.messages.notifications import format_day
from reporting.models import Announcement, Message, Report
from reporting.policies import OFFICE_ROLES, require_role
from reporting.regulations import report_due
from reporting.reports.selectors.inbox import REMINDER_INTERVAL


@transaction.atomic
def send_report_reminder(*, announcement: Announcement, by: Actor) -> Announcement:
    """Tell whoever announced a competition that its report has not come; at most once in three days.

    Raises DomainError `wrong_state` where it is withdrawn, not over or reported by now, `reminded_recently`,
    `account_closed`, `forbidden`.
    """
    require_role(by.user, *OFFICE_ROLES)
    announcement = (
        Announcement.objects.select_for_update(of=("self",))
        .select_related("announced_by")
        .get(pk=announcement.pk)
    )
    reports = Report.objects.filter(announcement=announcement, first_submitted_at__isnull=False)
    if (
        announcement.withdrawn_at is not None
        or announcement.played_to >= timezone.localdate()
        or reports.exclude(state=Report.State.WITHDRAWN).exists()
    ):
        raise DomainError("wrong_state.not_missing", name=announcement.name)
    now, before = timezone.now(), announcement.reminded_at
    if before is not None and now < before + REMINDER_INTERVAL:
        raise DomainError(
            "reminded_recently", name=announcement.announced_by.name, day=timezone.localdate(before)
        )
    if not announcement.announced_by.is_active:
        raise DomainError("account_closed", name=announcement.announced_by.name)
    announcement.reminded_at = now
    announcement.save(update_fields=["reminded_at"])
    due = report_due(announcement.played_to)
    late = due < timezone.localdate()
    Message.objects.create(
        kind=Message.Kind.REPORT_REMINDER,
        recipient=announcement.announced_by,
        about=f"/reports/#announcement-{announcement.pk}-{int(now.timestamp())}",
        title=f"The report of {announcement.name} has not come",
        text=f"{announcement.name} ended on {format_day(announcement.played_to)}. Its report"
        f" {'was' if late else 'is'} due on {format_day(due)} (Annex 9 art. 4.1)."
        + (
            " What comes late is calculated only if the rating officer admits it with a reason (R11)."
            if late
            else ""
        )
        + "\n\nHand it in under My reports, or withdraw the announcement there if it was not played.",
    )
    record(
        by=by,
        action="announcement.remind",
        subject=f"announcement {announcement.pk}",
        before={"reminded": before.isoformat() if before else ""},
        after={"reminded": now.isoformat()},
    )
    return announcement
