"""Messages about periods and lists, written in the transaction of the action."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from ratings.models import Period, RatingList, Webhook
from ratings.queries.counted_results import periods_that_count
from ratings.queries.periods import day_of_list, pools_of
from reporting.messages.notifications import (
    MAX_LINES_IN_MESSAGE,
    CountingList,
    counting_list_asked,
    create_message,
    format_day,
    office_language,
    report_path,
)
from reporting.models import Report, ResultSet, Role, Tournament, User

# The kinds of these messages (ratings/office/labels.py).
REPORT_NEXT_LIST, LIST_PUBLISHED, PERIOD_CLOSES = "report_next_list", "list_published", "period_closes"
LISTS_SIGNED, PUBLISHED_DIFFERS = "lists_signed", "published_differs"
WEBHOOK_ENDED = "webhook_ended"


@receiver(counting_list_asked)
def counting_lists(tournament: ResultSet, **_: Any) -> list[CountingList]:
    """The lists that a tournament accepted now will count in, one a pool.

    A corrected report of a tournament that a published list counts is for the next revision of that list.
    """
    counted = periods_that_count([tournament.part_code]).get(tournament.part_code)
    if counted:
        return [CountingList(period.pool.name, period.in_force, revision=True) for period in counted]
    return [CountingList(pool.name, day_of_list(tournament, pool)) for pool in pools_of(tournament)]


@office_language()
def notify_next_list(period: Period) -> None:
    """Tell the submitters of reports that were not accepted before the freeze of the period where they count now.

    A correction of a report that the freeze took counts in the next revision of this list. The freeze changes nothing
    for the correction of a report of an earlier list: its submitter gets no message.
    """
    calendar = period.pool.rating_system.calendar
    next_list = calendar and calendar.next_period(calendar.period_of(period.closing))
    waiting = Report.objects.filter(
        state__in=[Report.State.SUBMITTED, Report.State.RETURNED, Report.State.DRAFT],
        first_submitted_at__isnull=False,
        result_set__counting_day__gte=timezone.localdate(period.played_since),
        result_set__counting_day__lte=period.closing,
    ).select_related("result_set", "submitted_by")
    counted = periods_that_count(report.corrected_part for report in waiting if report.corrects_id)
    for report in waiting.order_by("pk"):
        tournament = report.submitted_result_set
        revised = counted.get(report.corrected_part) if report.corrects_id else None
        if report.submitted_by.acts_by_command:
            continue
        values = {
            "tournament": tournament.name,
            "closing": format_day(period.closing),
            "pool": period.pool.name,
            "this": format_day(period.in_force),
            "next": format_day(next_list.in_force) if next_list else "",
        }
        if revised and period in revised:
            title = gettext("In the next revision: %(tournament)s") % values
            sentences = [
                gettext(
                    "The period that closed on %(closing)s was frozen before your correction of %(tournament)s was"
                    " accepted. Its list counts the report accepted before."
                )
                % values,
                gettext(
                    "Once the office has accepted your correction, it counts in the next revision of the list of"
                    " %(this)s (%(pool)s)."
                )
                % values,
            ]
        elif revised is None and period.pool in pools_of(tournament):
            title = gettext("In the next list: %(tournament)s") % values
            in_time = bool(report.corrects_id) or report.days_late <= 0
            sentences = [
                gettext(
                    "The period that closed on %(closing)s was frozen before your report of %(tournament)s was"
                    " accepted."
                )
                % values,
                _counts_next(in_time=in_time, has_day=next_list is not None) % values,
            ]
        else:
            continue
        create_message(
            kind=REPORT_NEXT_LIST,
            recipient=report.submitted_by,
            about=report_path(report),
            title=title,
            text=" ".join([*sentences, _next_step(report)]),
        )


@office_language()
def notify_closing(closing: date, about: str, announcements: Sequence[Tournament], official: User) -> None:
    """Tell a national official that a period closes soon, with the announced tournaments that it waits for."""
    tournaments = [
        f"- {announcement.name}, {format_day(announcement.played_from)} – {format_day(announcement.played_to)}"
        for announcement in announcements
    ]
    create_message(
        kind=PERIOD_CLOSES,
        recipient=official,
        about=about,
        title=gettext("Closing date: %(day)s") % {"day": format_day(closing)},
        text="\n\n".join(
            [
                gettext("The rating period closes on %(day)s.") % {"day": format_day(closing)}
                + " "
                + gettext("These announced tournaments of your federation end in it and have no report yet:"),
                "\n".join(tournaments),
                gettext(
                    "A report counts in the list of this period if the office accepts it before the freeze. If a"
                    " tournament is not played, withdraw its announcement."
                ),
            ]
        ),
    )


def closing_path(closing: date, days: int) -> str:
    """The announced tournaments without a report; closing date and days before it make one message of one stage."""
    return f"/reports/?closing={closing.isoformat()}&days={days}#announced"


@office_language()
def notify_list_published(rating_list: RatingList) -> None:
    """Tell the rating officers, the submitters of the reports in the list, and national officials that it is published.

    National officials whose federation has players with games of its period get the new ratings of these players, and
    those whose reports a revision counts otherwise than the list it replaces are told how.
    """
    officers = User.objects.holding(Role.RATING_OFFICER)
    changes = _changes_by_federation(rating_list)
    officials = User.objects.holding(Role.NATIONAL_OFFICIAL).filter(federation__in=changes)
    reporters = User.objects.filter(
        reports__versions__manifest_lines__in=rating_list.manifest,
    )
    revised = _revised_reports(rating_list)
    recipients = {user.pk: user for user in (*officers, *reporters, *officials, *revised)}
    day = format_day(rating_list.in_force)
    name = f"{rating_list.pool.name}, {day}"
    if rating_list.revision > 1:
        name = gettext("%(list)s, revision %(number)s") % {"list": name, "number": rating_list.revision}
    values = {
        "list": name,
        "day": day,
        "tournaments": rating_list.tournaments,
        "games": rating_list.games,
        "players": rating_list.players,
    }
    sentences = [
        gettext("The list %(list)s is published.") % values,
        gettext("Tournaments: %(tournaments)s. Games: %(games)s. Players: %(players)s.") % values,
        gettext("It comes into force on %(day)s.") % values,
        gettext("It does not change any more. A mistake is corrected in a revision."),
    ]
    of_official = {user.pk: changes[user.federation_id or ""] for user in officials}
    for _, user in sorted(recipients.items()):
        create_message(
            kind=LIST_PUBLISHED,
            recipient=user,
            about=f"/lists/{rating_list.address}/r{rating_list.revision}/",
            title=gettext("Published: %(list)s") % values,
            text="\n\n".join([" ".join(sentences), *revised.get(user, ()), *of_official.get(user.pk, ())]),
        )


def _revised_reports(rating_list: RatingList) -> dict[User, list[str]]:
    """Submitter → a sentence for each own report that a revision counts and the list it replaces did not, or reversed.

    3 queries, none for a list that is no revision.
    """
    if rating_list.correction is None:
        return {}
    before, now = (
        set(counted.manifest.values_list("result_set", flat=True))
        for counted in (rating_list.replaced, rating_list)
    )
    changed = list(
        Report.objects.filter(result_set__in=before ^ now, state=Report.State.ACCEPTED)
        .select_related("result_set", "submitted_by")
        .order_by("pk")
    )
    counted = {report.submitted_result_set.part_code for report in changed if report.result_set_id in now}
    found: defaultdict[User, list[str]] = defaultdict(list)
    for report in changed:
        if report.result_set_id in now:
            sentence = gettext("Revision %(number)s counts your report of %(tournament)s.")
        elif report.submitted_result_set.part_code in counted:
            sentence = gettext(
                "Revision %(number)s counts another report of %(tournament)s instead of yours."
            )
        else:
            sentence = gettext("Revision %(number)s does not count your report of %(tournament)s any more.")
        values = {"tournament": report.submitted_result_set.name, "number": rating_list.revision}
        found[report.submitted_by].append(sentence % values)
    return found


@office_language()
def notify_signed(lists: Sequence[str], number: int, sha256: str) -> None:
    """Tell the officers which lists were signed, and the new end of the signed history.

    A list that none of them published is seen, and a message that was sent stays as it is.
    """
    text = "\n\n".join(
        [
            gettext("These lists were signed:"),
            _lines(lists),
            gettext(
                "The signed history ends with statement %(number)s, whose SHA-256 is %(sha256)s. Keep this message: it"
                " shows later that nothing before it was changed. If you do not know of this publication, tell an"
                " administrator."
            )
            % {"number": number, "sha256": sha256},
        ]
    )
    for user in User.objects.holding(Role.RATING_OFFICER, Role.RELEASING_OFFICER):
        create_message(
            kind=LISTS_SIGNED,
            recipient=user,
            about=f"/lists/{lists[-1]}/",
            title=gettext("Lists signed: %(count)s") % {"count": len(lists)},
            text=text,
        )


@office_language()
def notify_differences(differences: Sequence[str]) -> None:
    """Tell administrators and rating officers what the verification of published data found, once a day."""
    found = gettext("The verification compared all published lists, and found differences (%(number)s):")
    text = "\n\n".join(
        [
            found % {"number": len(differences)},
            _lines(differences),
            gettext("How to find which side is right is in docs/how-to/verify.md."),
        ]
    )
    for user in User.objects.holding(Role.ADMINISTRATOR, Role.RATING_OFFICER):
        create_message(
            kind=PUBLISHED_DIFFERS,
            recipient=user,
            about=f"/export/?mail={timezone.localdate().isoformat()}",  # the day makes one message of one day
            title=gettext("Published data differ"),
            text=text,
        )


@office_language()
def notify_webhook_ended(webhook: Webhook) -> None:
    """Tell the owner of a webhook that nothing more is sent to it."""
    create_message(
        kind=WEBHOOK_ENDED,
        recipient=webhook.account,
        about=reverse("account-webhook", args=[webhook.pk]),
        title=gettext("Webhook ended"),
        text=" ".join(
            [
                gettext("Changes could not be delivered to %(url)s, so the webhook has ended.")
                % {"url": webhook.url},
                gettext("Its page shows the last attempts. To continue, delete it and register it again."),
                gettext("Read the changes that you missed from the feed of changes."),
            ]
        ),
    )


def _changes_by_federation(rating_list: RatingList) -> dict[str, list[str]]:
    """Federation → heading and lines of its players with games of the period, best first, at most twenty.

    2 queries: federations with a national official, and their rows.
    """
    officials = User.objects.holding(Role.NATIONAL_OFFICIAL).filter(is_active=True, federation__isnull=False)
    rows = rating_list.rows.filter(
        federation__in=set(officials.values_list("federation", flat=True)), period_games__gt=0
    )
    lines: dict[str, list[str]] = defaultdict(list)
    figures = rows.order_by("position").values_list("federation", "name", "rating", "change")
    for federation, name, rating, change in figures.iterator():
        difference = gettext("new") if change is None else f"{change:+d}"
        lines[federation].append(f"{name}: {rating} ({difference})")
    return {federation: _heading_and_lines(of_federation) for federation, of_federation in lines.items()}


def _heading_and_lines(lines: list[str]) -> list[str]:
    heading = gettext("New ratings of players of your federation (%(number)s):") % {"number": len(lines)}
    return [heading, _lines(lines)]


def _lines(lines: Sequence[str]) -> str:
    """As a list, and how many of them are left out of a message."""
    shown = [f"- {line}" for line in lines[:MAX_LINES_IN_MESSAGE]]
    if left := len(lines) - len(shown):
        shown.append(ngettext("… and %(left)s more", "… and %(left)s more", left) % {"left": left})
    return "\n".join(shown)


def _counts_next(*, in_time: bool, has_day: bool) -> str:
    """Where a report counts that was not accepted before the freeze."""
    if in_time and has_day:
        return gettext(
            "You sent it in time. Once the office has accepted it, it counts in the list of %(next)s (%(pool)s)."
        )
    if in_time:
        return gettext(
            "You sent it in time. Once the office has accepted it, it counts in the next list (%(pool)s)."
        )
    if has_day:
        return gettext(
            "It came late. If the rating officer admits it, it counts in the list of %(next)s (%(pool)s)."
        )
    return gettext("It came late. If the rating officer admits it, it counts in the next list (%(pool)s).")


def _next_step(report: Report) -> str:
    """What the submitter of a report that is not accepted yet has to do."""
    return {
        Report.State.SUBMITTED: gettext("You need not send it again."),
        Report.State.RETURNED: gettext("The office waits for your answer to its remarks."),
        Report.State.DRAFT: gettext("Submit it again to have it reviewed."),
    }[Report.State(report.state)]
