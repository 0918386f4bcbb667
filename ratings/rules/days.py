"""Days: those of a period, and as the numbers that engines calculate with.

Days only. Which instant a day begins at is a matter of the office's time zone and settled elsewhere.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class CalendarPeriod:
    """One period's days.

    ``closing`` is the last day inside; ``played_before`` the day after it, so that the period is half
    open; ``freezes_on`` the day the calculation opens, the 8th after closing; ``in_force`` the day of
    application of its list.
    """

    closing: date
    played_before: date
    freezes_on: date
    in_force: date


def years_before(day: date, years: int) -> date:
    """The same day of the month so many years earlier (R12).

    From 29 February the answer in a year without one is 28 February, the last day of that month.
    """
    return months_before(day, 12 * years)


def months_before(day: date, months: int) -> date:
    """The same day of the month so many months earlier, or the last day of a month that is shorter."""
    year, month = divmod(12 * day.year + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def day_number(day: date) -> int:
    """A date as the engine's columns hold it: days since 1 January 1970."""
    return (day - _EPOCH).days


def day_of_number(number: int) -> date:
    """The date of a day number, the reverse of ``day_number``."""
    return _EPOCH + timedelta(days=number)
