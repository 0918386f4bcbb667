"""The table form of Annex 9 art. 4.2.2: names, countries, optional columns, cells without colour, totals."""

from datetime import date

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import FMJD_FILE, TABLE_FILE, all_findings, assert_complete, edited, places

CLEAN = TABLE_FILE.read_bytes()

FOUR = (
    "31101 gmi Ann Aabel nl 2/2 2/3 4",
    "31102 Bea Bosch nl 0/1 2/4 2",
    "31103 Cor Claes be 1/4 0/1 1",
    "31104 Dan Dierickx be 1/3 0/2 1",
)


def one_of(**rows):
    """The four rows with some replaced: ``one_of(row2=...)``."""
    return "\n".join(rows.get(f"row{i}", row) for i, row in enumerate(FOUR, start=1)).encode()


def checked(**rows):
    """All findings of the four rows with some replaced, of the reader and of the checks."""
    return all_findings(one_of(**rows), TABLE_FILE)


def found_of(findings, *codes):
    return [(f.severity, f.code, f.line, f.column) for f in findings if f.code in codes]


def test_the_example_of_the_article_is_read_as_it_stands():
    """Art. 4.2.5.2 prints lines 1 and 2 of a table; of the others we know only the cells against these two."""
    text = (
        b"19245 gmi Andrew Svitskovsy jp 2/27 2/32 1/2 2/7 2/3 0/4 2/5 11\n\n"
        b"17456 Gerd van den Bigger nl 2/29 2/11 1/1 1/6 1/4 2/5 1/3 10\n"
    )
    read = read_report(text)
    assert read.format == "table-form"
    first, second = read.players
    assert (first.number, first.fmjd_id, first.title) == (1, 19245, "GMI")
    assert (first.first_name, first.last_name, first.federation_code) == ("Andrew", "Svitskovsy", "JPN")
    assert (first.points_printed, first.line, second.line) == (11, 1, 3)
    assert (second.number, second.fmjd_id, second.title) == (2, 17456, "")
    assert (second.name, second.first_name, second.last_name) == ("Gerd van den Bigger", "", "")
    assert (second.federation_code, second.points_printed) == ("NED", 10)
    (game,) = read.games
    assert (game.round, game.white, game.black, game.result, game.lines) == (3, 1, 2, "1-1", (1, 3))
    # All other findings: the other 12 opponents are not in the two lines, and the surname is unclear.
    assert places(read.findings, "opponent-unknown") == [(1, 32)]
    assert (
        "12 cells name places that are not in the table: 3, 4, 5, 6, 7, 11, 27, 29 and 1 more"
        in read.findings[0].message
    )
    assert found_of(read.findings, "name-not-split") == [(Severity.WARNING, "name-not-split", 3, 7)]
    assert len(read.findings) == 2


def test_the_fictional_table_is_read_whole():
    read = read_report(CLEAN)
    assert (read.format, len(read.players), read.rounds) == ("table-form", 7, 7)
    assert found_of(read.findings, "name-not-split") == [(Severity.WARNING, "name-not-split", 9, 7)]
    assert len(read.findings) == 1
    assert [(piece.line, piece.text, piece.reason) for piece in read.unread] == [
        (1, "Hollebeke Open 2026", "before the table"),
        (3, "ID title name country results total", "before the table"),
        (11, "; played in the town hall", "comment"),
    ]


def test_the_fictional_table_with_its_facts_has_no_errors():
    findings = all_findings(CLEAN, TABLE_FILE)
    assert [(finding.severity, finding.code, finding.line, finding.column) for finding in findings] == [
        (Severity.WARNING, "result-missing", 9, 1),
        (Severity.WARNING, "name-not-split", 9, 7),
    ]


def test_the_points_are_the_printed_totals_and_every_game_has_both_its_lines():
    read = read_report(CLEAN)
    assert read.points_summed == {player.number: player.points_printed for player in read.players}
    # 7 players in 7 rounds: 3 games a round, and a pause in 6 of them (in round 4 the free player was absent).
    assert len([game for game in read.games if len(game.lines) == 2]) == 21
    assert [(game.round, game.white) for game in read.games if game.is_pause] == [
        (1, 1), (2, 2), (3, 5), (5, 7), (6, 3), (7, 4),
    ]  # fmt: skip


def test_regulatory_results_get_their_points_from_the_totals():
    forfeits = [game for game in read_report(CLEAN).games if not game.played and not game.is_pause]
    assert [(game.round, game.white, game.black, game.result) for game in forfeits] == [
        (3, 1, 2, "2x0"),
        (5, 3, 4, "2x0"),
    ]


