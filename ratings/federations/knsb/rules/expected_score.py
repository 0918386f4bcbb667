"""The expected score and the change of a game, exact to ten decimals (art. 2, 3; R80, R81h)."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.rules.columns import Integers

E6: Final = 10**6
E10: Final = 10**10

LARGEST_DIFFERENCE: Final = 4000
"""Beyond it We is 1 or 0 to ten decimals, as it is from 1848 on."""


@lru_cache
def expected_table(rules: KnsbRules) -> Integers:
    """We times 10¹⁰ for the differences -4000 to 4000 (art. 3, R80).

    From 0 on Φ rounded half up, below exactly what the other has less than 1. Double precision is enough: no difference
    is so close to a half that it would round otherwise.
    """
    scale = rules.deviation[1] / rules.deviation[0] / sqrt(2)
    upper = [round(erfc(-difference * scale) / 2 * E10) for difference in range(LARGEST_DIFFERENCE + 1)]
    table = np.array([E10 - value for value in upper[:0:-1]] + upper, dtype=np.int64)
    table.flags.writeable = False
    return table


def expected_e10(rules: KnsbRules, own: ArrayLike, opponent: ArrayLike) -> Integers:
    """We times 10¹⁰ of whole ratings R_o against R_c (art. 3, R80)."""
    difference = np.asarray(own, dtype=np.int64) - np.asarray(opponent, dtype=np.int64)
    clipped = np.clip(difference, -LARGEST_DIFFERENCE, LARGEST_DIFFERENCE)
    return expected_table(rules)[clipped + LARGEST_DIFFERENCE]


def added_e10(points: ArrayLike, expected: ArrayLike, factor_e6: ArrayLike) -> Integers:
    """k · (W - We) times 10¹⁰, half away from zero (art. 2, 9; R81h). `points` are 2, 1 or 0.

    k is at most 216, so the product is at most 2.16 · 10¹⁸, which 64 bits hold.
    """
    surplus = np.asarray(points, dtype=np.int64) * (E10 // 2) - np.asarray(expected, dtype=np.int64)
    product = np.asarray(factor_e6, dtype=np.int64) * surplus
    return np.asarray(np.sign(product) * ((np.abs(product) + E6 // 2) // E6), dtype=np.int64)
