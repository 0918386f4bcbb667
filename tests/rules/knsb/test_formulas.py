"""The formulas of the KNSB: expected score, change, performance, limits, N_v after years without a game."""

from __future__ import annotations

import csv
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ratings.federations.knsb.rules.formulas import E10, added_e10, expected_e10, expected_table
from ratings.federations.knsb.rules.listing import BY_R_I, fallen_n_v, limited_figures
from ratings.federations.knsb.rules.parameters import KNSB_2024_10 as RULES
from ratings.federations.knsb.rules.performance import GAMES_AT_ONCE, Scores, exact_surplus, performances
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number

PRINTED = Path(__file__).parents[2] / "cases/knsb/expected_score.csv"
PI = Decimal("3.141592653589793238462643383279502884197169399375")


def test_the_printed_table_is_the_rounding_to_three_decimals():
    with PRINTED.open(encoding="utf-8", newline="") as file:
        cells = {int(row["rating_difference"]): row["expected_score"] for row in csv.DictReader(file)}
    assert len(cells) == 750
    found = (expected_e10(RULES, list(cells), 0) + E10 // 2000) // (E10 // 1000)
    assert [f"{value / 1000:.3f}" for value in found.tolist()] == list(cells.values())


def test_double_precision_rounds_no_difference_otherwise_than_exact_arithmetic():
    """Φ(z) = ½ + 1/√(2π) · Σ (-1)ⁿ z²ⁿ⁺¹ / (2ⁿ n! (2n + 1)), with 40 digits; from 1848 on We is 1, as Φ rises."""
    exact = []
    with localcontext() as context:
        context.prec = 40
        for difference in range(1849):
            z = Decimal(difference) * 7 / 2000
            power, total, n = z, z, 0
            while abs(power) > Decimal(10) ** -25:
                n += 1
                power = -power * z * z / (2 * n)
                total += power / (2 * n + 1)
            exact.append(int((Decimal("0.5") + total / (2 * PI).sqrt()) * E10 + Decimal("0.5")))
    table = expected_table(RULES)[4000:]
    assert table[:1849].tolist() == exact
    assert exact[1847] < exact[1848] == E10
    assert np.all(table[1848:] == E10)


def test_one_side_has_exactly_what_the_other_has_less_than_1():
    differences = np.arange(-4100, 4101)
    assert np.all(expected_e10(RULES, differences, 0) + expected_e10(RULES, 0, differences) == E10)


def test_a_change_is_rounded_half_away_from_zero_and_fits_64_bits():
    """12.5 · (0 - 0.7002084045) = -8.75260505625: the eleventh decimal is a half. k 216 is the largest."""
    assert added_e10(0, 7002084045, 12_500_000) == -87526050563
    assert added_e10(2, E10 - 7002084045, 12_500_000) == 87526050563
    assert added_e10([2, 0], [0, E10], 216_000_000).tolist() == [216 * E10, -216 * E10]


def test_the_time_for_60_moves_names_the_tempo():
    """90 + 30 = 120 minutes, 15 + 10 = 25, 3 + 2 = 5; klassiek from 60 on, blitz up to 10."""
    minutes = {
        120: "klassiek", 60: "klassiek", 59: "rapid", 25: "rapid", 11: "rapid", 10: "blitz", 5: "blitz",
    }  # fmt: skip
    assert {limit: RULES.tempo(60 * limit) for limit in minutes} == minutes


def one(opponents, points, draws=0, against=0, decimals=3):
    scores = Scores(
        np.array([0]), np.array(opponents), np.array(points), np.array([draws]), [Fraction(against)]
    )
    return performances(RULES, scores, decimals).tolist()[0]


def test_the_ratings_shown_beside_expected_changes_are_those_of_the_newest_list():
    """R_i is of the list before the new one (art. 8), also where the first game was played before that list."""
    assert RULES.basis_of([date(2026, 8, 1), date(2026, 11, 1)], date(2026, 8, 7)) == 1


def test_performances_are_those_of_the_rulings():
    assert one([1500] * 6, [2, 2, 1, 0, 0, 0]) == 1439878
    assert one([1400] * 4, [2] * 4, draws=1, against=1400) == 1766158
    assert one([800] * 3, [0] * 3, draws=3, against=700, decimals=0) == 554
    assert one([800] * 3, [0] * 3, draws=3, against=800, decimals=0) == 607
    assert one([1500] * 6, [2] * 6, draws=1, against=1500, decimals=0) == 1919


def test_the_middle_between_two_figures_is_rounded_up_whatever_the_order_of_games():
    """By symmetry the root is the mean of 1500 and 1501, 1400 and 1601, and of 3 games against 1500, 1500⅔ draws."""
    assert one([1500, 1501], [1, 1], decimals=0) == 1501
    assert one([1601, 1400, 1501, 1500], [0, 2, 1, 1], decimals=0) == 1501
    # 1500 and 1500 + 1/500: the root 1500.001 is printed; 1500 and 1500.001: 1500.0005 is rounded up.
    assert one([1500], [1], draws=1, against=Fraction(1500_002, 1000)) == 1500001
    assert one([1500], [1], draws=1, against=Fraction(1500_001, 1000)) == 1500001
    # A trillionth less is rounded down, which double precision cannot see.
    assert one([1500], [1], draws=1, against=Fraction(1500_001, 1000) - Fraction(1, 10**12)) == 1500000


def test_players_far_apart_and_long_lists_have_the_root_too():
    """A win over 400 and a loss to 3000 are symmetric about 1700. ½ of 400 games against 1500: Φ(z) = 0.00125 at
    z = -3.0233414, and -3.0233414 · 2000/7 = -863.812.
    """
    assert one([400, 3000], [2, 0]) == 1700000
    assert one([1500] * 400, [1, *[0] * 399]) == 636188


def test_a_performance_is_the_figure_whose_halves_enclose_the_score():
    """By exact sums: half a unit below the total is not above the score, half a unit above it is."""
    chance = np.random.default_rng(1)
    for place in range(40):
        games, draws = [(1, 1), (2, 1), (3, 3), (6, 1)][place % 4]
        opponents = chance.choice([400, 1500, 1501, 1499, 2600, 1833], games).tolist()
        points = chance.integers(0, 3, games).tolist()
        against = Fraction(sum(opponents), games)
        found = one(opponents, points, draws, against)
        met = [*map(Fraction, opponents), *[against] * draws]
        around = [
            exact_surplus(RULES, Fraction(2 * found + side, 2000), met, sum(points) + draws)
            for side in (-1, 1)
        ]
        assert around[0] <= 0 < around[1], (opponents, points, draws)


def test_players_solved_together_have_what_each_has_alone():
    """More games than are solved at once, so that players are divided."""
    alone = [one([1500, 1400, 1600 + step], [2, 1, 0]) for step in range(7)]
    players = GAMES_AT_ONCE // 3 + 100
    opponents = np.tile([1500, 1400, 1600], players)
    opponents[2::3] += np.arange(players) % 7
    nothing = np.zeros(players, dtype=np.int64)
    scores = Scores(np.arange(players) * 3, opponents, np.tile([2, 1, 0], players), nothing, nothing)
    assert performances(RULES, scores, 3).tolist() == [alone[player % 7] for player in range(players)]


def test_a_score_of_0_or_100_percent_has_no_performance():
    for points in (0, 2):
        with pytest.raises(ValueError, match="no performance"):
            one([1500, 1600], [points, points])


def test_a_surplus_is_exact_to_40_digits():
    even = [Fraction(1500), Fraction(1501)]
    middle, little = Fraction(3001, 2), Fraction(1, 10**30)
    assert exact_surplus(RULES, middle, even, 2) == 0
    assert exact_surplus(RULES, middle + little, even, 2) == 1
    assert exact_surplus(RULES, middle - little, even, 2) == -1


def test_at_most_20_points_from_r_i_where_the_performance_lies_on_the_other_side():
    """R_i 1600, sum +30, LPR 1590: 1620; sum -30, LPR 1610: 1580; +15: 1615, which is not limited."""
    r_i, total = np.array([1600] * 3), np.array([30, -30, 15]) * E10
    figure, limit = limited_figures(RULES, r_i, total, np.array([1590_000, 1610_000, 1590_000]))
    assert (figure // E10).tolist() == [1620, 1580, 1615]
    assert limit.tolist() == [BY_R_I, BY_R_I, 0]


def test_the_anniversary_of_29_february_is_the_28th():
    """Last game 29 February 2020: the fifth anniversary is 28 February 2025, the eighth 29 February 2028."""

    leap_day = day_number(date(2020, 2, 29))

    def fallen(previous, in_force, last_game=leap_day):
        days = day_number(date.fromisoformat(previous)), day_number(date.fromisoformat(in_force))
        return fallen_n_v(RULES, np.array([60]), np.array([last_game]), *days).tolist()[0]

    assert fallen("2025-02-01", "2025-02-27") == 60
    assert fallen("2025-02-27", "2025-02-28") == 50
    assert fallen("2025-02-28", "2025-03-01") == 60
    assert fallen("2028-02-01", "2028-02-28") == 60
    assert fallen("2028-02-28", "2028-02-29") == 50
    assert fallen("2025-02-27", "2025-02-28", last_game=NO_DAY) == 60
