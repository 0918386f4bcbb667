"""Freeze a period: its list counts the reports accepted so far (R10, R11)."""

import logging
from collections.abc import Callable
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.utils import timezone

from ratings.models import CalculationRun, Period, PeriodReport, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.production.request_calculation import refuse_before_other_pools, request_calculation
from ratings.publishing.notifications import notify_next_list
from ratings.queries.counted_results import reports_to_count
from ratings.queries.periods import calendar_period, due_period, past_quarters, start_of
from ratings.rules.lifecycle import PERIOD_LIFECYCLE, PeriodMove
from ratings.worker import heartbeat
from ratings.worker.heartbeat import Scheduling
from reporting.log.audit import Actor, acting_worker, record
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.version_changes import refuse_changed_results
from reporting.rules.lifecycle import move

logger = logging.getLogger(__name__)

REASON = "scheduler.freeze"  # its sentence is in ratings/office/labels.py


# Between two machines that keep their time; what a jump of one of them leaves is hours or days.
CLOCKS_MAY_DIFFER = timedelta(minutes=5)


@transaction.atomic
def ensure_period(*, pool: Pool, in_force: date, by: Actor) -> Period:
    """The period whose list comes into force on a day, created if it is the next one due.

    Without a calendar the office creates it (`choose_dates`). Raises DomainError `already_published`,
    `predecessor_unpublished`, `not_in_calendar`, `dates_missing`, `no_list`, `forbidden`.
    """
    check_can_run_period(by.user)
    if pool.rating_system.calendar is None:
        return _chosen_period(pool, in_force)
    calendar = calendar_period(pool, in_force)
    # The scheduler and an officer at once: the second finds the period of the first.
    Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    existing = Period.objects.filter(pool=pool, in_force=in_force).first()
    if existing is not None:
        return existing
    due = due_period(pool)
    assert due is not None  # noqa: S101 (there is a calendar)
    if calendar.in_force < due.in_force:
        raise DomainError("already_published.behind", in_force=in_force, due=due.in_force, pool=str(pool))
    if calendar != due:
        raise DomainError("predecessor_unpublished", in_force=in_force, due=due.in_force)
    before = pool.rating_system.calendar.previous_period(calendar)
    frozen_early = Period.objects.filter(pool=pool, in_force=before.in_force).first()
    period = Period.objects.create(
        pool=pool,
        closing=calendar.closing,
        in_force=calendar.in_force,
        # Where the previous period was frozen early (in the demonstration), this one begins the day after that.
        played_since=frozen_early.played_before if frozen_early else start_of(before.played_before),
        played_before=start_of(calendar.played_before),
        freezes_at=start_of(calendar.freezes_on),
    )
    record(
        by=by,
        action="period.open",
        subject=f"period {pool} {in_force}",
        after={"closing": str(period.closing)},
    )
    return period


def _chosen_period(pool: Pool, in_force: date) -> Period:
    period = Period.objects.filter(pool=pool, in_force=in_force).first()
    if period is None:
        raise DomainError("dates_missing", in_force=in_force)
    return period


