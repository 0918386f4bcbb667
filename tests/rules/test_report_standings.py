"""Places against the tie-breaks of the details (Annex 3 art. 5.9 to 5.11; R25, R52), by hand."""

from dataclasses import replace
from datetime import date

import pytest

from reporting.federations.fmjd.details import Competition, FmjdDetails
from reporting.rules.checks import places_by_tie_breaks
from reporting.rules.details.shared_details import System
from reporting.rules.findings.finding_list import Severity
from reporting.rules.findings.finding_list import finding as new_finding
from reporting.rules.report import PAUSE, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer
from tests.formats.report_files import FMJD_FILE, TODAY, check_report, details_of

# A Swiss of four: 1 and 3 have 3 points, 2 has 2, 4 has 0.
# Solkoff: 1 met 2 and 3, 2 + 3 = 5; 3 met 4 and 1, 0 + 3 = 3.
SWISS = ((1, 1, 2, 2, 0), (1, 3, 4, 2, 0), (2, 1, 3, 1, 1), (2, 2, 4, 2, 0))

# The same with a draw in the last game: 3, 1, 3, 1 points, and each has the Solkoff 3 + 1 = 4.
EQUAL = (*SWISS[:3], (2, 2, 4, 1, 1))

# A round robin: 3, 3, 2, 4 points. 1 and 2 have one win each, and 1 beat 2.
ROUND_ROBIN = (
    *((1, 1, 2, 2, 0), (1, 3, 4, 0, 2), (2, 1, 3, 0, 2), (2, 2, 4, 1, 1)),
    *((3, 1, 4, 1, 1), (3, 2, 3, 2, 0)),
)

# A round robin that 4 left after beating 1: 2 and 3 won by forfeit. Printed: 3, 4, 3, 2 points. Without the games
# of 4 (art. 5.9): 3, 2, 1.
LEFT = (
    *((1, 1, 4, 0, 2), (1, 2, 3, 1, 1), (2, 2, 4, 2, 0, False), (2, 1, 3, 2, 0)),
    *((3, 3, 4, 2, 0, False), (3, 1, 2, 1, 1)),
)

# As before, but 2 beat 3. Printed: 3, 5, 2, 2 points. Without the games of 4: 3, 3, 0.
LEFT_LEVEL = (LEFT[0], (1, 2, 3, 2, 0), *LEFT[2:])

# Three teams of two boards, (1, 4), (2, 5) and (3, 6), that each won and lost a match and paused: 8, 9, 7 points.
TEAMS = (
    *((1, 1, 2, 2, 0), (1, 5, 4, 1, 1), (1, 3, PAUSE, 2, 0), (1, 6, PAUSE, 2, 0)),
    *((2, 3, 1, 2, 0), (2, 4, 6, 1, 1), (2, 2, PAUSE, 2, 0), (2, 5, PAUSE, 2, 0)),
    *((3, 2, 3, 2, 0), (3, 5, 6, 2, 0), (3, 1, PAUSE, 2, 0), (3, 4, PAUSE, 2, 0)),
)


def report(games, places, *, system="swiss", ratings=()):
    points = {
        number: sum(
            gained
            for _, white, black, *results in games
            for side, gained in zip((white, black), results, strict=False)
            if side == number
        )
        for number in range(1, len(places) + 1)
    }
    return ReadReport(
        format="draughts-arbiter", encoding="utf-8", info=ReportedInfo(name="Small Open", system=system),
        players=tuple(
            ReportedPlayer(
                number=number, name=f"Anna {number}", line=number, place=place, points_printed=points[number],
                rating_printed=ratings[number - 1] if ratings else None,
            )
            for number, place in enumerate(places, 1)
        ),
        games=tuple(
            ReportedGame(*game[:3], *game[3:5], played=game[5] if len(game) > 5 else True, lines=(line,))
            for line, game in enumerate(games, 10)
        ),
    )  # fmt: skip


def without_points(read):
    return replace(read, players=tuple(replace(player, points_printed=None) for player in read.players))


ABOUT_PLACES = ("place", "tie-break", "shared", "round-scores", "plus-draw", "decided-ties")


