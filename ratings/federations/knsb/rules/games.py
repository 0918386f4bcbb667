"""The games that may count, once for each player: calculation date and rating of the opponent (art. 4.1, 6, 12, 13).

A player's half of a game is a *side*. Klassiek needs a valid rating of the opponent (6.1.a); in rapid and blitz it may
be the last known rating, or the performance in the report (6.1.b, 6.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from ratings.federations.knsb.rules.columns import SOURCES
from ratings.federations.knsb.rules.engine_input import EventColumns, GameColumns, KnsbColumns
from ratings.federations.knsb.rules.parameters import TEMPOS, KnsbRules
from ratings.federations.knsb.rules.performance import Scores, performances
from ratings.federations.knsb.rules.validity import KLASSIEK, ValidRatings
from ratings.rules.columns import NEVER, NO_DAY, Columns, Flags, Integers, places, rising_order
from ratings.rules.days import day_number, day_of_number, months_before

RAPID: Final = TEMPOS.index("rapid")
LAST_KNOWN: Final = SOURCES.index("6.1b")
PERFORMANCE: Final = SOURCES.index("6.3")


@dataclass(frozen=True, eq=False)
class SideColumns(Columns):
    """One row a side whose R_c is determined.

    `own` and `opponent` are places among the players, `game` among the games. `own_row` is the row of the valid rating
    of `own` on the calculation date, -1 for none. `rating` is R_c, `source` its place in `SOURCES`, `list` 1 + the
    place of its list (0: none), `basis` that of its N_v (0: none, R81e). `is_earlier`: of a report of an earlier list
    (R81b). `own_youth` and `opponent_youth`: in the year of the calculation date (R81d).
    """

    own: Integers
    opponent: Integers
    game: Integers
    black: Integers
    points: Integers
    calculation_day: Integers
    own_row: Integers
    rating: Integers
    source: Integers
    list: Integers
    basis: Integers
    is_earlier: Flags
    own_youth: Flags
    opponent_youth: Flags


@dataclass(frozen=True, eq=False)
class _HolderColumns(Columns):
    """One row a game of a player in a report, named by a pair, against a holder of a valid rating."""

    pair: Integers
    rating: Integers
    points: Integers


def calculation_days(rules: KnsbRules, tempo: int, events: EventColumns, games: GameColumns) -> Integers:
    """The calculation date of each game (art. 4.1, R80d): the first day of a klassiek tournament of up to 30 days, both
    ends counted; else the planned day of the round, or the day of its earliest game in the report.
    """
    rounds = int(games.round.max(initial=0)) + 1
    key = games.event * rounds + games.round
    earliest = np.full(len(events) * rounds, NEVER, dtype=np.int64)
    np.minimum.at(earliest, key, games.day)
    day = np.where(games.planned_day == NO_DAY, earliest[key], games.planned_day)
    if tempo != KLASSIEK:
        return day
    is_short = events.last_day - events.first_day + 1 <= rules.short_tournament_days
    return np.where(is_short[games.event], events.first_day[games.event], day)


def games_in_time(rules: KnsbRules, events: EventColumns, games: GameColumns) -> Flags:
    """Which games are not older than three months on the day of their list, or admitted (art. 13, R84f)."""
    lists = np.unique(events.in_force)
    oldest = [day_number(months_before(day_of_number(day), rules.report_months)) for day in lists.tolist()]
    first = np.array(oldest, dtype=np.int64)[np.searchsorted(lists, events.in_force)][games.event]
    in_time: Flags = (games.day >= first) & (games.day < events.in_force[games.event])
    return in_time | events.is_admitted[games.event]


def is_youth(rules: KnsbRules, birth_year: Integers, year: Integers | int) -> Flags:
    """Whether players are 18 or younger on 31 December of the year; not where the birth is unknown (R81, R81d)."""
    youth: Flags = (birth_year > 0) & (year - birth_year <= rules.youth_age)
    return youth


def sides(rules: KnsbRules, columns: KnsbColumns, valid: ValidRatings, is_published: Flags) -> SideColumns:
    """The sides that may count on the new list, by player, calculation date, tournament number, part, round and line.

    Those of the reports of the list, and of players who were never published those of earlier reports within 24 months
    (R81b, R84c). Not of players without a number (R84d); of an event abroad only those of Dutch players, if FIDE
    processed it (12.2, R84e). Raises `ValueError` for games that cannot be.
    """
    events, games, players = columns.events, columns.games, columns.players
    _check_games(columns)
    white, black = places(players.player, games.white), places(players.player, games.black)
    day = calculation_days(rules, columns.tempo, events, games)
    counts = games_in_time(rules, events, games) & (~events.is_abroad | events.is_fide_processed)[games.event]
    is_earlier = (events.in_force < columns.in_force)[games.event]
    oldest = day_number(months_before(day_of_number(columns.in_force), rules.publication_months))
    counts &= ~is_earlier | (day >= oldest)
    is_abroad = events.is_abroad[games.event]
    halves = []
    for own in (white, black):
        may = counts & (players.register_number > 0)[own] & ~(is_abroad & players.is_foreign[own])
        may &= ~(is_earlier & is_published[own])
        halves.append(np.flatnonzero(may))
    game, is_black = np.concatenate(halves), np.repeat([0, 1], [half.size for half in halves])
    own = np.concatenate([white[halves[0]], black[halves[1]]])
    opponent = np.concatenate([black[halves[0]], white[halves[1]]])
    meetings = _Meetings(rules, columns, valid, (white, black), day)
    row = meetings.rows(game, opponent)
    if columns.tempo == KLASSIEK:  # 6.1.a
        rated = np.flatnonzero(row >= 0)
        game, is_black, own, opponent, row = (
            column[rated] for column in (game, is_black, own, opponent, row)
        )
    order = _order(columns, own, day[game], game)
    game, is_black, own, opponent, row = (column[order] for column in (game, is_black, own, opponent, row))

    white_points = games.white_points[game]
    rating, source = valid.sources.rating[row], valid.sources.source[row]
    from_list, basis = valid.sources.list[row], valid.sources.basis[row]
    if columns.tempo != KLASSIEK:  # 6.1.b
        without = np.flatnonzero(row < 0)
        who = opponent[without]
        list_place = players.last_known_list[who]
        known = np.where(list_place < 0, 0, players.last_known_rating[who])
        performed = np.zeros_like(known)
        new = np.flatnonzero(known == 0)
        performed[new] = meetings.performances(game[without[new]], who[new])
        rating[without] = known + performed
        source[without] = np.where(known > 0, LAST_KNOWN, np.where(performed > 0, PERFORMANCE, 0))
        from_list[without] = np.where(known > 0, list_place + 1, 0)
        basis[without] = np.where(known > 0, valid.sources.basis[valid.row_of(list_place, who)], 0)
    found = SideColumns(
        own=own,
        opponent=opponent,
        game=game,
        black=is_black,
        points=np.where(is_black, 2 - white_points, white_points),
        calculation_day=day[game],
        own_row=meetings.valid.own[meetings.group[game], own].astype(np.int64),
        rating=meetings.of_seniors(rating, game, opponent),
        source=source,
        list=from_list,
        basis=basis,
        is_earlier=is_earlier[game],
        own_youth=is_youth(rules, players.birth_year[own], meetings.year[game]),
        opponent_youth=is_youth(rules, players.birth_year[opponent], meetings.year[game]),
    )
    return found if np.all(source > 0) else found.rows(source > 0)


def _order(columns: KnsbColumns, own: Integers, day: Integers, game: Integers) -> Integers:
    """The order of sides: player, calculation date, tournament number, part, round, line."""
    events, games = columns.events, columns.games
    turn = np.empty(len(events), dtype=np.int64)
    turn[np.lexsort((events.result_set, events.part, events.number))] = np.arange(len(events))
    return rising_order((own, day, turn[games.event[game]], games.round[game], games.line[game]))


class _Meetings:
    """Who met whom, by place among the players, with the year and the valid ratings of the calculation date."""

    def __init__(
        self,
        rules: KnsbRules,
        columns: KnsbColumns,
        valid: ValidRatings,
        both: tuple[Integers, Integers],
        day: Integers,
    ) -> None:
        self.rules, self.columns = rules, columns
        self.white, self.black = both
        self.ratings = valid.sources.rating
        self.valid = valid.on_days(day)
        since = day - self.valid.first_day
        days = np.arange(self.valid.group.size) + self.valid.first_day
        years = days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
        self.year, self.group = years[since], self.valid.group[since]

    def rows(self, game: Integers, opponent: Integers) -> Integers:
        """The rows of the valid ratings as R_c, -1 for none (art. 4, 6.5)."""
        return self.valid.opponent[self.group[game], opponent].astype(np.int64)

    def of_seniors(self, rating: Integers, game: Integers, opponent: Integers) -> Integers:
        """R_c of seniors in rapid is 1200 or more (6.4)."""
        if self.columns.tempo != RAPID:
            return rating
        youth = is_youth(self.rules, self.columns.players.birth_year[opponent], self.year[game])
        return np.where(youth, rating, np.maximum(rating, self.rules.least_senior_opponent))

    def performances(self, game: Integers, player: Integers) -> Integers:
        """The performance of players in the report of a game, whole; 0 with fewer than three games against holders of a
        valid rating (6.1.b, 6.2, 6.3; R83).

        All played games of the report are in it.
        """
        rules, births = self.rules, self.columns.players.birth_year
        has_age = is_youth(rules, births[player], self.year[game]) & (self.columns.tempo == RAPID)
        age = np.where(has_age, np.maximum(self.year[game] - births[player], 1), 0)
        width = rules.youth_age + 1
        players = len(self.columns.players)
        pair = self.columns.games.event[game] * players + player
        groups, group_of = np.unique(pair * width + age, return_inverse=True)
        holders = self._against_holders(np.unique(player), np.unique(pair))
        first = np.searchsorted(holders.pair, groups // width, side="left")
        sizes = np.searchsorted(holders.pair, groups // width, side="right") - first
        enough = np.flatnonzero(sizes >= rules.least_performance_games)
        first, sizes = first[enough], sizes[enough]
        starts = np.cumsum(sizes) - sizes
        games = np.repeat(first - starts, sizes) + np.arange(int(sizes.sum()))
        rating, points = holders.rating[games], holders.points[games]
        if not enough.size:
            return np.zeros_like(player)
        total = np.add.reduceat(points, starts)
        one_sided = (total == 0) | (total == 2 * sizes)
        ages = (groups % width)[enough]
        of_age = np.clip(ages * rules.age_rating_a_year, rules.least_age_rating, rules.largest_age_rating)
        sums = np.add.reduceat(rating, starts)
        scores = Scores(
            starts,
            rating,
            points,
            draws=np.where(sizes < rules.performance_games, rules.performance_games - sizes, one_sided),
            draw_ratings=[
                Fraction(by_age) if age else Fraction(by_sum, size)
                for age, by_age, by_sum, size in zip(
                    ages.tolist(), of_age.tolist(), sums.tolist(), sizes.tolist(), strict=True
                )
            ],
        )
        found = np.zeros(groups.size, dtype=np.int64)
        least = rules.least_performance[self.columns.tempo]
        found[enough] = np.maximum(performances(rules, scores, 0), least)
        return found[group_of]

    def _against_holders(self, players: Integers, pairs: Integers) -> _HolderColumns:
        """The games of players in reports, named by pairs, against holders of a valid rating; by pair."""
        events = self.columns.games.event
        is_sought = np.zeros(len(self.columns.players), dtype=bool)
        is_sought[players] = True
        parts = []
        white_points = self.columns.games.white_points
        for own, opponent, points in (
            (self.white, self.black, white_points),
            (self.black, self.white, 2 - white_points),
        ):
            game = np.flatnonzero(is_sought[own])
            pair = events[game] * len(self.columns.players) + own[game]
            row = self.rows(game, opponent[game])
            holds = np.flatnonzero(np.isin(pair, pairs) & (row >= 0))
            game, pair, row = game[holds], pair[holds], row[holds]
            rating = self.of_seniors(self.ratings[row], game, opponent[game])
            parts.append(_HolderColumns(pair, rating, points[game]))
        holders = _HolderColumns.joined(parts)
        return holders.rows(np.argsort(holders.pair, kind="stable"))


def _check_games(columns: KnsbColumns) -> None:
    events, games = columns.events, columns.games
    if np.any((games.event < 0) | (games.event >= len(events))):
        raise ValueError("a game names an event that is not among the events")
    if np.any(games.white == games.black):
        raise ValueError("a player cannot be their own opponent")
    if np.any((games.white_points < 0) | (games.white_points > 2)):
        raise ValueError("a game played gives White 0, 1 or 2 half points")
    if np.any(games.day == NO_DAY) or np.any(games.round < 0):
        raise ValueError("a game needs its day and a round from 0 on")
    if np.any(events.in_force > columns.in_force):
        raise ValueError("an event belongs to a later list")
