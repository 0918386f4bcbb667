"""A draft is calculated anew because something that it rests on was put right: a name, a merge, an earlier list."""

from django.db import transaction

from ratings.models import CalculationRun, Period, RatingList
from ratings.policies import may_run_period
from ratings.production.calculate import request_calculation
from reporting.errors import DomainError
from reporting.log.audit import Actor, record


@transaction.atomic
def calculate_again(*, period: Period, reason: str, by: Actor) -> CalculationRun:
    """Ask for the calculation of a period once more; where it has a draft, with a reason.

    The draft stands until the new one is calculated, then gives way, and an approval with it. A calculation that is
    asked for already is returned, and nothing is noted twice. Raises DomainError `reason_missing`,
    `already_published`, `not_frozen`, `correction_under_way`, `forbidden`.
    """
    may_run_period(by.user)
    period = Period.objects.select_for_update(of=("self",)).select_related("pool").get(pk=period.pk)
    draft = (
        RatingList.objects.filter(period=period)
        .exclude(state__in=[RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED])
        .first()
    )
    if draft is not None and not reason.strip():
        raise DomainError("reason_missing", "Say why the draft is calculated again.")
    waiting = CalculationRun.objects.filter(period=period, state=CalculationRun.State.REQUESTED).first()
    if waiting is not None:
        return waiting
    run = request_calculation(period=period, by=by)
    if draft is not None:
        record(
            by=by,
            action="calculation.again",
            subject=f"period {period.pool} {period.in_force}",
            before={"list": draft.pk, "state": draft.state, "sha256": draft.sha256},
            after={"run": run.pk},
            reason=reason.strip(),
        )
    return run
