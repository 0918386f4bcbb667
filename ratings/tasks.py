"""The worker's tasks: the state is the queue, a message only says "look for work"."""

import logging

from celery import shared_task

from ratings.models import CalculationRun, RatingList
from ratings.production import write_list
from ratings.production.approve_list import open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.imports.opening_list import make_requested_openings
from ratings.production.imports.requested_source import import_requested_sources
from ratings.production.periods import freeze_period, remind_of_closing
from ratings.publishing import list_files, signs
from ratings.publishing.open_data import export
from ratings.publishing.public_changes import number_changes as public_changes
from ratings.publishing.public_changes.webhooks import deliver
from ratings.publishing.signed_history import sign_lists
from ratings.publishing.verification import nightly
from ratings.worker import heartbeat, requested_work
from ratings.worker.worker_signal import LOOK_FOR_WORK
from reporting.log.audit import acting_worker
from reporting.refusals.domain_error import DomainError

logger = logging.getLogger(__name__)


@shared_task(name=LOOK_FOR_WORK)
def look_for_work() -> int:
    """Carry out every requested calculation, opening list and import; returns how many. May run any number of times.

    And the requested work of apps above this one. Then open every calculated draft for approval, also one whose worker
    was killed before that, and write the files that an approved list lacks.
    """
    heartbeat.record_heartbeat()
    done = 0
    for run in CalculationRun.objects.filter(state=CalculationRun.State.REQUESTED).order_by("requested_at"):
        try:
            calculate_period(run=run)
            done += 1
        except DomainError as refusal:
            logger.info("calculation skipped", extra={"run": run.pk, "code": refusal.code})
        except Exception:  # stored with the run; the other runs continue
            logger.exception("calculation ended with an error", extra={"run": run.pk})
    done += make_requested_openings()
    done += import_requested_sources()
    done += sum(carry_out() for carry_out in requested_work.all_work())
    _open_drafts()
    list_files.write_missing_files()
    return done


def _open_drafts() -> None:
    """All but those to be recalculated: opening one refuses."""
    worker = acting_worker()
    drafts = RatingList.objects.filter(
        state__in=[RatingList.State.CALCULATED, RatingList.State.NORMS_SEARCHED],
        run__state=CalculationRun.State.DONE,
    )
    for draft in drafts.order_by("pk"):
        try:
            open_for_approval(rating_list=draft, by=worker)
        except DomainError as refusal:  # superseded, or to be recalculated
            logger.info("draft not opened", extra={"list": draft.pk, "code": refusal.code})


@shared_task(name="ratings.freeze_due_periods")
def freeze_due_periods() -> int:
    """Freeze periods that are due by the database's clock; returns how many. May run any number of times."""
    return len(freeze_period.freeze_due_periods())


@shared_task(name="ratings.send_closing_reminders")
def send_closing_reminders() -> int:
    """Write the reminders of closing dates; returns how many. May run any number of times."""
    return remind_of_closing.send_closing_reminders()


@shared_task(name="ratings.number_changes")
def number_changes() -> int:
    """Add what was done to the feed of changes; returns how many changes. May run any number of times."""
    return public_changes.number_changes()


@shared_task(name="ratings.deliver_webhooks")
def deliver_webhooks() -> int:
    """Send changes that are due to webhooks; returns how many attempts. May run any number of times."""
    return deliver.deliver_webhooks()


@shared_task(name="ratings.delete_old_deliveries")
def delete_old_deliveries() -> int:
    """Delete deliveries of webhooks older than a month; returns how many. May run any number of times."""
    return deliver.delete_old_deliveries()


@shared_task(name="ratings.make_export")
def make_export() -> bool:
    """Make the open data if lists were published or a name was erased; returns whether. May run any number of times.

    First the lists are signed, then come the files of lists that lost their content with an erased name, and the
    compressed ones.
    """
    try:
        sign_lists.sign_lists()
    except DomainError as refusal:  # the nightly verification tells the officers
        logger.error("lists not signed", extra={"code": refusal.code})
    list_files.fill_emptied_files()
    list_files.compress_files()
    return export.make_export()


@shared_task(name="ratings.verify_published")
def verify_published() -> int:
    """Verify what is published and the signed history; returns how many differences. May run any number of times."""
    return nightly.verify_published()


@shared_task(name="ratings.check_signs")
def check_signs() -> int:
    """Tell administrators which signs of success are missing; returns how many. May run any number of times."""
    return len(signs.check_signs())


@shared_task(name="ratings.drop_superseded")
def drop_superseded() -> int:
    """Drop the partitions of superseded drafts; returns how many. May run any number of times."""
    return write_list.drop_superseded()
