"""The search for norms, the whole way, next to the raw limit of it and the naive way."""

import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import psycopg
from django.core.management import CommandError
from django.db import transaction
from psycopg import sql

from config.bench import limit, naive
from config.bench.quarter import Quarter
from config.bench.season import IN_FORCE, Scale
from config.bench.stopwatch import StageTimer
from ratings.federations.fmjd.rules.development import development_percentage
from ratings.federations.fmjd.rules.parameters import edition_in_force as rating_edition
from ratings.models import RatingList
from ratings.production.binary_copy import Cells, binary_copy
from reporting.models import Entry
from titles.federations.facet import KINDS, ORIGINS
from titles.federations.fmjd.inputs import NormInput
from titles.federations.fmjd.rules.columns import (
    COLOURS,
    REFEREES,
    TITLES,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
)
from titles.federations.fmjd.rules.norms import Input
from titles.federations.fmjd.rules.parameters import EDITIONS, edition_in_force
from titles.federations.fmjd.search import find_norms
from titles.federations.fmjd.title_rules import Annex10
from titles.models import Norm
from titles.queries.search_norms import norms_of_tournament
from titles.rules.requirement import figures_of

SCALE = Scale(players=15_000, games=82_000, games_a_tournament=82)
"""1,000 tournaments, 20,000 participations."""
ROWS_OF_LIMIT = "SELECT participation, title, kind, origin, colour, figures FROM limit_norms"
LIMIT = "the raw limit"

Found = tuple[object, ...]
"""Player, tournament, title, kind, origin, colour and figures of a norm."""


def complete(owner: psycopg.Connection) -> None:
    """Give the quarter the details that norms ask for, and titles to players by their rating: where norms are found."""
    for table in ("reporting_resultset", "reporting_round", "reporting_tournamentdecision"):
        owner.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(table)))
    owner.execute("UPDATE reporting_resultset SET country_id = (SELECT min(code) FROM reporting_federation)")
    owner.execute(
        "INSERT INTO reporting_tournamentdecision (tournament_code, item, value, about, reason, by_id)"
        " SELECT code, item, value, CASE item WHEN 'referee_level' THEN referee ELSE '' END, '',"
        " (SELECT min(id) FROM reporting_user) FROM reporting_resultset,"
        " (VALUES ('council_approved', 'yes'), ('referee_level', 'fmjd')) AS decided (item, value)"
    )
    owner.execute(
        "UPDATE reporting_round SET played_on = t.played_from + reporting_round.number - 1 FROM reporting_resultset t"
        " WHERE t.id = result_set_id"
    )
    owner.execute(
        "INSERT INTO reporting_playertitle (player_id, awarded_by, discipline, title, ladder)"
        " SELECT player_id, 'fmjd', '100', CASE WHEN rating >= 2300 THEN 'GMI' WHEN rating >= 2250 THEN 'MI'"
        " WHEN rating >= 2200 THEN 'MF' ELSE 'CMF' END, '' FROM fmjd_listrow WHERE rating >= 2120"
    )
    owner.commit()
    owner.autocommit = True
    owner.execute("VACUUM ANALYZE")
    owner.autocommit = False


def run_limit(owner: psycopg.Connection, measured: Quarter) -> float:
    """The least that makes the same figures, by hand: arrays, the same engine once, one COPY, the same keys."""
    watch = StageTimer()
    parameters = edition_in_force(IN_FORCE, EDITIONS)
    search = find_norms(Annex10(parameters), parameters, _read(owner, measured))
    found = search.columns
    owner.execute(
        f"CREATE TABLE {limit.NORMS} (participation int, title int2, kind int2, origin int2, colour int2,"
        " figures int2[])"
    )
    names = ("participation", "title", "kind", "origin", "colour", "figures")
    with owner.cursor() as cursor, binary_copy(cursor, limit.NORMS, names) as write:
        for asked in np.unique(found.asked).tolist():
            rows = found.rows(found.asked == asked)
            values = (rows.participation, rows.title, rows.kind, rows.origin, rows.colour)
            write([Cells(column) for column in (*values, figures_of(search.asked[asked], rows.group))])
    owner.execute(f"ALTER TABLE {limit.NORMS} ADD UNIQUE (participation, title, kind, origin, colour)")
    owner.commit()
    watch.stop()
    return watch.whole


