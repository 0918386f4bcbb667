"""Single values of report files: numbers, dates, countries, and the fields of a player.

A number has the digits 0 to 9 only. ``int()`` would also read ``١٢``, ``1_0``, ``+5`` and `` 5 ``, and a number that
looks like another one is a wrong player.
"""

from __future__ import annotations

import re
from datetime import date

from reporting.rules.countries import find_country
from reporting.rules.findings import FindingList, Severity, quoted
from reporting.rules.report import FIRST_DAY, LAST_DAY, UnreadText
from reporting.rules.sentences import Value

TITLES = ("GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF")

FMJD_ID_DIGITS = 5
NUMBER_DIGITS = 4
"""Digits of a tournament number and of a place, because 5,000 players are allowed."""

_POINTS_DIGITS = 3
_RATING = re.compile(r"([ABC])? ?([0-9]{3,4})")
_DIGITS_ONLY = re.compile(r"[0-9]+")
_DATE = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})")
_SHORT_DATE = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_PROGRAM_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?P<sign>[/-])(?P<month>[0-9]{2})(?P=sign)(?P<day>[0-9]{2})"
    r"|(?P<first>[0-9]{2})/(?P<middle>[0-9]{2})/(?P<last_year>[0-9]{4})|(?P<only>[0-9]{4})"
)
_ISO_DATE = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")


def text_column(line: str) -> int:
    """Return the column of the first character of a line that is no space, from 1."""
    return len(line) - len(line.lstrip()) + 1


def unread_line(number: int, line: str, key: str, **values: Value) -> UnreadText:
    """Return a whole line as a piece that was not used."""
    return UnreadText(number, text_column(line), quoted(line.strip()), key, tuple(values.items()))


def read_number(text: str, *, digits: int) -> int | None:
    """Return the number of at most ``digits`` digits 0 to 9, None for anything else."""
    if len(text) > digits or not _DIGITS_ONLY.fullmatch(text):
        return None
    return int(text)


def read_start_number(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    of_trf16: bool = False,
    article: str = "",
) -> int | None:
    """Return the number of a player in the tournament; None, and a finding, for anything else (R20)."""
    number = read_number(text, digits=NUMBER_DIGITS)
    if number:
        return number
    code = "number-unreadable" if text else "number-missing"
    findings.add(
        f"{code}.trf16" if of_trf16 else code,
        line=line,
        column=column,
        field="number",
        found=text,
        article=article,
    )
    return None


def read_date(text: str, findings: FindingList, *, line: int, column: int, field: str) -> date | None:
    """Return the date written DD/MM/YYYY; None, and a finding, for anything else (Annex 9 art. 11).

    A day before FIRST_DAY or after LAST_DAY is a finding too.
    """
    written = _DATE.fullmatch(text)
    if written is None:
        meant = write_date(_day_meant(text))
        findings.add(
            "date-unreadable.meant" if meant else "date-unreadable",
            line=line,
            column=column,
            field=field,
            found=text,
            meant=meant,
        )
        return None
    day, month, year = (int(part) for part in written.groups())
    read = valid_day(year, month, day)
    if read is not None:
        return read
    swapped = valid_day(year, day, month)
    key = "date-unknown" if FIRST_DAY.year <= year <= LAST_DAY.year else "date-unknown.year"
    findings.add(
        "date-unknown.swapped" if swapped else key,
        line=line,
        column=column,
        field=field,
        found=text,
        first=write_date(FIRST_DAY),
        last=write_date(LAST_DAY),
        swapped=write_date(swapped),
    )
    return None


def read_program_date(
    text: str, findings: FindingList, *, line: int, column: int, field: str, article: str = ""
) -> tuple[date | None, int | None]:
    """Return day and year of birth as programs write it; a finding, and None for both, for anything else.

    ``YYYY/MM/DD``, ``YYYY-MM-DD`` and ``DD/MM/YYYY`` are days; ``YYYY``, ``YYYY/00/00`` and ``YYYY-00-00`` the year
    alone; an empty text and zeros give None for both.
    """
    written = _PROGRAM_DATE.fullmatch(text)
    if not text.strip("0/-"):
        return None, None
    if written:
        year = int(written["year"] or written["last_year"] or written["only"])
        if FIRST_DAY.year <= year <= LAST_DAY.year and (written["only"] or written["month"] == "00"):
            return None, year
        if not written["only"]:
            day = valid_day(
                year, int(written["month"] or written["middle"]), int(written["day"] or written["first"])
            )
            if day:
                return day, day.year
    findings.add(
        "date-unknown.program" if written else "date-unreadable.program",
        line=line,
        column=column,
        field=field,
        found=text,
        first=FIRST_DAY.isoformat(),
        last=LAST_DAY.isoformat(),
        article=article,
    )
    return None, None


def valid_day(year: int, month: int, day: int) -> date | None:
    """Return the day, None for a date that does not exist or is not from FIRST_DAY to LAST_DAY."""
    try:
        possible = date(year, month, day)
    except ValueError:
        return None
    return possible if FIRST_DAY <= possible <= LAST_DAY else None


