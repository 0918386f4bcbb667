"""The crosstable that Draughts Arbiter exports (Annex 9 art. 4.1): reader.

The file begins with ``;Tournament table``, then the name of the tournament, then the names of the columns and
one line a player, parted by semicolons. A cell ``68b2`` says: against the player in place 68, with black, 2
points. The opponent is named by his place, not by his start number; the games read name the start number.

What the cells leave open is decided by the printed total and by nothing else:

- ``67w-`` is a regulatory result; its points are what the totals of both players leave. Where one of the two
  cells shows a figure that figure holds, and the game is regulatory all the same.
- An empty cell is a pause (2 points) or a round not played (no points).
- If the totals allow more than one answer the reader asks, with an error; it never chooses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reporting.formats.fields import number_advice, read_country, read_number
from reporting.formats.values import (
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

FORMAT = "draughts-arbiter"
TITLES = ("GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF")

_FIRST_LINE = ";tournamenttable"
_HEADER_BEGINS = ("place", "s.no.")
_LINES_SEARCHED = 20
_COLUMNS = {
    "place": "place",
    "s.no.": "number",
    "title": "title",
    "name": "name",
    "fed.": "country",
    "fmjd": "rating",
    "total": "points",
}
_NEEDED = ("place", "number", "name", "country", "points")
_NUMBER_DIGITS = 4
_POINTS_DIGITS = 3
_ROUND_COLUMN = re.compile(r"r([0-9]{1,2})")
_CELL = re.compile(r"([0-9]{1,4})([wb])([012-])")
_NOBODY = re.compile(r"0([wb]?)([02-])")
_PAUSE_WORDS = frozenset({"bye", "pause"})
_EMPTY_MARKS = frozenset({"", "-", "--"})
_RATING = re.compile(r"([ABC])? ?([0-9]{3,4})")
_SPACE = re.compile(r"\s+")

_OUTCOMES = ((2, 0), (0, 2), (1, 1), (0, 0))
"""Points of a regulatory result (Annex 9 art. 11: 2x0 0x2 1x1 0x0)."""


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether the file begins as Draughts Arbiter begins a tournament table."""
    beginning = [_plain(line) for line in lines[:_LINES_SEARCHED] if line.strip()]
    return any(line == _FIRST_LINE for line in beginning[:1]) or any(_is_header(line) for line in beginning)


