"""The Tournament Report File of FIDE (TRF16): columns, result letters, byes, dates, and whose points they are."""

import random
import re
from datetime import date

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import PointsScale
from tests.formats.report_files import FILES, TODAY, TRF16_FILE, assert_complete, places, read_submission

CLEAN = TRF16_FILE.read_bytes()
DETAILS = TRF16_FILE.with_suffix(".toml").read_bytes()
FMJD, HALVES = PointsScale.WHOLE, PointsScale.HALVES


def player(number, name="Aabel, Ann", points="0.0", cells=(), **more):
    """A line 001, written by the columns of the specification."""
    text = {
        "sex": "w", "title": "", "rating": "", "country": "NED", "id": "", "born": "", "place": number,
    } | more  # fmt: skip
    return (
        f"001 {number:>4} {text['sex']:1}{text['title']:>3} {name:<33} {text['rating']:>4} {text['country']:<3} "
        f"{text['id']:>11} {text['born']:<10} {points:>4} {text['place']:>4}  " + "  ".join(cells)
    )


def cell(opponent="0000", colour="-", result="Z"):
    return f"{opponent:>4} {colour} {result}"


FOUR = (
    player(1, "Aabel, Ann", "2.0", [cell(2, "w", 1), cell(3, "b", 1)]),
    player(2, "Bosch, Bea", "1.0", [cell(1, "b", 0), cell(4, "w", 1)]),
    player(3, "Claes, Cor", "0.5", [cell(4, "w", "="), cell(1, "w", 0)]),
    player(4, "Dierickx, Dan", "0.5", [cell(3, "b", "="), cell(2, "b", 0)]),
)


def report(*lines):
    return "\r\n".join(["012 Small Open", *lines]).encode()


def one_of(**rows):
    """The four players with some lines replaced: ``one_of(row2=...)``; their lines in the file are 2 to 5."""
    return report(*(rows.get(f"row{i}", row) for i, row in enumerate(FOUR, start=1)))


def pair(first, second, points=("0.0", "0.0")):
    """Two players and one round, read: the cells of number 1 and number 2."""
    one = player(1, "Aabel, Ann", points[0], [first])
    other = player(2, "Bosch, Bea", points[1], [second])
    return read_report(report(one, other), points=HALVES)


def errors(findings):
    return [finding.code for finding in findings if finding.severity is Severity.ERROR]


def test_the_fictional_file_is_read_whole_without_findings_and_has_the_printed_totals_doubled():
    read = read_report(CLEAN, points=HALVES)
    assert read.findings == ()
    assert read.points_summed == {player.number: player.points_printed for player in read.players}
    assert read.players[1].points_printed == 7  # printed 3.5
    assert (read.format, read.encoding, len(read.players), read.rounds) == ("trf16", "utf-8", 11, 7)
    info = read.info
    assert (info.name, info.place, info.country_code) == ("Lindmarsh Autumn Open 2026", "Lindmarsh", "ENG")
    assert (info.played_from, info.played_to) == (date(2026, 11, 1), date(2026, 11, 7))
    assert (info.system, info.referee) == ("swiss", "Harriet Quill")
    assert info.rounds == tuple(date(2026, 11, day) for day in range(1, 8))
    assert info.positions["played_from"] == (4, 5)


def test_a_player_is_read_as_printed():
    seven, two = (read_report(CLEAN, points=HALVES).players[i] for i in (6, 1))
    assert (seven.number, seven.name, seven.last_name) == (7, "Gyldenlund, Asger", "Gyldenlund")
    assert (seven.first_name, seven.sex, seven.federation_code) == ("Asger", "M", "DEN")
    assert (seven.rating_printed, seven.born, seven.born_year) == (2077, date(1990, 12, 5), 1990)
    assert (two.born, two.born_year, two.sex) == (None, 2001, "W")
    assert read_report(CLEAN, points=HALVES).players[8].born_year == 1984
    assert {key: two.columns[key] for key in ("number", "name", "country", "born", "points", "place")} == {
        "number": 8, "name": 15, "country": 54, "born": 70, "points": 82, "place": 89,
    }  # fmt: skip


