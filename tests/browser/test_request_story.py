"""A request from start to end in a real browser: a visitor reports an error, the office asks, the visitor replies, the
office answers. It works without script; every page is accessible and fits every screen.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from ratings.published.selectors.published_figures import find_figure
from reporting.log.audit import Actor
from reporting.messages.request_links import request_path
from reporting.models import CorrectionRequest, RequestEntry, Role, User
from reporting.requests.services import answer_request, ask_visitor, send_request
from tests.browser.conftest import check_page
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

CHANGE = "/requests/new/?about=change:fmjd-100:2026-10-01:1:2026-campinas-winter-open:13368"
RESULTS = "/requests/new/?about=results:fmjd-100:2026-10-01:1:2026-campinas-winter-open:13368"


@pytest.fixture
def officer(settings: Any) -> User:
    settings.DEMO = True
    return create_user("rina@example.org", "Rina Officer", "long-enough-for-all", roles=[Role.RATING_OFFICER])


def log_in(page: Any, person: User) -> None:
    page.goto("/login/?next=/office/requests/")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password").fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Requests from the public")


def fill_in(page: Any) -> None:
    page.get_by_label("Error").fill("Round 4 was 2-0, not 1-1: I have the score sheet.")
    page.get_by_label("Correct value").fill("2-0 for Rafael Laranjal")
    page.get_by_label("Your name").fill("Vera Visitor")
    page.get_by_label("Your e-mail address").fill("vera@example.org")


def test_a_visitor_reports_an_error_and_gets_an_answer(window: Callable[..., Any], officer: User) -> None:
    visitor = window(java_script_enabled=False)
    visitor.goto("/players/13368/")
    visitor.get_by_role("link", name="Report an error in the change").first.click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Rating change by a tournament")
    expect(visitor.get_by_text("+0.5702: 12 of 14 points in 7 games")).to_be_visible()

    fill_in(visitor)
    visitor.wait_for_timeout(3_000)  # a person needs longer
    visitor.get_by_role("button", name="Send request").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text(re.compile("Request [0-9]+"))
    number = CorrectionRequest.objects.get().pk
    seen_first = visitor.url

    officer_window = window(java_script_enabled=False)
    log_in(officer_window, officer)
    expect(officer_window.get_by_role("link", name="Requests (1)")).to_be_visible()
    officer_window.get_by_role(
        "link", name="Rating change by a tournament: Brasilino, Leandro; Campinas Winter Open"
    ).click()
    expect(
        officer_window.get_by_text("This figure has not changed: list of 1 Oct 2026, revision 1.")
    ).to_be_visible()
    expect(officer_window.get_by_text("vera@example.org, not confirmed")).to_be_visible()
    officer_window.get_by_role("button", name="Take request").click()
    officer_window.get_by_label("Question").fill("Who else signed the score sheet?")
    officer_window.get_by_role("button", name="Send question").click()
    expect(officer_window.get_by_text("Question sent. The visitor gets a mail.")).to_be_visible()

    # The visitor opens the link in the mail, which can confirm the address.
    visitor.goto("/mailbox/")
    mail = visitor.locator(".message").filter(has_text="Who else signed the score sheet?")
    expect(mail).to_contain_text("To Vera Visitor, vera@example.org")
    mail.get_by_role("link", name="Open request").click()
    assert visitor.url != seen_first
    expect(visitor.get_by_text("Waiting for your reply")).to_be_visible()
    visitor.get_by_role("button", name="Confirm request").click()
    visitor.get_by_label("Reply", exact=True).fill("The referee did.")
    visitor.get_by_role("button", name="Send reply").click()

    officer_window.goto(f"/office/requests/{number}/")
    expect(officer_window.get_by_text("The referee did.")).to_be_visible()
    expect(officer_window.get_by_text("vera@example.org, confirmed")).to_be_visible()
    officer_window.get_by_role("radio", name=re.compile("Not changed")).check()
    officer_window.get_by_label("Text of the answer").fill(
        "The report of the referee has 1-1, signed by both."
    )
    officer_window.get_by_role("button", name="Send answer").click()
    expect(officer_window.get_by_text("Name the article or ruling for this.")).to_be_visible()
    expect(officer_window.get_by_label("Text of the answer")).to_have_value(
        "The report of the referee has 1-1, signed by both."
    )
    officer_window.get_by_label("Grounds").fill("Annex 9 art. 4.1; R23")
    officer_window.get_by_role("button", name="Send answer").click()
    expect(
        officer_window.get_by_text("The request is answered. The visitor can reopen it once")
    ).to_be_visible()

    visitor.goto("/mailbox/")
    mail = visitor.locator(".message").first
    expect(mail).to_contain_text(f"Request {number}: not changed")
    expect(mail).to_contain_text("Not changed: Annex 9 art. 4.1; R23")
    for address in (seen_first, mail.get_by_role("link", name="Open request").get_attribute("href")):
        visitor.goto(address)
        expect(visitor.get_by_text("The report of the referee has 1-1, signed by both.")).to_be_visible()
        expect(visitor.get_by_role("button", name="Reopen request")).to_be_visible()
    assert visitor.console_errors == []
    assert [
        error for error in officer_window.console_errors if "409" not in error
    ] == []  # the answer without an article


@pytest.fixture
def requests_of_every_state(officer: User) -> list[CorrectionRequest]:
    found = []
    for number, reference in enumerate(
        (
            "change:fmjd-100:2026-10-01:1:2026-campinas-winter-open:13368",
            "result:fmjd-100:2026-10-01:1:2026-campinas-winter-open:13368:4",
            "person:fmjd-100:2026-10-01:1:13368",
        )
    ):
        found.append(
            send_request(
                doubted=find_figure(reference),
                error_description="Championnat-International-de-la-Ville-de-Ouagadougou-et-de-sa-Région is wrong.",
                proposed_value="2-0",
                evidence="https://a-federation-with-a-long-name.example/results/2026/campinas-winter-open/round-4",
                name="Vera Visitor",
                email=f"vera{number}@example.org",
            )
        )
    by = Actor(officer)
    ask_visitor(asked=found[1], question="Who else signed it?", by=by, looked_at=found[1].waiting_since)
    answer_request(
        asked=found[2],
        outcome=RequestEntry.Outcome.UNCHANGED,
        basis="R21",
        text="The register has it so.",
        by=by,
        looked_at=found[2].waiting_since,
    )
    return found


def test_every_page_is_accessible_and_fits(
    window: Callable[..., Any], officer: User, requests_of_every_state: list[CorrectionRequest]
) -> None:
    page = window()
    public = [
        CHANGE,
        RESULTS,
        *(request_path(asked.pk) for asked in requests_of_every_state),
        request_path(requests_of_every_state[0].pk, by_mail=True),
        "/players/13368/",
        "/tournaments/2026-campinas-winter-open/",
    ]
    office = [
        "/office/requests/",
        "/office/requests/?state=closed",
        *(f"/office/requests/{asked.pk}/" for asked in requests_of_every_state),
    ]
    for path in (*public, *office):
        if path == office[0]:
            log_in(page, officer)
        page.goto(path)
        check_page(page)
    page.goto(CHANGE)
    fill_in(page)
    page.get_by_role("button", name="Send request").click()
    expect(page.get_by_role("alert")).to_contain_text("That was very quick.")
    expect(page.get_by_label("Your name")).to_have_value("Vera Visitor")
    check_page(page)
    assert [error for error in page.console_errors if "400" not in error] == []
