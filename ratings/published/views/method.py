"""How ratings are calculated: the rulings and the numbers of the regulations in force."""

from datetime import date
from functools import cache
from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from ratings.published.views.list_query import VARIANT_LABELS
from ratings.rules.rulings import Ruling, read_rulings
from ratings.systems import fmjd
from ratings.systems.fmjd.parameters import MonthDay, Parameters, edition_in_force
from ratings.templatetags.figures import day_of_year
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
    "minimum_performance": gettext_lazy("Lowest provisional performance"),
    "maximum_performance": gettext_lazy("Highest provisional performance"),
    "provisional_games": gettext_lazy("Provisional with fewer counted games than"),
    "k_new": gettext_lazy("K of a new player"),
    "k_new_games": gettext_lazy("New with fewer counted games than"),
    "k_standard": gettext_lazy("K otherwise"),
    "k_reached": gettext_lazy("K of a player who has reached the limit"),
    "k_reached_rating": gettext_lazy("The limit"),
    "pool_threshold_seconds": gettext_lazy("Classical from"),
    "classical_development": gettext_lazy("Development percentage, classical"),
    "rapid_blitz_development": gettext_lazy("Development percentage, rapid-blitz"),
    "closing_days": gettext_lazy("Closing dates, with the dates in force"),
    "report_days": gettext_lazy("Days to report after the last round"),
    "freeze_days": gettext_lazy("First day of the calculation after closing"),
    "announcement_days": gettext_lazy("Days of announcement before the first round"),
    "category_rating": gettext_lazy("Categories: more games from rating"),
    "category_games_below": gettext_lazy("Total games, below it"),
    "category_games_from": gettext_lazy("Total games, from it"),
    "active_rating": gettext_lazy("Active with more games from rating"),
    "active_games": gettext_lazy("Games within the recent years, from it"),
    "official_games": gettext_lazy("Games within the recent years, below it"),
    "recent_years": gettext_lazy("Recent years"),
    "inactive_years": gettext_lazy("Years until category C"),
    "federation_ranking_size": gettext_lazy("Best players of a federation counted"),
    "derived_lists": gettext_lazy("Derived lists"),
}
"""Labels of the parameters that a ruling settles; tests check that none is missing."""


def value_of(parameters: Parameters, name: str) -> str:
    """A parameter's value as the page shows it."""
    value = getattr(parameters, name)
    if name == "pool_threshold_seconds":
        return gettext("%(minutes)s for 60 moves") % {"minutes": minutes_text(value)}
    if name == "classical_development":
        template = gettext("from %(minutes)s %(percentage)s %%")
        return "; ".join(
            template % {"minutes": minutes_text(seconds), "percentage": percentage}
            for seconds, percentage in value
        )
    if name == "rapid_blitz_development":
        (over, reduced), (_, full) = value
        return gettext("up to %(minutes)s %(full)s %%, above %(reduced)s %%") % {
            "minutes": minutes_text(over - 1),
            "full": full,
            "reduced": reduced,
        }
    if name == "closing_days":
        template = gettext("%(closing)s for %(in_force)s")
        return "; ".join(
            template % {"closing": _day(closing), "in_force": _day(in_force)} for closing, in_force in value
        )
    if name == "derived_lists":
        return "; ".join(str(VARIANT_LABELS[derived.name]) for derived in value)
    return str(value)


def _day(month_and_day: MonthDay) -> str:
    month, day = month_and_day
    return day_of_year(date(2000, month, day))
