"""What a KNSB list is calculated from, as columns, and its digest: no database, no clock.

Players, games and tournaments are named by their keys. Days are days since 1 January 1970, `NO_DAY` where there is
none.
"""

from __future__ import annotations

from dataclasses import dataclass

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
