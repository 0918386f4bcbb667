"""One tournament of one player, calculated by the engine from ratings and results alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.federations.fmjd.rules.columns import BasisColumns, EventColumns, GameColumns, PlayerColumns
from ratings.federations.fmjd.rules.engine import participations, rate
from ratings.federations.fmjd.rules.explain import ExplainedChange
from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.rules.columns import NEVER, NO_DAY
from ratings.rules.days import day_number

PLAYER = 1
"""The id of the player; the opponents have those that follow."""


@dataclass(frozen=True, slots=True)
class CalculatedTournament:
    """The change as the engine gives it, and the whole rating that would be published (art. 3.3.1, 6.2; R9)."""

    change: ExplainedChange
    rating: int


def calculate_tournament(
    parameters: Parameters,
    *,
    rating: int,
    games: int,
    has_reached_limit: bool,
    time_control: str,
    seconds: int,
    results: Sequence[tuple[int, int]],
) -> CalculatedTournament | None:
    """The only tournament of a period for one player; None without a counted game (art. 3.1 to 3.3, 5.2; R2 to R9).

    ``rating`` is the one on the list in force (0: none), ``games`` the counted games before; ``has_reached_limit``
    says that a list showed ``k_reached_rating`` or more. ``results`` are pairs of an opponent's rating (0: none) and
    the player's points, 2, 1 or 0. ``seconds`` are for the first 60 moves, ``time_control`` is how they are shown.

    Raises ``ValueError`` where the engine does: from 25 counted games on without a rating.
    """
    day = day_number(parameters.in_force_from)
    ratings = np.array([rating, *(opponent for opponent, _ in results)], dtype=np.int64)
    ids = np.arange(PLAYER, PLAYER + ratings.size)
    points = np.array([own for _, own in results], dtype=np.int64)
    event = np.zeros(points.size, dtype=np.int64)
    events = EventColumns(*np.array([[1], [day], [day], [1], [seconds], [0]]))
    given = GameColumns(
        event=event,
        white=np.full_like(event, PLAYER),
        black=ids[1:],
        white_points=points,
        black_points=2 - points,
        played=np.ones(event.size, dtype=bool),
        day=np.full_like(event, day),
    )
    rated = np.flatnonzero(ratings)
    basis = BasisColumns(np.zeros_like(rated), ids[rated], ratings[rated])
    reached = has_reached_limit or rating >= parameters.k_reached_rating
    numbers = (PLAYER, rating, games, day if reached else NEVER, NO_DAY, 0, 0)
    player = PlayerColumns(*np.array(numbers, dtype=np.int64)[:, None])
    counted = participations(parameters, day, events, given, basis, players=ids[:1])
    changes, new = rate(parameters, player, events, counted)
    if not len(changes):
        return None
    figures = {
        name: getattr(changes, name).item()
        for name in ExplainedChange.__dataclass_fields__
        if hasattr(changes, name)
    }
    change = ExplainedChange(
        **figures, list_in_force=None, time_control=time_control, seconds_for_60_moves=seconds
    )
    return CalculatedTournament(change, int(new.rating.item()))
