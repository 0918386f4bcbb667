"""The findings of a report as the office reviews them: one line each, by kind, with the comments of the referee."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from reporting.models import WarningComment
from reporting.reports.reading.open_report import OpenReport
from reporting.rules.findings.finding_list import Finding, Severity

SUBMISSION_CODES = ("end-in-future", "received-in-future")
"""These two depend on the day of the last submission and were checked then; all others on the day of the first."""


@dataclass(frozen=True)
class ReviewedFinding:
    """A finding, the round of the game it is about, and the comment on it; None where there is none."""

    finding: Finding
    round: int | None = None
    comment: WarningComment | None = None


@dataclass(frozen=True)
class FindingKind:
    """The findings of one code on a page."""

    lines: Sequence[ReviewedFinding]

    @property
    def first(self) -> Finding:
        return self.lines[0].finding

    @property
    def comment(self) -> WarningComment | None:
        """The one comment that all of them have; None where they differ or have none."""
        comments = [line.comment for line in self.lines]
        same = len({(comment.by_id, comment.text) if comment else None for comment in comments}) == 1
        return comments[0] if same else None


def blocking_errors(findings: Iterable[Finding]) -> list[Finding]:
    """The errors with which no report is accepted."""
    return [
        finding
        for finding in findings
        if finding.severity is Severity.ERROR and finding.code not in SUBMISSION_CODES
    ]


def reviewed_findings(opened: OpenReport) -> list[ReviewedFinding]:
    """The errors of a report as it is now, then the warnings as they were submitted, those of a code together.

    1 query, and those of the matching.
    """
    read = opened.submission.read
    errors = [
        ReviewedFinding(found, read.round_of(found)) for found in blocking_errors(opened.matching.findings)
    ]
    warnings = [
        ReviewedFinding(found, read.round_of(found), opened.comments.get(index))
        for index, found in enumerate(opened.findings)
        if found.severity is Severity.WARNING
    ]
    first: dict[tuple[Severity, str], int] = {}
    for place, line in enumerate([*errors, *warnings]):
        first.setdefault((line.finding.severity, line.finding.code), place)
    return sorted(
        [*errors, *warnings], key=lambda line: first[line.finding.severity, line.finding.code]
    )  # stable: findings of a kind stay in the order of the file


def finding_kinds(lines: Iterable[ReviewedFinding]) -> list[FindingKind]:
    """Findings in the order of `reviewed_findings`, those of a code together."""
    by_code = groupby(lines, key=lambda line: (line.finding.severity, line.finding.code))
    return [FindingKind(list(of_code)) for _, of_code in by_code]