def test_a_number_of_fide_is_a_local_id_and_no_fmjd_id():
    players = read_report(CLEAN, points=HALVES).players
    assert [player.local_id for player in players if player.local_id] == ["1123456", "2288779900"]
    assert {player.fmjd_id for player in players} == {None}
    assert {"fide": 1123456} in [player.other_numbers for player in players]
    assert read_report(one_of(row1=FOUR[0].replace(" " * 12, " " * 11 + "0", 1))).players[0].local_id == ""


def test_lines_that_say_nothing_a_report_needs_are_kept_with_their_reason():
    unread = {piece.line: piece for piece in read_report(CLEAN, points=HALVES).unread}
    assert {line: piece.reason for line, piece in unread.items()} == {
        7: "line 072: number of rated players",
        10: "line 112: deputy arbiter",
        11: "line 122: no time control such as 80+30; enter it in the tournament details",
        24: "line XXR: extension of a pairing program",
    }
    assert (unread[11].column, unread[11].text) == (5, "80 min + 30 s")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("013 The Bridge", "line 013: team"),
        ("082 4", "line 082: number of teams"),
        ("144 9", "line 144: not used in a report"),
        ("### by hand", "line ###: comment"),
        ("BBW 2.0", "line BBW: extension of a pairing program"),
        ("092 Amoeba", "line 092: unknown type; enter it in the tournament details"),
        ("062 many", "line 062: not a number"),
    ],
)
def test_other_lines_are_listed_without_a_finding(line, reason):
    read = read_report(one_of(row4=f"{FOUR[3]}\r\n{line}"), points=HALVES)
    assert read.findings == ()
    assert [(piece.line, piece.reason) for piece in read.unread] == [(6, reason)]


@pytest.mark.parametrize(
    ("words", "system"),
    [
        ("Individual: Swiss-System", "swiss"),
        ("SWISS", "swiss"),
        ("Individual: Round-Robin", "round-robin"),
        ("Team: Swiss-System", "teams"),
    ],
)
def test_known_types_of_competition(words, system):
    assert read_report(one_of(row4=f"{FOUR[3]}\r\n092 {words}")).info.system == system


# Results: cells of the player in the upper line and of the opponent, the game in 2-1-0, whether it counts (R8).
PAIRS = [
    ("1", "0", "2-0", True), ("0", "1", "0-2", True), ("=", "=", "1-1", True), ("+", "-", "2x0", False),
    ("-", "+", "0x2", False), ("-", "-", "0x0", False), ("W", "L", "2x0", False), ("l", "w", "0x2", False),
    ("D", "d", "1x1", False), ("L", "L", "0x0", False),
]  # fmt: skip


@pytest.mark.parametrize(("own", "other", "result", "played"), PAIRS)
def test_every_pair_of_results(own, other, result, played):
    read = pair(cell(2, "w", own), cell(1, "b", other), (str(int(result[0]) / 2), str(int(result[2]) / 2)))
    assert [(game.white, game.black, game.result, game.played) for game in read.games] == [
        (1, 2, result, played)
    ]
    assert [player.points_printed for player in read.players] == [int(result[0]), int(result[2])]
    assert errors(read.findings) == []


def test_black_in_the_upper_line_is_black():
    read = pair(cell(2, "B", "1"), cell(1, "W", "0"), ("1.0", "0.0"))
    assert [(game.white, game.black, game.result, game.lines) for game in read.games] == [
        (2, 1, "0-2", (2, 3))
    ]


@pytest.mark.parametrize("letters", ["WL", "DD", "LL"])
def test_a_game_of_less_than_one_move_is_reported_and_counts_for_no_one(letters):
    read = pair(cell(2, "w", letters[0]), cell(1, "b", letters[1]))
    (finding,) = [finding for finding in read.findings if finding.code == "game-not-rated"]
    assert (finding.severity, finding.line, finding.column) == (Severity.WARNING, 2, 99)
    assert [game.played for game in read.games] == [False]


