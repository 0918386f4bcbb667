"""Periods and drafts of the office: state, anomalies, recalculations, revisions and corrections."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db import connection
from django.db.models import Prefetch, Q, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from ratings.federations.facet import Calculation
from ratings.formats.tables import file_value
from ratings.inputs.held_rows import held_rows
from ratings.models import (
    Anomaly,
    AnomalyAnswer,
    CalculationRun,
    Correction,
    Period,
    PeriodReport,
    Pool,
    RatingList,
)
from ratings.rules.declared import Column
from reporting.models import LogEntry, Player, PlayerMerge, Report, Role, User
from reporting.reports.selectors.parts import mark_parts

# --- the state of a period's list


class ListStage(TextChoices):
    """The state of a period and of its draft together, as pages print it."""

    OPEN = "open", _("Open")
    FROZEN = "frozen", _("Frozen")
    CALCULATING = "calculating", _("Calculating")
    CALCULATION_FAILED = "calculation_failed", _("Calculation failed")
    CALCULATED = "calculated", _("Calculated")
    NORMS_SEARCHED = "norms_searched", _("Norms searched")
    READY = "ready", _("Waiting for approval")
    APPROVED = "approved", _("Waiting for publication")
    PUBLISHED = "published", _("Published")

    @property
    def tone(self) -> str:
        """The colour of its tag; none for an open period."""
        tones = {"open": "", "frozen": "warn", "calculation_failed": "bad", "published": "good"}
        return tones.get(self.value, "stamp")


class WaitingFor(TextChoices):
    """Who acts next on a period."""

    REPORTS = "reports", _("Referees and the office, until the freeze")
    WORKER = "worker", _("The worker")
    RATING_OFFICER = "rating_officer", _("A rating officer")
    RELEASING_OFFICER = "releasing_officer", _("Another person, a releasing officer")
    CORRECTION = "correction", _("The correction of an earlier list")
    NOTHING = "nothing", _("Nothing")


LIST_WAITING_FOR = {
    RatingList.State.CALCULATED: WaitingFor.WORKER,
    RatingList.State.NORMS_SEARCHED: WaitingFor.WORKER,
    RatingList.State.READY: WaitingFor.RATING_OFFICER,
    RatingList.State.APPROVED: WaitingFor.RELEASING_OFFICER,
}


@dataclass(frozen=True)
class PeriodOverview:
    """A period with its draft and its last calculation, if any, and its published list.

    `blocked_by` is an earlier period of the pool whose list is being corrected while this one waits for its
    calculation.
    """

    period: Period
    draft: RatingList | None = None
    run: CalculationRun | None = None
    published: RatingList | None = None
    blocked_by: Period | None = None

    @property
    def is_calculating(self) -> bool:
        """Whether a calculation is requested and neither done nor failed."""
        return self.run is not None and self.run.state == CalculationRun.State.REQUESTED

    @property
    def has_failed(self) -> bool:
        return (
            self.run is not None
            and self.run.state == CalculationRun.State.FAILED
            and self.period.state in {Period.State.FROZEN, Period.State.CORRECTING}
        )

    @property
    def is_waiting_for_worker(self) -> bool:
        return self.is_calculating or (
            self.draft is not None
            and self.draft.state in {RatingList.State.CALCULATED, RatingList.State.NORMS_SEARCHED}
        )

    @property
    def stage(self) -> ListStage:
        return self._status[0]

    @property
    def waiting_for(self) -> WaitingFor:
        return self._status[1]

    @property
    def since(self) -> datetime | None:
        """When it came into this state."""
        return self._status[2]

    @property
    def _status(self) -> tuple[ListStage, WaitingFor, datetime | None]:
        period, draft, run = self.period, self.draft, self.run
        status: tuple[ListStage, WaitingFor, datetime | None]
        if period.state == Period.State.OPEN:
            status = ListStage.OPEN, WaitingFor.REPORTS, period.played_since
        elif period.state == Period.State.PUBLISHED:
            published_at = self.published.published_at if self.published else None
            status = ListStage.PUBLISHED, WaitingFor.NOTHING, published_at
        elif run is not None and self.is_calculating:
            status = ListStage.CALCULATING, WaitingFor.WORKER, run.requested_at
        elif run is not None and self.has_failed:
            status = ListStage.CALCULATION_FAILED, WaitingFor.RATING_OFFICER, run.finished_at
        elif draft is None:
            waiting_for = WaitingFor.CORRECTION if self.blocked_by else WaitingFor.RATING_OFFICER
            status = ListStage.FROZEN, waiting_for, period.frozen_at
        else:
            is_approved = draft.state == RatingList.State.APPROVED
            since = draft.approved_at if is_approved else draft.calculated_at
            status = ListStage(draft.state), LIST_WAITING_FOR[RatingList.State(draft.state)], since
        return status


def period_overviews(periods: Sequence[Period]) -> list[PeriodOverview]:
    """The state of each of these periods. 2 queries, 1 more where one is frozen and has no calculation yet."""
    lists = (
        RatingList.objects.filter(period__in=periods)
        .exclude(state=RatingList.State.SUPERSEDED)
        .select_related(
            "pool",
            "previous",
            "correction__replaces",
            "correction__follows__replaces",
            "approved_by",
            "published_by",
        )
        .order_by("revision", "pk")
    )
    drafts: dict[int | None, RatingList] = {}
    published: dict[int | None, RatingList] = {}
    for rating_list in lists:
        by_period = published if rating_list.state == RatingList.State.PUBLISHED else drafts
        by_period[rating_list.period_id] = rating_list
    runs = (
        CalculationRun.objects.filter(period__in=periods)
        .select_related("requested_by")
        .order_by("period", "-pk")
        .distinct("period")
    )
    newest = {run.period_id: run for run in runs}
    waiting = [
        period
        for period in periods
        if period.state == Period.State.FROZEN and period.pk not in drafts and period.pk not in newest
    ]
    corrected = {
        period.pool_id: period
        for period in Period.objects.filter(
            pool__in=[period.pool_id for period in waiting], state=Period.State.CORRECTING
        )
    }
    return [
        PeriodOverview(
            period,
            drafts.get(period.pk),
            newest.get(period.pk),
            published.get(period.pk),
            corrected.get(period.pool_id) if period in waiting else None,
        )
        for period in periods
    ]


def find_period(pool_code: str, in_force: date) -> Period:
    """The period of an address. 1 query. Raises `Period.DoesNotExist`."""
    return Period.objects.select_related("pool", "frozen_by").get(pool__code=pool_code, in_force=in_force)


def period_of_list(pool: Pool, in_force: date) -> Period | None:
    """The period of the list of a day, where it is there. 1 query."""
    return Period.objects.filter(pool=pool, in_force=in_force).select_related("pool").first()


def find_anomaly(period: Period, number: int) -> Anomaly | None:
    """An anomaly of a list of the period, with its list. 1 query."""
    return Anomaly.objects.filter(pk=number, list__period=period).select_related("list").first()


def newest_list_of(period: int) -> RatingList | None:
    """The draft of a period, or its published list where there is none. 1 query."""
    lists = RatingList.objects.filter(period=period).exclude(state=RatingList.State.SUPERSEDED)
    return lists.order_by("-revision", "-pk").first()


def users_with_role(role: Role) -> list[User]:
    """Users with a role who can log in, by name. 1 query."""
    return list(
        User.objects.holding(role).filter(is_active=True, acts_by_command=False).order_by("name", "pk")
    )


def found_anomalies(rating_list: RatingList, calculation: Calculation) -> list[Anomaly]:
    """What the rules of the system ask about a calculated list. 1 query for the players and 1 for the reports."""
    found = list(calculation.anomalies())
    players = Player.objects.in_bulk({one.player for one in found if one.player is not None})
    reports = Report.objects.filter(
        state=Report.State.ACCEPTED, result_set__in={one.result_set for one in found if one.result_set}
    ).select_related("result_set")
    report_of = {report.result_set_id: report for report in reports}
    return [
        Anomaly(
            list=rating_list,
            kind=one.kind,
            player=players[one.player] if one.player is not None else None,
            report=report_of[one.result_set] if one.result_set is not None else None,
            data=dict(one.data),
        )
        for one in found
    ]


@dataclass(frozen=True)
class AnomalyWithAnswers:
    """An anomaly with its answers, the newest first: that one is valid."""

    anomaly: Anomaly
    answers: Sequence[AnomalyAnswer] = ()


def anomalies_of_list(rating_list: RatingList) -> list[AnomalyWithAnswers]:
    """The anomalies of a draft: those without an answer first, then in their order. 2 queries."""
    anomalies = (
        Anomaly.objects.filter(list=rating_list)
        .select_related("list", "player", "report__result_set", "report__submitted_by")
        .prefetch_related(Prefetch("answers", AnomalyAnswer.objects.select_related("by").order_by("-pk")))
        .order_by("pk")
    )
    with_answers = [AnomalyWithAnswers(anomaly, list(anomaly.answers.all())) for anomaly in anomalies]
    return sorted(with_answers, key=lambda anomaly: bool(anomaly.answers))


@dataclass(frozen=True)
class Recalculation:
    """The draft that another one replaced, and the log entry of the officer's request, if any."""

    before: RatingList
    request: LogEntry | None


