"""A report is opened to look at: its versions, and what was read of the newest one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone

from reporting.formats.reader_process import Reading
from reporting.models import Report, ReportVersion, ReviewRemark, WarningComment
from reporting.reports.selectors.reports import ReportLine
from reporting.reports.services.parse import Submission, read_submission
from reporting.reports.services.read_file import unpack_reading
from reporting.reports.services.validate import Matching, match_players
from reporting.rules.findings import Finding


@dataclass(frozen=True)
class OpenReport(ReportLine):
    """One report with what was read of its newest version: the page of each of its steps."""

    versions: Sequence[ReportVersion]

    @cached_property
    def reading(self) -> Reading:
        """What was read of the newest version's file when it was stored."""
        return unpack_reading(bytes(self.version.reading))

    @cached_property
    def submission(self) -> Submission:
        """The newest version, read as on the day it counts as handed in."""
        first = self.report.first_submitted_at
        return read_submission(
            read=self.reading.read,
            sidecar=bytes(self.version.sidecar),
            today=timezone.localdate(first) if first else timezone.localdate(),
        )

    @cached_property
    def matching(self) -> Matching:
        """Who the players are, with all findings. At most 7 queries."""
        return match_players(self.submission, self.report)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """What was found when the version was stored; answers go by their index."""
        return [Finding.from_json(each) for each in self.version.findings]

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the file as its columns count them; none where it is not text."""
        return self.reading.lines

    @cached_property
    def comments(self) -> dict[int, WarningComment]:
        """The words given to the version's warnings, by index. 1 query."""
        return {each.finding: each for each in self.version.comments.select_related("by")}

    @cached_property
    def remarks(self) -> Sequence[ReviewRemark]:
        """What the office has said of any version, the newest version first. 1 query."""
        remarks = ReviewRemark.objects.filter(version__report=self.report).select_related("by", "version")
        heavy = ("content", "reading", "sidecar", "findings", "results")
        return list(remarks.defer(*(f"version__{name}" for name in heavy)).order_by("-version__number", "pk"))

    @property
    def newest_remarks(self) -> Sequence[ReviewRemark]:
        """Those about the newest version that the office has remarked on."""
        return [each for each in self.remarks if each.version_id == self.remarks[0].version_id]


def open_report(number: int) -> OpenReport:
    """A report with its versions; the newest with its bytes. 3 queries. Raises Report.DoesNotExist."""
    report = Report.objects.select_related(
        "tournament", "submitted_by", "announcement", "corrects", "accepted_version"
    ).get(pk=number)
    versions = list(
        report.versions.defer("content", "reading", "sidecar", "findings", "results")
        .select_related("created_by")
        .order_by("-number")
    )
    newest = report.versions.defer("content", "results").get(number=versions[0].number)
    return OpenReport(report, newest, versions)


def file_lines(version: ReportVersion) -> Sequence[str]:
    """The lines of a version's file; none where it is not text."""
    return unpack_reading(bytes(version.reading)).lines
