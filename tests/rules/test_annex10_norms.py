"""Norms by result: the cases of each article, the tables X-2 and X-3, and what must hold for every
tournament.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reporting.rules.regulations.rulings import read_rulings
from tests.annex10 import OPPONENTS, Case, case_of, columns, first_rows
from titles.federations.fmjd.rules.columns import CATEGORIES, TITLES, title_level
from titles.federations.fmjd.rules.norms import (
    BY_RESULT,
    NO_GAME,
    examine,
    found_norms,
    near_misses,
    requirements,
)
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases/annex-10").glob("art-*.toml"))


def read(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


EXAMPLES = [
    pytest.param(example, id=f"{path.stem}-{number}")
    for path in CASES
    for number, example in enumerate(read(path).get("norms", []), start=1)
]


def norm_words(norms, row, requested=False):
    """The norms of one participation, as ``MI red``; with ``requested`` those with a won game ignored."""
    mine = norms.rows((norms.participation == row) & ((norms.ignored_game != NO_GAME) == requested))
    return [
        f"{TITLES[title]} {'red' if red else 'black'}"
        for title, red in zip(mine.title.tolist(), mine.red.tolist(), strict=True)
    ]


def asked(examination, row, title):
    """The requirements of a title by their codes."""
    found = {}
    for each in requirements(examination, row, TITLES.index(title)):
        assert each.asks.code not in found
        found[each.asks.code] = each
    return found


def test_every_case_file_names_its_article_and_its_rulings():
    rulings = {ruling.id for ruling in read_rulings(ROOT / "titles/federations/fmjd/rulings.toml")}
    for path in CASES:
        case = read(path)
        assert case["title"]
        assert path.name.startswith(f"art-{case['article'].split(',')[0]}-"), path.name
        assert set(case["rulings"]) <= rulings, path.name
        assert set(case) - {"title", "article", "rulings", "function"}, path.name


@pytest.mark.parametrize("example", EXAMPLES)
def test_norms_and_requirements_are_those_found_by_hand(example):
    given = columns(case_of(example))
    examination = examine(PARAMETERS, given)
    norms = found_norms(PARAMETERS, given, examination)
    assert norm_words(norms, 0) == example["norms"]
    assert norm_words(norms, 0, requested=True) == example.get("on_request", [])
    if "ignored_round" in example:
        mine = norms.rows((norms.participation == 0) & (norms.ignored_game != NO_GAME))
        rounds = given.games.round[mine.ignored_game].tolist()
        assert rounds == [example["ignored_round"]] * len(rounds)
    for expected in example.get("requirement", []):
        row = asked(examination, 0, expected["of"])[expected["code"]]
        assert row.met is expected["met"], row
        assert row.article == expected.get("article", row.article)
        assert {**row.asks.values, **expected.get("asks", {})} == row.asks.values
        assert {**row.found.values, **expected.get("found", {})} == row.found.values
        assert row.found.code == ("missing" if "detail" in expected.get("found", {}) else row.asks.code)
    for title, codes in example.get("unmet", {}).items():
        rows = asked(examination, 0, title)
        assert sorted(code for code, row in rows.items() if not row.met) == sorted(codes), title
    for title, codes in example.get("not_asked", {}).items():
        assert not set(codes) & set(asked(examination, 0, title))
    if "near_misses" in example:
        missed = near_misses(examination, norms)
        mine = missed.rows(missed.participation == 0)
        assert [
            f"{TITLES[title]} {'red' if red else 'black'}: {examination.conditions[title][place].code}"
            for title, red, place in zip(
                mine.title.tolist(), mine.red.tolist(), mine.condition.tolist(), strict=True
            )
        ] == example["near_misses"]


def rows_of(name):
    with (ROOT / f"titles/federations/fmjd/rules/tables/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def flat_tournament(ratings, points, **details):
    """A player against opponents with these ratings and results, three of each title first."""
    titles = ["GMI"] * 3 + ["-"] * (len(ratings) - 3)
    opponents = [
        f"{['BLR', 'LTU', 'LAT'][n % 3]} {title} {rating} {result}"
        for n, (title, rating, result) in enumerate(zip(titles, ratings, points, strict=True))
    ]
    rounds = {"rounds": len(ratings), "round_days": list(range(1, len(ratings) + 1))}
    return Case({**rounds, **details}, "NED - 2200", opponents)


X3_CELLS = [
    (line["percentage"], CATEGORIES.index(line[f"category_{title.lower()}"]), title, int(games), int(points))
    for line in rows_of("x3")
    for name, points in line.items()
    if name.startswith("games_")
    for games in [name.removeprefix("games_")]
    for title in ("MF", "MI", "GMI")
    if line[f"category_{title.lower()}"]
]


def test_every_cell_of_x3_is_what_the_engine_asks():
    """All 18 x 15 cells, through each of the titles whose category stands in the line (art. 4.3, R32)."""
    assert len({(percentage, games) for percentage, _, _, games, _ in X3_CELLS}) == 270
    lowest = [1900, *(int(row["open_min"]) for row in rows_of("x2")[1:])]
    groups = sorted({(category, games) for _, category, _, games, _ in X3_CELLS})
    cases = [flat_tournament([lowest[category - 1]] * games, [1] * games) for category, games in groups]
    examination = examine(PARAMETERS, columns(*cases))
    rows = dict(zip(groups, first_rows(*cases), strict=True))
    for _, category, title, games, points in X3_CELLS:
        score = examination.scores[TITLES.index(title)]
        row = rows[category, games]
        assert score.category[row] == category
        assert score.asked[row] == points, (title, CATEGORIES[category], games)


def test_beyond_21_games_and_above_the_last_category_x3_goes_on():
    """R32: 22 games at 47 %: 20.68, so 21. MF XVIII and XIX as XVII: 20 %, 22 games: 8.8, so 9. GMI XIX: 47
    %.
    """
    cases = [flat_tournament([rating] * 22, [1] * 22) for rating in (2390, 2450)]
    examination = examine(PARAMETERS, columns(*cases))
    first, second = first_rows(*cases)
    assert examination.scores[TITLES.index("MF")].asked[[first, second]].tolist() == [9, 9]
    assert examination.scores[TITLES.index("GMI")].asked[second] == 21
    assert examination.scores[TITLES.index("GMI")].category[[first, second]].tolist() == [18, 19]


@pytest.mark.parametrize(("column", "player", "title"), [("open", "M", "MI"), ("women", "W", "MIF")])
def test_every_edge_of_x2_has_its_category(column, player, title):
    """The least and greatest Rm of each category, and halves around them (art. 4.3, R31: half up)."""
    edges, halves = [], []
    for number, row in enumerate(rows_of("x2"), start=1):
        for bound in (f"{column}_min", f"{column}_max"):
            if row[bound]:
                edges.append((int(row[bound]), number))
        if row[f"{column}_max"]:
            # The mean of 8: one point over four of them is a half, rounded up into the next category.
            halves.append((int(row[f"{column}_max"]), number + 1))
    cases = [flat_tournament([rating] * 8, [1] * 8) for rating, _ in edges]
    cases += [flat_tournament([rating] * 4 + [rating + 1] * 4, [1] * 8) for rating, _ in halves]
    cases += [flat_tournament([rating] * 5 + [rating + 1] * 3, [1] * 8) for rating, _ in halves]
    examination = examine(PARAMETERS, columns(*cases))
    expected = [*(n for _, n in edges), *(n for _, n in halves), *(n - 1 for _, n in halves)]
    assert examination.scores[TITLES.index(title)].category[first_rows(*cases)].tolist() == expected
    assert len(edges) == 19 * 2 - 2


def test_the_minima_printed_below_x3_are_those_asked():
    """Lines (5) to (9) of X-3, for groups of 8 to 22; (5) to (7) begin at 10 (R35a)."""
    printed = tomllib.loads((ROOT / "tests/cases/annex-10/x3-minima.toml").read_text())
    sizes = range(8, 23)
    cases = [flat_tournament([2200] * (size - 1), [1] * (size - 1)) for size in sizes]
    examination = examine(PARAMETERS, columns(*cases))
    for code, minima in printed.items():
        place = next(
            n for n, each in enumerate(examination.conditions[TITLES.index("MI")]) if each.code == code
        )
        asked_of = examination.conditions[TITLES.index("MI")][place].asks["persons"]
        found = asked_of[first_rows(*cases)].tolist()
        assert found[-len(minima) :] == minima, code


def test_tables_without_rows_give_no_norms():
    given = columns()
    examination = examine(PARAMETERS, given)
    norms = found_norms(PARAMETERS, given, examination)
    assert len(norms) == 0
    assert len(near_misses(examination, norms)) == 0


def test_who_played_no_game_has_no_norm_and_requirements_that_say_so():
    given = columns(Case({}, opponents=["BLR MI 2260 x", "LTU - 2220"]))
    examination = examine(PARAMETERS, given)
    assert len(found_norms(PARAMETERS, given, examination)) == 0
    assert len(near_misses(examination, found_norms(PARAMETERS, given, examination))) == 0
    for title in BY_RESULT:
        rows = asked(examination, 0, TITLES[title])
        assert rows["games"].found.values == {"games": 0}
        assert not rows["category"].met
        assert not rows["points"].met
    assert title_level(BY_RESULT[0]) == 4
    assert np.all(examination.groups.counts.games == 0)


def test_how_many_wins_may_be_ignored_is_a_parameter():
    """Two wins over 1500: (17800 + 3000) / 10 = 2080: VI, MI 70 %: 14; scored 13. Without both 9 of 9."""
    ten = {"rounds": 10, "round_days": list(range(1, 11))}
    results = ["2", *"1111111"]
    known = [f"{text[:-2]} {result}" for text, result in zip(OPPONENTS, results, strict=False)]
    given = columns(Case(ten, opponents=[*known, "NED - 1500 2", "NED - 1500 2"]))
    examination = examine(PARAMETERS, given)
    for number, expected in ((0, []), (1, []), (2, ["MI red"])):
        parameters = replace(PARAMETERS, ignorable_wins=number)
        norms = found_norms(parameters, given, examination)
        assert norm_words(norms, 0) == ["MF red"]
        assert norm_words(norms, 0, requested=True) == expected


def test_a_game_against_oneself_or_across_tournaments_is_refused():
    given = columns(Case({}), Case({}))
    second = first_rows(Case({}), Case({}))[1]
    for opponent in (0, second):
        white = given.games.white.copy()
        black = given.games.black.copy()
        white[3], black[3] = 0, opponent
        games = replace(given.games, white=white, black=black)
        with pytest.raises(ValueError, match="row 3 of the games"):
            examine(PARAMETERS, replace(given, games=games))
