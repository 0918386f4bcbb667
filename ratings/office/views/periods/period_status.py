"""The status of a period as a page shows it: filtered, with the days that are left."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from ratings.models import Period
from ratings.office.forms import PeriodFilterForm
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import TournamentKind
from reporting.policies import OFFICE_ROLES, require_role
from reporting.rules.regulations.editions import edition_on
from reporting.web.access import OfficeRequest, refusal_message


def period_status_context(request: OfficeRequest, period: Period) -> dict[str, Any]:
    """The status of a period, and the lines that the query string selects; an unknown value selects all.

    5 to 11 queries.
    """
    period_status = period_status_of(period)
    form = PeriodFilterForm(request.GET, federations=period_status.countries)
    form.full_clean()
    federation, kind = form.cleaned_data.get("federation", ""), form.cleaned_data.get("kind", "")
    today = timezone.localdate()
    calendar = period.pool.rating_system.calendar
    freezes_on = timezone.localdate(period.freezes_at)
    report_days = edition_on(period.closing, rating_system=period.pool.system).report_days
    return {
        "period_status": period_status,
        "shown": period_status.filtered(country=federation, kind=kind),
        "federation": federation,
        "kind": kind,
        "kinds": TournamentKind.choices,
        "can_remind": not refusal_message(require_role, request.user, *OFFICE_ROLES),
        # The day of the next list; None where the office has not chosen it.
        "following": calendar and calendar.next_period(calendar.period_of(period.closing)).in_force,
        "today": today,
        "days_to_closing": (period.closing - today).days,
        "days_to_freeze": (freezes_on - today).days,
        "unregistered": period_status.waiting_for_registration(period.closing, freezes_on)
        if not period.is_open or today > period.closing
        else None,
        "last_day_of_registration": freezes_on - timedelta(days=1),
        "chooses_dates": calendar is None,
        "report_days": report_days,
        "last_day_in_time": None if report_days is None else period.closing + timedelta(days=report_days),
    }
