"""A tournament's page: its games round by round as reported, and what the list says it did to ratings."""

import re

import pytest
from django.test import Client

from ratings.federations.fmjd.models import FmjdChange
from ratings.models import RatingList
from ratings.published.selectors.tournaments.changes import published_tournament
from ratings.queries.tournaments import tournaments_of
from ratings.templatetags.changes import exact_change
from reporting.models import Game, ResultSet
from tests.visitor import name_of, parse, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


def test_every_tournament_of_a_list_has_its_page(client: Client, newest: RatingList) -> None:
    tournaments = tournaments_of(newest)
    assert len(tournaments) == newest.tournaments
    changes = FmjdChange.objects.filter(list_id=newest.pk)
    assert sum(changes.filter(result_set=tournament).exists() for tournament in tournaments) > 10
    for tournament in tournaments:
        page = client.get(f"/tournaments/{tournament.code}/changes/")
        assert page.status_code == 200
        changes = FmjdChange.objects.filter(list_id=newest.pk, result_set=tournament, method="change")
        for change in changes:
            assert exact_change(change.delta_e4) in page.text


def test_points_and_games_are_those_of_the_report(newest: RatingList) -> None:
    for tournament in tournaments_of(newest):
        found = published_tournament(tournament.code)
        for line in found.crosstable.lines:
            white = sum(Game.objects.filter(white=line.entry).values_list("white_points", flat=True))
            black = sum(Game.objects.filter(black=line.entry).values_list("black_points", flat=True))
            assert line.points == white + black
            if line.entry.points_printed is not None:
                assert line.points == line.entry.points_printed
        cells = sum(len(games) for line in found.crosstable.lines for games in line.cells)
        games = Game.objects.filter(result_set=tournament)
        without_an_opponent = games.filter(black=None).count() + games.filter(white=None).count()
        assert cells == 2 * games.count() - without_an_opponent


def test_a_cell_of_the_crosstable_is_read_as_a_sentence(client: Client, newest: RatingList) -> None:
    found = published_tournament("2026-european-championship")
    numbers = found.crosstable.numbers
    page = parse(client.get("/tournaments/2026-european-championship/crosstable/").text)
    (table,) = page.iterfind(".//table[@class='table table--dense crosstable']")
    heads = [name_of(head) for head in table.iterfind("thead/tr/th")]
    lines = [*table.iterfind("tbody/tr")]
    games = Game.objects.filter(
        result_set=found.tournament, white__in=numbers, black__in=numbers, played=True
    )
    for points, of_white, of_black in ((2, "win", "loss"), (1, "draw", "draw")):
        game = games.filter(white_points=points).earliest("round", "number")
        turn = game.round + 1  # after the points
        white, black = numbers[game.white.pk], numbers[game.black.pk]
        assert heads[turn] == f"Round {game.round}"
        assert name_of(lines[white - 1][turn]) == f"white against {black}, {of_white}"
        assert name_of(lines[black - 1][turn]) == f"black against {white}, {of_black}"


def test_players_of_one_surname_are_told_apart_in_the_crosstable(client: Client, newest: RatingList) -> None:
    page = " ".join(client.get("/tournaments/2026-ouagadougou-open/crosstable/").text.split())
    assert 'Ilboudal<span class="crosstable__first-name">, Lassane</span>' in page
    assert 'Ilboudal<span class="crosstable__first-name">, Sibiri</span>' in page


def test_the_time_control_is_worked_out(client: Client, newest: RatingList) -> None:
    page = client.get("/tournaments/2026-european-championship/").text
    assert "90 min (moves 1 to 45) + 30 min (from move 46) + 15 moves × 30 s = 127.5 min for 60 moves" in page
    assert "development percentage 100 %" in page


def test_a_tournament_that_waits_is_not_there(client: Client, newest: RatingList) -> None:
    waiting = ResultSet.objects.filter(manifest_lines=None)
    assert waiting.count() > 3
    listed = client.get("/tournaments/").text
    page = text_of(parse(client.get("/tournaments/waiting/").text))
    for tournament in waiting:
        assert client.get(f"/tournaments/{tournament.code}/").status_code == 404
        assert tournament.code not in listed
        reports = tournament.reports.filter(state="accepted")
        assert (tournament.name in page) == reports.exists()


def test_tournaments_are_found_by_name_place_and_country(client: Client, newest: RatingList) -> None:
    for typed in (
        "european", "Warsaw", "poland", "championship warsaw", "POL", "pl", "pol 2026 warsaw", "2026",
    ):  # fmt: skip
        assert "/tournaments/2026-european-championship/" in client.get("/tournaments/", {"q": typed}).text
    for typed in ("european NED", "european 2025"):
        assert "/tournaments/2026-european" not in client.get("/tournaments/", {"q": typed}).text
    in_lists = ResultSet.objects.filter(manifest_lines__isnull=False, country="NED")
    dutch = set(in_lists.values_list("tournament", flat=True))
    found = client.get("/tournaments/", {"q": "NED"}).text
    assert len(dutch) > 1
    assert all(f'"/tournaments/{code}/"' in found for code in dutch)
    assert "No tournaments match these filters." in client.get("/tournaments/", {"q": "zzz"}).text
    # In another spelling only where nothing is spelt as typed; a year is never similar to another.
    similar = client.get("/tournaments/", {"q": "Eurpean Champoinship"}).text
    assert "/tournaments/2026-european-championship/" in similar
    assert "No tournament has exactly these words." in similar
    assert "exactly these words" not in client.get("/tournaments/", {"q": "european"}).text
    assert client.get("/tournaments/", {"q": "2062"}).text.count("/tournaments/2") == 0


def test_the_ranking_of_federations_leads_to_their_players(client: Client, newest: RatingList) -> None:
    page = client.get("/federations/").text
    assert re.search(r'href="/federations/NED/\?pool=fmjd-100">Netherlands</a>', page)
    assert client.get("/federations/XYZ/").status_code == 404
    assert "Mean of the 10 best" in client.get("/federations/NED/").text


def test_each_tournament_of_a_list_has_its_own_file(client: Client, newest: RatingList) -> None:
    """What they depend on is the same; what is kept in the process is kept by its address too."""
    for tournament in tournaments_of(newest)[:3]:
        for name in ("games.trf", "report.txt"):
            response = client.get(f"/tournaments/{tournament.code}/files/{name}")
            assert tournament.name in response.content.decode()
