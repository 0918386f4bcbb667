"""Workbooks made to do harm, damaged files and large ones: refused whole, or read (R22)."""

import csv
import io
import random
import zipfile
from dataclasses import replace
from functools import partial

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from reporting.formats.detect import read_report
from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from tests.call_count import counted
from tests.formats.report_files import SPREADSHEET_FILE, TODAY, check_report, details_of
from tests.formats.spreadsheet_files import CSV, WRITTEN, XLSX, found_at
from tests.processes.faults.fault_tools import rounds

# Hostile files


def rebuilt(content, parts, **options):
    """The archive with some parts replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, body in parts.items():
            new.writestr(name, body, **options)
    return out.getvalue()


SHEET = "xl/worksheets/sheet3.xml"
CELL = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>&a;</t></is></c></row></sheetData></worksheet>"
OUTER = "SYSTEM 'file:///etc/hostname'"
ENTITY = f"<!DOCTYPE x [<!ENTITY a 'x'>]>{CELL}"
OUTER_ENTITY = f"<!DOCTYPE x [<!ENTITY a {OUTER}>]>{CELL}"
OUTER_TYPE = f"<!DOCTYPE x {OUTER}>{CELL}"
LAUGHS = (
    "<!DOCTYPE x [<!ENTITY a0 'ha'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 11))
    + f"<!ENTITY a '&a10;'>]>{CELL}"
)
SPACES = b"<worksheet>" + b" " * 60_000_000 + b"</worksheet>"
CELLS = f"<worksheet><sheetData><row r='1'>{'<c/>' * 1_000_000}</row></sheetData></worksheet>"
LOADED = {"xl/media/x": random.Random(1).randbytes(300_000)}  # noqa: S311
RELATIONS = "xl/_rels/workbook.xml.rels"
OUTSIDE = "<Relationships><Relationship Id='rId1' Type='x/worksheet' Target='../../../etc/hostname'/></Relationships>"
REFUSED = {
    "a bomb": ("workbook-refused", lambda: rebuilt(XLSX, {SHEET: SPACES})),
    "cells without end": ("workbook-refused", lambda: rebuilt(XLSX, LOADED | {SHEET: CELLS})),
    "macros": ("workbook-refused", lambda: rebuilt(XLSX, {"xl/vbaProject.bin": b"x"})),
    "many parts": ("workbook-refused", lambda: rebuilt(XLSX, {f"x{n}": b"" for n in range(1_100)})),
    "another packing": (
        "workbook-refused",
        lambda: rebuilt(XLSX, {SHEET: b"<x/>"}, compress_type=zipfile.ZIP_LZMA),
    ),
    "an entity": ("workbook-unreadable", lambda: rebuilt(XLSX, {SHEET: ENTITY})),
    "an outer entity": ("workbook-unreadable", lambda: rebuilt(XLSX, {SHEET: OUTER_ENTITY})),
    "an outer document type": ("workbook-unreadable", lambda: rebuilt(XLSX, {SHEET: OUTER_TYPE})),
    "laughs": ("workbook-unreadable", lambda: rebuilt(XLSX, {SHEET: LAUGHS})),
    "a part that is not there": ("workbook-unreadable", lambda: rebuilt(XLSX, {RELATIONS: OUTSIDE})),
    "no XML": ("workbook-unreadable", lambda: rebuilt(XLSX, {SHEET: b"\0\1"})),
}


@pytest.mark.parametrize(("code", "content"), REFUSED.values(), ids=REFUSED)
def test_a_hostile_workbook_is_refused_whole(code, content):
    read = read_report(content())
    assert [(finding.code, finding.line, finding.column) for finding in read.findings] == [(code, 1, 1)]
    assert (read.format, read.players, read.games) == ("", (), ())


def test_a_part_that_is_there_twice_is_refused():
    out = io.BytesIO(XLSX)
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(SHEET, b"<worksheet/>")
    (finding,) = read_report(out.getvalue()).findings
    assert (finding.code, finding.found) == ("workbook-refused", "a part that is there twice")


def test_an_encrypted_part_is_refused():
    content = bytearray(XLSX)
    at = content.find(b"PK\x01\x02")
    content[at + 8] |= 1
    (finding,) = read_report(bytes(content)).findings
    assert (finding.code, finding.found) == ("workbook-refused", "encrypted parts")


def test_a_cell_at_the_far_end_and_a_merge_of_everything_cost_nothing():
    body = (
        '<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
        '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'
    )
    read, calls = counted(partial(read_report, rebuilt(XLSX, {SHEET: body})))
    assert calls < 50_000
    assert ("cells-merged", 1, 1, "Results!A1") in found_at(read.findings)
    assert ("header-missing", 1048576, 1, "Results!A1048576") in found_at(read.findings)


@settings(max_examples=rounds(100, 300), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100_000), st.binary(max_size=8)), min_size=1, max_size=4))
def test_a_damaged_workbook_never_breaks_the_reader(mutations):
    content = bytearray(XLSX)
    for place, piece in mutations:
        at = place % len(content)
        content[at : at + len(piece)] = piece
    hold_the_promises(bytes(content))


PARTS = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml", SHEET]
PIECES = [
    b"", b'"', b"<", b">", b"9" * 10, b"-1", b"1e999", b"&#0;", b"_xD800_", b"XFE0", b"s", b"\xff", b"<f>",
]  # fmt: skip


@settings(max_examples=rounds(100, 300), deadline=None)
@given(
    st.sampled_from(PARTS),
    st.lists(
        st.tuples(st.integers(0, 100_000), st.integers(0, 12), st.sampled_from(PIECES)),
        min_size=1,
        max_size=3,
    ),
)
def test_a_part_that_says_anything_never_breaks_the_reader(part, mutations):
    with zipfile.ZipFile(io.BytesIO(WRITTEN)) as archive:
        body = archive.read(part)
    for place, cut, piece in mutations:
        at = place % len(body)
        body = body[:at] + piece + body[at + cut :]
    hold_the_promises(rebuilt(WRITTEN, {part: body}))


@settings(max_examples=rounds(100, 300), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5_000), st.integers(0, 30), st.binary(max_size=5)), min_size=1, max_size=4
    )
)
def test_a_mutated_csv_file_never_breaks_the_reader(mutations):
    content = CSV
    for place, cut, piece in mutations:
        at = place % (len(content) + 1)
        content = content[:at] + piece + content[at + cut :]
    hold_the_promises(content)


def hold_the_promises(content):
    read = read_report(content)
    checked = check_report(read, details_of(SPREADSHEET_FILE), today=TODAY)
    read = replace(read, findings=read.grouped_findings((*read.findings, *checked)))
    read.to_json()
    for finding in read.findings:
        assert (
            finding.line and finding.column and finding.line >= 1 and finding.column >= 1
        ) or finding.field
        assert finding.found.isprintable()
        assert (finding.field or "").isprintable()
        assert finding.expected
    assert read.format or read.findings


# Size


def great_open():
    """A thousand players in eleven rounds, as rows."""
    chance = random.Random(1)  # noqa: S311
    results, points = [], dict.fromkeys(range(1, 1001), 0)
    for turn in range(1, 12):
        order = list(points)
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            result = chance.choice(["2-0", "1-1", "0-2"])
            points[white] += int(result[0])
            points[black] += int(result[2])
            results.append([turn, white, black, result])
    players = [
        [number, number, "Bakker", "Anna", "", "NED", "W", "01/02/1990", number, points[number]]
        for number in points
    ]
    return (
        [list(RESULT_COLUMNS.values()), *results],
        [list(PLAYER_COLUMNS.values())[:10], *players],
        [["Name", "Great Open"], ["Type", "SWISS"]],
    )


def great_open_xlsx():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name, rows in zip(("Results", "Players", "Info"), great_open(), strict=True):
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return out.getvalue()


def great_open_csv():
    out = io.StringIO()
    for name, rows in zip(("Results", "Players", "Info"), great_open(), strict=True):
        csv.writer(out).writerows([[name], *rows])
    return out.getvalue().encode()


@pytest.mark.parametrize("make", [great_open_xlsx, great_open_csv])
def test_a_thousand_players_in_eleven_rounds_are_read(make):
    read = read_report(make())
    assert (len(read.players), len(read.games), read.findings) == (1_000, 5_500, ())
