"""Each step from a file on a laptop to a submitted report, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting.models import Report, User
from tests.browser.conftest import check_page
from tests.people import create_user
from tests.round_robins import announce_riverside, faulty_file

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.fixture
def referee() -> User:
    user = create_user("pieter@example.org", "Pieter Ostrava", "long-enough-for-all", roles=["referee"])
    announce_riverside(user)
    return user


STEPS = ("", "file/", "details/", "people/", "preview/", "submit/", "changes/1-2/")


def test_each_step_is_without_barrier_and_fits(window: Callable[..., Any], referee: User) -> None:
    page = window(referee)
    page.goto("/reports/new/")
    page.get_by_label("Report file").set_input_files(
        {"name": "riverside.txt", "mimeType": "text/plain", "buffer": faulty_file()}
    )
    page.get_by_role("button", name="Upload report").click()
    page.get_by_label("“3-0” in line").fill("2-0")
    page.get_by_role("button", name="Save changes").last.click()
    number = Report.objects.get(submitted_by=referee).pk
    for step in ("/reports/", "/reports/new/", *(f"/reports/{number}/{step}" for step in STEPS)):
        page.goto(step)
        check_page(page)
    assert page.console_errors == []
