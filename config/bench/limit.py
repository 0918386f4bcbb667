"""The raw limit: the least that makes the same rows, by hand, for exactly this quarter.

It reads the same columns (as arrays), calculates once with the same engine, writes the same columns into two
private tables and gives them the same keys and foreign keys, each checked in bulk. It leaves out whatever a
product owes beyond that: digests, states, rights, locks, the audit log, more than one list before.
"""

from collections.abc import Mapping

import numpy as np
import psycopg
from psycopg import sql

from config.bench.stopwatch import StageTimer
from ratings.federations.fmjd.engine_input import EngineInput, calculate_ratings
from ratings.federations.fmjd.rules.columns import (
    METHODS,
    BasisColumns,
    ChangeColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
)
from ratings.federations.fmjd.rules.engine import FmjdListColumns
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import Period, RatingList
from ratings.production.binary_copy import Cells, binary_copy
from ratings.rules.columns import NEVER, NO_DAY, Integers
from ratings.rules.days import day_number, years_before

ROWS, CHANGES, NORMS = "limit_rows", "limit_changes", "limit_norms"
ROW_COLUMNS = (
    "position", "player", "register_number", "rating", "previous", "change", "period_games", "games",
    "games_3_years", "last_game_day", "rank", "official_position", "official_rank",
)  # fmt: skip
CHANGE_COLUMNS = (
    "player", "sequence", "method", "own_e4", "before_e4", "games_before", "games", "unrated_games",
    "opponents_sum", "average_e4", "points", "expected_percentage_e4", "expected_score_e4", "k", "development",
    "delta_e4", "performance_e4", "after_e4", "first_day", "last_day",
)  # fmt: skip


def clear(owner: psycopg.Connection) -> None:
    owner.execute(f"DROP TABLE IF EXISTS {ROWS}, {CHANGES}, {NORMS}")
    owner.commit()


def run(owner: psycopg.Connection, period: Period, opening: RatingList) -> StageTimer:
    """One quarter from the database to committed, checked rows; the tables must not be there yet."""
    watch = StageTimer()
    engine_input = _read(owner, period, opening)
    watch.done("read")
    changes, rows = calculate_ratings(engine_input)
    watch.done("calculate")
    _write_rows(owner, opening, rows)
    watch.done("list rows")
    _write_changes(owner, opening, changes, engine_input.events)
    watch.done("changes")
    owner.execute(KEYS)
    watch.done("keys, foreign keys")
    owner.commit()
    watch.done("commit")
    watch.stop()
    return watch


def _read(owner: psycopg.Connection, period: Period, opening: RatingList) -> EngineInput:
    parameters = edition_in_force(period.in_force)
    tournament, first, last, number, seconds = fetch_columns(owner, EVENTS, period=period.pk)
    events = EventColumns(tournament, first, last, number, seconds, np.full(tournament.size, opening.pk))
    entry, entry_player = fetch_columns(owner, ENTRIES, period=period.pk)
    of_round, turn, day_of_round = fetch_columns(owner, ROUNDS, period=period.pk)
    of_game, turn_of_game, white, black, white_points, black_points, played = fetch_columns(
        owner, GAMES, period=period.pk
    )
    player_of = np.zeros(int(entry.max(initial=0)) + 1, np.int64)
    player_of[entry] = entry_player
    event = np.searchsorted(tournament, of_game)
    day = np.repeat(last, 100).reshape(-1, 100)  # a round has its own day, or the tournament's last
    day[np.searchsorted(tournament, of_round), turn] = day_of_round
    player, rating, games, first_2300, last_game, games_3_years, register_number = fetch_columns(
        owner,
        PLAYERS,
        period=period.pk,
        list=opening.pk,
        never=NEVER,
        no_day=NO_DAY,
        boundary=years_before(period.closing, parameters.recent_years).isoformat(),
    )
    listed = rating > 0
    return EngineInput(
        parameters=parameters,
        closing_day=day_number(period.closing),
        in_force=period.in_force,
        events=events,
        codes=(),
        games=GameColumns(
            event, player_of[white], player_of[black], white_points, black_points, played.astype(bool),
            day[event, turn_of_game],
        ),
        basis=BasisColumns(np.full(int(listed.sum()), opening.pk), player[listed], rating[listed]),
        players=PlayerColumns(
            player, rating, games, first_2300, last_game, games_3_years, np.zeros_like(rating)
        ),
        register_numbers=register_number,
    )  # fmt: skip


