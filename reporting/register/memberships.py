"""Who is a member of which club on a day, by the tables that federations imported (U21)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from reporting.models import ClubMembership, MembershipTable, PlayerIdentity
from reporting.rules.names.name_search import NameSearch
from reporting.rules.register.registers import Register


def newest_table(register: Register) -> MembershipTable | None:
    """The table in force of a register; None as long as none was imported: then every player counts as a member.

    1 query.
    """
    tables = MembershipTable.objects.filter(register=register.code).select_related("imported_by")
    return tables.order_by("-pk").first()


def members_on(table: MembershipTable, day: date) -> QuerySet[ClubMembership]:
    """The memberships of a table that include a day, unordered."""
    return table.lines.filter(Q(member_until=None) | Q(member_until__gte=day), member_from__lte=day)


def clubs_on(table: MembershipTable, day: date) -> Mapping[int, str]:
    """Key of a player → the club on a day; a player of no club is not among them. 1 query."""
    return dict(members_on(table, day).values_list("player", "club"))


@dataclass(frozen=True)
class MembershipFilters:
    """What the page of memberships shows: those of a day, of a club, of players by name or number; empty: of all."""

    day: date
    club: str = ""
    text: str = ""


def found_members(
    table: MembershipTable, register: Register, filters: MembershipFilters
) -> list[ClubMembership]:
    """The memberships of a day that match, by club and name, each with its player. 1 query, 2 with a number."""
    members = members_on(table, filters.day)
    if filters.club:
        members = members.filter(club=filters.club)
    if filters.text.isdecimal():
        named = PlayerIdentity.objects.filter(register=register.code, number=filters.text.lstrip("0"))
        members = members.filter(player__in=named.values("player"))
    found = list(members.select_related("player").order_by("club", "player__sort_name", "pk"))
    if not filters.text or filters.text.isdecimal():
        return found
    search = NameSearch([member.player.sort_name for member in found])
    return [found[match.place] for match in search.find(filters.text)]
