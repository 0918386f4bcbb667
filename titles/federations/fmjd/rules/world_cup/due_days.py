"""When the papers of a championship are due (Annex 2 art. 2.1, Annex 17 Appendix C 3; R72b)."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date

from titles.federations.fmjd.rules.world_cup.parameters import Parameters


@dataclass(frozen=True)
class DueDays:
    """The days on which a championship's papers are due; ``reserve_list_latest`` is the last one for the list."""

    names_of_confederations: date
    reserve_list: date
    reserve_list_latest: date
    participants: date
    regulations: date


def due_days(parameters: Parameters, first_day: date) -> DueDays:
    """The due days of a championship that begins on a day (Annex 2 art. 2.1, Annex 17 Appendix C 3; R72b).

    The reserve list has two: of 1 January and the months before the championship the earlier one is due.
    """
    new_year = date(first_day.year, 1, 1)
    latest = _months_before(first_day, parameters.reserve_list_months)
    return DueDays(
        names_of_confederations=new_year,
        reserve_list=min(new_year, latest),
        reserve_list_latest=latest,
        participants=_months_before(first_day, parameters.participants_months),
        regulations=_months_before(first_day, parameters.regulations_months),
    )


def _months_before(day: date, months: int) -> date:
    """The same day of the month so many months earlier, or the last one of a shorter month (as R71)."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
