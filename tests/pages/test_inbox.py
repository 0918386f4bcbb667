"""The inbox and the decisions over HTTP: what is listed, what each act does, and what is never lost."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from ratings.models import Pool
from ratings.services.freeze_period import ensure_period, freeze_period
from reporting.locks import CLOSING
from reporting.models import (
    Announcement,
    Entry,
    LogEntry,
    Message,
    Player,
    Report,
    ReviewRemark,
    Role,
    User,
    WarningAnswer,
)
from reporting.services.audit import Actor
from reporting.services.mend import mend_facts
from reporting.services.review import Remark, accept_report, reject_report, return_report
from reporting.services.submit import submit_report, withdraw_report
from tests.services.conftest import Office, office  # noqa: F401 - the small office of the service tests

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100"
PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]


def logged_in(role: Role, name: str = "Somebody") -> Client:
    client = Client()
    client.force_login(User.objects.create_user(f"{name.lower()}.{role}@example.org", name, roles=[role]))
    return client


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def decide(client: Client, report: Report, act: str, **words: Any) -> Any:
    newest = report.versions.latest("number").number
    address = reverse("office-report", args=[report.pk])
    return client.post(address, {"act": act, "based_on": newest} | words)


def newest_answers(report: Report) -> dict[int, str]:
    findings = report.versions.latest("number").findings
    return {place: "so it is" for place, each in enumerate(findings) if each["severity"] == "warning"}


@pytest.fixture
def desk(office: Office) -> Office:  # noqa: F811
    office.register(*PLAYERS)
    return office


# --- state × act × role

OFFICE = """
           accept     return     reject     take-back
