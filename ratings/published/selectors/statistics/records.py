"""Records of a pool over its published lists, and its activity by year and federation.

Of each list the newest revision counts. Erased persons have no record; a merged record is its surviving player's, as
the last of the lists knows it (R24). Each query names the lists, so that only their partitions are opened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from psycopg import sql

from ratings.models import RatingList
from ratings.rules.days import years_before
from reporting.models import Player
from reporting.models.register import ERASED_NAME

PLACES = 10
POOLS = 8
"""Pools whose figures a process keeps until the next publication."""

HIGHEST_OF_A_LIST = 100
"""Rows of each list among which its highest ratings are sought: the ten highest, whatever names were erased."""


@dataclass(frozen=True)
class Record:
    """A figure of a player, the list that has it, and for a climb the rating and the list before.

    Equal figures share a rank. The federation is that of the list.
    """

    rank: int
    player: Player
    federation: str
    value: int
    rating: int
    rating_list: RatingList
    before: int | None = None
    since: RatingList | None = None


@dataclass(frozen=True)
class Records:
    """The ten best of each kind, the best first; a player has one place in each."""

    peaks: Sequence[Record]
    climbs: Sequence[Record]
    climbs_in_a_year: Sequence[Record]
    games: Sequence[Record]


OWN = """
FROM {rows} own
LEFT JOIN reporting_playermerge merge ON merge.id = ANY({merges}::bigint[]) AND merge.duplicate_id = own.player_id
"""
# Each query: person, federation, value, rating, list, rating before, list before. On each list a person has a row, and
# one of each record that is merged into theirs: so many rows have the ten best persons. Of equal figures the oldest
# list is first: a revision has a later key than the lists after it.
PEAKS = """
SELECT coalesce(merge.surviving_id, own.player_id), own.federation, own.rating, own.rating, own.list_id,
    NULL, NULL {own}
WHERE own.list_id = ANY({lists}::bigint[]) AND own.position <= {highest} AND own.name <> {erased}
ORDER BY own.rating DESC, array_position({lists}::bigint[], own.list_id), own.position LIMIT {most}
"""
CLIMBS = """
SELECT coalesce(merge.surviving_id, own.player_id), own.federation, own.change, own.rating, own.list_id,
    own.rating - own.change, NULL {own}
WHERE own.list_id = ANY({lists}::bigint[]) AND own.change > 0 AND own.name <> {erased}
ORDER BY own.change DESC, own.rating DESC, array_position({lists}::bigint[], own.list_id), own.position LIMIT {most}
"""
CLIMBS_IN_A_YEAR = """
SELECT coalesce(merge.surviving_id, own.player_id), own.federation, own.rating - earlier.rating, own.rating,
    own.list_id, earlier.rating, earlier.list_id {own}
JOIN unnest({later}::bigint[], {earlier}::bigint[]) AS pair (list, earlier) ON own.list_id = pair.list
JOIN {rows} earlier ON earlier.list_id = pair.earlier AND earlier.player_id = own.player_id
WHERE own.list_id = ANY({later}::bigint[]) AND earlier.list_id = ANY({earlier}::bigint[])
    AND own.rating > earlier.rating AND own.name <> {erased}
