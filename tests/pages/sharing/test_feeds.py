"""What feed readers get: lists, corrections, changes, players, federations, titles."""

from datetime import datetime, timedelta
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import PlayerHistory, RatingList
from reporting.models import Player, PlayerTitle
from reporting.register.title_codes import title_code_of
from tests.pages.sharing.shared_pages import OFFICE, read_xml

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

ATOM = "{http://www.w3.org/2005/Atom}"
FEEDS = {
    "/changes.atom": "/export/",
    "/lists/feed.atom": "/lists/",
    "/lists/corrections.atom": "/lists/",
    "/players/13368/feed.atom": "/players/13368/",
    "/federations/NED/feed.atom": "/federations/NED/",
    "/titles/feed.atom": "/titles/",
}


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
