"""What the checks of results say in the cases at their edges (R20, R21, R25)."""

from dataclasses import replace
from datetime import date

import pytest

from tests.formats.report_files import ARBITER_FILE, TODAY, check_report, details_of
from tests.rules.test_report_checks import codes, small


def in_session(*games, numbers, **unread):
    """What is found and where, of a session whose games have these numbers within their rounds."""
    read = small(*games)
    numbered = tuple(replace(game, number=number) for game, number in zip(read.games, numbers, strict=True))
    details = replace(details_of(ARBITER_FILE), session=("80+30", "30", "15", "5"))
    findings = check_report(replace(read, games=numbered, **unread), details, today=TODAY)
    return [
        (finding.line, finding.column, finding.found)
        for finding in findings
        if finding.code in {"session-opponents", "session-game-missing"}
    ]


def test_a_session_against_two_opponents_names_both_and_the_game():
    """Number 1 played game 1 of round 1 against 2, game 2 against 3 (line 11); 3 has no game 1."""
    assert in_session((1, 1, 2, (2, 0)), (1, 1, 3, (2, 0)), numbers=(1, 2)) == [
        (11, 1, "number 3 without game 1 of round 1"),
        (11, 1, "number 1 against 2, and in game 2 against 3"),
    ]


@pytest.mark.parametrize("unread", [{}, {"undecided": frozenset({1})}])
def test_players_whose_results_are_in_doubt_are_not_asked_for_their_session(unread):
    """Number 1 has game 1 twice, which is found by itself, or results that could not be read."""
    numbers = (1, 2) if unread else (1, 1)
    found = in_session((1, 1, 2, (2, 0)), (1, 1, 3, (2, 0)), numbers=numbers, **unread)
    assert [text for _, _, text in found if text.startswith("number 1 ")] == []


@pytest.mark.parametrize(
    ("white", "unread", "is_found"),
    [
        (9, {}, True),
        (9, {"unread_players": 1}, False),
        (9, {"unread_sections": frozenset({"players"})}, False),
        (1, {"unread_sections": frozenset({"players"})}, False),
    ],
)
def test_an_unknown_number_is_explained_by_players_that_could_not_be_read(white, unread, is_found):
    read = replace(small((1, white, 2, (2, 0))), **unread)
    assert ("number-unknown" in codes(read)) is is_found


def test_days_of_a_reversed_tournament_are_not_held_against_its_games():
    """The first day is after the last one: that is found, and the game's day is within neither."""
    read = small((1, 1, 2, (2, 0)))
    info = replace(read.info, played_from=date(2026, 11, 7), played_to=date(2026, 11, 6))
    games = (replace(read.games[0], finished_on=date(2026, 11, 9)),)
    found = codes(replace(read, info=info, games=games))
    assert "dates-reversed" in found
    assert "game-day-differs" not in found


def test_no_points_printed_are_reported_as_none():
    """All eight of eight players print 0 points for 1 won game: one finding for all of them, with the first one."""
    games = [(1, number, number + 1, (1, 1)) for number in range(1, 9, 2)]
    read = small(*games, players=8)
    players = tuple(replace(player, points_printed=0) for player in read.players)
    (finding,) = [
        finding
        for finding in check_report(replace(read, players=players), None, today=TODAY)
        if finding.code == "points-differ"
    ]
    assert finding.key == "points-differ.most"
    assert finding.found.startswith("0 points")