ORDER BY own.rating - earlier.rating DESC, own.rating DESC, array_position({lists}::bigint[], own.list_id), own.position
LIMIT {most}
"""
GAMES = """
SELECT own.player_id, own.federation, own.games, own.rating, own.list_id, NULL, NULL
FROM {rows} own WHERE own.list_id = {last} AND own.name <> {erased}
ORDER BY own.games DESC, own.position LIMIT {most}
"""


def records_of_pool(lists: tuple[RatingList, ...], stamp: tuple[str, ...]) -> Records:
    """The records of a pool, from the newest revision of each of its lists, oldest first; a list at least.

    A climb in a year is against the list that was in force on the same day a year before. 1 query for the names of the
    register, 4 more that read every row once the stamp, that of these lists, has changed.
    """
    found = best_figures(lists, stamp)
    players = Player.objects.in_bulk({row[0] for rows in found for row in rows})
    by_key = {one.pk: one for one in lists}
    return Records(
        *(
            [
                Record(
                    1 + sum(other[2] > value for other in rows),
                    players[person],
                    federation,
                    value,
                    rating,
                    by_key[key],
                    before,
                    by_key.get(since),
                )
                for person, federation, value, rating, key, before, since in rows
            ]
            for rows in found
        )
    )


@lru_cache(maxsize=POOLS)
def best_figures(
    lists: tuple[RatingList, ...],
    stamp: tuple[str, ...],  # noqa: ARG001
) -> list[list[tuple[Any, ...]]]:
    """The rows of all four queries, of ten persons each. 4 queries; none while the stamp stays the same."""
    last = lists[-1]
    pairs = [(one.pk, earlier.pk) for one in lists if (earlier := _in_force_a_year_before(one, lists))]
    values = {
        "lists": sql.Literal([one.pk for one in lists]),
        "later": sql.Literal([key for key, _ in pairs]),
        "earlier": sql.Literal([key for _, key in pairs]),
        "last": sql.Literal(last.pk),
        "highest": sql.Literal(HIGHEST_OF_A_LIST),
        "most": sql.Literal((PLACES + len(last.merges)) * len(lists)),
    }
    return [_best_rows(query, last, values) for query in (PEAKS, CLIMBS, CLIMBS_IN_A_YEAR, GAMES)]


def _in_force_a_year_before(rating_list: RatingList, lists: Sequence[RatingList]) -> RatingList | None:
    day = years_before(rating_list.in_force, 1)
    return next((one for one in reversed(lists) if one.in_force <= day), None)


def _best_rows(query: str, last: RatingList, values: Mapping[str, sql.Composable]) -> list[tuple[Any, ...]]:
    """The best row of each of ten persons, the best first."""
    best: dict[int, tuple[Any, ...]] = {}
    for row in _fetched(query, last, values):
        best.setdefault(row[0], row)
    return list(best.values())[:PLACES]


@dataclass(frozen=True)
class YearOfActivity:
    """The lists that closed in a year: tournaments and games counted, and the players with a counted game."""

    year: int
    lists: int
    tournaments: int
    games: int
    players: int


@dataclass(frozen=True)
class FederationActivity:
    """The players of a federation with a counted game in a year, and their games, each counted for both players."""

    federation: str
    players: int
    games: int


PLAYERS_OF_YEARS = """
SELECT closed.year, count(DISTINCT own.player_id)
FROM {rows} own JOIN unnest({lists}::bigint[], {years}::int[]) AS closed (list, year) ON own.list_id = closed.list
WHERE own.list_id = ANY({lists}::bigint[]) AND own.period_games > 0 GROUP BY 1
"""
FEDERATIONS_OF_YEAR = """
SELECT federation, count(DISTINCT player_id), sum(period_games) FROM {rows}
WHERE list_id = ANY({lists}::bigint[]) AND period_games > 0 GROUP BY 1 ORDER BY 3 DESC, 1
"""


@lru_cache(maxsize=POOLS)
def activity_by_year(lists: tuple[RatingList, ...], stamp: tuple[str, ...]) -> list[YearOfActivity]:  # noqa: ARG001
    """The activity of a pool by the year of the closing date, the newest first; without its opening list.

    1 query that reads every row; none while the stamp, that of these lists, stays the same.
    """
    calculated = [one for one in lists if not one.is_opening]
    if not calculated:
        return []
    values = {
        "lists": sql.Literal([one.pk for one in calculated]),
        "years": sql.Literal([one.closing.year for one in calculated]),
    }
    players = dict(_fetched(PLAYERS_OF_YEARS, calculated[-1], values))
    by_year: dict[int, list[RatingList]] = {}
    for one in reversed(calculated):
        by_year.setdefault(one.closing.year, []).append(one)
    return [
        YearOfActivity(
            year,
            len(own),
            sum(one.tournaments for one in own),
            sum(one.games for one in own),
            players.get(year, 0),
        )
        for year, own in by_year.items()
    ]


def activity_by_federation(lists: Sequence[RatingList], year: int) -> list[FederationActivity]:
    """The federations with a counted game in a year of `activity_by_year`, by games. 1 query."""
    closed = [one.pk for one in lists if not one.is_opening and one.closing.year == year]
    rows = _fetched(FEDERATIONS_OF_YEAR, lists[-1], {"lists": sql.Literal(closed)})
    return [FederationActivity(*row) for row in rows]


def _fetched(query: str, last: RatingList, values: Mapping[str, sql.Composable]) -> list[tuple[Any, ...]]:
    """The rows of a query about the lists of a pool; `last` is the last of them."""
    shared = {
        "rows": sql.Identifier(last.rating_system.row_model._meta.db_table),
        "merges": sql.Literal(last.merges),
        "erased": sql.Literal(ERASED_NAME),
    }
    composed = sql.SQL(query.replace("{own}", OWN)).format(**shared, **values)
    with connection.cursor() as cursor:
        cursor.execute(composed)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
