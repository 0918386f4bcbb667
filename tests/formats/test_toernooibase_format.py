"""The crosstable of toernooibase: cells 2/8w, names left whole, comments, free rounds, totals."""

from datetime import date

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import (
    MATCH_FILE,
    NEW_TOERNOOIBASE_FILE,
    TOERNOOIBASE_FILE,
    all_findings,
    assert_complete,
    edited,
    places,
    sample,
)

CLEAN = TOERNOOIBASE_FILE.read_bytes()
HEADER = "Pl;Sno;Title;Name;Cn;FMJD;R1;R2;Pt "
FOUR = (
    " 1; 3;;Ann Aabel;nl;;2/2w;2/3b;4",
    " 2; 4;MI;Bea Bosch;nl;;0/1b;2/4w;2",
    " 3; 1;;Cor Claes;be;2050;1/4w;0/1w;1",
    " 4; 2;;Dan Dierickx;be;;1/3b;0/2b;1",
)


def table(*rows, header=HEADER):
    """A small tournament of two rounds."""
    return "\r\n".join(["; Small Open", ";fill in FMJD-report", header, *rows]).encode()


def one_of(**rows):
    """The four rows with some replaced: ``one_of(row2=...)``."""
    return table(*(rows.get(f"row{i}", row) for i, row in enumerate(FOUR, start=1)))


def summed_and_printed(read):
    return read.points_summed, {player.number: player.points_printed for player in read.players}


def test_the_fictional_export_is_read_whole():
    read = read_report(CLEAN)
    assert (read.format, len(read.players), read.rounds, len(read.games)) == ("toernooibase", 5, 10, 20)
    assert read.info.name == "Fictief Wereldkampioenschap Eikhaven 1951"
    assert read.info.positions == {"name": (1, 3)}
    # The only finding is the column p2; its meaning is unknown.
    assert [(finding.code, finding.line, finding.column) for finding in read.findings] == [
        ("column-unknown", 5, 8)
    ]
    summed, printed = summed_and_printed(read)
    assert summed == printed == {1: 5, 2: 7, 3: 13, 4: 5, 5: 10}
    assert {len(game.lines) for game in read.games} == {2}


@pytest.mark.parametrize(
    ("name", "players", "rounds", "games"),
    [
        ("toernooibase-1948-world-championship.csv", 11, 22, 110),  # 55 pairs, twice
        ("toernooibase-1960-world-championship.csv", 14, 26, 182),  # 91 pairs, twice
    ],
)
def test_the_real_exports_are_read_without_loss(name, players, rounds, games):
    read = read_report(sample(name))
    assert (read.format, len(read.players), read.rounds, len(read.games)) == (
        "toernooibase", players, rounds, games,
    )  # fmt: skip
    summed, printed = summed_and_printed(read)
    assert summed == printed
    assert all(points is not None for points in printed.values())
    assert {len(game.lines) for game in read.games} == {2}
    assert (read.undecided, {game.played for game in read.games}) == (frozenset(), {True})
    # The findings: a column without explanation in one of them, missing countries in the other.
    assert {finding.code for finding in read.findings} <= {"column-unknown", "country-missing"}
    assert {piece.reason for piece in read.unread} <= {"comment", "column p2"}


def test_an_opponent_is_named_by_their_place_and_the_game_by_start_numbers():
    read = read_report(one_of())
    assert read.findings == ()
    assert [(game.round, game.white, game.black, game.result, game.lines) for game in read.games] == [
        (1, 3, 4, "2-0", (4, 5)), (1, 1, 2, "1-1", (6, 7)), (2, 1, 3, "0-2", (4, 6)), (2, 4, 2, "2-0", (5, 7)),
    ]  # fmt: skip
    assert read.games[0].columns == (22, 24)
    assert all(game.colours_known for game in read.games)


def test_a_player_is_read_as_printed_and_their_name_is_not_split():
    player = next(player for player in read_report(CLEAN).players if player.number == 1)
    assert (player.name, player.first_name, player.last_name) == ("Aymérique des Vallons", "", "")
    assert (player.place, player.federation, player.federation_code) == (4, "fr", "FRA")
    assert (player.fmjd_id, player.rating_printed, player.title) == (None, None, "")
    player = read_report(one_of()).players[2]
    assert (player.rating_printed, read_report(one_of()).players[1].title) == (2050, "MI")


def test_what_is_not_used_is_listed_with_its_reason():
    unread = [(piece.line, piece.column, piece.text, piece.reason) for piece in read_report(CLEAN).unread]
    assert unread == [
        (2, 1, "; https://toernooibase.example/opvraag/standen.php?&kl=46&Id=0", "comment"),
        (3, 1, ";Blokrooster", "comment"),
        (6, 8, "4", "column p2"),
        (7, 8, "5", "column p2"),
        (8, 8, "1", "column p2"),
        (9, 8, "2", "column p2"),
        (10, 8, "3", "column p2"),
        (11, 1, "# 3, 1, 5, 2, 4", "comment"),
    ]


