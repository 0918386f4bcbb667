"""The query string of a list's page: filters, order and page, read and written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from ratings.models import RatingList
from ratings.published.views.entry_filters import EntryFilterSet, KnownValueField, KnownValueFilter
from ratings.queries.list_rows import OFFICIAL, ListPage, ListVariant, Matching
from ratings.rules.declared import Column, Declaration, Kind, Tone
from reporting.rules.register.countries import country_code
from reporting.web.paging import Pager, build_pager
from reporting.web.query_params import PageForm, quoted
from reporting.web.sorting import SortColumn, SortHeading, sort_headings

IN_ROW = ("federation", "activity")
"""The filters for which the row of filters has room."""


def variant_label(rating_list: RatingList, variant: ListVariant) -> str:
    """The name of a variant of a list, in the language in use."""
    if variant.derived is not None:
        return gettext(variant.derived.title)
    if variant.column is not None:
        return f"{gettext(variant.column.full_label or variant.column.label)} {variant.value}"
    if not rating_list.declaration.has_official_list:
        return gettext("All players")
    return gettext("Official") if variant.name == OFFICIAL else gettext("Full")


class FederationField(KnownValueField):
    """A code of three letters, small or capital, or the name of the country."""

    def prepare_value(self, value: Any) -> Any:
        return self.to_python(value) if isinstance(value, str) else value

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value))
        return country_code(text) or text.upper()


class FederationFilter(KnownValueFilter):
    """Filters by a federation on the list."""

    field_class = FederationField


class ListPageFilterSet(EntryFilterSet):
    """The filters of the page of a list: a federation is one of those on it."""

    def __init__(self, data: QueryDict, rating_list: RatingList, federations: Mapping[str, str]) -> None:
        of_list = FederationFilter(
            field_name="federation",
            label=gettext("Federation"),
            choices=[(code, f"{name} ({code})") for code, name in federations.items()],
            empty_label=gettext("All %(number)s") % {"number": len(federations)},
            unknown=gettext_noop("%(value)s is not a federation on this list."),
        )
        super().__init__(data, rating_list, federation=of_list)


SPARK_STYLE = "table__wide table__spark"
"""The classes of a cell with the line of a player's last ratings."""


@dataclass(frozen=True)
class ActiveFilter:
    """A filter in use, with the address of the page without it."""

    label: str
    href: str


@dataclass(frozen=True)
class ListQuery:
    """What a reader asks of one variant of a list; what of it cannot be used is not asked."""

    path: str
    variant: ListVariant
    filters: ListPageFilterSet
    declaration: Declaration
    page: int = 1

    @cached_property
    def form(self) -> Any:
        return self.filters.form

    @property
    def problems(self) -> list[str]:
        """What is ignored, because it cannot be used."""
        ignored = {
            "q": "%(reason)s",
            "sort": gettext("Order ignored: %(reason)s"),
        }
        return [
            ignored.get(name, gettext("Filter ignored: %(reason)s")) % {"reason": reason}
            for name, reasons in self.form.errors.items()
            for reason in reasons
        ]

    @property
    def status(self) -> HTTPStatus:
        return HTTPStatus.BAD_REQUEST if self.problems else HTTPStatus.OK

    @cached_property
    def in_use(self) -> dict[str, Any]:
        """The filters in use with their values."""
        return self.filters.values

    @property
    def matching(self) -> Matching | None:
        """What the filters in use leave of the rows; None without a filter."""
        return self.filters.filter_queryset if self.in_use else None

    @property
    def sort(self) -> str:
        return self.form.cleaned_data.get("sort") or self.variant.default_sort

    @property
    def typed(self) -> str:
        """The search as it was typed; empty if it cannot be used."""
        return self.in_use["q"].typed if "q" in self.in_use else ""

    def href(self, **changes: str) -> str:
        """This page with these parameters changed, without empty ones and defaults.

        Another filter or order starts again at page 1.
        """
        parameters = {**self.in_use, "q": self.typed, "sort": self.sort, "page": "", **changes}
        if parameters["sort"] == self.variant.default_sort:
            parameters["sort"] = ""
        return address(self.path, parameters)

    @property
    def here(self) -> str:
        """The shortest address of this page."""
        return self.href(page=str(self.page) if self.page > 1 else "")

    def lasting(self, rating_list: RatingList) -> str:
        """The address of these rows of this revision of the list, which always shows the same."""
        return replace(self, path=variant_address(rating_list, self.variant.name)).here

    def to_print(self, rating_list: RatingList) -> str:
        """The page of all rows with these filters in this order."""
        day, revision = rating_list.in_force, rating_list.revision
        path = reverse("list-print", args=[rating_list.pool.code, day, revision, self.variant.name])
        return replace(self, path=path).href()

    def embedded(self, rating_list: RatingList, rows: int) -> str:
        """The first rows of this variant of the list in force, as other sites embed it."""
        path = reverse("embed-list", args=[rating_list.pool.code])
        variant = "" if self.variant.name == OFFICIAL else self.variant.name
        federation = self.in_use.get("federation", "")
        return address(path, {"top": str(rows), "variant": variant, "federation": federation})

    @property
    def order(self) -> str:
        """The order of the rows, in the language in use."""
        _, sort = self.declaration.sorts[self.sort.removeprefix("-")]
        return gettext(sort.falling if self.sort.startswith("-") else sort.rising)

    @property
    def headings(self) -> Iterator[SortHeading]:
        """The headings after the rank: the player, and the columns that the system declares."""
        columns = [self.declaration.column(name) for name in ("name", *self.declaration.list_page)]
        falling_first = {column.sort.key for column in columns if column.sort and column.sort.falls_first}
        shown = [heading(column) for column in columns]
        after = self.declaration.list_page.index("change") + 2
        shown.insert(after, SortColumn("", gettext("Eight lists"), "", SPARK_STYLE))
        return sort_headings(
            shown,
            self.sort,
            self.href,
            falling_first,
            swaps=True,
        )

    @property
    def active_on_phone(self) -> int:
        """How many filters are in use without the search: on a phone they are folded, and the search is not."""
        return len(self.in_use.keys() - {"q"})

    @property
    def active_in_panel(self) -> int:
        """How many filters are in use of those that are folded where there is room, too."""
        return len(self.in_use.keys() - {"q", *IN_ROW})

    @property
    def active(self) -> Iterator[ActiveFilter]:
        """The filters in use, each with the address that removes it."""
        for name, value in self.in_use.items():
            if name == "q":
                template = gettext("Name %(value)s") if value.number is None else gettext("Number %(value)s")
                label = template % {"value": quoted(value.typed)}
            elif name == "title":
                label = gettext("Title %(value)s") % {"value": value}
            elif name in self.declaration.filters:
                _, declared = self.declaration.filters[name]
                label = gettext(declared.in_use) % {"value": value}
            else:
                label = str(dict(self.form.fields[name].choices)[value])
            yield ActiveFilter(label, self.href(**{name: ""}))

    @property
    def cleared(self) -> str:
        """The list without any filter."""
        return self.href(**dict.fromkeys(["q", *self.in_use], ""))

    @property
    def selects(self) -> Iterator[forms.BoundField]:
        """The filters with a choice, without one that says nothing of this list or of this variant."""
        derived = self.variant.derived
        fixed = "" if derived is None else "players" if derived.sex else "age"
        for name, declared in self.filters.filters.items():
            if declared.extra.get("choices") and name != fixed:
                yield self.form[name]

    @property
    def row_selects(self) -> list[forms.BoundField]:
        """The filters next to the search."""
        return [field for field in self.selects if field.name in IN_ROW]

    @property
    def panel_selects(self) -> list[forms.BoundField]:
        """The filters that a switch unfolds."""
        return [field for field in self.selects if field.name not in IN_ROW]

    def pager(self, page: ListPage) -> Pager | None:
        """The pages of the list, taken into the page by htmx."""
        return build_pager(page.page, page.pages, page.total, self.href, swaps=True)


