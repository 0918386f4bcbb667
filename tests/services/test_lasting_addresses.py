"""Addresses of players last: of a merged record they lead to the surviving one, of an erased person they are gone."""

import pytest

from reporting.models import Player
from reporting.register.services.erase_name import erase_name
from reporting.register.services.merge_players import merge_players

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("owner")]

OF_PERSON = (
    "/players/%s/", "/players/%s/feed.atom", "/players/%s/image.png", "/embed/players/%s/", "/api/v1/players/%s/",
    "/api/v1/players/%s/titles/",
)  # fmt: skip
OF_RECORD = (
    "/players/%s/?pool=fmjd-100", "/players/%s/tournaments/", "/players/%s/opponents/", "/players/%s/games.csv",
    "/players/%s/history.csv", "/api/v1/players/%s/history/", "/api/v1/players/%s/changes/fmjd-100/2026-01-01/",
    *(f"/api/v1/players/%s/{page}/" for page in ("tournaments", "games", "opponents", "records")),
)  # fmt: skip
ADDRESSES = (*OF_PERSON, *OF_RECORD)


def player(number: int) -> Player:
    return Player.objects.get(numbers__fmjd=number)


def test_a_merged_record_leads_to_the_surviving_one_and_an_erased_person_is_gone(office, client, settings):
    settings.OFFICE_URL = "https://ratings.example.org"
    to_embed = "/oembed/?url=https://ratings.example.org/players/%s/"
    office.opening("fmjd_id rating games\n11 2000 100\n12 2050 100\n13 2010 40")
    assert {client.get(address % 13).status_code for address in ADDRESSES} == {200}
    merge_players(duplicate=player(13), surviving=player(11), reason="one person", by=office.officer)
    office.accept("Open", [11, 12], ["1 1 2 2-0"])
    office.run()  # from the next list on the two are one
    assert {client.get(address % 13).status_code for address in OF_RECORD} == {200}
    assert "/players/13/tournaments/" in client.get("/players/11/").text
    for address in OF_PERSON:
        moved = client.get(address % 13)
        assert (moved.status_code, moved["Cache-Control"]) == (301, "public, max-age=0, s-maxage=1"), address
        assert moved["Location"] == address % 11
        assert client.get(address % 11).status_code == 200
    answer = client.get("/api/v1/players/13/").json()
    assert (answer["code"], answer["merged_into"], answer["url"]) == ("moved", "11", "/api/v1/players/11/")
    embedded = client.get(to_embed % 13).json()
    assert "https://ratings.example.org/embed/players/11/" in embedded["html"]
    erase_name(player=player(12), reason="Asked for it.", by=office.officer)
    for address in ADDRESSES:
        assert client.get(address % 12).status_code == 410, address
        assert client.get(address % 99).status_code == 404, address
    assert [client.get(to_embed % number).status_code for number in (12, 99)] == [410, 404]
    assert client.get("/api/v1/players/12/").json()["code"] == "gone"
    assert client.get("/players/12/")["Cache-Control"] == "public, max-age=0, s-maxage=1"
    client.force_login(office.officer.user)
    assert client.get("/players/12/")["Cache-Control"] == "private, no-store"  # it names its reader


@pytest.mark.usefixtures("season")
def test_an_address_of_the_api_without_its_last_slash_is_redirected_and_the_index_names_all(client) -> None:
    moved = client.get("/api/v1/players?q=a")
    assert (moved.status_code, moved["Location"]) == (301, "/api/v1/players/?q=a")
    assert client.get("/api/v1/nothing").status_code == 404
    index = client.get("/api/v1/").json()
    paths = {endpoint["path"] for endpoint in index["endpoints"]}
    assert {"/api/v1/players/", "/api/v1/lists/{pool}/", "/api/v1/reports/"} <= paths
    assert client.get(index["openapi"]).status_code == 200
