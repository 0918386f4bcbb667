"""Quarters that were over before anybody opened them: a rating officer confirms that they are calculated."""

from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.models import Pool
from ratings.office.forms import PastQuartersForm
from ratings.office.selectors import periods as selectors
from ratings.office.selectors.dashboard import OpenReports, open_reports_by_list
from ratings.office.views.office import office_page
from ratings.policies import check_can_run_period
from ratings.production.confirm_past_quarters import confirm_past_quarters
from ratings.published.selectors.lists import office_today
from reporting.errors import DomainError
from reporting.models import User
from reporting.web.access import actor, as_refusal, refusal_status

QUARTERS_CHANGED = "These quarters have changed since you looked at them. Look again."


@office_page("GET", "HEAD", "POST")
def past_quarters(request: HttpRequest, pool: str) -> HttpResponse:
    """The past quarters of a pool that no list covers, with their reports, and the form that confirms them."""
    check_can_run_period(cast(User, request.user))
    found = Pool.objects.filter(code=pool).first()
    if found is None:
        raise Http404("There is no such pool.")
    quarters = selectors.past_quarters(found, selectors.due_period(found), office_today())
    days = [each.in_force for each in quarters]
    form = PastQuartersForm(request.POST if request.method == "POST" else None, quarters=days)
    refused, status = "", HTTPStatus.OK
    if form.is_valid():
        try:
            confirm_past_quarters(pool=found, by=actor(request), **form.cleaned_data)
        except (DomainError, OperationalError) as error:
            refusal = as_refusal(error)
            refused, status = refusal.message, refusal_status(refusal)
        else:
            messages.success(request, "Confirmed. The scheduler opens these quarters one after another.")
            return redirect("office-dashboard")
    elif form.is_bound:
        # Other quarters than those of the form: somebody else was first, or another one has become past.
        refused = QUARTERS_CHANGED if "in_force" in form.errors else ""
        status = HTTPStatus.CONFLICT if refused else HTTPStatus.BAD_REQUEST
    in_hand = open_reports_by_list()
    context = {
        "pool": found,
        "quarters": [(each, in_hand.get((found.pk, each.in_force), OpenReports())) for each in quarters],
        "days": days,
        "form": form,
        "refused": refused,
    }
    return render(request, "office/past_quarters.html", context, status=status)
