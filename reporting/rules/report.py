"""A report as plain values, the same for every format.

Nothing is looked up in the register and nothing is corrected: names, countries and ratings are as printed, and text
that a reader could not read is listed in ``ReadReport.unread``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any

from reporting.federations.registry import all_report_rules
from reporting.rules.findings.catalogue import UNREAD
from reporting.rules.findings.finding_list import (
    CELL_NAME,
    Finding,
    grouped_findings,
    limited_findings,
    quoted,
    unique_findings,
)
from reporting.rules.sentences import Listed, Value, joined, sentence

PAUSE = 0
"""The number for no opponent."""

PAUSE_POINTS = 2
"""Points of a pause (R20)."""

SPREADSHEET, TABLE_FORM = "spreadsheet", "table-form"

RESULT_FIELDS = ("round", "white", "black", "result")
"""The fields of a line of results."""

RESULTS = ("2-0", "1-1", "0-2", "2x0", "0x2", "1x1", "0x0")
"""The results of games as reports write them; x means a decision of the referee without a game."""

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2100, 12, 31)
FIRST_LIST_DAY = date(1983, 1, 1)
"""No list came into force before."""
"""The days that a report or its details can name; a day outside them is a typo."""

MAX_FILE_BYTES = 5_000_000
"""Bytes of a report file. These limits hold for every format; real exports have 34 and 36 rounds."""
MAX_LINES = 100_000
"""Lines of a text: more than twice those of the most players and games, each on a line."""
MAX_PLAYERS = 5_000
MAX_ROUNDS = 99
MAX_GAMES_OF_ROUND = 9
MAX_GAMES = 35_000
"""Games and pauses of a report: 5,000 players can play 13 rounds, 500 players 99 (docs/decisions/0101)."""
MAX_UNREAD_LISTED = 2_000


class Encoding(StrEnum):
    """An encoding that a person can choose, by the name of its codec. Each has the letters of ASCII."""

    UTF_8 = "utf-8"
    CP1252 = "cp1252"
    ISO8859_1 = "iso8859-1"
    ISO8859_15 = "iso8859-15"
    CP1250 = "cp1250"
    ISO8859_2 = "iso8859-2"
    CP1251 = "cp1251"
    KOI8_R = "koi8-r"
    CP1257 = "cp1257"
    CP1254 = "cp1254"


ENCODINGS: dict[str, str] = {
    Encoding.UTF_8: "UTF-8",
    Encoding.CP1252: "Western Europe (Windows-1252)",
    Encoding.ISO8859_1: "Western Europe (ISO 8859-1)",
    Encoding.ISO8859_15: "Western Europe with euro (ISO 8859-15)",
    Encoding.CP1250: "Central Europe (Windows-1250)",
    Encoding.ISO8859_2: "Central Europe (ISO 8859-2)",
    Encoding.CP1251: "Cyrillic (Windows-1251)",
    Encoding.KOI8_R: "Cyrillic (KOI8-R)",
    Encoding.CP1257: "Baltic (Windows-1257)",
    Encoding.CP1254: "Turkish (Windows-1254)",
}
"""The encodings that can be chosen, and their labels."""


class PointsScale(StrEnum):
    """What a game won, drawn and lost gives: how a tournament prints points, and the points column of a file."""

    WHOLE = "2-1-0"
    HALVES = "1-0.5-0"


@dataclass(frozen=True)
class ReportFormat:
    """A format that can be read: its name, what pages call it by its keys, how it is recognised and read.

    ``needs_points_scale``: its points column can have another scale than 2-1-0, so ``read`` takes the scale.
    """

    name: str
    labels: Mapping[str, str]
    recognises: Callable[[tuple[str, ...]], bool]
    read: Callable[..., ReadReport]
    needs_points_scale: bool = False


@dataclass(frozen=True, kw_only=True)
class EntryFormat(ReportFormat):
    """A text format in which results entry stores the reports of a federation. It has all fields of results entry.

    ``write`` takes `ReportedInfo`, players and games, with points in 2-1-0; ``read`` gives the same values of what it
    wrote. It raises ValueError with the name of the field for a value that the format cannot have. ``separator`` stands
    between the fields of a result: round, White, Black, result. ``max_lengths`` are the most characters of texts of the
    tournament, and of ``local_id``, where the format has a limit.
    """

    write: Callable[[ReportedInfo, Sequence[ReportedPlayer], Sequence[ReportedGame]], str]
    separator: str = ","
    max_lengths: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of the format in a report."""
        return next(iter(self.labels))


