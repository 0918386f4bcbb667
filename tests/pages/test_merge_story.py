"""Two records of one person found, merged, the merge undone, by the links and forms of the pages."""

import pytest

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import PublishedFile
from reporting.models import PlayerMerge
from reporting.rules.names.normalize_name import sort_name
from tests.people import create_player, create_user
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),  # a merge reads in a snapshot of its own
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season", "cleared_rate_limits"),
]


def test_a_duplicate_is_merged_after_a_forecast_and_the_merge_is_undone() -> None:
    officer = create_user("olga@example.org", "Olga", roles=["rating_officer"])
    row = FmjdListRow.objects.select_related("player").filter(games__gt=50).latest("list__in_force", "rating")
    surviving = row.player
    duplicate = create_player(
        number=98765, last_name=surviving.last_name, first_name=surviving.first_name, federation=surviving.federation,
        sort_name=sort_name(surviving.last_name, surviving.first_name),
        sex=surviving.sex, birth_year=surviving.birth_year,
    )  # fmt: skip
    files = {each.pk: bytes(each.content) for each in PublishedFile.objects.all()}
    page = Visitor()
    page.log_in(officer.email, then=f"/office/players/{duplicate.address}/")

    page.open_link("Merge with another record")
    page.open_link(f"{surviving.printed_name}, {surviving.address}")
    assert f"Merge 98765 into {surviving.address}" in page.text
    assert f"{row.rating} {row.games} games" in page.text
    page.fill("Evidence that both records are one person", "Confirmed by telephone.")
    page.press(f"Merge 98765 into {surviving.address}")
    assert "from the next calculation" in page.text
    assert "Confirmed by telephone." in page.text
    page.open_link("Undo merge")
    page.fill("Evidence that these are two persons", "A father and a son.")
    page.press("Undo merge")
    assert "are separate from the next list" in page.text
    assert page.links("Undo merge") == []
    assert PlayerMerge.objects.get().undone_reason == "A father and a son."
    assert {each.pk: bytes(each.content) for each in PublishedFile.objects.all()} == files
