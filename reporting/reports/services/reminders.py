"""Reminders of reports due and overdue, and of returned reports without an answer (R11).

Those of the scheduler are sent once; the office sends one by hand. The scheduler may run late, twice, or at two
workers: a reminder says what is true on the day it is written, and is left out where that is no longer true.
"""

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.messages.notifications import (
    due_path,
    notify_report_due,
    notify_report_missing,
    notify_unanswered,
)
from reporting.models import LogEntry, Message, Report, Role, Tournament, User
from reporting.policies import OFFICE_ROLES, require_role
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.inbox import (
    REMINDER_INTERVAL,
    WAITING_FOR_REFEREE,
    announcements_without_report,
    missing_reports,
)
from reporting.rules.regulations.editions import report_due

DAYS_BEFORE_DUE = 3
TIME_TO_ANSWER = timedelta(days=7)


def send_report_reminders() -> int:
    """Remind of reports that are due within three days, due today and overdue; answers the number of tournaments.

    Goes to the account of the announcement; when it is overdue also to the national officials of the federation.
    May run repeatedly and concurrently. Each tournament in its own transaction.
    """
    missing = [
        report.announcement
        for report in missing_reports()
        if report.due and report.days_late >= -DAYS_BEFORE_DUE
    ]
    written = set(
        Message.objects.filter(about__in=[due_path(announcement) for announcement in missing]).values_list(
            "kind", "about"
        )
    )
    return sum(
        _remind_of_report(announcement.pk)
        for announcement in missing
        if (_kind_of_day(_due(announcement)), due_path(announcement)) not in written
    )


def send_answer_reminders() -> int:
    """Remind of reports returned a week ago and not submitted again; answers their number.

    May run repeatedly and concurrently. Each report in its own transaction.
    """
    waiting = Report.objects.filter(WAITING_FOR_REFEREE).order_by("pk").values_list("pk", flat=True)
    return sum(_remind_of_answer(number) for number in waiting)


@transaction.atomic
def _remind_of_report(number: int) -> bool:
    announcement = announcements_without_report().select_for_update(of=("self",)).filter(pk=number).first()
    if announcement is None:  # withdrawn or reported by now
        return False
    kind = _kind_of_day(_due(announcement))
    if not kind or Message.objects.filter(kind=kind, about=due_path(announcement)).exists():
        return False
    recipients = [announcement.announced_by]
    if kind == Message.Kind.REPORT_OVERDUE:
        recipients += (
            User.objects.holding(Role.NATIONAL_OFFICIAL)
            .filter(federation=announcement.country)
            .exclude(pk=announcement.announced_by.pk)
            .order_by("pk")
        )
    notify_report_due(announcement, kind, recipients)
    return True


@transaction.atomic
def _remind_of_answer(number: int) -> bool:
    report = (
        Report.objects.select_for_update(of=("self",), no_key=True)
        .select_related("result_set", "submitted_by")
        .filter(WAITING_FOR_REFEREE, pk=number)
        .first()
    )
    if report is None:  # submitted or withdrawn by now
        return False
    act = LogEntry.objects.filter(action="report.return", subject=f"report {number}").order_by("pk").last()
    if act is None or timezone.localdate(act.at) + TIME_TO_ANSWER > timezone.localdate():
        return False
    if Message.objects.filter(kind=Message.Kind.REPORT_UNANSWERED, about__endswith=f"#act-{act.pk}").exists():
        return False
    notify_unanswered(report, act)
    return True


def _due(announcement: Tournament) -> date | None:
    return report_due(announcement.played_to, announcement.discipline, announcement.rating_system)


def _kind_of_day(due: date | None) -> str:
    """The reminder for a due date that is true today; empty where it is too early for one, or without a due date."""
    if due is None:
        return ""
    days_left = (due - timezone.localdate()).days
    if days_left < 0:
        return Message.Kind.REPORT_OVERDUE
    if days_left == 0:
        return Message.Kind.REPORT_DUE_TODAY
    return Message.Kind.REPORT_DUE_SOON if days_left <= DAYS_BEFORE_DUE else ""


@transaction.atomic
def send_report_reminder(*, announcement: Tournament, by: Actor) -> Tournament:
    """Remind the account of an announcement that its report has not come; at most once in three days.

    Raises DomainError `wrong_state` where it is withdrawn, not over or reported by now, `reminded_recently`,
    `account_closed`, `forbidden`.
    """
    require_role(by.user, *OFFICE_ROLES)
    announcement = (
        Tournament.objects.announced()
        .select_for_update(of=("self",))
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
