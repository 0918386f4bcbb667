"""The page of declarations for the open World Cup classification."""

from __future__ import annotations

from datetime import UTC, date, datetime
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from reporting.models import Role
from tests.pages.office.office_pages import text_of
from tests.people import client_of, create_user
from tests.services.conftest import Office, small_office
from tests.services.test_world_cup_commands import CUP, accept
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.federations.fmjd.world_cup.declarations.services import record_declaration

pytestmark = pytest.mark.django_db

ADDRESS = "/office/world-cup/declarations/"


@pytest.fixture
def office(db: None, monkeypatch: pytest.MonkeyPatch) -> Office:
    """12 W and 13 W, and a World Cup tournament of 12 from 6 March 2026; it is 14 December 2026."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 12, 14, 12, tzinfo=UTC))
    office = small_office()
    office.register(11, 14)
    office.register(12, 13, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], **CUP)
    return office


@pytest.fixture
def director(office: Office) -> Client:
    return client_of(office.director.user)


def official_of(federation: str) -> Client:
    email = f"official@{federation.lower()}.example"
    return client_of(create_user(email, "Nora", roles=[Role.NATIONAL_OFFICIAL], federation_id=federation))


@pytest.fixture
def official(office: Office) -> Client:
    return official_of("NED")


def test_the_office_records_and_withdraws(office: Office, director: Client) -> None:
    sent = {"action": "record", "number": "12", "year": "2026", "declared_on": "06/03/2026"}
    late = director.post(ADDRESS, sent)
    assert late.status_code == HTTPStatus.CONFLICT
    assert "in 2026 began on 6 Mar 2026. A declaration is made before." in text_of(late)
    assert 'value="06/03/2026"' in late.content.decode()
    done = director.post(ADDRESS, sent | {"declared_on": "05/03/2026"}, follow=True)
    assert "Declaration recorded." in text_of(done)
    assert "NED 12 in time 5 Mar 2026 in time" in text_of(done)
    declaration = WorldCupDeclaration.objects.get()
    withdrawal = {"action": "withdraw", "declaration": declaration.pk}
    assert director.post(ADDRESS, withdrawal).status_code == HTTPStatus.BAD_REQUEST
    done = director.post(ADDRESS, withdrawal | {"reason": "Another player"}, follow=True)
    assert "withdrawn Another player" in text_of(done)
    unknown = director.post(ADDRESS, withdrawal | {"declaration": 9999, "reason": "Another player"})
    assert unknown.status_code == HTTPStatus.NOT_FOUND


def test_a_tournament_accepted_later_makes_a_declaration_late(office: Office, director: Client) -> None:
    record_declaration(number=13, year=2026, declared_on=date(2026, 2, 6), by=office.officer)
    accept(office, "Earlier", [11, 12, 13, 14], month=2, **CUP)
    page = text_of(director.get(f"{ADDRESS}?year=2026"))
    assert "too late in 100 squares: first round 6 Feb 2026" in page


def test_an_official_records_today_and_sees_the_own_federation(office: Office, official: Client) -> None:
    assert f'href="{ADDRESS}"' in official.get("/office/federation/").content.decode()
    shown = official.get(ADDRESS)
    assert "It counts from today, 14 Dec 2026." in text_of(shown)
    assert "declared_on" not in shown.content.decode()
    done = official.post(ADDRESS, {"action": "record", "number": "12", "year": "2027"}, follow=True)
    assert "14 Dec 2026 in time" in text_of(done)
    assert "Withdraw declaration" not in done.content.decode()
    withdrawal = {"action": "withdraw", "declaration": WorldCupDeclaration.objects.get().pk, "reason": "x"}
    assert official.post(ADDRESS, withdrawal).status_code == HTTPStatus.FORBIDDEN
    other = official_of("ITA")
    empty = text_of(other.get(f"{ADDRESS}?year=2027"))
    assert "No declarations of your federation for this year." in empty
    assert "All women" not in empty
    refused = other.post(ADDRESS, {"action": "record", "number": "13", "year": "2027"})
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "The player is of another federation." in text_of(refused)


def test_who_only_sees_has_no_form(office: Office) -> None:
    council = client_of(create_user("cleo@example.org", "Cleo", roles=[Role.TITLE_COUNCIL]))
    page = council.get(ADDRESS)
    assert "Record declaration" not in page.content.decode()
    assert council.get(f"{ADDRESS}?year=1").status_code == HTTPStatus.BAD_REQUEST
    assert council.post(ADDRESS, {"action": "record"}).status_code == HTTPStatus.FORBIDDEN
