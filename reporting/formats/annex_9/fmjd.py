"""The FMJD official format for tournament data (Annex 9 art. 11): reader and writer.

Three sections in this order, Info, players and results. Keys, tags and words of a list (SWISS, Y, M, 2x0)
are read without regard to case, keys and tags also without regard to spaces; all else stands as printed. One
pass over the lines gives every finding of the form at once (R20, R22). What depends on several lines together
is found by ``reporting.rules.checks``.

What the article leaves open is read so:

- Blank lines are allowed anywhere.
- A tournament number and a place may have four figures, since 5,000 players are admitted.
- A pause is a game with number 0; its player gets 2 points whichever colour is written (R20).
- A remark may run over several lines, up to its end tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from reporting.formats.annex_9.article_11 import (
    INFO_KEYS,
    PLAYER_FIELDS,
    RESULT_FIELDS,
    SYSTEMS,
    FieldReader,
)
from reporting.formats.field_parsers import text_column, unread_line, write_date
from reporting.rules.findings import FindingList, in_file_order, quoted
from reporting.rules.report import (
    FIRST_DAY,
    LAST_DAY,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)

FORMAT = "fmjd"

SECTIONS = ("info", "players", "results")
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
    reading = _Reading(lines)
    reading.read()
    fields = reading.fields
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        info=fields.info(),
        players=tuple(fields.players),
        games=tuple(fields.games),
        unread=tuple(reading.unread),
        findings=in_file_order(reading.findings),
        undecided=frozenset(player.number for player in fields.players)
        if "results" in reading.sections_unread
        else fields.players_with_unknown_totals,
        unread_sections=frozenset(reading.sections_unread),
        unread_players=fields.players_unread,
    )


def _tag_of(line: str) -> str:
    """Return a line's tag without spaces and case, empty when the line is none."""
    stripped = line.strip()
    return _SPACE.sub("", stripped).casefold() if stripped.startswith("<") else ""


def _tag_as_printed(name: str) -> str:
    return f"<section {'Info' if name == 'info' else name}>"


