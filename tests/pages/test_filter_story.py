"""A list is filtered, sorted and left for a player by its links and forms; a reader logs in and out."""

from typing import Any

import pytest

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]

LIST = "/lists/fmjd-100/2026-10-01/r1/"
ROWS = ".//*[@id='results']//tbody/tr"


def expected(**filters: Any) -> int:
    newest = RatingList.objects.get(in_force="2026-10-01")
    return FmjdListRow.objects.filter(list_id=newest.pk, official_position__isnull=False, **filters).count()


def test_filtering_without_script() -> None:
    page = Visitor()
    page.open(f"{LIST}?sort=name")
    page.choose("Federation", "SEN")
    page.choose("Category", "A")
    page.press("Apply filters")
    assert "federation=SEN" in page.address
    assert "sort=name" in page.address
    assert len(page.texts(ROWS)) == expected(federation="SEN", category="A")
    page.open_link("Rating", exact=True)
    page.open_link("Remove filter: Category A")
    assert len(page.texts(ROWS)) == expected(federation="SEN")
    page.open_link("", nth=0, within=page.page.find(ROWS))
    assert "Ratings as a table" in page.texts(".//summary")


def test_a_person_who_is_logged_in_sees_their_name_and_can_log_out() -> None:
    create_user("rina@example.org", "Rina Reader", roles=["referee"])
    page = Visitor()
    page.open("/players/13368/")
    page.open_link("Log in")
    page.fill("E-mail address", "rina@example.org")
    page.fill("Password", "wrong")
    page.press("Log in")
    assert page.texts(".//*[@role='alert']")[0].startswith("Wrong e-mail address or password")
    page.fill("Password", "long-enough-for-all")
    page.press("Log in")
    page.open(LIST)
    assert "Rina Reader" in " ".join(page.texts(".//header"))
    page.press("Log out")
    assert len(page.links("Log in")) == 1
