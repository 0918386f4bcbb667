"""Requests a second and CPU of public pages next to an empty view, for `make bench`.

On the database of a demonstration runs a web process of its own, as `config/web/gunicorn.py` has it (two processes of
five threads), with one more address, which answers nothing. Requests come from another process. All of them share the
cores of this machine: the ratios count. Each line is the sum of rounds in turn.

  kept    what another reader has just asked for
  known   what the reader has already: 304
  made    asked for the first time, searches and suggestions with another word each time

With commits meanwhile, 20 a second as of an office at work, each ends what is kept under a snapshot.

Then how long 64 readers at once wait: the 99th of 100 answers next to the median.
"""

import csv
import io
import os
import statistics
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from http.client import HTTPConnection
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psycopg

from config.embedded.postgres_server import Postgres
from config.processes import WEB, with_this_python
from tests.demonstration import ROOT, demonstration
from tests.ports import free_ports

SECONDS, READERS, ROUNDS = 2.0, 4, 3
MANY_READERS, SECONDS_OF_MANY = 64, 6.0
MANY_READ = ("list, kept", "list, made", "player, made", "API entries, kept", "API entries, made")
SECONDS_BETWEEN_COMMITS = 0.05
MEANWHILE = "commits meanwhile"
LIST, PLAYER = "/lists/fmjd-100/2026-10-01/r1/", "/players/13368/"
TOURNAMENT = "/tournaments/2026-european-championship/"
API = "/api/v1"
NEW_WORDS = 60
HEADERS = {"suggestions": {"HX-Request": "true", "HX-Target": "suggestions"}}
TICKS = os.sysconf("SC_CLK_TCK")


def application() -> Any:
    """The office with an address that answers nothing."""
    from django.contrib.auth.decorators import login_not_required
    from django.http import HttpRequest, HttpResponse
    from django.urls import path

    from config.wsgi import application as office  # isort: skip - before the addresses: Django's settings come with it
    from config.urls import urlpatterns
    from reporting.web.api import throttling

    throttling.MAX_REQUESTS = 10**9  # all readers have one address

    @login_not_required
    def empty(request: HttpRequest) -> HttpResponse:
        return HttpResponse("well\n", content_type="text/plain")

    urlpatterns.insert(0, path("empty/", empty))
    return office


def ask(port: int, addresses: Iterable[str], kind: str, seconds: float) -> list[float]:
    """The seconds of each answer to one reader, who asks for the addresses one after another for so long."""
    until, waited, etag = time.monotonic() + seconds, [], {}
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    for address in addresses:
        headers = HEADERS.get(kind, {})
        if kind.endswith("known"):
            headers = {"If-None-Match": etag.get(address, "")}
        path, _, turn = address.partition("#")
        if turn:  # parameters that are not known are refused; what is kept depends on the host and its port
            headers = {"Host": f"localhost:{turn}"}
        begun = time.perf_counter()
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        answer.read()
        waited.append(time.perf_counter() - begun)
        assert answer.status in (200, 304), (address, answer.status)
        etag[address] = answer.headers.get("ETag", "")
        if time.monotonic() > until:
            break
    line.close()
    return waited


def read_by_all(
    port: int, addresses: list[list[str]], kind: str, seconds: float
) -> tuple[list[float], float]:
    """The seconds of each answer to all readers, and of all together. Runs in a process of its own."""
    begun = time.monotonic()
    with ThreadPoolExecutor(len(addresses)) as readers:
        asked = [readers.submit(ask, port, of_reader, kind, seconds) for of_reader in addresses]
        waited = [wait for answers in asked for wait in answers.result()]
    return waited, time.monotonic() - begun


