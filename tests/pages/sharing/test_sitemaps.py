"""What search engines get: the sitemap with the day of each last change."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import PlayerHistory, RatingList
from ratings.published.selectors import sharing
from ratings.queries.tournaments import tournaments_of
from tests.pages.sharing.shared_pages import OFFICE, read_xml

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def paths_of(client: Client, path: str) -> list[str]:
    """The addresses of a file of the sitemap, as paths."""
    found = [str(one.text) for one in read_xml(client, path).iter(f"{MAP}loc")]
    assert all(address.startswith(f"{OFFICE}/") for address in found)
    return [address.removeprefix(OFFICE) for address in found]


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
