"""What is decided of tournaments that only the federation can say, and what waits for a decision (R78)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from reporting.models import Entry, Report, ResultSet, TournamentDecision, User
from reporting.policies import new_accounts, reports_with_part_of
from reporting.rules.details.decided_items import NO, YES, DecidedItem
from reporting.rules.register.titles import title_sections
from reporting.rules.regulations.editions import oldest_of_youth


def decisions_in_force(tournaments: Collection[int]) -> tuple[TournamentDecision, ...]:
    """The newest decision on each item of these tournaments (ids), whatever report it was made on, by code. 1 query."""
    codes = ResultSet.objects.filter(pk__in=tournaments).values("tournament")
    return tuple(
        TournamentDecision.objects.filter(tournament__code__in=codes)
        .select_related("tournament")
        .order_by("tournament__code", "item", "-pk")
        .distinct("tournament__code", "item")
    )


def by_code(decisions: Iterable[TournamentDecision]) -> Mapping[str, Sequence[TournamentDecision]]:
    """Decisions by the code of their tournament."""
    found: dict[str, list[TournamentDecision]] = {}
    for decision in decisions:
        found.setdefault(decision.tournament.code, []).append(decision)
    return found


@dataclass(frozen=True)
class DecidedValues:
    """What counts of a tournament for norms and titles. `admitted` are players over the age, by their ids."""

    council_approved: bool
    official: bool
    competition: str
    world_cup_stars: int | None
    referee_level: str
    admitted: frozenset[int]


def decided_values(tournament: ResultSet, decisions: Iterable[TournamentDecision]) -> DecidedValues:
    """What is decided of a tournament; where nothing is, what needs no decision: the neutral values (R78).

    `decisions` are the newest ones on it. The level of a referee is that of the person it was decided of (R77a).
    """
    decided = {DecidedItem(decision.item): decision for decision in decisions}

    def value(item: DecidedItem) -> str:
        decision = decided.get(item)
        return decision.value if decision and decision.is_about(tournament.referee) else item.neutral

    admitted = decided.get(DecidedItem.OVER_AGE)
    stars = value(DecidedItem.WORLD_CUP_STARS)
    return DecidedValues(
        council_approved=value(DecidedItem.COUNCIL_APPROVED) == YES,
        official=value(DecidedItem.OFFICIAL) == YES,
        competition=value(DecidedItem.COMPETITION),
        world_cup_stars=int(stars) if stars else None,
        referee_level=value(DecidedItem.REFEREE_LEVEL),
        admitted=admitted.players if admitted and admitted.value == YES else frozenset(),
    )


def over_age(tournaments: Sequence[ResultSet]) -> dict[int, list[Entry]]:
    """The entries of players over the age of accepted youth tournaments, by tournament (R73a).

    Ages as on 31 December of the year of the last round; who has no year of birth is not over the age. 1 query, none
    without youth tournaments.
    """
    of_limit: dict[int, list[int]] = {}
    for tournament in tournaments:
        oldest = oldest_of_youth(
            tournament.youth, tournament.played_to, tournament.discipline, tournament.rating_system
        )
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
    item: DecidedItem
    proposal: str
    decision: TournamentDecision | None
    history: Sequence[TournamentDecision]
    players: Sequence[Entry] = ()

    @property
    def about(self) -> str:
        """What a decision made now is about."""
        if self.item is DecidedItem.REFEREE_LEVEL:
            return self.tournament.referee
        return " ".join(str(entry.player_id) for entry in self.players)

    @property
    def is_waiting(self) -> bool:
        """Whether the report proposes what only a decision makes count."""
        if self.item is DecidedItem.OVER_AGE:
            known = self.decision.players if self.decision else frozenset()
            return not known.issuperset(entry.player_id for entry in self.players)
        return self.decision is None and self.proposal != self.item.neutral


def proposal_of(tournament: ResultSet, item: DecidedItem) -> str:
    """What the report of a tournament says of an item."""
    if item is DecidedItem.OVER_AGE:
        return NO
    value = getattr(tournament, item)
    if isinstance(value, bool):
        return YES if value else NO
    return "" if value is None else str(value)


def item_states(tournaments: Sequence[ResultSet]) -> dict[int, list[ItemState]]:
    """Every item of these tournaments, by tournament; players over the age only where there are any. 2 queries."""
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
                item,
                proposal_of(tournament, item),
                next((one for one in made[:1] if one.is_about(tournament.referee)), None),
                made,
                beyond.get(tournament.pk, ()) if item is DecidedItem.OVER_AGE else (),
            )
            for item in DecidedItem
            for made in [history.get((tournament.code, item), [])]
            if item is not DecidedItem.OVER_AGE or tournament.pk in beyond or made
        ]
        for tournament in tournaments
    }


def tournaments_with_titles() -> QuerySet[ResultSet]:
    """The newest accepted report of each tournament whose rating system awards titles in its discipline, unordered."""
    sections = Q()
    for section in title_sections().values():
        sections |= Q(rating_system=section.awarded_by, discipline=section.section)
    newest = ResultSet.objects.filter(tournament=OuterRef("tournament"), reports__state=Report.State.ACCEPTED)
    return ResultSet.objects.filter(
        sections,
        reports__state=Report.State.ACCEPTED,
        revision=Subquery(newest.order_by("-revision").values("revision")[:1]),
    )


def waiting_for_office() -> list[ItemState]:
    """What the office has to decide, by tournament: proposals, and players over the age. 3 queries."""
    proposing = (
        Q(official=True)
        | ~Q(competition="")
        | Q(world_cup_stars__isnull=False)
        | ~Q(referee_level="")
        | ~Q(youth="")
    )
    tournaments = tournaments_with_titles().filter(proposing).order_by("-played_to", "-number")
    return [
        state
        for states in item_states(list(tournaments)).values()
        for state in states
        if state.is_waiting and state.item is not DecidedItem.COUNCIL_APPROVED
    ]


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
