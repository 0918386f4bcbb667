"""What R20 and R21 say of a report as a whole: each finding with its line and column."""

from dataclasses import replace
from datetime import date

import pytest

from config.demo.federation import build_federation
from reporting.federations.fmjd.checks import CHECKS
from reporting.federations.fmjd.report_rules import FmjdReportRules
from reporting.federations.registry import rules_of_report
from reporting.formats.detect import read_report
from reporting.formats.tournament_details.sidecar import read_details
from reporting.rules import checks
from reporting.rules.checks import check_new_player
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.details.shared_details import System
from reporting.rules.findings.finding_list import Severity, in_file_order
from reporting.rules.findings.finding_list import finding as new_finding
from reporting.rules.register.registers import Register
from reporting.rules.report import ReadReport, ReportedGame, ReportedPlayer, UnreadText
from tests.formats.report_files import (
    ARBITER_FILE,
    FMJD_FILE,
    TABLE_FILE,
    TODAY,
    all_findings,
    check_report,
    codes,
    details_of,
    places,
    small,
    spoiled,
)

LOTTE = "0,7,A7,4,9,Lotte,van der Meerkamp,NED,29/02/2004,W"

ERRORS = [
    ("number-repeated", {18: "14302,1,K-12,6,8,Marek,Tarnobrzeski,pl,,"}, (18, 7)),
    ("number-unknown", {34: "1,1,22,2-0"}, (34, 5)),
    ("number-unknown", {34: "1,22,2,2-0"}, (34, 3)),
    ("fmjd-id-repeated", {18: "11285,2,K-12,6,8,Marek,Tarnobrzeski,pl,,"}, (18, 1)),
    ("self-play", {34: "1,1,1,1-1"}, (34, 5)),
    ("paired-twice", {41: "1,3,1,0-2"}, (41, 3)),
    ("points-differ", {17: "11285,1,,2,8,Willem,Zonnebeek,nl,,"}, (17, 12)),
    ("points-differ", {34: "1,1,2,1-1"}, (18, 16)),
    ("place-repeated", {18: "14302,2,K-12,2,8,Marek,Tarnobrzeski,pl,,"}, (18, 14)),
    ("dates-reversed", {4: "played to = 05/11/2026"}, (4, 13)),
    ("born-missing", {23: LOTTE.replace("29/02/2004", "")}, (23, 39)),
    ("born-after-start", {23: LOTTE.replace("2004", "2028")}, (23, 39)),
    ("sex-missing", {23: LOTTE.removesuffix("W")}, (23, 50)),
    ("name-missing", {17: "11285,1,,2,9,Willem,,nl,,"}, (17, 21)),
    ("name-missing", {17: "11285,1,,2,9,Willem,-,nl,,"}, (17, 21)),
    ("name-outside-alphabet", {17: "11285,1,,2,9,Willém,Zonnebeek,nl,,"}, (17, 18)),
    ("name-outside-alphabet", {17: "11285,1,,2,9,Willem,Zonnebeek 2,nl,,"}, (17, 31)),
    ("name-outside-alphabet", {21: "13711,5,118,8,7,Jean Bosco,N”Gomane,CMR,,"}, (21, 29)),
    ("name-too-long", {17: "11285,1,,2,9,Willem Alexanderius,Zonnebeek,nl,,"}, (17, 31)),
    ("name-shortened", {17: "11285,1,,2,9,W.,Zonnebeek,nl,,"}, (17, 14)),
    ("name-shortened", {17: "11285,1,,2,9,W,Zonnebeek,nl,,"}, (17, 14)),
    ("name-shortened", {17: "11285,1,,2,9,Willem B,Zonnebeek,nl,,"}, (17, 14)),
    ("name-shortened", {17: "11285,1,,2,9,Willem-B,Zonnebeek,nl,,"}, (17, 14)),
    ("name-shortened", {17: "11285,1,,2,9,Willem,v/d Zonnebeek,nl,,"}, (17, 21)),
    ("text-too-long", {2: "name = " + "Open of the Lakes of Zonnebeek, 2026"}, (2, 38)),
    ("text-too-long", {9: "place = " + "Zonnebeek".ljust(31, "k")}, (9, 39)),
    ("text-too-long", {13: "winner = " + "Willem Zonnebeek".ljust(26, "k")}, (13, 35)),
    ("text-too-long", {8: "name of referee = Pieter Johannes Maria Ostrava"}, (8, 44)),
    ("text-too-long", {18: "14302,2,K-12345,6,8,Marek,Tarnobrzeski,pl,,"}, (18, 15)),
    ("detail-missing", {2: "name ="}, None),
    ("end-in-future", {4: "played to = 15/11/2026"}, (4, 13)),
]

