"""Games of published lists as plain columns, which every rating system can calculate by its own rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.rules.columns import Columns, Flags, Integers


@dataclass(frozen=True, eq=False)
class ComparedPlayers(Columns):
    """One row a player who is on the list before the first one or has a game; players rise.

    `rating` is that of the list before the first one, 0 for none; `games` are the counted games until that list;
    `birth_year` is 0 where it is not known. `is_foreign`: of another federation than the rules are of.
    """

    player: Integers
    rating: Integers
    games: Integers
    birth_year: Integers
    is_foreign: Flags


@dataclass(frozen=True, eq=False)
class ComparedGames(Columns):
    """One row a played game; those of a tournament are in the order of their lines.

    `list` is the place of the list that counts it among the days of the lists, from 1 on. Tournaments are numbered in
    the order of their own numbers; `first_day` and `last_day` are those of the tournament. `white_points` are 2, 1, 0.
    """

    list: Integers
    tournament: Integers
    first_day: Integers
    last_day: Integers
    round: Integers
    day: Integers
    white: Integers
    black: Integers
    white_points: Integers


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a rating system calculates the games of other pools, of which it does not know all that its rules ask for.

    `compare(rules, tempo, players, lists, games)` gives the rating of each player on the last list by an edition, in
    the pool of a tempo, 0 for none. `lists` are the days in force, rising: first that of the list which the players'
    ratings are from, then those of the lists that count the games. `assumptions` are sentences in plain English, for
    pages to translate. `home` is the federation that the rules are of; empty where they know no foreigners.
    """

    compare: Callable[[Any, str, ComparedPlayers, Integers, ComparedGames], Integers]
    assumptions: Sequence[str]
    home: str = ""
