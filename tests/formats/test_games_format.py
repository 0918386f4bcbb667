"""The table of games, CSV and XLSX: its header, its players by number or name, its days, every fault with its place."""

import io
from datetime import date

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reporting.formats.detect import read_report
from reporting.rules.details.sessions import in_rounds
from reporting.rules.findings.catalogue import CODES
from reporting.rules.report import MAX_PLAYERS, PointsScale, ReportedGame
from reporting.rules.standings.cross_table import cross_table
from tests.formats.report_files import FILES, assert_complete, check_report
from tests.formats.test_reader_fuzz import MUTATION, everything_about, mutated
from tests.processes.faults.fault_tools import rounds

FILE = FILES / "dyke-league-2026.csv"
HEADER = "round,date,white_id,white_name,black_id,black_name,result"
GAME = "1,2026-01-10,31101,Ann Aabel,31102,Bea Bosch,1-0"


def table(*rows, header=HEADER):
    return "\n".join([header, *rows]).encode()


def workbook(rows, *more_sheets):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name in more_sheets:
        book.create_sheet(name).append(["a note"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def found(read):
    return [
        (finding.key, finding.line, finding.column, finding.found, finding.expected)
        for finding in read.findings
        if finding.code != "country-missing"
    ]


def test_players_are_numbered_as_they_appear_and_one_name_without_a_number_is_one_player():
    read = read_report(FILE.read_bytes())
    assert (read.format, found(read), read.unread) == ("games", [], ())
    assert [(player.number, player.fmjd_id, player.last_name, player.name) for player in read.players] == [
        (1, 31101, "Aabel", "Aabel, Ann"), (2, 31102, "Bosch", "Bosch, Bea"), (3, 31103, "Claes", "Claes, Cor"),
        (4, None, "", "Dan de Vries"),
    ]  # fmt: skip
    first, second = date(2026, 1, 10), date(2026, 2, 7)
    assert read.games == (
        ReportedGame(1, 1, 2, 2, 0, played=True, started_on=first),
        ReportedGame(1, 3, 4, 1, 1, played=True, started_on=first),
        ReportedGame(2, 2, 3, 2, 0, played=False, started_on=second),
        ReportedGame(
            2, 4, 1, 0, 2, played=True, started_on=second, finished_on=date(2026, 2, 9), white_for=31104
        ),
    )


@pytest.mark.parametrize(
    ("result", "expected"),
    [("1-0", "2-0"), ("0-1", "0-2"), ("1/2-1/2", "1-1"), ("+:-", "2x0"), ("-:+", "0x2"), ("-:-", "0x0")],
)
def test_results_are_games_and_forfeits(result, expected):
    (game,) = read_report(table(GAME.replace("1-0", result))).games
    assert game.result == expected


@pytest.mark.parametrize(("scale", "halves_a_point"), [(PointsScale.WHOLE, 1), (PointsScale.HALVES, 2)])
def test_the_score_is_that_of_the_tournament_not_that_of_the_results(scale, halves_a_point):
    """Ann wins and draws: 3 in 2-1-0, 1½ in 1-½-0; the file itself says no scale."""
    read = read_report(FILE.read_bytes())
    read_twice = read_report(table(GAME, GAME.replace("1-0", "1/2-1/2").replace("1,", "2,", 1)))
    assert (read.info.points, read_twice.points_summed) == (None, {1: 3, 2: 1})
    assert cross_table(read_twice, scale=scale).halves_a_point == halves_a_point


def test_optional_columns_have_any_order_and_other_separators_are_those_of_other_tables():
    header = HEADER + ",black_for_id,finished"
    content = table(GAME + ",7,2026-01-11", header=header)
    (game,) = read_report(content).games
    assert (game.black_for, game.finished_on) == (7, date(2026, 1, 11))
    assert read_report(content.replace(b",", b";")).games == (game,)
    assert read_report(content.replace(b",", b"\t").decode().encode("utf-16")).games == (game,)


def test_a_workbook_of_one_sheet_is_read_alike_and_its_findings_name_cells():
    row = [1, date(2026, 1, 10), 31101, "Aabel, Ann", 31102, "Bosch, Bea", "1-0"]
    content = workbook([HEADER.split(","), row, [2, *row[1:4], "x", *row[5:]]], "Notes")
    read = read_report(content)
    assert (read.format, read.games[0].started_on, len(read.games)) == ("games", date(2026, 1, 10), 1)
    assert [(finding.key, finding.place) for finding in read.findings] == [
        ("sheet-unknown", "Notes!A1"),
        ("fmjd-id-unreadable.games", "Sheet!E3"),
    ]


def test_every_fault_is_found_at_once_with_line_column_and_what_is_expected():
    read = read_report(
        table(
            GAME + ",,,", "0,10-13-2026,x1,Ann Aabel,,Cor,2-0,soon,0",
            "100,2026-01-10,31101,Ann Aabelsen,2000000001,,1:0,,", GAME + ",,,,7", 'x,"',
            header=HEADER + ",finished,white_for_id,clock",
        )
    )  # fmt: skip
    days = "YYYY-MM-DD, for example 2026-11-06"
    number = "a number from 1 to 2,000,000,000, or nothing for a player without number"
    results = "1-0 0-1 1/2-1/2 +:- -:+ -:-"
    assert found(read) == [
        ("column-unknown.games", 1, 10, "clock", HEADER.replace(",", ", ") + ", finished, white_for_id, black_for_id"),
        ("round-unreadable", 3, 1, "0", "a number from 1 to 99"),
        ("date-unknown.swapped", 3, 2, "10-13-2026", "a date from 01/01/1900 to 31/12/2100"),
        ("fmjd-id-unreadable.games", 3, 3, "x1", number),
        ("result-unknown.games", 3, 7, "2-0", results),
        ("date-unreadable.games", 3, 8, "soon", days),
        ("fmjd-id-unreadable.games", 3, 9, "0", number),
        ("limit-rounds", 4, 1, "100", "at most 99 rounds"),
        ("fmjd-id-repeated.games", 4, 4, "Ann Aabelsen", "Ann Aabel"),
        ("fmjd-id-unreadable.games", 4, 5, "2000000001", number),
        ("name-missing.table", 4, 6, "nothing", "Last, First"),
        ("result-unknown.games", 4, 7, "1:0", results),
        ("field-count.headings", 5, 11, "7", "at most 10 cells"),
        ("line-unreadable.csv", 6, 1, 'x,"', CODES["line-unreadable.csv"].expected),
    ]  # fmt: skip
    assert_complete(read.findings)
    assert [piece.line for piece in read.unread] == [3, 4, 5, 6]
    assert [game.line for game in read.games] == [2]
    # The players of the second line are one with a wrong number, not used, and one of the name Cor.
    assert [player.name for player in read.players] == ["Ann Aabel", "Bea Bosch", "Cor"]


def test_findings_name_the_player_of_their_cell_and_both_players_of_their_game():
    content = table(
        GAME, "1,2026-02-30,31101,Ann Aabel,31103,Cor,1-0", "2,2026-01-10,31102,Bea,31103,Cor,1-0"
    )
    read = read_report(content)
    assert [finding.message for finding in read.grouped_findings(read.findings)] == [
        "Numbers 1 (Ann Aabel), 3 (Cor): This date does not exist.",
        "Number 2 (Bea Bosch): This number has another name on line 2.",
    ]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (HEADER.replace(",white_id", ""), [("column-missing.games", 3)]),
        (HEADER.replace("black_id", "black"), [("column-missing.games", 5), ("column-unknown.games", 5)]),
        (HEADER + ",result", [("column-repeated", 8)]),
        (HEADER.replace("round,date", "date,round"), [("header-missing.games", 1)]),
        ("finished," + HEADER, [("header-missing.games", 1)]),
    ],
)
def test_another_header_is_a_finding(header, expected):
    read = read_report(table(header=header))
    assert [(finding.key, finding.column) for finding in read.findings] == expected
    assert_complete(read.findings)


