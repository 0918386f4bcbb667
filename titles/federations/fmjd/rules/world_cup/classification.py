"""The World Cup classification on any day, in columns (Annex 18, Classification; R71 to R71b)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from ratings.rules.days import day_number
from titles.federations.fmjd.rules.world_cup.parameters import Parameters
from titles.federations.fmjd.rules.world_cup.results import (
    OPEN,
    WOMEN,
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
    ResultColumns,
    valid_declarations,
)


class Counts(IntEnum):
    """Whether a result of the window counts, or why not (R70e, R71)."""

    COUNTS = 0
    NOT_OF_THE_BEST = 1
    ABSENT = 2


class Criterion(IntEnum):
    """What separates a row from the one above it (Annex 18, Criteria; R71a)."""

    EQUAL = 0
    POINTS = 1
    FIRST_PLACES = 2
    SECOND_PLACES = 3
    THIRD_PLACES = 4
    LAST_RESULT = 5
    WINS = 6


@dataclass(frozen=True, eq=False)
class WindowColumns(Columns):
    """The results of a classification's window: players in the order of the classification, the best result first.

    ``row`` is the row of the classification, ``participation`` that of the participations; ``counts`` is a code of
    ``Counts``.
    """

    row: Integers
    participation: Integers
    counts: Integers


@dataclass(frozen=True, eq=False)
class StandingColumns(Columns):
    """The rows of a classification, in the order of the criteria, then by player.

    ``points`` to ``wins`` are the criteria in their order, ``equal`` marks players who share their rank, and
    ``separated_by`` is the ``Criterion`` that separates a row from the one above it (the first row: ``EQUAL``).
    """

    rank: Integers
    player: Integers
    points: Integers
    first: Integers
    second: Integers
    third: Integers
    last_result: Integers
    wins: Integers
    equal: Flags
    separated_by: Integers


@dataclass(frozen=True)
class Classification:
    """A classification: its rows, and all results of its window."""

    standing: StandingColumns
    results: WindowColumns


def window_start(day: date, years: int) -> date:
    """The first day whose last rounds count on a day: after the same day so many years before (Annex 18; R71)."""
    try:
        same_day = day.replace(year=day.year - years)
    except ValueError:  # 29 February
        same_day = day.replace(year=day.year - years, day=28)
    return same_day + timedelta(days=1)


def classify(  # noqa: PLR0917
    parameters: Parameters,
    tournaments: CupTournamentColumns,
    participations: CupParticipationColumns,
    declarations: DeclarationColumns,
    found: ResultColumns,
    day: date,
    *,
    women: bool,
) -> Classification:
    """The open or the women's classification on a day (Annex 18, Classification and Criteria; R71 to R71b).

    ``found`` are the ``results`` of these participations, of one section. A woman is listed only in the classification
    of that day's year: open with a valid declaration made by the day, else women's.
    """
    first, last = (day_number(end) for end in (window_start(day, parameters.years), day))
    last_round = tournaments.last_round[participations.tournament]
    in_window = (last_round >= first) & (last_round <= last)
    rows = np.flatnonzero(in_window & (found.classification == (WOMEN if women else OPEN)))

    valid = valid_declarations(tournaments, participations, declarations)
    for_open = valid & (declarations.year == day.year) & (declarations.day <= last)
    declared = np.isin(participations.player[rows], declarations.player[for_open])
    rows = rows[~declared if women else declared | ~participations.woman[rows]]
    return _classification(parameters, tournaments, participations, found, rows)


def _classification(
    parameters: Parameters,
    tournaments: CupTournamentColumns,
    participations: CupParticipationColumns,
    found: ResultColumns,
    rows: Integers,
) -> Classification:
    last_round, number = (
        column[participations.tournament[rows]] for column in (tournaments.last_round, tournaments.number)
    )
    player, wins = participations.player[rows], participations.wins[rows]
    absent = participations.absent[rows]
    points, bonus_place = found.points[rows], found.bonus_place[rows]
    better_place = np.where(bonus_place > 0, bonus_place, len(parameters.bonus) + 1)
    # The best result first: more points, the better bonus place, the later one, the one with more wins.
    order = np.lexsort((rows, -wins, -number, -last_round, better_place, -points, absent, player))
    rows, player, wins, points, bonus_place, last_round, number = (
        column[order] for column in (rows, player, wins, points, bonus_place, last_round, number)
    )
    absent = absent[order]
    starts = np.flatnonzero(np.diff(player, prepend=-1) != 0)
    sizes = np.diff(np.append(starts, player.size))
    of = np.repeat(np.arange(starts.size), sizes)
    nth = np.arange(player.size) - starts[of]
    best = nth < parameters.best_results
    counts = np.where(absent, Counts.ABSENT, np.where(best, Counts.COUNTS, Counts.NOT_OF_THE_BEST))
    counting = np.flatnonzero(counts == Counts.COUNTS)

    def total(values: Integers | Flags) -> Integers:
        return np.bincount(of[counting], values[counting], starts.size).astype(np.int64)

    latest = counting[np.lexsort((number[counting], last_round[counting], of[counting]))]
    last_result = np.zeros(starts.size, np.int64)
    last_result[of[latest]] = points[latest]  # of several values for one row the last one stays
    criteria = [
        total(points),
        *(total(bonus_place == place) for place in (1, 2, 3)),
        last_result,
        total(wins),
    ]
    # A player with results of absence only is not listed (R70e).
    listed = np.flatnonzero(np.bincount(of[counting], minlength=starts.size))
    players = player[starts]
    ranked = listed[np.lexsort((players[listed], *(-column[listed] for column in reversed(criteria))))]

    values = np.array([column[ranked] for column in criteria]).reshape(len(criteria), -1)
    differs = values[:, 1:] != values[:, :-1]
    separated = np.where(differs.any(axis=0), differs.argmax(axis=0) + 1, Criterion.EQUAL)
    separated_by = np.concatenate((np.zeros(min(1, ranked.size), np.int64), separated))
    begins = separated_by != Criterion.EQUAL
    rank = np.maximum.accumulate(np.where(begins, np.arange(ranked.size), 0)) + 1
    equal = np.bincount(rank, minlength=ranked.size + 1)[rank] > 1

    row_of = np.full(starts.size, -1)
    row_of[ranked] = np.arange(ranked.size)
    shown = np.flatnonzero(row_of[of] >= 0)
    shown = shown[np.argsort(row_of[of[shown]], kind="stable")]
    return Classification(
        standing=StandingColumns(rank, players[ranked], *values, equal, separated_by),  # type: ignore[call-arg]
        results=WindowColumns(row=row_of[of[shown]], participation=rows[shown], counts=counts[shown]),
    )
