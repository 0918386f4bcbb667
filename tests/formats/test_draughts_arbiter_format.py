"""The crosstable of Draughts Arbiter: places, colours, regulatory results, pauses, totals."""

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import (
    ARBITER_FILE,
    all_findings,
    assert_complete,
    edited,
    places,
    sample,
    spoiled,
)

CLEAN = ARBITER_FILE.read_bytes()
HEADER = "Place;S.No.;Title;Name;Fed.;FMJD;R1;R2;Total;SSolk"


def table(*rows, header=HEADER):
    """A small tournament of two rounds."""
    return "\r\n".join([";Tournament table", "Small Open", header, *rows]).encode()


FOUR = (
    "1;3;;Aabel, Ann;NED;A 2100;2w2;3b2;4;5",
    "2;4;MI;Bosch, Bea;NED; ;1b0;4w2;2;5",
    "3;1;;Claes, Cor;BEL;2050;4w1;1w0;1;5",
    "4;2;;Dierickx, Dan;BEL;B 1999;3b1;2b0;1;5",
)


def one_of(**rows):
    """The four rows with some replaced: ``one_of(row2=...)``."""
    return table(*(rows.get(f"row{i}", row) for i, row in enumerate(FOUR, start=1)))


def test_the_fictional_export_is_read_whole_and_without_findings():
    read = read_report(CLEAN)
    assert read.findings == ()
    assert (read.format, read.encoding, len(read.players), read.rounds) == (
        "draughts-arbiter", "utf-8", 17, 7,
    )  # fmt: skip
    assert read.info.name == "FICTIONAL WORLD CUP* Kaba-Tougan Open 2025"
    assert read.points_summed == {player.number: player.points_printed for player in read.players}


def test_the_points_are_the_printed_totals_for_every_player_of_the_real_export():
    read = read_report(sample("draughts-arbiter-2022-ouagadougou.csv"))
    assert read.findings == ()
    assert (len(read.players), read.rounds, len(read.games)) == (68, 9, 306)
    assert read.points_summed == {player.number: player.points_printed for player in read.players}
    assert [game.result for game in read.games if not game.played] == ["0x0", "0x0"]


def test_an_opponent_is_named_by_their_place_and_the_game_by_start_numbers_once_with_both_its_lines():
    read = read_report(one_of())
    assert [(game.round, game.white, game.black, game.result, game.lines) for game in read.games] == [
        (1, 3, 4, "2-0", (4, 5)), (1, 1, 2, "1-1", (6, 7)), (2, 1, 3, "0-2", (4, 6)), (2, 4, 2, "2-0", (5, 7)),
    ]  # fmt: skip
    assert read.games[2].columns == (32, 30)


def test_a_player_is_read_as_printed():
    player = next(player for player in read_report(CLEAN).players if player.number == 9)
    assert (player.name, player.first_name, player.last_name) == (
        "Yugomde, Mahamoudi (66)", "Mahamoudi (66)", "Yugomde",
    )  # fmt: skip
    assert (player.place, player.title, player.category_printed, player.rating_printed) == (8, "", "A", 2066)
    assert (player.fmjd_id, player.born, player.sex) == (None, None, "")


def test_federations_keep_what_is_printed_next_to_the_code_used_here():
    printed = {player.federation: player.federation_code for player in read_report(CLEAN).players}
    assert (printed["RDF"], printed["CAR"], printed["CIV"]) == ("RUS", "CAF", "CIV")


def test_titles_and_blank_ratings_are_read():
    players = {player.number: player for player in read_report(CLEAN).players}
    assert {player.title for player in players.values()} == {"", "GMI", "MI", "MF", "CMF", "MFF", "CMFF"}
    assert (players[10].category_printed, players[10].rating_printed) == ("", None)


def test_regulatory_results_get_their_points_from_the_totals_both_ways():
    read = read_report(CLEAN)
    forfeits = [game for game in read.games if not game.played and not game.is_pause]
    assert [(game.round, game.white, game.black, game.result, game.lines) for game in forfeits] == [
        (2, 17, 15, "2x0", (7, 18)), (4, 4, 7, "0x2", (4, 16)), (5, 5, 12, "0x0", (8, 13)),
    ]  # fmt: skip


