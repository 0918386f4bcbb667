"""The three ways side by side, in one process on one database: ours, the raw limit, player by player."""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import psycopg
from django.core.management import CommandError
from django.db import connection
from psycopg import sql

from config.bench import limit, naive
from config.bench.season import Scale, load_season
from config.bench.stopwatch import StageTimer, peak_memory, stage_timer
from ratings.federations.fmjd.inputs import EngineInput, calculate_ratings, read_engine_input
from ratings.federations.fmjd.system import FmjdSystem
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import AnomalyAnswer, Period, RatingList
from ratings.production import calculate, request_calculation, write_list
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.publish_list import publish_list
from ratings.production.write_list import drop_superseded
from ratings.publishing.export_list import published_files
from ratings.publishing.list_norms import list_norms
from ratings.publishing.verify_calculation import recomputed_differences
from reporting.log.audit import Actor
from reporting.models import Player, User

# What the limit does too has the same name; the rest is what a product needs in addition.
STAGES = (
    ("read", (FmjdSystem, "read_input")),
    ("input digest", (EngineInput, "digest")),
    ("calculate", (EngineInput, "calculate")),
    ("list rows", (write_list, "_write_rows")),
    ("changes", (write_list, "_write_changes")),
    ("keys, foreign keys", (write_list, "_seal")),
    ("figures digest", (write_list, "_figures_digest")),
    ("commit", (connection, "commit")),
)
MANY_PLAYERS = 100_000
"""From here on the files of a list, which take minutes, are made once."""
WHOLE_LIST_COLUMNS = {"list_id", "position", "name_position", "rank", "official_position", "official_rank"}


@dataclass(frozen=True)
class Implementation:
    name: str
    runs: Sequence[StageTimer]

    def stage(self, name: str) -> float | None:
        """Median milliseconds."""
        times = [run.stages[name] for run in self.runs if name in run.stages]
        return statistics.median(times) if times else None

    @property
    def whole(self) -> float:
        return statistics.median(run.whole for run in self.runs)

    def ratios(self, other: "Implementation") -> list[float]:
        """The ratio to the other implementation in each pair of runs, smallest first."""
        return sorted(mine.whole / theirs.whole for mine, theirs in zip(self.runs, other.runs, strict=True))


