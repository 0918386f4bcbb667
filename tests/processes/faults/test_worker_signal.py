"""The run is a row, a message only wakes the worker: a message lost, doubled or broken costs time, never a result."""

import random
import time
from types import SimpleNamespace

import pytest
from celery import current_app
from django.core.cache import caches
from django.db import transaction
from fault_tools import rounds, wait_until

from config.processes import BEAT
from ratings.models import CalculationRun, Pool, RatingList
from ratings.production.calculate import MAX_ATTEMPTS, calculate_period
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.request_calculation import request_calculation
from ratings.worker.progress import progress_of
from reporting.log.actions import reason_label
from reporting.models import LogEntry
from reporting.refusals.domain_error import DomainError

BROKER_KILLS = rounds(2, 20)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2050 100\n13 2100 20"
GAMES = ["1 1 2 2-0", "2 3 1 1-1", "3 2 3 0-2"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(office):
    """A frozen quarter, and a way to ask for its calculation."""
    caches["default"].clear()  # the runs of other tests have the same numbers
    office.opening(OPENING)
    office.accept("Open", [11, 12, 13], GAMES)
    pool = Pool.objects.get(code="fmjd-100")
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)

    def ask(*, wake_worker=False):
        return request_calculation(period=period, by=office.officer, wake_worker=wake_worker)

    return SimpleNamespace(period=period, ask=ask)


@pytest.fixture
def real_broker(processes, monkeypatch):
    """The test's own process uses the real broker too."""
    monkeypatch.setattr(current_app.conf, "broker_write_url", processes.url)
    return processes


def state(run):
    run.refresh_from_db()
    return run.state


def test_a_killed_flushed_or_paused_broker_delays_no_caller_and_loses_nothing(asked, real_broker):
    real_broker.start()
    warm = asked.ask()
    real_broker.wake_worker()  # unlike the application's, it does not expire while a busy machine starts the worker
    assert wait_until(lambda: state(warm) == "done"), real_broker.log.read_text()[-3000:]
    # Asked for while the broker is up, it is done at once.
    run = asked.ask(wake_worker=True)
    assert wait_until(lambda: state(run) == "done")  # no beat is running

    real_broker.kill_broker()
    run = asked.ask(wake_worker=True)  # returns, though the broker does not answer
    real_broker.start_broker()
    real_broker.pause_broker()
    asked.ask(wake_worker=True)  # and here no connection is refused either
    real_broker.wake_broker()
    real_broker.flush_broker()
    # The twin: with messages alone the calculation would never come.
    time.sleep(3)
    assert state(run) == "requested"
    real_broker.start(BEAT)
    assert wait_until(lambda: state(run) == "done", 60), real_broker.log.read_text()[-3000:]
    assert run.attempts == 1


def test_worker_and_scheduler_connect_again_to_a_broker_that_was_killed_or_mute(asked, processes):
    """Killed half the time in a calculation, half the time among the acknowledgements of many messages.

    Last it goes without closing its connections, as when its machine loses power.
    """
    moments = random.Random(11)  # noqa: S311
    worker = processes.start(fault="slow, quick to find out")
    scheduler = processes.start(
        BEAT, fault="quick scheduler, quick to find out"
    )  # nothing else wakes the worker

    def heard():
        return processes.count_in_log("received")

    assert wait_until(heard)
    for kill in range(1, BROKER_KILLS + 1):
        run = asked.ask()
        if kill % 2:
            assert wait_until(lambda run=run: state(run) == "requested" and run.attempts == 1)
            time.sleep(moments.uniform(0, 1.6))
        else:
            assert wait_until(lambda run=run: state(run) == "done")
            processes.wake_worker(40)
            time.sleep(moments.uniform(0, 0.3))
        processes.kill_broker()
        time.sleep(moments.choice((0, 0.5, 2)))
        processes.start_broker()
        before = heard()
        last_words = f"kill {kill}: {processes.log.read_text()[-3000:]}"
        assert wait_until(lambda before=before: heard() > before), last_words
        assert wait_until(lambda run=run: state(run) == "done"), last_words
        assert run.attempts == 1
        assert (worker.poll(), scheduler.poll()) == (None, None), last_words
    print(f"\n{BROKER_KILLS} kills of the broker")  # noqa: T201

    processes.replace_broker()
    before = heard()
    assert wait_until(lambda: heard() > before, 60), processes.log.read_text()[-3000:]


@pytest.mark.twin
def test_twin_with_late_acknowledgement_a_killed_broker_takes_the_worker_along(asked, processes):
    worker = processes.start(fault="slow, acknowledged late")
    run = asked.ask()
    processes.wake_worker()
    assert wait_until(lambda: state(run) == "requested" and run.attempts == 1)
    processes.kill_broker()  # in the middle of the calculation, its message not yet acknowledged
    assert wait_until(lambda: processes.count_in_log("Unrecoverable error") == 1)
    processes.start_broker()
    assert wait_until(lambda: worker.poll() is not None)
    assert state(run) == "done"  # the running calculation came to its end; the next message is lost


def test_two_workers_and_eight_messages_make_one_list(asked, processes):
    processes.start(fault="slow")
    processes.start(fault="slow")
    run = asked.ask()
    processes.wake_worker(8)
    assert wait_until(lambda: state(run) == "done")
    assert wait_until(lambda: processes.count_in_log("ratings.look_for_work") >= 16)
    run.refresh_from_db()
    assert run.attempts == 1
    assert RatingList.objects.filter(period=asked.period).count() == 1
    assert processes.count_in_log('"busy"') >= 2
    assert processes.count_in_log("ended with an error") == 0


