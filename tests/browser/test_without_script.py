"""Chromium without script and the client of the stories over HTTP: the same pages, the same forms."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from reporting.models import Report, Role
from tests.people import create_user
from tests.round_robins import faulty_file, submitted
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

LIST = "/lists/fmjd-100/2026-10-01/r1/"
# What each form of the page would send as it is now; the token against forged requests is a page's own.
SENT = """() => [...document.forms].map(form => [...new FormData(form)]
    .filter(([name]) => name != 'csrfmiddlewaretoken')
    .map(([name, value]) => [name, value instanceof File ? value.name : value.replace(/\\r\\n|\\n/g, '\\r\\n')]))"""


def compare(page: Any, visitor: Visitor) -> None:
    """The same words and fields with their values; what Chromium does not show is not compared."""
    page.wait_for_load_state()
    assert page.url.endswith(visitor.address)
    read = visitor.text.replace(" ", "")
    shown = page.locator(
        "main :is(h1, h2, p, dt, dd, th, td:not(:has(select)), a, button):not([hidden], [hidden] *)"
    ).all_inner_texts()
    assert [text for text in shown if "".join(text.split()) not in read] == [], page.url
    forms = [
        [list(pair) for pair in visitor.sent_by(form) if pair[0] != "csrfmiddlewaretoken"]
        for form in visitor.page.iter("form")
    ]
    files = [
        [["file", ""]] * sum(each.get("type") == "file" for each in visitor.fields_of(form))
        for form in visitor.page.iter("form")
    ]
    assert [sorted(sent) for sent in page.evaluate(SENT)] == [
        sorted(sent + empty) for sent, empty in zip(forms, files, strict=True)
    ]


def test_a_list_is_filtered_and_a_player_opened(window: Callable[..., Any]) -> None:
    page, visitor = window(java_script_enabled=False), Visitor()
    page.goto(f"{LIST}?sort=name")
    visitor.open(f"{LIST}?sort=name")
    compare(page, visitor)
    page.get_by_label("Federation").select_option("SEN")
    visitor.choose("Federation", "SEN")
    page.get_by_text("More filters").click()
    page.get_by_label("Category").select_option("A")
    visitor.choose("Category", "A")
    page.get_by_role("button", name="Apply filters").click()
    visitor.press("Apply filters")
    assert "federation=SEN" in page.url
    assert "sort=name" in page.url
    compare(page, visitor)
    page.get_by_role("link", name="Rating", exact=True).click()
    visitor.open_link("Rating", exact=True)
    compare(page, visitor)
    page.get_by_role("link", name="Remove filter: Category A").click()
    visitor.open_link("Remove filter: Category A")
    compare(page, visitor)
    page.locator("#results tbody tr").first.get_by_role("link").click()
    visitor.open_link("", nth=0, within=visitor.page.find(".//*[@id='results']//tbody"))
    compare(page, visitor)
    assert page.locator(".plot__table").first.is_visible()


def test_a_report_is_uploaded_corrected_and_its_forms_are_sent_alike(window: Callable[..., Any]) -> None:
    referee = create_user("pieter@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    officer = create_user("olga@example.org", "Olga Officer", roles=[Role.RATING_OFFICER])
    page, visitor = window(referee, java_script_enabled=False), Visitor(referee)
    page.goto("/reports/new/")
    page.get_by_label("Report file").set_input_files(
        {"name": "riverside.txt", "mimeType": "text/plain", "buffer": faulty_file()}
    )
    page.get_by_role("button", name="Upload report").click()
    page.get_by_label("“3-0” in line").fill("2-0")
    page.get_by_role("button", name="Save changes").last.click()
    expect(page.locator("main")).to_contain_text("Saved as version 2")
    report = Report.objects.get(submitted_by=referee)
    for step in ("file/", "details/", "submit/", "results/", "results/1/"):
        page.goto(f"/reports/{report.pk}/{step}")
        visitor.open(f"/reports/{report.pk}/{step}")
        compare(page, visitor)
    page, visitor = window(officer, java_script_enabled=False), Visitor(officer)
    waiting = submitted(referee, "Ferry Lane Cup", 9)
    page.goto(f"/office/reports/{waiting.pk}/")
    visitor.open(f"/office/reports/{waiting.pk}/")
    compare(page, visitor)
