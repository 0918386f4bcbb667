"""The pages on which records are merged and a merge is undone, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from ratings.federations.fmjd.models import FmjdListRow
from reporting.rules.names.normalize_name import sort_name
from tests.browser.conftest import check_page, main_text
from tests.people import create_player, create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


LINES_OF_TEXT = """cell => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return text.getClientRects().length;
}"""


def test_the_pages_of_a_merge_have_no_barrier_and_fit(window: Callable[..., Any]) -> None:
    officer = create_user("olga@example.org", "Olga", roles=["rating_officer"])
    row = FmjdListRow.objects.select_related("player").filter(games__gt=50).latest("list__in_force", "rating")
    surviving = row.player
    surviving.last_name = "Wolfeschlegelsteinhausen"  # longer than the half of a phone
    surviving.sort_name = sort_name(surviving.last_name, surviving.first_name)
    surviving.save()
    duplicate = create_player(
        number=98765, last_name=surviving.last_name, first_name=surviving.first_name, federation=surviving.federation,
        sort_name=sort_name(surviving.last_name, surviving.first_name),
        sex=surviving.sex, birth_year=surviving.birth_year,
    )  # fmt: skip
    page = window(officer)
    page.goto(f"/office/players/{duplicate.address}/")
    page.get_by_role("link", name="Merge with another record").click()
    check_page(page)
    page.get_by_role("link", name=f"{surviving.printed_name}, {surviving.address}").click()
    assert f"Merge 98765 into {surviving.address}" in main_text(page)
    check_page(page)
    page.set_viewport_size({"width": 390, "height": 844})
    label = page.get_by_role("rowheader", name="Federation")
    assert label.evaluate(LINES_OF_TEXT) == 1, "the label is not broken"
    page.get_by_label("Evidence that both records are one person").fill("Confirmed by telephone.")
    page.get_by_role("button", name=f"Merge 98765 into {surviving.address}").click()
    assert "from the next calculation" in main_text(page)
    check_page(page)
    page.get_by_role("link", name="Undo merge").click()
    check_page(page)
    assert page.console_errors == []
