"""Automatic titles and norms, by place and competition (art. 3, X-1, 4.5.11, 4.7.1; R37 to R37d).

``examine_places`` finds every claim: a player to whom an article gives a title or a norm, with what else it
asks of the tournament and the player. ``titles_by_place`` and ``all_norms`` list those that count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.rules.columns import Columns, Flags, Integers
from titles.federations.fmjd.rules.columns import (
    AGES,
    CMF,
    COMPETITIONS,
    GMI,
    LEVELS,
    MF,
    MI,
    RED,
    SYSTEMS,
    UNKNOWN,
    WOMAN,
    TournamentColumns,
    title_code,
    title_level,
)
from titles.federations.fmjd.rules.conditions import is_national_final
from titles.federations.fmjd.rules.groups import effective_levels, is_senior, is_world_championship
from titles.federations.fmjd.rules.norms import NO_GAME, Examination, Input, NormColumns
from titles.federations.fmjd.rules.parameters import Parameters, PlaceAward
from titles.rules.requirement import Condition

CONTINENTAL: Final = tuple(
    COMPETITIONS.index(f"{name}-championship") for name in ("european", "african", "asian", "american")
)
WORLD: Final = COMPETITIONS.index("world-championship")
WORLD_CUP: Final = COMPETITIONS.index("world-cup")
NO_CLAIM: Final = -1


@dataclass(frozen=True, eq=False)
class ClaimColumns(Columns):
    """One row per title or norm that an article gives a player.

    ``claim`` is the place of the article in ``PlaceExamination.claims``; ``unmet`` is the number of
    requirements not met, the place itself being met; ``red`` is of norms (R37).
    """

    participation: Integers
    claim: Integers
    title: Integers
    is_norm: Flags
    red: Flags
    unmet: Integers

    @property
    def met(self) -> Flags:
        """Whether all that is asked is met."""
        met: Flags = self.unmet == 0
        return met


@dataclass(frozen=True, eq=False)
class Claim:
    """What one article gives: the participations that reach it, with the condition that shows how, and all
    others.
    """

    article: str
    title: int
    is_norm: bool
    reached: Flags
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, eq=False)
class PlaceExamination:
    """All claims of all participations (art. 3, 4.5.11, 4.7.1)."""

    claims: tuple[Claim, ...]
    found: ClaimColumns


def examine_places(parameters: Parameters, given: Input, examination: Examination) -> PlaceExamination:
    """Every automatic title and norm of all participations (art. 3, X-1, 4.5.11, 4.7.1; R37 to R37d).

    A title asks 7 rounds, 7 games, the time control of art. 1.2, and in youth the age (R73a); a norm asks these
    without the age, and what art. 4.2 asks of the tournament, but not of its participants (decision 0046). An
    automatic norm is red where the group meets art. 4.4.1 (R37).
    """
    field = _Field(parameters, given, examination)
    claims = tuple(
        Claim(article, title_code(level, women), is_norm, reached, conditions)
        for article, level, women, is_norm, reached, conditions in field.claims()
    )
    parts = []
    for number, claim in enumerate(claims):
        row = np.flatnonzero(claim.reached)
        unmet = np.zeros(row.size, np.int64)
        for condition in claim.conditions:
            unmet += condition.unmet[row]
        red = field.red[claim.title >= len(LEVELS) - 1] & claim.is_norm
        parts.append(
            ClaimColumns(
                participation=row,
                claim=np.full(row.size, number),
                title=np.full(row.size, claim.title),
                is_norm=np.full(row.size, claim.is_norm),
                red=red[row],
                unmet=unmet,
            )
        )
    found = ClaimColumns.joined(parts)
    return PlaceExamination(claims, found.rows(np.lexsort((found.claim, found.participation))))


_Found = tuple[str, int, bool, bool, Flags, tuple[Condition, ...]]
"""Article, level, whether of women, whether a norm, the participations that reach it, the conditions."""


class _Field:
    """The participations of individual tournaments, as the articles of places look at them."""

    def __init__(self, parameters: Parameters, given: Input, examination: Examination) -> None:
        self.parameters, self.given, self.examination = parameters, given, examination
        self.people = given.participations
        self.of: TournamentColumns = given.tournaments.rows(self.people.tournament)
        self.counts = examination.groups.counts
        self.participants = examination.tournaments.participants[self.people.tournament]
        self.individual = self.of.system != SYSTEMS.index("teams")
        self.senior = is_senior(self.of)
        self.national = _is_national(self.of)
        titles = {women: title_code(GMI, women) for women in (False, True)}
        self.red = {
            women: np.logical_and.reduce(
                [~condition.unmet for condition in examination.conditions[title] if condition.colour == RED]
            )
            for women, title in titles.items()
        }
        of_women = examination.conditions[titles[True]]
        self.common = {condition.code: condition for condition in of_women if not condition.colour}
        self.of_age = Condition(
            "of_age", "Annex 2 art. 3f", ~self.people.over_age, applies=self.of.age != AGES.index("")
        )
        self.order, self.later, self.end = self._places()
        self.levels = dict(zip((False, True), effective_levels(parameters, self.people), strict=True))

    def claims(self) -> Iterator[_Found]:
        for award in self.parameters.place_awards:
            yield from self.by_place(award)
        yield from self.extended()
        yield from self.above()
        yield from self.national_percentage()

    def claim(
        self,
        article: str,
        level: int,
        women: bool,
        reached: Flags,
        own: Iterable[Condition],
        *,
        is_norm: bool,
    ) -> _Found:
        parameters = self.parameters
        codes = (
            parameters.conditions_of_norms_by_place if is_norm else parameters.conditions_of_titles_by_place
        )
        general = [self.common[code] for code in (*(["woman"] if women else []), *codes)]
        general += [] if is_norm else [self.of_age]
        return article, level, women, is_norm, reached & self.individual, (*own, *general)

    def by_place(self, award: PlaceAward) -> Iterator[_Found]:
        """X-1, art. 3.1 to 3.11.2 and 4.5.11.1 (R37, R37a); all who share it have it (art. 13)."""
        people = self.people
        event = _is_event(award, self.given.tournaments, self.examination.tournaments.participants)
        event = event[people.tournament]
        (first, last), (least, most) = award.places, award.participants
        event &= (people.place >= first) & (people.place <= last)
        own = [
            Condition(
                "place",
                award.article,
                event,
                {"first": self._full(first), "last": self._full(last)},
                {"place": people.place},
            )
        ]
        if least:
            asks = {"least": self._full(least), "most": self._full(most)}
            own.append(
                Condition("participants", award.article, event, asks, {"participants": self.participants})
            )
        for women in (False, True):
            if ("women" if women else "open") not in award.events:
                continue
            reached = event & (self.of.women_only == women)
            also = list(own)
            if award.held:
                before = self._held(women)
                reached = reached & (before >= award.held)
                also.append(
                    Condition(
                        "held",
                        award.article,
                        before >= award.held,
                        {"level": self._full(award.held)},
                        {"level": before},
                        words={"level": LEVELS},
                    )
                )
            if award.title:
                yield self.claim(award.article, award.title, women, reached, also, is_norm=False)
            if award.norm:
                article = (
                    award.article if not award.title or award.article == "X-1" else f"{award.article}, X-1"
                )
                yield self.claim(article, award.norm, women, reached, also, is_norm=True)

    def extended(self) -> Iterator[_Found]:
        """CMF by score or by taking part (art. 3.11.3, 3.11.3.a; R37, R37b)."""
        least_score = self.parameters.plus_score
        score = self.counts.wins - self.counts.losses
        plus = self.senior & self._of((*CONTINENTAL, WORLD_CUP)) & (score >= least_score)
        world = is_world_championship(self.of)
        by_score = Condition(
            "plus_score", "3.11.3", score >= least_score, {"score": self._full(least_score)}, {"score": score}
        )
        for women in (False, True):
            event = self.of.women_only == women
            yield self.claim("3.11.3", CMF, women, plus & event, [by_score], is_norm=False)
            yield self.claim(
                "3.11.3.a",
                CMF,
                women,
                world & event,
                [Condition("taking_part", "3.11.3.a", world)],
                is_norm=False,
            )

    def above(self) -> Iterator[_Found]:
        """Titles and norms by titled players who finished below (art. 3.11.4, 3.12, 4.5.11.2; R33a, R37)."""
        parameters = self.parameters
        championship = self._of((WORLD, *CONTINENTAL))
        open_to_both = self.senior & self._of((*CONTINENTAL, WORLD_CUP))
        for women in (False, True):
            # In open tournaments both kinds are examined for women (R33a).
            event = (self.of.women_only == women) | (~self.of.women_only & women & (self.people.sex == WOMAN))
            below = {
                level: self._finished_above(self.levels[women] >= level) for level in range(CMF, GMI + 1)
            }
            for level in range(GMI, CMF - 1, -1):
                least_below = parameters.above_for_title
                reached = championship & event & (below[level] >= least_below)
                own = self._above("3.12", ((level, least_below),), below)
                yield self.claim("3.12", level, women, reached, own, is_norm=False)
            pairs = ((MI, parameters.above_masters_for_cmf), (MF, parameters.above_titled_for_cmf))
            reached = open_to_both & event & np.logical_or.reduce([below[level] >= n for level, n in pairs])
            own = self._above("3.11.4", pairs, below)
            yield self.claim("3.11.4", CMF, women, reached, own, is_norm=False)
            least_below = parameters.above_for_cmf_norm
            reached = championship & event & (below[MF] >= least_below)
            own = self._above("4.5.11.2", ((MF, least_below),), below)
            yield self.claim("4.5.11.2", CMF, women, reached, own, is_norm=True)

    def national_percentage(self) -> Iterator[_Found]:
        """65 % in a national championship; in a Swiss the champion only (art. 4.7.1, R37c)."""
        points, games = self.counts.points, self.counts.games
        least_percentage = self.parameters.national_percentage
        enough = (100 * points >= least_percentage * 2 * games) & (games > 0)
        champion = self.people.place == 1
        all_around = self.of.system == SYSTEMS.index("round-robin")
        unknown = self.of.system == UNKNOWN
        own = (
            Condition(
                "percentage",
                "4.7.1",
                enough,
                {"percentage": self._full(least_percentage)},
                {"points": points, "most": 2 * games},
            ),
            Condition(
                "champion",
                "4.7.1",
                champion | all_around,
                found={"place": self.people.place},
                missing={"system": unknown & ~champion},
            ),
        )
        reached = self.national & enough & (all_around | champion | unknown)
        for women in (False, True):
            yield self.claim("4.7.1", MF, women, reached & (self.of.women_only == women), own, is_norm=True)

    def _of(self, competitions: Iterable[int]) -> Flags:
        flags: Flags = np.isin(self.of.competition, list(competitions))
        return flags

    def _held(self, women: bool) -> Integers:
        """The level held before, an open title being above the women's title of its level."""
        if women:
            return np.maximum(self.people.title, self.people.women_title)
        return self.people.title

    def _full(self, value: int) -> Integers:
        return np.broadcast_to(np.int64(value), len(self.people))

    def _above(
        self, article: str, pairs: Iterable[tuple[int, int]], below: dict[int, Integers]
    ) -> tuple[Condition, ...]:
        """One condition: so many persons of one level or, where there are two pairs, of the other."""
        asks, found, met = {}, {}, []
        for level, number in pairs:
            name = LEVELS[level].lower()
            asks[name], found[name] = self._full(number), below[level]
            met.append(below[level] >= number)
        code = "above." + "_".join(asks)
        return (Condition(code, article, np.logical_or.reduce(met), asks, found),)

    def _places(self) -> tuple[Integers, Integers, Integers]:
        """Rows by tournament and place; where in that order those with a later place begin and end, for each row."""
        people = self.people
        most = int(people.place.max(initial=0)) + 1
        key = people.tournament * most + people.place
        order = np.argsort(key, kind="stable")
        rising = key[order]
        later = np.searchsorted(rising, key, side="right")
        return order, later, np.searchsorted(rising, (people.tournament + 1) * most, side="left")

    def _finished_above(self, titled: Flags) -> Integers:
        """How many persons with the flag have a later final place in the same tournament (R37)."""
        until = np.concatenate([[0], np.cumsum(titled[self.order])])
        return np.where(self.people.place > 0, until[self.end] - until[self.later], 0)


