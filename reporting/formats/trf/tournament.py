"""The lines 012 to 132 of a TRF16 file: the tournament."""

from __future__ import annotations

import re
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
from reporting.rules.details.time_control import TimeControlError, parse_time_control
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
    "162": "point_system",
}
"""The lines that are read, and the value of each."""

_SYSTEMS = {
    "swiss": "swiss",
    "swiss system": "swiss",
    "individual: swiss system": "swiss",
    "round robin": "round-robin",
    "individual: round robin": "round-robin",
    "team": "teams",
    "teams": "teams",
    "team: swiss system": "teams",
    "team: round robin": "teams",
}

_ROUND_DAY = re.compile(r"([0-9]{2})([-/.])([0-9]{2})\2([0-9]{2})")
_CENTURY = 2000
"""The dates of the rounds have years of two digits; the format is younger than the century."""

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
        elif name == "system":
            system = _SYSTEMS.get(" ".join(value.text.casefold().replace("-", " ").split()))
            if system:
                self.keep(value, system)
            else:
                self.findings.mark_unread(value, "trf16-system")
        elif name == "time_control":
            self.read_time_control(value)
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

    def read_time_control(self, value: FieldText) -> None:
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


def read_day(parts: tuple[int, int, int], field: FieldText, findings: ReaderFindings) -> date | None:
    """Return the day of year, month and day; None, and a finding, if it does not exist."""
    day = valid_day(*parts)
    if day is None:
        add_program_date_finding(field, findings, article=ARTICLE)
    return day