class Quarter:
    """A frozen quarter in a scratch database, and the ways to make its list."""

    def __init__(self, owner: psycopg.Connection, scale: Scale) -> None:
        self.owner, self.scale = owner, scale
        self.period: Period = load_season(owner, scale)
        self.opening = RatingList.objects.get(is_opening=True)
        self.officer = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
        self.releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)

    def reset(self) -> None:
        """So that no implementation pays for the work of another."""
        limit.clear(self.owner)
        drop_superseded()
        self.owner.autocommit = True
        self.owner.execute("CHECKPOINT")
        self.owner.autocommit = False

    def run_product(self) -> StageTimer:
        """The product's own service, as the worker calls it; each time a new run with a new draft.

        Without the recalculation from the files, which is measured on its own: it is slow by design.
        """
        run = request_calculation.request_calculation(period=self.period, by=self.officer, wake_worker=False)
        with patch.object(calculate, "_refuse_other_figures"), stage_timer(STAGES) as watch:
            self.draft = calculate.calculate_period(run=run)
        return watch

    def run_limit(self) -> StageTimer:
        return limit.run(self.owner, self.period, self.opening)

    def run_naive(self, sample: Sequence[Player], into: RatingList) -> StageTimer:
        naive.clear(self.owner, into)
        watch = StageTimer()
        office = naive.PlayerByPlayer(self.period, self.opening, into)
        for place, player in enumerate(sample, start=1):
            office.rate(player, place)
        watch.stop()
        return watch

    def sample(self, size: int) -> list[Player]:
        """So many players, evenly from the whole register."""
        players = list(Player.objects.order_by("pk"))
        return players[:: max(1, len(players) // size)][:size]

    def differences(self, one: str, other: str, columns: Sequence[str], where: str = "true") -> int:
        """Rows that are in only one of two tables, compared by some columns."""
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        sides = [
            sql.SQL("SELECT {} FROM {} WHERE {}").format(names, sql.Identifier(table), sql.SQL(where))
            for table in (one, other)
        ]
        query = sql.SQL(
            "SELECT count(*) FROM (({0} EXCEPT ALL {1}) UNION ALL ({1} EXCEPT ALL {0})) q"
        ).format(*sides)
        (count,) = self.owner.execute(query).fetchone() or (0,)
        self.owner.commit()
        return int(count)

    def columns(self, table: str, without: set[str]) -> list[str]:
        rows = self.owner.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position",
            [table],
        )
        return [name for (name,) in rows if name not in without]


def compare(quarter: Quarter, sample: Sequence[Player], by_player: RatingList) -> str:
    """Each way once, untimed; raises CommandError unless they give the same rows. Answers what was compared."""
    quarter.reset()
    memory = {
        "at rest": peak_memory(lambda: None),
        "the raw limit": peak_memory(quarter.run_limit),
        "ours": peak_memory(quarter.run_product),
        "player by player": peak_memory(lambda: quarter.run_naive(sample, by_player)),
    }
    sizes = ", ".join(f"{way} {size:.0f}" for way, size in memory.items())
    players = ", ".join(str(player.pk) for player in sample)
    counts = []
    for parent, theirs, without in (
        ("fmjd_listrow", limit.ROWS, WHOLE_LIST_COLUMNS),
        ("fmjd_change", limit.CHANGES, {"list_id"}),
    ):
        ours = f"{parent}_{quarter.draft.pk}"
        # A column declared since the limit was written by hand is not compared: it costs only ours.
        differing = quarter.differences(ours, theirs, quarter.columns(theirs, {"list_id"}))
        figures = quarter.columns(theirs, without)
        differing += quarter.differences(
            ours, f"{parent}_{by_player.pk}", figures, f"player_id IN ({players})"
        )
        if differing:
            raise CommandError(
                f"The ways disagree: {differing} rows of {parent} differ. Nothing was measured."
            )
        (count,) = quarter.owner.execute(
            sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(theirs))
        ).fetchone() or (0,)
        counts.append(count)
    return (
        f"Compared first, row by row: {counts[0]:,} list rows and {counts[1]:,} changes, ours and the limit the same;\n"
        f"the figures of {len(sample):,} players, player by player and ours the same.\n"
        f"Largest resident memory of this process, MiB: {sizes}."
    )


def measure(owner: psycopg.Connection, scale: Scale, rounds: int, sample_size: int) -> Iterator[str]:
    """The benchmark, as the lines to print. Raises CommandError when the ways disagree."""
    began = time.monotonic()
    quarter = Quarter(owner, scale)
    sample = quarter.sample(sample_size)
    by_player = naive.open_list(owner, quarter.period, quarter.opening)
    inputs = read_engine_input(inputs_of_period(quarter.period, None))
    yield from _head(quarter, inputs)
    yield compare(quarter, sample, by_player)
    ways: dict[str, tuple[Callable[[], StageTimer], list[StageTimer]]] = {
        "limit": (quarter.run_limit, []),
        "ours": (quarter.run_product, []),
        "naive": (lambda: quarter.run_naive(sample, by_player), []),
    }
    for turn in range(rounds):
        for run, runs in list(ways.values())[:: -1 if turn % 2 else 1]:
            quarter.reset()
            runs.append(run())
    lowest, ours, by_hand = (Implementation(name, runs) for name, (_, runs) in ways.items())
    yield ""
    yield from _stages(ours, lowest, _rows(inputs, quarter.draft, quarter))
    yield ""
    yield from _wholes(ours, lowest, by_hand, people=scale.players, sampled=len(sample))
    yield ""
    yield from _other_figures(quarter, inputs, rounds, lowest)
    yield ""
    yield f"All of it took {time.monotonic() - began:.0f} s."


def _head(quarter: Quarter, inputs: EngineInput) -> Iterator[str]:
    setting = {}
    for name in ("server_version", "fsync", "synchronous_commit", "shared_buffers"):
        (setting[name],) = quarter.owner.execute(f"SHOW {name}").fetchone() or ("",)
    quarter.owner.commit()
    yield (
        f"A quarter of {quarter.scale.players:,} players, {len(inputs.games):,} games in {len(inputs.events):,}"
        " tournaments, from the database to a committed, sealed list."
    )
    yield (
        f"PostgreSQL {setting['server_version']} (fsync {setting['fsync']}, synchronous_commit"
        f" {setting['synchronous_commit']}, shared_buffers {setting['shared_buffers']}), Python"
        f" {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores for client and server."
    )


