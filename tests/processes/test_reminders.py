"""Reminders from the scheduler and the worker to a mail server and the page of messages: each once."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from config.processes import BEAT, WORKER
from ratings.federations.fmjd.rules.calendar import period_of
from ratings.federations.fmjd.rules.parameters import edition_in_force
from reporting.messages.mail_choices import choose_mails, mailed_kinds
from reporting.messages.notifications import format_day
from reporting.models import Role, Tournament
from reporting.reports.services.announce import announce_tournament
from reporting.reports.services.review import Remark, return_report
from tests.people import create_user
from tests.processes.faults.fault_tools import ServiceProcesses, wait_until
from tests.services.conftest import Office, office  # noqa: F401 - the small office of the service tests
from tests.services.test_announce import values
from tests.services.test_outbox import MailServer, server  # noqa: F401 - the mail server of the outbox

TASKS = ("reporting.send_reminders", "ratings.send_closing_reminders", "reporting.send_messages")


class OtherDays:
    """A worker and a scheduler that remind all the time, and whose today is a day of the test's choice."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._days = folder / "days"
        self._processes = ServiceProcesses(folder, environment)
        self.close = self._processes.close

    def start(self) -> None:
        for command in (WORKER, BEAT):
            self._processes.start(command, fault="reminders at once, later day")

    def go_to(self, day: date) -> None:
        written = self._days.with_suffix(".new")
        written.write_text(str((day - timezone.localdate()).days))
        written.replace(self._days)

    def wait_for(self, mails: int, server: MailServer) -> None:  # noqa: F811
        """Until so many are there and each task has run twice more, with nothing left to do."""
        assert wait_until(lambda: len(server.received) >= mails), self._processes.log.read_text()[-3000:]
        before = self.ran_for_nothing()
        assert wait_until(
            lambda: all(now >= then + 2 for now, then in zip(self.ran_for_nothing(), before, strict=True))
        )

    def ran_for_nothing(self) -> list[int]:
        return [self._processes.count_in_log(f'"{task}", "return_value": "0"') for task in TASKS]


@pytest.fixture
def other_days(environment: dict[str, str], tmp_path: Path, server: MailServer):  # noqa: F811
    host, port = server.server_address
    mail = {"EMAIL_URL": f"smtp://{host}:{port}", "OFFICE_URL": "https://ratings.example"}
    other_days = OtherDays(tmp_path, environment | mail)
    yield other_days
    other_days.close()


def announce(office: Office, name: str, last_round: date) -> None:  # noqa: F811
    first = timezone.localdate() + timedelta(days=30)
    announced = announce_tournament(values=values(first, name=name, country="NED"), by=office.referee)
    Tournament.objects.announced().filter(pk=announced.pk).update(
        played_from=last_round, played_to=last_round
    )


@pytest.mark.django_db(transaction=True)
def test_reminders_arrive_on_their_day_once_and_one_kind_only_on_the_page(
    office: Office,  # noqa: F811
    other_days: OtherDays,
    server: MailServer,  # noqa: F811
    client: Client,
) -> None:
    """A report is due 7 days after its last round; one that is returned today is unanswered for a week on `day`."""
    today = timezone.localdate()
    closing = period_of(edition_in_force(today), today + timedelta(days=21)).closing
    day = closing - timedelta(days=14)

    def due(days: int) -> str:
        return format_day(day + timedelta(days=days))

    office.register(11, 12)
    official = create_user(
        "official@example.org", "Official", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED"
    )
    choose_mails(account=official, kinds=set(mailed_kinds(official)) - {"report_overdue"})
    for name, days in (("Soon Open", 3), ("Today Open", 0), ("Yesterday Open", -1)):
        announce(office, name, last_round=day + timedelta(days=days - 7))
    report = office.submit("Gouda Open", [11, 12], ["1 1 2 2-0"])
    return_report(report=report, remarks=[Remark("Check the dates.")], by=office.officer)

    other_days.go_to(day)
    other_days.start()
    other_days.wait_for(6, server)
    referee = {
        "Returned: Gouda Open",
        "Waiting for your answer: Gouda Open",
        f"Report due on {due(3)}: Soon Open",
        "Report due today: Today Open",
        "Report overdue: Yesterday Open",
    }
    closes = ("official@example.org", f"Closing date: {format_day(closing)}")
    first_day = sorted([closes, *(("referee@example.org", title) for title in referee)])
    assert sorted((mail["To"], str(mail["Subject"])) for mail in server.mails) == first_day

    server.received.clear()
    other_days.go_to(closing - timedelta(days=3))
    other_days.wait_for(3, server)
    overdue = [("referee@example.org", f"Report overdue: {name} Open") for name in ("Soon", "Today")]
    assert sorted((mail["To"], str(mail["Subject"])) for mail in server.mails) == [closes, *overdue]
    for mail in server.mails:
        assert mail["List-Unsubscribe"].strip().startswith("<https://ratings.example/account/mails/stop/")
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    client.force_login(official)
    messages = client.get("/messages/").text
    for name in ("Soon", "Today", "Yesterday"):
        assert messages.count(f"Report overdue: {name} Open") == 1
