"""The query string of a list's page: filters, order and page, read and written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from ratings.published.selectors.list_rows import OFFICIAL, SORTS, ListPage, ListVariant, Selection
from ratings.systems.protocol import Rules
from reporting.web.paging import Pager, build_pager
from reporting.web.query_params import Search, quoted, requested_page, requested_search
from reporting.web.sorting import SortColumn, SortHeading, sort_headings

CATEGORIES = ("A", "B", "C")


def variant_label(variant: ListVariant) -> str:
    """The name of a variant of a list, in the language in use."""
    if variant.derived is not None:
        return gettext(variant.derived.title)
    return gettext("Official") if variant.name == OFFICIAL else gettext("Full")


COLUMNS = (
    SortColumn("name", gettext_lazy("Player")),
    SortColumn("federation", gettext_lazy("Fed."), gettext_lazy("Federation"), "table__wide"),
    SortColumn("born", gettext_lazy("Born"), style="table__num table__wide"),
    SortColumn("rating", gettext_lazy("Rating"), style="table__num"),
    SortColumn("change", gettext_lazy("Change"), style="table__num"),
    SortColumn(
        "games", gettext_lazy("Games"), gettext_lazy("Games counted in this period"), "table__num table__wide"
    ),
    SortColumn("total", gettext_lazy("Total games"), style="table__num table__wide"),
    SortColumn("category", gettext_lazy("Cat."), gettext_lazy("Category"), "table__mid table__wide"),
)
FALLING_FIRST = {"rating", "change", "games", "total"}

SORT_LABELS = {
    "rating": gettext_lazy("by rating, lowest first"),
    "-rating": gettext_lazy("by rating"),
    "name": gettext_lazy("by name"),
    "-name": gettext_lazy("by name, from Z to A"),
    "federation": gettext_lazy("by federation"),
    "-federation": gettext_lazy("by federation, from Z to A"),
    "born": gettext_lazy("by year of birth, oldest first"),
    "-born": gettext_lazy("by year of birth, youngest first"),
    "change": gettext_lazy("by change, largest loss first"),
    "-change": gettext_lazy("by change, largest gain first"),
    "games": gettext_lazy("by games of the period, fewest first"),
    "-games": gettext_lazy("by games of the period"),
    "total": gettext_lazy("by total games, fewest first"),
    "-total": gettext_lazy("by total games"),
    "category": gettext_lazy("by category"),
    "-category": gettext_lazy("by category, C first"),
}

UNKNOWN_VALUES = {
    "federation": gettext_lazy("Filter ignored: %(value)s is not a federation on this list."),
    "players": gettext_lazy("Filter ignored: %(value)s is not a group of players."),
    "age": gettext_lazy("Filter ignored: %(value)s is not an age class."),
    "category": gettext_lazy("Filter ignored: %(value)s is not a category."),
    "sort": gettext_lazy("Order ignored: this list cannot be sorted by %(value)s."),
}


@dataclass(frozen=True)
class Choice:
    """One option of a select."""

    value: str
    label: str
    chosen: bool


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
    rules: Rules
    asked: Mapping[str, str] = field(default_factory=dict)

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

    @property
    def order(self) -> str:
        return str(SORT_LABELS[self.selection.sort])

    @property
    def headings(self) -> Iterator[SortHeading]:
        return sort_headings(COLUMNS, self.selection.sort, self.href, FALLING_FIRST, swaps=True)

    @property
    def active(self) -> Iterator[ActiveFilter]:
        """The filters in use, each with the address that removes it."""
        selection = self.selection
        if self.search.typed:
            by_number = selection.number is not None
            template = gettext("FMJD-ID %(value)s") if by_number else gettext("Name %(value)s")
            yield ActiveFilter(template % {"value": quoted(self.search.typed)}, self.href(q=""))
        if selection.federation:
            yield ActiveFilter(
                self.federations.get(selection.federation, selection.federation), self.href(federation="")
            )
        if selection.women:
            yield ActiveFilter(gettext("Women"), self.href(players=""))
        if selection.age:
            yield ActiveFilter(gettext(selection.age.title), self.href(age=""))
        if selection.category:
            label = gettext("Category %(category)s") % {"category": selection.category}
            yield ActiveFilter(label, self.href(category=""))

    @property
    def cleared(self) -> str:
        """The list without any filter."""
        return self.href(q="", federation="", players="", age="", category="")

    @property
    def federation_choices(self) -> Iterator[Choice]:
        for code, name in self.federations.items():
            yield Choice(code, name, code == self.selection.federation)

    @property
    def age_choices(self) -> Iterator[Choice]:
        for derived in self.rules.derived_lists:
            if not derived.sex:
                label = gettext(derived.title)
                yield Choice(derived.name, label, derived == self.selection.age)

    @property
    def category_choices(self) -> Iterator[Choice]:
        for category in CATEGORIES:
            yield Choice(category, category, category == self.selection.category)

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


def variant_heading(variant: ListVariant) -> str:
    """What the page of a variant calls itself."""
    if variant.derived is not None:
        return gettext("Rating list: %(variant)s") % {"variant": variant_label(variant)}
    return gettext("Official rating list") if variant.name == OFFICIAL else gettext("Full rating list")


def address(path: str, parameters: Mapping[str, str]) -> str:
    """A path with those parameters that have a value."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


def read_list_query(
    request: HttpRequest, variant: ListVariant, federations: Mapping[str, str], rules: Rules
) -> ListQuery:
    """Read a query string. An unknown value is ignored, with a problem. Raises `Http404` for an impossible page."""
    query = request.GET
    search = requested_search(query)
    problems = [search.problem] if search.problem else []
    ages = {derived.name: derived for derived in rules.derived_lists if not derived.sex}
    known = {
        "federation": list(federations),
        "players": ["women"],
        "age": list(ages),
        "category": CATEGORIES,
        "sort": [*SORTS, *(f"-{key}" for key in SORTS)],
    }
    read = {}
    for name, values in known.items():
        value = query.get(name, "")
        if name == "federation":
            value = value.upper()
        if value and value not in values:
            problems.append(UNKNOWN_VALUES[name] % {"value": quoted(value)})
            value = ""
        read[name] = value
    sort = read["sort"] or variant.default_sort
    page = requested_page(query)
    return ListQuery(
        path=request.path,
        variant=variant,
        search=search,
        selection=Selection(
            words=search.words,
            number=search.number,
            federation=read["federation"],
            women=bool(read["players"]),
            age=ages.get(read["age"]),
            category=read["category"],
            sort=sort,
            page=page,
        ),
        problems=problems,
        federations=federations,
        rules=rules,
        asked={"q": search.typed, **read},
    )
