"""The norms and automatic titles of tournaments, and what is near one, each with its requirements (Annex 10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np

from ratings.federations.columns import Columns, Flags, Integers
from ratings.inputs.calculation_inputs import (
    CalculationInputs,
    inputs_of_list,
    lists_in_force,
    merges_in_force,
)
from ratings.models import PeriodReport, Pool, RatingList
from ratings.office.selectors.forecast import inputs_of_next_list
from ratings.queries.periods import pools_of
from reporting.models import PlayerMerge, ResultSet, TournamentDecision
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.selectors import decisions_in_force
from titles.federations.fmjd.rules.columns import LEVELS, TITLES, title_level
from titles.federations.fmjd.rules.norms import (
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
from titles.federations.registry import title_rules
from titles.models import Norm
from titles.norms.read_input import NormInput, read_norm_input
from titles.rules.requirement import Condition, Requirement, requirements_of_group

KINDS = (Norm.Kind.RESULT, Norm.Kind.PLACE, Norm.Kind.TITLE)
ORIGINS = (Norm.Origin.FOUND, Norm.Origin.ON_REQUEST, Norm.Origin.NEAR_MISS)
COLOURS = (Norm.Colour.BLACK, Norm.Colour.RED, Norm.Colour.NONE)
RESULT, PLACE, TITLE = range(3)
FOUND, ON_REQUEST, NEAR_MISS = range(3)
NO_COLOUR = COLOURS.index(Norm.Colour.NONE)
OPEN_TITLES = len(LEVELS) - 1
"""Titles of `TITLES` from here on are women's titles."""


@dataclass(frozen=True)
class Evidence:
    """What a group of opponents gives a norm by result: Rm, category, points asked and scored, games (art. 4.3)."""

    average_rating: int
    category: int
    points_asked: int
    points_scored: int
    games: int


@dataclass(frozen=True, eq=False)
class FoundNorm:
    """A norm, an automatic title or a near miss of one participation; `evidence` of norms by result only.

    `ignored_game` is the row of the won game that it needs ignored (art. 4.5.2, R36).
    """

    participation: int
    title: str
    kind: Norm.Kind
    origin: Norm.Origin
    colour: Norm.Colour
    games: int
    evidence: Evidence | None
    ignored_game: int | None
    conditions: tuple[Condition, ...]
    group: int

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """What was asked and found."""
        return requirements_of_group(self.conditions, self.group)


@dataclass(frozen=True, eq=False)
class FoundColumns(Columns):
    """One row per norm, automatic title or near miss, by participation, then the higher title first.

    `title` is a code of `TITLES`; `kind`, `origin` and `colour` are places in `KINDS`, `ORIGINS` and `COLOURS`.
    The points, Rm and category are 0 but of norms by result. `ignored_game` is a row of the games or `NO_GAME`.
    `asked` is a place in `NormSearch.asked`, `group` the row in the columns of these conditions.
    """

    participation: Integers
    title: Integers
    kind: Integers
    origin: Integers
    colour: Integers
    games: Integers
    points_scored: Integers
    points_asked: Integers
    average_rating: Integers
    category: Integers
    ignored_game: Integers
    asked: Integers
    group: Integers


@dataclass(frozen=True, eq=False)
class NormSearch:
    """Tournaments examined by one edition: what was found, and the conditions that each row was decided by."""

    parameters: Parameters
    read: NormInput
    examination: Examination
    places: PlaceExamination
    columns: FoundColumns
    asked: tuple[tuple[Condition, ...], ...]

    @cached_property
    def found(self) -> tuple[FoundNorm, ...]:
        """What was found, one by one; in the order of participations, then of titles."""
        columns = (getattr(self.columns, name).tolist() for name in FoundColumns.__dataclass_fields__)
        return tuple(
            FoundNorm(
                participation,
                TITLES[title],
                KINDS[kind],
                ORIGINS[origin],
                COLOURS[colour],
                games,
                Evidence(average_rating, category, points_asked, points_scored, games)
                if kind == RESULT
                else None,
                None if ignored_game == NO_GAME else ignored_game,
                self.asked[asked],
                group,
            )
            for (
                participation, title, kind, origin, colour, games, points_scored, points_asked, average_rating,
                category, ignored_game, asked, group,
            ) in zip(*columns, strict=True)
        )  # fmt: skip


def norms_of_inputs(inputs: CalculationInputs) -> NormSearch | None:
    """The search for norms among what a list is calculated from; None where its pool brings none. 9 queries."""
    return _search(inputs.period.pool, inputs.tournaments, inputs.lists, inputs.merges, inputs.decisions)


