"""The status of a period: its tournaments announced, received, accepted, late, excluded; now, or at its freeze.

An open period shows what a freeze would count: both use `reports_to_count`. A frozen period is read from its manifest,
and what is not in it from the log up to the freeze, so that it never changes. Only the list in which a report counts
instead is that of today.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from ratings.models import Period
from ratings.office.selectors.periods_in_work import (
    CLOSED,
    PENDING,
    ExclusionReason,
    OtherList,
    PeriodStatus,
    TournamentStage,
    TournamentStatus,
)
from ratings.queries.counted_results import (
    current_manifest_lines,
    lines_for_pool,
    lines_of,
    reports_to_count,
    unwithdrawn_lines,
)
from ratings.queries.lists import published
from ratings.queries.periods import counting_period, counting_periods, is_in_pool
from reporting.models import LogEntry, Report, Tournament, own_relations
from reporting.reports.selectors.parts import mark_parts
from reporting.rules.details.time_control import TimeControlError, parse_time_control

REASON_OF_STATE: Mapping[str, ExclusionReason] = {
    Report.State.SUBMITTED: ExclusionReason.OFFICE,
    Report.State.RETURNED: ExclusionReason.RETURNED,
    Report.State.DRAFT: ExclusionReason.BEING_EDITED,
    Report.State.ACCEPTED: ExclusionReason.REPLACED,  # accepted but not counted: another report is
    Report.State.REJECTED: ExclusionReason.REJECTED,
    Report.State.WITHDRAWN: ExclusionReason.WITHDRAWN,
}


def period_status_of(period: Period) -> PeriodStatus:
    """The status of a period now, or at its freeze. 6 to 16 queries, whatever its size."""
    lines = _open_lines(period) if period.state == Period.State.OPEN else _frozen_lines(period)
    mark_parts(line.report.submitted_result_set for line in lines if line.report)
    order = {stage: place for place, stage in enumerate(TournamentStage)}
    return PeriodStatus(
        sorted(
            lines,
            key=lambda line: (
                order[line.stage],
                line.tournament.counting_day,
                line.tournament.name.casefold(),
            ),
        )
    )


def played_since(period: Period) -> date:
    return timezone.localdate(period.played_since, timezone.get_default_timezone())


# --- an open period


def _open_lines(period: Period) -> list[TournamentStatus]:
    counted = reports_to_count(period)
    others = list(_submitted(period).exclude(pk__in=[report.pk for report in counted]))
    acts = _last_acts([*counted, *others])
    corrected = _lists_of_parts(others)
    lines = [_line(report, ExclusionReason.COUNTED, acts) for report in counted]
    for report in others:
        tournament = report.submitted_result_set
        reason = _reason(report, REASON_OF_STATE[report.state], period, corrected)
        if reason is None:
            continue
        line = _line(report, reason, acts)
        if reason in PENDING or reason is ExclusionReason.AFTER_CLOSING:
            later = counting_period(period.pool, tournament, period.in_force)
            line = replace(line, other_list=OtherList(later.in_force if later else None))
        elif reason is ExclusionReason.CORRECTS:
            line = replace(line, other_list=OtherList(corrected[tournament.part_code]))
        lines.append(line)
    announced = _announced(period).filter(~Exists(_received()), withdrawn_at=None)
    return lines + [
        TournamentStatus(TournamentStage.ANNOUNCED, ExclusionReason.NOT_RECEIVED, announcement)
        for announcement in announced
        if _is_announced_for(announcement, period)
    ]


# --- a period that is frozen


def _frozen_lines(period: Period) -> list[TournamentStatus]:
    """The state at the freeze, and reports received after it, so that the page shows them too."""
    freeze = LogEntry.objects.filter(
        action="period.freeze", subject=f"period {period.pool} {period.in_force}"
    ).latest("pk")
    counted = list(
        Report.objects.filter(
            accepted_version__manifest_lines__in=period.manifest.filter(correction=None)
        ).select_related("result_set", "submitted_by")
    )
    others = list(_submitted(period).exclude(pk__in=[report.pk for report in counted]))
    acts = _last_acts([*counted, *others], before=freeze.pk)
    corrected = _lists_of_parts(others, up_to=period)
    lines = [_line(report, ExclusionReason.COUNTED, acts) for report in counted]
    for report in others:
        reason = _reason(report, _state_at_freeze(report, period, acts), period, corrected)
        if reason is not None:
            lines.append(
                replace(
                    _line(report, reason, {} if reason is ExclusionReason.AFTER_FREEZE else acts),
                    stage=TournamentStage.EXCLUDED,
                )
            )
    announced = {
        announcement.pk: announcement
        for announcement in _announced(period).filter(
            ~Exists(_received().filter(first_submitted_at__lte=period.frozen_at)),
            Q(withdrawn_at=None) | Q(withdrawn_at__gt=period.frozen_at),
            created_at__lte=period.frozen_at,
        )
        if _is_announced_for(announcement, period)
    }
    return _with_other_lists(period, _joined_with_announcements(lines, announced))


def _state_at_freeze(report: Report, period: Period, acts: Mapping[str, LogEntry]) -> ExclusionReason:
    act = acts.get(f"report {report.pk}")
    reason = REASON_OF_STATE[act.after["state"]] if act else ExclusionReason.AFTER_FREEZE
    if reason is ExclusionReason.BEING_EDITED:  # a draft: returned and being edited, or not submitted before
        assert report.first_submitted_at is not None  # noqa: S101 (required by _submitted)
        assert period.frozen_at is not None  # noqa: S101 (the database ensures it for every frozen period)
        reason = (
            ExclusionReason.BEING_EDITED
            if report.first_submitted_at <= period.frozen_at
            else ExclusionReason.AFTER_FREEZE
        )
    return reason


def _joined_with_announcements(
    lines: Sequence[TournamentStatus], announced: Mapping[int, Tournament]
) -> list[TournamentStatus]:
    """A report received after the freeze, of a tournament announced before it, is shown with the announcement."""
    received = {
        line.report.announcement_id: line
        for line in lines
        if line.report and line.reason is ExclusionReason.AFTER_FREEZE
    }
    joined = [received[number].report for number in announced.keys() & received.keys()]
    found = [line for line in lines if line.report is None or line.report not in joined]
    for number, announcement in announced.items():
        line = TournamentStatus(TournamentStage.ANNOUNCED, ExclusionReason.NOT_RECEIVED, announcement)
        if number in received:
            line = replace(line, report=received[number].report, received=received[number].received)
        found.append(line)
    return found


def _with_other_lists(period: Period, lines: Sequence[TournamentStatus]) -> list[TournamentStatus]:
    """The list in which each tournament counts today, or the revision that no longer counts its report.

    1 to 6 queries.
    """
    reports = [line.report for line in lines if line.report is not None]
    counting = {
        line["result_set"]: OtherList(line["period__in_force"], counted=True, revision=line["revision"])
        for line in lines_for_pool(current_manifest_lines(), period.pool_id)
        .filter(result_set__in=[report.result_set_id for report in reports])
        .values("result_set", "period__in_force", revision=F("correction__replaces__revision") + 1)
    }
    replaced = {
        line.report.result_set_id: line.report.submitted_result_set.part_code
        for line in lines
        if line.report is not None and line.is_counted and line.report.result_set_id not in counting
    }
    newest = published().filter(period=period).order_by("-revision").first() if replaced else None
    revised = lines_of(newest.manifest, replaced.values()) if newest else ()
    corrected = {line.part_code for line in revised}
    waiting = [
        line.report.submitted_result_set
        for line in lines
        if line.report is not None
        and not line.is_counted
        and line.reason not in {ExclusionReason.REPLACED, ExclusionReason.CORRECTS}
        and REASON_OF_STATE[line.report.state] not in CLOSED
        and line.report.result_set_id not in counting
    ]
    lists = counting_periods(waiting) if waiting else {}
    found = []
    for line in lines:
        number = line.report.result_set_id if line.report else None
        other_list = counting.get(number) if number else None
        if line.is_counted:
            other_list = (
                OtherList(period.in_force, replaced[number] in corrected, newest.revision)
                if newest and number in replaced
                else None
            )
        elif other_list is None and number in lists:
            later = next(one for one in lists[number] if one.pool.pk == period.pool_id).period
            other_list = OtherList(later.in_force if later else None)
        found.append(replace(line, other_list=other_list, at_freeze=True))
    return found


# --- read by both


def _submitted(period: Period) -> QuerySet[Report]:
    """Submitted reports of the pool that no earlier list counts, in any state. 1 query."""
    earlier = lines_for_pool(unwithdrawn_lines(), period.pool_id).filter(
        result_set=OuterRef("result_set"), period__in_force__lt=period.in_force
    )
    own_result_sets = [f"result_set__{relation}" for relation in own_relations()]
    return (
        Report.objects.filter(
            ~Exists(earlier),
            result_set__discipline=period.pool.discipline,
            first_submitted_at__isnull=False,
        )
        .filter(
            Q(result_set__counting_day__gte=played_since(period))
            | ~Q(state__in=[Report.State.REJECTED, Report.State.WITHDRAWN])
        )
        .select_related("result_set", "submitted_by", *own_result_sets)
        .order_by("pk")
    )


def _reason(
    report: Report, reason: ExclusionReason, period: Period, corrected: Mapping[str, date]
) -> ExclusionReason | None:
    """Why the list does not count a report; None where the report does not belong to the period.

    A report rejected, withdrawn or submitted after the freeze belongs to it if it counts by a day of the period; one
    submitted after the freeze whose results have to be registered, also if they were reported in the period.
    """
    tournament = report.submitted_result_set
    if not is_in_pool(tournament.rating_system, tournament.discipline, tournament.seconds_of_games, period):
        return None
    if reason not in CLOSED and report.corrects_id is not None and tournament.part_code in corrected:
        return ExclusionReason.CORRECTS
    days = [tournament.counting_day]
    if reason is ExclusionReason.AFTER_FREEZE and report.registered is not None:
        days.append(report.received)  # in time for this list, even if it was registered too late for it
    in_period = any(played_since(period) <= day <= period.closing for day in days)
    if reason in CLOSED or reason is ExclusionReason.AFTER_FREEZE:
        return reason if in_period else None
    return ExclusionReason.AFTER_CLOSING if tournament.counting_day > period.closing else reason


def _line(report: Report, reason: ExclusionReason, acts: Mapping[str, LogEntry]) -> TournamentStatus:
    act = acts.get(f"report {report.pk}")
    if reason is ExclusionReason.OFFICE and act is not None and act.action == "report.undo_acceptance":
        reason = ExclusionReason.ACCEPTANCE_UNDONE
    received = report.received
    line = TournamentStatus(
        TournamentStage.EXCLUDED,
        reason,
        report.submitted_result_set,
        report,
        received,
        registered=None if reason is ExclusionReason.COUNTED else report.registered,
        since=act.at if act else report.first_submitted_at,
        by=act.actor.name if act else "",
    )
    if reason is ExclusionReason.COUNTED or reason in PENDING:
        in_time = TournamentStage.ACCEPTED if reason is ExclusionReason.COUNTED else TournamentStage.RECEIVED
        return replace(line, stage=TournamentStage.LATE if line.days_late > 0 else in_time)
    return line


def _last_acts(reports: Iterable[Report], *, before: int | None = None) -> dict[str, LogEntry]:
    """The last act that gave each report its state, by the report as the log names it. 1 query.

    `before` is the number of the freeze's own entry. Numbers are assigned under the closing lock, so lower numbers are
    acts before the freeze.
    """
    entries = LogEntry.objects.filter(
        subject__in=[f"report {report.pk}" for report in reports], after__has_key="state"
    )
    if before is not None:
        entries = entries.filter(pk__lt=before)
    newest = entries.select_related("actor").order_by("subject", "-pk").distinct("subject")
    return {entry.subject: entry for entry in newest}


def _lists_of_parts(reports: Iterable[Report], *, up_to: Period | None = None) -> dict[str, date]:
    """What a list counts of these reports by another report: `part_code` → day of that list. 1 query."""
    counting = lines_of(
        current_manifest_lines(), {report.submitted_result_set.part_code for report in reports}
    )
    if up_to is not None:
        counting = counting.filter(period__in_force__lte=up_to.in_force)
    return dict(counting.values_list("part_code", "period__in_force"))


def _announced(period: Period) -> QuerySet[Tournament]:
    return (
        Tournament.objects.announced()
        .filter(discipline=period.pool.discipline)
        .select_related("announced_by")
        .order_by("played_to", "pk")
    )


def _received() -> QuerySet[Report]:
    """The report of an announcement that was submitted and not withdrawn."""
    return Report.objects.filter(announcement=OuterRef("pk"), first_submitted_at__isnull=False).exclude(
        state=Report.State.WITHDRAWN
    )


def _is_announced_for(announcement: Tournament, period: Period) -> bool:
    seconds = None
    if announcement.time_control:
        try:
            seconds = parse_time_control(announcement.time_control).seconds_for_60_moves
        except TimeControlError:
            return False
    return announcement.counting_day <= period.closing and is_in_pool(
        announcement.rating_system, announcement.discipline, [seconds], period
    )
