"""The home page: the lists in force, and what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.office.selectors.first_steps import first_steps
from ratings.office.selectors.periods.periods import ClosedList, first_open_period, last_closed_lists
from ratings.published.selectors.list_rows import leaders
from ratings.published.selectors.lists import lists_of_today, office_today
from ratings.published.selectors.tournaments import tournament_page
from ratings.systems.registry import rating_system, rating_systems
from reporting.web.http_cache import FIVE_MINUTES, public_page

LATEST_TOURNAMENTS = 5
LEADERS, LEADERS_ALONE = 5, 10


@dataclass(frozen=True)
class RunningQuarter:
    """The time between two closing dates, and today in it."""

    since: date
    closing: date
    in_force: date
    today: date
    report_days: int

    @property
    def days(self) -> int:
        return (self.closing - self.since).days

    @property
    def days_left(self) -> int:
        return (self.closing - self.today).days

    @property
    def days_passed(self) -> int:
        return (self.today - self.since).days

    @property
    def bar_width(self) -> int:
        """The width of the days passed, of the 246 units of the bar."""
        return round(246 * self.days_passed / self.days)


def running_quarter(today: date, closed: Mapping[int, ClosedList]) -> RunningQuarter:
    """The period in which a tournament that ends today counts (R10): its own, or the next one where that is frozen.

    `closed` is the last closed list of each pool with a list. Of several pools, the period that closes first.
    """
    quarters = []
    for last in closed.values():
        calendar = rating_system(last.system).calendar
        quarters.append((first_open_period(calendar, calendar.period_of(today), last.in_force), last))
    if not quarters:
        system = rating_systems()[0]
        period = system.calendar.period_of(today)
        since = system.calendar.previous_period(period).closing
    else:
        period, last = min(quarters, key=lambda quarter: quarter[0].closing)
        system = rating_system(last.system)
        before = system.calendar.previous_period(period)
        # The demonstration freezes early.
        since = last.closing if last.closing and last.in_force == before.in_force else before.closing
    return RunningQuarter(since, period.closing, period.in_force, today, system.rules_on(today).report_days)


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """The lists in force with their leaders, upcoming lists, the next closing date, the latest tournaments."""
    lists = lists_of_today()
    today = office_today()
    closed = last_closed_lists([*lists.in_force, *lists.upcoming])
    published = bool(lists.shown)
    steps = [] if published else first_steps()

    def render_page() -> str:
        first = leaders(lists.in_force, LEADERS if len(lists.in_force) > 1 else LEADERS_ALONE)
        context = {
            "lists": [(rating_list, first[rating_list.pk]) for rating_list in lists.in_force],
            "upcoming": lists.upcoming,
            "newest": max((found.in_force for found in lists.in_force), default=None),
            "quarter": running_quarter(today, closed),
            "tournaments": tournament_page((), 1).tournaments[:LATEST_TOURNAMENTS],
            "first_steps": steps,
            "systems": rating_systems(),
        }
        return render_to_string("ratings/home.html", context, request)

    # The first steps change from minute to minute: they are not cached.
    max_age = FIVE_MINUTES if published else 0
    stamp = (today, *lists.stamp, *sorted(closed.items()), *steps)
    return public_page(request, stamp, render_page, max_age=max_age)
