"""The changes that a revision makes in the list it replaces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.views.list_query import address as query_address
from ratings.published.views.list_query import cell_style, heading
from ratings.published.views.lists.cells import printer
from ratings.published.views.lists.published import cached_list, list_context, stamp_or_404
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.revisions import DifferingRow, differing_rows, manifest_changes
from ratings.rules.declared import Column, Kind, Tone
from reporting.web.http_cache import public_page
from reporting.web.paging import build_pager
from reporting.web.query_params import PageForm, declare_parameters
from reporting.web.sorting import SortHeading


@login_not_required
@require_safe
@declare_parameters("page")
def list_differences(request: HttpRequest, pool: str, in_force: date, revision: int) -> HttpResponseBase:
    """The changes a revision makes in the list it replaces: its tournaments, and the figures side by side."""
    stamp = stamp_or_404(pool, in_force, revision)
    page = PageForm(request.GET).number_or_400

    def render_page() -> str:
        found = cached_list(stamp)
        if found.rating_list.correction is None:
            raise Http404
        rows = sorted(
            differing_rows(found.rating_list),
            key=lambda row: -max(figures["rating"] for figures in (row.before, row.after) if figures),
        )
        pages = max(-(-len(rows) // PAGE_ROWS), 1)
        if page > pages:
            raise Http404
        declaration = found.rating_list.declaration
        # Both ratings have a column of their own.
        names = [name for name in declaration.list_page if name in declaration.compared and name != "rating"]
        columns = [declaration.column(name) for name in names]
        context = {
            **list_context(found, "differences", permanent=True),
            "manifest": manifest_changes(found.rating_list),
            "total": len(rows),
            "headings": [
                SortHeading(heading(replace(column, sort=None, wide=True)), "", "", swaps=False)
                for column in columns
            ],
            "rows": [
                (row, [*shown_differences(columns, row, found.rating_list)])
                for row in rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
            ],
            "pager": build_pager(
                page, pages, len(rows), lambda page: query_address(request.path, {"page": page})
            ),
        }
        return render_to_string("ratings/list_differences.html", context, request)

    return public_page(request, ("differences", *stamp), render_page)


@dataclass(frozen=True)
class ShownDifference:
    """A figure of a player before and after a revision, as one text; a phone shows it below the name."""

    label: str
    style: str
    text: object


def shown_differences(
    columns: Sequence[Column], row: DifferingRow, rating_list: RatingList
) -> Iterator[ShownDifference]:
    """The figures of a row before and after; one figure if they are the same or the player is on one list only."""
    for column in columns:
        printed = printer(column, rating_list)
        before, after = (figures and printed(figures[column.name]) for figures in (row.before, row.after))
        if row.before is None or before == after:
            text = after
        elif row.after is None:
            text = before
        elif column.kind is Kind.DIFFERENCE:  # it has its own marks
            text = format_html("{} → {}", before, after)
        else:
            text = format_html("{} → <strong>{}</strong>", before, after)
        label = gettext(column.full_label or column.label)
        style = cell_style(replace(column, wide=True), Tone.NORMAL)
        yield ShownDifference(label, style, text)
