"""The tie-breaks of Annex 5 art. 3.1 (R50 to R51a), with each method for unplayed games (R60)."""

from __future__ import annotations

import numpy as np

from reporting.rules.standings.cross_table import NONE, Booleans, CrossTable, Integers, Kind
from reporting.rules.standings.exact import Column, Counted, Terms, lowest_left_out, summed, whole
from reporting.rules.standings.unplayed import OpponentScores


def solkoff(opponents: OpponentScores) -> Column:
    """The sum of the scores of all opponents (art. 3.1 a)."""
    return _sum(opponents, opponents.cells)


def median(opponents: OpponentScores) -> Column:
    """Solkoff without the highest and the lowest score (art. 3.1 b)."""
    return _sum(
        opponents, lowest_left_out(-opponents.scores, lowest_left_out(opponents.scores, opponents.cells))
    )


def short(opponents: OpponentScores) -> Column:
    """Short truncated Solkoff: without the lowest score (art. 3.1 c)."""
    return _sum(opponents, lowest_left_out(opponents.scores, opponents.cells))


def full(opponents: OpponentScores) -> Column:
    """Full truncated Solkoff: without the lowest score, without the two lowest ones, and so on (art. 3.1 d)."""
    ordered = np.sort(opponents.scores, axis=1)[:, ::-1]
    kept = np.cumsum(ordered, axis=1)[:, ::-1][:, 1:]
    return Column(kept, np.ones(len(kept), dtype=np.int64), power=1, terms=_terms(opponents, opponents.cells))


def plus(opponents: OpponentScores) -> Column:
    """Solkoff plus: the sum of the Solkoff of the opponents (art. 3.1 e); that of a pause is 0 (R51)."""
    own = opponents.scores.sum(axis=1)
    scores = opponents.table.of_opponents(own)
    return summed(Terms(scores, opponents.ones, 1, opponents.cells, opponents.counted), power=1)


def baliakin(opponents: OpponentScores) -> Column:
    """Solkoff Baliakin: the sum of the scores of the opponents, each multiplied by its Solkoff (art. 3.1 f)."""
    own = opponents.scores.sum(axis=1)
    weights = opponents.table.of_opponents(own)
    return summed(Terms(opponents.scores, weights, 1, opponents.cells, opponents.counted), power=2)


def sonneborn_berger(opponents: OpponentScores) -> Column:
    """Twice the scores of the opponents beaten and once those of the opponents drawn with (art. 3.1 g, R50a)."""
    terms = Terms(opponents.scores, opponents.points, opponents.unit, opponents.cells, opponents.counted)
    return summed(terms, power=2)


def average_rating(table: CrossTable) -> Column:
    """The average rating of the opponents (art. 3.1 h, R51a).

    They are the scheduled ones, and for a pause one with the lowest rating of the tournament - 1. Missed rounds and
    opponents without a rating do not count; empty for a player for whom nothing counts.
    """
    rated = table.ratings[table.ratings != NONE]
    pause = (table.kinds == Kind.PAUSE) & bool(len(rated))
    known = table.paired & (table.ratings[table.opponents] != NONE)
    ratings = np.where(known, table.ratings[table.opponents], int(rated.min(initial=2**31)) - 1)
    kept = known | pause
    counted = np.select(
        [pause, known & (table.kinds == Kind.FORFEIT), known],
        [Counted.DUMMY, Counted.SCHEDULED_OPPONENT, Counted.GAME],
        default=Counted.LEFT_OUT,
    )
    return _average(np.where(kept, ratings, 0), kept, counted)


def own_rating(table: CrossTable) -> Column:
    """The player's own rating (art. 3.1 j), 0 without one."""
    return whole(np.maximum(table.ratings, 0))


def lot(table: CrossTable) -> Column:
    """The number drawn by lot (art. 3.1 k): a low one is better; 0 where no lots were drawn."""
    return whole(np.zeros(table.players) if table.lots is None else table.lots)


def _average(ratings: Integers, kept: Booleans, counted: Integers) -> Column:
    terms = Terms(ratings, np.ones_like(ratings), 1, kept, counted)
    return Column(
        ratings.sum(axis=1), np.maximum(kept.sum(axis=1), 1), terms=terms, empty=np.asarray(~kept.any(axis=1))
    )


def _terms(opponents: OpponentScores, kept: Booleans) -> Terms:
    return Terms(opponents.scores, opponents.ones, opponents.unit, kept, opponents.counted)


def _sum(opponents: OpponentScores, kept: Booleans) -> Column:
    return summed(_terms(opponents, kept), power=1)