def entry_formats() -> Container[str]:
    """The formats with the fields of results entry: their rules of names, lengths and numbers apply (R20)."""
    return {SPREADSHEET, *(rules.entry_format.key for rules in all_report_rules())}


def is_made_for_reports(key: str) -> bool:
    """Whether files of a format are no exports: they have number, full name, birth and sex (R20, R25)."""
    return key == TABLE_FORM or key in entry_formats()


@dataclass(frozen=True)
class ReportedPlayer:
    """A player of the report.

    ``number`` is the one games refer to. ``fmjd_id`` is None where the report gives none. ``other_numbers`` are those
    of other registers, by their codes or the countries that keep them, the one that counts first; they match a player
    who has them. ``name`` is as
    printed; ``first_name`` and ``last_name`` are empty where the format does not split the name. ``born_year``
    is given without ``born`` if only the year is known. ``place`` is None in a tournament that is not
    finished. Points are in 2-1-0. ``federation_code`` is the code of countries.csv, empty when not known.
    ``columns`` gives the column of each field in ``line``, from 1, in characters. ``is_new`` says that the details name
    the player as new to the register: then ``fmjd_id`` is only what the report says.
    """

    number: int
    name: str
    fmjd_id: int | str | None = None
    local_id: str = ""
    other_numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    place: int | None = None
    points_printed: int | None = None
    first_name: str = ""
    last_name: str = ""
    title: str = ""
    federation: str = ""
    federation_code: str = ""
    born: date | None = None
    born_year: int | None = None
    sex: str = ""
    rating_printed: int | None = None
    category_printed: str = ""
    is_new: bool = False
    line: int = field(default=0, compare=False)
    columns: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    in_cells: bool = field(default=False, compare=False, repr=False)
    """Whether the columns count the cells of a spreadsheet, not characters."""

    def column(self, name: str) -> int:
        """Return the column of a field, from 1, or 1 if the format does not have it."""
        return self.columns.get(name, 1)


@dataclass(frozen=True)
class ReportedGame:
    """A game, or a pause (0 in the place of one player), with its points in 2-1-0.

    ``played`` is False for pauses and for results by the referee's decision without a game
    (R8). ``colours_known`` is False where the format does not say who had white; then ``white`` is the player of
    the upper line. ``lines`` are the lines it was read from: one in a list of results, two in a crosstable.
    ``columns`` are the columns in those lines. In a session ``number`` is its place in the round, from 1, and
    ``time_control`` its own (R25). ``started_on`` and ``finished_on`` are the game's own days, None where the file does
    not give them: then the day is that of the round. ``white_for`` and ``black_for`` are the numbers, in the
    tournament's register, of the players whom White and Black replace as substitutes; None for no substitute.
    """

    round: int
    white: int
    black: int
    white_points: int
    black_points: int
    played: bool
    colours_known: bool = True
    number: int = 1
    time_control: str = ""
    started_on: date | None = None
    finished_on: date | None = None
    white_for: int | None = None
    black_for: int | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)
    columns: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_pause(self) -> bool:
        """Whether one side is the dummy."""
        return PAUSE in (self.white, self.black)

    @property
    def result(self) -> str:
        """The result as reports write it; x means a decision of the referee without a game.

        A pause is not a decision, so it is written 2-0 or 0-2.
        """
        sign = "-" if self.played or self.is_pause else "x"
        return f"{self.white_points}{sign}{self.black_points}"

    @property
    def line(self) -> int:
        """The first line the game was read from, 1 where there is none."""
        return self.lines[0] if self.lines else 1

    @property
    def column(self) -> int:
        """The column in that line, from 1."""
        return self.columns[0] if self.columns else 1


