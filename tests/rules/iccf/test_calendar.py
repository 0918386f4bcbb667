"""The periods of ICCF lists, and the list on which a report counts (items 12, 13; R93a)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ratings.federations.iccf.rules.calendar import IccfCalendar
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.rules.days import CalendarPeriod
from reporting.federations.iccf.details import Delivery, IccfDetails, TournamentKind
from reporting.federations.iccf.editions import ICCF_2009

CALENDAR = IccfCalendar()
APRIL = CalendarPeriod(date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 18), date(2026, 4, 1))


def test_the_list_of_april_counts_december_to_february():
    """Reported by the last of February; results by post registered by 17 March, two weeks before 1 April."""
    assert CALENDAR.period_of(date(2025, 12, 1)) == CALENDAR.period_of(date(2026, 2, 28)) == APRIL
    assert CALENDAR.period_of(date(2026, 3, 1)).in_force == date(2026, 7, 1)
    assert CALENDAR.period_of(date(2025, 11, 30)).in_force == date(2026, 1, 1)
    assert CALENDAR.period_of(date(2028, 2, 29)).closing == date(2028, 2, 29)


def test_periods_follow_one_another_without_a_gap():
    period = APRIL
    for in_force in (date(2026, 7, 1), date(2026, 10, 1), date(2027, 1, 1), date(2027, 4, 1)):
        following = CALENDAR.next_period(period)
        assert following.in_force == in_force
        assert CALENDAR.previous_period(following) == period
        assert CALENDAR.period_of(period.played_before) == following
        assert CALENDAR.period_of(following.closing) == following
        period = following


@pytest.mark.parametrize(
    ("delivery", "received", "registered", "in_force"),
    [
        ("server", "2026-02-28", None, "2026-04-01"), ("server", "2026-03-01", None, "2026-07-01"),
        ("server", "2026-02-28", "2026-03-20", "2026-04-01"), ("post", "2026-02-28", "2026-03-17", "2026-04-01"),
        ("email", "2026-02-28", "2026-03-17", "2026-04-01"), ("post", "2026-02-28", "2026-03-18", "2026-07-01"),
        ("post", "2026-03-01", "2026-03-01", "2026-07-01"), ("post", "2026-02-28", None, "2026-04-01"),
        ("email", "2026-02-28", "2026-06-17", "2026-10-01"),
    ],
)  # fmt: skip
def test_a_report_counts_on_the_first_list_for_which_it_is_in_time(delivery, received, registered, in_force):
    """By its counting day; without a day of registration that of the report."""
    details = IccfDetails(
        delivery=Delivery(delivery), registered=date.fromisoformat(registered) if registered else None
    )
    day = details.counting_day(date.fromisoformat(received))
    assert CALENDAR.period_of(day).in_force == date.fromisoformat(in_force)
    assert day >= date.fromisoformat(received)


def test_a_report_in_time_counts_by_its_own_day():
    assert IccfDetails().counting_day(date(2026, 2, 10)) == date(2026, 2, 10)


def test_every_day_of_a_year_has_the_list_of_its_period():
    """The first list L with the day before L less one month."""
    for day in (date(2026, 1, 1) + timedelta(number) for number in range(365)):
        month = day.month + 1  # the month that begins after the day
        months = next(first for first in (4, 7, 10, 13, 16) if month <= first - 1)
        expected = date(2026 + (months - 1) // 12, (months - 1) % 12 + 1, 1)
        assert ICCF_2009.list_of(day) == expected


def test_reports_name_the_kinds_that_the_rules_have():
    assert {kind.value for kind in TournamentKind} == set(KINDS)
