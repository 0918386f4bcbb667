"""The link in a mail opens what the mail is about: every kind of message, written by the act that writes it."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urldefrag

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone

from ratings.models import Pool, RatingList
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.production.periods.remind_of_closing import send_closing_reminders
from ratings.publishing.notifications import notify_differences, notify_list_published, notify_signed
from ratings.publishing.public_changes.webhooks.deliver import deliver_webhooks
from ratings.publishing.public_changes.webhooks.manage_webhooks import register_webhook
from ratings.publishing.signs import check_signs
from ratings.worker import heartbeat
from reporting.accounts.services import accounts, manage_accounts
from reporting.accounts.services.tokens import create_token
from reporting.log.audit import Actor
from reporting.messages.kinds import message_kinds
from reporting.messages.notifications import notify_draft_deleted
from reporting.messages.send_messages import build_mail
from reporting.models import CorrectionRequest, Message, Player, Role, Scope, Tournament
from reporting.reports.services.announce import announce_tournament
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.reminders import (
    send_answer_reminders,
    send_report_reminder,
    send_report_reminders,
)
from reporting.reports.services.review import Remark, reject_report, return_report, undo_acceptance
from reporting.reports.services.submit import submit_report, take_back_report
from reporting.reports.services.write_note import write_note
from reporting.requests.services import answer_request, ask_visitor, confirm_sender, send_request
from tests.models.rows import public_change
from tests.people import create_user
from tests.receiver import listening
from tests.services.conftest import Office
from tests.services.test_announce import values
from tests.services.test_world_cup_events import propose
from tests.visitor import Visitor
from titles.applications.move_application import move_application
from titles.federations.fmjd.world_cup.events.services import return_event
from titles.models import ApplicationStep, TitleApplication
from titles.rules.lifecycle import ApplicationMove

APRIL = date(2026, 4, 1)
PLAYERS, GAME = [11, 12], ["1 1 2 2-0"]

WITHOUT_LOG_IN = {"invitation", "password_reset"}  # a log-in ends the link to a new password

Story = Iterator[tuple[str, str]]
"""After each act the kind of the message that it writes, and what the page of the mail's link shows."""


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def act_then(now: datetime, act: Callable[[], object]) -> None:
        with monkeypatch.context() as another_day:
            another_day.setattr(timezone, "now", lambda: now)
            act()

    return act_then


def person(name: str, role: Role, **fields: str) -> Actor:
    return Actor(create_user(f"{name.lower()}@mails.example", name, roles=[role], **fields))


def of_reports(office: Office, on_day: Callable[..., None]) -> Story:
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    report = office.accept("Gouda Open", PLAYERS, GAME)
    yield "report_accepted", "Report accepted"
    undo_acceptance(report=report, reason="so", by=office.officer)
    yield "acceptance_undone", "Acceptance undone"
    return_report(report=report, remarks=[Remark("Check the dates.")], by=office.officer)
    yield "report_returned", "Report returned"
    on_day(timezone.now() + timedelta(days=7), send_answer_reminders)
    yield "report_unanswered", "Report returned"
    late = office.submit("Late Open", PLAYERS, GAME, received="2026-02-16")
    yield "report_late", "Late Open"
    take_back_report(report=late, by=office.referee)
    yield "report_left_office", "Late Open"
    edit_tournament_details(report=late, based_on=1, values={"arbiters": "Piet Fluit"}, by=office.director)
    yield "report_changed", "Piet Fluit"
    write_note(report=late, text="Who was the arbiter?", by=office.director)
    yield "report_note", "Who was the arbiter?"
    draft = office.upload("Breda Open", PLAYERS, GAME).report
    findings = enumerate(draft.versions.get().findings)
    warnings = [index for index, found in findings if found["severity"] == "warning"]
    submit_report(report=draft, comments=dict.fromkeys(warnings, "so"), by=office.director)
    yield "report_submitted", "Breda Open"
    reject_report(report=office.submit("Delft Open", PLAYERS, GAME), reason="so", by=office.officer)
    yield "report_rejected", "Report rejected"
    with pytest.MonkeyPatch.context() as small:
        small.setattr("reporting.reports.services.upload.MOST_MEGABYTES_OF_REPORT", 0.0001)
        office_person = person("Olga", Role.RATING_OFFICER)
        draft = office.upload("Heavy Open", PLAYERS, GAME).report
    yield "storage_reached", "Heavy Open"
    notify_draft_deleted(draft, "Heavy Open", "so", office_person.user)  # the deletion is the web's alone
    yield "draft_deleted", "My reports"
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=APRIL, by=office.officer)
    freeze_period(period=period, reason="a test", by=office.officer)
    yield "report_next_list", "due 15 Feb 2026"
    person("Officer", Role.RATING_OFFICER)
    notify_list_published(RatingList.objects.get())
    yield "list_published", "100 squares, classical"
    notify_signed([f"{RatingList.objects.get().address}/r1"], 2, "0" * 64)
    yield "lists_signed", "100 squares, classical"
    notify_differences(["something"])
    yield "published_differs", "Open data"


