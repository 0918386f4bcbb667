"""What is in the audit log is seen by its readers; test_access.py has who gets its pages by which method."""

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
        assert (CANARY in response.getvalue().decode()) is (who in READERS)
        head = client.head(address)
        assert (head.status_code, head.getvalue()) == (response.status_code, b"")
    assert LogEntry.objects.count() == 1, "reading leaves no trace"
