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
from ratings.office.selectors.drafts import Standing, standings_of
from ratings.office.selectors.period_status import received_on
from ratings.office.selectors.periods import lists_that_count, past_quarters, period_after, without_counted
from ratings.published.selectors.lists import office_day
from ratings.rules.fmjd.periods import ClosingCalendar
from ratings.worker import heartbeat
from reporting.messages.selectors import unsent_messages
from reporting.models import CorrectionRequest, Invitation, Report
from reporting.models.accounts import INVITATION_HOLDS
from reporting.regulations import report_due
from reporting.reports.selectors.inbox import (
    ACCEPTED,
    WITH_THE_OFFICE,
    WITH_THE_REFEREE,
    announced_not_received,
    handed_in,
)
from reporting.requests import selectors as requests_selectors

SILENT_AFTER = timedelta(minutes=2)
MAIL_WAITS_AT_MOST = timedelta(minutes=5)
LEAST_ROOM = 1024**3

# --- what waits


@dataclass(frozen=True)
class InHand:
    """Reports of one list that is still open, counted: accepted, and waiting for the office or the referee."""

    accepted: int = 0
    with_the_office: int = 0
    with_the_referee: int = 0
    late: int = 0


@dataclass(frozen=True)
class Waiting:
    """What waits for somebody in the office: `late` are to be admitted or not, `since` is when the oldest came."""

    reports: int
    late: int
    since: date | None
    with_referees: int
    overdue: int
    requests: int


@dataclass(frozen=True)
class DeskLine:
    """A period in hand: where it stands, its reports while it is open, the open questions of its draft."""

    standing: Standing
    in_hand: InHand
    questions: int


@dataclass(frozen=True)
class PoolDesk:
    """A pool with the periods the office has in hand, and the last one it published.

    `past` are the quarters that the scheduler does not open: closed before anybody opened them, and not confirmed.
    """

    pool: Pool
    in_hand: Sequence[DeskLine]
    last: Standing | None
    opening: RatingList | None
    past: Sequence[ClosingCalendar] = ()

    @property
    def has_list(self) -> bool:
        return self.opening is not None or self.last is not None


# --- what is wrong


class Wrong(StrEnum):
    """What goes wrong by itself, without anybody's act."""

    RUN_FAILED = "run_failed"
    RUN_NOT_BEGUN = "run_not_begun"
    NOT_FROZEN = "not_frozen"
    WORKER_SILENT = "worker_silent"
    MAIL_FAILS = "mail_fails"
    MAIL_WAITS = "mail_waits"
    INVITATIONS_LAPSED = "invitations_lapsed"
    DISK_FULL = "disk_full"


@dataclass(frozen=True)
class Trouble:
    """Something wrong: of which period, if of one; how many; since when, where that is known."""

    wrong: Wrong
    period: Period | None = None
    count: int = 0
    since: datetime | None = None


@dataclass(frozen=True)
class Desk:
    """Everything on the desk; `heard` is when the worker was last heard of, None where nobody knows."""

    pools: Sequence[PoolDesk]
    waiting: Waiting
    troubles: Sequence[Trouble] = field(default=())
    heard: datetime | None = None


def office_desk() -> Desk:
    """The desk. 15 queries, 1 more where something is frozen and nothing of it is calculated, 2 for each pool whose
    next quarter is past.
    """
    now = timezone.now()
    reports = list(without_counted(handed_in(WITH_THE_OFFICE | WITH_THE_REFEREE | ACCEPTED)))
    standings = _standings()
    pools = _pools(standings, _in_hand(reports), _open_questions())
    heard = heartbeat.last_heard()
    return Desk(pools, _waiting(reports), [*_troubles(standings, heard, now)], heard)


def _standings() -> list[Standing]:
    opened = Period.objects.exclude(state=Period.State.PUBLISHED).order_by("in_force")
    last = Period.objects.filter(state=Period.State.PUBLISHED).order_by("pool", "-in_force").distinct("pool")
    return standings_of([*opened, *last])


def _pools(
    standings: Sequence[Standing], in_hand: Mapping[tuple[int, date], InHand], questions: Mapping[int, int]
) -> list[PoolDesk]:
    opening_of = {
        each.pool_id: each
        for each in RatingList.objects.filter(is_opening=True, state=RatingList.State.PUBLISHED).order_by(
            "in_force"
        )
    }
    lines: defaultdict[int, list[DeskLine]] = defaultdict(list)
    last: dict[int, Standing] = {}
    for each in standings:
        period = each.period
        if period.state == Period.State.PUBLISHED:
            last[period.pool_id] = each
            continue
        lines[period.pool_id].append(
            DeskLine(
                each,
                in_hand.get((period.pool_id, period.in_force), InHand()),
                questions.get(each.draft.pk, 0) if each.draft else 0,
            )
        )
    desks = [
        PoolDesk(pool, lines[pool.pk], last.get(pool.pk), opening_of.get(pool.pk))
        for pool in Pool.objects.order_by("federation", "discipline", "tempo", "pk")
    ]
    return [each if each.in_hand else replace(each, past=_waits_for_confirmation(each)) for each in desks]


