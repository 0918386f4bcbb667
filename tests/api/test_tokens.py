"""Tokens: what they open and what they never open, and how they end; who has them is in test_access.py."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, ProgrammingError, transaction
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from reporting.accounts.services.accounts import set_password
from reporting.accounts.services.manage_accounts import (
    change_roles,
    close_account,
    remove_second_factor,
    reopen_account,
    rights_summary,
)
from reporting.accounts.services.tokens import MOST_TOKENS, create_token, delete_old_answers, revoke_token
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import ApiAnswer, ApiToken, LogEntry, Message, Role, Scope, SecurityEvent, User
from reporting.reports.views.check_file import example_file
from reporting.web.api import throttling
from tests.pages.access.test_request_limits import address_of, patterns
from tests.people import PASSWORD, client_of, create_user, give_roles
from tests.program import NAME, Program

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

READ, WRITE, SUBMIT, DECIDE, WEBHOOKS = Scope


def person(*roles: Role, name: str = "piet") -> User:
    return create_user(f"{name}@example.org", name, roles=roles, federation_id="NED")


@pytest.fixture
def referee() -> User:
    return person(Role.REFEREE)


@pytest.fixture
def administrator() -> Actor:
    return Actor(person(Role.ADMINISTRATOR, name="ada"))


# --- what a token opens: scope × endpoint


ENDPOINTS: dict[tuple[str, str], Scope] = {
    ("GET", "reports/"): READ,
    ("HEAD", "reports/"): READ,
    ("POST", "reports/"): WRITE,
    ("GET", "announcements/"): READ,
    ("POST", "announcements/"): SUBMIT,
    ("GET", "announcements/{n}/"): READ,
    ("POST", "announcements/{n}/withdrawal/"): SUBMIT,
    ("GET", "reports/{n}/"): READ,
    ("POST", "reports/{n}/versions/"): WRITE,
    ("GET", "reports/{n}/details/"): READ,
    ("PATCH", "reports/{n}/details/"): WRITE,
    ("GET", "reports/{n}/findings/"): READ,
    ("PUT", "reports/{n}/comments/"): WRITE,
    ("POST", "reports/{n}/submission/"): SUBMIT,
    ("POST", "reports/{n}/take-back/"): SUBMIT,
    ("GET", "decisions/{code}/"): DECIDE,
    ("POST", "decisions/{code}/"): DECIDE,
    ("GET", "webhooks/"): WEBHOOKS,
    ("POST", "webhooks/"): WEBHOOKS,
    ("GET", "webhooks/{n}/"): WEBHOOKS,
    ("DELETE", "webhooks/{n}/"): WEBHOOKS,
    ("POST", "webhooks/{n}/test/"): WEBHOOKS,
}


OWN = [endpoint for endpoint, scope in ENDPOINTS.items() if scope is not DECIDE]
"""Those of a referee's own reports."""


def test_every_endpoint_with_a_token_has_a_row() -> None:
    views = {
        str(pattern.pattern)
        .replace("<int:number>", "{n}")
        .replace("<number:number>", "{n}")
        .replace("<slug:code>", "{code}"): pattern.callback.cls
        for pattern in patterns(get_resolver())
        if hasattr(getattr(pattern.callback, "cls", None), "scopes")
    }
    known = {(method, path): scope for path, view in views.items() for method, scope in view.scopes.items()}
    heads = {key for key in ENDPOINTS if key[0] == "HEAD"}
    assert known == {key: scope for key, scope in ENDPOINTS.items() if key not in heads}


def test_a_token_opens_what_its_scopes_name_and_nothing_more(referee: User, subtests: Any) -> None:
    whole = Program(referee)
    number = whole.ask("POST", "reports/", file=example_file("clean")).json()["number"]
    programs = {scope: Program(referee, scope, name=scope) for scope in Scope}
    for (method, path), needed in ENDPOINTS.items():
        for scope, program in programs.items():
            with subtests.test(method=method, path=path, scope=scope):
                answer = program.ask(method, path.replace("{n}", str(number)).replace("{code}", "x"), {})
                if needed is DECIDE and scope is needed:  # by its owner's role
                    assert answer.status_code == (403 if method == "GET" else 400)
                    continue
                if (needed is WEBHOOKS or path == "announcements/{n}/") and scope is needed:  # there is none
                    assert answer.status_code in {200, 400, 404, 409}
                    continue
                if scope is needed:
                    assert answer.status_code in {200, 400, 415}, answer.text
                    continue
                assert answer.status_code == 403
                assert answer["WWW-Authenticate"] == (
                    f'Bearer realm="api", error="insufficient_scope", scope="{needed}"'
                )
                if method != "HEAD":
                    assert answer.json()["code"] == "forbidden"


