"""The calculation of ICCF ratings on the pages of players, and its method and calculator: accessible, they fit."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import check_page
from tests.flows.test_iccf import opened, tournament  # noqa: F401 (fixtures)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("tournament")
def test_the_calculation_of_a_rating_fits(window: Callable[..., Any]) -> None:
    page = window()
    for address in (
        "/players/iccf-910001/?pool=iccf&list=2026-04-01", "/players/iccf-910003/?pool=iccf&list=2026-04-01",
        "/players/iccf-910004/?pool=iccf&list=2026-07-01", "/players/iccf-910006/?pool=iccf&list=2026-04-01",
        "/method/iccf/", "/method/iccf/calculator/?level=2200&rating-1=2400&result-1=0",
        "/method/iccf/tables/?difference=-100&rating=2001&games=31",
    ):  # fmt: skip
        page.goto(address)
        check_page(page, address, opened="player" in address or "tables" in address)
    assert page.console_errors == []
