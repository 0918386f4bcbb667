"""A player's page: every figure of it is the stored one, and the sums it shows come out."""

import json
import re
from datetime import date
from decimal import Decimal
from html import unescape

import pytest
from django.test import Client

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import PlayerHistory, RatingList
from ratings.published.selectors.players import find_player
from ratings.published.selectors.rating_explanation import NotCounted, rating_explanation
from reporting.models import Player
from tests.pages.published.published_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


def some_changed(newest: RatingList, number: int) -> list[int]:
    changes = FmjdChange.objects.filter(list_id=newest.pk).order_by("player_id")
    return sorted(set(changes.values_list("player__numbers__fmjd", flat=True)))[:: max(1, 300 // number)]


def test_the_sum_of_every_working_is_the_published_rating(newest: RatingList) -> None:
    checked = provisional = 0
    for fmjd_id in some_changed(newest, 100):
        player = find_player(str(fmjd_id))
        shown = rating_explanation(player, player.pools["fmjd-100"].newest)
        assert shown.total is not None
        assert shown.total.result == str(shown.rating)
        plain = shown.total.working.replace("−", "-").split(" = ")[0]
        total = sum(Decimal(term) for term in plain.replace(" + ", " +").replace(" - ", " -").split(" "))
        assert int(total + Decimal("0.5")) == shown.rating
        checked += 1
        provisional += any(event.is_provisional for event in shown.events)
    assert checked > 60
    assert provisional > 5


def test_no_space_is_before_a_semicolon_in_a_working(newest: RatingList, client: Client) -> None:
    page = text_of(client.get(f"/players/{some_changed(newest, 1)[0]}/").text)
    assert "%; " in page
    assert " ;" not in page


def test_the_games_shown_as_counted_are_those_of_the_change(newest: RatingList) -> None:
    for fmjd_id in some_changed(newest, 60):
        player = find_player(str(fmjd_id))
        for event in rating_explanation(player, player.pools["fmjd-100"].newest).events:
            counted = [game for game in event.games if game.counted]
            if event.change is None:
                assert not counted
                continue
            assert len(counted) == event.change.games
            assert sum(game.points for game in counted) == event.change.points
            assert sum(game.opponent_rating or 0 for game in counted) == event.change.opponents_sum
            not_listed = NotCounted.OPPONENT_NOT_LISTED
            unrated = [game for game in event.games if game.not_counted_reason == not_listed]
            assert len(unrated) == event.change.unrated_games


def test_every_list_of_a_player_can_be_opened(client: Client, newest: RatingList) -> None:
    for fmjd_id in some_changed(newest, 6):
        history = PlayerHistory.objects.filter(player__numbers__fmjd=fmjd_id).select_related("list")
        for row in history:
            page = client.get(f"/players/{fmjd_id}/", {"list": row.in_force.isoformat()})
            assert page.status_code == 200
            text = text_of(page.text)
            if row.list.is_opening:
                assert f"Source of {row.rating}" in text
            elif row.change is None:
                assert f"How {row.rating} is calculated" in text
            elif row.period_games:
                before = row.rating - row.change
                assert f"From {before} to {row.rating}" in text
            else:
                assert f"Why {row.rating} is unchanged" in text


def test_the_page_opens_the_last_list_that_says_something_new(client: Client, newest: RatingList) -> None:
    seen = set()
    for row in FmjdListRow.objects.filter(list_id=newest.pk, official_position__lte=20):
        history = PlayerHistory.objects.filter(player_id=row.player_id, list__pool=newest.pool_id)
        last = history.filter(period_games__gt=0).order_by("in_force").last()
        opening = history.get(list__is_opening=True)
        page = client.get(f"/players/{row.register_number}/").text
        marked = re.findall(r'aria-current="page">\s*<time datetime="([-0-9]+)"', page)
        shown = last or opening
        assert marked == [shown.in_force.isoformat()]
        quiet = "Since then no game counted and the rating did not change." in page
        assert quiet == (shown.in_force != newest.in_force)
        seen.add(marked[0])
    assert len(seen) > 1


def test_a_page_says_why_a_game_did_not_count(client: Client, newest: RatingList) -> None:
    unrated_games = FmjdChange.objects.filter(list_id=newest.pk, unrated_games__gt=0)
    change = unrated_games.select_related("player").first()
    assert change is not None
    page = text_of(client.get(f"/players/{change.player.address}/").text)
    assert "not counted, opponent not on the list of 1 " in page


def test_name_title_and_figures_are_those_of_the_newest_list(client: Client, newest: RatingList) -> None:
    row = FmjdListRow.objects.get(list_id=newest.pk, official_position=1)
    page = text_of(client.get(f"/players/{row.register_number}/").text)
    last, _, first = row.name.partition(", ")
    for words in (
        f"{first} {last}", f"({row.title})", str(row.rating), str(row.birth_year), "rank 1, category A",
    ):  # fmt: skip
        assert words in page


def test_the_plot_and_its_table_say_the_same(client: Client, newest: RatingList) -> None:
    row = FmjdListRow.objects.get(list_id=newest.pk, official_position=1)
    page = client.get(f"/players/{row.register_number}/").text
    history = PlayerHistory.objects.filter(player_id=row.player_id).order_by("in_force")
    for drawing in ("desktop", "phone"):
        svg = page[page.index(f"plot__svg--{drawing}") :]
        svg = svg[: svg.index("</svg>")]
        drawn = map(int, re.findall(r"<title>[^<]*: (\d+)</title>", svg))
        assert list(drawn) == [row.rating for row in history]
        assert "<desc" in svg
    figures = json.loads(unescape(re.search(r'data-figures="([^"]*)"', page)[1]))
    assert [each["in_force"] for each in figures["days"]] == [str(row.in_force) for row in history]
    assert [line["ratings"] for line in figures["lines"]] == [[row.rating for row in history]]
    table = page[page.index("<summary>Ratings as a table") :]
    # What people look for, in this order; the table is open, and what is drawn is chosen below it.
    marks = [
        'class="figures', 'class="plot__svg', "<summary>Ratings as a table", "<summary>Choose what is drawn",
        'id="records"',
    ]  # fmt: skip
    assert sorted(marks, key=page.index) == marks
    assert page[: page.index("<summary>Ratings as a table")].rstrip().endswith("<details open>")
    shown = re.findall(r'table__strong">(\d+)</td>', table)
    assert shown[: len(history)] == [str(row.rating) for row in reversed(history)]


@pytest.mark.parametrize(
    "query", ["?list=2025-01-01", "?list=tomorrow", "?pool=fmjd-64", "?pool=x&list=2026-02-30"]
)
def test_an_unknown_list_is_named(client: Client, newest: RatingList, query: str) -> None:
    page = client.get(f"/players/13368/{query}")
    assert page.status_code == 400
    assert re.search(r"This player is on no list (of )?“", page.text)
    # The form that zooms chooses from what is shown: it does not ask for the unknown list again.
    assert 'type="hidden"' not in page.text


def test_who_is_on_no_list_has_no_page(client: Client, newest: RatingList) -> None:
    listed = FmjdListRow.objects.values("player")
    unlisted = Player.objects.exclude(pk__in=listed).filter(numbers__fmjd__isnull=False).first()
    assert unlisted is not None
    for fmjd_id in (unlisted.numbers["fmjd"], 999_999_999):
        response = client.get(f"/players/{fmjd_id}/")
        assert response.status_code == 404
        assert "Player, tournament or federation" in response.text


def test_players_are_found_by_parts_of_their_name(client: Client, newest: RatingList) -> None:
    row = FmjdListRow.objects.get(list_id=newest.pk, official_position=1)
    last, _, first = row.name.partition(", ")
    for typed in (
        last, last.upper(), f"{first} {last}", f"{last}, {first}", last[2:], str(row.register_number),
    ):  # fmt: skip
        assert f"/players/{row.register_number}/" in client.get("/players/", {"q": typed}).text, typed
    numbers = re.findall(r'href="/players/(\d+)/"', client.get("/players/", {"q": "ver"}).text)
    rows = FmjdListRow.objects.filter(list_id=newest.pk)
    names = [rows.get(register_number=number).sort_name for number in numbers]
    begun = [name for name in names if name.startswith("ver")]
    assert names[: len(begun)] == sorted(begun) != []


@pytest.mark.parametrize(("typed", "reason"), [
    ("Brasilino", ""), ("Leandro Brasilino", "in another order"), ("Brazilino", "spelt alike"),
    ("Brasilno", "a letter differs"), ("asilin", "within the name"), ("Брасилино", "spelt alike"),
])  # fmt: skip
def test_players_are_found_in_another_spelling_with_the_reason(
    client: Client, newest: RatingList, typed: str, reason: str
) -> None:
    page = client.get("/players/", {"q": typed}).text
    (shown,) = re.findall(r"Brasilino, Leandro</a>(.*?)</th>", page, re.DOTALL)
    assert text_of(shown).strip() == reason


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
