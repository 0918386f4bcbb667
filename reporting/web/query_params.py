"""What readers ask in a query string: checked value by value. What cannot be used is named, never guessed."""

import re
from dataclasses import dataclass

from django.http import Http404, QueryDict
from django.utils.translation import gettext

from reporting.rules.names.normalize_name import normalize_name

MAX_SEARCH_LENGTH = 80
LARGEST_NUMBER = 2_147_483_647
NUMBER = re.compile(r"[0-9]{1,10}")
PAGE = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class Search:
    """A search for a name or FMJD-ID: as typed and as looked up, or the problem with it."""

    typed: str = ""
    words: tuple[str, ...] = ()
    number: int | None = None
    problem: str = ""


def requested_search(query: QueryDict, name: str = "q") -> Search:
    """The search of a query string: a number of digits only, or words, each of which must occur."""
    typed = query.get(name, "").strip()
    if not typed:
        return Search()
    if len(typed) > MAX_SEARCH_LENGTH:
        problem = gettext("Search ignored: it is longer than %(most)s characters.")
        return Search(problem=problem % {"most": MAX_SEARCH_LENGTH})
    if not all(character.isprintable() for character in typed):
        return Search(problem=gettext("Search ignored: it contains characters that are not text."))
    if NUMBER.fullmatch(typed):
        number = int(typed)
        return Search(typed, number=number if number <= LARGEST_NUMBER else 0)
    words = tuple(normalize_name(typed).split())
    if not words:
        return Search(problem=gettext("Search ignored: it contains no letter or number."))
    return Search(typed, words)


def requested_page(query: QueryDict) -> int:
    """The number of the page asked for, from 1. Raises `Http404` for anything that is not a page number."""
    page = query.get("page", "1")
    if not PAGE.fullmatch(page):
        raise Http404
    return int(page)


def quoted(value: str) -> str:
    """A value of a visitor in a sentence: short and printable."""
    shown = "".join(character if character.isprintable() else "�" for character in value[:40])
    return f"“{shown}{'…' if len(value) > 40 else ''}”"
