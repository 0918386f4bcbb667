"""The steps of games and lists as they are shown, by the examples of the rulings (items 3 to 9, 11, 14 to 18)."""

from dataclasses import replace
from datetime import date

import pytest

from ratings.federations.iccf.rules.explain import (
    EarlierGames,
    ExplainedGame,
    ExplainedList,
    explain_game,
    explain_list,
)
from ratings.federations.iccf.rules.parameters import EDITIONS

RULES = EDITIONS[-1]

# R91: 2200 on 50 games has r = 70 - 55 = 15, g = 1.4 - 0.25 = 1.15, k = 17.25. It beats 2300: difference 100, lower
# rated: We 0.36; 17.25 · 0.64 = 11.04. It draws with 2100: We 0.64; 17.25 · (0.5 - 0.64) = -2.415.
WON = ExplainedGame(
    first_game=date(2026, 3, 1), own_rating=2200, own_list="iccf/2026-01-01/r1", opponent_rating=2300,
    opponent_list="iccf/2026-01-01/r1", points=2, k_e6=17_250000, expected_e2=36, added_e8=11_04000000,
    games_before=50,
)  # fmt: skip
DRAWN = ExplainedGame(
    first_game=date(2026, 3, 1), own_rating=2200, own_list="iccf/2026-01-01/r1", opponent_rating=2100,
    opponent_list="iccf/2026-01-01/r1", points=1, k_e6=17_250000, expected_e2=64, added_e8=-2_41500000,
    games_before=50,
)  # fmt: skip


def lines(steps):
    return [(step.code, step.working, step.result, step.article) for step in steps]


def game(**figures):
    """A game that formula 5 counts."""
    values = {
        "own_rating": 1800, "opponent_rating": 1800, "points": 1, "k_e6": None, "expected_e2": None, "added_e8": None,
    }  # fmt: skip
    return ExplainedGame(**(values | figures))


def row(**figures):
    values = {
        "rating": 1800, "games": 1, "period_games": 1, "method": "5-all", "k_e6": None, "formula_games": 1,
        "opponents_sum": 1800, "points_sum": 1,
    }  # fmt: skip
    return ExplainedList(**(values | figures))


def step_of(steps, code):
    (found,) = (step for step in steps if step.code == code)
    return found


def notes(step):
    return [str(note) for note in step.notes]


def test_a_game_by_formula_6_has_both_ratings_we_k_and_the_change():
    steps = explain_game(RULES, WON)
    assert lines(steps) == [
        ("began", "", "1 Mar 2026", "8"), ("own", "", "2200", "8"), ("opponent", "", "2300", "8"),
        ("difference", "2200 − 2300", "−100", "8"), ("expected", "", "0.36", "4, 8"),
        ("coefficient", "r × g = 15 × 1.15", "17.25", "9"), ("change", "17.25 × (1 − 0.36)", "+11.04", "7"),
    ]  # fmt: skip
    assert [step.list_read for step in steps[:4]] == ["", "iccf/2026-01-01/r1", "iccf/2026-01-01/r1", ""]
    assert [notes(step) for step in steps[1:5]] == [
        ["in force that day"], ["in force that day"], [], ["item 4: 99 to 106"],
    ]  # fmt: skip


def test_a_game_that_began_before_the_earliest_list_has_its_ratings():
    """R91."""
    steps = explain_game(RULES, replace(WON, first_game=date(2025, 12, 31)))
    assert notes(step_of(steps, "own")) == ["the earliest list, after the game began"]


# R91: 2350 and 2900 have 0.89 against 2000, item 4: 345 to 357.
@pytest.mark.parametrize(
    ("own", "opponent", "difference", "remarks"),
    [
        (2350, 2000, "+350", []),
        (2900, 2000, "+350", ["at most 350"]),
        (2000, 2900, "−350", ["at most 350"]),
        (2000, 2000, "0", []),
    ],
)
def test_a_difference_over_350_says_that_it_is_limited(own, opponent, difference, remarks):
    figures = {"points": 1, "k_e6": 20_000000, "expected_e2": 50, "added_e8": 0, "games_before": 80}
    step = step_of(
        explain_game(RULES, game(own_rating=own, opponent_rating=opponent, **figures)), "difference"
    )
    assert (step.working, step.result, notes(step)) == (f"{own} − {opponent}", difference, remarks)


def test_a_game_by_formula_5_has_the_rating_that_counts_for_the_opponent():
    """R90: a loss to 2400 by an assumed 1800 counts as one to 2150."""
    steps = explain_game(RULES, game(opponent_rating=2400, points=0, own_from="assumed", kind="open-class"))
    assert lines(steps) == [
        ("own", "", "1800", "8, 11"), ("opponent", "", "2400", "8"), ("score", "", "0", "5"),
        ("counted", "1800 + 350", "2150", "5"),
    ]  # fmt: skip
    assert notes(steps[-1]) == ["at most 350 points from the own rating"]
    below = explain_game(RULES, game(own_rating=2200, opponent_rating=1800))[-1]
    assert (below.working, below.result) == ("2200 − 350", "1850")
    near = explain_game(RULES, game(own_rating=2200, opponent_rating=1850))[-1]
    assert (near.working, near.result, near.notes) == ("", "1850", ())


