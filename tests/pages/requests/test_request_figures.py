"""The figure that a request is about: the one of the database, and what has become of it since."""

import re
from html import unescape

import pytest
from django.db import connection
from django.db.models import Exists, OuterRef
from django.test import Client
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import RatingList
from ratings.queries.published_values import find_figure
from ratings.templatetags.published_values import figure_value
from reporting.messages.request_links import request_path
from reporting.models import Entry, Game, Player, ResultSet, Role
from reporting.register.services.dated_changes import change_titles
from reporting.rules.register.titles import discipline_titles
from tests.pages.published.published_pages import revised
from tests.pages.requests.sent_requests import CODE, LIST, RATING, log_in_officer, sent, text_of
from tests.people import create_user

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]


# --- the figures


def test_each_figure_is_the_one_of_the_database() -> None:
    found = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-10-01", state="published")
    row = FmjdListRow.objects.get(list_id=found.pk, register_number=13368)
    rating = find_figure(f"rating:{LIST}:13368")
    assert figure_value(rating) == (
        f"{row.rating}, change +{row.change}, {row.games} games in total, category {row.category}"
    )
    assert rating.published_in == "List of 1 Oct 2026, revision 1, 100 squares, classical"
    assert rating.article == "Annex 9 art. 3.3.1, 6.2; R9"
    person = find_figure(f"person:{LIST}:13368")
    assert (
        figure_value(person) == f"{row.name}; Brazil (BRA); International grandmaster; born {row.birth_year}"
    )

    tournament = ResultSet.objects.get(tournament__code=CODE)
    change = FmjdChange.objects.get(list_id=found.pk, player_id=row.player_id, result_set=tournament)
    assert change.delta_e4 == 5702
    sentence = figure_value(find_figure(f"change:{LIST}:{CODE}:13368"))
    assert sentence.startswith(
        f"+0.5702: {change.points} of {2 * change.games} points in {change.games} games"
    )
    of_tournament = FmjdChange.objects.filter(list_id=found.pk, result_set=tournament)
    provisional = of_tournament.filter(method="provisional").first()
    figure = find_figure(f"change:{LIST}:{CODE}:{provisional.player.address}")
    assert figure_value(figure).startswith("provisional, performance ")
    assert figure.article == "Annex 9 art. 3.1, 3.3.2; R4, R7, R8"

    game = Game.objects.filter(result_set=tournament, played=True).select_related("white", "black").first()
    result = find_figure(f"result:{LIST}:{CODE}:{game.white.player.address}:{game.round}")
    assert f"– {game.black.player.printed_name} {game.result_in('2-1-0')}" in figure_value(result)
    details = figure_value(find_figure(f"tournament:{LIST}:{CODE}"))
    for words in ("Campinas Winter Open", "Campinas, BRA", "5 Jul 2026 to 11 Jul 2026", "Swiss"):
        assert words in details


def test_a_player_without_a_counted_game_in_a_tournament_has_no_change() -> None:
    counted = FmjdChange.objects.filter(result_set=OuterRef("result_set"), player=OuterRef("player"))
    of_pool = Entry.objects.filter(result_set__manifest_lines__period__pool__code="fmjd-100")
    entry = of_pool.filter(~Exists(counted)).first()
    assert entry is not None
    line = entry.result_set.manifest_lines.select_related("period").first()
    figure = find_figure(
        f"change:fmjd-100:{line.period.in_force}:1:{entry.result_set.code}:{entry.player.address}"
    )
    assert figure_value(figure) == "no change: no counted game"
    assert figure.article == "Annex 9 art. 5.2, 5.3; R8"


@pytest.mark.parametrize("about", [
    "",
    "rating",
    "rating:",
    f"rating:{LIST}",
    f"rating:{LIST}:0",
    f"rating:{LIST}:13368:1",
    f"rating:{LIST}:999999999",
    f"rating:{LIST}:9999999999999999999999",
    f"rating:{LIST}:13368\x00",
    f"rating:{LIST}:13368\n",
    f"rating:{LIST}:١٣٣٦٨",
    "rating:fmjd-100:2026-02-30:1:13368",
    "rating:fmjd-100:2026-10-01:2:13368",
    "rating:fmjd-100:2027-01-01:1:13368",  # not published
    "rating:fmjd-64:2026-10-01:1:13368",
    f"salary:{LIST}:13368",
    f"change:{LIST}:no-such-open:13368",
    f"change:{LIST}:{CODE}:10575",  # of another tournament
    "change:fmjd-100:2026-07-01:1:2026-campinas-winter-open:13368",  # of another list
    f"tournament:fmjd-100:2026-01-01:1:{CODE}",  # an opening list counts none
    f"result:{LIST}:{CODE}:13368:8",
    f"result:{LIST}:{CODE}:13368:99999",
    f"results:{LIST}:{CODE}",
    "results:",
    "x" * 5000,
])  # fmt: skip
def test_what_is_no_published_figure_is_not_found(client: Client, about: str) -> None:
    for method in (client.get, client.post):
        assert method("/requests/new/", query_params={"about": about}).status_code == 404
    assert client.get("/requests/new/").status_code == 404


