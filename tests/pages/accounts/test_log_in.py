"""The doors: attempts, second factor, sessions that end, and the password asked again for what cannot be undone."""

import re
import subprocess
import sys
import time
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from reporting.accounts.sessions import stored_key
from reporting.log.security_log import delete_old_security_events
from reporting.models import (
    NEED_A_SECOND_PERSON,
    AccountSession,
    LogEntry,
    Message,
    Report,
    Role,
    SecurityEvent,
    User,
)
from reporting.tasks import clear_sessions
from reporting.web.rate_limit import (
    MAX_ACCOUNTS_PER_SOURCE,
    MAX_ATTEMPTS_PER_ACCOUNT,
    is_attempt_allowed,
    reset_attempts,
    too_many_attempts,
)
from tests.people import client_of, create_user, give_roles

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

PASSWORD, HERE, ELSEWHERE = "old-long-password", "192.0.2.7", "198.51.100.9"
SECRET = "JBSWY3DPEHPK3PXP"  # noqa: S105 (the secret of a test's authenticator)
HALF_MINUTE = 59_999_999  # counted from 1970 (RFC 6238)
Kind = SecurityEvent.Kind


def person(role: Role, email: str = "") -> User:
    return create_user(
        email or f"{role}@example.org", role.label, PASSWORD, roles=[role], federation_id="NED"
    )


def log_in(client: Client, account: User, password: str = PASSWORD, source: str = HERE, **data: str) -> Any:
    return client.post("/login/", {"login": account.email, "password": password} | data, REMOTE_ADDR=source)


def asks_again(answer: Any, address: str) -> bool:
    """Whether an answer leads to the page that asks for the password, and from there back."""
    return (answer.status_code, unquote(answer.get("Location", ""))) == (
        302,
        f"/account/confirm/?next={address}",
    )


def code_now() -> str:
    return format_hotp_value(hotp_value(SECRET, HALF_MINUTE))


def wrong_code() -> str:
    return f"{(int(code_now()) + 1) % 1_000_000:06}"


