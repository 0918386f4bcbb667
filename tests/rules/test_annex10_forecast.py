"""What is still possible in a tournament: the cases of art. 4.5.8, and that no norm found was called
impossible.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.annex10 import case_of, columns
from tests.rules.test_annex10_properties import cases
from titles.rules.fmjd.columns import TITLES
from titles.rules.fmjd.forecast import forecast, points_by_category, possible_in_swiss, round_robin
from titles.rules.fmjd.norms import BY_RESULT, examine
from titles.rules.fmjd.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.rules.fmjd.requirement import BLACK, RED

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
    assert words(possible_in_swiss(PARAMETERS, entrants).possible) == example["possible"]


def test_a_round_robin_of_entrants_is_scheduled_whole():
    """The usual ten persons: each meets nine; the player needs 10 points for MI and 8 for MF (art. 4.3)."""
    entrants = columns(case_of({"tournament": {"system": "round-robin"}}))
    given_games, scheduled = round_robin(entrants)
    assert scheduled.size == 45
    found = forecast(PARAMETERS, given_games, scheduled)
    assert words(found.possible) == [
        "MI black 10 in 9", "MI red 10 in 9", "MF black 8 in 9", "MF red 8 in 9",
    ]  # fmt: skip


def test_the_points_of_each_category_are_the_column_of_x3():
    with (ROOT / "titles/rules/fmjd/tables/x3.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    printed = [(line["category_mi"], int(line["games_9"])) for line in lines if line["category_mi"]]
    found = list(points_by_category(PARAMETERS, TITLES.index("MI"), 9))
    assert [(category, points) for category, _, points in found] == printed
    assert found[0][:2] == ("IV", 2026)
    assert next(points_by_category(PARAMETERS, TITLES.index("GMIF"), 9))[:2] == ("X", 2091)


@settings(max_examples=100, deadline=None)
@given(cases)
def test_a_norm_that_was_made_is_one_that_the_entrants_made_possible(case):
    size = len(case.opponents)
    played = columns(
        replace(case, tournament={**case.tournament, "rounds": size, "round_days": list(range(1, size + 1))})
    )
    examination = examine(PARAMETERS, played)
    found = possible_in_swiss(PARAMETERS, played).possible
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
    assert len(possible_in_swiss(PARAMETERS, nothing).possible) == 0
    assert round_robin(nothing)[1].size == 0
