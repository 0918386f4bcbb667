"""The published list that an address names, and what the head of its pages shows."""

from datetime import date
from typing import Any

from django.http import Http404
from django.utils.translation import gettext

from ratings.models import RatingList
from ratings.published.views.list_query import permanent_address
from ratings.queries import lists as selectors
from ratings.queries.list_rows import ListVariant, find_variant
from ratings.queries.lists import ListStamp, NotPublishedError, PublishedList
from reporting.web.http_cache import cached

PAIRING_FILES = {"csv": "text/csv", "txt": "text/plain"}
"""The formats of the ratings for a pairing program, with their content types."""


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
