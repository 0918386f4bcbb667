"""Pages of rows of long tables: the rows of a page, their total, and links to the other pages."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext

ROWS_PER_PAGE = 100

CHARACTERS_PER_PAGE = 40_000
"""Characters of a file on a page. In HTML one takes up to 6 bytes, and again as many in the field that edits it."""

FINDING_WEIGHT = 200
"""The weight of a finding with its edit field on such a page, in characters."""

CELLS_PER_PAGE = 1_200
"""Results of a crosstable on a page, about 300 bytes each: 12 rounds of 100 players, 99 rounds of 12."""

MAX_RESULTS_PER_CELL = 8
"""Results of one player in one round that a crosstable shows; only a wrong report has more."""

MAX_OTHER_PAGES = 12
"""Pages of other tables kept in the address: they stay while the reader changes the page of one table."""

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

    With `swaps` htmx replaces only the rows. With `posts` the links are buttons of the surrounding form, so that
    entered values are sent too, and `anchor` is where the reader returns to.
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
    """The rows on a page, the numbers of the first and the last one, and the total."""

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
    def words(self) -> str:
        """The numbers of these rows and the total: `101 to 200 of 5,000`."""
        values = {"first": self.first, "last": self.last, "total": self.total}
        return gettext("{first:,} to {last:,} of {total:,}").format(**values)

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

    A page has at most `most` rows and, if rows have a `weight`, at most `most_weight` of it. `holds` is the index of a
    row that has to be on the page instead. Without a request: the first page, without links.
    """
    starts: Sequence[int] = range(0, len(rows), most) or [0]
    if weight is not None:
        starts = _starts([weight(row) for row in rows], most, most_weight)
    asked = "" if request is None else request.POST.get(name) or request.GET.get(name, "")
    page = min(int(asked) if re.fullmatch(r"[1-9][0-9]{0,5}", str(asked)) else 1, len(starts))
    if holds is not None and 0 <= holds < len(rows):
        page = bisect_right(starts, holds)
    start = starts[page - 1]
    shown = rows[start : starts[page] if page < len(starts) else len(rows)]
    cut = Rows(shown, start + 1 if rows else 0, start + len(shown), len(rows))
    if request is None:
        return cut
    others = [each for each in _asked_beside(request) if each[0] != name]

    def href(page: str) -> str:
        return f"?{urlencode([*others, (name, page)] if page else others)}{anchor}"

    pager = build_pager(page, len(starts), len(rows), href, starts=starts)
    return replace(cut, pager=pager and replace(pager, name=name, posts=posts, anchor=anchor))


def rounds_on_page(request: HttpRequest | None, rounds: Sequence[int], lines: Sequence[Any]) -> Rows[int]:
    """The rounds of a crosstable that fit on a page with these lines, each line with its `cells` by round."""
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
    """Links to the first, the last and the neighbouring pages; None if there is only one page.

    `starts` are the indexes of the first row of each page, if the pages do not have ROWS_PER_PAGE rows each.
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


def _starts(weights: Sequence[int], most: int, most_weight: int) -> list[int]:
    """Where each page begins: a row that is heavier than a page stands on one by itself."""
    starts, on_page, weighs = [0], 0, 0
    for place, weight in enumerate(weights):
        if on_page and (on_page == most or weighs + weight > most_weight):
            starts.append(place)
            on_page, weighs = 0, 0
        on_page += 1
        weighs += weight
    return starts


def _asked_beside(request: HttpRequest) -> list[tuple[str, str]]:
    """The numbers in the address, which are pages of rows; a stranger's long words are not repeated in every link."""
    return [
        (name, str(value))
        for name, value in request.GET.items()
        if len(name) <= MAX_OTHER_PAGES and re.fullmatch(r"[0-9]{1,6}", str(value))
    ][:MAX_OTHER_PAGES]
