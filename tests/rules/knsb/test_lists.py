"""Opening lists, order, digest, verification, anomalies and refusals of the KNSB's lists."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import numpy as np
import pytest

from ratings.federations.knsb.rules.columns import LIMITS
from ratings.federations.knsb.rules.engine import KnsbInput, opening_list
from ratings.federations.knsb.rules.listing import arranged, check_rows
from ratings.federations.knsb.rules.parameters import KNSB_2024_10 as RULES
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.values import FoundAnomaly, OpeningLine, PlayerStart
from tests.rules.knsb.cases import columns

SPRING = """
tempo = "rapid"
in_force = 2025-04-01
previous = 2025-03-01
lists = [
  "knsb-rapid 2025-03-01: 1=1600/80 2=1700/80 3=1745/40 4=1400/1 5=1300 !6=1500",
  "fide-klassiek 2025-02-01: 1=1650",
  "fide-klassiek 2025-03-01: 2=1750",
]
players = ["3 born=2010", "8 born=2000 elsewhere=6", "9 guest"]
memberships = [
  "1 20032 2020-01-01", "2 20033 2020-01-01", "3 20032 2020-01-01",
  "4 20032 2020-01-01", "5 20032 2020-01-01", "8 20032 2020-01-01",
]
bonus = { 15 = 20 }
events = [
  { first = 2025-03-10, games = ["1 2 1-0", "3 1 ½-½", "4 1 1-0 x4", "8 2 1-0 x3", "9 2 1-0 x3", "5 6 0-1"] },
  { first = 2024-12-31, games = ["1 2 1-0 x2"] },
]
"""


@pytest.fixture(scope="module")
def spring():
    return columns(tomllib.loads(SPRING))


@pytest.fixture(scope="module")
def calculation(spring):
    return KnsbInput(spring, game_count=17).calculate()


def stored(calculation):
    """The rows and changes as the database gives them to `check_rows`."""
    rows = calculation.rows
    found = []
    for place, player in enumerate(rows.player.tolist()):
        row = {
            name: int(getattr(rows, name)[place])
            for name in (
                "rating", "period_games", "games", "r_i", "sum_e10", "bonus_e4", "lpr_e3", "n_v", "register_number",
            )
        }  # fmt: skip
        if not row["period_games"]:
            row |= {"sum_e10": None, "lpr_e3": None}
        limit = int(rows.limit[place])
        limited_by = " ".join(article for bit, article in enumerate(LIMITS) if limit >> bit & 1)
        found.append(
            SimpleNamespace(player_id=player, limited_by=limited_by, last_game=date(2025, 3, 10), **row)
        )
    changes = {player: [] for player in rows.player.tolist()}
    for player, added in zip(
        calculation.changes.player.tolist(), calculation.changes.added_e10.tolist(), strict=True
    ):
        changes[player].append(SimpleNamespace(games=1, added_e10=added))
    return found, changes


BEFORE = {
    player: PlayerStart(rating, rating, games)
    for player, rating, games in ((1, 1600, 80), (2, 1700, 80), (3, 1745, 40), (4, 1400, 1), (5, 1300, 80))
}


def test_stored_rows_follow_from_their_changes(calculation):
    assert list(check_rows(RULES, BEFORE, *stored(calculation))) == []


@pytest.mark.parametrize(
    "column", ["rating", "period_games", "games", "sum_e10", "limited_by", "bonus_e4", "lpr_e3"]
)
def test_a_stored_value_that_does_not_follow_is_named(calculation, column):
    """Of player 4, whose rating is LPR + 20: another LPR is another rating, a bonus of 5 points another article too."""
    rows, changes = stored(calculation)
    row = next(row for row in rows if row.player_id == 4)
    value = getattr(row, column)
    setattr(row, column, "" if column == "limited_by" else value + 5 * 10**4)
    found = {
        (difference.player, difference.column) for difference in check_rows(RULES, BEFORE, rows, changes)
    }
    of = {"bonus_e4": {"rating", "limited_by"}, "lpr_e3": {"rating"}}
    assert found == {(4, name) for name in of.get(column, {column})}


def test_a_row_without_a_game_keeps_the_rating_before(calculation):
    """Player 5 starts from 1300; a start of 1310 would be another R_i and another rating."""
    rows, _ = stored(calculation)
    row = SimpleNamespace(**vars(next(row for row in rows if row.player_id == 3)) | {
        "player_id": 5, "rating": 1300, "r_i": 1300, "period_games": 0, "games": 80, "sum_e10": None,
        "lpr_e3": None, "bonus_e4": 0, "limited_by": "",
    })  # fmt: skip
    assert list(check_rows(RULES, BEFORE, [row], {})) == []
    other = {5: PlayerStart(1310, 1310, 80)}
    assert [found.column for found in check_rows(RULES, other, [row], {})] == ["r_i", "rating"]


def test_an_opening_list_is_in_order_and_has_n_v_of_at_most_100():
    day = date(2025, 1, 1)
    lines = [
        OpeningLine(1, 700, 1500, 130, day, {"n_v": None}),
        OpeningLine(2, 600, 1500, 30, day, {"n_v": None}),
        OpeningLine(3, 500, 1600, 130, day, {"n_v": 44}),
    ]
    rows = opening_list(RULES, day, lines).rows
    assert rows.register_number.tolist() == [500, 600, 700]
    assert (rows.position.tolist(), rows.rank.tolist()) == ([1, 2, 3], [1, 2, 2])
    assert rows.n_v.tolist() == [44, 30, 100]
    assert rows.games.tolist() == [130, 30, 130]
    assert rows.r_i.tolist() == [0, 0, 0]


def test_stored_rows_are_arranged_as_they_were_calculated(calculation):
    rows, _ = stored(calculation)
    again = arranged(RULES, date(2025, 3, 31), rows[::-1])
    assert again.player.tolist() == calculation.rows.player.tolist()
    assert again.rank.tolist() == calculation.rows.rank.tolist()


def test_an_input_counts_what_the_list_has(spring):
    engine_input = KnsbInput(spring, game_count=17)
    assert engine_input.player_count == 8
    assert (engine_input.tournament_count, engine_input.game_count) == (2, 17)
    assert engine_input.played_game_count == 15


def shuffled(spring, chance):
    """The same games and reports in another order."""
    events, games = chance.permutation(len(spring.events)), chance.permutation(len(spring.games))
    place = np.argsort(events)
    moved = spring.games.rows(games)
    return replace(spring, events=spring.events.rows(events), games=replace(moved, event=place[moved.event]))


def test_the_order_of_reports_and_games_changes_neither_digest_nor_digit(spring, calculation):
    other = shuffled(spring, np.random.default_rng(7))
    assert KnsbInput(other).digest() == KnsbInput(spring).digest()
    again = KnsbInput(other).calculate()
    for name in ("player", "game", "sequence", "added_e10"):
        assert getattr(again.changes, name).tolist() == getattr(calculation.changes, name).tolist()
    assert again.rows.rating.tolist() == calculation.rows.rating.tolist()


def with_first(table, name, value):
    column = getattr(table, name).copy()
    column[0] = value
    return replace(table, **{name: column})


def test_all_that_a_list_depends_on_is_in_the_digest(spring):
    others = [
        replace(spring, in_force=spring.in_force + 1),
        replace(spring, previous_day=spring.previous_day - 1),
        replace(spring, tempo=2),
        replace(spring, bonus=((15, 21),)),
        replace(spring, memberships=None),
        replace(spring, lists=(replace(spring.lists[0], address="other"), *spring.lists[1:])),
    ]
    for table, values in {
        "players": {
            "register_number": 77, "fide_number": 5, "birth_year": 1980, "is_foreign": True, "was_published": False,
            "previous": 1, "last_known_list": 1, "last_known_rating": 1, "games_elsewhere": 1, "title": 1,
        },
        "memberships": {"club": 1, "first_day": 1, "last_day": 1},
        "ratings": {"rating": 1, "n_v": 1, "k_factor": 1, "games": 1, "last_game": 1},
        "events": {
            "number": 9, "part": 2, "first_day": 1, "last_day": 1, "in_force": 1, "is_abroad": True,
            "is_fide_processed": True, "is_admitted": True,
        },
        "games": {"round": 2, "line": 99, "white": 4, "black": 3, "white_points": 0, "planned_day": 1, "day": 1},
    }.items():  # fmt: skip
        others += [
            replace(spring, **{table: with_first(getattr(spring, table), name, value)})
            for name, value in values.items()
        ]
    digests = {KnsbInput(other).digest() for other in [spring, *others]}
    assert len(digests) == 1 + len(others)


def test_anomalies_ask_about_jumps_first_ratings_and_fide_numbers(spring):
    """4 wins four games: 1400 + 20 over the LPR; 8 is new above 2000; 1 is on FIDE's list before and not on the newest,
    2 and 3 share a number; two games of December are too old; FIDE's rapid list is missing.
    """
    players = replace(
        spring.players,
        fide_number=np.where(np.isin(spring.players.player, (2, 3)), 22, spring.players.player * 100),
    )
    found = list(KnsbInput(replace(spring, players=players)).calculate().anomalies())
    rated = KnsbInput(spring).calculate().rows
    rating = dict(zip(rated.player.tolist(), rated.rating.tolist(), strict=True))
    assert found == [
        FoundAnomaly("jump", 4, {"before": 1400, "after": rating[4], "games": 4}),
        FoundAnomaly("first", 8, {"before": 0, "after": rating[8], "games": 3}),
        FoundAnomaly("fide_gone", 1, {"fide": 100}),
        FoundAnomaly("fide_twice", 3, {"fide": 22}),
        FoundAnomaly("fide_twice", 2, {"fide": 22}),
        FoundAnomaly("too_old", None, {"games": 2}, 102),
        FoundAnomaly("fide_old", None, {"fide-rapid": ""}),
    ]


@pytest.mark.parametrize(
    ("table", "name", "value", "message"),
    [
        ("games", "event", 9, "not among the events"),
        ("games", "white", 2, "their own opponent"),
        ("games", "white_points", 3, "half points"),
        ("games", "day", NO_DAY, "its day"),
        ("games", "white", 99, "player 99 is not among the players"),
        ("events", "in_force", day_number(date(2025, 5, 1)), "a later list"),
        ("ratings", "player", 99, "player 99 is not among the players"),
        ("ratings", "k_factor", 1001, "K is from 1 to 1000"),
        ("players", "player", 99, "players must rise"),
    ],
)
def test_an_input_that_cannot_be_is_refused(spring, table, name, value, message):
    other = replace(spring, **{table: with_first(getattr(spring, table), name, value)})
    with pytest.raises(ValueError, match=message):
        KnsbInput(other).calculate()
