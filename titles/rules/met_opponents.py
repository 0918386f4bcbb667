"""The opponents that a norm is made of, as whole numbers: a search of a quarter writes fifty thousand of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from ratings.rules.columns import Columns, Integers

BITS = {"game": 31, "player": 31, "points": 8, "rating": 16, "title": 21, "federation": 16}
"""The size of each fact; the first two make one number of 64 bits, the others another."""
FIRST = ("game", "player")
NUMBERS_A_GAME = 2


@dataclass(frozen=True)
class MetOpponent:
    """An opponent as of the first day; title and federation are codes as numbers of base 36, 0 for none."""

    game: int
    player: int
    points: int
    rating: int
    title: int
    federation: int


@dataclass(frozen=True, eq=False)
class MetColumns(Columns):
    """One row an opponent, with the columns of `MetOpponent`."""

    game: Integers
    player: Integers
    points: Integers
    rating: Integers
    title: Integers
    federation: Integers


def packed(met: MetColumns) -> Integers:
    """Two numbers for each opponent, a row an opponent. Raises OverflowError, naming it, for a fact out of bounds."""
    numbers = np.zeros((len(met), NUMBERS_A_GAME), np.int64)
    for name, bits in BITS.items():
        column = getattr(met, name)
        if column.size and (column.min() < 0 or column.max() >= 1 << bits):
            raise OverflowError(f"{name}: a fact of an opponent does not fit {bits} bits")
        place = 0 if name in FIRST else 1
        numbers[:, place] = numbers[:, place] << bits | column
    return numbers


def unpacked(numbers: Sequence[int]) -> Iterator[MetOpponent]:
    """The opponents of which `packed` made these numbers; numbers of zero are none."""
    for pair in zip(numbers[::NUMBERS_A_GAME], numbers[1::NUMBERS_A_GAME], strict=True):
        rest, facts = list(pair), {}
        for field in reversed(fields(MetOpponent)):
            place = 0 if field.name in FIRST else 1
            facts[field.name] = rest[place] & (1 << BITS[field.name]) - 1
            rest[place] >>= BITS[field.name]
        if facts["game"]:
            yield MetOpponent(**facts)
