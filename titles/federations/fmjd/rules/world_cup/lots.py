"""Lots between players who are equal in all criteria of the World Cup, or in rating and games (R72a)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import groupby

Lot = Sequence[int]
"""Players in the order drawn."""


def draw_lots(order: Iterable[tuple[int, Hashable]], lots: Collection[Lot] = ()) -> list[tuple[int, bool]]:
    """Players in order, each with whether a lot is still to be drawn (R72a).

    `order` has players, the best first, each with what it was ordered by. Equal ones follow in the order of the last
    lot that has them all; without one the lower number is first, and each of them is marked.
    """
    answer: list[tuple[int, bool]] = []
    for _, group in groupby(order, key=lambda row: row[1]):
        equal = sorted(player for player, _ in group)
        drawn = next((lot for lot in reversed([*lots]) if set(equal) <= set(lot)), None)
        players = equal if drawn is None else [player for player in drawn if player in equal]
        answer += [(player, drawn is None and len(equal) > 1) for player in players]
    return answer


def equal_groups(ranked: Iterable[tuple[int, Hashable]]) -> list[set[int]]:
    """The players who are equal with each other, two or more in a group, in any order (R72a)."""
    groups: dict[Hashable, set[int]] = {}
    for player, rank in ranked:
        groups.setdefault(rank, set()).add(player)
    return [group for group in groups.values() if len(group) > 1]
