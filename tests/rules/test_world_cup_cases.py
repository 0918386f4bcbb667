"""World Cup, places, reserve list, title match and youth teams: the cases of Annexes 12, 13, 17 and 18 (R70 to R75)."""

from __future__ import annotations

import importlib
import tomllib
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from ratings.rules.days import day_number
from tests.world_cup import NO_DECLARATIONS, columns_of
from titles.federations.fmjd.rules.world_cup.championship import ChampionshipInput, fill_championship
from titles.federations.fmjd.rules.world_cup.classification import Counts, Criterion, classify
from titles.federations.fmjd.rules.world_cup.due_days import due_days
from titles.federations.fmjd.rules.world_cup.parameters import WORLD_CUP_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.world_cup.qualification import (
    Claims,
    Place,
    RatedPlayer,
    Reserve,
    Source,
    Withdrawal,
    extra_places,
    qualify,
    rating_order,
    replace_withdrawn,
    reserve_list,
    take_reserves,
    title_match,
)
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
    ResultColumns,
    WithoutResult,
    results,
    valid_declarations,
)
from titles.federations.fmjd.rules.world_cup.youth_teams import YouthColumns, youth_results, youth_teams

CASES = sorted((Path(__file__).parents[1] / "cases/world-cup").glob("*.toml"))
PLAYED = date(2026, 6, 1)


def examples(kind):
    return [
        pytest.param(example, id=f"{path.stem}-{number}")
        for path in CASES
        for number, example in enumerate(tomllib.loads(path.read_text()).get(kind, []), start=1)
    ]


def number_of(letter):
    """A player is a capital letter, with the number of its place in the alphabet."""
    return ord(letter[0]) - ord("A") + 1


def numbers_of(letters):
    return [number_of(letter) for letter in letters.split()]


def letter_of(number):
    return chr(ord("A") + int(number) - 1)


def test_each_case_file_names_a_function_of_the_rules():
    assert len(CASES) > 8
    for path in CASES:
        case = tomllib.loads(path.read_text())
        module, function = case["function"].split(".")
        assert hasattr(importlib.import_module(f"titles.federations.fmjd.rules.world_cup.{module}"), function)
        assert case["title"]
        assert case["article"]
        assert case["rulings"]


@pytest.mark.parametrize("example", examples("results"))
def test_results_are_those_of_the_annex(example):
    tournaments = CupTournamentColumns(
        number=[1], first_round=[day_number(PLAYED)], last_round=[day_number(PLAYED) + 8], stars=[example["stars"]],
        separate=[example.get("separate", False)], women_only=[example.get("women_only", False)],
    )  # fmt: skip
    players = [line.split() for line in example["players"]]
    participations = columns_of(
        CupParticipationColumns,
        [
            (0, row, sex == "W", int(place), int(points), 0 if "games=0" in more else 9, 0, "absent" in more)
            for row, (sex, place, points, *more) in enumerate(players)
        ],
    )
    declarations = columns_of(
        DeclarationColumns,
        [
            (row, PLAYED.year, day_number(PLAYED) - 1)
            for row, line in enumerate(players)
            if "declared" in line
        ],
    )
    found = results(PARAMETERS, tournaments, participations, declarations)
    factor = dict(PARAMETERS.factors)[example["stars"]]
    for row in np.flatnonzero(found.points).tolist():
        assert found.points[row] == found.bonus[row] + factor * int(players[row][2])
    assert [
        f"{('open', 'women')[found.classification[row]]} {found.bonus_place[row]} {found.points[row]}"
        if found.without[row] == WithoutResult.HAS_RESULT
        else WithoutResult(found.without[row]).name.lower().replace("_", "-")
        for row in range(len(found))
    ] == example["results"]


