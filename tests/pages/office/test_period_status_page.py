"""The period_status of a list on its page: what a reader sees of it, filtered, and after the freeze."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import Period, RatingList
from reporting.log.audit import Actor
from reporting.models import Report, Role, User
from reporting.reports.services.announce import announce_tournament
from tests.pages.office.office_pages import PAGE, PUBLISHED, person, text_of
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_open_period_names_who_is_waited_for(opened: Period, client: Client) -> None:
    report = Report.objects.filter(state="submitted", result_set__played_to__lte=opened.closing).first()
    Report.objects.filter(pk=report.pk).update(state="returned")
    page = text_of(client.get(PAGE))
    assert f"{report.submitted_by.name} has remarks to answer" in page
    for counted in ("Lviv Women Cup", "Championship of Cameroon"):
        assert counted in page
    assert Report.objects.filter(state="accepted", result_set__name="Liege Blitz Night").exists()
    assert "Liege Blitz Night" not in page, "it is of another pool"


def test_an_open_period_leads_to_each_report_and_says_what_a_freeze_would_do(
    opened: Period, client: Client, releaser: User
) -> None:
    waiting = Report.objects.filter(state="submitted", result_set__played_to__lte=opened.closing)
    page = client.get(PAGE)
    for line in page.context["period_status"].lines:
        assert f'href="/office/reports/{line.report.pk}/"' in page.content.decode()
    count = waiting.count()
    moves = "report moves" if count == 1 else "reports move"
    expected = f"If frozen now: 2 reports in the list. {count} {moves} to the list of 1 Apr 2027."
    assert expected in text_of(page)
    days = (opened.closing - timezone.localdate()).days
    assert f"is in {days} days" in text_of(page) or days < 2
    closed = text_of(client_of(releaser).get(PAGE))
    assert "Championship of Cameroon" in closed
    page = client_of(releaser).get(PAGE).content
    assert b"/office/reports/" not in page, "a user without inbox gets no link"


def test_the_period_status_by_federation_and_kind(opened: Period, client: Client) -> None:
    """Unknown filters are ignored; the figures stay those of the whole list."""
    for query, shown in (
        ("federation=CMR", {"Championship of Cameroon"}),
        ("kind=women", {"Lviv Women Cup"}),
        ("federation=CMR&kind=women", set()),
        ("federation=ZZZ&kind=children", None),
        ("federation=%00&kind=%00", None),
        ("federation=UKR&federation=CMR", {"Championship of Cameroon"}),
    ):
        page = client.get(f"{PAGE}?{query}")
        assert page.status_code == 200
        whole = {line.tournament.name for line in page.context["period_status"].lines}
        assert len(whole) >= 3
        names = {line.tournament.name for line in page.context["shown"].lines}
        assert names == (whole if shown is None else shown), query
        assert ("No tournaments match these filters." in text_of(page)) is (shown == set())
        assert "If frozen now: 2 reports in the list." in text_of(page)


def test_a_frozen_and_a_published_list_keep_their_period_status(draft: RatingList, client: Client) -> None:
    excluded = draft.anomalies.filter(kind="excluded").first()
    page = text_of(client.get(PAGE))
    assert "Tournaments at the freeze" in page
    name = excluded.report.result_set.name
    line = rf"{name} .*? Not in list Submitted .*? Counts in the list of 1 Apr 2027 once accepted"
    assert re.search(line, page)
    assert "The freeze cannot be undone." in page
    published = client.get(PUBLISHED)
    counted = published.context["period_status"].counted
    assert len(counted) == RatingList.objects.get(in_force="2026-10-01").tournaments
    assert "In the list: 13 reports." in text_of(published)


def test_the_announcer_of_an_overdue_tournament_is_reminded_from_its_line(
    opened: Period, client: Client, releaser: User
) -> None:
    ends = timezone.localdate() - timedelta(days=12)
    director = person("Dora", Role.TOURNAMENT_DIRECTOR)
    values = {
        "name": "Harmattan Cup", "country": "CMR", "played_from": ends.isoformat(), "played_to": ends.isoformat(),
        "discipline": "100", "time_control": "80+30", "announced": (ends - timedelta(days=30)).isoformat(),
    }  # fmt: skip
    announced = announce_tournament(values=values, by=Actor(director))
    page = client.get(PAGE)
    assert "Overdue 5 days late. Last round 12 days ago, announced by Dora." in text_of(page)
    button = f'action="/office/announcements/{announced.pk}/remind/"'
    assert button in page.content.decode()
    assert button not in client_of(releaser).get(PAGE).content.decode()
    assert client.post(f"/office/announcements/{announced.pk}/remind/").status_code == 302
    page = client.get(PAGE)
    assert "announced by Dora. Reminded" in text_of(page)
    assert button not in page.content.decode(), "once in three days"
