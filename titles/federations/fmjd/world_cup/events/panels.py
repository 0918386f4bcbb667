"""What other pages show of World Cup events: announcements, a report under review, the dashboard of the office."""

from collections.abc import Mapping, Sequence
from typing import Any

from reporting.federations.fmjd.models import WorldCupProposal
from reporting.models import Report, Role, Tournament, User
from reporting.web.panels import Panel, register_panel
from titles.federations.fmjd.world_cup.events.labels import GROUPS, STATES
from titles.federations.fmjd.world_cup.events.selectors import (
    approved_proposal,
    is_of_federation,
    proposals_to_decide,
)


def register() -> None:
    """Register the panels. Called once, at start."""
    register_panel("office-dashboard-waiting", Panel("titles/world_cup/events_to_decide.html", _dashboard))
    register_panel("announcements", Panel("titles/world_cup/event_of_announcement.html", _announcements))
    register_panel("announcement", Panel("titles/world_cup/proposal_link.html", _announcement))
    register_panel("office-report", Panel("titles/world_cup/event_of_report.html", _report))


def _dashboard(user: User) -> Mapping[str, Any]:
    """1 query for a tournament director."""
    if not user.has_role(Role.TOURNAMENT_DIRECTOR):
        return {"proposals": ()}
    return {"proposals": proposals_to_decide(user)}


def _announcements(announcements: Sequence[Tournament]) -> Mapping[str, Any]:
    """The states of the newest proposals of this federation's tournaments, empty without one. 1 query."""
    own = [tournament.pk for tournament in announcements if is_of_federation(tournament)]
    newest = WorldCupProposal.objects.filter(tournament__in=own).order_by("pk")
    states = {number: STATES[state] for number, state in newest.values_list("tournament", "state")}
    return {"states": dict.fromkeys(own, "") | states}


def _announcement(announcement: Tournament) -> Mapping[str, Any]:
    """1 query for a tournament of this federation."""
    if not is_of_federation(announcement):
        return {"tournament": None}
    newest = WorldCupProposal.objects.filter(tournament=announcement).order_by("-pk").first()
    return {"tournament": announcement, "state": STATES[newest.state] if newest else ""}


def _report(report: Report) -> Mapping[str, Any]:
    """1 query for a report with an announcement."""
    event = approved_proposal(report.announcement_id) if report.announcement_id else None
    return {
        "event": event,
        "stars": "★" * event.stars if event else "",
        "groups": GROUPS[event.groups] if event else "",
    }