def test_the_number_of_a_player_is_their_line_in_the_table():
    read = read_report(CLEAN)
    assert [(player.number, player.place, player.line) for player in read.players] == [
        (i, i, i + 3) for i in range(1, 8)
    ]


def test_the_optional_columns_are_read_on_either_side_of_the_country():
    players = {player.number: player for player in read_report(CLEAN).players}
    assert (players[4].rating_printed, players[3].rating_printed, players[1].rating_printed) == (
        2214, 2150, None,
    )  # fmt: skip
    assert (players[2].born, players[2].born_year, players[2].sex) == (date(1988, 11, 30), 1988, "")
    assert (players[5].born, players[5].sex, players[5].fmjd_id) == (date(2009, 5, 4), "W", None)
    assert (players[7].born, players[7].sex, players[7].fmjd_id) == (date(2001, 1, 12), "M", None)


@pytest.mark.parametrize("who", ["Ann Aabel 2100 nl 01/02/1990 W", "Ann Aabel 01/02/1990 2100 nl W",
                                 "Ann Aabel nl 01/02/1990 W 2100"])  # fmt: skip
@pytest.mark.parametrize("no_id", ["", "0 ", "- ", "-- "])
def test_a_player_without_fmjd_id_has_birthday_and_sex_next_to_the_country(who, no_id):
    read = read_report(one_of(row1=f"{no_id}mi {who} 2/2 2/3 4"))
    assert read.findings == ()
    player = read.players[0]
    assert (player.fmjd_id, player.title, player.name, player.federation) == (None, "MI", "Ann Aabel", "nl")
    assert (player.rating_printed, player.born, player.sex) == (2100, date(1990, 2, 1), "W")


def test_a_name_is_split_by_the_form_or_by_a_comma_and_never_by_guess():
    names = [(player.first_name, player.last_name) for player in read_report(CLEAN).players]
    assert names == [
        ("Willem", "Oosterhuis"), ("Ilse", "O'Dwyer"), ("Hugo Jean", "Quenneville"), ("Salif", "Ouedraola"),
        ("Mia", "Tannegger"), ("", ""), ("Jurre", "Haverkorn"),
    ]  # fmt: skip


def test_colours_are_not_invented():
    read = read_report(CLEAN)
    assert {game.colours_known for game in read.games if not game.is_pause} == {False}
    assert "colours-uneven" not in {finding.code for finding in all_findings(CLEAN, TABLE_FILE)}


def test_a_colour_behind_an_opponent_is_used():
    read = read_report(one_of(row1="31101 gmi Ann Aabel nl 2/2b 2/3 4", row3="31103 Cor Claes be 1/4 0/1w 1"))
    assert read.findings == ()
    games = [(game.white, game.black, game.result, game.colours_known) for game in read.games]
    assert games == [(2, 1, "0-2", True), (3, 4, "1-1", False), (3, 1, "0-2", True), (2, 4, "2-0", False)]


@pytest.mark.parametrize("mark", ["-", "--", "bye", "PAUSE", "2/0"])
def test_marks_of_a_pause_are_read(mark):
    read = read_report(
        one_of(row1=f"31101 gmi Ann Aabel nl {mark} 2/3 4", row2="31102 Bea Bosch nl 0/0 2/4 2")
    )
    assert read.findings == ()
    assert [(game.round, game.white) for game in read.games if game.is_pause] == [(1, 1)]


def test_who_is_called_bye_is_a_player():
    read = read_report(one_of(row1="31101 gmi Ann Bye nl bye 2/3 4", row2="31102 Bea Bosch nl 0/0 2/4 2"))
    assert (read.findings, read.players[0].last_name) == ((), "Bye")


