"""The tournaments that a list counts and their games, as files."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection
from django.db.models import F
from psycopg import sql

from ratings.formats import tables
from ratings.inputs.in_force import lists_by_id
from ratings.models import Pool, RatingList
from ratings.queries.time_controls import clocks_in_list
from ratings.queries.tournaments import tournaments_of
from reporting.models import ResultSet
from reporting.rules.details.known_details import has_parts
from reporting.rules.report import PointsScale

Line = tuple[Any, ...]
"""The cells of a line of a file."""


def copied_lines(query: sql.Composable, parameters: Any = None) -> list[bytes]:
    """A query's rows as lines of CSV, by the database. No text may be empty or begin like a formula."""
    connection.ensure_connection()
    with (
        connection.connection.cursor() as cursor,
        cursor.copy(sql.SQL("COPY ({}) TO STDOUT (FORMAT csv)").format(query), parameters) as copy,
    ):
        return list(map(bytes, copy))


def tournament_columns(rating_list: RatingList) -> Sequence[str]:
    """The columns of `tournament_lines`."""
    in_parts = has_parts(rating_list.report_rules.details)
    return tables.TOURNAMENT_COLUMNS_IN_PARTS if in_parts else tables.TOURNAMENT_COLUMNS


def tournament_lines(rating_list: RatingList) -> list[Line]:
    """A line for each tournament or part; of a session one for each time control of its games in the pool (R25)."""
    if rating_list.period_id is None:
        return []
    rules = rating_list.rules
    lists = lists_by_id(rating_list.input_lists)
    in_force = [rating_list.in_force for rating_list in lists]
    of_games = rating_list.is_by_game
    in_parts = has_parts(rating_list.report_rules.details)
    counted = ResultSet.objects.filter(manifest_lines__in=rating_list.manifest)
    return [
        (
            tournament.code,
            *([tournament.part] if in_parts else []),
            tournament.name,
            tournament.place,
            tournament.country_id,
            tournament.played_from,
            tournament.played_to,
            time_control,
            minutes_of(seconds),
            rules.weight_percentage(seconds),
            rating_list.pool.code,
            tournament.report_sha256,
            None
            if of_games
            else revision_address(rating_list.pool, lists[rules.basis_of(in_force, tournament.played_from)]),
            tournament.number,
        )
        for tournament in counted.annotate(report_sha256=F("manifest_lines__version__sha256"))
        .only(*TOURNAMENT_FIELDS)
        .order_by("played_to", "number", "pk")
        for time_control, seconds in clocks_in_list(tournament, rating_list)
    ]


TOURNAMENT_FIELDS = (
    "tournament", "name", "place", "country", "played_from", "played_to", "seconds_for_60_moves", "number", "session",
    "time_control", "part",
)  # fmt: skip


def has_sessions(rating_list: RatingList) -> bool:
    """Whether the list counts a tournament with a session (R25). 1 query."""
    lines = rating_list.manifest
    return rating_list.period_id is not None and lines.exclude(result_set__session=[]).exists()


def revision_address(pool: Pool, rating_list: RatingList) -> str:
    """Which revision of which list, as in its address: `POOL/2026-04-01/r1`."""
    return f"{pool.code}/{rating_list.in_force}/r{rating_list.revision}"


def minutes_of(seconds: int | None) -> int | float | None:
    """Seconds for the first 60 moves as files have them; None without a clock."""
    if seconds is None:
        return None
    return seconds // 60 if seconds % 60 == 0 else seconds / 60


