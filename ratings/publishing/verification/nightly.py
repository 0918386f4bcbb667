"""The verification of every night: all published lists, the signed history, and the rules that the data follow."""

import logging

from django.db import connection, transaction

from ratings.publishing.notifications import notify_differences
from ratings.publishing.signed_history.verify_history import verify_history
from ratings.publishing.signs import VERIFICATION
from ratings.publishing.verification.other_publications import verify_other_publications
from ratings.publishing.verification.verify_lists import verify_lists
from reporting.log.audit import acting_worker, record
from reporting.log.invariants.registry import broken_invariants, invariants

logger = logging.getLogger(__name__)


def verify_published() -> int:
    """Compare everything published and the signed history, and check all invariants.

    Returns how many differences there are; administrators and rating officers get a message with them.

    Everything is read in one snapshot. The log has each verification, by which its absence is noticed (decision 0144).
    Must not be called inside a transaction.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        differences = verify_history()
        for verified in verify_lists():
            differences += map(str, verified.differences)
        for _, found in verify_other_publications():
            differences += found
        differences += map(str, broken_invariants(invariants()))
    worker = acting_worker()
    record(by=worker, action=VERIFICATION, subject="published data", after={"differences": len(differences)})
    for difference in differences:
        logger.error("published data differ", extra={"difference": difference})
    if differences:
        notify_differences(differences)
    return len(differences)