def cpu_seconds(web: int) -> dict[str, float]:
    """Of the web process, its children, and the web's sessions of the database: by number of the process."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            is_web = web in (int(folder.name), int(fields[1]))
            if is_web or b"app_web" in (folder / "cmdline").read_bytes():
                found[folder.name] = (int(fields[11]) + int(fields[12])) / TICKS
    return found


@contextmanager
def commits(var: Path) -> Iterator[None]:
    """Transactions that change nothing a reader sees, one after another."""
    host = Postgres(var, durable=True).socket_directory
    ended = threading.Event()

    def commit() -> None:
        with psycopg.connect(host=host, user="postgres", autocommit=True) as line:
            while not ended.wait(SECONDS_BETWEEN_COMMITS):
                line.execute("SELECT pg_current_xact_id()")

    thread = threading.Thread(target=commit)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def new_words(port: int) -> Iterator[str]:
    """Beginnings of the names on the list, from three letters on, each once."""
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", f"{LIST}files/list.csv")
    rows = csv.DictReader(io.StringIO(line.getresponse().read().decode()))
    names = {name for row in rows for name in row["name"].replace(",", " ").split()}
    yield from sorted({name[:length].lower() for name in names for length in range(3, len(name) + 1)})


def measure(port: int, web: int, var: Path, seconds: float = SECONDS, rounds: int = ROUNDS) -> Iterator[str]:
    """The benchmark, as the lines to print."""
    turn, words = count(), new_words(port)
    kinds = {
        "empty view": lambda: "/empty/",
        "home, kept": lambda: "/",
        "home, made": lambda: f"/#{next(turn)}",
        "list, kept": lambda: LIST,
        "list, known": lambda: LIST,
        "list, made": lambda: f"{LIST}#{next(turn)}",
        f"list, {MEANWHILE}": lambda: LIST,
        "player, kept": lambda: PLAYER,
        "player, known": lambda: PLAYER,
        "player, made": lambda: f"{PLAYER}#{next(turn)}",
        "tournament, made": lambda: f"{TOURNAMENT}#{next(turn)}",
        "search, kept": lambda: "/players/?q=van",
        "search, made": lambda: f"/players/?q={next(words)}",
        "suggestions": lambda: f"/search/?q={next(words)}",
        "API entries, kept": lambda: f"{API}{LIST}entries/",
        f"API entries, {MEANWHILE}": lambda: f"{API}{LIST}entries/",
        "API entries, known": lambda: f"{API}{LIST}entries/",
        "API entries, made": lambda: f"{API}{LIST}entries/#{next(turn)}",
        "API player, kept": lambda: f"{API}{PLAYER}",
        "API player, known": lambda: f"{API}{PLAYER}",
        "API player, made": lambda: f"{API}{PLAYER}#{next(turn)}",
    }
    found = {kind: [0, 0.0, 0.0] for kind in kinds}
    with get_context("spawn").Pool(1) as generator:
        for turns in range(rounds + 1):
            for kind, address in kinds.items():
                most = NEW_WORDS if kind in ("search, made", "suggestions") else 4_000
                addresses = [[address() for _ in range(most)] for _ in range(READERS)]
                before = cpu_seconds(web)
                with commits(var) if kind.endswith(MEANWHILE) else nullcontext():
                    waited, passed = generator.apply(read_by_all, (port, addresses, kind, seconds))
                cpu = sum(now - before.get(process, 0) for process, now in cpu_seconds(web).items())
                if turns:  # the first one warms up
                    for place, more in enumerate((len(waited), passed, cpu)):
                        found[kind][place] += more
    _, _, floor = found["empty view"]
    floor /= found["empty view"][0]
    yield f"{'':<32}{'requests/s':>12}{'CPU ms':>10}{'of empty':>10}"
    for kind, (answered, passed, cpu) in found.items():
        each = cpu / answered
        yield f"{kind:<32}{answered / passed:>12.0f}{each * 1000:>10.2f}{each / floor:>10.2f}"
    yield f"\n{f'{MANY_READERS} readers at once':<32}{'median ms':>12}{'99 of 100':>10}{'ratio':>10}"
    with get_context("spawn").Pool(1) as generator:
        for kind in MANY_READ:
            addresses = [[kinds[kind]() for _ in range(4_000)] for _ in range(MANY_READERS)]
            waited, _ = generator.apply(
                read_by_all, (port, addresses, kind, SECONDS_OF_MANY / SECONDS * seconds)
            )
            median, slow = statistics.median(waited), statistics.quantiles(waited, n=100)[98]
            yield f"{kind:<32}{median * 1000:>12.0f}{slow * 1000:>10.0f}{slow / median:>10.1f}"


@contextmanager
def web_process(var: Path, environment: Mapping[str, str] = os.environ) -> Iterator[tuple[int, int]]:
    """The port and the process of the web on the data of a demonstration, with the address that answers nothing."""
    (port,) = free_ports(1)
    more = {
        "RATING_OFFICE_VAR": str(var), "DEMO": "1", "DATABASE_ROLE": "web", "WEB_BIND": f"127.0.0.1:{port}",
    }  # fmt: skip
    web = subprocess.Popen(
        [*with_this_python(WEB[:-1]), "tests.bench_pages:application()"],
        cwd=ROOT, env={**environment, **more},
    )  # fmt: skip
    try:
        wait_for(port)
        yield port, web.pid
    finally:
        web.terminate()
        web.wait(20)


def main() -> None:
    with demonstration() as (_, _, var), web_process(var) as (port, web):
        for line in measure(port, web, var):
            print(line, flush=True)  # noqa: T201


def wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError):
            ask(port, ["/empty/"], "empty view", 0)
            return
        time.sleep(0.2)
    raise AssertionError("the web process does not answer")


if __name__ == "__main__":
    main()
