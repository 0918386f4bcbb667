"""The games of a pool's published lists as plain columns, for a comparison with the rules of another pool."""

from collections.abc import Sequence

import numpy as np
from django.db import connection
from psycopg import sql

from ratings.inputs.held_rows import held_rows
from ratings.inputs.in_force import merges_by_id
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.result_columns import ResultColumns
from ratings.models import PeriodReport, RatingList
from ratings.rules.columns import NO_DAY, Integers, places
from ratings.rules.compared_games import ComparedGames, ComparedPlayers
from ratings.rules.days import day_number

ROUND_BITS = 16  # a round's number is a smallint


def read_compared_games(
    lists: Sequence[RatingList], home: str
) -> tuple[ComparedPlayers, Integers, ComparedGames]:
    """Players, days in force and games of lists, the newest revisions, oldest first; the first gives the ratings.

    Of a session the games of the pool's tempo count (R25). What belongs to a merged record counts for the surviving
    one, as on the last list. `home` is the federation whose players are no foreigners; empty: none are. 7 queries, 1
    with merges, and 1 where the first list holds rows.
    """
    persons = {merge.duplicate_id: merge.surviving_id for merge in merges_by_id(lists[-1].merges)}
    turns = {(one.period_id, one.correction_id): place for place, one in enumerate(lists[1:], start=1)}
    manifests = PeriodReport.objects.filter(period__in={period for period, _ in turns})
    counted_by = {
        result_set: turns[period, correction]
        for result_set, period, correction in manifests.values_list(
            "result_set_id", "period_id", "correction_id"
        )
        if (period, correction) in turns
    }
    games = _games(lists, counted_by, persons)
    start, rating, counted = _start(lists[0], persons)
    player, birth_year, is_foreign = read_columns(
        sql.SQL(PLAYERS).format(
            home=sql.Literal(home),
            players=numbers(np.unique(np.concatenate([start, games.white, games.black])).tolist()),
        ),
        3,
        rising=1,
    )
    here = places(player, start)
    ratings, games_before = np.zeros_like(player), np.zeros_like(player)
    ratings[here], games_before[here] = rating, counted
    return (
        ComparedPlayers(player, ratings, games_before, birth_year, is_foreign > 0),
        np.array([day_number(rating_list.in_force) for rating_list in lists], dtype=np.int64),
        games,
    )


def _start(first: RatingList, persons: dict[int, int]) -> tuple[Integers, Integers, Integers]:
    """Players, ratings and games on the first list, held rows included.

    Of a person's records the rating is the surviving one's, else that of the first one merged, and the games are those
    of all on the list; a held row counts where none of them is on it (R24, decision 0211).
    """
    player, rating, games = read_columns(
        sql.SQL("SELECT player_id, rating, games FROM {} WHERE list_id = {}").format(
            sql.Identifier(first.rating_system.row_model._meta.db_table), sql.Literal(first.pk)
        ),
        3,
    )
    listed = dict(zip(player.tolist(), zip(rating.tolist(), games.tolist(), strict=True), strict=True))
    held = {row["player_id"]: (row["rating"], row["games"]) for row in held_rows(first)}
    for duplicate, surviving in persons.items():
        if duplicate in listed:
            of_duplicate, counted = listed.pop(duplicate)
            own, more = listed.get(surviving, (0, 0))
            listed[surviving] = own or of_duplicate, counted + more
        elif duplicate in held:
            held.setdefault(surviving, held.pop(duplicate))
    rows = sorted((held | listed).items())
    table = np.array([(one, *figures) for one, figures in rows], dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def _games(lists: Sequence[RatingList], counted_by: dict[int, int], persons: dict[int, int]) -> ComparedGames:
    """The played games of result sets, by the place of the list that counts them. 4 queries.

    A game without a day of its own was played on that of its round, else on the last one of its result set.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, code, number, played_from - date '1970-01-01', played_to - date '1970-01-01'"
            " FROM reporting_resultset WHERE id = ANY(%s) ORDER BY number, code",
            [list(counted_by)],
        )
        rows = cursor.fetchall()
    turns = {code: turn for turn, code in enumerate(dict.fromkeys(row[1] for row in rows), start=1)}
    table = np.array([(row[0], turns[row[1]], *row[3:]) for row in rows], dtype=np.int64).reshape(-1, 4)
    result_set, tournament, played_from, played_to = table[np.argsort(table[:, 0])].T
    first_day, last_day = (
        np.full(len(turns) + 1, played_from.max(initial=0)),
        np.zeros(len(turns) + 1, np.int64),
    )
    np.minimum.at(first_day, tournament, played_from)
    np.maximum.at(last_day, tournament, played_to)

    results = ResultColumns(tuple(result_set.tolist()))
    games, rounds, entries = results.games, results.rounds, results.entries
    seconds, of_game = np.unique(games.seconds_for_60_moves, return_inverse=True)
    rules, tempo = lists[-1].rules, lists[-1].pool.tempo
    is_of_pool = np.array(
        [number == 0 or rules.tempo(number) == tempo for number in seconds.tolist()], dtype=bool
    )
    games = games.rows(
        np.flatnonzero((games.played > 0) & (games.white > 0) & (games.black > 0) & is_of_pool[of_game])
    )
    player = entries.player.copy()
    for duplicate, surviving in persons.items():
        player[player == duplicate] = surviving
    own = places(result_set, games.result_set)
    round_key = rounds.result_set << ROUND_BITS | rounds.number
    sought = games.result_set << ROUND_BITS | games.round
    place = np.searchsorted(round_key, sought)
    day_of_round = np.where(
        np.append(round_key, -1)[place] == sought, np.append(rounds.day, NO_DAY)[place], NO_DAY
    )
    list_of = np.array([counted_by[number] for number in result_set.tolist()], dtype=np.int64)
    return ComparedGames(
        list=list_of[own],
        tournament=tournament[own],
        first_day=first_day[tournament[own]],
        last_day=last_day[tournament[own]],
        round=games.round,
        day=np.select(
            [games.own_day != NO_DAY, day_of_round != NO_DAY], [games.own_day, day_of_round], played_to[own]
        ),
        white=player[places(entries.entry, games.white)],
        black=player[places(entries.entry, games.black)],
        white_points=games.white_points,
    )


# Not `id = ANY(…)`: the planner would look at each of them.
PLAYERS = """
SELECT player.id, coalesce(birth_year, 0), ({home} NOT IN ('', federation_id))::int
FROM unnest({players}) AS sought (id) JOIN reporting_player player ON player.id = sought.id
"""
