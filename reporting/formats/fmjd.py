"""The FMJD official format for tournament data (Annex 9 art. 11): reader and writer.

Three sections in this order, Info, players and results. Keys, tags and words of a list (SWISS, Y, M, 2x0)
are read without regard to case, keys and tags also without regard to spaces; all else stands as printed. One
pass over the lines gives every finding of the form at once (R20, R22). What depends on several lines together
is found by ``reporting.rules.checks``.

What the article leaves open is read so:

- Blank lines are allowed anywhere.
- A tournament number and a place may have four figures, since 2,000 players are admitted.
- A pause is a game with number 0; its player gets 2 points whichever colour is written (R20).
- A remark may run over several lines, up to its end tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from reporting.formats.fields import number_advice, read_country, read_date, read_number, write_date
from reporting.formats.values import (
    FIRST_DAY,
    LAST_DAY,
    MOST_GAMES,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PAUSE,
    POINTS_OF_A_PAUSE,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)
from reporting.rules.findings import FindingList, in_file_order, shown

FORMAT = "fmjd"

SECTIONS = ("info", "players", "results")
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

FMJD_ID_DIGITS = 5
NUMBER_DIGITS = 4
PLACE_DIGITS = 4
POINTS_DIGITS = 3
ROUND_DIGITS = 2

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
"""The keys of the Info section without their spaces, and the field of ``ReportedInfo`` each fills."""

_KEYS_AS_PRINTED = (
    "name, played from, played to, type, national championship, women championship, name of referee, place, "
    "country, remarks, winner"
)
_SPACE = re.compile(r"\s+")
_REMARK_TAG = re.compile(r"<\s*remark\s*>", re.IGNORECASE)
_REMARK_END_TAG = re.compile(r"<\s*/\s*end\s*remark\s*>", re.IGNORECASE)


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether any line is a section tag of art. 11."""
    return any(_tag_of(line).startswith(("<section", "</end")) for line in lines)


