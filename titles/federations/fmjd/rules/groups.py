"""Tournaments and groups of opponents counted, before any requirement is asked (art. 4.2 to 4.4; R30 to R35).

A group is a player and the opponents actually met in one tournament (art. 4.2.3). All counts are whole
numbers, one per tournament or group, so that one player and all players of a period run the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ratings.rules.columns import NO_DAY, Columns, Flags, Integers
from titles.federations.fmjd.rules.columns import (
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
from titles.federations.fmjd.rules.parameters import EffectiveTitles, Parameters


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
    played = np.flatnonzero(np.bincount(meetings.group, minlength=len(participations)))
    at, federation = participations.tournament[played], participations.federation[played]
    organiser = tournaments.federation[at]
    abroad = (federation > 0) & (organiser > 0) & (federation != organiser)
    codes = int(federation.max(initial=0)) + 1
    pairs, _ = _counted(at[abroad] * codes + federation[abroad])
    most, doubled, known = _round_days(tournaments, rounds)
    return TournamentCounts(
        participants=np.bincount(at, minlength=number),
        rated=np.bincount(at[participations.rating[played] > 0], minlength=number),
        other_federations=np.bincount(pairs // codes, minlength=number),
        abroad=np.bincount(at[abroad], minlength=number),
        most_a_day=most,
        doubled=doubled,
        days_known=known,
    )


def _round_days(tournaments: TournamentColumns, rounds: RoundColumns) -> tuple[Integers, Flags, Flags]:
    """The most rounds on a day, whether two days in a row had more than one, whether all days are known."""
    number, most_rounds = len(tournaments), int(tournaments.rounds.max(initial=0)) + 1
    real = (rounds.day != NO_DAY) & (rounds.round >= 1)
    real &= rounds.round <= tournaments.rounds[rounds.tournament]
    at, day = rounds.tournament[real], rounds.day[real]
    with_day, _ = _counted(at * most_rounds + rounds.round[real])
    known = np.bincount(with_day // most_rounds, minlength=number) == tournaments.rounds
    known &= tournaments.rounds > 0
    first = int(day.min()) if day.size else 0
    # A day more than there are, so that the last day of a tournament is not before the first one of the next.
    span = int(day.max(initial=first)) - first + 2
    # One row a round and day: a round that is given twice on one day is one round.
    each, _ = _counted((at * most_rounds + rounds.round[real]) * span + day - first)
    days, count = _counted(each // span // most_rounds * span + each % span)
    tournament, day = days // span, days % span
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
    number, group, opponent = len(owner), meetings.group, meetings.opponent
    rating, sex = participations.rating, participations.sex
    unrated = np.where(
        sex == MAN, parameters.unrated_man, np.where(sex == WOMAN, parameters.unrated_woman, 0)
    )
    counted = np.where(rating > 0, rating, unrated)

    at = participations.tournament
    threshold = np.where(tournaments.women_only[at], parameters.red_rating_women, parameters.red_rating)
    strong = (rating >= threshold) | is_world_championship(tournaments)[at]
    any_title = (participations.title > NO_TITLE) | (participations.women_title > NO_TITLE)
    open_title = any_title if parameters.women_titles_in_open_groups else participations.title > NO_TITLE
    open_level, women_level = effective_levels(parameters, participations)

    # The player belongs to the group (art. 4.4.1, 4.4.3), but is no opponent; a double round counts a person once.
    persons = max(len(participations), 1)
    keys = np.concatenate([group * persons + opponent, np.arange(number) * persons + owner])
    keys, _ = _counted(keys)
    person_group, person = keys // persons, keys % persons
    starts = np.searchsorted(person_group, np.arange(number))
    flags = {
        "one": np.ones(len(participations), bool),
        "rated": rating > 0,
        "red_open": open_title | strong,
        "red_women": any_title | strong,
        "sexes_missing": counted == 0,
        **_titled_flags(parameters.open_titles, "open", open_level, rating),
        **_titled_flags(parameters.women_titles, "women", women_level, rating),
    }
    sums = _sums(flags, person, starts)

    def of_opponents(name: str) -> Integers:
        number: Integers = sums[name] - flags[name][owner]
        return number

    results = np.bincount(group * 3 + meetings.points, minlength=3 * number).reshape(number, 3)
    lost, drawn, won = results[:, 0], results[:, 1], results[:, 2]
    counts = GroupColumns(
        owner=owner,
        games=lost + drawn + won,
        points=drawn + 2 * won,
        wins=won,
        losses=lost,
        rating_sum=np.bincount(group, weights=counted[opponent], minlength=number).astype(np.int64),
        sexes_missing=of_opponents("sexes_missing"),
        persons=sums["one"],
        rated=sums["rated"],
        foreign=_foreign(person_group, participations.federation[person], number),
        red_open=sums["red_open"],
        red_women=sums["red_women"],
    )
    names = list(TitledColumns.__dataclass_fields__)
    return Groups(
        counts,
        TitledColumns(*(of_opponents(f"open_{name}") for name in names)),
        TitledColumns(*(of_opponents(f"women_{name}") for name in names)),
    )


def _titled_flags(titles: EffectiveTitles, kind: str, level: Integers, rating: Integers) -> dict[str, Flags]:
    """The columns of ``TitledColumns`` for each person."""
    return {
        f"{kind}_gmi": level == GMI,
        f"{kind}_mi": level == MI,
        f"{kind}_mf": level == MF,
        f"{kind}_strong_mi": (level == MI) & (rating >= titles.strong_mi),
        f"{kind}_strong_mf": (level == MF) & (rating >= titles.strong_mf),
    }


def _sums(flags: Mapping[str, Flags], person: Integers, starts: Integers) -> dict[str, Integers]:
    """How many persons of each group have each flag; groups follow each other and none is empty.

    Three counts share one number while they are summed, 20 bits each: a tournament has fewer persons than that.
    """
    names, sums = list(flags), {}
    for first in range(0, len(names), 3):
        together = names[first : first + 3]
        packed = np.zeros(flags[names[0]].size, np.int64)
        for n, name in enumerate(together):
            packed |= flags[name].astype(np.int64) << 20 * n
        total = np.add.reduceat(packed[person], starts) if starts.size else np.empty(0, np.int64)
        for n, name in enumerate(together):
            sums[name] = total >> 20 * n & (1 << 20) - 1
    return sums


def _counted(keys: Integers) -> tuple[Integers, Integers]:
    """The keys that are there, rising, and how often each is; several times as fast as ``np.unique``."""
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
