"""The engine's input for the calculation of a period, read as columns in a few queries.

Array columns travel as one binary value each: fifteen thousand players and sixty thousand games arrive in some
tens of milliseconds, without a Python object per row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from psycopg import sql

from ratings.federations.facet import Replay
from ratings.federations.fmjd.engine_input import EngineInput
from ratings.federations.fmjd.rules.calendar import basis_of
from ratings.federations.fmjd.rules.columns import (
    BasisColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
)
from ratings.federations.fmjd.rules.development import tempo
from ratings.federations.fmjd.rules.parameters import Parameters, edition_in_force
from ratings.inputs.calculation_inputs import CalculationInputs, decided_rows
from ratings.inputs.listed_ratings import ListedRatings
from ratings.inputs.read_columns import Requested, numbers, request_columns
from ratings.inputs.result_columns import ResultColumns
from ratings.inputs.starting_ratings import StartingRatings, starting_ratings
from ratings.models import RatingList
from ratings.rules.columns import NEVER, NO_DAY, Integers, ListColumns, looked_up
from ratings.rules.days import day_number, day_of_number, years_before
from reporting.models import PlayerMerge
from reporting.rules.details.time_control import parse_time_control

BEFORE_FIRST_LIST = date(1900, 1, 1)
ROUND_BITS = 16  # a round's number is a smallint
CLOCK_BITS = 31  # seconds are a positive integer


def read_engine_input(inputs: CalculationInputs, replay: Replay | None = None) -> EngineInput:
    """Read the inputs. Six queries, whatever the number of players, one more for carried corrections, one more for
    tournaments that use the ratings of an earlier list than the previous one, and those of `starting_ratings` where
    records are merged or a merge was undone, and of `decided_rows`.

    For a replay by its edition, with the ratings of its lists in place of the published ones. Carried corrections keep
    their points: these are what published revisions added.

    Raises ValueError when the pool has no list yet, and DomainError `carry_impossible` for a carried correction that
    the previous list cannot carry (`carry_conflicts`).
    """
    period, lists = inputs.period, inputs.lists
    if not lists:
        raise ValueError(f"pool {period.pool_id} has no list")
    parameters = replay.rules.parameters if replay else edition_in_force(period.in_force)
    replayed = replay.lists if replay else {}
    events, codes, clocks = _events(inputs, lists)
    persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
    begun, replaced = starting_ratings(inputs), _replaced(lists)
    with connection.connection.pipeline():  # games are joined here while the database reads players
        inputs.results.request()
        receive_players = _request_players(parameters, inputs, replayed, begun, replaced)
        games = _games(inputs.results, events, clocks, persons)
        decided = tuple(decided_rows(inputs))
        columns = receive_players()
    players = _players(parameters, inputs, replayed, begun, columns)
    return EngineInput(
        parameters=parameters,
        closing_day=day_number(period.closing),
        in_force=period.in_force,
        events=events,
        codes=codes,
        games=games,
        clocks=clocks,
        decided=decided,
        basis=_basis(inputs.ratings, sorted(set(events.basis.tolist())), persons, replayed),
        **players,
    )


def _events(
    inputs: CalculationInputs, lists: Sequence[RatingList]
) -> tuple[EventColumns, tuple[str, ...], Integers | None]:
    """The tournaments, their codes, and the clocks where there is a session.

    Of a session those clocks whose tempo is the pool's; by the edition that its list has, also for a replay.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(
                "SELECT id, played_from - date '1970-01-01', played_to - date '1970-01-01', number,"
                " seconds_for_60_moves, code, session FROM reporting_resultset WHERE id = ANY({}) ORDER BY id"
            ).format(numbers(inputs.tournaments))
        )
        tournaments = cursor.fetchall()
    period = inputs.period
    edition = edition_in_force(period.in_force)
    rows, clocks = [], []
    for *columns, seconds_for_60_moves, code, session in tournaments:
        if not session:
            rows.append((*columns, seconds_for_60_moves, code))
            clocks.append(0)
            continue
        times = {parse_time_control(control).seconds_for_60_moves for control in session}
        of_pool = [seconds for seconds in times if tempo(edition, seconds) == period.pool.tempo]
        for seconds in sorted(of_pool, reverse=True):
            rows.append((*columns, seconds or seconds_for_60_moves, code))
            clocks.append(seconds)
    *figures, codes = zip(*rows, strict=True) if rows else [()] * 6
    tournament, first_day, last_day, number, per_60_moves = (
        np.array(column, dtype=np.int64) for column in figures
    )
    in_force = [rating_list.in_force for rating_list in lists]
    days, of_day = np.unique(first_day, return_inverse=True)
    basis = [lists[basis_of(in_force, day_of_number(day))].pk for day in days.tolist()]
    return (
        EventColumns(
            tournament, first_day, last_day, number, per_60_moves, np.array(basis, dtype=np.int64)[of_day]
        ),
        tuple(codes),
        np.array(clocks, dtype=np.int64) if any(clocks) else None,
    )


