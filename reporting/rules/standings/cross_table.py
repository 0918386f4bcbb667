"""A tournament as arrays: one row a player, one column a round (or a game of a round in a session)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reporting.rules.report import PAUSE, PointsScale, ReadReport, ReportedGame

Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

WIN, DRAW = 2, 1
"""Points are kept in halves: a win is 2, in 2-1-0 and in 1-½-0."""

Group = tuple[int, ...]

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
    REST = 5
    """No round: the rest in a round robin of an odd number (R60f), or a game that was cancelled (art. 5.9 A a)."""


@dataclass(frozen=True)
class Counting:
    """What a tournament decided about its standings, outside its games (Annex 3 art. 5.6a, 5.10; R25, R54).

    `round_scores` are the points of winner and loser of a round whose first, second, … game was won; a last pair of
    equal points is for a round without a winner. `plus_draws` are round, game of the round, the number with the
    advantage and its opponent. `decided_ties` are tournament numbers in the order that tie-break games or a lot gave
    them. `session` are the time controls of the games of a round. `default_tie_breaks` hold where the tournament names
    none: without any, players with equal points share a place; None is the order of Annex 3 art. 5.11 (R52).
    """

    session: tuple[str, ...] = ()
    round_scores: tuple[tuple[int, int], ...] = ()
    plus_draws: tuple[tuple[int, int, int, int], ...] = ()
    decided_ties: tuple[Group, ...] = ()
    default_tie_breaks: tuple[str, ...] | None = None
    is_world_championship: bool = False
    """Whether the order of Annex 17 art. 10 holds where the tournament names no tie-breaks."""


@dataclass(frozen=True)
class CrossTable:
    """The games of a tournament. Arrays of players × rounds have -1 where a round has no opponent.

    `numbers` are the tournament numbers, `ratings` those printed (-1 without). `points` are halves. `colours` are 1 for
    white, -1 for black, 0 where unknown or without a game. `halves_a_point` is 1 where a win is printed as 2, and 2
    where it is printed as 1. In the table of a team tournament a row is a team; `boards` are the points of its players
    in halves, teams × boards, and `halves_a_board_point` is how they are printed. With `round_points` a column is a
    round that has points of its own, and `points` are 2-1-0 by its result. `advantages` are 1 for a plus draw, -1 for a
    minus draw; `counting` is what they and the round points come from.
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
    round_points: Integers | None = field(default=None)
    advantages: Integers | None = field(default=None)
    counting: Counting = field(default_factory=Counting)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.numbers)

    @property
    def rounds(self) -> int:
        """The number of columns."""
        return int(self.points.shape[1])

    @property
    def scale(self) -> PointsScale:
        """How the points that count are printed."""
        return PointsScale.HALVES if self.halves_a_point == 2 else PointsScale.WHOLE

    @property
    def gained(self) -> Integers:
        """The points that count for the standings: in halves, or those of the rounds (Annex 3 art. 5.6a)."""
        return self.points if self.round_points is None else self.round_points

    @cached_property
    def scores(self) -> Integers:
        """The points of each player, as `gained` has them."""
        return np.asarray(self.gained.sum(axis=1))

    @cached_property
    def played(self) -> Booleans:
        """Where a game was played over the board."""
        return np.asarray(self.kinds == Kind.PLAYED)

    @cached_property
    def counted_rounds(self) -> Booleans:
        """The rounds of each player: all but rests (R60f)."""
        return np.asarray(self.kinds != Kind.REST)

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


def cross_table(
    read: ReadReport,
    *,
    scale: PointsScale = PointsScale.WHOLE,
    system: str = "",
    counting: Counting | None = None,
) -> CrossTable:
    """Return the cross table of a report without errors; `system` is that of its details, else the report's own.

    In a session each game of a round is a column, where rounds have no points of their own. A round in which a player
    has no line is a missed one.
    """
    counting = counting or Counting()
    index = {player.number: place for place, player in enumerate(read.players)}
    columns = {slot: column for column, slot in enumerate(_slots(read.games))}
    shape = (len(index), len(columns))
    opponents = np.full(shape, NONE, dtype=np.int64)
    kinds = np.full(shape, Kind.ABSENT, dtype=np.int64)
    points = np.zeros(shape, dtype=np.int64)
    colours = np.zeros(shape, dtype=np.int64)
    advantages = np.zeros(shape, dtype=np.int64)
    signs = {
        (turn, number, *pair): sign
        for turn, number, plus, minus in counting.plus_draws
        for pair, sign in (((plus, minus), 1), ((minus, plus), -1))
    }
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
            advantages[row, column] = signs.get((game.round, game.number, own, other), 0)
    table = CrossTable(
        numbers=np.array(list(index), dtype=np.int64),
        names=tuple(player.name for player in read.players),
        ratings=np.array([player.rating_printed or NONE for player in read.players], dtype=np.int64),
        opponents=opponents,
        kinds=kinds,
        points=points,
        colours=colours,
        halves_a_point=2 if scale is PointsScale.HALVES else 1,
        round_robin=(system or read.info.system) == "round-robin",
        advantages=advantages if advantages.any() else None,
        counting=counting,
    )
    return _by_rounds(table, list(columns)) if counting.round_scores else table


def _by_rounds(table: CrossTable, slots: Sequence[tuple[int, int]]) -> CrossTable:
    """The table with a column a round, by the first of its games that is not a draw (Annex 3 art. 5.6a; R54)."""
    scores = table.counting.round_scores
    won = [pair for pair in scores if pair[0] != pair[1]]
    drawn = scores[-1][0] if len(won) < len(scores) else sum(scores[-1]) // 2
    first = [place for place, (_, number) in enumerate(slots) if number == 1]
    opponents, kinds = table.opponents[:, first], table.kinds[:, first]
    points, colours = table.points[:, first], table.colours[:, first]
    round_points = np.where(points == WIN, won[0][0], np.where(points == DRAW, drawn, 0))  # of pauses
    advantages = np.zeros_like(points)
    is_open = np.ones_like(points, dtype=bool)
    for place, (turn, number) in enumerate(slots):
        column = turn - 1
        other = table.opponents[:, place]
        gained, against = table.points[:, place], table.points[other, place]
        here = is_open[:, column] & (other != NONE)
        opponents[here, column] = other[here]
        kinds[here, column] = np.minimum(kinds[here, column], table.kinds[here, place])
        points[here, column] = gained[here]
        more, less = won[min(number, len(won)) - 1]
        level = np.where(gained + against == 0, 0, drawn)  # 0 where both forfeited (art. 5.8)
        own = np.where(gained > against, more, np.where(gained < against, less, level))
        round_points[here, column] = own[here]
        is_open[here & ((gained != against) | (gained + against == 0)), column] = False
        if table.advantages is not None:
            advantages[:, column] += table.advantages[:, place]
    return replace(
        table,
        opponents=opponents,
        kinds=kinds,
        points=points,
        colours=colours,
        halves_a_point=1,
        round_points=round_points,
        advantages=None if table.advantages is None else advantages,
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
