"""The pages of champions: what lists count of reported championships, what the office entered, title matches."""

from __future__ import annotations

from datetime import UTC, date, datetime
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import RatingList
from reporting.models import Role
from tests.pages.office.office_pages import text_of
from tests.people import logged_in
from tests.services.conftest import Office
from tests.services.correction_helpers import correct
from tests.services.test_champions import CHAMPIONSHIP, decide, enter, player
from tests.services.test_world_cup_commands import accept
from titles.federations.fmjd.champions.forms import MedalForm
from titles.federations.fmjd.champions.medals import entered_medals

pytestmark = pytest.mark.django_db(transaction=True)

WORLD = "/champions/world-100-classic/"
MATCH = "/office/champions/world-100-classic/2026/title-match/"
MEDAL = {
    "area": "world", "section": "100", "tempo": "classic", "group": "", "event": "women", "year": "1973", "place": "1",
    "player": "", "name": "Old Master", "federation": "NED", "source": "Yearbook, p. 4",
    "action": "enter",
}  # fmt: skip


@pytest.fixture
def published(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """The world championship of March 2026, won by 11 before 12 and 13, counted by the list of April 2026.

    It is 14 November 2026.
    """
    office.opening("fmjd_id rating games\n11 2300 90\n12 2250 90\n13 2250 90\n14 2250 90")
    accept(office, "World", [11, 12, 13, 14], **CHAMPIONSHIP)
    decide(office, "2026-world")
    office.run(date(2026, 4, 1))
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 14, 12, tzinfo=UTC))
    return office


def names(office: Office, *numbers: int) -> list[str]:
    return [f"{office.names[number][1]}, {office.names[number][0]}" for number in numbers]


def in_order(page: str, *texts: str) -> bool:
    found = [page.find(text) for text in texts]
    return -1 not in found and found == sorted(found)


def test_medals_are_on_pages_of_championship_year_player_federation(
    client: Client, published: Office
) -> None:
    people = names(published, 11, 12, 13)
    for path in ("/champions/", "/champions/2026/", WORLD):
        response = client.get(path)
        assert in_order(text_of(response), *people), path
        answer = client.get(path, headers={"If-None-Match": response["ETag"]})
        assert answer.status_code == HTTPStatus.NOT_MODIFIED
    assert "2026 World Championship, 100 squares, classic Gold place 1" in text_of(client.get("/players/11/"))
    assert "Medals of championships" not in text_of(client.get("/players/14/"))
    assert "Gold 1, silver 1, bronze 1." in text_of(client.get("/federations/NED/"))
    assert "Netherlands 1 1 1 3" in text_of(client.get("/champions/federations/"))


def test_a_correction_changes_the_medals_with_its_list(client: Client, published: Office) -> None:
    before = client.get("/champions/")["ETag"]
    of_player = client.get("/players/13/")["ETag"]
    corrected = {"places": (1, 3, 2, 4), "corrects": '"2026-world"'}
    report = accept(published, "World", [11, 12, 13, 14], **corrected, **CHAMPIONSHIP)
    assert in_order(text_of(client.get(WORLD)), *names(published, 11, 12, 13))
    correct(published, RatingList.objects.get(in_force=date(2026, 4, 1)), included_reports=[report.pk])
    published.run(date(2026, 4, 1))
    page = client.get(WORLD)
    assert in_order(text_of(page), *names(published, 11, 13, 12))
    assert client.get("/champions/")["ETag"] != before
    assert client.get("/players/13/")["ETag"] != of_player


def test_filters_fit_an_address_and_what_is_not_valid_is_named(client: Client, published: Office) -> None:
    enter(published, 1, name="Old Master", year=1973)
    page = text_of(client.get("/champions/?year=1973&area=world&event=open"))
    assert "1 championship, newest first" in page
    assert "Old Master" in page
    none = text_of(client.get("/champions/?federation=NED&event=teams"))
    assert "No championship matches these filters." in none
    response = client.get("/champions/?area=moon")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "The filter “Championship” was ignored" in text_of(response)
    for path in ("/champions/moon-100-classic/", "/champions/1500/", "/champions/?page=9"):
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND, path


def test_a_medal_has_a_number_as_long_as_other_forms_admit(db: None) -> None:
    # The largest FMJD-ID of a report has six digits.
    for number, messages in (
        ("999999", ["No player in the register has this number."]),
        ("1000000", ["Enter at most 999999."]),
    ):
        assert MedalForm({"player": number}).errors["player"] == messages


