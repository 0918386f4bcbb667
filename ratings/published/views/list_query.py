"""The query string of a list's page: filters, order and page, read and written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import HttpRequest

from ratings.published.selectors.list_rows import SORTS, ListPage, ListVariant, Selection
from ratings.rules.fmjd.parameters import DerivedList, Parameters
from reporting.web.paging import Pager, build_pager
from reporting.web.query_params import Search, quoted, requested_page, requested_search

CATEGORIES = ("A", "B", "C")
FALLING_FIRST = {"rating", "change", "games", "total"}


@dataclass(frozen=True)
class Choice:
    """One line of a select."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class ActiveFilter:
    """A filter in use, with the address of the page without it."""

    words: str
    href: str


@dataclass(frozen=True)
class Column:
    """A heading of the table: a link that sorts by it, and how it is sorted now."""

    key: str
    words: str
    full_label: str
    style: str
    href: str
    direction: str

    @property
    def title(self) -> str:
        """For a heading that is shortened."""
        return self.full_label if self.full_label != self.words else ""


COLUMNS = (
    ("name", "Player", "Player", ""),
    ("federation", "Fed.", "Federation", "table__wide"),
    ("born", "Born", "Born", "table__num table__wide"),
    ("rating", "Rating", "Rating", "table__num"),
    ("change", "Change", "Change", "table__num"),
    ("games", "Games", "Games counted in this period", "table__num table__wide"),
    ("total", "In all", "Games counted in all", "table__num table__wide"),
    ("category", "Cat.", "Category", "table__mid table__wide"),
)

SORT_LABELS = {
    "rating": "by rating, lowest first", "-rating": "by rating", "name": "by name", "-name": "by name, from Z to A",
    "federation": "by federation", "-federation": "by federation, from Z to A",
    "born": "by year of birth, oldest first", "-born": "by year of birth, youngest first",
    "change": "by change, largest loss first", "-change": "by change, largest gain first",
    "games": "by games of the period, fewest first", "-games": "by games of the period",
    "total": "by games in all, fewest first", "-total": "by games in all",
    "category": "by category", "-category": "by category, C first",
}  # fmt: skip


@dataclass(frozen=True)
class ListQuery:
    """A reader's question to one form of a list, and what of it could not be used."""

    path: str
    form: ListVariant
    search: Search
    selection: Selection
    problems: Sequence[str]
    federations: Mapping[str, str]
    parameters: Parameters
    asked: Mapping[str, str] = field(default_factory=dict)

    def href(self, **changes: str) -> str:
        """This page with these parameters changed; empty ones and what goes without saying left out.

        Whoever changes a filter or the order starts again at page 1.
        """
        parameters = {**self.asked, "page": "", **changes}
        if parameters.get("sort") == self.form.default_sort:
            parameters["sort"] = ""
        return address(self.path, parameters)

    @property
    def here(self) -> str:
        """The page as it would be asked for most shortly."""
        return self.href(page=str(self.selection.page) if self.selection.page > 1 else "")

    @property
    def order(self) -> str:
        return SORT_LABELS[self.selection.sort]

    @property
    def columns(self) -> Iterator[Column]:
        for key, words, full_label, style in COLUMNS:
            current = self.selection.sort.removeprefix("-") == key
            falls = self.selection.sort.startswith("-")
            if current:
                falls_next, direction = not falls, "descending" if falls else "ascending"
            else:
                falls_next, direction = key in FALLING_FIRST, ""
            yield Column(
                key, words, full_label, style, self.href(sort=f"{'-' if falls_next else ''}{key}"), direction
            )

    @property
    def active(self) -> Iterator[ActiveFilter]:
        """The filters in use, each of which can be taken off."""
        selection = self.selection
        if self.search.typed:
            words = "FMJD-ID" if selection.number is not None else "Name"
            yield ActiveFilter(f"{words} {quoted(self.search.typed)}", self.href(q=""))
        if selection.federation:
            yield ActiveFilter(
                self.federations.get(selection.federation, selection.federation), self.href(federation="")
            )
        if selection.women:
            yield ActiveFilter("Women", self.href(players=""))
        if selection.age:
            yield ActiveFilter(selection.age.title, self.href(age=""))
        if selection.category:
            yield ActiveFilter(f"Category {selection.category}", self.href(category=""))

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
        for each in self.parameters.derived_lists:
            if not each.sex:
                yield Choice(each.name, age_label(each), each == self.selection.age)

    @property
    def category_choices(self) -> Iterator[Choice]:
        for each in CATEGORIES:
            yield Choice(each, each, each == self.selection.category)

    @property
    def has_sex_filter(self) -> bool:
        """A list of women has no such question."""
        return self.form.derived is None or not self.form.derived.sex

    @property
    def has_age_filter(self) -> bool:
        return self.form.derived is None or bool(self.form.derived.sex)

    def pager(self, page: ListPage) -> Pager | None:
        """The pages of the list, taken into the page by htmx."""
        return build_pager(page.page, page.pages, page.total, self.href, swaps=True)


def age_label(derived: DerivedList) -> str:
    """An age class in few words: `Juniors, 19`, `Veterans, 60+`."""
    limit = f"{derived.youngest}+" if derived.oldest is None else str(derived.oldest)
    return f"{derived.title.partition(' (')[0]}, {limit}"


def address(path: str, parameters: Mapping[str, str]) -> str:
    """A path with those parameters that have a value."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{path}?{query}" if query else path


def read_list_query(
    request: HttpRequest, form: ListVariant, federations: Mapping[str, str], parameters: Parameters
) -> ListQuery:
    """Read a request's query string; an unknown value is left out and told. Raises `Http404` for an impossible page."""
    query = request.GET
    search = requested_search(query)
    problems = [search.problem] if search.problem else []
    ages = {each.name: each for each in parameters.derived_lists if not each.sex}
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
            problems.append(f"No {name} {quoted(value)} here: it was left out.")
            value = ""
        read[name] = value
    sort = read["sort"] or form.default_sort
    page = requested_page(query)
    return ListQuery(
        path=request.path,
        form=form,
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
        parameters=parameters,
        asked={"q": search.typed, **read},
    )
