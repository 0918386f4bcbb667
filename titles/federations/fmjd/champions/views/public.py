"""The public pages of champions: by championship, by year, medals of federations, and all as a file."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.formats.tables import csv_file
from ratings.queries.addresses import published_players
from reporting.register.selectors.register import federation_names
from reporting.web.http_cache import generated_file, public_page
from reporting.web.paging import ROWS_PER_PAGE, build_pager
from reporting.web.query_params import PageForm, declare_parameters
from titles.federations.fmjd.champions.forms import ChampionsForm
from titles.federations.fmjd.champions.labels import PLACES, championship_label
from titles.federations.fmjd.champions.medals import (
    Medal,
    Podium,
    all_podiums,
    champions_stamp,
    medals_of_federations,
)
from titles.federations.fmjd.champions.services import FIRST_YEAR
from titles.federations.fmjd.champions.title_matches import NoRight, TitleMatch, title_matches
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind

COLUMNS = (
    "championship", "area", "section", "tempo", "group", "women", "teams", "year", "place", "fmjd_id", "name",
    "federation", "tournament", "source",
)  # fmt: skip


@login_not_required
@require_safe
@declare_parameters(ChampionsForm, "page", lasting=ChampionsForm.base_fields)
def champions(request: HttpRequest) -> HttpResponseBase:
    """Championships with their medals, the newest first. 16 queries, 8 where it is cached."""
    page = PageForm(request.GET).number_or_400
    form = ChampionsForm(request.GET)
    form.full_clean()

    def render_page() -> str:
        everything = all_podiums(published=True).podiums
        found = [podium for podium in everything if form.admits(podium)]
        pages = Paginator(found, ROWS_PER_PAGE)
        try:
            shown = list(pages.page(page))
        except EmptyPage as error:
            raise Http404 from error

        def href(page: str) -> str:
            return "?" + urlencode(form.values | ({"page": page} if page else {}))

        context = {
            "form": form,
            "problems": form.problems,
            "podiums": rows_of(shown),
            "total": len(found),
            "filtered": bool(form.values),
            "published": published_of(shown),
            "federations": dict(federation_names()),
            "kinds": kinds_of(everything),
            "pager": build_pager(page, pages.num_pages, len(found), href),
        }
        return render_to_string("titles/champions/champions.html", context, request)

    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return public_page(request, champions_stamp(), render_page, status=status)


@login_not_required
@require_safe
@declare_parameters()
def championship(request: HttpRequest, code: str) -> HttpResponseBase:
    """The champions of one championship by year, and its title matches. 17 queries, 8 where it is cached."""
    try:
        kind = ChampionshipKind.of(code)
    except ValueError as error:
        raise Http404 from error

    def render_page() -> str:
        podiums = [podium for podium in all_podiums(published=True).podiums if podium.kind == kind]
        found = title_matches(kind, podiums) if kind.has_title_match else []
        # Nothing is known of a match before silver and bronze are entered.
        matches = [match for match in found if match.no_right != NoRight.NOT_ENTERED or match.last_in_force]
        context = {
            "name": championship_label(kind),
            "podiums": rows_of(podiums),
            "published": published_of(podiums) | published_of_matches(matches),
            "federations": dict(federation_names()),
            "matches": matches,
            "has_title_match": kind.has_title_match,
        }
        return render_to_string("titles/champions/championship.html", context, request)

    return public_page(request, champions_stamp(), render_page)


@login_not_required
@require_safe
@declare_parameters()
def champions_of_year(request: HttpRequest, year: int) -> HttpResponseBase:
    """The champions of one year. 14 queries, 8 where it is cached."""
    if not FIRST_YEAR <= year <= 9999:
        raise Http404

    def render_page() -> str:
        everything = all_podiums(published=True).podiums
        podiums = [podium for podium in everything if podium.year == year]
        years = sorted({podium.year for podium in everything})
        context = {
            "year": year,
            "podiums": rows_of(podiums),
            "published": published_of(podiums),
            "federations": dict(federation_names()),
            "earlier": max((one for one in years if one < year), default=None),
            "later": min((one for one in years if one > year), default=None),
        }
        return render_to_string("titles/champions/year.html", context, request)

    return public_page(request, champions_stamp(), render_page)


@login_not_required
@require_safe
@declare_parameters(ChampionsForm, lasting=ChampionsForm.base_fields)
def medals_by_federation(request: HttpRequest) -> HttpResponseBase:
    """The medals of each federation, of all championships or of some. 16 queries, 8 where it is cached."""
    form = ChampionsForm(request.GET)
    form.full_clean()

    def render_page() -> str:
        found = [podium for podium in all_podiums(published=True).podiums if form.admits(podium)]
        federation = form.cleaned_data.get("federation")
        names = dict(federation_names())
        context = {
            "form": form,
            "problems": form.problems,
            "filtered": bool(form.values),
            "counts": [
                (count, names.get(count.federation, count.federation))
                for count in medals_of_federations(found)
                if not federation or count.federation == federation
            ],
            "query": urlencode({name: value for name, value in form.values.items() if name != "federation"}),
        }
        return render_to_string("titles/champions/federations.html", context, request)

    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return public_page(request, champions_stamp(), render_page, status=status)


@login_not_required
@require_safe
def champions_file(request: HttpRequest) -> HttpResponseBase:
    """All medals as CSV, a line a player, or a team, of a championship; the newest first. 14 queries."""

    def content() -> bytes:
        return csv_file(
            COLUMNS,
            [tuple(line[name] for name in COLUMNS) for line in lines_of(all_podiums(published=True).podiums)],
        )

    return generated_file(request, champions_stamp(), "champions.csv", "text/csv", content)


def lines_of(podiums: Iterable[Podium]) -> Iterable[dict[str, Any]]:
    """The medals as files and the API have them. No query."""
    for podium in podiums:
        kind = podium.kind
        for medal in podium.medals:
            person = None if kind.teams else medal.player
            yield {
                "championship": kind.code,
                "area": kind.area,
                "section": kind.section,
                "tempo": kind.tempo,
                "group": kind.group,
                "women": int(kind.women),
                "teams": int(kind.teams),
                "year": podium.year,
                "place": medal.place,
                "fmjd_id": person.numbers.get("fmjd") if person else None,
                "name": person.printed_name if person else medal.name,
                "federation": medal.federation,
                "tournament": podium.tournament.code if podium.tournament else "",
                "source": medal.entered.source if medal.entered else "",
            }


def rows_of(podiums: Iterable[Podium]) -> list[tuple[Podium, str, list[tuple[Any, list[Medal]]]]]:
    """Championships with their labels, and the medals by place with the name of the place. No query."""
    return [
        (podium, championship_label(podium.kind), list(zip(PLACES.values(), podium.by_place, strict=True)))
        for podium in podiums
    ]


def published_of(podiums: Iterable[Podium]) -> set[int]:
    """The medallists who have a page. 1 query."""
    medals = [medal for podium in podiums for medal in podium.medals]
    return published_players({player.pk for medal in medals for player in medal.players})


def published_of_matches(matches: Iterable[TitleMatch]) -> set[int]:
    """The players of title matches who have a page. 1 query."""
    people = (
        player
        for match in matches
        for player in (*(match.pair or ()), match.champion, match.former, match.holder)
    )
    return published_players({player.pk for player in people if player})


def kinds_of(podiums: Iterable[Podium]) -> list[tuple[str, str, int]]:
    """The championships that there are: code, label, number of years. No query."""
    counted: dict[ChampionshipKind, int] = {}
    for podium in podiums:
        counted[podium.kind] = counted.get(podium.kind, 0) + 1
    ordered = sorted(counted.items(), key=lambda one: one[0].order)
    return [(kind.code, championship_label(kind), number) for kind, number in ordered]