draft      wrong      wrong      wrong      wrong
submitted  accepted   returned   rejected   wrong
returned   wrong      wrong      wrong      wrong
accepted   wrong      wrong      wrong      submitted
rejected   wrong      wrong      wrong      wrong
withdrawn  wrong      wrong      wrong      wrong
"""
# The office's own report is decided by another of the office; nobody else decides at all.
ROLES = {
    "rating officer": (Role.RATING_OFFICER, "may"),
    "tournament director": (Role.TOURNAMENT_DIRECTOR, "may"),
    "rating officer whose report it is": (Role.RATING_OFFICER, "own"),
    "tournament director whose report it is": (Role.TOURNAMENT_DIRECTOR, "own"),
    "administrator": (Role.ADMINISTRATOR, "forbidden"),
    "releasing officer": (Role.RELEASING_OFFICER, "forbidden"),
    "referee": (Role.REFEREE, "forbidden"),
    "national official": (Role.NATIONAL_OFFICIAL, "forbidden"),
    "title council": (Role.TITLE_COUNCIL, "forbidden"),
}
WORDS = {"accept": "", "return": "Look again.", "reject": "Twice.", "take-back": "An error of ours."}
LOGGED = {"accept": "accept", "return": "return", "reject": "reject", "take-back": "take_back"}


def rows(grid: str) -> dict[str, dict[str, str]]:
    acts, *lines = [line.split() for line in grid.strip().splitlines()]
    return {state: dict(zip(acts, cells, strict=True)) for state, *cells in lines}


def in_state(desk: Office, state: str, maker: Actor) -> Report:
    if state == "draft":
        return desk.upload("Open", PLAYERS, GAMES, by=maker).report
    report = desk.submit("Open", PLAYERS, GAMES, by=maker)
    if state == "accepted":
        accept_report(report=report, by=desk.officer)
    elif state == "returned":
        return_report(report=report, remarks=[Remark("so")], by=desk.officer)
    elif state == "rejected":
        reject_report(report=report, reason="so", by=desk.officer)
    elif state == "withdrawn":
        withdraw_report(report=report, reason="so", by=maker)
    return report


def test_the_tables_name_every_state_and_role() -> None:
    assert set(rows(OFFICE)) == set(Report.State)
    assert {role for role, _ in ROLES.values()} == set(Role)


@pytest.mark.parametrize("act", WORDS)
@pytest.mark.parametrize("state", Report.State)
def test_each_act_in_each_state_by_everybody(desk: Office, state: str, act: str) -> None:
    people = {
        who: User.objects.create_user(f"{number}@example.org", who, roles=[role])
        for number, (who, (role, _)) in enumerate(ROLES.items())
    }
    for who, (_, may) in ROLES.items():
        maker = Actor(people[who]) if may == "own" else desk.referee
        sid = transaction.savepoint()
        report = in_state(desk, state, maker)
        acts = LogEntry.objects.count()
        client = Client()
        client.force_login(people[who])
        response = decide(client, report, act, words=WORDS[act])
        cell = rows(OFFICE)[state][act] if may == "may" else may
        after = cell if may == "may" and cell != "wrong" else state
        assert response.status_code == {"wrong": 409, "own": 409, "forbidden": 403}.get(cell, 302), (
            who,
            cell,
        )
        report.refresh_from_db()
        assert report.state == after, who
        assert LogEntry.objects.count() - acts == (after != state), who
        if after != state:
            entry = LogEntry.objects.latest("pk")
            assert (entry.actor, entry.action) == (people[who], f"report.{LOGGED[act]}")
            assert (entry.before["state"], entry.after["state"]) == (state, after)
            assert entry.subject == f"report {report.pk}"
        transaction.savepoint_rollback(sid)


# --- bound to the version looked at


@pytest.mark.parametrize("act", ["accept", "return", "reject"])
def test_another_version_than_the_one_looked_at_is_not_decided(desk: Office, act: str) -> None:
    """Mended and handed in again while the officer read: the words stay, the decision is about what he has not seen."""
    report = desk.submit("Open", PLAYERS, GAMES)
    mend_facts(report=report, based_on=1, values={"place": "Gouda"}, by=desk.referee)
    submit_report(report=report, answers=newest_answers(report), by=desk.referee)
    client = logged_in(Role.RATING_OFFICER)
    acts = LogEntry.objects.count()
    response = decide(client, report, act, based_on="1", words="Typed with care.")
    assert response.status_code == 409
    page = text(response)
    assert "The report has been changed since you looked at it." in page
    assert "You looked at version 1; this page now shows version 2" in page
    assert "Typed with care." in page
    report.refresh_from_db()
    assert (report.state, LogEntry.objects.count()) == ("submitted", acts)
    assert 'name="based_on" value="2"' in page  # the page shows version 2: deciding now is about that one
    assert decide(client, report, act, words="Typed with care.").status_code == 302


@pytest.mark.parametrize("number", ["", "0", "-1", "2", "x", "99999999999999"])
def test_a_form_that_names_no_version_decides_nothing(desk: Office, number: str) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    response = decide(logged_in(Role.RATING_OFFICER), report, "accept", based_on=number)
    assert response.status_code == 409
    report.refresh_from_db()
    assert report.state == "submitted"


def test_an_act_that_does_not_exist_does_nothing(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    assert decide(logged_in(Role.RATING_OFFICER), report, "publish").status_code == 409


def test_what_another_officer_decided_meanwhile_is_told_and_the_words_stay(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    accept_report(report=report, by=desk.officer)
    response = decide(
        logged_in(Role.RATING_OFFICER), report, "return", words="In general.",
        **{"line-1": "16", "remark-1": "Which Ada?"},
    )  # fmt: skip
    assert response.status_code == 409
    page = text(response)
    for kept in ("it can&#x27;t be returned", "In general.", 'value="16"', 'value="Which Ada?"'):
        assert kept in page


# --- returned: remarks


def test_remarks_are_kept_and_stand_on_the_pages_of_the_referee(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    response = decide(
        logged_in(Role.RATING_OFFICER, "Olga"), report, "return", words=" Almost. ",
        **{"line-1": "9", "remark-1": "Which Utrecht?", "line-2": "", "remark-2": ""},
        **{"line-7": " 16 ", "remark-7": "Who?"},
    )  # fmt: skip
    assert response.status_code == 302
    assert list(ReviewRemark.objects.order_by("pk").values_list("line", "text")) == [
        (None, "Almost."), (9, "Which Utrecht?"), (16, "Who?"),
    ]  # fmt: skip
    referee = Client()
    referee.force_login(desk.referee.user)
    first = text(referee.get(reverse("report", args=[report.pk])))
    for words in ("Almost.", "Which Utrecht?", "Who?", "Olga"):
        assert words in first
    page = text(referee.get(reverse("report-file", args=[report.pk])))
    line = re.search(r'id="L9".*?(?=<div class="source__line|<details)', page)
    assert line is not None
    assert "Which Utrecht?" in line[0]
    assert "Who?" not in line[0]
    # A remarked line without a finding is mended where it stands.
    assert 'name="edit-9-1-15" value="place = Utrecht"' in line[0]
    saved = referee.post(
        reverse("report-file", args=[report.pk]), {"based_on": "1", "edit-9-1-15": "place = Utrecht-Zuid"}
    )
    assert saved.status_code == 302
    assert b"place = Utrecht-Zuid\n" in bytes(report.versions.latest("number").content)
    assert "Which Utrecht?" in text(referee.get(reverse("report-file", args=[report.pk])))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({}, "Say what the referee is to mend."),
        ({"words": "  "}, "Say what the referee is to mend."),
        ({"line-1": "9"}, "Say what the referee is to mend in line 9."),
        ({"line-1": "", "remark-1": "Where?"}, "is no line of the file"),
        ({"line-1": "0", "remark-1": "Where?"}, "“0” is no line of the file"),
        ({"line-1": "9x", "remark-1": "Where?"}, "“9x” is no line of the file"),
        ({"line-1": "9999", "remark-1": "Where?"}, "“9999” is no line of the file"),
        ({"words": "a\x00b"}, "at most 2000 characters"),
        ({"words": "x" * 2001}, "at most 2000 characters"),
    ],
)
def test_remarks_without_words_or_place_return_nothing_and_stay(
    desk: Office, words: dict[str, str], told: str
) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    response = decide(logged_in(Role.RATING_OFFICER), report, "return", **words)
    assert response.status_code == 409
    page = text(response)
    assert told in page
    if "remark-1" in words:
        assert f'value="{words["remark-1"]}"' in page
    assert not ReviewRemark.objects.exists()


@pytest.mark.parametrize(
    ("act", "told"),
    [("reject", "Say why the report is rejected."), ("take-back", "Say why the acceptance is taken back.")],
)
def test_without_a_reason_nothing_is_rejected_or_taken_back(desk: Office, act: str, told: str) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    if act == "take-back":
        accept_report(report=report, by=desk.officer)
    before = Report.objects.get().state
    response = decide(logged_in(Role.RATING_OFFICER), report, act, words=" ")
    assert response.status_code == 409
    assert told in text(response)
    assert Report.objects.get().state == before


# --- accepted


# Played 6 to 8 February 2026; each is barred by R11 for one cause.
BARRED = {
    "late": {"received": "2026-02-16"},  # due by the 15th
    "not announced": {"announced": "2026-01-24"},  # 13 days before
}


@pytest.mark.parametrize("why", BARRED)
def test_what_asks_admission_is_accepted_with_a_reason_by_a_rating_officer(desk: Office, why: str) -> None:
    report = desk.submit("Open", PLAYERS, GAMES, **BARRED[why])
    address = reverse("office-report", args=[report.pk])
    director = logged_in(Role.TOURNAMENT_DIRECTOR)
    page = text(director.get(address))
    assert "it asks for the role rating officer" in page
    assert "Accept the report" not in page
    refused = decide(director, report, "accept", words="The post was late.")
    assert refused.status_code == 403
    assert "The post was late." in text(refused)
    officer = logged_in(Role.RATING_OFFICER)
    assert "Why it is admitted" in text(officer.get(address))
    refused = decide(officer, report, "accept", words=" ")
    assert refused.status_code == 409
    assert "only if it is admitted with a reason" in text(refused)
    assert Report.objects.get().state == "submitted"
    assert decide(officer, report, "accept", words="The post was late.").status_code == 302
    assert Report.objects.get().admitted_reason == "The post was late."
    assert LogEntry.objects.latest("pk").reason == "The post was late."


def test_a_report_in_order_asks_no_reason(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    officer = logged_in(Role.RATING_OFFICER)
    assert "Why it is admitted" not in text(officer.get(reverse("office-report", args=[report.pk])))
    assert decide(officer, report, "accept").status_code == 302
    assert Report.objects.get().admitted_reason == ""
    assert Entry.objects.count() == 3
    assert Message.objects.filter(kind="report_accepted", recipient=desk.referee.user).count() == 1


def test_newcomers_who_may_be_others_are_asked_about_once_the_service_says_so(desk: Office) -> None:
    """Zora Zett came into the register by the first acceptance; mended, her line says Zet."""
    report = desk.accept("Open", [desk.newcomer("Zora", "Zett"), 11, 12], GAMES)
    officer = logged_in(Role.RATING_OFFICER)
    assert decide(officer, report, "take-back", words="Her name.").status_code == 302
    decide(officer, report, "return", words="Zet with one t.")
    referee = Client()
    referee.force_login(desk.referee.user)
    content = bytes(report.versions.get().content).replace(b"Zora,Zett", b"Zora,Zet")
    number = next(n for n, line in enumerate(content.decode().splitlines(), start=1) if "Zora,Zet" in line)
    line = bytes(report.versions.get().content).decode().splitlines()[number - 1]
    referee.post(
        reverse("report-file", args=[report.pk]),
        {"based_on": "1", f"edit-{number}-1-{len(line)}": line.replace("Zett", "Zet")},
    )
    submit_report(report=report, answers=newest_answers(report), by=desk.referee)
    assert "are other persons" not in text(officer.get(reverse("office-report", args=[report.pk])))
    refused = decide(officer, report, "accept")
    assert refused.status_code == 409
    assert "came into the register" in text(refused)
    assert "These newcomers are other persons" in text(refused)
    people = Player.objects.count()
    assert decide(officer, report, "accept", newcomers_are_others="1").status_code == 302
    assert Player.objects.count() == people + 1


@pytest.mark.database_role("worker")  # it imports and freezes
def test_what_a_list_counts_is_not_taken_back(desk: Office) -> None:
    desk.opening(OPENING)
    report = desk.accept("Open", PLAYERS, GAMES)
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=date(2026, 4, 1), by=desk.officer)
    freeze_period(period=period, reason="so", by=desk.officer)
    response = decide(logged_in(Role.RATING_OFFICER), report, "take-back", words="Too late for this.")
    assert response.status_code == 409
    assert "A list counts this report by now" in text(response)
    assert "Too late for this." in text(response)
    assert Report.objects.get().state == "accepted"


def test_ones_own_report_says_why_in_the_place_of_the_buttons(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES, by=desk.director)
    client = Client()
    client.force_login(desk.director.user)
    page = text(client.get(reverse("office-report", args=[report.pk])))
    assert "Nobody decides about a report that he made himself." in page
    assert "Accept the report" not in page
    assert "(you)" in text(client.get(reverse("office-reports")))
    assert "Accept the report" in text(
        logged_in(Role.TOURNAMENT_DIRECTOR).get(reverse("office-report", args=[report.pk]))
    )


# --- what the page shows


def test_the_page_shows_what_is_to_be_judged(desk: Office) -> None:
    """Late by a day, with a newcomer; by an administrator, who only looks on."""
    report = desk.submit("Open", [11, 12, desk.newcomer("Zora", "Zett")], GAMES, received="2026-02-16")
    page = text(logged_in(Role.ADMINISTRATOR).get(reverse("office-report", args=[report.pk])))
    assert "The report comes 8 days after the last round." in page
    assert page.count("so it is") == WarningAnswer.objects.count() > 0
    assert "1 player not in the register" in page
    assert "Crosstable by rounds" in page
    assert "Time control" in page
    assert re.search(r"Would count in</dt><dd[^>]*><time[^>]*>1 Apr 2026</time> <small>[^<]+</small>", page)
    assert '<form class="section stack' not in page  # an administrator looks on
    assert "it asks for the role rating officer or tournament director" in page


def test_a_mended_report_offers_its_changes(desk: Office) -> None:
    report = desk.submit("Open", PLAYERS, GAMES)
    mend_facts(report=report, based_on=1, values={"place": "Gouda"}, by=desk.referee)
    changes = reverse("report-changes", args=[report.pk, 1, 2])
    officer = logged_in(Role.RATING_OFFICER)
    assert changes in text(officer.get(reverse("office-report", args=[report.pk])))
    assert officer.get(changes).status_code == 200
    # An administrator has no page of changes: no link leads him to a refusal.
    assert changes not in text(logged_in(Role.ADMINISTRATOR).get(reverse("office-report", args=[report.pk])))


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"hello", b"PK\x03\x04"])
def test_whatever_the_bytes_are_the_page_comes(desk: Office, content: bytes) -> None:
    from reporting.services.upload import upload_report

    report = upload_report(content=content, filename="x", sidecar=b"", by=desk.referee).report
    response = logged_in(Role.RATING_OFFICER).get(reverse("office-report", args=[report.pk]))
    assert response.status_code == 200


# --- the inbox


@pytest.fixture
def waiting(desk: Office) -> dict[str, Report]:
    """Four reports, received on 9, 16 (late: due 15) February, 10 March and 11 March 2026; one is returned."""
    march = {"played_from": date(2026, 3, 6), "played_to": date(2026, 3, 8)}
    april = {"played_from": date(2026, 3, 20), "played_to": date(2026, 3, 22)}
    found = {
        "Late Open": desk.submit("Late Open", PLAYERS, GAMES, received="2026-02-16"),
        "First Open": desk.submit("First Open", PLAYERS, ["1 1 3 2-0", "1 2 0 2-0"]),
        "March Rapid": desk.submit("March Rapid", PLAYERS, GAMES[:2], time_control='"15+5"', **march),
        "April Open": desk.submit("April Open", PLAYERS, GAMES[2:], **april),
    }
    return_report(report=found["March Rapid"], remarks=[Remark("so")], by=desk.officer)
    desk.upload("Draft Open", PLAYERS, ["1 3 2 2-0"])
    return found


def names(page: str) -> list[str]:
    return re.findall(r'<a href="/office/reports/\d+/">([^<]+)</a>', page)


def listed(client: Client, **asked: str) -> list[str]:
    return names(text(client.get(reverse("office-reports"), asked)))


def test_the_oldest_stands_first_and_each_heading_sorts(waiting: dict[str, Report]) -> None:
    client = logged_in(Role.RATING_OFFICER)
    oldest = ["First Open", "Late Open", "March Rapid", "April Open"]
    assert listed(client) == oldest
    assert listed(client, sort="-received") == oldest[::-1]
    assert listed(client, sort="name") == ["April Open", "First Open", "Late Open", "March Rapid"]
    assert listed(client, sort="-ended")[:2] == ["April Open", "March Rapid"]
    assert listed(client, sort="list")[-1] == "April Open"  # last round 22 March: in the list of 1 July (R10)
    assert listed(client, sort="-turn")[0] == "March Rapid"  # it was returned last
    for nonsense in ("", "x", "--name", "-", "received;drop"):
        assert listed(client, sort=nonsense) == oldest
    page = client.get(reverse("office-reports"), {"late": "1"}).content.decode()
    assert 'aria-sort="ascending"><a class="table__sort" href="?late=1&amp;sort=-received">' in page


def test_filters_and_what_each_line_says(waiting: dict[str, Report], desk: Office) -> None:
    client = logged_in(Role.RATING_OFFICER)
    assert listed(client, late="1") == ["Late Open"]
    assert listed(client, state="referee") == ["March Rapid"]
    assert "March Rapid" not in listed(client, state="office")
    assert listed(client, state="nonsense") == listed(client)
    assert len(listed(client, federation="NED")) == 4
    assert listed(client, federation="BEL") == []
    assert "No report fits these filters." in text(
        client.get(reverse("office-reports"), {"federation": "BEL"})
    )
    accept_report(report=waiting["First Open"], by=desk.officer)
    assert "First Open" not in listed(client)
    assert listed(client, state="accepted") == ["First Open"]
    page = text(client.get(reverse("office-reports")))
    # Received on the 16th, due on the 15th.
    assert "1 day late" in page
    assert "Referee" in page


@pytest.mark.database_role("worker")  # it imports and freezes
def test_each_line_names_the_list_that_counts_it_now(desk: Office, waiting: dict[str, Report]) -> None:
    """100 squares is closed for 1 April by the freeze, rapid is not: what is admitted now comes into the next (R11)."""
    desk.opening(OPENING)
    accept_report(report=waiting["First Open"], by=desk.officer)
    client = logged_in(Role.RATING_OFFICER)
    assert listed(client, state="accepted") == ["First Open"]
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=date(2026, 4, 1), by=desk.officer)
    freeze_period(period=period, reason="so", by=desk.officer)
    assert listed(client, state="accepted") == []
    lists = re.findall(
        r'<time datetime="(2026-[047]\d-01)">[^<]+</time><br><span class="note">([^<]+)',
        text(client.get(reverse("office-reports"))),
    )
    assert [day for day, _ in lists] == ["2026-07-01", "2026-04-01", "2026-07-01"]
    assert len({pool for _, pool in lists}) == 2
    # The calculation opens on the 8th day after the closing date, 15 March or June (R11): 23 March, 23 June 2026.
    days = (date(2026, 6, 23) - timezone.localdate()).days
    told = f"frozen in {days} day" if days > 0 else "to be frozen now"
    assert told in text(client.get(reverse("office-reports")))


def test_a_returned_report_that_is_being_mended_stays_with_the_referee(
    waiting: dict[str, Report], desk: Office
) -> None:
    client = logged_in(Role.RATING_OFFICER)
    mend_facts(report=waiting["March Rapid"], based_on=1, values={"place": "Gouda"}, by=desk.referee)
    waiting["March Rapid"].refresh_from_db()
    assert waiting["March Rapid"].state == "draft"
    assert listed(client, state="referee") == ["March Rapid"]
    assert "Draft Open" not in text(client.get(reverse("office-reports")))


def test_an_empty_inbox_says_what_comes_next(desk: Office) -> None:
    page = text(logged_in(Role.RATING_OFFICER).get(reverse("office-reports")))
    assert "Nothing waits for a decision." in page
    assert "A report appears here the moment a referee hands it in." in page
    assert "Every announced competition that is over has been reported." in page


def announced(desk: Office, name: str, days_ago: int, country: str = "NED", **more: Any) -> Announcement:
    last = timezone.localdate() - timedelta(days=days_ago)
    return Announcement.objects.create(
        name=name, country_id=country, played_from=last, played_to=last, discipline="100", time_control="120+0",
        announced_by=desk.referee.user, announced_on=last - timedelta(days=30), **more,
    )  # fmt: skip


def test_announced_but_not_received(desk: Office) -> None:
    """A report is due 7 days after the last round: 10 days ago is 3 days late, 7 is due today, 1 has 6 left."""
    announced(desk, "Long over", 10)
    announced(desk, "Due today", 7)
    announced(desk, "Over yesterday", 1)
    announced(desk, "Ends today", 0)
    announced(desk, "Given up", 20, withdrawn_at=timezone.now())
    reported = announced(desk, "Reported", 20)
    Report.objects.filter(pk=desk.submit("Reported", PLAYERS, GAMES).pk).update(announcement=reported)
    begun = announced(desk, "Begun", 9)
    Report.objects.filter(pk=desk.upload("Begun", PLAYERS, GAMES[1:]).report.pk).update(announcement=begun)
    client = logged_in(Role.RATING_OFFICER)
    page = text(client.get(reverse("office-reports")))
    table = page[page.index('id="missing"') :]
    told = re.findall(r'table__name">([^<]+?) <.*?<br><span class="[^"]+">([^<]+)</span>', table)
    assert told == [
        ("Long over", "3 days late"), ("Begun", "2 days late"), ("Due today", "today"),
        ("Over yesterday", "6 days left"),
    ]  # fmt: skip
    late = text(client.get(reverse("office-reports"), {"late": "1"}))
    assert "Begun" in late
    assert "Due today" not in late


def test_the_number_of_queries_does_not_grow(waiting: dict[str, Report], desk: Office) -> None:
    client = logged_in(Role.RATING_OFFICER)
    counts = []
    for number in range(3):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("office-reports")).status_code == 200
        counts.append(len(queries))
        desk.submit(f"Open {number}", PLAYERS, GAMES[: number + 1], received="2026-02-20")
        announced(desk, f"Announced {number}", 10 + number)
    assert counts[1:] == counts[:1] * 2
    assert counts[0] <= 13
    first = Report.objects.filter(state="submitted").first()
    assert first is not None
    with CaptureQueriesContext(connection) as small:
        client.get(reverse("office-report", args=[first.pk]))
    many = desk.submit(
        "Many",
        [desk.newcomer(f"Given{'abcdefghij'[n]}", f"Family{'abcdefghij'[n]}q") for n in range(10)],
        [f"1 {n} {n + 1} 2-0" for n in range(1, 10, 2)],
    )
    with CaptureQueriesContext(connection) as large:
        client.get(reverse("office-report", args=[many.pk]))
    assert abs(len(large) - len(small)) <= 3


@pytest.mark.django_db(transaction=True)
def test_during_a_freeze_it_is_to_be_tried_again_and_the_words_stay(desk: Office) -> None:
    """The closing lock is held by another connection; 503 with the words typed."""
    report = desk.submit("Open", PLAYERS, GAMES)
    client = logged_in(Role.RATING_OFFICER)
    other = connection.copy()
    with other.cursor() as theirs:
        theirs.execute("SELECT pg_advisory_lock(%s)", [CLOSING])
        with connection.cursor() as ours:
            ours.execute("SET lock_timeout = '200ms'")
        try:
            response = decide(client, report, "reject", words="Typed with care.")
        finally:
            with connection.cursor() as ours:
                ours.execute("RESET lock_timeout")
            theirs.execute("SELECT pg_advisory_unlock(%s)", [CLOSING])
    other.close()
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert "Typed with care." in text(response)
    assert Report.objects.get().state == "submitted"
