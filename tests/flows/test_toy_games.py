"""A federation rated by the game, tests/toy_games: each game of a player is a change of its own.

By hand, 10 × (W − We), We by the ratings of the list before (rules.py):

    list         games of League                            21             22
    2025-01-01   opening                                    1000           1200
    2025-07-01   21 beats 22 twice: We 0.3, +7 and +7       1014           1186
                 21 draws with Nova, 1000: We 0.5           + 0            Nova has no number: on no list
"""

from datetime import date

import pytest
from django.core.management import call_command

from ratings.models import Pool, RatingList
from reporting.models import Player
from tests.toy_games.installed import league_installed

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

LEAGUE = """round,date,white_id,white_name,black_id,black_name,result
1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0
1,2025-02-07,22,"Familyb, Givenb",21,"Familya, Givena",0-1
1,2025-02-08,,Nova van Kometa,21,"Familya, Givena",1/2-1/2
"""
DETAILS = """
rating_system = "league"
name = "League"
place = "Utrecht"
country = "NED"
referee = "Piet Fluit"
system = "other"
played_from = 2025-02-07
played_to = 2025-02-09
"""


@pytest.fixture
def league(transactional_db):
    with league_installed():
        yield Pool.objects.get(code="league")


@pytest.fixture
def opening(league, tmp_path):
    """The opening list, by command."""
    (tmp_path / "register.csv").write_text(
        "league_id,last_name,first_name,federation,sex,born,title\n"
        "21,Familya,Givena,NED,M,1990,\n22,Familyb,Givenb,NED,W,1991,\n"
    )
    (tmp_path / "list.csv").write_text("league_id,rating,games\n21,1000,30\n22,1200,9\n")
    call_command("import_register", str(tmp_path / "register.csv"), "--register", "league")
    call_command("import_list", str(tmp_path / "list.csv"), "--pool", "league", "--in-force", "2025-01-01")


@pytest.fixture
def published(opening, tmp_path):
    """The list of 1 July 2025, by command."""
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "league.csv").write_text(LEAGUE)
    (reports / "league.toml").write_text(DETAILS)
    call_command("import_reports", str(reports), "--accept")
    call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")
    return RatingList.objects.get(system="league", in_force="2025-07-01")


def figures(rating_list):
    return [
        (row.register_number, row.rating, row.change, row.period_games)
        for row in rating_list.rows.order_by("position")
    ]


def test_each_game_of_a_player_is_a_change_and_the_list_is_verified(published, capfdbinary):
    assert Player.objects.get(last_name="Nova van Kometa").numbers == {"office": 1}
    assert figures(published) == [(22, 1186, -14, 2), (21, 1014, 14, 3)]
    of_21 = published.changes.filter(player__numbers__league=21).order_by("sequence")
    assert [(one.points, one.own, one.opponent_rating, one.added_e4) for one in of_21] == [
        (2, 1000, 1200, 70_000), (2, 1000, 1200, 70_000), (1, 1000, 1000, 0)
    ]  # fmt: skip
    assert {one.last_game for one in of_21} == {date(2025, 2, 9)}
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    assert "2 lists, all as they were published" in capfdbinary.readouterr().out.decode()
