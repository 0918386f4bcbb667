"""A session on the pages of a report: entered game by game, its clocks worked out, its lists named (R25)."""

import re

import pytest
from django.test import Client

from reporting.models import Report, User
from tests.pages.inbox.office_reports import content_of, newest
from tests.pages.reports.test_results_entry import INFO, NEW, games, players

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

SESSION = INFO | {"time_control": "", "session": "80+30, 5+3"}


def shown(client: Client, address: str) -> str:
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", "", client.get(address).content.decode()).split())


@pytest.fixture
def report(client: Client, referee: User) -> Report:
    """Two rounds of a classical and a blitz game; in round 1 the blitz game of numbers 1 and 2 was not played."""
    client.post("/reports/new/results/", SESSION | players(*NEW, action="save"))
    report = Report.objects.get()
    entered = {1: ("1 2 2-0", "3 - pause"), 3: ("2 3 1-1",), 4: ("3 2 2-0",)}
    for version, (number, rows) in enumerate(entered.items(), start=1):
        sent = games(*rows, based_on=str(version), action="next")
        assert client.post(f"/reports/{report.pk}/results/{number}/", sent).status_code == 302
    return report


def test_results_are_entered_game_by_game(client: Client, report: Report) -> None:
    # Points by hand: 1 won (2); 2: 0 + 1 + 0 = 1; 3: the pause 2 + 1 + 2 = 5.
    assert "0,1,,0,2,Joost" in content_of(report)
    rows = "1,1,2,2-0\n1,3,0,2-0\n3,2,3,1-1\n4,3,2,2-0"
    assert content_of(report).endswith(f"<section results>\n{rows}\n</end results>\n")
    assert 'session = [\n    "80+30",\n    "5+3",\n]' in bytes(newest(report).sidecar).decode()
    page = shown(client, f"/reports/{report.pk}/results/4/")
    assert "Game 2 of round 2, time control 5+3." in page
    for name in ("Round 1.1", "Round 1.2", "Round 2.1", "Round 2.2", "Round 3.1"):
        assert name in page
    assert "Round 4" not in page
    assert "Round 2.2" in shown(client, f"/reports/{report.pk}/file/")


def test_a_round_entered_again_changes_that_game_alone(client: Client, report: Report) -> None:
    client.post(f"/reports/{report.pk}/results/4/", games("3 2 0-2", based_on="4", action="next"))
    rows = "1,1,2,2-0\n1,3,0,2-0\n3,2,3,1-1\n4,3,2,0-2"
    assert content_of(report).endswith(f"<section results>\n{rows}\n</end results>\n")


def test_the_details_work_out_the_clock_of_each_game(client: Client, report: Report) -> None:
    """80 min + 60 × 30 s = 110 min, 60 %; 5 min + 60 × 3 s = 8 min, 100 % (R6)."""
    page = shown(client, f"/reports/{report.pk}/details/")
    assert "Game 1 of a round: 100 squares, classical, 60 % of K 80 min + 60 moves × 30 s = 110 min" in page
    assert "Game 2 of a round: 100 squares, rapid-blitz, 100 % of K 5 min + 60 moves × 3 s = 8 min" in page
    assert client.get(f"/reports/{report.pk}/details/").context["form"]["session"].value() == "80+30, 5+3"


def test_the_preview_shows_the_rounds_with_their_games(client: Client, report: Report) -> None:
    page = client.get(f"/reports/{report.pk}/preview/")
    lines = {line.player.number: line.cells for line in page.context["lines"]}
    assert [[(cell.points, cell.against) for cell in cells] for cells in lines[3]] == [
        [(2, 0)], [(1, 2), (2, 2)],
    ]  # fmt: skip
    preview = shown(client, f"/reports/{report.pk}/preview/")
    assert "these changes are those of the games in 100 squares, classical" in preview


def test_the_preview_marks_plus_and_minus_draws(client: Client, report: Report) -> None:
    """In game 1 of round 2 number 3 had a lasting advantage against number 2 (Annex 3 art. 5.6a)."""
    details = {"based_on": "4", "discipline": "100", "session": "80+30, 5+3", "plus_draws": "2.1: 3-2"}
    client.post(f"/reports/{report.pk}/details/", details | {"save": "1"})
    page = client.get(f"/reports/{report.pk}/preview/")
    lines = {line.player.number: line.cells for line in page.context["lines"]}
    assert [[cell.sign for cell in lines[number][1]] for number in (2, 3)] == [["−", ""], ["+", ""]]
    said = page.content.decode()
    assert "black against 2, plus draw" in said
    assert "white against 3, minus draw" in said


def test_a_session_that_cannot_be_read_stays_in_its_field(client: Client, report: Report) -> None:
    details = {"based_on": "4", "discipline": "100", "session": "80+30, soon", "save": "1"}
    client.post(f"/reports/{report.pk}/details/", details)
    page = client.get(f"/reports/{report.pk}/details/")
    assert page.context["form"]["session"].value() == "80+30, soon"
    assert "The time control cannot be read from character 1 on." in page.content.decode()
