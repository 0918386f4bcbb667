"""The FMJD official format for tournament data (Annex 9 art. 11): reader and writer.

Three sections in this order, Info, players and results. Keys, tags and words of a list (SWISS, Y, M, 2x0)
are not case-sensitive, and spaces in keys and tags are ignored; everything else is read as printed. One pass over the
lines gives every finding of the format at once (R20, R22). ``reporting.rules.checks`` finds what depends on several
lines.

What the article leaves open is read like this:

- Blank lines are allowed everywhere.
- A tournament number and a place can have four digits, because 5,000 players are allowed.
- A pause is a game with number 0; its player gets 2 points with either colour (R20).
- A remark can have several lines, up to its end tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from reporting.formats.annex_9.article_11 import (
    INFO_KEYS,
    PLAYER_COLUMNS,
    SYSTEMS,
    FieldReader,
)
from reporting.formats.tables.field_parsers import write_date
from reporting.formats.tables.table import (
    FieldParser,
    FieldText,
    ReaderFindings,
    field_text,
    split_line,
    text_column,
)
from reporting.rules.findings.finding_list import in_file_order
from reporting.rules.report import (
    FIRST_DAY,
    LAST_DAY,
    RESULT_FIELDS,
    EntryFormat,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
)

FORMAT = "fmjd"

SECTIONS = ("info", "players", "results")
_SPACE = re.compile(r"\s+")
_REMARK_TAG = re.compile(r"<\s*remark\s*>", re.IGNORECASE)
_REMARK_END_TAG = re.compile(r"<\s*/\s*end\s*remark\s*>", re.IGNORECASE)


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether any line is a section tag of art. 11."""
    return any(_tag_of(line).startswith(("<section", "</end")) for line in lines)


def read_fmjd(
    lines: tuple[str, ...], *, encoding: str = "utf-8", columns: Mapping[str, FieldParser] = PLAYER_COLUMNS
) -> ReadReport:
    """Read a report in the format of Annex 9 art. 11 from its lines (without line ends).

    Never raises: every fault is a finding with line and column, and each line that could not be used is in
    ``unread``. A value that could not be read is empty, never replaced by another one. ``columns`` are the fields of a
    player with their parsers, where a federation has numbers of another length.
    """
    reading = _Reading(lines, columns)
    reading.read()
    fields = reading.fields
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        info=fields.info(),
        players=tuple(fields.players),
        games=tuple(fields.games),
        unread=tuple(reading.findings.unread),
        findings=in_file_order(reading.findings),
        undecided=frozenset(player.number for player in fields.players)
        if "results" in reading.sections_unread
        else fields.players_with_unknown_totals,
        unread_sections=frozenset(reading.sections_unread),
        unread_players=fields.players_unread,
    )


def _tag_of(line: str) -> str:
    """Return the tag of a line in small letters without spaces, empty if the line is no tag."""
    stripped = line.strip()
    return _SPACE.sub("", stripped).casefold() if stripped.startswith("<") else ""


def _tag_as_printed(name: str) -> str:
    return f"<section {'Info' if name == 'info' else name}>"


