"""Contacts, languages, assistants, sponsors, special cases (Annex 9 art. 4.1.1): for submitter and office alone."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.services.upload import upload_report
from reporting.rules.details.known_details import private_details
from tests.people import client_of, create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

DETAILS = {
    "referee_contacts": "canary-one@example.org", "referee_languages": "canary-two",
    "assistant_referees": "canary-three", "sponsors": "canary-four", "special_cases": "canary-five",
}  # fmt: skip
SIDECAR = "".join(f'{name} = "{value}"\n' for name, value in DETAILS.items()).encode()


@pytest.fixture
def report() -> Report:
    user = create_user("maker@example.org", "Maker", roles=[Role.REFEREE], federation_id="NED")
    content = b"<section Info>\nname = Open\n</end info>\n"
    return upload_report(content=content, filename="x.txt", sidecar=SIDECAR, by=Actor(user)).report


def pages_with_details(client: Client, report: Report) -> set[str]:
    """Which of the report's pages hold any of the private details."""
    addresses = {
        name: reverse(name, args=[report.pk, *more])
        for name, more in {
            "report": (), "report-file": (), "report-details": (), "report-people": (), "report-preview": (),
            "report-submit": (), "report-changes": (1, 2), "office-report": (),
        }.items()
    }  # fmt: skip
    found = set()
    for name, address in addresses.items():
        page: Any = client.get(address)
        if page.status_code == 200 and any(value in page.text for value in DETAILS.values()):
            found.add(name)
    return found


@pytest.mark.parametrize(("role", "where"), [
    (None, {"report-details", "report-changes"}),
    (Role.RATING_OFFICER, {"report-details", "report-changes", "office-report"}),
    (Role.TOURNAMENT_DIRECTOR, {"report-details", "report-changes", "office-report"}),
    (Role.ADMINISTRATOR, {"report-details", "report-changes", "office-report"}),
    (Role.NATIONAL_OFFICIAL, set()),
    (Role.REFEREE, set()),
])  # fmt: skip
def test_private_details_are_shown_only_to_the_submitter_and_the_office(
    report: Report, role: Role | None, where: set[str]
) -> None:
    assert set(DETAILS) == set(private_details())
    official = client_of(
        create_user("of@example.org", "Of", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED")
    )
    # A national official saves the other details; what they do not see stays, whatever they send.
    sent = {"based_on": "1", "discipline": "64", "sponsors": "somebody else"}
    saved = official.post(reverse("report-details", args=[report.pk]), sent)
    assert saved.status_code == 302
    version = report.versions.get(number=2)
    assert detail_values(bytes(version.sidecar)) == {"discipline": "64"} | DETAILS
    reader = logged_in(role, federation="NED") if role else client_of(report.submitted_by)
    assert pages_with_details(reader, report) == where


def test_the_submitter_saves_private_details_in_several_lines(report: Report) -> None:
    client = client_of(report.submitted_by)
    typed = {"based_on": "1", "special_cases": "Round 3: won.\r\nRound 5: late.", "sponsors": ""}
    typed |= {"standings_0": "short", "standings_2": "sb", "standings_5": "wins", "unplayed": "virtual"}
    assert client.post(reverse("report-details", args=[report.pk]), typed).status_code == 302
    details = detail_values(bytes(report.versions.get(number=2).sidecar))
    assert details["special_cases"].split() == ["Round", "3:", "won.", "Round", "5:", "late."]
    assert "sponsors" not in details
    assert (details["standings"], details["unplayed"]) == (["short", "sb", "wins"], "virtual")
    page = client.get(reverse("report-details", args=[report.pk])).text
    assert "Private: only for the submitter and the office" in page
    assert "Round 3: won." in page
    assert [f'value="{key}" selected' in page for key in ("short", "sb", "wins", "virtual")] == [True] * 4
