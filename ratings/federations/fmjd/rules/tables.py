"""The arithmetic of Annex 9, exact to the last digit (art. 2.3 to 3.3.2).

Every function works on whole arrays at once and on whole numbers only: ``_e2`` are hundredths, ``_e4``
ten-thousandths. Arguments may be single numbers or arrays of any one shape (they are brought to int64
first, since the 32-bit columns a database sends overflow at three games); the answer has that shape.
Rounding is half away from zero wherever R3 asks for it, never numpy's half to even.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]

E4: Final = 10_000
PER_CENT: Final = 100


def _whole(numbers: ArrayLike) -> Integers:
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu":
        raise TypeError(f"whole numbers expected, found {array.dtype}")
    return array.astype(np.int64, copy=False)


def round_half_away(numerator: ArrayLike, denominator: ArrayLike) -> Integers:
    """``numerator / denominator`` rounded to a whole number, a half going away from zero (R3).

    ``denominator`` must be positive.
    """
    top, bottom = _whole(numerator), _whole(denominator)
    return np.asarray(np.sign(top) * ((2 * np.abs(top) + bottom) // (2 * bottom)), dtype=np.int64)


def _read_rating_differences() -> Integers:
    """D(0) to D(100) in hundredths, from IX-1 as printed (``ix1.csv``).

    R1: the printed table has one misprint, at 23 %; D is antisymmetric, so only the half from 50 % on is
    believed and the other half is its mirror.
    """
    with Path(__file__).with_name("ix1.csv").open(encoding="utf-8", newline="") as file:
        printed = {
            int(row["percentage"]): int(row["rating_difference"].replace(".", ""))
            for row in csv.DictReader(file)
        }
    upper = [printed[percentage] for percentage in range(50, 101)]
    table = np.array([-difference for difference in upper[:0:-1]] + upper, dtype=np.int64)
    table.flags.writeable = False
    return table


RATING_DIFFERENCE_E2: Final = _read_rating_differences()
"""Table IX-1 (art. 2.3, R1): D(P) in hundredths for the whole percentages 0 to 100."""

_UPPER_E4: Final = RATING_DIFFERENCE_E2[50:] * 100
LARGEST_DIFFERENCE: Final = int(RATING_DIFFERENCE_E2[100]) // 100
"""From this difference on the expected percentage is 100, and 0 the other way (R2)."""


def average_e4(opponents_sum: ArrayLike, games: ArrayLike) -> Integers:
    """Rc, the mean rating of the opponents, to 4 decimals (art. 3.1, 5.3; R3).

    For reading only: the expected percentage and the performance start from the unrounded mean (R2).
    """
    return round_half_away(_whole(opponents_sum) * E4, games)


def expected_percentage_e4(own_e4: ArrayLike, opponents_sum: ArrayLike, games: ArrayLike) -> Integers:
    """Pe in percent to 4 decimals: table IX-1 read backwards (art. 2.4.1, R2, R3).

    ``own_e4`` is the player's rating times 10,000, since a running value has 4 decimals (R8);
    ``opponents_sum`` the whole sum of the opponents' ratings over ``games`` games, at least 1. The
    difference is not rounded before the look-up. Below zero the answer is 100 - Pe(|d|), where Pe(|d|) is
    rounded first; from 935 on it is 100 or 0.
    """
    count = _whole(games)
    difference = _whole(own_e4) * count - _whole(opponents_sum) * E4  # in 1 / (games x 10,000)
    distance = np.minimum(np.abs(difference), LARGEST_DIFFERENCE * E4 * count)
    # A whole part compared with the whole numbers of the table finds the same step as the exact quotient.
    step = np.minimum(np.searchsorted(_UPPER_E4, distance // count, side="right") - 1, 49)
    low = _UPPER_E4[step]
    width = _UPPER_E4[step + 1] - low
    percentage = (50 + step) * E4 + round_half_away((distance - low * count) * E4, width * count)
    return np.asarray(np.where(difference < 0, PER_CENT * E4 - percentage, percentage), dtype=np.int64)


def expected_score_e4(percentage_e4: ArrayLike, games: ArrayLike) -> Integers:
    """We = Pe x 2 x games / 100 to 4 decimals, from the rounded percentage (art. 3.2.1, R3)."""
    return round_half_away(_whole(percentage_e4) * 2 * _whole(games), PER_CENT)


def _rating_difference_numerator(points: Integers, games: Integers) -> Integers:
    """D(P) at P = 100 x W / 2N in 1 / (games x 10,000), the percentage not rounded (art. 2.3, 3.1; R1, R4)."""
    if np.any(points < 0) or np.any(points > 2 * games):
        raise ValueError("points must lie between 0 and twice the games")
    whole = np.minimum(50 * points // games, 99)
    rest = 50 * points - whole * games
    low = RATING_DIFFERENCE_E2[whole]
    return np.asarray(100 * (low * games + rest * (RATING_DIFFERENCE_E2[whole + 1] - low)), dtype=np.int64)


def performance_e4(opponents_sum: ArrayLike, games: ArrayLike, points: ArrayLike) -> Integers:
    """Rp = Rc + D(P) to 4 decimals, rounded once, without limits (art. 3.1, R4).

    Raises ``ValueError`` when the points do not fit the games.
    """
    count = _whole(games)
    difference = _rating_difference_numerator(_whole(points), count)
    return round_half_away(_whole(opponents_sum) * E4 + difference, count)


def limited_performance_e4(performance: ArrayLike, minimum: int, maximum: int) -> Integers:
    """A performance brought within whole limits, 1900 and 2400 in the regulations (art. 3.3.2, R4)."""
    return np.clip(_whole(performance), minimum * E4, maximum * E4)


def change_e4(
    points: ArrayLike, expected_score_e4: ArrayLike, k: ArrayLike, development_percentage: ArrayLike
) -> Integers:
    """The change of rating, 0.5 x K x development / 100 x (W - We), to 4 decimals (art. 3.2.2; R3, R6).

    One rounding: K x development is not rounded on the way.
    """
    surplus = _whole(points) * E4 - _whole(expected_score_e4)
    return round_half_away(_whole(k) * _whole(development_percentage) * surplus, 2 * PER_CENT)


def provisional_e4(
    games_before: ArrayLike, before_e4: ArrayLike, games: ArrayLike, performance: ArrayLike
) -> Integers:
    """A provisional rating after an event: the mean of the value before and the performance, each weighed
    by its games, to 4 decimals (art. 3.3.2, R7).

    ``before_e4`` is the running value before, 0 where there is none; ``performance``, in ten-thousandths
    too, is within R4's limits already. A first result is alone: without games or without a value
    before, the answer is the performance.
    """
    before, count, result = _whole(before_e4), _whole(games), _whole(performance)
    weight = np.where(before == 0, 0, _whole(games_before))
    return round_half_away(weight * before + count * result, weight + count)


def published(value_e4: ArrayLike) -> Integers:
    """A running value as it is published: a whole number, half upwards (art. 3.3.1, 6.2; R9)."""
    return np.asarray((_whole(value_e4) + E4 // 2) // E4, dtype=np.int64)