def _waits_for_confirmation(desk: PoolDesk) -> list[ClosingCalendar]:
    newest = desk.last.period if desk.last else desk.opening
    if newest is None:
        return []
    due = period_after(newest.in_force)
    past = past_quarters(desk.pool, due, office_day())
    return past if due in past else []  # one that is confirmed is opened within a minute


def reports_in_hand() -> dict[tuple[int, date], InHand]:
    """The reports that no list counts, by pool and the day of the list they are for. 4 queries."""
    return _in_hand(list(without_counted(handed_in(WITH_THE_OFFICE | WITH_THE_REFEREE | ACCEPTED))))


def _is_late(report: Report) -> bool:
    """Handed in after the last day in time (R11)."""
    assert report.tournament is not None  # noqa: S101 (the database holds it of every report handed in)
    return received_on(report) > report_due(report.tournament.played_to)


def _in_hand(reports: Sequence[Report]) -> dict[tuple[int, date], InHand]:
    """Pool and day of the list → its reports. One that corrects a counted report waits for a revision, not for it."""
    of_lists = [each for each in reports if each.corrects_id is None]
    lists = lists_that_count(each.tournament for each in of_lists if each.tournament is not None)
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
    return {place: InHand(**count) for place, count in counts.items()}


def _open_questions() -> dict[int, int]:
    """Draft → its questions without an answer."""
    settled = [RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]
    open_ones = Anomaly.objects.filter(answers=None).exclude(list__state__in=settled)
    return dict(open_ones.values_list("list").annotate(Count("pk")).order_by())


def _waiting(reports: Sequence[Report]) -> Waiting:
    office = [each for each in reports if each.state == Report.State.SUBMITTED]
    accepted = sum(each.state == Report.State.ACCEPTED for each in reports)
    return Waiting(
        reports=len(office),
        late=sum(_is_late(each) for each in office),
        since=min((received_on(each) for each in office), default=None),
        with_referees=len(reports) - len(office) - accepted,
        overdue=sum(each.days_late > 0 for each in announced_not_received()),
        requests=CorrectionRequest.objects.filter(requests_selectors.WITH_THE_OFFICE).count(),
    )


def _troubles(standings: Sequence[Standing], heard: datetime | None, now: datetime) -> list[Trouble]:
    found = []
    for each in standings:
        run = each.run
        if each.failed and run is not None:
            found.append(Trouble(Wrong.RUN_FAILED, each.period, since=run.finished_at))
        elif each.calculating and run is not None and _not_begun(run, now):
            found.append(Trouble(Wrong.RUN_NOT_BEGUN, each.period, since=run.requested_at))
        if each.period.state == Period.State.OPEN and each.period.freezes_at < now - SILENT_AFTER:
            found.append(Trouble(Wrong.NOT_FROZEN, each.period, since=each.period.freezes_at))
    if heard is None or heard < now - SILENT_AFTER:
        found.append(Trouble(Wrong.WORKER_SILENT, since=heard))
    return [*found, *_mail_troubles(now), *_other_troubles(now)]


def _not_begun(run: CalculationRun, now: datetime) -> bool:
    return run.attempts == 0 and run.requested_at < now - SILENT_AFTER


def _mail_troubles(now: datetime) -> list[Trouble]:
    """Mail that a server refused or did not take, and mail that nobody has tried to send for minutes."""
    told = unsent_messages().aggregate(
        failed=Count("pk", filter=Q(attempts__gt=0)),
        failed_since=Min("created_at", filter=Q(attempts__gt=0)),
        waiting=Count("pk", filter=Q(attempts=0, created_at__lt=now - MAIL_WAITS_AT_MOST)),
        waiting_since=Min("created_at", filter=Q(attempts=0, created_at__lt=now - MAIL_WAITS_AT_MOST)),
    )
    return [
        Trouble(wrong, count=told[name], since=told[f"{name}_since"])
        for wrong, name in ((Wrong.MAIL_FAILS, "failed"), (Wrong.MAIL_WAITS, "waiting"))
        if told[name]
    ]


def _other_troubles(now: datetime) -> list[Trouble]:
    found = []
    lapsed = Invitation.objects.filter(
        accepted_at=None, withdrawn_at=None, sent_at__lt=now - INVITATION_HOLDS
    ).count()
    if lapsed:
        found.append(Trouble(Wrong.INVITATIONS_LAPSED, count=lapsed))
    # The embedded database lies on this disk; of one elsewhere its own machine knows.
    if settings.EMBEDDED_DATABASE and settings.VAR.exists():
        free = shutil.disk_usage(settings.VAR).free
        if free < LEAST_ROOM:
            found.append(Trouble(Wrong.DISK_FULL, count=free // 1024**2))
    return found
