"""What a Swiss tournament is paired from: its players, its games so far, and its regulations (Annex 5; R62 to R64)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from reporting.rules.standings.annex_5 import solkoff, sonneborn_berger
from reporting.rules.standings.cross_table import NONE, Booleans, CrossTable, Integers, Kind
from reporting.rules.standings.unplayed import face_value

PAUSE: Final = 0
"""The opponent of a player who has a pause."""


class Result(StrEnum):
    """How a game ended: played, decided without a game, or not played yet."""

    WHITE_WINS = "2-0"
    DRAW = "1-1"
    BLACK_WINS = "0-2"
    WHITE_WINS_BY_FORFEIT = "2x0"
    BLACK_WINS_BY_FORFEIT = "0x2"
    DRAW_BY_FORFEIT = "1x1"
    BOTH_FORFEIT = "0x0"
    OPEN = ""

    @property
    def points(self) -> tuple[int, int]:
        """The points of White and Black; a game still open counts as a draw for pairing (art. 4.3; R62a)."""
        return (int(self[0]), int(self[2])) if self else (1, 1)

    @property
    def is_forfeit(self) -> bool:
        """Whether the referee decided it without a game."""
        return "x" in self


class Colours(StrEnum):
    """How far colours influence who meets whom (art. 3.7)."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


class Acceleration(StrEnum):
    """How the first rounds keep strong and weak players apart (art. 6)."""

    NONE = "none"
    FOUR_GROUPS = "four-groups"
    HALEY = "haley"


class InsideGroup(StrEnum):
    """Who meets whom in a score group (art. 3.4)."""

    HALVES = "halves"
    HIGHEST_AGAINST_LOWEST = "highest-against-lowest"
    AVERAGE_RATING = "average-rating"
    PARTS = "parts"
    NEIGHBOURS = "neighbours"


@dataclass(frozen=True)
class System:
    """A version of the Swiss system as data (art. 2, 5; R62): what a federation declares to have one of its own."""

    key: str
    article: str
    by_rating: bool
    """Whether players of a score group are ordered by own rating; else by Solkoff, then Sonneborn-Berger."""
    inside_group: InsideGroup = InsideGroup.HALVES
    first_round: InsideGroup = InsideGroup.HALVES
    last_floats: bool = True
    """Whether the last player of a group that can float does so; else the first (art. 3.5)."""
    floater_meets_first: bool = True
    """Whether a floater meets the first player of the next group; else the last (art. 3.6)."""


SYSTEMS: Final = {
    system.key: system
    for system in (
        System("rating", "5.1", by_rating=True),
        System("players", "5.1a", by_rating=True, inside_group=InsideGroup.AVERAGE_RATING, last_floats=False),
        System("solkoff", "5.2", by_rating=False),
        System("truncated", "5.2a", by_rating=False),
        System("median", "5.2b", by_rating=False),
        System(
            "kndb",
            "5.3",
            by_rating=False,
            inside_group=InsideGroup.HIGHEST_AGAINST_LOWEST,
            first_round=InsideGroup.NEIGHBOURS,
            last_floats=False,
            floater_meets_first=False,
        ),
    )
}


@dataclass(frozen=True)
class PairingPlayer:
    """A player of the tournament. `number` and `lot` never change once round 1 is published (R62).

    `rating` is None without one. The player takes part from `from_round` on, not in the rounds of `absent`, and was
    last paired in round `withdrawn_after`, where that is not None.
    """

    number: int
    rating: int | None
    lot: int
    federation: str = ""
    from_round: int = 1
    absent: frozenset[int] = frozenset()
    withdrawn_after: int | None = None

    def takes_part(self, round_: int) -> bool:
        """Return whether the player is to be paired in this round (R63)."""
        return (
            self.from_round <= round_
            and round_ not in self.absent
            and (self.withdrawn_after is None or round_ <= self.withdrawn_after)
        )


@dataclass(frozen=True)
class PairedGame:
    """A pair of an earlier round. `black` is `PAUSE` for a pause, which has the points of a win."""

    round: int
    white: int
    black: int
    result: Result


@dataclass(frozen=True)
class Tournament:
    """A tournament before the round that is to be paired; `games` are those of all earlier rounds.

    `forbidden` are pairs that the regulations exclude, `fixed` pairs of this round that the referee made, White first.
    `parts` are those of the acceleration by groups (art. 6.1).
    """

    system: System
    players: tuple[PairingPlayer, ...]
    games: tuple[PairedGame, ...] = ()
    round: int = 1
    rounds: int = 0
    colours: Colours = Colours.NONE
    has_floats: bool = True
    acceleration: Acceleration = Acceleration.NONE
    parts: int = 4
    first_round_by_rating: bool = True
    forbidden: tuple[tuple[int, int], ...] = ()
    fixed: tuple[tuple[int, int], ...] = ()

    @property
    def is_round_1_by_rating(self) -> bool:
        """Whether round 1 is ordered by rating (art. 3.2 b; R62); else by lot."""
        return (
            self.system.by_rating or self.first_round_by_rating or self.acceleration is not Acceleration.NONE
        )


_CELLS: Final = {
    result: (
        *result.points,
        Kind.FORFEIT if result.is_forfeit else Kind.PLAYED,
        not result.is_forfeit and result is not Result.OPEN,
    )
    for result in Result
}
"""By result: the points of White and Black, the kind of the round, whether a game was played to its end."""