def test_an_empty_cell_is_a_free_round_or_a_pause_as_the_total_says():
    free = read_report(one_of(row1=" 1; 3;;Ann Aabel;nl;;;;0", row2=" 2; 4;MI;Bea Bosch;nl;;;2/4w;2",
                              row3=" 3; 1;;Cor Claes;be;;1/4w;;3"))  # fmt: skip
    assert free.findings == ()
    assert [(game.round, game.white) for game in free.games if game.is_pause] == [(2, 1)]
    assert free.points_summed == {3: 0, 4: 2, 1: 3, 2: 1}


@pytest.mark.parametrize("mark", ["-", "--", "bye", "PAUSE", "2/0", "2/0w", "-/0"])
def test_other_marks_of_a_pause_are_read_too(mark):
    read = read_report(
        one_of(row1=f" 1; 3;;Ann Aabel;nl;;2/2w;{mark};4", row3=" 3; 1;;Cor Claes;be;;1/4w;0/0;1")
    )
    assert read.findings == ()
    assert read.points_summed == {3: 4, 4: 2, 1: 1, 2: 1}


@pytest.mark.parametrize(
    ("cell", "other", "total", "other_total", "result"),
    [
        ("-/4w", "-/3b", 2, 0, "2x0"), ("-/4w", "-/3b", 0, 2, "0x2"), ("-/4w", "-/3b", 1, 1, "1x1"),
        ("-/4w", "-/3b", 0, 0, "0x0"), ("2/4w", "-/3b", 2, 0, "2x0"),
    ],
)  # fmt: skip
def test_a_regulatory_result_gets_its_points_from_the_totals(cell, other, total, other_total, result):
    read = read_report(
        one_of(row3=f" 3; 1;;Cor Claes;be;;{cell};0/1w;{total}",
               row4=f" 4; 2;;Dan Dierickx;be;;{other};0/2b;{other_total}")
    )  # fmt: skip
    assert read.findings == ()
    assert [game.result for game in read.games if not game.played] == [result]
    assert summed_and_printed(read)[0] == summed_and_printed(read)[1]


# The export of today: FMJD-IDs in the place of start numbers, semicolons around the name or none, 36 rounds


def test_the_export_of_today_is_read_whole_with_its_fmjd_ids():
    read = read_report(NEW_TOERNOOIBASE_FILE.read_bytes())
    assert (read.format, len(read.players), read.rounds) == ("toernooibase", 10, 36)
    assert (read.info.name, read.info.positions) == ("Vierkamp-ronden Sneekermeer 2025", {"name": (1, 2)})
    assert [player.fmjd_id for player in read.players] == [
        32001, 32002, 32003, 32004, 32005, 32007, 32006, 32008, 32009, 32010
    ]  # fmt: skip
    # No start numbers: games name the places.
    assert [player.number for player in read.players] == list(range(1, 11))
    # Each of 45 pairs four times; each game shares 2 points.
    assert (len(read.games), {len(game.lines) for game in read.games}) == (180, {2})
    summed, printed = summed_and_printed(read)
    assert summed == printed == {1: 47, 2: 47, 3: 43, 4: 41, 5: 36, 6: 34, 7: 33, 8: 30, 9: 26, 10: 23}
    assert sum(printed.values()) == 360
    # The only finding is the missing country on line 12.
    assert [(finding.severity, finding.code, finding.line, finding.column) for finding in read.findings] == [
        (Severity.WARNING, "country-missing", 12, 26)
    ]
    assert {piece.reason for piece in read.unread} == {"comment"}


def test_a_match_of_36_games_has_a_name_without_semicolons_and_a_player_without_fmjd_id():
    read = read_report(MATCH_FILE.read_bytes())
    assert (read.format, read.rounds, len(read.games), read.findings) == ("toernooibase", 36, 36, ())
    assert (read.info.name, read.info.positions) == ("Tweekamp Wolvega 2025", {"name": (1, 1)})
    assert [(player.fmjd_id, player.rating_printed) for player in read.players] == [
        (32011, 2240),
        (None, None),
    ]
    # 8 won, 4 lost, 23 drawn are 39 of 40 points: the regulatory game gave 1.
    assert summed_and_printed(read) == ({1: 40, 2: 32}, {1: 40, 2: 32})
    assert [game.result for game in read.games if not game.played] == ["1x1"]


NEW_HEADER = "Pl;FMJD-id;Title;Name;Cn;R1;R2;Pt"
NEW_FOUR = (
    "1;11101;;Ann Aabel;nl;2/2w;2/3b;4",
    "2;11102;MI;Bea Bosch;nl;0/1b;2/4w;2",
    "3;0;;Cor Claes;be;1/4w;0/1w;1",
    "4;;;Dan Dierickx;be;1/3b;0/2b;1",
)


