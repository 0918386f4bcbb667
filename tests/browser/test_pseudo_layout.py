"""Long pages in a language with texts 40 % longer: nothing scrolls sideways at any width."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import check_page
from tests.pseudo_language import pseudo_language

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]

PAGES = (
    "/",
    "/lists/fmjd-100/2026-10-01/r1/",
    "/players/13368/",
    "/tournaments/2026-european-championship/",
    "/federations/NED/",
    "/method/fmjd/",
    "/check/",
    "/requests/new/?about=rating:fmjd-100:2026-10-01:1:13368",
)


def test_no_page_scrolls_sideways_in_a_longer_language(season_read: None, window: Callable[..., Any]) -> None:
    with pseudo_language() as prefix:
        page = window()
        for address in PAGES:
            page.goto(prefix + address)
            check_page(page, opened=True, axe=False)
