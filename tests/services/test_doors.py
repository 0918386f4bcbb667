"""One rule for one thing: each kind of value is read alike wherever it comes in, in every spelling of it.

A door takes the spellings of one player (surname, first name, country, day of birth, sex) and gives what was read.
"""

import io
import unicodedata
from datetime import date

import pytest
import xlsxwriter
from django.http import QueryDict

from reporting.formats.crosstables.entered_table import read_cell
from reporting.formats.detect import read_report
from reporting.formats.tournament_details.sidecar import read_details, write_details
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import PlayerRecord
from reporting.register.services.import_register import plan_import
from reporting.register.views.edit_player import RecordForm
from reporting.reports.views.results_entry.crosstable import with_points
from reporting.reports.views.results_entry.player_rows import PlayerRow
from reporting.rules.register.countries import country_code
from reporting.rules.report import PointsScale
from tests.formats.test_trf16_format import player as trf_player
from titles.forecasts.forms import DetailsForm

pytestmark = pytest.mark.django_db

PERSON = {"last": "Aldervoort", "first": "Piet", "country": "NED", "born": "02/03/1971", "sex": "W"}
READ = {"last": "Aldervoort", "first": "Piet", "country": "NED", "born": date(1971, 3, 2), "sex": "W"}
REFUSED = "refused"


def of_report(content):
    """The player as read from a report file, without those whom other findings would name."""
    read = read_report(content.encode() if isinstance(content, str) else content)
    if not read.players:
        return REFUSED
    player = read.players[0]
    values = player.last_name, player.first_name, player.federation_code, player.born, player.sex
    fields = dict(zip(READ, values, strict=True))
    refused = {finding.field for finding in read.findings if finding.severity != "note"}
    names = {"name": ("last", "first"), "last_name": ("last",), "first_name": ("first",)}
    return {
        field: REFUSED if refused & {field, *(name for name in names if field in names[name])} else value
        for field, value in fields.items()
    }


def art_11(last, first, country, born, sex):
    return of_report(
        f"<section Info>\n</end info>\n<section players>\n0,1,,1,0,{first},{last},{country},{born},{sex}\n"
        "</end players>\n<section results>\n</end results>\n"
    )


def trf16(last, first, country, born, sex):
    """Its columns have three letters for a country; they count composed letters."""
    name = f"{last}, {first}" if first else last
    name += " " * (len(name) - len(unicodedata.normalize("NFC", name)))
    name = f"{name:{33 + len(name) - len(name.rstrip())}}"
    return of_report(f"012 Open\n{trf_player(1, name, born=born, sex=sex.lower(), country=country)}\n")


def semicolons(last, first, country, born, sex):
    name = f"{last}, {first}" if first else last
    return of_report(
        ";Tournament table\nOpen\nPlace;S.No.;Title;Name;Fed.;FMJD;Born;Sex;R1;Total\n"
        f"1;1;;{name};{country};;{born};{sex};0w0;0\n"
    )


def template_csv(last, first, country, born, sex, *, separator=";"):
    head = ["No.", "Last name", "First name", "Country", "Born", "Sex", "Place", "Points"]
    rows = [["Players"], head, ["1", last, first, country, born, sex, "1", "0"]]
    return of_report("\n".join(separator.join(cells) for cells in rows))


def template_tabs(last, first, country, born, sex):
    """Unicode Text of a spreadsheet program; a cell that has a tab itself is in quotes."""
    return template_csv(f'"{last}"', f'"{first}"', country, born, sex, separator="\t")


def template_xlsx(last, first, country, born, sex):
    written = io.BytesIO()
    with xlsxwriter.Workbook(written) as book:
        sheet = book.add_worksheet("Players")
        sheet.write_row(0, 0, ["No.", "Last name", "First name", "Country", "Born", "Sex", "Place", "Points"])
        for column, text in enumerate(["1", last, first, country, born, sex, "1", "0"]):
            sheet.write_string(1, column, text)
    return of_report(written.getvalue())


def register(office, separator=",", encoding="utf-8"):
    def read(last, first, country, born, sex):
        rows = [["fmjd_id", "last_name", "first_name", "federation", "sex", "born"]]
        rows += [["71001", last, first, country, sex, born]]
        content = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows).encode(encoding)
        try:
            (planned,) = plan_import(content=content, by=office.officer).created
        except DomainError as refusal:
            refused = {finding.field for finding in refusal.findings}
            names = {"last": "last_name", "first": "first_name", "country": "federation"}
            return {field: REFUSED if names.get(field, field) in refused else None for field in READ}
        values = planned.values
        born = READ["born"] if values.get("day of birth") and values["birth_year"] == 1971 else REFUSED
        read = values["last_name"], values.get("first_name", ""), values["federation_id"], born, values["sex"]
        return dict(zip(READ, read, strict=True))

    return read


def details(last, first, country, born, sex):
    """The new players of the tournament details: of the page People, of a file, of the API."""
    newcomer = {"last_name": last, "first_name": first, "country": country, "born": born, "sex": sex}
    given = {"discipline": "100", "time_control": "80+30", "newcomers": {"1": newcomer}}
    read, _ = read_details(write_details(given))
    if read is None:
        return REFUSED
    player = read.newcomers[1]
    values = player.last_name, player.first_name, player.country, player.born, player.sex
    return dict(zip(READ, values, strict=True))


