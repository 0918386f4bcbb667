"""Query strings of readers, checked: a value that cannot be used is reported, never guessed."""

import re
from dataclasses import dataclass

from django.http import Http404, QueryDict
from django.utils.translation import gettext

from reporting.rules.normalize_name import normalize_name

MAX_SEARCH_LENGTH = 80
LARGEST_NUMBER = 2_147_483_647
NUMBER = re.compile(r"[0-9]{1,10}")
PAGE = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True)
class Search:
    """A search for a name or an FMJD-ID, as entered and as looked up; `problem` says why it is ignored."""

    typed: str = ""
    words: tuple[str, ...] = ()
    number: int | None = None
    problem: str = ""


def requested_search(query: QueryDict, name: str = "q") -> Search:
    """The search of a query string: a number of digits only, or words, each of which must occur."""
    text = query.get(name, "").strip()
    if not text:
        return Search()
    if len(text) > MAX_SEARCH_LENGTH:
        return Search(
            problem=gettext("Search ignored: enter at most %(most)s characters.")
            % {"most": MAX_SEARCH_LENGTH}
        )
    if not all(character.isprintable() for character in text):
        return Search(problem=gettext("Search ignored: it contains characters that are not allowed."))
    if NUMBER.fullmatch(text):
        number = int(text)
        return Search(text, number=number if number <= LARGEST_NUMBER else 0)
    words = tuple(normalize_name(text).split())
    if not words:
        return Search(problem=gettext("Search ignored: enter a letter or a digit."))
    return Search(text, words)


def requested_page(query: QueryDict) -> int:
    """The requested page, from 1. Raises `Http404` for anything but a number."""
    page = query.get("page", "1")
    if not PAGE.fullmatch(page):
        raise Http404
    return int(page)


def quoted(value: str) -> str:
    """A value of the query for a sentence: short, and printable."""
    shown = "".join(character if character.isprintable() else "�" for character in value[:40])
    return f"“{shown}{'…' if len(value) > 40 else ''}”"
