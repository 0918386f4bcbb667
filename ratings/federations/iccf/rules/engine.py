"""An ICCF list from its input: games, changes, ratings by formula 5 or 6 (items 5 to 9, 14 to 18).

Everything is whole numbers, rounded once, at the end (R92c). No game depends on another player's new rating, so the
order of events, games and players changes no figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

import numpy as np

from ratings.federations.iccf.rules.columns import FROM, IccfChangeColumns, IccfListColumns
from ratings.federations.iccf.rules.engine_input import IccfColumns, digest
from ratings.federations.iccf.rules.formulas import (
    ALL_GAMES,
    BY_CHANGES,
    E6,
    E8,
    OF_PERIOD,
    added_e8,
    coefficient_e6,
    expected_e2,
    is_fixed,
    limited_opponent,
    methods,
    performance,
    published,
)
from ratings.federations.iccf.rules.games import SideColumns, sides
from ratings.federations.iccf.rules.listing import in_order, opening_rows
from ratings.federations.iccf.rules.parameters import EDITIONS, IccfRules
from ratings.rules.columns import Integers
from ratings.rules.values import CorrectionDifference, FoundAnomaly, OpeningLine

ASSUMED: Final = FROM.index("assumed")


@dataclass(frozen=True)
class IccfCalculation:
    """A calculated list."""

    rules: IccfRules
    rows: IccfListColumns
    changes: IccfChangeColumns
    columns: IccfColumns | None = None
    held: None = None

    def anomalies(self) -> Iterator[FoundAnomaly]:
        """Of players, in the order of the list: more games than 800/k, a first rating over 2400, a change over 100
        points, the opponent limited in more than half of the games. Then friendly matches with another level than 1800,
        and parts of tournaments below which others are missing.
        """
        if self.columns is None:
            return
        rows, changes, rules = self.rows, self.changes, self.rules
        is_limited = np.abs(changes.own - changes.opponent_rating) > rules.largest_difference
        far = changes.player[is_limited]  # rising, as the changes are
        limited = np.searchsorted(far, rows.player, "right") - np.searchsorted(far, rows.player)
        most = rules.period_points * E6 // np.maximum(rows.k_e6, 1)
        before_and_after = {"before": rows.previous, "after": rows.rating, "games": rows.period_games}
        is_first = (rows.previous == 0) & (rows.rating > rules.first_rating)
        for kind, found, values in (
            ("many_games", rows.method == OF_PERIOD, {"games": rows.period_games, "most": most}),
            ("first", is_first, before_and_after),
            ("jump", np.abs(rows.change) > rules.jump_points, before_and_after),
            ("limited", 2 * limited > rows.period_games, {"limited": limited, "games": rows.period_games}),
        ):
            for row in np.flatnonzero(found).tolist():
                data = {name: int(value[row]) for name, value in values.items()}
                yield FoundAnomaly(kind, int(rows.player[row]), data)
        yield from self._of_reports(self.columns)

    def _of_reports(self, columns: IccfColumns) -> Iterator[FoundAnomaly]:
        events = columns.events
        usual = np.array(self.rules.levels)[events.kind]
        for event in np.flatnonzero((events.level > 0) & (usual > 0) & (events.level != usual)).tolist():
            levels = {"level": int(events.level[event]), "usual": int(usual[event])}
            yield FoundAnomaly("level", None, levels, int(events.result_set[event]))
        ordered = events.rows(np.lexsort((events.part, events.number)))
        lower = np.arange(len(events)) - np.searchsorted(ordered.number, ordered.number)
        missing = ordered.part - 1 - ordered.earlier_parts - lower
        for event in np.flatnonzero(missing > 0).tolist():
            parts = {"part": int(ordered.part[event]), "missing": int(missing[event])}
            yield FoundAnomaly("part_gap", None, parts, int(ordered.result_set[event]))


@dataclass(frozen=True)
class IccfInput:
    """Everything that a list depends on: the columns and the edition."""

    columns: IccfColumns
    rules: IccfRules = EDITIONS[-1]
    game_count: int = 0
    differences: Sequence[CorrectionDifference] = ()

    @property
    def player_count(self) -> int:
        return len(self.columns.players)

    @property
    def tournament_count(self) -> int:
        """Whatever their parts."""
        return int(np.unique(self.columns.events.number).size)

    @property
    def played_game_count(self) -> int:
        return len(self.columns.games)

    def digest(self) -> str:
        return digest(self.columns, self.rules.id)

    def calculate(self) -> IccfCalculation:
        return calculate(self.rules, self.columns)


def opening_list(rules: IccfRules, in_force: date, lines: Sequence[OpeningLine]) -> IccfCalculation:  # noqa: ARG001
    """The list that a pool starts from; the lines rise by player."""
    nothing = np.zeros(0, dtype=np.int64)
    arrays = [column.name for column in fields(IccfChangeColumns) if column.name != "lists"]
    changes = IccfChangeColumns(**dict.fromkeys(arrays, nothing), lists=("",))
    return IccfCalculation(rules, opening_rows(rules, lines), changes)


def calculate(rules: IccfRules, columns: IccfColumns) -> IccfCalculation:
    """Rows and changes of a list (items 5 to 18). Raises `ValueError` for an input that cannot be."""
    players = columns.players
    if np.any(np.diff(players.player) <= 0):
        raise ValueError("players must rise, each once")
    size = len(players)
    side = sides(rules, columns)
    games = np.bincount(side.own, minlength=size)
    k_e6 = coefficient_e6(rules, players.rating, players.games)
    method = methods(rules, players.games, games, k_e6)
    changes = _changes(columns, side, method, k_e6, expected_e2(rules, side.own_rating, side.opponent_rating))

    def total(figures: Integers) -> Integers:
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, side.own, figures)
        return sums

    is_all, is_of_period = method == ALL_GAMES, method == OF_PERIOD
    limited = limited_opponent(rules, side.own_rating, side.opponent_rating)
    of_formula_5 = is_all | is_of_period
    formula_games = np.where(of_formula_5, games, 0) + np.where(is_all, players.past_games, 0)
    opponents = np.where(of_formula_5, total(limited), 0) + np.where(is_all, players.past_opponents, 0)
    points = np.where(of_formula_5, total(side.points), 0) + np.where(is_all, players.past_points, 0)
    rating = published(players.rating * E8 + total(changes.added_e8))
    rating[of_formula_5] = performance(
        opponents[of_formula_5], formula_games[of_formula_5], points[of_formula_5]
    )
    last_game = players.last_game.copy()
    np.maximum.at(last_game, side.own, changes.last_day)
    rows = IccfListColumns(
        position=np.zeros(size, dtype=np.int64),
        rank=np.zeros(size, dtype=np.int64),
        player=players.player,
        register_number=players.register_number,
        rating=rating,
        previous=players.previous,
        change=np.where(players.previous > 0, rating - players.previous, 0),
        period_games=games,
        games=players.games + games,
        last_game_day=last_game,
        method=method,
        k_e6=np.where(is_of_period | (method == BY_CHANGES), k_e6, 0),
        status=is_fixed(rules, players.games + games),
        formula_games=formula_games,
        opponents_sum=opponents,
        points_sum=points,
    )
    has_row = (players.register_number > 0) & ((players.rating > 0) | (games > 0))
    return IccfCalculation(rules, in_order(rows.rows(has_row)), changes, columns)


def _changes(
    columns: IccfColumns, side: SideColumns, method: Integers, k_e6: Integers, expected: Integers
) -> IccfChangeColumns:
    """The sides as they are stored; k, We and the change by formula 6 alone (items 6 to 9)."""
    games, player = columns.games, columns.players.player
    begins = np.flatnonzero(np.diff(side.own, prepend=-1))
    length = np.diff(begins, append=len(side))
    is_by_changes = method[side.own] == BY_CHANGES
    k, we = np.where(is_by_changes, k_e6[side.own], 0), np.where(is_by_changes, expected, 0)
    return IccfChangeColumns(
        player=player[side.own],
        sequence=np.arange(len(side)) - np.repeat(begins, length),
        tournament=columns.events.result_set[games.event[side.game]],
        game=games.game[side.game],
        opponent=player[side.opponent],
        black=side.black,
        games=np.ones(len(side), dtype=np.int64),
        points=side.points,
        first_day=games.first_day[side.game],
        last_day=games.last_day[side.game],
        own=side.own_rating,
        own_from=np.where(side.own_list > 0, 0, ASSUMED),
        own_list=side.own_list,
        opponent_rating=side.opponent_rating,
        opponent_from=np.where(side.opponent_list > 0, 0, ASSUMED),
        opponent_list=side.opponent_list,
        method=method[side.own],
        k_e6=k,
        expected_e2=we,
        added_e8=added_e8(side.points, we, k),
        substitute=side.substitute,
        lists=("", *(read.address for read in columns.lists)),
    )
