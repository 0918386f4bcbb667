"""Sessions of the database's own accounts on the demonstration, for tests of what the database itself refuses."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import psycopg
import pytest
from django.db import connections

Session = Callable[[str], AbstractContextManager[psycopg.Connection]]


@pytest.fixture
def session_of(season_shared: None) -> Session:
    """Opens a session of an account (`app_web`, `app_worker`, `postgres`); whatever it did is rolled back."""

    @contextmanager
    def open_session(user: str) -> Iterator[psycopg.Connection]:
        here = connections["default"].get_connection_params()
        with psycopg.connect(host=here["host"], user=user, dbname=here["dbname"]) as session:
            try:
                yield session
            finally:
                session.rollback()

    return open_session