def fetch_columns(owner: psycopg.Connection, query: str, **values: int | str) -> list[Integers]:
    with owner.cursor(binary=True) as cursor:
        cursor.execute(sql.SQL(query).format(**{name: sql.Literal(value) for name, value in values.items()}))
        result = cursor.pgresult
        assert result is not None  # noqa: S101 - of a SELECT
        # An array in binary: a head of 20 bytes, then length and value of each number.
        cells = [
            np.frombuffer(result.get_value(0, place) or bytes(20), ">i4", offset=20)
            for place in range(result.nfields)
        ]
        return [column[1::2].astype(np.int64) for column in cells]


EVENTS = """
SELECT array_agg(id::int4), array_agg(played_from - date '1970-01-01'), array_agg(played_to - date '1970-01-01'),
    array_agg(number), array_agg(seconds_for_60_moves)
FROM (SELECT t.* FROM ratings_periodreport m JOIN reporting_resultset t ON t.id = m.result_set_id
      WHERE m.period_id = {period} ORDER BY t.id) q
"""
ENTRIES = """
SELECT array_agg(e.id::int4), array_agg(e.player_id::int4)
FROM reporting_entry e JOIN ratings_periodreport m ON m.result_set_id = e.result_set_id AND m.period_id = {period}
"""
ROUNDS = """
SELECT array_agg(r.result_set_id::int4), array_agg(r.number::int4), array_agg(r.played_on - date '1970-01-01')
FROM reporting_round r JOIN ratings_periodreport m ON m.result_set_id = r.result_set_id AND m.period_id = {period}
WHERE r.played_on IS NOT NULL
"""
GAMES = """
SELECT array_agg(g.result_set_id::int4), array_agg(g.round::int4), array_agg(coalesce(g.white_id, 0)::int4),
    array_agg(coalesce(g.black_id, 0)::int4), array_agg(g.white_points::int4), array_agg(g.black_points::int4),
    array_agg(g.played::int4)
FROM reporting_game g JOIN ratings_periodreport m ON m.result_set_id = g.result_set_id AND m.period_id = {period}
"""
PLAYERS = """
SELECT array_agg(id::int4), array_agg(rating), array_agg(games), array_agg(reached), array_agg(last_game),
    array_agg(games_3_years), array_agg(number)
FROM (
    SELECT p.id, coalesce(l.rating, 0) AS rating, coalesce(l.games, 0) AS games,
        CASE WHEN l.reached_2300 THEN date '1900-01-01' - date '1970-01-01' ELSE {never} END AS reached,
        coalesce(l.last_game - date '1970-01-01', {no_day}) AS last_game,
        CASE WHEN l.last_game > {boundary}::date THEN l.games_3_years ELSE 0 END AS games_3_years,
        (p.numbers->>'fmjd')::int AS number
    FROM reporting_player p LEFT JOIN fmjd_listrow l ON l.list_id = {list} AND l.player_id = p.id
    LEFT JOIN (
        SELECT DISTINCT e.player_id FROM reporting_entry e
        JOIN ratings_periodreport m ON m.result_set_id = e.result_set_id AND m.period_id = {period}
    ) entered ON entered.player_id = p.id
    WHERE l.player_id IS NOT NULL OR entered.player_id IS NOT NULL
    ORDER BY p.id
) q
"""


def _send(owner: psycopg.Connection, table: str, columns: Mapping[str, np.ndarray]) -> None:
    owner.execute(
        f"CREATE TEMP TABLE {table} ({', '.join(f'{name} int' for name in columns)}) ON COMMIT DROP"
    )
    with owner.cursor() as cursor, binary_copy(cursor, table, list(columns)) as write:
        write([Cells(values) for values in columns.values()])


def _write_rows(owner: psycopg.Connection, opening: RatingList, rows: FmjdListColumns) -> None:
    columns = {name: getattr(rows, name) for name in ROW_COLUMNS}
    columns |= {"reached": rows.reached_2300, "category": rows.category.view(np.uint8)}
    _send(owner, "figures_of_rows", columns)
    pool = opening.pool
    owner.execute(
        sql.SQL(ROWS_WITH_NAMES).format(
            list=sql.Literal(opening.pk),
            no_day=sql.Literal(NO_DAY),
            closing=sql.Literal(opening.closing),
            system=sql.Literal(pool.system),
            discipline=sql.Literal(pool.discipline),
        )
    )


