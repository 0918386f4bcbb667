"""Rounds with points of their own, plus draws and decided ties (Annex 3 art. 5.6a, 5.10; Annex 17 art. 10), by hand."""

import pytest

from reporting.rules.report import PAUSE, ReadReport, ReportedGame, ReportedPlayer
from reporting.rules.standings.classify import RoundPointsError, classify
from reporting.rules.standings.cross_table import Counting, cross_table

BEIJING = ((12, 0), (9, 3), (8, 4), (7, 5))

# Round 1: 1 won the normal game; 4 won the blitz game. Round 2: 3 won the rapid game; 2 won the superblitz.
# Round 3: 4 was absent from the game against 1, 2 had a pause, 3 did not play.
#   1: 12 + 3 + 12 = 27    2: 0 + 7 + 12 = 19    3: 4 + 9 + 0 = 13    4: 8 + 5 + 0 = 13
SESSION = (
    *((1, 1, 1, 2, 2, 0), (1, 1, 3, 4, 1, 1), (1, 2, 4, 3, 1, 1), (1, 3, 3, 4, 0, 2)),
    *((2, 1, 1, 3, 1, 1), (2, 2, 3, 1, 2, 0), (2, 1, 2, 4, 1, 1), (2, 2, 4, 2, 1, 1)),
    *((2, 3, 2, 4, 1, 1), (2, 4, 4, 2, 0, 2), (3, 1, 1, 4, 2, 0, False), (3, 1, 2, PAUSE, 2, 0, False)),
)


def report(games, players=4):
    return ReadReport(
        format="fmjd",
        encoding="utf-8",
        players=tuple(
            ReportedPlayer(number=number, name=f"Anna {number}") for number in range(1, players + 1)
        ),
        games=tuple(
            ReportedGame(
                turn, white, black, *points[:2], played=points[2] if len(points) > 2 else True, number=number
            )
            for turn, number, white, black, *points in games
        ),
    )


def table(games, players=4, system="swiss", **counting):
    return cross_table(report(games, players), system=system, counting=Counting(**counting))


def rows(found, *keys):
    """Place and values of each player, by number."""
    return {row["number"]: (row["place"], *(row[key] for key in keys)) for row in found.to_json()}


def test_the_first_game_of_a_round_that_is_won_decides_its_points():
    games = table(SESSION, round_scores=BEIJING)
    assert games.scores.tolist() == [27, 19, 13, 13]
    # solkoff 1: 19 + 13 + 13, 2: 27 + 13 + 0, 3: 13 + 27 + 0, 4: 13 + 19 + 27.
    # sb: twice the points of opponents beaten. 1: 2·(19 + 13), 2: 2·13, 3: 2·27, 4: 2·13.
    assert rows(
        classify(games, ["wins", "mutual", "solkoff", "sb"]), "points", "wins", "mutual", "solkoff", "sb"
    ) == {
        1: (1, 27, 2, [], 45, 64),
        2: (2, 19, 1, [], 40, 26),
        4: (3, 13, 1, [8], 59, 26),  # 4 won the round against 3 by 8-4
        3: (4, 13, 1, [4], 40, 54),
    }


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        (((12, 0), (9, 3)), [6, 6]),  # the 12 points of the last pair are shared
        (((12, 0), (9, 3), (5, 5)), [5, 5]),
    ],
)
def test_a_round_without_a_winner_has_the_points_of_its_pair_or_half_of_the_last(scores, points):
    games = ((1, 1, 1, 2, 1, 1), (1, 2, 1, 2, 1, 1))
    assert table(games, players=2, round_scores=scores).scores.tolist() == points


def test_without_a_session_a_game_has_the_points_of_the_counting_system():
    """3-1-0: 1 won and drew, 2 lost and was forfeited together with 3, 3 drew."""
    games = ((1, 1, 1, 2, 2, 0), (2, 1, 1, 3, 1, 1), (3, 1, 2, 3, 0, 0, False))
    found = table(games, players=3, round_scores=((3, 0), (1, 1)))
    assert found.scores.tolist() == [4, 0, 1]
    assert found.points.tolist() == [[2, 1, 0], [0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(("keys", "unplayed"), [(["tpr"], ""), (["BH"], ""), (["short"], "virtual")])
def test_tie_breaks_made_for_2_1_0_are_refused_with_points_of_rounds(keys, unplayed):
    with pytest.raises(RoundPointsError, match=unplayed or keys[0]):
        classify(table(SESSION, round_scores=BEIJING), keys, unplayed=unplayed)


# 1, 2 and 3 drew with each other, with 4 and with 5; 5 beat 4. Points: 4, 4, 4, 3, 5; no wins of 1, 2, 3.
DRAWS = (
    *((1, 1, 1, 2, 1, 1), (1, 1, 3, 4, 1, 1), (2, 1, 2, 3, 1, 1), (2, 1, 4, 5, 0, 2), (3, 1, 3, 1, 1, 1)),
    *((3, 1, 2, 5, 1, 1), (4, 1, 1, 4, 1, 1), (4, 1, 3, 5, 1, 1), (5, 1, 1, 5, 1, 1), (5, 1, 2, 4, 1, 1)),
)


def test_a_plus_draw_is_better_among_the_tied_players():
    """1 had a plus draw against 2, and 2 against 3: +1, 0, -1."""
    plus = ((1, 1, 1, 2), (2, 1, 2, 3))
    championship = table(DRAWS, players=5, system="round-robin", plus_draws=plus, is_world_championship=True)
    found = classify(championship)  # Annex 17 art. 10 names the tie-breaks
    assert rows(found, "points", "mutual-plus") == {
        5: (1, 5, []), 1: (2, 4, [2, 1]), 2: (3, 4, [2, 0]), 3: (4, 4, [2, -1]), 4: (5, 3, []),
    }  # fmt: skip
    other = table(DRAWS, players=5, system="round-robin", plus_draws=plus)
    assert rows(classify(other), "mutual") == {5: (1, []), 1: (2, [2]), 2: (2, [2]), 3: (2, [2]), 4: (5, [])}


def test_plus_draws_in_a_circle_are_followed_by_those_in_the_order_of_the_classification():
    """1 against 2, 2 against 3, 3 against 1: each has one plus and one minus. Against 4: 1 plus, 3 minus."""
    plus = ((1, 1, 1, 2), (2, 1, 2, 3), (3, 1, 3, 1), (4, 1, 1, 4), (1, 1, 4, 3))
    games = table(DRAWS, players=5, system="round-robin", plus_draws=plus)
    found = classify(games, ["wins", "mutual-plus", "classification-plus"])
    # points and balance against place 1 (number 5), against the tied players, against place 5 (number 4)
    assert rows(found, "mutual-plus", "classification-plus") == {
        5: (1, [], [0, 0, 3, 0, 2, 0]), 1: (2, [2, 0], [1, 0, 2, 0, 1, 1]), 2: (3, [2, 0], [1, 0, 2, 0, 1, 0]),
        3: (4, [2, 0], [1, 0, 2, 0, 1, -1]), 4: (5, [], [0, 0, 3, 0, 0, 0]),
    }  # fmt: skip


def test_decided_ties_order_players_equal_in_all_before_lot():
    games = table(DRAWS, players=5, decided_ties=((3, 1, 2),))
    found = classify(games, ["wins", "lot"])
    assert [each.key for each in found.tie_breaks] == ["wins", "decided", "lot"]
    assert rows(found, "decided") == {5: (1, []), 3: (2, [1]), 1: (3, [2]), 2: (4, [3]), 4: (5, [])}


def test_an_order_of_some_of_the_tied_players_decides_nothing():
    found = classify(table(DRAWS, players=5, decided_ties=((3, 1),)), ["wins"])
    assert rows(found, "decided") == {5: (1, []), 1: (2, []), 2: (2, []), 3: (2, []), 4: (5, [])}
