"""The figures file: what is signed and chained. Numbers and figures, no name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.formats.number_lines import Cell, decimals, number_lines, scaled
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
    *,
    norms_sha256: str = "",
    held_sha256: str = "",
) -> File:
    """The figures of a list as CSV, in the order given; its digest is the list's digest.

    `lines` have the columns `declaration.figures` and the last columns empty. The first line carries the list's
    address (`POOL/2026-04-01`) and the digest of the list before it, so that the digest binds both; on the other
    lines they are empty. A list with held rows has a column more, with their digest, and so has a list with confirmed
    norms, with the digest of `norms.csv`. No time, run or host is inside.
    """
    header, empty, chain = _header(declaration), b",,\n", f",{list_address},{previous_sha256}"
    for name, sha256 in (("held_sha256", held_sha256), ("norms_sha256", norms_sha256)):
        if sha256:
            header, empty, chain = f"{header},{name}", b"," + empty, f"{chain},{sha256}"
    first = [line.removesuffix(empty) + f"{chain}\n".encode() for line in lines[:1]]
    return file_of(b"".join([f"{header}\n".encode(), *first, *lines[1:]]))


def figures_digest(
    declaration: Declaration,
    table: Columns,
    list_address: str,
    previous_sha256: str,
    held_sha256: str = "",
) -> str:
    """The digest of `figures_file` without norms for a calculated table, without a Python object per row."""
    cells = [_cell(declaration.column(name), table) for name in declaration.figures]
    header, first, rest = _header(declaration), f",{list_address},{previous_sha256}", ",,"
    if held_sha256:
        header, first, rest = f"{header},held_sha256", f"{first},{held_sha256}", f"{rest},"
    digest = hashlib.sha256(f"{header}\n".encode())
    for rows, chain in ((slice(1), first), (slice(1, None), rest)):
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
            texts = np.array([word.encode() for word in column.words_of(table)], dtype=np.bytes_)[array]
        case Kind.CLUB:
            texts = np.array([text.encode() for text in column.values(table)])
        case Kind.LETTER:
            texts = array
        case Kind.SCALED:
            step = 10 ** (column.decimals - column.decimals_in_files)
            rounded = np.sign(array) * ((np.abs(array) + step // 2) // step)
            return scaled(rounded, column.decimals_in_files, given)
        case Kind.HALVES:
            has_half = array % 2 == 1 if given is None else (array % 2 == 1) & given
            return [*decimals(array // 2, given), np.where(has_half, b".5", b"")]
        case _:
            return decimals(array.astype(np.int64), given)
    return [texts if given is None else np.where(given, texts, b"")]
