"""The least C3 and C4 of a chain of score groups, by counting, as if all players might meet (R65).

In a chain one pair crosses each boundary between two groups, and no pair crosses two. Of its players only the kind
counts here: which colour is due, and the floats of the last rounds. A pairing of a chain that reaches the least sum is
one of the best, without a search; and a choice whose least sum is more than that of the best pairing need not be tried.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reporting.rules.pairing.field import Field
from reporting.rules.standings.cross_table import Integers

_DUE: Final = np.repeat([-1, 0, 1], 4)
_DOWN: Final = np.tile([0, 0, 1, 1], 3)
_UP: Final = np.tile([0, 1], 6)
KINDS: Final = len(_DUE)
"""A kind for each due colour, with and without a recent float down, with and without one up."""

NEVER: Final = 2**62
"""The sum of a choice for which there is no player."""


def kinds_of(field: Field) -> Integers:
    """Return the kind of each node."""
    return np.asarray((field.due + 1) * 4 + field.down * 2 + field.up)


class Chain:
    """Least sums of the groups of a chain. `repeat` and `fault` are what a repeated float and a colour fault weigh.

    `of_pair` is what a pair of two groups costs, kind of the higher × kind of the lower player. By group and kind,
    `meeting` is the least sum of the group and all below it without a player of this kind, who meets the floater from
    above; `entered` the same with the pair of a floater of this kind.
    """

    def __init__(self, kinds: Integers, groups: Integers, repeat: int, fault: int) -> None:
        self.fault = fault
        is_fault = (_DUE[:, None] == _DUE) & (_DUE != 0)
        self.of_pair: Integers = repeat * (_DOWN[:, None] + _UP) + fault * is_fault
        rows = int(groups[-1]) + 1
        counts = np.bincount(groups * KINDS + kinds, minlength=rows * KINDS).reshape(rows, KINDS)
        self.meeting: list[Integers] = [counts[0]] * rows
        self.entered: list[Integers] = [counts[0]] * rows
        for group in range(rows - 1, -1, -1):
            without = counts[group] - np.eye(KINDS, dtype=np.int64)
            below = self.leaving(group, without).min(axis=1) if group + 1 < rows else self.inside(without)
            self.meeting[group] = np.where(counts[group] > 0, below, NEVER)
            self.entered[group] = np.minimum((self.of_pair + self.meeting[group]).min(axis=1), NEVER)

    def inside(self, counts: Integers) -> Integers:
        """Return the least sum of players of one group among themselves, counted by kind along the last axis."""
        more, not_due = np.abs(counts @ _DUE), counts @ (_DUE == 0)
        return np.asarray(self.fault * (np.maximum(more - not_due, 0) // 2))

    def leaving(self, group: int, counts: Integers) -> Integers:
        """Return by kind the least sum of a group, of which these players are left, and all below if one floats.

        The last axis of `counts`, and of the answer, is the kind.
        """
        without = counts[..., None, :] - np.eye(KINDS, dtype=np.int64)
        sums = np.minimum(self.inside(without) + self.entered[group + 1], NEVER)
        return np.where(counts > 0, sums, NEVER)
