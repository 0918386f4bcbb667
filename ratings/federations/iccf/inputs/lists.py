"""The lists that an ICCF list reads: ratings by date, and what all games ever add up to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from psycopg import sql

from ratings.federations.iccf.inputs.results import merged_records
from ratings.federations.iccf.rules.engine_input import RatingColumns
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.starting_ratings import StartingRatings
from ratings.models import RatingList
from ratings.rules.columns import NO_DAY, Columns, Integers, places


@dataclass(frozen=True, eq=False)
class Rows(Columns):
    """Rows of lists, by the place of the list among those read, and player; each player once on a list."""

    list: Integers
    player: Integers
    rating: Integers
    games: Integers
    last_game: Integers


@dataclass(frozen=True, eq=False)
class Past(Columns):
    """What all games ever of players add up to; players rise. `points` are in halves."""

    player: Integers
    games: Integers
    opponents: Integers
    points: Integers


def read_rows(inputs: CalculationInputs, read: Sequence[RatingList]) -> Rows:
    """The rows of these lists, read with the merges (R24). 1 query.

    A surviving record has its own rating, else that of the first record merged into it, and the games of both.
    """
    query = sql.SQL(ROWS).format(lists=numbers([one.pk for one in read]), no_day=sql.Literal(NO_DAY))
    key, player, rating, games, last_game = read_columns(query, 5)
    keys = np.array([one.pk for one in read], dtype=np.int64)
    by_key = np.argsort(keys)
    place = by_key[places(keys[by_key], key)]
    turn = np.zeros_like(player)
    for number, merge in enumerate(inputs.merges, start=1):
        of_duplicate = player == merge.duplicate_id
        player[of_duplicate], turn[of_duplicate] = merge.surviving_id, number
    in_order = np.lexsort((turn, player, place))
    rows = Rows(place, player, rating, games, last_game).rows(in_order)
    is_first = (np.diff(rows.list, prepend=-1) != 0) | (np.diff(rows.player, prepend=-1) != 0)
    begins = np.flatnonzero(is_first)
    if begins.size == len(rows):
        return rows
    return Rows(
        rows.list[begins],
        rows.player[begins],
        rows.rating[begins],
        np.add.reduceat(rows.games, begins),
        np.maximum.reduceat(rows.last_game, begins),
    )


def resumed_rows(
    rows: Rows, inputs: CalculationInputs, begun: StartingRatings, read: Sequence[RatingList]
) -> Rows:
    """The rows with those of duplicates of undone merges, on the lists that were read with the merge.

    They have the rating and games that the duplicate starts from. 1 query for each undone merge.
    """
    resumed = [rows]
    for merge in inputs.undone_merges():
        stood = begun.standing.get(merge.duplicate_id)
        place = np.array([place for place, one in enumerate(read) if merge.pk in one.merges], dtype=np.int64)
        if stood is None or not place.size:
            continue
        query = sql.SQL(LAST_GAME).format(
            list=sql.Literal(stood.list.pk),
            player=sql.Literal(merge.duplicate_id),
            no_day=sql.Literal(NO_DAY),
        )
        (last_game,) = read_columns(query, 1)
        figures = (merge.duplicate_id, stood.rating, stood.games, *last_game.tolist())
        resumed.append(Rows(place, *(np.full_like(place, figure) for figure in figures)))
    joined = Rows.joined(resumed)
    return joined.rows(np.lexsort((joined.player, joined.list)))


def read_ratings(rows: Rows, players: Integers) -> RatingColumns:
    """The ratings of these players on the lists."""
    own = rows.rows(np.isin(rows.player, players))
    return RatingColumns(own.list, own.player, own.rating)


def read_past(inputs: CalculationInputs, rules: IccfRules, players: Integers) -> Past:
    """All games ever of these players, by the changes of the lists read, and the opening ratings (R92a). 1 query."""
    duplicates = [merge.duplicate_id for merge in inputs.merges if merge.surviving_id in players]
    opening = [one.pk for one in inputs.lists if one.is_opening]
    query = sql.SQL(PAST).format(
        lists=numbers([one.pk for one in inputs.lists]),
        opening=numbers(opening),
        players=numbers([*players.tolist(), *duplicates]),
        limit=sql.Literal(rules.largest_difference),
        **merged_records(inputs),
    )
    return Past(*read_columns(query, 4, rising=1))


ROWS = """
SELECT list_id, player_id, rating, games, coalesce(last_game - date '1970-01-01', {no_day})
FROM iccf_listrow WHERE list_id = ANY({lists})
"""

LAST_GAME = """
SELECT coalesce(max(last_game) - date '1970-01-01', {no_day}) FROM iccf_listrow
WHERE list_id = {list} AND player_id = {player}
"""

PAST = """
SELECT coalesce(merged.surviving, past.player_id), sum(games)::int, sum(opponents)::int, sum(points)::int FROM (
    SELECT player_id, count(*) AS games,
        sum(least(greatest(opponent_rating, own_rating - {limit}), own_rating + {limit})) AS opponents,
        sum(points) AS points
    FROM iccf_change WHERE list_id = ANY({lists}) AND player_id = ANY({players}) GROUP BY player_id
    UNION ALL
    SELECT player_id, games, games * rating, games
    FROM iccf_listrow WHERE list_id = ANY({opening}) AND player_id = ANY({players})
) past
LEFT JOIN unnest({duplicates}, {surviving}) AS merged (duplicate, surviving) ON merged.duplicate = past.player_id
GROUP BY 1
"""
