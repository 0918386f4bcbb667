"""The detail that a finding asks for, given with one button or one field (decision 0089)."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.upload import upload_report
from reporting.reports.views.reports import steps
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FILE = Path(__file__).parents[2] / "files/dyke-town-open-2026.trf"


@pytest.fixture
def report(client: Client) -> Report:
    """A file in 1-½-0 with one wrong total, so that its scale is proposed and not taken."""
    user = create_user("r@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    client.force_login(user)
    content = FILE.read_bytes().replace(b"2.5    8     8 w", b"2.0    8     8 w")
    sidecar = b'discipline = "100"\ntime_control = "900+10"\n'
    return upload_report(content=content, filename=FILE.name, sidecar=sidecar, by=Actor(user)).report


def give(client: Client, report: Report, detail: str, value: str, based_on: int = 1, **more: str):  # type: ignore[no-untyped-def]
    address = reverse("report-detail", args=[report.pk])
    return client.post(address, {"based_on": based_on, "detail": detail, detail: value} | more)


def proposals(report: Report) -> dict[str, str]:
    findings = open_report(report.pk).findings
    return {found.asked_detail: found.proposed_value for found in findings if found.asked_detail}


def test_a_proposed_value_is_accepted_with_one_button(client: Client, report: Report) -> None:
    before = open_report(report.pk)
    assert proposals(report) == {"points": "1-0.5-0", "time_control": "15+10"}
    # The file asks for a detail, so neither step is done.
    assert {step.name for step in steps(before, "file") if not step.done} >= {"file", "details"}
    answer = give(client, report, "points", proposals(report)["points"])
    assert answer.url == f"/reports/{report.pk}/file/#file"
    answer = give(client, report, "time_control", proposals(report)["time_control"], 2, back="details")
    assert answer.url == f"/reports/{report.pk}/details/#details"
    after = open_report(report.pk)
    assert after.sidecar.values == {"discipline": "100", "time_control": "15+10", "points": "1-0.5-0"}
    assert "points-differ" in {finding.code for finding in after.findings}
    assert proposals(report) == {}
    assert next(step for step in steps(after, "file") if step.name == "details").done


def test_an_old_page_changes_nothing_and_keeps_what_was_typed(client: Client, report: Report) -> None:
    give(client, report, "referee", "Mara Linde")
    answer = give(client, report, "time_control", "16+10", based_on=1)
    assert (answer.status_code, report.versions.count()) == (409, 2)
    page = answer.content.decode()
    assert 'value="16+10"' in page
    assert 'name="based_on" value="2"' in page


def test_a_detail_that_no_page_asks_for_is_not_there(client: Client, report: Report) -> None:
    for detail in ("received", "admit", "nonsense", ""):
        assert give(client, report, detail, "2026-11-10").status_code == 404
    sent = {"based_on": 1, "detail": "referee", "referee": "x" * 9_000}
    answer = client.post(reverse("report-detail", args=[report.pk]), sent)
    assert answer.status_code == 400
    assert report.versions.count() == 1
