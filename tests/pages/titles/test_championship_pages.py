"""The pages of championships for the office: created, places named and answered, lots, standing of federations."""

from __future__ import annotations

import re
from dataclasses import replace
from http import HTTPStatus

import pytest
from django.test import Client

from reporting.log.audit import Actor
from reporting.models import Role, User
from tests.pages.office.office_pages import person, text_of
from tests.people import client_of
from tests.services.conftest import Office, small_office
from tests.services.test_championships import VALUES, Kind, register_world
from titles.federations.fmjd.championships.services.save_championship import (
    change_championship,
    create_championship,
)
from titles.federations.fmjd.models import Championship, PlaceStep
from titles.federations.fmjd.world_cup.inputs import players_by_id

pytestmark = pytest.mark.django_db

ADDRESS = "/office/championships/world-2027/"
NEW = {
    "kind": "world-20", "first_day": "28 Sep 2027", "council_day": "1 Oct 2026", "place": "Dakar", "champion": "11",
    "previous": "2026-cup",
}  # fmt: skip


@pytest.fixture
def director() -> User:
    return person("Dora", Role.TOURNAMENT_DIRECTOR)


@pytest.fixture
def office(db: None) -> Office:
    office = small_office()
    register_world(office)
    return office


@pytest.fixture
def client(director: User) -> Client:
    return client_of(director)


@pytest.fixture
def world_20(office: Office, director: User) -> Championship:
    return create_championship(kind=Kind.WORLD_20, values=VALUES, by=Actor(director))


def act(client: Client, action: str, seen: int, **values: str):
    values = {f"{action}-{name}": value for name, value in {"on": "30 Sep 2026", **values}.items()}
    return client.post(ADDRESS, {"action": action, "seen": str(seen), **values}, follow=True)


def test_a_championship_is_created_named_confirmed_and_replaced_on_its_pages(office, client):
    made = client.post("/office/championships/new/", NEW, follow=True)
    text = text_of(made)
    assert "Championship created." in text
    # R72b: names and reserve list on 1 January, at the latest 28 April; participants 28 March, regulations 28 June.
    for day in ("1 Jan 2027", "at the latest on 28 Apr 2027", "28 Mar 2027", "28 Jun 2027"):
        assert day in text
    assert "5 of 20 places have a player" in text
    assert "From item 8, 1 place went to item 9" in text
    assert "Names recorded." in text_of(act(client, "name", 1, item="4", numbers="21, 23\n26"))
    confirmed = act(client, "answer", 4, player="21", move="confirm")
    assert "confirmed 30 Sep 2026, recorded by Dora" in text_of(confirmed)
    text = text_of(act(client, "answer", 5, player="23", move="decline"))
    assert "withdrew on 30 Sep 2026 (recorded by Dora)" in text
    assert "Lot recorded." in text_of(act(client, "lot", 6, source="rating", players="17 16"))
    assert "a lot decides" not in text_of(client.get(ADDRESS))
    # The one withdrawal, of 23 on 30 September, is before the Council's day.
    page = text_of(client.get(f"{ADDRESS}change/"))
    assert "Withdrawals recorded: 1, of them before 1 Oct 2026: 1." in page
    unnamed = {**NEW, "champion": "", "seen": "7", "action": "name"}
    changed = client.post(f"{ADDRESS}change/", unnamed, follow=True)
    assert "Championship changed." in text_of(changed)
    assert Championship.objects.get().champion is None
    assert "World Championship, 20 players, 2027" in text_of(client.get("/office/championships/"))


def test_what_is_wrong_is_said_and_what_was_typed_stays(world_20, client):
    refused = act(client, "name", 1, item="4", numbers="21, 13")
    assert (refused.status_code, PlaceStep.objects.count()) == (HTTPStatus.CONFLICT, 0)
    assert "Of another continent: 13." in text_of(refused)
    assert 'value="21, 13"' in refused.content.decode()
    wrong = act(client, "name", 1, item="4", numbers="21, Ann")
    assert wrong.status_code == HTTPStatus.BAD_REQUEST
    assert "“Ann” is no FMJD-ID." in text_of(wrong)
    assert "Names recorded." in text_of(act(client, "name", 1, item="4", numbers="21"))
    late = act(client, "name", 1, item="4", numbers="23")
    assert late.status_code == HTTPStatus.CONFLICT
    assert "has changed since you opened it" in text_of(late)
    assert PlaceStep.objects.count() == 1
    assert client.post(ADDRESS, {"action": "x"}).status_code == HTTPStatus.CONFLICT
    same = client.post("/office/championships/new/", NEW)
    assert "There is a championship world-2027 already." in text_of(same)
    refused = client.post("/office/championships/new/", {**NEW, "champion": "99"})
    assert "Not in the register: 99." in text_of(refused)


def test_the_standing_of_a_federation_is_recorded_by_year(world_20, client):
    entered = {"federation": "NED", "year": "2027", "is_good": "no", "reason": "Fee not paid"}
    done = client.post("/office/championships/", entered, follow=True)
    assert "Standing recorded." in text_of(done)
    assert "Fee not paid" in text_of(done)
    assert "federation not in good standing" in text_of(client.get(ADDRESS))
    again = client.post("/office/championships/", entered)
    assert "This was recorded for NED and 2027 already." in text_of(again)


def test_the_form_of_a_championship_has_days_as_browsers_send_them_and_a_checkbox_before_its_label(
    world_20, client
):
    form = client.get(f"{ADDRESS}change/").content.decode()
    for name, day in (("first_day", "2027-09-28"), ("council_day", "2026-10-01")):
        [field] = re.findall(rf'<input type="date" name="{name}"[^>]*>', form)
        assert f'value="{day}"' in field
    assert re.search(r'<p class="choice"><input type="checkbox" name="match_played"[^>]*> <label', form)


def test_the_page_says_who_refused_what_is_missing_and_begins_an_answer(world_20, client, director):
    def name(number: int) -> str:
        return players_by_id([number])[number].printed_name

    missing = "The code of the previous championship is missing."
    assert missing not in text_of(client.get(ADDRESS))
    values = replace(VALUES, previous="", opponent=12, refused=(12, 13))
    change_championship(championship=world_20, values=values, by=Actor(director))
    page = client.get(f"{ADDRESS}?player=16")
    text = text_of(page)
    assert f"Refused the title match {name(12)}; {name(13)}" in text
    assert text.count(missing) == 2  # both places of item 2
    assert 'href="?player=14#answer"' in page.content.decode()
    field = r'name="answer-player"[^>]* value="16"|value="16"[^>]* name="answer-player"'
    assert re.search(field, page.content.decode())
    assert 'value="x"' not in client.get(f"{ADDRESS}?player=x").content.decode()


def test_others_see_a_championship_and_change_nothing(world_20, django_assert_max_num_queries):
    releaser = client_of(person("Rolf", Role.RELEASING_OFFICER))
    with django_assert_max_num_queries(50):  # 41 of the page, the others of the session
        page = releaser.get(ADDRESS)
    assert "<form" not in page.content.decode().partition("<main")[2]
    assert act(releaser, "name", 1, item="4", numbers="21").status_code == HTTPStatus.FORBIDDEN
    assert releaser.get("/office/championships/no-2027/").status_code == HTTPStatus.NOT_FOUND
