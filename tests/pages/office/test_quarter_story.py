"""A quarter by the links and forms of the pages: frozen, calculated, signed by two persons, published, corrected."""

from datetime import date
from typing import Any

import pytest

from ratings.models import Period, Pool, RatingList
from ratings.production.periods.freeze_period import freeze_due_periods
from reporting.models import Report, Role, User
from tests.databases import as_worker, work_as_worker
from tests.people import create_user
from tests.visitor import Visitor
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season", "demonstration", "cleared_rate_limits"),
]

PAGE = "/office/lists/fmjd-100/2027-01-01/"
REFRESH = ".//noscript/meta[@http-equiv='refresh']"


@pytest.fixture
def opened() -> Period:
    """The scheduler has opened the period of the next list; one of its reports is returned."""
    with as_worker():
        freeze_due_periods()
        report = Report.objects.filter(state="submitted").first()
        Report.objects.filter(pk=report.pk).update(state="returned")
    return Period.objects.get(pool=Pool.objects.get(code="fmjd-100"), in_force=date(2027, 1, 1))


def freeze_period(page: Visitor, opened: Period) -> None:
    """From the dashboard to the frozen period."""
    page.open_link("List of 1 Jan 2027")
    assert "Tournaments of this list" in page.texts(".//h2")
    waiting = Report.objects.filter(state="submitted", result_set__played_to__lte=opened.closing)
    assert waiting.exists()
    assert all(report.result_set.name in page.text for report in waiting)
    period = page.address
    page.open_link("Calculate preview")
    assert "It is not stored and not signed" in page.text
    page.open(period)
    page.open_link("Freeze period …")
    with pytest.raises(AssertionError, match="required"):
        page.press("Freeze period")
    page.fill("Reason", "The congress meets before the scheduler runs.")
    page.check("I have seen")
    page.press("Freeze period")
    assert "Frozen with 2 reports." in page.text


def decide_norms(member: User) -> None:
    """The title council looks at the evidence of a norm, then confirms all of them at once."""
    page = Visitor()
    page.log_in(member.email, then="/titles/norms/")
    assert page.address == "/titles/norms/"
    page.open_link(f"{Pool.objects.get(code='fmjd-100').name}, 1 Jan 2027")
    found = Norm.objects.filter(list__state="ready", origin="found", is_needed=True)
    assert f"{found.count()} norms wait for a decision." in page.text
    norms = page.address
    page.open_link(found.first().player.printed_name, nth=0)
    assert {"Requirements", "Opponents", "Decisions"} <= set(page.texts(".//h2"))
    page.open(norms)
    page.press("Select all")
    page.press("Confirm selected")
    assert "All norms are decided." in page.text


def open_anomalies(page: Visitor) -> list[Any]:
    return [each for each in page.page.iter("section") if "callout--warn" in each.get("class", "").split()]


def test_a_quarter_without_script(opened: Period) -> None:
    officer = create_user("olga@example.org", "Olga Officer", roles=[Role.RATING_OFFICER])
    releaser = create_user("rolf@example.org", "Rolf Releaser", roles=[Role.RELEASING_OFFICER])
    page = Visitor()
    page.log_in(officer.email, then="/office/")
    assert page.address == "/office/"
    freeze_period(page, opened)
    assert "Waiting for the worker" in page.text
    # The page reloads itself every two seconds, until there is a draft.
    assert [each.get("content") for each in page.page.findall(REFRESH)] == ["2"]
    work_as_worker()
    page.open(page.address)
    assert any(heading.startswith("Biggest movers since the list of ") for heading in page.texts(".//h2"))
    assert page.page.findall(REFRESH) == []
    draft = RatingList.objects.get(period=opened, state="ready")
    for rest in range(draft.anomalies.count() - 1, -1, -1):
        anomaly = open_anomalies(page)[0]
        page.fill("Answer, stored in the audit log", f"Checked, {rest} to go.", within=anomaly)
        page.press("Save answer", within=anomaly)
        assert len(open_anomalies(page)) == rest
    decide_norms(create_user("ada@example.org", "Ada Council", roles=[Role.TITLE_COUNCIL]))
    page.open(PAGE)
    page.open_link("Approve list")
    draft.refresh_from_db()  # the norms that were decided are in its digest
    assert draft.sha256 in page.response.content.decode()
    page.press("Approve list")
    work_as_worker()  # writes the files again
    other = Visitor()
    other.log_in(releaser.email, then="/office/")
    assert other.address == "/office/"
    other.open(PAGE)
    other.open_link("Publish list")
    other.press("Publish list")
    assert "Published: the list of" in other.text
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by, draft.published_by) == ("published", officer, releaser)
    assert len(other.links("Revision 1")) == 1

    page.open(PAGE)
    page.open_link("Correct this list")
    page.fill("Reason for the correction", "A tournament was not played.")
    page.check("Lviv Women Cup")
    page.press("Calculate revision 2")
    work_as_worker()
    page.open(page.address)
    assert "Since the list it replaces" in page.texts(".//h2")
    assert "A tournament was not played." in page.text
    page.fill("Reason for the withdrawal", "It was played after all.")
    page.press("Withdraw correction")
    assert "Correction withdrawn." in page.text
    opened.refresh_from_db()
    assert opened.state == "published"
