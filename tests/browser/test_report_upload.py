"""Script on the pages of a report: newcomers looked up while typing, files dropped on their field."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from reporting.models import Player, Report, User
from tests.browser.conftest import check_page
from tests.people import create_user
from tests.round_robins import announce_riverside, faulty_file

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


SIX = Path(__file__).parents[1] / "pages" / "harlow-six-2026.trf"


@pytest.fixture
def referee() -> User:
    user = create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])
    announce_riverside(user)
    return user


def drag(page: Any, what: str, x: float, y: float, *files: Path) -> None:
    """What the browser gets when files from outside are held over a place of the page, or dropped there."""
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", what):
        browser.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})


def test_newcomers_are_rows_with_a_look_up_while_typing(window: Callable[..., Any], referee: User) -> None:
    page = window(referee)
    page.goto("/reports/new/")
    page.get_by_label("Report file").set_input_files(
        {"name": "harlow.trf", "mimeType": "text/plain", "buffer": SIX.read_bytes()}
    )
    page.get_by_role("button", name="Upload report").click()
    number = Report.objects.get(submitted_by=referee).pk
    page.goto(f"/reports/{number}/people/")
    known = Player.objects.filter(numbers__has_key="fmjd").order_by("numbers__fmjd").first()
    assert known is not None
    # One checkbox opens the name and the look-up of every row; so a row has two stops of the Tab key.
    field = page.locator("#fmjd_id-1")
    expect(field).to_be_hidden()
    page.locator("#sex-1").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#born-1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#sex-2")).to_be_focused()
    page.get_by_label("Name and look-up in every row").check()
    field.press_sequentially(known.last_name)
    # The options come without a page of their own; the list of the field belongs to the browser.
    option = page.locator(f"#looked-up option[value='{known.address}']")
    option.wait_for(state="attached")
    assert known.printed_name in option.text_content()
    field.fill(known.address)
    check_page(page, "people")
    page.get_by_role("button", name="Save people").click()
    page.locator("table:has-text('Identified players') td", has_text=known.address).wait_for()
    expect(page.get_by_role("status").filter(has_text="Saved as version")).to_be_in_viewport()
    page.goto(f"/reports/{number}/submit/")
    check_page(page, "submit-kinds")
    assert page.console_errors == []


def test_files_are_dropped_on_the_field_alone(
    window: Callable[..., Any], referee: User, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.trf", tmp_path / "riverside.txt"
    first.write_bytes(SIX.read_bytes())
    second.write_bytes(faulty_file())
    page = window(referee)
    page.goto("/reports/new/")
    field = page.get_by_label("Report file")
    names = "field => [...field.files].map(file => file.name)"
    box = field.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    below = box["y"] + box["height"] + 200

    drag(page, "dragOver", x, y, first)
    expect(field).to_have_class(re.compile("field__input--over"))
    drag(page, "drop", x, y, first)
    expect(field).not_to_have_class(re.compile("field__input--over"))
    assert field.evaluate(names) == ["first.trf"]

    # Without a window nothing is opened by a drop: what counts is what the browser is told while the file is held.
    page.evaluate(
        """window.addEventListener('dragover', event => {
            window.answer = [event.defaultPrevented, event.dataTransfer.dropEffect]; })"""
    )
    drag(page, "drop", x, below, second)
    assert page.evaluate("window.answer") == [True, "none"], "a file dropped next to the field is not opened"
    expect(page).to_have_url(re.compile("/reports/new/$"))
    assert field.evaluate(names) == ["first.trf"]

    drag(page, "drop", x, y, first, second)
    assert field.evaluate(names) == ["first.trf", "riverside.txt"]
    page.get_by_role("button", name="Upload report").click()
    expect(page.locator("section[aria-labelledby=outcomes] tbody th")).to_have_text(
        ["first.trf", "riverside.txt"]
    )
    assert Report.objects.filter(submitted_by=referee).count() == 2
    assert page.console_errors == []