def tie_breaks(*standings, shared_places=(), **counting):
    return replace(
        details_of(FMJD_FILE), standings=standings, shared_places=shared_places, system=None, **counting
    )


def about_places(read, standings, shared_places=(), **counting):
    details = tie_breaks(*standings, shared_places=shared_places, **counting)
    findings = check_report(read, details, today=TODAY)
    return [each for each in read.grouped_findings(findings) if each.code.startswith(ABOUT_PLACES)]


def said(read, standings, shared_places=(), **counting):
    return [
        (each.code, each.line, each.found, each.expected)
        for each in about_places(read, standings, shared_places, **counting)
    ]


def test_a_place_against_the_deciding_tie_break_is_found_with_players_places_and_article():
    (finding,) = about_places(report(SWISS, (2, 3, 1, 4)), ("solkoff", "lot"))
    assert (finding.code, finding.severity) == ("places-contradict-tie-breaks", Severity.WARNING)
    assert (finding.line, finding.field, finding.article) == (3, "place", "Annex 5 art. 3.1 a")
    assert finding.message == (
        "Numbers 3 (Anna 3), 1 (Anna 1): The places contradict the tie-breaks in the details. "
        "Deciding tie-break: Solkoff."
    )
    assert (finding.found, finding.expected) == ("places 1, 2", "1. Anna 1, 2. Anna 3")
    assert said(report(SWISS, (1, 3, 2, 4)), ("solkoff", "lot")) == []


@pytest.mark.parametrize("places", [(1, 3, 2, 4), (2, 3, 1, 4), (2, 4, 1, 3)])
def test_players_equal_in_all_have_their_places_in_any_order_or_share_them(places):
    assert said(report(EQUAL, places), ("solkoff",)) == []
    assert said(report(EQUAL, places), ("solkoff",), ((1, 2), (3, 4))) == []
    assert said(report(EQUAL, (1, 3, 1, 3)), ("solkoff",), ((1, 2), (3, 4))) == []


def test_a_shared_place_of_players_whom_a_tie_break_decides_is_found():
    expected = [("places-contradict-tie-breaks", 3, "place 1", "2. Anna 3")]
    assert said(report(SWISS, (1, 3, 1, 4)), ("solkoff",), ((1, 2),)) == expected
    assert said(report(SWISS, (2, 3, 1, 4)), ("solkoff",), ((1, 2),)) == expected


def test_a_player_behind_several_equal_ones_may_have_any_of_their_places():
    """A round robin in which 1 lost to all, who drew with each other: 2, 3 and 4 have 4 points and one win."""
    games = (
        *((1, 2, 1, 2, 0), (1, 3, 4, 1, 1), (2, 3, 1, 2, 0), (2, 2, 4, 1, 1)),
        *((3, 4, 1, 2, 0), (3, 2, 3, 1, 1)),
    )
    read = without_points(report(games, (1, 2, 3, 4), system="round-robin"))
    (finding,) = about_places(read, ("wins", "mutual"))
    assert (finding.found, finding.expected) == ("places 1, 4", "1-3. Anna 4, 4. Anna 1")
    assert finding.statement == "The places contradict the points."


def test_a_round_robin_is_decided_by_the_result_between_the_tied_players():
    order = ("wins", "mutual", "classification")
    assert said(report(ROUND_ROBIN, (2, 3, 4, 1), system="round-robin"), order) == []
    (finding,) = about_places(report(ROUND_ROBIN, (3, 2, 4, 1), system="round-robin"), order)
    assert (finding.line, finding.article) == (2, "Annex 3 art. 5.11.1.2.1")
    assert finding.statement.endswith("Deciding tie-break: Result between the tied players.")
    assert (finding.found, finding.expected) == ("places 2, 3", "2. Anna 1, 3. Anna 2")


