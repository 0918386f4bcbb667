"""Tournament details as a file or a form gives them: each value is checked, and each error named."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from reporting.federations.registry import known_rules
from reporting.rules.details.detail_kinds import MAX_NUMBER, MAX_PARTS, Kind, parse_day
from reporting.rules.details.known_details import DETAILS, details_of, details_type
from reporting.rules.details.shared_details import NewPlayer, System
from reporting.rules.details.time_control import TimeControlError, minutes_text, parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, FindingList, Severity, in_file_order
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.countries import country_code
from reporting.rules.register.sexes import sex_code
from reporting.rules.report import FIRST_DAY, LAST_DAY, MAX_GAMES_OF_ROUND, MAX_PLAYERS, MAX_ROUNDS
from reporting.rules.standings.registry import OF_ROUND_POINTS, TIE_BREAKS
from reporting.rules.standings.unplayed import FACE_VALUE

_GROUP = re.compile(r"([1-9][0-9]{0,3}) ?- ?([1-9][0-9]{0,3})")
"""First and last place of a group that shares a place."""

_PAIR = re.compile(r"([0-9]{1,3}) ?- ?([0-9]{1,3})")
"""Points of winner and loser."""

_PLUS_DRAW = re.compile(
    r"([1-9][0-9]?)(?:\.([1-9]))? ?: ?([1-9][0-9]{0,3}) ?- ?([1-9][0-9]{0,3})"
)  # 3: 4-7, in a session 3.2: 4-7
_ORDER = re.compile(r"[1-9][0-9]{0,3}( ?- ?[1-9][0-9]{0,3})+")

NEW_PLAYER_VALUES = {
    "last_name": "last name",
    "first_name": "first name",
    "country": "country",
    "sex": "sex",
    "born": "date of birth",
    "fmjd_id": "number",
}
"""What the values of a player are called in a sentence."""
EXPECTED_NAME = "a name in one line, for example de Vries"
EXPECTED_SEX = "W for a woman or M for a man"
EXPECTED_BIRTH = f"a day from {FIRST_DAY.year} to {LAST_DAY.year} that exists, for example 14 Mar 2009"
EXPECTED_NUMBER = "a number of the register, for example 11285, or of another register, for example knsb-4711"

_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_OTHER_NUMBER = re.compile(r"[a-z]{2,8}-[1-9][0-9]{0,9}")  # as addresses have it: knsb-4711
"""The tournament number of a player."""


def details_from_values(
    values: Mapping[str, object],
) -> tuple[TournamentDetails | None, tuple[Finding, ...]]:
    """Read the details from values as TOML or a form gives them: texts, numbers, booleans, days, lists, tables.

    A day may also be a text in a form of `day_parts`; it lies between FIRST_DAY and LAST_DAY. Returns the details, or
    None if there is an error, and all findings at once. Never raises.
    """
    return DetailsReader(details_type(values), {}).read_all(values)


class DetailsReader:
    """Checks the values one by one; ``details`` has the valid ones."""

    def __init__(
        self,
        kind: type[TournamentDetails],
        positions: Mapping[str, tuple[int, int]],
        in_file: Collection[str] = (),
    ) -> None:
        self.kind = kind
        self.declared = details_of(kind)
        self.positions = positions
        self.in_file = frozenset(in_file)
        self.findings = FindingList()
        self.details: dict[str, Any] = {}
        self.given: set[str] = set()

    def read_all(self, values: Mapping[str, object]) -> tuple[TournamentDetails | None, tuple[Finding, ...]]:
        for key, value in values.items():
            self.read(key, value)
        self.check_required_details()
        findings = in_file_order(self.findings)
        has_errors = any(finding.severity is Severity.ERROR for finding in findings)
        return (None if has_errors else self.kind(**self.details)), findings

    def read(self, key: str, value: object) -> None:
        detail = self.declared.get(key)
        if detail is None:
            self.add("detail-unknown", key, text=key, known=", ".join(self.declared))
            return
        self.given.add(key)
        readers: dict[Kind, Callable[[str, object], object]] = {
            Kind.TEXT: self.text,
            Kind.COUNTRY: self.country,
            Kind.DAY: self.day,
            Kind.YES_OR_NO: self.yes_or_no,
            Kind.NUMBER: self.number,
            Kind.PART: self.part,
            Kind.MINUTES: self.minutes,
            Kind.TIME_CONTROL: self.time_control,
            Kind.TIME_CONTROLS: self.time_controls,
            Kind.CHOICE: self.choice,
            Kind.DISCIPLINE: self.registered,
            Kind.RATING_SYSTEM: self.registered,
            Kind.NUMBER_CHOICE: self.number_choice,
            Kind.DAYS: self.days,
            Kind.NUMBERS: self.numbers,
            Kind.TIE_BREAKS: self.tie_breaks,
            Kind.UNPLAYED_METHOD: self.registered,
            Kind.PARAGRAPHS: self.paragraphs,
            Kind.PLACES: self.shared_places,
            Kind.ROUND_SCORES: self.round_scores,
            Kind.PLUS_DRAWS: self.plus_draws,
            Kind.ORDERS: self.orders,
            Kind.PLAYERS: self.players,
            Kind.NEW_PLAYERS: self.new_players,
        }
        parsed = readers[detail.kind](key, value)
        if parsed is not None:
            self.details[key] = parsed

    def add(self, code: str, key: str, *, text: object, **values: Any) -> None:
        """Add a finding about the value of a key; `text` is the value, or the part of it that is wrong."""
        # Findings are stored, and shown to more people than private details are.
        printed = _as_text(text)
        found: dict[str, Any] = {"length": len(printed)} if self.is_private(key) else {"text": printed}
        self.findings.add(code, field=key, **found, **self.place(key), **values)

    def is_private(self, key: str) -> bool:
        return key in self.declared and self.declared[key].private

    def place(self, key: str) -> dict[str, Any]:
        place = self.positions.get(key)
        return {"line_found": place[0], "column_found": place[1]} if place else {}

    def unreadable(self, key: str, value: object) -> None:
        self.add("detail-unreadable", key, text=value, wanted=self.declared[key].expected)

    def text(self, key: str, value: object) -> str | None:
        if isinstance(value, str) and (text := plain_text(value)).isprintable():
            return self.of_length(key, text)
        self.unreadable(key, value)
        return None

    def of_length(self, key: str, text: str) -> str | None:
        """Return a text that is not over the maximum length of its detail, else None, and a finding."""
        max_length = self.declared[key].max_length
        if max_length is None or len(text) <= max_length:
            return text
        self.findings.add(
            "detail-too-long",
            field=key,
            length=len(text),
            text="" if self.is_private(key) else text,
            max_length=max_length,
            **self.place(key),
        )
        return None

    def country(self, key: str, value: object) -> str | None:
        code = country_code(value) if isinstance(value, str) else ""
        if value == "" or code:
            return code
        self.unreadable(key, value)
        return None

    def day(self, key: str, value: object) -> date | None:
        day = _day(value)
        if day is None:
            self.unreadable(key, value)
        return day

    def yes_or_no(self, key: str, value: object) -> bool | None:
        if isinstance(value, bool):
            return value
        self.unreadable(key, value)
        return None

    def number(self, key: str, value: object, most: int = MAX_NUMBER) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most:
            return value
        self.unreadable(key, value)
        return None

    def part(self, key: str, value: object) -> int | None:
        return self.number(key, value, MAX_PARTS)

    def minutes(self, key: str, value: object) -> Decimal | None:
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            minutes = Decimal(value)
            if minutes.is_finite() and 0 < minutes < 10_000 and minutes * 60 % 1 == 0:
                return minutes
        self.unreadable(key, value)
        return None

    def time_control(self, key: str, value: object) -> str | None:
        if not isinstance(value, str):
            self.unreadable(key, value)
            return None
        try:
            parse_time_control(value)
        except TimeControlError as problem:
            self.add(
                "detail-unreadable.time-control",
                key,
                text=value,
                character=problem.column,
                wanted=problem.expected,
            )
            return None
        return self.of_length(key, value.strip())

    def time_controls(self, key: str, value: object) -> tuple[str, ...] | None:
        if value == []:
            return ()
        if not isinstance(value, list | tuple) or not 2 <= len(value) <= MAX_GAMES_OF_ROUND:
            self.unreadable(key, value)
            return None
        read = [self.time_control(key, control) for control in value]
        return None if None in read else tuple(control for control in read if control is not None)

    def choice(self, key: str, value: object) -> StrEnum | None:
        choices = self.declared[key].choices
        if choices and isinstance(value, str) and value in [choice.value for choice in choices]:
            return choices(value)
        self.unreadable(key, value)
        return None

    def registered(self, key: str, value: object) -> str | None:
        if isinstance(value, str) and value in dict(self.declared[key].labelled_choices()):
            return value
        self.unreadable(key, value)
        return None

    def number_choice(self, key: str, value: object) -> int | None:
        choices = self.declared[key].choices or ()
        if isinstance(value, int) and not isinstance(value, bool) and str(value) in list(choices):
            return value
        self.unreadable(key, value)
        return None

    def days(self, key: str, value: object) -> tuple[date, ...] | None:
        days = [_day(day) for day in value] if isinstance(value, list | tuple) else [None]
        if None in days or len(days) > MAX_ROUNDS:
            self.unreadable(key, value)
            return None
        return tuple(day for day in days if day is not None)

    def numbers(self, key: str, value: object) -> tuple[int, ...] | None:
        numbers = value if isinstance(value, list | tuple) else [None]
        read = [one for one in numbers if isinstance(one, int) and not isinstance(one, bool) and one > 0]
        if len(set(read)) < len(numbers) or len(read) > MAX_PLAYERS:
            self.unreadable(key, value)
            return None
        return tuple(read)

    def tie_breaks(self, key: str, value: object) -> tuple[str, ...] | None:
        if not isinstance(value, list | tuple):
            self.unreadable(key, value)
            return None
        keys = [_as_text(each).strip() for each in value]
        if unknown := [each for each in keys if each not in TIE_BREAKS]:
            self.unreadable(key, ", ".join(unknown))
            return None
        return tuple(dict.fromkeys(keys))

    def paragraphs(self, key: str, value: object) -> str | None:
        lines = list(map(plain_text, value.splitlines())) if isinstance(value, str) else []
        if isinstance(value, str) and all(map(str.isprintable, lines)):
            return self.of_length(key, "\n".join(lines).strip())
        self.unreadable(key, value)
        return None

    def shared_places(self, key: str, value: object) -> tuple[tuple[int, int], ...] | None:
        texts = value if isinstance(value, list | tuple) else [None]
        read = [_GROUP.fullmatch(text) if isinstance(text, str) else None for text in texts]
        groups = sorted((int(group[1]), int(group[2])) for group in read if group)
        apart = all(one[1] < other[0] for one, other in pairwise(groups))
        if len(groups) == len(texts) and apart and all(first < last for first, last in groups):
            return tuple(groups)
        self.unreadable(key, value)
        return None

    def round_scores(self, key: str, value: object) -> tuple[tuple[int, int], ...] | None:
        pairs = [(int(pair[1]), int(pair[2])) for pair in self.matches(_PAIR, value)]
        won = [pair for pair in pairs if pair[0] > pair[1]]
        drawn = [pair for pair in pairs[-1:] if pair[0] == pair[1]]
        is_read = len(pairs) == _length(value) <= MAX_GAMES_OF_ROUND + 1
        is_shared = bool(drawn) or sum(pairs[-1] if pairs else ()) % 2 == 0
        if is_read and is_shared and won + drawn == pairs and (won or not pairs):
            return tuple(pairs)
        self.unreadable(key, value)
        return None

    def plus_draws(self, key: str, value: object) -> tuple[tuple[int, int, int, int], ...] | None:
        draws = [
            (int(draw[1]), int(draw[2] or 1), int(draw[3]), int(draw[4]))
            for draw in self.matches(_PLUS_DRAW, value)
        ]
        games = {(turn, game, frozenset(pair)) for turn, game, *pair in draws}
        is_read = len(draws) == _length(value) == len(games)
        if is_read and all(plus != minus for _, _, plus, minus in draws):
            return tuple(draws)
        self.unreadable(key, value)
        return None

    def orders(self, key: str, value: object) -> tuple[tuple[int, ...], ...] | None:
        orders = [tuple(map(int, order[0].split("-"))) for order in self.matches(_ORDER, value)]
        numbers = [number for order in orders for number in order]
        if len(orders) == _length(value) and len(set(numbers)) == len(numbers):
            return tuple(orders)
        self.unreadable(key, value)
        return None

    def matches(self, pattern: re.Pattern[str], value: object) -> list[re.Match[str]]:
        """The texts of a list that fit a pattern."""
        texts = value if isinstance(value, list | tuple) else []
        return [
            found for text in texts if isinstance(text, str) and (found := pattern.fullmatch(text.strip()))
        ]

    def players(self, key: str, value: object) -> Mapping[int, int | str]:
        """The entries that can be read; each other one is a finding."""
        ids: dict[int, int | str] = {}
        for number, fmjd_id in value.items() if isinstance(value, Mapping) else [("", 0)]:
            name = str(number)
            is_id = isinstance(fmjd_id, int) and not isinstance(fmjd_id, bool)
            is_id = is_id and 0 < fmjd_id <= MAX_NUMBER
            is_id = is_id or (isinstance(fmjd_id, str) and bool(_OTHER_NUMBER.fullmatch(fmjd_id)))
            if _NUMBER.fullmatch(name) and is_id:
                ids[int(name)] = fmjd_id
            else:
                self.unreadable_player(key, name, fmjd_id, EXPECTED_NUMBER, "fmjd_id")
        return MappingProxyType(ids)

    def new_players(self, key: str, value: object) -> Mapping[int, NewPlayer]:
        """The entries that can be read; each other one has findings."""
        players: dict[int, NewPlayer] = {}
        for number, entry in value.items() if isinstance(value, Mapping) else [("", value)]:
            player = self.new_player(key, str(number), entry)
            if player is not None:
                players[int(str(number))] = player
        return MappingProxyType(players)

    def unreadable_player(
        self, key: str, number: str, value: object, wanted: object = "", entry: str = ""
    ) -> None:
        """Add a finding about a value of the player with this number, which can be no number.

        `entry` is the name of the value in an entry of several.
        """
        about: dict[str, Any] = {"about": (int(number),)} if _NUMBER.fullmatch(number) else {}
        text = _as_text(value) if about else f"{number} = {_as_text(value)}"
        self.add(
            "detail-unreadable.player",
            key,
            text=text,
            wanted=wanted or self.declared[key].expected,
            entry=entry,
            value=NEW_PLAYER_VALUES.get(entry, ""),
            **about,
        )

    def new_player(self, key: str, number: str, entry: object) -> NewPlayer | None:
        """One new player; None, and a finding for each fault, if the entry has any."""
        names = [one.name for one in fields(NewPlayer)]
        if not _NUMBER.fullmatch(number) or not isinstance(entry, Mapping):
            self.unreadable_player(key, number, entry)
            return None
        values: dict[str, Any] = {}
        complete = True
        for name, value in entry.items():
            wanted: object = ""
            if name == "born":
                values[name] = _day(value) if value != "" else None
                if value != "" and values[name] is None:
                    wanted = EXPECTED_BIRTH
            elif name not in names:
                wanted = ", ".join(names)
            elif not isinstance(value, str) or not plain_text(value).isprintable():
                wanted = EXPECTED_NAME
            elif name == "country" and value and not country_code(value):
                wanted = Kind.COUNTRY.expected
            elif name == "sex" and sex_code(value) is None:
                wanted = EXPECTED_SEX
            else:
                readers = {"country": country_code, "sex": sex_code}
                values[name] = readers.get(name, plain_text)(value)
            if wanted:
                complete = False
                self.unreadable_player(key, number, value, wanted, str(name))
        return NewPlayer(**values) if complete else None

    def check_tie_breaks(self) -> None:
        """The tie-breaks are defined with the method for unplayed games (R60c) and the system of play (5.11.2)."""
        tie_breaks = [TIE_BREAKS[key] for key in self.details.get("standings", ())]
        if self.details.get("unplayed", FACE_VALUE.key) != FACE_VALUE.key:
            refused = [each.key for each in tie_breaks if each.face_value_only]
            if refused:
                method = self.details["unplayed"]
                self.add("details-contradict.unplayed", "standings", text=", ".join(refused), method=method)
        if self.details.get("round_scores"):
            if refused := [each.key for each in tie_breaks if each.key not in OF_ROUND_POINTS]:
                self.add("details-contradict.round-points", "standings", text=", ".join(refused))
            if (method := self.details.get("unplayed", FACE_VALUE.key)) != FACE_VALUE.key:
                self.add("details-contradict.round-points", "unplayed", text=method)
        if self.details.get("system") not in (None, System.TEAMS):
            refused = [each.key for each in tie_breaks if each.teams_only]
            if refused:
                self.add("details-contradict.teams", "standings", text=", ".join(refused))

    def check_required_details(self) -> None:
        named, discipline = self.details.get("rating_system", ""), self.details.get("discipline", "")
        rules = known_rules(named, discipline)
        required = rules.details.required if rules else {"discipline", "time_control"}
        if "discipline" in required and "discipline" not in self.given:
            self.missing("discipline")
        if "time_control" in required and not (self.given | self.in_file) & {
            "time_control",
            "minutes_for_60_moves",
            "session",
        }:
            self.missing("time_control", alternative=DETAILS["minutes_for_60_moves"].label)
        if rules and discipline and discipline not in rules.disciplines:
            self.add(
                "details-contradict.discipline",
                "discipline",
                text=discipline,
                rating_system=rules.name,
                wanted=", ".join(rules.disciplines),
            )
        self.check_tie_breaks()
        minutes = self.details.get("minutes_for_60_moves")
        control = self.details.get("time_control")
        if minutes is not None and control:
            seconds = parse_time_control(control).seconds_for_60_moves
            if seconds != minutes * 60:
                self.findings.add(
                    "details-contradict",
                    field="minutes_for_60_moves",
                    minutes=str(minutes),
                    time_control=control,
                    wanted=minutes_text(seconds),
                    **self.place("minutes_for_60_moves"),
                )

    def missing(self, key: str, **values: Any) -> None:
        self.findings.add("detail-missing", field=key, detail=DETAILS[key].label, **values)


def _length(value: object) -> int:
    """The number of values in a list, -1 where it is none."""
    return len(value) if isinstance(value, list | tuple) else -1


def _as_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_as_text, value))
    try:
        return str(value)
    except ValueError:  # Python does not print whole numbers of thousands of digits
        return "a number of thousands of digits"


def _day(value: object) -> date | None:
    day = parse_day(value) if isinstance(value, str) else value
    if isinstance(day, date) and not isinstance(day, datetime) and FIRST_DAY <= day <= LAST_DAY:
        return day
    return None
