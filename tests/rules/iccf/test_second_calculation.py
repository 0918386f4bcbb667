"""The engine's lists are those of a second calculation, figure by figure, over made-up years; and what must hold."""

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from ratings.federations.iccf.rules.columns import FROM, METHODS, SUBSTITUTES
from ratings.federations.iccf.rules.engine import IccfInput
from tests.rules.iccf.second_calculation import SecondCalculation
from tests.rules.iccf.years import OPENING_DAY, QUARTERS, Year, columns_of_list
from tests.rules.knsb.second_ratings import records

SEEDS = range(8)
CASES = """
5 half or more | 5 less than half | 5 opponent limited | 8 before the earliest list | 8 difference over 350
8 own rating assumed | 9 r up to 2000 | 9 r between | 9 r from 2400 | 9 g at 30 | 9 g between | 9 g from 80
11 1800 | 11 1900 | 11 2000 | 11 2100 | 11 2200 | 11 2300 | 11 2400 | 11 2450 | 11 2500 | 11 level stated
11 national, mean | 11 national, 2400 | 11 national, none rated | 14 first rating | 14 no number | 15 all games
16 more than 800/k | 16 one more than 800/k | 16 as many as 800/k | 16 fewer than 800/k
18 a substitute | 18 a replaced | 18 a replaced, exactly 0 | 18 a substitute, both sides | 18 a replaced, both sides
18 a replaced, exactly 0, both sides
18 b the player replaced | 18 b the substitute | no games
"""
"""The cases of the items that the years must have; each is named in the second calculation."""
WORDS = {"method": METHODS, "own_from": FROM, "opponent_from": FROM, "substitute": SUBSTITUTES}


def by_player(columns):
    """The rows of a table by player, with the words of columns that are places in words."""
    rows = defaultdict(list)
    for row in records(columns):
        rows[row["player"]].append(
            row | {name: words[row[name]] for name, words in WORDS.items() if name in row}
        )
    return rows


@cache
def year(seed):
    """The four lists of a made-up year: the engine's input and calculation, rows and changes a second time."""
    made = Year(seed)
    second = SecondCalculation(OPENING_DAY, made.opening, made.numbers)
    calculations, lists = {}, []
    for in_force in QUARTERS:
        reports = made.reports(in_force, second.rows)
        columns = columns_of_list(in_force, made.numbers, made.opening, calculations, reports)
        calculations[in_force] = IccfInput(columns).calculate()
        lists.append((columns, calculations[in_force], *second.calculate(in_force, reports)))
    return lists, second.branches


def test_every_figure_is_that_of_the_second_calculation_and_every_case_is_met():
    met, figures = Counter(), 0
    for seed in SEEDS:
        lists, branches = year(seed)
        met += branches
        for quarter, (_, found, rows, changes) in enumerate(lists):
            found_rows, found_changes = by_player(found.rows), by_player(found.changes)
            assert found_rows.keys() == rows.keys()
            for player, row in rows.items():
                assert [{name: one[name] for name in row} for one in found_rows[player]] == [row], (
                    seed,
                    quarter,
                )
                own = found_changes.get(player, [])
                assert len(own) == len(changes[player])
                for one, change in zip(own, changes[player], strict=True):
                    assert {name: one[name] for name in change} == change, (seed, quarter, player)
                figures += len(row) + sum(map(len, changes[player]))
    assert sorted(met) == sorted(CASES.strip().replace("\n", " | ").split(" | "))
    assert figures > 50_000


def rows_and_changes(calculation):
    """The rows, and the changes by player and game without their sequence."""
    changes = {
        (change["player"], change["game"]): change | {"sequence": None}
        for change in records(calculation.changes)
    }
    return records(calculation.rows), changes


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_order_of_reports_and_games_changes_neither_digest_nor_digit(seed):
    for columns, found, _, _ in year(seed)[0]:
        chance = np.random.default_rng(seed)
        events, games = chance.permutation(len(columns.events)), chance.permutation(len(columns.games))
        place, moved = np.argsort(events), columns.games.rows(games)
        other = replace(
            columns,
            events=columns.events.rows(events),
            participants=replace(columns.participants, event=place[columns.participants.event]),
            games=replace(moved, event=place[moved.event]),
        )
        assert IccfInput(other).digest() == IccfInput(columns).digest()
        again = IccfInput(other).calculate()
        assert records(again.rows) == records(found.rows)
        assert records(again.changes) == records(found.changes)


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_tournament_numbers_and_lines_change_no_digit(seed):
    for columns, found, _, _ in year(seed)[0]:
        random = Random(seed)  # noqa: S311
        numbers = np.unique(columns.events.number).tolist()
        number = dict(zip(numbers, random.sample(numbers, len(numbers)), strict=True))
        lines = random.sample(range(len(columns.games)), len(columns.games))
        other = replace(
            columns,
            events=replace(columns.events, number=[number[old] for old in columns.events.number.tolist()]),
            games=replace(columns.games, line=lines),
        )
        assert rows_and_changes(IccfInput(other).calculate()) == rows_and_changes(found)


