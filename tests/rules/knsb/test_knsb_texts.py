"""Sentences about the numbers of the edition, about changes and about anomalies."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from ratings.federations.knsb.rules.parameters import EDITIONS
from ratings.federations.knsb.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)

RULES = EDITIONS[-1]
OWN_LIMITS = {"jump_points", "first_rating", "performances_a_report", "fide_list_days"}


def test_each_number_of_the_regulations_has_a_label():
    assert set(RULES.numbers) - set(PARAMETER_LABELS) == OWN_LIMITS | {"freeze_days", "derived_lists"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("klassiek_seconds", "60 min for 60 moves"),
        ("deviation", "2000 / 7"),
        ("waiting_months", "klassiek 24; rapid 12; blitz 12"),
        ("least_performance", "rapid 400; blitz 1200"),
        ("season_month", "October"),
        ("clubs", "010000 to 199999"),
        ("other_memberships", "260000 to 269999; 280001 to 280002; 290001 to 290001"),
        ("limit_points", "20"),
    ],
)
def test_a_number_as_the_method_page_prints_it(name, text):
    assert parameter_text(RULES.numbers[name], name) == text


def test_the_numbers_that_texts_name_are_in_the_edition():
    assert all(text.text % RULES.numbers for text in TEXTS.values())


@pytest.mark.parametrize(
    ("kind", "values", "title", "notes"),
    [
        ("jump", {"before": 1600, "after": 1780, "games": 9}, "Ann gains 180 points", ["9 counted games"]),
        ("jump", {"before": 1600, "after": 1400, "games": 1}, "Ann loses 200 points", ["1 counted game"]),
        ("first", {"before": 0, "after": 2050, "games": 6}, "Ann begins at 2050", ["6 counted games"]),
        ("too_old", {"games": 1}, "Ann: 1 game is too old",
         ["They do not count, unless the rating officer admits the report with a reason"]),
        ("fide_old", {"fide-klassiek": "2026-10-01", "fide-rapid": ""}, "A FIDE list is old",
         ["The newest list of FIDE klassiek is that of 1 Oct 2026", "There is no list of FIDE rapid"]),
    ],
)  # fmt: skip
def test_what_an_anomaly_says(kind, values, title, notes):
    found = anomaly_text(kind, "Ann", values)
    assert (found.title, [note.text for note in found.notes]) == (title, notes)


def test_each_kind_of_anomaly_has_a_sentence():
    given = {"before": 0, "after": 0, "games": 1, "fide": 1, "players": 11}
    for kind in ANOMALY_LABELS:
        values = {"fide-rapid": ""} if kind == "fide_old" else given
        assert all(note.article and note.rulings for note in anomaly_text(kind, "Ann", values).notes)


def test_the_changes_of_a_tournament_in_one_sentence():
    assert (
        change_sentence({"games": 2, "points": 3, "added_e4": 12_5000})
        == "+12.5000: 1.5 of 2 points in 2 games"
    )
    assert change_sentence({"games": 0}) == "no change: no counted game"


def test_the_page_of_articles_names_code_and_cases_that_exist():
    root = Path(__file__).parents[3]
    page = (root / "docs/rules/knsb.md").read_text()
    for module, name in re.findall(r"`(\w+)\.(\w+)(?:\.\w+)?`", page.replace(".py`", "`")):
        assert hasattr(import_module(f"ratings.federations.knsb.rules.{module}"), name), f"{module}.{name}"
    named = set(re.findall(r"`(art-[\d.a-z-]+)`", page))
    assert named == {path.stem for path in (root / "tests/cases/knsb").glob("*.toml")}
