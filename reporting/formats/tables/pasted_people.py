"""Rows of a spreadsheet, pasted for the players of a report: start number or name, sex, date of birth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
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
    NO_VALUE = "no_value"
    OTHER_COUNT = "other_count"


@dataclass(frozen=True)
class PastedPeople:
    """What pasted rows give: sex and birth by number of the player, as fields have them; and the rows not used."""

    values: Mapping[str, Mapping[str, str]]
    unused: Sequence[tuple[str, PastedProblem]]


@dataclass(frozen=True)
class _Row:
    text: str
    number: str
    name: str
    values: Mapping[str, str]


def read_pasted_people(text: str, names: Mapping[str, str]) -> PastedPeople:
    """Read the rows for players, whose names are by their numbers in the order of the page. Never raises.

    The cells of a row are apart by tabs, semicolons or commas, in any order. A row names its player by the number or
    the name. Where no row does, the rows are columns of values in the order of the players, one for each.
    """
    rows = [_row(line, names) for line in text.splitlines()[:MAX_ROWS] if line.strip()]
    keys = {number: _key(name) for number, name in names.items()}
    counted = Counter(keys.values())
    by_name = {key: number for number, key in keys.items() if counted[key] == 1}
    values: dict[str, Mapping[str, str]] = {}
    unused: list[tuple[str, PastedProblem]] = []
    if rows and not any(row.number or row.name for row in rows):
        if len(rows) != len(names):
            return PastedPeople({}, [(row.text, PastedProblem.OTHER_COUNT) for row in rows])
        return PastedPeople(
            {number: row.values for number, row in zip(names, rows, strict=True) if row.values}, []
        )
    for row in rows:
        number = row.number or by_name.get(_key(row.name), "")
        if not number:
            unused.append((row.text, PastedProblem.NO_PLAYER))
        elif not row.values:
            unused.append((row.text, PastedProblem.NO_VALUE))
        else:
            values[number] = row.values
    return PastedPeople(values, unused)


def _row(line: str, names: Mapping[str, str]) -> _Row:
    separator = next((sign for sign in "\t;," if sign in line), "\t")
    number, values, words = "", {}, []
    for place, cell in enumerate(map(plain_text, line.split(separator))):
        if sex := sex_code(cell):
            values["sex"] = sex
        elif isinstance(born := parse_day(cell), date):
            values["born"] = born.isoformat()
        elif place == 0 and cell in names:
            number = cell
        elif re.search(r"[^\W\d_]", cell):
            words.append(cell)
    return _Row(line.strip(), number, " ".join(words), values)


def _key(name: str) -> str:
    """Words in alphabetical order, so that `Last, First` and `First Last` are equal."""
    return " ".join(sorted(normalize_name(name).replace(",", "").split()))
