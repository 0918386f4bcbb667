"""What is done with a draft: its questions answered, calculated again, approved, released."""

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
from ratings.office.selectors.drafts import Standing
from ratings.office.selectors.period_status import board_of
from ratings.office.selectors.periods_in_work import Board, Stage
from ratings.office.views.office import (
    against,
    anomalies_context,
    answer_form,
    calculate_form,
    of_list,
    office_page,
    period_or_404,
    period_page,
    sign_off_context,
)
from ratings.policies import may_run_period
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list
from ratings.production.publish_list import release_list
from ratings.production.request_calculation import calculate_again
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.models import Role, User
from reporting.policies import require_role
from reporting.web.access import actor, refusal_of, status_of
from reporting.web.http_cache import fragment_asked

LIST_CHANGED = DomainError("list_changed")
UNREADABLE = DomainError("unreadable.list_unknown")


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
            refusal = refusal_of(error)
            form.add_error("text", refusal.message)
            status = status_of(refusal)
    typed: dict[int, BaseForm] = {} if status == HTTPStatus.OK else {asked.pk: form}
    if fragment_asked(request) == f"question-{asked.pk}":
        return question_fragment(request, asked, typed, status)
    if status != HTTPStatus.OK:
        return period_page(request, found, status=status, typed=typed)
    messages.success(request, "Your answer is kept.")
    response = redirect("office-list", pool, in_force)
    response["Location"] += "#anomalies"
    return response


def question_fragment(
    request: HttpRequest, asked: Anomaly, typed: dict[int, BaseForm], status: int
) -> HttpResponse:
    assert asked.list.period is not None  # noqa: S101 (an opening list asks nothing)
    (standing,) = selectors.standings_of([asked.list.period])
    context = {**sign_off_context(request, standing, asked.list), **anomalies_context(asked.list, typed)}
    context["question"], context["form"] = next(
        each for each in context["questions"] if each[0].anomaly.pk == asked.pk
    )
    return render(request, "office/period.html#answered", context, status=status)


@office_page("POST")
def calculate(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Ask for the calculation once more; where there is a draft, with a reason."""
    found = period_or_404(pool, in_force)
    form = calculate_form(request.POST)
    if not form.is_valid() and current_draft(found) is not None:
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, calculate_again=form)
    try:
        calculate_again(period=found, reason=form.cleaned_data.get("reason", ""), by=actor(request))
    except (DomainError, OperationalError) as error:
        refusal = refusal_of(error)
        return period_page(request, found, status=status_of(refusal), refusal=refusal, calculate_again=form)
    messages.success(request, "The calculation is asked for.")
    return redirect("office-list", pool, in_force)


@office_page("GET", "HEAD", "POST")
@step_up(of_list("approve {}"))
def approve(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The first signature, under the figures that were on the page."""
    may_run_period(cast(User, request.user))
    found = period_or_404(pool, in_force)
    return sign_page(
        request, found, "approve", approve_list, lambda _: "Approved. Another person releases the list."
    )


@office_page("GET", "HEAD", "POST")
@step_up(of_list("publish {}"))
def release(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The second signature: the list is published."""
    require_role(cast(User, request.user), Role.RELEASING_OFFICER)
    found = period_or_404(pool, in_force)
    return sign_page(
        request,
        found,
        "release",
        release_list,
        lambda released: f"Published: the list of {released.in_force}, revision {released.revision}.",
    )


def sign_page(
    request: HttpRequest,
    found: Period,
    act: str,
    sign: Callable[..., RatingList],
    told: Callable[[RatingList], str],
) -> HttpResponse:
    """What is about to be signed; then the signature, under the digest of that page.

    A draft that was replaced since the reader opened its page is not shown in the place of the one that was read.
    """
    posted = request.method == "POST"
    form = SignForm(request.POST if posted else None)
    if posted and not form.is_valid():
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, refusal=UNREADABLE)
    try:
        if posted:
            rating_list = sign(
                rating_list=current_list(found.pk), sha256=form.cleaned_data["sha256"], by=actor(request)
            )
            messages.success(request, told(rating_list))
            return redirect("office-list", found.pool.code, found.in_force)
        (standing,) = selectors.standings_of([found])
        draft = standing.draft
        if draft is None:
            raise DomainError("wrong_state.no_draft")
        read = request.GET.get("sha256") or draft.sha256
        if read != draft.sha256:
            raise LIST_CHANGED
    except (DomainError, OperationalError) as error:
        refusal = refusal_of(error)
        return period_page(request, found, status=status_of(refusal), refusal=refusal)
    form.fields["sha256"].initial = draft.sha256
    context = {**sign_context(request, standing, draft), "act": act, "form": form}
    context["why_not"] = context[f"why_not_{act}"]
    return render(request, "office/sign.html", context)


def sign_context(request: HttpRequest, standing: Standing, draft: RatingList) -> dict[str, Any]:
    """What is looked at before signing: figures, changes, what is excluded and why, reports that never came."""
    board = board_of(standing.period)
    announced = board.of_stage(Stage.ANNOUNCED)
    return {
        **sign_off_context(request, standing, draft),
        "comparison": against(draft.previous, ComparedColumns.of_list(draft)),
        "previous": draft.previous,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        "answers": draft.anomalies.filter(answers__isnull=False).distinct().count(),
        "excluded": Board([line for line in board.lines if not line.counted and line not in announced]),
        "announced": Board(announced),
    }


def current_draft(period: Period) -> RatingList | None:
    (standing,) = selectors.standings_of([period])
    return standing.draft


def current_list(period_id: int) -> RatingList:
    """The draft of a period, or its published list where there is none. Raises DomainError `list_changed`."""
    lists = RatingList.objects.filter(period=period_id).exclude(state=RatingList.State.SUPERSEDED)
    found = lists.order_by("-revision", "-pk").first()
    if found is None:
        raise LIST_CHANGED
    return found
