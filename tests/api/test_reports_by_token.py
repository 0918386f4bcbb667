"""Reports sent by a program: the same services as the pages, step by step, and every way to be refused."""

import http.client
import json
from datetime import date, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.signals import post_save
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from pytest_django.live_server_helper import LiveServer

from reporting.log.audit import Actor
from reporting.models import ApiAnswer, LogEntry, Report, ReportVersion, Role, User, WarningComment
from reporting.register.services.import_register import import_register
from reporting.reports.reading import read_file
from reporting.reports.services.announce import announce_tournament
from reporting.reports.views import check_file
from reporting.reports.views.check_file import example_file
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.program import NAME, Program

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits")]

DETAILS = {"discipline": "100", "time_control": "80+30"}
KINDS = {"late-report": "The file was lost.", "not-announced": "We did not know."}


def referee(name: str = "piet", federation: str = "NED", role: Role = Role.REFEREE) -> User:
    return create_user(f"{name}@example.org", name, roles=[role], federation_id=federation)


@pytest.fixture
def program(season_shared: None, db: None) -> Program:
    return Program(referee())


def draft_of(program: Program) -> int:
    """A draft with two warnings: it is late, and it was not announced."""
    made = program.ask("POST", "reports/", {"details": json.dumps(DETAILS)}, file=example_file("clean"))
    assert (made.status_code, made.json()["errors"], made.json()["warnings"]) == (201, 0, 2), made.text
    return int(made.json()["number"])


# --- the whole path


def test_an_upload_does_not_give_what_the_office_says(program: Program) -> None:
    """The day of receipt is asked of directors of the ICCF alone; elsewhere a report would no longer be late by it."""
    sent = {"details": json.dumps({**DETAILS, "received": "2026-03-09"})}
    made = program.ask("POST", "reports/", sent, file=example_file("clean"))
    assert made.status_code == 400, made.text
    assert [finding["field"] for finding in made.json()["findings"]] == ["details.received"]


def test_a_report_is_uploaded_completed_and_submitted(program: Program) -> None:
    made = program.ask("POST", "reports/", file=example_file("clean"))
    report = made.json()
    assert (made.status_code, made["Location"]) == (201, report["url"])
    assert (report["state"], report["version"], report["players"], report["errors"]) == ("draft", 1, 8, 2)
    findings, details = f"reports/{report['number']}/findings/", f"reports/{report['number']}/details/"
    assert [(row["code"], row["field"]) for row in program.ask("GET", findings).json()["results"]] == [
        ("detail-missing", "discipline"), ("detail-missing", "time_control"),
    ]  # fmt: skip
    given = DETAILS | {"sponsors": "Riverside Bank", "rounds": ["2026-03-02"], "minutes_for_60_moves": None}
    changed = program.ask("PATCH", details, {"version": 1, "details": given}).json()
    # Seven rounds have seven days: the wrong value is stored, and found.
    assert (changed["version"], changed["errors"], changed["warnings"]) == (2, 1, 2)
    del given["minutes_for_60_moves"]
    assert program.ask("GET", details).json() == {"version": 2, "details": given}
    changed = program.ask("PATCH", details, {"version": 2, "details": {"rounds": None}}).json()
    assert (changed["version"], changed["errors"], changed["warnings"]) == (3, 0, 2)
    submission = f"reports/{report['number']}/submission/"
    refused = program.ask("POST", submission, {"version": 3})
    assert (refused.status_code, refused.json()["code"]) == (409, "comments_missing")
    assert [finding["code"] for finding in refused.json()["findings"]] == ["not-announced", "late-report"]
    comments = {"version": 3, "comments": {"1": "The file was lost."}, "kinds": {}}
    saved = program.ask("PUT", f"reports/{report['number']}/comments/", comments).json()
    assert saved == comments | {"missing": [0]}
    comments["kinds"] = {"not-announced": "We did not know."}
    saved = program.ask("PUT", f"reports/{report['number']}/comments/", comments).json()
    assert saved["missing"] == []
    rows = program.ask("GET", findings).json()["results"]
    assert [(row["index"], row["comment"]) for row in rows] == [
        (0, "We did not know."),
        (1, "The file was lost."),
    ]
    place = {name: rows[1][name] for name in ("severity", "line", "column", "field", "article")}
    assert place == {
        "severity": "warning", "line": 4, "column": 13, "field": "received",
        "article": "Annex 9 art. 4.1, 4.5; R11, R21",
    }  # fmt: skip
    assert rows[1]["values"]["due"] == "2026-03-15"
    sent = program.ask("POST", submission, {"version": 3})
    assert (sent.status_code, sent.json()["state"], sent.json()["waits_for"]) == (200, "submitted", "office")
    stored = WarningComment.objects.filter(version__report=report["number"]).order_by("finding")
    assert list(stored.values_list("finding", "text", "by")) == [
        (0, "We did not know.", program.user.pk), (1, "The file was lost.", program.user.pk),
    ]  # fmt: skip
    entries = LogEntry.objects.filter(subject=f"report {report['number']}")
    assert {entry.after["program"] for entry in entries} == {NAME}
    assert {entry.actor for entry in entries} == {program.user}
    whole = program.ask("GET", f"reports/{report['number']}/").json()
    assert [version["number"] for version in whole["versions"]] == [3, 2, 1]
    listed = program.ask("GET", "reports/?state=submitted").json()
    assert ([row["number"] for row in listed["results"]], listed["count"]) == ([report["number"]], 1)
    assert program.ask("GET", "reports/?state=draft").json()["results"] == []