def games_file(rating_list: RatingList, *, of_sessions: bool, meanwhile: Callable[[], None]) -> bytes:
    """Every game and pause of the list's tournaments; `counted` says for whom: both, white, black or none (R8).

    Of a system that rates by game also the games of earlier reports that waited for this list.

    The day is the game's own, else that of its round, else the tournament's last one. Of sessions the games of the
    pool; each line then ends with the game's number in the round and its minutes (R25). Where games of substitutes may
    count for the player replaced: the numbers of those whom White and Black replaced, of the surviving records.

    The database writes the lines while this process calls `meanwhile`, which may read but not write (decision 0251).
    """
    has_substitutes = rating_list.declaration.has_substitutes
    columns = tables.game_columns(of_sessions=of_sessions, has_substitutes=has_substitutes)
    if rating_list.period_id is None:
        meanwhile()
        return tables.csv_file(columns, [])
    system = rating_list.rating_system
    clocks = sorted(
        {
            seconds
            for tournament in (tournaments_of(rating_list) if of_sessions else ())
            for _, seconds in clocks_in_list(tournament, rating_list)
            if seconds is not None
        }
    )
    basis = rating_list.declaration.basis
    changes = sql.Identifier(system.change_model._meta.db_table)
    counted = BY_GAME if rating_list.is_by_game else BY_BASIS
    records = sql.SQL(RECORDS_READ if rating_list.register_rows.exists() else "reporting_player")
    query = sql.SQL(GAMES).format(
        rows=sql.Identifier(system.row_model._meta.db_table),
        records=records,
        session=sql.SQL(SESSION_CELLS if of_sessions else ""),
        replaced=sql.SQL(REPLACED_CELLS if has_substitutes else ""),
        **{
            name: sql.SQL(text).format(changes=changes, records=records, field=sql.Identifier(f"{basis}_id"))
            for name, text in counted.items()
        },
    )
    parameters = {
        "list": rating_list.pk,
        "lists": list(rating_list.changes.order_by().values_list(basis, flat=True).distinct())
        if basis
        else [],
        "merges": rating_list.merges,
        "period": rating_list.period_id,
        "correction": rating_list.correction_id,
        "clocks": clocks,
        "register": rating_list.report_rules.register.code,
        "halves": PointsScale.HALVES,
    }
    with (
        connection.wrap_database_errors,
        connection.connection.pipeline(),
        connection.connection.cursor() as cursor,
    ):
        cursor.execute(query, parameters)
        meanwhile()
        games = [lines.encode() for (lines,) in cursor]
    return b"".join([f"{','.join(columns)}\n".encode(), *games])


