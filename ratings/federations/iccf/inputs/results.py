"""The result sets that an ICCF list counts: tournaments, participants, games with substitutes."""

import numpy as np
from psycopg import sql

from ratings.federations.iccf.rules.engine_input import EventColumns, GameColumns, ParticipantColumns
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.register import register_of
from ratings.rules.columns import Integers, places


def read_events(inputs: CalculationInputs) -> EventColumns:
    """The result sets, by number and part, each with the number of its lower parts on the lists read. 1 query."""
    query = sql.SQL(EVENTS).format(
        kinds=sql.Literal(list(KINDS)),
        lists=numbers([one.pk for one in inputs.lists]),
        of=numbers(inputs.tournaments),
    )
    events = EventColumns(*read_columns(query, 7, rising=1))
    return events.rows(np.lexsort((events.result_set, events.part, events.number)))


def read_games(inputs: CalculationInputs, events: EventColumns) -> tuple[GameColumns, int]:
    """The played games of the events, in the order of their lines, and the number of all.

    2 queries, 3 with substitutes. After a merge of records a game of one person is none, and a substitute who is the
    player replaced, or replaces a player of the other side, is not one.
    """
    query = sql.SQL(GAMES).format(of=numbers(inputs.tournaments), **merged_records(inputs))
    (
        game, result_set, round_number, white, black, white_for, black_for, points, played, first_day, last_day,
    ) = read_columns(query, 11)  # fmt: skip
    by_result_set = np.argsort(events.result_set)
    event = by_result_set[places(events.result_set[by_result_set], result_set)]
    number, player = _replaced(inputs)
    is_both = white_for == black_for
    of_white, of_black = (
        np.where(is_both | (one == white) | (one == black), 0, one)
        for one in (np.append(player, 0)[_place(number, named)] for named in (white_for, black_for))
    )
    in_order = np.lexsort((game, event))
    begins = np.searchsorted(event[in_order], event[in_order])
    games = GameColumns(
        game=game[in_order],
        event=event[in_order],
        round=round_number[in_order],
        line=np.arange(game.size) - begins + 1,
        white=white[in_order],
        black=black[in_order],
        white_for=of_white[in_order],
        black_for=of_black[in_order],
        white_points=points[in_order],
        first_day=first_day[in_order],
        last_day=last_day[in_order],
    )
    return games.rows((played[in_order] > 0) & (games.white != games.black)), game.size


def _replaced(inputs: CalculationInputs) -> tuple[Integers, Integers]:
    """The numbers of players whom substitutes replace, rising, and the players, as the register was read.

    1 query, 2 with substitutes.
    """
    candidates = sql.SQL(CANDIDATES).format(
        of=numbers(inputs.tournaments), list=sql.Literal(inputs.register_of and inputs.register_of.pk)
    )
    (found,) = read_columns(candidates, 1)
    if not found.size:
        return found, found
    query = sql.SQL(REPLACED).format(register=register_of(inputs, found.tolist()), **merged_records(inputs))
    number, player = read_columns(query, 2, rising=2)
    return number, player


def _place(rising: Integers, sought: Integers) -> Integers:
    """Where each number is among rising ones; -1 for one that is not there."""
    if not rising.size:
        return np.full_like(sought, -1)
    place = np.searchsorted(rising, sought).clip(max=rising.size - 1)
    return np.where(rising[place] == sought, place, -1)


def read_participants(
    inputs: CalculationInputs, events: EventColumns, games: GameColumns
) -> ParticipantColumns:
    """The players of each result set, once each: those named in it, and those replaced. 1 query."""
    query = sql.SQL(PARTICIPANTS).format(of=numbers(inputs.tournaments), **merged_records(inputs))
    result_set, player = read_columns(query, 2)
    by_result_set = np.argsort(events.result_set)
    event = by_result_set[places(events.result_set[by_result_set], result_set)]
    event = np.concatenate([event, games.event, games.event])
    player = np.concatenate([player, games.white_for, games.black_for])
    found = np.unique(np.stack([event, player])[:, player > 0], axis=1)
    return ParticipantColumns(*found)


def merged_records(inputs: CalculationInputs) -> dict[str, sql.Composable]:
    """The merges of an input for a query that joins `merged`."""
    return {
        "duplicates": numbers([merge.duplicate_id for merge in inputs.merges]),
        "surviving": numbers([merge.surviving_id for merge in inputs.merges]),
    }


EVENTS = """
SELECT t.id, t.number, t.part, (
        SELECT count(DISTINCT earlier.part) FROM reporting_resultset earlier
        JOIN ratings_periodreport line ON line.result_set_id = earlier.id
        JOIN ratings_ratinglist list ON list.period_id = line.period_id
            AND list.correction_id IS NOT DISTINCT FROM line.correction_id
        WHERE earlier.code = t.code AND earlier.part < t.part AND list.id = ANY({lists})
    ),
    t.played_from - date '1970-01-01', array_position({kinds}::text[], own.kind::text) - 1, coalesce(own.level, 0)
FROM reporting_resultset t
JOIN iccf_reports_resultsetdetails own ON own.result_set_id = t.id
WHERE t.id = ANY({of})
"""

# Of a game without days of its own: the first day of the tournament, and that by which the list of the report is found.
GAMES = """
SELECT game.id, game.result_set_id, game.round, coalesce(of_white.surviving, white.player_id),
    coalesce(of_black.surviving, black.player_id), coalesce(white_for, 0), coalesce(black_for, 0), white_points,
    played::int, coalesce(started_on, t.played_from) - date '1970-01-01',
    greatest(coalesce(finished_on, t.counting_day), started_on, t.played_from) - date '1970-01-01'
FROM reporting_game game
JOIN reporting_resultset t ON t.id = game.result_set_id
JOIN reporting_entry white ON white.id = game.white_id
JOIN reporting_entry black ON black.id = game.black_id
LEFT JOIN unnest({duplicates}, {surviving}) AS of_white (duplicate, surviving) ON of_white.duplicate = white.player_id
LEFT JOIN unnest({duplicates}, {surviving}) AS of_black (duplicate, surviving) ON of_black.duplicate = black.player_id
WHERE game.result_set_id = ANY({of})
"""

CANDIDATES = """
SELECT DISTINCT record.player_id FROM (
    SELECT unnest(ARRAY[white_for, black_for])::text AS number FROM reporting_game WHERE result_set_id = ANY({of})
) replaced
JOIN (
    SELECT player_id, number FROM reporting_playeridentity WHERE register = 'iccf'
    UNION SELECT player_id, numbers->>'iccf' FROM ratings_registerrow WHERE list_id = {list}
) record USING (number)
"""

REPLACED = """
SELECT (numbers->>'iccf')::int, coalesce(merged.surviving, record.id) FROM {register} record
LEFT JOIN unnest({duplicates}, {surviving}) AS merged (duplicate, surviving) ON merged.duplicate = record.id
WHERE numbers ? 'iccf'
"""

PARTICIPANTS = """
SELECT entry.result_set_id, coalesce(merged.surviving, entry.player_id) FROM reporting_entry entry
LEFT JOIN unnest({duplicates}, {surviving}) AS merged (duplicate, surviving) ON merged.duplicate = entry.player_id
WHERE entry.result_set_id = ANY({of}) AND entry.player_id IS NOT NULL
"""
