"""What readers ask in a query string: checked word by word, and what can't be used is told, never guessed."""

import re
from dataclasses import dataclass

from django.http import Http404, QueryDict

from reporting.rules.normalize_name import normalize_name

MAX_SEARCH_LENGTH = 80
LARGEST_NUMBER = 2_147_483_647
NUMBER = re.compile(r"[0-9]{1,10}")
PAGE = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class Search:
    """A name or FMJD-ID looked for: as it was typed, and as it is looked up."""

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
        return Search(problem=f"The search was left out: it is longer than {MAX_SEARCH_LENGTH} characters.")
    if not all(character.isprintable() for character in typed):
        return Search(problem="The search was left out: it holds characters that are not text.")
    if NUMBER.fullmatch(typed):
        number = int(typed)
        return Search(typed, number=number if number <= LARGEST_NUMBER else 0)
    words = tuple(normalize_name(typed).split())
    if not words:
        return Search(problem="The search was left out: it holds no letter or number.")
    return Search(typed, words)


def requested_page(query: QueryDict) -> int:
    """The page asked for, from 1. Raises `Http404` for what is no number of a page."""
    page = query.get("page", "1")
    if not PAGE.fullmatch(page):
        raise Http404("There is no such page.")
    return int(page)


def quoted(value: str) -> str:
    """A value from outside in a sentence: short, and printable."""
    shown = "".join(each if each.isprintable() else "�" for each in value[:40])
    return f"“{shown}{'…' if len(value) > 40 else ''}”"
