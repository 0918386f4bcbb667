"""Exact numbers in columns: whole numbers, fractions and lists of both, one entry a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from reporting.rules.standings.cross_table import Booleans, Integers

LARGEST = 2**40
"""Numerators up to here stay in int64 through a sum of products; beyond it Python's own integers are used."""


class Counted(IntEnum):
    """What a round of a player counted as in a tie-break."""

    GAME = 0
    SCHEDULED_OPPONENT = 1
    NOTHING = 2
    SELF = 3
    VIRTUAL_OPPONENT = 4
    OWN_SCORE = 5
    DUMMY = 6
    AVERAGE = 7
    ACTUAL_SCORE = 8
    LEFT_OUT = 9


@dataclass(frozen=True)
class Terms:
    """What a tie-break was summed from, players × rounds: `scores` × `weights` over `unit` where `kept`."""

    scores: Integers
    weights: Integers
    unit: int
    kept: Booleans
    counted: Integers


@dataclass(frozen=True)
class Column:
    """A tie-break of all players: numerators over denominators, or lists (two dimensions, filled up with 0).

    `power` is 1 for sums of points and 2 for sums of products of points, which a scale of 1-½-0 prints halved and
    quartered. `after` orders players whose values are equal. `lengths` are those of the lists. `empty` are the players
    without a value, who come last.
    """

    numerators: Integers
    denominators: Integers
    power: int = 0
    terms: Terms | None = None
    after: Integers | None = None
    lengths: Integers | None = None
    empty: Booleans | None = None

    def value(self, row: int, halves_a_point: int = 1) -> Fraction | list[Fraction] | None:
        """Return the value of a player by the tournament's scale of points; None for one without a value."""
        if self.empty is not None and self.empty[row]:
            return None
        below = int(self.denominators[row]) * halves_a_point**self.power
        if self.numerators.ndim == 1:
            return Fraction(int(self.numerators[row]), below)
        length = self.numerators.shape[1] if self.lengths is None else int(self.lengths[row])
        return [Fraction(int(number), below) for number in self.numerators[row, :length]]

    def ranks(self, *, ascending: bool = False) -> Integers:
        """Return 0 for the best players, 1 for the next ones, and so on: equal values have equal ranks."""
        below = self.denominators
        if self.numerators.ndim == 2:
            keys = np.unique(self.numerators, axis=0, return_inverse=True)[1].reshape(-1)
        elif (below == below[:1]).all():
            keys = np.unique(self.numerators, return_inverse=True)[1]
        elif self.numerators.dtype != object:
            keys = np.unique(over_one_denominator(self.numerators, below)[0], return_inverse=True)[1]
        else:
            fractions = [
                Fraction(int(top), int(low)) for top, low in zip(self.numerators, below, strict=True)
            ]
            order = {fraction: rank for rank, fraction in enumerate(sorted(set(fractions)))}
            keys = np.array([order[fraction] for fraction in fractions], dtype=np.int64)
        if self.empty is not None:
            keys = np.where(self.empty, 0, keys + 1)
        if self.after is not None:
            keys = np.unique(keys * (int(self.after.max(initial=0)) + 1) + self.after, return_inverse=True)[1]
        return keys if ascending else keys.max(initial=0) - keys


def whole(numbers: NDArray[np.generic], *, power: int = 0, terms: Terms | None = None) -> Column:
    """Return a column of whole numbers."""
    return Column(numbers.astype(np.int64), np.ones(len(numbers), dtype=np.int64), power, terms)


def over_the_board(column: Column, games: Booleans) -> Column:
    """Return a column made of games over the board: empty for a player without one of these (R60f)."""
    return replace(column, empty=np.asarray(~games.any(axis=1)))


def summed(terms: Terms, *, power: int) -> Column:
    """Return the sum of the terms that are kept."""
    total = np.where(terms.kept, terms.scores * terms.weights, 0).sum(axis=1)
    return Column(total, np.full(len(total), terms.unit, dtype=total.dtype), power, terms)


def lowest_left_out(scores: Integers, kept: Booleans, among: Booleans | None = None) -> Booleans:
    """Return the rounds kept without the one with the lowest score, the first of equal ones, of those in `among`."""
    if not scores.size:
        return kept
    place = np.where(kept if among is None else among, scores, scores.max() + 1).argmin(axis=1)
    left = kept.copy()
    left[np.arange(len(left)), place] = False
    return left


def over_one_denominator(numerators: Integers, denominators: Integers) -> tuple[Integers, int]:
    """Return the numerators over one common denominator, and that denominator."""
    unit = lcm(*map(int, np.unique(denominators)))
    if unit * int(abs(numerators).max(initial=1)) > LARGEST:
        factors = np.array([unit // int(below) for below in denominators.flat], dtype=object)
        return numerators.astype(object) * factors.reshape(denominators.shape), unit
    return numerators * (unit // denominators), unit


def decimal(value: Fraction, places: int = 4) -> Decimal:
    """Return a value with so many decimals, a half going up (R50a)."""
    one = Decimal(1).scaleb(-places)
    scaled = value * 10**places
    return (
        Decimal((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator))
        .scaleb(-places)
        .quantize(one)
    )


def rounded(numerators: Integers, denominators: Integers) -> Integers:
    """Return whole numbers, a half going up."""
    return (2 * numerators + denominators) // (2 * denominators)


def lists(rows: Sequence[Sequence[int]]) -> Column:
    """Return a column of lists of whole numbers of different lengths."""
    longest = max(map(len, rows), default=0)
    numbers = np.zeros((len(rows), longest), dtype=np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    return Column(numbers, np.ones(len(rows), dtype=np.int64), 1, lengths=lengths)