def test_an_announced_tournament_gives_its_details_and_a_new_file_replaces_the_old(program: Program) -> None:
    values = {
        "name": "Harbour Club Championship", "country": "NED", "discipline": "100", "time_control": "80+30",
    }  # fmt: skip
    first = date.today() + timedelta(days=60)
    values |= {"played_from": str(first), "played_to": str(first + timedelta(days=6))}
    announced = announce_tournament(values=values, by=Actor(program.user))
    other = announce_tournament(values=values | {"country": "BEL"}, by=Actor(referee("odile", "BEL")))
    listed = program.ask("GET", "announcements/").json()["results"]
    assert [(row["number"], row["played_from"]) for row in listed] == [(announced.pk, str(first))]
    refused = program.ask("POST", "reports/", {"announcement": str(other.pk)}, file=example_file("clean"))
    assert (refused.status_code, refused.json()["code"]) == (409, "announcement_unknown")
    made = program.ask(
        "POST", "reports/", {"announcement": str(announced.pk)}, file=example_file("clean")
    ).json()
    assert made["announcement"] == announced.pk
    details = program.ask("GET", f"reports/{made['number']}/details/").json()["details"]
    assert (details["time_control"], details["announced"]) == ("80+30", str(date.today()))
    path = f"reports/{made['number']}/versions/"
    replaced = program.ask("POST", path, {"version": "1"}, file=example_file("faulty"))
    assert (replaced.status_code, replaced.json()["version"]) == (201, 2)
    again = program.ask("POST", path, {"version": "2"}, file=example_file("faulty"))
    assert (again.status_code, again.json()["already_there"]) == (200, True)
    stale = program.ask("POST", path, {"version": "1"}, file=example_file("clean"))
    assert (stale.status_code, stale.json()["code"]) == (409, "version_changed")
    found = program.ask("GET", f"reports/{made['number']}/findings/?version=1&limit=1").json()
    assert len(found["results"]) == 1
    assert program.ask("GET", f"reports/{made['number']}/findings/?version=9").status_code == 404


def test_a_file_keeps_its_place_until_its_version_is_stored(program: Program) -> None:
    """The checks after reading cost as much again: of one account one file at a time is read or checked."""
    held = []

    def remember(**_: Any) -> None:
        held.append([(place.sender, place.whose) for place in read_file._at_work])

    post_save.connect(remember, sender=ReportVersion)
    number = draft_of(program)
    replaced = program.ask(
        "POST", f"reports/{number}/versions/", {"version": "1"}, file=example_file("faulty")
    )
    assert replaced.status_code == 201
    assert held == [[(read_file.Sender.ACCOUNT, program.user.pk)]] * 2
    assert read_file._at_work == []


