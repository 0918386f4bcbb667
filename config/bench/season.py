"""A quarter made up for the benchmark: the same numbers give the same players, tournaments and games.

The register and the reports are put into the tables by their owner, COPY by COPY; the opening list, the period
and its freeze are the product's own services.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
import psycopg
from django.apps import apps
from django.db import connection
from psycopg import sql

from ratings.models import Period, Pool
from ratings.production.imports.import_list import import_list
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.federations.fmjd.report_rules import FmjdReportRules
from reporting.formats.reader_process import Reading
from reporting.log.audit import Actor
from reporting.models import User
from reporting.reports.reading.read_file import pack_reading
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.report import PAUSE, ReadReport, ReportedGame, ReportedPlayer

SEED = 9
OPENING = date(2026, 1, 1)
IN_FORCE = date(2026, 4, 1)
FIRST_DAY = date(2025, 12, 16)
LAST_DAY = date(2026, 3, 15)
GAMES_A_TOURNAMENT = 60
FIRST_NUMBER = 10_000
ROUNDS = (5, 7, 9, 11)
ROUND_SHARES = (0.1, 0.3, 0.45, 0.15)
MINUTES = (150, 110, 75, 45)
MINUTE_SHARES = (0.6, 0.25, 0.1, 0.05)
SYLLABLES = (
    "ba", "bou", "dia", "do", "el", "fer", "ga", "go", "hui", "ka", "kov", "lin", "mar", "mi", "ndi", "ov", "pan",
    "ri", "ro", "sen", "ska", "sok", "ta", "tor", "ulu", "va", "ven", "vri", "ya", "zen",
)  # fmt: skip
FEDERATIONS = tuple(f"{first}{second}X" for first in "ABCDEFG" for second in "ABCDEFGHIJ")
Row = tuple[Any, ...]
MODELS = {model._meta.db_table: model for model in apps.get_models()}


@dataclass(frozen=True)
class Scale:
    """How large the quarter is; the number of tournaments follows the games."""

    players: int
    games: int
    games_a_tournament: int = GAMES_A_TOURNAMENT

    @property
    def tournaments(self) -> int:
        return max(1, self.games // self.games_a_tournament)


@dataclass(frozen=True)
class Reports:
    """What reports to a federation have; each time control with its share. `own` are its own details."""

    system: str
    discipline: str
    points: str
    minutes: tuple[int, ...]
    minute_shares: tuple[float, ...]
    first_day: date
    own_table: str
    own: dict[str, Any]
    last_day: date = LAST_DAY


FMJD = Reports(
    "fmjd", "100", "2-1-0", MINUTES, MINUTE_SHARES, FIRST_DAY, "fmjd_reports_resultsetdetails",
    {
        "youth": "", "competition": "", "council_approved": False, "rating_service_paid": False, "referee_level": "",
    },
)  # fmt: skip


@dataclass(frozen=True)
class Hall:
    """One tournament: who sits there (rows of the register), and its games as (round, white, black)."""

    players: list[int]
    rounds: int
    games: list[tuple[int, int | None, int | None]]


def load_season(owner: psycopg.Connection, scale: Scale) -> Period:
    """Register, opening list and reports of a quarter; its period, frozen."""
    strength, chance = load_opening_list(owner, scale)
    load_reports(owner, FMJD, halls(scale, strength, chance), strength, chance)
    pool = Pool.objects.get(code="fmjd-100")
    officer = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    period = ensure_period(pool=pool, in_force=IN_FORCE, by=officer)
    period = freeze_period(period=period, reason="benchmark", by=officer)
    analyze(owner)
    return period


def load_opening_list(
    owner: psycopg.Connection, scale: Scale, in_force: date = OPENING
) -> tuple[np.ndarray, np.random.Generator]:
    """A register and its opening list, published; the strength of each player, and chance for what follows."""
    chance = np.random.default_rng(SEED)
    strength = np.clip(chance.normal(1900, 280, scale.players), 1000, 2700)
    load_register(owner, scale, chance, FmjdReportRules.register.code, FEDERATIONS)
    pool = Pool.objects.get(code="fmjd-100")
    officer = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    releaser = Actor(User.objects.get(email="releaser@office.invalid"), by_command=True)
    opening = _opening_list(strength, chance, in_force)
    # The regulations give an FMJD-ID five digits: 99,999 players at most. The benchmark's register goes on.
    register = replace(FmjdReportRules.register, largest=FIRST_NUMBER + scale.players)
    with patch.object(FmjdReportRules, "register", register):
        import_list(content=opening, pool=pool, in_force=in_force, by=officer, releaser=releaser)
    return strength, chance


def analyze(owner: psycopg.Connection) -> None:
    """As the database's own daemon does after a while."""
    owner.commit()
    owner.autocommit = True
    owner.execute("VACUUM ANALYZE")
    owner.autocommit = False


