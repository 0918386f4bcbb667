"""A report's way: uploaded, handed in, accepted; what each step keeps, asks, refuses and records (R20 to R24, U6)."""

import hashlib
import time
from datetime import date
from threading import Thread

import pytest
from django.db import connection, transaction

from reporting.errors import DomainError
from reporting.models import (
    Entry,
    Game,
    LogEntry,
    PersonalData,
    Player,
    Report,
    ReportVersion,
    Role,
    Round,
    Tournament,
    User,
    WarningAnswer,
)
from reporting.rules.findings import Severity
from reporting.services.audit import Actor
from reporting.services.import_register import import_register
from reporting.services.import_reports import ReportFile, import_reports
from reporting.services.parse import read_submission
from reporting.services.review import accept_report
from reporting.services.submit import submit_report
from reporting.services.upload import upload_report
from reporting.services.validate import match_players

pytestmark = pytest.mark.django_db

GAMES = ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]


def refusal(call, *args, **kwargs):
    with pytest.raises(DomainError) as refused:
        call(*args, **kwargs)
    return refused.value


def codes(uploaded, severity=None):
    return [finding.code for finding in uploaded.matching.findings if severity in (None, finding.severity)]


def state_of_the_office():
    models = (
        Report,
        ReportVersion,
        WarningAnswer,
        Tournament,
        Entry,
        Game,
        Round,
        Player,
        PersonalData,
        LogEntry,
    )
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


# --- upload


def test_an_upload_keeps_the_bytes_and_their_digest_and_the_facts_beside_them(office):
    office.register(11, 12, 13)
    content = office.report_file("Open", [11, 12, 13], GAMES)
    sidecar = office.facts()
    uploaded = upload_report(content=content, filename="open.txt", sidecar=sidecar, by=office.referee)
    version = ReportVersion.objects.get()
    assert bytes(version.content) == content
    assert bytes(version.sidecar) == sidecar
    assert version.sha256 == hashlib.sha256(content).hexdigest()
    assert (version.number, version.filename, version.format, version.encoding) == (
        1,
        "open.txt",
        "fmjd",
        "utf-8",
    )
    assert (uploaded.report.state, uploaded.report.submitted_by) == ("draft", office.referee.user)
    assert uploaded.report.tournament is None
    assert not uploaded.already_there
    entry = LogEntry.objects.get(action="report.upload")
    assert (entry.actor, entry.subject, entry.by_command) == (
        office.referee.user,
        f"report {uploaded.report.pk}",
        False,
    )
    assert entry.after["sha256"] == version.sha256


def test_the_same_bytes_again_are_already_there_whatever_their_name_and_sender(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    before = state_of_the_office()
    second = upload_report(
        content=office.report_file("Open", [11, 12, 13], GAMES),
        filename="other.txt",
        sidecar=bytes(first.version.sidecar),
        by=office.director,
    )
    assert second.already_there
    assert (second.report, second.version) == (first.report, first.version)
    assert state_of_the_office() == before


def test_a_report_with_errors_is_kept_as_a_draft_with_its_bytes(office):
    """Nothing uploaded is lost (R22): an unknown FMJD-ID, a player against himself and facts that say nothing."""
    content = office.report_file("Open", [11, 12], ["1 1 1 2-0"])
    uploaded = upload_report(content=content, filename="open.txt", sidecar=b"", by=office.referee)
    assert {"fmjd-id-unknown", "self-play", "fact-missing"} <= set(codes(uploaded, Severity.ERROR))
    version = ReportVersion.objects.get()
    assert bytes(version.content) == content
    assert [finding["code"] for finding in version.findings] == codes(uploaded)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"PK\x03\x04", b"nothing of the sort", b"\0" * 100]
)
def test_bytes_that_are_no_report_are_kept_too_and_said_to_be_none(office, content):
    uploaded = upload_report(content=content, filename="x", sidecar=office.facts(), by=office.referee)
    assert codes(uploaded, Severity.ERROR)
    assert bytes(ReportVersion.objects.get().content) == content
    assert refusal(submit_report, report=uploaded.report, answers={}, by=office.referee).code == "has_errors"


@pytest.mark.parametrize("role", [Role.RELEASING_OFFICER, Role.TITLE_COUNCIL, Role.ADMINISTRATOR])
def test_who_has_no_reports_to_send_uploads_none(office, role):
    somebody = Actor(User.objects.create_user("somebody@example.org", "Somebody", roles=[role]))
    assert refusal(office.upload, "Open", [], [], by=somebody).code == "forbidden"
    assert not Report.objects.exists()


