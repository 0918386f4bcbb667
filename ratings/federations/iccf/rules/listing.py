"""The order of the rows of a list, opening rows, and what stored rows must follow from (items 5 to 9, 14 to 17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from typing import Any

import numpy as np

from ratings.federations.iccf.rules.columns import METHODS, STATUSES, IccfListColumns
from ratings.federations.iccf.rules.formulas import (
    ALL_GAMES,
    BY_CHANGES,
    E8,
    OF_PERIOD,
    added_e8,
    coefficient_e6,
    expected_e2,
    is_fixed,
    limited_opponent,
    methods,
    performance,
    published,
)
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.values import OpeningLine, PlayerStart, RowDifference


def in_order(rows: IccfListColumns) -> IccfListColumns:
    """The rows by rating, falling, equal ratings by number, with their positions and ranks."""
    sorted_rows = rows.rows(np.lexsort((rows.register_number, -rows.rating)))
    falling = -sorted_rows.rating
    return replace(
        sorted_rows,
        position=np.arange(1, len(rows) + 1),
        rank=np.searchsorted(falling, falling, side="left") + 1,
    )


def opening_rows(rules: IccfRules, lines: Sequence[OpeningLine]) -> IccfListColumns:
    """The rows of the list that a pool starts from."""
    return in_order(
        _rows(
            rules,
            player=[line.player for line in lines],
            register_number=[line.register_number for line in lines],
            rating=[line.rating for line in lines],
            games=[line.games for line in lines],
            last_game_day=[day_number(line.last_game) for line in lines],
        )
    )


def arranged(rules: IccfRules, closing: date, rows: Sequence[Any]) -> IccfListColumns:  # noqa: ARG001
    """Stored rows in the order of the list again: positions, ranks and statuses; what they do not follow from is 0."""
    return in_order(
        _rows(
            rules,
            player=[row.player_id for row in rows],
            register_number=[row.register_number for row in rows],
            rating=[row.rating for row in rows],
            period_games=[row.period_games for row in rows],
            games=[row.games for row in rows],
            last_game_day=[NO_DAY if row.last_game is None else day_number(row.last_game) for row in rows],
        )
    )


def _rows(rules: IccfRules, **given: list[int]) -> IccfListColumns:
    nothing = np.zeros(len(given["player"]), dtype=np.int64)
    columns = {name: np.array(values, dtype=np.int64) for name, values in given.items()}
    columns["status"] = is_fixed(rules, columns["games"])
    return IccfListColumns(
        **{field.name: columns.get(field.name, nothing) for field in fields(IccfListColumns)}
    )


def check_rows(
    rules: IccfRules,
    before: Mapping[int, PlayerStart],
    rows: Sequence[Any],
    changes: Mapping[int, Sequence[Any]],
) -> Iterator[RowDifference]:
    """What does not follow of stored rows and changes: games, method, k, sums, rating; We and change of each game.

    Figures of another method are None. Of the games before this list only the number is known here: the rating by
    formula 5 over all games must follow from the sums of the row. A player who was rated before has a row.
    """
    listed = set()
    for row in rows:
        listed.add(row.player_id)
        start, own = before.get(row.player_id, PlayerStart()), changes.get(row.player_id, ())
        for of_change, column, found, expected in _followed(rules, start, row, own):
            if found != expected:
                yield RowDifference(row.player_id, column, found, expected, of_change)
    for player, start in before.items():
        if start.rating > 0 and player not in listed:
            yield RowDifference(player, "player_id", None, player)


def _followed(
    rules: IccfRules, start: PlayerStart, row: Any, changes: Sequence[Any]
) -> Iterator[tuple[bool, str, int | str | None, int | str | None]]:
    """Whether it is a change's, name, stored value and what it must be, of a row and its changes."""
    games = len(changes)
    own, opponent, points = (
        np.array([getattr(change, name) for change in changes], dtype=np.int64)
        for name in ("own_rating", "opponent_rating", "points")
    )
    k_e6 = coefficient_e6(rules, start.rating, start.games)
    method = int(methods(rules, np.array(start.games), np.array(games), k_e6))
    expected = expected_e2(rules, own, opponent)
    added = added_e8(points, expected, k_e6)
    by_changes = method == BY_CHANGES
    for place, change in enumerate(changes):
        yield True, "method", change.method, METHODS[method]
        yield True, "k_e6", change.k_e6, int(k_e6) if by_changes else None
        yield True, "expected_e2", change.expected_e2, int(expected[place]) if by_changes else None
        yield True, "added_e8", change.added_e8, int(added[place]) if by_changes else None
    sums = None
    rating = start.rating
    if method == OF_PERIOD:
        sums = games, int(limited_opponent(rules, own, opponent).sum()), int(points.sum())
    elif method == ALL_GAMES:
        sums = start.games + games, row.opponents_sum or 0, row.points_sum or 0
    elif by_changes:
        rating = int(published(start.rating * E8 + added.sum()))
    if sums is not None:
        rating = int(performance(opponents_sum=sums[1], games=sums[0], points=sums[2]))
    yield False, "period_games", row.period_games, games
    yield False, "games", row.games, start.games + games
    yield False, "method", row.method, METHODS[method]
    yield False, "status", row.status, STATUSES[int(is_fixed(rules, np.array(row.games)))]
    yield False, "k_e6", row.k_e6, int(k_e6) if method in (OF_PERIOD, BY_CHANGES) else None
    for name, value in zip(
        ("formula_games", "opponents_sum", "points_sum"), sums or (None,) * 3, strict=True
    ):
        yield False, name, getattr(row, name), value
    yield False, "rating", row.rating, rating
