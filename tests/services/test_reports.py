"""A report's way to the office: uploaded and submitted; what is kept, asked, refused and recorded (R20 to R23)."""

import hashlib
from dataclasses import replace
from datetime import date, timedelta

import pytest

from reporting.formats.text.edit_lines import Edit
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.log.audit import Actor
from reporting.models import LogEntry, Message, Report, ReportVersion, ResultSet, Role, WarningComment
from reporting.register.services.import_register import import_register
from reporting.reports.services.edit_report import edit_report_lines, edit_tournament_details, restore_version
from reporting.reports.services.review import Remark, accept_report, reject_report, return_report
from reporting.reports.services.submit import submit_report, take_back_report, withdraw_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings.finding_list import Severity
from tests.people import create_user
from tests.services.report_helpers import GAMES, codes, database_state, refusal

pytestmark = pytest.mark.django_db


# --- upload


def test_an_upload_keeps_the_bytes_and_their_digest_and_the_details_next_to_them(office):
    office.register(11, 12, 13)
    content = office.report_file("Open", [11, 12, 13], GAMES)
    sidecar = office.details()
    uploaded = upload_report(content=content, filename="open.txt", sidecar=sidecar, by=office.referee)
    version = ReportVersion.objects.get()
    assert bytes(version.content) == content
    assert bytes(version.sidecar) == sidecar
    assert version.sha256 == hashlib.sha256(content).hexdigest()
    assert (version.number, version.filename) == (1, "open.txt")
    assert (version.format, version.encoding) == ("fmjd", "utf-8")
    assert (uploaded.report.state, uploaded.report.submitted_by) == ("draft", office.referee.user)
    assert uploaded.report.result_set is None
    assert not uploaded.already_there
    entry = LogEntry.objects.get(action="report.upload")
    assert (entry.actor, entry.by_command) == (office.referee.user, False)
    assert entry.subject == f"report {uploaded.report.pk}"
    assert entry.after["sha256"] == version.sha256


