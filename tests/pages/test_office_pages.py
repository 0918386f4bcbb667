"""The office's pages: what they show in each state, what an act answers, what a refusal leaves as it was."""

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client

from ratings.models import (
    Period,
    Pool,
    RatingList,
)
from ratings.services.freeze_period import due_period, ensure_period, freeze_and_calculate
from ratings.tasks import look_for_work
from reporting.models import Report, Role, User
from reporting.services.audit import Actor

pytestmark = pytest.mark.django_db(transaction=True)

IN_FORCE = date(2027, 1, 1)
PAGE = "/office/lists/fmjd-100/2027-01-01/"
PUBLISHED = "/office/lists/fmjd-100/2026-10-01/"
REASON = "The congress meets before the clock strikes."


def person(name: str, *roles: Role) -> User:
    return User.objects.create_user(
        f"{name.lower()}@example.org", name, "long-enough-for-all", roles=list(roles)
    )


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(response: Any) -> str:
    """What a reader reads, without tags."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.fixture
def officer(season: None) -> User:
    return person("Olga", Role.RATING_OFFICER)


@pytest.fixture
def releaser(season: None) -> User:
    return person("Rolf", Role.RELEASING_OFFICER)


@pytest.fixture
def opened(officer: User) -> Period:
    """The period of the demonstration that is open, with reports accepted and handed in."""
    pool = Pool.objects.get(code="fmjd-100")
    assert due_period(pool).in_force == IN_FORCE
    return ensure_period(pool=pool, in_force=IN_FORCE, by=Actor(officer))


@pytest.fixture
def draft(opened: Period, officer: User) -> RatingList:
    """Its draft, calculated and opened for approval by the worker."""
    freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    assert look_for_work() == 1
    return RatingList.objects.get(period=opened, state="ready")


def answer_all(client: Client, draft: RatingList) -> None:
    for anomaly in draft.anomalies.all():
        response = client.post(f"{PAGE}anomalies/{anomaly.pk}/", {"text": "checked with the referee"})
        assert (response.status_code, response["Location"]) == (302, f"{PAGE}#anomalies")


def test_the_whole_way_of_a_list_through_the_pages(opened: Period, officer: User, releaser: User) -> None:
    client = client_of(officer)
    assert "Open" in text_of(client.get("/office/"))
    page = client.get(PAGE)
    assert page.status_code == 200
    waiting = Report.objects.filter(state="submitted", tournament__played_to__lte=opened.closing)
    assert waiting.exists()
    for report in waiting:
        assert report.tournament.name in text_of(page)
    assert client.get(f"{PAGE}preview/").status_code == 200
    assert client.get(f"{PAGE}freeze/").status_code == 200
    response = client.post(f"{PAGE}freeze/", {"reason": REASON, "seen": "on"})
    assert (response.status_code, response["Location"]) == (302, PAGE)
    assert "Waiting for the worker" in text_of(client.get(PAGE))
    look_for_work()
    draft = RatingList.objects.get(period=opened, state="ready")
    page = client.get(PAGE)
    assert draft.sha256 in page.content.decode()
    assert client.get(f"{PAGE}differences/").status_code == 200
    answer_all(client, draft)
    response = client.post(f"{PAGE}approve/", {"sha256": draft.sha256})
    assert (response.status_code, response["Location"]) == (302, PAGE)
    response = client_of(releaser).post(f"{PAGE}release/", {"sha256": draft.sha256})
    assert (response.status_code, response["Location"]) == (302, PAGE)
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by, draft.released_by) == ("published", officer, releaser)
    assert "/lists/fmjd-100/2027-01-01/r1/" in client.get(PAGE).content.decode()
    assert Client().get("/lists/fmjd-100/2027-01-01/r1/").status_code == 200
    assert client.get(f"{PAGE}correct/").status_code == 200
    response = client.post(f"{PAGE}correct/", {"reason": "A game was typed wrongly.", "later": "carry"})
    assert response.status_code == 302
    look_for_work()
    page = client.get(PAGE)
    assert "A game was typed wrongly." in text_of(page)
    assert "Since the list it replaces" in text_of(page)
    assert client.get(f"{PAGE}differences/").status_code == 200
    response = client.post(f"{PAGE}withdraw/", {"reason": "It was right after all."})
    assert response.status_code == 302
    assert Period.objects.get(pk=opened.pk).state == "published"
