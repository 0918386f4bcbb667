"""Nothing is lost or doubled on the way through the pages: files sent again, newcomers, old pages, forms sent twice."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from office_pages import client_of

from reporting.log.audit import Actor
from reporting.models import Report, Role, User
from reporting.register.services.import_register import import_register
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cleared_rate_limits")]
FILES = Path(__file__).parents[1] / "files"
IJSSEL_CUP = (FILES / "ijssel-cup-2026.trf").read_bytes()


@pytest.fixture
def referee() -> User:
    return create_user("ferrer@example.org", "Rosalind Ferrer", roles=[Role.REFEREE])


@pytest.fixture
def officer() -> User:
    return create_user("office@example.org", "Ada Officer", roles=[Role.RATING_OFFICER])


@pytest.fixture
def ijssel_players(officer: User) -> None:
    """The twelve players of the file, each with a number."""
    lines = ["fmjd_id,last_name,first_name,federation,sex,born,title"]
    for line in IJSSEL_CUP.decode().splitlines():
        if line.startswith("001"):
            last, first = line[14:47].strip().split(", ")
            sex = "W" if line[9] == "w" else "M"
            lines.append(f"{100 + int(line[4:8])},{last},{first},NED,{sex},{line[69:73]},")
    import_register(content="\n".join(lines).encode(), by=Actor(officer))


def upload(page: Visitor, filename: str, content: bytes) -> None:
    page.open("/reports/new/")
    page.attach("Report file", filename, content)
    page.press("Upload report")


def submit(page: Visitor) -> None:
    page.open_link("Submission", nth=0)
    for box in page.textboxes():
        page.fill(box, "As the arbiter wrote it down.")
    page.press("Submit report")
    assert "Report submitted." in page.text


def completed(page: Visitor, **details: str) -> None:
    """The details of a report that its file does not have."""
    page.open_link("Details", nth=0)
    for name, value in ({"discipline": "100", "time_control": "80+30"} | details).items():
        field = page.by_id(f"id_{name}")
        (page.choose if field.tag == "select" else page.fill)(field, value)
    page.press("Save details")


@pytest.mark.usefixtures("ijssel_players")
def test_a_submitted_report_survives_its_own_file_and_is_taken_back_on_purpose(
    referee: User, officer: User
) -> None:
    """R24b. The file with its details was once taken back to a draft, and lost them, by the same file again."""
    page, inbox = Visitor(referee), Visitor(officer)
    upload(page, "cup.trf", IJSSEL_CUP)
    completed(page, points="1-0.5-0", assistant_referees="Wietske Plas")
    submit(page)
    report = Report.objects.get()

    upload(page, "cup.trf", IJSSEL_CUP)
    assert page.address == f"/reports/{report.pk}/file/"
    assert "You have already uploaded this file. Nothing was changed." in page.text
    several = [SimpleUploadedFile(name, IJSSEL_CUP) for name in ("a.trf", "b.trf")]
    client = client_of(referee)
    assert client.post("/reports/new/", {"file": several}).text.count("already uploaded") == 2
    inbox.open("/office/reports/")
    assert "Zwolle IJssel Cup" in inbox.text
    page.open(f"/reports/{report.pk}/details/")
    assert page.value(page.by_id("id_assistant_referees")) == "Wietske Plas"
    assert page.buttons("Save details") == []

    page.open_link("take it back")
    page.fill("Reason", "Board 3 of round 2.", nth=0)
    page.press("Take report back")
    assert "The report is a draft again." in page.text
    inbox.open("/office/reports/?state=office")
    assert "Zwolle IJssel Cup" not in inbox.text
    inbox.open("/messages/")
    assert "Taken back: Zwolle IJssel Cup" in inbox.text
    assert "Board 3 of round 2." in inbox.text

    completed(page, assistant_referees="No one")
    page.open(f"/reports/{report.pk}/")
    page.press("Restore version 2")
    assert "Saved as version 4" in page.text
    page.open_link("Details", nth=0)
    assert page.value(page.by_id("id_assistant_referees")) == "Wietske Plas"
    submit(page)
    inbox.open("/office/reports/?state=office")
    assert "Zwolle IJssel Cup" in inbox.text
