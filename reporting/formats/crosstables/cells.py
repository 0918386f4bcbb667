"""The cell of a crosstable, the game that two cells make, and cells that contradict each other.

A game has two cells, one in the line of each player; the readers find the pairs. ``Contradictions`` looks for the
common cause of contradictions: a line that is missing or has moved is one finding, not one for each of its cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reporting.rules.findings.finding_list import FindingList
from reporting.rules.report import MAX_GAMES, PAUSE, PAUSE_POINTS, ReportedGame
from reporting.rules.sentences import joined

MIN_GROUPED_FINDINGS = 3
"""From this number of contradictions of one player on there is one finding for the line, not one for each cell."""

MAX_SEPARATE_FINDINGS = 3
"""Names or contradictions with a finding of their own; if more concern half of the lines, the table has moved."""


@dataclass(kw_only=True, slots=True, eq=False)
class Cell:
    """A cell of a round: where its text begins, and its values.

    ``opponent`` is what the format calls the opponent, PAUSE for none. ``colour`` is w, b, or empty if the format does
    not have it.
    """

    round: int
    line: int
    column: int
    text: str
    opponent: int
    colour: str


def pause_from_cell(cell: Cell, number: int, points: int = PAUSE_POINTS) -> ReportedGame:
    """Return the pause that a cell gives the player with this number, or a bye of other points."""
    return ReportedGame(
        round=cell.round,
        white=number,
        black=PAUSE,
        white_points=points,
        black_points=0,
        played=False,
        lines=(cell.line,),
        columns=(cell.column,),
    )


def game_from_cells(one: tuple[Cell, int, int], two: tuple[Cell, int, int], *, played: bool) -> ReportedGame:
    """Return the game of two cells, each with the number and the points of its player.

    The first one is white if neither cell has a colour.
    """
    (cell, _, _), (other, _, _) = one, two
    white, black = (two, one) if cell.colour == "b" or other.colour == "w" else (one, two)
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
    """Return the games by round, line and column up to the limit; players of others are undecided."""
    ordered = sorted(games, key=lambda game: (game.round, game.line, game.column))
    if len(ordered) > MAX_GAMES:
        first = ordered[MAX_GAMES]
        findings.add(
            "limit-games",
            line=first.line,
            column=first.column,
            limit=MAX_GAMES,
            count=len(ordered),
            about=(),
        )
        for game in ordered[MAX_GAMES:]:
            undecided |= {game.white, game.black} - {PAUSE}
    return tuple(ordered[:MAX_GAMES])


class Contradiction(NamedTuple):
    """A cell that the line of the opponent contradicts, and the other cell of its game.

    ``line`` is 0 if the opponent has no line. ``case`` is that of the finding for this cell alone, ``needed`` what
    belongs into the other cell.
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

    First ``add`` all of them, then ``add_findings``. ``unknown_key`` is the finding for a player not in the table,
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
        """Add the findings; return the names whose lines have one finding as a whole, unknown names among them.

        ``numbers`` gives the number of each player by what the format calls the player. Unknown names come first, then
        those with the most contradictions, each with all of its own.
        """
        of_name: defaultdict[int, list[int]] = defaultdict(list)
        for index, item in enumerate(self.found):
            for name in {item.own, item.cell.opponent}:
                of_name[name].append(index)
        reported: set[int] = set()
        groups: dict[int, list[Contradiction]] = {}
        alone: list[Contradiction] = []
        for name in sorted(of_name, key=lambda name: (name in numbers, -len(of_name[name]), name)):
            indexes = [index for index in of_name[name] if index not in reported]
            reported.update(indexes)
            if len(indexes) >= MIN_GROUPED_FINDINGS or (indexes and name not in numbers):
                groups[name] = [self.found[index] for index in indexes]
            else:
                alone += [self.found[index] for index in indexes]
        unknown = [name for name in groups if name not in numbers]
        concerned = {item.own for item in self.found} | {
            item.cell.opponent for item in self.found if item.line
        }
        separate = len(groups) - len(unknown) + len(alone)
        if separate > MAX_SEPARATE_FINDINGS and 2 * len(concerned) > len(numbers):
            self.add_moved_rows_finding(findings, numbers)
            return frozenset(numbers)
        if len(unknown) > MAX_SEPARATE_FINDINGS:
            self.add_unknown_opponents_finding(
                findings, numbers, unknown, [item for name in unknown for item in groups[name]]
            )
        else:
            for name in unknown:
                self.add_unknown_opponents_finding(findings, numbers, [name], groups[name])
        for name, own in groups.items():
            if name in numbers:
                self.add_row_finding(findings, name, numbers[name], own)
        for item in alone:
            self.add_single_finding(findings, numbers, item)
        return frozenset(groups)

    def add_single_finding(
        self, findings: FindingList, numbers: Mapping[int, int], item: Contradiction
    ) -> None:
        cell = item.cell
        findings.add(
            f"cells-disagree.{item.case}" if item.case else "cells-disagree",
            line=cell.line,
            column=cell.column,
            field=f"r{cell.round}",
            cell=cell.text,
            other=item.text,
            other_line=item.line,
            other_column=item.column,
            needed=item.needed,
            article=self.article,
            about=(numbers[item.own], numbers[cell.opponent]),
        )

    def add_row_finding(
        self, findings: FindingList, name: int, number: int, items: list[Contradiction]
    ) -> None:
        """Report once that the cells of a player contradict those of the opponents."""
        own = [item for item in items if item.own == name]
        rounds = sorted({item.cell.round for item in items})
        line, column = min(
            [(item.cell.line, item.cell.column) for item in own]
            or [(item.line, item.column) for item in items]
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
        self, findings: FindingList, numbers: Mapping[int, int], names: list[int], items: list[Contradiction]
    ) -> None:
        """Report once that cells name players who are not in the table."""
        first = min(items, key=lambda item: (item.cell.line, item.cell.column)).cell
        lines = sorted({item.cell.line for item in items})
        findings.add(
            self.unknown_key,
            line=first.line,
            column=first.column,
            field=f"r{first.round}",
            found=first.text,
            cells=len(items),
            unknown=joined(sorted(names)),
            lines=joined(lines),
            last=max(numbers),
            article=self.article,
            about=None if len(items) == 1 else (),
        )

    def add_moved_rows_finding(self, findings: FindingList, numbers: Mapping[int, int]) -> None:
        """Report once that the lines of the table contradict each other."""
        first = min(self.found, key=lambda item: (item.cell.line, item.cell.column))
        lines = {item.cell.line for item in self.found}
        unknown = sorted({item.cell.opponent for item in self.found} - set(numbers))
        findings.add(
            "cells-disagree.table-unknown" if unknown else "cells-disagree.table",
            line=first.cell.line,
            column=first.cell.column,
            field=f"r{first.cell.round}",
            lines=len(lines),
            players=len(numbers),
            unknown=joined(unknown),
            article=self.article,
            about=(),
        )
