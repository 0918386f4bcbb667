"""A whole quarter in one call, for the office's command and the demonstration."""

from datetime import date, timedelta

from django.db import transaction

from ratings.models import Period, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.periods.choose_dates import choose_dates
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from ratings.publishing.list_files import ensure_files
from ratings.publishing.list_norms import list_norms
from reporting.log.audit import Actor
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError


def run_period(
    *,
    pool: Pool,
    in_force: date,
    by: Actor,
    releaser: Actor,
    reason: str,
    publish: bool = True,
    closing: date | None = None,
    confirm_norms: bool = False,
) -> RatingList:
    """Freeze now, calculate, approve as `by`, publish as `releaser`; with `publish` off, stop at the draft.

    A past quarter is opened without a confirmation; the audit log has the reason of the freeze. Without a calendar a
    period that is not open yet gets these dates; its closing date is the day before `in_force` if none is given.

    Each anomaly of the draft gets the answer that it was published by command. With `confirm_norms` its norms are
    confirmed in the same way; else undecided norms refuse the approval. A second run before publication
    replaces the draft. Every step is the service of the pages, in its own transaction. Raises DomainError
    `norms_undecided`, `same_person`, `already_published`, `predecessor_unpublished`, `not_in_calendar`,
    `dates_out_of_order`, `dates_chosen`, `no_list`, `before_closing`, `forbidden`.
    """
    check_can_run_period(by.user)
    if by.user == releaser.user:
        raise DomainError("same_person.command")
    with transaction.atomic():  # a refusal before the closing date opens nothing
        take_closing_lock()
        if pool.rating_system.calendar is None:
            _ensure_dates(pool, in_force, closing, by)
        period = ensure_period(pool=pool, in_force=in_force, by=by)
        if period.state == Period.State.OPEN:
            period = freeze_period(period=period, reason=reason, by=by)
    rating_list = calculate_period(
        run=request_calculation(period=period, by=by, wake_worker=False), wait=True
    )
    if not publish:
        return rating_list
    if confirm_norms:
        list_norms().confirm(rating_list, "command.run_period", by)
    return sign_draft(rating_list=rating_list, by=by, releaser=releaser)


def sign_draft(*, rating_list: RatingList, by: Actor, releaser: Actor) -> RatingList:
    """Answer the open anomalies of a calculated draft, approve it as `by` and publish it as `releaser`.

    Raises DomainError as `run_period`.
    """
    rating_list = open_for_approval(rating_list=rating_list, by=by)
    for anomaly in rating_list.anomalies.filter(answers=None):
        answer_anomaly(anomaly=anomaly, text=f"published by command as {by.user.email}", by=by)
    rating_list = approve_list(rating_list=rating_list, sha256=rating_list.sha256, by=by)
    ensure_files(rating_list)
    return publish_list(rating_list=rating_list, sha256=rating_list.sha256, by=releaser)


def _ensure_dates(pool: Pool, in_force: date, closing: date | None, by: Actor) -> None:
    """Open the period with these dates, or find it with them: another open period keeps the dates that were chosen."""
    periods = Period.objects.filter(pool=pool)
    opened = periods.filter(state=Period.State.OPEN).first()
    found = periods.filter(in_force=in_force).first() or opened
    if found is None:
        choose_dates(pool=pool, closing=closing or in_force - timedelta(days=1), in_force=in_force, by=by)
    elif found.in_force != in_force or closing not in (None, found.closing):
        raise DomainError("dates_chosen", in_force=found.in_force, closing=found.closing)
