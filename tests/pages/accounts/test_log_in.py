"""The doors: attempts and their limits, passwords, the security log, and addresses that are not there."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory
from django.utils import timezone

from reporting.log.security_log import delete_old_security_events
from reporting.models import Role, SecurityEvent, User
from reporting.web.rate_limit import (
    MAX_ACCOUNTS_PER_SOURCE,
    MAX_ATTEMPTS_PER_ACCOUNT,
    is_attempt_allowed,
    reset_attempts,
    too_many_attempts,
)
from tests.pages.accounts.log_ins import (
    ELSEWHERE,
    HERE,
    PASSWORD,
    SET_UP,
    code_now,
    log_in,
    office_client,
    older,
    person,
    wrong_code,
)
from tests.people import client_of

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

Kind = SecurityEvent.Kind


# --- attempts


def test_one_person_s_failures_lock_no_one_else_of_the_same_address(db: None) -> None:
    """Of 60 wrong passwords for one account ten are tried; the others are refused and are one line of the log."""
    rina, olga = person(Role.REFEREE, "rina@example.org"), person(Role.REFEREE, "olga@example.org")
    for turn in range(60):
        answer = log_in(Client(), rina, "wrong")
        blocked = turn >= MAX_ATTEMPTS_PER_ACCOUNT
        assert (answer.status_code == 429, too_many_attempts() in answer.text) == (blocked, blocked), turn
    rina.email = rina.email.upper()
    assert log_in(Client(), rina).status_code == 429
    rina.email = "rına@example.org"  # for the database an i without a dot is the same letter
    assert log_in(Client(), rina).status_code == 429
    rina.email = "rina@example.org"
    kinds = list(SecurityEvent.objects.values_list("kind", flat=True))
    assert (kinds.count(Kind.PASSWORD_REFUSED), kinds.count(Kind.TOO_MANY)) == (MAX_ATTEMPTS_PER_ACCOUNT, 1)
    assert log_in(Client(), olga).status_code == 302
    for _ in range(30):
        Client().post("/account/forgotten/", {"email": rina.email}, REMOTE_ADDR=HERE)
    asked = Client().post("/account/forgotten/", {"email": olga.email}, REMOTE_ADDR=HERE)
    assert (asked.status_code, asked["Location"]) == (302, "/account/forgotten/sent/")
    assert log_in(Client(), rina, source=ELSEWHERE).status_code == 302, "nor is the account locked elsewhere"


def test_a_password_hashed_in_an_earlier_way_is_hashed_again_at_the_log_in(db: None, settings: Any) -> None:
    rina = person(Role.REFEREE)
    earlier = rina.password
    assert earlier.startswith("md5$")
    assert log_in(Client(), rina).status_code == 302
    rina.refresh_from_db()
    assert rina.password == earlier
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS
    ]  # fmt: skip
    assert log_in(Client(), rina).status_code == 302
    rina.refresh_from_db()
    assert rina.password.startswith("pbkdf2_sha256$")
    assert log_in(Client(), rina).status_code == 302


def test_a_log_in_takes_19_mib_and_a_hash_that_took_more_is_made_again(db: None, settings: Any) -> None:
    """Five threads of a process that hash at once take 95 MiB, of 300 MB that a process may have."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    rina = person(Role.REFEREE)
    assert rina.password.startswith("argon2$argon2id$v=19$m=102400,t=2,p=8$")  # Django's own
    settings.PASSWORD_HASHERS = ["reporting.accounts.password_strength.PasswordHasher"]
    assert log_in(Client(), rina).status_code == 302
    rina.refresh_from_db()
    assert rina.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert log_in(Client(), rina).status_code == 302


