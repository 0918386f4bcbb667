"""For whom each game of a list counts, against whom, and by which ratings (items 8, 11, 18; R91, R93 to R94)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.federations.iccf.rules.columns import SUBSTITUTES
from ratings.federations.iccf.rules.engine_input import IccfColumns
from ratings.federations.iccf.rules.formulas import E2, expected_e2
from ratings.federations.iccf.rules.parameters import KINDS, IccfRules
from ratings.rules.columns import NO_DAY, Columns, Flags, Integers, places

SUBSTITUTE, REPLACED = SUBSTITUTES.index("substitute"), SUBSTITUTES.index("replaced")


@dataclass(frozen=True, eq=False)
class SideColumns(Columns):
    """One row a player for whom a game counts, by player, tournament number, part, round and line.

    `own` and `opponent` are places among the players, `game` one among the games. `own_list` and `opponent_list` are
    places in the lists read plus 1, 0 for an assumed rating. `black` is the colour of the side; `points` are 2, 1 or 0;
    `substitute` is a place in `SUBSTITUTES`.
    """

    own: Integers
    own_rating: Integers
    own_list: Integers
    opponent: Integers
    opponent_rating: Integers
    opponent_list: Integers
    game: Integers
    black: Integers
    points: Integers
    substitute: Integers


@dataclass(frozen=True, eq=False)
class _RatedColumns(Columns):
    """Players by their places, with their ratings on a day, and places in the lists plus 1, 0 for an assumed rating."""

    player: Integers
    rating: Integers
    list: Integers


class _RatingsInForce:
    """The ratings of players on days: those of the newest list on or before the day, else of the earliest (R91)."""

    def __init__(self, columns: IccfColumns) -> None:
        self.size = len(columns.players)
        self.days = np.array([read.day for read in columns.lists], dtype=np.int64)
        place = columns.ratings.list * self.size + places(columns.players.player, columns.ratings.player)
        if np.any(np.diff(place) <= 0):
            raise ValueError("ratings must rise by list and player, each once")
        # By list and player, 0 for none; without any list one of them without a rating.
        self.rating = np.zeros(max(len(columns.lists), 1) * self.size, dtype=np.int64)
        self.rating[place] = columns.ratings.rating

    def on(self, day: Integers, player: Integers, assumed: Integers) -> _RatedColumns:
        """Ratings of players, by their places, on days; the assumed one where the list does not have the player."""
        of_list = np.maximum(np.searchsorted(self.days, day, side="right") - 1, 0)
        rating = self.rating[of_list * self.size + player]
        is_known = rating > 0
        return _RatedColumns(player, np.where(is_known, rating, assumed), np.where(is_known, of_list + 1, 0))


def sides(rules: IccfRules, columns: IccfColumns) -> SideColumns:
    """The sides that count: not those of players without a number, who are on no list.

    A game of a substitute counts for the substitute who by it has W − We > 0, else for the player replaced; for the
    opponent it is against the higher rated of the two, of equal ones who finished it (item 18, R94).
    Raises `ValueError` for games and events that cannot be.
    """
    _check(columns)
    games, player = columns.games, columns.players.player
    in_force = _RatingsInForce(columns)
    level = _levels(rules, columns, in_force)[games.event]
    finished, original, highest = [], [], []
    for who, replaced in ((games.white, games.white_for), (games.black, games.black_for)):
        one = in_force.on(games.first_day, places(player, who), level)
        other = in_force.on(games.first_day, places(player, np.where(replaced > 0, replaced, who)), level)
        finished.append(one)
        original.append(other)
        highest.append(_either(one, other, other.rating > one.rating))
    colours = []
    for black in (0, 1):
        own, opponent = finished[black], highest[1 - black]
        points = 2 - games.white_points if black else games.white_points
        is_gain = points * (E2 // 2) > expected_e2(rules, own.rating, opponent.rating)
        has_replaced = (games.black_for if black else games.white_for) > 0
        own = _either(own, original[black], has_replaced & ~is_gain)
        colours.append(
            SideColumns(
                own=own.player,
                own_rating=own.rating,
                own_list=own.list,
                opponent=opponent.player,
                opponent_rating=opponent.rating,
                opponent_list=opponent.list,
                game=np.arange(len(games)),
                black=np.full(len(games), black),
                points=points,
                substitute=np.where(has_replaced, np.where(is_gain, SUBSTITUTE, REPLACED), 0),
            )
        )
    side = SideColumns.joined(colours)
    side = side.rows(columns.players.register_number[side.own] > 0)
    event = games.event[side.game]
    order = np.lexsort(
        (
            side.game,
            games.line[side.game],
            games.round[side.game],
            columns.events.part[event],
            columns.events.number[event],
            side.own,
        )
    )
    return side.rows(order)


def _either(one: _RatedColumns, other: _RatedColumns, takes_other: Flags) -> _RatedColumns:
    """The rows of one table, or of the other where it is taken."""
    return _RatedColumns.joined([one, other]).rows(np.arange(len(one)) + len(one) * takes_other)


def _levels(rules: IccfRules, columns: IccfColumns, in_force: _RatingsInForce) -> Integers:
    """The assumed rating of each event: as accepted, announced or stated, else by kind (item 11, R93).

    That of a national tournament is the mean of its players with a rating on its first day, half up, at most 2400; 1800
    where no player has one (R93c).
    """
    events, participants = columns.events, columns.participants
    level = np.where(events.level > 0, events.level, np.array(rules.levels)[events.kind])
    rated = in_force.on(
        events.first_day[participants.event],
        places(columns.players.player, participants.player),
        np.zeros_like(participants.event),
    )
    players = np.bincount(participants.event[rated.list > 0], minlength=len(events))
    total = np.bincount(participants.event, rated.rating, minlength=len(events)).astype(np.int64)
    divisor = np.maximum(players, 1)
    mean = np.minimum((2 * total + divisor) // (2 * divisor), rules.largest_national_level)
    of_national = np.where(players > 0, mean, rules.unrated_national_level)
    return np.where(level > 0, level, of_national)  # without a level no other kind is left


def _check(columns: IccfColumns) -> None:
    events, games = columns.events, columns.games
    for event in (games.event, columns.participants.event):
        if np.any((event < 0) | (event >= len(events))):
            raise ValueError("a game or a participant names an event that is not among the events")
    if np.any((events.kind < 0) | (events.kind >= len(KINDS))):
        raise ValueError("an event has a kind that is not among the kinds")
    if np.any((events.kind == KINDS.index("other")) & (events.level == 0)):
        raise ValueError("an event of another kind needs its level")
    if np.any((games.white == games.white_for) | (games.black == games.black_for)):
        raise ValueError("a player cannot be their own substitute")
    for white in (games.white, games.white_for):
        for black in (games.black, games.black_for):
            if np.any((white == black) & (white > 0)):
                raise ValueError("a player cannot be their own opponent")
    if np.any((games.white_points < 0) | (games.white_points > 2)):
        raise ValueError("a game played gives White 0, 1 or 2 half points")
    if np.any(games.first_day == NO_DAY) or np.any(games.last_day < games.first_day):
        raise ValueError("a game needs the day it began, and a result not before it")
