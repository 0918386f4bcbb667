"""What the tests of pages share: fresh page caches, the newest list of the demonstration, a referee."""

from collections.abc import Iterator

import pytest
from django.test import Client

from config.web.kept_pages import KEPT as KEPT_PAGES
from ratings.models import RatingList
from ratings.published.api.lists import filters_of_list
from ratings.published.selectors.players import name_index
from ratings.published.selectors.search import federation_index
from ratings.published.selectors.statistics.federations import ranks_over_time
from ratings.published.selectors.statistics.records import activity_by_year, best_figures
from ratings.published.selectors.tournaments.tables import tournament_index
from reporting.models import Role, User
from reporting.web.http_cache import FRAGMENTS, PAGES
from tests.people import create_user
from tests.services.conftest import office  # noqa: F401 - the small office of the service tests

KEPT = (
    name_index, federation_index, tournament_index, ranks_over_time, activity_by_year, best_figures, filters_of_list,
)  # fmt: skip


def clear_kept() -> None:
    KEPT_PAGES.clear()
    PAGES.clear()
    FRAGMENTS.clear()
    for kept in KEPT:
        kept.cache_clear()


@pytest.fixture(autouse=True)
def _fresh_pages() -> Iterator[None]:
    """Nothing is cached from one test to the next: the same numbers may mean other lists."""
    clear_kept()
    yield
    clear_kept()


@pytest.fixture
def newest(season_shared: None) -> RatingList:
    """The newest list of the demonstration."""
    return RatingList.objects.filter(state="published").select_related("pool").latest("in_force")


@pytest.fixture
def referee(client: Client) -> User:
    """A referee, logged in by the test's client."""
    user = create_user("r@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    client.force_login(user)
    return user
