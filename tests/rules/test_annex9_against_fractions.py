"""Annex 9 written a second time, straight from its articles, with fractions and without arrays.

Nothing of the engine is called in the second writing. Periods made by chance must come out alike to the
last digit, and nothing that ought not to matter may matter.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import floor
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.federations.fmjd.rules import tables
from ratings.federations.fmjd.rules.columns import (
    BasisColumns,
    ChangeColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
    RatedColumns,
)
from ratings.federations.fmjd.rules.engine import arrange, participations, rate
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.rules.columns import NEVER, NO_DAY

ROOT = Path(__file__).parents[2]
EPOCH = date(1970, 1, 1)

# --- The second writing --------------------------------------------------------------------------------

with (ROOT / "ratings/federations/fmjd/rules/ix1.csv").open(encoding="utf-8") as _file:
    PRINTED = {int(row["percentage"]): Fraction(row["rating_difference"]) for row in csv.DictReader(_file)}
D = {p: PRINTED[p] if p >= 50 else -PRINTED[100 - p] for p in range(101)}  # art. 2.3, R1


def four_decimals(value):
    """R3: half away from zero."""
    size = Fraction(floor(abs(value) * 10_000 + Fraction(1, 2)), 10_000)
    return size if value >= 0 else -size


def difference_of(percentage):
    """Art. 2.3: D(P) between two whole percentages."""
    if percentage == 100:
        return D[100]
    whole = floor(percentage)
    return D[whole] + (percentage - whole) * (D[whole + 1] - D[whole])


def percentage_of(difference):
    """Art. 2.4.1, R2."""
    if difference < 0:
        return 100 - percentage_of(-difference)
    if difference >= 935:
        return Fraction(100)
    whole = max(p for p in range(50, 100) if D[p] <= difference)
    return four_decimals(whole + (difference - D[whole]) / (D[whole + 1] - D[whole]))


def development_of(seconds):
    """Art. 1.2.2.1, 1.2.2.2; R6."""
    minutes = Fraction(seconds, 60)
    for least, percentage in ((120, 100), (90, 60), (60, 40), (30, 20)):
        if minutes >= least:
            return percentage
    return 50 if minutes > 15 else 100


@dataclass
class Inputs:
    closing: date
    lists: list[dict[int, int]]  # list number -> player -> rating; the last is the previous list
    players: dict[int, tuple[int, date | None, date | None, int]]  # games, first 2300, last game, 3 years
    events: list[tuple[int, date, date, int, int, int]]  # tournament, first, last, number, seconds, list
    games: list[tuple[int, int, int, int, int, bool, date]]
    carried: dict[int, int]  # player -> points that corrections of earlier lists put to their rating


def second_calculation(details):
    """Art. 3.2 to 3.3, 5, 6.2 for every player alone: {(player, event): figures}, {player: figures}."""

    def turn(event):  # R5
        tournament, _, last, number, _, _ = details.events[event]
        return last, number, tournament

    changes, ratings = {}, {}
    for player, (games_ever, first_2300, last_game, recent) in details.players.items():
        previous = details.lists[-1].get(player, 0)
        start = previous + details.carried.get(player, 0)
        running = Fraction(start) if start else None
        games_so_far, days = games_ever, []
        for event in sorted(range(len(details.events)), key=turn):
            counted, unrated = counted_games(details, event, player)
            if counted:
                figures = one_change(details.events[event], details.lists, player, counted)(
                    running, games_so_far, first_2300
                )
                changes[player, event] = figures | {"unrated_games": unrated}
                running = figures["after_e4"]
                games_so_far += len(counted)
                days += [day for _, _, day in counted]
        if running is not None:
            rating = floor(running + Fraction(1, 2))
            boundary = details.closing.replace(year=details.closing.year - 3)
            last = max([*days, last_game or date.min])
            ratings[player] = {
                "rating": rating,
                "previous": previous,
                "change": rating - previous if previous else 0,
                "period_games": len(days),
                "games": games_so_far,
                "games_3_years": recent + sum(day > boundary for day in days),
                "last_game_day": NO_DAY if last == date.min else (last - EPOCH).days,
                "reached_2300": bool(first_2300) or rating >= 2300,
            }
    return changes, ratings


def counted_games(details, event, player):
    """Art. 5.3, R8: (opponent's rating, points, day) of each counted game, and how many others."""
    rated = details.lists[details.events[event][5]]
    counted, unrated = [], 0
    for at, white, black, white_points, black_points, played, day in details.games:
        if at == event and played and player in {white, black}:
            opponent, points = (black, white_points) if player == white else (white, black_points)
            if opponent in rated:
                counted.append((rated[opponent], points, day))
            else:
                unrated += 1
    return counted, unrated


def one_change(event, lists, player, counted):
    """Art. 3.1 to 3.3 for one event: a function of the value, the games and the day of 2300 before it."""
    _, first, _, _, seconds, basis = event
    n, w = len(counted), sum(points for _, points, _ in counted)
    mean = Fraction(sum(rating for rating, _, _ in counted), n)
    performance = four_decimals(mean + difference_of(Fraction(100 * w, 2 * n)))

    def change(running, games_before, first_2300):
        figures = {"games": n, "points": w, "games_before": games_before}
        figures |= {"average_e4": four_decimals(mean), "before_e4": running or 0}
        if games_before < 25:
            limited = min(max(performance, Fraction(1900)), Fraction(2400))
            weighed = (games_before * (running or 0) + n * limited) / Fraction(games_before + n)
            return figures | {
                "method": 0,
                "own_e4": running or 0,
                "performance_e4": limited,
                "performance_limited": limited != performance,
                "after_e4": limited if running is None else four_decimals(weighed),
            }
        own = Fraction(lists[basis][player]) if player in lists[basis] else running
        k = 25 if games_before < 30 else 10 if first_2300 and first_2300 <= first else 15
        pe = percentage_of(own - mean)
        we = four_decimals(pe * 2 * n / 100)
        delta = four_decimals(Fraction(k * development_of(seconds), 200) * (w - we))
        return figures | {
            "method": 1, "own_e4": own, "performance_e4": performance, "performance_limited": False,
            "expected_percentage_e4": pe, "expected_score_e4": we, "k": k, "development": development_of(seconds),
            "delta_e4": delta, "after_e4": running + delta,
        }  # fmt: skip

    return change


# --- Periods made by chance, and both calculations side by side ----------------------------------------


def made_by_chance(seed, size):
    """A period with overlapping events, newcomers, forfeits, pauses, old lists and wide ratings."""
    chance = Random(seed)  # noqa: S311 (no secret)
    closing = date(2026, chance.choice([3, 6, 9, 12]), 15)
    ids = chance.sample(range(1, 40 * size), size)
    previous = {i: chance.randint(900, 2700) for i in ids if chance.random() < 0.8}
    earlier = {i: max(1, r + chance.randint(-60, 60)) for i, r in previous.items() if chance.random() < 0.9}
    near = [0, 1, 18, 23, 24, 25, 26, 28, 29, 30, 31, 200]
    players = {}
    for i in ids:
        games = chance.choice(near) if i in previous else 0
        reached = closing - timedelta(chance.randint(20, 900)) if chance.random() < 0.3 and games else None
        last = closing - timedelta(chance.randint(91, 2500)) if games else None
        players[i] = (games, reached, last, chance.randint(0, games))
    events = []
    for tournament in chance.sample(range(1, 10_000), size // 3 + 2):
        last = closing - timedelta(chance.randint(0, 30))
        first = last - timedelta(chance.randint(0, 120))
        seconds = chance.choice([7200, 7199, 5400, 5399, 3600, 3599, 1800, 1799, 901, 900, 60])
        events.append((tournament, first, last, chance.randint(0, 3), seconds, chance.randint(0, 1)))
    games = []
    for event, (_, first, last, *_) in enumerate(events):
        field = chance.sample(ids, min(size, chance.randint(2, 12)))
        for _ in range(chance.randint(1, 6) * len(field) // 2):
            white, black = chance.sample(field, 2)
            if chance.random() < 0.05:
                black = 0
            points = chance.choice([0, 1, 1, 2])
            day = chance.choice([first, last, closing.replace(year=closing.year - 3)])
            games.append((event, white, black, points, 2 - points, chance.random() < 0.95 and black > 0, day))
    carried = {i: chance.randint(-40, 40) for i in previous if chance.random() < 0.2}
    for i in ids:
        if i not in previous and chance.random() < 0.3:  # comes by a correction, with games of their own
            carried[i] = chance.randint(1900, 2400)
            players[i] = (chance.choice(near), *players[i][1:])
        elif i in previous and players[i][0] == 0 and chance.random() < 0.5:  # goes by one
            carried[i] = -previous[i]
    return Inputs(closing, [earlier, previous], players, events, games, carried)


def columns(details):
    def day(value, otherwise=None):
        return (value - EPOCH).days if value else otherwise

    rising = sorted(details.players)
    players = PlayerColumns(
        player=rising,
        rating=[details.lists[-1].get(p, 0) for p in rising],
        games=[details.players[p][0] for p in rising],
        first_2300_day=[day(details.players[p][1], NEVER) for p in rising],
        last_game_day=[day(details.players[p][2], NO_DAY) for p in rising],
        games_3_years=[details.players[p][3] for p in rising],
        carried=[details.carried.get(p, 0) for p in rising],
    )
    events = EventColumns(
        *zip(*((t, day(f), day(last), n, s, b) for t, f, last, n, s, b in details.events), strict=True)
    )
    games = GameColumns(
        *(np.array(c) for c in zip(*((*game[:6], day(game[6])) for game in details.games), strict=True))
    )
    rows = [(n, p, r) for n, held in enumerate(details.lists) for p, r in held.items()]
    basis = BasisColumns(*(np.array(c) for c in zip(*rows, strict=True)))
    return day(details.closing), players, events, games, basis


def engine(details, players=None):
    closing, everybody, events, games, basis = columns(details)
    chosen = everybody if players is None else everybody.rows(np.isin(everybody.player, players))
    part = participations(
        ANNEX_9_2024_04, closing, events, games, basis, players=None if players is None else chosen.player
    )
    return rate(ANNEX_9_2024_04, chosen, events, part)


def as_dicts(table):
    names = list(table.__dataclass_fields__)
    return [
        dict(zip(names, row, strict=True))
        for row in zip(*(getattr(table, n).tolist() for n in names), strict=True)
    ]


def compare(details):
    """Both calculations, field by field; gives the number of changes compared."""
    changes, rated = engine(details)
    expected_changes, expected_ratings = second_calculation(details)
    found = {(row["player"], row["event"]): row for row in as_dicts(changes)}
    assert found.keys() == expected_changes.keys()
    for key, expected in expected_changes.items():
        for name, value in expected.items():
            wanted = value * 10_000 if name.endswith("_e4") else value
            assert found[key][name] == wanted, (key, name, found[key], expected)
    ratings = {row["player"]: row for row in as_dicts(rated)}
    assert ratings.keys() == expected_ratings.keys()
    for player, expected in expected_ratings.items():
        assert {name: ratings[player][name] for name in expected} == expected, player
    return len(found)


def same(left, right):
    assert type(left) is type(right)
    return all(np.array_equal(getattr(left, n), getattr(right, n)) for n in left.__dataclass_fields__)


seeds = st.integers(0, 2**32)


def test_twenty_thousand_random_results_are_equal_to_fractions():
    chance = np.random.default_rng(9)
    size = 20_000
    games = chance.integers(1, 25, size)
    points = chance.integers(0, 2 * games + 1)
    opponents = np.array([chance.integers(800, 2801, n).sum() for n in games])
    own = np.where(
        chance.random(size) < 0.5,
        chance.integers(800, 2801, size) * 10_000,
        chance.integers(8_000_000, 28_000_001, size),
    )
    k = chance.choice([25, 15, 10], size)
    development = chance.choice([100, 60, 40, 20, 50], size)
    before_games = chance.integers(0, 25, size)
    percentage = tables.expected_percentage_e4(own, opponents, games)
    score = tables.expected_score_e4(percentage, games)
    delta = tables.change_e4(points, score, k, development)
    performance = tables.performance_e4(opponents, games, points)
    provisional = tables.provisional_e4(before_games, own, games, performance)
    below = above = 0
    for i in range(size):
        n, w, mean = int(games[i]), int(points[i]), Fraction(int(opponents[i]), int(games[i]))
        value = Fraction(int(own[i]), 10_000)
        pe = percentage_of(value - mean)
        we = four_decimals(pe * 2 * n / 100)
        rp = four_decimals(mean + difference_of(Fraction(100 * w, 2 * n)))
        weighed = (int(before_games[i]) * value + n * rp) / (int(before_games[i]) + n)
        assert (percentage[i], score[i]) == (pe * 10_000, we * 10_000), i
        assert (
            delta[i] == four_decimals(Fraction(int(k[i]) * int(development[i]), 200) * (w - we)) * 10_000
        ), i
        assert performance[i] == rp * 10_000, i
        assert provisional[i] == four_decimals(weighed) * 10_000, i
        below, above = below + (value < mean), above + (abs(value - mean) >= 935)
    # The chance must have reached both sides and the end of the table.
    assert below > 5000
    assert above > 100


def test_a_large_period_is_equal_to_fractions_in_every_figure():
    details = made_by_chance(2026, 120)
    assert compare(details) > 100


@pytest.mark.parametrize("seed", range(60))
def test_a_period_made_by_chance_is_equal_to_fractions(seed):
    assert compare(made_by_chance(seed, 18)) > 0


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_any_period_is_equal_to_fractions(seed):
    assert compare(made_by_chance(seed, 9)) >= 0


def test_the_periods_made_by_chance_hold_every_kind_of_change():
    rows = [row for seed in range(60) for row in as_dicts(engine(made_by_chance(seed, 18))[0])]
    assert {(row["method"], row["own_is_running"]) for row in rows} == {
        (0, False), (0, True), (1, False), (1, True),
    }  # fmt: skip
    assert {row["k"] for row in rows} == {0, 25, 15, 10}
    assert {row["development"] for row in rows} == {0, 100, 60, 40, 20, 50}
    assert {row["performance_limited"] for row in rows} == {True, False}
    assert {row["games_before"] for row in rows} >= {24, 25, 29, 30}
    assert max(row["sequence"] for row in rows) >= 3
    assert any(row["unrated_games"] for row in rows)


@given(seeds, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_rows_games_and_events_changes_nothing(seed, chance):
    details = made_by_chance(seed, 12)
    changes, rated = engine(details)

    moved = list(range(len(details.events)))
    chance.shuffle(moved)  # moved[new] = old
    new_of = {old: new for new, old in enumerate(moved)}
    games = [(new_of[game[0]], *game[1:]) for game in details.games]
    chance.shuffle(games)
    lists = []
    for held in details.lists:
        rows = list(held.items())
        chance.shuffle(rows)
        lists.append(dict(rows))
    other = Inputs(
        details.closing,
        lists,
        details.players,
        [details.events[old] for old in moved],
        games,
        details.carried,
    )
    closing, players, events, game_columns, basis = columns(other)
    part = participations(ANNEX_9_2024_04, closing, events, game_columns, basis)
    shuffled = np.array(chance.sample(range(len(part)), len(part)), dtype=np.int64)
    other_changes, other_rated = rate(ANNEX_9_2024_04, players, events, part.rows(shuffled))

    assert same(rated, other_rated)
    back = np.array(moved)[other_changes.event] if len(other_changes) else other_changes.event
    assert np.array_equal(back, changes.event)
    for name in set(changes.__dataclass_fields__) - {"event"}:
        assert np.array_equal(getattr(changes, name), getattr(other_changes, name)), name


@given(seeds, st.integers(1, 7), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_number_of_shards_changes_nothing(seed, shards, chance):
    details = made_by_chance(seed, 12)
    ids = sorted(details.players)
    home = [chance.randrange(shards) for _ in ids]
    parts = [
        engine(details, [i for i, h in zip(ids, home, strict=True) if h == shard]) for shard in range(shards)
    ]
    chance.shuffle(parts)
    changes = ChangeColumns.joined([part[0] for part in parts])
    rated = RatedColumns.joined([part[1] for part in parts])
    together = (
        changes.rows(np.lexsort((changes.sequence, changes.player))),
        rated.rows(np.argsort(rated.player)),
    )
    for joined, alone in zip(together, engine(details), strict=True):
        assert same(joined, alone)


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_the_changes_shown_add_up_to_what_a_player_gained(seed):
    details = made_by_chance(seed, 12)
    changes, rated = engine(details)
    published = {row["player"]: row for row in as_dicts(rated)}
    value = {
        player: (row["previous"] + details.carried.get(player, 0)) * 10_000
        for player, row in published.items()
    }
    for row in as_dicts(changes):
        assert row["before_e4"] == value[row["player"]]
        if row["method"] == 1:
            assert row["after_e4"] - row["before_e4"] == row["delta_e4"]
        value[row["player"]] = row["after_e4"]
    for player, row in published.items():
        # R9: half upwards, so the whole number lies within -0,5 (excluded) and +0,5 of the value.
        assert -5000 < row["rating"] * 10_000 - value[player] <= 5000


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_every_rated_player_is_on_the_list_once_whatever_the_register_numbers(seed):
    _, rated = engine(made_by_chance(seed, 12))
    numbers = -rated.player  # the reverse of the ids, to see that equal ratings follow the register number
    listed = arrange(ANNEX_9_2024_04, 20_600, rated, numbers)
    assert sorted(listed.player.tolist()) == rated.player.tolist()
    keys = list(zip((-listed.rating).tolist(), listed.register_number.tolist(), strict=True))
    assert keys == sorted(keys)
    assert listed.rank.tolist() == [1 + int((listed.rating > r).sum()) for r in listed.rating]
