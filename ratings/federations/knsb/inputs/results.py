"""The result sets that a KNSB list counts, with those of earlier lists whose games wait."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from psycopg import sql

from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.engine_input import EventColumns, GameColumns, PlayerColumns
from ratings.federations.knsb.rules.games import calculation_days, games_in_time
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.register import register_of
from ratings.inputs.result_columns import ResultColumns
from ratings.models import RatingList
from ratings.rules.columns import NO_DAY, Columns, Integers, looked_up
from ratings.rules.days import day_number, day_of_number, months_before

ROUND_BITS: Final = 16  # a round's number is a smallint


@dataclass(frozen=True, eq=False)
class Reported(Columns):
    """Result sets that lists count: each with the day of its list."""

    result_set: Integers
    in_force: Integers


@dataclass(frozen=True, eq=False)
class Known(Columns):
    """Players with a row on a list, published or held; players rise. `list` is the newest one, by its key."""

    player: Integers
    list: Integers
    rating: Integers


@dataclass(frozen=True)
class Waiting:
    """Whose games may wait in a pool (R81b): players with a number who are on none of its lists, in rising order.

    `earlier` are the result sets of recent lists with one of them, `reported` those of all lists. `known` are those
    players of them and of the new result sets who are not on the newest list but on an earlier one.
    """

    reported: Reported
    earlier: Reported
    players: Integers
    known: Known


def waiting_games(
    inputs: CalculationInputs, lists: Sequence[RatingList], new: Sequence[int], since: int
) -> Waiting:
    """Whose games may wait in the pool of these lists, the newest one last, with new result sets. 4 queries."""
    persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
    reported = _manifests(lists)
    recent = reported.rows(reported.in_force > since)
    query = sql.SQL(UNLISTED).format(
        of=numbers([*recent.result_set.tolist(), *new]),
        previous=sql.Literal(lists[-1].pk),
        **merged_records(persons),
    )
    result_set, player = read_columns(query, 2)
    known = last_known(lists, np.unique(player), persons)
    query = sql.SQL(NUMBERED).format(register=register_of(inputs, np.unique(player).tolist()))
    (numbered,) = read_columns(query, 1, rising=1)
    players = np.setdiff1d(numbered, known.player)
    with_them = np.unique(result_set[np.isin(player, players)])
    return Waiting(reported, recent.rows(np.isin(recent.result_set, with_them)), players, known)


def _manifests(lists: Sequence[RatingList]) -> Reported:
    """What these revisions of lists count. 1 query."""
    query = sql.SQL(MANIFESTS).format(lists=numbers([one.pk for one in lists]))
    return Reported(*read_columns(query, 2, rising=1))


def last_known(lists: Sequence[RatingList], players: Integers, persons: Mapping[int, int]) -> Known:
    """The newest row of each of these players on the lists, oldest first. 1 query."""
    query = sql.SQL(LAST_KNOWN).format(
        lists=numbers([one.pk for one in lists]),
        players=numbers(
            [*players.tolist(), *(duplicate for duplicate, one in persons.items() if one in players)]
        ),
        **merged_records(persons),
    )
    return Known(*read_columns(query, 3, rising=1))


def read_events(counted: Reported, read: Reported) -> EventColumns:
    """The result sets that are counted; the days of a part are those of part 1, as it was read. 1 query."""
    columns = read_columns(
        sql.SQL(EVENTS).format(
            of=numbers(counted.result_set.tolist()), read=numbers(read.result_set.tolist())
        ),
        8,
        rising=1,
    )
    result_set, number, part, first_day, last_day, is_abroad, is_fide_processed, is_admitted = columns
    by_result_set = np.argsort(counted.result_set)
    in_order = np.lexsort((result_set, part, number))
    events = EventColumns(
        result_set, number, part, first_day, last_day, counted.in_force[by_result_set], is_abroad > 0,
        is_fide_processed > 0, is_admitted > 0,
    )  # fmt: skip
    return events.rows(in_order)


def counted_for_players(
    lists: Sequence[RatingList], earlier: Reported
) -> tuple[Integers, Integers, Integers]:
    """Game, whether black, and player of the changes that lists made of earlier result sets; games rise. 1 query.

    A game that a list counted for a player is that player's, though a merge of records was undone since.
    """
    game, black, player = read_columns(
        sql.SQL(COUNTED_FOR).format(
            lists=numbers([one.pk for one in lists]), of=numbers(earlier.result_set.tolist())
        ),
        3,
        rising=2,
    )
    return game, black, player


def read_games(
    events: EventColumns, counted_for: tuple[Integers, Integers, Integers], persons: Mapping[int, int]
) -> GameColumns:
    """The played games of the events. 4 queries.

    A game without a day of its own was played on that of its round, else on the last one of the result set.
    """
    by_result_set = np.argsort(events.result_set)
    result_sets = events.result_set[by_result_set]
    results = ResultColumns(tuple(result_sets.tolist()))
    games = results.games.rows(
        (results.games.played > 0) & (results.games.white > 0) & (results.games.black > 0)
    )
    event = by_result_set[np.searchsorted(result_sets, games.result_set)]
    in_order = np.lexsort((games.game, event))
    games, event = games.rows(in_order), event[in_order]
    rounds, entries = results.rounds, results.entries
    planned_day = looked_up(
        rounds.result_set << ROUND_BITS | rounds.number,
        rounds.day,
        games.result_set << ROUND_BITS | games.round,
        NO_DAY,
    )
    game, black, player = counted_for
    sides = [
        looked_up(
            game[black == is_black],
            player[black == is_black],
            games.game,
            otherwise=looked_up(entries.entry, entries.player, entry, 0),
        )
        for is_black, entry in enumerate((games.white, games.black))
    ]
    white, black = (of_persons(side, persons) for side in sides)
    last_day = looked_up(*_counting_days(result_sets), games.result_set, NO_DAY)
    begins = np.searchsorted(event, event)
    return GameColumns(
        game=games.game,
        event=event,
        round=games.round,
        line=np.arange(len(games)) - begins + 1,
        white=white,
        black=black,
        white_points=games.white_points,
        planned_day=planned_day,
        day=np.select(
            [games.own_day != NO_DAY, planned_day != NO_DAY], [games.own_day, planned_day], last_day
        ),
    )


def _counting_days(result_sets: Integers) -> tuple[Integers, Integers]:
    """Result sets and the days by which their lists are found. 1 query."""
    result_set, day = read_columns(
        sql.SQL(
            "SELECT id, counting_day - date '1970-01-01' FROM reporting_resultset WHERE id = ANY({of})"
        ).format(of=numbers(result_sets.tolist())),
        2,
        rising=1,
    )
    return result_set, day


def games_elsewhere(
    inputs: CalculationInputs,
    rules: KnsbRules,
    players: PlayerColumns,
    newcomers: Integers,
    persons: Mapping[int, int],
) -> Integers:
    """How many games of each newcomer the other pools have processed in the months before the list (R84c).

    Those that recent lists counted, and those that wait there. 1 query, 4 for each other pool, and 6 more for each with
    waiting games of a newcomer.
    """
    since = day_number(months_before(inputs.period.in_force, rules.publication_months))
    recent = [one.pk for one in inputs.other_lists if day_number(one.in_force) > since]
    query = sql.SQL(ELSEWHERE).format(lists=numbers(recent), since=sql.Literal(day_of_number(since)))
    (counted,) = read_columns(query, 1)
    sides = [of_persons(counted, persons)]
    foreign = players.player[players.is_foreign]
    for pool, of_pool in groupby(inputs.other_lists, key=lambda one: one.pool.code):
        lists = list(of_pool)
        waiting = waiting_games(inputs, lists, (), since)
        if not np.intersect1d(newcomers, waiting.players).size:
            continue
        events = read_events(waiting.earlier, waiting.reported)
        games = read_games(events, counted_for_players(lists, waiting.earlier), persons)
        is_abroad = events.is_abroad[games.event]
        in_time = games_in_time(rules, events, games) & (
            calculation_days(rules, KINDS.index(pool), events, games) >= since
        )
        in_time &= ~is_abroad | events.is_fide_processed[games.event]
        for player in (games.white, games.black):
            may = in_time & ~(is_abroad & np.isin(player, foreign)) & np.isin(player, waiting.players)
            sides.append(player[may])
    found = np.concatenate(sides)
    player, number = np.unique(found[np.isin(found, newcomers)], return_counts=True)
    return looked_up(player, number, players.player, 0)


def merged_records(persons: Mapping[int, int]) -> dict[str, sql.Composable]:
    return {"duplicates": numbers([*persons]), "surviving": numbers([*persons.values()])}


def of_persons(players: Integers, persons: Mapping[int, int]) -> Integers:
    """The players with the surviving record in place of a merged one."""
    found = players.copy()
    for duplicate, surviving in persons.items():
        found[players == duplicate] = surviving
    return found


MANIFESTS = """
SELECT DISTINCT line.result_set_id, list.in_force - date '1970-01-01'
FROM ratings_ratinglist list
JOIN ratings_periodreport line ON line.period_id = list.period_id
    AND line.correction_id IS NOT DISTINCT FROM list.correction_id
