"""Uploaded bytes are read outside this process, a few files at once, each with limits of its own."""

import atexit
import gc
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, lockf
from pathlib import Path
from queue import Empty, LifoQueue
from tempfile import TemporaryFile
from threading import Condition, Timer, local
from time import monotonic, sleep

import msgspec
from django.conf import settings

from reporting.federations.registry import all_report_rules, first_article
from reporting.formats.reader_process import (
    Reading,
    UploadedFile,
    decode_reading,
    encode_reading,
    read_frame,
    write_frame,
)
from reporting.refusals.domain_error import DomainError
from reporting.rules.findings.finding_list import Finding, finding
from reporting.rules.report import PointsScale, ReadReport

READERS_AT_ONCE = 1
"""In each web process for each kind of sender. With the one that waits they hold three of its five threads: the others
answer readers of pages. One process at a time works for a kind of sender: the others answer pages meanwhile (`_turn`).

The memory of all web processes with their readers is within the limit of docker-compose.yml.
"""
SECONDS_TO_WAIT = 10
"""For a free reader, one sender at a time, and for the turn; then they are asked to try again, all others at once."""
SECONDS_TO_LOOK = 0.02
"""Between two looks whether the turn is free."""
SECONDS_TO_READ = 60
"""On a busy machine; the reader's own limit of CPU time comes first."""

PROJECT = Path(__file__).resolve().parents[3]
# Isolated: nothing of the environment, the working directory or the user's own packages is looked at.
PROGRAM = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); from reporting.formats.reader_process import main; main()"


class Sender(IntEnum):
    """Who sends a file: neither kind waits for files of the other (docs/decisions/0146)."""

    ACCOUNT = 0
    VISITOR = 1


@dataclass(frozen=True, eq=False)
class _Place:
    sender: Sender
    whose: Hashable


_places = Condition()
_at_work: list[_Place] = []
_waiting: list[_Place] = []
_thread = local()
# Its locks, a byte for each kind of sender, are of one process, and end with it. The processes of the web are forked,
# so they inherit the file.
_turn = TemporaryFile()  # noqa: SIM115 - as long as the process
atexit.register(_turn.close)
_idle: LifoQueue["subprocess.Popen[bytes]"] = LifoQueue()


def read_file(content: bytes, *, encoding: str | None = None, points: PointsScale | None = None) -> Reading:
    """Read an uploaded report as `read_report` does, with the lines or sheets that pages show of it.

    Each file is read by a fresh process with limits of CPU time and memory. One that takes more than these gives a
    report with the one finding `file-too-costly`. Never called with a lock held: it takes as long as the file asks.
    Raises DomainError `busy` where too many files are being read: at once where another upload waits already.
    """
    with place_for_file():
        written = _answer(msgspec.msgpack.encode(UploadedFile(content, encoding, points)))
        try:
            reading = decode_reading(written)
        except msgspec.DecodeError:
            return Reading(ReadReport(format="", encoding="", findings=(too_costly(),)))
    # The reader knows no federation.
    findings = tuple(
        replace(found, article=found.article or first_article(found.key)) for found in reading.read.findings
    )
    return replace(reading, read=replace(reading.read, findings=findings))


@contextmanager
def place_for_file(whose: Hashable = None, sender: Sender = Sender.ACCOUNT) -> Iterator[None]:
    """One of the `READERS_AT_ONCE` places of this process for work whose cost a file decides; one at a time of `whose`.

    The processes of the web work in turn. A thread that has a place keeps it for what it does within. Never taken with
    a lock held. Raises DomainError `busy` where no place is free in time, or where another process keeps the turn: at
    once where somebody waits already. An account that has to wait takes the place of a visitor who waits.
    """
    if getattr(_thread, "has_place", False):
        yield
        return
    place = _Place(sender, whose)
    _take_place(place)
    try:
        _take_turn(sender)
        try:
            _thread.has_place = True
            # The context of a rendered page refers to itself: the report of an earlier page, 35 MB, would stay until a
            # collection happens to come upon it. Only in the web, which leaves the program out of collections
            # (config/web/gunicorn.py): elsewhere each one takes 70 ms, a third of what loading the demonstration takes.
            if settings.IS_WEB_PROCESS:
                gc.collect()
            yield
        finally:
            _thread.has_place = False
            lockf(_turn, LOCK_UN, 1, sender)
    finally:
        with _places:
            _at_work.remove(place)
            _places.notify_all()


def _take_place(place: _Place) -> None:
    def is_free() -> bool:
        others = [other.whose for other in _at_work if other.sender is place.sender]
        return len(others) < READERS_AT_ONCE and (place.whose is None or place.whose not in others)

    def is_decided() -> bool:
        return is_free() or place not in _waiting

    with _places:
        if not is_free():
            if _waiting and (place.sender is Sender.VISITOR or _waiting[0].sender is Sender.ACCOUNT):
                raise DomainError("busy.reading")
            _waiting[:] = [place]
            _places.notify_all()
            try:
                if not _places.wait_for(is_decided, SECONDS_TO_WAIT) or place not in _waiting:
                    raise DomainError("busy.reading")
            finally:
                if place in _waiting:
                    _waiting.remove(place)
        _at_work.append(place)


def _take_turn(sender: Sender) -> None:
    """Take the turn of all processes. A lock that is waited for has no limit of time, so it is looked at."""
    last = monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            lockf(_turn, LOCK_EX | LOCK_NB, 1, sender)
        except (BlockingIOError, PermissionError):  # another process has it
            if monotonic() >= last:
                raise DomainError("busy.reading") from None
        else:
            return
        sleep(SECONDS_TO_LOOK)


def pack_reading(reading: Reading) -> bytes:
    """The reading as a version stores it: compressed fast, to a fifth more than zlib's usual level takes."""
    return zlib.compress(encode_reading(reading), 1)


def unpack_reading(content: bytes) -> Reading:
    return decode_reading(zlib.decompress(content))


def _answer(frame: bytes) -> bytes:
    """What a reader answers; empty where it was killed or takes too long, and then it is not used again."""
    reader = _reader()
    assert reader.stdin is not None  # noqa: S101 (both are pipes)
    assert reader.stdout is not None  # noqa: S101
    timer = Timer(SECONDS_TO_READ, _end, (reader,))
    timer.start()
    try:
        write_frame(reader.stdin, frame)
        answer = read_frame(reader.stdout)
    except BrokenPipeError:
        answer = None
    finally:
        timer.cancel()
    if answer is None or reader.poll() is not None:
        _end(reader)
        reader.communicate()
        return answer or b""
    _idle.put(reader)
    return answer


def _end(reader: "subprocess.Popen[bytes]") -> None:
    """With its child: that one holds the pipe of the answer, and this thread with it."""
    with suppress(ProcessLookupError):
        os.killpg(reader.pid, signal.SIGKILL)


def _reader() -> "subprocess.Popen[bytes]":
    """One that waits, else a new one."""
    while True:
        try:
            reader = _idle.get_nowait()
        except Empty:
            formats = {rules.entry_format.read.__module__ for rules in all_report_rules()}
            return subprocess.Popen(
                [sys.executable, "-I", "-c", PROGRAM, *sorted(formats)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={},
                cwd="/",
                process_group=0,
            )
        if reader.poll() is None:
            return reader
        reader.communicate()


@atexit.register
def end_idle_readers() -> None:
    """At the end of this process: a reader ends when its input is closed, and is waited for."""
    while not _idle.empty():
        with _idle.get_nowait():  # closes its pipes and waits
            pass


def too_costly() -> Finding:
    return finding("file-too-costly")
