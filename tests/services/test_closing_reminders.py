"""National officials with announced tournaments are reminded of a closing date 14 and 3 days before it (R10)."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from ratings.production.periods.remind_of_closing import send_closing_reminders
from reporting.models import Message, Role, Tournament
from reporting.reports.services.announce import announce_tournament, withdraw_announcement
from tests.people import create_user
from tests.services.test_announce import values

pytestmark = pytest.mark.django_db

# The period that closes on 15 March 2026 began on 16 December 2025 (Annex 9, four periods a year).
MARCH = date(2026, 3, 7)


@pytest.fixture
def on_day(monkeypatch):
    def go_to(month: int, day: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime(2026, month, day, 12, tzinfo=UTC))

    return go_to


@pytest.fixture
def announced(office, on_day) -> Tournament:
    """Played from 7 to 9 March 2026 in BEL, which has an official; the one of NED has no announced tournament."""
    office.register(11)
    on_day(2, 1)
    announcement = announce_tournament(values=values(MARCH), by=office.referee)
    for federation in ("BEL", "NED"):
        person = {"roles": [Role.NATIONAL_OFFICIAL], "federation_id": federation}
        create_user(f"{federation.lower()}@example.org", f"Official of {federation}", **person)
    return announcement


def reminders() -> list[tuple[str, str]]:
    messages = Message.objects.filter(kind="period_closes").select_related("recipient").order_by("pk")
    return [(message.recipient.name, message.about) for message in messages]


@pytest.mark.parametrize(
    ("month", "day", "mark"),
    [
        (2, 28, ""),  # 15 days before
        (3, 1, "closing=2026-03-15&days=14"),
        (3, 3, "closing=2026-03-15&days=14"),  # the scheduler was off for two days
        (3, 11, "closing=2026-03-15&days=14"),
        (3, 12, "closing=2026-03-15&days=3"),
        (3, 15, "closing=2026-03-15&days=3"),
        (3, 16, ""),  # closed
    ],
)
def test_the_official_of_the_federation_is_reminded_once(announced, on_day, month, day, mark) -> None:
    on_day(month, day)
    expected = [("Official of BEL", f"/reports/?{mark}#announced")] if mark else []
    assert send_closing_reminders() == len(expected)
    assert send_closing_reminders() == 0
    assert reminders() == expected


def test_both_reminders_come_and_name_the_tournaments(announced, on_day) -> None:
    for day in (1, 12):
        on_day(3, day)
        send_closing_reminders()
    assert [about for _, about in reminders()] == [
        "/reports/?closing=2026-03-15&days=14#announced",
        "/reports/?closing=2026-03-15&days=3#announced",
    ]
    message = Message.objects.filter(kind="period_closes").latest("pk")
    assert message.title == "Closing date: 15 Mar 2026"
    assert "- Riverside Open, 7 Mar 2026 – 9 Mar 2026" in message.text


def test_nothing_is_said_of_another_period_or_of_what_was_withdrawn(office, announced, on_day) -> None:
    Tournament.objects.announced().update(played_to=date(2026, 3, 16))  # the next period
    on_day(3, 12)
    assert send_closing_reminders() == 0
    Tournament.objects.announced().update(played_to=date(2026, 3, 15))
    withdraw_announcement(announcement=announced, reason="no hall", by=office.referee)
    assert send_closing_reminders() == 0