# --- who the players are


def test_players_are_known_by_their_fmjd_id(office):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [13, 11, 12], GAMES)
    assert {number: player.fmjd_id for number, player in uploaded.matching.players.items()} == {
        1: 13,
        2: 11,
        3: 12,
    }


def test_an_fmjd_id_that_does_not_exist_is_an_error_with_its_line_and_column(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 99], GAMES)
    (finding,) = [each for each in uploaded.matching.findings if each.code == "fmjd-id-unknown"]
    # 13 lines up to <section players>, then number 1, 2 and 3.
    assert (finding.severity, finding.line, finding.column, finding.found) == (Severity.ERROR, 17, 1, "99")
    assert uploaded.matching.players[3] is None


@pytest.mark.parametrize(
    ("player", "field"),
    [
        ("11,1,,0,2,Wrong,Familyal,NED,,", "name"),
        ("11,1,,0,2,Givenal,Familyal,BEL,,", "country"),
        ("11,1,,0,2,Givenal,Familyal,NED,,W", "sex"),
        ("11,1,,0,2,Givenal,Familyal,NED,01/02/1991,", "born"),
    ],
)
def test_what_the_register_says_differently_is_a_warning(office, player, field):
    office.register(11, 12)  # 11 is Givenal Familyal of NED, a man born in 1990
    assert office.names[11] == ("Givenal", "Familyal")
    right = "11,1,,0,2,Givenal,Familyal,NED,,"
    content = office.report_file("Open", [11, 12], ["1 1 2 2-0"])
    assert right.encode() in content
    taken = upload_report(content=content, filename="a", sidecar=office.facts(), by=office.referee)
    assert "register-differs" not in codes(taken)  # the twin
    uploaded = upload_report(
        content=content.replace(right.encode(), player.encode()),
        filename="b",
        sidecar=office.facts(),
        by=office.referee,
    )
    (finding,) = [each for each in uploaded.matching.findings if each.code == "register-differs"]
    assert (finding.severity, finding.field, finding.line) == (Severity.WARNING, field, 15)
    assert uploaded.matching.players[1].fmjd_id == 11  # the number decides


def test_a_newcomer_who_looks_like_a_registered_player_is_a_warning_that_names_him(office):
    office.register(11, 12)
    namesake = office.newcomer("GIVENAL", "Familyal", country="BEL")
    uploaded = office.upload("Open", [namesake, office.newcomer("Nova", "Kometa"), 12], GAMES)
    (finding,) = [each for each in uploaded.matching.findings if each.code == "looks-registered"]
    assert (finding.severity, finding.line) == (Severity.WARNING, 15)
    assert "11 (Familyal, Givenal, NED, born 1990: the same name)" in finding.expected
    assert uploaded.matching.players == {1: None, 2: None, 3: Player.objects.get(fmjd_id=12)}


def test_one_person_entered_twice_is_an_error(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 11], GAMES)
    (finding,) = [each for each in uploaded.matching.findings if each.code == "player-entered-twice"]
    assert (finding.severity, finding.line) == (Severity.ERROR, 17)


CROSSTABLE = (
    ";Tournament table\nOpen\nPlace;S.No.;Title;Name;Fed.;FMJD;Total;R1\n"
    "1;1;;{first};{federation};2000;2;2w2\n2;2;;Familyam, Givenam;NED;2000;0;1b0\n"
)


FACTS_OF_THE_CROSSTABLE = (
    b'name = "Open"\nplayed_from = 2026-02-06\nplayed_to = 2026-02-08\nsystem = "other"\n'
)


def crosstable(office, first, federation="NED"):
    return upload_report(
        content=CROSSTABLE.format(first=first, federation=federation).encode(),
        filename="open.csv",
        sidecar=office.facts() + FACTS_OF_THE_CROSSTABLE,
        by=office.referee,
    )


@pytest.mark.parametrize("written", ["Familyal, Givenal", "FAMILYAL, givenal", "Familyál, Givenal"])
def test_in_a_program_s_export_a_name_of_one_player_of_that_federation_is_that_player(office, written):
    office.register(11, 12)
    uploaded = crosstable(office, written)
    assert {number: player.fmjd_id for number, player in uploaded.matching.players.items()} == {1: 11, 2: 12}
    assert not codes(uploaded, Severity.ERROR)