def read_fmjd(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a report in the format of Annex 9 art. 11 from its lines (without line ends).

    Never raises: every fault is a finding with line and column, and each line that could not be used is
    listed in ``unread``. A value that could not be read is left empty, never replaced by another one.
    """
    reading = FieldsReading(lines)
    reading.read()
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        info=reading.info(),
        players=tuple(reading.players),
        games=tuple(reading.games),
        unread=tuple(reading.unread),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.undecided),
    )


def _tag_of(line: str) -> str:
    """Return a line's tag without spaces and case, empty when the line is none."""
    stripped = line.strip()
    return _SPACE.sub("", stripped).casefold() if stripped.startswith("<") else ""


@dataclass
class FieldsReading:
    """One pass over the lines of a file, or over rows whose fields are apart already.

    Each method adds to players, games, texts, findings or ``unread``; none raises.
    """

    lines: tuple[str, ...]
    findings: FindingList = field(default_factory=FindingList)
    players: list[ReportedPlayer] = field(default_factory=list)
    games: list[ReportedGame] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    dates: dict[str, date] = field(default_factory=dict)
    answers: dict[str, bool] = field(default_factory=dict)
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)
    open_section: str = ""
    sections_seen: list[str] = field(default_factory=list)
    remark_until: int = 0
    limits_told: set[str] = field(default_factory=set)

    def read(self) -> None:
        readers: dict[str, Callable[[int, str], None]] = {
            "info": self.read_info_line,
            "players": self.read_player_line,
            "results": self.read_result_line,
        }
        for number, line in enumerate(self.lines, start=1):
            if number <= self.remark_until or not line.strip():
                continue
            tag = _tag_of(line)
            if tag:
                self.read_tag(number, line, tag)
            elif self.open_section:
                readers[self.open_section](number, line)
            else:
                self.findings.error(
                    "text-outside-section",
                    "This line stands outside the three sections and was not read.",
                    line=number,
                    column=_start(line),
                    found=line.strip(),
                    expected="text only between a section tag and its end tag",
                    suggestion="Move the line into its section, or delete it.",
                )
                self.leave(number, line, "outside the sections")
        self.end_of_file()

    # Sections

    def read_tag(self, number: int, line: str, tag: str) -> None:
        name = tag.removeprefix("<section").removesuffix(">")
        end_of = tag.removeprefix("</end").removesuffix(">")
        if tag == f"<section{name}>" and name in SECTIONS:
            self.section_begins(number, line, name)
        elif tag == f"</end{end_of}>" and end_of in SECTIONS:
            self.section_ends(number, line, end_of)
        else:
            self.findings.error(
                "tag-unknown",
                "The form does not have this tag.",
                line=number,
                column=_start(line),
                found=line.strip(),
                expected="<section Info>, <section players>, <section results> or </end info>, "
                "</end players>, </end results>",
                suggestion="Write the tag as in Annex 9 art. 11.",
            )
            self.leave(number, line, "unknown tag")

    def section_begins(self, number: int, line: str, name: str) -> None:
        if self.open_section:
            self.not_closed(number, _start(line), f"before {line.strip()}")
        if name in self.sections_seen:
            self.findings.error(
                "section-repeated",
                f"The section {name} was there before.",
                line=number,
                column=_start(line),
                field=name,
                found=line.strip(),
                expected="each section once",
                suggestion="Put the lines together in one section.",
            )
        elif any(SECTIONS.index(seen) > SECTIONS.index(name) for seen in self.sections_seen):
            self.findings.error(
                "section-out-of-order",
                "The sections stand in another order.",
                line=number,
                column=_start(line),
                field=name,
                found=f"{name} after {self.sections_seen[-1]}",
                expected="Info, players, results",
                suggestion=f"Move the section {name} to its place.",
            )
        self.sections_seen.append(name)
        self.open_section = name

    def section_ends(self, number: int, line: str, name: str) -> None:
        if self.open_section == name:
            self.open_section = ""
            return
        self.findings.error(
            "section-end-unexpected",
            "A section ends here that is not open.",
            line=number,
            column=_start(line),
            field=name,
            found=line.strip(),
            expected=f"</end {self.open_section}>" if self.open_section else "no end tag here",
            suggestion=f"Look for the line <section {name}>, or delete this one.",
        )
        self.open_section = ""

    def not_closed(self, number: int, column: int, found: str) -> None:
        self.findings.error(
            "section-not-closed",
            f"The section {self.open_section} does not end.",
            line=number,
            column=column,
            field=self.open_section,
            found=f"no end tag {found}",
            expected=f"</end {self.open_section}>",
            suggestion=f"Add the line </end {self.open_section}> after the last line of the section.",
        )

    def end_of_file(self) -> None:
        last = max(len(self.lines), 1)
        end = len(self.lines[-1]) + 1 if self.lines else 1
        if self.open_section:
            self.not_closed(last, end, "up to the end of the file")
        for name in SECTIONS:
            if name not in self.sections_seen:
                self.findings.error(
                    "section-missing",
                    f"The section {name} is missing.",
                    line=last,
                    column=end,
                    field=name,
                    found=f"no line <section {'Info' if name == 'info' else name}>",
                    expected="the sections Info, players and results, in this order",
                    suggestion="Export the tournament again with all three sections.",
                )

    def leave(self, number: int, line: str, reason: str) -> None:
        self.unread.append(UnreadText(number, _start(line), shown(line.strip()), reason))

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

    def read_info_line(self, number: int, line: str) -> None:
        written_key, equals, rest = line.partition("=")
        if not equals:
            self.findings.error(
                "line-unreadable",
                "A line of the Info section has a key, an equals sign and a value.",
                line=number,
                column=_start(line),
                found=line.strip(),
                expected="key = value",
                suggestion="Write the line as in Annex 9 art. 11, or move it into the remarks.",
            )
            self.leave(number, line, "no key")
            return
        name = INFO_KEYS.get(_SPACE.sub("", written_key).casefold())
        if name is None:
            self.findings.warning(
                "key-unknown",
                "The form does not have this key, so the line was not used.",
                line=number,
                column=_start(line),
                found=written_key.strip(),
                expected=_KEYS_AS_PRINTED,
                suggestion="Correct the key, or write the text into the remarks.",
            )
            self.leave(number, line, "unknown key")
            return
        value = rest.strip()
        column = len(written_key) + 2 + len(rest) - len(rest.lstrip()) if value else len(line.rstrip()) + 1
        if name in self.positions:
            self.findings.error(
                "key-repeated",
                f"This key stood on line {self.positions[name][0]} already; only the first is used.",
                line=number,
                column=_start(line),
                field=name,
                found=line.strip(),
                expected="each key once",
                suggestion="Delete one of the two lines.",
            )
            self.leave(number, line, "repeated key")
            return
        self.positions[name] = (number, column)
        if name == "remarks":
            self.read_remark(number, value)
        elif value:
            self.read_info_value(name, value, number, column)

    def read_info_value(self, name: str, value: str, line: int, column: int) -> None:
        if name in ("played_from", "played_to"):
            day = read_date(value, self.findings, line=line, column=column, field=name)
            if day:
                self.dates[name] = day
        elif name in ("national_championship", "women_championship"):
            if value.upper() in ("Y", "N"):
                self.answers[name] = value.upper() == "Y"
            else:
                self.findings.error(
                    "yes-or-no-unknown",
                    "The answer is neither Y nor N.",
                    line=line,
                    column=column,
                    field=name,
                    found=value,
                    expected="Y or N",
                    suggestion="Write Y for yes or N for no.",
                )
        elif name == "system":
            system = SYSTEMS.get(value.upper())
            if system:
                self.texts[name] = system
            else:
                self.findings.error(
                    "type-unknown",
                    "The form does not have this type of competition.",
                    line=line,
                    column=column,
                    field=name,
                    found=value,
                    expected=", ".join(SYSTEMS),
                    suggestion="Write one of these words; OTHER if none fits.",
                )
        else:
            self.texts[name] = value
            if name == "country":
                code = read_country(value, self.findings, line=line, column=column, field=name)
                self.texts["country_code"] = code

    def read_remark(self, number: int, value: str) -> None:
        opening = _REMARK_TAG.match(value)
        if opening is None:
            self.texts["remarks"] = value
            return
        first = value[opening.end() :]
        closing = _REMARK_END_TAG.search(first)
        if closing:
            self.texts["remarks"] = first[: closing.start()].strip()
            if first[closing.end() :].strip():
                self.unread.append(
                    UnreadText(number, 1, shown(first[closing.end() :].strip()), "after the remark")
                )
            return
        texts = [first.strip()]
        for later in range(number, len(self.lines)):
            line = self.lines[later]
            closing = _REMARK_END_TAG.search(line)
            if closing:
                texts.append(line[: closing.start()].strip())
                self.remark_until = later + 1
                self.texts["remarks"] = "\n".join(texts).strip()
                return
            tag = _tag_of(line)
            if tag.startswith(("<section", "</end")):
                break
            texts.append(line.strip())
        self.findings.error(
            "remark-not-closed",
            "The remark does not end.",
            line=number,
            column=self.positions["remarks"][1],
            field="remarks",
            found="<remark> without </end remark>",
            expected="<remark> free text </end remark>",
            suggestion="Add </end remark> after the last word of the remark.",
        )
        self.texts["remarks"] = first.strip()

    # Players

    def read_player_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, PLAYER_FIELDS)
        if fields is not None:
            self.read_player(number, line, fields)

    def read_player(self, number: int, line: str, fields: list[tuple[str, int]]) -> None:
        """Read the text of each of PLAYER_FIELDS, which stands in the column beside it."""
        if len(self.players) >= MOST_PLAYERS:
            self.over_limit(number, line, "limit-players", f"{MOST_PLAYERS:,} players")
            return
        text = dict(zip(PLAYER_FIELDS, (part for part, _ in fields), strict=True))
        columns = dict(zip(PLAYER_FIELDS, (column for _, column in fields), strict=True))
        fmjd_id = self.number_in(
            text["fmjd_id"],
            line=number,
            column=columns["fmjd_id"],
            name="fmjd_id",
            code="fmjd-id-unreadable",
            digits=FMJD_ID_DIGITS,
            what="The FMJD-ID",
        )
        if not text["number"]:
            self.findings.error(
                "number-missing",
                "The player has no tournament number.",
                line=number,
                column=columns["number"],
                field="number",
                found="nothing",
                expected="a number from 1",
                suggestion="Write the number that the results use for this player.",
            )
            tournament_number = None
        else:
            tournament_number = self.number_in(
                text["number"],
                line=number,
                column=columns["number"],
                name="number",
                code="number-unreadable",
                digits=NUMBER_DIGITS,
                what="The tournament number",
                least=1,
            )
        place = self.number_in(
            text["place"],
            line=number,
            column=columns["place"],
            name="place",
            code="place-unreadable",
            digits=PLACE_DIGITS,
            what="The place",
        )
        points = self.points_in(text["points"], number, columns["points"])
        code = read_country(
            text["country"], self.findings, line=number, column=columns["country"], field="country"
        )
        born = None
        if text["born"]:
            born = read_date(text["born"], self.findings, line=number, column=columns["born"], field="born")
        sex = self.sex_in(text["sex"], number, columns["sex"])
        if tournament_number is None:
            self.leave(number, line, "no tournament number")
            return
        self.players.append(
            ReportedPlayer(
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
        what: str,
        least: int = 0,
    ) -> int | None:
        value = read_number(text, digits=digits)
        if value is not None and value >= least:
            return value
        zero = " Write 0 if there is none." if least == 0 else ""
        self.findings.error(
            code,
            f"{what} is not a number that can be read." if text else f"{what} is missing.",
            line=line,
            column=column,
            field=name,
            found=text or "nothing",
            expected=f"a number from {least} to {10**digits - 1}",
            suggestion=number_advice() + zero,
        )
        return None

    def points_in(self, text: str, line: int, column: int) -> int | None:
        points = read_number(text, digits=POINTS_DIGITS)
        if points is not None:
            return points
        missing = not text
        self.findings.error(
            "points-missing" if missing else "points-unreadable",
            "The player has no points." if missing else "The points are not a whole number.",
            line=line,
            column=column,
            field="points",
            found=text or "nothing",
            expected="the sum of his results: 2 a game won and a pause, 1 a game drawn",
            suggestion="Points are obligatory, also 0; they are the control of the results.",
        )
        return None

    def sex_in(self, text: str, line: int, column: int) -> str:
        sex = text.upper()
        if sex in ("", "M", "W"):
            return sex
        self.findings.error(
            "sex-unknown",
            "The sex is neither W nor M.",
            line=line,
            column=column,
            field="sex",
            found=text,
            expected="W for a woman, M for a man, or nothing when there is an FMJD-ID",
            suggestion="Write W." if sex == "F" else "Write W or M.",
        )
        return ""

    # Results

    def read_result_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, RESULT_FIELDS)
        if fields is not None:
            self.read_result(number, line, fields)

    def read_result(self, number: int, line: str, fields: list[tuple[str, int]]) -> None:
        """Read the text of each of RESULT_FIELDS, which stands in the column beside it."""
        if len(self.games) >= MOST_GAMES:
            self.over_limit(number, line, "limit-games", f"{MOST_GAMES:,} games")
            return
        (round_text, round_column), (white_text, white_column), (black_text, black_column), _ = fields
        round_number = read_number(round_text, digits=ROUND_DIGITS)
        if round_number is None or round_number == 0:
            self.findings.error(
                "round-unreadable",
                "The round is not a number from 1.",
                line=number,
                column=round_column,
                field="round",
                found=round_text or "nothing",
                expected=f"a number from 1 to {MOST_ROUNDS}",
                suggestion=number_advice(),
            )
            round_number = None
        elif round_number > MOST_ROUNDS:
            self.findings.error(
                "limit-rounds",
                "A report has no more rounds than this.",
                line=number,
                column=round_column,
                field="round",
                found=round_text,
                expected=f"at most {MOST_ROUNDS} rounds",
                suggestion="Correct the round, or report the competition in two parts.",
            )
            round_number = None
        white = self.opponent_in(white_text, number, white_column, "white")
        black = self.opponent_in(black_text, number, black_column, "black")
        outcome = self.result_in(*fields[3], number)
        if round_number is None or white is None or black is None or outcome is None:
            self.undecided.update(known for known in (white, black) if known)
            self.leave(number, line, "not a result that can be read")
            return
        white_points, black_points, played = outcome
        if PAUSE in (white, black):
            if not self.pause_is_right(number, white, black, fields):
                self.undecided.update(known for known in (white, black) if known)
                self.leave(number, line, "not a pause that can be read")
                return
            white_points = POINTS_OF_A_PAUSE if white else 0
            black_points = POINTS_OF_A_PAUSE if black else 0
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
            self.findings.error(
                "number-unreadable",
                "The tournament number is not a number that can be read.",
                line=line,
                column=column,
                field=name,
                found=text or "nothing",
                expected="a tournament number of the section players, or 0 for a pause",
                suggestion=number_advice(),
            )
        return number

    def result_in(self, text: str, column: int, line: int) -> tuple[int, int, bool] | None:
        result = text.lower()
        if result in RESULTS:
            return int(result[0]), int(result[2]), result[1] == "-"
        self.findings.error(
            "result-unknown",
            "The form does not have this result.",
            line=line,
            column=column,
            field="result",
            found=text or "nothing",
            expected=" ".join(RESULTS),
            suggestion="Write 2 for a win and 1 for a draw; x instead of - for a decision of the referee.",
        )
        return None

    def pause_is_right(self, line: int, white: int, black: int, fields: list[tuple[str, int]]) -> bool:
        if white == black:
            self.findings.error(
                "pause-without-player",
                "Both numbers are 0, so nobody has this pause.",
                line=line,
                column=fields[1][1],
                field="white",
                found="0 against 0",
                expected="the number of the player who has the pause, and 0",
                suggestion="Write his number, or delete the line.",
            )
            return False
        result = fields[3][0].lower()
        if result in (("2-0", "2x0") if white else ("0-2", "0x2")):
            return True
        self.findings.error(
            "pause-result",
            "A pause gives 2 points.",
            line=line,
            column=fields[3][1],
            field="result",
            found=fields[3][0],
            expected="2-0" if white else "0-2",
            suggestion="Correct the result; a round in which he was absent is left out.",
        )
        return False

    # Lines of fields

    def split(self, number: int, line: str, names: tuple[str, ...]) -> list[tuple[str, int]] | None:
        """Return the fields of a line without outer spaces, each with its column; None if not as many."""
        commas = line.count(",")
        if commas != len(names) - 1:
            semicolons = line.count(";") == len(names) - 1
            self.findings.error(
                "field-count",
                "The line has too many fields." if commas >= len(names) else "The line has too few fields.",
                line=number,
                column=_start(line),
                found=f"{commas} commas",
                expected=f"{len(names) - 1} commas: {', '.join(names)}",
                suggestion=(
                    "Write commas instead of semicolons."
                    if semicolons
                    else "Keep every comma, also of empty fields; no comma inside a name."
                ),
            )
            self.leave(number, line, "wrong number of fields")
            return None
        fields: list[tuple[str, int]] = []
        begins = 0
        for part in line.split(","):
            text = part.strip()
            fields.append((text, begins + (len(part) - len(part.lstrip()) if text else 0) + 1))
            begins += len(part) + 1
        return fields

    def over_limit(self, number: int, line: str, code: str, limit: str) -> None:
        if code not in self.limits_told:
            self.limits_told.add(code)
            self.findings.error(
                code,
                "The report is larger than what is read; from here on this section was not used.",
                line=number,
                column=_start(line),
                found="more lines",
                expected=f"at most {limit}",
                suggestion="Report the competition in parts.",
            )
        self.leave(number, line, f"over {limit}")


