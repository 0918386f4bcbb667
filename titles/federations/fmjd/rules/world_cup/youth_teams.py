"""The national team classification of the world youth championships, in columns (Annex 13 art. 8; R73)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from titles.federations.fmjd.rules.world_cup.parameters import Parameters


@dataclass(frozen=True, eq=False)
class YouthColumns(Columns):
    """The players with a final place in the groups of one year and tempo, in any order.

    ``group`` is a tournament: an age group of boys or of girls. ``rounds`` are its rounds, in a round robin the games
    of a full table; ``federation`` is a code from 1 on, ``points`` are those of the final table in 2-1-0.
    """

    group: Integers
    player: Integers
    federation: Integers
    place: Integers
    points: Integers
    rounds: Integers


@dataclass(frozen=True, eq=False)
class YouthResultColumns(Columns):
    """What each player brings to the federation, in the order of the players: ``points = percent + bonus``."""

    percent: Integers
    bonus: Integers
    points: Integers
    counts: Flags


@dataclass(frozen=True, eq=False)
class TeamColumns(Columns):
    """The federations in order of their points, then of first, second and third places; equal ones share a rank."""

    rank: Integers
    federation: Integers
    points: Integers
    first: Integers
    second: Integers
    third: Integers


def youth_results(parameters: Parameters, players: YouthColumns) -> YouthResultColumns:
    """Percentage and bonus of each player, and which are the best of their federation in the group (Annex 13 art. 8).

    The percentage is points / (2 x rounds), whole, half up; the bonus is that of the final place (R73).
    """
    percent = (200 * players.points + 2 * players.rounds) // (4 * players.rounds)
    table = np.array([0, *parameters.bonus], np.int64)
    bonus = table[np.where(players.place < table.size, players.place, 0)]
    order = np.lexsort((players.player, -players.points, players.place, players.federation, players.group))
    changes = [np.diff(column[order], prepend=-1) != 0 for column in (players.group, players.federation)]
    at = np.arange(order.size)
    start = np.maximum.accumulate(np.where(changes[0] | changes[1], at, 0))
    counts = np.zeros(order.size, np.bool_)
    counts[order] = at - start < parameters.team_players
    return YouthResultColumns(percent, bonus, percent + bonus, counts)


def youth_teams(players: YouthColumns, found: YouthResultColumns) -> TeamColumns:
    """The classification of the federations, boys and girls added up (Annex 13 art. 8; R73)."""
    federations, of = np.unique(players.federation, return_inverse=True)

    def total(values: Integers | Flags) -> Integers:
        return np.bincount(of, values * found.counts, federations.size).astype(np.int64)

    criteria = [total(found.points), *(total(players.place == place) for place in (1, 2, 3))]
    order = np.lexsort((federations, *(-column for column in reversed(criteria))))
    values = np.array([column[order] for column in criteria]).reshape(len(criteria), -1)
    begins = (np.diff(values, axis=1, prepend=-1) != 0).any(axis=0)
    rank = np.maximum.accumulate(np.where(begins, np.arange(order.size), 0)) + 1
    return TeamColumns(rank, federations[order], *values)