def norms_of_list(rating_list: RatingList) -> NormSearch | None:
    """The search for norms in the tournaments of a list, as it was calculated. 12 or 13 queries."""
    return norms_of_inputs(inputs_of_list(rating_list))


def norms_of_period(pool: Pool, closing: date) -> NormSearch | None:
    """The search for norms in a period: of its newest list, else of what its list would count now.

    Raises DomainError `no_period`.
    """
    period = pool.periods.filter(closing=closing).select_related("pool").first()
    if period is None:
        raise DomainError("no_period", closing=closing, pool=pool.code)
    newest = (
        RatingList.objects.filter(period=period)
        .exclude(state=RatingList.State.SUPERSEDED)
        .order_by("-revision", "-pk")
        .first()
    )
    return norms_of_list(newest) if newest else norms_of_inputs(inputs_of_next_list(period))


def norms_of_tournament(tournament: ResultSet, rating_list: RatingList | None = None) -> NormSearch | None:
    """The search for norms in one accepted tournament; None where it has no pool with rules of titles.

    By the lists and merges that `rating_list` used, by default the newest list that counts it; else by those in force
    now. 13 to 21 queries.
    """
    if rating_list is None:
        rating_list = _list_with(tournament)
    if rating_list is not None:
        inputs = inputs_of_list(rating_list)
        return _search(rating_list.pool, [tournament.pk], inputs.lists, inputs.merges, inputs.decisions)
    for pool in pools_of(tournament):
        lists = lists_in_force(pool.pk)
        merges = merges_in_force(lists, [tournament.pk], ())
        search = _search(pool, [tournament.pk], lists, merges, None)
        if search is not None:
            return search
    return None


@dataclass(frozen=True)
class DecidedNorm:
    """A norm or title that the decisions of now give and those that a list counts do not, or the other way round."""

    player: int
    tournament: ResultSet
    title: str
    kind: str
    colour: str
    is_added: bool


def norms_by_decisions(rating_list: RatingList) -> list[DecidedNorm]:
    """What a correction of a published list would change by decisions made since: found, to be confirmed (R30d, R78).

    5 queries where nothing was decided since; else 2 searches of these tournaments, 9 queries each.
    """
    if rating_list.period is None:
        return []
    inputs = inputs_of_list(rating_list)
    before = {(one.tournament.code, one.item): one.pk for one in inputs.decisions or ()}
    now = decisions_in_force(inputs.tournaments)
    changed = {one.tournament.code for one in now if before.get((one.tournament.code, one.item)) != one.pk}
    if inputs.decisions is None or not changed:
        return []
    tournaments = list(
        ResultSet.objects.filter(pk__in=inputs.tournaments, code__in=changed).values_list("pk", flat=True)
    )
    found = [
        {
            (
                int(search.read.given.participations.player[norm.participation]),
                search.read.tournaments[int(search.read.given.participations.tournament[norm.participation])],
                norm.title,
                norm.kind,
                norm.colour,
            )
            for norm in search.found
            if norm.origin == Norm.Origin.FOUND
        }
        for decisions in (inputs.decisions, now)
        for search in [_search(rating_list.pool, tournaments, inputs.lists, inputs.merges, decisions)]
        if search is not None
    ]
    if not found:
        return []
    without, with_them = found
    changes = [(row, False) for row in without - with_them] + [(row, True) for row in with_them - without]
    return [
        DecidedNorm(*row, is_added=is_added)
        for row, is_added in sorted(
            changes, key=lambda one: (one[0][1].code, one[0][0], one[0][2], one[0][4])
        )
    ]


def _list_with(tournament: ResultSet) -> RatingList | None:
    """The newest list with rules of titles that counts a tournament: a draft before the list that it replaces."""
    lines = PeriodReport.objects.filter(result_set=tournament).values_list("period", "correction")
    for period, correction in lines.order_by("-pk"):
        found = (
            RatingList.objects.filter(period=period, correction=correction)
            .exclude(state=RatingList.State.SUPERSEDED)
            .select_related("pool", "period__pool", "correction__replaces")
            .first()
        )
        if found and title_rules(found.system, found.pool.tempo, found.closing):
            return found
    return None


