"""Lists of sources and values of a list in the browser: upload, worker, what is refused, what both signatures show."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from ratings.models import ListValues, RatingList, SourceImport, SourceImportPart, SourceList
from ratings.production.calculate import MAX_ATTEMPTS
from ratings.production.imports.requested_source import players_read
from ratings.tasks import look_for_work
from reporting.models import LogEntry, Role
from tests.flows.test_sources import _reports  # noqa: F401 (fixtures)
from tests.flows.test_toy_games import league  # noqa: F401 (fixtures)
from tests.formats.source_files import AYO, BOS, OF_ONE_KIND, PLAYERS, source_text, zipped
from tests.people import logged_in

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/office/sources/"
DAY = "2025-06-01"
VALUES = "/office/lists/league/2025-07-01/values/"


def upload(client: Client, content: bytes, **fields: str) -> Any:
    file = SimpleUploadedFile("list.zip", content)
    sent = {"source": "fide", "in_force": DAY, "kind": "", "file": file}
    return client.post(PATH, sent | fields, follow=True)


@pytest.mark.usefixtures("league")
def test_a_file_is_uploaded_in_parts_and_the_worker_imports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.production.imports.requested_source.PART_BYTES", 100)
    administrator = logged_in(Role.ADMINISTRATOR)
    content = zipped(source_text(*PLAYERS))
    page = upload(administrator, content)
    assert "The worker imports list.zip." in page.text
    assert SourceImportPart.objects.count() == -(-len(content) // 100)
    fragment = administrator.get(PATH, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="progress")
    assert ("<html" in fragment.text, "HX-Reselect" in fragment) == (False, False)
    waiting = SourceImport.objects.get()
    assert (look_for_work(), look_for_work()) == (1, 0)
    assert players_read(waiting) == 3
    ended = administrator.get(PATH, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="progress")
    assert ended["HX-Reselect"] == "#main"
    assert "The file is imported." in ended.text
    assert not SourceImport.objects.exists()
    page = administrator.get(PATH)
    assert page.text.count("list.zip") == 3
    assert [kind in page.text for kind in ("Standard", "Rapid", "Blitz")] == [True] * 3
    assert list(LogEntry.objects.filter(action__startswith="source").values_list("action", flat=True)) == [
        "source.upload", "source.import",
    ]  # fmt: skip
    stored = SourceList.objects.order_by("pk").first()
    assert stored is not None
    answer = Client().get("/api/v1/sources/").json()
    assert answer[0] | {"imported_at": ""} == {
        "source": "fide", "in_force": DAY, "kind": "blitz", "players": 1, "sha256": stored.sha256, "imported_at": "",
    }  # fmt: skip


@pytest.mark.usefixtures("league")
def test_a_file_that_is_refused_shows_why_until_another_comes() -> None:
    officer = logged_in(Role.RATING_OFFICER)
    upload(officer, source_text(AYO | {"SRtng": "2x10"}, BOS, BOS))
    assert look_for_work() == 0
    page = officer.get(PATH)
    assert "list.zip was not imported." in page.text
    assert "The file has errors." in page.text
    assert "2x10" in page.text
    assert "An earlier line already has this number." in page.text
    assert not SourceList.objects.exists()
    upload(officer, source_text(AYO, columns=OF_ONE_KIND), kind="rapid")
    assert look_for_work() == 1
    assert SourceList.objects.get().kind == "rapid"


@pytest.mark.usefixtures("league")
def test_a_file_that_cannot_be_imported_waits_no_more_after_five_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(**_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("ratings.production.imports.requested_source.import_source", broken)
    officer = logged_in(Role.RATING_OFFICER)
    upload(officer, source_text(*PLAYERS))
    for _ in range(MAX_ATTEMPTS + 2):
        look_for_work()
    assert SourceImport.objects.get().attempts == MAX_ATTEMPTS
    assert "The worker could not import this file." in officer.get(PATH).text


@pytest.mark.usefixtures("league")
def test_what_is_no_file_of_a_source_comes_back_with_what_was_typed() -> None:
    officer = logged_in(Role.RATING_OFFICER)
    page = officer.post(PATH, {"source": "uscf", "in_force": "2025-13-01", "kind": "fast"})
    assert page.status_code == 400
    assert 'value="2025-13-01"' in page.text
    assert not SourceImport.objects.exists()
    page = upload(officer, b"x", in_force="2098-01-01")
    assert page.status_code == 409
    assert "No list comes into force on 1 Jan 2098." in page.text
    assert upload(logged_in(Role.RELEASING_OFFICER), b"x").status_code == 403


@pytest.mark.usefixtures("reports")
def test_the_officer_sets_the_values_of_a_list_that_both_signatures_show() -> None:
    officer = logged_in(Role.RATING_OFFICER)
    page = officer.get(VALUES)
    assert "born,rating" in page.text, "the header of the table, with no period yet"
    wrong = officer.post(VALUES, {"table": "born,rating\r\n2010,11oo\r\n2010,1200\r\n", "shown": shown(page)})
    assert wrong.status_code == 409
    assert "2010,11oo" in wrong.text, "nothing typed is lost"
    assert "An earlier line already has this value." in wrong.text
    assert "The value is not a number from 100 to 3000." in wrong.text
    saved = officer.post(VALUES, {"table": "born,rating\r\n2010,1100\r\n", "shown": shown(page)}, follow=True)
    assert "Values saved." in saved.text
    assert ListValues.objects.get().rows == [[2010, 1100]]
    stale = officer.post(VALUES, {"table": "born,rating\r\n2010,1300\r\n", "shown": shown(page)})
    assert stale.status_code == 409, "somebody else has changed them"
    assert logged_in(Role.RELEASING_OFFICER).post(VALUES, {"table": ""}).status_code == 403
    assert officer.get("/office/lists/fmjd-64/2025-07-01/values/").status_code == 404

    upload(officer, source_text(*PLAYERS))
    look_for_work()
    call_command("run_period", "league", "--in-force", "2025-07-01", "--draft")
    look_for_work()
    draft = RatingList.objects.latest("pk")
    for address in (
        reverse("office-period", args=["league", "2025-07-01"]),
        f"{reverse('office-approve', args=['league', '2025-07-01'])}?sha256={draft.sha256}",
    ):
        signed = officer.get(address)
        assert signed.status_code == 200
        values = signed.text.partition('id="list-values"')[2].partition("</section>")[0]
        assert ("2010" in values, "1100" in values) == (True, True)
        read = signed.text.partition('id="read-besides"')[2].partition("</section>")[0]
        assert "fide/2025-06-01" in read
    fixed = officer.get(VALUES)
    assert "are fixed: its period is frozen." in fixed.text
    assert "<textarea" not in fixed.text
    assert not SourceImportPart.objects.exists()


def shown(page: Any) -> str:
    digest: str = page.context["shown"]
    return digest
