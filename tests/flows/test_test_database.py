"""The test databases keep their promise: rights of use, and no traces of one test in the next."""

import os
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import InternalError, ProgrammingError, connection

from tests import databases

USER_AND_DATABASE = "select current_user, current_database()"


def ask(question):
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "user",
    [
        pytest.param("app_worker"),
        pytest.param("app_web", marks=pytest.mark.database_role("web")),
        pytest.param("postgres", marks=pytest.mark.database_role("owner")),
    ],
)
def test_a_test_has_the_rights_of_its_role_in_a_database_of_its_process(user):
    assert ask(USER_AND_DATABASE) == (user, databases.shared("empty"))
    if user != "postgres":
        with pytest.raises(ProgrammingError, match=r"permission denied|the web defines nothing"):
            ask("create table not_allowed (id int)")


@pytest.mark.database_role("web")
def test_the_threads_of_a_live_server_have_the_same_user_and_database(live_server):
    def work():
        try:
            return ask(USER_AND_DATABASE)
        finally:
            connection.close()

    here = ask(USER_AND_DATABASE)
    assert here[0] == "app_web"
    with ThreadPoolExecutor() as pool:
        assert pool.submit(work).result() == here


@pytest.mark.database_role("owner")
def test_what_is_only_read_refuses_to_be_written(season_read):
    from reporting.models import User

    assert ask("select count(*) from ratings_ratinglist where state = 'published'")[0] > 1
    with pytest.raises(InternalError, match="read-only transaction"):
        User.objects.create(email="person@example.org")


@pytest.mark.django_db
def test_what_a_killed_run_left_is_dropped_by_the_next_one():
    if not (child := os.fork()):
        os._exit(0)
    os.waitpid(child, 0)
    left = f"test_{child}_gw0_7"
    databases.command("create database {}", left)
    databases.begin()
    names = {name for (name,) in databases.cluster().execute("select datname from pg_database")}
    assert left not in names
    assert {databases.shared("empty"), f"{databases.kept()}_empty"} <= names


@pytest.mark.django_db
def test_what_was_kept_of_other_code_is_dropped_where_no_run_uses_it():
    used, unused = "kept_000000000000_empty", "kept_000000000001_empty"
    host = databases.cluster().info.host
    with psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True) as other_run:
        other_run.execute("select pg_advisory_lock_shared(hashtext(%s))", [used.removesuffix("_empty")])
        for name in (used, unused):
            databases.command("create database {}", name)
        databases.begin()
        left = {name for (name,) in databases.cluster().execute("select datname from pg_database")}
        assert {used, unused} & left == {used}
    databases.begin()
    assert not databases.cluster().execute("select 1 from pg_database where datname = %s", [used]).fetchone()
