"""Pairs of a graph: whether all can be paired, and the cheapest way; the matching itself is rustworkx's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import thread_time
from typing import Any, Final

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


SECONDS_OF_A_COMMAND: Final = 60
"""CPU time that a command gives a pairing or a lot. Only made-up files need more."""


class TooCostlyError(Exception):
    """Pairing takes more CPU time than `limited_time` allows."""


_last_moment: ContextVar[float] = ContextVar("last_moment", default=inf)


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Let this thread pair for so many seconds of CPU time; then whatever pairs raises `TooCostlyError`.

    A matching that rustworkx has begun still ends: of 300 players in a second or two.
    """
    token = _last_moment.set(thread_time() + seconds)
    try:
        yield
    finally:
        _last_moment.reset(token)


def check_time() -> None:
    """Raise `TooCostlyError` when the time is used up."""
    last_moment = _last_moment.get()
    if last_moment < inf and thread_time() >= last_moment:  # on some machines to ask for the time is slow
        raise TooCostlyError


def can_all_be_paired(may_meet: NDArray[np.bool_]) -> bool:
    """Return whether all players can have an opponent; `may_meet` is symmetric, its diagonal False."""
    return len(may_meet) % 2 == 0 and fewest_without_opponent(may_meet) == 0


def fewest_without_opponent(may_meet: NDArray[np.bool_]) -> int:
    """Return how many players have no opponent where as many as possible have one.

    Where all may meet at least half of the others there is a ring of all (Dirac), so nothing is searched.
    """
    check_time()
    players = len(may_meet)
    if not players or 2 * int(may_meet.sum(axis=1).min()) >= players:
        return players % 2
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(players))
    firsts, seconds = np.nonzero(np.triu(may_meet, 1))
    graph.add_edges_from_no_data(list(zip(firsts.tolist(), seconds.tolist(), strict=True)))
    return players - 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True))


def cheapest_pairs(costs: Costs) -> Integers | None:
    """Return the opponent of each node in a pairing of all with the least sum, or None where not all can be paired."""
    if not (costs != IMPOSSIBLE).any(axis=1).all():
        return None
    most = max(costs.max(initial=0), 0) + 1
    mates = heaviest_pairs(np.where(costs == IMPOSSIBLE, 0, most - costs), of_all=True)
    return None if (mates < 0).any() else mates


def heaviest_pairs(weights: Costs, *, of_all: bool = False) -> Integers:
    """Return the opponent of each node in the pairs with the largest sum, -1 without one.

    Pairs of weight 0 are never made. With `of_all` as many as possible have an opponent, else only whom it serves.
    """
    check_time()
    players = len(weights)
    firsts, seconds = np.nonzero(np.triu(weights != 0, 1))
    found = weights[firsts, seconds].tolist()
    edges = list(zip(firsts.tolist(), seconds.tolist(), found, strict=True))
    if (max(found, default=0) * players).bit_length() <= LARGEST_BITS:
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(players))
        graph.add_edges_from(edges)
        pairs = rustworkx.max_weight_matching(graph, max_cardinality=of_all, weight_fn=int)
    else:  # many odd groups in a row, and hundreds of players: slow, and as exact
        # networkx is 376 modules, which no other process needs
        from reporting.rules.pairing.large_sums import pairs_of_any_size  # noqa: PLC0415

        pairs = pairs_of_any_size(edges, of_all=of_all)
    mates = np.full(players, -1, dtype=np.int64)
    for first, second in pairs:
        mates[first], mates[second] = second, first
    return mates
