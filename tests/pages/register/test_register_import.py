"""The register comes in by browser: a table is uploaded, its changes are shown, and exactly these are confirmed."""

import io
import re
from datetime import date, timedelta
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from ratings.models import OpeningImport
from reporting.models import LogEntry, PersonalData, Player, PlayerIdentity, RegisterUpload, Role
from reporting.tasks import delete_old_uploads
from tests.people import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

PATH = "/office/players/import/"
HEADER = "fmjd_id,last_name,first_name,federation,sex,born,title\n"
FIRST = "11,Aman,Joel,CIV,M,1990-05-14,MF\n12,Beugre,Ama,CIV,W,1988,\n13,Cisse,Awa,CIV,,,\n"


@pytest.fixture
def administrator() -> Client:
    return logged_in(Role.ADMINISTRATOR, "Ada")


def upload(client: Client, table: str | bytes, **fields: Any) -> Any:
    content = table if isinstance(table, bytes) else (HEADER + table).encode()
    file = SimpleUploadedFile("register.csv", content, content_type="text/csv")
    return client.post(PATH, {"file": file, "register": "fmjd", "on": ""} | fields, follow=True)


def seen(page: Any) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', page.text)
    assert found is not None
    return found[1]


def address(page: Any) -> str:
    return str(page.redirect_chain[-1][0])


def act(client: Client, page: Any, action: str = "import") -> Any:
    return client.post(address(page), {"seen": seen(page), "action": action}, follow=True)


def words(page: Any) -> str:
    """The text of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.text).split())


def counts(page: Any) -> list[str]:
    """New, changed, unchanged."""
    return re.findall(r'class="figures__value">(\d+)<', page.text)


def test_a_table_is_uploaded_checked_and_confirmed(administrator: Client) -> None:
    page = upload(administrator, FIRST)
    assert counts(page) == ["3", "0", "0"]
    assert "Aman, Joel" in page.text
    assert "1990" in page.text
    assert "1990-05-14" not in page.text, "dates of birth are private"
    assert not Player.objects.exists()
    done = act(administrator, page)
    assert "Register imported: 3 players created, 0 updated, 0 unchanged." in done.text
    assert sorted(Player.objects.values_list("numbers__fmjd", flat=True)) == [11, 12, 13]
    assert not RegisterUpload.objects.exists(), "the table has dates of birth"

    page = upload(administrator, FIRST.replace("1990-05-14", "1990-05-15").replace("Awa", "Awa Fatou"))
    assert counts(page) == ["0", "2", "1"]
    assert "First name: Awa → Awa Fatou" in words(page)
    assert "Date of birth: known → changed" in words(page)
    assert "05-1" not in page.text
    done = act(administrator, page)
    assert "0 players created, 2 updated, 1 unchanged." in done.text
    assert PersonalData.objects.get().born.isoformat() == "1990-05-15"
    actions = list(LogEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == [
        "register.upload", "register.import", "register.upload", "player.update", "player.update", "register.import",
    ]  # fmt: skip
    entries = LogEntry.objects.filter(action__startswith="register.").order_by("-pk")
    assert entries[0].after["file_sha256"] == entries[1].after["file_sha256"]
    assert {entry.actor.email for entry in entries} == {"ada.administrator@example.org"}
    assert "1990-05" not in str(list(LogEntry.objects.values_list("before", "after")))


def test_a_new_player_who_looks_like_a_record_is_named_before_the_import(administrator: Client) -> None:
    """A warning only: two persons can have one name. A player of the register and another name are not marked."""
    act(administrator, upload(administrator, FIRST))
    page = upload(administrator, FIRST + "21,Aman,Joel,CIV,M,1990,\n22,Kone,Ali,CIV,M,1990,\n")
    assert counts(page) == ["2", "0", "3"]
    assert "1 new player on this page looks like a player of the register." in words(page)
    assert page.text.count("Possible duplicate:") == 1
    assert '<a href="/office/players/11/">Aman, Joel, 11</a>' in page.text
    assert "the same name; the same year of birth; the same federation" in words(page)
    assert "2 players created, 0 updated, 3 unchanged" in act(administrator, page).text
    assert "Possible duplicate" not in upload(administrator, FIRST + "23,Dia,Bo,SEN,M,1990,\n").text


def test_tables_of_a_person_have_a_limit_of_bytes_a_day(
    administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the register and of opening lists together. The table that reaches it is stored, the next one is not."""
    limit = "reporting.register.services.register_uploads.MOST_MEGABYTES_OF_TABLES_A_DAY"
    monkeypatch.setattr(limit, len(HEADER + FIRST) / 1_000_000)
    upload(administrator, FIRST.replace("Joel", "J"))
    act(administrator, upload(administrator, FIRST))
    before = list(LogEntry.objects.values_list("pk")), RegisterUpload.objects.count()
    refused = upload(administrator, FIRST)
    assert refused.status_code == 409
    assert "You uploaded 0 MB of tables today." in refused.text
    opening = SimpleUploadedFile("opening.csv", b"fmjd_id,rating,games\n11,2000,40\n")
    sent = {"file": opening, "in_force": date(2026, 10, 1).isoformat()}
    refused = administrator.post("/office/pools/fmjd-100/opening/", sent)
    assert refused.status_code == 409
    assert "You uploaded 0 MB of tables today." in refused.text
    assert not OpeningImport.objects.exists()
    assert (list(LogEntry.objects.values_list("pk")), RegisterUpload.objects.count()) == before
    assert counts(upload(logged_in(Role.RATING_OFFICER, "Olga"), FIRST)) == ["0", "0", "3"]
    yesterday = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda: timezone.localtime(yesterday).date())
    assert counts(upload(administrator, FIRST)) == ["0", "0", "3"]


