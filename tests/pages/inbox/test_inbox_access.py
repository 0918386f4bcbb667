"""The office's inbox and its page of a report × method × everybody: who looks, who decides, who finds nothing."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import Message, Report, Role, Tournament
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests import people
from tests.pages.small_report import small_report
from tests.people import create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

CANARY = "Canary Open"
PROMISED = "Canary Announced"
FILE = small_report(CANARY, ("06/02/2026", "08/02/2026"))
DETAILS = b'discipline = "100"\ntime_control = "120+0"\nannounced = 2026-01-01\nreceived = 2026-02-09\n'

# Who: role, federation; what they get by GET of either page, and what becomes of a report they return by POST.
PEOPLE: dict[str, tuple[Role | None, str | None, int, int, str]] = {
    "anonymous": (None, None, 302, 302, "submitted"),
    "its referee": (Role.REFEREE, "NED", 403, 403, "submitted"),
    "another referee": (Role.REFEREE, "NED", 403, 403, "submitted"),
    "official of NED": (Role.NATIONAL_OFFICIAL, "NED", 403, 403, "submitted"),
    "releasing officer": (Role.RELEASING_OFFICER, None, 403, 403, "submitted"),
    "title council": (Role.TITLE_COUNCIL, None, 403, 403, "submitted"),
    "rating officer": (Role.RATING_OFFICER, None, 200, 302, "returned"),
    "tournament director": (Role.TOURNAMENT_DIRECTOR, None, 200, 302, "returned"),
    "administrator": (Role.ADMINISTRATOR, None, 200, 403, "submitted"),
}


@pytest.fixture
def report() -> Report:
    maker = create_user("maker@example.org", "Maker", roles=[Role.REFEREE], federation_id="NED")
    uploaded = upload_report(content=FILE, filename="open.txt", sidecar=DETAILS, by=Actor(maker))
    Tournament.objects.create(
        name=PROMISED, country_id="NED", played_from="2026-03-01", played_to="2026-03-02", discipline="100",
        time_control="120+0", announced_by=maker, announced_on="2026-01-01",
    )  # fmt: skip
    findings = enumerate(uploaded.matching.findings)
    comments = {index: "so it is" for index, finding in findings if finding.severity == "warning"}
    return submit_report(report=uploaded.report, comments=comments, by=Actor(maker))


def client_of(who: str, report: Report) -> Client:
    role, federation, *_ = PEOPLE[who]
    if who == "its referee":
        return people.client_of(report.submitted_by)
    return logged_in(role, federation=federation)


@pytest.mark.parametrize("who", PEOPLE)
def test_who_looks(report: Report, who: str) -> None:
    expected, client = PEOPLE[who][2], client_of(who, report)
    for address, secrets in (
        (reverse("office-reports"), (CANARY, PROMISED)),
        (reverse("office-report", args=[report.pk]), (CANARY, "Vroom")),
    ):
        response = client.get(address)
        assert response.status_code == expected, address
        if who == "anonymous":
            assert response["Location"] == f"/login/?next={address}"
        else:
            assert response["Cache-Control"] == "private, no-store"
        for secret in secrets:
            assert (secret in response.text) is (expected == 200), secret


@pytest.mark.parametrize("who", PEOPLE)
def test_who_reminds(report: Report, who: str) -> None:
    """Of a tournament announced for March that is over; a reminder is a redirect to the inbox and one message."""
    _, _, _, expected, state = PEOPLE[who]
    announced = Tournament.objects.announced().get()
    client = client_of(who, report)
    address = reverse("office-report-remind", args=[announced.pk])
    assert client.get(address).status_code == (405 if PEOPLE[who][2] == 200 else PEOPLE[who][2])
    assert client.post(address).status_code == expected
    reminders = Message.objects.filter(kind="report_reminder", recipient=announced.announced_by)
    assert reminders.count() == (state == "returned")
    if state == "returned":
        assert PROMISED in reminders.get().text
        assert client.post(address).status_code == 409  # a moment ago
        assert client.post(reverse("office-report-remind", args=[announced.pk + 1])).status_code == 404
        assert reminders.count() == 1


@pytest.mark.parametrize(("name", "current"), [
    ("reports", ["My reports", "page"]), ("report-new", ["My reports", "true"]),
    ("report-announce", ["Announce", "page"]), ("office-dashboard", ["Dashboard", "page"]),
    ("office-reports", ["Inbox (1)", "page"]), ("office-requests", ["Requests", "page"]),
])  # fmt: skip
def test_one_link_of_the_band_says_where_the_reader_is(report: Report, name: str, current: list[str]) -> None:
    page = client_of("rating officer", report).get(reverse(name)).content.decode()
    marked = re.findall(r'class="masthead__link" href="[^"]+" aria-current="(\w+)">([^<]+)<', page)
    assert marked == [(current[1], current[0])]
