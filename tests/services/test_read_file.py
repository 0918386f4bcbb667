"""Uploaded bytes are read in a fresh process that ends with its own limits (guards.md T20, T22, T35)."""

import io
import os
import resource
import subprocess
import sys
import threading
import time
import zipfile
from datetime import date
from pathlib import Path
from queue import Queue

import pytest

from config.web import gunicorn
from reporting.federations.registry import all_report_rules
from reporting.formats import detect, reader_process
from reporting.formats.detect import read_report
from reporting.formats.reader_process import UploadedFile, read_uploaded_file
from reporting.formats.spreadsheets.template import template_xlsx
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading import read_file as reading
from reporting.reports.reading.read_file import (
    Sender,
    pack_reading,
    place_for_file,
    read_file,
    unpack_reading,
)
from tests.formats.spreadsheet_files import with_cell
from tests.services.report_helpers import refusal

FILES = Path(__file__).parents[1] / "files"
REPORTS = sorted(path for path in FILES.iterdir() if path.suffix != ".toml")
OUTPUT = {"capture_output": True, "text": True}


@pytest.fixture(autouse=True)
def new_readers():
    """Each test starts readers of its own: some alter the program that they run."""
    stop_readers()
    yield
    stop_readers()


def stop_readers():
    while not reading._idle.empty():
        reader = reading._idle.get()
        reader.kill()
        reader.communicate()


def altered(statements):
    """The program of the reader, changed before it waits for files."""
    return reading.PROGRAM.replace(
        "main()", f"from reporting.formats import reader_process as r\n{statements}\nmain()"
    )


def everything(found):
    """Also what comparing two readings leaves out: places, columns, cells."""
    read = found.read
    return (
        found,
        [(player.line, dict(player.columns), player.in_cells) for player in read.players],
        [(game.lines, game.columns) for game in read.games],
        dict(read.info.positions),
        dict(read.cells),
    )


@pytest.fixture
def formats_of_federations(monkeypatch):
    """As the other process has them, for one test."""
    monkeypatch.setattr(detect, "FORMATS", [*detect.FORMATS])
    detect.add_formats(sorted({rules.entry_format.read.__module__ for rules in all_report_rules()}))


@pytest.mark.parametrize(
    "content",
    [*(path.read_bytes() for path in REPORTS), template_xlsx(), "имя".encode("cp1251"), b"", b"\0\xff"],
)
@pytest.mark.usefixtures("formats_of_federations")
def test_the_reader_gives_what_the_format_reads(content):
    """Through the process, and once more as a version stores it; with the lines, sheets and previews of pages."""
    read = read_file(content)
    assert everything(read) == everything(read_uploaded_file(UploadedFile(content, None, None)))
    assert everything(unpack_reading(pack_reading(read))) == everything(read)
    assert read.read == read_report(content)


def test_one_reader_reads_many_files_and_a_child_each():
    """The process that waits stays the same; what a child does to itself touches no other file."""
    for path in REPORTS:
        assert read_file(path.read_bytes()).lines
    assert reading._idle.qsize() == 1


def test_a_reader_that_waits_is_ended_with_the_process_that_started_it():
    program = (
        "from reporting.reports.reading import read_file as reading\n"
        "reading.read_file(b'x')\n"
        "print(reading._idle.qsize())"
    )
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], cwd=reading.PROJECT, check=True, **OUTPUT
    )
    assert (run.stdout, run.stderr) == ("1\n", "")  # else: "subprocess ... is still running"


def test_the_reader_knows_no_django_and_no_secrets(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "canary")
    program = reading.PROGRAM.replace(
        "main()", "import os; print('django' in sys.modules, dict(os.environ), sys.flags.isolated)"
    )
    said = subprocess.run([sys.executable, "-I", "-c", program], env={}, cwd="/", check=True, **OUTPUT).stdout
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
    monkeypatch.setattr(reading, "PROGRAM", altered("r.CPU_SECONDS = 5"))
    read = read_file(book.getvalue()).read
    assert "file-too-costly" not in [finding.code for finding in read.findings]
    assert len(read.players) == len(read_report(content).players) > 0


