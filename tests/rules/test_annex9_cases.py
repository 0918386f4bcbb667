"""Annex 9's worked examples and edges as case files, each with its hand calculation in comments."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ratings.federations.fmjd.rules import tables
from ratings.federations.fmjd.rules.calendar import basis_of
from ratings.federations.fmjd.rules.columns import (
    METHODS,
    BasisColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
)
from ratings.federations.fmjd.rules.engine import participations, rate
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.rules.columns import NEVER, NO_DAY
from ratings.rules.days import day_number
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.regulations.rulings import read_rulings

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases/fmjd").glob("art-*.toml"))
RULINGS = {ruling.id for ruling in read_rulings(ROOT / "ratings/federations/fmjd/rulings.toml")}


def read(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def e4(text):
    """``"-2.0528"`` as ten-thousandths; anything but exactly 4 decimals is a slip of the case file."""
    whole, _, decimals = text.partition(".")
    assert len(decimals) == 4, text
    return int(whole + decimals)


FORMULA_CASES = [path for path in CASES if "example" in read(path)]
PERIOD_CASES = [path for path in CASES if "closing" in read(path)]


def test_every_case_file_is_run_and_names_its_article_and_its_rulings():
    assert sorted(FORMULA_CASES + PERIOD_CASES) == CASES
    assert len(CASES) >= 10
    for path in CASES:
        case = read(path)
        assert case["title"]
        assert path.name.startswith("art-" + case["article"].split(",")[0][:3])
        assert set(case["rulings"]) <= RULINGS


@pytest.mark.parametrize("path", FORMULA_CASES, ids=lambda path: path.stem)
def test_a_formula_gives_what_was_calculated_by_hand(path):
    for example in read(path)["example"]:
        given, expected = SimpleNamespace(**example["given"]), example["expected"]
        found = {"average": tables.average_e4(given.opponents_sum, given.games)}
        if hasattr(given, "own"):
            found["pe"] = tables.expected_percentage_e4(e4(given.own), given.opponents_sum, given.games)
            found["we"] = tables.expected_score_e4(found["pe"], given.games)
        if hasattr(given, "points"):
            # Rp = Rc + D(P): without opponents' ratings it is D(P).
            found["difference"] = tables.performance_e4(0, given.games, given.points)
            found["performance"] = tables.performance_e4(given.opponents_sum, given.games, given.points)
        if hasattr(given, "k"):
            found["delta"] = tables.change_e4(given.points, found["we"], given.k, given.development)
        assert expected
        assert {name: int(found[name]) for name in expected} == {
            name: e4(text) for name, text in expected.items()
        }, example


CHANGE_NAMES = {
    "own": "own_e4", "average": "average_e4", "pe": "expected_percentage_e4", "we": "expected_score_e4",
    "delta": "delta_e4", "performance": "performance_e4", "before": "before_e4", "after": "after_e4",
    "limited": "performance_limited", "running": "own_is_running", "unrated": "unrated_games",
    "last_game": "last_game_day",
}  # fmt: skip


def plain(value):
    """A value of a case file as the columns hold it."""
    if isinstance(value, date):
        return day_number(value)
    if value in METHODS:
        return METHODS.index(value)
    if isinstance(value, str):
        return e4(value)
    return value


def calculated(case):
    """The case's details as columns, calculated: changes, rated, and the event names."""
    closing = day_number(case["closing"])
    lists, events = case["list"], case["event"]
    in_force = [held["in_force"] for held in lists]
    rows, seen = [], set()
    for index, event in enumerate(events):
        for line in event["games"]:
            fields = line.split()
            white, black, result = (0 if sign == "-" else sign for sign in fields[:3])
            times = int(fields[4]) if len(fields) == 5 else 1
            played = "x" not in result and bool(black)
            points = [int(sign) for sign in result.replace("x", "-").split("-")]
            rows += [(index, int(white), int(black), *points, played, day_number(event["last"]))] * times
            seen |= {int(white), int(black)} - {0}
    previous = {int(player): rating for player, rating in lists[-1]["ratings"].items()}
    given = {player["id"]: player for player in case.get("player", [])}
    everybody = sorted(seen | set(previous) | set(given))

    def column(key, default):
        return [given.get(player, {}).get(key, default) for player in everybody]

    def days(key, default):
        return [day_number(day) if day else default for day in column(key, None)]

    players = PlayerColumns(
        player=everybody,
        rating=[previous.get(player, 0) for player in everybody],
        games=column("games", 0), first_2300_day=days("first_2300", NEVER), last_game_day=days("last_game", NO_DAY),
        games_3_years=column("games_3_years", 0), carried=column("carried", 0),
    )  # fmt: skip
    event_columns = EventColumns(
        tournament=list(range(1, len(events) + 1)),
        first_day=[day_number(event["first"]) for event in events],
        last_day=[day_number(event["last"]) for event in events],
        number=[event.get("number", n) for n, event in enumerate(events)],
        seconds_for_60_moves=[parse_time_control(event["time"]).seconds_for_60_moves for event in events],
        basis=[basis_of(in_force, event["first"]) for event in events],
    )
    basis = [(n, int(p), r) for n, held in enumerate(lists) for p, r in held["ratings"].items()]
    part = participations(
        ANNEX_9_2024_04,
        closing,
        event_columns,
        GameColumns(*(np.array(column) for column in zip(*rows, strict=True))),
        BasisColumns(*(np.array(column) for column in zip(*basis, strict=True))),
    )
    return rate(ANNEX_9_2024_04, players, event_columns, part), [event["name"] for event in events]


def row(columns, index):
    return {name: getattr(columns, name)[index].item() for name in columns.__dataclass_fields__}


@pytest.mark.parametrize("path", PERIOD_CASES, ids=lambda path: path.stem)
def test_a_period_gives_what_was_calculated_by_hand(path):
    case = read(path)
    (changes, rated), names = calculated(case)
    found = {}
    for index in range(len(changes)):
        line = row(changes, index)
        found[line["player"], names[line["event"]]] = line
    asked = {(change["player"], change["event"]) for change in case.get("change", [])}
    asked_players = {player for player, _ in asked}
    assert {key for key in found if key[0] in asked_players} == asked
    for change in case.get("change", []):
        line = found[change["player"], change["event"]]
        assert change["expected"]
        for name, value in change["expected"].items():
            assert line[CHANGE_NAMES.get(name, name)] == plain(value), (change["player"], name)
    for silent in case.get("no_change", []):
        assert not [key for key in found if key[0] == silent["player"]]

    ratings = {line["player"]: line for line in (row(rated, index) for index in range(len(rated)))}
    for rating in case.get("rating", []):
        assert rating["expected"]
        for name, value in rating["expected"].items():
            assert ratings[rating["player"]][CHANGE_NAMES.get(name, name)] == plain(value), name
    for unrated in case.get("unrated", []):
        assert unrated["player"] not in ratings
