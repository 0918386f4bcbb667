"""Quarters and round dates (Annex 9 art. 4.4, 6.2; R10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

CLOSING_MONTHS = {3: "march", 6: "june", 9: "september", 12: "december"}
CLOSING_DAY = 15
FREEZES_AFTER = timedelta(days=8)  # the scheduler freezes a quarter on the 8th day after its closing date
LAST_WEEKDAY = {"saturdays": 5, "weekends": 6}


@dataclass(frozen=True)
class Quarter:
    """A rating period: tournaments with their last round after `previous_closing`, up to `closing`."""

    previous_closing: date
    closing: date
    in_force: date

    @property
    def name(self) -> str:
        """The closing month, the key of the calendar of events."""
        return CLOSING_MONTHS[self.closing.month]

    def following(self) -> Quarter:
        """The next quarter."""
        return quarter_closing_on(_three_months_later(self.closing))


def _three_months_later(day: date) -> date:
    return date(day.year + (day.month > 9), (day.month + 2) % 12 + 1, day.day)


def _three_months_earlier(day: date) -> date:
    return date(day.year - (day.month < 4), (day.month - 4) % 12 + 1, day.day)


def quarter_closing_on(closing: date) -> Quarter:
    """The quarter with this closing date; its list is in force from the first day of the next month."""
    in_force = date(closing.year + (closing.month == 12), closing.month % 12 + 1, 1)
    return Quarter(_three_months_earlier(closing), closing, in_force)


def quarters_frozen(today: date, count: int) -> list[Quarter]:
    """The latest quarters that are frozen on this day, oldest first: their lists are in force or come next."""
    quarter = quarter_closing_on(date(today.year, 12, CLOSING_DAY))
    found: list[Quarter] = []
    while len(found) < count:
        if quarter.closing + FREEZES_AFTER <= today:
            found.append(quarter)
        quarter = quarter_closing_on(quarter.previous_closing)
    return found[::-1]


def round_dates(rhythm: str, rounds: int, last: date) -> list[date]:
    """The date of every round, the last one on this day or (league, weekends) the weekend before."""
    if rhythm in LAST_WEEKDAY:
        last -= timedelta(days=(last.weekday() - LAST_WEEKDAY[rhythm]) % 7)
    days_back: dict[str, Callable[[int], int]] = {
        "daily": lambda number: number,
        "free-day": lambda number: number + (number >= rounds // 2),
        "double": lambda number: number // 3 * 2 + (number % 3 > 0),  # one round, two rounds, one round …
        "one-day": lambda _: 0,
        "two-days": lambda number: int(number >= rounds // 2),
        "weekends": lambda number: 14 * (number // 2) + number % 2,
        "saturdays": lambda number: 14 * number,
    }
    return [last - timedelta(days=days_back[rhythm](number)) for number in range(rounds)][::-1]
