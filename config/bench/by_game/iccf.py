"""An ICCF quarter with all games ever behind it: reading, digest and engine beside reading the columns of its games."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import psycopg
from django.core.management import CommandError
from psycopg import sql

from config.bench.limit import fetch_columns
from config.bench.season import (
    FIRST_NUMBER,
    SEED,
    Reports,
    Scale,
    analyze,
    halls,
    load_register,
    load_reports,
)
from ratings.federations.iccf.rules.calendar import IccfCalendar
from ratings.federations.iccf.rules.engine import IccfInput
from ratings.federations.iccf.rules.parameters import EDITIONS
from ratings.federations.iccf.system import IccfSystem
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import Period, Pool, RatingList
from ratings.production.imports.import_list import import_list
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.log.audit import OFFICER, Actor
from reporting.models import User

IN_FORCE = date(2026, 4, 1)
SPAN = 730
"""Days over which the tournaments of the quarter began."""
LISTS_WITH_ROWS = 10
"""As many lists as games of these days have ratings from."""
NEWCOMERS, GAMES_OF_NEWCOMERS = 0.25, 12
"""The share of the players who have fewer than 30 games, and about how many they have."""
REPORTS = Reports(
    "iccf", "", "1-0.5-0", (60,), (1.0,), date(2025, 12, 2), "iccf_reports_resultsetdetails",
    {"kind": "master-class", "level": None, "delivery": "server", "registered": None},
)  # fmt: skip


@dataclass(frozen=True)
class Past:
    """How many games ever there are, on how many lists."""

    games: int
    lists: int


def measure_quarter(owner: psycopg.Connection, scale: Scale, past: Past, rounds: int) -> Iterator[str]:
    """The lines to print. Raises CommandError where the sums of all games ever are not those of their columns."""
    period = _load(owner, scale, past)
    engine_input = _read(period)
    changes = _columns_of_past(owner)
    _check(engine_input, changes)
    calculation = engine_input.calculate()
    reads, columns, digests, calculations = [], [], [], []
    for _ in range(rounds):
        columns.append(_milliseconds(lambda: _read_columns(owner, period)))
        reads.append(_milliseconds(lambda: _read(period)))
        digests.append(_milliseconds(engine_input.digest))
        calculations.append(_milliseconds(engine_input.calculate))
    whole = [sum(parts) for parts in zip(reads, digests, calculations, strict=True)]
    ratio = statistics.median(one / other for one, other in zip(whole, columns, strict=True))
    formulas = np.bincount(calculation.rows.method, minlength=4)
    yield (
        f"An ICCF quarter of {len(calculation.rows):,} players and {len(engine_input.columns.games):,} games, with"
        f" {changes[0].size // 2:,} past games on {past.lists} lists; by formula 5 {formulas[1] + formulas[2]:,}"
        f" players, by formula 6 {formulas[3]:,}."
    )
    yield f"columns of all its games    {statistics.median(columns):10,.0f} ms"
    for name, times in (("read", reads), ("digest", digests), ("calculate", calculations)):
        yield f"{name:<28}{statistics.median(times):10,.0f} ms"
    yield f"{'whole way':<28}{statistics.median(whole):10,.0f} ms   {ratio:.2f} × (at most 3)"


def _load(owner: psycopg.Connection, scale: Scale, past: Past) -> Period:
    """Register, opening list, past lists with their changes, and the reports of the quarter; its period, frozen."""
    chance = np.random.default_rng(SEED)
    strength = np.clip(chance.normal(2000, 250, scale.players), 1200, 2700)
    load_register(owner, scale, chance, "iccf", ("AAX", "NED"))
    pool = Pool.objects.get(code="iccf")
    by = Actor(User.objects.get(email=OFFICER), by_command=True)
    releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)
    calendar, days = IccfCalendar(), [IN_FORCE]
    while len(days) < past.lists + 2:
        days.insert(0, calendar.previous_period(calendar.period_of(days[0] - timedelta(days=60))).in_force)
    established = round(scale.players * (1 - NEWCOMERS))
    lines = (f"{FIRST_NUMBER + row},{round(strength[row])},100\n" for row in range(established))
    content = "".join(["iccf_id,rating,games\n", *lines]).encode()
    import_list(content=content, pool=pool, in_force=days[0], by=by, releaser=releaser)
    load_reports(owner, REPORTS, halls(scale, strength, chance), strength, chance)
    owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
    owner.execute("ALTER TABLE reporting_resultset DISABLE TRIGGER USER")
    owner.execute(BEGUN_EARLIER, {"span": SPAN, "last": date(2026, 2, 28)})
    owner.execute("ALTER TABLE reporting_resultset ENABLE TRIGGER USER")
    owner.execute("SELECT setseed(0.09)")
    owner.execute("CREATE TEMPORARY TABLE strength (player int, rating int)")
    with owner.cursor().copy("COPY strength FROM STDIN") as copy:
        for player, rating in enumerate(strength.round().astype(int).tolist(), start=1):
            copy.write_row((player, rating))
    owner.commit()
    for place, day in enumerate(days[1:-1], start=1):
        period = ensure_period(pool=pool, in_force=day, by=by)
        has_rows = place > past.lists - LISTS_WITH_ROWS
        _past_list(owner, period, past.games // past.lists, established, scale.players, has_rows=has_rows)
    period = freeze_period(
        period=ensure_period(pool=pool, in_force=IN_FORCE, by=by), reason="benchmark", by=by
    )
    analyze(owner)
    return period


def _past_list(
    owner: psycopg.Connection, period: Period, games: int, established: int, players: int, *, has_rows: bool
) -> None:
    """A published list with made-up changes, each of the same stored game; rows as the strength of the players."""
    opening = RatingList.objects.get(pool=period.pool, is_opening=True)
    (before,) = owner.execute("SELECT max(id) FROM ratings_ratinglist").fetchone() or (0,)
    given = {
        "in_force": period.in_force, "closing": period.closing, "period_id": period.pk, "previous_id": before,
        "is_opening": False, "state": "calculated", "approved_by_id": None, "approved_at": None, "approved_sha256": "",
        "published_by_id": None, "published_at": None, "published_sha256": "",
    }  # fmt: skip
    names = [one.attname for one in RatingList._meta.concrete_fields if one.attname != "id"]
    values = [sql.Literal(given[name]) if name in given else sql.Identifier(name) for name in names]
    insert = sql.SQL(
        "INSERT INTO ratings_ratinglist ({}) SELECT {} FROM ratings_ratinglist WHERE id = {} RETURNING id"
    )
    (key,) = owner.execute(
        insert.format(
            sql.SQL(", ").join(map(sql.Identifier, names)),
            sql.SQL(", ").join(values),
            sql.Literal(opening.pk),
        )
    ).fetchone() or (0,)
    owner.execute("SELECT open_partition(%s)", [key])
    shares = {
        "list": key,
        "games": games,
        "established": established,
        "players": players,
        "day": period.closing,
    }
    of_newcomers = (
        (players - established) * GAMES_OF_NEWCOMERS / (2 * games * LISTS_WITH_ROWS) if has_rows else 0
    )
    owner.execute(
        sql.SQL(CHANGES).format(table=sql.Identifier(f"iccf_change_{key}")), shares | {"share": of_newcomers}
    )
    if has_rows:
        owner.execute(
            sql.SQL(ROWS).format(
                table=sql.Identifier(f"iccf_listrow_{key}"), changes=sql.Identifier(f"iccf_change_{key}")
            ),
            shares,
        )
    owner.execute("SELECT index_partition(%s), seal_partition(%s)", [key, key])
    owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
    owner.execute("ALTER TABLE ratings_ratinglist DISABLE TRIGGER USER")
    owner.execute(PUBLISHED, {"list": key, "opening": opening.pk})
    owner.execute("ALTER TABLE ratings_ratinglist ENABLE TRIGGER USER")
    owner.commit()


def _read(period: Period) -> IccfInput:
    return IccfSystem().read_input(inputs_of_period(period, None))


def _columns_of_past(owner: psycopg.Connection) -> list[np.ndarray]:
    """Player, own rating, opponent's rating and points of all games ever."""
    columns = fetch_columns(owner, PAST)
    owner.commit()
    return columns


