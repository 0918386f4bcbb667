"""Sentences about the numbers of the edition, about changes and about anomalies."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from ratings.federations.iccf.rules.parameters import EDITIONS
from ratings.federations.iccf.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)

RULES = EDITIONS[-1]


def test_each_number_of_the_regulations_has_a_label():
    assert set(RULES.numbers) == set(PARAMETER_LABELS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("largest_difference", "350"),
        ("games_factor_e1", "1.4"),
        ("levels", "1800 Open class / Cup preliminary / International open preliminary / Friendly match;"
         " 1900 Ladies’ World Championship, semifinal / Ladies’ olympiad; 2000 Higher class / Cup semifinal /"
         " International open semifinal; 2100 Ladies’ World Championship, final / Tournament with money prizes;"
         " 2200 Master class / Cup final / Olympiad / Zonal preliminary / Invitation / International open final;"
         " 2300 Master norm tournament; 2400 World Championship, semifinal / Zonal semifinal; 2450 Grandmaster norm"
         " tournament; 2500 World Championship, candidates / Zonal final"),
    ],
)  # fmt: skip
def test_a_number_as_the_method_page_prints_it(name, text):
    assert parameter_text(RULES.numbers[name], name) == text


def test_the_numbers_that_texts_name_are_in_the_edition():
    assert all(text.text % RULES.numbers for text in TEXTS.values())


@pytest.mark.parametrize(
    ("kind", "values", "title", "note"),
    [
        ("many_games", {"games": 33, "most": 32}, "Ann: 33 games in one period",
         "With more than 32 games the rating is calculated from these games alone"),
        ("first", {"before": 0, "after": 2705, "games": 3}, "Ann begins at 2705", "3 counted games"),
        ("jump", {"before": 1990, "after": 2169, "games": 35}, "Ann gains 179 points", "35 counted games"),
        ("jump", {"before": 1900, "after": 1652, "games": 1}, "Ann loses 248 points", "1 counted game"),
        ("limited", {"limited": 2, "games": 3}, "Ann: opponents far away",
         "In 2 of 3 games the difference of ratings is limited. Check the numbers of the reports"),
        ("level", {"level": 2500, "usual": 1800}, "Ann: assumed rating 2500",
         "Usual for this kind of tournament is 1800"),
        ("part_gap", {"part": 4, "missing": 1}, "Ann: 1 part before part 4 is missing",
         "The games of a missing part count on a later list"),
    ],
)  # fmt: skip
def test_what_an_anomaly_says(kind, values, title, note):
    found = anomaly_text(kind, "Ann", values)
    assert (found.title, [one.text for one in found.notes]) == (title, [note])
    assert all(one.article and one.rulings for one in found.notes)
    assert kind in ANOMALY_LABELS


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"games": 2, "points": 3, "added_e4": 8_6250}, "+8.6250: 1.5 of 2 points in 2 games"),
        ({"games": 1, "points": 0, "added_e4": None}, "formula 5: 0 of 1 point in 1 game"),
        ({"games": 0}, "no change: no counted game"),
    ],
)
def test_the_changes_of_a_tournament_in_one_sentence(values, text):
    assert change_sentence(values) == text


def test_the_page_of_items_names_code_and_cases_that_exist():
    root = Path(__file__).parents[3]
    page = (root / "docs/rules/iccf.md").read_text()
    for module, name in re.findall(r"`(\w+)\.(\w+)(?:\.\w+)?`", page.replace(".py`", "`")):
        assert hasattr(import_module(f"ratings.federations.iccf.rules.{module}"), name), f"{module}.{name}"
    named = set(re.findall(r"`(item-[\d.a-z-]+)`", page))
    assert named == {path.stem for path in (root / "tests/cases/iccf").glob("*.toml")}
    items = re.findall(r"^\| ([\d, ]+) \|", page, re.MULTILINE)
    assert [int(item) for line in items for item in line.split(", ")] == list(range(1, 19))
