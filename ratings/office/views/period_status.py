"""What a period has in hand, as a page shows it: the board, filtered, with the days that are left."""

from datetime import timedelta
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone

from ratings.models import Period
from ratings.office.selectors.period_status import board_of
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import next_period, period_of
from reporting.models import User
from reporting.policies import OFFICE, require_role
from reporting.web.access import why_not

KINDS = (("", "All"), ("women", "Women"), ("youth", "Youth"))


def board_context(request: HttpRequest, period: Period) -> dict[str, Any]:
    """The board with the lines that the query string asks for; a word it does not know keeps all. 5 to 11 queries."""
    board = board_of(period)
    federation, kind = str(request.GET.get("federation", "")), str(request.GET.get("kind", ""))
    federation = federation if federation in board.countries else ""
    kind = kind if kind in dict(KINDS) else ""
    today = timezone.localdate()
    parameters = edition_in_force(period.in_force)
    return {
        "board": board,
        "shown": board.only(country=federation, kind=kind),
        "federation": federation,
        "kind": kind,
        "kinds": KINDS,
        "may_remind": not why_not(require_role, cast(User, request.user), *OFFICE),
        "following": next_period(parameters, period_of(parameters, period.closing)).in_force,
        "today": today,
        "days_to_closing": (period.closing - today).days,
        "days_to_freeze": (timezone.localdate(period.freezes_at) - today).days,
        "last_day_in_time": timezone.localdate(period.freezes_at) - timedelta(days=1),
    }
