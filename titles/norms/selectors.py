"""Norms as pages show them: those of drafts, one with its evidence, and those of a player or a tournament."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Count, Exists, Max, OuterRef, Prefetch, Q, QuerySet

from ratings.federations.registry import edition_in_force, rating_system
from ratings.models import RatingList
from ratings.queries.counted_results import published_lines
from reporting.models import Game, Player, ResultSet, TournamentDecision
from reporting.reports.decisions.selectors import ItemState, item_states, tournaments_with_titles
from reporting.rules.details.decided_items import COUNCIL, council_items
from titles.federations.registry import edition_for_pool, rules_of_titles
from titles.models import Norm, NormDecision
from titles.queries.ledgers import counts
from titles.queries.norms import (
    DECIDED,
    TO_DECIDE,
    confirmed_norms,
    counting_norms,
    newest_revisions,
    undecided_norms,
    with_decision,
)
from titles.queries.search_norms import DecidedNorm, norms_by_decisions
from titles.rules.met_opponents import unpacked
from titles.rules.requirement import Requirement

DRAFT_STATES = (
    RatingList.State.CALCULATED,
    RatingList.State.NORMS_SEARCHED,
    RatingList.State.READY,
    RatingList.State.APPROVED,
)


@dataclass(frozen=True)
class ShownNorm:
    """A norm with its decisions, the newest first: that one counts."""

    norm: Norm
    decisions: Sequence[NormDecision] = ()

    @property
    def decision(self) -> NormDecision | None:
        return self.decisions[0] if self.decisions else None

    @property
    def is_open(self) -> bool:
        """Whether the title council must decide it still."""
        return self.norm.is_needed and self.norm.origin in DECIDED and not self.decisions

    @property
    def may_be_decided(self) -> bool:
        return self.norm.origin != Norm.Origin.NEAR_MISS

    @property
    def category(self) -> str:
        return rules_of_titles(self.norm.list.system).categories[self.norm.category or 0]

    @property
    def requirements(self) -> Sequence[Requirement]:
        return self.norm.requirements

    @property
    def unmet(self) -> list[Requirement]:
        """The requirements that its colour asks and that are not met."""
        return [row for row in self.requirements if not row.met and row.colour in ("", self.norm.colour)]


@dataclass(frozen=True)
class DraftNorms:
    """A draft with the numbers of its norms: to decide, decided, near misses."""

    draft: RatingList
    undecided: int
    decided: int
    near_misses: int


def drafts_with_norms() -> list[DraftNorms]:
    """The drafts that have norms, the oldest first. 1 query."""
    drafts = (
        RatingList.objects.filter(state__in=DRAFT_STATES)
        .filter(Exists(Norm.objects.filter(list=OuterRef("pk"))))
        .select_related("pool", "period")
        .annotate(
            to_decide=Count("norms", filter=Q(norms__in=Norm.objects.filter(TO_DECIDE)), distinct=True),
            open=Count("norms", filter=Q(norms__in=_open()), distinct=True),
            missed=Count("norms", filter=Q(norms__in=Norm.objects.filter(FILTERS["near"])), distinct=True),
        )
        .order_by("in_force", "pk")
    )
    return [DraftNorms(one, one.open, one.to_decide - one.open, one.missed) for one in drafts]


def _open() -> QuerySet[Norm]:
    return Norm.objects.filter(TO_DECIDE, decisions=None)


FILTERS: dict[str, Any] = {
    "open": TO_DECIDE & Q(decisions=None),
    "decided": Q(decisions__isnull=False),
    "possible": Q(origin=Norm.Origin.ON_REQUEST, is_needed=True),
    "near": Q(origin=Norm.Origin.NEAR_MISS, is_needed=True),
    "unneeded": Q(origin=Norm.Origin.FOUND, is_needed=False),
    "all": Q(),
}
"""What a page of norms shows."""


def find_list(pool: str, in_force: date) -> RatingList | None:
    """The draft of a period; where there is none, its published list. 1 query."""
    states = (*DRAFT_STATES, RatingList.State.PUBLISHED)
    lists = RatingList.objects.filter(
        pool__code=pool, in_force=in_force, period__isnull=False, state__in=states
    )
    return lists.select_related("pool", "period__pool", "correction__replaces").order_by("-revision").first()


def norm_numbers(draft: RatingList) -> QuerySet[Norm, int]:
    """The numbers of all norms of a list. 1 query."""
    return Norm.objects.filter(list=draft).values_list("pk", flat=True)


def norms_of_draft(draft: RatingList, show: str) -> QuerySet[Norm]:
    """The norms of a list that a filter shows, by tournament and player. 2 queries with the decisions."""
    return (
        Norm.objects.filter(FILTERS[show], list=draft)
        .select_related("list", "player", "result_set", "ignored_game")
        .prefetch_related(_decisions(), "layout")
        .order_by("result_set__played_to", "result_set__number", "player__sort_name", "player_id", "pk")
        .distinct()
    )


def _decisions() -> "Prefetch[Any]":
    return Prefetch("decisions", NormDecision.objects.select_related("by").order_by("-pk"))


def shown(norms: Sequence[Norm]) -> list[ShownNorm]:
    """Norms with the decisions read with them."""
    return [ShownNorm(norm, list(norm.decisions.all())) for norm in norms]


@dataclass(frozen=True)
class NormCounts:
    """How many norms a draft has, to decide and confirmed among them."""

    total: int
    undecided: int
    confirmed: int


def counts_of(draft: RatingList) -> NormCounts:
    """The numbers of a draft's norms. 1 query."""
    norms = with_decision(Norm.objects.filter(list=draft))
    numbers = norms.aggregate(
        total=Count("pk"),
        undecided=Count("pk", filter=TO_DECIDE & Q(confirmed=None)),
        number_confirmed=Count("pk", filter=Q(confirmed=True, is_needed=True)),
    )
    return NormCounts(numbers["total"], numbers["undecided"], numbers["number_confirmed"])


