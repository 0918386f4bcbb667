"""A tournament as arrays: one row a player, one column a round (or a game of a round in a session)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reporting.rules.report import PAUSE, PointsScale, ReadReport, ReportedGame

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

WIN, DRAW = 2, 1
"""Points are kept in halves: a win is 2, in 2-1-0 and in 1-½-0."""

NONE = -1
"""The index of no opponent, and the rating of a player without one."""


class Kind(IntEnum):
    """What a player did in a round."""

    PLAYED = 0
    FORFEIT = 1
    """Paired, but decided by the referee without a game (Annex 3 art. 5.7)."""
    PAUSE = 2
    """Not paired, with the points of a win: the pause of the FMJD, FIDE's pairing-allocated bye."""
    HALF_POINT_BYE = 3
    """Not paired, with the points of a draw."""
    ABSENT = 4
    """Not paired and without points: a missed round, FIDE's zero-point bye."""


@dataclass(frozen=True)
class CrossTable:
    """The games of a tournament. Arrays of players × rounds have -1 where a round has no opponent.

    `numbers` are the tournament numbers, `ratings` those printed (-1 without). `points` are halves. `colours` are 1 for
    white, -1 for black, 0 where unknown or without a game. `halves_a_point` is 1 where a win is printed as 2, and 2
    where it is printed as 1. In the table of a team tournament a row is a team; `boards` are the points of its players
    in halves, teams × boards, and `halves_a_board_point` is how they are printed.
    """

    numbers: Integers
    names: tuple[str, ...]
    ratings: Integers
    opponents: Integers
    kinds: Integers
    points: Integers
    colours: Integers
    halves_a_point: int = 1
    round_robin: bool = False
    lots: Integers | None = field(default=None)
    boards: Integers | None = field(default=None)
    halves_a_board_point: int = 1

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.numbers)

    @property
    def rounds(self) -> int:
        """The number of columns."""
        return int(self.points.shape[1])

    @cached_property
    def scores(self) -> Integers:
        """The points of each player, in halves."""
        return np.asarray(self.points.sum(axis=1))

    @cached_property
    def played(self) -> Booleans:
        """Where a game was played over the board."""
        return np.asarray(self.kinds == Kind.PLAYED)

    @cached_property
    def paired(self) -> Booleans:
        """Where there is an opponent: a game, or a forfeit."""
        return np.asarray(self.opponents != NONE)

    @cached_property
    def games(self) -> Integers:
        """The number of games that each player played over the board."""
        return np.asarray(self.played.sum(axis=1))

    @cached_property
    def played_scores(self) -> Integers:
        """The points from games over the board, in halves."""
        return np.asarray(np.where(self.played, self.points, 0).sum(axis=1))

    @cached_property
    def scores_before(self) -> Integers:
        """The points of each player before each round, in halves."""
        return np.cumsum(self.points, axis=1) - self.points

    def of_opponents(self, values: Integers) -> Integers:
        """Return, for each player and round, the value of the opponent; 0 where there is none."""
        return np.where(self.paired, values[self.opponents], 0)


def cross_table(read: ReadReport, *, scale: PointsScale = PointsScale.FMJD, system: str = "") -> CrossTable:
    """Return the cross table of a report without errors; `system` is that of its details, else the report's own.

    In a session each game of a round is a column. A round in which a player has no line is a missed one.
    """
    index = {player.number: place for place, player in enumerate(read.players)}
    columns = {slot: column for column, slot in enumerate(_slots(read.games))}
    shape = (len(index), len(columns))
    opponents = np.full(shape, NONE, dtype=np.int64)
    kinds = np.full(shape, Kind.ABSENT, dtype=np.int64)
    points = np.zeros(shape, dtype=np.int64)
    colours = np.zeros(shape, dtype=np.int64)
    for game in read.games:
        column = columns[game.round, game.number]
        sides = (
            (game.white, game.black, game.white_points, 1),
            (game.black, game.white, game.black_points, -1),
        )
        for own, other, gained, colour in sides:
            if own == PAUSE:
                continue
            row = index[own]
            points[row, column] = gained
            if other == PAUSE:
                kinds[row, column] = _BYES.get(gained, Kind.ABSENT)
                continue
            opponents[row, column] = index[other]
            kinds[row, column] = Kind.PLAYED if game.played else Kind.FORFEIT
            colours[row, column] = colour if game.played and game.colours_known else 0
    return CrossTable(
        numbers=np.array(list(index), dtype=np.int64),
        names=tuple(player.name for player in read.players),
        ratings=np.array([player.rating_printed or NONE for player in read.players], dtype=np.int64),
        opponents=opponents,
        kinds=kinds,
        points=points,
        colours=colours,
        halves_a_point=2 if scale is PointsScale.HALVES else 1,
        round_robin=(system or read.info.system) == "round-robin",
    )


_BYES = {WIN: Kind.PAUSE, DRAW: Kind.HALF_POINT_BYE}


def _slots(games: Iterable[ReportedGame]) -> Sequence[tuple[int, int]]:
    """The rounds and their games, in order; a round without a game has its column too."""
    most = Counter[int]()
    for game in games:
        most[game.round] = max(most[game.round], game.number)
    last = max(most, default=0)
    return [(round_, game) for round_ in range(1, last + 1) for game in range(1, max(most[round_], 1) + 1)]


def tied_players(groups: Integers) -> list[Integers]:
    """Return the rows of each group of two or more players with the same number in `groups`."""
    order = np.argsort(groups, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    return [rows for rows in members if len(rows) > 1]