@pytest.mark.parametrize(
    ("own", "other", "known", "white"), [("-", "-", False, 1), (" ", "w", True, 2), ("b", "-", True, 2)]
)
def test_a_colour_of_one_is_the_colour_of_both_and_without_any_it_is_not_known(own, other, known, white):
    read = pair(cell(2, own, "+"), cell(1, other, "-"), ("1.0", "0.0"))
    assert [(game.white, game.colours_known) for game in read.games] == [(white, known)]
    assert read.findings == ()


@pytest.mark.parametrize("letter", ["U", "F", "u", "f"])
def test_a_bye_by_the_pairing_or_of_a_full_point_is_a_pause(letter):
    read = read_report(report(player(1, points="1.0", cells=[cell(result=letter)])), points=HALVES)
    assert read.findings == ()
    assert [(game.white, game.black, game.result) for game in read.games] == [(1, 0, "2-0")]


@pytest.mark.parametrize("text", ["0000 - Z", "          ", "     - z", "0000 - -", "   0    "])
def test_a_round_without_points_is_no_game(text):
    read = read_report(report(player(1, cells=[text])), points=HALVES)
    assert (read.findings, read.games, read.points_summed) == ((), (), {1: 0})


def test_a_bye_of_half_a_point_asks():
    content = report(player(1, points="1.0", cells=[cell(), cell(result="h")]))
    read = read_report(content)
    assert places(read.findings, "half-point-bye") == [(2, 109)]
    assert errors(read.findings) == ["half-point-bye"]
    assert (read.undecided, read.games) == ({1}, ())


def test_a_bye_of_half_a_point_is_read_where_points_are_halves():
    content = report(player(1, points="0.5", cells=[cell(), cell(result="h")]))
    read = read_report(content, points=HALVES)
    assert read.findings == ()
    assert [(game.white, game.black, game.result, game.round) for game in read.games] == [(1, 0, "1-0", 2)]
    assert read.points_summed == {1: 1}


# The points column


def test_half_points_that_are_all_the_sums_of_the_results_are_taken_with_a_note():
    """Decision 0090: what every pairing program writes needs no choice."""
    read = read_report(CLEAN)
    (finding,) = read.findings
    assert (finding.code, finding.severity) == ("points-scale-taken", Severity.NOTE)
    assert (finding.line, finding.column, finding.found) == (13, 82, "5.5")
    assert read.info.points is HALVES
    assert read.players == read_report(CLEAN, points=HALVES).players


def test_a_scale_that_only_most_totals_fit_is_proposed():
    read = read_report(CLEAN.replace(b"2001/00/00  3.5", b"2001/00/00  4.0"))
    (finding,) = read.findings
    assert (finding.code, finding.severity) == ("points-scale-differs", Severity.ERROR)
    assert (finding.asked_detail, finding.proposed_value) == ("points", "1-0.5-0")
    assert {player.points_printed for player in read.players} == {None}
    assert read.info.points is None


def test_a_swiss_of_a_pairing_program_is_read_without_details():
    totals = [7, 6, 5, 10, 8, 8, 7, 8, 5, 5, 9, 6]  # as printed, times two
    read = read_report((FILES / "ijssel-cup-2026.trf").read_bytes())
    assert [finding.code for finding in read.findings] == ["points-scale-taken"]
    assert [player.points_printed for player in read.players] == totals
    assert read.points_summed == dict(enumerate(totals, start=1))


def doubled(content):
    """The file as a program prints it that counts 2-1-0."""
    lines = content.decode().split("\r\n")
    return "\r\n".join(
        f"{line[:80]}{2 * float(line[80:84]):4.1f}{line[84:]}" if line.startswith("001") else line
        for line in lines
    ).encode()


def test_totals_that_are_right_in_2_1_0_need_no_choice():
    read = read_report(doubled(CLEAN))
    assert read.findings == ()
    assert read.players == read_report(CLEAN, points=HALVES).players