@pytest.mark.parametrize(("cell", "total", "result"), [("4w-", 0, "0x0"), ("4w2", 2, "2x0")])
def test_two_dashes_are_lost_by_both_and_a_figure_against_a_dash_is_regulatory(cell, total, result):
    read = read_report(
        one_of(row3=f"3;1;;Claes, Cor;BEL;2050;{cell};1w0;{total};5", row4="4;2;;Dierickx, Dan;BEL;;3b-;2b0;0;5")
    )  # fmt: skip
    assert read.findings == ()
    assert [(game.result, game.lines) for game in read.games if not game.played] == [(result, (6, 7))]


@pytest.mark.parametrize("mark", ["", "-", "--", "bye", "PAUSE", "0w2", "0-", "0b2", "02"])
def test_an_empty_cell_and_other_marks_are_a_pause_if_the_total_has_its_points(mark):
    first = f"1;1;;Aabel, Ann;NED;;2w2;{mark};4;0"
    read = read_report(table(first, "2;2;;Bosch, Bea;NED;;1b0;3w2;2;0", "3;3;;Claes, Cor;BEL;;;2b0;0;0"))
    assert read.findings == ()
    assert [(game.round, game.white, game.result) for game in read.games if game.is_pause] == [(2, 1, "2-0")]
    assert read.points_summed == {1: 4, 2: 2, 3: 0}


def test_the_columns_of_tie_breaks_are_not_read_and_said_so():
    unread = read_report(one_of()).unread
    assert [(piece.line, piece.column, piece.text, piece.reason) for piece in unread[:1]] == [
        (4, 38, "5", "column SSolk")
    ]
    assert len(unread) == 4