def write_date(day: date | None) -> str:
    """Return a date as DD/MM/YYYY, empty for none (Annex 9 art. 11)."""
    return f"{day.day:02d}/{day.month:02d}/{day.year:04d}" if day else ""


def read_country(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    field: str,
    article: str = "",
    of_program: bool = False,
) -> str:
    """Return the code of countries.csv for a code or alias; empty, and a finding, for anything else (R20).

    ``of_program``: in the export of a program a missing country is a warning, because the register may have it.
    """
    if not text:
        findings.add(
            "country-missing",
            Severity.WARNING if of_program else None,
            line=line,
            column=column,
            field=field,
            article=article,
        )
        return ""
    country = find_country(text)
    if country is not None:
        return country.code
    findings.add("country-unknown", line=line, column=column, field=field, found=text, article=article)
    return ""


def read_name(text: str, findings: FindingList, *, line: int, column: int) -> tuple[str, str]:
    """Return first and last name of ``Last, First``, split by its one comma (Annex 9 art. 4.2.2).

    Two empty texts, and a finding, for anything else: the name is not split.
    """
    if not text:
        findings.add("name-missing.table", line=line, column=column, field="name")
        return "", ""
    last, comma, first = (part.strip() for part in text.partition(","))
    if comma and last and first and "," not in first:
        return first, last
    findings.add("name-not-split.table", line=line, column=column, field="name", found=text)
    return "", ""


def read_total(text: str, findings: FindingList, *, line: int, column: int, article: str = "") -> int | None:
    """Return the total of a player in a table, in 2-1-0; None, and a finding, for anything else (R20)."""
    points = read_number(text, digits=_POINTS_DIGITS)
    if points is None:
        add_points_finding(
            text,
            findings,
            line=line,
            column=column,
            case="total",
            article=article,
        )
    return points


def read_points(text: str, findings: FindingList, *, line: int, column: int) -> int | None:
    """Return the points of a player in 2-1-0; None, and a finding, for anything else (Annex 9 art. 11)."""
    points = read_number(text, digits=_POINTS_DIGITS)
    if points is None:
        add_points_finding(text, findings, line=line, column=column)
    return points


def add_points_finding(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    case: str = "",
    article: str = "",
) -> None:
    """Report that the points of a player cannot be read or are missing."""
    code = "points-unreadable" if text else "points-missing"
    findings.add(
        f"{code}.{case}" if case else code,
        line=line,
        column=column,
        field="points",
        found=text,
        article=article,
    )


def read_sex(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    letters: tuple[str, str] = ("W", "M"),
    of_program: bool = False,
    of_trf16: bool = False,
    article: str = "",
) -> str:
    """Return W, M or an empty text; empty, and a finding, for anything else (R20).

    ``letters`` are those of a woman and of a man in the format. ``of_program``: programs also write F for a woman.
    """
    sex = text.upper()
    if of_program and sex == "F":
        return "W"
    if sex in ("", "W", "M"):
        return sex
    woman, man = letters
    key = "sex-unknown.trf16" if of_trf16 else "sex-unknown.female" if sex == "F" else "sex-unknown"
    findings.add(
        key, line=line, column=column, field="sex", found=text, woman=woman, man=man, article=article
    )
    return ""


def read_title(text: str, findings: FindingList, unread: list[UnreadText], *, line: int, column: int) -> str:
    """Return the FMJD title in capitals, empty for none; any other title is a finding and unread."""
    title = text.upper()
    if not title or title in TITLES:
        return title
    findings.add("title-unknown", line=line, column=column, field="title", found=text)
    unread.append(UnreadText(line, column, quoted(text), "unknown-title"))
    return ""


def read_rating(
    text: str, findings: FindingList, unread: list[UnreadText], *, line: int, column: int
) -> tuple[str, int | None]:
    """Return category and rating as printed, empty and None for none; any other text is a finding and unread."""
    if not text:
        return "", None
    written = _RATING.fullmatch(text)
    if written:
        return written.group(1) or "", int(written.group(2))
    mark_rating_unread(text, findings, unread, line=line, column=column)
    return "", None


def mark_rating_unread(
    text: str,
    findings: FindingList,
    unread: list[UnreadText],
    *,
    line: int,
    column: int,
    of_trf16: bool = False,
) -> None:
    """Report that a rating was not used, and list it as unread."""
    findings.add(
        "rating-unreadable.trf16" if of_trf16 else "rating-unreadable",
        line=line,
        column=column,
        field="rating",
        found=text,
    )
    unread.append(UnreadText(line, column, quoted(text), "unknown-rating"))


def _day_meant(text: str) -> date | None:
    for pattern, order in ((_SHORT_DATE, (2, 1, 0)), (_ISO_DATE, (0, 1, 2))):
        written = pattern.fullmatch(text)
        if written:
            parts = [int(part) for part in written.groups()]
            return valid_day(*(parts[place] for place in order))
    return None
