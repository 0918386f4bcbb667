"""A request names its person to the database: once a transaction, and never for the next request."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reporting.log.acting_person import LIFETIME_SECONDS, ActingPerson, Proof, acting_as, name_person
from reporting.log.audit import Actor, record
from reporting.models import LogEntry, Report, SecurityEvent, User
from tests.people import PASSWORD, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

REFUSAL = "only in the name of the person who acts"


@pytest.fixture
def rita() -> User:
    return create_user("rita@example.org", "Rita", roles=["referee"])


@pytest.fixture
def olga() -> User:
    return create_user("olga@example.org", "Olga", roles=["rating_officer"])


def proofs_sent(act: Callable[[], Any]) -> int:
    """Statements that send a proof, of all that an act sends."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return sum("office.acting_person" in query["sql"] for query in queries)


@contextmanager
def savepoint_of_the_test() -> Iterator[None]:
    """To go back to after a refusal; the code under test sees no transaction."""
    with connection.connection.transaction():
        yield


def log(account: User, action: str = "account.change_name") -> LogEntry:
    return record(by=Actor(account), action=action, subject=f"account {account.pk}")


def test_a_page_that_writes_pays_one_statement_and_one_that_reads_none(client: Client, rita: User) -> None:
    client.force_login(rita)
    assert proofs_sent(lambda: client.get("/account/name/")) == 0
    assert proofs_sent(lambda: client.post("/account/name/", {"name": "Rita Smit"})) == 1
    assert LogEntry.objects.get(action="account.change_name").actor == rita


def test_an_act_of_several_rows_pays_one_statement(rita: User) -> None:
    with acting_as(rita), transaction.atomic():
        assert proofs_sent(lambda: [log(rita) for _ in range(3)]) == 1


def test_what_runs_in_the_request_of_one_person_writes_nothing_of_another(rita: User, olga: User) -> None:
    with acting_as(rita), transaction.atomic():
        log(rita)
        with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
            log(olga)
        log(rita)


def test_the_inner_of_two_names_its_person(rita: User, olga: User) -> None:
    """As a publication begins the revision of a later list, in the name of the officer who asked for it."""
    with acting_as(rita), transaction.atomic():
        log(rita)
        with acting_as(olga):
            assert proofs_sent(lambda: [log(olga) for _ in range(3)]) == 1
            with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
                log(rita)
        log(rita)


def test_a_visitor_has_no_proof(rita: User) -> None:
    with connection.execute_wrapper(ActingPerson(lambda: None)):
        with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
            log(rita)
        log(User.objects.get(email="visitor@office.invalid"), "request.send")


def test_a_request_that_reads_names_its_person_only_where_it_says_so(rita: User) -> None:
    """As the page of a report stores the players that it matched."""
    with connection.execute_wrapper(ActingPerson(lambda: rita.pk, writes=False)):
        with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
            log(rita)
        with transaction.atomic():
            name_person()
            log(rita)


def test_outside_a_transaction_there_is_no_proof(rita: User) -> None:
    with acting_as(rita):
        with transaction.atomic():
            log(rita)
        with pytest.raises(IntegrityError, match=REFUSAL), savepoint_of_the_test():
            log(rita)


def test_after_a_savepoint_that_was_rolled_back_the_proof_is_sent_again(rita: User) -> None:
    """PostgreSQL takes the setting back with the savepoint in which it was made."""
    with transaction.atomic():
        with transaction.atomic(), acting_as(rita):
            log(rita)
            transaction.set_rollback(True)
        with acting_as(rita):
            assert proofs_sent(lambda: log(rita)) == 1
            with transaction.atomic():
                assert proofs_sent(lambda: log(rita)) == 0
                transaction.set_rollback(True)
            assert proofs_sent(lambda: log(rita)) == 0


def test_a_savepoint_that_failed_is_rolled_back_though_the_proof_has_ended(rita: User, olga: User) -> None:

    def fail_late() -> None:
        try:
            log(olga)
        finally:
            transaction.on_commit(Proof(rita.pk, int(time.time())))

    with acting_as(rita), transaction.atomic():
        log(rita)
        with pytest.raises(IntegrityError, match=REFUSAL), transaction.atomic():
            fail_late()
        log(rita)


def test_a_proof_over_half_of_its_time_is_renewed(rita: User) -> None:
    for seconds, sent in ((LIFETIME_SECONDS // 2 + 5, 0), (LIFETIME_SECONDS // 2 - 5, 1)):
        with acting_as(rita), transaction.atomic():
            log(rita)
            transaction.on_commit(Proof(rita.pk, int(time.time()) + seconds))
            assert proofs_sent(lambda: log(rita)) == sent


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_request_is_left_on_its_connection(client: Client, rita: User) -> None:
    client.force_login(rita)
    client.post("/account/name/", {"name": "Rita Smit"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('office.acting_person', true)")
        assert not cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_each_request_pays_one_statement_at_most(client: Client, rita: User) -> None:
    """Here each request commits, as outside the tests."""
    sent: dict[str, int] = {}

    def post(address: str, values: dict[str, Any]) -> None:
        def answered() -> None:
            assert client.post(address, values).status_code in (200, 302), address

        sent[f"{address} {values.get('password', '')}".strip()] = proofs_sent(answered)

    post("/login/", {"login": rita.email, "password": "wrong"})
    post("/login/", {"login": rita.email, "password": PASSWORD})
    post("/account/name/", {"name": "Rita Smit"})
    post("/reports/new/", {"file": SimpleUploadedFile("riverside.txt", b"012 hello")})
    report = Report.objects.get()
    assert report.submitted_by == rita
    post(f"/reports/{report.pk}/details/", {"based_on": "1", "discipline": "100"})
    assert report.versions.filter(created_by=rita).count() == 2
    assert proofs_sent(lambda: client.get(f"/reports/{report.pk}/file/")) == 0
    post("/logout/", {})
    assert sent == dict.fromkeys(sent, 1) | {"/login/ wrong": 0}
    kinds = SecurityEvent.objects.order_by("pk").values_list("kind", "account__name")
    assert list(kinds) == [
        ("password_refused", "Rita Smit"), ("logged_in", "Rita Smit"), ("logged_out", "Rita Smit"),
    ]  # fmt: skip