def recalculation_of(draft: RatingList, run: CalculationRun | None) -> Recalculation | None:
    """The previous draft while its rows are stored (until the night); None where there is none. 1 to 3 queries."""
    before = (
        RatingList.objects.filter(
            period=draft.period_id,
            correction=draft.correction_id,
            state=RatingList.State.SUPERSEDED,
            pk__lt=draft.pk,
        )
        .order_by("-pk")
        .first()
    )
    if before is None or not _has_rows(before):
        return None
    requests = LogEntry.objects.filter(action="calculation.recalculate", after__run=run.pk) if run else None
    return Recalculation(before, requests.select_related("actor").first() if requests is not None else None)


def _has_rows(rating_list: RatingList) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [rating_list.rows_partition])
        return bool(cursor.fetchone() == (True,))


def revisions_of(period: Period) -> list[RatingList]:
    """The published revisions of a period's list, newest first. 1 query."""
    return list(
        RatingList.objects.filter(period=period, state=RatingList.State.PUBLISHED)
        .select_related("pool", "approved_by", "published_by", "correction__follows__replaces")
        .order_by("-revision")
    )


# --- corrections


@dataclass(frozen=True)
class ManifestChange:
    """The reports that a correction excludes and includes, against the list it replaces."""

    excluded: Sequence[PeriodReport]
    included: Sequence[PeriodReport]