WHERE list.id = ANY({lists})
"""

# Of the records named, the person: the surviving one of a merge.
UNLISTED = """
SELECT entry.result_set_id, person.id
FROM reporting_entry entry
LEFT JOIN unnest({duplicates}, {surviving}) AS merged (duplicate, surviving) ON merged.duplicate = entry.player_id
CROSS JOIN LATERAL (SELECT coalesce(merged.surviving, entry.player_id)) AS person (id)
LEFT JOIN knsb_listrow listed ON listed.list_id = {previous} AND listed.player_id = person.id
WHERE entry.result_set_id = ANY({of}) AND entry.player_id IS NOT NULL AND listed.player_id IS NULL
"""

NUMBERED = "SELECT id FROM {register} record WHERE numbers ? 'knsb'"

LAST_KNOWN = """
SELECT DISTINCT ON (1) coalesce(merged.surviving, row.player_id), row.list_id, row.rating FROM (
    SELECT list_id, player_id, rating FROM knsb_listrow WHERE list_id = ANY({lists}) AND player_id = ANY({players})
    UNION ALL
    SELECT list_id, player_id, (values->>'rating')::int FROM ratings_heldrow
    WHERE list_id = ANY({lists}) AND player_id = ANY({players})
) row
JOIN ratings_ratinglist list ON list.id = row.list_id
LEFT JOIN unnest({duplicates}, {surviving}) AS merged (duplicate, surviving) ON merged.duplicate = row.player_id
ORDER BY 1, list.in_force DESC, merged.duplicate NULLS FIRST
"""

EVENTS = """
SELECT t.id, t.number, t.part, coalesce(part_1.played_from, t.played_from) - date '1970-01-01',
    coalesce(part_1.played_to, t.played_to) - date '1970-01-01', coalesce(t.country_id <> 'NED', false)::int,
    coalesce(own.fide_processed, false)::int, (coalesce(report.admitted_reason, '') <> '')::int
FROM reporting_resultset t
LEFT JOIN knsb_reports_resultsetdetails own ON own.result_set_id = t.id
LEFT JOIN reporting_report report ON report.result_set_id = t.id AND report.state = 'accepted'
LEFT JOIN LATERAL (
    SELECT played_from, played_to FROM reporting_resultset one
    WHERE one.code = t.code AND one.part = 1 AND one.id = ANY({read}) ORDER BY one.id DESC LIMIT 1
) part_1 ON t.part > 1
WHERE t.id = ANY({of})
"""

COUNTED_FOR = """
SELECT game_id, (colour = 'b')::int, player_id FROM knsb_change
WHERE list_id = ANY({lists}) AND result_set_id = ANY({of})
"""

ELSEWHERE = "SELECT player_id FROM knsb_change WHERE list_id = ANY({lists}) AND calculation_day >= {since}"
