"""The items of the ICCF's rules and the examples of the rulings as case files, calculated by hand in comments."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ratings.federations.iccf.rules.engine import IccfInput
from reporting.rules.regulations.rulings import read_rulings
from tests.rules.iccf.cases import answers, columns

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests/cases/iccf").glob("item-*.toml"))
RULINGS = {ruling.id for ruling in read_rulings(ROOT / "ratings/federations/iccf/rulings.toml")}
EXAMPLES = [
    pytest.param(example, id=f"{path.stem}: {example['says']}")
    for path in CASES
    for example in tomllib.loads(path.read_text(encoding="utf-8"))["example"]
]


def test_every_case_file_names_its_item_and_its_rulings_and_no_ruling_is_without_a_case():
    named = set()
    for path in CASES:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        assert case["title"]
        assert path.name.startswith("item-" + case["article"].split(",")[0].split("-")[0].replace(" ", ""))
        named |= set(case["rulings"])
    assert named == RULINGS


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_engine_gives_what_was_calculated_by_hand(example):
    assert example["expected"]
    calculation = IccfInput(columns(example)).calculate()
    assert answers(calculation, example["expected"]) == example["expected"]
