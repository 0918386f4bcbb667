"""Webhooks: what is sent and how it is signed, when it is tried again, where it never leads, and how a webhook ends."""

import base64
import hmac
import json
import socket
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.utils import timezone

from ratings.models import PublicChange, Webhook, WebhookDelivery
from ratings.publishing.public_changes.number_changes import number_changes
from ratings.publishing.public_changes.webhooks import deliver, manage_webhooks
from ratings.publishing.public_changes.webhooks.deliver import (
    AGAIN,
    WAITING,
    _claim,
    delete_old_deliveries,
    deliver_webhooks,
)
from ratings.publishing.public_changes.webhooks.manage_webhooks import (
    MOST_WEBHOOKS,
    NewWebhook,
    delete_webhook,
    register_webhook,
    send_test,
)
from ratings.publishing.public_changes.webhooks.secrets import decrypted, signature
from ratings.publishing.public_changes.webhooks.targets import (
    Problem,
    TargetError,
    parse_target,
    public_addresses,
)
from reporting.accounts.services.manage_accounts import close_account
from reporting.accounts.services.tokens import create_token, revoke_token
from reporting.log.audit import Actor
from reporting.models import ApiToken, LogEntry, Message, Player, Role, Scope, User
from tests.models.rows import public_change
from tests.people import create_user
from tests.receiver import Receiver, listening
from tests.services.report_helpers import refusal, whole

quick = pytest.mark.django_db
RECEIVER = "https://receiver.example/hook"


@pytest.fixture
def owner() -> Actor:
    return Actor(create_user("rina@example.org", "Rina", roles=[Role.REFEREE]))


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    with listening() as found:
        yield found


def registered(owner: Actor, url: str) -> NewWebhook:
    made = create_token(name=f"Mirror {ApiToken.objects.count()}", scopes=[Scope.WEBHOOKS], days=30, by=owner)
    return register_webhook(url=url, token=made.token, by=owner)


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names lead to these addresses, the first time to the first ones; returns the names asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def found(host: str, port: int, *args: Any, **named: Any) -> Any:
        if host.replace(".", "").isdigit() or ":" in host:
            return real(host, port, *args, **named)
        asked.append(host)
        addresses = answers[min(len(asked), len(answers)) - 1]
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return asked


def later(monkeypatch: pytest.MonkeyPatch, passed: timedelta) -> None:
    now = timezone.now() + passed
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)


def listed_player(office: Any) -> None:
    """A first change, which is before all webhooks."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    number_changes()


# --- what is sent


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the specification's libraries (standardwebhooks, `test_sign_function_works`)."""
    secret, message = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signature(secret, message, 1614265330, b'{"test": 2432232314}') == expected


@whole
def test_each_change_after_the_registration_is_sent_once_signed_with_the_secret(office, owner, receiver):
    listed_player(office)
    created = registered(owner, receiver.url())
    assert deliver_webhooks() == 0  # what was before is in the feed
    office.accept("Spring", [11, 12], ["1 1 2 2-0"])
    number_changes()
    before = int(time.time())
    assert deliver_webhooks() == 1
    after = int(time.time())
    assert deliver_webhooks() == 0
    ((path, headers, body),) = receiver.received
    change = PublicChange.objects.latest("number")
    at = change.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    assert path == "/hook?from=office"
    assert headers["Host"] == f"127.0.0.1:{receiver.port}"
    assert headers["Content-Type"] == "application/json"
    assert json.loads(body) == {
        "type": "tournament.accepted",
        "timestamp": at,
        "data": {
            "number": 2, "at": at, "event": "tournament.accepted", "list": None, "player": None, "merged_into": None,
            "tournament": "2026-spring", "title": None, "discipline": None, "changed": [], "page": None,
            "url": "/api/v1/tournaments/2026-spring/",
        },
    }  # fmt: skip
    assert headers["webhook-id"] == "change_2"
    assert before <= int(headers["webhook-timestamp"]) <= after
    signed = f"change_2.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(created.secret.removeprefix("whsec_"))
    assert len(key) == 32
    expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.status, delivery.problem, delivery.next_at) == (1, 204, "", None)
    assert delivery.delivered_at is not None


