"""How long readers of public pages wait while 50 reports of 2,000 players are sent at once, for `make bench`.

Then a damaged one of each fictional file, a file too large and a file that costs too much: how much memory the web
processes took at their largest moment of all this, and the readers at the same time.

The demonstration is started as `make demo` starts it, without nginx before it: two web processes of four threads.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

from config.embedded import servers
from reporting.rules.report import MAX_FILE_BYTES
from tests.formats.test_trf16_format import great_open
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "tests" / "files"
UPLOADS, PLAYERS, ROUNDS, READS = 50, 2_000, 9, 60
PAGES = (
    "/",
    "/lists/fmjd-100/",
    "/lists/fmjd-100/?page=3",
    "/players/?q=van",
    "/tournaments/",
    "/federations/",
)


def ask(port: int, method: str, address: str, **more: object) -> tuple[float, int]:
    line = HTTPConnection("127.0.0.1", port, timeout=300)
    begun = time.perf_counter()
    line.request(method, address, **more)  # type: ignore[arg-type]
    answer = line.getresponse()
    answer.read()
    return time.perf_counter() - begun, answer.status


def reads(port: int, number: int) -> list[float]:
    """Seconds of each page in turn; another query each time, so that none is cached."""
    found = []
    for turn in range(number):
        address = PAGES[turn % len(PAGES)]
        sign = "&" if "?" in address else "?"
        seconds, status = ask(port, "GET", f"{address}{sign}turn={turn}")
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


def check_page(port: int, content: bytes) -> int:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.trf"\r\n\r\n'
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    return ask(port, "POST", "/check/", body=head + content + b"\r\n--x--\r\n", headers=kind)[1]


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


def main() -> None:
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory() as folder:
        var = Path(folder) / "var"
        demo = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port)],
            cwd=ROOT,
            env=os.environ | {"RATING_OFFICE_VAR": str(var), "DEMO": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert demo.stdout is not None
            assert any(line.startswith("Ready after") for line in demo.stdout)
            reads(port, len(PAGES) * 2)
            quiet = reads(port, READS)
            answered, seconds, meanwhile = uploads(port)
            refused = hostile(port)
            largest = peaks(demo.pid)
        finally:
            demo.terminate()
            demo.wait(60)
            servers.remove(var)
    print(f"Public pages, {len(PAGES)} addresses")  # noqa: T201
    print(f"  alone                       {words(quiet)}")  # noqa: T201
    print(f"  meanwhile {UPLOADS} uploads           {words(meanwhile)} ({len(meanwhile)} reads)")  # noqa: T201
    print(f"{UPLOADS} files of {PLAYERS:,} players at once: {seconds:.1f} s, answers {dict(answered)}")  # noqa: T201
    print(f"Damaged, too large, too costly files one by one: answers {dict(refused)}")  # noqa: T201
    for kind, megabytes in largest.items():
        print(f"Largest resident memory, {kind}, MB: {sorted(megabytes, reverse=True)}")  # noqa: T201


if __name__ == "__main__":
    main()
