"""Columns of lists and changes, declared once: how each is called, stored, exported, sorted and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from ratings.systems.columns import NO_DAY, Columns, Flags


class Kind(StrEnum):
    """How a column is stored and printed."""

    WHOLE = "whole"
    SCALED = "scaled"
    """Times 10,000; printed with four decimals."""
    DAY = "day"
    FLAG = "flag"
    LETTER = "letter"
    WORD = "word"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column that an engine calculates and a table stores under the same name.

    `array` is the engine's name of it, where it differs. `given` names the array that says by a number other than 0
    whether a row has a value at all; a day has none where it is `NO_DAY`. `words` are the words of the numbers 0, 1, …
    A scaled figure is printed whole in files where the flag `whole_unless` of its row is not set: a rating of a list
    is whole, a running value has four decimals.
    """

    name: str
    kind: Kind = Kind.WHOLE
    array: str = ""
    given: str = ""
    words: tuple[str, ...] = ()
    whole_unless: str = ""

    @property
    def source(self) -> str:
        """The engine's name of the array."""
        return self.array or self.name

    def is_given(self, table: Columns) -> Flags | None:
        """Which rows have a value; None for all."""
        if self.kind is Kind.DAY:
            return np.asarray(getattr(table, self.source) != NO_DAY)
        return np.asarray(getattr(table, self.given) != 0) if self.given else None

    def values(self, table: Columns) -> list[Any]:
        """The column as the database gives it back: whole numbers, dates, truth values, words; None for no value."""
        array = getattr(table, self.source)
        given = self.is_given(table)
        match self.kind:
            case Kind.DAY:
                days = array.astype("datetime64[D]")
                days[array == NO_DAY] = np.datetime64("NaT")  # None in a list
                values: list[Any] = days.tolist()
                return values
            case Kind.FLAG:
                objects = array.astype(bool).astype(object)
            case Kind.LETTER:
                objects = array.astype("U1").astype(object)
            case Kind.WORD:
                objects = np.array(self.words, dtype=object)[array]
            case _:
                objects = array.astype(object)
        if given is not None:
            objects[~given] = None
        values = objects.tolist()
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFigure:
    """A figure of a change on the page of a tournament: its column, the heading, and the heading in full.

    Both are plain English, translated where they are shown.
    """

    name: str
    label: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The columns of a system's lists and changes.

    `rows` and `changes` are the calculated columns in the order in which they are stored; the rows have the columns of
    `PERSON_COLUMNS` besides, which come from the register. The other fields name columns of a row: `figures` those of
    the signed figures file, `list_file` those of the list as a file, `text_file` those of the printed one, `compared`
    those by which two lists are compared, `sorts` the values of `?sort=` with their columns. `headers` are the names
    in files where they differ. `change_file` names columns of a change; `change_page` are those that the page of a
    tournament shows besides rating, points, counted games and change.
    """

    rows: tuple[Column, ...]
    changes: tuple[Column, ...]
    figures: tuple[str, ...]
    list_file: tuple[str, ...]
    text_file: tuple[str, ...]
    change_file: tuple[str, ...]
    compared: tuple[str, ...]
    sorts: Mapping[str, str]
    headers: Mapping[str, str]
    change_page: tuple[ShownFigure, ...] = ()

    def header(self, name: str) -> str:
        """The name of a column in files."""
        return self.headers.get(name, name)

    def column(self, name: str) -> Column:
        """A calculated column of a row. Raises StopIteration for an unknown name."""
        return next(column for column in self.rows if column.name == name)

    def change_column(self, name: str) -> Column:
        """A calculated column of a change. Raises StopIteration for an unknown name."""
        return next(column for column in self.changes if column.name == name)


PERSON_COLUMNS = ("name", "sort_name", "federation", "sex", "birth_year", "title")
"""What a row says of its player, as the register has it when the list is calculated."""


def stored_rows(columns: Sequence[Column], table: Columns) -> list[dict[str, Any]]:
    """The rows of a calculated table as the database would give them back: column → value."""
    cells = [column.values(table) for column in columns]
    names = [column.name for column in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]
