"""A published list in its variants, on pages and on one page to print, and its tournaments."""

from dataclasses import replace
from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import (
    Http404,
    HttpRequest,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
)
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ratings.published.views.entry_filters import EntryFilterSet
from ratings.published.views.list_query import (
    ListQuery,
    heading,
    permanent_address,
    read_list_query,
    variant_address,
    variant_heading,
    variant_label,
)
from ratings.published.views.lists.cells import shown_rows
from ratings.published.views.lists.published import cached_list, list_context, stamp_or_404, variant_or_404
from ratings.published.views.sharing.cards import Card, embed, list_card
from ratings.published.views.sharing.linked_data import dataset
from ratings.queries.list_rows import OFFICIAL, PRINTED_ROWS, NoSuchPageError, federations_on, list_page
from ratings.queries.lists import PublishedList
from ratings.queries.tournaments import tournaments_of
from reporting.web.http_cache import cached, full_address, public_page, requested_fragment
from reporting.web.query_params import declare_parameters
from reporting.web.sorting import SortHeading

RESULTS = "results"
SPARK_LISTS = 8
EMBEDDED_ROWS = 10
EMBED_HEIGHT = 480


@login_not_required
@require_safe
@declare_parameters(EntryFilterSet.names, "page")
def rating_list(
    request: HttpRequest,
    pool: str,
    in_force: date | None = None,
    revision: int | None = None,
    variant: str = "",
) -> HttpResponseBase:
    """A published list. Without a day the one in force in its pool, without a revision the newest of its day."""
    if variant == OFFICIAL:  # its address has no name of a variant
        address = permanent_address(pool, in_force, revision)
        query = request.META["QUERY_STRING"]
        return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
    stamp = stamp_or_404(pool, in_force, revision)
    found = cached_list(stamp)
    query = list_query(request, found, variant or OFFICIAL)
    context = {
        "list": found.rating_list,
        "variant": query.variant,
        "variant_label": variant_label(found.rating_list, query.variant),
    }
    is_answer = requested_fragment(request) == RESULTS

    def render_part() -> tuple[Card, SafeString]:
        try:
            page = list_page(
                found.rating_list,
                query.variant,
                query.matching,
                query.sort,
                page=query.page,
                earlier_lists=SPARK_LISTS - 1,
            )
        except NoSuchPageError as error:
            raise Http404 from error
        shown = context | {
            **list_context(found, query.variant.name, permanent=revision is not None),
            "of_day": in_force is not None,
            "heading": variant_heading(found.rating_list, query.variant),
            "query": query,
            "page": page,
            "rows": shown_rows(found.rating_list, page),
            "pager": query.pager(page),
            "to_print": query.to_print(found.rating_list),
            "embed": embed(
                query.embedded(found.rating_list, EMBEDDED_ROWS), found.rating_list.pool.name, EMBED_HEIGHT
            ),
            "lasting": query.lasting(found.rating_list),
        }
        part = render_to_string(f"ratings/list.html#{'answer' if is_answer else 'main'}", shown, request)
        return list_card(found.rating_list, query.variant, None if query.in_use else page.total), part

    def render_page() -> str:
        # All but the head is the same for readers with a session, for whom no page is kept.
        asked = (is_answer, get_language(), request.path, query.here, *query.problems)
        card, part = cached(("list", *asked, *stamp), render_part)
        if is_answer:
            return part
        shown = context | {
            "card": card,
            "linked_data": dataset(found),
            "oembed": request.path if in_force is None else "",
            "main": part,
        }
        return render_to_string("ratings/list.html", shown, request)

    response = public_page(request, ("list", *stamp), render_page, status=query.status)
    if requested_fragment(request):
        response["HX-Push-Url"] = query.here
    return response


@login_not_required
@require_safe
@declare_parameters(EntryFilterSet.names, "page")
def variant_in_force(request: HttpRequest, pool: str, variant: str) -> HttpResponseBase:
    """Leads to a variant of the list in force in a pool."""
    stamp = stamp_or_404(pool, None, None)
    rating_list = cached_list(stamp).rating_list
    variant_or_404(rating_list, variant)
    if variant == OFFICIAL:
        address = reverse("list-newest", args=[pool])
    else:
        address = reverse("list-variant", args=[pool, rating_list.in_force, rating_list.revision, variant])
    query = request.META["QUERY_STRING"]
    return HttpResponseRedirect(f"{address}?{query}" if query else address)


def list_query(request: HttpRequest, found: PublishedList, variant: str) -> ListQuery:
    """What the request asks of this variant of the list."""
    rating_list = found.rating_list
    federations = cached(("federations", *found.stamp), lambda: federations_on(rating_list))
    return read_list_query(request, rating_list, variant_or_404(rating_list, variant), federations)


@login_not_required
@require_safe
@declare_parameters(EntryFilterSet.names, "page")
def list_to_print(
    request: HttpRequest, pool: str, in_force: date, revision: int, variant: str
) -> HttpResponseBase:
    """All rows of a variant on one page, with the filters and the order of the list's page; at most PRINTED_ROWS."""
    stamp = stamp_or_404(pool, in_force, revision)
    found = cached_list(stamp)
    query = list_query(request, found, variant)

    def render_page() -> str:
        rating_list = found.rating_list
        page = list_page(rating_list, query.variant, query.matching, query.sort, page_rows=PRINTED_ROWS)
        declaration = rating_list.declaration
        columns = [declaration.column(name) for name in ("name", *declaration.list_page)]
        context = {
            **list_context(found, variant, permanent=True),
            "heading": variant_heading(found.rating_list, query.variant),
            "query": query,
            "page": page,
            "headings": [SortHeading(heading(column), "", "", swaps=False) for column in columns],
            "rows": shown_rows(rating_list, page) if page.pages == 1 else (),
            "most": PRINTED_ROWS,
            "back": replace(query, path=variant_address(rating_list, query.variant.name)).href(),
            "full_address": full_address(request),
            "card": list_card(rating_list, query.variant, None if query.in_use else page.total),
        }
        return render_to_string("ratings/list_print.html", context, request)

    return public_page(request, ("print", *stamp), render_page, status=query.status, in_memory=False)


@login_not_required
@require_safe
@declare_parameters()
def list_tournaments(request: HttpRequest, pool: str, in_force: date, revision: int) -> HttpResponseBase:
    """The tournaments that a list is calculated from."""
    stamp = stamp_or_404(pool, in_force, revision)

    def render_page() -> str:
        found = cached_list(stamp)
        context = {
            **list_context(found, "tournaments", permanent=True),
            "tournaments": tournaments_of(found.rating_list),
        }
        return render_to_string("ratings/list_tournaments.html", context, request)

    return public_page(request, ("tournaments", *stamp), render_page)
