"""Rows of a spreadsheet, pasted for the players of a report: start number or name, sex, date of birth."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from enum import Enum

from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.sexes import sex_code

MAX_ROWS = 5_000


class PastedProblem(Enum):
    """Why a pasted row was not used."""

    NO_PLAYER = "no_player"
    OTHER_NAME = "other_name"
    NO_SEX = "no_sex"
    NO_DAY = "no_day"
    NOT_READ = "not_read"
    NO_VALUE = "no_value"
    OTHER_COUNT = "other_count"
    REPEATED_PLAYER = "repeated_player"
    TOO_MANY_ROWS = "too_many_rows"


@dataclass(frozen=True)
class UnusedRow:
    """A row that was not used: its number from 1, its text, and all its problems, each with the cells it is about."""

    number: int
    text: str
    problems: Sequence[tuple[PastedProblem, str]]


@dataclass(frozen=True)
class PastedPeople:
    """What pasted rows give: sex and birth by number of the player, as fields have them; and the rows not used."""

    values: Mapping[str, Mapping[str, str]]
    unused: Sequence[UnusedRow]


@dataclass(frozen=True)
class _Row:
    """The cells of a row by what they are. `unread` are the others, with letters; `no_days` those with figures."""

    place: int
    text: str
    number: str
    name: str
    values: Mapping[str, str]
    unread: Sequence[str]
    no_days: Sequence[str]


def read_pasted_people(text: str, names: Mapping[str, str]) -> PastedPeople:
    """Read the rows for players, whose names are by their numbers in the order of the page. Never raises.

    The cells of a row are apart by tabs, semicolons or commas, in any order. A row names its player by the number or
    the name. Where no row does, the rows are columns of values in the order of the players, one for each. A row with a
    cell that is not understood is not used, nor are two rows for one player. Of the rows after MAX_ROWS the first is
    named with the number of the last.
    """
    keys = {number: _words(name) for number, name in names.items()}
    known = {word for key in keys.values() for word in key}
    lines = [(place, line) for place, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows = [_row(place, line, names, known) for place, line in lines if place <= MAX_ROWS]
    counted = Counter(keys.values())
    by_name = {key: number for number, key in keys.items() if counted[key] == 1}
    are_columns = not any(row.number or row.name for row in rows)
    in_order = [*names] if are_columns and len(rows) == len(names) else [""] * len(rows)
    numbers = [
        row.number or by_name.get(_words(row.name), "") or at_its_place
        for row, at_its_place in zip(rows, in_order, strict=True)
    ]
    places: defaultdict[str, list[str]] = defaultdict(list)
    for row, number in zip(rows, numbers, strict=True):
        places[number].append(str(row.place))
    values: dict[str, Mapping[str, str]] = {}
    unused: list[UnusedRow] = []
    for row, number in zip(rows, numbers, strict=True):
        problems = [*_problems(row, number, keys, is_column=are_columns)]
        if number and len(places[number]) > 1:
            problems.append((PastedProblem.REPEATED_PLAYER, ", ".join(places[number])))
        if problems:
            unused.append(UnusedRow(row.place, row.text, problems))
        elif row.values:
            values[number] = row.values
    if unread := [line for line in lines if line[0] > MAX_ROWS]:
        (place, line), (last, _) = unread[0], unread[-1]
        unused.append(UnusedRow(place, line.strip(), [(PastedProblem.TOO_MANY_ROWS, str(last))]))
    return PastedPeople(values, unused)


def _row(place: int, line: str, names: Mapping[str, str], known: Set[str]) -> _Row:
    separator = next((sign for sign in "\t;," if sign in line), "\t")
    number = ""
    values: dict[str, str] = {}
    words: list[str] = []
    unread: list[str] = []
    no_days: list[str] = []
    for column, cell in enumerate(map(plain_text, line.split(separator))):
        if "sex" not in values and (sex := sex_code(cell)):
            values["sex"] = sex
        elif "born" not in values and isinstance(born := parse_day(cell), date):
            values["born"] = born.isoformat()
        elif column == 0 and cell in names:
            number = cell
        elif (parts := _words(cell)) and known >= {*parts}:
            words.append(cell)
        elif (
            re.search(r"\d", cell) and "born" not in values and (column or not re.fullmatch(r"\d{1,3}", cell))
        ):
            no_days.append(cell)
        elif re.search(r"\w", cell):
            unread.append(cell)
    return _Row(place, line.strip(), number, " ".join(words), values, unread, no_days)


def _problems(
    row: _Row, number: str, keys: Mapping[str, Sequence[str]], *, is_column: bool
) -> Iterator[tuple[PastedProblem, str]]:
    unread = row.unread
    if not number and is_column and not unread:
        yield PastedProblem.OTHER_COUNT, ""
    elif not number:
        yield PastedProblem.NO_PLAYER, " ".join(filter(None, (row.name, *unread)))
        unread = ()
    elif not set(keys[number]).issuperset(_words(row.name)):
        yield PastedProblem.OTHER_NAME, row.name
    for cell in unread:
        yield (PastedProblem.NOT_READ if "sex" in row.values else PastedProblem.NO_SEX), cell
    for cell in row.no_days:
        yield PastedProblem.NO_DAY, cell
    if number and not (row.values or unread or row.no_days or is_column):
        yield PastedProblem.NO_VALUE, ""


def _words(name: str) -> tuple[str, ...]:
    """Words in alphabetical order, so that `Last, First` and `First Last` are equal."""
    return tuple(sorted(normalize_name(name).split()))