def test_file_and_api_have_the_same_medals(client: Client, published: Office) -> None:
    enter(published, 1, name="Old Master", year=1973)
    lines = client.get("/champions/champions.csv").text.splitlines()
    person = names(published, 11)[0]
    assert lines[1] == f'world-100-classic,world,100,classic,,0,0,2026,1,11,"{person}",NED,2026-world,'
    assert lines[4] == 'world-100-classic,world,100,classic,,0,0,1973,1,,Old Master,,,"Yearbook, p. 4"'
    rows = client.get("/api/v1/champions/", {"year": 2026, "limit": 1}).json()
    assert rows["count"] == 3
    assert rows["results"] == [
        {
            "championship": "world-100-classic", "area": "world", "section": "100", "tempo": "classic", "group": None,
            "women": False, "teams": False, "year": 2026, "place": 1, "fmjd_id": 11, "name": person,
            "federation": "NED", "tournament": "2026-world", "source": None,
        }
    ]  # fmt: skip


def test_the_office_enters_and_withdraws_a_medal(published: Office) -> None:
    office = logged_in(Role.TOURNAMENT_DIRECTOR)
    wrong = office.post("/office/champions/", MEDAL | {"player": "99", "source": ""})
    assert wrong.status_code == HTTPStatus.BAD_REQUEST
    assert "No player in the register has this number." in text_of(wrong)
    both = office.post("/office/champions/", MEDAL | {"player": "11"})
    assert both.status_code == HTTPStatus.CONFLICT
    assert "Enter the number or the name, not both" in text_of(both)
    reported = office.post("/office/champions/", MEDAL | {"event": "open", "year": "2026"})
    assert "follow from the report 2026-world" in text_of(reported)
    page = office.post("/office/champions/", MEDAL, follow=True)
    assert "Medal entered." in text_of(page)
    assert 'value="1973"' in page.text  # ready for the next one
    assert 'value="Old Master"' not in page.text
    assert "Old Master" in text_of(office.get("/champions/1973/"))
    (medal,) = entered_medals()
    office.post("/office/champions/", {"action": "withdraw", "medal": medal.pk, "reason": "Another year."})
    assert "withdrawn" in text_of(office.get("/office/champions/"))
    assert "Old Master" not in text_of(office.get("/champions/1973/"))


def test_only_the_office_reads_that_medals_are_not_entered(client: Client, published: Office) -> None:
    enter(published, 1, 11, year=2021)
    assert 'id="match-2021"' not in client.get(WORLD).text
    page = text_of(logged_in(Role.RATING_OFFICER).get(MATCH.replace("2026", "2021")))
    assert "Silver and bronze are not both entered, so the right to the match is not known." in page
    assert "keeps the title" not in page


def test_the_office_records_a_title_match_that_all_read(client: Client, published: Office) -> None:
    first, second, third = names(published, 11, 12, 13)
    shown = client.get(WORLD)
    assert f"{first} and {second} have the right to the match." in text_of(shown)
    rule = "Where the previous match was not played, numbers 1 and 2 of the championship play."
    assert rule in text_of(shown)
    assert '<th scope="row" class="table__unbroken">2026</th>' in shown.text  # in one line on a phone
    office = logged_in(Role.RATING_OFFICER)
    sent = {"move": "refuse", "player": "12", "on": "2026-10-01", "result": "", "reason": "", "seen": "0"}
    assert "Recorded." in text_of(office.post(MATCH, sent, follow=True))
    assert f"{first} and {third} have the right to the match." in text_of(client.get(WORLD))
    stale = office.post(MATCH, sent | {"player": "13"})
    assert stale.status_code == HTTPStatus.CONFLICT
    without = office.post(MATCH, sent | {"move": "cancel", "player": "", "seen": ""})
    assert "Enter a reason." in text_of(without)
    fewer = office.post(MATCH, sent | {"move": "play", "player": "13", "result": "9-15", "seen": ""})
    assert fewer.context["form"].errors["result"] == [
        "Enter the points of both players, the winner’s first and not fewer than the other’s: 13–11, or 6½–5½."
    ]
    office.post(MATCH, sent | {"move": "play", "player": "13", "result": "13-11", "seen": ""})
    page = text_of(client.get(WORLD))
    assert f"{second} refused on 1 Oct 2026." in page
    assert f"Played until 1 Oct 2026: {third} beat {first}, 13–11." in page
    assert player(13).printed_name in page.rpartition("13–11.")[2]  # the title holder
    response = office.get("/office/champions/world-64-blitz/2026/title-match/")
    assert response.status_code == HTTPStatus.NOT_FOUND
