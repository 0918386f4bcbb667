"""The dates of the next list, where the regulations leave them to the office."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from ratings.federations.registry import edition_in_force
from ratings.inputs.in_force import lists_in_force
from ratings.models import Period, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.production.imports.import_list import check_list_day
from ratings.queries.periods import start_of
from reporting.log.audit import Actor, record
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def choose_dates(
    *, pool: Pool, closing: date, in_force: date, by: Actor, unchanged: Callable[[], None] | None = None
) -> Period:
    """Open the next period of a pool without a calendar, or change the dates of the open one.

    Its tournaments are those since the last closed period whose last round is on or before `closing`. The scheduler
    freezes it `freeze_days` of the edition after that day. `unchanged` is called under the locks and raises where the
    page of the act showed something else (R24a). Raises DomainError `dates_by_calendar`, `no_list`,
    `predecessor_unpublished`, `dates_out_of_order`, `too_far_ahead`, `too_far_back`, `forbidden`, `busy`.
    """
    check_can_run_period(by.user)
    take_closing_lock()  # no acceptance or freeze meanwhile
    Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    before = Period.objects.filter(pool=pool, state=Period.State.OPEN).first()
    period = dated_period(pool, closing=closing, in_force=in_force)
    if unchanged is not None:
        unchanged()
    period.save()
    record(
        by=by,
        action="period.open" if before is None else "period.change_dates",
        subject=f"period {pool} {in_force}",
        before={"closing": str(before.closing), "in_force": str(before.in_force)} if before else {},
        after={"closing": str(closing), "in_force": str(in_force)},
    )
    return period


def dated_period(pool: Pool, *, closing: date, in_force: date) -> Period:
    """The open period of a pool with these dates, or a new one, not saved. 3 queries.

    Raises DomainError `dates_by_calendar`, `no_list`, `predecessor_unpublished`, `dates_out_of_order`, `too_far_ahead`,
    `too_far_back`.
    """
    system = pool.rating_system
    if system.calendar is not None:
        raise DomainError("dates_by_calendar", system=pool.report_rules.name)
    lists = lists_in_force(pool.pk)
    if not lists:
        raise DomainError("no_list", pool=str(pool))
    periods = Period.objects.filter(pool=pool).order_by("-in_force")
    frozen = periods.filter(state=Period.State.FROZEN).first()
    if frozen is not None:
        raise DomainError("predecessor_unpublished", in_force=in_force, due=frozen.in_force)
    since = _played_since(lists[-1], periods.exclude(state=Period.State.OPEN).first())
    _check_order(lists[-1], since, closing, in_force)
    period = periods.filter(state=Period.State.OPEN).first() or Period(pool=pool)
    period.closing, period.in_force, period.played_since = closing, in_force, since
    period.played_before = start_of(closing + timedelta(days=1))
    period.freezes_at = start_of(closing + timedelta(days=edition_in_force(system, in_force).freeze_days))
    return period


def _played_since(newest: RatingList, last: Period | None) -> datetime:
    """Where the last closed period ended; after an opening list, the day after its closing date."""
    return start_of(newest.closing + timedelta(days=1)) if last is None else last.played_before


def _check_order(newest: RatingList, since: datetime, closing: date, in_force: date) -> None:
    first = timezone.localdate(since, timezone.get_default_timezone())
    if closing < first:
        raise DomainError("dates_out_of_order.closed", closing=closing, first=first)
    if in_force <= newest.in_force:
        raise DomainError("dates_out_of_order.list", in_force=in_force, newest=newest.in_force)
    if in_force <= closing:
        raise DomainError("dates_out_of_order", in_force=in_force, closing=closing)
    check_list_day(in_force)
