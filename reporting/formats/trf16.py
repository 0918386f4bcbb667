"""The Tournament Report File of FIDE, version 2016 (TRF16): reader of what programs made for chess export.

Each line begins with three signs that say what it is: ``001`` is a player with his results, ``012`` to
``132`` are the competition. Lines 001 and 132 are read by columns, counted in characters from 1:

- 001: number 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56, FIDE number 58-68, birth
  70-79, points 81-84, place 86-89; from 92 on ten columns a round: opponent's number 4, colour, result.
- 132: the day of round 1 in 92-99, of round 2 in 102-109, and so on.

The other columns are empty; a letter there shows that the line is shifted, and it is not used. FIDE's numbers
are no FMJD-IDs: they are kept as local IDs and match nobody. Results are letters (``1`` won, ``=`` drawn) and
need no scale; the points column does, and how it counts is settled by ``_Reading.settle_points``. Results
without a game (forfeits, byes, games of less than one move) are read by R8 and R20; what the model cannot
hold, such as half a point without a game, is a finding that asks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType

from reporting.formats.fields import number_advice, read_country, read_name, read_number, read_title
from reporting.formats.values import (
    FIRST_DAY,
    LAST_DAY,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PAUSE,
    POINTS_OF_A_PAUSE,
    PointsScale,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)
from reporting.rules.findings import FindingList, in_file_order, shown
from reporting.rules.time_control import TimeControlError, parse_time_control

FORMAT = "trf16"

_FIELDS = {
    "number": (5, 8),
    "sex": (10, 10),
    "title": (11, 13),
    "name": (15, 47),
    "rating": (49, 52),
    "country": (54, 56),
    "local_id": (58, 68),
    "born": (70, 79),
    "points": (81, 84),
    "place": (86, 89),
}
"""First and last column of each field of a line 001."""

_EMPTY_COLUMNS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
_FIRST_ROUND, _ROUND_WIDTH = 92, 10
_OPPONENT, _COLOUR, _RESULT = slice(0, 4), slice(5, 6), slice(7, 8)
_EMPTY_IN_ROUND = (4, 6, 8, 9)
_AFTER_LAST_ROUND = _FIRST_ROUND + _ROUND_WIDTH * MOST_ROUNDS

_COMPETITION = {
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
}
_NOT_READ = {
    "013": "team",
    "072": "number of rated players",
    "082": "number of teams",
    "112": "deputy arbiter",
    "###": "comment",
}
_MARK = re.compile(r"[0-9A-Za-z]{3}|###")

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

_RATING = re.compile(r"[0-9]{1,4}")
_HALVES = re.compile(r"([0-9]{1,3})(?:\.([05]))?")
_DAY = re.compile(r"([0-9]{4})/([0-9]{2})/([0-9]{2})")
_YEAR = re.compile(r"([0-9]{4})(?:/00/00)?")
_ROUND_DAY = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{2})")
_CENTURY = 2000
"""The days of the rounds have years of two figures; the form is younger than the century."""

_NUMBER_DIGITS = 4

_FULL_BYES, _HALF_BYE = frozenset("FU"), "H"
_BYES = _FULL_BYES | {_HALF_BYE, "Z", "-", ""}
"""What may stand without an opponent; all but the first two kinds give no points."""

_OUTCOMES = {
    ("1", "0"): (2, 0, True),
    ("=", "="): (1, 1, True),
    ("0", "1"): (0, 2, True),
    ("+", "-"): (2, 0, False),
    ("-", "+"): (0, 2, False),
    ("-", "-"): (0, 0, False),
    ("W", "L"): (2, 0, False),
    ("D", "D"): (1, 1, False),
    ("L", "W"): (0, 2, False),
    ("L", "L"): (0, 0, False),
}
"""The results of two cells: points of the first and of the second in 2-1-0, and whether a game was played."""

_WITH_OPPONENT = frozenset(result for pair in _OUTCOMES for result in pair)
_UNRATED = frozenset("WDL")

_CELLS = "Annex 9 art. 4.1, 11; R8, R20"
_LINES = "Annex 9 art. 4.1; R20"
_NOTES = "Annex 9 art. 4.1; R21"


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether any line is a player or the name of a competition as TRF16 writes them."""
    return any(line.startswith(("001 ", "012 ")) for line in lines)


