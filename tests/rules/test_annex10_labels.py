"""Each requirement of the rules has its sentences."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests.annex10 import case_of, columns, first_rows, requirements_of_claim
from titles.federations.facet import TitleTexts
from titles.federations.fmjd.rules.columns import TITLES
from titles.federations.fmjd.rules.ledger import ledger
from titles.federations.fmjd.rules.norms import BY_RESULT, examine, requirements
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.places import cmf_by_rating, examine_places
from titles.federations.fmjd.texts import ASKS, FOUND, TEXTS
from titles.labels import asks_text, found_text, register_texts
from titles.rules.ledger import LedgerNorm
from titles.rules.requirement import MISSING

CASES = Path(__file__).parents[1] / "cases/annex-10"
EXAMPLES = [
    example
    for path in sorted(CASES.glob("art-*.toml"))
    for kind in ("norms", "places")
    for example in tomllib.loads(path.read_text()).get(kind, [])
]


def all_requirements():
    cases = [case_of(example) for example in EXAMPLES]
    given = columns(*cases)
    examination = examine(PARAMETERS, given)
    places = examine_places(PARAMETERS, given, examination)
    for row in first_rows(*cases):
        for title in BY_RESULT:
            yield from requirements(examination, row, title)
    for row in range(len(places.found)):
        yield from requirements_of_claim(places, row)
    norms = [
        LedgerNorm(number, TITLES.index("MI"), "red" if number == 1 else "black", 9) for number in range(1, 4)
    ]
    for each in ledger(PARAMETERS, norms, [], 0, woman=True):
        yield from each.requirements
    for condition in cmf_by_rating(PARAMETERS, np.array([2120]), np.array([7]), np.array([2])):
        yield condition.requirement(0)


def test_every_requirement_of_all_cases_has_both_sentences():
    found = list(all_requirements())
    for each in found:
        for text in (asks_text(each), found_text(each)):
            assert text
            assert "{" not in text
    codes = {each.asks.code for each in found}
    # Asked only where a parameter or a title held says so.
    assert set(ASKS) - codes == {"red_group", "ledger.held"}
    assert set(FOUND) - codes - {MISSING, f"{MISSING}.opponents_sex"} == {"red_group", "ledger.held"}


def test_sentences_are_plain_english():
    given = columns(case_of({"instead": ["9: NED MF 0 1 ?"], "tournament": {"referee": "unknown"}}))
    rows = {each.asks.code: each for each in requirements(examine(PARAMETERS, given), 0, TITLES.index("MI"))}
    said = {code: (asks_text(row), found_text(row)) for code, row in rows.items()}
    assert said["category"] == (
        "Group of opponents of category IV or higher",
        "Missing: the sex of 1 unrated opponent; ask the office",
    )
    assert said["referee_stated"] == (
        "The level of the main referee",
        "Missing: the level of the main referee",
    )
    assert said["federations"] == (
        "2 federations apart from the organiser's, and 4 participants from outside it",
        "3 federations, 7 of 10 participants",
    )
    assert said["titled.3"] == ("3 MI or 2 GMI met", "0 GMI, 3 MI, 3 MF: counted as 3 MI")
    assert said["days"] == (
        "At most 2 rounds a day, and one on the days before and after",
        "1 a day, not more than one on days in a row",
    )
    assert said["in_time"] == ("Announced and reported in time, or admitted", "announced, reported in time")


def test_a_code_has_one_text_in_all_federations():
    register_texts(TEXTS)
    with pytest.raises(ValueError, match="'rounds' has another text"):
        register_texts(TitleTexts({"rounds": "Nine rounds"}, {}, {}, {}, {}, {}))
