"""The whole office in one file, and back: database, the roles of its processes, what the settings must say.

The file is a tar of `roles.sql`, the pieces of `database.dump` (pg_dump's own format) and `manifest.json`, encrypted to
an age recipient if one is given. The manifest has the SHA-256 of both, the number of rows of every table in the very
snapshot that was dumped, and the names (never the values) of the settings that an installation needs.

Everything passes through pipes: nothing of an encrypted backup is ever on a disk as plain bytes, nor more than a
piece of it in memory.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import pyrage
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext

from config.embedded.postgres_server import postgres_programs
from ratings.publishing.signs import BACKUP
from reporting.log.audit import OFFICER, Actor, record
from reporting.models import User

NEEDED_SETTINGS = (
    "SECRET_KEY", "DATABASE_URL", "BROKER_URL", "CACHE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS",
    "OFFICE_TIME_ZONE", "FIRST_REPORTS", "OFFICE_NAME", "OFFICE_URL", "EMAIL_URL", "DEFAULT_FROM_EMAIL", "DATA_LICENCE",
    "DATA_LICENCE_URL", "DATA_ATTRIBUTION", "CONTACT_EMAIL", "SIGNATURES_COPY", "METRICS_BIND", "OWNER_PASSWORD",
    "WEB_PASSWORD", "WORKER_PASSWORD", "BROKER_PASSWORD",
)  # fmt: skip
AGE_BEGINS = b"age-encryption.org/v1"
PIECE = 8_000_000
"""Bytes of the dump in a member of the tar: its length is before it, and that of the dump is not known."""
DUMP, ROLES_FILE, MANIFEST = "database.dump", "roles.sql", "manifest.json"
LARGEST_MANIFEST = 10_000_000
# Without passwords: those of the new installation hold. A role that is there already stays as it is.
ROLES = """do $$ begin create role app_web login; exception when duplicate_object then null; end $$;
do $$ begin create role app_worker login; exception when duplicate_object then null; end $$;
"""


class BackupError(Exception):
    """A sentence for the person at the terminal; nothing was changed."""


@dataclass(frozen=True)
class Backup:
    """What was written or restored: rows by table, and the bytes of the file."""

    rows: dict[str, int]
    size_bytes: int


def write_backup(target: Path, *, recipient: str = "") -> Backup:
    """Write the office as it is at this moment to `target`, which appears whole or not at all.

    `recipient` is the public key (`age1…`) to which the file is encrypted. The log has it afterwards, by which its
    absence is noticed (ratings/publishing/signs.py). Raises BackupError.
    """
    recipients = [parse_recipient(recipient)] if recipient else []
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".backup-")  # its owner's alone
    try:
        with os.fdopen(handle, "wb") as file:
            with encrypted(file, recipients) as sink, tarfile.open(fileobj=sink, mode="w|") as tar:
                rows = write_parts(tar)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)
    backup = Backup(rows, target.stat().st_size)
    # Only the columns that every release has: a backup is also written before a migration.
    command = Actor(User.objects.only("pk").get(email=OFFICER), by_command=True)
    after = {"bytes": backup.size_bytes, "encrypted": bool(recipient)}
    record(by=command, action=BACKUP, subject="backup", after=after)
    return backup


def write_parts(tar: tarfile.TarFile) -> dict[str, int]:
    """The parts of a backup, written while pg_dump gives them; the rows by table."""
    digests = {ROLES_FILE: hashlib.sha256(), DUMP: hashlib.sha256()}

    def add(name: str, content: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        tar.addfile(member, BytesIO(content))

    add(ROLES_FILE, ROLES.encode())
    digests[ROLES_FILE].update(ROLES.encode())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot(), current_setting('server_version')")
        snapshot, version = cursor.fetchone()
        rows = rows_by_table(cursor)
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
        with program(
            "pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", stdout=subprocess.PIPE
        ) as dump:
            assert dump.stdout is not None  # noqa: S101 (it is a pipe)
            number = 0
            while piece := dump.stdout.read(PIECE):
                add(f"{DUMP}.{number:06}", piece)
                digests[DUMP].update(piece)
                number += 1
    manifest = {
        "made_at": timezone.now().isoformat(),
        "postgresql": version,
        "migrations": migrations,
        "settings_needed": NEEDED_SETTINGS,
        "rows": rows,
        "sha256": {name: digest.hexdigest() for name, digest in digests.items()},
    }
    add(MANIFEST, json.dumps(manifest, indent=1).encode() + b"\n")
    return rows


def restore_backup(source: Path, *, identity: Path | None = None) -> Backup:
    """Fill the empty database of this installation from a file of `write_backup`, in one transaction.

    `identity` is the file with the secret key (`AGE-SECRET-KEY-…`) of an encrypted one. The file is read twice: whole
    and compared with its digests before anything is written. Raises BackupError where the database is not empty, the
    file is damaged or cannot be decrypted, or the rows restored are not those of the manifest.
    """
    with connection.cursor() as cursor:
        if tables := rows_by_table(cursor):
            raise BackupError(
                gettext("The database is not empty: it has %(tables)s tables. Restore into a new one.")
                % {"tables": len(tables)}
            )
    roles, rows_expected = verify_backup(source, identity=identity)
    with program(
        "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-", stdin=subprocess.PIPE
    ) as psql:
        feed(psql, [roles])
    with (
        opened(source, identity) as tar,
        program(
            *("pg_restore", "--no-owner", "--exit-on-error", "--single-transaction"),
            f"--dbname={connection.settings_dict['NAME']}",
            stdin=subprocess.PIPE,
        ) as restore,
    ):
        feed(restore, (piece for name, piece in pieces(tar) if name.startswith(DUMP)))
    with connection.cursor() as cursor:
        rows = rows_by_table(cursor)
    if rows != rows_expected:
        different = sorted(
            name for name in {*rows, *rows_expected} if rows.get(name) != rows_expected.get(name)
        )
        raise BackupError(
            gettext("The rows restored differ from the manifest in: %(tables)s.")
            % {"tables": ", ".join(different)}
        )
    return Backup(rows, source.stat().st_size)


def verify_backup(source: Path, *, identity: Path | None = None) -> tuple[bytes, dict[str, int]]:
    """Read a backup to its end and compare it with its digests: the SQL of its roles, and its rows by table.

    Raises BackupError where the file is damaged, cut short, of something else or cannot be decrypted.
    """
    digests = {ROLES_FILE: hashlib.sha256(), DUMP: hashlib.sha256()}
    small = {ROLES_FILE: b"", MANIFEST: b""}
    with opened(source, identity) as tar:
        for name, piece in pieces(tar):
            part = DUMP if name.startswith(DUMP) else name
            if part in small:
                small[part] += piece
            if part in digests:
                digests[part].update(piece)
            if (part not in digests and part not in small) or len(small.get(part, b"")) > LARGEST_MANIFEST:
                raise BackupError(gettext("%(file)s is no backup of this office.") % {"file": source.name})
    if not small[MANIFEST]:  # it comes last
        raise BackupError(
            gettext("%(file)s is no backup of this office, or was cut short.") % {"file": source.name}
        )
    try:
        manifest = json.loads(small[MANIFEST])
        expected, rows = manifest["sha256"], manifest["rows"]
    except (ValueError, KeyError, TypeError) as error:
        raise BackupError(
            gettext("%(part)s in %(file)s is damaged.") % {"part": MANIFEST, "file": source.name}
        ) from error
    for name, digest in digests.items():
        if digest.hexdigest() != expected.get(name):
            raise BackupError(
                gettext("%(part)s in %(file)s is damaged: its SHA-256 is not that of the manifest.")
                % {"part": name, "file": source.name}
            )
    return small[ROLES_FILE], rows


def rows_by_table(cursor: Any) -> dict[str, int]:
    """The number of rows of every table of ours, partitions counted with the table that they belong to."""
    cursor.execute(
        "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"
    )
    rows = {}
    for (name,) in cursor.fetchall():
        cursor.execute(f"SELECT count(*) FROM {name}")  # noqa: S608 - a name that PostgreSQL quoted
        rows[name] = cursor.fetchone()[0]
    return rows


@contextmanager
def encrypted(file: IO[bytes], recipients: list[Any]) -> Iterator[IO[bytes]]:
    """What is written here reaches the file, encrypted on its way if there are recipients."""
    if not recipients:
        yield file
        return
    with piped(lambda source: pyrage.encrypt_io(source, file, recipients), "rb") as (sink, done):
        yield sink
        sink.close()
        done.result()


@contextmanager
def opened(source: Path, identity: Path | None) -> Iterator[tarfile.TarFile]:
    """The tar of a backup to be read once from its beginning, decrypted on its way. Raises BackupError."""
    try:
        with source.open("rb") as file:
            is_encrypted = file.read(len(AGE_BEGINS)) == AGE_BEGINS
            file.seek(0)
            if not is_encrypted:
                with tarfile.open(fileobj=file, mode="r|") as tar:
                    yield tar
                return
            if identity is None:
                raise BackupError(
                    gettext("%(file)s is encrypted: name the file with the secret key by --identity.")
                    % {"file": source.name}
                )
            key = read_identity(identity)

            def decrypt(sink: IO[bytes]) -> None:
                try:
                    pyrage.decrypt_io(file, sink, [key])
                except (pyrage.DecryptError, OSError) as error:  # of a wrong key, of a damaged piece
                    raise BackupError(
                        gettext("%(file)s could not be decrypted with this key, or is damaged.")
                        % {"file": source.name}
                    ) from error

            with piped(decrypt, "wb") as (plain, done):
                try:
                    with tarfile.open(fileobj=plain, mode="r|") as tar:
                        yield tar
                    while plain.read(PIECE):
                        pass
                except tarfile.TarError:
                    done.result()  # where decryption ended early, that is the reason
                    raise
                done.result()
    except (OSError, tarfile.TarError) as error:
        raise BackupError(
            gettext("%(file)s could not be read: %(error)s") % {"file": source, "error": error}
        ) from error


@contextmanager
def piped(work: Callable[[IO[bytes]], None], mode: str) -> Iterator[tuple[IO[bytes], Future[None]]]:
    """Our end of a pipe at whose other end, opened in this mode, a thread works, and what becomes of that work."""
    reading, writing = os.pipe()
    theirs, ours = (reading, writing) if mode == "rb" else (writing, reading)

    def at_the_other_end() -> None:
        with os.fdopen(theirs, mode) as end:
            work(end)

    with ThreadPoolExecutor(1) as thread, os.fdopen(ours, "wb" if mode == "rb" else "rb") as end:
        yield end, thread.submit(at_the_other_end)


def pieces(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each member of a tar in turn, of a large one in pieces."""
    for member in tar:
        content = tar.extractfile(member)
        while content is not None and (piece := content.read(PIECE)):
            yield member.name, piece


