"""Findings about World Cup events and world youth championships (Annexes 13 and 18; R70a, R70c to R70f, R73a)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from reporting.federations.fmjd.details import Competition, FmjdDetails, RefereeLevel, WorldCupGroups, Youth
from reporting.federations.fmjd.world_cup_checks import check_world_cup, check_youth_federations
from reporting.federations.registry import report_rules
from reporting.rules.checks.context import CheckContext
from reporting.rules.details.shared_details import System
from reporting.rules.report import ReadReport, ReportedGame, ReportedInfo, ReportedPlayer

CUP = FmjdDetails(
    competition=Competition.WORLD_CUP, world_cup_stars=3, world_cup_groups=WorldCupGroups.ONE,
    referee_level=RefereeLevel.FMJD, system=System.SWISS, standings=("short", "plus", "baliakin", "full"),
    time_control="80+30",
)  # fmt: skip
YOUTH = FmjdDetails(
    competition=Competition.WORLD_CHAMPIONSHIP, youth=Youth.CADETS, time_control="80+30", country="NED"
)


def checked(check, details, *, name="", players=(), games=()):
    """What the check says on 1 December 2026."""
    read = ReadReport("fmjd", "utf-8", info=ReportedInfo(name=name), players=players, games=games)
    context = CheckContext(read, details, date(2026, 12, 1), report_rules("fmjd"))
    check(context)
    return context.findings


def found(check, details, federations=("NED", "BEL"), *, places=True):
    players = tuple(
        ReportedPlayer(
            number=number, name=f"P{number}", place=number if places else None, federation_code=federation
        )
        for number, federation in enumerate(federations, start=1)
    )
    findings = checked(check, details, players=players)
    return [(finding.key, str(finding.severity), finding.field) for finding in findings]


def test_a_whole_world_cup_event_has_no_finding():
    assert found(check_world_cup, CUP) == []
    assert found(check_world_cup, FmjdDetails()) == []


@pytest.mark.parametrize(
    ("changes", "key", "field"),
    [
        ({"world_cup_stars": None}, "world-cup-incomplete", "world_cup_stars"),
        ({"world_cup_groups": WorldCupGroups.NONE}, "world-cup-incomplete.groups", "world_cup_groups"),
        ({"referee_level": RefereeLevel.NATIONAL}, "world-cup-conditions", "referee_level"),
        ({"standings": ("full", "plus")}, "world-cup-conditions.tie-breaks", "standings"),
    ],
)
def test_what_is_missing_or_against_the_conditions_is_a_warning(changes, key, field):
    assert found(check_world_cup, replace(CUP, **changes)) == [(key, "warning", field)]


def test_an_event_without_final_places_is_named():
    assert found(check_world_cup, CUP, places=False) == [("world-cup-incomplete.places", "warning", "place")]


def test_from_five_stars_on_other_tie_breaks_are_possible():
    assert found(check_world_cup, replace(CUP, world_cup_stars=5, standings=("full",))) == []
    assert found(check_world_cup, replace(CUP, system=System.ROUND_ROBIN, standings=("wins",))) == []


def played(number, rounds, system, **more):
    """The findings of an event of so many players and rounds; each round has one game, that is enough to count it."""
    players = tuple(ReportedPlayer(number=one, name=f"P{one}", place=one) for one in range(1, number + 1))
    games = tuple(ReportedGame(round_, 1, 2, 2, 0, played=True) for round_ in range(1, rounds + 1))
    findings = checked(check_world_cup, replace(CUP, system=system, **more), players=players, games=games)
    return [(finding.key, finding.found, finding.expected) for finding in findings]


# Annex 18 condition 3: 18 and more 9 or 10 rounds Swiss, 11 to 18 7 rounds, 7 to 10 a round robin, fewer a double one.
# A round robin of 7 has 7 rounds (one player pauses), of 10 has 9; a double one of 6 has 2 x 5, of 5 has 2 x 5.
@pytest.mark.parametrize(
    ("players", "rounds", "system"),
    [
        (30, 9, "swiss"), (30, 10, "swiss"), (18, 7, "swiss"), (18, 10, "swiss"), (17, 7, "swiss"), (11, 7, "swiss"),
        (10, 9, "round-robin"), (7, 7, "round-robin"), (6, 10, "round-robin"), (5, 10, "round-robin"),
    ],
)  # fmt: skip
def test_a_system_that_fits_the_number_of_players_has_no_finding(players, rounds, system):
    assert played(players, rounds, System(system)) == []


@pytest.mark.parametrize(
    ("players", "rounds", "system", "expected"),
    [
        (19, 7, "swiss", "swiss 9, swiss 10"), (18, 8, "swiss", "swiss 9, swiss 10, swiss 7"),
        (17, 9, "swiss", "swiss 7"), (10, 7, "swiss", "round-robin 9"), (6, 5, "round-robin", "round-robin 10"),
        (12, 11, "round-robin", "swiss 7"), (40, 9, "other", "swiss 9, swiss 10"),
    ],
)  # fmt: skip
def test_another_system_or_number_of_rounds_is_a_warning(players, rounds, system, expected):
    [(key, found_there, expected_there)] = played(players, rounds, System(system))
    assert (key, expected_there) == ("world-cup-conditions.system", expected)
    assert f"{system} {rounds}" in found_there
    assert played(players, rounds, System(system), world_cup_stars=5) == []


def proposals(name, **changes):
    findings = checked(check_world_cup, replace(CUP, **changes), name=name)
    return [(finding.key, finding.field, finding.proposed_value) for finding in findings]


def test_a_title_line_proposes_the_competition_and_its_stars():
    name = "FMJD WORLD CUP***** Ouagadougou Open 2022"
    named = [("world-cup-named", "competition", "world-cup")]
    assert proposals(name, competition=Competition.NONE) == named
    assert proposals(name, world_cup_stars=None) == [("world-cup-incomplete", "world_cup_stars", "5")]
    assert proposals(name) == []


def test_a_title_line_with_a_number_of_stars_that_no_event_has_proposes_nothing():
    assert proposals("World Cup** Open", competition=Competition.NONE) == []
    assert proposals("World Cup** Open", world_cup_stars=None) == [
        ("world-cup-incomplete", "world_cup_stars", "")
    ]
    assert proposals("Open", competition=Competition.NONE) == []


def test_an_absent_player_is_one_of_the_report():
    absent = replace(CUP, absent_from_closing=(2, 7))
    assert found(check_world_cup, absent) == [("absent-unknown", "error", "absent_from_closing")]


def test_a_federation_sends_three_players_to_a_group_and_the_organiser_four():
    """Four of BEL are too many, four of NED, which organises, are not, five are; rapid and blitz have no limit."""
    many = [("many-of-federation", "warning", "federation")]
    assert found(check_youth_federations, YOUTH, ["BEL"] * 3 + ["NED"] * 4) == []
    assert found(check_youth_federations, YOUTH, ["BEL"] * 4 + ["NED"] * 4) == many
    assert found(check_youth_federations, YOUTH, ["NED"] * 5) == many
    assert found(check_youth_federations, replace(YOUTH, time_control="20+5"), ["BEL"] * 4) == []
    # 15 minutes and 60 times 5 seconds are 20 minutes, 60 and 60 times 30 are 90: the longest game is classic.
    session = replace(YOUTH, time_control="", session=("15+5", "60+30"))
    assert found(check_youth_federations, session, ["BEL"] * 4) == many
    assert found(check_youth_federations, replace(YOUTH, youth=Youth.NONE), ["BEL"] * 4) == []
    # Annex 13 art. 4.1 has five groups, up to 19 years, and art. 5.2 is about individual ones.
    assert found(check_youth_federations, replace(YOUTH, youth=Youth.UNDER_23), ["BEL"] * 4) == []
    assert found(check_youth_federations, replace(YOUTH, system=System.TEAMS), ["BEL"] * 4) == []
