"""Every public page: without a barrier, on a phone and in the dark, never sideways."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.browser.conftest import check_page
from tests.browser.test_public_pages import LIST, SMALL_TOURNAMENT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_read"),
]

NEXT_MONTH = timezone.localdate() + timedelta(days=30)
EVERY_PAGE = (
    "/", "/lists/", LIST, f"{LIST}?federation=NED&sort=name&players=women", f"{LIST}?q=nobody&sort=shoe",
    f"{LIST}tournaments/", f"{LIST}earlier/",
    f"{LIST}statistics/", "/lists/fmjd-100/compare/?part=new", "/records/", "/search/?q=van",
    "/players/?q=ver", f"{LIST}print/women/?federation=NED",
    "/players/?q=nobody", "/players/13368/", "/players/13368/?list=2026-01-01&pool=x", "/tournaments/",
    "/players/13368/tournaments/", "/players/13368/opponents/", "/players/compare/?first=13368&second=13369",
    "/export/", "/accessibility/", "/privacy/", "/reference/api/", "/embed/lists/fmjd-100/?top=5",
    "/embed/players/13368/", "/players/10633/?pools=all&from=2026-04-01",
    "/tournaments/2026-european-championship/", SMALL_TOURNAMENT, f"{SMALL_TOURNAMENT}crosstable/",
    f"{SMALL_TOURNAMENT}rounds/", f"{SMALL_TOURNAMENT}norms/", f"{SMALL_TOURNAMENT}changes/",
    "/tournaments/waiting/", "/tournaments/calendar/", "/federations/", "/federations/NED/",
    "/method/fmjd/", "/method/fmjd/tables/?difference=137", "/login/",
    "/titles/points/fmjd/?title=MI&games=9&ratings=2200",
    f"/world-cup/what-must-i-score/?player=16000&section=100&stars=3&rounds=9&rank=3&last_day={NEXT_MONTH}",
    "/youth-teams/2026/classic/", "/youth-teams/", "/champions/?area=world&year=x", "/champions/federations/",
    "/world-cup/", "/champions/2026/", "/champions/world-100-classic/",
    "/method/fmjd/calculator/?rating=2150&games=30&time_control=80%2B60&rating-1=2050&result-1=2",
    "/method/fmjd/calculator/?q=van&action=search",
    "/lists/fmjd-100/?q=brasilino", "/lists/fmjd-100/2026-04-01/?q=brasilino", f"{LIST}women/?q=ver",
    "/federations/ITA/", f"{SMALL_TOURNAMENT}standings/1/", f"{SMALL_TOURNAMENT}methods/", "/nothing/here/",
)  # fmt: skip
# Many rows of templates that others show with few: axe takes its time over every cell.
LONG_PAGES = {LIST, "/federations/NED/", "/tournaments/2026-european-championship/"}


def test_no_barrier_never_sideways_and_a_clean_console(window: Callable[..., Any]) -> None:
    """No error, no warning, nothing that the content security policy stops."""
    page = window()
    for path in EVERY_PAGE:
        page.goto(path)
        check_page(page, opened=True, axe=path not in LONG_PAGES)
    # The browser itself tells of the three queries with a value that cannot be used, and of the page that is not there.
    assert [error.rpartition("status of ")[2] for error in page.console_errors] == [
        "400 (Bad Request)", "400 (Bad Request)", "400 (Bad Request)", "404 (Not Found)",
    ]  # fmt: skip