def test_the_same_bytes_of_one_person_again_are_already_there_whatever_their_name(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    before = database_state()
    second = sent_again(office, first, office.referee)
    assert second.already_there
    assert (second.report, second.version) == (first.report, first.version)
    assert database_state() == before


@pytest.mark.parametrize("state", ["submitted", "returned", "rejected", "accepted"])
@pytest.mark.parametrize("given", [b"", b'discipline = "100"\n'])
def test_the_same_file_with_no_other_details_changes_nothing(office, state, given):
    """R24b: neither state nor details; also where the file is uploaded with a part of the details."""
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    if state == "returned":
        return_report(report=report, remarks=[Remark("so")], by=office.officer)
    elif state == "rejected":
        reject_report(report=report, reason="so", by=office.officer)
    elif state == "accepted":
        accept_report(report=report, by=office.officer)
    before = database_state()
    content = bytes(report.versions.get().content)
    again = upload_report(content=content, filename="x", sidecar=given, by=office.referee)
    assert (again.report, again.already_there, again.details_left) == (report, True, False)
    assert database_state() == before


def test_other_details_with_a_known_file_are_added_to_a_draft_and_left_by_a_submitted_report(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES, referee='"Jan Pen"')
    file = {"content": bytes(first.version.content), "filename": "x", "by": office.referee}
    added = upload_report(**file, sidecar=b'assistant_referees = "Piet Fluit"\n')
    assert (added.report, added.version.number, added.already_there) == (first.report, 2, False)
    values = read_sidecar(bytes(added.version.sidecar)).values
    assert (values["referee"], values["assistant_referees"]) == ("Jan Pen", "Piet Fluit")
    report = submit_report(report=first.report, comments=office.comments(added), by=office.referee)
    before = database_state()
    left = upload_report(**file, sidecar=b'assistant_referees = "No one"\n')
    assert (left.report, left.already_there, left.details_left) == (report, True, True)
    assert database_state() == before


def test_a_file_of_an_earlier_version_does_not_undo_the_later_ones(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    edit_report_lines(report=first.report, based_on=1, edits=[Edit(2, 8, 4, "Gala")], by=office.referee)
    before = database_state()
    again = sent_again(office, first, office.referee)
    assert (again.report, again.already_there) == (first.report, True)
    assert database_state() == before


def test_an_earlier_version_is_restored_with_its_file_and_its_details(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    edit_report_lines(report=first.report, based_on=1, edits=[Edit(2, 8, 4, "Gala")], by=office.referee)
    edit_tournament_details(report=first.report, based_on=2, values={"place": "Ghent"}, by=office.referee)
    restored = restore_version(report=first.report, based_on=3, number=1, by=office.referee).version
    assert restored.number == 4
    assert bytes(restored.content) == bytes(first.version.content)
    assert bytes(restored.sidecar) == bytes(first.version.sidecar)
    restore = {"report": first.report, "by": office.referee}
    for based_on, number in ((3, 2), (4, 9)):
        refused = refusal(restore_version, **restore, based_on=based_on, number=number)
        assert refused.code == "version_changed"
    submit_report(report=first.report, comments=office.comments(first), by=office.referee)
    assert refusal(restore_version, **restore, based_on=4, number=2).code == "wrong_state"


@pytest.mark.parametrize("by", ["referee", "director"])
@pytest.mark.parametrize("act", [take_back_report, withdraw_report])
def test_office_and_referee_get_a_message_of_what_takes_a_report_out_of_the_inbox(office, act, by):
    """R24b: all but the person who did it; a draft that is withdrawn tells no one."""
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    actor = getattr(office, by)
    act(report=report, reason="a wrong result", by=actor)
    messages = Message.objects.filter(kind=Message.Kind.REPORT_LEFT_OFFICE)
    everyone = {office.director.user, office.referee.user}  # the officer acts by commands
    assert {message.recipient for message in messages} == everyone - {actor.user}
    assert all("a wrong result" in message.text for message in messages)
    entry = LogEntry.objects.latest("pk")
    assert (entry.before, entry.reason) == ({"state": "submitted"}, "a wrong result")
    assert refusal(take_back_report, report=report, by=office.referee).code == "wrong_state"


def test_a_report_taken_back_again_is_one_message_an_hour_and_so_many_a_day(office, monkeypatch):
    monkeypatch.setattr("reporting.reports.services.submit.MOST_TAKEN_BACK", 2)
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    messages = Message.objects.filter(kind=Message.Kind.REPORT_LEFT_OFFICE, recipient=office.director.user)
    for told in (1, 1):
        report = submit_report(report=first.report, comments=office.comments(first), by=office.referee)
        take_back_report(report=report, by=office.referee)
        assert messages.count() == told
    report = submit_report(report=report, comments=office.comments(first), by=office.referee)
    refused = refusal(take_back_report, report=report, by=office.referee)
    assert refused.message.startswith("You took back 2 reports today; the limit is 2 a day.")
    take_back_report(report=report, by=office.director)  # each account has its own limit
    report = submit_report(report=report, comments=office.comments(first), by=office.referee)
    monkeypatch.setattr("reporting.reports.services.submit.MOST_TAKEN_BACK", 3)
    monkeypatch.setattr("reporting.messages.notifications.TAKEN_BACK_INTERVAL", timedelta(0))  # an hour later
    take_back_report(report=report, by=office.referee)
    assert messages.count() == 2


def sent_again(office, first, by):
    content, sidecar = bytes(first.version.content), bytes(first.version.sidecar)
    return upload_report(content=content, filename="other.txt", sidecar=sidecar, by=by)


@pytest.mark.parametrize("state", ["draft", "submitted", "withdrawn", "rejected", "accepted"])
def test_the_same_bytes_sent_first_by_somebody_else_keep_no_one_out(office, state):
    """The rightful referee once came to a 404, and the file was taken for good."""
    office.register(11, 12, 13)
    squatted = office.upload("Open", [11, 12, 13], GAMES, by=office.director)
    if state != "draft":
        submit_report(report=squatted.report, comments=office.comments(squatted), by=office.director)
    if state == "withdrawn":
        withdraw_report(report=squatted.report, reason="not mine", by=office.director)
    elif state == "rejected":
        reject_report(report=squatted.report, reason="not theirs", by=office.officer)
    elif state == "accepted":
        accept_report(report=squatted.report, by=office.officer)
    rightful = sent_again(office, squatted, office.referee)
    assert not rightful.already_there
    assert rightful.report != squatted.report
    assert (rightful.report.submitted_by, rightful.report.state) == (office.referee.user, "draft")
    codes_said = codes(rightful)
    assert "same-file" not in codes_said  # that is for the office
    after = LogEntry.objects.filter(action="report.upload").latest("pk").after
    assert after.get("same_file_as", []) == ([] if state == "withdrawn" else [squatted.report.pk])


def test_one_s_own_withdrawn_file_is_sent_again_as_a_new_report(office):
    office.register(11, 12, 13)
    first = office.upload("Open", [11, 12, 13], GAMES)
    withdraw_report(report=first.report, reason="", by=office.referee)
    second = sent_again(office, first, office.referee)
    assert (second.already_there, second.report.state) == (False, "draft")
    assert second.report != first.report


@pytest.mark.parametrize(
    ("sent_by", "state", "there"),
    [
        ("importer", "draft", True),
        ("referee", "draft", False),
        ("referee", "submitted", True),
        ("referee", "withdrawn", False),
    ],
)
def test_a_command_finds_its_own_files_and_those_at_the_office(office, sent_by, state, there):
    """U6: the same bytes again are "already there"; another's draft or withdrawn report keeps no import out."""
    office.register(11, 12, 13)
    by = getattr(office, sent_by)
    first = office.upload("Open", [11, 12, 13], GAMES, by=by)
    if state == "submitted":
        submit_report(report=first.report, comments=office.comments(first), by=by)
    elif state == "withdrawn":
        withdraw_report(report=first.report, reason="", by=by)
    again = sent_again(office, first, office.importer)
    assert again.already_there is there
    assert (again.report == first.report) is there


def test_an_import_changes_no_details_of_another_s_report(office):
    office.register(11, 12, 13)
    first = office.submit("Open", [11, 12, 13], GAMES)
    file = {"content": bytes(first.versions.get().content), "filename": "a", "by": office.importer}
    again = upload_report(**file, sidecar=office.details(referee='"Another"'))
    assert (again.already_there, again.report, first.versions.count()) == (True, first, 1)


# --- how many


def edited(report, turn, by):
    values = {"place": f"Town {'abc'[turn]}"}
    return edit_tournament_details(report=report, based_on=turn, values=values, by=by)


def test_versions_of_a_report_are_limited_but_not_for_commands(office, monkeypatch):
    monkeypatch.setattr("reporting.reports.services.upload.MOST_VERSIONS", 2)
    office.register(11, 12, 13)
    report = office.upload("Open", [11, 12, 13], GAMES).report
    assert edited(report, 1, office.referee).version.number == 2
    before = database_state()
    assert refusal(edited, report, 2, office.referee).code == "too_many_versions"
    assert database_state() == before
    assert edited(report, 2, office.officer).version.number == 3


def test_reports_of_a_person_and_day_are_limited_but_not_for_commands(office, monkeypatch):
    monkeypatch.setattr("reporting.reports.services.upload.MOST_REPORTS_A_DAY", 2)
    office.register(11, 12, 13)
    for name in ("One", "Two"):
        office.upload(name, [11, 12, 13], GAMES)
    before = database_state()
    assert refusal(office.upload, "Three", [11, 12, 13], GAMES).code == "too_many_reports"
    assert database_state() == before
    assert office.upload("Three", [11, 12, 13], GAMES, by=office.director).report.pk
    for name in ("Four", "Five", "Six"):
        assert office.upload(name, [11, 12, 13], GAMES, by=office.importer).report.pk


@pytest.mark.parametrize(("limit", "case"), [("OF_REPORT", "report"), ("A_DAY", "day")])
def test_the_file_that_reaches_a_limit_of_bytes_is_the_last_one_and_the_office_hears_of_it(
    office, monkeypatch, limit, case
):
    """By the door of versions, then by that of new reports. Files of commands are not limited."""
    officer = create_user("olga@example.org", "Olga Ames", roles=[Role.RATING_OFFICER])
    office.register(11, 12, 13)
    report = office.upload("Open", [11, 12, 13], GAMES).report
    assert not Message.objects.filter(kind=Message.Kind.STORAGE_REACHED).exists()
    stored = _megabytes(report.versions.get())
    # Reached by the second version: each has about as many bytes.
    monkeypatch.setattr(f"reporting.reports.services.upload.MOST_MEGABYTES_{limit}", 1.5 * stored)
    assert edited(report, 1, office.referee).version.number == 2
    (message,) = Message.objects.filter(kind=Message.Kind.STORAGE_REACHED, recipient=officer)
    assert message.about == f"/office/reports/{report.pk}/?version=2"
    before = database_state()
    refused = refusal(edited, report, 2, office.referee)
    assert (refused.key, refused.values["most"]) == (f"too_many_bytes.{case}", 1.5 * stored)
    if case == "day":
        assert refusal(office.upload, "Two", [11, 12, 13], GAMES).key == "too_many_bytes.day"
    assert database_state() == before
    if case == "report":
        assert office.upload("Two", [11, 12, 13], GAMES).report.pk
    assert edited(report, 2, office.officer).version.number == 3


def _megabytes(version):
    return (len(version.content) + len(version.reading) + len(version.sidecar)) / 1_000_000


def test_a_report_with_errors_is_kept_as_a_draft_with_its_bytes(office):
    """Nothing uploaded is lost (R22): an unknown FMJD-ID, a player against themselves and details that say nothing."""
    content = office.report_file("Open", [11, 12], ["1 1 1 2-0"])
    uploaded = upload_report(content=content, filename="open.txt", sidecar=b"", by=office.referee)
    assert {"fmjd-id-unknown", "self-play", "detail-missing"} <= set(codes(uploaded, Severity.ERROR))
    version = ReportVersion.objects.get()
    assert bytes(version.content) == content
    assert [finding["code"] for finding in version.findings] == codes(uploaded)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"PK\x03\x04", b"\0" * 100, b"no line of a report", b"<html>"]
)
def test_bytes_that_no_detail_makes_readable_leave_no_draft_but_by_command(office, content):
    file = {"content": content, "filename": "x", "sidecar": office.details()}
    refused = refusal(upload_report, **file, by=office.referee)
    assert refused.code == "file_unusable"
    assert refused.findings
    assert not Report.objects.exists()
    uploaded = upload_report(**file, by=replace(office.referee, by_command=True))
    assert codes(uploaded, Severity.ERROR)
    assert bytes(ReportVersion.objects.get().content) == content


@pytest.mark.parametrize("role", [Role.RELEASING_OFFICER, Role.TITLE_COUNCIL, Role.ADMINISTRATOR])
def test_who_has_no_reports_to_send_uploads_none(office, role):
    somebody = Actor(create_user("somebody@example.org", "Somebody", roles=[role]))
    assert refusal(office.upload, "Open", [], [], by=somebody).code == "forbidden"
    assert not Report.objects.exists()


# --- submission


def test_a_report_is_submitted_with_an_answer_to_each_warning(office):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    warned = office.comments(uploaded)
    assert warned  # fewer than seven rounds
    report = submit_report(report=uploaded.report, comments=warned, by=office.referee)
    assert report.state == "submitted"
    assert report.first_submitted_at is not None
    stored = WarningComment.objects.order_by("finding").values_list("version", "finding", "text", "by")
    version, by = uploaded.version.pk, office.referee.user.pk
    assert list(stored) == [(version, place, "so it is", by) for place in sorted(warned)]
    entry = LogEntry.objects.get(action="report.submit")
    assert (entry.actor, entry.before) == (office.referee.user, {"state": "draft"})
    expected = {"state": "submitted", "tournament": "2026-open", "version": 1}
    assert entry.after == expected | {"warnings_answered": len(warned)}


@pytest.mark.parametrize("word", [None, "", "   "])
def test_a_warning_without_a_word_stops_the_submission_and_is_named(office, word):
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    comments = office.comments(uploaded)
    place = max(comments)
    comments[place] = word
    if word is None:
        del comments[place]
    before = database_state()
    refused = refusal(submit_report, report=uploaded.report, comments=comments, by=office.referee)
    assert refused.code == "comments_missing"
    assert refused.findings == (uploaded.matching.findings[place],)
    assert database_state() == before


def test_an_error_stops_the_submission_whatever_is_answered(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 99], GAMES)
    everything = dict.fromkeys(range(len(uploaded.matching.findings)), "so it is")
    before = database_state()
    refused = refusal(submit_report, report=uploaded.report, comments=everything, by=office.referee)
    assert refused.code == "has_errors"
    assert {finding.severity for finding in refused.findings} == {Severity.ERROR}
    assert "fmjd-id-unknown" in {finding.code for finding in refused.findings}
    assert database_state() == before


