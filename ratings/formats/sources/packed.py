"""Numbers of players packed into bytes: about one byte a number, and still found without unpacking them all.

Numbers are below 2³² and rise. They are grouped by all but their last eight bits; of each group its number and length
are kept, of each number its last eight bits. What belongs to a number is in arrays of their own, at the same place.
"""

import struct
from dataclasses import dataclass

import numpy as np

from ratings.rules.columns import Integers

HEAD = struct.Struct("<II")
LOW_BITS = 8
NOWHERE = -1


def packed_numbers(numbers: Integers) -> bytes:
    """The bytes of rising numbers. Raises ValueError if they do not rise, or do not fit."""
    if numbers.size and (numbers[0] < 0 or numbers[-1] >= 2**32 or (np.diff(numbers) <= 0).any()):
        raise ValueError("numbers that rise, below 2**32, expected")
    groups, sizes = np.unique(numbers >> LOW_BITS, return_counts=True)
    return b"".join(
        (
            HEAD.pack(groups.size, numbers.size),
            groups.astype("<u4").tobytes(),
            (sizes - 1).astype(np.uint8).tobytes(),
            (numbers & 255).astype(np.uint8).tobytes(),
        )
    )


@dataclass(frozen=True)
class PackedNumbers:
    """Packed numbers, as they are stored."""

    content: bytes

    def places(self, wanted: Integers) -> Integers:
        """The place of each wanted number among the packed ones; `NOWHERE` where it is not one of them.

        Raises ValueError for bytes of another length.
        """
        groups, starts, lows = self._parts()
        if not lows.size:
            return np.full(wanted.size, NOWHERE, dtype=np.int64)
        group = np.searchsorted(groups, wanted >> LOW_BITS).clip(max=groups.size - 1)
        is_here = groups[group] == wanted >> LOW_BITS
        low = wanted & 255
        first, last = starts[group], starts[group + 1] - 1
        while (first < last).any():  # eight times at most: it halves each group
            middle = (first + last) // 2
            is_before = lows[middle] < low
            first = np.where(is_before, np.minimum(middle + 1, last), first)
            last = np.where(is_before, last, middle)
        return np.where(is_here & (lows[last] == low), last, NOWHERE)

    def numbers(self) -> Integers:
        """All numbers, rising."""
        groups, starts, lows = self._parts()
        numbers: Integers = np.repeat(groups.astype(np.int64) << LOW_BITS, np.diff(starts)) | lows
        return numbers

    def _parts(self) -> tuple[np.ndarray, Integers, np.ndarray]:
        """The numbers of the groups, the place where each begins with the end of the last, and the last eight bits."""
        count, size = HEAD.unpack_from(self.content) if len(self.content) >= HEAD.size else (0, -1)
        if len(self.content) != HEAD.size + 5 * count + size:
            raise ValueError("not packed numbers")
        groups = np.frombuffer(self.content, "<u4", count, HEAD.size)
        sizes = np.frombuffer(self.content, np.uint8, count, HEAD.size + 4 * count)
        lows = np.frombuffer(self.content, np.uint8, size, HEAD.size + 5 * count)
        starts = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(sizes.astype(np.int64) + 1, out=starts[1:])
        return groups, starts, lows
