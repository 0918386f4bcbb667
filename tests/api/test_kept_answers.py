"""Answers of the API that the web process keeps: one query, every reader counted, never an old or another's one."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from ratings.models import RatingList
from reporting.models import Player
from reporting.register.services.erase_name import erase_name
from reporting.register.services.merge_players import merge_players
from reporting.web.api import throttling
from tests.api.test_public_endpoints import addresses
from tests.pages.conftest import clear_kept
from tests.pages.published.published_pages import OFFICER, actor, next_list, revised
from tests.pages.web.test_http_cache import is_kept
from tests.people import client_of, create_user

POOLS = "/api/v1/pools/"


@pytest.fixture(autouse=True)
def _no_requests_yet() -> None:
    cache.clear()


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_every_answer_is_kept_and_its_304_too(client: Client, season_read: None) -> None:
    for address in addresses():
        first = client.get(address)
        assert is_kept(client, address), address
        assert is_kept(client, address, {"If-None-Match": first["ETag"]}), address
        again = client.get(address)
        assert (again.content, again["Content-Type"]) == (first.content, "application/json"), address
        assert again["Access-Control-Allow-Origin"] == "*", address


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_readers_of_kept_answers_count(
    client: Client, season_read: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_kept(client, POOLS)
    left = [int(client.get(POOLS)["RateLimit-Remaining"]) for _ in range(3)]
    assert left == [left[0], left[0] - 1, left[0] - 2]
    other = client.get(POOLS, REMOTE_ADDR="192.0.2.7")
    assert int(other["RateLimit-Remaining"]) == throttling.MAX_REQUESTS - 1
    known = client.get(POOLS, headers={"If-None-Match": other["ETag"]})
    assert (known.status_code, int(known["RateLimit-Remaining"])) == (304, left[2])
    monkeypatch.setattr(throttling, "MAX_REQUESTS", 1)
    assert client.get(POOLS).status_code == 429
    assert client.get(POOLS, REMOTE_ADDR="192.0.2.8").status_code == 200


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_an_answer_that_has_not_changed_does_not_count(client: Client, season_read: None) -> None:
    first = client.get(POOLS)
    # With a cookie no kept answer is used.
    known = client.get(POOLS, headers={"If-None-Match": first["ETag"], "Cookie": "a=b"})
    assert (known.status_code, known["RateLimit-Remaining"]) == (304, first["RateLimit-Remaining"])
    assert int(client.get(POOLS)["RateLimit-Remaining"]) == int(first["RateLimit-Remaining"]) - 1
    # Who knows no answer asks for any.
    for turn, cookie in enumerate(({}, {"Cookie": "a=b"}), start=2):
        asked = client.get(POOLS, headers={"If-None-Match": "*"} | cookie)
        left = int(asked["RateLimit-Remaining"]), int(first["RateLimit-Remaining"])
        assert (asked.status_code, left[0]) == (304, left[1] - turn)


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_an_answer_is_kept_as_its_reader_accepts_it(client: Client, season_read: None) -> None:
    first = client.get(POOLS)
    assert is_kept(client, POOLS)
    for known in ({}, {"If-None-Match": first["ETag"]}):
        assert client.get(POOLS, headers=known)["Vary"].split(", ") == ["Accept", "Accept-Encoding"]
    indented = client.get(POOLS, headers={"Accept": "application/json; indent=4"})
    assert (indented.json(), indented.content == first.content) == (first.json(), False)
    assert indented["ETag"] != first["ETag"]
    assert client.get(POOLS, headers={"Accept": "text/html"}).status_code == 406
    assert client.get(POOLS).content == first.content


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_no_answer_is_old_after_an_act(client: Client, season: None) -> None:
    """Each address answers what it would if nothing had been kept; 304 only where nothing has changed."""
    july = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-07-01")
    named, merged, surviving = (Player.objects.get(numbers__fmjd=number) for number in (17294, 13368, 18541))
    asked = {
        *addresses(),
        "/api/v1/lists/fmjd-100/2026-07-01/",
        "/api/v1/lists/fmjd-100/2026-10-01/r1/entries/?limit=500",
        "/api/v1/players/17294/",
        "/api/v1/players/18541/",
        "/api/v1/players/?q=van",
    }
    reader = client_of(create_user("reader@example.org", "Rina Reader"))
    before = read(client, asked)
    for act in (
        lambda: revised(july, excluded_tournaments=["2026-hangzhou-lake-tournament"]),
        lambda: next_list(RatingList.objects.latest("in_force").in_force.replace(year=2027, month=1)),
        lambda: merge_players(duplicate=merged, surviving=surviving, reason="one person", by=actor(OFFICER)),
        lambda: erase_name(player=named, reason="on request", by=actor(OFFICER)),
    ):
        for address in asked:
            client.get(address)  # kept under the snapshot before the act
        act()
        now = read(client, asked)
        own = {address: answered(reader.get(address)) for address in asked}
        clear_kept()
        cache.clear()
        made = {address: answered(client.get(address)) for address in asked}
        for address in asked:
            assert now[address] == own[address] == made[address], address
            known = client.get(address, headers={"If-None-Match": before[address][1]})
            assert (known.status_code == 304) is (now[address][1:] == before[address][1:] != ("", b"")), (
                address
            )
        assert now != before, "the act changes no answer"
        before = now


def read(client: Client, asked: Iterable[str]) -> dict[str, tuple[int, str, bytes]]:
    """What each address answers the second time."""
    for address in asked:
        client.get(address)
    return {address: answered(client.get(address)) for address in asked}


def answered(answer: Any) -> tuple[int, str, bytes]:
    return answer.status_code, answer.get("ETag", ""), answer.content


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_an_answer_names_the_host_of_its_own_reader(client: Client, season_read: None, settings: Any) -> None:
    """The host of the first reader: any client can send another host that is allowed, or any port."""
    settings.ALLOWED_HOSTS = ["testserver"]
    address = "/api/v1/lists/fmjd-100/2026-10-01/r1/entries/?limit=5"
    hosts = ("testserver:8666", "testserver")
    for _ in range(2):  # made, and kept
        answers = [client.get(address, headers={"Host": host}) for host in hosts]
        for host, answer in zip(hosts, answers, strict=True):
            assert answer.json()["next"].startswith(f"http://{host}/api/")
        assert answers[0]["ETag"] != answers[1]["ETag"]
    known = client.get(address, headers={"Host": hosts[1], "If-None-Match": answers[0]["ETag"]})
    assert known.status_code == 200


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_no_header_at_all_is_not_one_that_says_none(client: Client, season_read: None) -> None:
    page = "/lists/fmjd-100/2026-10-01/r1/"
    named = client.get(page, headers={"HX-Request": "true", "HX-Target": "None"})
    assert "HX-Push-Url" in named
    assert "HX-Push-Url" not in client.get(page, headers={"HX-Request": "true"})


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.parametrize("path", [POOLS, "/lists/fmjd-100/2026-10-01/r1/", "/players/17294/games.csv"])
def test_a_refusal_of_one_reader_is_kept_by_nobody(client: Client, season_read: None, path: str) -> None:
    """The other readers of a shared cache would get it: 412 is about one request's If-Match."""
    for _ in range(2):  # where the view answers, and where the answer is kept
        refused = client.get(path, headers={"If-Match": '"another"'})
        assert (refused.status_code, refused["Cache-Control"]) == (412, "no-store")
        assert client.get(path).status_code == 200