def test_what_was_not_seen_is_not_imported(administrator: Client) -> None:
    """The register changes between the page and the confirmation: the page is shown again, with the new changes."""
    act(administrator, upload(administrator, FIRST))
    page = upload(administrator, FIRST.replace("Joel", "Joseph"))
    Player.objects.filter(numbers__fmjd=11).update(first_name="Jo")
    refused = act(administrator, page)
    assert refused.status_code == 409
    assert "Someone changed the register after you opened this page." in refused.text
    assert "First name: Jo → Joseph" in words(refused)
    assert Player.objects.get(numbers__fmjd=11).first_name == "Jo"
    done = administrator.post(address(page), {"seen": seen(refused), "action": "import"}, follow=True)
    assert "1 updated" in done.text
    # The table is gone: neither a second confirmation nor a discard finds it.
    for action in ("import", "discard"):
        assert administrator.post(address(page), {"seen": "0" * 64, "action": action}).status_code == 404


def test_a_table_is_discarded_replaced_or_deleted_after_a_day(administrator: Client) -> None:
    first = upload(administrator, FIRST)
    assert "register.csv of" in administrator.get(PATH).text
    second = upload(administrator, FIRST + "14,Dia,Bo,SEN,M,,\n")
    assert administrator.get(address(first)).status_code == 404, "another upload replaces it"
    discarded = act(administrator, second, "discard")
    assert "Table discarded. The register did not change." in discarded.text
    assert (RegisterUpload.objects.count(), Player.objects.count()) == (0, 0)
    upload(administrator, FIRST)
    assert delete_old_uploads() == 0
    RegisterUpload.objects.update(uploaded_at=timezone.now() - timedelta(hours=25))
    assert (delete_old_uploads(), RegisterUpload.objects.count()) == (1, 0)


def test_a_table_of_numbers_alone_is_imported_in_the_name_of_who_uploads_it(administrator: Client) -> None:
    """Its first row is written by a composed statement; without a changed player by none."""
    act(administrator, upload(administrator, FIRST))
    for title, answer in (("MI", "1 updated, 1 unchanged"), ("MI", "0 updated, 2 unchanged")):
        page = upload(administrator, f"fmjd_id,title\n11,{title}\n12,\n".encode())
        assert answer in act(administrator, page).text


def test_a_confirmation_that_names_no_page_imports_nothing(administrator: Client) -> None:
    page = upload(administrator, FIRST)
    for sent in ({}, {"action": "import"}, {"action": "import", "seen": "0" * 64}, {"action": "x"}):
        refused = administrator.post(address(page), sent)
        assert (refused.status_code, counts(refused)) == (409, ["3", "0", "0"])
    assert not Player.objects.exists()