def test_the_file_of_an_earlier_version_sent_again_names_the_newest_version(program: Program) -> None:
    """A change names the newest version: one that named the earlier one is refused."""
    number = draft_of(program)
    program.ask("POST", f"reports/{number}/versions/", {"version": "1"}, file=example_file("faulty"))
    again = program.ask("POST", "reports/", {"details": json.dumps(DETAILS)}, file=example_file("clean"))
    assert again.json()["already_there"]
    assert (again.json()["number"], again.json()["version"]) == (number, 2)


def test_a_check_counts_games_as_an_upload_does(program: Program) -> None:
    """The last of 28 results becomes a game that was not played."""
    content = example_file("clean").replace(b"7,8,7,1-1", b"7,8,7,0x2")
    assert content != example_file("clean")
    checked = program.ask("POST", "check/", {"details": json.dumps(DETAILS)}, file=content).json()
    uploaded = program.ask("POST", "reports/", {"details": json.dumps(DETAILS)}, file=content).json()
    assert (checked["players"], checked["games"]) == (uploaded["players"], uploaded["games"]) == (8, 27)


def test_every_value_that_cannot_be_used_is_named_with_what_is_expected(program: Program) -> None:
    number = draft_of(program)
    details = {
        "time_contrl": "80+30", "discipline": "99", "official": "yes", "rounds": ["2026-13-40"],
        "newcomers": {"8": {"born": "1/2/1999", "sexx": "W"}}, "players": {"x": 3}, "minutes_for_60_moves": 0,
        "name": "a" * 81,
    }  # fmt: skip
    refused = program.ask("PATCH", f"reports/{number}/details/", {"details": details})
    assert {one["field"]: (one["code"], one["message"]) for one in refused.json()["findings"]} == {
        "version": ("bad_value", "This value is missing."),
        "details.time_contrl": ("unknown_parameter", "There is no such name here."),
        "details.discipline": ("bad_value", "This must be one of 100, 64, null."),
        "details.official": ("bad_value", "This must be of the type boolean, null."),
        "details.rounds.0": ("bad_value", "This must be a day, such as 2026-11-14."),
        "details.newcomers.8.born": ("bad_value", "This must be a day, such as 2026-11-14."),
        "details.newcomers.8.sexx": ("unknown_parameter", "There is no such name here."),
        "details.players.x": ("bad_value", "Names here are like ^[1-9][0-9]{0,3}$."),
        "details.minutes_for_60_moves": ("bad_value", "This must be more than 0."),
        "details.name": ("bad_value", "This must have at most 80 characters."),
    }


def test_names_that_an_object_has_twice_are_named_and_none_of_their_values_counts(program: Program) -> None:
    number = draft_of(program)
    body = (
        '{"version": 1, "details": {"name": "A", "place": "B", "name": "C", "place": "D", "sponsors": "E"}}'
    )
    refused = program.client.patch(
        f"/api/v1/reports/{number}/details/",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"},
    )
    twice = "This name is there more than once."
    assert refused.status_code == 400
    assert [(found["field"], found["message"]) for found in refused.json()["findings"]] == [
        ("name", twice), ("place", twice),
    ]  # fmt: skip
    in_a_form = program.client.post(
        "/api/v1/check/", {"file": upload("clean"), "details": '{"name": "A", "name": "B"}'}
    )
    assert (in_a_form.status_code, in_a_form.json()["findings"][0]["message"]) == (400, twice)


@pytest.mark.parametrize("levels", [51, 909, 100_000])
def test_a_body_of_too_many_levels_is_refused(program: Program, levels: int) -> None:
    nested = "[" * levels + "]" * levels
    for name in ("details", "name"):
        details = nested if name == "details" else f'{{"name": {nested}}}'
        answer = program.client.post("/api/v1/check/", {"file": upload("clean"), "details": details})
        assert (answer.status_code, answer.json()["findings"][0]["message"]) == (400, "This is not JSON.")


