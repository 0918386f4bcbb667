"""A person's own messages, and the demonstration's mailbox of all accounts."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from reporting.messages.kinds import message_kind, message_kinds
from reporting.messages.notifications import create_message
from reporting.messages.one_time_links import LINKS as ONE_TIME
from reporting.messages.selectors import MESSAGES_PER_PAGE
from reporting.models import Message, User
from tests.pages.markup import tight
from tests.people import create_user
from tests.visitor import Visitor, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"


@pytest.fixture
def rina(db: None) -> User:
    return create_user("rina@example.org", "Rina Reader", roles=["referee"])


@pytest.fixture
def other(db: None) -> User:
    return create_user("other@example.org", "Otto Other", roles=["referee"])


def tell(recipient: User, title: str, *, about: str = "/reports/7/", kind: str = "report_late") -> None:
    words = f"Words of {title}.\n\nMore words."
    create_message(kind=kind, recipient=recipient, about=about, title=title, text=words)


def test_everybody_reads_their_own_newest_first(client: Client, rina: User, other: User) -> None:
    tell(rina, "First")
    tell(other, "Of another")
    tell(rina, "Second", kind="report_accepted")
    client.force_login(rina)
    page = client.get("/messages/").text
    assert page.index("Second") < page.index("First")
    assert "Of another" not in page
    for words in ("<p>Words of First.</p>", "<p>More words.</p>", "Report accepted", "Late report"):
        assert words in page, words
    assert "other@example.org" not in page


def test_before_the_first_message_the_page_says_what_will_come(client: Client, rina: User) -> None:
    client.force_login(rina)
    page = client.get("/messages/").text
    assert "No messages yet." in page
    assert "when a report of yours is accepted" in page
    assert "/mailbox/" not in page


def test_a_message_leads_only_to_a_page_that_is_there(client: Client, rina: User) -> None:
    tell(rina, "Published", kind="list_published", about=LIST)
    tell(rina, "Nowhere", about="/nowhere/7/")
    client.force_login(rina)
    page = client.get("/messages/").text
    assert f'<a href="{LIST}">Open list</a>' in page
    assert "/nowhere/7/" not in page


@pytest.mark.usefixtures("season_shared")
def test_from_any_page_to_one_s_messages_and_on_to_the_list(rina: User) -> None:
    tell(rina, "Late: Gouda Open")
    tell(rina, "In the next list: Gouda Open", kind="report_next_list", about="/reports/8/")
    tell(rina, "Accepted: Gouda Open", kind="report_accepted", about="/reports/8/")
    tell(rina, "Published: 1 Oct 2026", kind="list_published", about=LIST)
    page = Visitor(rina)
    page.open("/players/")
    page.open_link("Messages")
    current = [each for each in page.links() if each.get("aria-current") == "page"]
    assert [text_of(each) for each in current if "masthead__link" in each.get("class", "")] == ["Messages"]
    assert page.texts(".//h2") == [
        "Published: 1 Oct 2026", "Accepted: Gouda Open", "In the next list: Gouda Open", "Late: Gouda Open",
    ]  # fmt: skip
    page.open_link("Open list")
    assert page.address == LIST


def test_every_kind_has_its_words_its_tone_and_its_link(client: Client, rina: User) -> None:
    """Also where the address names an act on the thing: `/reports/7/#act-345`."""
    for number, kind in enumerate(message_kinds()):
        tell(rina, f"Kind {number}", kind=kind, about=f"{LIST}#act-{number}")
    client.force_login(rina)
    page = client.get("/messages/").text
    assert set(Message.Kind) < set(message_kinds())
    for number, kind in enumerate(message_kinds()):
        assert str(message_kind(kind).label) in page
        if kind in ONE_TIME:
            continue  # their link is in the mail alone
        assert f'<a href="{LIST}#act-{number}">{message_kind(kind).link}</a>' in page


def test_what_a_tournament_is_called_comes_as_text(client: Client, rina: User) -> None:
    tell(rina, "<script>alert(1)</script>")
    client.force_login(rina)
    page = client.get("/messages/").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_older_messages_are_a_link_away(client: Client, rina: User) -> None:
    for turn in range(MESSAGES_PER_PAGE + 3):
        tell(rina, f"Number {turn}.", about=f"/reports/{turn}/")
    client.force_login(rina)
    newest = client.get("/messages/")
    assert newest.text.count('class="message"') == MESSAGES_PER_PAGE
    older = client.get("/messages/", {"before": newest.context["older"]})
    assert older.text.count('class="message"') == 3
    assert "Number 0." in older.text
    assert older.context["older"] is None


@pytest.mark.parametrize("before", ["", "x", "-1", "0", "1.5", "²", "9" * 19, "9" * 400, "1' OR 1=1", "\0"])
def test_a_bad_question_is_no_error(client: Client, rina: User, before: str) -> None:
    client.force_login(rina)
    assert client.get("/messages/", {"before": before}).status_code == 200


def test_a_page_of_messages_is_one_query(
    client: Client, rina: User, settings, django_assert_num_queries: Callable
) -> None:
    settings.DEMO = True
    for turn in range(10):
        tell(rina, f"Number {turn}", about=f"/reports/{turn}/")
    with django_assert_num_queries(1):
        client.get("/mailbox/")
    client.force_login(rina)
    with django_assert_num_queries(4):  # session, account, messages; and they are marked as read
        client.get("/messages/")
    with django_assert_num_queries(3):
        client.get("/messages/")


def test_unread_messages_are_counted_until_their_page_is_opened(client: Client, rina: User) -> None:
    anonymous = client.get("/lists/").text
    assert "unread" not in anonymous
    for number in range(3):
        tell(rina, f"Number {number}", about=f"/reports/{number}/")
    client.force_login(rina)
    mark = '<span class="masthead__count" aria-hidden="true">3</span>'
    mark += '<span class="visually-hidden">, 3 unread</span></a>'
    assert f"Messages {mark}" in client.get("/lists/").text
    client.head("/messages/")
    client.get("/messages/?before=1")
    page = client.get("/messages/").text
    assert page.count('<span class="tag">New</span>') == 3
    assert "unread" not in page
    assert "unread" not in client.get("/lists/").text
    tell(rina, "Number 4", about="/reports/4/")
    assert ", 1 unread" in client.get("/lists/").text
    assert client.get("/messages/").text.count('<span class="tag">New</span>') == 1


@pytest.mark.parametrize("address", ["/messages/", "/mailbox/"])
def test_they_are_only_read(client: Client, rina: User, settings, address: str) -> None:
    settings.DEMO = True
    client.force_login(rina)
    assert client.post(address).status_code == 405


# --- the demonstration's mailbox


@pytest.mark.database_role("worker")
def test_the_mailbox_shows_mail_of_all_accounts(client: Client, rina: User, other: User, settings) -> None:
    settings.DEMO = True
    tell(rina, "Of Rina")
    tell(other, "Of another")
    Message.objects.filter(title="Of Rina").update(sent_at=timezone.now())
    page = tight(client.get("/mailbox/").text)
    assert page.index("Of another") < page.index("Of Rina")
    assert "To Rina Reader, rina@example.org; delivered" in page
    assert "To Otto Other, other@example.org; not delivered yet" in page


def test_an_empty_mailbox_says_what_will_come(client: Client, db: None, settings) -> None:
    settings.DEMO = True
    page = client.get("/mailbox/").text
    assert "No e-mails yet." in page
    assert "when a report is accepted" in page


def test_in_the_demonstration_one_s_own_messages_lead_to_it(client: Client, rina: User, settings) -> None:
    settings.DEMO = True
    client.force_login(rina)
    assert 'href="/mailbox/"' in client.get("/messages/").text
