"""Exported text is no formula for any spreadsheet program; numbers stay numbers (guards.md T28)."""

import csv
import io
from datetime import date

import pytest

from ratings.formats.tables import csv_file
from reporting.formats.tables.exported_cells import exported_cell, original_text

PAYLOADS = [
    "=1+1", "=5", "@SUM(A1)", "@5", "+5", "+1+1", "-1+1", "-Smith", "=HYPERLINK(\"http://x\")", "\t=1+1", "\r=1+1",
    "\n=1+1", "\0=1+1", "＝1+1", "＋1", "－1", "＠SUM", "-1e9", "-1.", "-.5", "-", "=", "-12,4", "-١٢",
]  # fmt: skip


@pytest.mark.parametrize("text", PAYLOADS)
def test_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert exported_cell(text) == "'" + text.replace("\r", " ")


@pytest.mark.parametrize(
    "text", ["-12", "-12.4", "-0.0001", "12", "0", "Smith", "", "d'Oliveira", "A=B", "2 - 0"]
)
def test_numbers_and_other_text_stay(text: str) -> None:
    assert exported_cell(text) == text


def test_a_formula_further_down_a_column_gets_an_apostrophe() -> None:
    assert csv_file(["name", "change"], [("Smith", 1), ("=1+1", -2)]) == b"name,change\nSmith,1\n'=1+1,-2\n"


@pytest.mark.parametrize("text", [*PAYLOADS, "-12", "Smith", "d'Oliveira", "'t Hooft", ""])
def test_the_text_of_a_cell_is_found_again(text: str) -> None:
    assert original_text(exported_cell(text.replace("\r", ""))) == text.replace("\r", "")


@pytest.mark.parametrize("value", [None, -5, 5, 2.5, True, date(2026, 4, 1)])
def test_values_that_are_no_text_stay(value: object) -> None:
    assert exported_cell(value) is value


def test_the_published_tables_are_guarded() -> None:
    """Each payload as a name next to a negative change."""
    written = csv_file(("name", "change"), [(text, -7) for text in PAYLOADS]).decode()
    rows = list(csv.reader(io.StringIO(written, newline="")))[1:]
    assert [row[1] for row in rows] == ["-7"] * len(PAYLOADS)
    assert all(row[0].startswith("'") for row in rows)
