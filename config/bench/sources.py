"""A list of FIDE of 1.9 million lines: its import next to splitting its lines, its bytes, and 20,000 of its ratings."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psycopg
from django.core.management import CommandError

from config.bench.quarter import Quarter
from config.bench.season import Scale
from ratings.inputs.source_lists import source_figures
from ratings.models import SourceList
from ratings.production.imports.import_source import import_source
from reporting.log.audit import OFFICER, Actor
from reporting.models import User

LINES, WANTED = 1_900_000, 20_000
SEED = 32
HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\n"
)
LINE = "%-15d%-61s%-4s%-4s%-5s%-5s%-15s%-4s%-6d%-4d%-3d%-6d%-4d%-3d%-6d%-4d%-3d%-6s%-4s\n"
LARGEST_NUMBER = 90_000_000
FACTORS = (10, 20, 40)
SHARES = {"standard": 1 / 3, "rapid": 1 / 4, "blitz": 1 / 5}
"""How many of the players have a rating."""


def measure_sources(owner: psycopg.Connection, scale: Scale, lines: int, rounds: int) -> Iterator[str]:
    """The lines to print. Some of the players have ratings, as on lists of FIDE; their numbers lie anywhere.

    Raises CommandError where a rating that was read is not that of the file.
    """
    chance = np.random.default_rng(SEED)
    numbers = np.sort(chance.choice(LARGEST_NUMBER, lines, replace=False)) + 1
    ratings = {
        kind: np.where(chance.random(lines) < share, chance.integers(1400, 2800, lines), 0)
        for kind, share in SHARES.items()
    }
    rated = np.flatnonzero(ratings["standard"])
    by = Actor(User.objects.get(email=OFFICER), by_command=True)
    with TemporaryDirectory(prefix="bench-sources-") as folder:
        path = Path(folder) / "players_list_foa.txt"
        write_list(path, numbers, [*ratings.values()], chance.choice(FACTORS, lines))
        size = path.stat().st_size
        splits, imports = [], []
        for turn in range(rounds):
            day = date(2026, 1 + turn, 1)
            splits.append(_milliseconds(lambda: len(path.read_bytes().splitlines())))
            imports.append(_milliseconds(lambda day=day: _import(path, day, by)))  # type: ignore[misc]
    stored = sum(
        number
        for (number,) in owner.execute(
            "SELECT pg_column_size(numbers) + pg_column_size(ratings) + pg_column_size(k_factors)"
            " + pg_column_size(titles) FROM ratings_sourcelist WHERE in_force = '2026-01-01'"
        )
    )
    owner.commit()
    standard = SourceList.objects.get(kind="standard", in_force="2026-01-01")
    wanted = chance.choice(rated, min(WANTED, rated.size), replace=False)
    (found,) = source_figures(standard, numbers[wanted], "rating")
    if (found != ratings["standard"][wanted]).any():
        raise CommandError("A rating that was read is not that of the file. Nothing was measured.")
    quarter = Quarter(owner, scale)
    reads, calculations = [], []
    for _ in range(rounds):
        quarter.reset()
        watch = quarter.run_product()
        calculations.append(watch.whole - watch.stages.get("norms", 0.0))
        reads.append(_milliseconds(lambda: source_figures(standard, numbers[wanted], "rating")))
    counts = ", ".join(f"{np.count_nonzero(of_kind):,} {kind}" for kind, of_kind in ratings.items())
    yield f"A list of FIDE, {lines:,} lines, {size / 1e6:,.0f} MB of text, ratings: {counts}."
    yield _line("splitting its lines", splits)
    yield f"{_line('import, three lists', imports)}   {_ratio(imports, splits):.2f} × splitting (at most 3)"
    yield f"stored                  {stored / 1e6:8.1f} MB   1/{size / stored:.1f} of the text (at most 1/10)"
    yield _line(f"a quarter of {scale.players:,} players", calculations)
    shares = [calculation / read for calculation, read in zip(calculations, reads, strict=True)]
    read = _line(f"{wanted.size:,} ratings read", reads)
    yield f"{read}   1/{statistics.median(shares):.0f} of the quarter (at most 1/50)"


def write_list(path: Path, numbers: np.ndarray, ratings: list[np.ndarray], factors: np.ndarray) -> None:
    """The file, as FIDE writes it, with the ratings of the three kinds."""
    columns = (column.tolist() for column in (numbers, *ratings, factors))
    with path.open("w", encoding="ascii") as file:
        file.write(HEADER)
        for number, standard, rapid, blitz, factor in zip(*columns, strict=True):
            person = (number, "Familya, Givena", "NED", "M", "", "", "", "")
            file.write(LINE % (*person, standard, 9, factor, rapid, 0, 20, blitz, 2, 20, "1990", ""))


def _import(path: Path, day: date, by: Actor) -> None:
    with path.open("rb") as file:
        import_source(source="fide", file=file, filename=path.name, in_force=day, by=by)


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _ratio(ours: list[float], theirs: list[float]) -> float:
    """The median of the ratios of runs side by side."""
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def _line(name: str, times: list[float]) -> str:
    return f"{name:24}{statistics.median(times):8,.1f} ms"
