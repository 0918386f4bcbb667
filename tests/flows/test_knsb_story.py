"""The story of a KNSB list by page: a wrong and a right league file, memberships, FIDE, a bonus, an explained game.

By hand, by articles 3, 7 and 9. The opening list of 1 January has Bos 1600 (N_v 80), Claes 1500 (16 years old, N_v 29),
Rook 1400 (N_v 1), Smit 1400 (N_v 80) and Vos 1700 (N_v 80), who left the club before the list. Φ(100) = 0.6368306512.

    Bos beats Vos 1700         25 × (1 − 0.3631693488)             + 15.92076628
    Bos draws with Claes       25 / 2 × (0.5 − 0.6368306512)       −  1.71038314
                               1614.21038314: 1614, N_v 82; Gast has no rating: no game (6.1)
    Claes draws with Bos       216 / √29 = 40.110193 × 0.1368306512 = + 5.48830…
                               and a bonus of 25: 1530.488…: 1530; the forfeit is no game
    Rook beats Smit four times 4 × 216 × 0.5 = + 432; the LPR is 1766.158, so no more than 1786.158 (R82a): 1786
    Smit loses four times      − 4 × 25 × 0.5: 1350
    Vos loses to Bos           − 15.92076628: 1684, held
"""

from pathlib import Path

import pytest
from django.core.management import call_command

from ratings.models import RatingList
from ratings.tasks import look_for_work
from reporting.models import Player, Role
from tests.flows.test_toy_federation import answer_anomalies, logged_in
from tests.formats.source_files import source_text
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),  # a calculation is a transaction of its own
    pytest.mark.usefixtures("cleared_rate_limits"),
]

REGISTER = """knsb_id,last_name,first_name,federation,sex,born,title,fide
8000001,Bos,Bram,NED,M,1985,,1000001
8000002,Claes,Cas,NED,M,2010,,
8000003,Rook,Roos,NED,W,1990,,
8000004,Smit,Sjef,NED,M,1980,,
8000005,Vos,Vera,NED,W,1991,,
"""
OPENING = """id,rating,games,last_game,n_v
8000001,1600,80,2025-12-01,
8000002,1500,29,2025-12-01,
8000003,1400,6,2025-12-01,1
8000004,1400,80,2025-12-01,
8000005,1700,80,2025-12-01,
"""
HEADER = "round,date,white_id,white_name,black_id,black_name,result\n"
WRONG = f"""{HEADER}1,2026-02-06,8000001,"Bos, Bram",8000005,"Vos, Vera",won
1,soon,8000003,"Rook, Roos",8000004,"Smit, Sjef",1-0
2,2026-02-13,8009999,"Smit, Sjef",8000003,"Rook, Roos",0-1
3,2026-02-20,8000003,"Rook, Roos",,,1-0
3,2026-02-20,8000001,"Bosch, Bert",8000002,"Claes, Cas",1-0
"""
RIGHT = f"""{HEADER}1,2026-02-06,8000001,"Bos, Bram",8000005,"Vos, Vera",1-0
1,2026-02-06,8000003,"Rook, Roos",8000004,"Smit, Sjef",1-0
2,2026-02-13,8000004,"Smit, Sjef",8000003,"Rook, Roos",0-1
2,2026-02-13,8000001,"Bos, Bram",8000002,"Claes, Cas",1/2-1/2
3,2026-02-20,8000003,"Rook, Roos",8000004,"Smit, Sjef",1-0
3,2026-02-20,,"Gast, Gerrit",8000001,"Bos, Bram",1-0
4,2026-02-27,8000004,"Smit, Sjef",8000003,"Rook, Roos",0-1
4,2026-02-27,,"Gast, Gerrit",8000002,"Claes, Cas",+:-
"""
MEMBERS = "id,club,member_from,member_until\n"
WRONG_MEMBERS = f"""{MEMBERS}8000001,020032,2019-09-01,
8000001,020032,2020-09-01,
8000002,020032,2020-09-01,2019-01-01
8009999,020032,2020-09-01,
"""
RIGHT_MEMBERS = f"""{MEMBERS}8000001,020032,2019-09-01,
8000002,020032,2020-09-01,
8000003,020032,2020-09-01,
8000004,020041,2020-09-01,
8000005,020041,2020-09-01,2024-09-30
"""
FIDE = source_text(
    {
        "ID Number": 1000001, "Name": "Bos, Bram", "Fed": "NED", "Sex": "M", "Tit": "FM", "SRtng": 1650, "SGm": 0,
        "SK": 20, "RRtng": 0, "RGm": 0, "Rk": 0, "BRtng": 0, "BGm": 0, "BK": 0, "B-day": 1985,
    }
)  # fmt: skip
MARCH = "2026-03-01"
DRAFT = f"/office/lists/knsb-klassiek/{MARCH}/"


