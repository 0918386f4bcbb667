"""Each step from a file on a laptop to a submitted report, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from reporting.models import Report, User
from tests.browser.conftest import check_page
from tests.browser.test_report_upload import referee  # noqa: F401 (fixture)
from tests.round_robins import faulty_file

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

STEPS = ("", "file/", "details/", "people/", "preview/", "submit/", "changes/1-2/")


def test_each_step_is_without_barrier_and_fits(window: Callable[..., Any], referee: User) -> None:  # noqa: F811
    page = window(referee)
    page.goto("/reports/new/")
    page.get_by_label("Report file").set_input_files(
        {"name": "riverside.txt", "mimeType": "text/plain", "buffer": faulty_file()}
    )
    page.get_by_role("button", name="Upload report").click()
    page.get_by_label("“3-0” in line").fill("2-0")
    saved = page.get_by_role("main").get_by_role("status").filter(has_text="aved as version")
    number = Report.objects.get(submitted_by=referee).pk
    page.get_by_role("button", name="Save changes").last.click()
    expect(saved).to_be_in_viewport()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for step, button in (("details/", "Save details"), ("results/crosstable/", "Save crosstable")):
            page.goto(f"/reports/{number}/{step}")
            page.get_by_role("button", name=button).last.click()
            expect(saved, step).to_be_in_viewport()
    for step in ("/reports/", "/reports/new/", *(f"/reports/{number}/{step}" for step in STEPS)):
        page.goto(step)
        check_page(page)
    assert page.console_errors == []
