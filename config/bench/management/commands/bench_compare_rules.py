"""Four lists of a pool by the rules of others, beside the calculation of the newest of them."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any
from unittest.mock import patch

import psycopg
from django.core.management import BaseCommand, CommandError, CommandParser

from config.bench.database import scratch_database
from config.bench.season import FMJD, Scale, analyze, halls, load_opening_list, load_reports
from ratings.models import Pool
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.compare_rules import compare_rules
from ratings.production import calculate
from ratings.production.run_period import run_period
from reporting.log.audit import OFFICER, Actor
from reporting.models import User

OPENING = date(2025, 1, 1)
QUARTERS = (date(2025, 4, 1), date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1))
REPORTS = replace(FMJD, first_day=date(2024, 12, 16), last_day=date(2025, 12, 15))
OTHERS = ("fmjd-100-rapidblitz", "knsb-klassiek", "knsb-rapid", "iccf", "fmjd-100")
MOST = 6


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=5, help="Times to measure each (default 5).")
        parser.set_defaults(scale=Scale(15_000, 60_000 * len(QUARTERS)))

    def handle(self, *, scale: Scale, rounds: int, **_: Any) -> None:
        with scratch_database() as owner:
            for line in measure_comparisons(owner, scale, rounds):
                self.stdout.write(line)
                self.stdout.flush()


def measure_comparisons(owner: psycopg.Connection, scale: Scale, rounds: int) -> Iterator[str]:
    """A year of so many games in four lists; raises CommandError where the pool differs from itself."""
    strength, chance = load_opening_list(owner, scale, OPENING)
    load_reports(owner, REPORTS, halls(scale, strength, chance), strength, chance)
    analyze(owner)
    pools = {pool.code: pool for pool in Pool.objects.all()}
    pool = pools["fmjd-100"]
    by = Actor(User.objects.get(email=OFFICER), by_command=True)
    releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)

    def run(in_force: date, *, publish: bool) -> Any:
        return run_period(
            pool=pool, in_force=in_force, by=by, releaser=releaser, reason="benchmark", publish=publish,
            confirm_norms=publish,
        )  # fmt: skip

    def compared(other: str) -> int:
        with read_only_snapshot():
            return compare_rules(pool, pools[other], len(QUARTERS)).changed

    # Nothing recalculates the lists from their files: the reports of the benchmark have no time control in words.
    with patch.object(calculate, "_refuse_other_figures"):
        for in_force in QUARTERS[:-1]:
            run(in_force, publish=True)
    analyze(owner)
    # Without the files and the recalculation from them, as in the benchmark of a quarter.
    with (
        patch.object(calculate, "write_files", return_value=0),
        patch.object(calculate, "_refuse_other_figures"),
    ):
        one = _median(lambda: run(QUARTERS[-1], publish=False), rounds)
    with patch.object(calculate, "_refuse_other_figures"):
        newest = run(QUARTERS[-1], publish=True)
    analyze(owner)
    if changed := compared(pool.code):
        raise CommandError(f"{changed} players differ by the rules of their own pool")
    yield (
        f"{len(QUARTERS)} lists of {newest.players:,} players, {scale.games:,} games in"
        f" {scale.tournaments:,} tournaments; by its own rules the pool differs in nothing."
    )
    yield f"{'one calculation, from the database to a draft':<46}{one:>8,.0f} ms"
    for other in OTHERS:
        took = _median(partial(compared, other), rounds)
        yield f"{f'by the rules of {other}':<46}{took:>8,.0f} ms {took / one:>6.2f} × (at most {MOST})"


def _median(work: Callable[[], Any], rounds: int) -> float:
    """Milliseconds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)
