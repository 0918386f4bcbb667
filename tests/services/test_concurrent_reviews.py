"""Two who decide on one report at the same moment, or next to a freeze: one effect, and no list without its games."""

import time
from datetime import date
from threading import Barrier, Event, Thread
from unittest.mock import patch

import pytest
from django.db import connection, transaction

from ratings.models import PeriodReport
from reporting.models import LogEntry, Message, Report, ReviewRemark, Role
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.acceptance.accept_several import accept_several
from reporting.reports.services.review import accept_report, return_report, undo_acceptance
from tests.concurrency import run_concurrently
from tests.services.report_helpers import GAMES, PLAYERS, REMARKS, freeze, person, whole

pytestmark = pytest.mark.usefixtures("three_players_shared")


@whole
def test_of_two_officers_who_accept_and_return_at_the_same_moment_one_does(office):
    office.register(*PLAYERS)
    first, second = person("First", Role.RATING_OFFICER), person("Second", Role.TOURNAMENT_DIRECTOR)
    for turn in range(20):
        report = office.submit(f"Open {turn}", PLAYERS, GAMES)
        outcomes = run_concurrently(
            lambda: accept_report(report=report, by=first, different_because="a test"),  # noqa: B023
            lambda: return_report(report=report, remarks=REMARKS, by=second),  # noqa: B023
        )
        (done,) = [outcome for outcome in outcomes if isinstance(outcome, Report)]
        (refused,) = [outcome for outcome in outcomes if not isinstance(outcome, Report)]
        assert (type(refused), getattr(refused, "code", "")) == (DomainError, "wrong_state")
        report.refresh_from_db()
        assert report.state == done.state
        accepted = report.state == "accepted"
        assert accepted == (done is outcomes[0])
        assert report.result_set.entries.filter(player__isnull=not accepted).count() == 3
        assert ReviewRemark.objects.filter(version__report=report).count() == (0 if accepted else 1)
        messages = Message.objects.filter(about__startswith=f"/reports/{report.pk}/")
        kind = "report_accepted" if accepted else "report_returned"
        assert [message.kind for message in messages] == [kind]
        acts = LogEntry.objects.filter(subject=f"report {report.pk}")
        assert acts.filter(action__in=["report.accept", "report.return"]).count() == 1


@whole
def test_of_two_officers_who_accept_the_same_clean_reports_each_report_is_accepted_once(office):
    office.register(*PLAYERS)
    first, second = person("First", Role.RATING_OFFICER), person("Second", Role.TOURNAMENT_DIRECTOR)
    days = [
        {"played_from": date(2026, m, 6), "played_to": date(2026, m, 8), "received": f"2026-0{m}-09"}
        for m in (2, 3)
    ]
    chosen = [(office.submit(f"Open {day['received']}", PLAYERS, GAMES, **day), 1) for day in days]
    outcomes = run_concurrently(
        lambda: accept_several(reports=chosen, by=first),
        lambda: accept_several(reports=chosen[::-1], by=second),
    )
    accepted = sorted(report.pk for outcome in outcomes for report in outcome.accepted)
    assert accepted == [report.pk for report, _ in chosen]
    assert {refusal.code for outcome in outcomes for _, refusal in outcome.left_out} == {"wrong_state"}
    for report, _ in chosen:
        assert LogEntry.objects.filter(subject=f"report {report.pk}", action="report.accept").count() == 1


def let_go_of(*acts, holding, seconds=0.4):
    """Carry `holding` out, let the others begin next to it, and commit once they are done, or so much later; what those
    came to.
    """
    outcomes = [None] * len(acts)

    def run(place, act):
        try:
            outcomes[place] = act()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=numbered) for numbered in enumerate(acts)]
    with transaction.atomic():
        holding()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds)
    for thread in threads:
        thread.join(60)
    return outcomes


def damaged():
    """Reports whose state, results and manifest do not say the same."""
    lines = set(PeriodReport.objects.values_list("result_set", flat=True))
    return [
        report
        for report in Report.objects.select_related("result_set")
        if report.result_set.entries.filter(player__isnull=report.state == "accepted").exists()
        or (report.result_set_id in lines and report.state != "accepted")
    ]


