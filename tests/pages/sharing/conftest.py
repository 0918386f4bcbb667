"""The office has an address while its pages are shared."""

from typing import Any

import pytest

from tests.pages.sharing.shared_pages import OFFICE


@pytest.fixture(autouse=True)
def _office(settings: Any) -> None:
    settings.OFFICE_URL = f"{OFFICE}/"