@dataclass
class _Reading:
    """One pass over the lines."""

    lines: tuple[str, ...]
    findings: FindingList = field(default_factory=FindingList)
    unread: list[UnreadText] = field(default_factory=list)
    fields: FieldReader = field(init=False)
    open_section: str = ""
    sections_seen: list[str] = field(default_factory=list)
    sections_unread: set[str] = field(default_factory=set)
    outside: list[int] = field(default_factory=list)
    """Lines outside the sections since the last tag."""
    tag_misread: bool = False
    """Whether the last tag was one that the form does not have: what follows from that is not told."""
    remark_until: int = 0

    def __post_init__(self) -> None:
        self.fields = FieldReader(self.findings, self.unread)

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
                self.outside.append(number)
                self.unread.append(unread_line(number, line, "outside the sections"))
        self.end_of_file()

    # Sections

    def read_tag(self, number: int, line: str, tag: str) -> None:
        name = tag.removeprefix("<section").removesuffix(">")
        end_of = tag.removeprefix("</end").removesuffix(">")
        if tag == f"<section{name}>" and name in SECTIONS:
            self.add_outside_finding()
            self.begin_section(number, line, name)
            self.tag_misread = False
        elif tag == f"</end{end_of}>" and end_of in SECTIONS:
            self.end_section(number, line, end_of)
            self.tag_misread = False
        else:
            self.add_outside_finding()
            self.tag_misread = True
            self.findings.error(
                "tag-unknown",
                "The form does not have this tag.",
                line=number,
                column=text_column(line),
                found=line.strip(),
                expected="<section Info>, <section players>, <section results> or </end info>, "
                "</end players>, </end results>",
                suggestion="Write the tag as in Annex 9 art. 11.",
            )
            self.unread.append(unread_line(number, line, "unknown tag"))

    def add_outside_finding(self) -> None:
        """Say once that the lines since the last tag belong to no section."""
        lines, self.outside = self.outside, []
        if lines and not self.tag_misread:
            line = self.lines[lines[0] - 1]
            self.findings.error(
                "text-outside-section",
                "This line stands outside the three sections and was not read."
                if len(lines) == 1
                else f"{len(lines)} lines from here on stand outside the three sections and were not read.",
                line=lines[0],
                column=text_column(line),
                found=line.strip(),
                expected="text only between a section tag and its end tag",
                suggestion="Move the text into its section, or delete it.",
            )

    def begin_section(self, number: int, line: str, name: str) -> None:
        if self.open_section and self.open_section != name and not self.tag_misread:
            self.add_not_closed_finding(number, text_column(line), f"before {line.strip()}")
        if name in self.sections_seen:
            self.findings.error(
                "section-repeated",
                f"The section {name} was there before.",
                line=number,
                column=text_column(line),
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
                column=text_column(line),
                field=name,
                found=f"{name} after {self.sections_seen[-1]}",
                expected="Info, players, results",
                suggestion=f"Move the section {name} to its place.",
            )
        self.sections_seen.append(name)
        self.open_section = name

    def end_section(self, number: int, line: str, name: str) -> None:
        if self.open_section == name:
            self.open_section = ""
            return
        if not self.open_section and name not in self.sections_seen:
            self.add_missing_begin_finding(number, name)
            return
        self.add_outside_finding()
        self.findings.error(
            "section-end-unexpected",
            "A section ends here that is not open.",
            line=number,
            column=text_column(line),
            field=name,
            found=line.strip(),
            expected=f"</end {self.open_section}>" if self.open_section else "no end tag here",
            suggestion=f"Look for the line <section {name}>, or delete this one.",
        )
        self.open_section = ""

    def add_missing_begin_finding(self, number: int, name: str) -> None:
        """Say once that the lines before an end tag were not read because their section does not begin."""
        lines, self.outside = self.outside or [number], []
        if not self.tag_misread:
            self.findings.error(
                "section-missing",
                f"The section {name} has an end tag and no tag before it, so nothing of it was read.",
                line=lines[0],
                column=text_column(self.lines[lines[0] - 1]),
                field=name,
                found=f"no line {_tag_as_printed(name)} before line {number}",
                expected=_tag_as_printed(name),
                suggestion=f"Add the line {_tag_as_printed(name)} above the first line of the section.",
            )
        self.sections_seen.append(name)
        self.sections_unread.add(name)

    def add_not_closed_finding(self, number: int, column: int, found: str) -> None:
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
        self.add_outside_finding()
        last = max(len(self.lines), 1)
        end = len(self.lines[-1]) + 1 if self.lines else 1
        if self.open_section and not self.tag_misread:
            self.add_not_closed_finding(last, end, "up to the end of the file")
        for name in SECTIONS:
            if name not in self.sections_seen:
                self.sections_unread.add(name)
                self.findings.error(
                    "section-missing",
                    f"The section {name} is missing.",
                    line=last,
                    column=end,
                    field=name,
                    found=f"no line {_tag_as_printed(name)}",
                    expected="the sections Info, players and results, in this order",
                    suggestion="Export the tournament again with all three sections.",
                )

    # Info

    def read_info_line(self, number: int, line: str) -> None:
        written_key, equals, rest = line.partition("=")
        if not equals:
            self.findings.error(
                "line-unreadable",
                "A line of the Info section has a key, an equals sign and a value.",
                line=number,
                column=text_column(line),
                found=line.strip(),
                expected="key = value",
                suggestion="Write the line as in Annex 9 art. 11, or move it into the remarks.",
            )
            self.unread.append(unread_line(number, line, "no key"))
            return
        name = INFO_KEYS.get(_SPACE.sub("", written_key).casefold())
        if name is None:
            self.findings.warning(
                "key-unknown",
                "The form does not have this key, so the line was not used.",
                line=number,
                column=text_column(line),
                found=written_key.strip(),
                expected=_KEYS_AS_PRINTED,
                suggestion="Correct the key, or write the text into the remarks.",
            )
            self.unread.append(unread_line(number, line, "unknown key"))
            return
        value = rest.strip()
        column = len(written_key) + 2 + len(rest) - len(rest.lstrip()) if value else len(line.rstrip()) + 1
        if name in self.fields.positions:
            self.findings.error(
                "key-repeated",
                f"This key stood on line {self.fields.positions[name][0]} already; only the first is used.",
                line=number,
                column=text_column(line),
                field=name,
                found=line.strip(),
                expected="each key once",
                suggestion="Delete one of the two lines.",
            )
            self.unread.append(unread_line(number, line, "repeated key"))
            return
        self.fields.positions[name] = (number, column)
        if name == "remarks":
            self.read_remark(number, value)
        elif value:
            self.fields.read_info_value(name, value, number, column)

    def read_remark(self, number: int, value: str) -> None:
        opening = _REMARK_TAG.match(value)
        if opening is None:
            self.fields.texts["remarks"] = value
            return
        first = value[opening.end() :]
        closing = _REMARK_END_TAG.search(first)
        if closing:
            self.fields.texts["remarks"] = first[: closing.start()].strip()
            if first[closing.end() :].strip():
                self.unread.append(
                    UnreadText(number, 1, quoted(first[closing.end() :].strip()), "after the remark")
                )
            return
        texts = [first.strip()]
        for later in range(number, len(self.lines)):
            line = self.lines[later]
            closing = _REMARK_END_TAG.search(line)
            if closing:
                texts.append(line[: closing.start()].strip())
                self.remark_until = later + 1
                self.fields.texts["remarks"] = "\n".join(texts).strip()
                return
            tag = _tag_of(line)
            if tag.startswith(("<section", "</end")):
                break
            texts.append(line.strip())
        self.findings.error(
            "remark-not-closed",
            "The remark does not end.",
            line=number,
            column=self.fields.positions["remarks"][1],
            field="remarks",
            found="<remark> without </end remark>",
            expected="<remark> free text </end remark>",
            suggestion="Add </end remark> after the last word of the remark.",
        )
        self.fields.texts["remarks"] = first.strip()

    # Lines of fields

    def read_player_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, PLAYER_FIELDS)
        if fields is None:
            self.fields.players_unread += 1
        else:
            self.fields.read_player(number, line, fields)

    def read_result_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, RESULT_FIELDS)
        if fields is not None:
            self.fields.read_result(number, line, fields)

    def split(self, number: int, line: str, names: tuple[str, ...]) -> list[tuple[str, int]] | None:
        """Return the fields of a line without outer spaces, each with its column; None if not as many."""
        commas = line.count(",")
        if commas != len(names) - 1:
            semicolons = line.count(";") == len(names) - 1
            self.findings.error(
                "field-count",
                "The line has too many fields." if commas >= len(names) else "The line has too few fields.",
                line=number,
                column=text_column(line),
                found=f"{commas} commas",
                expected=f"{len(names) - 1} commas: {', '.join(names)}",
                suggestion=(
                    "Write commas instead of semicolons."
                    if semicolons
                    else "Keep every comma, also of empty fields; no comma inside a name."
                ),
            )
            self.unread.append(unread_line(number, line, "wrong number of fields"))
            return None
        fields: list[tuple[str, int]] = []
        begins = 0
        for part in line.split(","):
            text = part.strip()
            fields.append((text, begins + (len(part) - len(part.lstrip()) if text else 0) + 1))
            begins += len(part) + 1
        return fields


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
