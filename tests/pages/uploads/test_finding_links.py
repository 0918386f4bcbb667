"""Findings name their cell on every page, and their links lead to the line or row of the file (R22)."""

import io
import re
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from reporting.models import Report, User
from tests.formats.spreadsheet_files import CSV, filled

pytestmark = pytest.mark.django_db


def broken_book() -> bytes:
    def edit(book: openpyxl.Workbook) -> None:
        book["Players"]["J3"] = 10  # 11 points
        book["Players"]["E5"] = "GM"
        book["Results"]["D9"] = "3-0"

    return filled(edit)


def page_of(client: Client, address: str) -> str:
    """A page without the spaces around its tags."""
    page = re.sub(r"\s+", " ", unescape(client.get(address).content.decode()))
    return re.sub(r" ?(<[^>]+>) ?", r"\1", page)


def targets(page: str) -> set[str]:
    """The fragments of a page's links to file pages or to itself."""
    return set(re.findall(r'href="[^"#]*#((?:row-|L[0-9])[^"]*)"', page))


def anchors(page: str) -> set[str]:
    return set(re.findall(r'id="([^"]+)"', page))


@pytest.fixture
def book(client: Client, referee: User) -> Report:
    file = SimpleUploadedFile("open.xlsx", broken_book())
    client.post(reverse("report-new"), {"file": file})
    return Report.objects.get()


def test_the_file_page_of_a_workbook_shows_the_rows_that_findings_name(client: Client, book: Report) -> None:
    page = page_of(client, reverse("report-file", args=[book.pk]))
    assert {"row-Players-3", "row-Players-5", "row-Results-9"} <= anchors(page)
    for cell in ("Players!J3", "Players!E5", "Results!D9"):
        assert re.search(f'<a href="#row-[^"]+">{cell}</a>', page), cell
    # The row itself, with the cell marked.
    assert '<mark class="source__spot">10</mark>' in page
    assert '<mark class="source__spot">3-0</mark>' in page
    assert targets(page) <= anchors(page)
    assert "The points are not the sum of the results." in page
    assert "2 (Danuta Sokolinska). Found: 10 points." in page


def test_the_submit_page_leads_to_the_rows(client: Client, book: Report) -> None:
    at = reverse("report-file", args=[book.pk])
    page = page_of(client, reverse("report-submit", args=[book.pk]))
    assert f'href="{at}?at=row-Players-3#row-Players-3"' in page
    assert '<span class="note">Players!J3</span>' in page
    assert f'<dd><a href="{at}?at=row-Players-5#row-Players-5">Players!E5</a></dd>' in page
    for target in targets(page):  # also to rows of players, who are settled on the page People
        assert target in anchors(page_of(client, f"{at}?at={target}"))


def test_the_check_page_shows_them_too(client: Client) -> None:
    file = SimpleUploadedFile("open.xlsx", broken_book())
    page = unescape(client.post("/check/", {"file": file}).content.decode())
    assert {"row-Players-3", "row-Players-5", "row-Results-9"} <= anchors(page)
    assert "Players!J3" in page
    assert targets(page) <= anchors(page)


def test_the_cells_of_a_csv_file_are_named_by_line_and_column(client: Client, referee: User) -> None:
    content = CSV.replace(
        b"2;21002;Sokolinska;Danuta;;POL;W;;1;11", b"2;;Sokolinska;Danuta;;XX;W;2001-03-17;1;10"
    )
    client.post(reverse("report-new"), {"file": SimpleUploadedFile("open.csv", content)})
    page = page_of(client, reverse("report-file", args=[Report.objects.get().pk]))
    assert "F18. Found" not in page
    assert '<a href="#L18">line 18, column 10</a>' in page  # the line has its inputs once
    # The piece that is marked and offered is the country, not what is in the sixth character.
    assert '<mark class="source__spot">XX</mark>' in page
    assert targets(page) <= anchors(page)


def test_the_command_names_line_and_column_of_csv(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from django.core.management import CommandError, call_command

    file = tmp_path / "open.csv"
    file.write_bytes(CSV.replace(b";POL;W;;1;11", b";XX;W;;1;10"))
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError):
        call_command("check_report", str(file), stdout=out, stderr=err)
    said = "error country-unknown (line 18, column 6): Number 2 (Danuta Sokolinska): This country is unknown."
    assert said in err.getvalue()
    said = "error points-differ (line 18, column 10): Number 2 (Danuta Sokolinska): The points"
    assert said in err.getvalue()
