"""Delete a draft that was never submitted, by the database's function (reporting/migrations/sql/reports.sql)."""

from django.db import connection, transaction

from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_draft_deleted
from reporting.models import Report
from reporting.policies import check_can_delete_draft
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def delete_draft(*, report: Report, title: str, based_on: int, reason: str = "", by: Actor) -> None:
    """Delete a draft with its files and details, whose newest version is `based_on`; the entries of the log stay.

    The office gives a reason for the draft of another person, who gets a message with it and the `title`. Raises
    DomainError `reason_missing`, `version_changed`, `wrong_state.delete` for a report that was submitted or deleted,
    `forbidden`.
    """
    found = Report.objects.select_for_update(of=("self",)).select_related("submitted_by")
    draft = found.filter(pk=report.pk).first()
    if draft is None:
        raise DomainError("wrong_state.delete")
    check_can_delete_draft(by.user, draft)
    if draft.versions.count() != based_on:
        raise DomainError("version_changed")
    is_own, reason = draft.submitted_by_id == by.user.pk, reason.strip()
    if not is_own and not reason:
        raise DomainError("reason_missing")
    record(
        by=by,
        action="report.delete",
        subject=f"report {draft.pk}",
        before={"state": draft.state, "version": based_on},
        reason="" if is_own else reason,
    )
    if not is_own:
        notify_draft_deleted(draft, title, reason, by.user)
    with connection.cursor() as cursor:
        cursor.execute("SELECT delete_draft(%s)", [draft.pk])
