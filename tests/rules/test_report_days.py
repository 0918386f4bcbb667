"""What R11, R20 and R21 say of the days of a report: announced, received, played; each finding with its place."""

from dataclasses import replace
from datetime import date

import pytest

from reporting.federations.fmjd.editions import ANNEX_9_2024_04
from reporting.formats.detect import read_report
from reporting.formats.tournament_details.sidecar import read_details
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import (
    ARBITER_FILE,
    FMJD_FILE,
    TODAY,
    all_findings,
    check_report,
    codes,
    details_of,
    edited,
    small,
    spoiled,
)

FIRST_DAY_LATE = date(2026, 11, 20)


DETAIL_CASES = [
    # code, details of the form, line and column in the file, field of the form
    ("not-announced", "announced = 2026-10-24", (3, 15), "announced"),
    ("late-report", "received = 2026-11-20", (4, 13), "received"),
    ("received-in-future", "received = 2026-11-21", (None, None), "received"),
    ("received-before-end", "received = 2026-11-11", (None, None), "received"),
    ("end-in-future", "played_to = 2026-11-21", (4, 13), "played_to"),
    ("round-dates-differ", "rounds = [2026-11-06]", (None, None), "rounds"),
    ("round-dates-differ", "rounds = [" + "2026-11-06, " * 6 + "2026-11-13]", (None, None), "rounds"),
    ("round-dates-differ", "rounds = [2026-11-07, " + "2026-11-06, " * 6 + "]", (None, None), "rounds"),
    ("player-details-unknown", "players = {22 = 11285}", (None, None), "players"),
    ("new-player-unknown", 'newcomers = {22 = {last_name = "Kone"}}', (None, None), "newcomers"),
    ("new-player-unknown", 'players = {7 = 19001}\nnewcomers = {7 = {last_name = "Kone"}}', (None, None),
     "newcomers"),
    ("details-differ", "players = {1 = 11286}", (17, 1), "players"),
    ("details-differ", 'name = "Another Open"', (2, 8), "name"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "details", "place", "field"), DETAIL_CASES)
def test_a_finding_about_the_form_names_its_field(code, details, place, field):
    with_rounds = details if details.startswith("rounds") else details + "\nrounds = []"
    findings = [
        finding
        for finding in all_findings(FMJD_FILE.read_bytes(), more=with_rounds, today=FIRST_DAY_LATE)
        if finding.code == code
    ]
    assert [(finding.line, finding.column, finding.field) for finding in findings] == [(*place, field)]


@pytest.mark.parametrize(
    ("more", "found"),
    [
        # in time up to the seventh day, late from the eighth
        ("received = 2026-11-19", []), ("received = 2026-11-20", ["late-report"]),
        # 14 days of notice are enough, 13 are not
        ("announced = 2026-10-23", []), ("announced = 2026-10-24", ["not-announced"]),
    ],
)  # fmt: skip
def test_the_last_days_to_announce_and_to_report(more, found):
    findings = all_findings(FMJD_FILE.read_bytes(), more=more, today=date(2027, 2, 1))
    assert [finding.code for finding in findings] == found


def test_without_a_day_of_receipt_today_counts():
    read = read_report(FMJD_FILE.read_bytes())
    details = replace(details_of(FMJD_FILE), received=None)
    assert check_report(read, details, today=date(2026, 11, 19)) == ()
    late = check_report(read, details, today=date(2026, 11, 20))
    assert [finding.code for finding in late] == ["late-report"]


def test_without_facts_nothing_is_said_of_a_delay():
    assert check_report(read_report(FMJD_FILE.read_bytes()), None, today=date(2027, 2, 1)) == ()


@pytest.mark.parametrize(
    ("details", "code", "expected"),
    [
        ("received = 2026-11-15", "received-in-future", "a day up to 14 Nov 2026"),
        ("received = 2026-11-11", "received-before-end", "a day from 12 Nov 2026 on"),
        ("played_to = 2026-11-15\nreceived = 2026-11-15", "end-in-future", "a day up to 14 Nov 2026"),
    ],
)
def test_days_that_cannot_be_stop_the_submission(details, code, expected):
    findings = [
        finding for finding in all_findings(FMJD_FILE.read_bytes(), more=details) if finding.code == code
    ]
    assert [(finding.severity, finding.expected) for finding in findings] == [(Severity.ERROR, expected)]


