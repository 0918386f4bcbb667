"""The clock freezes: at 00:00 of the 8th day after closing, unless an officer did so by hand (R11)."""

import logging
from datetime import date

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.utils import timezone

from ratings.models import Period, Pool, RatingList
from ratings.office.selectors.periods import due_period, past_quarters
from ratings.production.freeze_period import ensure_period, freeze_and_calculate
from reporting.errors import DomainError
from reporting.log.audit import Actor
from reporting.models import User

logger = logging.getLogger(__name__)

CLOCK = "officer@office.invalid"
REASON = "the clock: 8th day after closing"


def freeze_due_periods() -> list[Period]:
    """Open the next period of every pool that has a list; freeze those that are due and ask for their calculation.

    What is due the database's clock says. A period whose closing date is past already is opened only where an officer
    has confirmed it (`confirm_past_quarters`; decision 0024). A period frozen by hand, or by another clock at this
    moment, is left alone. May run any number of times.
    """
    clock = Actor(User.objects.get(email=CLOCK), by_command=True)
    published = RatingList.objects.filter(pool=OuterRef("pk"), state=RatingList.State.PUBLISHED)
    for pool in Pool.objects.filter(Exists(published)).annotate(now=Now()):
        _open_due_period(pool, timezone.localdate(pool.now, timezone.get_default_timezone()), clock)
    due = Period.objects.filter(state=Period.State.OPEN, freezes_at__lte=Now())
    return [period for period in due.order_by("freezes_at", "pk") if _frozen(period, clock)]


def _open_due_period(pool: Pool, today: date, clock: Actor) -> None:
    due = due_period(pool)
    if due in past_quarters(pool, due, today):
        logger.info("past quarters wait for an officer", extra={"pool": pool.code})
        return
    try:
        ensure_period(pool=pool, in_force=due.in_force, by=clock)
    except DomainError as refusal:  # published or opened by somebody else a moment ago
        logger.info("no period opened", extra={"pool": pool.code, "code": refusal.code})


def _frozen(period: Period, clock: Actor) -> bool:
    try:
        freeze_and_calculate(period=period, reason=REASON, by=clock)
    except DomainError as refusal:
        logger.info("period left alone", extra={"period": period.pk, "code": refusal.code})
        return False
    return True
