"""A worker may die at any moment of a calculation: the figures are the same afterwards, and never half there."""

import random
import time
from contextlib import nullcontext

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from fault_tools import (
    before_each_statement,
    figures,
    kill_self,
    only_count,
    rounds,
    run_in_child,
    tables_of_lists,
    wait_until,
)

from ratings.models import CalculationRun, Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.request_calculation import request_calculation
from ratings.publishing.list_files import write_missing_files
from reporting.log.audit import Actor
from reporting.models import User
from tests.pages.published.published_pages import pass_closing_date

SIGKILL = 9
KILLS = rounds(3, 50)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2050 100\n13 2100 20\n14 1900 60\n15 2310 90"
GAMES = ["1 1 2 2-0", "1 3 4 1-1", "2 1 3 0-2", "2 2 4 2-0", "3 4 1 1-1", "3 2 3 0-2"]

pytestmark = pytest.mark.django_db(transaction=True)


def officer():
    return Actor(User.objects.get(email="officer@office.invalid"), by_command=True)


def frozen(pool):
    pass_closing_date(pool, due_period(pool).in_force)
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=officer())
    return freeze_period(period=period, reason="a test", by=officer())


def requested(period):
    return request_calculation(period=period, by=officer(), wake_worker=False)


def ended(run):
    return CalculationRun.objects.get(pk=run.pk).state == CalculationRun.State.DONE


def no_other_is_connected() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone() == (0,)


def test_killed_at_random_moments_the_figures_are_those_of_an_undisturbed_run(season, processes):
    """Every third time everything in the broker is lost too. The requested run is in the database."""
    moments = random.Random(7)  # noqa: S311
    period = frozen(Pool.objects.get(code="fmjd-100"))
    assert period.manifest.exists()
    golden = figures(calculate_period(run=requested(period)))

    worker = processes.start()
    run = requested(period)  # once undisturbed: the worker is warm, and this is how long it takes
    assert wait_until(lambda: processes.wake_worker() or ended(run))
    run = requested(period)
    processes.wake_worker()
    began = time.monotonic()
    assert wait_until(lambda: ended(run))
    takes = time.monotonic() - began

    in_the_middle, attempts = 0, 0
    for kill in range(1, KILLS + 1):
        run = requested(period)
        processes.wake_worker()
        time.sleep(moments.uniform(0, 1.05 * takes))
        processes.kill(worker)
        if kill % 3 == 0:
            processes.flush_broker()
        assert wait_until(no_other_is_connected)  # what the killed process began to commit is done or lost
        run.refresh_from_db()
        if run.state == CalculationRun.State.REQUESTED:
            in_the_middle += run.attempts
            assert not RatingList.objects.filter(run=run).exists()
        worker = processes.start()
        assert wait_until(lambda run=run: processes.wake_worker() or ended(run), 60), (
            processes.log.read_text()[-3000:]
        )
        run.refresh_from_db()
        attempts += run.attempts
        assert figures(run.list) == golden, f"kill {kill}"
        assert run.attempts in (1, 2), processes.log.read_text()[-3000:]
    assert attempts == KILLS + in_the_middle
    assert RatingList.objects.filter(period=period).exclude(state="superseded").count() == 1
    print(f"\n{KILLS} kills, {in_the_middle} in the middle of a calculation of {takes * 1000:.0f} ms")  # noqa: T201


@pytest.fixture
def quarter(office):
    """A frozen quarter with a tournament, a newcomer in it."""
    office.opening(OPENING)
    office.accept("Open", [11, 12, 13, office.newcomer("Nova", "Kometa")], GAMES)
    office.accept("Second", [14, 15], ["1 1 2 2-0"])
    return frozen(Pool.objects.get(code="fmjd-100"))


def test_killed_before_every_statement_nothing_of_it_is_there_and_the_next_one_does_it(quarter):
    calculate_period(run=requested(quarter))  # the runs to come supersede a draft, as this second one does
    run = requested(quarter)
    with before_each_statement(only_count) as count:
        calculate_period(run=run)
    golden = figures(RatingList.objects.get(run=run))
    made_by_a_run = 2
    killed = undone = 0
    # The last two give back the locks of the names and of the run, after the commit; a turn after them kills nothing.
    last = count()
    turns = [*range(1, last - 1, rounds(3, 1)), last - 1, last, last + 1]
    for turn in turns:
        run = requested(quarter)
        lists, tables = RatingList.objects.count(), tables_of_lists()
        last_words = run_in_child(lambda run=run, turn=turn: killed_before(turn, run))
        if last_words == 0:
            break
        assert last_words == SIGKILL
        killed += 1
        # The server finishes what the killed process had sent; then the run is free.
        assert wait_until(lambda: not held_locks())
        run.refresh_from_db()
        done = run.state == CalculationRun.State.DONE
        undone += not done
        assert RatingList.objects.count() == lists + done
        assert tables_of_lists() == tables + made_by_a_run * done
        assert figures(calculate_period(run=run)) == golden
    assert killed == len(turns) - 1
    assert killed - undone == 2
    assert last > 30
    print(f"\n{killed} kills, each before one of {last} statements; {undone} before the commit")  # noqa: T201


def test_killed_before_every_statement_that_writes_files_again_all_are_there_or_none(quarter):
    draft = open_for_approval(rating_list=calculate_period(run=requested(quarter)), by=officer())
    for anomaly in draft.anomalies.all():
        answer_anomaly(anomaly=anomaly, text="Looked at.", by=officer())
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=officer())
    golden = figures(draft)

    def without_files():
        with connection.cursor() as cursor:
            cursor.execute("SELECT drop_draft_files(%s)", [draft.pk])

    without_files()
    with before_each_statement(only_count) as count:
        assert write_missing_files() == 1
    assert figures(draft) == golden
    assert write_missing_files() == 0
    for turn in range(1, count() + 1, rounds(4, 1)):
        without_files()

        def written(turn=turn):
            with before_each_statement(lambda n: kill_self() if n == turn else None):
                write_missing_files()

        assert run_in_child(written) == SIGKILL
        assert wait_until(lambda: not held_locks())
        assert not draft.files.exists(), f"killed before {turn} of {count()}"
        assert write_missing_files() == 1
        assert figures(draft) == golden


def test_twin_without_the_one_transaction_a_kill_leaves_half_a_list(quarter):
    """The guard off: each statement commits by itself. A draft without figures can be seen."""
    half = 0
    for turn in range(1, 60):
        run = requested(quarter)
        CalculationRun.objects.update(attempts=0)
        if (
            run_in_child(lambda run=run, turn=turn: killed_before(turn, run, one_transaction=False))
            != SIGKILL
        ):
            break
        # Until the server has ended the killed process's session its lock would refuse the next turn.
        assert wait_until(lambda: not held_locks())
        half = RatingList.objects.filter(period=quarter, sha256="").count()
        if half:
            break
    assert half


def killed_before(turn, run, *, one_transaction=True):
    if not one_transaction:
        # In this process only, which is about to end.
        transaction.atomic = lambda *_, **__: nullcontext()
        QuerySet.select_for_update = lambda rows, **_: rows
    with before_each_statement(lambda n: kill_self() if n == turn else None):
        calculate_period(run=run)


def held_locks():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = ("
                       "SELECT oid FROM pg_database WHERE datname = current_database())")  # fmt: skip
        return cursor.fetchone()[0]