def of_announcements(office: Office, on_day: Callable[..., None]) -> Story:
    person("Official", Role.NATIONAL_OFFICIAL, federation_id="NED")
    today = timezone.localdate()
    announced = announce_tournament(
        values=values(today + timedelta(days=30), country="NED"), by=office.referee
    )
    for days, kind in ((3, "report_due_soon"), (0, "report_due_today"), (-1, "report_overdue")):
        last = today + timedelta(days=days - 7)  # the report is due 7 days after it (Annex 9 art. 4.1)
        Tournament.objects.announced().update(played_from=last, played_to=last)
        send_report_reminders()
        yield kind, "Riverside Open"
    announced.refresh_from_db()
    send_report_reminder(announcement=announced, by=office.officer)
    yield "report_reminder", "Riverside Open"
    proposal = propose(announced, person("Proposer", Role.NATIONAL_OFFICIAL, federation_id="NED"))
    return_event(proposal=proposal, reason="Prizes are missing.", by=office.director)
    yield "world_cup_event", "Prizes are missing."
    Tournament.objects.announced().update(played_from=date(2026, 3, 8), played_to=date(2026, 3, 8))
    on_day(datetime(2026, 3, 12, 12, tzinfo=UTC), send_closing_reminders)  # the period closes on 15 March
    yield "period_closes", "Riverside Open"


def of_accounts(administrator: Actor) -> Story:
    by = person("Nils", Role.NATIONAL_OFFICIAL, federation_id="NED")
    accounts.invite(email="piet@mails.example", name="Piet", role=Role.REFEREE, federation="NED", by=by)
    yield "invitation", "piet@mails.example"
    accounts.request_password_reset(email=by.user.email)
    yield "password_reset", "New password"
    accounts.set_password(account=by.user, password="a-board-of-ten-by-ten")  # noqa: S106
    yield "password_changed", "Change password"
    accounts.request_email_change(email="new@mails.example", by=by)
    yield "email_change", "new@mails.example"
    yield "email_confirm", "new@mails.example"
    manage_accounts.change_roles(
        account=by.user, roles=[Role.NATIONAL_OFFICIAL, Role.REFEREE], federation="NED", reason="so",
        looked_at=manage_accounts.rights_summary(by.user), by=administrator,
    )  # fmt: skip
    yield "account_changed", "Referee"
    accounts.invite(
        email="ruth@mails.example", name="Ruth", role=Role.RATING_OFFICER, federation="", by=administrator
    )
    yield "account_changed", "Rating officer"  # to the other administrator, who confirms the role


