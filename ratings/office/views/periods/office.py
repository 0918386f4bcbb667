"""The page of a period: its reports, the calculation, the draft and the signatures; and the freeze."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Anomaly, Period, Pool, RatingList
from ratings.office.forms import AnswerForm, FreezeForm, RecalculateForm, WithdrawForm
from ratings.office.selectors import drafts as selectors
from ratings.office.selectors.comparison import (
    ComparedColumns,
    Comparison,
    RowFilter,
    comparison_of,
    differing_players,
)
from ratings.office.selectors.drafts import PeriodOverview
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import PeriodStatus
from ratings.office.views.periods.period_status import period_status_context
from ratings.policies import check_can_approve, check_can_publish, check_can_run_period, check_can_see_drafts
from ratings.production.periods.freeze_period import freeze_and_calculate
from ratings.production.request_calculation import refuse_stale
from ratings.publishing.list_files import refuse_without_files
from ratings.publishing.list_norms import list_norms
from ratings.publishing.published_files import fits_a_sheet
from ratings.queries.lists import find_pool
from ratings.queries.revisions import correction_under_way
from ratings.worker.progress import STAGES, progress_of
from reporting.accounts.views.step_up import step_up
from reporting.models import Role
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, View, actor, refusal_message, require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest
from reporting.web.http_cache import in_place_of_page, requested_fragment
from reporting.web.values import day

CHANGED_ROWS = 10


def office_page(*methods: str) -> Callable[[View], View]:
    """A page of the office, for users who may see drafts; see `require_access`."""
    return require_access(check_can_see_drafts, *methods)


def period_or_404(pool: str, in_force: date) -> Period:
    try:
        return selectors.find_period(pool, in_force)
    except Period.DoesNotExist:
        raise Http404("The office has no such period.") from None


def pool_or_404(code: str) -> Pool:
    found = find_pool(code)
    if found is None:
        raise Http404("There is no such pool.")
    return found


def act_on_list(act: str | Promise) -> Callable[..., str]:
    """An act in words, with `%(day)s` and `%(pool)s` of its list, for the page that asks for the password."""

    def words(_: HttpRequest, pool: str, in_force: date) -> str:
        found = period_or_404(pool, in_force)
        return str(act) % {"day": day(found.in_force), "pool": found.pool.name}

    return words


@office_page("GET", "HEAD")
def period(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """A period in its state: reports while it is open, progress of the calculation, draft, published revisions."""
    found = period_or_404(pool, in_force)
    if requested_fragment(request) == "progress":
        return progress_fragment(request, found)
    return period_page(request, found)


def progress_fragment(request: OfficeRequest, found: Period) -> HttpResponse:
    """The progress alone; once the calculation has ended, the page in place of the one shown."""
    (overview,) = selectors.period_overviews([found])
    if overview.is_waiting_for_worker:
        return render(request, "office/period.html#progress", progress_context(overview))
    live_status = (
        gettext("The calculation failed.") if overview.has_failed else gettext("The calculation is finished.")
    )
    return in_place_of_page(period_page(request, found, live_status=live_status))


def period_page(
    request: OfficeRequest,
    found: Period,
    attempt: Attempt | None = None,
    *,
    answer_forms: Mapping[int, BaseForm] | None = None,
    withdraw_form: WithdrawForm | None = None,
    recalculation_form: RecalculateForm | None = None,
    live_status: str = "",
) -> HttpResponse:
    """The page of a period; after a refused act with the refusal and the forms as sent (answers by anomaly)."""
    if attempt is not None:
        found.refresh_from_db()  # another user may have acted first
    (overview,) = selectors.period_overviews([found])
    context: dict[str, Any] = {
        **progress_context(overview),
        "live_status": live_status,
        "refusal": attempt.refusal if attempt else None,
        "forms": [*(answer_forms or {}).values(), withdraw_form, recalculation_form],
        "officer": not refusal_message(check_can_run_period, request.user),
        "why_not_officer": refusal_message(check_can_run_period, request.user),
    }
    context |= period_status_context(request, found)
    if found.state == Period.State.PUBLISHED:
        revisions = selectors.revisions_of(found)
        context |= {"revisions": revisions, "held": selectors.held_players(revisions[0])}
    elif overview.draft is not None:
        context |= draft_context(request, overview, overview.draft, answer_forms or {})
    if recalculation_form is not None:
        context["recalculate_form"] = recalculation_form
    if found.state == Period.State.CORRECTING:
        context["withdraw_form"] = withdraw_form or WithdrawForm()
        context["shown"] = shown_correction(found)
    return render(request, "office/period.html", context, status=attempt.status if attempt else None)


def shown_correction(period: Period) -> str:
    """A digest of the correction that is under way in a period. 1 query."""
    correction = correction_under_way(period)
    return shown_digest(correction and correction.pk)


def progress_context(overview: PeriodOverview) -> dict[str, Any]:
    known = progress_of(overview.run) if overview.run and overview.is_calculating else []
    by_stage = {progress.stage: progress for progress in known}
    return {
        "period": overview.period,
        "overview": overview,
        "stages": [(stage.label, by_stage.get(stage)) for stage in STAGES],
        "under_way": next((progress for progress in known if not progress.ended), None),
    }


def draft_context(
    request: OfficeRequest, overview: PeriodOverview, draft: RatingList, forms: Mapping[int, BaseForm]
) -> dict[str, Any]:
    """Everything an officer checks before signing."""
    now = ComparedColumns.of_list(draft)
    return {
        **sign_off_context(request, overview, draft),
        **anomalies_context(draft, forms),
        "comparison": comparison_with(draft.previous, now),
        "of_replaced": comparison_with(draft.correction.replaces, now) if draft.correction else None,
        "correction": draft.correction,
        "manifest_change": selectors.manifest_change(draft.correction) if draft.correction else None,
        "held": selectors.held_players(draft),
        **recalculation_context(overview, draft),
    }


def recalculation_context(overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """The differences from the draft that this one replaced: the first rows, and their number."""
    recalculation = selectors.recalculation_of(draft, overview.run)
    if recalculation is None:
        return {}
    page = differing_players(draft, recalculation.before, show=RowFilter.ALL, sort="-change", page=1)
    return {"recalculation": recalculation, "changed": page, "changed_rows": page.rows[:CHANGED_ROWS]}


def comparison_with(other: RatingList | None, now: ComparedColumns) -> Comparison | None:
    return comparison_of(now, ComparedColumns.of_list(other)) if other else None


def anomalies_context(draft: RatingList, forms: Mapping[int, BaseForm]) -> dict[str, Any]:
    """The anomalies of a draft, those without an answer first, each with its form."""
    anomalies = selectors.anomalies_of_list(draft)
    answered = sum(bool(found.answers) for found in anomalies)
    return {
        "draft": draft,
        "anomalies": [
            (found, forms.get(found.anomaly.pk) or answer_form(found.anomaly)) for found in anomalies
        ],
        "open_anomalies": len(anomalies) - answered,
        "answered_anomalies": answered,
        "answers_open": draft.state
        in {
            RatingList.State.CALCULATED,
            RatingList.State.NORMS_SEARCHED,
            RatingList.State.READY,
        },
    }


def answer_form(anomaly: Anomaly, data: Any = None) -> AnswerForm:
    """Its field has its own id on the page; the name that is sent is always `text`."""
    return AnswerForm(data, auto_id=f"id_%s_{anomaly.pk}")


def recalculate_form(data: Any = None) -> RecalculateForm:
    """Its field has its own id next to the other reasons of the page."""
    return RecalculateForm(data, auto_id="id_calculate_%s")


def sign_off_context(request: OfficeRequest, overview: PeriodOverview, draft: RatingList) -> dict[str, Any]:
    """Who may sign, and why the reader may not: a sentence, empty where the reader may."""
    officers = selectors.users_with_role(Role.RATING_OFFICER)
    releasers = [
        user for user in selectors.users_with_role(Role.RELEASING_OFFICER) if user.pk != draft.approved_by_id
    ]
    if draft.state != RatingList.State.READY:
        why_not_approve = gettext("The worker has not opened it for approval yet.")
    else:
        why_not_approve = (
            refusal_message(check_can_approve, request.user, draft)
            or unanswered_message(draft.anomalies.filter(answers=None).count())
            or undecided_message(list_norms().undecided(draft))
            or refusal_message(refuse_stale, draft)
        )
    if draft.state != RatingList.State.APPROVED:
        why_not_publish = gettext("Possible after the approval, by another person.")
    else:
        why_not_publish = (
            refusal_message(check_can_publish, request.user, draft)
            or refusal_message(refuse_stale, draft)
            or refusal_message(refuse_without_files, draft)
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
        "fits_a_sheet": fits_a_sheet(draft),
        "why_not_officer": refusal_message(check_can_run_period, request.user),
        "officer": not refusal_message(check_can_run_period, request.user),
    }


def unanswered_message(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s anomaly has no answer yet.", "%(count)s anomalies have no answer yet.", count
    ) % {"count": count}


def undecided_message(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s norm waits for the title council.",
        "%(count)s norms wait for the title council.",
        count,
    ) % {"count": count}


# --- the freeze by an officer


@office_page("GET", "HEAD", "POST")
@step_up(act_on_list(_("freeze the period of the list of %(day)s (%(pool)s)")))
def freeze(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The reports that a freeze now counts and excludes, and the form that freezes."""
    found = period_or_404(pool, in_force)
    check_can_run_period(request.user)
    if not found.is_open:
        raise DomainError("wrong_state.freeze")
    context = period_status_context(request, found)
    excluded = len(context["period_status"].waiting)
    form = FreezeForm(request.POST if request.method == "POST" else None, excluded=excluded)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            freeze_and_calculate(
                period=found,
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(period_status_of(found).digest),
            )
            count = found.manifest.count()
            message = ngettext("Frozen with %(count)s report.", "Frozen with %(count)s reports.", count)
            messages.success(request, message % {"count": count})
            return redirect("office-period", pool, in_force)
        context = period_status_context(request, found)  # with what changed meanwhile
        form = FreezeForm(request.POST, excluded=len(context["period_status"].waiting))
    period_status: PeriodStatus = context["period_status"]
    context |= {
        "period": found,
        "form": form,
        "excluded": len(period_status.waiting),
        "shown": period_status.digest,
        "refusal": attempt.refusal,
        "waiting": PeriodStatus(period_status.waiting),
        "overdue": PeriodStatus(period_status.overdue_lines),
    }
    return render(request, "office/freeze.html", context, status=attempt.status)
