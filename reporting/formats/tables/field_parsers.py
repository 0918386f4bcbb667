"""Single values of report files: numbers, dates, countries, and the fields of a player.

A number has the digits 0 to 9 only. ``int()`` would also read ``١٢``, ``1_0``, ``+5`` and `` 5 ``, and a number that
looks like another one is a wrong player.
"""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import date, timedelta

from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.details.detail_kinds import day_parts
from reporting.rules.findings.finding_list import Severity
from reporting.rules.register.countries import find_country
from reporting.rules.register.sexes import sex_code
from reporting.rules.report import FIRST_DAY, LAST_DAY

TITLES = ("GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF")

FMJD_ID_DIGITS = 5
NUMBER_DIGITS = 4
"""Digits of a tournament number and of a place, because 5,000 players are allowed."""

DAY_ZERO = date(1899, 12, 30)
"""The day from which spreadsheet programs count the days."""

_DAY_NUMBER = re.compile(r"[1-9][0-9]{4}")
_POINTS_DIGITS = 3
_RATING = re.compile(r"([ABC])? ?([0-9]{3,4})")
_DIGITS_ONLY = re.compile(r"[0-9]+")
_BORN = re.compile(r"([0-9]{4})(?:(?P<sign>[-/.])00(?P=sign)00)?")
"""A year of birth, alone or with zeros for month and day."""


def read_number(text: str, *, digits: int) -> int | None:
    """Return the number of at most ``digits`` digits 0 to 9, None for anything else."""
    if len(text) > digits or not _DIGITS_ONLY.fullmatch(text):
        return None
    return int(text)


def read_text(field: FieldText, findings: ReaderFindings) -> str:  # noqa: ARG001
    """Return the text as it is printed."""
    return field.text


def read_start_number(field: FieldText, findings: ReaderFindings, *, case: str = "") -> int | None:
    """Return the number of a player in the tournament; None, and a finding, for anything else (R20)."""
    number = read_number(field.text, digits=NUMBER_DIGITS)
    if not number:
        code = "number-unreadable" if field.text else "number-missing"
        findings.add(f"{code}.{case}" if case else code, at=field)
    return number or None


def read_number_or_none(
    field: FieldText, findings: ReaderFindings, *, key: str, digits: int, none: Container[str] = ()
) -> int | None:
    """Return an FMJD-ID or a place; None for 0 and the signs for none; None, and a finding, for anything else.

    ``key`` is that of the finding; its case ``missing`` is for an empty text that is no sign for none.
    """
    if field.text in none:
        return None
    number = read_number(field.text, digits=digits)
    if number is None:
        findings.add(key if field.text else f"{key}.missing", at=field)
    return number or None


def read_date(field: FieldText, findings: ReaderFindings, *, case: str = "") -> date | None:
    """Return the date in any form of ``day_parts``; None, and a finding, for anything else (Annex 9 art. 11).

    `case` is that of a format with another form of dates. A day before FIRST_DAY or after LAST_DAY is a finding too.
    """
    parts = day_parts(field.text)
    if parts is None:
        if counted := day_of_number(field.text):
            findings.add("date-unreadable.day-number", at=field, proposed_value=write_date(counted))
        else:
            findings.add(f"date-unreadable.{case}" if case else "date-unreadable", at=field)
        return None
    read = valid_day(*parts)
    if read is not None:
        return read
    year, month, day = parts
    swapped = valid_day(year, day, month)
    key = "date-unknown" if FIRST_DAY.year <= year <= LAST_DAY.year else "date-unknown.year"
    findings.add(
        "date-unknown.swapped" if swapped else key,
        at=field,
        first=write_date(FIRST_DAY),
        last=write_date(LAST_DAY),
        swapped=write_date(swapped),
    )
    return None


def read_birth(field: FieldText, findings: ReaderFindings) -> tuple[date | None, int | None]:
    """Return day and year of birth as ``read_date`` reads the day; None for both for an empty text."""
    born = read_date(field, findings) if field.text else None
    return born, born.year if born else None


def read_program_birth(
    field: FieldText, findings: ReaderFindings, *, article: str = ""
) -> tuple[date | None, int | None]:
    """Return day and year of birth as programs write it; a finding, and None for both, for anything else.

    A day is in any form of ``day_parts``; ``YYYY``, ``YYYY/00/00`` and the like are the year alone; an empty text and
    zeros give None for both.
    """
    if not field.text.strip("0/-."):
        return None, None
    year = _BORN.fullmatch(field.text)
    if year and FIRST_DAY.year <= int(year[1]) <= LAST_DAY.year:
        return None, int(year[1])
    parts = day_parts(field.text)
    day = valid_day(*parts) if parts else None
    if day is not None:
        return day, day.year
    if year or parts:
        add_program_date_finding(field, findings, article=article)
    else:
        findings.add("date-unreadable.program", at=field, article=article)
    return None, None


