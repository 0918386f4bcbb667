"""What people are told of periods and lists, in the transaction of the act."""

from django.utils import timezone

from ratings.models import Period, RatingList
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import next_period, period_of
from ratings.selectors.periods import day_of_list, lines_that_count, pool_of
from reporting.models import Message, Report, Role, Tournament, User
from reporting.regulations import report_due
from reporting.services.notify import CountingList, came_on, day_words, notify, report_address


def list_that_counts(tournament: Tournament) -> CountingList:
    """The list that a tournament accepted now will count in (settings.LIST_THAT_COUNTS).

    A corrected report of a tournament that a published list counts is for the next revision of that list.
    """
    counted = (
        lines_that_count().filter(tournament__code=tournament.code).select_related("period__pool").first()
    )
    if counted is not None:
        return CountingList(counted.period.pool.name, counted.period.in_force, revision=True)
    pool = pool_of(tournament)
    return CountingList(pool.name, day_of_list(tournament, pool))


def tell_next_list(period: Period) -> None:
    """Tell the submitters of the period's reports that were not accepted before its freeze where they count now."""
    calendar = period_of(edition_in_force(period.in_force), period.closing)
    following = CountingList(
        period.pool.name, next_period(edition_in_force(period.in_force), calendar).in_force
    )
    waiting = Report.objects.filter(
        state__in=[Report.State.SUBMITTED, Report.State.RETURNED, Report.State.DRAFT],
        first_submitted_at__isnull=False,
        tournament__played_to__gte=timezone.localdate(period.played_since),
        tournament__played_to__lte=period.closing,
    )
    for report in waiting.select_related("tournament", "submitted_by").order_by("pk"):
        tournament = report.tournament
        assert tournament is not None  # noqa: S101 (the database holds it of every submitted report)
        if report.submitted_by.acts_by_command or pool_of(tournament) != period.pool:
            continue
        in_time = came_on(report) <= report_due(tournament.played_to)
        notify(
            kind=Message.Kind.REPORT_NEXT_LIST,
            recipient=report.submitted_by,
            about=report_address(report),
            title=f"In the next list: {tournament.name}",
            text=f"The period that closed on {day_words(period.closing)} was frozen before your report of"
            f" {tournament.name} was accepted; "
            + (
                f"you sent it in time. Once the office has accepted it, it counts in {following}."
                if in_time
                else f"it came late. If the rating officer admits it, it counts in {following}."
            )
            + (
                " Nothing is lost, and you need not send it again."
                if report.state == Report.State.SUBMITTED
                else " It waits for your answer to the remarks of the office."
                if report.state == Report.State.RETURNED
                else " It waits for you to hand it in again."
            ),
        )


def tell_published(rating_list: RatingList) -> None:
    """Tell the rating officers, and whoever had a report in the list, that it is published."""
    officers = User.objects.holding(Role.RATING_OFFICER)
    reporters = User.objects.filter(
        reports__versions__manifest_lines__period__isnull=False,
        reports__versions__manifest_lines__period=rating_list.period_id,
        reports__versions__manifest_lines__correction=rating_list.correction_id,
    )
    people = {user.pk: user for user in (*officers, *reporters)}
    revision = f", revision {rating_list.revision}" if rating_list.revision > 1 else ""
    name = f"{rating_list.pool.name}, {day_words(rating_list.in_force)}{revision}"
    for _, user in sorted(people.items()):
        notify(
            kind=Message.Kind.LIST_PUBLISHED,
            recipient=user,
            about=f"/lists/{rating_list.address}/r{rating_list.revision}/",
            title=f"Published: {name}",
            text=f"The list {name} is published: {rating_list.tournaments} tournaments, {rating_list.games} games,"
            f" {rating_list.players} players. It is in force from {day_words(rating_list.in_force)}. It will not change"
            " any more; a mistake is corrected in a revision of its own.",
        )
