"""The worked examples of the FIDE papers of 2014 and 2017 (R60 to R60d)."""

from fractions import Fraction

import pytest

from reporting.rules.standings.classify import classify
from reporting.rules.standings.exact import decimal
from tests.cross_tables import against, cross_table

DILEEP_KUMAR = against(
    # rounds 1 to 9: final score of the opponent, own result; round 1 was won by forfeit
    [(0, "+"), (3, "1"), (6.5, "1"), (6, "="), (6.5, "0"), (6, "="), (6, "="), (6, "="), (4.5, "1")],
    ratings=[1182, 1086, 2081, 2281, 2131, 1989, 2230, 1962, 1576],
    own_rating=1854,
)

SARGISSIAN = against(
    [(4.5, "1"), (5.5, "="), (5.5, "1"), (5, "="), (6, "+"), (6, "="), (6, "="), (6, "1"), (6.5, "=")],
    ratings=[2296, 2447, 2452, 2549, 2473, 2594, 2562, 2507, 2626],
    own_rating=2693,
)

PRANESH = against(
    [(3, "1"), (6, "0"), (4.5, "1"), (6, "0"), (3, "1"), (5, "0"), (5, "0"), (3.5, "1"), (4, "+")],
    ratings=[1127, 2281, 1357, 2230, 1086, 1635, 1540, 1260, 1524],
    own_rating=1744,
)

SADUAKASSOVA = against(
    [(2, "1"), (6.5, "="), (5, "0"), (4, "1"), (2.5, "+"), (4.5, "1"), (7, "0"), (5.5, "0"), (5, "=")],
    ratings=[1736, 2604, 2549, 2148, 2615, 2478, 2619, 2466, 2281],
    own_rating=2411,
)

PLAYER_A = against(
    # round 1 and 5 and 8 are marked F; the printed numerator leaves them out (R60b)
    [
        *(
            (0, "+"),
            (2.5, "1"),
            (3.5, "1"),
            (5, "="),
            (3, "+"),
            (4.5, "="),
            (5, "="),
            (5, "+"),
            (6, "0"),
            (6.5, "0"),
        ),
        (7, "0"),
    ]
)


def of_player_1(table, key, **more):
    standings = classify(table, [key], **more)
    return standings.columns[0].value(0, table.halves_a_point)


def test_dileep_kumar_won_the_first_round_by_forfeit():
    """44.5 from 8 opponents; the average 5.5625 - 0.5, as the opponent of round 1 was weaker by 672 (rule a)."""
    assert of_player_1(DILEEP_KUMAR, "sivakasi") == Fraction("44.5") + Fraction("44.5") / 8 - Fraction("0.5")
    # Ucarcus' Buchholz of the paper is the sum and the plain average, 50.06; AvB is that average
    assert decimal(of_player_1(DILEEP_KUMAR, "avb")) == decimal(Fraction("5.5625"))


def test_dileep_kumar_sonneborn_berger_has_the_expected_share_of_the_average():
    """dp = 672, limited to 400: p = 0.92. The paper rounds 5.56 × 0.92 to 5.12; exact it is 5.5625 × 0.92 = 5.1175."""
    # games: 3 + 6.5 + ½·6 + 0 + ½·6 + ½·6 + ½·6 + 4.5 = 26
    played = 26
    assert of_player_1(DILEEP_KUMAR, "sivakasi-sb") == played + Fraction("5.1175")


def test_sargissian_meets_an_absent_opponent_with_more_points_than_the_average():
    """45.0 / 8 = 5.625; the absent opponent scored 6, which is more (rule c): 45 + 6."""
    assert of_player_1(SARGISSIAN, "sivakasi") == 51


def test_pranesh_and_his_cut():
    """36 + 4.5 = 40.5; without the lowest 33 + 33/7 = 37.7143 (the paper: 37.71)."""
    assert of_player_1(PRANESH, "sivakasi") == Fraction("40.5")
    assert of_player_1(PRANESH, "sivakasi-cut1") == 33 + Fraction(33, 7)
    # dp = 220, p = 0.78: 0.78 × 4.5 = 3.51 for the round without a game; 3 + 4.5 + 3 + 3.5 from the games won
    assert of_player_1(PRANESH, "sivakasi-sb") == 14 + Fraction("3.51")


def test_saduakassova_is_the_lower_rated_of_the_forfeit():
    """39.5 / 8 = 4.9375, sum 44.4375 (44.44); dp = 204, p = 0.24: 4.9375 × 0.24 = 1.185."""
    assert of_player_1(SADUAKASSOVA, "sivakasi") == Fraction("44.4375")
    # games: 2 + ½·6.5 + 4 + 4.5 + ½·5 = 16.25
    assert of_player_1(SADUAKASSOVA, "sivakasi-sb") == Fraction("16.25") + Fraction("1.185")


def test_player_a_of_ucarcus():
    """40 points of 8 opponents played: 5."""
    assert of_player_1(PLAYER_A, "avb") == 5


