"""The ten methods for unplayed games, each by hand (Ricca 2017; R60 to R60c). Chess points: a win is 1."""

from fractions import Fraction

import pytest

from reporting.rules.standings.classify import classify
from reporting.rules.standings.explain import explain
from tests.cross_tables import cross_table

F = Fraction
# Six players, four rounds. Player 4 has the pause of round 1. In round 2 player 2 wins by forfeit against player 4;
# in round 3 player 3 has a half-point bye. Player 6 plays round 1 and 2 and is then absent: retired.
ROWS = [
    "2w2 6b2 4w1 5b2",  # 1: 3½ of four games
    "1b0 4x2 5w1 3b1",  # 2: 2, games 1 of 3 (½ + ½)
    "6w1 5w0 = 2w1",  # 3: 1½, games 1 of 3
    "+ 2x0 1b1 -",  # 4: 1½, games ½ of 1
    "- 3b2 2b1 1w0",  # 5: 1½, games 1½ of 3 (absent in round 1)
    "3b1 1w0 - -",  # 6: ½, games ½ of 2, then retired
]
# Final scores: 3½ 2 1½ 1½ 1½ ½.


def solkoff(method, key="solkoff"):
    table = cross_table(ROWS, halves_a_point=2)
    column = classify(table, [key], unplayed=method).columns[0]
    return [column.value(row, 2) for row in range(6)]


def test_final_scores():
    assert cross_table(ROWS).scores.tolist() == [7, 4, 3, 3, 3, 1]


def test_face_value():
    """1: 2 + ½ + 1½ + 1½ = 5½; 2: 3½ + 1½ + 1½ + 1½ = 8; 3: ½ + 1½ + 0 + 2; 4: 0 + 2 + 3½ + 0; 5: 0 + 1½ + 2 + 3½;
    6: 1½ + 3½ + 0 + 0."""
    assert solkoff("face-value") == [F("5.5"), 8, 4, F("5.5"), 7, 5]


def test_draw_against_oneself():
    """Seen: 1: 3½; 2: 1 + ½ = 1½; 3: 1 + ½ = 1½; 4: ½ + 3·½ = 2; 5: 1½ + ½ = 2; 6: ½ + 2·½ = 1½."""
    assert solkoff("draw-self") == [
        F("1.5") + F("1.5") + 2 + 2,
        F("3.5") + F("1.5") + 2 + F("1.5"),  # round 2 against oneself: 1½
        F("1.5") + 2 + F("1.5") + F("1.5"),
        2 + 2 + F("3.5") + 2,
        2 + F("1.5") + F("1.5") + F("3.5"),
        F("1.5") + F("3.5") + F("1.5") + F("1.5"),
    ]


def test_virtual_opponent():
    """Score before + (1 - points) + ½ per later round; seen scores as with draws.

    2 in round 2: 0 + 0 + 1 = 1. 3 in round 3: ½ + ½ + ½ = 1½. 4 in round 1: 0 + 0 + 1½; round 2: 1 + 1 + 1 = 3;
    round 4: 1½ + 1 + 0 = 2½. 5 in round 1: 0 + 1 + 1½ = 2½. 6 in round 3: ½ + 1 + ½ = 2; round 4: ½ + 1 = 1½."""
    assert solkoff("virtual") == [
        7, F("3.5") + 1 + 2 + F("1.5"), F("1.5") + 2 + F("1.5") + F("1.5"), F("1.5") + 3 + F("3.5") + F("2.5"),
        F("2.5") + F("1.5") + F("1.5") + F("3.5"), F("1.5") + F("3.5") + 2 + F("1.5"),
    ]  # fmt: skip


