"""Norms by result, for all players of all tournaments of a period at once (art. 4.2 to 4.5; R30 to R36).

``examine`` counts and asks every requirement; ``found_norms``, ``near_misses`` and ``requirements`` read the
same columns, so that a decision and the evidence shown to people cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from titles.federations.fmjd.rules.columns import (
    BLACK,
    GMI,
    MAN,
    MF,
    MI,
    RED,
    WOMAN,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
    is_women_title,
    title_code,
    title_level,
)
from titles.federations.fmjd.rules.conditions import Score, conditions, red_titled, score_of, title_conditions
from titles.federations.fmjd.rules.groups import (
    Groups,
    Meetings,
    TournamentCounts,
    count_groups,
    count_tournaments,
    meetings_of,
)
from titles.federations.fmjd.rules.parameters import Parameters
from titles.rules.requirement import Condition, Requirement, requirements_of_group

BY_RESULT: Final = tuple(title_code(level, women) for women in (False, True) for level in (GMI, MI, MF))
"""The titles of table X-3, as codes of ``TITLES``; a CMF norm is by place only (art. 4.5.11)."""

NO_GAME: Final = -1


@dataclass(frozen=True, eq=False)
class Input:
    """Tournaments, rounds, participations and games of a period; a table without rows is fine."""

    tournaments: TournamentColumns
    rounds: RoundColumns
    participations: ParticipationColumns
    games: GameColumns


@dataclass(frozen=True, eq=False)
class NormColumns(Columns):
    """One row per norm by result, by participation, then in the order of ``BY_RESULT``.

    ``title`` is a code of ``TITLES``; ``games`` are the games it brings (art. 5 to 7). ``open_norm`` says
    that a woman has the F norm only because she has the open norm of its level (R33a). ``ignored_game`` is
    the row of the won game that the norm needs ignored (art. 4.5.2, R36), else ``NO_GAME``: such a norm, or
    its red colour, is possible on request and not achieved by itself.
    """

    participation: Integers
    title: Integers
    red: Flags
    games: Integers
    open_norm: Flags
    ignored_game: Integers


@dataclass(frozen=True, eq=False)
class NearMissColumns(Columns):
    """One row per norm that one requirement prevents: black where there is no norm, red where there is a
    black one.

    ``condition`` is the place of the requirement in ``Examination.conditions``.
    """

    participation: Integers
    title: Integers
    red: Flags
    condition: Integers


@dataclass(frozen=True, eq=False)
class Examination:
    """Every requirement of every group for each title of ``BY_RESULT``.

    ``groups`` has one row per group; of ``examine`` these are the participations themselves. ``conditions``
    are by title, those of the title itself first.
    """

    tournaments: TournamentCounts
    groups: Groups
    scores: Mapping[int, Score]
    conditions: Mapping[int, tuple[Condition, ...]]
    numbers_unmet: Mapping[tuple[int, str], Integers]
    women: Flags
    men: Flags

    def examined(self, title: int) -> Flags:
        """The groups of which the title is asked: women's titles not of men (art. 9)."""
        return ~self.men if is_women_title(title) else np.ones(len(self.men), bool)

    def unmet(self, title: int, colour: str) -> Integers:
        """How many requirements of a norm of this title and colour are not met."""
        return self.numbers_unmet[title, colour]

    def achieved(self, title: int, colour: str) -> Flags:
        """Norms with all requirements met (art. 4.4); a red norm meets those of a black one too."""
        met: Flags = self.examined(title) & (self.unmet(title, BLACK) == 0)
        if colour == RED:
            met = met & (self.unmet(title, RED) == 0)
        return met


