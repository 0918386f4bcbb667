"""What every crosstable says in a cell, and what two cells that belong together make.

A game stands in two cells, one in the line of each player; the readers find the pairs. Where the two contradict
each other, ``Contradictions`` looks for what they have in common: a line that is missing or has moved is one
finding, not one for each of its cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reporting.rules.findings import FindingList, joined
from reporting.rules.report import MAX_GAMES, PAUSE, PAUSE_POINTS, ReportedGame

MIN_GROUPED_FINDINGS = 3
"""Contradictions of one player's cells from which on the line is told, not each cell."""

MAX_SEPARATE_FINDINGS = 3
"""Names or contradictions told one by one; where more of them concern half of the lines, the table has moved."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a round: where its text begins, and what it says.

    ``opponent`` is the number by which the form names him, PAUSE for nobody. ``colour`` is w, b, or empty where
    the form does not say it.
    """

    round: int
    line: int
    column: int
    text: str
    opponent: int
    colour: str


def pause_from_cell(cell: Cell, number: int) -> ReportedGame:
    """Return the pause that a cell gives the player with this number."""
    return ReportedGame(
        round=cell.round,
        white=number,
        black=PAUSE,
        white_points=PAUSE_POINTS,
        black_points=0,
        played=False,
        lines=(cell.line,),
        columns=(cell.column,),
    )


def game_from_cells(mine: tuple[Cell, int, int], his: tuple[Cell, int, int], *, played: bool) -> ReportedGame:
    """Return the game of two cells, each with the number of its player and his points.

    The first is white where neither says a colour.
    """
    (cell, _, _), (other, _, _) = mine, his
    white, black = (his, mine) if cell.colour == "b" or other.colour == "w" else (mine, his)
    places = sorted({(cell.line, cell.column), (other.line, other.column)})
    return ReportedGame(
        round=cell.round,
        white=white[1],
        black=black[1],
        white_points=white[2],
        black_points=black[2],
        played=played,
        colours_known=bool(cell.colour or other.colour),
        lines=tuple(line for line, _ in places),
        columns=tuple(column for _, column in places),
    )


def games_within_limit(
    games: list[ReportedGame], findings: FindingList, undecided: set[int]
) -> tuple[ReportedGame, ...]:
    """Return the games by round, line and column, no more than are read; of the players of others no sum is made."""
    ordered = sorted(games, key=lambda game: (game.round, game.line, game.column))
    if len(ordered) > MAX_GAMES:
        first = ordered[MAX_GAMES]
        findings.add("limit-games", line=first.line, column=first.column, limit=MAX_GAMES, about=())
        for game in ordered[MAX_GAMES:]:
            undecided |= {game.white, game.black} - {PAUSE}
    return tuple(ordered[:MAX_GAMES])


class Contradiction(NamedTuple):
    """A cell that the line of the opponent contradicts, and the other cell of its game.

    ``line`` is 0 where the opponent has no line. ``case`` is that of the finding for this cell alone, ``needed`` what
    the other cell would have to say.
    """

    cell: Cell
    own: int
    line: int
    column: int
    text: str
    case: str
    needed: str


