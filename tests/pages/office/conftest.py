"""Two people of an office, and the list of the demonstration that is open: its period, and its draft."""

import pytest
from django.test import Client

from ratings.models import Period, Pool, RatingList
from ratings.production.periods.freeze_period import ensure_period
from ratings.queries.periods import due_period
from reporting.log.audit import Actor
from reporting.models import Role, User
from tests.pages.office.office_pages import IN_FORCE, person
from tests.people import client_of


@pytest.fixture(autouse=True)
def _of_the_demonstration(demonstration: None) -> None: ...


@pytest.fixture
def officer(season: None) -> User:
    """Olga, who has frozen the list where there is a draft."""
    return User.objects.filter(name="Olga").first() or person("Olga", Role.RATING_OFFICER)


@pytest.fixture
def releaser(season: None) -> User:
    return person("Rolf", Role.RELEASING_OFFICER)


@pytest.fixture
def opened(officer: User) -> Period:
    """The period of the demonstration that is open, with reports accepted and submitted."""
    pool = Pool.objects.get(code="fmjd-100")
    assert due_period(pool).in_force == IN_FORCE
    return ensure_period(pool=pool, in_force=IN_FORCE, by=Actor(officer))


@pytest.fixture
def draft(season_with_draft: None) -> RatingList:
    """Its draft, calculated and opened for approval by the worker."""
    return RatingList.objects.get(period__in_force=IN_FORCE, state="ready")


@pytest.fixture
def client(officer: User) -> Client:
    return client_of(officer)
