"""The checks of a report by Annex 9: those of all reports and its own, in the order of findings at one place."""

from __future__ import annotations

from reporting.federations.fmjd.details import FmjdDetails
from reporting.rules.checks import REPORT_CHECKS, Check
from reporting.rules.checks.context import CheckContext
from reporting.rules.checks.tournament import check_round_dates
from reporting.rules.report import TABLE_FORM


def check_rating_service(context: CheckContext) -> None:
    """The rating service of a report in table form is paid (Annex 9 art. 4.2.1b, R11)."""
    details = context.details
    if (
        context.read.format != TABLE_FORM
        or not isinstance(details, FmjdDetails)
        or details.rating_service_paid
    ):
        return
    context.findings.add("service-not-paid", field="rating_service_paid", proposed_value="true")


_NEXT = REPORT_CHECKS.index(check_round_dates)

CHECKS: tuple[Check, ...] = (*REPORT_CHECKS[:_NEXT], check_rating_service, *REPORT_CHECKS[_NEXT:])