@dataclass
class Contradictions:
    """The cells that contradict others, by what the format calls the players: places, or tournament numbers.

    Add them all, then ``add_findings``. ``unknown_key`` is the finding for a player that the table does not have,
    ``article`` is cited, empty for the catalogue's own.
    """

    unknown_key: str
    article: str
    found: list[Contradiction] = field(default_factory=list)

    def add(
        self,
        cell: Cell,
        own: int,
        *,
        line: int = 0,
        column: int = 0,
        text: str = "",
        case: str = "",
        needed: str = "",
    ) -> None:
        """Add a cell of the player called ``own`` and the other cell of its game."""
        self.found.append(Contradiction(cell, own, line, column, text, case, needed))

    def add_findings(self, findings: FindingList, numbers: Mapping[int, int]) -> frozenset[int]:
        """Add the findings; return whose lines were told as a whole, among them names that nobody has.

        ``numbers`` gives the number of each player by what the form calls them. Names that nobody has come first,
        then those in most contradictions, each with all of its own.
        """
        of_name: defaultdict[int, list[int]] = defaultdict(list)
        for turn, each in enumerate(self.found):
            for name in {each.own, each.cell.opponent}:
                of_name[name].append(turn)
        told: set[int] = set()
        groups: dict[int, list[Contradiction]] = {}
        alone: list[Contradiction] = []
        for name in sorted(of_name, key=lambda name: (name in numbers, -len(of_name[name]), name)):
            mine = [turn for turn in of_name[name] if turn not in told]
            told.update(mine)
            if len(mine) >= MIN_GROUPED_FINDINGS or (mine and name not in numbers):
                groups[name] = [self.found[turn] for turn in mine]
            else:
                alone += [self.found[turn] for turn in mine]
        strangers = [name for name in groups if name not in numbers]
        concerned = {each.own for each in self.found} | {
            each.cell.opponent for each in self.found if each.line
        }
        told_apart = len(groups) - len(strangers) + len(alone)
        if told_apart > MAX_SEPARATE_FINDINGS and 2 * len(concerned) > len(numbers):
            self.add_moved_rows_finding(findings, numbers)
            return frozenset(numbers)
        if len(strangers) > MAX_SEPARATE_FINDINGS:
            self.add_unknown_opponents_finding(
                findings, numbers, strangers, [each for name in strangers for each in groups[name]]
            )
        else:
            for name in strangers:
                self.add_unknown_opponents_finding(findings, numbers, [name], groups[name])
        for name, own in groups.items():
            if name in numbers:
                self.add_row_finding(findings, name, numbers[name], own)
        for each in alone:
            self.add_single_finding(findings, numbers, each)
        return frozenset(groups)

    def add_single_finding(
        self, findings: FindingList, numbers: Mapping[int, int], each: Contradiction
    ) -> None:
        cell = each.cell
        findings.add(
            f"cells-disagree.{each.case}" if each.case else "cells-disagree",
            line=cell.line,
            column=cell.column,
            field=f"r{cell.round}",
            cell=cell.text,
            other=each.text,
            other_line=each.line,
            other_column=each.column,
            needed=each.needed,
            article=self.article,
            about=(numbers[each.own], numbers[cell.opponent]),
        )

    def add_row_finding(
        self, findings: FindingList, name: int, number: int, mine: list[Contradiction]
    ) -> None:
        """Say once that a player's cells do not fit those of the opponents."""
        own = [each for each in mine if each.own == name]
        rounds = sorted({each.cell.round for each in mine})
        line, column = min(
            [(each.cell.line, each.cell.column) for each in own]
            or [(each.line, each.column) for each in mine]
        )
        findings.add(
            "cells-disagree.line",
            line=line,
            column=column,
            field=f"r{rounds[0]}",
            count=len(rounds),
            rounds=joined(rounds),
            article=self.article,
            about=(number,),
        )

    def add_unknown_opponents_finding(
        self, findings: FindingList, numbers: Mapping[int, int], names: list[int], mine: list[Contradiction]
    ) -> None:
        """Say once that cells name players whom the table does not have."""
        first = min(mine, key=lambda each: (each.cell.line, each.cell.column)).cell
        lines = sorted({each.cell.line for each in mine})
        findings.add(
            self.unknown_key,
            line=first.line,
            column=first.column,
            field=f"r{first.round}",
            found=first.text,
            cells=len(mine),
            unknown=joined(sorted(names)),
            lines=joined(lines),
            last=max(numbers),
            article=self.article,
            about=None if len(mine) == 1 else (),
        )

    def add_moved_rows_finding(self, findings: FindingList, numbers: Mapping[int, int]) -> None:
        """Say once that the lines of the table do not fit each other."""
        first = min(self.found, key=lambda each: (each.cell.line, each.cell.column))
        lines = {each.cell.line for each in self.found}
        strangers = sorted({each.cell.opponent for each in self.found} - set(numbers))
        findings.add(
            "cells-disagree.table-unknown" if strangers else "cells-disagree.table",
            line=first.cell.line,
            column=first.cell.column,
            field=f"r{first.cell.round}",
            lines=len(lines),
            players=len(numbers),
            unknown=joined(strangers),
            article=self.article,
            about=(),
        )
