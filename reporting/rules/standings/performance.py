"""The tournament performance rating of Annex 5 App. D: the rating whose expected score equals the score (R50, R50a)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reporting.rules.standings.cross_table import NONE, CrossTable, Integers
from reporting.rules.standings.exact import Column, Counted, Terms, over_the_board

PER_CENT = 100
FAR = 10**9
_TOLERANCE = 1e-9
"""Far below what a hundredth of a rating point changes (7e-7 of a point), far above what floats lose."""


def performance(table: CrossTable, rating_differences_e2: Sequence[int]) -> Column:
    """Return the performance of each player in games against rated opponents, empty without such a game (R60f).

    `rating_differences_e2` is table IX-1: the difference in hundredths for 0 % to 100 %. Between its lines the
    expected score is not rounded (R50a). With all points it is the highest opponent + 935, without points the lowest
    - 935; where several ratings expect the score, the middle of them.
    """
    games = table.played & (table.ratings[table.opponents] != NONE)
    ratings = np.where(games, PER_CENT * table.ratings[table.opponents], 0)
    points = np.where(games, table.points, 0).sum(axis=1)
    expected, as_floats, unit = _expected_scores(tuple(rating_differences_e2))
    edge = len(expected) // 2
    first: Integers = np.where(games, ratings, FAR).min(axis=1, initial=FAR) - edge
    last = ratings.max(axis=1, initial=0) + edge

    def score(values: NDArray[Any], rating: Integers) -> NDArray[Any]:
        differences = np.clip(rating[:, None] - ratings, -edge, edge) + edge
        return np.asarray(2 * np.where(games, values[differences], 0).sum(axis=1))

    def last_with(limit: NDArray[np.float64]) -> Integers:
        """The last hundredth of a rating with an expected score up to a limit."""
        low: Integers = first.copy()
        high: Integers = last + 1
        while (high - low > 1).any():
            middle = (low + high) // 2
            within = score(as_floats, middle) <= limit
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        return low

    start, end = last_with(points - _TOLERANCE), last_with(points + _TOLERANCE)
    nearby = [start + step for step in (-1, 0, 1, 2)]
    exact = [score(expected, rating) for rating in nearby]
    asked = points.astype(object) * unit
    values = []
    for row, any_game in enumerate(games.any(axis=1).tolist()):
        if not any_game:
            values.append(Fraction(0))
        elif points[row] in (0, 2 * games[row].sum()):
            values.append(Fraction(int(first[row] if points[row] == 0 else last[row]), PER_CENT))
        elif end[row] - start[row] > 1:  # a plateau: no opponent near enough to change the expected score
            values.append(Fraction(int(start[row] + 1 + end[row]), 2 * PER_CENT))
        else:
            step = next(step for step in range(3) if exact[step][row] <= asked[row] <= exact[step + 1][row])
            rise = Fraction(int(asked[row] - exact[step][row]), int(exact[step + 1][row] - exact[step][row]))
            values.append((int(nearby[step][row]) + rise) / PER_CENT)
    terms = Terms(
        ratings // PER_CENT, np.ones_like(ratings), 1, games, np.where(games, Counted.GAME, Counted.LEFT_OUT)
    )
    column = Column(
        np.array([value.numerator for value in values], dtype=object),
        np.array([value.denominator for value in values], dtype=object),
        terms=terms,
    )
    return over_the_board(column, games)


@lru_cache(maxsize=8)
def _expected_scores(differences: tuple[int, ...]) -> tuple[NDArray[np.object_], NDArray[np.float64], int]:
    """Return the expected score for each hundredth of a difference, exact and as floats, and the exact ones' unit."""
    upper = differences[PER_CENT // 2 :]
    unit = PER_CENT * lcm(*(after - before for before, after in pairwise(upper)))
    part = unit // PER_CENT
    higher = [unit // 2]
    for place, (before, after) in enumerate(pairwise(upper), start=PER_CENT // 2):
        width = after - before
        higher += [part * place + part * step // width for step in range(1, width + 1)]
    exact = np.array([unit - score for score in higher[:0:-1]] + higher, dtype=object)
    return exact, (exact / unit).astype(np.float64), unit
