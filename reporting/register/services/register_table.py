"""The lines of a table of players: numbers in registers, names, births, titles."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils import timezone

from reporting.formats.tables.csv_table import YEAR, TableFindings, TableRow
from reporting.rules.names.plain_text import plain_punctuation
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import LARGEST_NUMBER, MAX_NAME_LENGTH, OFFICE, Register
from reporting.rules.register.titles import discipline_titles

REQUIRED = ("last_name", "first_name", "federation", "sex", "born")
NAME = re.compile(r"[^\W\d_][\w '.,()/&-]*\Z")
"""In `plain_punctuation`."""
EARLIEST_BIRTH = date(1850, 1, 1)
NO_NUMBER = "-"
"""In the column of another register: the player has no number there any more. An empty cell changes nothing."""
MAX_NUMBER_LENGTH = 20


@dataclass
class RegisterLine:
    """A line of a table: the player whom it names, and the values that it has."""

    line: int
    register: Register
    """That of the number by which the line names the player."""
    number: int
    key: int | str
    """The number; the address where it is another register's."""
    fields: dict[str, Any] = field(default_factory=dict)
    born: date | None = None
    titles: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    """By code of another register; empty = taken away."""


def read_line(
    row: TableRow, register: Register, others: Sequence[Register], findings: TableFindings
) -> RegisterLine | None:
    """The player whom a line names, with its values; None without a number. What is wrong becomes a finding."""
    numbers = _read_numbers(row, others, findings)
    number = findings.whole_number(row, register.header, 1, register.largest or LARGEST_NUMBER)
    key: int | str | None = number
    if number is not None and numbers.get(OFFICE.code):
        # The federation gives a number to a player of the office, whose record keeps its games (U22).
        numbers[register.code] = str(number)
        register, number = OFFICE, int(numbers[OFFICE.code])
        key = register.address(number)
    elif not row.values[register.header]:
        by = next((other for other in others if other.counts and numbers.get(other.code)), None)
        if by is None:
            findings.add("id-missing", line=row.line, field=register.header)
        else:
            register, number = by, int(numbers[by.code])
            key = register.address(number)
    born, fields = _read_person(row, findings) if "last_name" in row.values else (None, {})
    titles = {
        name: title
        for name, of_discipline in discipline_titles().items()
        if (title := findings.one_of(row, name, list(of_discipline.titles)))
    }
    if number is None or key is None:
        return None
    return RegisterLine(row.line, register, number, key, fields, born, titles, numbers)


def _read_person(row: TableRow, findings: TableFindings) -> tuple[date | None, dict[str, Any]]:
    """The date of birth, and the other fields that have a value."""
    country = find_country(row.values["federation"])
    if country is None:
        findings.add("federation-unknown", line=row.line, field="federation", found=row.values["federation"])
    birth_year, born = _read_birth(row, findings)
    fields: dict[str, Any] = {
        "last_name": _read_name(row, "last_name", findings),
        "first_name": _read_name(row, "first_name", findings),
        "federation_id": country.code if country else "",
        "sex": findings.sex(row, "sex"),
        "birth_year": birth_year,
    }
    # An empty cell means "unknown"; it deletes no value of the register.
    return born, {name: value for name, value in fields.items() if value}


def _read_numbers(row: TableRow, others: Sequence[Register], findings: TableFindings) -> dict[str, str]:
    """The numbers of other registers by code; empty for one that is taken away."""
    numbers = {}
    for register in others:
        text = row.values.get(register.code, "")
        if text == NO_NUMBER:
            numbers[register.code] = ""
        elif register.has_form(text):
            numbers[register.code] = text
        elif text and register.largest is None:
            findings.add(
                "number-unreadable.national",
                line=row.line,
                field=register.code,
                found=text,
                max_length=MAX_NUMBER_LENGTH,
            )
        elif text:
            findings.add(
                "number-unreadable.identity",
                line=row.line,
                field=register.code,
                found=text,
                largest=register.largest,
            )
    return numbers


def _read_name(row: TableRow, field: str, findings: TableFindings) -> str:
    name = row.values[field]
    if not name and field == "last_name":
        findings.add("name-missing.register", line=row.line, field=field)
    elif name and not NAME.match(plain_punctuation(name)):
        findings.add("name-forbidden", line=row.line, field=field, found=name)
    if len(name) > MAX_NAME_LENGTH:
        findings.add(
            "text-too-long",
            line=row.line,
            field=field,
            found=name,
            length=len(name),
            max_length=MAX_NAME_LENGTH,
        )
    return name


def _read_birth(row: TableRow, findings: TableFindings) -> tuple[int | None, date | None]:
    """Year and date of birth, as far as the cell has them."""
    text = row.values["born"]
    if YEAR.match(text):
        return int(text), None
    born = findings.day(row, "born")
    if born is None:
        return None, None
    today = timezone.localdate()
    if not EARLIEST_BIRTH <= born <= today:
        findings.add(
            "born-unlikely.register",
            line=row.line,
            field="born",
            found=text,
            first=EARLIEST_BIRTH.isoformat(),
            last=today.isoformat(),
        )
    return born.year, born
