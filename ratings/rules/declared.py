"""Columns of lists and changes, declared once: how each is called, stored, exported, sorted and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

import numpy as np

from ratings.rules.columns import NO_DAY, Columns, Flags, Words
from ratings.rules.derived_lists import gettext_noop


class Kind(StrEnum):
    """How a column is stored and printed."""

    WHOLE = "whole"
    DIFFERENCE = "difference"
    """A whole number printed with its sign; none for a new player."""
    SCALED = "scaled"
    """A figure times ten to the power of its `decimals`, and printed with them."""
    HALVES = "halves"
    """Points in halves of a system that counts 1-½-0; printed as `1½`, in files `1.5`."""
    DAY = "day"
    FLAG = "flag"
    LETTER = "letter"
    WORD = "word"
    TEXT = "text"
    """Of the register, as it is written there."""
    CLUB = "club"
    """The number of a club, stored and printed with six digits; nothing for none (0)."""
    PLAYER = "player"
    """Another player, a foreign key whose field is called without `_id`; printed as the number in the register of the
    list, nothing for a player without one."""

    @property
    def is_number(self) -> bool:
        return self in {Kind.WHOLE, Kind.DIFFERENCE, Kind.SCALED, Kind.HALVES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """How a list is sorted by a column.

    `key` is the value of `?sort=`, with a minus in front for the highest first; `rising` and `falling` say the order,
    marked for translation; `falls_first` where the first click shows the highest first. `position` is the column of
    the same order that has no equal values, where there is one.
    """

    key: str
    rising: str
    falling: str
    falls_first: bool = False
    position: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """How a list is filtered by a column: by one of these values, under the column's name in the query string.

    The texts are marked for translation: `every` is the choice of no value; `in_use` and `unknown` are the sentences
    of a value in use and of one that is not known, with `%(value)s`.
    """

    values: tuple[str, ...]
    every: str
    in_use: str
    unknown: str


class Tone(StrEnum):
    """How a cell stands out from the others."""

    NORMAL = ""
    SOFT = "soft"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column that a table stores under the name of its field, and that an engine calculates or the register has.

    `array` is the engine's name of it, where it differs. `given` names the array that says by a number other than 0
    whether a row has a value at all; a day has none where it is `NO_DAY`. `words` are the words of the numbers 0, 1,
    …, of which one may be empty; `words_from` names the field of the engine's table that has them, where only a
    calculation knows them, such as the addresses of the lists that it read. `since` is the day in force of the first
    list with the column (decision 0045): earlier lists and their revisions neither store nor print it. A scaled figure
    is printed whole in files where the flag `whole_unless` of its row is not set: a rating of a list is whole, a
    running value has four decimals. One with more than four decimals is stored in 64 bits; `file_decimals` are those
    that files print of it, halves away from zero, where these are fewer.

    `opening_range` are the least and the largest value that a table of opening ratings may have; without it a whole
    number there counts games, of which no player has more than in all.

    `header` is its name in files, where it differs, and `text_header` that in the printed list; `meaning` what
    its values are, for readers of files, with the unit. On pages: `label` is
    its heading and `full_label` the same in full where that is shortened, both marked for translation; `wide` says
    that a phone has no room for it.
    """

    name: str
    kind: Kind = Kind.WHOLE
    decimals: int = 4
    file_decimals: int | None = None
    array: str = ""
    given: str = ""
    words: Words = ()
    words_from: str = ""
    whole_unless: str = ""
    since: date | None = None
    opening_range: tuple[int, int] | None = None
    header: str = ""
    text_header: str = ""
    meaning: str = ""
    label: str = ""
    full_label: str = ""
    wide: bool = False
    tone: Tone = Tone.NORMAL
    sort: Sort | None = None
    filter: Filter | None = None

    @property
    def is_long(self) -> bool:
        """Whether it is stored in 64 bits."""
        return self.kind is Kind.SCALED and self.decimals > 4

    @property
    def decimals_in_files(self) -> int:
        """The decimals that files print of a scaled figure."""
        return self.decimals if self.file_decimals is None else self.file_decimals

    @property
    def relation(self) -> str:
        """The field of a player, without `_id`."""
        return self.name.removesuffix("_id")

    @property
    def in_files(self) -> str:
        """Its name in files."""
        return self.header or self.name

    @property
    def source(self) -> str:
        """The engine's name of the array."""
        return self.array or self.name

    def words_of(self, table: Columns) -> Words:
        """The words of the numbers 0, 1, … in a calculated table."""
        words: Words = getattr(table, self.words_from) if self.words_from else self.words
        return words

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
                objects = np.array(self.words_of(table), dtype=object)[array]
            case Kind.CLUB:
                objects = np.array(
                    [f"{number:06}" if number else "" for number in array.tolist()], dtype=object
                )
            case _:
                objects = array.astype(object)
        if given is not None:
            objects[~given] = None
        values = objects.tolist()
        return values


