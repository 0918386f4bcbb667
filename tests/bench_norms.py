"""The search for norms next to the rating calculation of the same quarter: ``python -m tests.bench_norms``.

Only the pure part: columns in, columns out, no database. 1,000 Swiss tournaments of 20 players and 9 rounds, 20,000
participations, 90,000 games. Prints the median of 7 runs; no test measures time.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ratings.systems.columns import NEVER, NO_DAY
from ratings.systems.fmjd.rules.columns import BasisColumns, EventColumns, PlayerColumns
from ratings.systems.fmjd.rules.columns import GameColumns as RatedGameColumns
from ratings.systems.fmjd.rules.engine import arrange, participations, rate
from ratings.systems.fmjd.rules.parameters import ANNEX_9_2024_04
from titles.rules.fmjd.columns import (
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
)
from titles.rules.fmjd.norms import Input, examine, found_norms, near_misses
from titles.rules.fmjd.parameters import ANNEX_10_2024_04
from titles.rules.fmjd.places import all_norms, examine_places, titles_by_place

TOURNAMENTS, PLAYERS, ROUNDS = 1000, 20, 9
FIRST_DAY = 20_500
REGISTER = 15_000


def quarter() -> Input:
    """Tournaments made by chance, always the same ones; ratings and titles as lists have them."""
    chance = np.random.default_rng(1)
    number = np.arange(TOURNAMENTS)
    size = TOURNAMENTS * PLAYERS

    def full(value: Any) -> Any:
        return np.full(TOURNAMENTS, value)

    tournaments = TournamentColumns(
        tournament=number,
        section=full(100),
        federation=chance.integers(1, 8, TOURNAMENTS),
        first_day=full(FIRST_DAY),
        last_day=full(FIRST_DAY + ROUNDS - 1),
        rounds=full(ROUNDS),
        development=chance.choice([60, 100], TOURNAMENTS),
        system=full(0),
        competition=chance.choice([0, 0, 0, 0, 1, 2], TOURNAMENTS),
        championship=chance.choice([0, 0, 0, 2], TOURNAMENTS),
        age=full(0),
        referee=full(3),
        official=full(False),
        women_only=chance.random(TOURNAMENTS) < 0.2,
        veterans=full(False),
        announced=full(True),
        in_time=full(True),
        council_approved=full(True),
    )
    rounds = RoundColumns(
        np.repeat(number, ROUNDS),
        np.tile(np.arange(1, ROUNDS + 1), TOURNAMENTS),
        np.tile(np.arange(FIRST_DAY, FIRST_DAY + ROUNDS), TOURNAMENTS),
    )
    players = np.concatenate(
        [chance.choice(REGISTER, PLAYERS, replace=False) + 1 for _ in range(TOURNAMENTS)]
    )
    strength = np.sort(chance.normal(2100, 130, REGISTER).astype(int))
    rating = np.where(chance.random(size) < 0.1, 0, strength[players - 1])
    level = np.searchsorted([2120, 2200, 2250, 2300], strength[players - 1], side="right")
    people = ParticipationColumns(
        tournament=np.repeat(number, PLAYERS),
        player=players,
        federation=players % 7 + 1,
        sex=np.where(players % 4 == 0, 2, 1),
        title=level,
        women_title=np.where(players % 8 == 0, level, 0),
        rating=rating,
        place=np.tile(np.arange(1, PLAYERS + 1), TOURNAMENTS),
    )
    circle = np.arange(PLAYERS)
    white, black = [], []
    for _ in range(ROUNDS):
        first = (np.arange(TOURNAMENTS) * PLAYERS)[:, None]
        white.append((first + circle[: PLAYERS // 2]).ravel())
        black.append((first + circle[::-1][: PLAYERS // 2]).ravel())
        circle = np.concatenate([circle[:1], circle[-1:], circle[1:-1]])
    whites, blacks = np.concatenate(white), np.concatenate(black)
    form = (rating[whites] - rating[blacks]) / 200 + chance.normal(0, 1, whites.size)
    points = np.where(form > 0.6, 2, np.where(form < -0.6, 0, 1))
    played = np.ones(whites.size, bool)
    games = GameColumns(
        np.repeat(np.arange(1, ROUNDS + 1), TOURNAMENTS * PLAYERS // 2),
        whites, blacks, points, 2 - points, played,
    )  # fmt: skip
    return Input(tournaments, rounds, people, games)


def search(given: Input) -> tuple[int, ...]:
    """Everything that a quarter asks of the engine of titles; gives the numbers of what was found."""
    examination = examine(ANNEX_10_2024_04, given)
    norms = found_norms(ANNEX_10_2024_04, given, examination)
    missed = near_misses(examination, norms)
    places = examine_places(ANNEX_10_2024_04, given, examination)
    titles = titles_by_place(given, places)
    return len(all_norms(norms, examination, places)), len(missed), len(titles)


def rating_of(given: Input) -> Callable[[], object]:
    """The rating calculation of the same games, from columns to the arranged list."""
    people, games = given.participations, given.games
    events = EventColumns(
        tournament=given.tournaments.tournament,
        first_day=given.tournaments.first_day,
        last_day=given.tournaments.last_day,
        number=given.tournaments.tournament,
        seconds_for_60_moves=np.full(TOURNAMENTS, 7200),
        basis=np.zeros(TOURNAMENTS, int),
    )
    rated_games = RatedGameColumns(
        event=people.tournament[games.white],
        white=people.player[games.white],
        black=people.player[games.black],
        white_points=games.white_points,
        black_points=games.black_points,
        played=games.played,
        day=FIRST_DAY + games.round - 1,
    )
    ids = np.arange(1, REGISTER + 1)
    rating = np.full(REGISTER, 2100)
    basis = BasisColumns(np.zeros(REGISTER, int), ids, rating)
    register = PlayerColumns(
        player=ids,
        rating=rating,
        games=np.full(REGISTER, 60),
        first_2300_day=np.full(REGISTER, NEVER),
        last_game_day=np.full(REGISTER, NO_DAY),
        games_3_years=np.full(REGISTER, 30),
        carried=np.zeros(REGISTER, int),
    )

    def calculate() -> object:
        part = participations(ANNEX_9_2024_04, FIRST_DAY + 60, events, rated_games, basis)
        changes, rated = rate(ANNEX_9_2024_04, register, events, part)
        return changes, arrange(ANNEX_9_2024_04, FIRST_DAY + 60, rated, rated.player)

    return calculate


def seconds(work: Callable[[], object], runs: int = 7) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


if __name__ == "__main__":
    given = quarter()
    norms, missed, titles = search(given)
    lines = [
        f"{TOURNAMENTS} tournaments, {len(given.participations)} participations, {len(given.games)} games",
        f"found: {norms} norms, {missed} near misses, {titles} automatic titles",
        f"norms and titles: {seconds(lambda: search(given)):.3f} s",
        f"rating calculation: {seconds(rating_of(given)):.3f} s",
    ]
    print("\n".join(lines))  # noqa: T201 (a command)