def test_a_password_is_taken_as_it_was_typed(db: None) -> None:
    """70 characters of any kind, spaces at both ends; nothing is trimmed, folded or cut (ASVS 6.2.5 to 6.2.9)."""
    account, password = person(Role.REFEREE), "  " + "naïve Тест-ключ 字 " * 4 + "Aa  "
    assert len(password) >= 64
    client = Client()
    assert 'type="password"' in client.get("/login/").text
    client.force_login(account)
    changed = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    page = client.post("/account/password/", changed)
    assert page.status_code == 302, page.text
    for other in (password.strip(), password.casefold(), password[:-1], password[:64]):
        assert log_in(Client(), account, other).status_code == 200
    assert log_in(Client(), account, password).status_code == 302


def test_what_a_source_is_counted_by_are_the_accounts_it_failed_with() -> None:
    """Three hundred log-ins from a congress's network stop no person, and one's own log-ins hide no spray."""
    request = RequestFactory().get("/", REMOTE_ADDR=HERE)
    for turn in range(300):
        assert is_attempt_allowed(request, "log in", f"person{turn}@example.org")
        reset_attempts(request, "log in", f"person{turn}@example.org")
    for turn in range(MAX_ACCOUNTS_PER_SOURCE):
        assert is_attempt_allowed(request, "log in", f"victim{turn}@example.org"), turn
        assert is_attempt_allowed(request, "log in", "thief@example.org") is (
            turn < MAX_ACCOUNTS_PER_SOURCE - 1
        )
        reset_attempts(request, "log in", "thief@example.org")
    assert not is_attempt_allowed(request, "log in", "another@example.org")
    assert is_attempt_allowed(request, "log in", "victim7@example.org"), "who was tried already has ten tries"


# --- the security log


def test_log_ins_and_refusals_are_logged_with_person_and_address(ruth: User, at_rest: None) -> None:
    client = Client()
    log_in(client, ruth, "wrong")
    Client().post("/login/", {"login": "nobody@example.org", "password": "x"}, REMOTE_ADDR=ELSEWHERE)
    log_in(client, ruth)
    client.post("/login/code/", {"code": wrong_code()}, REMOTE_ADDR=HERE)
    client.post("/login/code/", {"code": code_now()}, REMOTE_ADDR=HERE)
    client.post("/logout/", REMOTE_ADDR=HERE)
    logged = SecurityEvent.objects.order_by("pk")
    events = [(event.kind, event.account, event.email, event.address) for event in logged]
    assert events == [
        (Kind.PASSWORD_REFUSED, ruth, "ruth@example.org", HERE),
        (Kind.PASSWORD_REFUSED, None, "nobody@example.org", ELSEWHERE),
        (Kind.CODE_REFUSED, ruth, "ruth@example.org", HERE),
        (Kind.LOGGED_IN, ruth, "ruth@example.org", HERE),
        (Kind.LOGGED_OUT, ruth, "ruth@example.org", HERE),
    ]


def test_the_security_log_is_for_administrators_and_is_searched(ruth: User) -> None:
    log_in(Client(), ruth, "wrong", ELSEWHERE)
    rina = person(Role.REFEREE)
    log_in(Client(), rina)
    client = office_client()
    page = client.get("/accounts/security/").text
    for shown in ("ruth@example.org", ELSEWHERE, "Wrong password", "Logged in", "referee@example.org"):
        assert shown in page
    found = client.get("/accounts/security/", {"words": "ruth", "kind": Kind.PASSWORD_REFUSED}).text
    assert ELSEWHERE in found
    assert "referee@example.org" not in found
    assert "No entries match these filters." in client.get("/accounts/security/?words=nobody").text
    for query in ("words=%00", "kind=x", "page=9" + "9" * 300, "words=" + "x" * 5000, "words=%FF", "page=-1"):
        assert client.get(f"/accounts/security/?{query}").status_code == 200
    page = client.get(f"/accounts/{rina.pk}/").text
    assert f"/accounts/security/?words={rina.email.replace('@', '%40')}" in page


