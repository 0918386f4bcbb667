"""What the calculation of a period is made from, read in five queries, columns at once.

Array columns travel as one binary value each: fifteen thousand players and sixty thousand games arrive in some
tens of milliseconds, without a Python object per row.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from psycopg import Cursor, sql

from ratings.models import Period, RatingList
from ratings.rules.fmjd.columns import (
    NEVER,
    NO_DAY,
    BasisColumns,
    EventColumns,
    GameColumns,
    Integers,
    PlayerColumns,
)
from ratings.rules.fmjd.parameters import Parameters, edition_in_force
from ratings.rules.fmjd.periods import basis_of, day_number, day_of_number, years_before

INT4_OID = 23
ARRAY_HEADER = ">5i"
HEADER_BYTES = 20
BEFORE_EVERY_LIST = date(1900, 1, 1)


@dataclass(frozen=True)
class PeriodFacts:
    """Everything a period's figures hang on, and nothing else.

    `register_numbers` has one number (FMJD-ID) per row of `players`; `codes` one tournament code per event.
    """

    parameters: Parameters
    closing_day: int
    in_force: date
    events: EventColumns
    codes: tuple[str, ...]
    games: GameColumns
    basis: BasisColumns
    players: PlayerColumns
    register_numbers: Integers

    def digest(self) -> str:
        """SHA-256 over the sorted canonical lines of edition, players, list rows used, events and games (U8).

        Players and tournaments go by FMJD-ID and code, so that two installations with the same facts agree.
        """
        numbers = self.register_numbers
        code_of = self.codes

        def number(players: Integers) -> list[int]:
            """FMJD-IDs of player ids, 0 for a pause."""
            places = np.minimum(np.searchsorted(self.players.player, players), max(len(numbers) - 1, 0))
            return np.where(players > 0, numbers[places] if len(numbers) else 0, 0).tolist()

        order_of_basis = {
            basis: str(turn) for turn, basis in enumerate(sorted(set(self.events.basis.tolist())))
        }
        used = np.isin(self.basis.player, self.players.player)
        lines = [f"edition,{self.parameters.id}", f"closing,{day_of_number(self.closing_day).isoformat()}"]
        lines += _lines(
            "player",
            numbers.tolist(),
            self.players.rating.tolist(),
            self.players.games.tolist(),
            self.players.first_2300_day.tolist(),
            self.players.last_game_day.tolist(),
            self.players.games_3_years.tolist(),
        )
        lines += _lines(
            "list",
            [order_of_basis[basis] for basis in self.basis.basis[used].tolist()],
            number(self.basis.player[used]),
            self.basis.rating[used].tolist(),
        )
        lines += _lines(
            "event",
            code_of,
            self.events.first_day.tolist(),
            self.events.last_day.tolist(),
            self.events.number.tolist(),
            self.events.seconds_for_60_moves.tolist(),
            [order_of_basis[basis] for basis in self.events.basis.tolist()],
        )
        lines += _lines(
            "game",
            [code_of[event] for event in self.games.event.tolist()],
            number(self.games.white),
            number(self.games.black),
            self.games.white_points.tolist(),
            self.games.black_points.tolist(),
            self.games.played.astype(int).tolist(),
            self.games.day.tolist(),
        )
        lines.sort()
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _lines(word: str, *columns: Iterable[Any]) -> Iterator[str]:
    for values in zip(*columns, strict=True):
        yield f"{word}," + ",".join(map(str, values))


def lists_in_force(pool_id: int, before: date) -> list[RatingList]:
    """The newest published revision of each list of a pool that came into force before a day, oldest first."""
    newest = (
        RatingList.objects.filter(pool_id=pool_id, state=RatingList.State.PUBLISHED, in_force__lt=before)
        .order_by("in_force", "-revision")
        .distinct("in_force")
    )
    return list(newest)


def period_facts(period: Period) -> PeriodFacts:
    """Read a frozen period: its manifest, and the lists published before it came into force.

    Six queries, whatever the number of players. Raises ValueError when the pool has no list yet.
    """
    lists = lists_in_force(period.pool_id, period.in_force)
    if not lists:
        raise ValueError(f"pool {period.pool_id} has no list")
    parameters = edition_in_force(period.in_force)
    events, codes = _events(period.pk, lists)
    return PeriodFacts(
        parameters=parameters,
        closing_day=day_number(period.closing),
        in_force=period.in_force,
        events=events,
        codes=codes,
        games=_games(events),
        basis=_basis(sorted(set(events.basis.tolist()))),
        **_players(parameters, events, lists, period.closing),
    )


def _events(period_id: int, lists: Sequence[RatingList]) -> tuple[EventColumns, tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t.id, t.played_from, t.played_to, t.number, t.seconds_for_60_moves, t.code"
            " FROM ratings_periodreport m JOIN reporting_tournament t ON t.id = m.tournament_id"
            " WHERE m.period_id = %s ORDER BY t.id",
            [period_id],
        )
        rows = cursor.fetchall()
    in_force = [rating_list.in_force for rating_list in lists]
    columns = [
        [row[0] for row in rows],
        [day_number(row[1]) for row in rows],
        [day_number(row[2]) for row in rows],
        [row[3] for row in rows],
        [row[4] for row in rows],
        [lists[basis_of(in_force, row[1])].pk for row in rows],
    ]
    return EventColumns(*(np.array(column, dtype=np.int64) for column in columns)), tuple(
        row[5] for row in rows
    )


def _games(events: EventColumns) -> GameColumns:
    tournament, white, black, white_points, black_points, played, day = read_columns(
        sql.SQL(
            "SELECT g.tournament_id, coalesce(white.player_id, 0), coalesce(black.player_id, 0), g.white_points,"
            " g.black_points, g.played::int, coalesce(r.played_on, t.played_to) - date '1970-01-01'"
            " FROM reporting_game g"
            " JOIN reporting_tournament t ON t.id = g.tournament_id"
            " LEFT JOIN reporting_entry white ON white.id = g.white_id"
            " LEFT JOIN reporting_entry black ON black.id = g.black_id"
            " LEFT JOIN reporting_round r ON r.tournament_id = g.tournament_id AND r.number = g.round"
            " WHERE g.tournament_id IN ({}) ORDER BY g.tournament_id, g.id"
        ).format(_numbers(events.tournament.tolist())),
        7,
    )
    event = np.searchsorted(events.tournament, tournament)
    return GameColumns(event, white, black, white_points, black_points, played.astype(bool), day)


def _basis(lists: Sequence[int]) -> BasisColumns:
    return BasisColumns(
        *read_columns(
            sql.SQL(
                "SELECT list_id, player_id, rating FROM ratings_ratinglistrow WHERE list_id IN ({})"
                " ORDER BY list_id, player_id"
            ).format(_numbers(lists)),
            3,
        )
    )


def _players(
    parameters: Parameters, events: EventColumns, lists: Sequence[RatingList], closing: date
) -> dict[str, Any]:
    """Who is on the list before or has an entry, with what earlier lists know of them.

    Games of earlier lists count as played in the last three years by their own days; those of the opening list
    have none of their own and count together, on the day of its last game (contracts.md U4).
    """
    boundary = years_before(closing, parameters.recent_years)
    opening = [rating_list.pk for rating_list in lists if rating_list.is_opening]
    recent = [
        rating_list.pk
        for rating_list in lists
        if not rating_list.is_opening and rating_list.closing > boundary
    ]
    player, rating, games, first_2300, last_game, games_3_years, number = read_columns(
        sql.SQL(PLAYERS).format(
            previous=sql.Literal(lists[-1].pk),
            tournaments=_numbers(events.tournament.tolist()),
            lists=_numbers([rating_list.pk for rating_list in lists]),
            opening=_numbers(opening),
            recent=_numbers(recent),
            boundary=sql.Literal(boundary),
            before_every_list=sql.Literal(BEFORE_EVERY_LIST),
            never=sql.Literal(NEVER),
            no_day=sql.Literal(NO_DAY),
            reached=sql.Literal(parameters.k_reached_rating),
        ),
        7,
    )
    return {
        "players": PlayerColumns(player, rating, games, first_2300, last_game, games_3_years),
        "register_numbers": number,
    }


PLAYERS = """
WITH person AS (
    SELECT player_id FROM ratings_ratinglistrow WHERE list_id = {previous}
    UNION
    SELECT player_id FROM reporting_entry WHERE tournament_id IN ({tournaments})
), reached AS (
    SELECT player_id, min(in_force) AS day FROM (
        SELECT player_id, in_force FROM ratings_playerhistory WHERE list_id IN ({lists}) AND rating >= {reached}
        UNION ALL
        SELECT player_id, {before_every_list}::date FROM ratings_ratinglistrow
        WHERE list_id IN ({opening}) AND reached_2300
    ) shown GROUP BY player_id
), recent AS (
    SELECT player_id, sum(games) AS games FROM (
        SELECT player_id, games_3_years AS games FROM ratings_ratinglistrow
        WHERE list_id IN ({opening}) AND last_game > {boundary}
        UNION ALL
        SELECT player_id, games FROM ratings_ratingchange
        WHERE list_id IN ({recent}) AND first_game > {boundary}
        UNION ALL
        SELECT change.player_id, 1 FROM ratings_ratingchange change
        JOIN reporting_tournament t ON t.id = change.tournament_id
        JOIN reporting_entry own ON own.tournament_id = t.id AND own.player_id = change.player_id
        JOIN reporting_game g ON g.tournament_id = t.id AND g.played AND own.id IN (g.white_id, g.black_id)
        JOIN reporting_entry other ON other.tournament_id = t.id AND other.id <> own.id
            AND other.id IN (g.white_id, g.black_id)
        JOIN ratings_ratinglistrow rated
            ON rated.list_id = change.basis_list_id AND rated.player_id = other.player_id
        LEFT JOIN reporting_round r ON r.tournament_id = t.id AND r.number = g.round
        WHERE change.list_id IN ({recent}) AND change.first_game <= {boundary} AND change.last_game > {boundary}
            AND coalesce(r.played_on, t.played_to) > {boundary}
    ) counted GROUP BY player_id
)
SELECT person.player_id, coalesce(listed.rating, 0), coalesce(listed.games, 0),
    coalesce(reached.day - date '1970-01-01', {never}),
    coalesce(listed.last_game - date '1970-01-01', {no_day}),
    coalesce(recent.games, 0), coalesce(p.fmjd_id, 0)