def filter_counts(draft: RatingList) -> dict[str, int]:
    """How many norms of a draft each filter shows. 1 query."""
    counts = {show: Count("pk", filter=found, distinct=True) for show, found in FILTERS.items()}
    return Norm.objects.filter(list=draft).aggregate(**counts)


def undecided_total() -> int:
    """How many norms of all drafts wait for a decision. 1 query."""
    return _open().filter(list__state__in=DRAFT_STATES).count()


def find_norm(number: int) -> ShownNorm:
    """A norm by its number, of a list of any state. 2 queries. Raises `Norm.DoesNotExist`."""
    norm = (
        Norm.objects.select_related(
            "player", "result_set", "list__pool", "list__period__pool", "list__correction__replaces",
            "ignored_game", "claimed_by",
        )
        .prefetch_related(_decisions(), "layout")
        .get(pk=number)
    )  # fmt: skip
    return shown([norm])[0]


@dataclass(frozen=True)
class Opponent:
    """An opponent met: as of the day of the first round, with the points scored against them."""

    round: int
    player: Player
    federation: str
    title: str
    rating: int
    points: int
    is_ignored: bool


def opponents_of(norm: Norm) -> list[Opponent]:
    """The opponents that a norm is made of, as they were when its list was calculated, by round. 2 queries."""
    stored = list(unpacked(norm.opponents))
    games = Game.objects.in_bulk([met.game for met in stored])
    players = Player.objects.in_bulk([met.player for met in stored])
    found = [
        Opponent(
            games[met.game].round,
            players[met.player],
            np.base_repr(met.federation, 36) if met.federation else "",
            np.base_repr(met.title, 36) if met.title else "",
            met.rating,
            met.points,
            met.game == norm.ignored_game_id,
        )
        for met in stored
    ]
    return sorted(found, key=lambda met: met.round)


NEAR_MISSES_SHOWN = 40


def _published() -> QuerySet[Norm]:
    """Norms, confirmed or not, of the newest published revisions of lists, with all that a page says about them."""
    return (
        Norm.objects.filter(list__in=newest_revisions())
        .select_related("player", "result_set", "list__pool", "ignored_game")
        .prefetch_related(_decisions())
    )


def _is_public(found: ShownNorm) -> bool:
    if found.norm.origin == Norm.Origin.NEAR_MISS:
        return found.norm.is_needed
    return counts(found.norm)


def published_norms(results: Sequence[int]) -> list[ShownNorm]:
    """The confirmed norms of a tournament on the newest published revisions of its lists, by player. 2 queries.

    `results` are the keys of its result sets, one a part.
    """
    norms = _published().filter(pk__in=counting_norms().filter(result_set__in=results).values("pk"))
    return shown(list(norms.order_by("-list__in_force", "player__sort_name", "pk")))


