"""What the fault tests share: processes that are killed, figures that must stay the same, a count of statements."""

import hashlib
import os
import secrets
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar
from unittest.mock import patch

import httpx
import psycopg
import redis
from celery import Celery
from django.conf import settings
from django.db import connection, connections
from kombu.exceptions import OperationalError

from config.backup import ROLES
from config.embedded import servers
from config.embedded.broker_server import Broker
from config.embedded.postgres_server import Postgres, postgres_programs
from config.processes import WEB, WORKER, with_this_python
from ratings.models import RatingList
from ratings.worker.worker_signal import LOOK_FOR_WORK
from tests.concurrency import wait_until
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parents[3]


Tries = TypeVar("Tries")


def rounds(few: Tries, many: Tries) -> Tries:
    """How often, or what, is tried: a few in `make test-processes`, many in `make test-faults`."""
    return many if "MANY_FAULTS" in os.environ else few


PARTITIONED = {"fmjd_listrow": "position", "fmjd_change": "player_id, sequence"}


def figures(rating_list: RatingList) -> dict[str, str]:
    """The digests of the list, of its files, and of every byte of its partitions but the list's own number."""
    digests = {"digest": rating_list.sha256, **dict(rating_list.files.values_list("name", "sha256"))}
    with connection.cursor() as cursor:
        for table, order in PARTITIONED.items():
            cursor.execute(
                "SELECT string_agg(quote_ident(column_name), ',' ORDER BY ordinal_position)"
                " FROM information_schema.columns WHERE table_name = %s AND column_name <> 'list_id'",
                [table],
            )
            (columns,) = cursor.fetchone()
            digest = hashlib.sha256()
            query = f"SELECT {columns} FROM {table} WHERE list_id = {rating_list.pk} ORDER BY {order}"
            with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)") as copy:
                for data in copy:
                    digest.update(data)
            digests[table] = digest.hexdigest()
    return digests


