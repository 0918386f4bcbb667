"""The pages of accounts in a real browser: without barrier, on a phone, in the dark, and from mail to log-in."""

from typing import Any

import pytest

from reporting.models import Federation, Message, Role, User
from reporting.services.accounts import ask_for_email, invite
from reporting.services.audit import Actor
from reporting.services.one_time_links import link_of
from tests.browser.conftest import examine

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("no_attempts_before"),
]

PASSWORD = "long-enough-for-all"  # noqa: S105
LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def officer(db: None) -> Actor:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    return Actor(
        User.objects.create_user(
            "officer@example.org",
            "Wilhelmina van der Heijden-Oosterbroek",
            PASSWORD,
            roles=["rating_officer"],
        )
    )


def newest_link(kind: str) -> str:
    return link_of(Message.objects.filter(kind=kind).latest("pk"))


def log_in(page: Any, live_server: Any, email: str, password: str = PASSWORD) -> None:
    page.goto(f"{live_server.url}/login/?next=/account/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/account/")


def test_no_page_has_a_barrier_and_each_fits(page: Any, live_server: Any, officer: Actor) -> None:
    def look(path: str = "", *, sent: bool = False) -> None:
        if path:
            page.goto(live_server.url + path)
        if sent:
            page.locator("main form").first.evaluate("form => { form.noValidate = true; form.submit() }")
            page.wait_for_selector(".field--bad, .callout--bad")
        examine(page)

    invite(email=LONG, name="Piet Fluit", role=Role.REFEREE, federation="NED", by=officer)
    look("/account/forgotten/", sent=True)
    look("/account/forgotten/sent/")
    look(newest_link("invitation"), sent=True)
    look(newest_link("invitation").removesuffix("/") + "x/")
    log_in(page, live_server, "officer@example.org")
    ask_for_email(email=LONG.replace("wil", "new"), by=officer)
    for path in ("/account/", "/accounts/"):
        look(path)
    for path in ("/account/name/", "/account/email/", "/account/password/", "/accounts/invite/"):
        look(path)
        for field in page.locator("main .field__input").all():
            if field.evaluate("field => field.tagName") == "INPUT":
                field.fill("")
        look(sent=True)
    look(newest_link("email_confirm"))
    page.troubles = [each for each in page.troubles if "410 (Gone)" not in each]
    assert page.troubles == []


def test_from_an_invitation_and_a_forgotten_password_to_one_s_account(
    page: Any, live_server: Any, officer: Actor
) -> None:
    log_in(page, live_server, "officer@example.org")
    page.get_by_role("link", name="Accounts and invitations").click()
    page.get_by_role("link", name="Invite a person").click()
    page.get_by_label("E-mail address").fill("piet@example.org")
    page.get_by_label("Name").fill("Piet Fluit")
    page.get_by_label("Role").select_option("Referee")
    page.get_by_label("Federation").select_option("NED")
    page.get_by_role("button", name="Send the invitation").click()
    page.get_by_text("Piet Fluit is invited").wait_for()
    page.get_by_role("button", name="Log out").click()
    for kind, words in (
        ("invitation", "Your account is open."),
        ("password_asked", "Your new password is set."),
    ):
        if kind == "password_asked":
            page.get_by_role("button", name="Log out").click()
            page.goto(f"{live_server.url}/login/")
            page.get_by_role("link", name="Forgotten your password?").click()
            page.get_by_label("E-mail address").fill("piet@example.org")
            page.get_by_role("button", name="Send the link").click()
            page.get_by_role("heading", name="Look into your mail").wait_for()
        page.goto(live_server.url + newest_link(kind))
        page.get_by_label("New password", exact=True).fill(f"{kind}-of-ten-by-ten")
        page.get_by_label("The new password again").fill(f"{kind}-of-ten-by-ten")
        page.get_by_role("button", name="Set the password").click()
        page.get_by_text(words).wait_for()
        log_in(page, live_server, "piet@example.org", f"{kind}-of-ten-by-ten")
        page.get_by_role("heading", name="Piet Fluit").wait_for()
    assert page.troubles == []