def manifest_of(rating_list: RatingList) -> list[PeriodReport]:
    """The reports a list counts, by the tournaments' days. 1 or 2 queries."""
    return _in_order(rating_list.manifest)


def _in_order(lines: QuerySet[PeriodReport]) -> list[PeriodReport]:
    found = list(lines.select_related("result_set").order_by("result_set__played_to", "result_set__number"))
    mark_parts(line.result_set for line in found)
    return found


@dataclass(frozen=True)
class FirstReport:
    """A report of a list and an account it is of: who invited the account, and who accepted the report, by name."""

    tournament: str
    report: int
    account: str
    brought_in_by: str
    accepted_by: str


def first_reports_of(rating_list: RatingList) -> list[FirstReport]:
    """The reports of a list by accounts with fewer than FIRST_REPORTS accepted reports outside it (decision 0098).

    Brought in is an account by who invited it, or gave its first role. None of commands. 1 query.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            FIRST_REPORTS_OF, [rating_list.period_id, rating_list.correction_id, settings.FIRST_REPORTS]
        )
        return [FirstReport(*row) for row in cursor.fetchall()]


FIRST_REPORTS_OF = """
WITH counted AS (
    SELECT result_set_id, version_id FROM ratings_periodreport
    WHERE period_id = %s AND correction_id IS NOT DISTINCT FROM %s
)
SELECT tournament.name, version.report_id, account.name,
    coalesce(
        (SELECT giver.name FROM reporting_invitation invitation JOIN reporting_user giver
            ON giver.id = invitation.invited_by_id WHERE invitation.account_id = account.id),
        (SELECT giver.name FROM reporting_roleassignment role JOIN reporting_user giver
            ON giver.id = role.assigned_by_id WHERE role.account_id = account.id ORDER BY role.id LIMIT 1), ''),
    coalesce(
        (SELECT person.name FROM reporting_reportstep step JOIN reporting_user person ON person.id = step.by_id
            WHERE step.version_id = version.id AND step.move = 'accept' ORDER BY step.id DESC LIMIT 1), '')
