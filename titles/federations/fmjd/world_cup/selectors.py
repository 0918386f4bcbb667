"""What the public pages of the World Cup and of youth teams depend on and print."""

from collections.abc import Collection, Hashable

from django.db.models import Count, Max

from ratings.published.selectors.tournaments.tables import published_stamp
from ratings.queries.lists import office_today
from reporting.models import FederationMembership, ResultSet, TournamentDecision
from reporting.register.selectors.register import register_changes
from titles.federations.fmjd.models import WorldCupDeclaration


def stamp() -> tuple[Hashable, ...]:
    """What these pages depend on: the day, published lists, the register, decisions and declarations. 5 queries."""
    decisions = TournamentDecision.objects.aggregate(Count("pk"), Max("pk"))
    memberships = FederationMembership.objects.count()
    declarations = WorldCupDeclaration.objects.aggregate(Count("pk"), Count("withdrawn_at"))
    changes = (memberships, *decisions.values(), *declarations.values())
    return (office_today(), *published_stamp(), register_changes(), *changes)


def tournament_names(codes: Collection[str]) -> dict[str, str]:
    """The names of tournaments by code. 1 query."""
    return dict(ResultSet.objects.filter(tournament__code__in=codes).values_list("tournament__code", "name"))