def _is_event(award: PlaceAward, of: TournamentColumns, participants: Integers) -> Flags:
    """The tournaments of a line of X-1, open ones and those of women."""
    if award.national:
        event = _is_national(of)
    else:
        event = np.isin(of.competition, [COMPETITIONS.index(name) for name in award.competitions])
        event &= np.logical_or.reduce([_is_of_age(of, age) for age in award.ages])
    least, most = award.participants
    event &= (participants >= least) & ((participants <= most) | (most == 0))
    flags: Flags = event & np.isin(of.discipline, award.disciplines)
    return flags


def decisive_places(parameters: Parameters, of: TournamentColumns, participants: int) -> frozenset[int]:
    """The places n of one tournament that bring more than n + 1 does (art. 3, X-1, 4.5.11.1; R52).

    ``of`` has one row. The first place is decisive where any place brings a title or a norm: it is the champion's.
    """
    kind = "women" if of.women_only[0] else "open"
    places = {0}
    if of.system[0] != SYSTEMS.index("teams"):
        for award in parameters.place_awards:
            if kind in award.events and _is_event(award, of, np.array([participants]))[0]:
                first, last = award.places
                places |= {1, first - 1, last}
    return frozenset(places - {0})


def _is_national(of: TournamentColumns) -> Flags:
    """The final of a national championship, not of youth or veterans, not of teams (R37, decision 0046)."""
    final: Flags = is_national_final(of) & is_senior(of) & (of.system != SYSTEMS.index("teams"))
    return final


