"""FIDE's tie-breaks (C.07) in the editions 2023 and 2026-03, each by hand. Chess points: a win is 1."""

from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from reporting.rules.standings.classify import classify
from reporting.rules.standings.fide import (
    DIFFERENCE_BY_PERCENTAGE,
    FIRST_DIFFERENCES,
    expected_score_e2,
    rating_difference,
)
from tests.cross_tables import cross_table

F = Fraction
# Six players, four rounds: 4 has the pairing-allocated bye of round 1 and loses round 2 by forfeit to 2;
# 3 has a half-point bye in round 3; 5 is absent in round 1; 6 in rounds 3 and 4.
ROWS = [
    "2w2 6b2 4w1 5b2",  # 3½
    "1b0 4x2 5w1 3b1",  # 2
    "6w1 5w0 = 2w1",  # 1½
    "+ 2x0 1b1 -",  # 1½
    "- 3b2 2b1 1w0",  # 1½
    "3b1 1w0 - -",  # ½
]


def values(key, edition="2026-03", rows=ROWS, **more):
    table = cross_table(rows, halves_a_point=2, **more)
    column = classify(table, [key], edition=edition).columns[0]
    return [column.value(row, 2) for row in range(table.players)]


def test_buchholz_of_2023_has_a_dummy_with_the_own_score():
    """Adjusted scores (16.3): 4: the absence in the last round is a draw: 1½ + ½ = 2; 6: both absences: ½ + 1 = 1½;
    3: the half-point bye is followed by a game, so 1½; 5: the absence in round 1 too, so 1½.

    1: 2 + 1½ + 2 + 1½ = 7; 2: 3½ + own 2 + 1½ + 1½ = 8½; 3: 1½ + 1½ + own 1½ + 2 = 6½; 4: own 1½ three times + 3½ = 8;
    5: own 1½ + 1½ + 2 + 3½ = 8½; 6: 1½ + 3½ + own ½ twice = 6."""
    assert values("BH", "2023") == [7, F("8.5"), F("6.5"), 8, F("8.5"), 6]


def test_buchholz_of_2026_limits_the_dummy():
    """2 in round 2: own 2, the scheduled opponent's adjusted score is 2. 4 in round 2: own 1½, limit 2.
    Limits of the others: ½ × 4 = 2, above their own scores. So nothing changes here."""
    assert values("BH") == values("BH", "2023")
    # with 3½ points the limit of ½ × 5 holds: 3½ + 11½ = 15 becomes 2½ + 11½ = 14 (Held, exercise 5)
    rows = [
        "2w2 3w1 4w2 = 5w1",  # 3½
        "1b0 6w2 6b2 6w2 6w0",  # 3
        "1b1 6w2 6b2 6w1 6w0",  # 3
        "1b0 6w2 6b2 6w2 6w0",  # 3
        "6w1 6w2 6b1 6w0 1b1",  # 2½
        "- - - - -",
    ]
    assert values("BH", "2023", rows=rows)[0] == 15
    assert values("BH", rows=rows)[0] == 14


def test_a_forfeit_win_counts_at_most_the_adjusted_score_of_the_scheduled_opponent():
    """16.4.1: 1 has 2 points; the opponent of the forfeit has 0 points, adjusted 0 (a forfeit loss keeps its 0)."""
    rows = ["2x2 3w2", "1x0 4w0", "4b2 1b0", "3w0 2b2"]
    assert values("BH", "2023", rows=rows)[0] == 2 + 1
    assert values("BH", rows=rows)[0] == 0 + 1


def test_cuts_take_voluntary_unplayed_rounds_first():
    """16.5: 4 cuts the lowest of forfeit loss (1½) and absence (1½); 6 cuts an absence (½); 3 the half-point bye (1½),
    5 the absence (1½); 1 the lowest (1½), and 2 the lowest: its forfeit won is not voluntary."""
    cut = values("BH/C1", "2023")
    assert cut == [F("5.5"), 7, 5, F("6.5"), 7, F("5.5")]
    # then the highest: 2, 3½, 2, 3½, 3½, 3½
    assert values("BH/M1", "2023") == [F("3.5"), F("3.5"), 3, 3, F("3.5"), 2]


