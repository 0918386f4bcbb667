"""The outbox against a mail server of our own: once each, whatever fails or runs next to it (guards.md F20).

The server speaks SMTP on this machine only; the senders are processes with connections of their own.
"""

import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.utils import timezone

from config.embedded import servers
from ratings.publishing.signs import Sign, missing_signs
from reporting.accounts.notifications import notify_password_changed
from reporting.messages.mail_choices import choose_mails
from reporting.messages.notifications import create_message
from reporting.messages.selectors import message_page
from reporting.messages.send_messages import retry_delay, send_messages
from reporting.models import Message, User
from reporting.tasks import send_messages as send_messages_task
from tests.concurrency import wait_until
from tests.people import create_user

ROOT = Path(__file__).resolve().parent.parent.parent

quick = pytest.mark.django_db
beside_others = pytest.mark.django_db(transaction=True)


# --- a mail server


class MailServer(socketserver.ThreadingTCPServer):
    """Takes mail; on asking it refuses a recipient, hangs up after the mail is in, or answers late."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.received: list[bytes] = []
        self.hangs_up = False
        self.refuses: set[str] = set()
        self.refusal = "550 no such person"
        self.refuses_data = False
        self.may_answer = threading.Event()
        self.may_answer.set()

    @property
    def mails(self) -> list[EmailMessage]:
        return [
            message_from_bytes(mail_sent.replace(b"\r\n", b"\n"), policy=policy.default)
            for mail_sent in self.received
        ]


class Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.say("220 here")
        for line in self.rfile:
            verb = line[:4].strip().upper().decode()
            if verb == "QUIT":
                self.say("221 bye")
                return
            if verb == "RCPT" and any(refuse.encode() in line for refuse in self.server.refuses):
                self.say(self.server.refusal)
            elif verb == "DATA" and self.server.refuses_data:
                self.say("554 not this one")
            elif verb == "DATA":
                self.say("354 go on")
                mail = b"".join(iter(self.rfile.readline, b".\r\n"))
                if self.server.hangs_up:
                    return
                self.server.received.append(mail)
                self.server.may_answer.wait(60)
                self.say("250 taken")
            else:
                self.say("250 well")


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.DEFAULT_FROM_EMAIL = "Rating Office <office@ratings.example>"
        yield server
        server.may_answer.set()
        server.shutdown()


def waiting_messages(number: int) -> list[Message]:
    for turn in range(number):
        person = create_user(f"person{turn}@example.org", f"Person {turn}")
        words = {"about": "/reports/7/", "title": f"Letter {turn}", "text": "Words."}
        create_message(kind=Message.Kind.REPORT_LATE, recipient=person, **words)
    return list(Message.objects.order_by("pk"))


def make_due() -> None:
    Message.objects.filter(sent_at__isnull=True).update(due_at=timezone.now() - timedelta(seconds=1))


def marks() -> list[tuple[int, bool]]:
    return [(message.attempts, message.sent_at is not None) for message in Message.objects.order_by("pk")]


# --- one sender


@quick
def test_what_waits_is_sent_once_with_the_words_of_the_row(server: MailServer) -> None:
    waiting_messages(3)
    assert send_messages_task() == 3
    assert send_messages_task() == 0
    assert [str(mail["Subject"]) for mail in server.mails] == ["Letter 0", "Letter 1", "Letter 2"]
    first = server.mails[0]
    assert (first["To"], first["From"]) == ("person0@example.org", "Rating Office <office@ratings.example>")
    assert first["Auto-Submitted"] == "auto-generated"
    assert first.get_content() == "Person 0,\n\nWords.\n\nRating Office\n"
    assert marks() == [(1, True)] * 3
    assert len({mail["Message-ID"] for mail in server.mails}) == 3
    assert all(mail["Message-ID"].endswith("@ratings.example>") for mail in server.mails)


@quick
def test_where_the_office_knows_its_address_the_mail_leads_to_the_page(server: MailServer, settings) -> None:
    settings.OFFICE_URL = "https://ratings.example/"
    waiting_messages(1)
    send_messages()
    mail = server.mails[0]
    assert "\n\nhttps://ratings.example/reports/7/\n" in mail.get_content()
    assert "Choose which mails you get: https://ratings.example/account/mails/\n" in mail.get_content()
    assert mail["List-Unsubscribe"].strip().startswith("<https://ratings.example/account/mails/stop/")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@quick
def test_a_mail_about_the_account_cannot_be_stopped_and_has_no_link_for_it(server, settings) -> None:
    settings.OFFICE_URL = "https://ratings.example/"
    person = create_user("person@example.org", "Person")
    choose_mails(account=person, kinds=[])
    notify_password_changed(person)
    assert send_messages() == 1
    mail = server.mails[0]
    assert "\n\nhttps://ratings.example/account/\n" in mail.get_content()
    assert mail["List-Unsubscribe"] is None


@quick
def test_a_mail_that_a_person_does_not_want_is_not_sent_and_stays_a_message(server: MailServer) -> None:
    waiting_messages(2)
    choose_mails(account=User.objects.get(email="person0@example.org"), kinds=["report_accepted"])
    assert send_messages() == 1
    assert server.mails[0]["To"] == "person1@example.org"
    assert marks() == [(0, True), (1, True)]
    # Wanted again: what was not mailed then is not mailed now.
    choose_mails(account=User.objects.get(email="person0@example.org"), kinds=["report_late"])
    assert send_messages() == 0


@quick
def test_a_closed_account_gets_no_mail(server: MailServer) -> None:
    waiting_messages(2)
    User.objects.filter(email="person0@example.org").update(is_active=False)
    assert send_messages() == 1
    assert server.mails[0]["To"] == "person1@example.org"


@quick
def test_a_round_ends_after_so_many_and_the_next_goes_on(server: MailServer) -> None:
    waiting_messages(5)
    assert [send_messages(most=2) for _ in range(4)] == [2, 2, 1, 0]


@quick
def test_where_no_mail_leaves_the_message_counts_as_delivered_on_its_page(settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    waiting_messages(2)
    assert send_messages() == 2
    assert marks() == [(1, True), (1, True)]


# --- a server that fails


@quick
def test_a_server_that_hangs_up_loses_nothing_and_is_asked_once_a_round(server: MailServer) -> None:
    waiting_messages(3)
    server.hangs_up = True
    assert send_messages() == 0
    assert marks() == [(1, False), (0, False), (0, False)]
    server.hangs_up = False
    make_due()
    assert send_messages() == 3
    assert sorted(str(mail["Subject"]) for mail in server.mails) == ["Letter 0", "Letter 1", "Letter 2"]
    assert send_messages() == 0


@quick
def test_no_server_at_all_loses_nothing(server: MailServer, settings) -> None:
    waiting_messages(2)
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1  # no one listens there
    for _ in range(3):
        make_due()
        assert send_messages() == 0
    assert sum(attempts for attempts, _ in marks()) == 3
    settings.EMAIL_PORT = port
    make_due()
    assert send_messages() == 2
    assert len(server.mails) == 2


@quick
@pytest.mark.parametrize("refused", ["recipient", "address"])
def test_one_that_is_refused_does_not_hold_up_the_others(server: MailServer, refused: str) -> None:
    waiting_messages(3)
    if refused == "recipient":
        server.refuses = {"person0@example.org"}
    else:
        User.objects.filter(email="person0@example.org").update(email="person0@a\nb.example")
    assert send_messages() == 2
    assert marks() == [(1, False), (1, True), (1, True)]
    assert send_messages() == 0, "it waits"
    if refused == "recipient":
        server.refuses = set()
        make_due()
        assert send_messages() == 1
        assert marks()[0] == (2, True)
    assert len(server.mails) == (3 if refused == "recipient" else 2)


@quick
@pytest.mark.parametrize(("refusal", "given_up"), [("550 no such person", True), ("450 try later", False)])
def test_a_mail_that_is_refused_for_good_is_given_up_after_five_days_and_its_alarm_ends(
    server: MailServer, refusal: str, given_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 5321: codes from 500 on are for good, those from 400 on are not."""
    (message,) = waiting_messages(1)
    server.refuses, server.refusal = {"person0"}, refusal
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=4, hours=23))
    send_messages()
    assert (marks(), Sign.MAIL in missing_signs()) == ([(1, False)], True)
    Message.objects.update(due_at=now)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=5, hours=1))
    assert send_messages() == 0
    assert (marks(), Sign.MAIL in missing_signs()) == ([(2, given_up)], not given_up)
    assert not server.received
    assert message_page(message.recipient).messages == [message]