@pytest.mark.twin
def test_twin_without_the_lock_two_workers_do_it_twice(asked, processes):
    """They spoil each other's work, down to giving the run up; the database still takes only one draft of a period."""
    processes.start(fault="slow, no lock")
    processes.start(fault="slow, no lock")
    run = asked.ask()
    processes.wake_worker(8)
    assert wait_until(lambda: processes.count_in_log("ended with an error") > 0)
    run.refresh_from_db()
    assert run.attempts > 1
    assert RatingList.objects.filter(period=asked.period).count() <= 1


def test_a_run_that_kills_its_worker_each_time_is_given_up(asked, processes):
    worker = processes.start(fault="poison")
    run = asked.ask()
    processes.wake_worker()
    assert wait_until(lambda: processes.wake_worker() or state(run) == "failed", 60), (
        processes.log.read_text()[-3000:]
    )
    assert run.attempts == MAX_ATTEMPTS
    assert (run.error, run.refusal) == ("", {})  # a killed worker stores none
    assert run.finished_at is not None
    failed = LogEntry.objects.get(action="calculation.fail")
    assert (failed.after["attempts"], reason_label(failed.reason)) == (
        MAX_ATTEMPTS,
        "The worker stopped without an error message.",
    )
    assert not RatingList.objects.filter(period=asked.period).exists()

    def is_given_up() -> bool:
        """A killed worker's connection can hold its lock for a moment more: then another one calculates."""
        with pytest.raises(DomainError, match=r"given up|Another worker") as refused:
            calculate_period(run=run)
        return "given up" in str(refused.value)

    assert wait_until(is_given_up)
    # Once the cause is gone, a new one may be asked for.
    processes.kill(worker)
    processes.flush_broker()
    processes.start()
    again = asked.ask()
    assert again != run
    assert wait_until(lambda: processes.wake_worker() or state(again) == "done")


@pytest.mark.twin
def test_twin_without_the_cap_it_goes_on_killing(asked, processes):
    processes.start(fault="poison, no cap")
    run = asked.ask()
    processes.wake_worker()
    assert wait_until(
        lambda: processes.wake_worker() or state(run) != "requested" or run.attempts > MAX_ATTEMPTS + 2, 60
    )
    assert state(run) == "requested"


# --- in this process


def test_an_error_is_noted_on_the_run_which_stays_requested_until_its_last_attempt(asked, monkeypatch):
    from ratings.production import calculate
    from ratings.tasks import look_for_work

    run = asked.ask()
    with monkeypatch.context() as broken:
        broken.setattr(calculate, "write_list", lambda *_, **__: 1 / 0)
        for attempt in range(1, MAX_ATTEMPTS):
            assert look_for_work() == 0
            assert state(run) == "requested"
            assert (run.attempts, run.error) == (attempt, "ZeroDivisionError: division by zero")
    assert not RatingList.objects.filter(period=asked.period).exists()
    assert look_for_work() == 1  # the last attempt is a good one
    assert state(run) == "done"
    assert run.error == ""


def test_the_last_attempt_s_error_ends_the_run(asked, monkeypatch):
    from ratings.production import calculate
    from ratings.tasks import look_for_work

    run = asked.ask()
    monkeypatch.setattr(calculate, "write_list", lambda *_, **__: 1 / 0)
    for _ in range(MAX_ATTEMPTS + 2):
        assert look_for_work() == 0
    assert state(run) == "failed"
    assert (run.attempts, run.error) == (5, "ZeroDivisionError: division by zero")
    assert LogEntry.objects.filter(action="calculation.fail").count() == 1


STAGES = ["read", "calculate", "write", "index", "attach", "norms", "files", "check"]


def test_progress_goes_through_the_stages_with_their_rows_outside_the_transaction(asked, monkeypatch):
    from ratings.production import write_list

    run = asked.ask()
    assert progress_of(run) == []
    seen = []
    digest = write_list._figures_digest

    def look(*arguments):
        seen.extend(progress_of(run))
        return digest(*arguments)

    monkeypatch.setattr(write_list, "_figures_digest", look)
    calculate_period(run=run)
    assert [(stage.stage, stage.done, stage.of, stage.ended) for stage in seen] == [
        ("read", 6, 6, True), ("calculate", 3, 3, True), ("write", 6, 6, True), ("index", 0, 6, False),
    ]  # fmt: skip
    assert progress_of(run)[-1].ended  # who waits reads the cache until the commit
    run.refresh_from_db()
    assert [stage.stage for stage in progress_of(run)] == STAGES
    assert all(stage.ended for stage in progress_of(run))


def test_a_cache_that_fails_hurts_no_run(asked, monkeypatch):
    def refuse(*_, **__):
        raise ConnectionError("no cache")

    for word in ("get", "set"):
        monkeypatch.setattr(type(caches["default"]), word, refuse)
    run = asked.ask()
    assert progress_of(run) == []
    assert calculate_period(run=run).state == "calculated"
    run.refresh_from_db()
    assert [stage.stage for stage in progress_of(run)] == STAGES


def test_the_worker_is_woken_after_the_commit_and_not_after_a_rollback(asked, monkeypatch):
    rung = []
    monkeypatch.setattr(
        "ratings.worker.worker_signal.wake_worker", lambda: rung.append(CalculationRun.objects.count())
    )
    with transaction.atomic():
        asked.ask(wake_worker=True)
        assert rung == []
        transaction.set_rollback(True)
    assert rung == []
    asked.ask(wake_worker=True)
    assert rung == [1]