def test_a_higher_voluntary_round_is_cut_before_a_lower_opponent():
    """1 has 2 points and misses a round; its dummy of 2 is cut, not the opponent with ½."""
    rows = ["2w2 3w2 -", "1b0 - 3w1", "1b0 - 2b1"]
    # adjusted: 2: ½ (the absence is followed by a game), 3: ½; dummy of 1: 2023: 2; 2026: at most ½ × 3
    assert values("BH", "2023", rows=rows)[0] == 3
    assert values("BH/C1", "2023", rows=rows)[0] == 1
    assert values("BH", rows=rows)[0] == F("2.5")
    assert values("BH/C1", rows=rows)[0] == 1


def test_sonneborn_berger():
    """1: 1·2 + 1·1½ + ½·2 + 1·1½ = 6; 2: 0 + 1·2 (dummy) + ½·1½ + ½·1½ = 3½; 3: ½·1½ + 0 + ½·1½ (dummy) + ½·2 = 2½;
    4: 1·1½ (dummy) + 0 + ½·3½ + 0 = 3¼; 5: 0 + 1·1½ + ½·2 + 0 = 2½; 6: ½·1½ = ¾."""
    assert values("SB", "2023") == [6, F("3.5"), F("2.5"), F("3.25"), F("2.5"), F("0.75")]


def test_average_of_the_opponents_buchholz():
    """1: (8½ + 6 + 8 + 8½) / 4 = 31/4; 4: of 1 alone: 7."""
    aob = values("AOB", "2023")
    assert (aob[0], aob[3]) == (F(31, 4), 7)


def test_counts():
    assert values("WIN") == [3, 1, 0, 1, 1, 0]  # 2 by forfeit, 4 by the bye
    assert values("WON") == [3, 0, 0, 0, 1, 0]
    assert values("BPG") == [2, 2, 0, 1, 2, 1]
    # 1: 1 + 2 + 2½ + 3½; 3: ½ + ½ + 1 + 1½; 4: 1 + 1 + 1½ + 1½
    ps = values("PS")
    assert (ps[0], ps[2], ps[3]) == (9, F("3.5"), 5)


def test_koya_takes_half_of_the_rounds_in_a_swiss():
    """R60e: half of 4 rounds is 2 points, which 1 and 2 have. 1 beat 2, drew with 4 and beat 5; 2 drew with 5 and 3."""
    assert values("KS") == [1, 0, F("0.5"), F("0.5"), F("0.5"), 0]
    # A forfeit against an opponent with half of the points counts.
    assert values("KS", rows=["2x2 3w0", "1x0 3w2", "2b0 1b2"])[0] == 1


def test_koya_takes_half_of_the_opponent_s_games_in_a_round_robin():
    """R60e, R60f: of 3 players each has 2 games, a rest beside them: half is 1 point of a win.

    1: 1½ points, 2: 1, 3: ½. 1 drew with 2; 2 drew with 1 and drew with 3; 3 lost to 1 and drew with 2."""
    rows = ["2w1 3b2 =", "1b1 - 3w1", "- 1w0 2b1"]
    assert values("KS", rows=rows, round_robin=True) == [F("0.5"), F("0.5"), F("0.5")]


RATINGS = [2400, 2300, 2200, 2100, 2000, 1900]


