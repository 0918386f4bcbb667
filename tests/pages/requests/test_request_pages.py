"""This is wrong: the links next to figures, the form, the page of a request, and what the office sees of it."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models.signals import post_save
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdListRow
from ratings.published.views.requests import OPENED_AT_SIGNER
from ratings.templatetags.published_values import figure_value
from reporting.log.audit import Actor
from reporting.messages.request_links import request_path
from reporting.models import CorrectionRequest, Message, RequestEntry, Role
from reporting.requests.services import ask_visitor
from tests.pages.locked_rows import held
from tests.pages.requests.sent_requests import (
    CODE,
    LIST,
    RATING,
    REQUEST_FIELDS,
    answer,
    log_in_officer,
    sent,
    text_of,
)
from tests.people import create_user

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

LINK = re.compile(r'class="report-error" rel="nofollow"\s+href="(/requests/new/[^"]+)"')


@pytest.fixture(autouse=True)
def _no_attempts_yet() -> None:
    cache.clear()


def opened(seconds_ago: int = 10) -> str:
    """What a form carries that was opened so long ago."""
    return OPENED_AT_SIGNER.sign(str(int(timezone.now().timestamp()) - seconds_ago))


# --- the links


@pytest.mark.parametrize("path", [
    "/players/13368/", "/players/13368/?list=2026-01-01", f"/tournaments/{CODE}/",
    f"/tournaments/{CODE}/changes/", f"/tournaments/{CODE}/crosstable/",
])  # fmt: skip
def test_every_link_of_a_page_opens_the_form_about_a_figure(client: Client, path: str) -> None:
    links = set(LINK.findall(client.get(path).text))
    assert len(links) == {
        "/players/13368/": 5,  # one of them asks to erase the name
        "/players/13368/?list=2026-01-01": 4,
        f"/tournaments/{CODE}/": 1,
        f"/tournaments/{CODE}/changes/": 23,
        f"/tournaments/{CODE}/crosstable/": 23,
    }.get(path, 3)
    for link in links:
        page = client.get(link)
        assert page.status_code == 200, link
        assert page["Cache-Control"] == "private, no-store"
        if "results:" in link:
            for result in re.findall(r'href="(\?about=result:[^"]+)"', page.text)[:1]:
                assert "Result of a game" in client.get("/requests/new/" + result).text


def test_the_links_are_the_same_for_everybody_and_the_page_stays_cached(client: Client) -> None:
    first = client.get("/players/13368/")
    client.get(RATING)  # the form sets a cookie of its own
    again = client.get("/players/13368/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    client.force_login(create_user("o@example.org", "O", roles=[Role.RATING_OFFICER]))
    assert LINK.findall(client.get("/players/13368/").text) == LINK.findall(first.text)


# --- the form


def test_what_the_form_says_of_the_figure_is_not_believed(client: Client) -> None:
    forged = {
        "published_values": "9999", "address": "https://evil.example/", "reference": "x", "state": "answered",
    }  # fmt: skip
    response = client.post(RATING, REQUEST_FIELDS | forged | {"opened": opened()})
    asked = CorrectionRequest.objects.get()
    assert (response.status_code, response["Location"]) == (302, request_path(asked.pk))
    assert figure_value(asked).startswith("2430, change +1")
    assert (asked.state, asked.reference) == ("open", f"rating:{LIST}:13368")
    assert asked.address == "/players/13368/?pool=fmjd-100&list=2026-10-01#explanation"
    said = asked.error_description, asked.email, asked.confirmed_at
    assert said == ("It is 2431.", "vera@example.org", None)
    page = text_of(client.get(response["Location"]).text)
    assert "Save the address of this page." in page
    assert "A mail with a link to it is on its way to your e-mail address." in page


@pytest.mark.parametrize(("typed", "sentence"), [
    ({"error_description": ""}, "Fill this in."),
    ({"error_description": " \n "}, "Fill this in."),
    ({"name": ""}, "Fill this in."),
    ({"email": ""}, "Fill this in."),
    ({"email": "vera"}, "Enter an e-mail address, for example name@example.org."),
    ({"email": "vera@example.org\nBcc: all@example.org"}, "Enter an e-mail address, for example name@example.org."),
    ({"email": "v" * 250 + "@example.org"}, "at most 254 characters"),
    ({"error_description": "x" * 2001}, "at most 2000 characters"),
    ({"proposed_value": "x" * 501}, "at most 500 characters"),
    ({"error_description": "null\x00"}, "The text contains a character that cannot be stored."),
    ({"name": "x\x00"}, "The text contains a character that cannot be stored."),
    ({"website": "https://spam.example/"}, "A field that must stay empty was filled in."),
    ({"opened": ""}, "That was very quick."),
    ({"opened": "1"}, "That was very quick."),
    ({"opened": "1:forged"}, "That was very quick."),
    ({"opened": None}, "That was very quick."),
])  # fmt: skip
def test_a_refused_form_keeps_what_was_typed_and_can_be_sent_again(
    client: Client, typed: dict[str, str | None], sentence: str
) -> None:
    sent_fields = {**REQUEST_FIELDS, "opened": opened(), **typed}
    if sent_fields["opened"] is None:
        sent_fields["opened"] = opened(seconds_ago=1)
    response = client.post(RATING, sent_fields)
    assert response.status_code == 400
    assert sentence in response.text
    assert not CorrectionRequest.objects.exists()
    assert not Message.objects.filter(kind="request_received").exists()
    assert "My own sum." in response.text
    assert "https://spam.example/" not in response.text
    stamp = re.search(r'name="opened" value="([^"]+)"', response.text)
    assert stamp is not None
    assert OPENED_AT_SIGNER.unsign(unescape(stamp[1])).isdigit()
    if "opened" not in typed:  # the time counts from the first opening of the form
        assert unescape(stamp[1]) == sent_fields["opened"]


def test_the_eleventh_request_from_one_place_within_a_quarter_is_refused(client: Client) -> None:
    for number in range(10):
        said = REQUEST_FIELDS | {"email": f"vera{number}@example.org", "opened": opened()}
        assert client.post(RATING, said).status_code == 302
    response = client.post(RATING, REQUEST_FIELDS | {"opened": opened()})
    assert response.status_code == 429
    assert "Too many attempts." in response.text
    assert "My own sum." in response.text
    assert CorrectionRequest.objects.count() == 10
    elsewhere = client.post(RATING, REQUEST_FIELDS | {"opened": opened()}, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 302


def test_a_second_request_within_the_hour_is_kept_and_says_that_no_mail_was_sent(client: Client) -> None:
    for evidence in ("My own sum.", "The sum of my club."):
        said = REQUEST_FIELDS | {"evidence": evidence, "opened": opened()}
        page = client.post(RATING, said, follow=True).text
    assert "No mail was sent now" in page
    assert "The sum of my club." in page
    assert CorrectionRequest.objects.count() == 2
    assert Message.objects.filter(kind="request_received").count() == 1


def test_who_is_logged_in_need_not_type_who_they_are(client: Client) -> None:
    client.force_login(create_user("o@example.org", "Olga Official"))
    page = client.get(RATING).text
    assert 'value="Olga Official"' in page
    assert 'value="o@example.org"' in page


def test_what_the_visitor_writes_is_shown_as_text(client: Client) -> None:
    typed = {"error_description": "<script>alert(1)</script>", "proposed_value": "{{ x }}"}
    said = REQUEST_FIELDS | typed | {"opened": opened()}
    page = client.post(RATING, said, follow=True).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@pytest.mark.parametrize("words", ["", " \n", "x" * 2001, "null\x00"])
def test_a_reply_without_words_or_with_too_many_is_refused(client: Client, words: str) -> None:
    asked = sent(f"rating:{LIST}:13368")
    answer(asked)
    for act in ("reply", "reopen", "confirm", "", "take", "x" * 5000):
        response = client.post(request_path(asked.pk), {"action": act, "words": words})
        assert response.status_code == 409
    asked.refresh_from_db()
    assert (asked.state, asked.entries.count()) == ("answered", 1)


# --- the office's list


def numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'href="/office/requests/(\d+)/"', page)]


def test_the_list_is_filtered_by_state_pool_federation_and_words(client: Client) -> None:
    brazilian = sent(f"rating:{LIST}:13368", error_description="A needle in it.").pk
    october = FmjdListRow.objects.filter(list__pool__code="fmjd-100", list__in_force="2026-10-01")
    dutch = october.filter(federation="NED").first()
    other = sent(f"rating:{LIST}:{dutch.register_number}").pk
    tournament = sent(f"tournament:{LIST}:{CODE}").pk
    closed, answered = sent(f"person:{LIST}:13368"), sent(f"person:{LIST}:13368", email="w@example.org")
    answer(closed)
    answer(answered)
    CorrectionRequest.objects.filter(pk=closed.pk).update(answered_at=timezone.now() - timedelta(days=31))
    log_in_officer(client)
    everything = [brazilian, other, tournament, answered.pk, closed.pk]
    for query, expected in {
        "": [brazilian, other, tournament],
        "state=office": [brazilian, other, tournament],
        "state=visitor": [],
        "state=answered": [answered.pk],
        "state=closed": [closed.pk],
        "state=all": everything,
        "state=nonsense": [brazilian, other, tournament],
        "pool=fmjd-100": [brazilian, other, tournament],
        "pool=fmjd-64": [],
        "pool=nonsense": [brazilian, other, tournament],
        "federation=BRA": [brazilian, tournament],
        "federation=NED": [other],
        "q=needle": [brazilian],
        "q=brasilino": [brazilian],
        "q=Campinas+winter": [tournament],
        "q=campinas+nothing": [],
        f"q={tournament}": [tournament],
        "q=13368": [brazilian],
        "q=99999999999999999999": [],
        "q=%00": [brazilian, other, tournament],
        "q=%25": [],
        "state=all&state=closed&page=x": [closed.pk],
        "page=99": [brazilian, other, tournament],
    }.items():
        response = client.get(f"/office/requests/?{query}")
        assert response.status_code == 200
        assert numbers(response.text) == expected, query
    assert "No requests match these filters." in client.get("/office/requests/?pool=fmjd-64").text


def test_the_number_of_queries_does_not_grow_with_the_list(client: Client) -> None:
    log_in_officer(client)
    counts = []
    for number in range(3):
        with CaptureQueriesContext(connection) as queries:
            assert len(numbers(client.get("/office/requests/").text)) == 3 * number
        counts.append(len(queries))
        for turn in range(3):
            sent(f"rating:{LIST}:13368", email=f"v{number}-{turn}@example.org")
    assert counts[1] == counts[2] <= counts[0] + 1


def test_a_refused_answer_keeps_what_was_typed(client: Client) -> None:
    asked = sent(f"rating:{LIST}:13368")
    log_in_officer(client)
    seen = asked.waiting_since.isoformat()
    typed: dict[str, Any] = {"outcome": "corrected", "basis": "the basis", "words": "the words"}
    for act, change, sentence in (
        ("answer", {"basis": " "}, "Name what changed"),
        ("answer", {"outcome": ""}, "Choose what happens to the figure."),
        ("answer", {"outcome": "maybe"}, "Choose what happens to the figure."),
        ("answer", {"words": ""}, "Enter a text."),
        ("answer", {"words": "x" * 2001}, "at most"),
        ("answer", {"basis": "x" * 201}, "at most"),
        ("answer", {"words": "null\x00"}, "a character that cannot be stored"),
        ("answer", {"looked_at": ""}, "This request has changed since you opened the page."),
        ("answer", {"looked_at": "yesterday"}, "This request has changed since you opened the page."),
        ("answer", {"looked_at": "2026-01-01"}, "This request has changed since you opened the page."),
        ("ask", {"words": " "}, "Enter a text."),
        ("dance", {}, "Choose what to do"),
    ):
        sent_fields = {"action": act, "looked_at": seen, **typed, **change}
        response = client.post(f"/office/requests/{asked.pk}/", sent_fields)
        assert response.status_code == 409, change
        assert sentence in response.text, change
        if act == "answer":
            typed_again = {"basis": "the basis", "words": "the words"} | change
            assert typed_again["basis"].strip() in response.text
            assert typed_again["words"].replace("\x00", "") in response.text
    asked.refresh_from_db()
    assert (asked.state, asked.entries.count()) == ("open", 0)


# --- while somebody else acts on it


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_to_be_tried_again_while_another_holds_the_request(client: Client, season: None) -> None:
    asked = sent(f"rating:{LIST}:13368")
    log_in_officer(client)
    sent_fields = {"action": "answer", "looked_at": asked.waiting_since.isoformat(), "outcome": "unchanged"}
    with held(asked):
        response = client.post(
            f"/office/requests/{asked.pk}/", sent_fields | {"basis": "the basis", "words": "the words"}
        )
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Someone else is editing this. Please try again." in response.text
    assert 'value="the basis"' in response.text
    assert ">\nthe words</textarea>" in response.text
    assert re.search(r'value="unchanged"\s+checked', response.text)
    assert not asked.entries.exists()


@pytest.fixture
def questioned(season: None) -> CorrectionRequest:
    """A request whose sender is asked something."""
    asked = sent(f"rating:{LIST}:13368")
    officer = create_user("q@example.org", "Quinn", roles=[Role.RATING_OFFICER])
    ask_visitor(asked=asked, question="Which round?", by=Actor(officer), looked_at=asked.waiting_since)
    return asked


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by_mail", [False, True])
def test_a_reply_is_to_be_tried_again_while_another_holds_the_request(
    client: Client, questioned: CorrectionRequest, by_mail: bool
) -> None:
    page = request_path(questioned.pk, by_mail=by_mail)
    with held(questioned):
        response = client.post(page, {"action": "reply", "words": "The third."})
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Someone else is editing this. Please try again." in response.text
    assert ">\nThe third.</textarea>" in response.text
    assert questioned.entries.count() == 1
    assert client.post(page, {"action": "reply", "words": "The third."}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_reply_by_the_mail_s_page_is_kept_and_confirmed_or_neither(
    client: Client, questioned: CorrectionRequest
) -> None:
    """A person who locks the request as soon as the reply is stored comes too late to separate the two."""
    other = connection.copy()

    def hold() -> None:
        with other.cursor() as theirs, connection.cursor() as ours:
            theirs.execute("BEGIN")
            theirs.execute(
                "SELECT id FROM reporting_correctionrequest WHERE id = %s FOR UPDATE", [questioned.pk]
            )
            ours.execute("SET lock_timeout = '200ms'")

    def hold_after_it(**_: Any) -> None:
        transaction.on_commit(hold)

    post_save.connect(hold_after_it, sender=RequestEntry)
    try:
        third = {"action": "reply", "words": "The third."}
        response = client.post(request_path(questioned.pk, by_mail=True), third)
    finally:
        post_save.disconnect(hold_after_it, sender=RequestEntry)
        other.close()
        with connection.cursor() as ours:
            ours.execute("RESET lock_timeout")
    questioned.refresh_from_db()
    assert response.status_code == 302
    assert (questioned.entries.count(), questioned.confirmed_at is not None) == (2, True)
