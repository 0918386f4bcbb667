"""The norms and automatic titles of tournaments, and what is near one, each with its requirements."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from ratings.inputs.calculation_inputs import CalculationInputs, inputs_of_list
from ratings.inputs.in_force import lists_in_force, merges_in_force
from ratings.inputs.listed_ratings import ListedRatings
from ratings.inputs.result_columns import ResultColumns
from ratings.models import PeriodReport, Pool, RatingList
from ratings.queries.counted_results import inputs_of_next_list, lists_that_count
from ratings.queries.periods import pools_of
from reporting.models import PlayerMerge, ResultSet
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.selectors import decisions_in_force
from titles.federations.facet import NormSearch
from titles.federations.registry import edition_for_pool
from titles.models import Norm


def norms_of_inputs(inputs: CalculationInputs, claimed: Collection[int] | None = None) -> NormSearch | None:
    """The search for norms among what a list is calculated from; None where its pool brings none. 7 to 10 queries.

    Without the tournaments in which nothing can be found, where those with claims are named.
    """
    return _search(
        inputs.period.pool,
        inputs.results,
        inputs.lists,
        inputs.ratings,
        inputs.merges,
        inputs.decisions,
        claimed,
    )


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
    results = ResultColumns((tournament.pk,))
    if rating_list is None:
        rating_list = _list_with(tournament)
    if rating_list is not None:
        inputs = inputs_of_list(rating_list)
        return _search(
            rating_list.pool, results, inputs.lists, inputs.ratings, inputs.merges, inputs.decisions
        )
    for pool in pools_of(tournament):
        lists = lists_in_force(pool.pk)
        merges = merges_in_force(lists, [tournament.pk], ())
        search = _search(pool, results, lists, ListedRatings(pool.rating_system), merges, None)
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

    4 queries where nothing was decided since; else 1 more and 2 searches of these tournaments, 7 to 10 queries each.
    """
    if rating_list.period is None:
        return []
    inputs = inputs_of_list(rating_list)
    if inputs.decisions is None:
        return []
    now = list(decisions_in_force(inputs.tournaments).values_list("pk", "tournament_id"))
    before = set(inputs.decisions)
    changed = {tournament for decision, tournament in now if decision not in before}
    if not changed:
        return []
    of_changed = ResultSet.objects.filter(pk__in=inputs.tournaments, tournament__code__in=changed)
    results = ResultColumns(tuple(of_changed.order_by("pk").values_list("pk", flat=True)))
    found = [
        {
            (
                int(search.people.player[norm.participation]),
                int(search.tournaments[search.people.tournament[norm.participation]]),
                norm.title,
                norm.kind,
                norm.colour,
            )
            for norm in search.found
            if norm.origin == Norm.Origin.FOUND
        }
        for decisions in (inputs.decisions, [decision for decision, _ in now])
        for search in [
            _search(rating_list.pool, results, inputs.lists, inputs.ratings, inputs.merges, decisions)
        ]
        if search is not None
    ]
    if not found:
        return []
    without, with_them = found
    changes = [(row, False) for row in without - with_them] + [(row, True) for row in with_them - without]
    of = ResultSet.objects.in_bulk({tournament for (_, tournament, *_), _ in changes})
    decided = [
        DecidedNorm(player, of[tournament], title, kind, colour, is_added)
        for (player, tournament, title, kind, colour), is_added in changes
    ]
    return sorted(decided, key=lambda one: (one.tournament.code, one.player, one.title, one.colour))


def _list_with(tournament: ResultSet) -> RatingList | None:
    """The newest list with rules of titles that counts a tournament: a draft before the list that it replaces."""
    lists = lists_that_count(PeriodReport.objects.filter(result_set=tournament)).order_by("-pk")
    for found in lists.exclude(state=RatingList.State.SUPERSEDED).select_related(
        "pool", "period__pool", "correction__replaces"
    ):
        if edition_for_pool(found.system, found.pool.tempo, found.closing):
            return found
    return None


def _search(  # noqa: PLR0917
    pool: Pool,
    results: ResultColumns,
    lists: Sequence[RatingList],
    ratings: ListedRatings,
    merges: Sequence[PlayerMerge],
    decisions: Sequence[int] | None,
    claimed: Collection[int] | None = None,
) -> NormSearch | None:
    """By these decisions; None for those in force now."""
    system = pool.rating_system
    if not lists:
        return None
    edition = edition_for_pool(system.code, pool.tempo, lists[-1].in_force)
    if edition is None:
        return None
    return edition.find_norms(
        results=results,
        lists=lists,
        ratings=ratings,
        system=system,
        tempo=pool.tempo,
        persons={merge.duplicate_id: merge.surviving_id for merge in merges},
        decisions=(
            list(decisions_in_force(results.result_sets).values_list("pk", flat=True))
            if decisions is None
            else decisions
        ),
        claimed=claimed,
    )
