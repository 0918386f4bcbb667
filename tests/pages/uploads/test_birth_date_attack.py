"""A referee tries to learn the day of birth of a registered player from what the pages answer (R22a)."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from reporting.models import LogEntry, Report, Role, User
from reporting.register.services.import_register import import_register
from reporting.reports.reading.birth_dates import MAX_ATTEMPTS
from tests.pages.inbox.office_reports import newest_comments, text
from tests.people import client_of, logged_in
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

REGISTER = (
    "fmjd_id,last_name,first_name,federation,sex,born\n"
    "11,Dijkstra,Hendrik,NED,M,1990-03-17\n12,Bosma,Piet,NED,M,1980\n"
)
DAYS = range(12, 18)  # six days of March 1990; the register has the last
LINE = "11,1,,0,2,Hendrik,Dijkstra,NED,,"
STEPS = ("report", "report-file", "report-details", "report-people", "report-preview", "report-submit")


@pytest.fixture
def referee(office: Office) -> Client:
    import_register(content=REGISTER.encode(), by=office.officer)
    office.names |= {11: ("Hendrik", "Dijkstra"), 12: ("Piet", "Bosma")}
    return client_of(User.objects.get(pk=office.referee.user.pk))


def sent(client: Client, office: Office, line: str, day: int) -> Report:
    """A report of a tournament of its own for each day, uploaded and filled in by the pages."""
    content = office.report_file("Open", [11, 12], ["1 1 2 2-0"]).replace(LINE.encode(), line.encode())
    response = client.post(reverse("report-new"), {"file": SimpleUploadedFile("a.txt", content)})
    assert response.status_code == 302
    report = Report.objects.latest("pk")
    details = {"based_on": "1", "discipline": "100", "time_control": "120+0", "official": "true"}
    assert client.post(reverse("report-details", args=[report.pk]), details).status_code == 302
    return report


def answer(client: Client, name: str, report: Report, day: int) -> str:
    """A page without what was sent, the report's number, tokens, digests and the minute."""
    page = text(client.get(reverse(name, args=[report.pk])))
    page = page.replace(f"{day:02}/03/1990", "DAY").replace(f'"{day} Mar 1990"', "DAY")
    page = page.replace(f"/reports/{report.pk}/", "/reports/N/")
    page = re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", page)
    page = re.sub(r'<code class="hash">[^<]*</code>', "HASH", page)
    return re.sub(r"\d\d:\d\d", "TIME", page)


@pytest.mark.parametrize("fmjd_id", ["11", "0"])
def test_drafts_with_any_day_have_the_same_pages(referee: Client, office: Office, fmjd_id: str) -> None:
    seen: dict[str, set[str]] = {name: set() for name in STEPS}
    for day in (DAYS[0], DAYS[1], DAYS[-1]):
        line = f"{fmjd_id},1,,0,2,Hendrik,Dijkstra,NED,{day:02}/03/1990,M"
        report = sent(referee, office, line, day)
        for name in STEPS:
            seen[name].add(answer(referee, name, report, day))
    assert {name: len(pages) for name, pages in seen.items()} == dict.fromkeys(STEPS, 1)
    assert "Dijkstra" in "".join(seen["report-people"])


def test_submissions_tell_no_date_and_are_limited(referee: Client, office: Office) -> None:
    """Six reports with six days, the last with the right one: three read "differs", then all are submitted."""
    answers = []
    for day in DAYS:
        report = sent(referee, office, f"11,1,,0,2,Hendrik,Dijkstra,NED,{day:02}/03/1990,M", day)
        version = report.versions.latest("number")
        words = {f"comment-{index}": f"comment {index}" for index in newest_comments(report)}
        sent_words = {"based_on": version.number} | words
        response = referee.post(reverse("report-submit", args=[report.pk]), sent_words)
        page = text(response)
        answers.append(response.status_code == 409)
        report.refresh_from_db()
        assert report.state == ("draft" if answers[-1] else "submitted")
        if answers[-1]:
            assert "birth-date-differs" in page
            for word in words.values():  # what was typed is in the form again
                assert f">{word}</textarea>" in page
        else:
            assert report.versions.latest("number").findings[-1]["code"] != "birth-date-differs"
        assert "1990-03-17" not in page
    assert answers == [True] * MAX_ATTEMPTS + [False] * (len(DAYS) - MAX_ATTEMPTS)
    officer = logged_in(Role.RATING_OFFICER)
    shown = text(officer.get(reverse("office-report", args=[report.pk])))
    assert "The date of birth of FMJD-ID 11 was not compared with the register" in shown
    logged = LogEntry.objects.filter(action="report.compare_birth_dates", actor=office.referee.user)
    assert logged.count() == len(DAYS)
    assert "1990" not in str(list(logged.values_list("before", "after", "reason")))


def test_comments_stay_with_their_findings_when_a_date_differs(referee: Client, office: Office) -> None:
    """The new warning stands between others: each comment moves with its finding, the next press submits."""
    report = sent(referee, office, "11,1,,0,2,Hendrik,Dijkstra,NED,06/03/1990,M", 6)
    before = report.versions.latest("number").findings
    words = {f"comment-{index}": f"about {before[index]['code']}" for index in newest_comments(report)}
    address = reverse("report-submit", args=[report.pk])
    page = text(referee.post(address, {"based_on": 2} | words))
    after = report.versions.latest("number").findings
    index = [finding["code"] for finding in after].index("birth-date-differs")
    typed = dict(re.findall(r'<textarea[^>]* name="(comment-\d+)"[^>]*>([^<]*)</textarea>', page))
    warnings = [(place, finding) for place, finding in enumerate(after) if finding["severity"] == "warning"]
    expected = {f"comment-{place}": f"about {finding['code']}" for place, finding in warnings}
    expected[f"comment-{index}"] = ""
    assert typed == expected
    typed[f"comment-{index}"] = "seen in the passport"
    assert referee.post(address, {"based_on": 3} | typed).status_code == 302
    report.refresh_from_db()
    assert report.state == "submitted"
    people = text(referee.get(reverse("report-people", args=[report.pk])))
    assert "The date of birth of FMJD-ID 11 differs from the register." in people
    officer = logged_in(Role.RATING_OFFICER)
    page = text(officer.get(reverse("office-report", args=[report.pk])))
    against_register = page.partition('id="register"')[2].partition('id="ratings"')[0]
    assert "The date of birth of FMJD-ID 11 differs from the register." in against_register
    assert "1990-03-17" not in page
    assert "17/03/1990" not in page
