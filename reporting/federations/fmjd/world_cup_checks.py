"""Checks of a World Cup event and of a world youth championship (Annexes 13 and 18; R70f, R73a), all warnings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from reporting.federations.facet import edition_in_force
from reporting.federations.fmjd.details import Competition, FmjdDetails, RefereeLevel, WorldCupStars
from reporting.federations.fmjd.editions import EDITIONS, CupSystem
from reporting.rules.checks.context import CheckContext
from reporting.rules.details.shared_details import System
from reporting.rules.findings.catalogue.code import Code
from reporting.rules.sentences import Plural

_NAMED_STARS = re.compile(r"\bworld cup\s*(\*+)", re.IGNORECASE)
"""A title line such as `FMJD WORLD CUP*****`."""

FINDING_CODES: Mapping[str, Code] = {
    "world-cup-named": Code(
        "a tournament whose name is that of a World Cup event, and that is none by its details",
        "The name is that of a World Cup event, but the details name no official competition.",
        "the official competition, if it is a World Cup event",
        "Enter the official competition, or comment on the name.",
        "nothing",
        severity="warning",
    ),
    "world-cup-incomplete": Code(
        "a World Cup event without what its points depend on",
        "The World Cup points of this tournament cannot be calculated: its stars are missing.",
        "the stars of a World Cup event",
        "Enter what is missing. Until then the tournament does not count for the World Cup.",
        "nothing",
        severity="warning",
    ),
    "world-cup-incomplete.groups": Code(
        "a World Cup event without the choice of groups",
        "The World Cup points of this tournament cannot be calculated: the groups of men and women are missing.",
        "one group, or separate tournaments",
        severity="warning",
    ),
    "world-cup-incomplete.places": Code(
        "a World Cup event without final places",
        "The World Cup points of this tournament cannot be calculated: no player has a final place.",
        "the final place of each player who is classified",
        severity="warning",
    ),
    "absent-unknown": Code(
        "a number of an absent player that no player has",
        "No player has the number {number}, given as absent from the closing ceremony.",
        "tournament numbers of this report",
        "Correct the number.",
        "{number}",
    ),
    "world-cup-conditions": Code(
        "a World Cup event against the conditions of Annex 18: the main referee",
        "The main referee of a World Cup event is at least FMJD referee.",
        "an FMJD or international referee",
        "Check the report, or comment on it.",
        "{level}",
        severity="warning",
    ),
    "world-cup-conditions.tie-breaks": Code(
        "the same: the tie-breaks of a Swiss tournament",
        "A Swiss World Cup event with these stars has the tie-breaks of Annex 18.",
        "{allowed}",
        "Check the report, or comment on it.",
        "{keys}",
        severity="warning",
    ),
    "world-cup-conditions.system": Code(
        "the same: the system and the number of rounds",
        Plural(
            "A World Cup event with these stars and {players} player has another system, or another number of rounds.",
            "A World Cup event with these stars and {players} players has another system, or another number of rounds.",
            "players",
        ),
        "{allowed}",
        "Check the report, or comment on it.",
        "{system} {rounds}",
        severity="warning",
    ),
    "many-of-federation": Code(
        "more players of a federation in a group of a world youth championship than allowed",
        "{federation} has more players in this group than a federation may send.",
        Plural("at most {most} player", "at most {most} players", "most"),
        "Check the federations. Places of a sponsor do not count: comment on them.",
        "{players}",
        severity="warning",
    ),
}


def check_world_cup(context: CheckContext) -> None:
    """Stars, groups, final places, absent players, referee, tie-breaks and system (Annex 18; R70a, R70c to R70f)."""
    details = context.details
    if not isinstance(details, FmjdDetails):
        return
    named = _NAMED_STARS.search(details.name or context.read.info.name)
    stars_of_name = str(len(named[1])) if named else ""
    if not details.competition and stars_of_name in list(WorldCupStars):
        context.findings.add(
            "world-cup-named", field="competition", proposed_value=Competition.WORLD_CUP.value
        )
    if details.competition != Competition.WORLD_CUP:
        return
    if details.world_cup_stars is None:
        proposed = stars_of_name if stars_of_name in list(WorldCupStars) else ""
        context.findings.add("world-cup-incomplete", field="world_cup_stars", proposed_value=proposed)
    if not details.world_cup_groups:
        context.findings.add("world-cup-incomplete.groups", field="world_cup_groups")
    if context.read.players and not any(player.place for player in context.read.players):
        context.findings.add("world-cup-incomplete.places", field="place")
    for number in details.absent_from_closing:
        if number not in context.by_number:
            context.findings.add("absent-unknown", field="absent_from_closing", number=number)
    if details.referee_level in (RefereeLevel.NATIONAL, RefereeLevel.NONE):
        context.findings.add("world-cup-conditions", field="referee_level", level=details.referee_level.value)
    edition = edition_in_force(EDITIONS, context.played_to or context.today)
    stars = details.world_cup_stars
    is_standard = stars is not None and stars < edition.world_cup_other_systems_from
    keys = details.standings
    if is_standard and context.system == System.SWISS and keys and keys != edition.world_cup_tie_breaks:
        context.findings.add(
            "world-cup-conditions.tie-breaks",
            field="standings",
            keys=", ".join(keys),
            allowed=", ".join(edition.world_cup_tie_breaks),
        )
    if is_standard:
        _check_system(context, edition.world_cup_systems)


def _check_system(context: CheckContext, systems: Sequence[CupSystem]) -> None:
    """System and rounds fit the number of players (Annex 18 condition 3; R70f)."""
    players, rounds = len(context.read.players), context.read.rounds
    fitting = [
        (one.system, one.rounds_with(players))
        for one in systems
        if one.least_players <= players and (one.most_players is None or players <= one.most_players)
    ]
    fits = any(context.system == system and rounds in allowed for system, allowed in fitting)
    if fitting and context.system is not None and rounds and not fits:
        context.findings.add(
            "world-cup-conditions.system",
            field="system",
            players=players,
            system=context.system.value,
            rounds=rounds,
            allowed=", ".join(f"{system} {number}" for system, rounds_ in fitting for number in rounds_),
        )


def check_youth_federations(context: CheckContext) -> None:
    """Three players of a federation in a group of a world youth championship, four of the organiser (R73a).

    Not in rapid and blitz: there is no limit (Annex 13 art. 5.6). Under 23 is no group (art. 4), teams have none.
    """
    details = context.details
    edition = edition_in_force(EDITIONS, context.played_to or context.today)
    if (
        not isinstance(details, FmjdDetails)
        or details.youth not in edition.oldest_of_youth
        or context.system == System.TEAMS
    ):
        return
    is_classic = (details.seconds_of_games[0] or 0) >= edition.classic_seconds
    if details.competition != Competition.WORLD_CHAMPIONSHIP or not is_classic:
        return
    counted = Counter(player.federation_code for player in context.read.players if player.federation_code)
    for federation, players in counted.items():
        most = edition.youth_players + (federation == (details.country or context.read.info.country_code))
        if players > most:
            context.findings.add(
                "many-of-federation", field="federation", federation=federation, players=players, most=most
            )
