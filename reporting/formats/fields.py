"""Single values as report files write them: numbers, dates, countries.

Numbers are read by their figures 0 to 9 only. ``int()`` would also take ``١٢``, ``1_0``, ``+5`` and `` 5 ``,
and a number that looks like another one is a wrong player.
"""

from __future__ import annotations

import re
from datetime import date

from reporting.formats.values import FIRST_DAY, LAST_DAY
from reporting.rules.countries import find_country
from reporting.rules.findings import FindingList

_FIGURES = re.compile(r"[0-9]+")
_DATE = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})")
_SHORT_DATE = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_ISO_DATE = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")

_NEVER_FOR_NUMBERS = "Write it with the figures 0 to 9 only, without signs, dots or spaces."


def read_number(text: str, *, digits: int) -> int | None:
    """Return the number written with at most ``digits`` figures 0 to 9, None for anything else."""
    if len(text) > digits or not _FIGURES.fullmatch(text):
        return None
    return int(text)


def number_advice() -> str:
    """Return what to do about a number that could not be read."""
    return _NEVER_FOR_NUMBERS


def read_date(text: str, findings: FindingList, *, line: int, column: int, field: str) -> date | None:
    """Return the date written DD/MM/YYYY; None, and a finding, for anything else (Annex 9 art. 11).

    So too for a day before FIRST_DAY or after LAST_DAY.
    """
    written = _DATE.fullmatch(text)
    if written is None:
        findings.error(
            "date-unreadable",
            "The date is not written as the form asks.",
            line=line,
            column=column,
            field=field,
            found=text,
            expected="DD/MM/YYYY, for example 06/11/2026",
            suggestion=_date_suggestion(text),
        )
        return None
    day, month, year = (int(part) for part in written.groups())
    read = _possible(year, month, day)
    if read is not None:
        return read
    of_these_years = FIRST_DAY.year <= year <= LAST_DAY.year
    swapped = _possible(year, day, month)
    findings.error(
        "date-unknown",
        "This day does not exist." if of_these_years else "No competition and no birth is of this year.",
        line=line,
        column=column,
        field=field,
        found=text,
        expected=f"a day of the calendar from {write_date(FIRST_DAY)} to {write_date(LAST_DAY)}",
        suggestion=(
            f"If day and month are exchanged, write {write_date(swapped)}."
            if swapped
            else f"Look the {'day' if of_these_years else 'year'} up and write the date again."
        ),
    )
    return None


def write_date(day: date | None) -> str:
    """Return a date as DD/MM/YYYY, empty for none (Annex 9 art. 11)."""
    return f"{day.day:02d}/{day.month:02d}/{day.year:04d}" if day else ""


def read_country(
    text: str, findings: FindingList, *, line: int, column: int, field: str, article: str = ""
) -> str:
    """Return the code of countries.csv for a code or alias; empty, and a finding, for anything else (R20)."""
    if not text:
        findings.error(
            "country-missing",
            "The country is missing.",
            line=line,
            column=column,
            field=field,
            found="nothing",
            expected="a country code of two or three letters",
            suggestion="Write the code of the federation, for example NED.",
            article=article,
        )
        return ""
    country = find_country(text)
    if country is not None:
        return country.code
    findings.error(
        "country-unknown",
        "This country code is not known.",
        line=line,
        column=column,
        field=field,
        found=text,
        expected="a code of ISO 3166, of the Olympic Committee or of FMJD",
        suggestion="Look the code up; it has two or three letters, for example nl, NLD or NED.",
        article=article,
    )
    return ""


def _date_suggestion(text: str) -> str:
    for pattern, order in ((_SHORT_DATE, (2, 1, 0)), (_ISO_DATE, (0, 1, 2))):
        written = pattern.fullmatch(text)
        if written:
            parts = [int(part) for part in written.groups()]
            day = _possible(*(parts[place] for place in order))
            if day:
                return f"Write {write_date(day)}, if that day is meant."
    return "Write day, month and year with two, two and four figures."


def _possible(year: int, month: int, day: int) -> date | None:
    try:
        possible = date(year, month, day)
    except ValueError:
        return None
    return possible if FIRST_DAY <= possible <= LAST_DAY else None