def _is_of_age(of: TournamentColumns, age: str) -> Flags:
    if age == "senior":
        return is_senior(of)
    veterans = age == "veterans"
    of_age = of.age == AGES.index("" if veterans else age)
    flags: Flags = of_age & (of.veterans == veterans)
    return flags


def titles_by_place(given: Input, examination: PlaceExamination) -> ClaimColumns:
    """The automatic titles: of each player the highest open and the highest women's one, above that held
    (R37d).

    A title that several articles give has a row for each of them.
    """
    found = examination.found.rows(~examination.found.is_norm & examination.found.met)
    people = given.participations.rows(found.participation)
    women = found.title >= len(LEVELS) - 1
    level = title_level(found.title)
    held = np.where(women, np.maximum(people.title, people.women_title), people.title)
    group = found.participation * 2 + women
    highest = np.zeros(2 * len(given.participations), np.int64)
    np.maximum.at(highest, group, level)
    return found.rows((level > held) & (level == highest[group]))


@dataclass(frozen=True, eq=False)
class AllNormColumns(Columns):
    """One row per norm, a title once for each participation (R37): by result, by place, or both.

    ``games`` are the games it brings; ``by_result`` says that the result alone gives it; ``claim`` is the row
    of ``PlaceExamination.found`` that gives it, ``NO_CLAIM`` for none. Norms that need a won game ignored are
    not among them.
    """

    participation: Integers
    title: Integers
    red: Flags
    games: Integers
    by_result: Flags
    claim: Integers


