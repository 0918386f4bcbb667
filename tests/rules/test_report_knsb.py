"""What reports to the KNSB must say, and the day by which their list is found (art. 4.1, 12.2, 13)."""

from datetime import date

import pytest

from reporting.federations.knsb.articles import ARTICLES
from reporting.federations.knsb.entry_format import read_knsb, write_knsb
from reporting.federations.knsb.report_rules import KnsbReportRules
from reporting.federations.registry import all_report_rules
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.rules.checks import check_report
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue import CODES
from reporting.rules.regulations.editions import cited
from reporting.rules.report import PointsScale, ReportedGame, ReportedInfo, ReportedPlayer
from tests.formats.report_files import read_submission

TODAY = date(2026, 11, 14)
DETAILS = """
rating_system = "knsb"
name = "Bondscompetitie"
played_from = 2026-09-05
played_to = 2027-05-01
time_control = "90+30"
"""
GAMES = """round,date,white_id,white_name,black_id,black_name,result
1,2026-09-05,8359087,"Vries, Jan de",8359088,"Bakker, Els",1-0
1,2026-09-06,8359087,"Vries, Jan de",8359088,"Bakker, Els",1/2-1/2
2,2026-10-03,8359088,"Bakker, Els",8359087,"Vries, Jan de",+:-
"""
TRF = """012 Weekendtoernooi
042 2026/11/06
052 2026/11/08
001    1      Vries, Jan de                          NED     1000001             1.0    1     2 w 1     2 b 0
001    2      Bakker, Els                            NED     1000002             1.0    2     1 b 0     1 w 1
"""


def submission(content, details=DETAILS, more=""):
    lines = [line for line in details.split("\n") if line.partition(" =")[0] not in more]
    return read_submission(content=content.encode(), sidecar="\n".join([*lines, more]).encode(), today=TODAY)


def found(content, details=DETAILS, more=""):
    read = submission(content, details, more)
    return [
        (str(one.severity), one.key, one.line, one.article)
        for one in cited(
            check_report(read.read, read.details, today=TODAY, rules=KnsbReportRules()), "", "knsb"
        )
        if one.code in {"day-of-game-missing", "abroad-not-processed", "detail-missing", "paired-twice"}
    ]


SHORT = '\nrating_system = "knsb"\ntime_control = "15+10"\n'


def test_a_league_needs_no_place_country_referee_or_system_and_may_have_several_games_in_a_round():
    assert found(GAMES) == []


def test_a_report_must_have_a_time_control_and_has_no_detail_of_another_federation():
    content = 'rating_system = "knsb"\nofficial = true\nreceived = 2026-11-01\nreferee_level = "fmjd"\n'
    assert {(one.code, one.field) for one in read_sidecar(content.encode()).findings} == {
        ("detail-missing", "time_control"), ("detail-unknown", "official"), ("detail-unknown", "received"),
        ("detail-unknown", "referee_level"),
    }  # fmt: skip


def test_each_detail_and_finding_cites_an_article():
    details = {f"detail.{name}" for name in details_of(KnsbReportRules.details)}
    assert details - set(ARTICLES) == set()
    of_others = {key for rules in all_report_rules() if rules.system != "knsb" for key in rules.finding_codes}
    assert {key.partition(".")[0] for key in CODES.keys() - of_others} - set(ARTICLES) == set()
    assert all(article.startswith("Rekenregels art. ") for article in ARTICLES.values())


def test_points_are_printed_in_one_and_a_half():
    assert submission(GAMES).details.points_scale is PointsScale.HALVES


def test_a_short_tournament_without_days_of_rounds_counts_by_its_last_day_and_says_so():
    """6 to 8 November: three days. A warning for each round, in the line of its first game."""
    assert found(TRF, SHORT) == [
        ("warning", "day-of-game-missing.short", 4, "Rekenregels art. 4.1, 13; R80d, R84f"),
        ("warning", "day-of-game-missing.short", 4, "Rekenregels art. 4.1, 13; R80d, R84f"),
    ]
    assert found(TRF, SHORT, "rounds = [2026-11-06, 2026-11-08]") == []


