"""The calendar of the rating office: closing, freezing, coming into force (art. 4, 6.2; R10, R11).

Days only. Which instant a day begins at is a matter of the office's time zone and settled elsewhere.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from datetime import date, timedelta

from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.rules.days import CalendarPeriod


def period_of(parameters: Parameters, day: date) -> CalendarPeriod:
    """The period a tournament belongs to whose last round was played on this day (art. 4.4, R10)."""
    closings = [_period(parameters, year, n) for year in (day.year, day.year + 1) for n in _turns(parameters)]
    return min(period for period in closings if period.closing >= day)


def next_period(parameters: Parameters, period: CalendarPeriod) -> CalendarPeriod:
    """The period that begins where this one ends (R10)."""
    return period_of(parameters, period.played_before)


def previous_period(parameters: Parameters, period: CalendarPeriod) -> CalendarPeriod:
    """The period that ends where this one begins (R10)."""
    year = period.closing.year
    closings = [_period(parameters, y, n) for y in (year - 1, year) for n in _turns(parameters)]
    return max(earlier for earlier in closings if earlier.closing < period.closing)


def basis_of(lists_in_force: Sequence[date], first_round: date) -> int:
    """Which list gives a tournament its ratings: its index in ``lists_in_force`` (art. 5.2, R8).

    ``lists_in_force`` holds the day each list of the pool came into force, rising. The answer is the list
    in force on the day of the first round; for a tournament older than every list held, the earliest.
    Raises ``ValueError`` when no list is held at all.
    """
    if not lists_in_force:
        raise ValueError("no list of the pool is held")
    return max(bisect.bisect_right(lists_in_force, first_round) - 1, 0)


def _turns(parameters: Parameters) -> range:
    return range(len(parameters.closing_days))


def _period(parameters: Parameters, year: int, turn: int) -> CalendarPeriod:
    (month, day), (force_month, force_day) = parameters.closing_days[turn]
    closing = date(year, month, day)
    in_force = date(year, force_month, force_day)
    if in_force <= closing:  # December closes for January
        in_force = date(year + 1, force_month, force_day)
    return CalendarPeriod(
        closing=closing,
        played_before=closing + timedelta(days=1),
        freezes_on=closing + timedelta(days=parameters.freeze_days),
        in_force=in_force,
    )
