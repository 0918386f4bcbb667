"""Opening lists, order, digest, verification, anomalies and refusals of the ICCF's lists."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest

from ratings.federations.iccf.rules.columns import METHODS, STATUSES
from ratings.federations.iccf.rules.engine import IccfInput, opening_list
from ratings.federations.iccf.rules.listing import arranged, check_rows
from ratings.federations.iccf.rules.parameters import ICCF_2009 as RULES
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.rules.columns import NO_DAY
from ratings.rules.values import FoundAnomaly, OpeningLine, PlayerStart
from tests.rules.iccf.cases import columns
from tests.rules.knsb.test_lists import with_first

SPRING = """
in_force = 2025-04-01
lists = ["2024-10-01: 1=1990 2=2300", "2025-01-01: 1=2000/80 2=2300/60 3=1900/30 4=1875/12 5=1850"]
guests = [9]

[[events]]
first = 2025-01-10
games = ["1 2 ½-½", "4 1/3 0-1", "5 9 1-0"]

[[events]]
first = 2024-11-10
finished = 2025-02-01
kind = "friendly"
level = 2500
number = 5
games = ["6 2 1-0 x2", "6 5 1-0"]

[[events]]
first = 2024-11-10
finished = 2025-02-01
number = 5
part = 4
earlier_parts = 1
games = ["3 1 0-1 x33"]
"""


@pytest.fixture(scope="module")
def spring():
    return columns(tomllib.loads(SPRING))


@pytest.fixture(scope="module")
def calculation(spring):
    return IccfInput(spring, game_count=40).calculate()


def stored(calculation):
    """The rows and changes as the database gives them to `check_rows`: figures of another method are None."""
    rows, changes = calculation.rows, calculation.changes
    found, of_player = [], {}
    for place, player in enumerate(rows.player.tolist()):
        method = METHODS[rows.method[place]]
        of_5 = ("formula_games", "opponents_sum", "points_sum") if method.startswith("5") else ()
        of_k = ("k_e6",) if method in ("6", "5-period") else ()
        figures = dict.fromkeys(("formula_games", "opponents_sum", "points_sum", "k_e6"))
        for name in (*of_5, *of_k, "rating", "period_games", "games", "register_number"):
            figures[name] = int(getattr(rows, name)[place])
        status = STATUSES[rows.status[place]]
        found.append(
            SimpleNamespace(
                player_id=player, method=method, status=status, last_game=date(2025, 2, 1), **figures
            )
        )
    for place, player in enumerate(changes.player.tolist()):
        method = METHODS[changes.method[place]]
        figures = dict.fromkeys(("k_e6", "expected_e2", "added_e8"))
        if method == "6":
            figures = {name: int(getattr(changes, name)[place]) for name in figures}
        of_player.setdefault(player, []).append(
            SimpleNamespace(
                method=method, own_rating=int(changes.own[place]), points=int(changes.points[place]),
                opponent_rating=int(changes.opponent_rating[place]), **figures,
            )
        )  # fmt: skip
    return found, of_player


BEFORE = {
    player: PlayerStart(rating, rating, games)
    for player, rating, games in ((1, 2000, 80), (2, 2300, 60), (3, 1900, 30), (4, 1875, 12), (5, 1850, 80))
}


def test_stored_rows_follow_from_their_changes(calculation):
    rows, changes = stored(calculation)
    assert sorted({row.method for row in rows}) == ["5-all", "5-period", "6"]
    assert list(check_rows(RULES, BEFORE, rows, changes)) == []


@pytest.mark.parametrize(
    ("player", "column", "found"),
    [
        (1, "rating", {"rating"}), (1, "k_e6", {"k_e6"}), (2, "games", {"games"}),
        (2, "period_games", {"period_games"}), (3, "opponents_sum", {"opponents_sum"}),
        (3, "points_sum", {"points_sum"}), (4, "formula_games", {"formula_games"}),
        (4, "opponents_sum", {"rating"}), (6, "points_sum", {"rating"}),
    ],
)  # fmt: skip
def test_a_stored_value_that_does_not_follow_is_named(calculation, player, column, found):
    """Of formula 5 over all games the sums are of games before too: there the rating does not follow from them."""
    rows, changes = stored(calculation)
    row = next(row for row in rows if row.player_id == player)
    setattr(row, column, getattr(row, column) - 1 if column == "points_sum" else getattr(row, column) + 100)
    differences = list(check_rows(RULES, BEFORE, rows, changes))
    assert {(difference.player, difference.column) for difference in differences} == {
        (player, name) for name in found
    }


@pytest.mark.parametrize("column", ["k_e6", "expected_e2", "added_e8"])
def test_a_stored_figure_of_a_change_that_does_not_follow_is_named(calculation, column):
    rows, changes = stored(calculation)
    setattr(changes[2][0], column, 7)
    (difference,) = check_rows(RULES, BEFORE, rows, changes)
    assert (difference.player, difference.column, difference.found) == (2, column, 7)
    assert difference.of_change


def test_a_player_of_the_list_before_has_a_row(calculation):
    rows, changes = stored(calculation)
    (difference,) = check_rows(RULES, BEFORE | {8: PlayerStart(1700, 1700, 5)}, rows, changes)
    assert (difference.player, difference.column) == (8, "player_id")


def test_an_opening_list_is_in_order():
    day = date(2025, 1, 1)
    lines = [
        OpeningLine(1, 700, 1500, 130, day, {}),
        OpeningLine(2, 600, 1500, 12, day, {}),
        OpeningLine(3, 500, 1600, 130, day, {}),
    ]
    opening = opening_list(RULES, day, lines)
    rows = opening.rows
    assert rows.register_number.tolist() == [500, 600, 700]
    assert (rows.position.tolist(), rows.rank.tolist()) == ([1, 2, 3], [1, 2, 2])
    assert rows.games.tolist() == [130, 12, 130]
    assert (len(opening.changes), list(opening.anomalies())) == (0, [])


def test_stored_rows_are_arranged_as_they_were_calculated(calculation):
    rows, _ = stored(calculation)
    again = arranged(RULES, date(2025, 2, 28), rows[::-1])
    assert again.player.tolist() == calculation.rows.player.tolist()
    assert again.rank.tolist() == calculation.rows.rank.tolist()


def test_an_input_counts_what_the_list_has(spring):
    engine_input = IccfInput(spring, game_count=40)
    assert (engine_input.player_count, engine_input.game_count) == (7, 40)
    assert (engine_input.tournament_count, engine_input.played_game_count) == (2, 39)


def test_all_that_a_list_depends_on_is_in_the_digest(spring):
    others = [
        replace(spring, in_force=spring.in_force + 1),
        replace(spring, lists=(replace(spring.lists[0], address="other"), spring.lists[1])),
        replace(spring, lists=(replace(spring.lists[0], day=1), spring.lists[1])),
        replace(spring, participants=spring.participants.rows(slice(1, None))),
    ]
    for table, values in {
        "players": {
            "register_number": 77, "previous": 1, "rating": 1, "games": 1, "last_game": 1, "past_games": 1,
            "past_opponents": 1, "past_points": 1,
        },
        "ratings": {"rating": 1},
        "events": {"number": 9, "part": 2, "earlier_parts": 1, "first_day": 1, "kind": 3, "level": 1},
        "games": {
            "round": 2, "line": 99, "white": 4, "black": 3, "white_for": 5, "black_for": 6, "white_points": 0,
            "first_day": 1, "last_day": 1,
        },
    }.items():  # fmt: skip
        others += [
            replace(spring, **{table: with_first(getattr(spring, table), name, value)})
            for name, value in values.items()
        ]
    digests = {IccfInput(other).digest() for other in [spring, *others]}
    assert len(digests) == 1 + len(others)


def test_anomalies_ask_about_players_and_reports(calculation):
    """3 loses 33 games, more than 800/25 = 32, by an assumed 1800 to 1990: 1990 - 338.5 = 1651.5.

    1 wins these by 1990 against 1800, We 0.75, the game for 3 by 2000 against 1875, We 0.67, and draws with 2300, We
    0.15: 20 · (33 · 0.25 + 0.33 + 0.35) = 178.6. 6 beats 2300 twice and an assumed 2500: 7100/3 + 338.5 = 2705.17.
    The friendly match has 2500 instead of 1800; part 4 of tournament 5 follows part 1 and one on an earlier list.
    """
    assert list(calculation.anomalies()) == [
        FoundAnomaly("many_games", 3, {"games": 33, "most": 32}),
        FoundAnomaly("first", 6, {"before": 0, "after": 2705, "games": 3}),
        FoundAnomaly("jump", 1, {"before": 2000, "after": 2179, "games": 35}),
        FoundAnomaly("jump", 3, {"before": 1900, "after": 1652, "games": 33}),
        FoundAnomaly("level", None, {"level": 2500, "usual": 1800}, 102),
        FoundAnomaly("part_gap", None, {"part": 4, "missing": 1}, 103),
    ]


def test_more_than_half_of_the_opponents_limited_is_an_anomaly():
    """2000 against 2351 and 2350: one of two is limited; against 2351 twice and 2350: two of three."""
    case = """
    in_force = 2025-04-01
    lists = ["2025-01-01: 1=2000 2=2000 3=2351 4=2350"]
    events = [{ first = 2025-01-10, games = ["1 3 ½-½", "1 4 ½-½", "2 3 ½-½ x2", "4 2 ½-½"] }]
    """
    found = list(IccfInput(columns(tomllib.loads(case))).calculate().anomalies())
    assert found == [
        FoundAnomaly("limited", 3, {"limited": 3, "games": 3}),
        FoundAnomaly("limited", 2, {"limited": 2, "games": 3}),
    ]


@pytest.mark.parametrize(
    ("table", "name", "value", "message"),
    [
        ("games", "event", 9, "not among the events"),
        ("participants", "event", -1, "not among the events"),
        ("games", "white", 2, "their own opponent"),
        ("games", "white_for", 2, "their own opponent"),
        ("games", "white_for", 1, "their own substitute"),
        ("games", "white_points", 3, "half points"),
        ("games", "first_day", NO_DAY, "the day it began"),
        ("games", "last_day", 0, "not before it"),
        ("games", "white", 99, "player 99 is not among the players"),
        ("games", "black_for", 99, "player 99 is not among the players"),
        ("events", "kind", 25, "not among the kinds"),
        ("events", "kind", KINDS.index("other"), "needs its level"),
        ("ratings", "player", 99, "player 99 is not among the players"),
        ("ratings", "list", 1, "ratings must rise"),
        ("players", "player", 99, "players must rise"),
    ],
)
def test_an_input_that_cannot_be_is_refused(spring, table, name, value, message):
    other = replace(spring, **{table: with_first(getattr(spring, table), name, value)})
    with pytest.raises(ValueError, match=message):
        IccfInput(other).calculate()
