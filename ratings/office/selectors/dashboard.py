"""The office's dashboard: what is waiting, problems of the system, and the periods of each pool."""

import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q, TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models import Anomaly, CalculationRun, Period, Pool, RatingList
from ratings.office.selectors.drafts import PeriodOverview, period_overviews
from ratings.publishing.list_norms import list_norms
from ratings.publishing.signs import Sign, missing_signs
from ratings.queries.counted_results import uncounted_reports
from ratings.queries.lists import all_pools, office_today
from ratings.queries.periods import counting_periods, past_quarters, period_after
from ratings.rules.days import CalendarPeriod
from ratings.worker import heartbeat
from reporting.messages.selectors import unsent_messages
from reporting.models import CorrectionRequest, Invitation, Report
from reporting.models.accounts import INVITATION_LIFETIME
from reporting.reports.selectors.inbox import (
    ACCEPTED,
    WAITING_FOR_OFFICE,
    WAITING_FOR_REFEREE,
    missing_reports,
    submitted_reports,
)
from reporting.requests import selectors as requests_selectors

ALERT_AFTER = timedelta(minutes=2)
MAIL_ALERT_AFTER = timedelta(minutes=5)
MIN_FREE_DISK_BYTES = 1024**3

# --- what is waiting


@dataclass(frozen=True)
class OpenReports:
    """Reports of one list that is still open: accepted, and waiting for the office or the referee.

    `reports` are their keys and states, in order.
    """

    accepted: int = 0
    with_the_office: int = 0
    with_the_referee: int = 0
    late: int = 0
    reports: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class WaitingCounts:
    """What is waiting in the office: `late` are to be admitted or not, `since` is when the oldest report came."""

    reports: int
    late: int
    since: date | None
    with_referees: int
    overdue: int
    requests: int


@dataclass(frozen=True)
class PeriodSummary:
    """A period that is not published: its state, its reports while it is open, the open anomalies of its draft, and how
    many of its norms wait for a decision.
    """

    overview: PeriodOverview
    open_reports: OpenReports
    open_anomalies: int
    undecided_norms: int


@dataclass(frozen=True)
class PoolDashboard:
    """A pool with its periods that are not published, and the last published one.

    `past` are the quarters that the scheduler does not open: past their closing date and not confirmed.
    """

    pool: Pool
    open_periods: Sequence[PeriodSummary]
    last: PeriodOverview | None
    opening: RatingList | None
    past: Sequence[CalendarPeriod] = ()
    opening_draft: RatingList | None = None

    @property
    def has_list(self) -> bool:
        return self.opening is not None or self.last is not None

    @property
    def needs_dates(self) -> bool:
        """Whether the office chooses the dates of its next list."""
        return self.has_list and not self.open_periods and self.pool.rating_system.calendar is None


# --- system status


class ProblemKind(TextChoices):
    """What can fail without an act of a user; templates/office/system_status.html has the sentences."""

    RUN_FAILED = "run_failed", _("A calculation failed")
    RUN_NOT_STARTED = "run_not_started", _("A calculation has not started")
    NOT_FROZEN = "not_frozen", _("The scheduler has not frozen a due period")
    RESULTS_CHANGED = "results_changed", _("Results changed since their acceptance prevent a freeze")
    NO_WORKER_HEARTBEAT = "no_worker_heartbeat", _("The worker does not respond")
    MAIL_FAILED = "mail_failed", _("Mail could not be sent")
    MAIL_DELAYED = "mail_delayed", _("Mail is delayed")
    INVITATIONS_EXPIRED = "invitations_expired", _("Invitations have expired")
    CLOCKS_DIFFER = "clocks_differ", _("The clocks of the database and the office differ")
    DISK_FULL = "disk_full", _("The disk is almost full")
    NO_BACKUP = "no_backup", _("No backup was written since yesterday")
    NOT_VERIFIED = "not_verified", _("Published data were not verified since yesterday")

    @property
    def tone(self) -> str:
        return "warn" if self in {ProblemKind.INVITATIONS_EXPIRED, ProblemKind.MAIL_DELAYED} else "bad"


@dataclass(frozen=True)
class Problem:
    """A problem: its period and tournament, if it has one; how many items; since when, where that is known."""

    kind: ProblemKind
    period: Period | None = None
    count: int = 0
    since: datetime | None = None
    tournament: str = ""


