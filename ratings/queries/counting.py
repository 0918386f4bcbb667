"""In which list a report counts: a published one, a draft, a revision to come, or the next list."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from ratings.models import PeriodReport, Pool, RatingList
from ratings.queries.counted_results import (
    current_manifest_lines,
    lines_of,
    periods_that_count,
    unwithdrawn_lines,
)
from ratings.queries.lists import published
from ratings.queries.periods import counting_periods, pools_of
from reporting.models import Report, ResultSet
from reporting.reports.selectors.rating_lists import ComingList


class CountingState(TextChoices):
    """How an accepted report counts in its list; the label is followed by the list."""

    PUBLISHED = "published", _("Counted in")
    EXCLUDED = "excluded", _("Was counted in")
    REPLACED = "replaced", _("Was counted in")
    IN_DRAFT = "in_draft", _("Counts in")
    CORRECTED = "corrected", _("Replaced by")
    NEXT_REVISION = "next_revision", _("Counts in")
    NEXT_LIST = "next_list", _("Counts in")


@dataclass(frozen=True)
class ListOfReport:
    """The list of a report: its pool and the day from which it is in force; None where it is not chosen yet.

    `rating_list` is the newest published revision that counts it, or of which it waits for the next one; `since` is the
    first revision after it that excludes it or counts a corrected report instead. Both are None where there is none.
    `others` are the lists of the other pools of a session (R25). `correction` is the accepted report that counts
    instead of one that no list has counted.
    """

    counts: CountingState
    pool: Pool
    in_force: date | None
    rating_list: RatingList | None = None
    since: RatingList | None = None
    others: Sequence["ListOfReport"] = ()
    correction: Report | None = None

    @property
    def every(self) -> Sequence["ListOfReport"]:
        """This list and the others."""
        return (self, *self.others)


def list_of_report(report: Report) -> ListOfReport | None:
    """In which list a report counts, or would count if it were accepted now; None before its submission.

    A report in the manifest of a freeze or a correction counts in that list, published or not. A report that corrects
    a counted one waits for a revision of its list. An accepted report that no list counts is replaced by an accepted
    correction. All others count in the next list that is not closed (R10, R11).

    A session has a list for each of its pools. 1 to 6 queries; of a session 1 to 4 more for each pool.
    """
    tournament = report.result_set
    if tournament is None:
        return None
    pools = pools_of(tournament) if tournament.session else [None]
    first, *others = [_list_in_pool(report, tournament, pool) for pool in pools]
    return replace(first, others=others)


def _list_in_pool(report: Report, tournament: ResultSet, pool: Pool | None) -> ListOfReport:
    """The list of a report in one of its pools; None: it has only one."""
    of_pool = {} if pool is None else {"period__pool": pool}
    lines = list(
        unwithdrawn_lines()
        .filter(result_set=tournament, **of_pool)
        .select_related("period__pool")
        .order_by("pk")
    )
    if lines and report.state == Report.State.ACCEPTED:
        return _list_of_manifest(lines, tournament)
    corrected = (
        lines_of(current_manifest_lines(), [tournament.part_code])
        .filter(**of_pool)
        .select_related("period__pool")
        .first()
        if report.corrects_id is not None
        else None
    )
    if corrected is not None:
        newest = published().filter(period=corrected.period).order_by("-revision").first()
        return ListOfReport(
            CountingState.NEXT_REVISION, corrected.period.pool, corrected.period.in_force, newest
        )
    following = next(
        found for found in counting_periods([tournament])[tournament.pk] if pool in (None, found.pool)
    )
    in_force = following.period.in_force if following.period else None
    correction = (
        Report.objects.filter(
            state=Report.State.ACCEPTED,
            result_set__tournament__code=tournament.code,
            result_set__part=tournament.part,
            result_set__revision__gt=tournament.revision,
        )
        .order_by("-result_set__revision")
        .first()
        if report.state == Report.State.ACCEPTED
        else None
    )
    how = CountingState.CORRECTED if correction else CountingState.NEXT_LIST
    return ListOfReport(how, following.pool, in_force, correction=correction)


def coming_lists(reports: Sequence[Report]) -> dict[int, ComingList]:
    """Key of a submitted report → the list in which it would count, or of which it waits for a revision.

    4 queries, 1 more where a pool has no calendar.
    """
    counting = counting_periods(report.result_set for report in reports if report.result_set)
    revised = periods_that_count(report.corrected_part for report in reports if report.corrects_id)
    found = {}
    for report in reports:
        if report.corrects_id and (periods := revised.get(report.corrected_part)):
            found[report.pk] = ComingList(
                [period.pool.name for period in periods],
                periods[0].pool.code,
                periods[0].in_force,
                is_revision=True,
            )
        elif report.result_set:
            lists = counting[report.result_set.pk]
            days = lists[0].period
            found[report.pk] = ComingList(
                [one.pool.name for one in lists],
                lists[0].pool.code,
                days.in_force if days else None,
                days.freezes_on if days else None,
            )
    return found


def _list_of_manifest(lines: list[PeriodReport], tournament: ResultSet) -> ListOfReport:
    """The list of a report by its lines in manifests."""
    period = lines[-1].period
    taken = {line.correction_id for line in lines if line.period_id == period.pk}
    revisions = list(published().filter(period=period).order_by("revision"))
    counting = [revision for revision in revisions if revision.correction_id in taken]
    if not counting:
        return ListOfReport(CountingState.IN_DRAFT, period.pool, period.in_force)
    after = next((later for later in revisions if later.revision > counting[-1].revision), None)
    if after is None:
        return ListOfReport(CountingState.PUBLISHED, period.pool, period.in_force, counting[-1])
    replaced = lines_of(after.manifest, [tournament.part_code]).exists()
    how = CountingState.REPLACED if replaced else CountingState.EXCLUDED
    return ListOfReport(how, period.pool, period.in_force, counting[-1], after)
