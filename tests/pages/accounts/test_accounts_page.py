"""The pages of accounts: invited and opened, forgotten, changed; who gets which message, how often one may try."""

import logging
import re
import time
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.test import Client

from reporting.models import LogEntry, Message, User
from reporting.web.rate_limit import MAX_ATTEMPTS_PER_ACCOUNT, too_many_attempts
from tests.people import client_of, create_user, newest_link

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

OLD, NEW = "old-long-password", "a-board-of-ten-by-ten"
HERE, ELSEWHERE = "192.0.2.7", "198.51.100.9"


@pytest.fixture
def rina(db: None) -> User:
    return create_user("rina@example.org", "Rina Reader", OLD, roles=["referee"], federation_id="NED")


@pytest.fixture
def official(rina: User) -> Client:
    client = Client()
    user = create_user(
        "official@example.org", "Nils Offerman", OLD, roles=["national_official"], federation_id="NED"
    )
    client.force_login(user)
    return client


def log_in(client: Client, email: str, password: str, source: str = HERE) -> Any:
    return client.post("/login/", {"login": email, "password": password}, REMOTE_ADDR=source)


def gets_in(email: str, password: str, source: str = HERE) -> bool:
    return log_in(Client(), email, password, source).status_code == 302


def follow(client: Client, link: str, password: str, again: str | None = None) -> Any:
    """Open a link from a mail and set a password on the page it leads to."""
    page = client.get(link, follow=True)
    assert page.redirect_chain, page.text
    again = password if again is None else again
    first, second = ("new_password1", "new_password2") if "invitation" in link else ("password1", "password2")
    data = {first: password, second: again}
    return client.post(page.redirect_chain[-1][0], data, follow=True)


def an_hour_old(client: Client) -> None:
    """Let a session have begun an hour ago: what asks for the password of the last five minutes asks again."""
    session = client.session
    session["began"] = int(time.time()) - 3600
    session.save()


# --- invited


@pytest.mark.parametrize(("password", "message"), [
    ("short", "too short"), ("password1234", "too common"), ("p@example.org", "too similar"),
    ("Piet Fluit 1", "too similar to the name"), ("123456789012", "too easy to guess"),
    ("Password12345!", "too easy to guess"), ("P@ssw0rd1234", "too easy to guess"),
    ("abcabcabcabcabc", "too easy to guess"), ("qwertyuiop[]asdf", "too easy to guess"),
    ("RatingOffice2026", "too easy to guess"),
])  # fmt: skip
def test_a_weak_password_is_refused_next_to_its_field_and_the_link_still_holds(
    official: Client, password: str, message: str
) -> None:
    official.post("/accounts/invite/", {"email": "p@example.org", "name": "Piet Fluit"})
    guest, link = Client(), newest_link("invitation")
    refused = follow(guest, link, password)
    assert message in refused.text
    assert "field--bad" in refused.text
    different = follow(guest, link, NEW, NEW + "x")
    assert "match" in different.text
    assert not User.objects.get(email="p@example.org").is_active
    assert "Your account is open." in follow(guest, link, NEW).text


def test_what_was_typed_stays_with_its_error(official: Client, rina: User) -> None:
    answer = official.post("/accounts/invite/", {"email": "no address", "name": "Piet Fluit"})
    assert 'value="no address"' in answer.text
    assert 'value="Piet Fluit"' in answer.text
    assert 'aria-describedby="id_email_helptext id_email_error"' in answer.text
    answer = official.post("/accounts/invite/", {"email": rina.email, "name": "Piet Fluit"})
    assert "Rina Reader already has an account with this e-mail address." in answer.text
    assert 'value="Piet Fluit"' in answer.text


def test_an_official_s_role_and_federation_are_not_their_to_say(official: Client) -> None:
    data = {"email": "p@example.org", "name": "P", "role": "national_official", "federation": "SEN"}
    official.post("/accounts/invite/", data)
    account = User.objects.get(email="p@example.org")
    assert (account.roles, account.federation_id) == (["referee"], "NED")


def test_the_office_says_both_and_no_role_of_its_own(rina: User) -> None:
    office = client_of(create_user("ruth@example.org", "Ruth", roles=["rating_officer"]))
    data = {"email": "p@example.org", "name": "P", "federation": "SEN"}
    refused = office.post("/accounts/invite/", data | {"role": "rating_officer"})
    assert "“rating_officer” is not offered here." in refused.text
    office.post("/accounts/invite/", data | {"role": "national_official"})
    assert User.objects.get(email="p@example.org").roles == ["national_official"]