def parse_recipient(text: str) -> Any:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError as error:
        raise BackupError(gettext("The recipient is no public key of age: it begins with age1.")) from error


def read_identity(path: Path) -> Any:
    lines = [line.strip() for line in path.read_text().splitlines() if line.startswith("AGE-SECRET-KEY-")]
    try:
        return pyrage.x25519.Identity.from_str(lines[0])
    except (IndexError, pyrage.IdentityError) as error:
        raise BackupError(
            gettext("%(file)s has no secret key of age: a line AGE-SECRET-KEY-….") % {"file": path.name}
        ) from error


@contextmanager
def program(
    name: str, *arguments: str, stdin: int | None = None, stdout: int | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """One of PostgreSQL's programs, on the database of this process; the password is not on its command line.

    Raises BackupError with what it says where it fails.
    """
    given = connection.get_connection_params()
    names = {
        "host": "PGHOST",
        "port": "PGPORT",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "dbname": "PGDATABASE",
    }
    environment = {variable: str(given[key]) for key, variable in names.items() if given.get(key)}
    found = postgres_programs() / name if settings.EMBEDDED_DATABASE else shutil.which(name)
    if not found:
        raise BackupError(
            gettext("%(program)s is missing: run this in the image of backups (docs/how-to/backup.md).")
            % {"program": name}
        )
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(
            [found, *arguments], env=os.environ | environment, stdin=stdin, stdout=stdout, stderr=said
        ) as process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            said.seek(0)
            failed = gettext("%(program)s failed.") % {"program": name}
            raise BackupError(f"{failed}\n{said.read().decode(errors='replace').strip()}")


def feed(process: "subprocess.Popen[bytes]", content: Any) -> None:
    """Write pieces to the input of a program; one that ends before says why itself."""
    assert process.stdin is not None  # noqa: S101 (it is a pipe)
    with suppress(BrokenPipeError):
        for piece in content:
            process.stdin.write(piece)
        process.stdin.close()
