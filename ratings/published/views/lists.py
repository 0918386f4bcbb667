"""Pages of published lists: the archive, a list in its variants, its tournaments, its files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.models import CompressedFile, Pool, RatingList
from ratings.published.views.entry_filters import EntryFilterSet
from ratings.published.views.list_query import (
    SPARK_STYLE,
    ListQuery,
    cell_style,
    heading,
    permanent_address,
    read_list_query,
    variant_address,
    variant_heading,
    variant_label,
)
from ratings.published.views.list_query import address as query_address
from ratings.published.views.sharing.cards import Card, embed, list_card
from ratings.published.views.sharing.linked_data import dataset
from ratings.published.views.statistics.charts import sparkline
from ratings.publishing.export_list import export_for_pairing
from ratings.queries import lists as selectors
from ratings.queries.list_rows import (
    OFFICIAL,
    PAGE_ROWS,
    PRINTED_ROWS,
    ListPage,
    ListVariant,
    NoSuchPageError,
    federations_on,
    find_variant,
    list_page,
)
from ratings.queries.lists import ListStamp, NotPublishedError, PublishedList
from ratings.queries.revisions import DifferingRow, differing_rows, manifest_changes
from ratings.queries.tournaments import tournaments_of
from ratings.rules.declared import Column, Kind, Tone
from ratings.rules.scaled_numbers import decimals
from reporting.rules.report import PointsScale
from reporting.web.forms import set_choices
from reporting.web.http_cache import (
    cached,
    full_address,
    generated_file,
    public_file,
    public_page,
    requested_fragment,
)
from reporting.web.paging import build_pager
from reporting.web.query_params import PageForm, declare_parameters
from reporting.web.sorting import SortHeading
from reporting.web.values import change, in_scale, on_day, title_mark

RESULTS = "results"
SPARK_LISTS, SPARK_SIZE = 8, (72, 18)
EMBEDDED_ROWS, EMBED_HEIGHT = 10, 480
SECONDS_TO_REMAKE = 60
"""The worker fills emptied files once a minute."""
PAIRING_FILES = {"csv": "text/csv", "txt": "text/plain"}
"""The formats of the ratings for a pairing program, with their content types."""


class ArchiveForm(forms.Form):
    """Which lists of the archive: of one pool, of one year. A value that cannot be used chooses nothing."""

    pool = forms.ChoiceField(
        label=_("Pool"), required=False, error_messages={"invalid_choice": _("There is no such pool.")}
    )
    year = forms.ChoiceField(
        label=_("Year"),
        required=False,
        error_messages={"invalid_choice": _("No list came into force in that year.")},
    )

    def __init__(self, data: QueryDict, pools: Sequence[Pool], lists: Sequence[RatingList]) -> None:
        super().__init__(data)
        self.years = list(dict.fromkeys(str(one.in_force.year) for one in lists))
        set_choices(self, "pool", [(pool.code, pool.name) for pool in pools])
        set_choices(self, "year", [(year, year) for year in self.years])

    def chosen(self, name: str) -> str:
        """The value of a field, empty for all."""
        value: str = self.cleaned_data.get(name, "")
        return value

    def href(self, **changes: str) -> str:
        """The archive with these choices changed."""
        asked = {name: self.chosen(name) for name in self.fields}
        return query_address(reverse("lists"), {**asked, **changes}) + "#archive"

    def links(self, name: str, every: str) -> list[tuple[str, str, bool]]:
        """The choices of a field as links, first that of all: label, address, whether it is chosen."""
        field: Any = self.fields[name]
        choices = [("", every), *field.choices]
        return [(label, self.href(**{name: value}), value == self.chosen(name)) for value, label in choices]


@login_not_required
@require_safe
@declare_parameters(ArchiveForm)
def archive(request: HttpRequest) -> HttpResponseBase:
    """Every pool with its list in force and the next one, and all lists ever published, by pool and year.

    400 for a pool or year that there is not, with the page that names it.
    """
    lists = selectors.list_archive()
    pools = selectors.all_pools()
    today = selectors.office_today()
    in_force: dict[int, RatingList] = {}
    upcoming: dict[int, RatingList] = {}
    for published in lists:  # newest first
        if published.in_force <= today:
            in_force.setdefault(published.pool_id, published)
        else:
            upcoming[published.pool_id] = published

    form = ArchiveForm(request.GET, pools, lists)
    is_valid = form.is_valid()
    pool, year = form.chosen("pool"), form.chosen("year")

    def render_page() -> str:
        shown = [one for one in lists if pool in {"", one.pool.code} and year in {"", str(one.in_force.year)}]
        context = {
            "form": form,
            "pools": [(pool, in_force.get(pool.pk), upcoming.get(pool.pk)) for pool in pools],
            "years": form.links("year", gettext("All years")),
            "of_pools": form.links("pool", gettext("All pools")),
            "lists": shown,
            "in_force": {found.pk for found in in_force.values()},
            "today": today,
        }
        return render_to_string("ratings/lists.html", context, request)

    stamp = (*(found.pk for found in lists), "in force", *(found.pk for found in in_force.values()))
    return public_page(
        request, stamp, render_page, status=HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    )


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


def shown_rows(rating_list: RatingList, page: ListPage) -> Iterator[dict[str, Any]]:
    """The rows of a page, each with its `cells`: those of the columns that the list's system declares, and after the
    change a line of the last ratings where they were read.

    Values of a column repeat: each is formatted once. By the template, cell by cell, they would take most of the time.
    """
    declaration = rating_list.declaration
    columns = [declaration.column(name) for name in declaration.list_page]
    cells = [(column.name, cell(column, rating_list)) for column in columns]
    for row in page.rows:
        shown = {name: printed(row[name]) for name, printed in cells}
        if "earlier_ratings" in row:
            shown["change"] += spark_cell([*reversed(row["earlier_ratings"]), row["rating"]])
        yield {**row, "cells": SafeString("\n      ".join(shown.values()))}


def spark_cell(ratings: Sequence[int]) -> SafeString:
    """A cell with the line of a player's last ratings; empty for the first one."""
    path = sparkline(ratings, *SPARK_SIZE)
    if not path:
        return mark_safe(f'<td class="{SPARK_STYLE}"></td>')  # noqa: S308
    x, y = path.rpartition("L")[2].split()
    label = gettext("%(first)s to %(last)s in %(lists)s lists") % {
        "first": ratings[0],
        "last": ratings[-1],
        "lists": len(ratings),
    }
    return format_html(
        '<td class="{}"><svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path class="spark__line" d="{}"/><circle class="spark__end" cx="{}" cy="{}" r="2"/></svg></td>',
        SPARK_STYLE,
        *SPARK_SIZE,
        label,
        path,
        x,
        y,
    )


