"""Request the calculation of a period: the first, or another after a change of names, merges or earlier lists.

What a draft was calculated from can change meanwhile: such a draft is refused.
"""

from django.db import transaction

from ratings.inputs.calculation_inputs import CalculationInputs, inputs_of_period
from ratings.inputs.starting_ratings import carry_conflicts
from ratings.models import CalculationRun, Period, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.queries.periods import due_period
from ratings.queries.revisions import correction_under_way
from ratings.worker import worker_signal
from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def request_calculation(*, period: Period, by: Actor, wake_worker: bool = True) -> CalculationRun:
    """Request the calculation of a frozen period, or of the revision that corrects its published list.

    A waiting request is returned instead of a second one. The commit wakes a worker, unless the caller does the work
    (`wake_worker` off). Raises DomainError `already_published`, `not_frozen`,
    `correction_under_way`, `other_pool_unpublished`, `forbidden`.
    """
    check_can_run_period(by.user)
    return create_calculation_run(period=period, by=by, wake_worker=wake_worker)


def create_calculation_run(*, period: Period, by: Actor, wake_worker: bool = True) -> CalculationRun:
    """As `request_calculation`, without a check of roles, for a caller in a transaction: a revision that follows from
    another one is calculated even where the officer who requested the first has lost the role.
    """
    period = Period.objects.select_for_update().get(pk=period.pk)
    if period.state == Period.State.PUBLISHED:
        raise DomainError("already_published", in_force=period.in_force)
    if period.state == Period.State.OPEN:
        raise DomainError("not_frozen")
    refuse_during_correction(period)
    refuse_before_other_pools(period)
    if wake_worker:
        transaction.on_commit(worker_signal.wake_worker)
    waiting = CalculationRun.objects.filter(period=period, state=CalculationRun.State.REQUESTED).first()
    if waiting is not None:
        return waiting
    run = CalculationRun.objects.create(
        period=period,
        correction=correction_under_way(period),
        requested_by=by.user,
        by_command=by.by_command,
    )
    record(by=by, action="calculation.request", subject=f"period {period.pool} {period.in_force}")
    return run


def refuse_during_correction(period: Period) -> None:
    """Refuse while an earlier list of the pool is being corrected: the figures it starts from are about to change."""
    earlier = Period.objects.filter(
        pool=period.pool_id, state=Period.State.CORRECTING, in_force__lt=period.in_force
    ).first()
    if earlier is not None:
        raise DomainError("correction_under_way", in_force=earlier.in_force)


def refuse_before_other_pools(period: Period) -> None:
    """Refuse the first list of a day while another pool that it reads has an earlier list to come.

    Of a pool that has no list yet nothing is read. 0 queries for a system that reads no other pools. Raises
    DomainError `other_pool_unpublished`.
    """
    if period.is_correcting or not period.pool.rating_system.declaration.reads_pools:
        return
    started = RatingList.objects.filter(state=RatingList.State.PUBLISHED).values("pool")
    others = Pool.objects.filter(system=period.pool.system, pk__in=started).exclude(pk=period.pool_id)
    for other in others.order_by("code"):
        due = due_period(other)
        if due is not None and due.in_force < period.in_force:
            raise DomainError("other_pool_unpublished", pool=other.name, in_force=due.in_force)


def refuse_stale(rating_list: RatingList) -> None:
    """Refuse a draft whose lists, corrections, merges or decisions are out of date; one that cannot be carried.

    A draft with a requested recalculation is refused too. Raises DomainError `calculation_waiting`,
    `predecessor_changed`, `other_lists_changed`, `merges_changed`, `decisions_changed`, `correction_under_way`,
    `carry_impossible`.
    """
    if rating_list.period is None:
        return
    refuse_during_calculation(rating_list)
    refuse_during_correction(rating_list.period)
    now = inputs_of_period(rating_list.period, rating_list.correction)
    carried = set(rating_list.carried.values_list("correction_id", flat=True))
    if [used.pk for used in now.lists] != rating_list.input_lists or {
        correction.pk for correction in now.carried
    } != carried:
        raise DomainError("predecessor_changed")
    if reads_others(rating_list, now):
        raise DomainError("other_lists_changed")
    if [merge.pk for merge in now.merges] != rating_list.merges:
        raise DomainError("merges_changed")
    if rating_list.decisions is not None and list(now.decisions or ()) != rating_list.decisions:
        raise DomainError("decisions_changed")
    # A revision that follows from a published one cannot be withdrawn: it continues, and the next list shows the loss.
    if rating_list.correction is not None and rating_list.correction.follows_id is None:
        lost = carry_conflicts(rating_list)
        if lost:
            raise DomainError("carry_impossible.this_list", players=len(lost))


def reads_others(rating_list: RatingList, now: CalculationInputs) -> bool:
    """Whether a draft was calculated from other lists of other pools or of sources than now, or other memberships."""
    return (
        [used.pk for used in now.other_lists] != rating_list.other_lists
        or [used.pk for used in now.sources] != rating_list.source_lists
        or now.memberships != rating_list.membership_table
    )


def refuse_during_calculation(rating_list: RatingList) -> None:
    """Refuse a draft whose period is to be calculated again. Raises DomainError `calculation_waiting`."""
    if CalculationRun.objects.filter(
        period=rating_list.period_id, state=CalculationRun.State.REQUESTED
    ).exists():
        raise DomainError("calculation_waiting")


@transaction.atomic
def recalculate_period(*, period: Period, reason: str, by: Actor) -> CalculationRun:
    """Request the recalculation of a period; where it has a draft, with a reason.

    The new draft supersedes the old one and cancels an approval. A calculation that is already requested is returned,
    and nothing is logged twice. Raises DomainError `reason_missing`,
    `already_published`, `not_frozen`, `correction_under_way`, `other_pool_unpublished`, `forbidden`.
    """
    check_can_run_period(by.user)
    period = Period.objects.select_for_update(of=("self",)).select_related("pool").get(pk=period.pk)
    draft = (
        RatingList.objects.filter(period=period)
        .exclude(state__in=[RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED])
        .first()
    )
    if draft is not None and not reason.strip():
        raise DomainError("reason_missing")
    waiting = CalculationRun.objects.filter(period=period, state=CalculationRun.State.REQUESTED).first()
    if waiting is not None:
        return waiting
    run = request_calculation(period=period, by=by)
    if draft is not None:
        record(
            by=by,
            action="calculation.recalculate",
            subject=f"period {period.pool} {period.in_force}",
            before={"list": draft.pk, "state": draft.state, "sha256": draft.sha256},
            after={"run": run.pk},
            reason=reason.strip(),
        )
    return run
