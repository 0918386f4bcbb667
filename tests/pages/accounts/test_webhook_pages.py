"""The pages of one's webhooks: what they show, and what can be done there."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import Webhook, WebhookDelivery
from ratings.publishing.public_changes.webhooks.secrets import decrypted
from reporting.models import Role, Scope, User
from tests.models.rows import public_change
from tests.people import client_of, create_user
from tests.program import NAME, Program

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]
URL = "https://8.8.8.8/hook"


@pytest.fixture
def referee() -> User:
    return create_user("piet@example.org", "Piet", roles=[Role.REFEREE])


@pytest.fixture
def own(referee: User) -> Client:
    return client_of(referee)


def registered(referee: User) -> Webhook:
    Program(referee).ask("POST", "webhooks/", {"url": URL})
    return Webhook.objects.get()


def test_without_a_webhook_or_a_token_the_page_says_what_is_first(referee: User, own: Client) -> None:
    Program(referee, Scope.READ)
    page = own.get("/account/webhooks/").text
    assert "You have no webhooks." in page
    assert "Create a token" in page
    assert "/account/webhooks/new/" not in page
    assert own.get("/account/").text.count("/account/webhooks/") == 1


def test_a_webhook_is_registered_and_its_secret_shown_once(referee: User, own: Client) -> None:
    token = Program(referee).token
    assert NAME in own.get("/account/webhooks/new/").text
    page = own.post("/account/webhooks/new/", {"url": URL, "token": token.pk})
    webhook = Webhook.objects.get()
    secret = decrypted(webhook.secret)
    assert page.status_code == 200
    assert secret in page.text
    for path in ("/account/webhooks/", f"/account/webhooks/{webhook.pk}/"):
        shown = own.get(path).text
        assert URL in shown
        assert secret not in shown
        assert "Works" in shown
    assert "Nothing has been sent yet." in shown


@pytest.mark.parametrize(("url", "reason"), [
    ("https://192.168.0.1/", "Not a public network address"),
    ("http://8.8.8.8/", "Not https"),
    ("", "required"),
])  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_at_its_field(
    referee: User, own: Client, url: str, reason: str
) -> None:
    page = own.post("/account/webhooks/new/", {"url": url, "token": Program(referee).token.pk})
    assert page.status_code == 400
    assert reason in page.text
    assert not Webhook.objects.exists()


def test_a_token_of_another_person_or_scope_is_no_choice(referee: User, own: Client) -> None:
    other = Program(create_user("olaf@example.org", "Olaf", roles=[Role.REFEREE])).token
    reads = Program(referee, Scope.READ).token
    for token in (other, reads):
        assert own.post("/account/webhooks/new/", {"url": URL, "token": token.pk}).status_code == 400
    assert not Webhook.objects.exists()


@pytest.mark.database_role("worker")
def test_deliveries_are_shown_with_answer_and_next_attempt(referee: User, own: Client) -> None:
    webhook = registered(referee)
    now = timezone.now()
    for values in (
        {"change": public_change(), "attempts": 1, "status": 204, "delivered_at": now, "next_at": None},
        {"change": public_change(), "attempts": 2, "status": 500, "problem": "status"},
        {"attempts": 1, "problem": "too_slow", "next_at": None},
    ):  # fmt: skip
        WebhookDelivery.objects.create(webhook=webhook, tried_at=now, **values)
    text = own.get(f"/account/webhooks/{webhook.pk}/").text
    found = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in found[1:]]
    assert [row[:2] for row in rows] == [["Test", "1"], ["2:", "List"], ["1:", "List"]]
    assert ["No answer within ten seconds" in " ".join(row) for row in rows] == [True, False, False]
    assert ("500" in rows[1], "204" in rows[2], rows[2][-1], rows[0][-1]) == (True, True, "Delivered", "None")


def test_a_test_is_asked_for_and_a_webhook_deleted(referee: User, own: Client) -> None:
    webhook = registered(referee)
    address = f"/account/webhooks/{webhook.pk}/"
    asked = own.post(address, {"action": "test"}, follow=True)
    assert "Test waiting to be sent." in asked.text
    assert WebhookDelivery.objects.get().change is None
    gone = own.post(address, {"action": "delete"}, follow=True)
    assert f"Webhook deleted: {URL}" in gone.text
    assert own.get(address).status_code == 404
    assert own.post(address, {"action": "delete"}).status_code == 404


def test_the_webhook_of_another_person_is_not_there(referee: User) -> None:
    webhook = registered(referee)
    other = client_of(create_user("olaf@example.org", "Olaf", roles=[Role.REFEREE]))
    address = f"/account/webhooks/{webhook.pk}/"
    assert other.get(address).status_code == 404
    for action in ("test", "delete"):
        assert other.post(address, {"action": action}).status_code == 404
    assert Webhook.objects.count() == 1
    assert URL not in other.get("/account/webhooks/").text