def test_adjusted_virtual_opponent():
    """The score before is at most that of the scheduled opponent, or ½ for each earlier round.

    4 in round 2 lost by forfeit to 2, who had 0: min(1, 0) + 1 + 1 = 2 instead of 3; in round 4 min(1½, 1½): 2½."""
    table = solkoff("virtual-adjusted")
    assert table[3] == F("1.5") + 2 + F("3.5") + F("2.5")
    # 3 in round 3: ½ is below 2 × ½, unchanged; 6 in round 3: ½, unchanged
    assert [table[0], *table[1:3], *table[4:]] == [7, 8, F("6.5"), 9, F("8.5")]


def test_ignoring_unplayed_games():
    """Points by games of the opponents over the board, × 4 × 4.

    1: (1 + ½ + ½ + 1½) / (3 + 2 + 1 + 3) × 16 = 3½ / 9 × 16; 2: (3½ + 1½ + 1) / (4 + 3 + 3) × 16, without round 2;
    4: 3½ / 4 × 16."""
    values = solkoff("ignore")
    assert values[0] == F("3.5") / 9 * 16
    assert values[1] == F(6) / 10 * 16
    assert values[3] == F("3.5") / 4 * 16
    # Cut-1 of 1: without 2: 2½ / 6; without 6: 3 / 7; without 4: 3 / 8; without 5: 2 / 6. Highest: 3 / 7, × 4 × 3
    assert solkoff("ignore", "short")[0] == F(3, 7) * 12
    # then the opponent without whom it is lowest, of 2 (1/3), 4 (½/1), 5 (1½/3): without 2: 2 / 4, without 4: 2½ / 6,
    # without 5: 1½ / 4. Lowest: 1½ / 4, × 4 × 2
    assert solkoff("ignore", "median")[0] == F("1.5") / 4 * 8
    # SB of 1: 1·1 + 1·½ + ½·½ + 1·1½ = 3¼, by 9 games, × 16
    assert solkoff("ignore", "sb")[0] == F("3.25") / 9 * 16


@pytest.mark.parametrize(
    ("method", "seen_6"),
    [
        ("fair-draw", F("1.5")),  # ½ + 2 × ½
        ("fair-zero", F("0.5")),
        ("fair-avg", F(1)),  # ½ in 2 rounds, prorated to 4
        ("fair-bavg", F(1)),  # ½ + 2 × ½ / 2
        # after round 2 the others had 2, 1, ½, 1, 1: only 3 had ½ like 6; 3 ended with 1½
        ("fair-tied", F("1.5")),
    ],
)
def test_fair_methods(method, seen_6):
    """A forfeit counts the real opponent, a half-point bye 0, a pause and an absence the player's own final score.

    Only 6 is retired: absent in the last two rounds (R60c). 1 met 6, 3 met 6."""
    assert solkoff(method) == [
        2 + seen_6 + F("1.5") + F("1.5"), F("3.5") + F("1.5") + F("1.5") + F("1.5"), seen_6 + F("1.5") + 0 + 2,
        F("1.5") + 2 + F("3.5") + F("1.5"), F("1.5") + F("1.5") + 2 + F("3.5"),
        F("1.5")
        + F("3.5")
        + F("0.5")
        + F("0.5"),  # the own games after the retirement count the own final score
    ]  # fmt: skip


def test_without_players_on_the_same_score_the_tied_average_is_the_prorated_one():
    """2 retires after round 2 with 2 points, when 1 had 0 and 3 had ... none other had 2: 2 / 2 × 4 = 4 (R60a)."""
    rows = ["2w0 3w1 3b1 3w2", "1b2 + - -", "- 1b1 1w1 1b0"]
    # after round 2: 1 has ½, 2 has 2, 3 has ½
    column = classify(cross_table(rows, halves_a_point=2), ["solkoff"], unplayed="fair-tied").columns[0]
    # opponents of 1: 2 (4) and three times 3 (1)
    assert column.value(0, 2) == 4 + 3