FROM person
JOIN reporting_player p ON p.id = person.player_id
LEFT JOIN ratings_ratinglistrow listed ON listed.list_id = {previous} AND listed.player_id = person.player_id
LEFT JOIN reached ON reached.player_id = person.player_id
LEFT JOIN recent ON recent.player_id = person.player_id
ORDER BY person.player_id
"""


def _numbers(values: Sequence[int]) -> sql.Composable:
    """Numbers as constants, so that the planner opens only their partitions; NULL stands for none at all."""
    return sql.SQL(", ").join(map(sql.Literal, values)) if values else sql.SQL("NULL")


def read_columns(query: sql.Composed, count: int) -> list[Integers]:
    """The whole-number columns of a query as int64 arrays, in its order; no NULL may be among them.

    Raises ValueError for a column that is not whole numbers without NULL.
    """
    names = [sql.Identifier(f"c{place}") for place in range(count)]
    arrays = sql.SQL(", ").join(sql.SQL("array_agg({}::int4)").format(name) for name in names)
    whole = sql.SQL("SELECT {} FROM ({}) AS q ({})").format(arrays, query, sql.SQL(", ").join(names))
    connection.ensure_connection()
    # Django's own cursor puts values into the query itself and so cannot receive binary.
    with Cursor(connection.connection) as cursor:
        cursor.execute(whole, binary=True)
        return [_column(cursor.pgresult.get_value(0, place)) for place in range(count)]


def _column(raw: bytes | None) -> Integers:
    if raw is None:  # array_agg of no rows
        return np.empty(0, dtype=np.int64)
    dimensions, has_null, oid, length, _ = struct.unpack_from(ARRAY_HEADER, raw)
    cells = np.frombuffer(raw, ">i4", offset=HEADER_BYTES)
    if (dimensions, has_null, oid, cells.size) != (1, 0, INT4_OID, 2 * length):
        raise ValueError("not a column of whole numbers without NULL")
    # To int64 before any arithmetic: >i4 would overflow in a sum of three ratings times ten thousand.
    return cells[1::2].astype(np.int64)
