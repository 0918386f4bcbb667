"""The findings of a spreadsheet: each fault with its cell, and cells that look different (R20 to R22)."""

import csv
import io

import openpyxl
import pytest
import xlsxwriter
from openpyxl.worksheet.formula import ArrayFormula

from reporting.formats.detect import read_report
from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.formats.spreadsheets.tables import MAX_ROWS
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import SPREADSHEET_FILE, assert_complete, spoiled
from tests.formats.spreadsheet_files import CSV, XLSX, everything, filled, found_at, with_cell

# One fault, its cell

FAULTS_OF_A_WORKBOOK = [
    # code, sheet, cell, value, and the place of the finding
    ("formula-refused", "Players", "J7", "=SUM(A1:A2)", None),
    ("formula-refused", "Players", "E7", "=A1", None),
    ("formula-refused", "Info", "B9", '="Oost"&"waarde"', None),
    ("formula-refused", "Results", "D9", ArrayFormula("D9", "=D8"), None),
    ("fmjd-id-unreadable", "Players", "B3", "12a", None),
    ("number-missing", "Players", "A3", None, None),
    ("number-unreadable", "Players", "A3", "0", None),
    ("number-unreadable", "Results", "B3", "x", None),
    ("place-unreadable", "Players", "I3", "1st", None),
    ("points-missing", "Players", "J3", None, None),
    ("country-missing", "Players", "F3", None, None),
    ("country-unknown", "Players", "F3", "Polonia Minor", None),
    ("country-unknown", "Info", "B10", "Atlantis", None),
    ("sex-unknown", "Players", "G5", "X", None),
    ("title-unknown", "Players", "E3", "GM", None),
    ("round-unreadable", "Results", "A3", "I", None),
    ("limit-rounds", "Results", "A3", 100, None),
    ("result-unknown", "Results", "D3", "1-0", None),
    ("pause-result", "Results", "D2", "1-1", None),
    ("type-unknown", "Info", "B5", "knock-out", None),
    ("yes-or-no-unknown", "Info", "B6", "perhaps", None),
    ("date-unreadable", "Info", "B4", "11 Oct", None),
    ("date-unknown", "Info", "B4", "2026-02-30", None),
    ("key-unknown", "Info", "A9", "Town", None),
    ("key-repeated", "Info", "A9", "Name", None),
    ("field-count", "Info", "D9", "more", None),
    ("character-forbidden", "Players", "C3", "Soko\u202elinska", None),
    ("character-forbidden", "Players", "C3", "Soko\ue000linska", None),
    ("column-missing", "Players", "J1", None, "Players!A1"),
    ("column-missing", "Results", "D1", None, "Results!A1"),
    ("column-unknown", "Players", "L1", "Club", None),
    ("column-unknown", "Players", "N4", "ill", None),
    ("column-repeated", "Players", "L1", "Points", None),
    # found by the checks, in the same words for the place
    ("name-outside-alphabet", "Players", "C3", "Sokolińska", None),
    ("name-too-long", "Players", "D3", "Danutadanutadanutad", None),
    ("name-shortened", "Players", "D3", "D.", None),
    ("name-missing", "Players", "C3", None, None),
    ("sex-missing", "Players", "G5", None, None),
    ("born-missing", "Players", "H5", None, None),
    ("points-differ", "Players", "J3", 99, None),
    ("place-repeated", "Players", "I8", 1, None),
    ("number-repeated", "Players", "A8", 1, None),
    ("fmjd-id-repeated", "Players", "B8", 21001, None),
    ("text-too-long", "Info", "B9", "Oostwaarde aan de lange brede Rivier", None),
    ("text-outside-alphabet", "Info", "B12", "Café", None),
    ("detail-missing", "Info", "B2", None, None),
    ("dates-reversed", "Info", "B4", "2026-10-01", None),
]


@pytest.mark.parametrize(
    ("code", "sheet", "cell", "value", "place"),
    FAULTS_OF_A_WORKBOOK,
    ids=[f"{row[0]}-{row[1]}-{row[2]}" for row in FAULTS_OF_A_WORKBOOK],
)
def test_a_fault_of_a_workbook_is_reported_with_its_cell(code, sheet, cell, value, place):
    findings = everything(with_cell(sheet, cell, value))
    wanted = place or f"{sheet}!{cell}"
    row, column = openpyxl.utils.cell.coordinate_to_tuple(wanted.partition("!")[2])
    assert (code, row, column, wanted) in found_at(findings)
    assert_complete(findings)


