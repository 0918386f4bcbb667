"""Single values as report files write them: numbers, dates, countries, and what lines and tables say of a player.

Numbers are read by their figures 0 to 9 only. ``int()`` would also take ``١٢``, ``1_0``, ``+5`` and `` 5 ``,
and a number that looks like another one is a wrong player.
"""

from __future__ import annotations

import re
from datetime import date

from reporting.rules.countries import find_country
from reporting.rules.findings import FindingList, quoted
from reporting.rules.report import FIRST_DAY, LAST_DAY, UnreadText

TITLES = ("GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF")

FMJD_ID_DIGITS = 5
NUMBER_DIGITS = 4
"""Figures of a number in the tournament and of a place, since 5,000 players are admitted."""

_POINTS_DIGITS = 3
_SUM_OF_RESULTS = "the sum of his results: 2 a game won and a pause, 1 a game drawn"
_RATING = re.compile(r"([ABC])? ?([0-9]{3,4})")
_FIGURES = re.compile(r"[0-9]+")
_DATE = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})")
_SHORT_DATE = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_PROGRAM_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?P<sign>[/-])(?P<month>[0-9]{2})(?P=sign)(?P<day>[0-9]{2})"
    r"|(?P<first>[0-9]{2})/(?P<middle>[0-9]{2})/(?P<last_year>[0-9]{4})|(?P<only>[0-9]{4})"
)
_ISO_DATE = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")

_NEVER_FOR_NUMBERS = "Write it with the figures 0 to 9 only, without signs, dots or spaces."


def text_column(line: str) -> int:
    """Return the column in which the text of a line begins, from 1."""
    return len(line) - len(line.lstrip()) + 1


def unread_line(number: int, line: str, reason: str) -> UnreadText:
    """Return a whole line as a piece that was not used."""
    return UnreadText(number, text_column(line), quoted(line.strip()), reason)


def read_number(text: str, *, digits: int) -> int | None:
    """Return the number written with at most ``digits`` figures 0 to 9, None for anything else."""
    if len(text) > digits or not _FIGURES.fullmatch(text):
        return None
    return int(text)


def number_suggestion() -> str:
    """Return what to do about a number that could not be read."""
    return _NEVER_FOR_NUMBERS


def read_start_number(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    called: str = "start number",
    expected: str = "a number from 1",
    article: str = "",
) -> int | None:
    """Return the number of a player in the tournament; None, and a finding, for anything else (R20)."""
    number = read_number(text, digits=NUMBER_DIGITS)
    if number:
        return number
    findings.error(
        "number-unreadable" if text else "number-missing",
        f"The {called} is not a number from 1." if text else f"The player has no {called}.",
        line=line,
        column=column,
        field="number",
        found=text or "nothing",
        expected=expected,
        suggestion=number_suggestion(),
        article=article,
    )
    return None


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
    read = valid_day(year, month, day)
    if read is not None:
        return read
    of_these_years = FIRST_DAY.year <= year <= LAST_DAY.year
    swapped = valid_day(year, day, month)
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


def read_program_date(
    text: str, findings: FindingList, *, line: int, column: int, field: str, article: str = ""
) -> tuple[date | None, int | None]:
    """Return day and year of a birth as programs write it; a finding, and None for both, for anything else.

    ``YYYY/MM/DD``, ``YYYY-MM-DD`` and ``DD/MM/YYYY`` are days; ``YYYY``, ``YYYY/00/00`` and ``YYYY-00-00`` the year
    alone; nothing, and zeros, are none.
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
    findings.error(
        "date-unknown" if written else "date-unreadable",
        "This day does not exist, or no birth is of this year."
        if written
        else "The date is not written as programs write it.",
        line=line,
        column=column,
        field=field,
        found=text,
        expected="YYYY-MM-DD or YYYY/MM/DD; YYYY/00/00 where only the year is known",
        suggestion="Write year, month and day with four, two and two figures.",
        article=article,
    )
    return None, None


def valid_day(year: int, month: int, day: int) -> date | None:
    """Return the day, None where the calendar does not have it or it is not from FIRST_DAY to LAST_DAY."""
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

    ``of_program``: in the export of a program a missing country is a warning, for the register may know it.
    """
    if not text:
        say = findings.warning if of_program else findings.error
        say(
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


def read_name(text: str, findings: FindingList, *, line: int, column: int) -> tuple[str, str]:
    """Return first and last name of ``Last, First``, split by its one comma (Annex 9 art. 4.2.2).

    Two empty texts, and a finding, for anything else: the name then stays whole.
    """
    if not text:
        findings.error(
            "name-missing",
            "The player has no name.",
            line=line,
            column=column,
            field="name",
            found="nothing",
            expected="Last, First",
            suggestion="Write first name and surname in full.",
        )
        return "", ""
    last, comma, first = (part.strip() for part in text.partition(","))
    if comma and last and first and "," not in first:
        return first, last
    findings.warning(
        "name-not-split",
        "It is not clear which part of the name is the surname, so it was left whole.",
        line=line,
        column=column,
        field="name",
        found=text,
        expected="Last, First",
        suggestion="Say in the step People who this is.",
    )
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
            message="The total is not a whole number." if text else "The player has no total.",
            suggestion="The total is obligatory; it is the control of the results.",
            article=article,
        )
    return points


