"""The worker's bell: the state is the queue, a message only says "look for work"."""

import logging

from celery import shared_task

from ratings.models import CalculationRun, RatingList
from ratings.production import freeze_period, write_list
from ratings.production.approve_list import open_for_approval
from ratings.production.calculate import calculate_period
from ratings.worker import heartbeat
from ratings.worker.worker_signal import LOOK_FOR_WORK
from reporting.errors import DomainError
from reporting.log.audit import Actor
from reporting.models import User

logger = logging.getLogger(__name__)

WORKER = "officer@office.invalid"


@shared_task(name=LOOK_FOR_WORK)
def look_for_work() -> int:
    """Carry out every calculation that was asked for and is not done; answers how many. May run any number of times.

    Then every calculated draft is opened for approval, also one whose worker was killed before it came to that.
    """
    heartbeat.record_heartbeat()
    done = 0
    for run in CalculationRun.objects.filter(state=CalculationRun.State.REQUESTED).order_by("requested_at"):
        try:
            calculate_period(run=run)
            done += 1
        except DomainError as refusal:
            logger.info("calculation skipped", extra={"run": run.pk, "code": refusal.code})
        except Exception:  # noted on the run; the others go on
            logger.exception("calculation ended with an error", extra={"run": run.pk})
    _open_drafts()
    return done


def _open_drafts() -> None:
    """All but one whose period is to be calculated again: opened at that moment, it would cost that run an attempt."""
    worker = Actor(User.objects.get(email=WORKER), by_command=True)
    drafts = RatingList.objects.filter(
        state=RatingList.State.CALCULATED, run__state=CalculationRun.State.DONE
    ).exclude(period__runs__state=CalculationRun.State.REQUESTED)
    for draft in drafts.order_by("pk"):
        try:
            open_for_approval(rating_list=draft, by=worker)
        except DomainError as refusal:  # superseded a moment ago
            logger.info("draft not opened", extra={"list": draft.pk, "code": refusal.code})


@shared_task(name="ratings.freeze_due_periods")
def freeze_due_periods() -> int:
    """Freeze what is due by the database's clock; answers how many periods. May run any number of times."""
    return len(freeze_period.freeze_due_periods())


@shared_task(name="ratings.drop_superseded")
def drop_superseded() -> int:
    """Drop the partitions of superseded drafts; answers how many. May run any number of times."""
    return write_list.drop_superseded()
