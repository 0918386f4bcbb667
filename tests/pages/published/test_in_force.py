"""A list is in force from its day on: until then pages show the one before it, and that it is published.

The demonstration has lists of 1 January, April, July and October 2026; the clock of these tests stands elsewhere.
"""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import PlayerHistory
from reporting.web.http_cache import PAGES

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

JULY, OCTOBER = "/lists/fmjd-100/2026-07-01/", "/lists/fmjd-100/2026-10-01/"
BEFORE, AFTER = datetime(2026, 9, 30, 23, 58, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC)
NONE_YET = datetime(2025, 12, 20, 12, tzinfo=UTC)
AHEAD = "published, in force from 1 oct 2026"
PLAYER = 13368


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    def stands_at(instant: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: instant)

    return stands_at


def text_of(response: Any) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


def heading(response: Any) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", response.content.decode(), re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", "", found[1]).split())


def history(day: str) -> PlayerHistory:
    return PlayerHistory.objects.get(player__numbers__fmjd=PLAYER, in_force=day)


def test_the_first_page_names_the_list_in_force_and_the_next_one(client: Client, clock: Any) -> None:
    clock(BEFORE)
    page = client.get("/")
    assert "In force from 1 Jul 2026 ." in text_of(page)
    assert AHEAD in text_of(page).lower()
    assert f'href="{OCTOBER}"' in page.text
    leader = FmjdListRow.objects.get(list__in_force="2026-07-01", official_position=1)
    row = rf"players/{leader.register_number}/.*?<td[^>]*>{leader.rating}</td>"
    assert re.search(row, page.text, re.DOTALL)
    clock(AFTER)
    page = client.get("/")
    assert "In force from 1 Oct 2026" in text_of(page)
    assert "1 Jul 2026" not in page.text.partition("What is new")[0]
    assert AHEAD not in text_of(page).lower()


def test_the_index_of_lists_tells_which_is_in_force(client: Client, clock: Any) -> None:
    clock(BEFORE)
    page = client.get("/lists/")
    assert 'href="/lists/fmjd-100/"><time datetime="2026-07-01">' in page.text
    assert f'href="{OCTOBER}"' in page.text
    rows = re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", page.text, re.DOTALL)
    shown = {re.findall(r'datetime="([0-9-]+)"', row)[0]: re.sub(r"<[^>]+>", " ", row) for row in rows}
    assert "Not in force yet" in shown["2026-10-01"]
    assert "In force" in shown["2026-07-01"]
    assert "In force" not in shown["2026-04-01"]
    earlier = client.get(f"{JULY}r1/earlier/").text
    assert earlier.count('tag--good">In force<') == earlier.count(">Not in force yet<") == 1
    clock(AFTER)
    page = client.get("/lists/")
    assert 'href="/lists/fmjd-100/"><time datetime="2026-10-01">' in page.text
    assert "Not in force yet" not in page.text


def test_the_list_without_a_day_is_the_one_in_force(client: Client, clock: Any) -> None:
    clock(BEFORE)
    page = client.get("/lists/fmjd-100/")
    assert f'href="{JULY}r1/"' in page.text
    assert "The address of this page always shows the list in force." in text_of(page)
    assert AHEAD in text_of(page).lower()
    assert "A newer list is in force" not in text_of(page)
    # The permanent page of the one before it says that it is still in force, the next one that it is not yet.
    assert "A newer list is in force" not in text_of(client.get(f"{JULY}r1/"))
    ahead = client.get(f"{OCTOBER}r1/")
    assert "Not in force yet" in text_of(ahead)
    assert 'href="/lists/fmjd-100/"' in ahead.text
    clock(AFTER)
    assert f'href="{OCTOBER}r1/"' in client.get("/lists/fmjd-100/").text
    assert "A newer list is in force" in text_of(client.get(f"{JULY}r1/"))
    assert "Not in force yet" not in text_of(client.get(f"{OCTOBER}r1/"))


@pytest.mark.parametrize(("form", "query"), [("women", ""), ("full", "?federation=NED"), ("juniors", "")])
def test_a_derived_list_without_a_day_leads_to_the_one_in_force(
    client: Client, clock: Any, form: str, query: str
) -> None:
    for instant, day in ((BEFORE, JULY), (AFTER, OCTOBER)):
        clock(instant)
        response = client.get(f"/lists/fmjd-100/{form}/{query}")
        assert (response.status_code, response["Location"]) == (302, f"{day}r1/{form}/{query}")
        assert client.get(response["Location"]).status_code == 200
    assert client.get("/lists/fmjd-100/official/")["Location"] == "/lists/fmjd-100/"
    for path in ("fmjd-100/no-such-form/", "fmjd-999/women/", "fmjd-64/women/", "fmjd-100/2026-13-01/"):
        assert client.get(f"/lists/{path}").status_code == 404


