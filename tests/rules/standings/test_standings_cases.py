"""The cases of tests/cases/annex-3: points, tie-breaks and places of tournaments, by hand, article by article."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from reporting.rules.standings.classify import classify
from reporting.rules.standings.cross_table import Counting
from tests.cross_tables import cross_table

CASES = sorted((Path(__file__).parents[2] / "cases" / "annex-3").glob("*.toml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_tournament_is_classified_by_its_article(path):
    for case in tomllib.loads(path.read_text())["tournaments"]:
        table = cross_table(
            case["rows"], ratings=case.get("ratings", ()), round_robin=case.get("round_robin", False)
        )
        counting = Counting(decided_ties=tuple(map(tuple, case.get("decided_ties", ()))))
        standings = classify(replace(table, counting=counting), case.get("keys", ()))
        assert standings.places.tolist() == case["places"]
        assert standings.table.scores.tolist() == case.get("points", standings.table.scores.tolist())
        columns = dict(zip([each.key for each in standings.tie_breaks], standings.columns, strict=True))
        for key, values in case.get("values", {}).items():
            assert [columns[key].value(row) for row in range(table.players)] == values, key


def test_there_are_cases():
    assert len(CASES) == 7