def _read(owner: psycopg.Connection, measured: Quarter) -> NormInput:
    period = measured.period.pk
    tournament, first, last, seconds, rounds = limit.fetch_columns(owner, TOURNAMENTS, period=period)
    entry, of_entry, player, federation, woman, rating, level = limit.fetch_columns(
        owner, ENTRIES, period=period, list=measured.opening.pk
    )
    of_round, turn, day = limit.fetch_columns(owner, ROUNDS, period=period)
    of_game, played_in, white, black, white_points, black_points, played = limit.fetch_columns(
        owner, limit.GAMES, period=period
    )
    place = np.zeros(int(entry.max()) + 1, np.int64)
    place[entry] = np.arange(entry.size)
    order = np.lexsort((played_in, of_game))
    rules = rating_edition(IN_FORCE)
    development = {each: development_percentage(rules, each) for each in np.unique(seconds).tolist()}
    number, yes = tournament.size, np.ones(tournament.size, bool)
    nothing = np.zeros(number, np.int64)
    given = Input(
        TournamentColumns(
            tournament, nothing + 100, nothing + 1, first, last, rounds,
            np.array([int(development[each]) for each in seconds.tolist()]), nothing, nothing, nothing, nothing,
            nothing + REFEREES.index("fmjd"), ~yes, ~yes, ~yes, yes, yes, yes,
        ),
        RoundColumns(np.searchsorted(tournament, of_round), turn, day),
        ParticipationColumns(
            np.searchsorted(tournament, of_entry), player, federation, woman + 1, level, np.zeros_like(level), rating,
            np.zeros_like(level), np.zeros(level.size, bool),
        ),
        GameColumns(
            played_in[order],
            np.where(white == 0, -1, place[white])[order], np.where(black == 0, -1, place[black])[order],
            white_points[order], black_points[order], played[order].astype(bool),
        ),
    )  # fmt: skip
    return NormInput(given, entry, order, {})


TOURNAMENTS = """
SELECT array_agg(id::int4), array_agg(first), array_agg(last), array_agg(seconds), array_agg(rounds)
FROM (SELECT t.id, t.played_from - date '1970-01-01' AS first, t.played_to - date '1970-01-01' AS last,
        t.seconds_for_60_moves AS seconds,
        (SELECT max(number)::int4 FROM reporting_round WHERE result_set_id = t.id) AS rounds
      FROM ratings_periodreport m JOIN reporting_resultset t ON t.id = m.result_set_id WHERE m.period_id = {period}
      ORDER BY t.id) q
"""
ROUNDS = """
SELECT array_agg(r.result_set_id::int4), array_agg(r.number::int4), array_agg(r.played_on - date '1970-01-01')
FROM reporting_round r JOIN ratings_periodreport m ON m.result_set_id = r.result_set_id AND m.period_id = {period}
"""
ENTRIES = """
SELECT array_agg(id::int4), array_agg(result_set_id::int4), array_agg(player_id::int4), array_agg(federation),
    array_agg(woman), array_agg(rating), array_agg(level)
FROM (
    SELECT e.id, e.result_set_id, e.player_id, f.place::int4 AS federation, (p.sex = 'W')::int4 AS woman,
        coalesce(l.rating, 0) AS rating,
        coalesce(array_position(ARRAY['CMF', 'MF', 'MI', 'GMI'], t.title::text), 0) AS level
    FROM reporting_entry e JOIN ratings_periodreport m ON m.result_set_id = e.result_set_id AND m.period_id = {period}
    JOIN reporting_player p ON p.id = e.player_id
    JOIN (SELECT code, row_number() OVER (ORDER BY code) AS place FROM reporting_federation) f
        ON f.code = p.federation_id
    LEFT JOIN fmjd_listrow l ON l.list_id = {list} AND l.player_id = p.id
    LEFT JOIN reporting_playertitle t ON t.player_id = p.id
    ORDER BY e.id
) q
"""


