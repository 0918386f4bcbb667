"""Cross tables for tests of tie-breaks, written as people write them."""

import re
from collections.abc import Sequence

import numpy as np

from reporting.rules.standings.cross_table import NONE, CrossTable, Kind

_CELL = re.compile(r"(?P<opponent>\d+)(?P<how>[wbx])(?P<points>[012])")
_BYES = {"+": (Kind.PAUSE, 2), "=": (Kind.HALF_POINT_BYE, 1), "-": (Kind.ABSENT, 0)}


def cross_table(
    rows: Sequence[str], *, ratings: Sequence[int] = (), halves_a_point: int = 1, round_robin: bool = False
) -> CrossTable:
    """Return the table of players 1, 2, …: a cell is `3w2` (opponent, colour, points), `3x0` without a game,
    `+` a pause, `=` a half-point bye, `-` a missed round. Only the own points of each row are checked by nothing."""
    cells = [row.split() for row in rows]
    shape = (len(cells), max(map(len, cells)))
    opponents = np.full(shape, NONE)
    kinds, points, colours = (
        np.full(shape, Kind.ABSENT),
        np.zeros(shape, dtype=np.int64),
        np.zeros(shape, dtype=np.int64),
    )
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            if text in _BYES:
                kinds[row, column], points[row, column] = _BYES[text]
                continue
            cell = _CELL.fullmatch(text)
            assert cell, text
            opponents[row, column] = int(cell["opponent"]) - 1
            kinds[row, column] = Kind.FORFEIT if cell["how"] == "x" else Kind.PLAYED
            points[row, column] = int(cell["points"])
            colours[row, column] = {"w": 1, "b": -1, "x": 0}[cell["how"]]
    return CrossTable(
        numbers=np.arange(1, len(cells) + 1),
        names=tuple(f"Player {number}" for number in range(1, len(cells) + 1)),
        ratings=np.array(list(ratings) or [NONE] * len(cells)),
        opponents=opponents, kinds=kinds, points=points, colours=colours, halves_a_point=halves_a_point,
        round_robin=round_robin,
    )  # fmt: skip


def against(
    opponents: Sequence[tuple[float, str]], *, ratings: Sequence[int] = (), own_rating: int = NONE
) -> CrossTable:
    """Return a table in which player 1 met players 2, 3, … of given final scores (chess points, all from games).

    An entry is the score of the opponent and the own result: `1`, `=`, `0`, or `+` and `-` without a game.
    """
    rounds = len(opponents)
    shape = (rounds + 1, rounds)
    kinds, points = np.full(shape, Kind.PLAYED), np.zeros(shape, dtype=np.int64)
    met = np.zeros(shape, dtype=np.int64)
    met[0] = np.arange(1, rounds + 1)
    for place, (score, result) in enumerate(opponents):
        points[0, place] = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0}[result]
        if result in "+-":
            kinds[0, place] = Kind.FORFEIT
        points[place + 1, 0] = int(2 * score)
    return CrossTable(
        numbers=np.arange(1, rounds + 2),
        names=tuple(f"Player {number}" for number in range(1, rounds + 2)),
        ratings=np.array([own_rating, *(ratings or [NONE] * rounds)]),
        opponents=met, kinds=kinds, points=points, colours=np.zeros(shape, dtype=np.int64), halves_a_point=2,
    )  # fmt: skip
