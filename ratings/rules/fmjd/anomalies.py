"""What in a calculated list a rating officer is asked about before he signs it: jumps, and 2351 with few games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.rules.fmjd.columns import ChangeColumns, Columns, Integers, ListColumns
from ratings.rules.fmjd.parameters import Parameters


@dataclass(frozen=True, eq=False)
class JumpColumns(Columns):
    """One row per large jump, in the order of the list.

    ``before`` and ``after`` are whole ratings; ``games`` the counted games of the period and ``tournaments``
    those they were played in (both 0 where a carried correction alone moved the rating).
    """

    player: Integers
    before: Integers
    after: Integers
    games: Integers
    tournaments: Integers


@dataclass(frozen=True, eq=False)
class FewGamesColumns(Columns):
    """One row per player from the limit of art. 6a on who has too few games for it, in the order of the list."""

    player: Integers
    rating: Integers
    games_3_years: Integers


def jumps(parameters: Parameters, changes: ChangeColumns, rows: ListColumns) -> JumpColumns:
    """Players whose rating differs by ``jump_points`` or more from the list before, up or down.

    ``jump_points_provisional`` for one who was provisional when the period began (art. 3.3.2, R7). A player
    without a rating on the list before has nothing to jump from.
    """
    provisional = rows.games - rows.period_games < parameters.provisional_games
    limit = np.where(provisional, parameters.jump_points_provisional, parameters.jump_points)
    found = rows.rows((rows.previous > 0) & (np.abs(rows.rating - rows.previous) >= limit))
    first, last = (np.searchsorted(changes.player, found.player, side) for side in ("left", "right"))
    return JumpColumns(found.player, found.previous, found.rating, found.period_games, last - first)


def few_games(parameters: Parameters, rows: ListColumns) -> FewGamesColumns:
    """Players from ``active_rating`` on with fewer than ``active_games`` counted games in 3 years (art. 6a, R13).

    Only where it is new: he played in this period, or stood lower or nowhere on the list before.
    """
    few = (rows.rating >= parameters.active_rating) & (rows.games_3_years < parameters.active_games)
    new = (rows.period_games > 0) | (rows.previous < parameters.active_rating)
    found = rows.rows(few & new)
    return FewGamesColumns(found.player, found.rating, found.games_3_years)