@whole
def test_a_freeze_waits_for_what_is_being_undone_and_leaves_it_out(office):
    report = office.accept("Open", PLAYERS, GAMES)
    let_go_of(
        lambda: freeze(office), holding=lambda: undo_acceptance(report=report, reason="so", by=office.officer)
    )
    assert damaged() == []
    assert PeriodReport.objects.count() == 0
    report.refresh_from_db()
    assert report.state == "submitted"


@whole
def test_what_comes_back_during_a_freeze_is_counted_by_then(office):
    report = office.accept("Open", PLAYERS, GAMES)
    (refused,) = let_go_of(
        lambda: undo_acceptance(report=report, reason="so", by=office.officer), holding=lambda: freeze(office)
    )
    assert (type(refused), getattr(refused, "code", "")) == (DomainError, "already_counted")
    assert damaged() == []
    assert PeriodReport.objects.count() == 1


@whole
def test_twin_without_the_closing_lock_a_list_counts_a_report_without_players(office):
    report = office.accept("Open", PLAYERS, GAMES)
    with patch("reporting.reports.services.review.share_closing_lock", lambda: None):
        let_go_of(
            lambda: freeze(office),
            holding=lambda: undo_acceptance(report=report, reason="so", by=office.officer),
            seconds=20,
        )
    assert damaged() == [report]
    assert not PeriodReport.objects.get().result_set.entries.exclude(player=None).exists()


@whole
def test_many_are_undone_while_the_period_is_frozen_and_each_is_either_back_or_counted(office):
    """The first two are back before the freeze begins, the last two come after it, the others at the same moment."""
    reports = [office.accept(f"Open {number}", PLAYERS, GAMES) for number in range(16)]
    two_are_back, frozen = Barrier(3), Event()

    def back(place):
        def act():
            if place >= 14:
                frozen.wait(30)
            elif place >= 2:
                time.sleep(0.01 * place)
            done = undo_acceptance(report=reports[place], reason="so", by=office.officer)
            if place < 2:
                two_are_back.wait(30)
            return done

        return act

    def freezes():
        two_are_back.wait(30)
        freeze(office)
        frozen.set()

    outcomes = run_concurrently(freezes, *(back(place) for place in range(16)))
    counted = [outcome for outcome in outcomes[1:] if isinstance(outcome, DomainError)]
    assert [type(outcome) for outcome in outcomes if not isinstance(outcome, Report)] == [
        type(None), *[DomainError] * len(counted)
    ]  # fmt: skip
    assert {refused.code for refused in counted} == {"already_counted"}
    assert damaged() == []
    assert PeriodReport.objects.count() == len(counted)
    assert Report.objects.filter(state="submitted").count() == len(reports) - len(counted)
    assert 2 <= len(counted) <= 14


@whole
def test_a_report_is_not_undone_under_a_corrected_one_that_is_being_accepted(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    (refused,) = let_go_of(
        lambda: undo_acceptance(report=first, reason="so", by=office.officer),
        holding=lambda: accept_report(report=corrected, by=office.officer),
    )
    assert (type(refused), getattr(refused, "code", "")) == (DomainError, "corrected")


@whole
def test_nor_is_a_corrected_one_accepted_on_a_report_that_is_being_undone(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    (refused,) = let_go_of(
        lambda: accept_report(report=corrected, by=office.officer),
        holding=lambda: undo_acceptance(report=first, reason="so", by=office.officer),
    )
    assert [finding.code for finding in refused.findings] == ["corrects-unknown"]


@whole
def test_twin_without_holding_the_tournament_a_corrected_report_stands_on_nothing(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    with patch("reporting.reports.services.review._lock_tournament", lambda _: None):
        let_go_of(
            lambda: accept_report(report=corrected, by=office.officer),
            holding=lambda: undo_acceptance(report=first, reason="so", by=office.officer),
            seconds=20,
        )
    assert set(Report.objects.values_list("pk", "state")) == {
        (first.pk, "submitted"), (corrected.pk, "accepted")
    }  # fmt: skip
