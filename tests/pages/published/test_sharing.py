"""What other sites, feed readers and search engines get: feeds, sitemaps, embeds, images, heads and data of pages."""

import json
import re
from datetime import date, datetime, timedelta
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from ratings.models import PlayerHistory, RatingList
from ratings.published.selectors import sharing
from ratings.published.views.sharing import images
from ratings.published.views.sharing.cards import Card
from ratings.published.views.sharing.linked_data import sports_event
from ratings.queries.tournaments import counted_tournament, tournaments_of
from reporting.models import Player, PlayerTitle
from reporting.register.title_codes import title_code_of
from reporting.web.http_cache import PAGES
from reporting.web.values import first_name_first
from tests.addresses import WITHOUT_PAGE
from tests.pages.access.test_access import PUBLIC
from tests.visitor import parse

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

OFFICE = "https://ratings.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LIST = "/lists/fmjd-100/2026-10-01/r1/"
WITH_IMAGE = {
    "list-newest",
    "list-of-day",
    "list-revision",
    "list-variant",
    "list-print",
    "player",
    "tournament",
}
FEEDS = {
    "/changes.atom": "/export/",
    "/lists/feed.atom": "/lists/",
    "/lists/corrections.atom": "/lists/",
    "/players/13368/feed.atom": "/players/13368/",
    "/federations/NED/feed.atom": "/federations/NED/",
    "/titles/feed.atom": "/titles/",
}


@pytest.fixture(autouse=True)
def _office(settings: Any) -> None:
    settings.OFFICE_URL = f"{OFFICE}/"


def read_xml(client: Client, path: str) -> Element:
    # The host that a client names must not get into an answer that others read from a cache.
    response = client.get(path, headers={"Host": "localhost"})
    assert response.status_code == 200, path
    assert "localhost" not in response.text
    return fromstring(response.content)  # noqa: S314 (our own answer)


def paths_of(client: Client, path: str) -> list[str]:
    """The addresses of a file of the sitemap, as paths."""
    found = [str(one.text) for one in read_xml(client, path).iter(f"{MAP}loc")]
    assert all(address.startswith(f"{OFFICE}/") for address in found)
    return [address.removeprefix(OFFICE) for address in found]


@pytest.mark.parametrize("path", FEEDS)
def test_a_feed_has_lasting_ids_and_is_not_sent_again(client: Client, season_shared: None, path: str) -> None:
    feed = read_xml(client, path)
    assert feed.findtext(f"{ATOM}id") == f"{OFFICE}{path}"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Rating Office"  # RFC 4287, 4.1.1
    page = client.get(FEEDS[path]).text
    assert 'type="application/atom+xml" title="' in page
    # Browsers no longer show what the head of a page names: readers get a link.
    assert f'<a href="{path}" type="application/atom+xml">' in page
    entries = feed.findall(f"{ATOM}entry")
    updated = [str(entry.findtext(f"{ATOM}updated")) for entry in entries]
    assert updated == sorted(updated, reverse=True)
    # Without an entry nothing has happened yet: a fixed time, the same at every request.
    assert feed.findtext(f"{ATOM}updated") == (updated[0] if updated else "1970-01-01T00:00:00+00:00")
    # RFC 4287, 4.1.1 and 4.1.2: what a feed and each entry must have; times with their offset (3.3).
    links = {link.get("rel", "alternate"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"alternate": f"{OFFICE}{FEEDS[path]}", "self": f"{OFFICE}{path}"}
    for element in (feed, *entries):
        assert str(element.findtext(f"{ATOM}title")).strip()
        assert datetime.fromisoformat(str(element.findtext(f"{ATOM}updated"))).tzinfo
    for entry in entries:
        assert [link.get("rel") for link in entry.findall(f"{ATOM}link")] == ["alternate"]
    ids = [str(entry.findtext(f"{ATOM}id")) for entry in entries]
    assert len({*ids}) == len(ids)
    for address in ids[:4]:
        assert client.get(address.removeprefix(OFFICE)).status_code == 200, address
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, first.content) == (304, client.get(path).content)


def test_feeds_say_what_the_lists_have(client: Client, newest: RatingList) -> None:
    entry = PlayerHistory.objects.get(player=Player.objects.at_address("13368"), list=newest)
    titles = [
        str(one.findtext(f"{ATOM}title"))
        for one in read_xml(client, "/players/13368/feed.atom").iter(f"{ATOM}entry")
    ]
    assert any(f", 1 Oct 2026: {entry.rating}" in title for title in titles)
    lists = read_xml(client, "/lists/feed.atom").findall(f"{ATOM}entry")
    assert len(lists) == RatingList.objects.filter(state="published", revision=1).count()
    assert read_xml(client, "/lists/corrections.atom").findall(f"{ATOM}entry") == []
    for missing in ("/players/99999/feed.atom", "/federations/QQQ/feed.atom"):
        assert client.get(missing).status_code == 404


