"""The results in a TRF16 file: the cells of the line of a player, and the games that two of them make.

A cell names the opponent by tournament number; what a report cannot have, such as half a point, is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from reporting.formats.crosstables.cells import (
    Cell,
    Contradictions,
    game_from_cells,
    games_within_limit,
    pause_from_cell,
)
from reporting.formats.tables.field_parsers import NUMBER_DIGITS, read_number
from reporting.formats.tables.table import FieldText, ReaderFindings, text_column
from reporting.formats.trf.points import PointSystem
from reporting.rules.report import MAX_ROUNDS, PAUSE, PointsScale, ReportedGame, ReportedPlayer

FIRST_ROUND, ROUND_WIDTH = 92, 10
"""The column in which the first round begins, and the columns of each round."""

AFTER_LAST_ROUND = FIRST_ROUND + ROUND_WIDTH * MAX_ROUNDS

_OPPONENT, _COLOUR, _RESULT = slice(0, 4), slice(5, 6), slice(7, 8)

_FULL_BYE, _PAIRING_BYE, _HALF_BYE, _ABSENT = "F", "U", "H", frozenset({"Z", "-", ""})
_FORFEIT_WIN = "+"
_BYES = {_FULL_BYE, _PAIRING_BYE, _HALF_BYE} | _ABSENT
"""Results without an opponent; all but the first two kinds give no points."""

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

_OWN_POINTS = {"1": 2, "+": 2, "W": 2, _FULL_BYE: 2, "=": 1, "D": 1, _HALF_BYE: 1}
"""What the letter of a cell gives its player in 2-1-0; the others give nothing, a bye by the pairing its own points."""

_WITH_OPPONENT = frozenset(result for pair in _OUTCOMES for result in pair)
_RESULTS = _WITH_OPPONENT | _BYES
_ALONE = _BYES | {_FORFEIT_WIN}
_UNRATED = frozenset("WDL")

_KINDS_OF_299 = {
    "W": ("1W", "W"),
    "D": ("=D", "D"),
    "L": ("0L", "L"),
    "F": ("F", "W"),
    "H": ("H", "D"),
    "Z": ("Z", "A"),
    "+": ("+", "W"),
    "-": ("-", "A"),
}
"""The results that a type of line 299 is about, and their points in line 162."""

_ARTICLE = "Annex 9 art. 4.1, 11; R8, R20"


@dataclass(kw_only=True, slots=True, eq=False)
class _Cell(Cell):
    """A cell of the player with this number; ``begins`` is the first column of the round."""

    number: int
    begins: int
    result: str


@dataclass
class Cells:
    """The cells of one file. First add every player and their cells, set the ``scale``, then call ``read_games``.

    ``findings`` are those of the reader and are added to. ``points`` is what the file says of its points. ``scale`` is
    that of the points column: only in 1-0.5-0 a bye can give half a point.
    """

    findings: ReaderFindings
    points: PointSystem
    scale: PointsScale = PointsScale.WHOLE
    by_number: dict[int, ReportedPlayer] = field(default_factory=dict)
    repeated: set[int] = field(default_factory=set)
    """Numbers on more than one line."""
    unread_numbers: set[int] = field(default_factory=set)
    """Numbers whose line is shifted: their own results are unknown."""
    is_number_missing: bool = False
    undecided: set[int] = field(default_factory=set)
    """Numbers of the players with a cell that could not be used."""
    cells: dict[tuple[int, int], _Cell] = field(default_factory=dict)
    unread_cells: set[tuple[int, int]] = field(default_factory=set)
    games: list[ReportedGame] = field(default_factory=list)
    is_of_teams: bool = False
    """Whether a win without an opponent is a game that a team won without one; set before ``read_games``."""
    contradictions: Contradictions = field(init=False)

    def __post_init__(self) -> None:
        self.contradictions = Contradictions("opponent-unknown.number", _ARTICLE)

    def add_player(self, player: ReportedPlayer, line: str) -> None:
        """Add a player with the cells of the line."""
        if self.by_number.setdefault(player.number, player) is not player:
            self.repeated.add(player.number)
        self.read_cells(player.number, player.line, line)

    def read_cells(self, number: int, line_number: int, line: str) -> None:
        over = line[AFTER_LAST_ROUND - 1 :].strip()
        if over:
            piece = FieldText("", over, line_number, AFTER_LAST_ROUND)
            self.findings.exceeds("limit-rounds", MAX_ROUNDS, MAX_ROUNDS + 1, at=piece)
            self.findings.mark_unread(piece, "over-limit")
            self.undecided.add(number)
        for index in range(MAX_ROUNDS):
            begins = FIRST_ROUND + index * ROUND_WIDTH
            part = line[begins - 1 : begins - 1 + ROUND_WIDTH]
            if not part:
                return
            text = part.strip()
            if not text:
                continue  # the same as a bye without points
            opponent = read_number(part[_OPPONENT].strip() or "0", digits=NUMBER_DIGITS)
            cell = _Cell(
                number=number,
                round=index + 1,
                line=line_number,
                column=begins + text_column(part) - 1,
                begins=begins,
                text=text,
                opponent=opponent or PAUSE,
                colour=part[_COLOUR].lower().strip(" -"),
                result=part[_RESULT].upper().strip(),
            )
            fault = _fault(cell, opponent)
            if fault:
                self.add_unreadable_cell(cell, *fault)
            elif number in self.repeated:
                self.mark_cells_unread("number-repeated", cell)
            else:
                self.cells[number, index + 1] = cell

    def add_unreadable_cell(self, cell: _Cell, offset: int, case: str) -> None:
        self.findings.add(
            f"cell-unreadable.trf16-{case}",
            line=cell.line,
            column=cell.begins + offset,
            field=f"r{cell.round}",
            found=cell.text,
        )
        self.mark_cells_unread("cell-unreadable", cell)

    def own_sums(self) -> dict[int, int]:
        """Points in 2-1-0 of each player by the letters of the own cells alone."""
        sums = dict.fromkeys(self.by_number, 0)
        for cell in self.cells.values():
            sums[cell.number] += (
                self.points.bye("P", 2) if cell.result == _PAIRING_BYE else _OWN_POINTS.get(cell.result, 0)
            )
        return sums

    def contradicted(self) -> set[int]:
        """The numbers with a cell that the opponent's cell does not answer, before ``read_games`` says so."""
        numbers: set[int] = set()
        for cell in self.cells.values():
            if cell.opponent == PAUSE:
                continue
            other = self.cells.get((cell.opponent, cell.round))
            if other is None or other.opponent != cell.number or (cell.result, other.result) not in _OUTCOMES:
                numbers.add(cell.number)
        return numbers

    def extra_halves(self) -> Iterator[tuple[int, int]]:
        """Printed halves that line 162 gives for absences and byes by the pairing, beyond what they are read as."""
        absence = self.points.printed("A", self.scale)
        bye = self.points.printed("P", self.scale)
        bye -= self.points.bye("P", 2) * self.points.printed("D", self.scale)
        rounds = max((round_ for _, round_ in self.cells), default=0)
        for number in self.by_number if absence or bye else ():
            own = [self.cells.get((number, round_)) for round_ in range(1, rounds + 1)]
            yield number, sum(absence for cell in own if cell is None or cell.result in _ABSENT)
            yield number, sum(bye for cell in own if cell and cell.result == _PAIRING_BYE)

    def printed_halves(self, number: int, kind: str, turn: int) -> list[int]:
        """What the results of this kind of line 299 give a player by the scale, in printed halves; turn 0 is any."""
        letters, value = _KINDS_OF_299.get(kind, ("", ""))
        return [
            self.points.printed(value, self.scale)
            for round_ in ([turn] if turn else range(1, MAX_ROUNDS + 1))
            if (cell := self.cells.get((number, round_))) and cell.result and cell.result in letters
        ]

    def add_bye(self, number: int, turn: int, kind: str, line_number: int, line: str) -> str | None:
        """Add a bye of line 240 where the round of the player is empty; else return the cell that says otherwise."""
        cell = self.cells.get((number, turn))
        if cell is not None:
            return None if cell.opponent == PAUSE and (cell.result or "Z") == kind else cell.text
        if kind != "Z" and number in self.by_number and (number, turn) not in self.unread_cells:
            self.cells[number, turn] = _Cell(
                number=number,
                round=turn,
                line=line_number,
                column=1,
                begins=1,
                text=line.strip(),
                opponent=PAUSE,
                colour="",
                result=kind,
            )
        return None

    def mark_cells_unread(self, key: str, *cells: _Cell) -> None:
        for cell in cells:
            self.undecided.add(cell.number)
            self.unread_cells.add((cell.number, cell.round))
            piece = FieldText("", cell.text, cell.line, cell.column)
            self.findings.mark_unread(piece, key, round=cell.round)

    def read_games(self) -> tuple[ReportedGame, ...]:
        """Return the games of all cells, each once with both its lines, by round, line and column."""
        for cell in self.cells.values():
            other = self.cells.get((cell.opponent, cell.round))
            if cell.opponent == PAUSE:
                self.read_bye(cell)
            elif cell.opponent == cell.number:
                self.findings.add(
                    "self-play.cell",
                    line=cell.line,
                    column=cell.column,
                    field=f"r{cell.round}",
                    found=cell.text,
                )
                self.mark_cells_unread("self-play", cell)
            elif other is None or {cell.number, cell.opponent} & self.repeated:
                self.read_unmatched_cell(cell)
            elif other.opponent == cell.number and other.line < cell.line:
                continue  # read with the cell of the upper line
            else:
                self.read_pair(cell, other)
        self.contradictions.add_findings(self.findings, {number: number for number in self.by_number})
        return games_within_limit(self.games, self.findings, self.undecided)

    def read_bye(self, cell: _Cell) -> None:
        """Read a bye: a full one is a pause, one without points is no game, one of half a point may be a finding."""
        points = self.points.bye("P", 2) if cell.result == _PAIRING_BYE else _OWN_POINTS.get(cell.result, 0)
        if cell.result == _FORFEIT_WIN and not self.is_of_teams:
            self.add_unreadable_cell(cell, _RESULT.start, "only-result")
        elif points == 1 and self.scale is PointsScale.WHOLE:
            self.findings.add(
                "half-point-bye",
                line=cell.line,
                column=cell.begins + _RESULT.start,
                field=f"r{cell.round}",
                found=cell.text,
            )
            self.mark_cells_unread("half-point-bye", cell)
        elif points:
            self.games.append(pause_from_cell(cell, cell.number, points=points))

    def read_unmatched_cell(self, cell: _Cell) -> None:
        known = cell.opponent in self.by_number
        is_reported = (
            (cell.opponent, cell.round) in self.unread_cells
            or cell.opponent in self.unread_numbers
            or {cell.number, cell.opponent} & self.repeated
            or (not known and self.is_number_missing)
        )
        if known and not is_reported:
            line = self.by_number[cell.opponent].line
            self.contradictions.add(
                cell, cell.number, line=line, column=cell.begins, case="empty", needed=str(cell.number)
            )
        elif not is_reported:
            self.contradictions.add(cell, cell.number)
        self.mark_cells_unread("opponent-unread", cell)

    def read_pair(self, cell: _Cell, other: _Cell) -> None:
        if other.opponent != cell.number:
            self.add_contradiction(cell, other, str(cell.number))
            self.mark_cells_unread("other-opponent", cell)
            return
        if cell.colour and cell.colour == other.colour:
            self.add_contradiction(cell, other, "b" if cell.colour == "w" else "w")
            self.mark_cells_unread("same-colour", cell, other)
            return
        outcome = _OUTCOMES.get((cell.result, other.result))
        if outcome is None:
            self.add_contradiction(
                cell, other, " / ".join(answer for result, answer in _OUTCOMES if result == cell.result)
            )
            self.mark_cells_unread("results-contradict", cell, other)
            return
        if cell.result in _UNRATED:
            self.add_not_rated_finding(cell, other)
        points, others_points, played = outcome
        self.games.append(
            game_from_cells((cell, cell.number, points), (other, other.number, others_points), played=played)
        )

    def add_contradiction(self, cell: _Cell, other: _Cell, needed: str) -> None:
        self.contradictions.add(
            cell, cell.number, line=other.line, column=other.column, text=other.text, needed=needed
        )

    def add_not_rated_finding(self, cell: _Cell, other: _Cell) -> None:
        self.findings.add(
            "game-not-rated",
            line=cell.line,
            column=cell.begins + _RESULT.start,
            field=f"r{cell.round}",
            cell=cell.result,
            other=other.result,
            other_line=other.line,
            other_column=other.column,
            about=(cell.number, other.number),
        )


def _fault(cell: _Cell, number: int | None) -> tuple[int, str] | None:
    """Return the offset and the case of the finding for a cell that cannot be read, None for any other.

    ``number`` is that of the opponent, None where it cannot be read.
    """
    if number is None:
        fault = 0, "opponent"
    elif cell.colour not in ("w", "b", ""):
        fault = _COLOUR.start, "colour"
    elif cell.result not in _RESULTS:
        fault = _RESULT.start, "result"
    elif number == PAUSE and cell.colour:
        fault = _COLOUR.start, "only-colour"
    elif number == PAUSE and cell.result not in _ALONE:
        fault = _RESULT.start, "only-result"
    elif number != PAUSE and cell.result not in _WITH_OPPONENT:
        fault = _RESULT.start, "bye" if cell.result else "no-result"
    else:
        return None
    return fault
