"""The register from a table: players created and updated, all or nothing, every finding at once."""

from datetime import date
from hashlib import sha256

import pytest
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import Federation, LogEntry, PersonalData, Player, PlayerIdentity, PlayerTitle, Role
from reporting.refusals.domain_error import DomainError
from reporting.register.services.import_register import import_register
from tests.people import create_user
from tests.services import report_helpers

pytestmark = pytest.mark.django_db

HEADER = "fmjd_id,last_name,first_name,federation,sex,born,title,title_64\n"


def load(office, text, **options):
    return import_register(content=(HEADER + text).encode(), by=office.officer, **options)


def digest(text):
    return sha256((HEADER + text).encode()).hexdigest()


def refusal(office, text, header=HEADER):
    refused = report_helpers.refusal(import_register, content=(header + text).encode(), by=office.officer)
    assert refused.code == "register_refused"
    return [(finding.code, finding.line, finding.column, finding.field) for finding in refused.findings]


def held_title(fmjd_id, discipline="100", day=None):
    """The title of a player on a day, by default today; empty without one."""
    titles = PlayerTitle.objects.held_on(day or timezone.localdate())
    found = titles.filter(player__numbers__fmjd=fmjd_id, awarded_by="fmjd", discipline=discipline)
    return found.values_list("title", flat=True).first() or ""


def test_players_are_created_with_all_that_the_table_says(office):
    table = "101,Aman,N'cho Joël,CIV,M,1990-05-14,GMI,MF\n102,Beugre,,CIV,W,1988,,\n103,Cisse,Awa,CIV,,,,\n"
    done = load(office, table)
    assert done.created == (101, 102, 103)
    assert (done.updated, done.unchanged) == ({}, 0)
    columns = ("numbers__fmjd", "last_name", "first_name", "sort_name", "federation_id", "sex", "birth_year")
    found = [
        (*row, *(held_title(row[0], discipline) for discipline in ("100", "64")))
        for row in Player.objects.order_by("numbers__fmjd").values_list(*columns)
    ]
    assert found == [
        (101, "Aman", "N'cho Joël", "aman, n cho joel", "CIV", "M", 1990, "GMI", "MF"),
        (102, "Beugre", "", "beugre, ", "CIV", "W", 1988, "", ""),
        (103, "Cisse", "Awa", "cisse, awa", "CIV", "", None, "", ""),
    ]
    assert Federation.objects.get(code="CIV").name == "Côte d'Ivoire"


def test_a_day_of_birth_stands_apart_and_a_year_alone_leaves_nothing_there(office):
    load(office, "101,Aman,Joel,CIV,M,1990-05-14,,\n102,Beugre,Ama,CIV,W,1988,,\n103,Cisse,Awa,CIV,,,,\n")
    days = PersonalData.objects.values_list("player__numbers__fmjd", "born")
    assert list(days) == [(101, date(1990, 5, 14))]


def test_a_known_number_is_updated_and_says_old_and_new(office):
    load(office, "101,Aman,Joel,CIV,M,1990,MF,\n102,Beugre,Ama,CIV,W,1988,,\n")
    done = load(office, "101,Aman,Joel,FRA,M,1990,GMI,\n102,Beugre,Ama,CIV,W,1988,,\n103,Cisse,Awa,CIV,,,,\n")
    assert done.created == (103,)
    assert done.updated == {101: {"federation_id": ("CIV", "FRA"), "title": ("MF", "GMI")}}
    assert done.unchanged == 1
    player = Player.objects.get(numbers__fmjd=101)
    assert (player.federation_id, held_title(101), player.last_name) == ("FRA", "GMI", "Aman")


def test_a_new_name_is_normalized_again_for_the_order_of_lists(office):
    load(office, "101,Aman,Joel,CIV,M,1990,,\n")
    load(office, "101,Étienne,Joel,CIV,M,1990,,\n")
    assert Player.objects.get(numbers__fmjd=101).sort_name == "etienne, joel"


def test_a_column_that_is_not_in_the_table_changes_nothing(office):
    load(office, "101,Aman,Joel,CIV,M,1990,GMI,MF\n")
    without_titles = "fmjd_id,last_name,first_name,federation,sex,born\n101,Aman,Joel,CIV,M,1990\n"
    done = import_register(content=without_titles.encode(), by=office.officer)
    assert done.updated == {}
    assert held_title(101) == "GMI"