def examine(parameters: Parameters, given: Input) -> Examination:
    """Every requirement of every participation (art. 1.2, 4.2 to 4.5; R30 to R35).

    A detail that is not known is a requirement that is not met and names the detail; nothing is guessed. Raises
    ``ValueError`` for a game of a player against the same player, of players of two tournaments, or with points
    other than 0, 1 and 2.
    """
    meetings = meetings_of(given.games)
    of = given.participations.tournament
    is_impossible = (meetings.group == meetings.opponent) | (of[meetings.group] != of[meetings.opponent])
    if is_impossible.any():
        raise ValueError(
            f"row {meetings.game[is_impossible][0]} of the games is not of two players of one tournament"
        )
    tournaments = count_tournaments(given.tournaments, given.rounds, given.participations, meetings)
    return _examine(parameters, given, tournaments, np.arange(len(given.participations)), meetings)


def _examine(
    parameters: Parameters,
    given: Input,
    tournaments: TournamentCounts,
    owner: Integers,
    meetings: Meetings,
) -> Examination:
    groups = count_groups(parameters, given.tournaments, given.participations, owner, meetings)
    return examination_of(parameters, given, tournaments, groups)


def examination_of(
    parameters: Parameters, given: Input, tournaments: TournamentCounts, groups: Groups
) -> Examination:
    """Every requirement of groups that are counted already (art. 4.2 to 4.5)."""
    common = conditions(parameters, given.tournaments, tournaments, given.participations, groups)
    red = {
        women: red_titled(parameters, given.tournaments, given.participations, groups, women)
        for women in (False, True)
    }
    size = len(groups.counts)
    of_all = {colour: _number_unmet(size, common, colour) for colour in ("", BLACK, RED)}
    scores, by_title, unmet = {}, {}, {}
    for title in BY_RESULT:
        women = is_women_title(title)
        scores[title] = score_of(parameters, groups, title_level(title), women)
        own = title_conditions(parameters, given.participations, groups, title, scores[title])
        by_title[title] = (*own, *common, red[women])
        number = of_all[""] + _number_unmet(size, own, "")
        unmet[title, BLACK] = number + of_all[BLACK]
        unmet[title, RED] = number + of_all[RED] + red[women].unmet
    sex = given.participations.sex[groups.counts.owner]
    return Examination(tournaments, groups, scores, by_title, unmet, sex == WOMAN, sex == MAN)


def _number_unmet(size: int, conditions: Iterable[Condition], colour: str) -> Integers:
    number = np.zeros(size, np.int64)
    for condition in conditions:
        if condition.colour == colour:
            number += condition.unmet
    return number


def requirements(examination: Examination, participation: int, title: int) -> tuple[Requirement, ...]:
    """Each requirement of a norm of this title for one player: article, what it asks, what was found (art.
    4.2 to 4.5).

    Those of one colour have it in ``colour``; a norm is black with all others and the black ones met, red
    with the red ones too.
    """
    return requirements_of_group(examination.conditions[title], participation)


def found_norms(parameters: Parameters, given: Input, examination: Examination) -> NormColumns:
    """The norms by result of all participations, and those possible with a won game ignored (art. 4.4, 4.5.2;
    R36).

    Every level achieved is listed (R33), a title once for each participation: red where the group meets art.
    4.4.1. A woman's open norm is her F norm of that level too (R33a). A second row of the same title, with
    ``ignored_game``, says what is possible on request.
    """
    size = len(given.participations)
    games = examination.groups.counts.games
    black = {title: examination.achieved(title, BLACK) for title in BY_RESULT}
    red = {title: examination.achieved(title, RED) for title in BY_RESULT}
    parts = []
    for title in BY_RESULT:
        own, own_red, through = black[title], red[title], np.zeros(size, bool)
        if is_women_title(title):
            level = title_code(title_level(title), women=False)
            through = examination.women & black[level] & ~own
            own_red = own_red | (examination.women & red[level])
            own = own | through
        row = np.flatnonzero(own)
        parts.append(
            NormColumns(
                participation=row,
                title=np.full(row.size, title),
                red=own_red[row],
                games=games[row],
                open_norm=through[row],
                ignored_game=np.full(row.size, NO_GAME),
            )
        )
        black[title], red[title] = own, own_red
    parts.extend(_with_wins_ignored(parameters, given, examination, black, red))
    norms = NormColumns.joined(parts)
    order = np.lexsort((norms.ignored_game, _rank(norms.title), norms.participation))
    return norms.rows(order)


