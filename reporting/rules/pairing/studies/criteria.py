"""Global criteria: how well a player played a tournament, whatever the points (Ricca 2014, 2017; R61b, R61c).

Each returns a value by player, the higher the better. Only games over the board count.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reporting.rules.standings.annex_5 import solkoff
from reporting.rules.standings.cross_table import DRAW, WIN, CrossTable, Integers
from reporting.rules.standings.exact import rounded
from reporting.rules.standings.fide import expected_score_e2, rating_difference
from reporting.rules.standings.unplayed import face_value

START: Final = 2000
MAX_STEPS: Final = 1000
ZERMELO_CHANGE: Final = 1e-6
"""Relative change of the strengths at which the iteration stops."""


def absolute_performance(table: CrossTable) -> Integers:
    """ABSTPR: the performance (table 8.1.1) from the performances of the opponents, again and again.

    The iteration ends when the sum of the squares of the changes grows; the ratings before that step are returned.
    """
    games = table.games
    points = table.played_scores
    of_percentage = rating_difference(rounded(100 * points, WIN * np.maximum(games, 1)))
    ratings: Integers = np.full(table.players, START, dtype=np.int64)
    least = None
    for _ in range(MAX_STEPS):
        sums = np.where(table.played, table.of_opponents(ratings), 0).sum(axis=1)
        average = np.where(games > 0, rounded(sums, np.maximum(games, 1)), ratings)
        after = np.where(games > 0, average + of_percentage, ratings)
        squares = int(((after - ratings) ** 2).sum())
        if squares == 0 or (least is not None and squares > least):
            break
        ratings, least = after, squares
    return ratings


def absolute_elo(table: CrossTable) -> Integers:
    """ABSELO: ratings in half points whose expected scores (table 8.1.2, K = 50) are nearest to those made.

    The iteration ends when the sum of the squares of the differences of the scores grows, and keeps the step before.
    """
    ratings: Integers = np.full(table.players, 2 * START, dtype=np.int64)
    before, least = ratings, None
    for _ in range(MAX_STEPS):
        difference = ratings[:, None] - ratings[table.opponents]
        whole = np.sign(difference) * ((np.abs(difference) + 1) // 2)
        expected = np.where(table.played, expected_score_e2(whole), 0).sum(axis=1)
        missing = 50 * table.played_scores - expected  # hundredths of a win
        squares = int((missing**2).sum())
        if least is not None and squares > least:
            return before
        if not squares:
            break
        before, least = ratings, squares
        ratings = ratings + missing  # 50 × a hundredth is half a point
    return ratings


def zermelo(table: CrossTable) -> NDArray[np.float64]:
    """ZERMELO: Bradley-Terry strengths, a draw being half a win, by the usual iteration; their mean is 1.

    Players who won or lost all of their games get one virtual draw against a player of the strength 1.
    """
    is_one_sided = (table.played_scores == 0) | (table.played_scores == WIN * table.games)
    virtual = is_one_sided.astype(np.float64)
    wins = (table.played_scores + virtual) / WIN
    games = table.played.astype(np.float64)
    strengths: NDArray[np.float64] = np.ones(table.players)
    for _ in range(MAX_STEPS):
        pairs = (games / (strengths[:, None] + strengths[table.opponents])).sum(axis=1)
        after: NDArray[np.float64] = wins / (pairs + virtual / (strengths + 1))
        after /= after.mean()
        if (np.abs(after - strengths) <= ZERMELO_CHANGE * strengths).all():
            return after
        strengths = after
    return strengths


def missing_points(table: CrossTable) -> Integers:
    """MISPTS: the points of a complete round robin in 2-1-0, missing results inferred by the shortest path of games.

    Of equal paths the one with the better rated player in the middle counts, from the last step back. A path with a win
    is a win. Where both ways are equally long a win decides if only one is one.
    """
    players = table.players
    by_rating = np.lexsort((table.numbers, -table.ratings))
    place = np.empty(players, dtype=np.int64)
    place[by_rating] = np.arange(players)
    wins = np.zeros((players, players), dtype=bool)
    draws = np.zeros((players, players), dtype=bool)
    rows, columns = np.nonzero(table.played)
    first, second = place[rows], place[table.opponents[rows, columns]]
    wins[first, second] = table.points[rows, columns] == WIN
    draws[first, second] = table.points[rows, columns] == DRAW
    arcs = wins | draws
    distances = np.full((players, players), players, dtype=np.int64)
    distances[arcs] = 1
    np.fill_diagonal(distances, 0)
    has_win = wins.copy()
    length, reached = 1, arcs
    while reached.any():
        firsts, seconds = np.nonzero(distances > length)
        by_middle = reached[firsts] & arcs.T[seconds]
        middle = by_middle.argmax(axis=1)  # the best rated one
        found = by_middle[np.arange(len(middle)), middle]
        firsts, seconds, middle = firsts[found], seconds[found], middle[found]
        has_win[firsts, seconds] = has_win[firsts, middle] | wins[middle, seconds]
        length += 1
        distances[firsts, seconds] = length
        reached = distances == length
    shorter, equal = distances < distances.T, (distances == distances.T) & (distances < players)
    wins_only = has_win & (shorter | (equal & ~has_win.T))
    drawn = (shorter & ~has_win) | (shorter & ~has_win).T | (equal & (has_win == has_win.T))
    np.fill_diagonal(drawn, False)
    points = WIN * wins_only.sum(axis=1) + DRAW * drawn.sum(axis=1)
    return np.asarray(points[place])


def bruno(table: CrossTable) -> Integers:
    """BRUNO: the points × Buchholz, of which Bruno Buchholz thought first."""
    return np.asarray(table.scores * solkoff(face_value(table)).numerators)


def lots(table: CrossTable, random: Random) -> Integers:
    """RANDOM: a number by lot for each player."""
    drawn = list(range(table.players))
    random.shuffle(drawn)
    return np.array(drawn, dtype=np.int64)
