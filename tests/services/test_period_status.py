"""The status of a period: what it promises is what the freeze takes, and a year later it still says why (R10, R11)."""

from contextlib import suppress
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.models import Period, PeriodReport, Pool
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import OtherList
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.queries.counted_results import uncounted_reports
from ratings.queries.periods import counting_periods
from reporting.models import Message, Report, ResultSet, Tournament
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors import inbox
from reporting.reports.services.announce import announce_tournament, withdraw_announcement
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.review import (
    Remark,
    accept_report,
    reject_report,
    return_report,
    undo_acceptance,
)
from reporting.reports.services.submit import submit_report, withdraw_report
from tests.databases import open_results
from tests.services.correction_helpers import again, correct

APRIL, JULY, OCTOBER = date(2026, 4, 1), date(2026, 7, 1), date(2026, 10, 1)
PLAYED = [11, 12], ["1 1 2 2-0"]
LATE = {"received": "2026-02-16"}  # the 8th day after 8 February
AFTER_CLOSING = {"played_from": date(2026, 3, 14), "played_to": date(2026, 3, 16)}
STRIKE = "the post was on strike"

pytestmark = pytest.mark.usefixtures("three_players_shared")
quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


def opened(office, in_force=APRIL, pool="fmjd-100"):
    return ensure_period(pool=Pool.objects.get(code=pool), in_force=in_force, by=office.officer)


def frozen(office, in_force=APRIL):
    return freeze_period(period=opened(office, in_force), reason="a test", by=office.officer)


def announced(office, name, played_from=date(2026, 2, 6), **values) -> Tournament:
    values = {
        "name": name, "country": "NED", "played_from": played_from.isoformat(),
        "played_to": (played_from + timedelta(days=2)).isoformat(), "discipline": "100",
        "time_control": "120+0", "announced": "2026-01-02",
    } | values  # fmt: skip
    return announce_tournament(values=values, by=office.director)


def places(period) -> dict[str, tuple[str, str]]:
    """Tournament → stage and why."""
    return {line.tournament.name: (line.stage, line.reason) for line in period_status_of(period).lines}


def other_list(period) -> dict[str, OtherList | None]:
    return {line.tournament.name: line.other_list for line in period_status_of(period).lines}


def manifest(period) -> set[str]:
    lines = PeriodReport.objects.filter(period=period, correction=None)
    return set(lines.values_list("result_set__name", flat=True))


def one_of_each(office) -> None:
    """A report in every state of the period status, two announcements, and neighbours of other periods."""
    office.accept("Accepted", *PLAYED)
    office.accept("Unannounced", *PLAYED, announced=None, admitted_reason="a friendly match")
    office.accept("Late admitted", *PLAYED, **LATE, admitted_reason=STRIKE)
    office.submit("Late", *PLAYED, **LATE)
    office.submit("Submitted", *PLAYED)
    returned = office.submit("Returned", *PLAYED)
    return_report(report=returned, remarks=[Remark("Who won?")], by=office.officer)
    corrected = office.submit("Edited", *PLAYED)
    return_report(report=corrected, remarks=[Remark("Where?")], by=office.officer)
    edit_tournament_details(report=corrected, based_on=1, values={"place": "Delft"}, by=office.referee)
    back = office.accept("Undone", *PLAYED)
    undo_acceptance(report=back, reason="the wrong file", by=office.officer)
    reject_report(report=office.submit("Rejected", *PLAYED), reason="never played", by=office.officer)
    withdraw_report(report=office.submit("Withdrawn", *PLAYED), reason="a mistake", by=office.referee)
    office.upload("Only uploaded", *PLAYED)
    office.accept("Of another pool", *PLAYED, time_control='"5+0"')
    office.accept("After closing", *PLAYED, **AFTER_CLOSING)
    announced(office, "Announced")
    announced(office, "Announced blitz", time_control="5+0")
    announced(office, "Announced for the next list", played_from=date(2026, 3, 20))
    withdraw_announcement(announcement=announced(office, "Called off"), reason="no hall", by=office.director)


OPEN_BOARD = {
    "Announced": ("announced", "not_received"),
    "Submitted": ("received", "office"),
    "Returned": ("received", "returned"),
    "Edited": ("received", "being_edited"),
    "Undone": ("received", "acceptance_undone"),
    "Accepted": ("accepted", "counted"),
    "Unannounced": ("accepted", "counted"),  # admitted, but not late
    "Late admitted": ("late", "counted"),
    "Late": ("late", "office"),
    "Rejected": ("excluded", "rejected"),
    "Withdrawn": ("excluded", "withdrawn"),
    "After closing": ("excluded", "after_closing"),
}
COUNTED = {"Accepted", "Unannounced", "Late admitted"}
FROZEN_BOARD = {
    name: place if name in COUNTED or name == "Announced" else ("excluded", place[1])
    for name, place in OPEN_BOARD.items()
}


@quick
def test_what_the_board_promises_the_freeze_takes_line_by_line(office):
    one_of_each(office)
    period = opened(office)
    assert places(period) == OPEN_BOARD
    promised = {line.tournament.name for line in period_status_of(period).counted}
    to_the_next = {line.tournament.name for line in period_status_of(period).waiting}
    assert promised == COUNTED
    assert to_the_next == {"Late", "Submitted", "Returned", "Edited", "Undone"}
    period = freeze_period(period=period, reason="a test", by=office.officer)
    assert manifest(period) == promised
    assert places(period) == FROZEN_BOARD
    titles = Message.objects.filter(kind="report_next_list").values_list("title", flat=True)
    assert set(titles) == {f"In the next list: {name}" for name in to_the_next}


@quick
def test_whatever_waits_is_promised_the_next_list_and_nothing_else_is(office):
    one_of_each(office)
    july = OtherList(JULY)
    waiting = {"Late", "Submitted", "Returned", "Edited", "Undone", "After closing"}
    expected = {name: july if name in waiting else None for name in OPEN_BOARD}
    assert other_list(opened(office)) == expected
    assert other_list(frozen(office)) == expected


@quick
def test_the_board_has_the_figures_of_the_inbox(office):
    one_of_each(office)
    period_status = period_status_of(opened(office))

    def in_the_inbox(which) -> set[str]:
        lines = inbox.inbox_lines(uncounted_reports(inbox.submitted_reports(which)))
        lists = counting_periods(line.tournament for line in lines)
        return {
            line.tournament.name
            for line in lines
            if [(one.pool.code, one.period.in_force) for one in lists[line.tournament.pk]]
            == [("fmjd-100", APRIL)]
        }

    assert {line.tournament.name for line in period_status.waiting} == in_the_inbox(
        inbox.WAITING_FOR_OFFICE | inbox.WAITING_FOR_REFEREE
    )
    assert period_status.with_the_office == len(in_the_inbox(inbox.WAITING_FOR_OFFICE)) == 3
    assert {line.tournament.name for line in period_status.counted} == in_the_inbox(inbox.ACCEPTED)
    missing = {missing_report.announcement.name for missing_report in inbox.missing_reports()}
    assert missing == {"Announced", "Announced blitz", "Announced for the next list"}
    assert period_status.counts == {"announced": 1, "received": 4, "accepted": 2, "late": 2, "excluded": 3}


@quick
def test_late_is_the_eighth_day_after_the_last_round_of_the_first_hand_in(office):
    office.submit("On the seventh day", *PLAYED, received="2026-02-15")
    office.submit("On the eighth day", *PLAYED, received="2026-02-16")
    lines = {line.tournament.name: line for line in period_status_of(opened(office)).lines}
    assert {name: (line.stage, line.days_late) for name, line in lines.items()} == {
        "On the seventh day": ("received", 0),
        "On the eighth day": ("late", 1),
    }
    assert lines["On the eighth day"].due == date(2026, 2, 15)


@quick
def test_a_line_says_since_when_and_by_whom(office):
    report = office.submit("Submitted", *PLAYED)
    (line,) = period_status_of(opened(office)).lines
    assert (line.by, line.days_waiting) == ("Referee", 0)
    accept_report(report=report, by=office.director)
    (line,) = period_status_of(opened(office)).lines
    assert (line.by, line.report) == ("Director", report)


@quick
def test_only_one_federation_or_kind_is_shown_and_the_rest_is_not_lost(office):
    for name, kind in (
        ("Women", {"women_only": True}),
        ("Girls", {"women_only": True, "youth_only": True}),
        ("Boys", {"youth_only": True}),
        ("All", {}),
    ):
        report = office.accept(name, *PLAYED)
        open_results()
        ResultSet.objects.filter(pk=report.result_set_id).update(**kind or {"youth_only": False})
    announced(office, "Announced in Senegal", country="SEN")
    period_status = period_status_of(opened(office))

    def names(period_status) -> set[str]:
        return {line.tournament.name for line in period_status.lines}

    assert period_status.countries == ["NED", "SEN"]
    assert names(period_status.filtered(country="SEN")) == {"Announced in Senegal"}
    assert names(period_status.filtered(kind="women")) == {"Women", "Girls"}
    assert names(period_status.filtered(kind="youth")) == {"Boys"}
    assert names(period_status.filtered(country="SEN", kind="youth")) == set()
    assert len(period_status.lines) == 5


# --- a year later


@whole
def test_a_year_later_the_board_is_as_it_was_and_says_where_each_counted_then(office):
    """April leaves three out; two are accepted afterwards and count in July, one is never submitted again."""
    office.accept("Accepted", *PLAYED)
    slow = office.submit("Slow", *PLAYED)
    returned = office.submit("Returned", *PLAYED)
    return_report(report=returned, remarks=[Remark("Who won?")], by=office.officer)
    forgotten = office.submit("Forgotten", *PLAYED)
    return_report(report=forgotten, remarks=[Remark("Who won?")], by=office.officer)
    silent = announced(office, "Announced")
    reported = announced(office, "Announced, reported in May")
    office.run()
    period = Period.objects.get(in_force=APRIL)
    accept_report(report=slow, different_because="another day", by=office.officer)
    returned.refresh_from_db()
    handed_in_again(office, returned)
    accept_report(report=returned, different_because="another day", by=office.officer)
    unannounced = office.submit("After the freeze", *PLAYED)
    late = office.submit("Announced, reported in May", *PLAYED, **LATE)
    Report.objects.filter(pk=late.pk).update(announcement=reported)
    reject_report(report=unannounced, reason="never played", by=office.officer)
    expected = {
        "Accepted": ("accepted", "counted"),
        "Slow": ("excluded", "office"),
        "Returned": ("excluded", "returned"),
        "Forgotten": ("excluded", "returned"),
        "After the freeze": ("excluded", "after_freeze"),
        "Announced": ("announced", "not_received"),
        "Announced, reported in May": ("announced", "not_received"),
    }
    july = OtherList(JULY)
    then_in_july = ("Slow", "Returned", "Forgotten", "Announced, reported in May")
    counts = dict.fromkeys(expected) | dict.fromkeys(then_in_july, july)
    assert (places(period), other_list(period)) == (expected, counts)

    office.run(JULY)
    in_july = OtherList(JULY, counted=True)
    counts |= {"Slow": in_july, "Returned": in_july, "Forgotten": OtherList(OCTOBER)}
    counts["Announced, reported in May"] = OtherList(OCTOBER)  # still to be admitted
    assert (places(period), other_list(period)) == (expected, counts)
    in_may = next(line for line in period_status_of(period).lines if line.report == late)
    assert (in_may.tournament, in_may.received) == (reported, date(2026, 2, 16))
    assert silent.pk

    withdraw_report(report=forgotten, reason="never played", by=office.referee)
    assert places(period) == expected, "what was done later does not change what was"
    assert other_list(period)["Forgotten"] is None


def handed_in_again(office, report) -> None:
    """Today's findings may be others than those of the first submission: then they are answered."""
    comments = dict.fromkeys(range(20), "so it is")
    with suppress(DomainError):
        submit_report(report=report, comments=comments, by=office.referee)
    report.refresh_from_db()
    if report.state != "submitted":
        submit_report(report=report, comments=comments, by=office.referee)


@whole
def test_a_revision_that_leaves_out_and_takes_in_is_shown_next_to_what_the_freeze_took(office):
    office.accept("Stays", *PLAYED)
    dropped = office.accept("Dropped", *PLAYED)
    wrong = office.accept("Wrong", *PLAYED)
    slow = office.submit("Slow", *PLAYED)
    april = office.run()
    accept_report(report=slow, different_because="another day", by=office.officer)
    right = again(office, wrong.result_set.code, "Right", [11, 12], ["1 1 2 0-2"])
    reports = [slow.pk, right.pk]
    correct(office, april, excluded_tournaments=[dropped.result_set.code], included_reports=reports)
    office.run()
    period = Period.objects.get(in_force=APRIL)
    assert places(period) == {
        "Stays": ("accepted", "counted"),
        "Dropped": ("accepted", "counted"),
        "Wrong": ("accepted", "counted"),
        "Right": ("excluded", "corrects"),
        "Slow": ("excluded", "office"),
    }
    assert other_list(period) == {
        "Stays": None,
        "Dropped": OtherList(APRIL, revision=2),
        "Wrong": OtherList(APRIL, counted=True, revision=2),
        "Right": OtherList(APRIL, counted=True, revision=2),
        "Slow": OtherList(APRIL, counted=True, revision=2),
    }


@whole
def test_a_corrected_report_stands_on_the_board_as_what_it_is(office):
    """Its tournament is counted by April's list: July would not count it, a revision of April takes it in."""
    report = office.accept("Open", *PLAYED)
    office.run()
    corrected = office.submit("Open", [11, 12], ["1 1 2 0-2"], corrects=f'"{report.result_set.code}"')
    for period in (opened(office, JULY), Period.objects.get(in_force=APRIL)):
        line = next(line for line in period_status_of(period).lines if line.report == corrected)
        assert (line.stage, line.reason) == ("excluded", "corrects")
    (line,) = period_status_of(opened(office, JULY)).lines
    assert line.other_list == OtherList(APRIL)
    accept_report(report=corrected, by=office.officer, newcomers_are_others=True)
    assert manifest(freeze_period(period=opened(office, JULY), reason="a test", by=office.officer)) == set()


@quick
def test_many_lines_cost_as_many_queries_as_few(office):

    def costs(period) -> int:
        with CaptureQueriesContext(connection) as queries:
            period_status_of(period)
        return len(queries)

    one_of_each(office)
    period = opened(office)
    few = costs(period)
    for turn in range(3):
        office.accept(f"Accepted {turn}", *PLAYED)
        office.submit(f"Submitted {turn}", *PLAYED)
        announced(office, f"Announced {turn}")
    assert costs(period) == few
    period = freeze_period(period=period, reason="a test", by=office.officer)
    assert (few, costs(period)) == (5, 11)  # those of the freeze, and where each counts now