def results_entry(last, first, country, born, sex):
    cells = {"last_name": last, "first_name": first, "country": country, "born": born, "sex": sex}
    row = PlayerRow.of(1, {"number": "1", **cells})
    row.check()
    values = {"last": "last_name", "first": "first_name"}
    read = {
        field: REFUSED
        if values.get(field, field) in row.errors
        else row.cleaned_data[values.get(field, field)]
        for field in READ
    }
    return read | {"country": country_code(read["country"]) or REFUSED}


def register_form(last, first, country, born, sex):
    known = PlayerRecord("", "", "NED", "W", None, None, {}, {})
    form = RecordForm(QueryDict(mutable=True) | {"last_name": last, "first_name": first, "born": born}, known)
    if not form.is_valid():
        return dict.fromkeys(READ, REFUSED)
    wanted = form.wanted
    values = wanted.last_name, wanted.first_name, None, wanted.born or REFUSED, None
    return dict(zip(READ, values, strict=True))


REPORTS = {
    door.__name__: door for door in (art_11, trf16, semicolons, template_csv, template_tabs, template_xlsx)
}
FORMS = {door.__name__: door for door in (details, results_entry, register_form)}
TABLES = {
    "register": (",", "utf-8"),
    "register_semicolons": (";", "utf-8-sig"),
    "register_unicode_text": ("\t", "utf-16"),
}
DOORS = (*REPORTS, *TABLES, *FORMS)

SPELLINGS = [
    # kind, what is read, its spellings
    ("last", "van der Meer", ["van\u00a0der Meer", "van\u2009der Meer", "van\tder Meer", "van  der Meer"]),
    ("last", "Aldervoort", ["\u200bAlder\u200bvoort\ufeff", "\u200eAldervoort\u200f", "Alder\u00advoort"]),
    ("last", "Angélique", ["Ange\u0301lique"]),
    ("last", "O’Brien", ["O’Brien"]),
    ("last", "Smit‐Jonk", ["Smit‐Jonk"]),
    ("first", "", [""]),
    ("born", date(1971, 3, 2), ["02/03/1971", "02-03-1971", "02.03.1971", "2.3.1971", "1971-03-02"]),
    ("born", date(1971, 3, 2), ["1971/03/02", "1971.03.02", "1971.3.2", "2 Mar 1971"]),
    ("sex", "W", ["W", "w", "F", "f"]),
    ("sex", "M", ["M"]),
    ("country", "NED", ["NED", "nl", "NLD", "Netherlands", "holland"]),
    ("country", "CIV", ["Côte d’Ivoire"]),
]
LACKS = {("register_form", "country"), ("register_form", "sex")}
"""Choices of a list."""
JUDGED_LATER = {("register_form", "last")}
"""By the service, with the rules for a new name."""


@pytest.mark.parametrize(
    ("kind", "written", "read"),
    [(kind, written, read) for kind, read, spellings in SPELLINGS for written in spellings],
)
def test_every_door_takes_the_same_spellings(office, kind, written, read):
    doors = {**REPORTS, **{name: register(office, *form) for name, form in TABLES.items()}, **FORMS}
    skipped = {"trf16"} if kind == "country" and len(written) > 3 else set()
    found = {
        name: door(**{**PERSON, kind: written})[kind]
        for name, door in doors.items()
        if (name, kind) not in LACKS and name not in skipped
    }
    assert found == dict.fromkeys(found, read)


REFUSALS = [
    ("last", "Alder\u202evoort"),
    ("last", "Alder\x07voort"),
    ("born", "02/31/1971"),
    ("born", "2 Marzo 1971"),
    ("born", "02/03/71"),
    ("sex", "X"),
    ("country", "Atl"),
]


@pytest.mark.parametrize(("kind", "written"), REFUSALS)
def test_no_door_takes_what_the_others_refuse(office, kind, written):
    """A control character has a finding of its own, about its place in the file."""
    doors = {**REPORTS, **{name: register(office, *form) for name, form in TABLES.items()}, **FORMS}
    for name, door in doors.items():
        read = door(**{**PERSON, kind: written})
        value = read if read == REFUSED else read[kind]
        assert value in (REFUSED, "", None) or "\ufffd" in str(value) or (name, kind) in JUDGED_LATER, name


@pytest.mark.parametrize("half", ["½", "0.5", "0,5"])
def test_every_door_of_half_points_takes_the_same_spellings(half):
    """No comma divides columns of a fixed width, and in a cell none before half a point; 2-1-0 has no halves."""
    line = trf_player(1, "Aldervoort, Piet", half)
    trf = read_report(f"012 Open\n{line}\n".encode(), points=PointsScale.HALVES)
    assert trf.players[0].points_printed == 1
    (cell,) = read_cell(f"44w{half}", PointsScale.HALVES)
    assert cell.points == 1
    assert with_points("44w", half, [44]) == f"44w{half}"
    assert read_cell(f"44w{half}", PointsScale.WHOLE) is None


def test_a_country_of_a_forecast_is_read_as_in_a_report():
    form = DetailsForm({"country": "Netherlands"})
    form.is_valid()
    assert form.cleaned_data["country"] == "NED"