def test_the_list_is_a_few_queries_however_long(official: Client, django_assert_num_queries: Any) -> None:
    for turn in range(12):
        official.post("/accounts/invite/", {"email": f"p{turn}@example.org", "name": f"P{turn}"}, follow=True)
    # Session, account, their federation, how many, the page; the band's requests.
    with django_assert_num_queries(6):
        assert official.get("/accounts/").text.count("Resend</button>") == 12


# --- forgotten


def ask(email: str, source: str = HERE) -> Any:
    return Client().post("/account/forgotten/", {"email": email}, follow=True, REMOTE_ADDR=source)


def test_known_or_unknown_the_answer_is_the_same(rina: User) -> None:
    closed = create_user("closed@example.org", "Closed", OLD, is_active=False)
    answers = {
        (answer.text, tuple(answer.redirect_chain), tuple(sorted(answer.headers.items())))
        for email in (rina.email, closed.email, "nobody@example.org", "officer@office.invalid")
        for answer in [ask(email)]
    }
    assert len(answers) == 1
    assert [message.recipient for message in Message.objects.all()] == [rina]


@pytest.mark.parametrize("action", ["ask", "log in"])
def test_known_or_unknown_as_many_passwords_are_hashed(
    rina: User, settings: Any, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """With the office's own hash, next to which everything else takes no time: once, for every address."""
    settings.PASSWORD_HASHERS = ["reporting.accounts.password_strength.PasswordHasher"]
    rina.set_password(OLD)
    rina.save()
    hashed: list[str] = []
    for way in ("encode", "verify"):
        hashing = getattr(Argon2PasswordHasher, way)
        monkeypatch.setattr(
            Argon2PasswordHasher,
            way,
            lambda *message, hashing=hashing: hashed.append("") or hashing(*message),
        )
    for email in (rina.email, "nobody@example.org"):
        hashed.clear()
        if action == "ask":
            ask(email)
        else:
            log_in(Client(), email, "wrong")
        assert len(hashed) == 1, email


def test_after_a_reset_every_session_ends_and_the_old_password_too(rina: User) -> None:
    elsewhere = client_of(rina)
    ask(rina.email)
    done = follow(Client(), newest_link("password_reset"), NEW)
    assert "Password set. Log in with it." in done.text
    assert elsewhere.get("/account/").status_code == 302
    assert not gets_in(rina.email, OLD)
    assert gets_in(rina.email, NEW)


# --- one's own account


def test_one_s_own_account_is_a_click_from_every_page(client: Client, rina: User) -> None:
    assert 'href="/account/"' not in client.get("/login/").text
    client.force_login(rina)
    assert 'href="/account/">Rina Reader</a>' in client.get("/messages/").text
    page = client.get("/account/").text
    for message in ("rina@example.org", "Referee", "Netherlands"):
        assert message in page
    assert "/accounts/" not in page


def test_the_name(client: Client, rina: User) -> None:
    client.force_login(rina)
    assert "required" in client.post("/account/name/", {"name": "  "}).text
    page = client.post("/account/name/", {"name": "Rina <b>Lector"}, follow=True).text
    assert "Rina &lt;b&gt;Lector" in page


def test_the_password_asks_for_the_old_one_and_ends_other_sessions(client: Client, rina: User) -> None:
    elsewhere = Client()
    for browser_of in (client, elsewhere):
        browser_of.force_login(rina)
    data = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    assert "Wrong password." in client.post("/account/password/", data).text
    done = client.post("/account/password/", data | {"oldpassword": OLD}, follow=True)
    assert "Password changed. You have been logged out on all other devices." in done.text
    assert client.get("/account/").status_code == 200, "this session goes on"
    assert elsewhere.get("/account/").status_code == 302
    assert gets_in(rina.email, NEW)


def test_the_address_changes_by_a_link_followed_by_its_owner(client: Client, rina: User) -> None:
    client.force_login(rina)
    an_hour_old(client)
    asked = client.post("/account/email/", {"email": "new@example.org"})
    assert unquote(asked["Location"]) == "/account/confirm/?next=/account/email/"
    assert "Wrong password." in client.post(asked["Location"], {"password": "wrong"}).text
    assert not Message.objects.exists()
    page = client.post(asked["Location"], {"password": OLD}, follow=True).text
    assert "new@example.org" in page, "what was typed before the password was asked for"
    link = newest_link("email_confirm")
    stranger = Client()
    assert stranger.get(link)["Location"].startswith("/login/")
    stranger.force_login(create_user("other@example.org", "Otto Other", OLD))
    assert [stranger.get(link).status_code, stranger.post(link).status_code] == [410, 410]
    assert "The new address is new@example.org." in client.get(link).text
    rina.refresh_from_db()
    assert rina.email == "rina@example.org", "opening it alone changes nothing"
    assert "E-mail address changed." in client.post(link, follow=True).text
    assert gets_in("new@example.org", OLD)
    assert not gets_in("rina@example.org", OLD)
    assert client.get(link).status_code == 410


def test_asking_for_an_address_that_is_taken_looks_the_same(client: Client, rina: User) -> None:
    create_user("taken@example.org", "Otto Other", OLD)
    client.force_login(rina)
    pages = []
    for email in ("taken@example.org", "freee@example.org"):
        answer = client.post("/account/email/", {"email": email}, follow=True)
        pages.append(re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.text).replace(email, ""))
    assert pages[0] == pages[1]
    assert Message.objects.filter(kind="email_confirm").count() == 1


