"""The first page: what is in force, and what comes next."""

from dataclasses import dataclass
from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import period_of, previous_period
from ratings.selectors.first_steps import first_steps
from ratings.selectors.list_rows import leaders
from ratings.selectors.lists import newest_lists, stamp_of
from ratings.selectors.tournaments import tournament_page
from ratings.views.answers import FIVE_MINUTES, public_page

LATEST_TOURNAMENTS = 5
LEADERS, LEADERS_ALONE = 5, 10


@dataclass(frozen=True)
class RunningQuarter:
    """Where the office stands between two closing dates."""

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
    def run(self) -> int:
        """How far the bar of 246 units has run."""
        return round(246 * self.days_passed / self.days)


def running_quarter(today: date) -> RunningQuarter:
    """The period that a tournament ending today would belong to (R10)."""
    parameters = edition_in_force(today)
    period = period_of(parameters, today)
    before = previous_period(parameters, period)
    return RunningQuarter(before.closing, period.closing, period.in_force, today, parameters.report_days)


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """The newest lists with their first five, the next closing date, the latest tournaments."""
    lists = newest_lists()
    today = timezone.localdate()
    steps = [] if lists else first_steps()

    def draw() -> str:
        first = leaders(lists, LEADERS if len(lists) > 1 else LEADERS_ALONE)
        context = {
            "lists": [(each, first[each.pk]) for each in lists],
            "newest": max((each.in_force for each in lists), default=None),
            "quarter": running_quarter(today),
            "tournaments": tournament_page((), 1).tournaments[:LATEST_TOURNAMENTS],
            "first_steps": steps,
        }
        return render_to_string("ratings/home.html", context, request)

    # What is to be done first changes from minute to minute, and nobody waits for it in a cache.
    max_age = FIVE_MINUTES if lists else 0
    return public_page(request, (today, *stamp_of(lists), *steps), draw, max_age=max_age)
