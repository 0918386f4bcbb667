"""A file arrives: kept byte for byte with its SHA-256, read, and told about at once (R22, R23)."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from reporting.errors import DomainError
from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details_file import read_details
from reporting.locks import share_closing_lock, take_upload_lock
from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_changed
from reporting.models import Announcement, Report, ReportVersion, Tournament
from reporting.policies import check_can_submit, check_can_upload
from reporting.reports.selectors.reports import same_files
from reporting.reports.services.parse import Submission, read_submission, read_upload
from reporting.reports.services.read_file import pack_reading
from reporting.reports.services.validate import Matching, corrected_tournament, match_players
from reporting.rules.findings import Severity
from reporting.rules.lifecycle import ReportMove, ReportState, state_after

MOST_VERSIONS, MOST_REPORTS_A_DAY = 200, 100
"""Versions of a report, and new reports of a person in a day. Our figures."""


@dataclass(frozen=True)
class UploadedReport:
    """The stored report and what was found in it; `already_there` if these very bytes were known."""

    report: Report
    version: ReportVersion
    matching: Matching | None
    already_there: bool


def upload_report(
    *, content: bytes, filename: str, sidecar: bytes, by: Actor, announcement: Announcement | None = None
) -> UploadedReport:
    """Store a report file as version 1 of a new draft, whatever is wrong with it.

    The same bytes a second time from the same person are not stored again: the newest version of their report is
    returned, unless it was withdrawn. If the facts beside them are others by now and nobody has accepted the report
    yet, they make its next version, to be handed in again. For a command a report that is submitted or accepted is
    "already there" whoever sent it, and stays as it is (U6). Other people's reports of the same bytes hold nobody up;
    the log names them. A report whose facts say that it corrects a tournament is one of its own, with these bytes or
    others. `announcement` is the announced competition that it is of.
    Raises DomainError `too_many_reports`, `too_many_versions`, `forbidden`, `busy`.
    """
    check_can_upload(by.user)
    reading = read_upload(content=content, sidecar=sidecar)
    with transaction.atomic():
        return _uploaded(
            content=content,
            filename=filename,
            sidecar=sidecar,
            reading=reading,
            by=by,
            announcement=announcement,
        )


def _uploaded(
    *,
    content: bytes,
    filename: str,
    sidecar: bytes,
    reading: Reading,
    by: Actor,
    announcement: Announcement | None,
) -> UploadedReport:
    share_closing_lock()
    sha256 = hashlib.sha256(content).hexdigest()
    take_upload_lock(sha256)
    details, _ = read_details(sidecar)
    corrected = corrected_tournament(sidecar)
    named = details.corrects if details else ""
    known = _known_version(sha256, sidecar, named, corrected, by)
    before: dict[str, str] = {}
    if known is not None:
        # Held from here on: an acceptance under way is waited for, and then has settled it.
        known.report = (
            Report.objects.select_for_update(of=("self",))
            .select_related("tournament")
            .get(pk=known.report_id)
        )
        state = ReportState(known.report.state)
        draft = state if state is ReportState.DRAFT else state_after(state, ReportMove.EDIT)
        mine = known.report.submitted_by_id == by.user.pk
        if bytes(known.sidecar) == sidecar or not mine or (draft is None and corrected is None):
            return UploadedReport(known.report, known, None, already_there=True)
        if draft is None:  # settled, and put right once more
            known = None
        else:
            check_can_submit(by.user, known.report)
            before = {"state": state}
    report = known.report if known is not None else Report(submitted_by=by.user)
    report.announcement = report.announcement or announcement
    return store_version(
        report=report,
        content=content,
        reading=reading,
        filename=filename,
        sidecar=sidecar,
        by=by,
        before=before,
    )


def store_version(
    *,
    report: Report,
    content: bytes,
    reading: Reading,
    filename: str,
    sidecar: bytes,
    by: Actor,
    before: Mapping[str, Any],
) -> UploadedReport:
    """Keep these bytes, and what was read of them, as the next version of a report, which is a draft from then on.

    The caller holds the report's row and has asked who may. `before` goes into the log. Raises DomainError
    `too_many_reports`, `too_many_versions` for people, not for commands.
    """
    if not by.by_command:
        _refuse_too_many(report, by)
    submission = read_submission(read=reading.read, sidecar=sidecar, today=timezone.localdate())
    report.corrects = corrected_tournament(sidecar)
    matching = match_players(submission, report)
    report.received_on = submission.details.received if submission.details else None
    report.state = ReportState.DRAFT
    report.save()
    version = ReportVersion.objects.create(
        report=report,
        number=1 + report.versions.count(),
        filename=filename[:200],
        content=content,
        reading=pack_reading(reading),
        sha256=hashlib.sha256(content).hexdigest(),
        sidecar=sidecar,
        created_by=by.user,
        **version_columns(submission, matching),
    )
    same = same_files([(report, version.sha256)]).get(report.pk, ())
    record(
        by=by,
        action="report.upload",
        subject=f"report {report.pk}",
        before=dict(before),
        after={
            "state": report.state,
            "filename": filename,
            "version": version.number,
            "sha256": version.sha256,
            "format": submission.read.format,
        }
        | ({"corrects": report.corrects.code} if report.corrects else {})
        | ({"same_file_as": [other.pk for other in same]} if same else {}),
    )
    if version.number > 1 and by.user != report.submitted_by:
        notify_changed(report, version, by.user)
    return UploadedReport(report, version, matching, already_there=False)


def _refuse_too_many(report: Report, by: Actor) -> None:
    if report.pk is None:
        today = ReportVersion.objects.filter(
            number=1, created_by=by.user, created_at__date=timezone.localdate()
        )
        if today.count() >= MOST_REPORTS_A_DAY:
            raise DomainError("too_many_reports", most=MOST_REPORTS_A_DAY)
    elif report.versions.count() >= MOST_VERSIONS:
        raise DomainError("too_many_versions", most=MOST_VERSIONS)


def version_columns(submission: Submission, matching: Matching) -> dict[str, Any]:
    """What a version keeps of its reading, by the names of its columns."""
    read, details = submission.read, submission.details
    severities = Counter(finding.severity for finding in matching.findings)
    return {
        "format": read.format,
        "encoding": read.encoding,
        "findings": [finding.to_stored() for finding in matching.findings],
        "errors": severities[Severity.ERROR],
        "warnings": severities[Severity.WARNING],
        "name": ((details.name if details else "") or read.info.name)[:80],
        "played_to": (details.played_to if details else None) or read.info.played_to,
        "players": len(read.players),
        "games": sum(game.played for game in read.games),
        "results": matching.results,
    }


def _known_version(
    sha256: str, sidecar: bytes, named: str, corrected: Tournament | None, by: Actor
) -> ReportVersion | None:
    """The newest version of the person's report that these bytes are already in; with the same facts, of several.

    For a command also of anybody's that is with the office or accepted. Facts that name a tournament to correct which
    does not exist make them a report of their own: they belong neither to the report of the tournament meant nor to
    the tournament's first one.
    """
    whose = Q(report__submitted_by=by.user)
    if by.by_command:
        whose |= Q(report__state__in=[ReportState.SUBMITTED, ReportState.ACCEPTED])
    versions = ReportVersion.objects.filter(whose, sha256=sha256).select_related("report__corrects")
    versions = versions.exclude(report__state=ReportState.WITHDRAWN)
    newest = list(versions.order_by("report_id", "-number").distinct("report_id"))
    same_facts = [version for version in newest if bytes(version.sidecar) == sidecar]
    if same_facts or (named and corrected is None):
        return same_facts[0] if same_facts else None
    of_it = [version for version in newest if version.report.corrects == corrected]
    return of_it[-1 if corrected else 0] if of_it else None
