"""What is decided of tournaments that only the federation can say, and what waits for a decision (R78)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable

from reporting.federations.registry import all_report_rules, rules_of_report
from reporting.models import (
    Entry,
    Report,
    ResultSet,
    TournamentDecision,
    User,
    own_relations,
    relation_of,
)
from reporting.policies import new_accounts, reports_with_part_of
from reporting.rules.details.decided_items import (
    COUNCIL,
    NO,
    OVER_AGE,
    YES,
    decided_value,
    items_of,
    neutral_value,
)
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import DETAILS
from reporting.rules.register.titles import discipline_titles


def decisions_in_force(tournaments: Collection[int] | Combinable) -> QuerySet[TournamentDecision]:
    """The newest decision on each item of these tournaments (ids), whatever report it was made on, by code."""
    codes = ResultSet.objects.filter(pk__in=tournaments).values("tournament")
    return (
        TournamentDecision.objects.filter(tournament__in=codes)
        .order_by("tournament_id", "item", "-pk")
        .distinct("tournament_id", "item")
    )


def by_code(decisions: Iterable[TournamentDecision]) -> Mapping[str, Sequence[TournamentDecision]]:
    """Decisions by the code of their tournament."""
    found: dict[str, list[TournamentDecision]] = {}
    for decision in decisions:
        found.setdefault(decision.tournament_id, []).append(decision)
    return found


@dataclass(frozen=True)
class DecidedValues:
    """What counts of a tournament for norms and titles, by item. `admitted` are players over the age, by their ids."""

    values: Mapping[str, str]
    admitted: frozenset[int]


def decided_values(tournament: ResultSet, decisions: Iterable[TournamentDecision]) -> DecidedValues:
    """What is decided of a tournament; where nothing is, what needs no decision: the neutral values (R78).

    `decisions` are the newest ones on it. The level of a referee is that of the person it was decided of (R77a).
    """
    decided = {decision.item: decision for decision in decisions if decision.is_about(tournament)}
    values = {
        name: decided[name].value if name in decided else neutral_value(item)
        for name, item in items_of_tournament(tournament).items()
    }
    admitted = decided.get(OVER_AGE.name)
    return DecidedValues(values, admitted.players if admitted and admitted.value == YES else frozenset())


def items_of_tournament(tournament: ResultSet) -> Mapping[str, Detail]:
    """What is decided of tournaments of its federation."""
    return items_of(rules_of_report(tournament.rating_system, tournament.discipline).details)


def over_age(tournaments: Sequence[ResultSet]) -> dict[int, list[Entry]]:
    """The entries of players over the age of accepted youth tournaments, by tournament (R73a).

    Ages as on 31 December of the year of the last round; who has no year of birth is not over the age. 1 query, none
    without youth tournaments, and those of `ResultSet.details` of each.
    """
    of_limit: dict[int, list[int]] = {}
    for tournament in tournaments:
        oldest = tournament.details.oldest if tournament.youth_only else None
        if oldest is not None:
            of_limit.setdefault(tournament.played_to.year - oldest, []).append(tournament.pk)
    found: dict[int, list[Entry]] = {}
    if of_limit:
        beyond = Q()
        for first_year, keys in of_limit.items():
            beyond |= Q(result_set__in=keys, player__birth_year__lt=first_year)
        for entry in Entry.objects.filter(beyond).select_related("player").order_by("number"):
            found.setdefault(entry.result_set_id, []).append(entry)
    return found


@dataclass(frozen=True)
class ItemState:
    """One item of a tournament: what the report proposes, the newest decision, all decisions, whether it waits.

    `players` are the entries of players over the age. `decision` is None where the newest one is about another referee.
    """

    tournament: ResultSet
    item: str
    declared: Detail
    proposal: str
    decision: TournamentDecision | None
    history: Sequence[TournamentDecision]
    players: Sequence[Entry] = ()

    @property
    def of(self) -> str:
        """What it is decided of, if not of the tournament alone: the main referee whose level it is."""
        return getattr(self.tournament, self.declared.decided_of) if self.declared.decided_of else ""

    @property
    def about(self) -> str:
        """What a decision made now is about."""
        return self.of or " ".join(str(entry.player_id) for entry in self.players)

    @property
    def is_waiting(self) -> bool:
        """Whether the report proposes what only a decision makes count."""
        if self.item == OVER_AGE.name:
            known = self.decision.players if self.decision else frozenset()
            return not known.issuperset(entry.player_id for entry in self.players)
        return self.decision is None and self.proposal != neutral_value(self.declared)


def proposal_of(tournament: ResultSet, item: str) -> str:
    """What the report of a tournament says of an item. Queries as `ResultSet.own_details`."""
    if item == OVER_AGE.name:
        return NO
    return decided_value(getattr(tournament if item in DETAILS else tournament.own_details, item))


def item_states(tournaments: Sequence[ResultSet]) -> dict[int, list[ItemState]]:
    """Every item of these tournaments, by tournament; players over the age only where there are any.

    2 queries, and those of `ResultSet.own_details` of each.
    """
    codes = {tournament.code for tournament in tournaments}
    rows = TournamentDecision.objects.filter(tournament__code__in=codes).select_related("tournament", "by")
    history: dict[tuple[str, str], list[TournamentDecision]] = {}
    for decision in rows.order_by("-pk"):
        history.setdefault((decision.tournament.code, decision.item), []).append(decision)
    beyond = over_age(tournaments)
    return {
        tournament.pk: [
            ItemState(
                tournament,
                name,
                item,
                proposal_of(tournament, name),
                next((one for one in made[:1] if one.is_about(tournament)), None),
                made,
                beyond.get(tournament.pk, ()) if item is OVER_AGE else (),
            )
            for name, item in items_of_tournament(tournament).items()
            for made in [history.get((tournament.code, name), [])]
            if item is not OVER_AGE or tournament.pk in beyond or made
        ]
        for tournament in tournaments
    }


def tournaments_with_titles() -> QuerySet[ResultSet]:
    """The newest accepted report of each tournament whose rating system awards titles in its discipline, unordered.

    With the details of its federation.
    """
    with_titles = Q()
    for of_discipline in discipline_titles().values():
        with_titles |= Q(rating_system=of_discipline.awarded_by, discipline=of_discipline.discipline)
    newest = ResultSet.objects.filter(tournament=OuterRef("tournament"), reports__state=Report.State.ACCEPTED)
    return ResultSet.objects.select_related(*own_relations()).filter(
        with_titles,
        reports__state=Report.State.ACCEPTED,
        revision=Subquery(newest.order_by("-revision").values("revision")[:1]),
    )


def waiting_for_office() -> list[ItemState]:
    """What the office has to decide, by tournament: proposals, and players over the age. 3 queries."""
    proposing = Q(youth_only=True)
    for rules in all_report_rules():
        for name, item in items_of(rules.details).items():
            if item is not OVER_AGE and item.decided_by != COUNCIL:
                path = name if name in DETAILS else f"{relation_of(rules.details)}__{name}"
                proposing |= Q(**_something_in(path, item))
    tournaments = tournaments_with_titles().filter(proposing).order_by("-played_to", "-number")
    return [
        state
        for states in item_states(list(tournaments)).values()
        for state in states
        if state.is_waiting and state.declared.decided_by != COUNCIL
    ]


def _something_in(column: str, item: Detail) -> dict[str, object]:
    """The condition that a column proposes something."""
    if item.kind is Kind.YES_OR_NO:
        return {column: True}
    return {f"{column}__isnull": False} if item.kind is Kind.NUMBER_CHOICE else {f"{column}__gt": ""}


_for_council: list[Callable[[], list[ItemState]]] = []


def register_waiting_for_council(waiting: Callable[[], list[ItemState]]) -> None:
    """Let an app with rules of norms say which tournaments wait for the title council; once each."""
    if waiting not in _for_council:
        _for_council.append(waiting)


def waiting_for_council() -> list[ItemState]:
    """What the title council has to decide, by tournament. The queries are those of the apps that say so."""
    return [state for waiting in _for_council for state in waiting()]


def tournament_of(code: str) -> ResultSet | None:
    """The tournament of this code with its newest accepted report, else with its newest one. 1 query."""
    accepted = Report.objects.filter(result_set=OuterRef("pk"), state=Report.State.ACCEPTED)
    return (
        ResultSet.objects.filter(tournament__code=code)
        .select_related(*own_relations())
        .annotate(accepted=Subquery(accepted.values("pk")[:1]))
        .order_by(F("accepted").asc(nulls_last=True), "-revision")
        .first()
    )


def newest_of(tournament: ResultSet) -> Report | None:
    """The report of a tournament's row, the accepted one first. 1 query."""
    reports = tournament.reports.annotate(is_accepted=Q(state=Report.State.ACCEPTED)).select_related(
        "result_set"
    )
    return reports.order_by("-is_accepted", "-pk").first()


def is_of_tournament(report: int, code: str) -> bool:
    """Whether a report is of the tournament with this code. 1 query."""
    return Report.objects.filter(pk=report, result_set__tournament__code=code).exists()


def reported_by(user: User, tournaments: Sequence[ResultSet]) -> set[str]:
    """The codes of those tournaments in a report of which a user had a part, or which the user leaves to others.

    1 query.
    """
    codes = {tournament.code for tournament in tournaments}
    reports = Report.objects.filter(result_set__tournament__code__in=codes).annotate(
        accounts=new_accounts(user)
    )
    own = reports.filter(Q(pk__in=reports_with_part_of(user)) | ~Q(accounts=[]))
    return set(own.values_list("result_set__tournament__code", flat=True))
