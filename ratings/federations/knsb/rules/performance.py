"""The performance of games, LPR and TLPR: the rating whose expected total is the score (art. 6.3, 9.2; R82a, R83).

The sum of Φ(x − R_c) over a player's games rises with x. Its root is found in double precision for all players at once;
where it is so near the middle between two printed figures that double precision could round it wrongly, the sum in the
middle is calculated to 50 digits and compared with the score. In the middle itself the figure is rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.federations.knsb.rules.formulas import LARGEST_DIFFERENCE
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.rules.columns import Integers

Reals = NDArray[np.float64]

GAMES_AT_ONCE: Final = 1 << 16
"""Players with about so many games are solved together: their columns stay in the cache of a processor."""
DIGITS: Final = 50


@dataclass(frozen=True)
class Scores:
    """The games of players, those of each together, the first at `starts`; each player has a game.

    `opponents` are whole ratings, `points` 2, 1 or 0. `draws` are each player's fictitious draws against
    `draw_ratings`, which need not be whole. The score with them is neither 0 nor all.
    """

    starts: Integers
    opponents: Integers
    points: Integers
    draws: Integers
    draw_ratings: Sequence[Fraction] | Integers

    def blocks(self) -> Iterator[tuple[slice, Scores]]:
        """Players with about `GAMES_AT_ONCE` games together: which they are, and their games."""
        ends = np.append(self.starts[1:], self.opponents.size)
        begin = 0
        while begin < self.starts.size:
            first = int(self.starts[begin])
            end = max(int(np.searchsorted(ends, first + GAMES_AT_ONCE, side="right")), begin + 1)
            some, games = slice(begin, end), slice(first, int(ends[end - 1]))
            yield (
                some,
                Scores(
                    self.starts[some] - first,
                    self.opponents[games],
                    self.points[games],
                    self.draws[some],
                    self.draw_ratings[some],
                ),
            )
            begin = end

    @property
    def sizes(self) -> Integers:
        """The games of each player."""
        return np.diff(self.starts, append=self.opponents.size)

    @property
    def totals(self) -> Integers:
        """The points of each player, fictitious draws included."""
        return np.asarray(np.add.reduceat(self.points, self.starts) + self.draws, dtype=np.int64)

    def met_by(self, player: int) -> list[Fraction]:
        """The ratings of all opponents of a player, fictitious draws included."""
        first = int(self.starts[player])
        games = slice(first, first + int(self.sizes[player]))
        drawn = [Fraction(self.draw_ratings[player])] * int(self.draws[player])
        return [Fraction(rating) for rating in self.opponents[games].tolist()] + drawn


def performances(rules: KnsbRules, scores: Scores, decimals: int) -> Integers:
    """The performance of each player times 10 to `decimals`, rounded half up (art. 6.3, 9.2; R82a, R83)."""
    found = np.zeros(scores.starts.size, dtype=np.int64)
    for some, block in scores.blocks():
        totals = block.totals
        root, error = _roots(rules, block, totals)
        scaled = root * 10**decimals + 0.5
        rounded = np.floor(scaled).astype(np.int64)
        near_middle = np.abs(scaled - np.rint(scaled)) <= error * 10**decimals
        for player in np.flatnonzero(near_middle).tolist():
            upper = int(np.rint(scaled[player]))
            middle = Fraction(2 * upper - 1, 2 * 10**decimals)
            surplus = exact_surplus(rules, middle, block.met_by(player), int(totals[player]))
            rounded[player] = upper - (surplus > 0)
        found[some] = rounded
    return found


def exact_surplus(rules: KnsbRules, rating: Fraction, opponents: Sequence[Fraction], points: int) -> int:
    """Whether the expected total at a rating is more than the score (1), exactly the score (0), or less (-1).

    To 50 digits; two sums that differ by less than 10⁻⁴⁰ are equal, which happens where opponents lie symmetrically.
    """
    with localcontext() as context:
        context.prec = DIGITS
        total = Decimal(0)
        for opponent in opponents:
            total += _above_half(rules, rating - opponent)
        surplus = total - Decimal(points - len(opponents)) / 2
        return 0 if abs(surplus) < Decimal(10) ** (10 - DIGITS) else 1 if surplus > 0 else -1


def _above_half(rules: KnsbRules, difference: Fraction) -> Decimal:
    """Φ less a half, by its series z + z³/3 + z⁵/15 + … times the density: all terms have the sign of z."""
    z = Decimal(difference.numerator * rules.deviation[1]) / (difference.denominator * rules.deviation[0])
    term = total = z
    count = 1
    while abs(term) > Decimal(10) ** -(DIGITS + 5):
        count += 2
        term = term * z * z / count
        total += term
    return total * (-z * z / 2).exp() / _root_of_two_pi()


@lru_cache
def _root_of_two_pi() -> Decimal:
    """√(2π), π by Machin's formula."""
    with localcontext() as context:
        context.prec = DIGITS + 10

        def arctangent(divisor: int) -> Decimal:
            power = total = Decimal(1) / divisor
            count = 1
            while abs(power) > Decimal(10) ** -(DIGITS + 15):
                power /= -divisor * divisor
                count += 2
                total += power / count
            return total

        return (8 * (4 * arctangent(5) - arctangent(239))).sqrt()


