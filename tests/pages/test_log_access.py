"""The audit log × everybody: the office, releasing officers and administrators read it; no one changes it."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from reporting.accounts.services.accounts import change_name
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

ADDRESSES = ("audit-log", "audit-log-file")
READERS = {"rating_officer", "tournament_director", "releasing_officer", "administrator"}
CANARY = "Canary Canaria"


@pytest.mark.parametrize("who", ["anonymous", *Role.values])
def test_who_reads_the_log(who: str) -> None:
    canary = create_user("canary@example.org", "Before")
    change_name(name=CANARY, by=Actor(canary))
    client = Client()
    if who != "anonymous":
        client.force_login(create_user(f"{who}@example.org", who, roles=[who]))
    for name in ADDRESSES:
        address = reverse(name)
        response = client.get(address)
        if who == "anonymous":
            assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
            continue
        text = response.getvalue().decode()
        assert response.status_code == (HTTPStatus.OK if who in READERS else HTTPStatus.FORBIDDEN)
        assert (CANARY in text) is (who in READERS)
        assert response["Cache-Control"] == "private, no-store"
        head = client.head(address)
        assert (head.status_code, head.getvalue()) == (response.status_code, b"")
        assert client.post(address).status_code == (
            HTTPStatus.METHOD_NOT_ALLOWED if who in READERS else HTTPStatus.FORBIDDEN
        )
        for method in ("put", "patch", "delete"):
            assert getattr(client, method)(address).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert LogEntry.objects.count() == 1, "reading leaves no trace"
