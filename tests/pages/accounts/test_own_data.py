"""A person's own account: everything stored about it as a file, and its closing by its owner."""

import json

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db import transaction
from django.test import Client

from reporting.accounts.own_data import SECTIONS
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor, record
from reporting.models import CorrectionRequest, LogEntry, Message, Role, User
from tests.pages.requests.sent_requests import LIST, sent
from tests.people import create_user

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip

IN_THE_LOG = {"CorrectionRequest", "MembershipTable", "PlayerMerge"}
"""Other tables of `reporting` with the person who acted: the act is in the log."""
WITH_TEXT = {"AnomalyAnswer", "NormDecision", "ApplicationStep"}
"""Tables of upper apps in which a person wrote something. Their other acts are in the log."""


def referee() -> User:
    return create_user("rita@example.org", "Rita Referee", roles=[Role.REFEREE])


def test_the_file_has_everything_about_the_account_and_no_secret(client: Client) -> None:
    rita = referee()
    other = create_user("otto@example.org", "Otto Other", roles=[Role.REFEREE])
    with acting_as(rita), transaction.atomic():
        record(by=Actor(rita), action="report.submit", subject="report 7", reason="done")
        Authenticator.objects.create(user=rita, type=Authenticator.Type.TOTP, data={"secret": "TOPSECRET"})
    with acting_as(other), transaction.atomic():
        record(by=Actor(other), action="report.submit", subject="report 8")
    for person in (rita, other):
        Message.objects.create(
            recipient=person, kind="report_late", about="/", title=f"To {person.name}", text="x"
        )
    asked = sent(f"rating:{LIST}:13368", email=rita.email.upper())
    client.force_login(rita)

    response = client.get("/account/own-data.json")
    assert response["Content-Disposition"] == 'attachment; filename="own-data.json"'
    assert response["Cache-Control"] == "private, no-store"
    data = json.loads(response.content)
    assert (data["account"]["email"], data["account"]["name"]) == (rita.email, rita.name)
    assert [row["role"] for row in data["roles"]] == ["referee"]
    assert [row["title"] for row in data["messages"]] == ["To Rita Referee"]
    (row,) = data["acts"]
    assert (row["action"], row["subject"], row["reason"]) == ("report.submit", "report 7", "done")
    assert [row["type"] for row in data["second_factors"]] == ["totp"]
    assert data["requests"] == []  # that the address is hers is not confirmed
    rita.refresh_from_db()
    for secret in (rita.password, "TOPSECRET", client.session.session_key, other.email):
        assert secret not in response.text, secret

    CorrectionRequest.objects.filter(pk=asked.pk).update(confirmed_at=asked.created_at)
    data = json.loads(client.get("/account/own-data.json").content)
    assert [row["error_description"] for row in data["requests"]] == ["It is 2431."]


def test_every_table_with_a_person_is_in_the_file_or_in_the_log() -> None:
    """Tables of upper apps name who acted: each such act is a row of the log, its texts are in the file too."""
    sections = {section.model.__name__ for section in SECTIONS.values()}
    assert sections >= WITH_TEXT
    of_titles = {"ratings", "titles", "fmjd_titles"}
    models = [model for model in apps.get_models() if model._meta.app_label not in of_titles]
    fields = ((model, field) for model in models for field in model._meta.concrete_fields)
    with_person = {model for model, field in fields if field.related_model is User}
    in_the_file = {section.model for section in SECTIONS.values()}
    assert {model.__name__ for model in with_person - in_the_file} == IN_THE_LOG


def test_a_person_closes_the_own_account(client: Client) -> None:
    rita = referee()
    client.force_login(rita)
    assert "your account" in client.get("/account/close/").text.lower()
    assert client.post("/account/close/", follow=True).text.count("Your account is closed.") == 1
    rita.refresh_from_db()
    assert (rita.is_active, rita.has_usable_password()) == (False, False)
    entry = LogEntry.objects.get(action="account.close")
    assert (entry.actor, entry.reason) == (rita, "account.closed_by_owner")
    assert "Closed by its owner" in Message.objects.get(recipient=rita).text
    assert client.get("/account/").status_code == 302


def test_an_administrator_does_not(client: Client) -> None:
    ada = create_user("ada@example.org", "Ada", roles=[Role.ADMINISTRATOR])
    client.force_login(ada)
    response = client.post("/account/close/")
    assert response.status_code == 409
    assert "closed by another administrator" in response.text
    ada.refresh_from_db()
    assert ada.is_active