@transaction.atomic
def freeze_period(
    *, period: Period, reason: str, by: Actor, unchanged: Callable[[], None] | None = None
) -> Period:
    """Freeze an open period: its manifest is every accepted report whose last round lies before its end.

    Reports of earlier periods that were admitted after their list was published come in here (R11). From the day after
    the closing date on, by the database's scheduler; before it only in the demonstration, where the day of the freeze
    becomes the closing date. Waits for uploads and acceptances under way. `unchanged` is called under the locks and
    raises where the page of the act showed something else (R24a). Raises DomainError `reason_missing`, `wrong_state`,
    `before_closing`, `not_begun`, `results_changed`, `busy`, `forbidden`.
    """
    check_can_run_period(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()
    period = (
        Period.objects.select_for_update(of=("self",))
        .select_related("pool")
        .annotate(now=Now())
        .get(pk=period.pk)
    )
    frozen = move(PERIOD_LIFECYCLE, period.state, PeriodMove.FREEZE, DomainError("wrong_state.freeze"))
    if unchanged is not None:
        unchanged()
    period.state = frozen
    before: dict[str, str] = {"state": Period.State.OPEN}
    after: dict[str, str] = {"state": period.state}
    if period.now < period.played_before:
        before["closing"] = str(period.closing)
        _close_early(period, period.now)
        after["closing"] = str(period.closing)
    period.frozen_at = Now()
    period.frozen_by = by.user
    period.freeze_reason = reason
    period.save()
    period.refresh_from_db()
    counted = reports_to_count(period)
    refuse_changed_results(counted)
    manifest = PeriodReport.objects.bulk_create(
        PeriodReport(period=period, result_set=report.result_set, version=report.accepted_version)
        for report in counted
    )
    record(
        by=by,
        action="period.freeze",
        subject=f"period {period.pool} {period.in_force}",
        before=before,
        after=after | {"reports": len(manifest)},
        reason=reason,
    )
    notify_next_list(period)
    return period


@transaction.atomic
def freeze_and_calculate(
    *, period: Period, reason: str, by: Actor, unchanged: Callable[[], None] | None = None
) -> CalculationRun | None:
    """Freeze a period and request its calculation, in one transaction: no frozen period is without it.

    While an earlier list of the pool is being corrected, or one of another pool that is read is not published, nothing
    is requested: the freeze does not wait (R11), and the end of that correction or that publication requests it. Raises
    what `freeze_period` raises.
    """
    period = freeze_period(period=period, reason=reason, by=by, unchanged=unchanged)
    if Period.objects.filter(pool=period.pool, state=Period.State.CORRECTING).exists():
        return None
    try:
        refuse_before_other_pools(period)
    except DomainError:
        return None
    return request_calculation(period=period, by=by)


def _close_early(period: Period, now: datetime) -> None:
    """A period of the demonstration closes on the day of its freeze: its list prints no future date (R10).

    Raises DomainError `before_closing` elsewhere, `not_begun`.
    """
    today = timezone.localdate(now, timezone.get_default_timezone())
    if not settings.DEMO:
        raise DomainError("before_closing", closing=period.closing)
    if now < period.played_since:
        raise DomainError("not_begun", since=timezone.localdate(period.played_since))
    period.closing = today
    period.played_before = start_of(today + timedelta(days=1))


def freeze_due_periods() -> list[Period]:
    """Open the next period of every pool that has a list; freeze due periods and request their calculation.

    The database's clock says what is due; while it differs from this process's clock, nothing is opened or frozen, for
    a freeze cannot be undone and a late one loses nothing (decision 0106). Without a calendar the office opens periods;
    with one, a period whose closing date is past is opened only where an officer has confirmed it
    (`confirm_past_quarters`; decision 0024). A period frozen by an officer, or by another scheduler at this moment, is
    skipped. What prevents a freeze is stored for the dashboard. May run any number of times.
    """
    difference = _clock_difference()
    if difference is not None:
        logger.error("clocks differ", extra={"seconds": difference.total_seconds()})
        heartbeat.record_scheduling(Scheduling(clocks_differ=difference))
        return []
    scheduler = acting_worker()
    published = RatingList.objects.filter(pool=OuterRef("pk"), state=RatingList.State.PUBLISHED)
    for pool in Pool.objects.filter(Exists(published)).annotate(now=Now()):
        _open_due_period(pool, timezone.localdate(pool.now, timezone.get_default_timezone()), scheduler)
    due = Period.objects.filter(state=Period.State.OPEN, freezes_at__lte=Now())
    frozen, changed = [], {}
    for period in due.order_by("freezes_at", "pk"):
        refusal = _freeze(period, scheduler)
        if refusal is None:
            frozen.append(period)
        elif refusal.code == "results_changed":
            changed[period.pk] = str(refusal.values["tournament"])
    heartbeat.record_scheduling(Scheduling(results_changed=changed))
    return frozen


def _clock_difference() -> timedelta | None:
    """How far the database's clock is ahead of this process's, if by more than clocks may differ. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        (now,) = cursor.fetchone()
    difference: timedelta = now - timezone.now()
    return difference if abs(difference) > CLOCKS_MAY_DIFFER else None


def _open_due_period(pool: Pool, today: date, scheduler: Actor) -> None:
    if pool.rating_system.calendar is None:
        return
    due = due_period(pool)
    assert due is not None  # noqa: S101 (there is a calendar)
    if due in past_quarters(pool, due, today):
        logger.info("past quarters wait for an officer", extra={"pool": pool.code})
        return
    try:
        ensure_period(pool=pool, in_force=due.in_force, by=scheduler)
    except DomainError as refusal:  # published or opened by another process a moment ago
        logger.info("no period opened", extra={"pool": pool.code, "code": refusal.code})


def _freeze(period: Period, scheduler: Actor) -> DomainError | None:
    """Freeze a due period; why it was not frozen, else None."""
    try:
        freeze_and_calculate(period=period, reason=REASON, by=scheduler)
    except DomainError as refusal:
        level = logging.ERROR if refusal.code == "results_changed" else logging.INFO
        logger.log(level, "period not frozen", extra={"period": period.pk, "code": refusal.code})
        return refusal
    return None
