"""The championship of 40 players: four groups of ten, and a final of twelve (Annex 17 App. B1; R67a)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random
from typing import Final

GROUPS: Final = "ABCD"
ENTRANTS: Final = 40
PROMOTED: Final = 3
"""The first of each group, who play the final (1.3)."""

FINALISTS: Final = PROMOTED * len(GROUPS)

FINAL_ROUNDS: Final = tuple(
    tuple((int(white), int(black)) for white, black in (pair.split("-") for pair in line.split()))
    for line in (
        "1-4 2-5 3-6 10-7 11-8 12-9",
        "7-1 8-2 9-3 4-10 5-11 6-12",
        "1-10 2-11 3-12 7-4 8-5 9-6",
        "5-1 6-2 4-3 11-7 12-8 10-9",
        "1-6 2-4 3-5 7-12 8-10 9-11",
        "9-1 7-2 8-3 12-4 10-5 11-6",
        "1-12 2-10 3-11 4-9 5-7 6-8",
        "8-1 9-2 7-3 11-4 12-5 10-6",
        "1-11 2-12 3-10 4-8 5-9 6-7",
    )
)
"""The games of the final as printed (2.4), White first: all but those of the groups, which count (2.1)."""

POOLS: Final = ({1, 4, 7, 10}, {2, 5, 8, 11}, {3, 6, 9, 12})
"""Numbers for a country with four finalists or fewer (2.3c)."""

OF_LARGE_COUNTRIES: Final = {5: {1, 4, 7, 10, 2}, 6: {1, 4, 7, 10, 2, 5}}
"""Numbers for a country with so many finalists (2.3a and b)."""


@dataclass(frozen=True)
class Entrant:
    """A player of the championship; `country` may be empty."""

    number: int
    rating: int
    country: str


@dataclass(frozen=True)
class Finalist:
    """A player of the final, with the group (of `GROUPS`) and the place in it (1 to 3)."""

    number: int
    group: str
    place: int
    country: str


_ARRANGEMENTS: Final = tuple("".join(groups) for groups in permutations(GROUPS))


def groups_of_40(entrants: Sequence[Entrant]) -> dict[str, list[int]]:
    """Return the numbers of the players of each group, in rating order.

    A country of at most four players has no two in a group, one of n players at most a quarter, rounded up. There
    always are such groups: with each country cut into parts of at most four, rows and parts are a bipartite graph
    whose nodes have at most four players each, and four groups are a colouring of its edges (Kőnig).
    """
    order = sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.number))
    rows = [order[start : start + len(GROUPS)] for start in range(0, len(order), len(GROUPS))]
    sizes = Counter(entrant.country for entrant in order if entrant.country)
    most = {country: -(-size // len(GROUPS)) for country, size in sizes.items()}
    groups: dict[str, list[int]] = {group: [] for group in GROUPS}
    for row, arrangement in zip(rows, _Rows(rows, most).fill(), strict=True):
        for entrant, group in zip(row, arrangement, strict=True):
            groups[group].append(entrant.number)
    return groups


class _Rows:
    """The search for the first arrangement of each row with which all later rows can be filled.

    `free` is how many more players of a country a group takes.
    """

    def __init__(self, rows: Sequence[Sequence[Entrant]], most: Mapping[str, int]) -> None:
        self.countries = [[entrant.country for entrant in row] for row in rows]
        self.free = {(country, group): count for country, count in most.items() for group in GROUPS}
        self.failed: set[tuple[frozenset[int], tuple[int, ...]]] = set()

    def fill(self) -> list[str]:
        """Return the groups of the players of each row, such as `BACD`."""
        filled = []
        for number in range(len(self.countries)):
            later = frozenset(range(number + 1, len(self.countries)))
            for arrangement in _arrangements(GROUPS[::-1] if number % 2 else GROUPS):
                if self._fits(number, arrangement):
                    self._take(number, arrangement, 1)
                    if self._can_be_filled(later):
                        filled.append(arrangement)
                        break
                    self._take(number, arrangement, -1)
        return filled

    def _fits(self, number: int, arrangement: str) -> bool:
        return all(self.free.get(pair, 1) for pair in zip(self.countries[number], arrangement, strict=True))

    def _take(self, number: int, arrangement: str, count: int) -> None:
        for pair in zip(self.countries[number], arrangement, strict=True):
            if pair in self.free:
                self.free[pair] -= count

    def _can_be_filled(self, left: frozenset[int]) -> bool:
        """Whether these rows can, the one with the fewest arrangements first."""
        if not left:
            return True
        state = left, tuple(self.free.values())
        if state in self.failed:
            return False
        fitting = {
            number: [arrangement for arrangement in _ARRANGEMENTS if self._fits(number, arrangement)]
            for number in left
        }
        number = min(left, key=lambda number: (len(fitting[number]), number))
        for arrangement in fitting[number]:
            self._take(number, arrangement, 1)
            is_filled = self._can_be_filled(left - {number})
            self._take(number, arrangement, -1)
            if is_filled:
                return True
        self.failed.add(state)
        return False


def _arrangements(plain: str) -> list[str]:
    """Return the ways to arrange a row, the first to try first.

    The fewest moved players; then who stays, how far they move, and the letters, from the highest rated on.
    """

    def key(arrangement: str) -> tuple[int, list[int], str]:
        moves = [
            abs(GROUPS.index(new) - GROUPS.index(old)) for new, old in zip(arrangement, plain, strict=True)
        ]
        moved = [move > 0 for move in moves]
        return sum(moved), [*moved, *moves], arrangement

    return sorted(_ARRANGEMENTS, key=key)


def final_numbers(finalists: Sequence[Finalist], seed: int) -> dict[int, int]:
    """Return the player of each number of the final: three of each group, A with 1 to 3, B with 4 to 6, …

    Of all numberings the one with most players in the numbers for their country, larger countries first, then with the
    fewest groups moved for a country of five or six; among equal ones the lot decides, the same one for a seed.
    """
    sizes = Counter(finalist.country for finalist in finalists if finalist.country)
    may_swap = any(size in OF_LARGE_COUNTRIES for size in sizes.values())
    best: tuple[list[int], int] | None = None
    equal: list[dict[int, int]] = []
    for groups in permutations(GROUPS) if may_swap else [tuple(GROUPS)]:
        moved = sum(new != old for new, old in zip(groups, GROUPS, strict=True))
        for numbering in _numberings(finalists, groups):
            counts = _in_their_numbers(numbering, sizes)
            key = [sum(counts), *counts], -moved
            if best is None or key > best:
                best, equal = key, []
            if key == best:
                equal.append({number: finalist.number for number, finalist in numbering.items()})
    return Random(seed).choice(equal)  # noqa: S311 (a lot that can be drawn again)


def _numberings(finalists: Sequence[Finalist], groups: Sequence[str]) -> Iterator[dict[int, Finalist]]:
    """Every numbering in which these groups have 1 to 3, 4 to 6, …, in their order."""
    by_group = [
        sorted(
            (finalist for finalist in finalists if finalist.group == group),
            key=lambda finalist: finalist.place,
        )
        for group in groups
    ]
    for orders in product(*map(permutations, by_group)):
        yield dict(enumerate((finalist for order in orders for finalist in order), start=1))


def _in_their_numbers(numbering: Mapping[int, Finalist], sizes: Mapping[str, int]) -> list[int]:
    """Return how many players of each country have numbers that are meant for it, larger countries first (2.3)."""
    counts = []
    for country, size in sizes.items():
        if 1 < size <= max(OF_LARGE_COUNTRIES):
            own = {number for number, finalist in numbering.items() if finalist.country == country}
            meant = [OF_LARGE_COUNTRIES[size]] if size in OF_LARGE_COUNTRIES else POOLS
            counts.append((size, max(len(own & numbers) for numbers in meant)))
    return [count for _, count in sorted(counts, reverse=True)]
