"""The search of Annex 10: norms and automatic titles, what a won game ignored would give, and near misses."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ratings.rules.columns import Flags, Integers
from titles.federations.facet import (
    FOUND,
    KINDS,
    NEAR_MISS,
    ON_REQUEST,
    ORIGINS,
    PLACE,
    RESULT,
    TITLE,
    Evidence,
    FoundColumns,
    FoundNorm,
    NormSearch,
    OpponentColumns,
    SearchedColumns,
    TitleEdition,
)
from titles.federations.fmjd.inputs import NormInput
from titles.federations.fmjd.rules.columns import CATEGORIES, COLOURS, LEVELS, TITLES, WOMAN, title_level
from titles.federations.fmjd.rules.groups import meetings_of
from titles.federations.fmjd.rules.norms import (
    BY_RESULT,
    NO_GAME,
    Examination,
    NormColumns,
    examine,
    examine_ignoring,
    found_norms,
    near_misses,
)
from titles.federations.fmjd.rules.parameters import Parameters
from titles.federations.fmjd.rules.places import (
    AllNormColumns,
    PlaceExamination,
    all_norms,
    examine_places,
    titles_by_place,
)
from titles.models import Norm

OPEN_TITLES = len(LEVELS) - 1
"""Titles of `TITLES` from here on are women's titles."""
NO_COLOUR = len(COLOURS)


@dataclass(frozen=True, eq=False)
class Annex10Search(NormSearch):
    """What was found by Annex 10; `examination` has every requirement of every participation."""

    examination: Examination

    def by_result(self, participation: int, title: str) -> FoundNorm:
        code = TITLES.index(title)
        conditions = self.examination.conditions.get(code, ())
        return FoundNorm(
            participation,
            title,
            Norm.Kind.RESULT,
            Norm.Origin.CLAIMED,
            "",
            int(self.examination.groups.counts.games[participation]),
            _evidence(self.examination, participation, code) if conditions else None,
            None,
            conditions,
            participation,
        )

    def examined(self, participation: int) -> Iterator[FoundNorm]:
        return (
            self.by_result(participation, TITLES[title])
            for title in BY_RESULT
            if self.examination.examined(title)[participation]
        )


def find_norms(edition: TitleEdition, parameters: Parameters, read: NormInput) -> Annex10Search:
    """All norms and automatic titles, what a won game ignored would give, and near misses (art. 3 and 4).

    A near miss has exactly one requirement unmet. No query.
    """
    examination = examine(parameters, read.given)
    places = examine_places(parameters, read.given, examination)
    by_result = found_norms(parameters, read.given, examination)
    norms = all_norms(by_result, examination, places)
    on_request = by_result.rows(by_result.ignored_game != NO_GAME)
    without = examine_ignoring(parameters, read.given, examination, on_request)
    found = FoundColumns.joined(
        [
            _norms(examination, places, by_result, norms),
            _titles(read, examination, places),
            _on_request(without, on_request),
            _near_misses_by_result(examination, by_result, norms),
            _near_misses_by_place(read, examination, places, norms),
        ]
    )
    condition_sets = (
        *(examination.conditions.get(title, ()) for title in range(len(TITLES))),
        *(without.conditions.get(title, ()) for title in range(len(TITLES))),
        *(claim.conditions for claim in places.claims),
    )
    people = read.given.participations
    return Annex10Search(
        edition,
        TITLES,
        (*COLOURS, ""),
        CATEGORIES,
        read.given.tournaments.tournament,
        [str(discipline) for discipline in read.given.tournaments.discipline.tolist()],
        # A woman's open norm counts on both ladders (R33a).
        SearchedColumns(
            read.entries,
            people.tournament,
            people.player,
            is_woman=people.sex == WOMAN,
            counts_on_ladders=people.sex == WOMAN,
        ),
        read.games,
        _opponents(read),
        read.federations,
        _each_once(found),
        condition_sets,
        examination,
    )