# --- what is no token: state × endpoint


def headers(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def ended(program: Program, how: str) -> None:
    """Bring a token to its end in one way."""
    by = Actor(program.user)
    if how == "revoked":
        revoke_token(number=program.token.pk, by=by)
    elif how == "closed":  # past the service that revokes tokens
        User.objects.filter(pk=program.user.pk).update(is_active=False)
    elif how == "no role":
        give_roles(program.user)
    elif how == "only administrator":
        give_roles(program.user, Role.ADMINISTRATOR)


@pytest.mark.parametrize("how", ["live", "revoked", "closed", "no role", "only administrator", "expired"])
def test_an_ended_token_is_like_no_token(how: str, referee: User, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(referee)
    ended(program, how)
    if how == "expired":
        later = timezone.now() + timedelta(days=30, seconds=1)
        monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    answers = [
        program.ask(method, path.replace("{n}", "1").replace("{code}", "x"), {}) for method, path in OWN
    ]
    if how == "live":
        assert not {answer.status_code for answer in answers} & {401, 403}
        return
    assert {answer.status_code for answer in answers} == {401, 429}, "after ten attempts the source waits"
    assert answers[0].json() == {
        "code": "not_authenticated", "message": "This token is unknown, expired or revoked.", "findings": [],
    }  # fmt: skip
    assert answers[0]["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
    events = SecurityEvent.objects.filter(account=referee)
    assert list(events.order_by("pk").values_list("kind", flat=True)) == ["token_refused"] * 10 + ["too_many"]


def test_requests_are_counted_by_token_or_by_network(referee: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "MAX_REQUESTS", 2)
    first, second = Program(referee, name="first"), Program(referee, name="second")

    def left(program: Program, **headers: str) -> tuple[int, str]:
        answer = program.client.get(
            "/api/v1/reports/", headers={"Authorization": f"Bearer {program.secret}"} | headers
        )
        return answer.status_code, answer["RateLimit-Remaining"]

    assert [left(first) for _ in range(3)] == [(200, "1"), (200, "0"), (429, "0")]
    assert left(second) == (200, "1"), "of the same network and account"
    wrong = {"Authorization": "Bearer x"}
    assert [left(second, **wrong)[0] for _ in range(3)] == [401, 401, 429]
    assert left(second) == (200, "0"), "a network that is over its limit stops no token"


def test_what_is_no_token_of_ours_opens_nothing(referee: User, client: Client) -> None:
    program = Program(referee)
    secret, digest = program.secret, program.token.secret_sha256
    client.force_login(referee)  # a session is none: its cookie is sent with each request
    nothing = client.get("/api/v1/reports/")
    assert (nothing.status_code, nothing["WWW-Authenticate"]) == (401, 'Bearer realm="api"')
    assert client.post("/api/v1/reports/", {"file": "x"}).status_code == 401
    assert not SecurityEvent.objects.filter(kind="token_refused").exists(), "no token was tried"
    wrong = [
        f"Bearer {secret[:-1]}", f"Bearer {secret}x", f"Bearer {secret.lower()}", f"Bearer {digest}",
        f"Bearer  {secret}", f"Basic {secret}", f"Bearer {secret}, Bearer {secret}", secret, "Bearer", "Bearer \0é",
    ]  # fmt: skip
    for written in wrong:
        answer = client.get("/api/v1/reports/", headers={"Authorization": written})
        assert answer.status_code == 401, written
    for query in (f"?token={secret}", f"?access_token={secret}"):
        assert client.get(f"/api/v1/reports/{query}").status_code == 401
    assert SecurityEvent.objects.filter(kind="token_refused", account=None).count() == len(wrong)
    # The source has used up its attempts; the right token opens all the same, another source too.
    assert client.get("/api/v1/reports/", headers={"Authorization": "Bearer x"}).status_code == 429
    assert client.get("/api/v1/reports/", headers=headers(secret)).status_code == 200
    assert client.get("/api/v1/reports/", headers={"Authorization": f"bearer {secret}"}).status_code == 200


def test_a_token_opens_no_page_and_no_act_of_the_office() -> None:
    """Of an officer, who may do all this with a session: at every address they are a stranger."""
    program = Program(person(Role.RATING_OFFICER, Role.REFEREE))
    asked = 0
    for pattern in patterns(get_resolver()):
        if str(pattern.name).startswith("api-"):
            continue
        for method in ("get", "post"):
            answer = getattr(program.client, method)(address_of(pattern), headers=headers(program.secret))
            assert answer.wsgi_request.user.is_anonymous, pattern.name
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            assert program.user.email.encode() not in body, pattern.name
            asked += 1
    assert asked > 300
    assert not LogEntry.objects.exclude(action="account.create_token").exists()
    assert program.ask("GET", "reports/").status_code == 200, "the twin"


def test_public_answers_do_not_depend_on_a_token(referee: User, client: Client) -> None:
    program = Program(referee)
    for sent in (program.secret, "wrong"):
        answer = client.get("/api/v1/pools/", headers=headers(sent))
        assert answer.content == client.get("/api/v1/pools/").content
        assert "public" in answer["Cache-Control"]


# --- how a token is made and ends


def test_a_token_is_stored_as_a_digest_and_told_to_its_owner(referee: User) -> None:
    program = Program(referee, READ, WRITE)
    token = ApiToken.objects.get()
    assert program.secret.startswith(token.start)
    assert (len(token.start), len(program.secret)) == (7, 46), "42 of 256 bits are shown"
    assert token.secret_sha256 == hashlib.sha256(program.secret.encode()).hexdigest()
    stored = [
        str(row) for model in (ApiToken, LogEntry, Message, SecurityEvent) for row in model.objects.values()
    ]
    assert not any(program.secret[7:] in row for row in stored)
    entry, message = LogEntry.objects.get(), Message.objects.get()
    assert (entry.action, entry.after["scopes"]) == ("account.create_token", [READ, WRITE])
    assert (message.recipient, message.title) == (referee, f"API token created: {NAME}")
    assert "- Read my reports and their findings\n- Upload files" in message.text
    assert token.last_used_on is None
    program.ask("GET", "reports/")
    token.refresh_from_db()
    assert token.last_used_on == timezone.localdate()


ENDS: dict[str, tuple[Callable[[User, Actor], object], bool]] = {
    "closed": (lambda user, by: close_account(account=user, reason="Left", by=by), True),
    "role lost": (lambda user, by: changed(user, [Role.NATIONAL_OFFICIAL], "NED", by), True),
    "federation changed": (lambda user, by: changed(user, [Role.REFEREE], "BEL", by), True),
    "role added": (lambda user, by: changed(user, [Role.REFEREE, Role.NATIONAL_OFFICIAL], "NED", by), False),
    "new password": (lambda user, _: set_password(account=user, password="another-long-one"), True),  # noqa: S106
    "factor lost": (lambda user, by: remove_second_factor(account=user, reason="Lost", by=by), True),
}


def changed(user: User, roles: list[Role], federation: str, by: Actor) -> User:
    seen = rights_summary(user)
    return change_roles(account=user, roles=roles, federation=federation, reason="New", looked_at=seen, by=by)


@pytest.mark.parametrize("how", ENDS)
def test_who_loses_a_right_or_secret_loses_the_tokens(how: str, referee: User, administrator: Actor) -> None:
    program = Program(referee)
    Authenticator.objects.create(user=referee, type=Authenticator.Type.TOTP, data={})
    act, ends = ENDS[how]
    act(referee, administrator)
    assert (program.ask("GET", "reports/").status_code == 401) is ends
    assert LogEntry.objects.filter(action="account.revoke_token").count() == ends
    if how == "closed":
        reopen_account(account=referee, reason="Back", by=administrator)
        assert program.ask("GET", "reports/").status_code == 401, "it stays revoked"


def test_the_page_shows_a_token_once_and_revokes_it(referee: User, client: Client) -> None:
    client.force_login(referee)
    sent = {"name": " My \n program ", "scopes": [READ, SUBMIT], "days": "365"}
    made = client.post("/account/tokens/new/", sent)
    assert made["Cache-Control"] == "private, no-store"
    secret, token = made.context["secret"], ApiToken.objects.get()
    assert (token.name, token.scopes) == ("My program", [READ, SUBMIT])
    assert secret in made.text
    assert 364 <= (token.expires_at - timezone.now()).days <= 365
    assert SecurityEvent.objects.get(kind="token_created").account == referee
    again = client.post("/account/tokens/new/", sent)  # the browser's reload
    assert (again.status_code, ApiToken.objects.count()) == (409, 1)
    assert "You already have a token with this name." in again.text
    listed = client.get("/account/tokens/").text
    assert (token.start in listed, secret in listed, "Never" in listed) == (True, False, True)
    other = person(Role.REFEREE, name="olga")
    stranger = client_of(other)
    assert stranger.post("/account/tokens/", {"token": token.pk}).status_code == 409
    assert token.name not in stranger.get("/account/tokens/").text
    done = client.post("/account/tokens/", {"token": token.pk}, follow=True)
    assert "Token “My program” revoked." in done.text
    token.refresh_from_db()
    assert token.revoked_by == referee
    assert client.get("/api/v1/reports/", headers=headers(secret)).status_code == 401
    assert client.post("/account/tokens/", {"token": token.pk}).status_code == 409
    for bad in (
        {"name": ""},
        {"name": "a\u202eb"},
        {"scopes": []},
        {"scopes": ["office:all"]},
        {"days": "9999"},
    ):
        assert client.post("/account/tokens/new/", sent | bad).status_code == 400, bad
    for number in range(MOST_TOKENS):
        create_token(name=str(number), scopes=[READ], days=30, by=Actor(referee))
    assert client.post("/account/tokens/new/", sent).status_code == 409


def test_a_token_asks_for_the_password_of_the_last_minutes(referee: User, client: Client) -> None:
    client.force_login(referee)
    session = client.session
    session["began"] -= 301
    session.save()
    asked = client.post("/account/tokens/new/", {"name": "x", "scopes": [READ], "days": "30"})
    assert asked.status_code == 302
    assert "To confirm: create an API token" in client.get(asked["Location"]).text
    assert not ApiToken.objects.exists()
    made = client.post(asked["Location"], {"password": PASSWORD})
    assert ApiToken.objects.get().start in made.text, "the kept form was sent again, and its answer is shown"


def test_old_answers_are_deleted_by_the_worker_alone(referee: User) -> None:
    with acting_as(referee), transaction.atomic():
        kept = {"account": referee, "request_sha256": "0" * 64, "status": 200, "answer": "{}"}
        old = timezone.now() - timedelta(days=8)
        ApiAnswer.objects.create(key="new", **kept)
        ApiAnswer.objects.create(key="old", created_at=old, **kept)
    for refused in (lambda: ApiAnswer.objects.all().delete(), lambda: ApiAnswer.objects.update(status=500)):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            refused()


@pytest.mark.database_role("worker")
def test_an_answer_is_kept_for_a_week(referee: User) -> None:
    kept = {"account": referee, "request_sha256": "0" * 64, "status": 200, "answer": "{}"}
    for days in (6, 8):
        ApiAnswer.objects.create(key=str(days), created_at=timezone.now() - timedelta(days=days), **kept)
    assert delete_old_answers() == 1
    assert ApiAnswer.objects.get().key == "6"


def test_the_database_lets_a_token_only_be_used_and_revoked_once(referee: User) -> None:
    token = Program(referee).token
    rows = ApiToken.objects.filter(pk=token.pk)
    changes = {
        "scopes": ["reports:submit"], "secret_sha256": "1" * 64, "expires_at": timezone.now(), "name": "y",
    }  # fmt: skip
    for name, value in changes.items():
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            rows.update(**{name: value})
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        rows.delete()
    revoke_token(number=token.pk, by=Actor(referee))
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows.update(revoked_at=None, revoked_by=None)
