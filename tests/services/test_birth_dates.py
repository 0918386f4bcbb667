"""Dates of birth are compared at submission alone, a few times a player and day, and no answer says a date (R22a)."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.models import LogEntry, Report, ReportVersion, Role
from reporting.register.services.import_register import import_register
from reporting.reports.reading import birth_dates
from reporting.reports.reading.birth_dates import MAX_ATTEMPTS
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.people import create_federation, create_user
from tests.services.report_helpers import comments, newest, refusal

pytestmark = pytest.mark.django_db

REGISTER = (
    "fmjd_id,last_name,first_name,federation,sex,born\n"
    "11,Dijkstra,Hendrik,NED,M,1990-03-17\n12,Bosma,Piet,NED,M,1980\n"
)
RIGHT, WRONG = "17/03/1990", "18/03/1990"
LINE = "11,1,,0,2,Hendrik,Dijkstra,NED,,"


@pytest.fixture(autouse=True)
def register(office):
    import_register(content=REGISTER.encode(), by=office.officer)
    office.names |= {11: ("Hendrik", "Dijkstra"), 12: ("Piet", "Bosma")}


def file_with(office, born, name="Open"):
    content = office.report_file(name, [11, 12], ["1 1 2 2-0"])
    assert LINE.encode() in content
    return content.replace(LINE.encode(), f"11,1,,0,2,Hendrik,Dijkstra,NED,{born},".encode())


def uploaded(office, born, name="Open", by=None):
    content = file_with(office, born, name)
    return upload_report(content=content, filename="a", sidecar=office.details(), by=by or office.referee)


def submitted(office, born, name="Open", by=None):
    """Uploaded and submitted with a word to each warning of the draft."""
    report = uploaded(office, born, name, by).report
    return submit_report(report=report, comments=comments(report), by=by or office.referee)


def compared():
    return LogEntry.objects.filter(action="report.compare_birth_dates").order_by("pk")


def test_of_a_draft_nothing_is_said_of_days_of_birth(office):
    drafts = [uploaded(office, born).matching.findings for born in (RIGHT, WRONG)]
    said = [[finding.to_json() for finding in findings] for findings in drafts]
    assert said[0] == said[1]
    assert not any(finding["field"] == "born" for finding in said[0])
    newcomers = [
        office.upload("Open", [office.newcomer("Hendrik", "Dijkstra", born=born), 12], ["1 1 2 2-0"]).matching
        for born in (RIGHT, WRONG)
    ]
    assert newcomers[0].candidates == newcomers[1].candidates
    assert newcomers[0].findings == newcomers[1].findings
    assert tuple(map(str, newcomers[0].candidates[1][0].reasons)) == (
        "the same name", "the same year of birth", "the same federation",
    )  # fmt: skip
    assert not compared().exists()


def test_the_year_is_public_and_said_at_once(office):
    findings = uploaded(office, "17/03/1991").matching.findings
    (finding,) = [finding for finding in findings if finding.code == "register-differs"]
    assert (finding.field, finding.found, finding.expected) == ("born", "1991", "1990")


def test_the_right_day_is_submitted_at_once(office):
    assert submitted(office, RIGHT).state == "submitted"
    assert not compared().exists()


def test_another_day_comes_back_once_and_says_neither_day(office):
    report = uploaded(office, WRONG).report
    drafted = [finding["code"] for finding in newest(report).findings]
    refused = refusal(submit_report, report=report, comments=comments(report), by=office.referee)
    assert refused.code == "findings_changed"
    (finding,) = [finding for finding in refused.findings if finding.code == "birth-date-differs"]
    assert (finding.severity, finding.line, finding.field) == ("warning", 15, "born")
    said = json.dumps(finding.to_json())
    assert not any(day in said for day in ("17", "18", "03", "1990"))
    report.refresh_from_db()
    assert report.state == "draft"
    found = sorted(finding["code"] for finding in newest(report).findings)
    assert found == sorted([*drafted, "birth-date-differs"])
    # The twin: without a word to it the report is not submitted, with one it is, and no date is tried again.
    words = {place: text for place, text in comments(report).items() if text}
    place = [finding["code"] for finding in newest(report).findings].index("birth-date-differs")
    without = {number: text for number, text in words.items() if number != place}
    unanswered = refusal(submit_report, report=report, comments=without, by=office.referee)
    assert unanswered.code == "comments_missing"
    assert submit_report(report=report, comments=words, by=office.referee).state == "submitted"
    (entry,) = compared()
    assert (entry.subject, entry.after) == (f"report {report.pk}", {"version": 2, "differ": ["11"]})


def test_a_date_that_was_compared_is_logged_also_at_the_limit_of_bytes(office, monkeypatch):
    """Else a full account tries dates without end: the refusal would take the entry of the comparison back."""
    report = uploaded(office, WRONG).report
    monkeypatch.setattr("reporting.reports.services.upload.MOST_MEGABYTES_A_DAY", 0)
    refused = refusal(submit_report, report=report, comments=comments(report), by=office.referee)
    assert refused.key == "findings_changed.birth_date"
    assert compared().count() == 1


def test_dates_are_not_compared_while_a_report_has_errors_or_warnings_without_a_word(office):
    content = file_with(office, WRONG).replace(b"1,1,2,2-0", b"1,1,2,1-1")
    file = {"content": content, "filename": "a", "sidecar": office.details()}
    with_error = upload_report(**file, by=office.referee).report
    refused = refusal(submit_report, report=with_error, comments=comments(with_error), by=office.referee)
    assert refused.code == "has_errors"
    report = uploaded(office, WRONG).report
    assert comments(report)  # fewer than 7 rounds, for one
    assert refusal(submit_report, report=report, comments={}, by=office.referee).code == "comments_missing"
    assert not compared().exists()


def tried(office, by, times=MAX_ATTEMPTS):
    """Drafts of one person with other days, each found to differ."""
    for turn in range(times):
        name = f"Try {'abcdefg'[turn]} {by.user.pk}"
        refused = refusal(submitted, office, f"{turn + 1:02}/03/1990", name, by)
        assert refused.code == "findings_changed"


def codes_of(report):
    return [finding["code"] for finding in newest(report).findings]


def test_over_the_limit_a_date_is_not_compared_and_the_office_is_told(office):
    """The right one and another: the same answer, with the comments at their findings and a note for the office."""
    tried(office, office.referee)
    for born, name in ((RIGHT, "Later"), (WRONG, "Latest")):
        draft = uploaded(office, born, name).report
        given = {place: f"about {codes_of(draft)[place]}" for place in comments(draft)}
        report = submit_report(report=draft, comments=given, by=office.referee)
        assert report.state == "submitted"
        codes = codes_of(report)
        assert ("birth-date-differs" in codes, codes.count("birth-date-not-compared")) == (False, 1)
        assert compared().last().after == {"version": 2, "not_compared": ["11"]}
        said = {comment.finding: comment.text for comment in newest(report).comments.all()}
        assert said == {
            place: f"about {codes[place]}"
            for place, finding in enumerate(newest(report).findings)
            if finding["severity"] == "warning"
        }
        # It is not accepted with others at once: the officer compares the date.
        refused = refusal(accept_report, report=report, by=office.officer, only_clean=True)
        assert refused.code == "not_clean"
    assert submitted(office, "", "Without").state == "submitted"


def test_without_the_limit_many_drafts_would_find_the_day(office, monkeypatch):
    """The twin of the limit: as many tries as days, and the right one is told from the others."""
    monkeypatch.setattr(birth_dates, "MAX_ATTEMPTS", 31)
    tried(office, office.referee)
    assert refusal(submitted, office, WRONG, "Fourth", office.referee).code == "findings_changed"
    assert not {code for code in codes_of(submitted(office, RIGHT, "Fifth")) if code.startswith("birth-date")}


def test_what_was_said_already_is_no_new_try_over_the_limit(office):
    tried(office, office.referee)
    first = Report.objects.filter(versions__name__startswith="Try a").first()
    assert submit_report(report=first, comments=comments(first), by=office.referee).state == "submitted"


def referee_of(federation, name="Other"):
    """A referee of this federation."""
    code = create_federation(federation).code
    email = f"{name}.{federation}@example.org".lower()
    return Actor(create_user(email, name, roles=[Role.REFEREE], federation_id=code))


def test_tries_are_counted_for_all_accounts_of_a_federation_and_for_no_other(office):
    """Two accounts of one federation have three tries together; the referee of another one is compared as ever."""
    tried(office, referee_of("BEL", "First"), 2)
    second = referee_of("BEL", "Second")
    assert refusal(submitted, office, "09/03/1990", "Try of a second", second).code == "findings_changed"
    report = submitted(office, WRONG, "Fourth", second)
    assert "birth-date-not-compared" in codes_of(report)
    elsewhere = refusal(submitted, office, WRONG, "Elsewhere", referee_of("FRA"))
    assert "birth-date-differs" in [finding.code for finding in elsewhere.findings]
    report = submitted(office, RIGHT, "Elsewhere too", referee_of("FRA", "Another"))
    assert "birth-date-not-compared" not in codes_of(report)


def test_yesterday_s_tries_count_no_more(office):
    day = timezone.now() - timedelta(days=1)
    for _ in range(MAX_ATTEMPTS):
        LogEntry.objects.create(
            actor=office.referee.user, action="report.compare_birth_dates", subject="report 1", at=day,
            after={"version": 1, "differ": ["11"]},
        )  # fmt: skip
    assert submitted(office, RIGHT).state == "submitted"


def test_an_import_comments_on_other_dates_and_is_not_counted(office):
    for turn in range(MAX_ATTEMPTS + 1):
        file = ReportFile("a.txt", file_with(office, WRONG, f"Open {'abcdefg'[turn]}"), office.details())
        (imported,) = import_reports(files=[file], accept_as=None, importer=office.importer)
        assert imported.outcome == "submitted"
        assert "birth-date-differs" in [finding.code for finding in imported.findings]
    assert compared().count() == MAX_ATTEMPTS + 1
    assert submitted(office, RIGHT, "By hand").state == "submitted"
    stored = json.dumps(list(ReportVersion.objects.values_list("findings", flat=True)))
    assert "1990-03-17" not in stored
