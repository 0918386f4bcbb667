"""What is still possible: points needed in the games to come, and norms that a list of entrants makes
possible.

Both ask the requirements of ``conditions``; results and what is known only after a tournament are left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from titles.federations.fmjd.rules.columns import (
    BLACK,
    CATEGORIES,
    MAN,
    RED,
    WOMAN,
    GameColumns,
    is_women_title,
    title_code,
    title_level,
)
from titles.federations.fmjd.rules.groups import (
    Groups,
    Meetings,
    TitledColumns,
    count_groups,
    count_tournaments,
    meetings_of,
)
from titles.federations.fmjd.rules.norms import BY_RESULT, Examination, Input, examination_of
from titles.federations.fmjd.rules.parameters import Parameters
from titles.rules.forecast import PointsNeeded

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
    """The norms still possible, with the requirements at best and the part of them that is certain.

    ``examination`` asks each requirement as favourably as the opponents not known yet allow, ``certain`` as
    unfavourably; both have the ``games`` to come. A requirement unmet at best is out of reach, one met in
    ``certain`` is met whatever happens. ``open_games`` are games to come whose opponents are not known,
    ``rating_sum`` is that of the other games.
    """

    possible: ForecastColumns
    examination: Examination
    certain: Examination
    games: Integers
    open_games: Integers
    rating_sum: Integers


def forecast(
    parameters: Parameters, given: Input, scheduled: Flags, open_games: Integers | None = None
) -> Forecast:
    """The points that each norm still possible asks in the games to come (art. 4.3, 4.5.8, X-3; R31, R32).

    ``scheduled`` marks the games not played yet whose opponents are known: all of a round robin, the next
    round of a Swiss. ``open_games`` has for each participation the number of further games; their opponents
    are entrants of the same tournament not met yet, each once. Every game to come is taken as played. The
    points are the least ones, against the strongest of these opponents; ``points_by_ratings`` has the others.
    """
    games, people = given.games, given.participations
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
    meetings = meetings_of(planned.games)
    remaining = np.bincount(meetings_of(planned.games.rows(to_come)).group, minlength=len(people))
    owner = np.arange(len(people))
    known = count_groups(parameters, given.tournaments, people, owner, meetings)
    if open_games is None or not open_games.any():
        nothing = np.zeros(len(people), np.int64)
        tournaments = count_tournaments(given.tournaments, given.rounds, people, meetings)
        best, certain, added = known, known, nothing
    else:
        everyone = _everyone(people.tournament)
        field = count_groups(parameters, given.tournaments, people, owner, everyone)
        tournaments = count_tournaments(given.tournaments, given.rounds, people, everyone)
        added = np.minimum(open_games, field.counts.persons - known.counts.persons)
        best, certain = _with_open_games(parameters, given, meetings, known, field, added)
    remaining = remaining + added
    points = known.counts.points
    most = replace(best, counts=replace(best.counts, points=points + 2 * remaining))
    examination = examination_of(parameters, given, tournaments, most)
    return Forecast(
        _possible(examination, points, remaining),
        examination,
        examination_of(parameters, given, tournaments, certain),
        remaining,
        added,
        known.counts.rating_sum,
    )


def points_by_ratings(
    parameters: Parameters, found: Forecast, participation: int, title: int
) -> list[tuple[int, int]]:
    """The points that a norm asks in the games to come, by the ratings of the opponents not known yet (X-2, X-3).

    Pairs of the least sum of these ratings and the points, the lowest sum first; it is 0 where any opponents
    will do. Empty where no opponent is open, or where no points are enough.
    """
    best, certain = found.examination.groups.counts, found.certain.groups.counts
    games, added = int(best.games[participation]), int(found.open_games[participation])
    if not added or best.sexes_missing[participation]:
        return []
    rows: list[tuple[int, int]] = []
    for _, least, points in points_by_category(parameters, title, games):
        sum_asked = _least_sum(least, games)
        needed = max(points - int(certain.points[participation]), 0)
        if sum_asked > best.rating_sum[participation] or needed > 2 * found.games[participation]:
            continue
        any_opponents = sum_asked <= certain.rating_sum[participation]
        if any_opponents:
            rows = [(0, needed)]
        elif not rows or needed < rows[-1][1]:
            rows.append((sum_asked - int(found.rating_sum[participation]), needed))
    return rows


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


def points_needed(
    parameters: Parameters, title: int, games: int, ratings: Sequence[int]
) -> tuple[PointsNeeded, ...]:
    """The points of a norm of this title in so many games, by category, the lowest first (art. 4.3; R31, R32).

    ``ratings`` are those of opponents known already, at most one a game; an unrated one has the rating of R31.
    Of the categories that are certain only the highest is given, since it asks the fewest points.
    """
    open_games = games - len(ratings)
    found: list[PointsNeeded] = []
    for category, least, points in points_by_category(parameters, title, games):
        missing = max(_least_sum(least, games) - sum(ratings), 0)
        row = PointsNeeded(
            category, least, points, -(-missing // open_games) if open_games else None, is_reached=not missing
        )
        if row.is_reached:
            found = [row]
        else:
            found.append(row)
    return tuple(found)


def _least_sum(least: int, games: int) -> int:
    """The least sum of ratings with this Rm, which is rounded half up: (2 sum + games) // (2 games) >= least (R31)."""
    return games * least - games // 2 if least else 0


def _possible(examination: Examination, points: Integers, remaining: Integers) -> ForecastColumns:
    parts = []
    for colour in (BLACK, RED):
        for title in BY_RESULT:
            within, needed = _within(examination, title, colour, points, remaining)
            level = title_code(title_level(title), women=False)
            if is_women_title(title):
                # A woman's open norm is her F norm of that level too (R33a).
                through, more = _within(examination, level, colour, points, remaining)
                through = through & examination.women
                needed = np.where(~within, more, np.where(through, np.minimum(needed, more), needed))
                within = within | through
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
    order = np.zeros(max(BY_RESULT) + 1, np.int64)
    order[list(BY_RESULT)] = np.arange(len(BY_RESULT))
    return found.rows(np.lexsort((found.red, order[found.title], found.participation)))


def _within(
    examination: Examination, title: int, colour: str, points: Integers, remaining: Integers
) -> tuple[Flags, Integers]:
    """Where a norm is within reach, and the points that it asks in the games to come."""
    required = examination.scores[title].asked
    needed: Integers = np.maximum(required - points, 0)
    within: Flags = examination.examined(title) & (required > 0) & (needed <= 2 * remaining)
    for condition in examination.conditions[title]:
        # A red norm meets what a black one asks too (art. 4.4).
        if condition.colour in ("", BLACK, colour) and condition.code not in LATER:
            within = within & condition.met_or_not_asked
    return within, needed


def _with_open_games(  # noqa: PLR0917
    parameters: Parameters, given: Input, meetings: Meetings, known: Groups, field: Groups, added: Integers
) -> tuple[Groups, Groups]:
    """The groups with games added against persons not met yet: at best, and what is certain.

    Each count is the most, and the least, that so many of these persons can give; no two counts need be
    possible with the same opponents.
    """
    unmet = field.counts.persons - known.counts.persons
    strongest, weakest = _rating_sums(parameters, given, meetings, added)
    most_foreign, least_foreign = _foreign_range(given, meetings, added)

    def most(name: str) -> Integers:
        count: Integers = known_of(name) + np.minimum(field_of(name) - known_of(name), added)
        return count

    def least(name: str) -> Integers:
        others = unmet - (field_of(name) - known_of(name))
        return known_of(name) + np.maximum(added - others, 0)

    def known_of(name: str) -> Integers:
        count: Integers = getattr(known.counts, name)
        return count

    def field_of(name: str) -> Integers:
        count: Integers = getattr(field.counts, name)
        return count

    by_person = ("rated", "red_open", "red_women")
    common = {"games": known.counts.games + added, "persons": known.counts.persons + added}
    best = replace(
        known.counts,
        **common,
        rating_sum=known.counts.rating_sum + strongest,
        sexes_missing=least("sexes_missing"),
        foreign=most_foreign,
        **{name: most(name) for name in by_person},
    )
    certain = replace(
        known.counts,
        **common,
        rating_sum=known.counts.rating_sum + weakest,
        sexes_missing=most("sexes_missing"),
        foreign=least_foreign,
        **{name: least(name) for name in by_person},
    )
    return (
        Groups(
            best,
            _most_titled(known.open_titled, field.open_titled, added),
            _most_titled(known.women_titled, field.women_titled, added),
        ),
        Groups(
            certain,
            _least_titled(known.open_titled, field.open_titled, unmet, added),
            _least_titled(known.women_titled, field.women_titled, unmet, added),
        ),
    )


def _most_titled(known: TitledColumns, field: TitledColumns, added: Integers) -> TitledColumns:
    """The titled opponents that help most: a GMI before an MI, an MI before an MF (art. 4.5.3 to 4.5.10, R34)."""
    gmi = np.minimum(field.gmi - known.gmi, added)
    strong_mi = np.minimum(field.strong_mi - known.strong_mi, added - gmi)
    mi = np.minimum(field.mi - known.mi, added - gmi)
    # For a GMI norm an MI that is not strong enough takes no place of an MF; for an MI norm this may count one more.
    strong_mf = np.minimum(field.strong_mf - known.strong_mf, added - gmi - strong_mi)
    mf = np.minimum(field.mf - known.mf, added - gmi - strong_mi)
    return TitledColumns(
        known.gmi + gmi,
        known.mi + mi,
        known.mf + mf,
        known.strong_mi + strong_mi,
        known.strong_mf + strong_mf,
    )


def _least_titled(
    known: TitledColumns, field: TitledColumns, unmet: Integers, added: Integers
) -> TitledColumns:
    """The titled opponents that are met in any case."""
    columns = []
    for name in TitledColumns.__dataclass_fields__:
        has, all_of = getattr(known, name), getattr(field, name)
        columns.append(has + np.maximum(added - (unmet - (all_of - has)), 0))
    return TitledColumns(*columns)


def _everyone(tournament: Integers) -> Meetings:
    """Every entrant with every other of the same tournament."""
    first, second = _pairs(tournament)
    zeros = np.zeros(2 * first.size, np.int64)
    return Meetings(np.concatenate([first, second]), np.concatenate([second, first]), zeros, zeros)


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


def _rating_sums(
    parameters: Parameters, given: Input, meetings: Meetings, added: Integers
) -> tuple[Integers, Integers]:
    """The sums of the highest and of the lowest ratings among the entrants not met yet (art. 4.3, R31)."""
    people = given.participations
    unrated = np.where(
        people.sex == MAN,
        parameters.unrated_man,
        np.where(people.sex == WOMAN, parameters.unrated_woman, 0),
    )
    counted = np.where(people.rating > 0, people.rating, unrated)
    highest, lowest = np.zeros((2, len(people)), np.int64)
    for rows, met in _by_tournament(people.tournament, meetings):
        chosen = np.arange(rows.size) < added[rows][:, None]
        for sums, sign in ((highest, -1), (lowest, 1)):
            # Those met already come last, behind all ratings.
            ratings = np.where(met, np.iinfo(np.int64).max, sign * counted[rows])
            sums[rows] = sign * np.where(chosen, np.sort(ratings, axis=1), 0).sum(axis=1)
    return highest, lowest


def _foreign_range(given: Input, meetings: Meetings, added: Integers) -> tuple[Integers, Integers]:
    """The most and the least persons of a group not of its largest federation, with so many not met yet (R35).

    A person whose federation is not known is not foreign.
    """
    people = given.participations
    most, least = np.zeros((2, len(people)), np.int64)
    for rows, met in _by_tournament(people.tournament, meetings):
        codes, federation = np.unique(people.federation[rows], return_inverse=True)
        of = np.zeros((rows.size, codes.size), np.int64)
        of[np.arange(rows.size), federation] = 1
        inside, outside = met.astype(np.int64) @ of, (~met).astype(np.int64) @ of
        is_known = codes > 0
        added_here = added[rows]
        unknown = outside[:, ~is_known].sum(axis=1)
        inside, outside = inside[:, is_known], outside[:, is_known]
        persons = inside.sum(axis=1)
        known_added = np.minimum(added_here, outside.sum(axis=1))
        size = inside.max(axis=1, initial=0)
        # The largest federation grows only as far as it must.
        while True:
            room = np.minimum(outside, np.maximum(size[:, None] - inside, 0)).sum(axis=1)
            full = room < known_added
            if not full.any():
                break
            size = size + full
        most[rows] = persons + known_added - size
        largest = (inside + np.minimum(outside, added_here[:, None])).max(axis=1, initial=0)
        least[rows] = np.maximum(persons + np.maximum(added_here - unknown, 0) - largest, 0)
    return most, least


def _by_tournament(tournament: Integers, meetings: Meetings) -> Iterator[tuple[Integers, Flags]]:
    """The rows of each tournament, and who of them met whom; everyone has met themselves."""
    place = np.zeros(tournament.size, np.int64)
    for number in np.unique(tournament).tolist():
        rows = np.flatnonzero(tournament == number)
        place[rows] = np.arange(rows.size)
        mine = meetings.rows(np.flatnonzero(tournament[meetings.group] == number))
        met = np.eye(rows.size, dtype=bool)
        met[place[mine.group], place[mine.opponent]] = True
        yield rows, met
