"""A report as a workbook, from upload to acceptance (R20, R22, R24): findings of the register name the cell too."""

import io

import pytest
import xlsxwriter

from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.models import Game, Player
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report

pytestmark = pytest.mark.django_db


def workbook(*players):
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name, rows in {
            "Info": [
                ["Name", "Open"],
                ["Played from", "2026-02-06"],
                ["Played to", "2026-02-08"],
                ["Type", "OTHER"],
                ["Name of referee", "Piet Fluit"],
                ["Place", "Utrecht"],
                ["Country", "NED"],
            ],
            "Players": [list(PLAYER_COLUMNS.values()), *players],
            "Results": [list(RESULT_COLUMNS.values()), [1, 1, 2, "2-0"]],
        }.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return out.getvalue()


def uploaded_by(office, *players):
    return upload_report(
        content=workbook(*players), filename="open.xlsx", sidecar=office.details(), by=office.referee
    )


def row_of(office, number, fmjd_id, *, place, points):
    first, last = office.names[fmjd_id]
    return [number, fmjd_id, last, first, "", "NED", "", "", place, points]


def test_a_workbook_is_accepted_and_its_newcomer_entered(office):
    office.register(11)
    uploaded = uploaded_by(
        office,
        row_of(office, 1, 11, place=1, points=2),
        [2, "", "Kometa", "Nova", "", "BEL", "W", "2001-02-01", 2, 0],
    )
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
    assert [
        (finding.code, finding.field)
        for finding in uploaded.matching.findings
        if finding.code == "register-differs"
    ] == [("register-differs", "Players!F3")]


def test_a_newcomer_with_an_initial_cannot_be_submitted(office):
    office.register(11)
    uploaded = uploaded_by(
        office,
        row_of(office, 1, 11, place=1, points=2),
        [2, "", "Kometa", "N.", "", "BEL", "W", "2001-02-01", 2, 0],
    )
    with pytest.raises(DomainError) as refused:
        submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    assert [(finding.code, finding.field) for finding in refused.value.findings] == [
        ("name-shortened", "Players!D3")
    ]