def test_only_the_person_who_uploaded_a_table_opens_it(administrator: Client) -> None:
    page = upload(administrator, FIRST)
    other = logged_in(Role.ADMINISTRATOR, "Bo")
    assert other.get(address(page)).status_code == 404
    assert act(administrator, page).status_code == 200
    assert "Check the changes" not in other.get(PATH).text


@pytest.mark.parametrize(("table", "line", "column", "expected"), [
    (HEADER.encode() + b"11,Aman,Joel,XXX,M,,\n", "2", "federation", "XXX"),
    (HEADER.encode() + b"11,Aman,Joel,CIV,M,,\n\n11,Cisse,Awa,CIV,,,\n", "4", "fmjd_id", "11"),
    (b"PK\x03\x04\x14\x00\xff\xfe", "1", "", "an XLSX file"),
    (HEADER.encode(), "1", "", ""),
])  # fmt: skip
def test_a_table_with_errors_shows_line_column_found_and_expected(
    administrator: Client, table: bytes, line: str, column: str, expected: str
) -> None:
    refused = upload(administrator, table)
    assert refused.status_code == 409
    assert "The table has errors." in refused.text
    rows = re.findall(r'<tr>\s*<td class="table__num">(.+?)</td>\s*<td class="table__wide">(.*?)</td>(.+?)</tr>',
                      refused.text, re.DOTALL)  # fmt: skip
    assert any(found[0] == line and column in found[1] and expected in found[2] for found in rows), rows
    assert not RegisterUpload.objects.exists()
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(("fields", "words"), [
    ({"file": ""}, "Choose a file."),
    ({"file": SimpleUploadedFile("empty.csv", b"")}, "This file is empty."),
    ({"register": "national"}, "“national” is not offered here."),
    ({"on": "soon"}, "“soon” is no day. Enter one that exists, for example 14 Nov 2026."),
])  # fmt: skip
def test_a_form_with_errors_is_shown_again(administrator: Client, fields: dict[str, Any], words: str) -> None:
    refused = upload(administrator, FIRST, **fields)
    assert refused.status_code == 400
    assert words in refused.text
    assert not RegisterUpload.objects.exists()


def test_numbers_of_another_register_and_a_day_of_change(administrator: Client) -> None:
    """Players of the KNSB come with KNSB numbers; a day to come is refused."""
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert upload(administrator, FIRST, on=tomorrow.isoformat()).status_code == 409
    table = "id,last_name,first_name,federation,sex,born\n4711,Kuil,Ben,NED,M,1970\n"
    page = upload(administrator, table.encode(), register="knsb", on="2026-03-03")
    assert "KNSB number" in page.text
    act(administrator, page)
    assert Player.objects.get().numbers == {"knsb": 4711}
    assert LogEntry.objects.get(action="register.import").after["changed_on"] == "2026-03-03"


# --- numbers of other registers


def numbers_of(fmjd_id: int) -> dict[str, Any]:
    numbers: dict[str, Any] = Player.objects.get(numbers__fmjd=fmjd_id).numbers
    return numbers


def refused_cells(page: Any) -> list[tuple[str, str]]:
    """Line and column of each finding on the page."""
    return re.findall(
        r'<td class="table__num">(\d+)</td>\s*<td class="table__wide"><code>(.*?)</code></td>', page.text
    )