WARNINGS = [
    ("place-missing", {18: "14302,2,K-12,0,8,Marek,Tarnobrzeski,pl,,"}, (18, 14)),
    ("born-unlikely", {23: LOTTE.replace("29/02/2004", "01/03/1904")}, (23, 39)),
    ("text-outside-alphabet", {9: "place = Zonnebéék"}, (9, 15)),
    ("text-outside-alphabet", {12: "тест </end remark>"}, (11, 11)),
    ("winner-not-first", {13: "winner = Willem Zonnebeek"}, (13, 10)),
    ("places-contradict-points", {17: "11285,1,,3,9,Willem,Zonnebeek,nl,,", 18: "14302,2,,2,8,Marek,T,pl,,"},
     (17, 10)),
    ("met-before", {75: "7,1,2,0-2"}, (75, 3)),
    ("round-missing", dict.fromkeys(range(47, 54)), (47, 1)),
    ("few-rounds", dict.fromkeys(range(75, 82)), (74, 1)),
    # Of the winner of the game that is gone only the points are a finding: the missing result explains them.
    ("result-missing", {34: None}, (18, 7)),
    ("game-missing", {79: None}, (25, 7)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("severity", "code", "edits", "place"),
    [(Severity.ERROR, *case) for case in ERRORS] + [(Severity.WARNING, *case) for case in WARNINGS],
)
def test_a_finding_has_its_line_column_and_severity(severity, code, edits, place):
    findings = [finding for finding in all_findings(spoiled(FMJD_FILE, edits)) if finding.code == code]
    assert findings
    assert {finding.severity for finding in findings} == {severity}
    if place is not None:
        assert place in places(findings, code)
    for finding in findings:
        assert finding.found
        assert finding.expected
        assert finding.suggestion
        assert finding.article.startswith("Annex")


def test_a_youth_or_veterans_tournament_asks_the_birth_of_all():
    for details in ('youth = "juniors"', 'youth = "under-23"', "veterans = true"):
        findings = all_findings(FMJD_FILE.read_bytes(), more=details)
        assert {finding.code for finding in findings} == {"born-missing"}
        assert len(findings) == 10


def test_an_fmjd_id_of_the_form_answers_for_birth_and_sex():
    content = spoiled(FMJD_FILE, {23: LOTTE.replace("29/02/2004,W", ",")})
    assert {finding.code for finding in all_findings(content)} == {"born-missing", "sex-missing"}
    assert all_findings(content, more="players = {7 = 19001}") == ()


def test_an_unreadable_value_is_reported_once():
    content = spoiled(
        FMJD_FILE, {23: LOTTE.replace("29/02/2004,W", "in March 2004,X"), 3: "played from = soon"}
    )
    assert [finding.code for finding in all_findings(content)] == [
        "date-unreadable", "date-unreadable", "sex-unknown",
    ]  # fmt: skip


def test_points_are_compared_where_all_results_were_read_only():
    findings = all_findings(spoiled(FMJD_FILE, {34: "1,1,2,2:0"}))
    assert [(finding.code, finding.line) for finding in findings] == [("result-unknown", 34)]


@pytest.mark.parametrize(
    ("number", "line", "expected"),
    [
        (22, "16021,6,,9,6,Raivis,Ozolkalns,LAT,,", "7: 1 won, 3 drawn, 2 lost, 1 pause"),
        (25, "12999,9,,10,6,Delroy,Winterdal,SUR,14/07/1961,M",
         "7: 2 won, 1 drawn, 3 lost, 2 by decision of the referee"),
    ],
)  # fmt: skip
def test_the_sum_of_the_points_is_reported_in_won_drawn_lost_and_by_decision(number, line, expected):
    findings = all_findings(spoiled(FMJD_FILE, {number: line}))
    (finding,) = [finding for finding in findings if finding.code == "points-differ"]
    assert (finding.line, finding.found, finding.expected) == (number, "6 points", expected)


ERROR = new_finding("section-missing", line=1, tag="players")
NOTICE = replace(ERROR, severity=Severity.WARNING)
TEXT = (UnreadText(1, 1, "x", "outside"),)


@pytest.mark.parametrize(
    ("unread", "missing"),
    [
        ({}, {"no-players", "no-games"}),
        # A text that was not used, with an error, may have been all of it.
        ({"unread": TEXT, "findings": (ERROR,)}, set()),
        ({"unread": TEXT, "findings": (NOTICE,)}, {"no-players", "no-games"}),
        ({"unread": TEXT}, {"no-players", "no-games"}),
        ({"findings": (ERROR,)}, {"no-players", "no-games"}),
        # What the reader says of a section answers for this section.
        ({"unread_sections": frozenset({"players"})}, {"no-games"}),
        ({"unread_sections": frozenset({"results"})}, {"no-players"}),
        ({"unread_sections": frozenset({"info"})}, {"no-players", "no-games"}),
        # Results that are there and cannot be read are no absence of results.
        ({"undecided": frozenset({1})}, {"no-players"}),
    ],
)
def test_players_and_games_are_missing_unless_the_reader_could_not_read_them(unread, missing):
    read = replace(small(players=0), **unread)
    assert {code for code in codes(read) if code.startswith("no-")} == missing


@pytest.mark.parametrize(
    ("numbers", "unread", "unknown"),
    [
        ((9,), {}, [9]),
        ((9,), {"unread_sections": frozenset({"players"})}, []),
        ((9,), {"unread_sections": frozenset({"results"})}, [9]),
        # As many lines that could not be read as unknown numbers explain them, fewer do not.
        ((9,), {"unread_players": 1}, []),
        ((8, 9), {"unread_players": 2}, []),
        ((8, 9), {"unread_players": 1}, [8, 9]),
    ],
)
def test_details_of_players_are_explained_by_lines_that_could_not_be_read(numbers, unread, unknown):
    """Four players, none of them 8 or 9; the FMJD-ID of number 1 differs whatever else could not be read."""
    read = small((1, 1, 2, (2, 0)))
    players = (replace(read.players[0], fmjd_id=11285), *read.players[1:])
    details = replace(
        details_of(ARBITER_FILE), players={1: 11286} | {number: 20000 + number for number in numbers}
    )
    found = check_report(replace(read, players=players, **unread), details, today=TODAY)
    assert [each.found for each in found if each.code == "player-details-unknown"] == [
        f"{number} = {20000 + number}" for number in unknown
    ]
    assert [each.line for each in found if each.code == "details-differ"] == [1]


def test_a_session_with_a_gap_names_its_missing_games_and_the_last_one():
    """Numbers 1 and 2 played games 1 and 4 of round 1: 2 and 3 are missing, found at the line of game 4 (line 13).

    Numbers 3 and 4 played the games 1 and 2 only: later ones need not be played (Annex 3 art. 5.6a).
    """
    one, four = (1, 1, 2, (2, 0)), (1, 2, 1, (2, 0))
    read = small(one, (1, 3, 4, (1, 1)), (1, 4, 3, (1, 1)), four)
    games = tuple(replace(game, number=number) for game, number in zip(read.games, (1, 1, 2, 4), strict=True))
    details = replace(details_of(ARBITER_FILE), session=("80+30", "30", "15", "5"))
    found = [
        (each.line, each.found, each.expected)
        for each in check_report(replace(read, games=games), details, today=TODAY)
        if each.code == "session-game-missing"
    ]
    assert found == [
        (13, f"number {number} without game 2, 3 of round 1", "games 1 to 4") for number in (1, 2)
    ]


def test_a_second_meeting_counts_in_a_swiss_only_and_only_if_both_were_played():
    twice = ((1, 1, 2, (2, 0)), (2, 2, 1, (2, 0)))
    assert places(check_report(small(*twice), None, today=TODAY), "met-before") == [(11, 1)]
    assert "met-before" not in codes(small(*twice, system="round-robin"))
    assert "met-before" not in codes(small((1, 1, 2, (2, 0), False), (2, 2, 1, (2, 0))))


def test_colours_are_uneven_from_a_difference_of_three_played_games():
    same = [(turn, 1, turn + 1, (2, 0)) for turn in range(1, 4)]
    assert places(check_report(small(*same), None, today=TODAY), "colours-uneven") == [(1, 1)]
    assert "colours-uneven" not in codes(small(*same[:2]))
    assert "colours-uneven" not in codes(small(*same[:2], (3, 1, 4, (2, 0), False)))


def test_in_a_round_robin_each_has_to_meet_each():
    full = [(1, 1, 2, (2, 0)), (1, 3, 4, (2, 0)), (2, 1, 3, (2, 0)), (2, 2, 4, (2, 0)), (3, 1, 4, (2, 0))]
    findings = check_report(small(*full, system="round-robin"), None, today=TODAY)
    assert places(findings, "game-missing") == [(2, 1), (3, 1)]
    assert "game-missing" not in codes(small(*full, (3, 2, 3, (2, 0)), system="round-robin"))


def missing(read):
    return {
        (finding.code, finding.line): finding.found
        for finding in check_report(read, None, today=TODAY)
        if finding.code.endswith("-missing") and finding.field == "number"
    }


def test_in_a_swiss_a_hole_makes_a_report_incomplete_and_an_early_end_does_not():
    hole = ((1, 1, 2, (2, 0)), (1, 3, 4, (2, 0)), (2, 1, 3, (2, 0)), (3, 1, 4, (2, 0)), (3, 2, 3, (2, 0)))
    assert missing(small(*hole)) == {
        ("result-missing", 2): "no result in round 2",
        ("result-missing", 4): "no result in round 2",
    }
    left = (*hole, (2, 2, 4, (2, 0)), (4, 1, 2, (2, 0)))
    assert missing(small(*left)) == {
        ("game-missing", 3): "no result in round 4",
        ("game-missing", 4): "no result in round 4",
    }


def test_in_a_swiss_a_hole_and_an_early_end_of_one_player_are_distinguished():
    games = [(turn, 1, 2, (2, 0), False) for turn in range(1, 5)]
    read = small(*games, (1, 3, 4, (1, 1)), (3, 3, 4, (1, 1)), players=4)
    assert missing(read) == {
        (code, line): f"no result in round {turn}"
        for line in (3, 4)
        for code, turn in (("result-missing", 2), ("game-missing", 4))
    }


def test_a_pause_is_a_result_and_closes_no_hole_before_it():
    games = [(turn, 1, 2, (2, 0), False) for turn in range(1, 4)]
    assert missing(small(*games, (1, 3, 0, (2, 0)), (3, 3, 0, (2, 0)), players=3)) == {
        ("result-missing", 3): "no result in round 2"
    }


def test_in_a_round_robin_a_missing_game_is_no_incomplete_report():
    games = ((1, 1, 2, (2, 0)), (3, 1, 3, (2, 0)), (2, 1, 4, (2, 0)), (3, 2, 4, (2, 0)), (1, 3, 4, (2, 0)))
    assert {code for code, _ in missing(small(*games, system="round-robin"))} == {"game-missing"}


def test_the_reports_of_the_demonstration_have_no_holes():
    federation = build_federation(seed=1, today=date(2026, 11, 20))
    for report in (
        *federation.waiting,
        *(report for quarter in federation.quarters for report in quarter.reports),
    ):
        details, findings = read_details(report.sidecar)
        read = read_report(report.content)
        details, differences = complete_details(details, read.info)
        checked = check_report(read, details, today=date(2026, 11, 20))
        together = (*read.findings, *findings, *differences, *checked)
        assert "result-missing" not in {finding.code for finding in together}
        assert Severity.ERROR not in {finding.severity for finding in together}


def test_a_text_too_long_leads_to_the_details_only_where_they_have_it():
    """The details have a name of 80 characters, and neither winner nor local ID."""
    edits = {
        2: "name = Open of the Lakes of Zonnebeek, 2026",
        13: "winner = Emile Kerckhoven of Zonnebeek in Flanders",
        18: "14302,2,K-12345,6,8,Marek,Tarnobrzeski,pl,,",
    }
    found = {finding.field: finding.suggestion for finding in all_findings(spoiled(FMJD_FILE, edits))}
    assert found == {
        "name": "Shorten it. The details can hold the full text.",
        "winner": "Shorten it.",
        "local_id": "Shorten it.",
    }


TWO_SECONDS = {18: "14302,2,K-12,6,8,Marek,Tarnobrzeski,pl,,", 20: "15540,4,,2,9,Viktoria,Sechenenko,ua,,"}
"""Numbers 1 and 4, both with 9 points, print place 2; no one prints place 3."""


def shared(groups, edits):
    findings = all_findings(spoiled(FMJD_FILE, edits), more=f"shared_places = {groups}")
    return [(finding.code, finding.line, finding.column, finding.found) for finding in findings]


def test_equal_places_are_accepted_where_the_details_say_that_the_place_is_shared():
    """R25: printed as 2 and 2, or as 2 and 3 as the file wants it."""
    assert shared([], TWO_SECONDS) == [("place-repeated", 20, 10, "2")]
    assert shared(["2-3"], TWO_SECONDS) == []
    assert shared(["2-3"], {}) == []
    assert shared(["4-5"], TWO_SECONDS) == [("place-repeated", 20, 10, "2")]


def test_a_group_of_shared_places_has_as_many_players_as_places_with_equal_points():
    """Places 1 to 5 have 10, 9, 9, 9 and 9 points, 13 players in all."""
    assert shared(["1-2"], {}) == [("shared-places-differ", None, None, "places 1-2 with 9, 10 points")]
    assert shared(["13-14"], {}) == [("shared-places-differ", None, None, "places 13-14 with 1 player")]
    assert shared(["2-3"], {5: "type = TEAMS"}) == [("shared-places-differ", None, None, "a team tournament")]


def test_a_team_tournament_asks_neither_unique_places_nor_a_winner_in_place_one():
    content = spoiled(
        FMJD_FILE,
        {5: "type = TEAMS", 13: "winner = The Lakes", 18: "14302,2,K-12,1,8,Marek,Tarnobrzeski,pl,,"},
    )
    assert all_findings(content) == ()


def test_an_unfinished_tournament_has_no_places():
    lines = FMJD_FILE.read_text().split("\n")
    edits = {}
    for number in range(17, 30):
        fields = lines[number - 1].split(",")
        fields[3] = "0"
        edits[number] = ",".join(fields)
    assert all_findings(spoiled(FMJD_FILE, edits)) == ()


def test_an_empty_report_has_neither_players_nor_games():
    content = (
        b"<section info>\n</end info>\n<section players>\n</end players>\n<section results>\n</end results>\n"
    )
    read = read_report(content)
    findings = check_report(read, None, today=TODAY)
    assert places(findings, "no-players") == [(1, 1)]
    assert places(findings, "no-games") == [(1, 1)]
    missing = {finding.field for finding in findings if finding.code == "detail-missing"}
    assert missing == {"name", "played_from", "played_to", "system", "referee", "place", "country"}


def test_a_file_of_which_nothing_was_read_gets_no_more_findings():
    assert check_report(read_report(b"hello"), None, today=TODAY) == ()


def test_a_player_of_an_export_who_is_not_registered_is_asked_everything_as_errors():
    read = read_report(ARBITER_FILE.read_bytes())
    player = next(player for player in read.players if player.number == 5)
    errors = check_new_player(player, FmjdReportRules.register)
    assert [(finding.code, finding.severity) for finding in errors] == [
        ("born-missing", Severity.ERROR),
        ("sex-missing", Severity.ERROR),
        ("name-outside-alphabet", Severity.ERROR),
    ]
    together = in_file_order([*all_findings(ARBITER_FILE.read_bytes(), ARBITER_FILE), *errors])
    assert [finding.severity for finding in together if finding.line == 8] == [Severity.ERROR] * 3


def test_a_register_without_rules_of_names_takes_any_name_that_a_record_holds():
    """A record holds 60 characters; a name that is not split is kept whole."""
    register = Register("club", "Club", "Club number")
    names = [f"Ż. {'x' * 57}", f"Ż. {'x' * 58}"]
    found = [check_new_player(ReportedPlayer(1, name), register) for name in names]
    assert [[(finding.code, finding.column) for finding in each] for each in found] == [
        [],
        [("name-too-long", 61)],
    ]


def test_findings_stand_in_the_order_of_the_file_those_of_the_form_last():
    content = spoiled(FMJD_FILE, {17: "11285,1,,2,8,W.,Zonnebeek,nl,,", 9: "place ="})
    order = [
        (finding.line, finding.column) for finding in all_findings(content, more="rounds = [2026-11-06]")
    ]
    assert order == [(9, 8), (17, 12), (17, 14), (None, None)]


class CountedGame(ReportedGame):
    """A game that counts how often its round is read."""

    reads = 0

    def __getattribute__(self, name):
        CountedGame.reads += name == "round"
        return super().__getattribute__(name)


def test_a_number_on_many_lines_costs_no_more_than_the_length_of_the_file():
    """Four times as much may take six times as many reads; each game on each line would take sixteen."""

    def reads(count):
        players = tuple(ReportedPlayer(number=1, name="A B", line=line) for line in range(1, count + 1))
        games = tuple(CountedGame(1 + turn % 9, 1, 2, 2, 0, played=True) for turn in range(count))
        read = ReadReport("draughts-arbiter", "utf-8", players=players, games=games)
        before = CountedGame.reads
        check_report(read, replace(details_of(ARBITER_FILE), system=System.SWISS), today=TODAY)
        return CountedGame.reads - before

    assert reads(400) < 6 * reads(100)


def test_one_name_is_a_whole_name():
    """R28: the surname; the first name is empty."""
    assert all_findings(spoiled(FMJD_FILE, {17: "11285,1,,2,9,,Zonnebeek,nl,,"})) == ()
    findings = all_findings(spoiled(FMJD_FILE, {23: LOTTE.replace("Lotte", "")}))
    assert [finding.code for finding in findings] == []


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("Willém", "Willem"),
        ("Zoë-Maë", "Zoe-Mae"),
        ("N’Gó", "N'Go"),  # the apostrophe of the keyboard too
        # Not a letter with an accent, or no letter at all: a person has to decide.
        ("Jørgen", ""), ("Zoë Łu", ""), ("Вим", ""), ("¨", ""),
    ],
)  # fmt: skip
def test_a_name_is_proposed_without_its_accents_where_that_is_enough(name, proposed):
    content = spoiled(FMJD_FILE, {17: f"11285,1,,2,9,{name},Zonnebeek,nl,,"})
    (finding,) = [finding for finding in all_findings(content) if finding.code == "name-outside-alphabet"]
    assert finding.suggestion == (
        f"Write {proposed}, if that is the name." if proposed else "Write the name in English letters."
    )


