"""The cells of a crosstable and the games they make: the same for every format that has one.

A cell has opponent, result and mostly the colour, and a game has two cells, one in the line of each player. A cell
names the opponent by place, which is the line in the table; the games read name the tournament number. What the two
cells leave open is decided by the printed totals and by nothing else:

- A dash for the result is a regulatory result; its points are what the totals of both players leave. Where
  one of the two cells has points they count, and the game is still regulatory.
- An empty cell is a pause (2 points) or a round not played (no points).
- If the totals allow more than one answer, that is an error; the reader never chooses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reporting.formats.crosstables.cells import (
    Cell,
    Contradictions,
    game_from_cells,
    games_within_limit,
    pause_from_cell,
)
from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.report import PAUSE, PAUSE_POINTS, ReportedGame, ReportedPlayer
from reporting.rules.sentences import joined

_PAUSE_WORDS = frozenset({"bye", "pause"})
EMPTY_MARKS = frozenset({"", "-", "--"})
PAUSE_MARKS = (_PAUSE_WORDS | EMPTY_MARKS) - {""}
"""What a cell has, or nothing at all, for a round without opponent."""

OUTCOMES = ((2, 0), (0, 2), (1, 1), (0, 0))
"""Points of a regulatory result (Annex 9 art. 11: 2x0 0x2 1x1 0x0)."""


@dataclass(frozen=True)
class CellFormat:
    """How a format writes its cells.

    ``pattern`` has the groups ``opponent``, ``colour`` (w, b or empty) and ``result`` (2, 1, 0 or -) and is
    given small letters; opponent 0 is no opponent. ``case`` is that of the finding for a cell that cannot be read.
    ``pause``, ``not_played``, ``win`` and ``forfeit`` are the cells of a pause, of a round not played, and of the two
    players of a regulatory result. ``article`` is cited with findings, empty for the catalogue's own.
    """

    pattern: re.Pattern[str]
    case: str
    pause: str
    not_played: str
    win: str
    forfeit: str
    article: str = ""


@dataclass(kw_only=True, slots=True, eq=False)
class TableCell(Cell):
    """A cell of the player in this place; ``points`` is None where the printed total has to decide."""

    place: int
    points: int | None


@dataclass
class _Open:
    """Cells that the totals decide, with all points of their places that are still possible."""

    cells: tuple[TableCell, ...]
    ways: list[tuple[int, ...]]


@dataclass
class Crosstable:
    """The cells of one table. First add every player and their cells, then call ``read_games``.

    ``findings`` are those of the reader and are added to. ``undecided`` are the numbers of the players with a cell that
    could not be used.
    """

    cell_format: CellFormat
    findings: ReaderFindings
    by_place: dict[int, ReportedPlayer] = field(default_factory=dict)
    unread_places: set[int] = field(default_factory=set)
    """Places whose line could not be read; cells may name them."""
    undecided: set[int] = field(default_factory=set)
    cells: dict[tuple[int, int], TableCell] = field(default_factory=dict)
    games: list[ReportedGame] = field(default_factory=list)
    lost: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Cells of each place that could not be used."""
    contradictions: Contradictions = field(init=False)

    def __post_init__(self) -> None:
        self.contradictions = Contradictions("opponent-unknown", self.cell_format.article)

    def read_cell(self, place: int, round_number: int, field: FieldText) -> None:
        """Read a cell of the player in this place."""
        values = cell_values(field.text.lower(), self.cell_format.pattern)
        opponent, colour, points = values or (PAUSE, "", None)
        cell = TableCell(
            place=place,
            round=round_number,
            line=field.line,
            column=field.column,
            text=field.text,
            opponent=opponent,
            colour=colour,
            points=points,
        )
        if values is None:
            self.findings.add(
                f"cell-unreadable.{self.cell_format.case}",
                at=field._replace(name=f"r{round_number}"),
                article=self.cell_format.article,
            )
            self.mark_cells_unread((cell,), "cell-unreadable")
            return
        self.cells[place, round_number] = cell

    def mark_cells_unread(self, cells: Iterable[TableCell], key: str) -> None:
        for cell in cells:
            self.undecided.add(self.by_place[cell.place].number)
            self.lost[cell.place] += 1
            piece = FieldText("", cell.text or "(empty)", cell.line, cell.column)
            self.findings.mark_unread(piece, key, round=cell.round)

    def read_games(self) -> tuple[ReportedGame, ...]:
        """Return the games of all cells, each once with both its lines, by round, line and column."""
        left_open: list[_Open] = []
        own_opponents: list[TableCell] = []
        for cell in list(self.cells.values()):
            if cell.opponent == PAUSE:
                self.read_pause(cell, left_open)
                continue
            other = self.cells.get((cell.opponent, cell.round))
            if other is not None and other.opponent == cell.place and other.place < cell.place:
                continue  # read with the cell of the player in the higher place
            if cell.opponent == cell.place:
                own_opponents.append(cell)
            elif other is None:
                self.read_unmatched_cell(cell)
            else:
                self.read_pair(cell, other, left_open)
        moved = self.contradictions.add_findings(
            self.findings, {place: player.number for place, player in self.by_place.items()}
        )
        for cell in own_opponents:
            if cell.place in moved:
                self.mark_cells_unread((cell,), "moved-line")
            else:
                self.add_game(cell, cell, cell.points or 0, cell.points or 0, played=cell.points is not None)
        self.decide(left_open)
        return games_within_limit(self.games, self.findings, self.undecided)

    def read_pause(self, cell: TableCell, left_open: list[_Open]) -> None:
        if cell.points is None:
            left_open.append(_Open((cell,), [(PAUSE_POINTS,), (0,)]))
        else:
            self.add_pause(cell, cell.points)

    def read_unmatched_cell(self, cell: TableCell) -> None:
        if cell.opponent not in self.by_place and cell.opponent not in self.unread_places:
            self.contradictions.add(cell, cell.place)
        self.mark_cells_unread((cell,), "opponent-unread")

    def read_pair(self, cell: TableCell, other: TableCell, left_open: list[_Open]) -> None:
        if other.opponent != cell.place:
            self.add_contradiction(cell, other, needed=str(cell.place))
            self.mark_cells_unread((cell,), "other-opponent")
            return
        if cell.colour and cell.colour == other.colour:
            self.add_contradiction(cell, other, needed=f"{cell.place}{'b' if cell.colour == 'w' else 'w'}")
            self.mark_cells_unread((cell, other), "same-colour")
            return
        if cell.points is not None and other.points is not None:
            if cell.points + other.points == 2:
                self.add_game(cell, other, cell.points, other.points, played=True)
            else:
                self.add_contradiction(cell, other, case="sum")
                self.mark_cells_unread((cell, other), "results-contradict")
            return
        ways: list[tuple[int, ...]] = [
            (one, two) for one, two in OUTCOMES if cell.points in (None, one) and other.points in (None, two)
        ]
        left_open.append(_Open((cell, other), ways))

    def add_contradiction(
        self, cell: TableCell, other: TableCell, *, case: str = "", needed: str = ""
    ) -> None:
        self.contradictions.add(
            cell,
            cell.place,
            line=other.line,
            column=other.column,
            text=other.text,
            case=case if other.text else "empty",
            needed=needed,
        )

    def add_pause(self, cell: TableCell, points: int) -> None:
        """Add a pause; a round not played (no points) is no game."""
        if points == PAUSE_POINTS:
            self.games.append(pause_from_cell(cell, self.by_place[cell.place].number))

    def add_game(
        self, cell: TableCell, other: TableCell, points: int, others_points: int, *, played: bool
    ) -> None:
        one = (cell, self.by_place[cell.place].number, points)
        two = (other, self.by_place[other.place].number, others_points)
        self.games.append(game_from_cells(one, two, played=played))

    # What the totals decide

    def decide(self, left_open: list[_Open]) -> None:
        """Give each open cell its points if the printed totals allow one answer only."""
        left = self.remaining_points({cell for item in left_open for cell in item.cells})
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
        self.settle(left_open, set(left))

    def settle(self, left_open: list[_Open], places_with_total: set[int]) -> None:
        """Add the games that are decided; report the others, once for each place."""
        undecided: defaultdict[tuple[int, int], list[_Open]] = defaultdict(list)
        for item in left_open:
            if len(item.ways) == 1:
                points = item.ways[0]
                if len(item.cells) == 1:
                    self.add_pause(item.cells[0], points[0])
                else:
                    self.add_game(item.cells[0], item.cells[1], points[0], points[1], played=False)
            else:
                undecided[item.cells[0].place, len(item.cells)].append(item)
        # Other findings say why a place has no total or unused cells: what it leaves open follows from that.
        for items in undecided.values():
            open_items = [
                item for item in items if all(cell.place in places_with_total for cell in item.cells)
            ]
            if open_items:
                self.add_undecided_finding(open_items)
            for item in items:
                self.mark_cells_unread(item.cells, "undecided")

    def remaining_points(self, open_cells: set[TableCell]) -> Mapping[int, int]:
        """Return what each printed total leaves for the open cells, without places with a total or cell not read."""
        left = {
            place: player.points_printed
            for place, player in self.by_place.items()
            if player.points_printed is not None and not self.lost[place]
        }
        for cell in self.cells.values():
            if cell.place in left and cell.points is not None and cell not in open_cells:
                left[cell.place] -= cell.points
        return left

    def add_undecided_finding(self, items: list[_Open]) -> None:
        """Report once what the total of a place leaves open: its empty cells, or its regulatory results."""
        cell = items[0].cells[0]
        total = self.by_place[cell.place].points_printed
        rounds = [item.cells[0].round for item in items]
        if len(items[0].cells) == 1:
            self.findings.add(
                "pause-undecided" if cell.text else "pause-undecided.empty",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                cell=cell.text,
                count=len(rounds),
                rounds=joined(rounds),
                total=total,
                pause=self.cell_format.pause,
                not_played=self.cell_format.not_played,
                article=self.cell_format.article,
            )
        else:
            other = items[0].cells[1]
            self.findings.add(
                "forfeit-undecided",
                line=cell.line,
                column=cell.column,
                field=f"r{cell.round}",
                cell=cell.text,
                other=other.text,
                other_line=other.line,
                other_column=other.column,
                count=len(rounds),
                rounds=joined(rounds),
                total=total,
                win=self.cell_format.win,
                forfeit=self.cell_format.forfeit,
                article=self.cell_format.article,
                about=(self.by_place[cell.place].number, self.by_place[other.place].number),
            )


def cell_values(text: str, pattern: re.Pattern[str]) -> tuple[int, str, int | None] | None:
    """Return opponent, colour and points of a cell in small letters, None for any other text."""
    if text in EMPTY_MARKS:
        return PAUSE, "", None
    if text in _PAUSE_WORDS:
        return PAUSE, "", PAUSE_POINTS
    written = pattern.fullmatch(text)
    if written is None:
        return None
    opponent = int(written["opponent"])
    points = None if written["result"] == "-" else int(written["result"])
    if opponent == PAUSE:
        return None if points == 1 else (PAUSE, "", points)
    return opponent, written["colour"], points


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