@pytest.mark.parametrize("method", ["fair-avg", "fair-bavg", "fair-tied", "fair-zero"])
def test_a_player_retired_before_any_game_keeps_the_final_score(method):
    """3 is never there and has 0 (R60c); 1, paired with 3 by mistake in round 1, won by forfeit."""
    rows = ["3x2 2w1 2b1", "+ 1b1 1w1", "1x0 - -"]
    column = classify(cross_table(rows), ["solkoff"], unplayed=method).columns[0]
    # 3 forfeited round 1 and then missed two rounds: retired with 0 of one round; twice 2, who has 4 points
    assert column.value(0) == 0 + 4 + 4
    never = ["+ 2w1 2b1", "+ 1b1 1w1", "- - -"]
    column = classify(cross_table(never), ["solkoff"], unplayed=method).columns[0]
    assert column.value(2) == 0


def test_sonneborn_berger_weighs_the_result_of_a_virtual_game():
    """4 with the virtual opponent: round 1 won 1 × 1½, round 2 lost 0, round 3 ½ × 3½, round 4 lost 0."""
    assert solkoff("virtual", "sb")[3] == F("1.5") + F("1.75")
    # drawn against oneself: ½ × 2 three times, ½ × 3½
    assert solkoff("draw-self", "sb")[3] == 3 + F("1.75")


def test_each_round_without_a_game_names_the_rule_it_counts_by():
    table = cross_table(["2w2 +", "1b0 3x2", "- 2x0"])

    def articles(key, method=""):
        (explanation,) = explain(classify(table, [key], unplayed=method), 1)
        return [each.article for each in explanation.rounds]

    assert articles("solkoff") == ["", "Annex 5 art. 4.1"]
    assert articles("solkoff", "virtual") == ["", "Ricca 2017"]
    assert articles("BH") == ["", "C.07 art. 16"]
    assert articles("sivakasi") == ["", "Anantharam 2017"]


@pytest.mark.parametrize(
    ("method", "key", "rows", "expected"),
    [
        # The virtual opponent has at most a draw of each earlier round. 1 won round 1 and paused in round 2: not 1 but
        # ½ before it, + 0 + ½ for round 3. Seen as draws 2 has ½ + ½, 3 has ½ + ½ + ½.
        ("virtual-adjusted", "solkoff", ["2w2 + 3w1", "1b0 3w1 +", "+ 2b1 1b1"], 1 + 1 + F("1.5")),
        # One game over the board is divided by one. The opponent of 1 drew the only game of two rounds: ½ / 1 × 2 × 2.
        ("ignore", "solkoff", ["2w1 -", "1b1 -"], 2),
        # The opponent that is cut is found with one game left. 1 met 2 (½ in one game) and 3 (½ in two): the ratio is
        # highest without 3: ½ / 1 × 3 rounds × 2.
        ("ignore", "short", ["2w1 3w2 -", "1b1 - -", "- 1b0 4w1", "- - 3b1"], 3),
        # A retired player with one game keeps its average. 2 drew round 1 and left: ½ + 2 × ½ / 1 = 1½. 1 met 2, and
        # twice 3, who has ½ + ½ and was absent in round 1.
        ("fair-bavg", "solkoff", ["2w1 3w1 3b1", "1b1 - -", "- 1b1 1w1"], F("1.5") + 1 + 1),
    ],
)
def test_methods_with_few_games(method, key, rows, expected):
    found = classify(cross_table(rows, halves_a_point=2), [key], unplayed=method)
    assert found.columns[0].value(0, 2) == expected


@pytest.mark.parametrize("key", ["solkoff", "sb"])
def test_the_explanation_of_ignored_games_has_the_points_over_the_board(key):
    """1 met 2, who has ½ + ½ over the board, 6 with ½, 4 with ½ and 5 with 1½."""
    (explanation,) = explain(classify(cross_table(ROWS, halves_a_point=2), [key], unplayed="ignore"), 1)
    assert [each.score for each in explanation.rounds] == [1, F("0.5"), F("0.5"), F("1.5")]
