"""A request by the links and forms of the pages: a visitor reports an error, the office asks and answers."""

import re
from typing import Any

import pytest
from django.utils import timezone

from ratings.published.views.requests import OPENED_AT_SIGNER
from reporting.models import CorrectionRequest, Role, User
from tests.people import create_user
from tests.visitor import Visitor, text_of

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip


@pytest.fixture
def officer(settings: Any) -> User:
    settings.DEMO = True
    return create_user("rina@example.org", "Rina Officer", roles=[Role.RATING_OFFICER])


def mails(page: Visitor) -> list[Any]:
    return [each for each in page.page.iter("li") if "message" in each.get("class", "").split()]


def report_error(visitor: Visitor) -> None:
    visitor.open("/players/13368/")
    visitor.open_link("Report an error in the change", nth=0)
    assert visitor.texts(".//h1") == ["Rating change by a tournament"]
    assert "+0.5702: 12 of 14 points in 7 games" in visitor.text

    visitor.fill("Error", "Round 4 was 2-0, not 1-1: I have the score sheet.")
    visitor.fill("Correct value", "2-0 for Rafael Laranjal")
    visitor.fill("Your name", "Vera Visitor")
    visitor.fill("Your e-mail address", "vera@example.org")
    # A person needs three seconds: as if the form had been opened so long ago.
    opened = next(each for each in visitor.page.iter("input") if each.get("name") == "opened")
    opened.set("value", OPENED_AT_SIGNER.sign(str(int(timezone.now().timestamp()) - 3)))
    visitor.press("Send request")
    assert re.search("Request [0-9]+", visitor.texts(".//h1")[0])


def ask(office: Visitor, officer: User) -> None:
    office.log_in(officer.email, then="/office/requests/")
    assert office.texts(".//h1") == ["Requests from the public"]
    assert len(office.links("Requests (1)")) == 1
    office.open_link("Rating change by a tournament: Brasilino, Leandro; Campinas Winter Open")
    assert "This figure has not changed: list of 1 Oct 2026, revision 1." in office.text
    assert "vera@example.org, not confirmed" in office.text
    office.press("Take request")
    office.fill("Question", "Who else signed the score sheet?")
    office.press("Send question")
    assert "Question sent. The visitor gets a mail." in office.text


def test_a_visitor_reports_an_error_and_gets_an_answer(officer: User) -> None:
    visitor, office = Visitor(), Visitor()
    report_error(visitor)
    number = CorrectionRequest.objects.get().pk
    seen_first = visitor.address
    ask(office, officer)

    # The visitor opens the link in the mail, which can confirm the address.
    visitor.open("/mailbox/")
    (mail,) = (each for each in mails(visitor) if "Who else signed the score sheet?" in text_of(each))
    assert "To Vera Visitor, vera@example.org" in text_of(mail)
    visitor.open_link("Open request", within=mail)
    assert visitor.address != seen_first
    assert "Waiting for your reply" in visitor.text
    visitor.press("Confirm request")
    visitor.fill("Reply", "The referee did.", exact=True)
    visitor.press("Send reply")

    office.open(f"/office/requests/{number}/")
    assert "The referee did." in office.text
    assert "vera@example.org, confirmed" in office.text
    office.check("Not changed")
    office.fill("Text of the answer", "The report of the referee has 1-1, signed by both.")
    office.press("Send answer", status=409)
    assert "Name the article or ruling for this." in office.text
    assert office.value("Text of the answer") == "The report of the referee has 1-1, signed by both."
    office.fill("Grounds", "Annex 9 art. 4.1; R23")
    office.press("Send answer")
    assert "The request is answered. The visitor can reopen it once" in office.text

    visitor.open("/mailbox/")
    mail = mails(visitor)[0]
    assert f"Request {number}: not changed" in text_of(mail)
    assert "Not changed: Annex 9 art. 4.1; R23" in text_of(mail)
    for address in (seen_first, visitor.link("Open request", within=mail).attrib["href"]):
        visitor.open(address)
        assert "The report of the referee has 1-1, signed by both." in visitor.text
        assert len(visitor.buttons("Reopen request")) == 1
