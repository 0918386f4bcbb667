"""PostgreSQL and a Redis-protocol broker without installing anything, for `make demo` and the tests.

Used only where DATABASE_URL or BROKER_URL is not set. Both servers live as long as any process needs them.

Only the standard library is imported at the top, here and in the modules of the servers: `make clean` runs this file
with the system's Python.
"""

import atexit
import shutil
import sys
import threading
from collections.abc import Collection
from pathlib import Path
from typing import cast

from config.embedded.broker_server import Broker
from config.embedded.postgres_server import Postgres
from config.embedded.shared_server import EmbeddedServer, EmbeddedServerError, short_directory

_held: dict[tuple[str, Path], EmbeddedServer] = {}
_one_at_a_time = threading.Lock()


def _hold(server: EmbeddedServer) -> EmbeddedServer:
    with _one_at_a_time:
        key = (server.name, server.var)
        if key not in _held:
            _held[key] = server.acquire()
        return _held[key]


def postgres(var: Path, *, durable: bool = True) -> Postgres:
    """The running server, held by this process until it ends."""
    return cast(Postgres, _hold(Postgres(var, durable=durable)))


def broker(var: Path) -> Broker:
    """The running broker, held by this process until it ends."""
    return cast(Broker, _hold(Broker(var)))


@atexit.register
def release_all() -> None:
    """At the end of a process, the last one acquired first."""
    while _held:
        _held.popitem()[1].release()


def remove(var: Path, *, but: Collection[str] = ()) -> None:
    """Also what is outside `var`; `var` itself is last, but for these names. Refuses while a server is in use."""
    if var.exists():
        Broker(var).remove()
        for durable in (True, False):
            Postgres(var, durable=durable).remove()
        shutil.rmtree(short_directory(var), ignore_errors=True)
        for found in var.iterdir():
            if found.name in but:
                continue
            if found.is_dir():
                shutil.rmtree(found)
            else:
                found.unlink(missing_ok=True)
        if not but:
            var.rmdir()


if __name__ == "__main__":
    try:
        for argument in sys.argv[1:]:
            remove(Path(argument).resolve())
    except EmbeddedServerError as refusal:
        sys.exit(str(refusal))
