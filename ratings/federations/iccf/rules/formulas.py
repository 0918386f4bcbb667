"""The formulas of the ICCF, exact in whole numbers (items 3 to 9, 17; R90 to R92c).

Points are in halves; `_e2`, `_e6` and `_e8` mean times 10², 10⁶ and 10⁸. Functions work on whole arrays.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ratings.federations.iccf.rules.columns import METHODS
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.rules.columns import Integers

E2: Final = 100
E6: Final = 10**6
E8: Final = 10**8

ALL_GAMES, OF_PERIOD, BY_CHANGES = METHODS.index("5-all"), METHODS.index("5-period"), METHODS.index("6")


def _printed(file_name: str, *columns: str) -> list[Integers]:
    """Columns of a printed table, decimals times 100."""
    with (Path(__file__).parent / "tables" / file_name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = [np.array([int(row[column].replace("0.", "")) for row in rows]) for column in columns]
    for column in found:
        column.flags.writeable = False
    return found


_PERCENTAGES, _DIFFERENCES = _printed("item3.csv", "percentage", "rating_difference")
RATING_DIFFERENCES: Final = _DIFFERENCES[np.argsort(_PERCENTAGES)]
"""Item 3: Dp for the percentages 0 to 100."""
FIRST_DIFFERENCES, HIGHER_E2 = _printed("item4.csv", "difference_min", "higher")
"""Item 4: from which difference on the higher rated player has which P_H."""


def rating_difference(points: ArrayLike, games: ArrayLike) -> Integers:
    """D(p) of item 3 for points in halves of at least one game (R90).

    It is looked up with the larger of p and 1 − p at two decimals, half up, and has the sign of p − ½.
    """
    halves, count = np.asarray(points, dtype=np.int64), np.asarray(games, dtype=np.int64)
    larger = np.maximum(halves, 2 * count - halves)
    # 100 · larger / (2 · count), and a half more, rounded down.
    percentage = (E2 * larger + count) // (2 * count)
    return np.asarray(np.sign(halves - count) * RATING_DIFFERENCES[percentage], dtype=np.int64)


def performance(opponents_sum: ArrayLike, games: ArrayLike, points: ArrayLike) -> Integers:
    """Rp = Rc + D(p) · F by formula 5, whole, half up, with the sum of the opponents' limited ratings (R90, R92c).

    With n games and w points in halves p is w / 2n, so F = −2p² + 2p + ½ is (n² + 2nw − w²) / 2n².
    """
    total = np.asarray(opponents_sum, dtype=np.int64)
    n, w = np.asarray(games, dtype=np.int64), np.asarray(points, dtype=np.int64)
    dividend = 2 * n * total + rating_difference(w, n) * (n * n + 2 * n * w - w * w)
    return np.asarray((dividend + n * n) // (2 * n * n), dtype=np.int64)


def limited_opponent(rules: IccfRules, own: Integers, opponent: Integers) -> Integers:
    """The opponent's rating, brought within 350 of the player's own one (items 5, 8; R90)."""
    limited: Integers = np.clip(opponent, own - rules.largest_difference, own + rules.largest_difference)
    return limited


def expected_e2(rules: IccfRules, own: Integers, opponent: Integers) -> Integers:
    """We times 100 of item 4, by the difference of at most 350 (item 8, R91)."""
    difference = own - limited_opponent(rules, own, opponent)
    higher: Integers = HIGHER_E2[np.searchsorted(FIRST_DIFFERENCES, np.abs(difference), side="right") - 1]
    return np.where(difference < 0, E2 - higher, higher)


def coefficient_e6(rules: IccfRules, rating: ArrayLike, games: ArrayLike) -> Integers:
    """k = r · g times 10⁶ by R_0 and g_n of the list before (item 9, R91).

    The formulas of the middle give at their limits what is fixed beyond them; k · 8000 is whole.
    """
    r_0 = np.clip(np.asarray(rating, dtype=np.int64), rules.weak_rating, rules.strong_rating)
    g_n = np.clip(np.asarray(games, dtype=np.int64), rules.few_games, rules.many_games)
    r = rules.rating_factor * rules.rating_divisor - r_0
    g = rules.games_factor_e1 * rules.games_divisor // 10 - g_n
    return np.asarray(r * g * (E6 // (rules.rating_divisor * rules.games_divisor)), dtype=np.int64)


def methods(rules: IccfRules, games_before: Integers, games: Integers, k_e6: Integers) -> Integers:
    """The place in `METHODS` of players with so many games before and in the period (items 14 to 16, R92)."""
    is_over = games * k_e6 > rules.period_points * E6
    fixed = np.where(is_over, OF_PERIOD, BY_CHANGES)
    return np.where(games == 0, 0, np.where(games_before < rules.fixed_games, ALL_GAMES, fixed))


def is_fixed(rules: IccfRules, games: Integers) -> Integers:
    """1 for a rating on so many games that it is fixed, else 0: a place in `STATUSES` (items 6, 15, 16)."""
    return (games >= rules.fixed_games).astype(np.int64)


def added_e8(points: Integers, expected: Integers, k_e6: Integers) -> Integers:
    """k · (W − We) times 10⁸, exact (item 7)."""
    return k_e6 * (points * (E2 // 2) - expected)


def published(figure_e8: ArrayLike) -> Integers:
    """The whole rating, half up (item 17, R92c)."""
    return np.asarray((np.asarray(figure_e8, dtype=np.int64) + E8 // 2) // E8, dtype=np.int64)
