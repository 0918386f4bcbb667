"""The FMJD format (Annex 9 art. 11): what is read, and the findings about everything else (R20, R22)."""

from datetime import date

import pytest

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import ReportedInfo, ReportedPlayer
from tests.formats.report_files import FMJD_FILE, all_findings, assert_complete, places, spoiled

CLEAN = FMJD_FILE.read_bytes()


def test_a_clean_file_is_read_whole_without_findings():
    assert all_findings(CLEAN) == ()
    read = read_report(CLEAN)
    assert (read.format, read.encoding, len(read.players), len(read.games)) == ("fmjd", "utf-8", 13, 49)
    assert read.unread == ()
    assert read.points_summed == {player.number: player.points_printed for player in read.players}


def test_the_info_section_is_read_as_it_stands():
    info = read_report(CLEAN).info
    assert (info.name, info.played_from, info.played_to) == (
        "Zonnebeek Lakes Open 2026", date(2026, 11, 6), date(2026, 11, 12),
    )  # fmt: skip
    assert (info.system, info.national_championship, info.women_championship) == ("swiss", False, False)
    assert (info.referee, info.country, info.country_code) == ("Pieter Ostrava", "be", "BEL")
    assert info.winner == "Emile Kerckhoven"
    assert info.remarks == (
        "Round 3, 5 and 6: one game each by decision of the referee,\n"
        "the players were absent. Odd number of players."
    )
    assert info.positions["played_from"] == (3, 15)


def test_a_player_line_is_read_field_by_field():
    player = read_report(CLEAN).players[6]
    assert player == ReportedPlayer(
        number=7, name="Lotte van der Meerkamp", fmjd_id=None, local_id="A7", place=4, points_printed=9,
        first_name="Lotte", last_name="van der Meerkamp", federation="NED", federation_code="NED",
        born=date(2004, 2, 29), born_year=2004, sex="W",
    )  # fmt: skip
    assert (player.line, player.column("first_name"), player.column("born")) == (23, 12, 39)


def test_results_by_decision_and_pauses_are_not_played():
    games = {game.line: game for game in read_report(CLEAN).games}
    assert [(games[line].result, games[line].played) for line in (33, 34, 48, 62, 69)] == [
        ("2-0", False), ("2-0", True), ("2x0", False), ("0x2", False), ("1x1", False),
    ]  # fmt: skip
    assert {game.result for game in games.values() if not game.played} == {"2-0", "2x0", "0x2", "1x1"}
    assert all(game.is_pause for game in games.values() if not game.played and "-" in game.result)


def test_a_pause_gives_two_points_whichever_colour_is_written():
    other = read_report(spoiled(FMJD_FILE, {33: "1,0,13,0-2"}))
    assert other.findings == ()
    assert other.points_summed == read_report(CLEAN).points_summed
    assert (other.games[0].white, other.games[0].black, other.games[0].result) == (0, 13, "0-2")


def test_keys_tags_and_list_words_are_read_without_case_and_spaces():
    changed = spoiled(
        FMJD_FILE,
        {
            1: "  < Section  INFO >", 3: "PLAYED FROM=06/11/2026", 5: "Type   =swiss",
            6: "NationalChampionship = n", 30: "</END Players>", 48: "3,1,7,2X0",
        },
    )  # fmt: skip
    assert all_findings(changed) == ()
    assert read_report(changed).info == read_report(CLEAN).info


def test_spaces_around_fields_do_not_belong_to_them():
    read = read_report(spoiled(FMJD_FILE, {17: " 11285 , 1,  , 2 ,9 , Willem ,Zonnebeek , nl , , "}))
    assert read.findings == ()
    assert read.players[0] == read_report(CLEAN).players[0]
    assert read.players[0].column("first_name") == 23


def test_windows_line_ends_and_a_byte_order_mark_change_nothing():
    crlf = read_report(b"\xef\xbb\xbf" + CLEAN.replace(b"\n", b"\r\n"))
    assert crlf.findings == ()
    assert (crlf.info, crlf.players, crlf.games) == (
        read_report(CLEAN).info, read_report(CLEAN).players, read_report(CLEAN).games,
    )  # fmt: skip


def test_reading_printing_and_reading_again_gives_the_same():
    read = read_report(CLEAN)
    again = read_report(write_fmjd(read.info, read.players, read.games).encode())
    assert again.findings == ()
    assert (again.info, again.players, again.games) == (read.info, read.players, read.games)


