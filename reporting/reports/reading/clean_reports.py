"""Reports with nothing to decide: the office can accept several of them at once."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef

from reporting.models import Report, ReportVersion, User
from reporting.policies import new_accounts, versions_of
from reporting.reports.reading.birth_dates import NOT_COMPARED
from reporting.reports.reading.review_findings import SUBMISSION_CODES
from reporting.reports.selectors.inbox import InboxLine
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.lifecycle import ReportMove

# Findings with which a report is only calculated if the rating officer admits it with a reason, and their kind (R11).
ADMISSION_CODES = {
    "late-report": "late",
    "not-announced": "unannounced",
    "round-missing": "incomplete",
    "result-missing": "incomplete",
    "service-not-paid": "unpaid",
}


def admission_findings(report: Report, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with which a report counts only if it is admitted; none of a correction (R11, R11a)."""
    if report.corrects_id is not None:
        return []
    return [finding for finding in findings if finding.code in ADMISSION_CODES]


def needs_decision(finding: Finding) -> bool:
    """Whether the office judges it: an error, a reason for admission, a look-alike, a difference from the register."""
    if finding.severity is Severity.ERROR:
        return finding.code not in SUBMISSION_CODES
    to_judge = finding.code == "looks-reported" or finding.step == "people"
    is_warned = to_judge and finding.severity is Severity.WARNING
    return finding.code in ADMISSION_CODES or finding.code == NOT_COMPARED or is_warned


def is_clean(report: Report, findings: Iterable[Finding], comments: int) -> bool:
    """Whether a report has nothing to decide: it corrects nothing, and its `comments` are one for each warning."""
    findings = list(findings)
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    return report.corrects_id is None and comments >= warnings and not any(map(needs_decision, findings))


def clean_lines(lines: Sequence[InboxLine], user: User) -> list[InboxLine]:
    """The reports that a person of the office can accept together with others, as they were submitted. 1 query.

    Not the person's own, none with a part of theirs or left to others, and none whose file another report has. The
    acceptance asks again.
    """
    possible = [
        line
        for line in lines
        if line.allows(ReportMove.ACCEPT) and not line.same_file and line.report.submitted_by_id != user.pk
    ]
    own = ReportVersion.objects.filter(versions_of(user), report=OuterRef("report"))
    versions = ReportVersion.objects.filter(pk__in=[line.version.pk for line in possible])
    findings = {
        version: stored
        for version, stored, has_own, accounts in versions.annotate(
            own=Exists(own), accounts=new_accounts(user, "report")
        ).values_list("pk", "findings", "own", "accounts")
        if not has_own and not accounts
    }
    return [
        line
        for line in possible
        if line.version.pk in findings
        and is_clean(line.report, map(Finding.from_json, findings[line.version.pk]), line.comments)
    ]