@dataclass(frozen=True)
class History:
    """The rounds before the one to be paired, as arrays with a row for each player in the order of the tournament.

    `table` is the cross table, an open game counted as a draw. `scores` are pairing scores before each round and before
    the one to be paired, players × rounds (R62a). `floats` are 1 where a player met one of a higher pairing score, -1
    of a lower one, 0 else. `met` are the pairs that may not meet again.
    """

    tournament: Tournament
    table: CrossTable
    scores: Integers
    floats: Integers
    met: Booleans

    @property
    def had_pause(self) -> Booleans:
        """Who had a pause already; no player gets a second one (art. 4.1)."""
        return np.asarray((self.table.kinds == Kind.PAUSE).any(axis=1))

    @property
    def balances(self) -> Integers:
        """The games with White minus the games with Black of each player."""
        return np.asarray(self.table.colours.sum(axis=1))


def history_of(tournament: Tournament) -> History:
    """Return the earlier rounds as arrays (R62a, R64, R69). They are judged with the results known now."""
    row = {player.number: place for place, player in enumerate(tournament.players)}
    shape = (len(row), tournament.round - 1)
    opponents = np.full(shape, NONE, dtype=np.int64)
    kinds = np.full(shape, Kind.ABSENT, dtype=np.int64)
    points = np.zeros(shape, dtype=np.int64)
    colours = np.zeros(shape, dtype=np.int64)
    met = np.zeros((len(row), len(row)), dtype=bool)
    listed = np.array(
        [
            (game.round - 1, row[game.white], row.get(game.black, NONE), *_CELLS[game.result])
            for game in tournament.games
        ],
        dtype=np.int64,
    ).reshape(-1, 7)
    is_pause = listed[:, 2] == NONE
    columns, whites, gained = listed[is_pause][:, [0, 1, 3]].T
    kinds[whites, columns] = Kind.PAUSE
    points[whites, columns] = gained
    columns, whites, blacks, of_white, of_black, kind, is_over = listed[~is_pause].T
    for own, opponent, gained, colour in ((whites, blacks, of_white, 1), (blacks, whites, of_black, -1)):
        opponents[own, columns] = opponent
        points[own, columns] = gained
        kinds[own, columns] = kind
        colours[own, columns] = colour * is_over
    may_not = kind == Kind.PLAYED  # a forfeit is no meeting, a game that is still open is one
    met[whites[may_not], blacks[may_not]] = met[blacks[may_not], whites[may_not]] = True
    is_played = colours != 0
    for first, second in tournament.forbidden:
        met[row[first], row[second]] = met[row[second], row[first]] = True
    table = CrossTable(
        numbers=np.array(list(row), dtype=np.int64),
        names=("",) * len(row),
        ratings=np.array(
            [NONE if each.rating is None else each.rating for each in tournament.players], dtype=np.int64
        ),
        opponents=opponents,
        kinds=kinds,
        points=points,
        colours=colours,
    )
    scores = np.zeros((len(row), tournament.round), dtype=np.int64)
    scores[:, 1:] = np.cumsum(points, axis=1)
    if tournament.round >= 2:
        scores[:, 1] += _extra_points(tournament, table)
    before = scores[:, :-1]
    other = np.take_along_axis(before, np.maximum(opponents, 0), axis=0)
    return History(
        tournament=tournament,
        table=table,
        scores=scores,
        floats=np.where(is_played, np.sign(other - before), 0),
        met=met,
    )


def pairing_order(history: History) -> Integers:
    """Return the rows of all players in pairing order (R62): pairing score, the system's keys, lot, number."""
    table, tournament = history.table, history.tournament
    lots = np.array([player.lot for player in tournament.players], dtype=np.int64)
    if tournament.system.by_rating or (tournament.round == 1 and tournament.is_round_1_by_rating):
        keys = [-table.ratings]
    else:
        seen = face_value(table)
        keys = [-solkoff(seen).numerators, -sonneborn_berger(seen).numerators]
    return np.lexsort((table.numbers, lots, *reversed(keys), -history.scores[:, -1]))


def _extra_points(tournament: Tournament, table: CrossTable) -> Integers:
    """What pairing scores of round 2 have besides points: less for a pause (R62a), more by Haley (R69b)."""
    pause = table.kinds[:, 0] == Kind.PAUSE
    extra = np.where(pause, -table.points[:, 0], 0)
    if tournament.acceleration is Acceleration.HALEY:
        upper = upper_part_of_round_1(tournament, table)
        extra += np.where(upper & ~pause, 2, 0)
    return extra


def upper_part_of_round_1(tournament: Tournament, table: CrossTable) -> Booleans:
    """Return who was paired in the upper part of round 1: the upper half of the pairs, by rating (art. 6.2; R69b)."""
    order = np.lexsort(
        (table.numbers, np.array([player.lot for player in tournament.players]), -table.ratings)
    )
    paired = [place for place in order.tolist() if table.paired[place, 0]]
    upper = np.zeros(table.players, dtype=bool)
    upper[paired[: 2 * part_sizes(len(paired) // 2, 4)[0]]] = True
    return upper


def part_sizes(pairs: int, parts: int) -> list[int]:
    """Return the number of pairs of each part: as equal as possible, larger ones first (R69a).

    Two groups that meet are one part: four groups are two parts.
    """
    count = parts // 2
    return [pairs // count + (part < pairs % count) for part in range(count)]
