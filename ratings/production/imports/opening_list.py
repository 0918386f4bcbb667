"""The opening list in the browser: a table is uploaded, the worker makes the draft, two officers sign it."""

import logging
from collections.abc import Callable
from datetime import date
from hashlib import sha256

from django.db import transaction
from django.db.models import F

from ratings.models import OpeningImport, Pool, RatingList
from ratings.policies import check_can_import_list
from ratings.production.approve_list import open_for_approval
from ratings.production.calculate import MAX_ATTEMPTS
from ratings.production.imports.import_list import (
    make_opening_draft,
    read_opening_list,
    supersede_opening_drafts,
)
from ratings.queries.periods import opening_drafts
from ratings.worker import worker_signal
from reporting.log.audit import Actor, acting_worker, record
from reporting.refusals.domain_error import DomainError
from reporting.register.services.register_uploads import refuse_too_many_tables

logger = logging.getLogger(__name__)


@transaction.atomic
def request_opening_list(
    *, content: bytes, filename: str, pool: Pool, in_force: date, by: Actor
) -> OpeningImport:
    """Store a table without errors for the worker, which makes the draft; it replaces one that waits.

    Raises DomainError `list_refused` with all findings, `pool_has_lists`, `too_far_ahead`, `too_far_back`,
    `too_many_bytes`, `forbidden`.
    """
    refuse_too_many_tables(by)
    read_opening_list(content, pool, in_force, by)
    pool = Pool.objects.select_for_update().get(pk=pool.pk)
    OpeningImport.objects.filter(pool=pool).delete()
    requested = OpeningImport.objects.create(
        pool=pool,
        in_force=in_force,
        content=content,
        sha256=sha256(content).hexdigest(),
        filename=filename,
        requested_by=by.user,
    )
    record(
        by=by,
        action="list.upload_opening",
        subject=f"list {pool.code}/{in_force.isoformat()}",
        after={"filename": filename, "file_sha256": requested.sha256, "bytes": len(content)},
    )
    transaction.on_commit(worker_signal.wake_worker)
    return requested


@transaction.atomic
def discard_opening_list(*, pool: Pool, by: Actor, unchanged: Callable[[], None] | None = None) -> None:
    """Supersede the draft of an opening list, and remove a table that waits.

    `unchanged` is called under the locks and raises where the page of the act showed something else (R24a). Raises
    DomainError `forbidden`.
    """
    check_can_import_list(by.user)
    pool = Pool.objects.select_for_update().get(pk=pool.pk)
    list(opening_drafts(pool).select_for_update(of=("self",)))  # an approval locks the draft, not the pool
    if unchanged is not None:
        unchanged()
    OpeningImport.objects.filter(pool=pool).delete()
    supersede_opening_drafts(pool, by)


def make_requested_openings() -> int:
    """Make the drafts of all tables that wait; answers how many. A table that fails five times waits no more."""
    done = 0
    for number in (
        OpeningImport.objects.filter(refusal={}).order_by("requested_at").values_list("pk", flat=True)
    ):
        waiting = OpeningImport.objects.filter(pk=number, refusal={})
        waiting.update(attempts=F("attempts") + 1)
        try:
            done += _make_draft(number) is not None
        except DomainError as refusal:
            waiting.update(refusal={"key": refusal.key, "values": refusal.values})
        except Exception:
            logger.exception("opening list not made", extra={"opening_import": number})
            failed = DomainError("opening_failed")
            waiting.filter(attempts__gte=MAX_ATTEMPTS).update(refusal={"key": failed.key, "values": {}})
    return done


@transaction.atomic
def _make_draft(number: int) -> RatingList | None:
    """The draft, open for approval; None where the table is gone."""
    pool = Pool.objects.select_for_update().filter(opening_import=number).first()
    requested = OpeningImport.objects.select_related("requested_by").filter(pk=number, pool=pool).first()
    if pool is None or requested is None:
        return None
    person = requested.requested_by
    draft = make_opening_draft(
        bytes(requested.content), pool, requested.in_force, Actor(person), imported_by=person
    )
    requested.delete()
    return open_for_approval(rating_list=draft, by=acting_worker())