def _read_columns(owner: psycopg.Connection, period: Period) -> None:
    """Those of the games of the quarter, of the ratings on the lists, and of all games ever."""
    fetch_columns(owner, GAMES, period=period.pk)
    fetch_columns(owner, RATINGS)
    _columns_of_past(owner)


def _check(engine_input: IccfInput, changes: list[np.ndarray]) -> None:
    """The sums of all games ever of players with fewer than 30 are those of their columns."""
    player, own, opponent, points = changes
    limit = EDITIONS[-1].largest_difference
    limited = np.clip(opponent, own - limit, own + limit)
    players = engine_input.columns.players
    has_few = (players.games > 0) & (players.games < EDITIONS[-1].fixed_games)
    for sums, of_game in (
        (players.past_games, np.ones_like(player)), (players.past_opponents, limited), (players.past_points, points)
    ):  # fmt: skip
        expected = np.bincount(player, of_game, minlength=int(players.player.max()) + 1).astype(np.int64)
        if not has_few.any() or np.any(sums[has_few] != expected[players.player[has_few]]):
            raise CommandError(
                "The sums of all games ever are not those of their columns. Nothing was measured."
            )


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


BEGUN_EARLIER = """
UPDATE reporting_resultset SET played_from = played_from - (id * 37 %% %(span)s)::int,
    counting_day = least(counting_day, %(last)s)
"""