@dataclass(frozen=True)
class ReportedInfo:
    """The information of the report about the tournament itself; None or empty where it has none.

    ``system`` is one of ``swiss round-robin teams other``; ``time_control`` is written by the grammar of R6,
    also where the format has it in seconds (R26);
    ``rounds`` are the days of the rounds, in order; ``points`` is the scale of the points column, where it has one;
    ``standings`` are the keys of the tie-breaks in their order.
    ``national_championship`` is True only for the
    final of one. ``country_code`` is the code of countries.csv, empty when not known.
    ``positions`` gives line and column of each value, from 1.
    """

    name: str = ""
    played_from: date | None = None
    played_to: date | None = None
    system: str = ""
    national_championship: bool | None = None
    women_championship: bool | None = None
    referee: str = ""
    place: str = ""
    country: str = ""
    country_code: str = ""
    remarks: str = ""
    winner: str = ""
    time_control: str = ""
    is_time_control_in_seconds: bool = False
    rounds: tuple[date, ...] = ()
    points: PointsScale | None = None
    standings: tuple[str, ...] = ()
    positions: Mapping[str, tuple[int, int]] = field(default_factory=dict, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the information under the names of the tournament details, with winner and remarks."""
        final = self.national_championship
        return {
            "name": self.name,
            "place": self.place,
            "country": self.country_code or self.country,
            "played_from": self.played_from.isoformat() if self.played_from else None,
            "played_to": self.played_to.isoformat() if self.played_to else None,
            "system": self.system,
            "national_championship": None if final is None else ("final" if final else "no"),
            "women_only": self.women_championship,
            "referee": self.referee,
            "time_control": self.time_control,
            "rounds": [day.isoformat() for day in self.rounds],
            "points": self.points,
            "standings": list(self.standings),
            "winner": self.winner,
            "remarks": self.remarks,
        }


@dataclass(frozen=True)
class UnreadText:
    """A piece of the file that was not used, and the key of the reason; line and column from 1."""

    line: int
    column: int
    text: str
    key: str
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def reason(self) -> str:
        """Why it was not used."""
        return sentence(UNREAD[self.key], dict(self.values))

    def to_json(self) -> dict[str, Any]:
        """Return the piece as an object of the command line and the API."""
        return {"line": self.line, "column": self.column, "text": self.text, "reason": self.reason}


def _row_of_cell(name: str) -> str:
    cell = CELL_NAME.fullmatch(name)
    return f"{cell['sheet'] or ''}!{cell['row']}" if cell else ""


def _with_name(number: int, names: Mapping[int, str]) -> str:
    return f"{number} ({quoted(names[number])})" if names.get(number) else str(number)


@dataclass(frozen=True)
class ReadReport:
    """A report as read: the values, what was not used, and the findings of the reader.

    ``format`` is the key of the format, or empty if no format was recognised; ``encoding`` the name
    of the encoding, empty where the bytes are not text.
    """

    format: str
    encoding: str
    info: ReportedInfo = field(default_factory=ReportedInfo)
    players: tuple[ReportedPlayer, ...] = ()
    games: tuple[ReportedGame, ...] = ()
    unread: tuple[UnreadText, ...] = ()
    findings: tuple[Finding, ...] = ()
    undecided: frozenset[int] = frozenset()
    """Numbers of the players with results that could not be read, so that they have no sum."""
    unread_sections: frozenset[str] = frozenset()
    """Which of info, players and results is missing or could not be read as a whole; each has a finding."""
    unread_players: int = 0
    """Lines of players that could not be read; results and details may name their numbers."""
    cells: Mapping[tuple[int, int, str], str] = field(default_factory=dict, compare=False, repr=False)
    """The cell, such as ``Players!E7``, of a line, column and field of a spreadsheet; empty for other formats."""

    @cached_property
    def points_summed(self) -> dict[int, int]:
        """Points of each player as the sum of the results, in 2-1-0 (a pause gives 2)."""
        points: dict[int, int] = {player.number: 0 for player in self.players}
        for game in self.games:
            for number, gained in ((game.white, game.white_points), (game.black, game.black_points)):
                if number in points:
                    points[number] += gained
        return points

    @cached_property
    def rounds(self) -> int:
        """The number of the last round with a result, 0 without results."""
        return max((game.round for game in self.games), default=0)

    @cached_property
    def games_of(self) -> Mapping[int, tuple[ReportedGame, ...]]:
        """The games and pauses of each number, in order of rounds."""
        found: defaultdict[int, list[ReportedGame]] = defaultdict(list)
        for game in sorted(self.games, key=lambda game: (game.round, game.number)):
            for number in {game.white, game.black} - {PAUSE}:
                found[number].append(game)
        return {number: tuple(games) for number, games in found.items()}

    def grouped_findings(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return all findings about the report as people read them, in the order of the file.

        Many lines with the same finding give one, with the cell of a spreadsheet as its field, and with numbers and
        names of its players before the message (R22). Grouped findings are not grouped again.
        """
        ordered = unique_findings(self._in_cell(finding) for finding in findings)
        numbers_at = self._numbers_at
        names = {player.number: player.name for player in reversed(self.players)}
        grouped = []
        for group in grouped_findings(ordered):
            first = group[0]
            values: dict[str, Value] = {**self._places(group)} if len(group) > 1 else {}
            people = dict.fromkeys(
                number
                for finding in group
                for number in (
                    numbers_at.get(finding.field or "", numbers_at.get(self._row_of(finding), ()))
                    if finding.about is None
                    else finding.about
                )
            )
            if people:
                values["about"] = joined([_with_name(number, names) for number in people])
                values["about_count"] = len(people)
            grouped.append(replace(first.with_values(**values), about=()))
        return limited_findings(grouped)

    def _places(self, group: Sequence[Finding]) -> dict[str, Listed]:
        """Return the places of the other findings of a group, as values of the first."""
        if group[0].is_in_sheet:
            return {"same_cells": joined([finding.field or str(finding.line) for finding in group[1:]])}
        lines = [line for line in dict.fromkeys(finding.line for finding in group) if line != group[0].line]
        if lines:
            return {"same_lines": joined(lines)}
        return {"same_columns": joined([finding.column for finding in group[1:]])}

    def _in_cell(self, finding: Finding) -> Finding:
        cell = self.cells.get((finding.line or 0, finding.column or 0, finding.field or ""))
        return replace(finding, field=cell) if cell else finding

    def _row_of(self, finding: Finding) -> str:
        """Return the line of a finding, in a spreadsheet the row with its sheet; empty without one."""
        return _row_of_cell(finding.field or "") if self.cells else str(finding.line or "")

    @property
    def _numbers_at(self) -> dict[str, tuple[int, ...]]:
        """The players of each line or row, as ``_row_of`` names it: of a result both, of any other line its own.

        Where players stand in the rows of games, those of their cells.
        """
        found: dict[str, tuple[int, ...]] = {}
        for game in self.games:
            both = tuple(number for number in (game.white, game.black) if number != PAUSE)
            if self.cells:
                found[_row_of_cell(self.cells.get((game.line, game.column, "round"), ""))] = both
            elif len(game.lines) == 1:
                found[str(game.line)] = both
        for player in self.players:
            if self.cells and "number" not in player.columns:
                found |= {
                    self.cells[player.line, player.column(name), name]: (player.number,)
                    for name in ("fmjd_id", "name")
                }
                continue
            cell = self.cells.get((player.line, player.column("number"), "number"), "")
            found[_row_of_cell(cell) if self.cells else str(player.line)] = (player.number,)
        return found

    def round_of(self, finding: Finding) -> int | None:
        """Return the round of the game that a finding is about; None where its place is not one game's."""
        rounds = self._rounds_at.get(self._row_of(finding), {})
        return rounds.get(finding.column or 0) or (rounds.get(0) if len(rounds) == 2 else None)

    @cached_property
    def _rounds_at(self) -> dict[str, dict[int, int]]:
        """The rounds of the games in each line or row by column; under 0 that of the only game of its line."""
        found: dict[str, dict[int, int]] = {}
        for game in self.games:
            for line, column in zip(game.lines, game.columns, strict=False):
                row = str(line)
                if self.cells:
                    row = _row_of_cell(self.cells.get((line, column, "round"), ""))
                rounds = found.setdefault(row, {})
                rounds[column] = game.round
                if len(game.lines) == 1:
                    rounds[0] = game.round
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``check_report --json``; points and results are in 2-1-0."""
        summed = self.points_summed
        return {
            "format": self.format,
            "encoding": self.encoding,
            "info": self.info.to_json(),
            "players": [
                {
                    "number": player.number,
                    "fmjd_id": player.fmjd_id,
                    "name": player.name,
                    "title": player.title,
                    "federation": player.federation_code or player.federation,
                    "born_year": player.born_year,
                    "sex": player.sex,
                    "place": player.place,
                    "points_printed": player.points_printed,
                    "points_summed": summed[player.number],
                    "line": player.line,
                }
                for player in self.players
            ],
            "games": [
                {
                    "round": game.round,
                    "white": game.white,
                    "black": game.black,
                    "result": game.result,
                    "counted": game.played,
                    **{
                        name: day.isoformat()
                        for name, day in (("started_on", game.started_on), ("finished_on", game.finished_on))
                        if day
                    },
                    **{
                        name: number
                        for name, number in (("white_for", game.white_for), ("black_for", game.black_for))
                        if number
                    },
                    "lines": list(game.lines),
                }
                | ({"game": game.number, "time_control": game.time_control} if game.time_control else {})
                for game in self.games
            ],
            "unread": [piece.to_json() for piece in self.unread],
            "findings": [finding.to_json() for finding in self.findings],
        }