def _games(
    results: ResultColumns, events: EventColumns, clocks: Integers | None, persons: Mapping[int, int]
) -> GameColumns:
    """The games of the events, in any order, of sessions those of the pool (R25).

    The day of a game is its own, else that of its round, else the last one of the tournament (R12). Entries and
    rounds are joined here, not in the database.
    """
    games, rounds, entries = results.games, results.rounds, results.entries
    if clocks is None:
        event = np.searchsorted(events.tournament, games.result_set)
    else:
        wanted = _clock_key(games.result_set, games.seconds_for_60_moves)
        known = _clock_key(events.tournament, clocks)
        event = np.searchsorted(known, wanted).clip(max=len(known) - 1)
        of_pool = np.flatnonzero(known[event] == wanted)
        event, games = event[of_pool], games.rows(of_pool)
    player = entries.player.copy()
    for duplicate, surviving in persons.items():
        player[player == duplicate] = surviving
    day_of_round = looked_up(
        _round_key(rounds.result_set, rounds.number),
        rounds.day,
        _round_key(games.result_set, games.round),
        otherwise=NO_DAY,
    )
    return GameColumns(
        event,
        looked_up(entries.entry, player, games.white, otherwise=0),
        looked_up(entries.entry, player, games.black, otherwise=0),
        games.white_points,
        games.black_points,
        games.played.astype(bool),
        np.select(
            [games.own_day != NO_DAY, day_of_round != NO_DAY],
            [games.own_day, day_of_round],
            events.last_day[event],
        ),
    )


def _round_key(tournament: Integers, turn: Integers) -> Integers:
    return tournament << ROUND_BITS | turn


def _clock_key(tournament: Integers, seconds: Integers) -> Integers:
    """Rises with the tournament, then with less time."""
    return (tournament << CLOCK_BITS) - seconds


def _basis(
    ratings: ListedRatings,
    lists: Sequence[int],
    persons: Mapping[int, int],
    replayed: Mapping[int, ListColumns],
) -> BasisColumns:
    """The ratings on the lists, read with the merges: the surviving record's, else that of the first merged into it."""
    listed = ratings.on([number for number in lists if number not in replayed])
    basis, player, rating = listed.rating_list, listed.player, listed.rating
    for number in lists:
        if (rows := replayed.get(number)) is not None:
            basis = np.concatenate([basis, np.full(len(rows), number)])
            player, rating = np.concatenate([player, rows.player]), np.concatenate([rating, rows.rating])
    for duplicate, surviving in persons.items():
        has_own = basis[player == surviving]
        moved = np.flatnonzero((player == duplicate) & ~np.isin(basis, has_own))
        player[moved] = surviving
        remaining = player != duplicate
        basis, player, rating = basis[remaining], player[remaining], rating[remaining]
    if persons or replayed:
        order = np.lexsort((player, basis))
        basis, player, rating = basis[order], player[order], rating[order]
    return BasisColumns(basis, player, rating)


