"""PostgreSQL may die or find no room amid a publication and uploads: all of each is there afterwards, or nothing."""

import os
import shutil
import signal
import subprocess
from contextlib import nullcontext, suppress

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from fault_tools import (
    UploadingProgram,
    before_each_statement,
    connected_to,
    copy_database,
    files_of_uploads,
    only_count,
    rounds,
    run_in_child,
    web_on,
)

from config.embedded.postgres_server import Postgres
from ratings.models import Pool
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from reporting.log.invariants.registry import broken_invariants, invariants
from tests.concurrency import wait_until
from tests.pages.published.published_pages import pass_closing_date
from tests.processes.test_backup import new_cluster  # noqa: F401
from tests.program import Program

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


@pytest.fixture
def release(office):
    draft = approved_list(office)
    return {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}


@pytest.fixture
def secret(office):
    """Of a token by which the referee's program sends reports."""
    return Program(office.referee.user).secret


@pytest.fixture
def server(release, secret, new_cluster):  # noqa: F811
    """A cluster that may be killed, with a list to release."""
    server = Postgres(new_cluster, durable=True)
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
        with connected_to(server):
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


@pytest.fixture
def programs(server, office, secret, environment, tmp_path):
    """Two programs that send reports to a web on the cluster."""
    with web_on(server, tmp_path, environment) as url:
        report = office.report_file("NAME", [11, 12, 13, 14], GAMES)
        programs = [UploadingProgram(url, secret, report) for _ in range(2)]
        for program in programs:
            program.start()
        yield programs
        for program in programs:
            program.stop()


def wait_for_uploads(programs):
    """Until each of them has stored another report."""
    stored = [len(program.stored) for program in programs]
    assert wait_until(
        lambda: all(len(program.stored) > n for program, n in zip(programs, stored, strict=True))
    )


def files_stored(programs):
    return {content for program in programs for content in program.stored}


def end_uploads(programs, server):
    """Each report is there once, whatever was answered; the numbers of the answers."""
    for program in programs:
        program.stop()
    there = files_of_uploads(server)
    assert files_stored(programs) <= there.keys()
    assert set(there.values()) == {1}
    statuses = programs[0].statuses + programs[1].statuses
    assert set(statuses) == {201, 503}
    with connected_to(server):
        assert list(broken_invariants(invariants())) == []
    return dict(statuses)


def test_killed_under_uploads_and_publication_what_was_acknowledged_is_there_once(server, release, programs):
    """The web lives through all kills: 503 while the database is away, and each report that it took is stored once."""
    with before_each_statement(only_count) as count, transaction.atomic():
        publish_list(**release)
        transaction.set_rollback(True)
    for kill in range(KILLS):
        wait_for_uploads(programs)
        publish_and_kill(server, release, before=1 + kill * count() // KILLS)
        assert what_is_there(server, release)[:2] == ("approved", 0)
        assert files_stored(programs) <= files_of_uploads(server).keys()
    wait_for_uploads(programs)
    statuses = end_uploads(programs, server)
    with connected_to(server):
        assert publish_list(**release).state == "published"
    print(f"\n{KILLS} kills: {statuses}, each report stored once")  # noqa: T201


@pytest.mark.twin
def test_twin_with_answers_before_the_disk_acknowledged_uploads_are_lost(server, programs):
    """The guard off: no one waits until a commit is on disk."""
    there = {"host": str(server.socket_directory), "dbname": "postgres", "user": "postgres"}
    with psycopg.connect(**there, autocommit=True) as owner:
        owner.execute("ALTER SYSTEM SET synchronous_commit = off")
        owner.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        owner.execute("SELECT pg_reload_conf()")
    for _ in range(3):
        wait_for_uploads(programs)
    stored = files_stored(programs)
    os.kill(int((server.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    server.restart_if_dead()
    lost = stored - files_of_uploads(server).keys()
    assert lost
    print(f"\nwithout waiting for the disk: {len(lost)} of {len(stored)} acknowledged reports are lost")  # noqa: T201


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own for the cluster, made before it; called with its size in bytes."""
    home = Postgres(tmp_path / "new", durable=True).home
    options = f"size=1g,mode=0700,uid={home.stat().st_uid},gid={home.stat().st_gid}"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", home], check=False)
    if mounted.returncode:
        pytest.skip("no right to mount a file system: a full disk is not tried here")
    yield lambda size: subprocess.run(["mount", "-o", f"remount,size={size}", home], check=True)
    subprocess.run(["umount", home], check=True)
    home.rmdir()


def test_on_a_full_disk_what_was_acknowledged_is_there_once(small_disk, server, release, programs):
    """503 while there is no room, also where PostgreSQL itself ends; the publication is there as a whole, or not."""
    wait_for_uploads(programs)
    small_disk(shutil.disk_usage(server.home).used)
    assert wait_until(lambda: all(program.statuses[503] for program in programs))
    with connected_to(server), suppress(OperationalError):
        publish_list(**release)
    small_disk(2**30)
    server.restart_if_dead()
    wait_for_uploads(programs)
    statuses = end_uploads(programs, server)
    state, histories, _ = what_is_there(server, release)
    assert (state, histories) in {("approved", 0), ("published", 4)}
    with connected_to(server):
        if state == "approved":
            publish_list(**release)
    assert what_is_there(server, release)[:2] == ("published", 4)
    print(f"\nfull disk: the list was {state}; {statuses}, each report stored once")  # noqa: T201


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
    # The histories are written before the state of the list, which is one of the last statements.
    for before in range(1, count()):
        publish_and_kill(server, release, before=before, one_transaction=False)
        state, histories, _ = what_is_there(server, release)
        if histories:
            break
    assert (state, histories) == ("approved", 4)