@quick
def test_a_mail_that_the_server_does_not_like_waits_longer_each_time(server: MailServer) -> None:
    (message,) = waiting_messages(1)
    server.refuses_data = True
    for attempts in range(1, 4):
        make_due()
        before = timezone.now()
        assert send_messages() == 0
        message.refresh_from_db()
        assert message.attempts == attempts
        assert message.due_at >= before + retry_delay(attempts)
    assert [retry_delay(attempts).total_seconds() for attempts in (1, 2, 3, 7, 8, 100)] == [
        30, 60, 120, 1920, 3600, 3600,
    ]  # fmt: skip


# --- senders next to each other, and killed

SENDER = """
import sys, django
django.setup()
if "without-lock" in sys.argv:
    from django.db.models.query import QuerySet
    QuerySet.select_for_update = lambda self, **_: self
from reporting.tasks import send_messages
print(send_messages())
"""


@pytest.fixture
def start_sender(server: MailServer, environment) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a process that sends what waits, as the worker's account, in the test's database."""
    host = servers.postgres(Path(django_settings.VAR), durable=False).socket_directory
    address, port = server.server_address
    running = []

    def start(*arguments: str) -> subprocess.Popen:
        database = connection.settings_dict["NAME"]
        variables = environment | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
            "DATABASE_URL": f"postgres://app_worker@/{database}?host={host}",
            "BROKER_URL": "memory://",
            "EMAIL_URL": f"smtp://{address}:{port}",
            "DEFAULT_FROM_EMAIL": django_settings.DEFAULT_FROM_EMAIL,
        }
        run = [sys.executable, "-c", SENDER, *arguments]
        process = subprocess.Popen(run, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process

    yield start
    server.may_answer.set()
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def answer_of(sender: subprocess.Popen) -> int:
    said, _ = sender.communicate(timeout=60)
    assert sender.returncode == 0
    return int(said)


@beside_others
def test_twin_without_the_row_s_lock_it_is_sent_twice(server: MailServer, start_sender) -> None:
    waiting_messages(1)
    server.may_answer.clear()
    first = start_sender("without-lock")
    assert wait_until(lambda: len(server.received) == 1)
    second = start_sender("without-lock")
    assert wait_until(lambda: len(server.received) == 2)
    server.may_answer.set()
    assert (answer_of(first), answer_of(second)) == (1, 1)


@beside_others
def test_two_senders_share_what_waits_and_each_person_has_one(server: MailServer, start_sender) -> None:
    """Neither waits for the message that the other holds."""
    waiting_messages(40)
    server.may_answer.clear()
    senders = [start_sender() for _ in range(2)]
    assert wait_until(lambda: len(server.received) == 2), "both are at it"
    server.may_answer.set()
    assert sum(answer_of(sender) for sender in senders) == 40
    people = sorted(f"person{turn}@example.org" for turn in range(40))
    assert sorted(mail["To"] for mail in server.mails) == people
    assert marks() == [(1, True)] * 40


@beside_others
def test_killed_before_its_mark_it_is_sent_again_under_the_same_message_id(server, start_sender) -> None:
    """The one edge of at least once: the server has it, the row does not know."""
    waiting_messages(1)
    server.may_answer.clear()
    sender = start_sender()
    assert wait_until(lambda: len(server.received) == 1)
    sender.send_signal(signal.SIGKILL)
    sender.wait()
    server.may_answer.set()
    assert marks() == [(0, False)]
    assert wait_until(lambda: send_messages() == 1)
    first, second = server.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert marks() == [(1, True)]


# --- the settings


def test_the_clock_rings_every_half_minute_for_a_task_that_the_worker_knows() -> None:
    from config.celery import app

    app.loader.import_default_modules()
    rung = django_settings.CELERY_BEAT_SCHEDULE["send messages"]
    assert (rung["task"], rung["schedule"]) == (send_messages_task.name, 30.0)
    scheduled = {entry["task"] for entry in django_settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"reporting.send_reminders", "ratings.send_closing_reminders"} < scheduled < set(app.tasks)


@pytest.mark.parametrize(
    ("variables", "printed"),
    [
        ({}, "dummy None"),
        ({"EMAIL_URL": ""}, "dummy None"),
        ({"EMAIL_URL": "smtp+tls://u:p%40ss@mail.example:587"}, "smtp mail.example 587 True u p@ss"),
        ({"EMAIL_URL": "smtp+tls://u:p@mail.example:587", "DEMO": "1"}, "dummy None"),
    ],
)
def test_mail_leaves_only_through_a_server_that_was_named_and_never_from_the_demonstration(
    environment, variables: dict[str, str], printed: str
) -> None:
    program = (
        "from config import settings as s; print(s.EMAIL_BACKEND.split('.')[-2], s.EMAIL_HOST, *("
        "(s.EMAIL_PORT, s.EMAIL_USE_TLS, s.EMAIL_HOST_USER, s.EMAIL_HOST_PASSWORD) if s.EMAIL_HOST else ()))"
    )
    plain = {name: value for name, value in environment.items() if name not in {"DEMO", "EMAIL_URL"}}
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, cwd=ROOT, env=plain | variables, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed
