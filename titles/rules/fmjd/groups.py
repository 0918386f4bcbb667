"""Tournaments and groups of opponents counted, before any requirement is asked (art. 4.2 to 4.4; R30 to R35).

A group is a player and the opponents actually met in one tournament (art. 4.2.3). All counts are whole
numbers, one per tournament or group, so that one player and all players of a period run the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.systems.columns import NO_DAY, Columns, Flags, Integers
from titles.rules.fmjd.columns import (
    AGES,
    COMPETITIONS,
    GMI,
    MAN,
    MF,
    MI,
    NO_TITLE,
    WOMAN,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
)
from titles.rules.fmjd.parameters import EffectiveTitles, Parameters


@dataclass(frozen=True, eq=False)
class Meetings(Columns):
    """One row per game played, seen from one player: the group it belongs to, the opponent, and the game's
    row.
    """

    group: Integers
    opponent: Integers
    points: Integers
    game: Integers


@dataclass(frozen=True, eq=False)
class TournamentCounts(Columns):
    """One row per tournament.

    ``participants`` played at least one game; ``other_federations`` are those apart from the organiser's,
    ``abroad`` the participants from them. ``most_a_day`` is the highest number of rounds on one day,
    ``doubled`` says whether two days in a row had more than one, ``days_known`` whether each round has its
    day.
    """

    participants: Integers
    rated: Integers
    other_federations: Integers
    abroad: Integers
    most_a_day: Integers
    doubled: Flags
    days_known: Flags


@dataclass(frozen=True, eq=False)
class TitledColumns(Columns):
    """Titled opponents met, by person: effective GMI, MI and MF, and those MI and MF that may be put together
    (R34).
    """

    gmi: Integers
    mi: Integers
    mf: Integers
    strong_mi: Integers
    strong_mf: Integers


@dataclass(frozen=True, eq=False)
class GroupColumns(Columns):
    """One row per group; ``owner`` is the row of its player.

    ``games``, ``points``, ``wins``, ``losses`` and ``rating_sum`` are of the games played, an unrated
    opponent counting 2100 or 2000 (R31); ``sexes_missing`` are unrated opponents whose sex is not known, who
    add nothing. The other counts are by person, the player included: ``persons``, ``rated``, ``foreign`` (not
    of the largest federation, R35), ``red_open`` and ``red_women`` (titled or with the rating of art.
    4.4.1.2).
    """

    owner: Integers
    games: Integers
    points: Integers
    wins: Integers
    losses: Integers
    rating_sum: Integers
    sexes_missing: Integers
    persons: Integers
    rated: Integers
    foreign: Integers
    red_open: Integers
    red_women: Integers


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups with the titled opponents met, as open norms and as women's norms count them (R33)."""

    counts: GroupColumns
    open_titled: TitledColumns
    women_titled: TitledColumns


def meetings_of(games: GameColumns) -> Meetings:
    """The games played, once for each player; the group is the player's row (art. 4.5.8, R31)."""
    played = np.flatnonzero(games.played & (games.white >= 0) & (games.black >= 0))
    white, black = games.white[played], games.black[played]
    return Meetings(
        group=np.concatenate([white, black]),
        opponent=np.concatenate([black, white]),
        points=np.concatenate([games.white_points[played], games.black_points[played]]),
        game=np.concatenate([played, played]),
    )


def effective_level(titles: EffectiveTitles, level: Integers, rating: Integers) -> Integers:
    """The level as which a title counts, by the rating of the day (art. 2.1.1, R33)."""
    as_gmi = (level >= GMI) & (rating >= titles.gmi)
    as_mi = (level >= MI) & (rating >= titles.mi)
    return np.where(as_gmi, GMI, np.where(as_mi, MI, np.minimum(level, MF)))


def effective_levels(
    parameters: Parameters, participations: ParticipationColumns
) -> tuple[Integers, Integers]:
    """Effective levels in open and in women's norms; F titles count only in the latter (art. 2.1.1, R33)."""
    any_level = np.maximum(participations.title, participations.women_title)
    return (
        effective_level(parameters.open_titles, participations.title, participations.rating),
        effective_level(parameters.women_titles, any_level, participations.rating),
    )


def is_senior(tournaments: TournamentColumns) -> Flags:
    """Neither a youth nor a veterans' event (R37b)."""
    senior: Flags = (tournaments.age == AGES.index("")) & ~tournaments.veterans
    return senior


def is_world_championship(tournaments: TournamentColumns) -> Flags:
    """A World Championship, open or women's: every participant counts as titled (art. 3.11.3.a, R37b)."""
    world = tournaments.competition == COMPETITIONS.index("world-championship")
    senior: Flags = world & is_senior(tournaments)
    return senior


def count_tournaments(
    tournaments: TournamentColumns,
    rounds: RoundColumns,
    participations: ParticipationColumns,
    meetings: Meetings,
) -> TournamentCounts:
    """What art. 4.2 asks of tournaments, counted over those who played at least one game (R30, R30c)."""
    number = len(tournaments)
    played = np.unique(meetings.group)
    at, federation = participations.tournament[played], participations.federation[played]
    organiser = tournaments.federation[at]
    abroad = (federation > 0) & (organiser > 0) & (federation != organiser)
    pairs = np.unique(np.stack([at[abroad], federation[abroad]]), axis=1)
    most, doubled, known = _round_days(tournaments, rounds)
    return TournamentCounts(
        participants=np.bincount(at, minlength=number),
        rated=np.bincount(at[participations.rating[played] > 0], minlength=number),
        other_federations=np.bincount(pairs[0], minlength=number),
        abroad=np.bincount(at[abroad], minlength=number),
        most_a_day=most,
        doubled=doubled,
        days_known=known,
    )


