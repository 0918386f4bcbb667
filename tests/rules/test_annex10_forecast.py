"""What is still possible in a tournament: the cases of art. 4.5.8, and that no norm found was called
impossible.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.annex10 import Case, case_of, columns, entrants_forecast, first_rows
from tests.processes.faults.fault_tools import rounds
from tests.rules.test_annex10_properties import cases
from titles.federations.fmjd.rules.columns import BLACK, RED, TITLES, GameColumns
from titles.federations.fmjd.rules.forecast import (
    _most_titled,
    forecast,
    points_by_category,
    points_by_ratings,
)
from titles.federations.fmjd.rules.groups import TitledColumns
from titles.federations.fmjd.rules.norms import BY_RESULT, NO_GAME, examine, found_norms
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS

ROOT = Path(__file__).parents[2]
CASE = tomllib.loads((ROOT / "tests/cases/annex-10/art-4.5.8-forecast.toml").read_text())


def words(possible, row=0):
    mine = possible.rows(possible.participation == row)
    return [
        f"{TITLES[title]} {'red' if red else 'black'} {points} in {games}"
        for title, red, points, games in zip(
            mine.title.tolist(), mine.red.tolist(), mine.points.tolist(), mine.games.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize("example", CASE["forecast"])
def test_the_points_needed_are_those_asked_less_those_scored(example):
    running = columns(case_of(example))
    found = forecast(PARAMETERS, running, ~running.games.played)
    assert words(found.possible) == example["possible"]


@pytest.mark.parametrize("example", CASE["entrants"])
def test_a_list_of_entrants_makes_norms_possible(example):
    entrants = columns(case_of(example))
    assert words(entrants_forecast(PARAMETERS, entrants).possible) == example["possible"]


def test_all_tournaments_at_once_are_what_each_gives_alone():
    cases = [case_of(example) for example in CASE["entrants"]]
    together = entrants_forecast(PARAMETERS, columns(*cases)).possible
    for example, first in zip(CASE["entrants"], first_rows(*cases), strict=True):
        assert words(together, first) == example["possible"]


def test_a_round_robin_of_entrants_is_scheduled_whole():
    """The usual ten persons: each meets nine; the player needs 10 points for MI and 8 for MF (art. 4.3)."""
    entrants = columns(case_of({"tournament": {"system": "round-robin"}}))
    first, second = np.array(list(combinations(range(10), 2))).T
    none = np.zeros(45, np.int64)
    games = GameColumns(none, first, second, none, none, np.zeros(45, bool))
    found = forecast(PARAMETERS, replace(entrants, games=games), np.ones(45, bool))
    expected = ["MI black 10 in 9", "MI red 10 in 9", "MF black 8 in 9", "MF red 8 in 9"]
    assert words(found.possible) == expected


def test_the_points_of_each_category_are_the_column_of_x3():
    with (ROOT / "titles/federations/fmjd/rules/tables/x3.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    printed = [(line["category_mi"], int(line["games_9"])) for line in lines if line["category_mi"]]
    found = list(points_by_category(PARAMETERS, TITLES.index("MI"), 9))
    assert [(category, points) for category, _, points in found] == printed
    assert found[0][:2] == ("IV", 2026)
    assert next(points_by_category(PARAMETERS, TITLES.index("GMIF"), 9))[:2] == ("X", 2091)


@settings(max_examples=rounds(40, 100), deadline=None)
@given(cases)
def test_a_norm_that_was_made_is_one_that_the_entrants_made_possible(case):
    size = len(case.opponents)
    played = columns(
        replace(case, tournament={**case.tournament, "rounds": size, "round_days": list(range(1, size + 1))})
    )
    examination = examine(PARAMETERS, played)
    found = entrants_forecast(PARAMETERS, played).possible
    before = {
        (title, red)
        for row, title, red in zip(
            found.participation.tolist(), found.title.tolist(), found.red.tolist(), strict=True
        )
        if row == 0
    }
    for title in BY_RESULT:
        for colour in (BLACK, RED):
            if examination.achieved(title, colour)[0]:
                assert (title, colour == RED) in before


def test_tables_without_rows_are_fine():
    nothing = columns()
    assert len(forecast(PARAMETERS, nothing, np.empty(0, bool)).possible) == 0
    assert len(entrants_forecast(PARAMETERS, nothing).possible) == 0


# Tournaments so small that all of their ends can be tried: 4 games, and one titled opponent, are enough.
SMALL = replace(
    PARAMETERS, least_games=4, least_rounds=4, gmi_opponents=1, mi_opponents=1, mf_opponents=1, black_rated_more=0,
)  # fmt: skip
OTHERS = 6
FOUR_ROUNDS = {"rounds": 4, "round_days": [1, 2, 3, 4]}
persons = st.builds(
    "{} {} {} {}".format,
    st.sampled_from(["NED", "NED", "BLR", "LTU", "LAT"]),
    st.sampled_from(["-", "MF", "MI", "GMI", "MIF"]),
    st.sampled_from([0, 2080, 2150, 2215, 2260, 2310, 2400]),
    st.sampled_from("MMW"),
)


def found_by_row(parameters, finished, rows):
    """The naive way: the norms of each finished tournament."""
    norms = found_norms(parameters, finished, examine(parameters, finished))
    norms = norms.rows(norms.ignored_game == NO_GAME)
    found = {row: set() for row in rows}
    for row, title, red in zip(
        norms.participation.tolist(), norms.title.tolist(), norms.red.tolist(), strict=True
    ):
        if row in found:
            found[row] |= {(title, False), (title, red)}
    return found


def results(points, games):
    """So many points in so many games."""
    return [min(2, max(points - 2 * n, 0)) for n in range(games)]


def named(possible):
    return {
        (title, red): points
        for title, red, points, row in zip(
            possible.title.tolist(), possible.red.tolist(), possible.points.tolist(),
            possible.participation.tolist(), strict=True,
        )
        if row == 0
    }  # fmt: skip


@settings(max_examples=rounds(25, 60), deadline=None)
@given(st.sampled_from(["NED - 2200", "NED MI 2260 W"]), st.lists(persons, min_size=4, max_size=4), st.data())
def test_the_points_named_are_the_smallest_that_give_the_norm(player, opponents, data):
    """Opponents known, as in a round robin: every number of points in the games to come is tried."""
    scored = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    left = 4 - len(scored)

    def played(ends):
        texts = [f"{text} {result}" for text, result in zip(opponents, [*scored, *ends], strict=True)]
        return Case({**FOUR_ROUNDS, "system": "round-robin"}, player, texts)

    running = columns(played([0] * left))
    scheduled = (running.games.round > len(scored)) & (
        (running.games.white == 0) | (running.games.black == 0)
    )
    to_come = replace(running.games, played=running.games.played & ~scheduled)
    points = named(forecast(SMALL, replace(running, games=to_come), scheduled).possible)
    cases = [played(results(end, left)) for end in range(2 * left + 1)]
    rows = first_rows(*cases)
    found = found_by_row(SMALL, columns(*cases), rows)
    smallest = {}
    for end, row in reversed(list(enumerate(rows))):
        smallest |= dict.fromkeys(found[row], end)
    assert points == smallest


@settings(max_examples=rounds(15, 40), deadline=None)
@given(
    st.sampled_from(["NED - 2200", "NED MI 2260 W"]),
    st.lists(persons, min_size=OTHERS, max_size=OTHERS),
    st.lists(st.integers(0, 2), min_size=2, max_size=4),
)
def test_an_end_with_open_opponents_never_gives_what_was_not_possible(player, others, scored):
    """A Swiss: every choice of the opponents to come is tried with every number of points."""
    done, left = len(scored), 4 - len(scored)
    met = [f"{text} {result}" for text, result in zip(others, scored, strict=False)]
    running = columns(Case(FOUR_ROUNDS, player, met, others[done:]))
    forecasted = forecast(
        SMALL, running, np.zeros(len(running.games), bool), np.full(len(running.participations), left)
    )
    points = named(forecasted.possible)
    by_ratings = {title: points_by_ratings(SMALL, forecasted, 0, title) for title in BY_RESULT}
    cases, ends = [], []
    for chosen in combinations(range(done, OTHERS), left):
        for end in range(2 * left + 1):
            last = [f"{others[n]} {result}" for n, result in zip(chosen, results(end, left), strict=True)]
            rest = [others[n] for n in range(done, OTHERS) if n not in chosen]
            cases.append(Case(FOUR_ROUNDS, player, [*met, *last], rest))
            ends.append((end, sum(counted_rating(others[n]) for n in chosen)))
    rows, finished = first_rows(*cases), columns(*cases)
    examination = examine(SMALL, finished)
    found = found_by_row(SMALL, finished, rows)
    for (end, ratings), row in zip(ends, rows, strict=True):
        for norm in found[row]:
            assert points[norm] <= end
        for title in BY_RESULT:
            conditions = examination.conditions[title]
            for place, each in enumerate(conditions):
                if forecasted.certain.conditions[title][place].met[0]:
                    assert each.met[row], each.code
                if not forecasted.examination.conditions[title][place].met[0]:
                    assert not each.met[row], each.code
            others_met = all(
                each.met_or_not_asked[row]
                for each in conditions
                if each.code not in ("points", "category") and not each.colour
            )
            if left and others_met:
                needed = [asked for least, asked in by_ratings[title] if least <= ratings]
                enough = not examination.conditions[title][codes(conditions).index("points")].unmet[row]
                in_x3 = not conditions[codes(conditions).index("category")].unmet[row]
                assert (enough and in_x3) == (bool(needed) and end >= min(needed))


def codes(conditions):
    return [each.code for each in conditions]


def counted_rating(text):
    """The rating of a person as Rm counts it (R31)."""
    _, _, rating, sex = text.split()
    return int(rating) or {"M": 2100, "W": 2000}[sex]


# By column: GMI, MI, MF, and the MI and MF strong enough for one; a row for each of three players.
KNOWN_TITLED = ([0, 0, 0], [0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0])
ALL_TITLED = ([1, 0, 2], [2, 0, 1], [3, 2, 0], [1, 0, 1], [2, 0, 0])
SWISS_OF_7 = {"rounds": 7, "round_days": [1, 2, 3, 4, 5, 6, 7]}


@pytest.mark.parametrize(
    ("weakest", "expected"),
    [
        # The best 7 sum to 15620: XII from 7 x 2226 - 3 = 15579 asks 7 points (50 %), XIII begins at 15754. The
        # weakest 7 sum to 15460: XI from 15404 is certain: 8 (53 % of 14 = 7.42).
        (2180, [(0, 8), (15579, 7)]),
        # The best 7 sum to 15543. The weakest 7 sum to 15229, where X begins, which asks 8 (57 %); IX asks 9 (60 %).
        (2103, [(0, 8)]),
    ],
)
def test_the_points_by_the_sum_of_ratings_go_from_what_is_certain_to_the_best(weakest, expected):
    """Entrants of a Swiss of 7 rounds, MI (X-2, X-3; R32)."""
    others = ["NED MI 2260"] * 3 + ["BLR - 2220"] * 3 + [f"LTU MF {weakest}"] * 3
    found = entrants_forecast(PARAMETERS, columns(case_of({"tournament": SWISS_OF_7, "opponents": others})))
    assert points_by_ratings(PARAMETERS, found, 0, TITLES.index("MI")) == expected
    # At best 7 games won; of 9 others, all of them rated, 7 are met, and the player is rated too.
    assert found.examination.groups.counts.points[0] == 14
    assert found.certain.groups.counts.rated[0] == 8


def test_a_game_to_come_brings_one_titled_opponent():
    """At best, of the entrants not met yet: a GMI before an MI before an MF (art. 4.5.3 to 4.5.10, R34)."""
    known, field = (TitledColumns(*map(np.array, columns)) for columns in (KNOWN_TITLED, ALL_TITLED))
    most = _most_titled(known, field, np.array([3, 5, 2]))
    assert [getattr(most, name).tolist() for name in ("gmi", "mi", "mf", "strong_mi", "strong_mf")] == [
        [1, 0, 2],  # the one GMI; none; two
        [2, 0, 0],  # 3 - 1 games for 2 MI; none; no game is left
        [2, 2, 0],  # 1 met and 3 - 1 - 1 games for 2 more; 1 met and 1 more
        [1, 0, 0],
        [1, 0, 0],
    ]
