"""An upload: another person's file blocks none, the office hears of both, too many are refused (R22, R23)."""

from functools import partial
from threading import Event
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from reporting.models import LogEntry, Message, Report, Role, Tournament
from tests.concurrency import run_concurrently, wait_for_lock
from tests.pages.inbox.office_reports import GAMES, PLAYERS, newest_comments, text
from tests.people import client_of, create_federation, create_user, logged_in
from tests.pseudo_language import pseudo, pseudo_language
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture
def referee(office: Office) -> Client:
    return client_of(office.referee.user)


@pytest.fixture
def announcement(office: Office) -> Tournament:
    create_federation("NED")
    return Tournament.objects.create(
        name="Utrecht Open", place="Utrecht", country_id="NED", played_from="2026-02-06", played_to="2026-02-08",
        discipline="100", time_control="80+30", announced_on="2026-01-02", announced_by=office.referee.user,
    )  # fmt: skip


def sent(client: Client, content: bytes) -> Report:
    response = client.post(reverse("report-new"), {"file": SimpleUploadedFile("a.txt", content)})
    assert response.status_code == 302
    report = Report.objects.latest("pk")
    assert response["Location"] == reverse("report-file", args=[report.pk])
    assert client.get(response["Location"]).status_code == 200
    return report


def test_the_rightful_referee_has_a_report_and_the_office_sees_both(office: Office, referee: Client) -> None:
    office.register(*PLAYERS)
    content = office.report_file("Open", PLAYERS, GAMES)
    squatter = client_of(create_user("s@example.org", "Squatter", roles=[Role.REFEREE]))
    squatted = sent(squatter, content)
    report = sent(referee, content)
    assert report != squatted
    details = {"based_on": "1", "discipline": "100", "time_control": "120+0", "official": "true"}
    referee.post(reverse("report-details", args=[report.pk]), details)
    words = {f"comment-{index}": "so it is" for index in newest_comments(report)}
    referee.post(reverse("report-submit", args=[report.pk]), {"based_on": 2} | words)
    assert Report.objects.get(pk=report.pk).state == "submitted"
    for name in ("report", "report-file", "report-submit"):
        assert "same-file" not in text(referee.get(reverse(name, args=[report.pk])))
    officer = logged_in(Role.RATING_OFFICER)
    page = text(officer.get(reverse("office-report", args=[report.pk])))
    assert "same-file" in page
    assert f"Report {squatted.pk} has the same file." in page
    assert f"report {squatted.pk} (Draft) by Squatter" in page
    with pseudo_language() as prefix:
        translated = text(officer.get(f"{prefix}{reverse('office-report', args=[report.pk])}"))
    assert f"({pseudo('Draft')})" in translated  # once
    assert f"same file as report {squatted.pk}" in text(officer.get(reverse("office-reports")))
    squatter.post(reverse("report-withdraw", args=[squatted.pk]))
    assert "same-file" not in text(officer.get(reverse("office-report", args=[report.pk])))


def test_a_correction_that_begins_with_its_file_is_no_second_report(office: Office, referee: Client) -> None:
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES)
    response = referee.post(reverse("report-correct", args=[report.pk]))
    draft = Report.objects.latest("pk")
    assert response["Location"] == reverse("report-file", args=[draft.pk])
    officer = logged_in(Role.RATING_OFFICER)
    for other_report in (report, draft):
        assert "same-file" not in text(officer.get(reverse("office-report", args=[other_report.pk])))


