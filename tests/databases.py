"""The databases of a test run: built once, copied for each process, and for each test that commits.

    kept_<digest>_<build>         tables and demonstration of this code and day, for the next run too
    test_<run>_<build>            built once, by the first process that needs it; no test works in it
    test_<run>_<process>_<build>  a process's own copy: what a test writes there is rolled back
    test_<run>_<process>_<n>      a test's own copy, for what commits or is read from another connection

`run` is the process number of `pytest`. Databases of a run that was killed are dropped by the next one.
"""

import io
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import override_settings
from django.utils import timezone
from psycopg import sql

from config.demo.management.kept_season import digest_of_season

PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "alone")
RUN = f"test_{os.getpid() if PROCESS == 'alone' else os.getppid()}"
OURS = f"{RUN}_{PROCESS}"
NUMBERS = count(1)
BUILDS: dict[str, tuple[str, Callable[[], None]]] = {}
LEFT: deque[str] = deque()
KEPT = ("empty", "season")  # what no test's own code fills

# What the office's accounts can't do: tests/people.py gives roles without the two administrators.
GIVE_ROLES = """
create function give_roles_in_a_test(account bigint, wanted text[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
    update reporting_roleassignment
        set ended_at = now(), ended_by_id = (select id from reporting_user where email = 'officer@office.invalid')
        where account_id = account and ended_at is null and role <> all (wanted);
    insert into reporting_roleassignment
        (account_id, role, assigned_by_id, confirmed_by_id, confirmed_at, by_command)
    select account, role, command.id, command.id, now(), true
    from unnest(wanted) role join reporting_user command on command.email = 'officer@office.invalid'
    on conflict do nothing
$$;
alter function give_roles_in_a_test(bigint, text[]) set tests.outside_a_request = 'on'
"""
# What a test writes outside a request is in the name of any person: tests/conftest.py says when. Requests are bound.
NAME_ANY_PERSON = """
alter function is_acting(bigint) rename to is_acting_in_the_office;
create function is_acting(person bigint) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select coalesce(current_setting('tests.outside_a_request', true), '') = 'on'
        or public.is_acting_in_the_office(person)
$$;
revoke execute on function is_acting(bigint) from public;
alter function is_acting_as(text[]) rename to is_acting_as_in_the_office;
create function is_acting_as(roles text[]) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select coalesce(current_setting('tests.outside_a_request', true), '') = 'on'
        or public.is_acting_as_in_the_office(roles)
$$;
revoke execute on function is_acting_as(text[]) from public
"""


# Ledgers and applications need norms of published lists; tests/norms.py writes them there without a calculation.
OPEN_NORMS = """
create function open_norms_in_a_test() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    if exists (select from pg_trigger where tgname = 'titles_norm_of_draft' and tgenabled <> 'D') then
        set constraints all immediate;
        alter table titles_norm disable trigger titles_norm_of_draft;
        alter table titles_norm disable trigger titles_norm_of_the_web;
        alter table titles_normlayout disable trigger titles_normlayout_of_draft;
        alter table titles_normdecision disable trigger titles_normdecision_of_draft;
        set constraints all deferred;
    end if;
end
$$
"""
# What an acceptance keeps from changing is changed where a test asks what follows from that.
OPEN_RESULTS = """
create function open_results_in_a_test() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    set constraints all immediate;
    alter table reporting_resultset disable trigger reporting_resultset_accepted;
    alter table reporting_entry disable trigger reporting_entry_accepted;
    alter table reporting_round disable trigger reporting_round_accepted;
    alter table reporting_game disable trigger reporting_game_accepted;
    set constraints all deferred;
end
$$
"""


def open_results() -> None:
    """Let SQL change results that are accepted, in this test."""
    with connections["default"].cursor() as cursor:
        cursor.execute("select open_results_in_a_test()")


