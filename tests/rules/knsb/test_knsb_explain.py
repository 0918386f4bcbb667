"""The steps of games and lists as they are shown, by the examples of the rulings (art. 3 to 9)."""

from dataclasses import replace
from datetime import date

import pytest

from ratings.federations.knsb.rules.explain import ExplainedGame, ExplainedList, explain_game, explain_list
from ratings.federations.knsb.rules.parameters import EDITIONS
from tests.rules.iccf.test_iccf_explain import lines, notes, step_of

RULES = EDITIONS[-1]

# R82: 1600 (N_v 80: k 25) beats 1700: We = 1 − Φ(100) = 1 − 0.6368306512, 25 × 0.6368306512 = 15.92076628.
WON = ExplainedGame(
    calculation_day=date(2027, 1, 1), own_rating=1600, own_from="knsb-klassiek",
    own_list="knsb-klassiek/2026-12-01/r1", opponent_rating=1700, opponent_from="fide-klassiek",
    opponent_list="fide/2026-12-01", n_v_e4=80_0000, k_e6=25_000000, expected_e10=3631693488, points=2,
    added_e10=159207662800,
)  # fmt: skip
# It draws with 1500: 25 × (0.5 − 0.6368306512) = −3.42076628.
DRAWN = replace(
    WON, calculation_day=date(2027, 1, 8), own_list="knsb-klassiek/2027-01-01/r1", opponent_rating=1500,
    opponent_from="knsb-klassiek", opponent_list="knsb-klassiek/2027-01-01/r1", expected_e10=6368306512, points=1,
    added_e10=-34207662800,
)  # fmt: skip


def game(**figures):
    """A game of 1600 against 1600 with other figures."""
    values = {
        "own_rating": 1600, "opponent_rating": 1600, "n_v_e4": 80_0000, "k_e6": 25_000000,
        "expected_e10": 5 * 10**9, "points": 1, "added_e10": 0,
    }  # fmt: skip
    return ExplainedGame(**(values | figures))


def row(**figures):
    values = {
        "rating": 1600, "r_i": 1600, "r_i_from": "knsb-klassiek", "r_i_list": "knsb-klassiek/2026-12-01/r1",
        "sum_e10": None, "lpr_e3": None, "bonus_e4": 0, "limited_by": "",
    }  # fmt: skip
    return ExplainedList(**(values | figures))


def test_a_game_by_both_ratings_n_v_k_and_we():
    steps = explain_game(RULES, WON)
    assert lines(steps) == [
        ("calculation_day", "", "1 Jan 2027", "4.1"),
        ("own", "", "1600", "4, 5"),
        ("opponent", "", "1700", "4, 6"),
        ("n_v", "", "80", "7.1"),
        ("k", "25", "25", "7"),
        ("expected", "Φ(1600 − 1700)", "0.3631693488", "3"),
        ("change", "(1 − 0.3631693488) × 25", "+15.9207662800", "2, 9"),
    ]
    assert [step.list_read for step in steps[1:3]] == ["knsb-klassiek/2026-12-01/r1", "fide/2026-12-01"]
    assert [notes(step) for step in steps[1:5]] == [
        ["KNSB klassiek"], ["FIDE klassiek"], [], ["no youth player, N_v 75 or more", "rating up to 2100"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "source", "article", "rulings", "note"),
    [
        ("own", "5.1a", "5.1 a", ("R81a",), "start rating: the rating of the period before"),
        ("own", "5.1b", "5.1 b, 5.2", ("R81b", "R81c"), "start rating, from all games of the list"),
        ("own", "fide-rapid", "4, 5", ("R80b", "R80c", "R80e"), "FIDE rapid"),
        # of an opponent who is on no list
        ("opponent", "6.1b", "6.1.b a", ("R83a",), "last known rating"),
        ("opponent", "6.3", "6.1.b, 6.2, 6.3", ("R83",), "performance in the tournament (TLPR)"),
    ],
)
def test_the_source_of_a_rating(code, source, article, rulings, note):
    step = step_of(explain_game(RULES, game(**{f"{code}_from": source})), code)
    assert (step.article, step.rulings, notes(step)) == (article, rulings, [note])


