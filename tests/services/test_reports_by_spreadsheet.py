"""A report as a workbook, from upload to acceptance (R20, R22, R24): findings of the register name the cell too."""

import io

import pytest
import xlsxwriter

from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.models import Game, Player
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db


def workbook(*players):
    info = {"Name": "Open", "Played from": "2026-02-06", "Played to": "2026-02-08", "Type": "OTHER"}
    info |= {"Name of referee": "Piet Fluit", "Place": "Utrecht", "Country": "NED"}
    sheets = {
        "Info": info.items(),
        "Players": [list(PLAYER_COLUMNS.values()), *players],
        "Results": [list(RESULT_COLUMNS.values()), [1, 1, 2, "2-0"]],
    }
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return out.getvalue()


def uploaded_by(office, *players):
    file = {"content": workbook(*players), "filename": "open.xlsx", "sidecar": office.details()}
    return upload_report(**file, by=office.referee)


def row_of(office, number, fmjd_id, *, place, points):
    first, last = office.names[fmjd_id]
    return [number, fmjd_id, last, first, "", "NED", "", "", place, points]


def test_a_workbook_is_accepted_and_its_newcomer_entered(office):
    office.register(11)
    nova = [2, "", "Kometa", "Nova", "", "BEL", "W", "2001-02-01", 2, 0]
    uploaded = uploaded_by(office, row_of(office, 1, 11, place=1, points=2), nova)
    assert (uploaded.version.format, uploaded.version.content[:2]) == ("spreadsheet", b"PK")
    report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    assert accept_report(report=report, by=office.officer).state == "accepted"
    assert Player.objects.get(last_name="Kometa").birth_year == 2001
    assert Game.objects.get().played


def test_what_the_register_says_otherwise_is_reported_with_the_cell(office):
    office.register(11, 12)
    other = row_of(office, 2, 12, place=2, points=0)
    other[5] = "BEL"
    uploaded = uploaded_by(office, row_of(office, 1, 11, place=1, points=2), other)
    findings = uploaded.matching.findings
    (finding,) = [finding for finding in findings if finding.code == "register-differs"]
    assert finding.field == "Players!F3"


def test_a_newcomer_with_an_initial_cannot_be_submitted(office):
    office.register(11)
    shortened = [2, "", "Kometa", "N.", "", "BEL", "W", "2001-02-01", 2, 0]
    uploaded = uploaded_by(office, row_of(office, 1, 11, place=1, points=2), shortened)
    submission = {"report": uploaded.report, "comments": office.comments(uploaded)}
    (finding,) = refusal(submit_report, **submission, by=office.referee).findings
    assert (finding.code, finding.field) == ("name-shortened", "Players!D3")
