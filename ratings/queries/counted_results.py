"""Which results of a tournament count: in a list, in any published list, in the list that is due, or in none yet.

What a list counts is its manifest, one line a result set. A revision has a manifest of its own, and counts in place of
the one that it replaces.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Concat

from ratings.inputs.calculation_inputs import CalculationInputs, inputs_if_frozen, inputs_of_period
from ratings.models import Period, PeriodReport, RatingList
from ratings.queries.periods import is_in_period
from reporting.models import Report, ResultSet
from reporting.reports.selectors.parts import mark_parts
from reporting.reports.selectors.rating_lists import CountedIn

PART = ("result_set__tournament__code", "result_set__part")
"""What says of reports and manifest lines which of them are about the same games: a part of a tournament."""


def counted_result_sets(rating_list: RatingList) -> QuerySet[ResultSet]:
    """The result sets that one revision of a list counts, the newest or not. None of an opening list."""
    return ResultSet.objects.filter(manifest_lines__in=rating_list.manifest)


def lists_that_count(lines: QuerySet[PeriodReport]) -> QuerySet[RatingList]:
    """The lists whose manifest has one of these lines, in any state and revision."""
    of_list = lines.annotate(made_by=Coalesce("correction", 0)).filter(
        period=OuterRef("period"), made_by=Coalesce(OuterRef("correction"), 0)
    )
    return RatingList.objects.filter(Exists(of_list))


def unwithdrawn_lines() -> QuerySet[PeriodReport]:
    """Manifest lines of all revisions, also of those that a later one replaced; without withdrawn corrections."""
    return PeriodReport.objects.filter(correction__withdrawn_at=None)


def lines_for_pool(lines: QuerySet[PeriodReport], pool: int) -> QuerySet[PeriodReport]:
    """Of these lines, those of a pool, and of other pools those of tournaments that count in one pool only (R25)."""
    return lines.filter(Q(period__pool=pool) | Q(result_set__session=[]))


def current_manifest_lines() -> QuerySet[PeriodReport]:
    """Manifest lines that count now: without withdrawn corrections and lists that a later revision replaced."""
    revised = RatingList.objects.filter(
        period=OuterRef("period"),
        state=RatingList.State.PUBLISHED,
        correction__gt=Coalesce(OuterRef("correction"), 0),
    )
    return unwithdrawn_lines().filter(~Exists(revised))


def published_lists() -> QuerySet[Any]:
    """Published lists; `made_by` is the correction that made them, 0 for a first revision."""
    made_by = Coalesce("correction", 0)  # corrections are numbered in the order of revisions
    return RatingList.objects.filter(state=RatingList.State.PUBLISHED).annotate(made_by=made_by)


def published_lines() -> QuerySet[Any]:
    """The lines of manifests of published lists, in whatever revision, with the instant of its publication."""
    of_line = published_lists().filter(period=OuterRef("period"), made_by=OuterRef("made_by"))
    lines: QuerySet[Any] = PeriodReport.objects.annotate(made_by=Coalesce("correction", 0))
    with_instant = lines.annotate(published_at=Subquery(of_line.values("published_at")))
    return cast("QuerySet[Any]", with_instant.filter(published_at__isnull=False))


def published_result_sets() -> QuerySet[Any]:
    """What published lists count of each part of a tournament: the result set of the newest revision that counts it.

    A session once for each pool with its games (R25). `excluded_by` is the number of the first later revision that
    excludes the tournament; None while the newest revision counts it.
    """
    counted = published_lines()
    # A session has a list in each of its pools; another tournament is in one, whatever pool it was in before (R25).
    last = counted.order_by(*PART, "-published_at").distinct(*PART)
    last_of_pool = counted.order_by(*PART, "period__pool", "-published_at").distinct(*PART, "period__pool")
    later = published_lists().filter(
        period=OuterRef("manifest_lines__period"),
        made_by__gt=Coalesce(OuterRef("manifest_lines__correction"), 0),
    )
    found = ResultSet.objects.filter(
        Q(manifest_lines__in=last.values("pk"), session=[])
        | (Q(manifest_lines__in=last_of_pool.values("pk")) & ~Q(session=[]))
    )
    excluded_by = Subquery(later.order_by("revision").values("revision")[:1])
    return cast("QuerySet[Any]", found.annotate(excluded_by=excluded_by))


def counting_lines() -> QuerySet[PeriodReport]:
    """The lines of the newest manifests, those of published lists."""
    of_line = published_lists().filter(period=OuterRef("period"), made_by=OuterRef("made_by"))
    return current_manifest_lines().annotate(made_by=Coalesce("correction", 0)).filter(Exists(of_line))


def lines_of(lines: QuerySet[PeriodReport], parts: Iterable[str]) -> QuerySet[Any]:
    """Of these lines those about the same games as one of these parts of tournaments, each by its `part_code`."""
    wanted = set(parts)
    named: QuerySet[Any] = lines.annotate(
        part_code=Case(
            When(result_set__part=1, then=F("result_set__tournament__code")),
            default=Concat("result_set__tournament__code", Value(":"), Cast("result_set__part", CharField())),
        )
    )
    codes = {part.partition(":")[0] for part in wanted}
    return named.filter(result_set__tournament__code__in=codes, part_code__in=wanted)


def published_in(parts: Iterable[str]) -> dict[str, CountedIn]:
    """The parts, of those given, that a published list counts in its newest revision, by `part_code`. 1 query."""
    lines = lines_of(counting_lines(), parts)
    return {
        part: CountedIn(pool, in_force, tournament)
        for part, pool, in_force, tournament in lines.values_list(
            "part_code", "period__pool__name", "period__in_force", "result_set"
        )
    }


def periods_that_count(parts: Iterable[str]) -> dict[str, list[Period]]:
    """`part_code` → periods of those of these parts that lists count, published or not. 1 query."""
    lines = lines_of(current_manifest_lines(), parts)
    found: dict[str, list[Period]] = {}
    for line in lines.select_related("result_set", "period__pool").order_by("pk"):
        found.setdefault(line.result_set.part_code, []).append(line.period)
    return found


def counted_elsewhere(pool: int, lines: QuerySet[PeriodReport]) -> Q:
    """Reports of parts of tournaments that one of these lines counts, so that the pool's next list does not (R25).

    A line of another pool prevents that only where neither the report nor what it counts has a session, as the
    database has it (ratings/migrations/sql/manifests.sql).
    """
    of_part = lines.filter(**{name: OuterRef(name) for name in PART})
    return Q(Exists(of_part.filter(period__pool=pool))) | Q(
        Exists(of_part.filter(result_set__session=[])), result_set__session=[]
    )


def uncounted_reports(reports: QuerySet[Report]) -> QuerySet[Report]:
    """Of these reports, those whose tournament is in no manifest."""
    return reports.exclude(Exists(PeriodReport.objects.filter(result_set=OuterRef("result_set"))))


def reports_to_count(period: Period) -> list[Report]:
    """The accepted reports of the pool that no list counts yet and whose last round is before the end."""
    return _reports_of(period, Report.State.ACCEPTED, of=SHOWN)


def reports_to_exclude(period: Period) -> list[Report]:
    """Submitted reports that are not accepted, with the last round before the end: for the next list (R11)."""
    return _reports_of(period, Report.State.SUBMITTED, of=SHOWN)


def reports_not_counted(period: Period) -> list[Report]:
    """Reports that the list of a frozen period does not count although their last round is before its end.

    Submitted, returned, being edited, or accepted after the freeze: they count in the next list (R11). 1 query.
    """
    return _reports_of(
        period, Report.State.SUBMITTED, Report.State.RETURNED, Report.State.DRAFT, Report.State.ACCEPTED
    )


SHOWN = ("accepted_version", "submitted_by")
"""What a page shows of a report besides its rounds."""


def _reports_of(period: Period, *states: str, of: Sequence[str] = ()) -> list[Report]:
    """Submitted reports of the pool in these states; of each part of a tournament the last, without those counted.

    The next list does not count what a revision excluded, but a corrected report of it.
    """
    once = lines_for_pool(unwithdrawn_lines(), period.pool_id).filter(result_set=OuterRef("result_set"))
    reports = Report.objects.filter(
        state__in=states, result_set__isnull=False, first_submitted_at__isnull=False
    ).exclude(counted_elsewhere(period.pool_id, current_manifest_lines()))
    found = [
        report
        for report in _last_of_each_part(reports, of).annotate(counted_once=Exists(once))
        if report.result_set and not report.counted_once and is_in_period(report.result_set, period)
    ]
    return sorted(found, key=lambda report: report.result_set_id or 0)


def _last_of_each_part(reports: "QuerySet[Report]", of: Sequence[str]) -> "QuerySet[Report]":
    """The last revision of each part of a tournament, with its rounds and what else is asked `of` its report."""
    heavy = ("content", "reading", "sidecar", "findings") if "accepted_version" in of else ()
    return (
        reports.select_related("result_set", *of)
        .defer(*(f"accepted_version__{name}" for name in heavy))
        .order_by(*PART, "-result_set__revision")
        .distinct(*PART)
    )


def reports_to_include(rating_list: RatingList) -> list[Report]:
    """Accepted reports that a revision of the list can include: corrected ones, and those no list counts now."""
    assert rating_list.period is not None  # noqa: S101 (an opening list has no reports)
    counted = set(rating_list.manifest.values_list("result_set_id", flat=True))
    others = current_manifest_lines().exclude(period=rating_list.period)
    waiting = Report.objects.filter(state=Report.State.ACCEPTED).exclude(
        counted_elsewhere(rating_list.pool_id, others)
    )
    found = [
        report
        for report in _last_of_each_part(waiting, SHOWN)
        if report.result_set is not None
        and report.result_set_id not in counted
        and is_in_period(report.result_set, rating_list.period)
    ]
    mark_parts(report.result_set for report in found if report.result_set is not None)
    return found


def inputs_of_next_list(period: Period, reports: Sequence[Report] | None = None) -> CalculationInputs:
    """The inputs of a period's list if it were calculated now, frozen or not. 8 to 12 queries.

    `reports` are those that a freeze would count, where the caller has read them already.
    """
    if period.state == Period.State.FROZEN:
        return inputs_of_period(period, None)
    counted = reports_to_count(period) if reports is None else reports
    return inputs_if_frozen(period, sorted(report.result_set_id or 0 for report in counted))
