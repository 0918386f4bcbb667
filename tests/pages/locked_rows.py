"""A row that somebody else is changing, for a test of what a page says meanwhile. Asks for `transaction=True`."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import connection
from django.db.models import Model


@contextmanager
def locked(statement: str, value: int) -> Iterator[None]:
    """Another connection holds what the statement locks; this one waits a fifth of a second for it instead of five."""
    other = connection.copy()
    with other.cursor() as theirs, connection.cursor() as ours:
        theirs.execute("BEGIN")
        theirs.execute(statement, [value])
        ours.execute("SET lock_timeout = '200ms'")
    try:
        yield
    finally:
        with other.cursor() as theirs:  # the server lets go of a closed connection's locks a moment later
            theirs.execute("ROLLBACK")
            theirs.execute("SELECT pg_advisory_unlock_all()")
        other.close()
        with connection.cursor() as ours:
            ours.execute("RESET lock_timeout")


def held(row: Model) -> AbstractContextManager[None]:
    """The row is locked."""
    return locked(f"SELECT id FROM {row._meta.db_table} WHERE id = %s FOR UPDATE", row.pk)