@pytest.mark.parametrize("name", ["Small Open", ";Small Open", "; Small Open;", "Small Open;;;;;;;"])
@pytest.mark.parametrize("end", ["", ";"])
def test_semicolons_around_the_name_and_at_the_end_of_lines_say_nothing(name, end):
    lines = [name, ";fill in FMJD-report" + end, *(line + end for line in (NEW_HEADER, *NEW_FOUR))]
    read = read_report("\r\n".join(lines).encode())
    assert (read.format, read.info.name, read.findings) == ("toernooibase", "Small Open", ())
    assert [player.fmjd_id for player in read.players] == [11101, 11102, None, None]
    assert read.points_summed == {1: 4, 2: 2, 3: 1, 4: 1}


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("Pl;Title;Name;Cn;R1;R2;Pt", "The column Sno/FMJD-id is missing."),
        ("FMJD-id;Title;Name;Cn;R1;R2;Pt", "The column Pl is missing."),
        ("Pl;FMJD-id;Title;Naam;Land;R1;R2;Pt", "The columns Name, Cn are missing."),
        ("Pl;FMJD-id;Title;Name;Cn;R1;R2", "The column Pt is missing."),
        ("Pl;FMJD-id;Title;Name;Cn;Pt", "The column R1 is missing."),
    ],
)
def test_missing_columns_are_named_once_at_the_line_of_the_column_names(header, named):
    read = read_report(("Small Open\n;fill in FMJD-report\n" + "\n".join([header, *NEW_FOUR])).encode())
    (finding,) = [finding for finding in read.findings if finding.severity is Severity.ERROR]
    assert (finding.code, finding.line, finding.column) == ("column-missing", 3, 1)
    assert finding.message.startswith(named)


def test_an_fmjd_id_that_is_no_number_is_an_error_at_its_column():
    rows = (NEW_FOUR[0].replace("11101", "1110x"), *NEW_FOUR[1:])
    read = read_report("\n".join(["Small Open", NEW_HEADER, *rows]).encode())
    assert [(finding.code, finding.line, finding.column) for finding in read.findings] == [
        ("fmjd-id-unreadable", 3, 3)
    ]


@pytest.mark.parametrize(
    ("sex", "born", "read_sex", "read_born", "year"),
    [
        ("F", "1990-02-28", "W", date(1990, 2, 28), 1990), ("f", "1990/02/28", "W", date(1990, 2, 28), 1990),
        ("m", "28/02/1990", "M", date(1990, 2, 28), 1990), ("W", "1990", "W", None, 1990),
        ("M", "1990-00-00", "M", None, 1990), ("", "", "", None, None),
    ],
)  # fmt: skip
def test_sex_and_birth_are_read_as_programs_write_them(sex, born, read_sex, read_born, year):
    rows = [f"{row.rpartition(';')[0]};{sex};{born};{row.rpartition(';')[2]}" for row in NEW_FOUR]
    header = "Pl;FMJD-id;Title;Name;Cn;R1;R2;Sex;Born;Pt"
    read = read_report("\n".join(["Small Open", header, *rows]).encode())
    assert read.findings == ()
    assert {(player.sex, player.born, player.born_year) for player in read.players} == {
        (read_sex, read_born, year)
    }


@pytest.mark.parametrize(
    ("born", "code"), [("1990-02-30", "date-unknown"), ("28 Fevrier 1990", "date-unreadable")]
)
def test_a_birth_that_is_no_day_is_an_error(born, code):
    header = "Pl;FMJD-id;Title;Name;Cn;Born;R1;R2;Pt"
    rows = [row.replace(";nl;", f";nl;{born};").replace(";be;", ";be;;") for row in NEW_FOUR]
    read = read_report("\n".join(["Small Open", header, *rows]).encode())
    assert places(read.findings, code) == [(3, 23), (4, 25)]