CASES = [
    # code, rows replaced, line and column of the finding
    ("field-count", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b0;4w2;2"}, (5, 1)),
    ("place-unreadable", {"row2": ";4;MI;Bosch, Bea;NED; ;1b0;4w2;2;5"}, (5, 1)),
    ("place-out-of-order", {"row2": "1;4;MI;Bosch, Bea;NED; ;1b0;4w2;2;5"}, (5, 1)),
    ("number-unreadable", {"row2": "2;x;MI;Bosch, Bea;NED; ;1b0;4w2;2;5"}, (5, 3)),
    ("number-missing", {"row2": "2;;MI;Bosch, Bea;NED; ;1b0;4w2;2;5"}, (5, 3)),
    ("points-unreadable", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b0;4w2;two;5"}, (5, 33)),
    ("points-missing", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b0;4w2; ;5"}, (5, 33)),
    ("name-missing", {"row2": "2;4;MI;;NED; ;1b0;4w2;2;5"}, (5, 8)),
    ("name-not-split", {"row2": "2;4;MI;Bea Bosch;NED; ;1b0;4w2;2;5"}, (5, 8)),
    ("name-not-split", {"row2": "2;4;MI;Bosch, Bea, Jr;NED; ;1b0;4w2;2;5"}, (5, 8)),
    ("title-unknown", {"row2": "2;4;GM;Bosch, Bea;NED; ;1b0;4w2;2;5"}, (5, 5)),
    ("rating-unreadable", {"row2": "2;4;MI;Bosch, Bea;NED;E 12;1b0;4w2;2;5"}, (5, 23)),
    ("country-missing", {"row2": "2;4;MI;Bosch, Bea;; ;1b0;4w2;2;5"}, (5, 19)),
    ("country-unknown", {"row2": "2;4;MI;Bosch, Bea;XXX; ;1b0;4w2;2;5"}, (5, 19)),
    ("cell-unreadable", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b0;4w3;2;5"}, (5, 29)),
    ("opponent-unknown", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b0;9w2;2;5"}, (5, 29)),
    ("cells-disagree", {"row2": "2;4;MI;Bosch, Bea;NED; ;1b1;4w2;3;5"}, (4, 28)),
    ("cells-disagree", {"row2": "2;4;MI;Bosch, Bea;NED; ;1w0;4w2;2;5"}, (4, 28)),
    ("cells-disagree", {"row2": "2;4;MI;Bosch, Bea;NED; ;3b0;4w2;2;5"}, (4, 28)),
    ("forfeit-undecided",
     {"row3": "3;1;;Claes, Cor;BEL;2050;4w-;1w0;5;5", "row4": "4;2;;Dierickx, Dan;BEL;;3b-;2b0;0;5"}, (6, 26)),
    (
        "pause-undecided",
        {
            "row3": "3;1;;Claes, Cor;BEL;2050;;;2;5",
            "row1": "1;3;;Aabel, Ann;NED;A 2100;2w2;0w2;4;5",
            "row4": "4;2;;Dierickx, Dan;BEL;;;2b0;0;5",
        },
        (6, 26),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rows", "place"), CASES)
def test_a_fault_of_the_table_is_found_with_its_line_and_column(code, rows, place):
    findings = read_report(one_of(**rows)).findings
    assert place in places(findings, code)
    assert_complete(findings)


def test_a_missing_header_is_reported_and_nothing_is_read():
    read = read_report(b";Tournament table\r\nSmall Open\r\n1;3;;Aabel, Ann;NED;;2w2;2\r\n")
    assert places(read.findings, "header-missing") == [(3, 1)]
    assert read.players == ()


@pytest.mark.parametrize(
    ("header", "code", "place"),
    [
        ("Place;S.No.;Title;Name;Fed.;FMJD;R1;R2;SSolk", "column-missing", (3, 1)),
        ("Place;S.No.;Title;Name;Club;Fed.;FMJD;R1;R2;Total", "column-unknown", (3, 24)),
        ("Place;S.No.;Title;Name;Fed.;Fed.;R1;R2;Total", "column-unknown", (3, 29)),
        ("Place;S.No.;Title;Name;Fed.;FMJD;R1;R3;Total", "column-unknown", (3, 37)),
        (
            "Place;S.No.;Title;Name;Fed.;FMJD;" + ";".join(f"R{n}" for n in range(1, 106)) + ";Total",
            "limit-rounds",
            (3, 34 + 9 * 3 + 90 * 4),  # behind R1 to R9 and R10 to R99; R101 to R105 are not distinguished
        ),
    ],
)
def test_faults_of_the_column_names_are_found(header, code, place):
    assert places(read_report(table(*FOUR, header=header)).findings, code) == [place]


def test_more_players_than_the_limit_are_reported_once(monkeypatch):
    monkeypatch.setattr("reporting.formats.crosstables.semicolon_table.MAX_PLAYERS", 2)
    assert places(read_report(one_of()).findings, "limit-players") == [(6, 1)]


def test_a_game_with_an_unread_row_asks_nothing_twice():
    read = read_report(one_of(row2="2;4;MI;Bosch, Bea;NED; ;1b0;4w2;2"))
    assert [finding.code for finding in read.findings] == ["field-count"]
    assert read.undecided == {3, 2}


def test_a_total_that_is_not_the_sum_is_an_error_at_its_column():
    findings = all_findings(edited(ARBITER_FILE, "4b2;1b1;9;49", "4b2;1b1;8;49"), ARBITER_FILE)
    (finding,) = [finding for finding in findings if finding.code == "points-differ"]
    assert finding.severity is Severity.ERROR
    assert (finding.line, finding.column, finding.found) == (5, 64, "8 points")
    assert finding.expected == "9: 3 won, 3 drawn, 1 lost"


def test_names_of_an_export_that_break_the_rules_of_the_form_are_warnings():
    findings = [finding for finding in all_findings(CLEAN, ARBITER_FILE) if finding.code.startswith("name-")]
    assert {finding.severity for finding in findings} == {Severity.WARNING}
    assert [(finding.code, finding.line, finding.column) for finding in findings] == [
        ("name-outside-alphabet", 8, 17), ("name-outside-alphabet", 11, 25), ("name-shortened", 19, 18),
        ("name-outside-alphabet", 20, 23),
    ]  # fmt: skip


def test_an_export_asks_neither_birth_nor_sex_before_the_players_are_matched():
    codes = {finding.code for finding in all_findings(CLEAN, ARBITER_FILE)}
    assert not codes & {"born-missing", "sex-missing"}


def test_the_same_export_saved_with_other_line_ends_is_the_same():
    other = read_report(spoiled(ARBITER_FILE, {}, line_end="\n").replace(b"\r", b""))
    assert (other.players, other.games) == (read_report(CLEAN).players, read_report(CLEAN).games)
