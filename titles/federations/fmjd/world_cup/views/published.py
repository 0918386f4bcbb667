"""The public pages of the World Cup: what was published, in its revisions, with its files."""

from datetime import date
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.queries.addresses import published_players
from reporting.web.http_cache import generated_file, public_page
from reporting.web.paging import ROWS_PER_PAGE, build_pager
from reporting.web.query_params import PageForm, declare_parameters
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.rules.world_cup.classification import window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup import recompute
from titles.federations.fmjd.world_cup.publications.files import figures_csv, figures_json
from titles.federations.fmjd.world_cup.publications.kinds import address_of, key_of, kind_of, label_of
from titles.federations.fmjd.world_cup.publications.selectors import (
    differences,
    figures_of,
    key_of_classification,
    named_rows,
    newest_classifications,
    publications_stamp,
    published_revisions,
    tournaments_by_code,
    winners,
)
from titles.federations.fmjd.world_cup.views.rows import shown_changes, shown_rows

FILES = {"figures.json": "application/json", "figures.csv": "text/csv", "results.csv": "text/csv"}
"""The files of a classification with their content types."""


@login_not_required
@require_safe
@declare_parameters()
def world_cup(request: HttpRequest) -> HttpResponseBase:
    """The newest classifications, winners by year, and the way to the other pages. 7 queries."""

    def render_page() -> str:
        newest = newest_classifications()
        shown = [(one, label_of(one), address_of(one), named_rows(one)[0][:3]) for one in newest]
        first = winners()
        context = {
            "newest": shown,
            "winners": [(row, address_of(row.publication)) for row in first],
            "published": published_players({row.player_id for row in first if row.player_id}),
        }
        return render_to_string("titles/world_cup/index.html", context, request)

    return public_page(request, ("world cup", *publications_stamp()), render_page)


@login_not_required
@require_safe
@declare_parameters("page")
def classification(
    request: HttpRequest, section: str, day: date, revision: int | None = None, *, women: bool = False
) -> HttpResponseBase:
    """A published classification: each row unfolds to its results; a revision has its reason and differences.

    Queries: 10, in a revision 2 more.
    """
    page = PageForm(request.GET).number_or_400
    revisions = published_revisions(key_of_classification(section, day, women=women))
    shown = next((one for one in revisions if revision in {None, one.revision}), None)
    if shown is None:
        raise Http404
    before = next((one for one in revisions if one.revision == shown.revision - 1), None)

    def render_page() -> str:
        return render_to_string(
            "titles/world_cup/classification.html",
            _content(shown, revisions, before, page),
            request,
        )

    return public_page(request, ("classification", page, shown.pk, *publications_stamp()), render_page)


def _content(
    shown: Publication, revisions: list[Publication], before: Publication | None, page: int
) -> dict[str, Any]:
    day = shown.day
    assert day is not None  # noqa: S101 (of every classification)
    named, players = named_rows(shown)
    pages = Paginator(list(shown_rows(named, players)), ROWS_PER_PAGE)
    try:
        rows = list(pages.page(page))
    except EmptyPage as error:
        raise Http404 from error
    codes = {result["tournament"] for row in rows for result in row.values["results"]}
    parameters = edition_in_force(day)
    changes = differences(figures_of(before), figures_of(shown)) if before else []
    address = address_of(shown)
    return {
        "publication": shown,
        "label": label_of(shown),
        "address": address,
        "lasting_path": address,
        "newest": revisions[0] if revisions[0].pk != shown.pk else None,
        "newest_address": address_of(revisions[0]),
        "revisions": [(one, address_of(one)) for one in revisions],
        "changes": shown_changes(key_of(shown), changes),
        "before": before,
        "rows": rows,
        "total": len(named),
        "day": day,
        "first_day": window_start(day, parameters.years),
        "best_results": parameters.best_results,
        "source": parameters.source,
        "tournaments": tournaments_by_code(codes),
        "has_pages": revisions[0].pk == shown.pk,  # a revision may leave out what an earlier one has
        "published": published_players({row.player.pk for row in rows}),
        "files": FILES,
        "pager": build_pager(
            page, pages.num_pages, len(named), lambda page: f"?page={page}" if page else "?"
        ),
    }


@login_not_required
@require_safe
def file(
    request: HttpRequest, section: str, day: date, revision: int, name: str, *, women: bool = False
) -> HttpResponseBase:
    """A file of a published classification: figures without names, and what they follow from. 3 queries."""
    revisions = published_revisions(key_of_classification(section, day, women=women))
    shown = next((one for one in revisions if one.revision == revision), None)
    if shown is None or name not in FILES:
        raise Http404

    def content() -> bytes:
        if name == "results.csv":
            return shown.inputs.encode()
        make = figures_json if name == "figures.json" else figures_csv
        return make(shown, figures_of(shown))

    kind = kind_of(key_of(shown)).code
    group = "women-" if women else ""
    filename = f"world-cup-{group}{section}-{day.isoformat()}-r{revision}-{name}"
    return generated_file(request, (kind, shown.pk), filename, FILES[name], content)


@login_not_required
@require_safe
def recompute_program(request: HttpRequest) -> HttpResponseBase:
    """The program for readers that recalculates a classification from its files. No query."""
    content = Path(recompute.__file__).read_bytes()
    return generated_file(request, ("recompute",), "recompute.py", "text/x-python", lambda: content)