@pytest.mark.database_role("owner")
def test_an_erased_person_has_no_figures_and_a_request_about_them_stays(client: Client) -> None:
    asked = sent(f"rating:{LIST}:13368")
    with connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(%s)", [asked.player_id])
    assert client.get(RATING).status_code == 404
    assert "It is not on the newest list." in client.get(request_path(asked.pk)).text


# --- what has become of the figure


@pytest.mark.database_role("worker")
def test_a_figure_that_a_correction_changed_is_next_to_what_it_was(client: Client, season: None) -> None:
    """Left out of the list's next revision, the tournament brings 13368 nothing: 2429 stays (R8)."""
    rating, change = sent(f"rating:{LIST}:13368"), sent(f"change:{LIST}:{CODE}:13368")
    log_in_officer(client)
    assert "This figure has not changed" in client.get(f"/office/requests/{rating.pk}/").text
    line = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-10-01", state="published")
    excluded = line.period.manifest.get(result_set__tournament__code=CODE)
    revised(line, reason="It was not announced.", excluded_tournaments=[excluded.result_set.code])
    page = text_of(client.get(f"/office/requests/{rating.pk}/").text)
    assert "Value when the request came 2430, change +1" in page
    assert "Value now, list of 1 Oct 2026, revision 2 2429, change 0" in page
    assert "This figure has changed. Revision 2 of the list of 1 Oct 2026: It was not announced." in page
    assert "Show the changes" in page
    gone = text_of(client.get(f"/office/requests/{change.pk}/").text)
    assert "It is not on the newest list." in gone
    assert "This figure has changed." in text_of(client.get(request_path(rating.pk)).text)


@pytest.mark.database_role("worker")
def test_a_person_s_data_are_compared_with_the_register_too(client: Client) -> None:
    asked = sent(f"person:{LIST}:13368")
    assert "Value in the register" not in log_in_officer(client).get(f"/office/requests/{asked.pk}/").text
    registered = Player.objects.get(numbers__fmjd=13368)
    change_titles(discipline_titles()["title"], {registered.pk: "MI"}, on=timezone.localdate())
    page = text_of(client.get(f"/office/requests/{asked.pk}/").text)
    assert "Value in the register, for the next list" in page
    assert "International master; born 1979" in page
    assert "This figure has not changed" in page


def test_the_office_s_page_leads_to_working_report_correction_and_register(client: Client) -> None:
    asked = sent(f"change:{LIST}:{CODE}:13368")
    page = log_in_officer(client).get(f"/office/requests/{asked.pk}/").text
    report = ResultSet.objects.get(tournament__code=CODE).reports.get()
    for address in (
        "/players/13368/?pool=fmjd-100&amp;list=2026-10-01#explanation", f"/office/reports/{report.pk}/",
        "/office/lists/fmjd-100/2026-10-01/correct/", "/office/players/13368/",
    ):  # fmt: skip
        assert f'href="{address}"' in page
        assert client.get(unescape(address)).status_code == 200, address


def test_a_national_official_is_led_only_where_they_may_go(client: Client) -> None:
    asked = sent(f"change:{LIST}:{CODE}:13368")
    client.force_login(
        create_user("n@example.org", "Nadia", roles=[Role.NATIONAL_OFFICIAL], federation_id="BRA")
    )
    page = client.get(f"/office/requests/{asked.pk}/").text
    report = ResultSet.objects.get(tournament__code=CODE).reports.get()
    main = page[page.index("<main") : page.index("</main")]
    links = {unescape(link) for link in re.findall(r'href="(/[^"]+)"', main)}
    assert f"/reports/{report.pk}/" in links
    assert f"/office/reports/{report.pk}/" not in links
    assert "/office/lists/fmjd-100/2026-10-01/correct/" not in links
    for link in links:
        assert client.get(link).status_code == 200, link