def _rank(title: Integers) -> Integers:
    """The place of titles in ``BY_RESULT``."""
    places = np.zeros(max(BY_RESULT) + 1, np.int64)
    places[list(BY_RESULT)] = np.arange(len(BY_RESULT))
    return places[title]


def _with_wins_ignored(
    parameters: Parameters,
    given: Input,
    examination: Examination,
    black: Mapping[int, Flags],
    red: Mapping[int, Flags],
) -> list[NormColumns]:
    """Norms, or their red colour, that one won game ignored would give (art. 4.5.2, R36).

    All requirements are asked again of the group without that game. Of several such games the one is named
    that gives a red norm, then the one with most points to spare, then the earliest.
    """
    counts = examination.groups.counts
    if not parameters.ignorable_wins:
        return []
    candidate = np.zeros(len(counts), bool)
    for title in BY_RESULT:
        candidate |= ~red[title] & _could_gain(examination, title)
    candidate &= (counts.games > parameters.least_games) & (counts.wins > 0)
    meetings = meetings_of(given.games)
    variants = _variants(parameters, meetings, candidate)
    owner, ignored = variants.owner, variants.ignored
    without = _examine(parameters, given, examination.tournaments, owner, variants.meetings)
    parts = []
    for title in BY_RESULT:
        own, own_red = without.achieved(title, BLACK), without.achieved(title, RED)
        has, has_red, spare = own, own_red, without.groups.counts.points - without.scores[title].asked
        if is_women_title(title):
            # A woman's open norm is her F norm of that level too (R33a).
            level = title_code(title_level(title), women=False)
            has = own | (without.women & without.achieved(level, BLACK))
            has_red = own_red | (without.women & without.achieved(level, RED))
            spare = np.where(own, spare, without.groups.counts.points - without.scores[level].asked)
        gives_red = has_red & ~red[title][owner]
        gives = gives_red | (has & ~black[title][owner])
        row = np.flatnonzero(gives)
        row = row[np.lexsort((ignored[row], -spare[row], ~gives_red[row], owner[row]))]
        row = row[np.diff(owner[row], prepend=-1) != 0]
        parts.append(
            NormColumns(
                participation=owner[row],
                title=np.full(row.size, title),
                red=gives_red[row],
                games=without.groups.counts.games[row],
                open_norm=np.where(gives_red, ~own_red, ~own)[row],
                ignored_game=ignored[row],
            )
        )
    return parts


def _could_gain(examination: Examination, title: int) -> Flags:
    """Whether a game less could give a norm: all that it cannot improve is met."""
    fixed = {"woman", "development", "rounds", "days", "in_time", "council_approved", "federations",
             "round_robin_rated", "national_rated", "referee_stated"}  # fmt: skip
    could = examination.examined(title)
    for condition in examination.conditions[title]:
        if condition.code in fixed or condition.code.startswith("titled."):
            could = could & ~condition.unmet
    return could


@dataclass(frozen=True, eq=False)
class _Variants:
    """Groups without some won games: the player of each, the game first ignored, the last one, the games that
    remain.
    """

    owner: Integers
    ignored: Integers
    last: Integers
    meetings: Meetings


def _variants(parameters: Parameters, meetings: Meetings, candidates: Flags) -> _Variants:
    """The groups of the candidates without each of their won games, as many as may be ignored (art. 4.5.2,
    R36).
    """
    mine = meetings.rows(np.flatnonzero(candidates[meetings.group]))
    mine = mine.rows(np.lexsort((mine.game, mine.group)))
    none = np.full(candidates.size, NO_GAME)
    found = [_without_a_win(parameters, _Variants(np.arange(candidates.size), none, none, mine))]
    for _ in range(1, parameters.ignorable_wins):
        found.append(_without_a_win(parameters, found[-1]))
    shifts = np.cumsum([0, *(variants.owner.size for variants in found)])
    meetings = Meetings.joined([variants.meetings for variants in found])
    shift = np.repeat(shifts[:-1], [len(variants.meetings) for variants in found])
    return _Variants(
        np.concatenate([variants.owner for variants in found]),
        np.concatenate([variants.ignored for variants in found]),
        np.concatenate([variants.last for variants in found]),
        Meetings(meetings.group + shift, meetings.opponent, meetings.points, meetings.game),
    )