PERSON_COLUMNS = (
    Column(
        name="name",
        kind=Kind.TEXT,
        meaning="Name, family name first.",
        label=gettext_noop("Player"),
        sort=Sort(
            key="name",
            rising=gettext_noop("by name"),
            falling=gettext_noop("by name, from Z to A"),
            position="name_position",
        ),
    ),
    Column(name="sort_name", kind=Kind.TEXT),
    Column(
        name="federation",
        kind=Kind.TEXT,
        label=gettext_noop("Fed."),
        full_label=gettext_noop("Federation"),
        text_header="fed",
        meaning="Federation, three letters.",
        sort=Sort(
            key="federation",
            rising=gettext_noop("by federation"),
            falling=gettext_noop("by federation, from Z to A"),
        ),
    ),
    Column(name="sex", kind=Kind.TEXT, meaning="M or F."),
    Column(
        name="birth_year",
        meaning="Year of birth.",
        label=gettext_noop("Born"),
        wide=True,
        tone=Tone.SOFT,
        sort=Sort(
            key="born",
            rising=gettext_noop("by year of birth, oldest first"),
            falling=gettext_noop("by year of birth, youngest first"),
        ),
    ),
    Column(
        name="title",
        kind=Kind.TEXT,
        label=gettext_noop("Title"),
        meaning="Highest title on the day of the list.",
        wide=True,
        sort=Sort(
            key="title",
            rising=gettext_noop("by title"),
            falling=gettext_noop("by title, lowest first"),
        ),
    ),
)
"""What a row of every system says of its player, as the register has it when the list is calculated."""