def given(lines):
    """Results as they are classified: player, last round, points, bonus place, games won. A tournament for each."""
    lines = [line.split() for line in lines]
    days = [day_number(date.fromisoformat(line[1])) for line in lines]
    tournaments = columns_of(
        CupTournamentColumns, [(row, day - 8, day, 1, False, False) for row, day in enumerate(days)]
    )
    participations = columns_of(
        CupParticipationColumns,
        [
            (row, number_of(line[0]), False, 1, 0, 9, int(line[4]), "absent" in line)
            for row, line in enumerate(lines)
        ],
    )
    found = columns_of(ResultColumns, [(0, 0, int(line[3]), 0, 1, int(line[2])) for line in lines])
    return tournaments, participations, NO_DECLARATIONS, found


@pytest.mark.parametrize("example", examples("classification"))
def test_a_classification_is_that_of_the_annex(example):
    found = given(example["results"])
    classification = classify(PARAMETERS, *found, example["day"], women=False)
    rows = classification.standing
    assert [
        " ".join(
            [*map(str, (rank, letter_of(player), *criteria)), *(["equal"] if equal else [])]
        )
        for rank, player, *criteria, equal in zip(
            rows.rank, rows.player, rows.points, rows.first, rows.second, rows.third, rows.last_result, rows.wins,
            rows.equal, strict=True,
        )
    ] == example["rows"]  # fmt: skip
    if "counts" in example:
        of = classification.results
        assert [
            f"{letter_of(rows.player[row])} {found[-1].points[at]} {Counts(counts).name.lower().replace('_', '-')}"
            for row, at, counts in zip(of.row, of.participation, of.counts, strict=True)
        ] == example["counts"]
    if "separated" in example:
        names = [Criterion(code).name.lower().replace("_", "-") for code in rows.separated_by]
        assert names == example["separated"]


@pytest.mark.parametrize("example", examples("declared"))
def test_a_woman_is_listed_by_her_declaration(example):
    played = [line.split() for line in example["tournaments"]]
    tournaments = columns_of(
        CupTournamentColumns,
        [
            (row, *(day_number(date.fromisoformat(day)) for day in (first, last)), 1, False, False)
            for row, (first, last, _) in enumerate(played)
        ],
    )
    participations = columns_of(
        CupParticipationColumns,
        [(row, 1, True, 1, int(points), 9, 0, False) for row, (_, _, points) in enumerate(played)],
    )
    declarations = columns_of(
        DeclarationColumns,
        [
            (1, int(year), day_number(date.fromisoformat(day)))
            for year, day in map(str.split, example["declarations"])
        ],
    )
    columns = (tournaments, participations, declarations)
    found = results(PARAMETERS, *columns)
    assert valid_declarations(*columns).tolist() == [bool(example["open"])]
    for women, name in ((False, "open"), (True, "women")):
        for day in {*example["open"], *example["women"], *example.get("not_listed", [])}:
            rows = classify(PARAMETERS, *columns, found, date.fromisoformat(day), women=women).standing
            assert rows.points.tolist() == ([example[name][day]] if day in example[name] else [])


def ratings_of(lines):
    return [
        RatedPlayer(number_of(name), int(rating), int(games)) for name, rating, games in map(str.split, lines)
    ]


def lots_of(example):
    return [numbers_of(lot) for lot in example.get("lots", [])]


@pytest.mark.parametrize("example", examples("reserves"))
def test_a_reserve_list_is_that_of_the_annex(example):
    found = reserve_list(
        [(number_of(letter), False) for letter in example["world_cup"].split()],
        rating_order(PARAMETERS, ratings_of(example["ratings"]), lots_of(example)),
        numbers_of(example.get("qualified", "")),
    )
    assert [
        f"{row.position} {row.source} {row.rank} {letter_of(row.player)}{' by lot' if row.by_lot else ''}"
        for row in found
    ] == example["reserves"]


