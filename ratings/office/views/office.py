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
from ratings.office.forms import AnswerForm, FreezeForm, RecalculateForm, WithdrawForm
from ratings.office.selectors import drafts as selectors
from ratings.office.selectors.comparison import ComparedColumns, Comparison, comparison_of, differing_players
from ratings.office.selectors.drafts import PeriodOverview
from ratings.office.selectors.periods_in_work import PeriodStatus
from ratings.office.views.period_status import period_status_context
from ratings.policies import check_can_approve, check_can_publish, check_can_run_period, check_can_see_drafts
from ratings.production.approve_list import refuse_stale
from ratings.production.freeze_period import freeze_and_calculate
from ratings.worker.progress import STAGES, StageProgress, progress_of
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.messages.notifications import format_day
from reporting.models import Role, User
from reporting.web.access import View, actor, as_refusal, refusal_message, refusal_status, require_access
from reporting.web.http_cache import requested_fragment

WORKER_STAGES = STAGES[: STAGES.index("attach") + 1]
CHANGED_ROWS = 10


def office_page(*methods: str) -> Callable[[View], View]:
    """A page of the office, for those who may see drafts; see `require_access`."""
    return require_access(check_can_see_drafts, *methods)


def period_or_404(pool: str, in_force: date) -> Period:
    try:
        return selectors.find_period(pool, in_force)
    except Period.DoesNotExist:
        raise Http404("The office has no such period.") from None


def of_list(words: str) -> Callable[..., str]:
    """An act of the office in words, with its list in the place of `{}`."""

    def act(_: HttpRequest, pool: str, in_force: date) -> str:
        found = period_or_404(pool, in_force)
        return words.format(f"the list of {format_day(found.in_force)} ({found.pool.name})")

    return act


@office_page("GET", "HEAD")
def period(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """A period in its state: reports while it is open, the calculation's progress, the draft, what is published."""
    found = period_or_404(pool, in_force)
    if requested_fragment(request) == "progress":
        return progress_fragment(request, found)
    return period_page(request, found)


def progress_fragment(request: HttpRequest, found: Period) -> HttpResponse:
    """The progress alone; once there is something else to see, the whole page is asked for."""
    (overview,) = selectors.period_overviews([found])
    context = progress_context(overview)
    response = render(request, "office/period.html#progress", context)
    if not overview.is_waiting_for_worker:
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
    recalculate_period: RecalculateForm | None = None,
) -> HttpResponse:
    """The page of a period; after a refused act with its sentence and what was typed (`typed`: by anomaly)."""
    if refusal is not None:
        found.refresh_from_db()  # somebody else was first
    (overview,) = selectors.period_overviews([found])
    context: dict[str, Any] = {
        **progress_context(overview),
        "refusal": refusal,
        "officer": not refusal_message(check_can_run_period, request.user),
        "why_not_officer": refusal_message(check_can_run_period, request.user),
    }
    context |= period_status_context(request, found)
    if found.state == Period.State.PUBLISHED:
        context["revisions"] = selectors.revisions_of(found)
    elif overview.draft is not None:
        context |= draft_context(request, overview, overview.draft, typed or {})
    if recalculate_period is not None:
        context["recalculate_form"] = recalculate_period
    if found.state == Period.State.CORRECTING:
        context["withdraw_form"] = withdraw_form or WithdrawForm()
    return render(request, "office/period.html", context, status=status)


def progress_context(overview: PeriodOverview) -> dict[str, Any]:
    told = progress_of(overview.run) if overview.run and overview.is_calculating else []
    by_name = {each.stage: each for each in told}
    return {
        "period": overview.period,
        "overview": overview,
        "stages": [by_name.get(name, StageProgress(name, 0, None)) for name in WORKER_STAGES],
        "under_way": next((each for each in told if not each.ended), None),
    }


def draft_context(
    request: HttpRequest, overview: PeriodOverview, draft: RatingList, typed: Mapping[int, BaseForm]
) -> dict[str, Any]:
    """Everything a person looks at before he signs."""
    now = ComparedColumns.of_list(draft)
    return {
        **sign_off_context(request, overview, draft),
        **anomalies_context(draft, typed),
        "comparison": comparison_with(draft.previous, now),
        "replaced": comparison_with(draft.correction.replaces, now) if draft.correction else None,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        **recalculation_context(overview, draft),
    }


