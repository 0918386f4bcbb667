"""The calculation of one period by Annex 9: games in, changes and a list out (art. 3.2 to 3.3, 5, 6).

Own and opponents' ratings come from published lists, so players do not depend on each other within a
period: a part of the players (a shard) can be calculated anywhere, and the parts together are what one
run gives, to the digit. Within one player, events follow each other in R5's order; the engine takes the
first event of every player at once, then the second, and so on, so one player and two million run the
same lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.federations.fmjd.rules import tables
from ratings.federations.fmjd.rules.columns import (
    CHANGE,
    PROVISIONAL,
    BasisColumns,
    ChangeColumns,
    EventColumns,
    GameColumns,
    ParticipationColumns,
    PlayerColumns,
    RatedColumns,
)
from ratings.federations.fmjd.rules.development import development_percentage
from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.rules.columns import NEVER, NO_DAY, Flags, Integers, Letters, ListColumns
from ratings.rules.days import day_number, day_of_number, years_before


def participations(
    parameters: Parameters,
    closing_day: int,
    events: EventColumns,
    games: GameColumns,
    basis: BasisColumns,
    *,
    players: Integers | None = None,
) -> ParticipationColumns:
    """What each player did in each event, as far as it counts (art. 5.2, 5.3; R8, R12).

    A game counts for a player if it was played and the opponent is on the event's basis list; so a
    newcomer's games against rated players count for the newcomer and not for them. ``closing_day`` is the day
    number of the period's closing date. With ``players`` (ids, any order) only their rows are given; the
    games must still be all the games of their events.

    Raises ``ValueError`` for a game of an unknown event, of a player against the same player, or played with
    points that are not 2-0, 1-1 or 0-2, and for a list that rates a player twice or not above zero.
    """
    _check_games(events, games)
    played = np.flatnonzero(games.played & (games.white > 0) & (games.black > 0))
    white, black, event = games.white[played], games.black[played], games.event[played]
    player, opponent = np.concatenate([white, black]), np.concatenate([black, white])
    event = np.concatenate([event, event])
    points = np.concatenate([games.white_points[played], games.black_points[played]])
    day = np.concatenate([games.day[played], games.day[played]])
    if players is not None:
        selected = np.flatnonzero(np.isin(player, players))
        player, opponent, event = player[selected], opponent[selected], event[selected]
        points, day = points[selected], day[selected]

    # One key a player and event; the order within a key does not matter, since whole numbers are summed.
    key = player * len(events) + event
    order = np.argsort(key)
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    player, event = player[order[starts]], event[order[starts]]

    listed = _Ratings(basis)
    opponent_rating = listed.of(events.basis, np.repeat(event, _lengths(starts, key.size)), opponent[order])
    counted = opponent_rating > 0
    points, day = points[order], day[order]
    recent = counted & (day > _last_day_outside(closing_day, parameters.recent_years))

    def total(values: Integers | Flags) -> Integers:
        return np.add.reduceat(values, starts, dtype=np.int64) if starts.size else np.empty(0, np.int64)

    number = total(counted)
    first = np.where(counted, day, NEVER)
    last = np.where(counted, day, NO_DAY)
    first_day = np.minimum.reduceat(first, starts) if starts.size else first
    return ParticipationColumns(
        player=player,
        event=event,
        own=listed.of(events.basis, event, player),
        games=number,
        opponents_sum=total(opponent_rating),
        points=total(np.where(counted, points, 0)),
        unrated_games=_lengths(starts, key.size) - number,
        first_day=np.where(number > 0, first_day, NO_DAY),
        last_day=np.maximum.reduceat(last, starts) if starts.size else last,
        games_in_3_years=total(recent),
    )


def rate(
    parameters: Parameters,
    players: PlayerColumns,
    events: EventColumns,
    participations: ParticipationColumns,
) -> tuple[ChangeColumns, RatedColumns]:
    """Every player's changes and new rating (art. 3.2.3, 3.3, 5.4, 5.5; R3 to R9).

    ``participations`` may come in any order, with or without rows that have no counted game (they change
    nothing). Every player in them must be in ``players``; ``players`` may be a part of the register
    (a shard), then ``participations`` are those of that part.

    A player with fewer than 25 counted games before an event is provisional: the event's performance,
    within 1900 and 2400, is weighed into the running value; from 25 on ΔR is added. The running value
    has 4 decimals; what is published is whole, half upwards, and is what the next period starts from.

    Raises ``ValueError``, naming the player, when one in ``participations`` is not in ``players``, is
    twice in one event, or has 25 counted games or more and no rating on the previous list (impossible
    by the rules: the games gave one); and when ``players`` do not rise by id.
    """
    _check_players(parameters, players)
    counted, owner = _counted_in_order(players, events, participations)
    length = np.bincount(owner, minlength=len(players))
    start = np.cumsum(length) - length
    earlier = np.cumsum(counted.games) - counted.games
    games_before = players.games[owner] + earlier - earlier[start[owner]]

    provisional = games_before < parameters.provisional_games
    reached = players.first_2300_day[owner] <= events.first_day[counted.event]
    k = np.where(
        games_before < parameters.k_new_games,
        parameters.k_new,
        np.where(reached, parameters.k_reached, parameters.k_standard),
    )
    development = development_percentage(parameters, events.seconds_for_60_moves)[counted.event]
    unlimited = tables.performance_e4(counted.opponents_sum, counted.games, counted.points)
    limited = tables.limited_performance_e4(
        unlimited, parameters.minimum_performance, parameters.maximum_performance
    )
    performance = np.where(provisional, limited, unlimited)

    working = _Working(counted, k, development)
    uses_running = provisional | (counted.own == 0)
    listed = np.flatnonzero(~uses_running)
    working.expect(listed, counted.own[listed] * tables.E4)

    running = players.start * tables.E4
    working.carry(
        running,
        (start, length),
        provisional=provisional,
        uses_running=uses_running,
        games_before=games_before,
        performance=performance,
    )
    changes = ChangeColumns(
        player=counted.player,
        event=counted.event,
        sequence=np.arange(len(counted)) - start[owner],
        method=np.where(provisional, PROVISIONAL, CHANGE),
        own_e4=working.own,
        own_is_running=uses_running & (working.own != 0),
        games=counted.games,
        opponents_sum=counted.opponents_sum,
        average_e4=tables.average_e4(counted.opponents_sum, counted.games),
        points=counted.points,
        expected_percentage_e4=working.percentage,
        expected_score_e4=working.score,
        k=np.where(provisional, 0, k),
        development=np.where(provisional, 0, development),
        delta_e4=working.delta,
        performance_e4=performance,
        performance_limited=performance != unlimited,
        games_before=games_before,
        unrated_games=counted.unrated_games,
        before_e4=working.before,
        after_e4=working.after,
        first_day=counted.first_day,
        last_day=counted.last_day,
    )
    return changes, _rated(parameters, players, counted, (start, length), running)


def _counted_in_order(
    players: PlayerColumns, events: EventColumns, participations: ParticipationColumns
) -> tuple[ParticipationColumns, Integers]:
    """The participations with counted games, by player and then by event, and the row of the player of each."""
    counted = participations.rows(np.flatnonzero(participations.games > 0))
    owner = _places(players.player, counted.player)
    key = owner * max(len(events), 1) + _turns(events)[counted.event]
    order = np.argsort(key)
    repeated = np.flatnonzero(np.diff(key[order]) == 0)
    if repeated.size:
        raise ValueError(f"player {counted.player[order[repeated[0]]]} is there twice in one event")
    return counted.rows(order), owner[order]


class _Working:
    """The figures of each change while they are found; 0 where they do not belong to the method."""

    def __init__(self, counted: ParticipationColumns, k: Integers, development: Integers) -> None:
        self.counted, self.k, self.development = counted, k, development
        self.own, self.percentage, self.score, self.delta, self.before, self.after = (
            np.zeros(len(counted), np.int64) for _ in range(6)
        )

    def expect(self, at: Integers, own: Integers) -> None:
        """Fill in Pe, We and ΔR of the rows ``at`` for these own ratings (art. 2.4.1, 3.2; R2, R3)."""
        counted = self.counted.rows(at)
        percentage = tables.expected_percentage_e4(own, counted.opponents_sum, counted.games)
        score = tables.expected_score_e4(percentage, counted.games)
        self.own[at], self.percentage[at], self.score[at] = own, percentage, score
        self.delta[at] = tables.change_e4(counted.points, score, self.k[at], self.development[at])

    def carry(
        self,
        running: Integers,
        groups: tuple[Integers, Integers],
        *,
        provisional: Flags,
        uses_running: Flags,
        games_before: Integers,
        performance: Integers,
    ) -> None:
        """Carry the ``running`` value of each player from event to event (art. 5.4, 5.5; R8), in place.

        ``groups`` says for each player where the rows start and how many they are.
        """
        start, length = groups
        # Players with most events first: those who still have a j-th event are then a prefix.
        busiest = np.argsort(-length, kind="stable")
        still = np.searchsorted(-length[busiest], -np.arange(length.max(initial=0)), side="left")
        for j, number in enumerate(still):
            who = busiest[:number]
            row = start[who] + j
            value = running[who]
            self.before[row] = value
            # R8: not on the event's list, so the running value is the own rating.
            alone = row[uses_running[row] & ~provisional[row]]
            if alone.size:
                self.expect(alone, self.before[alone])
            value = value + self.delta[row]
            young = np.flatnonzero(provisional[row])
            at = row[young]
            self.own[at] = value[young]
            value[young] = tables.provisional_e4(
                games_before[at], value[young], self.counted.games[at], performance[at]
            )
            self.after[row] = value
            running[who] = value


def _rated(
    parameters: Parameters,
    players: PlayerColumns,
    counted: ParticipationColumns,
    groups: tuple[Integers, Integers],
    running: Integers,
) -> RatedColumns:
    """The new whole ratings and the counts that go with them (R9, R12).

    ``groups`` says for each player where the rows of ``counted`` start and how many they are.
    """
    start, length = groups
    played = np.flatnonzero(length)
    games, recent = np.zeros(len(players), np.int64), np.zeros(len(players), np.int64)
    last = np.full(len(players), NO_DAY, np.int64)
    if played.size:
        games[played] = np.add.reduceat(counted.games, start[played])
        recent[played] = np.add.reduceat(counted.games_in_3_years, start[played])
        last[played] = np.maximum.reduceat(counted.last_day, start[played])
    rating = tables.published(running)
    listed = players.rating > 0
    return RatedColumns(
        player=players.player,
        rating=rating,
        previous=players.rating,
        change=np.where(listed, rating - players.rating, 0),
        period_games=games,
        games=players.games + games,
        games_3_years=players.games_3_years + recent,
        last_game_day=np.maximum(players.last_game_day, last),
        reached_2300=(players.first_2300_day != NEVER) | (rating >= parameters.k_reached_rating),
    ).rows(np.flatnonzero((players.start > 0) | (length > 0)))


@dataclass(frozen=True, eq=False)
class FmjdListColumns(ListColumns):
    """A list as it is published: ratings falling, equal ratings by register number (art. 6, R12, R13).

    ``games_3_years`` and ``reached_2300`` are as in ``RatedColumns``; ``category`` is the letter of art. 6.3;
    ``official`` marks the official list of art. 6a, on which a row has its place and rank (0: not on it).
    """

    category: Letters
    official_position: Integers
    official_rank: Integers
    games_3_years: Integers
    reached_2300: Flags
    official: Flags


def arrange(
    parameters: Parameters, closing_day: int, rated: RatedColumns, register_number: Integers
) -> FmjdListColumns:
    """The list of a period, in the order it is published (art. 6a, 6.1, 6.3, 6.4; R12, R13).

    ``register_number`` has one number per row of ``rated``; it settles the order of equal ratings.
    Category A: the total (30 counted games under 2300, 50 from 2300), a game in the last 3 years, and
    from 2351 also 30 games in them. B: a game in the last 3 years but not on A; or the total and the last
    game 3 to 5 years ago. C: all others. Official: 30 games in 3 years from 2351 on, 1 below.
    Years are counted back from the closing date; the same day of the month is outside.
    """
    numbers = np.asarray(register_number).astype(np.int64)
    if numbers.shape != rated.player.shape:
        raise ValueError(f"{numbers.size} register numbers for {len(rated)} players")
    order = np.lexsort((numbers, -rated.rating))
    row, numbers = rated.rows(order), numbers[order]

    recent = row.last_game_day > _last_day_outside(closing_day, parameters.recent_years)
    within_five = row.last_game_day > _last_day_outside(closing_day, parameters.inactive_years)
    total = row.games >= np.where(
        row.rating < parameters.category_rating,
        parameters.category_games_below,
        parameters.category_games_from,
    )
    strong = row.rating >= parameters.active_rating
    active = row.games_3_years >= np.where(strong, parameters.active_games, parameters.official_games)
    on_a = total & recent & (~strong | (row.games_3_years >= parameters.active_games))
    on_b = ~on_a & (recent | (total & within_five))
    official_row = np.flatnonzero(active)
    official_position, official_rank = np.zeros_like(numbers), np.zeros_like(numbers)
    official_position[official_row] = np.arange(1, official_row.size + 1)
    official_rank[official_row] = ranks(row.rating[official_row])
    return FmjdListColumns(
        position=np.arange(1, len(row) + 1),
        rank=ranks(row.rating),
        player=row.player,
        register_number=numbers,
        rating=row.rating,
        previous=row.previous,
        change=row.change,
        period_games=row.period_games,
        games=row.games,
        games_3_years=row.games_3_years,
        last_game_day=row.last_game_day,
        reached_2300=row.reached_2300,
        category=np.where(on_a, b"A", np.where(on_b, b"B", b"C")),
        official=active,
        official_position=official_position,
        official_rank=official_rank,
    )


def ranks(ratings: Integers) -> Integers:
    """1 + the number of players with a higher rating, for ratings in falling order (R13).

    Raises ``ValueError`` when the ratings are not in falling order.
    """
    falling = np.asarray(ratings).astype(np.int64)
    if np.any(np.diff(falling) > 0):
        raise ValueError("ranks need ratings in falling order")
    return np.searchsorted(-falling, -falling, side="left") + 1


class _Ratings:
    """The ratings of several lists, looked up by list and player; 0 for a player who is not on it.

    Ids that lie close together go into one table by id; scattered ones are searched for.
    """

    def __init__(self, basis: BasisColumns) -> None:
        if np.any(basis.rating <= 0) or np.any(basis.basis < 0) or np.any(basis.player <= 0):
            raise ValueError("a list's ratings and player ids must be above zero")
        self._span = int(basis.player.max(initial=0)) + 1
        key = basis.basis * self._span + basis.player
        size = int(key.max(initial=0)) + 1
        self._table: Integers | None = None
        if size <= 16 * len(basis) + 4_000_000:
            if np.bincount(key, minlength=1).max() > 1:
                raise ValueError("a list rates a player twice")
            self._table = np.zeros(size, np.int64)
            self._table[key] = basis.rating
            return
        order = np.argsort(key)
        self._key, self._rating = key[order], basis.rating[order]
        if np.any(np.diff(self._key) == 0):
            raise ValueError("a list rates a player twice")

    def of(self, basis_of_event: Integers, event: Integers, player: Integers) -> Integers:
        key = basis_of_event[event] * self._span + player
        known = player < self._span
        if self._table is not None:
            known &= key < self._table.size
            return np.where(known, self._table[np.where(known, key, 0)], 0)
        place = np.minimum(np.searchsorted(self._key, key), self._key.size - 1)
        return np.where(known & (self._key[place] == key), self._rating[place], 0)


def _check_games(events: EventColumns, games: GameColumns) -> None:
    if np.any(events.basis < 0):
        raise ValueError("the number of a list must not be below zero")
    if np.any((games.event < 0) | (games.event >= len(events))):
        raise ValueError("a game names an event that is not among the events")
    if np.any(games.played & (games.white == games.black)):
        raise ValueError("a player cannot be their own opponent")
    odd = (games.white_points + games.black_points != 2) | (games.white_points < 0) | (games.black_points < 0)
    if np.any(games.played & odd):
        raise ValueError("a game played ends 2-0, 1-1 or 0-2")
    if np.any(games.white < 0) or np.any(games.black < 0):
        raise ValueError("a player id must be above zero, or 0 for a pause")


def _check_players(parameters: Parameters, players: PlayerColumns) -> None:
    if np.any(np.diff(players.player) <= 0):
        raise ValueError("players must rise by id, each once")
    if np.any(players.start < 0):
        raise ValueError(f"player {players.player[np.argmin(players.start)]} would start below zero")
    lost = np.flatnonzero((players.games >= parameters.provisional_games) & (players.start == 0))
    if lost.size:
        raise ValueError(
            f"player {players.player[lost[0]]} has {players.games[lost[0]]} counted games "
            "and no rating on the previous list"
        )


def _places(rising: Integers, wanted: Integers) -> Integers:
    """Where each wanted id is among rising ids; ``ValueError`` naming one that is not there."""
    if rising.size == 0 and wanted.size:
        raise ValueError(f"player {wanted[0]} is not among the players")
    place = np.minimum(np.searchsorted(rising, wanted), max(rising.size - 1, 0))
    missing = np.flatnonzero(rising[place] != wanted)
    if missing.size:
        raise ValueError(f"player {wanted[missing[0]]} is not among the players")
    return place


def _turns(events: EventColumns) -> Integers:
    """Each event's turn in R5's order: its last day, then its number; then, leaving nothing open, its id.

    Of a session the games with the most time come first (R25).
    """
    order = np.lexsort((-events.seconds_for_60_moves, events.tournament, events.number, events.last_day))
    turn = np.empty(len(events), np.int64)
    turn[order] = np.arange(len(events))
    return turn


def _lengths(starts: Integers, size: int) -> Integers:
    return np.diff(starts, append=size)


def _last_day_outside(closing_day: int, years: int) -> int:
    """R12: a game on the same day of the month so many years before closing is outside."""
    return day_number(years_before(day_of_number(closing_day), years))
