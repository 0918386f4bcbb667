"""The inbox of the office: submitted reports without a decision, and announced tournaments without a report."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import CharField, Count, Exists, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from reporting.models import LogEntry, Report, ReportNote, ResultSet, Tournament, User, WarningComment
from reporting.policies import new_accounts
from reporting.reports.selectors.parts import mark_parts
from reporting.reports.selectors.reports import ReportLine, report_lines, same_files
from reporting.rules.regulations.editions import report_due

WAITING_FOR_OFFICE = Q(state=Report.State.SUBMITTED)
# A returned report waits for the referee until it is submitted again, also while it is a draft.
WAITING_FOR_REFEREE = Q(state=Report.State.RETURNED) | Q(
    state=Report.State.DRAFT, first_submitted_at__isnull=False, result_set__isnull=False
)
REMINDER_INTERVAL = timedelta(days=3)
ACCEPTED = Q(state=Report.State.ACCEPTED)


@dataclass(frozen=True)
class InboxLine(ReportLine):
    """A submitted report: comments on its warnings, the time of the last act, other reports of its file."""

    tournament: ResultSet
    comments: int
    acted_at: datetime
    same_file: Sequence[Report]

    @property
    def waiting_days(self) -> int:
        """Whole days since the last act."""
        return (timezone.localdate() - timezone.localdate(self.acted_at)).days


def submitted_reports(which: Q) -> QuerySet[Report]:
    """Submitted reports, chosen by one of the constants above."""
    return Report.objects.filter(which).select_related("result_set__country", "submitted_by").order_by("pk")


def reports_by_number(numbers: Collection[int]) -> dict[int, Report]:
    """These reports with their result sets. 1 query."""
    return Report.objects.select_related("result_set").in_bulk(numbers)


def inbox_lines(reports: QuerySet[Report]) -> list[InboxLine]:
    """Reports with their newest version, comments and last act, longest waiting first. 5 or 6 queries."""
    lines = report_lines(reports)
    mark_parts(line.report.result_set for line in lines if line.report.result_set is not None)
    comments = dict(
        WarningComment.objects.filter(version__in=[line.version.pk for line in lines])
        .values_list("version")
        .annotate(Count("pk"))
    )
    acts = dict(
        LogEntry.objects.filter(subject__in=[f"report {line.report.pk}" for line in lines])
        .values_list("subject")
        .annotate(Max("at"))
    )
    same = same_files((line.report, line.version.sha256) for line in lines)
    found = [
        InboxLine(
            line.report,
            line.version,
            line.report.result_set,
            comments.get(line.version.pk, 0),
            acts.get(f"report {line.report.pk}", line.report.first_submitted_at),
            same.get(line.report.pk, ()),
        )
        for line in lines
        if line.report.result_set is not None and line.report.first_submitted_at is not None
    ]
    return sorted(
        found, key=lambda line: (line.report.received, line.report.first_submitted_at, line.report.pk)
    )


def waiting_report_count() -> int:
    """The number of reports that wait for the office. 1 query."""
    return Report.objects.filter(WAITING_FOR_OFFICE).count()


def left_to_others_count(user: User) -> int:
    """The number of reports waiting for the office that this person leaves to others (decision 0098). 1 query."""
    waiting = Report.objects.filter(WAITING_FOR_OFFICE).annotate(accounts=new_accounts(user))
    return waiting.exclude(accounts=[]).count()


NOTES_ANSWERED_BY = ("report.close_notes", "report.accept", "report.return", "report.reject")


def notes_to_answer() -> QuerySet[ReportNote]:
    """The newest note of each report, where the referee's side wrote it and the office has not acted since.

    Longest waiting first. 1 query.
    """
    later = ReportNote.objects.filter(report=OuterRef("report"), pk__gt=OuterRef("pk"))
    acts = LogEntry.objects.filter(
        subject=Concat(Value("report "), OuterRef("report"), output_field=CharField()),
        action__in=NOTES_ANSWERED_BY,
        at__gt=OuterRef("at"),
    )
    return (
        ReportNote.objects.filter(~Exists(later), ~Exists(acts), from_office=False)
        .select_related("report__result_set", "by")
        .order_by("pk")
    )


def has_note_to_answer(report: Report) -> bool:
    """Whether a note of the report waits for the office. 1 query."""
    return notes_to_answer().filter(report=report).exists()


@dataclass(frozen=True)
class MissingReport:
    """An announced tournament that is finished and has no report."""

    announcement: Tournament

    @property
    def due(self) -> date | None:
        """The last day in time (R11); None where the regulations set none."""
        announced = self.announcement
        return report_due(announced.played_to, announced.discipline, announced.rating_system)

    @property
    def days_late(self) -> int:
        """Days since the last day in time; below zero before that day, 0 where there is none (R11)."""
        return (timezone.localdate() - self.due).days if self.due else 0

    @property
    def can_be_reminded(self) -> bool:
        """Whether the last reminder is long enough ago."""
        last = self.announcement.reminded_at
        return last is None or timezone.now() >= last + REMINDER_INTERVAL


def announcements_without_report() -> QuerySet[Tournament]:
    """Announced tournaments without a submitted report, by their last round."""
    submitted = Report.objects.filter(announcement=OuterRef("pk"), first_submitted_at__isnull=False).exclude(
        state=Report.State.WITHDRAWN
    )
    return (
        Tournament.objects.announced()
        .filter(~Exists(submitted), withdrawn_at=None)
        .select_related("country", "announced_by")
        .order_by("played_to", "pk")
    )


def expected_reports(federation: str) -> list[MissingReport]:
    """Announced tournaments of a federation without a submitted report, played or not, first due first. 1 query."""
    found = [
        MissingReport(announcement)
        for announcement in announcements_without_report().filter(country=federation)
    ]
    return sorted(found, key=lambda expected: (expected.due or date.max, expected.announcement.pk))


def missing_reports() -> list[MissingReport]:
    """Announced tournaments after their last round without a submitted report, longest due first. 1 query."""
    found = announcements_without_report().filter(played_to__lt=timezone.localdate())
    return [MissingReport(announcement) for announcement in found]
