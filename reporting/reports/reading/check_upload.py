"""A report file checked as an upload does, and not stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details_file import read_sidecar
from reporting.reports.reading.parse import Submission, read_submission, read_upload
from reporting.reports.reading.validate import Matching, match_report
from reporting.rules.findings.finding_list import Finding


@dataclass(frozen=True)
class CheckedUpload:
    """A file as it was read and matched. `findings` name no report of other people."""

    reading: Reading
    submission: Submission
    matching: Matching
    findings: Sequence[Finding]


def check_upload(content: bytes, sidecar: bytes) -> CheckedUpload:
    """The findings of a file with its details (TOML). At most 6 queries. Raises DomainError `busy`."""
    details = read_sidecar(sidecar)
    reading = read_upload(content=content, sidecar=details)
    submission = read_submission(read=reading.read, sidecar=details, today=timezone.localdate())
    matching = match_report(submission)
    findings = [finding for finding in matching.findings if finding.code != "looks-reported"]
    return CheckedUpload(reading, submission, matching, findings)