def _replaced(lists: Sequence[RatingList]) -> list[int]:
    """Those of the lists that a published revision replaces, by id.

    Histories show newest revisions only; of a replaced one, which the list may rest on, the rows are asked.
    """
    replaced = RatingList.objects.filter(
        correction__replaces__in=[rating_list.pk for rating_list in lists],
        state=RatingList.State.PUBLISHED,
    )
    return list(replaced.values_list("correction__replaces", flat=True))


def _request_players(
    parameters: Parameters,
    inputs: CalculationInputs,
    replayed: Mapping[int, ListColumns],
    begun: StartingRatings,
    replaced: Sequence[int],
) -> Requested:
    """Request players on the previous list or with an entry, with their data of earlier lists.

    Games of earlier lists count as played in the last three years by their own days; those of the opening list
    have none of their own and count together, on the day of its last game. Of each list that revision counts which is
    read, for 2300, for these games and for the day of the last one (R5a).
    """
    lists = inputs.lists
    boundary = years_before(inputs.period.closing, parameters.recent_years)
    opening = [rating_list.pk for rating_list in lists if rating_list.is_opening]
    recent = [
        rating_list.pk
        for rating_list in lists
        if not rating_list.is_opening and rating_list.closing > boundary
    ]
    days = _last_with_all_days(inputs)
    shown_day = sql.SQL("listed.last_game" if days == len(lists) - 1 else LAST_GAME_ON_LIST)
    read = numbers([rating_list.pk for rating_list in lists[: days + 1]])
    return request_columns(
        sql.SQL(PLAYERS).format(
            previous=sql.Literal(lists[-1].pk),
            entered=numbers(np.unique(inputs.results.entries.player).tolist()),
            lists=numbers([rating_list.pk for rating_list in lists if rating_list.pk not in replayed]),
            opening=numbers(opening),
            recent=numbers(recent),
            replaced=numbers([number for number in replaced if number not in replayed]),
            last_game=shown_day.format(list=sql.Literal(lists[days].pk)),
            latest=sql.SQL(LATEST_GAME_COUNTED).format(read=read, opening=numbers(opening)),
            since=numbers([rating_list.pk for rating_list in lists[days + 1 :]]),
            boundary=sql.Literal(boundary),
            before_first_list=sql.Literal(BEFORE_FIRST_LIST),
            never=sql.Literal(NEVER),
            no_day=sql.Literal(NO_DAY),
            reached=sql.Literal(parameters.k_reached_rating),
            others=numbers([*(difference.player for difference in begun.differences), *begun.ends]),
        ),
        7,
        rising=1,
    )


def _players(
    parameters: Parameters,
    inputs: CalculationInputs,
    replayed: Mapping[int, ListColumns],
    begun: StartingRatings,
    columns: Sequence[Integers],
) -> dict[str, Any]:
    player, rating, games, first_2300, last_game, games_3_years, number = columns
    on_previous = rating > 0
    inputs.ratings.add(inputs.previous.pk, player[on_previous], rating[on_previous])
    players = PlayerColumns(
        player, rating, games, first_2300, last_game, games_3_years, np.zeros_like(rating)
    )
    for end in begun.ends:
        place = int(np.searchsorted(player, end))
        start, players.games[place] = begun.start.get(end, (0, 0))
        players.carried[place] = start - players.rating[place]
    players = _merged(players, inputs.merges)
    for difference in begun.differences:
        place = int(np.searchsorted(players.player, difference.player))
        players.carried[place] += difference.rating
        players.games[place] += difference.games
    if replayed:
        players = _replayed_players(players, parameters.k_reached_rating, inputs, begun, replayed)
    return {
        "players": players,
        "register_numbers": number[np.searchsorted(player, players.player)],
        "differences": tuple(begun.differences),
    }


