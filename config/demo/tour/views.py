"""/demo/: the seven steps, the change of person at a click, the report file to upload, and a comparison of rules.

Only routed under DEMO=1.
"""

from datetime import date
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST

from config.demo.accounts import ACCOUNTS, DEMO_PASSWORD, account_of
from config.demo.federation import WALK_ENDED, build_federation
from config.demo.records import DemoReport
from config.demo.tour.steps import POOL, StepKey, Tour, read_tour
from ratings.office.selectors.first_steps import StepState
from ratings.publishing.verification.verify_lists import verify_list
from reporting.federations.registry import report_rules
from reporting.models import Role

SEED = 1
"""Of the demonstration that `manage.py demo` loads."""
COMPARISON = {"pool": POOL, "lists": "3", "with": "iccf"}
"""What the page compares at a click: the three newest lists, at first all of the season but the opening list."""


class StepForm(forms.Form):
    """The step whose button was pressed."""

    step = forms.ChoiceField(choices=StepKey.choices)


@login_not_required
def tour(request: HttpRequest) -> HttpResponse:
    """The seven steps; a button logs in as the person of its step and opens the page of that step."""
    if request.method not in {"GET", "HEAD", "POST"}:
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    found = read_tour()
    response = take_step(request, found) if request.method == "POST" and found else show(request, found)
    patch_cache_control(response, private=True, no_store=True)
    return response


def show(request: HttpRequest, found: Tour | None, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    _, officer = ACCOUNTS[Role.RATING_OFFICER]
    other = report_rules(COMPARISON["with"]).name
    context: dict[str, Any] = {"tour": found, "password": DEMO_PASSWORD, "officer": officer, "other": other}
    if found and found.steps[-1].state is StepState.DONE and found.published:
        context["verified"] = verify_list(found.published)
    return render(request, "demo/tour.html", context, status=status)


def take_step(request: HttpRequest, found: Tour) -> HttpResponse:
    """Log in as the person of a step, or out for the last one, and go to its page. The security log has both."""
    form = StepForm(request.POST)
    step = next(
        (step for step in found.steps if form.is_valid() and step.key == form.cleaned_data["step"]), None
    )
    if step is None or step.state is StepState.LATER or not step.page:
        return show(request, found, HTTPStatus.CONFLICT)
    change_person(request, step.role)
    return redirect(step.page)


def change_person(request: HttpRequest, role: Role | None) -> None:
    """Log out, and in as the person with the role, if any."""
    if request.user.is_authenticated:
        get_adapter().logout(request)
    if role is not None:
        get_adapter().login(request, account_of(role).user)


@login_not_required
@require_POST
def comparison(request: HttpRequest) -> HttpResponse:
    """Log in as the rating officer and compare the lists of the season with those by the rules of another pool."""
    if read_tour() is None:
        raise Http404("A demonstration that was started empty has no lists to compare.")
    change_person(request, Role.RATING_OFFICER)
    return redirect(f"{reverse('office-compare-rules')}?{urlencode(COMPARISON)}")


@lru_cache(maxsize=1)
def report_of(loaded_on: date) -> DemoReport:
    """The report in the demonstration that was loaded on this day: the same seed and day give the same bytes."""
    return build_federation(seed=SEED, today=loaded_on).walk


@login_not_required
def report_file(request: HttpRequest) -> HttpResponse:
    """The report file of the visitor's tournament, as the referee would have written it."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    found = read_tour()
    if found is None or found.announcement is None:
        raise Http404("A demonstration that was started empty has no tournament to report.")
    report = report_of(found.announcement.played_to + WALK_ENDED)
    return HttpResponse(
        report.content,
        content_type="text/plain; charset=us-ascii",
        headers={
            "Content-Disposition": f'attachment; filename="{report.filename}"',
            "Cache-Control": "private, no-store",
        },
    )
