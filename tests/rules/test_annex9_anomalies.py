"""What the officer is asked about: a jump against the list before, and 2351 with few games (art. 6a, R13)."""

from dataclasses import fields, replace
from datetime import date

import numpy as np
import pytest

from ratings.federations.fmjd.rules.anomalies import few_games, jumps
from ratings.federations.fmjd.rules.columns import ChangeColumns, RatedColumns
from ratings.federations.fmjd.rules.edition import RULES
from ratings.federations.fmjd.rules.engine import arrange
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.federations.fmjd.texts import TEXTS
from ratings.rules.days import day_number

CLOSING = day_number(date(2026, 6, 15))


def listed(*rows):
    """A list of players given as (before, after, games of the period, all games, games in 3 years), ids 1, 2, …"""
    previous, rating, period_games, games, recent = zip(*rows, strict=True)
    size = len(rows)
    rated = RatedColumns(
        player=list(range(1, size + 1)), rating=list(rating), previous=list(previous),
        change=[after - before for before, after in zip(previous, rating, strict=True)],
        period_games=list(period_games), games=list(games), games_3_years=list(recent),
        last_game_day=[CLOSING] * size, reached_2300=[False] * size,
    )  # fmt: skip
    return arrange(ANNEX_9_2024_04, CLOSING, rated, np.arange(1, size + 1))


def changes_of(*players):
    """One row of changes per player named; what else is in them is not looked at."""
    size = len(players)
    columns = {
        field.name: np.zeros(size, bool if field.type == "Flags" else np.int64)
        for field in fields(ChangeColumns)
    }
    return ChangeColumns(**columns | {"player": np.array(players, dtype=np.int64)})


def is_jump(*row):
    return len(jumps(ANNEX_9_2024_04, changes_of(1), listed(row))) == 1


@pytest.mark.parametrize(
    ("before", "after", "period_games", "games", "asked"),
    [
        # 34 − 9 = 25 games before: not provisional (R7), the limit is 30, up and down.
        (2000, 2030, 9, 34, True),
        (2000, 2029, 9, 34, False),
        (2000, 1970, 9, 34, True),
        (2000, 1971, 9, 34, False),
        # 33 − 9 = 24 games before: provisional, the limit is 100.
        (2000, 2030, 9, 33, False), (2000, 2099, 9, 33, False), (2000, 2100, 9, 33, True),
        (2000, 1900, 9, 33, True), (2000, 1901, 9, 33, False),
        # No rating before: nothing to jump from.
        (0, 2400, 9, 9, False),
        # Not played, moved by a carried correction: 2000 → 2030.
        (2000, 2030, 0, 100, True),
    ],
)  # fmt: skip
def test_a_jump_is_30_points_or_100_for_who_was_provisional(before, after, period_games, games, asked):
    assert is_jump(before, after, period_games, games, games) is asked


def test_a_jump_says_from_where_to_where_by_how_many_games_in_how_many_tournaments():
    """Of 1 (ΔR 30), 2 (29), 3 (−40) and 4 (31, carried) the first, third and fourth; by rating: 4, 1, 3."""
    rows = listed(
        (2000, 2030, 9, 50, 20), (2000, 2029, 7, 50, 20), (2000, 1960, 16, 60, 20), (2200, 2231, 0, 80, 0)
    )
    found = jumps(ANNEX_9_2024_04, changes_of(1, 2, 2, 3, 3), rows)
    assert found.player.tolist() == [4, 1, 3]
    assert found.before.tolist() == [2200, 2000, 2000]
    assert found.after.tolist() == [2231, 2030, 1960]
    assert found.games.tolist() == [0, 9, 16]
    assert found.tournaments.tolist() == [0, 1, 2]


def test_the_limits_are_printed_with_the_numbers_of_the_edition():
    """30 and 100 points of the office, 25 games (R7), and of art. 6a 2351, 30 games, 3 years."""
    assert TEXTS["anomalies"].text % RULES[-1].numbers == (
        "Large jump: 30 points or more since the previous list, or 100 or more with fewer than 25 counted games before"
        " the period. Few games: rating 2351 or more, newly reached or with a game in the period, and fewer than 30"
        " counted games in 3 years"
    )


def test_an_office_sets_its_own_limits():
    strict = replace(ANNEX_9_2024_04, jump_points=10, jump_points_provisional=20)
    rows = listed(
        (2000, 2010, 1, 100, 1), (2000, 2009, 1, 100, 1), (2000, 2020, 1, 20, 1), (2000, 2019, 1, 20, 1)
    )
    assert sorted(jumps(strict, changes_of(1, 2, 3, 4), rows).player.tolist()) == [1, 3]


@pytest.mark.parametrize(
    ("before", "after", "period_games", "recent", "asked"),
    [
        # From 2351 on, under 30 games in 3 years, and they played.
        (2351, 2351, 1, 29, True), (2351, 2350, 1, 29, False), (2351, 2351, 1, 30, False), (2351, 2351, 1, 0, True),
        # They did not play: known from the list before, unless they were lower there.
        (2351, 2351, 0, 29, False),
        (2360, 2351, 0, 29, False),
        (2350, 2351, 0, 29, True),
        # New on the list.
        (0, 2351, 9, 9, True),
    ],
)  # fmt: skip
def test_few_games_from_2351_on_are_asked_about_where_that_is_new(before, after, period_games, recent, asked):
    found = few_games(ANNEX_9_2024_04, listed((before, after, period_games, 200, recent)))
    assert (found.player.tolist(), found.rating.tolist(), found.games_3_years.tolist()) == (
        ([1], [after], [recent]) if asked else ([], [], [])
    )


def test_an_empty_list_asks_nothing():
    rows = listed((2000, 2000, 0, 100, 1)).rows(np.array([], dtype=np.int64))
    assert len(jumps(ANNEX_9_2024_04, changes_of(), rows)) == len(few_games(ANNEX_9_2024_04, rows)) == 0