def _last_with_all_days(inputs: CalculationInputs) -> int:
    """The place of the last list read whose rows show the last game of all lists up to it as they are read now.

    It rests on these very revisions, and what it read as one person is read so still. Mostly the list before; of the
    lists after it the games are looked at, and of all lists for a player who has no row on it: a newcomer of a
    correction that is carried since then, or a record whose games an undone merge took (R5a).
    """
    numbers, in_force = (
        [rating_list.pk for rating_list in inputs.lists],
        {merge.pk for merge in inputs.merges},
    )
    return next(
        place
        for place in reversed(range(len(numbers)))
        if place == 0
        or (
            inputs.lists[place].input_lists == numbers[:place]
            and in_force.issuperset(inputs.lists[place].merges)
        )
    )


def _merged(players: PlayerColumns, merges: Sequence[PlayerMerge]) -> PlayerColumns:
    """Put what earlier lists know of each duplicate to its surviving record, which has the rating and games already."""
    if not merges:
        return players
    for merge in merges:
        duplicate, surviving = np.searchsorted(players.player, [merge.duplicate_id, merge.surviving_id])
        players.games_3_years[surviving] += players.games_3_years[duplicate]
        players.first_2300_day[surviving] = min(
            players.first_2300_day[surviving], players.first_2300_day[duplicate]
        )
        players.last_game_day[surviving] = max(
            players.last_game_day[surviving], players.last_game_day[duplicate]
        )
    gone = [merge.duplicate_id for merge in merges]
    return players.rows(np.flatnonzero(~np.isin(players.player, gone)))


def _replayed_players(
    players: PlayerColumns,
    limit: int,
    inputs: CalculationInputs,
    begun: StartingRatings,
    replayed: Mapping[int, ListColumns],
) -> PlayerColumns:
    """The players with what replayed lists say: their ratings, and the day on which one first shows `limit`.

    The start of each player moves by as many points as the rating that it is taken from. 1 query for each
    record that is merged, or was.
    """
    rating, moved = players.rating.copy(), np.zeros_like(players.rating)
    if (previous := replayed.get(inputs.previous.pk)) is not None:
        rating = _ratings_of(previous, players.player)
        moved = rating - players.rating
    for end in sorted(begun.ends.intersection(players.player.tolist())):
        stood = begun.standing.get(end)
        origin, record = (stood.list, end) if stood else (inputs.previous, begun.rating_of.get(end, end))
        published = origin.rows.filter(player=record).values_list("rating", flat=True).first()
        if origin.pk in replayed and published:
            (after,) = _ratings_of(replayed[origin.pk], np.array([record]))
            moved[np.searchsorted(players.player, end)] = after - published
    first_2300 = players.first_2300_day.copy()
    for rating_list in inputs.lists:
        if (rows := replayed.get(rating_list.pk)) is not None:
            shown = rows.player[rows.rating >= limit]
            for merge in inputs.merges:
                shown[shown == merge.duplicate_id] = merge.surviving_id
            places = np.flatnonzero(np.isin(players.player, shown))
            first_2300[places] = np.minimum(first_2300[places], day_number(rating_list.in_force))
    start = np.where(players.start > 0, players.start + moved, 0)
    return replace(players, rating=rating, first_2300_day=first_2300, carried=start - rating)


def _ratings_of(rows: ListColumns, players: Integers) -> Integers:
    """The ratings of players on a list; 0 for those who are not on it."""
    order = np.argsort(rows.player)
    return looked_up(rows.player[order], rows.rating[order], players, otherwise=0)


