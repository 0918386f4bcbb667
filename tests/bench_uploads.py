"""How long readers of public pages wait while 30 reports of 2,000 players are sent at once, for `make bench`.

Then how long a list page takes while ten of the heaviest reports are previewed and eight files are checked, and the
memory of all processes of the web together.

Then a damaged one of each fictional file, a file too large and a file that costs too much: how much memory the web
processes took at their largest moment of all this, and the readers at the same time. At last the CPU of uploads against
registers of two sizes.

The demonstration is started as `make demo` starts it, without nginx before it: two web processes of five threads.
"""

import os
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from itertools import count, islice
from pathlib import Path
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from reporting.rules.report import MAX_FILE_BYTES, MAX_PLAYERS
from tests.demonstration import ROOT, demonstration
from tests.formats.test_limits import fmjd as largest_report
from tests.formats.test_trf16_format import great_open

FILES = ROOT / "tests" / "files"
UPLOADS, PLAYERS, ROUNDS, READS = 30, 2_000, 9, 60
PREVIEWS, CHECKS, TIMES = 10, 8, 8
PAGES = (
    "/", "/lists/fmjd-100/", "/lists/fmjd-100/?page=3", "/players/?q=van", "/tournaments/", "/federations/",
)  # fmt: skip


def ask(port: int, method: str, address: str, **more: object) -> tuple[float, int]:
    line = HTTPConnection("127.0.0.1", port, timeout=300)
    begun = time.perf_counter()
    line.request(method, address, **more)  # type: ignore[arg-type]
    answer = line.getresponse()
    answer.read()
    return time.perf_counter() - begun, answer.status


TURNS = count()


def reads(port: int, number: int) -> list[float]:
    """Seconds of each page in turn, by a host that no reader named before: none is kept."""
    found = []
    for turn in islice(TURNS, number):
        address = PAGES[turn % len(PAGES)]
        seconds, status = ask(port, "GET", address, headers={"Host": f"localhost:{turn}"})
        assert status in (200, 302), (address, status)
        found.append(seconds)
    return found


