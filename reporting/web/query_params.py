"""What readers ask in a query string, as forms: checked value by value. What cannot be used is named, never guessed.

Which parameters a public page knows is declared on its view, for all its states (`declare_parameters`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.names.plain_text import plain_text

MAX_SEARCH_LENGTH = 80
LARGEST_NUMBER = 2_147_483_647
NUMBER = re.compile(r"[0-9]{1,10}")
PAGE = r"\A[1-9][0-9]{0,5}\Z"

View = TypeVar("View", bound=Callable[..., Any])
Known = str | type[forms.BaseForm] | Callable[[], "Iterable[Known]"]


class WholeNumberField(forms.IntegerField):
    """A number as the OpenAPI file says it: digits, without a plus and without the fraction that Django would drop."""

    def to_python(self, value: Any) -> int | None:
        if value not in self.empty_values and not re.fullmatch(r"-?[0-9]+", str(value)):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class KnownField(forms.RegexField):
    """A parameter by which rows are filtered: a code of something that there is, else `unknown` says what there is not.

    `is_known` is asked only of a value of the right form.
    """

    def __init__(self, pattern: str, is_known: Callable[[str], object], unknown: Any, **named: Any) -> None:
        super().__init__(pattern, required=False, **named)
        self.is_known, self.unknown = is_known, unknown

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        if found and not self.is_known(found):
            raise forms.ValidationError(self.unknown, code="unknown")
        return found


@dataclass(frozen=True)
class Search:
    """A search for a name or FMJD-ID: as typed and as looked up, or the problem with it."""

    typed: str = ""
    words: tuple[str, ...] = ()
    number: int | None = None
    problem: str = ""

    @property
    def query(self) -> str:
        """The end of an address that searches for the same; empty without a search."""
        return f"?q={quote(self.typed)}" if self.typed else ""


class SearchForm(forms.Form):
    """A search for a name or FMJD-ID."""

    q = forms.CharField(required=False)

    @property
    def search(self) -> Search:
        """A number of digits only, or words, each of which must occur."""
        typed = plain_text(str(self["q"].value() or ""))
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


class PageForm(forms.Form):
    """A page of rows, as an address or a button of a pager asks for it under `name`."""

    def __init__(self, data: QueryDict, name: str = "page") -> None:
        super().__init__(data)
        self.name = name
        self.fields[name] = forms.RegexField(PAGE, required=False)

    @property
    def is_sent(self) -> bool:
        return self[self.name].value() is not None

    @property
    def number(self) -> int | None:
        """The number of the page, from 1; None if there is none, or if it is no page number."""
        self.full_clean()
        return int(self.cleaned_data.get(self.name) or 0) or None

    @property
    def number_or_400(self) -> int:
        """The number of the page, 1 if the address has none. Raises `BadRequest` for what is no page number."""
        number = self.number
        if self.is_sent and number is None:
            values = {"name": self.name, "value": quoted(str(self[self.name].value()))}
            problem = gettext("The number of a page is a whole number from 1: “%(name)s” is %(value)s.")
            raise BadRequest(problem % values)
        return number or 1


def quoted(value: str) -> str:
    """A value of a visitor in a sentence: short and printable."""
    shown = "".join(character if character.isprintable() else "�" for character in value[:40])
    return f"“{shown}{'…' if len(value) > 40 else ''}”"


def declare_parameters(*known: Known, lasting: Iterable[str] | None = ()) -> Callable[[View], View]:
    """Declare all parameters that a public page knows, also those that it reads in some states only.

    By name, by a form that has them as fields, or by a function where the rating systems say which there are. Any other
    is refused (config/web/known_parameters.py), unless `*` is declared. `lasting` are those that choose what the page
    is about, not how it is shown: they belong to its lasting address, as the page of rows does. None for a form of one
    person.
    """

    def mark(view: Any) -> Any:
        view.known_parameters = known
        view.lasting_parameters = () if lasting is None else (*lasting, "page")
        return view

    return mark


def unknown_parameters(view: Callable[..., Any], sent: Iterable[str]) -> list[str]:
    """Those of these names that a view does not declare, in order. A view that declares nothing knows none."""
    known = set(_names(getattr(view, "known_parameters", ())))
    return [name for name in sent if name not in known and "*" not in known]


def _names(known: Iterable[Any]) -> Iterator[str]:
    for one in known:
        if isinstance(one, str):
            yield one
        else:
            yield from getattr(one, "base_fields", None) or _names(one())


def lasting_address(request: HttpRequest, path: str) -> str:
    """A path with what belongs to the lasting address of the page in the query: what it is about, the page of rows.

    Rows that are filtered or in another order have no page there. Empty for a page that other sites should not name,
    whose view declares nothing or no lasting address.
    """
    view = request.resolver_match and request.resolver_match.func
    lasting = getattr(view, "lasting_parameters", ())
    if not lasting:
        return ""
    used = {name: value for name, value in request.GET.items() if value and (name, value) != ("page", "1")}
    kept = {name: used[name] for name in lasting if name in used}
    if used.keys() - kept.keys():
        kept.pop("page", "")
    return f"{path}?{urlencode(kept)}" if kept else path