@pytest.mark.parametrize(
    ("written", "federation"),
    [("Familyxx, Givenal", "NED"), ("Familyal, Givenal", "BEL")],
)
def test_a_name_that_is_not_found_under_that_federation_is_asked_for_not_guessed(office, written, federation):
    office.register(11, 12)
    uploaded = crosstable(office, written, federation)
    assert uploaded.matching.players[1] is None
    assert "player-not-identified" in codes(uploaded, Severity.ERROR)


def test_two_players_of_one_name_and_federation_are_asked_for_and_the_facts_decide(office):
    office.register(11, 12)
    table = "fmjd_id,last_name,first_name,federation,sex,born\n71,Familyal,Givenal,NED,M,2001\n"
    import_register(content=table.encode(), by=office.officer)
    uploaded = crosstable(office, "Familyal, Givenal")
    (finding,) = [each for each in uploaded.matching.findings if each.code == "player-not-identified"]
    assert "11 (Familyal, Givenal" in finding.expected
    assert "71 (Familyal, Givenal" in finding.expected
    assert uploaded.matching.players[1] is None
    content = CROSSTABLE.format(first="Familyal, Givenal", federation="NED").encode()
    told = office.facts() + FACTS_OF_THE_CROSSTABLE + b"[players]\n1 = 71\n"
    submission = read_submission(content=content, sidecar=told, today=date(2026, 2, 9))
    assert match_players(submission).players[1].fmjd_id == 71


# --- handing in


def test_a_report_is_handed_in_with_an_answer_to_each_warning(office):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    warned = office.answers(uploaded)
    assert warned  # fewer than seven rounds
    report = submit_report(report=uploaded.report, answers=warned, by=office.referee)
    assert report.state == "submitted"
    assert report.first_submitted_at is not None
    kept = WarningAnswer.objects.order_by("finding").values_list("version", "finding", "text", "by")
    assert list(kept) == [
        (uploaded.version.pk, place, "so it is", office.referee.user.pk) for place in sorted(warned)
    ]
    entry = LogEntry.objects.get(action="report.submit")
    assert (entry.actor, entry.before) == (office.referee.user, {"state": "draft"})
    assert entry.after == {"state": "submitted", "tournament": "2026-open", "warnings_answered": len(warned)}


@pytest.mark.parametrize("word", [None, "", "   "])
def test_a_warning_without_a_word_stops_the_handing_in_and_is_named(office, word):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    answers = office.answers(uploaded)
    place = max(answers)
    answers[place] = word
    if word is None:
        del answers[place]
    before = state_of_the_office()
    refused = refusal(submit_report, report=uploaded.report, answers=answers, by=office.referee)
    assert refused.code == "warnings_unanswered"
    assert refused.findings == (uploaded.matching.findings[place],)
    assert state_of_the_office() == before


def test_an_error_stops_the_handing_in_whatever_is_answered(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 99], GAMES)
    everything = dict.fromkeys(range(len(uploaded.matching.findings)), "so it is")
    before = state_of_the_office()
    refused = refusal(submit_report, report=uploaded.report, answers=everything, by=office.referee)
    assert refused.code == "has_errors"
    assert {finding.severity for finding in refused.findings} == {Severity.ERROR}
    assert "fmjd-id-unknown" in {finding.code for finding in refused.findings}
    assert state_of_the_office() == before


def test_answers_to_findings_that_have_changed_are_not_taken_for_answers_to_others(office):
    """Between upload and handing in the register made player 11 a Belgian: there is a new warning before the old."""
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    assert codes(uploaded) == ["few-rounds"]
    table = "fmjd_id,last_name,first_name,federation,sex,born\n11,Familyal,Givenal,BEL,M,1990\n"
    import_register(content=table.encode(), by=office.officer)
    answers = {0: "it was a weekend"}
    refused = refusal(submit_report, report=uploaded.report, answers=answers, by=office.referee)
    assert refused.code == "findings_changed"
    assert [finding.code for finding in refused.findings] == ["register-differs", "few-rounds"]
    assert not WarningAnswer.objects.exists()
    assert not Tournament.objects.exists()
    first, second = ReportVersion.objects.order_by("number")
    assert (second.number, bytes(second.content), second.sha256) == (2, bytes(first.content), first.sha256)
    assert [finding["code"] for finding in first.findings] == ["few-rounds"]
    assert [finding["code"] for finding in second.findings] == ["register-differs", "few-rounds"]
    # Looked at again and answered as they are now.
    answers = {0: "he moved", 1: "it was a weekend"}
    assert submit_report(report=uploaded.report, answers=answers, by=office.referee).state == "submitted"
    assert list(WarningAnswer.objects.order_by("finding").values_list("version", "text")) == [
        (second.pk, "he moved"), (second.pk, "it was a weekend")
    ]  # fmt: skip


