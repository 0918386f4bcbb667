"""The games of one player in a quarter, calculated by the engine from ratings and results alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.federations.iccf.rules.columns import FROM, METHODS
from ratings.federations.iccf.rules.engine import calculate
from ratings.federations.iccf.rules.engine_input import (
    EventColumns,
    GameColumns,
    IccfColumns,
    ListRead,
    ParticipantColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.iccf.rules.explain import ExplainedGame, ExplainedList
from ratings.federations.iccf.rules.formulas import ALL_GAMES, BY_CHANGES
from ratings.federations.iccf.rules.parameters import KINDS, IccfRules
from ratings.rules.columns import NO_DAY, Integers

PLAYER = 1
"""The id of the player; the opponents have those that follow."""
FIRST_DAY = 0
"""That of the list before and of all games: no figure depends on it."""


@dataclass(frozen=True, slots=True)
class CalculatedList:
    """The row and the games of the player as the engine gives them."""

    row: ExplainedList
    games: Sequence[ExplainedGame]


def calculate_games(
    rules: IccfRules, *, rating: int, games: int, level: int, results: Sequence[tuple[int, int]]
) -> CalculatedList | None:
    """The only games of a quarter for one player; None without any (items 5 to 9, 14 to 17; R90 to R92c).

    `rating` and `games` are those of the list before, 0 for none. Fewer than 30 games count as draws against that
    rating (R92a). `results` are pairs of an opponent's rating and the player's points, 2, 1 or 0. A player without a
    rating has the assumed one of the tournament, `level` (item 11). The games began with the list before.
    """
    if not results:
        return None
    ratings = np.array([rating, *(opponent for opponent, _ in results)], dtype=np.int64)
    ids = np.arange(PLAYER, PLAYER + ratings.size)
    is_rated_player = (ids == PLAYER) & (ratings > 0)
    before = np.where(is_rated_player, games, 0)
    nothing = np.zeros_like(ids)
    players = PlayerColumns(
        player=ids,
        register_number=(ids == PLAYER).astype(np.int64),
        previous=ratings,
        rating=ratings,
        games=before,
        last_game=nothing + NO_DAY,
        past_games=before,
        past_opponents=before * ratings,
        past_points=before,
    )
    rated = np.flatnonzero(ratings)
    points = np.array([own for _, own in results], dtype=np.int64)
    number = np.arange(1, points.size + 1)
    zero = np.zeros_like(number)
    calculated = calculate(
        rules,
        IccfColumns(
            in_force=FIRST_DAY,
            players=players,
            lists=(ListRead(FIRST_DAY, ""),),
            ratings=RatingColumns(nothing[rated], ids[rated], ratings[rated]),
            events=EventColumns(
                *np.array([[1], [1], [1], [0], [FIRST_DAY], [KINDS.index("other")], [level]])
            ),
            participants=ParticipantColumns(nothing[:0], nothing[:0]),
            games=GameColumns(
                number, zero, zero + 1, number, zero + PLAYER, ids[1:], zero, zero, points, zero, zero
            ),
        ),
    )
    rows, changes = calculated.rows, calculated.changes
    method = int(rows.method[0])
    by_changes, by_performance = method == BY_CHANGES, method != BY_CHANGES

    def figure(column: Integers, place: int, *, has_it: bool) -> int | None:
        return int(column[place]) if has_it else None

    row = ExplainedList(
        rating=int(rows.rating[0]),
        games=int(rows.games[0]),
        period_games=int(rows.period_games[0]),
        method=METHODS[method],
        k_e6=figure(rows.k_e6, 0, has_it=method != ALL_GAMES),
        formula_games=figure(rows.formula_games, 0, has_it=by_performance),
        opponents_sum=figure(rows.opponents_sum, 0, has_it=by_performance),
        points_sum=figure(rows.points_sum, 0, has_it=by_performance),
    )
    return CalculatedList(
        row,
        [
            ExplainedGame(
                own_rating=int(changes.own[place]),
                own_from=FROM[changes.own_from[place]],
                opponent_rating=int(changes.opponent_rating[place]),
                opponent_from=FROM[changes.opponent_from[place]],
                points=int(changes.points[place]),
                k_e6=figure(changes.k_e6, place, has_it=by_changes),
                expected_e2=figure(changes.expected_e2, place, has_it=by_changes),
                added_e8=figure(changes.added_e8, place, has_it=by_changes),
                games_before=int(before[0]),
            )
            for place in range(len(changes))
        ],
    )