@dataclass(frozen=True)
class Dashboard:
    """Everything on the dashboard; `last_heartbeat` of the worker is None where it is unknown."""

    pools: Sequence[PoolDashboard]
    waiting: WaitingCounts
    problems: Sequence[Problem] = field(default=())
    last_heartbeat: datetime | None = None


def office_dashboard() -> Dashboard:
    """The dashboard. 17 queries, 1 more where a frozen period has no calculation, 2 for each pool whose next quarter
    is past.
    """
    now = timezone.now()
    reports = list(uncounted_reports(submitted_reports(WAITING_FOR_OFFICE | WAITING_FOR_REFEREE | ACCEPTED)))
    overviews = _current_periods()
    pools = _pools(overviews, _open_reports(reports), _open_anomalies())
    last_heartbeat = heartbeat.last_heartbeat()
    return Dashboard(pools, _waiting(reports), [*_problems(overviews, last_heartbeat, now)], last_heartbeat)


def _current_periods() -> list[PeriodOverview]:
    opened = Period.objects.exclude(state=Period.State.PUBLISHED).order_by("in_force")
    last = Period.objects.filter(state=Period.State.PUBLISHED).order_by("pool", "-in_force").distinct("pool")
    return period_overviews([*opened, *last])


def _pools(
    overviews: Sequence[PeriodOverview],
    open_reports: Mapping[tuple[int, date], OpenReports],
    open_anomalies: Mapping[int, int],
) -> list[PoolDashboard]:
    openings = RatingList.objects.filter(is_opening=True).exclude(state=RatingList.State.SUPERSEDED)
    opening_of: dict[int, RatingList] = {}
    draft_of: dict[int, RatingList] = {}
    for opening in openings.order_by("in_force"):
        (opening_of if opening.state == RatingList.State.PUBLISHED else draft_of)[opening.pool_id] = opening
    lines: defaultdict[int, list[PeriodSummary]] = defaultdict(list)
    last: dict[int, PeriodOverview] = {}
    for overview in overviews:
        period = overview.period
        if period.state == Period.State.PUBLISHED:
            last[period.pool_id] = overview
            continue
        lines[period.pool_id].append(
            PeriodSummary(
                overview,
                open_reports.get((period.pool_id, period.in_force), OpenReports()),
                open_anomalies.get(overview.draft.pk, 0) if overview.draft else 0,
                list_norms().undecided(overview.draft) if overview.draft else 0,
            )
        )
    pools = [
        PoolDashboard(
            pool,
            lines[pool.pk],
            last.get(pool.pk),
            opening_of.get(pool.pk),
            opening_draft=draft_of.get(pool.pk),
        )
        for pool in all_pools()
    ]
    return [pool if pool.open_periods else replace(pool, past=_unconfirmed_quarters(pool)) for pool in pools]


def _unconfirmed_quarters(pool: PoolDashboard) -> list[CalendarPeriod]:
    newest = pool.last.period if pool.last else pool.opening
    if newest is None:
        return []
    due = period_after(pool.pool, newest.in_force)
    past = past_quarters(pool.pool, due, office_today())
    return past if due in past else []  # the scheduler opens a confirmed quarter within a minute


def open_reports_by_list() -> dict[tuple[int, date], OpenReports]:
    """The reports that no list counts, by pool and day of the list they belong to. 4 queries."""
    return _open_reports(
        list(uncounted_reports(submitted_reports(WAITING_FOR_OFFICE | WAITING_FOR_REFEREE | ACCEPTED)))
    )


def _open_reports(reports: Sequence[Report]) -> dict[tuple[int, date], OpenReports]:
    """Pool and day of the list → its reports; without those of lists whose dates are not chosen yet.

    A report that corrects a counted one waits for a revision instead.
    """
    of_lists = [report for report in reports if report.corrects_id is None]
    lists = counting_periods(report.result_set for report in of_lists if report.result_set is not None)
    counts: defaultdict[tuple[int, date], Counter[str]] = defaultdict(Counter)
    keys: defaultdict[tuple[int, date], list[tuple[int, str]]] = defaultdict(list)
    for report in of_lists:
        for counting in lists[report.submitted_result_set.pk]:
            if counting.period is None:
                continue
            place = counting.pool.pk, counting.period.in_force
            count = counts[place]
            keys[place].append((report.pk, report.state))
            if report.state == Report.State.ACCEPTED:
                count["accepted"] += 1
            else:
                count[
                    "with_the_office" if report.state == Report.State.SUBMITTED else "with_the_referee"
                ] += 1
                count["late"] += report.days_late > 0
    return {place: OpenReports(**count, reports=(*sorted(keys[place]),)) for place, count in counts.items()}