def test_totals_without_halves_that_agree_with_the_other_scale_only_are_taken():
    rows = {"row3": FOUR[2].replace("0.5", "1.0").replace("=", "1"), "row4": FOUR[3].replace("0.5", "0.0")}
    rows["row4"] = rows["row4"].replace("=", "0")
    assert places(read_report(one_of(**rows)).findings, "points-scale-taken") == [(2, 82)]
    assert places(read_report(one_of(**rows), points=FMJD).findings, "points-scale-differs") == [(2, 82)]
    assert read_report(one_of(**rows), points=HALVES).findings == ()


def test_a_scale_that_was_chosen_and_is_not_the_files_is_reported():
    (finding,) = read_report(doubled(CLEAN), points=HALVES).findings
    assert (finding.code, finding.line) == ("points-scale-differs", 13)
    assert (finding.asked_detail, finding.proposed_value) == ("points", "2-1-0")


def test_one_wrong_total_is_the_fault_of_one_player_in_either_scale():
    wrong = CLEAN.replace(b"2001/00/00  3.5", b"2001/00/00  4.0")
    submission = read_submission(content=wrong, sidecar=DETAILS, today=TODAY)
    assert errors(submission.findings) == ["points-differ"]
    assert places(submission.findings, "points-differ") == [(14, 82)]
    assert places(read_report(doubled(wrong)).findings, "points-scale-differs") == []


def test_one_half_among_totals_in_2_1_0_is_the_fault_of_one_player():
    lines = doubled(CLEAN).split(b"\r\n")
    lines[13] = lines[13].replace(b" 7.0 ", b" 7.5 ")
    read = read_report(b"\r\n".join(lines))
    assert errors(read.findings) == ["points-unreadable"]
    assert places(read.findings, "points-unreadable") == [(14, 82)]


def test_the_choice_stands_next_to_the_file_and_is_used_whatever_else_is_wrong_there():
    submission = read_submission(content=CLEAN, sidecar=DETAILS, today=TODAY)
    assert submission.details.points is HALVES
    assert errors(submission.findings) == []
    half = read_submission(content=CLEAN, sidecar=b'points = "1-0.5-0"\n', today=TODAY)
    assert errors(half.findings) == ["detail-missing", "detail-missing"]
    other = read_submission(content=CLEAN, sidecar=b'points = "2-1-0"\n', today=TODAY)
    assert "points-scale-differs" in errors(other.findings)


# The tournament of the file goes into the tournament details


def test_the_days_of_the_rounds_are_taken_into_the_details():
    submission = read_submission(content=CLEAN, sidecar=DETAILS, today=TODAY)
    assert submission.details.rounds == tuple(date(2026, 11, day) for day in range(1, 8))
    one_late = CLEAN.replace(b"  26/11/07", b"  26/11/08")
    submission = read_submission(content=one_late, sidecar=DETAILS, today=TODAY)
    assert places(submission.findings, "round-dates-differ") == [(12, 92)]
    own = DETAILS + b"rounds = [" + b", ".join(b"2026-11-%02d" % day for day in range(1, 8)) + b"]\n"
    submission = read_submission(content=one_late, sidecar=own, today=TODAY)
    (finding,) = [finding for finding in submission.findings if finding.code == "details-differ"]
    assert (finding.field, finding.line, finding.column) == ("rounds", 12, 92)


def test_a_time_control_of_the_grammar_is_held_against_the_details():
    same = CLEAN.replace(b"80 min + 30 s", b"80+30")
    assert read_report(same, points=HALVES).info.time_control == "80+30"
    assert "details-differ" not in {
        finding.code for finding in read_submission(content=same, sidecar=DETAILS, today=TODAY).findings
    }
    other = CLEAN.replace(b"80 min + 30 s", b"90+30")
    submission = read_submission(content=other, sidecar=DETAILS, today=TODAY)
    assert places(submission.findings, "details-differ") == [(11, 5)]
    assert submission.details.time_control == "80+30"


def test_a_name_of_the_file_that_no_tournament_can_have_is_reported():
    long = CLEAN.replace(b"Lindmarsh Autumn Open 2026", b"L" * 81)
    submission = read_submission(content=long, sidecar=DETAILS, today=TODAY)
    assert places(submission.findings, "text-too-long") == [(1, 85)]
    submission = read_submission(content=long, sidecar=DETAILS + b'name = "Short"\n', today=TODAY)
    assert "text-too-long" not in errors(submission.findings)