@pytest.fixture
def at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of codes stands still: a code stays the code of its half minute."""
    monkeypatch.setattr(
        "allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: iter([HALF_MINUTE])
    )


@pytest.fixture
def ruth(db: None) -> User:
    """A rating officer with an authenticator and recovery codes."""
    account = person(Role.RATING_OFFICER, "ruth@example.org")
    TOTP.activate(account, SECRET)
    RecoveryCodes.activate(account)
    return account


@pytest.fixture
def factor_required(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True


def older(client: Client, **ago: timedelta) -> None:
    """Let a session have begun, or its person have been seen, so long ago."""
    session = client.session
    for name, age in ago.items():
        session[name] = int(time.time() - age.total_seconds())
    session.save()


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
    kinds = list(SecurityEvent.objects.values_list("kind", flat=True))
    assert (kinds.count(Kind.PASSWORD_REFUSED), kinds.count(Kind.TOO_MANY)) == (MAX_ATTEMPTS_PER_ACCOUNT, 1)
    assert log_in(Client(), olga).status_code == 302
    for _ in range(30):
        Client().post("/account/forgotten/", {"email": rina.email}, REMOTE_ADDR=HERE)
    asked = Client().post("/account/forgotten/", {"email": olga.email}, REMOTE_ADDR=HERE)
    assert (asked.status_code, asked["Location"]) == (302, "/account/forgotten/sent/")
    assert log_in(Client(), rina, source=ELSEWHERE).status_code == 302, "nor is the account locked elsewhere"


def test_a_password_that_was_hashed_in_an_earlier_way_is_hashed_again_at_the_log_in(
    db: None, settings: Any
) -> None:
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
    """Four threads of a process that hash at once take 76 MiB, of 300 MB that a process may have."""
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


def test_one_person_s_wrong_codes_lock_neither_the_account_elsewhere_nor_the_address(
    ruth: User, at_rest: None
) -> None:
    other = person(Role.RATING_OFFICER, "olga@example.org")
    TOTP.activate(other, SECRET)
    thief, owner, colleague = Client(), Client(), Client()
    log_in(thief, ruth)
    for _ in range(MAX_ATTEMPTS_PER_ACCOUNT):
        assert "Wrong code" in thief.post("/login/code/", {"code": wrong_code()}, REMOTE_ADDR=HERE).text
    stopped = thief.post("/login/code/", {"code": code_now()}, REMOTE_ADDR=HERE)
    assert (stopped.status_code, too_many_attempts() in stopped.text) == (429, True)
    log_in(colleague, other)
    assert colleague.post("/login/code/", {"code": code_now()}, REMOTE_ADDR=HERE).status_code == 302
    log_in(owner, ruth, source=ELSEWHERE)
    assert owner.post("/login/code/", {"code": code_now()}, REMOTE_ADDR=ELSEWHERE).status_code == 302


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


# --- the second factor


def test_with_a_factor_the_password_alone_opens_nothing(ruth: User, at_rest: None) -> None:
    client = Client()
    answer = log_in(client, ruth, next="/office/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/code/")
    for path in ("/office/", "/account/", "/account/factor/codes/"):
        assert client.get(path)["Location"] == f"/login/?next={path}"
    done = client.post("/login/code/", {"code": code_now()})
    assert (done.status_code, done["Location"]) == (302, "/office/")
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize("between", ["", " ", "\u200b", "\ufeff", "-", "\u00a0", "\u2060"])
def test_a_code_opens_once_however_it_is_typed_the_second_time(
    ruth: User, at_rest: None, between: str
) -> None:
    """Trail of Bits at PyPI 2026: the same code with a space was another one for the memory of used codes."""
    first = Client()
    log_in(first, ruth)
    assert first.post("/login/code/", {"code": f" {code_now()[:3]} {code_now()[3:]} "}).status_code == 302
    second = Client()
    log_in(second, ruth)
    again = code_now()[:3] + between + code_now()[3:]
    refused = second.post("/login/code/", {"code": again})
    assert (refused.status_code, "Wrong code" in refused.text) == (200, True)
    assert second.get("/account/").status_code == 302


@pytest.mark.parametrize("code", ["", "0", "１２３４５６", "12345\0", "9" * 5000, "é", "\u200b"])
def test_whatever_is_typed_as_a_code_is_answered(ruth: User, code: str) -> None:
    client = Client()
    log_in(client, ruth)
    assert client.post("/login/code/", {"code": code}).status_code == 200
    for data in (
        {},
        {"credential": "{}"},
        {"credential": "no JSON"},
    ):  # what a security key would answer with
        answer = client.post("/login/code/", data)
        assert (answer.status_code, 'name="code"' in answer.text) == (200, True), data


def test_a_recovery_code_opens_once(ruth: User) -> None:
    codes = Authenticator.objects.get(user=ruth, type="recovery_codes").wrap().get_unused_codes()
    assert len(codes) == 10
    for turn, opens in ((1, True), (2, False)):
        client = Client()
        log_in(client, ruth)
        answer = client.post("/login/code/", {"code": codes[0]})
        assert (answer.status_code == 302) is opens, turn
    used = Authenticator.objects.get(user=ruth, type="recovery_codes")
    assert len(used.wrap().get_unused_codes()) == 9


def test_without_the_cache_a_code_is_refused_plainly_and_a_recovery_code_opens(
    ruth: User, at_rest: None, settings: Any
) -> None:
    """Which codes were used is remembered in the cache."""
    client = Client()
    codes = Authenticator.objects.get(user=ruth, type="recovery_codes").wrap().get_unused_codes()
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/broker.sock",
        }
    }
    log_in(client, ruth)
    refused = client.post("/login/code/", {"code": code_now()})
    assert (refused.status_code, "Use a recovery code" in refused.text) == (200, True)
    assert client.post("/login/code/", {"code": codes[3]}).status_code == 302


def test_who_closes_the_account_between_password_and_code_stops_the_log_in(ruth: User, at_rest: None) -> None:
    client = Client()
    log_in(client, ruth)
    User.objects.filter(pk=ruth.pk).update(is_active=False)
    assert client.post("/login/code/", {"code": code_now()})["Location"] == "/login/"
    assert client.get("/account/").status_code == 302
    assert not SecurityEvent.objects.filter(kind=Kind.LOGGED_IN).exists()


def every_address() -> list[str]:
    """Every address of the office that takes no argument, and some that do."""

    def walk(resolver: URLResolver) -> list[str]:
        found = []
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                found += walk(pattern)
            elif isinstance(pattern, URLPattern) and not pattern.pattern.converters and pattern.name:
                found.append(pattern.name)
        return found

    plain = [reverse(name) for name in walk(get_resolver()) if "key" not in name]
    return [
        *plain,
        "/accounts/1/",
        "/accounts/1/roles/",
        "/office/players/1/",
        "/reports/1/",
        "/lists/fmjd-100/",
    ]


SET_UP = "/account/factor/set-up/"
OPEN_WITHOUT_FACTOR = {SET_UP, "/logout/", "/account/confirm/", "/health/"}


@pytest.mark.parametrize("role", NEED_A_SECOND_PERSON)
def test_an_officer_without_a_factor_is_led_to_set_it_up_and_does_nothing_else(
    factor_required: None, role: Role
) -> None:
    """Every address for one role; for the others, each twelfth."""
    client = client_of(person(role))
    for address in every_address()[:: 1 if role == NEED_A_SECOND_PERSON[0] else 12]:
        if address.startswith("/api/"):  # no cookie counts there
            assert client.get(address).content == Client().get(address).content
        elif address not in OPEN_WITHOUT_FACTOR:
            # HEAD is asked as GET, whatever the role.
            for method in (client.get, client.post, *[client.head] * (role == NEED_A_SECOND_PERSON[0])):
                answer = method(address)
                assert (answer.status_code, answer.get("Location")) == (302, SET_UP), address
    assert "Your role requires a second factor" in client.get(SET_UP).text


def test_others_may_go_without_a_factor(factor_required: None) -> None:
    for role in set(Role) - set(NEED_A_SECOND_PERSON):
        client = client_of(person(role))
        assert client.get("/account/").status_code == 200
        assert "Your role requires a second factor" not in client.get(SET_UP).text


def test_in_the_demonstration_no_factor_is_asked_for_and_that_is_said(settings: Any) -> None:
    settings.DEMO, settings.SECOND_FACTOR_REQUIRED = True, False
    client = Client()
    shown = "In the demonstration no second factor is required"
    assert shown in client.get("/login/").text
    client.force_login(person(Role.RATING_OFFICER))
    assert client.get("/account/").status_code == 200
    assert shown in client.get("/account/factor/").text


@pytest.mark.django_db(transaction=True)
def test_a_factor_is_set_up_without_a_script_and_ends_all_other_sessions(
    factor_required: None, at_rest: None
) -> None:
    account = person(Role.RATING_OFFICER)
    client, elsewhere = Client(), Client()
    log_in(elsewhere, account)
    assert log_in(client, account, next="/office/")["Location"] == "/office/"
    page = client.get("/office/", follow=True)
    assert page.redirect_chain == [(SET_UP, 302)]
    assert "<svg" in page.text
    assert "data:" not in page.text
    assert "style=" not in page.text
    secret = re.search(r'id="secret"[^>]*>([A-Z2-7 ]+)<', page.text)
    assert secret
    code = format_hotp_value(hotp_value(secret[1].replace(" ", ""), HALF_MINUTE))
    wrong = client.post(SET_UP, {"code": f"{(int(code) + 1) % 1_000_000:06}"})
    assert "Wrong code" in wrong.text
    assert secret[1] in wrong.text, "the same secret: it is in the person's telephone already"
    done = client.post(SET_UP, {"code": code}, follow=True)
    assert done.redirect_chain == [("/account/factor/codes/", 302)]
    codes = Authenticator.objects.get(user=account, type="recovery_codes").wrap().get_unused_codes()
    assert all(f"{code[:4]} {code[4:]}" in done.text for code in codes)
    assert client.get("/office/").status_code == 200
    log_in(elsewhere, account)
    assert "Wrong code" in elsewhere.post("/login/code/", {"code": code}).text, "it set up the factor"
    assert elsewhere.get("/account/").status_code == 302, "a session of before is without the factor"
    assert LogEntry.objects.get().action == "account.add_factor"
    assert "Second factor set up" in client.get("/messages/").text


def test_an_officer_does_not_take_the_factor_off_and_a_referee_does(
    factor_required: None, ruth: User
) -> None:
    client = client_of(ruth)
    answer = client.post("/account/factor/remove/")
    assert "Your role requires a second factor" in answer.text
    assert Authenticator.objects.filter(user=ruth, type="totp").exists()
    rina = person(Role.REFEREE)
    TOTP.activate(rina, SECRET)
    client.force_login(rina)
    assert client.post("/account/factor/remove/").status_code == 302
    assert not Authenticator.objects.filter(user=rina).exists()
    assert LogEntry.objects.get(action="account.remove_factor").actor == rina


def test_an_administrator_removes_a_lost_factor_and_it_is_set_up_again(
    factor_required: None, ruth: User, at_rest: None
) -> None:
    ada, client, other_client = person(Role.ADMINISTRATOR), Client(), Client()
    TOTP.activate(ada, SECRET)
    client.force_login(ada)
    log_in(other_client, ruth)
    assert other_client.post("/login/code/", {"code": code_now()}).status_code == 302
    address = f"/accounts/{ruth.pk}/factor/"
    assert "Remove second factor" in client.get(f"/accounts/{ruth.pk}/").text
    assert client.post(address, {"reason": ""}).status_code == 400
    done = client.post(address, {"reason": "Lost the telephone"}, follow=True)
    assert done.redirect_chain == [(f"/accounts/{ruth.pk}/", 302)]
    assert not Authenticator.objects.filter(user=ruth).exists()
    assert other_client.get("/account/")["Location"].startswith("/login/"), "the sessions end"
    entry = LogEntry.objects.get(action="account.remove_factor")
    assert (entry.actor, entry.reason) == (ada, "Lost the telephone")
    assert SecurityEvent.objects.latest("pk").kind == Kind.FACTOR_REMOVED
    assert "Lost the telephone" in Message.objects.get(recipient=ruth).text
    assert log_in(other_client, ruth)["Location"] == "/office/"
    assert other_client.get("/office/")["Location"] == SET_UP
    assert client.post(address, {"reason": "Again"}).status_code == 409


# --- sessions


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    ("began", "seen", "holds_for_officers"),
    [
        (timedelta(hours=11, minutes=58), timedelta(hours=2, minutes=58), True),
        (timedelta(hours=12, minutes=1), timedelta(minutes=1), False),
        (timedelta(hours=4), timedelta(hours=3, minutes=1), False),
    ],
)
def test_a_session_of_the_office_holds_twelve_hours_and_three_without_a_click(
    role: Role, began: timedelta, seen: timedelta, holds_for_officers: bool
) -> None:
    client = client_of(person(role))
    older(client, began=began, seen=seen)
    answer = client.get("/account/")
    officer = role not in (Role.REFEREE, Role.NATIONAL_OFFICIAL)
    assert (answer.status_code == 200) is (holds_for_officers or not officer)
    if answer.status_code != 200:
        assert answer["Location"] == "/login/?next=/account/"
        assert "Your session has ended" in client.get("/login/").text
        assert SecurityEvent.objects.latest("pk").kind == Kind.SESSION_ENDED
        assert client.get("/account/").status_code == 302, "it does not come to life again"


def test_a_click_moves_the_idle_end_and_not_the_absolute_one(db: None) -> None:
    client = client_of(person(Role.RATING_OFFICER))
    older(client, began=timedelta(hours=11), seen=timedelta(hours=2))
    began, now = client.session["began"], int(time.time())
    assert client.get("/account/").status_code == 200
    assert (client.session["began"], client.session["seen"] >= now) == (began, True)


def test_sessions_are_listed_and_all_others_ended(db: None) -> None:
    rina = person(Role.REFEREE)
    here, there, stranger = (
        Client(
            HTTP_USER_AGENT="Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
        ),
        Client(
            HTTP_USER_AGENT="Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1"
        ),
        Client(HTTP_USER_AGENT="curl/8"),
    )
    log_in(here, rina)
    log_in(there, rina, source=ELSEWHERE)
    log_in(stranger, person(Role.REFEREE, "olga@example.org"))
    page = here.get("/account/sessions/").text
    for shown in ("Firefox on Windows", "Safari on iPhone", HERE, ELSEWHERE, "This session"):
        assert shown in page
    assert page.count("<tr>") == 3, "a head and two sessions"
    done = here.post("/account/sessions/", follow=True)
    assert "Safari on iPhone" not in done.text
    assert "You have been logged out on all other devices" in done.text
    assert (there.get("/account/").status_code, here.get("/account/").status_code) == (302, 200)
    assert stranger.get("/account/").status_code == 200
    assert "Unknown browser" in stranger.get("/account/sessions/").text


@pytest.mark.database_role("worker")
def test_sessions_that_ended_are_cleared(db: None) -> None:
    client, remaining = Client(), Client()
    rina = person(Role.REFEREE)
    log_in(client, rina)
    log_in(remaining, rina)
    session = client.session
    session.set_expiry(timedelta(seconds=-1))
    session.save()
    clear_sessions()
    assert AccountSession.objects.get().session_key == stored_key(remaining.session.session_key)


def test_under_https_cookies_are_of_this_host_alone(environment: dict[str, str], tmp_path: Path) -> None:
    """RFC 6265bis: `__Host-` is taken with Secure, for the whole path and without a domain, and from no other host."""
    shown = subprocess.run(
        [
            sys.executable, "-c",
            "import django; django.setup()\n"
            "from django.conf import settings; from django.test import Client\n"
            "print(settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE, settings.SESSION_COOKIE_DOMAIN)\n"
            "print(Client().get('/login/', secure=True, headers={'host': 'localhost'}).cookies.output())",
        ],
        env={
            **environment, "HTTPS": "1", "DJANGO_SETTINGS_MODULE": "config.settings",
            "RATING_OFFICE_VAR": str(tmp_path),
        },
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    session, cookie = shown.splitlines()
    assert session == "__Host-sessionid True None"
    assert cookie.startswith("Set-Cookie: __Host-csrftoken=")
    assert "Path=/;" in cookie
    assert "Secure" in cookie
    assert "Domain" not in cookie


# --- the password again


def office_client() -> Client:
    return client_of(person(Role.ADMINISTRATOR))


def test_an_act_of_the_office_asks_for_the_password_after_five_minutes_and_is_then_done(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    address = f"/accounts/{rina.pk}/close/"
    older(client, began=timedelta(minutes=5, seconds=1))
    asked = client.post(f"{address}?from=list", {"reason": "Left the federation"})
    assert asks_again(asked, address)
    wrong = client.post(asked["Location"], {"password": "wrong"})
    assert "Wrong password" in wrong.text
    rina.refresh_from_db()
    assert rina.is_active
    done = client.post(asked["Location"], {"password": PASSWORD})
    assert (done.status_code, done["Location"]) == (302, f"/accounts/{rina.pk}/")
    rina.refresh_from_db()
    assert not rina.is_active
    assert LogEntry.objects.get(action="account.close").reason == "Left the federation"
    # Within five minutes of it nothing is asked again.
    assert client.post(f"/accounts/{rina.pk}/reopen/", {"reason": "Back"}).status_code == 302
    rina.refresh_from_db()
    assert rina.is_active


def test_the_page_names_no_act_but_the_one_that_is_kept(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    older(client, began=timedelta(hours=1))
    client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"})
    assert "To confirm:" not in client.get(f"/account/confirm/?next=/accounts/{rina.pk}/reopen/").text
    assert "To confirm:" not in client.get("/account/confirm/").text
    assert (
        "To confirm: set up your authenticator app"
        in client.get(client.get("/account/factor/set-up/")["Location"]).text
    )
    remaining = client.get(f"/account/confirm/?next=/accounts/{rina.pk}/close/").text
    assert f"To confirm: close the account of {rina.name}" in remaining


def test_what_is_refused_after_the_password_comes_back_filled(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    older(client, began=timedelta(hours=1))
    asked = client.post(f"/accounts/{rina.pk}/close/", {"reason": "x" * 2001})
    back = client.post(asked["Location"], {"password": PASSWORD})
    assert (back.status_code, "x" * 2001 in back.text) == (400, True)
    assert client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"}).status_code == 302


def test_a_code_confirms_as_well_as_the_password_and_not_twice(ruth: User, at_rest: None) -> None:
    give_roles(ruth, Role.ADMINISTRATOR)
    rina, client = person(Role.REFEREE), Client()
    client.force_login(ruth)
    older(client, began=timedelta(hours=1))
    client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"})
    address = f"/account/confirm/code/?next=/accounts/{rina.pk}/close/"
    assert client.post(address, {"code": code_now()}).status_code == 302
    assert not User.objects.get(pk=rina.pk).is_active
    thief = Client()
    log_in(thief, ruth)
    assert thief.post("/login/code/", {"code": code_now()}).status_code == 200


LIST = "the list of 1 Oct 2026 (100 squares, classical)"
OF_STEP_UP = {
    "office-freeze": "freeze the period of " + LIST,
    "office-approve": "approve " + LIST,
    "office-publish": "publish " + LIST,
    "office-correct": "correct " + LIST,
    "office-withdraw": "withdraw the correction of " + LIST,
    "office-player-merge": "merge the player records 10001 and 10002",
    "office-merge-undo": "undo merge 1 of player records",
    "office-player-erase": "erase the name of player 10001",
    "account-close-own": "close your account",
    "account-roles": "change the roles of Referee",
    "account-close": "close the account of Referee",
    "account-reopen": "reopen the account of Referee",
    "account-factor": "remove the second factor of Referee",
    "account-confirm-role": "confirm a role of Referee",
}
# Decided many times a day: they ask again after an hour (CONFIRM_RESULTS_AFTER_SECONDS).
ACTS_ON_RESULTS = {
    "accept": ("office-report", "accept report {report}"),
    "undo_acceptance": ("office-report", "undo the acceptance of report {report}"),
    "accept several": ("office-reports-accept", "accept these reports"),
    "decide one": ("office-tournament", "decide about tournament 2026-open"),
    "decide several": ("office-decisions", "decide about tournaments"),
    "norms": ("norms-of-draft", "decide about norms"),
    "norm": ("norm", "decide about norms"),
    "claim": ("norm-claim", "claim a norm"),
}


@pytest.mark.parametrize("name", OF_STEP_UP)
def test_each_act_that_cannot_be_undone_asks_again(season_shared: None, name: str) -> None:
    """A person with every role and a session of five minutes: each act leads to the password, none is done.

    The page that asks names the act, also after a wrong password and in the place of a code.
    """
    account = create_user("all@example.org", "All", PASSWORD, roles=Role.values)
    client = client_of(account)
    older(client, began=timedelta(minutes=6))
    arguments: dict[str, tuple[Any, ...]] = {
        "office-player-merge": ("10001",),
        "office-merge-undo": (1,),
        "office-player-erase": ("10001",),
        "account-close-own": (),
    }
    if name.startswith("account") and name not in arguments:
        arguments[name] = (person(Role.REFEREE).pk, 1) if "confirm" in name else (person(Role.REFEREE).pk,)
    address = reverse(name, args=arguments.get(name, ("fmjd-100", "2026-10-01")))
    before = LogEntry.objects.count()
    answer = client.post(address, {"reason": "Typed with care", "confirm": "yes", "with": "10002"})
    assert asks_again(answer, address)
    assert LogEntry.objects.count() == before
    said = f"To confirm: {OF_STEP_UP[name]}"
    assert said in client.get(answer["Location"]).text
    assert said in client.post(answer["Location"], {"password": "wrong"}).text
    done = client.post(answer["Location"], {"password": PASSWORD})
    assert done.status_code < 500
    assert not done.get("Location", "").startswith("/account/confirm/")


@pytest.mark.parametrize("act", ACTS_ON_RESULTS)
def test_each_act_on_results_asks_again_after_an_hour(season_shared: None, act: str) -> None:
    client = client_of(create_user("all@example.org", "All", PASSWORD, roles=Role.values))
    name, said = ACTS_ON_RESULTS[act]
    report = Report.objects.latest("pk").pk
    arguments = {
        "office-report": (report,),
        "office-tournament": ("2026-open",),
        "norms-of-draft": ("fmjd-100", "2026-10-01"),
        "norm-claim": ("fmjd-100", "2026-10-01"),
        "norm": (1,),
    }
    address = reverse(name, args=arguments.get(name, ()))
    form = {"action": act, "words-undo-acceptance": "Typed with care", "based_on": "1"}
    older(client, began=timedelta(minutes=59))
    before = LogEntry.objects.count()
    assert (
        not client.post(address, form | {"based_on": "99"})
        .get("Location", "")
        .startswith("/account/confirm/")
    )
    older(client, began=timedelta(minutes=61))
    answer = client.post(address, form)
    assert asks_again(answer, address)
    assert LogEntry.objects.count() == before
    assert f"To confirm: {said.format(report=report)}" in client.get(answer["Location"]).text
    done = client.post(answer["Location"], {"password": PASSWORD})
    assert not done.get("Location", "").startswith("/account/confirm/")


def test_who_may_not_is_refused_without_being_asked(db: None) -> None:
    rina, client = person(Role.REFEREE), Client()
    client.force_login(person(Role.RATING_OFFICER))
    older(client, began=timedelta(hours=1))
    assert client.post(f"/accounts/{rina.pk}/close/", {"reason": "x"}).status_code == 403


# --- the security log


def test_log_ins_and_refusals_are_logged_with_person_and_address(ruth: User, at_rest: None) -> None:
    client = Client()
    log_in(client, ruth, "wrong")
    Client().post("/login/", {"login": "nobody@example.org", "password": "x"}, REMOTE_ADDR=ELSEWHERE)
    log_in(client, ruth)
    client.post("/login/code/", {"code": wrong_code()}, REMOTE_ADDR=HERE)
    client.post("/login/code/", {"code": code_now()}, REMOTE_ADDR=HERE)
    client.post("/logout/", REMOTE_ADDR=HERE)
    events = [
        (event.kind, event.account, event.email, event.address)
        for event in SecurityEvent.objects.order_by("pk")
    ]
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
    assert (
        f"/accounts/security/?words={rina.email.replace('@', '%40')}"
        in client.get(f"/accounts/{rina.pk}/").text
    )


@pytest.mark.parametrize("role", ["web", "worker"])
def test_the_security_log_is_written_once_and_forgotten_after_a_year(role: str, request: Any) -> None:
    event = SecurityEvent.objects.create(kind=Kind.LOGGED_IN, email="a@example.org", address=HERE)
    old = SecurityEvent.objects.create(
        kind=Kind.LOGGED_IN, email="a@example.org", address=HERE, at=timezone.now() - timedelta(days=366)
    )
    for statement in (
        f"update reporting_securityevent set email = '' where id = {event.pk}",
        f"update reporting_securityevent set email = '' where id = {old.pk}",
        f"delete from reporting_securityevent where id = {event.pk}",
        "truncate reporting_securityevent",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert SecurityEvent.objects.count() == 2


@pytest.mark.database_role("worker")
def test_after_a_year_an_entry_is_forgotten(db: None) -> None:
    for days in (364, 366):
        SecurityEvent.objects.create(
            kind=Kind.LOGGED_IN, email=f"{days}@example.org", at=timezone.now() - timedelta(days=days)
        )
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
