"""The file of a list of a source: the bytes themselves, or those of the only file in a ZIP archive."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from reporting.rules.findings.finding_list import Finding, finding

ARTICLE = "docs/how-to/sources.md"
MOST_BYTES = 800_000_000
"""Bytes of a list without its archive: three times a list of FIDE as text, one of FIDE as XML."""
BLOCK = 1 << 22
"""Bytes read at once."""
ARCHIVE_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
ENCRYPTED = 1
PROBLEMS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    OSError,
)  # fmt: skip
"""What reading a damaged or unusual archive raises."""


class SourceRefusedError(Exception):
    """A file of which nothing can be used, and why."""

    def __init__(self, key: str, **given: Any) -> None:
        super().__init__(key)
        self.finding: Finding = finding(
            key, article=ARTICLE, **{"line": 1, "column": 1, "field": None} | given
        )


@contextmanager
def blocks_of_source(file: IO[bytes]) -> Iterator[Iterator[bytes]]:
    """The blocks of the file, or of the only file in it. Raises SourceRefusedError, also while they are read."""
    mark = file.read(4)
    file.seek(0)
    if not mark.startswith(ARCHIVE_MARKS):
        yield _blocks(file)
        return
    try:
        with zipfile.ZipFile(file) as archive:
            files = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(files) != 1:
                raise SourceRefusedError("source-archive-files", count=len(files))
            (entry,) = files
            if entry.file_size > MOST_BYTES:
                raise SourceRefusedError("source-too-large", limit=MOST_BYTES)
            if entry.flag_bits & ENCRYPTED:
                raise SourceRefusedError("source-archive-unreadable", found="encrypted")
            with archive.open(entry) as unpacked:
                yield _unpacked_blocks(unpacked)
    except PROBLEMS as problem:
        raise _unreadable(problem) from problem


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    read = 0
    while block := file.read(BLOCK):
        read += len(block)
        if read > MOST_BYTES:
            raise SourceRefusedError("source-too-large", limit=MOST_BYTES)
        yield block


def _unpacked_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """As `_blocks`; the archive checks the sum of all bytes at their end."""
    try:
        yield from _blocks(file)
    except PROBLEMS as problem:
        raise _unreadable(problem) from problem


def _unreadable(problem: BaseException) -> SourceRefusedError:
    return SourceRefusedError(
        "source-archive-unreadable", found=f"{type(problem).__name__}: {problem}".rstrip(": ")
    )