def test_a_field_of_a_form_is_sent_once_and_no_other_file_is_ignored(program: Program) -> None:
    sent = {"file": [upload("clean"), upload("faulty")], "other": upload("clean"), "details": ["{}", "{"]}
    refused = program.client.post("/api/v1/check/", sent)
    assert refused.status_code == 400
    findings = refused.json()["findings"]
    assert findings[-1]["found"] == "{"
    assert [(found["field"], found["message"]) for found in findings] == [
        ("other", "There is no such name here."), ("file", "This name is there more than once."),
        ("details", "This name is there more than once."), ("details", "This is not JSON: see line 1, column 2."),
    ]  # fmt: skip


def test_the_place_where_a_body_is_no_json_is_said(program: Program) -> None:
    answer = program.client.generic(
        "PATCH",
        f"/api/v1/reports/{draft_of(program)}/details/",
        b'{"version": 1,\n details: {}}',
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"},
    )
    # The second line is ` details: {}}`: a name in quotes is due at its second character.
    assert answer.json()["message"] == "This is not JSON: see line 2, column 2."


def test_a_comment_on_no_warning_is_refused(program: Program) -> None:
    """The report has the warnings 0 and 1."""
    number = draft_of(program)
    sent = {"version": 1, "comments": {"1": "Lost.", "2": "Why?"}, "kinds": {**KINDS, "late-reprot": "Lost."}}
    for method, path in (("PUT", "comments"), ("POST", "submission")):
        refused = program.ask(method, f"reports/{number}/{path}/", sent)
        assert refused.status_code == 422
        assert [found["field"] for found in refused.json()["findings"]] == ["comments.2", "kinds.late-reprot"]


def test_a_detail_that_cannot_be_read_is_quoted_as_it_was_sent(program: Program) -> None:
    number = draft_of(program)
    program.ask(
        "PATCH", f"reports/{number}/details/", {"version": 1, "details": {"shared_places": ["x", "2-3"]}}
    )
    rows = program.ask("GET", f"reports/{number}/findings/").json()["results"]
    (found,) = (row for row in rows if row["field"] == "shared_places")
    assert found["values"]["text"] == "x, 2-3"


def test_comments_are_on_the_newest_version(program: Program) -> None:
    number = draft_of(program)
    changed = program.ask(
        "PATCH", f"reports/{number}/details/", {"version": 1, "details": {"sponsors": "Bank"}}
    )
    assert changed.json()["version"] == 2
    comments = {"comments": {}, "kinds": KINDS}
    stale = program.ask("PUT", f"reports/{number}/comments/", {"version": 1, **comments})
    assert (stale.status_code, stale.json()["code"]) == (409, "version_changed")
    saved = program.ask("PUT", f"reports/{number}/comments/", {"version": 2, **comments})
    assert (saved.status_code, saved.json()["missing"]) == (200, [])


