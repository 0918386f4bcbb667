"""The pages of the register in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting.models import PersonalData, Player
from reporting.rules.names.normalize_name import sort_name
from tests.browser.conftest import check_page
from tests.people import create_player, create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.fixture
def player() -> Player:
    made = create_player(
        number=98765, last_name="Müller", first_name="Annelotte", sort_name=sort_name("Müller", "Annelotte"),
        federation_id="NED", sex="W", birth_year=2001,
    )  # fmt: skip
    PersonalData.objects.create(player=made, born="2001-02-03")
    return made


def test_the_pages_are_accessible_and_do_not_scroll_sideways(
    window: Callable[..., Any], player: Player
) -> None:
    officer = create_user("olga@example.org", "Olga Officer", roles=["rating_officer"])
    page = window(officer)
    for address in (
        "/office/players/", "/office/players/?q=van&sex=W", "/office/players/?q=nobody",
        "/office/players/13368/", "/office/players/98765/", "/office/players/98765/transfer/",
        "/office/players/98765/erase/", "/office/players/98765/edit/",
    ):  # fmt: skip
        page.goto(address)
        check_page(page)
    page.goto("/office/memberships/")
    check_page(page)
    page.goto("/office/players/import/")
    check_page(page)
    table = b"fmjd_id,last_name,first_name,federation,sex,born\n98765,Muller,Anna,NED,W,2001\n"
    page.locator("input[type=file]").set_input_files(
        {"name": "register.csv", "mimeType": "text/csv", "buffer": table}
    )
    page.get_by_role("button", name="Show changes").click()
    page.wait_for_url("**/import/*/")
    check_page(page)
    page.goto("/office/players/98765/edit/")
    page.get_by_role("button", name="Show changes").click()
    check_page(page)
    page.get_by_label("Sex").select_option("M")
    page.get_by_label("Reason").fill("Passport seen")
    page.get_by_role("button", name="Show changes").click()
    page.get_by_role("heading", name="Changes to save").wait_for()
    check_page(page)
    page.goto("/office/players/98765/transfer/")
    page.get_by_label("New federation", exact=True).select_option("BEL")
    page.get_by_label("First day in the new federation").fill("2999-03-03")
    page.get_by_label("Reason").fill("A letter of both federations")
    page.get_by_role("button", name="Show changes").click()
    page.get_by_role("alert").wait_for()
    check_page(page)
    page.get_by_label("First day in the new federation").fill("2026-03-03")
    page.get_by_role("button", name="Show changes").click()
    page.get_by_role("heading", name="Transfer from NED to BEL").wait_for()
    check_page(page)
    page.get_by_role("button", name="Transfer player").click()
    page.get_by_text("NED until 3 Mar 2026, then BEL").wait_for()
    check_page(page)
    assert [
        each
        for each in page.console_errors
        if "400 (Bad Request)" not in each and "409 (Conflict)" not in each
    ] == []
