"""Rows of columns into a table by a binary COPY, without a Python object per row."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from psycopg import Cursor, sql

from ratings.rules.columns import Flags, Integers

ROWS_AT_ONCE: Final = 1_000
HEADER: Final = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8
END: Final = b"\xff\xff"
SENT: Final = {16: "?", 20: ">i8", 21: ">i2", 23: ">i4", 1082: ">i4"}
"""By its number in PostgreSQL, how a type is sent: truth value, whole numbers of 64, 16 and 32 bits, date."""
ELEMENTS: Final = {1005: 21, 1016: 20}
"""The types of elements of arrays of whole numbers."""
TEXTS: Final = {25, 1043}
DATE: Final = 1082
DAYS_TO_2000: Final = 10_957
"""A stored day counts from 2000 on, a day here from 1970 on."""


class Cells(NamedTuple):
    """A column: numbers, days since 1970, truth values or texts as bytes, or a row of numbers for each array.

    `given` says where there is a value; None for all.
    """

    values: NDArray[Any]
    given: Flags | None = None

    def rows(self, selection: Integers | slice) -> Self:
        """These rows of it."""
        return self._replace(
            values=self.values[selection], given=None if self.given is None else self.given[selection]
        )


@contextmanager
def binary_copy(
    cursor: Cursor, table: str, names: Sequence[str]
) -> Iterator[Callable[[Sequence[Cells]], None]]:
    """Give a function that writes rows, the columns of these names, into a table; as often as there are rows.

    It raises OverflowError, naming the column, for a number that does not fit. 1 query besides the COPY.
    """
    columns = sql.SQL(", ").join(map(sql.Identifier, names))
    cursor.execute(sql.SQL("SELECT {} FROM {} LIMIT 0").format(columns, sql.Identifier(table)))
    types = [column.type_code for column in cursor.description or ()]
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(sql.Identifier(table), columns)
    with cursor.copy(statement) as copy:
        copy.write(HEADER)

        def write(columns: Sequence[Cells]) -> None:
            # The database stores a block while the next one is made.
            for begin in range(0, len(columns[0].values), ROWS_AT_ONCE):
                block = slice(begin, begin + ROWS_AT_ONCE)
                copy.write(_rows(names, types, [cells.rows(block) for cells in columns]))

        yield write
        copy.write(END)


def _rows(names: Sequence[str], types: Sequence[int], columns: Sequence[Cells]) -> bytes:
    stored = [_stored(name, kind, *cells) for name, kind, cells in zip(names, types, columns, strict=True)]
    fields: list[Any] = [("fields", ">i2")]
    for place, values in enumerate(stored):
        fields += [(f"size{place}", ">i4"), (f"value{place}", values.dtype)]
    record = np.zeros(len(stored[0]), dtype=fields)
    record["fields"] = len(stored)
    octets = record.view(np.uint8).reshape(len(record), record.itemsize)
    is_sent = None
    for place, (values, (_, given)) in enumerate(zip(stored, columns, strict=True)):
        width = values.dtype.itemsize
        size = np.char.str_len(values) if values.dtype.kind == "S" else np.full(len(values), width)
        size = size if given is None else np.where(given, size, -1)
        record[f"value{place}"], record[f"size{place}"] = values, size
        if size.min() < width:
            if is_sent is None:
                is_sent = np.ones(octets.shape, bool)
            begin = record.dtype.fields[f"value{place}"][1]  # type: ignore[index]
            is_sent[:, begin : begin + width] = np.arange(width) < size[:, np.newaxis]
    return (octets if is_sent is None else octets[is_sent]).tobytes()


def _stored(name: str, kind: int, values: NDArray[Any], given: Flags | None) -> NDArray[Any]:
    """A column as it is sent; whatever number, where there is no value."""
    if kind in TEXTS:
        return values
    if kind in ELEMENTS:
        items = _stored(name, ELEMENTS[kind], values, given)
        width = items.shape[1]
        item = [("size", ">i4"), ("value", items.dtype)]
        array = np.zeros(len(items), dtype=[("head", ">i4", (5,)), ("items", item, (width,))])
        array["head"] = (1, 0, ELEMENTS[kind], width, 1)
        array["items"]["size"], array["items"]["value"] = items.dtype.itemsize, items
        return array
    values = values if given is None else np.where(given, values, 0)
    values = values - DAYS_TO_2000 if kind == DATE else values
    sent = np.dtype(SENT[kind])
    if sent.kind == "i" and values.size:
        bounds = np.iinfo(sent)
        if values.min() < bounds.min or values.max() > bounds.max:
            raise OverflowError(f"{name}: a number does not fit {8 * sent.itemsize} bits")
    return values.astype(sent)