SESSION_CELLS = (
    ", ',', g.number, ',', coalesce(g.seconds_for_60_moves, t.seconds_for_60_moves) / 60.0::float8"
)
# Who is replaced on both sides, or is at the board, is not replaced.
REPLACED_CELLS = "".join(
    f""", ',', CASE WHEN g.white_for IS DISTINCT FROM g.black_for AND {side}.player_id IS DISTINCT FROM w.player_id
        AND {side}.player_id IS DISTINCT FROM b.player_id THEN {side}.printed END"""
    for side in ("wr", "br")
)
# What a list has read of the register, in place of the register.
RECORDS_READ = "(SELECT player_id AS id, numbers FROM ratings_registerrow WHERE list_id = %(list)s)"
# Entries and lists are read with the list's merges. `basis` has a list for each tournament whose ratings all its games
# use: then a game counts for a player if the opponent is on that list; else for whom there is a change by it. A row has
# the lines of a tournament; no cell needs quotes: codes (slugs), numbers, days and words of our own.
GAMES = """
WITH basis AS ({basis}), merged AS (
    SELECT duplicate_id, surviving_id FROM reporting_playermerge WHERE id = ANY(%(merges)s::bigint[])
), rated AS (
    SELECT DISTINCT list_id, coalesce(surviving_id, player_id) AS player_id
    FROM {rows} LEFT JOIN merged ON duplicate_id = player_id WHERE list_id = ANY(%(lists)s)
), tournament AS MATERIALIZED (
    SELECT t.id, t.code, t.points, t.played_to, t.counting_day, t.seconds_for_60_moves, basis_id, is_own,
        row_number() OVER (ORDER BY t.played_to, t.number, t.id) AS place
    FROM (
        SELECT result_set_id AS id, true AS is_own FROM ratings_periodreport
        WHERE period_id = %(period)s AND correction_id IS NOT DISTINCT FROM %(correction)s
        {waited}
    ) m JOIN reporting_resultset t USING (id)
    LEFT JOIN basis ON basis.result_set_id = t.id
), entry AS MATERIALIZED (
    SELECT e.id, p.id AS player_id, (p.numbers->>%(register)s)::int AS number, rated.player_id IS NOT NULL AS is_rated
    FROM tournament t JOIN reporting_entry e ON e.result_set_id = t.id
    LEFT JOIN merged ON merged.duplicate_id = e.player_id
    LEFT JOIN {records} p ON p.id = coalesce(merged.surviving_id, e.player_id)
    LEFT JOIN rated ON rated.list_id = t.basis_id AND rated.player_id = p.id
){counted}
SELECT string_agg(concat(
    t.code, ',', g.round, ',',
    coalesce(g.finished_on, g.started_on, rd.played_on, least(t.played_to, t.counting_day)), ',',
    w.number, ',', b.number, ',',
    CASE t.points WHEN %(halves)s THEN trim_scale(g.white_points * 0.5) ELSE g.white_points END,
    CASE WHEN g.played OR w.player_id IS NULL OR b.player_id IS NULL THEN '-' ELSE 'x' END,
    CASE t.points WHEN %(halves)s THEN trim_scale(g.black_points * 0.5) ELSE g.black_points END, ',',
    CASE
        WHEN NOT g.played THEN 'none'
        WHEN {white} AND {black} THEN 'both'
        WHEN {white} THEN 'white'
        WHEN {black} THEN 'black'
        ELSE 'none'
    END{replaced}{session}, E'\\n'
), '' ORDER BY g.round, g.number, w.number NULLS LAST, b.number NULLS LAST, g.id)
FROM tournament t JOIN reporting_game g ON g.result_set_id = t.id
LEFT JOIN entry w ON w.id = g.white_id
LEFT JOIN entry b ON b.id = g.black_id
LEFT JOIN reporting_round rd ON rd.result_set_id = t.id AND rd.number = g.round
{join}
WHERE (g.seconds_for_60_moves IS NULL OR g.seconds_for_60_moves = ANY(%(clocks)s::int[])){of_list}
GROUP BY t.place ORDER BY t.place
"""
BY_BASIS = {
    "basis": "SELECT DISTINCT result_set_id, {field} AS basis_id FROM {changes} WHERE list_id = %(list)s",
    "waited": "",
    "counted": "",
    "white": "b.is_rated",
    "black": "w.is_rated",
    "join": "",
    "of_list": "",
}
# The game of a substitute may count for the player replaced, whose number it has. Of reports of earlier lists there are
# the games that waited for this one.
BY_GAME = {
    "basis": "SELECT NULL::bigint AS result_set_id, NULL::bigint AS basis_id",
    "waited": """UNION ALL (SELECT result_set_id, false FROM {changes} WHERE list_id = %(list)s EXCEPT
            SELECT result_set_id, false FROM ratings_periodreport
            WHERE period_id = %(period)s AND correction_id IS NOT DISTINCT FROM %(correction)s)""",
    "counted": """, counted AS (
        SELECT game_id, array_agg(player_id) AS players FROM {changes} WHERE list_id = %(list)s GROUP BY game_id
    ), replaced AS MATERIALIZED (
        SELECT record.numbers->>%(register)s AS number, surviving.id AS player_id,
            surviving.numbers->>%(register)s AS printed
        FROM {records} record LEFT JOIN merged ON merged.duplicate_id = record.id
        JOIN {records} surviving ON surviving.id = coalesce(merged.surviving_id, record.id)
        WHERE record.numbers->>%(register)s IN (
            SELECT unnest(ARRAY[white_for, black_for])::text FROM reporting_game
            WHERE result_set_id IN (SELECT id FROM tournament))
    )""",
    "white": "(w.player_id = ANY(counted.players) OR wr.player_id = ANY(counted.players))",
    "black": "(b.player_id = ANY(counted.players) OR br.player_id = ANY(counted.players))",
    "join": """LEFT JOIN counted ON counted.game_id = g.id
LEFT JOIN replaced wr ON wr.number = g.white_for::text
LEFT JOIN replaced br ON br.number = g.black_for::text""",
    "of_list": " AND (t.is_own OR counted.game_id IS NOT NULL)",
}
