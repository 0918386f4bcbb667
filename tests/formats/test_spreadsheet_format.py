"""The report as a spreadsheet (Annex 9 art. 11): the form to fill in, and what is read of a cell."""

import csv
import io
import time
from datetime import date, datetime

import openpyxl
import pytest

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.detect import read_report
from reporting.formats.spreadsheets.form import PLAYER_COLUMNS, RESULT_COLUMNS
from reporting.formats.spreadsheets.template import template_csv, template_xlsx
from tests.formats.spreadsheet_files import CSV, WRITTEN, XLSX, everything, filled, found_at, with_cell

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
    assert offered["D2:D35001"] == '"2-0,1-1,0-2,2x0,0x2,1x1,0x0"'
    assert offered["G2:G5001"] == '"M,W"'
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
    assert {finding.code for finding in everything(content)} == {"detail-missing", "no-players", "no-games"}


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
        "Oostwaarde Round Robin 2026", date(2026, 10, 5), date(2026, 10, 11), "round-robin",
    )  # fmt: skip
    assert (info.national_championship, info.women_championship) == (False, False)
    assert (info.country_code, info.positions["played_from"]) == ("NED", (3, 2))
    assert (player.number, player.fmjd_id, player.first_name, player.last_name, player.name) == (
        5, 21005, "Rustam", "Mirzakulov", "Rustam Mirzakulov",
    )  # fmt: skip
    assert (player.title, player.federation_code, player.sex) == ("GMI", "UZB", "M")
    assert (player.born, player.line, player.column("born")) == (date(1984, 9, 5), 6, 8)
    assert read.players[3].fmjd_id is None
    assert read.players[3].born == date(2001, 3, 17)


def with_days(*days):
    """The CSV file with two more columns of the results, and the days of the first games."""
    lines = CSV.decode().split("\n")
    heading = lines.index("Round;White;Black;Result")
    lines[heading] += ";Started;Finished"
    for number, day in enumerate(days, start=heading + 1):
        lines[number] += f";{day}"
    return "\n".join(lines).encode(), heading + 1


def test_a_game_may_have_its_own_days():
    content, _ = with_days("2026-10-05;06/10/2026", "07/10/2026", ";2026-10-11")
    read = read_report(content)
    assert (read.findings, everything(content)) == ((), ())
    assert [(game.started_on, game.finished_on) for game in read.games[:4]] == [
        (date(2026, 10, 5), date(2026, 10, 6)), (date(2026, 10, 7), None), (None, date(2026, 10, 11)), (None, None),
    ]  # fmt: skip


def test_the_days_of_a_game_are_in_order_and_within_the_tournament():
    """It is played from 5 to 11 October 2026."""
    content, heading = with_days("2026-10-04;2026-10-05", "2026-10-07;2026-10-06", ";2026-10-12", "7 October")
    assert [
        (finding.code, finding.line, finding.column, finding.found, finding.expected)
        for finding in everything(content)
    ] == [
        ("game-day-differs", heading + 1, 5, "4 Oct 2026", "a day from 5 Oct 2026 to 11 Oct 2026"),
        ("game-day-differs", heading + 2, 6, "6 Oct 2026", "a day from 7 Oct 2026 to 11 Oct 2026"),
        ("game-day-differs", heading + 3, 6, "12 Oct 2026", "a day from 5 Oct 2026 to 11 Oct 2026"),
        ("date-unreadable", heading + 4, 5, "7 October", "DD/MM/YYYY, for example 26/11/2026"),
    ]


def test_pauses_and_results_by_decision_are_not_played():
    read = read_report(XLSX)
    assert {game.result for game in read.games if not game.played} == {"2-0", "2x0"}
    assert sum(game.is_pause for game in read.games) == 7


# Cells


@pytest.mark.parametrize(
    ("value", "number_format"),
    [
        ("05/09/1984", None), ("1984-09-05", None), (date(1984, 9, 5), "dd/mm/yyyy"),
        (datetime(1984, 9, 5), "yyyy-mm-dd hh:mm"), (date(1984, 9, 5), 'd" september "m/yyyy'),
        (30930, "m/d/yyyy"),  # 5 September 1984 is day 30,930 after 30 December 1899
    ],
)  # fmt: skip
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
        ("5 Septembre 1984", None, "date-unreadable"),
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
    assert found_at(read.findings) == [(code, 6, 8, "Players!H6")]
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
    found = found_at(read_report(with_cell("Players", "J3", value)).findings)
    assert found == [("points-unreadable", 3, 10, "Players!J3")]


def test_a_draw_that_became_a_date_is_reported():
    (finding,) = read_report(with_cell("Results", "D3", date(2026, 1, 1), "d-mmm")).findings
    assert found_at([finding]) == [("result-unknown", 3, 4, "Results!D3")]
    assert "column as text" in finding.suggestion


def test_several_fonts_in_a_text_are_one_text():
    text = openpyxl.cell.rich_text.CellRichText(
        "Kranen", openpyxl.cell.rich_text.TextBlock(openpyxl.cell.text.InlineFont(b=True), "broek")
    )
    assert read_report(with_cell("Players", "C2", text)).players[0].last_name == "Kranenbroek"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_csv_file_has_any_separator_that_a_spreadsheet_program_writes(separator, encoding):
    """Unicode Text of a spreadsheet program is UTF-16 with tabs."""
    written = io.StringIO()
    csv.writer(written, delimiter=separator).writerows(csv.reader(io.StringIO(CSV.decode()), delimiter=";"))
    read, whole = read_report(written.getvalue().encode(encoding)), read_report(CSV)
    assert (read.info, read.players, read.games, read.findings) == (
        whole.info, whole.players, whole.games, (),
    )  # fmt: skip