def test_a_returned_report_keeps_its_first_instant_and_its_tournament(office):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    first_submitted = report.first_submitted_at
    Report.objects.filter(pk=report.pk).update(state="returned")
    version = report.versions.get()
    ReportVersion.objects.create(
        report=report, number=2, filename=version.filename, content=version.content, sha256=version.sha256,
        sidecar=office.facts(official="true"), format=version.format, encoding=version.encoding,
        findings=version.findings, created_by=office.referee.user,
    )  # fmt: skip
    again = submit_report(report=report, answers={0: "a weekend"}, by=office.referee)
    assert (again.state, again.first_submitted_at) == ("submitted", first_submitted)
    event = Tournament.objects.get()
    assert (again.tournament, event.code, event.number, event.official) == (event, "2026-open", 1, True)


def test_a_report_is_handed_in_once(office):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    assert refusal(submit_report, report=report, answers={}, by=office.referee).code == "wrong_state"


def test_another_referee_does_not_hand_in_my_report_but_the_office_may(office):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    other = Actor(User.objects.create_user("other@example.org", "Other", roles=[Role.REFEREE]))
    answers = office.answers(uploaded)
    assert refusal(submit_report, report=uploaded.report, answers=answers, by=other).code == "forbidden"
    assert submit_report(report=uploaded.report, answers=answers, by=office.director).state == "submitted"


def test_the_tournament_gets_its_facts_its_code_and_the_next_number(office):
    office.register(11, 12, 13)
    office.submit("First", [11, 12, 13], GAMES, number="7")
    report = office.submit(
        "Ouagadougou Open 2026", [11, 12, 13], GAMES, time_control='"80+30"', system='"round-robin"', place='"Breda"',
        official="true", rounds="[2026-02-06, 2026-02-08]",
    )  # fmt: skip
    event = report.tournament
    assert event.code == "2026-ouagadougou-open"  # the year once, in front
    assert event.number == 8  # one above the largest so far
    assert (event.played_from, event.played_to) == (date(2026, 2, 6), date(2026, 2, 8))
    assert (event.time_control, event.seconds_for_60_moves) == ("80+30", 6600)  # 80 min + 60 × 30 s
    assert (event.system, event.place, event.official, event.country_id) == (
        "round-robin",
        "Breda",
        True,
        "NED",
    )


def test_tournaments_of_one_name_and_year_get_codes_of_their_own(office):
    office.register(11, 12, 13)
    made = [
        office.submit(name, [11, 12, 13], games).tournament.code
        for name, games in [("Open", GAMES), ("OPEN", GAMES), ("Open", GAMES[:2])]
    ]
    assert made == ["2026-open", "2026-open-2", "2026-open-3"]


# --- accepting


def test_an_accepted_report_is_written_game_by_game(office):
    office.register(11, 12, 13)
    games = ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2", "3 2 3 0x2"]
    report = office.accept("Open", [12, 11, 13], games, rounds="[2026-02-06, 2026-02-07, 2026-02-08]")
    event = report.tournament
    assert (report.state, report.accepted_version.number) == ("accepted", 1)
    entries = event.entries.order_by("number").values_list(
        "number", "player__fmjd_id", "points_printed", "reported_name"
    )
    # Number 1: 2 + 1; number 2: pause 2; number 3: pause 2 + 1 + 2.
    assert list(entries) == [
        (1, 12, 3, "Givenam Familyam"), (2, 11, 2, "Givenal Familyal"), (3, 13, 5, "Givenan Familyan")
    ]  # fmt: skip
    written = event.games.order_by("pk").values_list(
        "round", "white__number", "black__number", "white_points", "black_points", "played"
    )
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
    made = Player.objects.filter(fmjd_id__gt=500).order_by("fmjd_id")
    columns = ("fmjd_id", "last_name", "first_name", "sort_name", "federation_id", "sex", "birth_year")
    assert list(made.values_list(*columns)) == [
        (501, "Zett", "Zora", "zett, zora", "NED", "W", 2001),
        (502, "Alpha", "Anna", "alpha, anna", "BEL", "M", 2001),
    ]
    assert set(PersonalData.objects.values_list("player__fmjd_id", "born")) == {
        (501, date(2001, 2, 1)), (502, date(2001, 2, 1))
    }  # fmt: skip
    numbers = report.tournament.entries.order_by("number").values_list("player__fmjd_id", flat=True)
    assert list(numbers) == [501, 11, 502]
    entry = LogEntry.objects.get(action="report.accept")
    assert (entry.actor, entry.by_command) == (office.officer.user, True)
    assert (entry.before, entry.after["state"]) == ({"state": "submitted"}, "accepted")
    assert entry.after["tournament"] == "2026-open"
    assert entry.after["newcomers"] == [501, 502]


