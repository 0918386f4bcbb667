"""The first signature: a rating officer approves exactly the figures on the page."""

from django.db import transaction
from django.db.models.functions import Now

from ratings.inputs.calculation_inputs import carry_conflicts, inputs_of_period
from ratings.models import CalculationRun, Period, RatingList
from ratings.policies import check_can_approve, check_can_run_period
from ratings.production.request_calculation import refuse_during_correction
from ratings.publishing.list_norms import list_norms
from ratings.rules.lifecycle import LIST_LIFECYCLE, ListMove, MoveRefusedError, move
from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def open_for_approval(*, rating_list: RatingList, by: Actor) -> RatingList:
    """Open a calculated draft for approval; one that is open already is returned as it is.

    Raises DomainError `calculation_waiting`, `wrong_state`, `forbidden`.
    """
    check_can_run_period(by.user)
    rating_list = lock_draft(rating_list)
    if rating_list.state == RatingList.State.READY:
        return rating_list
    _refuse_during_calculation(rating_list)
    return _moved(rating_list, ListMove.OPEN_FOR_APPROVAL, by)


@transaction.atomic
def approve_list(*, rating_list: RatingList, sha256: str, by: Actor) -> RatingList:
    """Approve a draft whose digest is `sha256`, the digest on the page or file that the officer checked.

    Raises DomainError `list_changed` if the draft has other figures now, `calculation_waiting`,
    `predecessor_changed`, `merges_changed`, `decisions_changed`, `correction_under_way`, `carry_impossible`,
    `anomalies_open`, `norms_undecided`, `wrong_state`, `own_opening_list`, `own_results`,
    `forbidden`.
    """
    check_can_approve(by.user, rating_list)
    return _moved(lock_draft(rating_list), ListMove.APPROVE, by, sha256=sha256)


def lock_draft(rating_list: RatingList) -> RatingList:
    """The list under its lock, its period locked before it: no calculation is requested meanwhile.

    A calculation that began from an older state of the draft would end in an error, or lose what is done to the draft.
    The period comes first for all who lock both, as in a publication, so that there is no deadlock.
    """
    if rating_list.period_id is not None:
        Period.objects.select_for_update(no_key=True).get(pk=rating_list.period_id)
    return (
        RatingList.objects.select_for_update(of=("self",))
        .select_related("pool", "period__pool", "correction__replaces")
        .get(pk=rating_list.pk)
    )


def refuse_stale(rating_list: RatingList) -> None:
    """Refuse a draft whose lists, corrections, merges or decisions are out of date; one that cannot be carried.

    A draft with a requested recalculation is refused too. Raises DomainError `calculation_waiting`,
    `predecessor_changed`, `merges_changed`, `decisions_changed`, `correction_under_way`, `carry_impossible`.
    """
    if rating_list.period is None:
        return
    _refuse_during_calculation(rating_list)
    refuse_during_correction(rating_list.period)
    now = inputs_of_period(rating_list.period, rating_list.correction)
    carried = set(rating_list.carried.values_list("correction_id", flat=True))
    if [used.pk for used in now.lists] != rating_list.input_lists or {
        correction.pk for correction in now.carried
    } != carried:
        raise DomainError("predecessor_changed")
    if [merge.pk for merge in now.merges] != rating_list.merges:
        raise DomainError("merges_changed")
    if rating_list.decisions is not None and [one.pk for one in now.decisions or ()] != rating_list.decisions:
        raise DomainError("decisions_changed")
    # A revision that follows from a published one cannot be withdrawn: it continues, and the next list shows the loss.
    if rating_list.correction is not None and rating_list.correction.follows_id is None:
        lost = carry_conflicts(rating_list)
        if lost:
            raise DomainError("carry_impossible.this_list", players=len(lost))


def _refuse_during_calculation(rating_list: RatingList) -> None:
    if CalculationRun.objects.filter(
        period=rating_list.period_id, state=CalculationRun.State.REQUESTED
    ).exists():
        raise DomainError("calculation_waiting")


def _moved(rating_list: RatingList, made: ListMove, by: Actor, sha256: str | None = None) -> RatingList:
    before = rating_list.state
    try:
        rating_list.state = move(LIST_LIFECYCLE, before, made)
    except MoveRefusedError:
        raise DomainError("wrong_state.list") from None
    if sha256 is not None:
        if sha256 != rating_list.sha256:
            raise DomainError("list_changed")
        refuse_stale(rating_list)
        unanswered = rating_list.anomalies.filter(answers=None).count()
        if unanswered:
            raise DomainError("anomalies_open", count=unanswered)
        undecided = list_norms().undecided(rating_list)
        if undecided:
            raise DomainError("norms_undecided", count=undecided)
        rating_list.approved_by = by.user
        rating_list.approved_at = Now()
        rating_list.approved_sha256 = sha256
    rating_list.save()
    rating_list.refresh_from_db()
    record(
        by=by,
        action=f"list.{made}",
        subject=f"list {rating_list.address}",
        before={"state": before},
        after={"state": rating_list.state, "sha256": rating_list.sha256},
    )
    return rating_list
