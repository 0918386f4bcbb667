"""What the office reads of its periods and drafts: whose turn it is, what is asked, what a correction counts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import Prefetch

from ratings.models import (
    Anomaly,
    AnomalyAnswer,
    CalculationRun,
    Correction,
    Period,
    PeriodReport,
    RatingList,
)
from ratings.rules.lifecycle import LIST_WAITING_FOR, PERIOD_WAITING_FOR
from reporting.models import LogEntry, Role, User

# --- whose turn it is

LIST_STATE_LABELS: Mapping[str, str] = {
    RatingList.State.CALCULATED: "Calculated",
    RatingList.State.NORMS_SEARCHED: "Norms searched",
    RatingList.State.READY: "Waiting for approval",
}


@dataclass(frozen=True)
class PeriodOverview:
    """Where a period stands: its draft and its last calculation if there are any, and its published list.

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
        """Whether a calculation was asked for and has neither a list nor an end."""
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
    def _words(self) -> tuple[str, str, str, datetime | None]:
        """The state in words, its tone, whose turn it is, and since when."""
        period, draft, run = self.period, self.draft, self.run
        turn = PERIOD_WAITING_FOR[period.state]
        words: tuple[str, str, str, datetime | None]
        if period.state == Period.State.OPEN:
            words = "Open", "", turn, period.played_since
        elif period.state == Period.State.PUBLISHED:
            words = "Published", "good", turn, self.published.published_at if self.published else None
        elif run is not None and self.is_calculating:
            words = "Being calculated", "stamp", "the worker", run.requested_at
        elif run is not None and self.has_failed:
            words = "Calculation failed", "bad", "a rating officer", run.finished_at
        elif draft is None and self.blocked_by is not None:
            words = "Frozen", "warn", "whoever corrects the earlier list", period.frozen_at
        elif draft is None:
            words = "Frozen", "warn", "a rating officer", period.frozen_at
        elif draft.state == RatingList.State.APPROVED:
            words = "Waiting for release", "stamp", LIST_WAITING_FOR[draft.state], draft.approved_at
        else:
            words = (
                LIST_STATE_LABELS[draft.state],
                "stamp",
                LIST_WAITING_FOR[draft.state],
                draft.calculated_at,
            )
        return words

    @property
    def state(self) -> str:
        return self._words[0]

    @property
    def tone(self) -> str:
        return self._words[1]

    @property
    def waiting_for(self) -> str:
        return self._words[2]

    @property
    def since(self) -> datetime | None:
        return self._words[3]


def period_overviews(periods: Sequence[Period]) -> list[PeriodOverview]:
    """Where each of these periods stands. 2 queries, 1 more where one is frozen and nothing of it is calculated."""
    lists = (
        RatingList.objects.filter(period__in=periods)
        .exclude(state=RatingList.State.SUPERSEDED)
        .select_related("pool", "previous", "correction__replaces", "approved_by", "published_by")
        .order_by("revision", "pk")
    )
    drafts: dict[int | None, RatingList] = {}
    published: dict[int | None, RatingList] = {}
    for each in lists:
        (published if each.state == RatingList.State.PUBLISHED else drafts)[each.period_id] = each
    runs = (
        CalculationRun.objects.filter(period__in=periods)
        .select_related("requested_by")
        .order_by("period", "-pk")
        .distinct("period")
    )
    newest = {run.period_id: run for run in runs}
    waiting = [
        each
        for each in periods
        if each.state == Period.State.FROZEN and each.pk not in drafts and each.pk not in newest
    ]
    corrected = {
        each.pool_id: each
        for each in Period.objects.filter(
            pool__in=[each.pool_id for each in waiting], state=Period.State.CORRECTING
        )
    }
    return [
        PeriodOverview(
            each,
            drafts.get(each.pk),
            newest.get(each.pk),
            published.get(each.pk),
            corrected.get(each.pool_id) if each in waiting else None,
        )
        for each in periods
    ]


def find_period(pool_code: str, in_force: date) -> Period:
    """The period of an address. 1 query. Raises `Period.DoesNotExist`."""
    return Period.objects.select_related("pool", "frozen_by").get(pool__code=pool_code, in_force=in_force)


def users_with_role(role: Role) -> list[User]:
    """Who holds a role and can log in, by name. 1 query."""
    return list(
        User.objects.holding(role).filter(is_active=True, acts_by_command=False).order_by("name", "pk")
    )


@dataclass(frozen=True)
class AnomalyWithAnswers:
    """An anomaly with the words given to it, the newest first: that one holds."""

    anomaly: Anomaly
    answers: Sequence[AnomalyAnswer] = ()


def anomalies_of_list(rating_list: RatingList) -> list[AnomalyWithAnswers]:
    """What a draft asks its officer: the open questions first, then in their order. 2 queries."""
    anomalies = (
        Anomaly.objects.filter(list=rating_list)
        .select_related("player", "report__tournament", "report__submitted_by")
        .prefetch_related(Prefetch("answers", AnomalyAnswer.objects.select_related("by").order_by("-pk")))
        .order_by("pk")
    )
    questions = [AnomalyWithAnswers(each, list(each.answers.all())) for each in anomalies]
    return sorted(questions, key=lambda each: bool(each.answers))


@dataclass(frozen=True)
class Recalculation:
    """The draft that another one took the place of, and who asked for that and why, where an officer did."""

    before: RatingList
    asked: LogEntry | None


def recalculation_of(draft: RatingList, run: CalculationRun | None) -> Recalculation | None:
    """The draft before, as long as its rows are kept (until the night); None where there is none. 1 to 3 queries."""
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
    if before is None or not _rows_are_kept(before):
        return None
    asked = LogEntry.objects.filter(action="calculation.recalculate", after__run=run.pk) if run else None
    return Recalculation(before, asked.select_related("actor").first() if asked is not None else None)


def _rows_are_kept(rating_list: RatingList) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [f"ratings_ratinglistrow_{rating_list.pk}"])
        return bool(cursor.fetchone() == (True,))


def revisions_of(period: Period) -> list[RatingList]:
    """The published revisions of a period's list, newest first. 1 query."""
    return list(
        RatingList.objects.filter(period=period, state=RatingList.State.PUBLISHED)
        .select_related("approved_by", "published_by", "correction")
        .order_by("-revision")
    )


# --- corrections


@dataclass(frozen=True)
class ManifestChange:
    """What a correction counts otherwise than the list it replaces."""

    excluded: Sequence[PeriodReport]
    included: Sequence[PeriodReport]


def manifest_of(rating_list: RatingList) -> list[PeriodReport]:
    """The reports a list counts, by the tournaments' days. 1 query."""
    return list(
        PeriodReport.objects.filter(period=rating_list.period_id, correction=rating_list.correction_id)
        .select_related("tournament")
        .order_by("tournament__played_to", "tournament__number")
    )


def manifest_change(correction: Correction) -> ManifestChange:
    """What a correction leaves out and takes in. 2 queries."""
    replaced = correction.replaces
    lines = (
        PeriodReport.objects.filter(period=replaced.period_id, correction=correction)
        .select_related("tournament")
        .order_by("tournament__played_to", "tournament__number")
    )
    now, before = list(lines), manifest_of(replaced)
    return ManifestChange(_without(before, now), _without(now, before))


def _without(lines: Iterable[PeriodReport], others: Iterable[PeriodReport]) -> list[PeriodReport]:
    known: Collection[int] = {each.tournament_id for each in others}
    return [each for each in lines if each.tournament_id not in known]