def built_on(other: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Name a database that a function fills: it begins in a copy of the other one, connected as the worker."""

    def register(build: Callable[[], None]) -> Callable[[], None]:
        BUILDS[build.__name__] = (other, build)
        return build

    return register


@built_on("template1")
def empty() -> None:
    """The tables, made as the owner."""
    point_connections_at(USER=settings.DATABASE_USERS["owner"])
    call_command("migrate", interactive=False, verbosity=0)
    with connections["default"].cursor() as cursor:
        cursor.execute(GIVE_ROLES)
        cursor.execute(NAME_ANY_PERSON)
        cursor.execute(OPEN_NORMS)
        cursor.execute(OPEN_RESULTS)


@built_on("empty")
def season() -> None:
    """The demonstration: register, opening list, three published quarters, reports waiting."""
    call_command("load_demo", seed=1, today=date(2026, 11, 20), stdout=io.StringIO())


@built_on("season")
def season_with_draft() -> None:
    """The demonstration with the draft of its open list, of 1 Jan 2027, frozen by Olga, its norms confirmed."""
    from ratings.models import Pool
    from ratings.production.periods.freeze_period import ensure_period, freeze_and_calculate
    from ratings.publishing.list_norms import list_norms
    from ratings.tasks import look_for_work
    from reporting.log.audit import Actor
    from reporting.models import Role, User
    from tests.people import create_user

    olga = create_user("olga@example.org", "Olga", roles=[Role.RATING_OFFICER])
    pool = Pool.objects.get(code="fmjd-100")
    period = ensure_period(pool=pool, in_force=date(2027, 1, 1), by=Actor(olga))
    # Before the closing date only the demonstration freezes (R10, contract of the closing).
    with override_settings(DEMO=True):
        freeze_and_calculate(
            period=period, reason="The congress meets before the clock strikes.", by=Actor(olga)
        )
    assert look_for_work() == 1
    draft = period.lists.get(state="ready")
    command = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    list_norms().confirm(draft, "command.run_period", command)


def point_connections_at(**changes: str) -> None:
    """Change user or database for this thread and for every thread that connects later.

    `connections.settings` holds the dictionary that new connections get; an open connection has the same one.
    """
    database = connections.settings["default"]
    if all(database[key] == value for key, value in changes.items()):
        return
    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.settings_dict.update(changes)
    database.update(changes)


@contextmanager
def as_worker() -> Iterator[None]:
    """What is done inside is done by the worker; the test goes on as the web."""
    point_connections_at(USER=settings.DATABASE_USERS["worker"])
    try:
        yield
    finally:
        point_connections_at(USER=settings.DATABASE_USERS["web"])


def work_as_worker() -> None:
    """Let the worker do what waits."""
    from ratings.tasks import look_for_work

    with as_worker():
        look_for_work()


@cache
def cluster() -> psycopg.Connection:
    """To the maintenance database, as superuser, until the process ends: where databases are made and dropped.

    It holds the run: the process that gets the lock alone is its last one. And what is kept of this code.
    """
    host = connections["default"].get_connection_params()["host"]
    session = psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True)
    for held in (RUN, kept()):
        session.execute("select pg_advisory_lock_shared(hashtext(%s))", [held])
    return session


@cache
def kept() -> str:
    """How the databases begin that are the same in each run of this code, key and day."""
    here = Path(__file__)
    digest = digest_of_season(here.parent.parent, timezone.localdate(), here)
    return f"kept_{sha256((digest + settings.SECRET_KEY).encode()).hexdigest()[:12]}"


def command(words: str, *names: str) -> None:
    cluster().execute(sql.SQL(words).format(*map(sql.Identifier, names)))


def begin() -> None:
    """Drop what killed runs left, and what was kept of other code that no run uses."""
    cluster().execute("select pg_advisory_lock(hashtext('test_left_overs'))")
    for (name,) in (
        cluster().execute("select datname from pg_database where datname ~ '^test_[0-9]+'").fetchall()
    ):
        with suppress(PermissionError):
            try:
                os.kill(int(name.split("_")[1]), 0)
            except ProcessLookupError:
                drop(name)
    for (other,) in (
        cluster()
        .execute(
            "select distinct left(datname, %s) from pg_database"
            " where datname ~ '^kept_' and not starts_with(datname, %s)",
            [len(kept()), kept()],
        )
        .fetchall()
    ):
        if cluster().execute("select pg_try_advisory_lock(hashtext(%s))", [other]).fetchone() == (True,):
            drop_all(other)
            cluster().execute("select pg_advisory_unlock(hashtext(%s))", [other])
    cluster().execute("select pg_advisory_unlock(hashtext('test_left_overs'))")


def end() -> None:
    """Drop what is this process's; the last process of the run takes what was built along."""
    connections.close_all()
    drop_all(OURS)
    cluster().execute("select pg_advisory_unlock_shared(hashtext(%s))", [RUN])
    if cluster().execute("select pg_try_advisory_lock(hashtext(%s))", [RUN]).fetchone() == (True,):
        drop_all(RUN)
    cluster().close()


def drop_all(beginning: str) -> None:
    for (name,) in (
        cluster()
        .execute("select datname from pg_database where starts_with(datname, %s)", [f"{beginning}_"])
        .fetchall()
    ):
        drop(name)


def drop(name: str) -> None:
    command("drop database if exists {} with (force)", name)


def copy(template: str, name: str) -> None:
    """File by file: less than half the work of writing each page to the log."""
    command("create database {} template {} strategy file_copy", name, template)


def analyze(name: str) -> None:
    """Statistics for the planner, which a database in use has gathered by itself."""
    with psycopg.connect(host=cluster().info.host, user="postgres", dbname=name, autocommit=True) as session:
        session.execute("analyze")


@cache
def built(name: str) -> str:
    """The database that is built under this name: once, the other processes wait for it."""
    other, build = BUILDS[name]
    whole, draft = f"{kept() if name in KEPT else RUN}_{name}", f"{RUN}_draft_of_{name}"
    cluster().execute("select pg_advisory_lock(hashtext(%s))", [whole])
    try:
        if not cluster().execute("select 1 from pg_database where datname = %s", [whole]).fetchone():
            drop(draft)  # of a build that failed
            copy(built(other) if other in BUILDS else other, draft)
            before = {key: connections.settings["default"][key] for key in ("NAME", "USER")}
            point_connections_at(NAME=draft, USER=settings.DATABASE_USERS["worker"])
            build()
            point_connections_at(**before)
            analyze(draft)
            command("alter database {} rename to {}", draft, whole)
    finally:
        # Else the other processes wait for a build that failed in this one.
        cluster().execute("select pg_advisory_unlock(hashtext(%s))", [whole])
    return whole


@cache
def shared(name: str, *, read_only: bool = False) -> str:
    """This process's copy, where tests roll back what they write; or one that refuses to be written."""
    copied = f"{OURS}_{name}" + "_read" * read_only
    copy(built(name), copied)
    if read_only:
        command("alter database {} set default_transaction_read_only = on", copied)
    return copied


def begin_own(name: str) -> str:
    """A copy for one test alone."""
    copied = f"{OURS}_{next(NUMBERS)}"
    copy(built(name), copied)
    return copied


def end_own(copied: str) -> None:
    """Leave it, and drop the one left before it.

    Of one just left the session is still about to end, and PostgreSQL would look again after a tenth of a second.
    """
    LEFT.append(copied)
    while len(LEFT) > 2:
        drop(LEFT.popleft())
