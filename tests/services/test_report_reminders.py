"""Reminders of reports and closing dates: on their day, once, and late only where they are still true (R11)."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from reporting.models import LogEntry, Message, Report, Role, Tournament, User
from reporting.reports.services.announce import announce_tournament, withdraw_announcement
from reporting.reports.services.reminders import send_answer_reminders, send_report_reminders
from reporting.reports.services.review import Remark, return_report
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.services.test_announce import values

pytestmark = pytest.mark.django_db

# A report is due 7 days after the last round (Annex 9 art. 4.1).
REPORT_DAYS = 7


@pytest.fixture
def official(office) -> User:
    office.register(11, 12)  # the federation NED
    return create_user("ned@example.org", "Official", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED")


@pytest.fixture
def announced(office, official) -> Tournament:
    create_user("bel@example.org", "Neighbour", roles=[Role.NATIONAL_OFFICIAL])
    first = timezone.localdate() + timedelta(days=30)
    return announce_tournament(values=values(first, country="NED"), by=office.referee)


def due_in(announcement: Tournament, days: int) -> None:
    """Set the last round so that the report is due so many days from today."""
    last = timezone.localdate() + timedelta(days=days - REPORT_DAYS)
    Tournament.objects.announced().filter(pk=announcement.pk).update(played_from=last, played_to=last)


def reminders() -> list[tuple[str, str]]:
    rows = Message.objects.exclude(kind="report_returned").order_by("kind", "recipient__name")
    return [(message.kind, message.recipient.name) for message in rows.select_related("recipient")]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (4, []),
        (3, [("report_due_soon", "Referee")]),
        (1, [("report_due_soon", "Referee")]),  # the scheduler was off for two days
        (0, [("report_due_today", "Referee")]),
        (-1, [("report_overdue", "Official"), ("report_overdue", "Referee")]),
        (-20, [("report_overdue", "Official"), ("report_overdue", "Referee")]),
    ],
)
def test_a_report_is_reminded_of_by_its_due_date_once(announced, days, expected) -> None:
    due_in(announced, days)
    assert send_report_reminders() == bool(expected)
    assert reminders() == expected
    assert send_report_reminders() == 0
    assert reminders() == expected


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_moment_write_one_reminder_to_each_person(announced) -> None:
    due_in(announced, -1)
    assert sorted(run_concurrently(send_report_reminders, send_report_reminders)) == [0, 1]
    assert reminders() == [("report_overdue", "Official"), ("report_overdue", "Referee")]


def test_each_stage_is_a_reminder_of_its_own_and_names_what_to_do(announced) -> None:
    for days in (3, 0, -1):
        due_in(announced, days)
        send_report_reminders()
    assert [kind for kind, name in reminders() if name == "Referee"] == [
        "report_due_soon", "report_due_today", "report_overdue",
    ]  # fmt: skip
    own = Message.objects.get(kind="report_overdue", recipient=announced.announced_by)
    assert own.title == "Report overdue: Riverside Open"
    assert "Submit it on the page My reports." in own.text
    officials = Message.objects.get(kind="report_overdue", recipient__name="Official")
    assert "Referee announced the tournament. Ask for the report, or submit it yourself." in officials.text
    due = timezone.localdate() - timedelta(days=1)
    assert officials.about == f"/reports/?due={due.isoformat()}#announcement-{announced.pk}"


def test_a_withdrawn_or_reported_tournament_is_not_reminded_of(office, announced) -> None:
    due_in(announced, 0)
    withdraw_announcement(announcement=announced, reason="no hall", by=office.referee)
    assert send_report_reminders() == 0
    Tournament.objects.announced().update(withdrawn_at=None)
    report = office.submit("Riverside Open", [11, 12], ["1 1 2 2-0"]).pk
    Report.objects.filter(pk=report).update(announcement=announced)
    assert send_report_reminders() == 0


def test_a_moved_tournament_is_reminded_of_by_its_new_date(announced) -> None:
    due_in(announced, 0)
    assert send_report_reminders() == 1
    due_in(announced, 3)
    assert send_report_reminders() == 1
    due_in(announced, 2)  # of another day by one
    assert send_report_reminders() == 1


def set_day(monkeypatch, days: int) -> None:
    now: datetime = timezone.now() + timedelta(days=days)
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_a_returned_report_is_reminded_of_after_a_week_once_for_each_return(office, monkeypatch) -> None:
    office.register(11, 12)
    report = office.submit("Gouda Open", [11, 12], ["1 1 2 2-0"])
    return_report(report=report, remarks=[Remark("Check the dates.")], by=office.officer)
    with monkeypatch.context() as six_days_later:
        set_day(six_days_later, 6)
        assert send_answer_reminders() == 0
    with monkeypatch.context() as a_week_later:
        set_day(a_week_later, 7)
        assert send_answer_reminders() == 1
        assert send_answer_reminders() == 0
    act = LogEntry.objects.get(action="report.return")
    reminder = Message.objects.get(kind="report_unanswered")
    assert reminder.recipient == report.submitted_by
    assert reminder.about == f"/reports/{report.pk}/#act-{act.pk}"
    assert "It has not been submitted again since." in reminder.text


def test_a_report_that_was_submitted_again_is_not_reminded_of(office, monkeypatch) -> None:
    office.register(11, 12)
    report = office.submit("Gouda Open", [11, 12], ["1 1 2 2-0"])
    return_report(report=report, remarks=[Remark("Check the dates.")], by=office.officer)
    Report.objects.filter(pk=report.pk).update(state=Report.State.SUBMITTED)
    set_day(monkeypatch, 8)
    assert send_answer_reminders() == 0
