from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, OperationalError, connection
from psycopg.errors import LockNotAvailable

from reporting.refusals.domain_error import DomainError

# One key for all pools: a freeze is rare and short.
CLOSING = 9_091_004


def share_closing_lock() -> None:
    """Delay a freeze until this transaction ends. Taken before any row lock by every action that adds to a period.

    Raises DomainError `busy` if a freeze takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock_shared(%s)", "busy.freezing")


def take_closing_lock() -> None:
    """Wait for all running uploads and acceptances, then block new ones until this transaction ends.

    Raises DomainError `busy` if one of them takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock(%s)", "busy.storing")


ACCEPTING = 9_091_020


def take_accepting_lock() -> None:
    """One acceptance at a time, so that the second of two reports of one tournament sees the first.

    Raises DomainError `busy` if another one takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock(%s)", "busy.accepting", ACCEPTING)


def _lock(query: str, refusal: str, key: int | str = CLOSING) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(query, [key])
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise DomainError(refusal) from error
        raise


# As in ratings/migrations/sql/erased_names.sql. Before the closing lock: a transaction that waits for this one holds no
# lock that an erasure needs.
NAMES = 9_091_023


def share_names_lock() -> None:
    """Delay erasures of names until this transaction ends. Taken before names are read that lists or files then have.

    Raises DomainError `busy` if an erasure takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock_shared(%s)", "busy.erasing", NAMES)


@contextmanager
def hold_names_lock() -> Iterator[None]:
    """The same until the end of a block, for a snapshot that is taken in it: outside any transaction.

    A lock that is waited for inside the transaction would be younger than its snapshot. Raises DomainError `busy`.
    """
    _lock("SELECT pg_advisory_lock_shared(%s)", "busy.erasing", NAMES)
    try:
        yield
    finally:
        release("SELECT pg_advisory_unlock_shared(%s)", NAMES)


def release(query: str, *keys: int) -> None:
    """Release a lock of the session; where it cannot be released, the end of the connection releases it."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(query, keys)
    except DatabaseError:
        connection.close()


def take_names_lock() -> None:
    """Wait for lists that are calculated or whose files are written, then block new ones until this transaction ends.

    Raises DomainError `busy` if one of them takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock(%s)", "busy.listing", NAMES)


NUMBERING = 9_091_011


def take_numbering_lock() -> None:
    """Assign tournament numbers and FMJD-IDs in one transaction at a time: each is the largest so far plus one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [NUMBERING])


BIRTH_DATES = 9_091_022


def take_birth_dates_lock() -> None:
    """One comparison of dates of birth at a time, so that the second sees the attempts of the first.

    Raises DomainError `busy` if another one takes longer than lock_timeout.
    """
    _lock(
        "SELECT pg_advisory_xact_lock(%s)",
        "busy.submitting",
        BIRTH_DATES,
    )


def take_upload_lock(sha256: str) -> None:
    """One upload of the same bytes at a time, so that the second sees the first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [sha256])


def take_repeat_lock(act: str) -> None:
    """One act of this kind at a time, so that the second of two equal forms finds what the first one made.

    Raises DomainError `busy` if another one takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", "busy", f"act {act}")


def take_sender_lock(email: str) -> None:
    """One request from the same address at a time, so that the second sees the mail of the first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"request {email}"])


def take_key_lock(account: int, key: str) -> None:
    """One request with the same idempotency key at a time, so that the second sees the answer of the first.

    Raises DomainError `busy` if the first one takes longer than lock_timeout.
    """
    _lock("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", "busy", f"answer {account} {key}")