@dataclass
class _Reading:
    """One pass over the lines."""

    lines: tuple[str, ...]
    columns: Mapping[str, FieldParser]
    findings: ReaderFindings = field(default_factory=ReaderFindings)
    fields: FieldReader = field(init=False)
    open_section: str = ""
    sections_seen: list[str] = field(default_factory=list)
    sections_unread: set[str] = field(default_factory=set)
    outside: list[int] = field(default_factory=list)
    """Lines outside the sections since the last tag."""
    tag_misread: bool = False
    """Whether the format does not have the last tag: what follows from that gives no findings."""
    remark_until: int = 0

    def __post_init__(self) -> None:
        self.fields = FieldReader(self.findings)

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
                self.findings.mark_line_unread(number, line, "outside-the-sections")
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
            self.findings.add("tag-unknown", at=field_text("", line, number))
            self.findings.mark_line_unread(number, line, "unknown-tag")

    def add_outside_finding(self) -> None:
        """Report once that the lines since the last tag belong to no section."""
        lines, self.outside = self.outside, []
        if lines and not self.tag_misread:
            first = field_text("", self.lines[lines[0] - 1], lines[0])
            self.findings.add("text-outside-section", at=first, count=len(lines))

    def begin_section(self, number: int, line: str, name: str) -> None:
        if self.open_section and self.open_section != name and not self.tag_misread:
            self.add_not_closed_finding(number, text_column(line), line.strip())
        if name in self.sections_seen:
            self.findings.add("section-repeated", at=field_text(name, line, number), section=name)
        elif any(SECTIONS.index(seen) > SECTIONS.index(name) for seen in self.sections_seen):
            self.findings.add(
                "section-out-of-order",
                line=number,
                column=text_column(line),
                field=name,
                section=name,
                before=self.sections_seen[-1],
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
        self.findings.add(
            "section-end-unexpected.other" if self.open_section else "section-end-unexpected",
            at=field_text(name, line, number),
            section=name,
            open_section=self.open_section,
        )
        self.open_section = ""

    def add_missing_begin_finding(self, number: int, name: str) -> None:
        """Report once that the lines before an end tag were not read because their section has no start tag."""
        lines, self.outside = self.outside or [number], []
        if not self.tag_misread:
            self.findings.add(
                "section-missing.begin",
                line=lines[0],
                column=text_column(self.lines[lines[0] - 1]),
                field=name,
                section=name,
                tag=_tag_as_printed(name),
                end_line=number,
            )
        self.sections_seen.append(name)
        self.sections_unread.add(name)

    def add_not_closed_finding(self, number: int, column: int, tag: str = "") -> None:
        self.findings.add(
            "section-not-closed.before" if tag else "section-not-closed",
            line=number,
            column=column,
            field=self.open_section,
            section=self.open_section,
            tag=tag,
        )

    def end_of_file(self) -> None:
        self.add_outside_finding()
        last = max(len(self.lines), 1)
        end = len(self.lines[-1]) + 1 if self.lines else 1
        if self.open_section and not self.tag_misread:
            self.add_not_closed_finding(last, end)
        for name in SECTIONS:
            if name not in self.sections_seen:
                self.sections_unread.add(name)
                self.findings.add(
                    "section-missing",
                    line=last,
                    column=end,
                    field=name,
                    section=name,
                    tag=_tag_as_printed(name),
                )

    # Info

    def read_info_line(self, number: int, line: str) -> None:
        written_key, equals, rest = line.partition("=")
        if not equals:
            self.findings.add("line-unreadable", at=field_text("", line, number))
            self.findings.mark_line_unread(number, line, "no-key")
            return
        name = INFO_KEYS.get(_SPACE.sub("", written_key).casefold())
        if name is None:
            self.findings.add("key-unknown", line=number, column=text_column(line), found=written_key.strip())
            self.findings.mark_line_unread(number, line, "unknown-key")
            return
        if name in self.fields.positions:
            first_line = self.fields.positions[name][0]
            self.findings.add("key-repeated", at=field_text(name, line, number), first_line=first_line)
            self.findings.mark_line_unread(number, line, "repeated-key")
            return
        value = field_text(name, rest, number, begins=len(written_key) + 2)
        self.fields.positions[name] = (number, value.column)
        if name == "remarks":
            self.read_remark(number, value.text)
        elif value.text:
            self.fields.read_info_value(value)

    def read_remark(self, number: int, value: str) -> None:
        opening = _REMARK_TAG.match(value)
        if opening is None:
            self.fields.texts["remarks"] = value
            return
        first = value[opening.end() :]
        closing = _REMARK_END_TAG.search(first)
        if closing:
            self.fields.texts["remarks"] = first[: closing.start()].strip()
            after = first[closing.end() :].strip()
            if after:
                self.findings.mark_unread(FieldText("", after, number, 1), "after-the-remark")
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
        self.findings.add(
            "remark-not-closed", line=number, column=self.fields.positions["remarks"][1], field="remarks"
        )
        self.fields.texts["remarks"] = first.strip()

    # Lines of fields

    def read_player_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, tuple(self.columns))
        if fields is None:
            self.fields.players_unread += 1
        else:
            row = {field.name: field for field in fields}
            self.fields.read_player(number, line, row, self.columns)

    def read_result_line(self, number: int, line: str) -> None:
        fields = self.split(number, line, RESULT_FIELDS)
        if fields is not None:
            self.fields.read_result(number, line, fields)

    def split(self, number: int, line: str, names: tuple[str, ...]) -> list[FieldText] | None:
        """Return the fields of a line; None, and a finding, for another number of fields."""
        commas = line.count(",")
        if commas == len(names) - 1:
            return split_line(line, ",", number, names)
        semicolons = line.count(";") == len(names) - 1
        self.findings.add(
            "field-count.semicolons" if semicolons else "field-count",
            line=number,
            column=text_column(line),
            commas=commas,
            needed=len(names) - 1,
            fields=", ".join(names),
        )
        self.findings.mark_line_unread(number, line, "field-count")
        return None


def write_fmjd(info: ReportedInfo, players: Iterable[ReportedPlayer], games: Iterable[ReportedGame]) -> str:
    """Return a report in the format of Annex 9 art. 11, lines ended by ``\\n``.

    Reading it gives the same values. Raises ValueError with the name of the field for a value that the format cannot
    have: a comma in a field, a line end, an end tag in a remark, a day outside FIRST_DAY to LAST_DAY.
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
        lines.append(",".join(_field(text, name) for text, name in zip(fields, PLAYER_COLUMNS, strict=True)))
    lines += ["</end players>", "<section results>"]
    lines += [f"{game.round},{game.white},{game.black},{game.result}" for game in games]
    lines.append("</end results>")
    return "\n".join(lines) + "\n"


def _yes_or_no(answer: bool | None) -> str:
    return "" if answer is None else ("Y" if answer else "N")


def _day(day: date | None, name: str) -> str:
    if day is not None and not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"{name} is not a day of a report: {day}")
    return write_date(day)


def _plain(text: str, name: str) -> str:
    if "\n" in text or "\r" in text or text != text.strip():
        raise ValueError(f"{name} cannot be written in one line: {text!r}")
    return text


def _field(text: str, name: str) -> str:
    if "," in text:
        raise ValueError(f"{name} cannot have a comma: {text!r}")
    return _plain(text, name)


def _remark(text: str) -> str:
    if _REMARK_END_TAG.search(text) or any(
        _tag_of(line).startswith(("<section", "</end")) for line in text.split("\n")
    ):
        raise ValueError(f"remarks cannot have a tag of the format: {text!r}")
    return text


READER = EntryFormat(
    "the FMJD format (Annex 9 art. 11)", {FORMAT: "Annex 9 art. 11"}, recognises, read_fmjd, write=write_fmjd,
    max_lengths={"name": 30, "referee": 25, "place": 30, "winner": 25, "local_id": 6},
)  # fmt: skip
