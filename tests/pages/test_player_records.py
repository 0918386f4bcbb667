"""The pages below that of a player: tournaments, opponents, two players compared, files. All from published rows."""

import re
from collections import Counter

import pytest
from django.db.models import Q
from django.test import Client

from ratings.models import RatingList
from ratings.published.selectors.player_tournaments import player_tournaments
from ratings.published.selectors.players import find_player
from ratings.systems.fmjd.models import FmjdChange, FmjdListRow
from reporting.models import Entry, Game

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

TAG = re.compile(r"<[^>]+>")
LEADER = 13368


def text_of(page: str) -> str:
    return " ".join(TAG.sub(" ", page).split())


def some_players(newest: RatingList, number: int) -> list[int]:
    changes = FmjdChange.objects.filter(list_id=newest.pk).order_by("player_id")
    found = sorted(set(changes.values_list("player__numbers__fmjd", flat=True)))
    return found[:: max(1, len(found) // number)][:number]


def test_every_change_of_a_published_list_is_a_tournament_with_its_results(newest: RatingList) -> None:
    lists = set(RatingList.objects.filter(state="published").values_list("pk", flat=True))
    for number in some_players(newest, 15):
        player = find_player(str(number))
        found = player_tournaments(player)
        changes = {
            (change.list_id, change.tournament_id): change
            for change in FmjdChange.objects.filter(list_id__in=lists, player_id=player.player.pk)
        }
        shown = {(one.rating_list.pk, one.tournament.pk): one for one in found}
        assert changes.keys() <= shown.keys()
        assert (
            len(shown)
            == len(found)
            == Entry.objects.filter(player=player.player, tournament__manifest_lines__isnull=False).count()
        )
        assert [one.tournament.played_to for one in found] == sorted(
            (one.tournament.played_to for one in found), reverse=True
        )
        for key, one in shown.items():
            assert one.change == changes.get(key)
            entry = Entry.objects.get(tournament=key[1], player=player.player)
            games = Game.objects.filter(Q(white=entry) | Q(black=entry))
            points = sum(
                game.white_points if game.white_id == entry.pk else game.black_points for game in games
            )
            assert (one.points, one.entry.place) == (points, entry.place)
            assert one.players == Entry.objects.filter(tournament=key[1]).count()
            counted = [game for game in one.games if game.counted]
            assert len(counted) == (one.change.games if one.change else 0)
            if one.change:
                assert sum(game.opponent_rating or 0 for game in counted) == changes[key].opponents_sum
                assert one.performance_e4 == changes[key].performance_e4


def test_the_page_of_tournaments_shows_each_with_its_figures_and_their_source(
    client: Client, newest: RatingList
) -> None:
    address = f"/players/{LEADER}/tournaments/"
    page = client.get(address)
    assert page.status_code == 200
    found = player_tournaments(find_player(str(LEADER)))
    assert len(found) > 1
    rows = re.findall(r'<tr>\s*<th scope="row".*?</tr>', page.text, re.DOTALL)
    assert len(rows) == len(found)
    for row, one in zip(rows, found, strict=True):
        assert f'href="/tournaments/{one.tournament.code}/"' in row
        assert f"?pool=fmjd-100&amp;list={one.rating_list.in_force}#explanation" in row
        assert f"{one.points} of {2 * len(one.games)}" in text_of(row)
        assert f"{one.entry.place} of {one.players}" in text_of(row)
    assert f'href="{address}" aria-current="page"' in page.text
    assert f'href="{address}"' in client.get(f"/players/{LEADER}/").text


def test_tournaments_by_year_and_list(client: Client, newest: RatingList) -> None:
    address = f"/players/{LEADER}/tournaments/"
    found = player_tournaments(find_player(str(LEADER)))
    years = Counter(one.tournament.played_to.year for one in found)
    for year in {*years, 1950}:
        page = client.get(address, {"year": str(year), "pool": "fmjd-100"})
        assert page.status_code == 200
        assert len(re.findall(r'<th scope="row"', page.text)) == years[year]
    for query, said in (({"year": "last"}, "not a year"), ({"pool": "x"}, "on no such list")):
        page = client.get(address, query)
        assert page.status_code == 400
        assert said in page.text
