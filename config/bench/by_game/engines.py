"""A season of games in one KNSB list: its engine beside that of the FMJD, by the same games."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import date

import numpy as np
from django.core.management import CommandError

from config.bench.season import SEED, Scale
from ratings.federations.fmjd.engine_input import EngineInput, calculate_ratings
from ratings.federations.fmjd.rules import columns as fmjd
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.federations.knsb.rules import engine_input as knsb
from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.engine import KnsbInput
from ratings.rules.columns import NEVER, NO_DAY, Integers
from ratings.rules.days import day_number

IN_FORCE, PREVIOUS = date(2026, 4, 1), date(2026, 3, 1)
LISTS = tuple(date(2026 - (month > 4), month, 1) for month in (10, 11, 12, 1, 2, 3))
"""The days of the lists of each kind that ratings are read from."""
PLAYERS_OF_FIDE = 0.2
UNRATED = 0.02
SEATS, ROUNDS = 40, 7


def measure_engines(scale: Scale, rounds: int) -> Iterator[str]:
    """The lines to print. Raises CommandError where the KNSB list counts fewer than nine of ten games."""
    columns = season(scale)
    by_game, by_tournament = KnsbInput(columns), of_fmjd(columns)
    calculation = by_game.calculate()
    if len(calculation.changes) < 1.8 * len(columns.games):
        raise CommandError("Games of the season do not count. Nothing was measured.")
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(_milliseconds(lambda: calculate_ratings(by_tournament)))
        ours.append(_milliseconds(by_game.calculate))
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    yield (
        f"A KNSB list of {len(calculation.rows):,} players, {len(columns.games):,} games in"
        f" {len(columns.events):,} tournaments, {len(columns.ratings):,} ratings on {len(columns.lists)} lists."
    )
    yield f"the FMJD's engine, by tournament   {statistics.median(theirs):10,.0f} ms"
    yield f"the KNSB's engine, LPR included    {statistics.median(ours):10,.0f} ms   {ratio:.2f} × (at most 4)"


def season(scale: Scale) -> knsb.KnsbColumns:
    """A klassiek list; half of the tournaments are leagues over more than 30 days. The same scale, the same season."""
    chance = np.random.default_rng(SEED)
    players = np.arange(1, scale.players + 1)
    strength = chance.integers(1200, 2300, scale.players)
    rated = players[chance.random(scale.players) >= UNRATED]
    kinds = [KINDS.index(kind) for kind in ("knsb-klassiek", "fide-klassiek")]
    lists = tuple(
        knsb.ListRead(kind, day_number(day), f"{KINDS[kind]}/{day}") for kind in kinds for day in LISTS
    )
    events = max(1, scale.games // (SEATS // 2 * ROUNDS))
    seats = np.argsort(strength, kind="stable")[_neighbours(chance, scale.players, events)] + 1
    first = chance.integers(day_number(IN_FORCE) - 80, day_number(IN_FORCE) - 42, events)
    is_league = np.arange(events) % 2 == 1
    games = _games(chance, seats, first, np.where(is_league, 5, 1))
    zero, no = np.zeros(scale.players, np.int64), np.zeros(events, bool)
    return knsb.KnsbColumns(
        tempo=0,
        in_force=day_number(IN_FORCE),
        previous_day=day_number(PREVIOUS),
        players=knsb.PlayerColumns(
            player=players, register_number=players, fide_number=zero,
            birth_year=chance.integers(1940, 2018, scale.players), is_foreign=chance.random(scale.players) < 0.03,
            was_published=np.isin(players, rated), previous=zero, last_known_list=zero - 1, last_known_rating=zero,
            games_elsewhere=zero, title=zero,
        ),
        memberships=knsb.MembershipColumns(
            players, zero + 20_032, zero + day_number(date(2020, 1, 1)), zero + NEVER
        ),
        lists=lists,
        ratings=_ratings(chance, lists, rated, strength),
        events=knsb.EventColumns(
            result_set=np.arange(events), number=np.arange(events), part=np.ones(events, np.int64), first_day=first,
            last_day=first + np.where(is_league, 5 * (ROUNDS - 1), ROUNDS - 1),
            in_force=np.full(events, day_number(IN_FORCE)), is_abroad=no, is_fide_processed=no, is_admitted=no,
        ),
        games=games,
    )  # fmt: skip


def _neighbours(chance: np.random.Generator, players: int, events: int) -> Integers:
    """The places of a tournament's players among all by strength: each its own, close to one another."""
    width = min(4 * SEATS, players)
    begin = chance.integers(0, players - width + 1, events)
    places = np.argsort(chance.random((events, width)), axis=1)[:, : min(SEATS, width)]
    return np.asarray(begin[:, None] + places, dtype=np.int64)