@lru_cache
def _tables(rules: KnsbRules) -> tuple[Reals, ...]:
    """Φ and its first four derivatives by the difference, at the whole differences -4000 to 4000."""
    unit = rules.deviation[1] / rules.deviation[0]
    differences = range(-LARGEST_DIFFERENCE, LARGEST_DIFFERENCE + 1)
    total = np.array([erfc(-difference * unit / sqrt(2)) / 2 for difference in differences])
    density = np.array([exp(-((difference * unit) ** 2) / 2) / sqrt(2 * pi) for difference in differences])
    z = np.array(differences) * unit
    return (
        total,
        density * unit,
        -z * density * unit**2,
        (z * z - 1) * density * unit**3,
        (3 * z - z**3) * density * unit**4,
    )


def _roots(rules: KnsbRules, scores: Scores, totals: Integers) -> tuple[Reals, Reals]:
    """The roots of some players and a bound of their error.

    Newton's method, within bounds that close in, finds a whole number next to the root; from there four derivatives
    reach it: the next one adds at most 5 · 10⁻¹⁵ a game.
    """
    starts, opponents, draws, sizes = scores.starts, scores.opponents, scores.draws, scores.sizes
    games, score = sizes + draws, totals / 2
    if np.any((score <= 0) | (score >= games)):
        raise ValueError("a score of 0 or 100 % has no performance")
    against = np.array([float(rating) for rating in scores.draw_ratings])
    low = np.where(draws > 0, np.minimum(np.minimum.reduceat(opponents, starts), against), opponents.min())
    high = np.where(draws > 0, np.maximum(np.maximum.reduceat(opponents, starts), against), opponents.max())
    low, high = np.floor(low) - LARGEST_DIFFERENCE, np.ceil(high) + LARGEST_DIFFERENCE
    mean = (np.add.reduceat(opponents, starts) + draws * against) / games
    whole = np.rint(mean + rules.start_rating_span * (2 * score / games - 1)).astype(np.int64)

    def sums(derivatives: int) -> list[Reals]:
        place = np.clip(np.repeat(whole, sizes) - opponents + LARGEST_DIFFERENCE, 0, 2 * LARGEST_DIFFERENCE)
        drawn = _draws(rules, whole - against)
        return [
            np.add.reduceat(table[place], starts) + draws * of_draw
            for table, of_draw in zip(_tables(rules)[: derivatives + 1], drawn, strict=False)
        ]

    for _ in range(100):
        total, rise = sums(1)
        surplus = total - score
        low, high = np.where(surplus <= 0, whole, low), np.where(surplus >= 0, whole, high)
        step = -surplus / np.maximum(rise, 1e-300)
        far = np.abs(step) > 1
        if not far.any():
            break
        # A wild step where the curve is flat leaves the bounds: halve them instead.
        after = np.rint(whole + step)
        after = np.where((after > low) & (after < high), after, np.floor((low + high) / 2))
        whole = np.where(far, after, whole).astype(np.int64)
    total, first, second, third, fourth = sums(4)
    part = np.zeros(len(starts))
    for _ in range(4):
        value = total - score + part * (first + part * (second / 2 + part * (third / 6 + part * fourth / 24)))
        part -= value / np.maximum(first + part * (second + part * third / 2), 1e-300)
    return whole + part, 1e-9 + games * 1e-14 / np.maximum(first, 1e-300)


def _draws(rules: KnsbRules, differences: Reals) -> list[Reals]:
    """Φ and its first four derivatives at the differences of fictitious draws, which need not be whole."""
    tables = _tables(rules)
    near = np.clip(np.rint(differences), -LARGEST_DIFFERENCE, LARGEST_DIFFERENCE)
    part = np.where(near == np.rint(differences), differences - near, 0)
    place = near.astype(np.int64) + LARGEST_DIFFERENCE
    total, first, second, third, fourth = (table[place] for table in tables)
    return [
        total + part * (first + part * (second / 2 + part * (third / 6 + part * fourth / 24))),
        first + part * (second + part * (third / 2 + part * fourth / 6)),
        second + part * (third + part * fourth / 2),
        third + part * fourth,
        fourth,
    ]