def _search(
    pool: Pool,
    tournaments: Sequence[int],
    lists: Sequence[RatingList],
    merges: Sequence[PlayerMerge],
    decisions: Sequence[TournamentDecision] | None,
) -> NormSearch | None:
    """By these decisions; None for those in force now."""
    system = pool.rating_system
    if not lists:
        return None
    parameters = title_rules(system.code, pool.tempo, lists[-1].in_force)
    if parameters is None:
        return None
    read = read_norm_input(
        tournaments=tournaments,
        lists=lists,
        system=system,
        tempo=pool.tempo,
        persons={merge.duplicate_id: merge.surviving_id for merge in merges},
        decisions=decisions_in_force(tournaments) if decisions is None else decisions,
    )
    return find_norms(parameters, read)


def find_norms(parameters: Parameters, read: NormInput) -> NormSearch:
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
    asked = (
        *(examination.conditions.get(title, ()) for title in range(len(TITLES))),
        *(without.conditions.get(title, ()) for title in range(len(TITLES))),
        *(claim.conditions for claim in places.claims),
    )
    return NormSearch(parameters, read, examination, places, _each_once(found), asked)


IGNORING = len(TITLES)
CLAIMS = 2 * len(TITLES)
"""Where in `NormSearch.asked` the conditions with a game ignored begin, and those of articles about places."""


def _each_once(found: FoundColumns) -> FoundColumns:
    """By participation, the higher title first; of rows of one title, kind, origin and colour the first."""
    found = found.rows(np.lexsort((-title_level(found.title), found.participation)))
    key = found.participation
    for column, size in (
        (found.title, len(TITLES)), (found.kind, len(KINDS)), (found.origin, len(ORIGINS)),
        (found.colour, len(COLOURS)),
    ):  # fmt: skip
        key = key * size + column
    _, first = np.unique(key, return_index=True)
    return found.rows(np.sort(first))


def evidence(examination: Examination, group: int, title: int) -> Evidence:
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
    asked: Integers,
    group: Integers,
    origin: int,
    red: Flags,
    ignored_game: Integers | None = None,
) -> FoundColumns:
    """Norms by result with their evidence; `asked` are the titles whose conditions decided them."""
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
        points_asked=measured[asked, group],
        average_rating=rm[asked, group],
        category=category[asked, group],
        ignored_game=np.full(title.size, NO_GAME) if ignored_game is None else ignored_game,
        asked=asked + (IGNORING if origin == ON_REQUEST else 0),
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
    asked = np.where(through, _open_title(result.title), result.title)
    place = norms.rows(~norms.by_result)
    kind = np.full(len(place), PLACE)
    both = FoundColumns.joined(
        [
            _by_result(
                examination,
                result.participation,
                result.title,
                asked,
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
    asked = np.where(norms.open_norm, _open_title(norms.title), norms.title)
    return _by_result(
        without,
        norms.participation,
        norms.title,
        asked,
        group,
        ON_REQUEST,
        norms.red,
        norms.ignored_game,
    )


def _colours_given(examination: Examination, norms: AllNormColumns) -> Integers:
    """By participation and title: -1 without a norm, 0 for a black one, 1 for a red one."""
    given = np.full((len(examination.men), len(TITLES)), -1)
    given[norms.participation, norms.title] = norms.red
    return given


def _near_misses_by_result(
    examination: Examination, by_result: NormColumns, norms: AllNormColumns
) -> FoundColumns:
    """What exactly one requirement prevents, by result; not what another article gives."""
    given = _colours_given(examination, norms)
    missed = near_misses(examination, by_result)
    missed = missed.rows(given[missed.participation, missed.title] < missed.red)
    # The open norm of a woman is her women's norm too (R33a): a sex to be asked for changes nothing then.
    through = given[missed.participation, _open_title(missed.title)] >= 0
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
    """What exactly one requirement prevents, by place; not what another article gives, no title below one held."""
    people, claims = read.given.participations, places.found
    given = _colours_given(examination, norms) >= 0
    best = titles_by_place(read.given, places)
    titles = np.zeros(given.shape, bool)
    titles[best.participation, best.title] = True
    # An open title is above the women's title of its level (R37d).
    held = np.where(
        claims.title >= OPEN_TITLES,
        np.maximum(people.title, people.women_title)[claims.participation],
        people.title[claims.participation],
    )
    has = np.where(
        claims.is_norm,
        given[claims.participation, claims.title],
        titles[claims.participation, claims.title] | (title_level(claims.title) <= held),
    )
    row = np.flatnonzero((claims.unmet == 1) & ~has)
    is_norm = claims.is_norm[row]
    kind = np.where(is_norm, PLACE, TITLE)
    colour = np.where(is_norm, claims.red[row], NO_COLOUR)
    return _by_place(examination, places, row, kind, NEAR_MISS, colour)


def _open_title(title: Integers) -> Integers:
    """The open titles of the same levels."""
    return title % OPEN_TITLES
