"""Correct a published list, and withdraw the correction."""

from collections.abc import Iterable
from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Period, PeriodReport, RatingList
from ratings.office.forms import CorrectForm, WithdrawForm
from ratings.office.selectors import drafts as selectors
from ratings.office.views.periods.office import (
    act_on_list,
    office_page,
    period_or_404,
    period_page,
    shown_correction,
)
from ratings.policies import check_can_run_period
from ratings.production.correct_list import choices_for_later_lists, correct_list, withdraw_correction
from ratings.queries.counted_results import reports_to_include
from reporting.accounts.views.step_up import step_up
from reporting.models import Report
from reporting.refusals.domain_error import DomainError
from reporting.web.access import LARGE_FORM, OfficeRequest, actor, allow_large_body
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest


@allow_large_body(LARGE_FORM)
@office_page("GET", "HEAD", "POST")
@step_up(act_on_list(_("correct the list of %(day)s (%(pool)s)")))
def correct(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The form that requests the next revision of a published list."""
    period = period_or_404(pool, in_force)
    check_can_run_period(request.user)
    if period.state != Period.State.PUBLISHED:
        raise DomainError("wrong_state.not_published")
    newest = selectors.revisions_of(period)[0]
    lines, reports = selectors.manifest_of(newest), reports_to_include(newest)
    later = choices_for_later_lists(newest)
    form = CorrectForm(
        request.POST if request.method == "POST" else None, lines=lines, reports=reports, later=later
    )
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            correct_list(
                rating_list=newest,
                reason=form.cleaned_data["reason"],
                later=form.cleaned_data["later"],
                excluded_tournaments=form.cleaned_data["excluded_tournaments"],
                included_reports=form.cleaned_data["included_reports"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(
                    offered(newest, selectors.manifest_of(newest), reports_to_include(newest))
                ),
            )
            revision = newest.revision + 1
            messages.success(
                request, gettext("Revision %(revision)s is being calculated.") % {"revision": revision}
            )
            return redirect("office-period", pool, in_force)
    context = {
        "period": period,
        "list": newest,
        "form": form,
        "lines": lines,
        "reports": reports,
        "excluded": chosen(form, "excluded_tournaments"),
        "included": chosen(form, "included_reports"),
        "later": later,
        "later_chosen": form["later"].value(),
        "shown": offered(newest, lines, reports),
        "refusal": attempt.refusal,
    }
    return render(request, "office/correct.html", context, status=attempt.status)


def offered(newest: RatingList, lines: Iterable[PeriodReport], reports: Iterable[Report]) -> str:
    """A digest of the revision that is corrected, and of what the next one can exclude and include."""
    return shown_digest(
        newest.pk,
        sorted((line.result_set_id, line.version_id) for line in lines),
        sorted((report.pk, report.accepted_version_id) for report in reports),
    )


def chosen(form: CorrectForm, name: str) -> set[str]:
    return set(form[name].value() or ())


@office_page("POST")
@step_up(act_on_list(_("withdraw the correction of the list of %(day)s (%(pool)s)")))
def withdraw(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """Withdraw a correction: the published list does not change."""
    period = period_or_404(pool, in_force)
    form = WithdrawForm(request.POST)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            withdraw_correction(
                period=period,
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(shown_correction(period)),
            )
            messages.success(request, gettext("Correction withdrawn. The published list does not change."))
            return redirect("office-period", pool, in_force)
    return period_page(request, period, attempt, withdraw_form=form)