def test_a_report_of_today_and_of_the_day_of_the_last_round_is_in_order():
    content = FMJD_FILE.read_bytes()
    assert all_findings(content, more="received = 2026-11-12") == ()
    assert all_findings(content, more="received = 2026-11-12", today=date(2026, 11, 12)) == ()


def rounds_on(*days):
    """What is said of the days of the rounds in November 2026 (played from the 6th to the 12th)."""
    listed = ", ".join(f"2026-11-{day:02d}" for day in days)
    findings = all_findings(FMJD_FILE.read_bytes(), more=f"rounds = [{listed}]")
    assert {finding.code for finding in findings} <= {"round-dates-differ"}
    assert {finding.severity for finding in findings} <= {Severity.ERROR}
    return [(finding.found, finding.expected) for finding in findings]


INSIDE = "a day from 6 Nov 2026 to 12 Nov 2026"
# The day in November of each round, and what is said of some of them: of those outside the tournament, and of those out
# of order the range between their neighbours in order.
DAYS_OF_ROUNDS = [
    ((5, 7, 8, 9, 10, 11, 13), {"round 1: 5 Nov 2026": INSIDE, "round 7: 13 Nov 2026": INSIDE}),
    ((6, 12, 7, 8, 11, 10, 12), {"round 2: 12 Nov 2026": "a day from 6 Nov 2026 to 7 Nov 2026",
                                 "round 5: 11 Nov 2026": "a day from 8 Nov 2026 to 10 Nov 2026"}),
    ((12, 6, 7, 8, 9, 10, 6), {"round 1: 12 Nov 2026": "a day up to 6 Nov 2026",
                               "round 7: 6 Nov 2026": "a day from 10 Nov 2026 on"}),
    ((6, 6, 7, 7, 8, 8, 12), {}),
    # Round 1 is outside, so it bounds no other. Without round 3 the others are in order: 6, 7, 8, 9, 10.
    ((5, 6, 12, 7, 8, 9, 10), {"round 1: 5 Nov 2026": INSIDE,
                               "round 3: 12 Nov 2026": "a day from 6 Nov 2026 to 7 Nov 2026"}),
    # Rounds 5 and 6 are both after round 4 and before round 7, whatever they say of each other.
    ((6, 8, 9, 10, 7, 6, 12), {"round 5: 7 Nov 2026": "a day from 10 Nov 2026 to 12 Nov 2026",
                               "round 6: 6 Nov 2026": "a day from 10 Nov 2026 to 12 Nov 2026"}),
    # another number of days than rounds, next to the wrong day
    ((6, 7, 8, 20), {"4 days": "7 days, one for each round", "round 4: 20 Nov 2026": INSIDE}),
]  # fmt: skip


@pytest.mark.parametrize(("days", "expected"), DAYS_OF_ROUNDS)
def test_every_round_outside_the_tournament_or_out_of_order_is_reported_and_no_other(days, expected):
    assert rounds_on(*days) == list(expected.items())


def test_days_of_rounds_are_held_against_rounds_that_are_there_and_the_one_day_of_a_tournament():
    details = replace(details_of(ARBITER_FILE), rounds=(date(2026, 11, 6), date(2026, 11, 7)))

    def found(read, details):
        findings = check_report(read, details, today=TODAY)
        return [finding.found for finding in findings if finding.code == "round-dates-differ"]

    both = {"played_from": date(2026, 11, 6), "played_to": date(2026, 11, 7)}
    assert found(small(), replace(details, **both)) == []  # no game was read: nothing says how many rounds
    day = {"played_from": date(2026, 11, 6), "played_to": date(2026, 11, 6)}
    games = ((1, 1, 2, (2, 0)), (2, 1, 3, (2, 0)))
    assert found(small(*games), replace(details, **both)) == []
    assert found(small(*games), replace(details, **day)) == ["round 2: 7 Nov 2026"]


FARTHEST = [("01/01/0001", "0001-01-01", date.min), ("31/12/9999", "9999-12-31", date.max)]


