"""Correct an accepted report: a draft with its last accepted version that names its tournament (R23)."""

from django.db import transaction

from reporting.formats.tournament_details.sidecar import detail_values, read_sidecar, write_details
from reporting.log.audit import Actor
from reporting.models import Report, Tournament
from reporting.models.locks import share_closing_lock
from reporting.policies import can_see_private_details, check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.read_file import unpack_reading
from reporting.reports.services.upload import store_version
from reporting.rules.details.known_details import details_of, private_details
from reporting.rules.lifecycle import ReportState

FIRST_REPORT_DETAILS = ("received", "admit", "different_tournament")
"""Details about the receipt and acceptance of the first report; the corrected one is received today.

One that every report of a federation has to give is no receipt but the day by which its results were reported: it
stays.
"""


@transaction.atomic
def correct_report(*, report: Report, by: Actor) -> Report:
    """Start the correction of an accepted report, or return the draft of it that this person has.

    The new draft has the file and the details of the last accepted report of the same part of the tournament, private
    ones only where this person can see them. People who can change a report before its acceptance can correct it later.
    Raises DomainError `wrong_state`, `forbidden`.
    """
    check_can_submit(by.user, report)
    share_closing_lock()
    accepted = Report.objects.filter(state=ReportState.ACCEPTED)
    # Locked: the second of two clicks finds the draft of the first.
    tournament = (
        Tournament.objects.select_for_update(no_key=True)
        .filter(result_sets__reports__in=accepted.filter(pk=report.pk))
        .first()
    )
    if tournament is None:
        raise DomainError("wrong_state.not_accepted")
    part = accepted.get(pk=report.pk).submitted_result_set.part
    last = (
        accepted.filter(result_set__tournament__code=tournament.code, result_set__part=part)
        .select_related("accepted_version", "announcement")
        .latest("result_set__revision")
    )
    drafts = Report.objects.filter(corrects=tournament, submitted_by=by.user, state=ReportState.DRAFT)
    for draft in drafts.order_by("pk"):
        details = detail_values(bytes(draft.versions.latest("number").sidecar))
        if details.get("part", 1) == part:
            return draft
    version = last.accepted_version
    assert version is not None  # noqa: S101 (the database ensures it for every accepted report)
    details = detail_values(bytes(version.sidecar))
    hidden = () if can_see_private_details(by.user, last) else private_details()
    required = {
        name
        for name, detail in details_of(type(last.submitted_result_set.details)).items()
        if detail.required
    }
    for name in {*FIRST_REPORT_DETAILS} - required | {*hidden}:
        details.pop(name, None)
    return store_version(
        report=Report(submitted_by=by.user, announcement=last.announcement),
        content=bytes(version.content),
        reading=unpack_reading(bytes(version.reading)),
        filename=version.filename,
        sidecar=read_sidecar(write_details(details | {"corrects": tournament.code})),
        by=by,
        before={"report": last.pk, "version": version.number},
    ).report
