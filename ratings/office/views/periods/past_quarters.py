"""Past quarters: a rating officer confirms that they are calculated."""

from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.models import Pool
from ratings.office.forms import PastQuartersForm
from ratings.office.selectors.dashboard import OpenReports, open_reports_by_list
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_run_period
from ratings.production.periods.confirm_past_quarters import confirm_past_quarters
from ratings.queries import periods as selectors
from ratings.queries.lists import office_today
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest


@office_page("GET", "HEAD", "POST")
def past_quarters(request: OfficeRequest, pool: str) -> HttpResponse:
    """The past quarters of a pool without a list, with their reports, and the form that confirms them."""
    check_can_run_period(request.user)
    found = pool_or_404(pool)
    quarters = selectors.past_quarters(found, selectors.due_period(found), office_today())
    days = [quarter.in_force for quarter in quarters]
    form = PastQuartersForm(request.POST if request.method == "POST" else None, quarters=days)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            confirm_past_quarters(
                pool=found,
                in_force=form.cleaned_data["in_force"],
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(shown_digest(reports_of(found, days))),
            )
            messages.success(
                request, gettext("Confirmed. The scheduler opens these quarters one after another.")
            )
            return redirect("office-dashboard")
    elif "in_force" in form.errors:
        # Not the quarters of the form: another officer confirmed some, or another quarter is past now.
        attempt.refuse(DomainError("quarters_changed"))
    reports = reports_of(found, days)
    context = {
        "pool": found,
        "quarters": list(zip(quarters, reports, strict=True)),
        "days": days,
        "shown": shown_digest(reports),
        "form": form,
        "refusal": attempt.refusal,
    }
    return render(request, "office/past_quarters.html", context, status=attempt.status)


def reports_of(pool: Pool, days: list[date]) -> list[OpenReports]:
    """The reports that the lists of these days would count or exclude. 4 queries."""
    open_reports = open_reports_by_list()
    return [open_reports.get((pool.pk, in_force), OpenReports()) for in_force in days]