HALVED = "halved, because the score against a youth player is less than expected"
"""Also of a draw: W − We is below 0 (art. 7.1)."""


# The examples of R81 and R81e, and each other case of the table; k to six decimals, half up.
@pytest.mark.parametrize(
    ("own", "n_v_e4", "k_e6", "working", "cases"),
    [
        (1600, 6_0000, 88_181631, "216 / √6", ["N_v below 30"]),
        (1600, 1_0000, 216_000000, "216 / √1", ["N_v below 30"]),
        (1600, 29_0000, 40_110193, "216 / √29", ["N_v below 30"]),
        (2500, 25_0000, 43_200000, "216 / √25", ["N_v below 30"]),
        (1600, 74_0000, 25_109490, "216 / √74", ["no youth player, N_v below 75"]),
        # 216/√64 = 27, half of it 13.5.
        (1600, 64_0000, 13_500000, "(216 / √64) / 2",
         ["no youth player, N_v below 75", HALVED]),
        (1600, 75_0000, 25_000000, "25", ["no youth player, N_v 75 or more", "rating up to 2100"]),
        (1600, 80_0000, 12_500000, "25 / 2",
         ["no youth player, N_v 75 or more", "rating up to 2100", HALVED]),
        (2200, 75_0000, 20_000000, "25 − (2200 − 2100) / 20",
         ["no youth player, N_v 75 or more", "rating between 2100 and 2400"]),
        (2399, 100_0000, 10_050000, "25 − (2399 − 2100) / 20",
         ["no youth player, N_v 75 or more", "rating between 2100 and 2400"]),
        (1600, 30_0000, 40_000000, "40", ["youth player, N_v 30 or more", "rating up to 2100"]),
        (2250, 80_0000, 25_000000, "40 − (2250 − 2100) / 10",
         ["youth player, N_v 30 or more", "rating between 2100 and 2400"]),
        (2400, 100_0000, 10_000000, "10", ["rating 2400 or more"]),
        (2450, 100_0000, 5_000000, "10 / 2",
         ["rating 2400 or more", HALVED]),
    ],
)  # fmt: skip
def test_k_says_its_case_of_the_table(own, n_v_e4, k_e6, working, cases):
    step = step_of(explain_game(RULES, game(own_rating=own, n_v_e4=n_v_e4, k_e6=k_e6)), "k")
    assert (step.working, notes(step)) == (working, cases)


def test_n_v_of_fide_is_a_thousand_by_its_k():
    """K 30: 1000/30 = 33.3333."""
    step = step_of(explain_game(RULES, game(own_from="fide-klassiek", n_v_e4=33_3333, k_e6=37_412298)), "n_v")
    assert (step.result, notes(step)) == ("33.3333", ["1000 / 30, the K of FIDE"])


def test_a_game_that_waited_says_so():
    first = explain_game(RULES, game(calculation_day=date(2027, 1, 8), waited=True))[0]
    assert (first.article, first.rulings) == ("4.1, 5.2", ("R80d", "R81b"))
    assert notes(first) == ["the game waited: it was reported for an earlier list"]


def test_a_list_adds_its_games_to_r_i_and_is_rounded_half_up():
    """R82: +15.92076628 − 3.42076628 = +12.5, 1612.5 is published as 1613."""
    steps = explain_list(RULES, row(rating=1613, sum_e10=125_000000000, lpr_e3=1804_760), (WON, DRAWN))
    assert lines(steps) == [
        ("r_i", "", "1600", "8, 4"),
        ("sum", "+15.9207662800 −3.4207662800", "+12.5000000000", "9"),
        ("lpr", "Φ(LPR − 1500) + Φ(LPR − 1700) = 1.5", "1804.760", "9.2"),
        ("new_rating", "1600 +12.5000000000 = 1612.5", "1613", "2, 9"),
    ]
    assert steps[0].list_read == "knsb-klassiek/2026-12-01/r1"


