"""Notes on a report: a question of the office, an answer of the referee; the report stays where it is."""

import pytest
from django.test import Client
from django.urls import reverse

from reporting.models import LogEntry, Message, Report, ReportNote, Role
from reporting.reports.services.review import Remark, return_report
from reporting.reports.services.write_note import MOST_NOTES_A_DAY, write_note
from tests.pages.inbox.office_reports import GAMES, PLAYERS, text
from tests.people import client_of, logged_in
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture
def report(office: Office) -> Report:
    office.register(*PLAYERS)
    return office.submit("Delft Open", PLAYERS, GAMES)


def write(client: Client, report: Report, note: str, action: str = "write", status: int = 302) -> str:
    response = client.post(reverse("report-notes", args=[report.pk]), {"text": note, "action": action})
    assert response.status_code == status
    return text(response) if status != 302 else ""


def test_the_office_asks_the_referee_answers_and_nothing_is_returned(report: Report) -> None:
    officer, referee = logged_in(Role.RATING_OFFICER), Client()
    referee.force_login(report.submitted_by)
    inbox = reverse("office-reports")
    for _ in range(2):  # sent twice, it is one note and one message
        write(officer, report, "Who won the last game?")
    question = Message.objects.get(kind="report_note")
    address = f"/reports/{report.pk}/notes/#note-{ReportNote.objects.get().pk}"
    assert (question.recipient, question.about) == (report.submitted_by, address)
    assert "Who won the last game?" in question.text
    assert "Notes to answer" not in text(officer.get(inbox))

    write(referee, report, "Board 1 did.")
    assert "Board 1 did." in text(officer.get(inbox))
    assert "Board 1 did." in Message.objects.get(kind="report_note", recipient__name="Somebody").text
    thread = text(officer.get(reverse("report-notes", args=[report.pk])))
    assert thread.index("Who won the last game?") < thread.index("Board 1 did.")
    report.refresh_from_db()
    assert (report.state, report.versions.count()) == ("submitted", 1)

    unsent = write(officer, report, "Thank you both.", action="close", status=409)
    assert "Your note is not sent yet." in unsent
    assert ">Thank you both.</textarea>" in unsent
    write(officer, report, "", action="close")
    assert "Notes to answer" not in text(officer.get(inbox))
    acts = LogEntry.objects.filter(action__contains="note").order_by("pk").values_list("action", flat=True)
    assert list(acts) == ["report.write_note", "report.write_note", "report.close_notes"]


def test_a_decision_answers_the_notes_too(office: Office, report: Report) -> None:
    officer = logged_in(Role.RATING_OFFICER)
    write_note(report=report, text="The hall closed early.", by=office.referee)
    assert "The hall closed early." in text(officer.get(reverse("office-reports")))
    return_report(report=report, remarks=[Remark("Then say so.")], by=office.officer)
    assert "The hall closed early." not in text(officer.get(reverse("office-reports")))


def test_a_note_that_cannot_be_sent_keeps_what_was_typed(office: Office, report: Report) -> None:
    referee = client_of(report.submitted_by)
    assert "Enter a text." in write(referee, report, "  ", status=409)
    assert "x" * 2_001 in write(referee, report, "x" * 2_001, status=409)
    draft = office.upload("Draft Open", PLAYERS, ["1 3 2 2-0"])
    assert "too early" in write(referee, draft.report, "too early", status=409)
    for number in range(MOST_NOTES_A_DAY):
        write_note(report=report, text=f"note {number}", by=office.referee)
    assert "one too many" in write(referee, report, "one too many", status=409)
    assert ReportNote.objects.count() == MOST_NOTES_A_DAY


def test_notes_of_a_person_on_a_report_have_a_limit_of_bytes(
    office: Office, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is 4 KB here. Two thousand letters of two bytes reach it, one more is refused and kept in the form."""
    monkeypatch.setattr("reporting.reports.services.write_note.MOST_KILOBYTES_OF_TEXTS", 4)
    referee, officer = Client(), logged_in(Role.RATING_OFFICER)
    referee.force_login(report.submitted_by)
    write(referee, report, "é" * 2_000)
    before = list(ReportNote.objects.values()), LogEntry.objects.count()
    refused = write(referee, report, "too much", status=409)
    assert "With this one your notes on this report have 5 KB. The limit is 4 KB." in refused
    assert ">too much</textarea>" in refused
    assert (list(ReportNote.objects.values()), LogEntry.objects.count()) == before
    write(officer, report, "Write by mail, please.")  # the limit is a person's own


def test_only_people_of_the_report_and_the_office_write(report: Report) -> None:
    """Others do not find the page; an administrator reads it. The submitter does not close the own notes."""
    for role, status in ((Role.REFEREE, 404), (Role.TITLE_COUNCIL, 403), (Role.ADMINISTRATOR, 403)):
        client = logged_in(role, "Somebody")
        client.post(reverse("report-notes", args=[report.pk]), {"text": "so", "action": "write"})
        write(client, report, "so", status=status)
    referee = client_of(report.submitted_by)
    write(referee, report, "", action="close", status=403)
    assert not ReportNote.objects.exists()
