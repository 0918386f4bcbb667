"""Notes on a report: the office asks or tells its people something without returning it, and they answer."""

from collections.abc import Iterable
from datetime import timedelta
from math import ceil

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_note
from reporting.models import Report, ReportNote, ReviewRemark, User
from reporting.policies import OFFICE_ROLES, check_can_review, check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.inbox import has_note_to_answer

MOST_NOTES_A_DAY = 20
MOST_KILOBYTES_OF_TEXTS = 100
"""Of the notes that a person writes on a report, and of the remarks (docs/decisions/0102)."""


@transaction.atomic
def write_note(*, report: Report, text: str, by: Actor) -> ReportNote:
    """Store a note on a submitted report and tell the other side; the report's state does not change.

    A note of the office goes to the submitter, one of the submitter or the national official to the people of the
    office who wrote notes on the report; without any it waits in the inbox. The same text sent twice is one note.
    Raises DomainError `text_missing`, `wrong_state.note` for a report that was never submitted, `too_many_notes`,
    `too_much_text`, `forbidden`.
    """
    report = (
        Report.objects.select_for_update(of=("self",))
        .select_related("submitted_by", "result_set")
        .get(pk=report.pk)
    )
    check_can_submit(by.user, report)
    text = text.strip()
    if not text:
        raise DomainError("text_missing")
    if report.first_submitted_at is None:
        raise DomainError("wrong_state.note")
    newest = report.notes.order_by("pk").last()
    if newest is not None and (newest.text, newest.by_id) == (text, by.user.pk):
        return newest
    today = report.notes.filter(by=by.user, at__gt=timezone.now() - timedelta(days=1))
    if today.count() >= MOST_NOTES_A_DAY:
        raise DomainError("too_many_notes", most=MOST_NOTES_A_DAY)
    refuse_too_much_text("notes", report.notes.all(), [text], by)
    from_office = report.submitted_by_id != by.user.pk and by.user.has_role(*OFFICE_ROLES)
    note = ReportNote.objects.create(report=report, text=text, from_office=from_office, by=by.user)
    record(by=by, action="report.write_note", subject=f"report {report.pk}", after={"note": note.pk})
    written_to = (
        [report.submitted_by]
        if from_office
        else User.objects.filter(pk__in=report.notes.filter(from_office=True).values("by"))
    )
    notify_note(note, written_to)
    return note


def refuse_too_much_text(
    case: str,
    written: QuerySet[ReportNote] | QuerySet[ReviewRemark],
    texts: Iterable[str],
    by: Actor,
) -> None:
    """Raise DomainError `too_much_text.<case>` where the texts and those that the person wrote before pass the limit.

    By person, so that no one keeps others from writing. Commands have no limit. 1 query.
    """
    before = written.filter(by=by.user).values_list("text", flat=True)
    size = sum(len(text.encode()) for text in (*before, *texts)) / 1_000
    if size > MOST_KILOBYTES_OF_TEXTS and not by.by_command:
        raise DomainError(f"too_much_text.{case}", most=MOST_KILOBYTES_OF_TEXTS, size=ceil(size))


@transaction.atomic
def close_notes(*, report: Report, by: Actor) -> None:
    """Take the notes of a report out of the inbox without an answer; a second time changes nothing.

    Raises DomainError `own_report`, `forbidden`.
    """
    report = Report.objects.select_for_update().get(pk=report.pk)
    check_can_review(by.user, report)
    if has_note_to_answer(report):
        record(by=by, action="report.close_notes", subject=f"report {report.pk}")
