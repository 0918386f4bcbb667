"""The table form of a report (Annex 9 art. 4.2.2): reader.

One line a player, its parts divided by spaces or tabs:

    19245 gmi Andrew Svitskovsy jp 2/27 2/32 1/2 2/7 2/3 0/4 2/5 11

FMJD-ID, title if any, first name, middle name if any, surname, country, a result for each round, total. The
number of a player is that of the line in the table, counted from 1; ``2/27`` means: 2 points against the player
of line 27. See ``crosstable`` for what two cells and the totals decide together.

What the article leaves open is read like this:

- A player without FMJD-ID has 0, - or nothing instead.
- Rating and date of birth (R25) are before the results and before or after the country: the rating with three or
  four digits, the date DD/MM/YYYY. W or M after the country is the sex that R20 requires of a player without
  FMJD-ID; the article has no column for it.
- A name of two words is first name and surname. A name of more words has a comma, ``Last, First``; without one it
  is not split.
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
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from reporting.formats.crosstables.crosstable import PAUSE_MARKS, CellFormat, Crosstable
from reporting.formats.field_parsers import (
    FMJD_ID_DIGITS,
    TITLES,
    read_country,
    read_date,
    read_name,
    read_number,
    read_total,
)
from reporting.rules.countries import find_country
from reporting.rules.findings import FindingList, in_file_order, quoted
from reporting.rules.report import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    TABLE_FORM,
    ReadReport,
    ReportedPlayer,
    UnreadText,
)

FORMAT = TABLE_FORM

_ARTICLE = "Annex 9 art. 4.2.2; R20"
_EXAMPLE = "19245 gmi Andrew Svitskovsy jp 2/27 2/32 … 11"
_NO_ID = frozenset({"0", "-", "--"})
_COMMENT_MARKS = (";", "#")
_WORD = re.compile(r"\S+")
_CELL = r"[012-]/[0-9]{1,4}[wb]?"
_CELL_WORD = re.compile(_CELL, re.IGNORECASE)
_ROW = re.compile(
    rf"(?<!\S){_CELL}\s+(?:{_CELL}(?!\S)|(?:{'|'.join(sorted(PAUSE_MARKS))}|[0-9]{{1,3}})\s*$)", re.IGNORECASE
)
_RATING_WORD = re.compile(r"[0-9]{3,4}")
_DATE_WORD = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}")
_SEX_WORD = re.compile(r"[MW]")
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
        unread=tuple(sorted(reading.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.table.undecided),
    )


@dataclass(frozen=True)
class _Word:
    """A word of a line and its column, from 1."""

    text: str
    column: int


@dataclass
class _Row:
    """A line of the table: the words before the results, the results, and the total (None if there is none)."""

    line: int
    player_words: list[_Word]
    cells: list[_Word]
    total: _Word | None
    end: int
    """The column after the last word."""


@dataclass
class _Reading:
    """One pass over the lines."""

    lines: tuple[str, ...]
    findings: FindingList = field(default_factory=FindingList)
    unread: list[UnreadText] = field(default_factory=list)
    table: Crosstable = field(init=False)
    is_limit_reported: bool = False
    are_rounds_reported: bool = False

    def __post_init__(self) -> None:
        self.table = Crosstable(_CELLS, self.findings, self.unread)

    def read(self) -> None:
        rows = list(self.rows())
        counted = Counter(len(row.cells) for row in rows if row.cells)
        rounds = max(counted, key=lambda count: (counted[count], count), default=0)
        for place, row in enumerate(rows, start=1):
            self.read_row(place, row, rounds)

    def mark_words_unread(self, line: int, words: list[_Word], key: str) -> None:
        text = " ".join(word.text for word in words)
        self.unread.append(UnreadText(line, words[0].column, quoted(text), key))

    def rows(self) -> Iterable[_Row]:
        """Return the lines of the table up to the limit."""
        rows = 0
        for number, line in enumerate(self.lines, start=1):
            text = line.strip()
            if not text:
                continue
            column = line.index(text) + 1
            if text.startswith(_COMMENT_MARKS):
                self.unread.append(UnreadText(number, column, quoted(text), "comment"))
                continue
            if rows == MAX_PLAYERS:
                self.add_limit_finding(number, column, text)
                continue
            words = [_Word(found.group(), found.start() + 1) for found in _WORD.finditer(line)]
            if not rows and not _begins_table(words):
                self.unread.append(UnreadText(number, column, quoted(text), "before-the-table"))
                continue
            rows += 1
            begins = _results_begin(words)
            results = words[begins:]
            total = results.pop() if results and not _is_cell(results[-1].text) else None
            end = words[-1].column + len(words[-1].text)
            yield _Row(number, words[:begins], results, total, end)

    def add_limit_finding(self, line: int, column: int, text: str) -> None:
        if not self.is_limit_reported:
            self.is_limit_reported = True
            self.findings.add("limit-players", line=line, column=column, limit=MAX_PLAYERS, about=())
        self.unread.append(UnreadText(line, column, quoted(text), "over-limit"))

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
            self.mark_words_unread(
                row.line, [*row.player_words, *([row.total] if row.total else [])], "no-results"
            )
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
            self.mark_words_unread(row.line, row.cells, "rounds-unclear")
            return
        for number, word in enumerate(row.cells, start=1):
            if number > MAX_ROUNDS:
                if not self.are_rounds_reported:
                    self.are_rounds_reported = True
                    self.findings.add(
                        "limit-rounds",
                        line=row.line,
                        column=word.column,
                        found=word.text,
                        limit=MAX_ROUNDS,
                        about=(),
                    )
                self.table.undecided.add(place)
                self.table.lost[place] += 1
                self.mark_words_unread(row.line, row.cells[MAX_ROUNDS:], "over-limit")
                return
            self.table.read_cell(place, number, word.text, row.line, word.column)

    def player_in(self, place: int, row: _Row) -> ReportedPlayer:
        player_words = list(row.player_words)
        begins = player_words[0].column
        columns = dict.fromkeys(("number", "place", "fmjd_id"), begins)
        fmjd_id = self.fmjd_id_in(player_words, row.line)
        title = player_words.pop(0) if player_words and player_words[0].text.upper() in TITLES else None
        details = _take(player_words, (_RATING_WORD, _DATE_WORD, _SEX_WORD))
        country, code = self.country_in(player_words, row, columns)
        details += _take(player_words, (_RATING_WORD, _DATE_WORD))
        rating, born, sex = self.details_in(details, row.line, columns)
        # Where they belong: the space before the results.
        columns = dict.fromkeys(("born", "sex"), row.cells[0].column - 1) | columns
        first, last, name = self.name_in(player_words, row, columns)
        total = row.total or _Word("", row.end)
        columns["points"] = total.column
        points = read_total(total.text, self.findings, line=row.line, column=total.column, article=_ARTICLE)
        return ReportedPlayer(
            number=place,
            name=name,
            fmjd_id=fmjd_id,
            place=place,
            points_printed=points,
            first_name=first,
            last_name=last,
            title=title.text.upper() if title else "",
            federation=country,
            federation_code=code,
            born=born,
            born_year=born.year if born else None,
            sex=sex,
            rating_printed=rating,
            line=row.line,
            columns=MappingProxyType(columns),
        )

    def fmjd_id_in(self, player_words: list[_Word], line: int) -> int | None:
        """Take the FMJD-ID, or the sign for none, from the beginning of a line."""
        if player_words[0].text in _NO_ID:
            player_words.pop(0)
            return None
        if not player_words[0].text[0].isdigit():
            return None
        word = player_words.pop(0)
        fmjd_id = read_number(word.text, digits=FMJD_ID_DIGITS)
        if fmjd_id is None:
            self.findings.add(
                "fmjd-id-unreadable.table-form",
                line=line,
                column=word.column,
                field="fmjd_id",
                found=word.text,
                article="Annex 9 art. 4.2.2.1; R20",
            )
        return fmjd_id or None

    def country_in(self, player_words: list[_Word], row: _Row, columns: dict[str, int]) -> tuple[str, str]:
        """Take the country from the end of the words; return it as printed and as its code."""
        words = [word for word in player_words if not _RATING_WORD.fullmatch(word.text)]
        found = words and (find_country(words[-1].text) or len(words) > _NAME_WORDS)
        word = player_words.pop() if found else _Word("", row.cells[0].column)
        columns["country"] = word.column
        code = read_country(
            word.text,
            self.findings,
            line=row.line,
            column=word.column,
            field="country",
            article="Annex 9 art. 4.2.2.6; R20",
        )
        return word.text, code

    def details_in(
        self, words: list[_Word], line: int, columns: dict[str, int]
    ) -> tuple[int | None, date | None, str]:
        """Return rating, date of birth and sex; a second one of a kind is a finding."""
        rating, born, sex = None, None, ""
        for word in sorted(words, key=lambda word: word.column):
            kind = (
                "sex"
                if _SEX_WORD.fullmatch(word.text)
                else "rating"
                if _RATING_WORD.fullmatch(word.text)
                else "born"
            )
            if kind in columns:
                self.findings.add(
                    "field-count.twice",
                    line=line,
                    column=word.column,
                    field=kind,
                    found=word.text,
                    first_column=columns[kind],
                )
                self.mark_words_unread(line, [word], f"second-{kind}")
                continue
            columns[kind] = word.column
            if kind == "sex":
                sex = word.text
            elif kind == "rating":
                rating = int(word.text)
            else:
                born = read_date(word.text, self.findings, line=line, column=word.column, field="born")
        return rating, born, sex

    def name_in(self, player_words: list[_Word], row: _Row, columns: dict[str, int]) -> tuple[str, str, str]:
        """Return first name, surname and the name as printed; the first two are empty if they are unclear."""
        if not player_words:
            columns["name"] = row.cells[0].column
            return *read_name("", self.findings, line=row.line, column=columns["name"]), ""
        begins, ends = player_words[0].column, player_words[-1].column + len(player_words[-1].text)
        name = self.lines[row.line - 1][begins - 1 : ends - 1].replace("\t", " ")
        columns["name"] = begins
        if "," in name or len(player_words) > _NAME_WORDS:
            return *read_name(name, self.findings, line=row.line, column=begins), name
        if len(player_words) < _NAME_WORDS:
            self.findings.add("name-missing.part", line=row.line, column=begins, field="name", found=name)
            return "", "", name
        columns["first_name"], columns["last_name"] = (word.column for word in player_words)
        return player_words[0].text, player_words[1].text, name


def _is_cell(text: str) -> bool:
    return text.lower() in PAUSE_MARKS or _CELL_WORD.fullmatch(text) is not None


def _begins_table(words: list[_Word]) -> bool:
    """Return whether a line is the first of the table, not a heading: it begins with a number or has a cell."""
    return words[0].text[0].isdigit() or any(_CELL_WORD.fullmatch(word.text) for word in words)


def _results_begin(words: list[_Word]) -> int:
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


def _take(player_words: list[_Word], kinds: tuple[re.Pattern[str], ...]) -> list[_Word]:
    """Take words of these kinds from the end."""
    taken = []
    while player_words and any(kind.fullmatch(player_words[-1].text) for kind in kinds):
        taken.append(player_words.pop())
    return taken
