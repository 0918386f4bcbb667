"""Anomalies of a calculated list, which a rating officer answers before approving: large jumps, few games at 2351."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.federations.fmjd.rules.columns import ChangeColumns
from ratings.federations.fmjd.rules.engine import FmjdListColumns
from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.rules.columns import Columns, Integers


@dataclass(frozen=True, eq=False)
class JumpColumns(Columns):
    """One row per large jump, in the order of the list.

    ``before`` and ``after`` are whole ratings; ``games`` the counted games of the period and ``tournaments``
    those of these games (both 0 where only a carried correction moved the rating).
    """

    player: Integers
    before: Integers
    after: Integers
    games: Integers
    tournaments: Integers


@dataclass(frozen=True, eq=False)
class FewGamesColumns(Columns):
    """One row per player at or above the limit of art. 6a with too few games for it, in the order of the list."""

    player: Integers
    rating: Integers
    games_3_years: Integers


def jumps(parameters: Parameters, changes: ChangeColumns, rows: FmjdListColumns) -> JumpColumns:
    """Players whose rating differs by ``jump_points`` or more from the previous list, up or down.

    ``jump_points_provisional`` for a player who was provisional when the period began (art. 3.3.2, R7). A
    player without a rating on the previous list has no jump.
    """
    provisional = rows.games - rows.period_games < parameters.provisional_games
    limit = np.where(provisional, parameters.jump_points_provisional, parameters.jump_points)
    found = rows.rows((rows.previous > 0) & (np.abs(rows.rating - rows.previous) >= limit))
    first, last = (np.searchsorted(changes.player, found.player, side) for side in ("left", "right"))
    return JumpColumns(found.player, found.previous, found.rating, found.period_games, last - first)


def few_games(parameters: Parameters, rows: FmjdListColumns) -> FewGamesColumns:
    """Players at or above ``active_rating`` with fewer than ``active_games`` counted games in 3 years (art. 6a, R13).

    Only new cases: the player has a game in this period, or was lower or not on the previous list.
    """
    few = (rows.rating >= parameters.active_rating) & (rows.games_3_years < parameters.active_games)
    new = (rows.period_games > 0) | (rows.previous < parameters.active_rating)
    found = rows.rows(few & new)
    return FewGamesColumns(found.player, found.rating, found.games_3_years)
