"""Federations: their ranking, and the players, ranks and tournaments of one."""

from http import HTTPStatus

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.selectors import federations as selectors
from ratings.published.selectors.statistics.federations import (
    players_by_derived_list,
    players_by_title,
    ranks_over_time,
)
from ratings.published.views.statistics.charts import rank_charts
from ratings.queries.lists import ListsOfToday, lists_of_pool, lists_of_today
from ratings.queries.tournaments import published_tournaments
from reporting.accounts.selectors import named_officials
from reporting.web.http_cache import public_page
from reporting.web.panels import panels_at, panels_stamp
from reporting.web.query_params import declare_parameters, quoted

LATEST_TOURNAMENTS = 10


class ChosenPoolForm(forms.Form):
    """The pool whose list is shown. The lists of today say which there are."""

    pool = forms.CharField(required=False)


@login_not_required
@require_safe
@declare_parameters(ChosenPoolForm, lasting=("pool",))
def federations(request: HttpRequest) -> HttpResponseBase:
    """The ranking of federations on the official list in force in a pool (R13)."""
    today, rating_list, problems = chosen_list(request)

    def render_page() -> str:
        context = {
            "lists": today.shown,
            "upcoming": upcoming_list_of(today, rating_list),
            "list": rating_list,
            "ranking": rating_list and selectors.federation_ranks(rating_list),
            "problems": problems,
        }
        return render_to_string("ratings/federations.html", context, request)

    return public_page(
        request, today.stamp, render_page, status=HTTPStatus.BAD_REQUEST if problems else HTTPStatus.OK
    )


@login_not_required
@require_safe
@declare_parameters(ChosenPoolForm, lasting=("pool",))
def federation(request: HttpRequest, code: str) -> HttpResponseBase:
    """A federation in a pool: its officials who chose to be named; players, titles, age classes, ranks, tournaments."""
    today, rating_list, problems = chosen_list(request)
    name = selectors.federation_name(code)
    if name is None or rating_list is None:
        raise Http404
    stamp, officials = today.stamp, named_officials(code)

    def render_page() -> str:
        ranking = selectors.federation_ranks(rating_list)
        own = ranks_over_time(lists_until(rating_list), stamp).get(code, [])
        tournaments = published_tournaments().filter(country=code).order_by("-played_to", "-number")
        context = {
            "code": code,
            "name": name,
            "officials": officials,
            "lists": today.shown,
            "upcoming": upcoming_list_of(today, rating_list),
            "list": rating_list,
            "ranking": ranking,
            "all_players": next((row for row in ranking.all_players if row.code == code), None),
            "women": next((row for row in ranking.women if row.code == code), None),
            "players": selectors.federation_players(rating_list, code),
            "titles": players_by_title(rating_list, code),
            "parts": players_by_derived_list(rating_list, code),
            "ranks": own,
            "charts": rank_charts(
                gettext("Rank by list"), [(one.rating_list.in_force, one.rank) for one in own]
            ),
            "tournaments": tournaments[:LATEST_TOURNAMENTS],
            "problems": problems,
            "panels": panels_at("federation", code),
        }
        return render_to_string("ratings/federation.html", context, request)

    return public_page(
        request,
        (name, officials, *stamp, *panels_stamp("federation")),
        render_page,
        status=HTTPStatus.BAD_REQUEST if problems else HTTPStatus.OK,
    )


def lists_until(rating_list: RatingList) -> tuple[RatingList, ...]:
    """The lists of a pool up to this one, oldest first, each in its newest revision. 1 query."""
    newest = {one.in_force: one for one in reversed(lists_of_pool(rating_list.pool.code))}
    return tuple(one for day, one in newest.items() if day <= rating_list.in_force)


def chosen_list(request: HttpRequest) -> tuple[ListsOfToday, RatingList | None, list[str]]:
    """The lists of today, the list of the pool asked for (else the first), and problems with the request."""
    today = lists_of_today()
    asked = ChosenPoolForm(request.GET)["pool"].value() or ""
    by_pool = {shown.pool.code: shown for shown in today.shown}
    problems = []
    if asked and asked not in by_pool:
        problems.append(
            gettext("There is no list %(pool)s. The first list is shown.") % {"pool": quoted(asked)}
        )
    return today, by_pool.get(asked) or next(iter(today.shown), None), problems


def upcoming_list_of(today: ListsOfToday, rating_list: RatingList | None) -> list[RatingList]:
    """The next list of the same pool: published, not in force yet."""
    upcoming = [found for found in today.upcoming if rating_list and found.pool_id == rating_list.pool_id]
    return upcoming[:1]
