"""What reports to the ICCF must say (items 11 to 13, 18)."""

from __future__ import annotations

from datetime import date

import pytest

from reporting.federations.iccf.articles import ARTICLES
from reporting.federations.iccf.checks import FINDING_CODES
from reporting.federations.iccf.details import IccfDetails
from reporting.federations.iccf.entry_format import FIRST_LINE, read_iccf, recognises, write_iccf
from reporting.federations.registry import report_rules
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.rules.checks import check_report
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue import CODES
from reporting.rules.regulations.editions import cited
from reporting.rules.report import PointsScale, ReportedGame, ReportedInfo, ReportedPlayer
from tests.formats.report_files import read_submission

TODAY = date(2026, 3, 20)
DETAILS = """
rating_system = "iccf"
name = "Team tournament"
played_from = 2024-09-01
played_to = 2026-12-31
kind = "master-class"
received = 2026-02-28
part = 1
"""
GAMES = """round,date,white_id,white_name,black_id,black_name,result,finished,white_for_id,black_for_id
1,2024-09-01,910001,"Berg, Ada",910002,"Sund, Leo",1-0,2026-01-10,,
1,2024-09-05,910003,"Holm, Eva",910001,"Berg, Ada",1/2-1/2,2026-02-11,910004,
2,,910002,"Sund, Leo",910003,"Holm, Eva",0-1,2026-02-28,,
"""
OWN = {*FINDING_CODES, "detail-missing"}


@pytest.fixture
def rules():
    return report_rules("iccf")


def submission(content=GAMES, more="", without=()):
    given = [line.partition(" =")[0] for line in more.split("\n")]
    lines = [line for line in DETAILS.split("\n") if line.partition(" =")[0] not in (*given, *without)]
    return read_submission(content=content.encode(), sidecar="\n".join([*lines, more]).encode(), today=TODAY)


def found(rules, content=GAMES, more="", without=()):
    """The findings of the ICCF's own checks: severity, key, line, column or field, item."""
    read = submission(content, more, without)
    return [
        (str(one.severity), one.key, one.line, one.column if one.line else one.field, one.article)
        for one in cited(check_report(read.read, read.details, today=TODAY, rules=rules), "", "iccf")
        if one.key in OWN
    ]


def test_a_monthly_table_of_finished_games_with_a_substitute_has_no_finding_of_its_own(rules):
    assert found(rules) == []
    details = submission().details
    assert (details.kind, details.delivery, details.points_scale) == (
        "master-class", "server", PointsScale.HALVES,
    )  # fmt: skip


def test_kind_and_day_of_the_report_are_required(rules):
    assert found(rules, without=("kind", "received")) == [
        ("error", "detail-missing", None, "kind", "Working Rules item 12"),
        ("error", "detail-missing", None, "received", "Working Rules item 12"),
    ]


def test_a_report_has_no_detail_of_another_federation(rules):
    content = 'rating_system = "iccf"\nofficial = true\ntime_control = "90+30"\nfide_processed = true\n'
    assert {(one.code, one.field) for one in read_sidecar(content.encode()).findings} == {
        ("detail-unknown", "official"), ("detail-unknown", "time_control"), ("detail-unknown", "fide_processed"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ('kind = "other"', "level-missing"),
        ('kind = "other"\nlevel = 1950', None),
        ('kind = "national"', "level-missing.part"),
        ('kind = "national"\nlevel = 2050', None),
        ('kind = "friendly"', None),
        ('kind = "friendly"\nlevel = 2000', None),
        ("level = 2200", "level-of-kind"),
        ('kind = "friendly"\nlevel = 999', "level-out-of-range"),
        ('kind = "friendly"\nlevel = 1000', None),
        ('kind = "other"\nlevel = 3000', None),
        ('kind = "other"\nlevel = 3001', "level-out-of-range"),
    ],
)
def test_a_level_is_given_where_the_kind_has_none_and_nowhere_else(rules, more, key):
    item = "Working Rules item 11; R93" + ("c" if key == "level-missing.part" else "")
    assert found(rules, more=more) == ([("error", key, None, "level", item)] if key else [])


def test_a_national_tournament_in_one_report_has_no_level(rules):
    """Its players show the mean (R93c)."""
    assert found(rules, more='kind = "national"', without=("part",)) == []
    level = ("error", "level-of-kind", None, "level", "Working Rules item 11; R93")
    assert found(rules, more='kind = "national"\nlevel = 2050', without=("part",)) == [level]