def read(visitor: Visitor, *texts: str) -> None:
    """The page says all of it."""
    assert [text for text in texts if text not in visitor.text] == []


def upload(referee: Visitor, filename: str, content: bytes) -> None:
    referee.open("/reports/new/")
    referee.attach("Report file", filename, content)
    referee.press("Upload report")


def accept(officer: Visitor, name: str) -> None:
    """From the inbox."""
    officer.open("/office/reports/")
    officer.open_link(name)
    officer.press("Accept report")
    assert "Report accepted" in officer.text


def test_a_league_file_goes_from_its_errors_to_a_published_list_and_an_explained_game(tmp_path: Path) -> None:
    for name, table in (("register.csv", REGISTER), ("opening.csv", OPENING)):
        (tmp_path / name).write_text(table)
    call_command("import_register", str(tmp_path / "register.csv"), "--register", "knsb")
    opening = ("--pool", "knsb-klassiek", "--in-force", "2026-01-01")
    call_command("import_list", str(tmp_path / "opening.csv"), *opening)
    officer = logged_in("Olga", Role.RATING_OFFICER)
    submit_league(logged_in("Rina", Role.REFEREE))
    accept(officer, "League of the South")
    read(officer, "1: 1–2 – 1-0", "2: 1–5 – ½-½")  # what the right file changed
    # Nothing of a KNSB tournament is decided by the federation.
    assert "Decided by the federation" not in officer.text
    import_tables(officer)
    open_period(officer)
    officer.open(f"{DRAFT}freeze/")
    officer.fill("Reason", "The closing date is over.")
    officer.press("Freeze period")
    assert look_for_work() >= 1
    read_draft_and_sign(officer)
    listed = RatingList.objects.get(in_force=MARCH, state="published")
    assert [(row.register_number % 10, row.rating, row.n_v) for row in listed.rows.order_by("-rating")] == [
        (3, 1786, 5), (1, 1614, 82), (2, 1530, 30), (4, 1350, 84)
    ]  # fmt: skip
    read_pages(Visitor())


def submit_league(referee: Visitor) -> None:
    """Every error of the file at once; then part 2 without a part 1 and rapid; then what was played."""
    upload(referee, "league.csv", WRONG.encode())
    read(
        referee, "“won” in line 2", "The date cannot be read.", "The player has no name.", "Found: Bosch, Bert.",
    )  # fmt: skip
    referee.open_link("Details", nth=0)
    referee.choose("Rating system", "knsb")
    referee.press("Save details")
    # The regulations of the KNSB set no day to announce and none to report, also while details are missing.
    read(referee, "Not announced here. No announcement is required.")
    details = {
        "name": "League of the South", "part": "2", "played_from": "2026-02-06", "played_to": "2026-06-30",
        "time_control": "15+10", "place": "Breda", "country": "NED",
    }  # fmt: skip
    for name, value in details.items():
        referee.fill(referee.by_id(f"id_{name}"), value)
    referee.press("Save details", status=409)
    read(referee, "KNSB rapid 15 min", "Submit part 1 first, or correct the number of the part or the name.")
    assert "due" not in referee.text
    referee.open_link("People", nth=0)
    read(referee, "1 player to identify")
    referee.open_link("File", nth=0)
    assert not referee.links("Forecast of norms")
    referee.open_link("Details", nth=0)
    referee.fill(referee.by_id("id_part"), "1")
    referee.fill(referee.by_id("id_time_control"), "90+30")
    referee.press("Save details")
    read(referee, "KNSB klassiek 90 min")
    referee.open_link("File", nth=0)
    referee.attach(referee.by_id("again"), "league.csv", RIGHT.encode())
    referee.press("Upload file")
    read(referee, "No errors, no warnings.")
    referee.open("/reports/")
    read(referee, "League of the South")
    assert "7 Jul 2026" not in referee.text  # a week after the last day, as for the FMJD
    referee.open_link("League of the South")
    referee.open_link("Submission", nth=0)
    referee.press("Submit report")
    read(referee, "Report submitted.")


