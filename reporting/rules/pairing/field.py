"""The players of one round in pairing order, their score groups, and what each pair would cost (R63 to R65, R69)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reporting.rules.pairing.tournament import Acceleration, Colours, History, InsideGroup
from reporting.rules.standings.annex_5 import average_rating
from reporting.rules.standings.cross_table import Integers

PREVIOUS_ROUNDS = 2
"""A float is repeated within so many rounds (art. 3.8)."""


@dataclass(frozen=True)
class Objective:
    """How good a pairing is, by the criteria C1 to C4 of R65: the smaller the better.

    `crossings` are the pairs across each boundary between a score group and the next lower one, from the top;
    `distances` the sum of the squares of the distances in groups.
    """

    crossings: tuple[int, ...]
    distances: int
    repeated_floats: int
    colour_faults: int


@dataclass(frozen=True)
class Field:
    """Who is paired in a round, as nodes 0, 1, … in pairing order; arrays have a row for each node.

    `rows` are those of the history, `groups` the score groups from 0 at the top. `due` is 1 for who had White too
    often, -1 for Black, 0 else; `down` and `up` are 1 for who floated so in the last rounds. From these come
    `repeats`, the repeated floats of a pair, and `faults`, its colour faults. `colours_first` says that C4 comes
    before C3.
    """

    history: History
    rows: Integers
    groups: Integers
    may_meet: NDArray[np.bool_]
    due: Integers
    down: Integers
    up: Integers
    repeats: Integers
    faults: Integers
    colours_first: bool

    def objective(self, pairs: Iterable[tuple[int, int]]) -> Objective:
        """Return the criteria C1 to C4 of a pairing, given as pairs of nodes."""
        first, second = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
        upper = np.minimum(self.groups[first], self.groups[second])
        lower = np.maximum(self.groups[first], self.groups[second])
        boundaries = int(self.groups.max(initial=0))
        return Objective(
            crossings=tuple(int(((upper <= each) & (each < lower)).sum()) for each in range(boundaries)),
            distances=int(((lower - upper) ** 2).sum()),
            repeated_floats=int(self.repeats[first, second].sum()),
            colour_faults=int(self.faults[first, second].sum()),
        )

    @property
    def inside_group(self) -> InsideGroup:
        """Who meets whom in a score group in this round (R66, R69a)."""
        tournament = self.history.tournament
        if tournament.acceleration is not Acceleration.NONE and tournament.round == 1:
            return InsideGroup.PARTS
        if tournament.acceleration is Acceleration.FOUR_GROUPS:
            rounds_left = tournament.rounds - tournament.round + 1
            if int((self.groups == 0).sum()) > rounds_left:
                return InsideGroup.PARTS
        return tournament.system.first_round if tournament.round == 1 else tournament.system.inside_group

    def average_of_opponents(self) -> list[float]:
        """Return the average rating of each node's opponents so far (R51a), minus infinity without one."""
        column = average_rating(self.history.table)
        averages = column.numerators / column.denominators
        if column.empty is not None:
            averages = np.where(column.empty, -np.inf, averages)
        return [float(each) for each in averages[self.rows]]


def field_of(history: History, rows: Integers) -> Field:
    """Return the field of the players whose rows of the history are given in pairing order."""
    tournament = history.tournament
    scores = history.scores[rows, -1]
    groups = np.cumsum(np.diff(scores, prepend=scores[:1]) != 0)
    recent = history.floats[rows][:, -PREVIOUS_ROUNDS:] * tournament.has_floats
    down = np.asarray((recent < 0).any(axis=1), dtype=np.int64)
    up = np.asarray((recent > 0).any(axis=1), dtype=np.int64)
    is_higher = groups[:, None] < groups[None, :]
    repeats = np.where(is_higher, down[:, None] + up[None, :], 0)
    balances = history.balances[rows]
    is_strong = tournament.colours is Colours.STRONG and tournament.round % 2 == 0
    due = np.sign(balances) if is_strong else np.where(np.abs(balances) >= 2, np.sign(balances), 0)
    due = due * (tournament.colours is not Colours.NONE)
    may_meet = ~history.met[np.ix_(rows, rows)]
    np.fill_diagonal(may_meet, False)
    return Field(
        history=history,
        rows=rows,
        groups=groups,
        may_meet=may_meet,
        due=due,
        down=down,
        up=up,
        repeats=repeats + repeats.T,
        faults=((due[:, None] == due) & (due != 0)).astype(np.int64),
        colours_first=is_strong,
    )