def test_numbers_of_other_registers_are_given_changed_and_taken_away(administrator: Client) -> None:
    act(administrator, upload(administrator, FIRST))
    table = b"fmjd_id,iccf,fide,national\n11,4711,1000001,CI-07\n12,,1000002,CI-08\n13,4713,1000003,\n"
    page = upload(administrator, table)
    assert counts(page) == ["0", "3", "0"]
    assert "ICCF number: none → 4711" in words(page)
    assert "National number: none → CI-07" in words(page)
    act(administrator, page)
    assert numbers_of(11) == {"fmjd": 11, "iccf": 4711, "fide": 1000001, "national": "CI-07"}
    entry = LogEntry.objects.get(subject="player fmjd 13")
    assert entry.before == {"iccf": "", "fide": ""}
    assert entry.after == {"iccf": "4713", "fide": "1000003"}

    # 1000001 moves from 11 to 13; 12 loses a number and gets another one. An empty cell changes nothing.
    page = upload(administrator, b"id,fide_id,national\n11,-,\n12,1000004,-\n13,1000001,\n")
    assert counts(page) == ["0", "3", "0"]
    for change in (
        "FIDE number: 1000001 → none", "FIDE number: 1000003 → 1000001", "National number: CI-08 → none",
    ):  # fmt: skip
        assert change in words(page)
    act(administrator, page)
    assert [numbers_of(number).get("fide") for number in (11, 12, 13)] == [None, 1000004, 1000001]
    assert [numbers_of(number).get("national") for number in (11, 12, 13)] == ["CI-07", None, None]

    refused = upload(administrator, b"fmjd_id,iccf,fide\n12,4713,x\n99,4799,\n11,,1000009\n13,,1000009\n")
    assert refused.status_code == 409
    assert refused_cells(refused) == [("2", "fide")]
    assert "This is not a number of this register." in refused.text
    refused = upload(administrator, b"fmjd_id,iccf,fide\n12,4713,\n99,4799,\n11,,1000009\n13,,1000009\n")
    assert refused_cells(refused) == [("2", "iccf"), ("3", "fmjd_id"), ("5", "fide")]
    assert "Another player has this number: 13 " in refused.text
    assert "No player has this FMJD-ID." in refused.text

    # A number that lists print stays, in whichever column it is.
    refused = upload(administrator, b"fmjd_id,iccf\n11,-\n13,4714\n")
    assert refused_cells(refused) == [("2", "iccf"), ("3", "iccf")]
    assert {finding.code for finding in refused.context["refusal"].findings} == {"number-kept"}
    refused = upload(administrator, b"iccf,fmjd_id,fide\n4711,14,\n4713,-,\n", register="iccf")
    assert refused_cells(refused) == [("2", "fmjd"), ("3", "fmjd")]
    assert {finding.code for finding in refused.context["refusal"].findings} == {"number-kept"}


def test_a_number_that_another_player_gets_before_the_confirmation_is_refused(administrator: Client) -> None:
    act(administrator, upload(administrator, FIRST))
    page = upload(administrator, b"fmjd_id,knsb\n11,4711\n")
    other = Player.objects.get(numbers__fmjd=12)
    PlayerIdentity.objects.create(player=other, register="knsb", number="4711")
    refused = act(administrator, page)
    assert (refused.status_code, refused_cells(refused)) == (409, [("2", "knsb")])
    assert administrator.get(address(page)).status_code == 409
    assert "knsb" not in numbers_of(11)


def test_an_export_of_the_register_comes_back_without_a_change(administrator: Client) -> None:
    """Also a player whose only number is another register's, and as XLSX with numbers as numbers and days as days."""
    act(administrator, upload(administrator, FIRST))
    act(administrator, upload(administrator, b"id,knsb,national\n11,4711,007\n12,11,\n"))
    knsb = b"id,last_name,first_name,federation,sex,born\n12,Kuil,Ben,NED,M,1970\n"
    act(administrator, upload(administrator, knsb, register="knsb"))
    officer = logged_in(Role.RATING_OFFICER, "Olga")
    export = officer.get("/office/players/register.csv").content
    assert export.count(b"\n") == 5
    page = upload(officer, export)
    assert (counts(page), "The register already has these values." in page.text) == (["0", "0", "4"], True)

    book = openpyxl.Workbook()
    header, *rows = [line.split(",") for line in export.decode().splitlines()]
    book.active.append(header)
    for row in rows:
        book.active.append([int(cell) if cell.isdigit() and cell != "007" else cell for cell in row])
    book.active.append([14, "Dia", "Bo", "SEN", "M", date(1994, 5, 2)])
    written = io.BytesIO()
    book.save(written)
    page = upload(officer, written.getvalue())
    assert counts(page) == ["1", "0", "4"]
    act(officer, page)
    assert PersonalData.objects.get(player__numbers__fmjd=14).born == date(1994, 5, 2)

    book.active["B3"] = '="Am"&"an"'
    book.active["Q4"] = "x"
    written = io.BytesIO()
    book.save(written)
    refused = upload(officer, written.getvalue())
    assert refused_cells(refused) == [("3", "B3"), ("4", "Q4")]
    book.create_sheet("More").append(["x"])
    written = io.BytesIO()
    book.save(written)
    assert "More than one sheet has content." in upload(officer, written.getvalue()).text
