"""Save the comments on warnings of a report that is not submitted yet."""

from collections.abc import Mapping

from django.db import transaction

from reporting.log.audit import Actor, record
from reporting.models import DraftComments, Report
from reporting.policies import check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState


@transaction.atomic
def save_comments(
    *, report: Report, version: int, comments: Mapping[int, str], of_kinds: Mapping[str, str], by: Actor
) -> DraftComments:
    """Store what was typed on the findings of a version, in place of what was stored before.

    `comments` are by index of the finding, `of_kinds` by code. Nothing needs to be complete; the same comments again
    change nothing. Raises DomainError
    `wrong_state`, `version_changed` for a version that the report does not have, `forbidden`.
    """
    report = Report.objects.select_for_update().get(pk=report.pk)
    check_can_submit(by.user, report)
    if ReportMove.SUBMIT not in LIFECYCLE[ReportState(report.state)].moves:
        raise DomainError("wrong_state.submit")
    if not report.versions.filter(number=version).exists():
        raise DomainError("version_changed")
    typed = {
        "version": version,
        "single": {str(index): text for index, text in comments.items()},
        "of_kinds": dict(of_kinds),
        "by": by.user,
    }
    known = DraftComments.objects.filter(report=report, **typed).first()
    if known is not None:
        return known
    saved, _ = DraftComments.objects.update_or_create(report=report, defaults=typed)
    record(by=by, action="report.save_comments", subject=f"report {report.pk}", after={"version": version})
    return saved
