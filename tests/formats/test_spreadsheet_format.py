"""The report as a spreadsheet (Annex 9 art. 11): XLSX and CSV, the form to fill in, what is refused (R20 to R22)."""

import csv
import io
import random
import time
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.formula import ArrayFormula

from reporting.formats.detect import read_report
from reporting.formats.fmjd import write_fmjd
from reporting.formats.spreadsheet import _MOST_ROWS, PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.formats.spreadsheet_template import template_csv, template_xlsx
from reporting.rules.checks import check_report
from reporting.rules.findings import Severity
from tests.formats.report_files import SPREADSHEET_FILE, TODAY, all_findings, facts_of, spoiled

CSV = SPREADSHEET_FILE.read_bytes()


def told(findings):
    return [(finding.code, finding.line, finding.column, finding.field) for finding in findings]


def everything(content, more=""):
    return all_findings(content, SPREADSHEET_FILE, more)


def tables():
    """The rows of the CSV file by table, without headings."""
    rows, found = {}, None
    for row in csv.reader(io.StringIO(CSV.decode()), delimiter=";"):
        if row and row[0] in ("Info", "Players", "Results"):
            found = rows.setdefault(row[0], [])
        elif found is not None and row:
            found.append(row)
    return rows["Info"], rows["Players"][1:], rows["Results"][1:]


