"""Signs of success that are missing: administrators are told once, and once more when they are back."""

import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.embedded.broker_server import Broker
from ratings.publishing.signs import Sign, check_signs, missing_signs, read_signs
from ratings.worker import heartbeat
from ratings.worker.worker_signal import messages_in_queue
from reporting.log.audit import OFFICER
from reporting.models import LogEntry, Message, Role, User
from tests.concurrency import run_concurrently
from tests.people import create_user

pytestmark = pytest.mark.django_db

NIGHT = {"backup": "backup.write", "verification": "published.verify"}


@pytest.fixture(autouse=True)
def administrators() -> Iterator[list[User]]:
    """Two of them, a worker that has just responded, and a backup and a verification of this moment."""
    heartbeat.record_heartbeat()
    yield [create_user(f"{name}@signs.example", name, roles=[Role.ADMINISTRATOR]) for name in ("Ada", "Bo")]
    cache.delete(heartbeat.KEY)


@pytest.fixture
def after(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """So much later nothing else has happened."""
    now = timezone.now

    def wait(**time: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(**time))

    return wait


def succeeded(sign: str) -> None:
    command = User.objects.get(email=OFFICER)
    LogEntry.objects.create(actor=command, action=NIGHT[sign], subject="a test", at=timezone.now())


def told() -> list[tuple[str, str]]:
    """Kind and sign of each message, oldest first; those to both administrators as one."""
    messages = Message.objects.filter(kind__startswith="sign_").order_by("pk")
    seen = [(message.kind, message.about.partition("=")[2].partition("-")[0]) for message in messages]
    assert seen[::2] == seen[1::2]
    return seen[::2]


def test_each_sign_is_missing_after_its_own_time(after: Callable[..., None], administrators: list[User]):
    """10 minutes without a heartbeat, 2 hours of waiting mail, 26 hours without a backup or a verification.

    In a new installation without both the hours count from its first migration, which is this day's or younger.
    """
    mail = {"kind": "account_changed", "about": "/", "title": "a", "text": "b"}
    Message.objects.create(recipient=administrators[0], **mail)
    assert missing_signs() == {}
    for sign in NIGHT:
        succeeded(sign)
    night = (1559, 1561)  # 26 hours have 1560 minutes
    times = {Sign.WORKER: (9, 11), Sign.MAIL: (119, 121), Sign.BACKUP: night, Sign.VERIFICATION: night}
    for sign, (in_time, too_late) in times.items():
        after(minutes=in_time)
        assert sign not in missing_signs()
        after(minutes=too_late)
        assert sign in missing_signs()
    succeeded("backup")
    assert set(missing_signs()) == {Sign.WORKER, Sign.MAIL, Sign.VERIFICATION}


def test_an_installation_without_any_backup_is_told_of_it(after: Callable[..., None]) -> None:
    after(hours=27)
    heartbeat.record_heartbeat()
    assert set(check_signs()) == {Sign.BACKUP, Sign.VERIFICATION}
    assert told() == [("sign_missing", "backup"), ("sign_missing", "verification")]
    text = Message.objects.filter(about__contains="backup").first().text  # type: ignore[union-attr]
    assert text.startswith("No backup was written since ")


def test_one_message_when_it_is_missing_one_when_it_is_back_and_again(after: Callable[..., None]) -> None:
    for sign in NIGHT:
        succeeded(sign)
    check_signs()
    assert told() == []
    for minutes in (11, 16, 21):
        after(minutes=minutes)
        assert set(check_signs()) == {Sign.WORKER}
    assert told() == [("sign_missing", "worker")]
    heartbeat.record_heartbeat()
    for _ in range(2):
        assert check_signs() == {}
    assert told() == [("sign_missing", "worker"), ("sign_back", "worker")]
    after(minutes=60)
    check_signs()
    assert told()[2:] == [("sign_missing", "worker")]
    assert Message.objects.filter(kind="sign_missing").last().title == (  # type: ignore[union-attr]
        "Alarm: The worker or the scheduler does not respond"
    )


def test_a_demonstration_of_some_hours_needs_no_night(settings: Any, after: Callable[..., None]) -> None:
    settings.DEMO = True
    after(days=3)
    heartbeat.record_heartbeat()
    assert check_signs() == {}


@pytest.mark.django_db(transaction=True)
def test_two_checks_at_once_write_one_message_to_each(after: Callable[..., None]) -> None:
    """Those of the worker and of the machine's own scheduler."""
    after(minutes=11)
    assert [set(found) for found in run_concurrently(check_signs, check_signs)] == [{Sign.WORKER}] * 2  # type: ignore[call-overload]
    assert told() == [("sign_missing", "worker")]


def test_the_command_mails_by_itself_what_a_dead_worker_cannot(settings: Any, after: Callable[..., None]):
    """A cache that was emptied knows no heartbeat. The status of the command is 1, and 0 with a heartbeat."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    cache.delete(heartbeat.KEY)
    with pytest.raises(CommandError, match=r"^The worker or the scheduler does not respond \(unknown\)$"):
        call_command("check_signs")
    assert [message.to for message in mail.outbox] == [["ada@signs.example"], ["bo@signs.example"]]
    assert "No heartbeat is known. " in mail.outbox[0].body
    heartbeat.record_heartbeat()
    out = io.StringIO()
    call_command("check_signs", stdout=out)
    assert out.getvalue() == "Worker, backup, verification and mail are as they should be.\n"
    assert [message.subject.partition(":")[0] for message in mail.outbox[2:]] == ["Alarm ended"] * 2


def test_the_queue_tells_which_of_worker_and_scheduler_stopped(tmp_path, monkeypatch) -> None:
    """Counted at a real broker: empty, two messages, away. Reading creates and takes nothing."""
    from celery import current_app

    broker = Broker(tmp_path / "var")
    broker.start()
    monkeypatch.setattr(current_app.conf, "broker_read_url", f"redis+socket://{broker.socket}")
    monkeypatch.setattr(current_app.conf, "broker_write_url", f"redis+socket://{broker.socket}")
    cache.delete(heartbeat.KEY)
    try:
        assert messages_in_queue() == 0
        for _ in range(2):
            current_app.send_task("ratings.look_for_work")
        assert [messages_in_queue(), messages_in_queue()] == [2, 2]
        check_signs()
    finally:
        current_app.close()
        broker.stop()
    text = Message.objects.filter(kind="sign_missing")[0].text
    assert "the scheduler runs, and the worker takes none." in text
    assert messages_in_queue() is None


def test_the_signs_cost_three_queries(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(3):
        assert read_signs().mail == 0
