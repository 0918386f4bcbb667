"""The studies of tie-breaks: their arithmetic by the printed tournament, the criteria by hand (R61 to R61d)."""

import csv
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from reporting.rules.pairing.studies import criteria
from reporting.rules.pairing.studies.positions import (
    direct_encounter,
    distances,
    orders,
    positions,
    ranks_of,
    refined,
)
from reporting.rules.pairing.studies.study import Study, evaluated, study_block
from reporting.rules.pairing.studies.tournaments import StudyRates, played_tournament, quantiles
from reporting.rules.pairing.tournament import Colours
from reporting.rules.standings.cross_table import Kind
from tests.cross_tables import cross_table

PRINTED = Path(__file__).parents[2] / "cases/fmjd-pairing/test10009_1017.csv"


def a_random():
    return Random(1)  # noqa: S311 (a simulation)


@pytest.fixture(scope="module")
def printed():
    """The 100 rows of test10009_1017, one tournament of the first study: by column its values."""
    rows = list(csv.DictReader(PRINTED.read_text().splitlines()))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def test_three_players_on_places_16_to_18_have_position_17():
    values = np.array([*range(100, 85, -1), 50, 50, 50, 1])
    assert positions(ranks_of(values))[14:].tolist() == [15, 17, 17, 17, 19]


def test_the_printed_cross_table_of_criteria_comes_out(printed):
    own = np.array([positions(ranks_of(printed[name])) for name in ("ABSTPR", "ABSELO", "MISPTS", "BRUNO")])
    cells = distances(own, own, np.ones(100, dtype=bool))
    expected = {
        (0, 1): 3.2588,
        (0, 2): 5.6767,
        (0, 3): 4.4034,
        (1, 2): 4.8580,
        (1, 3): 5.5893,
        (2, 3): 7.0972,
    }
    assert {pair: round(float(cells[pair]), 4) for pair in expected} == expected


def test_the_printed_rows_of_buchholz_come_out(printed):
    """Bruno is points × Buchholz, so among players of the same points it has the order of Buchholz."""
    by_points = ranks_of(printed["score"])

    def adjusted(name):
        return positions(refined(by_points, ranks_of(printed[name])))

    names = ["ABSTPR", "ABSELO", "ZERMELO", "MISPTS", "BRUNO"]
    is_top = printed["score"] >= 5.5
    assert int(is_top.sum()) == 31
    of_criteria = np.array([adjusted(name) for name in names])
    buchholz = adjusted("BRUNO")[None]
    (of_all,) = distances(buchholz, of_criteria, np.ones(100, dtype=bool)).round(4).tolist()
    assert [of_all[0], of_all[1], of_all[3], of_all[4]] == [1.0954, 1.3802, 1.9442, 0]
    (of_top,) = distances(buchholz, of_criteria, is_top).round(4).tolist()
    assert of_top == [1.4536, 1.7367, 1.7367, 2.3245, 0]


def table(*rows, ratings=()):
    """A cross table from rows such as `2w2 3b1`: opponent, colour, points in 2-1-0."""
    return cross_table(rows, ratings=ratings)


def test_missing_points_follow_the_shortest_path_and_the_better_rated_player():
    # The paper's example: A drew with 1 and 1 drew with B, A beat 2 and 2 beat B; 1 is rated higher.
    # Players 1 = A, 2 = B, 3 = "1" (2400), 4 = "2" (2000).
    # Direct: A-3 draw, 3-B draw, A beats 4, 4 beats B. A to B: by 3 (draw) and by 4 (win), both two steps: 3 counts, a
    # draw. B to A: B-3-A, a draw of two steps too. So A-B is a draw.
    # 3 to 4: 3-A-4 two steps, A beats 4: a win. 4 to 3: 4-B-3 two steps, 4 beats B: a win. Both win: a draw.
    # A: draw 3, win 4, draw B = 4. B: draw 3, loss 4, draw A = 2. 3: draws = 3. 4: loss, win, draw = 3.
    four = table("3w1 4b2", "4w0 3b1", "1b1 2w1", "2b2 1w0", ratings=[2200, 2100, 2400, 2000])
    assert criteria.missing_points(four).tolist() == [4, 2, 3, 3]
    # With 4 rated higher the path by 4 counts, a win; the way back, B-3-A, is as long and has no win: a win.
    other = table("3w1 4b2", "4w0 3b1", "1b1 2w1", "2b2 1w0", ratings=[2200, 2100, 2000, 2400])
    assert criteria.missing_points(other).tolist() == [5, 1, 3, 3]


def test_players_without_a_path_get_nothing():
    # 1 beat 2, 3 beat 4: nothing is known between the pairs.
    assert criteria.missing_points(table("2w2", "1b0", "4w2", "3b0")).tolist() == [2, 0, 2, 0]


def test_the_first_performances_are_2000_and_the_difference_of_the_percentage():
    # 1 beat 2: 2800 and 1200. Second step: 1 has 1200 + 800 = 2000, 2 has 2800 - 800 = 2000: the squares are the same,
    # 2 × 800². Third step: as the first. They never grow, and the last step allowed is the thousandth, an even one.
    assert criteria.absolute_performance(table("2w2", "1b0")).tolist() == [2000, 2000]
    # 1 and 2 drew, 3 and 4 drew: nothing changes.
    assert criteria.absolute_performance(table("2w1", "1b1", "4w1", "3b1")).tolist() == [2000] * 4