CASES = [
    # code, rows replaced, line and column of the finding
    ("fmjd-id-unreadable", {"row2": "311022 Bea Bosch nl 0/1 2/4 2"}, (2, 1)),
    ("fmjd-id-unreadable", {"row2": "2. Bea Bosch nl 0/1 2/4 2"}, (2, 1)),
    ("name-missing", {"row2": "31102 nl 0/1 2/4 2"}, (2, 10)),
    ("name-not-split", {"row2": "31102 Bea van Bosch nl 0/1 2/4 2"}, (2, 7)),
    ("name-not-split", {"row2": "31102 Bosch, Bea, Jr nl 0/1 2/4 2"}, (2, 7)),
    ("country-missing", {"row2": "31102 Bea Bosch 0/1 2/4 2"}, (2, 17)),
    ("country-unknown", {"row2": "31102 Bea Bosch xx 0/1 2/4 2"}, (2, 17)),
    ("country-unknown", {"row2": "31102 Bea Bosch Atlantis 0/1 2/4 2"}, (2, 17)),
    ("date-unreadable", {"row2": "31102 Bea Bosch nl 1990-02-190 0/1 2/4 2"}, (2, 20)),
    ("date-unknown", {"row2": "31102 Bea Bosch nl 31/02/1990 0/1 2/4 2"}, (2, 20)),
    ("field-count", {"row2": "31102 Bea Bosch nl 2100 2200 0/1 2/4 2"}, (2, 25)),
    ("field-count", {"row2": "31102 Bea Bosch nl W W 0/1 2/4 2"}, (2, 22)),
    ("field-count", {"row2": "31102 Bea Bosch nl 2/4 2"}, (2, 20)),
    ("field-count", {"row2": "31102 Bea Bosch nl 0/1 2/4 2/3 4"}, (2, 20)),
    ("field-count", {"row2": "31102 Bea Bosch nl"}, (2, 1)),
    ("field-count", {"row2": "31102 Bea Bosch nl 2"}, (2, 1)),
    ("points-missing", {"row2": "31102 Bea Bosch nl 0/1 2/4"}, (2, 27)),
    ("points-unreadable", {"row2": "31102 Bea Bosch nl 0/1 2/4 2.0"}, (2, 28)),
    ("cell-unreadable", {"row2": "31102 Bea Bosch nl 0/1 3/4 2"}, (2, 24)),
    ("cell-unreadable", {"row2": "31102 Bea Bosch nl 0/1 2-4 2"}, (2, 24)),
    ("cell-unreadable", {"row2": "31102 Bea Bosch nl 0-1 2/4 2"}, (2, 20)),
    ("opponent-unknown", {"row2": "31102 Bea Bosch nl 0/1 2/9 2"}, (2, 24)),
    ("cells-disagree", {"row2": "31102 Bea Bosch nl 1/1 2/4 3"}, (1, 24)),
    ("cells-disagree", {"row2": "31102 Bea Bosch nl 0/3 2/4 2"}, (1, 24)),
    ("cells-disagree", {"row2": "31102 Bea Bosch nl - 2/4 2"}, (1, 24)),
    ("cells-disagree", {"row1": "31101 gmi Ann Aabel nl 2/2w 2/3 4", "row2": "31102 Bea Bosch nl 0/1w 2/4 2"},
     (1, 24)),
    ("forfeit-undecided", {"row3": "31103 Cor Claes be -/4 0/1 2", "row4": "31104 Dan Dierickx be -/3 0/2 2"},
     (3, 20)),
    ("pause-undecided", {"row1": "31101 gmi Ann Aabel nl - 2/3 3", "row2": "31102 Bea Bosch nl 0/0 2/4 2"},
     (1, 24)),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rows", "place"), CASES)
def test_a_fault_of_the_table_is_found_with_its_line_and_column(code, rows, place):
    findings = read_report(one_of(**rows)).findings
    assert place in places(findings, code)
    assert_complete(findings)


CHECKED = [
    # severity and code, row 2, line and column
    (Severity.ERROR, "points-differ", "31102 Bea Bosch nl 0/1 2/4 3", (2, 28)),
    (Severity.ERROR, "name-outside-alphabet", "31102 Béa Bosch nl 0/1 2/4 2", (2, 8)),
    (Severity.ERROR, "name-shortened", "31102 B. Bosch nl 0/1 2/4 2", (2, 7)),
    (Severity.ERROR, "name-shortened", "31102 Bea v/d Bosch nl 0/1 2/4 2", (2, 7)),
    (Severity.ERROR, "name-too-long", "31102 Bea Boschenburgenlandsma nl 0/1 2/4 2", (2, 28)),
    (Severity.ERROR, "fmjd-id-repeated", "31101 Bea Bosch nl 0/1 2/4 2", (2, 1)),
    (Severity.ERROR, "self-play", "31102 Bea Bosch nl 0/1 2/2 2", (2, 24)),
    (Severity.ERROR, "born-missing", "0 Bea Bosch nl M 0/1 2/4 2", (2, 17)),
    (Severity.ERROR, "born-missing", "Bea Bosch nl M 0/1 2/4 2", (2, 15)),
    (Severity.ERROR, "sex-missing", "0 Bea Bosch nl 01/02/1990 0/1 2/4 2", (2, 26)),
    (Severity.ERROR, "name-not-split", "0 Bea van Bosch nl 01/02/1990 W 0/1 2/4 2", (2, 3)),
    (Severity.WARNING, "name-not-split", "31102 Bea van Bosch nl 01/02/1990 0/1 2/4 2", (2, 7)),
]


@pytest.mark.parametrize(("severity", "code", "row", "place"), CHECKED)
def test_the_rules_of_the_article_bind_the_table(severity, code, row, place):
    assert (severity, code, *place) in found_of(checked(row2=row), code)


def test_a_table_out_of_the_order_of_the_points_asks_for_a_word():
    rows = {"row1": "31101 Ann Aabel nl 0/2 0/3 0", "row2": "31102 Bea Bosch nl 2/1 2/4 4",
            "row3": "31103 Cor Claes be 1/4 2/1 3"}  # fmt: skip
    assert found_of(checked(**rows), "places-contradict-points") == [
        (Severity.WARNING, "places-contradict-points", 2, 1)
    ]


def test_one_word_is_the_only_name_of_its_player():
    """R28."""
    row = "0 Bosch nl 01/02/1990 W 0/1 2/4 2"
    assert found_of(checked(row2=row), "name-missing", "name-not-split") == []
    player = read_report(one_of(row2=row)).players[1]
    assert (player.last_name, player.first_name) == ("Bosch", "")


@pytest.mark.parametrize(("paid", "codes"), [("true", []), ("false", ["service-not-paid"])])
def test_an_unpaid_rating_service_needs_the_officers_word(paid, codes):
    findings = all_findings(CLEAN, TABLE_FILE, f"rating_service_paid = {paid}")
    assert [finding.code for finding in findings if finding.code == "service-not-paid"] == codes
    for finding in findings:
        if finding.code == "service-not-paid":
            assert (finding.severity, finding.line, finding.field) == (
                Severity.WARNING, None, "rating_service_paid",
            )  # fmt: skip


def test_a_line_whose_rounds_are_not_clear_gives_no_game_and_asks_once():
    read = read_report(one_of(row2="31102 Bea Bosch nl 2/4 2"))
    assert [finding.code for finding in read.findings] == ["field-count"]
    assert read.undecided == {1, 2, 4}
    assert [(game.white, game.black) for game in read.games] == [(3, 4), (1, 3)]
    assert [(piece.line, piece.text) for piece in read.unread] == [(1, "2/2"), (2, "2/4"), (4, "0/2")]


def test_a_line_that_is_no_player_keeps_its_number():
    read = read_report(one_of(row2="31102 Bea Bosch nl"))
    assert [player.number for player in read.players] == [1, 3, 4]
    assert [finding.code for finding in read.findings] == ["field-count"]


def test_more_rounds_than_the_limit_are_reported_at_the_first_of_them():
    read = read_report(("31101 Ann Aabel nl" + " 2/0" * 100 + " 200").encode())
    assert places(read.findings, "limit-rounds") == [(1, 416)]  # 19 characters, then 99 cells of 4
    assert (read.rounds, read.undecided) == (99, {1})
    assert [(piece.column, piece.text, piece.reason) for piece in read.unread] == [
        (416, "2/0", "over the limit")
    ]


def test_more_players_than_the_limit_are_reported_once(monkeypatch):
    monkeypatch.setattr("reporting.formats.crosstables.table_form.MAX_PLAYERS", 2)
    assert places(read_report(one_of()).findings, "limit-players") == [(3, 1)]


def test_tabs_between_the_parts_are_spaces():
    tabbed = read_report(one_of().replace(b" ", b"\t"))
    spaced = read_report(one_of())
    assert tabbed.findings == ()
    assert (tabbed.players, tabbed.games) == (spaced.players, spaced.games)


@pytest.mark.parametrize(
    "heading", ["Ghent, 6-12 November 2026", "Open 06/11/2026 - 12/11/2026", "ID name - R1 R2 total", "- - -"]
)
def test_a_heading_is_no_line_of_the_table(heading):
    read = read_report(f"{heading}\n\n".encode() + one_of())
    assert read.findings == ()
    assert [player.number for player in read.players] == [1, 2, 3, 4]
    assert [(piece.text, piece.reason) for piece in read.unread] == [(heading, "before the table")]


@pytest.mark.parametrize("row", ["2026 Ghent Open", "Referee: Marthe Verlinde"])
def test_a_line_that_may_be_a_player_is_asked_about(row):
    before = row[0].isdigit()
    text = (row + "\n").encode() + one_of() if before else one_of() + f"\n{row}".encode()
    assert places(read_report(text).findings, "field-count") == [(1 if before else 5, 1)]


@pytest.mark.parametrize("row", ["31101 Ann Aabel nl 2/2 2/3 4", "1;3;;Ann Aabel;nl;;2/2w;2/3b;4"])
def test_a_table_inside_the_remarks_of_another_form_is_a_remark(row):
    read = read_report(edited(FMJD_FILE, "<remark>", f"<remark>\n{row}\n"))
    assert (read.format, len(read.games)) == ("fmjd", 49)
    assert row in read.info.remarks


def test_a_fraction_in_a_text_is_no_table():
    assert read_report(b"The score was 2/3 in the end, and 1/2 of it won.").format == ""