def recalculation_context(overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """What is different from the draft that this one took the place of: the first rows, and how many there are."""
    recalculation = selectors.recalculation_of(draft, overview.run)
    if recalculation is None:
        return {}
    page = differing_players(draft, recalculation.before, show="all", sort="-change", page=1)
    return {"recalculation": recalculation, "changed": page, "changed_rows": page.rows[:CHANGED_ROWS]}


def comparison_with(other: RatingList | None, now: ComparedColumns) -> Comparison | None:
    return comparison_of(now, ComparedColumns.of_list(other)) if other else None


def anomalies_context(draft: RatingList, typed: Mapping[int, BaseForm]) -> dict[str, Any]:
    """The anomalies about a draft, the open ones first, each with its form."""
    anomalies = selectors.anomalies_of_list(draft)
    answered = sum(bool(each.answers) for each in anomalies)
    return {
        "draft": draft,
        "anomalies": [(each, typed.get(each.anomaly.pk) or answer_form(each.anomaly)) for each in anomalies],
        "open_anomalies": len(anomalies) - answered,
        "answered_anomalies": answered,
        "answers_open": draft.state in {RatingList.State.CALCULATED, RatingList.State.READY},
    }


def answer_form(anomaly: Anomaly, data: Any = None) -> AnswerForm:
    """Its fields have names of their own on the page, and the plain one `text` in what is sent."""
    return AnswerForm(data, auto_id=f"id_%s_{anomaly.pk}")


def recalculate_form(data: Any = None) -> RecalculateForm:
    """Its field has a name of its own beside the other reasons of the page."""
    return RecalculateForm(data, auto_id="id_calculate_%s")


def sign_off_context(request: HttpRequest, overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """Who may sign, and why not yet: one sentence for the person who looks, empty when he may."""
    officers = selectors.users_with_role(Role.RATING_OFFICER)
    releasers = [
        each for each in selectors.users_with_role(Role.RELEASING_OFFICER) if each.pk != draft.approved_by_id
    ]
    if draft.state != RatingList.State.READY:
        why_not_approve = "The worker has not opened it for approval yet."
    else:
        why_not_approve = (
            refusal_message(check_can_approve, request.user, draft)
            or unanswered(draft.anomalies.filter(answers=None).count())
            or refusal_message(refuse_stale, draft)
        )
    if draft.state != RatingList.State.APPROVED:
        why_not_publish = "Opens after the approval; who approves cannot release."
    else:
        why_not_publish = refusal_message(check_can_publish, request.user, draft) or refusal_message(
            refuse_stale, draft
        )
    return {
        "draft": draft,
        "overview": overview,
        "period": overview.period,
        "recalculate_form": recalculate_form(),
        "officers": officers,
        "releasers": releasers,
        "why_not_approve": why_not_approve,
        "why_not_publish": why_not_publish,
        "why_not_officer": refusal_message(check_can_run_period, request.user),
        "officer": not refusal_message(check_can_run_period, request.user),
    }


def unanswered(count: int) -> str:
    if not count:
        return ""
    return "1 question has no answer yet." if count == 1 else f"{count} anomalies have no answer yet."


# --- freezing by hand


@office_page("GET", "HEAD", "POST")
@step_up(of_list("freeze the period of {}"))
def freeze(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The reports that a freeze now would count and leave out, and the form that does it."""
    found = period_or_404(pool, in_force)
    check_can_run_period(cast(User, request.user))
    if found.state != Period.State.OPEN:
        raise DomainError("wrong_state.freeze")
    context = period_status_context(request, found)
    period_status: PeriodStatus = context["period_status"]
    excluded = len(period_status.waiting)
    form = FreezeForm(request.POST if request.method == "POST" else None, excluded=excluded)
    refusal = None
    status = HTTPStatus.OK
    if request.method == "POST" and not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    elif request.method == "POST":
        try:
            freeze_and_calculate(period=found, reason=form.cleaned_data["reason"], by=actor(request))
        except (DomainError, OperationalError) as error:
            refusal = as_refusal(error)
            status = refusal_status(refusal)
        else:
            messages.success(request, f"Frozen with {counted_reports(found.manifest.count())}.")
            return redirect("office-period", pool, in_force)
    context |= {
        "period": found,
        "form": form,
        "excluded": excluded,
        "refusal": refusal,
        "waiting": PeriodStatus(period_status.waiting),
    }
    return render(request, "office/freeze.html", context, status=status)


def counted_reports(count: int) -> str:
    return "1 report" if count == 1 else f"{count} reports"
