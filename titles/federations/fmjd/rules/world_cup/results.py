"""The World Cup points of every participation in World Cup tournaments, in columns (Annex 18; R70 to R70e)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from titles.federations.fmjd.rules.world_cup.parameters import Parameters

OPEN: Final = 0
WOMEN: Final = 1
NO_CLASSIFICATION: Final = -1


class WithoutResult(IntEnum):
    """Why a participation brings no result (R70a, R70c)."""

    HAS_RESULT = 0
    NO_PLACE = 1
    NO_GAME = 2
    DECLARED_FOR_OPEN = 3


@dataclass(frozen=True, eq=False)
class CupTournamentColumns(Columns):
    """World Cup tournaments of one section, in any order.

    ``number`` is the order among tournaments with one last day (R5). Days are days since 1 January 1970.
    ``women_only`` is a women's tournament. ``separate`` are tournaments of an organiser who chose separate groups
    (Annex 18 condition 4).
    """

    number: Integers
    first_round: Integers
    last_round: Integers
    stars: Integers
    separate: Flags
    women_only: Flags


@dataclass(frozen=True, eq=False)
class CupParticipationColumns(Columns):
    """The players of these tournaments, in any order.

    ``tournament`` is the row of the tournament. ``place`` is the final place, 0 without one; players who share a place
    have the same. ``points`` are those of the final table in 2-1-0 (R70b), ``games`` those played, ``wins`` the games
    won (R71a). ``absent`` marks who was absent from the closing ceremony.
    """

    tournament: Integers
    player: Integers
    woman: Flags
    place: Integers
    points: Integers
    games: Integers
    wins: Integers
    absent: Flags


@dataclass(frozen=True, eq=False)
class DeclarationColumns(Columns):
    """Declarations of women for the open classification of a calendar year, with the day on which they were made."""

    player: Integers
    year: Integers
    day: Integers


@dataclass(frozen=True, eq=False)
class ResultColumns(Columns):
    """What each participation brings: a row for each, in the order of the participations.

    ``without`` is a code of ``WithoutResult``; ``classification`` is ``OPEN`` or ``WOMEN``, ``NO_CLASSIFICATION``
    without a result. ``bonus_place`` is the place among those who can have a bonus, 0 where it brings none.
    ``points`` are ``bonus + factor * points of the table``, 0 for an absent player.
    """

    without: Integers
    classification: Integers
    bonus_place: Integers
    bonus: Integers
    factor: Integers
    points: Integers


def year_of(days: Integers) -> Integers:
    """The calendar year of each day (R71b)."""
    return days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970


def valid_declarations(
    tournaments: CupTournamentColumns,
    participations: CupParticipationColumns,
    declarations: DeclarationColumns,
) -> Flags:
    """Which declarations were made before the first round of her first tournament of their year (Annex 18; R71b).

    The year of a tournament is that of its last round. Without a tournament in that year a declaration is valid.
    """
    year = year_of(tournaments.last_round)[participations.tournament]
    first_round = tournaments.first_round[participations.tournament]
    earliest = np.full(len(declarations), np.iinfo(np.int64).max)
    declared = _declaration_of(participations.player, year, declarations)
    found = declared >= 0
    np.minimum.at(earliest, declared[found], first_round[found])
    valid: Flags = declarations.day < earliest
    return valid


def results(
    parameters: Parameters,
    tournaments: CupTournamentColumns,
    participations: CupParticipationColumns,
    declarations: DeclarationColumns,
) -> ResultColumns:
    """The result of each participation: WCP = bonus + factor * TP (Annex 18, Getting World Cup points; R70 to R70e).

    Raises ``ValueError`` for stars without a factor. Tournaments without what is needed are the caller's to leave out.
    """
    of = participations.tournament
    year = year_of(tournaments.last_round)[of]
    valid = valid_declarations(tournaments, participations, declarations)
    declared = _declaration_of(participations.player, year, declarations.rows(valid)) >= 0
    womens = tournaments.women_only[of]
    as_woman = participations.woman & ~declared

    without = np.zeros(len(participations), np.int64)
    without[declared & womens] = WithoutResult.DECLARED_FOR_OPEN
    without[participations.games == 0] = WithoutResult.NO_GAME
    without[participations.place == 0] = WithoutResult.NO_PLACE
    has_result = without == WithoutResult.HAS_RESULT

    # In an open tournament with separate groups a woman who has not declared can have no bonus (R70c).
    counted = has_result & ~(as_woman & tournaments.separate[of] & ~womens)
    bonus_place = _places(2 * of + as_woman, participations.place, counted)
    table = np.array([0, *parameters.bonus], np.int64)
    bonus_place[bonus_place >= table.size] = 0

    factor = _factors(parameters, tournaments.stars)[of] * has_result
    without_points = participations.absent | ~has_result
    bonus = np.where(without_points, 0, table[bonus_place])
    return ResultColumns(
        without=without,
        classification=np.where(has_result, np.where(as_woman, WOMEN, OPEN), NO_CLASSIFICATION),
        bonus_place=np.where(without_points, 0, bonus_place),
        bonus=bonus,
        factor=factor,
        points=np.where(without_points, 0, bonus + factor * participations.points),
    )


def _declaration_of(player: Integers, year: Integers, declarations: DeclarationColumns) -> Integers:
    """The row of a player's declaration for a year; -1 without one."""
    if not len(declarations):
        return np.full(player.size, -1)
    keys = declarations.player * 10_000 + declarations.year
    order = np.argsort(keys)
    sought = player * 10_000 + year
    place = np.minimum(np.searchsorted(keys[order], sought), keys.size - 1)
    return np.where(keys[order][place] == sought, order[place], -1)


def _places(group: Integers, place: Integers, counted: Flags) -> Integers:
    """The places from 1 among those counted in each group; who shares a place shares it here too (R70d); else 0."""
    rows = np.flatnonzero(counted)
    rows = rows[np.lexsort((place[rows], group[rows]))]
    new_group = np.diff(group[rows], prepend=-1) != 0
    new_place = new_group | (np.diff(place[rows], prepend=-1) != 0)
    at = np.arange(rows.size)
    start_of_group = np.maximum.accumulate(np.where(new_group, at, 0))
    start_of_place = np.maximum.accumulate(np.where(new_place, at, 0))
    found = np.zeros(place.size, np.int64)
    found[rows] = start_of_place - start_of_group + 1
    return found


def _factors(parameters: Parameters, stars: Integers) -> Integers:
    table = np.zeros(max(of for of, _ in parameters.factors) + 1, np.int64)
    for of, factor in parameters.factors:
        table[of] = factor
    known = (stars > 0) & (stars < table.size)
    found: Integers = table[np.where(known, stars, 0)]
    if not np.all(found > 0):
        raise ValueError(f"no factor for {int(stars[np.argmin(found)])} stars")
    return found
