"""A reminder of the report of an announced tournament (Annex 9 art. 4.1, R11)."""

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_report_missing
from reporting.models import Announcement, Report
from reporting.policies import OFFICE_ROLES, require_role
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.inbox import REMINDER_INTERVAL


@transaction.atomic
def send_report_reminder(*, announcement: Announcement, by: Actor) -> Announcement:
    """Remind the account of an announcement that its report has not come; at most once in three days.

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
    notify_report_missing(announcement, now)
    record(
        by=by,
        action="announcement.remind",
        subject=f"announcement {announcement.pk}",
        before={"reminded": before.isoformat() if before else ""},
        after={"reminded": now.isoformat()},
    )
    return announcement
