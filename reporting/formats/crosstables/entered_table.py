"""A crosstable by rounds as people type it: cells from games, and games from cells.

A cell has the number of the opponent, the colour and the points of its player, as programs write it: ``44w2``; ``x``
marks a result without a game. The number may follow the colour (``w44 2``) or the points (``2/44w``). Several games of
a round have commas between them. A cell without points (``44w``) is a pair without a result.

A game has two cells. Cells that were not changed follow those that were; two changed cells must agree.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reporting.formats.crosstables.crosstable import EMPTY_MARKS, OUTCOMES, PAUSE_MARKS, cell_values
from reporting.rules.points import HALF_POINT, parse_points, points_text
from reporting.rules.report import PAUSE, PAUSE_POINTS, PointsScale, ReportedGame

PAUSE_CELL = "pause"
_NUMBER = r"(?P<opponent>[0-9]{1,4})"
_COLOUR = r"(?P<colour>[wb])"
_POINTS = r"(?P<result>[012-])"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        f"{_NUMBER} ?{_COLOUR} ?{_POINTS}",
        f"{_COLOUR}{_NUMBER} {_POINTS}",
        f"{_POINTS}/{_NUMBER}{_COLOUR}",
    )
)
_PAIR = re.compile(r"[0-9]{1,4} ?[wb]|[wb] ?[0-9]{1,4}")
_HALVES = re.compile(rf"(.*[wb] ?|[wb][0-9]{{1,4}} )(1|{HALF_POINT}|0)|(1|{HALF_POINT}|0)(/.*)")
_DECIMAL_COMMA = re.compile(r"(?<![0-9])0,5(?! *[0-9wb])")
"""Half a point, where no other game of the round follows the comma."""

Place = tuple[int, int]
"""A cell: the number of its player, and the round."""


class CellProblem(StrEnum):
    """Why a cell cannot be saved."""

    UNREADABLE = "unreadable"
    UNKNOWN_NUMBER = "unknown_number"
    OWN_NUMBER = "own_number"
    NO_RESULT = "no_result"
    OTHER_OPPONENT = "other_opponent"
    OTHER_GAME = "other_game"
    SAME_COLOUR = "same_colour"
    RESULTS = "results"


@dataclass(frozen=True)
class Problem:
    """A problem of a cell, and the values that its sentence names."""

    kind: CellProblem
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class HalfGame:
    """A game as the cell of one player has it; ``points`` is None where the cell has no result."""

    opponent: int
    is_white: bool
    points: int | None
    played: bool


@dataclass
class EnteredTable:
    """The games that cells make, all of the report, and the problems of cells that make none."""

    games: list[ReportedGame] = field(default_factory=list)
    problems: dict[Place, Problem] = field(default_factory=dict)


def cells_of_games(games: Iterable[ReportedGame], scale: PointsScale) -> dict[Place, str]:
    """The cells of these games; a player without a game in a round has none."""
    texts: defaultdict[Place, list[str]] = defaultdict(list)
    for game in games:
        for number, half in _halves(game):
            texts[number, game.round].append(_cell_text(half, scale))
    return {place: ", ".join(cells) for place, cells in texts.items()}


def pair_cell(opponent: int, *, is_white: bool) -> str:
    """The cell of a pair without a result."""
    return f"{opponent}{'w' if is_white else 'b'}"


def read_cell(text: str, scale: PointsScale) -> list[HalfGame] | None:
    """The games of a cell; None where it is not readable."""
    halves = []
    parts = _DECIMAL_COMMA.sub("0.5", text.lower()).split(",")
    for part in (" ".join(part.split()) for part in parts):
        if part in EMPTY_MARKS:
            continue
        half = _half_game(part, scale)
        if half is None:
            return None
        halves.append(half)
    return halves


def read_entered_table(
    games: Sequence[ReportedGame],
    entered: Mapping[Place, str],
    *,
    numbers: Collection[int],
    scale: PointsScale,
    pairs: Collection[tuple[int, int, int]] = (),
) -> EnteredTable:
    """The games of a report after these cells were entered; cells that were not sent stay.

    ``pairs`` (round, white, black) may stay without a result: they are no games yet.
    """
    stored = cells_of_games(games, scale) if entered else {}
    changed = {
        place: text
        for place, text in entered.items()
        if text.strip() != (before := stored.get(place, ""))
        and (not before or read_cell(text, scale) != read_cell(before, scale))
    }
    table = EnteredTable()
    by_round: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for (number, round_number), text in changed.items():
        by_round[round_number][number] = text
    stored_by_round: defaultdict[int, list[ReportedGame]] = defaultdict(list)
    for game in games:
        stored_by_round[game.round].append(game)
    for round_number in sorted(stored_by_round.keys() | by_round.keys()):
        of_round = stored_by_round[round_number]
        if round_number in by_round:
            turn = _Round(round_number, of_round, by_round[round_number], numbers, scale, set(pairs), table)
            of_round = turn.games()
        table.games += of_round
    return table


@dataclass
class _Round:
    """A round with changed cells, by the numbers of their players."""

    number: int
    stored: Sequence[ReportedGame]
    changed: Mapping[int, str]
    numbers: Collection[int]
    scale: PointsScale
    pairs: Collection[tuple[int, int, int]]
    table: EnteredTable

    def games(self) -> list[ReportedGame]:
        self.kept = [game for game in self.stored if not {game.white, game.black} & set(self.changed)]
        self.busy = {side for game in self.kept for side in (game.white, game.black)} - {PAUSE}
        self.halves: dict[int, list[HalfGame]] = {}
        for number, text in self.changed.items():
            halves = read_cell(text, self.scale)
            if halves is None:
                self.add(number, CellProblem.UNREADABLE)
            else:
                self.halves[number] = halves
        new: list[ReportedGame] = []
        for number in sorted(self.halves):
            for half in list(self.halves[number]):
                if half in self.halves[number]:
                    self.halves[number].remove(half)
                    game = self.game(number, half)
                    new += [game] if game else []
        # A changed game stays where it was in the file.
        order = {
            frozenset((game.white, game.black)): index for index, game in reversed([*enumerate(self.stored)])
        }
        return sorted(
            [*self.kept, *new],
            key=lambda game: order.get(frozenset((game.white, game.black)), len(self.stored)),
        )

    def game(self, number: int, half: HalfGame) -> ReportedGame | None:
        opponent = half.opponent
        if opponent == PAUSE:
            return ReportedGame(self.number, number, PAUSE, PAUSE_POINTS, 0, played=False)
        if opponent == number:
            self.add(number, CellProblem.OWN_NUMBER)
        elif opponent not in self.numbers:
            self.add(number, CellProblem.UNKNOWN_NUMBER, number=opponent)
        elif opponent not in self.changed:
            if opponent not in self.busy:
                return self.joined(number, half, None)
            self.disagree(number, opponent, CellProblem.OTHER_GAME)
        elif opponent in self.halves:
            others = self.halves[opponent]
            for other in others:
                if other.opponent == number:
                    others.remove(other)
                    return self.joined(number, half, other)
            self.disagree(number, opponent, CellProblem.OTHER_OPPONENT)
        return None

    def joined(self, number: int, half: HalfGame, other: HalfGame | None) -> ReportedGame | None:
        """The game of one cell, or of two that agree."""
        opponent = half.opponent
        if other and other.is_white == half.is_white:
            self.disagree(number, opponent, CellProblem.SAME_COLOUR)
            return None
        white, black = (number, opponent) if half.is_white else (opponent, number)
        decided = {side: cell for side, cell in ((number, half), (opponent, other)) if cell}
        points = {side: cell.points for side, cell in decided.items() if cell.points is not None}
        if not points:
            if (self.number, white, black) not in self.pairs:
                self.add(number, CellProblem.NO_RESULT)
            return None
        played = {decided[side].played for side in points}
        white_points = points[white] if white in points else 2 - points[black]
        black_points = points[black] if black in points else 2 - white_points
        is_possible = (white_points, black_points) in OUTCOMES and (
            played == {False} or white_points + black_points == 2
        )
        if len(played) > 1 or not is_possible:
            self.disagree(number, opponent, CellProblem.RESULTS)
            return None
        return ReportedGame(self.number, white, black, white_points, black_points, played=played == {True})

    def disagree(self, number: int, opponent: int, kind: CellProblem) -> None:
        """Both cells of a game have the problem; each names the other player."""
        self.add(number, kind, number=opponent)
        self.add(opponent, kind, number=number)

    def add(self, number: int, kind: CellProblem, /, **values: Any) -> None:
        self.table.problems.setdefault((number, self.number), Problem(kind, values))


def _halves(game: ReportedGame) -> list[tuple[int, HalfGame]]:
    """The game as each of its players has it."""
    sides = (
        (game.white, HalfGame(game.black, True, game.white_points, game.played)),
        (game.black, HalfGame(game.white, False, game.black_points, game.played)),
    )
    return [(number, half) for number, half in sides if number != PAUSE]


def _cell_text(half: HalfGame, scale: PointsScale) -> str:
    if half.opponent == PAUSE:
        return PAUSE_CELL
    sign = "" if half.played else "x"
    return f"{pair_cell(half.opponent, is_white=half.is_white)}{points_text(half.points or 0, scale)}{sign}"


def _half_game(text: str, scale: PointsScale) -> HalfGame | None:
    body = text.removesuffix("x").rstrip()
    if _PAIR.fullmatch(text):
        colour = text.strip("0123456789 ")
        body = f"{text.strip('wb ')}{colour}-"
    elif scale == PointsScale.HALVES:
        body = _in_halves(body)
    for pattern in _PATTERNS:
        values = cell_values(body, pattern)
        if values and values[0] != PAUSE:
            return HalfGame(values[0], values[1] == "w", values[2], played=not text.endswith("x"))
        if values and values[2] == PAUSE_POINTS and text in PAUSE_MARKS:
            return HalfGame(PAUSE, True, PAUSE_POINTS, played=False)
    return None


def _in_halves(text: str) -> str:
    """A cell with its points in halves, as the patterns have them."""
    match = _HALVES.fullmatch(text)
    if match is None:
        return text if text in PAUSE_MARKS else ""
    return f"{match[1]}{parse_points(match[2])}" if match[2] else f"{parse_points(match[3])}{match[4]}"
