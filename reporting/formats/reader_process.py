"""Reads each uploaded file in its own process: a program without Django and database.

It waits for files on its input and forks for each. The child limits its own CPU time and memory before it reads the
first byte, writes the result, and ends; the waiting process never reads a file. Input and output are frames: the length
in eight bytes, then MessagePack. An answer of length 0 means that the child was killed or ended without an answer.
"""

import gc
import os
import resource
import struct
import sys
from dataclasses import dataclass
from typing import IO

import msgspec

from reporting.formats.detect import add_formats, read_report
from reporting.formats.spreadsheets.workbook import Sheet, is_workbook, read_sheets
from reporting.formats.text.decode import EncodingPreview, decode_text, preview_encodings
from reporting.rules.report import ENCODINGS, PointsScale, ReadReport

CPU_SECONDS = 20
"""The largest allowed file of any format takes less than half of it."""
MEMORY_BYTES = 200_000_000
"""The largest allowed file of any format takes two thirds of it."""
LENGTH = struct.Struct(">Q")


@dataclass(frozen=True)
class UploadedFile:
    """A file to be read, with the choices of the referee."""

    content: bytes
    encoding: str | None
    points: PointsScale | None


@dataclass(frozen=True)
class Reading:
    """Everything that pages and checks need from the bytes of a file, read once.

    `lines` are the lines of a text with the columns of findings, none of a workbook; `sheets` those of a workbook;
    `previews` how the file reads in each encoding, if there is a choice.
    """

    read: ReadReport
    lines: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    previews: tuple[EncodingPreview, ...] = ()


_encoder = msgspec.msgpack.Encoder(enc_hook=dict)  # a read-only mapping is written as a plain one
_decoder = msgspec.msgpack.Decoder(Reading)
_files = msgspec.msgpack.Decoder(UploadedFile)


def encode_reading(reading: Reading) -> bytes:
    """The reading as MessagePack; `decode_reading` gives it back."""
    return _encoder.encode(reading)


def decode_reading(content: bytes) -> Reading:
    """The reading of `encode_reading`. Raises msgspec.DecodeError for any other bytes."""
    return _decoder.decode(content)


def read_uploaded_file(file: UploadedFile) -> Reading:
    """Read a file; never raises for any content."""
    read = read_report(file.content, encoding=file.encoding, points=file.points)
    if is_workbook(file.content):
        return Reading(read, sheets=tuple(read_sheets(file.content)[0]))
    encoding = read.encoding if read.encoding in ENCODINGS else None
    return Reading(
        read,
        lines=decode_text(file.content, encoding=encoding).lines,
        previews=tuple(preview_encodings(file.content)),
    )


def limit_process_resources() -> None:
    """The kernel kills the process that computes for too long; an allocation over the limit is a MemoryError."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_frame(source: IO[bytes]) -> bytes | None:
    """The next frame; None at the end of the input."""
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def write_frame(target: IO[bytes], content: bytes) -> None:
    target.write(LENGTH.pack(len(content)))
    target.write(content)
    target.flush()


def read_in_child(frame: bytes) -> bytes:
    """What a child wrote about this file; empty if the child did not end normally."""
    answer, child_writes = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            limit_process_resources()
            gc.disable()  # a child reads one file and ends; looking for cycles takes a third of its time
            content = encode_reading(read_uploaded_file(_files.decode(frame)))
            with os.fdopen(child_writes, "wb") as out:
                out.write(content)
            code = 0
        finally:
            os._exit(code)
    os.close(child_writes)
    with os.fdopen(answer, "rb") as source:
        content = source.read()
    _, status = os.waitpid(child, 0)
    return content if status == 0 else b""


def main() -> None:
    """Read files of the formats known here, and of those of federations, whose modules are the arguments."""
    add_formats(sys.argv[1:])
    os.nice(10)  # readers of pages go first
    gc.freeze()  # shared with the children, not copied by them
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        write_frame(sys.stdout.buffer, read_in_child(frame))


if __name__ == "__main__":
    main()
