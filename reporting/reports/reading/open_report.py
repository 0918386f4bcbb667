"""One report with its versions, and the data read from the newest one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone

from reporting.formats.reader_process import Reading
from reporting.models import DraftComments, Player, Report, ReportVersion, ReviewRemark, WarningComment
from reporting.reports.reading.match_players import Candidate, Matches, match_version, with_created_players
from reporting.reports.reading.parse import Submission, read_submission
from reporting.reports.reading.read_file import unpack_reading
from reporting.reports.reading.validate import Matching, match_report
from reporting.reports.selectors.reports import ErrorFindings, ReportLine
from reporting.rules.findings.finding_list import Finding, comments_on_same

HEAVY = ("content", "reading", "sidecar", "findings", "results")
"""Columns of a version that only the newest one of a page is fetched with: up to some megabytes."""


@dataclass(frozen=True)
class OpenReport(ReportLine):
    """One report with the data of its newest version, for the pages of its steps."""

    versions: Sequence[ReportVersion]

    @cached_property
    def reading(self) -> Reading:
        """The data read from the newest version's file when it was stored."""
        return unpack_reading(bytes(self.version.reading))

    @cached_property
    def submission(self) -> Submission:
        """The newest version, read as on the day of its first submission."""
        first = self.report.first_submitted_at
        return read_submission(
            read=self.reading.read,
            sidecar=self.sidecar,
            today=timezone.localdate(first) if first else timezone.localdate(),
        )

    @property
    def session(self) -> tuple[str, ...]:
        """The time controls of the games of a round, where it has several (R25); the file has a round for each."""
        return self.sidecar.details.session if self.sidecar.details else ()

    @cached_property
    def matches(self) -> Matches:
        """The players matched to the register, in the order of the report. At most 3 queries; 6 after it changed.

        The new players of an accepted report are the records that the acceptance created; 1 query more.
        """
        matches = match_version(self.version, self.submission, store=True)
        if self.report.state == Report.State.ACCEPTED and self.report.result_set is not None:
            matches = with_created_players(self.report.result_set, self.submission, matches)
        return matches

    @cached_property
    def players(self) -> Mapping[int, Player | None]:
        """The player of the register by tournament number, None for a new one; `Matching.players` without a check."""
        pairs = zip(self.submission.read.players, self.matches, strict=True)
        return {player.number: match.player for player, match in pairs}

    @cached_property
    def candidates(self) -> Mapping[int, Sequence[Candidate]]:
        """`Matching.candidates`, without a check."""
        pairs = zip(self.submission.read.players, self.matches, strict=True)
        return {player.number: match.candidates for player, match in pairs if match.candidates}

    @cached_property
    def matching(self) -> Matching:
        """The matched players with all findings, checked again: costly. At most 3 queries more than `matches`."""
        return match_report(self.submission, self.report, self.matches)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """The findings stored with the version; comments refer to them by index."""
        return [Finding.from_json(stored) for stored in self.version.findings]

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the file as its columns count them; none where it is not text."""
        return self.reading.lines

    @property
    def part(self) -> int:
        """The part of a tournament that it reports: as submitted, before that as its details say; 1 without."""
        if self.report.result_set is not None:
            return self.report.result_set.part
        part: int | None = self.sidecar.readable.get("part")
        return part or 1

    @cached_property
    def comments(self) -> dict[int, WarningComment]:
        """The comments on the version's warnings by index. 1 query."""
        return {comment.finding: comment for comment in self.version.comments.select_related("by")}

    @cached_property
    def carried_comments(self) -> dict[int, str]:
        """The comments of the last submission on the findings that the newest version still has, by index. 2 queries.

        None where the newest version is the submitted one. Before the first submission of a correction those of the
        last accepted report of the tournament; 1 query more (R11a).
        """
        commented = self.report.versions.filter(number__lt=self.version.number, comments__isnull=False)
        last = commented.order_by("-number").values("pk", "findings").first()
        if last is None and self.report.corrects_id is not None:
            accepted = Report.objects.filter(
                state=Report.State.ACCEPTED,
                result_set__tournament__code=self.report.corrects_id,
                result_set__part=self.part,
            )
            versions = ReportVersion.objects.filter(pk__in=accepted.values("accepted_version"))
            last = versions.order_by("-report__result_set__revision").values("pk", "findings").first()
        if last is None:
            return {}
        comments = WarningComment.objects.filter(version=last["pk"]).values_list("finding", "text")
        earlier = [Finding.from_json(stored) for stored in last["findings"]]
        return comments_on_same(self.findings, earlier, dict(comments))

    @property
    def draft_comments(self) -> DraftComments | None:
        """What was typed on warnings since the last submission."""
        return getattr(self.report, "draft_comments", None)

    @cached_property
    def remarks(self) -> Sequence[ReviewRemark]:
        """The remarks of the office on all versions, newest version first. 1 query."""
        remarks = ReviewRemark.objects.filter(version__report=self.report).select_related("by", "version")
        return list(remarks.defer(*(f"version__{name}" for name in HEAVY)).order_by("-version__number", "pk"))

    @property
    def newest_remarks(self) -> Sequence[ReviewRemark]:
        """The remarks on the newest version that has any."""
        return [remark for remark in self.remarks if remark.version_id == self.remarks[0].version_id]


def open_report(number: int, *, admit: Callable[[Report, ReportVersion], None] | None = None) -> OpenReport:
    """A report with its versions; the newest with its bytes. 3 queries. Raises Report.DoesNotExist.

    `admit` may refuse by an exception before the bytes are fetched: `newest` is without them.
    """
    related = ("result_set", "submitted_by", "announcement", "accepted_version", "draft_comments")
    report = (
        Report.objects.select_related(*related)
        .defer(*(f"accepted_version__{name}" for name in HEAVY))
        .get(pk=number)
    )
    versions = list(
        report.versions.defer(*HEAVY)
        .select_related("created_by")
        .annotate(error_findings=ErrorFindings("findings"))
        .order_by("-number")
    )
    newest = None
    if versions:
        if admit is not None:
            admit(report, versions[0])
        newest = report.versions.defer("content", "results").filter(number=versions[0].number).first()
    if newest is None:
        raise Report.DoesNotExist("it was deleted a moment ago")
    return OpenReport(report, newest, versions)


def file_lines(version: ReportVersion) -> Sequence[str]:
    """The lines of a version's file; none where it is not text."""
    return unpack_reading(bytes(version.reading)).lines
