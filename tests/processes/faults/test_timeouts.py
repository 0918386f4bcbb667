"""Locks, idle transactions and tasks have an end, and these ends fit into each other."""

import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import OperationalError, connection, transaction
from fault_tools import ROOT, tables_of_lists

from ratings.models import CalculationRun, Pool, RatingList
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import (
    due_period,
    ensure_period,
    freeze_due_periods,
    freeze_period,
)
from ratings.production.request_calculation import request_calculation
from ratings.tasks import look_for_work
from reporting.models import Report
from reporting.models.locks import CLOSING
from reporting.refusals.domain_error import DomainError

OPENING = "fmjd_id rating games\n11 2000 100\n12 2050 100"
ASK = """
import json, django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
    cursor.execute("SELECT " + ", ".join(f"current_setting('{name}')" for name in names))
    print(json.dumps(cursor.fetchone()))
"""


def test_a_task_is_asked_to_end_before_it_is_killed():
    assert settings.CELERY_TASK_SOFT_TIME_LIMIT < settings.CELERY_TASK_TIME_LIMIT


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("role", "waits"), [("web", ["5s", "1min", "30s"]), ("worker", ["30s", "0", "10min"])]
)
def test_web_and_worker_wait_for_a_lock_and_keep_an_idle_transaction_so_long(environment, role, waits):
    here = connection.get_connection_params()
    web_environment = environment | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
        "DATABASE_URL": f"postgres://app_{role}@/{here['dbname']}?host={here['host']}",
        "DATABASE_ROLE": role,
        "BROKER_URL": "redis://unknown",
    }
    answer = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=web_environment, capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == waits


@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_for_the_closing_lock_is_asked_to_come_again(office):
    office.opening(OPENING)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [CLOSING])
            with pytest.raises(DomainError, match="being frozen"):
                office.upload("Open", [11, 12], ["1 1 2 2-0"])
            cursor.execute("SELECT pg_advisory_unlock(%s)", [CLOSING])
            assert not Report.objects.exists()
            office.upload("Open", [11, 12], ["1 1 2 2-0"])  # the twin

            pool = Pool.objects.get(code="fmjd-100")
            period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
            cursor.execute("SELECT pg_advisory_lock_shared(%s)", [CLOSING])
            with pytest.raises(DomainError, match="being stored"):
                freeze_period(period=period, reason="a test", by=office.officer)
            assert freeze_due_periods() == []  # the scheduler tries again in a minute
            cursor.execute("SELECT pg_advisory_unlock_shared(%s)", [CLOSING])
            assert freeze_due_periods() == [period]
    finally:
        other.close()


@pytest.mark.django_db(transaction=True)
def test_a_calculation_gives_way_to_a_writer_of_players_and_tries_again(office):
    """Attaching waits for the writer and delays all later ones: three seconds at most."""
    office.opening(OPENING)
    pool = Pool.objects.get(code="fmjd-100")
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)
    run = request_calculation(period=period, by=office.officer, wake_worker=False)
    tables = tables_of_lists()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("UPDATE reporting_player SET first_name = 'Held'")
            cursor.execute("SELECT proconfig FROM pg_proc WHERE proname = 'seal_partition'")
            assert "lock_timeout=3s" in cursor.fetchone()[0]
        with pytest.raises(OperationalError, match="lock timeout"):
            calculate_period(run=run)
        run.refresh_from_db()
        assert (run.state, run.attempts) == (CalculationRun.State.REQUESTED, 1)
        assert "lock timeout" in run.error
        assert tables_of_lists() == tables
        assert not transaction.get_connection().in_atomic_block
        with other.cursor() as cursor:
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    assert look_for_work() == 1
    assert RatingList.objects.get(run=run).state == "ready"
