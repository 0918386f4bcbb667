"""The dates of the next list of a pool, where the office chooses them."""

from datetime import date, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.federations.registry import edition_in_force
from ratings.models import Pool
from ratings.office.forms import DatesForm
from ratings.office.selectors.forecast import next_list
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_run_period
from ratings.production.periods.choose_dates import choose_dates, dated_period
from ratings.queries.lists import newest_lists, office_today, published
from ratings.queries.periods import open_chosen_periods
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest


@office_page("GET", "HEAD", "POST")
def dates(request: OfficeRequest, pool: str) -> HttpResponse:
    """The form that opens the next period, or changes the dates of the open one, and what its list would count.

    Proposed is the list of the first of next month. The button "Show what counts" sends the form and opens nothing.
    """
    check_can_run_period(request.user)
    found = pool_or_404(pool)
    if found.rating_system.calendar is not None:
        raise DomainError("dates_by_calendar", system=found.report_rules.name)
    opened = open_chosen_periods([found]).get(found.pk)
    newest = next((newest for newest in newest_lists() if newest.pool_id == found.pk), None)
    in_force = opened.in_force if opened else first_of_next_month(newest.in_force if newest else None)
    shown = {"closing": opened.closing if opened else in_force - timedelta(days=1), "in_force": in_force}
    form = DatesForm(request.POST if request.method == "POST" else None, initial=shown)
    attempt = Attempt(form)
    if attempt.is_valid:
        shown = {name: form.cleaned_data[name] for name in shown}
    coming = None
    if not form.is_bound or (attempt.is_valid and form.cleaned_data["show"]):
        with attempt:
            coming = next_list(dated_period(found, **shown))
    elif attempt.is_valid:
        with attempt:
            period = choose_dates(
                pool=found,
                **shown,
                by=actor(request),
                unchanged=lambda: form.refuse_changed(shown_dates(found)),
            )
            messages.success(request, gettext("Dates saved."))
            return redirect("office-period", found.code, period.in_force)
    context = {
        "pool": found,
        "opened": opened,
        "newest": newest,
        "coming": coming,
        "freeze_days": edition_in_force(found.rating_system, office_today()).freeze_days,
        "form": form,
        "shown": shown_dates(found),
        "refusal": attempt.refusal,
    }
    return render(request, "office/dates.html", context, status=attempt.status if form.is_bound else 200)


def first_of_next_month(newest: date | None) -> date:
    """The first of the month after today, or after the newest list where that is later."""
    day = max(office_today(), newest or date.min)
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def shown_dates(pool: Pool) -> str:
    """A digest of the dates of the open period, and of the newest list, after which they must be. 2 queries."""
    opened = open_chosen_periods([pool]).get(pool.pk)
    newest = published().filter(pool=pool).order_by("in_force", "revision")
    return shown_digest(opened and (opened.closing, opened.in_force), newest.values_list("pk").last())
