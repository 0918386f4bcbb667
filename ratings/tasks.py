"""The worker's bell: the state is the queue, a message only says "look for work"."""

import logging

from celery import shared_task

from ratings.models import CalculationRun
from ratings.services import drop_superseded as superseded
from ratings.services.calculate import calculate_period
from reporting.errors import DomainError

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 5


@shared_task(name="ratings.look_for_work")
def look_for_work() -> int:
    """Carry out every calculation that was asked for and is not done; answers how many. May run any number of times."""
    done = 0
    waiting = CalculationRun.objects.filter(state=CalculationRun.State.REQUESTED, attempts__lt=MOST_ATTEMPTS)
    for run in waiting.order_by("requested_at"):
        try:
            calculate_period(run=run)
            done += 1
        except DomainError as refusal:
            logger.info("calculation left alone", extra={"run": run.pk, "code": refusal.code})
    return done


@shared_task(name="ratings.drop_superseded")
def drop_superseded() -> int:
    """Drop the partitions of superseded drafts; answers how many. May run any number of times."""
    return superseded.drop_superseded()
