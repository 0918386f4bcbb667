"""Lines of numbers with commas between, made from whole columns at once, without a Python object per row."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ratings.rules.columns import Flags, Integers, rising_order

Cell = list[NDArray[Any]]
"""A column of texts as one or more arrays of fixed width, side by side; NUL bytes do not belong to the text."""

LINES_AT_ONCE: Final = 10_000

GROUP: Final = 10_000
_numbers: Final = np.arange(GROUP)[:, None]
_digits: Final = (_numbers // [1000, 100, 10, 1] % 10 + ord("0")).astype(np.uint8)
# The four digits of each number below 10,000: with leading zeros; without them; and without any digit for 0.
_FULL: Final = _digits.view(np.uint32).ravel()
_SHORT: Final = np.where(_numbers >= [1000, 100, 10, 0], _digits, 0).astype(np.uint8).view(np.uint32).ravel()
_SHORT_OR_NONE: Final = np.where(_numbers.ravel() > 0, _SHORT, 0).astype(np.uint32)
_AFTER_OTHERS: Final = np.concatenate([_SHORT, _FULL])
_BETWEEN: Final = np.concatenate([_SHORT_OR_NONE, _FULL])


def decimals(values: Integers, given: Flags | None = None) -> Cell:
    """The numbers as `str` writes them; nothing where `given` is false."""
    left = np.abs(values)
    largest = int(left.max(initial=0))
    if largest < 10:
        pieces: list[NDArray[Any]] = [(left + ord("0")).astype(np.uint8)]
    elif largest < GROUP:
        pieces = [_SHORT[left]]
    else:
        pieces = []
        table = _AFTER_OTHERS
        while largest >= GROUP:
            above = left // GROUP
            pieces.append(table[left - GROUP * above + GROUP * (above > 0)])
            left, largest, table = above, largest // GROUP, _BETWEEN
        pieces.append(_SHORT_OR_NONE[left])
    if values.min(initial=0) < 0:
        pieces.append(np.where(values < 0, ord("-"), 0).astype(np.uint8))
    if given is not None:
        for piece in pieces:
            piece[~given] = 0
    return pieces[::-1]


def scaled(values: Integers, places: int, given: Flags | None = None) -> Cell:
    """The numbers with a point before their last `places` digits; nothing where `given` is false."""
    whole, rest = np.divmod(np.abs(values), 10**places)
    digits = rest[:, None] // 10 ** np.arange(places)[::-1] % 10 + ord("0")
    pieces = [
        np.where(values < 0, ord("-"), 0).astype(np.uint8),
        *decimals(whole),
        np.full(len(values), ord("."), np.uint8),
        *digits.astype(np.uint8).T,
    ]
    if given is not None:
        pieces = [np.where(given, piece, 0).astype(piece.dtype) for piece in pieces]
    return pieces


def number_lines(cells: Sequence[Cell], *, before: bytes = b"", after: bytes = b"") -> bytearray:
    """One line a row: `before`, the cells with commas between, `after`, a line feed."""
    template = bytearray(before)
    pieces: list[NDArray[Any]] = []
    offsets = []
    for place, cell in enumerate(cells):
        template += b"," if place else b""
        for piece in cell:
            offsets.append(len(template))
            pieces.append(piece)
            template += bytes(piece.dtype.itemsize)
    template += after + b"\n"
    names = [f"piece{place}" for place in range(len(pieces))]
    line = np.dtype(
        {
            "names": names,
            "formats": [piece.dtype for piece in pieces],
            "offsets": offsets,
            "itemsize": len(template),
        }
    )
    padded = template * len(pieces[0])
    lines = np.frombuffer(padded, dtype=line)
    for name, piece in zip(names, pieces, strict=True):
        lines[name] = piece
    return padded.translate(None, b"\0")


def sorted_lines(word: str, columns: Sequence[Integers]) -> Iterator[bytearray]:
    """`word,1,2,3` for each row, in rising order of the first column, then the second …; many lines at a time."""
    rising = rising_order(columns)
    for start in range(0, len(rising), LINES_AT_ONCE):
        block = rising[start : start + LINES_AT_ONCE]
        yield number_lines([decimals(column[block]) for column in columns], before=f"{word},".encode())