def test_answers_to_findings_that_have_changed_are_not_taken_for_answers_to_others(office):
    """Between upload and submission the register made player 11 a Belgian, since the first of the month of the Open:
    there is a new warning before the old.
    """
    office.register(11, 12, 13)
    uploaded = office.upload("Open", [11, 12, 13], GAMES)
    assert codes(uploaded) == ["few-rounds"]
    table = "fmjd_id,last_name,first_name,federation,sex,born\n11,Familyal,Givenal,BEL,M,1990\n"
    import_register(content=table.encode(), on=date(2026, 2, 1), by=office.officer)
    comments = {0: "it was a weekend"}
    refused = refusal(submit_report, report=uploaded.report, comments=comments, by=office.referee)
    assert refused.code == "findings_changed"
    assert [finding.code for finding in refused.findings] == ["register-differs", "few-rounds"]
    assert not WarningComment.objects.exists()
    assert not ResultSet.objects.exists()
    first, second = ReportVersion.objects.order_by("number")
    assert (second.number, bytes(second.content), second.sha256) == (2, bytes(first.content), first.sha256)
    assert [finding["code"] for finding in first.findings] == ["few-rounds"]
    assert [finding["code"] for finding in second.findings] == ["register-differs", "few-rounds"]
    # Looked at again and answered as they are now.
    comments = {0: "a move to Belgium", 1: "it was a weekend"}
    assert submit_report(report=uploaded.report, comments=comments, by=office.referee).state == "submitted"
    assert list(WarningComment.objects.order_by("finding").values_list("version", "text")) == [
        (second.pk, "a move to Belgium"), (second.pk, "it was a weekend")
    ]  # fmt: skip


