"""The lines 012 to 132 of a TRF16 file: the tournament."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from reporting.formats.tables.field_parsers import (
    NUMBER_DIGITS,
    add_program_date_finding,
    read_country,
    read_number,
    valid_day,
)
from reporting.formats.tables.table import FieldText, ReaderFindings, field_text, text_column
from reporting.formats.trf.cells import FIRST_ROUND, ROUND_WIDTH
from reporting.formats.trf.points import PointSystem
from reporting.rules.details.detail_kinds import day_parts
from reporting.rules.details.time_control import Session, TimeControl, TimeControlError, parse_time_control
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.report import MAX_ROUNDS, PointsScale, ReportedInfo

MARKS = {
    "012": "name",
    "022": "place",
    "032": "country",
    "042": "played_from",
    "052": "played_to",
    "062": "players",
    "092": "system",
    "102": "referee",
    "122": "time_control",
    "132": "rounds",
    "142": "round_count",
    "162": "point_system",
    "192": "coded_system",
    "202": "standings",
    "212": "standings_with_points",
    "222": "coded_time_control",
}
"""The lines that are read, and the value of each."""

_SYSTEM_WORDS = {
    "teams": (
        *("team", "mannschaft", "equipe", "equipo", "ploeg", "squadr", "команд", "druzyn", "druzst"),
        *("schiller", "scheveningen"),
    ),
    "swiss": (
        "swiss",
        "suisse",
        "suiz",
        "suic",
        "svizzer",
        "schweizer",
        "zwits",
        "швеицар",
        "szwajcar",
        "svycar",
    ),
    "round-robin": (
        *("round robin", "roundrobin", "all play all", "berger", "rundenturnier", "jeder gegen jeden"),
        *("toutes rondes", "todos contra todos", "girone all", "круговои", "kolowy"),
    ),
    "other": ("knockout", "knock out", "elimination"),
}
"""The words of a system in normalized names, in the order of their weight: a Swiss of teams is one of teams."""
_PAIRING_WORDS = ("dutch", "dubov", "burstein")
"""Pairing rules of a Swiss, which can be words of a name too."""
_SECONDS_PERIOD = re.compile(r"(?:([1-9][0-9]?)/)?([1-9][0-9]{0,5})(?:\+([0-9]{1,4}))?")
_BY_COLOUR = re.compile(r"W(.+)-B(.+)")
_POINTS_CODE = "PTS"

_ROUND_DAY = re.compile(r"([0-9]{2})([-/.])([0-9]{2})\2([0-9]{2})")
_CENTURY = 2000
"""The dates of the rounds have years of two digits; the format is younger than the century."""

TEAM_MARKS = frozenset({"013", "300", "310", "320", "330", "352", "362", "801", "802"})
"""The records that only a competition of teams has."""

ARTICLE = "Annex 9 art. 4.1; R20"


@dataclass
class TournamentLines:
    """The values of the lines. Read each line, then ``check_player_count`` and take ``info``.

    ``findings`` are those of the reader and are added to.
    """

    findings: ReaderFindings
    texts: dict[str, str] = field(default_factory=dict)
    days: dict[str, date] = field(default_factory=dict)
    round_dates: tuple[date, ...] = ()
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines_by_mark: dict[str, int] = field(default_factory=dict)
    standings: tuple[str, ...] = ()
    is_in_seconds: bool = False
    point_system: PointSystem = field(init=False)

    def __post_init__(self) -> None:
        self.point_system = PointSystem(self.findings)

    def info(self, points: PointsScale | None) -> ReportedInfo:
        """What the lines say, with the scale that the points column shows."""
        if self.point_system.place:
            self.positions["points"] = self.point_system.place
        return ReportedInfo(
            name=self.texts.get("name", ""),
            played_from=self.days.get("played_from"),
            played_to=self.days.get("played_to"),
            system=self.texts.get("system", ""),
            referee=self.texts.get("referee", ""),
            place=self.texts.get("place", ""),
            country=self.texts.get("country", ""),
            country_code=self.texts.get("country_code", ""),
            time_control=self.texts.get("time_control", ""),
            is_time_control_in_seconds=self.is_in_seconds,
            standings=self.standings,
            rounds=self.round_dates,
            points=points,
            positions=MappingProxyType(self.positions),
        )

    def read_line(self, number: int, line: str, mark: str) -> None:
        """Read a line that begins with one of MARKS."""
        name = MARKS[mark]
        before = self.lines_by_mark.setdefault(mark, number)
        if before != number:
            self.findings.add(
                "key-repeated.trf16",
                line=number,
                column=1,
                field=name,
                found=line,
                mark=mark,
                first_line=before,
            )
            self.findings.mark_line_unread(number, line, "repeated-line", mark=mark)
            return
        value = field_text(name, line[4:], number, begins=5)
        if not value.text:
            return
        if name in ("played_from", "played_to"):
            day = self.day_in(value)
            if day:
                self.days[name] = day
        elif name == "rounds":
            self.read_round_dates(number, line)
        elif name in ("system", "coded_system"):
            self.read_system(value)
        elif name == "time_control":
            self.read_time_control(value)
        elif name == "coded_time_control":
            self.read_coded_time_control(value)
        elif name in ("standings", "standings_with_points"):
            self.read_tie_breaks(value)
        elif name == "point_system":
            self.point_system.read(value)
        else:
            self.keep(value, value.text)
            if name == "country":
                self.texts["country_code"] = read_country(value, self.findings)

    def keep(self, value: FieldText, text: str) -> None:
        self.texts[value.name] = text
        self.positions[value.name] = (value.line, value.column)

    def day_in(self, value: FieldText) -> date | None:
        """Return a day in a form of ``day_parts``; another text is not used, so the details can give it."""
        parts = day_parts(value.text)
        if parts is None:
            self.findings.add("date-unreadable.trf16", at=value)
            self.findings.mark_unread(value, "date-unreadable")
            return None
        self.positions[value.name] = (value.line, value.column)
        return read_day(parts, value, self.findings)

    def read_system(self, value: FieldText) -> None:
        """Recognise the system by its words; the code of line 192 counts before the words of line 092."""
        is_coded = value.name == "coded_system"
        system = system_of(value.text, is_code=is_coded)
        if not system:
            self.findings.mark_unread(value, "trf26-system" if is_coded else "trf16-system")
        elif is_coded or "192" not in self.lines_by_mark or "system" not in self.texts:
            self.keep(value._replace(name="system"), system)

    def read_tie_breaks(self, value: FieldText) -> None:
        """Read the codes of FIDE; line 202 counts before line 212, which begins with the points."""
        codes = [code.strip() for code in value.text.split(",") if code.strip()]
        if value.name == "standings_with_points" and codes[:1] == [_POINTS_CODE]:
            del codes[0]
        if value.name == "standings" or not self.standings:
            self.standings = tuple(dict.fromkeys(codes))
            self.positions["standings"] = (value.line, value.column)

    def read_coded_time_control(self, value: FieldText) -> None:
        """Read line 222, whose times are seconds (R26); it counts before line 122."""
        control = time_control_of_seconds(value.text)
        if control is None:
            self.findings.mark_unread(value, "trf26-time-control")
            return
        self.is_in_seconds = True
        self.keep(value._replace(name="time_control"), str(control))

    def set_system_of_teams(self, marks: Set[str]) -> bool:
        """Whether it is a competition of teams: by its system, else by records that only such a one has."""
        if "system" not in self.texts and marks & TEAM_MARKS:
            self.texts["system"] = "teams"
        return self.texts.get("system") == "teams"

    def check_round_count(self, rounds: int) -> None:
        """Compare line 142 with the rounds that have results."""
        if "round_count" not in self.texts:
            return
        stated = FieldText("round_count", self.texts["round_count"], *self.positions["round_count"])
        if read_number(stated.text, digits=NUMBER_DIGITS) is None:
            self.findings.mark_unread(stated, "trf26-round-count")
        elif int(stated.text) != rounds:
            self.findings.add("round-count-differs", at=stated, rounds=rounds)

    def read_time_control(self, value: FieldText) -> None:
        if self.is_in_seconds:
            return
        try:
            control = parse_time_control(value.text)
        except TimeControlError:
            self.findings.mark_unread(value, "trf16-time-control")
            return
        self.keep(value, str(control))

    def read_round_dates(self, number: int, line: str) -> None:
        """Use the dates only if all can be read: after a gap later rounds would have wrong dates."""
        before = line[3 : FIRST_ROUND - 1]
        if before.strip():
            self.add_unreadable_dates_finding(number, line, 3 + text_column(before), before.strip())
            return
        days: list[date] = []
        for begins in range(FIRST_ROUND, len(line.rstrip()) + 1, ROUND_WIDTH):
            text = line[begins - 1 : begins - 1 + ROUND_WIDTH].rstrip()
            written = _ROUND_DAY.fullmatch(text)
            if written is None:
                self.add_unreadable_dates_finding(number, line, begins, text.strip() or "nothing")
                return
            year, month, day = (int(part) for part in written.group(1, 3, 4))
            found = FieldText("rounds", text, number, begins)
            read = read_day((_CENTURY + year, month, day), found, self.findings)
            if read is None:
                self.findings.mark_line_unread(number, line, "trf16-round-date")
                return
            days.append(read)
        if len(days) > MAX_ROUNDS:
            self.findings.mark_line_unread(number, line, "trf16-too-many-dates", limit=MAX_ROUNDS)
            return
        self.round_dates = tuple(days)
        self.positions["rounds"] = (number, FIRST_ROUND)

    def add_unreadable_dates_finding(self, number: int, line: str, column: int, found: str) -> None:
        self.findings.add("date-unreadable.rounds", line=number, column=column, field="rounds", found=found)
        self.findings.mark_line_unread(number, line, "trf16-round-dates")

    def check_player_count(self, player_lines: int) -> None:
        """Compare line 062 with the number of lines 001: it is the control that no player was lost."""
        if "players" not in self.texts:
            return
        stated = FieldText("players", self.texts["players"], *self.positions["players"])
        if read_number(stated.text, digits=NUMBER_DIGITS) is None:
            self.findings.mark_unread(stated, "trf16-player-count")
        elif int(stated.text) != player_lines:
            self.findings.add("player-count-differs", at=stated, players=player_lines)


def system_of(text: str, *, is_code: bool = False) -> str:
    """The system of play that a text names in any of some languages, or a code of FIDE; empty for none or several."""
    begins = "" if is_code else " "
    words = f" {normalize_name(text)}"
    found = [system for system, own in _SYSTEM_WORDS.items() if any(begins + word in words for word in own)]
    if found[:1] == ["teams"] or len(found) == 1:
        return found[0]
    return "swiss" if not found and any(word in words.split() for word in _PAIRING_WORDS) else ""


def time_control_of_seconds(text: str) -> TimeControl | None:
    """The time control of line 222, ``d[:d]`` with the periods ``M/S+I``, ``M/S``, ``S+I`` or ``S`` in seconds.

    None for anything else, for colours with different times, and for times that are no half minutes, which the grammar
    of time controls does not have.
    """
    by_colour = _BY_COLOUR.fullmatch(text)
    if by_colour and by_colour[1] != by_colour[2]:
        return None
    periods = [_SECONDS_PERIOD.fullmatch(part) for part in (by_colour[1] if by_colour else text).split(":")]
    read = [(int(period[1] or 0), int(period[2]), int(period[3] or 0)) for period in periods if period]
    if len(read) != len(periods) or any(seconds % 30 for _, seconds, _ in read):
        return None
    if any(not moves for moves, _, _ in read[:-1]):
        return None
    added = [seconds for _, _, seconds in read]
    first = next((place for place, seconds in enumerate(added) if seconds), 0)
    if len(set(added[first:])) != 1:
        return None  # the seconds for a move change
    return TimeControl(
        tuple(Session(seconds, moves or None) for moves, seconds, _ in read),
        added[-1],
        1 + sum(moves for moves, _, _ in read[:first]),
    )


def read_day(parts: tuple[int, int, int], field: FieldText, findings: ReaderFindings) -> date | None:
    """Return the day of year, month and day; None, and a finding, if it does not exist."""
    day = valid_day(*parts)
    if day is None:
        add_program_date_finding(field, findings, article=ARTICLE)
    return day
