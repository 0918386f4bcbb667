"""The query string of a list's page: filters, order and page, read and written."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from http import HTTPStatus
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from ratings.models import RatingList
from ratings.published.selectors.list_rows import (
    OFFICIAL,
    SEXES,
    Activity,
    ListPage,
    ListVariant,
    Selection,
    titles_on,
)
from ratings.systems.declared import Column, Declaration, Kind, Tone
from ratings.systems.protocol import Rules
from reporting.rules.register.titles import all_titles
from reporting.web.paging import Pager, build_pager
from reporting.web.query_params import PageForm, Search, SearchForm, quoted
from reporting.web.sorting import SortColumn, SortHeading, sort_headings


def variant_label(variant: ListVariant) -> str:
    """The name of a variant of a list, in the language in use."""
    if variant.derived is not None:
        return gettext(variant.derived.title)
    return gettext("Official") if variant.name == OFFICIAL else gettext("Full")


UNKNOWN_VALUES = {
    "federation": gettext_lazy("Filter ignored: %(value)s is not a federation on this list."),
    "players": gettext_lazy("Filter ignored: %(value)s is not a group of players."),
    "age": gettext_lazy("Filter ignored: %(value)s is not an age class."),
    "title": gettext_lazy("Filter ignored: %(value)s is not a title on this list."),
    "activity": gettext_lazy("Filter ignored: %(value)s is not a kind of activity."),
    "sort": gettext_lazy("Order ignored: this list cannot be sorted by %(value)s."),
}


SEX_LABELS = {"women": gettext_lazy("Women"), "men": gettext_lazy("Men")}
ACTIVITY_LABELS = {
    Activity.PERIOD: gettext_lazy("Games in this period"),
    Activity.YEAR: gettext_lazy("Games in the last year"),
}


@dataclass(frozen=True)
class Choice:
    """One option of a select."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class ColumnFilter:
    """The select of a column that a list can be filtered by; `every` is its option without a value."""

    name: str
    label: str
    every: str
    choices: Sequence[Choice]


@dataclass(frozen=True)
class ActiveFilter:
    """A filter in use, with the address of the page without it."""

    label: str
    href: str


@dataclass(frozen=True)
class ListQuery:
    """What a reader asks of one variant of a list, and what of it could not be used."""

    path: str
    variant: ListVariant
    search: Search
    selection: Selection
    problems: Sequence[str]
    federations: Mapping[str, str]
    titles: Sequence[str]
    rules: Rules
    declaration: Declaration
    asked: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> HTTPStatus:
        return HTTPStatus.BAD_REQUEST if self.problems else HTTPStatus.OK

    def href(self, **changes: str) -> str:
        """This page with these parameters changed, without empty ones and defaults.

        Another filter or order starts again at page 1.
        """
        parameters = {**self.asked, "page": "", **changes}
        if parameters.get("sort") == self.variant.default_sort:
            parameters["sort"] = ""
        return address(self.path, parameters)

    @property
    def here(self) -> str:
        """The shortest address of this page."""
        return self.href(page=str(self.selection.page) if self.selection.page > 1 else "")

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
        return address(path, {"top": str(rows), "variant": variant, "federation": self.selection.federation})

    @property
    def order(self) -> str:
        """The order of the rows, in the language in use."""
        _, sort = self.declaration.sorts[self.selection.sort.removeprefix("-")]
        return gettext(sort.falling if self.selection.sort.startswith("-") else sort.rising)

    @property
    def headings(self) -> Iterator[SortHeading]:
        """The headings after the rank: the player, and the columns that the system declares."""
        columns = [self.declaration.column(name) for name in ("name", *self.declaration.list_page)]
        falling_first = {column.sort.key for column in columns if column.sort and column.sort.falls_first}
        return sort_headings(
            [heading(column) for column in columns],
            self.selection.sort,
            self.href,
            falling_first,
            swaps=True,
        )

    @property
    def active_on_phone(self) -> int:
        """How many filters are in use without the search: on a phone they are folded, and the search is not."""
        return sum(1 for _ in self.active) - bool(self.search.typed)

    @property
    def active(self) -> Iterator[ActiveFilter]:
        """The filters in use, each with the address that removes it."""
        selection = self.selection
        if self.search.typed:
            by_number = selection.number is not None
            template = gettext("Number %(value)s") if by_number else gettext("Name %(value)s")
            yield ActiveFilter(template % {"value": quoted(self.search.typed)}, self.href(q=""))
        if selection.federation:
            yield ActiveFilter(
                self.federations.get(selection.federation, selection.federation), self.href(federation="")
            )
        if selection.sex:
            yield ActiveFilter(str(SEX_LABELS[self.asked["players"]]), self.href(players=""))
        if selection.age:
            yield ActiveFilter(gettext(selection.age.title), self.href(age=""))
        if selection.title:
            yield ActiveFilter(gettext("Title %(value)s") % {"value": selection.title}, self.href(title=""))
        if selection.activity:
            yield ActiveFilter(str(ACTIVITY_LABELS[selection.activity]), self.href(activity=""))
        for name, value in selection.chosen.items():
            _, filtered = self.declaration.filters[name]
            yield ActiveFilter(gettext(filtered.in_use) % {"value": value}, self.href(**{name: ""}))

    @property
    def cleared(self) -> str:
        """The list without any filter."""
        chosen = dict.fromkeys(self.selection.chosen, "")
        return self.href(q="", federation="", players="", age="", title="", activity="", **chosen)

    @property
    def federation_choices(self) -> Iterator[Choice]:
        for code, name in self.federations.items():
            yield Choice(code, name, code == self.selection.federation)

    @property
    def sex_choices(self) -> Iterator[Choice]:
        for value, label in SEX_LABELS.items():
            yield Choice(value, str(label), value == self.asked["players"])

    @property
    def title_choices(self) -> Iterator[Choice]:
        labels = all_titles()
        for code in self.titles:
            yield Choice(code, f"{code}: {gettext(labels[code].label)}", code == self.selection.title)

    @property
    def activity_choices(self) -> Iterator[Choice]:
        for value, label in ACTIVITY_LABELS.items():
            yield Choice(value, str(label), value == self.selection.activity)

    @property
    def age_choices(self) -> Iterator[Choice]:
        for derived in self.rules.derived_lists:
            if not derived.sex:
                label = gettext(derived.title)
                yield Choice(derived.name, label, derived == self.selection.age)

    @property
    def column_filters(self) -> Iterator[ColumnFilter]:
        """The selects of the columns that the system lets a reader filter by."""
        for name, (column, filtered) in self.declaration.filters.items():
            chosen = self.selection.chosen.get(name)
            yield ColumnFilter(
                name,
                gettext(column.full_label or column.label),
                gettext(filtered.every),
                [Choice(value, value, value == chosen) for value in filtered.values],
            )

    @property
    def has_sex_filter(self) -> bool:
        """Whether players can be filtered by sex: not on the list of women."""
        return self.variant.derived is None or not self.variant.derived.sex

    @property
    def has_age_filter(self) -> bool:
        return self.variant.derived is None or bool(self.variant.derived.sex)

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
    )