def test_a_file_without_players_or_games_is_reported():
    submission = read_submission(content=b"012 Empty Open\nXXR 9", sidecar=DETAILS, today=TODAY)
    assert {"no-players", "no-games"} <= set(errors(submission.findings))


# One fault each: the finding names line and column

B = "Bosch, Bea"
LOST_WON = [cell(1, "b", 0), cell(4, "w", 1)]
FAULTS = [
    ("number-missing", player("", B, "1.0", LOST_WON), (3, 5)),
    ("number-unreadable", player("x2", B, "1.0", LOST_WON), (3, 7)),
    ("number-unreadable", player("0", B, "1.0", LOST_WON), (3, 8)),
    ("sex-unknown", player(2, B, "1.0", LOST_WON, sex="x"), (3, 10)),
    ("title-unknown", player(2, B, "1.0", LOST_WON, title="GM"), (3, 12)),
    ("name-missing", player(2, "", "1.0", LOST_WON), (3, 15)),
    ("name-not-split", player(2, "Bea Bosch", "1.0", LOST_WON), (3, 15)),
    ("rating-unreadable", player(2, B, "1.0", LOST_WON, rating="A210"), (3, 49)),
    ("country-missing", player(2, B, "1.0", LOST_WON, country=""), (3, 54)),
    ("country-unknown", player(2, B, "1.0", LOST_WON, country="XXX"), (3, 54)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON, born="14 Mar 198"), (3, 70)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON, born="1988/03"), (3, 70)),
    ("date-unknown", player(2, B, "1.0", LOST_WON, born="1988/02/30"), (3, 70)),
    ("date-unknown", player(2, B, "1.0", LOST_WON, born="1888/00/00"), (3, 70)),
    ("date-unknown", player(2, B, "1.0", LOST_WON, born="1988/05/00"), (3, 70)),
    ("points-unreadable", player(2, B, "1:0", LOST_WON), (3, 82)),
    ("points-unreadable", player(2, B, "1.25", LOST_WON), (3, 81)),
    ("points-unreadable", player(2, B, "1¼", LOST_WON), (3, 83)),
    ("points-missing", player(2, B, "", LOST_WON), (3, 81)),
    ("place-unreadable", player(2, B, "1.0", LOST_WON, place="2."), (3, 88)),
    ("cell-unreadable", player(2, B, "1.0", [cell("1a", "b", 0), cell(4, "w", 1)]), (3, 92)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "x", 0), cell(4, "w", 1)]), (3, 97)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "b", "2"), cell(4, "w", 1)]), (3, 99)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "b", 0), cell(4, "w", "U")]), (3, 109)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "b", 0), cell(4, "w", " ")]), (3, 109)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "b", 0), cell("", "-", "+")]), (3, 109)),
    ("cell-unreadable", player(2, B, "1.0", [cell(1, "b", 0), cell("", "w", "U")]), (3, 107)),
    ("opponent-unknown", player(2, B, "1.0", [cell(1, "b", 0), cell(9, "w", 1)]), (3, 105)),
    ("self-play", player(2, B, "1.0", [cell(1, "b", 0), cell(2, "w", 1)]), (3, 105)),
    ("cells-disagree", player(2, B, "1.0", [cell(1, "b", 1), cell(4, "w", 1)]), (2, 95)),
    ("cells-disagree", player(2, B, "1.0", [cell(1, "b", "-"), cell(4, "w", 1)]), (2, 95)),
    ("cells-disagree", player(2, B, "1.0", [cell(1, "w", 0), cell(4, "w", 1)]), (2, 95)),
    ("cells-disagree", player(2, B, "1.0", [cell(3, "b", 0), cell(4, "w", 1)]), (2, 95)),
    ("cells-disagree", player(2, B, "1.0", [cell(result="U"), cell(4, "w", 1)]), (2, 95)),
    ("cells-disagree", player(2, B, "1.0", [" " * 8, cell(4, "w", 1)]), (2, 95)),
    ("columns-shifted", player(2, "Bosch, Bea of the long name of over 33", "1.0", LOST_WON), (3, 48)),
    ("columns-shifted", " ".join(player(2, B, "1.0", LOST_WON).split()), (3, 9)),
    ("columns-shifted", player(2, B, "1.0", LOST_WON).replace("     ", "\t", 1), (3, 25)),
    ("columns-shifted", player(2, B, "1.0", [cell(1, "b", 0) + " ", cell(4, "w", 1)]), (3, 106)),
    ("columns-shifted", "0012" + player(2, B, "1.0", LOST_WON)[4:], (3, 4)),
    ("limit-rounds", player(2, B, "1.0", LOST_WON + [" " * 8] * 97 + [cell(1, "b", 0)]), (3, 1082)),
    ("key-unknown", player(2, B, "1.0", LOST_WON) + "\r\n  4 w 1", (4, 1)),
    ("key-repeated", player(2, B, "1.0", LOST_WON) + "\r\n012 Another Open", (4, 1)),
    ("player-count-differs", player(2, B, "1.0", LOST_WON) + "\r\n062   5", (4, 7)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON) + "\r\n042 early in November 2026", (4, 5)),
    ("date-unknown", player(2, B, "1.0", LOST_WON) + "\r\n052 2026/02/29", (4, 5)),
    ("country-unknown", player(2, B, "1.0", LOST_WON) + "\r\n032 Nowhere", (4, 5)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON) + "\r\n132 26/11/06 26/11/07", (4, 5)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON) + "\r\n132" + " " * 88 + "26/11/06  2026/11/07", (4, 102)),
    ("date-unreadable", player(2, B, "1.0", LOST_WON) + "\r\n132" + " " * 98 + "26/11/06", (4, 92)),
    ("date-unknown", player(2, B, "1.0", LOST_WON) + "\r\n132" + " " * 88 + "26/11/31", (4, 92)),
]  # fmt: skip


