"""Tie-breaks from averages of played games only: the proposals of the FIDE Technical Commission's papers of 2017.

Ricca's method without unplayed games (IgnoreUG), Anantharam's Sivakasi, Ucarcus' AvB and Vereshchagin's AASO
(R60 to R60e). Scores are in halves.
"""

from __future__ import annotations

import numpy as np

from reporting.rules.standings.cross_table import DRAW, NONE, WIN, Booleans, CrossTable, Integers, Kind
from reporting.rules.standings.exact import (
    Column,
    Counted,
    Terms,
    lowest_left_out,
    over_one_denominator,
    over_the_board,
)
from reporting.rules.standings.fide import expected_score_e2
from reporting.rules.standings.unplayed import OpponentScores

SIVAKASI_THRESHOLD = 150
"""A difference of ratings from which the opponent of a forfeit in round 1 was much stronger or weaker (R60a)."""

LARGEST_DIFFERENCE = 400


def ignore_solkoff(opponents: OpponentScores, *, lowest: int = 0, highest: int = 0) -> Column:
    """Points of the opponents by their games, all over the board, × rounds × rounds counted (Ricca: IgnoreUG).

    A cut leaves out the opponent without whom the value is highest; at the other end, without whom it is lowest.
    """
    table, points = opponents.table, opponents.scores
    games = np.where(table.played, table.of_opponents(table.games), 0)
    kept = table.played
    for _ in range(lowest):
        kept = _without(points, games, kept, best=True)
    for _ in range(highest):
        kept = _without(points, games, kept, best=False)
    return _ratio(table, points, games, kept, cuts=lowest + highest)


def ignore_sonneborn_berger(opponents: OpponentScores) -> Column:
    """Sonneborn-Berger of the games over the board by the games of the opponents (Ricca: IgnoreUG)."""
    table, points = opponents.table, opponents.scores
    games = np.where(table.played, table.of_opponents(table.games), 0)
    below = np.maximum(games.sum(axis=1), 1)
    factor = table.counted_rounds.sum(axis=1) ** 2
    terms = Terms(points, table.points, 1, table.played, _only_games(table))
    total = (points * table.points * table.played).sum(axis=1)
    return over_the_board(Column(total * factor, below, 2, terms), table.played)


def sivakasi(table: CrossTable, *, cut: bool = False) -> Column:
    """Sivakasi Buchholz: the scores of the opponents played, and their average for each round without a game.

    The average changes in round 1 (rules a and b), and after a forfeit by an opponent with a higher score (rule c);
    `cut` leaves out the lowest opponent first (Anantharam; R60a, R60d).
    """
    kept = lowest_left_out(table.of_opponents(table.scores), table.played) if cut else table.played
    scores = np.where(table.played, table.of_opponents(table.scores), 0)
    total, count = (scores * kept).sum(axis=1), np.maximum(kept.sum(axis=1), 1)
    average = total[:, None] + _of_round_1(table) * count[:, None]  # over `count`
    won_by_forfeit = (table.kinds == Kind.FORFEIT) & (table.points == WIN)
    actual = table.of_opponents(table.scores) * count[:, None]
    rule_c = won_by_forfeit & (actual > total[:, None])
    mean = np.where(
        rule_c, actual, np.where(won_by_forfeit | (table.kinds == Kind.PAUSE), average, total[:, None])
    )
    numerators, unit = over_one_denominator(
        np.where(table.played, scores * count[:, None], mean), np.broadcast_to(count[:, None], mean.shape)
    )
    counted = np.select(
        [table.played, rule_c, ~table.counted_rounds],
        [Counted.GAME, Counted.ACTUAL_SCORE, Counted.LEFT_OUT],
        default=Counted.AVERAGE,
    )
    every = (kept | ~table.played) & table.counted_rounds
    terms = Terms(numerators, np.ones_like(table.points), unit, every, counted)
    column = Column(
        (numerators * every).sum(axis=1), np.full(table.players, unit, dtype=numerators.dtype), 1, terms
    )
    return over_the_board(column, table.played)


def sivakasi_sonneborn_berger(table: CrossTable) -> Column:
    """Sonneborn-Berger of the games, and the average score × the expected score for each other round (R60d)."""
    scores = np.where(table.played, table.of_opponents(table.scores), 0)
    count = np.maximum(table.games, 1)
    own, others = table.ratings[:, None], table.ratings[table.opponents]
    rated = table.paired & (own != NONE) & (others != NONE)
    difference = np.clip(np.where(rated, own - others, 0), -LARGEST_DIFFERENCE, LARGEST_DIFFERENCE)
    expected = expected_score_e2(difference)  # hundredths of a win
    numerators, unit = over_one_denominator(
        np.where(table.played, scores * count[:, None], scores.sum(axis=1)[:, None]),
        np.broadcast_to(count[:, None], scores.shape),
    )
    weights = np.where(table.played, 100 * table.points, WIN * expected)
    kept = table.counted_rounds
    counted = np.select([table.played, kept], [Counted.GAME, Counted.AVERAGE], default=Counted.LEFT_OUT)
    terms = Terms(numerators, weights, 100 * unit, kept, counted)
    column = Column(
        (numerators * weights * kept).sum(axis=1),
        np.full(table.players, terms.unit, dtype=numerators.dtype),
        2,
        terms,
    )
    return over_the_board(column, table.played)


