"""Columns written by binary COPY are what a query reads; a number that does not fit stops the writing."""

from datetime import date

import numpy as np
import pytest
from django.db import connection

from ratings.production.binary_copy import ROWS_AT_ONCE, Cells, binary_copy

pytestmark = pytest.mark.django_db

TABLE = (
    "CREATE TEMP TABLE copied (small int2, whole int4, long int8, flag bool, day date, word varchar(9), text text,"
    " figures int2[], pairs int8[]) ON COMMIT DROP"
)
NAMES = ("small", "whole", "long", "flag", "day", "word", "text", "figures", "pairs")
GIVEN = np.array([True, False])


def test_each_type_is_written_as_a_query_reads_it_and_nothing_where_no_value_is_given():
    with connection.connection.cursor() as cursor:
        cursor.execute(TABLE)
        with binary_copy(cursor, "copied", NAMES) as write:
            write(
                [
                    Cells(np.array([-(2**15), 7]), GIVEN),
                    Cells(np.array([2**31 - 1, 2**40]), GIVEN),  # what does not fit is not given
                    Cells(np.array([2**40, -1])),
                    Cells(np.array([True, False])),
                    Cells(
                        np.array([20_513, -(2**31)]), GIVEN
                    ),  # 2026-03-01: 56 years of 365 days, 14 leap days, 59
                    Cells(np.array(["é".encode(), b"title"])),
                    Cells(np.array([b"", b"longer than a word"]), ~GIVEN),
                    Cells(np.array([[1, -2, 3], [0, 0, 9]])),
                    Cells(np.zeros((2, 0), np.int64)),
                ]
            )
        cursor.execute("SELECT * FROM copied")
        assert cursor.fetchall() == [
            (-(2**15), 2**31 - 1, 2**40, True, date(2026, 3, 1), "é", None, [1, -2, 3], []),
            (None, None, -1, False, None, "title", "longer than a word", [0, 0, 9], []),
        ]


def test_blocks_come_one_after_another():
    rows = np.arange(2 * ROWS_AT_ONCE + 1)
    with connection.connection.cursor() as cursor:
        cursor.execute(TABLE)
        with binary_copy(cursor, "copied", ["whole"]) as write:
            write([Cells(rows)])
            write([Cells(rows[:0])])
            write([Cells(rows[:1])])
        cursor.execute("SELECT array_agg(whole) FROM copied")
        assert cursor.fetchone() == ([*rows.tolist(), 0],)


@pytest.mark.parametrize(
    ("name", "values", "bits"),
    [
        ("small", [2**15], 16),
        ("whole", [-(2**31) - 1], 32),
        ("figures", [[0, 2**15]], 16),
        ("day", [2**33], 32),
    ],
)
def test_a_number_that_does_not_fit_is_named(name, values, bits):
    with connection.connection.cursor() as cursor:
        cursor.execute(TABLE)
        with (
            pytest.raises(OverflowError, match=f"^{name}: a number does not fit {bits} bits$"),
            binary_copy(cursor, "copied", [name]) as write,
        ):
            write([Cells(np.array(values))])
