"""What a KNSB list is calculated from, as columns, and its digest: no database, no clock.

Players, games and tournaments are named by their keys. Days are days since 1 January 1970, `NO_DAY` where there is
none.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from ratings.formats.number_lines import sorted_lines
from ratings.rules.columns import Columns, Flags, Integers


@dataclass(frozen=True, eq=False)
class PlayerColumns(Columns):
    """One row a player who is on an earlier list that is read, or has a game; players rise.

    `register_number` is the KNSB number (0: none, on no list), `fide_number` that of FIDE (0: none), `birth_year` 0
    where it is not known. `is_foreign`: the federation code is not NED (4.2, 10). `was_published`: on an earlier list
    of this pool (R84c). `previous` is the rating that the list before shows, 0 for none, also of a held player.
    `last_known_list` is the place among `lists` of the newest earlier list of this pool that has the player, -1 for
    none (R83a), `last_known_rating` the rating there.
    `games_elsewhere` counts the processed games of the system's other pools whose calculation date is in the 24 months
    before the new list (R84c); `title` is the place among the words of FIDE's titles on the newest FIDE list read.
    """

    player: Integers
    register_number: Integers
    fide_number: Integers
    birth_year: Integers
    is_foreign: Flags
    was_published: Flags
    previous: Integers
    last_known_list: Integers
    last_known_rating: Integers
    games_elsewhere: Integers
    title: Integers


@dataclass(frozen=True, eq=False)
class MembershipColumns(Columns):
    """The memberships of clubs: a line for each; an open end is `NEVER`. The last day is a day of membership."""

    player: Integers
    club: Integers
    first_day: Integers
    last_day: Integers


@dataclass(frozen=True, slots=True)
class ListRead:
    """A published list that ratings are read from.

    `kind` is its place in `KINDS` (columns.py), `day` the day of publication, `address` what figures and files call it:
    `knsb-rapid/2024-03-01/r1`, `fide/2024-02-01`.
    """

    kind: int
    day: int
    address: str


@dataclass(frozen=True, eq=False)
class RatingColumns(Columns):
    """One row a player on a list that is read, held rows of KNSB lists included (R84b); list and player rise.

    `list` is a place among `lists`. `n_v`, `games` and `last_game` are those of the row of a KNSB list (0 and `NO_DAY`
    for FIDE's), `k_factor` FIDE's K (0 for KNSB lists). Players without a rating of the kind have no row.
    """

    list: Integers
    player: Integers
    rating: Integers
    n_v: Integers
    k_factor: Integers
    games: Integers
    last_game: Integers


@dataclass(frozen=True, eq=False)
class EventColumns(Columns):
    """One row a result set; they rise by `number`, the tournament number, and part.

    `first_day` and `last_day` are those of the whole tournament, as part 1 says (R80d). `in_force` is the day of the
    list that the result set belongs to: of the new list, or of an earlier one, whose games count only for players who
    waited (R81b). `is_abroad`: played in another country than the Netherlands; `is_fide_processed` (12.2, R84e);
    `is_admitted`: the rating officer admits games at any age (R84f).
    """

    result_set: Integers
    number: Integers
    part: Integers
    first_day: Integers
    last_day: Integers
    in_force: Integers
    is_abroad: Flags
    is_fide_processed: Flags
    is_admitted: Flags


@dataclass(frozen=True, eq=False)
class GameColumns(Columns):
    """Played games (R80g), those of an event together, in the order of their lines.

    `event` is a place among the events. `white` and `black` are players. `white_points` are 2, 1 or 0. `planned_day` is
    the planned day of the round, `NO_DAY` where the report plans none; `day` the game's own, else that of its round.
    """

    game: Integers
    event: Integers
    round: Integers
    line: Integers
    white: Integers
    black: Integers
    white_points: Integers
    planned_day: Integers
    day: Integers


@dataclass(frozen=True, eq=False)
class KnsbColumns:
    """All that the figures of a list depend on, besides the edition.

    `tempo` is 0 klassiek, 1 rapid, 2 blitz: the place of the pool in `KINDS`. `in_force` is the day of the new list
    (P), `previous_day` that of the pool's list before. `lists` rise by kind and day. `memberships` is None while none
    was ever imported: then every player is a member (U21). `bonus` has the points by age on 31 December of the list's
    year (R82c).
    """

    tempo: int
    in_force: int
    previous_day: int
    players: PlayerColumns
    memberships: MembershipColumns | None
    lists: tuple[ListRead, ...]
    ratings: RatingColumns
    events: EventColumns
    games: GameColumns
    bonus: tuple[tuple[int, int], ...] = ()


def digest(columns: KnsbColumns, edition: str) -> str:
    """SHA-256 over the edition and canonical lines of everything that is read, whatever the order it was read in.

    Players go by KNSB number, those without one by their key; events by their place among number and part, with the
    days, and lists by their address. So two installations with the same inputs agree where all players have a number.
    """
    players, events, games, ratings = columns.players, columns.events, columns.games, columns.ratings
    name = np.where(players.register_number > 0, players.register_number, -players.player)

    def named(keys: Integers) -> Integers:
        return name[np.searchsorted(players.player, keys)]

    turn = np.empty(len(events), dtype=np.int64)
    turn[np.lexsort((events.result_set, events.part, events.number))] = np.arange(len(events))
    flags = [
        column.astype(np.int64) for column in (events.is_abroad, events.is_fide_processed, events.is_admitted)
    ]
    tables = {
        "player": (
            name, players.fide_number, players.birth_year, players.is_foreign.astype(np.int64),
            players.was_published.astype(np.int64), players.previous, players.last_known_list,
            players.last_known_rating, players.games_elsewhere, players.title,
        ),
        "rating": (
            ratings.list, named(ratings.player), ratings.rating, ratings.n_v, ratings.k_factor, ratings.games,
            ratings.last_game,
        ),
        "event": (turn, events.number, events.part, events.first_day, events.last_day, events.in_force, *flags),
        "game": (
            turn[games.event], games.round, games.line, named(games.white), named(games.black), games.white_points,
            games.planned_day, games.day,
        ),
    }  # fmt: skip
    if columns.memberships is not None:
        rows = columns.memberships.rows(np.isin(columns.memberships.player, players.player))
        tables["member"] = (named(rows.player), rows.club, rows.first_day, rows.last_day)
    text = hashlib.sha256(f"edition,{edition}\n".encode())
    text.update(f"list,{columns.tempo},{columns.in_force},{columns.previous_day}\n".encode())
    for read in columns.lists:
        text.update(f"read,{read.kind},{read.day},{read.address}\n".encode())
    for age, points in sorted(columns.bonus):
        text.update(f"bonus,{age},{points}\n".encode())
    text.update(f"memberships,{columns.memberships is not None}\n".encode())
    for word, table in tables.items():
        for lines in sorted_lines(word, table):
            text.update(lines)
    return text.hexdigest()