def cell(column: Column, rating_list: RatingList) -> Callable[[Any], SafeString]:
    """How a page shows a value of a column in a cell of its own."""
    style = cell_style(column, column.tone)
    printed = title_mark if column.name == "title" else printer(column, rating_list)
    if column.name in rating_list.declaration.divided_by:

        def divided(value: str) -> SafeString:
            """The value as a link to its derived list."""
            if not value:
                return format_html('<td class="{}"></td>', style)
            address = variant_address(rating_list, f"{column.name}:{value}")
            return format_html('<td class="{}"><a href="{}">{}</a></td>', style, address, printed(value))

        return cache(divided)
    return cache(lambda value: format_html('<td class="{}">{}</td>', style, printed(value)))


def printer(column: Column, rating_list: RatingList) -> Callable[[Any], object]:
    """How a page prints a value of a column. An opening list has no list before it, so no differences."""
    match column.kind:
        case Kind.DIFFERENCE:
            return (lambda _: "") if rating_list.is_opening else change
        case Kind.SCALED:
            return lambda value: "" if value is None else decimals(value, column.decimals)
        case Kind.HALVES:
            return lambda value: in_scale(value, PointsScale.HALVES)
        case Kind.DAY:
            return on_day
        case Kind.FLAG:
            return lambda value: gettext("yes") if value else ""
        case _:
            return lambda value: "" if value is None else value


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


