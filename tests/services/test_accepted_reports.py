"""Reports accepted, one by one and from a folder: games written, newcomers numbered, who may and when (R11, R24)."""

import re
from dataclasses import replace
from datetime import date
from threading import Thread

import pytest
from django.db import connection, transaction

from reporting.management.import_reports import ReportFile, import_reports
from reporting.models import (
    Entry,
    LogEntry,
    PersonalData,
    Player,
    Report,
    ReportVersion,
    ResultSet,
    WarningComment,
)
from reporting.reports.decisions.services import decide_tournaments
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.concurrency import wait_for_lock
from tests.services.report_helpers import GAMES, database_state, refusal

pytestmark = pytest.mark.django_db


# --- accepting


def test_an_accepted_report_is_written_game_by_game(office):
    office.register(11, 12, 13)
    games = ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2", "3 2 3 0x2"]
    report = office.accept("Open", [12, 11, 13], games, rounds="[2026-02-06, 2026-02-07, 2026-02-08]")
    event = report.result_set
    assert (report.state, report.accepted_version.number) == ("accepted", 1)
    columns = ("number", "player__numbers__fmjd", "points_printed", "reported_name")
    entries = event.entries.order_by("number").values_list(*columns)
    # Number 1: 2 + 1; number 2: pause 2; number 3: pause 2 + 1 + 2.
    assert list(entries) == [
        (1, 12, 3, "Givenam Familyam"), (2, 11, 2, "Givenal Familyal"), (3, 13, 5, "Givenan Familyan")
    ]  # fmt: skip
    columns = ("round", "white__number", "black__number", "white_points", "black_points", "played")
    written = event.games.order_by("pk").values_list(*columns)
    assert list(written) == [
        (1, 1, 2, 2, 0, True), (1, 3, None, 2, 0, False), (2, 1, 3, 1, 1, True), (2, None, 2, 0, 2, False),
        (3, 2, 3, 0, 2, False),
    ]  # fmt: skip
    assert list(event.rounds.order_by("number").values_list("number", "played_on")) == [
        (1, date(2026, 2, 6)), (2, date(2026, 2, 7)), (3, date(2026, 2, 8))
    ]  # fmt: skip


def test_newcomers_get_the_numbers_after_the_largest_in_the_order_of_the_report(office):
    office.register(11, 500)
    players = [office.newcomer("Zora", "Zett", sex="W"), 11, office.newcomer("Anna", "Alpha", country="BEL")]
    report = office.accept("Open", players, GAMES)
    made = Player.objects.filter(numbers__fmjd__gt=500).order_by("numbers__fmjd")
    columns = ("numbers__fmjd", "last_name", "first_name", "sort_name", "federation_id", "sex", "birth_year")
    assert list(made.values_list(*columns)) == [
        (501, "Zett", "Zora", "zett, zora", "NED", "W", 2001),
        (502, "Alpha", "Anna", "alpha, anna", "BEL", "M", 2001),
    ]
    assert set(PersonalData.objects.values_list("player__numbers__fmjd", "born")) == {
        (501, date(2001, 2, 1)), (502, date(2001, 2, 1))
    }  # fmt: skip
    numbers = report.result_set.entries.order_by("number").values_list("player__numbers__fmjd", flat=True)
    assert list(numbers) == [501, 11, 502]
    entry = LogEntry.objects.get(action="report.accept")
    assert (entry.actor, entry.by_command) == (office.officer.user, True)
    assert (entry.before, entry.after["state"]) == ({"state": "submitted"}, "accepted")
    assert entry.after["tournament"] == "2026-open"
    assert entry.after["newcomers"] == [501, 502]


def test_before_the_acceptance_no_one_gets_a_number(office):
    office.register(11)
    office.submit("Open", [11, office.newcomer("Nova", "Kometa")], ["1 1 2 2-0"])
    assert list(Player.objects.values_list("numbers__fmjd", flat=True)) == [11]


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"received": "2026-02-16"}, "late-report"),  # the 8th day after 8 February
        ({"announced": "2026-01-24"}, "not-announced"),  # 13 days before 6 February
    ],
)
def test_a_late_or_unannounced_report_is_accepted_only_with_a_reason_of_the_officer(office, details, code):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, **details)
    before = database_state()
    for reason in ("", "  "):
        refused = refusal(accept_report, report=report, by=office.officer, admitted_reason=reason)
        assert (refused.code, [finding.code for finding in refused.findings]) == ("needs_admission", [code])
    refused = refusal(accept_report, report=report, by=office.director, admitted_reason="the server was down")
    assert refused.code == "forbidden"
    assert database_state() == before
    accepted = accept_report(report=report, by=office.officer, admitted_reason="the server was down")
    assert (accepted.state, accepted.admitted_reason) == ("accepted", "the server was down")
    assert LogEntry.objects.get(action="report.accept").reason == "the server was down"


