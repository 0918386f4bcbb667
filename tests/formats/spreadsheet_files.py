"""The fictional report as a spreadsheet, filled in and edited."""

import csv
import io
from datetime import date

import openpyxl
import xlsxwriter

from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.formats.spreadsheets.template import template_xlsx
from tests.formats.report_files import SPREADSHEET_FILE, all_findings

CSV = SPREADSHEET_FILE.read_bytes()


def found_at(findings):
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