def test_results_of_a_player_who_left_early_are_cancelled():
    """Annex 3 art. 5.9 A a, R53."""
    assert said(report(LEFT, (1, 2, 3, 4), system="round-robin"), ("wins",)) == [
        # By the printed points 2 is first: that is another check.
        ("places-contradict-points", 2, "place 2 with 4 points, place 1 with 3", "places in the order of the points")
    ]  # fmt: skip
    assert said(report(LEFT, (2, 1, 3, 4), system="round-robin"), ("wins",)) == [
        ("places-contradict-tie-breaks", 2, "places 1, 2", "1. Anna 1, 2. Anna 2")
    ]
    (finding,) = about_places(report(LEFT_LEVEL, (2, 1, 4, 3), system="round-robin"), ("wins",))
    assert (finding.line, finding.article) == (4, "Annex 3 art. 5.9; R53")
    assert finding.statement.endswith("after half of the games or fewer are not classified.")
    assert (finding.found, finding.expected) == ("places 3, 4", "3. Anna 3, 4. Anna 4")


def test_a_player_who_left_and_two_tied_players_in_each_others_places_are_two_findings():
    """LEFT_LEVEL: 3, 3, 0 without the games of 4, who is last. 1 and 2 have one win each; 2 has the higher rating.

    Printed: 4 before 3, and 1 before 2. Each is found by what decides it, at the first of its players in the file's
    order of places.
    """
    read = report(LEFT_LEVEL, (1, 2, 4, 3), system="round-robin", ratings=(1900, 2000, 1800, 1700))
    found = about_places(without_points(read), ("own",))
    assert [(each.line, each.article, each.found, each.expected) for each in found] == [
        (1, "Annex 5 art. 3.1 j", "places 1, 2", "1. Anna 2, 2. Anna 1"),
        (4, "Annex 3 art. 5.9; R53", "places 3, 4", "3. Anna 3, 4. Anna 4"),
    ]


def test_a_player_without_a_place_is_compared_with_no_other():
    """SWISS: 1, 3, 2, 4 by Solkoff. Without a place of 2 the others have 1, 2 and 3 among themselves."""
    missing = ("place-missing", 2, "0", "a place for each player, or 0 for all")
    assert said(report(SWISS, (1, None, 2, 3)), ("solkoff",)) == [missing]
    assert said(report(SWISS, (2, None, 1, 3)), ("solkoff",)) == [
        missing, ("places-contradict-tie-breaks", 3, "places 1, 2", "1. Anna 1, 2. Anna 3"),
    ]  # fmt: skip


def test_teams_are_compared_by_the_places_that_name_them():
    """R52a: equal places are one team; by individual points (art. 5.11.2.2.1) the second is first."""
    (finding,) = about_places(report(TEAMS, (1, 2, 3, 1, 2, 3), system="teams"), ("individual", "boards"))
    assert (finding.line, finding.article) == (1, "Annex 3 art. 5.11.2.2.1")
    assert (finding.found, finding.expected) == ("teams in places 1, 2", "places 2, 1, in the same order")
    assert said(report(TEAMS, (2, 1, 3, 2, 1, 3), system="teams"), ("individual", "boards")) == []


def test_ratings_are_those_printed_and_without_them_nothing_is_decided():
    """Average of the opponents: (1800 + 1900) / 2 = 1850 of 1, (1600 + 2000) / 2 = 1800 of 3."""
    swapped = report(EQUAL, (2, 4, 1, 3), ratings=(2000, 1800, 1900, 1600))
    assert [(each.article, each.found) for each in about_places(swapped, ("aro",))] == [
        ("Annex 5 art. 3.1 h", "places 1, 2")
    ]
    assert said(report(SWISS, (2, 3, 1, 4)), ("aro", "solkoff")) == []
    assert said(report(SWISS, (2, 3, 1, 4), ratings=(2000, None, 1900, 1600)), ("own", "solkoff")) == []
    assert said(report(SWISS, (2, 3, 1, 4)), ("lot", "solkoff")) == []


def test_one_cause_has_one_finding():
    """Neither a place against the points nor a place used twice is reported a second time."""
    against_points = said(report(SWISS, (1, 2, 3, 4)), ("solkoff",))
    assert [code for code, *_ in against_points] == ["places-contradict-points"]
    assert [code for code, *_ in said(report(SWISS, (1, 3, 1, 4)), ("solkoff",))] == ["place-repeated"]