@pytest.mark.parametrize(
    ("begins", "more", "severity"),
    [
        ("2026/10/10", "", "warning"),  # 10 October to 8 November: 22 + 8 = 30 days
        ("2026/10/09", "", "error"),  # 31 days
        ("2026/11/06", "part = 1", "error"),
    ],
)
def test_a_long_tournament_and_a_part_need_the_days(begins, more, severity):
    content = TRF.replace("2026/11/06", begins)
    assert [one[0] for one in found(content, SHORT, more)] == [severity] * 2


def test_a_tournament_of_one_day_needs_no_other_day():
    assert found(TRF.replace("2026/11/06", "2026/11/08"), SHORT) == []


def test_a_date_that_is_unreadable_in_a_table_of_games_is_one_finding_of_its_cell():
    content = GAMES.replace("1,2026-09-05,", "1,soon,")
    assert found(content, more="part = 1") == []
    read = submission(content, more="part = 1")
    assert [(one.key, one.line, one.column) for one in read.read.findings] == [
        ("date-unreadable.games", 2, 2)
    ]


def test_a_date_that_is_missing_in_a_table_of_games_is_a_finding_of_its_round():
    article = "Rekenregels art. 4.1, 13; R80d, R84f"
    assert found(GAMES.replace("1,2026-09-05,", "1,,"), more="part = 1") == [
        ("error", "day-of-game-missing", 2, article)
    ]


def test_a_tournament_abroad_counts_only_where_fide_processed_it():
    abroad = [("warning", "abroad-not-processed", None, "Rekenregels art. 12.2; R84e")]
    assert found(GAMES, more='country = "BEL"') == abroad
    assert found(GAMES, more='country = "BEL"\nfide_processed = true') == []
    assert found(GAMES, more='country = "Netherlands"') == []


@pytest.mark.parametrize(
    ("content", "details", "more", "day"),
    [
        # The last game that was played: that of 3 October is a forfeit.
        (GAMES, DETAILS, "part = 1", date(2026, 9, 6)),
        (GAMES, DETAILS, "", date(2026, 9, 6)),
        (GAMES.replace("+:-", "1-0"), DETAILS, "part = 1", date(2026, 10, 3)),
        # By the days of the rounds; without any day that of the last round.
        (TRF, SHORT, "rounds = [2026-11-06, 2026-11-07]", date(2026, 11, 7)),
        (TRF, SHORT, "", date(2026, 11, 8)),
        # A part without a day has an error; until that is corrected it counts by its day of receipt.
        (TRF, SHORT, "part = 1", TODAY),
    ],
)
def test_a_report_counts_by_the_day_of_its_last_game(content, details, more, day):
    read = submission(content, details, more)
    assert read.details.counting_day(TODAY, read.read) == day


def test_an_announced_tournament_counts_by_its_last_round():
    assert submission(GAMES).details.counting_day(TODAY) == date(2027, 5, 1)


def test_results_entry_stores_numbers_of_seven_digits():
    info = ReportedInfo(name="Bekertoernooi", played_from=TODAY, played_to=TODAY, system="swiss")
    players = tuple(
        ReportedPlayer(
            number, f"{first} {last}", fmjd_id=number_there, place=number, points_printed=points,
            first_name=first, last_name=last, federation="NED", federation_code="NED", line=17 + number,
        )
        for number, number_there, points, first, last in (
            (1, 8359087, 2, "Jan", "de Vries"), (2, None, 0, "Els", "Bakker"),
        )
    )  # fmt: skip
    games = (ReportedGame(1, 1, 2, 2, 0, played=True, lines=(22,)),)
    read = read_knsb(tuple(write_knsb(info, players, games).split("\n")))
    assert (read.format, read.findings, read.games) == ("knsb", (), games)
    assert [(one.number, one.fmjd_id, one.last_name) for one in read.players] == [
        (1, 8359087, "de Vries"), (2, None, "Bakker"),
    ]  # fmt: skip


def test_a_number_of_ten_digits_is_a_finding_at_its_line():
    lines = ["KNSB", "<section players>", "1000000000,1,,1,2,Jan,de Vries,NED,,", "</end players>"]
    read = read_knsb(tuple(lines))
    assert ("fmjd-id-unreadable.games", 3, 1) in [(one.key, one.line, one.column) for one in read.findings]
