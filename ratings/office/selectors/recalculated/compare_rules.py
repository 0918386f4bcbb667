"""The newest published lists of a pool calculated in memory by the rules of another pool, list after list."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from psycopg import sql

from ratings.federations.registry import edition_in_force
from ratings.inputs.compared_games import read_compared_games
from ratings.inputs.in_force import lists_in_force
from ratings.inputs.read_columns import read_columns
from ratings.models import Pool, RatingList
from ratings.office.selectors.recalculated.replay import replayed_rows
from ratings.queries.lists import all_pools
from ratings.rules.columns import Integers
from reporting.refusals.domain_error import DomainError

LARGEST = 20
CLASS_WIDTH = 100


class ComparedRating(NamedTuple):
    """A player on the newest list: the number there, what it prints, and the rating by the other rules."""

    id: int
    name: str
    federation: str
    games: int
    rating: int
    other: int
    difference: int


class ComparedClass(NamedTuple):
    """The players whose published ratings are `first` to `last`: how many gain and lose, and the mean difference."""

    first: int
    last: int
    players: int
    gains: int
    losses: int
    mean_e4: int


@dataclass(frozen=True, eq=False)
class ComparedRules:
    """The newest of `lists` by its own rules and by those of the pool `other`.

    The columns have a row for each player with both ratings, by the size of the difference, then by number; the
    difference is the other rating less the published one. `without_rating` are players of the list whom the other rules
    give none. `assumptions` are in plain English.
    """

    pool: Pool
    other: Pool
    lists: Sequence[RatingList]
    position: Integers
    rating: Integers
    other_rating: Integers
    without_rating: int
    assumptions: Sequence[str] = ()

    @property
    def differences(self) -> Integers:
        return self.other_rating - self.rating

    @property
    def players(self) -> int:
        return int(self.rating.size)

    @property
    def changed(self) -> int:
        return int(np.count_nonzero(self.differences))

    @property
    def mean(self) -> float:
        return float(self.differences.mean()) if self.players else 0.0

    @property
    def standard_deviation(self) -> float:
        return float(self.differences.std()) if self.players else 0.0

    @property
    def mean_e4(self) -> int:
        return round(self.mean * 10_000)

    @property
    def standard_deviation_e4(self) -> int:
        return round(self.standard_deviation * 10_000)

    def rows(self, most: int | None = None) -> list[ComparedRating]:
        """The players with the largest differences, all without `most`. 1 query."""
        position = self.position[:most].tolist()
        printed = {
            row[0]: row[1:]
            for row in self.lists[-1]
            .rows.filter(position__in=position)
            .values_list("position", "register_number", "name", "federation", "games")
        }
        figures = zip(self.rating[:most].tolist(), self.other_rating[:most].tolist(), position, strict=True)
        return [ComparedRating(*printed[place], own, other, other - own) for own, other, place in figures]

    def classes(self) -> list[ComparedClass]:
        """The players in classes of 100 points by their published ratings, the highest first, without empty ones."""
        found = []
        of = self.rating // CLASS_WIDTH
        for number in np.unique(of)[::-1].tolist():
            differences = self.differences[of == number]
            found.append(
                ComparedClass(
                    number * CLASS_WIDTH,
                    (number + 1) * CLASS_WIDTH - 1,
                    int(differences.size),
                    int(np.count_nonzero(differences > 0)),
                    int(np.count_nonzero(differences < 0)),
                    round(float(differences.mean()) * 10_000),
                )
            )
        return found


def comparable_pools() -> list[Pool]:
    """The pools whose rules others can be compared with. 1 query."""
    return [pool for pool in all_pools() if pool.rating_system.comparison is not None]


def compare_rules(pool: Pool, other: Pool, periods: int) -> ComparedRules:
    """The newest lists of a pool by the rules of another one of `comparable_pools`, from the list before them.

    Published lists alone, each in its newest revision. By rules of its own (a pool of the same system and tempo) the
    pool is recalculated from all that its lists were calculated from (`replayed_rows`); by others from plain columns
    (`read_compared_games`), by the edition that is in force on the newest list, with what their system assumes.

    Raises DomainError `too_few_lists` where the pool has not so many lists with one before them. Nothing is written.
    2 queries besides those.
    """
    comparison = other.rating_system.comparison
    if comparison is None:
        raise ValueError(f"the rules of {other.code} compare nothing")
    published = lists_in_force(pool.pk)
    if not 1 <= periods < len(published):
        raise DomainError("too_few_lists", pool=pool.code, lists=max(len(published) - 1, 0), periods=periods)
    lists = published[-periods:]
    if (pool.system, pool.tempo) == (other.system, other.tempo):
        rows = replayed_rows(pool, lists)[lists[-1].pk]
        order = np.argsort(rows.player)
        return _compared(pool, other, lists, (rows.player[order], rows.rating[order]))
    players, days, games = read_compared_games(published[-periods - 1 :], comparison.home)
    rules = edition_in_force(other.rating_system, lists[-1].in_force)
    rating = comparison.compare(rules, other.tempo, players, days, games)
    return replace(
        _compared(pool, other, lists, (players.player, rating)), assumptions=comparison.assumptions
    )


def _compared(
    pool: Pool, other: Pool, lists: Sequence[RatingList], ratings: tuple[Integers, Integers]
) -> ComparedRules:
    """The newest list with the other ratings of players, who rise; 0 for none. 1 query."""
    listed, number, published, position = read_columns(
        sql.SQL("SELECT player_id, register_number, rating, position FROM {} WHERE list_id = {}").format(
            sql.Identifier(lists[-1].rating_system.row_model._meta.db_table), sql.Literal(lists[-1].pk)
        ),
        4,
    )
    player, rating = ratings
    place = np.searchsorted(player, listed)
    is_found = np.append(player, -1)[place] == listed
    other_rating = np.where(is_found, np.append(rating, 0)[place], 0)
    both = np.flatnonzero(other_rating > 0)
    order = both[np.lexsort((number[both], -np.abs(other_rating - published)[both]))]
    return ComparedRules(
        pool=pool,
        other=other,
        lists=lists,
        position=position[order],
        rating=published[order],
        other_rating=other_rating[order],
        without_rating=int(listed.size - both.size),
    )
