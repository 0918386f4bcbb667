"""Upload: store a file byte for byte with its SHA-256, read it and give its findings (R22, R23)."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Length
from django.utils import timezone

from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details.sidecar import Sidecar, detail_values, read_sidecar, write_details
from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_changed, notify_storage_reached
from reporting.models import RegisterChange, Report, ReportVersion, Tournament
from reporting.models.locks import share_closing_lock, take_upload_lock
from reporting.policies import check_can_submit, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.match_players import match_players, store_matches
from reporting.reports.reading.parse import Submission, read_submission, read_upload
from reporting.reports.reading.read_file import pack_reading, place_for_file
from reporting.reports.reading.validate import Matching, corrected_tournament, match_report
from reporting.reports.selectors.reports import same_files
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState

MOST_VERSIONS, MOST_REPORTS_A_DAY = 200, 100
"""Versions of a report, and new reports of a person in a day. Figures of this product."""
MOST_MEGABYTES_OF_REPORT, MOST_MEGABYTES_A_DAY = 50, 100
"""Stored of all versions of a report, and of all versions that a person makes in a day (docs/decisions/0102)."""
UNUSABLE = frozenset(
    {
        "file-empty",
        "file-too-large",
        "file-too-costly",
        "archive-refused",
        "workbook-refused",
        "workbook-unreadable",
        "format-unknown",
    }
)
"""Findings of files that no detail makes readable."""
NOT_TEXT = UNUSABLE | {"encoding-unreadable"}
"""The same of files with null bytes; other text may need an encoding."""


@dataclass(frozen=True)
class UploadedReport:
    """The stored report and its findings; `already_there` if these bytes were already stored.

    `details_left` if other details came with bytes that were already stored, and were not used.
    """

    report: Report
    version: ReportVersion
    matching: Matching | None
    already_there: bool
    details_left: bool = False


def upload_report(
    *, content: bytes, filename: str, sidecar: bytes, by: Actor, announcement: Tournament | None = None
) -> UploadedReport:
    """Store a report file as version 1 of a new draft, also with errors.

    The same bytes from the same person change nothing: their report is returned, unless it was withdrawn (R24b). Other
    details than it has are added to a draft or returned report as its next version, where these bytes are its newest
    ones; a submitted report has to be taken back first. For a command a report that is submitted or accepted is
    "already there", from any person, and does not change (U6). Reports of other people with the same bytes are no
    obstacle; the log names them. A report whose details say that it corrects a tournament is a report of its own. A
    file that is empty, damaged, too large or in no known format leaves no draft; a command stores it with its
    findings. Raises DomainError `file_unusable` (with the findings), `too_many_reports`, `too_many_versions`,
    `too_many_bytes`, `forbidden`, `busy`.
    """
    check_can_upload(by.user)
    details = known_details(content, read_sidecar(sidecar), by)
    with place_for_file(by.user.pk):
        reading = read_upload(content=content, sidecar=details)
        return store_report(
            content=content,
            filename=filename,
            sidecar=details,
            reading=reading,
            by=by,
            announcement=announcement,
        )


def known_details(content: bytes, sidecar: Sidecar, by: Actor) -> Sidecar:
    """The details to upload with a file: those given, added to those of the person's report that has it (R24b).

    Details that this report has already, or that cannot be read, are as given. 0 to 3 queries.
    """
    known = _known_version(hashlib.sha256(content).hexdigest(), sidecar, corrected_tournament(sidecar), by)
    if known is None or not sidecar.values or _has_details(known, sidecar):
        return sidecar
    newest = known.report.versions.order_by("-number")[0]
    return read_sidecar(write_details({**detail_values(bytes(newest.sidecar)), **sidecar.values}))


@transaction.atomic
def store_report(
    *,
    content: bytes,
    filename: str,
    sidecar: Sidecar,
    reading: Reading,
    by: Actor,
    announcement: Tournament | None,
) -> UploadedReport:
    """The part of `upload_report` after the file was read, for a transaction that does more. Refuses the same."""
    check_can_upload(by.user)
    if not by.by_command:
        refuse_unusable(content, reading)
    share_closing_lock()
    sha256 = hashlib.sha256(content).hexdigest()
    take_upload_lock(sha256)
    corrected = corrected_tournament(sidecar)
    known = _known_version(sha256, sidecar, corrected, by)
    before: dict[str, str] = {}
    if known is not None:
        # Locked from here on: after a running acceptance the report is decided.
        known.report = (
            Report.objects.select_for_update(of=("self",))
            .select_related("result_set")
            .get(pk=known.report_id)
        )
        state = ReportState(known.report.state)
        newest = known.report.versions.order_by("-number")[0]
        has_details = _has_details(known, sidecar) or _has_details(newest, sidecar)
        mine = known.report.submitted_by_id == by.user.pk
        if not has_details and mine and corrected and state in (ReportState.ACCEPTED, ReportState.REJECTED):
            known = None  # decided, and corrected again
        elif (
            has_details
            or not mine
            or newest != known
            or (state is not ReportState.DRAFT and ReportMove.EDIT not in LIFECYCLE[state].moves)
        ):
            return UploadedReport(known.report, known, None, True, details_left=not has_details)
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
    sidecar: Sidecar,
    by: Actor,
    before: Mapping[str, Any],
) -> UploadedReport:
    """Store these bytes and their reading as the next version of a report, which becomes a draft.

    The caller has locked the row of the report and checked the policy. `before` is logged. Raises DomainError
    `too_many_reports`, `too_many_versions`, `too_many_bytes` for people, not for commands.
    """
    if not by.by_command:
        _refuse_too_many(report, by)
    refuse_too_large(report, by)
    submission = read_submission(read=reading.read, sidecar=sidecar, today=timezone.localdate())
    report.corrects = corrected_tournament(sidecar)
    register_changes = RegisterChange.objects.count()
    matches = match_players(submission)
    matching = match_report(submission, report, matches)
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
        sidecar=sidecar.content,
        created_by=by.user,
        **version_columns(submission, matching),
    )
    store_matches(version, matches, register_changes)
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
        | ({"corrects": report.corrects_id} if report.corrects_id else {})
        | ({"same_file_as": [other.pk for other in same]} if same else {}),
    )
    if version.number > 1 and by.user != report.submitted_by:
        notify_changed(report, version, by.user)
    tell_of_limits(version, by)
    return UploadedReport(report, version, matching, already_there=False)


def refuse_unusable(content: bytes, reading: Reading) -> None:
    """Raise DomainError `file_unusable`, with its findings, for a file that nothing makes readable."""
    if findings := unusable_findings(content, reading):
        raise DomainError("file_unusable", findings)


def unusable_findings(content: bytes, reading: Reading) -> list[Finding]:
    """The findings with which a file is no report, whatever its details say; none of one that can be stored."""
    is_text = b"\0" not in content or reading.read.encoding.startswith("utf-16")
    return [found for found in reading.read.findings if found.code in (UNUSABLE if is_text else NOT_TEXT)]


def _refuse_too_many(report: Report, by: Actor) -> None:
    if report.pk is None:
        today = ReportVersion.objects.filter(
            number=1, created_by=by.user, created_at__date=timezone.localdate()
        )
        if today.count() >= MOST_REPORTS_A_DAY:
            raise DomainError("too_many_reports", most=MOST_REPORTS_A_DAY)
    elif report.versions.count() >= MOST_VERSIONS:
        raise DomainError("too_many_versions", most=MOST_VERSIONS)


def refuse_too_large(report: Report, by: Actor) -> None:
    """Raise DomainError `too_many_bytes` where the stored files of the report or of the person reach their limit.

    The file that reaches a limit is stored, and none after it. Commands have no limit.
    """
    if by.by_command:
        return
    of_report, of_day = _stored_megabytes(report, by)
    if of_report >= MOST_MEGABYTES_OF_REPORT:
        raise DomainError("too_many_bytes.report", most=MOST_MEGABYTES_OF_REPORT, stored=round(of_report))
    if of_day >= MOST_MEGABYTES_A_DAY:
        raise DomainError("too_many_bytes.day", most=MOST_MEGABYTES_A_DAY, stored=round(of_day))


def tell_of_limits(version: ReportVersion, by: Actor) -> None:
    """Tell the office, once, that this version reached a limit of what is stored."""
    if by.by_command:
        return
    of_report, of_day = _stored_megabytes(version.report, by)
    if of_report >= MOST_MEGABYTES_OF_REPORT or of_day >= MOST_MEGABYTES_A_DAY:
        notify_storage_reached(version, by.user, of_report=round(of_report), of_day=round(of_day))


def _stored_megabytes(report: Report, by: Actor) -> tuple[float, float]:
    """Stored of the versions of a report, and of those that a person made today: files and what was read. 1 query."""
    of_report = Q(report=report.pk)
    of_day = Q(created_by=by.user, created_at__date=timezone.localdate())
    size = Length("content") + Length("reading") + Length("sidecar")
    found = ReportVersion.objects.filter(of_report | of_day).aggregate(
        of_report=Sum(size, filter=of_report, default=0), of_day=Sum(size, filter=of_day, default=0)
    )
    return found["of_report"] / 1_000_000, found["of_day"] / 1_000_000


def version_columns(submission: Submission, matching: Matching) -> dict[str, Any]:
    """The data that a version stores of its reading, by column."""
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
    sha256: str, sidecar: Sidecar, corrected: Tournament | None, by: Actor
) -> ReportVersion | None:
    """The newest version of the person's report with these bytes; of several, the one with these details.

    For a command also of any other report that is submitted or accepted. Details that name an unknown tournament to
    correct make a report of their own: it belongs neither to a report of the intended tournament nor to its first one.
    """
    whose = Q(report__submitted_by=by.user)
    if by.by_command:
        whose |= Q(report__state__in=[ReportState.SUBMITTED, ReportState.ACCEPTED])
    versions = ReportVersion.objects.filter(whose, sha256=sha256).select_related("report")
    versions = versions.exclude(report__state=ReportState.WITHDRAWN)
    versions = versions.defer("content", "reading", "findings", "results")
    found = list(versions.order_by("report_id", "-number"))
    same = [version for version in found if bytes(version.sidecar) == sidecar.content]
    named = sidecar.details.corrects if sidecar.details else ""
    if same or (named and corrected is None):
        return same[0] if same else None
    of_it = [version for version in found if version.report.corrects_id == (corrected and corrected.code)]
    with_them = [version for version in of_it or found if _has_details(version, sidecar)]
    of_it = with_them or [
        version for version in of_it if version.report_id == of_it[-1 if corrected else 0].report_id
    ]
    return of_it[0] if of_it else None


def _has_details(version: ReportVersion, sidecar: Sidecar) -> bool:
    """Whether a version has these details, perhaps among others."""
    if bytes(version.sidecar) == sidecar.content:
        return True
    stored = detail_values(bytes(version.sidecar))
    unreadable = sidecar.content.strip() and not sidecar.values
    return not unreadable and all(stored.get(name) == value for name, value in sidecar.values.items())