@pytest.mark.parametrize(("in_file", "in_sidecar", "day"), FARTHEST)
def test_a_day_at_the_end_of_the_calendar_is_a_finding_in_file_and_sidecar(in_file, in_sidecar, day):
    content = spoiled(FMJD_FILE, {3: f"played from = {in_file}", 4: f"played to = {in_file}"})
    read = read_report(content)
    assert [finding.code for finding in read.findings] == ["date-unknown", "date-unknown"]
    check_report(read, None, today=TODAY)
    for detail in ("played_from", "played_to", "announced", "received"):
        details, (finding,) = read_details(
            f'discipline = "100"\ntime_control = "5"\n{detail} = {in_sidecar}'.encode()
        )
        assert details is None
        assert (finding.code, finding.field) == ("detail-unreadable", detail)


@pytest.mark.parametrize("begins", [date.min, TODAY, date.max])
@pytest.mark.parametrize("ends", [date.min, TODAY, date.max])
@pytest.mark.parametrize("other", [date.min, TODAY, date.max])
def test_no_day_of_the_calendar_breaks_the_checks(begins, ends, other):
    read = read_report(FMJD_FILE.read_bytes())
    details = replace(
        details_of(FMJD_FILE), played_from=begins, played_to=ends, announced=other, received=other, rounds=(other,),
    )  # fmt: skip
    for today in (date.min, TODAY, date.max):
        check_report(read, details, today=today)
        check_report(read, replace(details, announced=None, received=None), today=today)


@pytest.mark.parametrize(
    "details",
    [
        "official = true",
        'national_championship = "final"',
        'national_championship = "qualification"',
        'competition = "world-cup"\nworld_cup_stars = 1\nworld_cup_groups = "one"',
    ],
)
def test_no_report_says_of_itself_that_it_needs_no_announcement(details):
    """R11, R78: an announcement of the office or of an official says so, or a decision; not a tick of the referee."""
    content = edited(FMJD_FILE, "national championship = N\n", "national championship =\n")
    found = all_findings(content, more=f"announced = 2026-11-05\n{details}")
    assert [finding.code for finding in found] == ["not-announced"]


def test_days_to_announce_and_to_report_are_those_of_the_edition_of_the_first_and_of_the_last_round():
    """The new edition begins on the 10th: the first round (6 November) is of the old one, the last (12th) of it."""
    old = replace(ANNEX_9_2024_04, report_days=7, announcement_days=10)
    new = replace(ANNEX_9_2024_04, in_force_from=date(2026, 11, 10), report_days=3, announcement_days=40)

    read = read_report(FMJD_FILE.read_bytes())

    def said(announced, received):
        details = replace(details_of(FMJD_FILE), announced=announced, received=received)
        found = check_report(read, details, today=date(2027, 2, 1), editions=(old, new))
        return [(finding.code, finding.expected) for finding in found]

    assert said(date(2026, 10, 27), date(2026, 11, 15)) == []
    assert said(date(2026, 10, 28), date(2026, 11, 15)) == [("not-announced", "a day up to 27 Oct 2026")]
    assert said(date(2026, 10, 27), date(2026, 11, 16)) == [("late-report", "up to 15 Nov 2026")]


@pytest.mark.parametrize(
    ("started", "finished", "code"),
    [
        (6, 7, ""), (6, 6, ""), (7, 7, ""), (None, 7, ""),
        (5, 6, "game-day-differs"), (7, 8, "game-day-differs"), (7, 6, "game-day-differs.order"),
    ],
)  # fmt: skip
def test_the_days_of_a_game_are_within_those_of_the_tournament_and_in_order(started, finished, code):
    """From 6 to 7 November 2026; each end is inside (R20)."""
    report = small((1, 1, 2, (2, 0)))
    days = [day and date(2026, 11, day) for day in (started, finished)]
    (game,) = report.games
    found = check_report(
        replace(report, games=(replace(game, started_on=days[0], finished_on=days[1]),)), None, today=TODAY
    )
    assert [finding.key for finding in found if finding.code == "game-day-differs"] == [code] * bool(code)


@pytest.mark.parametrize(
    ("last", "day", "is_found"),
    [(None, 5, True), (None, 6, False), (None, 7, False), (None, 8, False), (date(2026, 11, 6), 7, True)],
)
def test_without_a_last_day_games_are_held_against_the_first_and_else_against_both(last, day, is_found):
    report = small((1, 1, 2, (2, 0)))
    (game,) = report.games
    info = replace(report.info, played_to=last)
    report = replace(report, info=info, games=(replace(game, finished_on=date(2026, 11, day)),))
    assert ("game-day-differs" in codes(report)) is is_found
