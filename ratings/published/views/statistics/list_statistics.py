"""The statistics of a list: how its ratings are distributed, who moved most."""

from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.statistics.distribution import (
    figures_by_federation,
    list_figures,
    movers,
    rating_classes,
)
from ratings.published.views.list_query import address
from ratings.published.views.lists.published import cached_list, list_context, stamp_or_404
from ratings.published.views.statistics.charts import bar_charts
from ratings.published.views.statistics.compare_lists import list_word
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from reporting.web.values import day


@login_not_required
@require_safe
@declare_parameters()
def list_statistics(request: HttpRequest, pool: str, in_force: date, revision: int) -> HttpResponseBase:
    """The distribution of the ratings of a list, its figures, the largest gains and losses."""
    stamp = stamp_or_404(pool, in_force, revision)

    def render_page() -> str:
        found = cached_list(stamp)
        rating_list = found.rating_list
        classes = rating_classes(rating_list)
        moved = {} if rating_list.is_opening else movers(rating_list)
        values, federations = figures_by_federation(rating_list)
        context = {
            **list_context(found, "statistics", permanent=True),
            "figures": list_figures(rating_list),
            "classes": classes,
            "charts": bar_charts(
                gettext("Players by rating, list of %(day)s") % {"day": day(in_force)},
                [(str(one.first), one.players) for one in classes],
            ),
            "values": values,
            "federations": federations,
            "movers": moved,
            "largest": max((abs(row["change"]) for rows in moved.values() for row in rows), default=0),
            "comparison": address(
                reverse("lists-compare", args=[pool]),
                {
                    "a": list_word(rating_list.previous) if rating_list.previous else "",
                    "b": list_word(rating_list),
                },
            ),
        }
        return render_to_string("ratings/list_statistics.html", context, request)

    return public_page(request, ("statistics", *stamp), render_page)