def run_naive(sample: Sequence[Entry], draft: RatingList, into: RatingList) -> tuple[float, list[Found]]:
    """Player by player: the tournament read and searched for each of its players, a save for each norm."""
    began = time.perf_counter()
    written = []
    with transaction.atomic():
        for entry in sample:
            search = norms_of_tournament(entry.result_set, draft)
            assert search is not None  # noqa: S101 (of a pool with rules of titles)
            row = search.people.entry.tolist().index(entry.pk)
            for found in search.found:
                if found.participation == row:
                    norm = Norm(
                        list=into, player=entry.player, result_set=entry.result_set, discipline="100",
                        title=found.title, kind=found.kind, origin=found.origin, colour=found.colour,
                        games=found.games,
                        ignored_game_id=None if found.ignored_game is None else search.games[found.ignored_game],
                        figures=figures_of(found.conditions, np.array([found.group]))[0].tolist(),
                    )  # fmt: skip
                    norm.save()
                    written.append(_figures(norm))
        milliseconds = 1000 * (time.perf_counter() - began)
        transaction.set_rollback(True)
    return milliseconds, written


def _figures(norm: Norm) -> Found:
    return (
        norm.player_id, norm.result_set_id, norm.title, str(norm.kind), str(norm.origin), str(norm.colour),
        tuple(norm.figures),
    )  # fmt: skip


def compared(owner: psycopg.Connection, measured: Quarter) -> list[Found]:
    """The norms of the draft; raises CommandError unless the raw limit found the same."""
    ours = [_figures(norm) for norm in Norm.objects.filter(list=measured.draft)]
    rows = owner.execute(ROWS_OF_LIMIT).fetchall()
    owner.commit()
    entries = list(Entry.objects.filter(result_set__manifest_lines__period=measured.period).order_by("pk"))
    theirs = [
        (
            entries[row].player_id, entries[row].result_set_id, TITLES[title], str(KINDS[kind]), str(ORIGINS[origin]),
            (*COLOURS, "")[colour], tuple(figures),
        )
        for row, title, kind, origin, colour, figures in rows
    ]  # fmt: skip
    if Counter(ours) != Counter(theirs):
        raise CommandError("The ways disagree about norms. Nothing was measured.")
    return ours


def measure_norms(owner: psycopg.Connection, scale: Scale, rounds: int, sample_size: int) -> Iterator[str]:
    """The benchmark, as the lines to print. Raises CommandError when the ways disagree."""
    measured = Quarter(owner, scale)
    complete(owner)
    into = naive.open_list(owner, measured.period, measured.opening)
    entries = Entry.objects.filter(result_set__manifest_lines__period=measured.period).select_related(
        "result_set"
    )
    participations = entries.count()
    sample = list(entries.order_by("pk"))[:: max(1, participations // sample_size)][:sample_size]
    measured.run_product()
    run_limit(owner, measured)
    ours = compared(owner, measured)
    _, by_player = run_naive(sample, measured.draft, into)
    players = {(entry.player_id, entry.result_set_id) for entry in sample}
    if Counter(by_player) != Counter(norm for norm in ours if norm[:2] in players):
        raise CommandError("The ways disagree about norms. Nothing was measured.")
    yield (
        f"Norms of a quarter: {scale.tournaments:,} tournaments, {participations:,} participations; "
        f"{len(ours):,} norms and near misses, the same in all ways."
    )
    times: dict[str, list[float]] = {name: [] for name in (LIMIT, "ours", "player by player")}
    for _ in range(rounds):
        measured.reset()
        times[LIMIT].append(run_limit(owner, measured))
        times["ours"].append(measured.run_product().stages["norms"])
        by_hand, _ = run_naive(sample, measured.draft, into)
        times["player by player"].append(by_hand * participations / len(sample))
    yield f"{'whole way':<32}{'ms':>10}{'to limit':>12}   smallest and largest of {rounds} pairs"
    for name, runs in times.items():
        ratios = sorted(mine / theirs for mine, theirs in zip(runs, times[LIMIT], strict=True))
        yield (
            f"{name:<32}{statistics.median(runs):>10,.0f}{statistics.median(ratios):>12,.2f}"
            f"   {ratios[0]:,.2f} to {ratios[-1]:,.2f}"
        )
