"""What is still possible: points needed in the games to come, and norms that a list of entrants makes
possible.

Both ask the requirements of ``conditions``; results and what is known only after a tournament are left open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ratings.systems.columns import Columns, Flags, Integers
from titles.rules.fmjd.columns import CATEGORIES, MAN, WOMAN, GameColumns, is_women_title, title_level
from titles.rules.fmjd.groups import (
    GroupColumns,
    Groups,
    Meetings,
    count_groups,
    count_tournaments,
    meetings_of,
)
from titles.rules.fmjd.norms import BY_RESULT, Examination, Input, examination_of, examine
from titles.rules.fmjd.parameters import Parameters
from titles.rules.fmjd.requirement import BLACK, RED

LATER: Final = ("points", "in_time", "council_approved")
"""Requirements that only the end of the tournament decides."""


@dataclass(frozen=True, eq=False)
class ForecastColumns(Columns):
    """One row per norm still possible, a title and colour once for each participation.

    ``points`` are asked in the ``games`` to come; 0 where the player has enough already.
    """

    participation: Integers
    title: Integers
    red: Flags
    points: Integers
    games: Integers


@dataclass(frozen=True, eq=False)
class Forecast:
    """The norms still possible, with the requirements as they will be (``norms.requirements``)."""

    possible: ForecastColumns
    examination: Examination


def forecast(parameters: Parameters, given: Input, scheduled: Flags) -> Forecast:
    """The points that each norm still possible asks in the games to come (art. 4.3, 4.5.8, X-3; R31, R32).

    ``scheduled`` marks the games not played yet whose opponents are known: all of a round robin, the next
    round of a Swiss. The norm is that of the games played and scheduled; in a Swiss it changes with later
    rounds.
    """
    games = given.games
    to_come = scheduled & ~games.played
    planned = replace(
        given,
        games=GameColumns(
            round=games.round,
            white=games.white,
            black=games.black,
            white_points=np.where(to_come, 0, games.white_points),
            black_points=np.where(to_come, 0, games.black_points),
            played=games.played | to_come,
        ),
    )
    examination = examine(parameters, planned)
    left = meetings_of(planned.games.rows(to_come))
    remaining = np.bincount(left.group, minlength=len(given.participations))
    return Forecast(_possible(examination, remaining), examination)


def round_robin(given: Input) -> tuple[Input, Flags]:
    """Every entrant against every other once, all scheduled (art. 4.5.8: announced before the start)."""
    first, second = _pairs(given.participations.tournament)
    zeros = np.zeros(first.size, np.int64)
    games = GameColumns(zeros, first, second, zeros, zeros, np.zeros(first.size, bool))
    return replace(given, games=games), np.ones(first.size, bool)


def points_by_category(parameters: Parameters, title: int, games: int) -> Iterator[tuple[str, int, int]]:
    """Each category in which a norm of this title is possible: its name, its least Rm, the points (X-2, X-3;
    R32).

    The least Rm of category I is 0.
    """
    table = parameters.points_table
    begins = (0, *(table.women_from if is_women_title(title) else table.open_from))
    percentages = table.percentages[title_level(title)]
    for name, least, percentage in zip(CATEGORIES[1:], begins, percentages, strict=True):
        if percentage:
            yield name, least, -(-percentage * 2 * games // 100)


def possible_in_swiss(parameters: Parameters, given: Input) -> Forecast:
    """The norms that a list of entrants of a Swiss makes possible (art. 4.2 to 4.5; organisers).

    Each requirement is asked of the best opponents among the entrants for it, as many as there are rounds. So
    a norm that is not listed is impossible; one that is listed needs these opponents and the points.
    ``games`` of the input are not looked at.
    """
    people, size = given.participations, len(given.participations)
    first, second = _pairs(people.tournament)
    zeros = np.zeros(2 * first.size, np.int64)
    everyone = Meetings(np.concatenate([first, second]), np.concatenate([second, first]), zeros, zeros)
    owner = np.arange(size)
    field = count_groups(parameters, given.tournaments, people, owner, everyone)
    alone = count_groups(parameters, given.tournaments, people, owner, everyone.rows(slice(0, 0)))
    entrants = field.counts.persons
    games = np.minimum(np.maximum(given.tournaments.rounds[people.tournament], 0), entrants - 1)

    def best(name: str) -> Integers:
        own: Integers = getattr(alone.counts, name)
        others: Integers = getattr(field.counts, name) - own
        return np.minimum(others, games) + own

    counts = GroupColumns(
        owner=owner,
        games=games,
        points=np.zeros(size, np.int64),
        wins=np.zeros(size, np.int64),
        losses=np.zeros(size, np.int64),
        rating_sum=_best_ratings(parameters, given, games),
        sexes_missing=np.zeros(size, np.int64),
        persons=games + 1,
        rated=best("rated"),
        foreign=games + 1 - _least_largest(given, games + 1),
        red_open=best("red_open"),
        red_women=best("red_women"),
    )
    groups = Groups(counts, field.open_titled, field.women_titled)
    tournaments = count_tournaments(given.tournaments, given.rounds, people, everyone)
    examination = examination_of(parameters, given, tournaments, groups)
    return Forecast(_possible(examination, games), examination)


def _possible(examination: Examination, remaining: Integers) -> ForecastColumns:
    parts = []
    points = examination.groups.counts.points
    for title in BY_RESULT:
        asked = examination.scores[title].asked
        needed = np.maximum(asked - points, 0)
        within = examination.examined(title) & (asked > 0) & (needed <= 2 * remaining)
        for colour in (BLACK, RED):
            for each in examination.conditions[title]:
                if each.colour in ("", colour) and each.code not in LATER:
                    within = within & each.met_or_not_asked
            row = np.flatnonzero(within)
            parts.append(
                ForecastColumns(
                    participation=row,
                    title=np.full(row.size, title),
                    red=np.full(row.size, colour == RED),
                    points=needed[row],
                    games=remaining[row],
                )
            )
    found = ForecastColumns.joined(parts)
    return found.rows(np.argsort(found.participation, kind="stable"))


def _pairs(tournament: Integers) -> tuple[Integers, Integers]:
    """All pairs of rows of the same tournament."""
    order = np.argsort(tournament, kind="stable")
    starts = np.flatnonzero(np.diff(tournament[order], prepend=-1))
    first, second = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), order.size], strict=False):
        one, other = np.triu_indices(end - begin, 1)
        first.append(order[begin + one])
        second.append(order[begin + other])
    return np.concatenate(first), np.concatenate(second)


def _best_ratings(parameters: Parameters, given: Input, games: Integers) -> Integers:
    """The sum of the highest ratings among the other entrants, as many as games (art. 4.3, R31)."""
    people = given.participations
    unrated = np.where(
        people.sex == MAN,
        parameters.unrated_man,
        np.where(people.sex == WOMAN, parameters.unrated_woman, 0),
    )
    counted = np.where(people.rating > 0, people.rating, unrated)
    order = np.lexsort((-counted, people.tournament))
    begin = np.searchsorted(people.tournament[order], people.tournament, side="left")
    place = np.empty(len(people), np.int64)
    place[order] = np.arange(len(people))
    until = np.concatenate([[0], np.cumsum(counted[order])])
    inside = place - begin < games
    with_own: Integers = until[begin + games + 1] - until[begin] - counted
    return np.where(inside, with_own, until[begin + games] - until[begin])


def _least_largest(given: Input, persons: Integers) -> Integers:
    """The least size that the largest federation of such a group can have among the entrants (R35)."""
    people = given.participations
    least = np.zeros(len(people), np.int64)
    for tournament in np.unique(people.tournament).tolist():
        rows = np.flatnonzero(people.tournament == tournament)
        federation = people.federation[rows]
        _, sizes = np.unique(federation[federation > 0], return_counts=True)
        wanted = int(persons[rows[0]])
        # A person whose federation is not known is not foreign: as if of the largest one.
        unknown = max(wanted - int(sizes.sum()), 0)
        largest = range(int(sizes.max(initial=0)) + 1)
        enough = (n for n in largest if np.minimum(sizes, n).sum() >= wanted - unknown)
        least[rows] = next(enough) + unknown
    return least
