"""Derived lists by club and by age of the toy league: memberships are read for a list and stay with it (U21, U24)."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from ratings.models import RatingList
from reporting.models import MembershipTable
from tests.databases import built_on
from tests.toy_games.installed import league_installed

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

HEADER = "id,club,member_from,member_until\n"
# On 1 July 2025 21 and 23 are in club 020032, 22 is in 020041, 24 in none.
MEMBERSHIPS = (
    HEADER
    + "21,020032,2019-09-01,\n23,020032,2025-07-01,\n22,020032,2019-09-01,2025-06-30\n22,020041,2025-07-01,\n"
)


def memberships(folder, table):
    Path(folder, "clubs.csv").write_text(table)
    call_command("import_memberships", str(Path(folder, "clubs.csv")), "--register", "league")


@built_on("empty")
def lists_by_club():
    """The list of 1 July 2025: 21 (1000), 22 (1200), 23 (1100), 24 (900), who did not play."""
    with league_installed(), TemporaryDirectory() as folder:
        register, rows = Path(folder, "register.csv"), Path(folder, "list.csv")
        register.write_text(
            "league_id,last_name,first_name,federation,sex,born\n"
            "21,Familya,Givena,NED,M,1990\n22,Familyb,Givenb,NED,W,2007\n23,Familyc,Givenc,NED,M,2009\n"
            "24,Familyd,Givend,NED,M,\n"
        )
        rows.write_text("league_id,rating,games\n21,1000,30\n22,1200,9\n23,1100,9\n24,900,9\n")
        call_command("import_register", str(register), "--register", "league")
        call_command("import_list", str(rows), "--pool", "league", "--in-force", "2025-01-01")
        memberships(folder, MEMBERSHIPS)
        call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")


@pytest.fixture(name="lists_by_club")
def _lists_by_club(transactional_db, _database_of_its_own):
    """A copy of the database with that list, which is returned."""
    with league_installed():
        yield RatingList.objects.get(system="league", in_force="2025-07-01")


def exported(capfdbinary, form):
    capfdbinary.readouterr()
    call_command("export_list", "league", "--list", form)
    rows = csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode()))
    return [(int(row["rank"]), int(row["league_id"])) for row in rows]


def test_a_list_is_divided_by_the_clubs_of_its_day_and_by_age(lists_by_club, capfdbinary, client):
    clubs = {row.register_number: row.club for row in lists_by_club.rows}
    assert clubs == {21: "020032", 22: "020041", 23: "020032", 24: ""}
    assert exported(capfdbinary, "club:020032") == [(1, 23), (2, 21)]
    # On 31 December 2025 22 is 18 and 23 is 16; the birth of 24 is not known.
    assert exported(capfdbinary, "youth-a") == [(1, 22), (2, 23)]
    assert exported(capfdbinary, "youth-b") == [(1, 23)]
    assert exported(capfdbinary, "youth-c") == []
    with pytest.raises(CommandError, match="unknown_variant"):
        exported(capfdbinary, "club:020099")

    page = client.get("/lists/league/2025-07-01/r1/club:020032/").content.decode()
    assert "Club 020032" in page
    assert "Familyc, Givenc" in page
    assert "Familyb, Givenb" not in page
    official = client.get("/lists/league/2025-07-01/r1/").content.decode()
    assert '<a href="/lists/league/2025-07-01/r1/club:020041/">020041</a>' in official
    assert client.get("/lists/league/2025-07-01/r1/youth-b/").status_code == 200
    for missing in ("club:020099", "club:", "rating:1000", "club:x"):
        assert client.get(f"/lists/league/2025-07-01/r1/{missing}/").status_code == 404
    entries = client.get(
        reverse("api-entries", args=["league", lists_by_club.in_force, 1]), {"variant": "club:020032"}
    ).json()
    assert [row["player"] for row in entries["results"]] == ["league-23", "league-21"]
    embedded = client.get("/embed/lists/league/", {"variant": "club:020041"})
    assert (embedded.status_code, b"Familyb" in embedded.content) == (200, True)


def test_a_club_has_a_page_with_ratings_of_its_members_that_sites_embed(lists_by_club, client, settings):
    settings.OFFICE_URL = "https://office.example"
    page = client.get("/clubs/league-020032/").content.decode()
    assert page.index("Familyc, Givenc") < page.index("Familya, Givena")  # by rating
    assert "Familyb" not in page
    assert 'href="/lists/league/2025-07-01/r1/club:020032/"' in page
    assert "https://office.example/embed/clubs/league-020032/" in page
    embedded = client.get("/embed/clubs/league-020032/")
    assert "Familyc, Givenc" in embedded.text
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    asked = client.get("/oembed/", {"url": "https://office.example/clubs/league-020032/"}).json()
    assert "/embed/clubs/league-020032/" in asked["html"]
    variant = client.get("/lists/league/2025-07-01/r1/club:020032/").text
    assert 'href="/clubs/league-020032/"' in variant
    for missing in ("league-020099", "fmjd-020032", "league-0200320", "league"):
        assert client.get(f"/clubs/{missing}/").status_code == 404


def test_a_list_names_the_table_that_it_read_and_is_verified_later(lists_by_club, capfdbinary, tmp_path):
    table = MembershipTable.objects.get()
    assert lists_by_club.membership_table == table
    read = bytes(lists_by_club.files.get(name="lists-read.csv").content).decode()
    assert f"memberships/league,{table.sha256},memberships\n" in read
    memberships(tmp_path, HEADER + "24,020032,2020-01-01,\n")
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    assert "all as they were published" in capfdbinary.readouterr().out.decode()
