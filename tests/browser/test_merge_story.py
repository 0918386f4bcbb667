"""Two records of one person found, merged and parted again in a real browser, without a script and on a phone too."""

from collections.abc import Callable
from typing import Any

import pytest

from ratings.models import PublishedFile, RatingListRow
from reporting.models import Player, PlayerMerge
from reporting.rules.normalize_name import sort_name
from tests.browser.conftest import check_page, told
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_double_is_merged_after_a_look_at_the_next_list_and_parted_again(
    window: Callable[..., Any], javascript: bool
) -> None:
    officer = create_user("olga@example.org", "Olga", "long-enough-for-all", roles=["rating_officer"])
    row = (
        RatingListRow.objects.select_related("player").filter(games__gt=50).latest("list__in_force", "rating")
    )
    kept = row.player
    double = Player.objects.create(
        fmjd_id=98765, last_name=kept.last_name, first_name=kept.first_name, federation=kept.federation,
        sort_name=sort_name(kept.last_name, kept.first_name), sex=kept.sex, birth_year=kept.birth_year,
    )  # fmt: skip
    files = {each.pk: bytes(each.content) for each in PublishedFile.objects.all()}
    page = window(java_script_enabled=javascript)
    page.goto(f"/login/?next=/office/players/{double.fmjd_id}/")
    page.get_by_label("E-mail address").fill(officer.email)
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()

    page.get_by_role("link", name="Merge with another record").click()
    check_page(page, axe=javascript)
    page.get_by_role("link", name=f"{kept.printed_name}, {kept.fmjd_id}").click()
    assert f"Merge 98765 into {kept.fmjd_id}?" in told(page)
    assert f"{row.rating} {row.games} games" in told(page)
    check_page(page, axe=javascript)
    page.get_by_label("How is it known that they are one person?").fill("His own word, by telephone.")
    page.get_by_role("button", name=f"Merge 98765 into {kept.fmjd_id}").click()
    assert "it counts from the next list calculated" in told(page)
    assert "His own word, by telephone." in told(page)
    check_page(page, axe=javascript)
    page.get_by_role("link", name="Part them again").click()
    check_page(page, axe=javascript)
    page.get_by_label("How is it known that they are two persons?").fill("A father and a son.")
    page.get_by_role("button", name=f"Part 98765 and {kept.fmjd_id}").click()
    assert "are two again" in told(page)
    assert page.get_by_role("link", name="Part them again").count() == 0
    assert PlayerMerge.objects.get().undone_reason == "A father and a son."
    assert {each.pk: bytes(each.content) for each in PublishedFile.objects.all()} == files
    assert page.console_errors == []