@pytest.mark.parametrize("example", examples("places"))
def test_the_places_of_a_championship_are_those_of_the_annex(example):
    federations = {}

    def players(text):
        federations.update(federations_of(text))
        return numbers_of(text)

    def name_of(number):
        return letter_of(number) + federations[number]

    claims = Claims(
        champion=players(example["champion"])[0], opponent=next(iter(players(example.get("opponent", ""))), None),
        match_played=example.get("match_played", False), refused=players(example.get("refused", "")),
        final_classification=players(example["classification"]),
        named={int(item): players(names) for item, names in example.get("named", {}).items()},
        leaders=players(example.get("leaders", "")), world_cup=players(example.get("world_cup", "")),
        federations=federations, group_a=example.get("group_a", "").split(),
    )  # fmt: skip
    rated = example.get("ratings", [])
    players(" ".join(line.split()[0] for line in rated))
    found = qualify(PARAMETERS.places[example["championship"]], claims)
    reserves = reserve_list(
        [(player, False) for player in claims.world_cup],
        rating_order(PARAMETERS, ratings_of(rated)),
        {place.player for place in found.places},
    )
    places, left = take_reserves(found.places, list(reserves))
    assert [line_of(place, federations) for place in places] == example["places"]
    assert [f"{row.code} {row.item} {name_of(row.player)}" for row in found.findings] == example["findings"]
    total = sum(item.places for item in PARAMETERS.places[example["championship"]])
    assert len(places) == total == int(example["championship"].split("-")[1])
    assert all(place.player is None for place in places if place.source == Source.OPEN)
    if "reserves" in example:
        found = [f"{row.position} {row.source} {row.rank} {name_of(row.player)}" for row in left]
        assert found == example["reserves"]


@pytest.mark.parametrize(
    ("lots", "withdrawals", "places"),
    [
        # 4 and 5 are equal in the rating list, 2 and 3 in the World Cup: the lower number, marked.
        ({}, [], [(8, 4, "rating", True), (9, 2, "world-cup", True)]),
        # The lot of the World Cup puts 3 first; that of the rating list is not drawn.
        ({"world-cup": [[3, 2]]}, [], [(8, 4, "rating", True), (9, 3, "world-cup", False)]),
        # Both withdraw: item 8 goes on with the next of the World Cup, item 9 with the first of the reserve list, 5.
        ({}, [4, 2], [(8, 3, "world-cup", True), (9, 5, "reserve", True)]),
    ],
)
def test_a_place_is_marked_until_the_lot_that_decides_is_drawn(lots, withdrawals, places):
    given = ChampionshipInput(
        championship="world-20", council_day=date(2026, 10, 1),
        claims=Claims(champion=1, federations={2: "NED", 3: "BEL"}), world_cup=[(2, 1), (3, 1)],
        ratings=[RatedPlayer(4, 2300, 60), RatedPlayer(5, 2300, 60)], official=[4, 5],
        withdrawals=[Withdrawal(number, date(2026, 9, 1)) for number in withdrawals],
        lots=lots,
    )  # fmt: skip
    rows = fill_championship(PARAMETERS, given).places
    found = [(row.place.item, row.place.player, str(row.place.source), row.by_lot) for row in rows]
    assert [row for row in found if row[0] > 7] == places


def federations_of(names):
    return {number_of(name): name[1] for name in names.split()}


def place_of(line):
    item, kind, source, *player = line.split()
    return Place(int(item), kind, number_of(player[0]) if player else None, Source(source))


def line_of(place, federations):
    name = [letter_of(place.player) + federations[place.player]] if place.player else []
    return " ".join([str(place.item), place.kind, place.source, *name])


