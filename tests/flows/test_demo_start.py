"""`make demo` for real: one process that brings the office up, and takes it down again."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import pytest

from config.embedded import servers
from tests.ports import free_ports
from titles.rules.lifecycle import ApplicationState

ROOT = Path(__file__).resolve().parent.parent.parent
ONE_WEB_WORKER = {"WEB_WORKERS": "1"}  # of a second start: the first one has as many as the office


def living_processes_that_name(text: str) -> list[str]:
    """Children carry the directory in their environment or command line; zombies have neither."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                if text.encode() in command + (process / "environ").read_bytes():
                    found.append(command.decode())
            except OSError:
                continue
    return found


class Demo:
    """`manage.py demo` in a process of its own, as the Makefile starts it."""

    started: ClassVar[list["Demo"]] = []

    def __init__(self, var: Path, environment: dict[str, str], *options: str) -> None:
        (self.port,) = free_ports(1)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(self.port), *options],
            cwd=ROOT,
            env=environment | {"RATING_OFFICE_VAR": str(var), "DEMO": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
        )
        self.started.append(self)

    def wait_until_ready(self) -> str:
        output = ""
        for line in self.process.stdout:
            output += line
            if line.startswith("Ready after"):
                return output
        raise AssertionError(f"the demo ended before it was ready:\n{output}")

    def get(self, path: str) -> tuple[int, str]:
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode().replace(f":{self.port}/", "/")

    def answers(self, path: str) -> bool:
        try:
            return self.get(path)[0] == 200
        except OSError:
            return False

    def ctrl_c(self) -> int:
        """As a terminal does it: to the whole process group."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode


def wait_until(condition: Callable[[], bool]) -> bool:
    """A machine may be busy: the wait is long, and nothing is judged by time."""
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:
        time.sleep(0.1)
    return condition()


@pytest.fixture(scope="module")
def installation():
    folder = Path(tempfile.mkdtemp(prefix="office-"))
    yield folder / "var"
    servers.remove(folder / "var")
    shutil.rmtree(folder)


@pytest.fixture
def var(installation):
    yield installation
    for demo in Demo.started:
        demo.process.kill()  # does nothing where the test came to its end
        demo.process.wait(20)
    Demo.started.clear()
    wait_until(lambda: not living_processes_that_name(str(installation)))


# One installation, started four times, because a start takes long: first empty, then with the season.


def test_an_empty_office_ends_on_sigterm_and_with_a_child_that_dies(var, environment):
    demo = Demo(var, environment, "--empty")
    demo.wait_until_ready()
    assert demo.get("/health/") == (200, "well\n")
    assert "First steps" in demo.get("/")[1]
    demo.process.terminate()
    output, _ = demo.process.communicate(timeout=60)
    assert demo.process.returncode == 0
    assert "Stopped." in output
    assert living_processes_that_name(str(var)) == []

    again = Demo(var, environment | ONE_WEB_WORKER, "--empty")
    again.wait_until_ready()
    children = Path(f"/proc/{again.process.pid}/task/{again.process.pid}/children").read_text().split()
    (web,) = (pid for pid in children if b"gunicorn" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(int(web), signal.SIGKILL)
    output, _ = again.process.communicate(timeout=60)
    assert again.process.returncode == 1
    assert "The web process ended by itself" in output
    assert living_processes_that_name(str(var)) == []


def test_the_demo_outlives_a_dead_broker_and_a_kill_and_stops_without_a_trace(var, environment):
    def broker():
        return (var / "broker/pid").read_text().strip()

    demo = Demo(var, environment)
    output = demo.wait_until_ready()
    assert re.search(r"database +\d+\.\d s\n", output)
    assert demo.get("/")[0] == 200
    status, lists = demo.get("/lists/fmjd-100/")
    assert status == 200

    # Norms and titles in every state, by the accounts of the demonstration.
    host = str(servers.Postgres(var, durable=True).socket_directory)
    with psycopg.connect(host=host, user="postgres", dbname="postgres") as office:
        states = office.execute("select distinct state from titles_titleapplication").fetchall()
        decided = office.execute(
            "select distinct account.name, action, by_command from reporting_logentry"
            " join reporting_user account on account.id = actor_id where action like 'norm.%' order by 2"
        ).fetchall()
    assert {state for (state,) in states} == {str(state) for state in ApplicationState}
    assert decided == [("Clara Tielman", f"norm.{act}", False) for act in ("claim", "confirm", "refuse")]

    dead = broker()
    os.kill(int(dead), signal.SIGKILL)
    assert wait_until(lambda: broker() not in {"", dead})
    assert servers.Broker(var).is_alive()
    assert demo.get("/health/") == (200, "well\n")

    # A killed database is a 503 on every page, and is started again.
    os.kill(
        int(Path(servers.Postgres(var, durable=True).data, "postmaster.pid").read_text().split()[0]),
        signal.SIGKILL,
    )
    with pytest.raises(HTTPError) as away:
        demo.get("/players/")
    assert (away.value.status, away.value.headers["Retry-After"]) == (503, "10")
    assert "The database does not respond." in away.value.read().decode()
    demo.process.send_signal(signal.SIGCONT)
    assert wait_until(lambda: demo.answers("/players/"))

    demo.process.kill()  # the supervisor takes its children along
    demo.process.communicate(timeout=60)
    again = Demo(var, environment | ONE_WEB_WORKER)
    assert "season" not in again.wait_until_ready()
    assert again.get("/health/") == (200, "well\n")
    assert again.get("/lists/fmjd-100/") == (status, lists)
    assert again.ctrl_c() == 0
    assert wait_until(lambda: living_processes_that_name(str(var)) == [])


def test_a_busy_port_is_refused_with_one_sentence(tmp_path, environment):
    var = tmp_path / "var"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = subprocess.run(
            [sys.executable, "manage.py", "demo", "--port", str(port)],
            cwd=ROOT,
            env=environment | {"RATING_OFFICE_VAR": str(var), "DEMO": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr.startswith(f"CommandError: Port {port} is busy")
    assert "Traceback" not in run.stderr
    assert not (var / "postgres.lock").exists()
