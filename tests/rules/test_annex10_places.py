"""Automatic titles and norms: the cases of art. 3, 4.5.11, 4.7.1 and 13."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from reporting.federations.fmjd.details import FmjdDetails
from tests.annex10 import Case, case_of, columns, first_rows, requirements_of_claim
from titles.federations.fmjd.decisive_places import places_of_titles
from titles.federations.fmjd.rules.columns import LEVELS, SEXES, TITLES, UNKNOWN
from titles.federations.fmjd.rules.norms import examine, found_norms
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.places import (
    NO_CLAIM,
    all_norms,
    cmf_by_rating,
    examine_places,
    titles_by_place,
)

ROOT = Path(__file__).parents[2]
FILES = [
    (path, tomllib.loads(path.read_text()))
    for path in sorted((ROOT / "tests/cases/annex-10").glob("art-*.toml"))
]
PLACES = [
    pytest.param(example, id=f"{path.stem}-{number}")
    for path, case in FILES
    for number, example in enumerate(case.get("places", []), start=1)
]
RATINGS = [
    pytest.param(example, id=f"{path.stem}-{number}")
    for path, case in FILES
    for number, example in enumerate(case.get("rating", []), start=1)
]


@pytest.mark.parametrize("example", PLACES)
def test_titles_and_norms_by_place_are_those_of_the_articles(example):
    given = columns(
        case_of({"results": " ".join("0" * len(example.get("opponents", "012345678"))), **example})
    )
    examination = examine(PARAMETERS, given)
    places = examine_places(PARAMETERS, given, examination)

    titles = titles_by_place(given, places)
    mine = titles.rows(titles.participation == 0)
    named = [
        f"{TITLES[title]} {places.claims[claim].article}"
        for title, claim in zip(mine.title.tolist(), mine.claim.tolist(), strict=True)
    ]
    assert named == example.get("titles", [])

    norms = all_norms(found_norms(PARAMETERS, given, examination), examination, places)
    own = norms.rows((norms.participation == 0) & (norms.claim != NO_CLAIM))
    assert [
        f"{TITLES[title]} {'red' if red else 'black'} {places.claims[places.found.claim[claim]].article}"
        for title, red, claim in zip(own.title.tolist(), own.red.tolist(), own.claim.tolist(), strict=True)
    ] == example.get("norms_by_place", [])
    assert own.games.tolist() == [examination.groups.counts.games[0]] * len(own)

    unmet = {}
    for row in np.flatnonzero(places.found.participation == 0).tolist():
        claim = places.claims[places.found.claim[row]]
        rows = requirements_of_claim(places, row)
        assert sum(not each.met for each in rows) == places.found.unmet[row]
        assert rows[0].met
        if not places.found.met[row]:
            kind = "norm " if claim.is_norm else ""
            unmet[f"{kind}{TITLES[claim.title]} {claim.article}"] = [
                each.asks.code for each in rows if not each.met
            ]
    for name, codes in example.get("unmet", {}).items():
        assert unmet.get(name) == codes, unmet


@pytest.mark.parametrize("example", RATINGS)
def test_a_rating_on_a_list_gives_the_title_of_candidate(example):
    conditions = cmf_by_rating(
        PARAMETERS,
        np.array([example["rating"]]),
        np.array([example["games"]]),
        np.array([SEXES.index(example["sex"])]),
    )
    found = [title for title, each in zip(("CMF", "CMFF"), conditions, strict=True) if each.met[0]]
    assert found == example["titles"]


def test_a_norm_by_result_and_by_place_is_one_norm_and_red_if_either_is():
    """MI red by result (10 points in XI), MI by place 7 of a World Championship; the group makes both red or
    none.
    """
    case = Case({"competition": "world-championship", "referee": "fmjd"}, "NED - 2200 @7")
    given = columns(case)
    examination = examine(PARAMETERS, given)
    places = examine_places(PARAMETERS, given, examination)
    norms = all_norms(found_norms(PARAMETERS, given, examination), examination, places)
    mine = norms.rows(norms.participation == 0)
    assert [TITLES[title] for title in mine.title.tolist()] == ["MI", "MF"]
    assert mine.red.tolist() == [True, True]
    assert mine.by_result.tolist() == [True, True]
    assert (mine.claim != NO_CLAIM).tolist() == [True, False]


def test_the_table_of_places_is_x1_and_nothing_else():
    """X-1 as printed: first and last place of each title in each line, with the norms of remarks 3 to 5."""
    printed = tomllib.loads((ROOT / "tests/cases/annex-10/x1-as-printed.toml").read_text())["line"]
    awards = PARAMETERS.place_awards
    for line in printed:
        for title in ("GMI", "MI", "MF", "CMF"):
            cell = line.get(title)
            mine = [
                award
                for award in awards
                if line["competition"] in award.competitions
                and line["age"] in award.ages
                and line["event"] in award.events
                and award.title == LEVELS.index(title)
                and award.participants[1] == 0
            ]
            if cell is None:
                assert not mine, (line, title)
                continue
            for award in mine:
                assert list(award.places) == cell["places"], (line, title)
                assert LEVELS[award.norm] == cell.get("norm", ""), (line, title)
                assert LEVELS[award.held] == cell.get("held", ""), (line, title)
            assert mine, (line, title)


@pytest.mark.parametrize(
    ("words", "participants", "expected"),
    [
        # Art. 3.4, X-1: the first is GMI, the second MI, the third MF, the fourth to sixth CMF.
        ({"competition": "american-championship"}, 16, {1, 2, 3, 6}),
        ({"competition": "american-championship"}, 15, {1}),
        ({"competition": "american-championship"}, 7, set()),
        # Art. 3.1, X-1: 1 to 3, 4 to 6, 7 to 9 and 10; the champion is first.
        ({"competition": "european-championship"}, 40, {1, 3, 6, 9, 10}),
        ({"competition": "european-championship", "system": "teams"}, 40, set()),
        ({}, 40, set()),
        # Art. 3.11.1, 4.5.11.1: the champion is CMF, the second and third have a norm.
        ({"national_championship": "final", "women_only": True}, 8, {1, 3}),
        ({"national_championship": "qualification"}, 8, set()),
    ],
)
def test_a_tie_is_to_be_played_where_the_next_place_brings_less(words, participants, expected):
    details = FmjdDetails(discipline="100", played_from=date(2026, 5, 2), **words)
    assert places_of_titles(details, participants) == expected


def test_tables_without_rows_give_no_claims():
    given = columns()
    examination = examine(PARAMETERS, given)
    places = examine_places(PARAMETERS, given, examination)
    assert len(places.found) == 0
    assert len(titles_by_place(given, places)) == 0
    assert len(all_norms(found_norms(PARAMETERS, given, examination), examination, places)) == 0


def test_all_tournaments_at_once_are_what_each_gives_alone():
    cases = [case_of({**param.values[0]}) for param in PLACES]
    together = columns(*cases)
    examination = examine(PARAMETERS, together)
    places = examine_places(PARAMETERS, together, examination)
    for case, first in zip(cases, first_rows(*cases), strict=True):
        alone = columns(case)
        own = examine_places(PARAMETERS, alone, examine(PARAMETERS, alone))
        size = len(alone.participations)
        of = places.found.participation
        mine = np.flatnonzero((of >= first) & (of < first + size))
        assert (of[mine] - first).tolist() == own.found.participation.tolist()
        for name in ("claim", "title", "is_norm", "red", "unmet"):
            assert np.array_equal(getattr(places.found, name)[mine], getattr(own.found, name)), name
        for row, number in zip(mine.tolist(), range(len(own.found)), strict=True):
            assert requirements_of_claim(places, row) == requirements_of_claim(own, number)
    assert UNKNOWN == -1