def read_points(text: str, findings: FindingList, *, line: int, column: int) -> int | None:
    """Return the points of a player in 2-1-0; None, and a finding, for anything else (Annex 9 art. 11)."""
    points = read_number(text, digits=_POINTS_DIGITS)
    if points is None:
        add_points_finding(
            text,
            findings,
            line=line,
            column=column,
            message="The points are not a whole number." if text else "The player has no points.",
            suggestion="Points are obligatory, also 0; they are the control of the results.",
        )
    return points


def add_points_finding(
    text: str,
    findings: FindingList,
    *,
    line: int,
    column: int,
    message: str,
    expected: str = _SUM_OF_RESULTS,
    suggestion: str,
    article: str = "",
) -> None:
    """Say that the points of a player cannot be read, or are not there."""
    findings.error(
        "points-unreadable" if text else "points-missing",
        message,
        line=line,
        column=column,
        field="points",
        found=text or "nothing",
        expected=expected,
        suggestion=suggestion,
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
    or_else: str = "nothing when there is an FMJD-ID",
    article: str = "",
) -> str:
    """Return W, M or an empty text; empty, and a finding, for anything else (R20).

    ``letters`` are those of a woman and of a man as the form writes them, ``or_else`` what may stand there
    for neither. ``of_program``: programs also write F for a woman.
    """
    sex = text.upper()
    if of_program and sex == "F":
        return "W"
    if sex in ("", "W", "M"):
        return sex
    woman, man = letters
    findings.error(
        "sex-unknown",
        f"The sex is neither {woman} nor {man}.",
        line=line,
        column=column,
        field="sex",
        found=text,
        expected=f"{woman} for a woman, {man} for a man, or {or_else}",
        suggestion=f"Write {woman}." if sex == "F" else f"Write {woman} or {man}.",
        article=article,
    )
    return ""


def read_title(text: str, findings: FindingList, unread: list[UnreadText], *, line: int, column: int) -> str:
    """Return the FMJD title in capitals, empty where there is none; another one is a finding and unread."""
    title = text.upper()
    if not title or title in TITLES:
        return title
    findings.warning(
        "title-unknown",
        "FMJD does not have this title; it was not used.",
        line=line,
        column=column,
        field="title",
        found=text,
        expected=" ".join(TITLES) + ", or nothing",
        suggestion="Nothing to do: the title is taken from the register.",
    )
    unread.append(UnreadText(line, column, quoted(text), "unknown title"))
    return ""


def read_rating(
    text: str, findings: FindingList, unread: list[UnreadText], *, line: int, column: int
) -> tuple[str, int | None]:
    """Return category and rating as printed, empty and None where there is none; else a finding and unread."""
    if not text:
        return "", None
    written = _RATING.fullmatch(text)
    if written:
        return written.group(1) or "", int(written.group(2))
    mark_rating_unread(
        text, findings, unread, line=line, column=column, expected="category and rating, for example A 2339"
    )
    return "", None


def mark_rating_unread(
    text: str, findings: FindingList, unread: list[UnreadText], *, line: int, column: int, expected: str
) -> None:
    """Say that a rating was not used, and list it as unread."""
    findings.warning(
        "rating-unreadable",
        "The rating was not used.",
        line=line,
        column=column,
        field="rating",
        found=text,
        expected=expected,
        suggestion="Nothing to do: the rating is taken from the list in force.",
    )
    unread.append(UnreadText(line, column, quoted(text), "unknown rating"))


def _date_suggestion(text: str) -> str:
    for pattern, order in ((_SHORT_DATE, (2, 1, 0)), (_ISO_DATE, (0, 1, 2))):
        written = pattern.fullmatch(text)
        if written:
            parts = [int(part) for part in written.groups()]
            day = valid_day(*(parts[place] for place in order))
            if day:
                return f"Write {write_date(day)}, if that day is meant."
    return "Write day, month and year with two, two and four figures."
