"""The inbox over HTTP: what is listed, whose turn it is, and what was announced and has not come."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ratings.models import Pool
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.models import LogEntry, Report, Role, Tournament
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.review import Remark, accept_report, return_report
from reporting.reports.services.submit import take_back_report
from tests.pages.inbox.office_reports import GAMES, OPENING, PLAYERS, text
from tests.people import logged_in
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture
def small_office(office: Office) -> Office:
    office.register(*PLAYERS)
    return office


# --- the inbox


@pytest.fixture
def waiting(small_office: Office) -> dict[str, Report]:
    """Four reports, received on 9, 16 (late: due 15) February, 10 March and 11 March 2026; one is returned."""
    march = {"played_from": date(2026, 3, 6), "played_to": date(2026, 3, 8)}
    april = {"played_from": date(2026, 3, 20), "played_to": date(2026, 3, 22)}
    found = {
        "Late Open": small_office.submit("Late Open", PLAYERS, GAMES, received="2026-02-16"),
        "First Open": small_office.submit("First Open", PLAYERS, ["1 1 3 2-0", "1 2 0 2-0"]),
        "March Rapid": small_office.submit("March Rapid", PLAYERS, GAMES[:2], time_control='"15+5"', **march),
        "April Open": small_office.submit("April Open", PLAYERS, GAMES[2:], **april),
    }
    return_report(report=found["March Rapid"], remarks=[Remark("so")], by=small_office.officer)
    small_office.upload("Draft Open", PLAYERS, ["1 3 2 2-0"])
    return found


def names(page: str) -> list[str]:
    return re.findall(r'<a href="/office/reports/\d+/">([^<]+)</a>', page)


def listed(client: Client, **asked: str) -> list[str]:
    return names(text(client.get(reverse("office-reports"), asked)))


def test_the_oldest_stands_first_and_each_heading_sorts(waiting: dict[str, Report]) -> None:
    client = logged_in(Role.RATING_OFFICER)
    oldest = ["First Open", "Late Open", "March Rapid", "April Open"]
    assert listed(client) == oldest
    assert listed(client, sort="-received") == oldest[::-1]
    assert listed(client, sort="name") == ["April Open", "First Open", "Late Open", "March Rapid"]
    assert listed(client, sort="-ended")[:2] == ["April Open", "March Rapid"]
    assert listed(client, sort="list")[-1] == "April Open"  # last round 22 March: in the list of 1 July (R10)
    assert listed(client, sort="-turn")[0] == "March Rapid"  # it was returned last
    for nonsense in ("", "x", "--name", "-", "received;drop"):
        assert listed(client, sort=nonsense) == oldest
    page = text(client.get(reverse("office-reports"), {"late": "1"}))
    sorted_by = '<a class="table__sort" id="sort-received" href="?late=1&amp;sort=-received">'
    assert f'aria-sort="ascending"> {sorted_by}' in page


def test_filters_and_what_each_line_says(waiting: dict[str, Report], small_office: Office) -> None:
    client = logged_in(Role.RATING_OFFICER)
    assert listed(client, late="1") == ["Late Open"]
    assert listed(client, state="referee") == ["March Rapid"]
    assert "March Rapid" not in listed(client, state="office")
    assert listed(client, state="nonsense") == listed(client)
    assert len(listed(client, federation="NED")) == 4
    assert listed(client, federation="BEL") == []
    none = text(client.get(reverse("office-reports"), {"federation": "BEL"}))
    assert "No reports match these filters." in none
    accept_report(report=waiting["First Open"], by=small_office.officer)
    assert "First Open" not in listed(client)
    assert listed(client, state="accepted") == ["First Open"]
    page = text(client.get(reverse("office-reports")))
    # Received on the 16th, due on the 15th.
    assert "1 day late" in page
    assert "Referee" in page


@pytest.mark.database_role("worker")  # it imports and freezes
def test_each_line_names_the_list_that_counts_it(small_office: Office, waiting: dict[str, Report]) -> None:
    """100 squares is closed for 1 April by the freeze, rapid is not: what is admitted now comes into the next (R11)."""
    small_office.opening(OPENING)
    accept_report(report=waiting["First Open"], by=small_office.officer)
    client = logged_in(Role.RATING_OFFICER)
    assert listed(client, state="accepted") == ["First Open"]
    period = ensure_period(
        pool=Pool.objects.get(code="fmjd-100"), in_force=date(2026, 4, 1), by=small_office.officer
    )
    freeze_period(period=period, reason="so", by=small_office.officer)
    assert listed(client, state="accepted") == []
    page = text(client.get(reverse("office-reports")))
    lists = re.findall(r'<time datetime="(2026-[047]\d-01)">[^<]+</time><br><span class="note">([^<]+)', page)
    assert [day for day, _ in lists] == ["2026-07-01", "2026-04-01", "2026-07-01"]
    assert len({pool for _, pool in lists}) == 2
    # The calculation opens on the 8th day after the closing date, 15 March or June (R11): 23 March, 23 June 2026.
    days = (date(2026, 6, 23) - timezone.localdate()).days
    shown = f"freezes in {days} day" if days > 0 else "ready to freeze"
    assert shown in text(client.get(reverse("office-reports")))


@pytest.mark.database_role("worker")  # it imports and freezes
def test_a_correction_says_which_list_it_corrects(small_office: Office) -> None:
    """The list of 1 April counts the report accepted first, from its freeze on; the correction revises that list."""
    small_office.opening(OPENING)
    small_office.accept("First Open", PLAYERS, GAMES)
    small_office.submit("First Open", PLAYERS, GAMES[:2], corrects='"2026-first-open"')
    client = logged_in(Role.RATING_OFFICER)
    page = text(client.get(reverse("office-reports")))
    assert names(page) == ["First Open"]
    assert "corrects the list" not in page  # no list counts it yet: both belong to the list of 1 April
    period = ensure_period(
        pool=Pool.objects.get(code="fmjd-100"), in_force=date(2026, 4, 1), by=small_office.officer
    )
    freeze_period(period=period, reason="so", by=small_office.officer)
    page = text(client.get(reverse("office-reports")))
    cell = re.search(r"<td[^>]*> corrects the list of(.*?)</td>", page, re.DOTALL)
    assert cell
    assert '<time datetime="2026-04-01">' in cell[1]
    assert "freezes in" not in cell[1]
    assert page.count("list of 1 Apr 2026, 100 squares, classical") == 1  # the same on a telephone


def test_a_returned_report_that_is_being_edited_stays_with_the_referee(
    waiting: dict[str, Report], small_office: Office
) -> None:
    client = logged_in(Role.RATING_OFFICER)
    edit_tournament_details(
        report=waiting["March Rapid"], based_on=1, values={"place": "Gouda"}, by=small_office.referee
    )
    waiting["March Rapid"].refresh_from_db()
    assert waiting["March Rapid"].state == "draft"
    assert listed(client, state="referee") == ["March Rapid"]
    assert "Draft Open" not in text(client.get(reverse("office-reports")))


def test_an_empty_inbox_says_what_comes_next(small_office: Office) -> None:
    page = text(logged_in(Role.RATING_OFFICER).get(reverse("office-reports")))
    assert "No report waits for a decision." in page
    assert "A report appears here as soon as a referee submits it." in page
    assert "All announced tournaments that are over have a report." in page


def announced(
    small_office: Office, name: str, days_ago: int, country: str = "NED", **more: Any
) -> Tournament:
    last = timezone.localdate() - timedelta(days=days_ago)
    return Tournament.objects.create(
        name=name, country_id=country, played_from=last, played_to=last, discipline="100", time_control="120+0",
        announced_by=small_office.referee.user, announced_on=last - timedelta(days=30), **more,
    )  # fmt: skip


def test_announced_but_not_received(small_office: Office) -> None:
    """A report is due 7 days after the last round: 10 days ago is 3 days late, 7 is due today, 1 has 6 left."""
    announced(small_office, "Long over", 10)
    announced(small_office, "Due today", 7)
    announced(small_office, "Over yesterday", 1)
    announced(small_office, "Ends today", 0)
    announced(small_office, "Given up", 20, withdrawn_at=timezone.now())
    reported = announced(small_office, "Reported", 20)
    Report.objects.filter(pk=small_office.submit("Reported", PLAYERS, GAMES).pk).update(announcement=reported)
    begun = announced(small_office, "Begun", 9)
    report = small_office.upload("Begun", PLAYERS, GAMES[1:]).report
    Report.objects.filter(pk=report.pk).update(announcement=begun)
    client = logged_in(Role.RATING_OFFICER)
    page = text(client.get(reverse("office-reports")))
    table = page[page.index('id="missing"') :]
    shown = re.findall(r'table__name"> ([^<]+?) <.*?<br> <span class="[^"]+"> ?([^<]+?) ?</span>', table)
    assert shown == [
        ("Long over", "3 days late"), ("Begun", "2 days late"), ("Due today", "today"),
        ("Over yesterday", "6 days left"),
    ]  # fmt: skip
    late = text(client.get(reverse("office-reports"), {"late": "1"}))
    assert "Begun" in late
    assert "Due today" not in late


def test_several_clean_reports_are_accepted_and_changed_ones_are_left_out(small_office: Office) -> None:
    """Three clean reports have a checkbox, a late one has none; one is edited while the officer confirms."""
    march = {"played_from": date(2026, 3, 6), "played_to": date(2026, 3, 8), "received": "2026-03-09"}
    april = {"played_from": date(2026, 4, 6), "played_to": date(2026, 4, 8), "received": "2026-04-09"}
    reports = {
        "First Open": small_office.submit("First Open", PLAYERS, GAMES),
        "Second Open": small_office.submit("Second Open", PLAYERS, GAMES[:2], **march),
        "Changed Open": small_office.submit("Changed Open", PLAYERS, ["1 1 3 2-0", "1 2 0 2-0"], **april),
        "Late Open": small_office.submit("Late Open", PLAYERS, ["1 1 3 2-0"], received="2026-02-16"),
    }
    client, address = logged_in(Role.RATING_OFFICER), reverse("office-reports-accept")
    inbox = text(client.get(reverse("office-reports")))
    chosen = re.findall(r'aria-label="Choose ([^"]+)"', inbox)
    assert sorted(chosen) == ["Changed Open", "First Open", "Second Open"]
    seen = [f"{report.pk}-1" for report in reports.values()]
    confirm = text(client.get(address, {"report": seen}))
    assert re.search(r"Left out, because there is something to decide:.*Late Open", confirm)
    assert "Accept 3 reports" in confirm
    changed = reports["Changed Open"]
    take_back_report(report=changed, by=small_office.referee)
    edit_tournament_details(report=changed, based_on=1, values={"place": "Gouda"}, by=small_office.referee)
    done = text(client.post(address, {"report": seen}, follow=True))
    assert "2 reports accepted." in done
    assert "Changed Open was left out." in done
    assert "Late Open was left out. There is something to decide." in done
    states = {name: Report.objects.get(pk=report.pk).state for name, report in reports.items()}
    assert states == {
        "First Open": "accepted", "Second Open": "accepted", "Changed Open": "draft", "Late Open": "submitted",
    }  # fmt: skip
    assert LogEntry.objects.filter(action="report.accept").count() == 2


def test_the_number_of_queries_does_not_grow(waiting: dict[str, Report], small_office: Office) -> None:
    client = logged_in(Role.RATING_OFFICER)
    counts = []
    for number in range(3):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("office-reports")).status_code == 200
        counts.append(len(queries))
        small_office.submit(f"Open {number}", PLAYERS, GAMES[: number + 1], received="2026-02-20")
        announced(small_office, f"Announced {number}", 10 + number)
    assert counts[1:] == counts[:1] * 2
    # Chosen dates and the number of applications in the header, which reports are clean.
    assert counts[0] <= 17
    first = Report.objects.filter(state="submitted").first()
    assert first is not None
    with CaptureQueriesContext(connection) as small:
        client.get(reverse("office-report", args=[first.pk]))
    letters = "abcdefghij"
    players = [small_office.newcomer(f"Given{letter}", f"Family{letter}q") for letter in letters]
    many = small_office.submit("Many", players, [f"1 {n} {n + 1} 2-0" for n in range(1, 10, 2)])
    with CaptureQueriesContext(connection) as large:
        client.get(reverse("office-report", args=[many.pk]))
    assert abs(len(large) - len(small)) <= 3
