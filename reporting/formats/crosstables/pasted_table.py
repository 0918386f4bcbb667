"""A crosstable by rounds pasted from a spreadsheet: the cells of each player, and the lines that are not used.

The first column has the numbers of the players. With a line of headings, the columns of the rounds are those whose
heading is a number (``1``, ``R1``, ``Round 1``), others are ignored. Without one they follow the number, or a column of
names: one with text in which no cell is a result.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from reporting.formats.crosstables.entered_table import Place, read_cell
from reporting.rules.report import MAX_ROUNDS, PointsScale

_NUMBER = re.compile(r"[0-9]{1,4}")
_ROUND_HEADING = re.compile(r"(?:r|round|ronde)?\.? ?([1-9][0-9]?)\.?", re.IGNORECASE)


class PasteProblem(StrEnum):
    """Why a line was not used."""

    NO_ROUNDS = "no_rounds"
    REPEATED_ROUND = "repeated_round"
    NO_NUMBER = "no_number"
    UNKNOWN_NUMBER = "unknown_number"
    REPEATED_NUMBER = "repeated_number"
    TOO_MANY_ROUNDS = "too_many_rounds"


@dataclass
class PastedTable:
    """The cells with text, the cells without, and each line that was not used, with its problem."""

    cells: dict[Place, str] = field(default_factory=dict)
    holes: list[Place] = field(default_factory=list)
    unused: list[tuple[str, PasteProblem]] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """The last round with a cell."""
        return max((round_number for _, round_number in self.cells), default=0)


def read_pasted_table(text: str, *, numbers: Collection[int], scale: PointsScale) -> PastedTable:
    """The cells of a pasted table; its columns have tabs or semicolons between them."""
    separator = "\t" if "\t" in text else ";"
    lines = [line for line in text.splitlines() if line.strip(f"{separator} ")]
    rows = [[cell.strip().strip('"').strip() for cell in line.split(separator)] for line in lines]
    table = PastedTable()
    if not rows:
        return table
    if _NUMBER.fullmatch(rows[0][0].removesuffix(".")):
        columns = _columns_without_heading(rows, scale)
    else:
        columns = {
            index: int(match[1])
            for index, heading in enumerate(rows[0])
            if index and (match := _ROUND_HEADING.fullmatch(heading))
        }
        if not columns or len({*columns.values()}) < len(columns):
            whole = PasteProblem.REPEATED_ROUND if columns else PasteProblem.NO_ROUNDS
            table.unused = [(line, whole) for line in lines]
            return table
        rows, lines = rows[1:], lines[1:]
    seen: set[int] = set()
    for line, row in zip(lines, rows, strict=True):
        problem = _problem(row, columns, numbers, seen)
        if problem:
            table.unused.append((line, problem))
            continue
        number = int(row[0].removesuffix("."))
        seen.add(number)
        for index, round_number in columns.items():
            if index < len(row) and row[index]:
                table.cells[number, round_number] = row[index]
            else:
                table.holes.append((number, round_number))
    table.holes = [place for place in table.holes if place[1] <= table.rounds]
    return table


def _columns_without_heading(rows: Sequence[Sequence[str]], scale: PointsScale) -> dict[int, int]:
    """The round of each column."""
    second = [row[1] for row in rows if len(row) > 1 and row[1]]
    first = 2 if second and not any(read_cell(text, scale) for text in second) else 1
    return {index: index - first + 1 for index in range(first, max(map(len, rows)))}


def _problem(
    row: Sequence[str], columns: Mapping[int, int], numbers: Collection[int], seen: Collection[int]
) -> PasteProblem | None:
    if not _NUMBER.fullmatch(row[0].removesuffix(".")):
        return PasteProblem.NO_NUMBER
    number = int(row[0].removesuffix("."))
    if number not in numbers:
        return PasteProblem.UNKNOWN_NUMBER
    if number in seen:
        return PasteProblem.REPEATED_NUMBER
    if any(columns.get(index, 0) > MAX_ROUNDS for index, cell in enumerate(row) if cell):
        return PasteProblem.TOO_MANY_ROUNDS
    return None
