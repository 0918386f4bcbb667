"""The fields of Annex 9 art. 11: those of the tournament, of a player and of a result.

Two formats have them, the FMJD format (``fmjd``) and the spreadsheet: they split a file into fields, ``FieldReader``
reads the fields. Words of a list (SWISS, Y, M, 2x0) are not case-sensitive. A pause is a game with number 0; its
player gets 2 points with either colour (R20).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from reporting.formats.field_parsers import (
    FMJD_ID_DIGITS,
    NUMBER_DIGITS,
    read_country,
    read_date,
    read_number,
    read_points,
    read_sex,
    text_column,
    unread_line,
)
from reporting.rules.findings import FindingList, Severity
from reporting.rules.report import (
    MAX_GAMES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    PAUSE,
    PAUSE_POINTS,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)

SYSTEMS = {"SWISS": "swiss", "ROUND": "round-robin", "TEAMS": "teams", "OTHER": "other"}
PLAYER_FIELDS = (
    "fmjd_id",
    "number",
    "local_id",
    "place",
    "points",
    "first_name",
    "last_name",
    "country",
    "born",
    "sex",
)
RESULT_FIELDS = ("round", "white", "black", "result")
RESULTS = ("2-0", "1-1", "0-2", "2x0", "0x2", "1x1", "0x0")

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
    """The values read so far. Each method adds to players, games, texts, findings or ``unread``; none raises.

    ``findings`` and ``unread`` are those of the reader, if it has its own; they are added to.
    """

    findings: FindingList = field(default_factory=FindingList)
    unread: list[UnreadText] = field(default_factory=list)
    players: list[ReportedPlayer] = field(default_factory=list)
    games: list[ReportedGame] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    players_unread: int = 0
    """Lines of players that could not be read."""
    texts: dict[str, str] = field(default_factory=dict)
    dates: dict[str, date] = field(default_factory=dict)
    answers: dict[str, bool] = field(default_factory=dict)
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)
    reported_limits: set[str] = field(default_factory=set)

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

    def read_info_value(self, name: str, value: str, line: int, column: int) -> None:
        if name in ("played_from", "played_to"):
            day = read_date(value, self.findings, line=line, column=column, field=name)
            if day:
                self.dates[name] = day
        elif name in ("national_championship", "women_championship"):
            if value.upper() in ("Y", "N"):
                self.answers[name] = value.upper() == "Y"
            else:
                self.findings.add("yes-or-no-unknown", line=line, column=column, field=name, found=value)
        elif name == "system":
            system = SYSTEMS.get(value.upper())
            if system:
                self.texts[name] = system
            else:
                self.findings.add("type-unknown", line=line, column=column, field=name, found=value)
        else:
            self.texts[name] = value
            if name == "country":
                code = read_country(value, self.findings, line=line, column=column, field=name)
                self.texts["country_code"] = code

    # Players

    def read_player(self, number: int, line: str, fields: list[tuple[str, int]]) -> None:
        """Read the text of each of PLAYER_FIELDS, given with its column."""
        if len(self.players) >= MAX_PLAYERS:
            self.players_unread += 1
            self.add_limit_finding(number, line, "limit-players", MAX_PLAYERS)
            return
        findings, self.findings = self.findings, FindingList()
        player = self.player_in(number, fields)
        own, self.findings = list(self.findings), findings
        faults = [finding for finding in own if finding.severity is Severity.ERROR and finding.column]
        if len(faults) >= _FAULTS_OF_A_SHIFT:
            findings.add(
                "columns-shifted",
                line=number,
                column=faults[0].column,
                found=faults[0].found,
                count=len(faults),
                fields=", ".join(PLAYER_FIELDS),
            )
        else:
            findings.extend(own)
        if player is None or len(faults) >= _FAULTS_OF_A_SHIFT:
            self.players_unread += 1
            self.unread.append(
                unread_line(number, line, "no-tournament-number" if player is None else "shifted")
            )
            return
        self.players.append(player)

    def player_in(self, number: int, fields: list[tuple[str, int]]) -> ReportedPlayer | None:
        """Return the player of a line; None for a player without tournament number."""
        text = dict(zip(PLAYER_FIELDS, (part for part, _ in fields), strict=True))
        columns = dict(zip(PLAYER_FIELDS, (column for _, column in fields), strict=True))
        fmjd_id = self.number_in(
            text["fmjd_id"],
            line=number,
            column=columns["fmjd_id"],
            name="fmjd_id",
            code="fmjd-id-unreadable",
            digits=FMJD_ID_DIGITS,
        )
        if not text["number"]:
            self.findings.add("number-missing", line=number, column=columns["number"], field="number")
            tournament_number = None
        else:
            tournament_number = self.number_in(
                text["number"],
                line=number,
                column=columns["number"],
                name="number",
                code="number-unreadable",
                digits=NUMBER_DIGITS,
                least=1,
            )
        place = self.number_in(
            text["place"],
            line=number,
            column=columns["place"],
            name="place",
            code="place-unreadable",
            digits=NUMBER_DIGITS,
        )
        points = read_points(text["points"], self.findings, line=number, column=columns["points"])
        code = read_country(
            text["country"], self.findings, line=number, column=columns["country"], field="country"
        )
        born = None
        if text["born"]:
            born = read_date(text["born"], self.findings, line=number, column=columns["born"], field="born")
        sex = read_sex(text["sex"], self.findings, line=number, column=columns["sex"])
        if tournament_number is None:
            return None
        return ReportedPlayer(
            number=tournament_number,
            name=f"{text['first_name']} {text['last_name']}".strip(),
            fmjd_id=fmjd_id or None,
            local_id=text["local_id"],
            place=place or None,
            points_printed=points,
            first_name=text["first_name"],
            last_name=text["last_name"],
            federation=text["country"],
            federation_code=code,
            born=born,
            born_year=born.year if born else None,
            sex=sex,
            line=number,
            columns=MappingProxyType(columns),
        )

    def number_in(
        self,
        text: str,
        *,
        line: int,
        column: int,
        name: str,
        code: str,
        digits: int,
        least: int = 0,
    ) -> int | None:
        value = read_number(text, digits=digits)
        if value is not None and value >= least:
            return value
        self.findings.add(
            code if text or least else f"{code}.missing", line=line, column=column, field=name, found=text
        )
        return None

    # Results

    @property
    def players_with_unknown_totals(self) -> frozenset[int]:
        """Numbers of the players with results that were not used: all players past the limit."""
        if "limit-games" in self.reported_limits:
            return frozenset(player.number for player in self.players) | self.undecided
        return frozenset(self.undecided)

    def read_result(self, number: int, line: str, fields: list[tuple[str, int]]) -> None:
        """Read the text of each of RESULT_FIELDS, given with its column."""
        if len(self.games) >= MAX_GAMES:
            self.add_limit_finding(number, line, "limit-games", MAX_GAMES)
            return
        (round_text, round_column), (white_text, white_column), (black_text, black_column), _ = fields
        round_number = read_number(round_text, digits=_ROUND_DIGITS)
        if round_number is None or round_number == 0:
            self.findings.add(
                "round-unreadable",
                line=number,
                column=round_column,
                field="round",
                found=round_text,
                limit=MAX_ROUNDS,
            )
            round_number = None
        elif round_number > MAX_ROUNDS:
            if "limit-rounds" not in self.reported_limits:
                self.reported_limits.add("limit-rounds")
                self.findings.add(
                    "limit-rounds",
                    line=number,
                    column=round_column,
                    field="round",
                    found=round_text,
                    limit=MAX_ROUNDS,
                )
            round_number = None
        white = self.opponent_in(white_text, number, white_column, "white")
        black = self.opponent_in(black_text, number, black_column, "black")
        outcome = self.result_in(*fields[3], number, tuple(known for known in (white, black) if known))
        if round_number is None or white is None or black is None or outcome is None:
            self.undecided.update(known for known in (white, black) if known)
            self.unread.append(unread_line(number, line, "result-unreadable"))
            return
        white_points, black_points, played = outcome
        if PAUSE in (white, black):
            if not self.is_valid_pause(number, white, black, fields):
                self.undecided.update(known for known in (white, black) if known)
                self.unread.append(unread_line(number, line, "pause-unreadable"))
                return
            white_points = PAUSE_POINTS if white else 0
            black_points = PAUSE_POINTS if black else 0
            played = False
        self.games.append(
            ReportedGame(
                round=round_number,
                white=white,
                black=black,
                white_points=white_points,
                black_points=black_points,
                played=played,
                lines=(number,),
                columns=(fields[0][1], white_column, black_column, fields[3][1]),
            )
        )

    def opponent_in(self, text: str, line: int, column: int, name: str) -> int | None:
        number = read_number(text, digits=NUMBER_DIGITS)
        if number is None:
            self.findings.add("number-unreadable.opponent", line=line, column=column, field=name, found=text)
        return number

    def result_in(
        self, text: str, column: int, line: int, players: tuple[int, ...]
    ) -> tuple[int, int, bool] | None:
        result = text.lower()
        if result in RESULTS:
            return int(result[0]), int(result[2]), result[1] == "-"
        self.findings.add(
            "result-unknown", line=line, column=column, field="result", found=text, about=players
        )
        return None

    def is_valid_pause(self, line: int, white: int, black: int, fields: list[tuple[str, int]]) -> bool:
        if white == black:
            self.findings.add("pause-without-player", line=line, column=fields[1][1], field="white")
            return False
        result = fields[3][0].lower()
        if result in (("2-0", "2x0") if white else ("0-2", "0x2")):
            return True
        self.findings.add(
            "pause-result",
            line=line,
            column=fields[3][1],
            field="result",
            found=fields[3][0],
            result="2-0" if white else "0-2",
            about=(white or black,),
        )
        return False

    def add_limit_finding(self, number: int, line: str, code: str, limit: int) -> None:
        if code not in self.reported_limits:
            self.reported_limits.add(code)
            self.findings.add(code, line=number, column=text_column(line), limit=limit, about=())
        self.unread.append(unread_line(number, line, "over-limit"))