def _rows(inputs: EngineInput, draft: RatingList, quarter: Quarter) -> dict[str, int]:
    (changes,) = quarter.owner.execute(
        "SELECT count(*) FROM fmjd_change WHERE list_id = %s", [draft.pk]
    ).fetchone() or (0,)
    quarter.owner.commit()
    read = len(inputs.players) + len(inputs.games) + len(inputs.events) + len(inputs.basis)
    return {
        "read": read,
        "input digest": read,
        "calculate": changes,
        "list rows": draft.players,
        "changes": changes,
        "keys, foreign keys": draft.players + changes,
        "figures digest": draft.players,
    }


def _stages(ours: Implementation, lowest: Implementation, rows: dict[str, int]) -> Iterator[str]:
    yield f"{'stage':<22}{'rows':>9}{'ours ms':>10}{'limit ms':>10}{'ratio':>8}"
    for stage in (*(name for name, _ in STAGES), "the rest"):
        mine, theirs = ours.stage(stage) or 0.0, lowest.stage(stage)
        number = f"{rows[stage]:,}" if stage in rows else ""
        yield f"{stage:<22}{number:>9}{mine:>10.1f}" + (
            f"{theirs:>10.1f}{mine / theirs:>8.2f}" if theirs else ""
        )


def _wholes(
    ours: Implementation, lowest: Implementation, by_hand: Implementation, *, people: int, sampled: int
) -> Iterator[str]:
    yield f"{'whole way':<22}{'':>9}{'ms':>10}{'to limit':>10}   smallest and largest of {len(ours.runs)} pairs"
    for name, way, times in (
        ("the raw limit", lowest, 1.0),
        ("ours", ours, 1.0),
        ("player by player", by_hand, people / sampled),
    ):
        ratios = [ratio * times for ratio in way.ratios(lowest)]
        spread = "" if way is lowest else f"   {_ratio(ratios[0])} to {_ratio(ratios[-1])}"
        yield f"{name:<22}{'':>9}{way.whole * times:>10,.0f}{_ratio(statistics.median(ratios)):>10}{spread}"
    against = statistics.median(by_hand.ratios(ours)) * people / sampled
    yield (
        f"Player by player is {against:,.0f} times as slow as ours: measured on {sampled:,} players through the ORM,"
        f" scaled up to {people:,}; without ranks and orders."
    )


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:,.0f}"


def _other_figures(
    quarter: Quarter, inputs: EngineInput, rounds: int, lowest: Implementation
) -> Iterator[str]:
    engine = statistics.median(_milliseconds(lambda: calculate_ratings(inputs)) for _ in range(rounds))
    yield f"{'engine alone':<31}{engine:>10.1f}   {len(inputs.games) / engine / 1000:.1f} million games a second"
    sizes: list[int] = []
    files = statistics.median(
        _milliseconds(lambda: sizes.append(sum(file.size for file in published_files(quarter.draft))))
        for _ in range(3 if quarter.scale.players < MANY_PLAYERS else 1)
    )
    size = sizes[0] / 2**20
    yield f"{'files of the list':<31}{files:>10.0f}{files / lowest.whole:>10.2f}   {size:.1f} MiB"
    if quarter.scale.players < MANY_PLAYERS:
        again = _milliseconds(lambda: recomputed_differences(quarter.draft))
        yield f"{'recalculate from the files':<31}{again:>10.0f}{again / lowest.whole:>10.2f}   once for each draft"
    draft = open_for_approval(rating_list=quarter.draft, by=quarter.officer)
    # In bulk: locked and logged one after another, the answers for 500,000 players take longer than all else.
    AnomalyAnswer.objects.bulk_create(
        (
            AnomalyAnswer(anomaly=anomaly, text="the benchmark", by=quarter.officer.user)
            for anomaly in draft.anomalies.all()
        ),
        batch_size=5_000,
    )
    list_norms().confirm(draft, "the benchmark", Actor(quarter.officer.user, by_command=True))
    draft.refresh_from_db()
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=quarter.officer)
    whole = _milliseconds(lambda: publish_list(rating_list=draft, sha256=draft.sha256, by=quarter.releaser))
    yield f"{'publish, once':<31}{whole:>10.0f}{whole / lowest.whole:>10.2f}   files and all"


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)