@pytest.mark.parametrize("places", [(2, 3, 1, 4), (0, 0, 0, 0)])
def test_without_tie_breaks_or_places_nothing_is_compared(places):
    assert said(report(SWISS, places), () if any(places) else ("solkoff",)) == []


@pytest.mark.parametrize(
    ("severity", "field", "is_found"),
    [
        (Severity.ERROR, "round", False),
        # A warning leaves the results as they are, and an error in a name leaves the order as it is.
        (Severity.WARNING, "round", True),
        (Severity.ERROR, "first_name", True),
    ],
)
def test_places_are_compared_unless_results_could_not_be_read(severity, field, is_found):
    unread = new_finding("section-missing", severity, line=1, field=field, tag="players")
    read = replace(report(SWISS, (2, 3, 1, 4)), findings=(unread,))
    found = [each.code for each in check_report(read, tie_breaks("solkoff"), today=TODAY)]
    assert ("places-contradict-tie-breaks" in found) is is_found


def test_one_player_moved_is_one_finding_by_the_tie_break_that_moves_them():
    """A Swiss of six, two rounds: 1, 2 and 3 won twice or drew; the order of the others among themselves is right.

    Wins 2-0: 1-4, 2-5, 3-6; then 1-5, 2-6, 3-4. So 1, 2, 3 have 4 points; wins are 2 each; the own ratings decide.
    """
    games = (
        *((1, 1, 4, 2, 0), (1, 2, 5, 2, 0), (1, 3, 6, 2, 0)),
        *((2, 1, 5, 2, 0), (2, 2, 6, 2, 0), (2, 3, 4, 2, 0)),
    )
    read = report(games, (3, 1, 2, 4, 5, 6), ratings=(2100, 2000, 1900, 1800, 1700, 1600))
    assert said(read, ("wins", "own")) == [
        ("places-contradict-tie-breaks", 2, "places 1, 2, 3", "1. Anna 1, 2. Anna 2, 3. Anna 3")
    ]


def test_places_follow_what_tie_break_games_decided_among_players_equal_in_all():
    """EQUAL: 1 and 3 have 3 points and 4 of Solkoff, 2 and 4 have 1 point. Number 3 won the tie-break game."""
    decided = {"decided_ties": ((3, 1),)}
    assert said(report(EQUAL, (2, 3, 1, 4)), ("solkoff", "lot"), **decided) == []
    (finding,) = about_places(report(EQUAL, (1, 3, 2, 4)), ("solkoff", "lot"), **decided)
    assert finding.statement.endswith("Deciding tie-break: Tie-break games or lot of the tournament.")
    assert (finding.article, finding.found) == ("Annex 3 art. 5.10", "places 1, 2")
    assert finding.expected == "1. Anna 3, 2. Anna 1"
    # Without named tie-breaks the decision alone is compared.
    assert [each.expected for each in about_places(report(EQUAL, (1, 3, 2, 4)), (), **decided)] == [
        finding.expected
    ]


def test_decided_ties_are_of_players_of_the_report_with_equal_points():
    read = report(EQUAL, (1, 3, 2, 4))
    assert said(read, (), decided_ties=((3, 9, 1), (8, 2))) == [
        ("decided-ties-differ", None, "numbers 9, 8", "tournament numbers of the report")
    ]
    assert said(read, (), decided_ties=((1, 2),)) == [
        ("decided-ties-differ", None, "numbers 1, 2 with 3, 1 points", "players with the same points")
    ]
    assert [each.found for each in about_places(report(TEAMS, (1, 2, 3, 1, 2, 3), system="teams"), (),
            decided_ties=((1, 2),))] == ["a team tournament"]  # fmt: skip


