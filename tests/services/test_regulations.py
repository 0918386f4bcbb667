"""The days of R11 are those of the edition that the federation of a report has."""

from dataclasses import replace
from datetime import date

import pytest

from reporting.federations.fmjd.editions import ANNEX_9_2024_04
from reporting.federations.registry import report_rules
from reporting.models import Message
from reporting.reports.selectors.inbox import WAITING_FOR_OFFICE, inbox_lines, submitted_reports
from reporting.reports.services.review import accept_report
from reporting.rules.regulations.editions import announcement_days, edition_on, report_due

pytestmark = pytest.mark.django_db
LAST_DAY = date(2026, 2, 8)
OPENING = """fmjd_id rating games
    11 2000 100
    12 2000 100"""


@pytest.fixture
def _ten_days(monkeypatch):
    edition = replace(ANNEX_9_2024_04, report_days=10, announcement_days=30)
    monkeypatch.setattr(report_rules("fmjd"), "editions", (edition,))


def test_the_editions_of_annex_9_are_registered():
    for day in (date(2020, 1, 1), date(2024, 4, 1), date(2026, 11, 6)):
        assert edition_on(day, "64") is ANNEX_9_2024_04
    assert (report_due(LAST_DAY), announcement_days(LAST_DAY)) == (date(2026, 2, 15), 14)


@pytest.mark.usefixtures("_ten_days")
def test_another_edition_moves_the_last_day_everywhere(office):
    """The last round is on 8 February: with 10 days a report of the 18th is in time, and one of the 19th is late."""
    office.opening(OPENING)
    in_time = office.submit("Gouda Open", [11, 12], ["1 1 2 2-0"], received="2026-02-18")
    late = office.submit("Utrecht Open", [11, 12], ["1 1 2 2-0"], received="2026-02-19")
    found = {
        line.report: (line.report.due, line.report.days_late)
        for line in inbox_lines(submitted_reports(WAITING_FOR_OFFICE))
    }
    assert found == {in_time: (date(2026, 2, 18), 0), late: (date(2026, 2, 18), 1)}
    assert [message.title for message in Message.objects.filter(kind="report_late")] == ["Late: Utrecht Open"]
    assert accept_report(report=in_time, by=office.officer).state == "accepted"
