"""Valid ratings: which list gives a player a rating on a day (art. 4, 4.2, 6.5, 8; R80b, R80c, R80e, R80f, R83b).

A rating is named by its row of the engine's ratings, -1 where there is none; players are places among the players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.federations.knsb.rules.engine_input import KnsbColumns
from ratings.federations.knsb.rules.formulas import basis_of_list
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.rules.columns import NO_DAY, Columns, Flags, Integers, places
from ratings.rules.days import day_number, day_of_number, years_before

Places = NDArray[np.int32]

KLASSIEK: Final = 0
FIDE_KLASSIEK: Final = 3
"""Places in `KINDS`; the pool of a tempo and FIDE's kind of that tempo are so many places after these."""


@dataclass(frozen=True, eq=False)
class SourceColumns(Columns):
    """What each row of the engine's ratings gives: the rating, its place in `SOURCES`, its list as 1 + the place among
    the lists read, and the basis of its N_v (formulas.py). A last row, which -1 finds, is 0 in all: no rating.
    """

    rating: Integers
    source: Integers
    list: Integers
    basis: Integers


@dataclass(frozen=True)
class ValidOnDays:
    """The valid ratings of all players on the days from `first_day` on.

    `own` and `opponent` have a line for each group of days with the same lists and a column for each player; `group`
    is the line of each day.
    """

    first_day: int
    group: Integers
    own: Places
    opponent: Places


