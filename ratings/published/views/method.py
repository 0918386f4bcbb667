"""How ratings are calculated: the rulings and the numbers of the law in force."""

from functools import cache
from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.rules import fmjd
from ratings.rules.fmjd.parameters import MonthDay, Parameters, edition_in_force
from ratings.rules.rulings import Ruling, read_rulings
from ratings.templatetags.figures import MONTHS
from reporting.rules.time_control import minutes_text
from reporting.web.http_cache import public_page

RULINGS = Path(fmjd.__file__).with_name("rulings.toml")


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings on Annex 9, in order."""
    return read_rulings(RULINGS)


@login_not_required
@require_safe
def fmjd_method(request: HttpRequest) -> HttpResponseBase:
    """Every ruling, with the parameters it settles in the edition in force today."""
    parameters = edition_in_force(timezone.localdate())

    def render_page() -> str:
        context = {
            "parameters": parameters,
            "rulings": [
                (ruling, [(PARAMETER_LABELS[name], value_of(parameters, name)) for name in ruling.values])
                for ruling in rulings()
            ],
        }
        return render_to_string("ratings/method.html", context, request)

    return public_page(request, (parameters.id,), render_page)


PARAMETER_LABELS = {
    "minimum_performance": "Least provisional performance",
    "maximum_performance": "Greatest provisional performance",
    "provisional_games": "Provisional with fewer counted games than",
    "k_new": "K of a new player",
    "k_new_games": "New with fewer counted games than",
    "k_standard": "K otherwise",
    "k_reached": "K of who has reached the limit",
    "k_reached_rating": "The limit",
    "pool_threshold_seconds": "Classical from",
    "classical_development": "Development percentage, classical",
    "rapid_blitz_development": "Development percentage, rapid-blitz",
    "closing_days": "Closing dates and dates of application",
    "report_days": "Days to report after the last round",
    "freeze_days": "The calculation opens on day",
    "announcement_days": "Days of announcement before the first round",
    "category_rating": "Categories: more games from rating",
    "category_games_below": "Games in all, under it",
    "category_games_from": "Games in all, from it",
    "active_rating": "Active with more games from rating",
    "active_games": "Games within the recent years, from it",
    "official_games": "Games within the recent years, under it",
    "recent_years": "Recent years",
    "inactive_years": "Years until category C",
    "federation_ranking_size": "Best players of a federation counted",
    "derived_lists": "Lists derived",
}
"""The parameters in words; every name that a ruling settles is here (tests/pages)."""


def value_of(parameters: Parameters, name: str) -> str:
    """A parameter's value in words."""
    value = getattr(parameters, name)
    if name == "pool_threshold_seconds":
        return f"{minutes_text(value)} for 60 moves"
    if name == "classical_development":
        return "; ".join(f"from {minutes_text(seconds)} {share} %" for seconds, share in value)
    if name == "rapid_blitz_development":
        (over, reduced), (_, full) = value
        return f"up to {minutes_text(over - 1)} {full} %; over it {reduced} %"
    if name == "closing_days":
        return "; ".join(f"{_day(closing)} for {_day(application)}" for closing, application in value)
    if name == "derived_lists":
        return "; ".join(each.title for each in value)
    return str(value)


def _day(month_and_day: MonthDay) -> str:
    month, day = month_and_day
    return f"{day} {MONTHS[month - 1]}"
