"""The dashboard of a national official: each number agrees with the list that it links to, and who gets the page."""

import re
from datetime import date, timedelta
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reporting.models import CorrectionRequest, Player, Role, Tournament
from reporting.reports.services.review import Remark, accept_report, return_report
from tests.pages.inbox.office_reports import GAMES, OPENING, PLAYERS, text
from tests.people import client_of, create_federation, create_user
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

PAGE = "/office/federation/"


def official(federation: str = "NED") -> Client:
    client = Client()
    email = f"official.{federation}@example.org".lower()
    roles = [Role.NATIONAL_OFFICIAL]
    client.force_login(create_user(email, "Olav Lane", roles=roles, federation_id=federation))
    return client


def figures(page: str) -> dict[str, tuple[int, str]]:
    """Name → value and the address that it links to."""
    found = re.findall(
        r'figures__name">([^<]+)</dt> ?<dd class="figures__value">(?:<a href="([^"]+)">)?(\d+)', page
    )
    return {name: (int(value), address) for name, address, value in found}


def announce(office: Office, name: str, days_ago: int, country: str = "NED") -> None:
    last = timezone.localdate() - timedelta(days=days_ago)
    Tournament.objects.create(
        name=name, place="Gouda", country_id=country, played_from=last, played_to=last, discipline="100",
        time_control="80+30", announced_on=last - timedelta(days=30), announced_by=office.referee.user,
    )  # fmt: skip


@pytest.mark.database_role("worker")  # it imports
def test_each_number_agrees_with_its_list(office: Office) -> None:
    """Tournaments are due seven days after their last round (R11): one is late, one not yet played, one of Belgium."""
    create_federation("BEL")
    office.register(*PLAYERS)
    office.opening(OPENING)
    march = {"played_from": date(2026, 3, 6), "played_to": date(2026, 3, 8)}
    new = [office.newcomer("Jan", "Nieuw"), office.newcomer("Piet", "Vers")]
    accept_report(report=office.submit("Accepted Open", PLAYERS, GAMES), by=office.officer)
    office.submit("Waiting Open", [*PLAYERS[:2], *new], ["1 1 3 2-0", "1 2 4 2-0"])
    returned = office.submit("Returned Open", PLAYERS, GAMES[:2], **march)
    return_report(report=returned, remarks=[Remark("so")], by=office.officer)
    for name, days_ago, country in (("Late", 20, "NED"), ("Coming", -20, "NED"), ("Other", 30, "BEL")):
        announce(office, f"{name} Cup", days_ago, country)
    asked = CorrectionRequest.objects.create(
        figure="rating", reference="rating:fmjd-100:2026-01-01:1:11",
        player=Player.objects.get(numbers__fmjd=11), pool="fmjd-100", pool_name="100 squares",
        published_values={}, error_description="My name is wrong.", name="Someone", email="someone@example.org",
    )  # fmt: skip
    client = official()
    client.get(PAGE)
    with CaptureQueriesContext(connection) as queries:
        page = text(client.get(PAGE))
    assert len(queries) <= 10, "\n".join(query["sql"][:200] for query in queries)
    shown = figures(page)
    assert {name: value for name, (value, _) in shown.items()} == {
        "Overdue reports": 1, "Returned reports": 1, "Reports in review": 1, "Players without a number": 2,
        "Public requests": 1,
    }  # fmt: skip
    assert "Late Cup" in page
    assert "Coming Cup" in page
    assert "Other Cup" not in page
    assert page.index("Late Cup") < page.index("Coming Cup")
    assert page.count("tag--bad") == 1
    for name in ("Overdue reports", "Players without a number"):
        assert f'id="{shown[name][1].removeprefix("#")}"' in page
    of_state = {state: text(client.get(f"/reports/?state={state}")) for state in ("returned", "submitted")}
    assert "Returned Open" in of_state["returned"]
    assert "Waiting Open" not in of_state["returned"]
    assert "Waiting Open" in of_state["submitted"]
    assert "Accepted Open" not in of_state["submitted"]
    assert "Accepted Open" in text(client.get("/reports/?state=nonsense"))
    assert str(asked.pk) in text(client.get(shown["Public requests"][1]))
    (people,) = re.findall(
        r'<a href="(/reports/\d+/people/)">Waiting Open</a></th> <td class="table__num">2<', page
    )
    (changes,) = re.findall(r'href="(/lists/[^"]+federation=NED[^"]*)"', page)
    for address in (people, changes.replace("&amp;", "&")):
        assert client.get(address).status_code == HTTPStatus.OK
    elsewhere = text(official("BEL").get(PAGE))
    assert "Other Cup" in elsewhere
    assert "Late Cup" not in elsewhere
    assert "No reports yet." in elsewhere
    assert 'href="/reports/new/"' in elsewhere
    assert set(figures(elsewhere).values()) == {(1, "#announced"), (0, "")}


def test_an_official_without_a_federation_does_not_get_the_page() -> None:
    """Roles are in test_access.py."""
    client = client_of(create_user("o@example.org", "Olav", roles=[Role.NATIONAL_OFFICIAL]))
    assert client.get(PAGE).status_code == HTTPStatus.FORBIDDEN
