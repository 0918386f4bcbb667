"""The verification of every night: all published lists, and the signed history."""

import logging

from django.db import connection, transaction

from ratings.publishing.notifications import notify_differences
from ratings.publishing.signed_history.verify_history import verify_history
from ratings.publishing.verification.verify_lists import verify_lists

logger = logging.getLogger(__name__)


def verify_published() -> int:
    """Compare everything published and the signed history; returns how many differences. Officers are told.

    Everything is read in one snapshot. Must not be called inside a transaction.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        differences = verify_history()
        for verified in verify_lists():
            differences += map(str, verified.differences)
    for difference in differences:
        logger.error("published data differ", extra={"difference": difference})
    if differences:
        notify_differences(differences)
    return len(differences)
