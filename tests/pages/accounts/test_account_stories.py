"""Accounts from mail to log-in, by the links and forms of the pages; an account closed and opened again."""

from http import HTTPStatus

import pytest

from reporting.accounts.services.accounts import change_name
from reporting.log.audit import Actor
from reporting.models import Message, Role, User
from tests.people import create_user, newest_link
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def officer(db: None) -> User:
    name = "Wilhelmina van der Heijden-Oosterbroek"
    return create_user("officer@example.org", name, roles=[Role.RATING_OFFICER], federation_id="NED")


@pytest.fixture
def ada(db: None) -> User:
    return create_user("ada@example.org", "Ada Minister", roles=[Role.ADMINISTRATOR], federation_id="NED")


def set_password(page: Visitor, link: str, password: str) -> None:
    page.open(link)
    assert link not in page.response.content.decode(), "what is left open does not hold the token"
    page.fill("New password", password, exact=True)
    page.fill("New password again", password)
    page.press("Set password")


def test_from_an_invitation_and_a_forgotten_password_to_one_s_account(officer: User) -> None:
    page = Visitor()
    page.log_in(officer.email, then="/account/")
    assert page.address == "/account/"
    page.open_link("Accounts and invitations")
    page.open_link("Invite person")
    page.fill("E-mail address", "piet@example.org")
    page.fill("Name", "Piet Fluit")
    page.choose("Role", "Referee")
    page.choose("Federation", "NED")
    page.press("Send invitation")
    assert "Invitation for Piet Fluit sent to piet@example.org." in page.text
    assert "Invited" in page.text
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
        link = newest_link(kind)
        set_password(page, link, f"{kind}-of-ten-by-ten")
        assert words in page.text
        page.open(link, status=HTTPStatus.GONE)
        assert "Link no longer valid" in page.text
        page.log_in("piet@example.org", f"{kind}-of-ten-by-ten", then="/account/")
        assert page.address == "/account/"
        assert "Piet Fluit" in page.texts(".//h1")


def test_an_account_is_closed_opened_again_and_used_with_a_new_password(ada: User) -> None:
    name = "Wilhelmina van der Heijden-Oosterbroek"
    account = create_user(LONG, name, roles=[Role.REFEREE], federation_id="NED")
    change_name(name=f"{name} the Second", by=Actor(account))
    page, hers = Visitor(), Visitor()
    hers.log_in(LONG, then="/account/")
    assert hers.address == "/account/"
    page.log_in(ada.email, then="/account/")
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
    set_password(hers, newest_link("password_reset"), "a-board-of-ten-by-ten")
    assert "Password set. Log in with it." in hers.text
    hers.log_in(LONG, "a-board-of-ten-by-ten", then="/account/")
    assert hers.address == "/account/"
    hers.open_link("Messages")
    for words in (
        "Your account was closed", "Left the federation", "Your account was reopened", "Back again",
    ):  # fmt: skip
        assert words in hers.text

    page.open_link("Changes to this account")
    lists = " ".join(page.texts(".//main//ol") + page.texts(".//main//ul"))
    for words in ("Account reopened", "Account closed", "Left the federation", "Ada Minister"):
        assert words in lists
