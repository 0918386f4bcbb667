"""Each person chooses which messages also come by mail; a link in a mail stops its kind without log-in."""

from http import HTTPStatus

import pytest
from django.test import Client

from reporting.messages.mail_choices import KEY, mailed_kinds, stop_path
from reporting.messages.notifications import create_message
from reporting.models import MailOptOut, Message, User
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture
def rina(db: None) -> User:
    return create_user("rina@example.org", "Rina Reader", roles=["referee"])


@pytest.fixture
def message(rina: User) -> Message:
    create_message(
        kind="report_late", recipient=rina, about="/reports/7/", title="Late: Open", text="It came late."
    )
    return Message.objects.get()


def test_a_person_chooses_mails_in_the_account_and_still_sees_every_message(
    client: Client, rina: User, message: Message
) -> None:
    client.force_login(rina)
    visitor = Visitor(rina)
    visitor.open("/account/")
    visitor.open_link("Choose mails")
    page = client.get("/account/mails/").text
    assert "rina@example.org" in page
    assert "Late report" in page
    assert "New password requested" not in page, "a mail about security cannot be switched off"
    response = client.post("/account/mails/", {"kinds": ["report_accepted", "list_published"]}, follow=True)
    assert "Choice of mails saved." in response.text
    assert mailed_kinds(rina) == ["report_accepted", "list_published"]
    # No mail at all: a form without a ticked box.
    client.post("/account/mails/", {})
    assert mailed_kinds(rina) == []
    assert "Late: Open" in client.get("/messages/").text


def test_a_kind_that_is_always_mailed_is_not_a_choice(client: Client, rina: User) -> None:
    client.force_login(rina)
    response = client.post("/account/mails/", {"kinds": ["password_reset"]})
    assert "field--bad" in response.text
    assert not MailOptOut.objects.exists()


def test_the_link_in_a_mail_asks_and_stops_the_kind_by_post_without_log_in(
    rina: User, message: Message
) -> None:
    stranger = Client(enforce_csrf_checks=True)
    path = stop_path(message)
    page = stranger.get(path)
    assert "Stop these mails" in page.text
    assert "rina@example.org" not in page.text, "the mail may have been forwarded"
    assert not MailOptOut.objects.exists(), "a program that opens links changes nothing"
    for _ in range(2):  # what a mail program posts (RFC 8058), and once more
        response = stranger.post(path, {"List-Unsubscribe": "One-Click"})
        assert response.status_code == HTTPStatus.OK
        assert "You no longer get mails" in response.text
    assert MailOptOut.objects.get().kind == "report_late"
    assert "list_published" in mailed_kinds(rina)


@pytest.mark.parametrize("changed", ["kind", "account", "security"])
def test_a_changed_link_is_not_valid(client: Client, message: Message, changed: str) -> None:
    number = message.recipient_id
    key = {
        "kind": KEY.sign(f"{number}-report_late").replace("report_late", "report_accepted"),
        "account": KEY.sign(f"{number}-report_late").replace(f"{number}-", f"{number}1-"),
        "security": KEY.sign(f"{number}-password_reset"),
    }[changed]
    for response in (client.get(f"/account/mails/stop/{key}/"), client.post(f"/account/mails/stop/{key}/")):
        assert response.status_code == HTTPStatus.NOT_FOUND
    assert not MailOptOut.objects.exists()