@pytest.mark.parametrize("example", examples("withdrawn"))
def test_a_withdrawn_player_is_replaced_by_the_rule_of_the_place(example):
    federations = federations_of(example["players"])
    claims = Claims(
        champion=number_of(example["champion"]),
        opponent=number_of(example["opponent"]) if "opponent" in example else None,
        match_played="opponent" in example,
        refused=numbers_of(example.get("refused", "")),
        final_classification=numbers_of(example.get("classification", "")),
        named={int(item): numbers_of(names) for item, names in example.get("named", {}).items()},
        world_cup=numbers_of(example.get("world_cup", "")),
        federations=federations,
        group_a=example.get("group_a", "").split(),
    )
    reserves = [
        Reserve(position, Source.RATING, position, number_of(name))
        for position, name in enumerate(example["reserves"].split(), 1)
    ]
    withdrawals = [
        Withdrawal(number_of(name), date.fromisoformat(day))
        for name, day in map(str.split, example["withdrawals"])
    ]
    before = list(map(place_of, example["before"]))
    items = PARAMETERS.places[example["championship"]]
    places, left = replace_withdrawn(items, claims, before, reserves, withdrawals, example["council_day"])
    assert [line_of(place, federations) for place in places] == example["after"]
    assert " ".join(letter_of(row.player) for row in left) == example["left"]
    assert [row.position for row in left] == list(range(1, len(left) + 1))


@pytest.mark.parametrize("example", examples("extra"))
def test_extra_places_go_to_organiser_federations_and_reserves(example):
    federations = federations_of(example["players"])
    items = PARAMETERS.extra_items(example["championship"], example["extra"])
    givers = zip(items, ("organiser", "federations"), strict=False)
    named = {item.item: numbers_of(example.get(giver, "")) for item, giver in givers}
    places = list(map(place_of, example["before"]))
    claims = Claims(champion=None, federations=federations, named=named)
    championships = example.get("championships", "").split()
    found = extra_places(items, example["extra"], places, claims, championships)
    assert [line_of(place, federations) for place in found.places] == example["after"]
    assert [f"{row.code} {letter_of(row.player)}" for row in found.findings] == example["findings"]


@pytest.mark.parametrize(("championship", "extra"), [("women-20", 5), ("world-40", 7), ("world-20", 4)])
def test_an_option_has_no_other_number_of_places(championship, extra):
    """Annex 12 ends at 24 (20 and 4), Annex 17 says 48 (40 and 8); 20 players have no option."""
    assert PARAMETERS.extra_items(championship, 0) == ()
    with pytest.raises(KeyError):
        PARAMETERS.extra_items(championship, extra)


@pytest.mark.parametrize("example", examples("due"))
def test_the_papers_of_a_championship_are_due_on_these_days(example):
    found = due_days(PARAMETERS, example["first_day"])
    assert [
        found.names_of_confederations, found.reserve_list, found.reserve_list_latest, found.participants,
        found.regulations,
    ] == example["days"]  # fmt: skip


@pytest.mark.parametrize("example", examples("match"))
def test_the_players_of_a_title_match_are_those_of_the_annex(example):
    order = list(map(number_of, example["championship"].split()))
    found = title_match(
        PARAMETERS, order[0], number_of(example["former"]), order,
        list(map(number_of, example.get("refused", "").split())),
        previous_match_played=example.get("previous_match_played", True),
    )  # fmt: skip
    assert " ".join(map(letter_of, found or ())) == example["players"]


@pytest.mark.parametrize("example", examples("youth"))
def test_youth_teams_are_those_of_the_annex(example):
    lines = [line.split() for line in example["players"]]
    players = columns_of(
        YouthColumns,
        [
            (("boys", "girls").index(group), row, number_of(federation), int(place), *map(int, points.split("/")))
            for row, (group, federation, place, points) in enumerate(lines)
        ],
    )  # fmt: skip
    found = youth_results(PARAMETERS, players)
    assert [
        f"{points} counts" if counts else str(points)
        for points, counts in zip(found.points, found.counts, strict=True)
    ] == example["results"]
    teams = youth_teams(players, found)
    columns = (teams.rank, teams.federation, teams.points, teams.first, teams.second, teams.third)
    rows = zip(*columns, strict=True)
    assert [f"{rank} {letter_of(of)} {' '.join(map(str, more))}" for rank, of, *more in rows] == example[
        "teams"
    ]