def words(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"median {statistics.median(ordered):6.3f} s, 95 of 100 within {ordered[int(len(ordered) * 0.95)]:6.3f} s"


def uploads(port: int) -> tuple[Counter[int], float, list[float]]:
    """All at once, by the check page, which stores nothing; what they were answered, and what readers waited."""
    content = great_open(PLAYERS, ROUNDS)
    answered: Counter[int] = Counter()

    def upload() -> None:
        answered[check_page(port, content)] += 1

    senders = [threading.Thread(target=upload) for _ in range(UPLOADS)]
    begun = time.perf_counter()
    for sender in senders:
        sender.start()
    meanwhile: list[float] = []
    while any(sender.is_alive() for sender in senders):
        meanwhile += reads(port, len(PAGES))
    return answered, time.perf_counter() - begun, meanwhile


class Browser:
    """Requests of one person who is logged in."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def ask(self, path: str, body: bytes | None = None, kind: str = "") -> tuple[int, str]:
        """The status and the last address of a page."""
        token = {cookie.name: cookie.value or "" for cookie in self.cookies}.get("csrftoken", "")
        headers = {"X-CSRFToken": token, "Referer": self.address} | ({"Content-Type": kind} if kind else {})
        try:
            with self.opener.open(Request(self.address + path, body, headers), timeout=300) as answer:  # noqa: S310
                answer.read()
                return answer.status, answer.url
        except HTTPError as refused:
            return refused.code, path

    def log_in(self, email: str, password: str) -> None:
        self.ask("/login/")
        form = urlencode({"login": email, "password": password}).encode()
        assert self.ask("/login/", form)[0] == 200
        assert "sessionid" in {cookie.name for cookie in self.cookies}


def heaviest(port: int, parent: int) -> tuple[Counter[int], list[float], list[int]]:
    """Ten people who preview the largest report again and again, and eight checks of it, all at once.

    What they were answered, the seconds of the list pages, the megabytes of the web's processes together.
    """
    content = largest_report(MAX_PLAYERS, 13)
    browser = Browser(port)
    browser.log_in("referee@demo.example", "draughts-demo")
    status, address = browser.ask("/reports/new/", *as_form(content))
    assert status == 200, address
    preview = f"/reports/{address.split('/reports/')[1].split('/')[0]}/preview/"
    assert browser.ask(preview)[0] == 200
    answered: Counter[int] = Counter()
    megabytes: list[int] = []
    meanwhile: list[float] = []

    def preview_again() -> None:
        for _ in range(TIMES):
            answered[browser.ask(preview)[0]] += 1

    def check() -> None:
        answered[check_page(port, content)] += 1

    senders = [threading.Thread(target=task) for task in [preview_again] * PREVIEWS + [check] * CHECKS]
    for sender in senders:
        sender.start()
    while any(sender.is_alive() for sender in senders):
        headers = {"Host": f"localhost:{next(TURNS)}"}
        seconds, status = ask(port, "GET", "/lists/fmjd-100/?page=2", headers=headers)
        assert status in (200, 302), status
        meanwhile.append(seconds)
        megabytes.append(group_megabytes(parent))
    return answered, meanwhile, megabytes


def group_megabytes(parent: int) -> int:
    """Memory of the web's processes and their readers, what they share counted once: what a container counts."""
    kilobytes = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if (b"reader_process" in command or b"gunicorn" in command) and parent in ancestors(
                int(process.name)
            ):
                rollup = (process / "smaps_rollup").read_text()
                kilobytes += int(rollup.split("Pss:")[1].split()[0])
    return kilobytes // 1024


def hostile(port: int) -> Counter[int]:
    """What the check page answers to damaged, too large and too costly files, one after another."""
    files = [path.read_bytes() for path in sorted(FILES.iterdir()) if path.suffix != ".toml"]
    damaged = [content[: len(content) // 2] + b"\0<section results>\n9,9,9" + content for content in files]
    answered: Counter[int] = Counter()
    for content in (
        *damaged,
        b"1,1,2,9\n" * 600_000,
        b"x" * (MAX_FILE_BYTES + 1),
        b"x" * (2 * MAX_FILE_BYTES),
    ):
        answered[check_page(port, content)] += 1
    return answered


def as_form(content: bytes) -> tuple[bytes, str]:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.trf"\r\n\r\n'
    return head + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def check_page(port: int, content: bytes) -> int:
    body, kind = as_form(content)
    return ask(port, "POST", "/check/", body=body, headers={"Content-Type": kind})[1]


def peaks(parent: int) -> dict[str, list[int]]:
    """Largest resident memory ever, in MB, of the processes below a process: those of the web, and their readers."""
    found: dict[str, list[int]] = {"web": [], "readers": []}
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, KeyError):  # it ended meanwhile
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            command = (status.parent / "cmdline").read_bytes()
            if parent not in ancestors(int(status.parent.name)):
                continue
            kind = "readers" if b"reader_process" in command else "web" if b"gunicorn" in command else ""
            if kind:
                found[kind].append(int(fields["VmHWM"].split()[0]) // 1024)
    return found


def ancestors(process: int) -> list[int]:
    above = []
    while process > 1:
        fields = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
        above.append(process := int(fields[1]))
    return above


def measure(port: int, process: int) -> Iterator[str]:
    """The benchmark, as the lines to print."""
    reads(port, len(PAGES) * 2)
    quiet = reads(port, READS)
    answered, seconds, meanwhile = uploads(port)
    yield f"Public pages, {len(PAGES)} addresses, made each time"
    yield f"  alone                       {words(quiet)}"
    yield f"  meanwhile {UPLOADS} uploads        {words(meanwhile)} ({len(meanwhile)} reads)"
    yield f"{UPLOADS} files of {PLAYERS:,} players at once: {seconds:.1f} s, answers {dict(answered)}"
    heavy, lists, together = heaviest(port, process)
    yield f"{PREVIEWS} × {TIMES} previews, {CHECKS} checks of the heaviest report: answers {dict(heavy)}"
    yield f"  list page meanwhile         {words(lists)}, longest {max(lists):.3f} s ({len(lists)} reads)"
    yield f"  web and readers together    at most {max(together)} MB"
    refused = hostile(port)
    yield f"Damaged, too large, too costly files one by one: answers {dict(refused)}"
    for kind, megabytes in peaks(process).items():
        yield f"Largest resident memory, {kind}, MB: {sorted(megabytes, reverse=True)}"


def matching(sizes: tuple[int, ...] = (5_400, 85_000), often: int = 5) -> Iterator[str]:
    """CPU of uploads against registers of these sizes, as lines to print.

    Of this process, its reader of files and the database together; this process collects garbage as one of the web.
    No player of the reports has a number, so each is looked up by name.
    """
    import numpy as np
    from django.conf import settings
    from django.db import connection

    from config.bench import season
    from config.bench.database import scratch_database
    from config.web import gunicorn
    from reporting.log.audit import Actor
    from reporting.models import Player, User
    from reporting.reports.services.upload import upload_report
    from reporting.rules.register.countries import all_countries

    def cpu() -> float:
        backend = connection.connection.info.backend_pid
        readers = (
            stat.read_text().rpartition(")")[2].split()[11:15]
            for stat in Path("/proc").glob("[0-9]*/stat")
            if b"reader_process" in (stat.parent / "cmdline").read_bytes()
            and os.getpid() in ancestors(int(stat.parent.name))
        )
        of_readers = sum(int(ticks) for fields in readers for ticks in fields) / os.sysconf("SC_CLK_TCK")
        database = int(Path(f"/proc/{backend}/schedstat").read_text().split()[0]) / 1e9
        return time.process_time() + of_readers + database

    def upload(players: int, rounds: int) -> None:
        """A report of players of the register: one in four has a letter less in the surname, half have no birth."""
        columns = ("last_name", "first_name", "federation", "birth_year")
        people = iter(Player.objects.order_by("?").values_list(*columns)[:players])
        lines = great_open(players, rounds).decode().splitlines()
        for place, line in enumerate(lines):
            if line.startswith("001"):
                last, first, federation, born = next(people)
                name = f"{last[:3] + last[4:] if place % 4 == 0 else last}, {first}"
                birth = f"{born}/00/00" if place % 2 else ""
                lines[place] = (
                    f"{line[:14]}{name:33.33}{line[47:53]}{federation}{line[56:69]}{birth:10}{line[79:]}"
                )
        begun = cpu()
        made = upload_report(
            content="\n".join(lines).encode(), filename="a.trf", sidecar=b"", by=Actor(referee)
        )
        spent.append(cpu() - begun)
        assert len(made.matching.players) == players

    small = 0.0
    codes = [country.code for country in all_countries()[:70]]
    for size in sizes:
        with (
            scratch_database() as owner,
            patch.object(season, "FEDERATIONS", codes),
            patch.object(settings, "IS_WEB_PROCESS", new=True),
        ):
            chance = np.random.default_rng(season.SEED)
            season.load_register(owner, season.Scale(size, 0), chance, "fmjd", season.FEDERATIONS)
            season.analyze(owner)
            referee = User.objects.get(email="importer@office.invalid")
            spent: list[float] = []
            for players, rounds in ((68, 9), (1_000, 11)):
                upload(players, rounds)  # the first one starts the reader
                gunicorn.pre_fork(None, None)
                spent.clear()
                for _ in range(often):
                    upload(players, rounds)
                each = statistics.median(spent)
                small = small or each
                ratio = f", {each / small:.2f} times the first" if players == 68 else ""
                yield f"{players:,} players, {rounds} rounds, {size:,} registered: {each:.3f} s of CPU{ratio}"


def main() -> None:
    with demonstration() as (port, process, _):
        for line in measure(port, process):
            print(line, flush=True)  # noqa: T201
    for line in matching():
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
