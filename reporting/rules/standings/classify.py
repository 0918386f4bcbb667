"""The classification of a tournament: points, then tie-breaks in order, places shared where all is equal (R52a)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from reporting.rules.standings.cross_table import CrossTable, Integers
from reporting.rules.standings.exact import Column, decimal
from reporting.rules.standings.fide import Edition, edition_on
from reporting.rules.standings.registry import (
    DEFAULT_ROUND_ROBIN,
    DEFAULT_SWISS,
    DEFAULT_TEAMS,
    DEFAULT_WORLD_CHAMPIONSHIP,
    OF_ROUND_POINTS,
    TIE_BREAKS,
    Question,
    TieBreak,
)
from reporting.rules.standings.round_robin import with_rests, without_withdrawn
from reporting.rules.standings.unplayed import FACE_VALUE, METHODS, UnplayedMethod

Entry = TypeVar("Entry")


class UnknownKeyError(ValueError):
    """A key, method or edition that is not in the registry; `known` lists those that are."""

    def __init__(self, found: str, known: Sequence[str]) -> None:
        super().__init__(found)
        self.found = found
        self.known = tuple(known)


class TieBreakNotDefinedError(ValueError):
    """Tie-breaks that are not defined with this method for unplayed games (R60c)."""


class RoundPointsError(ValueError):
    """Tie-breaks, or a method for unplayed games, that are defined for 2-1-0 only (Annex 3 art. 5.10a)."""


class TeamsOnlyError(ValueError):
    """Tie-breaks of team tournaments asked of a tournament of players."""


@dataclass(frozen=True)
class Standings:
    """A classified tournament. `places` are from 1, shared ones equal, 0 for a player who is not classified (5.9).

    `columns` are in the order of `tie_breaks`; `order` are the rows from the first to the last place; `unplayed` is the
    method for unplayed games.
    """

    table: CrossTable
    tie_breaks: tuple[TieBreak, ...]
    columns: tuple[Column, ...]
    places: Integers
    order: Integers
    unplayed: UnplayedMethod = FACE_VALUE

    def to_json(self) -> list[dict[str, Any]]:
        """Return the players in order: number, name, points, place, and each tie-break under its key."""
        scale = self.table.halves_a_point
        return [
            {
                "number": int(self.table.numbers[row]),
                "name": self.table.names[row],
                "points": _number(self.table.scores[row], scale),
                "place": int(self.places[row]) or None,
                **{
                    tie_break.key: _json(column.value(row, scale))
                    for tie_break, column in zip(self.tie_breaks, self.columns, strict=True)
                },
            }
            for row in self.order.tolist()
        ]


def classify(
    table: CrossTable,
    keys: Sequence[str] = (),
    *,
    unplayed: str = "",
    edition: str = "",
    last_day: date | None = None,
    rating_differences_e2: Sequence[int] = (),
) -> Standings:
    """Classify a tournament by its points and the tie-breaks named by `keys`, in order (Annex 3 art. 5.10, 5.11).

    Without keys the `default_keys` hold. In a round robin the results of players who left after half of their games or
    fewer are cancelled (5.9). What tie-break games or a lot decided comes before `lot`, else last, where the keys do
    not name it. An empty edition of FIDE's tie-breaks is that of the last day, without one the newest (R60e). Raises
    `UnknownKeyError`, `TieBreakNotDefinedError`, `RoundPointsError` and `TeamsOnlyError`.
    """
    tie_breaks = [known(TIE_BREAKS, key) for key in _with_decided(keys or default_keys(table), table)]
    method = known(METHODS, unplayed or FACE_VALUE.key)
    edition = edition or edition_on(last_day)
    if edition not in list(Edition):
        raise UnknownKeyError(edition, list(Edition))
    if method is not FACE_VALUE and (refused := [each.key for each in tie_breaks if each.face_value_only]):
        raise TieBreakNotDefinedError(", ".join(refused))
    if table.round_points is not None:
        refused = [each.key for each in tie_breaks if each.key not in OF_ROUND_POINTS]
        if method is not FACE_VALUE or refused:
            raise RoundPointsError(", ".join(refused) or method.key)
    if table.boards is None and (refused := [each.key for each in tie_breaks if each.teams_only]):
        raise TeamsOnlyError(", ".join(refused))
    table, withdrawn = without_withdrawn(with_rests(table))
    question = Question(table, method, Edition(edition), rating_differences_e2)
    groups = _dense(-table.scores)
    groups[withdrawn] = groups.max(initial=0) + 1
    columns = []
    for tie_break in tie_breaks:
        column = tie_break.column(replace(question, groups=groups) if tie_break.of_group else question)
        columns.append(column)
        if groups.max(initial=0) + 1 < table.players:  # there are still tied players
            ranks = column.ranks(ascending=tie_break.ascending)
            groups = _dense(groups * (int(ranks.max(initial=0)) + 1) + ranks)
    order = np.lexsort((table.numbers, groups))
    places = np.searchsorted(groups[order], groups, side="left") + 1
    places[withdrawn] = 0
    return Standings(table, tuple(tie_breaks), tuple(columns), places, order, method)


def ties_to_be_played(standings: Standings, decisive: Collection[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each group of players equal in all that has a decisive place (R52).

    A place n is decisive where it brings more than n + 1: such a group has to play for its order.
    """
    places, sizes = np.unique(standings.places[standings.places > 0], return_counts=True)
    return [
        (first, first + size - 1)
        for first, size in zip(places.tolist(), sizes.tolist(), strict=True)
        if any(first <= place < first + size - 1 for place in decisive)
    ]


def default_keys(table: CrossTable) -> Sequence[str]:
    """Return the tie-breaks that hold where a tournament has no regulations of its own.

    Those that its federation names, else those of a round robin, of players or teams, or of a Swiss on Solkoff (art.
    5.11.1.2, 5.11.2; R52).
    """
    if table.counting.default_tie_breaks is not None:
        return table.counting.default_tie_breaks
    if not table.round_robin:
        return DEFAULT_SWISS
    if table.boards is not None:
        return DEFAULT_TEAMS
    return DEFAULT_WORLD_CHAMPIONSHIP if table.counting.is_world_championship else DEFAULT_ROUND_ROBIN


def _with_decided(keys: Sequence[str], table: CrossTable) -> Sequence[str]:
    if not table.counting.decided_ties or "decided" in keys:
        return keys
    place = keys.index("lot") if "lot" in keys else len(keys)
    return [*keys[:place], "decided", *keys[place:]]


def known(registry: Mapping[str, Entry], key: str) -> Entry:
    """Return the entry of a key; raises `UnknownKeyError`."""
    if key not in registry:
        raise UnknownKeyError(key, list(registry))
    return registry[key]


def _dense(numbers: Integers) -> Integers:
    return np.unique(numbers, return_inverse=True)[1].reshape(-1)


def _number(halves: int, halves_a_point: int) -> Any:
    return _json(Fraction(int(halves), halves_a_point))


def _json(value: Fraction | list[Fraction] | None) -> Any:
    if value is None:
        return None
    if isinstance(value, list):
        return [_json(part) for part in value]
    return int(value) if value.denominator == 1 else float(decimal(value))