def _round_days(tournaments: TournamentColumns, rounds: RoundColumns) -> tuple[Integers, Flags, Flags]:
    """The most rounds on a day, whether two days in a row had more than one, whether all days are known."""
    number = len(tournaments)
    real = (rounds.day != NO_DAY) & (rounds.round >= 1)
    real &= rounds.round <= tournaments.rounds[rounds.tournament]
    each = np.unique(np.stack([rounds.tournament[real], rounds.round[real], rounds.day[real]]), axis=1)
    with_day = np.unique(each[:2], axis=1)[0]
    known = (np.bincount(with_day, minlength=number) == tournaments.rounds) & (tournaments.rounds > 0)
    (tournament, day), count = np.unique(each[[0, 2]], axis=1, return_counts=True)
    most = np.zeros(number, np.int64)
    np.maximum.at(most, tournament, count)
    follows = (tournament[1:] == tournament[:-1]) & (day[1:] == day[:-1] + 1)
    in_a_row = follows & (count[1:] > 1) & (count[:-1] > 1)
    doubled = np.bincount(tournament[1:][in_a_row], minlength=number) > 0
    return most, doubled, known


def count_groups(
    parameters: Parameters,
    tournaments: TournamentColumns,
    participations: ParticipationColumns,
    owner: Integers,
    meetings: Meetings,
) -> Groups:
    """The groups of opponents, counted (art. 4.3, 4.4, 4.5.3 to 4.5.10; R31, R33 to R35).

    ``owner`` is the row of the player of each group; ``meetings`` are the games of the groups.
    """
    number = len(owner)
    group, opponent = meetings.group, meetings.opponent
    rating, sex = participations.rating, participations.sex
    unrated = np.where(
        sex == MAN, parameters.unrated_man, np.where(sex == WOMAN, parameters.unrated_woman, 0)
    )
    counted = np.where(rating > 0, rating, unrated)

    def total(values: Integers) -> Integers:
        return np.bincount(group, weights=values, minlength=number).astype(np.int64)

    met_group, met = _distinct(group, opponent, len(participations))
    # The player belongs to the group (art. 4.4.1, 4.4.3).
    person_group = np.concatenate([met_group, np.arange(number)])
    person = np.concatenate([met, owner])

    def persons_with(flags: Flags) -> Integers:
        return np.bincount(person_group[flags[person]], minlength=number)

    at = participations.tournament
    threshold = np.where(tournaments.women_only[at], parameters.red_rating_women, parameters.red_rating)
    strong = (rating >= threshold) | is_world_championship(tournaments)[at]
    any_title = (participations.title > NO_TITLE) | (participations.women_title > NO_TITLE)
    open_title = any_title if parameters.women_titles_in_open_groups else participations.title > NO_TITLE
    counts = GroupColumns(
        owner=owner,
        games=np.bincount(group, minlength=number),
        points=total(meetings.points),
        wins=np.bincount(group[meetings.points == 2], minlength=number),
        losses=np.bincount(group[meetings.points == 0], minlength=number),
        rating_sum=total(counted[opponent]),
        sexes_missing=np.bincount(met_group[counted[met] == 0], minlength=number),
        persons=np.bincount(person_group, minlength=number),
        rated=persons_with(rating > 0),
        foreign=_foreign(person_group, participations.federation[person], number),
        red_open=persons_with(open_title | strong),
        red_women=persons_with(any_title | strong),
    )
    open_level, women_level = effective_levels(parameters, participations)

    def titled(titles: EffectiveTitles, level: Integers) -> TitledColumns:
        def met_with(flags: Flags) -> Integers:
            return np.bincount(met_group[flags[met]], minlength=number)

        return TitledColumns(
            gmi=met_with(level == GMI),
            mi=met_with(level == MI),
            mf=met_with(level == MF),
            strong_mi=met_with((level == MI) & (rating >= titles.strong_mi)),
            strong_mf=met_with((level == MF) & (rating >= titles.strong_mf)),
        )

    return Groups(
        counts,
        titled(parameters.open_titles, open_level),
        titled(parameters.women_titles, women_level),
    )


def _distinct(group: Integers, person: Integers, persons: int) -> tuple[Integers, Integers]:
    """Each person once in each group: a double round counts a person once (R31)."""
    pairs, _ = _counted(group * max(persons, 1) + person)
    return pairs // max(persons, 1), pairs % max(persons, 1)


def _counted(keys: Integers) -> tuple[Integers, Integers]:
    """The keys that are there, rising, and how often each is: `np.unique` by sorting, which is several times
    faster.
    """
    rising = np.sort(keys)
    starts = np.flatnonzero(np.diff(rising, prepend=-1))
    return rising[starts], np.diff(starts, append=rising.size)


def _foreign(group: Integers, federation: Integers, number: int) -> Integers:
    """Persons not of the federation with most persons in the group (art. 4.4.1.3, 4.4.3.2; R35).

    A person whose federation is not known is not foreign.
    """
    known = federation > 0
    codes = int(federation.max(initial=0)) + 1
    pair, count = _counted(group[known] * codes + federation[known])
    largest = np.zeros(number, np.int64)
    np.maximum.at(largest, pair // codes, count)
    return np.bincount(group[known], minlength=number) - largest