FAULTS_OF_A_CSV_FILE = [
    ("formula-refused", {18: "2;21002;=A1;Danuta;;POL;W;;1;11"}, (18, 3, "C18")),
    ("formula-refused", {18: "2;21002;＝A1;Danuta;;POL;W;;1;11"}, (18, 3, "C18")),
    ("points-unreadable", {18: "2;21002;Sokolinska;Danuta;;POL;W;;1;5,5"}, (18, 10, "J18")),
    ("field-count", {18: "2;21002;Soko;linska;Danuta;;POL;W;;1;11"}, (18, 11, "K18")),
    ("field-count", {10: "Place;Oost;waarde"}, (10, 3, "C10")),
    ("line-unreadable", {18: '2;21002;"Sokolinska;Danuta;;POL;W;;1;11'}, (18, 1, "A18")),
    ("separator-unclear", {18: "2,21002,Sokolinska,Danuta,,POL,W,,1,11"}, (18, 1, "A18")),
    ("separator-unclear", {10: "Place,Oostwaarde"}, (10, 1, "A10")),
    ("separator-unclear", {16: "No.", 26: "Round"}, (16, 1, "A16")),
    ("header-missing", {26: "1;1;0;2-0"}, (26, 1, "A26")),
    ("text-outside-section", {2: "Oostwaarde"}, (2, 1, None)),
    ("section-missing", {2: None, **dict.fromkeys(range(3, 15))}, (41, 1, "info")),
    ("section-repeated", {14: "Players"}, (15, 1, "A15")),
    ("column-missing", {16: "No.;FMJD-ID;Last name;First name;Title;Land;Sex;Born;Place;Points"}, (16, 1, "A16")),
    ("column-unknown", {16: "No.;FMJD-ID;Last name;First name;Title;Country;Sex;Born;Rank;Points"}, (16, 9, "I16")),
    ("points-differ", {18: "2;21002;Sokolinska;Danuta;;POL;W;;1;2"}, (18, 10, "J18")),
    ("number-unknown", {27: "1;1;8;2-0"}, (27, 3, "C27")),
    ("name-outside-alphabet", {18: "2;21002;Sokolińska;Danuta;;POL;W;;1;11"}, (18, 3, "C18")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "place"), FAULTS_OF_A_CSV_FILE)
def test_a_fault_of_a_csv_file_is_reported_with_its_cell(code, edits, place):
    findings = everything(spoiled(SPREADSHEET_FILE, edits))
    assert (code, *place) in found_at(findings)
    assert all(finding.found and finding.expected and finding.suggestion for finding in findings)


@pytest.mark.parametrize(
    ("edits", "proposed"),
    [
        # From 30 December 1899 to that of 1999: 100 years with 24 leap days, because 1900 has none.
        ({18: "2;21002;Sokolinska;Danuta;;POL;W;36524;1;11"}, ["30/12/1999"]),
        ({18: "2;21002;Sokolinska;Danuta;;POL;W;73415;1;11"}, ["31/12/2100"]),
        ({18: "2;21002;Sokolinska;Danuta;;POL;W;73416;1;11"}, [""]),
        ({18: "2;21002;Sokolinska;Danuta;;POL;W;9999;1;11"}, [""]),
        ({28: "1;2;7;01/01/2026"}, ["1-1"]),
        ({28: "1;2;7;1-Jan"}, ["1-1"]),
        ({28: "1;2;7;01 jan 26"}, ["1-1"]),
        ({28: "1;2;7;2-Jan"}, [""]),
        ({28: "1;2;7;02/01/2026"}, [""]),
    ],
)
def test_what_a_spreadsheet_program_has_made_of_a_value_is_proposed(edits, proposed):
    findings = read_report(spoiled(SPREADSHEET_FILE, edits)).findings
    unread = [finding for finding in findings if finding.code in ("date-unreadable", "result-unknown")]
    assert [finding.proposed_value for finding in unread] == proposed


def test_only_what_changes_no_value_is_a_warning_of_the_reader():
    contents = [with_cell(sheet, cell, value) for _, sheet, cell, value, _ in FAULTS_OF_A_WORKBOOK]
    severities = {
        finding.code: finding.severity for content in contents for finding in read_report(content).findings
    }
    warnings = {code for code, severity in severities.items() if severity is Severity.WARNING}
    assert warnings == {"key-unknown", "column-unknown"}
    notes = {code for code, severity in severities.items() if severity is Severity.NOTE}
    assert notes == {"title-unknown"}


def test_all_faults_are_reported_at_once():
    def edit(book):
        book["Info"]["B5"] = "?"
        book["Players"]["F2"] = "=A1"
        book["Results"]["D5"] = "3-0"
        book["Players"].merge_cells("C4:D4")

    assert [finding.field for finding in read_report(filled(edit)).findings] == [
        "Players!F2", "Players!C4", "Info!B5", "Results!D5",
    ]  # fmt: skip


def test_the_last_value_of_a_formula_is_never_read():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name, headings in (("Info", []), ("Players", PLAYER_COLUMNS), ("Results", RESULT_COLUMNS)):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, list(headings.values()) if headings else ["Name", "Open"])
        players = book.get_worksheet_by_name("Players")
        players.write_row(1, 0, [1, 21001, "Kranenbroek", "Joost", "", "NED", "M", "", 1])
        players.write_formula(1, 9, "=1+1", value=2)
    read = read_report(out.getvalue())
    assert found_at(read.findings) == [("formula-refused", 2, 10, "Players!J2")]
    assert read.findings[0].found == "=1+1"
    assert read.players[0].points_printed is None