@quick
def test_the_secret_is_stored_encrypted_and_stays_readable_with_another_key(owner, settings, receiver):
    created = registered(owner, receiver.url())
    stored = Webhook.objects.get().secret
    assert created.secret.removeprefix("whsec_") not in stored
    assert decrypted(stored) == created.secret
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [settings.SECRET_KEY]
    assert decrypted(stored) == created.secret


# --- when it is tried again


@whole
def test_a_delivery_that_fails_is_tried_again_after_longer_and_longer_times_and_then_ends_the_webhook(
    office, owner, receiver, monkeypatch
) -> None:
    listed_player(office)
    webhook = registered(owner, receiver.url()).webhook
    office.accept("Spring", [11, 12], ["1 1 2 2-0"])
    number_changes()
    receiver.answer = (500, {})
    later(monkeypatch, timedelta(minutes=1))  # from now on the clock stands still between attempts
    start = timezone.now()
    waits = []
    for attempt in range(1, 11):
        assert deliver_webhooks() == 1
        assert deliver_webhooks() == 0  # not before its time
        delivery = WebhookDelivery.objects.get()
        assert (delivery.attempts, delivery.status, delivery.problem) == (attempt, 500, "status")
        if attempt < 10:
            waits.append(delivery.next_at - delivery.tried_at)
            later(monkeypatch, delivery.next_at - timezone.now())
    hours = [timedelta(hours=number) for number in (2, 5, 10, 14, 20, 24)]
    assert waits == [timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30), *hours]
    assert timezone.now() - start < timedelta(hours=76)
    assert delivery.next_at is None
    assert {headers["webhook-id"] for _, headers, _ in receiver.received} == {"change_2"}
    webhook.refresh_from_db()
    assert webhook.ended_at is not None
    (message,) = Message.objects.filter(recipient=owner.user, kind="webhook_ended")
    assert (message.about, message.title) == (f"/account/webhooks/{webhook.pk}/", "Webhook ended")
    assert LogEntry.objects.filter(action="webhook.end", subject=f"webhook {webhook.pk}").count() == 1
    receiver.answer = (204, {})
    office.accept("Summer", [11, 12], ["1 1 2 2-0"])
    number_changes()
    assert deliver_webhooks() == 0
    assert refusal(send_test, number=webhook.pk, by=owner).code == "webhook_ended"


@quick
def test_a_receiver_that_is_there_again_gets_what_waited(owner, receiver, monkeypatch) -> None:
    registered(owner, receiver.url())
    public_change()
    receiver.answer = (503, {})
    deliver_webhooks()
    receiver.answer = (200, {})
    later(monkeypatch, AGAIN[0])
    assert deliver_webhooks() == 1
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.status, delivery.problem) == (2, 200, "")


@quick
def test_a_secret_that_cannot_be_read_any_more_ends_its_webhook_and_no_other(owner, receiver, settings):
    """After a change of SECRET_KEY without the former one."""
    lost = registered(owner, receiver.url("/lost")).webhook
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, []
    other = registered(owner, receiver.url("/other")).webhook
    public_change()
    assert deliver_webhooks() == 2
    outcomes = {one.webhook_id: one.outcome for one in WebhookDelivery.objects.all()}
    assert outcomes == {lost.pk: "The secret cannot be read any more", other.pk: "204"}
    assert list(Webhook.objects.exclude(ended_at=None)) == [lost]


@quick
def test_an_answer_that_the_address_is_gone_ends_the_webhook_at_once(owner, receiver) -> None:
    registered(owner, receiver.url())
    public_change()
    receiver.answer = (410, {})
    assert deliver_webhooks() == 1
    assert Webhook.objects.get().ended_at is not None


