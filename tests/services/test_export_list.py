"""A list as a file, in each form and format: columns, order, ranks, and no formula in a name."""

import csv
import gzip
import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from datetime import date

import openpyxl
import pytest

from ratings.federations.fmjd.models import FmjdListRow
from ratings.formats import tables
from ratings.models import ExportFile, RatingList
from ratings.publishing.export_list import FORMATS, export_changes, export_list
from ratings.publishing.published_files import published_files
from ratings.tasks import make_export
from reporting.models import Player, PlayerTitle
from tests.databases import built_on
from tests.services.conftest import small_office
from tests.services.report_helpers import refusal

whole = pytest.mark.django_db(transaction=True)

HEADER = "rank,fmjd_id,name,title,federation,sex,birth_year,rating,change,period_games,games,category"
CHANGES_HEADER = (
    "fmjd_id,tournament,method,own,average,games,points,pe,we,k,development,delta,performance,after"
)


def newest():
    return RatingList.objects.select_related("pool").filter(state="published").latest("in_force")


def csv_rows(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def exported(form="full", file_format="csv"):
    return export_list(rating_list=newest(), form=form, file_format=file_format)


# --- by hand, to the byte


@built_on("empty")
def nine_players() -> None:
    """Nine points of seven against 2050 for 11 (see the calculation by hand), 13 a newcomer, 14 a woman of 2010."""
    office = small_office()
    lines = "\n".join(f"{number} 2050 100" for number in range(12, 19))
    office.opening(f"fmjd_id rating games\n{lines}\n11 2150 100")
    Player.objects.filter(numbers__fmjd=14).update(sex="W", birth_year=2010, federation_id="NED")
    woman = Player.objects.get(numbers__fmjd=14)
    PlayerTitle.objects.create(player=woman, awarded_by="fmjd", discipline="100", title="MFF")
    Player.objects.filter(numbers__fmjd=15).update(birth_year=None, sex="")
    games = ["1 1 2 2-0", "2 3 1 0-2", "3 1 4 2-0", "4 5 1 0-2", "5 1 6 1-1", "6 7 1 2-0", "7 1 8 0-2"]
    office.accept("Example", [11, *range(12, 19)], games)
    second = [office.newcomer("Nova", "Kometa"), 12]
    office.accept("Second", second, ["1 1 2 1-1"], played_to=date(2026, 2, 20))
    office.run()


@pytest.fixture
def nine_players_shared(db: None) -> None:
    """The test begins with that list."""


@pytest.fixture
def small(nine_players_shared: None) -> RatingList:
    return newest()


def test_the_csv_is_as_written_by_hand(small):
    """Ratings from the calculation by hand: 2151, 2060 twice, 2052 and 2045 four times; the newcomer drew with 2050:
    2050 + D(50) = 2050. Number 12 lost 5,4473 and has no game counted against the newcomer.
    """
    assert exported().decode().splitlines() == [
        HEADER,
        '1,11,"Familyal, Givenal",,NED,M,1990,2151,1,7,107,A',
        '2,17,"Familyar, Givenar",,NED,M,1990,2060,10,1,101,A',
        '2,18,"Familyas, Givenas",,NED,M,1990,2060,10,1,101,A',
        '4,16,"Familyaq, Givenaq",,NED,M,1990,2052,2,1,101,A',
        '5,19,"Kometa, Nova",,NED,M,2001,2050,,1,1,B',
        '6,12,"Familyam, Givenam",,NED,M,1990,2045,-5,1,101,A',
        '6,13,"Familyan, Givenan",,NED,M,1990,2045,-5,1,101,A',
        '6,14,"Familyao, Givenao",MFF,NED,W,2010,2045,-5,1,101,A',
        '6,15,"Familyap, Givenap",,NED,,,2045,-5,1,101,A',
    ]


def test_the_csv_has_the_line_ends_and_no_mark_and_ends_with_a_line_end(small):
    for content in (exported(), export_changes(rating_list=small, file_format="csv")):
        assert not content.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in content
        assert content.endswith(b"\n")


def test_the_changes_are_as_written_by_hand(small):
    """Own whole where it is a list's rating, empty for a first result; four decimals always; by number and order."""
    lines = export_changes(rating_list=small, file_format="csv").decode().splitlines()
    assert lines[:3] == [
        CHANGES_HEADER,
        "11,2026-example,change,2150,2050.0000,7,9,63.6842,8.9158,15,100,0.6315,2154.6029,2150.6315",
        # Rp of a lost game: 2150 − 935 = 1215, without limits.
        "12,2026-example,change,2050,2150.0000,1,0,36.3158,0.7263,15,100,-5.4473,1215.0000,2044.5527",
    ]
    assert lines[-1] == "19,2026-second,provisional,,2050.0000,1,1,,,,,,2050.0000,2050.0000"
    assert [int(line.split(",")[0]) for line in lines[1:]] == [11, 12, 13, 14, 15, 16, 17, 18, 19]


@whole
def test_a_running_value_as_own_rating_has_four_decimals(office):
    """10 games at 2000, twice 5 draws against 2000 in one quarter: the second begins from a running 2000,0000."""
    office.opening("fmjd_id rating games\n11 2000 10\n" + "\n".join(f"{n} 2000 100" for n in range(12, 17)))
    draws = [f"{number} 1 {number + 1} 1-1" for number in range(1, 6)]
    office.accept("First", [11, *range(12, 17)], draws)
    office.accept("Second", [11, *range(12, 17)], draws, played_to=date(2026, 2, 20))
    rows = csv_rows(export_changes(rating_list=office.run(), file_format="csv"))
    own = [(row["method"], row["own"]) for row in rows if row["fmjd_id"] == "11"]
    assert own == [("provisional", "2000.0000")] * 2


def test_the_json_says_the_same_with_its_head(small):
    document = json.loads(exported(file_format="json"))
    opening = RatingList.objects.get(is_opening=True)
    head = {key: value for key, value in document.items() if key not in ("rows", "tournaments")}
    assert head == {
        "pool": "fmjd-100", "in_force": "2026-04-01", "closing": "2026-03-15", "revision": 1, "sha256": small.sha256,
        "previous_sha256": opening.sha256, "parameters_edition": "annex-9-2024-04", "list": "full",
    }  # fmt: skip
    assert list(document["rows"][0]) == HEADER.split(",")
    assert document["rows"][4] == {
        "rank": 5, "fmjd_id": 19, "name": "Kometa, Nova", "title": "", "federation": "NED", "sex": "M",
        "birth_year": 2001, "rating": 2050, "change": None, "period_games": 1, "games": 1, "category": "B",
    }  # fmt: skip
    assert [event["code"] for event in document["tournaments"]] == ["2026-example", "2026-second"]
    assert document["tournaments"][0]["minutes_for_60_moves"] == 120
    changes = json.loads(export_changes(rating_list=small, file_format="json"))
    assert [row["fmjd_id"] for row in changes["changes"]] == [11, 12, 13, 14, 15, 16, 17, 18, 19]


def test_the_text_shows_the_digest_and_a_line_for_each_player(small):
    lines = exported(file_format="txt").decode().splitlines()
    assert small.sha256 in lines[2]
    assert len(lines) == 5 + 9  # three lines of title, a blank one, the head
    assert lines[5].split() == ["1", "11", "Familyal,", "Givenal", "NED", "2151", "+1", "107", "A"]


# --- forms

FORMS = {
    "full": lambda _: True,
    "official": lambda row: row.official_position is not None,
    "women": lambda row: row.sex == "W",
    "juniors": lambda row: row.birth_year is not None and 2026 - row.birth_year <= 19,
    "cadets": lambda row: row.birth_year is not None and 2026 - row.birth_year <= 16,
    "mini-cadets": lambda row: row.birth_year is not None and 2026 - row.birth_year <= 13,
    "hopes": lambda row: row.birth_year is not None and 2026 - row.birth_year <= 10,
    "young-stars": lambda row: row.birth_year is not None and 2026 - row.birth_year <= 8,
    "veterans": lambda row: row.birth_year is not None and 2026 - row.birth_year >= 60,
    "federation:": lambda _: True,
}
FEW = ("hopes", "young-stars")  # the demonstration may have no one as young


@pytest.mark.parametrize("form", FORMS)
def test_each_form_holds_its_players_in_order_with_the_rank_within_it(season_shared, form):
    rows = list(FmjdListRow.objects.filter(list=newest()))
    if form == "federation:":
        form += max(row.federation for row in rows)
        wanted = [row for row in rows if row.federation == form[-3:]]
    else:
        wanted = [row for row in rows if FORMS[form](row)]
    assert wanted or form in FEW
    wanted.sort(key=lambda row: (-row.rating, row.register_number))
    shown = [(int(row["rank"]), int(row["fmjd_id"]), int(row["rating"])) for row in csv_rows(exported(form))]
    ratings = [row.rating for row in wanted]
    assert shown == [
        (1 + sum(higher > row.rating for higher in ratings), row.register_number, row.rating)
        for row in wanted
    ]


@pytest.mark.parametrize("form", ["", "men", "Women", "federation", "federation:", "federation:nowhere:"])
def test_a_form_that_is_not_known_is_refused_never_another(season_shared, form):
    assert refusal(exported, form).code == "unknown_variant"


def test_a_federation_goes_by_any_of_its_codes(season_shared):
    assert exported("federation:NL") == exported("federation:NED")
    assert len(csv_rows(exported("federation:NED"))) > 0


def test_a_format_that_is_not_known_is_refused(season_shared):
    refused = refusal(exported, file_format="pdf")
    assert (refused.code, "pdf" in str(refused)) == ("unknown_format", True)
    assert refusal(export_changes, rating_list=newest(), file_format="txt").code == "unknown_format"


def test_more_rows_than_a_sheet_holds_are_refused_and_published_in_the_other_formats(small, monkeypatch):
    monkeypatch.setattr(tables, "SHEET_ROWS", 1 + small.players)
    sheet = openpyxl.load_workbook(io.BytesIO(exported(file_format="xlsx"))).active
    assert sheet.max_row == 1 + small.players
    monkeypatch.setattr(tables, "SHEET_ROWS", small.players)
    refused = refusal(exported, file_format="xlsx")
    assert (refused.code, refused.values) == ("too_many_rows", {"rows": 9, "most": 8})
    names = {file.name for file in published_files(small)}
    assert {name for name in names if name.startswith("list.")} == {"list.csv", "list.json", "list.txt"}


@pytest.mark.parametrize("file_format", FORMATS)
def test_two_exports_are_the_same_bytes(season_shared, file_format):
    assert exported(file_format=file_format) == exported(file_format=file_format)
    if file_format != "txt":
        first = export_changes(rating_list=newest(), file_format=file_format)
        assert first == export_changes(rating_list=newest(), file_format=file_format)


def test_the_xlsx_carries_no_day_of_its_making(season_shared):
    for content in (exported(file_format="xlsx"), export_changes(rating_list=newest(), file_format="xlsx")):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            assert {entry.date_time[:3] for entry in book.infolist()} == {(1980, 1, 1)}
            days = re.findall(r">(\d{4}-\d\d-\d\d)T", book.read("docProps/core.xml").decode())
            assert set(days) == {"2000-01-01"}


# --- names a spreadsheet would take for formulas

PAYLOADS = [
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")', "=IMPORTXML(1)", "-Smith",
    "\t=1+1", "\r=1+1", "＝1+1", "＋1", "－1", "＠SUM", "{=1+1}", "http://example.org", "0123", "1e5", "TRUE",
]  # fmt: skip
ESCAPED = PAYLOADS[:14]


@whole
@pytest.mark.parametrize("named", ["last", "alone"])
def test_a_name_is_never_a_formula(office, named):
    numbers = range(11, 11 + len(PAYLOADS))
    office.register(*numbers)
    for number, payload in zip(numbers, PAYLOADS, strict=True):
        first = "" if named == "alone" else "Given"
        Player.objects.filter(numbers__fmjd=number).update(last_name=payload, first_name=first)
    office.opening("fmjd_id rating games\n" + "\n".join(f"{number} 2000 10" for number in numbers))
    printed = [payload if named == "alone" else f"{payload}, Given" for payload in PAYLOADS]

    # A carriage return, which no import lets in, would begin a line of its own: it is a space.
    assert [row["name"] for row in csv_rows(exported())] == [
        f"'{name}".replace("\r", " ") if payload in ESCAPED else name
        for payload, name in zip(PAYLOADS, printed, strict=True)
    ]
    # The machine's format is not escaped: names are what they are.
    assert [row["name"] for row in json.loads(exported(file_format="json"))["rows"]] == printed

    with zipfile.ZipFile(io.BytesIO(exported(file_format="xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in sheet
        assert "<hyperlink" not in sheet
        names = re.findall(r'<c r="C\d+"(?: s="\d+")?( t="inlineStr")?>', sheet)
        assert names == [' t="inlineStr"'] * (1 + len(PAYLOADS))  # the head and every name is a string
        ratings = re.findall(r'<c r="H\d+"( t="inlineStr")?><v>(\d+)\.0</v>', sheet)
        assert ratings == [("", "2000")] * len(PAYLOADS)  # numbers stay numbers


def test_a_negative_number_is_not_escaped(small):
    assert {row["change"] for row in csv_rows(exported())} == {"1", "10", "2", "", "-5"}
    deltas = {row["delta"] for row in csv_rows(export_changes(rating_list=small, file_format="csv"))}
    assert deltas == {"0.6315", "-5.4473", "2.0528", "9.5528", ""}


@whole
def test_a_name_with_a_plus_goes_from_the_report_to_the_open_data_as_it_was_written(office):
    """A spreadsheet would read it as a formula, so the CSV file guards it; the database has the name alone."""
    office.opening("fmjd_id rating games\n11 2050 100\n12 2050 100")
    office.accept("+50 Harbour Open", [11, 12], ["1 1 2 2-0"])
    office.run()
    assert make_export() is True
    made = {file.name: gzip.decompress(bytes(file.compressed)) for file in ExportFile.objects.all()}
    assert [row["name"] for row in csv_rows(made["tournaments.csv"])] == ["'+50 Harbour Open"]
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(made["open-data.sqlite"])
        assert database.execute("SELECT name FROM tournaments").fetchall() == [("+50 Harbour Open",)]
