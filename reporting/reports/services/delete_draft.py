"""Delete a draft that was never submitted, by the database's function (reporting/migrations/sql/delete_drafts.sql)."""

from django.db import connection, transaction

from reporting.log.audit import Actor, record
from reporting.models import Report
from reporting.policies import check_can_delete_draft
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def delete_draft(*, report: Report, by: Actor) -> None:
    """Delete a draft with its files and details; the entries of the audit log stay.

    Raises DomainError `wrong_state.delete` for a report that was submitted or deleted, `forbidden`.
    """
    found = Report.objects.select_for_update().filter(pk=report.pk).first()
    if found is None:
        raise DomainError("wrong_state.delete")
    check_can_delete_draft(by.user, found)
    record(
        by=by,
        action="report.delete",
        subject=f"report {found.pk}",
        before={"state": found.state, "version": found.versions.count()},
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT delete_draft(%s)", [found.pk])