# Item 11, R93, R93c.
@pytest.mark.parametrize(
    ("figures", "rulings", "note"),
    [
        ({"kind": "master-class"}, ("R91", "R93"), "assumed, Master class"),
        ({"kind": "ladies-wc-final"}, ("R91", "R93"), "assumed, Ladies’ World Championship, final"),
        ({"kind": "friendly", "has_level": True}, ("R91", "R93"),
         "assumed, the level of the tournament (Friendly match)"),
        ({"kind": "other", "has_level": True}, ("R91", "R93"), "assumed, the level of the tournament (Other)"),
        ({"kind": "national"}, ("R91", "R93c"),
         "assumed, the mean of the rated players of a national tournament, at most 2400"),
        ({"kind": "national", "has_level": True}, ("R91", "R93c"),
         "assumed, the level of the tournament (National)"),
        ({}, ("R91", "R93"), "assumed, the player is on no list"),
    ],
)  # fmt: skip
def test_an_assumed_rating_names_the_kind_of_the_tournament(figures, rulings, note):
    steps = explain_game(RULES, game(own_from="assumed", opponent_from="assumed", **figures))
    for code in ("own", "opponent"):
        step = step_of(steps, code)
        assert (step.article, step.rulings, notes(step)) == ("8, 11", rulings, [note])


# R94.
@pytest.mark.parametrize(
    ("substitute", "note"),
    [
        ("substitute", "counts for the substitute, who gains by it"),
        ("replaced", "counts for the player replaced, because the substitute does not gain by it"),
    ],
)
def test_the_game_of_a_substitute_says_for_whom_it_counts(substitute, note):
    step = step_of(explain_game(RULES, game(substitute=substitute)), "own")
    assert (step.article, step.rulings, notes(step)) == ("8, 18 a", ("R91", "R94"), [note])


def test_the_opponent_of_a_substitute_says_whose_rating_counts():
    step = step_of(explain_game(RULES, game(opponent_is_one_of_two=True)), "opponent")
    assert (step.article, step.rulings) == ("8, 18 b", ("R91", "R94"))
    assert notes(step) == ["the higher rated of substitute and player replaced"]


def test_a_list_by_formula_6_has_the_factors_of_k_800_by_k_and_the_sum():
    """R91: 11.04 - 2.415 = 8.625; 800/17.25 = 46.37…; 2208.625: 2209."""
    steps = explain_list(
        RULES,
        row(rating=2209, games=52, period_games=2, method="6", k_e6=17_250000, formula_games=None,
            opponents_sum=None, points_sum=None, list_before="iccf/2026-04-01/r1"),
        (WON, DRAWN),
    )  # fmt: skip
    assert lines(steps) == [
        ("old_rating", "", "2200", "6, 9"),
        ("games_before", "", "50", "16"),
        ("rating_factor", "70 − 2200 / 40", "15", "9"),
        ("games_factor", "1.4 − 50 / 200", "1.15", "9"),
        ("coefficient", "r × g = 15 × 1.15", "17.25", "9"),
        ("most_games", "800 / 17.25", "46.37", "16"),
        ("sum", "+11.04 −2.415", "+8.625", "6"),
        ("new_rating", "2200 + 8.625 = 2208.625", "2209", "6, 17"),
    ]
    assert steps[0].list_read == "iccf/2026-04-01/r1"
    assert notes(steps[5]) == ["not more with 2 games: formula 6"]


# Item 9: r is 20 up to 2000, 10 from 2400; g is 1.25 up to 30 games, 1 from 80. k is their product.
@pytest.mark.parametrize(
    ("games", "k_e6", "expected"),
    [
        (30, 25_000000, [("", "20", "old rating 2000 or less"), ("", "1.25", "30 games or fewer")]),
        (31, 24_868875, [("70 − 2001 / 40", "19.975", "old rating between 2000 and 2400"),
                         ("1.4 − 31 / 200", "1.245", "between 30 and 80 games")]),
        (79, 10_050000, [("", "10", "old rating 2400 or more"),
                         ("1.4 − 79 / 200", "1.005", "between 30 and 80 games")]),
        (80, 10_025000, [("70 − 2399 / 40", "10.025", "old rating between 2000 and 2400"),
                         ("", "1", "80 games or more")]),
    ],
)  # fmt: skip
def test_k_is_taken_apart_into_its_factors(games, k_e6, expected):
    steps = explain_list(
        RULES, row(games=games + 1, method="6", k_e6=k_e6), (game(k_e6=k_e6, expected_e2=50, added_e8=0),)
    )
    found = [step_of(steps, code) for code in ("rating_factor", "games_factor")]
    assert [(step.working, step.result, *notes(step)) for step in found] == expected


