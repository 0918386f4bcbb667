"""The table form of a report (Annex 9 art. 4.2.2): reader.

One line a player, its parts divided by spaces or tabs:

    19245 gmi Andrew Svitskovsy jp 2/27 2/32 1/2 2/7 2/3 0/4 2/5 11

FMJD-ID, title if any, first name, middle name if any, surname, country, a result for each round, total. The
number of a player is that of the line in the table, counted from 1; ``2/27`` means: 2 points against the player
of line 27. See ``crosstable`` for what two cells and the totals decide together.

What the article leaves open is read like this:

- A player without FMJD-ID has 0, - or nothing instead.
- Rating and date of birth (R25) are before the results and before or after the country: the rating with three or
  four digits, the date DD/MM/YYYY. W, F or M after the country is the sex that R20 requires of a player without
  FMJD-ID; the article has no column for it.
- A name of two words is first name and surname, one word is the only name (R28). A name of more words has a
  comma, ``Last, First``; without one it is not split.
- The country is the last word before the results, also if it is no code, unless this leaves less than two words for
  the name.
- The table does not have colours. A w or b after an opponent is used.
- An empty cell is invisible between spaces, so each line has a cell for each round: -, 0/0 or 2/0 if there was no
  game. It is unclear which round a shorter line lacks, so none of its cells is used.
- Lines before the table, which have no cell and begin with no number, are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from reporting.formats.crosstables.crosstable import PAUSE_MARKS, CellFormat, Crosstable
from reporting.formats.tables.field_parsers import (
    FMJD_ID_DIGITS,
    TITLES,
    read_birth,
    read_country,
    read_name,
    read_number_or_none,
    read_points,
    read_rating,
    read_sex,
    read_title,
)
from reporting.formats.tables.table import FieldParser, FieldText, ReaderFindings, field_text, player_values
from reporting.rules.findings.finding_list import in_file_order
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.countries import find_country_by_code
from reporting.rules.report import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    TABLE_FORM,
    ReadReport,
    ReportedPlayer,
    ReportFormat,
)

FORMAT = TABLE_FORM

_ARTICLE = "Annex 9 art. 4.2.2; R20"
_EXAMPLE = "19245 gmi Andrew Svitskovsy jp 2/27 2/32 … 11"
_NO_ID = frozenset({"", "0", "-", "--"})
_COMMENT_MARKS = (";", "#")
_WORD = re.compile(r"\S+")
_CELL = r"[012-]/[0-9]{1,4}[wb]?"
_CELL_WORD = re.compile(_CELL, re.IGNORECASE)
_ROW = re.compile(
    rf"(?<!\S){_CELL}\s+(?:{_CELL}(?!\S)|(?:{'|'.join(sorted(PAUSE_MARKS))}|[0-9]{{1,3}})\s*$)", re.IGNORECASE
)
_RATING_WORD = re.compile(r"[0-9]{3,4}")
_DATE_WORD = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}")
_SEX_WORD = re.compile(r"[FMW]", re.IGNORECASE)
_NAME_WORDS = 2
"""Words of the shortest name: first name and surname."""

_CELLS = CellFormat(
    pattern=re.compile(r"(?P<result>[012-])/(?P<opponent>[0-9]{1,4})(?P<colour>[wb]?)"),
    case="table-form",
    pause="2/0",
    not_played="0/0",
    win="2/27",
    forfeit="-/1",
    article=_ARTICLE,
)


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether a line has two adjacent cells of the table form, or one before its last word."""
    return any(_ROW.search(line) for line in lines)