def _games(
    chance: np.random.Generator, seats: Integers, first: Integers, days_a_round: Integers
) -> knsb.GameColumns:
    """Each round pairs all players of a tournament by lot."""
    events, size = seats.shape
    boards = size // 2
    of_rounds = []
    for place in range(ROUNDS):
        paired = np.take_along_axis(seats, np.argsort(chance.random(seats.shape), axis=1), 1)
        event = np.repeat(np.arange(events), boards)
        of_rounds.append(
            np.stack(
                [
                    event,
                    np.full(event.size, place + 1),
                    paired[:, :boards].ravel(),
                    paired[:, boards : 2 * boards].ravel(),
                ]
            )
        )
    event, turn, white, black = np.concatenate(of_rounds, axis=1)
    in_order = np.argsort(event, kind="stable")
    event, turn, white, black = (column[in_order] for column in (event, turn, white, black))
    count = event.size
    return knsb.GameColumns(
        game=np.arange(count), event=event, round=turn, line=np.arange(count), white=white, black=black,
        white_points=chance.integers(0, 3, count), planned_day=np.full(count, NO_DAY),
        day=first[event] + days_a_round[event] * (turn - 1),
    )  # fmt: skip


def _ratings(
    chance: np.random.Generator, lists: tuple[knsb.ListRead, ...], rated: Integers, strength: Integers
) -> knsb.RatingColumns:
    """On each KNSB list all rated players, on each of FIDE some of them, near their strength."""
    columns = []
    for place, one in enumerate(lists):
        is_fide = KINDS[one.kind].startswith("fide")
        of_list = rated[chance.random(rated.size) < PLAYERS_OF_FIDE] if is_fide else rated
        size = of_list.size
        rating = np.maximum(strength[of_list - 1] + chance.integers(-50, 51, size), 1200)
        n_v = np.zeros(size, np.int64) if is_fide else chance.integers(5, 101, size)
        k_factor = np.full(size, 20 if is_fide else 0)
        last_game = np.full(size, NO_DAY if is_fide else one.day - 20)
        columns.append(np.stack([np.full(size, place), of_list, rating, n_v, k_factor, 2 * n_v, last_game]))
    return knsb.RatingColumns(*np.concatenate(columns, axis=1))


def of_fmjd(columns: knsb.KnsbColumns) -> EngineInput:
    """The same players and games as the FMJD's engine reads them, rated by the newest list."""
    events, games, players = columns.events, columns.games, columns.players.player
    newest = next(place for place, one in enumerate(columns.lists) if one.day == columns.previous_day)
    listed = np.flatnonzero(columns.ratings.list == newest)
    zero = np.zeros(players.size, np.int64)
    rating = zero.copy()
    rating[columns.ratings.player[listed] - 1] = columns.ratings.rating[listed]
    count = len(events)
    return EngineInput(
        parameters=ANNEX_9_2024_04,
        closing_day=columns.in_force,
        in_force=IN_FORCE,
        events=fmjd.EventColumns(
            events.result_set, events.first_day, events.last_day, events.number, np.full(count, 7200),
            np.zeros(count, np.int64),
        ),
        codes=tuple(map(str, range(count))),
        games=fmjd.GameColumns(
            games.event, games.white, games.black, games.white_points, 2 - games.white_points,
            np.ones(len(games), bool), games.day,
        ),
        basis=fmjd.BasisColumns(
            np.zeros(listed.size, np.int64), columns.ratings.player[listed], columns.ratings.rating[listed]
        ),
        players=fmjd.PlayerColumns(
            players, rating, np.where(rating > 0, 60, 0), zero + NEVER, zero + columns.previous_day, zero, zero
        ),
        register_numbers=players,
    )  # fmt: skip


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)