def test_of_equal_average_buchholz_more_games_are_better():
    """Players 1 and 2 both average 1 point an opponent; player 1 has two games, player 2 one (Ucarcus, remark a)."""
    table = cross_table(["3w1 4w1", "4w1 +", "1b1 -", "2b1 1b1"])
    # scores 2, 3, 1, 2: opponents of 1 average (1 + 2) / 2, of 2 average 2 / 1
    standings = classify(table, ["avb"])
    assert standings.columns[0].value(0) == Fraction(3, 2)
    table = cross_table(["3w1 4w1", "4w1 =", "1b1 =", "2b1 1b1"])
    # scores 2, 2, 2, 2: both average 2
    standings = classify(table, ["avb"])
    assert standings.columns[0].value(0) == standings.columns[0].value(1) == 2
    assert standings.places[0] < standings.places[1]


def test_vereshchagins_sums():
    """5 points in 8 games of 9 rounds count 5 / 8 × 9 = 5.625; 20 Buchholz points of 8 opponents 20 / 8 × 9 = 22.5."""
    eight_games = against([(2.5, "1")] * 8 + [(0, "+")])
    # each opponent has 2.5 of 9 games, so 2.5 prorated; 8 × 2.5 = 20
    assert of_player_1(eight_games, "aaso") == Fraction("22.5")
    # the printed 15 : 7 × 8 is 17.1429, not 17.44 (R60b): one of eight opponents cut, 15 points of the others
    cut = against([(0, "1"), (3, "1"), *[(2, "1")] * 6, (0, "+")])
    assert decimal(of_player_1(cut, "aaso-cut1")) == decimal(Fraction(120, 7))
    # the winner takes 5.625, a draw half of it (2.8125), a loss nothing
    table = cross_table(
        [
            "2w2 " + "- " * 8,
            "1b0 " + "3w2 3w2 " + "3w1 " + "3w0 3w0 3w0 3w0 +",
            "2b0 2b0 2b1 2b2 2b2 2b2 2b2 - -",
        ],
        halves_a_point=2,
    )
    # player 2: 2½ points in 8 games, 2.5 / 8 × 9 = 2.8125; player 1 beat them in the only game: 2.8125 / 1 × 9
    assert of_player_1(table, "aaso-sb") == Fraction("2.8125") * 9


@pytest.mark.parametrize(
    ("other", "expected"), [(1850, 4), (1851, Fraction(9, 2)), (2149, Fraction(9, 2)), (2150, 5)]
)
def test_a_difference_of_150_points_changes_the_average_of_a_forfeit_in_round_1(other, expected):
    """Rules a and b (R60a): 3 and 4 have 1½ each, so 3, and their average 1½ for the forfeit, ½ less or more."""
    rows = ["2x2 3w1 4w1", "1x0 4w1 3w1", "4w1 1b1 2b1", "3b1 2b1 1b1"]
    table = cross_table(rows, ratings=[2000, other, 2000, 2000], halves_a_point=2)
    assert classify(table, ["sivakasi"]).columns[0].value(0, 2) == expected


@pytest.mark.parametrize(("rating", "expected"), [(1850, 4), (2000, Fraction(9, 2))])
def test_an_absent_opponent_with_the_average_itself_is_not_above_it(rating, expected):
    """1 played 3 (2 points) and 4 (1), the mean is 1½, which the opponent of the forfeit has: not rule c (R60a)."""
    rows = ["2x2 3w0 4w1", "1x0 4w2 3w1", "4w1 1b2 2b1", "3b1 2b0 1b1"]
    table = cross_table(rows, ratings=[2000, rating, 2000, 2000], halves_a_point=2)
    assert table.scores.tolist() == [3, 3, 4, 2]
    assert classify(table, ["sivakasi"]).columns[0].value(0, 2) == expected


def test_a_forfeit_that_was_lost_counts_the_average_alone():
    """2 did not come in round 1; a stronger opponent changes nothing: 1½ + 1½ and their average 1½ (rules a and b)."""
    rows = ["2x2 3w1 4w1", "1x0 4w1 3w1", "4w1 1b1 2b1", "3b1 2b1 1b1"]
    table = cross_table(rows, ratings=[2200, 2000, 2000, 2000], halves_a_point=2)
    assert classify(table, ["sivakasi"]).columns[0].value(1, 2) == Fraction(9, 2)


def test_a_single_game_is_divided_by_one():
    """AASO of 1, who met 2 once in two rounds: 2 has 1 point in 2 games of 2 rounds, so 1 / 1 × 2; SB: ½ of it."""
    table = cross_table(["2w1 -", "1b1 3w1", "- 2b1"], halves_a_point=2)
    assert classify(table, ["aaso"]).columns[0].value(0, 2) == 2
    assert classify(table, ["aaso-sb"]).columns[0].value(0, 2) == 1
