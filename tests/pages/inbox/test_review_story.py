"""A report between referee and office, by the links and forms of the pages: returned, corrected, accepted, undone."""

import pytest

from reporting.models import LogEntry, Player, Report, User
from tests.people import create_user
from tests.round_robins import PLACE_LINE, submitted
from tests.visitor import Visitor, text_of

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip


@pytest.fixture
def referee() -> User:
    return create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])


@pytest.fixture
def officer() -> User:
    return create_user("olga@example.org", "Olga Officer", roles=["rating_officer"])


def correct(home: Visitor, referee: User, report: Report) -> None:
    """Correct the remarked line and submit the report again."""
    home.log_in(referee.email, then=f"/reports/{report.pk}/")
    assert home.address == f"/reports/{report.pk}/"
    assert "Almost there." in home.text
    home.open_link(f"line {PLACE_LINE}")
    line = home.by_id(f"L{PLACE_LINE}")
    assert "In English, please." in text_of(line)
    (box,) = home.textboxes(within=line)
    home.fill(box, "place = Ghent")
    home.press("Save", within=line)
    assert "Saved as version 2" in home.text
    home.open_link("Changes since version 1", nth=0)
    assert sum("place = Ghent" in line for line in home.texts(".//ins")) == 1
    home.open_link("Submission", nth=0)
    for box in home.textboxes():
        home.fill(box, "A round robin of four, as announced.")
    home.press("Submit report")
    assert "Report submitted." in home.text


def test_a_report_is_returned_corrected_and_accepted(referee: User, officer: User) -> None:
    report = submitted(referee, "Ferry Lane Cup", 2)
    office = Visitor()
    office.log_in(officer.email, then="/office/reports/")
    assert office.address == "/office/reports/"
    waiting = Report.objects.filter(state="submitted").count()
    assert office.link(f"Inbox ({waiting})").get("aria-current") == "page"
    office.open_link("Ferry Lane Cup")
    assert "A round robin of four, as announced." in office.text
    assert "Zettevall" in office.text
    office.fill("General remark", "Almost there.")
    office.fill("Line of remark 1", "900", exact=True)
    office.fill("Remark 1 on this line", "In English, please.")
    office.press("Return report", status=409)
    assert "“900” is not a line of the file" in office.texts(".//*[@id='error-summary']")[0]
    assert office.value("Remark 1 on this line") == "In English, please."
    office.fill("Line of remark 1", str(PLACE_LINE), exact=True)
    office.press("Return report")
    assert "Report returned. The referee gets a message with the remarks." in office.text
    correct(Visitor(), referee, report)

    office.open("/office/reports/")
    office.open_link("Ferry Lane Cup")
    office.open_link("Changes in version 2")
    assert sum("place = Ghent" in line for line in office.texts(".//ins")) == 1
    office.open(f"/office/reports/{report.pk}/")
    office.press("Accept report")
    assert "Report accepted. The referee gets a message." in office.text
    office.fill("Reason for undoing the acceptance", "The wrong button.")
    office.press("Undo acceptance")
    assert "Acceptance undone. The report waits for a decision." in office.text
    office.press("Accept report")
    assert "Report accepted. The referee gets a message." in office.text
    office.open("/office/reports/")
    assert office.links("Ferry Lane Cup") == []
    office.open("/office/reports/?state=accepted")
    assert len(office.links("Ferry Lane Cup")) == 1

    report.refresh_from_db()
    assert report.state == "accepted"
    new_player = Player.objects.get(last_name="Zettevall")
    # Once, the accepted report asked whether its new player is a similar one of the register: the same record.
    office.open(f"/office/reports/{report.pk}/")
    assert "not in the register" not in office.text
    assert "looks-registered" not in office.text
    office.open(f"/reports/{report.pk}/people/")
    (row,) = [row for row in office.texts(".//tr") if "Zettevall" in row]
    assert new_player.address in row
    assert "New player" not in row
    acts = LogEntry.objects.filter(subject=f"report {report.pk}", actor=officer).order_by("pk")
    assert [act.action for act in acts] == [
        "report.return", "report.accept", "report.undo_acceptance", "report.accept",
    ]  # fmt: skip