def test_elo_moves_until_the_scores_are_those_expected():
    # Half points, K = 50: a draw of equals changes nothing; the winner rises until 100 % are expected, 736 points.
    assert criteria.absolute_elo(table("2w1", "1b1")).tolist() == [4000, 4000]
    winner, loser = criteria.absolute_elo(table("2w2", "1b0")).tolist()
    assert winner - loser >= 2 * 736 - 1
    assert winner + loser == 8000


def test_strengths_by_zermelo():
    # Three players: 1 beats 2 and draws with 3, 2 draws with 3. By symmetry the product of 1 and 2 is 3².
    # 1 has 1.5: p/(p+q) + p/(p+r) = 1.5 with q = 1/p, r = 1: p²/(p²+1) + p/(p+1) = 1.5. p = 2: 0.8 + 0.6667 = 1.4667;
    # p = 2.11: 0.8166 + 0.6785 = 1.4950; p = 2.13: 0.8194 + 0.6805 = 1.4999.
    one, two, three = criteria.zermelo(table("2w2 3b1", "1b0 3w1", "1w1 2b1")).tolist()
    assert one / three == pytest.approx(2.1304, abs=2e-3)
    assert one * two == pytest.approx(three**2, rel=1e-3)


def test_direct_encounter_only_where_all_tied_players_have_met():
    # 1 2 3 have all met: 1 beat 2, 2 beat 3, 1 beat 3. 4 has not met 1.
    games = table("2w2 3b2", "1b0 3w2", "1w0 2b0", "- -")
    refine = direct_encounter(games)
    assert refine(np.array([0, 0, 0, 1])).tolist() == [0, 1, 2, 3]
    assert refine(np.array([0, 0, 0, 0])).tolist() == [0, 0, 0, 0]


def test_tie_breaks_one_after_another():
    first, second = np.array([0, 0, 1, 1]), np.array([1, 0, 0, 0])
    chains = [("A",), ("A", "B"), ("B", "A")]
    refinements = {"A": lambda ranks: refined(ranks, first), "B": lambda ranks: refined(ranks, second)}
    found = orders(np.zeros(4, dtype=np.int64), chains, refinements)
    assert [order.tolist() for order in found] == [[1.5, 1.5, 3.5, 3.5], [2, 1, 3.5, 3.5], [4, 1, 2.5, 2.5]]


def test_top_scorers_are_those_of_the_printed_tables():
    # Half points: 5.5 of 9 (R61f), 6.5 of 10, 3.5 of 6.
    tops = [Study(100, rounds, 1, seed=1, rates=StudyRates()).top_halves for rounds in (9, 10, 6)]
    assert tops == [11, 13, 7]
    assert Study(100, 9, 1, seed=1, rates=StudyRates(), is_of_unplayed=True).top_halves == 10


def test_ratings_of_other_fields_are_the_quantiles_of_those_printed():
    assert quantiles(100)[:2] == [2694, 2654]
    # Of 50 the first is the middle of 2694 and 2654, the last of 1654 and 1650.
    assert (quantiles(50)[0], quantiles(50)[-1]) == (2674, 1652)


@pytest.mark.parametrize(
    ("rates", "kinds", "points"),
    [
        (StudyRates(), {Kind.PLAYED}, {0, 2}),
        (StudyRates(forfeits=1), {Kind.FORFEIT}, {0}),
        (StudyRates(half_point_byes=1), {Kind.HALF_POINT_BYE}, {1}),
        (StudyRates(absences=1), {Kind.ABSENT}, {0}),
    ],
)
def test_rates_of_unplayed_games(rates, kinds, points):
    played = played_tournament(quantiles(8), 4, replace(rates, draws=0), a_random())
    assert (set(played.kinds.flat), set(played.points.flat)) == (kinds, points)


def test_a_study_pairs_with_the_colours_asked_for():
    """Round 1 is the same. In round 2 a pair of two players due the same colour gives one of them that of round 1 again
    (R68), and strong preference has the fewest such pairs (C4 of R65)."""
    repeated = {
        colours: int(
            (
                played_tournament(quantiles(40), 2, StudyRates(), a_random(), colours=colours).colours.sum(
                    axis=1
                )
                != 0
            ).sum()
        )
        for colours in Colours
    }
    assert repeated[Colours.STRONG] < repeated[Colours.WEAK] == repeated[Colours.NONE]


def test_who_retires_is_absent_from_a_round_to_the_end():
    played = played_tournament(quantiles(8), 4, StudyRates(retirements=1), a_random())
    absent = played.kinds == Kind.ABSENT
    assert absent[:, -1].all()
    assert not absent[:, 0].any()
    assert (np.diff(absent.astype(int), axis=1) >= 0).all()


def test_buchholz_is_bruno_and_a_block_is_the_sum_of_its_tournaments():
    study = Study(12, 4, 2, seed=1, rates=StudyRates())
    both, first, second = (study_block(study, block) for block in ((0, 2), (0, 1), (1, 2)))
    assert (both.cells == first.cells + second.cells).all()
    assert not both.cells[:, study.rows.index("BH"), study.criteria.index("BRUNO")].any()
    # The error of a mean of two values is half of their difference.
    _, error = both.mean_and_error(both.cells, both.squares)
    assert np.allclose(error, np.abs(first.cells - second.cells) / 2, atol=1e-6)


def test_without_unplayed_games_all_methods_agree_but_the_lot():
    games = played_tournament(quantiles(12), 4, StudyRates(), a_random())
    study = Study(12, 4, 1, seed=1, rates=StudyRates(), is_of_unplayed=True)
    cells, _ = evaluated(study, games, a_random())
    buchholz = cells[:, [study.rows.index(row) for row in study.rows if row.endswith(" BH")]]
    assert (buchholz == buchholz[:, :1]).all()
