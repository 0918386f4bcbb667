"""The page of a period: what it has in hand, for whom it waits, and what the draft says."""

from collections.abc import Callable, Mapping
from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django.contrib import messages
from django.db import OperationalError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.models import Anomaly, Period, RatingList
from ratings.office.forms import AnswerForm, CalculateForm, FreezeForm, WithdrawForm
from ratings.office.selectors import drafts as selectors
from ratings.office.selectors.comparison import ComparedColumns, Comparison, compared, differences
from ratings.office.selectors.drafts import Standing
from ratings.office.selectors.periods_in_work import Board
from ratings.office.views.period_status import board_context
from ratings.policies import may_approve, may_release, may_run_period, may_see_drafts
from ratings.production.approve_list import refuse_stale
from ratings.production.freeze_period import freeze_and_calculate
from ratings.worker.progress import STAGES, StageProgress, progress_of
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.messages.notifications import day_words
from reporting.models import Role, User
from reporting.web.access import View, actor, guarded_page, refusal_of, status_of, why_not
from reporting.web.http_cache import fragment_asked

WORKER_STAGES = STAGES[: STAGES.index("attach") + 1]
CHANGED_ROWS = 10


def office_page(*methods: str) -> Callable[[View], View]:
    """A page of the office, for those who may see drafts; see `guarded_page`."""
    return guarded_page(may_see_drafts, *methods)


def period_or_404(pool: str, in_force: date) -> Period:
    try:
        return selectors.find_period(pool, in_force)
    except Period.DoesNotExist:
        raise Http404("The office has no such period.") from None


def of_list(words: str) -> Callable[..., str]:
    """An act of the office in words, with its list in the place of `{}`."""

    def act(_: HttpRequest, pool: str, in_force: date) -> str:
        found = period_or_404(pool, in_force)
        return words.format(f"the list of {day_words(found.in_force)} ({found.pool.name})")

    return act