def test_a_returned_report_keeps_its_first_instant_and_its_tournament(office):
    office.register(11, 12, 13)
    report = office.submit("Open", [11, 12, 13], GAMES)
    first_submitted = report.first_submitted_at
    Report.objects.filter(pk=report.pk).update(state="returned")
    version = report.versions.get()
    ReportVersion.objects.create(
        report=report, number=2, filename=version.filename, content=version.content, reading=version.reading,
        sha256=version.sha256, sidecar=office.details(official="true"), format=version.format,
        encoding=version.encoding, findings=version.findings, created_by=office.referee.user,
    )  # fmt: skip
    again = submit_report(report=report, comments={0: "a weekend"}, by=office.referee)
    assert (again.state, again.first_submitted_at) == ("submitted", first_submitted)
    event = ResultSet.objects.get()
    assert (again.result_set, event.code, event.number, event.official) == (event, "2026-open", 1, True)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Кубок гавани", "2026-kubok-gavani"),
        ("Щёлковский речной турнир 2026", "2026-shchelkovskiy-rechnoy-turnir"),
        ("Κύπελλο Λιμανιού", "2026-kypello-limanioy"),
        ("港口杯", "2026-gang-kou-bei"),
        ("Łódź Été O’Brien", "2026-lodz-ete-o-brien"),
    ],
)
def test_a_tournament_named_in_any_letters_has_a_readable_address(office, name, code):
    office.register(11, 12, 13)
    assert office.submit(name, [11, 12, 13], GAMES).result_set.code == code
    assert office.submit(name, [11, 12, 13], GAMES[:2]).result_set.code == f"{code}-2"


