"""Webhooks by programs: registered with a token, read with their deliveries, tested, deleted, or refused."""

import base64
from typing import Any

import pytest

from ratings.models import Webhook, WebhookDelivery
from ratings.publishing.public_changes.webhooks.secrets import decrypted
from reporting.models import ApiAnswer, LogEntry, Role, User
from reporting.web.api.errors import NO_FINDING
from tests.people import create_user
from tests.program import NAME, Program

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]
URL = "https://8.8.8.8/hook"


@pytest.fixture
def referee() -> User:
    return create_user("piet@example.org", "Piet", roles=[Role.REFEREE])


def test_a_program_registers_tests_and_deletes_a_webhook(referee: User) -> None:
    program = Program(referee)
    answer = program.ask("POST", "webhooks/", {"url": URL})
    made = answer.json()
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/webhooks/{made['number']}/"
    secret = made.pop("secret")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert decrypted(Webhook.objects.get().secret) == secret
    assert {**made, "created_at": None} == {
        "number": made["number"], "url": URL, "token": NAME, "works": True, "created_at": None, "ended_at": None,
    }  # fmt: skip
    assert program.ask("GET", "webhooks/").json() == [made]
    path = f"webhooks/{made['number']}/"
    assert program.ask("GET", path).json() == made | {"deliveries": []}
    sent = program.ask("POST", f"{path}test/")
    assert sent.status_code == 202
    assert (sent.json()["change"], sent.json()["attempts"], sent.json()["delivered_at"]) == (None, 0, None)
    assert program.ask("GET", path).json()["deliveries"] == [sent.json()]
    assert program.ask("DELETE", path).status_code == 204
    assert not WebhookDelivery.objects.exists()
    assert program.ask("GET", path).status_code == 404
    assert program.ask("DELETE", path).json()["code"] == "wrong_state"
    act = LogEntry.objects.get(action="webhook.register")
    assert act.after == {"url": URL, "token": NAME, "program": NAME}


@pytest.mark.parametrize(
    ("url", "code", "message"),
    [
        ("https://10.0.0.1/", "private_address", "Not a public network address"),
        ("https://[::ffff:127.0.0.1]/", "private_address", "Not a public network address"),
        ("https://localhost/", "private_address", "Not a public network address"),
        ("http://8.8.8.8/", "not_https", "Not https"),
        ("https://receiver.invalid/", "unknown_host", "Host not found"),
        ("nothing", "malformed", "Not an address"),
    ],
)
def test_an_unusable_address_is_refused_with_the_reason(
    referee: User, url: str, code: str, message: str
) -> None:
    answer = Program(referee).ask("POST", "webhooks/", {"url": url})
    assert answer.status_code == 400
    (finding,) = answer.json()["findings"]
    assert finding == NO_FINDING | {"code": code, "field": "url", "found": url, "message": message}
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("body", [{}, {"url": 3}, {"url": URL, "secret": "whsec_x"}, [], {"url": "x" * 501}])
def test_a_body_that_is_no_webhook_is_refused(referee: User, body: Any) -> None:
    assert Program(referee).ask("POST", "webhooks/", body).status_code == 400
    assert not Webhook.objects.exists()


def test_a_body_of_many_levels_or_with_a_name_twice_is_refused(referee: User) -> None:
    program = Program(referee)
    for body in (b"[" * 1_000 + b"]" * 1_000, b'{"url": "https://a.example/", "url": "https://b.example/"}'):
        answer = program.client.generic(
            "POST", "/api/v1/webhooks/", body, content_type="application/json",
            headers={"Authorization": f"Bearer {program.secret}"},
        )  # fmt: skip
        assert answer.status_code == 400
    assert not Webhook.objects.exists()


def test_a_registration_sent_twice_is_made_once_and_its_secret_is_kept_nowhere(referee: User) -> None:
    program = Program(referee)
    first, second = (program.ask("POST", "webhooks/", {"url": URL}, key="one") for _ in range(2))
    assert first.status_code == 201
    assert second.json()["code"] == "webhook_registered"
    assert Webhook.objects.count() == 1
    kept = [
        *Webhook.objects.values_list("secret", flat=True),
        *ApiAnswer.objects.values_list("answer", flat=True),
    ]
    assert not any(first.json()["secret"] in text for text in kept)


def test_a_webhook_of_another_person_is_not_there(referee: User) -> None:
    number = Program(referee).ask("POST", "webhooks/", {"url": URL}).json()["number"]
    other = Program(create_user("olaf@example.org", "Olaf", roles=[Role.REFEREE]))
    assert other.ask("GET", "webhooks/").json() == []
    assert other.ask("GET", f"webhooks/{number}/").status_code == 404
    for method, path in (("DELETE", f"webhooks/{number}/"), ("POST", f"webhooks/{number}/test/")):
        assert other.ask(method, path).json()["code"] == "wrong_state"
    assert Webhook.objects.count() == 1
    assert not WebhookDelivery.objects.exists()
