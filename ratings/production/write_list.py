"""Write rows and changes of a new list into its own partition; drop partitions of superseded drafts."""

from collections.abc import Mapping

import numpy as np
from django.db import OperationalError, connection, transaction
from psycopg import sql

from ratings.formats.figures import Figures, figures_file
from ratings.models import RatingList
from ratings.systems.columns import NO_DAY, Integers
from ratings.systems.fmjd.columns import METHODS, ChangeColumns, ListColumns
from ratings.worker.progress import Progress

ROW_COLUMNS = (
    "position", "player", "register_number", "rating", "previous", "change", "period_games", "games",
    "games_3_years", "last_game_day", "rank", "official_position", "official_rank",
)  # fmt: skip
CHANGE_COLUMNS = (
    "player", "sequence", "method", "own_e4", "before_e4", "games_before", "games", "unrated_games",
    "opponents_sum", "average_e4", "points", "expected_percentage_e4", "expected_score_e4", "k", "development",
    "delta_e4", "performance_e4", "after_e4", "first_day", "last_day",
)  # fmt: skip


def write_list(
    rating_list: RatingList,
    rows: ListColumns,
    changes: ChangeColumns,
    tournaments: Integers,
    basis: Integers,
    *,
    progress: Progress,
) -> None:
    """Fill and seal the partition of a new draft, and set the digest of its figures.

    `tournaments` and `basis` give, for each row of `changes`, the tournament and the list its ratings came from.
    Must run in the transaction that created the draft: either the sealed list is there or nothing is.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_partition(%s)", [rating_list.pk])
    length = len(rows) + len(changes)
    progress.begin("write", of=length)
    _write_rows(rating_list, rows)
    progress.add_rows(len(rows))
    _write_changes(rating_list, changes, tournaments, basis)
    progress.add_rows(len(changes))
    progress.end()
    _seal(rating_list, length, progress)
    rating_list.players = len(rows)
    rating_list.official_players = int(np.count_nonzero(rows.official))
    rating_list.sha256 = _figures_digest(rating_list, rows)
    rating_list.save(update_fields=["players", "official_players", "sha256"])


def _seal(rating_list: RatingList, length: int, progress: Progress) -> None:
    for stage, function in (("index", "index_partition"), ("attach", "seal_partition")):
        progress.begin(stage, of=length)
        with connection.cursor() as cursor:
            cursor.callproc(function, [rating_list.pk])
        progress.add_rows(length)
        progress.end()


def _figures_digest(rating_list: RatingList, rows: ListColumns) -> str:
    """The digest of the list, from the columns; the publication writes the file from the rows in the database."""
    change = rows.change.astype(object)
    change[rows.previous == 0] = None
    last_game = rows.last_game_day.astype("datetime64[D]")
    last_game[rows.last_game_day == NO_DAY] = np.datetime64("NaT")  # None in a list
    columns = (
        rows.register_number, rows.rating, change, rows.period_games, rows.games, rows.category.astype("U1"),
        rows.rank, rows.reached_2300, rows.games_3_years, last_game,
    )  # fmt: skip
    figures = list(map(Figures, *(column.tolist() for column in columns)))
    return figures_file(figures, rating_list.address, rating_list.previous_sha256).sha256


def binary_rows(columns: Mapping[str, np.ndarray]) -> bytes:
    """Whole-number columns as the body of a binary COPY into columns of type int.

    Raises OverflowError, naming the column, for a figure that does not fit 32 bits.
    """
    length = len(next(iter(columns.values())))
    fields = [(name, [("size", ">i4"), ("value", ">i4")]) for name in columns]
    record = np.zeros(length, dtype=[("fields", ">i2"), *fields])
    record["fields"] = len(columns)
    for name, values in columns.items():
        if length and (values.max() > 2**31 - 1 or values.min() < -(2**31)):
            raise OverflowError(f"{name}: a figure does not fit 32 bits")
        record[name]["size"] = 4
        record[name]["value"] = values
    return b"PGCOPY\n\xff\r\n\0" + b"\0" * 8 + record.tobytes() + b"\xff\xff"


def _copy(table: str, columns: Mapping[str, np.ndarray]) -> None:
    """Whole-number columns into a temporary table."""
    names = sql.SQL(", ").join(sql.SQL("{} int").format(sql.Identifier(name)) for name in columns)
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE TEMP TABLE {} ({}) ON COMMIT DROP").format(sql.Identifier(table), names)
        )
        with cursor.copy(sql.SQL("COPY {} FROM STDIN (FORMAT binary)").format(sql.Identifier(table))) as copy:
            copy.write(binary_rows(columns))


def _write_rows(rating_list: RatingList, rows: ListColumns) -> None:
    table = f"new_rows_{rating_list.pk}"
    flags = {
        "reached": rows.reached_2300.astype(np.int64),
        "category": rows.category.view(np.uint8).astype(np.int64),
    }
    _copy(table, {name: getattr(rows, name) for name in ROW_COLUMNS} | flags)
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(INSERT_ROWS).format(
                partition=sql.Identifier(f"ratings_ratinglistrow_{rating_list.pk}"),
                list=sql.Literal(rating_list.pk),
                rows=sql.Identifier(table),
                no_day=sql.Literal(NO_DAY),
                title=sql.Identifier("title_64" if rating_list.pool.discipline == "64" else "title"),
            )
        )


INSERT_ROWS = """
INSERT INTO {partition} (
    list_id, position, name_position, official_position, player_id, register_number, name, sort_name, federation,
    sex, birth_year, title, rating, change, period_games, games, games_3_years, last_game, reached_2300, category,
    rank, official_rank
)
SELECT {list}, f.position, row_number() OVER (ORDER BY p.sort_name, f.register_number, p.id),
    nullif(f.official_position, 0), p.id, f.register_number,
    CASE p.first_name WHEN '' THEN p.last_name ELSE p.last_name || ', ' || p.first_name END, p.sort_name,
    p.federation_id, p.sex, p.birth_year, p.{title}, f.rating, CASE WHEN f.previous > 0 THEN f.change END,
    f.period_games, f.games, f.games_3_years,
    CASE WHEN f.last_game_day <> {no_day} THEN date '1970-01-01' + f.last_game_day END,
    f.reached = 1, chr(f.category), f.rank, nullif(f.official_rank, 0)
