"""What other sites show in a frame, and how an editor finds it (oEmbed)."""

from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client

from tests.pages.sharing.shared_pages import LIST, OFFICE
from tests.visitor import parse

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


def test_only_embeds_may_be_framed_and_they_use_no_cookie(client: Client, season_shared: None) -> None:
    for path in ("/embed/lists/fmjd-100/?top=3&federation=NED", "/embed/players/13368/"):
        embedded = client.get(path)
        policy = embedded["Content-Security-Policy"]
        assert "frame-ancestors *" in policy
        assert "default-src 'self'" in policy
        assert "X-Frame-Options" not in embedded
        assert not embedded.cookies
        assert "<script" not in embedded.text
        client.cookies["sessionid"] = "x" * 32
        assert client.get(path).content == embedded.content
        assert client.get(path)["Cache-Control"].startswith("public")
        client.cookies.clear()
    assert client.get("/embed/lists/fmjd-100/?top=3").text.count("<tr>") == 4
    for path in ("/", LIST, "/players/13368/"):
        page = client.get(path)
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert page["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "query", ["top=0", "top=51", "top=x", "top=5.0", "top=%D9%A5", "variant=shoes", "federation=QQQ"]
)
def test_an_embed_that_cannot_be_shown_names_the_parameter(
    client: Client, season_shared: None, query: str
) -> None:
    response = client.get(f"/embed/lists/fmjd-100/?{query}")
    assert response.status_code == 400
    assert f"<code>{query.partition('=')[0]}</code>" in response.text


def test_the_html_to_embed_is_escaped_twice(client: Client, season_shared: None) -> None:
    """Once for the other site, once for the page that shows it."""
    page = client.get(f"{LIST}women/?federation=NED").text
    src = f"{OFFICE}/embed/lists/fmjd-100/?top=10&amp;amp;variant=women&amp;amp;federation=NED"
    assert f"&lt;iframe src=&quot;{src}&quot; title=&quot;" in page


def oembed(client: Client, url: str, **more: str) -> Any:
    return client.get("/oembed/", {"url": url, **more})


@pytest.mark.parametrize(
    ("path", "src", "height"),
    [
        ("/players/13368/?pool=fmjd-100", "/embed/players/13368/", 240),
        ("/embed/players/13368/", "/embed/players/13368/", 240),
        ("/lists/fmjd-100/?q=van&page=2", "/embed/lists/fmjd-100/", 480),
        ("/lists/fmjd-100/women/?federation=NED", "/embed/lists/fmjd-100/?variant=women&federation=NED", 480),
        ("/embed/lists/fmjd-100/?top=3", "/embed/lists/fmjd-100/?top=3", 480),
    ],
)
def test_an_editor_gets_the_html_of_a_page_by_its_address(
    client: Client, season_shared: None, path: str, src: str, height: int
) -> None:
    answer = oembed(client, f"{OFFICE}{path}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    found = answer.json()
    title = "Leandro Brasilino" if "players" in path else "100 squares, classical"
    if "women" in path:  # two frames of one page differ
        title += ", Women, Netherlands"
    frame = parse(found.pop("html"))
    assert found == {
        "type": "rich", "version": "1.0", "title": title, "provider_name": "Rating Office",
        "provider_url": f"{OFFICE}/", "cache_age": 3600, "width": 600, "height": height,
    }  # fmt: skip
    assert (frame.tag, frame.get("title"), frame.get("width")) == ("iframe", title, "600")
    assert frame.get("src") == f"{OFFICE}{src}"
    assert client.get(str(frame.get("src")).removeprefix(OFFICE)).status_code == 200


def test_an_editor_says_what_room_there_is_and_which_format(client: Client, season_shared: None) -> None:
    answer = oembed(client, f"{OFFICE}/players/13368/", format="xml", maxwidth="320", maxheight="99", dnt="1")
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    root = fromstring(answer.content)  # noqa: S314 (our own answer)
    assert (root.tag, root.findtext("version"), root.findtext("type")) == ("oembed", "1.0", "rich")
    assert (root.findtext("width"), root.findtext("height")) == ("320", "99")
    frame = parse(str(root.findtext("html")))
    assert (frame.get("width"), frame.get("height")) == ("320", "99")
    # Room enough: the page's own size.
    roomy = oembed(client, f"{OFFICE}/players/13368/", maxwidth="5000", maxheight="5000").json()
    assert (roomy["width"], roomy["height"]) == (600, 240)


@pytest.mark.parametrize(
    ("url", "more", "status"),
    [
        (f"{OFFICE}/players/13368/", {"format": "yaml"}, 501),
        (f"{OFFICE}/players/13368/", {"maxwidth": "wide"}, 400),
        ("", {}, 400),
        ("https://elsewhere.example.org/players/13368/", {}, 404),
        ("javascript://ratings.example.org/players/13368/", {}, 404),
        ("http://[/players/13368/", {}, 404),
        ("/players/13368/", {}, 404),
        (f"{OFFICE}/players/99999/", {}, 404),
        (f"{OFFICE}/lists/shoes/", {}, 404),
        (f"{OFFICE}/lists/fmjd-100/?federation=QQQ", {}, 404),
        (f"{OFFICE}{LIST}", {}, 404),  # what is embedded follows the list in force
        (f"{OFFICE}/office/", {}, 404),
        (f"{OFFICE}/titles/", {}, 404),
    ],
)
def test_what_cannot_be_embedded_has_its_own_status(
    client: Client, season_shared: None, url: str, more: dict[str, str], status: int
) -> None:
    answer = oembed(client, url, **more)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, "*")
    if "maxwidth" in more:
        assert answer.text == "maxwidth: This is no whole number. Enter one as 137."


def test_pages_that_can_be_embedded_say_where(client: Client, season_shared: None) -> None:
    for path in ("/players/13368/", "/lists/fmjd-100/?page=2"):
        head = parse(client.get(path).text).find("head")
        assert head is not None
        links = {
            one.get("type", ""): one.get("href", "")
            for one in head.iter("link")
            if "+oembed" in one.get("type", "")
        }
        assert {*links} == {"application/json+oembed", "text/xml+oembed"}
        for kind, href in links.items():
            answer = client.get(href.removeprefix(OFFICE))
            assert (answer.status_code, answer["Content-Type"][:8]) == (200, kind[:8])
    assert "+oembed" not in client.get(LIST).text
