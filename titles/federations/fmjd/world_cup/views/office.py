"""The page of the World Cup for the office: what would be published now."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from ratings.queries.addresses import published_players
from reporting.rules.details.known_details import detail_label
from reporting.web.access import OfficeRequest, require_access
from reporting.web.paging import ROWS_PER_PAGE, build_pager
from reporting.web.query_params import PageForm
from titles.federations.fmjd.championships.selectors import championship_of_year, reserves_of_year
from titles.federations.fmjd.rules.world_cup.classification import window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup.forms import ClassificationForm
from titles.federations.fmjd.world_cup.inputs import Problem
from titles.federations.fmjd.world_cup.publications.kinds import address_of, key_of
from titles.federations.fmjd.world_cup.publications.outdated import differences_now
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification, newest_published
from titles.federations.fmjd.world_cup.standings import (
    reserve_rows,
    standing_rows,
    world_cup_standing,
)
from titles.federations.fmjd.world_cup.views.rows import shown_changes, shown_rows
from titles.policies import check_can_see_world_cup

RESERVES_SHOWN = 20
SECTION_OF_RESERVES = "100"


@require_access(check_can_see_world_cup, "GET", "HEAD")
def classification(request: OfficeRequest) -> HttpResponse:
    """The classification on a day with all results, and the reserve list, if published now. 51 queries at most."""
    page = PageForm(request.GET).number_or_400
    form = ClassificationForm(request.GET or {})
    if not form.is_valid():
        return render(request, "titles/world_cup/office.html", {"form": form}, status=HTTPStatus.BAD_REQUEST)
    values = form.cleaned_data
    query = values | {"on": values["on"].isoformat()}
    form = ClassificationForm(query)  # shows also what the address left out
    day, section, women = values["on"], values["section"], values["classification"] == "women"
    standing = world_cup_standing(day, section, women=women)
    rows = list(shown_rows(standing_rows(standing), standing.given.players))
    pages = Paginator(rows, ROWS_PER_PAGE)
    try:
        shown = list(pages.page(page))
    except EmptyPage as error:
        raise Http404 from error

    published = newest_published(key_of_classification(section, day, women=women))

    def href(page: str) -> str:
        return "?" + urlencode(query | ({"page": page} if page else {}))

    context = {
        "form": form,
        "query": urlencode(query),
        "day": day,
        "first_day": window_start(day, edition_in_force(day).years),
        "women": women,
        "standing": standing,
        "rows": shown,
        "total": len(rows),
        "tournaments": {one.code: one for one in standing.given.result_sets},
        "published": published_players({row.player.pk for row in shown}),
        "publication": published,
        "address": address_of(published) if published else "",
        "changes": shown_changes(key_of(published), differences_now(published)) if published else [],
        "problems": list(problem_sentences(standing.given.problems)),
        "best_results": edition_in_force(day).best_results,
        "pager": build_pager(page, pages.num_pages, len(rows), href),
        **(reserves(day.year + 1, women=women) if section == SECTION_OF_RESERVES else {}),
    }
    return render(request, "titles/world_cup/office.html", context)


def problem_sentences(problems: Iterable[Problem]) -> Iterator[str]:
    """What tournaments, or players of them, need to be counted."""
    for problem in problems:
        values: dict[str, Any] = {"tournament": problem.code, "player": problem.fmjd_id}
        if problem.missing == "place":
            yield gettext("%(tournament)s: player %(player)s has no final place, and so no result.") % values
        elif problem.fmjd_id:
            yield gettext("%(tournament)s: the sex of player %(player)s is not in the register.") % values
        elif problem.missing == "places":
            yield gettext("%(tournament)s: the report has no final places.") % values
        else:
            values["detail"] = detail_label(problem.missing)
            yield gettext("%(tournament)s: “%(detail)s” is missing.") % values


def reserves(year: int, *, women: bool) -> dict[str, Any]:
    """The beginning of the reserve list of a year, and its championship, if there is one. 29 queries at most."""
    first = list(islice(reserves_of_year(year, women=women), RESERVES_SHOWN))
    return {
        "reserve_year": year,
        "championship": championship_of_year(year, women=women),
        "reserves": list(zip(reserve_rows(first), first, strict=True)),
        "reserves_shown": RESERVES_SHOWN,
    }
