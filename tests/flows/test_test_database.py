"""The test databases keep their promise: rights of use, and no traces of one test in the next."""

from threading import Thread

import pytest
from django.db import ProgrammingError, connection

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
def test_the_owner_is_there_for_what_only_he_may_do():
    assert ask(USER_AND_DATABASE)[0] == "postgres"


@pytest.mark.django_db
def test_the_worker_changes_no_tables():
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask("create table not_allowed (id int)")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", ["first", "second"])
def test_a_transactional_test_leaves_nothing_behind(attempt):
    from reporting.models import User

    assert not User.objects.filter(email="somebody@example.org").exists()
    User.objects.create(email="somebody@example.org")


@pytest.mark.database_role("web")
def test_the_threads_of_a_live_server_have_the_same_user_and_database(live_server):
    here = ask(USER_AND_DATABASE)
    assert here[0] == "app_web"
    assert ask_in_a_thread_of_its_own() == here


def test_the_live_server_answers(live_server):
    from urllib.request import urlopen

    with urlopen(f"{live_server.url}/health/") as answer:  # noqa: S310 - our own server
        assert answer.read() == b"well\n"