@pytest.mark.parametrize(("code", "line", "place"), FAULTS)
def test_one_fault_is_found_with_its_line_and_column_and_gives_few_findings(code, line, place):
    findings = read_report(one_of(row2=line), points=HALVES).findings
    assert place in places(findings, code)
    assert_complete(findings)
    assert len(findings) <= 2


def test_a_line_that_is_shifted_is_reported_once_and_its_games_ask_nothing_twice():
    read = read_report(
        one_of(row2=player(2, "Bosch, Bea of the long name of over 33", "1.0", LOST_WON)), points=HALVES
    )
    assert [finding.code for finding in read.findings] == ["columns-shifted"]
    assert read.undecided == {1, 4}
    assert [player.number for player in read.players] == [1, 3, 4]


def test_a_number_used_twice_leaves_the_games_of_both_undecided():
    twice = player(2, "Claes, Cor", "0.5", [cell(4, "w", "="), cell(1, "w", 0)])
    read = read_report(one_of(row3=twice), points=HALVES)
    submission = read_submission(content=one_of(row3=twice), sidecar=DETAILS, today=TODAY)
    assert places(submission.findings, "number-repeated") == [(4, 8)]
    # Numbers 1 and 4 also have a game against number 3, who is not there.
    assert places(submission.findings, "opponent-unknown") == [(2, 105)]
    assert {"cells-disagree", "points-differ"}.isdisjoint(errors(submission.findings))
    assert (read.undecided, read.games) == ({1, 2, 4}, ())


@pytest.mark.parametrize("sex", ["w", "W", "f", "F"])
@pytest.mark.parametrize("born", ["1990/02/28", "1990-02-28"])
def test_sex_and_birth_are_read_as_programs_write_them(sex, born):
    read = read_report(one_of(row2=player(2, B, "1.0", LOST_WON, sex=sex, born=born)), points=HALVES)
    assert read.findings == ()
    assert (read.players[1].sex, read.players[1].born) == ("W", date(1990, 2, 28))


