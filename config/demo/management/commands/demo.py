"""The whole office on this machine: database, broker, web, worker and scheduler, until Ctrl-C."""

import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.db import connection
from django.utils import timezone

from config.demo.accounts import ACCOUNTS, DEMO_PASSWORD, SECOND_ADMINISTRATOR
from config.demo.management.kept_season import KEPT, begin_with_season, ensure_file
from config.demo.tour.steps import tour_announcement
from config.embedded import servers
from config.embedded.postgres_server import Postgres
from config.embedded.shared_server import EmbeddedServerError
from config.processes import BEAT, MIGRATE, WEB, WORKER, with_this_python
from ratings.tasks import make_export
from reporting.models import User

SEASON = ("python", "manage.py", "load_demo", "--seed=1")
DEMO_ACCOUNTS = [email for email, _ in (*ACCOUNTS.values(), SECOND_ADMINISTRATOR)]
LOG_IN_HINT = f"Log in as {', '.join(DEMO_ACCOUNTS)}; password {DEMO_PASSWORD}.\n"
EMPTY_HINT = "The first page shows the first steps.\n"
START_TIMEOUT_SECONDS = 90
SECONDS_WITHOUT_SERVER = 300
# In this order; then the broker and the database.
SECONDS_TO_STOP = {"web": 4, "scheduler": 2, "worker": 6}
ON_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of Linux


