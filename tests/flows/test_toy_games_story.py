"""The whole story of a federation rated by the game, by page: a league in two parts, lists, and a correction of part 1.

The toy league (tests/toy_games), by hand, 10 × (W − We), We by the ratings of the list before. 23 has FIDE's number
1000051 and starts at FIDE's rating 2310; 24 was born in 2010 and starts at the officer's value 1100; Nova has no number
and counts as 1000.

    list         games                                      21             22             23           24
    2025-01-01   opening                                    1000           1200
    2025-07-01   part 1: 21 beats 22: We 0.3 and 0.7        + 7            − 7
                 23 beats 22: We 0.9 and 0.1                               − 1            + 1
                 22 beats 24: We 0.6 and 0.4                               + 4                         − 4
                 21 draws with Nova: We 0.5                 + 0
                                                            1007           1196           2311         1096
    2026-01-01   part 2: 21 draws with 22, d = 189          + 1.89: 1009   − 1.89: 1194   2311         1096
    2026-04-01   no games; 23 and 24 are held               1009           1194

Corrected, 21 draws with 22 in part 1: 1000 + 2 = 1002 and 1200 − 2 − 1 + 4 = 1201. Then d = 199 in part 2, + 1.99 and
− 1.99: 1004 and 1199.
"""

import io
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from django.core.management import call_command
from django.urls import reverse

from ratings.models import RatingList
from ratings.tasks import look_for_work
from reporting.models import Player, Report, Role
from tests.flows.test_toy_federation import answer_anomalies, logged_in
from tests.flows.test_toy_games import _league_opening, figures, file_rows, league  # noqa: F401 (fixtures)
from tests.formats.source_files import PLAYERS, source_text, zipped
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),  # a calculation is a transaction of its own
    pytest.mark.usefixtures("league_opening", "cleared_rate_limits"),
]

REGISTER = """league_id,last_name,first_name,federation,sex,born,title,fide
23,Aabel,Ann,NED,W,1990,,1000051
24,Dekker,Dion,NED,M,2010,,
"""
HEADER = "round,date,white_id,white_name,black_id,black_name,result"
PART_1 = f"""{HEADER}
1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0
1,2025-02-07,23,"Aabel, Ann",22,"Familyb, Givenb",1-0
2,2025-02-14,22,"Familyb, Givenb",24,"Dekker, Dion",1-0
2,2025-02-14,,Nova van Kometa,21,"Familya, Givena",1/2-1/2
"""
PART_2 = (3, "2025-09-05", 22, "Familyb, Givenb", 21, "Familya, Givena", "1/2-1/2")
JULY, JANUARY, APRIL = date(2025, 7, 1), date(2026, 1, 1), date(2026, 4, 1)


