"""The periods of the ICCF's lists: quarters whose reports close a month before the list (items 12, 13; R93a)."""

from __future__ import annotations

from datetime import date, timedelta

from ratings.rules.days import CalendarPeriod
from reporting.federations.facet import edition_in_force
from reporting.federations.iccf.editions import EDITIONS


class IccfCalendar:
    """A period holds the days of report of its list, and is frozen when registration by post and e-mail has ended."""

    def period_of(self, day: date) -> CalendarPeriod:
        return _period(edition_in_force(EDITIONS, day).list_of(day))

    def next_period(self, period: CalendarPeriod) -> CalendarPeriod:
        return _period(edition_in_force(EDITIONS, period.in_force).next_list(period.in_force))

    def previous_period(self, period: CalendarPeriod) -> CalendarPeriod:
        return _period(edition_in_force(EDITIONS, period.in_force).previous_list(period.in_force))


def _period(in_force: date) -> CalendarPeriod:
    edition = edition_in_force(EDITIONS, in_force)
    reported_before = edition.reported_before(in_force)
    return CalendarPeriod(
        closing=reported_before - timedelta(days=1),
        played_before=reported_before,
        freezes_on=edition.registered_before(in_force),
        in_force=in_force,
    )