def test_a_rise_beyond_the_lpr_is_cut():
    """R82a: four wins over 1400 by 1400 with k 216 and We 0.5: 4 × 108 = +432. LPR 1766.158, so 1786.158."""
    won = game(own_rating=1400, opponent_rating=1400, n_v_e4=1_0000, k_e6=216_000000, points=2,
               added_e10=108 * 10**10)  # fmt: skip
    steps = explain_list(
        RULES,
        row(rating=1786, r_i=1400, sum_e10=432 * 10**10, lpr_e3=1766_158, limited_by="9.2.1"),
        (won,) * 4,
    )
    assert lines(steps)[2:] == [
        ("lpr", "5 × Φ(LPR − 1400) = 4.5", "1766.158", "9.2"),
        ("limit_lpr", "1832 → 1786.158", "1786.158", "9.2.1"),
        ("new_rating", "1766.158 + 20 = 1786.158", "1786", "2, 9"),
    ]
    assert notes(steps[2]) == [
        "with one draw against the own rating, because all games were won or all were lost"
    ]


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        # R82a: R_i 1600, +30, LPR 1590: at most 20 from R_i.
        ({"rating": 1620, "sum_e10": 30 * 10**10, "lpr_e3": 1590_000, "limited_by": "9.2.2"},
         [("limit_r_i", "1630 → 1620", "1620", "9.2.2"), ("new_rating", "1600 + 20 = 1620", "1620", "2, 9")]),
        # The same downwards: R_i 1600, −30, LPR 1610.
        ({"rating": 1580, "sum_e10": -30 * 10**10, "lpr_e3": 1610_000, "limited_by": "9.2.2"},
         [("limit_r_i", "1570 → 1580", "1580", "9.2.2"), ("new_rating", "1600 − 20 = 1580", "1580", "2, 9")]),
        # 1210 − 30 = 1180 is under the lowest rating of 1200.
        ({"rating": 1200, "r_i": 1210, "sum_e10": -30 * 10**10, "lpr_e3": 1000_000, "limited_by": "2"},
         [("minimum", "", "1200", "2"), ("new_rating", "max(1200; 1210 −30.0000000000) = 1200", "1200", "2, 9")]),
    ],
)  # fmt: skip
def test_what_cut_a_figure_is_a_step(figures, expected):
    assert lines(explain_list(RULES, row(**figures), (game(),)))[3:] == expected


def test_a_bonus_without_games_raises_up_to_1750():
    """R82b: youth, 1742, bonus 10: 8 points are added."""
    steps = explain_list(RULES, row(rating=1750, r_i=1742, bonus_e4=8_0000, limited_by="9.1"), ())
    assert lines(steps) == [
        ("r_i", "", "1742", "8, 9"),
        ("bonus", "", "+8.0000", "9.1"),
        ("new_rating", "1742 + 8 = 1750", "1750", "2, 9"),
    ]
    assert notes(steps[0]) == ["KNSB klassiek", "no counted game: the rating of the list before stays"]


def test_games_that_a_rating_rests_on_fall_without_a_game():
    """R84: 60 games, the last one on 1 May 2020: 50 on 1 May 2025."""
    steps = explain_list(RULES, row(), (), (60, 50))
    assert lines(steps) == [
        ("r_i", "", "1600", "8, 9"),
        ("n_v_fallen", "60 → 50", "50", "10"),
        ("new_rating", "1600 = 1600", "1600", "2, 9"),
    ]
    assert steps[1].rulings == ("R84",)
    assert notes(steps[1]) == [
        "10 less on each anniversary of the last game from 5 years on, to no less than 9"
    ]


def test_a_rating_that_stays_has_no_steps():
    assert explain_list(RULES, row(), ()) == ()
