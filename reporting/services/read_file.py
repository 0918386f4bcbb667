"""Uploaded bytes are read in a process of their own, a few at once, each with limits of its own."""

import hashlib
import json
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from threading import BoundedSemaphore, Lock

import msgspec

from reporting.errors import DomainError
from reporting.formats.reader_process import decode_reading
from reporting.formats.values import PointsScale, ReadReport
from reporting.rules.findings import error

READERS_AT_ONCE = 2
"""In each web process, of its four threads: the others answer readers of pages meanwhile."""
SECONDS_TO_WAIT = 10
"""For a free reader; then the person is asked to try again."""
SECONDS_TO_READ = 60
"""On a busy machine; the reader's own limit of CPU time comes first."""
READINGS_KEPT = 32
LARGEST_KEPT = 200_000
"""Bytes of a file whose reading is kept: the same file is often checked, uploaded and edited in a row."""

PROJECT = Path(__file__).resolve().parents[2]
# Isolated: nothing of the environment, the working directory or the user's own packages is looked at.
PROGRAM = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); from reporting.formats.reader_process import main; main()"

_readers = BoundedSemaphore(READERS_AT_ONCE)
_kept: OrderedDict[tuple[str, str | None, str], bytes] = OrderedDict()
_keeping = Lock()


def read_file(
    content: bytes, *, encoding: str | None = None, points: PointsScale = PointsScale.FMJD
) -> ReadReport:
    """Read an uploaded report as `read_report` does, in a fresh interpreter with limits of CPU time and memory.

    A file that takes more than these gives a report with the one finding `file-too-costly`. Never called with a
    lock held: it takes as long as the file asks. Raises DomainError `busy` where too many files are being read.
    """
    key = (hashlib.sha256(content).hexdigest(), encoding, points.value)
    with _keeping:
        if (kept := _kept.get(key)) is not None:
            _kept.move_to_end(key)
    if kept is not None:
        return decode_reading(kept)
    if not _readers.acquire(timeout=SECONDS_TO_WAIT):
        raise DomainError("busy", "Many files are being read at the moment. Please try again in a minute.")
    try:
        written = _read_in_process(content, encoding, points)
    finally:
        _readers.release()
    if written is None:
        return too_costly()
    if len(content) <= LARGEST_KEPT:
        with _keeping:
            _kept[key] = written
            while len(_kept) > READINGS_KEPT:
                _kept.popitem(last=False)
    return decode_reading(written)


def _read_in_process(content: bytes, encoding: str | None, points: PointsScale) -> bytes | None:
    """What the reader wrote; None where it was killed, ran out of memory or wrote nothing that can be read."""
    choices = json.dumps({"encoding": encoding, "points": points.value}).encode() + b"\n"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", PROGRAM],
            input=choices + content,
            capture_output=True,
            timeout=SECONDS_TO_READ,
            env={},
            cwd="/",
            check=True,
        )
        decode_reading(done.stdout)
    except (subprocess.SubprocessError, msgspec.DecodeError):
        return None
    return done.stdout


def too_costly() -> ReadReport:
    finding = error(
        "file-too-costly",
        "Reading this file took too long or too much memory. No data was imported.",
        expected="the report of one tournament, as a tournament program or the template writes it",
        suggestion="Export the tournament again, or enter the results in the grid.",
    )
    return ReadReport(format="", encoding="", findings=(finding,))
