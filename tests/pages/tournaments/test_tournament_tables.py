"""The tables of tournaments (calculated, waiting, announced), the calendar file, the pages of rounds and files."""

import re
from datetime import UTC
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from ratings.models import RatingList
from reporting.log.audit import Actor
from reporting.models import Game, LogEntry, ResultSet, Tournament
from reporting.reports.services.announce import change_announcement, state_digest, withdraw_announcement
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

CODE = "2026-european-championship"
LINK = re.compile(r'<a href="/tournaments/([^/"]+)/">')


def shown(client: Client, **query: Any) -> list[str]:
    page = client.get("/tournaments/", query)
    assert page.status_code == 200
    return LINK.findall(page.text.partition("<tbody>")[2])


def counted() -> Any:
    return ResultSet.objects.filter(manifest_lines__isnull=False).distinct()


def test_filters_order_and_api_are_one_form(client: Client, newest: RatingList) -> None:
    everything = counted()
    expected = {
        ("year", "2025"): everything.filter(played_from__year=2025) | everything.filter(played_to__year=2025),
        ("country", "NED"): everything.filter(country="NED"),
        ("discipline", "64"): everything.filter(discipline="64"),
        ("tempo", "rapid-blitz"): everything.filter(seconds_for_60_moves__lt=1800),
        ("players", "women"): everything.filter(women_only=True),
        ("players", "youth"): everything.filter(youth_only=True),
        # Another name of the Netherlands; no tournament and no place of the season has it.
        ("q", "holland"): everything.filter(country="NED"),
    }
    for (name, value), tournaments in expected.items():
        codes = {*tournaments.values_list("tournament__code", flat=True)}
        assert {*shown(client, **{name: value})} == codes, (name, value)
        answer = client.get("/api/v1/tournaments/", {name: value, "limit": 500}).json()
        assert {row["code"] for row in answer["results"]} == codes
    assert 0 < expected["country", "NED"].count() < everything.count()
    falling = shown(client, sort="-players")
    sizes = {one.code: one.entries.count() for one in everything}
    assert [sizes[code] for code in falling] == sorted(sizes.values(), reverse=True)
    assert falling[0] != shown(client, sort="players")[0]


@pytest.mark.parametrize(
    "name", ["year", "country", "discipline", "tempo", "players", "sort", "q"], ids=lambda name: name
)
def test_a_value_that_cannot_be_used_is_named(client: Client, season_shared: None, name: str) -> None:
    value = "?!" if name in {"q", "tempo"} else "zz9"
    page = client.get("/tournaments/", {name: value})
    assert page.status_code == 400
    assert (">Order: " if name == "sort" else f'{name}_error"') in page.text
    if name != "players":  # an announcement does not say it
        calendar = client.get("/tournaments/calendar.ics", {name: value})
        assert (calendar.status_code, calendar.text.partition(":")[0]) == (400, name)


@pytest.fixture
def announcement(season_shared: None) -> Tournament:
    return Tournament.objects.create(
        name="Harbour Cup; final", place="Delfzijl", country_id="NED", played_from="2099-12-30",
        played_to="2099-12-31", discipline="64", time_control="80+30", announced_on="2026-10-01",
        announced_by=create_user("rina@example.org", "Rina Reader", roles=["referee"]),
    )  # fmt: skip


def event_of(client: Client, announcement: Tournament) -> dict[str, str]:
    """The lines of an announcement in the calendar file, by their names."""
    text = client.get("/tournaments/calendar.ics").content.decode().replace("\r\n ", "")
    (event,) = (part for part in text.split("BEGIN:VEVENT") if f"UID:announcement-{announcement.pk}@" in part)
    return dict(line.split(":", 1) for line in event.partition("END:VEVENT")[0].split("\r\n") if line)