def test_several_games_of_a_round_are_a_finding_only_where_tournaments_have_rounds():
    """Ann meets Bea and Cor in round 1, and these two meet after that: games 1, 2 and 3 of the round."""
    read = read_report(
        table(
            GAME,
            "1,2026-01-10,31103,Cor,31101,Ann Aabel,1-0",
            "1,2026-01-11,31102,Bea Bosch,31103,Cor,1/2-1/2",
        )
    )
    of_fmjd = check_report(read, None, today=date(2026, 3, 1))
    assert [(finding.code, finding.line, finding.column) for finding in of_fmjd if finding.code == "paired-twice"] == [
        ("paired-twice", 3, 6), ("paired-twice", 4, 4), ("paired-twice", 4, 6)
    ]  # fmt: skip
    numbered = in_rounds(read, (), has_rounds=False)
    without_rounds = check_report(numbered, None, today=date(2026, 3, 1), has_rounds=False)
    assert "paired-twice" not in {finding.code for finding in without_rounds}
    assert [(game.round, game.number) for game in numbered.games] == [(1, 1), (1, 2), (1, 3)]
    # 2 points for a win, 1 for a draw: Ann 2, Bea 1, Cor 2 + 1.
    assert cross_table(numbered).scores.tolist() == [2, 1, 3]


def test_a_gap_in_the_rounds_is_a_finding_only_where_tournaments_have_rounds():
    read = read_report(table(GAME, GAME.replace("1,", "3,", 1)))
    codes = [
        {finding.code for finding in check_report(read, None, today=date(2026, 3, 1), has_rounds=has_rounds)}
        for has_rounds in (True, False)
    ]
    assert ["round-missing" in each for each in codes] == [True, False]


@settings(max_examples=rounds(60, 500))
@given(st.lists(MUTATION, min_size=1, max_size=6))
def test_a_damaged_table_never_breaks_the_reader(mutations):
    everything_about(mutated(FILE.read_bytes(), mutations), FILE)


def test_a_player_more_than_the_limit_is_one_finding():
    rows = [f"1,2026-01-10,{2 * n - 1},A,{2 * n},B,1-0" for n in range(1, MAX_PLAYERS // 2 + 2)]
    read = read_report(table(*rows, rows[-1]))
    assert [(finding.code, finding.found) for finding in read.findings] == [
        ("limit-players", "5,002 players")
    ]
    assert (len(read.players), len(read.games)) == (5_000, 2_500)
