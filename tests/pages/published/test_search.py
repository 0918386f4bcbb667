"""The search of the home page, the page of results, and what is new."""

from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.published.selectors.tournaments.tables import newest_tournaments
from reporting.models import Player, PlayerTitle, ResultSet, Role
from reporting.rules.register.registers import first_register
from tests.pages.published.published_pages import text_of
from tests.people import create_user

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

SUGGESTIONS = {"HX-Request": "true", "HX-Target": "suggestions"}


@pytest.mark.parametrize(("typed", "address"), [
    ("terpwachter thijs", "/players/"),
    ("terpvachter", "/players/"),  # a letter differs
    ("european championship", "/tournaments/2026-european-championship/"),
    ("warsav 2026", "/tournaments/2026-european-championship/"),  # its place and year
    ("cote d ivoire", "/federations/CIV/"),
    ("netherland", "/federations/NED/"),
    ("holland", "/federations/NED/"),  # another name of it
    ("ivory coast", "/federations/CIV/"),
    ("pays bas", "/federations/NED/"),
    ("NLD", "/federations/NED/"),  # the code of ISO 3166
])  # fmt: skip
def test_a_search_in_any_spelling_finds(client: Client, typed: str, address: str) -> None:
    client.get("/search/?q=x")  # the names are read
    with CaptureQueriesContext(connection) as queries:
        found = client.get("/search/", {"q": typed})
    assert f'href="{address}' in found.text[found.text.index("results__group") :]
    # Two of them for the titles held today (R42).
    assert len(queries) <= 5, [each["sql"][:300] for each in queries]
    suggested = client.get("/search/", {"q": typed}, headers=SUGGESTIONS)
    assert f'href="{address}' in suggested.text
    assert "<html" not in suggested.text


def test_a_name_pasted_with_other_spaces_is_found(client: Client) -> None:
    """Every search reads what is typed by one function: each has the last of these, one has all."""
    client.force_login(create_user("o@example.org", "Officer", roles=[Role.RATING_OFFICER]))
    number = Player.objects.get(last_name="Terpwachter", first_name="Thijs").numbers["fmjd"]
    pasted = (
        "Terpwachter\u00a0Thijs", "Terpwachter\u2009Thijs", "Terpwachter\tThijs", "Thijs\u2009\tTerpwachter\u00a0",
        "\ufeffTerpwachter, Thijs\n", "Terp\u200bwachter\u00a0\u200eThijs",
    )  # fmt: skip
    searches = ("/search/", "/lists/fmjd-100/", "/api/v1/players/", "/office/players/")
    for path, typed in [
        *(("/players/", typed) for typed in pasted),
        *((path, pasted[-1]) for path in searches),
    ]:
        found = client.get(path, {"q": typed})
        assert (found.status_code, str(number) in found.text) == (200, True), (path, typed)


@pytest.mark.parametrize("address", [
    "/players/13368/", "/players/13368/tournaments/", "/players/?q=13368", "/search/?q=13368",
    "/api/v1/players/?q=13368", "/api/v1/players/13368/", "/embed/players/13368/",
])  # fmt: skip
def test_a_title_registered_today_is_shown_at_once(client: Client, address: str) -> None:
    """R42: in the head of the player and in every search, whatever a browser keeps; lists keep what they printed."""
    player = Player.objects.with_numbers(first_register(), [13368]).get()
    player.titles.update(withdrawn_on=timezone.localdate())
    printed = client.get("/lists/fmjd-100/?q=13368").content
    before = client.get(address)
    assert "MIF" not in before.text
    PlayerTitle.objects.create(
        player=player, awarded_by="fmjd", discipline="100", title="MIF", ladder="women",
        registered_on=timezone.localdate(),
    )  # fmt: skip
    after = client.get(address, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "MIF" in after.text
    suggested = client.get("/search/?q=13368", headers=SUGGESTIONS)
    assert "MIF" in suggested.text
    assert client.get("/lists/fmjd-100/?q=13368").content == printed


def test_a_number_finds_its_player_and_nonsense_nothing(client: Client) -> None:
    assert 'href="/players/13368/"' in client.get("/search/?q=13368").text
    nothing = client.get("/search/?q=qqqxxyz").text
    assert "Nothing matches “qqqxxyz”." in nothing
    refused = client.get("/search/?q=%00")
    assert refused.status_code == 400
    assert ">Search ignored: it contains characters that are not text." in refused.text


def test_a_tournament_that_no_list_counts_yet_is_one_link_away(client: Client) -> None:
    """The index has the tournaments of published lists: a reader who looks for the last one finds where it is."""
    for headers in ({}, SUGGESTIONS):
        page = client.get("/search/?q=nancy+autumn", headers=headers).text
        assert 'href="/tournaments/calendar/?q=nancy%20autumn"' in page
        assert 'href="/tournaments/waiting/?q=nancy%20autumn"' in page
    for table in ("waiting", "calendar"):
        answer = client.get(f"/tournaments/{table}/?q=nancy%20autumn")
        assert (answer.status_code, "nancy autumn" in answer.text) == (200, True)
    assert "/tournaments/waiting/?q=" in client.get("/search/?q=open").text
    assert "/tournaments/waiting/?q=" not in client.get("/search/?q=open", headers=SUGGESTIONS).text


def test_what_is_not_found_has_a_search(client: Client) -> None:
    for path in ("/players/99999/", "/lists/fmjd-100/2020-01-01/", "/lists/fmjd-100/2026-10-01/r9/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert 'role="search"' in answer.text
        assert 'action="/search/"' in answer.text


def test_the_first_page_says_what_is_new_and_where_referees_go(client: Client) -> None:
    page = client.get("/").text
    text = text_of(page)
    assert "List of 1 Oct 2026 published: 100 squares" in text
    for address in ("/reports/announce/", "/reports/new/", "/check/", "/records/"):
        assert f'href="{address}"' in page
    for role, is_linked in ((Role.TITLE_COUNCIL, False), (Role.REFEREE, True), (Role.ADMINISTRATOR, False)):
        client.force_login(create_user(f"{role}@example.org", "Somebody", roles=[role]))
        page = client.get("/").text.partition("<main")[2]
        for address in ("/reports/announce/", "/reports/new/"):
            assert (f'href="{address}"' in page, client.get(address).status_code == 200) == (
                is_linked,
                is_linked,
            )


@pytest.mark.database_role("owner")
def test_the_newest_list_comes_first_of_the_tournaments_and_what_goes_on_last(client: Client) -> None:
    """A correspondence tournament ends years after the list that counts its first games."""
    newest = newest_tournaments(5)
    assert {one.in_force for one in newest} == {date(2026, 10, 1)}
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE reporting_resultset DISABLE TRIGGER USER")
    ResultSet.objects.filter(pk=newest[1].pk).update(played_to=date(2028, 12, 31))
    assert [one.pk for one in newest_tournaments(4)] == [newest[place].pk for place in (0, 2, 3, 4)]