def _opponents(read: NormInput) -> OpponentColumns:
    """Each game played, of both players; an open title is shown before a women's one."""
    people = read.given.participations
    met = meetings_of(read.given.games)
    title, women_title = people.title[met.opponent], people.women_title[met.opponent]
    return OpponentColumns(
        participation=met.group,
        game=met.game,
        player=people.player[met.opponent],
        points=met.points,
        rating=people.rating[met.opponent],
        title=np.where((title > 0) | (women_title == 0), title, women_title + OPEN_TITLES),
        federation=people.federation[met.opponent],
    )


IGNORING = len(TITLES)
CLAIMS = 2 * len(TITLES)
"""Where in `asked` the conditions with a game ignored begin, and those of articles about places."""


def _each_once(found: FoundColumns) -> FoundColumns:
    """By participation, the higher title first; of rows of one title, kind, origin and colour the first."""
    found = found.rows(np.lexsort((-title_level(found.title), found.participation)))
    key = found.participation
    for column, size in (
        (found.title, len(TITLES)), (found.kind, len(KINDS)), (found.origin, len(ORIGINS)),
        (found.colour, NO_COLOUR + 1),
    ):  # fmt: skip
        key = key * size + column
    _, first = np.unique(key, return_index=True)
    return found.rows(np.sort(first))


def _evidence(examination: Examination, group: int, title: int) -> Evidence:
    """What a group gives a norm by result of a code of `TITLES` (art. 4.3)."""
    score, counts = examination.scores[title], examination.groups.counts
    return Evidence(
        int(score.rm[group]),
        int(score.category[group]),
        int(score.measured[group]),
        int(counts.points[group]),
        int(counts.games[group]),
    )


def _by_result(  # noqa: PLR0917
    examination: Examination,
    participation: Integers,
    title: Integers,
    deciding: Integers,
    group: Integers,
    origin: int,
    red: Flags,
    ignored_game: Integers | None = None,
) -> FoundColumns:
    """Norms by result with their evidence; `deciding` are the titles whose conditions decided them."""
    counts, size = examination.groups.counts, len(examination.groups.counts)
    rm, category, measured = np.zeros((3, len(TITLES), size), np.int64)
    for code, score in examination.scores.items():
        rm[code], category[code], measured[code] = score.rm, score.category, score.measured
    return FoundColumns(
        participation=participation,
        title=title,
        kind=np.full(title.size, RESULT),
        origin=np.full(title.size, origin),
        colour=red.astype(np.int64),
        games=counts.games[group],
        points_scored=counts.points[group],
        points_asked=measured[deciding, group],
        average_rating=rm[deciding, group],
        category=category[deciding, group],
        ignored_game=np.full(title.size, NO_GAME) if ignored_game is None else ignored_game,
        asked=deciding + (IGNORING if origin == ON_REQUEST else 0),
        group=group,
    )


def _by_place(  # noqa: PLR0917
    examination: Examination,
    places: PlaceExamination,
    claim: Integers,
    kind: Integers,
    origin: int,
    colour: Integers,
) -> FoundColumns:
    """Norms and titles by place; `claim` are rows of `PlaceExamination.found`."""
    found = places.found.rows(claim)
    none = np.zeros(claim.size, np.int64)
    return FoundColumns(
        participation=found.participation,
        title=found.title,
        kind=kind,
        origin=np.full(claim.size, origin),
        colour=colour,
        games=examination.groups.counts.games[found.participation],
        points_scored=none,
        points_asked=none,
        average_rating=none,
        category=none,
        ignored_game=np.full(claim.size, NO_GAME),
        asked=found.claim + CLAIMS,
        group=found.participation,
    )