@quick
def test_what_a_worker_was_killed_over_is_sent_by_the_next(owner, receiver, monkeypatch) -> None:
    webhook = registered(owner, receiver.url()).webhook
    sent = send_test(number=webhook.pk, by=owner)
    assert len(_claim([webhook])) == 1
    assert deliver_webhooks() == 0  # another worker may be sending it
    later(monkeypatch, timedelta(minutes=1, seconds=1))
    assert deliver_webhooks() == 1
    assert [headers["webhook-id"] for _, headers, _ in receiver.received] == [f"test_{sent.pk}"]
    assert WebhookDelivery.objects.get().attempts == 2


@quick
def test_a_test_is_sent_once_even_if_it_fails(owner, receiver) -> None:
    webhook = registered(owner, receiver.url()).webhook
    receiver.answer = (500, {})
    waiting = send_test(number=webhook.pk, by=owner)
    assert send_test(number=webhook.pk, by=owner) == waiting
    assert deliver_webhooks() == 1
    assert send_test(number=webhook.pk, by=owner) != waiting
    WebhookDelivery.objects.exclude(pk=waiting.pk).delete()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.problem, delivery.next_at) == ("status", None)
    assert Webhook.objects.get().ended_at is None
    ((_, headers, body),) = receiver.received
    assert headers["webhook-id"] == f"test_{delivery.pk}"
    assert {**json.loads(body), "timestamp": None} == {"type": "test", "timestamp": None, "data": {}}


@quick
def test_slow_receivers_hold_one_worker_and_no_longer_than_a_run(owner, receiver, monkeypatch) -> None:
    for webhook in (registered(owner, receiver.url(f"/{name}")).webhook for name in "abc"):
        send_test(number=webhook.pk, by=owner)
    with psycopg.connect(connection.connection.info.dsn) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [deliver.DELIVERY_LOCK])
        assert deliver_webhooks() == 0
    monkeypatch.setattr(deliver, "RUN_SECONDS", 0)
    assert deliver_webhooks() == 0
    monkeypatch.undo()
    assert deliver_webhooks() == 3


@whole
def test_no_more_than_a_hundred_deliveries_wait_at_a_webhook_and_none_is_skipped(
    office, owner, receiver, monkeypatch
) -> None:
    listed_player(office)
    registered(owner, receiver.url())
    first, player = PublicChange.objects.get(), Player.objects.get(numbers__fmjd=11)
    PublicChange.objects.bulk_create(
        PublicChange(
            number=number, entry=first.entry, at=first.at, event="title.registered", discipline="100",
            title=str(number), player=player,
        )
        for number in range(2, 132)
    )  # fmt: skip
    receiver.answer = (500, {})
    later(monkeypatch, timedelta(minutes=1))  # the clock stands still: none is due again
    assert deliver_webhooks() == WAITING == 100
    receiver.answer = (204, {})
    later(monkeypatch, timedelta(minutes=1))
    assert deliver_webhooks() + deliver_webhooks() == 130
    delivered = WebhookDelivery.objects.exclude(delivered_at=None).order_by("change")
    assert list(delivered.values_list("change", flat=True)) == [*range(2, 132)]


@quick
def test_deliveries_are_kept_for_a_month(owner, receiver, monkeypatch) -> None:
    send_test(number=registered(owner, receiver.url()).webhook.pk, by=owner)
    later(monkeypatch, timedelta(days=29))
    assert delete_old_deliveries() == 0
    later(monkeypatch, timedelta(days=2))
    assert delete_old_deliveries() == 1


# --- where it never leads


