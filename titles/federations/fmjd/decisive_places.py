"""The places of a reported tournament on which a title depends (R52), as reports ask for them."""

from dataclasses import fields

import numpy as np

from reporting.federations.fmjd.details import FmjdDetails
from reporting.rules.details.tournament_details import TournamentDetails
from titles.federations.fmjd.rules.columns import (
    AGES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    SYSTEMS,
    TournamentColumns,
    code_of,
)
from titles.federations.fmjd.rules.parameters import edition_in_force
from titles.federations.fmjd.rules.places import decisive_places


def places_of_titles(details: TournamentDetails, participants: int) -> frozenset[int]:
    """The places n that bring a player more than place n + 1 does; empty while the first day is unknown."""
    if details.played_from is None or not isinstance(details, FmjdDetails):
        return frozenset()
    row = {
        "discipline": int(details.discipline),
        "system": code_of(SYSTEMS, details.system or ""),
        "competition": code_of(COMPETITIONS, details.competition),
        "championship": code_of(CHAMPIONSHIPS, details.national_championship or ""),
        "age": code_of(AGES, details.youth),
        "women_only": bool(details.women_only),
        "veterans": details.veterans,
    }
    not_asked = dict.fromkeys(("official", "announced", "in_time", "council_approved"), False)
    tournament = TournamentColumns(
        **{each.name: np.array([(row | not_asked).get(each.name, 0)]) for each in fields(TournamentColumns)}
    )
    return decisive_places(edition_in_force(details.played_from), tournament, participants)
