"""An accepted report is corrected: a new draft begins with its last accepted version and names its tournament (R23)."""

from django.db import transaction

from reporting.errors import DomainError
from reporting.formats.tournament_details_file import detail_values, write_details
from reporting.locks import share_closing_lock
from reporting.log.audit import Actor
from reporting.models import Report, Tournament
from reporting.policies import can_see_private_details, check_can_submit
from reporting.reports.services.read_file import unpack_reading
from reporting.reports.services.upload import store_version
from reporting.rules.lifecycle import ReportState
from reporting.rules.tournament_details import PRIVATE_DETAILS

FIRST_REPORT_DETAILS = ("received", "admit", "different_tournament")
"""Details of how the first report came in and was accepted; the corrected one comes in today."""


@transaction.atomic
def correct_report(*, report: Report, by: Actor) -> Report:
    """Begin the corrected report of an accepted report's tournament, or return the draft of it that this person has.

    The new draft has the file and the details of the tournament's last accepted report, private ones only where this
    person sees them. Whoever may change a report
    before its acceptance may correct it afterwards. Raises DomainError `wrong_state`, `forbidden`.
    """
    check_can_submit(by.user, report)
    share_closing_lock()
    accepted = Report.objects.filter(state=ReportState.ACCEPTED)
    tournament = Tournament.objects.filter(reports__in=accepted.filter(pk=report.pk)).first()
    if tournament is None:
        raise DomainError("wrong_state.not_accepted")
    # Held: of two clicks the second finds the draft of the first.
    first = Tournament.objects.select_for_update(no_key=True).get(code=tournament.code, correction=0)
    last = (
        accepted.filter(tournament__code=first.code)
        .select_related("accepted_version", "announcement")
        .latest("tournament__correction")
    )
    begun = Report.objects.filter(corrects=first, submitted_by=by.user, state=ReportState.DRAFT).first()
    if begun is not None:
        return begun
    version = last.accepted_version
    assert version is not None  # noqa: S101 (the database holds it of every accepted report)
    details = detail_values(bytes(version.sidecar))
    hidden = () if can_see_private_details(by.user, last) else PRIVATE_DETAILS
    for name in (*FIRST_REPORT_DETAILS, *hidden):
        details.pop(name, None)
    return store_version(
        report=Report(submitted_by=by.user, announcement=last.announcement),
        content=bytes(version.content),
        reading=unpack_reading(bytes(version.reading)),
        filename=version.filename,
        sidecar=write_details(details | {"corrects": first.code}),
        by=by,
        before={"report": last.pk, "version": version.number},
    ).report
