"""Small tournaments written in a few words, as columns of the engine of Annex 10.

A person is ``"BLR MI 2260"``: federation, title (``-``: none, ``MI+MIF``: an open and a women's title),
rating (0: none); then in any order the points of the game with the player (``2 1 0``; ``x``: regulatory, not
played), the sex (``W``, ``?``; else a man) and the final place (``@3``). What a case does not say is that of
``TOURNAMENT``: it leaves every norm possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from titles.federations.fmjd.rules.columns import (
    AGES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    LEVELS,
    REFEREES,
    SEXES,
    SYSTEMS,
    UNKNOWN,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
)
from titles.federations.fmjd.rules.forecast import Forecast, forecast
from titles.federations.fmjd.rules.norms import Input
from titles.federations.fmjd.rules.parameters import Parameters
from titles.federations.fmjd.rules.places import PlaceExamination
from titles.rules.requirement import Requirement, requirements_of_group

TOURNAMENT: Mapping[str, Any] = {
    "discipline": 100, "federation": "NED", "first_day": date(2026, 7, 1), "last_day": date(2026, 7, 9),
    "rounds": 9, "round_days": [1, 2, 3, 4, 5, 6, 7, 8, 9], "development": 100, "system": "swiss",
    "competition": "", "championship": "no", "age": "", "referee": "fmjd", "official": False, "women_only": False,
    "veterans": False, "announced": True, "in_time": True, "council_approved": True,
}  # fmt: skip
"""``round_days`` are the days of the rounds, counted from the first day; "unknown" leaves a detail out."""

WORDS = {
    "system": SYSTEMS, "competition": COMPETITIONS, "championship": CHAMPIONSHIPS, "age": AGES, "referee": REFEREES,
}  # fmt: skip

PLAYER = "NED - 2200"
# 3 x (2260 + 2220 + 2180) = 19980; 19980 / 9 = 2220: category XI. 10 points in 9 games.
OPPONENTS = (
    "BLR MI 2260 2", "BLR MI 2260 1", "BLR MI 2260 1", "LTU - 2220 1", "LTU - 2220 1", "LAT - 2220 1",
    "LAT MF 2180 1", "NED MF 2180 1", "NED MF 2180 1",
)  # fmt: skip


@dataclass(frozen=True)
class Person:
    federation: str
    title: int
    women_title: int
    rating: int
    sex: str
    place: int
    points: int | None
    regulatory: bool
    over_age: bool


def person(text: str) -> Person:
    federation, titles, rating, *more = text.split()
    level, women_level = 0, 0
    for title in titles.split("+") if titles != "-" else ():
        if title in LEVELS:
            level = LEVELS.index(title)
        else:
            women_level = LEVELS.index(title.removesuffix("F"))
    points, sex, place, regulatory, over_age = None, "M", 0, False, False
    for word in more:
        if word.startswith("@"):
            place = int(word[1:])
        elif word in ("W", "M", "?"):
            sex = "" if word == "?" else word
        elif word == "over":
            over_age = True
        elif word == "x":
            points, regulatory = 2, True
        else:
            points = int(word)
    return Person(federation, level, women_level, int(rating), sex, place, points, regulatory, over_age)


@dataclass(frozen=True)
class Case:
    """One tournament: its details, the player, the opponents in the order met, and others."""

    tournament: Mapping[str, Any]
    player: str = PLAYER
    opponents: Sequence[str] = OPPONENTS
    others: Sequence[str] = ()
    twice: bool = False


def case_of(example: Mapping[str, Any]) -> Case:
    """The tournament of an example of a case file. ``results`` replaces the points of all opponents."""
    opponents = list(example.get("opponents", OPPONENTS))
    for change in example.get("instead", []):
        place, _, text = change.partition(": ")
        opponents[int(place) - 1] = text
    if "results" in example:
        results = example["results"].split()
        assert len(results) == len(opponents)
        opponents = [
            " ".join([*(w for n, w in enumerate(text.split()) if n < 3 or w not in "210x"), result])
            for text, result in zip(opponents, results, strict=True)
        ]
    return Case(
        example.get("tournament", {}), example.get("player", PLAYER), opponents, example.get("others", ()),
        example.get("twice", False),
    )  # fmt: skip


def columns(*cases: Case) -> Input:
    """The tournaments of several cases as one input; ``first_rows`` has the rows of their players."""
    codes: dict[str, int] = {"-": 0}
    tournaments: list[dict[str, Any]] = []
    rounds: list[tuple[int, int, int]] = []
    people: list[tuple[int, int, Person]] = []
    games: list[tuple[int, int, int, int, int, bool]] = []
    for number, case in enumerate(cases):
        details = {**TOURNAMENT, **case.tournament}
        row = {name: value for name, value in details.items() if name != "round_days"}
        for name, words in WORDS.items():
            row[name] = UNKNOWN if row[name] == "unknown" else words.index(row[name])
        for name in ("first_day", "last_day"):
            row[name] = NO_DAY if row[name] == "unknown" else day_number(row[name])
        for name in ("rounds", "development"):
            row[name] = UNKNOWN if row[name] == "unknown" else row[name]
        row["federation"] = codes.setdefault(row["federation"], len(codes))
        row["tournament"] = number + 1
        tournaments.append(row)
        start = day_number(TOURNAMENT["first_day"])
        if details["round_days"] != "unknown":
            rounds += [(number, n, start + day - 1) for n, day in enumerate(details["round_days"], start=1)]
        first = len(people)
        persons = [person(text) for text in (case.player, *case.opponents, *case.others)]
        people += [(number, len(people) + n + 1, each) for n, each in enumerate(persons)]
        turn = Counter()
        for times in range(2 if case.twice else 1):
            for opponent in range(1, len(case.opponents) + 1):
                each = persons[opponent]
                if each.points is None:
                    continue
                turn[first] += 1
                sides = (first, first + opponent)
                points = (each.points, 2 - each.points)
                if (opponent + times) % 2 == 0:
                    sides, points = sides[::-1], points[::-1]
                games.append((turn[first], *sides, *points, not each.regulatory))
        rest = range(first + 1 + len(case.opponents), first + len(persons))
        # Others play a game with their neighbour, so that they take part.
        games += [(1, each, each + 1, 1, 1, True) for each in rest[:-1]]
        if len(rest) == 1:
            games.append((9, rest[0], first + 1, 1, 1, True))
    names = list(TournamentColumns.__dataclass_fields__)
    return Input(
        TournamentColumns(*(np.array([row[name] for row in tournaments]) for name in names)),
        RoundColumns(*_table(rounds, 3)),
        ParticipationColumns(
            np.array([number for number, _, _ in people]),
            np.array([player for _, player, _ in people]),
            np.array([codes.setdefault(each.federation, len(codes)) for *_, each in people]),
            np.array([SEXES.index(each.sex) for *_, each in people]),
            np.array([each.title for *_, each in people]),
            np.array([each.women_title for *_, each in people]),
            np.array([each.rating for *_, each in people]),
            np.array([each.place for *_, each in people]),
            np.array([each.over_age for *_, each in people]),
        ),
        GameColumns(*_table([game[:5] for game in games], 5), np.array([game[5] for game in games], bool)),
    )


def first_rows(*cases: Case) -> list[int]:
    """The row of the player of each case."""
    sizes = [1 + len(case.opponents) + len(case.others) for case in cases]
    return [sum(sizes[:n]) for n in range(len(sizes))]


def requirements_of_claim(examination: PlaceExamination, row: int) -> tuple[Requirement, ...]:
    """What an automatic title or norm asks and what was found; `row` is one of `PlaceExamination.found`."""
    claim = examination.claims[int(examination.found.claim[row])]
    return requirements_of_group(claim.conditions, int(examination.found.participation[row]))


def entrants_forecast(parameters: Parameters, given: Input) -> Forecast:
    """What the entrants of a Swiss make possible before its first round, as the page of forecasts asks."""
    none = np.zeros(0, np.int64)
    games = GameColumns(none, none, none, none, none, np.zeros(0, bool))
    rounds = np.maximum(given.tournaments.rounds[given.participations.tournament], 0)
    return forecast(parameters, replace(given, games=games), np.zeros(0, bool), rounds)


def _table(rows: Sequence[Sequence[int]], width: int) -> list[Any]:
    return list(np.array(rows, np.int64).reshape(-1, width).T)