def heading(column: Column) -> SortColumn:
    """The heading of a declared column, in the language in use."""
    return SortColumn(
        column.sort.key if column.sort else "",
        gettext(column.label),
        gettext(column.full_label) if column.full_label else "",
        cell_style(column, Tone.NORMAL),
        "+/−" if column.kind is Kind.DIFFERENCE else "",
    )


def cell_style(column: Column, tone: Tone) -> str:
    """The classes of a cell of a declared column: where it is aligned, whether a phone shows it, its tone."""
    aligned = "num" if column.kind.is_number else "mid" if column.kind is Kind.LETTER else ""
    aligned = "fed" if column.name == "federation" else aligned
    return " ".join(f"table__{word}" for word in (aligned, "wide" if column.wide else "", tone) if word)


def permanent_address(pool: str, in_force: date | None, revision: int | None) -> str:
    """The permanent address of this revision of a list."""
    return reverse("list-revision", args=[pool, in_force, revision])


def variant_address(rating_list: RatingList, variant: str) -> str:
    """The permanent address of a variant of this revision of a list."""
    if variant == OFFICIAL:  # its address has no name of a variant
        return permanent_address(rating_list.pool.code, rating_list.in_force, rating_list.revision)
    arguments = [rating_list.pool.code, rating_list.in_force, rating_list.revision, variant]
    return reverse("list-variant", args=arguments)


def variant_heading(rating_list: RatingList, variant: ListVariant) -> str:
    """What the page of a variant calls itself."""
    if variant.is_part:
        return gettext("Rating list: %(variant)s") % {"variant": variant_label(rating_list, variant)}
    if not rating_list.declaration.has_official_list:
        return gettext("Rating list")
    return gettext("Official rating list") if variant.name == OFFICIAL else gettext("Full rating list")


def address(path: str, parameters: Mapping[str, str]) -> str:
    """A path with those parameters that have a value."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


def read_list_query(
    request: HttpRequest, rating_list: RatingList, variant: ListVariant, federations: Mapping[str, str]
) -> ListQuery:
    """Read a query string. An unknown value is left out, with a problem. Raises `Http404` for an impossible page."""
    return ListQuery(
        path=request.path,
        variant=variant,
        filters=ListPageFilterSet(request.GET, rating_list, federations),
        declaration=rating_list.declaration,
        page=PageForm(request.GET).number_or_400,
    )