def test_a_player_has_the_rating_of_the_list_in_force(client: Client, clock: Any) -> None:
    july, october = history("2026-07-01"), history("2026-10-01")
    clock(BEFORE)
    page = client.get(f"/players/{PLAYER}/")
    shown = re.findall(r'figures__value">(\d+)<', page.text)
    assert shown == [str(july.rating)]
    assert AHEAD in text_of(page).lower()
    assert f'href="/players/{PLAYER}/?list=2026-10-01#explanation"' in page.text
    assert client.get(f"/players/{PLAYER}/?list=2026-10-01").status_code == 200
    clock(AFTER)
    page = client.get(f"/players/{PLAYER}/")
    assert re.findall(r'figures__value">(\d+)<', page.text) == [str(october.rating)]


def test_a_newcomer_of_the_next_list_has_no_rating_in_force_yet(client: Client, clock: Any) -> None:
    known = PlayerHistory.objects.filter(in_force__lt="2026-10-01").values("player")
    new = PlayerHistory.objects.filter(in_force="2026-10-01").exclude(player__in=known).first()
    assert new is not None
    clock(BEFORE)
    page = client.get(f"/players/{new.player.address}/")
    assert page.status_code == 200
    assert "No rating in force yet" in text_of(page)
    assert re.findall(r'figures__value">(\d+)<', page.text) == []
    assert AHEAD in text_of(page).lower()
    name = FmjdListRow.objects.get(list=new.list_id, player=new.player_id).name.split(",")[0]
    for typed in (name, new.player.address):
        for path in ("/players/", "/search/"):
            page = client.get(path, {"q": typed}).text
            assert f"/players/{new.player.address}/" not in page
            # The list that the player is on is one link away, searched for the same.
            assert f'href="{OCTOBER}?q={quote(typed)}"' in page
        assert f"/players/{new.player.address}/" in client.get(OCTOBER, {"q": typed}).text
    clock(AFTER)
    assert f"/players/{new.player.address}/" in client.get("/players/", {"q": name}).text


@pytest.mark.parametrize("path", ["/players/?q=van", "/federations/", "/federations/NED/"])
def test_search_and_federations_read_the_list_in_force(client: Client, clock: Any, path: str) -> None:
    clock(BEFORE)
    page = client.get(path)
    assert "1 Jul 2026" in page.text
    assert AHEAD in text_of(page).lower()
    _, mark, query = path.partition("?")
    assert f'href="{OCTOBER}{mark}{query}"' in page.text
    clock(AFTER)
    page = client.get(path)
    assert "1 Jul 2026" not in page.text.partition('id="ranks"')[0]  # then come the ranks on all lists
    assert "1 Oct 2026" in page.text
    assert AHEAD not in text_of(page).lower()


TURNING = ("/", "/lists/", "/lists/fmjd-100/", f"{JULY}r1/", f"{OCTOBER}r1/", f"{JULY}r1/women/",
           f"{JULY}r1/tournaments/", f"{JULY}r1/earlier/", "/players/?q=van", f"/players/{PLAYER}/",
           "/federations/", "/federations/NED/")  # fmt: skip


@pytest.mark.parametrize("path", TURNING)
def test_a_page_ends_with_the_day(client: Client, clock: Any, path: str) -> None:
    """Two minutes before midnight a reader may keep a page, after it the reader gets another one."""
    clock(BEFORE)
    first = client.get(path)
    clock(BEFORE + timedelta(seconds=60))
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    clock(AFTER)
    turned = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert turned.status_code == 200
    assert turned["ETag"] != first["ETag"]


def test_the_day_turns_in_the_office_s_zone(client: Client, clock: Any, settings: Any) -> None:
    """In Kiritimati, 14 hours before UTC, 1 October begins on 30 September at 10:00 UTC."""
    settings.TIME_ZONE = "Pacific/Kiritimati"
    clock(datetime(2026, 9, 30, 9, 59, 30, tzinfo=UTC))
    page = client.get("/lists/fmjd-100/")
    assert f'href="{JULY}r1/"' in page.text
    clock(datetime(2026, 9, 30, 10, tzinfo=UTC))
    assert f'href="{OCTOBER}r1/"' in client.get("/lists/fmjd-100/").text


def test_where_no_list_is_in_force_yet_pages_say_so(client: Client, clock: Any) -> None:
    clock(NONE_YET)
    PAGES.clear()
    page = client.get("/")
    assert heading(page) == "No list is in force yet"
    assert 'href="/lists/fmjd-100/2026-01-01/"' in page.text
    assert "First steps" not in page.text
    for path in (
        "/lists/", "/lists/fmjd-100/", "/players/", "/federations/", "/federations/NED/", f"/players/{PLAYER}/",
    ):  # fmt: skip
        page = client.get(path)
        assert page.status_code == 200, path
        assert "published, in force from 1 jan 2026" in text_of(page).lower(), path
    assert client.get("/lists/fmjd-100/women/")["Location"] == "/lists/fmjd-100/2026-01-01/r1/women/"
