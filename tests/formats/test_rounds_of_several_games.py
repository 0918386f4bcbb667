"""Rounds of several games (Annex 3 art. 5.6a, R25): the details name their time controls, the file a round for each."""

import io
from datetime import date

import openpyxl
import pytest

from reporting.formats.spreadsheets.template import template_xlsx
from tests.formats.report_files import read_submission

TODAY = date(2026, 11, 14)
SESSION = b'discipline = "100"\nsession = ["80+30", "15+5", "5+3"]\n'
# Two rounds of three games; in round 1 number 1 beat number 2 at once, so that their other games were not played.
TABLE = (
    b"31101 Ann Aabel nl 2/2 - - 1/3 1/3 2/3 6\n"
    b"31102 Bea Bosch nl 0/1 - - 1/4 2/4 - 3\n"
    b"31103 Cor Claes be 1/4 1/4 2/4 1/1 1/1 0/1 6\n"
    b"31104 Dan Dierickx be 1/3 1/3 0/3 1/2 0/2 - 3\n"
)
PLACES = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
CONTROLS = {1: "80+30", 2: "15+5", 3: "5+3"}


def games(read):
    return sorted((game.round, game.number, game.white, game.black, game.result) for game in read.games)


EXPECTED = [
    (1, 1, 1, 2, "2-0"), (1, 1, 3, 4, "1-1"), (1, 2, 3, 4, "1-1"), (1, 3, 3, 4, "2-0"),
    (2, 1, 1, 3, "1-1"), (2, 1, 2, 4, "1-1"), (2, 2, 1, 3, "1-1"), (2, 2, 2, 4, "2-0"), (2, 3, 1, 3, "2-0"),
]  # fmt: skip


def workbook(results):
    """The form of art. 11 as XLSX, with the four players and these results."""
    book = openpyxl.load_workbook(io.BytesIO(template_xlsx()))
    columns = {cell.value: cell.column for cell in book["Players"][1]}
    names = (
        ("Aabel", "Ann", "NED"), ("Bosch", "Bea", "NED"), ("Claes", "Cor", "BEL"), ("Dierickx", "Dan", "BEL"),
    )  # fmt: skip
    for row, ((last, first, country), points) in enumerate(zip(names, (6, 3, 6, 3), strict=True), start=2):
        values = {"No.": row - 1, "FMJD-ID": 31099 + row, "Last name": last, "First name": first,
                  "Country": country, "Points": points}  # fmt: skip
        for name, value in values.items():
            book["Players"].cell(row, columns[name], value)
    for row, values in enumerate(results, start=2):
        for column, value in enumerate(values, start=1):
            book["Results"].cell(row, column, value)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def in_file(game):
    """A game as the file has it: in a round of its own."""
    turn, number, white, black, result = game
    return (turn - 1) * 3 + number, white, black, result


@pytest.mark.parametrize("content", [TABLE, workbook(map(in_file, EXPECTED))], ids=["table", "xlsx"])
def test_a_file_has_a_round_for_each_game_of_a_session(content):
    submission = read_submission(content=content, sidecar=SESSION, today=TODAY)
    assert games(submission.read) == EXPECTED
    assert {game.number: game.time_control for game in submission.read.games} == CONTROLS
    assert submission.read.rounds == 2
    assert submission.read.points_summed == {1: 6, 2: 3, 3: 6, 4: 3}
    codes = {finding.code for finding in submission.findings}
    # Deciding games need not be played (art. 5.6a): nothing is missing, and no two players met twice.
    assert not codes & {"session-opponents", "session-game-missing", "points-differ", "paired-twice", "met-before",
                        "round-missing", "game-missing", "result-missing"}  # fmt: skip


def test_without_a_session_the_same_file_has_a_game_a_round():
    submission = read_submission(
        content=TABLE, sidecar=b'discipline = "100"\ntime_control = "80+30"\n', today=TODAY
    )
    assert submission.read.rounds == 6
    assert {(game.number, game.time_control) for game in submission.read.games} == {(1, "")}


def found(content, code, more=b'system = "swiss"\n'):
    submission = read_submission(content=content, sidecar=SESSION + more, today=TODAY)
    return [finding for finding in submission.findings if finding.code == code]


def test_games_of_a_round_against_two_opponents_are_a_warning():
    """Rounds 2 and 3 of the file changed places with 5 and 6: the columns are not in the order of the session."""
    wrong = (
        b"31101 Ann Aabel nl 2/2 1/3 2/3 1/3 - - 6\n"
        b"31102 Bea Bosch nl 0/1 2/4 - 1/4 - - 3\n"
        b"31103 Cor Claes be 1/4 1/1 0/1 1/1 1/4 2/4 6\n"
        b"31104 Dan Dierickx be 1/3 0/2 - 1/2 1/3 0/3 3\n"
    )
    findings = found(wrong, "session-opponents")
    assert {finding.found for finding in findings} == {
        "number 1 against 2, and in game 2 against 3", "number 2 against 1, and in game 2 against 4",
        "number 3 against 4, and in game 2 against 1", "number 4 against 3, and in game 2 against 2",
        "number 3 against 1, and in game 2 against 4", "number 4 against 2, and in game 2 against 3",
    }  # fmt: skip
    assert {finding.severity.value for finding in findings} == {"warning"}


def test_a_game_missing_between_others_is_a_warning():
    gap = TABLE.replace(b"1/3 1/3 2/3 6", b"1/3 - 2/3 5").replace(b"1/1 1/1 0/1 6", b"1/1 - 0/1 5")
    assert [finding.found for finding in found(gap, "session-game-missing")] == [
        "number 1 without game 2 of round 2", "number 3 without game 2 of round 2",
    ]  # fmt: skip


def test_days_are_given_for_rounds_not_for_games():
    days = b'system = "swiss"\nplayed_from = 2026-11-06\nplayed_to = 2026-11-07\nrounds = [2026-11-06, 2026-11-07]\n'
    assert found(TABLE, "round-dates-differ", days) == []


def test_a_player_without_any_game_of_a_round_lacks_a_result():
    absent = TABLE.replace(b"2/2 - - 1/3", b"- - - 1/3").replace(b"0/1 - - 1/4", b"- - - 1/4")
    absent = absent.replace(b"2/3 6", b"2/3 4")
    assert [finding.found for finding in found(absent, "result-missing")] == ["no result in round 1"] * 2
    report = TABLE + b"31105 Eva Engel be - - - - - - 0\n"
    assert [finding.found for finding in found(report, "game-missing")] == ["no result in round 1, 2"]
