"""A report by the links and forms of the pages: from a file on a laptop to submission, and without a program."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reporting.models import Player, Report, Tournament, User
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip


@pytest.fixture
def referee() -> User:
    return create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])


def submit(page: Visitor, comment: str) -> None:
    page.open_link("Submission", nth=0)
    for box in page.textboxes():
        page.fill(box, comment)
    page.press("Submit report")
    assert "Report submitted" in page.text


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
    with_ids = Player.objects.filter(numbers__has_key="fmjd", birth_year__gt=0)
    known = list(with_ids.order_by("numbers__fmjd")[:4])
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
    lines = page.texts(".//*[@class='source__text']")
    assert sum(f"{known[0].address},1,,1,6" in line for line in lines) == 1

    submit(page, "A round robin of four.")
    assert Report.objects.get(submitted_by=referee).announcement == Tournament.objects.announced().get()
