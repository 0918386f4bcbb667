"""The calculator, by the examples of the rulings, and its steps beside those of the lists of made-up years."""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from math import floor

import pytest

from ratings.federations.iccf.rules.calculator import calculate_games
from ratings.federations.iccf.rules.columns import FROM, METHODS
from ratings.federations.iccf.rules.explain import ExplainedGame, ExplainedList, explain_game, explain_list
from ratings.federations.iccf.rules.parameters import EDITIONS
from tests.rules.iccf.test_second_calculation import SEEDS, year
from tests.rules.knsb.second_ratings import records

RULES = EDITIONS[-1]
FIGURES_OF_5 = ("formula_games", "opponents_sum", "points_sum")


@pytest.mark.parametrize(
    ("rating", "games", "level", "results", "expected"),
    [
        # R91: 17.25 · (0.64 - 0.14) = 8.625.
        (2200, 50, 1800, [(2300, 2), (2100, 1)], ("6", 2209)),
        # An opponent without a rating has the assumed one: 2000 against 1800 has We 0.76; k = 20 · 1.25, 25 · 0.24 = 6.
        (2000, 30, 1800, [(0, 2)], ("6", 2006)),
        # R92: 33 games are more than 800/25.
        (1900, 30, 1800, [(1900, 1)] * 32, ("6", 1900)),
        (1900, 30, 1800, [(1900, 1)] * 33, ("5-period", 1900)),
        # R92a: p = 7/13, 1903.914.
        (1875, 12, 1800, [(1875, 2)], ("5-all", 1904)),
        # R90: 1850 + 193 · 0.875 = 2018.875; a loss to 2400 by an assumed 1800: 1811.5.
        (0, 0, 1800, [(1800, 2), (1900, 1)], ("5-all", 2019)),
        (0, 0, 1800, [(2400, 0)], ("5-all", 1812)),
        # By an assumed 2200 it is a loss to 2400: 2400 - 338.5 = 2061.5.
        (0, 0, 2200, [(2400, 0)], ("5-all", 2062)),
    ],
)
def test_the_rating_of_a_player_by_the_engine(rating, games, level, results, expected):
    row = calculate_games(RULES, rating=rating, games=games, level=level, results=results).row
    assert (row.method, row.rating) == expected


def test_without_a_game_there_is_no_list():
    assert calculate_games(RULES, rating=2200, games=50, level=1800, results=[]) is None


def explained(columns, calculation):
    """The rows with games of a list with their changes, as they are stored; each with the player's row of the input."""
    starts = {row["player"]: row for row in records(columns.players)}
    of_player = defaultdict(list)
    for change in records(calculation.changes):
        by_changes = METHODS[change["method"]] == "6"
        of_player[change["player"]].append(
            ExplainedGame(
                own_rating=change["own"], own_from=FROM[change["own_from"]],
                opponent_rating=change["opponent_rating"], opponent_from=FROM[change["opponent_from"]],
                points=change["points"], games_before=starts[change["player"]]["games"],
                **{
                    name: change[name] if by_changes else None for name in ("k_e6", "expected_e2", "added_e8")
                },
            )
        )  # fmt: skip
    for row in records(calculation.rows):
        method = METHODS[row["method"]]
        figures = {name: row[name] if method.startswith("5") else None for name in FIGURES_OF_5}
        figures |= {name: row[name] for name in ("rating", "games", "period_games")}
        k_e6 = None if method == "5-all" else row["k_e6"]
        if method:
            shown = ExplainedList(method=method, k_e6=k_e6, **figures)
            yield starts[row["player"]], shown, of_player[row["player"]]


def value(text):
    """What a working with fractions and products gives, exactly."""
    text = text.replace("−", "-").replace("×", "*").replace(" / ", "/")
    return eval(re.sub(r"\d+(\.\d+)?", r"Fraction('\g<0>')", text), {"Fraction": Fraction})  # noqa: S307


def test_the_workings_of_a_list_give_its_rating_and_its_figures():
    """Over made-up years: what a reader calculates from a step is its result, to the decimals that are shown."""
    shown = Counter()
    for seed in SEEDS:
        for columns, calculation, _, _ in year(seed)[0]:
            for start, row, games in explained(columns, calculation):
                steps = {step.code: step for step in explain_list(RULES, row, games)}
                exact, _, printed = steps["new_rating"].working.rpartition(" = ")
                assert floor(value(exact) + Fraction(1, 2)) == row.rating
                assert abs(value(exact) - value(printed)) <= Fraction(1, 2000)
                assert steps["new_rating"].result == str(row.rating)
                if row.method == "6":
                    assert int(steps["old_rating"].result) == start["rating"]
                    assert value(steps["sum"].result) == value(printed) - start["rating"]
                if row.method != "5-all":
                    product = value(steps["coefficient"].working.removeprefix("r × g = "))
                    assert product == value(steps["coefficient"].result) == Fraction(row.k_e6, 10**6)
                    for factor in ("rating_factor", "games_factor"):
                        working, result = steps[factor].working, steps[factor].result
                        assert not working or value(working) == value(result)
                for one in games:
                    change = explain_game(RULES, one)[-1]
                    assert change.code == "counted" or value(change.working) == value(change.result)
                shown[row.method] += 1
    assert min(shown.values()) > 10
    assert len(shown) == 3


def test_the_calculator_shows_the_steps_of_the_list():
    """Of all players of made-up years whose figures can be typed: one own rating, no games before or as opening."""
    same = Counter()
    for seed in SEEDS:
        for columns, calculation, _, _ in year(seed)[0]:
            for start, row, games in explained(columns, calculation):
                past = (start["past_games"], start["past_opponents"], start["past_points"])
                is_opening = past == (start["games"], start["games"] * start["rating"], start["games"])
                owns = {one.own_rating for one in games}
                is_rated = games[0].own_from == "list"
                if len(owns) > 1 or (is_rated and owns != {start["rating"]}):
                    continue
                if row.method == "5-all" and not is_opening:
                    continue
                if is_rated != (start["rating"] > 0):
                    continue
                (own,) = owns
                found = calculate_games(
                    RULES, rating=start["rating"], games=start["games"], level=own,
                    results=[(one.opponent_rating, one.points) for one in games],
                )  # fmt: skip
                typed = [one.opponent_from for one in games]
                assert found.row == row
                assert explain_list(RULES, found.row, found.games) == explain_list(RULES, row, games)
                if "assumed" not in typed:
                    assert list(found.games) == games
                    same[row.method] += 1
    assert min(same.values()) >= 5
    assert len(same) == 3
