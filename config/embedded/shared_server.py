"""A server that several processes share: the first one starts it, the last one stops it.

Every user holds a shared lock on a file, the last one out gets the exclusive lock and stops the server. The
kernel drops the lock of a killed process, so nothing is counted and nothing leaks.
"""

import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

MAX_SOCKET_PATH = 100  # the kernel's limit is 107 bytes; PostgreSQL and Valkey add nothing beyond the rest
START_TIMEOUT = 60.0


class EmbeddedServerError(RuntimeError):
    """A sentence for the person at the terminal."""


def private_directory(path: Path, owners: set[int]) -> Path:
    """A directory in a place where every user may write: ours and closed to others, or refused."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners or found.st_mode & 0o022:
        raise EmbeddedServerError(
            f"{path} belongs to another user or is open to others. Remove it and start again."
        )
    return path


def short_directory(path: Path) -> Path:
    """The place of a socket whose own directory has too long a name."""
    tag = hashlib.sha256(str(path).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rating-office-{os.geteuid()}-{tag}"


class EmbeddedServer:
    """One server under `var`, shared by every process that acquires it."""

    def __init__(self, var: Path, name: str) -> None:
        self.var = var
        self.name = name
        self._lock: IO[str] | None = None
        self._holder = 0

    def is_alive(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def _open(self, ending: str) -> IO[str]:
        try:
            self.var.mkdir(parents=True, exist_ok=True)
            return (self.var / f"{self.name}.{ending}").open("w")
        except PermissionError as error:
            raise EmbeddedServerError(
                f"{self.var} belongs to another user: run `make clean` as that user or set RATING_OFFICE_VAR."
            ) from error

    @contextmanager
    def _gate(self) -> Iterator[None]:
        """One process at a time starts or stops the server."""
        with self._open("gate") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield

    def acquire(self) -> Self:
        with self._gate():
            lock = self._open("lock")
            fcntl.flock(lock, fcntl.LOCK_SH)
            try:
                if not self.is_alive():
                    self.start()
            except BaseException:
                lock.close()
                raise
            self._lock = lock
        self._holder = os.getpid()
        return self

    def restart_if_dead(self) -> None:
        """For who holds it and looks after it: a server that was killed is started again."""
        with self._gate():
            if not self.is_alive():
                self.start()

    def release(self) -> None:
        """Give the server up; the last one out stops it. A forked child leaves that to its parent."""
        if self._lock is None or self._holder != os.getpid():
            return
        with self._gate():
            with suppress(BlockingIOError):
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.stop()
            self._lock.close()
            self._lock = None

    def remove(self) -> None:
        """Stop a server that is not in use; its data may then be removed. Refuses while a process uses it."""
        with self._gate(), self._open("lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise EmbeddedServerError(f"The {self.name} server in {self.var} is in use.") from error
            if self.is_alive():
                self.stop()
