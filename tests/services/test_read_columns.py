"""Columns of whole numbers, as they arrive from the database."""

import pytest
from django.db import connection
from psycopg import DataError, sql

from ratings.inputs.read_columns import read_columns, request_columns

pytestmark = pytest.mark.django_db

LEAST, LARGEST = -(2**31), 2**31 - 1


def columns_of(rows: str, count: int, **rising: int) -> list[list[int]]:
    columns = read_columns(sql.SQL("SELECT * FROM (VALUES {}) q").format(sql.SQL(rows)), count, **rising)
    assert all(column.dtype == "int64" for column in columns)
    return [column.tolist() for column in columns]


@pytest.mark.parametrize("kind", ["smallint", "int", "bigint"])
def test_every_kind_of_whole_number_keeps_its_sign_beside_any_other(kind):
    rows = ", ".join(f"({one}::{kind}, {other}::{kind})" for one in (-2, 0, 2) for other in (-1, 0, 1))
    assert columns_of(rows, 2) == [[-2, -2, -2, 0, 0, 0, 2, 2, 2], [-1, 0, 1, -1, 0, 1, -1, 0, 1]]


def test_the_limits_of_32_bits_in_each_place_of_an_odd_number_of_columns():
    rows = f"({LEAST}, {LARGEST}, {LEAST}), ({LARGEST}, {LEAST}, {LARGEST}), ({LEAST}, -1, 0)"
    assert columns_of(rows, 3) == [[LEAST, LARGEST, LEAST], [LARGEST, LEAST, -1], [LEAST, LARGEST, 0]]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("number", [LARGEST + 1, LEAST - 1])
def test_a_number_beyond_32_bits_is_refused(place, number):
    row = ["0::bigint"] * 3
    row[place] = str(number)
    with pytest.raises(DataError):
        columns_of(f"({', '.join(row)})", 3)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_null_is_refused(place):
    row = ["0"] * 3
    row[place] = "NULL::int"
    with pytest.raises(ValueError, match="without NULL"):
        columns_of(f"(1, 2, 3), ({', '.join(row)})", 3)


def test_rows_rise_by_the_first_columns():
    assert columns_of("(2, 1, 5), (1, 2, 6), (1, 1, 7)", 3, rising=2) == [[1, 1, 2], [1, 2, 1], [7, 6, 5]]


def test_no_rows_give_empty_columns():
    assert columns_of("(1, 2, 3) LIMIT 0", 3) == [[], [], []]


def test_columns_requested_together_are_received_in_any_order_with_other_queries_between():
    query = "SELECT n, {} FROM generate_series(1, {}) AS n"
    with connection.connection.pipeline():
        requested = [
            request_columns(sql.SQL(query).format(factor, length), 2)
            for factor, length in ((7, 30_000), (8, 1), (9, 2))
        ]
        with connection.cursor() as cursor:
            cursor.execute("SELECT 10")
            assert cursor.fetchone() == (10,)
        received = [list(map(set, requested[place]())) for place in (2, 0, 1)]
    assert received == [[{1, 2}, {9}], [set(range(1, 30_001)), {7}], [{1}, {8}]]


def test_a_null_in_columns_requested_together_leaves_the_connection_usable():
    def both() -> None:
        with connection.connection.pipeline():
            requested = [request_columns(sql.SQL(query), 1) for query in ("SELECT NULL::int", "SELECT 1")]
            requested[0]()

    with pytest.raises(ValueError, match="without NULL"):
        both()
    assert columns_of("(2)", 1) == [[2]]
