"""Uploaded bytes are read in a fresh process that ends with its own limits (guards.md T20, T22, T35)."""

import io
import resource
import subprocess
import sys
import threading
import zipfile
from datetime import date
from pathlib import Path

import pytest

from reporting.errors import DomainError
from reporting.formats import reader_process
from reporting.formats.detect import read_report
from reporting.formats.reader_process import decode_reading, encode_reading
from reporting.formats.spreadsheet_template import template_xlsx
from reporting.services import read_file as reading
from reporting.services.read_file import read_file
from tests.formats.spreadsheet_files import with_cell

FILES = Path(__file__).parents[1] / "files"
REPORTS = sorted(path for path in FILES.iterdir() if path.suffix != ".toml")


@pytest.fixture(autouse=True)
def nothing_read_before():
    reading._kept.clear()


def everything(read):
    """Also what comparing two readings leaves out: places, columns, cells."""
    return (
        read,
        [(player.line, dict(player.columns), player.in_cells) for player in read.players],
        [(game.lines, game.columns) for game in read.games],
        dict(read.info.positions),
        dict(read.cells),
    )


@pytest.mark.parametrize(
    "content", [*(path.read_bytes() for path in REPORTS), template_xlsx(), b"", b"\0\xff"]
)
def test_a_reading_survives_being_stored(content):
    read = read_report(content)
    assert everything(decode_reading(encode_reading(read))) == everything(read)


@pytest.mark.parametrize("path", REPORTS[:2], ids=lambda path: path.name)
def test_the_process_reads_as_the_reader_does(path):
    content = path.read_bytes()
    assert everything(read_file(content)) == everything(read_report(content))


def test_the_reader_knows_no_django_and_no_secrets(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "canary")
    program = reading.PROGRAM.replace(
        "main()", "import os; print('django' in sys.modules, dict(os.environ), sys.flags.isolated)"
    )
    monkeypatch.setattr(reading, "PROGRAM", program)
    said = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, env={}, cwd="/", check=True
    ).stdout
    assert said.startswith("False {")
    assert "canary" not in said


def test_a_number_format_of_brackets_costs_nothing(monkeypatch):
    """8.7 KB that held a thread for a quarter of a minute; the reader has five seconds of CPU time here, not twenty."""
    content = with_cell("Info", "B3", date(2026, 10, 5), "d" + "[" * 200)
    book = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, part.replace(b"[" * 200, b"[" * 300_000) if name == "xl/styles.xml" else part)
    assert len(book.getvalue()) < 20_000
    monkeypatch.setattr(
        reading,
        "PROGRAM",
        reading.PROGRAM.replace(
            "main()", "from reporting.formats import reader_process as r; r.CPU_SECONDS = 5; main()"
        ),
    )
    read = read_file(book.getvalue())
    assert "file-too-costly" not in [finding.code for finding in read.findings]
    assert len(read.players) == len(read_report(content).players) > 0


@pytest.mark.parametrize(
    "hostile",
    [
        "while True: pass", "x = bytearray(10**11)", "raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)",
        "print('x')",
    ],
    ids=["loops", "eats memory", "ends", "is killed", "writes nonsense"],
)  # fmt: skip
def test_a_file_too_costly_is_a_finding(monkeypatch, hostile):
    """The limits are the reader's own; here its CPU limit is one second instead of twenty."""
    start = (
        f"import sys; sys.path.insert(0, {str(reading.PROJECT)!r}); from reporting.formats import reader_process;"
        " reader_process.CPU_SECONDS = 1; reader_process.limit_this_process()\n"
    )
    monkeypatch.setattr(reading, "PROGRAM", start + hostile)
    read = read_file(f"no file has these bytes: {hostile}".encode())
    assert [finding.code for finding in read.findings] == ["file-too-costly"]
    assert (read.format, read.players) == ("", ())


def test_the_limits_are_set_before_the_file_is_looked_at(monkeypatch):
    """Asked of the process itself."""
    program = reading.PROGRAM.replace(
        "main()",
        "from reporting.formats.reader_process import limit_this_process; limit_this_process();"
        " import resource as r; print([r.getrlimit(x) for x in (r.RLIMIT_CPU, r.RLIMIT_AS, r.RLIMIT_FSIZE)])",
    )
    said = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, env={}, cwd="/", check=True
    ).stdout
    assert said == "[(20, 20), (1500000000, 1500000000), (0, 0)]\n"
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY  # this process has none
    assert reader_process.CPU_SECONDS < reading.SECONDS_TO_READ


def test_only_some_files_are_read_at_once(monkeypatch, tmp_path):
    """With both readers at work a third waits, and then is asked to try again: 503 at the pages."""
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", 0.1)
    monkeypatch.setattr(
        reading,
        "PROGRAM",
        f"import os, time; open('{tmp_path}/' + str(os.getpid()), 'w').close()\n"
        f"while not os.path.exists('{tmp_path}/leave'): time.sleep(0.02)",
    )
    readers = [threading.Thread(target=read_file, args=(b"%d" % number,)) for number in range(2)]
    for reader in readers:
        reader.start()
    while len(list(tmp_path.iterdir())) < 2:
        assert any(reader.is_alive() for reader in readers)
    with pytest.raises(DomainError) as refusal:
        read_file(b"a third one")
    assert refusal.value.code == "busy"
    (tmp_path / "leave").touch()
    for reader in readers:
        reader.join(60)
    monkeypatch.undo()
    assert read_file(REPORTS[0].read_bytes()).players


def test_the_same_bytes_are_read_once_in_a_row(monkeypatch):
    content = REPORTS[0].read_bytes()
    first = read_file(content)
    monkeypatch.setattr(reading, "PROGRAM", "raise SystemExit('read again')")
    assert everything(read_file(content)) == everything(first)
    assert [each.code for each in read_file(content, encoding="cp1252").findings] == ["file-too-costly"]
