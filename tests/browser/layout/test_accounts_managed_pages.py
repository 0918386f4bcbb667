"""An account's page, its forms, the log and the first steps in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting.accounts.services.accounts import change_name, invite
from reporting.log.audit import Actor
from reporting.models import Role, User
from tests.browser.conftest import check_page
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def ada(db: None) -> User:
    return create_user("ada@example.org", "Ada Minister", roles=[Role.ADMINISTRATOR])


@pytest.fixture
def wilhelmina(ada: User) -> User:
    name = "Wilhelmina van der Heijden-Oosterbroek"
    account = create_user(LONG, name, roles=[Role.REFEREE], federation_id="NED")
    change_name(name=f"{name} the Second", by=Actor(account))
    return account


def test_no_page_has_a_barrier_and_each_fits(window: Callable[..., Any], ada: User, wilhelmina: User) -> None:
    stranger, page = window(), window(ada)

    def look(path: str) -> None:
        if path:
            page.goto(path)
        check_page(page)

    stranger.goto("/")  # what to do first
    check_page(stranger)
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
    for path in (f"{of}close/", f"{of}roles/", f"{of}reopen/", f"{of}factor/"):
        page.goto(path)  # refused, it shows all it showed before, and what is wrong
        page.locator("main form").first.evaluate("form => { form.noValidate = true; form.submit() }")
        page.wait_for_selector(".field--bad")
        look("")
    page.console_errors = [error for error in page.console_errors if "400 (Bad Request)" not in error]
    assert page.console_errors == stranger.console_errors == []
