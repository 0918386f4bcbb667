"""What pages call the office, its games, numbers and figures, by the federations that are installed."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.template.loader import render_to_string
from django.urls import reverse

from ratings.queries.lists import all_pools
from reporting.log.audit import Actor
from reporting.models import Role
from reporting.register.services.import_register import import_register
from reporting.register.views.register import PlayerSearchForm, found_players
from tests.people import create_user
from tests.toy_games.installed import league_installed
from titles.federations import registry

pytestmark = pytest.mark.django_db(transaction=True)


def text_of(client, address):
    page = client.get(address)
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


@pytest.fixture
def league(transactional_db, tmp_path):
    """The toy league besides the FMJD: a list, and a tournament without a clock that counts in the next one."""
    with league_installed():
        (tmp_path / "register.csv").write_text(
            "league_id,last_name,first_name,federation,sex,born\n21,Familya,Givena,NED,M,1990\n"
            "22,Familyb,Givenb,NED,W,1991\n"
        )
        (tmp_path / "list.csv").write_text("league_id,rating,games\n21,1000,30\n22,1200,9\n")
        reports = tmp_path / "reports"
        reports.mkdir()
        (reports / "league.csv").write_text(
            "round,date,white_id,white_name,black_id,black_name,result\n"
            '1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0\n'
            '1,2025-02-08,21,"Familya, Givena",,Nova van Kometa,1-0\n'
        )
        (reports / "league.toml").write_text(
            'rating_system = "league"\nname = "League"\nplace = "Utrecht"\ncountry = "NED"\nreferee = "Piet Fluit"\n'
            'system = "other"\nplayed_from = 2025-02-07\nplayed_to = 2025-02-09\n'
        )
        call_command("import_register", str(tmp_path / "register.csv"), "--register", "league")
        call_command(
            "import_list", str(tmp_path / "list.csv"), "--pool", "league", "--in-force", "2025-01-01"
        )
        call_command("import_reports", str(reports), "--accept")
        call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")
        yield


def test_the_games_of_the_installed_federations_are_said(client, transactional_db):
    home = text_of(client, reverse("home"))
    assert "Rating Office Draughts, chess and correspondence chess federations" in home
    assert "Official rating lists of draughts, chess and correspondence chess, calculated" in home
    assert "Part of a name in any spelling, or player number" in home


def test_titles_are_in_the_masthead_only_where_a_federation_awards_them(monkeypatch):
    visitor = {"user": AnonymousUser()}
    assert ">Titles<" in render_to_string("parts/masthead.html", visitor)
    monkeypatch.setattr(registry, "_rules", {})
    assert ">Titles<" not in render_to_string("parts/masthead.html", visitor)


def test_the_office_is_called_as_the_setting_says(client, transactional_db, settings):
    settings.OFFICE_NAME = "Board games of the north"
    assert "Rating Office Board games of the north" in text_of(client, reverse("home"))


def test_with_several_federations_pages_say_what_is_true_of_all(client, league):
    home = text_of(client, reverse("home"))
    assert "Rating Office Draughts, chess, correspondence chess and toy games federations" in home
    assert "or player number" in home
    assert "60 moves" not in home  # the tournament of the table has no clock
    lists = text_of(client, reverse("lists"))
    names = [lists.index(name) for name in ("FMJD", "fmjd-100", "Toy league") if name in lists]
    assert names == sorted(names)
    assert lists.index("Toy league") < lists.index("All lists")
    assert "60 moves" not in text_of(client, reverse("tournaments"))


def test_the_register_is_filtered_by_the_numbers_of_each_federation(league):
    officer = create_user("o@example.org", "Olga Office", roles=[Role.RATING_OFFICER])

    def found(number):
        players = found_players(officer, PlayerSearchForm(officer, {"number": number}))
        return sorted(players.values_list("last_name", flat=True))

    assert found("yes-league") == ["Familya", "Familyb"]
    assert found("none-league") == ["Nova van Kometa"]
    assert found("yes") == []
    labels = [label for _, label in PlayerSearchForm(officer, {}).fields["number"].choices]
    assert labels[-2:] == ["With League number", "Without League number"]


def test_the_page_of_a_player_shows_the_pools_of_the_players_registers(client, league):
    page = text_of(client, reverse("player", args=["league-21"]))
    assert [pool.name for pool in all_pools() if pool.name in page] == ["Toy league"]
    for words in ("no counted games", "ategory", "FMJD"):
        assert words not in page, words


def test_a_player_without_a_number_has_a_page_with_the_tournaments(client, league):
    page = text_of(client, "/players/office-1/")
    assert "Nova van Kometa" in page
    assert "has not given the player a number yet" in page
    assert "2025-league" in client.get("/players/office-1/").content.decode()
    assert 'href="/players/office-1/"' in client.get("/tournaments/2025-league/crosstable/").content.decode()
    assert client.get("/players/office-2/").status_code == 404
    by = Actor(create_user("o@example.org", "Olga Office", roles=[Role.RATING_OFFICER]))
    import_register(content=b"league_id,office\n30,1\n", register="league", by=by)
    moved = client.get("/players/office-1/")
    assert (moved.status_code, moved["Location"]) == (301, "/players/league-30/")
    page = text_of(client, "/players/league-30/")
    assert "League register 30" in page
    assert "The player is on no list yet" in page
