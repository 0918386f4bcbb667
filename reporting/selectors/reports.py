"""A referee's reports and announced competitions, and what changed between two versions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from reporting.models import Announcement, Report, ReportVersion, Role, Tournament, User
from reporting.policies import OFFICE
from reporting.regulations import report_due
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, Turn, state_after

LINES_AROUND = 2


@dataclass(frozen=True)
class ReportLine:
    """A report in a list: its newest version, whose turn it is, and by when it is due."""

    report: Report
    version: ReportVersion

    @property
    def turn(self) -> Turn:
        return LIFECYCLE[ReportState(self.report.state)].turn

    @property
    def says(self) -> str:
        """What its state means, in words."""
        return LIFECYCLE[ReportState(self.report.state)].says

    @property
    def title(self) -> str:
        return self.version.name or self.version.filename

    @property
    def due(self) -> date | None:
        """The last day on which it is in time (R11); None while nobody knows its last round."""
        last = self.version.played_to
        return report_due(last) if last else None

    @property
    def days_left(self) -> int | None:
        """Days until then in the office's zone, below zero when it is over; None for one handed in before."""
        if self.due is None or self.report.first_submitted_at is not None:
            return None
        return (self.due - timezone.localdate()).days

    def allows(self, move: ReportMove) -> bool:
        return state_after(ReportState(self.report.state), move) is not None


def own_reports(user: User) -> list[ReportLine]:
    """The reports a referee made, or of a national official's federation, newest first. 2 queries."""
    reports = Report.objects.filter(_own(user)).select_related("tournament", "submitted_by").order_by("-pk")
    return list(lines_of(reports))


def tournaments_to_correct(user: User) -> list[Tournament]:
    """The accepted tournaments whose report a person may correct, as last accepted, newest first. 1 query.

    Who may is as in `may_submit`: a referee, the national official of a report's federation, the office.
    """
    reports = Report.objects.filter(state=ReportState.ACCEPTED)
    if not user.has_role(*OFFICE):
        reports = reports.filter(_own(user))
    found = Tournament.objects.filter(reports__in=reports).order_by("code", "-correction").distinct("code")
    return sorted(found, key=lambda each: (each.played_to, each.number), reverse=True)


def corrections_of(tournament: Tournament) -> list[Report]:
    """The reports that correct a tournament and are neither rejected nor withdrawn, newest first. 1 query."""
    reports = Report.objects.filter(corrects__code=tournament.code).select_related(
        "tournament", "submitted_by"
    )
    return list(reports.exclude(state__in=[ReportState.REJECTED, ReportState.WITHDRAWN]).order_by("-pk"))


def same_files(files: Iterable[tuple[Report, str]]) -> dict[int, list[Report]]:
    """Of reports with the SHA-256 of a file the other reports that have it too, by report. 1 query, 0 for none.

    Withdrawn reports are left out, and those of which one corrects the other: a correction begins with that file.
    """
    by_digest: dict[str, list[Report]] = {}
    for report, sha256 in files:
        by_digest.setdefault(sha256, []).append(report)
    if not by_digest:
        return {}
    found = (
        ReportVersion.objects.filter(sha256__in=by_digest)
        .exclude(report__state=ReportState.WITHDRAWN)
        .select_related("report__tournament", "report__corrects", "report__submitted_by")
        .only("sha256", "report")
        .order_by("report", "sha256")
        .distinct("report", "sha256")
    )
    same: dict[int, list[Report]] = {}
    for other in found:
        for report in by_digest[other.sha256]:
            if other.report != report and not _correct_each_other(report, other.report):
                same.setdefault(report.pk, []).append(other.report)
    return same


def _correct_each_other(one: Report, other: Report) -> bool:
    codes = [
        {each.code for each in (report.tournament, report.corrects) if each is not None}
        for report in (one, other)
    ]
    return bool((one.corrects or other.corrects) and codes[0] & codes[1])


def _own(user: User) -> Q:
    mine = Q(submitted_by=user)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id:
        mine |= Q(submitted_by__federation=user.federation_id) | Q(tournament__country=user.federation_id)
    return mine


def lines_of(reports: QuerySet[Report]) -> Sequence[ReportLine]:
    """Reports with their newest version, without its bytes. 2 queries."""
    found = list(reports)
    versions = (
        ReportVersion.objects.filter(report__in=[report.pk for report in found])
        .alias(newest=Max("report__versions__number"))
        .filter(number=F("newest"))
        .defer("content", "sidecar", "findings", "results")
    )
    by_report = {version.report_id: version for version in versions}
    return [ReportLine(report, by_report[report.pk]) for report in found if report.pk in by_report]


def open_announcements(user: User) -> list[Announcement]:
    """Announced competitions of a referee, or of his federation, whose report has not come; by first day. 1 query."""
    mine = Q(announced_by=user)
    if user.federation_id:
        mine |= Q(country=user.federation_id)
    return list(
        Announcement.objects.filter(mine, withdrawn_at=None, reports=None)
        .select_related("country", "announced_by")
        .order_by("played_from", "pk")
    )


def own_announcements(user: User) -> list[Announcement]:
    """What a person announced, newest first; `reported` says whether a report of it is here. 1 query."""
    reports = Report.objects.filter(announcement=OuterRef("pk"))
    return list(
        Announcement.objects.filter(announced_by=user)
        .select_related("country")
        .annotate(reported=Exists(reports))
        .order_by("-played_from", "-pk")
    )


@dataclass(frozen=True)
class ChangedLine:
    """A line of two versions side by side; a number or text is None where one side has none."""

    old_number: int | None
    old: str | None
    new_number: int | None
    new: str | None

    @property
    def same(self) -> bool:
        return self.old == self.new


def difference(old: Sequence[str], new: Sequence[str]) -> list[list[ChangedLine]]:
    """What changed between two texts, in stretches with two lines around each; none where nothing did."""
    stretches = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(LINES_AROUND):
        lines: list[ChangedLine] = []
        for _, old_from, old_to, new_from, new_to in group:
            for turn in range(max(old_to - old_from, new_to - new_from)):
                left, right = old_from + turn, new_from + turn
                lines.append(
                    ChangedLine(
                        left + 1 if left < old_to else None,
                        old[left] if left < old_to else None,
                        right + 1 if right < new_to else None,
                        new[right] if right < new_to else None,
                    )
                )
        stretches.append(lines)
    return stretches