class ValidRatings:
    """The lists that are read, by player; see `on_days` and `of_period_before`.

    A rating of FIDE without K has that of most players. Raises `ValueError` for a rating of a player who is not among
    the players.
    """

    def __init__(self, rules: KnsbRules, columns: KnsbColumns) -> None:
        self._rules, self._columns = rules, columns
        ratings, players, lists = columns.ratings, columns.players, columns.lists
        kinds = np.array([read.kind for read in lists], dtype=np.int64)
        kind = kinds[ratings.list]
        without_k = (kind >= FIDE_KLASSIEK) & (ratings.k_factor == 0)
        k_factor = np.where(without_k, rules.fide_factor, ratings.k_factor)
        self.sources = SourceColumns(
            rating=np.append(ratings.rating, 0),
            source=np.append(kind + 1, 0),
            list=np.append(ratings.list + 1, 0),
            basis=np.append(basis_of_list(rules, ratings.n_v, k_factor), 0),
        )
        place = places(players.player, ratings.player)
        self._row: Places = np.full((len(lists), len(players)), -1, dtype=np.int32)
        self._row[ratings.list, place] = np.arange(len(ratings))
        self._lists_of = {
            kind: [place for place, read in enumerate(lists) if read.kind == kind]
            for kind in set(kinds.tolist())
        }
        self._has_games = {
            kind: self._last_game(place, kind)
            >= day_number(years_before(day_of_number(columns.in_force), rules.foreigner_years))
            for kind in {KLASSIEK, columns.tempo}
        }

    def on_days(self, days: Integers) -> ValidOnDays:
        """The valid ratings for the calculation dates `days`, as R_o (art. 4) and as R_c, which 6.5 may raise."""
        first_day = int(days.min(initial=self._columns.in_force))
        every_day = np.arange(first_day, int(days.max(initial=first_day)) + 1)
        newest = np.stack([self._newest(kind, every_day) for kind in self._kinds()])
        groups, group = np.unique(newest, axis=1, return_inverse=True)
        group = group.reshape(-1)
        own = np.full((groups.shape[1], len(self._columns.players)), -1, dtype=np.int32)
        opponent = own.copy()
        for number in np.unique(group[days - first_day]).tolist():
            own[number], opponent[number] = self._valid(groups[:, number].tolist())
        return ValidOnDays(first_day, group, own, opponent)

    def of_period_before(self) -> Integers:
        """R_i of each player: the valid rating on the day before the new list (art. 8)."""
        before = np.array([self._columns.in_force - 1])
        valid = self.on_days(before)
        return np.asarray(valid.own[valid.group[before[0] - valid.first_day]], dtype=np.int64)

    def on_previous_list(self) -> Integers:
        """The row of each player on the pool's list before, held rows included (R82b, R84b)."""
        columns = self._columns
        for place in self._lists_of.get(columns.tempo, []):
            if columns.lists[place].day == columns.previous_day:
                return self._row_on(place)
        return self._row_on(-1)

    def row_of(self, list_place: Integers, player: Integers) -> Integers:
        """The row of players on lists, -1 where the list is -1 or does not have the player."""
        if not self._row.size:
            return np.full(player.shape, -1, dtype=np.int64)
        return np.where(list_place < 0, -1, self._row[list_place, player])

    def _kinds(self) -> tuple[int, ...]:
        """The kinds in the order of art. 4: first those of the KNSB, then as many of FIDE, each half by priority."""
        tempo = self._columns.tempo
        if tempo == KLASSIEK:
            return KLASSIEK, FIDE_KLASSIEK
        return tempo, KLASSIEK, FIDE_KLASSIEK, FIDE_KLASSIEK + tempo

    def _newest(self, kind: int, days: Integers) -> Integers:
        """The newest list of a kind on each day, before the earliest that one (R80b); -1 where there is none."""
        lists = self._lists_of.get(kind)
        if lists is None:
            return np.full(days.shape, -1, dtype=np.int64)
        published = [self._columns.lists[place].day for place in lists]
        newest = np.maximum(np.searchsorted(published, days, side="right") - 1, 0)
        return np.array(lists, dtype=np.int64)[newest]

    def _last_game(self, place: Integers, kind: int) -> Integers:
        """The last game of each player on the newest list of a KNSB kind before the new list that has the player."""
        ratings, lists = self._columns.ratings, self._columns.lists
        earlier = [
            number for number in self._lists_of.get(kind, []) if lists[number].day < self._columns.in_force
        ]
        rows = np.flatnonzero(np.isin(ratings.list, earlier))
        last_game = np.full(len(self._columns.players), NO_DAY, dtype=np.int64)
        last_game[place[rows]] = ratings.last_game[
            rows
        ]  # lists rise by day: the newest is the last one assigned
        return last_game

    def _valid(self, lists: list[int]) -> tuple[Integers, Integers]:
        """The rows that count for R_o and for R_c, of the newest list of each of `_kinds`."""
        rules, rating = self._rules, self.sources.rating
        rows = [self._row_on(number) for number in lists]
        half = len(rows) // 2
        knsb, kind_of_knsb = rows[0], np.full(rows[0].shape, self._columns.tempo)
        if half > 1:  # 4 b
            takes = (knsb < 0) & (rating[rows[1]] >= rules.least_klassiek_rating)
            knsb = np.where(takes, rows[1], knsb)
            kind_of_knsb[takes] = KLASSIEK
        previous_day = np.array([self._columns.previous_day])
        fide, limit = np.full_like(knsb, -1), np.zeros(knsb.shape, dtype=np.int64)
        for kind, row in zip(self._kinds()[half:], rows[half:], strict=True):
            had_one = self._row_on(int(self._newest(kind, previous_day)[0])) >= 0  # 4 a, R80c
            takes = (fide < 0) & (row >= 0) & had_one
            fide = np.where(takes, row, fide)
            limit[takes] = (
                rules.foreigner_klassiek_rating
                if kind == FIDE_KLASSIEK
                else rules.foreigner_rapid_blitz_rating
            )
        has_games = np.where(
            kind_of_knsb == KLASSIEK, self._has_games[KLASSIEK], self._has_games[self._columns.tempo]
        )
        both = self._columns.players.is_foreign & (knsb >= 0) & (fide >= 0)
        by_fide: Flags = both & (~has_games | (rating[fide] > limit))  # 4.2
        by_higher = both & (rating[fide] > rating[knsb])  # 6.5
        return (
            np.where(by_fide | (knsb < 0), fide, knsb),
            np.where(by_fide | by_higher | (knsb < 0), fide, knsb),
        )

    def _row_on(self, list_place: int) -> Integers:
        if list_place < 0:
            return np.full(len(self._columns.players), -1, dtype=np.int64)
        return np.asarray(self._row[list_place], dtype=np.int64)
