"""Proposals for World Cup events, for the pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef
from django.utils import timezone

from reporting.federations.facet import edition_in_force
from reporting.federations.fmjd.editions import EDITIONS
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import (
    EventDueDays,
    EventState,
    PrizesOfPlace,
    UnmetCondition,
    compare_prizes,
    event_due_days,
    unmet_conditions,
)
from reporting.federations.registry import known_rules
from reporting.models import Report, Tournament, User
from reporting.rules.lifecycle import ReportState

SYSTEM = "fmjd"


def find_tournament(number: int) -> Tournament | None:
    """The announced tournament of this federation, with its country and who announced it. 1 query."""
    found = Tournament.objects.announced().select_related("country", "announced_by").filter(pk=number).first()
    return found if found and is_of_federation(found) else None


def is_of_federation(tournament: Tournament) -> bool:
    """Whether a tournament is of this federation. No query."""
    rules = known_rules(tournament.rating_system, tournament.discipline)
    return rules is not None and rules.system == SYSTEM


def can_be_proposed(tournament: Tournament) -> bool:
    """Whether the tournament can still be proposed: not withdrawn, and no report submitted. At most 1 query."""
    submitted = tournament.reports.filter(first_submitted_at__isnull=False).exclude(
        state=ReportState.WITHDRAWN
    )
    return tournament.withdrawn_at is None and not submitted.exists()


def approved_proposal(tournament: int) -> WorldCupProposal | None:
    """The proposal in force of a tournament. 1 query."""
    return WorldCupProposal.objects.filter(tournament=tournament, state=EventState.APPROVED).first()


def public_event(number: int) -> WorldCupProposal | None:
    """The proposal in force of an announced tournament that is not withdrawn. 1 query."""
    found = WorldCupProposal.objects.filter(
        tournament=number, state=EventState.APPROVED, tournament__withdrawn_at=None
    )
    return found.select_related("tournament__country").first()


def events_to_come(today: date) -> list[WorldCupProposal]:
    """The proposals in force of tournaments that end today or later and are not withdrawn, the next first. 1 query."""
    found = WorldCupProposal.objects.filter(
        state=EventState.APPROVED, tournament__withdrawn_at=None, tournament__played_to__gte=today
    )
    return list(found.select_related("tournament").order_by("tournament__played_from", "pk"))


def proposals_of(tournament: Tournament) -> list[WorldCupProposal]:
    """The proposals of a tournament with who made and decided them, newest first. 1 query."""
    return list(tournament.world_cup_proposals.select_related("proposed_by", "decided_by").order_by("-pk"))


def proposals_to_decide(user: User) -> list[WorldCupProposal]:
    """The proposals that wait for a tournament director other than the person who made them. 1 query."""
    reported = Report.objects.filter(
        announcement=OuterRef("tournament"), first_submitted_at__isnull=False
    ).exclude(state=ReportState.WITHDRAWN)
    waiting = WorldCupProposal.objects.filter(
        ~Exists(reported), state=EventState.PROPOSED, tournament__withdrawn_at=None
    )
    return list(waiting.exclude(proposed_by=user).select_related("tournament").order_by("pk"))


@dataclass(frozen=True)
class ShownProposal:
    """A proposal, its due days, its prizes against Appendix A, and the conditions that it does not meet."""

    proposal: WorldCupProposal
    due: EventDueDays
    prizes: Sequence[PrizesOfPlace]
    unmet: Sequence[UnmetCondition]

    @property
    def short_by(self) -> int:
        """The euros by which prizes are below the printed ones, in all places."""
        return sum(row.open.short_by + row.women.short_by for row in self.prizes)


def due_days_of(tournament: Tournament) -> EventDueDays:
    """The days until when something can be done for an event of this tournament. No query."""
    return event_due_days(edition_in_force(EDITIONS, tournament.played_from), tournament.played_from)


def shown_proposal(proposal: WorldCupProposal, tournament: Tournament, today: date) -> ShownProposal:
    """What pages say of a proposal. No query."""
    first_day = tournament.played_from
    edition = edition_in_force(EDITIONS, first_day)
    conditions = proposal.conditions
    proposed_on = timezone.localdate(proposal.proposed_at)
    return ShownProposal(
        proposal,
        due_days_of(tournament),
        compare_prizes(edition, conditions),
        list(unmet_conditions(edition, conditions, first_day, proposed_on, today)),
    )
