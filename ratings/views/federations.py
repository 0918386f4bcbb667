"""Federations: their ranking, and the players of one."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.selectors import federations as selectors
from ratings.selectors.lists import newest_lists, stamp_of
from ratings.views.answers import public_page
from ratings.views.questions import quoted


@login_not_required
@require_safe
def federations(request: HttpRequest) -> HttpResponseBase:
    """The ranking of federations on the newest official list of a pool (R13)."""
    lists, rating_list, problems = chosen_list(request)

    def draw() -> str:
        context = {
            "lists": lists,
            "list": rating_list,
            "ranking": rating_list and selectors.federation_ranks(rating_list),
            "problems": problems,
        }
        return render_to_string("ratings/federations.html", context, request)

    return public_page(request, stamp_of(lists), draw)


@login_not_required
@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponseBase:
    """The players of a federation on the newest official list of a pool, and the mean of its ten best."""
    lists, rating_list, problems = chosen_list(request)
    name = selectors.federation_name(code)
    if name is None or rating_list is None:
        raise Http404("There is no such federation.")

    def draw() -> str:
        ranking = selectors.federation_ranks(rating_list)
        context = {
            "code": code,
            "name": name,
            "lists": lists,
            "list": rating_list,
            "ranking": ranking,
            "everybody": next((row for row in ranking.everybody if row.code == code), None),
            "women": next((row for row in ranking.women if row.code == code), None),
            "players": selectors.federation_players(rating_list, code),
            "problems": problems,
        }
        return render_to_string("ratings/federation.html", context, request)

    return public_page(request, (name, *stamp_of(lists)), draw)


def chosen_list(request: HttpRequest) -> tuple[list[RatingList], RatingList | None, list[str]]:
    """The newest lists, the one of the pool asked for (else the first), and what could not be used."""
    lists = newest_lists()
    asked = request.GET.get("pool", "")
    by_pool = {each.pool.code: each for each in lists}
    problems = []
    if asked and asked not in by_pool:
        problems.append(f"No list {quoted(asked)}: the first one is shown.")
    return lists, by_pool.get(asked) or (lists[0] if lists else None), problems