@pytest.mark.parametrize(
    ("info", "player"),
    [
        (ReportedInfo(name="two\nlines"), None),
        (ReportedInfo(remarks="it says </end remark> here"), None),
        (ReportedInfo(), ReportedPlayer(number=1, name="A, B", first_name="A, B")),
    ],
)
def test_what_the_form_cannot_carry_is_not_printed(info, player):
    with pytest.raises(ValueError, match=r"name|remarks|first_name"):
        write_fmjd(info, [player] if player else [], [])


CASES = [
    # code, edits, line and column of the finding
    ("section-missing", dict.fromkeys(range(32, 83)), (30, 15)),
    ("section-repeated", {82: "<section players>"}, (82, 1)),
    ("section-out-of-order", {16: "<section results>", 30: "</end results>", 32: "<section players>"}, (32, 1)),
    ("section-not-closed", {14: ""}, (16, 1)),
    ("section-not-closed", {82: ""}, (81, 11)),
    ("section-end-unexpected", {15: "</end info>"}, (15, 1)),
    ("tag-unknown", {15: "<section Referees>"}, (15, 1)),
    ("tag-unknown", {15: "  </end>"}, (15, 3)),
    ("text-outside-section", {31: "  nobody"}, (31, 3)),
    ("line-unreadable", {9: "place: Zonnebeek"}, (9, 1)),
    ("key-unknown", {9: " plaats = Zonnebeek"}, (9, 2)),
    ("key-repeated", {9: "name = Another"}, (9, 1)),
    ("remark-not-closed", {12: "the players were absent."}, (11, 11)),
    ("field-count", {18: "14302,2,K-12,6,8,Marek,Tarnobrzeski,pl,"}, (18, 1)),
    ("field-count", {18: "14302;2;K-12;6;8;Marek;Tarnobrzeski;pl;;"}, (18, 1)),
    ("field-count", {40: "2,10,0"}, (40, 1)),
    ("type-unknown", {5: "type = KNOCKOUT"}, (5, 8)),
    ("yes-or-no-unknown", {6: "national championship = maybe"}, (6, 25)),
    ("date-unreadable", {3: "played from = 6 Novembre 2026"}, (3, 15)),
    ("date-unknown", {3: "played from = 31/11/2026"}, (3, 15)),
    ("date-unknown", {23: "0,7,A7,4,9,Lotte,van der Meerkamp,NED,29/02/2003,W"}, (23, 39)),
    ("date-unknown", {23: "0,7,A7,4,9,Lotte,van der Meerkamp,NED,01/01/0001,W"}, (23, 39)),
    ("date-unknown", {4: "played to = 31/12/9999"}, (4, 13)),
    ("date-unknown", {4: "played to = 31/12/0000"}, (4, 13)),
    ("country-missing", {17: "11285,1,,2,9,Willem,Zonnebeek,,,"}, (17, 31)),
    ("country-unknown", {17: "11285,1,,2,9,Willem,Zonnebeek,xx,,"}, (17, 31)),
    ("country-unknown", {10: "country = Atlantis"}, (10, 11)),
    ("fmjd-id-unreadable", {17: "112850,1,,2,9,Willem,Zonnebeek,nl,,"}, (17, 1)),
    ("fmjd-id-unreadable", {17: ",1,,2,9,Willem,Zonnebeek,nl,,"}, (17, 1)),
    ("number-missing", {17: "11285,,,2,9,Willem,Zonnebeek,nl,,"}, (17, 7)),
    ("number-unreadable", {17: "11285,0,,2,9,Willem,Zonnebeek,nl,,"}, (17, 7)),
    ("number-unreadable", {34: "1,one,2,2-0"}, (34, 3)),
    ("place-unreadable", {17: "11285,1,,2nd,9,Willem,Zonnebeek,nl,,"}, (17, 10)),
    ("points-missing", {17: "11285,1,,2,,Willem,Zonnebeek,nl,,"}, (17, 12)),
    ("points-unreadable", {17: "11285,1,,2,4.5,Willem,Zonnebeek,nl,,"}, (17, 12)),
    ("sex-unknown", {23: "0,7,A7,4,9,Lotte,van der Meerkamp,NED,29/02/2004,X"}, (23, 50)),
    ("round-unreadable", {34: "0,1,2,2-0"}, (34, 1)),
    ("limit-rounds", {34: "100,1,2,2-0"}, (34, 1)),
    ("result-unknown", {34: "1,1,2,2-1"}, (34, 7)),
    ("result-unknown", {34: "1,1,2, +-"}, (34, 8)),
    ("pause-without-player", {33: "1,0,0,2-0"}, (33, 3)),
    ("pause-result", {33: "1,13,0,1-1"}, (33, 8)),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "place"), CASES)