def cell_style(column: Column, tone: Tone) -> str:
    """The classes of a cell of a declared column: where it is aligned, whether a phone shows it, its tone."""
    aligned = "num" if column.kind.is_number else "mid" if column.kind is Kind.LETTER else ""
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


def variant_heading(variant: ListVariant) -> str:
    """What the page of a variant calls itself."""
    if variant.derived is not None:
        return gettext("Rating list: %(variant)s") % {"variant": variant_label(variant)}
    return gettext("Official rating list") if variant.name == OFFICIAL else gettext("Full rating list")


def address(path: str, parameters: Mapping[str, str]) -> str:
    """A path with those parameters that have a value."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


class KnownValueField(forms.Field):
    """A value that the list knows, or none; `unknown` is the problem with any other value."""

    def __init__(self, values: Collection[str], unknown: str | Promise) -> None:
        super().__init__(required=False)
        self.values, self.unknown = values, unknown

    def to_python(self, value: str | None) -> str:
        return value or ""

    def validate(self, value: str) -> None:
        if value and value not in self.values:
            raise forms.ValidationError(self.unknown % {"value": quoted(value)})


class FederationField(KnownValueField):
    """A code of three letters, small or capital."""

    def to_python(self, value: str | None) -> str:
        return super().to_python(value).upper()


class ListForm(forms.Form):
    """The filters of a list and its order. A field with an error is ignored."""

    def __init__(self, data: QueryDict, fields: Mapping[str, forms.Field]) -> None:
        super().__init__(data)
        self.fields |= fields

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problems in self.errors.values() for problem in problems]


def filter_values(
    rules: Rules, declaration: Declaration, titles: Sequence[str]
) -> dict[str, Collection[str]]:
    """What a list can be filtered and sorted by: parameter → its values. The page and the API read these."""
    return {
        "players": SEXES,
        "age": [derived.name for derived in rules.derived_lists if not derived.sex],
        "title": titles,
        "activity": [*Activity],
        **{name: filtered.values for name, (_, filtered) in declaration.filters.items()},
        "sort": [f"{way}{key}" for key in declaration.sorts for way in ("", "-")],
    }


def selection_of(
    read: Mapping[str, str], search: Search, rating_list: RatingList, variant: ListVariant, page: int = 1
) -> Selection:
    """What is asked of a list by the valid values of `filter_values` and a federation."""
    ages = {derived.name: derived for derived in rating_list.rules.derived_lists}
    return Selection(
        words=search.words,
        number=search.number,
        federation=read["federation"],
        sex=SEXES.get(read["players"], ""),
        age=ages.get(read["age"]),
        title=read["title"],
        activity=Activity(read["activity"]) if read["activity"] else None,
        chosen={name: read[name] for name in rating_list.declaration.filters if read[name]},
        sort=read["sort"] or variant.default_sort,
        page=page,
    )


def read_list_query(
    request: HttpRequest, rating_list: RatingList, variant: ListVariant, federations: Mapping[str, str]
) -> ListQuery:
    """Read a query string. An unknown value is left out, with a problem. Raises `Http404` for an impossible page."""
    search = SearchForm(request.GET).search
    rules, declaration, titles = rating_list.rules, rating_list.declaration, titles_on(rating_list)
    unknown = UNKNOWN_VALUES | {
        name: gettext(filtered.unknown) for name, (_, filtered) in declaration.filters.items()
    }
    values = filter_values(rules, declaration, titles)
    form = ListForm(
        request.GET,
        {"federation": FederationField(federations, unknown["federation"])}
        | {name: KnownValueField(known, unknown[name]) for name, known in values.items()},
    )
    problems = [*filter(None, [search.problem]), *form.problems]
    read = {name: form.cleaned_data.get(name, "") for name in form.fields}
    page = PageForm(request.GET).number_or_404
    return ListQuery(
        path=request.path,
        variant=variant,
        search=search,
        selection=selection_of(read, search, rating_list, variant, page),
        problems=problems,
        federations=federations,
        titles=titles,
        rules=rules,
        declaration=declaration,
        asked={"q": search.typed, **read},
    )
