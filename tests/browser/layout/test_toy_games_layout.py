"""The pages of a tournament in parts and of a player whose list is rated by game: accessible, they fit every screen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from reporting.models import Role
from tests.browser.conftest import check_page
from tests.databases import as_worker
from tests.flows.test_parts import SECOND, import_reports, report
from tests.flows.test_toy_games import _league_opening  # noqa: F401 (fixture)
from tests.people import create_user
from tests.toy_games.installed import league_installed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]

REGISTER = """league_id,last_name,first_name,federation,sex,born,title,fide
23,Aabel,Ann,NED,W,1990,,1000051
24,Dekker,Dion,NED,M,2010,,
"""
PART_1 = """1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0
1,2025-02-07,23,"Aabel, Ann",22,"Familyb, Givenb",1-0
2,2025-02-14,22,"Familyb, Givenb",24,"Dekker, Dion",1-0
2,2025-02-14,,Nova van Kometa,21,"Familya, Givena",1/2-1/2
"""


@pytest.fixture
def league(transactional_db: None, _database_of_its_own: None) -> Iterator[None]:
    with league_installed():
        yield


@pytest.mark.usefixtures("league_opening")
def test_a_tournament_in_parts_and_the_games_of_a_player_fit(
    tmp_path: Path, window: Callable[..., Any]
) -> None:
    with as_worker():
        (tmp_path / "more.csv").write_text(REGISTER)
        call_command("import_register", str(tmp_path / "more.csv"), "--register", "league")
        (tmp_path / "clubs.csv").write_text("id,club,member_from,member_until\n22,020032,2020-01-01,\n")
        call_command("import_memberships", str(tmp_path / "clubs.csv"), "--register", "league")
        first, second = PART_1, SECOND.replace("2,", "3,", 1)
        import_reports(report(tmp_path / "1", "part-1", first, 'part = 1\ndivision = "second"\n'), "--accept")
        call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")
        import_reports(
            report(tmp_path / "2", "part-2", second, 'part = 2\ndivision = "second"\n'), "--accept"
        )
        call_command("run_period", "league", "--in-force", "2026-01-01", "--closing", "2025-12-31")
    page = window()
    for address in (
        "/tournaments/2025-league/", "/tournaments/2025-league/crosstable/", "/tournaments/2025-league/rounds/",
        "/tournaments/2025-league/changes/", "/players/league-22/?list=2025-07-01", "/players/league-22/tournaments/",
        "/players/league-22/games/league/2025-07-01/2025-league/", "/players/office-1/",
        "/lists/league/2026-01-01/r1/", "/clubs/league-020032/", "/embed/clubs/league-020032/",
    ):  # fmt: skip
        page.goto(address)
        check_page(page, address, opened="player" in address)
    assert page.console_errors == []
    office = window(create_user("rina@example.org", "Rina Officer", roles=[Role.RATING_OFFICER]))
    office.goto("/office/pools/league/dates/")
    check_page(office, "dates")
    assert office.console_errors == []
