"""World Cup events are proposed, approved and returned (Annex 18; R70f)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from reporting.federations.facet import edition_in_force
from reporting.federations.fmjd.editions import EDITIONS
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import (
    EVENT_LIFECYCLE,
    EventMove,
    EventState,
    event_due_days,
)
from reporting.log.audit import Actor, record
from reporting.models import Tournament
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.edit_report import follow_announcement
from reporting.rules import lifecycle
from titles.federations.fmjd.world_cup.events.notifications import notify_decided
from titles.federations.fmjd.world_cup.events.selectors import approved_proposal, can_be_proposed
from titles.policies import check_can_decide_event, check_can_propose_event

PROPOSED_FIELDS = (
    "stars",
    "groups",
    "prizes_open",
    "prizes_women",
    "system",
    "rounds",
    "tie_breaks",
    "referee",
    "referee_level",
    "entry_fee",
    "regulations",
    "regulations_on",
)


@transaction.atomic
def propose_event(
    *, tournament: Tournament, values: Mapping[str, Any], seen: int, by: Actor
) -> WorldCupProposal:
    """Propose that an announced tournament is a World Cup event, or a change of what was approved.

    `values` are those of PROPOSED_FIELDS; `seen` is the key of the newest proposal that the person saw, 0 for none.
    The proposal takes the place of one that waits; an approved one stays in force until this one is approved. The
    values of the newest one again, waiting or approved, change nothing. Raises DomainError `stars_down`, `stars_late`,
    `preview_changed`, `wrong_state`, `forbidden`.
    """
    tournament = Tournament.objects.announced().select_for_update().get(pk=tournament.pk)
    check_can_propose_event(by.user, tournament)
    if not can_be_proposed(tournament):
        raise DomainError("wrong_state.announcement_reported")
    newest = tournament.world_cup_proposals.order_by("-pk").first()
    if seen != (newest.pk if newest else 0):
        raise DomainError("preview_changed")
    proposal = WorldCupProposal(tournament=tournament, proposed_by=by.user, **values)
    if newest is not None and newest.state in (EventState.PROPOSED, EventState.APPROVED):
        before, after = _proposed(newest), _proposed(proposal)
        if before == after:
            return newest
    else:
        before, after = {}, _proposed(proposal)
    _check_stars(proposal, approved_proposal(tournament.pk))
    if newest is not None and newest.state == EventState.PROPOSED:
        _move(newest, EventMove.REPLACE)
    proposal.save()
    changed = [name for name in after if after[name] != before.get(name)]
    record(
        by=by,
        action="world_cup_event.propose",
        subject=f"announcement {tournament.pk}",
        before={name: before[name] for name in changed if name in before},
        after={name: after[name] for name in changed},
    )
    return proposal


@transaction.atomic
def approve_event(*, proposal: WorldCupProposal, by: Actor) -> WorldCupProposal:
    """Approve a proposal: it is in force, drafts of the report take its details, the proposer gets a message.

    The one that was in force before is replaced. Raises DomainError `own_proposal`, `stars_down`, `stars_late` where
    the first round has moved, `wrong_state`, `forbidden`.
    """
    tournament, proposal = _locked(proposal, by)
    before = approved_proposal(tournament.pk)
    _check_stars(proposal, before)
    if before is not None:
        _move(before, EventMove.REPLACE)
    _move(proposal, EventMove.APPROVE, decided_by=by.user, decided_at=Now())
    for report in tournament.reports.order_by("pk"):
        follow_announcement(report=report, old=before.details if before else {}, new=proposal.details, by=by)
    record(
        by=by,
        action="world_cup_event.approve",
        subject=f"announcement {tournament.pk}",
        before={"stars": before.stars if before else None},
        after={"stars": proposal.stars, "proposal": proposal.pk},
    )
    notify_decided(proposal)
    return proposal


@transaction.atomic
def return_event(*, proposal: WorldCupProposal, reason: str, by: Actor) -> WorldCupProposal:
    """Return a proposal with a reason; what was approved before stays in force. The proposer gets a message.

    Raises DomainError `reason_missing`, `own_proposal`, `wrong_state`, `forbidden`.
    """
    tournament, proposal = _locked(proposal, by)
    if not reason.strip():
        raise DomainError("reason_missing")
    _move(proposal, EventMove.RETURN, decided_by=by.user, decided_at=Now(), reason=reason.strip())
    record(
        by=by,
        action="world_cup_event.return",
        subject=f"announcement {tournament.pk}",
        after={"proposal": proposal.pk},
        reason=reason.strip(),
    )
    notify_decided(proposal)
    return proposal


def _locked(proposal: WorldCupProposal, by: Actor) -> tuple[Tournament, WorldCupProposal]:
    """The announced tournament and its proposal under the lock of the tournament, for a person who may decide."""
    tournament = Tournament.objects.announced().select_for_update().get(pk=proposal.tournament_id)
    proposal = WorldCupProposal.objects.select_related("proposed_by").get(pk=proposal.pk)
    check_can_decide_event(by.user, proposal.proposed_by_id)
    if proposal.state != EventState.PROPOSED or not can_be_proposed(tournament):
        raise DomainError("wrong_state.event")
    proposal.tournament = tournament
    return tournament, proposal


def _move(proposal: WorldCupProposal, move: EventMove, **decision: Any) -> None:
    proposal.state = lifecycle.move(EVENT_LIFECYCLE, proposal.state, move, DomainError("wrong_state.event"))
    for name, value in decision.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=["state", *decision])


def _check_stars(proposal: WorldCupProposal, approved: WorldCupProposal | None) -> None:
    """Refuse fewer stars than approved, and more of them proposed too late (conditions 10 and 11)."""
    if approved is None or proposal.stars == approved.stars:
        return
    if proposal.stars < approved.stars:
        raise DomainError("stars_down", stars=approved.stars)
    first_day = proposal.tournament.played_from
    due = event_due_days(edition_in_force(EDITIONS, first_day), first_day).more_stars
    proposed_on = timezone.localdate(proposal.proposed_at) if proposal.pk else timezone.localdate()
    if proposed_on > due:
        raise DomainError("stars_late", stars=approved.stars, due=due)


def _proposed(proposal: WorldCupProposal) -> dict[str, Any]:
    """What is proposed, as the log has it."""
    values = {name: getattr(proposal, name) for name in PROPOSED_FIELDS}
    lists = {
        name: ", ".join(map(str, values[name])) for name in ("prizes_open", "prizes_women", "tie_breaks")
    }
    fee = f"{proposal.entry_fee:.2f}"
    return values | lists | {"entry_fee": fee, "regulations_on": _text(proposal.regulations_on)}


def _text(value: Any) -> str:
    return "" if value is None else str(value)