def read_draughts_arbiter(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a crosstable exported by Draughts Arbiter from its lines (without line ends).

    Never raises: every fault is a finding with line and column. Columns of tie-breaks, and cells that could
    not be read, are listed in ``unread``. The file says nothing of dates, system, birth and FMJD-ID.
    """
    reading = _Reading(lines)
    reading.read()
    return ReadReport(
        format=FORMAT,
        encoding=encoding,
        info=reading.info,
        players=tuple(reading.players),
        games=tuple(sorted(reading.games, key=lambda game: (game.round, game.line, game.column))),
        unread=tuple(sorted(reading.unread, key=lambda piece: (piece.line, piece.column))),
        findings=in_file_order(reading.findings),
        undecided=frozenset(reading.undecided),
    )


def _plain(line: str) -> str:
    return _SPACE.sub("", line).casefold()


def _is_header(plain_line: str) -> bool:
    return tuple(plain_line.split(";")[: len(_HEADER_BEGINS)]) == _HEADER_BEGINS


@dataclass(frozen=True)
class _Cell:
    """A cell of the table: whose it is, in which round, where it stands, what it says.

    ``opponent`` is a place, PAUSE for nobody. ``points`` is None where the printed total has to decide.
    """

    place: int
    round: int
    line: int
    column: int
    text: str
    opponent: int
    colour: str
    points: int | None


@dataclass
class _Open:
    """Something the totals decide: the points of the places concerned, in each way that is still possible."""

    cells: tuple[_Cell, ...]
    ways: list[tuple[int, ...]]


@dataclass
class _Reading:
    """One pass over the lines, then one over the cells."""

    lines: tuple[str, ...]
    findings: FindingList = field(default_factory=FindingList)
    info: ReportedInfo = field(default_factory=ReportedInfo)
    players: list[ReportedPlayer] = field(default_factory=list)
    games: list[ReportedGame] = field(default_factory=list)
    unread: list[UnreadText] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    header: list[str] = field(default_factory=list)
    cells: dict[tuple[int, int], _Cell] = field(default_factory=dict)
    by_place: dict[int, ReportedPlayer] = field(default_factory=dict)
    places_unread: set[int] = field(default_factory=set)
    lost: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Cells of each place that could not be used."""

    def read(self) -> None:
        begins = self.read_beginning()
        if begins is None:
            return
        row = 0
        for number, line in enumerate(self.lines[begins:], start=begins + 1):
            if not line.strip():
                continue
            # A comment begins with a semicolon, and so does the line of a player whose place is missing.
            if line.lstrip().startswith(";") and line.count(";") < len(self.header) - 1:
                self.leave(number, line, "comment")
                continue
            row += 1
            if row > MOST_PLAYERS:
                if row == MOST_PLAYERS + 1:
                    self.findings.error(
                        "limit-players",
                        "The table is larger than what is read; the lines from here on were not used.",
                        line=number,
                        column=1,
                        found="more lines",
                        expected=f"at most {MOST_PLAYERS:,} players",
                        suggestion="Report the competition in parts.",
                    )
                self.leave(number, line, "over the limit")
                continue
            self.read_row(number, line, row)
        self.read_games()

    def leave(self, number: int, line: str, reason: str) -> None:
        self.unread.append(UnreadText(number, _start(line), shown(line.strip()), reason))

    # Beginning

    def read_beginning(self) -> int | None:
        """Read up to the line of column names; return its number, None when the table cannot be read."""
        for number, line in enumerate(self.lines, start=1):
            plain = _plain(line)
            if not plain:
                continue
            if _is_header(plain):
                return number if self.read_header(number, line) else None
            if plain.startswith(";"):
                if plain != _FIRST_LINE:
                    self.leave(number, line, "comment")
            elif self.info.name:
                self.leave(number, line, "between the name of the tournament and the columns")
            else:
                self.info = ReportedInfo(
                    name=line.strip(),
                    positions=MappingProxyType({"name": (number, _start(line))}),
                )
        self.findings.error(
            "header-missing",
            "The line with the names of the columns is missing.",
            line=max(len(self.lines), 1),
            column=1,
            found="no line Place;S.No.;…",
            expected="Place;S.No.;Title;Name;Fed.;FMJD;R1;…;Total",
            suggestion="Export the table again, with the line of column names.",
        )
        return None

    def read_header(self, number: int, line: str) -> bool:
        begins = 1
        rounds = 0
        for text in line.split(";"):
            plain = _plain(text)
            a_round = _ROUND_COLUMN.fullmatch(plain)
            name = _COLUMNS.get(plain, "")
            if a_round and int(a_round.group(1)) == rounds + 1 and rounds < MOST_ROUNDS:
                rounds += 1
                name = f"r{rounds}"
            elif a_round:
                over = int(a_round.group(1)) > MOST_ROUNDS
                self.findings.error(
                    "limit-rounds" if over else "column-unknown",
                    "A report has no more rounds than this."
                    if over
                    else "The rounds are not in their order.",
                    line=number,
                    column=begins + _start(text) - 1,
                    found=text.strip(),
                    expected=f"at most {MOST_ROUNDS} rounds" if over else f"R{rounds + 1}",
                    suggestion="Export the table again with the rounds R1, R2, … in order.",
                )
            elif name in self.header:
                self.unknown_column(number, begins, text, "a column that was there before")
                name = ""
            elif not name and "points" not in self.header and plain:
                self.unknown_column(number, begins, text, "a column that is not known")
            self.header.append(name or f"?{text.strip()}")
            begins += len(text) + 1
        missing = [name for name in (*_NEEDED, "r1") if name not in self.header]
        printed = {name: plain for plain, name in _COLUMNS.items()} | {"r1": "r1"}
        for name in missing:
            self.findings.error(
                "column-missing",
                "A column is missing without which the table cannot be read.",
                line=number,
                column=1,
                field=name,
                found=line.strip(),
                expected=printed[name].capitalize(),
                suggestion="Export the table again with all its columns.",
            )
        return not missing

    def unknown_column(self, number: int, begins: int, text: str, what: str) -> None:
        self.findings.warning(
            "column-unknown",
            f"This is {what}; it was not used.",
            line=number,
            column=begins + _start(text) - 1,
            found=text.strip(),
            expected="Place, S.No., Title, Name, Fed., FMJD, R1 …, Total, tie-breaks",
            suggestion="Nothing to do if it says nothing that the report needs.",
        )

    # Rows

    def read_row(self, number: int, line: str, row: int) -> None:
        parts = line.split(";")
        if len(parts) == len(self.header) + 1 and not parts[-1].strip():
            parts.pop()
        if len(parts) != len(self.header):
            self.findings.error(
                "field-count",
                "The line has another number of fields than the line of column names.",
                line=number,
                column=_start(line),
                found=f"{len(parts)} fields",
                expected=f"{len(self.header)} fields",
                suggestion="Keep every semicolon, also of empty fields; no semicolon inside a name.",
            )
            self.places_unread.add(row)
            self.leave(number, line, "wrong number of fields")
            return
        text: dict[str, str] = {}
        columns: dict[str, int] = {}
        begins = 1
        for name, part in zip(self.header, parts, strict=True):
            text[name] = part.strip()
            columns[name] = begins + (_start(part) - 1 if text[name] else 0)
            if name.startswith("?") and text[name]:
                reason = f"column {name[1:]}" if name != "?" else "column without name"
                self.unread.append(UnreadText(number, columns[name], shown(text[name]), reason))
            begins += len(part) + 1
        place = self.place_in(text["place"], number, columns["place"], row)
        start_number = self.start_number_in(text["number"], number, columns["number"])
        points = self.points_in(text["points"], number, columns["points"])
        first, last = self.name_in(text["name"], number, columns["name"])
        title = self.title_in(text.get("title", ""), number, columns.get("title", 1))
        category, rating = self.rating_in(text.get("rating", ""), number, columns.get("rating", 1))
        code = read_country(
            text["country"],
            self.findings,
            line=number,
            column=columns["country"],
            field="country",
            article="Annex 9 art. 4.2.2.6; R20",
        )
        if place is None or start_number is None:
            self.places_unread.add(row if place is None else place)
            self.leave(number, line, "no place or number")
            return
        player = ReportedPlayer(
            number=start_number,
            name=text["name"],
            place=place,
            points_printed=points,
            first_name=first,
            last_name=last,
            title=title,
            federation=text["country"],
            federation_code=code,
            rating_printed=rating,
            category_printed=category,
            line=number,
            columns=MappingProxyType(columns),
        )
        self.players.append(player)
        self.by_place[place] = player
        for name in self.header:
            a_round = _ROUND_COLUMN.fullmatch(name)
            if a_round:
                self.read_cell(player, place, int(a_round.group(1)), text[name])

    def place_in(self, text: str, line: int, column: int, row: int) -> int | None:
        place = read_number(text, digits=_NUMBER_DIGITS)
        if place is None or place == 0:
            self.findings.error(
                "place-unreadable",
                "The place is not a number that can be read.",
                line=line,
                column=column,
                field="place",
                found=text or "nothing",
                expected=str(row),
                suggestion=number_advice(),
            )
            return None
        if place != row:
            self.findings.error(
                "place-out-of-order",
                "The place is not the line of the table, so it is not clear whom the cells mean.",
                line=line,
                column=column,
                field="place",
                found=text,
                expected=str(row),
                suggestion="Number the lines 1, 2, 3, …; shared places are told in the form.",
            )
        return None if place in self.by_place else place

    def start_number_in(self, text: str, line: int, column: int) -> int | None:
        number = read_number(text, digits=_NUMBER_DIGITS)
        if number:
            return number
        self.findings.error(
            "number-unreadable" if text else "number-missing",
            "The start number is not a number from 1." if text else "The player has no start number.",
            line=line,
            column=column,
            field="number",
            found=text or "nothing",
            expected="a number from 1",
            suggestion=number_advice(),
        )
        return None

    def points_in(self, text: str, line: int, column: int) -> int | None:
        points = read_number(text, digits=_POINTS_DIGITS)
        if points is None:
            self.findings.error(
                "points-unreadable" if text else "points-missing",
                "The total is not a whole number." if text else "The player has no total.",
                line=line,
                column=column,
                field="points",
                found=text or "nothing",
                expected="the sum of his results: 2 a game won and a pause, 1 a game drawn",
                suggestion="The total is obligatory; it is the control of the results.",
            )
        return points

    def name_in(self, text: str, line: int, column: int) -> tuple[str, str]:
        """Return first and last name, split by the one comma; empty, and a finding, without it."""
        if not text:
            self.findings.error(
                "name-missing",
                "The player has no name.",
                line=line,
                column=column,
                field="name",
                found="nothing",
                expected="Last, First",
                suggestion="Write first name and surname in full.",
            )
            return "", ""
        last, comma, first = (part.strip() for part in text.partition(","))
        if comma and last and first and "," not in first:
            return first, last
        self.findings.warning(
            "name-not-split",
            "It is not clear which part of the name is the surname, so it was left whole.",
            line=line,
            column=column,
            field="name",
            found=text,
            expected="Last, First",
            suggestion="Say in the step People who this is.",
        )
        return "", ""

    def title_in(self, text: str, line: int, column: int) -> str:
        title = text.upper()
        if not title or title in TITLES:
            return title
        self.findings.warning(
            "title-unknown",
            "FMJD does not have this title; it was not used.",
            line=line,
            column=column,
            field="title",
            found=text,
            expected=" ".join(TITLES) + ", or nothing",
            suggestion="Nothing to do: the title is taken from the register.",
        )
        self.unread.append(UnreadText(line, column, shown(text), "unknown title"))
        return ""

    def rating_in(self, text: str, line: int, column: int) -> tuple[str, int | None]:
        if not text:
            return "", None
        written = _RATING.fullmatch(text)
        if written:
            return written.group(1) or "", int(written.group(2))
        self.findings.warning(
            "rating-unreadable",
            "The rating was not used.",
            line=line,
            column=column,
            field="rating",
            found=text,
            expected="category and rating, for example A 2339",
            suggestion="Nothing to do: the rating is taken from the list in force.",
        )
        self.unread.append(UnreadText(line, column, shown(text), "unknown rating"))
        return "", None

    def read_cell(self, player: ReportedPlayer, place: int, round_number: int, text: str) -> None:
        column = player.column(f"r{round_number}")
        lower = text.lower()
        written = _CELL.fullmatch(lower)
        nobody = _NOBODY.fullmatch(lower)
        if lower in _EMPTY_MARKS or lower in _PAUSE_WORDS or nobody:
            points = POINTS_OF_A_PAUSE if lower in _PAUSE_WORDS else None
            if nobody and nobody.group(2) != "-":
                points = int(nobody.group(2))
            opponent, colour = PAUSE, ""
        elif written and int(written.group(1)) != PAUSE:
            opponent, colour = int(written.group(1)), written.group(2)
            points = None if written.group(3) == "-" else int(written.group(3))
        else:
            self.findings.error(
                "cell-unreadable",
                "The cell is not opponent, colour and result.",
                line=player.line,
                column=column,
                field=f"r{round_number}",
                found=text,
                expected="the opponent's place, w or b, and 2, 1, 0 or -; for example 68b2",
                suggestion="Write the cell again, or leave it empty for a round without game.",
            )
            nothing = _Cell(place, round_number, player.line, column, text, PAUSE, "", None)
            self.leave_cells((nothing,), "cell that cannot be read")
            return
        self.cells[place, round_number] = _Cell(
            place, round_number, player.line, column, text, opponent, colour, points
        )

    def leave_cells(self, cells: Iterable[_Cell], why: str) -> None:
        for cell in cells:
            self.undecided.add(self.by_place[cell.place].number)
            self.lost[cell.place] += 1
            text = shown(cell.text) or "(empty)"
            self.unread.append(UnreadText(cell.line, cell.column, text, f"R{cell.round}: {why}"))

    # Games

    def read_games(self) -> None:
        left_open: list[_Open] = []
        for cell in list(self.cells.values()):
            if cell.opponent == PAUSE:
                self.read_pause(cell, left_open)
                continue
            other = self.cells.get((cell.opponent, cell.round))
            if other is not None and other.opponent == cell.place and other.place < cell.place:
                continue  # read with the cell of the player in the higher place
            if cell.opponent == cell.place:
                self.add_game(cell, cell, cell.points or 0, cell.points or 0, played=cell.points is not None)
            elif other is None:
                self.without_other(cell)
            else:
                self.read_pair(cell, other, left_open)
        self.decide(left_open)

    def read_pause(self, cell: _Cell, left_open: list[_Open]) -> None:
        if cell.points is None:
            left_open.append(_Open((cell,), [(POINTS_OF_A_PAUSE,), (0,)]))
        else:
            self.add_pause(cell, cell.points)

    def without_other(self, cell: _Cell) -> None:
        if cell.opponent not in self.by_place and cell.opponent not in self.places_unread:
            self.findings.error(
                "opponent-unknown",
                "The cell names a place that the table does not have.",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                found=cell.text,
                expected=f"a place from 1 to {max(self.by_place)}",
                suggestion="The opponent is named by his place in this table, not by his start number.",
            )
        self.leave_cells((cell,), "opponent's cell not read")

    def read_pair(self, cell: _Cell, other: _Cell, left_open: list[_Open]) -> None:
        if other.opponent != cell.place:
            self.disagree(cell, other, f"{cell.place} in the cell of place {other.place}, round {cell.round}")
            self.leave_cells((cell,), "the other cell names another opponent")
            return
        if cell.colour == other.colour:
            self.disagree(cell, other, f"{cell.place}{'b' if cell.colour == 'w' else 'w'} there")
            self.leave_cells((cell, other), "both cells show the same colour")
            return
        if cell.points is not None and other.points is not None:
            if cell.points + other.points == 2:
                self.add_game(cell, other, cell.points, other.points, played=True)
            else:
                self.disagree(cell, other, "results that add up to 2 points")
                self.leave_cells((cell, other), "the two results contradict each other")
            return
        ways: list[tuple[int, ...]] = [
            (mine, his)
            for mine, his in _OUTCOMES
            if cell.points in (None, mine) and other.points in (None, his)
        ]
        left_open.append(_Open((cell, other), ways))

    def disagree(self, cell: _Cell, other: _Cell, expected: str) -> None:
        self.findings.error(
            "cells-disagree",
            f"The two cells of this game contradict each other; the other one is on line {other.line}, "
            f"column {other.column}.",
            line=cell.line,
            column=cell.column,
            field=f"r{cell.round}",
            found=f"{cell.text} here, {other.text or 'an empty cell'} there",
            expected=expected,
            suggestion="Look the game up on the score sheet and correct one of the two cells.",
        )

    def add_pause(self, cell: _Cell, points: int) -> None:
        """Add a pause; a round not played (no points) is no game."""
        if points == POINTS_OF_A_PAUSE:
            self.games.append(
                ReportedGame(
                    round=cell.round,
                    white=self.by_place[cell.place].number,
                    black=PAUSE,
                    white_points=points,
                    black_points=0,
                    played=False,
                    lines=(cell.line,),
                    columns=(cell.column,),
                )
            )

    def add_game(self, cell: _Cell, other: _Cell, points: int, others_points: int, *, played: bool) -> None:
        white, black = ((cell, points), (other, others_points))
        if cell.colour == "b":
            white, black = black, white
        both = sorted({(cell.line, cell.column), (other.line, other.column)})
        self.games.append(
            ReportedGame(
                round=cell.round,
                white=self.by_place[white[0].place].number,
                black=self.by_place[black[0].place].number,
                white_points=white[1],
                black_points=black[1],
                played=played,
                lines=tuple(line for line, _ in both),
                columns=tuple(column for _, column in both),
            )
        )

    # What the totals decide

    def decide(self, left_open: list[_Open]) -> None:
        """Give each open cell its points where the printed totals allow one answer only."""
        left = self.left_by_totals({cell for item in left_open for cell in item.cells})
        of_place: defaultdict[int, list[tuple[_Open, int]]] = defaultdict(list)
        for item in left_open:
            for side, cell in enumerate(item.cells):
                of_place[cell.place].append((item, side))
        waiting = set(of_place)
        while waiting:
            place = waiting.pop()
            if place in left:
                for item in _narrow(of_place[place], left[place]):
                    waiting.update(cell.place for cell in item.cells)
        for item in left_open:
            if len(item.ways) == 1:
                points = item.ways[0]
                if len(item.cells) == 1:
                    self.add_pause(item.cells[0], points[0])
                else:
                    self.add_game(item.cells[0], item.cells[1], points[0], points[1], played=False)
            else:
                self.ask(item)

    def left_by_totals(self, open_cells: set[_Cell]) -> Mapping[int, int]:
        """Return what each printed total leaves for the open cells; nobody with a total or cell not read."""
        left = {
            place: player.points_printed
            for place, player in self.by_place.items()
            if player.points_printed is not None and not self.lost[place]
        }
        for cell in self.cells.values():
            if cell.place in left and cell.points is not None and cell not in open_cells:
                left[cell.place] -= cell.points
        return left

    def ask(self, item: _Open) -> None:
        cell = item.cells[0]
        total = self.by_place[cell.place].points_printed
        where = f"The printed total is {'missing' if total is None else total}"
        if len(item.cells) == 1:
            self.findings.error(
                "pause-undecided",
                f"{where}; it does not say whether this is a pause or a round not played.",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                found=cell.text or "an empty cell",
                expected="0w2 for a pause, 0w0 for a round not played",
                suggestion="Write one of the two into the cell, or correct the total.",
            )
        else:
            other = item.cells[1]
            self.findings.error(
                "forfeit-undecided",
                f"{where}; the totals do not say who got the points of this regulatory result. "
                f"The other cell is on line {other.line}, column {other.column}.",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                found=f"{cell.text} here, {other.text} there",
                expected="one cell with the points, for example 67w2 against 66b-",
                suggestion="Write the points of one player instead of his -, or correct the totals.",
            )
        self.leave_cells(item.cells, "not decided by the totals")


def _narrow(open_of_place: list[tuple[_Open, int]], remainder: int) -> list[_Open]:
    """Drop the ways by which a place's cells cannot add up to the remainder; return what became narrower.

    Points are 0, 1 or 2, so the sums of the other cells are every number between their least and their most,
    or every second one where no cell can change by a single point.
    """
    choices = [{way[side] for way in item.ways} for item, side in open_of_place]
    least = sum(min(points, default=0) for points in choices)
    most = sum(max(points, default=0) for points in choices)
    single_steps = sum(_has_single_step(points) for points in choices)
    narrower: list[_Open] = []
    for (item, side), points in zip(open_of_place, choices, strict=True):
        low = least - min(points, default=0)
        high = most - max(points, default=0)
        every_number = single_steps > _has_single_step(points)
        possible = {
            gained
            for gained in points
            if low <= remainder - gained <= high and (every_number or (remainder - gained - low) % 2 == 0)
        }
        if possible != points:
            item.ways = [way for way in item.ways if way[side] in possible]
            narrower.append(item)
    return narrower


def _has_single_step(points: set[int]) -> bool:
    return 1 in points and len(points) > 1


def _start(line: str) -> int:
    return len(line) - len(line.lstrip()) + 1