@login_not_required
@require_safe
@declare_parameters()
def earlier_lists(request: HttpRequest, pool: str, in_force: date, revision: int) -> HttpResponseBase:
    """All lists of the pool, every revision of them."""
    stamp = stamp_or_404(pool, in_force, revision)
    lists = selectors.lists_of_pool(pool)

    def render_page() -> str:
        found = cached_list(stamp)
        in_force = next((other.pk for other in lists if other.in_force == stamp.in_force_today), None)
        context = {
            **list_context(found, "earlier", permanent=True),
            "lists": lists,
            "in_force": {in_force},
            "today": selectors.office_today(),
        }
        return render_to_string("ratings/list_earlier.html", context, request)

    # The stamp of a list does not change with a revision of a later one.
    return public_page(request, ("earlier", *(other.pk for other in lists), *stamp), render_page)


@login_not_required
@require_safe
def published_file(
    request: HttpRequest, pool: str, in_force: date, revision: int, name: str
) -> HttpResponseBase:
    """A file of a list, byte for byte as it was hashed when the list was published, or when a name was erased."""
    try:
        found = selectors.find_file(pool, in_force, revision, name)
    except NotPublishedError as error:
        raise Http404 from error
    if found.size == 0:
        return HttpResponse(
            gettext(
                "This file is being made again, because a name was erased. Please try again in a minute."
            ),
            content_type="text/plain; charset=utf-8",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Retry-After": str(SECONDS_TO_REMAKE), "Cache-Control": "no-store"},
        )

    def stored(encoding: str) -> HttpResponse:
        file = get_object_or_404(CompressedFile, file=found.pk, encoding=encoding)
        return HttpResponse(bytes(file.content), content_type=found.content_type)

    return public_file(
        request,
        found.sha256,
        f"{pool}_{in_force}_r{revision}_{found.name}",
        lambda: HttpResponse(bytes(found.content), content_type=found.content_type),
        # A file with names is written again when a person is erased; a file of figures alone never changes.
        never_changes=not found.has_names,
        compressed={name: partial(stored, name) for name in found.encodings},  # type: ignore[attr-defined]
    )


@login_not_required
@require_safe
def ratings_file(request: HttpRequest, pool: str, day: date, file_format: str) -> HttpResponseBase:
    """The ratings in force on a day, for the pairing program of a tournament that begins then.

    Of a coming day the newest list that comes into force until then: a later answer may be of a later list.
    """
    in_force = selectors.day_in_force(pool, day)
    if in_force is None or file_format not in PAIRING_FILES:
        raise Http404(gettext("No list of this pool is in force on this day."))
    stamp = stamp_or_404(pool, in_force, None)
    name = f"{pool}_{in_force}_r{stamp.newest_revision}_ratings.{file_format}"

    def content() -> bytes:
        return export_for_pairing(cached_list(stamp).rating_list, file_format)

    return generated_file(request, tuple(stamp), name, PAIRING_FILES[file_format], content)


def stamp_or_404(pool: str, in_force: date | None, revision: int | None) -> ListStamp:
    try:
        return selectors.list_stamp(pool, in_force, revision)
    except NotPublishedError as error:
        raise Http404 from error


def cached_list(stamp: ListStamp) -> PublishedList:
    """The list of a stamp, read once."""
    return cached(("published", *stamp), lambda: selectors.read_list(stamp))


def variant_or_404(rating_list: RatingList, name: str) -> ListVariant:
    variant = find_variant(rating_list, name)
    if variant is None:
        raise Http404
    return variant


def list_context(found: PublishedList, tab: str, *, permanent: bool) -> dict[str, Any]:
    """The values for the head of every page of a list."""
    rating_list = found.rating_list
    return {
        "published": found,
        "list": rating_list,
        "files": found.files,
        "pairing_files": PAIRING_FILES,
        "address": permanent_address(rating_list.pool.code, rating_list.in_force, rating_list.revision),
        "permanent": permanent,
        "tab": tab,
        # A tab has no room for the ages, which follow in brackets.
        "derived": [
            (derived.name, gettext(derived.title).partition(" (")[0])
            for derived in rating_list.rules.derived_lists
        ],
    }
