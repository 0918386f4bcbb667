"""The pages of a report between referee and office in a real browser."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reporting.models import Tournament, User
from tests.browser.conftest import check_page
from tests.people import create_user
from tests.round_robins import PLACE_LINE, submitted

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.fixture
def referee() -> User:
    return create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])


@pytest.fixture
def officer() -> User:
    return create_user("olga@example.org", "Olga Officer", roles=["rating_officer"])


def check_decision_bar(page: Any) -> None:
    """The decisions are in the window wherever it is scrolled, take a fifth of a phone, and cover no focused field."""
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.locator(".decision-bar")
    for scroll_to in ("0", "document.documentElement.scrollHeight / 2"):
        page.evaluate(f"window.scrollTo(0, {scroll_to})")
        box = bar.bounding_box()
        assert box["height"] <= 844 / 5
        assert box["y"] + box["height"] <= 844
    page.evaluate("window.scrollTo(0, 0)")
    page.get_by_label("Reason why it is a different tournament").focus()
    field = page.get_by_label("Reason why it is a different tournament").bounding_box()
    assert field["y"] + field["height"] <= bar.bounding_box()["y"]
    page.set_viewport_size({"width": 1280, "height": 900})


def test_review_pages_are_accessible_and_fit(
    window: Callable[..., Any], referee: User, officer: User
) -> None:
    late, plain = submitted(referee, "Ferry Lane Cup", 9), submitted(referee, "Lakeside Open", 1)
    returned = submitted(referee, "Hillside Open with a long name", 3)
    alike = submitted(referee, "Seaside Open", 2)
    for name, days_ago in (("Winter Cup", 12), ("Autumn Cup", 2)):
        last = timezone.localdate() - timedelta(days=days_ago)
        Tournament.objects.create(
            name=name, place="Ghent", country_id="BEL", played_from=last, played_to=last, discipline="100",
            time_control="80+30", announced_on=last - timedelta(days=30), announced_by=referee,
        )  # fmt: skip
    page = window(officer)
    page.goto(f"/office/reports/{returned.pk}/")
    page.get_by_label("General remark").fill("Almost there.")
    page.get_by_label("Line of remark 1", exact=True).fill(str(PLACE_LINE))
    page.get_by_label("Remark 1 on this line").fill("In English, please.")
    page.get_by_role("button", name="Return report").click()
    page.goto(f"/office/reports/{plain.pk}/")
    page.get_by_role("button", name="Accept report").click()

    def look(name: str, path: str = "") -> None:
        if path:
            page.goto(path)
        check_page(page, name)

    look("inbox", "/office/reports/")
    look("inbox-none", "/office/reports/?federation=XXX")
    look("returned", f"/office/reports/{returned.pk}/")
    look("accepted", f"/office/reports/{plain.pk}/")
    look("decisions", "/office/tournaments/")
    look("tournament-decisions", f"/office/tournaments/{plain.result_set.code}/")
    look("look_alike", f"/office/reports/{alike.pk}/")
    expect(page.get_by_label("It corrects Lakeside Open")).to_be_visible()
    check_decision_bar(page)
    look("late", f"/office/reports/{late.pk}/")
    page.get_by_role("button", name="Accept report").click()
    look("refused")
    assert [each for each in page.console_errors if "409" not in each] == []
    page = window(referee)
    look("remarks", f"/reports/{returned.pk}/")
    look("notes", f"/reports/{returned.pk}/notes/")
    page.get_by_label("Note").fill("Line 12 is right as it is.")
    page.get_by_role("button", name="Send note").click()
    look("note-sent")
    look("remarks-beside-lines", f"/reports/{returned.pk}/file/")
    assert page.console_errors == []
    roles = ["national_official"]
    page = window(create_user("olav@example.org", "Olav Lane", roles=roles, federation_id="BEL"))
    look("federation", "/office/federation/")
    assert page.console_errors == []
