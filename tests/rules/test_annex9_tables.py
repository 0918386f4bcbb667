"""Table IX-1, table IX-2 and the rounding of Annex 9."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ratings.federations.fmjd.rules import tables

ROOT = Path(__file__).parents[2]


def hundredths(text):
    return int(text.replace(".", ""))


def printed_ix1():
    with (ROOT / "ratings/federations/fmjd/rules/ix1.csv").open(encoding="utf-8") as file:
        return {int(row["percentage"]): hundredths(row["rating_difference"]) for row in csv.DictReader(file)}


def test_ix1_is_as_printed_but_for_its_one_misprint():
    printed = printed_ix1()
    assert sorted(printed) == list(range(101))
    different = {p for p in printed if printed[p] != tables.RATING_DIFFERENCE_E2[p]}
    assert different == {23}
    assert printed[23] == -21182
    assert tables.RATING_DIFFERENCE_E2[23] == -21105


def test_ix1_rises_is_antisymmetric_and_cannot_be_written_to():
    table = tables.RATING_DIFFERENCE_E2
    assert table.dtype == np.int64
    assert np.all(np.diff(table) > 0)
    assert np.array_equal(table, -table[::-1])
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 0


def test_all_936_rows_of_ix2_come_out_for_the_higher_and_for_the_lower_rated():
    with (ROOT / "tests/cases/fmjd/ix2.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 936
    difference = np.array([int(row["rating_difference"]) for row in rows])
    assert np.array_equal(difference, np.arange(936))
    higher = [hundredths(row["expected_higher"]) for row in rows]
    lower = [hundredths(row["expected_lower"]) for row in rows]
    for games in (1, 7, 9):
        opponents = np.full(936, 1500 * games)
        found = tables.expected_percentage_e4((1500 + difference) * 10_000, opponents, games)
        assert found.tolist() == higher
        opponents = (1500 + difference) * games
        assert tables.expected_percentage_e4(15_000_000, opponents, games).tolist() == lower


def test_a_half_goes_away_from_zero_on_both_sides():
    # 1,5 -> 2; -1,5 -> -2; 0,5 -> 1; -0,5 -> -1; 1,25 -> 1; -1,75 -> -2; 0 -> 0.
    numerators = [3, -3, 1, -1, 5, -7, 0]
    denominators = [2, 2, 2, 2, 4, 4, 4]
    assert tables.round_half_away(numerators, denominators).tolist() == [2, -2, 1, -1, 1, -2, 0]


def test_a_published_rating_is_rounded_half_upwards():
    # 2306,5 -> 2307; 2306,4999 -> 2306; 1992,5 -> 1993; whole stays.
    assert tables.published([23_065_000, 23_064_999, 19_925_000, 20_000_000]).tolist() == [
        2307, 2306, 1993, 2000,
    ]  # fmt: skip


def test_a_first_result_stands_alone_with_no_games_or_no_value_before():
    assert (
        tables.provisional_e4([0, 0, 10], [0, 20_000_000, 0], [5, 5, 5], [21_545_678] * 3).tolist()
        == [21_545_678] * 3
    )


def test_a_later_result_is_weighed_by_games_to_four_decimals():
    # (7 x 2154,6029 + 9 x 2100) / 16 = 33982,2203 / 16 = 2123,88876875 -> 2123,8888.
    assert int(tables.provisional_e4(7, 21_546_029, 9, 21_000_000)) == 21_238_888
    # (1 x 2000,0001 + 1 x 2000) / 2 = 2000,00005 -> 2000,0001, half away.
    assert int(tables.provisional_e4(1, 20_000_001, 1, 20_000_000)) == 20_000_001


def test_the_columns_a_database_sends_do_not_overflow():
    # 3 x 2150 x 10 000 is more than 32 bits hold; own 2150 and mean 2050 as in art. 2.4.1.
    for kind in (">i4", np.int32, np.int16):
        sums, games = np.array([6150], kind), np.array([3], kind)
        own = np.array([2150], kind).astype(np.int32) * 10_000
        assert tables.expected_percentage_e4(own, sums, games).tolist() == [636_842]
        assert tables.average_e4(sums, games).tolist() == [20_500_000]
        # 3 x 50 %: D(50) = 0.
        assert tables.performance_e4(sums, games, games).tolist() == [20_500_000]
        assert tables.expected_percentage_e4(own, sums, games).dtype == np.int64


def test_a_very_long_event_stays_exact():
    # A million games at the mean of art. 2.4.1's example: the same percentage.
    assert int(tables.expected_percentage_e4(21_500_000, 2_050_000_000, 1_000_000)) == 636_842


def test_fractions_are_refused_and_not_cut_off():
    with pytest.raises(TypeError, match="whole numbers"):
        tables.average_e4(2050.5, 1)


@pytest.mark.parametrize("points", [-1, 15])
def test_points_that_do_not_fit_the_games_are_refused(points):
    with pytest.raises(ValueError, match="points"):
        tables.performance_e4(14350, 7, points)
