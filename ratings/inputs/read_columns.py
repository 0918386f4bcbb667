"""Columns read from the database: one binary value for all of them, without a Python object per row."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from django.db import connection
from django.db.models import BigIntegerField, Func, Value
from django.db.models.expressions import Combinable
from psycopg import Cursor, sql

from ratings.rules.columns import Integers


def numbers(values: Sequence[int]) -> sql.Composable:
    """Numbers as a constant array, for `= ANY(…)`: the planner opens only their partitions."""
    # As one text: an array is written number by number by the driver, which takes ten times as long.
    return sql.SQL("{}::bigint[]").format(sql.Literal(_array(values)))


def number_rows(values: Iterable[int]) -> Combinable:
    """Numbers as rows, for a filter `…__in` of thousands: a list Django writes number by number too."""
    return Func(
        Value(_array(values)),
        template="(SELECT unnest(%(expressions)s::bigint[]))",
        output_field=BigIntegerField(),
    )


def _array(values: Iterable[int]) -> str:
    return f"{{{','.join(map(str, values))}}}"


def read_columns(query: sql.Composed, count: int, *, rising: int = 0) -> list[Integers]:
    """The whole-number columns of a query as int64 arrays; no NULL may be among them.

    Rows rise by the first `rising` columns; with none they are in the order of the query. They are sorted here: for
    an ORDER BY the database would read a table through its index, row by row.

    Raises ValueError for a NULL, and DataError for a number that does not fit 32 bits.
    """
    return request_columns(query, count, rising=rising)()


Requested = Callable[[], list[Integers]]
"""Receives the columns of a query that was sent, once only."""


def request_columns(query: sql.Composed, count: int, *, rising: int = 0) -> Requested:
    """Send the query of `read_columns`, whose columns are received later.

    In psycopg's pipeline mode the database carries it out while this process does something else; the first query that
    is received waits for all that were sent.
    """
    names = [sql.Identifier(f"c{place}") for place in range(count)]
    # Two numbers are sent as one: half the calls, in less than two thirds of the time of an array for each column.
    sent = [sql.SQL(PAIR).format(*pair) for pair in zip(names[::2], names[1::2], strict=False)]
    if count % 2:
        sent.append(sql.SQL("int4send({}::int4)").format(names[-1]))
    whole = sql.SQL("SELECT count(*), string_agg({}, ''::bytea) FROM ({}) AS q ({})").format(
        sql.SQL(" || ").join(sent), query, sql.SQL(", ").join(names)
    )
    connection.ensure_connection()
    # Django's own cursor puts values into the query itself and so cannot receive binary.
    cursor = Cursor(connection.connection)
    cursor.execute(whole, binary=True)

    def received() -> list[Integers]:
        with cursor:
            length, packed = cursor.fetchone() or (0, None)
        cells = np.frombuffer(packed or b"", ">i4")
        if cells.size != length * count:  # a row with a NULL is left out
            raise ValueError("not columns of whole numbers without NULL")
        # To int64 before any arithmetic: >i4 would overflow in a sum of three ratings times ten thousand.
        columns = list(cells.reshape(length, count).T.astype(np.int64, order="C"))
        if rising:
            order = np.lexsort(columns[:rising][::-1])
            if np.any(np.diff(order) < 0):  # mostly they rise as they are stored
                columns = [column[order] for column in columns]
        return columns

    return received


# A number too large for 32 bits overflows the product.
PAIR = "int8send({} * 4294967296 | ({}::int4 & 4294967295))"