def load_register(
    owner: psycopg.Connection,
    scale: Scale,
    chance: np.random.Generator,
    register: str,
    federations: Sequence[str],
) -> None:
    surnames, given = _words(chance, max(200, scale.players // 8), 4), _words(chance, 400, 3)
    last = chance.integers(0, len(surnames), scale.players).tolist()
    first = chance.integers(0, len(given), scale.players).tolist()
    home = np.minimum(chance.zipf(1.3, scale.players), len(federations)) - 1
    woman, born = chance.random(scale.players) < 0.12, chance.integers(1940, 2016, scale.players)
    _copy(
        owner,
        "reporting_federation",
        ("code", "name"),
        ((code, f"Federation {code}") for code in federations),
    )
    _copy(
        owner,
        "reporting_player",
        ("id", "last_name", "first_name", "sort_name", "federation_id", "sex", "birth_year"),
        (
            (
                row + 1, surnames[last[row]], given[first[row]],
                sort_name(surnames[last[row]], given[first[row]]), federations[home[row]],
                "W" if woman[row] else "M", int(born[row]),
            )
            for row in range(scale.players)
        ),
    )  # fmt: skip
    _copy(
        owner,
        "reporting_playeridentity",
        ("player_id", "register", "number"),
        ((row + 1, register, str(FIRST_NUMBER + row)) for row in range(scale.players)),
    )
    owner.commit()


def _words(chance: np.random.Generator, number: int, longest: int) -> list[str]:
    return [
        "".join(chance.choice(SYLLABLES, size)).capitalize()
        for size in chance.integers(2, longest + 1, number)
    ]


def _opening_list(strength: np.ndarray, chance: np.random.Generator, in_force: date) -> bytes:
    """93 of 100 players have a rating; some had 2300 once, some have not played for years."""
    size = len(strength)
    rated = chance.random(size) < 0.93
    rating = np.rint(np.clip(strength + chance.normal(0, 60, size), 1000, 2750)).astype(int)
    games = chance.integers(9, 900, size)
    recent = np.minimum(games, chance.integers(0, 120, size))
    reached = (rating >= 2300) | ((rating > 2200) & (chance.random(size) < 0.3))
    away = chance.integers(1, 2200, size)
    lines = ["fmjd_id,rating,games,reached_2300,last_game,games_3_years"]
    for row in np.flatnonzero(rated).tolist():
        last = in_force - timedelta(days=int(away[row]))
        lines.append(
            f"{FIRST_NUMBER + row},{rating[row]},{games[row]},{int(reached[row])},{last},{recent[row]}"
        )
    return ("\n".join(lines) + "\n").encode()


def halls(scale: Scale, strength: np.ndarray, chance: np.random.Generator) -> Iterator[Hall]:
    """Tournaments among players of like strength, by the circle method; about half of the register plays."""
    active = np.flatnonzero(chance.random(scale.players) < 0.55)
    active = active[np.argsort(strength[active])]
    rounds = chance.choice(ROUNDS, scale.tournaments, p=ROUND_SHARES)
    weight = chance.gamma(2.0, 1.0, scale.tournaments)
    sizes = np.maximum(4, np.rint(weight * 2 * scale.games / (rounds * weight).sum())).astype(int)
    for turns, wanted in zip(rounds.tolist(), sizes.tolist(), strict=True):
        room = min(len(active), max(3 * wanted, len(active) // 6))
        start = int(chance.integers(0, len(active) - room + 1))
        size = min(wanted, room)
        players = active[start + chance.choice(room, size, replace=False)].tolist()
        yield Hall(players, min(turns, size - 1), list(_pairings(size, min(turns, size - 1))))


def _pairings(size: int, rounds: int) -> Iterator[tuple[int, int | None, int | None]]:
    """Seats of each game; with an odd number one has a pause in each round."""
    seats: list[int | None] = [*range(size), *([None] if size % 2 else [])]
    for turn in range(1, rounds + 1):
        half = len(seats) // 2
        for board, (white, black) in enumerate(zip(seats[:half], reversed(seats[half:]), strict=True)):
            yield (turn, black, white) if (board + turn) % 2 else (turn, white, black)
        seats.insert(1, seats.pop())


def load_reports(
    owner: psycopg.Connection,
    of: Reports,
    halls: Iterable[Hall],
    strength: np.ndarray,
    chance: np.random.Generator,
) -> None:
    """Accepted reports, as if each had come and been reviewed on the day after its last round."""
    importer = User.objects.get(email="importer@office.invalid").pk
    tournaments: list[Row] = []
    rounds: list[Row] = []
    entries: list[Row] = []
    games: list[Row] = []
    reports: list[Row] = []
    versions: list[Row] = []
    for number, hall in enumerate(halls, start=1):
        first = of.first_day + timedelta(days=int(chance.integers(0, (of.last_day - of.first_day).days - 11)))
        days = [first + timedelta(days=turn * 11 // hall.rounds) for turn in range(hall.rounds)]
        last = min(days[-1], of.last_day)
        seconds = 60 * int(chance.choice(of.minutes, p=of.minute_shares))
        tournaments.append(
            (
                number, f"bench-{number}", 0, f"Tournament {number}", "", first, last, last, number, of.discipline, "",
                seconds,
                of.system, of.points, "swiss", False, "no", False, False, "", [], "", [],
            )
        )  # fmt: skip
        dated = chance.random() < 0.8
        rounds += [
            (number, turn, min(day, last) if dated else None) for turn, day in enumerate(days, start=1)
        ]
        base = len(entries) + 1
        entries += [
            (base + seat, number, player + 1, seat + 1, f"Player {player + 1}", "", "")
            for seat, player in enumerate(hall.players)
        ]
        results = list(_results(number, base, hall, strength, chance))
        games += results
        content = f"report {number}".encode()
        received = datetime.combine(last, datetime.min.time(), UTC) + timedelta(days=1)
        reports.append((number, number, "accepted", importer, received, "", number))
        reading = _reading(hall, base, results)
        versions.append((number, number, 1, f"{number}.txt", content, reading, hashlib.sha256(content).hexdigest(), b"",
                         "benchmark", "utf-8", "[]", 0, 0, f"Tournament {number}", 0, 0, "{}", importer))  # fmt: skip
    named = (
        (*row[:2], row[3], "", *row[5:7], of.discipline, "", "swiss", of.system, False, "")
        for row in tournaments
    )
    _copy(owner, "reporting_tournament", TOURNAMENT_COLUMNS, named)
    _copy(owner, "reporting_resultset", RESULT_SET_COLUMNS, tournaments)
    own = ((row[0], *of.own.values()) for row in tournaments)
    _copy(owner, of.own_table, ("result_set_id", *of.own), own)
    _copy(owner, "reporting_round", ("result_set_id", "number", "played_on"), rounds)
    _copy(owner, "reporting_entry", ENTRY_COLUMNS, entries)
    _copy(owner, "reporting_game", GAME_COLUMNS, games)
    _copy(owner, "reporting_report", REPORT_COLUMNS, reports)
    _copy(owner, "reporting_reportversion", VERSION_COLUMNS, versions)
    officer = User.objects.get(email="officer@office.invalid").pk
    steps = [(number, "accept", officer) for number in range(1, len(versions) + 1)]
    # The triggers of a step look up its report: by an index only where the tables are known not to be empty.
    owner.execute("ANALYZE reporting_report, reporting_reportversion")
    _copy(owner, "reporting_reportstep", ("version_id", "move", "by_id"), steps)
    owner.commit()


TOURNAMENT_COLUMNS = (
    "id", "code", "name", "place", "played_from", "played_to", "discipline", "time_control", "system", "rating_system",
    "official", "national_championship",
)  # fmt: skip
RESULT_SET_COLUMNS = (
    "id", "code", "revision", "name", "place", "played_from", "played_to", "counting_day", "number", "discipline",
    "time_control", "seconds_for_60_moves", "rating_system", "points", "system", "official", "national_championship",
    "women_only",
    "veterans", "referee", "standings", "unplayed", "session",
)  # fmt: skip
ENTRY_COLUMNS = (
    "id", "result_set_id", "player_id", "number", "reported_name", "reported_federation", "reported_title",
)  # fmt: skip
GAME_COLUMNS = ("result_set_id", "round", "white_id", "black_id", "white_points", "black_points", "played")
REPORT_COLUMNS = (
    "id", "result_set_id", "state", "submitted_by_id", "first_submitted_at", "admitted_reason", "accepted_version_id",
)  # fmt: skip
VERSION_COLUMNS = (
    "id", "report_id", "number", "filename", "content", "reading", "sha256", "sidecar", "format", "encoding",
    "findings", "errors", "warnings", "name", "players", "games", "results", "created_by_id",
)  # fmt: skip


def _reading(hall: Hall, base: int, results: Iterable[Row]) -> bytes:
    """What the report says, as a version stores it: the freeze compares lines and games with it."""
    return pack_reading(
        Reading(
            ReadReport(
                format="benchmark",
                encoding="utf-8",
                players=tuple(
                    ReportedPlayer(number=seat, name=f"Player {player + 1}")
                    for seat, player in enumerate(hall.players, start=1)
                ),
                games=tuple(
                    ReportedGame(
                        turn,
                        PAUSE if white is None else white - base + 1,
                        PAUSE if black is None else black - base + 1,
                        white_points,
                        black_points,
                        played,
                    )
                    for _, turn, white, black, white_points, black_points, played in results
                ),
            )
        )
    )


def _results(
    tournament: int, base: int, hall: Hall, strength: np.ndarray, chance: np.random.Generator
) -> Iterator[Row]:
    """Two points a game by strength, many draws; one game in fifty is not played, a pause gives two points."""
    rolls, forfeits = chance.random(len(hall.games)), chance.random(len(hall.games)) < 0.02
    for (turn, white, black), roll, forfeit in zip(
        hall.games, rolls.tolist(), forfeits.tolist(), strict=True
    ):
        if white is None or black is None:
            seats = (None if white is None else base + white, None if black is None else base + black)
            yield (tournament, turn, *seats, 2 * (white is not None), 2 * (black is not None), False)
            continue
        difference = strength[hall.players[white]] - strength[hall.players[black]]
        expected = 1 / (1 + 10 ** (-difference / 400))
        draw = min(0.9, 1.4 * min(expected, 1 - expected))
        points = 2 if roll < expected - draw / 2 else 1 if roll < expected + draw / 2 else 0
        if forfeit:
            points = 2 if roll < 0.5 else 0
        yield (tournament, turn, base + white, base + black, points, 2 - points, not forfeit)


def _copy(
    owner: psycopg.Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """What is not named has the default of its field, which only Django knows."""
    defaults = {
        str(field.column): field.get_db_prep_save(field.get_default(), connection)
        for field in MODELS[table]._meta.concrete_fields
        if field.has_default() and not field.has_db_default() and field.column not in columns
    }
    names = sql.SQL(", ").join(map(sql.Identifier, (*columns, *defaults)))
    command = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
    with owner.cursor().copy(command) as copy:
        for row in rows:
            copy.write_row((*row, *defaults.values()))
