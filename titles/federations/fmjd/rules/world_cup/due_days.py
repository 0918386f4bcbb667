"""When the papers of a championship are due (Annex 2 art. 2.1, Annex 17 Appendix C 3; R72b)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from reporting.federations.fmjd.world_cup_events import months_before
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
    latest = months_before(first_day, parameters.reserve_list_months)
    return DueDays(
        names_of_confederations=new_year,
        reserve_list=min(new_year, latest),
        reserve_list_latest=latest,
        participants=months_before(first_day, parameters.participants_months),
        regulations=months_before(first_day, parameters.regulations_months),
    )
