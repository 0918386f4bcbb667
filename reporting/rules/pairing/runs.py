"""A round taken apart where no pair crosses from one score group to the next, and the best pairing of each part (R65).

A boundary between two score groups that no pair need cross cuts the round in two. Such a run of groups is the smallest
one whose pairs cross its own boundaries as rarely as possible: as rarely as the players above each boundary can be
paired among themselves, or as a search shows in which all players may leave the run downwards. The criteria C1 to C4
of a run are the digits of one whole number a pair, so its best pairing is a matching of least sum.

Boundaries that are crossed no more often than they must be share one digit of C1: no pairing can cross any of them more
rarely, so the least sum of their crossings has the least at each. The others have a digit of their own, which a first
matching finds (decision 0163); so the whole numbers stay small.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reporting.rules.pairing.chain import KINDS, Chain, kinds_of
from reporting.rules.pairing.field import Field
from reporting.rules.pairing.matching import (
    IMPOSSIBLE,
    Costs,
    can_all_be_paired,
    cheapest_pairs,
    fewest_without_opponent,
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


def _kind_of_sums(most: int) -> type:
    return np.int64 if most.bit_length() <= SMALL_BITS else object


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
        self.kinds = kinds_of(field)[part]
        self.least: list[int] = (self.above % 2).tolist()
        """By boundary: crossings that no pairing has fewer of."""
        self.has_own_digit = [False] * len(self.above)
        self._set_costs()

    def best_mates(self) -> Integers | None:
        """Return the opponent of each node in one of the best pairings by C1 to C4, None where there is no pairing."""
        mates = self._pairs_of_chain()
        if mates is not None:
            return mates
        while (mates := cheapest_pairs(self.costs)) is not None and self._parts_digits(self.crossings(mates)):
            self._set_costs()
        return mates

    # --- C1 to C4 as one whole number

    def _set_costs(self) -> None:
        """What each pair costs; one of a criterion weighs more than all of the later ones together."""
        players, boundaries = len(self.groups), len(self.above)
        most_of_last, most_of_third = (
            (players, players // 2) if self.field.colours_first else (players // 2, players)
        )
        unit_of_third = most_of_last + 1
        repeat, fault = (1, unit_of_third) if self.field.colours_first else (unit_of_third, 1)
        self.chain = Chain(self.kinds, self.groups, repeat, fault)
        self.unit_of_distances = unit_of_third * (most_of_third + 1)
        most_above = np.minimum(self.above, players - self.above)
        units = self._units_of_crossings(
            self.unit_of_distances * (players // 2 * max(boundaries, 1) ** 2 + 1), most_above.tolist()
        )
        kind = _kind_of_sums(2 * sum(units) * players)
        sums: Costs = np.cumsum(np.array([0, *units], dtype=kind))[self.groups]
        costs = (
            np.abs(sums[:, None] - sums[None, :])
            + self.distances.astype(kind) ** 2 * self.unit_of_distances
            + (self.repeats * repeat + self.faults * fault).astype(kind)
        )
        self.costs: Costs = np.where(self.may_meet, costs, IMPOSSIBLE)

    def _units_of_crossings(self, unit: int, most: list[int]) -> list[int]:
        """Return what one crossing of each boundary weighs, `unit` being that of the last digit of C1.

        `most` are the crossings that a pairing may have at each boundary.
        """
        units: list[int] = []
        most_of_digit = 0
        for boundary in range(len(most) - 1, -1, -1):
            if any(self.has_own_digit[boundary : boundary + 2]):
                unit *= most_of_digit + 1
                most_of_digit = 0
            most_of_digit += most[boundary]
            units.append(unit)
        return units[::-1]

    def _parts_digits(self, crossings: list[int]) -> bool:
        """Give the first boundary that shares a digit and is crossed more often than it must be a digit of its own.

        Return whether there is one.
        """
        for boundary, above in enumerate(self.above.tolist()):
            if self.has_own_digit[boundary] or crossings[boundary] == self.least[boundary]:
                continue
            self.least[boundary] = fewest_without_opponent(self.may_meet[:above, :above])
            if crossings[boundary] > self.least[boundary]:
                self.has_own_digit[boundary] = True
                return True
        return False

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
        return not any(self.has_own_digit) or self.crossings(mates) == self._crossings_where_all_may_leave()

    def crossings(self, mates: Integers) -> list[int]:
        """Return the pairs across each boundary inside the run, from the top."""
        return self._crossed(self.groups[mates])

    def _crossed(self, other: Integers) -> list[int]:
        """The same, given the group of each node's opponent."""
        return [int(((self.groups <= each) & (other > each)).sum()) for each in range(len(self.above))]

    def _crossings_where_all_may_leave(self) -> list[int] | None:
        """The fewest crossings if all might have an opponent below the run; None if a player then has one.

        Who leaves crosses all boundaries below; a pair saves those below its lower player, for both players.
        """
        while True:
            units = [*self._units_of_crossings(len(self.groups) + 1, self.above.tolist()), 1]
            kind = _kind_of_sums(2 * sum(units) * len(self.groups))
            sums: Costs = np.cumsum(np.array([0, *units], dtype=kind))
            of_leaving = sums[-1] - sums[self.groups]
            saved = 2 * np.minimum(of_leaving[:, None], of_leaving[None, :])
            mates = heaviest_pairs(np.where(self.may_meet, saved, 0))
            other = np.where(mates < 0, len(self.groups), self.groups[mates])
            if not self._parts_digits(self._crossed(other)):
                return None if (mates < 0).any() else self.crossings(mates)

    # --- a first pairing

    def is_chain(self, mates: Integers) -> bool:
        """Return whether one pair crosses each boundary, and no pair two."""
        crosses_one = self.distances[np.arange(len(mates)), mates] <= 1
        return bool(crosses_one.all()) and all(found == 1 for found in self.crossings(mates))

    def _pairs_of_chain(self) -> Integers | None:
        """A pairing of the least sum by counting, in the plain order; None where it gets stuck or there is no chain."""
        if not (self.above % 2).all():
            return None
        chain, kinds, system = self.chain, self.kinds, self.field.history.tournament.system
        mates = np.full(len(self.groups), -1, dtype=np.int64)
        bounds = [0, *self.above.tolist(), len(self.groups)]
        floater = -1
        for group, (start, end) in enumerate(pairwise(bounds)):
            nodes = list(range(start, end))
            if floater >= 0:
                fits = self._fits_floater(floater, group)
                order = nodes if system.floater_meets_first else nodes[::-1]
                other = next(node for node in order if fits[node - start])
                mates[floater], mates[other] = other, floater
                nodes.remove(other)
            if end < len(self.groups):
                sums = chain.leaving(group, np.bincount(kinds[nodes], minlength=KINDS))[kinds[nodes]]
                best = [node for node, total in zip(nodes, sums, strict=True) if total == sums.min()]
                order = best[::-1] if system.last_floats else best
                floater = next((node for node in order if self._fits_floater(node, group + 1).any()), -1)
                if floater < 0:
                    return None
                nodes.remove(floater)
            if not self._pair_inside(nodes, mates):
                return None
        return mates

    def _fits_floater(self, floater: int, group: int) -> NDArray[np.bool_]:
        """Return who of a group may meet a floater from the group above for the least sum."""
        part = self.groups == group
        kind, others = self.kinds[floater], self.kinds[part]
        sums = self.chain.of_pair[kind, others] + self.chain.meeting[group][others]
        return np.asarray(self.may_meet[floater, part] & (sums == self.chain.entered[group][kind]))

    def _pair_inside(self, nodes: list[int], mates: Integers) -> bool:
        """Pair the nodes of a group with the fewest colour faults; return whether it does not get stuck."""
        due = self.field.due[self.start + np.array(nodes, dtype=np.int64)]
        more = int(due.sum())
        faults = max(abs(more) - int((due == 0).sum()), 0) // 2
        alike = [node for node, colour in zip(nodes, due.tolist(), strict=True) if colour * more > 0]
        alike = [*alike[:faults], *alike[len(alike) - faults :]]
        of_pairs = self.may_meet & (self.faults == 0)
        others = [node for node in nodes if node not in set(alike)]
        return self._pair_plainly(alike, self.may_meet, mates) and self._pair_plainly(others, of_pairs, mates)

    @staticmethod
    def _pair_plainly(nodes: list[int], is_plain: NDArray[np.bool_], mates: Integers) -> bool:
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
