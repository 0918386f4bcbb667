"""What every crosstable says in a cell, and what two cells that belong together make.

A game stands in two cells, one in the line of each player; the readers find the pairs.
"""

from dataclasses import dataclass

from reporting.formats.values import PAUSE, POINTS_OF_A_PAUSE, ReportedGame
from reporting.rules.findings import FindingList


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


def pause_of(cell: Cell, number: int) -> ReportedGame:
    """Return the pause that a cell gives the player with this number."""
    return ReportedGame(
        round=cell.round,
        white=number,
        black=PAUSE,
        white_points=POINTS_OF_A_PAUSE,
        black_points=0,
        played=False,
        lines=(cell.line,),
        columns=(cell.column,),
    )


def game_of(mine: tuple[Cell, int, int], his: tuple[Cell, int, int], *, played: bool) -> ReportedGame:
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


def disagree(
    findings: FindingList, cell: Cell, *, line: int, column: int, text: str, expected: str, article: str
) -> None:
    """Say that a cell and the other one of its game, whose place and text are given, contradict each other."""
    findings.error(
        "cells-disagree",
        f"The two cells of this game contradict each other; the other one is on line {line}, column {column}.",
        line=cell.line,
        column=cell.column,
        field=f"r{cell.round}",
        found=f"{cell.text} here, {text} there",
        expected=expected,
        suggestion="Look the game up on the score sheet and correct one of the two cells.",
        article=article,
    )
