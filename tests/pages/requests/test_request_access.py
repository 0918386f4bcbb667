"""Requests from the public × everybody: who looks, who acts in which state, and that a key opens one request only."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.json_lines import JsonLines
from ratings.queries.published_values import find_figure
from reporting.log.audit import Actor
from reporting.messages.request_links import request_path
from reporting.models import CorrectionRequest, LogEntry, Message, RequestEntry, Role, User
from reporting.requests.services import (
    answer_request,
    ask_visitor,
    reopen_request,
    send_request,
    take_request,
)
from tests.people import create_user, logged_in

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

# A player of Brazil in a tournament in Brazil: the second reference is about the tournament alone.
REFERENCE = "change:fmjd-100:2026-10-01:1:2026-campinas-winter-open:13368"
OF_THE_TOURNAMENT = "tournament:fmjd-100:2026-10-01:1:2026-campinas-winter-open"
CANARY, SENDER, ADDRESS = "canary-words", "Canary Sender", "canary@example.org"

# Who: role, federation; the list, the page of a request; whether they see it in the list, and who sent it.
LOOK: dict[str, tuple[Role | None, str | None, int, int, bool, bool]] = {
    "anonymous": (None, None, 302, 302, False, False),
    "referee": (Role.REFEREE, "BRA", 403, 403, False, False),
    "official of its federation": (Role.NATIONAL_OFFICIAL, "BRA", 200, 200, True, False),
    "official of another": (Role.NATIONAL_OFFICIAL, "NED", 200, 404, False, False),
    "official of none": (Role.NATIONAL_OFFICIAL, None, 403, 403, False, False),
    "rating officer": (Role.RATING_OFFICER, None, 200, 200, True, True),
    "releasing officer": (Role.RELEASING_OFFICER, None, 403, 403, False, False),
    "title council": (Role.TITLE_COUNCIL, None, 403, 403, False, False),
    "tournament director": (Role.TOURNAMENT_DIRECTOR, None, 200, 200, True, True),
    "administrator": (Role.ADMINISTRATOR, None, 200, 200, True, True),
}
ACTS_FOR_THE_OFFICE = {"official of its federation", "rating officer", "tournament director"}

# State × act of the office: the state after it, for a person who may act at all; None where the state refuses (409).
OFFICE_ACTS = {
    "open": {"take": "taken", "ask": "asked", "answer": "answered"},
    "taken": {"take": "taken", "ask": "asked", "answer": "answered"},
    "asked": {"take": None, "ask": None, "answer": "answered"},
    "answered": {"take": None, "ask": None, "answer": None},
    "closed": {"take": None, "ask": None, "answer": None},
    "reopened": {"take": "taken", "ask": "asked", "answer": "answered"},
    "answered again": {"take": None, "ask": None, "answer": None},
}
# State × act of the visitor by the key of their page.
VISITOR_ACTS = {
    "open": {"reply": None, "reopen": None},
    "taken": {"reply": None, "reopen": None},
    "asked": {"reply": "taken", "reopen": None},
    "answered": {"reply": None, "reopen": "open"},
    "closed": {"reply": None, "reopen": None},
    "reopened": {"reply": None, "reopen": None},
    "answered again": {"reply": None, "reopen": None},
}
TYPED = {
    "take": {},
    "ask": {"words": "Who says so?"},
    "answer": {"outcome": "unchanged", "basis": "R8", "words": "It is right."},
    "reply": {"words": "I do."},
    "reopen": {"words": "Look again."},
}


def a_request(reference: str = REFERENCE) -> CorrectionRequest:
    return send_request(
        doubted=find_figure(reference), error_description=CANARY, proposed_value="", evidence="", name=SENDER,
        email=ADDRESS,
    )  # fmt: skip


def in_state(state: str) -> CorrectionRequest:
    """A request led there by somebody of the office who is none of those who act in the tests."""
    asked = a_request()
    colleague = Actor(create_user("c@example.org", "Colleague", roles=[Role.RATING_OFFICER]))

    def answered() -> None:
        asked.refresh_from_db()
        common: dict[str, Any] = {"asked": asked, "by": colleague, "looked_at": asked.waiting_since}
        answer_request(
            **common, outcome=RequestEntry.Outcome.CORRECTED, basis="revision 2", text="Corrected."
        )

    if state == "taken":
        take_request(asked=asked, by=colleague, looked_at=asked.waiting_since)
    elif state == "asked":
        ask_visitor(asked=asked, question="Why?", by=colleague, looked_at=asked.waiting_since)
    elif state != "open":
        answered()
    if state == "closed":
        CorrectionRequest.objects.filter(pk=asked.pk).update(answered_at=timezone.now() - timedelta(days=30))
    if state in {"reopened", "answered again"}:
        reopen_request(asked=asked, text="Not yet right.")
    if state == "answered again":
        answered()
    asked.refresh_from_db()
    return asked


def client_of(who: str) -> Client:
    role, federation, *_ = LOOK[who]
    return logged_in(role, federation=federation)


def test_the_tables_name_every_role_and_every_state() -> None:
    assert {role for role, *_ in LOOK.values() if role} == set(Role)
    assert set(OFFICE_ACTS) == set(VISITOR_ACTS) > set(CorrectionRequest.State)


@pytest.mark.parametrize("who", LOOK)
def test_who_looks(who: str) -> None:
    role, _, of_list, of_page, in_list, sees_sender = LOOK[who]
    asked = a_request()
    client = client_of(who)
    for address, expected in (
        (reverse("office-requests"), of_list),
        (reverse("office-request", args=[asked.pk]), of_page),
    ):
        response = client.get(address)
        assert response.status_code == expected, address
        if role is None:
            assert response["Location"] == f"/login/?next={address}"
        else:
            assert response["Cache-Control"] == "private, no-store"
        assert (CANARY in response.text) is in_list, address
        of_one = address != reverse("office-requests")
        assert (SENDER in response.text or ADDRESS in response.text) is (of_one and sees_sender)


@pytest.mark.parametrize(("who", "link"), [
    ("official of its federation", "Requests (1)<"),
    ("official of another", "Requests<"),
    ("rating officer", "Requests (1)<"),
])  # fmt: skip
def test_the_header_counts_the_requests_that_the_reader_sees(who: str, link: str) -> None:
    a_request()
    assert link in client_of(who).get("/method/fmjd/").text


def test_a_national_official_answers_requests_about_tournaments_in_their_country() -> None:
    asked = a_request(OF_THE_TOURNAMENT)
    client, address = client_of("official of its federation"), f"/office/requests/{asked.pk}/"
    assert client.get(address).status_code == 200
    typed = {"action": "take", "looked_at": asked.waiting_since.isoformat()}
    assert client.post(address, typed).status_code == 302
    User.objects.filter(email="somebody@example.org").update(email="before@example.org")
    assert client_of("official of another").get(f"/office/requests/{asked.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("who", "state"),
    [
        (who, state)
        for who, row in LOOK.items()
        for state in OFFICE_ACTS
        if row[3] == 200 or state == "open"  # others do not come to the page, whatever the state
    ],
)
def test_who_acts_for_the_office_in_which_state(who: str, state: str) -> None:
    client = client_of(who)
    asked = in_state(state)
    before, acts, mails = asked.state, LogEntry.objects.count(), Message.objects.count()
    for act, leads_to in OFFICE_ACTS[state].items():
        typed = {"action": act, "looked_at": asked.waiting_since.isoformat(), **TYPED[act]}
        done = who in ACTS_FOR_THE_OFFICE and leads_to is not None
        with transaction.atomic():
            response = client.post(reverse("office-request", args=[asked.pk]), typed)
            asked.refresh_from_db()
            if LOOK[who][3] != 200:
                assert response.status_code == LOOK[who][3], act
            elif who not in ACTS_FOR_THE_OFFICE:
                assert response.status_code == 403, act
            else:
                assert response.status_code == (302 if done else 409), act
            assert asked.state == (leads_to if done else before), act
            assert LogEntry.objects.count() - acts == done, act
            assert Message.objects.count() - mails == (done and act != "take"), act
            transaction.set_rollback(True)
        asked.refresh_from_db()


@pytest.mark.parametrize("by_mail", [False, True])
@pytest.mark.parametrize("state", VISITOR_ACTS)
def test_what_the_visitor_does_in_which_state(client: Client, state: str, by_mail: bool) -> None:
    asked = in_state(state)
    before = asked.state
    for act, leads_to in VISITOR_ACTS[state].items():
        acts = LogEntry.objects.filter(action=f"request.{act}").count()
        with transaction.atomic():
            response = client.post(request_path(asked.pk, by_mail=by_mail), {"action": act, **TYPED[act]})
            asked.refresh_from_db()
            assert response.status_code == (409 if leads_to is None else 302), act
            assert asked.state == (leads_to or before), act
            done = LogEntry.objects.filter(action=f"request.{act}").count() - acts
            assert done == (leads_to is not None), act
            assert (asked.confirmed_at is not None) is (by_mail and leads_to is not None)
            if leads_to is None:  # nothing typed is lost
                assert TYPED[act]["words"] in response.text
            transaction.set_rollback(True)
        asked.refresh_from_db()


@pytest.mark.parametrize("by_mail", [False, True])
def test_the_page_of_a_request_is_open_to_who_has_its_key(client: Client, by_mail: bool) -> None:
    asked, other = a_request(), a_request(OF_THE_TOURNAMENT)
    address = request_path(asked.pk, by_mail=by_mail)
    response = client.get(address)
    assert response.status_code == 200
    assert CANARY in response.text
    assert SENDER not in response.text
    assert ADDRESS not in response.text
    assert (response["Cache-Control"], response["X-Robots-Tag"]) == ("private, no-store", "noindex")
    assert response["Referrer-Policy"] == "same-origin"
    key = address.rstrip("/").rpartition("/")[2]
    signature = key.partition(".")[2]
    assert len(signature) * 6 >= 256  # base64: six bits a letter
    for wrong in (
        f"{other.pk}.{signature}", f"{asked.pk}.{signature[:-1]}", f"{asked.pk}.{signature.swapcase()}",
        str(asked.pk), f"{asked.pk}.", "x" * 300, f"{asked.pk}.%00", "%F0%9F%98%80",
    ):  # fmt: skip
        for method in (client.get, client.post):
            missing = method(f"/requests/{wrong}/")
            assert missing.status_code == 404, wrong
            assert CANARY not in missing.text


def test_the_key_of_the_page_does_not_confirm_the_address(client: Client) -> None:
    asked = a_request()
    assert client.post(request_path(asked.pk), {"action": "confirm"}).status_code == 409
    assert client.get(request_path(asked.pk, by_mail=True)).status_code == 200
    asked.refresh_from_db()
    assert asked.confirmed_at is None
    for _ in range(2):
        assert client.post(request_path(asked.pk, by_mail=True), {"action": "confirm"}).status_code == 302
    asked.refresh_from_db()
    assert asked.confirmed_at is not None
    assert LogEntry.objects.filter(action="request.confirm").count() == 1


def test_the_key_is_in_no_line_of_the_technical_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    asked = a_request()
    for by_mail in (False, True):
        address = request_path(asked.pk, by_mail=by_mail)
        caplog.clear()
        assert client.post(address, {"action": "reply", "words": "I do."}).status_code == 409
        assert client.put(address).status_code == 405
        lines = [JsonLines().format(record) for record in caplog.records]
        assert len(lines) == 2
        for line in lines:
            assert f"/requests/{asked.pk}.…" in line
            assert address.rpartition(".")[2].strip("/") not in line


def test_a_request_that_is_not_there() -> None:
    client = client_of("rating officer")
    for number in (1, 10**30):
        address = f"/office/requests/{number}/"
        assert client.get(address).status_code == 404
        assert client.post(address, {"action": "take"}).status_code == 404
