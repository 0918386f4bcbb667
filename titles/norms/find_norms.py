"""The norms and automatic titles of tournaments, and what is near one, each with its requirements (Annex 10)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from ratings.inputs.calculation_inputs import (
    CalculationInputs,
    inputs_of_list,
    lists_in_force,
    merges_in_force,
)
from ratings.models import PeriodReport, Pool, RatingList
from ratings.office.selectors.forecast import inputs_of_next_list
from ratings.office.selectors.periods.periods import pools_of
from ratings.systems.columns import Integers
from reporting.models import PlayerMerge, Tournament
from reporting.refusals.domain_error import DomainError
from titles.models import Norm
from titles.norms.read_input import NormInput, read_norm_input
from titles.norms.title_rules import title_rules
from titles.rules.fmjd.columns import TITLES, is_women_title, title_code, title_level
from titles.rules.fmjd.norms import (
    BY_RESULT,
    NO_GAME,
    Examination,
    NormColumns,
    examine,
    examine_ignoring,
    found_norms,
    near_misses,
    requirements,
)
from titles.rules.fmjd.parameters import Parameters
from titles.rules.fmjd.places import (
    AllNormColumns,
    PlaceExamination,
    all_norms,
    examine_places,
    requirements_of_claim,
    titles_by_place,
)
from titles.rules.fmjd.requirement import Requirement

COLOURS = (Norm.Colour.BLACK, Norm.Colour.RED)


@dataclass(frozen=True)
class Evidence:
    """What a group of opponents gives a norm by result: Rm, category, points asked and scored, games (art. 4.3)."""

    average_rating: int
    category: int
    points_asked: int
    points_scored: int
    games: int


@dataclass(frozen=True)
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
    requirements: tuple[Requirement, ...]
    evidence: Evidence | None = None
    ignored_game: int | None = None


@dataclass(frozen=True, eq=False)
class NormSearch:
    """Tournaments examined by one edition. `found` is in the order of participations, then of titles."""

    parameters: Parameters
    read: NormInput
    examination: Examination
    places: PlaceExamination
    found: tuple[FoundNorm, ...]


def norms_of_inputs(inputs: CalculationInputs) -> NormSearch | None:
    """The search for norms among what a list is calculated from; None where its pool brings none. 8 queries."""
    return _search(inputs.period.pool, inputs.tournaments, inputs.lists, inputs.merges)


def norms_of_list(rating_list: RatingList) -> NormSearch | None:
    """The search for norms in the tournaments of a list, as it was calculated. 11 or 12 queries."""
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


def norms_of_tournament(tournament: Tournament, rating_list: RatingList | None = None) -> NormSearch | None:
    """The search for norms in one accepted tournament; None where it has no pool with rules of titles.

    By the lists and merges that `rating_list` used, by default the newest list that counts it; else by those in force
    now. 12 to 20 queries.
    """
    if rating_list is None:
        rating_list = _list_with(tournament)
    if rating_list is not None:
        inputs = inputs_of_list(rating_list)
        return _search(rating_list.pool, [tournament.pk], inputs.lists, inputs.merges)
    for pool in pools_of(tournament):
        lists = lists_in_force(pool.pk)
        merges = merges_in_force(lists, [tournament.pk], ())
        search = _search(pool, [tournament.pk], lists, merges)
        if search is not None:
            return search
    return None


def _list_with(tournament: Tournament) -> RatingList | None:
    """The newest list with rules of titles that counts a tournament: a draft before the list that it replaces."""
    lines = PeriodReport.objects.filter(tournament=tournament).values_list("period", "correction")
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
    pool: Pool, tournaments: Sequence[int], lists: Sequence[RatingList], merges: Sequence[PlayerMerge]
) -> NormSearch | None:
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
    )
    return find_norms(parameters, read)


def find_norms(parameters: Parameters, read: NormInput) -> NormSearch:
    """All norms and automatic titles, what a won game ignored would give, and near misses (art. 3 and 4).

    A near miss has exactly one requirement unmet. No query.
    """
    given = read.given
    examination = examine(parameters, given)
    places = examine_places(parameters, given, examination)
    by_result = found_norms(parameters, given, examination)
    norms = all_norms(by_result, examination, places)
    found = [
        *_achieved(parameters, read, examination, places, by_result, norms),
        *_near_misses(read, examination, places, by_result, norms),
    ]
    seen: dict[tuple[int, str, str, str, str], FoundNorm] = {}
    for norm in sorted(found, key=lambda norm: (norm.participation, -title_level(TITLES.index(norm.title)))):
        seen.setdefault((norm.participation, norm.title, norm.kind, norm.origin, norm.colour), norm)
    return NormSearch(parameters, read, examination, places, tuple(seen.values()))


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


def _achieved(  # noqa: PLR0917
    parameters: Parameters,
    read: NormInput,
    examination: Examination,
    places: PlaceExamination,
    by_result: NormColumns,
    norms: AllNormColumns,
) -> Iterator[FoundNorm]:
    """Norms by result and by place, automatic titles, and norms with a won game ignored."""
    open_norms = by_result.rows(by_result.open_norm)
    through_open = set(zip(open_norms.participation.tolist(), open_norms.title.tolist(), strict=True))
    for participation, title, red, games, is_result, claim in zip(
        norms.participation.tolist(), norms.title.tolist(), norms.red.tolist(), norms.games.tolist(),
        norms.by_result.tolist(), norms.claim.tolist(), strict=True,
    ):  # fmt: skip
        asked = _open_title(title) if (participation, title) in through_open else title
        yield FoundNorm(
            participation,
            TITLES[title],
            Norm.Kind.RESULT if is_result else Norm.Kind.PLACE,
            Norm.Origin.FOUND,
            COLOURS[red],
            games,
            requirements(examination, participation, asked)
            if is_result
            else requirements_of_claim(places, claim),
            evidence(examination, participation, asked) if is_result else None,
        )
    games_of = examination.groups.counts.games
    row_of = _claim_rows(places)
    titles = titles_by_place(read.given, places)
    for participation, claim, title in zip(
        titles.participation.tolist(), titles.claim.tolist(), titles.title.tolist(), strict=True
    ):
        yield FoundNorm(
            participation,
            TITLES[title],
            Norm.Kind.TITLE,
            Norm.Origin.FOUND,
            Norm.Colour.NONE,
            int(games_of[participation]),
            requirements_of_claim(places, row_of[participation, claim]),
        )
    on_request = by_result.rows(by_result.ignored_game != NO_GAME)
    without = examine_ignoring(parameters, read.given, examination, on_request)
    for group, (participation, title, red, games, ignored) in enumerate(
        zip(
            on_request.participation.tolist(),
            on_request.title.tolist(),
            on_request.red.tolist(),
            on_request.games.tolist(),
            on_request.ignored_game.tolist(),
            strict=True,
        )
    ):
        yield FoundNorm(
            participation,
            TITLES[title],
            Norm.Kind.RESULT,
            Norm.Origin.ON_REQUEST,
            COLOURS[red],
            games,
            requirements(without, group, title),
            evidence(without, group, title),
            ignored,
        )


def _near_misses(
    read: NormInput,
    examination: Examination,
    places: PlaceExamination,
    by_result: NormColumns,
    norms: AllNormColumns,
) -> Iterator[FoundNorm]:
    """What exactly one requirement prevents, by result or by place; not what another article gives."""
    given = dict(
        zip(
            zip(norms.participation.tolist(), norms.title.tolist(), strict=True),
            norms.red.tolist(),
            strict=True,
        )
    )
    games = examination.groups.counts.games
    missed = near_misses(examination, by_result)
    for participation, title, red in zip(
        missed.participation.tolist(), missed.title.tolist(), missed.red.tolist(), strict=True
    ):
        if (participation, title) in given and given[participation, title] >= red:
            continue
        # The open norm of a woman is her women's norm too (R33a): a sex to be asked for changes nothing then.
        if is_women_title(title) and (participation, _open_title(title)) in given:
            continue
        yield FoundNorm(
            participation,
            TITLES[title],
            Norm.Kind.RESULT,
            Norm.Origin.NEAR_MISS,
            COLOURS[red],
            int(games[participation]),
            requirements(examination, participation, title),
            evidence(examination, participation, title),
        )
    held = _held_levels(read)
    best = titles_by_place(read.given, places)
    titles = set(zip(best.participation.tolist(), best.title.tolist(), strict=True))
    claims = places.found
    for row in np.flatnonzero(~claims.met).tolist():
        participation, title = int(claims.participation[row]), int(claims.title[row])
        is_norm = bool(claims.is_norm[row])
        if (participation, title) in (given if is_norm else titles):
            continue
        if not is_norm and title_level(title) <= held[is_women_title(title)][participation]:
            continue
        asked = requirements_of_claim(places, row)
        if sum(not each.met for each in asked) == 1:
            yield FoundNorm(
                participation,
                TITLES[title],
                Norm.Kind.PLACE if is_norm else Norm.Kind.TITLE,
                Norm.Origin.NEAR_MISS,
                COLOURS[bool(claims.red[row])] if is_norm else Norm.Colour.NONE,
                int(games[participation]),
                asked,
            )


def _held_levels(read: NormInput) -> tuple[Integers, Integers]:
    """The level of the title held before, as open titles and as women's titles count it (R37d)."""
    people = read.given.participations
    return people.title, np.maximum(people.title, people.women_title)


def _open_title(title: int) -> int:
    return title_code(title_level(title), women=False)


def _claim_rows(places: PlaceExamination) -> dict[tuple[int, int], int]:
    """The row of each claim, by its participation and its article."""
    pairs = zip(places.found.participation.tolist(), places.found.claim.tolist(), strict=True)
    return {pair: row for row, pair in enumerate(pairs)}


def requirements_of_title(
    search: NormSearch, participation: int, title: str
) -> tuple[tuple[Requirement, ...], Evidence | None]:
    """The requirements of a title by result for one participation, with its evidence; none of a CMF, which is by place
    only (art. 4.5.11).
    """
    code = TITLES.index(title)
    if code not in BY_RESULT:
        return (), None
    return requirements(search.examination, participation, code), evidence(
        search.examination, participation, code
    )
