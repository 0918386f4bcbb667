"""The test databases keep their promise: rights of use, and no traces of one test in the next."""

import os
from threading import Thread

import pytest
from django.db import InternalError, ProgrammingError, connection

from tests import databases

USER_AND_DATABASE = "select current_user, current_database()"


def ask(question):
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()


def ask_in_a_thread_of_its_own():
    answers = []

    def work():
        answers.append(ask(USER_AND_DATABASE))
        connection.close()

    thread = Thread(target=work)
    thread.start()
    thread.join()
    return answers[0]


@pytest.mark.django_db
def test_an_ordinary_test_works_with_the_rights_of_the_worker():
    assert ask(USER_AND_DATABASE)[0] == "app_worker"
    assert ask("select usesuper from pg_user where usename = current_user") == (False,)


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_a_marked_test_works_with_the_rights_of_the_web():
    assert ask(USER_AND_DATABASE)[0] == "app_web"


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_the_owner_is_there_for_what_only_it_may_do():
    assert ask(USER_AND_DATABASE)[0] == "postgres"


@pytest.mark.django_db
def test_the_worker_changes_no_tables():
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask("create table not_allowed (id int)")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", ["first", "second"])
def test_a_transactional_test_leaves_nothing_behind(attempt):
    from reporting.models import User

    assert not User.objects.filter(email="person@example.org").exists()
    User.objects.create(email="person@example.org")


@pytest.mark.database_role("web")
def test_the_threads_of_a_live_server_have_the_same_user_and_database(live_server):
    here = ask(USER_AND_DATABASE)
    assert here[0] == "app_web"
    assert ask_in_a_thread_of_its_own() == here


BACKENDS = []


@pytest.mark.parametrize("turn", ["first", "second"])
def test_one_test_after_another_in_the_same_database_keeps_the_connection(season_shared, turn):
    from reporting.models import User

    BACKENDS.append(ask("select pg_backend_pid()"))
    assert len(set(BACKENDS)) == 1
    assert not User.objects.filter(email="person@example.org").exists()
    User.objects.create(email="person@example.org")


@pytest.mark.database_role("owner")
def test_what_is_only_read_refuses_to_be_written(season_read):
    from reporting.models import User

    assert ask("select count(*) from ratings_ratinglist where state = 'published'")[0] > 1
    with pytest.raises(InternalError, match="read-only transaction"):
        User.objects.create(email="person@example.org")


@pytest.mark.django_db
def test_a_build_is_the_same_for_all_processes_and_no_test_works_in_it():
    here = ask(USER_AND_DATABASE)[1]
    assert (databases.built("empty"), databases.shared("empty")) == (f"{databases.RUN}_empty", here)
    assert databases.built("season") not in {here, databases.shared("season")}


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
    assert databases.shared("empty") in names
