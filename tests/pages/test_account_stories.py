"""Accounts from mail to log-in, by the links and forms of the pages; an account closed and opened again."""

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from reporting.accounts.services.accounts import change_name
from reporting.log.audit import Actor
from reporting.models import Federation, Message, Role, User
from tests.people import create_user, newest_link
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

PASSWORD = "long-enough-for-all"  # noqa: S105
HALF_MINUTE = 59_999_999  # of the app's codes, counted from 1970: it does not pass during the test
LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def officer(db: None) -> User:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    return create_user(
        "officer@example.org", "Wilhelmina van der Heijden-Oosterbroek", PASSWORD, roles=[Role.RATING_OFFICER]
    )


@pytest.fixture
def ada(db: None) -> User:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    return create_user("ada@example.org", "Ada Minister", PASSWORD, roles=[Role.ADMINISTRATOR])


def log_in(page: Visitor, email: str, password: str = PASSWORD, *, then: str = "/account/") -> None:
    page.open(f"/login/?next={then}")
    page.fill("E-mail address", email)
    page.fill("Password", password)
    page.press("Log in")


def set_password(page: Visitor, kind: str, password: str) -> None:
    page.open(newest_link(kind))
    page.fill("New password", password, exact=True)
    page.fill("New password again", password)
    page.press("Set password")


def test_from_an_invitation_and_a_forgotten_password_to_one_s_account(officer: User) -> None:
    page = Visitor()
    log_in(page, officer.email)
    assert page.address == "/account/"
    page.open_link("Accounts and invitations")
    page.open_link("Invite person")
    page.fill("E-mail address", "piet@example.org")
    page.fill("Name", "Piet Fluit")
    page.choose("Role", "Referee")
    page.choose("Federation", "NED")
    page.press("Send invitation")
    assert "Invitation for Piet Fluit sent" in page.text
    page.press("Log out", nth=0)
    for kind, words in (
        ("invitation", "Your account is open."),
        ("password_reset", "Password set. Log in with it."),
    ):
        if kind == "password_reset":
            page.press("Log out", nth=0)
            page.open("/login/")
            page.open_link("Forgot your password?")
            page.fill("E-mail address", "piet@example.org")
            page.press("Send link")
            assert "Check your e-mail" in page.texts(".//h1")
        set_password(page, kind, f"{kind}-of-ten-by-ten")
        assert words in page.text
        log_in(page, "piet@example.org", f"{kind}-of-ten-by-ten")
        assert page.address == "/account/"
        assert "Piet Fluit" in page.texts(".//h1")


def test_an_officer_sets_up_the_second_factor_and_uses_it(
    officer: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first log-in to the office; codes and recovery codes as a person copies them."""
    settings.SECOND_FACTOR_REQUIRED = True
    monkeypatch.setattr(
        "allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: iter([HALF_MINUTE])
    )
    page = Visitor()
    log_in(page, officer.email, then="/office/")
    assert "Your role requires a second factor" in page.text
    assert page.texts(".//*[@class='qr']/svg") != []
    secret = page.texts(".//*[@id='secret']")[0].replace(" ", "")
    page.fill("Code shown by the app", format_hotp_value(hotp_value(secret, HALF_MINUTE)))
    page.press("Set up second factor")
    assert "Recovery codes" in page.texts(".//h1")
    codes = page.texts(".//*[@class='codes']/li")
    assert len(codes) == 10
    page.open("/account/factor/")
    assert "10 of 10" in page.text
    page.press("Log out", nth=0)
    log_in(page, officer.email, then="/office/")
    assert "Second factor" in page.texts(".//h1")
    page.fill("Code", "nothing")
    page.press("Log in", exact=True)
    assert "Wrong code." in page.text
    page.fill("Code", codes[0])
    page.press("Log in", exact=True)
    assert page.address == "/office/"
    page.open("/account/factor/")
    assert "9 of 10" in page.text


def test_an_account_is_closed_opened_again_and_used_with_a_new_password(ada: User) -> None:
    name = "Wilhelmina van der Heijden-Oosterbroek"
    account = create_user(LONG, name, PASSWORD, roles=[Role.REFEREE], federation_id="NED")
    change_name(name=f"{name} the Second", by=Actor(account))
    page, hers = Visitor(), Visitor()
    log_in(hers, LONG)
    assert hers.address == "/account/"
    log_in(page, ada.email)
    page.open_link("Accounts and invitations")
    page.fill("Name or e-mail address", "wilhelmina")
    page.press("Filter accounts")
    page.open_link("Wilhelmina")
    page.open_link("Close account")
    page.fill("Reason", "Left the federation")
    page.press("Close account")
    assert "closed and logged out on all devices" in page.text
    hers.open("/account/")
    assert hers.address == "/login/?next=/account/"

    page.open_link("Reopen account")
    page.fill("Reason", "Back again")
    page.press("Reopen account")
    assert "reopened. Its owner sets" in page.text

    hers.open_link("Forgot your password?")
    hers.fill("E-mail address", LONG)
    hers.press("Send link")
    assert "Check your e-mail" in hers.texts(".//h1")
    assert Message.objects.filter(kind="password_reset").count() == 1
    set_password(hers, "password_reset", "a-board-of-ten-by-ten")
    assert "Password set. Log in with it." in hers.text
    log_in(hers, LONG, "a-board-of-ten-by-ten")
    assert hers.address == "/account/"
    hers.open_link("Messages")
    for words in (
        "Your account was closed",
        "Left the federation",
        "Your account was reopened",
        "Back again",
    ):
        assert words in hers.text

    page.open_link("Changes to this account")
    lists = " ".join(page.texts(".//main//ol") + page.texts(".//main//ul"))
    for words in ("Account reopened", "Account closed", "Left the federation", "Ada Minister"):
        assert words in lists