def workbook(*rows: Sequence[object]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def upload(referee: Visitor, filename: str, content: bytes) -> None:
    referee.open("/reports/new/")
    referee.attach("Report file", filename, content)
    referee.press("Upload report")


def submit(referee: Visitor, part: int) -> None:
    """Say what the file does not say, and submit it."""
    referee.open_link("Details", nth=0)
    referee.choose("Rating system", "league")
    referee.press("Save details")
    details = {
        "name": "League", "part": str(part), "place": "Utrecht", "country": "NED", "played_from": "2025-02-07",
        "played_to": "2099-05-01", "referee": "Piet Fluit",
    }  # fmt: skip
    for name, value in details.items():
        referee.fill(referee.by_id(f"id_{name}"), value)
    referee.choose(referee.by_id("id_system"), "other")
    referee.choose("Division", "second")
    referee.press("Save details")
    send(referee)


def send(referee: Visitor) -> None:
    referee.open_link("Submission", nth=0)
    for box in referee.textboxes():
        referee.fill(box, "As it was.")
    referee.press("Submit report")
    assert "Report submitted" in referee.text


def accept(officer: Visitor, name: str) -> None:
    """From the inbox."""
    officer.open("/office/reports/")
    officer.open_link(name)
    officer.press("Accept report")
    assert "Report accepted" in officer.text


def open_period(officer: Visitor, closing: date, in_force: date, reports: str) -> None:
    """The page says what the list would count before the dates are saved."""
    officer.open("/office/pools/league/dates/")
    officer.fill("Closing date", str(closing))
    officer.fill("In force from", str(in_force))
    officer.press("Show what counts")
    assert f"would count now {reports}" in officer.text
    assert "FIDE, Standard 1 Jun 2025" in officer.text
    assert officer.links("Values of the list of")
    officer.press("Open period")


def preview_values(officer: Visitor) -> None:
    """24 starts at 1100 instead of 1000, and loses 4 points instead of 3 to 22, who wins as many."""
    officer.open(f"/office/lists/league/{JULY}/values/")
    officer.press("Preview ratings")
    assert "2 players, +100 points in total" in officer.text
    assert "Dekker, Dion 2010 997 1096 +99" in officer.text
    assert "Familyb, Givenb" in officer.text
    assert "Nothing is saved yet." in officer.text


def freeze(officer: Visitor, in_force: date) -> None:
    officer.open(f"/office/lists/league/{in_force}/freeze/")
    officer.fill("Reason", "The closing date is over.")
    officer.press("Freeze period")


def sign(officer: Visitor, releaser: Visitor, in_force: date) -> RatingList:
    """The worker calculates, both sign."""
    assert look_for_work() >= 1
    address = f"/office/lists/league/{in_force}/"
    answer_anomalies(officer, address)
    officer.open_link("Approve list")
    officer.press("Approve list")
    releaser.open(address)
    releaser.open_link("Publish list")
    releaser.press("Publish list")
    return RatingList.objects.filter(in_force=in_force, state="published").latest("revision")


def import_source(officer: Visitor) -> None:
    """A damaged archive first: what is refused is said."""
    for content, ended in (
        (zipped(source_text(*PLAYERS))[:-30], "list.zip was not imported."),
        (zipped(source_text(*PLAYERS)), "1 Jun 2025 Standard 2 1 list.zip"),
    ):
        officer.open("/office/sources/")
        officer.fill("In force from", "2025-06-01")
        officer.attach("File", "list.zip", content)
        officer.press("Upload list")
        look_for_work()
        officer.open("/office/sources/")
        assert ended in officer.text, officer.text


def list_of(in_force: date) -> list[tuple[int, int, int | None, int]]:
    newest = RatingList.objects.filter(in_force=in_force, state="published").latest("revision")
    return list(figures(newest))


def test_a_league_in_two_parts_goes_from_upload_by_page_to_a_corrected_and_verified_list(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "more.csv").write_text(REGISTER)
    call_command("import_register", str(tmp_path / "more.csv"), "--register", "league")
    referee, officer, releaser = (
        logged_in("Rina", Role.REFEREE),
        logged_in("Olga", Role.RATING_OFFICER),
        logged_in("Rolf", Role.RELEASING_OFFICER),
    )
    import_source(officer)
    officer.open(f"/office/lists/league/{JULY}/values/")
    officer.fill("Values", "born,rating\n2010,11oo\n")
    officer.press("Save values", status=409)
    assert "The value is not a number from 100 to 3000." in officer.text
    officer.fill("Values", "born,rating\n2010,1100\n")
    officer.press("Save values")

    upload_wrong_then_right(referee)
    submit(referee, 1)
    accept(officer, "League")
    open_period(officer, date(2025, 6, 30), JULY, "Tournament Played Submitted by League 7 Feb 2025")
    preview_values(officer)
    freeze(officer, JULY)
    july = sign(officer, releaser, JULY)
    assert list_of(JULY) == [(23, 2311, None, 1), (22, 1196, -4, 3), (24, 1096, None, 1), (21, 1007, 7, 2)]
    assert [row["counted"] for row in file_rows(july, "games.csv")] == ["both", "both", "both", "black"]
    read = file_rows(july, "lists-read.csv")
    assert [(row["list"], row["use"]) for row in read] == [
        ("league/2025-01-01/r1", "read"), ("fide/2025-06-01", "source")
    ]  # fmt: skip
    assert file_rows(july, "values.csv") == [{"born": "2010", "rating": "1100"}]

    upload(referee, "part-2.xlsx", workbook(HEADER.split(","), PART_2))
    submit(referee, 2)
    accept(officer, "League, part 2")
    open_period(
        officer, date(2025, 12, 31), JANUARY, "Tournament Played Submitted by League, part 2 7 Feb 2025"
    )
    freeze(officer, JANUARY)
    sign(officer, releaser, JANUARY)
    assert list_of(JANUARY) == [(23, 2311, 0, 0), (22, 1194, -2, 1), (24, 1096, 0, 0), (21, 1009, 2, 1)]
    open_period(officer, date(2026, 3, 31), APRIL, "0 None that is accepted.")
    freeze(officer, APRIL)
    sign(officer, releaser, APRIL)
    assert list_of(APRIL) == [(22, 1194, 0, 0), (21, 1009, 0, 0)]
    read_pages()

    correct_part_1(referee, officer)
    for in_force in (JULY, JANUARY, APRIL):
        sign(officer, releaser, in_force)
    assert list_of(JULY) == [(23, 2311, None, 1), (22, 1201, 1, 3), (24, 1096, None, 1), (21, 1002, 2, 2)]
    assert list_of(JANUARY) == [(23, 2311, 0, 0), (22, 1199, -2, 1), (24, 1096, 0, 0), (21, 1004, 2, 1)]
    assert list_of(APRIL) == [(22, 1199, 0, 0), (21, 1004, 0, 0)]
    read_corrected_pages()
    capfd.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    call_command("check_invariants")
    assert "7 lists, all as they were published" in capfd.readouterr().out


def upload_wrong_then_right(referee: Visitor) -> None:
    """Every finding at once; the file that replaces it goes on."""
    wrong = PART_1.replace("2025-02-14,22", "14 Feb,22").replace('Givenb",1-0', 'Givenb",2-0', 1)
    upload(referee, "part-1.csv", wrong.encode())
    for found in ("2-0", "14 Feb"):
        assert found in referee.text, found
    referee.open_link("File", nth=0)
    referee.attach(referee.by_id("again"), "part-1.csv", PART_1.encode())
    referee.press("Upload file")


def correct_part_1(referee: Visitor, officer: Visitor) -> None:
    """The referee corrects the first part, which two parts and three lists follow; the officer revises all lists."""
    first = Report.objects.earliest("pk")
    referee.open(reverse("report", args=[first.pk]))
    referee.press("Correct report")
    referee.open_link("File", nth=0)
    content = PART_1.replace('Givenb",1-0', 'Givenb",1/2-1/2', 1)
    referee.attach(referee.by_id("again"), "part-1.csv", content.encode())
    referee.press("Upload file")
    send(referee)
    accept(officer, "League")
    officer.open(f"/office/lists/league/{JULY}/correct/")
    officer.fill("Reason for the correction", "The first game was a draw.")
    officer.check(officer.by_id(f"take-{Report.objects.latest('pk').pk}"))
    officer.press("Calculate revision 2")


def read_pages() -> None:
    """Both parts on the page of the tournament; the games of a part, unfolded, on that of a player."""
    visitor = Visitor()
    visitor.open("/tournaments/2025-league/")
    for text in (
        "5 players, 5 games played", "Division: Second",
        "Part 1, 4 games In the list Toy league, 1 Jul 2025, revision 1",
        "Part 2, 1 game In the list Toy league, 1 Jan 2026, revision 1",
    ):  # fmt: skip
        assert text in visitor.text, text
    visitor.open("/players/league-22/?list=2025-07-01")
    assert visitor.texts(".//*[@class='explanation__score']") == [
        "−4.0000 1 of 3 points, 3 games", "−7.0000 score 0", "−1.0000 score 0", "+4.0000 score 1"
    ]  # fmt: skip
    games = visitor.texts(".//details[@class='explanation explanation--game']/summary")
    assert [game.split("round")[0].strip() for game in games] == [
        "black Familya, Givena", "black Aabel, Ann", "white Dekker, Dion"
    ]  # fmt: skip
    for working in ("10 × (0 − 0.7000000000)", "10 × (0 − 0.1000000000)", "10 × (1 − 0.6000000000)"):
        assert working in visitor.text, working
    assert "1200 −4.0000000000 = 1196.0000000000" in visitor.text
    # The league goes on: a part is in the year in which it counts.
    visitor.open("/players/league-22/tournaments/?year=2025")
    assert visitor.texts(".//*[@class='table__group']") == ["2025"]
    assert "½ of 1" in visitor.text
    # 23 is held: the page names the last list that has the player. Nova has a page, no number and no rating.
    visitor.open("/players/league-23/")
    assert "Toy league 2311 list of 1 Jan 2026, 0, rank 1, 1 game." in visitor.text
    visitor.open(f"/players/office-{Player.objects.get(last_name='Nova van Kometa').numbers['office']}/")
    assert "The federation has not given the player a number yet." in visitor.text


def read_corrected_pages() -> None:
    """Part 1 counts with its new report in the second revision; the revision that it replaces says so."""
    visitor = Visitor()
    visitor.open("/tournaments/2025-league/")
    for text in (
        "Part 1, 4 games In the list Toy league, 1 Jul 2025, revision 2",
        "Part 2, 1 game In the list Toy league, 1 Jan 2026, revision 2",
    ):
        assert text in visitor.text, text
    visitor.open("/players/league-21/?list=2025-07-01")
    assert "1000 +2.0000000000 = 1002.0000000000" in visitor.text
    visitor.open("/lists/league/2025-07-01/r2/differences/")
    for text in (
        "Reason for revision 2 The first game was a draw.", "Later lists are revised in order",
        "1196 1201 −4 → +1", "1007 1002 +7 → +2",
    ):  # fmt: skip
        assert text in visitor.text, text
    visitor.open("/lists/league/2025-07-01/r1/")
    assert "This revision was replaced. Show revision 2" in visitor.text
    assert "Familyb, Givenb NED NED 1196 −4 3" in visitor.text