def test_results_are_registered_after_they_are_reported(rules):
    post = 'delivery = "post"\nregistered = 2026-0'
    assert found(rules, more=post + "2-28") == []
    item = "Working Rules item 12, 13; R93a"
    assert found(rules, more=post + "2-27") == [
        ("error", "registered-before-received", None, "registered", item)
    ]
    assert found(rules, more=post + "3-20") == []  # today
    assert found(rules, more=post + "3-21") == [("error", "registered-in-future", None, "registered", item)]


def test_no_game_ended_after_the_day_of_the_report(rules):
    """The third game ended on 28 February, the second on the 11th: lines 4 and 3, column `finished`."""
    item = "Working Rules item 12, 13; R93a"
    assert found(rules, more="received = 2026-02-27") == [("error", "game-after-report", 4, 8, item)]
    assert found(rules, more="received = 2026-02-10") == [
        ("error", "game-after-report", 3, 8, item),
        ("error", "game-after-report", 4, 8, item),
    ]


def test_no_tournament_began_after_the_day_of_the_report(rules):
    """The days of its games are before it: the warnings of all reports."""
    item = "Working Rules item 12, 13; R93a"
    assert found(rules, more="played_from = 2026-03-01") == [
        ("error", "game-after-report", None, "played_from", item)
    ]


def test_results_that_are_registered_too_late_were_reported_in_time(rules):
    """Reported on 28 February, registered on 18 March: the list of 1 July, whose period begins on 1 March."""
    late = submission(more='delivery = "post"\nregistered = 2026-03-18')
    assert late.details.counting_day(late.details.received) == date(2026, 3, 1)
    codes = {one.code for one in check_report(late.read, late.details, today=TODAY, rules=rules)}
    assert not codes & {"received-before-end", "end-in-future"}


def test_a_tournament_may_be_without_a_last_day(rules):
    assert found(rules, without=["played_to"]) == []


@pytest.mark.parametrize(
    ("kind", "level", "needs"),
    [("friendly", "level = 2000", True), ("friendly", "", False), ("other", "level = 2000", False)],
)
def test_a_rating_officer_accepts_the_level_of_a_friendly_match(kind, level, needs):
    details = submission(more=f'kind = "{kind}"\n{level}').details
    assert details.proposed_to_rating_officer == (("level",) if needs else ())


def test_who_is_replaced_has_not_finished_the_game(rules):
    item = "Working Rules item 18; R94"
    itself = GAMES.replace("2026-02-11,910004,", "2026-02-11,910003,")
    assert found(rules, itself) == [("error", "substitute-self", 3, 9, item)]
    other_side = GAMES.replace("2026-02-11,910004,", "2026-02-11,,910003")
    assert found(rules, other_side) == [("error", "substitute-self.opponent", 3, 10, item)]
    both_sides = GAMES.replace("2026-02-11,910004,", "2026-02-11,910004,910004")
    assert found(rules, both_sides) == [("error", "substitute-self.both", 3, 10, item)]


def test_each_detail_and_finding_cites_an_item():
    details = {f"detail.{name}" for name in details_of(IccfDetails)}
    assert details - set(ARTICLES) == set()
    assert {key.partition(".")[0] for key in CODES} - set(ARTICLES) == set()


def test_results_entry_stores_a_report_that_is_read_as_it_was_written():
    info = ReportedInfo(name="Cup final", played_from=TODAY, played_to=TODAY, system="round-robin")
    players = tuple(
        ReportedPlayer(
            number, f"{first} {last}", fmjd_id=910_000 + number, place=number, points_printed=points, first_name=first,
            last_name=last, federation="NED", federation_code="NED", line=17 + number,
        )
        for number, points, first, last in ((1, 2, "Ada", "Berg"), (2, 0, "Leo", "Sund"))
    )  # fmt: skip
    games = (ReportedGame(1, 1, 2, 2, 0, played=True, lines=(22,)),)
    lines = tuple(write_iccf(info, players, games).split("\n"))
    assert (recognises(lines), lines[0]) == (True, FIRST_LINE)
    read = read_iccf(lines)
    assert (read.format, read.findings, read.games) == ("iccf", (), games)
    assert [player.fmjd_id for player in read.players] == [910_001, 910_002]