def average_buchholz(table: CrossTable) -> Column:
    """AvB: the average score of the opponents played; of equal ones, more games played are better (Ucarcus)."""
    scores = np.where(table.played, table.of_opponents(table.scores), 0)
    terms = Terms(scores, np.ones_like(scores), 1, table.played, _only_games(table))
    column = Column(scores.sum(axis=1), np.maximum(table.games, 1), 1, terms, after=table.games)
    return over_the_board(column, table.played)


def aaso(table: CrossTable, *, cut: bool = False) -> Column:
    """AASO: scores over the board, prorated to all rounds, of the opponents played, prorated again (Vereshchagin)."""
    scores, unit = _prorated_opponents(table)
    kept, rounds = table.played, table.counted_rounds.sum(axis=1)
    if cut:
        kept, rounds = lowest_left_out(scores, kept), rounds - 1
    total = np.where(kept, scores, 0).sum(axis=1)
    terms = Terms(scores, np.ones_like(table.points), unit, kept, _only_games(table))
    column = Column(total * rounds, np.maximum(kept.sum(axis=1), 1) * unit, 1, terms)
    return over_the_board(column, table.played)


def aaso_sonneborn_berger(table: CrossTable) -> Column:
    """AASO for Sonneborn-Berger: all of the prorated score of an opponent beaten, half of one drawn with (R60a)."""
    scores, unit = _prorated_opponents(table)
    weights = np.where(table.played, table.points, 0)
    terms = Terms(scores, weights, unit, table.played, _only_games(table))
    total = (scores * weights).sum(axis=1)
    rounds = table.counted_rounds.sum(axis=1)
    return over_the_board(Column(total * rounds, np.maximum(table.games, 1) * unit, 2, terms), table.played)


def _ratio(table: CrossTable, points: Integers, games: Integers, kept: Booleans, *, cuts: int) -> Column:
    rounds = table.counted_rounds.sum(axis=1)
    above = np.where(kept, points, 0).sum(axis=1) * rounds * np.maximum(rounds - cuts, 0)
    below = np.maximum(np.where(kept, games, 0).sum(axis=1), 1)
    column = Column(above, below, 1, Terms(points, np.ones_like(points), 1, kept, _only_games(table)))
    return over_the_board(column, table.played)


def _without(points: Integers, games: Integers, kept: Booleans, *, best: bool) -> Booleans:
    """Leave out the round without which points by games are highest, or lowest."""
    above = (np.where(kept, points, 0).sum(axis=1)[:, None] - points).astype(np.int64)
    below = np.maximum(np.where(kept, games, 0).sum(axis=1)[:, None] - games, 1)
    chosen = np.full(len(points), NONE)
    rows = np.arange(len(points))
    for column in range(points.shape[1]):
        new, old = above[:, column] * below[rows, chosen], above[rows, chosen] * below[:, column]
        better = (new > old) if best else (new < old)
        chosen = np.where(kept[:, column] & ((chosen == NONE) | better), column, chosen)
    left = kept.copy()
    left[rows, chosen] &= chosen == NONE
    return left


def _of_round_1(table: CrossTable) -> Integers:
    """What rules a and b change in round 1, in halves: half a point less or more than the average."""
    change = np.zeros_like(table.points)
    if not table.rounds:
        return change
    first = table.opponents[:, 0]
    own, other = table.ratings, np.where(first != NONE, table.ratings[first], NONE)
    pause, forfeit = table.kinds[:, 0] == Kind.PAUSE, table.kinds[:, 0] == Kind.FORFEIT
    rated = own != NONE
    weaker = forfeit & rated & ((other == NONE) | (own - other >= SIVAKASI_THRESHOLD))
    stronger = forfeit & rated & (other != NONE) & (other - own >= SIVAKASI_THRESHOLD)
    change[:, 0] = np.where(pause | weaker, -DRAW, np.where(stronger, DRAW, 0))
    return change


def _prorated_opponents(table: CrossTable) -> tuple[Integers, int]:
    rounds = table.counted_rounds.sum(axis=1)
    scores, unit = over_one_denominator(table.played_scores * rounds, np.maximum(table.games, 1))
    return np.where(table.played, scores[table.opponents], 0), unit


def _only_games(table: CrossTable) -> Integers:
    return np.where(table.played, Counted.GAME, Counted.LEFT_OUT)
