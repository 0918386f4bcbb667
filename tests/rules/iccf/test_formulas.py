"""The tables and formulas of the ICCF at every row and at their limits."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np

from ratings.federations.iccf.rules import formulas
from ratings.federations.iccf.rules.formulas import (
    coefficient_e6,
    expected_e2,
    performance,
    published,
    rating_difference,
)
from ratings.federations.iccf.rules.parameters import ICCF_2009 as RULES


def printed(file_name):
    with (Path(formulas.__file__).parent / "tables" / file_name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_all_101_percentages_of_item_3_have_their_printed_difference():
    rows = printed("item3.csv")
    assert len(rows) == 101
    found = {percentage: int(rating_difference(2 * percentage, 100)) for percentage in range(101)}
    assert found == {int(row["percentage"]): int(row["rating_difference"]) for row in rows}
    assert (found[100], found[99], found[75], found[50], found[38], found[0]) == (677, 677, 193, 0, -87, -677)


def test_all_50_rows_of_item_4_hold_from_their_first_to_their_last_difference():
    """Rows from 358 on are never reached: differences are limited to 350 (item 8)."""
    rows = printed("item4.csv")
    assert len(rows) == 50
    following = 0
    for row in rows:
        first, last = int(row["difference_min"]), int(row["difference_max"] or row["difference_min"])
        assert first == following
        following = last + 1
        assert Fraction(row["higher"]) + Fraction(row["lower"]) == 1
        assert formulas.HIGHER_E2[rows.index(row)] == 100 * Fraction(row["higher"])
        if last <= 357:
            for difference in range(first, min(last, 350) + 1):
                both = expected_e2(
                    RULES, np.array([1800 + difference, 1800]), np.array([1800, 1800 + difference])
                )
                higher = Fraction(row["higher"]) if difference else Fraction(1, 2)
                assert both.tolist() == [100 * higher, 100 - 100 * higher]


def test_a_difference_over_350_is_350():
    own, opponent = np.array([1800, 2800, 1800, 2150]), np.array([2800, 1800, 2151, 1800])
    assert expected_e2(RULES, own, opponent).tolist() == [11, 89, 11, 89]


def test_a_percentage_between_two_is_rounded_half_up_for_the_larger_side():
    """5 of 8: 62.5 %: 63 %: 95. 3 of 8 its mirror. 2 of 3: 66.7 %: 67 %: 125. 1 of 200: 99.5 %: 100 %: -677."""
    games = [8, 8, 3, 200]
    assert rating_difference([10, 6, 4, 2], games).tolist() == [95, -95, 125, -677]


def test_a_performance_is_exact_for_every_score_of_up_to_12_games():
    """Rc + D · F in fractions, F = -2p² + 2p + ½; the mean of the opponents in every third."""
    for games in range(1, 13):
        for points in range(2 * games + 1):
            p = Fraction(points, 2 * games)
            factor = -2 * p * p + 2 * p + Fraction(1, 2)
            total = 1800 * games + points % 3
            value = Fraction(total, games) + int(rating_difference(points, games)) * factor
            assert int(performance(total, games, points)) == (value + Fraction(1, 2)).__floor__()


def test_a_performance_over_a_million_games_fits_64_bits():
    """p = ½: the mean."""
    games = 10**6
    assert int(performance(2000 * games, games, games)) == 2000


def test_the_coefficient_is_exact_for_every_rating_and_number_of_games():
    """k = r · g with r and g of item 9, all of whose values have at most six decimals."""
    ratings, games = np.arange(1900, 2500), np.arange(20, 90)
    found = coefficient_e6(RULES, ratings[:, None], games[None, :]).tolist()
    for row, rating in enumerate(ratings.tolist()):
        r = 20 if rating <= 2000 else 10 if rating >= 2400 else 70 - Fraction(rating, 40)
        for column, count in enumerate(games.tolist()):
            g = Fraction(5, 4) if count <= 30 else 1 if count >= 80 else Fraction(7, 5) - Fraction(count, 200)
            assert found[row][column] == r * g * 10**6


def test_a_half_is_rounded_up():
    assert published([2012_50000000, 2012_49999999, 2012_50000001]).tolist() == [2013, 2012, 2013]