def published_norm(number: int) -> ShownNorm:
    """A norm that counts or a near miss, by its number. 4 queries, up to 12 for one not needed. Raises
    `Norm.DoesNotExist`.
    """
    found = shown([_published().prefetch_related("layout").get(pk=number)])[0]
    if not _is_public(found):
        raise Norm.DoesNotExist
    return found


@dataclass(frozen=True)
class NearMisses:
    """The newest near misses of a player, and how many there are in all."""

    newest: Sequence[ShownNorm]
    total: int


def near_misses_of(records: Sequence[int]) -> NearMisses:
    """The near misses of the records (ids) of a player, the newest first. At most 3 queries."""
    found = Norm.objects.filter(FILTERS["near"], player__in=records, list__in=newest_revisions())
    newest = list(
        found.select_related("result_set")
        .prefetch_related("layout")
        .order_by("-list__in_force", "-result_set__played_to", "pk")[:NEAR_MISSES_SHOWN]
    )
    total = found.count() if len(newest) == NEAR_MISSES_SHOWN else len(newest)
    # No decision is made on a near miss.
    return NearMisses([ShownNorm(norm) for norm in newest], total)


@dataclass(frozen=True)
class NormChange:
    """A norm that is confirmed on only one of a revision and the list that it replaces."""

    norm: Norm
    is_added: bool
    is_undecided: bool = False
    """Of a draft that has the norm too, where it waits for the title council again."""


def norm_changes(revision: RatingList) -> list[NormChange]:
    """The norms that a revision, or its draft, adds to those of the list that it replaces or takes away, by player.

    The same norm has the same player, tournament (by code), title, kind and colour. 2 to 4 queries, 1 more where norms
    are not confirmed again.
    """

    def by_key(norms: QuerySet[Norm]) -> dict[tuple[Any, ...], Norm]:
        return {
            (norm.player_id, norm.result_set.code, norm.discipline, norm.title, norm.kind, norm.colour): norm
            for norm in norms.select_related("player", "result_set")
        }

    before, after = by_key(confirmed_norms(revision.replaced)), by_key(confirmed_norms(revision))
    gone = [(key, norm) for key, norm in before.items() if key not in after]
    waiting = by_key(undecided_norms(revision)) if gone else {}
    changes = [NormChange(norm, is_added=False, is_undecided=key in waiting) for key, norm in gone]
    changes += [NormChange(norm, is_added=True) for key, norm in after.items() if key not in before]
    return sorted(
        changes, key=lambda change: (change.norm.player.sort_name, change.norm.player_id, change.norm.pk)
    )


@dataclass(frozen=True)
class NormByDecision:
    """A norm that a correction would find or lose by decisions made since (R30d), with its player."""

    found: DecidedNorm
    player: Player

    @property
    def kind(self) -> str:
        return str(Norm.Kind(self.found.kind).label)


def norms_of_correction(rating_list: RatingList) -> list[NormByDecision]:
    """What the next revision of a published list would change by decisions made since. 1 query more than the search."""
    found = norms_by_decisions(rating_list)
    players = Player.objects.in_bulk({norm.player for norm in found})
    return [NormByDecision(norm, players[norm.player]) for norm in found]


def waiting_for_council() -> list[ItemState]:
    """The tournaments without a decision on the Council's approval, the latest first (R30d, R78).

    With an accepted report that no published list counts, and with tempo and rounds that norms ask. 4 queries.
    """
    counted = published_lines().filter(result_set__tournament=OuterRef("tournament"))
    decided = TournamentDecision.objects.filter(tournament=OuterRef("tournament"), item__in=council_items())
    open_ones = tournaments_with_titles().filter(~Exists(counted), ~Exists(decided))
    candidates = [
        tournament
        for tournament in open_ones.annotate(last=Max("rounds__number")).order_by("-played_to", "-number")
        if _may_bring_norms(tournament, tournament.last or 0)
    ]
    states = item_states(candidates)
    return [
        state
        for tournament in candidates
        for state in states[tournament.pk]
        if state.declared.decided_by == COUNCIL
    ]


def _may_bring_norms(tournament: ResultSet, rounds: int) -> bool:
    """Whether norms are possible in the tempo of one of its games, with so many rounds (R30)."""
    system = rating_system(tournament.rating_system)
    tempo_of = edition_in_force(system, tournament.played_from).tempo
    return any(
        edition is not None and rounds >= edition.least_rounds
        for seconds in tournament.seconds_of_games
        for edition in [edition_for_pool(system.code, tempo_of(seconds), tournament.played_to)]
    )