# --- links and who reads them


def test_only_the_demonstration_s_mailbox_shows_a_link(client: Client, rina: User, settings: Any) -> None:
    client.force_login(rina)
    ask(rina.email)
    link = newest_link("password_reset")
    page = client.get("/messages/").text
    assert "A new password was requested for this account." in page
    assert link not in page
    settings.DEMO = True
    assert link in Client().get("/mailbox/").text


# --- how often


def test_the_right_password_begins_again(rina: User) -> None:
    for _ in range(3):
        for _ in range(MAX_ATTEMPTS_PER_ACCOUNT - 1):
            log_in(Client(), rina.email, "wrong")
        assert gets_in(rina.email, OLD)


def test_asking_for_links_has_an_end_whatever_the_address(rina: User) -> None:
    for turn in range(MAX_ATTEMPTS_PER_ACCOUNT):
        assert ask(f"person{turn}@example.org").status_code == 200
    stopped = ask("another@example.org")
    assert (stopped.status_code, too_many_attempts() in stopped.text) == (429, True)
    assert ask(rina.email, ELSEWHERE).status_code == 200


def test_a_thief_of_a_session_does_not_guess_the_password(client: Client, rina: User) -> None:
    client.force_login(rina)
    an_hour_old(client)
    data = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    for _ in range(MAX_ATTEMPTS_PER_ACCOUNT):
        client.post("/account/password/", data)
    stopped = client.post("/account/password/", data | {"oldpassword": OLD})
    assert (stopped.status_code, too_many_attempts() in stopped.text) == (429, True)
    asked = client.post("/account/email/", {"email": "x@example.org"})
    assert too_many_attempts() in client.post(asked["Location"], {"password": OLD}).text
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("behind_proxy", [False, True])
def test_only_what_our_own_proxy_says_names_the_source(rina: User, settings: Any, behind_proxy: bool) -> None:
    settings.BEHIND_PROXY = behind_proxy
    for turn in range(MAX_ATTEMPTS_PER_ACCOUNT):
        data = {"login": rina.email, "password": "wrong"}
        forged = f"10.0.0.{turn}, {HERE}"
        Client().post("/login/", data, REMOTE_ADDR="203.0.113.1", HTTP_X_FORWARDED_FOR=forged)
    data["password"] = OLD
    for last_hop, let_in in ((HERE, False), (ELSEWHERE, behind_proxy)):
        sent_by = {"REMOTE_ADDR": "203.0.113.1", "HTTP_X_FORWARDED_FOR": f"10.9.9.9, {last_hop}"}
        answer = Client().post("/login/", data, **sent_by)
        assert (answer.status_code == 302) is let_in


def test_an_ipv6_subscriber_is_one_source(rina: User) -> None:
    for turn in range(MAX_ATTEMPTS_PER_ACCOUNT):
        log_in(Client(), rina.email, "wrong", f"2001:db8:1:2::{turn:x}")
    assert not gets_in(rina.email, OLD, "2001:db8:1:2:ffff::1")
    assert gets_in(rina.email, OLD, "2001:db8:1:3::1")


def test_without_the_cache_people_still_get_in(
    rina: User, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = "unix:///nowhere/broker.sock"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": nowhere}
    }
    with caplog.at_level(logging.WARNING, "reporting"):
        assert gets_in(rina.email, OLD)
    assert "attempts not counted" in caplog.text