def test_places_follow_the_points_of_rounds_not_those_of_the_file():
    """SWISS with 5-0 for a win and 3-3 for a draw: 1 has 8, 3 has 8, 2 has 5, 4 has 0. With 7-1 and 0-0: 7, 8, 7, 2."""
    assert said(report(SWISS, (2, 3, 1, 4)), (), round_scores=((5, 0), (3, 3))) == []
    scores = {"round_scores": ((7, 1), (0, 0))}
    # By points of the file 1 and 3 are ahead of 2; by those of the rounds 2 is first.
    assert said(report(SWISS, (2, 1, 3, 4)), (), **scores) == []
    (finding,) = about_places(report(SWISS, (1, 2, 3, 4)), (), **scores)
    assert finding.statement == "The places contradict the points."
    assert finding.expected == "1. Anna 2, 2-3. Anna 1"


def test_points_of_rounds_and_plus_draws_fit_the_games():
    read = report(SWISS, (2, 3, 1, 4))
    assert said(read, (), round_scores=((12, 0), (9, 3))) == [
        ("round-scores-differ", None, "points 12-0, 9-3", "1 pair of points for a win")
    ]
    assert said(read, (), plus_draws=((2, 1, 3, 1),)) == []
    wrong = ((1, 1, 1, 2), (2, 1, 3, 2))  # won by 1; not paired
    assert [found for _, _, found, _ in said(read, (), plus_draws=wrong)] == ["round 1: 1-2", "round 2: 3-2"]


def test_players_equal_in_all_have_to_play_for_a_place_on_which_a_title_depends():
    """R52: EQUAL has 1 and 3 in places 1 and 2, 2 and 4 in places 3 and 4. In a World Championship the first three
    places are GMI, the fourth is MI (Annex 10 art. 3.1.1, 3.1.2), and the first is the champion's.
    """
    championship = {"competition": Competition.WORLD_CHAMPIONSHIP, "played_from": date(2026, 5, 2)}
    read = report(EQUAL, (1, 3, 2, 4))
    (first, second) = about_places(read, ("solkoff", "lot"), **championship)
    assert [each.code for each in (first, second)] == ["tie-break-to-be-played"] * 2
    assert (first.severity, first.line, first.field) == (Severity.WARNING, 1, "place")
    assert [each.found for each in (first, second)] == [
        "places 1 to 2, equal in all tie-breaks",
        "places 3 to 4, equal in all tie-breaks",
    ]
    # With its result, or as places that stay shared, it is settled.
    decided = about_places(read, ("solkoff", "lot"), decided_ties=((1, 3),), **championship)
    assert [each.line for each in decided] == [second.line]
    assert said(read, ("solkoff",), ((1, 2), (3, 4)), **championship) == []
    # An American championship of fewer than 8 players gives no title (art. 3.4). Nothing depends on a place elsewhere,
    # nor is anything known without the ratings that decide.
    assert said(read, ("solkoff",), **championship | {"competition": Competition.AMERICAN_CHAMPIONSHIP}) == []
    assert said(read, ("solkoff",)) == []
    assert said(read, ("solkoff", "own"), **championship) == []


# --- the places that results entry fills in


@pytest.mark.parametrize(
    ("games", "system", "tie_breaks", "places"),
    [
        (SWISS, "swiss", ("solkoff",), (1, 3, 2, 4)),
        # Equal in all that is named: a lot gives them their order.
        (EQUAL, "swiss", ("solkoff", "lot"), (None, None, None, None)),
        (SWISS, "swiss", ("lot",), (None, 3, None, 4)),
        # Without tie-breaks in the details those of art. 5.11.2: number of wins, then the game of the two.
        (ROUND_ROBIN, "round-robin", (), (2, 3, 4, 1)),
        # A player who left early is last (5.9).
        (LEFT, "round-robin", (), (1, 2, 3, 4)),
        # Tie-breaks of teams are not those of players; in a tournament of teams points alone decide.
        (SWISS, "swiss", ("boards",), (None, 3, None, 4)),
        (ROUND_ROBIN, "teams", (), (None, None, 4, 1)),
    ],
)
def test_places_are_filled_in_by_the_tie_breaks_of_the_details(games, system, tie_breaks, places):
    read = report(games, (None,) * 4, system=system)
    details = FmjdDetails(discipline="100", standings=tie_breaks)
    filled = places_by_tie_breaks(read, details, System(system))
    assert tuple(filled[number] for number in range(1, 5)) == places
