"""The story of an ICCF list by page: a director's table with errors, then as CSV and XLSX, to an explained rating.

The tournament and its figures are those of tests/flows/test_iccf.py, by hand.
"""

import csv
import io

import openpyxl
import pytest
from django.core.management import call_command

from ratings.tasks import look_for_work
from reporting.models import Role
from tests.flows.test_iccf import HEADER, PART_1, PART_2, line, newest, opened, run  # noqa: F401 (fixture)
from tests.flows.test_knsb import ratings
from tests.flows.test_knsb_story import accept, read, upload
from tests.flows.test_toy_federation import answer_anomalies, logged_in
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),  # a calculation is a transaction of its own
    pytest.mark.usefixtures("cleared_rate_limits"),
]

WRONG = (*PART_1[:2], (1, "2026-02-21", 2, 5, "1-0", "", 5), (1, "2026-01-06", 4, 7, "won"))


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def give_details(director, part, received):
    director.open_link("Details", nth=0)
    director.choose("Rating system", "iccf")
    director.press("Save details")
    for name, value in {
        "name": "Team", "part": str(part), "played_from": "2025-09-15", "received": received,
    }.items():  # fmt: skip
        director.fill(director.by_id(f"id_{name}"), value)
    director.choose(director.by_id("id_kind"), "master-class")


def submit(director):
    director.open_link("Submission", nth=0)
    director.press("Submit report")
    read(director, "Report submitted.")


def test_a_directors_table_goes_from_its_errors_to_an_explained_rating(opened):  # noqa: F811
    director, officer = logged_in("Dina", Role.REFEREE), logged_in("Olga", Role.RATING_OFFICER)
    upload(director, "team.csv", (HEADER + "".join(line(*game) for game in WRONG)).encode())
    read(director, "“won” in line 5")
    give_details(director, 1, "2026-02-20")
    director.press("Save details")
    director.open_link("File", nth=0)
    read(
        director,
        "The substitute and the player replaced are the same player.",
        "This day is after 20 Feb 2026, the day by which the results were reported.",
    )
    director.attach(
        director.by_id("again"), "team.csv", (HEADER + "".join(line(*game) for game in PART_1)).encode()
    )
    director.press("Upload file")
    read(director, "No errors, no warnings.")
    submit(director)
    officer.open("/office/reports/")
    officer.open_link("Team")
    read(officer, "1 Apr 2026", "by 20 Feb 2026. That is the day of the report.", "R93a")
    read(officer, "Each game has the ratings of the list in force on the day it began")
    accept(officer, "Team")
    run("2026-04-01")
    upload(
        director,
        "team.xlsx",
        workbook(*(next(csv.reader([text])) for text in [HEADER, *(line(*game) for game in PART_2)])),
    )
    give_details(director, 2, "2026-05-31")
    director.press("Save details")
    submit(director)
    accept(officer, "Team")
    call_command("run_period", "iccf", "--in-force", "2026-07-01", "--draft")
    look_for_work()
    answer_anomalies(officer, "/office/lists/iccf/2026-07-01/")
    assert officer.link("iccf-2009").get("href") == "/method/iccf/"
    officer.open_link("Approve list")
    officer.press("Approve list")
    releaser = logged_in("Rolf", Role.RELEASING_OFFICER)
    releaser.open("/office/lists/iccf/2026-07-01/")
    releaser.open_link("Publish list")
    releaser.press("Publish list")
    assert ratings(newest("2026-07-01")) == {1: 2206, 2: 2285, 3: 2101, 4: 1904, 5: 1971, 6: 1537, 7: 1883}
    read_pages(Visitor())


def read_pages(visitor):
    """The list with its filter, statistics by country, the table by opponents, and the sum of a rating."""
    visitor.open("/lists/iccf/2026-07-01/r1/")
    read(visitor, "910001", "not fixed")
    visitor.open("/lists/iccf/2026-07-01/r1/?status=not+fixed")
    read(visitor, "2 players", "Lund, Ole", "Aas, Per")
    visitor.open("/lists/iccf/2026-07-01/r1/statistics/")
    read(
        visitor, "Federation Players Not fixed Fixed Games in the period DEN 2 0 2 2 NOR 3 2 1 2 SWE 2 0 2 2"
    )
    visitor.open("/tournaments/2025-team/crosstable/")
    read(
        visitor,
        "Vik, Siv played for Holm, Eva against Sund, Leo.",
        "part 1 counted in the list of 1 Apr 2026; part 2 counted in the list of 1 Jul 2026.",
    )
    visitor.open("/players/iccf-910001/?pool=iccf&list=2026-07-01")
    read(visitor, "16.8435", "2206")
