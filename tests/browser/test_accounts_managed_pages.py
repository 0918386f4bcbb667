"""An account's page, its forms, the log and the first steps in a real browser; an account closed and opened again."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting.accounts.services.accounts import change_name, invite
from reporting.log.audit import Actor
from reporting.messages.one_time_links import message_link
from reporting.models import Federation, Message, Role, User
from tests.browser.conftest import check_page
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

PASSWORD = "long-enough-for-all"  # noqa: S105
LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def ada(db: None) -> User:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    return create_user("ada@example.org", "Ada Minister", PASSWORD, roles=[Role.ADMINISTRATOR])


@pytest.fixture
def wilhelmina(ada: User) -> User:
    name = "Wilhelmina van der Heijden-Oosterbroek"
    account = create_user(LONG, name, PASSWORD, roles=[Role.REFEREE], federation_id="NED")
    change_name(name=f"{name} the Second", by=Actor(account))
    return account


def log_in(page: Any, email: str, password: str = PASSWORD) -> None:
    page.goto("/login/?next=/account/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/account/")


def test_no_page_has_a_barrier_and_each_fits(window: Callable[..., Any], ada: User, wilhelmina: User) -> None:
    page = window()

    def look(path: str) -> None:
        if path:
            page.goto(path)
        check_page(page)

    look("/")  # what to do first
    log_in(page, ada.email)
    invited = invite(
        email="p@example.org", name="Piet", role=Role.RATING_OFFICER, federation="", by=Actor(ada)
    )
    of = f"/accounts/{wilhelmina.pk}/"
    for path in (
        "/accounts/", "/accounts/?words=nobody", "/accounts/security/",
        "/accounts/security/?words=nobody", of, f"/accounts/{invited.account_id}/", f"/accounts/{ada.pk}/",
        "/office/", "/office/log/", "/office/log/?words=nobody&since=1999-01-01",
    ):  # fmt: skip
        look(path)
    for path in (f"{of}close/", f"{of}roles/"):
        look(path)
        page.locator("main form").first.evaluate("form => { form.noValidate = true; form.submit() }")
        page.wait_for_selector(".field--bad")
        look("")
    page.console_errors = [error for error in page.console_errors if "400 (Bad Request)" not in error]
    assert page.console_errors == []


def test_an_account_is_closed_opened_again_and_used_with_a_new_password(
    window: Callable[..., Any], ada: User, wilhelmina: User
) -> None:
    page, ruth_window = window(), window()
    log_in(ruth_window, LONG)
    log_in(page, ada.email)
    page.get_by_role("link", name="Accounts and invitations").click()
    page.get_by_label("Name or e-mail address").fill("wilhelmina")
    page.get_by_role("button", name="Filter accounts").click()
    page.get_by_role("link", name="Wilhelmina").click()
    page.get_by_role("link", name="Close account").click()
    page.get_by_label("Reason").fill("Left the federation")
    page.get_by_role("button", name="Close account").click()
    page.get_by_text("closed and logged out on all devices").wait_for()
    ruth_window.goto("/account/")
    ruth_window.wait_for_url("**/login/?next=/account/")

    page.get_by_role("link", name="Reopen account").click()
    page.get_by_label("Reason").fill("Back again")
    page.get_by_role("button", name="Reopen account").click()
    page.get_by_text("reopened. Its owner sets").wait_for()

    ruth_window.get_by_role("link", name="Forgot your password?").click()
    ruth_window.get_by_label("E-mail address").fill(LONG)
    ruth_window.get_by_role("button", name="Send link").click()
    ruth_window.get_by_role("heading", name="Check your e-mail").wait_for()
    ruth_window.goto(message_link(Message.objects.get(kind="password_reset")))
    ruth_window.get_by_label("New password", exact=True).fill("a-board-of-ten-by-ten")
    ruth_window.get_by_label("New password again").fill("a-board-of-ten-by-ten")
    ruth_window.get_by_role("button", name="Set password").click()
    ruth_window.get_by_text("Password set. Log in with it.").wait_for()
    log_in(ruth_window, LONG, "a-board-of-ten-by-ten")
    ruth_window.get_by_role("link", name="Messages").click()
    for shown in (
        "Your account was closed",
        "Left the federation",
        "Your account was reopened",
        "Back again",
    ):
        ruth_window.get_by_text(shown).first.wait_for()

    page.get_by_role("link", name="Changes to this account").click()
    for shown in ("Account reopened", "Account closed", "Left the federation", "Ada Minister"):
        page.get_by_role("list").get_by_text(shown).first.wait_for()
    assert page.console_errors == ruth_window.console_errors == []