def test_a_look_alike_of_the_apostrophe_and_of_the_hyphen_passes_the_rules_of_names():
    """The keyboard's own signs pass them too; the name is stored as it is written."""
    for name in ("N’Gomane", "NʼGomane", "Gomane‑Smit", "Gomane–Smit"):
        content = spoiled(FMJD_FILE, {21: f"13711,5,118,8,7,Jean Bosco,{name},CMR,,"})
        assert all_findings(content) == ()
        assert read_report(content).players[4].last_name == name


@pytest.mark.parametrize(("born", "found"), [(1925, True), (1926, False), (2022, False), (2023, True)])
def test_an_age_of_4_to_100_years_in_the_year_of_the_tournament_is_likely(born, found):
    """The tournament begins in 2026."""
    line = LOTTE.replace("29/02/2004", f"01/03/{born}")
    codes = {finding.code for finding in all_findings(spoiled(FMJD_FILE, {23: line}))}
    assert ("born-unlikely" in codes) is found


def test_a_day_of_birth_is_after_the_start_from_the_day_after_it():
    """The first round is on 6 November 2026: a person born that day is unlikely, not impossible."""
    for day, code in (("06/11/2026", "born-unlikely"), ("07/11/2026", "born-after-start")):
        line = LOTTE.replace("29/02/2004", day)
        codes = {finding.code for finding in all_findings(spoiled(FMJD_FILE, {23: line}))}
        assert codes & {"born-unlikely", "born-after-start"} == {code}