def test_each_update_is_in_the_audit_log_with_before_and_after_and_each_import_once(office):
    first, second = "101,Aman,Joel,CIV,M,1990,MF,\n", "101,Aman,Joel,FRA,M,1990,GMI,\n"
    load(office, first)
    load(office, second)
    update = LogEntry.objects.get(action="player.update")
    assert (update.subject, update.actor, update.by_command) == ("player fmjd 101", office.officer.user, True)
    assert update.before == {"federation_id": "CIV", "title": "MF"}
    assert update.after == {"federation_id": "FRA", "title": "GMI"}
    imports = LogEntry.objects.filter(action="register.import").order_by("pk")
    assert [entry.after for entry in imports] == [
        {"created": 1, "updated": 0, "unchanged": 0, "file_sha256": digest(first)},
        {"created": 0, "updated": 1, "unchanged": 0, "file_sha256": digest(second)},
    ]


def test_a_corrected_day_of_birth_counts_as_an_update_and_is_shown_without_the_day(office):
    """Birth dates stay out of the audit log and out of what the command prints; that one was changed does not."""
    load(office, "101,Aman,Joel,CIV,M,1990-05-14,,\n")
    done = load(office, "101,Aman,Joel,CIV,M,1990-05-15,,\n")
    assert PersonalData.objects.get().born == date(1990, 5, 15)
    assert done.updated == {101: {"day of birth": ("known", "changed")}}
    assert done.unchanged == 0
    entry = LogEntry.objects.get(action="player.update")
    assert "1990" not in f"{entry.before} {entry.after}"


def test_a_day_of_birth_that_the_table_contradicts_does_not_stay_behind(office):
    load(office, "101,Aman,Joel,CIV,M,1990-05-14,,\n")
    done = load(office, "101,Aman,Joel,CIV,M,1991,,\n")
    assert done.updated == {101: {"birth_year": (1990, 1991), "day of birth": ("known", "")}}
    assert Player.objects.get().birth_year == 1991
    assert not PersonalData.objects.exists()


@pytest.mark.parametrize("born", ["1990", ""])
def test_a_year_that_agrees_and_an_empty_cell_leave_the_day_that_is_known(office, born):
    load(office, "101,Aman,Joel,CIV,M,1990-05-14,,\n")
    assert load(office, f"101,Aman,Joel,CIV,M,{born},,\n").unchanged == 1
    assert Player.objects.get().birth_year == 1990
    assert PersonalData.objects.get().born == date(1990, 5, 14)


@pytest.mark.parametrize(
    ("written", "code"),
    [("NED", "NED"), ("NL", "NED"), ("NLD", "NED"), ("ned", "NED"), ("RDF", "RUS"), ("CAF", "CAR")],
)
def test_any_known_code_of_a_country_is_its_federation(office, written, code):
    load(office, f"101,Aman,Joel,{written},M,1990,,\n")
    from reporting.rules.register.countries import find_country

    assert Player.objects.get().federation_id == find_country(code).code


def test_all_findings_come_at_once_with_line_and_field_and_nothing_is_changed(office):
    load(office, "101,Aman,Joel,CIV,M,1990,,\n")
    faulty = [
        ("x2,Beugre,Ama,CIV,W,1988,,", ("number-unreadable", 3, 1, "fmjd_id")),
        (",Cisse,Awa,CIV,,,,", ("id-missing", 4, 1, "fmjd_id")),
        ("104,,Awa,CIV,,,,", ("name-missing", 5, 2, "last_name")),
        ("105,Diallo,Awa,XQX,,,,", ("federation-unknown", 6, 4, "federation")),
        ("106,Ehui,Awa,CIV,X,,,", ("value-unknown", 7, 5, "sex")),
        ("107,Fofana,Awa,CIV,W,1988-02-30,,", ("date-unreadable", 8, 6, "born")),
        ("108,Gnao,Awa,CIV,W,1790-01-01,,", ("born-unlikely", 9, 6, "born")),
        ("109,Kone,Awa,CIV,W,1988,GM,", ("value-unknown", 10, 7, "title")),
        ("110,Loba,Awa,CIV,W,1988,,xx", ("value-unknown", 11, 8, "title_64")),
        ("101,Aman,Joel,CIV,M,1990,,", ("id-repeated", 12, 1, "fmjd_id")),
        ("112,Too,Few,CIV", ("field-count", 13, None, None)),
    ]
    in_order = "101,Aman,Joel,FRA,M,1990,,\n"  # it would be an update
    found = refusal(office, in_order + "".join(f"{line}\n" for line, _ in faulty))
    assert set(found) == {finding for _, finding in faulty}
    assert len(found) == 11
    assert list(Player.objects.values_list("numbers__fmjd", "federation_id")) == [(101, "CIV")]
    assert LogEntry.objects.filter(action="register.import").count() == 1


