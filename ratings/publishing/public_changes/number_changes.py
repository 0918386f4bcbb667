"""The worker's step: entries of the log become numbered changes, each once.

Keys of log entries are not in the order of commits, and transaction numbers do not survive a restore. So a trigger
writes a row for each entry in the transaction of the act; the worker that deletes the row numbers the changes, in one
transaction, one worker at a time.
"""

from django.db import connection, transaction
from django.db.models import Max

from ratings.models import PublicChange, UnreadEntry
from ratings.publishing.public_changes.registry import public_changes
from reporting.models import LogEntry

NUMBERING_LOCK = 9_091_025
ENTRIES_AT_ONCE = 500


def number_changes() -> int:
    """Read all entries of the log that were not read; answers how many changes they made. May run any number of times.

    0 where another worker does it. 2 queries where there is nothing to read; no transaction number is used then, so
    that kept pages stay.
    """
    numbered = 0
    while (found := _number_next()) is not None:
        numbered += found
    return numbered


@transaction.atomic
def _number_next() -> int | None:
    """How many changes the next entries made; None where there are no entries to read."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [NUMBERING_LOCK])
        if not cursor.fetchone()[0]:
            return None
    keys = list(UnreadEntry.objects.order_by("pk").values_list("pk", flat=True)[:ENTRIES_AT_ONCE])
    if not keys:
        return None
    entries = list(LogEntry.objects.filter(pk__in=keys).order_by("pk"))
    changes = list(public_changes(entries))
    last = PublicChange.objects.aggregate(last=Max("number"))["last"] or 0
    for number, change in enumerate(changes, start=last + 1):
        change.number = number
    PublicChange.objects.bulk_create(changes)
    UnreadEntry.objects.filter(pk__in=keys).delete()
    return len(changes)
