"""The office's desk: what waits, what is wrong, what comes next; for each pool and for the office as a whole."""

import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import Count, Min, Q
from django.utils import timezone

from ratings.models import Anomaly, CalculationRun, Period, Pool, RatingList
from ratings.office.selectors.drafts import PeriodOverview, period_overviews
from ratings.office.selectors.period_status import received_on
from ratings.office.selectors.periods import counting_periods, past_quarters, period_after, uncounted_reports
from ratings.published.selectors.lists import office_today
from ratings.rules.fmjd.periods import CalendarPeriod
from ratings.worker import heartbeat
from reporting.messages.selectors import unsent_messages
from reporting.models import CorrectionRequest, Invitation, Report
from reporting.models.accounts import INVITATION_LIFETIME
from reporting.regulations import report_due
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

# --- what waits


@dataclass(frozen=True)
class OpenReports:
    """Reports of one list that is still open, counted: accepted, and waiting for the office or the referee."""

    accepted: int = 0
    with_the_office: int = 0
    with_the_referee: int = 0
    late: int = 0


@dataclass(frozen=True)
class WaitingCounts:
    """What waits for somebody in the office: `late` are to be admitted or not, `since` is when the oldest came."""

    reports: int
    late: int
    since: date | None
    with_referees: int
    overdue: int
    requests: int


@dataclass(frozen=True)
class PeriodSummary:
    """A period in hand: where it stands, its reports while it is open, the open questions of its draft."""

    overview: PeriodOverview
    open_reports: OpenReports
    open_anomalies: int


@dataclass(frozen=True)
class PoolDashboard:
    """A pool with the periods the office has in hand, and the last one it published.

    `past` are the quarters that the scheduler does not open: closed before anybody opened them, and not confirmed.
    """

    pool: Pool
    open_periods: Sequence[PeriodSummary]
    last: PeriodOverview | None
    opening: RatingList | None
    past: Sequence[CalendarPeriod] = ()

    @property
    def has_list(self) -> bool:
        return self.opening is not None or self.last is not None


# --- what is wrong


class ProblemKind(StrEnum):
    """What goes wrong by itself, without anybody's act."""

    RUN_FAILED = "run_failed"
    RUN_NOT_STARTED = "run_not_started"
    NOT_FROZEN = "not_frozen"
    NO_WORKER_HEARTBEAT = "no_worker_heartbeat"
    MAIL_FAILED = "mail_failed"
    MAIL_DELAYED = "mail_delayed"
    INVITATIONS_EXPIRED = "invitations_expired"
    DISK_FULL = "disk_full"


@dataclass(frozen=True)
class Problem:
    """Something wrong: of which period, if of one; how many; since when, where that is known."""

    kind: ProblemKind
    period: Period | None = None
    count: int = 0
    since: datetime | None = None


@dataclass(frozen=True)
class Dashboard:
    """Everything on the desk; `heard` is when the worker was last heard of, None where nobody knows."""

    pools: Sequence[PoolDashboard]
    waiting: WaitingCounts
    problems: Sequence[Problem] = field(default=())
    last_heartbeat: datetime | None = None


def office_dashboard() -> Dashboard:
    """The desk. 15 queries, 1 more where something is frozen and nothing of it is calculated, 2 for each pool whose
    next quarter is past.
    """
    now = timezone.now()
    reports = list(uncounted_reports(submitted_reports(WAITING_FOR_OFFICE | WAITING_FOR_REFEREE | ACCEPTED)))
    overviews = _standings()
    pools = _pools(overviews, _in_hand(reports), _open_anomalies())
    last_heartbeat = heartbeat.last_heartbeat()
    return Dashboard(pools, _waiting(reports), [*_problems(overviews, last_heartbeat, now)], last_heartbeat)


def _standings() -> list[PeriodOverview]:
    opened = Period.objects.exclude(state=Period.State.PUBLISHED).order_by("in_force")
    last = Period.objects.filter(state=Period.State.PUBLISHED).order_by("pool", "-in_force").distinct("pool")
    return period_overviews([*opened, *last])


def _pools(
    overviews: Sequence[PeriodOverview],
    open_reports: Mapping[tuple[int, date], OpenReports],
    open_anomalies: Mapping[int, int],
) -> list[PoolDashboard]:
    opening_of = {
        each.pool_id: each
        for each in RatingList.objects.filter(is_opening=True, state=RatingList.State.PUBLISHED).order_by(
            "in_force"
        )
    }
    lines: defaultdict[int, list[PeriodSummary]] = defaultdict(list)
    last: dict[int, PeriodOverview] = {}
    for each in overviews:
        period = each.period
        if period.state == Period.State.PUBLISHED:
            last[period.pool_id] = each
            continue
        lines[period.pool_id].append(
            PeriodSummary(
                each,
                open_reports.get((period.pool_id, period.in_force), OpenReports()),
                open_anomalies.get(each.draft.pk, 0) if each.draft else 0,
            )
        )
    desks = [
        PoolDashboard(pool, lines[pool.pk], last.get(pool.pk), opening_of.get(pool.pk))
        for pool in Pool.objects.order_by("federation", "discipline", "tempo", "pk")
    ]
    return [
        each if each.open_periods else replace(each, past=_waits_for_confirmation(each)) for each in desks
    ]


