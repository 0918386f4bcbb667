"""Sessions of the database's own accounts on the demonstration, for tests of what the database itself refuses."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import psycopg
import pytest
from django.db import connections

Session = Callable[..., AbstractContextManager[psycopg.Connection]]


@pytest.fixture
def session_of(season_shared: None) -> Session:
    """Opens a session of an account (`app_web`, `app_worker`, `postgres`); whatever it did is rolled back.

    The web writes in the name of any person, so that the guard of a test is the one that refuses. With `bound` it is
    bound to the person who acts, as it is outside the tests.
    """

    @contextmanager
    def open_session(user: str, *, bound: bool = False) -> Iterator[psycopg.Connection]:
        here = connections["default"].get_connection_params()
        setting = "" if bound else "-c tests.outside_a_request=on"
        with psycopg.connect(host=here["host"], user=user, dbname=here["dbname"], options=setting) as session:
            try:
                yield session
            finally:
                session.rollback()

    return open_session
