"""Which of the best pairings is made: who floats, whom they meet, and the order inside each group (C5, C6 of R65; R66).

Of one pair after another it is asked whether a pairing with the same C1 to C4 has it. Nearly always the pairing at hand
shows it after an exchange of opponents; else one matching finds the first of all the pairs in question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from reporting.rules.pairing.chain import KINDS
from reporting.rules.pairing.field import Field
from reporting.rules.pairing.matching import IMPOSSIBLE, can_all_be_paired, cheapest_pairs, check_time
from reporting.rules.pairing.runs import Run, runs_of
from reporting.rules.pairing.tournament import InsideGroup, part_sizes
from reporting.rules.standings.cross_table import Integers


@dataclass(frozen=True)
class Passed:
    """A choice that came first and was not possible: an opponent for `player`, or without one, that `player` floats.

    `code` is the reason: `met`, `floated`, `colour` or `completion`.
    """

    player: int
    opponent: int | None
    code: str


Decided = dict[tuple[int, int], list[Passed]]
"""The pairs of a round as nodes, the higher player first, each with whom it passed over."""


def best_pairs(field: Field) -> Decided | None:
    """Return the best pairing of a field (R65, R66), None where not all players can have an opponent (R64)."""
    if not can_all_be_paired(field.may_meet):
        return None
    decided: Decided = {}
    for run, mates in runs_of(field):
        decided |= _Decision(run, mates).decide()
    return decided


class _Decision:
    """The pairs of a run, decided one after another. `mates` is the pairing at hand, `scope` the players a search is
    about; `costs` are without the pairs that no best pairing has, and lose those that a decision excludes."""

    def __init__(self, run: Run, mates: Integers) -> None:
        self.run = run
        self.mates = mates
        self.groups = run.groups
        self.costs = np.where(run.may_be_best(mates), run.costs, IMPOSSIBLE)
        self.is_free = np.ones(len(mates), dtype=bool)
        self.scope = np.arange(len(mates))
        self.decided: Decided = {}
        self.is_chain = run.is_chain(mates)

    def decide(self) -> Decided:
        """Return the pairs that C5 and C6 ask for, among the pairings with the least sum."""
        groups = [np.flatnonzero(self.groups == each).tolist() for each in range(int(self.groups[-1]) + 1)]
        crossings = self.run.crossings(self.mates)
        for group, nodes in enumerate(groups[:-1]):
            self.scope = np.flatnonzero(self.groups >= group)  # above, all who float have done so
            through = sum(
                bool(self.groups[higher] < group < self.groups[lower]) for higher, lower in self.decided
            )
            self._decide_floaters([node for node in nodes if self.is_free[node]], crossings[group] - through)
        for nodes in groups:
            self._decide_inside([node for node in nodes if self.is_free[node]])
        start = self.run.start
        return {(higher + start, lower + start): over for (higher, lower), over in self.decided.items()}

    def _decide_floaters(self, nodes: list[int], floats: int) -> None:
        """C5: which of these players of a group float, and whom they meet."""
        system = self.run.field.history.tournament.system
        floaters: list[int] = []
        stay: list[int] = []
        others = iter(nodes[::-1] if system.last_floats else nodes)
        for node in others:
            if len(floaters) == floats:
                break
            if self._costs_more_if_floating(node):
                stay.append(node)
                continue
            asked = [node]
            if not self._is_seen_to_float(node) and self._may_float(node).any():
                asked += others if len(floaters) + 1 == floats else []
                self._search([(each, self._may_float(each)) for each in asked])
            staying = list(takewhile(lambda each: not self._floats(each), asked))
            stay += staying
            if len(staying) < len(asked):
                floater = asked[len(staying)]
                self._forbid(floater, self.groups <= self.groups[floater])
                floaters.append(floater)
        passed = [Passed(node + self.run.start, None, self._why_no_float(node)) for node in stay]
        for floater in sorted(floaters):
            below = np.flatnonzero(self.is_free & (self.groups > self.groups[floater])).tolist()
            if not system.floater_meets_first:
                below.sort(key=lambda node: (self.groups[node], -node))
            other, over = self._meet_first_possible(floater, below)
            self.decided[floater, other] = [*passed, *over]

    def _why_no_float(self, node: int) -> str:
        possible = self.run.may_meet[node] & (self.groups == self.groups[node] + 1)
        if not possible.any():
            return "met"
        if (self.run.repeats[node, possible] > 0).all():
            return "floated"
        return "colour" if (self.run.faults[node, possible] > 0).all() else "completion"

    def _decide_inside(self, staying: list[int]) -> None:
        """C6: the order inside a group (R66). Pairs of other groups no longer touch these players."""
        self.scope = np.array(staying, dtype=np.int64)
        method = self.run.field.inside_group
        choosers = staying
        if method is InsideGroup.AVERAGE_RATING:
            averages = self.run.field.average_of_opponents()
            choosers = sorted(staying, key=lambda node: (-averages[node + self.run.start], node))
        opponents = opponents_in_order(method, len(staying), self.run.field.history.tournament.parts)
        place = {node: position for position, node in enumerate(staying)}
        for node in choosers:
            if self.is_free[node]:
                others = (staying[each] for each in opponents(place[node]))
                free = (each for each in others if self.is_free[each])  # the first one nearly always does
                other, over = self._meet_first_possible(node, free)
                self.decided[min(node, other), max(node, other)] = over

    def _meet_first_possible(self, node: int, opponents: Iterable[int]) -> tuple[int, list[Passed]]:
        """Pair a player with the first of these opponents whom a pairing of the same sum has; the last resort is the
        one at hand, which is among them."""
        check_time()
        over = []
        opponents = iter(opponents)
        for other in opponents:
            if self.mates[node] == other or self._exchange(node, other):
                break
            if self._may_meet(node, other):
                asked = [other, *opponents]
                self._search([(node, each) for each in asked])
                over += asked[: asked.index(int(self.mates[node]))]
            else:
                over.append(other)
        other = int(self.mates[node])
        self.is_free[node] = self.is_free[other] = False
        start = self.run.start
        return other, [Passed(node + start, each + start, self._why_no_pair(node, each)) for each in over]

    def _why_no_pair(self, node: int, other: int) -> str:
        if not self.run.may_meet[node, other]:
            return "met"
        if self.run.repeats[node, other]:
            return "floated"
        return "colour" if self.run.faults[node, other] else "completion"

    # --- whether a pairing of the least sum has a pair

    def _is_seen_to_float(self, node: int) -> bool:
        """Return whether a player floats in the pairing at hand, if need be after an exchange."""
        if self._floats(node):
            return True
        crossing = np.flatnonzero(
            self.is_free & (self.groups == self.groups[node]) & (self.groups[self.mates] > self.groups[node])
        )
        return any(self._exchange(node, int(self.mates[each])) for each in crossing)

    def _floats(self, node: int) -> bool:
        return bool(self.groups[self.mates[node]] > self.groups[node])

    def _may_float(self, node: int) -> NDArray[np.bool_]:
        """Return whom a player might meet by floating."""
        is_below = self.groups > self.groups[node]
        return np.asarray(self.is_free & is_below & (self.costs[node] != IMPOSSIBLE))

    def _forbid(self, node: int, others: NDArray[np.bool_]) -> None:
        self.costs[node, others] = IMPOSSIBLE
        self.costs[others, node] = IMPOSSIBLE

    def _may_meet(self, first: int, second: int) -> bool:
        """Return whether a pairing of the same sum may have a pair: not if alone it has more of C3 and C4."""
        cost = self.costs[first, second]
        later, total = self.run.unit_of_distances, self._sum_of_free()
        if cost == IMPOSSIBLE or cost > total or cost % later > total % later:
            return False
        return not self.is_chain or self._least_sum_with(first, second) <= total % later

    def _least_sum_with(self, first: int, second: int) -> int:
        """Return C3 and C4 that the free players of a chain have at least if two of them meet, by counting."""
        chain, kinds = self.run.chain, self.run.kinds
        higher, lower = min(first, second), max(first, second)
        group = self.groups[higher]
        counts = self._free_by_kind(group)
        counts[kinds[higher]] -= 1
        if self.groups[lower] == group:
            counts[kinds[lower]] -= 1
            return int(chain.inside(counts)) + chain.fault * int(self.run.faults[higher, lower])
        of_pair = chain.of_pair[kinds[higher], kinds[lower]]
        return int(chain.inside(counts) + of_pair + chain.meeting[group + 1][kinds[lower]])

    def _costs_more_if_floating(self, node: int) -> bool:
        """Return whether a chain in which a player floats has more of C3 and C4, by counting."""
        if not self.is_chain:
            return False
        group = self.groups[node]
        least = self.run.chain.leaving(group, self._free_by_kind(group))[self.run.kinds[node]]
        return bool(least > self._sum_of_free() % self.run.unit_of_distances)

    def _free_by_kind(self, group: int) -> Integers:
        nodes = np.flatnonzero(self.is_free & (self.groups == group))
        return np.bincount(self.run.kinds[nodes], minlength=KINDS)

    def _free(self) -> Integers:
        return self.scope[self.is_free[self.scope]]

    def _sum_of_free(self) -> int:
        nodes = self._free()
        return int(self.costs[nodes, self.mates[nodes]].sum()) // 2

    def _exchange(self, first: int, second: int) -> bool:
        """Give two players each other, and their opponents each other or those of one more pair, for the same sum."""
        costs, mates = self.costs, self.mates
        if costs[first, second] == IMPOSSIBLE:
            return False
        third, fourth = int(mates[first]), int(mates[second])
        had = costs[first, third] + costs[second, fourth] - costs[first, second]
        if costs[third, fourth] != IMPOSSIBLE and costs[third, fourth] == had:
            mates[[first, second, third, fourth]] = second, first, fourth, third
            return True
        others = self._free()
        others = others[(others != first) & (others != second) & (others != third) & (others != fourth)]
        theirs = mates[others]
        one, two = costs[third, others], costs[fourth, theirs]
        fits = (one != IMPOSSIBLE) & (two != IMPOSSIBLE) & (one + two - costs[others, theirs] == had)
        if not fits.any():
            return False
        other = int(others[int(fits.argmax())])
        their = int(mates[other])
        mates[[first, second, third, other, fourth, their]] = second, first, other, third, their, fourth
        return True

    def _search(self, wishes: Sequence[tuple[int, int | NDArray[np.bool_]]]) -> None:
        """Look for a pairing of the free players of the same sum, with the first pair that one of them has of `wishes`,
        of which no more than one can be had; then it is at hand. A wish is a player and an opponent, or several."""
        nodes = self._free()
        most = len(wishes)
        late = np.full_like(self.costs, most)
        for place, (node, others) in enumerate(wishes):
            late[node, others] = late[others, node] = place
        costs = np.where(self.costs == IMPOSSIBLE, IMPOSSIBLE, self.costs * (most + 1) + late)
        found = cheapest_pairs(costs[np.ix_(nodes, nodes)])
        if found is None:
            raise RuntimeError("the pairing at hand is none")
        self.mates[nodes] = nodes[found]


def opponents_in_order(method: InsideGroup, players: int, parts: int) -> Callable[[int], list[int]]:
    """Return whom the player at a place of a group would meet first, second, … of those who come later (R66, R69a).

    Places are from 0 in pairing order; a player who has an opponent already has to be excluded.
    """
    half = players // 2

    def halves(place: int) -> list[int]:
        return [*range(max(half, place + 1), players), *range(half - 1, place, -1)]

    def from_the_last(place: int) -> list[int]:
        return [each for each in range(players - 1, -1, -1) if each != place]

    def neighbours(place: int) -> list[int]:
        return list(range(place + 1, players))

    def in_parts(place: int) -> list[int]:
        start = 0
        for pairs in part_sizes(half, parts):
            if place < start + 2 * pairs:
                break
            start += 2 * pairs
        lower = range(max(start + pairs, place + 1), start + 2 * pairs)
        plain = place + pairs if place < start + pairs else place - pairs
        rest = [each for each in range(players) if each != place and each not in lower]
        return [*lower, *sorted(rest, key=lambda other: (abs(other - plain), other))]

    return {
        InsideGroup.HALVES: halves,
        InsideGroup.HIGHEST_AGAINST_LOWEST: from_the_last,
        InsideGroup.AVERAGE_RATING: from_the_last,
        InsideGroup.NEIGHBOURS: neighbours,
        InsideGroup.PARTS: in_parts,
    }[method]