def test_too_many_reports_a_day_come_back_with_their_form(
    announcement: Tournament, referee: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reporting.reports.services.upload.MOST_REPORTS_A_DAY", 1)
    sent(referee, b"001 one")
    file = SimpleUploadedFile("b.txt", b"001 two")
    response = referee.post(reverse("report-new"), {"file": file, "announcement": announcement.pk})
    assert response.status_code == 409
    page = text(response)
    assert "You uploaded 1 reports today. That is the limit. Upload this one tomorrow." in page
    assert f'<option value="{announcement.pk}" selected>' in page
    assert Report.objects.count() == 1


def test_too_many_versions_are_refused_and_no_input_is_lost(
    office: Office, referee: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reporting.reports.services.upload.MOST_VERSIONS", 1)
    report = sent(referee, office.report_file("Open", [], []))
    sent_lines = {"based_on": "1", "edit-2-1-11": "name = Utrecht Open"}
    for name, typed in (
        ("report-file", sent_lines),
        ("report-details", {"based_on": "1", "place": "Utrecht Open"}),
    ):
        response = referee.post(reverse(name, args=[report.pk]), typed)
        assert response.status_code == 409, name
        page = text(response)
        assert "This report has 1 versions. That is the limit." in page, name
        assert "Utrecht Open" in page, name
    assert report.versions.count() == 1


def upload(client: Client, *files: tuple[str, bytes], **values: Any) -> Any:
    sent_files = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(reverse("report-new"), values | {"file": sent_files})


def test_a_file_that_cannot_be_a_report_leaves_no_draft(referee: Client) -> None:
    for content, code in (
        (b"", "file-empty"),
        (b" \n\n", "file-empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "archive-refused"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "archive-refused"),
        (b"PK\x03\x04 not a workbook", "archive-refused"),
        (b"%PDF-1.7", "archive-refused"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "format-unknown"),
        (b"<!doctype html><table><tr><td>1</td></tr></table>", "format-unknown"),
        (b"Dear office, we played on Sunday.", "format-unknown"),
        (b"\x01\xfe\xff", "format-unknown"),
        (b"\x00001 \xfe\xff", "format-unknown"),
        (b"a" * 5_000_001, "file-too-large"),
    ):
        response = upload(referee, ("photo.jpg", content))
        assert response.status_code == 409, content[:50]
        (finding,) = response.context["problem"].findings
        assert finding.code == code, content[:50]
        page = text(response)
        assert "This file cannot be read as a report. It was not stored." in page
        assert f"Found: {escape(finding.found)}." in page
        assert f"Expected: {escape(finding.expected)}." in page
        assert "choose its encoding" not in page  # there is no draft whose encoding could be chosen
    assert not Report.objects.exists()


def test_nor_does_it_become_the_next_version_of_a_draft(referee: Client) -> None:
    report = sent(referee, b"<section Info>\nname = Open\n</end info>\n")
    for content in (b"", b"\x89PNG\r\n\x1a\n\x00\x00"):
        file = {"file": SimpleUploadedFile("photo.jpg", content), "based_on": "1"}
        response = referee.post(reverse("report-file", args=[report.pk]), file)
        assert response.status_code == 409
        (finding,) = response.context["problem"].findings
        assert finding.message in text(response)
    assert report.versions.count() == 1


def test_a_text_whose_encoding_can_be_chosen_is_kept(referee: Client) -> None:
    sent(referee, "012 Jiří".encode("cp1250"))


def test_several_files_have_an_outcome_each(office: Office, referee: Client) -> None:
    office.register(*PLAYERS)
    content = office.report_file("Open", PLAYERS, GAMES)
    report = sent(referee, content)
    response = upload(referee, ("open.txt", content), ("photo.png", b"\x89PNG"), ("other.txt", b"001 other"))
    assert response.status_code == 200
    page = text(response)
    first, photo, other = response.context["outcomes"]
    assert (first.report, first.already_there) == (report, True)
    assert (photo.report, photo.refusal.code) == (None, "file_unusable")
    assert (other.report.pk, other.version.filename) == (Report.objects.latest("pk").pk, "other.txt")
    assert f'<a href="{reverse("report-file", args=[other.report.pk])}">other.txt</a>:' in page
    assert "Photos and other pictures are not supported." in page
    assert Report.objects.count() == 2


def test_several_files_have_no_announcement_and_a_limit(announcement: Tournament, referee: Client) -> None:
    response = upload(referee, ("a.txt", b"one"), ("b.txt", b"two"), announcement=announcement.pk)
    assert response.status_code == 400
    assert "An announcement belongs to one file." in text(response)
    assert f'<option value="{announcement.pk}" selected>' in text(response)
    response = upload(referee, *((f"{number}.txt", b"x%d" % number) for number in range(11)))
    assert response.status_code == 400
    assert "Choose at most 10 files at once." in text(response)
    assert referee.post(reverse("report-new")).status_code == 400
    assert not Report.objects.exists()


def test_a_draft_is_deleted_on_a_page_of_its_own(referee: Client) -> None:
    report = sent(referee, b"<section Info>\nname = Open\n</end info>\n")
    address = reverse("report-delete", args=[report.pk])
    assert address in text(referee.get(reverse("report", args=[report.pk])))
    assert "This cannot be undone." in text(referee.get(address))
    assert Report.objects.exists()
    administrator = client_of(create_user("a@example.org", "Ada Lund", roles=[Role.ADMINISTRATOR]))
    assert administrator.post(address).status_code == 403  # reads it, but did not make it
    Report.objects.update(state="withdrawn")
    assert referee.get(address).status_code == 409
    Report.objects.update(state="draft")
    deleted = referee.post(address, {"based_on": 1}, follow=True)
    assert deleted.redirect_chain == [(reverse("reports"), 302)]
    assert "Draft deleted." in text(deleted)
    assert not Report.objects.exists()
    actions = LogEntry.objects.filter(subject=f"report {report.pk}").order_by("pk")
    assert [entry.action for entry in actions] == ["report.upload", "report.delete"]
    assert referee.post(address).status_code == 404


def test_the_office_deletes_a_draft_that_was_never_submitted_with_a_reason(office: Office) -> None:
    report = sent(client_of(office.referee.user), b"<section Info>\nname = Open\n</end info>\n")
    officer = client_of(create_user("olga@example.org", "Olga Ames", roles=[Role.RATING_OFFICER]))
    address = reverse("report-delete", args=[report.pk])
    assert address in text(officer.get(reverse("office-report", args=[report.pk])))
    assert "gets a message with your reason." in text(officer.get(address))
    refused = officer.post(address, {"based_on": 1, "reason": " "})
    assert (refused.status_code, "Enter a reason." in text(refused)) == (409, True)
    Report.objects.update(state="withdrawn")
    given = {"based_on": 1, "reason": "A test file."}
    assert officer.post(address, given).status_code == 409
    Report.objects.update(state="draft")
    referee = client_of(office.referee.user)
    referee.post(reverse("report-details", args=[report.pk]), {"based_on": 1, "place": "Ghent"})
    seen = officer.post(address, given)  # the page was open while the referee saved another version
    assert (seen.status_code, "A test file." in text(seen), Report.objects.exists()) == (409, True, True)
    deleted = officer.post(address, given | {"based_on": 2}, follow=True)
    assert "Draft deleted." in text(deleted)
    assert not Report.objects.exists()
    entry = LogEntry.objects.get(action="report.delete")
    assert (entry.actor.name if entry.actor else "", entry.reason) == ("Olga Ames", "A test file.")
    (message,) = Message.objects.filter(kind=Message.Kind.DRAFT_DELETED)
    assert message.recipient == office.referee.user
    assert "Reason: A test file." in message.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.database_role("web")
@pytest.mark.parametrize("first", ["delete", "save"])
@pytest.mark.parametrize(
    ("page", "values"), [("report-details", {"place": "Ghent"}), ("report-submit", {"action": "save"})]
)
def test_a_draft_is_deleted_while_another_window_saves_it(
    office: Office, first: str, page: str, values: dict[str, str]
) -> None:
    """Both stand at the row of the report, one behind the other, and are let go."""
    windows = {name: client_of(office.referee.user) for name in ("delete", "save")}
    report = sent(windows["save"], b"<section Info>\nname = Open\n</end info>\n")
    acts = {
        "delete": partial(
            windows["delete"].post, reverse("report-delete", args=[report.pk]), {"based_on": 1}
        ),
        "save": partial(windows["save"].post, reverse(page, args=[report.pk]), {"based_on": 1} | values),
    }
    held = Event()

    @transaction.atomic
    def hold() -> None:
        Report.objects.select_for_update().get(pk=report.pk)
        held.set()
        wait_for_lock(2)

    def act(name: str) -> Any:
        held.wait(30)
        wait_for_lock(0 if name == first else 1)
        return acts[name]()

    _, deleted, saved = run_concurrently(hold, partial(act, "delete"), partial(act, "save"))
    # A saved version is no longer what the page that deletes has shown; comments of the draft are no version.
    is_other_version = first == "save" and page == "report-details"
    assert deleted.status_code == (409 if is_other_version else 302)
    assert saved.status_code == (404 if first == "delete" else 302)
    assert Report.objects.exists() is is_other_version
