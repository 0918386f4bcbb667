"""The season in one file, `var/season.tar.gz`: made once, and unpacked by each first start.

It is the cluster of an office that loaded the season, packed while its server was stopped. It is made again where the
code, the versions or the day are others, or where the file is broken. What makes it works in `var/season`, so a start
that is interrupted leaves no half season in the office's own cluster.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from django.conf import settings

from config.embedded import servers
from config.embedded.postgres_server import BrokenFileError, Postgres

KEPT = FILE, DIGEST, MAKING, LOCK = ("season.tar.gz", "season.sha256", "season", "season.lock")
CODE = ("config", "ratings", "reporting", "titles")


def digest_of_season(root: Path, today: date, *more: Path) -> str:
    """Of what decides which rows the season has: code, locked versions, PostgreSQL's place and the day."""
    found = hashlib.sha256(f"{today} {os.environ.get('PG_BIN')}".encode())
    files = [root / "requirements.lock", *more]
    for folder in CODE:
        files += sorted((root / folder).rglob("*.*"))
    for file in files:
        if file.is_file() and file.suffix != ".pyc" and "node_modules" not in file.parts:
            found.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return found.hexdigest()


def begin_with_season(var: Path, today: date, make: Callable[[Path], None]) -> None:
    """Unpack the season as the cluster of the office in `var`, unless there is one.

    Where there is no file of today's season, `make` loads it into the office in the folder that it gets.
    """
    office = Postgres(var, durable=True)
    with _one_at_a_time(var):
        if (office.data / "PG_VERSION").exists():
            return
        _ensure_file(var, today, make)
        try:
            office.unpack(var / FILE)
        except BrokenFileError:
            (var / DIGEST).unlink()
            _ensure_file(var, today, make)
            office.unpack(var / FILE)


def ensure_file(var: Path, today: date, make: Callable[[Path], None]) -> None:
    """For an installation: the first start of the day finds the file."""
    with _one_at_a_time(var):
        _ensure_file(var, today, make)


def _ensure_file(var: Path, today: date, make: Callable[[Path], None]) -> None:
    wanted = digest_of_season(settings.BASE_DIR, today)
    if (var / FILE).exists() and (var / DIGEST).exists() and (var / DIGEST).read_text() == wanted:
        return
    (var / DIGEST).unlink(missing_ok=True)
    making = var / MAKING
    servers.remove(making)
    cluster = Postgres(making, durable=True).acquire()
    try:
        make(making)
        cluster.release()
        cluster.pack(var / FILE)
        (var / DIGEST).write_text(wanted)
    finally:
        cluster.release()
        servers.remove(making)


@contextmanager
def _one_at_a_time(var: Path) -> Iterator[None]:
    var.mkdir(parents=True, exist_ok=True)
    with (var / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