@pytest.mark.parametrize(
    "addresses",
    [
        "10.0.0.1", "172.16.0.1", "192.168.1.1", "127.0.0.1", "127.8.8.8", "0.0.0.0",  # noqa: S104
        "169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:10.0.0.1",
        "::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1", "2001:0:a00:1::", "8.8.8.8 10.0.0.1",
        "fec0::1", "::10.0.0.1", "::ffff:0:10.0.0.1", "5f00::1", "3fff::1",
    ],
)  # fmt: skip
def test_no_address_that_is_not_public_is_connected_to(monkeypatch, addresses) -> None:
    resolve_to(monkeypatch, addresses.split())
    with pytest.raises(TargetError) as refused:
        public_addresses(parse_target(RECEIVER))
    assert refused.value.problem == Problem.PRIVATE_ADDRESS


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are(monkeypatch, address) -> None:
    resolve_to(monkeypatch, [address])
    assert public_addresses(parse_target(RECEIVER)) == [address]


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://receiver.example/", "not_https"), ("ftp://receiver.example/", "not_https"),
        ("receiver.example", "malformed"), ("https://", "malformed"), ("https://a:b@receiver.example/", "malformed"),
        ("https://receiver.example/#x", "malformed"), ("https://receiver.example:99999/", "malformed"),
        ("https://receiver.example/a b", "malformed"), ("https://receiver.example/\r\nX: y", "malformed"),
        ("https://münchen.example/", "malformed"), ("https://[::1/", "malformed"),
        ("https://127.0.0.1/", "private_address"), ("https://[::1]/", "private_address"),
        ("https://2130706433/", "private_address"), ("https://0x7f.1/", "private_address"),
        ("https://localhost/", "private_address"), ("https://receiver.invalid/", "unknown_host"),
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_with_the_reason(url, problem) -> None:
    with pytest.raises(TargetError) as refused:
        public_addresses(parse_target(url))
    assert refused.value.problem == problem


