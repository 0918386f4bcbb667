"""Games, rounds and entries of result sets as columns, read once for the calculation of a list and its norms."""

from dataclasses import dataclass
from functools import cached_property

from psycopg import sql

from ratings.inputs.read_columns import Requested, numbers, request_columns
from ratings.rules.columns import NO_DAY, Columns, Integers


@dataclass(frozen=True, eq=False)
class GameRows(Columns):
    """Games as they are stored, in the order of `game`, their number in the database.

    `white` and `black` are entries, 0 for the empty place of a pause; `own_day` is `NO_DAY` and
    `seconds_for_60_moves` is 0 for a game without one of its own.
    """

    game: Integers
    result_set: Integers
    round: Integers
    white: Integers
    black: Integers
    white_points: Integers
    black_points: Integers
    played: Integers
    own_day: Integers
    seconds_for_60_moves: Integers


@dataclass(frozen=True, eq=False)
class RoundRows(Columns):
    """Rounds with a day of their own, in the order of result set and number."""

    result_set: Integers
    number: Integers
    day: Integers


@dataclass(frozen=True, eq=False)
class EntryRows(Columns):
    """Entries in the order of `entry`, their number in the database, with their player, be it merged or not."""

    entry: Integers
    player: Integers


@dataclass(frozen=True)
class ResultColumns:
    """What is stored of the rounds of these result sets (by id, rising); 1 query for each table, at its first use."""

    result_sets: tuple[int, ...]

    def request(self) -> tuple[Requested, ...]:
        """Send all three queries, in the connection's pipeline mode; the first use of one receives all."""
        return self._entries, self._games, self._rounds

    @cached_property
    def games(self) -> GameRows:
        game, result_set, white, black, round_and_white, black_and_played, own_day, seconds = self._games()
        return GameRows(
            game,
            result_set,
            round_and_white >> 16,
            white,
            black,
            round_and_white & 0xFFFF,
            black_and_played >> 1,
            black_and_played & 1,
            own_day,
            seconds,
        )

    @cached_property
    def rounds(self) -> RoundRows:
        return RoundRows(*self._rounds())

    @cached_property
    def entries(self) -> EntryRows:
        return EntryRows(*self._entries())

    @cached_property
    def _games(self) -> Requested:
        # Round and points are 16 bits, and come two in a number: a quarter of what reading games costs.
        return self._request(
            "SELECT id, result_set_id, coalesce(white_id, 0), coalesce(black_id, 0), round::int << 16 | white_points,"
            " black_points::int << 1 | played::int,"
            " coalesce(coalesce(finished_on, started_on) - date '1970-01-01', {no_day}),"
            " coalesce(seconds_for_60_moves, 0) FROM reporting_game WHERE result_set_id = ANY({of})",
            8,
        )

    @cached_property
    def _rounds(self) -> Requested:
        return self._request(
            "SELECT result_set_id, number, played_on - date '1970-01-01' FROM reporting_round"
            " WHERE result_set_id = ANY({of}) AND played_on IS NOT NULL",
            3,
            rising=2,
        )

    @cached_property
    def _entries(self) -> Requested:
        return self._request("SELECT id, player_id FROM reporting_entry WHERE result_set_id = ANY({of})", 2)

    def _request(self, query: str, count: int, *, rising: int = 1) -> Requested:
        composed = sql.SQL(query).format(of=numbers(self.result_sets), no_day=sql.Literal(NO_DAY))
        return request_columns(composed, count, rising=rising)
