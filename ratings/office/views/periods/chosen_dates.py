"""The dates of the next list of a pool, where the office chooses them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.federations.registry import edition_in_force
from ratings.models import Pool
from ratings.office.forms import DatesForm
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_run_period
from ratings.production.periods.choose_dates import choose_dates
from ratings.queries.lists import newest_lists, office_today, published
from ratings.queries.periods import open_chosen_periods
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest


@office_page("GET", "HEAD", "POST")
def dates(request: OfficeRequest, pool: str) -> HttpResponse:
    """The form that opens the next period, or changes the dates of the open one."""
    check_can_run_period(request.user)
    found = pool_or_404(pool)
    if found.rating_system.calendar is not None:
        raise DomainError("dates_by_calendar", system=found.report_rules.name)
    opened = open_chosen_periods([found]).get(found.pk)
    initial = {"closing": opened.closing, "in_force": opened.in_force} if opened else {}
    form = DatesForm(request.POST if request.method == "POST" else None, initial=initial)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            period = choose_dates(
                pool=found,
                closing=form.cleaned_data["closing"],
                in_force=form.cleaned_data["in_force"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(shown_dates(found)),
            )
            messages.success(request, gettext("Dates saved."))
            return redirect("office-period", found.code, period.in_force)
    context = {
        "pool": found,
        "opened": opened,
        "newest": next((newest for newest in newest_lists() if newest.pool_id == found.pk), None),
        "freeze_days": edition_in_force(found.rating_system, office_today()).freeze_days,
        "form": form,
        "shown": shown_dates(found),
        "refusal": attempt.refusal,
    }
    return render(request, "office/dates.html", context, status=attempt.status)


def shown_dates(pool: Pool) -> str:
    """A digest of the dates of the open period, and of the newest list, after which they must be. 2 queries."""
    opened = open_chosen_periods([pool]).get(pool.pk)
    newest = published().filter(pool=pool).order_by("in_force", "revision")
    return shown_digest(opened and (opened.closing, opened.in_force), newest.values_list("pk").last())
