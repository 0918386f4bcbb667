"""The articles of the KNSB's rules and the examples of the rulings as case files, calculated by hand in comments."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ratings.federations.knsb.rules.engine import KnsbInput
from tests.rules.knsb.cases import answers, columns

CASES = sorted((Path(__file__).parents[2] / "cases/knsb").glob("art-*.toml"))
EXAMPLES = [
    pytest.param(example, id=f"{path.stem}: {example['says']}")
    for path in CASES
    for example in tomllib.loads(path.read_text(encoding="utf-8"))["example"]
]


def test_every_case_file_names_its_article_and_its_rulings():
    for path in CASES:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        assert case["title"]
        assert case["rulings"]
        assert path.name.startswith("art-" + case["article"].split(",")[0].replace(" ", ""))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_engine_gives_what_was_calculated_by_hand(example):
    assert example["expected"]
    calculation = KnsbInput(columns(example)).calculate()
    assert answers(calculation, example["expected"]) == example["expected"]