FROM counted
JOIN reporting_resultset tournament ON tournament.id = counted.result_set_id
JOIN reporting_reportversion version ON version.id = counted.version_id
CROSS JOIN LATERAL (SELECT account_id FROM reports_of_accounts WHERE report_id = version.report_id) part
JOIN reporting_user account ON account.id = part.account_id AND NOT account.acts_by_command
WHERE %s > (
    SELECT count(*) FROM reporting_report report
    WHERE report.id IN (SELECT report_id FROM reports_of_accounts WHERE account_id = account.id)
        AND report.state = 'accepted' AND report.result_set_id NOT IN (SELECT result_set_id FROM counted)
)
ORDER BY account.name, tournament.played_to, tournament.number
"""


def own_merges_of(rating_list: RatingList, signatory: User) -> list[PlayerMerge]:
    """The merges of a signatory that a list reads and the list before did not, and those undone by them since. 1 query.

    The list before is the one that a revision replaces. The person who publishes looks at these (decision 0095).
    """
    before = rating_list.correction.replaces if rating_list.correction else rating_list.previous
    earlier = before.merges if before else []
    made = Q(pk__in=set(rating_list.merges) - set(earlier), merged_by=signatory)
    undone = Q(pk__in=set(earlier) - set(rating_list.merges), undone_by=signatory)
    return list(
        PlayerMerge.objects.filter(made | undone).select_related("duplicate", "surviving").order_by("pk")
    )


def manifest_change(correction: Correction) -> ManifestChange:
    """The reports that a correction excludes and includes. 2 to 4 queries."""
    now, before = _in_order(correction.manifest.all()), manifest_of(correction.replaces)
    return ManifestChange(_without(before, now), _without(now, before))


def _without(lines: Iterable[PeriodReport], others: Iterable[PeriodReport]) -> list[PeriodReport]:
    known: Collection[int] = {line.result_set_id for line in others}
    return [line for line in lines if line.result_set_id not in known]


HELD_ROWS = 100
"""The most held players that a page shows."""


@dataclass(frozen=True)
class HeldPlayer:
    """A player whom a list holds, with the values as files have them."""

    player: Player
    texts: Sequence[str]


@dataclass(frozen=True)
class HeldPlayers:
    """The first players whom a list holds, by number, and how many it holds; the columns are those with a label."""

    columns: Sequence[Column]
    rows: Sequence[HeldPlayer]
    total: int


def held_players(rating_list: RatingList) -> HeldPlayers | None:
    """The players whom a list holds; None without any. 2 queries, none in a system that holds none."""
    rows = held_rows(rating_list)
    if not rows:
        return None
    columns = [column for column in rating_list.declaration.held if column.label]
    shown = rows[:HELD_ROWS]
    players = Player.objects.in_bulk([row["player_id"] for row in shown])
    return HeldPlayers(
        columns,
        [
            HeldPlayer(
                players[row["player_id"]],
                [str(file_value(column, row[column.name])) for column in columns],
            )
            for row in shown
        ],
        len(rows),
    )
