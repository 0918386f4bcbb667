"""What the tests of public pages share: fresh page caches and the newest list of the demonstration."""

from collections.abc import Iterator

import pytest

from config.web.kept_pages import KEPT
from ratings.models import RatingList
from ratings.published.selectors.players import name_index
from reporting.web.http_cache import FRAGMENTS, PAGES


@pytest.fixture(autouse=True)
def _fresh_pages() -> Iterator[None]:
    """Nothing is cached from one test to the next: the same numbers may mean other lists."""
    KEPT.clear()
    PAGES.clear()
    FRAGMENTS.clear()
    name_index.cache_clear()
    yield
    KEPT.clear()
    PAGES.clear()
    FRAGMENTS.clear()
    name_index.cache_clear()


@pytest.fixture
def newest(season_shared: None) -> RatingList:
    """The newest list of the demonstration."""
    return RatingList.objects.filter(state="published").select_related("pool").latest("in_force")
