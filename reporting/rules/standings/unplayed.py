"""What an unplayed round counts for in tie-breaks: ten methods (R51, R60 to R60c). A rest is no round (R60f).

The paper is Roberto Ricca, "Evaluation of unplayed games", FIDE Technical Commission 2017. Each method answers two
questions: which score the opponents of a player see, and what a round without a game is for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from reporting.rules.standings.cross_table import DRAW, WIN, Booleans, CrossTable, Integers, Kind
from reporting.rules.standings.exact import Counted, over_one_denominator


@dataclass(frozen=True)
class OpponentScores:
    """The score of the opponent in each round, in halves over `unit`, and the player's points in it, in halves."""

    table: CrossTable
    scores: Integers
    unit: int
    points: Integers
    counted: Integers
    cells: Booleans

    @property
    def ones(self) -> Integers:
        """A weight of 1 for each round."""
        return np.ones_like(self.points)


@dataclass(frozen=True)
class UnplayedMethod:
    """A method for unplayed games: its key, its name in the papers, and where it is defined."""

    key: str
    name: str
    article: str
    opponent_scores: Callable[[CrossTable], OpponentScores]


def face_value(table: CrossTable) -> OpponentScores:
    """Final scores; a forfeit counts the scheduled opponent, another round without a game 0 (Annex 5 art. 4.1; R51)."""
    counted = np.where(table.kinds == Kind.FORFEIT, Counted.SCHEDULED_OPPONENT, Counted.GAME)
    return OpponentScores(
        table=table,
        scores=table.of_opponents(table.scores),
        unit=1,
        points=table.points,
        counted=_or_rest(table, np.where(table.paired, counted, Counted.NOTHING)),
        cells=table.counted_rounds,
    )


def draw_self(table: CrossTable) -> OpponentScores:
    """Each round without a game is a draw against the player's own, so adjusted score (Ricca: DrawSelf)."""
    seen = _seen_as_draws(table)
    return OpponentScores(
        table=table,
        scores=np.where(table.played, table.of_opponents(seen), seen[:, None]),
        unit=1,
        points=np.where(table.played, table.points, DRAW),
        counted=_or_rest(table, np.where(table.played, Counted.GAME, Counted.SELF)),
        cells=table.counted_rounds,
    )


def virtual(table: CrossTable) -> OpponentScores:
    """Each round without a game is played against FIDE's virtual opponent (Ricca: StdVOpp; R60)."""
    return _virtual(table, table.scores_before)


def virtual_adjusted(table: CrossTable) -> OpponentScores:
    """The virtual opponent, whose score before the round has a limit (Ricca: AdjVOpp).

    After a forfeit it is the score that the scheduled opponent had; after another round without a game, that of a
    player who drew each round before.
    """
    before = table.scores_before
    rounds = np.arange(table.rounds)
    earlier: Integers = np.cumsum(table.counted_rounds, axis=1) - table.counted_rounds
    of_opponent = np.where(table.paired, before[table.opponents, rounds], DRAW * earlier)
    return _virtual(table, np.minimum(before, of_opponent))


def ignore(table: CrossTable) -> OpponentScores:
    """Only games over the board, of the player and of the opponents (Ricca: IgnoreUG).

    Here the points of the opponents; `annex_5` divides them by their games.
    """
    return OpponentScores(
        table=table,
        scores=np.where(table.played, table.of_opponents(table.played_scores), 0),
        unit=1,
        points=table.points,
        counted=np.where(table.played, Counted.GAME, Counted.LEFT_OUT),
        cells=table.played,
    )


def fair_draw(table: CrossTable) -> OpponentScores:
    """Fair; each round after a retirement is a draw for the opponents of the retired player (Ricca: FairDraw)."""
    return _fair(table, table.scores + DRAW * _retired_rounds(table), np.ones(table.players, dtype=np.int64))


def fair_zero(table: CrossTable) -> OpponentScores:
    """Fair; each round after a retirement is a loss for the opponents of the retired player (Ricca: FairZero)."""
    return _fair(table, table.scores, np.ones(table.players, dtype=np.int64))


def fair_average(table: CrossTable) -> OpponentScores:
    """Fair; the score of a retired player is prorated to all rounds (Ricca: FairAvg)."""
    return _fair(table, *_prorated(table))


