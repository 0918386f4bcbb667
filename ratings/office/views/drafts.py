"""Acts on a draft: answer its anomalies, recalculate, approve, publish."""

from collections.abc import Callable
from datetime import date
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Anomaly, Period, RatingList
from ratings.office.forms import SignForm
from ratings.office.selectors import drafts as selectors
from ratings.office.selectors.comparison import ComparedColumns
from ratings.office.selectors.drafts import PeriodOverview
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import PeriodStatus, TournamentStage
from ratings.office.views.periods.office import (
    act_on_list,
    anomalies_context,
    answer_form,
    comparison_with,
    office_page,
    period_or_404,
    period_page,
    recalculate_form,
    sign_off_context,
)
from ratings.policies import check_can_run_period
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import recalculate_period
from reporting.accounts.views.step_up import step_up
from reporting.models import Role
from reporting.policies import require_role
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor
from reporting.web.attempt import Attempt
from reporting.web.http_cache import requested_fragment
from reporting.web.values import day


@office_page("POST")
def answer(request: OfficeRequest, pool: str, in_force: date, anomaly: int) -> HttpResponse:
    """An answer to an anomaly; a request of htmx gets only the anomaly and the signatures."""
    period = period_or_404(pool, in_force)
    found = selectors.find_anomaly(period, anomaly)
    if found is None:
        raise Http404("There is no such anomaly.")
    form = answer_form(found, request.POST)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            answer_anomaly(anomaly=found, text=form.cleaned_data["text"], by=actor(request))
    if attempt.refusal is not None:
        form.add_error("text", attempt.refusal.message)
    forms: dict[int, BaseForm] = {} if attempt.status == HTTPStatus.OK else {found.pk: form}
    if requested_fragment(request) == f"anomaly-{found.pk}":
        return anomaly_fragment(request, found, forms, attempt.status)
    if attempt.status != HTTPStatus.OK:
        attempt.refusal = None  # shown with the field
        return period_page(request, period, attempt, answer_forms=forms)
    messages.success(request, gettext("Answer saved."))
    response = redirect("office-period", pool, in_force)
    response["Location"] += "#anomalies"
    return response


def anomaly_fragment(
    request: OfficeRequest, anomaly: Anomaly, forms: dict[int, BaseForm], status: int
) -> HttpResponse:
    assert anomaly.list.period is not None  # noqa: S101 (an opening list has no anomalies)
    (overview,) = selectors.period_overviews([anomaly.list.period])
    context = {
        **sign_off_context(request, overview, anomaly.list),
        **anomalies_context(anomaly.list, forms),
    }
    context["question"], context["form"] = next(
        (with_answers, form)
        for with_answers, form in context["anomalies"]
        if with_answers.anomaly.pk == anomaly.pk
    )
    return render(request, "office/period.html#answered", context, status=status)


@office_page("POST")
def calculate(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """Request another calculation; where there is a draft, with a reason."""
    period = period_or_404(pool, in_force)
    form = recalculate_form(request.POST)
    attempt = Attempt(form)
    if attempt.is_valid or current_draft(period) is None:
        attempt.status = HTTPStatus.OK
        with attempt:
            reason = form.cleaned_data.get("reason", "")
            recalculate_period(period=period, reason=reason, by=actor(request))
            messages.success(request, gettext("Calculation requested."))
            return redirect("office-period", pool, in_force)
    return period_page(request, period, attempt, recalculation_form=form)


@office_page("GET", "HEAD", "POST")
@step_up(act_on_list(_("approve the list of %(day)s (%(pool)s)")))
def approve(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The first signature, for the figures on the page."""
    check_can_run_period(request.user)
    period = period_or_404(pool, in_force)
    return sign_page(
        request,
        period,
        "approve",
        approve_list,
        lambda _approved: gettext("Approved. Another person publishes the list."),
    )


@office_page("GET", "HEAD", "POST")
@step_up(act_on_list(_("publish the list of %(day)s (%(pool)s)")))
def publish(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The second signature: the list is published."""
    require_role(request.user, Role.RELEASING_OFFICER)
    period = period_or_404(pool, in_force)
    return sign_page(
        request,
        period,
        "publish",
        publish_list,
        lambda published: (
            gettext("Published: the list of %(day)s, revision %(revision)s.")
            % {"day": day(published.in_force), "revision": published.revision}
        ),
    )


def sign_page(
    request: OfficeRequest,
    period: Period,
    act: str,
    sign: Callable[..., RatingList],
    success_message: Callable[[RatingList], str],
) -> HttpResponse:
    """What is signed; then the signature, for the digest of that page.

    A draft that replaced the one of the reader's page is not shown in its place.
    """
    form = SignForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if form.is_bound and not attempt.is_valid:
        attempt.refusal = DomainError("unreadable.list_unknown")
        return period_page(request, period, attempt)
    with attempt:
        if form.is_bound:
            rating_list = sign(
                rating_list=current_list(period.pk), sha256=form.cleaned_data["sha256"], by=actor(request)
            )
            messages.success(request, success_message(rating_list))
            return redirect("office-period", period.pool.code, period.in_force)
        (overview,) = selectors.period_overviews([period])
        draft = overview.draft
        if draft is None:
            raise DomainError("wrong_state.no_draft")
        if SignForm(request.GET)["sha256"].value() not in (None, "", draft.sha256):
            raise DomainError("list_changed")
        form.fields["sha256"].initial = draft.sha256
        context = {**sign_context(request, overview, draft), "form": form}
        context["refusal_message"] = context[f"why_not_{act}"]
        return render(request, f"office/{act}.html", context)
    return period_page(request, period, attempt)


def sign_context(request: OfficeRequest, overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """What a signatory checks: figures, changes, excluded and missing reports, those of new accounts, own merges."""
    period_status = period_status_of(overview.period)
    announced = period_status.in_stage(TournamentStage.ANNOUNCED)
    columns, correction = ComparedColumns.of_list(draft), draft.correction
    return {
        **sign_off_context(request, overview, draft),
        "comparison": comparison_with(draft.previous, columns),
        # A revision changes what its predecessor says: the person who signs sees that first.
        "of_replaced": comparison_with(correction.replaces, columns) if correction else None,
        "previous": draft.previous,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        "answers": draft.anomalies.filter(answers__isnull=False).distinct().count(),
        "excluded": PeriodStatus(
            [line for line in period_status.lines if not line.is_counted and line not in announced]
        ),
        "announced": PeriodStatus(announced),
        "first_reports": selectors.first_reports_of(draft),
        "own_merges": selectors.own_merges_of(draft, draft.approved_by or request.user),
    }


def current_draft(period: Period) -> RatingList | None:
    (overview,) = selectors.period_overviews([period])
    return overview.draft


def current_list(period_id: int) -> RatingList:
    """The draft of a period, or its published list where there is none. Raises DomainError `list_changed`."""
    found = selectors.newest_list_of(period_id)
    if found is None:
        raise DomainError("list_changed")
    return found
