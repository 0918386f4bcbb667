"""Long tables in pages of rows: the rows that a page shows, how many there are, the links to the other pages."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Page
from django.http import HttpRequest, QueryDict

from reporting.web.query_params import PageForm

ROWS_PER_PAGE = 100

CHARACTERS_PER_PAGE = 40_000
"""Characters of a file on a page. In HTML each takes up to 6 bytes, and the same again in the field that edits it."""

FINDING_WEIGHT = 200
"""The weight of a finding with its field on such a page, in characters."""

CELLS_PER_PAGE = 1_200
"""Results of a crosstable on a page, about 300 bytes each: 12 rounds of 100 players, 99 rounds of 12."""

MAX_RESULTS_PER_CELL = 8
"""Results of one player in one round that a crosstable shows; only a wrong report has more."""

MAX_OTHER_PAGES = 12
"""Other pages of rows in the address: the other tables stay where they are while one table turns its page."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class PageLink:
    """A link to a page of rows; number 0 is a gap."""

    number: int
    href: str = ""
    first: int = 0
    last: int = 0
    current: bool = False


@dataclass(frozen=True)
class Pager:
    """The links to the pages of rows, in the address under `name`.

    With `swaps` htmx takes them into the page instead of loading the whole page. With `posts` they are buttons of the
    form around them, which sends what was typed; `anchor` is the part of the page to show then.
    """

    links: Sequence[PageLink]
    previous: PageLink | None
    next: PageLink | None
    swaps: bool = False
    name: str = "page"
    posts: bool = False
    anchor: str = ""


@dataclass(frozen=True)
class Rows(Generic[Row]):
    """The rows on a page, the numbers of the first and last of them, and the total."""

    rows: Sequence[Row]
    first: int
    last: int
    total: int
    pager: Pager | None = None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_paged(self) -> bool:
        return len(self.rows) < self.total

    @property
    def slice(self) -> str:
        """These rows as argument of the template filter `slice`."""
        return f"{self.first - 1}:{self.last}"


def rows_on_page(
    request: HttpRequest | None,
    rows: Sequence[Row],
    name: str = "page",
    *,
    most: int = ROWS_PER_PAGE,
    weight: Callable[[Row], int] | None = None,
    most_weight: int = CHARACTERS_PER_PAGE,
    holds: int | None = None,
    anchor: str = "",
    posts: bool = False,
) -> Rows[Row]:
    """The page that the address or the form requests under `name`; the last page if the number is too high.

    A page has at most `most` rows, and rows of different length weigh at most `most_weight` together. With `holds`,
    the place of a row, it is the page with that row. Without a request it is the first page, with no links.
    """
    starts: Sequence[int] = range(0, len(rows), most) or [0]
    if weight is not None:
        starts = _page_starts([weight(row) for row in rows], most, most_weight)
    asked = None
    if request is not None:
        asked = PageForm(request.POST, name).number or PageForm(request.GET, name).number
    page = min(asked or 1, len(starts))
    if holds is not None and 0 <= holds < len(rows):
        page = bisect_right(starts, holds)
    start = starts[page - 1]
    shown = rows[start : starts[page] if page < len(starts) else len(rows)]
    cut = Rows(shown, start + 1 if rows else 0, start + len(shown), len(rows))
    if request is None:
        return cut
    others = [(other, number) for other, number in OtherPagesForm(request.GET).numbers if other != name]

    def href(page: str) -> str:
        return f"?{urlencode([*others, (name, page)] if page else others)}{anchor}"

    pager = build_pager(page, len(starts), len(rows), href, starts=starts)
    return replace(cut, pager=pager and replace(pager, name=name, posts=posts, anchor=anchor))


def rounds_on_page(request: HttpRequest | None, rounds: Sequence[int], lines: Sequence[Any]) -> Rows[int]:
    """The rounds of a crosstable that fit on a page with these lines; a line has its `cells` by round."""
    weights = [
        sum(max(1, min(len(line.cells[turn]), MAX_RESULTS_PER_CELL)) for line in lines)
        for turn in range(len(rounds))
    ]
    places = rows_on_page(
        request,
        range(len(rounds)),
        "rounds",
        most=len(rounds) or 1,
        weight=weights.__getitem__,
        most_weight=CELLS_PER_PAGE,
        anchor="#crosstable",
    )
    return replace(places, rows=[rounds[place] for place in places])


def build_pager(
    page: int,
    pages: int,
    total: int,
    href: Callable[..., str],
    *,
    swaps: bool = False,
    starts: Sequence[int] | None = None,
) -> Pager | None:
    """Links to the first page, the last and those around this one; None where there is only one page.

    `starts` are the places of the first row of each page, from 0; by default a page has ROWS_PER_PAGE rows.
    """
    if pages <= 1:
        return None
    starts = range(0, pages * ROWS_PER_PAGE, ROWS_PER_PAGE) if starts is None else starts

    def link(number: int) -> PageLink:
        return PageLink(
            number,
            href(page=str(number) if number > 1 else ""),
            starts[number - 1] + 1,
            starts[number] if number < pages else total,
            current=number == page,
        )

    links: list[PageLink] = []
    for number in sorted({1, pages, *range(max(page - 2, 1), min(page + 2, pages) + 1)}):
        gap = number - (links[-1].number if links else 0) - 1
        if gap:  # a gap of one page is that page
            links.append(link(number - 1) if gap == 1 else PageLink(0))
        links.append(link(number))
    return Pager(links, link(page - 1) if page > 1 else None, link(page + 1) if page < pages else None, swaps)


def pager_of(page: Page[Any], query: Mapping[str, str]) -> Pager | None:
    """The pager of a page of a Django paginator; `query` is what else the address asks for."""
    others = {name: text for name, text in query.items() if text}

    def href(page: str) -> str:
        return "?" + urlencode(others | ({"page": page} if page else {}), errors="replace")

    paginator = page.paginator
    starts = range(0, max(paginator.count, 1), paginator.per_page)
    return build_pager(page.number, paginator.num_pages, paginator.count, href, starts=starts)


def _page_starts(weights: Sequence[int], most: int, most_weight: int) -> list[int]:
    """Where each page begins. A row heavier than a page has a page of its own."""
    starts, rows_on_it, weight_of_it = [0], 0, 0
    for place, weight in enumerate(weights):
        if rows_on_it and (rows_on_it == most or weight_of_it + weight > most_weight):
            starts.append(place)
            rows_on_it, weight_of_it = 0, 0
        rows_on_it += 1
        weight_of_it += weight
    return starts


class OtherPagesForm(forms.Form):
    """The numbers in an address, which are pages of rows. Long words of a visitor are not repeated in every link."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            name: forms.RegexField(r"\A[0-9]{1,6}\Z") for name in data if len(name) <= MAX_OTHER_PAGES
        }

    @property
    def numbers(self) -> list[tuple[str, str]]:
        self.full_clean()
        return list(self.cleaned_data.items())[:MAX_OTHER_PAGES]