@pytest.mark.parametrize("value", ["yes", "no"])
def test_an_unannounced_report_that_calls_itself_official_counts_as_it_is_decided(office, value):
    """R11, R78: the tick alone needs an admission; the decision of another person makes it official, or does not."""
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, announced="2026-01-24", official="true")
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "needs_admission"
    assert [found.code for found in refused.findings] == ["not-announced"]
    chosen = [(report.result_set.code, "official", value)]
    decide_tournaments(chosen=chosen, reason="As the calendar of the year says.", by=office.director)
    if value == "yes":
        accepted = accept_report(report=report, by=office.officer)
        assert (accepted.state, accepted.admitted_reason) == ("accepted", "")
    else:
        assert refusal(accept_report, report=report, by=office.officer).code == "needs_admission"


def test_a_command_decides_what_the_details_say_and_then_accepts(office):
    """Decision 0082: the person at the command line says what the federation decided; not for an import alone."""
    office.register(11, 12, 13)
    content = office.report_file("Open", [11, 12, 13], GAMES)
    file = ReportFile("a.txt", content, office.details(announced="2026-01-24", official="true"))
    (imported,) = import_reports(files=[file], accept_as=office.officer, importer=office.importer)
    assert (imported.outcome, imported.report.admitted_reason) == ("accepted", "")
    plain = replace(file, content=file.content + b"\n", sidecar=office.details(announced="2026-01-24"))
    (left,) = import_reports(files=[plain], accept_as=office.officer, importer=office.importer)
    assert left.outcome == "submitted"


@pytest.mark.parametrize("printed", [(1, 2, 3), (1, 2, 2)])
def test_players_who_share_a_place_get_the_first_of_their_group(office, printed):
    """R25, R52a: 11 beats both others, who draw: 4, 1 and 1 points, places 1, 2, 2."""
    office.register(11, 12, 13)
    content = office.report_file("Open", [11, 12, 13], ["1 1 2 2-0", "2 1 3 2-0", "3 2 3 1-1"]).decode()
    for number, place in enumerate(printed, start=1):
        content = re.sub(rf"^(1{number},{number},,)0,", rf"\g<1>{place},", content, flags=re.MULTILINE)

    def uploaded(**details):
        sidecar = office.details(**details)
        return upload_report(content=content.encode(), filename="x.txt", sidecar=sidecar, by=office.referee)

    unsaid = {finding.code for finding in uploaded().matching.findings} & {"place-repeated"}
    assert unsaid == ({"place-repeated"} if printed == (1, 2, 2) else set())
    shared = uploaded(shared_places='["2-3"]')
    report = submit_report(report=shared.report, comments=office.comments(shared), by=office.referee)
    accept_report(report=report, by=office.officer)
    assert list(Entry.objects.order_by("number").values_list("place", flat=True)) == [1, 2, 2]


def test_a_hole_in_a_swiss_is_incomplete_and_asks_for_admission_as_a_missing_round_does(office):
    """R11: players 13 and 14 have no result in round 2 but one in round 3."""
    office.register(11, 12, 13, 14)
    games = ["1 1 2 2-0", "1 3 4 2-0", "2 1 3 2-0", "2 2 4 2-0", "3 1 4 2-0", "3 2 3 1-1"]
    whole = office.submit("Whole Swiss", [11, 12, 13, 14], games, system='"swiss"')
    assert accept_report(report=whole, by=office.director).admitted_reason == ""
    holed = [games[0], games[1], "2 1 2 1-1", *games[4:]]
    report = office.submit("Swiss with a hole", [11, 12, 13, 14], holed, system='"swiss"')
    another = {"different_because": "another weekend", "by": office.officer}
    refused = refusal(accept_report, report=report, **another)
    assert refused.code == "needs_admission"
    assert {finding.code for finding in refused.findings} == {"result-missing"}
    accepted = accept_report(report=report, admitted_reason="two players were ill", **another)
    assert accepted.admitted_reason == "two players were ill"


@pytest.mark.parametrize("details", [{"received": "2026-02-15"}, {"announced": "2026-01-23"}])
def test_a_report_of_the_seventh_day_announced_fourteen_days_before_needs_none(office, details):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, **details)
    accepted = accept_report(report=report, by=office.director, admitted_reason="not asked for")
    assert (accepted.state, accepted.admitted_reason) == ("accepted", "")


# --- a folder of reports


def imported(office, *reports):
    files = [
        ReportFile(filename, office.report_file(name, players, GAMES), details)
        for filename, name, players, details in reports
    ]
    done = import_reports(files=files, accept_as=office.officer, importer=office.importer)
    return {imported.filename: imported for imported in done}


