"""Every address of a report × everybody: its maker, their official and the office; for others it is not there."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.services.upload import upload_report
from tests import people
from tests.people import create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

OK, GONE, FORBIDDEN, LOGIN, NOT_THUS = 200, 404, 403, 302, 405

# Who: roles, federation; and what they get of a report that a referee of NED made.
PEOPLE = {
    "anonymous": (None, None, LOGIN, LOGIN),
    "the referee": (Role.REFEREE, "NED", OK, OK),
    "another referee": (Role.REFEREE, "NED", OK, GONE),
    "official of NED": (Role.NATIONAL_OFFICIAL, "NED", OK, OK),
    "official of BEL": (Role.NATIONAL_OFFICIAL, "BEL", OK, GONE),
    "official without federation": (Role.NATIONAL_OFFICIAL, None, OK, GONE),
    "rating officer": (Role.RATING_OFFICER, None, OK, OK),
    "tournament director": (Role.TOURNAMENT_DIRECTOR, None, OK, OK),
    "releasing officer": (Role.RELEASING_OFFICER, None, FORBIDDEN, FORBIDDEN),
    "title council": (Role.TITLE_COUNCIL, None, FORBIDDEN, FORBIDDEN),
    "administrator": (Role.ADMINISTRATOR, None, FORBIDDEN, OK),
}
OWN = {"reports": (), "report-new": ()}
OF_A_REPORT = {
    "report": (), "report-file": (), "report-details": (), "report-people": (), "report-preview": (),
    "report-submit": (), "report-changes": (1, 1), "report-original": (1,), "report-people-look-up": (),
    "report-notes": (),
}  # fmt: skip
RESULTS_ENTRY = {
    "report-results-entry-players": (), "report-results-entry-round": (1,), "report-results-entry-crosstable": (),
}  # fmt: skip
SENT_TO = (
    "report-file", "report-details", "report-people", "report-submit", "report-withdraw", "report-announcement",
    "report-correct", "report-detail", "report-take-back", "report-restore",
)  # fmt: skip
SECRET = b"Canary Open of nobodys business"


@pytest.fixture
def report() -> Report:
    user = create_user("maker@example.org", "Maker", roles=[Role.REFEREE], federation_id="NED")
    content = b"<section Info>\nname = " + SECRET + b"\n</end info>\n"
    return upload_report(content=content, filename="x.txt", sidecar=b"", by=Actor(user)).report


def client_of(who: str, report: Report) -> Client:
    role, federation, *_ = PEOPLE[who]
    if who == "the referee":
        return people.client_of(report.submitted_by)
    return logged_in(role, federation=federation)


@pytest.mark.parametrize("who", PEOPLE)
def test_addresses_of_reports_are_open_to(report: Report, who: str) -> None:
    client = client_of(who, report)
    _, _, own, of_report = PEOPLE[who]
    for name in OWN:
        assert client.get(reverse(name)).status_code == own, name
    for name, arguments in (OF_A_REPORT | RESULTS_ENTRY).items():
        response = client.get(reverse(name, args=(report.pk, *arguments)))
        fills_in = name in OF_A_REPORT or who != "administrator"
        assert response.status_code == (of_report if fills_in else FORBIDDEN), name
        body = b"".join(response.streaming_content) if response.streaming else response.content
        if of_report != OK:
            assert SECRET not in body, name
        if who != "anonymous":
            assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("who", PEOPLE)
def test_no_other_person_changes_a_report(report: Report, who: str) -> None:
    """Every address by POST: who may not see the report changes nothing, whatever they send."""
    client = client_of(who, report)
    allowed = PEOPLE[who][3] == OK and who != "administrator"
    data = {
        "based_on": "1", "edit-2-8-6": "Altered", "referee": "Somebody", "detail": "referee",
        "reason": "no reason", "comment-0": "x",
    }  # fmt: skip
    if who != "the referee":  # nor deletes it, even where it may be changed; the office with a reason
        deleted = client.post(reverse("report-delete", args=(report.pk,)), {"based_on": 1})
        needs_reason = {409} if who in ("rating officer", "tournament director") else set()
        assert deleted.status_code in {GONE, FORBIDDEN, LOGIN} | needs_reason
    for name in SENT_TO:
        response = client.post(reverse(name, args=(report.pk,)), data)
        if not allowed:
            assert response.status_code in {GONE, FORBIDDEN, LOGIN}, name
    report.refresh_from_db()
    assert (report.versions.count() == 1 and report.state == "draft") is not allowed


@pytest.mark.parametrize("name", ["reports", "report", "report-preview", "report-changes", "report-original"])
def test_pages_that_only_show_take_no_post(report: Report, name: str) -> None:
    client = client_of("the referee", report)
    arguments = () if name == "reports" else (report.pk, *OF_A_REPORT[name])
    assert client.post(reverse(name, args=arguments)).status_code == NOT_THUS


def test_a_list_of_reports_holds_only_what_is_ones_own(report: Report) -> None:
    """Compared by content: who may not see the report does not find its name in their list."""
    for who, (_, _, own, of_report) in PEOPLE.items():
        if own != OK or who in ("rating officer", "tournament director"):
            continue  # the office's list is its inbox
        found = SECRET in client_of(who, report).get(reverse("reports")).content
        assert found is (of_report == OK), who


def test_the_original_is_saved_and_never_run_by_a_browser(report: Report) -> None:
    response: Any = client_of("the referee", report).get(reverse("report-original", args=(report.pk, 1)))
    assert response.content.startswith(b"<section Info>")
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"]


def test_an_administrator_reads_a_report_and_is_offered_no_form(report: Report) -> None:
    """U14: administrators see everything and submit nothing; the referee is offered forms on these pages (the twin)."""
    administrator, referee = client_of("administrator", report), client_of("the referee", report)
    offered = set()
    for name, arguments in OF_A_REPORT.items():
        address = reverse(name, args=(report.pk, *arguments))
        pages = [client.get(address).content.decode() for client in (administrator, referee)]
        main = [page.partition("<main")[2].partition("</main>")[0] for page in pages]
        assert "<form" not in main[0], name
        assert "csrfmiddlewaretoken" not in main[0], name
        if "<form" in main[1]:
            offered.add(name)
    assert offered == {"report", "report-file", "report-details", "report-people", "report-submit"}
    before = list(report.versions.values()), Report.objects.values().get(pk=report.pk)
    for name in SENT_TO:
        response = administrator.post(reverse(name, args=(report.pk,)), {"based_on": "1", "open": "1"})
        assert response.status_code == FORBIDDEN, name
    for name, arguments in RESULTS_ENTRY.items():
        assert administrator.post(reverse(name, args=(report.pk, *arguments))).status_code == FORBIDDEN
    assert (list(report.versions.values()), Report.objects.values().get(pk=report.pk)) == before
