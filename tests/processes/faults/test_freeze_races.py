"""Reports keep coming in while the period is frozen: each accepted before the freeze is in, each after it is out.

What decides is one clock, the database's, read under the closing lock: `report.accept` in the audit log against
`frozen_at`. A report that says "accepted" before the freeze and is not in the manifest is a false promise.
"""

import random
import time
from contextlib import ExitStack
from datetime import date
from threading import Thread
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from fault_tools import rounds

from ratings.models import Period, PeriodReport, Pool
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from reporting.models import LogEntry, Report, Role
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from tests.services.report_helpers import person

FREEZES = rounds(2, 20)
THREADS, EACH = 8, 4  # 32 reports a freeze
# A pair of players for each report: two reports of the same game would ask about each other.
PAIRS = [(11 + 2 * pair, 12 + 2 * pair) for pair in range(THREADS * EACH)]
OPENING = "fmjd_id rating games\n" + "\n".join(f"{number} 2000 100" for pair in PAIRS for number in pair)
GAME = ["1 1 2 2-0"]

pytestmark = pytest.mark.django_db(transaction=True)


def slowly(seconds, act, *given, **arguments):
    """The act in a transaction that takes its time to commit, as one with a large file does."""
    with transaction.atomic():
        outcome = act(*given, **arguments)
        time.sleep(seconds)
    return outcome


def until_read(upload, **arguments):
    """Upload again while other files are being read, as a referee does who is asked to."""
    while True:
        try:
            return upload(**arguments)
        except DomainError as refusal:
            if refusal.key != "busy.reading":
                raise
            time.sleep(0.01)


def reports_of_one_referee(office, referee, turn, thread, *, played_on, slowest, trouble):
    chance = random.Random(turn * THREADS + thread)  # noqa: S311
    days = {"played_from": played_on, "played_to": played_on}
    try:
        for number in range(EACH):
            name = f"Open {turn} {thread} {number}"
            pair = PAIRS[thread * EACH + number]
            uploaded = slowly(
                chance.uniform(0, 0.03), until_read, office.upload, name=name, players=pair, results=GAME,
                by=referee,
                **days,
            )  # fmt: skip
            report = slowly(
                chance.uniform(0, 0.03), submit_report, report=uploaded.report, comments=office.comments(uploaded),
                by=referee,
            )  # fmt: skip
            slowly(chance.uniform(0, slowest), accept_report, report=report, by=office.officer)
    except Exception as error:  # a thread's error must not pass unseen
        trouble.append(error)
    finally:
        connection.close()


def race(office, freezes, slowest, is_enough=lambda _: False):
    """Quarter after quarter: eight threads submit and accept, and in the middle the period is frozen."""
    office.opening(OPENING, in_force=date(2016, 1, 1))
    pool = Pool.objects.get(code="fmjd-100")
    # One for each thread: an account uploads at most 100 reports a day.
    referees = [person(f"Referee {thread}", Role.REFEREE) for thread in range(THREADS)]
    periods, trouble = [], []
    for turn in range(freezes):
        due = due_period(pool)
        period = ensure_period(pool=pool, in_force=due.in_force, by=office.officer)
        threads = [
            Thread(
                target=reports_of_one_referee,
                args=(office, referee, turn, thread),
                kwargs={"played_on": due.closing, "slowest": slowest, "trouble": trouble},
            )
            for thread, referee in enumerate(referees)
        ]
        for thread in threads:
            thread.start()
        # When about half is accepted.
        accepted = Report.objects.filter(state="accepted").count() + THREADS * EACH // 2
        while Report.objects.filter(state="accepted").count() < accepted and any(
            t.is_alive() for t in threads
        ):
            time.sleep(0.005)
        periods.append(freeze_period(period=period, reason="a test", by=office.officer))
        for thread in threads:
            thread.join(60)
        assert trouble == []
        if is_enough(periods):
            break
        office.run(due.in_force)
    return periods


def misfiled(periods):
    """Reports accepted before a freeze and not in that list, and those accepted after it and in it."""
    accepted_at = {
        int(entry.subject.split()[1]): entry.at for entry in LogEntry.objects.filter(action="report.accept")
    }
    lists = dict(PeriodReport.objects.values_list("version__report", "period"))
    excluded, included = [], []
    for report, at in accepted_at.items():
        in_time_for = next((period.pk for period in periods if at < period.frozen_at), None)
        if in_time_for != lists.get(report):
            (excluded if in_time_for is not None else included).append(report)
    return excluded, included


def test_every_report_is_in_the_list_it_was_accepted_for(office):
    periods = race(office, FREEZES, slowest=0.12)
    reports = FREEZES * THREADS * EACH
    assert LogEntry.objects.filter(action="report.accept").count() == reports
    assert misfiled(periods) == ([], [])
    # None is lost: what came after the last freeze is in no manifest yet and comes into the next one.
    waiting = Report.objects.filter(state="accepted", result_set__manifest_lines=None)
    assert PeriodReport.objects.count() + waiting.count() == reports
    sizes = [period.manifest.count() for period in Period.objects.order_by("in_force")]
    assert 0 < sizes[0] < THREADS * EACH  # the freeze did fall in the middle
    print(f"\n{reports} reports, {FREEZES} freezes, 0 misfiled")  # noqa: T201


def test_twin_without_the_shared_lock_reports_miss_the_list_they_were_accepted_for(office):
    with ExitStack() as off:
        for step in ("upload", "submit", "review"):
            off.enter_context(patch(f"reporting.reports.services.{step}.share_closing_lock", lambda: None))
        # Acceptances wait for each other, too; side by side more of them are under way at the freeze.
        off.enter_context(patch("reporting.reports.services.review.take_accepting_lock", lambda: None))
        periods = race(office, 20, slowest=0.3, is_enough=lambda periods: misfiled(periods)[0])
    excluded, _ = misfiled(periods)
    assert excluded
    print(f"\nwithout the shared lock: {len(excluded)} of {len(periods) * THREADS * EACH} misfiled")  # noqa: T201
