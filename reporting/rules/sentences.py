"""Sentences made of a template of a catalogue and named values, in the language of the page.

Rules and formats give codes and values; a catalogue has the template. Which translation is in use is set from
outside, so that rules need no framework: without any, templates are English.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from string import Formatter
from typing import Any

MAX_NAMES_LISTED = 8
"""Lines, rounds or players that a sentence names one by one."""

AND_MORE = "{names} and {more} more"
"""Several names, where there are too many for one sentence."""


@dataclass(frozen=True)
class Listed:
    """Several names in one value: the first ones, and how many more there are."""

    names: tuple[str, ...]
    more: int = 0

    def __str__(self) -> str:
        names = ", ".join(self.names)
        return sentence(AND_MORE, {"names": names, "more": self.more}) if self.more else names


def joined(values: Sequence[object]) -> Listed:
    """Return values as a sentence lists them: the first eight, and how many more there are."""
    names = tuple(str(value) for value in values[:MAX_NAMES_LISTED])
    return Listed(names, len(values) - len(names))


Value = str | int | Listed
"""What a template can name: text of a file, a number, several names, a day as ISO 8601 (``{due:date}``), or an English
text of the declarations that is translated with the template (``{detail:text}``), or codes of a kind that
`use_labels` names (``{roles:role}``)."""


@dataclass(frozen=True)
class Plural:
    """A template in the singular and the plural, by the number that one of the values holds.

    Half points count up: `½ point`, `1½ points`.
    """

    one: str
    many: str
    by: str


@dataclass(frozen=True)
class IfGiven:
    """A template for where a value is given, and another for where it is not given or empty text."""

    given: "Template"
    missing: "Template"
    by: str


Template = str | Plural | IfGiven
"""What a catalogue holds for a sentence."""


@dataclass(frozen=True)
class Translation:
    """How the templates are translated and how a day is written in a sentence."""

    text: Callable[[str], str]
    plural: Callable[[str, str, int], str]
    day: Callable[[date], str]


def english_day(day: date) -> str:
    """Return a day as sentences have it: ``1 Oct 2026``."""
    return f"{day.day} {day:%b %Y}"


_in_use = [
    Translation(lambda text: text, lambda one, many, count: one if count == 1 else many, english_day),
]


def use_translation(translation: Translation) -> None:
    """Have all sentences translated by this from now on; it follows the language of the page by itself."""
    _in_use[:] = [translation]


_labels: dict[str, Callable[[str], str]] = {}


def use_labels(kind: str, label: Callable[[str], str]) -> None:
    """Have codes of a kind written as their labels in the language of the page: ``{roles:role}``."""
    _labels[kind] = label


class _Sentences(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "date":
            return _in_use[0].day(date.fromisoformat(value))
        labels = _labels | {"text": _in_use[0].text}
        if format_spec in labels:
            several = value if isinstance(value, Listed) else Listed((value,))
            return str(Listed(tuple(map(labels[format_spec], several.names)), several.more))
        return str(super().format_field(value, format_spec))


_formatter = _Sentences()


def sentence(template: Template, values: Mapping[str, Value]) -> str:
    """Return a template in the language in use, with its values. Raises KeyError for a value that is not given."""
    if isinstance(template, IfGiven):
        return sentence(
            template.missing if str(values.get(template.by, "")) == "" else template.given, values
        )
    if isinstance(template, Plural):
        number = str(values[template.by])
        count = int(number.rstrip("½") or 0) + number.endswith("½")
        text = _in_use[0].plural(template.one, template.many, count)
    else:
        text = _in_use[0].text(template) if template else ""
    return _formatter.vformat(text, (), values)


def template_text(template: Template) -> str:
    """A template as references print it: its values in braces, its variants after each other."""
    if isinstance(template, IfGiven):
        return f"{template_text(template.given)} / {template_text(template.missing)}"
    return f"{template.one} / {template.many}" if isinstance(template, Plural) else template