def test_feeds_of_a_federation_and_of_a_player_have_the_titles(client: Client, season_shared: None) -> None:
    path = "/federations/NED/feed.atom"
    before = client.get(path)
    today = timezone.localdate()
    players = Player.objects.filter(titles=None)
    dutch, other, later = (
        PlayerTitle.objects.create(
            player=found.earliest("pk"), awarded_by="fmjd", discipline="100", title=title, registered_on=day
        )
        for found, title, day in (
            (players.filter(federation="NED"), "MF", today),
            (players.exclude(federation="NED"), "MI", today),
            (players.filter(federation="NED", titles=None), "GMI", today + timedelta(days=1)),
        )
    )
    feed = read_xml(client, path)
    (entry,) = (
        one
        for one in feed.iter(f"{ATOM}entry")
        if "/titles/certificates/" in str(one.findtext(f"{ATOM}id"))
        and today.isoformat() in str(one.findtext(f"{ATOM}updated"))
    )
    code = title_code_of(dutch)
    assert entry.findtext(f"{ATOM}id") == f"{OFFICE}/titles/certificates/{code}/"
    assert (
        entry.findtext(f"{ATOM}title")
        == f"{dutch.player.printed_name} (NED): Federation master (MF), 100 squares"
    )
    assert len(feed.findall(f"{ATOM}entry")) == len(fromstring(before.content).findall(f"{ATOM}entry")) + 1  # noqa: S314
    for title in (other, later):
        assert title_code_of(title) not in client.get(path).text
    assert client.get(path, headers={"If-None-Match": before["ETag"]}).status_code == 200
    assert f"/titles/certificates/{code}/" in client.get(f"/players/{dutch.player.address}/feed.atom").text
    for title in (other, later):
        assert "/titles/certificates/" not in client.get(f"/players/{title.player.address}/feed.atom").text


