"""Columns read from the database: one binary value a column, without a Python object per row."""

import struct
from collections.abc import Sequence

import numpy as np
from django.db import connection
from psycopg import Cursor, sql

from ratings.rules.columns import Integers

INT4_OID = 23
ARRAY_HEADER = ">5i"
HEADER_BYTES = 20


def numbers(values: Sequence[int]) -> sql.Composable:
    """Numbers as a constant array, for `= ANY(…)`: the planner opens only their partitions."""
    # As one text: an array is written number by number by the driver, which takes ten times as long.
    return sql.SQL("{}::bigint[]").format(sql.Literal(f"{{{','.join(map(str, values))}}}"))


def read_columns(query: sql.Composed, count: int, *, rising: int = 0) -> list[Integers]:
    """The whole-number columns of a query as int64 arrays; no NULL may be among them.

    Rows rise by the first `rising` columns; with none they are in the order of the query. They are sorted here: for
    an ORDER BY the database would read a table through its index, row by row.

    Raises ValueError for a column that is not whole numbers without NULL.
    """
    names = [sql.Identifier(f"c{place}") for place in range(count)]
    arrays = sql.SQL(", ").join(sql.SQL("array_agg({}::int4)").format(name) for name in names)
    whole = sql.SQL("SELECT {} FROM ({}) AS q ({})").format(arrays, query, sql.SQL(", ").join(names))
    connection.ensure_connection()
    # Django's own cursor puts values into the query itself and so cannot receive binary.
    with Cursor(connection.connection) as cursor:
        cursor.execute(whole, binary=True)
        result = cursor.pgresult
        assert result is not None  # noqa: S101 - a SELECT has an answer
        columns = [column_of(result.get_value(0, place)) for place in range(count)]
    if rising:
        order = np.lexsort(columns[:rising][::-1])
        columns = [column[order] for column in columns]
    return columns


def column_of(raw: bytes | None) -> Integers:
    """An array_agg of int4, as it came in binary. Raises ValueError for anything else, and for a NULL in it."""
    if raw is None:  # array_agg of no rows
        return np.empty(0, dtype=np.int64)
    dimensions, has_null, oid, length, _ = struct.unpack_from(ARRAY_HEADER, raw)
    cells = np.frombuffer(raw, ">i4", offset=HEADER_BYTES)
    if (dimensions, has_null, oid, cells.size) != (1, 0, INT4_OID, 2 * length):
        raise ValueError("not a column of whole numbers without NULL")
    # To int64 before any arithmetic: >i4 would overflow in a sum of three ratings times ten thousand.
    return cells[1::2].astype(np.int64)
