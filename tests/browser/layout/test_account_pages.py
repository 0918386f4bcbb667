"""The pages of accounts in a real browser: without barrier, on a phone, in the dark, also with a second factor."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import expect

from ratings.models import Webhook
from ratings.publishing.public_changes.webhooks.manage_webhooks import register_webhook, send_test
from reporting.accounts.services.accounts import invite, request_email_change
from reporting.accounts.services.tokens import create_token
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.messages.mail_choices import KEY
from reporting.models import Role, Scope
from tests.browser.conftest import check_page
from tests.people import PASSWORD, create_user, newest_link

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

HALF_MINUTE = 59_999_999  # of the app's codes since 1970: it stands still, the browser may take its time
LONG = "wilhelmina.van-der-heijden-oosterbroek@a-federation-with-a-long-name.example"


@pytest.fixture
def officer(db: None) -> Actor:
    return Actor(
        create_user(
            "officer@example.org",
            "Wilhelmina van der Heijden-Oosterbroek",
            roles=["rating_officer", "national_official"],
            federation_id="NED",
        )
    )


def log_in(page: Any, live_server: Any, email: str, password: str = PASSWORD) -> None:
    page.goto(f"{live_server.url}/login/?next=/account/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/account/")


def webhook_of(owner: Actor) -> Webhook:
    with acting_as(owner.user):
        token = create_token(name="Mirror of the office", scopes=[Scope.WEBHOOKS], days=30, by=owner).token
        webhook = register_webhook(
            url="https://8.8.8.8/a/long/path/of/an/address", token=token, by=owner
        ).webhook
        send_test(number=webhook.pk, by=owner)
    return webhook


def test_no_page_has_a_barrier_and_each_fits(page: Any, live_server: Any, officer: Actor) -> None:
    def look(path: str = "", *, sent: bool = False) -> None:
        if path:
            page.goto(live_server.url + path)
        if sent:
            page.locator("main form").first.evaluate("form => { form.noValidate = true; form.submit() }")
            page.wait_for_selector(".field--bad, .callout--bad")
        check_page(page)

    invite(email=LONG, name="Piet Fluit", role=Role.REFEREE, federation="NED", by=officer)
    look("/account/forgotten/", sent=True)
    # As a screen reader has it: the focus on the summary, its link to the field, the field with its message.
    expect(page.get_by_role("region", name="1 field needs attention")).to_be_focused()
    expect(page.locator("#error-summary")).to_match_aria_snapshot("""
      - region "1 field needs attention":
        - heading "1 field needs attention" [level=2]
        - list:
          - listitem:
            - link "E-mail address"
    """)
    page.get_by_role("link", name="E-mail address").click()
    field = page.get_by_role("textbox", name="E-mail address")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description("Fill this in.")
    look("/account/forgotten/sent/")
    look(newest_link("invitation"), sent=True)
    look(newest_link("invitation").removesuffix("/") + "x/")
    log_in(page, live_server, "officer@example.org")
    request_email_change(email=LONG.replace("wil", "new"), by=officer)
    for path in ("/account/", "/accounts/", "/account/sessions/", "/account/factor/", "/account/confirm/"):
        look(path)
    look("/account/factor/set-up/", sent=True)
    for path in ("/account/close/", "/account/factor/codes/new/", "/account/reset/1-x/"):
        look(path)
    look(f"/account/mails/stop/{KEY.sign(f'{officer.user.pk}-report_late')}/")
    look("/account/tokens/")
    look("/account/webhooks/")  # empty
    webhook = webhook_of(officer)
    for path in ("/account/webhooks/", f"/account/webhooks/{webhook.pk}/"):
        look(path)
    for path in (
        "/account/name/",
        "/account/email/",
        "/account/password/",
        "/accounts/invite/",
        "/account/tokens/new/",
        "/account/webhooks/new/",
    ):
        page.goto(live_server.url + path)  # refused, it shows all it showed before, and what is wrong
        for field in page.locator("main .field__input").all():
            if field.evaluate("field => field.tagName") == "INPUT":
                field.fill("")
        look(sent=True)
    look("/account/mails/")
    look(newest_link("email_confirm"))
    # A link that is used up, and a form that is sent empty.
    answers = ("410 (Gone)", "400 (Bad Request)")
    page.console_errors = [one for one in page.console_errors if not any(text in one for text in answers)]
    assert page.console_errors == []


def test_the_pages_of_the_second_factor_have_no_barrier_and_fit(
    window: Callable[..., Any],
    officer: Actor,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From the first log-in to the office; codes and recovery codes as a person copies them."""
    settings.SECOND_FACTOR_REQUIRED = True
    monkeypatch.setattr(
        "allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: iter([HALF_MINUTE])
    )
    page = window(viewport={"width": 390, "height": 900}, color_scheme="dark")

    def give_password() -> None:
        page.goto("/login/?next=/office/")
        page.get_by_label("E-mail address").fill("officer@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()

    give_password()
    page.get_by_text("Your role requires a second factor").wait_for()
    check_page(page)
    box = page.locator(".qr svg").bounding_box()
    assert box["width"] > 150
    assert box["height"] == pytest.approx(box["width"], abs=1)
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("Code shown by the app").fill(code_of(secret))
    page.get_by_role("button", name="Set up second factor").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()
    check_page(page)
    codes = page.locator(".codes li").all_inner_texts()
    assert len(codes) == 10
    page.goto("/account/factor/")
    page.get_by_text("10 of 10").wait_for()
    check_page(page)
    page.get_by_role("button", name="Log out").click()
    give_password()
    page.get_by_role("heading", name="Second factor").wait_for()
    check_page(page)
    page.get_by_label("Code").fill("nothing")
    page.get_by_role("button", name="Log in", exact=True).click()
    page.locator(".field__message", has_text="Wrong code.").wait_for()
    check_page(page)
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url("**/office/")
    for path in ("/account/factor/remove/", "/account/confirm/code/"):
        page.goto(path)
        check_page(page)
    page.goto("/account/factor/")
    page.get_by_text("9 of 10").wait_for()
    assert page.console_errors == []


def code_of(secret: str) -> str:
    """What the person's app shows."""
    return format_hotp_value(hotp_value(secret, HALF_MINUTE))
