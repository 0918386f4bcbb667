"""What must hold in the data: each app registers its statements when it starts; each finds the rows that break it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext, ngettext

KEYS_NAMED = 5
"""Of the rows that break a statement, how many are named."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A statement about the data that holds at each moment.

    `query` gives one column, the key of each row that breaks it: a person can find the row by it.
    """

    code: str
    says: str
    query: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A statement that does not hold: how many rows break it, and the first keys. As text in the language in use."""

    invariant: Invariant
    rows: int
    keys: tuple[str, ...]

    def __str__(self) -> str:
        more = ", …" if self.rows > len(self.keys) else ""
        return ngettext(
            "%(code)s: %(rows)s row breaks this rule: %(says)s Row: %(keys)s",
            "%(code)s: %(rows)s rows break this rule: %(says)s Rows: %(keys)s",
            self.rows,
        ) % {
            "code": self.invariant.code,
            "rows": self.rows,
            "says": gettext(self.invariant.says),
            "keys": ", ".join(self.keys) + more,
        }


# Keyed: an app that starts again, as in tests that change INSTALLED_APPS, registers the same statements.
_registered: dict[Callable[[], Iterable[Invariant]], None] = {}


def register_invariants(statements: Callable[[], Iterable[Invariant]]) -> None:
    """Add the statements of an app about one subject; once each."""
    _registered[statements] = None


def invariants() -> list[Invariant]:
    """Every statement, by subject."""
    return [invariant for statements in _registered for invariant in statements()]


def broken_invariants(checked: Iterable[Invariant]) -> Iterator[Broken]:
    """Those of these statements that do not hold. 1 query each, which reads all rows that it is about."""
    with connection.cursor() as cursor:
        for invariant in checked:
            cursor.execute(
                f"SELECT count(*), (array_agg(key ORDER BY key))[:{KEYS_NAMED}]"  # noqa: S608 (of the code alone)
                f" FROM ({invariant.query}) AS broken (key)"
            )
            rows, keys = cursor.fetchone()
            if rows:
                yield Broken(invariant, rows, tuple(map(str, keys)))
