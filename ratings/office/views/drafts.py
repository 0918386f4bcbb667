"""What is done with a draft: its anomalies answered, calculated again, approved, released."""

from collections.abc import Callable
from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django.contrib import messages
from django.db import OperationalError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.models import Anomaly, Period, RatingList
from ratings.office.forms import SignForm
from ratings.office.selectors import drafts as selectors
from ratings.office.selectors.comparison import ComparedColumns
from ratings.office.selectors.drafts import PeriodOverview
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import PeriodStatus, TournamentStage
from ratings.office.views.office import (
    anomalies_context,
    answer_form,
    comparison_with,
    of_list,
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
from reporting.errors import DomainError
from reporting.models import Role, User
from reporting.policies import require_role
from reporting.web.access import actor, as_refusal, refusal_status
from reporting.web.http_cache import requested_fragment

LIST_CHANGED = DomainError("list_changed")
INVALID_SIGN_FORM = DomainError("unreadable.list_unknown")


@office_page("POST")
def answer(request: HttpRequest, pool: str, in_force: date, anomaly: int) -> HttpResponse:
    """A word to one question of the draft; by htmx only the question and the signatures come back."""
    found = period_or_404(pool, in_force)
    asked = Anomaly.objects.filter(pk=anomaly, list__period=found).select_related("list").first()
    if asked is None:
        raise Http404("There is no such question.")
    form = answer_form(asked, request.POST)
    status = HTTPStatus.OK
    if not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    else:
        try:
            answer_anomaly(anomaly=asked, text=form.cleaned_data["text"], by=actor(request))
        except (DomainError, OperationalError) as error:
            refusal = as_refusal(error)
            form.add_error("text", refusal.message)
            status = refusal_status(refusal)
    typed: dict[int, BaseForm] = {} if status == HTTPStatus.OK else {asked.pk: form}
    if requested_fragment(request) == f"question-{asked.pk}":
        return anomaly_fragment(request, asked, typed, status)
    if status != HTTPStatus.OK:
        return period_page(request, found, status=status, typed=typed)
    messages.success(request, "Your answer is kept.")
    response = redirect("office-period", pool, in_force)
    response["Location"] += "#anomalies"
    return response


def anomaly_fragment(
    request: HttpRequest, asked: Anomaly, typed: dict[int, BaseForm], status: int
) -> HttpResponse:
    assert asked.list.period is not None  # noqa: S101 (an opening list asks nothing)
    (overview,) = selectors.period_overviews([asked.list.period])
    context = {**sign_off_context(request, overview, asked.list), **anomalies_context(asked.list, typed)}
    context["question"], context["form"] = next(
        each for each in context["anomalies"] if each[0].anomaly.pk == asked.pk
    )
    return render(request, "office/period.html#answered", context, status=status)


@office_page("POST")
def calculate(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Ask for the calculation once more; where there is a draft, with a reason."""
    found = period_or_404(pool, in_force)
    form = recalculate_form(request.POST)
    if not form.is_valid() and current_draft(found) is not None:
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, recalculate_period=form)
    try:
        recalculate_period(period=found, reason=form.cleaned_data.get("reason", ""), by=actor(request))
    except (DomainError, OperationalError) as error:
        refusal = as_refusal(error)
        return period_page(
            request, found, status=refusal_status(refusal), refusal=refusal, recalculate_period=form
        )
    messages.success(request, "The calculation is asked for.")
    return redirect("office-period", pool, in_force)


@office_page("GET", "HEAD", "POST")
@step_up(of_list("approve {}"))
def approve(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The first signature, under the figures that were on the page."""
    check_can_run_period(cast(User, request.user))
    found = period_or_404(pool, in_force)
    return sign_page(
        request, found, "approve", approve_list, lambda _: "Approved. Another person releases the list."
    )


@office_page("GET", "HEAD", "POST")
@step_up(of_list("publish {}"))
def publish(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The second signature: the list is published."""
    require_role(cast(User, request.user), Role.RELEASING_OFFICER)
    found = period_or_404(pool, in_force)
    return sign_page(
        request,
        found,
        "publish",
        publish_list,
        lambda released: f"Published: the list of {released.in_force}, revision {released.revision}.",
    )


def sign_page(
    request: HttpRequest,
    found: Period,
    act: str,
    sign: Callable[..., RatingList],
    success_message: Callable[[RatingList], str],
) -> HttpResponse:
    """What is about to be signed; then the signature, under the digest of that page.

    A draft that was replaced since the reader opened its page is not shown in the place of the one that was read.
    """
    posted = request.method == "POST"
    form = SignForm(request.POST if posted else None)
    if posted and not form.is_valid():
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, refusal=INVALID_SIGN_FORM)
    try:
        if posted:
            rating_list = sign(
                rating_list=current_list(found.pk), sha256=form.cleaned_data["sha256"], by=actor(request)
            )
            messages.success(request, success_message(rating_list))
            return redirect("office-period", found.pool.code, found.in_force)
        (overview,) = selectors.period_overviews([found])
        draft = overview.draft
        if draft is None:
            raise DomainError("wrong_state.no_draft")
        read = request.GET.get("sha256") or draft.sha256
        if read != draft.sha256:
            raise LIST_CHANGED
    except (DomainError, OperationalError) as error:
        refusal = as_refusal(error)
        return period_page(request, found, status=refusal_status(refusal), refusal=refusal)
    form.fields["sha256"].initial = draft.sha256
    context = {**sign_context(request, overview, draft), "act": act, "form": form}
    context["refusal_message"] = context[f"why_not_{act}"]
    return render(request, "office/sign.html", context)


def sign_context(request: HttpRequest, overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """What is looked at before signing: figures, changes, what is excluded and why, reports that never came."""
    period_status = period_status_of(overview.period)
    announced = period_status.in_stage(TournamentStage.ANNOUNCED)
    return {
        **sign_off_context(request, overview, draft),
        "comparison": comparison_with(draft.previous, ComparedColumns.of_list(draft)),
        "previous": draft.previous,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        "answers": draft.anomalies.filter(answers__isnull=False).distinct().count(),
        "excluded": PeriodStatus(
            [line for line in period_status.lines if not line.is_counted and line not in announced]
        ),
        "announced": PeriodStatus(announced),
    }


def current_draft(period: Period) -> RatingList | None:
    (overview,) = selectors.period_overviews([period])
    return overview.draft


def current_list(period_id: int) -> RatingList:
    """The draft of a period, or its published list where there is none. Raises DomainError `list_changed`."""
    lists = RatingList.objects.filter(period=period_id).exclude(state=RatingList.State.SUPERSEDED)
    found = lists.order_by("-revision", "-pk").first()
    if found is None:
        raise LIST_CHANGED
    return found