def _start(line: str) -> int:
    return len(line) - len(line.lstrip()) + 1


def write_fmjd(info: ReportedInfo, players: Iterable[ReportedPlayer], games: Iterable[ReportedGame]) -> str:
    """Return a report in the format of Annex 9 art. 11, lines ended by ``\\n``.

    Reading it gives the same values again. Raises ValueError, naming the field, for a value that the format
    cannot carry: a comma in a field, a line end, a remark that holds its own end tag, a day outside
    FIRST_DAY to LAST_DAY.
    """
    systems = {system: word for word, system in SYSTEMS.items()}
    lines = [
        "<section Info>",
        f"name = {_plain(info.name, 'name')}",
        f"played from = {_day(info.played_from, 'played_from')}",
        f"played to = {_day(info.played_to, 'played_to')}",
        f"type = {systems.get(info.system, '')}",
        f"national championship = {_yes_or_no(info.national_championship)}",
        f"women championship = {_yes_or_no(info.women_championship)}",
        f"name of referee = {_plain(info.referee, 'referee')}",
        f"place = {_plain(info.place, 'place')}",
        f"country = {_plain(info.country, 'country')}",
        f"remarks = <remark>{_remark(info.remarks)}</end remark>",
        f"winner = {_plain(info.winner, 'winner')}",
        "</end info>",
        "<section players>",
    ]
    for player in players:
        fields = (
            str(player.fmjd_id or 0),
            str(player.number),
            player.local_id,
            str(player.place or 0),
            "" if player.points_printed is None else str(player.points_printed),
            player.first_name,
            player.last_name,
            player.federation,
            _day(player.born, "born"),
            player.sex,
        )
        lines.append(",".join(_field(text, name) for text, name in zip(fields, PLAYER_FIELDS, strict=True)))
    lines += ["</end players>", "<section results>"]
    lines += [f"{game.round},{game.white},{game.black},{game.result}" for game in games]
    lines.append("</end results>")
    return "\n".join(lines) + "\n"


def _yes_or_no(answer: bool | None) -> str:
    return "" if answer is None else ("Y" if answer else "N")


def _day(day: date | None, name: str) -> str:
    if day is not None and not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"{name} is no day of a report: {day}")
    return write_date(day)


def _plain(text: str, name: str) -> str:
    if "\n" in text or "\r" in text or text != text.strip():
        raise ValueError(f"{name} cannot be written in one line: {text!r}")
    return text


def _field(text: str, name: str) -> str:
    if "," in text:
        raise ValueError(f"{name} cannot hold a comma: {text!r}")
    return _plain(text, name)


def _remark(text: str) -> str:
    if _REMARK_END_TAG.search(text) or any(
        _tag_of(line).startswith(("<section", "</end")) for line in text.split("\n")
    ):
        raise ValueError(f"remarks cannot hold a tag of the format: {text!r}")
    return text