def test_ratings_of_the_opponents_over_the_board():
    """2 met 1, 5, 3 over the board: (2400 + 2000 + 2200) / 3 = 2200. 4 met 1: 2400. 3: 6200 / 3 = 2066.67."""
    aro = values("ARO", ratings=RATINGS)
    assert (aro[1], aro[2], aro[3]) == (2200, 2067, 2400)
    # TPR of 2: 1 of 3 games, 33 % → -125: 2075; of 4: ½ of 1: 2400; of 6: ½ of 2, 25 % → -193, (2200 + 2400) / 2: 2107
    tpr = values("TPR", ratings=RATINGS)
    assert (tpr[1], tpr[3], tpr[5]) == (2075, 2400, 2107)
    # APRO of 6: TPR of 3 and of 1. 3: 1 of 3 games: 2067 - 125 = 1942; 1: 3½ of 4, 88 % → 336: 2075 + 336 = 2411
    assert values("APRO", ratings=RATINGS)[5] == 2177  # 2176.5, a half goes up


def test_perfect_performance_is_the_lowest_rating_that_expects_the_score():
    """6: ½ of two games, against 2200 and 2400. At 2107 the differences are -93 (0.37) and -293 (0.15): 0.52.
    Lower: 2105: -95 (0.37), -295 (0.15); 2102: -98 (0.37), -298 (0.15); 2101: -99 (0.36), -299 (0.15) = 0.51;
    2098: -102, -302 (0.15) = 0.51; 2097: -103 (0.36), -303 (0.14) = 0.50; 2094: -106 (0.36), -306 (0.14) = 0.50;
    2093: -107 (0.35), -307 (0.14) = 0.49. So 2094."""
    assert values("PTP", ratings=RATINGS)[5] == 2094
    # without points: the lowest opponent - 800
    assert values("PTP", rows=["2w0 3b0", "1b2 -", "1w2 -"], ratings=[2000, 2100, 1900])[0] == 1100
    # with all points: the highest opponent + 736, from where the table expects 1.00
    assert values("PTP", rows=["2w2 3b2", "1b0 -", "1w0 -"], ratings=[2000, 2100, 1900])[0] == 2836


def test_direct_encounter():
    """2 and 3 are tied on 1½ and drew with each other; then 1 and 2 are tied on 1½, and 1 won their game."""
    rows = ["2w2 3b1 4w1", "1b0 4w2 3w1", "4b1 1w1 2b1", "3w1 2b0 1b1"]
    standings = classify(cross_table(rows, halves_a_point=2), ["DE"])
    assert standings.places.tolist() == [1, 2, 2, 4]
    rows = ["2w2 3b1 -", "1b0 3w1 +", "2b1 1w1 -"]
    standings = classify(cross_table(rows, halves_a_point=2), ["DE"])
    assert standings.places.tolist() == [1, 2, 3]
    assert [standings.columns[0].value(row, 2) for row in range(3)] == [1, 2, 1]


def test_direct_encounter_where_not_all_have_met():
    """1, 2, 3 are tied on 1; 1 beat 2, and has not met 3: 3 could still reach 2 (beating both), so nothing is decided.
    With 3 beaten by 1 as well, 1 is first whatever 2 and 3 would play."""
    rows = ["2w2 - -", "1b0 + -", "- + -"]
    assert classify(cross_table(rows), ["DE"]).places.tolist() == [1, 1, 1]
    rows = ["2w2 3w2 - -", "1b0 - + +", "- 1b0 + +"]
    assert classify(cross_table(rows), ["DE"]).places.tolist() == [1, 2, 2]


def test_no_one_is_first_while_another_can_still_draw_level():
    """6.2: 1 has 3 points against 2 and 3; 3 has 1, and a win against 2 would make 3 as well."""
    rows = ["2w2 3w1 -", "1b0 + =", "- 1b1 +"]
    assert classify(cross_table(rows), ["DE"]).places.tolist() == [1, 1, 1]
    # A draw less of 3 with 1, and 1 cannot be reached: 2 and 3 could still make 2 each.
    rows = ["2w2 3w2 -", "1b0 + +", "+ 1b0 +"]
    assert classify(cross_table(rows), ["DE"]).places.tolist() == [1, 2, 2]


