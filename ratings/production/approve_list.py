"""The first signature: a rating officer approves exactly the figures on the page."""

from django.db import transaction
from django.db.models.functions import Now

from ratings.models import Period, RatingList
from ratings.policies import check_can_approve, check_can_run_period
from ratings.production.request_calculation import refuse_during_calculation, refuse_stale
from ratings.publishing.list_files import has_files
from ratings.publishing.list_norms import list_norms
from ratings.rules.lifecycle import LIST_LIFECYCLE, ListMove
from ratings.worker import worker_signal
from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import move


@transaction.atomic
def open_for_approval(*, rating_list: RatingList, by: Actor) -> RatingList:
    """Open a calculated draft for approval; one that is open already is returned as it is.

    Raises DomainError `calculation_waiting`, `wrong_state`, `forbidden`.
    """
    check_can_run_period(by.user)
    rating_list = lock_draft(rating_list)
    if rating_list.state == RatingList.State.READY:
        return rating_list
    refuse_during_calculation(rating_list)
    return _moved(rating_list, ListMove.OPEN_FOR_APPROVAL, by)


@transaction.atomic
def approve_list(*, rating_list: RatingList, sha256: str, by: Actor) -> RatingList:
    """Approve a draft whose digest is `sha256`, the digest on the page or file that the officer checked.

    Where decisions on norms changed its digest, the worker writes its files again.

    Raises DomainError `list_changed` if the draft has other figures now, `calculation_waiting`,
    `predecessor_changed`, `other_lists_changed`, `merges_changed`, `decisions_changed`, `correction_under_way`,
    `carry_impossible`, `anomalies_open`, `norms_undecided`, `wrong_state`, `own_opening_list`, `own_results`,
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


def _moved(rating_list: RatingList, made: ListMove, by: Actor, sha256: str | None = None) -> RatingList:
    before = rating_list.state
    rating_list.state = move(LIST_LIFECYCLE, before, made, DomainError("wrong_state.list"))
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
        if not has_files(rating_list):
            transaction.on_commit(worker_signal.wake_worker)
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
