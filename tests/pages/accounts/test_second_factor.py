"""The second factor: codes, who needs one, and how it is set up, removed and lost."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from reporting.models import NEED_A_SECOND_PERSON, LogEntry, Message, Role, SecurityEvent, User
from reporting.web.rate_limit import MAX_ATTEMPTS_PER_ACCOUNT, too_many_attempts
from tests.pages.accounts.log_ins import (
    ELSEWHERE,
    HALF_MINUTE,
    HERE,
    SECRET,
    SET_UP,
    code_now,
    log_in,
    person,
    wrong_code,
)
from tests.people import client_of

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

Kind = SecurityEvent.Kind


def test_one_person_s_wrong_codes_lock_neither_account_nor_address(ruth: User, at_rest: None) -> None:
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
    nowhere = "unix:///nowhere/broker.sock"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": nowhere}
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
    of_one = ("/accounts/1/", "/accounts/1/roles/", "/office/players/1/", "/reports/1/", "/lists/fmjd-100/")
    return [*plain, *of_one]


OPEN_WITHOUT_FACTOR = {SET_UP, "/logout/", "/account/confirm/", "/ready/"}


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


def test_an_officer_keeps_the_factor_and_a_referee_takes_it_off(factor_required: None, ruth: User) -> None:
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