def filled(edit=None):
    """The form filled in as a person does, numbers as numbers and dates as dates, then edited."""
    book = openpyxl.load_workbook(io.BytesIO(template_xlsx()))
    info, players, results = tables()
    keys = {row[0].value: row[0].row for row in book["Info"].iter_rows(max_col=1) if row[0].value}
    for key, value in info:
        book["Info"].cell(keys[key], 2).value = value
    book["Info"]["B3"] = date(2026, 10, 5)
    for sheet, rows in (("Players", players), ("Results", results)):
        for number, row in enumerate(rows, start=2):
            for column, text in enumerate(row, start=1):
                if text:
                    book[sheet].cell(number, column).value = int(text) if text.isdigit() else text
    book["Players"]["H6"] = date(1984, 9, 5)
    if edit:
        edit(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_cell(sheet, cell, value, number_format=None):
    def edit(book):
        book[sheet][cell] = value
        if number_format:
            book[sheet][cell].number_format = number_format

    return filled(edit)


def written():
    """The same by another library, which writes texts apart from their cells, and numbers as texts."""
    out = io.BytesIO()
    heads = ([], [list(PLAYER_COLUMNS.values())[:10]], [list(RESULT_COLUMNS.values())])
    with xlsxwriter.Workbook(out) as book:
        for name, head, rows in zip(("Info", "Players", "Results"), heads, tables(), strict=True):
            sheet = book.add_worksheet(name)
            for number, row in enumerate([*head, *rows]):
                sheet.write_row(number, 0, row)
    return out.getvalue()


XLSX, WRITTEN = filled(), written()


# The form


def test_the_form_is_the_same_bytes_each_time():
    first = (template_xlsx(), template_csv())
    time.sleep(1.1)  # a file of a ZIP archive carries its second
    assert (template_xlsx(), template_csv()) == first


def test_the_form_asks_the_fields_of_the_law_and_offers_its_words():
    book = openpyxl.load_workbook(io.BytesIO(template_xlsx()))
    assert book.sheetnames == ["Info", "Players", "Results"]
    assert [cell.value for cell in book["Players"][1]] == list(PLAYER_COLUMNS.values())
    assert [cell.value for cell in book["Results"][1]] == list(RESULT_COLUMNS.values())
    offered = {
        str(rule.sqref): rule.formula1
        for sheet in book
        for rule in sheet.data_validations.dataValidation
        if rule.type == "list"
    }
    assert offered["D2:D100001"] == '"2-0,1-1,0-2,2x0,0x2,1x1,0x0"'
    assert offered["G2:G2001"] == '"M,W"'
    assert offered["B5"] == '"SWISS,ROUND,TEAMS,OTHER"'
    assert offered["B6"] == offered["B7"] == '"yes,no"'


def test_the_result_column_is_text_so_that_no_draw_becomes_the_first_of_january():
    book = openpyxl.load_workbook(io.BytesIO(template_xlsx()))
    assert book["Results"].column_dimensions["D"].number_format == "@"
    assert book["Players"].column_dimensions["H"].number_format == "dd/mm/yyyy"


@pytest.mark.parametrize("content", [template_xlsx(), template_csv()], ids=["xlsx", "csv"])
def test_the_empty_form_is_read_and_says_only_what_is_missing(content):
    read = read_report(content)
    assert (read.format, read.findings, read.unread) == ("spreadsheet", (), ())
    assert {finding.code for finding in everything(content)} == {"fact-missing", "no-players", "no-games"}


@pytest.mark.parametrize("content", [XLSX, WRITTEN, CSV], ids=["xlsx", "shared-texts", "csv"])
def test_the_form_filled_in_has_no_findings(content):
    read = read_report(content)
    assert (everything(content), read.unread) == ((), ())
    assert (read.format, read.encoding, len(read.players), len(read.games)) == ("spreadsheet", "utf-8", 7, 28)
    assert read.points_summed == {player.number: player.points_printed for player in read.players}


def test_all_files_say_the_same_and_what_the_form_of_the_law_says():
    xlsx = read_report(XLSX)
    for other in (read_report(CSV), read_report(WRITTEN)):
        assert (xlsx.info, xlsx.players, xlsx.games) == (other.info, other.players, other.games)
    law = read_report(write_fmjd(xlsx.info, xlsx.players, xlsx.games).encode())
    assert law.findings == ()
    assert (law.info, law.games) == (xlsx.info, xlsx.games)


def test_the_information_and_a_player_are_read_field_by_field():
    read = read_report(XLSX)
    info, player = read.info, read.players[4]
    assert (info.name, info.played_from, info.played_to, info.system) == (
        "Oostwaarde Round Robin 2026",
        date(2026, 10, 5),
        date(2026, 10, 11),
        "round-robin",
    )
    assert (info.national_championship, info.women_championship) == (False, False)
    assert (info.country_code, info.positions["played_from"]) == ("NED", (3, 2))
    assert (player.number, player.fmjd_id, player.first_name, player.last_name, player.name) == (
        5,
        21005,
        "Rustam",
        "Mirzakulov",
        "Rustam Mirzakulov",
    )
    assert (player.title, player.federation_code, player.sex) == ("GMI", "UZB", "M")
    assert (player.born, player.line, player.column("born")) == (date(1984, 9, 5), 6, 8)
    assert read.players[3].fmjd_id is None
    assert read.players[3].born == date(2001, 3, 17)


def test_pauses_and_results_by_decision_are_not_played():
    read = read_report(XLSX)
    assert {game.result for game in read.games if not game.played} == {"2-0", "2x0"}
    assert sum(game.is_pause for game in read.games) == 7


# Cells


@pytest.mark.parametrize(
    ("value", "number_format"),
    [
        ("05/09/1984", None),
        ("1984-09-05", None),
        (date(1984, 9, 5), "dd/mm/yyyy"),
        (datetime(1984, 9, 5), "yyyy-mm-dd hh:mm"),
        (date(1984, 9, 5), 'd" september "m/yyyy'),
        (30930, "m/d/yyyy"),  # 5 September 1984 is day 30,930 after 30 December 1899
    ],
)
def test_a_date_is_read_from_a_date_or_a_text(value, number_format):
    read = read_report(with_cell("Players", "H6", value, number_format))
    assert (read.findings, read.players[4].born) == ((), date(1984, 9, 5))


def test_the_days_of_a_workbook_that_counts_from_1904_are_the_same():
    def edit(book):
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904

    assert read_report(filled(edit)).players[4].born == date(1984, 9, 5)


@pytest.mark.parametrize(
    ("value", "number_format", "code"),
    [
        ("5/9/1984", None, "date-unreadable"),
        ("09-05-84", None, "date-unreadable"),
        ("1984", None, "date-unreadable"),
        (30930, "0", "date-unreadable"),
        (date(1984, 9, 1), "mmm-yy", "date-unreadable"),
        (datetime(1984, 9, 5, 14, 30), "dd/mm/yyyy", "date-unreadable"),
        (59, "dd/mm/yyyy", "date-unreadable"),
        ("31/09/1984", None, "date-unknown"),
        ("1984-09-31", None, "date-unknown"),
    ],
)
def test_a_date_that_is_not_sure_is_a_finding_and_no_date(value, number_format, code):
    read = read_report(with_cell("Players", "H6", value, number_format))
    assert told(read.findings) == [(code, 6, 8, "Players!H6")]
    assert read.players[4].born is None


@pytest.mark.parametrize("value", [7, 7.0, "7", " 7 "])
def test_a_plain_number_may_be_a_number_or_a_text(value):
    def edit(book):
        for row in range(2, 9):
            place = book["Players"].cell(row, 9)
            place.value = value if place.value == 7 else place.value

    assert read_report(filled(edit)).findings == ()
    assert [player.place for player in read_report(filled(edit)).players].count(7) == 1


@pytest.mark.parametrize("value", [7.5, "7,0", "7.0", -7, "٧", "1e1", 10**16, True])
def test_any_other_number_is_a_finding(value):
    (finding,) = read_report(with_cell("Players", "J3", value)).findings
    assert told([finding]) == [("points-unreadable", 3, 10, "Players!J3")]


def test_a_draw_that_became_a_date_is_told_so():
    (finding,) = read_report(with_cell("Results", "D3", date(2026, 1, 1), "d-mmm")).findings
    assert told([finding]) == [("result-unknown", 3, 4, "Results!D3")]
    assert "column as text" in finding.suggestion


def test_several_fonts_in_a_text_are_one_text():
    text = openpyxl.cell.rich_text.CellRichText(
        "Kranen", openpyxl.cell.rich_text.TextBlock(openpyxl.cell.text.InlineFont(b=True), "broek")
    )
    assert read_report(with_cell("Players", "C2", text)).players[0].last_name == "Kranenbroek"


# One fault, its cell

FAULTS_OF_A_WORKBOOK = [
    # code, sheet, cell, value, and where it is told
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
    ("country-unknown", "Players", "F3", "Poland", None),
    ("country-unknown", "Info", "B10", "Holland", None),
    ("sex-unknown", "Players", "G5", "F", None),
    ("title-unknown", "Players", "E3", "GM", None),
    ("round-unreadable", "Results", "A3", "I", None),
    ("limit-rounds", "Results", "A3", 31, None),
    ("result-unknown", "Results", "D3", "1-0", None),
    ("pause-result", "Results", "D2", "1-1", None),
    ("type-unknown", "Info", "B5", "knock-out", None),
    ("yes-or-no-unknown", "Info", "B6", "perhaps", None),
    ("date-unreadable", "Info", "B4", "11 Oct", None),
    ("date-unknown", "Info", "B4", "2026-02-30", None),
    ("key-unknown", "Info", "A9", "Town", None),
    ("key-repeated", "Info", "A9", "Name", None),
    ("field-count", "Info", "D9", "more", None),
    ("character-forbidden", "Players", "C3", "Soko\u200blinska", None),
    ("character-forbidden", "Players", "C3", "Soko\nlinska", None),
    ("character-forbidden", "Players", "C3", "Soko\tlinska", None),
    ("column-missing", "Players", "J1", None, "Players!A1"),
    ("column-missing", "Results", "D1", None, "Results!A1"),
    ("column-unknown", "Players", "L1", "Club", None),
    ("column-unknown", "Players", "N4", "ill", None),
    ("column-repeated", "Players", "L1", "Points", None),
    # found by the checks, in the same words for the place
    ("name-outside-alphabet", "Players", "C3", "Sokolińska", None),
    ("name-too-long", "Players", "D3", "Danutadanutadanutad", None),
    ("name-shortened", "Players", "D3", "D.", None),
    ("name-missing", "Players", "D3", None, None),
    ("sex-missing", "Players", "G5", None, None),
    ("born-missing", "Players", "H5", None, None),
    ("points-differ", "Players", "J3", 99, None),
    ("place-repeated", "Players", "I8", 1, None),
    ("number-repeated", "Players", "A8", 1, None),
    ("fmjd-id-repeated", "Players", "B8", 21001, None),
    ("text-too-long", "Info", "B9", "Oostwaarde aan de lange brede Rivier", None),
    ("text-outside-alphabet", "Info", "B12", "Café", None),
    ("fact-missing", "Info", "B2", None, None),
    ("dates-reversed", "Info", "B4", "2026-10-01", None),
]


@pytest.mark.parametrize(
    ("code", "sheet", "cell", "value", "place"),
    FAULTS_OF_A_WORKBOOK,
    ids=[f"{row[0]}-{row[1]}-{row[2]}" for row in FAULTS_OF_A_WORKBOOK],
)
def test_a_fault_of_a_workbook_is_told_with_its_cell(code, sheet, cell, value, place):
    findings = everything(with_cell(sheet, cell, value))
    wanted = place or f"{sheet}!{cell}"
    row, column = openpyxl.utils.cell.coordinate_to_tuple(wanted.partition("!")[2])
    assert (code, row, column, wanted) in told(findings)
    for finding in findings:
        assert finding.article.startswith("Annex")
        assert finding.found
        assert finding.expected
        assert finding.suggestion


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
def test_a_fault_of_a_csv_file_is_told_with_its_cell(code, edits, place):
    findings = everything(spoiled(SPREADSHEET_FILE, edits))
    assert (code, *place) in told(findings)
    assert all(finding.found and finding.expected and finding.suggestion for finding in findings)


def test_only_what_changes_no_value_is_a_warning_of_the_reader():
    contents = [with_cell(sheet, cell, value) for _, sheet, cell, value, _ in FAULTS_OF_A_WORKBOOK]
    severities = {
        finding.code: finding.severity for content in contents for finding in read_report(content).findings
    }
    warnings = {code for code, severity in severities.items() if severity is Severity.WARNING}
    assert warnings == {"key-unknown", "column-unknown", "title-unknown"}


def test_all_faults_are_told_at_once():
    def edit(book):
        book["Info"]["B5"] = "?"
        book["Players"]["F2"] = "=A1"
        book["Results"]["D5"] = "3-0"
        book["Players"].merge_cells("C4:D4")

    assert [finding.field for finding in read_report(filled(edit)).findings] == [
        "Players!F2",
        "Players!C4",
        "Info!B5",
        "Results!D5",
    ]


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
    assert told(read.findings) == [("formula-refused", 2, 10, "Players!J2")]
    assert read.findings[0].found == "=1+1"
    assert read.players[0].points_printed is None


def test_sheets_of_the_same_rows_do_not_hide_each_others_findings():
    def edit(book):  # Info!B5 is the empty system, Players!B5 an FMJD-ID that cannot be read
        book["Info"]["B5"] = None
        book["Players"]["B5"] = "?"

    findings = told(everything(filled(edit)))
    assert ("fact-missing", 5, 2, "Info!B5") in findings
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
def test_merged_and_hidden_cells_and_other_sheets_are_told(edit, places):
    read = read_report(filled(edit))
    found = [place for place in told(read.findings) if place[0] in {code for code, *_ in places}]
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


def test_a_sheet_that_is_missing_is_told():
    findings = read_report(filled(lambda book: book.remove(book["Results"]))).findings
    assert told(findings) == [("section-missing", 1, 1, "results")]


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
def test_more_rows_than_the_limit_are_told_once(monkeypatch, table, code):
    monkeypatch.setitem(_MOST_ROWS, table.lower(), (code, 5))
    read = read_report(XLSX)
    assert told(read.findings) == [(code, 6, 1, f"{table}!A6")]
    assert [piece.text for piece in read.unread] == [f"{table}!A6"]


def test_notes_and_empty_rows_are_left_out():
    def edit(book):
        book["Players"].insert_rows(4, 2)
        book["Players"]["A4"] = "# the strongest group"
        book["Players"]["C4"] = "=A1"

    read = read_report(filled(edit))
    assert [finding.code for finding in read.findings] == ["formula-refused"]
    assert (read.unread, len(read.players), read.players[2].line) == ((), 7, 6)


def test_a_csv_file_may_be_parted_by_commas():
    out = io.StringIO()
    csv.writer(out).writerows(csv.reader(io.StringIO(CSV.decode()), delimiter=";"))
    read = read_report(out.getvalue().encode())
    assert read.findings == ()
    assert (read.info, read.players, read.games) == (
        read_report(CSV).info,
        read_report(CSV).players,
        read_report(CSV).games,
    )


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
CELLS = f"<worksheet><sheetData><row r='1'>{'<c/>' * 700_000}</row></sheetData></worksheet>"
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
def test_a_hostile_workbook_is_refused_whole_at_once(code, content):
    begun = time.perf_counter()
    read = read_report(content())
    assert time.perf_counter() - begun < 5
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
    begun = time.perf_counter()
    read = read_report(rebuilt(XLSX, {SHEET: body}))
    assert time.perf_counter() - begun < 1
    assert ("cells-merged", 1, 1, "Results!A1") in told(read.findings)
    assert ("header-missing", 1048576, 1, "Results!A1048576") in told(read.findings)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100_000), st.binary(max_size=8)), min_size=1, max_size=4))
def test_a_damaged_workbook_never_breaks_the_reader(mutations):
    content = bytearray(XLSX)
    for place, piece in mutations:
        at = place % len(content)
        content[at : at + len(piece)] = piece
    hold_the_promises(bytes(content))


PARTS = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml", SHEET]
PIECES = [
    b"",
    b'"',
    b"<",
    b">",
    b"9" * 10,
    b"-1",
    b"1e999",
    b"&#0;",
    b"_xD800_",
    b"XFE0",
    b"s",
    b"\xff",
    b"<f>",
]


@settings(max_examples=300, deadline=None)
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


@settings(max_examples=300, deadline=None)
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
    read = read.with_findings(check_report(read, facts_of(SPREADSHEET_FILE), today=TODAY))
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
def test_a_thousand_players_in_eleven_rounds_are_read_within_two_seconds(make):
    content = make()
    begun = time.perf_counter()
    read = read_report(content)
    print(f"{make.__name__}: {len(content):,} bytes in {time.perf_counter() - begun:.2f} s")  # noqa: T201
    assert time.perf_counter() - begun < 2
    assert (len(read.players), len(read.games), read.findings) == (1_000, 5_500, ())
