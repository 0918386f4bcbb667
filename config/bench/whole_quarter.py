"""The three ways side by side, in one process on one database: ours, the raw limit, player by player."""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from django.core.management import CommandError
from django.db import connection, transaction
from psycopg import sql

from config.bench import limit, naive, norms
from config.bench.quarter import STAGES, Quarter
from config.bench.season import Scale
from config.bench.stopwatch import StageTimer, peak_memory
from ratings.federations.fmjd.engine_input import EngineInput, calculate_ratings
from ratings.federations.fmjd.inputs import read_engine_input
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import AnomalyAnswer, RatingList
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.publish_list import publish_list
from ratings.publishing.list_files import write_files
from ratings.publishing.list_norms import list_norms
from ratings.publishing.verification.verify_calculation import recomputed_differences
from reporting.log.audit import Actor
from reporting.models import Player

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
    def wholes(self) -> list[float]:
        return [run.whole for run in self.runs]

    @property
    def ratings(self) -> list[float]:
        """The whole way without norms."""
        return [run.whole - run.stages.get("norms", 0.0) for run in self.runs]


def run_limit(quarter: Quarter) -> StageTimer:
    """The raw limit of ratings, then that of norms, which it commits apart."""
    watch = quarter.run_limit()
    watch.stages["norms"] = norms.run_limit(quarter.owner, quarter)
    watch.whole += watch.stages["norms"]
    return watch


def compare(quarter: Quarter, sample: Sequence[Player], by_player: RatingList) -> str:
    """Each way once, untimed; raises CommandError unless they give the same rows. Answers what was compared."""
    quarter.reset()
    memory = {
        "at rest": peak_memory(lambda: None),
        "the raw limit": peak_memory(lambda: run_limit(quarter)),
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
    found = len(norms.compared(quarter.owner, quarter))
    return (
        f"Compared first, row by row: {counts[0]:,} list rows, {counts[1]:,} changes, {found:,} norms and near misses,"
        " ours and the limit the same;\n"
        f"the figures of {len(sample):,} players, player by player and ours the same.\n"
        f"Largest resident memory of this process, MiB: {sizes}."
    )


def measure(owner: psycopg.Connection, scale: Scale, rounds: int, sample_size: int) -> Iterator[str]:
    """The benchmark, as the lines to print. Raises CommandError when the ways disagree."""
    began = time.monotonic()
    quarter = Quarter(owner, scale)
    norms.complete(owner)
    sample = quarter.sample(sample_size)
    by_player = naive.open_list(owner, quarter.period, quarter.opening)
    inputs = read_engine_input(inputs_of_period(quarter.period, None))
    yield from _head(quarter, inputs)
    yield compare(quarter, sample, by_player)
    ways: dict[str, tuple[Callable[[], StageTimer], list[StageTimer]]] = {
        "limit": (lambda: run_limit(quarter), []),
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
    yield from _other_figures(quarter, inputs, rounds)
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
    for stage in dict.fromkeys([*(name for name, _ in STAGES), "the rest"]):
        mine, theirs = ours.stage(stage) or 0.0, lowest.stage(stage)
        number = f"{rows[stage]:,}" if stage in rows else ""
        yield f"{stage:<22}{number:>9}{mine:>10.1f}" + (
            f"{theirs:>10.1f}{mine / theirs:>8.2f}" if theirs else ""
        )


def _wholes(
    ours: Implementation, lowest: Implementation, by_hand: Implementation, *, people: int, sampled: int
) -> Iterator[str]:
    yield f"{'whole way':<31}{'ms':>10}{'to limit':>10}   smallest and largest of {len(ours.runs)} pairs"
    slow = [run * people / sampled for run in by_hand.wholes]
    for name, runs, limits in (
        ("the raw limit", lowest.wholes, lowest.wholes),
        ("ours", ours.wholes, lowest.wholes),
        ("the raw limit, without norms", lowest.ratings, lowest.ratings),
        ("ours, without norms", ours.ratings, lowest.ratings),
        ("player by player, without norms", slow, lowest.ratings),
    ):
        yield _line(name, runs, limits)
    against = statistics.median(_ratios(slow, ours.ratings))
    yield (
        f"Player by player is {against:,.0f} times as slow as ours: measured on {sampled:,} players through the ORM,"
        f" scaled up to {people:,}; without ranks and orders."
    )


def _line(name: str, runs: Sequence[float], limits: Sequence[float]) -> str:
    """Median milliseconds of a way, and its ratios to the limit that ran beside it."""
    ratios = _ratios(runs, limits)
    spread = "" if runs is limits else f"   {_ratio(ratios[0])} to {_ratio(ratios[-1])}"
    return f"{name:<31}{statistics.median(runs):>10,.0f}{_ratio(statistics.median(ratios)):>10}{spread}"


def _ratios(runs: Sequence[float], others: Sequence[float]) -> list[float]:
    """Of each pair of runs, smallest first."""
    return sorted(mine / theirs for mine, theirs in zip(runs, others, strict=True))


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:,.0f}"


def _other_figures(quarter: Quarter, inputs: EngineInput, rounds: int) -> Iterator[str]:
    engine = statistics.median(_milliseconds(lambda: calculate_ratings(inputs)) for _ in range(rounds))
    yield f"{'engine alone':<31}{engine:>10.1f}   {len(inputs.games) / engine / 1000:.1f} million games a second"
    is_large = quarter.scale.players >= MANY_PLAYERS
    draft = _approved(quarter)
    acts: dict[str, Callable[[], object]] = {
        "files of the list": lambda: _write_files(draft),
        "publish": lambda: _publish(quarter, draft),
    }
    if not is_large:
        acts["recalculate from the files"] = lambda: recomputed_differences(draft)
    times: dict[str, list[float]] = {name: [] for name in ("limit", *acts)}
    for _ in range(1 if is_large else rounds):
        quarter.reset()
        times["limit"].append(run_limit(quarter).whole)
        for name, act in acts.items():
            times[name].append(_milliseconds(act))
    yield f"{'beside the limit, in turn':<31}{'ms':>10}{'to limit':>10}   smallest and largest"
    for name in acts:
        yield _line(name, times[name], times["limit"])
    size = sum(draft.files.values_list("size", flat=True))
    yield f"The worker writes the files with the draft; they have {size / 2**20:.1f} MiB."
    yield "Publication is rolled back each time, its constraints checked."


def _write_files(draft: RatingList) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT drop_draft_files(%s)", [draft.pk])
        write_files(draft)


def _publish(quarter: Quarter, draft: RatingList) -> None:
    """So that it can be published again; all that a commit would check is checked."""
    with transaction.atomic():
        publish_list(rating_list=draft, sha256=draft.sha256, by=quarter.releaser)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)


def _approved(quarter: Quarter) -> RatingList:
    """The draft with every question answered and the first signature."""
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
    return approve_list(rating_list=draft, sha256=draft.sha256, by=quarter.officer)


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)