def all_norms(norms: NormColumns, examination: Examination, places: PlaceExamination) -> AllNormColumns:
    """All norms, by result and by place: one per tournament and title, red where one of them is (R37).

    An automatic norm is listed alone, without those of lower levels (R37d).
    """
    found, result = places.found, norms.ignored_game == NO_GAME
    automatic = np.flatnonzero(found.is_norm & found.met)
    participation = np.concatenate([norms.participation[result], found.participation[automatic]])
    title = np.concatenate([norms.title[result], found.title[automatic]])
    red = np.concatenate([norms.red[result], found.red[automatic]])
    claim = np.concatenate([np.full(int(result.sum()), NO_CLAIM), automatic])
    order = np.lexsort((claim, _rank(title), participation))
    participation, title, red, claim = participation[order], title[order], red[order], claim[order]
    new = np.diff(participation * (title.max(initial=0) + 1) + title, prepend=-1) != 0
    start = np.flatnonzero(new)
    if not start.size:
        return AllNormColumns.joined([])
    return AllNormColumns(
        participation=participation[start],
        title=title[start],
        red=np.logical_or.reduceat(red, start),
        games=examination.groups.counts.games[participation[start]],
        by_result=claim[start] == NO_CLAIM,
        claim=np.maximum.reduceat(claim, start),
    )


def _rank(title: Integers) -> Integers:
    """Open titles first, the highest first."""
    size = len(LEVELS) - 1
    return title // size * size + size - 1 - title % size


def cmf_by_rating(
    parameters: Parameters, rating: Integers, games: Integers, sex: Integers
) -> tuple[Condition, Condition]:
    """CMF and CMFF by a rating on any published classical list of the discipline (art. 3.11.5, R37c).

    By player: ``rating`` the highest on a list, ``games`` the counted games in all, ``sex`` a code of
    ``SEXES``. A title that is not above the one held is not listed (R37d).
    """
    size = np.asarray(rating).size
    found = {"rating": rating, "games": games}
    conditions = []
    for women, least_rating in ((False, parameters.cmf_rating), (True, parameters.cmf_rating_women)):
        met = (rating >= least_rating) & (games >= parameters.cmf_rating_games)
        asks = {"rating": np.full(size, least_rating), "games": np.full(size, parameters.cmf_rating_games)}
        conditions.append(
            Condition("cmf_rating", "3.11.5", met & ((sex == WOMAN) | (not women)), asks, found)
        )
    return conditions[0], conditions[1]