CASES = [
    # code, rows replaced, line and column of the finding
    ("field-count", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/4w"}, (5, 2)),
    ("place-unreadable", {"row2": ";4;MI;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 1)),
    ("place-out-of-order", {"row2": " 3; 4;MI;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 2)),
    ("place-out-of-order", {"row2": " 1; 4;MI;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 2)),
    ("number-unreadable", {"row2": " 2; x;MI;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 5)),
    ("number-missing", {"row2": " 2;;MI;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 4)),
    ("points-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/4w;two"}, (5, 34)),
    ("points-missing", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/4w;"}, (5, 34)),
    ("name-missing", {"row2": " 2; 4;MI;;nl;;0/1b;2/4w;2"}, (5, 10)),
    ("title-unknown", {"row2": " 2; 4;GM;Bea Bosch;nl;;0/1b;2/4w;2"}, (5, 7)),
    ("rating-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;12345;0/1b;2/4w;2"}, (5, 23)),
    ("country-missing", {"row2": " 2; 4;MI;Bea Bosch;;;0/1b;2/4w;2"}, (5, 20)),
    ("country-unknown", {"row2": " 2; 4;MI;Bea Bosch;xx;;0/1b;2/4w;2"}, (5, 20)),
    ("cell-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/4;2"}, (5, 29)),
    ("cell-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;4w2;2"}, (5, 29)),
    ("cell-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;3/4w;2"}, (5, 29)),
    ("cell-unreadable", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/;2"}, (5, 29)),
    ("opponent-unknown", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1b;2/9w;2"}, (5, 29)),
    ("cells-disagree", {"row2": " 2; 4;MI;Bea Bosch;nl;;1/1b;2/4w;3"}, (4, 22)),
    ("cells-disagree", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/1w;2/4w;2"}, (4, 22)),
    ("cells-disagree", {"row2": " 2; 4;MI;Bea Bosch;nl;;0/3b;2/4w;2"}, (4, 22)),
    ("cells-disagree", {"row2": " 2; 4;MI;Bea Bosch;nl;;;2/4w;2"}, (4, 22)),
    (
        "forfeit-undecided",  # both lost the other game, and neither total can be: 2 points were to be shared
        {"row3": " 3; 1;;Cor Claes;be;;-/4w;0/1w;5", "row4": " 4; 2;;Dan Dierickx;be;;-/3b;0/2b;0"},
        (6, 22),
    ),
    ("pause-undecided", {"row1": " 1; 3;;Ann Aabel;nl;;2/2w;;3", "row3": " 3; 1;;Cor Claes;be;;1/4w;0/0;1"},
     (4, 27)),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rows", "place"), CASES)
def test_a_fault_of_the_table_is_found_with_its_line_and_column(code, rows, place):
    findings = read_report(one_of(**rows)).findings
    assert place in places(findings, code)
    assert_complete(findings)


@pytest.mark.parametrize(
    ("header", "code", "place"),
    [
        ("Pl;Sno;Title;Name;Cn;FMJD;R1;R2", "column-missing", (3, 1)),
        ("Pl;Sno;Title;Name;Club;FMJD;R1;R2;Pt", "column-missing", (3, 1)),
        ("Pl;Sno;Title;Name;Cn;Club;R1;R2;Pt", "column-unknown", (3, 22)),
        ("Pl;Sno;rating;Name;Cn;FMJD;R1;R2;Pt", "column-unknown", (3, 23)),
        ("Pl;Sno;Title;Name;Cn;FMJD;R1;R3;Pt", "column-unknown", (3, 30)),
    ],
)
def test_faults_of_the_column_names_are_found(header, code, place):
    assert places(read_report(table(*FOUR, header=header)).findings, code) == [place]


@pytest.mark.parametrize("begins", ["; Small Open\r\n;fill in FMJD-report\r\n", ""])
def test_a_missing_header_is_reported_and_nothing_is_read(begins):
    read = read_report((begins + "\r\n".join(FOUR)).encode())
    assert read.format == "toernooibase"
    # The finding is above the first player.
    assert places(read.findings, "header-missing") == [(begins.count("\n") + 1, 1)]
    assert read.players == ()
    assert [piece.text for piece in read.unread] == [row.strip() for row in FOUR]


def test_a_total_that_is_not_the_sum_is_an_error_at_its_column():
    findings = all_findings(one_of(row4=" 4; 2;;Dan Dierickx;be;;1/3b;0/2b;2"), TOERNOOIBASE_FILE)
    (finding,) = [finding for finding in findings if finding.code == "points-differ"]
    assert (finding.severity, finding.line, finding.column) == (Severity.ERROR, 7, 35)
    assert (finding.found, finding.expected) == ("2 points", "1: 0 won, 1 drawn, 1 lost")


def test_an_odd_total_next_to_empty_cells_is_asked_about_since_a_pause_gives_two_points():
    findings = read_report(edited(TOERNOOIBASE_FILE, "2/5w;7\r", "2/5w;8\r")).findings
    assert places(findings, "pause-undecided") == [(8, 37)]
    (asked,) = [finding for finding in findings if finding.code == "pause-undecided"]
    assert asked.found == "rounds 2, 7: an empty cell, printed total 8"


def test_a_name_outside_the_alphabet_is_a_warning_until_the_player_is_matched():
    findings = [
        finding for finding in all_findings(CLEAN, TOERNOOIBASE_FILE) if finding.code.startswith("name-")
    ]
    assert [(finding.severity, finding.code, finding.line, finding.column) for finding in findings] == [
        (Severity.WARNING, "name-outside-alphabet", 9, 14)
    ]
