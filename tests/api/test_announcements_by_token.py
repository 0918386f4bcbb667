"""Tournaments announced and withdrawn by a program, and what is only tried, which leaves nothing behind."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from reporting.models import ApiAnswer, LogEntry, Message, Report, Role, Tournament, User
from reporting.reports.views.check_file import example_file
from tests.people import create_user
from tests.program import NAME, Program

pytestmark = [
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "db", "cleared_rate_limits"),
]

FIRST = date.today() + timedelta(days=60)
OPEN = {
    "name": "Harbour Open", "country": "NED", "place": "Hoorn", "discipline": "100", "time_control": "80+30",
    "played_from": str(FIRST), "played_to": str(FIRST + timedelta(days=6)),
}  # fmt: skip


def referee(name: str = "piet") -> User:
    return create_user(f"{name}@example.org", name, roles=[Role.REFEREE], federation_id="NED")


@pytest.fixture
def program() -> Program:
    return Program(referee())


def announced(program: Program, **values: Any) -> dict[str, Any]:
    answer = program.ask("POST", "announcements/", OPEN | values)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_a_tournament_is_announced_reported_and_another_withdrawn(program: Program, client: Client) -> None:
    sent = program.ask("POST", "announcements/", OPEN, key="open")
    made = sent.json()
    assert (sent.status_code, sent["Location"]) == (201, made["url"])
    # 60 days before its first round; the regulations ask for 14.
    assert {name: made[name] for name in OPEN} == OPEN
    assert (made["state"], made["in_time"], made["required_notice_days"], made["own"]) == (
        "announced", True, 14, True,
    )  # fmt: skip
    entry = LogEntry.objects.get(subject=f"announcement {made['number']}")
    assert (entry.action, entry.actor, entry.after["program"]) == ("announcement.create", program.user, NAME)
    assert program.ask("POST", "announcements/", OPEN, key="open").content == sent.content
    again = program.ask("POST", "announcements/", OPEN)
    assert (again.status_code, again.json()["already_there"], again.json()["number"]) == (
        200, True, made["number"],
    )  # fmt: skip
    assert "Harbour Open" in client.get("/tournaments/calendar/").text
    other = announced(program, name="Lake Open", place="Sneek")
    details = {"announcement": str(made["number"])}
    report = program.ask("POST", "reports/", details, file=example_file("clean")).json()
    assert report["announcement"] == made["number"]
    withdrawal = f"announcements/{other['number']}/withdrawal/"
    withdrawn = program.ask("POST", withdrawal, {"reason": "The hall burnt down."}, key="lake")
    assert (withdrawn.status_code, withdrawn.json()["state"]) == (200, "withdrawn")
    repeated = program.ask("POST", withdrawal, {"reason": "The hall burnt down."}, key="lake")
    assert repeated.content == withdrawn.content
    states = [
        [row["number"] for row in program.ask("GET", f"announcements/?state={state}").json()["results"]]
        for state in ("announced", "reported", "withdrawn")
    ]
    assert states == [[], [made["number"]], [other["number"]]]
    assert program.ask("GET", "announcements/?limit=1").json()["count"] == 2
    assert program.ask("GET", f"announcements/{made['number']}/").json()["state"] == "reported"


def test_only_ones_own_announcements_are_withdrawn(program: Program) -> None:
    made = announced(program)
    colleague, withdrawal = Program(referee("anna")), f"announcements/{made['number']}/withdrawal/"
    seen = colleague.ask("GET", f"announcements/{made['number']}/").json()
    assert (seen["own"], seen["name"]) == (False, "Harbour Open")
    assert colleague.ask("POST", withdrawal, {"reason": "why not"}).status_code == 404
    stranger = Program(create_user("kim@example.org", "kim", roles=[Role.REFEREE], federation_id="BEL"))
    assert stranger.ask("GET", f"announcements/{made['number']}/").status_code == 404
    assert stranger.ask("GET", "announcements/").json()["results"] == []
    missing = program.ask("POST", withdrawal, {"reason": " "})
    assert (missing.status_code, missing.json()["code"]) == (409, "reason_missing")
    report = {"announcement": str(made["number"])}
    assert program.ask("POST", "reports/", report, file=example_file("clean")).status_code == 201
    reported = program.ask("POST", withdrawal, {"reason": "why not"})
    assert (reported.status_code, reported.json()["code"]) == (409, "wrong_state")


def test_what_is_wrong_with_an_announcement_is_said_at_once_as_on_the_page(program: Program) -> None:
    # By the schema: an unknown name, one that is only said on the page, a value of another type, two that are missing.
    sent = {"nam": "x", "official": True, "played_from": "soon", "name": "Open", "discipline": 100}
    refused = program.ask("POST", "announcements/", sent)
    assert refused.status_code == 400
    assert {finding["field"] for finding in refused.json()["findings"]} == {
        "nam", "official", "played_from", "discipline", "country", "played_to",
    }  # fmt: skip
    # By the regulations.
    values = {"country": "XYZ", "played_to": str(FIRST - timedelta(days=1)), "time_control": "fast"}
    refused = program.ask("POST", "announcements/", OPEN | values)
    assert (refused.status_code, refused.json()["code"]) == (409, "announcement_refused")
    assert {finding["field"] for finding in refused.json()["findings"]} == {
        "country", "played_to", "time_control",
    }  # fmt: skip
    # 40 days, of which 31 are not asked about.
    long = OPEN | {"played_to": str(FIRST + timedelta(days=39))}
    asked = program.ask("POST", "announcements/", long)
    assert (asked.status_code, asked.json()["code"]) == (409, "announcement_questions")
    assert [finding["code"] for finding in asked.json()["findings"]] == ["announced-long"]
    assert Tournament.objects.filter(announced_by=program.user).count() == 0
    confirmed = program.ask("POST", "announcements/", long | {"confirmed": ["announced-long"]})
    assert confirmed.status_code == 201


# --- a test


def rows() -> dict[str, int]:
    models = (Tournament, Report, LogEntry, Message, ApiAnswer)
    return {model.__name__: model.objects.count() for model in models}


def test_a_tried_announcement_leaves_nothing(program: Program) -> None:
    before = rows()
    tried = program.ask("POST", "announcements/?test=true", OPEN, key="open")
    answer = tried.json()
    assert (tried.status_code, answer["test"], answer["already_there"], "Location" in tried) == (
        200, True, False, False,
    )  # fmt: skip
    assert program.ask("GET", f"announcements/{answer['number']}/").status_code == 404
    refused = program.ask("POST", "announcements/?test=true", OPEN | {"country": "XYZ"})
    assert (refused.status_code, refused.json()["code"]) == (409, "announcement_refused")
    assert rows() == before
    # The twin: the same without the parameter, and with the key that the test did not use up.
    real = program.ask("POST", "announcements/?test=false", OPEN, key="open").json()
    assert (real["already_there"], real["test"]) == (False, False)
    differ = {"number", "url", "test"}
    assert {name: real[name] for name in real if name not in differ} == {
        name: answer[name] for name in answer if name not in differ
    }
    wrong = program.ask("POST", "announcements/?test=yes", OPEN)
    assert (wrong.status_code, wrong.json()["findings"][0]["field"]) == (400, "test")
    assert Tournament.objects.filter(announced_by=program.user).count() == 1


def test_a_tried_report_is_checked_as_a_real_one_and_leaves_nothing(program: Program) -> None:
    before = rows()
    details = {"details": json.dumps({"discipline": "100", "time_control": "80+30"})}
    tried = program.ask("POST", "reports/?test=true", details, file=example_file("faulty"), key="a")
    answer = tried.json()
    assert (tried.status_code, answer["test"], answer["state"], answer["errors"]) == (200, True, "draft", 5)
    assert program.ask("GET", f"reports/{answer['number']}/").status_code == 404
    unusable = program.ask("POST", "reports/?test=true", file=b"%PDF-1.7")
    assert (unusable.status_code, unusable.json()["code"]) == (409, "file_unusable")
    assert rows() == before
    assert program.ask("GET", "reports/").json()["count"] == 0
    real = program.ask("POST", "reports/", details, file=example_file("faulty"), key="a")
    assert (real.status_code, real.json()["already_there"], real.json()["findings"]) == (201, False, None)
    stored = program.ask("GET", f"reports/{real.json()['number']}/findings/").json()["results"]
    found = [{name: row[name] for name in row if name not in {"index", "comment"}} for row in stored]
    assert answer["findings"] == found
    again = program.ask("POST", "reports/?test=true", details, file=example_file("faulty")).json()
    assert (again["already_there"], again["number"]) == (True, real.json()["number"])
    # A submission is not tried: it compares dates of birth, and each try counts (docs/decisions/0100).
    submission = f"reports/{real.json()['number']}/submission/?test=true"
    assert program.ask("POST", submission, {"version": 1}).status_code == 400