@pytest.mark.parametrize(("row", "whole", "cut"), [(0, 3, 1), (1, 4, F("3.5"))])
def test_a_forfeit_lost_is_cut_before_a_lower_opponent_and_one_won_is_not(row, whole, cut):
    """16.1.2, 16.5: 1 lost by forfeit, a dummy of its own 2 points; 2 won by it, a dummy of 3. 3 and 4 have ½ each."""
    rows = ["2x0 3w2 4w2", "1x2 4w2 3w2", "4w1 1b0 2b0", "3b1 2b0 1b0"]
    assert (values("BH", "2023", rows=rows)[row], values("BH/C1", "2023", rows=rows)[row]) == (whole, cut)


# R60f: five players, so one of them rests in each round.
FIVE = [
    "- 5b0 4w2 3b1 2w2",  # 2½
    "5w1 3b2 - 4w2 1b0",  # 2½
    "4w0 2w0 5b0 1w1 -",  # ½
    "3b2 - 1b0 2b0 5w1",  # 1½
    "2b1 1w2 3w2 - 4b1",  # 3
]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        # Each has met all others: 10 points in all less the own ones. With a dummy 1 would have 10.
        ("BH", ["7.5", "7.5", "9.5", "8.5", "7"]),
        # The lowest is an opponent: 3 with ½; of 3 it is 4 with 1½.
        ("BH/C1", ["7", "7", "8", "8", "6.5"]),
        # 1: 0 · 3 + 1 · 1½ + ½ · ½ + 1 · 2½
        ("SB", ["4.25", "3.5", "1.25", "2", "5"]),
        # 1: 0 + 1 + 1½ + 2½; 3: 0 + 0 + 0 + ½
        ("PS", ["5", "7", "0.5", "4.5", "7.5"]),
        ("solkoff", ["7.5", "7.5", "9.5", "8.5", "7"]),
        ("short", ["7", "7", "8", "8", "6.5"]),
        # The highest is 5 with 3; of 5 it is 1 or 2.
        ("median", ["4", "4", "5", "5", "4"]),
        # 1: (7 + 8½ + 9½ + 7½) / 4
        ("AOB", ["8.125", "8.125", "7.625", "7.875", "8.25"]),
        ("WIN", ["2", "2", "0", "1", "2"]),
    ],
)
@pytest.mark.parametrize("edition", ["2023", "2026-03"])
def test_the_rest_in_a_round_robin_of_an_odd_number_is_no_round(key, expected, edition):
    assert values(key, edition, rows=FIVE, round_robin=True) == [F(value) for value in expected]


def test_a_rest_with_points_is_no_round_either():
    """Also where it is printed as a bye: its points count in the score, and no dummy beside it. 5½ points in all."""
    rows = ["+ 3w2 2b2", "3w2 = 1w0", "2b0 1b0 +"]
    assert values("BH", rows=rows, round_robin=True) == [F("2.5"), 4, F("4.5")]
    assert values("WIN", rows=rows, round_robin=True) == [2, 1, 0]
    # In a Swiss the same byes are rounds.
    assert values("BH", "2023", rows=rows)[0] == F("2.5") + 3


@pytest.mark.parametrize(
    "method", ["draw-self", "virtual", "virtual-adjusted", "ignore", "fair-avg", "fair-zero"]
)
def test_no_method_for_unplayed_games_finds_one_in_a_rest(method):
    found = classify(cross_table(FIVE, halves_a_point=2, round_robin=True), ["solkoff"], unplayed=method)
    assert [found.columns[0].value(row, 2) for row in range(5)] == [F("7.5"), F("7.5"), F("9.5"), F("8.5"), 7]


def test_the_games_against_a_player_who_left_are_no_rounds():
    """R53, 5.9 A a: 4 left after 1 game of 3. Of the others each has two games: 3 points less the own ones."""
    rows = ["4w2 3b2 2w1", "3w2 4x2 1b1", "2b0 1w0 4x2", "1b0 2x0 3x0"]
    found = classify(cross_table(rows, halves_a_point=2, round_robin=True), ["BH"])
    assert found.places.tolist() == [1, 1, 3, 0]
    assert [found.columns[0].value(row, 2) for row in range(3)] == [F("1.5"), F("1.5"), 3]


