"""All tie-breaks of 1,000 players and 11 rounds, in columns and player by player: ``python -m tests.bench_standings``.

Prints the median of 7 runs; no test measures time. The naive version is written as a program for one player would be:
loops over the rounds and exact fractions, for the sums of Annex 5 art. 3.1 and FIDE's Buchholz and Sonneborn-Berger
only, so it does less than half of the work.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ratings.federations.fmjd.rules.tables import RATING_DIFFERENCE_E2
from reporting.rules.standings.classify import classify
from reporting.rules.standings.cross_table import NONE, CrossTable, Kind
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS

PLAYERS, ROUNDS = 1000, 11


def tournament() -> CrossTable:
    """Games, forfeits, pauses and absences made by chance, always the same ones."""
    chance = np.random.default_rng(1)
    shape = (PLAYERS, ROUNDS)
    opponents, kinds = np.full(shape, NONE), np.full(shape, Kind.ABSENT)
    points = np.zeros(shape, dtype=np.int64)
    for column in range(ROUNDS):
        for white, black in chance.permutation(PLAYERS).reshape(-1, 2):
            case = chance.random()
            if case < 0.02:
                kinds[white, column], points[white, column] = Kind.PAUSE, 2
                continue
            kinds[[white, black], column] = Kind.FORFEIT if case < 0.04 else Kind.PLAYED
            opponents[white, column], opponents[black, column] = black, white
            points[white, column] = 2 if case < 0.04 else chance.integers(0, 3)
            points[black, column] = 2 - points[white, column]
    return CrossTable(
        numbers=np.arange(1, PLAYERS + 1), names=("",) * PLAYERS, ratings=chance.integers(1400, 2500, PLAYERS),
        opponents=opponents, kinds=kinds, points=points, colours=np.zeros(shape, dtype=np.int64),
    )  # fmt: skip


def naive(table: CrossTable) -> list[tuple[Fraction, ...]]:
    """Seven sums of Annex 5, Buchholz with two cuts and Sonneborn-Berger, one player and one round at a time."""
    rounds = [
        list(zip(*row, strict=True))
        for row in zip(table.opponents.tolist(), table.kinds.tolist(), table.points.tolist(), strict=True)
    ]
    scores = [sum((Fraction(points) for _, _, points in row), Fraction(0)) for row in rounds]

    def solkoff(row: int) -> Fraction:
        return sum((scores[other] for other, _, _ in rounds[row] if other != NONE), Fraction(0))

    found = []
    for row in range(table.players):
        met = sorted(scores[other] if other != NONE else Fraction(0) for other, _, _ in rounds[row])
        faced = [(scores[other], points, other) for other, _, points in rounds[row] if other != NONE]
        dummies = [scores[other] if kind == Kind.PLAYED else scores[row] for other, kind, _ in rounds[row]]
        found.append(
            (
                sum(met, Fraction(0)),
                sum(met[1:], Fraction(0)),
                sum(met[1:-1], Fraction(0)),
                *(sum(met[cut:], Fraction(0)) for cut in range(1, len(met))),
                sum((solkoff(other) for _, _, other in faced), Fraction(0)),
                sum((score * solkoff(other) for score, _, other in faced), Fraction(0)),
                sum((score * points for score, points, _ in faced), Fraction(0)),
                sum(dummies, Fraction(0)),
                sum(sorted(dummies)[1:], Fraction(0)),
                sum(sorted(dummies)[1:-1], Fraction(0)),
                sum(
                    (score * points for score, (_, _, points) in zip(dummies, rounds[row], strict=True)),
                    Fraction(0),
                ),
            )
        )
    return found


def median_ms(run: Callable[[], object], runs: int) -> float:
    """The median of some runs, in milliseconds, after one that does not count."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def compare(table: CrossTable) -> None:
    """Raises AssertionError unless the sums that both ways make are the same for each player."""
    keys = ("solkoff", "short", "median")
    rows = {row["number"]: row for row in classify(table, keys).to_json()}
    for number, sums in enumerate(naive(table), start=1):
        in_columns = tuple(rows[number][key] for key in keys)
        assert in_columns == sums[: len(keys)], (
            f"The ways disagree about player {number}. Nothing was measured."
        )


def main() -> None:
    table = tournament()
    compare(table)
    differences = RATING_DIFFERENCE_E2.tolist()
    keys = [key for key, each in TIE_BREAKS.items() if not each.teams_only]
    ours = median_ms(lambda: classify(table, keys, rating_differences_e2=differences), 7)
    by_methods = median_ms(
        lambda: [
            classify(table, ["solkoff", "short", "median", "sb"], unplayed=method) for method in METHODS
        ],
        7,
    )
    slow = median_ms(lambda: naive(table), 2)
    print(f"{PLAYERS} players, {ROUNDS} rounds")  # noqa: T201
    print(f"  classification by all {len(keys)} tie-breaks, in columns   {ours:8.1f} ms")  # noqa: T201
    print(f"  four tie-breaks by each of {len(METHODS)} methods, in columns {by_methods:8.1f} ms")  # noqa: T201
    print(f"  21 of the sums, player by player {slow:8.1f} ms, {slow / ours:.0f} × all in columns")  # noqa: T201


if __name__ == "__main__":
    main()
