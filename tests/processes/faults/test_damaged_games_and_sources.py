"""Tables of games on the check page and lists of sources on their page, damaged at random: no 500, and a reason."""

import io
import random

import openpyxl
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from fault_tools import rounds
from test_mutated_files_over_http import FILES, damaged

from ratings.models import SourceImport, SourceList
from ratings.tasks import look_for_work
from reporting.models import Role
from tests.flows.test_toy_games import league  # noqa: F401 (fixture)
from tests.formats.source_files import BOS, PLAYERS, source_text, source_xml, zipped
from tests.pages.office.test_source_pages import upload
from tests.people import logged_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("league")]


def workbook(content: bytes) -> bytes:
    book = openpyxl.Workbook()
    for line in content.decode().splitlines():
        book.active.append(line.split(","))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def test_a_damaged_table_of_games_is_checked_without_a_500(client: Client) -> None:
    chance = random.Random("games")  # noqa: S311 - the same files each time
    client.raise_request_exception = False
    whole = {
        "games.csv": FILES["dyke-league-2026.csv"],
        "games.xlsx": workbook(FILES["dyke-league-2026.csv"]),
    }
    for turn in range(rounds(24, 250)):
        name = ("games.csv", "games.csv", "games.csv", "games.xlsx")[turn % 4]
        content = damaged(whole[name], chance)
        cache.clear()  # the check page limits how often
        details = {"rating_system": "league"} if turn % 2 else {}
        page = client.post("/check/", {"file": SimpleUploadedFile(name, content), **details})
        assert page.status_code in {200, 400}, (turn, content)
        assert "<script>alert" not in page.text, (turn, content)


def test_a_damaged_list_of_a_source_is_imported_or_refused_without_a_500() -> None:
    chance = random.Random("sources")  # noqa: S311 - the same files each time
    officer = logged_in(Role.RATING_OFFICER, raise_request_exception=False)
    whole = (
        source_text(*PLAYERS), source_xml(*PLAYERS), zipped(source_text(*PLAYERS)), zipped(source_xml(BOS)),
    )  # fmt: skip
    for turn in range(rounds(12, 250)):
        content = damaged(whole[turn % len(whole)], chance) or b" "
        before = SourceList.objects.count()
        page = upload(officer, content)
        assert page.status_code == 200, (turn, content)
        look_for_work()
        waiting = SourceImport.objects.first()
        assert (waiting is None) or (waiting.refusal and SourceList.objects.count() == before), (
            turn,
            content,
        )
        shown = officer.get("/office/sources/")
        assert shown.status_code == 200, (turn, content)
        assert ("was not imported" in shown.text) == (waiting is not None), (turn, content)
        assert "<script>alert" not in shown.text, (turn, content)