def read_trf16(
    lines: tuple[str, ...], *, points: PointsScale = PointsScale.FMJD, encoding: str = "utf-8"
) -> ReadReport:
    """Read a TRF16 report from its lines (without line ends).

    ``points`` is what the person says a game gives in the points column; points are returned in 2-1-0. Never
    raises: every fault is a finding with line and column, and every line or value that was not used is listed
    in ``unread``. A points column that counts otherwise than said gives one error, and no player's points.
    """
    reading = _Reading(lines)
    reading.read(points)
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        info=reading.info(),
        players=tuple(reading.players),
        games=tuple(sorted(reading.games, key=lambda game: (game.round, game.line, game.column))),
        unread=tuple(sorted(reading.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.undecided),
    )


@dataclass(frozen=True)
class _Cell:
    """What a player's line says of a round; ``column`` is where its text begins, ``begins`` its first column."""

    number: int
    round: int
    line: int
    column: int
    begins: int
    text: str
    opponent: int
    colour: str
    result: str


@dataclass
class _Reading:
    """One pass over the lines, then one over the cells, then one over the points."""

    lines: tuple[str, ...]
    findings: FindingList = field(default_factory=FindingList)
    players: list[ReportedPlayer] = field(default_factory=list)
    games: list[ReportedGame] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    days: dict[str, date] = field(default_factory=dict)
    days_of_rounds: tuple[date, ...] = ()
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines_of_marks: dict[str, int] = field(default_factory=dict)
    player_lines: int = 0
    by_number: dict[int, ReportedPlayer] = field(default_factory=dict)
    repeated: set[int] = field(default_factory=set)
    line_without_number: bool = False
    numbers_unread: set[int] = field(default_factory=set)
    """Numbers whose line is shifted: their own results are not known."""
    cells: dict[tuple[int, int], _Cell] = field(default_factory=dict)
    cells_unread: set[tuple[int, int]] = field(default_factory=set)
    halves: dict[int, int] = field(default_factory=dict)
    """Printed points in halves by the line of the player."""

    def read(self, points: PointsScale) -> None:
        for number, line in enumerate(self.lines, start=1):
            if line.strip():
                self.read_line(number, line)
        self.check_player_count()
        self.read_games()
        self.settle_points(points)

    def read_line(self, number: int, line: str) -> None:
        mark, after = line[:3], line[3:4]
        if mark == "001":
            self.read_player(number, line)
        elif not _MARK.fullmatch(mark) or after.strip():
            self.findings.warning(
                "key-unknown",
                "The line does not begin as a line of TRF16, so it was not used.",
                line=number,
                column=1,
                found=line,
                expected="three signs such as 001 or 012, then a space",
                suggestion="If a long line was broken in two, join it again.",
                article=_NOTES,
            )
            self.leave(number, line, "no line of TRF16")
        elif mark in _COMPETITION:
            self.read_competition(number, line, mark)
        else:
            extension = (
                "extension of a pairing program" if mark[:2] in ("XX", "BB") else "not used in a report"
            )
            self.leave(number, line, f"line {mark}: {_NOT_READ.get(mark, extension)}")

    def leave(self, number: int, line: str, reason: str, column: int | None = None) -> None:
        self.unread.append(UnreadText(number, column or _start(line), shown(line.strip()), reason))

    # The competition

    def info(self) -> ReportedInfo:
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
            rounds=self.days_of_rounds,
            positions=MappingProxyType(self.positions),
        )

    def read_competition(self, number: int, line: str, mark: str) -> None:
        before = self.lines_of_marks.setdefault(mark, number)
        if before != number:
            self.findings.error(
                "key-repeated",
                f"A line {mark} stood on line {before} already; only the first is used.",
                line=number,
                column=1,
                field=_COMPETITION[mark],
                found=line,
                expected=f"one line {mark}",
                suggestion="Delete one of the two lines, or report each competition in a file of its own.",
                article=_LINES,
            )
            self.leave(number, line, f"repeated line {mark}")
            return
        name, value, column = _COMPETITION[mark], line[4:].strip(), 4 + _start(line[4:])
        if not value:
            return
        if name in ("played_from", "played_to"):
            day = self.day_in(value, number, column, name)
            if day:
                self.days[name] = day
        elif name == "rounds":
            self.read_days_of_rounds(number, line)
        elif name == "players":
            self.texts[name] = value
            self.positions[name] = (number, column)
        elif name == "system":
            system = _SYSTEMS.get(" ".join(value.casefold().replace("-", " ").split()))
            if system:
                self.texts[name] = system
                self.positions[name] = (number, column)
            else:
                self.leave(number, value, "line 092: not a known type; give system in the form", column)
        elif name == "time_control":
            self.read_time_control(number, column, value)
        else:
            self.texts[name] = value
            self.positions[name] = (number, column)
            if name == "country":
                code = read_country(value, self.findings, line=number, column=column, field=name)
                self.texts["country_code"] = code

    def day_in(self, text: str, line: int, column: int, name: str) -> date | None:
        """Return a day written YYYY/MM/DD; one written otherwise is not used, so the form can give it."""
        written = _DAY.fullmatch(text)
        if written is None:
            self.findings.warning(
                "date-unreadable",
                "The date is not written as TRF16 asks, so it was not used.",
                line=line,
                column=column,
                field=name,
                found=text,
                expected="YYYY/MM/DD, for example 2026/11/06",
                suggestion=f"Write the date so, or give {name} in the form.",
                article=_NOTES,
            )
            self.leave(line, text, "date that cannot be read", column)
            return None
        self.positions[name] = (line, column)
        year, month, day = (int(part) for part in written.groups())
        return self.possible_day((year, month, day), text, line=line, column=column, name=name)

    def possible_day(
        self, parts: tuple[int, int, int], text: str, *, line: int, column: int, name: str
    ) -> date | None:
        """Return the day of year, month and day; None, and a finding, where there is none."""
        try:
            possible = date(*parts)
        except ValueError:
            possible = date.min
        if FIRST_DAY <= possible <= LAST_DAY:
            return possible
        self.findings.error(
            "date-unknown",
            "This day does not exist, or no competition and no birth is of this year.",
            line=line,
            column=column,
            field=name,
            found=text,
            expected=f"a day of the calendar from {FIRST_DAY} to {LAST_DAY}",
            suggestion="Look the day up and write the date again.",
            article=_LINES,
        )
        return None

    def read_time_control(self, line: int, column: int, text: str) -> None:
        try:
            control = parse_time_control(text)
        except TimeControlError:
            reason = "line 122: not a time control as the form asks (80+30); give time_control there"
            self.leave(line, text, reason, column)
            return
        self.texts["time_control"] = str(control)
        self.positions["time_control"] = (line, column)

    def read_days_of_rounds(self, number: int, line: str) -> None:
        """Use the days only if all can be read: a list with a hole would give later rounds a wrong day."""
        before = line[3 : _FIRST_ROUND - 1]
        if before.strip():
            self.days_unreadable(number, line, 3 + _start(before), before.strip())
            return
        days: list[date] = []
        for begins in range(_FIRST_ROUND, len(line.rstrip()) + 1, _ROUND_WIDTH):
            text = line[begins - 1 : begins - 1 + _ROUND_WIDTH].rstrip()
            written = _ROUND_DAY.fullmatch(text)
            if written is None:
                self.days_unreadable(number, line, begins, text.strip() or "nothing")
                return
            year, month, day = (int(part) for part in written.groups())
            possible = self.possible_day(
                (_CENTURY + year, month, day), text, line=number, column=begins, name="rounds"
            )
            if possible is None:
                self.leave(number, line, "line 132: a day that does not exist")
                return
            days.append(possible)
        if len(days) > MOST_ROUNDS:
            self.leave(number, line, f"line 132: more days than {MOST_ROUNDS} rounds")
            return
        self.days_of_rounds = tuple(days)
        self.positions["rounds"] = (number, _FIRST_ROUND)

    def days_unreadable(self, number: int, line: str, column: int, found: str) -> None:
        self.findings.warning(
            "date-unreadable",
            "The days of the rounds are not written as TRF16 asks, so none was used.",
            line=number,
            column=column,
            field="rounds",
            found=found,
            expected="YY/MM/DD from column 92 on, every ten columns",
            suggestion="Write the days so, or give rounds in the form.",
            article=_NOTES,
        )
        self.leave(number, line, "line 132: days that cannot be read")

    def check_player_count(self) -> None:
        """Hold line 062 against the lines 001: it is the control that no player was lost."""
        said = self.texts.get("players", "")
        if not said:
            return
        line, column = self.positions["players"]
        if read_number(said, digits=_NUMBER_DIGITS) is None:
            self.leave(line, said, "line 062: not a number", column)
        elif int(said) != self.player_lines:
            self.findings.warning(
                "player-count-differs",
                "The file says another number of players than it has.",
                line=line,
                column=column,
                field="players",
                found=said,
                expected=f"{self.player_lines}, the number of lines 001",
                suggestion="Look whether players were lost when the file was saved.",
            )

    # Players

    def read_player(self, number: int, line: str) -> None:
        self.player_lines += 1
        if self.player_lines > MOST_PLAYERS:
            if self.player_lines == MOST_PLAYERS + 1:
                self.findings.error(
                    "limit-players",
                    "The report is larger than what is read; the players from here on were not used.",
                    line=number,
                    column=1,
                    found="more lines",
                    expected=f"at most {MOST_PLAYERS:,} players",
                    suggestion="Report the competition in parts.",
                )
            self.leave(number, line, f"over {MOST_PLAYERS:,} players")
            return
        shifted = _column_not_empty(line)
        text: dict[str, str] = {}
        columns: dict[str, int] = {}
        for name, (first, last) in _FIELDS.items():
            part = line[first - 1 : last]
            text[name] = part.strip()
            columns[name] = first + (_start(part) - 1 if text[name] else 0)
        start_number = read_number(text["number"], digits=_NUMBER_DIGITS) or None
        if shifted:
            self.findings.error(
                "columns-shifted",
                "Something stands in a column that the form leaves empty: the line is shifted and was not used.",
                line=number,
                column=shifted,
                found=line[shifted - 1],
                expected="a space; columns are counted in characters",
                suggestion="Export the file again; in an editor use a type of even width and no tabs.",
            )
        elif start_number is None:
            self.findings.error(
                "number-unreadable" if text["number"] else "number-missing",
                "The starting number is not a number from 1."
                if text["number"]
                else "The player has no starting number.",
                line=number,
                column=columns["number"],
                field="number",
                found=text["number"] or "nothing",
                expected="a number from 1 in columns 5 to 8",
                suggestion=number_advice(),
                article=_LINES,
            )
        if shifted or start_number is None:
            if start_number is None or shifted <= _FIELDS["number"][1] + 1:
                self.line_without_number = True
            else:
                self.numbers_unread.add(start_number)
            self.leave(number, line, "player who cannot be read")
            return
        self.keep_player(start_number, number, text, columns)
        self.read_cells(start_number, number, line)

    def keep_player(
        self, start_number: int, line: int, text: dict[str, str], columns: dict[str, int]
    ) -> None:
        first, last = read_name(text["name"], self.findings, line=line, column=columns["name"])
        born, born_year = self.born_in(text["born"], line, columns["born"])
        code = read_country(
            text["country"],
            self.findings,
            line=line,
            column=columns["country"],
            field="country",
            article="Annex 9 art. 4.2.2.6; R20",
        )
        player = ReportedPlayer(
            number=start_number,
            name=text["name"],
            local_id=text["local_id"] if text["local_id"].strip("0") else "",
            place=self.place_in(text["place"], line, columns["place"]),
            first_name=first,
            last_name=last,
            title=read_title(text["title"], self.findings, self.unread, line=line, column=columns["title"]),
            federation=text["country"],
            federation_code=code,
            born=born,
            born_year=born_year,
            sex=self.sex_in(text["sex"], line, columns["sex"]),
            rating_printed=self.rating_in(text["rating"], line, columns["rating"]),
            line=line,
            columns=MappingProxyType(columns),
        )
        self.read_points(text["points"], line, columns["points"])
        self.players.append(player)
        if self.by_number.setdefault(start_number, player) is not player:
            self.repeated.add(start_number)

    def sex_in(self, text: str, line: int, column: int) -> str:
        sex = text.upper()
        if sex in ("", "M", "W"):
            return sex
        self.findings.error(
            "sex-unknown",
            "The sex is neither w nor m.",
            line=line,
            column=column,
            field="sex",
            found=text,
            expected="w for a woman, m for a man, or a space",
            suggestion="Write w." if sex == "F" else "Write w or m.",
            article=_LINES,
        )
        return ""

    def rating_in(self, text: str, line: int, column: int) -> int | None:
        if not text or _RATING.fullmatch(text):
            return int(text or 0) or None
        self.findings.warning(
            "rating-unreadable",
            "The rating was not used.",
            line=line,
            column=column,
            field="rating",
            found=text,
            expected="a number of up to four figures",
            suggestion="Nothing to do: the rating is taken from the list in force.",
        )
        self.leave(line, text, "unknown rating", column)
        return None

    def born_in(self, text: str, line: int, column: int) -> tuple[date | None, int | None]:
        """Return day and year of birth; ``1980`` and ``1980/00/00`` give the year only."""
        if not text.replace("/", "").strip("0"):
            return None, None
        only_year = _YEAR.fullmatch(text)
        if only_year and FIRST_DAY.year <= int(only_year.group(1)) <= LAST_DAY.year:
            return None, int(only_year.group(1))
        written = _DAY.fullmatch(text)
        if written or only_year:
            year, month, day = (int(part) for part in (written.groups() if written else (text[:4], 1, 1)))
            born = self.possible_day((year, month, day), text, line=line, column=column, name="born")
            return born, born.year if born else None
        self.findings.error(
            "date-unreadable",
            "The date of birth is not written as TRF16 asks.",
            line=line,
            column=column,
            field="born",
            found=text,
            expected="YYYY/MM/DD, or YYYY/00/00 where only the year is known",
            suggestion="Write year, month and day with four, two and two figures.",
            article=_LINES,
        )
        return None, None

    def place_in(self, text: str, line: int, column: int) -> int | None:
        place = read_number(text or "0", digits=_NUMBER_DIGITS)
        if place is None:
            self.findings.error(
                "place-unreadable",
                "The place is not a number that can be read.",
                line=line,
                column=column,
                field="place",
                found=text,
                expected="a number from 1, or nothing",
                suggestion=number_advice(),
                article=_LINES,
            )
        return place or None

    def read_points(self, text: str, line: int, column: int) -> None:
        written = _HALVES.fullmatch(text)
        if written:
            self.halves[line] = 2 * int(written.group(1)) + (written.group(2) == "5")
        else:
            self.points_unreadable(text, line, column)

    def points_unreadable(self, text: str, line: int, column: int) -> None:
        self.findings.error(
            "points-unreadable" if text else "points-missing",
            "The points cannot be read." if text else "The player has no points.",
            line=line,
            column=column,
            field="points",
            found=text or "nothing",
            expected="a number such as 11.0, the sum of his results",
            suggestion="The points are obligatory, also 0.0; they are the control of the results.",
            article=_LINES,
        )

    # Cells

    def read_cells(self, number: int, line_number: int, line: str) -> None:
        if line[_AFTER_LAST_ROUND - 1 :].strip():
            self.findings.error(
                "limit-rounds",
                "A report has no more rounds than this.",
                line=line_number,
                column=_AFTER_LAST_ROUND,
                found="more rounds",
                expected=f"at most {MOST_ROUNDS} rounds",
                suggestion="Report the competition in two parts.",
            )
            self.undecided.add(number)
            self.leave(line_number, line[_AFTER_LAST_ROUND - 1 :], "over the limit", _AFTER_LAST_ROUND)
        for turn in range(MOST_ROUNDS):
            begins = _FIRST_ROUND + turn * _ROUND_WIDTH
            part = line[begins - 1 : begins - 1 + _ROUND_WIDTH]
            if not part:
                return
            text = part.strip()
            if not text:
                continue  # the same as a bye without points
            cell = _Cell(
                number=number,
                round=turn + 1,
                line=line_number,
                column=begins + _start(part) - 1,
                begins=begins,
                text=text,
                opponent=read_number(part[_OPPONENT].strip() or "0", digits=_NUMBER_DIGITS) or PAUSE,
                colour=part[_COLOUR].lower().strip(" -"),
                result=part[_RESULT].upper().strip(),
            )
            fault = _fault(cell, part[_OPPONENT].strip())
            if fault:
                offset, message, expected = fault
                self.findings.error(
                    "cell-unreadable",
                    message,
                    line=line_number,
                    column=begins + offset,
                    field=f"r{turn + 1}",
                    found=text,
                    expected=expected,
                    suggestion="Write the result of this round again.",
                    article=_CELLS,
                )
                self.leave_cells("cell that cannot be read", cell)
            elif number in self.repeated:
                self.leave_cells("number used twice", cell)
            else:
                self.cells[number, turn + 1] = cell

    def leave_cells(self, why: str, *cells: _Cell) -> None:
        for cell in cells:
            self.undecided.add(cell.number)
            self.cells_unread.add((cell.number, cell.round))
            self.unread.append(UnreadText(cell.line, cell.column, shown(cell.text), f"R{cell.round}: {why}"))

    # Games

    def read_games(self) -> None:
        for cell in self.cells.values():
            other = self.cells.get((cell.opponent, cell.round))
            if cell.opponent == PAUSE:
                self.read_bye(cell)
            elif cell.opponent == cell.number:
                self.findings.error(
                    "self-play",
                    "A player cannot play against himself.",
                    line=cell.line,
                    column=cell.column,
                    field=f"r{cell.round}",
                    found=cell.text,
                    expected="the number of another player",
                    suggestion="Correct the number of the opponent.",
                    article=_CELLS,
                )
                self.leave_cells("against himself", cell)
            elif other is None or {cell.number, cell.opponent} & self.repeated:
                self.without_other(cell)
            elif other.opponent == cell.number and other.line < cell.line:
                continue  # read with the cell of the upper line
            else:
                self.read_pair(cell, other)

    def read_bye(self, cell: _Cell) -> None:
        """A full bye and one by the pairing are a pause, one without points is no game, half a one asks."""
        if cell.result in _FULL_BYES:
            self.games.append(
                ReportedGame(
                    round=cell.round,
                    white=cell.number,
                    black=PAUSE,
                    white_points=POINTS_OF_A_PAUSE,
                    black_points=0,
                    played=False,
                    lines=(cell.line,),
                    columns=(cell.column,),
                )
            )
        elif cell.result == _HALF_BYE:
            self.findings.error(
                "half-point-bye",
                "A bye of half a point: a pause gives 2 points and a round not played none; "
                "there is nothing between them.",
                line=cell.line,
                column=cell.begins + _RESULT.start,
                field=f"r{cell.round}",
                found=cell.text,
                expected="U or F for a pause, Z for a round not played",
                suggestion="Ask the rating officer, write one of the two and correct the points of the player.",
            )
            self.leave_cells("bye of half a point", cell)

    def without_other(self, cell: _Cell) -> None:
        known = cell.opponent in self.by_number
        told = (
            (cell.opponent, cell.round) in self.cells_unread
            or cell.opponent in self.numbers_unread
            or {cell.number, cell.opponent} & self.repeated
            or (not known and self.line_without_number)
        )
        if known and not told:
            line = self.by_number[cell.opponent].line
            self.disagree(cell, line, cell.begins, "an empty cell", f"{cell.number} in the other cell")
        elif not told:
            self.findings.error(
                "opponent-unknown",
                "The cell names a number that no player has.",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                found=cell.text,
                expected="the starting number of a player, columns 5 to 8 of his line",
                suggestion="Correct the number, or add the line of the player.",
                article=_CELLS,
            )
        self.leave_cells("opponent's cell not read", cell)

    def read_pair(self, cell: _Cell, other: _Cell) -> None:
        if other.opponent != cell.number:
            expected = f"{cell.number} in the cell of number {other.number}, round {cell.round}"
            self.disagree(cell, other.line, other.column, other.text, expected)
            self.leave_cells("the other cell names another opponent", cell)
            return
        if cell.colour and cell.colour == other.colour:
            expected = f"{'b' if cell.colour == 'w' else 'w'} there"
            self.disagree(cell, other.line, other.column, other.text, expected)
            self.leave_cells("both cells show the same colour", cell, other)
            return
        outcome = _OUTCOMES.get((cell.result, other.result))
        if outcome is None:
            answers = [answer for result, answer in _OUTCOMES if result == cell.result]
            self.disagree(cell, other.line, other.column, other.text, f"{' or '.join(answers)} there")
            self.leave_cells("the two results contradict each other", cell, other)
            return
        if cell.result in _UNRATED:
            self.not_rated(cell, other)
        mine, his, played = outcome
        white, black = (cell, mine), (other, his)
        if cell.colour == "b" or other.colour == "w":
            white, black = black, white
        self.games.append(
            ReportedGame(
                round=cell.round,
                white=white[0].number,
                black=black[0].number,
                white_points=white[1],
                black_points=black[1],
                played=played,
                colours_known=bool(cell.colour or other.colour),
                lines=(cell.line, other.line),
                columns=(cell.column, other.column),
            )
        )

    def disagree(self, cell: _Cell, line: int, column: int, text: str, expected: str) -> None:
        self.findings.error(
            "cells-disagree",
            f"The two cells of this game contradict each other; the other one is on line {line}, "
            f"column {column}.",
            line=cell.line,
            column=cell.column,
            field=f"r{cell.round}",
            found=f"{cell.text} here, {text} there",
            expected=expected,
            suggestion="Look the game up on the score sheet and correct one of the two cells.",
            article=_CELLS,
        )

    def not_rated(self, cell: _Cell, other: _Cell) -> None:
        self.findings.warning(
            "game-not-rated",
            "By its letters this game had less than one move, so it is read as a decision without a game "
            f"and counts for nobody; the other cell is on line {other.line}, column {other.column}.",
            line=cell.line,
            column=cell.begins + _RESULT.start,
            field=f"r{cell.round}",
            found=f"{cell.result} here, {other.result} there",
            expected="1, = or 0 for a game that was played",
            suggestion="If it was played, write 1, = or 0 in both cells; if not, say so.",
        )

    # Points

    def settle_points(self, chosen: PointsScale) -> None:
        """Give each player his points in 2-1-0, if the column counts as the person says it does.

        Half points, or more totals that are right in the other scale than in the chosen one, show that it
        does not: then one error says what to choose and no points are used.
        """
        summed = ReadReport(FORMAT, "", players=tuple(self.players), games=tuple(self.games)).points_summed
        right: defaultdict[PointsScale, set[int]] = defaultdict(set)
        decided = [
            player
            for player in self.players
            if player.line in self.halves and player.number not in self.undecided | self.repeated
        ]
        for player in decided:
            for scale in PointsScale:
                if self.halves[player.line] == summed[player.number] * _HALVES_A_POINT[scale]:
                    right[scale].add(player.line)
        other = PointsScale.HALVES if chosen is PointsScale.FMJD else PointsScale.FMJD
        uneven = [
            player
            for player in self.players
            if player.line in self.halves and self.halves[player.line] % _HALVES_A_POINT[chosen]
        ]
        fits, fits_other = len(right[chosen]), len(right[other])
        if fits_other > fits or (uneven and fits_other >= fits):
            wrong = [player for player in decided if player.line not in right[chosen]]
            self.another_scale((uneven or wrong)[0], chosen, other)
            return
        for player in uneven:
            self.points_unreadable(
                _as_printed(self.halves.pop(player.line)), player.line, player.column("points")
            )
        self.players = [
            replace(player, points_printed=self.halves[player.line] // _HALVES_A_POINT[chosen])
            if player.line in self.halves
            else player
            for player in self.players
        ]

    def another_scale(self, player: ReportedPlayer, chosen: PointsScale, other: PointsScale) -> None:
        self.findings.error(
            "points-scale-differs",
            f"The points column does not count {chosen} for a game won, drawn and lost; "
            f"its points were not used.",
            line=player.line,
            column=player.column("points"),
            field="points",
            found=_as_printed(self.halves[player.line]),
            expected=f"points that are the sum of the results in {chosen}",
            suggestion=f'If the program counts {other}, choose points = "{other}" in the form beside the file; '
            "if not, correct the points.",
        )


_HALVES_A_POINT = {PointsScale.FMJD: 2, PointsScale.HALVES: 1}
"""Printed halves for each point of 2-1-0."""


def _as_printed(halves: int) -> str:
    return f"{halves // 2}.{5 * (halves % 2)}"


def _fault(cell: _Cell, opponent: str) -> tuple[int, str, str] | None:
    """Return offset, message and what is expected for a cell that says nothing, None for one that does."""
    number = read_number(opponent or "0", digits=_NUMBER_DIGITS)
    if number is None:
        fault = 0, "The opponent is not a number that can be read.", "a starting number, or 0000 for nobody"
    elif cell.colour not in ("w", "b", ""):
        fault = _COLOUR.start, "The colour is not one.", "w or b, or - for a round without game"
    elif cell.result not in _WITH_OPPONENT | _BYES:
        fault = _RESULT.start, "TRF16 does not have this result.", "one of 1 = 0 + - W D L H F U Z"
    elif number == PAUSE and cell.colour:
        fault = _COLOUR.start, "A colour without an opponent.", "- for a round without game"
    elif number == PAUSE and cell.result not in _BYES:
        fault = _RESULT.start, "A result without an opponent.", "F U H or Z without an opponent"
    elif number != PAUSE and cell.result not in _WITH_OPPONENT:
        message = "A bye with an opponent." if cell.result else "The game has no result."
        fault = _RESULT.start, message, "one of 1 = 0 + - W D L against an opponent"
    else:
        return None
    return fault


def _column_not_empty(line: str) -> int:
    """Return the first column that should be empty and is not, 0 where all are as they should be."""
    if "\t" in line:
        return line.index("\t") + 1
    for column in _EMPTY_COLUMNS:
        if line[column - 1 : column].strip():
            return column
    last = min(len(line), _AFTER_LAST_ROUND - 1)
    for begins in range(_FIRST_ROUND - 1, last, _ROUND_WIDTH):
        for offset in _EMPTY_IN_ROUND:
            if line[begins + offset : begins + offset + 1].strip():
                return begins + offset + 1
    return 0


def _start(line: str) -> int:
    return len(line) - len(line.lstrip()) + 1
