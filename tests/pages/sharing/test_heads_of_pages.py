"""What a shared page says of itself: its lasting address, its preview, the image of it."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from ratings.models import RatingList
from ratings.published.views.sharing import images
from ratings.published.views.sharing.cards import Card
from reporting.web.http_cache import PAGES
from reporting.web.values import first_name_first
from tests.addresses import WITHOUT_PAGE
from tests.pages.access.test_access import PUBLIC
from tests.pages.sharing.shared_pages import LIST, OFFICE
from tests.visitor import parse

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

WITH_IMAGE = {
    "list-newest",
    "list-of-day",
    "list-revision",
    "list-variant",
    "list-print",
    "player",
    "tournament",
}


@pytest.mark.parametrize(
    ("path", "lasting"),
    [
        ("/lists/fmjd-100/?federation=NED&sort=name&page=1", LIST),
        ("/lists/fmjd-100/?sort=name&page=2", LIST),  # another page 2
        ("/lists/fmjd-100/?utm_source=mail&page=2", f"{LIST}?page=2"),
        (f"{LIST}women/?q=van", f"{LIST}women/"),
        ("/players/13368/?list=2026-01-01", "/players/13368/"),
        ("/tournaments/2026-european-championship/?page=1", "/tournaments/2026-european-championship/"),
    ],
)
def test_a_shared_page_names_its_lasting_address_and_an_image(
    client: Client, season_shared: None, settings: Any, path: str, lasting: str
) -> None:
    page = client.get(path).text
    assert f'<link rel="canonical" href="{OFFICE}{lasting}">' in page
    assert re.search(r'<meta property="og:title" content="[^"]+">', page)
    assert re.search(r'<meta property="og:description" content="[^"]+\.">', page)
    image = re.search(rf'<meta property="og:image" content="{OFFICE}([^"]+)">', page)
    assert image is not None
    made = client.get(image[1])
    # PNG: its signature, then the header with width and height.
    assert made.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(made.content[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    assert made["Content-Type"] == "image/png"
    again = client.get(image[1], headers={"If-None-Match": made["ETag"]})
    assert again.status_code == 304
    settings.OFFICE_URL = ""  # an office without address names none, least of all that of the request
    PAGES.clear()
    without = client.get(path).text
    assert f'<link rel="canonical" href="{lasting}">' in without
    assert "og:" not in without


def test_every_public_page_names_its_address_and_what_it_is(
    client: Client, season_shared: None, subtests: Any
) -> None:
    lasting = {"list-newest": LIST, "list-of-day": LIST, "list-print": LIST}
    for name, row in PUBLIC.items():
        address = reverse(name, args=row.arguments)
        page = client.get(address)
        if page.status_code != 200 or name in WITHOUT_PAGE or name.startswith(("embed", "account")):
            continue
        with subtests.test(name):
            head = parse(page.text).find("head")
            assert head is not None
            (canonical,) = (one.get("href") for one in head.iter("link") if one.get("rel") == "canonical")
            assert canonical == OFFICE + lasting.get(name, address)
            said = {one.get("property", one.get("name")): one.get("content") for one in head.iter("meta")}
            title = " ".join(str(head.findtext("title")).split())
            assert title == f"{said['og:title']} – Rating Office"
            assert said["og:url"] == canonical
            assert said["og:description"] == said["description"] != ""
            assert (said["og:type"], said["og:locale"]) == (
                "profile" if name == "player" else "website",
                "en_GB",
            )
            assert ("og:image" in said) == (name in WITH_IMAGE)
            # A link within the page leads somewhere.
            parts = {one.get("id") for one in parse(page.text).iter()}
            within = [link.get("href") for link in parse(page.text).iter("a")]
            assert {link[1:] for link in within if link and link[0] == "#"} <= parts


@pytest.mark.parametrize(
    ("path", "lasting"),
    [
        (
            "/players/compare/?second=13555&first=13368&pool=fmjd-100",
            "/players/compare/?first=13368&second=13555",
        ),
        ("/tournaments/?page=1&year=2026", "/tournaments/"),
        (f"{LIST}print/women/?federation=NED", f"{LIST}women/"),
        ("/tournaments/2026-european-championship/rounds/?round=2", None),
    ],
)
def test_what_a_page_is_about_stays_in_its_address(
    client: Client, season_shared: None, path: str, lasting: str | None
) -> None:
    """A filter or an order shows the same in another way."""
    assert f'<link rel="canonical" href="{OFFICE}{escape(lasting or path)}">' in client.get(path).text


@pytest.mark.parametrize("path", ["/players/99999/", "/nowhere/", "/lists/?pgae=1", "/login/"])
def test_what_is_no_page_for_all_names_no_address(client: Client, season_shared: None, path: str) -> None:
    page = client.get(path).text
    assert ("canonical" in page, "og:" in page) == (False, False)


def test_a_preview_has_the_players_of_the_list_that_it_shows(
    client: Client, newest: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number only where the page has all players of the list: the address it names is that of the whole list."""
    drawn: list[dict[str, str]] = []
    monkeypatch.setattr(images, "png", lambda texts: drawn.append(texts) or b"")
    women = newest.rows.filter(sex="W")
    best = women.order_by("position").first()
    assert best is not None
    assert women.count() < newest.official_players < newest.players
    for variant, kind, players in (
        ("", "Official rating list", newest.official_players),
        ("full/", "Full rating list", newest.players),
        ("women/", "Rating list: Women", women.count()),
    ):
        said = f"{kind}. In force from 1 Oct 2026. {players} players."
        assert f'<meta name="description" content="{said}">' in client.get(f"{LIST}{variant}").text
        filtered = client.get(f"{LIST}{variant}?federation=NED").text
        assert f'<meta name="description" content="{kind}. In force from 1 Oct 2026.">' in filtered
        assert f'content="{OFFICE}{LIST}{variant}image.png"' in filtered
        assert client.get(f"{LIST}{variant}image.png").status_code == 200
        assert (drawn[-1]["kind"], f"{players} players" in drawn[-1]["lines"]) == (kind, True)
    assert f"1  {first_name_first(best.name)} ({best.federation}), {best.rating}" in drawn[-1]["lines"]
    assert client.get(f"{LIST}shoes/image.png").status_code == 404


def test_the_longest_texts_stay_on_one_image_and_are_no_markup() -> None:
    card = Card("/", "/", "#panic() " * 20, "W" * 200, ["$x$ @y <z> " * 30] * 9)
    assert images.png(images.texts_of(card))[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_source_cannot_have_images_made_without_end(
    client: Client, season_shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MOST_IMAGES", 1)
    visitor = {"REMOTE_ADDR": "192.0.2.77"}
    paths = [f"{LIST}image.png", f"{LIST}women/image.png"]
    assert [client.get(path, **visitor).status_code for path in paths] == [200, 429]
    assert client.get(paths[0], **visitor).status_code == 200  # made before
