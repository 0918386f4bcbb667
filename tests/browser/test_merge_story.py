"""Two records of one person found, merged, the merge undone in a browser, also without script and on a phone."""

from collections.abc import Callable
from typing import Any

import pytest

from ratings.models import PublishedFile, RatingListRow
from reporting.models import Player, PlayerMerge
from reporting.rules.normalize_name import sort_name
from tests.browser.conftest import check_page, main_text
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_duplicate_is_merged_after_a_forecast_and_the_merge_is_undone(
    window: Callable[..., Any], javascript: bool
) -> None:
    officer = create_user("olga@example.org", "Olga", "long-enough-for-all", roles=["rating_officer"])
    row = (
        RatingListRow.objects.select_related("player").filter(games__gt=50).latest("list__in_force", "rating")
    )
    surviving = row.player
    duplicate = Player.objects.create(
        fmjd_id=98765, last_name=surviving.last_name, first_name=surviving.first_name, federation=surviving.federation,
        sort_name=sort_name(surviving.last_name, surviving.first_name),
        sex=surviving.sex, birth_year=surviving.birth_year,
    )  # fmt: skip
    files = {file.pk: bytes(file.content) for file in PublishedFile.objects.all()}
    page = window(java_script_enabled=javascript)
    page.goto(f"/login/?next=/office/players/{duplicate.fmjd_id}/")
    page.get_by_label("E-mail address").fill(officer.email)
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()

    page.get_by_role("link", name="Merge with another record").click()
    check_page(page, axe=javascript)
    page.get_by_role("link", name=f"{surviving.printed_name}, {surviving.fmjd_id}").click()
    assert f"Merge 98765 into {surviving.fmjd_id}" in main_text(page)
    assert f"{row.rating} {row.games} games" in main_text(page)
    check_page(page, axe=javascript)
    page.get_by_label("Evidence that both records are one person").fill("Confirmed by telephone.")
    page.get_by_role("button", name=f"Merge 98765 into {surviving.fmjd_id}").click()
    assert "from the next calculation" in main_text(page)
    assert "Confirmed by telephone." in main_text(page)
    check_page(page, axe=javascript)
    page.get_by_role("link", name="Undo merge").click()
    check_page(page, axe=javascript)
    page.get_by_label("Evidence that these are two persons").fill("A father and a son.")
    page.get_by_role("button", name="Undo merge").click()
    assert "are separate from the next list" in main_text(page)
    assert page.get_by_role("link", name="Undo merge").count() == 0
    assert PlayerMerge.objects.get().undone_reason == "A father and a son."
    assert {file.pk: bytes(file.content) for file in PublishedFile.objects.all()} == files
    assert page.console_errors == []