@office_page("GET", "HEAD")
def period(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """A period in its state: reports while it is open, the calculation's progress, the draft, what is published."""
    found = period_or_404(pool, in_force)
    if fragment_asked(request) == "progress":
        return progress_fragment(request, found)
    return period_page(request, found)


def progress_fragment(request: HttpRequest, found: Period) -> HttpResponse:
    """The progress alone; once there is something else to see, the whole page is asked for."""
    (standing,) = selectors.standings_of([found])
    context = progress_context(standing)
    response = render(request, "office/period.html#progress", context)
    if not standing.waits_for_worker:
        response["HX-Refresh"] = "true"
    return response


def period_page(
    request: HttpRequest,
    found: Period,
    *,
    status: int = HTTPStatus.OK,
    refusal: DomainError | None = None,
    typed: Mapping[int, BaseForm] | None = None,
    withdraw_form: WithdrawForm | None = None,
    calculate_again: CalculateForm | None = None,
) -> HttpResponse:
    """The page of a period; after a refused act with its sentence and what was typed (`typed`: by anomaly)."""
    if refusal is not None:
        found.refresh_from_db()  # somebody else was first
    (standing,) = selectors.standings_of([found])
    context: dict[str, Any] = {
        **progress_context(standing),
        "refusal": refusal,
        "officer": not why_not(may_run_period, request.user),
        "why_not_officer": why_not(may_run_period, request.user),
    }
    context |= board_context(request, found)
    if found.state == Period.State.PUBLISHED:
        context["revisions"] = selectors.revisions_of(found)
    elif standing.draft is not None:
        context |= draft_context(request, standing, standing.draft, typed or {})
    if calculate_again is not None:
        context["calculate_form"] = calculate_again
    if found.state == Period.State.CORRECTING:
        context["withdraw_form"] = withdraw_form or WithdrawForm()
    return render(request, "office/period.html", context, status=status)


def progress_context(standing: Standing) -> dict[str, Any]:
    told = progress_of(standing.run) if standing.run and standing.calculating else []
    by_name = {each.stage: each for each in told}
    return {
        "period": standing.period,
        "standing": standing,
        "stages": [by_name.get(name, StageProgress(name, 0, None)) for name in WORKER_STAGES],
        "under_way": next((each for each in told if not each.ended), None),
    }


def draft_context(
    request: HttpRequest, standing: Standing, draft: RatingList, typed: Mapping[int, BaseForm]
) -> dict[str, Any]:
    """Everything a person looks at before he signs."""
    now = ComparedColumns.of_list(draft)
    return {
        **sign_off_context(request, standing, draft),
        **anomalies_context(draft, typed),
        "comparison": against(draft.previous, now),
        "replaced": against(draft.correction.replaces, now) if draft.correction else None,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        **recalculated_context(standing, draft),
    }


def recalculated_context(standing: Standing, draft: RatingList) -> dict[str, Any]:
    """What is different from the draft that this one took the place of: the first rows, and how many there are."""
    recalculated = selectors.recalculated(draft, standing.run)
    if recalculated is None:
        return {}
    page = differences(draft, recalculated.before, show="all", sort="-change", page=1)
    return {"recalculated": recalculated, "changed": page, "changed_rows": page.rows[:CHANGED_ROWS]}


def against(other: RatingList | None, now: ComparedColumns) -> Comparison | None:
    return compared(now, ComparedColumns.of_list(other)) if other else None


def anomalies_context(draft: RatingList, typed: Mapping[int, BaseForm]) -> dict[str, Any]:
    """The questions about a draft, the open ones first, each with its form."""
    questions = selectors.questions_of(draft)
    answered = sum(bool(each.answers) for each in questions)
    return {
        "draft": draft,
        "questions": [(each, typed.get(each.anomaly.pk) or answer_form(each.anomaly)) for each in questions],
        "open_anomalies": len(questions) - answered,
        "answered_anomalies": answered,
        "answers_open": draft.state in {RatingList.State.CALCULATED, RatingList.State.READY},
    }


def answer_form(anomaly: Anomaly, data: Any = None) -> AnswerForm:
    """Its fields have names of their own on the page, and the plain one `text` in what is sent."""
    return AnswerForm(data, auto_id=f"id_%s_{anomaly.pk}")


def calculate_form(data: Any = None) -> CalculateForm:
    """Its field has a name of its own beside the other reasons of the page."""
    return CalculateForm(data, auto_id="id_calculate_%s")


def sign_off_context(request: HttpRequest, standing: Standing, draft: RatingList) -> dict[str, Any]:
    """Who may sign, and why not yet: one sentence for the person who looks, empty when he may."""
    officers = selectors.people_with(Role.RATING_OFFICER)
    releasers = [
        each for each in selectors.people_with(Role.RELEASING_OFFICER) if each.pk != draft.approved_by_id
    ]
    if draft.state != RatingList.State.READY:
        why_not_approve = "The worker has not opened it for approval yet."
    else:
        why_not_approve = (
            why_not(may_approve, request.user, draft)
            or unanswered(draft.anomalies.filter(answers=None).count())
            or why_not(refuse_stale, draft)
        )
    if draft.state != RatingList.State.APPROVED:
        why_not_release = "Opens after the approval; who approves cannot release."
    else:
        why_not_release = why_not(may_release, request.user, draft) or why_not(refuse_stale, draft)
    return {
        "draft": draft,
        "standing": standing,
        "period": standing.period,
        "calculate_form": calculate_form(),
        "officers": officers,
        "releasers": releasers,
        "why_not_approve": why_not_approve,
        "why_not_release": why_not_release,
        "why_not_officer": why_not(may_run_period, request.user),
        "officer": not why_not(may_run_period, request.user),
    }


def unanswered(count: int) -> str:
    if not count:
        return ""
    return "1 question has no answer yet." if count == 1 else f"{count} questions have no answer yet."


# --- freezing by hand


@office_page("GET", "HEAD", "POST")
@step_up(of_list("freeze the period of {}"))
def freeze(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The reports that a freeze now would count and leave out, and the form that does it."""
    found = period_or_404(pool, in_force)
    may_run_period(cast(User, request.user))
    if found.state != Period.State.OPEN:
        raise DomainError("wrong_state.freeze")
    context = board_context(request, found)
    board: Board = context["board"]
    left_out = len(board.waiting)
    form = FreezeForm(request.POST if request.method == "POST" else None, left_out=left_out)
    refusal = None
    status = HTTPStatus.OK
    if request.method == "POST" and not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    elif request.method == "POST":
        try:
            freeze_and_calculate(period=found, reason=form.cleaned_data["reason"], by=actor(request))
        except (DomainError, OperationalError) as error:
            refusal = refusal_of(error)
            status = status_of(refusal)
        else:
            messages.success(request, f"Frozen with {counted_reports(found.manifest.count())}.")
            return redirect("office-list", pool, in_force)
    context |= {
        "period": found,
        "form": form,
        "left_out": left_out,
        "refusal": refusal,
        "waiting": Board(board.waiting),
    }
    return render(request, "office/freeze.html", context, status=status)


def counted_reports(count: int) -> str:
    return "1 report" if count == 1 else f"{count} reports"