def test_before_the_acceptance_nobody_gets_a_number(office):
    office.register(11)
    office.submit("Open", [11, office.newcomer("Nova", "Kometa")], ["1 1 2 2-0"])
    assert list(Player.objects.values_list("fmjd_id", flat=True)) == [11]


def test_nobody_accepts_his_own_report_not_even_the_office(office):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, by=office.director)
    before = state_of_the_office()
    assert refusal(accept_report, report=report, by=office.director).code == "own_report"
    assert state_of_the_office() == before
    assert accept_report(report=report, by=office.officer).state == "accepted"


@pytest.mark.parametrize("role", set(Role) - {Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR})
def test_only_the_office_accepts(office, role):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    somebody = Actor(User.objects.create_user("somebody@example.org", "Somebody", roles=[role]))
    assert refusal(accept_report, report=report, by=somebody).code == "forbidden"


def test_a_draft_and_an_accepted_report_are_not_accepted(office):
    office.register(11, 12, 13)
    draft = office.upload("Draft", [11, 12, 13], GAMES).report
    assert refusal(accept_report, report=draft, by=office.officer).code == "wrong_state"
    accepted = office.accept("Open", [11, 12, 13], GAMES)
    assert refusal(accept_report, report=accepted, by=office.officer).code == "wrong_state"


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"received": "2026-02-16"}, "late-report"),  # the 8th day after 8 February
        ({"announced": "2026-01-24"}, "not-announced"),  # 13 days before 6 February
    ],
)
def test_a_late_or_unannounced_report_is_accepted_only_with_a_reason_of_the_rating_officer(
    office, facts, code
):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, **facts)
    before = state_of_the_office()
    for reason in ("", "  "):
        refused = refusal(accept_report, report=report, by=office.officer, admitted_reason=reason)
        assert (refused.code, [finding.code for finding in refused.findings]) == ("needs_admission", [code])
    refused = refusal(accept_report, report=report, by=office.director, admitted_reason="the server was down")
    assert refused.code == "forbidden"
    assert state_of_the_office() == before
    accepted = accept_report(report=report, by=office.officer, admitted_reason="the server was down")
    assert (accepted.state, accepted.admitted_reason) == ("accepted", "the server was down")
    assert LogEntry.objects.get(action="report.accept").reason == "the server was down"


@pytest.mark.parametrize("facts", [{"received": "2026-02-15"}, {"announced": "2026-01-23"}])
def test_a_report_of_the_seventh_day_announced_fourteen_days_before_needs_none(office, facts):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES, **facts)
    accepted = accept_report(report=report, by=office.director, admitted_reason="not asked for")
    assert (accepted.state, accepted.admitted_reason) == ("accepted", "")


# --- a folder of reports


def files(office, *reports):
    return [
        ReportFile(filename, office.report_file(name, players, GAMES), facts)
        for filename, name, players, facts in reports
    ]


def imported(office, files, accept=True):
    done = import_reports(files=files, accept_as=office.officer if accept else None, importer=office.importer)
    return {each.filename: each for each in done}


def test_a_folder_is_handed_in_by_file_name_and_newcomers_numbered_by_tournament(office):
    """Code-point order: B before a. The tournaments are numbered 1, 2; with a number given, newcomers follow that."""
    office.register(11, 12)
    nova, mira = office.newcomer("Nova", "Kometa"), office.newcomer("Mira", "Zvezda")
    done = imported(
        office,
        files(
            office,
            ("a.txt", "Second", [11, 12, nova], office.facts()),
            ("B.txt", "First", [11, 12, mira], office.facts()),
        ),
    )
    assert {name: each.outcome for name, each in done.items()} == {"a.txt": "accepted", "B.txt": "accepted"}
    assert list(Tournament.objects.order_by("number").values_list("number", "name")) == [
        (1, "First"),
        (2, "Second"),
    ]
    assert list(Player.objects.filter(fmjd_id__gt=12).order_by("fmjd_id").values_list("last_name", flat=True)) == [
        "Zvezda", "Kometa"
    ]  # fmt: skip