def test_the_opponents_of_aob_are_those_met_over_the_board():
    """8.2, also in a round robin (15.2 makes forfeits games in the Buchholz of these opponents only).

    2½, 1½, 1½ and ½ points of 6, each paired with all others: Buchholz 3½, 4½, 4½, 5½. 1 and 2 have a forfeit with each
    other: (4½ + 5½) / 2 for both; with it 1 had 14½ / 3. 3: (5½ + 3½ + 4½) / 3; 4: (4½ + 4½ + 3½) / 3."""
    rows = ["2x2 3w1 4b2", "1x0 4w1 3w2", "4b2 1b1 2b0", "3w0 2b1 1w0"]
    assert values("AOB", rows=rows, round_robin=True) == [5, 5, F("4.5"), F(25, 6)]


@pytest.mark.parametrize(
    "key",
    [
        *("AOB", "ARO", "TPR", "PTP", "APRO", "sivakasi", "sivakasi-cut1", "sivakasi-sb"),
        *("avb", "aaso", "aaso-cut1", "aaso-sb"),
    ],
)
def test_a_value_of_games_over_the_board_is_empty_without_one(key):
    """R60f: 3 has a forfeit and a bye. It comes after 4, who has a low value, among those with 1 point."""
    rows = ["4w2 2b2", "3x0 1w0", "2x2 -", "1b0 +"]
    found = classify(
        cross_table(rows, ratings=[2000, 1900, 1800, 1000], halves_a_point=2), [key], edition="2026-03"
    )
    assert found.columns[0].value(2, 2) is None
    assert all(found.columns[0].value(row, 2) is not None for row in (0, 1, 3))
    assert found.to_json()[2][key] is None
    assert found.places.tolist() == [1, 4, 3, 2]


@pytest.mark.parametrize(
    ("last_day", "expected"), [(date(2026, 2, 28), 15), (date(2026, 3, 1), 14), (None, 14)]
)
def test_without_an_edition_the_last_day_decides(last_day, expected):
    """R60e: the players of `test_buchholz_of_2026_limits_the_dummy`."""
    rows = [
        "2w2 3w1 4w2 = 5w1", "1b0 6w2 6b2 6w2 6w0", "1b1 6w2 6b2 6w1 6w0", "1b0 6w2 6b2 6w2 6w0",
        "6w1 6w2 6b1 6w0 1b1", "- - - - -",
    ]  # fmt: skip
    found = classify(cross_table(rows, halves_a_point=2), ["BH"], last_day=last_day)
    assert found.columns[0].value(0, 2) == expected


def test_in_a_round_robin_forfeits_are_games():
    """15.2: the opponent of a forfeit counts with the final score, in both editions."""
    rows = ["2x2 3w2", "1x0 3b1", "1b0 2w1"]
    assert values("BH", rows=rows, round_robin=True)[0] == F("0.5") + F("0.5")
    assert values("SB", "2023", rows=rows, round_robin=True)[0] == 1


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(3, 50), (4, 51), (220, 78), (204, 76), (400, 92), (391, 91), (735, 99), (736, 100)],
)
def test_table_of_expected_scores(difference, expected):
    """The figures that the papers print, and the edges of B.02 table 8.1.2."""
    assert expected_score_e2(np.array([difference, -difference, 0])).tolist() == [
        expected, 100 - expected, 50,
    ]  # fmt: skip


def test_table_of_differences():
    """Lines of B.02 table 8.1.1, and their mirror."""
    differences = rating_difference(np.array([0, 1, 34, 49, 50, 51, 66, 99, 100]))
    assert differences.tolist() == [-800, -677, -117, -7, 0, 7, 117, 677, 800]


def test_tables_have_all_lines():
    assert len(DIFFERENCE_BY_PERCENTAGE) == len(FIRST_DIFFERENCES) == 51
    assert list(DIFFERENCE_BY_PERCENTAGE) == sorted(DIFFERENCE_BY_PERCENTAGE)