def _open_anomalies() -> dict[int, int]:
    """Draft → the number of its anomalies without an answer."""
    settled = [RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]
    open_ones = Anomaly.objects.filter(answers=None).exclude(list__state__in=settled)
    return dict(open_ones.values_list("list").annotate(Count("pk")).order_by())


def _waiting(reports: Sequence[Report]) -> WaitingCounts:
    office = [report for report in reports if report.state == Report.State.SUBMITTED]
    accepted = sum(report.state == Report.State.ACCEPTED for report in reports)
    return WaitingCounts(
        reports=len(office),
        late=sum(report.days_late > 0 for report in office),
        since=min((report.received for report in office), default=None),
        with_referees=len(reports) - len(office) - accepted,
        overdue=sum(missing.days_late > 0 for missing in missing_reports()),
        requests=CorrectionRequest.objects.filter(requests_selectors.WAITING_FOR_OFFICE).count(),
    )


def _problems(
    overviews: Sequence[PeriodOverview], last_heartbeat: datetime | None, now: datetime
) -> list[Problem]:
    found = []
    scheduler = heartbeat.last_scheduling()
    for overview in overviews:
        run, period = overview.run, overview.period
        if overview.has_failed and run is not None:
            found.append(Problem(ProblemKind.RUN_FAILED, period, since=run.finished_at))
        elif overview.is_calculating and run is not None and _has_not_started(run, now):
            found.append(Problem(ProblemKind.RUN_NOT_STARTED, period, since=run.requested_at))
        if period.is_open and period.pk in scheduler.results_changed:
            tournament = scheduler.results_changed[period.pk]
            found.append(Problem(ProblemKind.RESULTS_CHANGED, period, tournament=tournament))
        elif period.is_open and period.freezes_at < now - ALERT_AFTER:
            found.append(Problem(ProblemKind.NOT_FROZEN, period, since=period.freezes_at))
    if last_heartbeat is None or last_heartbeat < now - ALERT_AFTER:
        found.append(Problem(ProblemKind.NO_WORKER_HEARTBEAT, since=last_heartbeat))
    if scheduler.clocks_differ:
        minutes = round(abs(scheduler.clocks_differ) / timedelta(minutes=1))
        found.append(Problem(ProblemKind.CLOCKS_DIFFER, count=minutes))
    return [*found, *_mail_problems(now), *_other_problems(now)]


def _has_not_started(run: CalculationRun, now: datetime) -> bool:
    return run.attempts == 0 and run.requested_at < now - ALERT_AFTER


def _mail_problems(now: datetime) -> list[Problem]:
    """Mail that a server refused or did not accept, and mail that the worker has not tried to send for minutes."""
    unsent = unsent_messages().aggregate(
        failed=Count("pk", filter=Q(attempts__gt=0)),
        failed_since=Min("created_at", filter=Q(attempts__gt=0)),
        waiting=Count("pk", filter=Q(attempts=0, created_at__lt=now - MAIL_ALERT_AFTER)),
        waiting_since=Min("created_at", filter=Q(attempts=0, created_at__lt=now - MAIL_ALERT_AFTER)),
    )
    return [
        Problem(kind, count=unsent[name], since=unsent[f"{name}_since"])
        for kind, name in ((ProblemKind.MAIL_FAILED, "failed"), (ProblemKind.MAIL_DELAYED, "waiting"))
        if unsent[name]
    ]


def _other_problems(now: datetime) -> list[Problem]:
    found = []
    expired = Invitation.objects.filter(
        accepted_at=None, withdrawn_at=None, sent_at__lt=now - INVITATION_LIFETIME
    ).count()
    if expired:
        found.append(Problem(ProblemKind.INVITATIONS_EXPIRED, count=expired))
    missing = missing_signs()
    for kind, sign in (
        (ProblemKind.NO_BACKUP, Sign.BACKUP),
        (ProblemKind.NOT_VERIFIED, Sign.VERIFICATION),
    ):
        if sign in missing:
            found.append(Problem(kind, since=missing[sign]))
    # Only the embedded database is on this disk.
    if settings.EMBEDDED_DATABASE and settings.VAR.exists():
        free = shutil.disk_usage(settings.VAR).free
        if free < MIN_FREE_DISK_BYTES:
            found.append(Problem(ProblemKind.DISK_FULL, count=free // 1024**2))
    return found