def test_a_folder_is_submitted_by_file_name_and_newcomers_numbered_by_tournament(office):
    """Code-point order: B before a. The tournaments are numbered 1, 2; with a number given, newcomers follow that."""
    office.register(11, 12)
    nova, mira = office.newcomer("Nova", "Kometa"), office.newcomer("Mira", "Zvezda")
    done = imported(
        office,
        ("a.txt", "Second", [11, 12, nova], office.details()),
        ("B.txt", "First", [11, 12, mira], office.details()),
    )
    assert (done["a.txt"].outcome, done["B.txt"].outcome) == ("accepted", "accepted")
    tournaments = ResultSet.objects.order_by("number").values_list("number", "name")
    assert list(tournaments) == [(1, "First"), (2, "Second")]
    new = Player.objects.filter(numbers__fmjd__gt=12).order_by("numbers__fmjd")
    assert list(new.values_list("last_name", flat=True)) == ["Zvezda", "Kometa"]


def test_a_given_number_decides_who_of_the_newcomers_comes_first(office):
    office.register(11, 12)
    nova, mira = office.newcomer("Nova", "Kometa"), office.newcomer("Mira", "Zvezda")
    imported(
        office,
        ("a.txt", "A", [11, 12, nova], office.details(number="9")),
        ("b.txt", "B", [11, 12, mira], office.details(number="4")),
    )
    new = Player.objects.filter(numbers__fmjd__gt=12).order_by("numbers__fmjd")
    assert list(new.values_list("last_name", flat=True)) == ["Zvezda", "Kometa"]


def test_one_bad_file_leaves_nothing_behind_and_the_others_go_on(office):
    office.register(11, 12, 13)
    late, admitted = {"received": "2026-03-01"}, {"received": "2026-03-01", "admit": '"flood"'}
    done = imported(
        office,
        ("a.txt", "Errors", [11, 12, 99], office.details()),
        ("b.txt", "No details", [11, 12, 13], None),
        ("c.txt", "Unknown detail", [11, 12, 13], office.details(wind='"north"')),
        ("d.txt", "Late", [11, 12, 13], office.details(**late)),
        ("e.txt", "Late but admitted", [11, 12, 13], office.details(**admitted)),
        ("f.txt", "Good", [11, 12, 13], office.details(different_tournament='"the second group"')),
        ("g.txt", "Again", [11, 12, 13], office.details()),
    )
    assert {name: imported.outcome for name, imported in done.items()} == {
        "a.txt": "refused", "b.txt": "refused", "c.txt": "refused", "d.txt": "submitted", "e.txt": "accepted",
        "f.txt": "accepted", "g.txt": "submitted",
    }  # fmt: skip
    found = {name: {finding.code for finding in imported.findings} for name, imported in done.items()}
    assert "fmjd-id-unknown" in found["a.txt"]
    assert found["b.txt"] == {"detail-missing"}
    assert "detail-unknown" in found["c.txt"]
    assert found["d.txt"] == {"late-report"}
    assert found["g.txt"] == {"looks-reported"}
    assert set(Report.objects.values_list("result_set__name", "state")) == {
        ("Late", "submitted"), ("Late but admitted", "accepted"), ("Good", "accepted"),
        ("Again", "submitted"),
    }  # fmt: skip
    assert ReportVersion.objects.count() == 4
    assert Report.objects.get(result_set__name="Late but admitted").admitted_reason == "flood"


def test_warnings_are_answered_with_who_imported(office):
    office.register(11, 12, 13)
    imported(office, ("a.txt", "Open", [11, 12, 13], office.details()))
    assert set(WarningComment.objects.values_list("text", "by__email")) == {
        ("imported by importer@office.invalid", "importer@office.invalid")
    }


@pytest.mark.django_db(transaction=True)
def test_facts_edited_while_the_office_accepts_do_not_undo_the_acceptance(office):
    """The acceptance holds the report when the corrected details arrive: they wait for it and then find it accepted."""
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    file = {"content": office.report_file("Open", [11, 12, 13], GAMES), "filename": "open.txt"}
    details = office.details(referee='"Another"')
    found = []

    def edit():
        try:
            found.append(upload_report(**file, sidecar=details, by=office.referee))
        finally:
            connection.close()

    editing = Thread(target=edit)
    with transaction.atomic():
        accept_report(report=report, by=office.officer)
        editing.start()
        wait_for_lock()
    editing.join(30)
    assert [(upload.already_there, upload.report.state) for upload in found] == [(True, "accepted")]
    report.refresh_from_db()
    assert report.state == "accepted"
    assert report.versions.count() == 1
