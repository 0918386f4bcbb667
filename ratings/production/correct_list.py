"""A published list is corrected by its next revision: requested with a reason, calculated and signed like a list."""

from collections.abc import Callable, Collection

from django.db import transaction
from django.db.models.functions import Now

from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.inputs.in_force import lists_in_force
from ratings.models import CalculationRun, Correction, Period, PeriodReport, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.production.request_calculation import (
    create_calculation_run,
    reads_others,
    refuse_during_correction,
)
from ratings.queries.counted_results import reports_to_include
from ratings.queries.revisions import correction_under_way
from ratings.rules.lifecycle import (
    LIST_LIFECYCLE,
    PERIOD_LIFECYCLE,
    ListMove,
    PeriodMove,
)
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor, record
from reporting.models import Report, Role
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.version_changes import refuse_changed_results
from reporting.rules.lifecycle import move


def choices_for_later_lists(rating_list: RatingList) -> list[Correction.Later]:
    """What a correction of a list may do to later lists, by its system."""
    carries = rating_list.rating_system.carries_corrections
    return [later for later in Correction.Later if carries or later != Correction.Later.CARRY]


@transaction.atomic
def correct_list(
    *,
    rating_list: RatingList,
    reason: str,
    later: str,
    by: Actor,
    excluded_tournaments: Collection[str] = (),
    included_reports: Collection[int] = (),
    unchanged: Callable[[], None] | None = None,
) -> CalculationRun:
    """Request the next revision of a published list and its calculation.

    `excluded_tournaments` are the tournaments that it no longer counts, each by its `part_code`; `included_reports` the
    numbers of accepted reports that it counts too, a corrected report instead of the one it corrects. `later` is one of
    Correction.Later: what happens to later lists. The revision is checked, approved and published like any list; until
    then the correction can be withdrawn. `unchanged` is called under the locks and raises where the page of the act
    showed something else (R24a). Raises DomainError `reason_missing`, `choice_unknown`, `not_newest`,
    `opening_list`, `tournament_unknown`, `report_unfit`, `results_changed`,
    `correction_under_way`, `wrong_state`, `busy`, `forbidden`.
    """
    check_can_run_period(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    choices = choices_for_later_lists(rating_list)
    if later not in choices:
        raise DomainError("choice_unknown", choices=", ".join(choices))
    if rating_list.period is None:
        raise DomainError("opening_list")
    take_closing_lock()
    # Wait for a publication under way: its list may have to follow this one.
    Pool.objects.select_for_update(no_key=True).get(pk=rating_list.pool_id)
    period = (
        Period.objects.select_for_update(of=("self",)).select_related("pool").get(pk=rating_list.period.pk)
    )
    newest = _newest(period)
    if newest is None or newest.pk != rating_list.pk:
        raise DomainError("not_newest")
    if Period.objects.filter(pool=period.pool, state=Period.State.CORRECTING).exclude(pk=period.pk).exists():
        raise DomainError("correction_under_way.pool")
    if unchanged is not None:
        unchanged()
    manifest = _manifest_with(newest, set(excluded_tournaments), set(included_reports))
    refuse_changed_results(Report.objects.filter(pk__in=included_reports).select_related("result_set"))
    correction = Correction(replaces=newest, reason=reason.strip(), later=later, requested_by=by.user)
    return _begin(correction, period, manifest, by)


@transaction.atomic
def withdraw_correction(
    *, period: Period, reason: str, by: Actor, unchanged: Callable[[], None] | None = None
) -> None:
    """Withdraw the correction of a period: its draft is superseded, the published list does not change.

    `unchanged` as for `correct_list`. Raises DomainError `reason_missing`, `wrong_state`, `follows_published` for a
    revision that follows from one already published, `forbidden`.
    """
    check_can_run_period(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    # In the order of a publication: the period before its lists. A calculation needs the key of the period at its end.
    period = (
        Period.objects.select_for_update(no_key=True, of=("self",)).select_related("pool").get(pk=period.pk)
    )
    correction = correction_under_way(period)
    if correction is None:
        raise DomainError("wrong_state.no_correction")
    if unchanged is not None:
        unchanged()
    if correction.follows_id is not None:
        raise DomainError("follows_published")
    _supersede_drafts(correction)
    CalculationRun.objects.filter(correction=correction, state=CalculationRun.State.REQUESTED).update(
        state=CalculationRun.State.FAILED, finished_at=Now()
    )
    _supersede_drafts(correction)  # a draft calculated while this waited for its run
    correction.withdrawn_at = Now()
    correction.save(update_fields=["withdrawn_at"])
    period.state = move(PERIOD_LIFECYCLE, period.state, PeriodMove.WITHDRAW_CORRECTION)
    period.save(update_fields=["state"])
    record(
        by=by,
        action="list.withdraw_correction",
        subject=f"list {period.pool.code}/{period.in_force}",
        before={"correction": correction.pk},
        after={"state": period.state},
        reason=reason,
    )
    request_waiting_calculation(period.pool_id, by)


def request_waiting_calculation(pool_id: int, by: Actor) -> None:
    """At the end of a correction: request the calculation of the pool's frozen period if it needs one.

    It needs one where it has no draft yet, or where its draft was calculated from a list that is revised now. What
    still has to be published first requests it in its turn.
    """
    period = Period.objects.filter(pool=pool_id, state=Period.State.FROZEN).select_related("pool").first()
    if period is None:
        return
    draft = RatingList.objects.filter(period=period).exclude(state=RatingList.State.SUPERSEDED).first()
    if draft is not None:
        now = inputs_of_period(period, None)
        if draft.input_lists == [used.pk for used in now.lists] and not reads_others(draft, now):
            return
    try:
        create_calculation_run(period=period, by=by)
    except DomainError as refusal:
        if refusal.code not in {"other_pool_unpublished", "correction_under_way"}:
            raise


def request_waiting_of_other_pools(pool: Pool, by: Actor) -> None:
    """After a publication: request the calculations of the system's other pools that have waited for it."""
    if pool.rating_system.declaration.reads_pools:
        others = Pool.objects.filter(system=pool.system).exclude(pk=pool.pk)
        for other in others.order_by("pk").values_list("pk", flat=True):
            request_waiting_calculation(other, by)


def revise_next_list(rating_list: RatingList, by: Actor) -> CalculationRun | None:
    """After the publication of a revision that all later lists follow: begin with the next of them, if there is one.

    Called in the transaction of the publication, in the name of the officer who requested the first correction; of the
    publisher if that account was closed or lost its role since, or is one of commands and a person publishes.
    """
    correction = rating_list.correction
    if correction is None or correction.later != Correction.Later.REVISE:
        return None
    after = [later for later in lists_in_force(rating_list.pool_id) if later.in_force > rating_list.in_force]
    if not after:
        return None
    assert after[0].period is not None  # noqa: S101 (an opening list comes before all others)
    period = Period.objects.select_for_update(of=("self",)).select_related("pool").get(pk=after[0].period.pk)
    officer = correction.requested_by
    can_be_named = officer.has_role(Role.RATING_OFFICER) and (by.by_command or not officer.acts_by_command)
    asked = Actor(officer, by_command=by.by_command) if can_be_named else by
    follower = Correction(
        replaces=after[0],
        reason=correction.reason,
        later=Correction.Later.REVISE,
        follows=correction,
        requested_by=asked.user,
    )
    manifest = {line.result_set_id: line.version_id for line in _lines(after[0])}
    with acting_as(asked.user):
        return _begin(follower, period, manifest, asked)


def _supersede_drafts(correction: Correction) -> None:
    drafts = RatingList.objects.select_for_update().filter(correction=correction)
    for draft in drafts.exclude(state=RatingList.State.SUPERSEDED):
        draft.state = move(LIST_LIFECYCLE, draft.state, ListMove.SUPERSEDE)
        draft.save(update_fields=["state"])


def _newest(period: Period) -> RatingList | None:
    return (
        RatingList.objects.filter(period=period, state=RatingList.State.PUBLISHED)
        .order_by("-revision")
        .first()
    )


def _lines(rating_list: RatingList) -> list[PeriodReport]:
    return list(rating_list.manifest.select_related("result_set").order_by("pk"))


def _manifest_with(
    newest: RatingList, excluded_tournaments: set[str], included_reports: set[int]
) -> dict[int, int]:
    """Tournament → version of the revision: the manifest of the newest revision with the requested changes."""
    lines = {line.result_set.part_code: line for line in _lines(newest)}
    unknown = excluded_tournaments - set(lines)
    if unknown:
        raise DomainError("tournament_unknown", tournaments=", ".join(sorted(unknown)))
    fit = {report.pk: report for report in reports_to_include(newest)}
    unfit = included_reports - set(fit)
    if unfit:
        raise DomainError("report_unfit", reports=", ".join(map(str, sorted(unfit))))
    manifest = {
        part: (line.result_set_id, line.version_id)
        for part, line in lines.items()
        if part not in excluded_tournaments
    }
    for number in sorted(included_reports):
        tournament, version = fit[number].result_set, fit[number].accepted_version_id
        assert tournament is not None and version is not None  # noqa: PT018, S101 (both are set for every accepted report)
        manifest[tournament.part_code] = (tournament.pk, version)
    return dict(manifest.values())


def _begin(correction: Correction, period: Period, manifest: dict[int, int], by: Actor) -> CalculationRun:
    period.state = move(PERIOD_LIFECYCLE, period.state, PeriodMove.CORRECT, DomainError("wrong_state.list"))
    refuse_during_correction(period)
    period.save(update_fields=["state"])
    correction.save()
    PeriodReport.objects.bulk_create(
        PeriodReport(period=period, correction=correction, result_set_id=tournament, version_id=version)
        for tournament, version in manifest.items()
    )
    record(
        by=by,
        action="list.correct",
        subject=f"list {period.pool.code}/{period.in_force}",
        before={"revision": correction.replaces.revision},
        after={
            "correction": correction.pk,
            "later": correction.later,
            "reports": len(manifest),
        },
        reason=correction.reason,
    )
    return create_calculation_run(period=period, by=by)
