"""Declarations for the open World Cup classification, and whether they were made in time (Annex 18; R71b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from reporting.models import Entry, User
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.federations.fmjd.world_cup.inputs import cup_tournaments, surviving_players
from titles.policies import sees_all_declarations

SECTIONS: Final = ("100", "64")
FirstRounds = Mapping[tuple[int, int], Mapping[str, date]]
"""Of a player (key of the surviving record) and a year: first rounds by section, where there was a tournament."""


@dataclass(frozen=True)
class ShownDeclaration:
    """A declaration, and the sections for which it came too late, each with the first round that began before."""

    declaration: WorldCupDeclaration
    too_late: Mapping[str, date]


def first_rounds() -> FirstRounds:
    """When each player's first World Cup tournament of a year began, from accepted reports (R71b). 7 queries.

    The year of a tournament is that of its last round.
    """
    surviving = surviving_players()
    found: dict[tuple[int, int], dict[str, date]] = {}
    for section in SECTIONS:
        tournaments = {one.pk: one for one, _, _ in cup_tournaments(section)[0]}
        entries = Entry.objects.filter(result_set__in=tournaments)
        for result_set, player in entries.values_list("result_set", "player"):
            days = tournaments[result_set]
            person = surviving[player].pk if player in surviving else player
            of_year = found.setdefault((person, days.played_to.year), {})
            of_year[section] = min(days.played_from, of_year.get(section, days.played_from))
    return found


def too_late(declared_on: date, first: Mapping[str, date]) -> Mapping[str, date]:
    """The sections for which a declaration of a day comes too late: not before the first round (R71b)."""
    return {section: day for section, day in first.items() if declared_on >= day}


def declarations_of_year(user: User, year: int) -> Sequence[ShownDeclaration]:
    """The declarations for a year that a user may see, by name; of those in force also where they came too late.

    Queries: 9, one without declarations.
    """
    found = WorldCupDeclaration.objects.filter(year=year).select_related("player", "by", "withdrawn_by")
    if not sees_all_declarations(user):
        found = found.filter(player__federation=user.federation_id)
    declarations = list(found.order_by("player__sort_name", "pk"))
    if not declarations:
        return []
    first, surviving = first_rounds(), surviving_players()
    shown = []
    for one in declarations:
        person = surviving.get(one.player_id, one.player)
        days = {} if one.withdrawn_at else first.get((person.pk, year), {})
        shown.append(ShownDeclaration(one, too_late(one.declared_on, days)))
    return shown


def find_declaration(number: int) -> WorldCupDeclaration | None:
    """A declaration by its number. 1 query."""
    return WorldCupDeclaration.objects.filter(pk=number).first()
