"""Numbers of players packed into bytes: two bytes a number, and some for each group of them.

Numbers are below 2³² and rise. They are grouped by their first sixteen bits; of each group its number and length are
kept, of each number its last sixteen bits. What belongs to a number is in arrays of their own, at the same place.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings.rules.columns import Integers

HEAD = struct.Struct("<II")
LOW_BITS = 16
LOW = 2**LOW_BITS - 1
GROUP_BYTES, NUMBER_BYTES = 4, 2
NOWHERE = -1


def packed_numbers(numbers: Integers) -> bytes:
    """The bytes of rising numbers. Raises ValueError if they do not rise, or do not fit."""
    if numbers.size and (numbers[0] < 0 or numbers[-1] >= 2**32 or (np.diff(numbers) <= 0).any()):
        raise ValueError("numbers that rise, below 2**32, expected")
    groups, sizes = np.unique(numbers >> LOW_BITS, return_counts=True)
    return b"".join(
        (
            HEAD.pack(groups.size, numbers.size),
            groups.astype("<u2").tobytes(),
            (sizes - 1).astype("<u2").tobytes(),
            (numbers & LOW).astype("<u2").tobytes(),
        )
    )


@dataclass(frozen=True)
class PackedNumbers:
    """Packed numbers, as they are stored."""

    content: bytes

    def numbers(self) -> NDArray[np.uint32]:
        """All numbers, rising. Raises ValueError for bytes of another length."""
        count, size = HEAD.unpack_from(self.content) if len(self.content) >= HEAD.size else (0, -1)
        if len(self.content) != HEAD.size + GROUP_BYTES * count + NUMBER_BYTES * size:
            raise ValueError("not packed numbers")
        groups = np.frombuffer(self.content, "<u2", count, HEAD.size)
        sizes = np.frombuffer(self.content, "<u2", count, HEAD.size + 2 * count)
        lows = np.frombuffer(self.content, "<u2", size, HEAD.size + GROUP_BYTES * count)
        numbers = np.repeat(groups.astype(np.uint32) << LOW_BITS, sizes.astype(np.int64) + 1)
        numbers |= lows
        return numbers

    def places(self, wanted: Integers) -> Integers:
        """The place of each wanted number among the packed ones; `NOWHERE` where it is not one of them.

        Raises ValueError for bytes of another length.
        """
        numbers = self.numbers()
        places = np.full(wanted.size, NOWHERE, dtype=np.int64)
        # Neighbours are looked up one after another: four times as fast as in any order.
        order = np.argsort(wanted)
        rising = wanted[order]
        first, end = np.searchsorted(rising, [0, 2**32])
        order, rising = order[first:end], rising[first:end].astype(np.uint32)
        if numbers.size:
            found = np.searchsorted(numbers, rising).clip(max=numbers.size - 1)
            places[order] = np.where(numbers[found] == rising, found, NOWHERE)
        return places
