"""Reminders that the scheduler sends: reports due and overdue, returned reports without an answer (R11).

Each is sent once. The scheduler may run late, twice, or at two workers: a reminder says what is true on the day it is
written, and is left out where that is no longer true (docs/decisions/0056-choice-of-mails-and-reminders.md).
"""

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from reporting.messages.notifications import due_path, notify_report_due, notify_unanswered
from reporting.models import Announcement, LogEntry, Message, Report, Role, User
from reporting.reports.selectors.inbox import (
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
    missing = [report.announcement for report in missing_reports() if report.days_late >= -DAYS_BEFORE_DUE]
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
    kind, about = _kind_of_day(_due(announcement)), due_path(announcement)
    if not kind or Message.objects.filter(kind=kind, about=about).exists():
        return False
    recipients = [announcement.announced_by]
    if kind == Message.Kind.REPORT_OVERDUE:
        recipients += (
            User.objects.holding(Role.NATIONAL_OFFICIAL)
            .filter(federation=announcement.country)
            .exclude(pk=announcement.announced_by_id)
            .order_by("pk")
        )
    notify_report_due(announcement, kind, recipients)
    return True


@transaction.atomic
def _remind_of_answer(number: int) -> bool:
    report = (
        Report.objects.select_for_update(of=("self",), no_key=True)
        .select_related("tournament", "submitted_by")
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


def _due(announcement: Announcement) -> date:
    return report_due(announcement.played_to, announcement.discipline, announcement.rating_system)


def _kind_of_day(due: date) -> str:
    """The reminder for a due date that is true today; empty where it is too early for one."""
    days_left = (due - timezone.localdate()).days
    if days_left < 0:
        return Message.Kind.REPORT_OVERDUE
    if days_left == 0:
        return Message.Kind.REPORT_DUE_TODAY
    return Message.Kind.REPORT_DUE_SOON if days_left <= DAYS_BEFORE_DUE else ""