def _norms(
    examination: Examination, places: PlaceExamination, by_result: NormColumns, norms: AllNormColumns
) -> FoundColumns:
    """Norms by result and by place, in the order of `norms`."""
    through_open = np.zeros((len(examination.men), len(TITLES)), bool)
    open_norms = by_result.rows(by_result.open_norm & (by_result.ignored_game == NO_GAME))
    through_open[open_norms.participation, open_norms.title] = True
    result = norms.rows(norms.by_result)
    through = through_open[result.participation, result.title]
    deciding = np.where(through, _open_title(result.title), result.title)
    place = norms.rows(~norms.by_result)
    kind = np.full(len(place), PLACE)
    both = FoundColumns.joined(
        [
            _by_result(
                examination,
                result.participation,
                result.title,
                deciding,
                result.participation,
                FOUND,
                result.red,
            ),
            _by_place(examination, places, place.claim, kind, FOUND, place.red.astype(np.int64)),
        ]
    )
    return both.rows(np.argsort(np.argsort(~norms.by_result, kind="stable")))


def _titles(read: NormInput, examination: Examination, places: PlaceExamination) -> FoundColumns:
    """Automatic titles."""
    titles = titles_by_place(read.given, places)
    claims = len(places.claims)
    # `found` is in the order of participations, then of articles.
    key = places.found.participation * claims + places.found.claim
    row = np.searchsorted(key, titles.participation * claims + titles.claim)
    kind, colour = np.full(row.size, TITLE), np.full(row.size, NO_COLOUR)
    return _by_place(examination, places, row, kind, FOUND, colour)


def _on_request(without: Examination, norms: NormColumns) -> FoundColumns:
    """Norms with a won game ignored (art. 4.5.2, R36)."""
    group = np.arange(len(norms))
    deciding = np.where(norms.open_norm, _open_title(norms.title), norms.title)
    return _by_result(
        without,
        norms.participation,
        norms.title,
        deciding,
        group,
        ON_REQUEST,
        norms.red,
        norms.ignored_game,
    )


def _norms_given(examination: Examination, norms: AllNormColumns) -> Flags:
    """By participation and title: whether there is a norm."""
    given = np.zeros((len(examination.men), len(TITLES)), bool)
    given[norms.participation, norms.title] = True
    return given


def _near_misses_by_result(
    examination: Examination, by_result: NormColumns, norms: AllNormColumns
) -> FoundColumns:
    """What exactly one requirement prevents, by result; not what another article gives.

    A norm by place is red where the group is (art. 4.4.1), so it never is what a red one lacks.
    """
    given = _norms_given(examination, norms)
    missed = near_misses(examination, by_result)
    missed = missed.rows(missed.red | ~given[missed.participation, missed.title])
    # The open norm of a woman is her women's norm too (R33a): a sex to be asked for changes nothing then.
    through = given[missed.participation, _open_title(missed.title)]
    missed = missed.rows(~(through & (missed.title >= OPEN_TITLES)))
    return _by_result(
        examination,
        missed.participation,
        missed.title,
        missed.title,
        missed.participation,
        NEAR_MISS,
        missed.red,
    )


def _near_misses_by_place(
    read: NormInput, examination: Examination, places: PlaceExamination, norms: AllNormColumns
) -> FoundColumns:
    """What exactly one requirement prevents, by place; no norm that another article gives, no title below one held.

    What prevents one title by place prevents it by each article that the player reaches.
    """
    people, claims = read.given.participations, places.found
    given = _norms_given(examination, norms)
    # An open title is above the women's title of its level (R37d).
    held = np.where(
        claims.title >= OPEN_TITLES,
        np.maximum(people.title, people.women_title)[claims.participation],
        people.title[claims.participation],
    )
    has = np.where(
        claims.is_norm,
        given[claims.participation, claims.title],
        title_level(claims.title) <= held,
    )
    row = np.flatnonzero((claims.unmet == 1) & ~has)
    is_norm = claims.is_norm[row]
    kind = np.where(is_norm, PLACE, TITLE)
    colour = np.where(is_norm, claims.red[row], NO_COLOUR)
    return _by_place(examination, places, row, kind, NEAR_MISS, colour)


def _open_title(title: Integers) -> Integers:
    """The open titles of the same levels."""
    return title % OPEN_TITLES
