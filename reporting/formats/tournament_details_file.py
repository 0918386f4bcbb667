"""The facts beside a report, read from a sidecar file (TOML) or a form and written as one; each value is checked."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import tomli_w

from reporting.rules.countries import country_code
from reporting.rules.findings import Finding, FindingList, Severity, in_file_order
from reporting.rules.report import FIRST_DAY, LAST_DAY, MAX_ROUNDS, Encoding, PointsScale
from reporting.rules.time_control import TimeControlError, minutes_text, parse_time_control
from reporting.rules.tournament_details import (
    DETAIL_NAMES,
    MAX_NUMBER,
    PRIVATE_DETAILS,
    Kind,
    NewPlayer,
    TournamentDetails,
    WorldCupStars,
)

MAX_DETAILS_BYTES = 64_000
"""Bytes of a sidecar file."""

_OWN_PLACE = re.compile(r" ?\(at line ([0-9]{1,9}), column ([0-9]{1,9})\)")
"""Where tomllib says that it stopped."""

_GROUP = re.compile(r"([1-9][0-9]{0,3}) ?- ?([1-9][0-9]{0,3})")
"""First and last place of a group of players who share a place."""


def read_details(content: bytes) -> tuple[TournamentDetails | None, tuple[Finding, ...]]:
    """Read the facts from the bytes of a sidecar file (TOML, UTF-8 with or without a byte order mark).

    Returns the facts, or None when there is an error, and all findings at once. A finding names the fact in
    ``field``; its ``line`` is None, because that would be a line of the report: the line and column of the
    sidecar stand in ``found``. Never raises (R22).
    """
    findings = FindingList()
    content = content.removeprefix(codecs.BOM_UTF8)
    values = _toml(content, findings)
    if values is None:
        return None, tuple(findings)
    lines = _lines_of_keys(content.decode("utf-8"))
    return details_from_values(values, positions=lines)


def read_format_choices(content: bytes) -> tuple[Encoding | None, PointsScale]:
    """Return what the facts say of the reading itself: the code page, and the scale of the points column.

    They hold even where other facts are missing or wrong, so that a file can be looked at before its form is
    filled. A choice that cannot be read is none; ``read_details`` says so.
    """
    values = _toml(content.removeprefix(codecs.BOM_UTF8), FindingList()) or {}
    reading = _FactReading({})
    for key in ("encoding", "points"):
        if key in values:
            reading.read(key, values[key])
    return reading.details.get("encoding"), reading.details.get("points", PointsScale.FMJD)


def read_people(content: bytes) -> tuple[Mapping[int, int], Mapping[int, NewPlayer]]:
    """Return what the facts say of single players: FMJD-IDs and newcomers, by number in the tournament.

    They hold even where other facts are missing or wrong, so that people can be settled before the form is filled.
    Where one of the two tables cannot be read nothing of it holds; ``read_details`` says so.
    """
    values = _toml(content.removeprefix(codecs.BOM_UTF8), FindingList()) or {}
    reading = _FactReading({})
    for key in ("players", "newcomers"):
        if key in values:
            reading.read(key, values[key])
    return reading.details.get("players", {}), reading.details.get("newcomers", {})


def details_from_values(
    values: Mapping[str, object], *, positions: Mapping[str, tuple[int, int]] | None = None
) -> tuple[TournamentDetails | None, tuple[Finding, ...]]:
    """Read the facts from values as TOML or a form gives them: texts, numbers, booleans, days, lists, tables.

    A day may also be the text YYYY-MM-DD; it lies between FIRST_DAY and LAST_DAY. ``positions`` gives line
    and column of each key of a file. Returns the facts, or None when there is an error, and all findings at
    once. Never raises.
    """
    reading = _FactReading(positions or {})
    for key, value in values.items():
        reading.read(key, value)
    reading.check_what_is_needed()
    findings = in_file_order(reading.findings)
    wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return (None if wrong else TournamentDetails(**reading.details)), findings


def write_details(values: Mapping[str, Any]) -> bytes:
    """Return the values as a sidecar file (TOML, UTF-8), in the order of the reference table, unknown names last.

    Values are kept as they are, right or wrong: `read_details` says what is wrong with them. Empty texts, lists and
    tables are left out. Raises TypeError for a value that TOML does not have.
    """
    order = {name: place for place, name in enumerate(DETAIL_NAMES)}
    given = {
        name: {str(number): told for number, told in value.items()} if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value not in (None, "") and not (isinstance(value, list | tuple | Mapping) and not value)
    }
    return tomli_w.dumps(
        dict(sorted(given.items(), key=lambda fact: order.get(fact[0], len(order))))
    ).encode()


def detail_values(content: bytes) -> dict[str, Any]:
    """Return what a sidecar file says, as it says it; nothing where it is no TOML."""
    return _toml(content.removeprefix(codecs.BOM_UTF8), FindingList()) or {}


def without_private_details(content: bytes) -> bytes:
    """Return a sidecar file without the private facts; nothing of one that is no TOML."""
    return write_details(
        {name: value for name, value in detail_values(content).items() if name not in PRIVATE_DETAILS}
    )


def _toml(content: bytes, findings: FindingList) -> dict[str, Any] | None:
    if len(content) > MAX_DETAILS_BYTES:
        findings.error(
            "details-unreadable",
            "The file of facts is too large.",
            field="details",
            found=f"{len(content):,} bytes",
            expected=f"at most {MAX_DETAILS_BYTES:,} bytes",
            suggestion="Keep only the facts of this one competition.",
        )
        return None
    try:
        return tomllib.loads(content.decode("utf-8"), parse_float=Decimal)
    except UnicodeDecodeError as problem:
        before = content[: problem.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        message = "the file is not UTF-8"
    except (ValueError, ArithmeticError, RecursionError) as problem:
        # tomllib gives ValueError also for numbers of thousands of figures, RecursionError for deep nests.
        place = _OWN_PLACE.search(str(problem))
        line, column = (int(place.group(1)), int(place.group(2))) if place else (1, 1)
        message = str(problem)
    findings.error(
        "details-unreadable",
        "From here the file of facts cannot be read.",
        field="details",
        found=f"line {line}, column {column} of the facts: {_OWN_PLACE.sub('', message)}",
        expected='lines like discipline = "100"',
        suggestion="Texts stand between quotation marks, dates and numbers do not.",
    )
    return None


def _lines_of_keys(text: str) -> dict[str, tuple[int, int]]:
    """Return line and column of each key at the top of a TOML file; tomllib does not tell them."""
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.strip()
        if written.startswith("[") and written.rstrip("]").lstrip("[").strip():
            name = written.strip("[] ")
        elif "=" in written:
            name = written.partition("=")[0].strip().strip("\"'")
        else:
            continue
        found.setdefault(name, (number, len(line) - len(line.lstrip()) + 1))
    return found


class _FactReading:
    """Checks the values one by one; ``details`` holds those that are right."""

    def __init__(self, positions: Mapping[str, tuple[int, int]]) -> None:
        self.positions = positions
        self.findings = FindingList()
        self.details: dict[str, Any] = {}
        self.given: set[str] = set()
        self.by_name: dict[str, Field[Any]] = {fact.name: fact for fact in fields(TournamentDetails)}

    def read(self, key: str, value: object) -> None:
        fact = self.by_name.get(key)
        if fact is None:
            self.wrong(
                "detail-unknown",
                "This fact is not asked.",
                key=key,
                found=key,
                expected=", ".join(DETAIL_NAMES),
                suggestion="Correct the name, or delete the line.",
            )
            return
        self.given.add(key)
        kind: Kind = fact.metadata["kind"]
        readers: dict[Kind, Callable[[str, object], object]] = {
            Kind.TEXT: self.text,
            Kind.COUNTRY: self.country,
            Kind.DAY: self.day,
            Kind.YES_OR_NO: self.yes_or_no,
            Kind.NUMBER: self.number,
            Kind.MINUTES: self.minutes,
            Kind.TIME_CONTROL: self.time_control,
            Kind.CHOICE: self.choice,
            Kind.STARS: self.stars,
            Kind.DAYS: self.days,
            Kind.WORDS: self.words,
            Kind.PARAGRAPHS: self.paragraphs,
            Kind.PLACES: self.shared_places,
            Kind.PLAYERS: self.players,
            Kind.NEWCOMERS: self.newcomers,
        }
        read = readers[kind](key, value)
        if read is not None:
            self.details[key] = read

    def wrong(
        self,
        code: str,
        message: str,
        *,
        key: str,
        found: object,
        expected: str,
        suggestion: str = "Correct the value.",
    ) -> None:
        place = self.positions.get(key)
        # Findings are stored, and shown to more people than private facts are.
        text = f"{len(_as_text(found)):,} characters" if key in PRIVATE_DETAILS else _as_text(found)
        self.findings.error(
            code,
            message,
            field=key,
            found=(f"line {place[0]}, column {place[1]} of the facts: " if place else "") + text,
            expected=expected,
            suggestion=suggestion,
        )

    def kind_is_wrong(
        self, key: str, found: object, expected: str, suggestion: str = "Correct the value."
    ) -> None:
        self.wrong(
            "detail-unreadable",
            "This value cannot be used here.",
            key=key,
            found=found,
            expected=expected,
            suggestion=suggestion,
        )

    def text(self, key: str, value: object) -> str | None:
        if isinstance(value, str) and value.isprintable():
            return self.of_length(key, " ".join(value.split()))
        self.kind_is_wrong(key, value, "a text between quotation marks, in one line")
        return None

    def of_length(self, key: str, text: str) -> str | None:
        """Return a text that is not over the longest of its fact, else None and a finding."""
        longest: int = self.by_name[key].metadata["longest"]
        if len(text) <= longest:
            return text
        self.wrong(
            "detail-unreadable",
            "This text is too long.",
            key=key,
            found=text if key in PRIVATE_DETAILS else f"{len(text):,} characters: {text}",
            expected=f"at most {longest:,} characters",
            suggestion="Shorten it.",
        )
        return None

    def country(self, key: str, value: object) -> str | None:
        if value == "":
            return ""
        code = country_code(value) if isinstance(value, str) else ""
        if code:
            return code
        self.wrong(
            "country-unknown",
            "This country code is not known.",
            key=key,
            found=value,
            expected='a code of ISO 3166, of the Olympic Committee or of FMJD, for example "NED"',
            suggestion="Look the code up; it has two or three letters.",
        )
        return None

    def day(self, key: str, value: object) -> date | None:
        day = _day(value)
        if day is None:
            self.kind_is_wrong(
                key,
                value,
                f"a day from {FIRST_DAY} to {LAST_DAY}, for example 2026-11-14",
                "Write year, month and day.",
            )
        return day

    def yes_or_no(self, key: str, value: object) -> bool | None:
        if isinstance(value, bool):
            return value
        self.kind_is_wrong(key, value, "true or false", "Write true or false without quotation marks.")
        return None

    def number(self, key: str, value: object) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_NUMBER:
            return value
        self.kind_is_wrong(key, value, f"a whole number from 1 to {MAX_NUMBER:,}")
        return None

    def minutes(self, key: str, value: object) -> Decimal | None:
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            minutes = Decimal(value)
            if minutes.is_finite() and 0 < minutes < 10_000 and minutes * 60 % 1 == 0:
                return minutes
        self.kind_is_wrong(key, value, "minutes per player, in whole seconds, for example 110 or 127.5")
        return None

    def time_control(self, key: str, value: object) -> str | None:
        if not isinstance(value, str):
            self.kind_is_wrong(key, value, 'a time control between quotation marks, for example "80+30"')
            return None
        try:
            parse_time_control(value)
        except TimeControlError as problem:
            self.wrong(
                "detail-unreadable",
                f"The time control cannot be read from its character {problem.column} on.",
                key=key,
                found=value,
                expected=problem.expected,
                suggestion='Write minutes + seconds a move, as in "80+30", or give minutes_for_60_moves.',
            )
            return None
        return self.of_length(key, value.strip())

    def choice(self, key: str, value: object) -> StrEnum | None:
        choices: type[StrEnum] = self.by_name[key].metadata["choices"]
        if isinstance(value, str) and value in [choice.value for choice in choices]:
            return choices(value)
        self.kind_is_wrong(key, value, " or ".join(f'"{choice.value}"' for choice in choices))
        return None

    def stars(self, key: str, value: object) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and str(value) in list(WorldCupStars):
            return value
        self.kind_is_wrong(key, value, ", ".join(WorldCupStars))
        return None

    def days(self, key: str, value: object) -> tuple[date, ...] | None:
        days = [_day(day) for day in value] if isinstance(value, list | tuple) else [None]
        if None in days or len(days) > MAX_ROUNDS:
            self.kind_is_wrong(
                key,
                value,
                f"a list of at most {MAX_ROUNDS} days from {FIRST_DAY} to {LAST_DAY}, "
                "for example [2026-11-06, 2026-11-07]",
            )
            return None
        return tuple(day for day in days if day is not None)

    def words(self, key: str, value: object) -> tuple[str, ...] | None:
        if isinstance(value, list | tuple) and all(
            isinstance(word, str) and word.isprintable() for word in value
        ):
            words = [self.of_length(key, word.strip()) for word in value]
            return None if None in words else tuple(word for word in words if word is not None)
        self.kind_is_wrong(key, value, 'a list of texts, for example ["plus", "lot"]')
        return None

    def paragraphs(self, key: str, value: object) -> str | None:
        lines = value.splitlines() if isinstance(value, str) else [""]
        if isinstance(value, str) and all(line.replace("\t", " ").isprintable() for line in lines):
            return self.of_length(key, "\n".join(" ".join(line.split()) for line in lines).strip())
        self.kind_is_wrong(key, value, "a text between quotation marks")
        return None

    def shared_places(self, key: str, value: object) -> tuple[tuple[int, int], ...] | None:
        texts = value if isinstance(value, list | tuple) else [None]
        read = [_GROUP.fullmatch(text) if isinstance(text, str) else None for text in texts]
        groups = sorted((int(group[1]), int(group[2])) for group in read if group)
        apart = all(one[1] < other[0] for one, other in pairwise(groups))
        if len(groups) == len(texts) and apart and all(first < last for first, last in groups):
            return tuple(groups)
        self.kind_is_wrong(
            key,
            value,
            'first and last place of each group, no place twice, for example ["2-3", "7-9"]',
            "Write 2-3 if two players share place 2.",
        )
        return None

    def players(self, key: str, value: object) -> Mapping[int, int] | None:
        ids: dict[int, int] = {}
        for number, fmjd_id in value.items() if isinstance(value, Mapping) else [("", 0)]:
            name = str(number)
            is_id = isinstance(fmjd_id, int) and not isinstance(fmjd_id, bool)
            is_id = is_id and 0 < fmjd_id <= MAX_NUMBER
            if re.fullmatch(r"[1-9][0-9]{0,3}", name) and is_id:
                ids[int(name)] = fmjd_id
            else:
                self.kind_is_wrong(
                    key,
                    f"{number} = {_as_text(fmjd_id)}",
                    f"number in the tournament = FMJD-ID (up to {MAX_NUMBER:,}), for example 7 = 11285",
                    "Write one line for each player, with figures only.",
                )
                return None
        return MappingProxyType(ids)

    def newcomers(self, key: str, value: object) -> Mapping[int, NewPlayer] | None:
        found: dict[int, NewPlayer] = {}
        wrong = False
        for number, told in value.items() if isinstance(value, Mapping) else [("", value)]:
            newcomer = self.newcomer(key, str(number), told)
            wrong = wrong or newcomer is None
            if newcomer is not None:
                found[int(str(number))] = newcomer
        return None if wrong else MappingProxyType(found)

    def newcomer(self, key: str, number: str, told: object) -> NewPlayer | None:
        """One newcomer; None, with a finding for each fault, where something of him cannot be read."""
        names = [each.name for each in fields(NewPlayer)]
        if not re.fullmatch(r"[1-9][0-9]{0,3}", number) or not isinstance(told, Mapping):
            self.kind_is_wrong(
                key, f"{number} = {_as_text(told)}", f"[newcomers.7] and under it {', '.join(names)}"
            )
            return None
        values: dict[str, Any] = {}
        faults = len(tuple(self.findings))
        for name, value in told.items():
            place = f"{name} of number {number}"
            if name == "born":
                values[name] = _day(value) if value != "" else None
                if value != "" and values[name] is None:
                    self.kind_is_wrong(key, f"{place}: {_as_text(value)}", "a day, for example 2009-03-01")
            elif name not in names:
                self.kind_is_wrong(key, place, ", ".join(names))
            elif not isinstance(value, str) or not value.isprintable():
                self.kind_is_wrong(
                    key, f"{place}: {_as_text(value)}", "a text between quotation marks, in one line"
                )
            elif name == "country" and value and not country_code(value):
                self.country(key, value)
            elif name == "sex" and value not in ("W", "M", ""):
                self.kind_is_wrong(key, f"{place}: {value}", "W or M")
            else:
                text = " ".join(value.split())
                values[name] = country_code(text) if name == "country" else text
        return None if len(tuple(self.findings)) > faults else NewPlayer(**values)

    def check_what_is_needed(self) -> None:
        if "discipline" not in self.given:
            self.missing("discipline", '"100" or "64"', "Say on which board it was played.")
        if not self.given & {"time_control", "minutes_for_60_moves"}:
            self.missing("time_control", '"80+30", or minutes_for_60_moves', "Say the time for each player.")
        minutes = self.details.get("minutes_for_60_moves")
        control = self.details.get("time_control")
        if minutes is not None and control:
            seconds = parse_time_control(control).seconds_for_60_moves
            if seconds != minutes * 60:
                self.wrong(
                    "details-contradict",
                    "The time control and the minutes for 60 moves are not the same.",
                    key="minutes_for_60_moves",
                    found=f"{minutes} minutes beside {control}",
                    expected=minutes_text(seconds),
                    suggestion="Keep the one that is right and delete the other.",
                )

    def missing(self, key: str, expected: str, suggestion: str) -> None:
        self.wrong(
            "detail-missing",
            "This fact is needed.",
            key=key,
            found="nothing",
            expected=expected,
            suggestion=suggestion,
        )


def _as_text(value: object) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print whole numbers of thousands of figures
        return "a number of thousands of figures"


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return None
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) and FIRST_DAY <= value <= LAST_DAY else None