def _waits_for_confirmation(desk: PoolDashboard) -> list[CalendarPeriod]:
    newest = desk.last.period if desk.last else desk.opening
    if newest is None:
        return []
    due = period_after(newest.in_force)
    past = past_quarters(desk.pool, due, office_today())
    return past if due in past else []  # one that is confirmed is opened within a minute


def open_reports_by_list() -> dict[tuple[int, date], OpenReports]:
    """The reports that no list counts, by pool and the day of the list they are for. 4 queries."""
    return _in_hand(
        list(uncounted_reports(submitted_reports(WAITING_FOR_OFFICE | WAITING_FOR_REFEREE | ACCEPTED)))
    )


def _is_late(report: Report) -> bool:
    """Handed in after the last day in time (R11)."""
    assert report.tournament is not None  # noqa: S101 (the database holds it of every report handed in)
    return received_on(report) > report_due(report.tournament.played_to)


def _in_hand(reports: Sequence[Report]) -> dict[tuple[int, date], OpenReports]:
    """Pool and day of the list → its reports. One that corrects a counted report waits for a revision, not for it."""
    of_lists = [each for each in reports if each.corrects_id is None]
    lists = counting_periods(each.tournament for each in of_lists if each.tournament is not None)
    counts: defaultdict[tuple[int, date], Counter[str]] = defaultdict(Counter)
    for report in of_lists:
        assert report.tournament_id is not None  # noqa: S101 (the database holds it of every report handed in)
        counting = lists[report.tournament_id]
        count = counts[counting.pool.pk, counting.period.in_force]
        if report.state == Report.State.ACCEPTED:
            count["accepted"] += 1
        else:
            count["with_the_office" if report.state == Report.State.SUBMITTED else "with_the_referee"] += 1
            count["late"] += _is_late(report)
    return {place: OpenReports(**count) for place, count in counts.items()}


def _open_anomalies() -> dict[int, int]:
    """Draft → its questions without an answer."""
    settled = [RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]
    open_ones = Anomaly.objects.filter(answers=None).exclude(list__state__in=settled)
    return dict(open_ones.values_list("list").annotate(Count("pk")).order_by())


def _waiting(reports: Sequence[Report]) -> WaitingCounts:
    office = [each for each in reports if each.state == Report.State.SUBMITTED]
    accepted = sum(each.state == Report.State.ACCEPTED for each in reports)
    return WaitingCounts(
        reports=len(office),
        late=sum(_is_late(each) for each in office),
        since=min((received_on(each) for each in office), default=None),
        with_referees=len(reports) - len(office) - accepted,
        overdue=sum(each.days_late > 0 for each in missing_reports()),
        requests=CorrectionRequest.objects.filter(requests_selectors.WAITING_FOR_OFFICE).count(),
    )


def _problems(
    overviews: Sequence[PeriodOverview], last_heartbeat: datetime | None, now: datetime
) -> list[Problem]:
    found = []
    for each in overviews:
        run = each.run
        if each.has_failed and run is not None:
            found.append(Problem(ProblemKind.RUN_FAILED, each.period, since=run.finished_at))
        elif each.is_calculating and run is not None and _not_begun(run, now):
            found.append(Problem(ProblemKind.RUN_NOT_STARTED, each.period, since=run.requested_at))
        if each.period.state == Period.State.OPEN and each.period.freezes_at < now - ALERT_AFTER:
            found.append(Problem(ProblemKind.NOT_FROZEN, each.period, since=each.period.freezes_at))
    if last_heartbeat is None or last_heartbeat < now - ALERT_AFTER:
        found.append(Problem(ProblemKind.NO_WORKER_HEARTBEAT, since=last_heartbeat))
    return [*found, *_mail_troubles(now), *_other_troubles(now)]


def _not_begun(run: CalculationRun, now: datetime) -> bool:
    return run.attempts == 0 and run.requested_at < now - ALERT_AFTER


def _mail_troubles(now: datetime) -> list[Problem]:
    """Mail that a server refused or did not take, and mail that nobody has tried to send for minutes."""
    told = unsent_messages().aggregate(
        failed=Count("pk", filter=Q(attempts__gt=0)),
        failed_since=Min("created_at", filter=Q(attempts__gt=0)),
        waiting=Count("pk", filter=Q(attempts=0, created_at__lt=now - MAIL_ALERT_AFTER)),
        waiting_since=Min("created_at", filter=Q(attempts=0, created_at__lt=now - MAIL_ALERT_AFTER)),
    )
    return [
        Problem(kind, count=told[name], since=told[f"{name}_since"])
        for kind, name in ((ProblemKind.MAIL_FAILED, "failed"), (ProblemKind.MAIL_DELAYED, "waiting"))
        if told[name]
    ]


def _other_troubles(now: datetime) -> list[Problem]:
    found = []
    lapsed = Invitation.objects.filter(
        accepted_at=None, withdrawn_at=None, sent_at__lt=now - INVITATION_LIFETIME
    ).count()
    if lapsed:
        found.append(Problem(ProblemKind.INVITATIONS_EXPIRED, count=lapsed))
    # The embedded database lies on this disk; of one elsewhere its own machine knows.
    if settings.EMBEDDED_DATABASE and settings.VAR.exists():
        free = shutil.disk_usage(settings.VAR).free
        if free < MIN_FREE_DISK_BYTES:
            found.append(Problem(ProblemKind.DISK_FULL, count=free // 1024**2))
    return found