def fair_board_average(table: CrossTable) -> OpponentScores:
    """Fair; a retired player gets the average of the games over the board for each later round (Ricca: FairBAvg)."""
    missed = np.where(table.games > 0, _retired_rounds(table), 0)
    games = np.maximum(table.games, 1)
    return _fair(table, np.asarray(table.scores * games + missed * table.played_scores), np.asarray(games))


def fair_tied(table: CrossTable) -> OpponentScores:
    """Fair; a retired player gets the average final score of those who were level at the retirement (Ricca: FairTied).

    Without such players it is that of `fair_average` (R60a).
    """
    seen, below = _prorated(table)
    missed = _retired_rounds(table)
    for row in np.flatnonzero(missed):
        last = table.rounds - missed[row]
        if not last:
            continue
        level = table.points[:, :last].sum(axis=1) == table.scores[row]
        level[row] = False
        if level.any():
            seen[row], below[row] = table.scores[level].sum(), level.sum()
    return _fair(table, seen, below)


def _seen_as_draws(table: CrossTable) -> Integers:
    return np.asarray(table.played_scores + DRAW * (table.counted_rounds.sum(axis=1) - table.games))


def _virtual(table: CrossTable, before: Integers) -> OpponentScores:
    later: Integers = np.cumsum(table.counted_rounds[:, ::-1], axis=1)[:, ::-1] - table.counted_rounds
    return OpponentScores(
        table=table,
        scores=np.where(
            table.played,
            table.of_opponents(_seen_as_draws(table)),
            before + (WIN - table.points) + DRAW * later,
        ),
        unit=1,
        points=table.points,
        counted=_or_rest(table, np.where(table.played, Counted.GAME, Counted.VIRTUAL_OPPONENT)),
        cells=table.counted_rounds,
    )


def _retired_rounds(table: CrossTable) -> Integers:
    """The rounds that a retired player missed at the end, 0 for others (R60a, R60c)."""
    absent = table.kinds == Kind.ABSENT
    missed = np.cumprod(absent[:, ::-1], axis=1).sum(axis=1)
    return np.where(missed >= 2, missed, 0)


def _prorated(table: CrossTable) -> tuple[Integers, Integers]:
    missed = _retired_rounds(table)
    stayed = np.where(missed < table.rounds, table.rounds - missed, table.rounds)
    return table.scores * table.rounds, stayed


def _fair(table: CrossTable, seen: Integers, below: Integers) -> OpponentScores:
    scores, unit = over_one_denominator(seen, below)
    own = (table.kinds == Kind.PAUSE) | (table.kinds == Kind.ABSENT)
    counted = np.select(
        [table.played, table.paired, own],
        [Counted.GAME, Counted.SCHEDULED_OPPONENT, Counted.OWN_SCORE],
        default=Counted.NOTHING,
    )
    real = np.where(table.paired, scores[table.opponents], 0)
    return OpponentScores(
        table=table,
        scores=np.where(own, (table.scores * unit)[:, None], real),
        unit=unit,
        points=table.points,
        counted=_or_rest(table, counted),
        cells=table.counted_rounds,
    )


def _or_rest(table: CrossTable, counted: Integers) -> Integers:
    return np.where(table.counted_rounds, counted, Counted.LEFT_OUT)


FACE_VALUE = UnplayedMethod("face-value", "FaceVal", "Annex 5 art. 4.1", face_value)
IGNORE = UnplayedMethod("ignore", "IgnoreUG", "Ricca 2017", ignore)

METHODS: Mapping[str, UnplayedMethod] = {
    method.key: method
    for method in (
        FACE_VALUE,
        UnplayedMethod("draw-self", "DrawSelf", "Ricca 2017", draw_self),
        UnplayedMethod("virtual", "StdVOpp", "Ricca 2017", virtual),
        UnplayedMethod("virtual-adjusted", "AdjVOpp", "Ricca 2017", virtual_adjusted),
        IGNORE,
        UnplayedMethod("fair-draw", "FairDraw", "Ricca 2017", fair_draw),
        UnplayedMethod("fair-avg", "FairAvg", "Ricca 2017", fair_average),
        UnplayedMethod("fair-bavg", "FairBAvg", "Ricca 2017", fair_board_average),
        UnplayedMethod("fair-tied", "FairTied", "Ricca 2017", fair_tied),
        UnplayedMethod("fair-zero", "FairZero", "Ricca 2017", fair_zero),
    )
}
"""The methods for unplayed games by key; `face-value` is the default (R51)."""
