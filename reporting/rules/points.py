"""Points as people read them. They are stored in halves: a win is 2, a draw 1, a loss 0."""

import re
from collections.abc import Collection, Mapping, Sequence

from reporting.rules.report import PointsScale

HALF_POINT = "½|0[.,]5"
"""How people write half a point: a pattern."""
_POINTS = re.compile(r"([0-9]{1,3})(?:[.,]([05]))?|([0-9]{0,3})½")


def parse_points(text: str) -> int | None:
    """Return points as people write them, in halves: `1`, `1.5`, `1,5` or `1½`; None for anything else.

    For text that no comma divides: a cell, or columns of a fixed width.
    """
    written = _POINTS.fullmatch(text)
    if written is None:
        return None
    whole, decimal, before_half = written.groups()
    return 2 * int(whole or before_half or 0) + (whole is None or decimal == "5")


def points_text(halves: int, scale: PointsScale | str, *, in_file: bool = False) -> str:
    """Return points, given in halves, by the scale of their tournament: `3` in 2-1-0, `1½` in 1-½-0.

    Files have `1.5` in place of `1½`.
    """
    if scale != PointsScale.HALVES:
        return str(halves)
    whole, half = divmod(halves, 2)
    if in_file:
        return f"{whole}.5" if half else str(whole)
    return f"{whole or ''}½" if half else str(whole)


def result_text(
    white: int, black: int, scale: PointsScale | str, *, sign: str = "-", in_file: bool = False
) -> str:
    """Return a result, its points given in halves, by the scale of the tournament: `2-0`, or `1-0`, `½-½`.

    `sign` is x for a result without a game.
    """
    return f"{points_text(white, scale, in_file=in_file)}{sign}{points_text(black, scale, in_file=in_file)}"


def draw_sign(plus_draws: Collection[tuple[int, ...]], turn: int, game: int, own: int, other: int) -> str:
    """Return how a game is marked for one of its players: + for a plus draw, − for a minus draw.

    `plus_draws` are round, game of the round, number of the player with the advantage, number of the other.
    """
    if (turn, game, own, other) in plus_draws:
        return "+"
    return "−" if (turn, game, other, own) in plus_draws else ""


def places_with_fewer_points(placed: Sequence[tuple[int, int]]) -> Mapping[int, int]:
    """The places that contradict the points: place → the first later place of a player with more points.

    `placed` has the place and the points of each player, in the order of the places.
    """
    found: dict[int, int] = {}
    most_behind = 0
    for at in range(len(placed) - 1, -1, -1):
        place, points = placed[at]
        if points < most_behind:
            found[place] = next(
                later for later, others in placed[at + 1 :] if later > place and others > points
            )
        most_behind = max(most_behind, points)
    return found
