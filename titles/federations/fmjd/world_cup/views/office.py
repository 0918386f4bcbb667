"""The page of the World Cup for the office: what would be published now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.queries.addresses import published_players
from reporting.models import Player
from reporting.rules.details.known_details import detail_label
from reporting.web.access import OfficeRequest, require_access
from reporting.web.paging import ROWS_PER_PAGE, build_pager
from reporting.web.query_params import PageForm
from titles.federations.fmjd.rules.world_cup.classification import Criterion, window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import reserve_list
from titles.federations.fmjd.world_cup.forms import ClassificationForm
from titles.federations.fmjd.world_cup.inputs import Problem
from titles.federations.fmjd.world_cup.standings import (
    Standing,
    reserve_rows,
    reserve_sources,
    standing_rows,
    world_cup_standing,
)
from titles.policies import check_can_see_world_cup

RESERVES_SHOWN = 20
SECTION_OF_RESERVES = "100"

CRITERIA = {
    Criterion.POINTS: ("points", _("World Cup points")),
    Criterion.FIRST_PLACES: ("first", _("first places")),
    Criterion.SECOND_PLACES: ("second", _("second places")),
    Criterion.THIRD_PLACES: ("third", _("third places")),
    Criterion.LAST_RESULT: ("last_result", _("points of the latest result")),
    Criterion.WINS: ("wins", _("games won")),
}
"""The criteria of R71a: their names in a row, and in words."""


@dataclass(frozen=True)
class ShownRow:
    """A row of a classification, and what separates it from its neighbours, in sentences."""

    values: Mapping[str, Any]
    player: Player
    neighbours: Sequence[str]


@require_access(check_can_see_world_cup, "GET", "HEAD")
def classification(request: OfficeRequest) -> HttpResponse:
    """The classification on a day, each row with its results, and the reserve list, if published now. 22 queries."""
    page = PageForm(request.GET).number_or_400
    form = ClassificationForm(request.GET or {})
    if not form.is_valid():
        return render(request, "titles/world_cup/office.html", {"form": form}, status=HTTPStatus.BAD_REQUEST)
    asked = form.cleaned_data
    query = asked | {"on": asked["on"].isoformat()}
    form = ClassificationForm(query)  # shows also what the address left out
    day, section, women = asked["on"], asked["section"], asked["classification"] == "women"
    standing = world_cup_standing(day, section, women=women)
    rows = list(shown_rows(standing))
    pages = Paginator(rows, ROWS_PER_PAGE)
    try:
        shown = list(pages.page(page))
    except EmptyPage as error:
        raise Http404 from error

    def href(page: str) -> str:
        return "?" + urlencode(query | ({"page": page} if page else {}))

    context = {
        "form": form,
        "day": day,
        "first_day": window_start(day, edition_in_force(day).years),
        "women": women,
        "standing": standing,
        "rows": shown,
        "total": len(rows),
        "tournaments": {one.code: one for one in standing.given.result_sets},
        "published": published_players({row.player.pk for row in shown}),
        "problems": list(problem_sentences(standing.given.problems)),
        "best_results": edition_in_force(day).best_results,
        "pager": build_pager(page, pages.num_pages, len(rows), href),
        **(reserves(day.year + 1, women=women) if section == SECTION_OF_RESERVES else {}),
    }
    return render(request, "titles/world_cup/office.html", context)


def shown_rows(standing: Standing) -> Iterator[ShownRow]:
    """The rows in order, each with its player and its neighbours. No query."""
    rows = standing_rows(standing)
    separated_by = [Criterion(code) for code in standing.classification.standing.separated_by.tolist()]
    for at, row in enumerate(rows):
        neighbours = []
        if at:
            neighbours.append(separation(separated_by[at], row, rows[at - 1], gettext("Behind %(name)s")))
        if at + 1 < len(rows):
            neighbours.append(
                separation(separated_by[at + 1], row, rows[at + 1], gettext("Ahead of %(name)s"))
            )
        yield ShownRow(row, standing.given.players[row["fmjd_id"]], neighbours)


def separation(criterion: Criterion, row: Mapping[str, Any], other: Mapping[str, Any], side: str) -> str:
    """What separates a row from a neighbour, in a sentence; `side` names the neighbour."""
    if criterion is Criterion.EQUAL:
        return gettext("Equal to %(name)s in all criteria.") % {"name": other["name"]}
    value, label = CRITERIA[criterion]
    return gettext("%(side)s by %(criterion)s: %(own)s to %(other)s.") % {
        "side": side % {"name": other["name"]},
        "criterion": label,
        "own": row[value],
        "other": other[value],
    }


def problem_sentences(problems: Iterable[Problem]) -> Iterator[str]:
    """What tournaments, or players of them, need to be counted."""
    for problem in problems:
        values: dict[str, Any] = {"tournament": problem.code, "player": problem.fmjd_id}
        if problem.fmjd_id:
            yield gettext("%(tournament)s: the sex of player %(player)s is not in the register.") % values
        elif problem.missing == "places":
            yield gettext("%(tournament)s: the report has no final places.") % values
        else:
            values["detail"] = detail_label(problem.missing)
            yield gettext("%(tournament)s: “%(detail)s” is missing.") % values


def reserves(year: int, *, women: bool) -> dict[str, Any]:
    """The beginning of the reserve list of a year. 11 queries."""
    sources = reserve_sources(edition_in_force(date(year, 1, 1)), year, women=women)
    first = list(islice(reserve_list(*sources), RESERVES_SHOWN))
    return {
        "reserve_year": year,
        "reserves": list(zip(reserve_rows(first), first, strict=True)),
        "reserves_shown": RESERVES_SHOWN,
    }