def test_a_fault_of_the_form_is_found_with_its_line_and_column(code, edits, place):
    findings = read_report(spoiled(FMJD_FILE, edits)).findings
    assert place in places(findings, code)
    assert_complete(findings)


def test_only_an_unknown_key_is_a_warning_of_the_reader():
    severities = {
        finding.code: finding.severity
        for code, edits, _ in CASES
        for finding in read_report(spoiled(FMJD_FILE, edits)).findings
    }
    warnings = {code for code, severity in severities.items() if severity is Severity.WARNING}
    assert warnings == {"key-unknown"}


def test_all_faults_of_a_file_are_reported_at_once_in_the_order_of_its_lines():
    content = spoiled(
        FMJD_FILE,
        {
            3: "played from = 31/11/2026", 17: "11285,1,,2,9,Willem,Zonnebeek,xx,,", 34: "1,1,2,3-0", 40: "2,10",
        },
    )  # fmt: skip
    found = [(finding.code, finding.line) for finding in read_report(content).findings]
    assert found == [
        ("date-unknown", 3), ("country-unknown", 17), ("result-unknown", 34), ("field-count", 40),
    ]  # fmt: skip


def test_what_could_not_be_read_is_listed_and_nothing_is_put_in_its_place():
    read = read_report(spoiled(FMJD_FILE, {34: "1,1,2,3-0", 17: "11285,x,,2,9,Willem,Zonnebeek,nl,,"}))
    assert [(piece.line, piece.text) for piece in read.unread] == [
        (17, "11285,x,,2,9,Willem,Zonnebeek,nl,,"),
        (34, "1,1,2,3-0"),
    ]
    assert len(read.games) == 48
    assert read.undecided == {1, 2}


@pytest.mark.parametrize(
    "literal", ["١٢", "1_0", "²", "+5", "-0", "1e3", "NaN", "0x1", "½", "1.0", "1 0", "٣"]
)
@pytest.mark.parametrize("field", [0, 1, 3, 4])
def test_numbers_are_figures_only(literal, field):
    fields = ["11285", "1", "", "2", "9", "Willem", "Zonnebeek", "nl", "", ""]
    fields[field] = literal
    findings = read_report(spoiled(FMJD_FILE, {17: ",".join(fields)})).findings
    assert [finding.line for finding in findings if finding.code.endswith("unreadable")] == [17]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("31/12/1899", None),
        ("01/01/1900", date(1900, 1, 1)),
        ("31/12/2100", date(2100, 12, 31)),
        ("01/01/2101", None),
    ],
)
def test_a_day_lies_between_1900_and_2100(written, read):
    report = read_report(spoiled(FMJD_FILE, {3: f"played from = {written}"}))
    assert report.info.played_from == read
    assert [(finding.code, finding.expected) for finding in report.findings] == (
        [] if read else [("date-unknown", "a date from 01/01/1900 to 31/12/2100")]
    )


def test_a_day_that_cannot_be_read_again_is_not_written():
    with pytest.raises(ValueError, match="played_to"):
        write_fmjd(ReportedInfo(played_to=date(9999, 12, 31)), (), ())


@pytest.mark.parametrize(("what", "number", "line"), [("games", 49, 38), ("players", 13, 22)])
def test_more_games_or_players_than_the_limit_are_reported_once(monkeypatch, what, number, line):
    monkeypatch.setattr(f"reporting.formats.annex_9.article_11.MAX_{what.upper()}", 5)
    read = read_report(CLEAN)
    (found,) = (finding for finding in read.findings if finding.code == f"limit-{what}")
    assert (found.line, found.column) == (line, 1)
    assert (found.found, found.expected) == (f"{number} {what}", f"at most 5 {what}")
    assert (len(getattr(read, what)), len(read.unread)) == (5, number - 5)


def test_more_findings_than_are_kept_end_with_one_that_says_so():
    lines = FMJD_FILE.read_text().split("\n")
    content = "\n".join([*lines[:32], *["1,1,2,9-9"] * 2000, *lines[32:]]).encode()
    findings = read_report(content).findings
    assert len(findings) == 1_001
    assert (findings[-1].code, findings[-1].line, findings[-1].column) == ("findings-cut", 1033, 7)
