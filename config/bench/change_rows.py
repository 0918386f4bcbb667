"""Changes by game, with figures of 64 bits, written next to as many changes by tournament as the FMJD has them."""

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.db import connection, transaction

from ratings.federations.fmjd.models import CHANGES, FmjdChange
from ratings.federations.fmjd.rules.columns import StoredChangeColumns
from ratings.production.write_list import copy_columns
from ratings.rules.columns import Columns, Integers, Words
from ratings.rules.declared import Column, Kind

SEED = 10
LISTS = ("", *(f"knsb-rapid/20{year}-01-01/r1" for year in range(10, 26)))


@dataclass(frozen=True, eq=False)
class GameChangeColumns(Columns):
    """One row a game and player: keys, ratings, the lists that they came from, figures times ten to the tenth."""

    player: Integers
    sequence: Integers
    tournament: Integers
    game: Integers
    opponent: Integers
    black: Integers
    games: Integers
    points: Integers
    own: Integers
    own_list: Integers
    opponent_rating: Integers
    opponent_list: Integers
    expected_e10: Integers
    added_e10: Integers
    first_day: Integers
    last_day: Integers
    lists: Words


BY_GAME = (
    *(Column(name=name) for name in ("player", "sequence", "tournament", "game")),
    Column(name="opponent", kind=Kind.PLAYER),
    Column(name="black", kind=Kind.WORD, words=("w", "b")),
    Column(name="games"),
    Column(name="points", kind=Kind.HALVES),
    Column(name="own"),
    Column(name="own_list", kind=Kind.WORD, words_from="lists"),
    Column(name="opponent_rating"),
    Column(name="opponent_list", kind=Kind.WORD, words_from="lists"),
    Column(name="expected_e10", kind=Kind.SCALED, decimals=10),
    Column(name="added_e10", kind=Kind.SCALED, decimals=10),
    Column(name="first_day", kind=Kind.DAY),
    Column(name="last_day", kind=Kind.DAY),
)
TYPES = {Kind.DAY: "date", Kind.WORD: "varchar(40)", Kind.PLAYER: "bigint"}
KEYS = {"player", "tournament", "game"}
MOST = {
    "black": 2,
    "method": 2,
    "own_list": len(LISTS),
    "opponent_list": len(LISTS),
    "expected_e10": 10**10,
    "added_e10": 10**11,
}
"""One more than the largest value of a column; 20,000 in others."""


def measure_change_rows(rows: int, rounds: int) -> Iterator[str]:
    """The lines to print. Both go by COPY, as a list is written, into a table without keys."""
    chance = np.random.default_rng(SEED)

    def integers(most: int) -> Integers:
        return chance.integers(0, most, rows)

    of_fmjd: dict[str, Any] = {
        field.name: integers(2) == 1 if field.type == "Flags" else integers(MOST.get(field.name, 20_000))
        for field in fields(StoredChangeColumns)
    }
    *arrays, _ = (field.name for field in fields(GameChangeColumns))
    by_game: dict[str, Any] = {name: integers(MOST.get(name, 20_000)) for name in arrays}
    types = {
        column.name: "bigint" if column.is_long or column.name in KEYS else TYPES.get(column.kind, "int")
        for column in BY_GAME
    }
    game_table = ", ".join(["list_id bigint", *(f"{name} {kind}" for name, kind in types.items())])
    fmjd_table = f"LIKE {FmjdChange._meta.db_table}"
    tournaments, games = [], []
    for _ in range(rounds):
        tournaments.append(_rows_a_second(fmjd_table, CHANGES, StoredChangeColumns(**of_fmjd)))
        games.append(_rows_a_second(game_table, BY_GAME, GameChangeColumns(**by_game, lists=LISTS)))
    ratio = statistics.median(one / other for one, other in zip(games, tournaments, strict=True))
    yield f"{rows:,} changes by COPY, a row a tournament: {statistics.median(tournaments):,.0f} rows/s"
    yield f"change row a game: {statistics.median(games):,.0f} rows/s   {ratio:.2f} × (at least 0.9)"


def _rows_a_second(table: str, columns: Sequence[Column], rows: Columns) -> float:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TEMP TABLE bench_changes ({table}) ON COMMIT DROP")
        began = time.perf_counter()
        with connection.connection.cursor() as cursor:
            copy_columns(cursor, "bench_changes", columns, rows, list_id=1)
        seconds = time.perf_counter() - began
        transaction.set_rollback(True)
    return len(rows) / seconds
