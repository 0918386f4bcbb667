"""What an ICCF list is calculated from, as columns, and its digest: no database, no clock.

Players, games and result sets are named by their keys. Days are days since 1 January 1970.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from ratings.formats.number_lines import sorted_lines
from ratings.rules.columns import Columns, Integers


@dataclass(frozen=True, eq=False)
class PlayerColumns(Columns):
    """One row a player who is on the list before, has a game or is a participant; players rise.

    `register_number` is the ICCF number (0: none, on no list). `previous` is the rating that the list before shows;
    `rating`, `games` and `last_game` are what the player starts from, with merges: without one those of the list before
    (0, 0 and `NO_DAY` for none). `past_games`, `past_opponents` and `past_points` add up all games ever before this
    list: how many, the sum of the opponents' limited ratings, the points in halves; from the changes of the lists read,
    and for an opening rating on fewer than 30 games so many draws against itself (R92a).
    """

    player: Integers
    register_number: Integers
    previous: Integers
    rating: Integers
    games: Integers
    last_game: Integers
    past_games: Integers
    past_opponents: Integers
    past_points: Integers


@dataclass(frozen=True, slots=True)
class ListRead:
    """A published list that ratings are read from: the day in force, and what figures and files call it."""

    day: int
    address: str


@dataclass(frozen=True, eq=False)
class RatingColumns(Columns):
    """One row a player on a list that is read; list (a place among `lists`) and player rise."""

    list: Integers
    player: Integers
    rating: Integers


@dataclass(frozen=True, eq=False)
class EventColumns(Columns):
    """One row a result set of the list; `number` is the tournament number.

    `earlier_parts` counts the lower parts of the tournament that are on earlier lists. `kind` is a place in `KINDS`;
    `level` the assumed rating as accepted, announced or stated, 0 for that of the kind (item 11, R93, R93c).
    """

    result_set: Integers
    number: Integers
    part: Integers
    earlier_parts: Integers
    first_day: Integers
    kind: Integers
    level: Integers


@dataclass(frozen=True, eq=False)
class ParticipantColumns(Columns):
    """One row a player of a result set, substitutes and replaced players included, for the mean of R93c.

    `event` is a place among the events.
    """

    event: Integers
    player: Integers


@dataclass(frozen=True, eq=False)
class GameColumns(Columns):
    """Played games (R93b).

    `event` is a place among the events. `white` and `black` finished the game; `white_for` and `black_for` are the
    players whom they replaced, 0 for none (R94). `white_points` are 2, 1 or 0. `first_day` is the day the game began,
    the first of the tournament where the report gives none (R91a); `last_day` that of the result, else the day by which
    it was reported.
    """

    game: Integers
    event: Integers
    round: Integers
    line: Integers
    white: Integers
    black: Integers
    white_for: Integers
    black_for: Integers
    white_points: Integers
    first_day: Integers
    last_day: Integers


@dataclass(frozen=True, eq=False)
class IccfColumns:
    """All that the figures of a list depend on, besides the edition. `in_force` is the day of the new list; `lists`
    rise by day, and before the earliest one that one is read (R91)."""

    in_force: int
    players: PlayerColumns
    lists: tuple[ListRead, ...]
    ratings: RatingColumns
    events: EventColumns
    participants: ParticipantColumns
    games: GameColumns


def digest(columns: IccfColumns, edition: str) -> str:
    """SHA-256 over the edition and canonical lines of everything that is read, whatever the order it was read in.

    Players go by ICCF number, those without one by their key; events by their place among number and part. So two
    installations with the same inputs agree where all players have a number.
    """
    players, events, games, ratings = columns.players, columns.events, columns.games, columns.ratings
    name = np.where(players.register_number > 0, players.register_number, -players.player)

    def named(keys: Integers) -> Integers:
        return name[np.searchsorted(players.player, keys)]

    def replaced(keys: Integers) -> Integers:
        found = np.zeros_like(keys)
        found[keys > 0] = named(keys[keys > 0])
        return found

    turn = np.empty(len(events), dtype=np.int64)
    turn[np.lexsort((events.result_set, events.part, events.number))] = np.arange(len(events))
    tables = {
        "player": (
            name, players.previous, players.rating, players.games, players.last_game, players.past_games,
            players.past_opponents, players.past_points,
        ),
        "rating": (ratings.list, named(ratings.player), ratings.rating),
        "event": (
            turn, events.number, events.part, events.earlier_parts, events.first_day, events.kind, events.level,
        ),
        "participant": (turn[columns.participants.event], named(columns.participants.player)),
        "game": (
            turn[games.event], games.round, games.line, named(games.white), named(games.black),
            replaced(games.white_for), replaced(games.black_for), games.white_points, games.first_day, games.last_day,
        ),
    }  # fmt: skip
    text = hashlib.sha256(f"edition,{edition}\nlist,{columns.in_force}\n".encode())
    for read in columns.lists:
        text.update(f"read,{read.day},{read.address}\n".encode())
    for word, table in tables.items():
        for lines in sorted_lines(word, table):
            text.update(lines)
    return text.hexdigest()
