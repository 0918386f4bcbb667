"""Positions with ties in the middle, tie-breaks one after another, and how far two orders are apart (R61b)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reporting.rules.standings.cross_table import CrossTable, Integers

Positions = NDArray[np.float64]

Refinement = Callable[[Integers], Integers]
"""A tie-break: the ranks so far, 0 for the best, to those after it."""


def ranks_of(values: NDArray[Any]) -> Integers:
    """Return 0 for the highest values, 1 for the next ones, and so on."""
    return np.asarray(np.unique(-values, return_inverse=True)[1])


def refined(ranks: Integers, by: Integers) -> Integers:
    """Return the ranks after equal ones were ordered by others."""
    return np.asarray(np.unique(ranks * (int(by.max(initial=0)) + 1) + by, return_inverse=True)[1])


def positions(ranks: Integers) -> Positions:
    """Return the positions from 1; players of one rank share the middle of theirs."""
    counts = np.bincount(ranks)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[ranks])


def direct_encounter(table: CrossTable) -> Refinement:
    """Return the tie-break by the points of tied players among themselves, where all of them have met."""
    met = np.zeros((table.players, table.players), dtype=bool)
    against = np.zeros((table.players, table.players), dtype=np.int64)
    rows, columns = np.nonzero(table.played)
    met[rows, table.opponents[rows, columns]] = True
    against[rows, table.opponents[rows, columns]] = table.points[rows, columns]

    def refine(ranks: Integers) -> Integers:
        order = np.argsort(ranks, kind="stable")
        counts = np.bincount(ranks)
        own = np.zeros(len(ranks), dtype=np.int64)
        for start, count in zip((np.cumsum(counts) - counts).tolist(), counts.tolist(), strict=True):
            if 1 < count <= table.rounds + 1:
                group = np.ix_(order[start : start + count], order[start : start + count])
                if int(met[group].sum()) == count * (count - 1):
                    own[order[start : start + count]] = against[group].sum(axis=1)
        return refined(ranks, ranks_of(own))

    return refine


def orders(
    start: Integers, chains: Sequence[Sequence[str]], refinements: Mapping[str, Refinement]
) -> list[Positions]:
    """Return the positions by each chain of tie-breaks, from ranks by points; common beginnings are made once."""
    ranks: dict[tuple[str, ...], Integers] = {(): start}
    answers = []
    for chain in chains:
        for length in range(1, len(chain) + 1):
            part = tuple(chain[:length])
            if part not in ranks:
                ranks[part] = refinements[part[-1]](ranks[part[:-1]])
        answers.append(positions(ranks[tuple(chain)]))
    return answers


def distances(orders: Positions, criteria: Positions, among: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the GTS of orders × criteria: the root of the mean of the squared differences, of players in `among`."""
    difference = orders[:, None, among] - criteria[None, :, among]
    return np.asarray(np.sqrt((difference**2).mean(axis=2)))
