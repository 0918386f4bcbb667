"""The data for search engines in the pages of players, tournaments and lists (schema.org)."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from ratings.models import RatingList
from ratings.published.views.sharing.cards import Card
from ratings.published.views.sharing.linked_data import sports_event
from ratings.queries.tournaments import counted_tournament
from reporting.web.http_cache import PAGES
from tests.pages.sharing.shared_pages import LIST, OFFICE

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


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