def test_the_sitemap_has_what_is_published_and_every_kind_of_address_answers(
    client: Client, season_shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"Sitemap: {OFFICE}/sitemap.xml\n" in client.get("/robots.txt").text
    monkeypatch.setattr(sharing, "PART_KEYS", 200)  # several parts of the few hundred players
    found = {part: paths_of(client, part) for part in paths_of(client, "/sitemap.xml")}
    every = [path for paths in found.values() for path in paths]
    assert len({*every}) == len(every)
    assert len([part for part in found if part.startswith("/sitemaps/players-")]) > 3
    players = {path for path in every if path.startswith("/players/") and path != "/players/"}
    assert len(players) == PlayerHistory.objects.values("player").distinct().count()
    kinds: dict[str, list[str]] = {}
    for path in every:
        kinds.setdefault(re.sub(r"[0-9]+|[A-Z]{3}|(?<=tournaments/)[\w-]+", "*", path), []).append(path)
    assert {
        "/records/", "/tournaments/waiting/", "/tournaments/calendar/", "/method/fmjd/",
        "/method/fmjd/calculator/", "/method/fmjd/tables/", "/reference/api/", "/titles/forecast/",
        "/accessibility/", "/privacy/",
    } <= {*every}  # fmt: skip
    for paths in kinds.values():
        for path in (paths[0], paths[-1]):
            assert client.get(path).status_code == 200, path
    # The day of a publication: of the season all lists were published today.
    today = timezone.localdate().isoformat()
    for part, last in {
        "/sitemap.xml": {today}, "/sitemaps/lists-1.xml": {today}, "/sitemaps/players-1.xml": {today},
        "/sitemaps/tournaments-1.xml": {today}, "/sitemaps/pages-1.xml": {today, None},
    }.items():  # fmt: skip
        elements = read_xml(client, part)
        assert {one.findtext(f"{MAP}lastmod") for one in elements} == last, part
    for missing in ("/sitemaps/shoes-1.xml", "/sitemaps/lists-2.xml", "/sitemaps/players-0.xml"):
        assert client.get(missing).status_code == 404
    assert paths_of(client, "/sitemaps/players-999999.xml") == []


def test_a_tournament_and_a_player_last_changed_with_the_last_list_that_has_them(newest: RatingList) -> None:
    july = RatingList.objects.get(pool=newest.pool, in_force="2026-07-01")
    of_july = [one.tournament.code for one in tournaments_of(july)]
    found = dict(sharing.tournaments_of_part(1))
    assert {found[code] for code in of_july} == {july.published_at}
    assert found["2026-european-championship"] == newest.published_at  # played from 23 Aug 2026
    players = {one.address: last for one, last in sharing.players_of_part(1)}
    assert july.published_at < players["13368"] == newest.published_at


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


def linked_data(page: str) -> dict[str, Any]:
    """The data of schema.org in a page. In HTML a script ends at the first `</script`, whatever is in it."""
    (content,) = re.findall(r'<script type="application/ld\+json">(.*?)</script', page, re.DOTALL)
    found: dict[str, Any] = json.loads(content)
    return found


def test_a_player_is_a_person_without_a_day_or_year_of_birth(client: Client, season_shared: None) -> None:
    """A federation, a number and titles are what lists print. Name is all that Google requires of a Person."""
    assert linked_data(client.get("/players/13368/").text) == {
        "@context": "https://schema.org",
        "@type": "Person",
        "name": "Leandro Brasilino",
        "description": "International grandmaster (GMI). Brazil. 100 squares, classical: 2430, rank 1.",
        "url": f"{OFFICE}/players/13368/",
        "image": f"{OFFICE}/players/13368/image.png",
        "identifier": {"@type": "PropertyValue", "propertyID": "FMJD-ID", "value": "13368"},
        "memberOf": {"@type": "SportsOrganization", "name": "Brazil", "url": f"{OFFICE}/federations/BRA/"},
        "award": ["International grandmaster (GMI)"],
    }


def test_a_tournament_is_an_event_with_days_and_an_address(client: Client, season_shared: None) -> None:
    """Google requires name, startDate and a location with an address of an Event."""
    path = "/tournaments/2026-european-championship/"
    assert linked_data(client.get(f"{path}?round=2").text) == {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": "European Championship",
        "description": "Tournament. Warsaw, Poland. 23 Aug – 1 Sep 2026. 52 players.",
        "url": f"{OFFICE}{path}",
        "image": f"{OFFICE}{path}image.png",
        "startDate": "2026-08-23",
        "endDate": "2026-09-01",
        "eventStatus": "https://schema.org/EventScheduled",
        "location": {
            "@type": "Place",
            "name": "Warsaw",
            "address": {"@type": "PostalAddress", "addressLocality": "Warsaw", "addressCountry": "Poland"},
        },
    }


def test_a_list_is_a_dataset_with_its_files_and_the_terms_of_the_office(
    client: Client, newest: RatingList, settings: Any
) -> None:
    """Google requires a name and a description of 50 to 5,000 characters, and `contentUrl` of each file."""
    settings.DATA_LICENCE_URL, settings.DATA_ATTRIBUTION = (
        "https://example.org/terms",
        "Federation of Draughts",
    )
    found = linked_data(client.get(f"{LIST}women/").text)
    files = found.pop("distribution")
    assert newest.published_at is not None
    provider = {"@type": "Organization", "name": "Federation of Draughts", "url": f"{OFFICE}/"}
    assert found == {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": "100 squares, classical, 1 Oct 2026",
        "description": f"Ratings of {newest.players} players in force from 1 Oct 2026. "
        "Every published figure can be traced to games, article and ruling.",
        "url": f"{OFFICE}{LIST}",
        "identifier": newest.sha256,
        "version": "1",
        "datePublished": newest.published_at.isoformat(timespec="seconds"),
        "temporalCoverage": "2026-10-01",
        "license": "https://example.org/terms",
        "isAccessibleForFree": True,
        "creator": provider,
        "publisher": provider,
    }
    assert {
        "@type": "DataDownload",
        "name": "list.json",
        "contentUrl": f"{OFFICE}{LIST}files/list.json",
        "encodingFormat": "application/json",
    } in files
    for file in files:
        answer = client.get(file["contentUrl"].removeprefix(OFFICE))
        assert answer["Content-Type"].partition(";")[0] == file["encodingFormat"]
    PAGES.clear()
    settings.DATA_LICENCE_URL = ""  # granted is what the office grants
    assert "license" not in linked_data(client.get(LIST).text)


def test_no_name_ends_the_script_of_the_data(season_shared: None) -> None:
    found = counted_tournament("2026-european-championship")
    name = "</script><!-- <script> & \u2028 ”"
    text = sports_event(found, Card("/", "/", "", name, []))
    assert not {*"<>&"} & {*text}
    assert json.loads(text)["name"] == name


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


def drawn(client: Client, query: str) -> tuple[int, list[str], str]:
    """The status of a player's page, the days in its table of ratings, its text."""
    response = client.get(f"/players/13368/?{query}")
    table = response.text.partition("plot__table")[2].partition("</table>")[0]
    return response.status_code, re.findall(r'datetime="([0-9-]+)"', table), response.text


def test_a_history_is_drawn_from_a_list_to_a_list(client: Client, season_shared: None) -> None:
    days = ["2026-10-01", "2026-07-01", "2026-04-01", "2026-01-01"]
    assert drawn(client, "")[:2] == (200, days)
    assert drawn(client, "from=2026-04-01&to=2026-07-01")[:2] == (200, days[1:3])
    assert drawn(client, f"from={date(2026, 4, 2)}")[:2] == (200, days[:2])
    for query, sentence in (
        ("from=soon", "This is not a day"),
        ("to=2026-13-01", "This is not a day"),
        ("from=2027-01-01", "on no list between these days"),
        ("from=2026-07-01&to=2026-04-01", "on no list between these days"),
        ("pools=some", "Choose this list or all lists."),
    ):
        status, shown, text = drawn(client, query)
        assert (status, shown) == (400, days), query
        assert sentence in text
