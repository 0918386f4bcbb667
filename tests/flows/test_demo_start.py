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
from pathlib import Path
from typing import ClassVar
from urllib.request import urlopen

import pytest

from config import embedded

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
        self.port = free_port()
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
        said = ""
        for line in self.process.stdout:
            said += line
            if line.startswith("Ready after"):
                return said
        raise AssertionError(f"the demo ended before it was ready:\n{said}")

    def get(self, path: str) -> tuple[int, str]:
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode().replace(f":{self.port}/", "/")

    def ctrl_c(self) -> tuple[float, int]:
        """As a terminal does it: to the whole process group."""
        began = time.monotonic()
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=30)
        return time.monotonic() - began, self.process.returncode


@pytest.fixture
def var():
    folder = Path(tempfile.mkdtemp(prefix="office-"))
    yield folder / "var"
    for demo in Demo.started:
        demo.process.kill()  # does nothing where the test came to its end
        demo.process.wait(20)
    Demo.started.clear()
    until = time.monotonic() + 10
    while living_processes_that_name(str(folder)) and time.monotonic() < until:
        time.sleep(0.1)
    embedded.remove(folder / "var")
    shutil.rmtree(folder)


def test_the_demo_shows_the_office_and_stops_without_a_trace(var, environment):
    demo = Demo(var, environment)
    said = demo.wait_until_ready()
    assert re.search(r"database +\d+\.\d s\n", said)
    assert demo.get("/")[0] == 200
    status, lists = demo.get("/lists/fmjd-100/")
    assert status == 200
    seconds, code = demo.ctrl_c()
    assert code == 0
    assert seconds < 15
    assert living_processes_that_name(str(var)) == []

    again = Demo(var, environment)
    assert "season" not in again.wait_until_ready()
    assert again.get("/lists/fmjd-100/") == (status, lists)
    assert again.ctrl_c()[1] == 0
    assert living_processes_that_name(str(var)) == []


def test_an_empty_office_starts_in_seconds_and_ends_on_sigterm_too(var, environment):
    began = time.monotonic()
    demo = Demo(var, environment, "--empty")
    demo.wait_until_ready()
    assert time.monotonic() - began < 60
    assert demo.get("/health/") == (200, "well\n")
    assert "What to do first" in demo.get("/")[1]
    demo.process.terminate()
    said, _ = demo.process.communicate(timeout=20)
    assert demo.process.returncode == 0
    assert "Stopped." in said
    assert living_processes_that_name(str(var)) == []


def test_a_killed_supervisor_takes_its_children_along_and_the_next_start_works(var, environment):
    demo = Demo(var, environment, "--empty")
    demo.wait_until_ready()
    demo.process.kill()
    demo.process.communicate(timeout=20)
    again = Demo(var, environment, "--empty")
    again.wait_until_ready()
    assert again.get("/health/") == (200, "well\n")
    assert again.ctrl_c()[1] == 0
    until = time.monotonic() + 15
    while (left := living_processes_that_name(str(var))) and time.monotonic() < until:
        time.sleep(0.1)
    assert left == []


def test_a_child_that_dies_ends_the_demo_with_its_last_words(var, environment):
    demo = Demo(var, environment, "--empty")
    demo.wait_until_ready()
    children = Path(f"/proc/{demo.process.pid}/task/{demo.process.pid}/children").read_text().split()
    (web,) = (pid for pid in children if b"gunicorn" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(int(web), signal.SIGKILL)
    said, _ = demo.process.communicate(timeout=30)
    assert demo.process.returncode == 1
    assert "The web process ended by itself" in said
    assert living_processes_that_name(str(var)) == []


def test_a_broker_that_dies_is_started_again(var, environment):
    def broker():
        return (var / "broker/pid").read_text().strip()

    demo = Demo(var, environment, "--empty")
    demo.wait_until_ready()
    dead = broker()
    os.kill(int(dead), signal.SIGKILL)
    until = time.monotonic() + 20
    while broker() in {"", dead} and time.monotonic() < until:
        time.sleep(0.1)
    assert broker() not in {"", dead}
    assert embedded.Broker(var).alive()
    assert demo.get("/health/") == (200, "well\n")
    assert demo.ctrl_c()[1] == 0
    assert living_processes_that_name(str(var)) == []


def test_a_busy_port_is_told_in_one_sentence(var, environment):
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
            timeout=30,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr.startswith(f"CommandError: Port {port} is busy")
    assert "Traceback" not in run.stderr
    assert not (var / "postgres.lock").exists()
