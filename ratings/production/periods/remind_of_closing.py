"""Remind national officials of a closing date, 14 and 3 days before it (issue 15, R10)."""

from collections import defaultdict
from datetime import date

from django.db import transaction
from django.utils import timezone

from ratings.federations.registry import system_of_games
from ratings.models import Pool
from ratings.publishing.notifications import closing_path, notify_closing
from ratings.queries.periods import open_chosen_periods
from reporting.models import Message, Role, Tournament, User
from reporting.reports.selectors.inbox import announcements_without_report

DAYS_BEFORE_CLOSING = (3, 14)


@transaction.atomic
def send_closing_reminders() -> int:
    """Remind the officials of federations with announced tournaments of the period; answers the number of messages.

    Of tournaments that count by a day of the period and that have no submitted report. Each official once for each
    closing date and distance. May run repeatedly and concurrently: the announcements are locked.
    """
    today = timezone.localdate()
    windows = _running_periods(today)
    if not windows:
        return 0
    closing_soon: dict[tuple[date, str | None], list[Tournament]] = defaultdict(list)
    for announcement in announcements_without_report().select_for_update(of=("self",)):
        system = system_of_games(announcement.rating_system, announcement.discipline).code
        for begins, closing in windows[system]:
            if begins <= announcement.counting_day <= closing:
                closing_soon[closing, announcement.country_id].append(announcement)
    sent = 0
    for (closing, federation), announcements in sorted(closing_soon.items()):
        about = closing_path(closing, _distance(closing, today))
        officials = User.objects.holding(Role.NATIONAL_OFFICIAL).filter(federation=federation, is_active=True)
        for official in officials.order_by("pk"):
            if not Message.objects.filter(about=about, recipient=official).exists():
                notify_closing(closing, about, announcements, official)
                sent += 1
    return sent


def _running_periods(today: date) -> dict[str, set[tuple[date, date]]]:
    """System → first day and closing date of its periods that close soon. 2 queries."""
    pools = list(Pool.objects.all())
    chosen = open_chosen_periods(pools)
    found: dict[str, set[tuple[date, date]]] = defaultdict(set)
    for pool in pools:
        calendar = pool.rating_system.calendar
        if calendar is not None:
            period = calendar.period_of(today)
            begins, closing = calendar.previous_period(period).played_before, period.closing
        elif pool.pk in chosen:
            begins = timezone.localdate(chosen[pool.pk].played_since)
            closing = chosen[pool.pk].closing
        else:
            continue
        if _distance(closing, today):
            found[pool.system].add((begins, closing))
    return found


def _distance(closing: date, today: date) -> int:
    """The reminder for a closing date that is true today: 3 or 14 days before it; 0 for none."""
    left = (closing - today).days
    return next((days for days in DAYS_BEFORE_CLOSING if 0 <= left <= days), 0)