def _write_changes(
    owner: psycopg.Connection, opening: RatingList, changes: ChangeColumns, events: EventColumns
) -> None:
    columns = {name: getattr(changes, name) for name in CHANGE_COLUMNS}
    columns |= {"tournament": events.tournament[changes.event], "basis": events.basis[changes.event]}
    columns |= {name: getattr(changes, name) for name in ("own_is_running", "performance_limited")}
    _send(owner, "figures_of_changes", columns)
    query = sql.SQL(CHANGES_WITH_DAYS)
    owner.execute(query.format(list=sql.Literal(opening.pk), methods=sql.Literal(list(METHODS))))


ROWS_WITH_NAMES = f"""
CREATE TABLE {ROWS} AS
SELECT {{list}}::bigint AS list_id, f.position,
    row_number() OVER (ORDER BY p.sort_name, f.register_number, p.id)::int AS name_position,
    nullif(f.official_position, 0) AS official_position, p.id AS player_id, f.register_number,
    CASE p.first_name WHEN '' THEN p.last_name ELSE p.last_name || ', ' || p.first_name END::varchar(130) AS name,
    p.sort_name, coalesce(m.federation_id, p.federation_id) AS federation, p.sex, p.birth_year,
    coalesce(t.title, '')::varchar(4) AS title, f.rating,
    CASE WHEN f.previous > 0 THEN f.change END AS change, f.period_games, f.games, f.games_3_years,
    CASE WHEN f.last_game_day <> {{no_day}} THEN date '1970-01-01' + f.last_game_day END AS last_game,
    f.reached = 1 AS reached_2300, chr(f.category)::varchar(1) AS category, f.rank,
    nullif(f.official_rank, 0) AS official_rank
FROM figures_of_rows f JOIN reporting_player p ON p.id = f.player
LEFT JOIN reporting_federationmembership m ON m.player_id = p.id AND m.until > {{closing}}
    AND coalesce(m.since <= {{closing}}, true)
LEFT JOIN reporting_playertitle t ON t.player_id = p.id AND t.awarded_by = {{system}} AND t.discipline = {{discipline}}
    AND coalesce(t.registered_on <= {{closing}}, true) AND coalesce(t.withdrawn_on > {{closing}}, true)
"""  # noqa: S608
CHANGES_WITH_DAYS = f"""
CREATE TABLE {CHANGES} AS
SELECT {{list}}::bigint AS list_id, player::bigint AS player_id, sequence::smallint,
    tournament::bigint AS result_set_id, basis::bigint AS basis_list_id,
    ({{methods}}::varchar(11)[])[method + 1] AS method, nullif(own_e4, 0) AS own_e4,
    own_is_running = 1 AS own_is_running, nullif(before_e4, 0) AS before_e4, games_before, games, unrated_games,
    opponents_sum, average_e4, points, CASE method WHEN 1 THEN expected_percentage_e4 END AS expected_percentage_e4,
    CASE method WHEN 1 THEN expected_score_e4 END AS expected_score_e4, CASE method WHEN 1 THEN k END::smallint AS k,
    CASE method WHEN 1 THEN development END::smallint AS development,
    CASE method WHEN 1 THEN delta_e4 END AS delta_e4, performance_e4, performance_limited = 1 AS performance_limited,
    after_e4, date '1970-01-01' + first_day AS first_game, date '1970-01-01' + last_day AS last_game
FROM figures_of_changes
"""  # noqa: S608
KEYS = f"""
ALTER TABLE {ROWS} ADD PRIMARY KEY (list_id, position);
ALTER TABLE {ROWS} ADD UNIQUE (list_id, player_id);
ALTER TABLE {ROWS} ADD UNIQUE (list_id, name_position);
ALTER TABLE {CHANGES} ADD PRIMARY KEY (list_id, player_id, sequence);
CREATE INDEX ON {CHANGES} (list_id, result_set_id);
ALTER TABLE {ROWS} ADD FOREIGN KEY (list_id) REFERENCES ratings_ratinglist,
    ADD FOREIGN KEY (player_id) REFERENCES reporting_player;
ALTER TABLE {CHANGES} ADD FOREIGN KEY (list_id) REFERENCES ratings_ratinglist,
    ADD FOREIGN KEY (player_id) REFERENCES reporting_player,
    ADD FOREIGN KEY (result_set_id) REFERENCES reporting_resultset,
    ADD FOREIGN KEY (basis_list_id) REFERENCES ratings_ratinglist;
"""
