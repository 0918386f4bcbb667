"""PostgreSQL itself may die in the middle of a publication: afterwards the list is published as a whole, or not."""

import os
import signal
import subprocess
from contextlib import nullcontext

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from fault_tools import before_each_statement, only_count, rounds, run_in_child

from config.backup import ROLES
from config.embedded import servers
from ratings.models import Pool
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from tests.flows.test_backup import new_cluster  # noqa: F401
from tests.pages.published.published_pages import pass_closing_date

KILLS = rounds(2, 20)
pytestmark = pytest.mark.django_db(transaction=True)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2050 100\n13 2100 20\n14 1900 60"
GAMES = ["1 1 2 2-0", "1 3 4 1-1", "2 1 3 0-2", "2 2 4 2-0"]


def approved_list(office):
    office.opening(OPENING)
    office.accept("Open", [11, 12, 13, 14], GAMES)
    pool = Pool.objects.get(code="fmjd-100")
    pass_closing_date(pool, due_period(pool).in_force)
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)
    draft = calculate_period(run=request_calculation(period=period, by=office.officer, wake_worker=False))
    draft = open_for_approval(rating_list=draft, by=office.officer)
    return approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)


def copy_database(server):
    """The test's own database, into a cluster that may be killed."""
    programs = servers.postgres_programs()
    there = [programs / "psql", "-h", server.socket_directory, "-U", "postgres", "-d", "postgres", "-q"]
    subprocess.run([*there, "-c", ROLES], check=True)
    ours = connection.settings_dict
    with subprocess.Popen(
        [programs / "pg_dump", "-h", ours["HOST"], "-U", "postgres", ours["NAME"]], stdout=subprocess.PIPE
    ) as dump:
        subprocess.run(
            [*there, "-v", "ON_ERROR_STOP=1"], stdin=dump.stdout, check=True, stdout=subprocess.DEVNULL
        )


@pytest.fixture
def release(office):
    draft = approved_list(office)
    return {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}


@pytest.fixture
def server(release, new_cluster):  # noqa: F811
    """A cluster that may be killed, with a list to release."""
    server = servers.Postgres(new_cluster, durable=True)
    copy_database(server)
    return server


def publish_and_kill(server, release, *, before=None, one_transaction=True):
    """In a process of its own; the server is killed before a statement, or where none is named after the commit."""

    def kill_server(process):
        os.kill(int((server.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        os.kill(process, signal.SIGKILL)

    def publish():
        publication = publish_list
        if not one_transaction:
            # In this process only, which is about to end.
            publication = publish_list.__wrapped__
            transaction.atomic = lambda *_, **__: nullcontext()
            QuerySet.select_for_update = lambda rows, **_: rows
        connection.settings_dict |= {
            "EMBEDDED": {"var": str(server.var), "durable": True},
            "NAME": "postgres",
        }
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (process,) = cursor.fetchone()
        with before_each_statement(lambda n: kill_server(process) if n == before else None):
            publication(**release)
        kill_server(process)

    run_in_child(publish)
    server.restart_if_dead()


def what_is_there(server, release):
    """The state of the list, how many players have it in their history, and the figures that were signed."""
    with psycopg.connect(host=str(server.socket_directory), dbname="postgres", user="postgres") as there:
        return there.execute(
            "SELECT state, (SELECT count(*) FROM ratings_playerhistory WHERE list_id = %(list)s),"
            " (SELECT content FROM ratings_publishedfile WHERE list_id = %(list)s AND name = 'figures.csv')"
            " FROM ratings_ratinglist WHERE id = %(list)s",
            {"list": release["rating_list"].pk},
        ).fetchone()


def test_killed_in_the_middle_of_a_publication_all_of_it_is_there_or_nothing(server, release):
    """The whole server, without a chance to write anything more; what it said to have committed is there."""
    with before_each_statement(only_count) as count:
        publish_list(**release)
    rating_list = release["rating_list"]
    content = rating_list.files.get(name="figures.csv").content
    golden = ("published", rating_list.players, content)

    # Spread over the statements; the last of them is the COMMIT, before which everything is written.
    turns = [round(count() * kill / KILLS) for kill in range(1, KILLS + 1)]
    for turn in turns:
        publish_and_kill(server, release, before=turn)
        assert what_is_there(server, release) == ("approved", 0, content), (
            f"killed before {turn} of {count()}"
        )
    publish_and_kill(server, release)
    assert what_is_there(server, release) == golden
    print(f"\nkilled before {turns} of {count()} statements")  # noqa: T201


@pytest.mark.twin
def test_twin_without_the_one_transaction_half_a_publication_is_left(server, release):
    """The guard off: each statement commits by itself."""
    with before_each_statement(only_count) as count, transaction.atomic():
        publish_list(**release)
        transaction.set_rollback(True)
    # The last statements: what is to be calculated next, messages, the log entry, the state of the list.
    for before in range(count() - 3, 0, -1):
        publish_and_kill(server, release, before=before, one_transaction=False)
        state, histories, _ = what_is_there(server, release)
        if state == "approved":
            break
    assert (state, histories > 0) == ("approved", True)
