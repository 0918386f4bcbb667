"""Pairs of a graph: whether all can be paired, and the cheapest way; the matching itself is rustworkx's."""

from __future__ import annotations

from typing import Any, Final

import networkx
import numpy as np
import rustworkx
from numpy.typing import NDArray

from reporting.rules.standings.cross_table import Integers

Costs = NDArray[Any]
"""Whole numbers, node × node, symmetric: int64, or Python's own where they need more bits."""

IMPOSSIBLE: Final = -1
"""The cost of a pair that may not be made."""

LARGEST_BITS: Final = 120
"""Weights of rustworkx have 128 bits, of which the sums of its duals need some."""


def can_all_be_paired(may_meet: NDArray[np.bool_]) -> bool:
    """Return whether all players can have an opponent; `may_meet` is symmetric, its diagonal False.

    Where all may meet at least half of the others there is a ring of all (Dirac), so nothing is searched.
    """
    players = len(may_meet)
    if players % 2:
        return False
    if not players or 2 * int(may_meet.sum(axis=1).min()) >= players:
        return True
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(players))
    firsts, seconds = np.nonzero(np.triu(may_meet, 1))
    graph.add_edges_from_no_data(list(zip(firsts.tolist(), seconds.tolist(), strict=True)))
    return len(rustworkx.max_weight_matching(graph, max_cardinality=True)) * 2 == players


def cheapest_pairs(costs: Costs) -> Integers | None:
    """Return the opponent of each node in a pairing of all with the least sum, or None where not all can be paired."""
    players = len(costs)
    if players % 2:
        return None
    firsts, seconds = np.nonzero(np.triu(costs != IMPOSSIBLE, 1))
    found = costs[firsts, seconds].tolist()
    most = max(found, default=0) + 1
    edges = [
        (first, second, most - cost)
        for first, second, cost in zip(firsts.tolist(), seconds.tolist(), found, strict=True)
    ]
    if (most * players).bit_length() <= LARGEST_BITS:
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(players))
        graph.add_edges_from(edges)
        pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    else:  # many odd groups in a row, and hundreds of players: slow, and as exact
        slow = networkx.Graph()
        slow.add_weighted_edges_from(edges)
        pairs = networkx.max_weight_matching(slow, maxcardinality=True)
    if len(pairs) * 2 != players:
        return None
    mates = np.empty(players, dtype=np.int64)
    for first, second in pairs:
        mates[first], mates[second] = second, first
    return mates
