"""A KNSB list from the database to a committed draft, beside the raw limit of its rows."""

import statistics
from collections.abc import Iterator
from datetime import date
from unittest.mock import patch

import numpy as np
import psycopg
from django.core.management import CommandError
from django.db import connection
from psycopg import sql

from config.bench.limit import fetch_columns
from config.bench.season import (
    FIRST_NUMBER,
    OPENING,
    SEED,
    Reports,
    Scale,
    analyze,
    halls,
    load_register,
    load_reports,
)
from config.bench.stopwatch import StageTimer, stage_timer
from ratings.federations.facet import EngineInput
from ratings.federations.knsb.rules.engine import KnsbInput
from ratings.federations.knsb.system import KnsbSystem
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import Pool
from ratings.production import calculate, request_calculation, write_list
from ratings.production.imports.import_list import import_list
from ratings.production.periods.choose_dates import choose_dates
from ratings.production.periods.freeze_period import freeze_period
from ratings.production.write_list import copy_columns, create_like, drop_superseded
from reporting.log.audit import OFFICER, Actor
from reporting.models import User

IN_FORCE = date(2026, 4, 1)
REPORTS = Reports(
    "knsb", "", "1-0.5-0", (120, 90, 60), (0.6, 0.3, 0.1), date(2026, 1, 2), "knsb_reports_resultsetdetails",
    {"fide_processed": False},
)  # fmt: skip
STAGES = (
    ("read", (KnsbSystem, "read_input")),
    ("input digest", (KnsbInput, "digest")),
    ("calculate", (KnsbInput, "calculate")),
    ("list rows", (write_list, "_write_rows")),
    ("changes", (write_list, "_write_changes")),
    ("keys, foreign keys", (write_list, "_index")),
    ("keys, foreign keys", (write_list, "_attach")),
    ("figures digest", (write_list, "_figures_digest")),
    ("commit", (connection, "commit")),
)
"""What the limit does too has the same name; the rest is what a product needs in addition."""
KEYS = """
ALTER TABLE limit_rows ADD PRIMARY KEY (position), ADD UNIQUE (player_id),
    ADD FOREIGN KEY (player_id) REFERENCES reporting_player;
ALTER TABLE limit_changes ADD PRIMARY KEY (player_id, sequence),
    ADD FOREIGN KEY (player_id) REFERENCES reporting_player,
    ADD FOREIGN KEY (opponent_id) REFERENCES reporting_player,
    ADD FOREIGN KEY (game_id) REFERENCES reporting_game,
    ADD FOREIGN KEY (result_set_id) REFERENCES reporting_resultset;
CREATE INDEX ON limit_changes (result_set_id);
"""
"""Those of a list's own tables."""


class KnsbList:
    """A frozen period of klassiek, and two ways to make its list: ours, and the least that makes the same rows."""

    def __init__(self, owner: psycopg.Connection, scale: Scale) -> None:
        self.owner = owner
        chance = np.random.default_rng(SEED)
        strength = np.clip(chance.normal(1700, 300, scale.players), 1200, 2500)
        load_register(owner, scale, chance, "knsb", ("AAX", "NED"))
        pool = Pool.objects.get(code="knsb-klassiek")
        self.by = Actor(User.objects.get(email=OFFICER), by_command=True)
        releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)
        games = chance.integers(6, 300, scale.players)
        lines = (
            f"{FIRST_NUMBER + row},{round(strength[row])},{games[row]}\n"
            for row in range(scale.players)
            if row % 20
        )
        content = "".join(["knsb_id,rating,games\n", *lines]).encode()
        import_list(content=content, pool=pool, in_force=OPENING, by=self.by, releaser=releaser)
        load_reports(owner, REPORTS, halls(scale, strength, chance), strength, chance)
        period = choose_dates(pool=pool, closing=date(2026, 3, 31), in_force=IN_FORCE, by=self.by)
        self.period = freeze_period(period=period, reason="benchmark", by=self.by)
        analyze(owner)

    def reset(self) -> None:
        """So that no way pays for the work of another."""
        drop_superseded()
        self.owner.autocommit = True
        self.owner.execute("CHECKPOINT")
        self.owner.autocommit = False

    def run_product(self) -> StageTimer:
        """As the worker does, without the files and the recalculation from them."""
        run = request_calculation.request_calculation(period=self.period, by=self.by, wake_worker=False)
        with (
            patch.object(calculate, "write_files", return_value=0),
            patch.object(calculate, "_refuse_other_figures"),
            stage_timer(STAGES) as watch,
        ):
            self.draft = calculate.calculate_period(run=run)
        return watch

    def run_limit(self, engine_input: EngineInput) -> StageTimer:
        """By hand: the same tables read as arrays, the engine once, the same columns with the same keys.

        What the arrays become for the engine is `engine_input`, made before.
        """
        watch = StageTimer()
        for query in READ:
            fetch_columns(self.owner, query, period=self.period.pk)
        watch.done("read")
        calculation = engine_input.calculate()
        watch.done("calculate")
        declaration = KnsbSystem.declaration
        with self.owner.cursor() as cursor:
            create_like(cursor, "limit_new_rows", self.draft.rows_partition, declaration.rows)
            copy_columns(cursor, "limit_new_rows", declaration.rows, calculation.rows)
            cursor.execute(f"CREATE TABLE limit_rows AS SELECT f.* {OF_PERSON}")
            watch.done("list rows")
            cursor.execute(f"CREATE TABLE limit_changes (LIKE {self.draft.changes_partition})")
            cursor.execute("ALTER TABLE limit_changes DROP COLUMN list_id")
            copy_columns(cursor, "limit_changes", declaration.changes, calculation.changes)
        watch.done("changes")
        self.owner.execute(KEYS)
        watch.done("keys, foreign keys")
        self.owner.commit()
        watch.done("commit")
        watch.stop()
        return watch

    def clear_limit(self) -> None:
        self.owner.execute("DROP TABLE IF EXISTS limit_rows, limit_changes")
        self.owner.commit()

    def differences(self) -> int:
        """Rows and changes that are only ours or only the limit's."""
        declaration, found = KnsbSystem.declaration, 0
        for table, partition, columns in (
            ("limit_rows", self.draft.rows_partition, declaration.rows),
            ("limit_changes", self.draft.changes_partition, declaration.changes),
        ):
            # FIDE's title of a row is the register's word, empty here.
            names = sql.SQL(", ").join(
                sql.Identifier(column.name) for column in columns if column.name != "title"
            )
            one, other = (
                sql.SQL("SELECT {} FROM {}").format(names, sql.Identifier(name))
                for name in (table, partition)
            )
            query = "SELECT count(*) FROM (({0} EXCEPT ALL {1}) UNION ALL ({1} EXCEPT ALL {0})) q"
            (count,) = self.owner.execute(sql.SQL(query).format(one, other)).fetchone() or (0,)
            found += count
        self.owner.commit()
        return found


