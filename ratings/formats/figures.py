"""The figures file: what is signed and chained. Numbers and figures, no name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.formats.number_lines import Cell, decimals, number_lines
from ratings.rules.columns import NO_DAY, Columns
from ratings.rules.declared import Column, Declaration, Kind


@dataclass(frozen=True)
class File:
    """A file as it is stored: its bytes and their SHA-256 in hexadecimal."""

    content: bytes
    sha256: str


def file_of(content: bytes) -> File:
    return File(content, hashlib.sha256(content).hexdigest())


def figures_file(
    declaration: Declaration,
    lines: Sequence[bytes],
    list_address: str,
    previous_sha256: str,
    norms_sha256: str = "",
) -> File:
    """The figures of a list as CSV, in the order given; its digest is the list's digest.

    `lines` have the columns `declaration.figures` and the last columns empty. The first line carries the list's
    address (`POOL/2026-04-01`) and the digest of the list before it, so that the digest binds both; on the other
    lines they are empty. A list with confirmed norms has a column more, with the digest of `norms.csv` in the same way.
    No time, run or host is inside.
    """
    header, empty, chain = _header(declaration), b",,\n", f",{list_address},{previous_sha256}"
    if norms_sha256:
        header, empty, chain = f"{header},norms_sha256", b",,,\n", f"{chain},{norms_sha256}"
    first = [line.removesuffix(empty) + f"{chain}\n".encode() for line in lines[:1]]
    return file_of(b"".join([f"{header}\n".encode(), *first, *lines[1:]]))


def figures_digest(declaration: Declaration, table: Columns, list_address: str, previous_sha256: str) -> str:
    """The digest of `figures_file` without norms for a calculated table, without a Python object per row."""
    cells = [_cell(declaration.column(name), table) for name in declaration.figures]
    digest = hashlib.sha256(f"{_header(declaration)}\n".encode())
    for rows, chain in ((slice(1), f",{list_address},{previous_sha256}"), (slice(1, None), ",,")):
        lines = number_lines([[piece[rows] for piece in cell] for cell in cells], after=chain.encode())
        digest.update(lines)
    return digest.hexdigest()


def _header(declaration: Declaration) -> str:
    return ",".join([*map(declaration.header, declaration.figures), "list", "previous_sha256"])


def _cell(column: Column, table: Columns) -> Cell:
    array, given = getattr(table, column.source), column.is_given(table)
    match column.kind:
        case Kind.DAY:
            days, places = np.unique(np.where(array == NO_DAY, 0, array), return_inverse=True)
            texts = days.astype("datetime64[D]").astype("S10")[places]
        case Kind.WORD:
            texts = np.array([word.encode() for word in column.words])[array]
        case Kind.LETTER:
            texts = array
        case _:
            return decimals(array.astype(np.int64), given)
    return [texts if given is None else np.where(given, texts, b"")]