@quick
def test_a_name_that_leads_elsewhere_after_its_registration_is_not_connected_to(
    owner, receiver, monkeypatch, settings
) -> None:
    """DNS rebinding: public at the registration, this machine at the call. The receiver would answer."""
    settings.WEBHOOKS_TO_ANY_ADDRESS = False
    asked = resolve_to(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    webhook = registered(owner, f"https://rebound.example:{receiver.port}/").webhook
    send_test(number=webhook.pk, by=owner)
    assert deliver_webhooks() == 1
    delivery = WebhookDelivery.objects.get()
    assert (delivery.problem, delivery.status) == ("private_address", None)
    assert (asked, receiver.received) == (["rebound.example"] * 2, [])


@quick
def test_the_address_that_was_checked_is_connected_to_with_the_name_in_host_and_certificate(
    owner, monkeypatch, settings, tmp_path
) -> None:
    """A name is asked for once a call. What it leads to a moment later does not matter."""
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    certificate, secured = certificate_for("receiver.example", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with listening(secured) as found:
        asked = resolve_to(monkeypatch, ["127.0.0.1"], ["127.0.0.1"], ["203.0.113.1"])
        url = found.url("/hook", "https", "receiver.example")
        send_test(number=registered(owner, url).webhook.pk, by=owner)
        assert deliver_webhooks() == 1
        assert WebhookDelivery.objects.get().status == 204
        assert [headers["Host"] for _, headers, _ in found.received] == [f"receiver.example:{found.port}"]
        assert asked == ["receiver.example"] * 2
        other = registered(owner, found.url("/hook", "https", "other.example")).webhook
        resolve_to(monkeypatch, ["127.0.0.1"])
        send_test(number=other.pk, by=owner)
        deliver_webhooks()
        refused = WebhookDelivery.objects.get(webhook=other)
        # The certificate is of another name.
        assert (refused.problem, refused.status) == ("no_connection", None)
        assert len(found.received) == 1


def certificate_for(name: str, folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate of its own authority for a name, and the context of a server with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, private, pem = folder / "certificate.pem", folder / "key.pem", serialization.Encoding.PEM
    certificate.write_bytes(made.public_bytes(pem))
    unencrypted = serialization.NoEncryption()
    private.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)
    return certificate, context


@quick
def test_no_redirect_is_followed(owner, receiver) -> None:
    with listening() as behind:
        receiver.answer = (307, {"Location": behind.url()})
        send_test(number=registered(owner, receiver.url()).webhook.pk, by=owner)
        deliver_webhooks()
        delivery = WebhookDelivery.objects.get()
        assert (delivery.status, delivery.problem, behind.received) == (307, "status", [])
        assert len(receiver.received) == 1


@quick
@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\nX: "])
def test_a_receiver_that_answers_drop_by_drop_is_given_up_after_the_time_for_all(
    owner, receiver, monkeypatch, sent
) -> None:
    """Each drop comes in time; the whole answer never does."""
    monkeypatch.setattr("ratings.publishing.public_changes.webhooks.deliver.SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as slow:

        def drip() -> None:
            connection, _ = slow.accept()
            with connection:
                connection.sendall(sent)
                for _ in range(100):
                    time.sleep(0.1)
                    try:
                        connection.sendall(b"x" if sent else b"")
                    except OSError:
                        return

        Thread(target=drip, daemon=True).start()
        url = f"http://127.0.0.1:{slow.getsockname()[1]}/"
        send_test(number=registered(owner, url).webhook.pk, by=owner)
        deliver_webhooks()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.problem, delivery.status) == ("too_slow", None)


# --- who has one, and how it ends


@quick
def test_a_webhook_needs_a_token_of_ones_own_with_its_scope(owner, receiver) -> None:
    other = Actor(create_user("olaf@example.org", "Olaf", roles=[Role.REFEREE]))
    reads = create_token(name="Reads", scopes=[Scope.READ], days=30, by=owner).token
    theirs = create_token(name="Mirror", scopes=[Scope.WEBHOOKS], days=30, by=other).token
    ended = create_token(name="Ended", scopes=[Scope.WEBHOOKS], days=30, by=owner).token
    revoke_token(number=ended.pk, by=owner)
    ended.refresh_from_db()
    for token in (reads, theirs, ended):
        assert refusal(register_webhook, url=receiver.url(), token=token, by=owner).code == "webhook_token"
    assert not Webhook.objects.exists()


@quick
def test_a_name_whose_servers_do_not_answer_holds_no_request(owner, monkeypatch) -> None:
    answered = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: answered.wait(60))
    monkeypatch.setattr(manage_webhooks, "LOOK_UP_SECONDS", 0.05)
    try:
        with pytest.raises(TargetError) as refused:
            registered(owner, RECEIVER)
    finally:
        answered.set()
    assert refused.value.problem == Problem.UNKNOWN_HOST


@quick
def test_a_person_has_five_webhooks_at_most_each_address_once(owner, receiver) -> None:
    for number in range(MOST_WEBHOOKS):
        registered(owner, receiver.url(f"/{number}"))
    assert MOST_WEBHOOKS == 5
    assert refusal(registered, owner, receiver.url("/6")).code == "too_many_webhooks"
    delete_webhook(number=Webhook.objects.earliest("pk").pk, by=owner)
    assert refusal(registered, owner, receiver.url("/1")).code == "webhook_registered"
    registered(owner, receiver.url("/6"))
    acts = LogEntry.objects.filter(action__startswith="webhook.").order_by("pk")
    assert [(act.action, act.before, act.after) for act in acts][5:] == [
        ("webhook.delete", {"url": receiver.url("/0"), "token": "Mirror 0"}, {}),
        ("webhook.register", {}, {"url": receiver.url("/6"), "token": "Mirror 7"}),
    ]


@quick
def test_what_belongs_to_another_person_is_neither_tested_nor_deleted(owner, receiver) -> None:
    other = Actor(create_user("olaf@example.org", "Olaf", roles=[Role.REFEREE]))
    webhook = registered(owner, receiver.url()).webhook
    for act in (send_test, delete_webhook):
        assert refusal(act, number=webhook.pk, by=other).code == "wrong_state"
    assert Webhook.objects.count() == 1


@quick
@pytest.mark.parametrize("how", ["live", "revoked", "expired", "closed"])
def test_nothing_is_sent_once_the_token_or_the_account_has_ended(owner, receiver, monkeypatch, how) -> None:
    webhook = registered(owner, receiver.url()).webhook
    send_test(number=webhook.pk, by=owner)
    if how == "revoked":
        revoke_token(number=webhook.token_id, by=owner)
    elif how == "expired":
        later(monkeypatch, timedelta(days=31))
    elif how == "closed":
        administrator = Actor(create_user("ada@example.org", "Ada", roles=[Role.ADMINISTRATOR]))
        close_account(account=User.objects.get(pk=owner.user.pk), reason="left", by=administrator)
    assert deliver_webhooks() == len(receiver.received) == (1 if how == "live" else 0)