@pytest.mark.parametrize(
    "hostile",
    [
        "while True: pass", "x = bytearray(10**11)", "raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)",
        "import os; os._exit(0)", "import os; os.kill(os.getppid(), 9)",
    ],
    ids=["loops", "eats memory", "ends", "is killed", "says nothing", "kills its parent"],
)  # fmt: skip
def test_a_file_too_costly_is_a_finding(monkeypatch, hostile):
    """The child has its own limits, of one second here instead of twenty; the next file is read all the same."""
    hostile_or_true = f"exec({hostile!r}) if file.content == b'hostile' else true(file)"
    when = f"r.read_uploaded_file = lambda file, true=r.read_uploaded_file: {hostile_or_true}"
    monkeypatch.setattr(reading, "PROGRAM", altered(f"r.CPU_SECONDS = 1\n{when}"))
    read = read_file(b"hostile").read
    assert [finding.code for finding in read.findings] == ["file-too-costly"]
    assert (read.format, read.players) == ("", ())
    assert read_file(REPORTS[0].read_bytes()).read.players


def test_a_reader_that_does_not_answer_is_killed(monkeypatch):
    monkeypatch.setattr(reading, "SECONDS_TO_READ", 2)
    monkeypatch.setattr(reading, "PROGRAM", "import time; time.sleep(600)")
    assert [finding.code for finding in read_file(b"x").read.findings] == ["file-too-costly"]
    assert reading._idle.empty()


def test_a_reader_that_ended_while_it_waited_blames_no_file():
    """What kills it between two files (an operator, too little memory) is not the next file's fault."""
    content = REPORTS[0].read_bytes()
    assert read_file(content).read.players
    waiting = reading._idle.get()
    waiting.kill()
    waiting.wait()
    reading._idle.put(waiting)
    assert read_file(content).read.players


def test_a_reader_that_is_killed_takes_its_child_along(monkeypatch, tmp_path):
    """The child holds the pipe of the answer: left alone it would hold the thread for as long as it computes."""
    ended = tmp_path / "ended"
    computes = f"(__import__('time').sleep(30), open({str(ended)!r}, 'w'))"
    altered_child = f"r.read_uploaded_file = lambda file: {computes}"
    monkeypatch.setattr(reading, "PROGRAM", altered(altered_child))
    monkeypatch.setattr(reading, "SECONDS_TO_READ", 1)
    assert [finding.code for finding in read_file(b"x").read.findings] == ["file-too-costly"]
    assert not ended.exists()


def test_the_limits_are_set_in_the_child_before_the_file_is_looked_at(monkeypatch):
    """The child tells its limits in the place of what it reads; the process that waits has none."""
    tell = (
        "from resource import getrlimit, RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE\n"
        "from reporting.rules.report import ReadReport\n"
        "r.read_uploaded_file = lambda file: r.Reading(ReadReport(format=str([getrlimit(x) for x in"
        " (RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE)]), encoding=''))"
    )
    monkeypatch.setattr(reading, "PROGRAM", altered(tell))
    assert read_file(b"x").read.format == "[(20, 20), (200000000, 200000000), (0, 0)]"
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY
    assert reader_process.CPU_SECONDS < reading.SECONDS_TO_READ


@pytest.fixture
def both_read(monkeypatch, tmp_path):
    """All readers at work on a file until the file `leave` is there; gives the function that lets them end."""
    program = (
        f"import os, time; open('{tmp_path}/' + str(os.getpid()), 'w').close()\n"
        f"while not os.path.exists('{tmp_path}/leave'): time.sleep(0.02)"
    )
    monkeypatch.setattr(reading, "PROGRAM", program)
    contents = [b"%d" % number for number in range(reading.READERS_AT_ONCE)]
    readers = [threading.Thread(target=read_file, args=(content,)) for content in contents]
    for reader in readers:
        reader.start()
    while len(list(tmp_path.iterdir())) < reading.READERS_AT_ONCE:
        assert any(reader.is_alive() for reader in readers)
        time.sleep(0.01)

    def let_them_end():
        monkeypatch.setattr(reading, "PROGRAM", PROGRAM)
        (tmp_path / "leave").touch()

    yield let_them_end
    let_them_end()
    for reader in readers:
        reader.join(60)


PROGRAM = reading.PROGRAM


def test_only_some_files_are_read_at_once(monkeypatch, both_read):
    """With all readers at work another file waits, and then is asked for again: 503 at the pages."""
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", 0.1)
    assert refusal(read_file, b"a third one").code == "busy"
    both_read()
    assert read_file(REPORTS[0].read_bytes()).read.players


def test_processes_that_were_forked_have_the_place_in_turn():
    """The other process says `begins` with the place and `ends` before it leaves it: who comes next finds both."""
    says, heard = os.pipe()[::-1]
    other = os.fork()
    if other == 0:
        with place_for_file():
            os.write(says, b"begins ")
            time.sleep(0.3)
            os.write(says, b"ends")
        os._exit(0)
    assert os.read(heard, 7) == b"begins "
    with place_for_file():
        os.set_blocking(heard, False)
        assert os.read(heard, 7) == b"ends"
    os.waitpid(other, 0)