def of_requests(office: Office) -> Story:
    doubted = CorrectionRequest(
        figure="rating", reference="rating:fmjd-100:2026-01-01:1:11", player=Player.objects.get(numbers__fmjd=11),
        pool="fmjd-100", pool_name="100 squares, classical",
        published_values={"rating": 2000, "change": None, "games": 100, "category": "A"},
    )  # fmt: skip
    asked = send_request(
        doubted=doubted, error_description="It is 2001.", proposed_value="", evidence="",
        name="Vera Visitor", email="vera@mails.example",
    )  # fmt: skip
    yield "request_received", "It is 2001."
    asked = confirm_sender(asked=asked)
    ask_visitor(asked=asked, question="Since when?", by=office.officer, looked_at=asked.waiting_since)
    yield "request_question", "Since when?"
    asked.refresh_from_db()
    answer_request(
        asked=asked, outcome="unchanged", basis="R9", text="It stays.", by=office.officer,
        looked_at=asked.waiting_since,
    )  # fmt: skip
    yield "request_answered", "It stays."


def of_titles(administrator: Actor) -> Story:
    official = person("Applicant", Role.NATIONAL_OFFICIAL, federation_id="NED").user
    application = TitleApplication.objects.create(
        player=Player.objects.get(numbers__fmjd=11), federation_id="NED", awarded_by="fmjd", discipline="100",
        title="MF", basis="norms", evidence={"norms": [], "requirements": [], "highest_rating": None},
        submitted_by=official,
    )  # fmt: skip
    step = {"move": "submit", "state": "submitted", "on": timezone.localdate(), "by": official}
    ApplicationStep.objects.create(application=application, **step)
    treasurer = person("Treasurer", Role.TOURNAMENT_DIRECTOR)
    move_application(
        application=application, move=ApplicationMove.MARK_PAID, on=timezone.localdate(), by=treasurer,
        reference="Invoice 12",
    )  # fmt: skip
    yield "title_application", "Invoice 12"


def of_alarms(on_day: Callable[..., None]) -> Iterator[tuple[str, str]]:
    heartbeat.record_heartbeat()
    on_day(timezone.now() + timedelta(hours=1), check_signs)
    yield "sign_missing", "System status"
    check_signs()
    yield "sign_back", "System status"
    cache.delete(heartbeat.KEY)


def of_webhooks(office: Office) -> Iterator[tuple[str, str]]:
    token = create_token(name="Mirror", scopes=[Scope.WEBHOOKS], days=30, by=office.referee).token
    with listening() as receiver:
        webhook = register_webhook(url=receiver.url(), token=token, by=office.referee).webhook
        receiver.answer = (410, {})
        public_change()
        deliver_webhooks()
    yield "webhook_ended", webhook.url


@pytest.mark.django_db
def test_every_mail_leads_to_what_it_is_about(
    settings: LazySettings, office: Office, on_day: Callable[..., None]
) -> None:
    settings.OFFICE_URL, settings.WEBHOOKS_TO_ANY_ADDRESS = "https://office.example.org", True
    administrator = person("Administrator", Role.ADMINISTRATOR)
    person("Second", Role.ADMINISTRATOR)
    shown, opened = set(), set()
    for story in (
        of_reports(office, on_day), of_announcements(office, on_day), of_accounts(administrator),
        of_requests(office), of_titles(administrator), of_webhooks(office), of_alarms(on_day),
    ):  # fmt: skip
        for kind, words in story:
            messages = Message.objects.filter(kind=kind).exclude(pk__in=opened)
            assert messages.exists(), kind
            for message in messages.select_related("recipient", "correction_request"):
                text = build_mail(message).body
                link = re.findall(r"https://office\.example\.org(/\S*)", text)[0]
                visitor = Visitor(None if kind in WITHOUT_LOG_IN else message.recipient)
                visitor.open(link)
                assert words in visitor.text, (kind, link)
                assert urldefrag(link).fragment == urldefrag(message.about).fragment, (kind, link)
                assert urldefrag(link).fragment in {"", *visitor.ids}, (kind, link)
                opened.add(message.pk)
            shown.add(kind)
    assert shown == set(message_kinds())

    referee = Visitor(office.referee.user)
    referee.open("/messages/")
    addresses = {link.attrib["href"] for link in referee.links()}
    abouts = Message.objects.filter(recipient=office.referee.user).values_list("about", flat=True)
    assert {re.sub(r"\?[^#]*", "", about) for about in abouts} <= addresses
