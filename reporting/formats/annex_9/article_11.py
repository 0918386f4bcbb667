"""The fields of Annex 9 art. 11: those of the tournament, of a player and of a result.

Two formats have them, the FMJD format (``fmjd``) and the spreadsheet: they split a file into fields, ``FieldReader``
reads the fields. Words of a list (SWISS, Y, M, 2x0) are not case-sensitive. A pause is a game with number 0; its
player gets 2 points with either colour (R20).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from types import MappingProxyType

from reporting.formats.tables.field_parsers import (
    FMJD_ID_DIGITS,
    NUMBER_DIGITS,
    read_birth,
    read_country,
    read_date,
    read_number,
    read_number_or_none,
    read_points,
    read_sex,
    read_start_number,
    read_text,
)
from reporting.formats.tables.table import FieldParser, FieldText, ReaderFindings, player_values, text_column
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import (
    MAX_GAMES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    PAUSE,
    PAUSE_POINTS,
    RESULTS,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
)

SYSTEMS = {"SWISS": "swiss", "ROUND": "round-robin", "TEAMS": "teams", "OTHER": "other"}
PLAYER_COLUMNS: dict[str, FieldParser] = {
    "fmjd_id": partial(read_number_or_none, key="fmjd-id-unreadable", digits=FMJD_ID_DIGITS),
    "number": read_start_number,
    "local_id": read_text,
    "place": partial(read_number_or_none, key="place-unreadable", digits=NUMBER_DIGITS),
    "points": read_points,
    "first_name": read_text,
    "last_name": read_text,
    "country": read_country,
    "born": read_birth,
    "sex": read_sex,
}
"""The fields of a player in their order, and how each is read."""


_ROUND_DIGITS = 3
_FAULTS_OF_A_SHIFT = 3
"""From this number of unreadable fields on there is one finding for the line, not one for each field."""

INFO_KEYS = {
    "name": "name",
    "playedfrom": "played_from",
    "playedto": "played_to",
    "type": "system",
    "nationalchampionship": "national_championship",
    "womenchampionship": "women_championship",
    "nameofreferee": "referee",
    "place": "place",
    "country": "country",
    "remarks": "remarks",
    "winner": "winner",
}
"""The keys of the Info section without their spaces, and the field of ``ReportedInfo`` for each."""


@dataclass
class FieldReader:
    """The values read so far. Each method adds to players, games, texts or findings; none raises.

    ``findings`` are those of the reader, if it has its own; they are added to.
    """

    findings: ReaderFindings = field(default_factory=ReaderFindings)
    players: list[ReportedPlayer] = field(default_factory=list)
    games: list[ReportedGame] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    players_unread: int = 0
    """Lines of players that could not be read."""
    texts: dict[str, str] = field(default_factory=dict)
    dates: dict[str, date] = field(default_factory=dict)
    answers: dict[str, bool] = field(default_factory=dict)
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)

    # Info

    def info(self) -> ReportedInfo:
        return ReportedInfo(
            name=self.texts.get("name", ""),
            played_from=self.dates.get("played_from"),
            played_to=self.dates.get("played_to"),
            system=self.texts.get("system", ""),
            national_championship=self.answers.get("national_championship"),
            women_championship=self.answers.get("women_championship"),
            referee=self.texts.get("referee", ""),
            place=self.texts.get("place", ""),
            country=self.texts.get("country", ""),
            country_code=self.texts.get("country_code", ""),
            remarks=self.texts.get("remarks", ""),
            winner=self.texts.get("winner", ""),
            positions=MappingProxyType(self.positions),
        )

    def read_info_value(self, value: FieldText) -> None:
        """Read the value of a key, named as its field of ``ReportedInfo``."""
        name, text = value.name, value.text
        if name in ("played_from", "played_to"):
            day = read_date(value, self.findings)
            if day:
                self.dates[name] = day
        elif name in ("national_championship", "women_championship"):
            if text.upper() in ("Y", "N"):
                self.answers[name] = text.upper() == "Y"
            else:
                self.findings.add("yes-or-no-unknown", at=value)
        elif name == "system":
            system = SYSTEMS.get(text.upper())
            if system:
                self.texts[name] = system
            else:
                self.findings.add("type-unknown", at=value)
        else:
            self.texts[name] = text
            if name == "country":
                self.texts["country_code"] = read_country(value, self.findings)

    # Players

    def read_player(
        self, number: int, line: str, row: Mapping[str, FieldText], columns: Mapping[str, FieldParser]
    ) -> None:
        """Read a player from the fields of a line; it has ``number``, but can lack others of ``columns``."""
        if self.exceeds("limit-players", MAX_PLAYERS, len(self.players) + 1, number, line):
            self.players_unread += 1
            return
        own = ReaderFindings()
        values = player_values(columns, row, own)
        faults = [finding for finding in own if finding.severity is Severity.ERROR]
        is_shifted = len(faults) >= _FAULTS_OF_A_SHIFT
        if is_shifted:
            self.findings.add(
                "columns-shifted",
                line=number,
                column=faults[0].column,
                found=faults[0].found,
                count=len(faults),
                fields=", ".join(PLAYER_COLUMNS),
            )
        else:
            self.findings.extend(own)
            self.findings.unread += own.unread
        if is_shifted or values["number"] is None:
            self.players_unread += 1
            key = "no-tournament-number" if values["number"] is None else "shifted"
            self.findings.mark_line_unread(number, line, key)
            return
        self.players.append(ReportedPlayer(**values, line=number))

    # Results

    @property
    def players_with_unknown_totals(self) -> frozenset[int]:
        """Numbers of the players with results that were not used: all players past the limit."""
        if "limit-games" in self.findings.exceeded:
            return frozenset(player.number for player in self.players) | self.undecided
        return frozenset(self.undecided)

    def read_result(
        self,
        number: int,
        line: str,
        fields: Sequence[FieldText],
        days: Mapping[str, FieldText] = MappingProxyType({}),
    ) -> None:
        """Read the fields of a line, RESULT_FIELDS in their order, and the game's own days by name where it has any."""
        if self.exceeds("limit-games", MAX_GAMES, len(self.games) + 1, number, line):
            return
        round_field, white_field, black_field, result_field = fields
        round_number = read_number(round_field.text, digits=_ROUND_DIGITS)
        if not round_number:
            self.findings.add("round-unreadable", at=round_field, limit=MAX_ROUNDS)
        elif self.findings.exceeds("limit-rounds", MAX_ROUNDS, round_number, at=round_field, about=None):
            round_number = None
        white = self.opponent_in(white_field)
        black = self.opponent_in(black_field)
        outcome = self.result_in(result_field, tuple(known for known in (white, black) if known))
        if not round_number or white is None or black is None or outcome is None:
            self.undecided.update(known for known in (white, black) if known)
            self.findings.mark_line_unread(number, line, "result-unreadable")
            return
        white_points, black_points, played = outcome
        if PAUSE in (white, black):
            if not self.is_valid_pause(white, black, white_field, result_field):
                self.undecided.update(known for known in (white, black) if known)
                self.findings.mark_line_unread(number, line, "pause-unreadable")
                return
            white_points = PAUSE_POINTS if white else 0
            black_points = PAUSE_POINTS if black else 0
            played = False
        own_days = {name: read_date(day, self.findings) for name, day in days.items() if day.text}
        self.games.append(
            ReportedGame(
                round=round_number,
                white=white,
                black=black,
                white_points=white_points,
                black_points=black_points,
                played=played,
                started_on=own_days.get("started_on"),
                finished_on=own_days.get("finished_on"),
                lines=(number,),
                columns=(round_field.column, white_field.column, black_field.column, result_field.column),
            )
        )

    def opponent_in(self, field: FieldText) -> int | None:
        number = read_number(field.text, digits=NUMBER_DIGITS)
        if number is None:
            self.findings.add("number-unreadable.opponent", at=field)
        return number

    def result_in(self, field: FieldText, players: tuple[int, ...]) -> tuple[int, int, bool] | None:
        result = field.text.lower()
        if result in RESULTS:
            return int(result[0]), int(result[2]), result[1] == "-"
        self.findings.add("result-unknown", at=field, about=players)
        return None

    def is_valid_pause(self, white: int, black: int, white_field: FieldText, result_field: FieldText) -> bool:
        if white == black:
            self.findings.add(
                "pause-without-player", line=white_field.line, column=white_field.column, field="white"
            )
            return False
        if result_field.text.lower() in (("2-0", "2x0") if white else ("0-2", "0x2")):
            return True
        self.findings.add(
            "pause-result", at=result_field, result="2-0" if white else "0-2", about=(white or black,)
        )
        return False

    def exceeds(self, code: str, limit: int, count: int, number: int, line: str) -> bool:
        """Return whether a count is over its limit, so that the line is not used."""
        if count <= limit:
            return False
        self.findings.mark_line_unread(number, line, "over-limit")
        return self.findings.exceeds(code, limit, count, line=number, column=text_column(line))