def test_sheets_of_the_same_rows_do_not_hide_each_others_findings():
    def edit(book):  # Info!B5 is the empty system, Players!B5 an FMJD-ID that cannot be read
        book["Info"]["B5"] = None
        book["Players"]["B5"] = "?"

    findings = found_at(everything(filled(edit)))
    assert ("detail-missing", 5, 2, "Info!B5") in findings
    assert ("fmjd-id-unreadable", 5, 2, "Players!B5") in findings


# What looks other than it is


def merge(book):
    book["Results"].merge_cells("A4:B4")


def hide_sheet(book):
    book["Results"].sheet_state = "veryHidden"


def hide_rows(book):
    for row in (4, 5, 9):
        book["Results"].row_dimensions[row].hidden = True


def hide_column(book):
    book["Players"].column_dimensions["J"].hidden = True


def add_sheets(book):
    book.create_sheet("Prizes")["A1"] = "100 euro"
    book.create_sheet("Empty")
    book.create_sheet("Secret")["A1"] = "=1+1"
    book["Secret"].sheet_state = "hidden"


@pytest.mark.parametrize(
    ("edit", "places"),
    [
        (merge, [("cells-merged", 4, 1, "Results!A4")]),
        (hide_sheet, [("hidden-part", 1, 1, "Results!A1")]),
        (hide_rows, [("hidden-part", 4, 1, "Results!A4"), ("hidden-part", 9, 1, "Results!A9")]),
        (hide_column, [("hidden-part", 1, 10, "Players!J1")]),
        (add_sheets, [("sheet-unknown", 1, 1, "Prizes!A1"), ("sheet-unknown", 1, 1, "Secret!A1")]),
    ],
)
def test_merged_and_hidden_cells_and_other_sheets_are_reported(edit, places):
    read = read_report(filled(edit))
    found = [place for place in found_at(read.findings) if place[0] in {code for code, *_ in places}]
    assert found == places
    severities = {finding.severity for finding in read.findings if finding.code == places[0][0]}
    assert severities == {Severity.ERROR if edit is merge else Severity.WARNING}
    if edit is not merge:
        assert read.games == read_report(XLSX).games
        assert [piece.text for piece in read.unread] == (["Prizes", "Secret"] if edit is add_sheets else [])


def test_tables_and_columns_go_by_their_names():
    def edit(book):
        book.move_sheet("Results", -2)
        book["Players"].move_range("B1:B8", cols=11)
        book["Players"]["C1"] = "SURNAME"
        book["Results"].title = "Games"
        book["Games"].title = "results"

    read = read_report(filled(edit))
    assert read.findings == ()
    assert read.players == read_report(XLSX).players
    assert read.players[0].column("fmjd_id") == 13


def test_a_sheet_that_is_missing_is_reported():
    findings = read_report(filled(lambda book: book.remove(book["Results"]))).findings
    assert found_at(findings) == [("section-missing", 1, 1, "results")]


def test_what_was_not_used_is_listed_with_its_cell_and_its_reason():
    def edit(book):
        book["Info"]["A9"] = "Town"
        book["Players"]["E3"], book["Players"]["A4"], book["Players"]["L1"] = "GM", None, "Club"
        book["Results"]["D5"] = "3-0"

    read = read_report(filled(edit))
    assert [(piece.text, piece.reason) for piece in read.unread] == [
        ("Players!L1: Club", "unknown column"),
        ("Players!E3: GM", "unknown title"),
        ("Players!A4: 21003 | Abdoulaye-Tano | Issa | MI | CIV | M | 2 | 9", "no tournament number"),
        ("Results!A5: 1 | 4 | 5 | 3-0", "not a result that can be read"),
        ("Info!A9: Town | Oostwaarde", "not a key and its value"),
    ]
    assert read.undecided == {5, 4}


def test_without_the_column_of_the_results_no_sum_is_blamed():
    findings = everything(with_cell("Results", "D1", None))
    assert {finding.code for finding in findings} == {"column-missing"}


@pytest.mark.parametrize(("table", "code"), [("Players", "limit-players"), ("Results", "limit-games")])
def test_more_rows_than_the_limit_are_reported_once(monkeypatch, table, code):
    monkeypatch.setitem(MAX_ROWS, table.lower(), (code, 5))
    read = read_report(XLSX)
    assert found_at(read.findings) == [(code, 6, 1, f"{table}!A6")]
    assert [piece.text for piece in read.unread] == [f"{table}!A6"]


def test_notes_and_empty_rows_are_left_out():
    def edit(book):
        book["Players"].insert_rows(4, 2)
        book["Players"]["A4"] = "# the strongest group"
        book["Players"]["C4"] = "=A1"

    read = read_report(filled(edit))
    assert [finding.code for finding in read.findings] == ["formula-refused"]
    assert (read.unread, len(read.players), read.players[2].line) == ((), 7, 6)


def test_a_csv_file_may_be_separated_by_commas():
    out = io.StringIO()
    csv.writer(out).writerows(csv.reader(io.StringIO(CSV.decode()), delimiter=";"))
    read = read_report(out.getvalue().encode())
    assert read.findings == ()
    assert (read.info, read.players, read.games) == (
        read_report(CSV).info, read_report(CSV).players, read_report(CSV).games,
    )  # fmt: skip