def test_the_tournament_gets_its_facts_its_code_and_the_next_number(office):
    office.register(11, 12, 13)
    office.submit("First", [11, 12, 13], GAMES, number="7")
    report = office.submit(
        "Ouagadougou Open 2026", [11, 12, 13], GAMES, time_control='"80+30"', system='"round-robin"', place='"Breda"',
        official="true", rounds="[2026-02-06, 2026-02-08]",
    )  # fmt: skip
    event = report.result_set
    assert event.code == "2026-ouagadougou-open"  # the year once, in front
    assert event.number == 8  # one above the largest so far
    assert (event.played_from, event.played_to) == (date(2026, 2, 6), date(2026, 2, 8))
    assert (event.time_control, event.seconds_for_60_moves) == ("80+30", 6600)  # 80 min + 60 × 30 s
    assert (event.system, event.place) == ("round-robin", "Breda")
    assert (event.official, event.country_id) == (True, "NED")


def test_tournaments_of_one_name_and_year_get_codes_of_their_own(office):
    office.register(11, 12, 13)
    made = [
        office.submit(name, [11, 12, 13], games).result_set.code
        for name, games in [("Open", GAMES), ("OPEN", GAMES), ("Open", GAMES[:2])]
    ]
    assert made == ["2026-open", "2026-open-2", "2026-open-3"]
