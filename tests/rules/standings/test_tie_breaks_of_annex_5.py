"""Annex 5 art. 3.1 and App. D, Annex 3 art. 5.9 and 5.11 (R50 to R53), each with its hand calculation."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ratings.federations.fmjd.rules.tables import RATING_DIFFERENCE_E2
from reporting.rules.standings.classify import TieBreakNotDefinedError, UnknownKeyError, classify
from reporting.rules.standings.cross_table import Counting
from reporting.rules.standings.exact import decimal
from reporting.rules.standings.round_robin import mutual, withdrawn
from tests.cross_tables import cross_table

# Four players, three rounds. Player 4 has a pause in round 3, player 3 misses it; player 1 wins round 3 by forfeit
# against player 2. Points: 1: 2+1+2 = 5, 2: 0+2+0 = 2, 3: 1+1+0 = 2 ... see each row.
SWISS = [
    "2w2 3b1 2x2",  # 5
    "1b0 4w2 1x0",  # 2
    "4w1 1w1 -",  # 2
    "3b1 2b0 +",  # 3
]


def values(rows, key, **more):
    """The values of the players in the order of their numbers."""
    table = cross_table(rows, **more)
    column = classify(table, [key], rating_differences_e2=RATING_DIFFERENCE_E2.tolist()).columns[0]
    return [column.value(row, table.halves_a_point) for row in range(table.players)]


def test_points_are_sums_and_places_follow_them():
    standings = classify(cross_table(SWISS), ["solkoff"])
    assert standings.table.scores.tolist() == [5, 2, 2, 3]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        # opponents of 1: 2, 3, 2 = 2 + 2 + 2; of 2: 1, 4, 1 = 5 + 3 + 5 (a forfeit counts the scheduled opponent);
        # of 3: 4, 1, missed = 3 + 5 + 0; of 4: 3, 2, pause = 2 + 2 + 0
        ("solkoff", [6, 13, 8, 4]),
        ("short", [4, 10, 8, 4]),  # - 2, - 3, - 0, - 0
        ("median", [2, 5, 3, 2]),  # - 2, - 5, - 5, - 2
        ("full", [[4, 2], [10, 5], [8, 5], [4, 2]]),  # minus the lowest, minus the two lowest
        # sums of the Solkoff of the opponents: 13 + 8 + 13, 6 + 4 + 6, 4 + 6 + 0, 8 + 13 + 0
        ("plus", [34, 16, 10, 21]),
        # 2·13 + 2·8 + 2·13, 5·6 + 3·4 + 5·6, 3·4 + 5·6 + 0, 2·8 + 2·13 + 0
        ("baliakin", [68, 72, 42, 42]),
        # 2·2 + 1·2 + 2·2, 0 + 2·3 + 0, 1·3 + 1·5, 1·2 + 0 + 2·0
        ("sb", [10, 6, 8, 2]),
        ("wins", [2, 1, 0, 0]),  # a forfeit won counts, a pause does not (R52)
    ],
)
def test_sums(key, expected):
    assert values(SWISS, key) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [("solkoff", [3, Fraction(13, 2), 4, 2]), ("sb", [Fraction(5, 2), Fraction(3, 2), 2, Fraction(1, 2)])],
)
def test_on_the_scale_of_one_point_sums_are_halved_and_products_quartered(key, expected):
    assert values(SWISS, key, halves_a_point=2) == expected


def test_average_rating_counts_scheduled_opponents_and_the_dummy_of_a_pause():
    """R51a: 1: (2100 + 2000 + 2100) / 3; 2: (2300 + 1900 + 2300) / 3; 3: (1900 + 2300) / 2, the missed round does not
    count; 4: (2000 + 2100 + 1899) / 3, where the dummy has the lowest rating - 1."""
    assert values(SWISS, "aro", ratings=[2300, 2100, 2000, 1900]) == [
        Fraction(6200, 3), Fraction(6500, 3), 2100, Fraction(5999, 3),
    ]  # fmt: skip
    # without a rating player 3 does not count: 1: (2100 + 2100) / 2; 4: (2100 + 1899) / 2
    assert values(SWISS, "aro", ratings=[2300, 2100, -1, 1900])[0] == 2100
    assert values(SWISS, "aro", ratings=[2300, 2100, -1, 1900])[3] == Fraction(3999, 2)
    # who was never paired has no average
    assert values(["- -", "3w2 3b1", "2b0 2w1"], "aro", ratings=[2000, 1900, 1800]) == [None, 1800, 1900]


def test_performance_is_the_rating_that_expects_the_score():
    """App. D with table IX-1: 75 % is a difference of 193.17, 51 % of 7.14."""
    difference = int(RATING_DIFFERENCE_E2[75])
    # two games against 2000: 3 of 4 points; 2000 + D(75)
    assert values(["2w2 2b1", "1b0 1w1"], "tpr", ratings=[2000, 2000])[0] == 2000 + Fraction(difference, 100)
    # 100 %: highest + 935; 0 %: lowest - 935 (R50)
    assert values(["2w2 3w2", "1b0 -", "1b0 -"], "tpr", ratings=[2000, 1900, 2100]) == [3035, 1065, 1065]
    # one draw against 2000 and one against 2200: the middle, as the table is symmetric
    assert values(["2w1 3w1", "1b1 -", "1b1 -"], "tpr", ratings=[2000, 2000, 2200])[0] == 2100
    # a win against 1000 and a loss against 3000: every rating from 1935 to 2065 expects one win, the middle is 2000
    assert values(["2w2 3w0", "1b0 -", "1b2 -"], "tpr", ratings=[2000, 1000, 3000])[0] == 2000


def test_performance_between_two_lines_of_the_table_is_exact():
    """Three games against 2000, 2 of 6 points: 33 1/3 %, so 2000 - (D(66) + 2/3 × (D(67) - D(66)))."""
    low, high = int(RATING_DIFFERENCE_E2[66]), int(RATING_DIFFERENCE_E2[67])
    expected = 2000 - (low + Fraction(2, 3) * (high - low)) / 100
    rows = ["2w2 2b0 2w0", "1b0 1w2 1b2"]
    assert values(rows, "tpr", ratings=[2000, 2000])[0] == expected
    assert f"{decimal(expected):f}" == str(decimal(values(rows, "tpr", ratings=[2000, 2000])[0]))


# A round robin of four: 1 and 2 have 4 points each, 3 and 4 have 2 each.
ROUND_ROBIN = ["4w2 3b2 2w0", "3w1 4b1 1b2", "2b1 1w0 4b1", "1b0 2w1 3w1"]


def test_round_robin_by_wins_then_the_games_between_the_tied_then_the_order_of_the_classification():
    """5.11.1.2.1: 1 has two wins, 2 one: 1 is first though 2 won their game. 3 and 4 drew, and have no wins:
    against place 1: 3 has 0 and 4 has 0; against place 2: both 1. They share place 3 (R52a)."""
    standings = classify(cross_table(ROUND_ROBIN, round_robin=True), [])
    assert [tie_break.key for tie_break in standings.tie_breaks] == ["wins", "mutual", "classification"]
    assert standings.places.tolist() == [1, 2, 3, 3]


def test_mutual_is_asked_again_among_those_still_tied():
    """Three tied players: 1 beat 2 and drew with 3; 3 drew with 1 and 2: points among them 3, 1, 2 with 2 behind.
    All are apart at once, so each list has one number."""
    rows = ["2w2 3b1", "1b0 3w1", "2b1 1w1"]
    table = cross_table(rows, round_robin=True)
    column = mutual(table, np.array([0, 0, 0]))
    assert [column.value(row) for row in range(3)] == [[3], [1], [2]]
    # four tied: 1 and 2 have 3 among the four, 3 and 4 have 3 too; nothing decides, asked once only
    rows = ["2w1 3w1 4w1", "1b1 4b1 3b1", "4w1 1b1 2w1", "3b1 2w1 1b1"]
    column = mutual(cross_table(rows, round_robin=True), np.array([0, 0, 0, 0]))
    assert [column.value(row) for row in range(4)] == [[3], [3], [3], [3]]
    # four tied: 1 and 2 have 4 each, then their own game (1 won it): 2 and 0
    rows = ["2w2 3w2 4w0", "1b0 4b2 3b2", "4w1 1b0 2w0", "3b1 2w0 1b2"]
    column = mutual(cross_table(rows, round_robin=True), np.array([0, 0, 0, 0]))
    assert [column.value(row) for row in range(4)] == [[4, 2], [4, 0], [1], [3]]


def test_shared_places_are_numbered_1_2_2_4():
    rows = ["2w2 3w2 4w2", "1b0 3b1 -", "1b0 2w1 -", "1b0 - -"]
    assert classify(cross_table(rows), ["wins"]).places.tolist() == [1, 2, 2, 4]


def test_without_tie_breaks_of_the_federation_equal_points_share_a_place():
    table = cross_table(ROUND_ROBIN, round_robin=True)
    standings = classify(replace(table, counting=Counting(default_tie_breaks=())))
    assert (standings.tie_breaks, standings.places.tolist()) == ((), [1, 1, 3, 3])
    standings = classify(replace(table, counting=Counting(default_tie_breaks=("wins",))))
    assert standings.places.tolist() == [1, 2, 3, 3]


def test_a_player_who_left_a_round_robin_early_is_cancelled_and_not_classified():
    """5.9 A a (R53): 5 played one of four games and is cancelled, so the win of 1 against 5 is no point."""
    rows = ["5w2 2w1 3w1 4w1", "4w1 1b1 5x2 3b1", "+ 4b1 1b1 2w1", "2b1 3w1 5x2 1b1", "1b0 - 2x0 4x0"]  # fmt: skip
    standings = classify(cross_table(rows, round_robin=True), [])
    assert standings.places.tolist()[4] == 0
    assert standings.table.scores.tolist() == [3, 3, 5, 3, 0]
    assert standings.to_json()[-1]["place"] is None


def test_a_player_who_left_after_more_than_half_stays_in_the_table():
    """5.9 A b: 3 of 4 games played; the last is a forfeit, and the player is classified."""
    rows = ["5w2 2w1 3w1 4x2", "4w1 1b1 5x2 3b1", "2w2 4b1 1b1 2w1", "2b1 3w1 5x2 1x0", "1b0 2w0 3b0 2x0"]
    assert 0 not in classify(cross_table(rows, round_robin=True), []).places.tolist()


def test_unknown_keys_are_refused_with_the_known_ones():
    with pytest.raises(UnknownKeyError) as refused:
        classify(cross_table(SWISS), ["nonsense"])
    assert refused.value.found == "nonsense"
    assert {"solkoff", "BH/C1", "aaso-sb"} <= set(refused.value.known)
    with pytest.raises(UnknownKeyError):
        classify(cross_table(SWISS), ["solkoff"], unplayed="nonsense")
    with pytest.raises(UnknownKeyError):
        classify(cross_table(SWISS), ["BH"], edition="2024")
    for key in ("full", "plus", "baliakin"):
        with pytest.raises(TieBreakNotDefinedError):
            classify(cross_table(SWISS), [key], unplayed="draw-self")


def test_results_in_the_order_of_the_classification_are_printed_by_the_scale():
    """Points 1, ½ and 1½ of three in a round robin: 1 lost to 3 and beat 2, who drew with 3."""
    table = cross_table(["2w2 3b0 -", "1b0 - 3w1", "- 1w2 2b1"], halves_a_point=2, round_robin=True)
    assert table.scores.tolist() == [2, 1, 3]
    column = classify(table, ["classification"]).columns[0]
    # Against 3, 1 and 2 in this order; against oneself nothing.
    assert [column.value(row, 2) for row in range(3)] == [
        [0, 0, 1], [Fraction(1, 2), 0, 0], [0, 1, Fraction(1, 2)],
    ]  # fmt: skip


def test_half_of_the_games_are_those_of_the_whole_round_robin():
    """Five players have 4 games each; 5 left after two, and is not classified (Annex 3 art. 5.9 A a)."""
    rows = ["- 2w1 3b1 4w1 -", "5w2 1b1 - 3w1 4b1", "4w1 5b2 1w1 2b1 -", "3b1 - - 1b1 2w1", "2b0 3w0 - - -"]
    assert withdrawn(cross_table(rows, round_robin=True)).tolist() == [4]
    # With three of four games the results count.
    rows[3], rows[4] = "3b1 - 5w2 1b1 2w1", "2b0 3w0 4b0 - -"
    assert withdrawn(cross_table(rows, round_robin=True)).tolist() == []
