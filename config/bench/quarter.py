"""A frozen quarter in a scratch database, and the ways to make its list: ours, the raw limit, player by player."""

import gc
from collections.abc import Sequence
from unittest.mock import patch

import psycopg
from django.db import connection
from psycopg import sql

from config.bench import limit, naive
from config.bench.season import Scale, load_season
from config.bench.stopwatch import StageTimer, stage_timer
from ratings.federations.fmjd.engine_input import EngineInput
from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import Period, RatingList
from ratings.production import calculate, request_calculation, write_list
from ratings.production.write_list import drop_superseded
from reporting.log.audit import Actor
from reporting.models import Player, User
from titles.norms.services.list_norms import ListNorms

# What the limit does too has the same name; the rest is what a product needs in addition.
STAGES = (
    ("read", (FmjdSystem, "read_input")),
    ("input digest", (EngineInput, "digest")),
    ("calculate", (EngineInput, "calculate")),
    ("list rows", (write_list, "_write_rows")),
    ("changes", (write_list, "_write_changes")),
    ("keys, foreign keys", (write_list, "_index")),
    ("keys, foreign keys", (write_list, "_attach")),
    ("figures digest", (write_list, "_figures_digest")),
    ("norms", (ListNorms, "search")),
    ("commit", (connection, "commit")),
)


class Quarter:
    """A frozen quarter in a scratch database, and the ways to make its list."""

    def __init__(self, owner: psycopg.Connection, scale: Scale) -> None:
        self.owner, self.scale = owner, scale
        self.period: Period = load_season(owner, scale)
        self.opening = RatingList.objects.get(is_opening=True)
        self.officer = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
        self.releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)
        gc.freeze()  # as a process of the worker does

    def reset(self) -> None:
        """So that no implementation pays for the work of another."""
        limit.clear(self.owner)
        drop_superseded()
        self.owner.autocommit = True
        self.owner.execute("CHECKPOINT")
        self.owner.autocommit = False

    def run_product(self) -> StageTimer:
        """The product's own service, as the worker calls it; each time a new run with a new draft.

        Without the files and the recalculation from them, which are measured on their own.
        """
        run = request_calculation.request_calculation(period=self.period, by=self.officer, wake_worker=False)
        with (
            patch.object(calculate, "write_files", return_value=0),
            patch.object(calculate, "_refuse_other_figures"),
            stage_timer(STAGES) as watch,
        ):
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