def read_table_form(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a report in table form from its lines (without line ends).

    Never raises: every fault is a finding with line and column, and what was not used is listed in
    ``unread``. The table does not have the tournament details; for colours see ``colours_known``.
    """
    reading = _Reading(lines)
    reading.read()
    games = reading.table.read_games()
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        players=tuple(reading.table.by_place.values()),
        games=games,
        unread=tuple(sorted(reading.findings.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.table.undecided),
    )


@dataclass
class _Row:
    """A line of the table: the words before the results, the results, and the total, empty if there is none."""

    line: int
    player_words: list[FieldText]
    cells: list[FieldText]
    total: FieldText


@dataclass
class _Reading:
    """One pass over the lines."""

    lines: tuple[str, ...]
    findings: ReaderFindings = field(default_factory=ReaderFindings)
    table: Crosstable = field(init=False)

    def __post_init__(self) -> None:
        self.table = Crosstable(_CELLS, self.findings)

    def read(self) -> None:
        rows = list(self.rows())
        counted = Counter(len(row.cells) for row in rows if row.cells)
        rounds = max(counted, key=lambda count: (counted[count], count), default=0)
        for place, row in enumerate(rows, start=1):
            self.read_row(place, row, rounds)

    def mark_words_unread(self, words: list[FieldText], key: str) -> None:
        text = " ".join(word.text for word in words if word.text)
        self.findings.mark_unread(words[0]._replace(text=text), key)

    def rows(self) -> Iterable[_Row]:
        """Return the lines of the table up to the limit."""
        rows = 0
        for number, line in enumerate(self.lines, start=1):
            whole = field_text("", line, number)
            if not whole.text:
                continue
            if whole.text.startswith(_COMMENT_MARKS):
                self.findings.mark_unread(whole, "comment")
                continue
            if self.findings.exceeds(
                "limit-players", MAX_PLAYERS, rows + 1, line=number, column=whole.column
            ):
                self.findings.mark_unread(whole, "over-limit")
                continue
            words = [
                FieldText("", text, number, found.start() + 1)
                for found in _WORD.finditer(line)
                if (text := plain_text(found.group()))
            ]
            if not rows and not _begins_table(words):
                self.findings.mark_unread(whole, "before-the-table")
                continue
            rows += 1
            begins = _results_begin(words)
            results = words[begins:]
            total = FieldText("points", "", number, words[-1].column + len(words[-1].text))
            if results and not _is_cell(results[-1].text):
                total = results.pop()._replace(name="points")
            yield _Row(number, words[:begins], results, total)

    def read_row(self, place: int, row: _Row, rounds: int) -> None:
        if not row.cells:
            self.findings.add(
                "field-count.no-results",
                line=row.line,
                column=row.player_words[0].column,
                rounds=rounds,
                example=_EXAMPLE,
            )
            self.table.unread_places.add(place)
            self.mark_words_unread([*row.player_words, row.total], "no-results")
            return
        self.table.by_place[place] = self.player_in(place, row)
        if len(row.cells) != rounds:
            self.findings.add(
                "field-count.rounds",
                line=row.line,
                column=row.cells[0].column,
                results=len(row.cells),
                rounds=rounds,
            )
            self.table.undecided.add(place)
            self.table.lost[place] += len(row.cells)
            self.mark_words_unread(row.cells, "rounds-unclear")
            return
        for number, word in enumerate(row.cells[:MAX_ROUNDS], start=1):
            self.table.read_cell(place, number, word)
        over = row.cells[MAX_ROUNDS:]
        if over:
            self.findings.exceeds(
                "limit-rounds",
                MAX_ROUNDS,
                len(row.cells),
                line=row.line,
                column=over[0].column,
                found=over[0].text,
            )
            self.table.undecided.add(place)
            self.table.lost[place] += 1
            self.mark_words_unread(over, "over-limit")

    def player_in(self, place: int, row: _Row) -> ReportedPlayer:
        words = list(row.player_words)
        begins, results_begin = words[0].column, row.cells[0].column
        fields = {name: FieldText(name, "", row.line, begins) for name in ("number", "place", "fmjd_id")}
        # Where they belong: the space before the results.
        fields |= {name: FieldText(name, "", row.line, results_begin - 1) for name in ("born", "sex")}
        if words[0].text in _NO_ID or words[0].text[0].isdigit():
            fields["fmjd_id"] = words.pop(0)._replace(name="fmjd_id")
        if words and words[0].text.upper() in TITLES:
            fields["title"] = words.pop(0)._replace(name="title")
        details = _take(words, (_RATING_WORD, _DATE_WORD, _SEX_WORD))
        names = [word for word in words if not _RATING_WORD.fullmatch(word.text)]
        has_country = names and (find_country_by_code(names[-1].text) or len(names) > _NAME_WORDS)
        country = words.pop() if has_country else FieldText("", "", row.line, results_begin)
        fields["country"] = country._replace(name="country")
        details += _take(words, (_RATING_WORD, _DATE_WORD))
        fields |= self.details_in(details)
        fields["points"] = row.total
        fields |= self.name_in(words, row)
        values = player_values(_PLAYER_COLUMNS, fields, self.findings)
        return ReportedPlayer(number=place, place=place, line=row.line, **values)

    def details_in(self, words: list[FieldText]) -> dict[str, FieldText]:
        """Return rating, date of birth and sex; a second one of a kind is a finding."""
        fields: dict[str, FieldText] = {}
        for word in sorted(words, key=lambda word: word.column):
            kind = (
                "sex"
                if _SEX_WORD.fullmatch(word.text)
                else "rating"
                if _RATING_WORD.fullmatch(word.text)
                else "born"
            )
            detail = word._replace(name=kind)
            if fields.setdefault(kind, detail) is not detail:
                self.findings.add("field-count.twice", at=detail, first_column=fields[kind].column)
                self.findings.mark_unread(detail, f"second-{kind}")
        return fields

    def name_in(self, words: list[FieldText], row: _Row) -> dict[str, FieldText]:
        """Return the name as printed; two words without comma are the first name and the surname."""
        if not words:
            return {"name": FieldText("name", "", row.line, row.cells[0].column)}
        name = " ".join(word.text for word in words)
        fields = {"name": words[0]._replace(name="name", text=name)}
        if len(words) == _NAME_WORDS and "," not in name:
            fields |= zip(("first_name", "last_name"), words, strict=True)
        return fields


def _read_name(name: FieldText, findings: ReaderFindings) -> tuple[str, str]:
    """Return first name and surname; both are empty if they are unclear."""
    words = name.text.split()
    if len(words) == _NAME_WORDS and "," not in name.text:
        return words[0], words[1]
    return read_name(name, findings)


_PLAYER_COLUMNS: Mapping[str, FieldParser] = {
    "fmjd_id": partial(
        read_number_or_none, key="fmjd-id-unreadable.table-form", digits=FMJD_ID_DIGITS, none=_NO_ID
    ),
    "title": read_title,
    "country": partial(read_country, article="Annex 9 art. 4.2.2.6; R20"),
    "rating": read_rating,
    "born": read_birth,
    "sex": read_sex,
    "name": _read_name,
    "points": partial(read_points, case="total", article=_ARTICLE),
}


def _is_cell(text: str) -> bool:
    return text.lower() in PAUSE_MARKS or _CELL_WORD.fullmatch(text) is not None


def _begins_table(words: list[FieldText]) -> bool:
    """Return whether a line is the first of the table, not a heading: it begins with a number or has a cell."""
    return words[0].text[0].isdigit() or any(_CELL_WORD.fullmatch(word.text) for word in words)


def _results_begin(words: list[FieldText]) -> int:
    """Return the index of the first word that can be a result, after the first word of the line.

    A name or a country begins with a letter, a rating or a date of birth has a form of its own. The words for a
    pause are names too, so they count only before another result.
    """
    begins = next(
        (
            i
            for i, word in enumerate(words)
            if i
            and (word.text[0].isdigit() or word.text[0] == "-")
            and not _RATING_WORD.fullmatch(word.text)
            and not _DATE_WORD.fullmatch(word.text)
        ),
        len(words),
    )
    while begins > 1 and words[begins - 1].text.lower() in PAUSE_MARKS:
        begins -= 1
    return begins


def _take(player_words: list[FieldText], kinds: tuple[re.Pattern[str], ...]) -> list[FieldText]:
    """Take words of these kinds from the end."""
    taken = []
    while player_words and any(kind.fullmatch(player_words[-1].text) for kind in kinds):
        taken.append(player_words.pop())
    return taken


READER = ReportFormat(
    "the table form (Annex 9 art. 4.2.2)", {FORMAT: "table format"}, recognises, read_table_form
)