def test_a_file_is_checked_without_a_token_and_nothing_is_stored(
    program: Program, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = ReportVersion.objects.count()
    path, sent = "/api/v1/check/", {"details": json.dumps(DETAILS)}
    page = client.post("/check/", {"file": upload("faulty"), **DETAILS})
    answer = client.post(path, sent | {"file": upload("faulty")})
    assert (answer.status_code, answer["RateLimit-Limit"], answer["Cache-Control"]) == (
        200, "60", "private, no-store",
    )  # fmt: skip
    shown = [*page.context["of_file"], *page.context["submission_findings"]]
    assert sorted(row["message"] for row in answer.json()["findings"]) == sorted(row.message for row in shown)
    assert answer.json()["errors"] == 5
    private = client.post(path, {"file": upload("clean"), "details": json.dumps({"sponsors": "Bank"})})
    assert (private.status_code, private.json()["findings"][0]["field"]) == (400, "details.sponsors")
    # As on the page: without log-in no detail asks whether a tournament was accepted.
    asked = client.post(
        path, {"file": upload("clean"), "details": json.dumps({"corrects": "2026-some-open"})}
    )
    assert (asked.status_code, asked.json()["findings"][0]["field"]) == (400, "details.corrects")
    # One count with the page.
    monkeypatch.setattr("reporting.reports.api.check.MAX_CHECKS", 3)
    refused = client.post(path, {"file": upload("clean")})
    assert (refused.status_code, 0 < int(refused["Retry-After"]) <= 900) == (429, True)
    assert ReportVersion.objects.count() == stored
    assert check_file.MAX_CHECKS == 60


def upload(example: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(f"{example}.txt", example_file(example))


# --- once


def test_a_request_with_a_key_is_done_once(program: Program) -> None:
    sent = {"details": json.dumps(DETAILS)}
    first = program.ask("POST", "reports/", sent, key="a-1", file=example_file("clean"))
    again = program.ask("POST", "reports/", sent, key="a-1", file=example_file("clean"))
    assert (first.status_code, first.content, first["Location"]) == (
        again.status_code, again.content, again["Location"],
    )  # fmt: skip
    # The twin: without a key it is the same report, and that is said.
    without = program.ask("POST", "reports/", sent, file=example_file("clean"))
    assert (without.status_code, without.json()["already_there"]) == (200, True)
    for other in ({}, {"details": json.dumps(DETAILS | {"place": "Ghent"})}):
        refused = program.ask("POST", "reports/", other, key="a-1", file=example_file("clean"))
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    number = first.json()["number"]
    path, body = f"reports/{number}/submission/", {"version": 1, "kinds": KINDS}
    refused = program.ask("POST", path, body, key="a-1")
    assert refused.status_code == 422, "a key is of one request"
    # What was refused was not done: the key is free.
    assert program.ask("POST", path, body | {"kinds": {}}, key="b").json()["code"] == "comments_missing"
    done = [program.ask("POST", path, body, key="b") for _ in range(3)]
    assert {(one.status_code, one.content) for one in done} == {(200, done[0].content)}
    assert program.ask("POST", path, body).json()["code"] == "wrong_state", "the twin: without a key"
    assert LogEntry.objects.filter(action="report.submit", subject=f"report {number}").count() == 1
    # Of another person it is another key.
    other = Program(referee("olga"))
    mine = other.ask("POST", "reports/", sent, key="a-1", file=example_file("clean"))
    assert (mine.status_code, mine.json()["number"] == number) == (201, False)
    for key in ("", " ", "x" * 65, "é"):
        if key:
            assert program.ask("POST", path, body, key=key).status_code == 400
    assert ApiAnswer.objects.count() == 3


def test_a_refused_submission_keeps_the_version_with_the_new_findings(program: Program) -> None:
    """As on the page: with a key or without, what changed since the upload is there to be commented on."""
    number = draft_of(program)
    table = "fmjd_id,last_name,first_name,federation,sex,born\n12,Veldhoek,Joost,BEL,M,1988\n"
    officer = create_user("o@example.org", "O", roles=[Role.RATING_OFFICER])
    import_register(content=table.encode(), on=date(2026, 2, 1), by=Actor(officer))
    body = {"version": 1, "kinds": KINDS}
    refused = program.ask("POST", f"reports/{number}/submission/", body, key="c")
    assert (refused.status_code, refused.json()["code"]) == (409, "findings_changed")
    assert Report.objects.get(pk=number).versions.count() == 2
    stale = program.ask("POST", f"reports/{number}/submission/", body, key="c")
    assert stale.json()["code"] == "version_changed"
    assert not ApiAnswer.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_eight_at_once_with_one_key_one_is_done(live_server: LiveServer) -> None:
    """As a proxy that sends again: eight connections, one report, one submission, the same answer eight times."""
    program = Program(referee())
    sent: dict[str, Any] = {"details": json.dumps(DETAILS)}
    uploads = run_concurrently(*[lambda: over(live_server, program, "reports/", sent, file=True)] * 8)
    (number,) = Report.objects.values_list("pk", flat=True)
    assert len({answer for answer in uploads if isinstance(answer, tuple)}) == 1, uploads
    assert Report.objects.get().versions.count() == 1
    body = {"version": 1, "kinds": dict.fromkeys(codes_of(number), "So it was.")}
    path = f"reports/{number}/submission/"
    answers = run_concurrently(*[lambda: over(live_server, program, path, body)] * 8)
    assert {answer[0] for answer in answers if isinstance(answer, tuple)} == {200}, answers
    assert len(set(answers)) == 1
    assert LogEntry.objects.filter(action="report.submit").count() == 1


def codes_of(number: int) -> list[str]:
    return [finding["code"] for finding in ReportVersion.objects.get(report=number).findings]


def over(
    server: LiveServer, program: Program, path: str, sent: Any, *, file: bool = False
) -> tuple[int, bytes]:
    """The answer of a live server, asked with the key of the path, and again while it reads other files."""
    body, kind = json.dumps(sent).encode(), "application/json"
    if file:
        parts = sent | {"file": upload("clean")}
        body, kind = encode_multipart(BOUNDARY, parts), MULTIPART_CONTENT
    connection = http.client.HTTPConnection(server.thread.host, server.thread.port)
    headers = {"Authorization": f"Bearer {program.secret}", "Idempotency-Key": path, "Content-Type": kind}
    connection.request("POST", f"/api/v1/{path}", body, headers)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status == 503:
        return over(server, program, path, sent, file=file)
    return answer.status, content


# --- refused


REFUSED: dict[str, tuple[str, str, Any, dict[str, Any], int, str]] = {
    "no such report": ("GET", "reports/999999/", None, {}, 404, "not_found"),
    "beyond what the database holds": ("GET", f"reports/{10**30}/", None, {}, 404, "not_found"),
    "a state that there is not": ("GET", "reports/?state=lost", None, {}, 400, "bad_request"),
    "parameters of a POST": ("POST", "reports/{n}/submission/?limit=1", {"version": 1}, {}, 400, "bad_request"),
    "no file": ("POST", "reports/", b"--x--", {"CONTENT_TYPE": "multipart/form-data; boundary=x"}, 400, "bad_request"),
    "a form that ends early": (
        "POST", "reports/", b"--x", {"CONTENT_TYPE": "multipart/form-data; boundary="}, 400, "bad_request",
    ),
    "another type": ("POST", "reports/", b"x", {"CONTENT_TYPE": "text/plain"}, 415, "unsupported_media_type"),
    "a form for JSON": (
        "PATCH", "reports/{n}/details/", b"version=1", {"CONTENT_TYPE": "application/x-www-form-urlencoded"}, 415,
        "unsupported_media_type",
    ),
    "no JSON": ("PATCH", "reports/{n}/details/", b"{", {}, 400, "bad_request"),
    "nesting": ("PATCH", "reports/{n}/details/", b"[" * 60_000, {}, 400, "bad_request"),
    "NaN": ("PATCH", "reports/{n}/details/", b'{"version": NaN}', {}, 400, "bad_request"),
    "half a character": (
        "PATCH", "reports/{n}/details/", rb'{"version": 1, "details": {"name": "\ud800"}}', {}, 400, "bad_request",
    ),
    "a null character": (
        "PATCH", "reports/{n}/details/", {"version": 1, "details": {"name": "a\0"}}, {}, 400, "bad_request",
    ),
    "what the office says": (
        "PATCH", "reports/{n}/details/", {"version": 1, "details": {"received": "2026-03-09"}}, {}, 400, "bad_request",
    ),
    "another version": ("PATCH", "reports/{n}/details/", {"version": 7, "details": {}}, {}, 409, "version_changed"),
    "comments of that": (
        "PUT", "reports/{n}/comments/", {"version": 7, "comments": {}, "kinds": {}}, {}, 409, "version_changed",
    ),
    "too large": (
        "PUT", "reports/{n}/comments/", None, {"CONTENT_LENGTH": "400001", "wsgi.input": BytesIO()}, 413, "too_large",
    ),
    "without a length": (
        "PUT", "reports/{n}/comments/", None, {"HTTP_TRANSFER_ENCODING": "chunked"}, 411, "length_required",
    ),
    "another method": ("DELETE", "reports/{n}/", None, {}, 405, "method_not_allowed"),
    "a preflight": ("OPTIONS", "reports/", None, {}, 405, "method_not_allowed"),
    "a page asked for": ("GET", "reports/", None, {"HTTP_ACCEPT": "text/html"}, 406, "not_acceptable"),
}  # fmt: skip


def test_every_refusal_has_the_form_of_the_api_and_changes_nothing(program: Program, subtests: Any) -> None:
    number = draft_of(program)
    before = LogEntry.objects.count()
    for name, (method, path, sent, meta, status, code) in REFUSED.items():
        with subtests.test(name):
            body = sent if isinstance(sent, bytes) else b"" if sent is None else json.dumps(sent).encode()
            address = "/api/v1/" + path.replace("{n}", str(number))
            answer = program.client.generic(
                method, address, body, **{"CONTENT_TYPE": "application/json", **meta},
                headers={"Authorization": f"Bearer {program.secret}"},
            )  # fmt: skip
            assert answer.status_code == status, answer.text
            assert answer["Content-Type"] == "application/json"
            error = answer.json()
            assert (error["code"], set(error)) == (code, {"code", "message", "findings"})
            assert error["message"]
            assert "no-store" in answer["Cache-Control"]
            assert not any(header.startswith("Access-Control") for header in answer.headers)
    assert LogEntry.objects.count() == before


def test_the_report_of_another_person_is_not_there(program: Program, subtests: Any) -> None:
    """By contents: for a referee, officials of both federations and the office, whose rights no token has."""
    number = draft_of(program)
    program.ask(
        "PATCH", f"reports/{number}/details/", {"version": 1, "details": {"sponsors": "Riverside Bank"}}
    )
    own = f"reports/{number}/"
    asked: list[tuple[str, str, Any]] = [
        ("GET", own, None), ("GET", f"{own}details/", None), ("GET", f"{own}findings/", None),
        ("PATCH", f"{own}details/", {"version": 2, "details": {"place": "Ghent"}}),
        ("PUT", f"{own}comments/", {"version": 2, "comments": {}, "kinds": {}}),
        ("POST", f"{own}submission/", {"version": 2, "kinds": KINDS}),
    ]  # fmt: skip
    others = {
        "another referee": (referee("olga"), False),
        "official of BEL": (referee("bo", "BEL", Role.NATIONAL_OFFICIAL), False),
        "rating officer": (referee("ruth", "BEL", Role.RATING_OFFICER), False),
        "tournament director": (referee("dirk", "BEL", Role.TOURNAMENT_DIRECTOR), False),
        "official of NED": (referee("nora", "NED", Role.NATIONAL_OFFICIAL), True),
    }
    for name, (user, sees) in others.items():
        with subtests.test(name):
            other = Program(user)
            answers = [other.ask(*one) for one in asked]
            patched, submitted = 3, 5
            assert [one.status_code for one in answers][:patched] == [200 if sees else 404] * 3
            assert answers[patched].status_code == (200 if sees else 404)
            assert answers[submitted].status_code == (409 if sees else 404), "the version before the change"
            listed = [row["number"] for row in other.ask("GET", "reports/").json()["results"]]
            assert (number in listed) is sees
            for answer in answers:
                assert "Riverside" not in answer.text, "private: for the submitter alone"
                assert ("Harbour" in answer.text) <= sees
            file = other.ask("POST", f"{own}versions/", {"version": "2"}, file=example_file("faulty"))
            assert (file.status_code == 404) is not sees
    assert Report.objects.get(pk=number).versions.count() == 3, "one by the official of their federation"
    private = Program(others["official of NED"][0], name="private").ask(
        "PATCH", f"{own}details/", {"version": 2, "details": {"sponsors": "Other Bank"}}
    )
    assert (private.status_code, private.json()["findings"][0]["field"]) == (400, "details.sponsors")