def test_a_game_between_two_fixed_players_with_equal_k_sums_to_0():
    pairs = 0
    for seed in SEEDS:
        for _, found, _, _ in year(seed)[0]:
            sides = defaultdict(list)
            for change in records(found.changes):
                if METHODS[change["method"]] == "6":
                    sides[change["game"]].append(change)
            for one, other in (changes for changes in sides.values() if len(changes) == 2):
                is_mutual = one["own"] == other["opponent_rating"] and one["opponent_rating"] == other["own"]
                if is_mutual and one["k_e6"] == other["k_e6"]:
                    assert one["added_e8"] + other["added_e8"] == 0
                    pairs += 1
    assert pairs > len(SEEDS)


def report(number, in_force, *games):
    """One of the open class whose games began with the opening list, as (White, Black, half points of White)."""
    return {
        "result_set": number, "number": number, "part": 1, "first_day": OPENING_DAY, "kind": "open-class", "level": 0,
        "players": sorted({player for game in games for player in game[:2]}),
        "games": [
            {
                "game": 10 * number + line, "round": 1, "line": line, "white": white, "black": black, "white_for": 0,
                "black_for": 0, "white_points": points, "first_day": OPENING_DAY, "last_day": in_force - 40,
            }
            for line, (white, black, points) in enumerate(games)
        ],
    }  # fmt: skip


def ratings_of_lists(opening, quarters):
    """The ratings by player on the lists of quarters, each made of its reports and the lists before."""
    numbers, calculations = {player: player for player in opening}, {}
    for in_force, reports in quarters.items():
        columns = columns_of_list(in_force, numbers, opening, calculations, reports)
        calculations[in_force] = IccfInput(columns).calculate()
    return [
        dict(zip(calculation.rows.player.tolist(), calculation.rows.rating.tolist(), strict=True))
        for calculation in calculations.values()
    ]


def test_a_player_who_draws_against_the_own_opening_rating_keeps_it():
    """R92a, for 1 to 29 games; the opponents have the same rating on 200 games, and keep theirs by formula 6."""
    opening = {player: (1500 + 37 * player, player) for player in range(1, 30)}
    opening |= {100 + player: (1500 + 37 * player, 200) for player in range(1, 30)}
    games = [(player, 100 + player, 1) for player in range(1, 30)]
    found = ratings_of_lists(opening, {QUARTERS[0]: [report(1, QUARTERS[0], *games)]})
    assert found == [{player: rating for player, (rating, _) in opening.items()}]


def test_a_correction_two_lists_back_of_a_player_with_12_games_changes_all_later_lists():
    """1875 on 12 games; a win over 1875, then a draw with 1900 that began with the opening list, then no game.

    Win: p = 7/13, 1875 + 29 · 168.5/169 = 1903.914; then Rc = 26275/14 = 1876.786, w = 15 halves: p = 15/28 = 0.536:
    D(0.54) = 29, F = (196 + 420 - 225)/392 = 391/392: 28.926; 1905.712.
    Corrected to a loss: p = 6/13, 1 - p = 0.538: -29, F is the same: 1846.086; then w = 13: p = 13/28, 1 - p = 0.536:
    -29, F = (196 + 364 - 169)/392 = 391/392; 1847.860.
    The opponent, 1875 on 200 games, has k 20, We 0.5: 1865 or 1885; that of the draw, 1900, difference 25: 0.53: -0.6.
    """
    opening = {1: (1875, 12), 2: (1875, 200), 3: (1900, 200)}

    def lists(points):
        games = {QUARTERS[0]: (1, 2, points), QUARTERS[1]: (3, 1, 1)}
        reports = {
            day: [report(number, day, game)] for number, (day, game) in enumerate(games.items(), start=1)
        }
        return ratings_of_lists(opening, {**reports, QUARTERS[2]: [report(3, QUARTERS[2], (2, 3, 1))]})

    # The game of the third list is 1875 against 1900 by the opening list: 20 · (0.5 - 0.47) = 0.6, and -0.6.
    assert lists(2) == [{1: 1904, 2: 1865, 3: 1900}, {1: 1906, 2: 1865, 3: 1899}, {1: 1906, 2: 1866, 3: 1898}]
    assert lists(0) == [{1: 1846, 2: 1885, 3: 1900}, {1: 1848, 2: 1885, 3: 1899}, {1: 1848, 2: 1886, 3: 1898}]