def test_the_calendar_has_announcements_and_their_changes(client: Client, announcement: Tournament) -> None:
    office = Actor(announcement.announced_by)
    page = client.get("/tournaments/calendar/", {"year": 2099, "discipline": "64", "tempo": "classical"}).text
    for text in ("Harbour Cup; final", "Delfzijl, NED", "64 squares", "80 min + 30 s", "30–31 Dec 2099"):
        assert text in page, text
    assert announcement.announced_by.name not in page
    (coming,) = client.get("/api/v1/calendar/", {"year": 2099, "discipline": "64"}).json()["results"]
    assert coming == {
        "id": announcement.pk, "state": "announced", "code": None, "lists": [], "stars": None, "prize_money": None,
        "page": "/tournaments/calendar/?q=Harbour+Cup%3B+final",
        "name": "Harbour Cup; final", "place": "Delfzijl", "country": "NED", "played_from": "2099-12-30",
        "played_to": "2099-12-31", "discipline": "64",
        "time_controls": [{
            "text": "80+30", "sessions": [{"time": "P0DT01H20M00S", "moves": None}],
            "increment": "P0DT00H00M30S", "increment_from": 1,
            "time_for_60_moves": "P0DT01H50M00S",  # 80 min + 60 × 30 s = 110 min
        }],
    }  # fmt: skip
    assert "Harbour Cup" not in client.get("/tournaments/calendar/", {"tempo": "rapid-blitz"}).text
    first = event_of(client, announcement)
    assert (first["SEQUENCE"], first["SUMMARY"]) == ("0", "Harbour Cup\\; final")
    assert (first["STATUS"], first["LOCATION"]) == ("CONFIRMED", "Delfzijl\\, Netherlands")
    assert (first["DTSTART;VALUE=DATE"], first["DTEND;VALUE=DATE"]) == ("20991230", "21000101")
    values = {"name": "Harbour Cup", "place": "Delfzijl", "country": "NED", "played_from": "2099-12-29",
              "played_to": "2099-12-31", "discipline": "64", "time_control": "80+30"}  # fmt: skip
    change_announcement(
        announcement=announcement, based_on=state_digest(Tournament.objects.announced().get(pk=announcement.pk)),
        values=values, by=office, confirmed=["announced-far"],
    )  # fmt: skip
    second = event_of(client, announcement)
    changed = second["UID"], second["SEQUENCE"], second["DTSTART;VALUE=DATE"]
    assert changed == (first["UID"], "1", "20991229")
    at = LogEntry.objects.get(subject=f"announcement {announcement.pk}", action="announcement.change").at
    assert second["LAST-MODIFIED"] == second["DTSTAMP"] == f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    withdraw_announcement(announcement=announcement, reason="No hall.", by=office)
    last = event_of(client, announcement)
    assert (last["SEQUENCE"], last["STATUS"]) == ("2", "CANCELLED")
    assert "Harbour Cup" not in client.get("/tournaments/calendar/").text


def test_a_round_shows_its_games_with_what_was_not_played(client: Client, newest: RatingList) -> None:
    counted_games = Game.objects.filter(result_set__in=counted(), white__isnull=False, black__isnull=False)
    unplayed = counted_games.filter(played=False).first()
    assert unplayed is not None
    address = f"/tournaments/{unplayed.result_set.code}/rounds/"
    page = client.get(address, {"round": unplayed.round}).text
    games = unplayed.result_set.games.filter(round=unplayed.round)
    assert page.partition("<tbody>")[2].count("<tr>") == games.count()
    assert f"<b>{unplayed.white_points} x {unplayed.black_points}</b><br>" in page
    unplayed_games = games.filter(played=False, white__isnull=False, black__isnull=False)
    assert page.count("not played") == unplayed_games.count()
    assert client.get(address, {"round": 99}).status_code == 404
    bad = client.get(address, {"round": "x"})
    assert (bad.status_code, ">Round: " in bad.text) == (400, True)


def test_a_place_with_fewer_points_than_a_later_one_is_explained() -> None:
    def text(tournament: Any, place: int) -> str:
        line = SimpleNamespace(entry=SimpleNamespace(place=place))
        table = SimpleNamespace(contradictions={3: 4})
        context = {"line": line, "table": table, "tournament": tournament}
        return " ".join(render_to_string("ratings/tournament_place.html", context).split())

    swiss = SimpleNamespace(system="swiss", round_scores=[])
    assert "Place 3 with fewer points than place 4: so in the report." in text(swiss, 3)
    assert text(swiss, 4) == ""
    of_rounds = SimpleNamespace(system="swiss", round_scores=[[12, 0]])
    assert "the places follow the points of the rounds." in text(of_rounds, 3)
    assert text(SimpleNamespace(system="teams", round_scores=[]), 3) == ""  # the page says it once


@pytest.mark.parametrize("page", ["changes/", "crosstable/"])
def test_places_of_teams_are_explained_once(client: Client, season_shared: None, page: str) -> None:
    said = "Places are those of the teams, points those of each player."
    assert client.get(f"/tournaments/2026-polish-league/{page}").text.count(said) == 1
    assert said not in client.get(f"/tournaments/{CODE}/{page}").text


def test_an_unknown_tournament_offers_a_search(client: Client, season_shared: None) -> None:
    page = client.get("/tournaments/2026-nothing/")
    assert page.status_code == 404
    assert 'action="/search/"' in page.text
    assert "Player, tournament or federation" in page.text


def test_the_standings_file_is_that_of_the_page(client: Client, newest: RatingList) -> None:
    answer = client.get(f"/tournaments/{CODE}/standings.csv", {"tie_break_1": "wins", "round": 3})
    header, first, *_ = answer.content.decode().splitlines()
    assert header == "place,number,name,federation,points,wins"
    assert first.startswith("1,")
    assert answer["Content-Disposition"] == f'attachment; filename="{CODE}-standings.csv"'
    again = client.get(
        f"/tournaments/{CODE}/standings.csv", {"tie_break_1": "wins", "round": 3},
        headers={"If-None-Match": answer["ETag"]},
    )  # fmt: skip
    assert again.status_code == 304
    refused = client.get(f"/tournaments/{CODE}/standings.csv", {"tie_break_1": "boards"})
    assert (refused.status_code, refused.text) == (400, "tie_breaks: boards")
