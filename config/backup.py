"""The whole office in one file, and back: database, the roles of its processes, what the settings must say.

The file is a tar of `manifest.json`, `roles.sql` and `database.dump` (pg_dump's own format), encrypted to an age
recipient if one is given. The manifest has the SHA-256 of both, the number of rows of every table in the very
snapshot that was dumped, and the names (never the values) of the settings that an installation needs.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyrage
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from config import embedded

NEEDED_SETTINGS = (
    "SECRET_KEY", "DATABASE_URL", "BROKER_URL", "CACHE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS",
    "OFFICE_TIME_ZONE", "OFFICE_URL", "EMAIL_URL", "DEFAULT_FROM_EMAIL", "OWNER_PASSWORD", "WEB_PASSWORD",
    "WORKER_PASSWORD", "BROKER_PASSWORD",
)  # fmt: skip
AGE_BEGINS = b"age-encryption.org/v1"
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
    octets: int


def write_backup(target: Path, *, recipient: str = "") -> Backup:
    """Write the office as it is at this moment to `target`, which appears whole or not at all.

    `recipient` is the public key (`age1…`) to which the file is encrypted. Raises BackupError.
    """
    recipients = [recipient_of(recipient)] if recipient else []
    with working_directory(target.parent) as folder:
        dump, roles = folder / "database.dump", folder / "roles.sql"
        roles.write_text(ROLES)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot(), current_setting('server_version')")
            snapshot, version = cursor.fetchone()
            rows = rows_by_table(cursor)
            run("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={dump}")
            cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
            migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
        manifest = {
            "made_at": timezone.now().isoformat(),
            "postgresql": version,
            "migrations": migrations,
            "settings_needed": NEEDED_SETTINGS,
            "rows": rows,
            "sha256": {part.name: sha256(part) for part in (dump, roles)},
        }
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
        plain = folder / "plain.tar"
        with tarfile.open(plain, "w") as tar:
            for name in ("manifest.json", "roles.sql", "database.dump"):
                tar.add(folder / name, arcname=name)
        whole = folder / "whole"
        if recipients:
            pyrage.encrypt_file(str(plain), str(whole), recipients)
        else:
            plain.rename(whole)
        with whole.open("rb") as file:
            os.fsync(file.fileno())
        whole.chmod(0o600)
        whole.replace(target)
    return Backup(rows, target.stat().st_size)


def restore_backup(source: Path, *, identity: Path | None = None) -> Backup:
    """Fill the empty database of this installation from a file of `write_backup`, in one transaction.

    `identity` is the file with the secret key (`AGE-SECRET-KEY-…`) of an encrypted one. Raises BackupError where
    the database is not empty, the file is damaged or cannot be decrypted, or the rows restored are not those of
    the manifest.
    """
    with connection.cursor() as cursor:
        if tables := rows_by_table(cursor):
            raise BackupError(
                f"The database is not empty: it has {len(tables)} tables. Restore into a new one."
            )
    with working_directory(Path(tempfile.gettempdir())) as folder:
        unpack(source, folder, identity)
        try:
            manifest = json.loads((folder / "manifest.json").read_text())
            digests, rows_expected = manifest["sha256"], manifest["rows"]
        except (ValueError, KeyError, TypeError) as error:
            raise BackupError(f"manifest.json in {source.name} is damaged.") from error
        for name, expected in digests.items():
            if sha256(folder / name) != expected:
                raise BackupError(
                    f"{name} in {source.name} is damaged: its SHA-256 is not that of the manifest."
                )
        run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--file={folder / 'roles.sql'}")
        run(
            *("pg_restore", "--no-owner", "--exit-on-error", "--single-transaction"),
            *(f"--dbname={connection.settings_dict['NAME']}", str(folder / "database.dump")),
        )
        with connection.cursor() as cursor:
            rows = rows_by_table(cursor)
        if rows != rows_expected:
            different = sorted(
                name for name in {*rows, *rows_expected} if rows.get(name) != rows_expected.get(name)
            )
            raise BackupError(f"The rows restored differ from the manifest in: {', '.join(different)}.")
    return Backup(rows, source.stat().st_size)


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


def unpack(source: Path, folder: Path, identity: Path | None) -> None:
    try:
        with source.open("rb") as file:
            encrypted = file.read(len(AGE_BEGINS)) == AGE_BEGINS
        plain = source
        if encrypted:
            if identity is None:
                raise BackupError(
                    f"{source.name} is encrypted: name the file with the secret key by --identity."
                )
            plain = folder / "plain.tar"
            pyrage.decrypt_file(str(source), str(plain), [identity_in(identity)])
        with tarfile.open(plain) as tar:
            if sorted(tar.getnames()) != ["database.dump", "manifest.json", "roles.sql"]:
                raise BackupError(f"{source.name} is no backup of this office.")
            tar.extractall(folder, filter="data")
    except (OSError, tarfile.TarError) as error:
        raise BackupError(f"{source} could not be read: {error}") from error
    except pyrage.DecryptError as error:
        raise BackupError(f"{source.name} could not be decrypted with this key, or is damaged.") from error


def recipient_of(text: str) -> Any:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError as error:
        raise BackupError("The recipient is no public key of age: it begins with age1.") from error


def identity_in(path: Path) -> Any:
    lines = [line.strip() for line in path.read_text().splitlines() if line.startswith("AGE-SECRET-KEY-")]
    try:
        return pyrage.x25519.Identity.from_str(lines[0])
    except (IndexError, pyrage.IdentityError) as error:
        raise BackupError(f"{path.name} has no secret key of age: a line AGE-SECRET-KEY-….") from error


def run(program: str, *arguments: str) -> None:
    """One of PostgreSQL's programs, on the database of this process; the password is not on its command line."""
    given = connection.get_connection_params()
    names = {
        "host": "PGHOST",
        "port": "PGPORT",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "dbname": "PGDATABASE",
    }
    environment = {variable: str(given[name]) for name, variable in names.items() if given.get(name)}
    found = embedded.postgres_programs() / program if settings.EMBEDDED_DATABASE else shutil.which(program)
    if not found:
        raise BackupError(f"{program} is missing: run this in the image of backups (docs/how-to/backup.md).")
    done = subprocess.run(
        [found, *arguments], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupError(f"{program} failed.\n{done.stderr.strip()}")


@contextmanager
def working_directory(beside: Path) -> Iterator[Path]:
    """A directory on the same disk as `beside`, open to nobody else, gone at the end."""
    folder = Path(tempfile.mkdtemp(dir=beside, prefix=".backup-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