def _without_a_win(parameters: Parameters, before: _Variants) -> _Variants:
    """Each group without one won game more, later than those already ignored; enough games must remain."""
    meetings = before.meetings
    size = np.bincount(meetings.group, minlength=before.owner.size)
    begin = np.cumsum(size) - size
    ignorable = (meetings.points == 2) & (meetings.game > before.last[meetings.group])
    win = np.flatnonzero(ignorable & (size[meetings.group] > parameters.least_games))
    group = meetings.group[win]
    variant = np.repeat(np.arange(win.size), size[group])
    offset = np.arange(variant.size) - np.repeat(np.cumsum(size[group]) - size[group], size[group])
    row = begin[group][variant] + offset
    remains = row != win[variant]
    row, variant = row[remains], variant[remains]
    game = meetings.game[win]
    return _Variants(
        owner=before.owner[group],
        ignored=np.where(before.ignored[group] == NO_GAME, game, before.ignored[group]),
        last=game,
        meetings=Meetings(variant, meetings.opponent[row], meetings.points[row], meetings.game[row]),
    )


def near_misses(examination: Examination, norms: NormColumns) -> NearMissColumns:
    """Norms that exactly one requirement prevents (art. 4.2 to 4.5); ``norms`` are those of ``found_norms``.

    A norm achieved black with one red requirement unmet is a near miss of a red norm. A women's norm that the
    open norm gives (R33a) is none.
    """
    achieved = norms.rows(norms.ignored_game == NO_GAME)
    parts = []
    for title in BY_RESULT:
        of = achieved.rows(achieved.title == title)
        has, has_red = np.zeros((2, len(examination.men)), bool)
        has[of.participation], has_red[of.participation] = True, of.red
        played = examination.groups.counts.games > 0
        examined = played & examination.examined(title)
        first = examined & ~has & (examination.unmet(title, BLACK) == 1)
        second = examined & has & ~has_red & (examination.unmet(title, RED) == 1)
        for row, colour in ((np.flatnonzero(first), BLACK), (np.flatnonzero(second), RED)):
            which = np.zeros(row.size, np.int64)
            for place, condition in enumerate(examination.conditions[title]):
                if condition.colour in ("", colour):
                    which[condition.unmet[row]] = place
            parts.append(
                NearMissColumns(row, np.full(row.size, title), np.full(row.size, colour == RED), which)
            )
    found = NearMissColumns.joined(parts)
    return found.rows(np.lexsort((_rank(found.title), found.participation)))


def examine_ignoring(
    parameters: Parameters, given: Input, examination: Examination, norms: NormColumns
) -> Examination:
    """Every requirement of norms with their won game ignored (art. 4.5.2, R36): one group for each row of ``norms``.

    Of several ignored games a row names the first one only, so an edition that allows several is not asked.
    """
    meetings = meetings_of(given.games)
    size = np.bincount(meetings.group, minlength=len(given.participations))
    begin = np.cumsum(size) - size
    meetings = meetings.rows(np.argsort(meetings.group, kind="stable"))
    owner = norms.participation
    group = np.repeat(np.arange(owner.size), size[owner])
    offset = np.arange(group.size) - np.repeat(np.cumsum(size[owner]) - size[owner], size[owner])
    row = begin[owner][group] + offset
    remains = meetings.game[row] != norms.ignored_game[group]
    row, group = row[remains], group[remains]
    without = Meetings(group, meetings.opponent[row], meetings.points[row], meetings.game[row])
    return _examine(parameters, given, examination.tournaments, owner, without)
