"""Reads one uploaded file and ends: the program of a fresh interpreter that knows no Django and no database.

Input: one line of JSON (`encoding`, `points`), then the bytes of the file. Output: the `ReadReport` as MessagePack.
The process limits its own CPU time and memory before it looks at the first byte of the file.
"""

import json
import resource
import sys
from typing import Any

import msgspec

from reporting.formats.detect import read_report
from reporting.formats.values import PointsScale, ReadReport

CPU_SECONDS = 20
"""The largest legal file of any format takes less than a third of it."""
MEMORY_BYTES = 1_500_000_000

_encoder = msgspec.msgpack.Encoder(enc_hook=dict)  # a read-only mapping is written as a plain one
_decoder = msgspec.msgpack.Decoder(ReadReport)


def encode_reading(read: ReadReport) -> bytes:
    """The report as read, as MessagePack; `decode_reading` gives it back."""
    return _encoder.encode(read)


def decode_reading(content: bytes) -> ReadReport:
    """The report of `encode_reading`. Raises msgspec.DecodeError where the bytes are anything else."""
    return _decoder.decode(content)


def limit_this_process() -> None:
    """The kernel kills the process that computes for too long; an allocation over the limit is a MemoryError."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    limit_this_process()
    choices: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    read = read_report(
        sys.stdin.buffer.read(), encoding=choices["encoding"], points=PointsScale(choices["points"])
    )
    sys.stdout.buffer.write(encode_reading(read))


if __name__ == "__main__":
    main()
