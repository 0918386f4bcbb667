"""Criteria of round robins (Annex 3 art. 5.11.1.2.1) and withdrawals from them (art. 5.9; R52 to R53)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reporting.rules.standings.cross_table import NONE, WIN, CrossTable, Integers, Kind, tied_players
from reporting.rules.standings.exact import Column, lists, whole


def wins(table: CrossTable) -> Column:
    """The number of victories: forfeits won count, pauses do not (art. 5.11.1.2.1, 1; R52)."""
    return whole(((table.points == WIN) & table.paired).sum(axis=1))


def mutual(table: CrossTable, groups: Integers, *, plus_draws: bool = False) -> Column:
    """The points among the tied players, then again among those still tied (art. 5.11.1.2.1, 2; R52a).

    `groups` are equal numbers for players equal so far. The list of a player who is not tied is empty. With
    `plus_draws` each number of points is followed by the plus draws less the minus draws (Annex 17 art. 10).
    """
    rows: list[list[int]] = [[] for _ in range(table.players)]
    waiting = tied_players(groups)
    while waiting:
        group = waiting.pop()
        inside = table.paired[group] & np.isin(table.opponents[group], group)
        points = np.where(inside, table.gained[group], 0).sum(axis=1)[:, None]
        if plus_draws:
            balance = np.where(inside, _advantages(table)[group], 0).sum(axis=1)
            points = np.column_stack([points, balance])
        for row, results in zip(group.tolist(), points.tolist(), strict=True):
            rows[row].extend(results)
        for results in np.unique(points, axis=0):
            level = group[(points == results).all(axis=1)]
            if 1 < len(level) < len(group):
                waiting.append(level)
    return lists(rows)


def classification(table: CrossTable, groups: Integers, *, plus_draws: bool = False) -> Column:
    """The points against each place in order, those of a tied block taken together (art. 5.11.1.2.1, 3; R52a).

    `groups` number the players in the order of the classification so far, from 0 for the best. With `plus_draws` each
    number of points is followed by the plus draws less the minus draws (Annex 17 art. 10).
    """
    rows, rounds = np.nonzero(table.paired)
    at = rows, groups[table.opponents[rows, rounds]]
    values = np.zeros((table.players, int(groups.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(values, at, table.gained[rows, rounds])
    if plus_draws:
        balance = np.zeros_like(values)
        np.add.at(balance, at, _advantages(table)[rows, rounds])
        values = np.stack([values, balance], axis=2).reshape(table.players, -1)
    return Column(values, np.ones(table.players, dtype=np.int64), 1)


def _advantages(table: CrossTable) -> Integers:
    """Plus draws and minus draws, printed as 1 and -1 by any scale of points."""
    if table.advantages is None:
        return np.zeros_like(table.points)
    return table.advantages * table.halves_a_point


def decided(table: CrossTable, groups: Integers) -> Column:
    """The order among tied players that tie-break games or a lot of the tournament gave them (art. 5.10; R25).

    It counts where all tied players are in one order; the list of other players is empty.
    """
    rows: list[list[int]] = [[] for _ in range(table.players)]
    orders = {number: order for order in table.counting.decided_ties for number in order}
    for group in tied_players(groups):
        numbers = table.numbers[group].tolist()
        order = orders.get(numbers[0], ())
        if set(numbers) <= set(order):
            for place, number in enumerate([each for each in order if each in numbers], 1):
                rows[int(group[numbers.index(number)])].append(place)
    column = lists(rows)
    return replace(column, power=0)


def withdrawn(table: CrossTable) -> Integers:
    """Return the rows of players who left a round robin after half of their games or fewer (art. 5.9 A a).

    A player has left whose last two or more rounds have no game and no points (R60a); a rest is no round (R60f).
    """
    gone = ~table.played & (table.points == 0) & (table.kinds != Kind.PAUSE)
    left = np.cumprod((gone | ~table.counted_rounds)[:, ::-1], axis=1)[:, ::-1].astype(bool)
    last = (left & table.counted_rounds).sum(axis=1)
    scheduled = np.maximum(table.paired.sum(axis=1), table.players - 1)
    return np.flatnonzero((last >= 2) & (2 * table.games <= scheduled))


def with_rests(table: CrossTable) -> CrossTable:
    """Return the table of a round robin of an odd number with a rest where a player has no opponent (R60f)."""
    if not table.round_robin or table.players % 2 == 0:
        return table
    return replace(table, kinds=np.where(table.paired, table.kinds, Kind.REST))


def without_withdrawn(table: CrossTable) -> tuple[CrossTable, Integers]:
    """Return the table with the results of withdrawn players cancelled, and their rows, which are not classified."""
    rows = withdrawn(table) if table.round_robin else np.array([], dtype=np.int64)
    if not len(rows):
        return table, rows
    cancelled = np.isin(table.opponents, rows)
    cancelled[rows] = True
    return (
        replace(
            table,
            opponents=np.where(cancelled, NONE, table.opponents),
            kinds=np.where(cancelled, Kind.REST, table.kinds),
            points=np.where(cancelled, 0, table.points),
            colours=np.where(cancelled, 0, table.colours),
            round_points=None if table.round_points is None else np.where(cancelled, 0, table.round_points),
            advantages=None if table.advantages is None else np.where(cancelled, 0, table.advantages),
        ),
        rows,
    )