@pytest.mark.parametrize("role", ["web", "worker"])
def test_the_security_log_is_written_once_and_forgotten_after_a_year(role: str, request: Any) -> None:
    event = SecurityEvent.objects.create(kind=Kind.LOGGED_IN, email="a@example.org", address=HERE)
    at = timezone.now() - timedelta(days=366)
    old = SecurityEvent.objects.create(kind=Kind.LOGGED_IN, email="a@example.org", address=HERE, at=at)
    for statement in (
        f"update reporting_securityevent set email = '' where id = {event.pk}",
        f"update reporting_securityevent set email = '' where id = {old.pk}",
        f"delete from reporting_securityevent where id = {event.pk}", "truncate reporting_securityevent",
    ):  # fmt: skip
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert SecurityEvent.objects.count() == 2


@pytest.mark.database_role("worker")
def test_after_a_year_an_entry_is_forgotten(db: None) -> None:
    for days in (364, 366):
        at = timezone.now() - timedelta(days=days)
        SecurityEvent.objects.create(kind=Kind.LOGGED_IN, email=f"{days}@example.org", at=at)
    assert delete_old_security_events() == 1
    assert SecurityEvent.objects.get().email == "364@example.org"


# --- doors that are not there, and methods


def test_of_allauth_only_what_is_used_has_an_address() -> None:
    for path in (
        "/signup/", "/account/signup/", "/accounts/signup/", "/account/inactive/", "/account/password/set/",
        "/account/login/code/", "/account/factor/webauthn/", "/account/factor/codes/download/", "/accounts/login/",
        "/account/social/connections/", "/account/3rdparty/", "/_allauth/browser/v1/auth/session",
    ):  # fmt: skip
        client = client_of(User.objects.get_or_create(email="a@example.org", name="A")[0])
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND, path


LOG_IN_PAGES = {
    "/login/": "GET HEAD POST", "/logout/": "POST", "/login/code/": "GET HEAD POST", "/account/": "GET HEAD POST",
    "/account/confirm/": "GET HEAD POST", "/account/confirm/code/": "GET HEAD POST",
    "/account/email/": "GET HEAD POST", "/account/password/": "GET HEAD POST",
    "/account/forgotten/": "GET HEAD POST", "/account/forgotten/sent/": "GET HEAD",
    "/account/factor/": "GET HEAD", SET_UP: "GET HEAD POST", "/account/factor/remove/": "GET HEAD POST",
    "/account/factor/codes/": "GET HEAD", "/account/factor/codes/new/": "GET HEAD POST",
    "/account/sessions/": "GET HEAD POST", "/accounts/security/": "GET HEAD",
}  # fmt: skip


@pytest.mark.parametrize("path", LOG_IN_PAGES)
def test_every_other_method_is_refused(path: str) -> None:
    """Those that no page takes are in test_request_limits.py."""
    client = office_client()
    for method in ("GET", "HEAD", "POST"):
        answer = client.generic(method, path)
        assert (answer.status_code == 405) is (method not in LOG_IN_PAGES[path].split()), method
        assert answer.status_code < 500


def test_a_head_request_does_nothing_a_get_does_not(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    older(client, began=timedelta(hours=1))
    assert client.head(f"/accounts/{rina.pk}/close/").status_code == 200
    assert client.head("/account/factor/").status_code == 200
    assert client.head("/account/email/x:y:z/").status_code == 410


@pytest.mark.parametrize("accept", ["application/json", "*/*"])
def test_no_one_gets_the_pages_as_data(accept: str) -> None:
    answer = Client().post(
        "/login/", {"login": "a@example.org", "password": "x"}, HTTP_ACCEPT=accept,
        HTTP_X_REQUESTED_WITH="XMLHttpRequest",
    )  # fmt: skip
    assert answer["Content-Type"].startswith("text/html")


def test_the_cache_counts_by_address_and_account(db: None) -> None:
    """What is kept there names neither."""
    log_in(Client(), person(Role.REFEREE), "wrong")
    remaining = " ".join(str(key) for key in getattr(cache, "_cache", {}))
    assert HERE not in remaining
    assert "example.org" not in remaining
