"""Row by row what a draft says otherwise than another list."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.office.selectors.comparison import ROW_FILTERS, SORTS, differing_players
from ratings.office.selectors.drafts import period_overviews, recalculation_of
from ratings.office.views.office import office_page, period_or_404
from ratings.published.views.list_query import address
from reporting.web.paging import build_pager
from reporting.web.query_params import requested_page

FILTER_LABELS = {
    "all": "Everybody who differs",
    "up": "Rating up",
    "down": "Rating down",
    "new": "New on the list",
    "left": "Left the list",
    "category": "Other category",
    "person": "Other name or federation",
}
HEADINGS = (
    ("name", "Player", ""),
    ("federation", "Fed.", "table__wide"),
    ("before", "Before", "table__num"),
    ("rating", "Now", "table__num"),
    ("change", "Change", "table__num"),
    ("games", "Games", "table__num table__wide"),
)


@office_page("GET", "HEAD")
def differences(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Row by row what the draft says otherwise than the last list, or than the one it replaces."""
    found = period_or_404(pool, in_force)
    (overview,) = period_overviews([found])
    draft = overview.draft
    if draft is None:
        raise Http404("There is no draft to compare.")
    query = request.GET
    recalculation = recalculation_of(draft, overview.run)
    others = {
        "last": draft.previous,
        "replaced": draft.correction.replaces if draft.correction else None,
        "before": recalculation.before if recalculation else None,
    }
    against = query.get("against") or ("replaced" if others["replaced"] else "last")
    show, sort = query.get("show") or "all", query.get("sort") or "-change"
    other = others.get(against)
    if other is None or show not in ROW_FILTERS or sort.removeprefix("-") not in SORTS:
        raise Http404("There is no such difference.")
    page = requested_page(query)
    difference = differing_players(draft, other, show=show, sort=sort, page=page)
    if page > 1 and not difference.rows:
        raise Http404("There is no such page.")

    def href(**changes: str) -> str:
        return address(
            request.path, {"against": query.get("against", ""), "show": show, "sort": sort, **changes}
        )

    columns = []
    for key, words, style in HEADINGS:
        current = sort.removeprefix("-") == key
        falls = sort.startswith("-")
        falls_next = not falls if current else key not in {"name", "federation"}
        columns.append(
            {
                "words": words,
                "style": style,
                "href": href(sort=f"{'-' if falls_next else ''}{key}"),
                "direction": ("descending" if falls else "ascending") if current else "",
            }
        )
    context = {
        "period": found,
        "draft": draft,
        "other": other,
        "against": against,
        "recalculation": recalculation,
        "shows": [(word, words, href(show=word), word == show) for word, words in FILTER_LABELS.items()],
        "show_words": FILTER_LABELS[show],
        "columns": columns,
        "difference": difference,
        "pager": build_pager(page, difference.pages, difference.total, href),
    }
    return render(request, "office/differences.html", context)