@pytest.mark.parametrize(("players", "are_asked"), [(4, True), (5, False)])
def test_more_players_than_can_have_met_are_no_round_robin(players, are_asked):
    """In one round of a round robin 2 x 1 + 2 players are asked for the games that are missing, more are groups."""
    games = ((1, 1, 2, (2, 0)), (1, 3, 4, (2, 0)))
    assert ("game-missing" in codes(small(*games, system="round-robin", players=players))) is are_asked


@pytest.mark.parametrize(("control", "is_long"), [("120", False), ("121", True)])
def test_the_games_of_a_day_last_24_hours_at_most(control, is_long):
    """Six rounds of 2 x 120 minutes are 24 hours (R26)."""
    day = "played_from = 2026-11-12\nplayed_to = 2026-11-12\nrounds = []"
    details = details_of(FMJD_FILE, f'{day}\ntime_control = "{control}"')
    read = small(*((turn, 1, 2, (2, 0)) for turn in range(1, 7)), players=2)
    found = {finding.code for finding in check_report(read, details, today=TODAY)}
    assert ("time-control-long" in found) is is_long


def test_the_rating_service_is_asked_for_by_the_checks_of_its_federation_alone():
    read = read_report(TABLE_FILE.read_bytes())
    details = replace(details_of(TABLE_FILE), rating_service_paid=False)

    def found(of):
        return {finding.code for finding in check_report(read, details, today=TODAY, checks=of)}

    assert found(rules_of_report("", "100").checks) - found(checks.REPORT_CHECKS) == {"service-not-paid"}
    # While a report names neither system nor discipline, the first federation is asked.
    assert rules_of_report("", "").checks == rules_of_report("fmjd", "64").checks == CHECKS
