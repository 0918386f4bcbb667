"""A rating officer confirms past quarters; the scheduler then opens them one after another."""

from collections.abc import Callable, Sequence
from datetime import date

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from ratings.models import PastQuarters, Pool
from ratings.policies import check_can_run_period
from ratings.queries.periods import due_period, past_quarters
from reporting.log.audit import Actor, record
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def confirm_past_quarters(
    *,
    pool: Pool,
    in_force: Sequence[date],
    reason: str,
    by: Actor,
    unchanged: Callable[[], None] | None = None,
) -> PastQuarters:
    """Confirm that these past quarters of a pool are calculated (decision 0024).

    `in_force` are the days of their lists as the officer saw them. The scheduler opens and freezes the first within a
    minute (R11), and each of the others once the list before it is published. `unchanged` is called under the locks and
    raises where the page of the act showed something else (R24a). Raises DomainError `reason_missing`, `no_list`,
    `quarters_changed` where other quarters are past now, `busy`, `forbidden`.
    """
    check_can_run_period(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()  # the reports of the quarters stay those that the officer saw
    pool = Pool.objects.select_for_update(no_key=True).annotate(now=Now()).get(pk=pool.pk)
    quarters = past_quarters(
        pool, due_period(pool), timezone.localdate(pool.now, timezone.get_default_timezone())
    )
    if not quarters or [quarter.in_force for quarter in quarters] != list(in_force):
        raise DomainError("quarters_changed")
    if unchanged is not None:
        unchanged()
    confirmed = PastQuarters.objects.create(
        pool=pool,
        first=quarters[0].in_force,
        last=quarters[-1].in_force,
        reason=reason,
        confirmed_by=by.user,
    )
    record(
        by=by,
        action="period.confirm_past",
        subject=f"period {pool} {confirmed.first}",
        after={"first": str(confirmed.first), "last": str(confirmed.last), "quarters": len(quarters)},
        reason=reason,
    )
    return confirmed