def measure_list(owner: psycopg.Connection, scale: Scale, rounds: int) -> Iterator[str]:
    """The lines to print. Raises CommandError where ours and the limit differ in a row."""
    made = KnsbList(owner, scale)
    engine_input = made.period.pool.rating_system.read_input(inputs_of_period(made.period, None))
    made.run_product()
    made.run_limit(engine_input)
    if differing := made.differences():
        raise CommandError(f"The ways disagree: {differing} rows differ. Nothing was measured.")
    ours: list[StageTimer] = []
    limits: list[StageTimer] = []
    for place in range(rounds):
        for way in (ours, limits)[:: -1 if place % 2 else 1]:
            made.clear_limit()
            made.reset()
            way.append(made.run_product() if way is ours else made.run_limit(engine_input))
    yield (
        f"A KNSB list of {made.draft.players:,} players, {made.draft.games:,} games in {made.draft.tournaments:,}"
        " tournaments, from the database to a committed draft: ours and the limit the same, row by row."
    )
    for stage in dict.fromkeys([*(name for name, _ in STAGES), "the rest"]):
        mine, theirs = (
            statistics.median(run.stages.get(stage, 0.0) for run in way) for way in (ours, limits)
        )
        yield f"{stage:<22}{mine:>10.1f}" + (f"{theirs:>10.1f}{mine / theirs:>8.2f}" if theirs else "")
    ratio = statistics.median(one.whole / other.whole for one, other in zip(ours, limits, strict=True))
    mine, theirs = (statistics.median(run.whole for run in way) for way in (ours, limits))
    yield f"{'whole way, ms':<22}{mine:>10.1f}{theirs:>10.1f}{ratio:>8.2f} × (at most 2.5)"


OF_PERSON = """, row_number() OVER (ORDER BY p.sort_name, f.register_number, p.id)::int AS name_position,
    CASE p.first_name WHEN '' THEN p.last_name ELSE p.last_name || ', ' || p.first_name END::varchar(130) AS name,
    p.sort_name, coalesce(m.federation_id, p.federation_id) AS federation, p.sex, p.birth_year
FROM limit_new_rows f JOIN reporting_player p ON p.id = f.player_id
LEFT JOIN reporting_federationmembership m ON m.player_id = p.id AND m.until > date '2026-03-31'"""
READ = (
    """SELECT array_agg(g.id::int4), array_agg(g.result_set_id::int4), array_agg(g.round::int4),
    array_agg(coalesce(w.player_id, 0)::int4), array_agg(coalesce(b.player_id, 0)::int4),
    array_agg(g.white_points::int4), array_agg(coalesce(r.played_on, s.played_to) - date '1970-01-01')
FROM ratings_periodreport m JOIN reporting_resultset s ON s.id = m.result_set_id
JOIN reporting_game g ON g.result_set_id = s.id
LEFT JOIN reporting_entry w ON w.id = g.white_id LEFT JOIN reporting_entry b ON b.id = g.black_id
LEFT JOIN reporting_round r ON r.result_set_id = s.id AND r.number = g.round
WHERE m.period_id = {period} AND g.played""",
    """SELECT array_agg(r.player_id::int4), array_agg(r.rating), array_agg(r.n_v::int4), array_agg(r.games),
    array_agg(r.last_game - date '1970-01-01'), array_agg((p.numbers->>'knsb')::int), array_agg(p.birth_year::int)
FROM knsb_listrow r JOIN reporting_player p ON p.id = r.player_id
JOIN ratings_ratinglist l ON l.id = r.list_id AND l.is_opening
JOIN ratings_period o ON o.pool_id = l.pool_id AND o.id = {period}""",
)