LAST_GAME_ON_LIST = "(SELECT last_game FROM fmjd_listrow WHERE list_id = {list} AND player_id = p.id)"
LATEST_GAME_COUNTED = """(
    SELECT max(last_game) FROM (
        SELECT last_game FROM fmjd_change WHERE list_id = ANY({read}) AND player_id = p.id
        UNION ALL
        SELECT last_game FROM fmjd_listrow WHERE list_id = ANY({opening}) AND player_id = p.id
    ) counted
)"""
PLAYERS = """
WITH reached AS (
    SELECT player_id, min(in_force) AS day FROM (
        SELECT player_id, in_force FROM ratings_playerhistory WHERE list_id = ANY({lists}) AND rating >= {reached}
        UNION ALL
        SELECT player_id, list.in_force FROM fmjd_listrow JOIN ratings_ratinglist list ON list.id = list_id
        WHERE list_id = ANY({replaced}) AND rating >= {reached}
        UNION ALL
        SELECT player_id, {before_first_list}::date FROM fmjd_listrow
        WHERE list_id = ANY({opening}) AND reached_2300
    ) shown GROUP BY player_id
), recent AS (
    SELECT player_id, sum(games) AS games FROM (
        SELECT player_id, games_3_years AS games FROM fmjd_listrow
        WHERE list_id = ANY({opening}) AND last_game > {boundary}
        UNION ALL
        SELECT player_id, games FROM fmjd_change
        WHERE list_id = ANY({recent}) AND first_game > {boundary}
        UNION ALL
        -- Counted game by game only for the few whom the boundary cuts: a subquery, so that no planner without
        -- statistics begins with all games.
        SELECT change.player_id, (
            SELECT count(*)::int FROM reporting_entry own
            JOIN reporting_resultset t ON t.id = own.result_set_id
            JOIN reporting_game g
                ON g.result_set_id = own.result_set_id AND g.played AND own.id IN (g.white_id, g.black_id)
            JOIN reporting_entry other ON other.id = g.white_id + g.black_id - own.id
            LEFT JOIN reporting_playermerge merged
                ON merged.duplicate_id = other.player_id AND merged.id = ANY(list.merges)
            LEFT JOIN reporting_round r ON r.result_set_id = own.result_set_id AND r.number = g.round
            WHERE own.result_set_id = change.result_set_id
                AND own.player_id IN (SELECT change.player_id UNION ALL SELECT duplicate_id FROM reporting_playermerge
                    WHERE surviving_id = change.player_id AND id = ANY(list.merges))
                AND coalesce(g.finished_on, g.started_on, r.played_on, t.played_to) > {boundary}
                AND (change.seconds_for_60_moves IS NULL OR g.seconds_for_60_moves = change.seconds_for_60_moves)
                AND EXISTS (SELECT FROM fmjd_listrow rated WHERE rated.list_id = change.basis_list_id
                    AND rated.player_id IN (SELECT coalesce(merged.surviving_id, other.player_id) UNION ALL
                        SELECT duplicate_id FROM reporting_playermerge
                        WHERE surviving_id = coalesce(merged.surviving_id, other.player_id) AND id = ANY(list.merges)))
        ) FROM fmjd_change change JOIN ratings_ratinglist list ON list.id = change.list_id
        WHERE change.list_id = ANY({recent}) AND change.first_game <= {boundary} AND change.last_game > {boundary}
    ) counted GROUP BY player_id
), since AS (
    SELECT player_id, max(last_game) AS day FROM fmjd_change WHERE list_id = ANY({since}) GROUP BY player_id
)
SELECT p.id, coalesce(listed.rating, 0), coalesce(listed.games, 0),
    coalesce(reached.day - date '1970-01-01', {never}),
    coalesce(greatest(coalesce({last_game}, {latest}), since.day) - date '1970-01-01', {no_day}),
    coalesce(recent.games, 0), coalesce((p.numbers->>'fmjd')::int, 0)
FROM reporting_player p
LEFT JOIN fmjd_listrow listed ON listed.list_id = {previous} AND listed.player_id = p.id
LEFT JOIN reached ON reached.player_id = p.id
LEFT JOIN recent ON recent.player_id = p.id
LEFT JOIN since ON since.player_id = p.id
-- Not `p.id = ANY(…)`: the planner would look at each of them.
LEFT JOIN unnest({entered}) AS entered (player_id) ON entered.player_id = p.id
WHERE listed.player_id IS NOT NULL OR entered.player_id IS NOT NULL OR p.id = ANY({others})
"""