def import_tables(officer: Visitor) -> None:
    """Memberships and a list of FIDE, each with errors first."""
    for content, status, texts in (
        (
            WRONG_MEMBERS, 409,
            (
                "is also in club 020032 on some of these days", "The membership ends before it begins.",
                "No player has this KNSB number.",
            ),
        ),
        (RIGHT_MEMBERS, 200, ("Table imported: 5 memberships of 5 players.",)),
    ):  # fmt: skip
        officer.open("/office/memberships/")
        officer.attach("Table", "members.csv", content.encode())
        officer.press("Import memberships", status=status)
        read(officer, *texts)
    for content, text in (
        (FIDE[:-30], "The line does not end where its columns end."),
        (FIDE, "1 Feb 2026 Standard 1 1 fide.txt"),
    ):
        officer.open("/office/sources/")
        officer.fill("In force from", "2026-02-01")
        officer.attach("File", "fide.txt", content)
        officer.press("Upload list")
        look_for_work()
        officer.open("/office/sources/")
        read(officer, text)


def open_period(officer: Visitor) -> None:
    """What the list would count, and whom a bonus raises by how much."""
    officer.open("/office/pools/knsb-klassiek/dates/")
    read(officer, "Proposed is the list of the first of next month.")
    officer.fill("Closing date", "2026-02-28")
    officer.fill("In force from", MARCH)
    officer.press("Show what counts")
    read(officer, "would count now 1", "FIDE, Standard 1 Feb 2026")
    officer.press("Open period")
    officer.open(f"{DRAFT}values/")
    officer.fill("Values", "age,points\n16,-25\n16,500\n")
    officer.press("Save values", status=409)
    read(officer, "points: -25", "An earlier line already has this value.", "points: 500")
    read(officer, "Nothing was stored. Correct the errors and try again.")  # they were typed, not uploaded
    officer.fill("Values", "age,points\n16,25\n")
    officer.press("Preview ratings")
    read(officer, "1 player, +25 points", "Claes, Cas 2010 1505 1530 +25")
    officer.press("Save values")


def read_draft_and_sign(officer: Visitor) -> None:
    """A change over 150 points is the one anomaly; the held player is shown to the office."""
    answer_anomalies(officer, DRAFT, "Roos Rook gains 386 points", "Vos, Vera 8000005 1684 81")
    held = ".//div[@class='table-scroll'][@role='region'][@tabindex='0']//th[@scope='row']"
    assert officer.texts(held) == ["Vos, Vera"]  # wider than a phone
    officer.open_link("Approve list")
    officer.press("Approve list")
    releaser = logged_in("Rolf", Role.RELEASING_OFFICER)
    releaser.open(DRAFT)
    releaser.open_link("Publish list")
    releaser.press("Publish list")


def read_pages(visitor: Visitor) -> None:
    """A game with its figures, the limit and the bonus; the guest waits, the held player has no new figure."""
    visitor.open("/players/knsb-8000001/?pool=knsb-klassiek")
    read(
        visitor,
        "k = 25 / 2; no youth player, N_v 75 or more; rating up to 2100; halved, because the score",
        "We = Φ(1600 − 1500) 0.6368306512",
        "Rt = (0.5 − 0.6368306512) × 12.5 −1.7103831400",
        "1600 +14.2103831400 = 1614.21038314",
    )  # fmt: skip
    visitor.open("/players/knsb-8000003/?pool=knsb-klassiek")
    read(visitor, "5 × Φ(LPR − 1400) = 4.5", "1832 → 1786.158", "art. 9.2.1")
    visitor.open("/players/knsb-8000002/?pool=knsb-klassiek")
    read(
        visitor,
        "k = 216 / √29; N_v below 30 40.110193",
        "Bonus for youth Rb; up to 1750 +25.0000",
        "not played",
    )
    guest = Player.objects.get(last_name__startswith="Gast")
    visitor.open(f"/players/office-{guest.numbers['office']}/")
    read(visitor, "Waiting games 1", "3 Bos, Bram 1 20 Feb 2028")
    visitor.open("/players/knsb-8000005/")
    assert "Ratings in force" not in visitor.text  # held: the newest one is of an earlier list
    for address in (
        "/players/knsb-8000005/", "/lists/knsb-klassiek/", f"/lists/knsb-klassiek/{MARCH}/r1/club:020041/",
        "/tournaments/2026-league-of-the-south/changes/",
    ):  # fmt: skip
        visitor.open(address)
        assert "1684" not in visitor.text, address