@pytest.mark.parametrize(
    ("name", "code"),
    [("A" * 61, "text-too-long"), *((f"Aman{sign}Beugre", "name-forbidden") for sign in "\x1b\u202e")],
)
@pytest.mark.parametrize("field", ["last_name", "first_name"])
def test_a_name_is_one_line_of_visible_letters_of_at_most_sixty(office, name, code, field):
    names = {"last_name": "Aman", "first_name": "Joel"} | {field: name}
    found = refusal(office, f'101,"{names["last_name"]}","{names["first_name"]}",CIV,M,1990,,\n')
    assert [(finding[0], finding[3]) for finding in found] == [(code, field)]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("fmjd_id,last_name,first_name,federation,sex\n", "column-missing"),
        ("fmjd_id,last_name,first_name,federation,sex,born,rating\n", "column-unknown"),
        ("fmjd_id,last_name,first_name,federation,sex,born,born\n", "column-repeated"),
        ("id,fmjd_id,last_name,first_name,federation,sex,born\n", "column-repeated"),
        ("", "column-missing"),
    ],
)
def test_the_header_is_the_one_that_is_known(office, header, code):
    assert code in {found[0] for found in refusal(office, "", header)}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (HEADER.encode(), "table-empty"),
        (HEADER.encode() + b"101,Am\xe4n,Joel,CIV,M,1990,,\n", "encoding-unreadable"),
        (HEADER.encode() + b"101,Am\0an,Joel,CIV,M,1990,,\n", "character-forbidden"),
        (HEADER.encode() + b'101,"Aman,Joel,CIV,M,1990,,\n', "line-unreadable"),
    ],
)
def test_a_file_that_is_no_table_is_refused_not_guessed_at(office, content, code):
    refused = report_helpers.refusal(import_register, content=content, by=office.officer)
    assert [finding.code for finding in refused.findings] == [code]
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("separator", "encoding", "end"),
    [(",", "utf-8-sig", "\r\n"), (";", "utf-8", "\n"), (";", "utf-8-sig", "\r\n"), ("\t", "utf-16", "\r\n")],
)
def test_a_table_of_any_spreadsheet_program_is_read(office, separator, encoding, end):
    """Semicolons, and Unicode Text; F is a woman in other programs."""
    table = HEADER + "10001,Zomerdijk,Wouter,NED,M,1994-05-02,GMI,\n10002,Lindqvarn,Ebba,DEN,F,1988,MIF,MFF\n"
    content = table.replace(",", separator).replace("\n", end).encode(encoding)
    assert import_register(content=content, by=office.officer).created == (10001, 10002)
    columns = ("last_name", "first_name", "federation_id", "sex", "birth_year", "personal_data__born")
    found = Player.objects.order_by("numbers__fmjd").values_list(*columns)
    assert list(found) == [
        ("Zomerdijk", "Wouter", "NED", "M", 1994, date(1994, 5, 2)),
        ("Lindqvarn", "Ebba", "DEN", "W", 1988, None),
    ]
    assert [held_title(10001), held_title(10002), held_title(10002, "64")] == ["GMI", "MIF", "MFF"]


@pytest.mark.parametrize(
    "role", sorted(set(Role) - {Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR, Role.ADMINISTRATOR})
)
def test_only_the_office_and_administrators_import_the_register(office, role):
    somebody = Actor(create_user("somebody@example.org", "Somebody", roles=[role]))
    table = (HEADER + "101,Aman,Joel,CIV,M,1990,,\n").encode()
    assert report_helpers.refusal(import_register, content=table, by=somebody).code == "forbidden"
    assert not Player.objects.exists()


def test_an_account_that_was_closed_has_no_role_left(office):
    office.officer.user.is_active = False
    with pytest.raises(DomainError, match="needs one of these roles"):
        load(office, "101,Aman,Joel,CIV,M,1990,,\n")


def test_another_register_has_numbers_of_its_own(office):
    load(office, "101,Aman,Joel,CIV,M,1990,,\n")
    text = "id,last_name,first_name,federation,sex,born\n101,Bakker,Kees,NED,M,1980\n"
    done = import_register(content=text.encode(), register="knsb", by=office.officer)
    assert done.created == (101,)
    assert Player.objects.count() == 2
    assert Player.objects.get(last_name="Bakker").numbers == {"knsb": 101}
    numbers = PlayerIdentity.objects.exclude(register="fmjd").values_list("register", "number")
    assert list(numbers) == [("knsb", "101")]
    again = import_register(content=text.replace("Kees", "Cees").encode(), register="knsb", by=office.officer)
    assert again.updated == {101: {"first_name": ("Kees", "Cees")}}
    assert Player.objects.get(numbers__fmjd=101).first_name == "Joel"
