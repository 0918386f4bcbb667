"""A counted report is corrected in the browser, from its referee to the published revision, and never rated twice.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2). Against an equal We is 1 a game, so two wins bring 7.5 × (4 − 2) = 15 points.
"""

import re
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from office_pages import client_of, text_of
from office_reports import decide, newest_answers

from ratings.models import RatingList
from ratings.tasks import look_for_work
from reporting.models import Report, Role, User
from tests.services.conftest import Office, office  # noqa: F401 - the small office of the service tests
from tests.services.correction_work import (
    APRIL,
    JULY,
    ONE_EACH,
    SPRING,
    manifest,
    one_list,
    ratings,
)

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

CORRECT_LIST = "/office/lists/fmjd-100/2025-04-01/correct/"
LIST = "/office/lists/fmjd-100/2025-04-01/"


@pytest.fixture
def april(office: Office) -> RatingList:  # noqa: F811
    """11 beat 12 twice in the Spring: 2015 and 1985 on the published list of April."""
    rating_list, _ = one_list(office)
    return rating_list


def person(office: Office, role: Role) -> Client:  # noqa: F811
    return client_of(User.objects.create_user(f"{role}@example.org", f"The {role}", roles=[role]))


def submitted(referee: Client, report: Report) -> Report:
    """Every warning is commented on and the report submitted."""
    comments = {f"answer-{index}": text for index, text in newest_answers(report).items()}
    number = report.versions.latest("number").number
    address = reverse("report-hand-in", args=[report.pk])
    response = referee.post(address, {"based_on": number, **comments})
    assert response.status_code == 302, text_of(response)
    report.refresh_from_db()
    return report


def accepted(officer: Client, report: Report, **choice: Any) -> Report:
    """It is late, so it is admitted with a reason (R11)."""
    response = decide(officer, report, "accept", words="The games were published at once.", **choice)
    assert response.status_code == 302, text_of(response)
    report.refresh_from_db()
    return report


def revised(officer: Client, releaser: Client, report: Report) -> RatingList:
    """The list is corrected with this report, calculated by the worker, approved and published by two persons."""
    asked = {"reason": "White lost the second game.", "take_in": report.pk, "later": "carry"}
    assert officer.post(CORRECT_LIST, asked).status_code == 302
    assert look_for_work() == 1
    draft = RatingList.objects.get(state="ready")
    for anomaly in draft.anomalies.all():
        officer.post(f"{LIST}anomalies/{anomaly.pk}/", {"text": "Looked at with the referee."})
    for client, act in ((officer, "approve"), (releaser, "release")):
        assert client.post(f"{LIST}{act}/", {"sha256": draft.sha256}).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.revision) == ("published", 2)
    return draft


def values_on(page: str) -> dict[str, str]:
    """What the details form would send if it were saved as it stands."""
    values = {
        name: value
        for name, value in re.findall(r'<input[^>]*name="(\w+)"[^>]*?value="([^"]*)"', page)
        if name not in {"csrfmiddlewaretoken", "announcement"}
    }
    for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        values[name] = chosen[1] if chosen else ""
    return values


def test_a_report_that_names_the_tournament_it_corrects_takes_its_place_and_counts_once(
    office: Office,  # noqa: F811
    april: RatingList,
) -> None:
    """Corrected: each won a game, so both have 2000 on the revision, and in July."""
    referee, officer = client_of(office.referee.user), person(office, Role.RATING_OFFICER)
    releaser = person(office, Role.RELEASING_OFFICER)
    file = SimpleUploadedFile("spring.txt", office.report_file("Spring", [11, 12], ONE_EACH, *SPRING.values()))
    assert referee.post(reverse("report-new"), {"file": file}).status_code == 302
    report = Report.objects.latest("pk")
    address = reverse("report-facts", args=[report.pk])
    details = values_on(referee.get(address).content.decode())
    details |= {"discipline": "100", "time_control": "120+0", "corrects": "2025-spring"}
    assert referee.post(address, details).status_code == 302
    report = accepted(officer, submitted(referee, report))
    assert report.corrects is not None
    assert (report.corrects.code, report.corrects.correction) == ("2025-spring", 0)
    assert (report.tournament.code, report.tournament.correction) == ("2025-spring", 1)
    revision = revised(officer, releaser, report)
    assert (manifest(revision), ratings(revision, 11, 12)) == ({("2025-spring", 1)}, (2000, 2000))
    july = office.run(JULY)  # starts from the revision, and counts nothing of the Spring again
    assert (manifest(july), ratings(july, 11, 12)) == (set(), (2000, 2000))