def test_the_turn_of_another_process_is_waited_for_so_long_and_only_by_senders_of_its_kind(monkeypatch):
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", 0.1)
    (heard, says), (waits, ends) = os.pipe(), os.pipe()
    other = os.fork()
    if other == 0:
        with place_for_file("network", Sender.VISITOR):
            os.write(says, b"!")
            os.read(waits, 1)
        os._exit(0)
    os.read(heard, 1)
    with place_for_file(1):
        pass
    with pytest.raises(DomainError) as refusal, place_for_file("another", Sender.VISITOR):
        pass
    assert refusal.value.key == "busy.reading"
    os.write(ends, b"!")
    os.waitpid(other, 0)
    with place_for_file("another", Sender.VISITOR):
        pass


def test_visitors_never_keep_an_account_waiting(monkeypatch):
    """A visitor's file is read and another visitor waits: an account reads at once, a second one waits in their place.

    Waiting has no end here, so an answer shows who did not wait.
    """
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", threading.TIMEOUT_MAX)
    begun, outcome, leave = Queue(), Queue(), {1: threading.Event(), 2: threading.Event()}

    def of(whose, sender, until):
        try:
            with place_for_file(whose, sender):
                begun.put(whose)
                until.wait(60)
        except DomainError as refusal:
            outcome.put((whose, refusal.key))

    def starts(whose, sender, until):
        thread = threading.Thread(target=of, args=(whose, sender, until))
        thread.start()
        return thread

    def is_waiting(whose):
        while [place.whose for place in reading._waiting] != [whose]:
            time.sleep(0.01)

    threads = [starts("a", Sender.VISITOR, leave[1])]
    assert begun.get(timeout=60) == "a"
    threads.append(starts("b", Sender.VISITOR, leave[1]))
    is_waiting("b")
    threads.append(starts(1, Sender.ACCOUNT, leave[2]))
    assert begun.get(timeout=60) == 1
    threads.append(starts(2, Sender.ACCOUNT, leave[2]))
    assert outcome.get(timeout=60) == ("b", "busy.reading")
    is_waiting(2)
    threads.append(starts("c", Sender.VISITOR, leave[1]))  # and no visitor takes the place of an account
    assert outcome.get(timeout=60) == ("c", "busy.reading")
    leave[2].set()
    assert begun.get(timeout=60) == 2
    leave[1].set()
    for thread in threads:
        thread.join(60)
    assert (reading._at_work, reading._waiting) == ([], [])


def test_one_waits_for_a_reader_and_the_next_is_refused_at_once(monkeypatch, both_read):
    """Of the five threads of a web process two always stay for readers of pages: two read, one waits.

    Waiting has no end here, so an answer shows that the refused upload did not wait.
    """
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", threading.TIMEOUT_MAX)
    assert gunicorn.threads >= reading.READERS_AT_ONCE * len(reading.Sender) + 1 + 2
    outcome = Queue()

    def another():
        try:
            outcome.put(read_file(REPORTS[0].read_bytes()))
        except DomainError as refusal:
            outcome.put(refusal.code)

    others = [threading.Thread(target=another) for _ in range(2)]
    for other in others:
        other.start()
    assert outcome.get(timeout=60) == "busy"
    both_read()
    for other in others:
        other.join(60)
    assert outcome.get(timeout=0).read.players
    assert read_file(REPORTS[0].read_bytes()).read.players  # the place of the one that waits is free again


def test_of_one_person_one_place_is_taken_and_a_thread_keeps_its_place(monkeypatch):
    """Ten previews of one referee leave the other place to others; what a page does within needs no second place."""
    monkeypatch.setattr(reading, "SECONDS_TO_WAIT", 0)
    monkeypatch.setattr(reading, "READERS_AT_ONCE", 2)
    refused = Queue()

    def of(whose):
        try:
            with place_for_file(whose):
                refused.put(None)
        except DomainError as refusal:
            refused.put(refusal.code)

    def asked_for(whose):
        thread = threading.Thread(target=of, args=(whose,))
        thread.start()
        thread.join(60)
        return refused.get(timeout=0)

    with place_for_file(1), place_for_file(1):
        assert read_file(REPORTS[0].read_bytes()).read.players
        assert asked_for(1) == "busy"
        assert asked_for(2) is None
    assert asked_for(1) is None