def ask_to_stop(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    raise KeyboardInterrupt


def die_with_parent() -> None:
    """A killed supervisor must not leave a web server that holds the port."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(ON_PARENTS_DEATH, signal.SIGTERM)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--empty", action="store_true", help="without the season of sample reports")
        parser.add_argument("--reset", action="store_true", help="start from nothing: what was entered goes")
        parser.add_argument(
            "--prepare", action="store_true", help="make the season for a first start, and end"
        )

    def handle(self, *, port: int, empty: bool, reset: bool, prepare: bool, **_: Any) -> None:
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.began = time.monotonic()
        if prepare:
            ensure_file(settings.VAR, timezone.localdate(), self.make_season)
            return
        refuse_busy_port(port)
        if reset:
            try:
                servers.remove(settings.VAR, but=(*KEPT, "secret-key"))
            except EmbeddedServerError as refusal:
                raise CommandError(str(refusal)) from refusal
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, ask_to_stop)
        try:
            self.start(port, empty=empty)
            self.watch()
        except KeyboardInterrupt:
            self.stdout.write("\nStopping ...")
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            self.stop()
        self.stdout.write("Stopped. The data stay; `make demo` continues.")

    def start(self, port: int, *, empty: bool) -> None:
        if not empty and not (Postgres(settings.VAR, durable=True).data / "PG_VERSION").exists():
            self.stage(
                "season", lambda: begin_with_season(settings.VAR, timezone.localdate(), self.make_season)
            )
        self.stage("database", connection.ensure_connection)
        if settings.EMBEDDED_BROKER:
            self.stage("broker", lambda: servers.broker(settings.VAR))
        self.stage("tables", lambda: call_command("migrate", interactive=False, verbosity=0))
        if not empty and not season_is_complete():
            raise CommandError(
                "The office that is here has no season. `make demo-reset` starts from nothing; "
                "`make demo ARGS=--empty` continues with what is there."
            )
        connection.close()
        self.launch("worker", "worker", WORKER)
        self.launch("scheduler", "worker", BEAT)
        address = f"http://localhost:{port}/"
        self.launch(
            "web", "web", WEB, WEB_BIND=f"127.0.0.1:{port}", OFFICE_URL=settings.OFFICE_URL or address
        )
        make_export.delay()  # the scheduler asks for it after a minute: until then its files were missing
        self.stage("web", lambda: self.wait_for(f"{address}ready/"))
        self.stdout.write(
            f"\nReady after {time.monotonic() - self.began:.1f} s: {address}\n"
            f"{'' if empty else f'In seven steps from a report to a published list: {address}demo/'}\n"
            f"{EMPTY_HINT if empty else LOG_IN_HINT}Ctrl-C stops everything; the data stay.\n"
        )
        self.stdout.flush()

    def make_season(self, var: Path) -> None:
        self.stdout.write("  first start of the day: a season of sample reports, this takes a moment")
        self.stdout.flush()
        self.run("owner", *MIGRATE, RATING_OFFICE_VAR=str(var))
        self.run("worker", *SEASON, RATING_OFFICE_VAR=str(var))

    def stage(self, name: str, work: Callable[[], Any]) -> None:
        began = time.monotonic()
        work()
        self.stdout.write(f"  {name:<9}{time.monotonic() - began:5.1f} s")
        self.stdout.flush()

    def environment(self, role: str, **more: str) -> dict[str, str]:
        return (
            os.environ | {"DATABASE_ROLE": role, "DEMO": "1", "RATING_OFFICE_VAR": str(settings.VAR)} | more
        )

    def run(self, role: str, *command: str, **more: str) -> None:
        """Run a command to its end; its output is shown only when it fails."""
        log = self.log("start")
        with log.open("wb") as output:
            child = subprocess.Popen(
                with_this_python(command),
                cwd=settings.BASE_DIR,
                env=self.environment(role, **more),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509 - no threads in the supervisor
            )
        try:
            if child.wait():
                raise CommandError(f"`{' '.join(command)}` failed.\n{last_log_lines(log)}")
        finally:
            end_session(child, 2)

    def launch(self, name: str, role: str, command: tuple[str, ...], **more: str) -> None:
        """Start in a session of its own: Ctrl-C reaches only the supervisor, which stops the processes in order."""
        with self.log(name).open("ab") as output:
            self.children[name] = subprocess.Popen(
                with_this_python(command),
                cwd=settings.BASE_DIR,
                env=self.environment(role, **more),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509
            )

    def log(self, name: str) -> Path:
        folder = settings.VAR / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{name}.log"

    def wait_for(self, address: str) -> None:
        until = time.monotonic() + START_TIMEOUT_SECONDS
        while time.monotonic() < until:
            self.refuse_dead_child()
            with suppress(URLError, OSError), urlopen(address, timeout=5):  # noqa: S310 - our own server
                return
            time.sleep(0.1)
        raise CommandError(f"The web server does not answer.\n{last_log_lines(self.log('web'))}")

    def watch(self) -> None:
        answered = time.monotonic()
        while True:
            self.refuse_dead_child()
            # A container engine does the same; web, worker and scheduler connect again. A server that lives and does
            # not answer, on a machine that is busy or was asleep, is waited for.
            try:
                if settings.EMBEDDED_BROKER:
                    servers.broker(settings.VAR).restart_if_dead()
                servers.postgres(settings.VAR, durable=True).restart_if_dead()
                answered = time.monotonic()
            except EmbeddedServerError:
                if time.monotonic() - answered > SECONDS_WITHOUT_SERVER:
                    raise
            time.sleep(0.5)

    def refuse_dead_child(self) -> None:
        for name, child in self.children.items():
            if child.poll() is not None:
                raise CommandError(f"The {name} process ended by itself.\n{last_log_lines(self.log(name))}")

    def stop(self) -> None:
        for name, seconds in SECONDS_TO_STOP.items():
            if child := self.children.get(name):
                end_session(child, seconds)
        connection.close()
        servers.release_all()


def season_is_complete() -> bool:
    accounts = User.objects.filter(email__in=DEMO_ACCOUNTS).count()
    return accounts == len(DEMO_ACCOUNTS) and tour_announcement() is not None


def refuse_busy_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(
                f"Port {port} is busy: stop what uses it, or choose another, `make demo PORT={port + 1}`."
            ) from error


def end_session(child: subprocess.Popen[bytes], seconds: int) -> None:
    """Terminate the process, then kill the rest of its session. The run of a killed worker stays requested."""
    child.terminate()
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def last_log_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-25:])
