"""Names the person who acts to the database, with a proof that SQL cannot make (migrations/sql/acting_person.sql).

The database refuses rows in the name of another person from the web
(docs/decisions/0034-the-database-knows-who-acts.md). A proof is sent before the first statement of a transaction and
ends with it: no connection carries it into another request. What is written outside a transaction has none.
"""

import hmac
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.crypto import salted_hmac
from psycopg.pq import TransactionStatus

from reporting.models import User

LIFETIME_SECONDS = 60
"""Of a proof; the clocks of web and database may differ by less. One over half of its time is renewed."""
BLOCK_BYTES = 64
"""Of SHA-256: an HMAC key is filled up to as many."""


@dataclass(frozen=True)
class Proof:
    """A proof of the present transaction, kept among the hooks of its commit.

    Django drops it there when the transaction or its savepoint is rolled back, as PostgreSQL drops the setting.
    """

    person: int
    expires: int

    def __call__(self) -> None:
        """Nothing is done after the commit."""

    def is_fresh(self) -> bool:
        return self.expires - time.time() > LIFETIME_SECONDS / 2


class ActingPerson:
    """A wrapper of statements: names this person before the first one of each transaction. 1 statement a transaction.

    Without a person (a visitor) nothing is sent. Of two wrappers the inner one names its person. A request that only
    reads has `writes` false: its transactions pay nothing, and a service that writes in one all the same calls
    `name_person`.
    """

    def __init__(self, person: Callable[[], int | None], *, writes: bool = True) -> None:
        self.person = person
        self.writes = writes

    def __call__(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        database: BaseDatabaseWrapper = context["connection"]
        if self.writes and database.in_atomic_block and innermost(database) is self:
            prove(database, self.person())
        return execute(sql, params, many, context)


def name_person() -> None:
    """Name the person of a request for what follows in this transaction, also if the request only reads."""
    wrapper = innermost(connection)
    prove(connection, wrapper.person() if wrapper else None)


@contextmanager
def acting_as(account: User | None) -> Iterator[None]:
    """Act in the name of an account other than that of the request: of its owner by a link, of an earlier act.

    None where nothing is written: a snapshot says what it is before any other statement.
    """
    with connection.execute_wrapper(ActingPerson(lambda: account.pk if account else None)):
        yield


def innermost(database: BaseDatabaseWrapper) -> ActingPerson | None:
    """The wrapper that names the person of this connection's next transaction."""
    wrappers = reversed(database.execute_wrappers)
    return next((wrapper for wrapper in wrappers if isinstance(wrapper, ActingPerson)), None)


def prove(database: BaseDatabaseWrapper, person: int | None) -> None:
    """Send the proof of a person unless the transaction has it, or failed and only waits for its end."""
    hooks = (hook for _, hook, *_ in reversed(database.run_on_commit))
    sent = next((hook for hook in hooks if isinstance(hook, Proof)), None)
    if person is None or (sent is not None and sent.person == person and sent.is_fresh()):
        return
    if database.connection.info.transaction_status == TransactionStatus.INERROR:
        return
    proof = Proof(person, int(time.time()) + LIFETIME_SECONDS)
    database.on_commit(proof)  # first: the statement that sends it comes by here too
    with database.cursor() as cursor:
        value = signed(proof, database.connection.info.backend_pid)
        cursor.execute("SELECT set_config('office.acting_person', %s, true)", [value])


def signed(proof: Proof, backend_pid: int) -> str:
    """The proof as the database reads it, for the connection with this number of its PostgreSQL process."""
    text = f"{proof.person}:{backend_pid}:{proof.expires}"
    return f"{text}:{hmac.digest(acting_key(), text.encode(), 'sha256').hex()}"


def acting_key() -> bytes:
    """Derived from SECRET_KEY, for this use only."""
    return salted_hmac("reporting.log.acting_person", "key", algorithm="sha256").digest()


def write_acting_key(*, using: str = "default", **_: Any) -> None:
    """Give the database the key of the present SECRET_KEY: after every `migrate`, as the owner of the tables."""
    key = acting_key().ljust(BLOCK_BYTES, b"\0")
    inner_pad, outer_pad = (bytes(byte ^ pad for byte in key) for pad in (0x36, 0x5C))  # RFC 2104
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.reporting_actingkey') IS NOT NULL")
        if not cursor.fetchone()[0]:  # not migrated so far
            return
        cursor.execute(
            "INSERT INTO reporting_actingkey (inner_pad, outer_pad) VALUES (%s, %s) ON CONFLICT (only_row) DO UPDATE"
            " SET inner_pad = excluded.inner_pad, outer_pad = excluded.outer_pad",
            [inner_pad, outer_pad],
        )
