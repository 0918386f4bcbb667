"""The formulas of a game, exact: We and its change to ten decimals, the factor k to six (art. 2, 3, 7; R80, R81, R81h).

N_v is a whole number from a list of the KNSB or 1000/K of FIDE, which need not be whole. Both are one column, a
*basis*: 0 for none (a performance, R81e), 1 to 100 for N_v, 100 + K for FIDE's K.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import erfc, isqrt, sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.rules.columns import Columns, Flags, Integers
from ratings.rules.scaled_numbers import E4

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


@dataclass(frozen=True, eq=False)
class BasisColumns(Columns):
    """By basis: N_v times 10⁴, rounded half up; N_v as a new list starts from it, whole, half up (R81g); 216/√N_v and
    its half times 10⁶, rounded half up; whether N_v is below 30, 75 and 100.
    """

    n_v_e4: Integers
    whole: Integers
    root_e6: Integers
    half_root_e6: Integers
    is_few_youth: Flags
    is_few_adult: Flags
    is_below_halving: Flags


@lru_cache
def basis_columns(rules: KnsbRules) -> BasisColumns:
    """What each basis means, a row each: 0, N_v from 1 to 100, then FIDE's K from 1 to 1000."""
    n_v = [Fraction(number) for number in range(1, rules.largest_n_v + 1)]
    n_v += [
        min(Fraction(rules.fide_games, k), Fraction(rules.largest_n_v))
        for k in range(1, rules.fide_games + 1)
    ]
    first = [Fraction(1), *n_v]  # a rating without N_v is never the own one

    def half_up(value: Fraction) -> int:
        return (2 * value.numerator + value.denominator) // (2 * value.denominator)

    def root(value: Fraction, halves: int) -> int:
        """216/√N_v divided by `halves`, times 10⁶, half up: x is half up (⌊2x⌋ + 1) // 2, and ⌊2x⌋ = ⌊√(4x²)⌋."""
        square = (rules.factor_constant * E6) ** 2 * 4 / (value * halves**2)
        return (isqrt(square.numerator // square.denominator) + 1) // 2

    return BasisColumns(
        n_v_e4=np.array([0, *(half_up(value * E4) for value in n_v)]),
        whole=np.array([0, *map(half_up, n_v)]),
        root_e6=np.array([root(value, 1) for value in first]),
        half_root_e6=np.array([root(value, 2) for value in first]),
        is_few_youth=np.array([True, *(value < rules.youth_games for value in n_v)]),
        is_few_adult=np.array([True, *(value < rules.adult_games for value in n_v)]),
        is_below_halving=np.array([True, *(value < rules.halving_n_v for value in n_v)]),
    )


def basis_of_list(rules: KnsbRules, n_v: Integers, k_factor: Integers) -> Integers:
    """The basis of ratings on lists: of the KNSB with N_v, at most 100 (art. 7.1), or of FIDE with K.

    Raises `ValueError` for a K that is not from 1 to 1000.
    """
    if np.any((k_factor < 0) | (k_factor > rules.fide_games)):
        raise ValueError(
            f"FIDE's K is from 1 to {rules.fide_games}, found {k_factor.min()} to {k_factor.max()}"
        )
    return np.where(k_factor > 0, rules.largest_n_v + k_factor, np.clip(n_v, 1, rules.largest_n_v))


def factor_e6(
    rules: KnsbRules, own: Integers, basis: Integers, is_youth: Flags, is_halved: Flags
) -> Integers:
    """k times 10⁶, rounded half up once (art. 7, R81h), by R_o and the basis of its N_v.

    `is_halved`: an adult who scored less than expected against a youth player with N_v below 100 (art. 7.1).
    """
    table = basis_columns(rules)
    points = np.minimum(own, rules.strong_rating) - rules.falling_factor_rating
    by_rating = np.where(
        is_youth,
        rules.youth_factor * E6 - points * (E6 // rules.youth_points_a_step),
        rules.adult_factor * E6 - points * (E6 // rules.adult_points_a_step),
    )
    by_rating = np.where(
        points <= 0, np.where(is_youth, rules.youth_factor, rules.adult_factor) * E6, by_rating
    )
    by_rating = np.where(own >= rules.strong_rating, rules.strong_factor * E6, by_rating)
    is_few = np.where(is_youth, table.is_few_youth[basis], table.is_few_adult[basis])
    by_games = np.where(is_halved, table.half_root_e6[basis], table.root_e6[basis])
    return np.where(is_few, by_games, np.where(is_halved, by_rating // 2, by_rating))