def test_days_of_the_tournament_and_of_rounds_may_have_hyphens():
    slashes = read_report(CLEAN, points=HALVES).info
    read = read_report(re.sub(rb"(26)/([0-9]{2})/([0-9]{2})", rb"\1-\2-\3", CLEAN), points=HALVES)
    assert (read.info.played_from, read.info.played_to, read.info.rounds) == (
        slashes.played_from, slashes.played_to, slashes.rounds,
    )  # fmt: skip
    assert len(read.info.rounds) == 7


def test_days_of_rounds_that_cannot_be_read_are_not_used_at_all():
    read = read_report(CLEAN.replace(b"26/11/04", b"26 11 04"), points=HALVES)
    assert places(read.findings, "date-unreadable") == [(12, 122)]
    assert (read.info.rounds, [piece.line for piece in read.unread]) == ((), [7, 10, 11, 12, 24])


def test_a_day_that_cannot_be_read_can_be_given_in_the_form_and_is_asked_there():
    other = CLEAN.replace(b"042 2026/11/01", b"042 early in November")
    submission = read_submission(content=other, sidecar=DETAILS, today=TODAY)
    assert [
        (finding.code, finding.field) for finding in submission.findings if finding.severity is Severity.ERROR
    ] == [("detail-missing", "played_from")]
    submission = read_submission(content=other, sidecar=DETAILS + b"played_from = 2026-11-01\n", today=TODAY)
    assert errors(submission.findings) == []


def test_more_players_than_the_limit_are_reported_once(monkeypatch):
    monkeypatch.setattr("reporting.formats.trf.trf16.MAX_PLAYERS", 2)
    assert places(read_report(one_of(), points=HALVES).findings, "limit-players") == [(4, 1)]


@pytest.mark.parametrize("encode", ["utf-8-sig", "utf-16"])
def test_columns_are_characters_in_every_encoding(encode):
    other = CLEAN.decode().encode(encode)
    assert read_report(other, points=HALVES).players == read_report(CLEAN, points=HALVES).players


def test_a_file_padded_by_bytes_is_reported_at_the_line_with_the_accent():
    shifted = CLEAN.replace("Dąbrowa, Halina ".encode(), "Dąbrowa, Halina".encode())
    assert places(read_report(shifted, points=HALVES).findings, "columns-shifted") == [(16, 48)]


def great_open(players, rounds):
    """A TRF16 file of so many players and rounds, points in 1-½-0, and its number of games."""
    chance = random.Random(1)  # noqa: S311
    cells = {number: [] for number in range(1, players + 1)}
    points = dict.fromkeys(cells, 0)
    for _ in range(rounds):
        order = list(cells)
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            own, other = chance.choice(["10", "==", "01"])
            for number, opponent, colour, letter in ((white, black, "w", own), (black, white, "b", other)):
                cells[number].append(cell(opponent, colour, letter))
                points[number] += {"1": 2, "=": 1, "0": 0}[letter]
    return report(*(player(n, "Bakker, Anna", f"{points[n] / 2:.1f}", cells[n]) for n in cells))


def test_a_thousand_players_in_eleven_rounds_are_read():
    read = read_report(great_open(1_000, 11), points=HALVES)
    assert (len(read.players), len(read.games), read.findings) == (1_000, 5_500, ())


@pytest.mark.parametrize("sign", [b".", b"-"])
def test_days_with_other_signs_are_the_same_days(sign):
    """Births, 042, 052 and the days of the rounds in 132, as the examples of FIDE and its programs write them."""
    other = re.sub(rb"([0-9]{2,4})/([0-9]{2})/([0-9]{2})", rb"\1" + sign + rb"\2" + sign + rb"\3", CLEAN)
    assert other.count(sign * 1) > CLEAN.count(sign * 1) + 8
    read, whole = read_report(other, points=HALVES), read_report(CLEAN, points=HALVES)
    assert (read.info, read.players, read.findings) == (whole.info, whole.players, whole.findings)


def test_one_name_is_read_with_a_comma_and_without():
    """R28."""
    for name in ("Tungalmaa", "Tungalmaa,"):
        read = read_report(one_of(row2=player(2, name, "1.0", LOST_WON)), points=HALVES)
        assert (read.players[1].last_name, read.players[1].first_name, read.findings) == ("Tungalmaa", "", ())
