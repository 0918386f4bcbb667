"""A round taken apart where no pair crosses from one score group to the next, and the best pairing of each part (R65).

A boundary between two score groups that no pair need cross cuts the round in two. Such a run of groups is the smallest
one whose pairs cross its own boundaries as rarely as possible: as rarely as the parity of the players above each
boundary allows, or as a search shows in which all players may leave the run downwards. The criteria C1 to C4 of a
run are the digits of one whole number a pair, so its best pairing is a matching of least sum.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from reporting.rules.pairing.field import Field
from reporting.rules.pairing.matching import (
    IMPOSSIBLE,
    Costs,
    can_all_be_paired,
    cheapest_pairs,
    heaviest_pairs,
)
from reporting.rules.standings.cross_table import Integers

SMALL_BITS = 60
"""Sums of so many bits stay in int64, also if each is multiplied by the number of players."""


def runs_of(field: Field) -> Iterator[tuple[Run, Integers]]:
    """Cut the round wherever no pair crosses in the best pairing (C1 of R65), from the top.

    Each run comes with one of its best pairings by C1 to C4: the opponent of each node. Everybody can have an opponent.
    """
    starts = np.flatnonzero(np.diff(field.groups, prepend=-1)).tolist()
    ends = [*starts[1:], len(field.groups)]
    start = 0
    for last, end in enumerate(ends):
        if (end - start) % 2 or start == end:
            continue
        is_last = last == len(ends) - 1
        if not is_last and not can_all_be_paired(field.may_meet[end:, end:]):
            continue
        run = Run(field, start, end)
        mates = run.best_mates()
        if mates is not None and (is_last or run.is_closed(mates)):
            yield run, mates
            start = end


class Run:
    """Neighbouring score groups that are paired among themselves; nodes are numbered from 0 in the run."""

    def __init__(self, field: Field, start: int, end: int) -> None:
        self.field = field
        self.start = start
        part = slice(start, end)
        self.groups: Integers = field.groups[part] - field.groups[start]
        self.may_meet = field.may_meet[part, part]
        self.repeats, self.faults = field.repeats[part, part], field.faults[part, part]
        self.distances = np.abs(self.groups[:, None] - self.groups[None, :])
        self.above = np.searchsorted(self.groups, np.arange(1, int(self.groups[-1]) + 1))
        self._set_units()
        self.costs = self._costs()

    def best_mates(self) -> Integers | None:
        """Return the opponent of each node in one of the best pairings by C1 to C4, None where there is no pairing."""
        plain = self._plain_pairs()
        return cheapest_pairs(self.costs) if plain is None else plain

    # --- C1 to C4 as one whole number

    def _set_units(self) -> None:
        """What one of each criterion weighs: more than all of the later ones together."""
        players, boundaries = len(self.groups), len(self.above)
        most_of_last, most_of_third = (
            (players, players // 2) if self.field.colours_first else (players // 2, players)
        )
        self.unit_of_fourth = 1
        self.unit_of_third = most_of_last + 1
        self.unit_of_distances = self.unit_of_third * (most_of_third + 1)
        unit = self.unit_of_distances * (players // 2 * max(boundaries, 1) ** 2 + 1)
        units = []
        for above in self.above.tolist()[::-1]:
            units.append(unit)
            unit *= min(above, players - above) + 1
        self.units_of_crossings = units[::-1]
        self.kind: type = np.int64 if (unit * players).bit_length() <= SMALL_BITS else object

    def _costs(self) -> Costs:
        sums: Costs = np.cumsum(np.array([0, *self.units_of_crossings], dtype=self.kind))[self.groups]
        third, fourth = (
            (self.faults, self.repeats) if self.field.colours_first else (self.repeats, self.faults)
        )
        costs = (
            np.abs(sums[:, None] - sums[None, :])
            + self.distances.astype(self.kind) ** 2 * self.unit_of_distances
            + third.astype(self.kind) * self.unit_of_third
            + fourth.astype(self.kind) * self.unit_of_fourth
        )
        return np.where(self.may_meet, costs, IMPOSSIBLE)

    def may_be_best(self, mates: Integers) -> NDArray[np.bool_]:
        """Return the pairs that alone have no more of any criterion than `mates`, a best pairing, has in all.

        Of C2 only what is more than the crossings of the same pairs, which C1 counts.
        """
        nodes = np.arange(len(mates))
        more, repeats, faults = (
            each <= each[nodes, mates].sum() // 2
            for each in (self.distances * (self.distances - 1), self.repeats, self.faults)
        )
        return np.asarray(more & repeats & faults)

    # --- who is in the run

    def is_closed(self, mates: Integers) -> bool:
        """Return whether no pairing of the whole round crosses the run's own boundaries more rarely (C1)."""
        crossings = self.crossings(mates)
        if all(found == above % 2 for found, above in zip(crossings, self.above.tolist(), strict=True)):
            return True
        return crossings == self._crossings_where_all_may_leave()

    def crossings(self, mates: Integers) -> list[int]:
        """Return the pairs across each boundary inside the run, from the top."""
        other = self.groups[mates]
        return [int(((self.groups <= each) & (other > each)).sum()) for each in range(len(self.above))]

    def _crossings_where_all_may_leave(self) -> list[int] | None:
        """The fewest crossings if all might have an opponent below the run; None if a player then has one.

        Who leaves crosses all boundaries below; a pair saves those below its lower player, for both players.
        """
        players = len(self.groups)
        units = [1]
        for above in [*self.above.tolist(), players][::-1]:
            units.append(units[-1] * (min(above, players) + 1))
        units = units[:-1][::-1]
        sums = np.cumsum(np.array([0, *units], dtype=object))
        of_leaving = sums[-1] - sums[self.groups]
        saved = 2 * np.minimum(of_leaving[:, None], of_leaving[None, :])
        mates = heaviest_pairs(np.where(self.may_meet, saved, 0))
        return None if (mates < 0).any() else self.crossings(mates)

    # --- a first pairing

    def _plain_pairs(self) -> Integers | None:
        """A pairing of the least sum by the plain rule, None where it gets stuck: then a matching finds the best."""
        is_plain = self.may_meet & (self.repeats == 0) & (self.faults == 0)
        mates = np.full(len(self.groups), -1, dtype=np.int64)
        system = self.field.history.tournament.system
        starts = [0, *self.above.tolist()]
        ends = [*self.above.tolist(), len(self.groups)]
        floater = -1
        for group, (start, end) in enumerate(zip(starts, ends, strict=True)):
            nodes = list(range(start, end))
            if floater >= 0:
                order = nodes if system.floater_meets_first else nodes[::-1]
                other = next((each for each in order if is_plain[floater, each]), -1)
                if other < 0:
                    return None
                mates[floater], mates[other] = other, floater
                nodes.remove(other)
                floater = -1
            if len(nodes) % 2:
                if group + 1 == len(starts):
                    return None
                below = slice(starts[group + 1], ends[group + 1])
                order = nodes[::-1] if system.last_floats else nodes
                floater = next((each for each in order if is_plain[each, below].any()), -1)
                if floater < 0:
                    return None
                nodes.remove(floater)
            if not self._pair_plainly(nodes, is_plain, mates):
                return None
        return mates

    def _pair_plainly(self, nodes: list[int], is_plain: NDArray[np.bool_], mates: Integers) -> bool:
        """Pair the nodes of a group, the first opponent first; who is left over exchanges with a pair already made."""
        left = []
        half = len(nodes) // 2
        lower = nodes[half:]
        for node in nodes[:half]:
            other = next((each for each in lower if is_plain[node, each]), -1)
            if other < 0:
                left.append(node)
                continue
            lower.remove(other)
            mates[node], mates[other] = other, node
        left += lower
        while left:
            first = left.pop(0)
            other = next((each for each in left if is_plain[first, each]), -1)
            if other >= 0:
                left.remove(other)
                mates[first], mates[other] = other, first
                continue
            second = left.pop(0)
            paired = np.array([each for each in nodes if mates[each] >= 0], dtype=np.int64)
            fits = is_plain[first, paired] & is_plain[second, mates[paired]]
            if not fits.any():
                return False
            one = int(paired[int(fits.argmax())])
            two = int(mates[one])
            mates[first], mates[one], mates[second], mates[two] = one, first, two, second
        return True
