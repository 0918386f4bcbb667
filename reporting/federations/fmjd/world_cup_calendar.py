"""The World Cup events in force, for the calendar and for reports."""

from collections.abc import Collection, Mapping

from django.urls import reverse

from reporting.federations.facet import ApprovedEvent
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import EventState


def approved_world_cup_events(tournaments: Collection[int]) -> Mapping[int, ApprovedEvent]:
    """The approved events among announced tournaments, by their keys. 1 query."""
    found = WorldCupProposal.objects.filter(tournament__in=tournaments, state=EventState.APPROVED)
    return {
        proposal.tournament_id: ApprovedEvent(
            stars=proposal.stars,
            prize_money=proposal.conditions.prize_money,
            details=proposal.details,
            page=reverse("world-cup-event", args=[proposal.tournament_id]),
        )
        for proposal in found
    }
