"""The memberships of clubs: a whole table in place of the one before, by command and by page (U21)."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import ClubMembership, LogEntry, MembershipTable, Role
from reporting.register.memberships import clubs_on, newest_table
from reporting.register.services.import_memberships import import_memberships
from reporting.register.services.import_register import import_register
from reporting.rules.register.registers import register_by_code
from tests.people import client_of, create_user
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

HEADER = "id,club,member_from,member_until\n"
TABLE = f"""{HEADER}8000123,020032,2019-09-01,2024-09-30
8000123,020041,2024-10-01,
8000124,020032,2023-01-01,
"""


@pytest.fixture
def knsb():
    return register_by_code("knsb")


@pytest.fixture
def officer():
    by = Actor(create_user("o@example.org", "Olga Office", roles=[Role.RATING_OFFICER]))
    people = "id,last_name,first_name,federation,sex,born\n8000123,Bosma,Piet,NED,M,1980\n8000124,Nova,Kometa,NED,W,\n"
    import_register(content=people.encode(), register="knsb", by=by)
    return by


def imported(by, table=TABLE):
    file = {"content": table.encode(), "filename": "clubs.csv"}
    return import_memberships(**file, register=register_by_code("knsb"), by=by)


def members(table, day):
    clubs = ClubMembership.objects.filter(table=table).select_related("player")
    names = {one.player_id: one.player.last_name for one in clubs}
    return {names[player]: club for player, club in clubs_on(table, day).items()}


def test_the_newest_table_says_who_is_in_which_club_on_a_day(officer, knsb):
    assert newest_table(knsb) is None
    done = imported(officer)
    assert (done.lines, done.players, done.already_there) == (3, 2, False)
    assert newest_table(knsb) == done.table
    assert members(done.table, date(2024, 9, 30)) == {"Bosma": "020032", "Nova": "020032"}  # the last day too
    assert members(done.table, date(2024, 10, 1)) == {"Bosma": "020041", "Nova": "020032"}
    assert members(done.table, date(2019, 8, 31)) == {}
    assert imported(officer).already_there
    second = imported(officer, HEADER + "8000124,020050,2025-01-01,2025-12-31\n")
    assert newest_table(knsb) == second.table
    assert members(second.table, date(2025, 6, 1)) == {"Nova": "020050"}
    # For lists of then.
    assert members(done.table, date(2024, 10, 1)) == {"Bosma": "020041", "Nova": "020032"}
    assert [entry.after["lines"] for entry in LogEntry.objects.filter(action="memberships.import")] == [3, 1]


FAULTY = """8000999,020032,2023-01-01,
8000123,20032,2019-09-01,
8000123,020032,,2024-09-30
8000123,020032,2024-09-30,2019-09-01
8000124,020032,2023-01-01,2024-09-30
8000124,020041,2024-09-30,
8000124,020041,2025-13-01,
,020041,2025-01-01,
8000124,020041,1899-12-31,1900-01-01
"""


def test_every_faulty_line_is_named_at_once_and_nothing_is_stored(officer, knsb):
    refused = refusal(imported, officer, HEADER + FAULTY)
    assert [(found.line, found.field, found.key) for found in refused.findings] == [
        (2, "id", "fmjd-id-unknown.membership"),
        (3, "club", "club-unreadable"),
        (4, "member_from", "membership-day-missing"),
        (5, "member_until", "membership-reversed"),
        (7, "member_from", "membership-overlaps"),
        (8, "member_from", "date-unreadable.csv"),
        (9, "id", "id-missing"),
        (10, "member_from", "membership-day-outside"),
    ]
    assert "club 020032" in refused.findings[4].message
    assert not MembershipTable.objects.exists()
    for table, key in ((HEADER, "table-empty.memberships"), ("id,club\n1,020032\n", "column-missing.csv")):
        assert refusal(imported, officer, table).findings[0].key == key


def test_the_command_imports_or_prints_the_findings(officer, tmp_path, capsys):
    path = tmp_path / "clubs.csv"
    path.write_text(TABLE)
    call_command("import_memberships", str(path), "--register", "knsb")
    call_command("import_memberships", str(path), "--register", "knsb")
    assert capsys.readouterr().out.splitlines() == [
        "3 memberships of 2 players imported.",
        "Already there: 3 memberships of 2 players.",
    ]
    path.write_text(HEADER + FAULTY)
    with pytest.raises(CommandError, match="register_refused"):
        call_command("import_memberships", str(path), "--register", "knsb")
    assert newest_table(register_by_code("knsb")).lines.count() == 3


def test_the_page_imports_shows_the_members_of_a_day_and_names_faults(officer):
    browser, page = client_of(officer.user), reverse("office-memberships")
    assert "every player counts as a member" in browser.get(page).content.decode()

    def send(table):
        file = SimpleUploadedFile("clubs.csv", table.encode())
        return browser.post(page, {"file": file, "register": "knsb"}, follow=True)

    refused = send(HEADER + FAULTY)
    assert refused.status_code == 409
    assert "six digits, for example 020032" in refused.content.decode()
    assert "3 memberships of 2 players" in send(TABLE).content.decode()
    shown = browser.get(page, {"day": "30 Sep 2024", "club": "020032"}).content.decode()
    assert "Bosma, Piet" in shown
    assert "Nova, Kometa" in shown
    shown = browser.get(page, {"day": "2024-10-01", "q": "bosma"}).content.decode()
    assert "020041" in shown
    assert "Nova, Kometa" not in shown
    assert "Bosma, Piet" in browser.get(page, {"q": "8000123"}).content.decode()
    for odd in ({"day": "yesterday", "club": "x", "q": "\x00", "register": "none"}, {"q": "9" * 80}):
        assert browser.get(page, odd).status_code == 200
    assert client_of(create_user("r@example.org", "R", roles=[Role.REFEREE])).get(page).status_code == 403
