"""What people are told of periods and lists, in the transaction of the act."""

from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from ratings.models import Period, RatingList
from ratings.office.selectors.periods import day_of_list, periods_that_count, pool_of
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import next_period, period_of
from reporting.messages.notifications import (
    CountingList,
    counting_list_asked,
    create_message,
    format_day,
    received_date,
    report_path,
)
from reporting.models import Message, Report, Role, Tournament, User
from reporting.regulations import report_due

WHAT_COMES_NEXT = {
    Report.State.SUBMITTED: " Nothing is lost, and you need not send it again.",
    Report.State.RETURNED: " It waits for your answer to the remarks of the office.",
    Report.State.DRAFT: " It waits for you to hand it in again.",
}


@receiver(counting_list_asked)
def counting_list(tournament: Tournament, **_: Any) -> CountingList:
    """The list that a tournament accepted now will count in.

    A corrected report of a tournament that a published list counts is for the next revision of that list.
    """
    counted = periods_that_count([tournament.code]).get(tournament.code)
    if counted is not None:
        return CountingList(counted.pool.name, counted.in_force, revision=True)
    pool = pool_of(tournament)
    return CountingList(pool.name, day_of_list(tournament, pool))


def notify_next_list(period: Period) -> None:
    """Tell the submitters of the period's reports that were not accepted before its freeze where they count now.

    A correction of a report that the freeze took counts in the next revision of this list; to one of an earlier list
    the freeze changes nothing, and it is told nothing.
    """
    calendar = period_of(edition_in_force(period.in_force), period.closing)
    this = CountingList(period.pool.name, period.in_force, revision=True)
    following = CountingList(
        period.pool.name, next_period(edition_in_force(period.in_force), calendar).in_force
    )
    frozen = f"The period that closed on {format_day(period.closing)} was frozen before your"
    waiting = Report.objects.filter(
        state__in=[Report.State.SUBMITTED, Report.State.RETURNED, Report.State.DRAFT],
        first_submitted_at__isnull=False,
        tournament__played_to__gte=timezone.localdate(period.played_since),
        tournament__played_to__lte=period.closing,
    ).select_related("tournament", "submitted_by", "corrects")
    counted = periods_that_count(report.corrects.code for report in waiting if report.corrects)
    for report in waiting.order_by("pk"):
        tournament = report.tournament
        assert tournament is not None  # noqa: S101 (the database holds it of every submitted report)
        revised = counted.get(report.corrects.code) if report.corrects else None
        if report.submitted_by.acts_by_command:
            continue
        if revised == period:
            title = f"In the next revision: {tournament.name}"
            text = (
                f"{frozen} correction of {tournament.name} was accepted: its list counts the report accepted before."
                f" Once the office has accepted your correction, it counts in {this}."
            )
        elif revised is None and pool_of(tournament) == period.pool:
            title = f"In the next list: {tournament.name}"
            text = f"{frozen} report of {tournament.name} was accepted; " + (
                f"you sent it in time. Once the office has accepted it, it counts in {following}."
                if report.corrects or received_date(report) <= report_due(tournament.played_to)
                else f"it came late. If the rating officer admits it, it counts in {following}."
            )
        else:
            continue
        create_message(
            kind=Message.Kind.REPORT_NEXT_LIST,
            recipient=report.submitted_by,
            about=report_path(report),
            title=title,
            text=text + WHAT_COMES_NEXT[Report.State(report.state)],
        )


def notify_list_published(rating_list: RatingList) -> None:
    """Tell the rating officers, and whoever had a report in the list, that it is published."""
    officers = User.objects.holding(Role.RATING_OFFICER)
    reporters = User.objects.filter(
        reports__versions__manifest_lines__period__isnull=False,
        reports__versions__manifest_lines__period=rating_list.period_id,
        reports__versions__manifest_lines__correction=rating_list.correction_id,
    )
    people = {user.pk: user for user in (*officers, *reporters)}
    revision = f", revision {rating_list.revision}" if rating_list.revision > 1 else ""
    name = f"{rating_list.pool.name}, {format_day(rating_list.in_force)}{revision}"
    for _, user in sorted(people.items()):
        create_message(
            kind=Message.Kind.LIST_PUBLISHED,
            recipient=user,
            about=f"/lists/{rating_list.address}/r{rating_list.revision}/",
            title=f"Published: {name}",
            text=f"The list {name} is published: {rating_list.tournaments} tournaments, {rating_list.games} games,"
            f" {rating_list.players} players. It comes into force on {format_day(rating_list.in_force)}. It is not"
            " changed any more; a revision corrects a mistake.",
        )
