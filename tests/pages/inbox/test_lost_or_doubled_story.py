"""Nothing is lost or doubled on the way through the pages: files sent again, newcomers, old pages, forms sent twice."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import Player, Report, Role, Tournament, User
from reporting.register.services.import_register import import_register
from tests.people import client_of, create_user
from tests.visitor import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cleared_rate_limits")]
FILES = Path(__file__).parents[2] / "files"
IJSSEL_CUP = (FILES / "ijssel-cup-2026.trf").read_bytes()
DYKE_TOWN = (FILES / "dyke-town-2026.csv").read_bytes()
FELDRUPS, BRINKVANG = (b";Feldrups;Arvis;;LAT;M;21/01/1979;", b";Brinkvang;Lis;;DEN;W;14/08/1988;")
TWICE = DYKE_TOWN.replace(b"6;" + FELDRUPS, b"6;" + BRINKVANG)
"""The newcomer of line 2 is on line 6 too; the two play each other in round 7."""


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
def test_a_submitted_report_survives_its_file_and_is_taken_back_on_purpose(
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


def reported(page: Visitor, filename: str, content: bytes) -> Report:
    """A file uploaded, completed and submitted."""
    upload(page, filename, content)
    completed(page)
    submit(page)
    return Report.objects.latest("pk")


def test_a_newcomer_on_two_lines_is_told_before_two_numbers_are_given(referee: User, officer: User) -> None:
    """R24a: the two lines meet, so the office can only say two people, or return the report."""
    page, office = Visitor(referee), Visitor(officer)
    report = reported(page, "dyke.csv", TWICE)
    office.open(f"/office/reports/{report.pk}/")
    question = "has the name, birth and country of another person. Who is it?"
    assert office.text.count(question) == 1  # of number 6
    both = "number 2 – both play in rounds 1, 2, 3, 4, 5, 6, 7. If it is one person, return the report."
    assert both in office.text
    assert office.fields("One person") == []
    office.fill("Reason for admission", "The post was slow.")
    office.press("Accept report", status=409)
    asked = "Say of each new player with the name, birth and country of another person who it is"
    assert asked in office.text
    assert Player.objects.count() == 0
    office.fill("General remark", "Lis Brinkvang is on lines 2 and 6.")
    office.press("Return report")

    page.open(f"/reports/{report.pk}/file/")
    page.attach("New file", "dyke.csv", DYKE_TOWN)
    page.press("Upload file")
    submit(page)
    office.open(f"/office/reports/{report.pk}/")
    office.fill("Reason for admission", "The post was slow.")
    office.press("Accept report")
    assert Player.objects.count() == 8


def test_an_open_page_does_not_accept_what_it_did_not_show(referee: User, officer: User) -> None:
    """Two waiting reports with the same newcomer; the second is accepted from the page opened before the first."""
    page, first, second = Visitor(referee), Visitor(officer), Visitor(officer)
    autumn = DYKE_TOWN.replace(b"Dyke Town Open", b"Harbour Cup").replace(b"/11/2026", b"/10/2026")
    others = autumn.replace(b"6;" + FELDRUPS, b"6;;Oshiro;Ken;;JPN;M;21/01/1979;")
    for line in others.splitlines()[14:22]:
        last = line.split(b";")[2]
        if last not in {b"Brinkvang", b"Oshiro"}:
            others = others.replace(b";" + last + b";", b";" + last[::-1].title() + b";")
    one, other = reported(page, "dyke.csv", DYKE_TOWN), reported(page, "cup.csv", others)
    first.open(f"/office/reports/{one.pk}/")
    second.open(f"/office/reports/{other.pk}/")
    assert "A report that waits for the office, Dyke Town Open 2026, also has a new player" in second.text
    for window in (first, second):
        window.fill("Reason for admission", "The post was slow.")
    first.press("Accept report")
    second.press("Accept report", status=409)
    assert "What this page shows has changed since you opened it." in second.text
    assert "has the name, birth and country of another person. Who is it?" in second.text
    second.check("One person", nth=0)
    second.press("Accept report")
    lis = Player.objects.get(last_name="Brinkvang")
    assert set(lis.entries.values_list("result_set__reports", flat=True)) == {one.pk, other.pk}


def test_a_look_alike_and_a_wrong_year_are_asked_about_before_they_are_announced(referee: User) -> None:
    """The public calendar once had one tournament twice, nine years long."""
    first = timezone.localdate() + timedelta(days=60)
    values = {
        "name": "Lauwersmeer Open", "place": "Zoutkamp", "country": "NED", "discipline": "100",
        "time_control": "80+30", "played_from": f"{first}", "system": "swiss",
        "played_to": f"{first.replace(year=first.year + 9)}",
    }  # fmt: skip

    def fill(page: Visitor, **changes: str) -> None:
        for name, value in (values | changes).items():
            field = page.by_id(f"id_{name}")
            (page.choose if field.tag == "select" else page.fill)(field, value)

    page = Visitor(referee)
    page.open("/reports/announce/")
    fill(page)
    page.press("Announce tournament", status=400)
    assert "Nothing has been announced yet." in page.text
    assert "The tournament lasts" in page.text
    page.press("Use ")
    assert "is announced in time, 60 days before its first round." in page.text
    announced = Tournament.objects.announced().get()
    assert announced.played_to == first

    page.open("/reports/announce/")
    fill(page, played_to=f"{first}")
    page.press("Announce tournament")  # as the same form sent twice
    assert Tournament.objects.announced().get() == announced
    page.open("/reports/announce/")
    fill(page, name="Lauwersmeer Rapid", played_to=f"{first}")
    page.press("Announce tournament", status=400)
    assert "A tournament like this one is announced already Lauwersmeer Open Zoutkamp" in page.text
    assert "1 day, announced 60 days before: in time" in page.text
    assert "110" in page.text
    page.check("It is another tournament")
    page.press("Announce tournament")
    assert Tournament.objects.announced().count() == 2
