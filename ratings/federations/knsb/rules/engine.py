"""A KNSB list from its input: own ratings, start ratings, changes, sums, limits (art. 5, 7, 8, 9, 11).

Everything is whole numbers but the performance, whose rounding is exact (performance.py). No game depends on another
player's new rating, so the order of events, games and players changes no figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Final

import numpy as np

from ratings.federations.knsb.rules.columns import (
    KINDS,
    SOURCES,
    KnsbChangeColumns,
    KnsbHeldColumns,
    KnsbListColumns,
)
from ratings.federations.knsb.rules.engine_input import KnsbColumns, digest
from ratings.federations.knsb.rules.formulas import E10, added_e10, basis_columns, expected_e10, factor_e6
from ratings.federations.knsb.rules.games import (
    PERFORMANCE,
    RAPID,
    SideColumns,
    games_in_time,
    is_youth,
    sides,
)
from ratings.federations.knsb.rules.listing import (
    BY_BONUS,
    BY_LEAST,
    fallen_n_v,
    in_order,
    lapsed,
    limited_figures,
    members,
    opening_rows,
    published,
)
from ratings.federations.knsb.rules.parameters import EDITIONS, KnsbRules
from ratings.federations.knsb.rules.performance import Scores, performances
from ratings.federations.knsb.rules.validity import FIDE_KLASSIEK, SourceColumns, ValidRatings
from ratings.rules.columns import NO_DAY, Flags, Integers
from ratings.rules.days import day_number, day_of_number, months_before
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import CorrectionDifference, FoundAnomaly, OpeningLine

FROM_R_I: Final = SOURCES.index("5.1a")
FROM_GAMES: Final = SOURCES.index("5.1b")


@dataclass(frozen=True)
class KnsbCalculation:
    """A calculated list.

    `too_old` are the games left out by art. 13, `performances` the players whose R_c is a TLPR: numbers by result set.
    """

    rules: KnsbRules
    rows: KnsbListColumns
    changes: KnsbChangeColumns
    held: KnsbHeldColumns
    too_old: Mapping[int, int] = field(default_factory=dict)
    performances: Mapping[int, int] = field(default_factory=dict)
    columns: KnsbColumns | None = None

    def anomalies(self) -> Iterator[FoundAnomaly]:
        """Those of `_of_players`; reports with games that are too old, or with more than ten performances; kinds of
        FIDE's lists whose newest one is older than 45 days, with its day, empty for none; no table of memberships.
        """
        columns, rules = self.columns, self.rules
        if columns is None:
            return
        yield from self._of_players(columns)
        for result_set, games in self.too_old.items():
            yield FoundAnomaly("too_old", None, {"games": games}, result_set)
        for result_set, players in self.performances.items():
            if players > rules.performances_a_report:
                yield FoundAnomaly("tlpr", None, {"players": players}, result_set)
        old = {}
        for kind in sorted({FIDE_KLASSIEK, FIDE_KLASSIEK + columns.tempo}):
            newest = max((read.day for read in columns.lists if read.kind == kind), default=None)
            if newest is None or columns.in_force - newest > rules.fide_list_days:
                old[KINDS[kind]] = "" if newest is None else day_of_number(newest).isoformat()
        if old:
            yield FoundAnomaly("fide_old", None, old)
        if columns.memberships is None:
            yield FoundAnomaly("no_members", None, {})

    def _of_players(self, columns: KnsbColumns) -> Iterator[FoundAnomaly]:
        """Changes over 150, first ratings over 2000, players with games who are gone from FIDE's newest list, and
        players who share a FIDE number, each in the order of the list.
        """
        rows, players = self.rows, columns.players
        place = np.searchsorted(players.player, rows.player)
        jumped = (rows.previous > 0) & (np.abs(rows.change) > self.rules.jump_points)
        new = ~players.was_published[place] & (rows.previous == 0) & (rows.rating > self.rules.first_rating)
        gone = (rows.period_games > 0) & self._gone_from_fide(columns)[place]
        numbers, of_player, times = np.unique(players.fide_number, return_inverse=True, return_counts=True)
        shared = ((numbers > 0) & (times > 1))[of_player][place]
        for kind, found in (("jump", jumped), ("first", new), ("fide_gone", gone), ("fide_twice", shared)):
            for row in np.flatnonzero(found).tolist():
                values = {
                    "before": int(rows.previous[row]),
                    "after": int(rows.rating[row]),
                    "games": int(rows.period_games[row]),
                    "fide": int(players.fide_number[place[row]]),
                }
                names = ("fide",) if kind.startswith("fide") else ("before", "after", "games")
                yield FoundAnomaly(kind, int(rows.player[row]), {name: values[name] for name in names})

    def _gone_from_fide(self, columns: KnsbColumns) -> Flags:
        """Who is on an earlier FIDE list that is read and on the newest of none of its kinds."""
        kinds = [read.kind for read in columns.lists]
        newest = {kind: place for place, kind in enumerate(kinds) if kind >= FIDE_KLASSIEK}
        of_fide = [place for place, kind in enumerate(kinds) if kind >= FIDE_KLASSIEK]
        on_list = columns.ratings.list
        known = columns.ratings.player[np.isin(on_list, of_fide)]
        now = columns.ratings.player[np.isin(on_list, list(newest.values()))]
        player = columns.players.player
        gone: Flags = (columns.players.fide_number > 0) & np.isin(player, known) & ~np.isin(player, now)
        return gone


@dataclass(frozen=True)
class KnsbInput:
    """Everything that a list depends on: the columns and the edition. `game_count` is what the office is shown."""

    columns: KnsbColumns
    rules: KnsbRules = EDITIONS[-1]
    game_count: int = 0
    differences: Sequence[CorrectionDifference] = ()

    @property
    def player_count(self) -> int:
        return len(self.columns.players)

    @property
    def tournament_count(self) -> int:
        """Those of the list, whatever their parts."""
        events = self.columns.events
        return int(np.unique(events.number[events.in_force == self.columns.in_force]).size)

    @property
    def played_game_count(self) -> int:
        """Those of the reports of the list."""
        events = self.columns.events
        return int((events.in_force == self.columns.in_force)[self.columns.games.event].sum())

    def digest(self) -> str:
        return digest(self.columns, self.rules.id)

    def calculate(self) -> KnsbCalculation:
        return calculate(self.rules, self.columns)


def opening_list(rules: KnsbRules, in_force: date, lines: Sequence[OpeningLine]) -> KnsbCalculation:  # noqa: ARG001
    """The list that a pool starts from; the lines rise by player."""
    nothing = np.zeros(0, dtype=np.int64)
    arrays = [column.name for column in fields(KnsbChangeColumns) if column.name != "lists"]
    changes = KnsbChangeColumns(**dict.fromkeys(arrays, nothing), lists=("",))
    return KnsbCalculation(rules, opening_rows(rules, lines), changes, KnsbHeldColumns.joined([]))


def calculate(rules: KnsbRules, columns: KnsbColumns) -> KnsbCalculation:
    """Rows, changes and held rows of a list (art. 2 to 13). Raises `ValueError` for an input that cannot be."""
    players, day = columns.players, day_of_number(columns.in_force)
    if np.any(np.diff(players.player) <= 0):
        raise ValueError("players must rise, each once")
    size = len(players)
    valid = ValidRatings(rules, columns)
    before, r_i_row = valid.on_previous_list(), valid.of_period_before()
    is_known = players.was_published | (before >= 0)
    side = sides(rules, columns, valid, is_known)

    # 11.2, R84c: six games in 24 months. 5.2, R81b: who has no R_i and was never published waited for them.
    oldest = day_number(months_before(day, rules.publication_months))
    recent = np.bincount(side.own[side.calculation_day >= oldest], minlength=size) + players.games_elsewhere
    oldest = day_number(months_before(day, rules.waiting_months[columns.tempo]))
    waited = ~is_known & (r_i_row < 0)
    counts = ~side.is_earlier | (waited[side.own] & (side.calculation_day >= oldest))
    games = np.bincount(side.own[counts], minlength=size)

    last_game = np.append(columns.ratings.last_game, NO_DAY)[before]
    np.maximum.at(last_game, side.own[counts], columns.games.day[side.game[counts]])
    member = members(rules, columns.in_force, players.player, columns.memberships)
    youth = is_youth(rules, players.birth_year, day.year)
    has_row = (players.register_number > 0) & (is_known | (recent >= rules.publication_games))
    has_row &= (before >= 0) | (games > 0)
    has_row &= ~lapsed(rules, columns, member, last_game, youth)
    has_row &= member.is_published | (before >= 0)  # held, 11.2 alone leaves them out (R84b)

    side = side.rows(counts & has_row[side.own])
    games = np.bincount(side.own, minlength=size)
    start = _starts(valid, np.where(games > 0, r_i_row, before), side, rules)
    changes = _changes(rules, columns, valid, start, side)

    total, lpr_e3 = _sums(rules, changes, games)
    figure, limit = limited_figures(rules, start.rating, total, lpr_e3)
    bonus = _bonus_e10(rules, columns, figure)
    least = np.where(youth & (columns.tempo == RAPID), rules.least_youth_rapid_rating, rules.least_rating)
    limit += np.where(bonus > 0, BY_BONUS, 0) + np.where(figure + bonus < least * E10, BY_LEAST, 0)
    rating = published(np.maximum(figure + bonus, least * E10))
    n_v = basis_columns(rules).whole[start.basis]
    n_v = fallen_n_v(rules, n_v, last_game, columns.previous_day, columns.in_force)
    rows = KnsbListColumns(
        position=np.zeros(size, dtype=np.int64),
        rank=np.zeros(size, dtype=np.int64),
        player=players.player,
        register_number=players.register_number,
        rating=rating,
        previous=players.previous,
        change=np.where(players.previous > 0, rating - players.previous, 0),
        period_games=games,
        games=np.append(columns.ratings.games, 0)[before] + games,
        last_game_day=last_game,
        n_v=np.minimum(n_v + games, rules.largest_n_v),
        r_i=start.rating,
        r_i_from=start.source,
        r_i_list=start.list,
        sum_e10=total,
        bonus_e4=(bonus + E10 // E4 // 2) // (E10 // E4),
        lpr_e3=lpr_e3,
        limit=limit,
        title=players.title,
        club=member.club,
        lists=changes.lists,
    )
    held = rows.rows(has_row & ~member.is_published)
    is_listed = has_row & member.is_published
    return KnsbCalculation(
        rules,
        in_order(rows.rows(is_listed)),
        changes if not len(held) else changes.rows(is_listed[side.own]),
        KnsbHeldColumns(**{column.name: getattr(held, column.name) for column in fields(KnsbHeldColumns)}),
        _too_old(rules, columns),
        _performances(columns, side),
        columns,
    )


def _starts(valid: ValidRatings, row: Integers, side: SideColumns, rules: KnsbRules) -> SourceColumns:
    """R_i of each player (art. 8): the rating of a row, else of the sides, which are a player's together, R_s by 5.1 b
    (R81c, R81f). Its basis is 0: N_v of the new list is then that of the games (R81g).

    R_s is the mean of the opponents and 400 · (2W/N − 1), whole, half up, without a minimum.
    """
    start = valid.sources.rows(row)
    games = np.bincount(side.own, minlength=row.size)
    new = np.flatnonzero((row < 0) & (games > 0))
    of_new = np.isin(side.own, new)
    opponents = np.bincount(side.own[of_new], side.rating[of_new], minlength=row.size).astype(np.int64)[new]
    points = np.bincount(side.own[of_new], side.points[of_new], minlength=row.size).astype(np.int64)[new]
    divisor = games[new]
    divided = opponents + rules.start_rating_span * (points - divisor)
    start.rating[new] = (2 * divided + divisor) // (2 * divisor)
    start.source[new] = FROM_GAMES
    return start


def _changes(
    rules: KnsbRules, columns: KnsbColumns, valid: ValidRatings, start: SourceColumns, side: SideColumns
) -> KnsbChangeColumns:
    """What each side adds (art. 2, 3, 5, 7): R_o is the valid rating, else R_s with N_v 1, by 5.1 a or b (R81a)."""
    own = valid.sources.rows(side.own_row)
    without = np.flatnonzero(side.own_row < 0)
    of_start = start.rows(side.own[without])
    own.rating[without] = of_start.rating
    own.source[without] = np.where(of_start.source == FROM_GAMES, FROM_GAMES, FROM_R_I)
    own.list[without] = of_start.list
    own.basis[without] = 1
    expected = expected_e10(rules, own.rating, side.rating)
    table = basis_columns(rules)
    is_halved = ~side.own_youth & side.opponent_youth & table.is_below_halving[side.basis]
    is_halved &= side.points * (E10 // 2) < expected
    k = factor_e6(rules, own.rating, own.basis, side.own_youth, is_halved)
    games, players = columns.games, columns.players.player
    day = games.day[side.game]
    begins = np.flatnonzero(np.diff(side.own, prepend=-1))
    length = np.diff(begins, append=len(side))
    return KnsbChangeColumns(
        player=players[side.own],
        sequence=np.arange(len(side)) - np.repeat(begins, length),
        tournament=columns.events.result_set[games.event[side.game]],
        game=games.game[side.game],
        opponent=players[side.opponent],
        black=side.black,
        games=np.ones(len(side), dtype=np.int64),
        points=side.points,
        first_day=day,
        last_day=day,
        calculation_day=side.calculation_day,
        own=own.rating,
        own_from=own.source,
        own_list=own.list,
        opponent_rating=side.rating,
        opponent_from=side.source,
        opponent_list=side.list,
        n_v_e4=table.n_v_e4[own.basis],
        k_e6=k,
        expected_e10=expected,
        added_e10=added_e10(side.points, expected, k),
        waited=side.is_earlier.astype(np.int64),
        lists=("", *(read.address for read in columns.lists)),
    )


def _sums(rules: KnsbRules, changes: KnsbChangeColumns, games: Integers) -> tuple[Integers, Integers]:
    """R_tt times 10¹⁰ and the LPR times 10³ of each player, by the number of games; 0 without a game (art. 9, 9.2).

    A score of 0 or 100 % has a draw against R_o of the last game besides (R82a).
    """
    total, lpr_e3 = np.zeros_like(games), np.zeros_like(games)
    playing = np.flatnonzero(games)
    if playing.size:
        own_games = games[playing]
        first = np.cumsum(own_games) - own_games
        points = np.add.reduceat(changes.points, first)
        one_sided = ((points == 0) | (points == 2 * own_games)).astype(np.int64)
        last = changes.own[first + own_games - 1]
        total[playing] = np.add.reduceat(changes.added_e10, first)
        lpr_e3[playing] = performances(
            rules, Scores(first, changes.opponent_rating, changes.points, one_sided, last), 3
        )
    return total, lpr_e3


def _bonus_e10(rules: KnsbRules, columns: KnsbColumns, figure: Integers) -> Integers:
    """The points that the bonus of the list adds to youth players by age on 31 December, times 10¹⁰ (9.1; R82, R82c).

    It raises a figure under 1750 to no more than 1750.
    """
    year, born = day_of_number(columns.in_force).year, columns.players.birth_year
    youth = is_youth(rules, born, year)
    points = np.zeros_like(figure)
    for age, added in columns.bonus:
        points[youth & (year - born == age)] = added * E10
    return np.clip(rules.bonus_rating * E10 - figure, 0, points)


def _too_old(rules: KnsbRules, columns: KnsbColumns) -> dict[int, int]:
    """The games of each result set of the list that are left out by art. 13."""
    event = columns.games.event[~games_in_time(rules, columns.events, columns.games)]
    found = np.bincount(event, minlength=len(columns.events))
    found[columns.events.in_force < columns.in_force] = 0
    which = np.flatnonzero(found)
    return dict(zip(columns.events.result_set[which].tolist(), found[which].tolist(), strict=True))


def _performances(columns: KnsbColumns, side: SideColumns) -> dict[int, int]:
    """The opponents of each result set whose rating is their performance there (6.3)."""
    which = np.flatnonzero(side.source == PERFORMANCE)
    result_set = columns.events.result_set[columns.games.event[side.game[which]]]
    pairs = np.unique(np.stack([result_set, side.opponent[which]]), axis=1)
    numbers, found = np.unique(pairs[0], return_counts=True)
    return dict(zip(numbers.tolist(), found.tolist(), strict=True))
