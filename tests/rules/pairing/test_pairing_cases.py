"""Tournaments worked by hand, round by round, and rounds that a hard rule blocks (tests/cases/fmjd-pairing)."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from reporting.rules.pairing.pair_round import ImpossibleRound, pair_round
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Acceleration,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
)

FILES = sorted((Path(__file__).parents[2] / "cases/fmjd-pairing").glob("art-*.toml"))
CASES = {path.stem: tomllib.loads(path.read_text()) for path in FILES}


def players(count):
    return tuple(PairingPlayer(number, 2310 - 10 * number, number) for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name in CASES for number in range(len(CASES[name].get("tournaments", ())))],
)
def test_each_round_is_the_one_worked_by_hand(name, number):
    system, case = SYSTEMS[CASES[name]["system"]], CASES[name]["tournaments"][number]
    before = Tournament(
        system,
        players(case["players"]),
        rounds=case.get("number_of_rounds", 5),
        colours=Colours(case.get("colours", "none")),
        acceleration=Acceleration(case.get("acceleration", "none")),
        first_round_by_rating=system.by_rating,
    )
    assert len(case["rounds"]) >= 3
    games = []
    for round_, expected in enumerate(case["rounds"], start=1):
        answer = pair_round(replace(before, round=round_, games=tuple(games)))
        pairs = [f"{pair.white}-{pair.black}" for pair in answer.pairs]
        assert (pairs, answer.pause) == (expected["pairs"], expected.get("pause")), round_
        criteria = {key: expected[key] for key in ("repeated_floats", "colour_faults") if key in expected}
        assert {key: getattr(answer.objective, key) for key in criteria} == criteria
        assert list(answer.objective.crossings) == expected.get("crossings", [])
        why = [[reason.player, reason.other] for pair in answer.pairs for reason in pair.why if reason.other]
        assert all(pair in why for pair in expected.get("met", ()))
        for pair, result in zip(answer.pairs, expected.get("results", ()), strict=False):
            games.append(PairedGame(round_, pair.white, pair.black, Result(result)))
        if answer.pause is not None:
            games.append(PairedGame(round_, answer.pause, PAUSE, Result.WHITE_WINS))


@pytest.mark.parametrize("case", CASES["art-1-hard-rules"]["blocked"])
def test_the_rules_in_the_way_are_named(case):
    games = [re.fullmatch(r"(\d+) (\d+)-(\d+) (\S+)", line).groups() for line in case["games"]]
    listed = tuple(
        PairedGame(int(round_), int(white), int(black), Result(result))
        for round_, white, black, result in games
    )
    round_ = max((game.round for game in listed), default=0) + 1
    answer = pair_round(
        Tournament(
            SYSTEMS[CASES["art-1-hard-rules"]["system"]],
            players(case["players"]),
            listed,
            round=round_,
            rounds=5,
            forbidden=tuple(map(tuple, case.get("forbidden", ()))),
        )
    )
    assert answer == ImpossibleRound(round_, tuple(case["by"]))