def add_program_date_finding(field: FieldText, findings: ReaderFindings, *, article: str = "") -> None:
    """Report that a date of a program does not exist or is not from FIRST_DAY to LAST_DAY."""
    findings.add(
        "date-unknown.program",
        at=field,
        first=FIRST_DAY.isoformat(),
        last=LAST_DAY.isoformat(),
        article=article,
    )


def valid_day(year: int, month: int, day: int) -> date | None:
    """Return the day, None for a date that does not exist or is not from FIRST_DAY to LAST_DAY."""
    try:
        possible = date(year, month, day)
    except ValueError:
        return None
    return possible if FIRST_DAY <= possible <= LAST_DAY else None


def day_of_number(text: str) -> date | None:
    """Return the day of a spreadsheet's day number of five digits (1927 on), None for any other text."""
    if not _DAY_NUMBER.fullmatch(text):
        return None
    day = DAY_ZERO + timedelta(days=int(text))
    return day if FIRST_DAY <= day <= LAST_DAY else None


def write_date(day: date | None) -> str:
    """Return a date as DD/MM/YYYY, empty for none (Annex 9 art. 11)."""
    return f"{day.day:02d}/{day.month:02d}/{day.year:04d}" if day else ""


def read_country(
    field: FieldText, findings: ReaderFindings, *, of_program: bool = False, article: str = ""
) -> str:
    """Return the code of countries.csv for a code or alias; empty, and a finding, for anything else (R20).

    ``of_program``: in the export of a program a missing country is a warning, because the register may have it.
    """
    if not field.text:
        findings.add("country-missing", Severity.WARNING if of_program else None, at=field, article=article)
        return ""
    country = find_country(field.text)
    if country is None:
        findings.add("country-unknown", at=field, article=article)
        return ""
    return country.code


def read_name(field: FieldText, findings: ReaderFindings) -> tuple[str, str]:
    """Return first and last name of ``Last, First``, split by its one comma (Annex 9 art. 4.2.2).

    One word, with or without a comma after it, is the only name of its player, which is the last one (R28). Two empty
    texts, and a finding, for anything else: the name is not split.
    """
    last, comma, first = (part.strip() for part in field.text.partition(","))
    if last and "," not in first and (comma or " " not in last):
        return first, last
    findings.add("name-not-split.table" if field.text else "name-missing.table", at=field)
    return "", ""


def read_whole_name(field: FieldText, findings: ReaderFindings) -> tuple[str, str]:
    """Return two empty texts, because the format does not split a name, unless it is one word (R28).

    A name that is missing is a finding.
    """
    return ("", "") if " " in field.text else read_name(field, findings)


def read_points(
    field: FieldText, findings: ReaderFindings, *, case: str = "", article: str = ""
) -> int | None:
    """Return the points of a player in 2-1-0; None, and a finding, for anything else (Annex 9 art. 11, R20)."""
    points = read_number(field.text, digits=_POINTS_DIGITS)
    if points is None:
        add_points_finding(field, findings, case=case, article=article)
    return points


def add_points_finding(
    field: FieldText, findings: ReaderFindings, *, case: str = "", article: str = ""
) -> None:
    """Report that the points of a player cannot be read or are missing."""
    code = "points-unreadable" if field.text else "points-missing"
    findings.add(f"{code}.{case}" if case else code, at=field, article=article)


def read_sex(
    field: FieldText, findings: ReaderFindings, *, letters: tuple[str, str] = ("W", "M"), case: str = ""
) -> str:
    """Return W, M or an empty text as ``sex_code`` reads it; empty, and a finding, for anything else (R20).

    ``letters`` are those of a woman and of a man in the format.
    """
    sex = sex_code(field.text)
    if sex is None:
        woman, man = letters
        findings.add(f"sex-unknown.{case}" if case else "sex-unknown", at=field, woman=woman, man=man)
    return sex or ""


def read_title(field: FieldText, findings: ReaderFindings) -> str:
    """Return the FMJD title in capitals, empty for none; any other title is a finding and unread."""
    title = field.text.upper()
    if not title or title in TITLES:
        return title
    findings.add("title-unknown", at=field)
    findings.mark_unread(field, "unknown-title")
    return ""


def read_rating(field: FieldText, findings: ReaderFindings) -> tuple[str, int | None]:
    """Return category and rating as printed, empty and None for none; any other text is a finding and unread."""
    if not field.text:
        return "", None
    written = _RATING.fullmatch(field.text)
    if written:
        return written.group(1) or "", int(written.group(2))
    mark_rating_unread(field, findings, key="rating-unreadable")
    return "", None


def mark_rating_unread(field: FieldText, findings: ReaderFindings, *, key: str) -> None:
    """Report that a rating was not used, and list it as unread."""
    findings.add(key, at=field)
    findings.mark_unread(field, "unknown-rating")
