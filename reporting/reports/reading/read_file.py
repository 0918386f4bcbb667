"""Uploaded bytes are read outside this process, a few files at once, each with limits of its own."""

import atexit
import os
import signal
import subprocess
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from queue import Empty, LifoQueue
from threading import BoundedSemaphore, Timer

import msgspec

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

READERS_AT_ONCE = 2
"""In each web process. With the one that waits they hold three of its four threads: one answers readers of pages."""
SECONDS_TO_WAIT = 10
"""For a free reader, one upload at a time; then the person is asked to try again, all others at once."""
SECONDS_TO_READ = 60
"""On a busy machine; the reader's own limit of CPU time comes first."""

PROJECT = Path(__file__).resolve().parents[3]
# Isolated: nothing of the environment, the working directory or the user's own packages is looked at.
PROGRAM = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); from reporting.formats.reader_process import main; main()"

_free = BoundedSemaphore(READERS_AT_ONCE)
_place_to_wait = BoundedSemaphore(1)
_idle: LifoQueue["subprocess.Popen[bytes]"] = LifoQueue()


def read_file(content: bytes, *, encoding: str | None = None, points: PointsScale | None = None) -> Reading:
    """Read an uploaded report as `read_report` does, with the lines or sheets that pages show of it.

    Each file is read by a fresh process with limits of CPU time and memory. One that takes more than these gives a
    report with the one finding `file-too-costly`. Never called with a lock held: it takes as long as the file asks.
    Raises DomainError `busy` where too many files are being read: at once where another upload waits already.
    """
    _take_reader()
    try:
        written = _answer(msgspec.msgpack.encode(UploadedFile(content, encoding, points)))
        return decode_reading(written)
    except msgspec.DecodeError:
        return Reading(ReadReport(format="", encoding="", findings=(too_costly(),)))
    finally:
        _free.release()


def _take_reader() -> None:
    if _free.acquire(blocking=False):
        return
    if _place_to_wait.acquire(blocking=False):
        try:
            if _free.acquire(timeout=SECONDS_TO_WAIT):
                return
        finally:
            _place_to_wait.release()
    raise DomainError("busy.reading")


def pack_reading(reading: Reading) -> bytes:
    """The reading as a version stores it."""
    return zlib.compress(encode_reading(reading))


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
        write_frame(reader.stdin, frame)  # type: ignore[arg-type]
        answer = read_frame(reader.stdout)  # type: ignore[arg-type]
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
            return subprocess.Popen(
                [sys.executable, "-I", "-c", PROGRAM],
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
