"""Install the toy league for a test, as tests/toy_federation/installed.py does; both may be installed at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.toy_federation.installed import installed


@contextmanager
def league_installed(**changes: object) -> Iterator[None]:
    """The app is in INSTALLED_APPS and its tables are migrated; `changes` are other attributes of the system."""
    with installed("tests.toy_games", "league", **changes):
        yield
