"""The figures file: what is signed and chained. Numbers and figures, no name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ratings.systems.declared import Declaration, Kind


@dataclass(frozen=True)
class File:
    """A file as it is stored: its bytes and their SHA-256 in hexadecimal."""

    content: bytes
    sha256: str


def file_of(content: bytes) -> File:
    return File(content, hashlib.sha256(content).hexdigest())


def figures_file(
    declaration: Declaration, columns: Sequence[Sequence[Any]], list_address: str, previous_sha256: str
) -> File:
    """The figures of a list as CSV, in the order given; its digest is the list's digest.

    `columns` are the values of the columns `declaration.figures`; None is empty. The first line carries the list's
    address (`POOL/2026-04-01`) and the digest of the list before it, so that the digest binds both; on the other
    lines they are empty. No time, run or host is inside.
    """
    header = ",".join([*map(declaration.header, declaration.figures), "list", "previous_sha256"])
    texts = [
        _texts(values, is_flag=declaration.column(name).kind is Kind.FLAG)
        for name, values in zip(declaration.figures, columns, strict=True)
    ]
    chains = [",,"] * len(texts[0])
    chains[:1] = [f",{list_address},{previous_sha256}"] if chains else []
    lines = [
        line + chain for line, chain in zip(map(",".join, zip(*texts, strict=True)), chains, strict=True)
    ]
    return file_of(("\n".join([header, *lines]) + "\n").encode())


def _texts(values: Sequence[Any], *, is_flag: bool) -> list[str]:
    if is_flag:
        return ["1" if value else "0" for value in values]
    return ["" if value is None else str(value) for value in values]