class Unit(StrEnum):
    """What a change is the change by."""

    TOURNAMENT = "tournament"
    GAME = "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFigure:
    """A figure of a change on the page of a tournament: its column, the heading, and the heading in full.

    Both are plain English, translated where they are shown.
    """

    name: str
    label: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedColumn:
    """A column of a row that the office compares on a draft: letters or whole numbers.

    `other` names the choice of the players in whom it differs. `moved` counts players by both values, `%(before)s` and
    `%(after)s`; empty where it has too many values for that. Both are plain English, translated where they are shown.
    """

    name: str
    other: str
    moved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUse:
    """A source whose lists a system reads (`ratings/formats/sources`): of which kinds, and from how many years before
    the day of a list on."""

    source: str
    kinds: tuple[str, ...]
    years: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListValue:
    """A column of what the officer decides for one list: whole numbers in a range.

    `name` is its heading in files, `label` that on pages, plain English translated where it is shown; `meaning` what
    its values are, for readers of files.
    """

    name: str
    label: str
    least: int
    most: int
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The columns of a system's lists and changes, and what a list is read from besides its reports and its pool.

    `rows` and `changes` are the calculated columns in the order in which they are stored; the rows have
    `person_columns` besides, those of `PERSON_COLUMNS` that the system does not calculate itself. The other fields name
    columns of a row: `figures` those of the signed figures file, `list_file` those of the list as a file, `text_file`
    those of the printed one, `list_page` those of its page after rank and player, `compared` those by which two lists
    are compared, `opening_file` the numbers of games and the flags that an opening list as a file may have.
    `change_file` names columns of a change, `change_page` those that the page of a tournament shows besides rating,
    points, counted games and change. A column that none of them names is not
    public.

    `unit` says what a change is the change by. Changes by game are `ratings.models.GameChange`: files have part and
    round of the game before the columns of `change_file`, and pages show a player's games of a tournament together,
    each with its own calculation and the figures `change_page`.

    `held` are the columns of rows that are kept for later lists and published nowhere, with `player_id`,
    `register_number`, `rating` and `games` (decision 0156); none where the regulations know no such row.

    `basis` names the field of the one list whose ratings all games of a change use: a game counts where the opponent is
    on it. Changes by tournament have it. `before` names the column of the rating that a change starts from (times
    10,000; none for a first result), which corrections are carried by.
    `performance` names the column of a change that is the performance in it; empty where the rules define none.
    `checked` are those by which the office compares a draft with another list,
    besides rating, games, name and federation. Every list is sorted by `name` and by `rating`.

    `sources` are the lists of others that a list reads; with `reads_pools` it reads the lists of earlier days of the
    system's other pools. `values` are the columns of what the officer decides for one list, a line for each value of
    the first one. With `reads_memberships` it reads who is a member of which club. All of it is read from
    `CalculationInputs`.

    `divided_by` are columns by whose values the list is divided: a derived list for each, named `club:020032`.
    """

    rows: tuple[Column, ...]
    changes: tuple[Column, ...]
    figures: tuple[str, ...]
    list_file: tuple[str, ...]
    text_file: tuple[str, ...]
    list_page: tuple[str, ...]
    change_file: tuple[str, ...]
    compared: tuple[str, ...]
    unit: Unit = Unit.TOURNAMENT
    opening_file: tuple[str, ...] = ()
    change_page: tuple[ShownFigure, ...] = ()
    held: tuple[Column, ...] = ()
    basis: str = ""
    before: str = ""
    performance: str = ""
    checked: tuple[CheckedColumn, ...] = ()
    sources: tuple[SourceUse, ...] = ()
    reads_pools: bool = False
    values: tuple[ListValue, ...] = ()
    reads_memberships: bool = False
    divided_by: tuple[str, ...] = ()

    @property
    def person_columns(self) -> tuple[Column, ...]:
        """What a row says of its player as the register has it."""
        calculated = {column.name for column in self.rows}
        return tuple(column for column in PERSON_COLUMNS if column.name not in calculated)

    @property
    def has_official_list(self) -> bool:
        """Whether its official list is shorter than the full one; else all players are on it, in the same order."""
        return any(column.name == "official_position" for column in self.rows)

    @property
    def official_source(self) -> str:
        """The engine's name of the array of places on the official list."""
        return "official_position" if self.has_official_list else "position"

    @property
    def has_categories(self) -> bool:
        """Whether its rows have a category."""
        return any(column.name == "category" for column in self.rows)

    @property
    def has_substitutes(self) -> bool:
        """Whether the game of a substitute may count for the player replaced: its changes say for whom."""
        return any(column.name == "substitute" for column in self.changes)

    def on(self, in_force: date) -> Declaration:
        """The columns of a list that came into force on a day: without those declared since a later day."""
        later, later_of_changes = (
            {column.name for column in columns if column.since is not None and column.since > in_force}
            for columns in (self.rows, self.changes)
        )
        if not later and not later_of_changes:
            return self
        of_rows = ("figures", "list_file", "text_file", "list_page", "compared", "divided_by")
        places: dict[str, Any] = {
            place: tuple(name for name in getattr(self, place) if name not in later) for place in of_rows
        }
        return replace(
            self,
            rows=tuple(column for column in self.rows if column.name not in later),
            changes=tuple(column for column in self.changes if column.name not in later_of_changes),
            change_file=tuple(name for name in self.change_file if name not in later_of_changes),
            checked=tuple(checked for checked in self.checked if checked.name not in later),
            change_page=tuple(shown for shown in self.change_page if shown.name not in later_of_changes),
            **places,
        )

    @property
    def sorts(self) -> dict[str, tuple[Column, Sort]]:
        """The values of `?sort=`, each with its column and how it sorts."""
        columns = (*self.person_columns, *self.rows)
        return {column.sort.key: (column, column.sort) for column in columns if column.sort}

    @property
    def filters(self) -> dict[str, tuple[Column, Filter]]:
        """The names of the calculated columns that a reader may filter by, each with its column and how."""
        return {column.name: (column, column.filter) for column in self.rows if column.filter}

    def header(self, name: str) -> str:
        """The name in files of a column of a row. Raises StopIteration for an unknown name."""
        return self.column(name).in_files

    def column(self, name: str) -> Column:
        """A column of a row. Raises StopIteration for an unknown name."""
        return next(column for column in (*self.rows, *PERSON_COLUMNS) if column.name == name)

    def change_column(self, name: str) -> Column:
        """A calculated column of a change. Raises StopIteration for an unknown name."""
        return next(column for column in self.changes if column.name == name)


def stored_rows(columns: Sequence[Column], table: Columns) -> list[dict[str, Any]]:
    """The rows of a calculated table as the database would give them back: column → value."""
    cells = [column.values(table) for column in columns]
    names = [column.name for column in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]
