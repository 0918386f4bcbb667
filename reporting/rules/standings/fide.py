"""The tie-breaks of FIDE (Handbook C.07) in its editions of 2023 and of March 2026.

What is carried out, article by article, and from which public sources it was read: `docs/rules/fide-tie-breaks.md`.
In a round robin a forfeit counts as a game (art. 15.2), but not where an article asks for games over the board. The
rest in a round robin of an odd number is no round (R60f).
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Final

import numpy as np

from reporting.rules.standings.cross_table import (
    DRAW,
    NONE,
    WIN,
    Booleans,
    CrossTable,
    Integers,
    Kind,
    tied_players,
)
from reporting.rules.standings.exact import (
    Column,
    Counted,
    Terms,
    lowest_left_out,
    over_the_board,
    rounded,
    summed,
    whole,
)

DIFFERENCE_BY_PERCENTAGE: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
"""Table 8.1.1 (8.1a): the rating difference for 50 % to 100 %."""

FIRST_DIFFERENCES: Final = (
    0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114,
    122, 130, 138, 146, 154, 163, 171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268,
    279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518, 560, 620, 736,
)  # fmt: skip
"""Table 8.1.2 (8.1b): the first rating difference of 0.50, 0.51, … 1.00 for the higher rated player."""

_HIGHER_E2 = 50 + np.searchsorted(FIRST_DIFFERENCES, np.arange(FIRST_DIFFERENCES[-1] + 1), side="right") - 1

LOWEST_PERFORMANCE = 800
"""Below the lowest opponent, for a player without points (art. 10.3)."""


class Edition(StrEnum):
    """An edition of C.07."""

    E2023 = "2023"
    E2026_03 = "2026-03"


FIRST_DAYS: Final = {Edition.E2023: date.min, Edition.E2026_03: date(2026, 3, 1)}


def edition_on(day: date | None) -> Edition:
    """Return the edition in force on the last day of a tournament; the newest for an unknown day (R60e)."""
    return [edition for edition, first in FIRST_DAYS.items() if day is None or first <= day][-1]


def adjusted_scores(table: CrossTable) -> Integers:
    """Return the scores for the tie-breaks of the opponents (art. 16.3).

    A requested bye is a draw where only requested byes and forfeit losses follow, or nothing (16.2.5, 16.3.2).
    """
    voluntary = _voluntary(table)
    later = np.cumprod(voluntary[:, ::-1], axis=1)[:, ::-1].astype(bool)  # this round and each later one
    requested = (table.kinds == Kind.HALF_POINT_BYE) | (table.kinds == Kind.ABSENT)
    if table.round_robin:
        return table.scores
    return np.asarray(np.where(requested & later, DRAW, table.points).sum(axis=1))


def buchholz(table: CrossTable, edition: Edition, *, lowest: int = 0, highest: int = 0) -> Column:
    """The sum of the scores of the opponents (art. 8.1), with cuts (14.1 to 14.3, 16.5): `BH`, `BH/C1`, `BH/M1`."""
    scores, counted = _contributions(table, edition)
    voluntary: Booleans = _voluntary(table) & ~_counts_as_game(table)
    kept = table.counted_rounds
    for _ in range(lowest):
        first: Booleans = kept & voluntary
        any_first = np.asarray(first.any(axis=1))
        kept = lowest_left_out(scores, kept, np.where(any_first[:, None], first, kept))
    for _ in range(highest):
        kept = lowest_left_out(-scores, kept)
    return summed(Terms(scores, np.ones_like(scores), 1, kept, counted), power=1)


def sonneborn_berger(table: CrossTable, edition: Edition) -> Column:
    """The score of each opponent × the points against that opponent (art. 9.1): `SB`."""
    scores, counted = _contributions(table, edition)
    return summed(Terms(scores, table.points, 1, table.counted_rounds, counted), power=2)


def average_opponents_buchholz(table: CrossTable, edition: Edition) -> Column:
    """The average Buchholz of the opponents met over the board (art. 8.2): `AOB`.

    Also in a round robin, where the forfeits of these opponents are games in their Buchholz (15.2).
    """
    games = table.played
    values = np.where(games, table.of_opponents(buchholz(table, edition).numerators), 0)
    terms = Terms(values, np.ones_like(values), 1, games, _counted(games))
    return over_the_board(Column(values.sum(axis=1), np.maximum(games.sum(axis=1), 1), 1, terms), games)


def average_rating(table: CrossTable) -> Column:
    """The average rating of the opponents over the board, a half going up (art. 10.1): `ARO`."""
    games = _rated_games(table)
    ratings = np.where(games, table.ratings[table.opponents], 0)
    terms = Terms(ratings, np.ones_like(ratings), 1, games, _counted(games))
    return over_the_board(whole(_mean(ratings, games), terms=terms), games)


def performance(table: CrossTable) -> Column:
    """The average rating of the opponents and the difference for the percentage (art. 10.2, table 8.1.1): `TPR`."""
    games = _rated_games(table)
    average = average_rating(table)
    count = games.sum(axis=1)
    points = np.where(games, table.points, 0).sum(axis=1)
    percentage = rounded(100 * points, WIN * np.maximum(count, 1))
    value = np.where(count > 0, average.numerators + rating_difference(percentage), 0)
    return over_the_board(whole(value, terms=average.terms), games)


def perfect_performance(table: CrossTable) -> Column:
    """The lowest rating whose expected score is at least the score (art. 10.3, table 8.1.2): `PTP`."""
    games = _rated_games(table)
    ratings = np.where(games, table.ratings[table.opponents], 0)
    points = np.where(games, table.points, 0).sum(axis=1)
    lowest = np.where(games, ratings, np.iinfo(np.int32).max).min(axis=1, initial=np.iinfo(np.int32).max)
    low = lowest - FIRST_DIFFERENCES[-1] - 1  # expects nothing
    high = ratings.max(axis=1, initial=0) + FIRST_DIFFERENCES[-1]  # expects all points
    while (high - low > 1).any():
        middle = (low + high) // 2
        expected = np.where(games, expected_score_e2(middle[:, None] - ratings), 0).sum(axis=1)
        enough = WIN * expected >= 100 * points
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    value = np.where(points > 0, high, lowest - LOWEST_PERFORMANCE)
    terms = Terms(ratings, np.ones_like(ratings), 1, games, _counted(games))
    return over_the_board(whole(np.where(games.any(axis=1), value, 0), terms=terms), games)


def average_opponents_performance(table: CrossTable) -> Column:
    """The average `TPR` of the opponents over the board, a half going up (art. 10.4): `APRO`."""
    performances = performance(table)
    games = table.played & np.asarray(_rated_games(table).any(axis=1))[table.opponents]
    values = np.where(games, table.of_opponents(performances.numerators), 0)
    terms = Terms(values, np.ones_like(values), 1, games, _counted(games))
    return over_the_board(whole(_mean(values, games), terms=terms), games)


def wins(table: CrossTable) -> Column:
    """The rounds with the points of a win, played or not (art. 7.1): `WIN`."""
    return whole(((table.points == WIN) & table.counted_rounds).sum(axis=1))


def games_won(table: CrossTable) -> Column:
    """The games won over the board (art. 7.2): `WON`."""
    return whole(((table.points == WIN) & table.played).sum(axis=1))


def games_with_black(table: CrossTable) -> Column:
    """The games over the board with black (art. 7.3): `BPG`."""
    return whole(((table.colours < 0) & table.played).sum(axis=1))


def progressive_score(table: CrossTable) -> Column:
    """The sum of the scores after each round (art. 7.5): `PS`."""
    running = np.cumsum(table.points, axis=1)
    kept = table.counted_rounds
    return summed(Terms(running, np.ones_like(running), 1, kept, _counted(kept)), power=1)


def koya(table: CrossTable) -> Column:
    """The points against opponents with half of the possible points or more (art. 9.2, R60e): `KS`.

    Forfeits count. The possible points are those of all rounds, in a round robin those of the opponent's games.
    """
    possible = WIN * (table.paired.sum(axis=1) if table.round_robin else np.full(table.players, table.rounds))
    half = 2 * table.scores >= possible
    kept = table.paired & half[table.opponents]
    counted = np.where(kept, Counted.GAME, Counted.LEFT_OUT)
    return summed(Terms(table.points, np.ones_like(table.points), 1, kept, counted), power=1)


def direct_encounter(table: CrossTable, groups: Integers) -> Column:
    """The place among the tied players by their games against each other (art. 6): `DE`, 1 is best.

    Where all of them have met, by points, then again among those still tied. Where some have not, those come first
    (and next) whose points cannot be reached, whatever the missing games would bring. Forfeits are not games, but
    in a round robin they are (15.2).
    """
    places = np.ones(table.players, dtype=np.int64)
    games = _counts_as_game(table)
    for group in tied_players(groups):
        _rank(table, games, group, places, 1)
    return whole(places)


def _rank(table: CrossTable, games: Booleans, group: Integers, places: Integers, first: int) -> None:
    places[group] = first
    inside = games[group] & np.isin(table.opponents[group], group)
    points = np.where(inside, table.points[group], 0).sum(axis=1)
    met = np.array(
        [len(set(row[mask].tolist())) for row, mask in zip(table.opponents[group], inside, strict=True)]
    )
    missing = len(group) - 1 - met
    if not missing.any():
        for place in range(len(group)):
            better = int((points > points[place]).sum())
            places[group[place]] = first + better
        for score in np.unique(points):
            level = group[points == score]
            if 1 < len(level) < len(group):
                _rank(table, games, level, places, first + int((points > score).sum()))
        return
    left = np.arange(len(group))
    while len(left) > 1:
        most = points[left] + WIN * missing[left]
        best = [
            place
            for place, low in zip(left, points[left], strict=True)
            if all(low > high for other, high in zip(left, most, strict=True) if other != place)
        ]
        if not best:
            break
        left = left[left != best[0]]
        places[group[left]] = places[group[best[0]]] + 1


def _counts_as_game(table: CrossTable) -> Booleans:
    return table.paired if table.round_robin else table.played


def _rated_games(table: CrossTable) -> Booleans:
    return np.asarray(table.played & (table.ratings[table.opponents] != NONE))


def _voluntary(table: CrossTable) -> Booleans:
    """Requested byes and forfeit losses (art. 16.1.2)."""
    requested = (table.kinds == Kind.HALF_POINT_BYE) | (table.kinds == Kind.ABSENT)
    return np.asarray(requested | ((table.kinds == Kind.FORFEIT) & (table.points == 0)))


def _contributions(table: CrossTable, edition: Edition) -> tuple[Integers, Integers]:
    """Return what each round counts for, and why (art. 16.4): the opponent, or a dummy with the player's own score.

    In the edition 2026-03 the dummy has at most the adjusted score of the scheduled opponent (16.4.1), or without one
    the points of a draw × rounds (16.4.2).
    """
    adjusted = adjusted_scores(table)
    games = _counts_as_game(table)
    of_opponents = table.of_opponents(adjusted)
    dummy = np.broadcast_to(table.scores[:, None], table.points.shape)
    if edition is Edition.E2026_03:
        dummy = np.minimum(dummy, np.where(table.paired, of_opponents, DRAW * table.rounds))
    counted = np.select(
        [table.played, games, ~table.counted_rounds],
        [Counted.GAME, Counted.SCHEDULED_OPPONENT, Counted.LEFT_OUT],
        default=Counted.DUMMY,
    )
    return np.where(games, of_opponents, np.where(table.counted_rounds, dummy, 0)), counted


def _counted(kept: Booleans) -> Integers:
    return np.where(kept, Counted.GAME, Counted.LEFT_OUT)


def _mean(values: Integers, kept: Booleans) -> Integers:
    return rounded(values.sum(axis=1), np.maximum(kept.sum(axis=1), 1))


def expected_score_e2(difference: Integers) -> Integers:
    """Return the expected score in hundredths of a win for a difference of ratings (table 8.1.2)."""
    higher = _HIGHER_E2[np.minimum(np.abs(difference), FIRST_DIFFERENCES[-1])]
    return np.where(difference >= 0, higher, 100 - higher)


def rating_difference(percentage: Integers) -> Integers:
    """Return the rating difference for a whole percentage from 0 to 100 (table 8.1.1)."""
    differences = np.array(DIFFERENCE_BY_PERCENTAGE)
    return np.where(
        percentage >= 50, differences[np.abs(percentage - 50)], -differences[np.abs(percentage - 50)]
    )
