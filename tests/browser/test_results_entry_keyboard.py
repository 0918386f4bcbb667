"""Results entry by keyboard alone: what Enter, arrows and Tab reach, what is heard, where the focus is after saving."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.upload import upload_report
from tests.browser.conftest import check_page
from tests.pages.reports.test_results_entry_crosstable import DETAILS, file_of
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

PASTE = """text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
}"""


def test_a_round_robin_is_typed_by_keyboard(window: Callable[..., Any]) -> None:
    referee = create_user("pieter@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    report = upload_report(
        content=file_of(4, "", "ROUND"), filename="report.txt", sidecar=DETAILS, by=Actor(referee)
    ).report
    page = window(referee)
    # The players: of one with a number the register knows the rest, only the place is left to type.
    page.goto(f"/reports/{report.pk}/results/")
    page.locator("#fmjd_id-1").fill("11285")
    page.keyboard.press("Enter")
    expect(page.locator("#fmjd_id-2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(page.locator("#place-1")).to_be_focused()
    type_a_new_player(page)
    type_two_rounds(page, report)
    type_the_crosstable(page, report)
    games = [
        (game.round, game.white, game.black, game.result)
        for game in open_report(report.pk).reading.read.games
    ]
    # The table of four: 1-4 2-3, 4-3 1-2, 2-4 3-1.
    assert sorted(games) == [
        (1, 1, 4, "1-1"), (1, 2, 3, "2-0"), (2, 1, 2, "2-0"), (2, 4, 3, "0-2"), (3, 2, 4, "1-1"), (3, 3, 1, "0-2"),
    ]  # fmt: skip
    assert page.console_errors == []


def type_a_new_player(page: Any) -> None:
    """Four stops of the Tab key: the name in place of the number, country, date of birth, sex."""
    page.get_by_role("button", name="Add rows").click()
    page.wait_for_load_state()
    page.locator("#fmjd_id-5").focus()
    for typed in ("Bosch, Lotte", "NED", "1994-05-02", "W"):
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    expect(page.locator("#fmjd_id-6")).to_be_focused()
    names = ("fmjd_id", "first_name", "last_name", "country", "born", "sex")
    assert [page.locator(f"#{name}-5").input_value() for name in names] == [
        "", "Lotte", "Bosch", "NED", "1994-05-02", "W",
    ]  # fmt: skip


def type_two_rounds(page: Any, report: Report) -> None:
    press = page.keyboard.press
    # A round: the focus is on the first number, its name appears at once, a wrong number has its message at its cell.
    page.goto(f"/reports/{report.pk}/results/1/")
    white, black, result = (page.locator(f"#{name}-1") for name in ("white", "black", "result"))
    expect(white).to_be_focused()
    assert 'textbox "Round 1, table 2, Black"' in page.locator("main form").aria_snapshot()
    page.keyboard.type("1")
    press("Enter")
    expect(page.locator("#white-1-message")).to_have_text("Givenaa Familyaa")
    expect(black).to_be_focused()
    page.keyboard.type("9")
    press("ArrowDown")
    expect(page.locator("#black-1-message")).to_have_text("No player has this number.")
    expect(page.locator("#black-2")).to_be_focused()
    press("ArrowUp")
    page.keyboard.type("4")  # the number is selected: typing replaces it
    press("Enter")
    expect(result).to_be_focused()
    page.keyboard.type("1-1")
    press("Enter")
    expect(page.locator("#white-2")).to_be_focused()
    page.evaluate(PASTE, "2\t3\t2-0\n\t\t")
    expect(page.locator("#result-2")).to_have_value("2-0")
    expect(page.locator("[data-reading]")).to_have_text(
        "Empty in the table: Round 1, table 3, White; Round 1, table 3, Black; Round 1, table 3, Result"
    )
    check_page(page, "round")
    page.locator("#black-2").focus()
    press("Enter")
    expect(page.get_by_role("button", name="Save round 1 and go to next round")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()

    # The next round by table: only the results are typed, only they are stops of the Tab key.
    page.get_by_role("link", name="Single round robin").click()
    page.wait_for_load_state()
    expect(page.locator("#result-1")).to_be_focused()
    page.keyboard.type("0-2")
    press("Tab")
    expect(page.locator("#result-2")).to_be_focused()
    page.keyboard.type("2-0")
    press("Enter")
    press("Enter")
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible()


def type_the_crosstable(page: Any, report: Report) -> None:
    press = page.keyboard.press
    # The crosstable: one side is typed, the other one follows; a pair of the table takes its points.
    page.goto(f"/reports/{report.pk}/results/crosstable/?pairing=berger")
    expect(page.locator("#c-1-3")).to_be_focused()
    assert 'textbox "Round 2 3 Givenac Familyac": 4b2' in page.locator("main form").aria_snapshot()
    page.keyboard.type("2")  # the cell is selected from the beginning: the points alone are typed
    press("Enter")
    expect(page.locator("#c-3-3")).to_have_value("1w0")
    expect(page.locator("[data-reading]")).to_have_text("Black against 3 Givenac Familyac")
    expect(page.locator("#c-2-3")).to_be_focused()
    press("End")
    page.keyboard.type("1")
    press("ArrowLeft")
    press("ArrowUp")
    expect(page.locator("#c-4-3")).to_have_value("2b1")
    expect(page.locator("#c-1-3")).to_be_focused()
    check_page(page, "crosstable")
    page.locator("#c-2-3").focus()
    press("Enter")
    expect(page.get_by_role("button", name="Save crosstable")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Crosstable saved")
    page.wait_for_load_state()
    expect(page.locator("#c-2-3")).to_be_focused()
    # A table that does not fit the cells is kept in the field that takes whole tables.
    page.evaluate(PASTE, "1\t2\t3\t4\t5\t6")
    expect(page.locator("#pasted")).to_be_focused()
    expect(page.locator("#pasted")).to_have_value("1\t2\t3\t4\t5\t6")