def test_a_given_number_decides_who_of_the_newcomers_comes_first(office):
    office.register(11, 12)
    nova, mira = office.newcomer("Nova", "Kometa"), office.newcomer("Mira", "Zvezda")
    imported(
        office,
        files(
            office,
            ("a.txt", "A", [11, 12, nova], office.facts(number="9")),
            ("b.txt", "B", [11, 12, mira], office.facts(number="4")),
        ),
    )
    assert list(Player.objects.filter(fmjd_id__gt=12).order_by("fmjd_id").values_list("last_name", flat=True)) == [
        "Zvezda", "Kometa"
    ]  # fmt: skip


def test_one_bad_file_leaves_nothing_behind_and_the_others_go_on(office):
    office.register(11, 12, 13)
    done = imported(
        office,
        files(
            office,
            ("a.txt", "Errors", [11, 12, 99], office.facts()),
            ("b.txt", "No facts", [11, 12, 13], None),
            ("c.txt", "Unknown fact", [11, 12, 13], office.facts(wind='"north"')),
            ("d.txt", "Late", [11, 12, 13], office.facts(received="2026-03-01")),
            (
                "e.txt",
                "Late but admitted",
                [11, 12, 13],
                office.facts(received="2026-03-01", admit='"flood"'),
            ),
            ("f.txt", "Good", [11, 12, 13], office.facts()),
        ),
    )
    assert {name: each.outcome for name, each in done.items()} == {
        "a.txt": "refused", "b.txt": "refused", "c.txt": "refused", "d.txt": "submitted", "e.txt": "accepted",
        "f.txt": "accepted",
    }  # fmt: skip
    found = {name: {finding.code for finding in each.findings} for name, each in done.items()}
    assert "fmjd-id-unknown" in found["a.txt"]
    assert found["b.txt"] == {"fact-missing"}
    assert "fact-unknown" in found["c.txt"]
    assert found["d.txt"] == {"late-report"}
    assert set(Report.objects.values_list("tournament__name", "state")) == {
        ("Late", "submitted"), ("Late but admitted", "accepted"), ("Good", "accepted")
    }  # fmt: skip
    assert ReportVersion.objects.count() == 3
    assert Report.objects.get(tournament__name="Late but admitted").admitted_reason == "flood"


def test_warnings_are_answered_with_who_imported(office):
    office.register(11, 12, 13)
    imported(office, files(office, ("a.txt", "Open", [11, 12, 13], office.facts())))
    assert set(WarningAnswer.objects.values_list("text", "by__email")) == {
        ("imported by importer@office.invalid", "importer@office.invalid")
    }


def test_a_second_import_finds_everything_there_and_changes_nothing(office):
    office.register(11, 12, 13)
    folder = files(office, ("a.txt", "Open", [11, 12, 13], office.facts()))
    imported(office, folder)
    before = state_of_the_office()
    again = imported(office, folder)
    assert again["a.txt"].outcome == "already there"
    assert again["a.txt"].report == Report.objects.get()
    assert state_of_the_office() == before


def test_without_accepting_the_reports_stay_submitted(office):
    office.register(11, 12, 13)
    done = imported(office, files(office, ("a.txt", "Open", [11, 12, 13], office.facts())), accept=False)
    assert done["a.txt"].outcome == "submitted"
    assert Report.objects.get().state == "submitted"
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_facts_mended_while_the_office_accepts_do_not_undo_the_acceptance(office):
    """The acceptance holds the report when the mended facts arrive: they wait for it and then find it accepted."""
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    content, facts = office.report_file("Open", [11, 12, 13], GAMES), office.facts(referee='"Another"')
    found = []

    def mend():
        try:
            found.append(
                upload_report(content=content, filename="open.txt", sidecar=facts, by=office.referee)
            )
        finally:
            connection.close()

    mending = Thread(target=mend)
    with transaction.atomic():
        accept_report(report=report, by=office.officer)
        mending.start()
        wait_for_a_lock()
    mending.join(30)
    assert [(upload.already_there, upload.report.state) for upload in found] == [(True, "accepted")]
    report.refresh_from_db()
    assert report.state == "accepted"
    assert report.versions.count() == 1


def wait_for_a_lock():
    """Until another connection waits for the end of a transaction, which here is our own."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.02)
    raise AssertionError("nobody waited for the acceptance")
