"""A World Cup classification of 60 tournaments and 3,000 results in 24 months: ``python -m tests.bench_world_cup``.

Prints the median of 7 runs; no test measures time. The naive version takes players and results one by one and must give
the same rows, or nothing is measured.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import date

import numpy as np

from tests.world_cup import columns_of, tournaments_by_chance
from titles.federations.fmjd.rules.world_cup.classification import classify
from titles.federations.fmjd.rules.world_cup.parameters import WORLD_CUP_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.world_cup.results import CupParticipationColumns, results

TOURNAMENTS, RESULTS, PLAYERS = 60, 3000, 120
DAY = date(2026, 12, 31)
RUNS = 7


def given():
    """Men only, so that the naive version has no declarations to look at and does less than the columns do."""
    tournaments, participations, declarations = tournaments_by_chance(1, tournaments=90, players=PLAYERS)
    rows = np.flatnonzero(participations.tournament < TOURNAMENTS)[:RESULTS]
    assert rows.size == RESULTS, rows.size
    taken = participations.rows(rows)
    columns = [getattr(taken, name) for name in CupParticipationColumns.__dataclass_fields__]
    columns[2] = np.zeros(RESULTS, np.bool_)
    men = columns_of(CupParticipationColumns, list(zip(*columns, strict=True)))
    return tournaments.rows(slice(0, TOURNAMENTS)), men, declarations


def columnar(columns) -> list[tuple[int, ...]]:
    rows = classify(PARAMETERS, *columns, results(PARAMETERS, *columns), DAY, women=False).standing
    names = ("rank", "player", "points", "first", "second", "third", "last_result", "wins")
    return list(zip(*(getattr(rows, name).tolist() for name in names), strict=True))


def naive(columns) -> list[tuple[int, ...]]:
    """One tournament, one player and one result at a time."""
    tournaments, participations, _ = columns
    factors = dict(PARAMETERS.factors)
    entrants = defaultdict(list)
    for row in range(len(participations)):
        entrants[int(participations.tournament[row])].append(row)
    of_player = defaultdict(list)
    for tournament, rows in entrants.items():
        for row in rows:
            final = int(participations.place[row])
            place = 1 + sum(int(participations.place[other]) < final for other in rows)
            bonus = PARAMETERS.bonus[place - 1] if place <= len(PARAMETERS.bonus) else 0
            if participations.absent[row]:
                continue
            points = bonus + factors[int(tournaments.stars[tournament])] * int(participations.points[row])
            when = int(tournaments.last_round[tournament]), int(tournaments.number[tournament])
            wins = int(participations.wins[row])
            of_player[int(participations.player[row])].append(
                (-points, place if bonus else 11, -when[0], -when[1], -wins)
            )
    rows = []
    for player, found in of_player.items():
        best = sorted(found)[: PARAMETERS.best_results]
        latest = max(best, key=lambda result: (-result[2], -result[3]))
        places = [sum(result[1] == place for result in best) for place in (1, 2, 3)]
        criteria = (
            -sum(result[0] for result in best),
            *places,
            -latest[0],
            -sum(result[4] for result in best),
        )
        rows.append((tuple(-value for value in criteria), player))
    rows.sort()
    ranks = {key: 1 + at for at, (key, _) in reversed(list(enumerate(rows)))}
    return [(ranks[key], player, *(-value for value in key)) for key, player in rows]


def median_ms(run: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def main() -> None:
    columns = given()
    if columnar(columns) != naive(columns):
        raise SystemExit("The two versions differ: nothing is measured.")
    fast, slow = (median_ms(lambda run=run: run(columns)) for run in (columnar, naive))
    print(f"{TOURNAMENTS} tournaments, {RESULTS:,} results")  # noqa: T201
    print(f"  results and classification, in columns   {fast:8.1f} ms (at most 50)")  # noqa: T201
    print(f"  result by result {slow:8.1f} ms, {slow / fast:.0f} × in columns")  # noqa: T201


if __name__ == "__main__":
    main()
