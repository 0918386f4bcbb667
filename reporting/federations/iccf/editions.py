"""The numbers of the working rules that reports ask for, as dated editions. Old editions stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from reporting.federations.facet import Edition


@dataclass(frozen=True, kw_only=True)
class IccfEdition(Edition):
    """Lists come into force on the first day of `list_months`, which rise.

    Results count that were reported `reported_months` before that day and, by post or e-mail, registered
    `registered_days` before it, each before 00:00 of the day (items 12, 13; R93a).
    """

    list_months: tuple[int, ...]
    reported_months: int
    registered_days: int

    def next_list(self, day: date) -> date:
        """The first day after this one on which a list comes into force (item 12)."""
        days = [date(year, month, 1) for year in (day.year, day.year + 1) for month in self.list_months]
        return min(list_day for list_day in days if list_day > day)

    def previous_list(self, day: date) -> date:
        """The last day before this one on which a list comes into force (item 12)."""
        days = [date(year, month, 1) for year in (day.year - 1, day.year) for month in self.list_months]
        return max(list_day for list_day in days if list_day < day)

    def reported_before(self, in_force: date) -> date:
        """The day before which the results of a list were reported (item 12, R93a)."""
        year, month = divmod(12 * in_force.year + in_force.month - 1 - self.reported_months, 12)
        return date(year, month + 1, 1)

    def registered_before(self, in_force: date) -> date:
        """The day before which the results of a list by post or e-mail were registered (item 13, R93a)."""
        return in_force - timedelta(days=self.registered_days)

    def list_of(self, reported: date, registered: date | None = None) -> date:
        """The day of the first list on which results count; `registered` is None for a server (items 12, 13; R93a)."""
        in_force = self.next_list(reported)
        while reported >= self.reported_before(in_force) or (
            registered is not None and registered >= self.registered_before(in_force)
        ):
            in_force = self.next_list(in_force)
        return in_force


ICCF_2009 = IccfEdition(
    in_force_from=date(2009, 1, 1),
    report_days=None,  # A report that comes later counts on a later list.
    announcement_days=None,
    list_months=(1, 4, 7, 10),
    reported_months=1,
    registered_days=14,
)
EDITIONS = (ICCF_2009,)
"""All editions held, the oldest first."""
