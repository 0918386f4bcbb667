"""The types of tournament details: how each is called, what is expected, how the text of a form is read."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import (
    FIRST_DAY,
    LAST_DAY,
    MAX_GAMES_OF_ROUND,
    MAX_ROUNDS,
)
from reporting.rules.sentences import english_day

MAX_NUMBER = 999_999
"""The largest tournament number and FMJD-ID of the details."""
MAX_PARTS = 99
"""The most parts in which a tournament is reported."""


_DAY = re.compile(
    r"(?P<year>[0-9]{4})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})"
    r"|(?P<first>[0-9]{1,2})(?P<mark>[-/.])(?P<middle>[0-9]{1,2})(?P=mark)(?P<last>[0-9]{4})"
    r"|(?P<begin>[0-9]{1,2}) (?P<name>[A-Za-z]{3,9})[.]? (?P<end>[0-9]{4})"
)


def day_parts(text: str) -> tuple[int, int, int] | None:
    """Return year, month and day as a text has them, whether or not the day exists; None for another form.

    The year is first, or the day is; hyphens, slashes or full stops are between, or the name of the month as pages show
    it (1 Oct 2026). Every date that a person or a program writes is read here, whatever the file or the form.
    """
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    if found["name"]:
        named = found["name"].casefold()
        months = [str(month) for month, name in enumerate(month_name) if name.casefold().startswith(named)]
        year, month, day = found["end"], (months or [""])[0], found["begin"]
    elif found["year"]:
        year, month, day = found.group("year", "month", "day")
    else:
        year, month, day = found.group("last", "middle", "first")
    return (int(year), int(month), int(day)) if month else None


def parse_day(text: str) -> date | str:
    """Return the day that a text names in a form of `day_parts`, else the text."""
    parts = day_parts(plain_text(text))
    try:
        return date(*parts) if parts else text
    except ValueError:
        return text


def _whole_number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text


def _minutes(text: str) -> Decimal | str:
    return Decimal(text.replace(",", ".")) if re.fullmatch(r"[0-9]{1,5}([.,][0-9]{1,3})?", text) else text


def _yes_or_no(text: str) -> bool | str:
    return {"true": True, "false": False}.get(text, text)


def _texts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _days(text: str) -> list[date | str]:
    return [parse_day(part) for part in _texts(text)]


def _numbers(text: str) -> list[int | str]:
    return [_whole_number(part) for part in _texts(text)]


class Kind(Enum):
    """The type of a detail: its name on the reference page, what a finding expects, the parser of a form's text."""

    TEXT = "text", "a text in one line", str
    COUNTRY = "country", "a country by code or name, for example NED", str
    DAY = (
        "date",
        f"a day from {english_day(FIRST_DAY)} to {english_day(LAST_DAY)}, for example 14 Nov 2026",
        parse_day,
    )
    YES_OR_NO = "true or false", "true or false", _yes_or_no
    NUMBER = "whole number", f"a whole number from 1 to {MAX_NUMBER:,}", _whole_number
    PART = "whole number", f"a whole number from 1 to {MAX_PARTS}", _whole_number
    MINUTES = "number", "minutes per player, in whole seconds, for example 110 or 127.5", _minutes
    TIME_CONTROL = "time control", "a time control, for example 80+30", str
    TIME_CONTROLS = (
        "list of time controls",
        f"two to {MAX_GAMES_OF_ROUND} time controls, for example 80+30, 15+5, 5+3",
        _texts,
    )
    CHOICE = "one of", "", str
    DISCIPLINE = "one of", "a discipline that a rating system has", str
    RATING_SYSTEM = "one of", "a rating system of this installation", str
    NUMBER_CHOICE = "whole number, one of", "", _whole_number
    DAYS = (
        "list of dates",
        f"at most {MAX_ROUNDS} days from {english_day(FIRST_DAY)} to {english_day(LAST_DAY)},"
        " for example 6 Nov 2026, 7 Nov 2026",
        _days,
    )
    NUMBERS = "list of numbers", "tournament numbers, each once, for example 4, 12", _numbers
    TIE_BREAKS = "list of", "", _texts
    UNPLAYED_METHOD = "one of", "a method for unplayed games", str
    PARAGRAPHS = "text in paragraphs", "a text", str
    PLACES = (
        "list of shared places",
        "first and last place of each group, no place twice, for example 2-3, 7-9",
        _texts,
    )
    ROUND_SCORES = (
        "list of pairs",
        "points of winner and loser of a round, for each game that can decide it, for example 12-0, 9-3, 8-4, 7-5;"
        " an even sum in the last pair, or equal points for a draw",
        _texts,
    )
    PLUS_DRAWS = (
        "list of games",
        "round, number with the advantage, its opponent, each game once, for example 3: 4-7, 5: 2-9",
        _texts,
    )
    ORDERS = (
        "list of orders",
        "tournament numbers from the best of tied players on, no number twice, for example 7-3, 12-4-9",
        _texts,
    )
    PLAYERS = (
        "table",
        f"tournament number = FMJD-ID (up to {MAX_NUMBER:,}), for example 7 = 11285; of a player without one the"
        ' number in another register, for example 7 = "knsb-4711"',
        str,
    )
    NEW_PLAYERS = (
        "table of tables",
        "by tournament number: last_name, first_name, country (a code), sex (W or M), born (2009-03-01)",
        str,
    )

    def __init__(self, words: str, expected: str, parse: Callable[[str], Any]) -> None:
        self.words = words
        self.expected = expected
        self.parse = parse