def tables_of_lists() -> int:
    """Every table made for a list, attached or not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '^fmjd_.*_[0-9]+$'")
        return cursor.fetchone()[0]


# --- statements sent to the database


def only_count(_: int) -> None:
    pass


@contextmanager
def before_each_statement(act: Callable[[int], None]) -> Iterator[Callable[[], int]]:
    """Call `act` with 1, 2, … before every statement, COPY, block of a COPY and COMMIT; yields how many there were.

    At psycopg's own classes: Django's execute_wrapper sees neither COPY nor the cursors of ratings/inputs.
    """
    seen = 0

    def watched(original):
        def call(*arguments, **named):
            nonlocal seen
            seen += 1
            act(seen)
            return original(*arguments, **named)

        return call

    with (
        patch.object(psycopg.Cursor, "execute", watched(psycopg.Cursor.execute)),
        patch.object(psycopg.Cursor, "copy", watched(psycopg.Cursor.copy)),
        patch.object(psycopg.Copy, "write", watched(psycopg.Copy.write)),
        patch.object(psycopg.Connection, "commit", watched(psycopg.Connection.commit)),
    ):
        yield lambda: seen


def run_in_child(work: Callable[[], object]) -> int:
    """Do some work in a forked process; the number of the signal that ended it, 0 if it came to its end."""
    connections.close_all()
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# --- processes


SECRET_KEY = "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789"  # noqa: S105


class ServiceProcesses:
    """A broker of the test's own, and the office's processes on it and on the test's database."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.log = folder / "log"
        self.log.touch()
        self._folder, self._environment = folder, environment
        self._broker = Broker(folder / "var")
        self._running: list[subprocess.Popen] = []
        self._mute: list[int] = []
        self._messages = Celery()  # one for all messages: an application takes longer to make than to use
        self.url = f"redis+socket://{self._broker.socket}"
        self.start_broker()

    def start_broker(self) -> None:
        self._broker.start()

    @property
    def _broker_process(self) -> int:
        return int((self._broker.directory / "pid").read_text())

    def kill_broker(self) -> None:
        os.kill(self._broker_process, signal.SIGKILL)
        assert wait_until(lambda: not self._broker.is_alive())

    def pause_broker(self) -> None:
        os.kill(self._broker_process, signal.SIGSTOP)

    def wake_broker(self) -> None:
        os.kill(self._broker_process, signal.SIGCONT)

    def replace_broker(self) -> None:
        """Another one at the same place. The old one's connections stay open, but it never says anything again."""
        self.pause_broker()
        self._mute.append(self._broker_process)
        self.start_broker()

    def flush_broker(self) -> None:
        with redis.Redis(unix_socket_path=str(self._broker.socket)) as broker:
            broker.flushall()

    def wake_worker(self, times: int = 1) -> None:
        with suppress(OperationalError), self._messages.connection_for_write(self.url) as line:
            for _ in range(times):
                self._messages.send_task(LOOK_FOR_WORK, connection=line, retry=False)

    def start(self, command=WORKER, *, fault: str = "") -> subprocess.Popen:
        """A process as a container runs it, in a session of its own; `fault` names those of faulty_worker.py."""
        if fault:
            command = tuple(
                "tests.processes.faults.faulty_worker" if word == "config" else word for word in command
            )
        host = servers.postgres(Path(settings.VAR), durable=False).socket_directory
        process = subprocess.Popen(
            with_this_python(command),
            cwd=ROOT,
            env=self._environment
            | {
                "SECRET_KEY": SECRET_KEY,
                "DATABASE_URL": f"postgres://app_worker@/{connection.settings_dict['NAME']}?host={host}",
                "BROKER_URL": self.url,
                "CACHE_URL": f"unix://{self._broker.socket}?db=6",
                "RATING_OFFICE_VAR": str(self._folder), "HTTPS": "false", "INSECURE": "1", "LOG_LEVEL": "INFO",
                "FAULT": fault,
            },
            stdout=self.log.open("a"), stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self._running.append(process)
        return process

    def kill(self, process: subprocess.Popen) -> None:
        """The whole group, as a machine that loses power would."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
        self._running.remove(process)

    def count_in_log(self, words: str) -> int:
        return self.log.read_text().count(words)

    def close(self) -> None:
        for process in list(self._running):
            self.kill(process)
        self._messages.close()
        for broker in (*self._mute, self._broker_process):
            with suppress(ProcessLookupError):
                os.kill(broker, signal.SIGKILL)


# --- a cluster of the test's own, which may be killed or run out of room


def copy_database(server: Postgres) -> None:
    """The test's own database, into this cluster."""
    programs = postgres_programs()
    there = [programs / "psql", "-h", server.socket_directory, "-U", "postgres", "-d", "postgres", "-q"]
    subprocess.run([*there, "-c", ROLES], check=True)
    ours = connection.settings_dict
    with subprocess.Popen(
        [programs / "pg_dump", "-h", ours["HOST"], "-U", "postgres", ours["NAME"]], stdout=subprocess.PIPE
    ) as dump:
        subprocess.run(
            [*there, "-v", "ON_ERROR_STOP=1"], stdin=dump.stdout, check=True, stdout=subprocess.DEVNULL
        )


@contextmanager
def connected_to(server: Postgres) -> Iterator[None]:
    """This process works on that cluster, whose life is the test's concern and not that of the connection."""
    ours = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict |= {"NAME": "postgres"}
    try:
        with patch.object(servers, "postgres", lambda *_, **__: server):
            yield
    finally:
        connection.close()
        connection.settings_dict |= ours


@contextmanager
def web_on(server: Postgres, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """A web of two processes on that cluster, without a broker; yields its address."""
    style_sheet = folder / "static/css/office.css"  # the API needs no other file
    style_sheet.parent.mkdir(parents=True)
    style_sheet.touch()
    (port,) = free_ports(1)
    installation = {
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": f"postgres://app_web@/postgres?host={server.socket_directory}",
        "BROKER_URL": "redis://127.0.0.1:1/0", "RATING_OFFICE_VAR": str(folder),
        "STATIC_ROOT": str(folder / "static"), "HTTPS": "false", "INSECURE": "1", "WEB_BIND": f"127.0.0.1:{port}",
    }  # fmt: skip
    url, log = f"http://127.0.0.1:{port}", folder / "web.log"

    def is_ready() -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{url}/ready/").is_success
        return False

    with log.open("ab") as output:
        process = subprocess.Popen(
            with_this_python(WEB), cwd=ROOT, env=environment | installation, stdout=output, stderr=output
        )
    try:
        assert wait_until(is_ready), log.read_text()
        yield url
    finally:
        process.terminate()
        process.wait(30)


class UploadingProgram(Thread):
    """A program that sends reports to the web one after another, and each again until it is stored.

    `stored` are the files of which the web said so, `statuses` how often it answered what.
    """

    def __init__(self, url: str, secret: str, report: bytes) -> None:
        super().__init__()
        self.stored: list[bytes] = []
        self.statuses: Counter[int] = Counter()
        self._client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=60)
        self._report, self._stops = report, Event()

    def run(self) -> None:
        while not self._stops.is_set():
            self.upload()

    def upload(self) -> None:
        """Send the report under a new name, until it is stored or the program is stopped."""
        name = secrets.token_hex(20).encode()
        content = self._report.replace(b"NAME", name)
        while self.send(content, name.decode()) != HTTPStatus.CREATED:
            if self._stops.wait(0.1):
                return
        self.stored.append(content)

    def send(self, content: bytes, key: str) -> int:
        answer = self._client.post(
            "/api/v1/reports/", files={"file": ("open.txt", content)}, headers={"Idempotency-Key": key}
        )
        self.statuses[answer.status_code] += 1
        return answer.status_code

    def stop(self) -> None:
        self._stops.set()
        self.join(60)


def files_of_uploads(server: Postgres) -> Counter[bytes]:
    """What the cluster has of them, with how many versions of reports each is."""
    with psycopg.connect(host=str(server.socket_directory), dbname="postgres", user="postgres") as there:
        rows = there.execute("SELECT content FROM reporting_reportversion WHERE filename = 'open.txt'")
        return Counter(content for (content,) in rows)
