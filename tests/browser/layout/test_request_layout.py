"""The pages of a request in a real browser: accessible, and they fit every screen."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from ratings.queries.published_values import find_figure
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
    return create_user("rina@example.org", "Rina Officer", roles=[Role.RATING_OFFICER])


def fill_in(page: Any) -> None:
    page.get_by_label("Error").fill("Round 4 was 2-0, not 1-1: I have the score sheet.")
    page.get_by_label("Correct value").fill("2-0 for Rafael Laranjal")
    page.get_by_label("Your name").fill("Vera Visitor")
    page.get_by_label("Your e-mail address").fill("vera@example.org")


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
        asked=found[2], outcome=RequestEntry.Outcome.UNCHANGED, basis="R21", text="The register has it so.", by=by,
        looked_at=found[2].waiting_since,
    )  # fmt: skip
    return found


def test_every_page_is_accessible_and_fits(
    window: Callable[..., Any], officer: User, requests_of_every_state: list[CorrectionRequest]
) -> None:
    page, office_page = window(), window(officer)
    public = [
        CHANGE,
        RESULTS,
        *(request_path(asked.pk) for asked in requests_of_every_state),
        request_path(requests_of_every_state[0].pk, by_mail=True),
    ]
    office = [
        "/office/requests/",
        "/office/requests/?state=closed",
        *(f"/office/requests/{asked.pk}/" for asked in requests_of_every_state),
    ]
    for path in public:
        page.goto(path)
        check_page(page)
    for path in office:
        office_page.goto(path)
        check_page(office_page)
    assert office_page.console_errors == []
    page.goto(CHANGE)
    fill_in(page)
    page.get_by_role("button", name="Send request").click()
    expect(page.get_by_role("region", name="1 field needs attention")).to_contain_text("That was very quick.")
    expect(page.get_by_label("Your name")).to_have_value("Vera Visitor")
    check_page(page)
    assert [each for each in page.console_errors if "400" not in each] == []
