"""Teams: matches 2-1-0, then individual points, then boards (Annex 3 art. 5.11.2; R52a), by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from reporting.rules.report import ReadReport, ReportedPlayer
from reporting.rules.standings.classify import TeamsOnlyError, classify
from reporting.rules.standings.cross_table import Kind
from reporting.rules.standings.teams import NoTeamsError, NotTeamMatchesError, team_table
from tests.cross_tables import cross_table

# Three teams of two boards: 1 (numbers 1, 4), 2 (2, 5), 3 (3, 6); boards follow the numbers.
# Round 1: 1-2 by 2-0 and 1-1 = 3-1, team 3 pauses. Round 2: 3-1 by 2-0 and 1-1 = 3-1, team 2 pauses.
# Round 3: 2-3 by 2-0 and 2-0 = 4-0, team 1 pauses.
THREE = [
    "2w2 3b0 +",  # 1: 4
    "1b0 + 3w2",  # 2: 4
    "+ 1w2 2b0",  # 3: 4
    "5b1 6w1 +",  # 4: 4
    "4w1 + 6b2",  # 5: 5
    "+ 4b1 5w0",  # 6: 3
]
PLACES = (2, 1, 3, 2, 1, 3)


def reported(places, federations=()):
    return ReadReport(
        format="fmjd",
        encoding="utf-8",
        players=tuple(
            ReportedPlayer(number=number, name=f"Player {number}", place=place, federation_code=code)
            for number, (place, code) in enumerate(
                zip(places, federations or [""] * len(places), strict=True), 1
            )
        ),
    )


def teams(rows, places, *, federations=(), **more):
    return team_table(cross_table(rows, **more), reported(places, federations))


def test_a_match_is_won_with_more_individual_points_and_a_pause_is_a_win():
    table = teams(THREE, PLACES)
    assert table.numbers.tolist() == [1, 2, 3]
    assert table.round_robin
    # Team of place 1 (numbers 2, 5): lost 1-3, pause, won 4-0. Of place 2 (1, 4): won, lost, pause. Of place 3: pause,
    # won, lost.
    assert table.points.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert table.kinds.tolist() == [
        [Kind.PLAYED, Kind.PAUSE, Kind.PLAYED],
        [Kind.PLAYED, Kind.PLAYED, Kind.PAUSE],
        [Kind.PAUSE, Kind.PLAYED, Kind.PLAYED],
    ]


@pytest.mark.parametrize(
    ("second_board", "kind"), [(("4x2", "2x0"), Kind.FORFEIT), (("4w2", "2b0"), Kind.PLAYED)]
)
def test_a_match_is_played_where_one_of_its_boards_is(second_board, kind):
    """Team 1 is numbers 1 and 2, team 2 numbers 3 and 4; the first board is a forfeit."""
    table = teams(["3x2", second_board[0], "1x0", second_board[1]], (1, 1, 2, 2))
    assert table.kinds.tolist() == [[kind], [kind]]


def test_equal_match_points_are_decided_by_individual_points():
    standings = classify(teams(THREE, PLACES))
    assert [each.key for each in standings.tie_breaks] == ["individual", "boards"]
    # Individual: 4 + 5 = 9, 4 + 4 = 8, 4 + 3 = 7.
    assert [standings.columns[0].value(row) for row in range(3)] == [9, 8, 7]
    assert [standings.columns[1].value(row) for row in range(3)] == [[4, 5], [4, 4], [4, 3]]
    assert standings.places.tolist() == [1, 2, 3]


# Two teams twice: 2-0 and 0-2 is a drawn match, 1-1 and 1-1 too. Individual points 4 and 4; board 1: 3 and 1.
TWICE = ["2w2 2b1", "1b0 1w1", "4b0 4w1", "3w2 3b1"]


def test_equal_individual_points_are_decided_by_the_first_board():
    standings = classify(teams(TWICE, (1, 2, 1, 2)))
    assert standings.table.scores.tolist() == [2, 2]
    assert [standings.columns[0].value(row) for row in range(2)] == [4, 4]
    assert [standings.columns[1].value(row) for row in range(2)] == [[3, 1], [1, 3]]
    assert standings.places.tolist() == [1, 2]


def test_teams_equal_in_all_share_the_place():
    standings = classify(teams(["2w1", "1b1", "4b1", "3w1"], (1, 2, 1, 2)))
    assert standings.places.tolist() == [1, 1]


def test_on_a_scale_of_halves_individual_points_are_halved_and_matches_are_not():
    table = teams(TWICE, (1, 2, 1, 2), halves_a_point=2)
    standings = classify(table)
    assert table.scores.tolist() == [2, 2]
    assert standings.columns[0].value(0, table.halves_a_point) == 2
    assert standings.columns[1].value(0, table.halves_a_point) == [Fraction(3, 2), Fraction(1, 2)]


def test_a_missing_player_scores_nothing_and_a_forfeit_counts():
    # Number 3 of team 1 is absent, number 4 of team 2 wins by forfeit: 2-0 at board 1 and 0-2: a drawn match.
    table = teams(["2w2", "1b0", "4x0", "3x2"], (1, 2, 1, 2))
    assert table.points.tolist() == [[1], [1]]
    # Without any pairing of number 3 and 4 team 1 wins 2-0.
    assert teams(["2w2", "1b0", "-", "-"], (1, 2, 1, 2)).points.tolist() == [[2], [0]]


def test_a_swiss_of_teams_is_classified_as_players_are():
    # Four teams of one board, two rounds: 1-2, 3-4, then 1-3, 2-4. Not each has met each.
    table = teams(["2w2 3b2", "1b0 4w2", "4w2 1w0", "3b0 2b0"], (1, 2, 3, 4))
    standings = classify(table)
    assert not table.round_robin
    assert [each.key for each in standings.tie_breaks] == ["short", "plus", "baliakin", "full"]
    # Short truncated Solkoff: 2 met 1 (4) and 4 (0): 4; 3 met 4 (0) and 1 (4): 4.
    assert [standings.columns[0].value(row) for row in (1, 2)] == [4, 4]


def test_a_team_is_called_by_the_federation_of_its_players():
    table = teams(TWICE, (1, 2, 1, 2), federations=("NED", "SEN", "NED", "FRA"))
    assert table.names == ("NED", "2")


def test_what_is_no_team_tournament_is_refused():
    with pytest.raises(NotTeamMatchesError) as refused:  # the players of team 1 meet teams 2 and 3
        teams(["2w2", "1b0", "4w2", "3b0"], (1, 2, 1, 3))
    assert (refused.value.round, refused.value.number) == (1, 1)
    with pytest.raises(NotTeamMatchesError):  # both are of one team
        teams(["2w2", "1b0"], (1, 1))
    report = reported((1, 2, 1, 2))
    without = replace(report, players=(*report.players[:3], replace(report.players[3], place=None)))
    with pytest.raises(NoTeamsError) as missing:
        team_table(cross_table(TWICE), without)
    assert missing.value.number == 4
    with pytest.raises(TeamsOnlyError, match="individual, boards"):
        classify(cross_table(TWICE), ["individual", "wins", "boards"])


def test_the_order_of_rows_does_not_matter():
    expected = {
        int(number): int(place)
        for standings in [classify(teams(THREE, PLACES))]
        for number, place in zip(standings.table.numbers, standings.places, strict=True)
    }
    table = cross_table(THREE)
    order = [5, 2, 0, 4, 1, 3]
    back = [order.index(row) for row in range(6)]
    shuffled = replace(
        table,
        numbers=table.numbers[order],
        names=tuple(table.names[row] for row in order),
        opponents=np.array(
            [[back[cell] if cell >= 0 else cell for cell in table.opponents[row]] for row in order]
        ),
        kinds=table.kinds[order], points=table.points[order], colours=table.colours[order],
    )  # fmt: skip
    report = reported(PLACES)
    standings = classify(
        team_table(shuffled, replace(report, players=tuple(report.players[row] for row in order)))
    )
    found = dict(zip(standings.table.numbers.tolist(), standings.places.tolist(), strict=True))
    assert found == expected
