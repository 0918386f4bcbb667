"""The accounts of the application, the tables of a list's figures, and a published list."""

from contextlib import AbstractContextManager

import psycopg
import pytest

ACCOUNTS = ("app_worker", "app_web")
TABLES = ("fmjd_listrow", "fmjd_change")


def published_list(session: psycopg.Connection) -> int:
    """The newest published list: it has rows, changes and files."""
    return session.execute("SELECT id FROM ratings_ratinglist ORDER BY in_force DESC LIMIT 1").fetchone()[0]


def rolled_back(session: psycopg.Connection) -> AbstractContextManager[object]:
    """A savepoint to which the session goes back, whatever was done or refused in it."""
    return session.transaction(force_rollback=True)


def refused(session: psycopg.Connection, error: type[Exception], statement: str) -> None:
    with pytest.raises(error), session.transaction():  # a savepoint
        session.execute(statement)