# Newcomers are a share of White; of the others the first ones have most games.
CHANGES = """
WITH drawn AS MATERIALIZED (
    SELECT game, random() AS one, random() AS other, random() AS is_new, floor(random() * 3)::int AS points
    FROM generate_series(1, %(games)s) game
), played AS MATERIALIZED (
    SELECT game, points,
        CASE WHEN is_new < 2 * %(share)s THEN %(established)s + 1 + floor(one * (%(players)s - %(established)s))::int
            ELSE 1 + floor(one * one * %(established)s)::int END AS white,
        1 + floor(other * %(established)s)::int AS black
    FROM drawn
)
INSERT INTO {table} (list_id, player_id, sequence, result_set_id, games, points, first_game, last_game, game_id,
    opponent_id, colour, own_rating, own_from, own_list, opponent_rating, opponent_from, opponent_list, method,
    substitute)
SELECT %(list)s, side.player, row_number() OVER (PARTITION BY side.player ORDER BY side.game, side.colour) - 1, 1, 1,
    side.points, %(day)s::date - 300, %(day)s::date, (SELECT min(id) FROM reporting_game), side.opponent, side.colour,
    own.rating, 'list', 'iccf/2024-01-01/r1', other.rating, 'list', 'iccf/2024-01-01/r1', '5-all', ''
FROM (
    SELECT game, white AS player, black AS opponent, points, 'w' AS colour FROM played
    UNION ALL SELECT game, black, white, 2 - points, 'b' FROM played
) side
JOIN strength own ON own.player = side.player JOIN strength other ON other.player = side.opponent
"""

ROWS = """
INSERT INTO {table} (list_id, position, name_position, player_id, register_number, name, sort_name, federation, sex,
    title, rating, period_games, games, rank, method, status)
SELECT %(list)s, row_number() OVER (ORDER BY strength.rating DESC, player.id), player.id, player.id, number::int,
    player.last_name, player.sort_name, player.federation_id, player.sex, '', strength.rating, 0,
    CASE WHEN player.id <= %(established)s THEN 100 ELSE past.games END, 1, '', ''
FROM reporting_player player JOIN strength ON strength.player = player.id
JOIN reporting_playeridentity identity ON identity.player_id = player.id
LEFT JOIN (
    SELECT player_id, sum(games)::int AS games FROM (
        SELECT player_id, games FROM iccf_change WHERE player_id > %(established)s
        UNION ALL SELECT player_id, games FROM {changes} WHERE player_id > %(established)s
    ) every GROUP BY player_id
) past ON past.player_id = player.id
WHERE player.id <= %(established)s OR past.games > 0
"""

PUBLISHED = """
UPDATE ratings_ratinglist list SET state = 'published', approved_by_id = opening.approved_by_id,
    approved_at = opening.approved_at, approved_sha256 = list.sha256, published_by_id = opening.published_by_id,
    published_at = opening.published_at, published_sha256 = list.sha256
FROM ratings_ratinglist opening WHERE list.id = %(list)s AND opening.id = %(opening)s
"""

PAST = """
SELECT array_agg(player_id::int4), array_agg(own_rating), array_agg(opponent_rating), array_agg(points) FROM iccf_change
"""

GAMES = """
SELECT array_agg(g.id::int4), array_agg(g.result_set_id::int4), array_agg(g.round::int4), array_agg(w.player_id::int4),
    array_agg(b.player_id::int4), array_agg(g.white_points::int4), array_agg(s.played_from - date '1970-01-01')
FROM ratings_periodreport m JOIN reporting_resultset s ON s.id = m.result_set_id
JOIN reporting_game g ON g.result_set_id = s.id
JOIN reporting_entry w ON w.id = g.white_id JOIN reporting_entry b ON b.id = g.black_id
WHERE m.period_id = {period} AND g.played
"""
RATINGS = """
SELECT array_agg(list_id::int4), array_agg(player_id::int4), array_agg(rating), array_agg(games) FROM iccf_listrow
"""
