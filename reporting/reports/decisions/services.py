"""The office and the title council decide what only the federation can say of a tournament (R78)."""

from collections.abc import Iterable

from django.db import transaction

from reporting.log.audit import Actor, record
from reporting.models import ResultSet, Tournament, TournamentDecision
from reporting.policies import check_can_decide_item, check_did_not_report
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.selectors import ItemState, item_states, tournament_of
from reporting.rules.details.decided_items import COUNCIL, NO, OVER_AGE, neutral_value, values_of

Chosen = tuple[str, str, str]
"""The code of a tournament, an item, the value decided."""


@transaction.atomic
def decide_tournaments(
    *, chosen: Iterable[Chosen], reason: str, by: Actor, seen: int | None = None
) -> list[TournamentDecision]:
    """Decide items of one tournament or of several, all or none; what is decided so already stays as it is.

    `seen` is the newest decision on them that the person saw, 0 for none: where a later one was made, nothing is
    decided. A reason is required where the decision refuses, or differs from the proposal or from an earlier decision.
    A list that is calculated later counts it; a published one needs a correction (R30d). Raises DomainError
    `decisions_missing`, `tournament_not_reported`, `decision_unknown`, `tournament_decided`, `reason_missing`,
    `decision_changes_nothing`, `own_report`, `forbidden`.
    """
    wanted: dict[tuple[str, str], str] = {(code, item): value for code, item, value in chosen}
    if not wanted:
        raise DomainError("decisions_missing")
    for item in {item for _, item in wanted}:
        check_can_decide_item(by.user, item, by_command=by.by_command)
    tournaments = _locked({code for code, _ in wanted})
    for tournament in tournaments.values():
        check_did_not_report(by.user, tournament)
    states = {
        (state.tournament.code, state.item): state
        for of_tournament in item_states(list(tournaments.values())).values()
        for state in of_tournament
    }
    made: list[tuple[TournamentDecision, ItemState]] = []
    for (code, item), value in wanted.items():
        state = states.get((code, item))
        if state is None and item == OVER_AGE.name:
            raise DomainError("decision_unknown.over_age", tournament=tournaments[code].name)
        known = values_of(state.declared) if state else ()
        if state is None or value not in known:
            raise DomainError("decision_unknown", found=value or item, known=", ".join(filter(None, known)))
        if seen is not None and any(decision.pk > seen for decision in state.history):
            raise DomainError("tournament_decided", tournament=state.tournament.name)
        before = state.decision
        if before is not None and (before.value, before.about) == (value, state.about):
            continue
        if not reason.strip() and _needs_reason(state, value):
            raise DomainError("reason_missing")
        decision = TournamentDecision(
            tournament_id=state.tournament.code,
            item=item,
            value=value,
            about=state.about,
            reason=reason.strip(),
            by=by.user,
        )
        made.append((decision, state))
    if not made:
        raise DomainError("decision_changes_nothing")
    for decision, state in made:
        decision.save()
        record(
            by=by,
            action="tournament.decide",
            subject=f"tournament {state.tournament.code}",
            before={decision.item: state.decision.value} if state.decision else {},
            after={decision.item: decision.value},
            reason=decision.reason,
        )
    return [decision for decision, _ in made]


def decide_as_proposed(tournament: ResultSet, by: Actor) -> list[TournamentDecision]:
    """Decide everything as the report of a tournament proposes it, in the transaction of its acceptance by command.

    Players over the age are not admitted by that. Raises as `decide_tournaments`.
    """
    chosen = [
        (tournament.code, state.item, state.proposal)
        for state in item_states([tournament])[tournament.pk]
        if state.is_waiting and state.item != OVER_AGE.name
    ]
    return decide_tournaments(chosen=chosen, reason="", by=by) if chosen else []


def _needs_reason(state: ItemState, value: str) -> bool:
    """Whether a value refuses, or differs from what was decided or proposed before."""
    if state.decision is not None and state.decision.value != value:
        return True
    if state.proposal != neutral_value(state.declared):
        return value != state.proposal
    return value == NO and state.declared.decided_by == COUNCIL


def _locked(codes: set[str]) -> dict[str, ResultSet]:
    """The tournaments of these codes, locked until the transaction ends, so that one decision follows another."""
    rows = Tournament.objects.select_for_update(no_key=True).filter(code__in=codes).order_by("pk")
    known = {tournament.code for tournament in rows if tournament.code}
    if missing := sorted(codes - known):
        raise DomainError("tournament_not_reported", code=missing[0])
    found = (tournament_of(code) for code in sorted(known))
    return {tournament.code: tournament for tournament in found if tournament is not None}
