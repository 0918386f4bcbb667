"""A published list is corrected, and a correction withdrawn."""

from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django.contrib import messages
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.models import Correction, Period
from ratings.office.forms import CorrectForm, WithdrawForm
from ratings.office.selectors import drafts as selectors
from ratings.office.views.office import of_list, office_page, period_or_404, period_page
from ratings.policies import check_can_run_period
from ratings.production.correct_list import correct_list, reports_to_include, withdraw_correction
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.models import User
from reporting.web.access import LARGE_FORM, actor, allow_large_body, as_refusal, refusal_status

LATER_LISTS_HELP = {
    Correction.Later.CARRY: "Later lists stay as they are. Whatever points this revision changes are put to the"
    " ratings from which the next list is calculated.",
    Correction.Later.REVISE: "Every later list is calculated anew, one after another; each revision is looked at,"
    " approved and released like this one.",
}


@allow_large_body(LARGE_FORM)
@office_page("GET", "HEAD", "POST")
@step_up(of_list("correct {}"))
def correct(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The form that asks for the next revision of a published list."""
    found = period_or_404(pool, in_force)
    check_can_run_period(cast(User, request.user))
    if found.state != Period.State.PUBLISHED:
        raise DomainError("wrong_state.not_published")
    newest = selectors.revisions_of(found)[0]
    lines, reports = selectors.manifest_of(newest), reports_to_include(newest)
    form = CorrectForm(request.POST if request.method == "POST" else None, lines=lines, reports=reports)
    refusal, status = None, HTTPStatus.OK
    if request.method == "POST" and not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    elif request.method == "POST":
        try:
            correct_list(rating_list=newest, by=actor(request), **form.cleaned_data)
        except (DomainError, OperationalError) as error:
            refusal = as_refusal(error)
            status = refusal_status(refusal)
        else:
            messages.success(request, f"Revision {newest.revision + 1} is being calculated.")
            return redirect("office-period", pool, in_force)
    context: dict[str, Any] = {
        "period": found,
        "list": newest,
        "form": form,
        "lines": lines,
        "reports": reports,
        "excluded": chosen(form, "excluded_tournaments"),
        "included": chosen(form, "included_reports"),
        "later": [
            (value, words, LATER_LISTS_HELP[Correction.Later(value)])
            for value, words in Correction.Later.choices
        ],
        "later_chosen": form["later"].value(),
        "refusal": refusal,
    }
    return render(request, "office/correct.html", context, status=status)


def chosen(form: CorrectForm, name: str) -> set[str]:
    return set(form[name].value() or ())


@office_page("POST")
@step_up(of_list("withdraw the correction of {}"))
def withdraw(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Give a correction up: the published list stands."""
    found = period_or_404(pool, in_force)
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, withdraw_form=form)
    try:
        withdraw_correction(period=found, reason=form.cleaned_data["reason"], by=actor(request))
    except (DomainError, OperationalError) as error:
        refusal = as_refusal(error)
        return period_page(
            request, found, status=refusal_status(refusal), refusal=refusal, withdraw_form=form
        )
    messages.success(request, "The correction is withdrawn; the published list stands.")
    return redirect("office-period", pool, in_force)
