"""The articles of the KNSB's rules and the examples of the rulings as case files, calculated by hand in comments."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ratings.federations.knsb.rules.engine import KnsbInput
from reporting.rules.regulations.rulings import read_rulings
from tests.rules.knsb.cases import answers, columns

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests/cases/knsb").glob("art-*.toml"))
RULINGS = {
    ruling.id
    for app in ("ratings", "reporting")
    for ruling in read_rulings(ROOT / app / "federations/knsb/rulings.toml")
}
EXAMPLES = [
    pytest.param(example, id=f"{path.stem}: {example['says']}")
    for path in CASES
    for example in tomllib.loads(path.read_text(encoding="utf-8"))["example"]
]


def test_every_case_file_names_its_article_and_its_rulings_and_no_ruling_is_without_a_case():
    """R80a is in test_formulas.py; R80g says which games of a report are read: forfeits are none here."""
    named = set()
    for path in CASES:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        assert case["title"]
        assert path.name.startswith("art-" + case["article"].split(",")[0].replace(" ", ""))
        named |= set(case["rulings"])
    assert named == RULINGS - {"R80a", "R80g"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_engine_gives_what_was_calculated_by_hand(example):
    assert example["expected"]
    calculation = KnsbInput(columns(example)).calculate()
    assert answers(calculation, example["expected"]) == example["expected"]
