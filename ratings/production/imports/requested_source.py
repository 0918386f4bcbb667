"""A file of a source in the browser: it is uploaded in parts, the worker imports it."""

import logging
from datetime import date
from tempfile import TemporaryFile
from typing import IO

from django.db import transaction
from django.db.models import F

from ratings.models import SourceImport, SourceImportPart
from ratings.production.calculate import MAX_ATTEMPTS
from ratings.production.imports.import_source import check_source_request, file_digest, import_source
from ratings.worker import worker_signal
from ratings.worker.progress import store_count, stored_count
from reporting.log.audit import Actor, record
from reporting.models.locks import take_repeat_lock
from reporting.refusals.domain_error import DomainError

logger = logging.getLogger(__name__)

PART_BYTES = 1_000_000
MOST_STORED_FINDINGS = 200


@transaction.atomic
def request_source(
    *, source: str, kind: str, in_force: date, file: IO[bytes], filename: str, by: Actor
) -> SourceImport:
    """Store a file for the worker, which imports it; it replaces one of the same source that waits.

    Raises DomainError `choice_unknown`, `too_far_ahead`, `too_far_back`, `busy`, `forbidden`.
    """
    check_source_request(source, kind, in_force, by)
    take_repeat_lock(f"source {source}")
    digest, size = file_digest(file)
    SourceImport.objects.filter(source=source).delete()
    requested = SourceImport.objects.create(
        source=source,
        kind=kind,
        in_force=in_force,
        sha256=digest,
        filename=filename,
        size=size,
        requested_by=by.user,
    )
    file.seek(0)
    for number, content in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
        SourceImportPart.objects.create(upload=requested, number=number, content=content)
    record(
        by=by,
        action="source.upload",
        subject=f"source {source}/{in_force.isoformat()}",
        after={"filename": filename, "file_sha256": requested.sha256, "bytes": requested.size},
    )
    transaction.on_commit(worker_signal.wake_worker)
    return requested


def import_requested_sources() -> int:
    """Import all files that wait; answers how many. A file that fails five times waits no more."""
    done = 0
    waiting = SourceImport.objects.filter(refusal={})
    for number in list(waiting.order_by("requested_at").values_list("pk", flat=True)):
        own = waiting.filter(pk=number)
        own.update(attempts=F("attempts") + 1)
        try:
            done += _import(number)
        except DomainError as refusal:
            findings = [found.to_stored() for found in refusal.findings[:MOST_STORED_FINDINGS]]
            own.update(refusal={"key": refusal.key, "values": refusal.values, "findings": findings})
        except Exception:
            logger.exception("source not imported", extra={"source_import": number})
            failed = DomainError("source_failed")
            own.filter(attempts__gte=MAX_ATTEMPTS).update(
                refusal={"key": failed.key, "values": {}, "findings": []}
            )
    return done


@transaction.atomic
def _import(number: int) -> bool:
    """Import one file and delete it; whether it was still there and no other worker had it."""
    waiting = SourceImport.objects.select_for_update(skip_locked=True, of=("self",))
    requested = waiting.select_related("requested_by").filter(pk=number).first()
    if requested is None:
        return False
    work, players = progress_key(requested), 0

    def progress(more: int) -> None:
        nonlocal players
        players += more
        store_count(work, players)

    with TemporaryFile(prefix="source-") as file:
        parts = requested.parts.order_by("number")
        for place in range(parts.count()):  # one at a time in memory
            file.write(parts.values_list("content", flat=True)[place])
        file.seek(0)
        import_source(
            source=requested.source,
            file=file,
            filename=requested.filename,
            in_force=requested.in_force,
            kind=requested.kind,
            by=Actor(requested.requested_by),
            progress=progress,
        )
    requested.delete()
    return True


def players_read(requested: SourceImport) -> int:
    """How many players of a file the worker has read so far; 0 where that is not known. No query."""
    return stored_count(progress_key(requested))


def progress_key(requested: SourceImport) -> str:
    return f"source-import:{requested.pk}"
