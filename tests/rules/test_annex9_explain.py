"""The calculation shown to people: the formula with the player's figures filled in."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ratings.federations.fmjd.rules.columns import CHANGE, PROVISIONAL
from ratings.federations.fmjd.rules.explain import ExplainedChange, explain, explain_new_rating, signed
from ratings.rules.scaled_numbers import decimals
from reporting.rules.regulations.rulings import read_rulings

ROOT = Path(__file__).parents[2]

# Figures by hand: 17930 / 8 = 2241,25; d = 115,75; 65 + (115,75 - 110,11) / 7,71 = 65,731517... = 65,7315;
# We = 65,7315 x 16 / 100 = 10,51704 = 10,5170; 0,5 x 10 x (12 - 10,5170) = 7,4150.
A_CHANGE = ExplainedChange(
    method=CHANGE, own_e4=23_570_000, own_is_running=False, games=8, opponents_sum=17_930, average_e4=22_412_500,
    points=12, expected_percentage_e4=657_315, expected_score_e4=105_170, k=10, development=100, delta_e4=74_150,
    performance_e4=24_339_600, performance_limited=False, games_before=504, unrated_games=1, before_e4=23_570_000,
    after_e4=23_644_150, list_in_force=date(2026, 7, 1), time_control="120 min + 30 s", seconds_for_60_moves=9000,
)  # fmt: skip

# 9 points in 7 games against 2050, after 12 games at 2087:
# (12 x 2087 + 7 x 2154,6029) / 19 = 40126,2203 / 19 = 2111,90633... = 2111,9063.
A_PROVISIONAL = replace(
    A_CHANGE, method=PROVISIONAL, own_e4=20_870_000, own_is_running=True, games=7, opponents_sum=14_350,
    average_e4=20_500_000, points=9, expected_percentage_e4=0, expected_score_e4=0, k=0, development=0, delta_e4=0,
    performance_e4=21_546_029, games_before=12, unrated_games=0, before_e4=20_870_000, after_e4=21_119_063,
)  # fmt: skip


def lines(steps):
    return [(step.name, step.symbol, step.working, notes(step), step.result) for step in steps]


def notes(step):
    return "; ".join(map(str, step.notes))


def only(change, name):
    (found,) = [step for step in explain(change) if step.name.startswith(name)]
    return found


def test_a_change_is_shown_in_the_seven_steps_of_its_calculation():
    assert lines(explain(A_CHANGE)) == [
        ("Own rating, list of 1 Jul 2026", "Ro", "", "", "2357"),
        ("Mean of 8 opponents", "Rc", "17930 / 8", "1 unrated opponent is not counted", "2241.2500"),
        ("Difference", "", "2357 − 2241.2500", "", "115.7500"),
        ("Expected percentage", "Pe", "65 + (115.7500 − 110.11) / (117.82 − 110.11)", "", "65.7315"),
        ("Expected points", "We", "65.7315 × 2 × 8 / 100", "", "10.5170"),
        ("Development factor", "K", "10 × 100 %", "has reached 2300; 120 min + 30 s, 150 min for 60 moves: 100 %",
         "10"),
        ("Change", "ΔR", "0.5 × 10 × (12 − 10.5170)", "", "+7.4150"),
    ]  # fmt: skip
    assert [step.article for step in explain(A_CHANGE)] == [
        "5.2", "5.2, 5.3", "3.2.1", "2.4.1, IX-1", "3.2.1", "3.2.3, 1.2.2.1", "3.2.2",
    ]  # fmt: skip


def test_a_provisional_result_is_shown_with_its_performance_and_its_weighing():
    assert lines(explain(A_PROVISIONAL)) == [
        ("Mean of 7 opponents", "Rc", "14350 / 7", "", "2050.0000"),
        ("Performance", "R1", "2050.0000 + 102.40 + (100 × 9 / 14 − 64) × (110.11 − 102.40)", "", "2154.6029"),
        ("Provisional rating", "Rp", "(12 × 2087.0000 + 7 × 2154.6029) / (12 + 7)", "", "2111.9063"),
    ]  # fmt: skip


def test_a_first_result_counts_alone():
    first = replace(
        A_PROVISIONAL, own_e4=0, own_is_running=False, games_before=0, before_e4=0, after_e4=21_546_029
    )
    assert lines(explain(first))[-1] == (
        "Provisional rating", "Rp", "", "the first result counts alone", "2154.6029",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("example", "changed", "name", "working", "note"),
    [
        # 5 of 14: 35,714...; D(35) = -110,11, one percent more is 7,71 more: 2050 - 110,11 + 5,507142... = 1945,3971.
        (A_PROVISIONAL, {"points": 5, "performance_e4": 19_453_971}, "Performance",
         "2050.0000 − 110.11 + (100 × 5 / 14 − 35) × (110.11 − 102.40)", ""),
        # 2100 against 2200: Pe(100) = 63,6842 first, then 100 - 63,6842.
        (A_CHANGE, {"own_e4": 21_000_000, "average_e4": 22_000_000, "opponents_sum": 17_600}, "Expected percentage",
         "100 − (63 + (100.0000 − 94.80) / (102.40 − 94.80))", ""),
        (A_CHANGE, {"average_e4": 14_220_000}, "Expected percentage", "100", "a difference of 935 or more"),
        (A_CHANGE, {"own_e4": 12_000_000, "average_e4": 22_000_000}, "Expected percentage",
         "0", "a difference of 935 or more"),
        # d = 934: between 664,74 (99 %) and 935,00 (100 %).
        (A_CHANGE, {"average_e4": 14_230_000}, "Expected percentage",
         "99 + (934.0000 − 664.74) / (935.00 − 664.74)", ""),
        # 2357 - 2246,89 = 110,11, which is 65 %; the step ends at 117,82.
        (A_CHANGE, {"average_e4": 22_468_900}, "Expected percentage",
         "65 + (110.1100 − 110.11) / (117.82 − 110.11)", ""),
        # D(50) is 0, D(51) is 7.14: no minus.
        (A_CHANGE, {"average_e4": 23_570_000}, "Expected percentage", "50 + (0.0000 − 0.00) / (7.14 − 0.00)", ""),
        (A_PROVISIONAL, {"points": 7, "performance_e4": 20_500_000}, "Performance", "2050.0000 + 0.00", ""),
        # 61 of 120 points, 50,83 %: 2050 + 5,95 = 2055,95.
        (A_PROVISIONAL, {"games": 60, "points": 61, "performance_e4": 20_559_500}, "Performance",
         "2050.0000 + 0.00 + (100 × 61 / 120 − 50) × (7.14 − 0.00)", ""),
        (A_PROVISIONAL, {"points": 0, "performance_e4": 19_000_000, "performance_limited": True}, "Performance",
         "2050.0000 − 935.00", "below 1900, so 1900"),
        (A_PROVISIONAL, {"points": 14, "performance_e4": 24_000_000, "performance_limited": True}, "Performance",
         "2050.0000 + 935.00", "above 2400, so 2400"),
    ],
)  # fmt: skip
def test_the_table_is_shown_where_it_was_read(example, changed, name, working, note):
    step = only(replace(example, **changed), name)
    assert (step.working, notes(step)) == (working, note)
    if name == "Performance":
        assert step.result == decimals(changed["performance_e4"])


@pytest.mark.parametrize(("own", "average", "shown"), [(2100, 2200, "−100.0000"), (2357, 2357, "0.0000")])
def test_a_difference_has_its_sign(own, average, shown):
    change = replace(A_CHANGE, own_e4=own * 10_000, average_e4=average * 10_000)
    assert only(change, "Difference").result == shown


@pytest.mark.parametrize(
    ("changed", "working", "reason", "result"),
    [
        ({"games_before": 29, "k": 25}, "25 × 100 %", "29 games before, fewer than 30", "25"),
        ({"games_before": 30, "k": 15}, "15 × 100 %", "has not reached 2300", "15"),
        ({"k": 10}, "10 × 100 %", "has reached 2300", "10"),
    ],
)
def test_the_development_factor_gives_its_reason(changed, working, reason, result):
    step = only(replace(A_CHANGE, **changed), "Development factor")
    assert (step.working, str(step.notes[0]), step.result) == (working, reason, result)


@pytest.mark.parametrize(
    ("given", "result", "shown", "article"),
    [
        ((10, 60, 6600, "80 min + 30 s"), "6", "80 min + 30 s, 110 min for 60 moves: 60 %", "3.2.3, 1.2.2.1"),
        ((15, 20, 1800, "30 min"), "3", "30 min: 20 %", "3.2.3, 1.2.2.1"),
        ((15, 50, 1200, "20 min"), "7.5", "20 min: 50 %", "3.2.3, 1.2.2.2"),
        ((25, 50, 930, "15.5 min"), "12.5", "15.5 min: 50 %", "3.2.3, 1.2.2.2"),
        ((25, 100, 335, "4 min 35 s + 1 s"), "25", "4 min 35 s + 1 s, 5 min 35 s for 60 moves: 100 %",
         "3.2.3, 1.2.2.2"),
    ],
)  # fmt: skip
def test_the_time_control_and_the_reduced_factor_are_shown(given, result, shown, article):
    k, development, seconds, time_control = given
    times = {"seconds_for_60_moves": seconds, "time_control": time_control}
    change = replace(A_CHANGE, k=k, development=development, **times)
    step = only(change, "Development factor")
    assert str(step.notes[1]) == shown
    assert (step.result, step.article) == (result, article)
    assert f"0.5 × {result} × " in only(change, "Change").working


def test_an_own_rating_that_is_the_running_value_says_so():
    step = only(replace(A_CHANGE, own_e4=20_068_425, own_is_running=True), "Own rating")
    assert lines([step]) == [
        ("Own rating, running value", "Ro", "", "not on the list of 1 Jul 2026", "2006.8425")
    ]


def test_opponents_are_named_in_singular_and_plural():
    assert only(replace(A_CHANGE, games=1, unrated_games=3), "Mean").name == "Mean of 1 opponent"
    assert notes(only(replace(A_CHANGE, unrated_games=3), "Mean")) == "3 unrated opponents are not counted"
    assert notes(only(replace(A_CHANGE, unrated_games=0), "Mean")) == ""


def test_the_new_rating_is_the_old_one_and_the_changes_with_their_signs():
    second = replace(A_CHANGE, delta_e4=140_475, after_e4=23_784_625)
    third = replace(A_CHANGE, delta_e4=-22_788, after_e4=23_761_837)
    step = explain_new_rating(2357, [A_CHANGE, second, third], 2376)
    assert step.working == "2357 + 7.4150 + 14.0475 − 2.2788 = 2376.1837"
    assert (step.symbol, step.result, step.article, step.rulings) == ("Rn", "2376", "3.3.1, 6.2", ("R9",))


def test_after_a_provisional_event_the_sum_starts_from_its_running_value():
    later = replace(A_CHANGE, delta_e4=-5_000, after_e4=21_114_063)
    assert explain_new_rating(2087, [A_PROVISIONAL], 2112).working == "2111.9063"
    assert explain_new_rating(2087, [A_PROVISIONAL, later], 2111).working == "2111.9063 − 0.5000 = 2111.4063"
    assert explain_new_rating(2087, [], 2087).working == "2087"
    unchanged = replace(A_CHANGE, delta_e4=0, after_e4=23_570_000)
    assert explain_new_rating(2357, [unchanged], 2357).working == "2357 + 0.0000 = 2357.0000"


def test_points_carried_from_a_correction_come_between_the_old_rating_and_the_changes():
    """The running value of a provisional event includes them already."""
    change = replace(A_CHANGE, before_e4=23_600_000, delta_e4=74_150, after_e4=23_674_150)
    assert explain_new_rating(2357, [change], 2367, carried=3).working == "2357 + 3 + 7.4150 = 2367.4150"
    assert explain_new_rating(2290, [], 2287, carried=-3).working == "2290 − 3 = 2287"
    assert explain_new_rating(0, [], 2000, carried=2000).working == "2000"
    assert explain_new_rating(2087, [A_PROVISIONAL], 2112, carried=3).working == "2111.9063"


def test_figures_have_four_decimals_and_a_true_minus():
    assert [decimals(value) for value in (0, 1, -1, 636_842, -22_788)] == [
        "0.0000", "0.0001", "−0.0001", "63.6842", "−2.2788",
    ]  # fmt: skip
    assert [signed(value) for value in (0, 6_315, -22_788)] == ["0.0000", "+0.6315", "−2.2788"]


def test_every_step_names_an_article_and_rulings_that_exist():
    known = {ruling.id for ruling in read_rulings(ROOT / "ratings/federations/fmjd/rulings.toml")}
    for step in (*explain(A_CHANGE), *explain(A_PROVISIONAL), explain_new_rating(2357, [A_CHANGE], 2364)):
        assert step.article
        assert step.rulings
        assert set(step.rulings) <= known
        assert "-" not in step.working
