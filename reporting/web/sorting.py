"""Headings of a table that sort it by a link."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise

from reporting.web.forms import set_choices


class SortColumn(NamedTuple):
    """A column: its word in `?sort=`, its label, the full label where that is shortened, its style, a sign for phones.

    A column without a word does not sort.
    """

    key: str
    label: str | Promise
    full_label: str | Promise = ""
    style: str = ""
    phone_label: str = ""


class SortForm(forms.Form):
    """The order that an address asks for: the word of a column, with a minus in front where the highest comes first."""

    sort = forms.ChoiceField(required=False)

    def __init__(self, data: QueryDict, keys: Iterable[str]) -> None:
        super().__init__(data)
        orders = [(f"{way}{key}", key) for key in keys for way in ("", "-")]
        set_choices(self, "sort", orders)

    @property
    def order(self) -> str:
        """Empty if the address asks for none, or for one that there is not."""
        self.full_clean()
        return str(self.cleaned_data.get("sort", ""))


@dataclass(frozen=True)
class SortHeading:
    """A heading of templates/parts/sort_heading.html: its column, its link (none if it does not sort), its order now.

    With `swaps` htmx takes the sorted table into the page.
    """

    column: SortColumn
    href: str
    direction: str
    swaps: bool


def sort_headings(
    columns: Sequence[SortColumn],
    sort: str,
    href: Callable[..., str],
    falling_first: Collection[str] = (),
    *,
    swaps: bool = False,
) -> Iterator[SortHeading]:
    """The headings of a table sorted by `sort`, a key with a minus in front where the highest comes first.

    A link sorts the other way where it already sorts by its column; else by the lowest first, and for the keys in
    `falling_first` by the highest. `href(sort=…)` gives its address.
    """
    for column in columns:
        if not column.key:
            yield SortHeading(column, "", "", swaps=False)
            continue
        direction = ""
        falls_next = column.key in falling_first
        if sort.removeprefix("-") == column.key:
            falls = sort.startswith("-")
            falls_next, direction = not falls, "descending" if falls else "ascending"
        yield SortHeading(column, href(sort=f"{'-' if falls_next else ''}{column.key}"), direction, swaps)
