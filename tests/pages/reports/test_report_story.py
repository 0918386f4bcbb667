"""A report by the links and forms of the pages: from a file on a laptop to submission, and without a program."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reporting.models import Player, Report, Tournament, User
from tests.people import create_user
from tests.round_robins import announce_riverside, faulty_file
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]


@pytest.fixture
def referee() -> User:
    return create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])


def submit(page: Visitor, comment: str) -> None:
    page.open_link("Submission", nth=0)
    for box in page.textboxes():
        page.fill(box, comment)
    page.press("Submit report")
    assert "Report submitted" in page.text


def test_a_referee_corrects_and_submits_a_report(referee: User) -> None:
    announce_riverside(referee)
    page = Visitor()
    page.log_in("pieter@example.org", then="/reports/")
    assert page.address == "/reports/"
    page.open_link("Upload report of Riverside Open")
    page.attach("Report file", "riverside.txt", faulty_file())
    page.press("Upload report")

    # The result; the first day, which does not exist, is known from the announcement (R27).
    assert page.texts(".//*[@id='verdict']") == ["1 error"]
    assert "1 Error: The format does not have this result." in page.texts(".//h2")
    assert "1 Warning: This date does not exist." in page.texts(".//h2")
    day = timezone.localdate() - timedelta(days=4)
    page.fill("“31/02/", f"{day:%d/%m/%Y}")
    page.fill("“3-0” in line", "2-0")
    page.press("Save changes", nth=-1)
    assert "Saved as version 2" in page.text
    # Only now that every result can be read the points can be added up.
    page.fill("“5” in line", "6")
    page.press("Save changes", nth=-1)
    assert "Saved as version 3" in page.text
    page.open_link("Changes since version 1", nth=0)
    assert sum("3,1,4,2-0" in line for line in page.texts(".//ins")) == 1
    assert sum("3,1,4,3-0" in line for line in page.texts(".//del")) == 1

    page.open_link("Details", nth=0)
    assert "110 min" in page.text
    page.fill("Main referee", "Pieter Ostrava", exact=True)
    page.press("Save details")

    page.open_link("People", nth=0)
    page.open_link("Preview", nth=0)
    assert "Crosstable by rounds" in page.text
    submit(page, "A round robin of four, as announced.")
    report = Report.objects.get(submitted_by=referee)
    assert report.state == "submitted"
    assert report.versions.count() >= 3
    page.open_link("File", nth=0)
    assert "Ready to submit" not in page.text
    assert "The draft is saved" not in page.text


def test_a_referee_without_a_program_announces_enters_and_submits(referee: User) -> None:
    page = Visitor()
    page.log_in("pieter@example.org", then="/reports/announce/")
    assert page.address == "/reports/announce/"
    last = timezone.localdate() - timedelta(days=1)
    page.fill("Name", "Riverside Open", exact=True)
    page.fill("Town", "Ghent")
    page.fill("Country", "BEL")
    page.fill("First round", last.isoformat())
    page.fill("Last round", last.isoformat())
    page.choose("System", "round-robin", exact=True)
    page.choose("Discipline", "100")
    page.fill("Time control", "80+30", exact=True)
    page.press("Announce tournament")
    assert "is announced late, not before its first round" in page.text

    page.open_link("My reports", nth=0)
    page.open_link("enter results of")
    assert page.value(page.field("Name", exact=True)) == "Riverside Open"
    page.choose("National championship", "no")
    page.choose("Women only", "false")
    known = list(
        Player.objects.filter(numbers__has_key="fmjd", birth_year__gt=0).order_by("numbers__fmjd")[:4]
    )
    for index, player in enumerate(known, 1):
        page.fill(page.by_id(f"fmjd_id-{index}"), player.address)
    page.press("Fill in names")
    assert page.value(page.by_id("last_name-4")) == known[3].last_name
    page.press("Save and enter results")
    page.press("Fill in pairs: single round robin")
    # All against all: 1 wins three (6), 2 two (4), 3 one (2), 4 none. By the Berger table of four the lower number has
    # White in 1-4 2-3, 1-2, 2-4, and Black in 4-3, 3-1: its points alone, in its own cell.
    for number, turns in ((1, (1, 2, 3)), (2, (1, 3)), (3, (2,))):
        for turn in turns:
            page.fill(page.by_id(f"c-{number}-{turn}"), "2")
    page.check("Fill in the places by points")
    page.press("Save crosstable")
    page.open_link("File", nth=0)
    assert page.texts(".//*[@id='verdict']") == ["No errors in the file"]
    # Nor elsewhere.
    assert "Ready to submit once you have commented on each warning." in page.text
    assert (
        sum(f"{known[0].address},1,,1,6" in line for line in page.texts(".//*[@class='source__text']")) == 1
    )

    submit(page, "A round robin of four.")
    assert Report.objects.get(submitted_by=referee).announcement == Tournament.objects.announced().get()


def test_a_stranger_checks_a_file_and_leaves_no_trace() -> None:
    reports = Report.objects.count()
    page = Visitor()
    page.open("/")
    page.open_link("Check a report file")
    page.press("Check example: faulty")
    assert "4 errors, 1 person to identify" in page.texts(".//h2")
    page.open_link("3, error")
    assert page.texts(".//*[@id='L3']//mark") == ["31/02/2026"]
    assert page.buttons("Save") == []
    page.attach("Report file", "mine.txt", b"1;2;3\n")
    page.press("Check file", exact=True)
    assert "mine.txt: the format is unknown." in page.text
    page.attach("Report file", "large.bin", b"x" * 6_000_000)
    page.press("Check file", exact=True, status=413)
    assert "Too large: you sent" in page.text
    assert not page.client.cookies
    assert Report.objects.count() == reports
