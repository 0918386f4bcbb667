"""Requests from the public, by the services: mail that is no weapon, words that stay, senders who are forgotten."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.db.utils import ProgrammingError
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.messages.kinds import message_kinds
from reporting.messages.send_messages import build_mail, send_messages
from reporting.models import CorrectionRequest, LogEntry, Message, Player, RequestEntry, Role
from reporting.refusals.domain_error import DomainError
from reporting.requests.services import (
    answer_request,
    ask_visitor,
    confirm_sender,
    erase_senders,
    reopen_request,
    reply_to_question,
    send_request,
    take_request,
)
from tests.concurrency import run_concurrently
from tests.people import create_player, create_user
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

STAYS = RequestEntry.Outcome.UNCHANGED


@pytest.fixture
def player() -> Player:
    return create_player(
        number=10001, last_name="Vroom", first_name="Ada", sort_name="vroom, ada", federation_id="NED"
    )


@pytest.fixture
def rina() -> Actor:
    return Actor(create_user("rina@example.org", "Rina", roles=[Role.RATING_OFFICER]))


LETTERS = itertools.count(1)


def sent(player: Player, email: str = "vera@example.org", **said: str) -> CorrectionRequest:
    """A request; another one each time, unless `said` has its evidence."""
    figures = {"rating": 2154, "change": 4, "games": 30, "category": "A"}
    doubted = CorrectionRequest(
        figure="rating", reference="rating:fmjd-100:2026-04-01:1:10001", player=player, pool="fmjd-100",
        pool_name="100 squares, classical", published_values=figures,
    )  # fmt: skip
    words = {"error_description": "It is 2155.", "proposed_value": "", "name": "Vera Visitor"}
    words["evidence"] = f"Letter {next(LETTERS)}."
    return send_request(doubted=doubted, email=email, **words | said)


def answered(asked, by: Actor, outcome: str = STAYS, basis: str = "R9", text: str = "It stays."):
    asked.refresh_from_db()
    answer = {"outcome": outcome, "basis": basis, "text": text, "by": by}
    return answer_request(asked=asked, looked_at=asked.waiting_since, **answer)


def first_mails(**about: Any) -> int:
    return Message.objects.filter(kind="request_received", **about).count()


# --- mail to addresses that a stranger typed


def test_nothing_the_visitor_typed_is_in_the_first_mail(player: Player) -> None:
    words = dict.fromkeys(("error_description", "proposed_value", "evidence"), "BUY-THIS")
    sent(player, name="BUY-THIS http://x.example", **words)
    letter = build_mail(Message.objects.get())
    assert "BUY-THIS" not in str(letter.message())
    assert letter.to == ["vera@example.org"]
    assert letter.body.startswith("Hello,\n\nSomeone, probably you,")
    assert "Rating on a list: Vroom, Ada" in letter.body


@pytest.mark.database_role("owner")  # who alone can put the clock back
def test_an_address_gets_one_first_mail_an_hour_whatever_its_letters(player: Player) -> None:
    asked = [sent(player, email) for email in ("vera@example.org", "VERA@example.org", "Vera@Example.ORG")]
    assert CorrectionRequest.objects.count() == 3  # nothing is lost
    assert first_mails() == first_mails(correction_request=asked[0]) == 1
    sent(player, "other@example.org")
    assert first_mails() == 2
    CorrectionRequest.objects.update(created_at=timezone.now() - timedelta(minutes=59))
    sent(player)
    assert first_mails() == 2
    CorrectionRequest.objects.update(created_at=timezone.now() - timedelta(minutes=60))
    sent(player)
    assert first_mails() == 3


def test_an_address_that_was_confirmed_gets_a_mail_for_each_request(player: Player) -> None:
    confirm_sender(asked=sent(player))
    sent(player)
    assert first_mails() == 2


def test_all_unconfirmed_addresses_together_get_sixty_first_mails_an_hour(player: Player) -> None:
    for number in range(62):
        sent(player, f"vera{number}@example.org")
    assert first_mails() == 60
    assert CorrectionRequest.objects.count() == 62


@pytest.mark.database_role("owner")
def test_the_eleventh_request_of_an_address_within_a_day_is_refused(player: Player) -> None:
    for _ in range(10):
        sent(player)
    assert refusal(sent, player, "VERA@example.org").code == "too_many_requests"
    assert CorrectionRequest.objects.count() == 10
    CorrectionRequest.objects.update(created_at=timezone.now() - timedelta(days=1))
    sent(player)


def test_each_mail_of_the_office_leaves_once_with_a_link_that_is_in_the_mail_alone(player, rina, settings):
    settings.OFFICE_URL = "https://office.example"
    asked = sent(player)
    ask_visitor(asked=asked, question="Who says so?", by=rina, looked_at=asked.waiting_since)
    reply_to_question(asked=asked, text="I do.")
    answered(asked, rina)
    assert (send_messages(), send_messages()) == (3, 0)
    subjects = [f"Request {asked.pk}: {what}" for what in ("received", "question", "not changed")]
    assert [letter.subject for letter in mail.outbox] == subjects
    for letter, message in zip(mail.outbox, Message.objects.order_by("pk"), strict=True):
        assert letter.to == ["vera@example.org"]
        link = letter.body.rpartition("https://office.example")[2].split()[0]
        assert link.startswith(f"/requests/{asked.pk}.")
        assert link.split(".")[1].strip("/") not in message.text + message.about
    assert "Who says so?" in mail.outbox[1].body
    assert "Not changed: R9\n\nIt stays." in mail.outbox[2].body
    assert "until " in mail.outbox[2].body


def test_the_answer_says_until_which_day_it_can_be_reopened(player: Player, rina: Actor) -> None:
    asked = sent(player)
    answered(asked, rina)
    last = timezone.localdate() + timedelta(days=29)  # thirty days from now the moment itself is outside
    assert f"until {last.day} {last:%b %Y}" in Message.objects.get(kind="request_answered").text
    reopen_request(asked=asked, text="Look again.")
    answered(asked, rina)
    second = Message.objects.filter(kind="request_answered").latest("pk")
    assert "This second answer closes the request." in second.text


def test_every_kind_of_message_is_registered() -> None:
    assert set(Message.Kind) <= set(message_kinds())


# --- what is refused


def test_answers_need_an_outcome_grounds_and_words(player: Player, rina: Actor) -> None:
    asked = sent(player)
    for outcome, basis, text, code in (
        ("", "R9", "It stays.", "outcome_unknown"),
        ("maybe", "R9", "It stays.", "outcome_unknown"),
        ("corrected", " ", "Corrected.", "basis_missing"),
        ("will_be_corrected", "", "Soon.", "basis_missing"),
        ("unchanged", "", "It stays.", "basis_missing"),
        ("unchanged", "R9", " \n ", "text_missing"),
    ):
        assert refusal(answered, asked, rina, outcome, basis, text).code == code
    assert not RequestEntry.objects.exists()
    assert first_mails() == Message.objects.count() == 1
    answered(asked, rina, "not_about_ratings", "", "Ask your federation.")


def test_an_act_on_a_request_that_has_moved_on_is_refused(player: Player, rina: Actor) -> None:
    asked = sent(player)
    seen = asked.waiting_since
    take_request(asked=asked, by=rina, looked_at=seen)
    colleague = Actor(create_user("c@example.org", "C", roles=[Role.TOURNAMENT_DIRECTOR]))
    for looked_at in (seen, None):
        refused = refusal(take_request, asked=asked, by=colleague, looked_at=looked_at)
        assert refused.code == "request_changed"
    asked.refresh_from_db()
    refused = refusal(take_request, asked=asked, by=rina, looked_at=asked.waiting_since)
    assert refused.code == "already_taken"
    assert take_request(asked=asked, by=colleague, looked_at=asked.waiting_since).taken_by == colleague.user


def test_a_request_is_reopened_once_and_not_on_the_thirtieth_day(player: Player, rina: Actor) -> None:
    asked = sent(player)
    answered(asked, rina)
    CorrectionRequest.objects.update(answered_at=timezone.now() - timedelta(days=30))
    assert refusal(reopen_request, asked=asked, text="Look again.").code == "closed"
    CorrectionRequest.objects.update(answered_at=timezone.now() - timedelta(days=30) + timedelta(minutes=1))
    reopen_request(asked=asked, text="Look again.")
    asked.refresh_from_db()
    assert (asked.state, asked.taken_by, asked.answered_at) == ("open", None, None)
    answered(asked, rina)
    assert refusal(reopen_request, asked=asked, text="And again.").code == "closed"


# --- the audit log and what stays


def test_every_act_is_in_the_log_and_nothing_of_the_sender(player: Player, rina: Actor) -> None:
    asked = sent(player)
    confirm_sender(asked=asked)
    take_request(asked=asked, by=rina, looked_at=asked.waiting_since)
    asked.refresh_from_db()
    ask_visitor(asked=asked, question="Who says so?", by=rina, looked_at=asked.waiting_since)
    reply_to_question(asked=asked, text="I do.")
    answered(asked, rina)
    reopen_request(asked=asked, text="Look again.")
    answered(asked, rina, "corrected", "revision 2", "Corrected.")
    log = LogEntry.objects.filter(subject=f"request {asked.pk}").order_by("pk")
    visitor, officer = "visitor@office.invalid", "rina@example.org"
    assert list(log.values_list("action", "actor__email")) == [
        ("request.send", visitor),
        ("request.confirm", visitor),
        ("request.take", officer),
        ("request.ask", officer),
        ("request.reply", visitor),
        ("request.answer", officer),
        ("request.reopen", visitor),
        ("request.answer", officer),
    ]
    said = str(list(log.values_list("before", "after", "reason")))
    assert "Vera" not in said
    assert "vera@" not in said
    closed = {"state": "answered", "outcome": "corrected", "basis": "revision 2"}
    assert log.last().after == closed | {"entry": RequestEntry.objects.latest("pk").pk}


@pytest.mark.parametrize(
    "role", [pytest.param(role, marks=pytest.mark.database_role(role)) for role in ("worker", "web")]
)
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE reporting_correctionrequest SET error_description = 'another'",
        "UPDATE reporting_correctionrequest SET published_values = '{}'",
        "DELETE FROM reporting_correctionrequest",
    ],
)
def test_what_was_said_and_the_figure_never_change(player, rina, change: str, role: str) -> None:
    answered(sent(player), rina)
    with connection.cursor() as cursor, pytest.raises(ProgrammingError, match="denied"):
        cursor.execute(change)


# --- forgetting


def test_the_sender_is_forgotten_two_years_after_closing_and_the_texts_stay(player, rina) -> None:
    now, years = timezone.now(), timedelta(days=730)
    ages = {
        # an answer that could be reopened closes 30 days later; a second one at once
        "first, a day short": (now - years - timedelta(days=29), None, False),
        "first": (now - years - timedelta(days=30), None, True),
        "second, a day short": (now - years + timedelta(days=1), now - 2 * years, False),
        "second": (now - years, now - 2 * years, True),
    }
    asked = {}
    for number, (name, (answered_at, reopened_at, _)) in enumerate(ages.items()):
        asked[name] = sent(player, f"vera{number}@example.org")
        answered(asked[name], rina)
        days = {"answered_at": answered_at, "reopened_at": reopened_at}
        CorrectionRequest.objects.filter(pk=asked[name].pk).update(**days)
    still_open = sent(player, "open@example.org")
    assert (erase_senders(), erase_senders()) == (2, 0)
    for name, (_, _, erased) in ages.items():
        each = CorrectionRequest.objects.get(pk=asked[name].pk)
        assert (each.name, each.email) == (("", "") if erased else ("Vera Visitor", asked[name].email)), name
        assert (each.erased_at is not None) is erased, name
        assert each.entries.count() == 1
    still_open.refresh_from_db()
    assert still_open.email == "open@example.org"
    assert LogEntry.objects.filter(action="request.erase_sender", by_command=True).count() == 2


def test_no_mail_leaves_to_who_was_forgotten(player: Player, rina: Actor) -> None:
    asked = sent(player)
    answered(asked, rina)
    CorrectionRequest.objects.update(answered_at=timezone.now() - timedelta(days=800))
    erase_senders()
    assert send_messages() == 0
    assert mail.outbox == []


# --- two at once


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_is_given(player: Player, rina: Actor) -> None:
    asked = sent(player)

    def answer() -> RequestEntry:
        return answer_request(
            asked=asked, outcome=STAYS, basis="R9", text="It stays.", by=rina, looked_at=asked.waiting_since
        )

    outcomes = run_concurrently(*[answer] * 4)
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, DomainError)]
    assert refused == ["wrong_state"] * 3
    assert sum(isinstance(outcome, RequestEntry) for outcome in outcomes) == 1
    assert RequestEntry.objects.count() == Message.objects.filter(kind="request_answered").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_request_sent_four_times_at_once_is_one(player: Player) -> None:
    outcomes = run_concurrently(*[lambda: sent(player, evidence="The crosstable.")] * 4)
    assert {outcome.pk for outcome in outcomes} == {CorrectionRequest.objects.get().pk}
    assert first_mails() == 1
    sent(player, evidence="The crosstable.", name="Victor Visitor")  # who uses the same address
    assert CorrectionRequest.objects.count() == 2


def test_the_same_request_on_a_day_is_one_also_after_its_answer(player: Player, rina: Actor) -> None:
    asked = sent(player, evidence="The crosstable.")
    answered(asked, rina)
    assert sent(player, evidence="The crosstable.") == asked


@pytest.mark.django_db(transaction=True)
def test_of_requests_sent_at_once_with_one_address_one_is_mailed(player: Player) -> None:
    outcomes = run_concurrently(*[lambda: sent(player)] * 4)
    assert all(isinstance(outcome, CorrectionRequest) for outcome in outcomes)
    assert CorrectionRequest.objects.count() == 4
    assert first_mails() == 1