def test_a_first_rating_has_rc_p_d_and_f():
    """R90: a win over 1800 and a draw with 1900: 1850 + 193 · 0.875 = 2018.875."""
    steps = explain_list(
        RULES,
        row(rating=2019, games=2, period_games=2, formula_games=2, opponents_sum=3700, points_sum=3),
        (game(points=2), game(opponent_rating=1900)),
    )
    assert lines(steps) == [
        ("games_before", "", "0", "14"),
        ("mean", "(1800 + 1900) / 2", "1850", "5"),
        ("percentage", "1.5 / 2", "0.75", "5"),
        ("rating_difference", "", "+193", "3, 5"),
        ("correction", "−2p² + 2p + 0.5 = 7 / 8", "0.875", "5"),
        ("new_rating", "3700 / 2 + 193 × 7 / 8 = 2018.875", "2019", "5, 17"),
    ]
    assert notes(steps[0]) == ["first rating: formula 5 over the games of the period"]
    assert notes(steps[3]) == ["rounded to 75 %"]


def test_a_score_below_one_half_is_mirrored():
    """R90: p = 3/8 has -95, as 5/8 = 0.625: 0.63 has 95. F = (16 + 24 - 9)/32 = 31/32; 1800 - 92.03125 = 1707.96875."""
    steps = explain_list(
        RULES,
        row(rating=1708, games=4, period_games=4, formula_games=4, opponents_sum=7200, points_sum=3),
        [game(points=points) for points in (2, 1, 0, 0)],
    )
    step = step_of(steps, "rating_difference")
    assert (step.result, notes(step)) == ("−95", ["below one half: as for 63 %, negative"])
    assert steps[-1].working == "7200 / 4 − 95 × 31 / 32 = 1707.969"


def test_a_rating_over_all_games_has_the_games_of_earlier_lists_and_those_of_the_opening_rating():
    """R92a: 1875 on 12 games; then, on an earlier list, a win over 1875, and now a draw with 1900.

    Rc = (12 · 1875 + 1875 + 1900)/14 = 26275/14 = 1876.786; 7½ points: p = 0.536, D(0.54) = 29; F = (196 + 420 -
    225)/392 = 391/392: 28.926; 1905.712.
    """
    steps = explain_list(
        RULES,
        row(rating=1906, games=14, formula_games=14, opponents_sum=26275, points_sum=15,
            list_before="iccf/2026-04-01/r1"),
        (game(own_rating=1904, opponent_rating=1900),),
        (EarlierGames("iccf/2026-04-01/r1", (1875,), 2),),
    )  # fmt: skip
    assert lines(steps) == [
        ("games_before", "", "13", "15"),
        ("earlier", "1875", "1 / 1", "15"),
        ("opening", "12 × 1875", "6 / 12", "15"),
        ("mean", "26275 / 14", "1876.786", "5"),
        ("percentage", "7.5 / 14", "0.536", "5"),
        ("rating_difference", "", "+29", "3, 5"),
        ("correction", "−2p² + 2p + 0.5 = 391 / 392", "0.997", "5"),
        ("new_rating", "26275 / 14 + 29 × 391 / 392 = 1905.712", "1906", "5, 17"),
    ]
    assert notes(steps[0]) == ["fewer than 30: formula 5 over all games ever"]
    assert steps[1].list_read == "iccf/2026-04-01/r1"
    assert notes(steps[2]) == ["draws against that rating"]


def test_more_than_800_by_k_games_are_a_formula_5_of_the_period():
    """R92: 1900 on 30 games: k 25, 800/25 = 32. 33 draws with 1900: D(0.5) = 0."""
    steps = explain_list(
        RULES,
        row(rating=1900, games=63, period_games=33, method="5-period", k_e6=25_000000, formula_games=33,
            opponents_sum=62700, points_sum=33),
        [game(own_rating=1900, opponent_rating=1900)] * 33,
    )  # fmt: skip
    assert lines(steps)[:6] == [
        ("games_before", "", "30", "16"), ("rating_factor", "", "20", "9"), ("games_factor", "", "1.25", "9"),
        ("coefficient", "r × g = 20 × 1.25", "25", "9"), ("most_games", "800 / 25", "32", "16"),
        ("mean", "62700 / 33", "1900", "5"),
    ]  # fmt: skip
    assert notes(steps[4]) == ["more with 33 games: formula 5 over the games of the period"]
    assert steps[-1].working == "62700 / 33 + 0 × 2178 / 2178 = 1900"


def test_without_a_game_there_are_no_steps():
    figures = dict.fromkeys(("formula_games", "opponents_sum", "points_sum"))
    assert explain_list(RULES, row(method="", period_games=0, **figures), ()) == ()
