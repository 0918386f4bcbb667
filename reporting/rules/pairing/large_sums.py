"""The matching of largest sum with whole numbers of any size, by networkx: a hundred times as slow as rustworkx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx

from reporting.rules.pairing.matching import check_time


class _TimedGraph(networkx.Graph):  # type: ignore[misc]  # it has no types
    """A graph that looks at the time whenever a search asks for neighbours: one matching can take minutes."""

    def neighbors(self, n: Any) -> Iterator[Any]:
        check_time()
        return iter(self.adj[n])


def pairs_of_any_size(edges: Iterable[tuple[int, int, int]], *, of_all: bool) -> set[tuple[int, int]]:
    """Return the pairs with the largest sum of weights; with `of_all` among those with the most pairs."""
    graph = _TimedGraph()
    graph.add_weighted_edges_from(edges)
    return set(networkx.max_weight_matching(graph, maxcardinality=of_all))