FROM {rows} f JOIN reporting_player p ON p.id = f.player
ORDER BY f.position
"""


def _write_changes(
    rating_list: RatingList, changes: ChangeColumns, tournaments: Integers, basis: Integers
) -> None:
    table = f"new_changes_{rating_list.pk}"
    columns = {name: getattr(changes, name) for name in CHANGE_COLUMNS}
    columns |= {"tournament": tournaments, "basis": basis}
    columns |= {
        name: getattr(changes, name).astype(np.int64) for name in ("own_is_running", "performance_limited")
    }
    _copy(table, columns)
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(INSERT_CHANGES).format(
                partition=sql.Identifier(f"ratings_ratingchange_{rating_list.pk}"),
                list=sql.Literal(rating_list.pk),
                changes=sql.Identifier(table),
                methods=sql.Literal(list(METHODS)),
            )
        )


INSERT_CHANGES = """
INSERT INTO {partition} (
    list_id, player_id, sequence, tournament_id, basis_list_id, method, own_e4, own_is_running, before_e4,
    games_before, games, unrated_games, opponents_sum, average_e4, points, expected_percentage_e4,
    expected_score_e4, k, development, delta_e4, performance_e4, performance_limited,
    after_e4, first_game, last_game
)
SELECT {list}, c.player, c.sequence, c.tournament, c.basis, ({methods}::text[])[c.method + 1], nullif(c.own_e4, 0),
    c.own_is_running = 1, nullif(c.before_e4, 0), c.games_before, c.games, c.unrated_games, c.opponents_sum,
    c.average_e4, c.points, CASE c.method WHEN 1 THEN c.expected_percentage_e4 END,
    CASE c.method WHEN 1 THEN c.expected_score_e4 END, CASE c.method WHEN 1 THEN c.k END,
    CASE c.method WHEN 1 THEN c.development END, CASE c.method WHEN 1 THEN c.delta_e4 END, c.performance_e4,
    c.performance_limited = 1, c.after_e4, date '1970-01-01' + c.first_day, date '1970-01-01' + c.last_day
FROM {changes} c
ORDER BY c.player, c.sequence
"""


def drop_superseded() -> int:
    """Drop the partitions of superseded lists; returns how many.

    A drop waits for all readers and blocks new ones, so it waits a second at most: a list in use is dropped the next
    night. The row of the list itself stays.
    """
    dropped = 0
    for pk in RatingList.objects.filter(state=RatingList.State.SUPERSEDED).values_list("pk", flat=True):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [f"ratings_ratinglistrow_{pk}"])
                if cursor.fetchone() == (True,):
                    cursor.execute("SELECT drop_superseded_partition(%s)", [pk])
                    dropped += 1
        except OperationalError:  # lock_timeout
            continue
    return dropped
