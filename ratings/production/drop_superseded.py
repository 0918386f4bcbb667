"""Superseded drafts give their partitions back, at night."""

from django.db import OperationalError, connection, transaction

from ratings.models import RatingList


def drop_superseded() -> int:
    """Drop the partitions of superseded lists; answers how many went.

    Dropping waits for every reader and holds up new ones, so it waits a second at most: a list in use stays until
    the next night. The list's own line stays for the record.
    """
    dropped = 0
    for pk in RatingList.objects.filter(state=RatingList.State.SUPERSEDED).values_list("pk", flat=True):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [f"ratings_ratinglistrow_{pk}"])
                if cursor.fetchone() == (True,):
                    cursor.execute("SELECT drop_superseded_partition(%s)", [pk])
                    dropped += 1
        except OperationalError:  # lock_timeout
            continue
    return dropped
