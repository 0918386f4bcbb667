"""A player is found, edited and shown again in a real browser, with and without script."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from reporting.models import Federation, PersonalData, Player, User
from reporting.rules.normalize_name import sort_name
from tests.browser.conftest import check_page, main_text
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.fixture
def player() -> Player:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    made = Player.objects.create(
        fmjd_id=98765, last_name="Müller", first_name="Annelotte", sort_name=sort_name("Müller", "Annelotte"),
        federation_id="NED", sex="W", birth_year=2001,
    )  # fmt: skip
    PersonalData.objects.create(player=made, born="2001-02-03")
    return made


@pytest.fixture
def official(player: Player) -> User:
    return create_user(
        "nora@example.org", "Nora National", "long-enough-for-all", roles=["national_official"],
        federation_id="NED",
    )  # fmt: skip


def log_in(page: Any, person: User) -> None:
    page.goto("/login/?next=/office/players/")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/office/players/")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_player_is_found_in_another_spelling_and_edited_with_a_history(
    window: Callable[..., Any], player: Player, official: User, javascript: bool
) -> None:
    page = window(java_script_enabled=javascript)
    log_in(page, official)
    assert page.get_by_role("link", name="Register", exact=True).get_attribute("aria-current") == "page"
    page.get_by_label("Name or number").fill("annelot mueler")
    page.get_by_role("button", name="Show players").click()
    assert "1 player for “annelot mueler”" in main_text(page)
    assert "spelt alike, in another order" in main_text(page)
    page.get_by_role("link", name="Müller, Annelotte").click()
    page.get_by_role("link", name="Edit player").click()
    expect(page.get_by_label("Last name", exact=True)).to_be_visible()
    assert page.get_by_label("Title").count() == 0  # only for the office
    page.get_by_label("Last name").fill("Möller")
    page.get_by_role("button", name="Show changes").click()
    assert "Write Moller, if that is the name." in main_text(page)
    assert "The reason is missing." in main_text(page)
    page.get_by_label("Last name").fill("Moller")
    page.get_by_label("Date of birth").fill("2001-02-04")
    page.get_by_label("Reason").fill("Passport seen")
    page.get_by_role("button", name="Show changes").click()
    assert "The name changes from “Müller, Annelotte” to “Moller, Annelotte”." in main_text(page)
    page.get_by_role("button", name="Back to the form").click()
    assert page.get_by_label("Reason").input_value() == "Passport seen"
    page.get_by_role("button", name="Show changes").click()
    page.get_by_role("button", name="Save changes").click()
    assert "Changes saved." in main_text(page)
    history = page.get_by_role("table", name="Changes of the record, newest first")
    assert "Nora National" in history.inner_text()
    assert "Passport seen" in history.inner_text()
    assert "Date of birth: known" in history.inner_text()
    assert "2001-02" not in history.inner_text()
    # The console has only the refused form.
    assert [error for error in page.console_errors if "400 (Bad Request)" not in error] == []


def test_the_pages_are_accessible_and_do_not_scroll_sideways(
    window: Callable[..., Any], player: Player
) -> None:
    officer = create_user("olga@example.org", "Olga Officer", "long-enough-for-all", roles=["rating_officer"])
    page = window()
    log_in(page, officer)
    for address in (
        "/office/players/", "/office/players/?q=van&sex=W", "/office/players/?q=nobody",
        "/office/players/13368/", "/office/players/98765/", "/office/players/98765/edit/",
    ):  # fmt: skip
        page.goto(address)
        check_page(page)
    page.get_by_role("button", name="Show changes").click()
    check_page(page)
    page.get_by_label("Sex").select_option("M")
    page.get_by_label("Reason").fill("Passport seen")
    page.get_by_role("button", name="Show changes").click()
    page.get_by_role("heading", name="Changes to save").wait_for()
    check_page(page)
