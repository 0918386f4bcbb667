"""Berger tables: who meets whom in each round of a round robin, and with which colour (R56)."""

from collections.abc import Sequence

MIN_PLAYERS, MAX_PLAYERS = 3, 40
"""Groups that are paired by table."""


def berger_rounds(numbers: Sequence[int], *, double: bool = False) -> list[list[tuple[int, int]]]:
    """The pairs of each round, White first, in the order of the table of the FIDE Handbook (C.05).

    ``numbers`` are the players by their place in the table. An odd number of players has the table of one more; the
    player against the last number has no pair in that round. ``double``: all rounds once more with the other colours.
    """
    size = len(numbers) + len(numbers) % 2
    circle = size - 1
    rounds = []
    for turn in range(circle):
        first = turn * (size // 2) % circle
        places = [(first, circle) if turn % 2 == 0 else (circle, first)]
        places += [((first + step) % circle, (first - step) % circle) for step in range(1, size // 2)]
        rounds.append(
            [
                (numbers[white], numbers[black])
                for white, black in places
                if len(numbers) not in (white, black)
            ]
        )
    if double:
        rounds += [[(black, white) for white, black in pairs] for pairs in rounds]
    return rounds
